"""« Attitude » and side effects: what comes besides success or failure, and on how many kept dice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from paravent.game import Rulings, rule
from paravent.systems.solaires.facts import DICE, TABLES, Edition

from .errors import AttitudeNotAllowed, AttitudeRequired
from .facts import Attitude, Origin, Polarity, Quality


class SideEffect(NamedTuple):
    """A consequence that changes nothing of the success: where it comes from, what kind it is, and its words.

    ``kind`` is ``side_positive``, ``counter_negative``… for those of the outcome table, ``positive`` or ``negative``
    for the others.
    """

    origin: Origin
    kind: str
    text: str = ""

    @property
    def polarity(self) -> Polarity:
        """Whether it helps or harms."""
        return Polarity.POSITIVE if self.kind.endswith(Polarity.POSITIVE) else Polarity.NEGATIVE

    @property
    def tag(self) -> str:
        """Origin, kind and words in one line."""
        return ":".join(part for part in self if part)


class Cells(NamedTuple):
    """What the game master attaches to each number of kept dice; several on one number are parted by ; or lines.

    One that begins with + is a positive effect, any other a negative one.
    """

    kept_0: str = ""
    kept_1: str = ""
    kept_2: str = ""
    kept_3: str = ""


@rule("SOL-046")
def all_attitudes() -> tuple[Attitude, ...]:
    """The four attitudes."""
    return tuple(Attitude(name) for name in TABLES["outcomes"].columns[1:])


@rule("SOL-046", "SOL-047")
def chosen_attitude(chosen: Attitude | None, allowed: Sequence[Attitude] = ()) -> Attitude:
    """The attitude of an action: as chosen within what the game master allows, else stable.

    Where stable is not allowed one must choose, unless a single attitude is left: it then applies (R-10).
    """
    possible = tuple(allowed) or all_attitudes()
    if chosen is not None and chosen not in possible:
        raise AttitudeNotAllowed(got=chosen, allowed=list(possible))
    if chosen is not None:
        return chosen
    if Attitude.STABLE in possible:
        return Attitude.STABLE
    if len(possible) > 1:
        raise AttitudeRequired(allowed=list(possible))
    return possible[0]


@rule("SOL-050", "SOL-053")
def quality(kept: int, pattern: Attitude) -> Quality:
    """The cell of the outcome table for a number of kept dice."""
    return _quality(kept, pattern)


@lru_cache(maxsize=32)
def _quality(kept: int, pattern: Attitude) -> Quality:
    return Quality(TABLES["outcomes"].cell(kept, pattern))


@rule("SOL-050", "SOL-051", "SOL-053")
def pattern_effects(kept: int, pattern: Attitude, origin: Origin) -> tuple[SideEffect, ...]:
    """The side effect that a pattern brings, at most one: it reverses nothing of the success."""
    kind = effect_kind(quality(kept, pattern))
    return (SideEffect(origin, kind),) if kind else ()


def effect_kind(cell: Quality) -> str:
    """The side effect that a cell of the outcome table brings, if any."""
    return str(TABLES["outcomes"].extra["effects"][cell]["effect"])


@rule("SOL-052", "SOL-054", "SOL-055", "SOL-057")
def gm_effects(cells: Cells) -> tuple[tuple[SideEffect, ...], ...]:
    """The effects that the game master attached to 0, 1, 2 and 3 kept dice; what stands in a cell is all it brings."""
    return tuple(
        tuple(_effect(part) for part in re.split(r"[;\n]", cell) if part.strip(_SIGNS)) for cell in cells
    )


_SIGNS = "+-−– \u00a0"


def _effect(line: str) -> SideEffect:
    text = line.strip()
    polarity = Polarity.POSITIVE if text.startswith("+") else Polarity.NEGATIVE
    return SideEffect(Origin.GM, polarity, text.lstrip(_SIGNS).strip())


def added(*cells: Cells) -> Cells:
    """All together: what is announced, what was accepted as a condition."""
    return Cells(*("\n".join(filter(None, found)) for found in zip(*cells, strict=True)))


@rule("SOL-016")
def condition_cells(condition: str, kept: int) -> Cells:
    """The condition that a player accepted: it comes about unless more dice are kept."""
    condition = re.sub(r"\s*[;\n]\s*", ", ", condition.strip())
    return Cells(*(f"- {condition}" if condition and at <= kept else "" for at in range(DICE + 1)))


@rule("SOL-062")
def handicap_triggers(kept: int, score: int) -> bool:
    """Whether a handicapping state brings its effect: unless strictly more dice are kept than its score."""
    return bool(score) and bool(TABLES["handicap"].cell(score, f"kept_{kept}"))


@rule("SOL-054", "SOL-055")
def menu(polarity: Polarity, rulings: Rulings) -> tuple[str, ...]:
    """The ideas of side effects of an edition: the later one adds those that touch states."""
    table = TABLES["side_effects"]
    table.keys()
    known = (Edition.V4,) if rulings.edition == Edition.V4 else tuple(Edition)
    return tuple(row[0] for row in table.rows if row[1] == polarity and row[2] in known)
