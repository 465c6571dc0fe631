"""What the creation of a character refuses, one class a situation."""

from __future__ import annotations

from paravent.game import RuleError


class SkillTooHigh(RuleError):
    """A single skill does not exceed 5 at creation, unless the game master agrees."""

    code = "conteur/skill-too-high"
    rule = "D10-036"


class Unnamed(RuleError):
    """A character enters play with a name."""

    code = "conteur/unnamed"
    rule = "D10-027"


class OverBudget(RuleError):
    """The table creates characters on a budget, and this one is not on it."""

    code = "conteur/over-budget"
    rule = "D10-027"
