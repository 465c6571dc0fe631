"""A table in the words of format 1, which kept acts as dictionaries: to compare with what that version wrote."""

import dataclasses
from collections.abc import Mapping
from typing import Any

from msgspec import NODEFAULT, UNSET, Struct, structs

from paravent.table.act import Act
from paravent.table.state import Item, State


class Told(dict[str, Any]):
    """Something by the names of its parts; ``usual`` are those at which only what is usual stands."""

    usual: frozenset[str] = frozenset()


def whole(value: Any) -> Any:
    """Plain values with every name, whether or not something stands there."""
    if isinstance(value, Struct):
        config = value.__struct_config__
        tag = {config.tag_field: config.tag} if config.tag_field else {}
        return _named(value, {part.encode_name: part for part in structs.fields(value)}, tag)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        compared = (part for part in dataclasses.fields(value) if part.compare)  # not what is only remembered for pages
        return _named(value, {part.name: part for part in compared}, {})
    if isinstance(value, Mapping):
        return {str(name): whole(part) for name, part in value.items()}
    return [whole(part) for part in value] if isinstance(value, (list, tuple)) else value


def _named(value: Any, parts: Mapping[str, Any], tag: dict[str, Any]) -> Told:
    values = {name: getattr(value, part.name) for name, part in parts.items()}
    told = Told({name: whole(found) for name, found in values.items() if found is not UNSET} | tag)
    told.usual = frozenset(name for name, part in parts.items() if values[name] == _usual(part))
    return told


def _usual(part: Any) -> Any:
    """What stands in a field when nothing is said of it; the field itself, of one that must be said."""
    if part.default not in (NODEFAULT, dataclasses.MISSING):
        return part.default
    return part if part.default_factory in (NODEFAULT, dataclasses.MISSING) else part.default_factory()


def state_of_1(state: State) -> dict[str, Any]:
    """The state as format 1 would have it."""
    return _with(whole(state), {
        "rulings": state.rulings,
        "moves": {str(number): _act(state, act) for number, act in state.moves.items()},
        "log": [_item(item) for item in state.log],
    })


def _act(state: State, act: Act) -> dict[str, Any]:
    records = [part for part in act.cast if part.has_sheet]
    return _with(whole(act), {
        "cast": [{"id": part.id, "role": part.role, "name": part.name} for part in act.cast],
        "sheets": {part.id: part.sheet for part in records},
        "kinds": {part.id: part.kind for part in records},
        "present": {part.id: list(part.seen_by) for part in records},
        "rulings": state.rulings_of(act),
    })


def _item(item: Item) -> dict[str, Any]:
    told, said = whole(item), whole(item.event) or {}
    said.pop("then", None)
    event = {"audience": told.pop("audience")} | ({"format": 1} if said else {})
    return _with(told, {"event": _with(said, event)})


def _with(told: Any, more: dict[str, Any]) -> Any:
    told.update(more)
    return told


def is_kept(kept: Any, now: Any) -> bool:
    """Whether everything that was kept is still there, and what came since is as usual: nothing was made up."""
    if isinstance(kept, dict) and isinstance(now, dict):
        came = {*now} - {*kept}
        return came <= getattr(now, "usual", set()) and all(
            is_kept(part, now.get(name)) for name, part in kept.items() if name != "patch")
    if isinstance(kept, list) and isinstance(now, list):
        return len(kept) == len(now) and all(map(is_kept, kept, now))
    return type(kept) is type(now) and bool(kept == now)
