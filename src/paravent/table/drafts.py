"""Sheets being written and not handed in yet: each seat's own, kept as they go, read by nobody else."""

from __future__ import annotations

from collections.abc import Mapping

from paravent.game import System
from paravent.game.plain import Plain

from . import commands as c
from . import events as e
from .deciding import Fresh, events_of, seat_number
from .state import State

NOTHING: Mapping[str, Plain] = {}


def draft_name(seat: str, of: str, number: int) -> str:
    """What a draft is kept under: one for each kind of record, and one for each act that asks for a sheet."""
    return f"{seat}/{of}/{number}"


def draft_of(state: State, seat: str, of: str, number: int = 0) -> Mapping[str, Plain]:
    """What a seat has written so far of a sheet; ``number`` is the table's, of the act that asks for it."""
    kept = state.drafts.get(draft_name(seat, of, number))
    return NOTHING if kept is None else kept.values


@events_of.register
def _(command: c.SaveDraft, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    system.kind(command.of)
    number = seat_number(state, command.seat, command.number) if command.number else 0
    if draft_of(state, command.seat, command.of, number) == command.values:
        return []
    kept = e.Draft(command.seat, command.of, command.values, act=number)
    return [e.DraftSaved(draft=draft_name(command.seat, command.of, number), kept=kept, audience=(command.seat,))]
