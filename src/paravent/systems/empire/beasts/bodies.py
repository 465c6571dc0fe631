"""Bodies and appearances, for beasts and peoples alike: one table, two rolls (EGW-045, EGW-062 to EGW-064)."""

from __future__ import annotations

from paravent.dice import Dice
from paravent.game import Field, Rulings, Whole, rule
from paravent.systems.empire.terms import TABLES

PICKED: Field[int | None] = Field("picked", Whole(1, 6), "gm", usual=3, secrecy="gm", rule="EGW-063",
                                  when=lambda ctx: ctx.rulings.variable_endurance == "gm_picks")
"""How many dice of Endurance a variable body has, where the table leaves it to the game master."""
BEYOND = 11
"""The row of those that are beyond measure: over 20 m, with at least 200 m of territory."""
VARIABLE = 12
"""The row of those whose size, weight and Endurance really change."""


def size_of(row: int) -> str:
    """How tall a body is."""
    return str(TABLES["bodies"].cell(row, "size"))


def weight_of(row: int) -> str:
    """How heavy a body is."""
    return str(TABLES["bodies"].cell(row, "weight"))


def appearance_of(row: int) -> str:
    """What a creature looks like."""
    return str(TABLES["appearances"].cell(row, "appearance"))


def throw_endurance(dice: Dice, row: int, rulings: Rulings, picked: int = 3) -> int:
    """The Endurance of a body: the dice of its row, or those of a variable one."""
    if row == VARIABLE:
        return variable_endurance(dice, rulings, picked)
    body = TABLES["bodies"].row(row)
    return dice.sum(body["endurance_dice"], 6) + int(body["endurance_bonus"])


@rule("EGW-063")
def variable_endurance(dice: Dice, rulings: Rulings, picked: int = 3) -> int:
    """« 1 à 6D »: a die says how many; a table may throw three, or let the game master say how many."""
    match rulings.variable_endurance:
        case "three_dice":
            return dice.sum(3, 6)
        case "gm_picks":
            return dice.sum(picked, 6)
        case _:
            return dice.sum(dice.sum(1, 6), 6)
