"""« Véhicules », « Ordinateurs », « Orientation »: what one does with gear (EGW-120 to EGW-130, EGW-135)."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from paravent.dice import Dice, Repeated, chain
from paravent.game import Rulings, rule
from paravent.systems.empire.actions.action import roll_under
from paravent.systems.empire.fights.damage import damage
from paravent.systems.empire.terms import TABLES
from paravent.systems.empire.travel.travel import wages

from .errors import NoConnection

ACCIDENT_DICE = 3


class Speed(StrEnum):
    """How fast one drives."""

    MEAN = "mean_speed"
    MAXIMUM = "maximum_speed"


class Milieu(StrEnum):
    """Where a vehicle goes."""

    GROUND = "ground"
    SEA = "sea"
    AIR = "air"


@rule("EGW-120")
def driving_skill(tech_level: int) -> str:
    """11 for the first level to 16 for the sixth."""
    return str(10 + tech_level)


class Driven(NamedTuple):
    """A secret test of driving: safe hours if it went well, hours to an accident if not."""

    success: bool
    hours: int


@rule("EGW-120", "EGW-121", "EGW-122", "EGW-135")
def drive(dice: Dice, n_dice: int, limit: int, plus: int) -> Driven:
    """One die and the vehicle's level (a coupled navymec: the navyborg's grade) in hours, whichever way it went.

    After a success they are safe, and a new test follows; after a failure an accident is certain if he goes on.
    """
    success = roll_under(dice, n_dice, limit).success
    hours = dice.sum(1, 6) + plus
    dice.note("EGW-122" if success else "EGW-121", "safe_hours" if success else "doomed_hours", n=hours)
    return Driven(success, hours)


class Road(NamedTuple):
    """A long drive: hours wanted, hours gone."""

    wanted: int
    gone: int = 0
    accident: bool = False

    @property
    def over(self) -> bool:
        """Whether the hours are gone, or the accident has come."""
        return self.accident or self.gone >= self.wanted


def drive_on(dice: Dice, road: Road, n_dice: int, limit: int, plus: int) -> Road:
    """A drive test after test, until the hours are over or an accident has come."""
    driven = dice.resolve(drive, n_dice, limit, plus)
    gone = road.gone + driven.hours
    return road._replace(gone=min(gone, road.wanted), accident=not driven.success and gone < road.wanted)


def long_drive(hours: int, n_dice: int, limit: int, plus: int) -> Repeated[Road]:
    """How a long drive ends, and after how many tests."""
    return chain(drive_on, Road(hours), n_dice, limit, plus, over=lambda road: road.over)


@rule("EGW-121")
def accident_letter(speed: Speed) -> str:
    """The grid that an accident is read in: C at mean speed, D at full speed."""
    return "D" if speed is Speed.MAXIMUM else "C"


class Blow(NamedTuple):
    """An accident: points on the vehicle, and those suggested for whoever is aboard."""

    points: int
    occupants: int = 0


@rule("EGW-121")
def accident(dice: Dice, speed: Speed, n_dice: int, told: int, rulings: Rulings) -> Blow:
    """One sure blow on the vehicle: three dice, or as many as the ground wants, or what the game master says.

    For those aboard the same dice are read in grid A; the game master decides.
    """
    if rulings.accident_severity == "gm":
        return Blow(told)
    count = n_dice if rulings.accident_severity == "by_terrain" else ACCIDENT_DICE
    total = dice.sum(count, 6)
    points = damage(accident_letter(speed), count, total, rulings)
    dice.note("EGW-121", "crash", n=points, total=total)
    return Blow(points, damage("A", count, total, rulings))


@rule("EGW-123")
def stamina(endurance: int, milieu: Milieu, speed: Speed) -> Fraction:
    """Hours at the controls before resting."""
    share = TABLES["stamina"].cell(milieu.value, "maximum" if speed is Speed.MAXIMUM else "mean")
    return Fraction(endurance, share)


# Data banks


CONNECTED = 4
"""The level from which a world has data banks."""


@rule("EGW-127")
def check_connection(tech_level: int, aboard: bool, has_computer: bool) -> None:
    """With a computer of one's own, on a navyborg ship or a world of the fourth level or more."""
    if not has_computer or not (aboard or tech_level >= CONNECTED):
        raise NoConnection(level=tech_level)


@rule("EGW-127")
def connection_price(told: int, rulings: Rulings) -> int:
    """Half an hour of data bank: an hour of the least wage, or what the game master says."""
    return told if rulings.connection_price == "gm" else wages(1)


class Answers(NamedTuple):
    """Questions that will be answered; then, as after a failure, data are insufficient."""

    success: bool
    questions: int = 0


@rule("EGW-128", "EGW-129", "EGW-130")
def ask(dice: Dice, n_dice: int, limit: int, grade: int) -> Answers:
    """One die and the grade: tekno's before a data bank, navyborg's to find one's way. The number stays secret.

    Facts for the general public only: places, sciences, cultures, politics, laws, news; nothing subjective.
    """
    if not roll_under(dice, n_dice, limit).success:
        return Answers(False)
    return Answers(True, dice.sum(1, 6) + grade)


@rule("EGW-128")
def is_answered(number: int, questions: int) -> bool:
    """Whether this question still gets an answer."""
    return number <= questions
