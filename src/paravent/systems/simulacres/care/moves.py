"""Moves of care: conditions, ailments, wounds, minds; and time that passes."""

from __future__ import annotations

from . import moves_health, moves_time

MOVES = (*moves_health.MOVES, *moves_time.MOVES)
