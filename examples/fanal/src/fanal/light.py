"""Throwing light: as many eight-sided dice as the craft, read by the highest face and those that match it."""

from __future__ import annotations

from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import RuleError, Rulings, rule

SIDES = 8
MATCH = 2
"""What each further die of the highest face adds to the beam."""


class NoHand(RuleError):
    """A keeper throws one to four dice."""

    code = "fanal/no-hand"
    rule = "FAN-002"


class Signal(NamedTuple):
    """A light thrown into the fog: how far the beam reached, whether it was seen, what it cost."""

    beam: int
    seen: bool
    burnt: int = 0
    cracked: bool = False


class Duel(NamedTuple):
    """Two lights over the same water, and whose the ship follows."""

    mine: int
    theirs: int
    winner: str


@rule("FAN-001", "FAN-002")
def thrown(dice: Dice, hand: int) -> tuple[int, ...]:
    """As many dice as the craft, from one to four."""
    if not 1 <= hand <= 4:
        raise NoHand(got=hand)
    return dice.pool(hand, SIDES)


@rule("FAN-003")
def beam(faces: tuple[int, ...]) -> int:
    """The highest face, and two more for each other die that shows it."""
    return max(faces) + MATCH * (faces.count(max(faces)) - 1)


@rule("FAN-006")
def cracks(faces: tuple[int, ...], rulings: Rulings) -> bool:
    """The glass cracks when no die rises above two (or above one, if the table is kinder)."""
    return max(faces) <= (2 if rulings.crack == "two" else 1)


def signal(dice: Dice, hand: int, fog: int, flasks: int, rulings: Rulings) -> Signal:
    """Throw light against a fog; oil may be burnt to throw the lowest die again."""
    return dice.then(lit, thrown(dice, hand), fog, flasks, 0, rulings)


@rule("FAN-004", "FAN-005")
def lit(dice: Dice, faces: tuple[int, ...], fog: int, flasks: int, burnt: int, rulings: Rulings) -> Signal:
    """The beam as it stands. While a flask is left the keeper may burn it, whether or not the light was seen.

    The question never depends on the fog, which the keeper may not know: being asked must not tell.
    """
    reach = beam(faces)
    dice.note("FAN-003", "beam", faces=faces, n=reach)
    if burnt < flasks and dice.choose(
            "initiator", "burn", (False, True), usual=reach < fog, rule="FAN-005", n=reach, left=flasks - burnt):
        again = tuple(sorted((*faces[1:], dice.sum(1, SIDES))))
        dice.note("FAN-005", "burnt", n=burnt + 1)
        return dice.then(lit, again, fog, flasks, burnt + 1, rulings)
    cracked = cracks(faces, rulings)
    if cracked:
        dice.note("FAN-006", "cracked")
    return Signal(reach, reach >= fog, burnt, cracked)


@rule("FAN-009")
def duel(dice: Dice, mine: int, theirs: int, rulings: Rulings) -> Duel:
    """A wrecker lights a false lamp: the ship follows the longer beam."""
    a, b = beam(thrown(dice.of("initiator"), mine)), beam(thrown(dice.of("opponent"), theirs))
    dice.note("FAN-009", "beams", mine=a, theirs=b)
    tie = "initiator" if rulings.tie == "keeper" else "nobody"
    return Duel(a, b, "initiator" if a > b else "opponent" if b > a else tie)
