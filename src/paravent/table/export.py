"""Tables as files: JSON lines, whole or as one participant saw them; records that move; the next episode.

The first line says what the file is. In a whole export, the others are the events of the log; in a participant's, what
they were told, in order. The format is described in ``docs/formats.md``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from paravent.dice import commitment
from paravent.game import System, to_plain
from paravent.game.errors import BROKEN
from paravent.game.records import ALL
from paravent.game.view import may_know

from . import events as e
from .deciding import Fresh, everyone_or
from .errors import NotAnExport, SealedInPlay
from .limits import DEEPEST_EVENT, MOST_EVENTS, MOST_RECORDS, MOST_SEATS, check_plain, no_more_than
from .records import known_record
from .state import Seat, State, evolve, state_from_json, state_to_json
from .view import Looking, event_seen

_NAME = re.compile(r"[0-9A-Za-z_-]{1,64}")
_COMPACT: dict[str, Any] = {"ensure_ascii": False, "separators": (",", ":")}


def _line(value: Mapping[str, Any]) -> str:
    return json.dumps(value, **_COMPACT)


def _head(state: State, **more: Any) -> str:
    return _line({
        "paravent": "table", "format": e.FORMAT, "table": state.table, "name": state.name, "system": state.system,
        "version": state.version, **more,
    })


def export_whole(log: Iterable[str | Mapping[str, Any]]) -> Iterator[str]:
    """The whole log, for whoever keeps it: it holds everything, what is sealed and whispered included.

    Links stay behind: their hashes open nothing elsewhere.
    """
    rows = [json.loads(row) if isinstance(row, str) else dict(row) for row in log]
    opened = e.event_from_json(rows[0])
    assert isinstance(opened, e.TableOpened)
    yield _head(evolve(State(), opened), whole=True)
    for row in rows:
        yield _line({**row, "link": ""} if "link" in row else row)


def export_for_gm(log: Iterable[str | Mapping[str, Any]], seat: str) -> Iterator[str]:
    """The whole log for a game master, as far as it is theirs.

    What was sealed and never opened is not in it, nor what others whispered, nor the keys of dice not thrown yet: who
    knew one could choose a nonce for it. It is refused while something sealed is in play: that would be in the file.
    """
    rows = [json.loads(row) if isinstance(row, str) else dict(row) for row in log]
    state = State()
    for row in rows:
        state = evolve(state, e.event_from_json(row))
    for kept in state.open_moves():
        if any(field["secrecy"] == "sealed" and field["field"] not in kept["revealed"] for field in kept["fields"]):
            raise SealedInPlay()
    unread, thrown = _never_opened(rows), _thrown(rows)
    heard = [at for at, row in enumerate(rows, start=1) if _is_heard(row, seat)]
    number = {at: place for place, at in enumerate(heard, start=1)}
    return export_whole(_for_gm(rows[at - 1], unread, thrown, number) for at in heard)


def _is_heard(row: Mapping[str, Any], seat: str) -> bool:
    return row["type"] != "said" or bool({"all", "gm", seat} & set(row["audience"]))


def _thrown(rows: Iterable[Mapping[str, Any]]) -> set[str]:
    """The hashes of the keys that dice were thrown with."""
    made = (made for row in rows for made in row.get("patch", {}).get("keys", {}).values())
    return {one["hash"] for one in made if "nonce" in one}


def _never_opened(rows: Iterable[Mapping[str, Any]]) -> set[tuple[int, str]]:
    """The sealed fields that no event ever opened, by move and name."""
    sealed, opened = set(), set()
    for row in rows:
        patch = row.get("patch", {})
        number = row.get("number", 0)
        sealed |= {(number, field["field"]) for field in patch.get("fields", ()) if field["secrecy"] == "sealed"}
        opened |= {(number, name) for name in patch.get("revealed", ())}
    return sealed - opened


def _for_gm(
    row: dict[str, Any], unread: set[tuple[int, str]], thrown: set[str], number: Mapping[int, int]
) -> dict[str, Any]:
    if row["type"] == "corrected":
        return {**row, "item": number.get(row["item"], 0)}
    patch = dict(row.get("patch", {}))
    if "fields" in patch:
        patch["fields"] = [field for field in patch["fields"] if (row["number"], field["field"]) not in unread]
    if "keys" in patch:
        patch["keys"] = {
            step: {name: value for name, value in made.items() if name != "key" or made["hash"] in thrown}
            for step, made in patch["keys"].items()
        }
    return {**row, "patch": patch} if patch else row


def export_seen(log: Iterable[str | Mapping[str, Any]], seat: str, system: System) -> Iterator[str]:
    """The evening as one participant saw it: what they were told, in order."""
    state = State()
    for at, row in enumerate(log):
        happened = e.event_from_json(json.loads(row) if isinstance(row, str) else row)
        state = evolve(state, happened)
        if at == 0:
            yield _head(state, whole=False, seat=seat)
        told = event_seen(state, happened, seat, system) if seat in state.seats else None
        if told is not None:
            yield _line(told)


def read_export(lines: Iterable[str]) -> list[e.Event]:
    """The events of a whole export, from any version ever written; read line by line."""
    rows = (row for line in lines if line.strip() and (row := _row(line)) is not None)
    head = next(rows, {})
    if head.get("paravent") != "table":
        raise NotAnExport(why="paravent")
    if not head.get("whole"):
        raise NotAnExport(why="whole")
    happened: list[e.Event] = []
    for row in rows:
        no_more_than(MOST_EVENTS, len(happened) + 1, "event")
        happened.append(_event(row))
    if not happened or not isinstance(happened[0], e.TableOpened):
        raise NotAnExport(why="table-opened")
    return happened


def _row(line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        raise NotAnExport(why="json") from None
    return row if isinstance(row, dict) else {}


def _event(row: dict[str, Any]) -> e.Event:
    check_plain(row, DEEPEST_EVENT)
    try:
        return e.event_from_json(row)
    except (KeyError, TypeError, AttributeError, ValueError):
        raise NotAnExport(why="event") from None


class Brought(NamedTuple):
    """A table from a file: the events to write for it, and the state they lead to."""

    events: list[e.Event]
    state: State


def imported(happened: list[e.Event], fresh: Fresh, system: System, table: str = "") -> Brought:
    """What to write for a table whose events were read from a file, under another name if one is given.

    Nobody's old link opens it: the first game master present gets a new one, and gives the others theirs. Events that
    no table could have written are refused.
    """
    opened, *rest = (
        replace(event, link="") if isinstance(event, (e.SeatAdded, e.LinkRenewed)) else event for event in happened
    )
    assert isinstance(opened, e.TableOpened)
    events: list[e.Event] = [replace(opened, table=table or opened.table), *rest]
    try:
        state = _followed(events)
        for event in _new_keys(state, fresh):
            events.append(event)
            state = evolve(state, event)
        master = _first_master(state)
        if not master:
            raise NotAnExport(why="gm")
        events.append(e.LinkRenewed(seat=master, link=fresh.link(master), audience=("gm",), at=fresh.now))
        state = evolve(state, events[-1])
        for seat in state.seats:
            Looking(state, seat, system).whole()
        state_from_json(state_to_json(state))
    except BROKEN as broken:
        raise NotAnExport(why="event") from broken
    return Brought(events, state)


def _new_keys(state: State, fresh: Fresh) -> list[e.Event]:
    """Keys for dice not thrown yet whose own stayed behind."""
    events: list[e.Event] = []
    for kept in state.open_moves():
        keys = dict(kept.get("keys", {}))
        for step, made in keys.items():
            if "key" not in made:
                key = fresh.token(32)
                keys[step] = {**made, "key": key.hex(), "hash": commitment(key)}
                heard = [seat for seat in state.eyes.seats if may_know(state.eyes, seat, kept)]
                audience = everyone_or(state.eyes, heard if ALL in made.get("exists", (ALL,)) else state.eyes.masters)
                events.append(e.ThrowReady(number=kept["id"], patch={"keys": dict(keys)}, step=step, at=fresh.now,
                                           hash=commitment(key), audience=audience))
    return events


def _followed(events: Iterable[e.Event]) -> State:
    state = State()
    for event in events:
        if isinstance(event, e.SeatAdded) and not _NAME.fullmatch(event.seat):
            raise NotAnExport(why="seat")  # it becomes part of an address
        state = evolve(state, event)
        no_more_than(MOST_SEATS, len(state.seats), "seat")
        no_more_than(MOST_RECORDS, len(state.records), "record")
    return state


def is_name(table: str) -> bool:
    """Whether this may be the name of a table: it becomes part of an address."""
    return bool(_NAME.fullmatch(table))


def _first_master(state: State) -> str:
    masters = {seat: place for seat, place in state.seats.items() if place.grade == "gm"}
    return next((seat for seat, place in masters.items() if place.present), next(iter(masters), ""))


# Records that move


def record_file(state: State, seat: str, record: str, system: System) -> dict[str, Any]:
    """One record as a file, with what this seat may see of it."""
    known_record(state, seat, record)
    seen = Looking(state, seat, system).record(record)
    assert seen is not None
    return {"system": state.system, "kind": seen["kind"], "version": system.kind(seen["kind"]).version, **seen["sheet"]}


# The next episode


def next_episode(state: State, title: str, fresh: Fresh, by: str) -> Brought:
    """The events of a new table for the next episode: the same people, records, options and time; a new log.

    Everybody keeps their seat, and gets a new link.
    """
    def here(event: e.Event) -> e.Event:
        return replace(event, at=fresh.now, by=event.by or by)

    seats: dict[str, Seat] = {name: place for name, place in state.seats.items() if place.present or name == by}
    everybody: list[e.Event] = [
        e.SeatAdded(seat=name, name=place.name, grade=place.grade, link=fresh.link(name))
        for name, place in seats.items()
    ]
    begun = State()
    events = [here(event) for event in (
        e.TableOpened(table=fresh.token(9).hex(), name=state.name, system=state.system, version=state.version,
                      rulings=state.rulings, lang=state.lang),
        *everybody,
    )]
    for event in events:
        begun = evolve(begun, event)
    for name, held in state.records.items():
        owner = held.owner if held.owner in seats else ""
        added = e.RecordAdded(record=name, kind=held.kind, name=held.name, sheet=held.sheet, owner=owner,
                              seen_by=held.seen_by)
        after = evolve(begun, added)
        eyes = after.eyes
        audience = [seat for seat in eyes.seats if eyes.may_see(seat, name, {"owner", *held.seen_by})]
        told = here(replace(added, audience=tuple(sorted(audience)) if len(audience) < len(seats) else ("all",)))
        begun = evolve(begun, told)
        events.append(told)
    clock = [{"target": "clock", "path": "minutes", "before": 0, "after": state.minutes}] if state.minutes else []
    if clock:
        events.append(here(e.Changed(changes=clock)))
    timers = [
        {"target": "clock", "path": f"timers.{name}", "before": None, "after": to_plain(timer)}
        for name, timer in state.timers.items()
    ]
    if timers:
        events.append(here(e.Changed(changes=timers, audience=("gm",))))
    events.append(here(e.SceneOpened(kind="episode", title=title, before={"scene": "", "episode": ""})))
    return Brought(events, _followed(events))
