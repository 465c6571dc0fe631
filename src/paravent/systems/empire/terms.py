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


def figure(value: Fraction | int) -> int | float:
    """A figure as people read it: whole, or with two decimals at most."""
    return int(value) if value == int(value) else round(float(value), 2)


SKILLS = tuple(f"{tens}{units}" for tens in range(1, 7) for units in range(1, 7))
"""The numbers of the thirty-six skills."""
