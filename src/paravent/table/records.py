"""Records: characters, people and things brought to the table, changed by hand, shown, given and taken away."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any

from msgspec.structs import replace

from paravent.dice import SeededDice
from paravent.dice.errors import ParaventError
from paravent.game import AnyKind, Audience, BadValue, NotYours, System, UnknownName, apply, to_plain
from paravent.game.errors import LaterVersion
from paravent.game.eyes import is_poll
from paravent.game.plain import Plain
from paravent.game.records import ALL, GM, look
from paravent.game.telling import Teller
from paravent.game.upgrades import Written, fault_of, upgraded

from . import commands as c
from . import events as e
from . import limits
from .deciding import Fresh, as_one, events_of, everyone_or, folded, gm_only, known_seat, touching
from .errors import OtherGame
from .evolve import evolve
from .limits import LONGEST_NAME, no_more_than, short
from .seats import unsealed_again
from .state import State
from .view import Looking


def visible_records(state: State, seat: str) -> list[str]:
    """The records that a seat may know of."""
    eyes = state.eyes_of(seat)
    return [name for name, held in state.records.items() if eyes.may_see(seat, name, {"owner", *held.seen_by})]


def known_record(state: State, seat: str, record: str) -> None:
    """Refuse the name of a record that a seat may not know of, as if it were not there."""
    visible = visible_records(state, seat)
    if record not in visible:
        raise UnknownName("record", record, visible)


def seeing(state: State, record: str, audience: Iterable[str] = (ALL,)) -> tuple[str, ...]:
    """The audience of what concerns a record: those who may see it, and, of them, those who see a field of it."""
    eyes = state.eyes
    seen_by = {"owner", *state.records[record].seen_by}
    field_seen_by = frozenset(audience)
    return everyone_or(eyes, (
        seat for seat in eyes.seats
        if eyes.may_see(seat, record, seen_by) and eyes.may_see(seat, record, field_seen_by)
    ))


@events_of.register
def _(command: c.AddRecord, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    kind = system.kind(command.kind)
    master = state.eyes.is_gm(command.seat)
    owner = command.owner if master else command.seat
    if owner:
        known_seat(state, owner)
    if master:
        no_more_than(limits.MOST_RECORDS, len(state.records) + 1, "record")
    else:
        mine = [name for name, held in state.records.items() if held.owner == command.seat]
        no_more_than(limits.MOST_RECORDS_OF_A_PLAYER, len(mine) + 1, "record")
    rulings = system.book.still(state.rulings)
    sheet = dict(command.sheet or {})
    aside: dict[str, Plain] = {}
    if command.ready:
        ready = kind.ready(state.lang)
        if command.ready not in ready:
            raise UnknownName("character", command.ready, ready)
        record = ready[command.ready]
    elif command.draw and kind.draw is not None:
        record = SeededDice(fresh.token(16).hex()).resolve(kind.draw, rulings)
    else:
        if sheet.get("system", system.id) != system.id or sheet.get("kind", kind.id) != kind.id:
            raise OtherGame(got=str(sheet.get("system")), wanted=system.id)
        record, aside = _handed_in(kind, sheet, system)
    if not master or not sheet:
        kind.validated(record, rulings)
    plain = to_plain(record)
    seen_by = tuple(sorted(kind.audience)) if command.seen_by is None or not master else command.seen_by
    known_ranks(state, seen_by)
    name = short(str(plain.get("name") or ""), LONGEST_NAME)
    added = e.RecordAdded(record=fresh.name(), kind=kind.id, name=name, sheet=plain, owner=owner, seen_by=seen_by,
                          version=kind.version, aside=aside)
    return [_announced(state, system, added)]


@events_of.register
def _(command: c.AddPeople, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    events: list[e.AnyEvent] = []
    for one in command.people:
        brought = c.AddRecord(kind=one.kind, sheet=one.sheet, seen_by=one.seen_by, seat=command.seat)
        events += events_of(brought, folded(state, events), system, fresh)
    return as_one(events) if events else []


def _handed_in(kind: AnyKind, sheet: Mapping[str, Plain], system: System) -> tuple[Any, dict[str, Plain]]:
    """The record that a sheet tells of, and what the game no longer has a place for.

    A file that an earlier version wrote says which (the first said none), and is brought along; one that is written by
    hand, and says nothing, is as it should be or refused.
    """
    values = {name: value for name, value in sheet.items() if name not in ("system", "kind", "version")}
    version = sheet.get("version", 1 if "system" in sheet else kind.version)
    if not isinstance(version, int):
        raise BadValue(field="version", got=version, expected="number")
    one = Written(kind.id, version, values, {})
    if "system" in sheet or "version" in sheet:
        one = upgraded(system, {"": one}).get("", one)
    fault = fault_of(system, one)
    if fault is not None:
        raise fault
    return kind.from_plain(one.values), one.aside


def _announced(state: State, system: System, added: e.RecordAdded) -> e.RecordAdded:
    """A record that comes to the table, called what it is if it has no name, told to those who may see it."""
    after = evolve(state, added)
    named = replace(added, name=added.name or unnamed(after, system, added.record))
    return replace(named, audience=seeing(after, added.record))


def record_added(
    state: State, system: System, name: str, kind: AnyKind, record: Any, owner: str, audience: Audience | None
) -> e.RecordAdded:
    """A record that comes to the table under a name of its own choosing; one that the rules forbid is refused."""
    if name in (GM, ALL, "encounter", "clock") or not name or is_poll(name):
        raise BadValue(field="record", got=name, expected="name")
    if owner:
        known_seat(state, owner)
    kind.validated(record, system.book.still(state.rulings))
    plain = to_plain(record)
    seen_by = tuple(sorted(kind.audience if audience is None else audience))
    return _announced(state, system, e.RecordAdded(
        record=name, kind=kind.id, name=str(plain.get("name") or ""), sheet=plain, owner=owner, seen_by=seen_by,
        version=kind.version,
    ))


def unnamed(state: State, system: System, record: str) -> str:
    """What a record without a name is called: what it is, numbered among those that all who see it know of."""
    visible = [set(visible_records(state, seat)) for seat in state.seats]
    known = set.intersection(*(seen for seen in visible if record in seen)) - {record}
    taken = {state.records[other].name for other in known}
    held, teller = state.records[record], Teller(state.lang, system)
    kind = system.kinds.get(held.kind)
    what = held.sheet.get(kind.called) if kind is not None else None
    title = teller.value(what) if what else teller.title(f"kinds.{held.kind}")
    return next(name for n in count(1) if (name := f"{title} {n}" if n > 1 else title) not in taken)


def known_ranks(state: State, seen_by: Iterable[str]) -> None:
    """Refuse to show something to somebody whom there is not."""
    for name in seen_by:
        if name not in (ALL, GM, "owner", "player", "spectator") and name not in state.seats:
            raise UnknownName("seat", name, state.seats)


@events_of.register
def _(command: c.EditRecord, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    known_record(state, command.seat, command.record)
    held = state.records[command.record]
    eyes = state.eyes_of(command.seat)
    master = eyes.is_gm(command.seat)
    if not master and held.owner != command.seat:
        raise NotYours(seat=state.seats[command.seat].name, what=held.name)
    kind = system.kind(held.kind)
    if held.version > kind.version:
        raise LaterVersion(kind=held.kind, got=held.version, known=kind.version)
    shown = Looking(state, command.seat, system).record(command.record)
    seen = shown.sheet if shown is not None else {}
    said = {command.path: command.value}
    if not command.path and isinstance(command.value, Mapping):
        said = dict(command.value)
    before, sheet = {}, held.sheet
    for path, value in said.items():
        try:
            before[path] = look(seen, path)
        except (KeyError, AttributeError, TypeError):
            raise UnknownName("field", path, seen) from None
        sheet = apply(sheet, path, value)
    changed = kind.from_plain(sheet)
    fault = _fault_seen(state, system, command.record, changed, command.seat)
    if fault is not None and not master:
        raise fault
    after = to_plain(changed)
    marked = [
        seat for seat in eyes.seats
        if master and _fault_seen(state, system, command.record, changed, seat) is not None
    ]
    audiences = {path: kind.hidden.get(path.partition(".")[0], (ALL,)) for path in said}
    changes = [
        e.RecordChanged(
            record=command.record, path=path, before=before[path], after=look(after, path), beyond=fault is not None,
            marked=tuple(marked), audience=seeing(state, command.record, audience),
        )
        for path, audience in audiences.items()
    ]
    return as_one(changes) if changes else []


def _fault_seen(state: State, system: System, name: str, record: Any, seat: str) -> ParaventError | None:
    """What the rules say against a changed record, from what a seat may see of it: the rest is never read."""
    held = state.records[name]
    seen = Looking(state, seat, system).record(name)
    if seen is None:
        return None
    kind = system.kind(held.kind)
    try:
        kind.validated_without(record, set(held.sheet) - set(seen.sheet), system.book.still(state.rulings))
    except ParaventError as fault:
        return fault
    return None


@events_of.register
def _(command: c.ShowRecord, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    known_record(state, command.seat, command.record)
    known_ranks(state, command.seen_by)
    held = state.records[command.record]
    shown = e.RecordShown(record=command.record, seen_by=command.seen_by, before=held.seen_by)
    return told_before_and_after(state, shown, system)


def told_before_and_after(
    state: State, event: e.RecordAdded | e.RecordShown | e.RecordGiven | e.RecordRemoved, system: System
) -> list[e.AnyEvent]:
    """An event on a record, told to those who may know of it before or after."""
    eyes, after = state.eyes, evolve(state, event)
    seats = {
        seat for seat in eyes.seats
        if event.record in visible_records(state, seat) or event.record in visible_records(after, seat)
    }
    return touching(state, [replace(event, audience=everyone_or(eyes, seats))], system)


@events_of.register
def _(command: c.GiveRecord, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    known_record(state, command.seat, command.record)
    if command.owner:
        known_seat(state, command.owner)
    return given(state, command.record, command.owner, system)


def given(state: State, record: str, owner: str, system: System, back: bool = False) -> list[e.AnyEvent]:
    """A record goes to somebody else, and what was sealed for it is emptied."""
    held = state.records[record]
    given = e.RecordGiven(record=record, owner=owner, before=held.owner, back=back)
    events = told_before_and_after(state, given, system)
    return events + unsealed_again(folded(state, events), [record], system)


@events_of.register
def _(command: c.TakeRecord, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    known_record(state, command.seat, command.record)
    held = state.records[command.record]
    if held.owner or ALL not in held.seen_by or held.kind not in system.played:
        raise NotYours(seat=state.seats[command.seat].name, what=held.name)
    return given(state, command.record, command.seat, system)


@events_of.register
def _(command: c.RemoveRecord, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    known_record(state, command.seat, command.record)
    return told_before_and_after(state, removal(state, command.record), system)


def removal(state: State, record: str, back: bool = False) -> e.RecordRemoved:
    """The event that takes a record away, and keeps what it was."""
    return e.RecordRemoved(record=record, kept=state.records[record], back=back)
