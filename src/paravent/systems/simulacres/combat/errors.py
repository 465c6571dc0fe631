"""What Simulacres refuses in a fight."""

from __future__ import annotations

from paravent.game import RuleError


class NotAnOpponent(RuleError):
    """A fighter strikes or watches somebody who is not an opponent still standing."""

    code = "simulacres/not-an-opponent"
    rule = "SIM-046"


class TooManyDefended(RuleError):
    """Nobody defends against more than three opponents at once."""

    code = "simulacres/too-many-defended"
    rule = "SIM-049"


class TargetNotDefended(RuleError):
    """Whom one strikes is one of those against whom one defends."""

    code = "simulacres/target-not-defended"
    rule = "SIM-047"


class NotARangedWeapon(RuleError):
    """A shot needs a weapon that strikes from afar."""

    code = "simulacres/not-a-ranged-weapon"
    rule = "SIM-037"


class EmptyWeapon(RuleError):
    """A weapon without a shot left in it does not shoot."""

    code = "simulacres/empty-weapon"
    rule = "SIM-037"


class OutOfTheFight(RuleError):
    """The dead, the unconscious and the mad do not fight."""

    code = "simulacres/out-of-the-fight"
    rule = "SIM-061"


class OneSide(RuleError):
    """A fight takes two sides at least."""

    code = "simulacres/one-side"
    rule = "SIM-033"


class TooManyBlows(RuleError):
    """More blows were declared than the weapon and its talent allow."""

    code = "simulacres/too-many-blows"
    rule = "SIM-B05"


class TalentNeeded(RuleError):
    """A shield protects only those who learned to use it."""

    code = "simulacres/talent-needed"
    rule = "SIM-B06"
