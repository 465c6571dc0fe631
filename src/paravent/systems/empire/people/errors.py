"""What is refused here, one class a situation; words stand under ``errors."empire/…"``."""

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


class TooHeavy(RuleError):
    """Nobody carries more than three times their Strength."""

    code = "empire/too-heavy"
    rule = "EMP-173"


class NotAtSchool(RuleError):
    """School years, grades and the money of leaving are for those who are at school."""

    code = "empire/not-at-school"
    rule = "EMP-035"


class AlreadyAtSchool(RuleError):
    """Whoever is at school leaves it before knocking at another door."""

    code = "empire/already-at-school"
    rule = "EMP-032"


class AlreadyExamined(RuleError):
    """A term gives one step at most."""

    code = "empire/already-examined"
    rule = "EMP-035"
