"""The words of the game that rules compute with, and its printed tables."""

from __future__ import annotations

from enum import StrEnum

from paravent.game import Tables

TABLES = Tables("paravent.systems.conteur")
ENERGY_MAX = 24
LOST = 3
SKILL_MAX = 20
"""Far beyond any skill of the book; below it, odds stay exact and quick."""
HUMAN_PARTS = ("head", "torso", "left_arm", "right_arm", "left_leg", "right_leg")


class Attribute(StrEnum):
    """The six attributes; luck is a reserve, not a target."""

    CONSTITUTION = "constitution"
    DEXTERITY = "dexterity"
    PERCEPTION = "perception"
    SOCIAL = "social"
    MENTAL = "mental"
    LUCK = "luck"


class SkillField(StrEnum):
    """The six families of skills."""

    ACTIONS = "actions"
    INTERACTIONS = "interactions"
    KNOWLEDGE = "knowledge"
    PILOTING = "piloting"
    DAILY_LIFE = "daily_life"
    OTHER = "other"


class Segment(StrEnum):
    """What the energy gauge says of a character."""

    FIT = "fit"
    NORMAL = "normal"
    TIRED = "tired"
    FAILING = "failing"


class Meal(StrEnum):
    """Three sizes of meal."""

    LIGHT = "light_meal"
    FULL = "full_meal"
    FEAST = "feast"


class Activity(StrEnum):
    """A day of full rest, or one with some activity."""

    REST = "rest"
    ACTIVE = "active"


class Fate(StrEnum):
    """What the game master decides for someone who lies there."""

    WAKE_UP = "wake_up"
    DIE = "die"
