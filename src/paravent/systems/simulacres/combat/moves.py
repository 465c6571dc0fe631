"""Moves of combat: exchanges, harm, a whole fight, the warrior's way."""

from __future__ import annotations

from . import moves_damage, moves_exchange, moves_fight, moves_warriors

MOVES = (*moves_exchange.MOVES, *moves_damage.MOVES, *moves_fight.MOVES, *moves_warriors.MOVES)
ENCOUNTERS = moves_exchange.ENCOUNTERS
