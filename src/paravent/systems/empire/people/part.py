"""What this part declares to the game."""

from __future__ import annotations

from . import moves_days, moves_growth, moves_referee
from .career import ENCOUNTERS
from .examples import EXAMPLES

__all__ = ["ENCOUNTERS", "EXAMPLES", "MOVES"]

MOVES = (*moves_growth.MOVES, *moves_referee.MOVES, *moves_days.MOVES)
