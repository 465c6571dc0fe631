"""The proof by difference on the examples of a game: another secret, and nobody who may not know it sees anything."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from paravent.dice import ParaventError
from paravent.dice.fair import KeyedFaces
from paravent.game import AnyField, Move, OneOf, System, Whole
from paravent.table.hotseat import Hotseat

from .lacks import Problems, lack

GM, PLAYER, SPECTATOR = "gm", "player", "spectator"
SEATS = {GM: GM, PLAYER: PLAYER, SPECTATOR: SPECTATOR}


def differences(system: System) -> Problems:
    """Where a page tells something of a field that only the game master may know."""
    for move_id, examples in system.examples.items():
        move = system.move(move_id)
        hidden = [asked for asked in move.fields if asked.secrecy == "gm" and asked.role == "gm"]
        for asked in hidden if not move.encounter else ():
            values = _other_values(asked)
            for example in examples if len(values) > 1 else ():
                first, second = (_pages(system, move, example, asked, value) for value in (values[0], values[-1]))
                for when in first.keys() & second.keys():
                    if first[when] != second[when]:
                        yield lack("secret", move=move_id, field=asked.id, one=values[0], other=values[-1], when=when)


def _other_values(asked: AnyField) -> Sequence[Any]:
    if isinstance(asked.probes, tuple) and len(asked.probes) > 1:
        return asked.probes
    match asked.type:
        case Whole():
            return tuple(bound for bound in (asked.type.minimum, asked.type.maximum) if isinstance(bound, int))
        case OneOf() if not callable(asked.type.options):
            return tuple(asked.type.options)
    return ()  # a flag may itself say how much is shown


def _pages(system: System, move: Move, example: Mapping[str, Any], asked: AnyField, value: Any) -> dict[str, str]:
    """What those see who may not know, at each moment of an example played with one value; as far as it can be."""
    seen: dict[str, str] = {}
    try:
        table = Hotseat(system, SEATS, example.get("options"), KeyedFaces.from_seed(f"{move.id} twice"))
        form = {role: dict(rows[0]) for role, rows in example.get("form", {}).items() if rows}
        judged = {**form.pop("gm", {}), asked.id: value}
        cast: dict[str, list[str]] = {}
        for role, sheet in example.get("sheets", {}).items():
            kind, record = _record(system, sheet)
            table.add(role, record, kind, owner=PLAYER)
            cast[role] = [role]
        number = table.start(GM if move.by == "gm" else PLAYER, move.id, cast, form)
        _look(table, seen, "opened")
        table.fill(GM, number, judged, "gm")
        _look(table, seen, "before")
        table.throw(GM if move.by == "gm" else PLAYER, number)
        seen["awaited"] = ", ".join(sorted(table.waits_for(number)))
        if table.moves[number].pending is not None:
            _look(table, seen, "asked")
    except ParaventError:
        pass  # an example that cannot be laid out so: its other checks say why
    return seen


def _record(system: System, sheet: Any) -> tuple[str, Any]:
    for kind in system.kinds.values():
        if isinstance(sheet, str) and sheet in kind.ready("fr"):
            return kind.id, kind.ready("fr")[sheet]
    kind = system.kind(sheet.get("kind", "character")) if isinstance(sheet, Mapping) else system.kind(sheet)
    return kind.id, kind.from_plain(sheet)


def _look(table: Hotseat, seen: dict[str, str], when: str) -> None:
    pages = [table.seen(seat) for seat in (PLAYER, SPECTATOR)]
    seen[when] = json.dumps(pages, default=str, sort_keys=True)
