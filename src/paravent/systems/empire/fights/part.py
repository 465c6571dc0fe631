"""What this part declares to the game."""

from __future__ import annotations

from . import moves_care, moves_fight, moves_hands, moves_melee, moves_range
from .examples import EXAMPLES

__all__ = ["ENCOUNTERS", "EXAMPLES", "MOVES"]

MOVES = (*moves_fight.MOVES, *moves_melee.MOVES, *moves_hands.MOVES, *moves_range.MOVES, *moves_care.MOVES)
ENCOUNTERS = moves_fight.ENCOUNTERS
