"""The words of this chapter that its rules compute with."""

from __future__ import annotations

from enum import StrEnum


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


class Polarity(StrEnum):
    """Whether a side effect helps or harms."""

    POSITIVE = "positive"
    NEGATIVE = "negative"
