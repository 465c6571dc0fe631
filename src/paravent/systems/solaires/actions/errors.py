"""What the rules of this chapter refuse: one type a situation, worded in text/*.toml under its code."""

from __future__ import annotations

from paravent.game import RuleError


class MoreThanTwo(RuleError):
    """More elements were chosen than an action may use."""

    code = "solaires/more-than-two"
    rule = "SOL-033"


class SecondNeedsTypicalFirst(RuleError):
    """Two elements were chosen although the action is typical of neither (in v4: of none of one's own)."""

    code = "solaires/second-needs-typical-first"
    rule = "SOL-032"


class FirstElementMustBeOwn(RuleError):
    """In v4 only the second element may be lent."""

    code = "solaires/first-element-must-be-own"
    rule = "SOL-034"


class NothingToBorrow(RuleError):
    """In v4 one borrows from a character who helps, not from a thing."""

    code = "solaires/nothing-to-borrow"
    rule = "SOL-034"


class OneElementPerHelper(RuleError):
    """A helper lends one element, not two."""

    code = "solaires/one-element-per-helper"
    rule = "SOL-070"


class InitiatorMustContribute(RuleError):
    """At this table one of the elements must be the initiator's."""

    code = "solaires/initiator-must-contribute"
    rule = "SOL-070"


class SameCharacter(RuleError):
    """The two elements of a group action come from two different characters."""

    code = "solaires/same-character"
    rule = "SOL-071"


class SameElementTwice(RuleError):
    """The same element cannot fill both places."""

    code = "solaires/same-element-twice"
    rule = "SOL-036"


class UnfavourableNotUsable(RuleError):
    """In v5 an element that hinders the action cannot be used for its score."""

    code = "solaires/unfavourable-not-usable"
    rule = "SOL-060"


class ElementRequired(RuleError):
    """At this table nobody acts without an element that fits."""

    code = "solaires/element-required"
    rule = "SOL-030"


class ScoreOutOfScale(RuleError):
    """A score goes from 1 to 3."""

    code = "solaires/score-out-of-scale"
    rule = "SOL-104"


class NoSuchElement(RuleError):
    """The sheet has no element of this name."""

    code = "solaires/no-such-element"
    rule = "SOL-031"


class OffTheScale(RuleError):
    """A scale of difficulty goes from -4 to +4."""

    code = "solaires/off-the-scale"
    rule = "SOL-021"


class NoHalfStep(RuleError):
    """At this table the values between two levels are not used."""

    code = "solaires/no-half-step"
    rule = "SOL-021"


class AttitudeNotAllowed(RuleError):
    """The game master does not allow this attitude for this action."""

    code = "solaires/attitude-not-allowed"
    rule = "SOL-047"


class AttitudeRequired(RuleError):
    """Stable is not allowed and several attitudes are left: one must be chosen."""

    code = "solaires/attitude-required"
    rule = "SOL-047"


class OnlyStatesHandicap(RuleError):
    """Only a state may be declared as a handicap."""

    code = "solaires/only-states-handicap"
    rule = "SOL-061"


class HelpfulAndHandicap(RuleError):
    """A state that helps the action is not a handicap of the same action."""

    code = "solaires/helpful-and-handicap"
    rule = "SOL-064"


class NotInThisEdition(RuleError):
    """The rule belongs to the other edition."""

    code = "solaires/not-in-this-edition"
    rule = "SOL-001"


class GroupOfOne(RuleError):
    """A group action takes at least two."""

    code = "solaires/group-of-one"
    rule = "SOL-071"


class OnlyBetweenPlayers(RuleError):
    """Opposition is for two players' characters."""

    code = "solaires/only-between-players"
    rule = "SOL-080"


class GameMasterDoesNotRoll(RuleError):
    """Nobody rolls for the game master's people: they act through what the players' actions bring about."""

    code = "solaires/game-master-does-not-roll"
    rule = "SOL-073"


class OffTopic(RuleError):
    """The game master ruled the element out: it has nothing to do with the action."""

    code = "solaires/off-topic"
    rule = "SOL-037"
