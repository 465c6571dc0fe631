"""Opposed rolls: « Jets en opposition »."""

from __future__ import annotations

from typing import NamedTuple

from paravent.dice import Dice, ThrowAgain
from paravent.game import Rulings, rule

from .faces import success_level
from .pool import Action, hand, throw
from .roll import ALL_RIGHTS, Roll

NOBODY = "nobody"


class Side(NamedTuple):
    """One side of an opposed roll: the total it brings to the comparison, and what the roll cost it."""

    total: int
    dice: int
    luck_spent: int
    unconscious: bool


class Opposed(NamedTuple):
    """Two rolls compared: who wins, by how many effective successes, and how well."""

    winner: str
    effective: int
    level: int
    initiator: Side
    opponent: Side


@rule("D10-023")
def compared_total(rolled: Roll, rulings: Rulings) -> int:
    """What a side brings to the comparison: its successes, or its raw total where negative ones count (R-21)."""
    return rolled.successes if rulings.opposed_floor == "true" else rolled.raw


@rule("D10-023")
def one_side(dice: Dice, action: Action, luck: int, rulings: Rulings, who: str) -> Side:
    """A side throws its own dice and uses every right."""
    rolled = dice.resolve(throw, action, 1, luck, rulings, ALL_RIGHTS, who)
    return Side(compared_total(rolled, rulings), rolled.dice, rolled.luck_spent, rolled.unconscious)


@rule("D10-023", "D10-024", "D10-025")
def compare(mine: Side, theirs: Side, rulings: Rulings) -> Opposed:
    """The larger number of successes wins, and the difference is what the winner really achieves.

    Equal totals, 0 to 0 included: nobody wins and the situation stays as it was (R-20).
    """
    effective = abs(mine.total - theirs.total)
    winner = NOBODY if not effective else "initiator" if mine.total > theirs.total else "opponent"
    return Opposed(winner, effective, success_level(effective, 1, rulings.scale_basis), mine, theirs)


@rule("D10-025")
def rolls_again(mine: Side | Roll, theirs: Side | Roll, rulings: Rulings) -> bool:
    """Whether a tie is rolled again at once (R-20): nobody spent luck on it, nobody fell."""
    if rulings.opposed_tie != "reroll" or not mine.dice + theirs.dice:
        return False
    return not (mine.luck_spent or theirs.luck_spent or mine.unconscious or theirs.unconscious)


@rule("D10-023")
def opposed(
    dice: Dice, action: Action, luck: int, opposing: Action, opposing_luck: int, rulings: Rulings
) -> Opposed:
    """Each side throws its own dice and uses its own rights; more than two sides compare pair by pair (R-23).

    Where a tie is rolled again it is so at once, unless someone spent luck on it: then the points are gone, and a new
    opposed roll follows.
    """
    for announced in (action, opposing):
        hand(announced, rulings)  # what forbids either side is said before any dice fall
    mine = dice.of("initiator").resolve(one_side, action, luck, rulings, "initiator")
    theirs = dice.of("opponent").resolve(one_side, opposing, opposing_luck, rulings, "opponent")
    result = compare(mine, theirs, rulings)
    if result.winner == NOBODY and rolls_again(mine, theirs, rulings):
        raise ThrowAgain
    dice.note("D10-024", "compared", mine=mine.total, theirs=theirs.total)
    return result
