"""« Survie », « Déplacement », « Gravité »: sleep, rest, food, load, marches (EMP-170 to EMP-178)."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from paravent.game import Rulings, rule
from paravent.systems.empire.terms import TABLES, Side

from .errors import TooHeavy

SLEEP_HOURS = 6
SEQUENCES_AN_HOUR = 600


@rule("EMP-170")
def lacks_sleep(hours: int) -> bool:
    """Six hours a day, or every physical act takes a die more."""
    return hours < SLEEP_HOURS


@rule("EMP-172")
def lacks_food(rations: int) -> bool:
    """One ration a day."""
    return rations < 1


class Effort(NamedTuple):
    """Sequences of action since the last rest, and sequences of rest that are due."""

    acted: int = 0
    due: int = 0


LONGEST_EFFORT = 4
"""The sequences of action after which one is rest."""


@rule("EMP-171")
def after_sequence(effort: Effort, rests: bool) -> Effort:
    """After four sequences of action the fifth is rest; skipping it makes two due."""
    if rests:
        return Effort(0 if effort.due <= 1 else effort.acted, max(0, effort.due - 1))
    if effort.due:
        return effort
    acted = effort.acted + 1
    return Effort(acted, 2) if acted > LONGEST_EFFORT else Effort(acted)


@rule("EMP-171")
def lacks_rest(effort: Effort) -> bool:
    """Whether rest is overdue: a die more until it is taken."""
    return effort.due > 0


@rule("EMP-170", "EMP-171", "EMP-172", "EMP-178")
def privation_dice(side: Side, *, sleep: bool = False, rest: bool = False, food: bool = False) -> int:
    """The dice that want of sleep, rest and food add to an act of the body or of the mind; they add up."""
    lacks = {"sleep": sleep, "rest": rest, "food": food}
    return sum(int(TABLES["privations"].cell(name, side.value)) for name, lacking in lacks.items() if lacking)


@rule("EMP-174")
def effective_strength(strength: int, gravity: Fraction) -> Fraction | None:
    """Strength ÷ gravity, for movement and load; None where nothing weighs anything."""
    return None if gravity == 0 else Fraction(strength) / gravity


@rule("EMP-174", "EGW-026")
def strength_in_tests(strength: int, gravity: Fraction, rulings: Rulings) -> int:
    """Strength in other acts: as it is, or divided too if the table says so."""
    if rulings.gravity_scope == "movement" or gravity == 0:
        return strength
    return int(Fraction(strength) / gravity)


@rule("EMP-173")
def load_mod(grams: int, strength: int, gravity: Fraction = Fraction(1), armour_mod: int = 0) -> int:
    """Up to Strength kilograms nothing, up to twice −1, up to three times −2; more is impossible.

    Armour takes off the Strength that bears a load, an antigrav suit adds to it.
    """
    light = effective_strength(strength, gravity)
    if light is None:
        return 0
    able = max(Fraction(0), light + armour_mod)
    for times, _, mod in TABLES["loads"].rows:
        if grams <= times * able * 1000:
            TABLES["loads"].row(times)
            return int(mod)
    raise TooHeavy(got=Fraction(grams, 1000), most=3 * able)


@rule("EMP-173")
def load_in_tests(mod: int, rulings: Rulings) -> int:
    """What a load takes off physical acts: its MOD, or nothing where it hinders movement only."""
    return mod if rulings.load_scope == "physical" else 0


class March(NamedTuple):
    """A way of going: metres a sequence, kilometres an hour, how long, and what each hour costs in sleep."""

    metres: Fraction
    kmh: Fraction
    lasts: int
    unit: str
    sleep: int


@rule("EMP-175", "EMP-176", "EMP-177")
def march(gait: str, strength: Fraction, endurance: int) -> March:
    """Walk, forced march or run: metres by Strength, for Endurance hours or minutes."""
    row = TABLES["gaits"].row(gait)
    metres = strength * row["metres"]
    return March(metres, metres * SEQUENCES_AN_HOUR / 1000, endurance, row["unit"], row["sleep"])


@rule("EMP-175", "EMP-176")
def extra_sleep(gait: str, hours: int, endurance: int) -> int:
    """The sleep a march costs: an hour for each hour of walking beyond Endurance, two for each hour of forced march."""
    each = int(TABLES["gaits"].cell(gait, "sleep"))
    return each * (max(0, hours - endurance) if gait == "walk" else hours)


@rule("EMP-175")
def moving_strength(strength: int, gravity: Fraction, armour_mod: int, load: int) -> Fraction | None:
    """Strength for movement: divided by gravity, with what armour and load add or take; None where one floats."""
    able = effective_strength(strength, gravity)
    return None if able is None else max(Fraction(0), able + armour_mod + load)
