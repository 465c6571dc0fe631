"""The table as a game master sees it through a player's eyes: what the player sees, but for what is theirs alone.

What somebody seals, whispers to others than the game masters, is writing or notes for themselves stays theirs.
"""

from __future__ import annotations

from dataclasses import replace

from msgspec.structs import replace as rewritten

from paravent.game.records import ALL, GM

from . import events as e
from .act import Act
from .knowing import may_read
from .state import Item, State


def watched(state: State, seat: str) -> State:
    """A table without what a seat keeps from the game masters."""
    return replace(
        state,
        log=tuple(item for item in state.log if not _is_whispered(item, state)),
        moves={number: _unsealed(act, state, seat) for number, act in state.moves.items()},
        drafts={name: draft for name, draft in state.drafts.items() if draft.seat != seat},
        notes={name: text for name, text in state.notes.items() if name != seat},
    )


def _is_whispered(item: Item, state: State) -> bool:
    return isinstance(item.event, e.Said) and not {ALL, GM, *state.eyes.masters} & set(item.audience)


def _unsealed(act: Act, state: State, seat: str) -> Act:
    """An act as if the seat had not yet said what no game master may read."""
    eyes = state.eyes_of(seat)
    master = next(iter(eyes.masters), "")
    fields = tuple(
        row for row in act.fields
        if not may_read(eyes, seat, row.actor, row.secrecy, row.field in act.revealed)
        or may_read(eyes, master, row.actor, row.secrecy, row.field in act.revealed)
    )
    return act if len(fields) == len(act.fields) else rewritten(act, fields=fields)
