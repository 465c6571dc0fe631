"""What this part declares to the game."""

from __future__ import annotations

from . import moves_speech, moves_talents
from .examples import EXAMPLES

__all__ = ["ENCOUNTERS", "EXAMPLES", "MOVES"]

MOVES = (*moves_speech.MOVES, *moves_talents.MOVES)
ENCOUNTERS = moves_speech.ENCOUNTERS
