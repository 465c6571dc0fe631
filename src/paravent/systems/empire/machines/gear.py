"""« Qualité mécanique », « Usure », « Réparations »: one number for every object (EGW-102, EGW-150 to EGW-185)."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from itertools import count
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import Rulings, rule
from paravent.systems.empire.actions.action import roll_under
from paravent.systems.empire.terms import TABLES
from paravent.systems.empire.worlds.peoples import halved

from .errors import AlreadyStripped, BeyondRepair, NothingToRepair, TooAdvanced, TooPrimitiveATown, TooRough
from .machines import Exposure, Machine, battered, is_broken

REPAIR_SKILLS = {3: "63", 4: "64", 5: "65", 6: "66"}
"""The skill that judges, keeps and repairs objects of a level; the first two levels have none."""
INEXPERIENCE = {"minus_2": -2, "zero": 0, "minus_1": -1, "minus_3": -3}
HOURS = {"week": 56, "day": 8, "hour": 1}
"""The working hours of a unit of repair: a day has eight, a week seven days."""


class Unit(StrEnum):
    """What a repair is counted in."""

    WEEK = "week"
    DAY = "day"
    HOUR = "hour"


class State(NamedTuple):
    """How an object stands: points of damage, whether it is out of order, whether it is lost."""

    damage: int = 0
    broken: bool = False
    scrapped: bool = False


# Quality


@rule("EGW-102")
def repair_skill(tech_level: int) -> str:
    """The skill for objects of a level; none for the first two."""
    return REPAIR_SKILLS.get(tech_level, "")


@rule("EGW-102")
def mech_quality(
    charm: int, appraisal: int, willpower: int, upkeep: int, tech_level: int, rulings: Rulings
) -> int:
    """The mean of Charm with Appraisal and of Willpower with the repair skill, at least 1; fixed for ever.

    Whoever lacks a skill takes the mod of inexperience instead, save where no skill exists.
    """
    untrained = INEXPERIENCE[rulings.inexperience]
    bought = charm + (appraisal or untrained)
    kept = willpower + (upkeep or (untrained if repair_skill(tech_level) else 0))
    return max(1, halved(bought + kept, rulings))


@rule("EGW-103")
def price_of_a_find(dice: Dice, base: int, tech_level: int) -> int:
    """What an object that the game master brings to the market costs: base × level × three dice."""
    return base * tech_level * dice.sum(3, 6)


@rule("EGW-106", "EGW-180")
def weapon_price(weapon: str, rulings: Rulings) -> int:
    """The price of a weapon; a table may find three zeros missing on the needle pistol."""
    printed = TABLES["weapons"].cell(weapon, "price") or 0
    return 10_000 if weapon == "needle_pistol" and rulings.needle_price == "thousands" else int(printed)


def listed_weapons() -> tuple[str, ...]:
    """The weapons that are bought: all but fists and feet."""
    return tuple(row[0] for row in TABLES["weapons"].rows if row[1])


@rule("EGW-182")
def has_power_setting(weapon: str) -> bool:
    """Whether a weapon's power is chosen when it is drawn."""
    return weapon in TABLES["weapons"].extra["settings"]


# Wear

LEAST_TO_WEAR = 3
"""The technological level below which nothing wears, and nothing is mended by skill."""


@rule("EGW-150")
def wear_is_due(tech_level: int, uses: int, quality: int, *, misused: bool = False, rough: bool = False) -> bool:
    """Beyond its quality in use, misused, or in a toxic climate or on rough ground; nothing wears below level three.

    The game master may also call for a check at any time.
    """
    return tech_level >= LEAST_TO_WEAR and (uses > quality or misused or rough)


@rule("EGW-150")
def uses_of(kind: str, rulings: Rulings) -> str:
    """What a use is counted in: one use of a tool, an hour of a vehicle, a day of clothes; or days for all."""
    if rulings.use_unit == "days":
        return "days"
    return {"vehicle": "hours", "clothing": "days"}.get(kind, "uses")


class Worn(NamedTuple):
    """A wear check: whether it held, and how the object stands now."""

    success: bool
    state: State


@rule("EGW-151")
def wear_check(
    dice: Dice, n_dice: int, limit: int, state: State, tech_level: int, quality: int, rulings: Rulings
) -> Worn:
    """Test the skill of the object's level: a failure costs one point."""
    if tech_level < LEAST_TO_WEAR:
        raise TooRough(level=tech_level)
    held = roll_under(dice, n_dice, limit).success
    return Worn(held, state if held else damaged(state, 1, tech_level, quality, rulings))


@rule("EGW-152", "EGW-154", "EGW-155")
def damaged(state: State, points: int, tech_level: int, quality: int, rulings: Rulings) -> State:
    """Points add to those that were never repaired: above the level it breaks down, above its quality it is lost."""
    damage = state.damage + points
    if state.scrapped or damage > quality:
        return State(damage, broken=True, scrapped=True)
    return State(damage, is_broken(damage, state.broken, tech_level, rulings))


@rule("EGW-152", "EGW-157", "EGW-166")
def mended(state: State, points: int, tech_level: int, rulings: Rulings) -> State:
    """Points repaired, never beyond new; it works again once fewer are left than its level."""
    if state.scrapped:
        raise BeyondRepair(damage=state.damage)
    damage = max(0, state.damage - points)
    return State(damage, is_broken(damage, state.broken, tech_level, rulings))


@rule("EGW-153")
def can_be_used(state: State) -> bool:
    """A broken machine does nothing of what it is for."""
    return not state.broken and not state.scrapped


@rule("EGW-170", "EGW-171")
def taken_apart(state: State, tech_level: int, quality: int, rulings: Rulings) -> State:
    """What was stripped for nothing must be repaired to work again: it is broken, by as little as breaks it."""
    if state.broken or state.scrapped:
        return state
    least = next(damage for damage in count() if is_broken(damage, False, tech_level, rulings))
    return State(max(state.damage, min(least, quality)), broken=True)


@rule("EGW-156")
def check_whole(state: State, quality: int) -> None:
    """What was lost though its damage would leave some quality has been taken to pieces."""
    if state.scrapped and state.damage <= quality:
        raise AlreadyStripped()


@rule("EGW-156")
def salvage(quality: int, damage: int) -> int:
    """The spare parts that an abandoned machine gives: its quality less its damage."""
    return max(0, quality - damage)


@rule("EGW-185")
def struck(
    state: State, points: int, exposure: Exposure, tech_level: int, quality: int, margin_used: int, rulings: Rulings
) -> tuple[State, int]:
    """An accident on an object: what crosses its margin is damage. Gives its state and the margin used up."""
    before = Machine(exposure, tech_level, quality, 0, margin_used)
    after = battered(before, points, 6, rulings)
    return damaged(state, after.damage, tech_level, quality, rulings), after.margin_used


# Repairs


class Part(NamedTuple):
    """A spare part: what it costs, and what it weighs in grams."""

    credits: Fraction
    grams: Fraction


@rule("EGW-160")
def spare_part(price: int, mass_g: int) -> Part:
    """A hundredth of the price, a thousandth of the weight; one for each point."""
    return Part(Fraction(price, 100), Fraction(mass_g, 1000))


@rule("EGW-161", "EGW-162", "EGW-163")
def repair_unit(tech_level: int, kit_level: int, *, prosthesis: bool = False, workshop: bool = False) -> Unit:
    """Weeks by hand, days with a kit of its level or the built-in one, hours in a workshop."""
    if workshop:
        return Unit.HOUR
    fits = kit_level == tech_level or (prosthesis and tech_level >= 3)
    return Unit.DAY if fits else Unit.WEEK


class Job(NamedTuple):
    """A repair: dice and threshold of the test, tekno grade, level, damage, spare parts, unit, mod of the rate."""

    n_dice: int
    threshold: int
    grade: int
    tech_level: int
    state: State
    parts: int
    unit: Unit = Unit.WEEK
    rate_mod: int = 0


class Repaired(NamedTuple):
    """How a repair went: fault found, points a unit, points mended, hours of work, hours until it works again."""

    success: bool
    rate: int = 0
    points: int = 0
    hours: Fraction = Fraction(0)
    works_after: Fraction | None = None
    state: State = State()

    @property
    def works(self) -> bool:
        """Whether the object can be used when it is over."""
        return can_be_used(self.state)


@rule("EGW-164")
def repair_rate(dice: Dice, grade: int, tech_level: int, mod: int, rulings: Rulings) -> int:
    """One die and the tekno's grade, less the level: points a unit; none is lost time, unless one is always done."""
    rate = dice.sum(1, 6) + grade - tech_level + mod
    return max(1 if rulings.repair_minimum == "one" else 0, rate)


@rule("EGW-164")
def repair(dice: Dice, job: Job, rulings: Rulings) -> Repaired:
    """Test the skill of the object's level: on a failure the fault is not found; else it goes at the rate thrown."""
    if job.state.scrapped:
        raise BeyondRepair(damage=job.state.damage)
    if job.state.damage == 0:
        raise NothingToRepair()
    if job.tech_level < LEAST_TO_WEAR:
        raise TooRough(level=job.tech_level)
    if not roll_under(dice, job.n_dice, job.threshold).success:
        return Repaired(False, state=job.state)
    rate = repair_rate(dice, job.grade, job.tech_level, job.rate_mod, rulings)
    dice.note("EGW-164", "rate", n=rate, unit=job.unit.value)
    if rate == 0:
        return Repaired(True, state=job.state)
    points = min(job.state.damage, job.parts)
    state = mended(job.state, points, job.tech_level, rulings)
    hours, works = repair_hours(points, rate, job.unit), works_after(job, rate, points, rulings)
    return Repaired(True, rate, points, hours, works, state)


@rule("EGW-165")
def repair_hours(points: int, rate: int, unit: Unit) -> Fraction:
    """Effective hours: eight a day, fifty-six a week, to the exact point."""
    return Fraction(points, rate) * HOURS[unit.value]


@rule("EGW-166")
def works_after(job: Job, rate: int, points: int, rulings: Rulings) -> Fraction | None:
    """When « it works » can be said: once so few points are left that it does; None if that is not reached."""
    left = range(job.state.damage, job.state.damage - points - 1, -1)
    works = (damage for damage in left if not is_broken(damage, True, job.tech_level, rulings))
    reached = next(works, None) if job.state.broken else None
    return None if reached is None else repair_hours(job.state.damage - reached, rate, job.unit)


class Workshop(NamedTuple):
    """A workshop's work: what it costs, and how long it takes."""

    credits: Fraction
    hours: Fraction


@rule("EGW-163")
def check_workshop(tech_level: int, place: int) -> None:
    """There is one in every town of the object's level at least."""
    if place < tech_level:
        raise TooPrimitiveATown(level=tech_level, place=place)


@rule("EGW-163")
def workshop(
    dice: Dice, value: int, state: State, skilled: bool, tech_level: int, grade: int, rulings: Rulings
) -> Workshop:
    """No test: one per cent of the value a point, two where nobody of the group knows the trade; an hour a point.

    A table may count the repair formula in hours where a character of the trade works there.
    """
    if state.scrapped:
        raise BeyondRepair(damage=state.damage)
    if state.damage == 0:
        raise NothingToRepair()
    price = Fraction(state.damage * value * (1 if skilled else 2), 100)
    hours = Fraction(state.damage)
    if rulings.workshop_time == "formula" and skilled:
        hours = repair_hours(state.damage, max(1, repair_rate(dice, grade, tech_level, 0, rulings)), Unit.HOUR)
    return Workshop(price, hours)


# Conversion


class Converted(NamedTuple):
    """A conversion: whether the new object works, and its quality."""

    success: bool
    quality: int = 0


@rule("EGW-170")
def check_conversion(made_level: int, stripped_level: int) -> None:
    """What is made is not above what is stripped; the game master has refused what was absurd."""
    if made_level > stripped_level:
        raise TooAdvanced(level=made_level, stripped=stripped_level)


@rule("EGW-171")
def convert(dice: Dice, n_dice: int, limit: int, grade: int, made_level: int, stripped_level: int) -> Converted:
    """Test skill 61: on a success the new object has one die and the tekno's grade of quality."""
    check_conversion(made_level, stripped_level)
    if not roll_under(dice, n_dice, limit).success:
        return Converted(False)
    return Converted(True, dice.sum(1, 6) + grade)
