"""What this part declares to the game."""

from __future__ import annotations

from . import moves_driving, moves_gear, moves_machines, moves_questions, moves_robots
from .examples import EXAMPLES
from .kinds import KINDS

__all__ = ["ENCOUNTERS", "EXAMPLES", "KINDS", "MOVES"]

MOVES = (*moves_machines.MOVES, *moves_driving.MOVES, *moves_robots.MOVES, *moves_gear.MOVES, *moves_questions.MOVES)
ENCOUNTERS = moves_questions.ENCOUNTERS
