"""What the rules of rolls refuse, one class a situation."""

from __future__ import annotations

from paravent.game import RuleError


class NoDie(RuleError):
    """Throwing no die is no throw: the action is not attempted."""

    code = "conteur/no-die"
    rule = "D10-004"


class NumberOfDice(RuleError):
    """A player may throw fewer dice than the pool, never more."""

    code = "conteur/number-of-dice"
    rule = "D10-004"


class EmptyPool(RuleError):
    """Energy was announced on a roll that would still have no die: nothing is spent."""

    code = "conteur/empty-pool"
    rule = "D10-006"


class IdleEnergy(RuleError):
    """Energy was announced for one more die, and fewer dice than allowed are thrown: the point would be wasted."""

    code = "conteur/idle-energy"
    rule = "D10-061"


class MissingSkill(RuleError):
    """The table does not let anyone act without the skill."""

    code = "conteur/missing-skill"
    rule = "D10-035"


class LuckIsNoTarget(RuleError):
    """Luck is a reserve of points, not an attribute one rolls on."""

    code = "conteur/luck-is-no-target"
    rule = "D10-029"


class NoCounterpart(RuleError):
    """A skill of interaction needs someone in front of the character."""

    code = "conteur/no-counterpart"
    rule = "D10-038"


class Unconscious(RuleError):
    """Someone unconscious, or dead, does not act."""

    code = "conteur/unconscious"
    rule = "D10-054"


class LimbLost(RuleError):
    """The action needs a limb that is lost."""

    code = "conteur/limb-lost"
    rule = "D10-042"


class TooManyEnergyDice(RuleError):
    """A human adds one die to a roll with energy, no more."""

    code = "conteur/too-many-energy-dice"
    rule = "D10-062"


class NoEnergyOnReflex(RuleError):
    """A reflex leaves no time to draw on one's energy."""

    code = "conteur/no-energy-on-reflex"
    rule = "D10-063"


class AgainstOneself(RuleError):
    """An opposed roll has two sides: nobody is their own opponent."""

    code = "conteur/against-oneself"
    rule = "D10-023"


class NotComplex(RuleError):
    """A complex action needs two successes at least."""

    code = "conteur/not-complex"
    rule = "D10-017"


class AlreadyBusy(RuleError):
    """The character is in the middle of another complex action: it must be finished or given up first."""

    code = "conteur/already-busy"
    rule = "D10-020"


class NotTheirAction(RuleError):
    """A complex action is pursued by whoever began it."""

    code = "conteur/not-their-action"
    rule = "D10-019"


class GivenUp(RuleError):
    """The sheet no longer carries this complex action: it was given up, and its successes are lost."""

    code = "conteur/given-up"
    rule = "D10-020"
