"""What people do at the table in Solaires, declared once: every move, chapter by chapter."""

from __future__ import annotations

from dataclasses import replace

from . import moves_network, moves_particular, moves_people, moves_points, moves_psi, moves_scene
from .moves_action import ACTION, REACTION

CHAPTERS = {
    "actions": (ACTION, REACTION, *moves_particular.MOVES),
    "points": moves_points.MOVES,
    "scenes": moves_scene.MOVES,
    "network": moves_network.MOVES,
    "psi": moves_psi.MOVES,
    "people": moves_people.MOVES,
}
MOVES = {move.id: replace(move, group=group) for group, moves in CHAPTERS.items() for move in moves}
ENCOUNTERS = {encounter.id: encounter for encounter in (moves_scene.ENCOUNTER, moves_network.ENCOUNTER)}
