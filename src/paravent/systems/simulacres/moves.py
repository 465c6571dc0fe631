"""Everything people do in Simulacres."""

from __future__ import annotations

from dataclasses import replace

from . import (
    moves_checks,
    moves_combat,
    moves_conflict,
    moves_health,
    moves_people,
    moves_points,
    moves_time,
)

CHAPTERS = {
    "tests": (*moves_checks.MOVES, *moves_conflict.MOVES),
    "combat": moves_combat.MOVES,
    "care": (*moves_health.MOVES, *moves_time.MOVES),
    "people": (*moves_people.MOVES, *moves_points.MOVES),
}
MOVES = {move.id: replace(move, group=group) for group, moves in CHAPTERS.items() for move in moves}
ENCOUNTERS = moves_combat.ENCOUNTERS
