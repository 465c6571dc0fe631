"""R.O.L.E., the quick rule: one quality, a difficulty kept secret, two dice (EMP-020 to EMP-025)."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import Rulings, rule
from paravent.systems.empire.terms import TABLES, figure

from .errors import NoSuchStep

STEPS = tuple(range(-10, 11, 2))
QUALITY_LEAST, QUALITY_MOST = 5, 10


class Qualities(NamedTuple):
    """The two results that a player assigns to body and mind."""

    first: int
    second: int


class QuickResult(NamedTuple):
    """Quality + difficulty − dice: at least 0 succeeds; the adjective only colours it."""

    result: Fraction
    success: bool
    adjective: str


@rule("EMP-020")
def qualities(dice: Dice) -> Qualities:
    """One die and four, twice: the player gives one to the body and the other to the mind."""
    rolled = Qualities(dice.sum(1, 6) + 4, dice.sum(1, 6) + 4)
    dice.note("EMP-020", "qualities", first=rolled.first, second=rolled.second)
    return rolled


@rule("EMP-021")
def quality_used(physical: int, mental: int, share: str) -> Fraction:
    """The quality that acts: body, mind, or the mean of both, whose half is kept."""
    return {"physical": Fraction(physical), "mental": Fraction(mental), "both": Fraction(physical + mental, 2)}[share]


@rule("EMP-022")
def check_step(difficulty: int) -> int:
    """One of the eleven steps, from −10 to +10 by 2."""
    if difficulty not in STEPS:
        raise NoSuchStep(got=difficulty)
    return difficulty


@rule("EMP-024")
def adjective(result: Fraction | int, rounding: str) -> str:
    """The word for a result on the scale of eleven; between two steps the game master rounds, beyond it the end."""
    halves = Fraction(result) / 2
    step = 2 * (floor(halves) if rounding == "down" else ceil(halves))
    return str(TABLES["quick_scale"].cell(max(-10, min(10, step)), "result"))


@rule("EMP-023")
def quick_action(dice: Dice, quality: Fraction, difficulty: int, rounding: str, rulings: Rulings) -> QuickResult:
    """Quality, more or less the secret difficulty, less two dice; success is settled before the adjective."""
    result = quality + check_step(difficulty) - dice.sum(2, 6)
    word = adjective(result, rounding or rulings.role_rounding)
    dice.note("EMP-023", "quick", quality=figure(quality), difficulty=difficulty, result=figure(result))
    return QuickResult(result, result >= 0, word)


@rule("EMP-025")
def gauge(characteristic: Fraction | int, total: int, rulings: Rulings) -> str:
    """The same scale for a roll under a characteristic: the score less the dice."""
    return adjective(Fraction(characteristic) - total, rulings.role_rounding)
