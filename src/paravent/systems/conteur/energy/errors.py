"""What the rules of energy and luck refuse, one class a situation."""

from __future__ import annotations

from paravent.game import RuleError


class EnergyShort(RuleError):
    """More energy was to be spent than the gauge holds."""

    code = "conteur/energy-short"
    rule = "D10-059"


class LuckShort(RuleError):
    """More luck points were to be spent on the roll than are left."""

    code = "conteur/luck-short"
    rule = "D10-030"


class SceneCost(RuleError):
    """A scene costs 0, 1 or 2 points of energy."""

    code = "conteur/scene-cost"
    rule = "D10-058"
