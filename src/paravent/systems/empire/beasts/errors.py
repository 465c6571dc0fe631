"""What is refused here, one class a situation; words stand under ``errors."empire/…"``."""

from __future__ import annotations

from paravent.game import RuleError


class NothingToTell(RuleError):
    """No card of the deck is left that nobody has heard."""

    code = "empire/nothing-to-tell"
    rule = "EGW-007"


class NothingToPay(RuleError):
    """No errand of the deck was asked for and is still to be done."""

    code = "empire/nothing-to-pay"
    rule = "EGW-007"
