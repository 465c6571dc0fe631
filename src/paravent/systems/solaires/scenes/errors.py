"""What the rules of this chapter refuse: one type a situation, worded in text/*.toml under its code."""

from __future__ import annotations

from paravent.game import RuleError


class AlreadyActed(RuleError):
    """Nobody acts a second time before everybody in the scene has started an action."""

    code = "solaires/already-acted"
    rule = "SOL-092"


class NotInTheScene(RuleError):
    """Whoever is named takes no part in the scene."""

    code = "solaires/not-in-the-scene"
    rule = "SOL-091"
