"""What this part declares to the game."""

from __future__ import annotations

from .examples import EXAMPLES
from .moves import ADJUST_ENERGY, EAT, END_OF_SCENE, NEW_DAY, REFUND_LUCK, SLEEP

__all__ = ["EXAMPLES", "MOVES"]

MOVES = (END_OF_SCENE, SLEEP, EAT, ADJUST_ENERGY, NEW_DAY, REFUND_LUCK)
