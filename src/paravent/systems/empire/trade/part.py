"""What this part declares to the game."""

from __future__ import annotations

from . import moves_trade
from .examples import EXAMPLES
from .kinds import KINDS

__all__ = ["EXAMPLES", "KINDS", "MOVES"]

MOVES = (*moves_trade.MOVES,)
