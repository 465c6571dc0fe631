"""The sheets of a table as the game reads them, worked out once; and why it does not, where it does not."""

from __future__ import annotations

from typing import Any

from paravent.dice.errors import ParaventError
from paravent.game import AnyKind, System
from paravent.game.errors import STUMBLES
from paravent.game.upgrades import Written, fault_of

from .events import Sheet

_RECORDS: dict[int, tuple[Sheet, AnyKind, Any]] = {}


def as_written(held: Sheet) -> Written:
    """A sheet as the game is given it."""
    return Written(held.kind, held.version, held.sheet, held.aside)


def record_read(held: Sheet, system: System) -> Any:
    """The record that a sheet holds, as the game reads it; None where it does not."""
    kind = system.kinds.get(held.kind)
    if kind is None:
        return None
    kept = _RECORDS.get(id(held))
    if kept is None or kept[0] is not held or kept[1] is not kind:
        try:
            kept = held, kind, None if held.version > kind.version else kind.from_plain(held.sheet)
        except (ParaventError, *STUMBLES):
            kept = held, kind, None
        if len(_RECORDS) > 2048:
            _RECORDS.clear()
        _RECORDS[id(held)] = kept
    return kept[2]


def record_fault(held: Sheet, system: System) -> ParaventError | None:
    """Why the game does not read the record that a sheet holds, if it does not."""
    return None if record_read(held, system) is not None else fault_of(system, as_written(held))
