"""What the rules of this chapter refuse: one type a situation, worded in text/*.toml under its code."""

from __future__ import annotations

from paravent.game import RuleError


class PassOutOfOrder(RuleError):
    """A run goes through its four steps in order."""

    code = "solaires/pass-out-of-order"
    rule = "SOL-133"


class NothingPrepared(RuleError):
    """A breach carries out a list of instructions prepared beforehand: nothing is improvised."""

    code = "solaires/nothing-prepared"
    rule = "SOL-134"


class NotPublic(RuleError):
    """Search agents see public data only."""

    code = "solaires/not-public"
    rule = "SOL-131"


class NotAnInfomorph(RuleError):
    """Only a being without a body lives on a node."""

    code = "solaires/not-an-infomorph"
    rule = "SOL-160"
