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


class Attitude(StrEnum):
    """Which numbers of kept dice bring a side effect: the player's choice in v4, a game master's pattern in v5."""

    STABLE = "stable"
    SOFTENED = "softened"
    AMPLIFIED = "amplified"
    UNSTABLE = "unstable"


class Quality(StrEnum):
    """The six ways an action ends in the outcome table."""

    SUCCESS_PLAIN = "success_plain"
    SUCCESS_SIDE_POSITIVE = "success_side_positive"
    SUCCESS_COUNTER_NEGATIVE = "success_counter_negative"
    FAILURE_PLAIN = "failure_plain"
    FAILURE_COUNTER_POSITIVE = "failure_counter_positive"
    FAILURE_SIDE_NEGATIVE = "failure_side_negative"


class Origin(StrEnum):
    """Where a side effect comes from."""

    ATTITUDE = "attitude"
    GM = "gm"
    HANDICAP = "handicap"


class Polarity(StrEnum):
    """Whether a side effect helps or harms."""

    POSITIVE = "positive"
    NEGATIVE = "negative"


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


class Verdict(StrEnum):
    """What the game master says of an attempt before anything is rolled."""

    RESOLVE = "resolve"
    TRIVIAL = "trivial"
    IMPOSSIBLE = "impossible"
    KO = "ko"


class Preference(StrEnum):
    """How the game master would rather see the world turn."""

    AGAINST_PCS = "against_pcs"
    NEUTRAL = "neutral"
    FOR_PCS = "for_pcs"


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


class MindType(StrEnum):
    """The nature of a mind: it says in which brains it can live."""

    NATURAL = "natural"
    NATURAL_SUPERVISED = "natural_supervised"
    UPLIFTED = "uplifted"
    UPLIFTED_SUPERVISED = "uplifted_supervised"
    NATURAL_INFOMORPHISED = "natural_infomorphised"
    UPLIFTED_INFOMORPHISED = "uplifted_infomorphised"
    AI_SYNCHRO = "ai_synchro"
    AI_WOLFA = "ai_wolfa"
    AI_LEY_WAN = "ai_ley_wan"

    @property
    def is_ai(self) -> bool:
        """Whether the mind was born as a program."""
        return bool(TABLES["minds"].extra["artificial"][self])


class PowerSet(StrEnum):
    """The six families of psi powers; an implant opens one."""

    BIOLOGY = "biology"
    ENERGY = "energy"
    SPACE = "space"
    INFORMATION = "information"
    MATTER = "matter"
    META = "meta"


class PsiUse(StrEnum):
    """What is done with an implant."""

    PERCEPTION = "perception"
    ONE_OFF = "one_off"
    MAINTAINED = "maintained"
    RELEASE = "release"


class PsiFailure(StrEnum):
    """Why a psi effort failed."""

    PERCEPTION_MISSED = "perception_missed"
    EFFORT_MISSED = "effort_missed"
    MISJUDGED = "misjudged"


class Brain(StrEnum):
    """What a mind lives in."""

    ORGANIC = "organic"
    CYBERNETISED = "cybernetised"
    CYBERNETIC = "cybernetic_brain"
    HYPER_HYBRID = "hyper_hybrid_brain"
    NONE = "no_brain"


class NearestCopy(StrEnum):
    """Where the nearest copy of some data lies, caches included."""

    SAME_PLACE = "same_place"
    SAME_BODY = "same_body"
    SAME_PLANETARY_SYSTEM = "same_planetary_system"
    ELSEWHERE = "elsewhere"


class RunStep(StrEnum):
    """The four steps of a run against a node, in their order."""

    LOCATE = "locate"
    STUDY = "study"
    PREPARE = "prepare"
    BREACH = "breach"


class Damage(StrEnum):
    """What the ice does to whom it hits."""

    DISCONNECTION = "disconnection"
    ERASURE = "erasure"


class Kept(StrEnum):
    """Where a backup was kept, and how it fared."""

    VAULT = "vault"
    WATCHED_CACHE = "watched_cache"
    UNWATCHED_CACHE = "unwatched_cache"
    WIPED_CACHE = "wiped_cache"
