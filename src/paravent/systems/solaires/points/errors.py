"""What the rules of this chapter refuse: one type a situation, worded in text/*.toml under its code."""

from __future__ import annotations

from paravent.game import RuleError


class NotEnoughPoints(RuleError):
    """A player cannot spend more points than he has."""

    code = "solaires/not-enough-points"
    rule = "SOL-112"


class BelowMinimum(RuleError):
    """The game master may raise a cost, never go below its minimum."""

    code = "solaires/below-minimum"
    rule = "SOL-112"


class FixedCost(RuleError):
    """This cost is fixed."""

    code = "solaires/fixed-cost"
    rule = "SOL-112"


class UseCannotAlterCharacter(RuleError):
    """Only a link, a creation or a flashback may alter the character."""

    code = "solaires/use-cannot-alter-character"
    rule = "SOL-123"


class SurchargeRequired(RuleError):
    """Altering the character costs one or two points more."""

    code = "solaires/surcharge-required"
    rule = "SOL-123"


class NoSurcharge(RuleError):
    """There is no surcharge where the character is not altered."""

    code = "solaires/no-surcharge"
    rule = "SOL-123"


class ContradictsPlay(RuleError):
    """What is added may not contradict what was played."""

    code = "solaires/contradicts-play"
    rule = "SOL-123"


class PooledShort(RuleError):
    """The points put together do not make up the cost."""

    code = "solaires/pooled-short"
    rule = "SOL-112"


class NoPooling(RuleError):
    """At this table points are not put together."""

    code = "solaires/no-pooling"
    rule = "SOL-112"


class NotASeries(RuleError):
    """Episodes count only in a series."""

    code = "solaires/not-a-series"
    rule = "SOL-111"
