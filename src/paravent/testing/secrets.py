"""The proof by difference on the examples of a game: another secret, and nobody who may not know it sees anything.

Each example is played at two tables, with the same dice, that differ in one secret: what is asked of the game master or
of one player alone, what is sealed, a hidden field of somebody's sheet, a hidden part of an encounter. Up to the dice,
everything that is sent to those who may not know is the same. What comes of the dice may follow from a secret, as the
game declares; but nowhere does the secret itself then stand, one value at one table and the other at the other: not in
what is said, not in an encounter, not on a sheet, unless the field is one that is ``written`` down. Where a number on a
sheet may be the same by chance, other dice are thrown.
"""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from typing import Any, NamedTuple

from paravent.dice import Choice, ParaventError
from paravent.dice.fair import KeyedFaces
from paravent.game import AnyField, Move, OneOf, System, Whole, from_plain, to_plain
from paravent.game.eyes import Eyes
from paravent.game.plain import Plain
from paravent.game.records import GM as THE_GM
from paravent.table import events as e
from paravent.table.hotseat import Hotseat
from paravent.table.knowing import may_know

from .lacks import Problems, lack

GM, PLAYER, OTHER, SPECTATOR = "gm", "player", "other", "spectator"
SEATS = {GM: GM, PLAYER: PLAYER, OTHER: PLAYER, SPECTATOR: SPECTATOR}
_AFTER = ("settled", "over")
_MOST_ANSWERS, _MOST_EXAMPLES = 12, 2


class Secret(NamedTuple):
    """Something that some may not know, with two values that it may have."""

    place: str
    """``field``, ``sheet`` or ``encounter``."""
    whose: str
    """The role that it is asked of, or whose sheet it stands on."""
    name: str
    one: Any
    other: Any
    readers: frozenset[str]
    """The seats that may know it."""


Pages = dict[str, dict[str, Plain]]
"""What each seat is sent, at each moment."""


def differences(system: System) -> Problems:
    """Where a page tells something of a secret to somebody who may not know it."""
    for move_id, examples in system.examples.items():
        move, tried = system.move(move_id), Counter[str]()
        for example in examples:
            for secret in _told_of(system, move, example):
                tried[secret.place + secret.name] += 1
                if tried[secret.place + secret.name] <= _MOST_EXAMPLES:
                    yield from _told(system, move, example, secret)


def _told(system: System, move: Move, example: Mapping[str, Any], secret: Secret) -> Problems:
    places = _places(system, move, example, secret, "twice")
    if all(when in _AFTER and _is_on_a_sheet(where) for when, where in places):  # perhaps by chance
        again = set(_places(system, move, example, secret, "once more")) if places else set()
        places = [place for place in places if place in again]
    for when, where in places[:1]:
        yield lack("secret", move=move.id, field=secret.name, one=to_plain(secret.one), other=to_plain(secret.other),
                   when=when, where=where)


def _places(
    system: System, move: Move, example: Mapping[str, Any], secret: Secret, seed: str
) -> list[tuple[str, str]]:
    """When, and where on somebody's page, a secret can be told, if the dice fall so."""
    first, second = (_pages(system, move, example, secret, value, seed) for value in (secret.one, secret.other))
    one, other = to_plain(secret.one), to_plain(secret.other)
    found = []
    for when in (moment for moment in first if moment in second):
        for seat in (seat for seat in SEATS if seat not in secret.readers):
            shown = list(_apart(first[when].get(seat), second[when].get(seat)))
            if when in _AFTER:
                shown = [row for row in shown if row[1:] == (one, other) and _is_told(row[0], move, secret)]
            found += [(when, row[0]) for row in shown]
    return found


def _is_on_a_sheet(path: str) -> bool:
    return path.startswith("records.") or ".changes" in path


def _is_told(path: str, move: Move, secret: Secret) -> bool:
    """Whether a value that stands there tells a secret, once the dice are read."""
    if _is_on_a_sheet(path):
        return secret.place != "field" or not move.field(secret.name, secret.whose).written
    return path.startswith(("moves.", "encounters.")) and (secret.place != "sheet" or path.endswith(secret.name))


def _apart(one: Plain, other: Plain, path: str = "") -> Iterator[tuple[str, Plain, Plain]]:
    """Where two pages are not the same, and what stands there."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in one.keys() | other.keys():
            if name not in one or name not in other:
                yield f"{path}.{name}".strip("."), one.get(name), other.get(name)
            else:
                yield from _apart(one[name], other[name], f"{path}.{name}".strip("."))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for at, (part, its) in enumerate(zip(one, other, strict=True)):
            yield from _apart(part, its, f"{path}[{at}]")
    elif one != other:
        yield path, one, other


# What is secret


def _told_of(system: System, move: Move, example: Mapping[str, Any]) -> Sequence[Secret]:
    try:
        return list(_secrets(system, move, example))
    except ParaventError:  # an example that is laid out wrongly: its other checks say why
        return ()


def _secrets(system: System, move: Move, example: Mapping[str, Any]) -> Iterator[Secret]:
    """The secrets of an example, each with two values."""
    roles = {THE_GM, *example.get("sheets", {}), *example.get("form", {})}
    for asked in move.fields:
        readers = {"gm": {GM}, "own": {GM, PLAYER}, "sealed": {PLAYER}}.get(asked.secrecy)
        values = _other_values(asked)
        if readers is not None and asked.role in roles and len(values) > 1:
            mine = {GM} if asked.role == THE_GM else readers
            yield Secret("field", asked.role, asked.id, values[0], values[-1], frozenset(mine))
    eyes = Eyes(SEATS, _owners(system, example))
    for role, sheet in example.get("sheets", {}).items():
        kind, record = _record(system, sheet)
        for name, audience in system.kind(kind).hidden.items():
            readers = {seat for seat in SEATS if eyes.may_see(seat, role, audience)}
            for other in _others(getattr(record, name, None)):
                yield Secret("sheet", role, name, getattr(record, name), other, frozenset(readers))
    state = _state(system, move, example)
    if state is not None:
        for name in system.encounters[move.encounter].hidden:
            for other in _others(getattr(state, name, None)):
                yield Secret("encounter", "", name, getattr(state, name), other, frozenset({GM}))


def _other_values(asked: AnyField) -> Sequence[Any]:
    if isinstance(asked.probes, tuple) and len(asked.probes) > 1:
        return asked.probes
    match asked.type:
        case Whole():
            return tuple(bound for bound in (asked.type.minimum, asked.type.maximum) if isinstance(bound, int))
        case OneOf() if not callable(asked.type.options):
            return tuple(asked.type.options)
    return ()  # a flag may itself say how much is shown


def _others(value: Any) -> tuple[Any, ...]:
    """Another value of the same kind, where one is easily told."""
    match value:
        case Enum():
            return tuple(other for other in type(value) if other is not value)[:1]
        case bool():
            return (not value,)
        case int():
            return (value + 1,)
        case str():
            return (f"{value}?",)
    return ()


# An example, played


def _pages(
    system: System, move: Move, example: Mapping[str, Any], secret: Secret, value: Any, seed: str
) -> Pages:
    """What everybody sees at each moment of an example played with one value; as far as it can be."""
    seen: Pages = {}
    with suppress(ParaventError):  # an example that cannot be laid out so: its other checks say why
        _play(system, move, example, secret, value, seed, seen)
    return seen


def _play(
    system: System, move: Move, example: Mapping[str, Any], secret: Secret, value: Any, seed: str, seen: Pages
) -> None:
    table = Hotseat(system, SEATS, example.get("options"), KeyedFaces.from_seed(f"{move.id} {seed}"))
    form = {role: dict(rows[0]) for role, rows in example.get("form", {}).items() if rows}
    judged = form.pop(THE_GM, {})
    later: dict[str, dict[str, Any]] = {THE_GM: judged} if judged else {}
    if secret.place == "field":
        form.get(secret.whose, {}).pop(secret.name, None)
        later.setdefault(secret.whose, {})[secret.name] = value
    cast: dict[str, list[str]] = {}
    owners = _owners(system, example)
    for role, sheet in example.get("sheets", {}).items():
        kind, record = _record(system, sheet)
        if (secret.place, secret.whose) == ("sheet", role):
            record = dataclasses.replace(record, **{secret.name: value})
        table.add(role, record, kind, owner=owners[role])
        cast[role] = [role]
    state = _state(system, move, example)
    if state is not None:
        if secret.place == "encounter":
            state = dataclasses.replace(state, **{secret.name: value})
        table.take_in([e.EncounterOpened(number=1, encounter=move.encounter, state=to_plain(state))])
        _look(table, seen, "opened")
    starter = GM if move.by == THE_GM else PLAYER
    number = table.start(starter, move.id, cast, form, 1 if state is not None else None)
    _look(table, seen, "opened")
    for role, values in later.items():
        table.fill(GM if role == THE_GM else PLAYER, number, values, role)
    _look(table, seen, "before")
    table.throw(starter, number)
    if secret.place != "field" or move.field(secret.name, secret.whose).secrecy != "sealed":  # else all are open now
        if secret.readers == {GM}:  # who else is asked may follow from what is a player's own
            _look_at_who_waits(table, seen, number)
        _go_on(table, number)
        _look(table, seen, "settled")
        if table.state.move(number).phase == "settled":
            table.accept(GM, number)
        _look(table, seen, "over")


def _look_at_who_waits(table: Hotseat, seen: Pages, number: int) -> None:
    """Who is asked as the rule goes on; whether changes then wait for the game master is told by the result."""
    state, act = table.state, table.state.move(number)
    waits: list[Plain] = [*sorted(table.waits_for(number))] if act.phase == "open" else []
    seen["awaited"] = {seat: waits if may_know(state.eyes_of(seat), seat, act) else [] for seat in SEATS}
    if table.moves[number].pending is not None:
        _look(table, seen, "asked")


def _go_on(table: Hotseat, number: int) -> None:
    """Whoever is asked answers with the first answer, until nothing is asked any more."""
    for _ in range(_MOST_ANSWERS):
        pending = table.moves[number].pending
        waits = sorted(table.waits_for(number))
        if not isinstance(pending, Choice) or not waits:
            return
        table.answer(waits[0], number, pending.options[0])


def _state(system: System, move: Move, example: Mapping[str, Any]) -> Any:
    """The encounter that an example is played in."""
    state = example.get("encounter") if move.encounter else None
    return from_plain(system.encounters[move.encounter].state, state) if isinstance(state, Mapping) else state


def _owners(system: System, example: Mapping[str, Any]) -> dict[str, str]:
    """Whose each sheet of an example is: the player's, unless only game masters may know of its kind."""
    kinds = {role: system.kind(_record(system, sheet)[0]) for role, sheet in example.get("sheets", {}).items()}
    return {role: PLAYER if "all" in kind.audience else GM for role, kind in kinds.items()}


def _record(system: System, sheet: Any) -> tuple[str, Any]:
    for kind in system.kinds.values():
        if isinstance(sheet, str) and sheet in kind.ready("fr"):
            return kind.id, kind.ready("fr")[sheet]
    kind = system.kind(sheet.get("kind", "character")) if isinstance(sheet, Mapping) else system.kind(sheet)
    return kind.id, kind.from_plain(sheet)


def _look(table: Hotseat, seen: Pages, when: str) -> None:
    seen[when] = {seat: json.loads(json.dumps(table.seen(seat), default=str)) for seat in SEATS}
