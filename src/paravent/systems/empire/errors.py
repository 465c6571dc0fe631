"""What Empire galactique refuses in play, one class a situation; words stand under ``errors."empire/…"``."""

from __future__ import annotations

from paravent.game import RuleError


class NoWarningGiven(RuleError):
    """Scores are swapped only after a warning."""

    code = "empire/no-warning-given"
    rule = "EMP-006"


class SwapNotAllowed(RuleError):
    """The table swaps Charm and Willpower only."""

    code = "empire/swap-not-allowed"
    rule = "EMP-006"


class ClockOff(RuleError):
    """The table plays without encounters by the clock."""

    code = "empire/clock-off"
    rule = "EMP-013"


class NoSuchStep(RuleError):
    """A quick-rule difficulty is an even number from −10 to +10."""

    code = "empire/no-such-step"
    rule = "EMP-022"


class ScoreOutOfBounds(RuleError):
    """A characteristic lies between 2 and 12."""

    code = "empire/score-out-of-bounds"
    rule = "EMP-030"


class PointsLeft(RuleError):
    """The pool must be spent whole, and no more."""

    code = "empire/points-left"
    rule = "EMP-030"


class NoSuchSkill(RuleError):
    """A skill has two digits from 1 to 6."""

    code = "empire/no-such-skill"
    rule = "EMP-033"


class TermNotOver(RuleError):
    """School is left, and grades are given, at the end of a four-year term."""

    code = "empire/term-not-over"
    rule = "EMP-035"


class TooPoor(RuleError):
    """There is not enough money for this."""

    code = "empire/too-poor"
    rule = "EMP-037"


class PsiIsTaughtElsewhere(RuleError):
    """PSI skills are trained in a monastery, not at school."""

    code = "empire/psi-taught-elsewhere"
    rule = "EMP-167"


class NotAPreciseSuccess(RuleError):
    """Destiny is claimed after a precise success, made with three to five dice."""

    code = "empire/not-a-precise-success"
    rule = "EMP-044"


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


class NeedsAFormec(RuleError):
    """Robot combat cannot be tried untrained."""

    code = "empire/needs-combat-robot"
    rule = "EMP-115"


class OnlyPlayersPersuade(RuleError):
    """Only a player's character opens a verbal duel at this table."""

    code = "empire/only-players-persuade"
    rule = "EMP-120"


class NotUnderOrders(RuleError):
    """Only soldiers and disciplined citizens obey a command."""

    code = "empire/not-under-orders"
    rule = "EMP-141"


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


class TooHeavy(RuleError):
    """Nobody carries more than three times their Strength."""

    code = "empire/too-heavy"
    rule = "EMP-173"


class NoRetreatForThis(RuleError):
    """A retreat trains PSI skills that are owned and below six."""

    code = "empire/no-retreat-for-this"
    rule = "EMP-167"


class Unable(RuleError):
    """Nobody acts who is unconscious, dead or laid low."""

    code = "empire/unable"
    rule = "EMP-086"


class NotAtSchool(RuleError):
    """School years, grades and the money of leaving are for those who are at school."""

    code = "empire/not-at-school"
    rule = "EMP-035"


class AlreadyExamined(RuleError):
    """A term gives one step at most."""

    code = "empire/already-examined"
    rule = "EMP-035"


class NotAnOfficial(RuleError):
    """Administration works only on somebody who acts for an organisation."""

    code = "empire/not-an-official"
    rule = "EMP-144"
