"""The difficulties that the game master sets, open and hidden, as a move asks them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from paravent.game import Context, Field, FieldFacts, Flag, Whole
from paravent.game.fields import FieldType
from paravent.systems.simulacres.actors import has
from paravent.systems.simulacres.terms import TABLES

from .check import Modifier, difficulty, named_difficulty

PROBES = (-4, -2, -1, 0, 1, 2, 4)
"""The named difficulties: odds are shown for each where the true one is hidden."""


@dataclass(frozen=True)
class Factors(FieldType[tuple[Modifier, ...]]):
    """Difficulties that add up: numbers, named steps (``hard``), or either with a label (``rain:-2``)."""

    name = "many"

    def read(self, raw: object, field: str, ctx: Context) -> tuple[Modifier, ...]:
        if isinstance(raw, (list, tuple)) and not isinstance(raw, Modifier):
            parts: Sequence[object] = raw
        else:
            parts = [raw] if not isinstance(raw, str) else [part for part in raw.split(",") if part.strip()]
        return tuple(self._one(part, field, ctx) for part in parts)

    def _one(self, part: object, field: str, ctx: Context) -> Modifier:
        if isinstance(part, Modifier):
            return part
        if isinstance(part, Mapping):
            return Modifier(str(part["name"]), Whole().read(part["points"], field, ctx))
        label, _, number = str(part).rpartition(":")
        step = number.strip()
        if step in TABLES["difficulty"].keys():  # noqa: SIM118 (a table is not a mapping)
            return Modifier(label.strip() or step, named_difficulty(step))
        return Modifier(label.strip() or "difficulty", Whole().read(step, field, ctx))

    def describe(self, ctx: Context) -> FieldFacts:
        steps = list(TABLES["difficulty"].keys())
        return FieldFacts(self.name, of=FieldFacts("score", steps, None, None), least=0, most=None)


DIFFICULTY: Field[tuple[Modifier, ...]] = Field("difficulty", Factors(), "gm", usual=(), rule="SIM-005")
HIDE_DIFFICULTY = Field("hide_difficulty", Flag(), "gm", usual=False, rule="SIM-024")
HIDDEN_DIFFICULTY: Field[int | None] = Field(
    "hidden_difficulty", Whole(), "gm", usual=0, secrecy="gm", probes=PROBES, rule="SIM-024",
    when=lambda ctx: ctx[HIDE_DIFFICULTY],
)
DIFFICULTIES = (DIFFICULTY, HIDE_DIFFICULTY, HIDDEN_DIFFICULTY)


def hides(ctx: Context) -> bool:
    """Whether the game master keeps the difficulty to himself."""
    return bool(has(ctx, ctx.one("gm"), HIDE_DIFFICULTY))


def difficulty_terms(ctx: Context) -> tuple[Modifier, ...]:
    """The difficulties that the game master set, open and hidden."""
    gm = ctx.one("gm")
    hidden = has(ctx, gm, HIDDEN_DIFFICULTY) if hides(ctx) else None
    return (*(has(ctx, gm, DIFFICULTY) or ()), *((Modifier("hidden_difficulty", hidden),) if hidden else ()))


def total(terms: Sequence[Modifier]) -> int:
    """The sum of some terms."""
    return difficulty(term.points for term in terms)
