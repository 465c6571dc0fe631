"""Everything of « worlds, creatures, commerce, gear, travel », for the system to declare."""

from __future__ import annotations

from . import (
    moves_beasts,
    moves_driving,
    moves_gear,
    moves_questions,
    moves_robots,
    moves_trade,
    moves_travel,
    moves_worlds,
)
from .examples_worlds import EXAMPLES
from .kinds_worlds import KINDS

__all__ = ["ENCOUNTERS", "EXAMPLES", "KINDS", "MOVES"]

MOVES = (
    *moves_worlds.MOVES, *moves_beasts.MOVES, *moves_trade.MOVES, *moves_driving.MOVES, *moves_robots.MOVES,
    *moves_gear.MOVES, *moves_questions.MOVES, *moves_travel.MOVES,
)
ENCOUNTERS = moves_questions.ENCOUNTERS
