"""What Simulacres refuses in the care of bodies and minds."""

from __future__ import annotations

from paravent.game import RuleError


class DressingTooLate(RuleError):
    """More than an hour has passed since the fight."""

    code = "simulacres/dressing-too-late"
    rule = "SIM-069"


class DressingOneself(RuleError):
    """Nobody dresses his own wounds."""

    code = "simulacres/dressing-oneself"
    rule = "SIM-069"


class DressingTriedAlready(RuleError):
    """These wounds have had their attempt."""

    code = "simulacres/dressing-tried-already"
    rule = "SIM-069"


class BeyondCare(RuleError):
    """The patient is dead."""

    code = "simulacres/beyond-care"
    rule = "SIM-060"


class NothingToHeal(RuleError):
    """The patient misses nothing."""

    code = "simulacres/nothing-to-heal"
    rule = "SIM-068"


class NoTherapist(RuleError):
    """The table wants a skill to care for a mind."""

    code = "simulacres/no-therapist"
    rule = "SIM-072"


class OneSessionAWeek(RuleError):
    """The patient had a session less than a week ago."""

    code = "simulacres/one-session-a-week"
    rule = "SIM-073"
