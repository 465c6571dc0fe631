"""What the rules of this chapter refuse: one type a situation, worded in text/*.toml under its code."""

from __future__ import annotations

from paravent.game import RuleError


class NoOrganicBrain(RuleError):
    """A psi implant works in the nerve cells of an organic brain only."""

    code = "solaires/no-organic-brain"
    rule = "SOL-140"


class NoImplant(RuleError):
    """Without a psi implant and its power set there is nothing to use."""

    code = "solaires/no-implant"
    rule = "SOL-141"


class AlreadyMaintaining(RuleError):
    """While an effect is maintained, no other capacity but perception is open."""

    code = "solaires/already-maintaining"
    rule = "SOL-146"


class NothingMaintained(RuleError):
    """There is no maintained effect to release."""

    code = "solaires/nothing-maintained"
    rule = "SOL-146"
