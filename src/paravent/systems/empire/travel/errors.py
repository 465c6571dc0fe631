"""What is refused here, one class a situation; words stand under ``errors."empire/…"``."""

from __future__ import annotations

from paravent.game import RuleError


class NothingThere(RuleError):
    """The square holds no planetary system."""

    code = "empire/nothing-there"
    rule = "EGW-022"


class NeedsSuitSkill(RuleError):
    """Armour and suits cannot be used without skill 54."""

    code = "empire/needs-suit-skill"
    rule = "EGW-126"


class BargesOnly(RuleError):
    """Small routes are for barges and official ships."""

    code = "empire/barges-only"
    rule = "EGW-097"


class NoRoute(RuleError):
    """No route leads there, and the table leaves such journeys to the game master."""

    code = "empire/no-route"
    rule = "EGW-097"


class Weightless(RuleError):
    """Nobody walks where nothing weighs."""

    code = "empire/weightless"
    rule = "EGW-026"


class NoSuchWorld(RuleError):
    """No world of that name, code or square is on the map."""

    code = "empire/no-such-world"
    rule = "EGW-091"
