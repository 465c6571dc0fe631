"""Corrections: the game master takes back a line of the log, and the log says so."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from paravent.game import System
from paravent.game.records import ALL, look

from . import commands as c
from . import events as e
from .deciding import Fresh, events_of, everyone_or, folded, gm_only, told_changes, touching
from .errors import NothingToUndo
from .records import given, removal, told_before_and_after
from .showing import turned_back
from .state import Item, State
from .view import Looking

_UNDOABLE = (
    "record-changed", "options-set", "scene-opened", "said", "record-added", "record-shown", "record-given",
    "record-removed", "throw-turned-over", "changed",
)


@events_of.register
def _(command: c.Correct, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    gm_only(state, command)
    looking = Looking(state, command.seat, system)
    mine = (item for item in state.log if item.heard.get(command.seat) == command.item)
    item = next((item for item in mine if not item.undone), None)
    if item is None or looking.line(item) is None:
        raise NothingToUndo()
    return _taken_back(state, item, command, system, fresh)


@events_of.register
def _(command: c.UndoLast, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    gm_only(state, command)
    looking = Looking(state, command.seat, system)
    item = next(
        (item for item in reversed(state.log)
         if not item.undone and item.event.get("type") in _UNDOABLE and looking.line(item) is not None), None,
    )
    if item is None:
        raise NothingToUndo()
    return _taken_back(state, item, command, system, fresh)


def _taken_back(state: State, item: Item, command: c.Command, system: System, fresh: Fresh) -> list[e.Event]:
    """A line of the log taken back: the events that undo what it told of, and the one that says so."""
    told = item.event
    back = told_changes(state, _undoing(state, item, command, system, fresh), system)
    what = e.Corrected(what=str(told["type"]), item=item.number, back=True)
    heard = {*item.heard, *state.eyes.masters} & set(state.eyes.seats)
    audience = (ALL,) if ALL in told["audience"] else everyone_or(state.eyes, heard)
    return [*back, *touching(folded(state, back), [replace(what, audience=audience)], system)]


def _undoing(state: State, item: Item, command: c.Command, system: System, fresh: Fresh) -> list[e.Event]:
    """The events that undo what a line told of; words said are only struck out."""
    told = item.event
    name = told.get("record", "")
    if name and told["type"] != "record-removed" and name not in state.records:
        raise NothingToUndo()
    match told.get("type"):
        case "record-changed" if look(state.records[name].sheet, told["path"]) == told["after"]:
            return [_change_back(name, told["path"], told["after"], told["before"])]
        case "options-set":
            return [_change_back("table", "rulings", told["rulings"], told["before"])]
        case "scene-opened":
            return [_change_back("table", path, getattr(state, path), told["before"].get(path, ""))
                    for path in ("episode", "scene")]
        case "said":
            return []
        case "record-added":
            return told_before_and_after(state, removal(state, name, back=True), system)
        case "record-removed":
            held = told["kept"]
            added = e.RecordAdded(
                record=name, kind=held["kind"], name=held["name"], sheet=held["sheet"], owner=held["owner"],
                seen_by=tuple(held["seen_by"]), back=True,
            )
            return told_before_and_after(state, added, system)
        case "record-shown":
            shown = e.RecordShown(
                record=name, seen_by=tuple(told["before"]), before=state.records[name].seen_by, back=True
            )
            return told_before_and_after(state, shown, system)
        case "record-given":
            return given(state, name, told["before"], system, back=True)
        case "throw-turned-over":
            return turned_back(state, told, item, system)
        case "changed":
            own = Looking(state, command.seat, system).own_number(told["move"])
            if own is not None:
                return events_of(c.Undo(seat=command.seat, number=own), state, system, fresh)
    raise NothingToUndo()


def _change_back(target: str, path: str, before: Any, after: Any) -> e.Changed:
    return e.Changed(changes=[{"target": target, "path": path, "before": before, "after": after}], back=True)
