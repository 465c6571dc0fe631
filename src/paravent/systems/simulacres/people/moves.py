"""Moves of people: made, followed, and grown by their adventures."""

from __future__ import annotations

from . import favourites, moves_people, moves_points

MOVES = (*moves_people.MOVES, *favourites.MOVES, *moves_points.MOVES)
