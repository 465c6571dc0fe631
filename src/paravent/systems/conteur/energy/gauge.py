"""Energy: « L'énergie », « Niveaux d'énergie », « Regagner de l'énergie », « Consommation naturelle »."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import Rulings, rule
from paravent.systems.conteur.facts import ENERGY_MAX, TABLES, Meal, Segment

from .errors import EnergyShort, SceneCost


class Energy(NamedTuple):
    """The gauge after a change: its value, the segment it falls in, and whether the character collapses."""

    energy: int
    segment: Segment
    change: int
    unconscious: bool = False


@rule("D10-047")
def within_gauge(energy: int) -> int:
    """The gauge runs from 0 to 24; what would go beyond is lost."""
    return max(0, min(ENERGY_MAX, energy))


@rule("D10-049")
def segment_of(energy: int) -> Segment:
    """The segment that the current energy falls in."""
    return Segment(TABLES["segments"].cell(within_gauge(energy), "segment"))


@rule("D10-050", "D10-051", "D10-052", "D10-053")
def segment_dice(segment: Segment, physical: bool) -> int:
    """The dice that a segment adds to an action or takes from it: failing replaces tired, it does not add to it."""
    table = TABLES["segments"]
    lowest = {name: least for least, name in table.column("segment").items()}
    return int(table.cell(lowest[segment], "physical" if physical else "non_physical"))


@rule("D10-060")
def collapses(energy: int, rulings: Rulings) -> bool:
    """Whether energy at 0 knocks the character out: not by default, they are failing and nothing more (R-36)."""
    return energy == 0 and rulings.energy_zero == "collapse"


@rule("D10-059")
def spent(energy: int, points: int) -> int:
    """The gauge after an expense; what is not there cannot be spent."""
    if points > energy:
        raise EnergyShort(points=points, energy=energy)
    return energy - points


def changed_by(energy: int, change: int, rulings: Rulings) -> Energy:
    """The gauge after a gain or a loss that nobody refuses: it stops at 0 and at 24."""
    after = within_gauge(energy + change)
    return Energy(after, segment_of(after), after - energy, collapses(after, rulings) and after < energy)


@rule("D10-055")
def sleep_gain(blocks: Iterable[int]) -> int:
    """One point for every two hours of sleep without a break; each unbroken period counts on its own."""
    worth = int(TABLES["energy_changes"].cell("sleep_two_hours", "change_max"))
    return sum(hours // 2 for hours in blocks) * worth


@rule("D10-056")
def meal_gain(meal: Meal) -> int:
    """What a meal restores: 1, 2 or 3 points."""
    return int(TABLES["energy_changes"].cell(meal, "change_max"))


@rule("D10-048")
def usual_gain() -> range:
    """What a human usually regains in a day, and spends."""
    row = TABLES["energy_changes"].row("day_regained")
    return range(row["change_min"], row["change_max"] + 1)


@rule("D10-055")
def sleep(dice: Dice, energy: int, blocks: tuple[int, ...], rulings: Rulings) -> Energy:
    """Energy after sleeping these unbroken periods, in hours."""
    gain = sleep_gain(blocks)
    dice.note("D10-055", "slept", hours=sum(blocks), n=gain)
    return changed_by(energy, gain, rulings)


@rule("D10-056")
def eat(dice: Dice, energy: int, meal: Meal, rulings: Rulings) -> Energy:
    """Energy after a meal; nothing limits their number (R-39)."""
    gain = meal_gain(meal)
    dice.note("D10-056", "eaten", meal=meal, n=gain)
    return changed_by(energy, gain, rulings)


@rule("D10-057")
def adjust(dice: Dice, energy: int, amount: int, rulings: Rulings) -> Energy:
    """Energy regained or lost by other means, technological or supernatural: as much as the game master says."""
    return changed_by(energy, amount, rulings)


@rule("D10-058")
def end_of_scene(dice: Dice, energies: tuple[int, ...], costs: tuple[int, ...], rulings: Rulings) -> tuple[Energy, ...]:
    """What a scene costs each character: 0, 1 or 2 points, as the game master says, never below 0."""
    row = TABLES["energy_changes"].row("end_of_scene")
    for cost in costs:
        if not row["change_min"] <= -cost <= row["change_max"]:
            raise SceneCost(got=cost)
    return tuple(changed_by(energy, -cost, rulings) for energy, cost in zip(energies, costs, strict=True))
