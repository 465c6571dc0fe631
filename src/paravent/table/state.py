"""The state of a table: one frozen, typed value. How each event changes it: :mod:`.evolve`."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, fields, replace
from operator import attrgetter

import msgspec
from msgspec import UNSET, UnsetType

from paravent.game.days import A_DAY
from paravent.game.eyes import Eyes
from paravent.game.lazily import cached_property
from paravent.game.plain import Plain
from paravent.game.records import ALL

from . import events as e
from .act import Act, Kept, Names, Part, Throw
from .events import Sheet
from .seen import EncounterSeen, MoveSeen, RecordSeen, ThrowSeen

LINES = 300
MOVES = 100
ENCOUNTERS = 30
"""How much each seat sees of what is past: lines, moves, encounters. Each counts its own, so that how much the others
have seen, or hidden, tells nobody anything; the state keeps whatever anybody still sees."""
HEARD_OF = 16
"""Of how many acts a seat's order of hearing is kept."""


class Seat(Kept, frozen=True):
    """A place at the table; somebody who left is not present: nothing waits for them."""

    name: str
    rank: str = msgspec.field(name="grade")
    link: str = ""
    present: bool = True
    also: Names = ()
    """Other links that lead here: those of tables that were joined to this one."""


class Timer(Kept, frozen=True):
    """What falls due: when, on which record, and the value that is set or added."""

    due: int
    record: str = ""
    path: str = ""
    set: Plain | UnsetType = UNSET
    add: int = 0
    rule: str = ""


class Episode(Kept, frozen=True):
    """A part of the story, and the number of the event that began it."""

    title: str
    began: int
    scenes: tuple[str, ...] = ()


class Running(Kept, frozen=True):
    """An encounter under way, its state in plain values; ``seen_by`` are the ranks that may know of it."""

    encounter: str
    state: Plain
    seen_by: Names = (ALL,)
    over: bool = False


class Item(Kept, frozen=True):
    """One line of the log: the event's number and who heard it then, each with their own number for it.

    It says the event; of an act, it is drawn from the act as it stands.
    """

    number: int
    audience: Names
    event: e.AnyEvent | None = None
    move: int = 0
    undone: bool = False
    heard: dict[str, int] = {}
    more: tuple[e.AnyEvent, ...] = ()
    """What happened with it in the same gesture, and is told in the same line."""
    at: str = ""
    """Of an act, when it began: for those alone who heard of it then."""


@dataclass(frozen=True)
class Counts:
    """What one seat has been told: how many events, and the numbers it knows moves and encounters by."""

    events: int = 0
    known: int = 0
    moves: dict[int, int] = field(default_factory=dict)
    faced: int = 0
    encounters: dict[int, int] = field(default_factory=dict)
    latest: tuple[int, ...] = field(default=(), compare=False)
    """The acts of which it heard last, the last of all at the end: remembered for its page, and in no account."""

    @cached_property
    def acts(self) -> dict[int, int]:
        """The table's numbers of the moves, by its own."""
        return {own: number for number, own in self.moves.items()}

    def told(self) -> Counts:
        """With one event more; asked for every seat at every event, so written out."""
        return Counts(self.events + 1, self.known, self.moves, self.faced, self.encounters, self.latest)

    def hearing_of(self, number: int) -> Counts:
        """With an act that it heard of just now."""
        if self.latest[-1:] == (number,):
            return self
        return replace(self, latest=(*(one for one in self.latest if one != number), number)[-HEARD_OF:])

    def knowing(self, number: int) -> Counts:
        """With the next number of its own given to a move."""
        if number in self.moves:
            return self
        return replace(self, known=self.known + 1, moves={**self.moves, number: self.known + 1})

    def facing(self, number: int) -> Counts:
        """With the next number of its own given to an encounter."""
        if number in self.encounters:
            return self
        return replace(self, faced=self.faced + 1, encounters={**self.encounters, number: self.faced + 1})


_UNTOLD = Counts()
SeenBy = tuple[str | None, bool, frozenset[str], str]
"""All who see the same of a record: their rank, whether they answer for it, what they may not know of; the record."""


@dataclass(frozen=True)
class State:
    """Everything about a table, as the log tells it."""

    table: str = ""
    name: str = ""
    system: str = ""
    version: str = ""
    lang: str = "fr"
    settled: tuple[dict[str, str], ...] = ()
    """The options as they were settled, one time after the other: acts name theirs by number."""
    seats: dict[str, Seat] = field(default_factory=dict)
    records: dict[str, Sheet] = field(default_factory=dict)
    moves: dict[int, Act] = field(default_factory=dict)
    """Acts by number: all open ones, and the latest that are over."""
    moves_started: int = 0
    encounters: dict[int, Running] = field(default_factory=dict)
    encounters_opened: int = 0
    encounters_begun: dict[int, int] = field(default_factory=dict)
    """After which act each of them began."""
    minutes: int = 0
    timers: dict[str, Timer] = field(default_factory=dict)
    """What is due later."""
    scene: str = ""
    episode: str = ""
    episodes: tuple[Episode, ...] = ()
    """The episodes so far, each with its scenes."""
    calendar: e.FirstDay = field(default_factory=e.FirstDay)
    house: e.House = field(default_factory=e.House)
    drafts: dict[str, e.Draft] = field(default_factory=dict)
    pictures: dict[str, e.Picture] = field(default_factory=dict)
    """The pictures that were brought, by their names."""
    backdrop: e.Backdrop = field(default_factory=e.Backdrop)
    documents: dict[str, e.Document] = field(default_factory=dict)
    prepared: dict[str, e.Prepared] = field(default_factory=dict)
    """The scenes that the game master prepares."""
    deck: dict[str, Sheet] = field(default_factory=dict)
    """The people whom the game master has up their sleeve."""
    notes: dict[str, str] = field(default_factory=dict)
    """Private notes: a seat's own by its id, the game masters' on a seat by ``gm:`` and its id."""
    appointments: dict[str, e.Appointment] = field(default_factory=dict)
    hourglass: e.Hourglass = field(default_factory=e.Hourglass)
    joined: tuple[str, ...] = ()
    """The tables that were joined to this one."""
    moved: str = ""
    """The table that this one was joined to."""
    log: tuple[Item, ...] = ()
    counts: dict[str, Counts] = field(default_factory=dict)
    events: int = 0
    promises: dict[str, str] = field(default_factory=dict)
    """By seat, the promises of its next grains that no throw has been given yet, a space after each; or, as earlier
    versions promised, one alone: the hash of a chain, in which each grain is that of the next."""
    quiet: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Seats that did not answer and are not asked again before they promise: for throws that all know of, and by player
    for those of which only that one and the game masters know."""
    opened: dict[str, dict[str, str]] = field(default_factory=dict)
    """By the hash of a throw's key, the grains opened for it so far, by seat."""
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
        here = {name: place.rank for name, place in self.seats.items() if place.present or name == seat}
        return Eyes(here, owners)

    @property
    def rulings(self) -> dict[str, str]:
        """The options as they stand."""
        return self.settled[-1] if self.settled else {}

    def rulings_of(self, act: Act) -> dict[str, str]:
        """The options that an act is played by."""
        return act.own_rulings if act.own_rulings is not None else self.settled[act.rulings]

    @property
    def day(self) -> int:
        """The day of the fiction."""
        return self.minutes // A_DAY

    @property
    def minute(self) -> int:
        """The minute of the day of the fiction."""
        return self.minutes % A_DAY

    def move(self, number: int) -> Act:
        """An act by its number."""
        return self.moves[number]

    def counts_of(self, seat: str) -> Counts:
        """What a seat has been told."""
        return self.counts.get(seat, _UNTOLD)

    def known_moves(self, seat: str) -> dict[int, int]:
        """The acts that a seat has numbers for and may still look at: all open ones, and its latest others."""
        known = self.counts_of(seat)
        return {
            at: own for at, own in known.moves.items()
            if at in self.moves
            and (self.endless or own > known.known - MOVES or not self.moves[at].is_over)
        }

    def own_number(self, seat: str, number: int) -> int | None:
        """A seat's own number for one of these acts; None for any other."""
        known, act = self.counts_of(seat), self.moves.get(number)
        own = known.moves.get(number)
        if act is None or own is None:
            return None
        return own if self.endless or own > known.known - MOVES or not act.is_over else None

    def table_number(self, seat: str, own: int) -> int | None:
        """The table's number of an act, by a seat's own; the latest are looked at first."""
        if self.endless:
            return self.counts_of(seat).acts.get(own)
        return next((at for at, number in reversed(self.counts_of(seat).moves.items()) if number == own), None)

    def known_encounters(self, seat: str) -> dict[int, int]:
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
            if place.present and (ALL in audience or seat in audience or place.rank in audience):
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
    def removals(self) -> tuple[Item, ...]:
        """The lines that tell of somebody taken off the table: looked for once for all who read them."""
        return tuple([item for item in self.log if isinstance(item.event, e.RecordRemoved) or (item.more and any(
            isinstance(told, e.RecordRemoved) for told in item.more))])

    @cached_property
    def seen_moves(self) -> dict[tuple[str, int, int, int], tuple[Act, str, MoveSeen | None]]:
        """What seats see of acts, as far as it was worked out."""
        return {}

    @cached_property
    def seen_throws(self) -> dict[tuple[Hashable, int, str], tuple[tuple[Part, ...], Throw, ThrowSeen]]:
        """What seats see of throws, by who looks, act and step, with who was in it, as far as it was worked out."""
        return {}

    @cached_property
    def seen_lists(self) -> dict[str, tuple[tuple[object, ...], dict[int, MoveSeen]]]:
        """All the acts that seats know of, with what they were listed from."""
        return {}

    @cached_property
    def seen_records(self) -> dict[SeenBy, tuple[Sheet, object, RecordSeen]]:
        """What seats see of records, as far as it was worked out."""
        return {}

    @cached_property
    def seen_sheets(self) -> dict[str, tuple[dict[str, Sheet], object, dict[str, RecordSeen]]]:
        """All the records that seats see, with what they were listed from."""
        return {}

    @cached_property
    def seen_encounters(self) -> dict[tuple[str, int], tuple[Running, tuple[object, object], EncounterSeen | None]]:
        """What seats see of encounters, as far as it was worked out."""
        return {}

    @cached_property
    def _unseen(self) -> dict[str, frozenset[str]]:
        return {}

    def open_moves(self) -> list[Act]:
        """The acts that are not over."""
        return [act for act in self.moves.values() if not act.is_over]


_PARTS = tuple(part.name for part in fields(State))
_parts = attrgetter(*_PARTS)


def with_other(state: State, **parts: object) -> State:
    """The state with other parts, and nothing that was worked out of it: as ``dataclasses.replace`` makes it, at once,
    for what is done at every event."""
    other = object.__new__(State)
    vars(other).update(zip(_PARTS, _parts(state), strict=True), **parts)
    return other


_WHO_IS_WHO = ("eyes", "_hearing", "_unseen", "seen_moves", "seen_throws", "seen_lists", "seen_records",
               "seen_sheets", "seen_encounters")


def later(before: State, state: State) -> State:
    """A later state: who is who is not worked out again while seats and owners are the same."""
    if state is not before and state.seats is before.seats and _same_hands(before.records, state.records):
        vars(state).update({name: vars(before)[name] for name in _WHO_IS_WHO if name in vars(before)})
    return state


def _same_hands(before: dict[str, Sheet], after: dict[str, Sheet]) -> bool:
    """Whether the same records are in the same hands, before the same eyes."""
    if before is after:
        return True
    return len(before) == len(after) and all(
        held is (was := before.get(name))
        or (was is not None and (held.owner, held.seen_by) == (was.owner, was.seen_by))
        for name, held in after.items()
    )


FOR_LATECOMERS = (e.TableOpened, e.SeatAdded, e.SeatLeft, e.SeatReturned, e.Said, e.CardPlayed, e.SceneOpened)
"""What was told to all before they came, and is told to those who come later."""


def timer_of(value: Plain, now: int) -> Timer:
    """A timer as a game writes it down, ``in`` so many minutes or ``due`` at one."""
    assert isinstance(value, dict)
    told = {name: part for name, part in value.items() if name != "in"}
    wait = value.get("in", 0)
    assert isinstance(wait, int)
    return msgspec.convert({"due": now + wait, **told}, Timer)


def timer_plain(timer: Timer) -> Plain:
    """A timer in plain values."""
    told: Plain = msgspec.to_builtins(timer)
    return told


class _Snapshot(Kept, frozen=True):
    format: int
    state: State


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(_Snapshot)


def state_written(state: State) -> str:
    """The state as the store keeps it, to open a long table at once."""
    return _encoder.encode(_Snapshot(e.FORMAT, state)).decode()


def state_read(text: str | bytes) -> State | None:
    """The state that :func:`state_written` wrote; none where another version wrote it otherwise."""
    try:
        kept = _decoder.decode(text)
    except msgspec.DecodeError:
        return None
    return kept.state if kept.format == e.FORMAT else None
