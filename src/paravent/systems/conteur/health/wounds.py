"""Wounds: « La santé », « Niveaux de blessure », « Blessure mortelle », and luck against them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import Rulings, rule
from paravent.systems.conteur.facts import LOST, TABLES, Fate

from .errors import Dead, NoLuckAgainstWound, NotLost

SERIOUS_DICE = -2


class Wound(NamedTuple):
    """A part after a hit: its level, what that means, and the luck spent against it."""

    level: int
    worse: bool
    lost: bool
    dying: bool
    avoided: int


@rule("D10-039")
def wound_effect(part: str, level: int) -> str:
    """What a wound of this level does to this part, as the printed table names it."""
    column = part if part in ("head", "torso") else "limb"
    return str(TABLES["wounds"].cell(level, column))


@rule("D10-039", "D10-040", "D10-041")
def serious_penalty(level: int) -> int:
    """The dice that a wound of this level costs where it hampers: a superficial one has no effect on anything."""
    return SERIOUS_DICE if TABLES["wounds"].cell(level, "name") == "serious" else 0


@rule("D10-040", "D10-042")
def hampers(part: str, level: int) -> bool:
    """Whether a limb so badly hurt takes dice from an action that uses it, or forbids it."""
    return serious_penalty(level) < 0 or is_lost(part, level)


@rule("D10-044")
def is_mortal(part: str, level: int) -> bool:
    """Whether a wound kills: torso at level 3, head at level 2 (the head has in effect two levels)."""
    return wound_effect(part, level) in ("mortal", "beyond_last")


@rule("D10-044")
def is_dying(wounds: Mapping[str, int]) -> bool:
    """Whether any wound is mortal."""
    return any(is_mortal(part, level) for part, level in wounds.items())


@rule("D10-042")
def is_lost(part: str, level: int) -> bool:
    """Whether a limb is lost: it serves no action any more."""
    return wound_effect(part, level) == "unusable"


@rule("D10-033")
def check_avoided(part: str, level: int, levels: int, avoid: int, luck: int, rulings: Rulings) -> int:
    """The levels that luck avoids: one point each, as many as the hit has, at the moment of the wound."""
    most = min(avoidable(part, level, levels, rulings), luck)
    if not 0 <= avoid <= most:
        raise NoLuckAgainstWound(got=avoid, most=most)
    return avoid


@rule("D10-033")
def avoidable(part: str, level: int, levels: int, rulings: Rulings) -> int:
    """How many levels of a hit can be avoided: those of the hit, or only those really lost (R-47).

    Nothing is left to avoid on a part already at its last level (R-44).
    """
    last = 2 if part == "head" and rulings.avoid_counts == "levels_lost" else LOST
    if level >= last:
        return 0
    return min(levels, last - level) if rulings.avoid_counts == "levels_lost" else levels


@rule("D10-046", "D10-033")
def inflict_wound(
    dice: Dice, part: str, level: int, levels: int, avoid: int, luck: int, rulings: Rulings
) -> Wound:
    """A hit of so many levels on a part, less those that luck avoids, never beyond the third."""
    avoid = check_avoided(part, level, levels, avoid, luck, rulings)
    taken = avoidable(part, level, levels, rulings) if rulings.avoid_counts == "levels_lost" else levels
    after = max(level, min(LOST, level + taken - avoid))
    if avoid:
        dice.note("D10-033", "avoided", n=avoid)
    dice.note("D10-046", "wounded", part=part, before=level, after=after)
    wound = Wound(after, after > level, is_lost(part, after), is_mortal(part, after), avoid)
    if wound.lost:
        dice.note("D10-042", "lost", part=part)
    if wound.dying:
        dice.note("D10-044", "dying", part=part)
    return wound


class Replaced(NamedTuple):
    """A limb after its replacement."""

    level: int
    replaced: bool


@rule("D10-043")
def replace_limb(dice: Dice, part: str, level: int) -> Replaced:
    """Medicine of a sufficient level replaces a lost limb: it is whole again, and marked as replaced (R-31)."""
    if not is_lost(part, level):
        raise NotLost(part=part)
    dice.note("D10-043", "replaced", part=part)
    return Replaced(0, True)


@rule("D10-045")
def fate(dice: Dice, decided: Fate, dead: bool) -> Fate:
    """The game master says when someone wakes up, and when someone mortally wounded dies."""
    if dead and decided == Fate.WAKE_UP:
        raise Dead()
    return decided
