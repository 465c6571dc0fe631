"""Opposed rolls: « Jets en opposition »."""

from __future__ import annotations

from typing import NamedTuple

from paravent.dice import Dice, ThrowAgain
from paravent.game import Rulings, rule

from .pool import ALL_RIGHTS, Action, throw
from .reading import success_level
from .roll import Roll

NOBODY = "nobody"


class Opposed(NamedTuple):
    """Two rolls compared: who wins, by how many effective successes, and how well."""

    winner: str
    effective: int
    level: int
    initiator: Roll
    opponent: Roll


@rule("D10-023")
def compared_total(rolled: Roll, rulings: Rulings) -> int:
    """What a side brings to the comparison: its successes, or its raw total where negative ones count (R-21)."""
    return rolled.successes if rulings.opposed_floor == "true" else rolled.raw


@rule("D10-023", "D10-024", "D10-025")
def compare(mine: Roll, theirs: Roll, rulings: Rulings) -> Opposed:
    """The larger number of successes wins, and the difference is what the winner really achieves.

    Equal totals, 0 to 0 included: nobody wins and the situation stays as it was (R-20).
    """
    a, b = compared_total(mine, rulings), compared_total(theirs, rulings)
    winner = NOBODY if a == b else "initiator" if a > b else "opponent"
    effective = abs(a - b)
    return Opposed(winner, effective, success_level(effective, 1, rulings.scale_basis), mine, theirs)


@rule("D10-023")
def opposed(
    dice: Dice, action: Action, luck: int, opposing: Action, opposing_luck: int, rulings: Rulings
) -> Opposed:
    """Each side throws its own dice and uses its own rights; more than two sides compare pair by pair (R-23).

    Where a tie is rolled again it is so at once, unless someone spent luck on it: then the points are gone, and a new
    opposed roll follows.
    """
    mine = dice.of("initiator").resolve(throw, action, 1, luck, rulings, ALL_RIGHTS)
    theirs = dice.of("opponent").resolve(throw, opposing, 1, opposing_luck, rulings, ALL_RIGHTS, "opponent")
    result = compare(mine, theirs, rulings)
    if result.winner == NOBODY and rulings.opposed_tie == "reroll" and mine.dice + theirs.dice:
        spent = mine.luck_spent + theirs.luck_spent
        if not spent and not mine.unconscious and not theirs.unconscious:
            raise ThrowAgain
    dice.note("D10-024", "compared", mine=compared_total(mine, rulings), theirs=compared_total(theirs, rulings))
    return result
