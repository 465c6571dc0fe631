"""What the rules of this chapter refuse: one type a situation, worded in text/*.toml under its code."""

from __future__ import annotations

from paravent.game import RuleError


class IncompatibleBody(RuleError):
    """The mind cannot live there without a conversion."""

    code = "solaires/incompatible-body"
    rule = "SOL-151"


class UninhabitableBody(IncompatibleBody):
    """No conversion makes the mind live there."""

    code = "solaires/uninhabitable-body"


class NoSuchState(RuleError):
    """The character has no such state."""

    code = "solaires/no-such-state"
    rule = "SOL-106"


class BackupAsleep(RuleError):
    """A backup left in a cache wakes only if an agent watches over it and the cache was not wiped."""

    code = "solaires/backup-asleep"
    rule = "SOL-161"


class TooManyPoints(RuleError):
    """A new character has no more points than a new player begins with."""

    code = "solaires/too-many-points"
    rule = "SOL-107"


class ImplantWithoutSet(RuleError):
    """A psi implant opens one set of powers, chosen when the character is created."""

    code = "solaires/implant-without-set"
    rule = "SOL-141"
