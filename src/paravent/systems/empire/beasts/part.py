"""What this part declares to the game."""

from __future__ import annotations

from . import moves, moves_decks
from .examples import EXAMPLES
from .kinds import KINDS

__all__ = ["EXAMPLES", "KINDS", "MOVES"]

MOVES = (*moves.MOVES, *moves_decks.MOVES)
