"""Particular talents: disguise, command, languages, hypnosis, administration, orientation (EMP-140 to EMP-145)."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import Rulings, rule
from paravent.systems.empire.actions.action import Column, roll_under
from paravent.systems.empire.terms import TABLES

from .errors import NotAnOfficial, NotUnderOrders

DISGUISE, COMMAND, LANGUAGES, HYPNOSIS, ADMINISTRATION, ORIENTATION = "24", "33", "42", "45", "62", "52"
STERN_REGIME = 8
"""The politics row from which citizens obey orders."""


class Disguise(StrEnum):
    """What a disguise is for: to pass unnoticed, to be somebody else, to hide a thing."""

    PHYSICAL = "physical"
    MENTAL = "mental"
    MATERIAL = "material"


class Worked(NamedTuple):
    """A talent used: whether it worked, and its effect (minutes, days, points or questions; 0 when it failed)."""

    success: bool
    effect: int = 0


@rule("EMP-140")
def disguise(dice: Dice, limit: int, count: int, precision: Column) -> str:
    """What a disguise holds against, which only the game master knows; a failure fools nobody."""
    if not roll_under(dice, count, limit).success:
        return "ridiculous"
    return str(TABLES["disguises"].cell(precision.value, "holds"))


@rule("EMP-007")
def effect_of(dice: Dice, grade: int) -> int:
    """The effect of a familiar act: one die and the grade."""
    effect = dice.sum(1, 6) + grade
    dice.note("EMP-007", "effect", n=effect, grade=grade)
    return effect


@rule("EMP-145")
def talent(dice: Dice, limit: int, count: int, grade: int) -> Worked:
    """A test, then its effect: one die and the grade in the guild that teaches it."""
    if not roll_under(dice, count, limit).success:
        return Worked(False)
    return Worked(True, effect_of(dice, grade))


@rule("EMP-141")
def is_bound(soldier: bool, regime: int) -> bool:
    """Only a soldier, or a disciplined citizen of a stern regime, obeys."""
    return soldier or regime >= STERN_REGIME


@rule("EMP-144")
def nobody_official(dice: Dice) -> int:
    """Administration on somebody who acts for no organisation: nothing comes of it."""
    return 0


@rule("EMP-141")
def shrugged_off(dice: Dice, soldier: bool, regime: int) -> int:
    """An order that binds nobody: nothing is thrown, and nothing comes of it."""
    return regime


@rule("EMP-141")
def check_orders(soldier: bool, regime: int) -> None:
    """Nobody else is ordered about."""
    if not is_bound(soldier, regime):
        raise NotUnderOrders(regime=regime)


@rule("EMP-141")
def command(dice: Dice, limit: int, count: int, soldier_grade: int) -> Worked:
    """Obeyed for one die + soldier grade minutes; then the target thinks, and turns against whoever gave the order."""
    return dice.then(talent, limit, count, soldier_grade)


@rule("EMP-143")
def hypnosis(dice: Dice, limit: int, count: int, merchant_grade: int) -> Worked:
    """Asleep for one die + merchant grade minutes, under the first suggestion; a failure angers the target."""
    return dice.then(talent, limit, count, merchant_grade)


@rule("EMP-144")
def check_official(official: bool) -> None:
    """Only somebody who acts for an organisation is bound by its red tape."""
    if not official:
        raise NotAnOfficial()


@rule("EMP-144")
def administration(dice: Dice, limit: int, count: int, merchant_grade: int) -> Worked:
    """One die + merchant grade points of influence on whoever acts for an organisation."""
    return dice.then(talent, limit, count, merchant_grade)


@rule("EMP-145")
def orientation(dice: Dice, limit: int, count: int, navyborg_grade: int) -> Worked:
    """One die + navyborg grade questions."""
    return dice.then(talent, limit, count, navyborg_grade)


@rule("EMP-142")
def civilisation(politics: int, culture: int, tech_level: int, rulings: Rulings) -> int:
    """The number from 1 to 12 that lengthens the study of a language."""
    return {"politics": politics, "culture": culture, "tech": 2 * tech_level}[rulings.civilisation_level]


@rule("EMP-142")
def language_days(dice: Dice, level: int, merchant_grade: int) -> int:
    """One die + civilisation level − merchant grade days, one at least."""
    days = max(1, dice.sum(1, 6) + level - merchant_grade)
    dice.note("EMP-142", "days", n=days)
    return days


@rule("EMP-142")
def learn_language(dice: Dice, limit: int, count: int, level: int, merchant_grade: int) -> Worked:
    """A test, then how many days it takes."""
    if not roll_under(dice, count, limit).success:
        return Worked(False)
    return Worked(True, language_days(dice, level, merchant_grade))
