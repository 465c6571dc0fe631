"""Moves of combat, chapter by chapter: exchanges, harm, a whole fight, the warrior's way."""

from __future__ import annotations

from . import moves_damage, moves_exchange, moves_fight, moves_warriors
from .examples_combat import EXAMPLES
from .moves_exchange import ENCOUNTERS

MOVES = (*moves_exchange.MOVES, *moves_damage.MOVES, *moves_fight.MOVES, *moves_warriors.MOVES)

__all__ = ["ENCOUNTERS", "EXAMPLES", "MOVES"]
