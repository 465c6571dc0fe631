"""What Simulacres refuses on a sheet, at creation and for adventure points."""

from __future__ import annotations

from paravent.game import RuleError


class LastChanceUnused(RuleError):
    """A last chance that has not served is not bought back."""

    code = "simulacres/last-chance-unused"
    rule = "SIM-A11"


class BoxesOff(RuleError):
    """The table does not use the box method, or the boxes are not six black of twelve."""

    code = "simulacres/boxes"
    rule = "SIM-104"


class NothingToKeep(RuleError):
    """A favourite test says neither what acts nor which common test it is."""

    code = "simulacres/nothing-to-keep"
    rule = "SIM-002"


class NoSuchSkill(RuleError):
    """The sheet has no such skill."""

    code = "simulacres/no-such-skill"
    rule = "SIM-108"


class LeaningOutOfBounds(RuleError):
    """A leaning is worth 4 to 10."""

    code = "simulacres/leaning-out-of-bounds"
    rule = "SIM-096"


class WrongJump(RuleError):
    """A jump is bought from where one stands."""

    code = "simulacres/wrong-jump"
    rule = "SIM-A05"


class AboveTheMaximum(RuleError):
    """Nothing is bought above its maximum."""

    code = "simulacres/above-the-maximum"
    rule = "SIM-A05"


class NotAtCreation(RuleError):
    """This is not bought at creation."""

    code = "simulacres/not-at-creation"
    rule = "SIM-A05"


class NeedsAgreement(RuleError):
    """A starred purchase needs the game master's agreement."""

    code = "simulacres/needs-agreement"
    rule = "SIM-A05"


class TooExpensive(RuleError):
    """The adventure points left do not pay for it."""

    code = "simulacres/too-expensive"
    rule = "SIM-A05"


class WrongTrade(RuleError):
    """A trade lists four to eight talents; one is privileged, three others are known."""

    code = "simulacres/wrong-trade"
    rule = "SIM-A03"
