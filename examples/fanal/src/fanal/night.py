"""A night's watch: hour after hour, a ship to bring past shoals whose number only the game master knows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from paravent.dice import Dice, chain
from paravent.game import Forecast, Rulings, rule

from .light import Signal, signal

DAWN = 6


@dataclass(frozen=True)
class Past:
    """An hour that is gone: how far the beam reached, and what came of it."""

    hour: int
    what: str
    beam: int


@dataclass(frozen=True)
class Night:
    """Hours gone, shoals passed; how many there are and how thick the fog is stay with the game master."""

    fog: int
    shoals: int
    hour: int = 0
    passed: int = 0
    past: tuple[Past, ...] = ()

    @property
    def over(self) -> bool:
        """Whether the ship is through, or dawn has come."""
        return self.passed >= self.shoals or self.hour >= DAWN

    @property
    def saved(self) -> bool:
        """Whether the ship is through."""
        return self.passed >= self.shoals


class Hour(NamedTuple):
    """One hour of the watch: the light thrown, hours gone and shoals passed after it.

    What the game master keeps secret is not in it: a result is read by everyone who sees the outcome.
    """

    light: Signal
    hour: int
    passed: int


@rule("FAN-007", "FAN-008")
def hour(dice: Dice, night: Night, hand: int, flasks: int, rulings: Rulings) -> Hour:
    """Each hour a light is thrown; seen, it brings the ship past one shoal. At dawn the tide decides."""
    light = dice.resolve(signal, hand, night.fog, flasks, rulings)
    result = Hour(light, night.hour + 1, night.passed + light.seen)
    dice.note("FAN-007", "hour", n=result.hour, passed=result.passed)
    return result


def after(night: Night, result: Hour) -> Night:
    """The night as an hour leaves it."""
    return replace(night, hour=result.hour, passed=result.passed)


def next_night(dice: Dice, night: Night, hand: int, rulings: Rulings) -> Night:
    """The same hour, for a forecast: no oil is burnt."""
    return after(night, dice.resolve(hour, night, hand, 0, rulings))


def foretold(night: Night, hand: int, rulings: Rulings) -> Forecast:
    """How the watch ends, exactly, from the rule that is played."""
    end = chain(next_night, night, hand, rulings, over=lambda state: state.over)
    return Forecast(end.ends.map(lambda state: "saved" if state.saved else "wrecked"), end.mean_steps)
