"""Simulacres, « Les armes et les dégâts »: the MR and two dice, read in one lettered column.

A weapon has a category for life (PV) and one for breath (PS): a column of the one damage table, and a number added to
the total before it is read. A single throw of two dice serves both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import Rulings, rule
from paravent.game.errors import BadValue
from paravent.systems.simulacres.terms import TABLES

COLUMNS = "ABCDEFGHIJK"
LOWEST_ROW = 3
_WRITTEN = re.compile(r"\[?([A-Ka-k])\s*(?:([+\-−])\s*(\d+))?\]?")


class Category(NamedTuple):
    """A column of the damage table (0 for A, 10 for K), and what is added to the total before it is read.

    >>> Category.parse("A-3")
    Category(column=0, offset=-3)
    >>> str(Category.parse("[C+3]"))
    'C+3'
    """

    column: int
    offset: int = 0

    @classmethod
    def parse(cls, text: str, field: str = "category") -> Category:
        """The category written ``F``, ``A-3`` or ``[K+1]``."""
        found = _WRITTEN.fullmatch(text.strip())
        if found is None:
            raise BadValue(field=field, got=text, expected="category")
        letter, sign, number = found.groups()
        offset = int(number or 0)
        return cls(COLUMNS.index(letter.upper()), offset if sign == "+" else -offset)

    def __str__(self) -> str:
        return COLUMNS[self.column] + (f"{self.offset:+d}" if self.offset else "")

    @property
    def printed(self) -> str:
        """As a page prints it, with a true minus."""
        return str(self).replace("-", "−")


def category(text: str, field: str = "category") -> Category | None:
    """The category that a table or a form writes; an empty one inflicts nothing of its kind."""
    return Category.parse(text, field) if text else None


@rule("SIM-054")
def shifted(start: Category | None, shifts: Iterable[int]) -> Category | None:
    """The category some columns further; what steps off the table is added to the total in column A or K.

    Several shifts on one blow are summed first and walked once, so a walk off the table is not undone step by step.
    """
    if start is None:
        return None
    column, offset = start.column + sum(shifts), start.offset
    last = len(COLUMNS) - 1
    if column < 0:
        return Category(0, offset + column)
    if column > last:
        return Category(last, offset + column - last)
    return Category(column, offset)


@lru_cache(maxsize=1)
def _printed() -> tuple[dict[int, Sequence[int]], Sequence[int], int, int, Sequence[int]]:
    """The printed table: the row of each total, the last row, and the step beyond it."""
    table = TABLES["damage"]
    rows: dict[int, Sequence[int]] = {
        total: row[2:]
        for row in table.rows
        for total in range(row[1] if row[0] == "" else row[0], row[1] + 1)
    }
    extra = table.extra
    return rows, table.rows[-1][2:], extra["step_from"], extra["step_every"], extra["step"]


@rule("SIM-051", "SIM-052", "SIM-053")
def points_lost(column: int, total: int, rulings: Rulings) -> int:
    """The points lost at a total in a column: nothing under 3, a step for each block of four begun above 26."""
    rows, last_row, step_from, step_every, steps = _printed()
    if total < LOWEST_ROW:
        return 0 if rulings.below_3 == "zero" else rows[LOWEST_ROW][column]
    if total <= step_from:
        return rows[total][column]
    blocks = -((step_from - total) // step_every)
    return last_row[column] + steps[column] * blocks


def points(read_in: Category | None, total: int, rulings: Rulings) -> int:
    """The points lost at a total in a category; none where the weapon has no such category."""
    return 0 if read_in is None else points_lost(read_in.column, total + read_in.offset, rulings)


class Blow(NamedTuple):
    """What a hit inflicts: the two categories, what is added to the total (aim, less absorption), dice on top.

    ``extra_dice`` are those of SIM-B01; ``pulled`` says that the striker chooses how much of it lands. ``absorbed`` is
    the part of ``bonus`` that armour takes off.
    """

    pv: Category | None
    ps: Category | None = None
    bonus: int = 0
    extra_dice: int = 0
    pulled: bool = False
    absorbed: int = 0

    def through(self, absorbed: int) -> Blow:
        """The same blow through armour that absorbs so much of it."""
        return self._replace(bonus=self.bonus - absorbed, absorbed=self.absorbed + absorbed)


class Damage(NamedTuple):
    """Damage rolled: the total read in the table, and the points of life and breath that it takes."""

    total: int
    pv: int
    ps: int


@rule("SIM-050", "SIM-051", "SIM-055", "SIM-058")
def roll_damage(dice: Dice, blow: Blow, margin: int, rulings: Rulings) -> Damage:
    """Throw two dice, add the striker's own MR, what the aim adds and what armour absorbs, and read both columns."""
    thrown = dice.sum(2 + blow.extra_dice, 6)
    total = margin + thrown + blow.bonus
    damage = Damage(total, points(blow.pv, total, rulings), points(blow.ps, total, rulings))
    aim = blow.bonus + blow.absorbed
    if aim:
        dice.note("SIM-055", "damage_aimed", points=aim)
    if blow.absorbed:
        dice.note("SIM-058", "damage_absorbed", points=blow.absorbed)
    dice.note("SIM-050", "damage_total", margin=margin, thrown=thrown, total=total)
    for counter, read_in, lost in (("PV", blow.pv, damage.pv), ("PS", blow.ps, damage.ps)):
        if read_in is not None:
            dice.note("SIM-051", "damage_read", total=total + read_in.offset, category=read_in.printed,
                      points=lost, counter=counter)
    return damage


@rule("SIM-056")
def inflict(dice: Dice, blow: Blow, margin: int, striker: str, rulings: Rulings) -> Damage:
    """Roll the damage of a hit; of a pulled blow the striker then inflicts all or part, PV and PS apart.

    Usually who pulls a blow spares the life and takes the breath.
    """
    rolled: Damage = dice.resolve(roll_damage, blow, margin, rulings)
    if not blow.pulled:
        return rolled
    options = [(pv, ps) for pv in range(rolled.pv + 1) for ps in range(rolled.ps + 1)]
    pv, ps = dice.choose(striker, "split", options, (0, rolled.ps), "SIM-056", pv=rolled.pv, ps=rolled.ps)
    dice.note("SIM-056", "blow_pulled", pv=pv, ps=ps)
    return Damage(rolled.total, pv, ps)


class Automatic(NamedTuple):
    """Damage without a margin: the total and the points lost."""

    total: int
    points: int


@rule("SIM-074")
def automatic_damage(dice: Dice, read_in: Category, rulings: Rulings) -> Automatic:
    """A trap or a fall, written ``[x+y]``: two dice and y, read in column x."""
    total = dice.sum(2, 6) + read_in.offset
    lost = points_lost(read_in.column, total, rulings)
    dice.note("SIM-074", "automatic_total", total=total, category=read_in.printed, points=lost)
    return Automatic(total, lost)


@rule("SIM-075")
def blast(dice: Dice, blow: Blow, margin: int, rulings: Rulings) -> Damage:
    """What an explosive does in its blast zone: two dice, without the thrower's MR unless the table says so."""
    return dice.then(roll_damage, blow, margin if rulings.blast_uses_mr == "yes" else 0, rulings)
