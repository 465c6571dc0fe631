"""« Tableau des dommages »: what a blow does, by weapon, dice thrown and sum obtained (EMP-080, EMP-081)."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from paravent.game import Rulings, rule
from paravent.systems.empire.terms import TABLES

WIDEST = 5
"""The last row: more dice are read in it."""
LAST_SUM = 18


def by_law(letter: str, row: int, total: int) -> int:
    """The law behind the printed figures: C is dice × sum ÷ 3, the others are thirds of it, rounded half up."""
    light = _half_up(Fraction(row * total, 3))
    return _half_up(Fraction(light * TABLES["damage"].extra["thirds"][letter], 3))


def _half_up(value: Fraction) -> int:
    return floor(value + Fraction(1, 2))


@rule("EMP-080")
def damage(letter: str, row: int, total: int, rulings: Rulings) -> int:
    """The points that a blow takes: letter of the weapon, dice of the attempt, sum obtained; an empty cell gives none.

    Rows stop at five dice. Sums above 18 follow the law of the table, or stop at its last column.
    """
    if not letter:
        return 0
    row = min(WIDEST, row)
    if total > LAST_SUM:
        if rulings.high_sums == "extend":
            return by_law(letter, row, total)
        total = LAST_SUM
    # Malus dice that the table leaves out of the row may carry the sum beyond it: its last figure then stands.
    table, key, column = TABLES["damage"], f"{letter}{row}", str(min(total, 6 * row))
    cell = table.cell(key, column)
    if rulings.damage_table == "regularised":
        cell = table.extra["regularised"].get(key, {}).get(column, cell)
    return int(cell) if cell != "" else 0


@rule("EMP-080")
def row_of(rolled: int, malus: int, rulings: Rulings) -> int:
    """The row that a roll is read in: the dice really thrown, or those of the act alone, if the table says so."""
    return max(1, rolled - max(0, malus)) if rulings.damage_row == "without_malus" else rolled


@rule("EMP-081")
def pulled(points: int, cap: int | None) -> int:
    """A blow held back: no more than what was announced before the dice."""
    return points if cap is None else min(points, cap)
