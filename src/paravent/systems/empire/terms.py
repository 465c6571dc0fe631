"""The words of Empire galactique as types, and its printed tables."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction

from paravent.game.tables import Tables

PACKAGE = "paravent.systems.empire"
TABLES = Tables(PACKAGE)

LEAST, MOST = 2, 12
"""What a characteristic lies between."""
SKILL_MOST = 6
GRADE_MOST = 6


class Characteristic(StrEnum):
    """One of six scores, each with its verb (Caractéristique primaire)."""

    DEXTERITY = "dexterity"
    STRENGTH = "strength"
    ENDURANCE = "endurance"
    CHARM = "charm"
    INTELLIGENCE = "intelligence"
    WILLPOWER = "willpower"


PHYSICAL = (Characteristic.DEXTERITY, Characteristic.STRENGTH, Characteristic.ENDURANCE)
MENTAL = (Characteristic.CHARM, Characteristic.INTELLIGENCE, Characteristic.WILLPOWER)


class Side(StrEnum):
    """Body or mind."""

    PHYSICAL = "physical"
    MENTAL = "mental"


class Verb(StrEnum):
    """How a skill is applied (TIRER, POUSSER, TENIR)."""

    PULL = "pull"
    PUSH = "push"
    HOLD = "hold"


class Difficulty(StrEnum):
    """The game master's estimate."""

    EASY = "easy"
    AVERAGE = "average"
    HARD = "hard"


class Column(StrEnum):
    """What the player aims at: how precisely, how fast, or for how long."""

    VAGUE = "vague"
    NORMAL = "normal"
    PRECISE = "precise"
    SLOW = "slow"
    FAST = "fast"
    TEMPORARY = "temporary"
    LASTING = "lasting"


PRECISIONS = (Column.VAGUE, Column.NORMAL, Column.PRECISE)


class Parameter(StrEnum):
    """What the player's column means."""

    PRECISION = "precision"
    TIME = "time"
    PERSISTENCE = "persistence"


class Attitude(StrEnum):
    """The secret stance of a fighter."""

    ATTACK = "attack"
    FEINT = "feint"
    PARRY = "parry"


class Manner(StrEnum):
    """The secret stance of a speaker."""

    SEDUCTION = "seduction"
    FAITH = "faith"
    LOGIC = "logic"


class Height(StrEnum):
    """How high a blow is aimed."""

    LOW = "low"
    MIDDLE = "middle"
    HIGH = "high"


class Relation(StrEnum):
    """What the listener feels for the speaker."""

    FRIENDLY = "friendly"
    NEUTRAL = "neutral"
    HOSTILE = "hostile"


class Guild(StrEnum):
    """The six professions, numbered from 1 in this order."""

    ADVENTURER = "adventurer"
    PRIEST = "priest"
    SOLDIER = "soldier"
    MERCHANT = "merchant"
    NAVYBORG = "navyborg"
    TEKNO = "tekno"

    @property
    def number(self) -> int:
        """Its number, which is the first digit of its skills."""
        return list(Guild).index(self) + 1


class Sex(StrEnum):
    """What height and weight depend on, with Strength."""

    MAN = "man"
    WOMAN = "woman"


def figure(value: Fraction) -> int | float:
    """A figure as people read it: whole, or with two decimals."""
    return int(value) if value.denominator == 1 else round(float(value), 2)


SKILLS = tuple(f"{tens}{units}" for tens in range(1, 7) for units in range(1, 7))
"""The numbers of the thirty-six skills."""
