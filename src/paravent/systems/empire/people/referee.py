"""« Pouvoirs », « Rôle », « RENCONTRES »: what the game master decides, knows and tells (EMP-001 to EMP-013)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import Rulings, rule
from paravent.systems.empire.terms import TABLES

from .errors import ClockOff, NoWarningGiven, SwapNotAllowed

DUELS = frozenset({"combat-exchange", "one-against-many", "verbal-exchange", "psi-act", "telepaths-duel", "hold"})


class Knowledge(StrEnum):
    """The three sorts of information."""

    COMMON = "common"
    TECHNICAL = "technical"
    HIDDEN = "hidden"


@rule("EMP-002")
def roller(move: str, handed: bool = False) -> str:
    """Who throws: players in duels, the game master elsewhere, unless he hands the dice over."""
    return "initiator" if move in DUELS or handed else "gm"


class Overridden(NamedTuple):
    """A roll set aside: what the dice said, for the game master, and what is announced."""

    rolled: bool
    announced: bool


@rule("EMP-003")
def override(dice: Dice, count: int, limit: int, announced: bool) -> Overridden:
    """The dice are thrown all the same, so that nobody can contest; what is announced stands."""
    total = dice.sum(count, 6)
    dice.note("EMP-003", "set_aside", total=total, threshold=limit)
    return Overridden(total <= limit, announced)


@rule("EMP-004")
def may_learn(kind: Knowledge, unlocks: Collection[str], knows: Collection[str], *, earned: bool = False) -> bool:
    """Who is told what: all hear what is common, those of the trade what is technical, those who earn it the rest."""
    if kind is Knowledge.COMMON:
        return True
    return bool(set(unlocks) & set(knows)) if kind is Knowledge.TECHNICAL else earned


@rule("EMP-005")
def whispered(dice: Dice, text: str) -> str:
    """What one player alone is told."""
    return text


@rule("EMP-006")
def swapped(pair: str, warned: bool, scores: tuple[int, int], rulings: Rulings) -> tuple[int, int]:
    """Two opposite scores exchanged after a warning: Charm and Willpower, at some tables Strength and Dexterity too."""
    if not warned:
        raise NoWarningGiven()
    if pair != "charm_willpower" and rulings.opposites != "also_physical":
        raise SwapNotAllowed(pair=pair)
    return scores[1], scores[0]


@rule("EMP-008")
def table_minutes(fiction_hours: int) -> int:
    """How long exploring takes at the table: a quarter of an hour for each hour, four hours for a whole day."""
    days, hours = divmod(fiction_hours, 24)
    return 240 * days + min(240, 15 * hours)


@rule("EMP-008")
def seconds(unit: str) -> int:
    """How long a unit of time is."""
    return int(TABLES["time_units"].cell(unit, "seconds"))


@rule("EMP-009")
def square_for(metres_a_sequence: Fraction) -> int:
    """The metres of a square of the map: of the scales there are, the nearest to what is covered in a sequence."""
    scales = map(int, TABLES["map_scales"].column("metres").values())
    return min(scales, key=lambda metres: abs(metres - metres_a_sequence))


# Allies


@rule("EMP-010", "EGW-006")
def loyalty_score(mental: Sequence[int], command: int, rulings: Rulings) -> int:
    """What holds an ally: the best mental characteristic of whoever leads, and Command if the table adds it."""
    return max(mental) + (command if rulings.loyalty_command == "yes" else 0)


@rule("EMP-010", "EMP-011", "EGW-006", "EGW-007")
def loyalty(dice: Dice, score: int) -> bool:
    """Three dice above it, and an ally deserts or an informant lies."""
    total = dice.sum(3, 6)
    dice.note("EMP-010", "loyal" if total <= score else "disloyal", total=total, threshold=score)
    return total <= score


@rule("EMP-010", "EGW-006")
def loyalty_due(new_day: bool, danger: bool, asked: bool, rulings: Rulings) -> bool:
    """Whether an ally is put to the test: each day and in danger, or only when the game master asks."""
    return asked or (rulings.loyalty_timing == "regular" and (new_day or danger))


@rule("EMP-012", "EGW-005")
def lends_a_hand(plausible: bool, loyal: bool) -> bool:
    """An ally helps in a crisis only where it is plausible, and if loyal."""
    return plausible and loyal


# The clock


class Slot(NamedTuple):
    """Minutes of the hour that somebody spends in a place."""

    place: str
    first: int
    last: int
    priority: int = 1


@rule("EMP-013")
def published_slots() -> tuple[Slot, ...]:
    """The one schedule in print: restaurant, home, office."""
    rows = TABLES["clock"].rows
    TABLES["clock"].keys()
    return tuple(Slot(row[0].removesuffix("_half"), row[1], row[2], row[3]) for row in rows)


@rule("EMP-013")
def where(slots: Sequence[Slot], minute: int, rulings: Rulings) -> str:
    """Where somebody is at this minute of the hour; empty when nowhere said."""
    if rulings.clock_encounters == "off":
        raise ClockOff()
    here = sorted((slot for slot in slots if slot.first <= minute <= slot.last), key=lambda slot: slot.priority)
    return here[0].place if here else ""
