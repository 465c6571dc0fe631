"""Simulacres, « Utilisation des Énergies de base »: to surpass oneself, paid in breath or psyche (SIM-015 to SIM-022).

Points are announced before the dice. Those paid in PS hold for one throw, those paid in EP as long as the action stays
rigorously the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from paravent.game import Rulings, rule
from paravent.systems.simulacres.care.health import condition
from paravent.systems.simulacres.people.character import EnergyBonus
from paravent.systems.simulacres.terms import TABLES, Condition, Energy

from .errors import LastPointKept, NoEnergies, PsycheOnly, TooLittleLeft, TooManyPoints, WrongEnergy, WrongPayment
from .other_uses import Mix, mixed

ONE_HOUR = 60
"""Minutes beyond which an action is fed with EP only."""
PLENTY = 99
"""What stands for a counter that is not followed."""


class Spend(NamedTuple):
    """What is announced: points of each energy, and how they are paid."""

    power: int = 0
    speed: int = 0
    precision: int = 0
    ps: int = 0
    ep: int = 0
    power_dice: int = 0
    """Points of power put in dice on the MR (SIM-B01)."""
    precision_range: int = 0
    """Points of precision put in the critical range (SIM-B02)."""
    haste: int = 0
    """Points of speed kept to break a tie or to hurry a long task (SIM-B03)."""

    @property
    def points(self) -> int:
        """The points added to the value."""
        return self.power + self.speed + self.precision

    @property
    def cost(self) -> int:
        """The PS and EP to pay: one for each point, whatever its use."""
        return self.points + self.power_dice + self.precision_range + self.haste

    def uses(self, energy: Energy) -> bool:
        """Whether any point of this energy is announced."""
        other = {Energy.POWER: self.power_dice, Energy.PRECISION: self.precision_range, Energy.SPEED: self.haste}
        return bool(getattr(self, energy) or other[energy])

    @property
    def mix(self) -> Mix:
        """All its uses, for the options of the table."""
        return Mix(self.power, self.power_dice, self.precision, self.precision_range, self.speed, self.haste)


class Reserve(NamedTuple):
    """What one has: the three energies, PS and EP, and what a sustained bonus already takes of each energy."""

    power: int = PLENTY
    speed: int = PLENTY
    precision: int = PLENTY
    ps: int = PLENTY
    ep: int = PLENTY
    pv: int = PLENTY


class Paid(NamedTuple):
    """A payment accepted: the bonus of this throw, what is left, what lasts, and the state that follows the test."""

    bonus: int
    ps: int
    ep: int
    lasting: tuple[tuple[Energy, int], ...]
    after: Condition


@rule("SIM-015", "SIM-016", "SIM-017", "SIM-018")
def pay(spend: Spend, reserve: Reserve, rulings: Rulings, minutes: int = 0) -> Paid:
    """Add points of one or several energies to a test and pay one PS or EP for each; refused, nothing is paid.

    The payment stands whether the test succeeds or not. The last point may be spent unless the table forbids it: what
    0 means comes after the test.
    """
    if spend.cost and rulings.energies == "off":
        raise NoEnergies()
    needed = mixed(spend.mix, rulings)
    for energy in Energy:
        announced, value = getattr(needed, energy), getattr(reserve, energy)
        if announced > value:
            raise TooManyPoints(energy=energy.value, announced=announced, value=value)
    if spend.ps + spend.ep != needed.cost or spend.ps < 0 or spend.ep < 0:
        raise WrongPayment(points=needed.cost, ps=spend.ps, ep=spend.ep)
    _may_be_fed_with_breath(spend.ps, minutes)
    for counter, spent, left in (("ps", spend.ps, reserve.ps), ("ep", spend.ep, reserve.ep)):
        if spent > left:
            raise TooLittleLeft(counter=counter, spent=spent, left=left)
        if spent and spent == left and rulings.spend_last_point == "forbid":
            raise LastPointKept(counter=counter)
    ps, ep = reserve.ps - spend.ps, reserve.ep - spend.ep
    return Paid(spend.points, ps, ep, lasting(spend), condition(reserve.pv, ps, ep, rulings))


@rule("SIM-021")
def _may_be_fed_with_breath(ps: int, minutes: int) -> None:
    """An action longer than an hour is fed with EP only."""
    if ps and minutes > ONE_HOUR:
        raise PsycheOnly(minutes=minutes)


@rule("SIM-019", "SIM-020")
def lasting(spend: Spend) -> tuple[tuple[Energy, int], ...]:
    """The part of a bonus that lasts: as many points as were paid in EP, counted from the first energy on.

    With a mixed payment the part bought with PS ends with the throw.
    """
    left, kept = spend.ep, []
    for energy in Energy:
        points = min(left, getattr(spend, energy))
        if points:
            kept.append((energy, points))
            left -= points
    return tuple(kept)


@rule("SIM-020")
def sustained(active: Iterable[EnergyBonus], action: str) -> tuple[EnergyBonus, ...]:
    """The bonuses bought with EP that still hold for this action; for any other they have ended."""
    return tuple(bonus for bonus in active if action and bonus.action == action)


@rule("SIM-020")
def sustain(active: Iterable[EnergyBonus], paid: Paid, action: str) -> tuple[EnergyBonus, ...]:
    """What lasts after a throw: what held already and what was bought with EP now. An act without a name ends."""
    if not action:
        return ()
    bought = tuple(EnergyBonus(energy.value, points, action) for energy, points in paid.lasting)
    return (*sustained(active, action), *bought)


@rule("SIM-022")
def fits(situation: str, energy: Energy) -> bool:
    """Whether an energy may serve in a situation (T14); what is exceptional or the game master's call may."""
    return bool(TABLES["energies"].cell(situation, energy.value) != "no")


def check_fit(situation: str, spend: Spend) -> None:
    """Refuse an energy that the situation does not call on."""
    for energy in Energy:
        if spend.uses(energy) and not fits(situation, energy):
            raise WrongEnergy(energy=energy.value, situation=situation)
