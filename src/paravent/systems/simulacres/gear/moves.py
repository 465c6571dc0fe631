"""Moves of what people carry."""

from __future__ import annotations

from . import moves_gear

MOVES = moves_gear.MOVES
