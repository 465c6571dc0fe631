"""Everything people do in Simulacres."""

from __future__ import annotations

from . import moves_checks, moves_combat, moves_health, moves_people

ALL = (*moves_checks.MOVES, *moves_combat.MOVES, *moves_health.MOVES, *moves_people.MOVES)
MOVES = {move.id: move for move in ALL}
ENCOUNTERS = moves_combat.ENCOUNTERS
