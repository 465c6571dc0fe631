"""Healing by energy: « Guérir ses blessures »."""

from __future__ import annotations

from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import Rulings, rule
from paravent.systems.conteur.energy.gauge import collapses, spent
from paravent.systems.conteur.facts import TABLES, Activity

from .errors import DailyLimit, LostForGood, MortalWound, NothingToHeal, TooMuchPaid, TooSoon
from .wounds import is_lost, is_mortal

SUPERFICIAL, SERIOUS = 1, 2


class Healed(NamedTuple):
    """A part after a payment: its level, what is paid towards it, the energy left, the points of the day."""

    level: int
    healing_paid: int
    energy: int
    healing_spent_today: int
    unconscious: bool = False


@rule("D10-067")
def healing_price(level: int) -> int:
    """What healing a wound costs in all: a superficial one 1 point, a serious one 5."""
    event = "heal_superficial" if level == SUPERFICIAL else "heal_serious"
    return -int(TABLES["energy_changes"].cell(event, "change_min"))


@rule("D10-069")
def healing_limit(activity: Activity) -> int:
    """The points a day allows for healing, all wounds together."""
    return int(TABLES["healing_limits"].cell(activity, "points"))


@rule("D10-066")
def may_heal_today(wound_day: int | None, today: int) -> bool:
    """Not before the day after the wound."""
    return wound_day is None or today > wound_day


@rule("D10-065", "D10-043", "D10-045")
def check_healable(part: str, level: int) -> None:
    """Energy heals wounds of level 1 or 2: not a lost limb, not a mortal wound (R-32)."""
    if level == 0:
        raise NothingToHeal(part=part)
    if is_mortal(part, level):
        raise MortalWound(part=part)
    if is_lost(part, level):
        raise LostForGood(part=part)


def is_healable(part: str, level: int) -> bool:
    """Whether energy heals a part that is so badly hurt."""
    return level > 0 and not is_mortal(part, level) and not is_lost(part, level)


@rule("D10-065", "D10-068")
def heal(
    dice: Dice, part: str, level: int, points: int, paid: int, wound_day: int | None, today: int,
    spent_today: int, activity: Activity, energy: int, rulings: Rulings,
) -> Healed:
    """Pay energy towards a wound; a serious one may be paid over several days, and hampers until the last point."""
    check_healable(part, level)
    if not may_heal_today(wound_day, today):
        raise TooSoon(day=wound_day, today=today)
    price = healing_price(level)
    paid = paid if level == SERIOUS else 0
    if not 1 <= points <= price - paid:
        raise TooMuchPaid(got=points, most=price - paid)
    limit = healing_limit(activity)
    if spent_today + points > limit:
        raise DailyLimit(got=spent_today + points, most=limit)
    left = spent(energy, points)
    dice.note("D10-067", "paid", n=points, part=part, paid=paid + points, price=price)
    faint = collapses(left, rulings)
    if paid + points < price:
        return Healed(level, paid + points, left, spent_today + points, faint)
    after = SUPERFICIAL if level == SERIOUS and rulings.serious_heals_to == "superficial" else 0
    dice.note("D10-068", "healed", part=part, after=after)
    return Healed(after, 0, left, spent_today + points, faint)


@rule("D10-069")
def new_day(dice: Dice, day: int) -> int:
    """A new day begins: what was paid for healing counts afresh."""
    return day + 1
