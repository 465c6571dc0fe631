"""What Simulacres refuses of things carried, used up, bought and sold."""

from __future__ import annotations

from paravent.game import RuleError


class NothingToLoad(RuleError):
    """Nothing carried goes into this weapon, or it is full."""

    code = "simulacres/nothing-to-load"


class NotCarried(RuleError):
    """Nobody uses or sells what they have not, or not so much of it."""

    code = "simulacres/not-carried"


class TooLittleMoney(RuleError):
    """Nobody pays more than they have."""

    code = "simulacres/too-little-money"
