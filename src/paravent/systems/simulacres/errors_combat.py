"""What Simulacres refuses in a fight and in its optional rules, one class a situation."""

from __future__ import annotations

from paravent.game import RuleError, Rulings


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


class OutOfTheFight(RuleError):
    """The dead, the unconscious and the mad do not fight."""

    code = "simulacres/out-of-the-fight"
    rule = "SIM-061"


class OneSide(RuleError):
    """A fight takes two sides at least."""

    code = "simulacres/one-side"
    rule = "SIM-033"


class OptionOff(RuleError):
    """The table does not play with this optional rule."""

    code = "simulacres/option-off"
    rule = "SIM-A01"


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


class TooManyBlows(RuleError):
    """More blows were declared than the weapon and its talent allow."""

    code = "simulacres/too-many-blows"
    rule = "SIM-B05"


class TalentNeeded(RuleError):
    """A shield protects only those who learned to use it."""

    code = "simulacres/talent-needed"
    rule = "SIM-B06"


def needs(option: str, rule_id: str, rulings: Rulings) -> None:
    """Refuse what an option that is off would allow."""
    if rulings[option] == "off":
        raise OptionOff(rule_id, option=option)
