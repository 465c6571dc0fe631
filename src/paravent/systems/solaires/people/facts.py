"""The words of this chapter that its rules compute with."""

from __future__ import annotations

from enum import StrEnum

from paravent.systems.solaires.facts import TABLES


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


class Kept(StrEnum):
    """Where a backup was kept, and how it fared."""

    VAULT = "vault"
    WATCHED_CACHE = "watched_cache"
    UNWATCHED_CACHE = "unwatched_cache"
    WIPED_CACHE = "wiped_cache"
