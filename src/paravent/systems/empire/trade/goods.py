"""« Ressources », « Offre et demande »: what a world sells and wants (EGW-080 to EGW-082)."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from paravent.dice import Dice, ThrowAgain
from paravent.game import Rulings, rule
from paravent.systems.empire.terms import TABLES

INFORMATION, FOOD, ARMS, TRINKETS = 2, 10, 11, 19
"""Rows of goods that the rules single out; below 3 is information, above 18 trinkets."""
UNWEIGHED = ("animals",)
"""Whose mass varies: the game master says it."""
UNPRICED = ("information",)
"""What has no price of its own: the table's figure is a suggestion, the game master may say another."""


class Lists(NamedTuple):
    """What is offered and what is wanted, roll by roll."""

    offered: tuple[int, ...]
    demanded: tuple[int, ...]


@rule("EGW-082")
def good_row(roll: int) -> int:
    """The row of the table that a roll stands for."""
    return max(INFORMATION, min(TRINKETS, roll))


def good_of(roll: int) -> str:
    """The good of a roll."""
    return str(TABLES["goods"].cell(good_row(roll), "good"))


def row_of(good: str) -> int:
    """The row of a good."""
    return next(int(row[0]) for row in TABLES["goods"].rows if row[1] == good)


def base_price(good: str, told: int | None = None) -> int:
    """The base price of a lot, in credits; what the game master says, of a good without one."""
    return told if told is not None and good in UNPRICED else int(TABLES["goods"].cell(row_of(good), "base_price"))


@rule("EGW-080")
def lot_mass(good: str) -> int:
    """What a lot weighs, in grams; 0 where it varies, or weighs nothing."""
    return int(TABLES["goods"].cell(row_of(good), "mass_g"))


def all_goods() -> tuple[str, ...]:
    """Every good of the table."""
    return tuple(TABLES["goods"].column("good").values())


@rule("EGW-081")
def throw_offer(dice: Dice, tech_level: int) -> int:
    """One good offered."""
    row = TABLES["trade_dice"].row(tech_level)
    return dice.sum(row["offer_dice"], 6) + int(row["offer_plus"])


@rule("EGW-082")
def throw_demand(dice: Dice, tech_level: int) -> int:
    """One good wanted."""
    row = TABLES["trade_dice"].row(tech_level)
    return dice.sum(row["demand_dice"], 6) + int(row["demand_plus"])


def possible(tech_level: int, offer: bool) -> int:
    """How many goods there are to find."""
    row, which = TABLES["trade_dice"].row(tech_level), "offer" if offer else "demand"
    n, plus = int(row[f"{which}_dice"]), int(row[f"{which}_plus"])
    return len({good_row(total + plus) for total in range(n, 6 * n + 1)})


def throw_new_offer(dice: Dice, tech_level: int, known: tuple[int, ...]) -> int:
    """One good offered that is not yet on the list."""
    roll = throw_offer(dice, tech_level)
    if good_row(roll) in known:
        raise ThrowAgain
    return roll


def throw_new_demand(dice: Dice, tech_level: int, known: tuple[int, ...]) -> int:
    """One good wanted that is not yet on the list."""
    roll = throw_demand(dice, tech_level)
    if good_row(roll) in known:
        raise ThrowAgain
    return roll


@rule("EGW-080")
def throw_lists(dice: Dice, tech_level: int, n: int, rulings: Rulings) -> Lists:
    """So many rolls of offer, then as many of demand; a good that comes twice is kept, thrown again, or let fall."""
    found: list[tuple[int, ...]] = []
    for throw, throw_new in ((throw_offer, throw_new_offer), (throw_demand, throw_new_demand)):
        rolls: tuple[int, ...] = ()
        for _ in range(n):
            known = tuple(good_row(roll) for roll in rolls)
            if rulings.same_good == "reroll" and len(set(known)) < possible(tech_level, throw is throw_offer):
                rolls = (*rolls, dice.resolve(throw_new, tech_level, known))
                continue
            roll = throw(dice, tech_level)
            rolls = rolls if rulings.same_good == "ignore" and good_row(roll) in known else (*rolls, roll)
        found.append(rolls)
    return Lists(*found)


@rule("EGW-080")
def abundance(rolls: tuple[int, ...], good: str) -> int:
    """How often a good came: a merchant may begin one haggling anew for each time beyond the first."""
    return sum(good_of(roll) == good for roll in rolls)


class Tally(NamedTuple):
    """A good that came more than once."""

    name: str
    times: int


@rule("EGW-080")
def tallied(rolls: tuple[int, ...]) -> tuple[str | Tally, ...]:
    """The goods of a list in words: each once, and how often it came if more than that."""
    counted = Counter(map(good_of, rolls))
    return tuple(Tally(name, times) if times > 1 else name for name, times in counted.items())
