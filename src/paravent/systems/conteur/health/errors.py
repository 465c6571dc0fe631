"""What the rules of wounds and healing refuse, one class a situation."""

from __future__ import annotations

from paravent.game import RuleError


class NoLuckAgainstWound(RuleError):
    """More levels were to be avoided than luck points are left, or than there are to avoid."""

    code = "conteur/no-luck-against-wound"
    rule = "D10-033"


class NothingToHeal(RuleError):
    """The part is not wounded."""

    code = "conteur/nothing-to-heal"
    rule = "D10-065"


class TooSoon(RuleError):
    """A wound begins to heal the day after it was taken."""

    code = "conteur/too-soon"
    rule = "D10-066"


class TooMuchPaid(RuleError):
    """More was offered than healing the wound still costs."""

    code = "conteur/too-much-paid"
    rule = "D10-067"


class DailyLimit(RuleError):
    """Healing takes one point a day at most, two on a day of full rest."""

    code = "conteur/daily-limit"
    rule = "D10-069"


class LostForGood(RuleError):
    """A lost limb does not heal."""

    code = "conteur/lost-for-good"
    rule = "D10-043"


class NotLost(RuleError):
    """Only a lost limb is replaced."""

    code = "conteur/not-lost"
    rule = "D10-043"


class MortalWound(RuleError):
    """Energy does not heal a mortal wound."""

    code = "conteur/mortal-wound"
    rule = "D10-045"


class Dead(RuleError):
    """The dead do not wake up."""

    code = "conteur/dead"
    rule = "D10-045"
