"""What this part declares to the game."""

from __future__ import annotations

from . import moves
from .examples import EXAMPLES

__all__ = ["EXAMPLES", "MOVES"]

MOVES = (*moves.MOVES,)
