"""The words of this chapter that its rules compute with."""

from __future__ import annotations

from enum import StrEnum


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
