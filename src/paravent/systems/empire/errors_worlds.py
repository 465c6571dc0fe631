"""What Empire galactique refuses in worlds, trade and gear, one class a situation."""

from __future__ import annotations

from paravent.game import RuleError


class NoSuchSquare(RuleError):
    """A square is named by its column and row, from 0101 to 1010."""

    code = "empire/no-such-square"
    rule = "EGW-098"


class NothingThere(RuleError):
    """The square holds no planetary system."""

    code = "empire/nothing-there"
    rule = "EGW-022"


class NobodyThere(RuleError):
    """No people lives there."""

    code = "empire/nobody-there"
    rule = "EGW-032"


class NotThatMuch(RuleError):
    """The figure set by hand is not one that the dice could give."""

    code = "empire/not-that-much"
    rule = "EGW-032"


class NoBuyer(RuleError):
    """Nobody wants this good here."""

    code = "empire/no-buyer"
    rule = "EGW-108"


class BoughtHere(RuleError):
    """A good cannot be sold on the world where it was bought."""

    code = "empire/bought-here"
    rule = "EGW-108"


class NotOffered(RuleError):
    """The merchant has found no such good on this market."""

    code = "empire/not-offered"
    rule = "EGW-101"


class TooLittleMoney(RuleError):
    """The character has not so many credits."""

    code = "empire/too-little-money"
    rule = "EGW-107"


class TooFewLots(RuleError):
    """There are fewer lots aboard than that."""

    code = "empire/too-few-lots"
    rule = "EGW-108"


class NeedsSuitSkill(RuleError):
    """Armour and suits cannot be used without skill 54."""

    code = "empire/needs-suit-skill"
    rule = "EGW-126"


class NoConnection(RuleError):
    """A data bank is reached with a computer, from a navyborg ship or a world of the fourth level or more."""

    code = "empire/no-connection"
    rule = "EGW-127"


class NeedsRobotics(RuleError):
    """Only an owner with Robotics adds programmes."""

    code = "empire/needs-robotics"
    rule = "EGW-133"


class NeedsAProgramme(RuleError):
    """A logimec is bought with one programme."""

    code = "empire/needs-a-programme"
    rule = "EGW-131"


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
