"""What is refused here, one class a situation; words stand under ``errors."empire/…"``."""

from __future__ import annotations

from paravent.game import RuleError


class NoBuyer(RuleError):
    """Nobody wants this good here."""

    code = "empire/no-buyer"
    rule = "EGW-108"


class BoughtHere(RuleError):
    """A good cannot be sold on the world where it was bought."""

    code = "empire/bought-here"
    rule = "EGW-108"


class TooLittleMoney(RuleError):
    """The character has not so many credits."""

    code = "empire/too-little-money"
    rule = "EGW-107"


class TooFewLots(RuleError):
    """There are fewer lots aboard than that."""

    code = "empire/too-few-lots"
    rule = "EGW-108"


class ArmsRefused(RuleError):
    """Arms that are declared do not leave for a world below their level."""

    code = "empire/arms-refused"
    rule = "EGW-111"


class HoldFull(RuleError):
    """The hold has not so much room."""

    code = "empire/hold-full"
    rule = "EGW-080"


class NoPrice(RuleError):
    """An object that is in no list has no price before the game master or the dice say one."""

    code = "empire/no-price"
    rule = "EGW-103"


class NoMap(RuleError):
    """There is no map to read."""

    code = "empire/no-map"
    rule = "EGW-090"
