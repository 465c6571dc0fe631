"""Everything people do in Simulacres, part by part."""

from __future__ import annotations

from dataclasses import replace

from .care import moves as care
from .checks import moves as checks
from .combat import moves as combat
from .gear import moves as gear
from .people import moves as people

PARTS = {"tests": checks.MOVES, "combat": combat.MOVES, "care": care.MOVES, "people": people.MOVES,
         "gear": gear.MOVES}
MOVES = {move.id: replace(move, group=group) for group, moves in PARTS.items() for move in moves}
ENCOUNTERS = combat.ENCOUNTERS
