"""What people do at the table in Solaires, declared once: every move, chapter by chapter."""

from __future__ import annotations

from dataclasses import replace

from .actions import moves_particular
from .actions.moves_action import ACTION, REACTION
from .network import moves as network
from .people import moves as people
from .points import moves as points
from .psi import moves as psi
from .scenes import moves as scenes

CHAPTERS = {
    "actions": (ACTION, REACTION, *moves_particular.MOVES),
    "points": points.MOVES,
    "scenes": scenes.MOVES,
    "network": network.MOVES,
    "psi": psi.MOVES,
    "people": people.MOVES,
}
MOVES = {move.id: replace(move, group=group) for group, moves in CHAPTERS.items() for move in moves}
ENCOUNTERS = {encounter.id: encounter for encounter in (scenes.ENCOUNTER, network.ENCOUNTER)}
