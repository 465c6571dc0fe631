"""The state of a table, and how each event changes it. No rule of a game is ever called here."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, singledispatch

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace as rewritten

from paravent.game import apply
from paravent.game.days import A_DAY
from paravent.game.eyes import Eyes
from paravent.game.plain import Plain
from paravent.game.records import ALL, GM

from . import events as e
from .act import Act, Kept, Names, advanced
from .events import Sheet
from .knowing import may_know
from .seen import EncounterSeen, MoveSeen, RecordSeen

LINES = 300
MOVES = 100
ENCOUNTERS = 30
"""How much each seat sees of what is past: lines, moves, encounters. Each counts its own, so that how much the others
have seen, or hidden, tells nobody anything; the state keeps whatever anybody still sees."""


class Seat(Kept, frozen=True):
    """A place at the table; somebody who left is not present: nothing waits for them."""

    name: str
    rank: str = msgspec.field(name="grade")
    link: str = ""
    present: bool = True


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


@dataclass(frozen=True)
class Counts:
    """What one seat has been told: how many events, and the numbers it knows moves and encounters by."""

    events: int = 0
    known: int = 0
    moves: dict[int, int] = field(default_factory=dict)
    faced: int = 0
    encounters: dict[int, int] = field(default_factory=dict)

    def told(self) -> Counts:
        """With one event more; asked for every seat at every event, so written out."""
        return Counts(self.events + 1, self.known, self.moves, self.faced, self.encounters)

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
    minutes: int = 0
    timers: dict[str, Timer] = field(default_factory=dict)
    """What is due later."""
    scene: str = ""
    episode: str = ""
    episodes: tuple[Episode, ...] = ()
    """The episodes so far, each with its scenes."""
    calendar: e.Calendar = field(default_factory=e.Calendar)
    house: e.House = field(default_factory=e.House)
    drafts: dict[str, e.Draft] = field(default_factory=dict)
    pictures: dict[str, e.Picture] = field(default_factory=dict)
    """The pictures that were brought, by their names."""
    backdrop: e.Backdrop = field(default_factory=e.Backdrop)
    documents: dict[str, e.Document] = field(default_factory=dict)
    prepared: dict[str, e.Prepared] = field(default_factory=dict)
    """The scenes that the game master prepares."""
    log: tuple[Item, ...] = ()
    counts: dict[str, Counts] = field(default_factory=dict)
    events: int = 0
    promises: dict[str, str] = field(default_factory=dict)
    """By seat, the promise of its next grain."""
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
    def seen_moves(self) -> dict[tuple[str, int, int, int], tuple[Act, str, MoveSeen | None]]:
        """What seats see of acts, as far as it was worked out."""
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


def evolve(state: State, happened: e.AnyEvent) -> State:
    """The state after an event. A command is decided by looking what it would bring about: that is not done twice."""
    key = id(state), id(happened)
    kept = _EVOLVED.get(key)
    if kept is None or kept[0] is not state or kept[1] is not happened:
        kept = _EVOLVED[key] = state, happened, _evolved(state, happened)
        while len(_EVOLVED) > _MOST_EVOLVED:
            _EVOLVED.popitem(last=False)
    return kept[2]


_EVOLVED: OrderedDict[tuple[int, int], tuple[State, e.AnyEvent, State]] = OrderedDict()
_MOST_EVOLVED = 16


def _evolved(state: State, happened: e.AnyEvent) -> State:
    after = _after(state, _evolve(happened, state))
    counts, number = _counted(after, happened), state.events + 1
    logged = _logged(after, counts, number, happened)
    return _after(after, _tidied(replace(after, counts=counts, log=logged, events=number)))


_WHO_IS_WHO = ("eyes", "_hearing", "_unseen", "seen_moves", "seen_lists", "seen_records",
               "seen_sheets", "seen_encounters")


def _after(before: State, state: State) -> State:
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


def _counted(state: State, happened: e.AnyEvent) -> dict[str, Counts]:
    """Each seat counts only what it is told."""
    heard = state.hearing((*happened.audience, *happened.touched))
    if isinstance(happened, _ACQUAINTS) or happened.touched:
        return state.counts | {seat: _told(state, happened, seat, state.counts_of(seat)) for seat in heard}
    return state.counts | {seat: state.counts_of(seat).told() for seat in heard}


def _tidied(state: State) -> State:
    """From time to time, let go of what nobody sees any more."""
    if state.endless:
        return state
    if len(state.moves) > 2 * MOVES and state.moves_started % MOVES == 0:
        seen = {at for seat in state.counts for at in state.known_moves(seat)}
        moves = {at: move for at, move in state.moves.items() if at in seen or not move.is_over}
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


FOR_LATECOMERS = (e.TableOpened, e.SeatAdded, e.SeatLeft, e.SeatReturned, e.Said, e.CardPlayed, e.SceneOpened)
"""What was told to all before they came, and is told to those who come later."""


def _still_read(log: tuple[Item, ...]) -> tuple[Item, ...]:
    """The lines that somebody still sees: each seat its own latest, and those who may yet come, theirs."""
    left: dict[str, int] = {}
    kept = []
    for item in reversed(log):
        late = item.move or (ALL in item.audience and isinstance(item.event, FOR_LATECOMERS))
        seats = {*item.heard, *(("later",) if late else ())} or {"nobody"}
        if any(left.get(seat, 0) < LINES for seat in seats):
            kept.append(item)
        for seat in seats:
            left[seat] = left.get(seat, 0) + 1
    return tuple(reversed(kept))


_ACQUAINTS = (*e.ACT_EVENTS, e.EncounterOpened, e.SeatAdded, e.SeatReturned, e.LinkRenewed)
"""Events by which a seat may come to know of a move or of an encounter."""


def _told(state: State, happened: e.AnyEvent, seat: str, known: Counts) -> Counts:
    known = known.told()
    if isinstance(happened, e.ACT_EVENTS) and seat in state.hearing(happened.audience):
        number = happened.number
        return known.knowing(number) if may_know(state.eyes, seat, state.moves[number]) else known
    if isinstance(happened, e.EncounterOpened):
        return known.facing(happened.number)
    return _acquainted(state, seat, known) if seat in happened.touched or _arrives(happened, seat) else known


def _arrives(happened: e.AnyEvent, seat: str) -> bool:
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
    e.FieldsFilled, e.ThrowReady, e.DiceThrown, e.AnswerGiven, e.MoveEnded, e.MoveUndone, e.DeadlineSet, e.SecrecySet,
    e.LinkRenewed, e.EncounterEnded, e.DraftSaved, e.PictureKept, e.RecordsFollowed,
    e.ScenePrepared, e.SceneDropped, e.GrainsPromised, e.GrainOpened,
)
"""Events that change a move's own line, or nothing that anybody needs to read again."""


def _logged(state: State, counts: dict[str, Counts], number: int, happened: e.AnyEvent) -> tuple[Item, ...]:
    """The log with an event, if it is told there."""
    if isinstance(happened, _SILENT) or (happened.back and not isinstance(happened, e.Corrected)):
        return state.log
    heard = {seat: counts[seat].events for seat in sorted(state.hearing(happened.audience))}
    if isinstance(happened, e.MoveStarted):
        item = Item(number, happened.audience, move=happened.number, heard=heard)
    else:
        item = Item(number, happened.audience, happened, heard=heard)
    return (*state.log, item)


@singledispatch
def _evolve(happened: e.Event, state: State) -> State:
    return state


@_evolve.register
def _(happened: e.TableOpened, state: State) -> State:
    return replace(
        state, table=happened.table, name=happened.name, system=happened.system, version=happened.version,
        settled=(happened.rulings,), lang=happened.lang, minutes=happened.minutes, house=happened.house,
    )


@_evolve.register
def _(happened: e.SeatAdded, state: State) -> State:
    return _seated(state, happened.seat, Seat(happened.name, happened.rank, happened.link))


@_evolve.register
def _(happened: e.SeatRenamed, state: State) -> State:
    return _seated(state, happened.seat, rewritten(state.seats[happened.seat], name=happened.name))


@_evolve.register
def _(happened: e.LinkRenewed, state: State) -> State:
    place = rewritten(state.seats[happened.seat], link=happened.link, present=not happened.closed)
    return _seated(state, happened.seat, place)


@_evolve.register
def _(happened: e.SeatLeft, state: State) -> State:
    return _seated(state, happened.seat, rewritten(state.seats[happened.seat], present=False))


@_evolve.register
def _(happened: e.SeatReturned, state: State) -> State:
    return _seated(state, happened.seat, rewritten(state.seats[happened.seat], present=True))


def _seated(state: State, seat: str, place: Seat) -> State:
    return replace(state, seats={**state.seats, seat: place})


@_evolve.register
def _(happened: e.OptionsSet, state: State) -> State:
    return replace(state, settled=(*state.settled, happened.rulings))


@_evolve.register
def _(happened: e.HouseSet, state: State) -> State:
    return replace(state, house=happened.house)


@_evolve.register
def _(happened: e.RecordAdded, state: State) -> State:
    sheet = Sheet(happened.kind, happened.name, happened.sheet, happened.owner, happened.seen_by, happened.version,
                  happened.aside, happened.picture)
    return _held(state, happened.record, sheet)


@_evolve.register
def _(happened: e.RecordsUpgraded, state: State) -> State:
    moves = {number: advanced(state.moves[number], then) for number, then in happened.acts.items()}
    return replace(state, records={**state.records, **happened.records}, moves={**state.moves, **moves})


@_evolve.register
def _(happened: e.RecordsFollowed, state: State) -> State:
    return replace(state, records={**state.records, **happened.records})


@_evolve.register
def _(happened: e.RecordChanged, state: State) -> State:
    return _sheet_changed(state, happened.record, happened.path, happened.after)


def _held(state: State, record: str, sheet: Sheet) -> State:
    return replace(state, records={**state.records, record: sheet})


def _sheet_changed(state: State, record: str, path: str, after: Plain) -> State:
    held = state.records[record]
    return _held(state, record, _resheeted(held, apply(held.sheet, path, after)))


def _resheeted(held: Sheet, sheet: dict[str, Plain]) -> Sheet:
    return rewritten(held, sheet=sheet, name=str(sheet.get("name") or held.name))


@_evolve.register
def _(happened: e.RecordShown, state: State) -> State:
    """Whoever is shown is known in the acts under way too, as long as no dice lie there that were thrown unseen."""
    moves = {
        act.id: rewritten(act, cast=tuple(
            rewritten(part, seen_by=happened.seen_by) if part.id == happened.record else part for part in act.cast))
        for act in state.open_moves() if not act.throws and any(part.id == happened.record for part in act.cast)
    }
    state = replace(state, moves={**state.moves, **moves}) if moves else state
    return _held(state, happened.record, rewritten(state.records[happened.record], seen_by=happened.seen_by))


@_evolve.register
def _(happened: e.RecordGiven, state: State) -> State:
    return _held(state, happened.record, rewritten(state.records[happened.record], owner=happened.owner))


@_evolve.register
def _(happened: e.RecordRemoved, state: State) -> State:
    return _removed(state, happened.record)


def _removed(state: State, record: str) -> State:
    return replace(state, records={name: held for name, held in state.records.items() if name != record})


@_evolve.register
def _(happened: e.SceneOpened, state: State) -> State:
    if happened.kind == "episode":
        begun = (*state.episodes, Episode(happened.title, state.events + 1))
        return replace(state, episode=happened.title, scene="", episodes=begun)
    *earlier, last = state.episodes or (Episode(state.episode, 0),)
    last = rewritten(last, scenes=(*last.scenes, happened.title))
    backdrop = e.Backdrop(happened.picture, scene=happened.title) if happened.picture else state.backdrop
    return replace(state, scene=happened.title, episodes=(*earlier, last), backdrop=backdrop)


@_evolve.register
def _(happened: e.DraftSaved, state: State) -> State:
    drafts = {name: draft for name, draft in state.drafts.items() if name != happened.draft}
    return replace(state, drafts={**drafts, happened.draft: happened.kept} if happened.kept.values else drafts)


@_evolve.register
def _(happened: e.PictureKept, state: State) -> State:
    picture = happened.picture
    return replace(state, pictures={**state.pictures, picture.name or picture.hash: picture})


@_evolve.register
def _(happened: e.RecordPictured, state: State) -> State:
    held = state.records.get(happened.record)
    return state if held is None else _held(state, happened.record, rewritten(held, picture=happened.picture))


@_evolve.register
def _(happened: e.BackdropSet, state: State) -> State:
    return replace(state, backdrop=happened.backdrop)


@_evolve.register
def _(happened: e.ScenePrepared, state: State) -> State:
    return replace(state, prepared={**state.prepared, happened.scene: happened.kept})


@_evolve.register
def _(happened: e.SceneDropped, state: State) -> State:
    return replace(state, prepared={name: kept for name, kept in state.prepared.items() if name != happened.scene})


@_evolve.register
def _(happened: e.DocumentKept, state: State) -> State:
    return replace(state, documents={**state.documents, happened.document: happened.kept})


@_evolve.register
def _(happened: e.DocumentShown, state: State) -> State:
    shown = rewritten(state.documents[happened.document], seen_by=happened.seen_by)
    return replace(state, documents={**state.documents, happened.document: shown})


@_evolve.register
def _(happened: e.DocumentRemoved, state: State) -> State:
    left = {name: kept for name, kept in state.documents.items() if name != happened.document}
    return replace(state, documents=left)


@_evolve.register
def _(happened: e.ClockSet, state: State) -> State:
    return replace(state, minutes=happened.minutes, calendar=happened.calendar or state.calendar)


@_evolve.register
def _(happened: e.EncounterOpened, state: State) -> State:
    running = Running(happened.encounter, happened.state, happened.seen_by)
    encounters = {**state.encounters, happened.number: running}
    return replace(state, encounters=encounters, encounters_opened=max(state.encounters_opened, happened.number))


@_evolve.register
def _(happened: e.EncounterEnded, state: State) -> State:
    running = rewritten(state.encounters[happened.number], over=not happened.back)
    return replace(state, encounters={**state.encounters, happened.number: running})


@_evolve.register
def _(happened: e.MoveStarted, state: State) -> State:
    moves = {**state.moves, happened.number: happened.act}
    return replace(state, moves=moves, moves_started=max(state.moves_started, happened.number))


@_evolve.register
def _advanced(happened: e.MoveEvent, state: State) -> State:
    act = advanced(state.moves[happened.number], happened.then)
    return replace(state, moves={**state.moves, happened.number: act})


@_evolve.register
def _(happened: e.GrainsPromised, state: State) -> State:
    return replace(state, promises={**state.promises, happened.seat: happened.promise})


@_evolve.register
def _(happened: e.GrainOpened, state: State) -> State:
    opened = {**state.opened.get(happened.hash, {}), happened.seat: happened.opened}
    return replace(state, opened={**state.opened, happened.hash: opened},
                   promises={**state.promises, happened.seat: happened.opened})


@_evolve.register
def _(happened: e.ThrowReady | e.DiceThrown, state: State) -> State:
    """Whoever opened a grain has promised the next by it; whoever did not answer is asked again once they promise."""
    state = _advanced(happened, state)
    made = state.moves[happened.number].keys.get(happened.step)
    if made is None or not made.grains:
        return state
    promises, opened = dict(state.promises), state.opened
    for row in made.grains:
        if promises.get(row.seat) == row.promise:
            if row.opened:
                promises[row.seat] = row.opened
            elif row.left_out:
                del promises[row.seat]
    if opened:
        asked = {key.hash for act in state.open_moves() for key in act.keys.values() if key.grain is None}
        opened = {name: grains for name, grains in opened.items() if name in asked}
    return replace(state, promises=promises, opened=opened)


@_evolve.register
def _(happened: e.Changed, state: State) -> State:
    for change in happened.changes:
        state = changed(state, change, happened.encounter)
    return state


@_evolve.register
def _(happened: e.Corrected, state: State) -> State:
    told = next((item.event for item in state.log if item.number == happened.item), None)
    act = told.move if isinstance(told, e.Changed) else 0  # of an act, whatever it changed is taken back together
    log = tuple(
        rewritten(item, undone=True) if item.number == happened.item
        or (act and isinstance(item.event, e.Changed) and item.event.move == act) else item
        for item in state.log
    )
    return replace(state, log=log)


def changed(state: State, change: e.Made, encounter: int | None) -> State:
    """The state after one change: on a record, an encounter, the clock, the table itself."""
    target, path, after = change.target, change.path, change.after
    match target:
        case "clock":
            return _clock_changed(state, path, after)
        case "encounter":
            running = state.encounters.get(encounter or 0)
            if running is None:
                return state
            moved = rewritten(running, state=apply(running.state, path, after) if path else after)
            return replace(state, encounters={**state.encounters, encounter or 0: moved})
        case "table":
            return _table_changed(state, path, after)
    if not path:
        return _removed(state, target) if after is None else _brought(state, change)
    return _sheet_changed(state, target, path, after) if target in state.records else state


def _table_changed(state: State, path: str, after: Plain) -> State:
    if path == "house":
        return replace(state, house=msgspec.convert(after, e.House))
    if path == "rulings":
        assert isinstance(after, dict)
        return replace(state, settled=(*state.settled, {name: str(value) for name, value in after.items()}))
    return replace(state, scene=str(after)) if path == "scene" else replace(state, episode=str(after))


def _clock_changed(state: State, path: str, after: Plain) -> State:
    if path == "scene":
        return replace(state, scene=str(after))
    if path == "episode":
        return replace(state, episode=str(after))
    if path.startswith("timers."):
        name = path.partition(".")[2]
        timers = {at: timer for at, timer in state.timers.items() if at != name}
        if after is not None:
            timers[name] = timer_of(after, state.minutes)
        return replace(state, timers=timers)
    assert isinstance(after, int)
    return replace(state, minutes=after if path == "minutes" else after * A_DAY + state.minutes % A_DAY)


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


def _brought(state: State, change: e.Made) -> State:
    """A record that a move brought to the table, or changed whole."""
    sheet, target = change.after, change.target
    assert isinstance(sheet, dict)
    held = state.records.get(target)
    if held is not None:
        return _held(state, target, _resheeted(held, sheet))
    name = str(sheet.get("name") or change.name or target)
    seen_by = (GM,) if change.seen_by is None else change.seen_by
    return _held(state, target, Sheet(change.kind or "character", name, sheet, change.owner, seen_by, change.version))


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
