"""What is refused here, one class a situation; words stand under ``errors."empire/…"``."""

from __future__ import annotations

from paravent.game import RuleError


class PowerTooHigh(RuleError):
    """This power is above the level of its skill."""

    code = "empire/power-too-high"
    rule = "EMP-151"


class TooLongAConcentration(RuleError):
    """Concentration lasts skill level + priest grade minutes at most."""

    code = "empire/too-long-a-concentration"
    rule = "EMP-159"


class WillSpent(RuleError):
    """With no Willpower left there is no PSI before sleep."""

    code = "empire/will-spent"
    rule = "EMP-160"


class NotATelepath(RuleError):
    """Only a telepath answers an assault in kind."""

    code = "empire/not-a-telepath"
    rule = "EMP-158"


class NoRetreatForThis(RuleError):
    """A retreat trains PSI skills that are owned and below six."""

    code = "empire/no-retreat-for-this"
    rule = "EMP-167"
