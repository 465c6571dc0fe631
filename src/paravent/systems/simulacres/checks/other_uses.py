"""Other uses of the energies (SIM-B01 to SIM-B03), each a switch of its own, all off unless the table says so."""

from __future__ import annotations

from typing import NamedTuple

from paravent.game import Rulings, rule
from paravent.systems.simulacres.errors import needs
from paravent.systems.simulacres.people.campaign import campaign_edge

from .check import Edge


@rule("SIM-B01")
def power_dice(points_of_power: int, rulings: Rulings) -> int:
    """Points of Puissance turned into dice: one die each on the MR if the test succeeds."""
    if points_of_power:
        needs("power_alternative", "SIM-B01", rulings)
    return points_of_power


@rule("SIM-B01")
def damage_dice(points_of_power: int, rulings: Rulings) -> int:
    """Paid in EP for the whole fight, a point of Puissance is one die more on each damage roll instead."""
    if points_of_power:
        needs("power_alternative", "SIM-B01", rulings)
    return points_of_power


@rule("SIM-B02")
def wider_edge(edge: Edge, level: int, points_of_precision: int, rulings: Rulings) -> Edge:
    """When a success is critical: one more on the range for each point of Précision, the bonus dice unchanged.

    In a campaign the range and the dice come from the talent's level (SIM-A08).
    """
    if points_of_precision:
        needs("precision_alternative", "SIM-B02", rulings)
    if rulings.ruleset == "campaign":
        edge = campaign_edge(level)
    return edge._replace(up_to=edge.up_to + points_of_precision)


@rule("SIM-B03")
def time_taken(minutes: int, points_of_speed: int, rulings: Rulings) -> int:
    """A long task takes half its time with one point of Rapidité, a quarter with two."""
    if points_of_speed:
        needs("speed_alternative", "SIM-B03", rulings)
    return minutes // (1, 2, 4)[min(points_of_speed, 2)]


class Mix(NamedTuple):
    """Points of energies put to several uses at once."""

    power_value: int = 0
    power_dice: int = 0
    precision_value: int = 0
    precision_range: int = 0
    speed_value: int = 0
    haste: int = 0


class Mixed(NamedTuple):
    """What a mixture asks and brings: the energies needed, the PS or EP it costs, and its effects."""

    power: int
    precision: int
    speed: int
    cost: int
    value_bonus: int
    extra_dice: int
    wider: int
    haste: int


@rule("SIM-B01", "SIM-B02", "SIM-B03")
def mixed(mix: Mix, rulings: Rulings) -> Mixed:
    """Uses may be mixed within each energy's value, at one PS or EP for each point."""
    for used, option, rule_id in (
        (mix.power_dice, "power_alternative", "SIM-B01"),
        (mix.precision_range, "precision_alternative", "SIM-B02"),
        (mix.haste, "speed_alternative", "SIM-B03"),
    ):
        if used:
            needs(option, rule_id, rulings)
    return Mixed(
        mix.power_value + mix.power_dice,
        mix.precision_value + mix.precision_range,
        mix.speed_value + mix.haste,
        sum(mix),
        mix.power_value + mix.precision_value + mix.speed_value,
        mix.power_dice,
        mix.precision_range,
        mix.haste,
    )
