"""What is refused here, one class a situation; words stand under ``errors."empire/…"``."""

from __future__ import annotations

from paravent.game import RuleError


class OutOfReach(RuleError):
    """This weapon cannot be used at this distance in close combat."""

    code = "empire/out-of-reach"
    rule = "EMP-078"


class TooManyAttackers(RuleError):
    """No more attackers have room around one fighter here."""

    code = "empire/too-many-attackers"
    rule = "EMP-092"


class NotThrowable(RuleError):
    """This weapon has no range and cannot be thrown."""

    code = "empire/not-throwable"
    rule = "EMP-100"


class NotReady(RuleError):
    """A weapon is drawn and loaded before it is used."""

    code = "empire/not-ready"
    rule = "EMP-072"


class NoLineOfSight(RuleError):
    """A shot needs a straight line free of obstacles."""

    code = "empire/no-line-of-sight"
    rule = "EMP-071"


class Unable(RuleError):
    """Nobody acts who is unconscious, dead or laid low."""

    code = "empire/unable"
    rule = "EMP-086"
