"""« Déplacement », « Voyages spatiaux »: on foot, loaded, and between worlds (EGW-125, EGW-190 to EGW-199)."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import Rulings, rule
from paravent.systems.empire.terms import TABLES, figure
from paravent.systems.empire.worlds.planet import strength_under

from .errors import NeedsSuitSkill, Weightless

KMH = Fraction(6, 10)
"""A metre in a sequence of six seconds, in kilometres an hour."""
ANTIGRAV = "antigrav_suit"
SQUARES_A_JUMP = 3
INTERPLANETARY_FARE = 300
DAYS_A_JUMP = 7
WAGE_AN_HOUR, GOLD_PIECE = 10, 100


class Gait(StrEnum):
    """How one goes on foot."""

    WALK = "walk"
    FORCED_MARCH = "forced_march"
    RUN = "run"


class Load(StrEnum):
    """How heavily one is loaded."""

    NORMAL = "normal"
    HEAVY = "heavy"
    VERY_HEAVY = "very_heavy"
    TOO_MUCH = "too_much"


# Armour and loads


@rule("EGW-124", "EGW-126")
def check_worn(piece: str, suit_skill: int) -> None:
    """Clothes, leathers and vests are worn by anybody, unnoticed; armour and suits need skill 54."""
    if piece and TABLES["protections"].cell(piece, "needs_suit") == "yes" and suit_skill < 1:
        raise NeedsSuitSkill(piece=piece)


@rule("EGW-125")
def armour_mod(piece: str) -> int:
    """What a protection takes from movement and load, or adds."""
    return int(TABLES["protections"].cell(piece, "mod")) if piece else 0


@rule("EGW-125")
def strength_load(strength: int, size_t: int, piece: str, rulings: Rulings) -> Fraction | None:
    """Force under this gravity with the armour's mod, which sets the loads; None where nothing weighs.

    A table may take the mod before gravity.
    """
    mod, first = armour_mod(piece), rulings.gravity_order == "mod_first"
    found = strength_under(strength + (mod if first else 0), size_t, rulings)
    return None if found is None else max(Fraction(0), found + (0 if first else mod))


@rule("EGW-125")
def load_limits(loadable: Fraction) -> tuple[Fraction, ...]:
    """The kilos up to which a load is normal, heavy, very heavy."""
    return tuple(row[0] * loadable for row in TABLES["loads"].rows)


@rule("EGW-125")
def carried(kilos: Fraction, piece: str, rulings: Rulings) -> Fraction:
    """What counts as load: armour worn does so by its mod only, unless the table weighs it too."""
    if not piece or rulings.worn_mass == "by_mod":
        return kilos
    return kilos + Fraction(str(TABLES["protections"].cell(piece, "mass")))


@rule("EGW-125")
def load_of(kilos: Fraction, loadable: Fraction) -> Load:
    """Which class a load falls in."""
    limits = load_limits(loadable)
    names = (*(Load(row[1]) for row in TABLES["loads"].rows), Load.TOO_MUCH)
    return names[sum(kilos > limit for limit in limits)]


@rule("EGW-125")
def strength_move(loadable: Fraction, load: Load) -> Fraction:
    """What one walks with: less under a heavy load, nothing under too much."""
    if load is Load.TOO_MUCH:
        return Fraction(0)
    mod = int(next(row[2] for row in TABLES["loads"].rows if row[1] == load.value))
    return max(Fraction(0), loadable + mod)


# On foot


class Walker(NamedTuple):
    """Who goes on foot: Force, Endurance, the size of the planet, what is worn, kilos carried, skill 54."""

    strength: int
    endurance: int
    size_t: int = 6
    piece: str = ""
    kilos: Fraction = Fraction(0)
    suit_skill: int = 1


class Walked(NamedTuple):
    """A stretch on foot: km/h, hours really gone, kilometres, hours of sleep more, and the load."""

    kmh: Fraction
    hours: Fraction
    km: Fraction
    sleep: Fraction
    load: Load


@rule("EGW-190", "EGW-191", "EGW-192")
def metres(gait: Gait, moving: Fraction) -> Fraction:
    """Metres in a sequence: Force once, twice or four times."""
    return moving * int(TABLES["gaits"].cell(gait.value, "metres"))


@rule("EGW-190", "EGW-191", "EGW-192")
def speed(gait: Gait, moving: Fraction) -> Fraction:
    """The same in kilometres an hour."""
    return metres(gait, moving) * KMH


@rule("EGW-125")
def is_tireless(piece: str, rulings: Rulings) -> bool:
    """An antigrav suit moves without fatigue, unless the table gives it only its point."""
    return piece == ANTIGRAV and rulings.antigrav_rest == "no_fatigue"


@rule("EGW-190", "EGW-191", "EGW-192")
def lasting(gait: Gait, endurance: int, wanted: Fraction, tireless: bool) -> tuple[Fraction, Fraction]:
    """Hours that one can go on, of those wanted, and the sleep they cost.

    Endurance hours of walking are free, each more costs an hour of sleep; a forced march stops at Endurance hours and
    costs two for each; a run lasts Endurance minutes.
    """
    if tireless:
        return wanted, Fraction(0)
    match gait:
        case Gait.WALK:
            return wanted, max(Fraction(0), wanted - endurance)
        case Gait.FORCED_MARCH:
            hours = min(wanted, Fraction(endurance))
            return hours, 2 * hours
        case _:
            return min(wanted, Fraction(endurance, 60)), Fraction(0)


def go(dice: Dice, who: Walker, gait: Gait, hours: Fraction, rulings: Rulings) -> Walked:
    """A stretch on foot: no dice, only figures."""
    check_worn(who.piece, who.suit_skill)
    loadable = strength_load(who.strength, who.size_t, who.piece, rulings)
    if loadable is None:
        raise Weightless()
    load = load_of(carried(who.kilos, who.piece, rulings), loadable)
    kmh = speed(gait, strength_move(loadable, load))
    gone, sleep = lasting(gait, who.endurance, hours, is_tireless(who.piece, rulings))
    dice.note("EGW-190", "pace", kmh=figure(kmh), load=f"load_{load.value}")
    return Walked(kmh, gone, kmh * gone, sleep, load)


# Between worlds


class Voyage(NamedTuple):
    """A voyage bought: days of waiting, days of flight, and the fare."""

    waiting: int
    days: int
    credits: int


@rule("EGW-193")
def interplanetary(dice: Dice) -> Voyage:
    """One die of days, at 300 credits each."""
    days = dice.sum(1, 6)
    return Voyage(0, days, days * INTERPLANETARY_FARE)


@rule("EGW-194")
def waiting(dice: Dice, departure: int, arrival: int, rulings: Rulings) -> int:
    """One die less the level of the port of departure (or of arrival), in days."""
    return max(0, dice.sum(1, 6) - (arrival if rulings.waiting_port == "arrival" else departure))


@rule("EGW-195")
def jumps(segments: int, squares: Fraction, rulings: Rulings) -> int:
    """One for each segment of route; or one for each three squares begun."""
    return ceil(squares / SQUARES_A_JUMP) if rulings.jump == "squares" and squares else segments


@rule("EGW-196")
def fare(passage: str, days: int, rulings: Rulings) -> int:
    """By the day of flight; freighters and liners may charge for the whole trip instead."""
    daily = int(TABLES["fares"].cell(passage, "fare"))
    return daily if rulings.fares == "per_trip" and passage != "barge" else daily * days


@rule("EGW-195")
def interstellar(
    dice: Dice, passage: str, hops: int, departure: int, arrival: int, rulings: Rulings, credits: int | None = None
) -> Voyage:
    """Wait for a ship, then a week a jump; where the way is read on a map, ``credits`` are those of its legs."""
    wait = waiting(dice, departure, arrival, rulings)
    days = DAYS_A_JUMP * hops
    return Voyage(wait, days, fare(passage, days, rulings) if credits is None else credits)


@rule("EGW-197")
def wages(hours: int) -> int:
    """What an hour of work is worth at least."""
    return WAGE_AN_HOUR * hours


@rule("EGW-197")
def in_gold(credits: int) -> Fraction:
    """Credits in gold pieces."""
    return Fraction(credits, GOLD_PIECE)


@rule("EGW-199")
def play_minutes(hours: Fraction) -> Fraction:
    """A quarter of an hour of play for an hour of adventure."""
    return 15 * hours


@rule("EGW-199")
def journey_hours(km: Fraction, kmh: Fraction) -> Fraction:
    """A plain journey: distance by speed."""
    return km / kmh
