"""The words of the game that rules compute with, and its printed tables."""

from __future__ import annotations

from enum import StrEnum

from paravent.game import Tables

PACKAGE = "paravent.systems.solaires"
TABLES = Tables(PACKAGE)
DICE, SIDES = 3, 6
NEEDED = 2
"""How many kept dice make a success."""
MOST_ELEMENTS = 2
SCORE_MIN, SCORE_MAX = 1, 3
SCALE = 4
"""How far from 0 a scale of difficulty goes, either way."""


class Edition(StrEnum):
    """The two editions of the rules of action; all the rest is common to both."""

    V4 = "v4"
    V5 = "v5"


class Category(StrEnum):
    """What an element is; a resolution treats all alike."""

    CAREER = "career"
    TRAIT = "trait"
    RELATION = "relation"
    EQUIPMENT = "equipment"
    STATE = "state"


class Tag(StrEnum):
    """What a piece of equipment is made of."""

    NONE = ""
    LOG = "log"
    ORG = "org"
    PSI = "psi"
    CYB = "cyb"


class Use(StrEnum):
    """What character points buy."""

    DESCRIBE_CONSEQUENCES = "describe_consequences"
    COSMETIC = "cosmetic"
    REROLL_DIE = "reroll_die"
    LINK_STORY_ELEMENT = "link_story_element"
    FLASHBACK = "flashback"
    QUESTION_GM = "question_gm"
    CREATE_STORY_ELEMENT = "create_story_element"
    UNEXPECTED_EVENT = "unexpected_event"


class PowerSet(StrEnum):
    """The six families of psi powers; an implant opens one."""

    BIOLOGY = "biology"
    ENERGY = "energy"
    SPACE = "space"
    INFORMATION = "information"
    MATTER = "matter"
    META = "meta"


class Brain(StrEnum):
    """What a mind lives in."""

    ORGANIC = "organic"
    CYBERNETISED = "cybernetised"
    CYBERNETIC = "cybernetic_brain"
    HYPER_HYBRID = "hyper_hybrid_brain"
    NONE = "no_brain"
