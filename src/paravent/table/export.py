"""Tables as files: JSON lines, whole or as one participant saw them; records that move; the next episode.

The first line says what the file is. In a whole export, the others are the events of the log; in a participant's, what
they were told, in order. The format is described in ``docs/formats.md``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from msgspec import UNSET
from msgspec.structs import fields, replace

from paravent.dice import commitment
from paravent.game import System
from paravent.game.errors import BROKEN, SeatError
from paravent.game.records import ALL

from . import events as e
from .act import Act, Filled, Key, Progress, progress
from .closing import RULES, ExportRead, closed
from .deciding import Fresh, everyone_or
from .errors import BeforeItBegan, NoSuchRank, NotAnExport, OpenedTwice, SealedInPlay, TwiceInLog
from .evolve import evolve
from .knowing import may_know
from .limits import DEEPEST_EVENT, MOST_EVENTS, MOST_RECORDS, MOST_SEATS, check_plain, no_more_than
from .longlog import giving_way
from .records import known_record
from .seats import RANKS
from .seen import plainly
from .seen_news import event_seen
from .state import Seat, State, state_read, state_written, timer_plain
from .upcast import LogReader, is_earlier, read_log
from .view import Looking

_NAME = re.compile(r"[0-9A-Za-z_-]{1,64}")
_COMPACT: dict[str, Any] = {"ensure_ascii": False, "separators": (",", ":")}


def _line(value: Mapping[str, Any]) -> str:
    return json.dumps(value, **_COMPACT)


def _head(state: State, **more: Any) -> str:
    return _line({
        "paravent": "table", "format": e.FORMAT, "table": state.table, "name": state.name, "system": state.system,
        "version": state.version, **more, "closes": True,
    })


def export_whole(log: Iterable[str]) -> Iterator[str]:
    """The whole log, for whoever keeps it: it holds everything, what is sealed and whispered included.

    Links stay behind: their hashes open nothing elsewhere.
    """
    return closed(_exported(read_log(log)))


def _exported(events: Iterable[e.AnyEvent]) -> Iterator[str]:
    for at, event in enumerate(events):
        if at == 0:
            yield _head(evolve(State(), event), whole=True)
        yield e.written(_unlinked(event))


def _unlinked(event: e.AnyEvent) -> e.AnyEvent:
    """An event without the links it tells of."""
    if isinstance(event, e.EpisodeJoined):
        return replace(event, links={})
    return replace(event, link="") if isinstance(event, e.SeatAdded | e.LinkRenewed) else event


def export_for_gm(log: Iterable[str], seat: str, state: State | None = None) -> Iterator[str]:
    """The whole log for a game master, as far as it is theirs; it is read twice.

    What was sealed and never opened is not in it, nor what others whispered or are writing, nor the keys of dice not
    thrown yet: who knew one could choose a grain for it. It is refused while something sealed is in play: that would be
    in the file. ``state`` is what the log leads to, if it is at hand.
    """
    log = list(log) if iter(log) is log else log
    for act in (state or _led_to(log)).open_moves():
        if any(row.secrecy == "sealed" and row.field not in act.revealed for row in act.fields):
            raise SealedInPlay()
    return closed(_exported(_for_gm(log, seat)))


def _led_to(log: Iterable[str]) -> State:
    state = State()
    for event in read_log(log):
        state = evolve(state, event)
    return state


def _is_heard(event: e.AnyEvent, seat: str) -> bool:
    return not isinstance(event, (e.Said, e.DraftSaved, e.NotesKept)) or _is_for(event, seat)


def _is_for(event: e.AnyEvent, seat: str) -> bool:
    """Whether a game master was told of an event."""
    return bool({"all", "gm", seat} & set(event.audience))


def _keys_told(event: e.AnyEvent) -> dict[str, Key]:
    if isinstance(event, e.MoveStarted):
        return event.act.keys
    keys = event.then.keys if isinstance(event, e.MoveEvent) else UNSET
    return {} if keys is UNSET else keys


def _fields_told(event: e.AnyEvent) -> tuple[Filled, ...]:
    if isinstance(event, e.MoveStarted):
        return event.act.fields
    told = event.then.fields if isinstance(event, e.MoveEvent) else UNSET
    return () if told is UNSET else told


_WRITTEN = {part.name: part.encode_name for part in (*fields(Key), *fields(Act))}
_TELLS = ('"sealed"', f'"{_WRITTEN["revealed"]}"', f'"{_WRITTEN["grain"]}"')
"""One of these stands in whatever tells of a seal, of its opening, or of dice that were thrown."""


Row = tuple[int, int, str, str]
"""What was filled in, at an event: the event's number, the act's, the field and the actor."""


def _thrown_and_told_otherwise(log: Iterable[str]) -> tuple[set[str], dict[Row, Filled | None]]:
    """The hashes of the keys that dice were thrown with; and what is told of sealed fields in the place of what the log
    says before they are opened: what they were opened with, or nothing where they never were. So nobody reads what
    somebody thought of first."""
    thrown: set[str] = set()
    otherwise: dict[Row, Filled | None] = {}
    shut: dict[tuple[int, str], dict[str, list[tuple[int, Filled]]]] = {}
    opened: dict[int, Collection[str]] = {}
    reader = LogReader()
    for at, text in enumerate(log, start=1):
        # Of a format that is read event by event, what tells of neither need not be read.
        if not any(word in text for word in _TELLS) and not is_earlier(text):
            continue
        event = reader.read(text)
        thrown |= {made.hash for made in _keys_told(event).values() if made.grain is not None}
        if not isinstance(event, e.MoveStarted | e.MoveEvent):
            continue
        names = event.act.revealed if isinstance(event, e.MoveStarted) else event.then.revealed
        before = opened.get(event.number, ())
        now = opened[event.number] = before if names is UNSET else names
        for row in _fields_told(event):
            if row.secrecy == "sealed" and (row.field not in before or row.field not in now):
                shut.setdefault((event.number, row.field), {}).setdefault(row.actor, []).append((at, row))
        for name in set(now).difference(before):
            for actor, rows in shut.pop((event.number, name), {}).items():
                last = rows[-1][1]
                otherwise |= {(when, event.number, name, actor): last for when, row in rows if row != last}
    for (number, name), actors in shut.items():
        otherwise |= {(when, number, name, actor): None for actor, rows in actors.items() for when, _ in rows}
    return thrown, otherwise


def _for_gm(log: Iterable[str], seat: str) -> Iterator[e.AnyEvent]:
    """The events that are a game master's to read, in order; the first opens the table, and waits for nothing."""
    number: dict[int, int] = {}
    thrown: set[str] = set()
    otherwise: dict[Row, Filled | None] = {}
    shown: dict[int, tuple[Filled, ...]] = {}
    for at, event in enumerate(read_log(log), start=1):
        if at == 2:
            thrown, otherwise = _thrown_and_told_otherwise(log)
        if not _is_heard(event, seat):
            continue
        told = _as_gm_may(event, at, otherwise, thrown, number)
        if isinstance(told, e.FieldsFilled) and not _is_for(told, seat) and told.then == Progress(
                fields=shown.get(told.number, ())):
            continue  # somebody thought again of what they had sealed
        if isinstance(told, e.MoveStarted):
            shown[told.number] = told.act.fields
        elif isinstance(told, e.MoveEvent) and told.then.fields is not UNSET:
            shown[told.number] = told.then.fields
        number[at] = len(number) + 1
        yield told


def _as_gm_may(
    event: e.AnyEvent, at: int, otherwise: Mapping[Row, Filled | None], thrown: set[str], number: Mapping[int, int]
) -> e.AnyEvent:
    if isinstance(event, e.Corrected):
        return replace(event, item=number.get(event.item, 0))
    if not isinstance(event, e.MoveStarted | e.MoveEvent):
        return event
    rows = (otherwise.get((at, event.number, row.field, row.actor), row) for row in _fields_told(event))
    told = tuple(row for row in rows if row is not None)
    keys = {step: made if made.hash in thrown else replace(made, key="") for step, made in _keys_told(event).items()}
    if isinstance(event, e.MoveStarted):
        return replace(event, act=replace(event.act, fields=told, keys=keys))
    then = event.then
    then = then if then.fields is UNSET else replace(then, fields=told)
    then = then if then.keys is UNSET else replace(then, keys=keys)
    return replace(event, then=then)


def export_seen(log: Iterable[str], seat: str, system: System) -> Iterator[str]:
    """The evening as one participant saw it: what they were told, in order."""
    return closed(_seen(log, seat, system))


_ARRIVES = 5000
"""In how many events of a log the seat's arrival is looked for before its export begins."""


def _seen(log: Iterable[str], seat: str, system: System) -> Iterator[str]:
    state, begun = State(), False
    marks: list[tuple[int, str]] = []
    for at, happened in enumerate(read_log(log)):
        state = evolve(state, happened)
        if not begun and (seat in state.seats or at >= _ARRIVES):
            begun = True
            found = {"view": plainly(Looking(state, seat, system).whole())} if seat in state.seats else {}
            yield _head(state, whole=False, seat=seat, **found)
        told = event_seen(state, happened, seat, system) if seat in state.seats else None
        if told is not None:
            yield _line(told)
            mark = _rules_of(state, happened, seat, system)
            if mark is not None and (not marks or marks[-1][1] != mark):
                marks.append((told["id"], mark))
    if marks:
        yield _line({"type": RULES, "id": marks[-1][0], "marks": marks})
    if not begun:
        yield _head(state, whole=False, seat=seat)


def _rules_of(state: State, happened: e.AnyEvent, seat: str, system: System) -> str | None:
    """The mark of the rules that gave the results that a seat is told; none where it is told of none, nothing where
    they are not of the same."""
    act = state.moves.get(happened.number) if isinstance(happened, e.MoveStarted | e.MoveEvent) else None
    seen = None if act is None else Looking(state, seat, system).move(act)
    if act is None or seen is None:
        return None
    known = {throw.step for throw in seen.throws if throw.outcome is not UNSET}
    found = {throw.version for throw in act.throws if throw.step in known}
    return (found.pop() if len(found) == 1 else "") if found else None


def read_export(lines: Iterable[str], into: list[e.AnyEvent] | None = None) -> list[e.AnyEvent]:
    """The events of a whole export, from any version ever written; read line by line. Whatever was read before it was
    refused is in the list that they were to be put ``into``."""
    rows = map(_row, ExportRead(lines).whole())
    head = next(rows, {})
    if head.get("paravent") != "table":
        raise NotAnExport(why="paravent")
    if not head.get("whole"):
        raise NotAnExport(why="whole")
    happened = [] if into is None else into
    reader = LogReader()
    for row in rows:
        no_more_than(MOST_EVENTS, len(happened) + 1, "event")
        happened.append(_event(reader, row))
    if not happened or not isinstance(happened[0], e.TableOpened):
        raise NotAnExport(why="table-opened")
    return happened


def _row(line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        raise NotAnExport(why="json") from None
    return row if isinstance(row, dict) else {}


def _event(reader: LogReader, row: dict[str, Any]) -> e.AnyEvent:
    check_plain(row, DEEPEST_EVENT)
    try:
        return reader.read_row(row)
    except (KeyError, TypeError, AttributeError, ValueError) as broken:
        if type(broken) is e.UnknownEvent:  # a later version's: that is worth saying
            raise
        raise NotAnExport(why="event") from None


class Brought(NamedTuple):
    """A table from a file: the events to write for it, and the state they lead to."""

    events: list[e.AnyEvent]
    state: State


def imported(happened: list[e.AnyEvent], fresh: Fresh, system: System, table: str = "") -> Brought:
    """What to write for a table whose events were read from a file, under another name if one is given.

    Nobody's old link opens it: the first game master present gets a new one, and gives the others theirs. Events that
    no table could have written are refused.
    """
    opened, *rest = (_unlinked(event) for event in happened if not isinstance(event, e.TableJoined))
    assert isinstance(opened, e.TableOpened)
    events: list[e.AnyEvent] = [replace(opened, table=table or opened.table), *rest]
    try:
        state = _followed(giving_way(events))
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
        state_read(state_written(state))
    except SeatError:
        raise
    except BROKEN as broken:
        raise NotAnExport(why="event") from broken
    return Brought(events, state)


def _new_keys(state: State, fresh: Fresh) -> list[e.AnyEvent]:
    """Keys for dice not thrown yet whose own stayed behind."""
    events: list[e.AnyEvent] = []
    for act in state.open_moves():
        for step, made in act.keys.items():
            if not made.key:
                key = fresh.token(32)
                here = replace(made, key=key.hex(), hash=commitment(key), grains=(), holder="")
                after = replace(act, keys={**act.keys, step: here})
                events.append(e.ThrowReady(number=act.id, then=progress(act, after), step=step, at=fresh.now,
                                           hash=commitment(key), audience=_told_of_key(state, act, made)))
                act = after
    return events


def _told_of_key(state: State, act: Act, made: Key) -> tuple[str, ...]:
    eyes = state.eyes
    heard = [seat for seat in eyes.seats if may_know(eyes, seat, act)]
    return everyone_or(eyes, heard if ALL in made.exists else eyes.masters)


def _followed(events: Iterable[e.AnyEvent]) -> State:
    state, before = State(), None
    for at, event in enumerate(events, start=2):
        _is_possible(state, event, at)
        if event == before and _comes_once(event):
            raise TwiceInLog(line=at)
        state, before = evolve(state, event), event
        no_more_than(MOST_SEATS, len(state.seats), "seat")
        no_more_than(MOST_RECORDS, len(state.records), "record")
    return state


def _is_possible(state: State, event: e.AnyEvent, line: int) -> None:
    """Refuse what no table could have gone on with, at this line of a file."""
    match event:
        case e.TableOpened() if state.events:
            raise OpenedTwice(line=line)
        case e.SeatAdded() if not _NAME.fullmatch(event.seat):
            raise NotAnExport(why="seat")  # it becomes part of an address
        case e.SeatAdded() if event.rank not in RANKS:
            raise NoSuchRank(line=line, rank=event.rank[:20])
        case e.SeatAdded() if event.seat in state.seats:
            raise TwiceInLog(line=line)
        case e.RecordAdded() if event.record in state.records:
            raise TwiceInLog(line=line)
        case e.MoveStarted() if event.number <= state.moves_started:
            raise TwiceInLog(line=line)
        case e.EncounterOpened() if event.number <= state.encounters_opened:
            raise TwiceInLog(line=line)
        case e.MoveEvent() if event.number > state.moves_started:
            raise BeforeItBegan(line=line)


def _comes_once(event: e.AnyEvent) -> bool:
    """Whether something came about that cannot come about once more in the same moment: a key made, dice that fell, an
    act that ended, a figure that became another."""
    return isinstance(event, (e.ThrowReady, e.DiceThrown, e.MoveEnded)) or (
        isinstance(event, e.RecordChanged) and event.before != event.after)


def is_name(table: str) -> bool:
    """Whether this may be the name of a table: it becomes part of an address."""
    return bool(_NAME.fullmatch(table))


def _first_master(state: State) -> str:
    masters = {seat: place for seat, place in state.seats.items() if place.rank == "gm"}
    return next((seat for seat, place in masters.items() if place.present), next(iter(masters), ""))


# Records that move


def record_file(state: State, seat: str, record: str, system: System) -> dict[str, Any]:
    """One record as a file, with what this seat may see of it."""
    known_record(state, seat, record)
    seen = Looking(state, seat, system).record(record)
    assert seen is not None
    return {"system": state.system, "kind": seen.kind, "version": state.records[record].version, **seen.sheet}


# The next episode


def next_episode(state: State, title: str, fresh: Fresh, by: str) -> Brought:
    """The events of a new table for the next episode: the same people, records, options and time; a new log.

    Everybody keeps their seat, and gets a new link.
    """
    def here(event: e.AnyEvent) -> e.AnyEvent:
        return replace(event, at=fresh.now, by=event.by or by)

    seats: dict[str, Seat] = {name: place for name, place in state.seats.items() if place.present or name == by}
    everybody: list[e.AnyEvent] = [
        e.SeatAdded(seat=name, name=place.name, rank=place.rank, link=fresh.link(name))
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
                              seen_by=held.seen_by, version=held.version, aside=held.aside)
        after = evolve(begun, added)
        eyes = after.eyes
        audience = [seat for seat in eyes.seats if eyes.may_see(seat, name, {"owner", *held.seen_by})]
        told = here(replace(added, audience=tuple(sorted(audience)) if len(audience) < len(seats) else ("all",)))
        begun = evolve(begun, told)
        events.append(told)
    if state.minutes:
        events.append(here(e.Changed(changes=(e.Made("clock", "minutes", 0, state.minutes),))))
    timers = tuple(
        e.Made("clock", f"timers.{name}", None, timer_plain(timer)) for name, timer in state.timers.items()
    )
    if timers:
        events.append(here(e.Changed(changes=timers, audience=("gm",))))
    events.append(here(e.SceneOpened(kind="episode", title=title, before=e.SceneBefore())))
    return Brought(events, _followed(events))
