"""Simulacres, « Conflit interne, volonté »: resist, then will (SIM-028 to SIM-032)."""

from __future__ import annotations

from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import Rulings, rule
from paravent.systems.simulacres.terms import TABLES, Component, Energy, Rank

from .check import Check, check
from .energies import Spend
from .errors import ComponentChange, NoSecondWill, NotAware, WrongEnergy

CHANGES = (0, -1, -2)
"""What another component than the attacked one costs in the second phase, 0 where it is natural."""


@rule("SIM-028")
def attacked_component(attack: str) -> Component:
    """The component that an aggression bears on: seduction the heart, thirst the body, fear the instincts…"""
    return Component(TABLES["attacks"].cell(attack, "component"))


@rule("SIM-032")
def conflict_energies(spend: Spend, *, exceptional: bool = False) -> None:
    """Power serves in both phases; speed and precision only by exception."""
    for energy in (Energy.SPEED, Energy.PRECISION):
        if spend.uses(energy) and not exceptional:
            raise WrongEnergy("SIM-032", energy=energy.value, situation="passive")


class Resisted(NamedTuple):
    """The first phase: its test, and whether the second is open."""

    check: Check
    will_allowed: bool


@rule("SIM-029")
def resist_difficulty(circumstances: int, aggressor_margin: int | None) -> int:
    """What weighs on the first phase: the circumstances, and the MR of an aggressor as a malus."""
    return circumstances - (aggressor_margin or 0)


@rule("SIM-029", "SIM-030")
def resist(dice: Dice, value: int, aware: bool, rulings: Rulings) -> Resisted:
    """Hold out: a success is as if nothing had happened; a failure opens the second phase to the aware."""
    thrown = dice.resolve(check, value, Rank.NONE, rulings)
    if not thrown.success:
        dice.note("SIM-030", "will_open" if aware else "will_closed", margin=thrown.margin)
    return Resisted(thrown, not thrown.success and aware)


@rule("SIM-030", "SIM-031")
def will_modifier(failure_margin: int, component_change: int, power: int = 0) -> int:
    """What weighs on the second phase: the ME of the first, and 0, −1 or −2 for another component."""
    if component_change not in CHANGES:
        raise ComponentChange(got=component_change)
    return component_change - failure_margin + power


@rule("SIM-030")
def may_will(aware: bool, retry: bool, rulings: Rulings) -> None:
    """Only who knows of the attack can fight it, once; again when circumstances change, if the table says so."""
    if not aware:
        raise NotAware()
    if retry and rulings.will_retry == "none":
        raise NoSecondWill()


@rule("SIM-030")
def will(dice: Dice, value: int, rulings: Rulings) -> Check:
    """Take back control of oneself: failing, one succumbs."""
    return dice.then(check, value, Rank.NONE, rulings)
