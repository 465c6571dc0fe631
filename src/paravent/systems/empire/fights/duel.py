"""Two secret attitudes, one matrix, two rolls: what close combat and verbal duels share (EMP-076, EMP-079, EMP-126)."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import Rulings, rule
from paravent.systems.empire.actions.action import Roll, roll_under

from .damage import WIDEST, damage


class Cell(StrEnum):
    """What a pair of attitudes allows."""

    BOTH = "both"
    EITHER = "either"
    DIFFERENCE = "difference"
    NOTHING = "nothing"


class Stance(NamedTuple):
    """One side of an exchange: threshold, dice, letter of the table, and the row if malus dice do not count in it.

    ``attacks`` and ``parries`` say which attitude it is, where a table treats a tie or a riposte apart.
    """

    threshold: int
    dice: int
    letter: str
    row: int = 0
    attacks: bool = False
    parries: bool = False


class Clash(NamedTuple):
    """An exchange resolved: points to each side, before armour or restraint, and whether each roll succeeded."""

    to_a: int
    to_b: int
    ok_a: bool = False
    ok_b: bool = False


NOTHING = Clash(0, 0)


@rule("EMP-079", "EMP-126")
def clash(dice: Dice, cell: Cell, a: Stance, b: Stance, raw: bool, rulings: Rulings) -> Clash:
    """Both sides throw; the cell of the matrix says what two successes do, and a lone success hurts.

    In an empty cell nothing is thrown, unless the table lets a lone success strike even there. ``raw`` takes the
    difference of two sums for the points themselves.
    """
    if cell is Cell.NOTHING and rulings.nothing_cells == "no_dice":
        dice.note("EMP-076", "nothing_happens")
        return NOTHING
    mine = dice.of("initiator").resolve(roll_under, a.dice, a.threshold)
    theirs = dice.of("opponent").resolve(roll_under, b.dice, b.threshold)
    both = mine.success and theirs.success
    alone = mine.success != theirs.success
    dice.note("EMP-076", f"cell_{cell.value}" if both else "one_fails" if alone else "both_fail")
    to_a, to_b = points(cell, a, mine, b, theirs, raw, rulings)
    bare = both and cell is Cell.DIFFERENCE and (raw or rulings.difference == "raw")
    for side, dealt_points in ((a, to_b), (b, to_a)):
        if dealt_points and bare:
            dice.note("EMP-079", "gap", one=mine.total, other=theirs.total, points=dealt_points)
        elif dealt_points:
            dice.note("EMP-080", "blow", letter=side.letter, points=dealt_points)
    return Clash(to_a, to_b, mine.success, theirs.success)


@rule("EMP-079", "EMP-126")
def points(cell: Cell, a: Stance, mine: Roll, b: Stance, theirs: Roll, raw: bool, rulings: Rulings) -> tuple[int, int]:
    """The points to A and to B, once both have thrown."""
    if not mine.success and not theirs.success:
        return 0, 0
    if mine.success != theirs.success:
        return (0, dealt(a, mine, rulings)) if mine.success else (dealt(b, theirs, rulings), 0)
    if cell is Cell.BOTH:
        return dealt(b, theirs, rulings), dealt(a, mine, rulings)
    if cell is Cell.EITHER:
        return _either(a, mine, b, theirs, rulings)
    return _difference(a, mine, b, theirs, raw, rulings) if cell is Cell.DIFFERENCE else (0, 0)


def dealt(side: Stance, roll: Roll, rulings: Rulings) -> int:
    """What a successful roll deals; a parry deals nothing where the table forbids the riposte."""
    if side.parries and rulings.parry_riposte == "no":
        return 0
    return damage(side.letter, side.row or side.dice, roll.total, rulings)


def _either(a: Stance, mine: Roll, b: Stance, theirs: Roll, rulings: Rulings) -> tuple[int, int]:
    """Only the better result hurts: the higher sum, or the greater margin if the table says so."""
    by_margin = rulings.better_result == "margin"
    lead = (a.threshold - mine.total) - (b.threshold - theirs.total) if by_margin else mine.total - theirs.total
    if lead == 0 and rulings.either_tie != "nobody":
        both = rulings.either_tie == "both"
        return (dealt(b, theirs, rulings) if both or b.attacks else 0,
                dealt(a, mine, rulings) if both or a.attacks else 0)
    if lead == 0:
        return 0, 0
    return (0, dealt(a, mine, rulings)) if lead > 0 else (dealt(b, theirs, rulings), 0)


def _difference(a: Stance, mine: Roll, b: Stance, theirs: Roll, raw: bool, rulings: Rulings) -> tuple[int, int]:
    """The difference of the two sums counts, for whoever has the higher one."""
    if rulings.difference == "tables_subtracted" and not raw:
        gap = damage(a.letter, a.row or a.dice, mine.total, rulings) - damage(
            b.letter, b.row or b.dice, theirs.total, rulings)
        winner, size = (a if gap > 0 else b), abs(gap)
    else:
        gap = mine.total - theirs.total
        winner = a if gap > 0 else b
        size = abs(gap) if raw or rulings.difference == "raw" else _read_as_sum(winner, abs(gap), rulings)
    if gap == 0 or (winner.parries and rulings.parry_riposte == "no"):
        return 0, 0
    return (0, size) if gap > 0 else (size, 0)


def _read_as_sum(winner: Stance, gap: int, rulings: Rulings) -> int:
    """The difference looked up as a sum: in the winner's row, or in the widest row that has such a column."""
    if gap == 0:
        return 0
    row = min(WIDEST, gap) if rulings.difference == "widest_row" else winner.row or winner.dice
    return damage(winner.letter, row, gap, rulings)


@rule("EMP-079")
def free_blow(dice: Dice, a: Stance, rulings: Rulings) -> Clash:
    """Only the favoured side throws: it has the initiative, or the other is stunned, held or helpless."""
    mine = dice.resolve(roll_under, a.dice, a.threshold)
    hurt = dealt(a, mine, rulings) if mine.success else 0
    if hurt:
        dice.note("EMP-080", "blow", letter=a.letter, points=hurt)
    return Clash(0, hurt, mine.success)
