"""What people do at the table in Solaires, declared once: every move, chapter by chapter."""

from __future__ import annotations

from dataclasses import replace

from .actions import moves as action_moves
from .actions import reveal, world_moves
from .network import infomorph_moves, run_moves, search_moves
from .people import body_moves, sheet_moves, state_moves
from .points import moves as point_moves
from .psi import moves as psi_moves
from .scenes import action_scene_moves, time_moves

CHAPTERS = {
    "actions": (*action_moves.MOVES, *world_moves.MOVES, *reveal.MOVES),
    "points": point_moves.MOVES,
    "scenes": (*action_scene_moves.MOVES, *time_moves.MOVES),
    "network": (*search_moves.MOVES, *run_moves.MOVES, *infomorph_moves.MOVES),
    "psi": psi_moves.MOVES,
    "people": (*sheet_moves.MOVES, *state_moves.MOVES, *body_moves.MOVES),
}
MOVES = {move.id: replace(move, group=group) for group, moves in CHAPTERS.items() for move in moves}
ENCOUNTERS = {encounter.id: encounter for encounter in (action_scene_moves.ENCOUNTER, run_moves.ENCOUNTER)}
