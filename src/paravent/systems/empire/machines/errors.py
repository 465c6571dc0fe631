"""What is refused here, one class a situation; words stand under ``errors."empire/…"``."""

from __future__ import annotations

from paravent.game import RuleError


class NeedsAFormec(RuleError):
    """Robot combat cannot be tried untrained."""

    code = "empire/needs-combat-robot"
    rule = "EMP-115"


class NoConnection(RuleError):
    """A data bank is reached with a computer, from a navyborg ship or a world of the fourth level or more."""

    code = "empire/no-connection"
    rule = "EGW-127"


class NeedsRobotics(RuleError):
    """Only an owner with Robotics adds programmes."""

    code = "empire/needs-robotics"
    rule = "EGW-133"


class LogimecsOnly(RuleError):
    """Programmes are for logimecs."""

    code = "empire/logimecs-only"
    rule = "EGW-133"


class AlreadyProgrammed(RuleError):
    """The robot has this programme already."""

    code = "empire/already-programmed"
    rule = "EGW-133"


class OnlyAtMeanSpeed(RuleError):
    """A navymec goes faster only with a navyborg plugged in."""

    code = "empire/only-at-mean-speed"
    rule = "EGW-134"


class NeedsNavyborg(RuleError):
    """Only a navyborg plugs into a navymec."""

    code = "empire/needs-navyborg"
    rule = "EGW-135"


class NoSuchProgramme(RuleError):
    """The robot was never given this programme."""

    code = "empire/no-such-programme"
    rule = "EGW-131"


class TooRough(RuleError):
    """Objects below the third level neither wear nor are repaired by skill."""

    code = "empire/too-rough"
    rule = "EGW-150"


class BeyondRepair(RuleError):
    """A scrapped object is not repaired."""

    code = "empire/beyond-repair"
    rule = "EGW-155"


class NothingToRepair(RuleError):
    """The object is whole."""

    code = "empire/nothing-to-repair"
    rule = "EGW-164"


class NoSpareParts(RuleError):
    """A repair takes a spare part for each point."""

    code = "empire/no-spare-parts"
    rule = "EGW-160"


class TooPrimitiveATown(RuleError):
    """A workshop stands where the world's level is the object's, at least."""

    code = "empire/too-primitive-a-town"
    rule = "EGW-163"


class TooAdvanced(RuleError):
    """What is made cannot be above the level of what is stripped."""

    code = "empire/too-advanced"
    rule = "EGW-170"


class AlreadyStripped(RuleError):
    """Nothing is left of a machine that was taken to pieces."""

    code = "empire/already-stripped"
    rule = "EGW-156"


class OutOfOrder(RuleError):
    """A broken machine cannot be used."""

    code = "empire/out-of-order"
    rule = "EGW-153"


class NamelessOutOfOrder(OutOfOrder):
    """The same, of one without a name."""

    code = "empire/object-out-of-order"
