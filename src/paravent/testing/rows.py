"""Whether the procedures that a game's specification lists are really served."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from paravent.game import System
from paravent.table.hotseat import Hotseat


def row_is_served(system: System, row: Mapping[str, Any]) -> bool:
    """Whether what the row names exists: a move, a step or a choice of one, what a table does, a part of the game."""
    kind, _, name = str(row.get("served_by", "")).partition(":")
    move_id, _, inner = name.partition(".")
    match kind:
        case "move":
            return name in system.moves
        case "step":
            return move_id in system.moves and any(step.id == inner for step in system.moves[move_id].steps)
        case "choice":
            return move_id in system.moves and system.words.knows(f"choices.{inner}")
        case "table":
            return callable(getattr(Hotseat, name, None))
        case "system":
            return getattr(system, name, None) is not None
        case _:
            return False
