"""« Prises, étranglements »: a precise attempt, kept from sequence to sequence (EMP-095 to EMP-097)."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import Rulings, rule
from paravent.systems.empire.actions.action import Column, roll_under, with_extra
from paravent.systems.empire.terms import Characteristic, figure

from .combat import Height, blow_dice
from .damage import damage, row_of
from .wounds import Body, Harm, life_after


class Grip(StrEnum):
    """What a hold is for."""

    IMMOBILISE = "immobilise"
    CHOKE = "choke"


class Held(NamedTuple):
    """A hold attempted or kept: whether it succeeded, and the provisional points of a choke."""

    holds: bool
    points: int = 0


@rule("EMP-095")
def hold_characteristic(rulings: Rulings) -> Characteristic:
    """What a hold rests on: Endurance, or Strength if the table says so."""
    return Characteristic.STRENGTH if rulings.hold_characteristic == "strength" else Characteristic.ENDURANCE


@rule("EMP-095")
def hold_dice(height: Height) -> int:
    """A hold is always precise: three dice low, four at the middle, five at the neck."""
    return blow_dice(height, Column.PRECISE)


@rule("EMP-095", "EMP-097")
def hold(dice: Dice, limit: int, height: Height, grip: Grip, rulings: Rulings, malus: int = 0) -> Held:
    """Seize or keep hold: a success keeps the initiative, a miss loses it; a choke also costs points, provisionally."""
    count = with_extra(hold_dice(height), malus, rulings)
    rolled = roll_under(dice, count, limit)
    choked = rolled.success and grip is Grip.CHOKE
    return Held(rolled.success, damage("A", row_of(count, malus, rulings), rolled.total, rulings) if choked else 0)


@rule("EMP-084", "EMP-097")
def choked(body: Body, points: int, rulings: Rulings) -> Harm:
    """What a choke does to a body: points and life, but nobody is stunned by it and no armour helps."""
    return Harm(points, max(0, body.current - points), life=life_after(body, points, rulings))


@rule("EMP-096", "EMP-097")
def break_free_threshold(evasion: Fraction, victim: int, holder: int, sequences: int = 0) -> Fraction:
    """Evasion + the difference of Strengths, less one for each sequence of choking."""
    return evasion + victim - holder - sequences


@rule("EMP-096")
def break_free(dice: Dice, limit: Fraction) -> bool:
    """Three dice at or under it: free."""
    total = dice.sum(3, 6)
    dice.note("EMP-096", "freed" if total <= limit else "still_held", total=total, threshold=figure(limit))
    return total <= limit


@rule("EMP-097")
def released(provisional: int, dead: bool) -> int:
    """What is restored when a choke ends: all of it, unless it killed."""
    return 0 if dead else provisional
