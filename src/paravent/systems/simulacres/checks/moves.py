"""Moves of tests: simple, automatic, secret, duels; inner conflicts, comparisons between friends, last chances."""

from __future__ import annotations

from . import moves_checks, moves_conflict

MOVES = (*moves_checks.MOVES, *moves_conflict.MOVES)
