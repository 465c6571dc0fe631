"""The verbal duel: seduction, faith or logic, chosen in secret; influence, states, crowds (EMP-120 to EMP-131)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import Rulings, rule
from paravent.systems.empire.actions.action import Column
from paravent.systems.empire.fights.duel import Cell, Clash, Stance, clash
from paravent.systems.empire.terms import TABLES, Characteristic

from .errors import OnlyPlayersPersuade


class Manner(StrEnum):
    """The secret stance of a speaker."""

    SEDUCTION = "seduction"
    FAITH = "faith"
    LOGIC = "logic"


class Relation(StrEnum):
    """What the listener feels for the speaker."""

    FRIENDLY = "friendly"
    NEUTRAL = "neutral"
    HOSTILE = "hostile"


TABLE = "A"
"""The damage table that full arguments are read in."""


class MindState(StrEnum):
    """What influence makes of somebody."""

    FREE = "free"
    INFLUENCED = "influenced"
    SHAKEN = "shaken"
    CONVINCED = "convinced"
    BLINDED = "blinded"


class Swayed(NamedTuple):
    """What an argument did: points lost and left, and the state it leaves."""

    lost: int
    left: int
    state: MindState


@rule("EMP-120")
def check_opening(by_player: bool, rulings: Rulings) -> None:
    """Only players' characters open a verbal duel, unless the table lets the others too."""
    if not by_player and rulings.npc_persuades == "off":
        raise OnlyPlayersPersuade()


@rule("EMP-122")
def basis(manner: Manner) -> tuple[Characteristic, str]:
    """The characteristic and the skill of a manner of speaking."""
    row = TABLES["verbal_attitudes"].row(manner.value)
    return Characteristic(row["characteristic"]), str(row["skill"])


@rule("EMP-121")
def tone(manner: Manner) -> str:
    """How the player must speak: charming, aggressive or cool."""
    return {Manner.SEDUCTION: "charming", Manner.FAITH: "aggressive", Manner.LOGIC: "cool"}[manner]


@rule("EMP-123")
def cell_of(a: Manner, b: Manner) -> Cell:
    """What two manners allow: both count, the better one, the difference, or nothing."""
    return Cell(TABLES["verbal_attitudes"].cell(a.value, b.value))


@rule("EMP-124")
def argument_dice(relation: Relation, precision: Column) -> int:
    """How many dice an argument takes, by what the listener feels and how precise the speech is."""
    return int(TABLES["argument_dice"].cell(relation.value, precision.value))


class Acting(StrEnum):
    """What a really convincing speech earns."""

    ORDINARY = "ordinary"
    CONVINCING = "convincing"
    IRRESISTIBLE = "irresistible"


@rule("EMP-125")
def acted(dice: int, acting: Acting) -> int:
    """A convincing speech takes a die less; an irresistible one needs none."""
    return {Acting.ORDINARY: dice, Acting.CONVINCING: max(1, dice - 1), Acting.IRRESISTIBLE: 0}[acting]


@rule("EMP-126")
def argue(dice: Dice, mine: Manner, a: Stance, theirs: Manner, b: Stance, rulings: Rulings) -> Clash:
    """One exchange of arguments; between faith and logic the difference counts as it is, or its cell at some tables."""
    raw = rulings.faith_logic == "difference"
    settled = Rulings({**rulings, "difference": "sum_in_table"})
    return dice.then(clash, cell_of(mine, theirs), a._replace(letter=TABLE), b._replace(letter=TABLE), raw, settled)


@rule("EMP-127")
def influenced(current: int, points: int) -> int:
    """What is left of mental resistance."""
    return max(0, current - points)


@rule("EMP-128")
def state_after(full: int, current: int, points: int, rulings: Rulings) -> MindState:
    """One argument worth a third shakes, one worth half convinces; with nothing left one is blinded.

    A table may count all the points lost so far instead of one argument's.
    """
    left = influenced(current, points)
    judged = full - left if rulings.mental_states == "cumulative" else points
    if left == 0 and points > 0:
        return MindState.BLINDED
    if points > 0 and 2 * judged >= full:
        return MindState.CONVINCED
    if points > 0 and 3 * judged >= full:
        return MindState.SHAKEN
    return MindState.INFLUENCED if left < full else MindState.FREE


@rule("EMP-127", "EMP-128")
def swayed(full: int, current: int, points: int, rulings: Rulings) -> Swayed:
    """Everything one argument does to a mind."""
    return Swayed(points, influenced(current, points), state_after(full, current, points, rulings))


@rule("EMP-129")
def has_yielded(total: int, target: int) -> bool:
    """Whether the request is granted: the points that the game master fixed in secret are lost."""
    return total >= target


@rule("EMP-130")
def emancipation(lost: int, willpower: int, state: MindState) -> tuple[Fraction, str]:
    """How long it takes to think for oneself again: lost ÷ Willpower, in hours, days or weeks."""
    return Fraction(lost, max(1, willpower)), str(TABLES["mental_states"].cell(state.value, "unit"))


# Groups


class Crowd(NamedTuple):
    """What it takes to move several people at once."""

    kind: str
    goal: str


@rule("EMP-131")
def crowd_of(size: int, *, led: bool = False) -> Crowd:
    """A few are shaken one by one, a band follows its leader, a crowd is blinded as one, unless leaders hold it."""
    row = TABLES["groups"].row(5 if led and size > 10 else size)
    return Crowd(row["group"], row["goal"])


@rule("EMP-131")
def leader(willpowers: Sequence[int]) -> int:
    """Which of them leads: the highest Willpower."""
    return max(range(len(willpowers)), key=lambda at: willpowers[at])


@rule("EMP-131")
def crowd_scores(members: Sequence[tuple[int, int, int]]) -> tuple[Fraction, Fraction, Fraction]:
    """A crowd's mental characteristics: the mean of each; its resistance is their sum."""
    charm, intelligence, willpower = (Fraction(sum(column), len(members)) for column in zip(*members, strict=True))
    return charm, intelligence, willpower


@rule("EMP-131")
def goal_points(kind: str, full: int) -> int:
    """The points that must be lost: a third each, half for a leader, all for a crowd."""
    return {"few": -(-full // 3), "band": -(-full // 2), "crowd": full}[kind]
