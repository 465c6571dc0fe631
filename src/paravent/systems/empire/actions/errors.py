"""What is refused here, one class a situation; words stand under ``errors."empire/…"``."""

from __future__ import annotations

from paravent.game import RuleError


class NoSuchStep(RuleError):
    """A quick-rule difficulty is an even number from −10 to +10."""

    code = "empire/no-such-step"
    rule = "EMP-022"


class LockedSkill(RuleError):
    """This skill cannot be tried untrained."""

    code = "empire/locked-skill"
    rule = "EMP-059"


class OneRetryOnly(RuleError):
    """The table allows one retry only."""

    code = "empire/one-retry-only"
    rule = "EMP-055"


class NoLongerUnit(RuleError):
    """No longer unit of time is left to try again in."""

    code = "empire/no-longer-unit"
    rule = "EMP-055"


class NotOfThisSkill(RuleError):
    """A skill goes through three characteristics; this is none of them."""

    code = "empire/not-of-this-skill"
    rule = "EMP-060"
