"""« Sabotage », « Panne », « COMBAT ROBOT »: blows at things, fights inside one (EMP-108 to EMP-111, EMP-115 on)."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from paravent.game import Rulings, UnknownName, rule
from paravent.systems.empire.actions.action import Difficulty
from paravent.systems.empire.terms import TABLES, Characteristic

from .errors import NeedsAFormec


class Exposure(StrEnum):
    """How well a thing is covered."""

    OPEN = "open"
    PROTECTED = "protected"
    ARMOURED = "armoured"


class Machine(NamedTuple):
    """A thing under attack: cover, tech level, quality when new, points beyond its margin so far, margin used up."""

    exposure: Exposure
    tech_level: int
    quality: int
    damage: int = 0
    margin_used: int = 0


class Working(StrEnum):
    """What a machine still does."""

    RUNS = "runs"
    BROKEN = "broken"
    SCRAP = "scrap"


@rule("EMP-109")
def material_resistance(material: str, told: int | None = None) -> int:
    """What a material can take; plastic is as the game master says."""
    found = TABLES["materials"].cell(material, "resistance")
    if told is not None:
        return told
    if found == "":
        raise UnknownName("resistance", material, ())
    return int(found)


@rule("EMP-108", "EMP-109")
def material_left(resistance: int, points: int) -> int:
    """What is left of a thing once it was struck; at 0 it gives way."""
    return max(0, resistance - points)


@rule("EMP-110")
def safety_margin(machine: Machine) -> int:
    """The points that a cover takes: one, two or three times the tech level."""
    return int(TABLES["exposures"].cell(machine.exposure.value, "margin")) * machine.tech_level


@rule("EMP-110")
def is_immune(exposure: Exposure, weapon_level: int) -> bool:
    """Whether a weapon of this tech level does nothing at all to it."""
    return weapon_level <= int(TABLES["exposures"].cell(exposure.value, "immune"))


@rule("EMP-108", "EMP-110")
def battered(machine: Machine, points: int, weapon_level: int, rulings: Rulings) -> Machine:
    """The machine after a blow: the margin first, the rest off its quality.

    A pool is used up by the first blows; armour, and every margin if the table says so, counts anew for each blow.
    """
    if is_immune(machine.exposure, weapon_level):
        return machine
    per_blow = TABLES["exposures"].cell(machine.exposure.value, "per_blow") == "yes"
    margin = safety_margin(machine)
    if per_blow or rulings.safety_margin == "threshold":
        return machine._replace(damage=machine.damage + max(0, points - margin))
    taken = min(points, margin - machine.margin_used)
    return machine._replace(margin_used=machine.margin_used + taken, damage=machine.damage + points - taken)


@rule("EGW-152")
def is_broken(damage: int, before: bool, tech_level: int, rulings: Rulings) -> bool:
    """Broken above the level, working below; at the level it stays as it was, unless the table settles it."""
    match rulings.breakdown:
        case "at_least":
            return damage >= tech_level
        case "more_than":
            return damage > tech_level
        case _:
            return before if damage == tech_level else damage > tech_level


@rule("EMP-111")
def working(machine: Machine, before: bool, rulings: Rulings) -> Working:
    """More than its tech level, it breaks down; more than its quality when new, it is beyond repair.

    At its level it stays as it was ``before``, broken or not, unless the table settles it.
    """
    if machine.damage > machine.quality:
        return Working.SCRAP
    return Working.BROKEN if is_broken(machine.damage, before, machine.tech_level, rulings) else Working.RUNS


# Inside a formec


@rule("EMP-115")
def check_link(level: int) -> None:
    """Nobody fights in a formec without having learnt it."""
    if level < 1:
        raise NeedsAFormec(got=level)


@rule("EMP-115")
def linked_shot() -> Difficulty:
    """A shot from within a formec is always easy; distance does not count."""
    return Difficulty.EASY


@rule("EMP-115")
def linked_working(formec: Machine, rulings: Rulings) -> Working:
    """While a navyborg is linked only the quality counts; stopped, it is lost, or repairable if the table says so."""
    if formec.damage <= formec.quality:
        return Working.RUNS
    return Working.BROKEN if rulings.formec_stopped == "repairable" else Working.SCRAP


@rule("EMP-116")
def arm_mod(level: int, characteristic: Characteristic) -> int:
    """What a prosthetic arm adds to what it does by Strength or Dexterity: its level."""
    return level if characteristic in (Characteristic.STRENGTH, Characteristic.DEXTERITY) else 0
