"""« Robotique »: logimecs, navymecs, formecs and the three laws (EGW-131 to EGW-138)."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from paravent.game import Rulings, rule
from paravent.systems.empire.terms import TABLES

from .errors import AlreadyProgrammed, LogimecsOnly, NeedsRobotics, NoSuchProgramme, OnlyAtMeanSpeed

FACTORY = 3
"""What a factory programme adds."""


class RobotType(StrEnum):
    """A software sphere, a self-driving bubble, a working suit."""

    LOGIMEC = "logimec"
    NAVYMEC = "navymec"
    FORMEC = "formec"


class Programme(StrEnum):
    """What a logimec can be programmed for."""

    MEDICINE = "medicine"
    TRACKER = "tracker"
    HYPNOTIST = "hypnotist"
    REPAIRER = "repairer"
    INTERPRETER = "interpreter"


class Order(NamedTuple):
    """An order, as the laws weigh it."""

    harms_human: bool = False
    human_in_peril: bool = False
    harms_itself: bool = False
    given: bool = True
    """Whether there is an order at all: a robot may be left to itself."""


class Conduct(StrEnum):
    """What a robot does with an order."""

    OBEYS = "obeys"
    REFUSES = "refuses"
    RESCUES = "rescues"
    PROTECTS = "protects_itself"


@rule("EGW-136", "EGW-137")
def conduct(order: Order) -> Conduct:
    """First no human is harmed, nor left in peril; then humans are obeyed, at its own cost too; idle, it takes care of
    itself.

    It may strike objects, machines, other robots and beasts without a mind.
    """
    if order.harms_human:
        return Conduct.REFUSES
    if order.human_in_peril:
        return Conduct.RESCUES
    return Conduct.OBEYS if order.given else Conduct.PROTECTS


@rule("EGW-131")
def skills_of(programme: Programme) -> tuple[str, ...]:
    """The skills that a programme serves."""
    return tuple(TABLES["programmes"].cell(programme.value, "skills").split())


@rule("EGW-133")
def programme_bonus(programme: Programme, added: bool, robotics: int, rulings: Rulings) -> int:
    """Three from the factory; for an added programme the owner's level in Robotics; or the better of the two."""
    factory = int(TABLES["programmes"].cell(programme.value, "bonus"))
    if programme is Programme.INTERPRETER:
        return FACTORY if rulings.interpreter_bonus == "three" else factory
    if rulings.logimec_bonus == "best":
        return max(FACTORY, robotics)
    return robotics if added else factory


@rule("EGW-132")
def logimec_threshold(
    characteristic: int, level: int, programme: Programme, added: bool, robotics: int, rulings: Rulings
) -> int:
    """The owner's characteristic, for the clarity of the orders, with his own level and the programme's points.

    A table may count only the better of level and points. A repairer may add to the rate instead (EGW-R59).
    """
    bonus = programme_bonus(programme, added, robotics, rulings)
    if programme is Programme.REPAIRER and rulings.repair_logimec == "rate":
        bonus = 0
    return characteristic + (max(level, bonus) if rulings.logimec_stacking == "best_only" else level + bonus)


@rule("EGW-132")
def rate_bonus(programme: Programme | None, rulings: Rulings) -> int:
    """What a repairer adds to the points mended a unit, if the table reads it so."""
    return FACTORY if programme is Programme.REPAIRER and rulings.repair_logimec == "rate" else 0


@rule("EGW-133")
def check_programme(robotics: int) -> None:
    """Programmes are added by an owner who knows Robotics."""
    if robotics < 1:
        raise NeedsRobotics(got=robotics)


@rule("EGW-131", "EGW-133")
def check_new(programme: Programme, kind: RobotType, known: tuple[str, ...]) -> None:
    """Only logimecs take programmes, and none twice."""
    if kind is not RobotType.LOGIMEC:
        raise LogimecsOnly(robot=kind.value)
    if programme.value in known:
        raise AlreadyProgrammed(programme=programme.value)


@rule("EGW-131")
def check_has(programme: Programme, known: tuple[str, ...]) -> None:
    """A logimec does only what it is programmed for."""
    if programme.value not in known:
        raise NoSuchProgramme(programme=programme.value, known=list(known))


@rule("EGW-134")
def navymec_is_safe(coupled: bool, rulings: Rulings) -> bool:
    """Alone it never tires nor races: no accident. Coupled with a navyborg it may; alone too, if the table says so."""
    return not coupled and rulings.navymec_alone == "safe"


@rule("EGW-134")
def check_pace(coupled: bool, at_full_speed: bool) -> None:
    """Left to itself a navymec never goes faster than mean speed."""
    if at_full_speed and not coupled:
        raise OnlyAtMeanSpeed()


@rule("EGW-134")
def bubble_level(five_seats: bool, rulings: Rulings) -> int:
    """An antigrav bubble is of the sixth level; the five-seat model of the fifth, unless all are alike."""
    return 5 if five_seats and rulings.bubble_tech == "five" else 6


@rule("EGW-136", "EGW-138")
def formec_characteristic(quality: int) -> int:
    """In every physical act its mechanical quality stands for the characteristic; gravity and fatigue do not count.

    A navyborg with skill 55 may wear it, and fight.
    """
    return quality
