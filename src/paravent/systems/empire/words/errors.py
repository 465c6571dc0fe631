"""What is refused here, one class a situation; words stand under ``errors."empire/…"``."""

from __future__ import annotations

from paravent.game import RuleError


class OnlyPlayersPersuade(RuleError):
    """Only a player's character opens a verbal duel at this table."""

    code = "empire/only-players-persuade"
    rule = "EMP-120"


class NotUnderOrders(RuleError):
    """Only soldiers and disciplined citizens obey a command."""

    code = "empire/not-under-orders"
    rule = "EMP-141"


class NotAnOfficial(RuleError):
    """Administration works only on somebody who acts for an organisation."""

    code = "empire/not-an-official"
    rule = "EMP-144"
