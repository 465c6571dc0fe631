"""The sheets of a table as the game reads them, worked out once; why it does not, where it does not; and encounters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from paravent.dice.errors import ParaventError
from paravent.game import AnyKind, System, from_plain
from paravent.game.errors import STUMBLES
from paravent.game.records import Audience
from paravent.game.system import AnyEncounter
from paravent.game.upgrades import Written, fault_of

from .events import Sheet
from .state import Running, State

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


@dataclass(frozen=True)
class Begun:
    """An encounter as the rules have it: what the game declares of it, its state, who may know of it."""

    encounter: AnyEncounter
    state: Any
    audience: Audience


def encounter_read(state: State, system: System, number: int) -> Begun | None:
    """An encounter under way, as the game reads it; None where there is none, or it does not."""
    running = state.encounters.get(number)
    declared = system.encounters.get(running.encounter) if running is not None else None
    if running is None or declared is None:
        return None
    kept = _BEGUN.get(id(running))
    if kept is None or kept[0] is not running or kept[1] is not declared:
        kept = running, declared, _begun(running, declared)
        if len(_BEGUN) > 256:
            _BEGUN.clear()
        _BEGUN[id(running)] = kept
    return kept[2]


_BEGUN: dict[int, tuple[Running, AnyEncounter, Begun | None]] = {}


def _begun(running: Running, declared: AnyEncounter) -> Begun | None:
    try:
        return Begun(declared, from_plain(declared.state, running.state), frozenset(running.seen_by))
    except (ParaventError, *STUMBLES):
        return None
