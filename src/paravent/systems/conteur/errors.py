"""What the rules of Conteur D10 refuse, one class a situation."""

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


class EnergyShort(RuleError):
    """More energy was to be spent than the gauge holds."""

    code = "conteur/energy-short"
    rule = "D10-059"


class TooManyEnergyDice(RuleError):
    """A human adds one die to a roll with energy, no more."""

    code = "conteur/too-many-energy-dice"
    rule = "D10-062"


class NoEnergyOnReflex(RuleError):
    """A reflex leaves no time to draw on one's energy."""

    code = "conteur/no-energy-on-reflex"
    rule = "D10-063"


class LuckShort(RuleError):
    """More luck points were to be spent on the roll than are left."""

    code = "conteur/luck-short"
    rule = "D10-030"


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


class NoLuckAgainstWound(RuleError):
    """More levels were to be avoided than luck points are left, or than there are to avoid."""

    code = "conteur/no-luck-against-wound"
    rule = "D10-033"


class SceneCost(RuleError):
    """A scene costs 0, 1 or 2 points of energy."""

    code = "conteur/scene-cost"
    rule = "D10-058"


class NothingToHeal(RuleError):
    """The part is not wounded."""

    code = "conteur/nothing-to-heal"
    rule = "D10-065"


class TooSoon(RuleError):
    """A wound begins to heal the day after it was taken."""

    code = "conteur/too-soon"
    rule = "D10-066"


class TooMuchPaid(RuleError):
    """More was offered than healing the wound still costs."""

    code = "conteur/too-much-paid"
    rule = "D10-067"


class DailyLimit(RuleError):
    """Healing takes one point a day at most, two on a day of full rest."""

    code = "conteur/daily-limit"
    rule = "D10-069"


class LostForGood(RuleError):
    """A lost limb does not heal."""

    code = "conteur/lost-for-good"
    rule = "D10-043"


class NotLost(RuleError):
    """Only a lost limb is replaced."""

    code = "conteur/not-lost"
    rule = "D10-043"


class MortalWound(RuleError):
    """Energy does not heal a mortal wound."""

    code = "conteur/mortal-wound"
    rule = "D10-045"


class Dead(RuleError):
    """The dead do not wake up."""

    code = "conteur/dead"
    rule = "D10-045"


class SkillTooHigh(RuleError):
    """A single skill does not exceed 5 at creation, unless the game master agrees."""

    code = "conteur/skill-too-high"
    rule = "D10-036"


class OverBudget(RuleError):
    """The table creates characters on a budget, and this one is not on it."""

    code = "conteur/over-budget"
    rule = "D10-027"
