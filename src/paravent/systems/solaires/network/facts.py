"""The words of this chapter that its rules compute with."""

from __future__ import annotations

from enum import StrEnum


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
