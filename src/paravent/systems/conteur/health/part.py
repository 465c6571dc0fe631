"""What this part declares to the game."""

from __future__ import annotations

from .examples import EXAMPLES
from .moves import HEAL, INFLICT_WOUND, REPLACE_A_LIMB, WAKE_UP_OR_DIE

__all__ = ["EXAMPLES", "MOVES"]

MOVES = (INFLICT_WOUND, HEAL, REPLACE_A_LIMB, WAKE_UP_OR_DIE)
