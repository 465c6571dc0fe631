"""The state of a table, and how each event changes it. No rule of a game is ever called here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, singledispatch
from typing import Any

from paravent.game import apply, from_plain, to_plain
from paravent.game.eyes import Eyes
from paravent.game.records import ALL, GM
from paravent.game.view import may_know

from . import events as e

LINES = 300
MOVES = 100
ENCOUNTERS = 30
"""How much each seat sees of what is past: lines, moves, encounters. Each counts its own, so that how much the others
have seen, or hidden, tells nobody anything; the state keeps whatever anybody still sees."""
A_DAY = 24 * 60
OVER = ("closed", "withdrawn", "refused", "cancelled", "undone")


@dataclass(frozen=True)
class Seat:
    """A place at the table; somebody who left is not present: nothing waits for them."""

    name: str
    grade: str
    link: str = ""
    present: bool = True


@dataclass(frozen=True)
class Sheet:
    """A record at the table, in plain values."""

    kind: str
    name: str
    sheet: dict[str, Any]
    owner: str = ""
    seen_by: tuple[str, ...] = (ALL,)


@dataclass(frozen=True)
class Running:
    """An encounter under way, its state in plain values; ``seen_by`` are the grades that may know of it."""

    encounter: str
    state: dict[str, Any]
    seen_by: tuple[str, ...] = (ALL,)
    over: bool = False


@dataclass(frozen=True)
class Item:
    """One line of the log: the event's number, what it says, who heard it then; a move's line is drawn from it."""

    number: int
    event: dict[str, Any]
    move: int = 0
    undone: bool = False
    heard: dict[str, int] = field(default_factory=dict)
    """Those who heard it then, each with their own number for the event."""


@dataclass(frozen=True)
class Counts:
    """What one seat has been told: how many events, and the numbers it knows moves and encounters by."""

    events: int = 0
    known: int = 0
    moves: dict[str, int] = field(default_factory=dict)
    faced: int = 0
    encounters: dict[str, int] = field(default_factory=dict)

    def told(self) -> Counts:
        """With one event more; asked for every seat at every event, so written out."""
        return Counts(self.events + 1, self.known, self.moves, self.faced, self.encounters)

    def knowing(self, number: str) -> Counts:
        """With the next number of its own given to a move."""
        if number in self.moves:
            return self
        return replace(self, known=self.known + 1, moves={**self.moves, number: self.known + 1})

    def facing(self, number: str) -> Counts:
        """With the next number of its own given to an encounter."""
        if number in self.encounters:
            return self
        return replace(self, faced=self.faced + 1, encounters={**self.encounters, number: self.faced + 1})


_UNTOLD = Counts()


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
    encounters_opened: int = 0
    minutes: int = 0
    timers: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What is due later: when, on which record, what changes."""
    scene: str = ""
    episode: str = ""
    log: tuple[Item, ...] = ()
    counts: dict[str, Counts] = field(default_factory=dict)
    events: int = 0
    endless: bool = False
    """Nothing of the past is let go: a table that is read again whole."""

    @cached_property
    def eyes(self) -> Eyes:
        """Who is who, as things stand; whoever left is nobody, and the game master answers for what is theirs."""
        return self._eyes("")

    def eyes_of(self, seat: str) -> Eyes:
        """The same, with this seat even if it left."""
        gone = seat in self.seats and not self.seats[seat].present
        return self._eyes(seat) if gone else self.eyes

    def _eyes(self, seat: str) -> Eyes:
        owners = {name: sheet.owner for name, sheet in self.records.items() if sheet.owner}
        here = {name: place.grade for name, place in self.seats.items() if place.present or name == seat}
        return Eyes(here, owners)

    @property
    def day(self) -> int:
        """The day of the fiction."""
        return self.minutes // A_DAY

    def move(self, number: int) -> dict[str, Any]:
        """The snapshot of a move."""
        return self.moves[str(number)]

    def counts_of(self, seat: str) -> Counts:
        """What a seat has been told."""
        return self.counts.get(seat, _UNTOLD)

    def known_moves(self, seat: str) -> dict[str, int]:
        """The moves that a seat has numbers for and may still look at: all open ones, and its latest others."""
        known = self.counts_of(seat)
        return {
            at: own for at, own in known.moves.items()
            if at in self.moves
            and (self.endless or own > known.known - MOVES or self.moves[at]["phase"] not in OVER)
        }

    def known_encounters(self, seat: str) -> dict[str, int]:
        """The encounters that a seat has numbers for and may still look at."""
        known = self.counts_of(seat)
        return {
            at: own for at, own in known.encounters.items()
            if at in self.encounters
            and (self.endless or own > known.faced - ENCOUNTERS or not self.encounters[at].over)
        }

    def hearing(self, audience: Sequence[str]) -> frozenset[str]:
        """The seats behind an event's audience; asked for every seat, so worked out once."""
        known = self._hearing.get(tuple(audience))
        if known is None:
            known = self._hearing[tuple(audience)] = self._heard_by(audience)
        return known

    @cached_property
    def _hearing(self) -> dict[tuple[str, ...], frozenset[str]]:
        return {}

    def _heard_by(self, audience: Sequence[str]) -> frozenset[str]:
        heard: set[str] = set()
        for seat, place in self.seats.items():
            if place.present and (ALL in audience or seat in audience or place.grade in audience):
                heard.add(seat)
        return frozenset(heard)

    def unseen(self, seat: str) -> frozenset[str]:
        """The records that a seat may not know of; asked for every event, so worked out once."""
        known = self._unseen.get(seat)
        if known is None:
            eyes = self.eyes_of(seat)
            known = self._unseen[seat] = frozenset(
                name for name, held in self.records.items() if not eyes.may_see(seat, name, {"owner", *held.seen_by})
            )
        return known

    @cached_property
    def _unseen(self) -> dict[str, frozenset[str]]:
        return {}

    def open_moves(self) -> list[dict[str, Any]]:
        """The moves that are not over."""
        return [move for move in self.moves.values() if move["phase"] not in OVER]


def evolve(state: State, happened: e.Event) -> State:
    """The state after an event."""
    after = _after(state, replace(_evolve(happened, state), events=state.events + 1))
    counted = _after(after, _counted(after, happened))
    return _after(counted, _logged(counted, happened))


_WHO_IS_WHO = ("eyes", "_hearing", "_unseen")


def _after(before: State, state: State) -> State:
    """A later state: who is who is not worked out again while the seats and the records are the same."""
    if state is not before and state.seats is before.seats and state.records is before.records:
        vars(state).update({name: vars(before)[name] for name in _WHO_IS_WHO if name in vars(before)})
    return state


def _counted(state: State, happened: e.Event) -> State:
    """Each seat counts only what it is told."""
    counts, heard = dict(state.counts), state.hearing((*happened.audience, *happened.touched))
    if isinstance(happened, _ACQUAINTS) or happened.touched:
        counts |= {seat: _told(state, happened, seat, state.counts_of(seat)) for seat in heard}
    else:
        counts |= {seat: state.counts_of(seat).told() for seat in heard}
    return _tidied(replace(state, counts=counts))


def _tidied(state: State) -> State:
    """From time to time, let go of what nobody sees any more."""
    if state.endless:
        return state
    if len(state.moves) > 2 * MOVES and state.moves_started % MOVES == 0:
        seen = {at for seat in state.counts for at in state.known_moves(seat)}
        moves = {at: move for at, move in state.moves.items() if at in seen or move["phase"] not in OVER}
        state = replace(state, moves=moves)
    if len(state.encounters) > 2 * ENCOUNTERS and state.encounters_opened % ENCOUNTERS == 0:
        seen = {at for seat in state.counts for at in state.known_encounters(seat)}
        kept = {at: running for at, running in state.encounters.items() if at in seen or not running.over}
        state = replace(state, encounters=kept)
    if len(state.log) > 4 * LINES:
        state = replace(state, log=_still_read(state.log))
    counts = {
        seat: replace(
            known, moves={at: own for at, own in known.moves.items() if at in state.moves},
            encounters={at: own for at, own in known.encounters.items() if at in state.encounters},
        )
        for seat, known in state.counts.items()
        if len(known.moves) > 3 * MOVES or len(known.encounters) > 3 * ENCOUNTERS
    }
    return replace(state, counts={**state.counts, **counts}) if counts else state


FOR_LATECOMERS = ("table-opened", "seat-added", "seat-left", "seat-returned", "said", "card-played", "scene-opened")
"""What was told to all before they came, and is told to those who come later."""


def _still_read(log: tuple[Item, ...]) -> tuple[Item, ...]:
    """The lines that somebody still sees: each seat its own latest, and those who may yet come, theirs."""
    left: dict[str, int] = {}
    kept = []
    for item in reversed(log):
        late = item.move or (ALL in item.event["audience"] and item.event["type"] in FOR_LATECOMERS)
        seats = {*item.heard, *(("later",) if late else ())} or {"nobody"}
        if any(left.get(seat, 0) < LINES for seat in seats):
            kept.append(item)
        for seat in seats:
            left[seat] = left.get(seat, 0) + 1
    return tuple(reversed(kept))


_ACQUAINTS = (e.MoveEvent, e.EncounterOpened, e.SeatAdded, e.SeatReturned, e.LinkRenewed)
"""Events by which a seat may come to know of a move or of an encounter."""


def _told(state: State, happened: e.Event, seat: str, known: Counts) -> Counts:
    known = known.told()
    if isinstance(happened, e.MoveEvent) and seat in state.hearing(happened.audience):
        number = str(happened.number)
        return known.knowing(number) if may_know(state.eyes, seat, state.moves[number]) else known
    if isinstance(happened, e.EncounterOpened):
        return known.facing(str(happened.number))
    return _acquainted(state, seat, known) if seat in happened.touched or _arrives(happened, seat) else known


def _arrives(happened: e.Event, seat: str) -> bool:
    return isinstance(happened, (e.SeatAdded, e.SeatReturned, e.LinkRenewed)) and happened.seat == seat


def _acquainted(state: State, seat: str, known: Counts) -> Counts:
    """Numbers for whatever a seat may now know of: it has just sat down, or sees more than before."""
    eyes = state.eyes
    for number, move in state.moves.items():
        if may_know(eyes, seat, move):
            known = known.knowing(number)
    for number, running in state.encounters.items():
        if eyes.may_see(seat, "", running.seen_by):
            known = known.facing(number)
    return known


_SILENT = (
    e.FieldsFilled, e.ThrowReady, e.DiceThrown, e.Answered, e.MoveEnded, e.MoveUndone, e.DeadlineSet, e.GradeSet,
    e.LinkRenewed, e.EncounterEnded,
)
"""Events that change a move's own line, or nothing that anybody needs to read again."""


def _logged(state: State, happened: e.Event) -> State:
    if isinstance(happened, _SILENT) or (happened.back and not isinstance(happened, e.Corrected)):
        return state
    move = happened.number if isinstance(happened, e.MoveStarted) else 0
    told = {"audience": list(happened.audience)} if move else e.event_to_json(happened)
    heard = {seat: state.counts_of(seat).events for seat in sorted(state.hearing(happened.audience))}
    return replace(state, log=(*state.log, Item(state.events, told, move, heard=heard)))


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
    return _seated(state, happened.seat, Seat(happened.name, happened.grade, happened.link))


@_evolve.register
def _(happened: e.SeatRenamed, state: State) -> State:
    return _seated(state, happened.seat, replace(state.seats[happened.seat], name=happened.name))


@_evolve.register
def _(happened: e.LinkRenewed, state: State) -> State:
    place = replace(state.seats[happened.seat], link=happened.link, present=not happened.closed)
    return _seated(state, happened.seat, place)


@_evolve.register
def _(happened: e.SeatLeft, state: State) -> State:
    return _seated(state, happened.seat, replace(state.seats[happened.seat], present=False))


@_evolve.register
def _(happened: e.SeatReturned, state: State) -> State:
    return _seated(state, happened.seat, replace(state.seats[happened.seat], present=True))


def _seated(state: State, seat: str, place: Seat) -> State:
    return replace(state, seats={**state.seats, seat: place})


@_evolve.register
def _(happened: e.OptionsSet, state: State) -> State:
    return replace(state, rulings=happened.rulings)


@_evolve.register
def _(happened: e.RecordAdded, state: State) -> State:
    sheet = Sheet(happened.kind, happened.name, happened.sheet, happened.owner, happened.seen_by)
    return _held(state, happened.record, sheet)


@_evolve.register
def _(happened: e.RecordChanged, state: State) -> State:
    return _sheet_changed(state, happened.record, happened.path, happened.after)


def _held(state: State, record: str, sheet: Sheet) -> State:
    return replace(state, records={**state.records, record: sheet})


def _sheet_changed(state: State, record: str, path: str, after: Any) -> State:
    held = state.records[record]
    sheet = apply(held.sheet, path, after)
    return _held(state, record, replace(held, sheet=sheet, name=str(sheet.get("name") or held.name)))


@_evolve.register
def _(happened: e.RecordShown, state: State) -> State:
    return _held(state, happened.record, replace(state.records[happened.record], seen_by=happened.seen_by))


@_evolve.register
def _(happened: e.RecordGiven, state: State) -> State:
    return _held(state, happened.record, replace(state.records[happened.record], owner=happened.owner))


@_evolve.register
def _(happened: e.RecordRemoved, state: State) -> State:
    return _removed(state, happened.record)


def _removed(state: State, record: str) -> State:
    return replace(state, records={name: held for name, held in state.records.items() if name != record})


@_evolve.register
def _(happened: e.SceneOpened, state: State) -> State:
    if happened.kind == "episode":
        return replace(state, episode=happened.title, scene="")
    return replace(state, scene=happened.title)


@_evolve.register
def _(happened: e.EncounterOpened, state: State) -> State:
    running = Running(happened.encounter, happened.state, happened.seen_by)
    encounters = {**state.encounters, str(happened.number): running}
    return replace(state, encounters=encounters, encounters_opened=max(state.encounters_opened, happened.number))


@_evolve.register
def _(happened: e.EncounterEnded, state: State) -> State:
    number = str(happened.number)
    encounters = {**state.encounters, number: replace(state.encounters[number], over=not happened.back)}
    return replace(state, encounters=encounters)


@_evolve.register
def _(happened: e.MoveEvent, state: State) -> State:
    number = str(happened.number)
    moves = {**state.moves, number: {**state.moves.get(number, {}), **happened.patch}}
    return replace(state, moves=moves, moves_started=max(state.moves_started, happened.number))


@_evolve.register
def _(happened: e.Changed, state: State) -> State:
    for change in happened.changes:
        state = changed(state, change, happened.encounter)
    return state


@_evolve.register
def _(happened: e.Corrected, state: State) -> State:
    log = tuple(replace(item, undone=True) if item.number == happened.item else item for item in state.log)
    return replace(state, log=log)


def changed(state: State, change: Mapping[str, Any], encounter: int | None) -> State:
    """The state after one change: on a record, an encounter, the clock, the table itself."""
    target, path, after = change["target"], change["path"], change["after"]
    match target:
        case "clock":
            return _clock_changed(state, path, after)
        case "encounter":
            running = state.encounters.get(str(encounter))
            if running is None:
                return state
            moved = apply(running.state, path, after) if path else after
            return replace(state, encounters={**state.encounters, str(encounter): replace(running, state=moved)})
        case "table":
            return replace(state, **{path: after})
    if not path:
        return _removed(state, target) if after is None else _brought(state, change)
    return _sheet_changed(state, target, path, after) if target in state.records else state


def _clock_changed(state: State, path: str, after: Any) -> State:
    if path == "minutes":
        return replace(state, minutes=int(after))
    if path == "scene":
        return replace(state, scene=str(after))
    if path == "episode":
        return replace(state, episode=str(after))
    if path.startswith("timers."):
        name = path.partition(".")[2]
        timers = {at: timer for at, timer in state.timers.items() if at != name}
        if after is not None:
            due = after["due"] if "due" in after else state.minutes + int(after.get("in", 0))
            timers[name] = {**{key: value for key, value in after.items() if key != "in"}, "due": due}
        return replace(state, timers=timers)
    return replace(state, minutes=int(after) * A_DAY + state.minutes % A_DAY)


def _brought(state: State, change: Mapping[str, Any]) -> State:
    """A record that a move brought to the table, or changed whole."""
    sheet, target = change["after"], change["target"]
    held = state.records.get(target)
    if held is not None:
        return _held(state, target, replace(held, sheet=sheet, name=str(sheet.get("name") or held.name)))
    name = str(sheet.get("name") or change.get("name") or target)
    seen_by = tuple(change.get("seen_by", (GM,)))
    return _held(state, target, Sheet(change.get("kind", "character"), name, sheet, change.get("owner", ""), seen_by))


def state_to_json(state: State) -> dict[str, Any]:
    """The state as plain values: a snapshot for the store."""
    plain: dict[str, Any] = to_plain(state)
    return plain


def state_from_json(data: Mapping[str, Any]) -> State:
    """The state that :func:`state_to_json` wrote."""
    state: State = from_plain(State, data)
    return state
