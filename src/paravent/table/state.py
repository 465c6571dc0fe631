"""The state of a table, and how each event changes it. No rule of a game is ever called here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import singledispatch
from typing import Any

from paravent.game import apply, from_plain, to_plain
from paravent.game.eyes import Eyes
from paravent.game.view import may_know

from . import events as e

_LOG = 400
_CLOSED = 120
OVER = ("closed", "withdrawn", "refused", "cancelled", "undone")


@dataclass(frozen=True)
class Seat:
    """A place at the table."""

    name: str
    grade: str
    link: str = ""


@dataclass(frozen=True)
class Sheet:
    """A record at the table, in plain values."""

    kind: str
    name: str
    sheet: dict[str, Any]
    owner: str = ""
    seen_by: tuple[str, ...] = ("all",)


@dataclass(frozen=True)
class Running:
    """An encounter under way, its state in plain values."""

    encounter: str
    state: dict[str, Any]


@dataclass(frozen=True)
class Item:
    """One line of the log: the event's number and what it says; a move's line is drawn from the move itself."""

    number: int
    event: dict[str, Any]
    move: int = 0
    undone: bool = False


@dataclass(frozen=True)
class Counts:
    """What one seat has been told: how many events, and the numbers it knows moves by."""

    events: int = 0
    moves: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class State:
    """Everything about a table, as the log tells it."""

    table: str = ""
    name: str = ""
    system: str = ""
    version: str = ""
    lang: str = "fr"
    rulings: dict[str, str] = field(default_factory=dict)
    seats: dict[str, Seat] = field(default_factory=dict)
    records: dict[str, Sheet] = field(default_factory=dict)
    moves: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Snapshots of moves by number: all open ones, and the latest closed."""
    moves_started: int = 0
    encounters: dict[str, Running] = field(default_factory=dict)
    minutes: int = 0
    scene: str = ""
    episode: str = ""
    log: tuple[Item, ...] = ()
    counts: dict[str, Counts] = field(default_factory=dict)
    events: int = 0

    @property
    def eyes(self) -> Eyes:
        """Who is who, as things stand."""
        owners = {name: sheet.owner for name, sheet in self.records.items() if sheet.owner}
        return Eyes({seat: place.grade for seat, place in self.seats.items()}, owners)

    @property
    def day(self) -> int:
        """The day of the fiction."""
        return self.minutes // (24 * 60)

    def move(self, number: int) -> dict[str, Any]:
        """The snapshot of a move."""
        return self.moves[str(number)]

    def hearing(self, audience: Sequence[str]) -> frozenset[str]:
        """The seats behind an event's audience."""
        eyes = self.eyes
        return frozenset(seat for name in audience for seat in eyes.named((), "", name))


def evolve(state: State, happened: e.Event) -> State:
    """The state after an event."""
    after = _evolve(happened, state)
    after = replace(after, events=state.events + 1)
    after = _counted(after, happened)
    return _logged(after, happened)


def _counted(state: State, happened: e.Event) -> State:
    """Each seat counts only what it may know."""
    counts = dict(state.counts)
    eyes = state.eyes
    for seat in state.hearing(happened.audience):
        known = counts.get(seat, Counts())
        moves = known.moves
        if isinstance(happened, e.MoveEvent):
            number = str(happened.number)
            if number not in moves and may_know(eyes, seat, state.moves[number]):
                moves = {**moves, number: len(moves) + 1}
        counts[seat] = Counts(known.events + 1, moves)
    return replace(state, counts=counts)


_SILENT = (e.FieldsFilled, e.ThrowReady, e.DiceThrown, e.Answered, e.MoveEnded, e.MoveUndone, e.ThrowTurnedOver)
"""Events that change a move's own line instead of adding one."""


def _logged(state: State, happened: e.Event) -> State:
    if isinstance(happened, _SILENT):
        return state
    move = happened.number if isinstance(happened, e.MoveStarted) else 0
    told = {} if move else e.event_to_json(happened)
    item = Item(state.events, told | {"audience": list(happened.audience)}, move)
    return replace(state, log=(*state.log, item)[-_LOG:])


@singledispatch
def _evolve(happened: e.Event, state: State) -> State:
    return state


@_evolve.register
def _(happened: e.TableOpened, state: State) -> State:
    return replace(
        state, table=happened.table, name=happened.name, system=happened.system, version=happened.version,
        rulings=happened.rulings, lang=happened.lang,
    )


@_evolve.register
def _(happened: e.SeatAdded, state: State) -> State:
    return replace(state, seats={**state.seats, happened.seat: Seat(happened.name, happened.grade, happened.link)})


@_evolve.register
def _(happened: e.SeatRenamed, state: State) -> State:
    place = replace(state.seats[happened.seat], name=happened.name)
    return replace(state, seats={**state.seats, happened.seat: place})


@_evolve.register
def _(happened: e.LinkRenewed, state: State) -> State:
    place = replace(state.seats[happened.seat], link=happened.link)
    return replace(state, seats={**state.seats, happened.seat: place})


@_evolve.register
def _(happened: e.OptionsSet, state: State) -> State:
    return replace(state, rulings=happened.rulings)


@_evolve.register
def _(happened: e.RecordAdded, state: State) -> State:
    sheet = Sheet(happened.kind, happened.name, happened.sheet, happened.owner, happened.seen_by)
    return replace(state, records={**state.records, happened.record: sheet})


@_evolve.register
def _(happened: e.RecordChanged, state: State) -> State:
    return _sheet_changed(state, happened.record, happened.path, happened.after)


def _sheet_changed(state: State, record: str, path: str, after: Any) -> State:
    held = state.records[record]
    sheet = apply(held.sheet, path, after)
    named = replace(held, sheet=sheet, name=str(sheet.get("name") or held.name))
    return replace(state, records={**state.records, record: named})


@_evolve.register
def _(happened: e.RecordShown, state: State) -> State:
    held = replace(state.records[happened.record], seen_by=happened.seen_by)
    return replace(state, records={**state.records, happened.record: held})


@_evolve.register
def _(happened: e.RecordGiven, state: State) -> State:
    held = replace(state.records[happened.record], owner=happened.owner)
    return replace(state, records={**state.records, happened.record: held})


@_evolve.register
def _(happened: e.RecordRemoved, state: State) -> State:
    return replace(state, records={name: held for name, held in state.records.items() if name != happened.record})


@_evolve.register
def _(happened: e.SceneOpened, state: State) -> State:
    if happened.kind == "episode":
        return replace(state, episode=happened.title, scene="")
    return replace(state, scene=happened.title)


@_evolve.register
def _(happened: e.EncounterOpened, state: State) -> State:
    running = Running(happened.encounter, happened.state)
    return replace(state, encounters={**state.encounters, str(happened.number): running})


@_evolve.register
def _(happened: e.MoveEvent, state: State) -> State:
    number = str(happened.number)
    before = state.moves.get(number, {})
    moves = {**state.moves, number: {**before, **happened.patch}}
    state = replace(state, moves=_latest(moves), moves_started=max(state.moves_started, happened.number))
    if isinstance(happened, (e.MoveEnded, e.MoveUndone)):
        for change in happened.changes:
            state = changed(state, change, moves[number].get("encounter"))
    return state


@_evolve.register
def _(happened: e.Corrected, state: State) -> State:
    for change in happened.changes:
        state = changed(state, change, None)
    log = tuple(replace(item, undone=True) if item.number == happened.item else item for item in state.log)
    return replace(state, log=log)


def changed(state: State, change: Mapping[str, Any], encounter: int | None) -> State:
    """The state after one change of a move: on a record, an encounter, the clock."""
    target, path, after = change["target"], change["path"], change["after"]
    if target == "clock":
        return replace(state, minutes=int(after) * (24 * 60 if path == "day" else 1))
    if target == "encounter":
        running = state.encounters[str(encounter)]
        moved = apply(running.state, path, after) if path else after
        return replace(state, encounters={**state.encounters, str(encounter): replace(running, state=moved)})
    if target == "options":
        return replace(state, rulings=after)
    return _sheet_changed(state, target, path, after) if target in state.records else state


def _latest(moves: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """All open moves, and the latest that are over."""
    over = [number for number, move in moves.items() if move["phase"] in OVER]
    for number in over[:-_CLOSED]:
        del moves[number]
    return moves


def state_to_json(state: State) -> dict[str, Any]:
    """The state as plain values: a snapshot for the store."""
    plain: dict[str, Any] = to_plain(state)
    return plain


def state_from_json(data: Mapping[str, Any]) -> State:
    """The state that :func:`state_to_json` wrote."""
    state: State = from_plain(State, data)
    return state
