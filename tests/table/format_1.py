"""A table in the words of format 1, which kept acts as dictionaries: to compare with what that version wrote."""

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import UNSET, Struct

from paravent.table import events as e
from paravent.table.act import Act, ChoiceAsked, Key, Proposal, Throw
from paravent.table.state import Item, State

LATER: dict[type, tuple[str, ...]] = {
    Act: ("own_rulings",), Throw: ("version",), Key: ("grains", "begun_again"), Proposal: ("weight", "version"),
    ChoiceAsked: ("values",), e.Sheet: ("version", "aside"), e.RecordAdded: ("version", "aside"),
    e.Made: ("weight", "undone_by", "version"), State: ("settled", "endless"),
}
"""What format 1 did not know yet, by the class that has it now."""
EMPTY = (None, False, "", [], {}, "open", 0)
"""What format 1 left out."""


def whole(value: Any) -> Any:
    """Plain values with every name, whether or not something stands there; without what came later."""
    if isinstance(value, Struct):
        config = value.__struct_config__
        return _named(value, value.__struct_fields__) | ({config.tag_field: config.tag} if config.tag_field else {})
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _named(value, [part.name for part in dataclasses.fields(value)])
    if isinstance(value, Mapping):
        return {str(name): whole(part) for name, part in value.items()}
    return [whole(part) for part in value] if isinstance(value, (list, tuple)) else value


def _named(value: Any, names: Iterable[str]) -> dict[str, Any]:
    found = {name: getattr(value, name) for name in names if name not in LATER.get(type(value), ())}
    return {name: whole(part) for name, part in found.items() if part is not UNSET}


def state_of_1(state: State) -> dict[str, Any]:
    """The state as format 1 would have it."""
    return whole(state) | {
        "rulings": state.rulings,
        "moves": {str(number): _act(state, act) for number, act in state.moves.items()},
        "log": [_item(item) for item in state.log],
    }


def _act(state: State, act: Act) -> dict[str, Any]:
    records = [part for part in act.cast if part.has_sheet]
    return whole(act) | {
        "cast": [{"id": part.id, "role": part.role, "name": part.name} for part in act.cast],
        "sheets": {part.id: part.sheet for part in records},
        "kinds": {part.id: part.kind for part in records},
        "present": {part.id: list(part.seen_by) for part in records},
        "rulings": state.rulings_of(act),
    }


def _item(item: Item) -> dict[str, Any]:
    told = whole(item)
    said = {name: value for name, value in (told.pop("event") or {}).items() if name != "then"}
    return told | {"event": {**said, "audience": told.pop("audience"), **({"format": 1} if said else {})}}


def is_kept(kept: Any, now: Any) -> bool:
    """Whether everything that was kept is still there, and nothing was made up."""
    if isinstance(kept, dict) and isinstance(now, dict):
        names = {*kept, *now} - {"patch"}
        return all(is_kept(kept[name], now.get(name)) if name in kept else now[name] in EMPTY for name in names)
    if isinstance(kept, list) and isinstance(now, list):
        return len(kept) == len(now) and all(map(is_kept, kept, now))
    return type(kept) is type(now) and bool(kept == now)
