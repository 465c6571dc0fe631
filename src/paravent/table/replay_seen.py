"""Whether what one seat was told came of its dice is what the rules make of them: played again, from its own export.

Whoever rewrites an account may close it anew: its last line proves nothing then. So every result that follows from what
the seat saw (the sheets, what was filled in, the dice, the answers) is worked out again: outcome, figures, reasons,
sentences, and what it asked to change. A rule that reads something the seat may not see is not guessed at: the result
is listed as one that **depends on something hidden**. So is one that might: somebody hidden may hold a place that is
free, or stand in a fight, and nobody may be called a forger for what they could not show.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, NoReturn, TypeVar

import msgspec
from msgspec import UNSET, Raw, Struct

from paravent.dice import Choice, Noted, ParaventError, PlayedDice, plain
from paravent.game import PASS_TIME, System
from paravent.game.datafiles import rules_mark
from paravent.game.days import A_DAY
from paravent.game.errors import BROKEN, Withheld, noticing
from paravent.game.eyes import Eyes
from paravent.game.lazily import cached_property
from paravent.game.move import Actor, AnyResolve, Context, Move
from paravent.game.people import about_nobody_known, for_reader
from paravent.game.plain import Plain, Value
from paravent.game.records import GM, Change, fields_of, from_plain, partly_from, supposed, to_plain, veiled
from paravent.game.rulebook import Rulings
from paravent.game.system import fill_all
from paravent.game.telling import spoken

from .house import with_house_moves
from .knowing import may_read
from .longlog import forgotten
from .open_move import Unknown
from .perhaps import lists_within, perhaps
from .seen import ChangeSeen, DiceSeen, EncounterSeen, MoveSeen, RecordSeen, ThrowSeen, is_sealed

Verdict = Literal["same", "hidden", "unread", "another-version", "differs"]
_NOTHING = Raw(b"null")
_SECRET = -1
"""Supposes nothing: what one may not see of a sheet is carried along."""
MOST_MOMENTS, MOST_WAYS = 32, 16
"""How often what an act may have read is kept, and on how much of it it is played again before anybody is accused."""


class SeenRow(Struct):
    """A line of somebody's own export, as far as it says on what rules are played; each part is read by itself."""

    type: Raw = _NOTHING
    number: Raw = _NOTHING
    move: Raw = _NOTHING
    view: Raw = _NOTHING
    records: Raw = _NOTHING
    record: Raw = _NOTHING
    seen: Raw = _NOTHING
    encounters: Raw = _NOTHING
    minutes: Raw = _NOTHING
    rulings: Raw = _NOTHING
    seat: Raw = _NOTHING
    rank: Raw = msgspec.field(default=_NOTHING, name="grade")
    id: Raw = _NOTHING
    marks: Raw = _NOTHING
    """From which line on results come of which rules: in a line of their own, at the end."""


class _SeatTold(Struct):
    rank: str = msgspec.field(default="player", name="grade")


class _ViewTold(Struct):
    """As much of a whole view as rules are played on."""

    records: dict[str, RecordSeen]
    encounters: dict[int, EncounterSeen]
    moves: dict[int, MoveSeen]
    rulings: dict[str, str]
    seats: dict[str, _SeatTold]
    minutes: int


S = TypeVar("S")


def _read(kind: type[S], raw: Raw) -> S | None:
    """A part of a line as what it should be; None if it is not there, or is something else."""
    if raw is _NOTHING:
        return None
    try:
        return msgspec.json.decode(raw, type=kind)
    except (msgspec.DecodeError, RecursionError):
        return None


@dataclass(frozen=True)
class _Known:
    """What the seat knows of the table just then."""

    records: Mapping[str, RecordSeen] = field(default_factory=dict)
    encounters: Mapping[int, EncounterSeen] = field(default_factory=dict)
    rulings: Mapping[str, str] | None = None
    minutes: int | None = None
    ranks: Mapping[str, str] = field(default_factory=dict)

    def after(self, row: SeenRow, view: _ViewTold | None) -> _Known:
        """The same, after a line."""
        known = self
        if view is not None:
            known = _Known(view.records, view.encounters, view.rulings, view.minutes,
                           {seat: place.rank for seat, place in view.seats.items()})
        if (records := _read(dict[str, RecordSeen], row.records)) is not None:
            known = replace(known, records=records)
        if (name := _read(str, row.record)) is not None:
            record, others = _read(RecordSeen, row.seen), {n: kept for n, kept in known.records.items() if n != name}
            known = replace(known, records=others if record is None else {**others, name: record})
        elif (number := _read(int, row.number)) is not None and (met := _read(EncounterSeen, row.seen)) is not None:
            known = replace(known, encounters={**known.encounters, number: met})
        if (encounters := _read(dict[int, EncounterSeen], row.encounters)) is not None:
            known = replace(known, encounters=encounters)
        if (minutes := _read(int, row.minutes)) is not None:
            known = replace(known, minutes=minutes)
        if (rulings := _read(dict[str, str], row.rulings)) is not None:
            known = replace(known, rulings=rulings)
        if (seat := _read(str, row.seat)) is not None and (rank := _read(str, row.rank)) is not None:
            known = replace(known, ranks={**known.ranks, seat: rank})
        return known

    def is_same_for(self, other: _Known, seen: MoveSeen) -> bool:
        """Whether an act is played on the same at both times."""
        return self.is_same_but_for_sheets(other, seen) and all(
            self.records.get(name) == other.records.get(name) for name in seen.cast)

    def is_same_but_for_sheets(self, other: _Known, seen: MoveSeen) -> bool:
        """Whether it is, apart from the sheets of those in it."""
        met = seen.encounter if isinstance(seen.encounter, int) else 0
        return (self.rulings, self.minutes, self.encounters.get(met)) == (
            other.rulings, other.minutes, other.encounters.get(met))


class _Unsure(Mapping[str, Value]):
    """Earlier results; of some it is not known whether they are there. ``doubts`` are the roles that were looked at and
    may be held by somebody hidden, what was withheld, and what was doubtful of an earlier result that was looked at."""

    def __init__(self, free: frozenset[str]) -> None:
        self.free, self.doubts, self.unsure = free, set[str](), set[str]()
        self.given: dict[str, Value] = {}
        self.doubtful: dict[str, frozenset[str]] = {}

    def __getitem__(self, step: str) -> Value:
        self._look_at(step)
        return self.given[step]

    def __contains__(self, step: object) -> bool:
        self._look_at(step)
        return step in self.given

    def _look_at(self, step: object) -> None:
        if step in self.unsure:
            raise Withheld(what=str(step))
        self.doubts |= self.doubtful.get(str(step), frozenset())

    def __iter__(self) -> Iterator[str]:
        return iter(self.given)

    def __len__(self) -> int:
        return len(self.given)


class _Looking(Context):
    """What the seat's rules read; it is noted when they look at a place that somebody hidden may hold."""

    def all(self, role: str = "initiator") -> tuple[Actor, ...]:
        """The members of a role, as far as is known."""
        self._doubt(role)
        return super().all(role)

    def one(self, role: str = "initiator") -> Actor:
        """The member of a role, if it is known."""
        self._doubt(role)
        return super().one(role)

    def _doubt(self, role: str) -> None:
        if isinstance(self.results, _Unsure) and role in self.results.free:
            self.results.doubts.add(role)


class _Mismatch(Exception):
    """The dice or answers shown are not those that the rule asks for; ``more`` where it asks for more than there is."""

    def __init__(self, more: bool = False) -> None:
        super().__init__()
        self.more = more


class _Secret:
    """What stands in a field that the seat may not see: it can be carried along, and nothing can be made of it."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __eq__(self, other: object) -> bool:
        return other is self or self._withhold()

    def _withhold(self, *_: object) -> NoReturn:
        raise Withheld(what=self._name)

    __hash__ = __bool__ = __len__ = __iter__ = __contains__ = __getitem__ = __getattr__ = __call__ = _withhold
    __lt__ = __le__ = __gt__ = __ge__ = __int__ = __index__ = __float__ = __str__ = __format__ = _withhold
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __floordiv__ = __mod__ = __neg__ = _withhold
    __and__ = __rand__ = __or__ = __ror__ = _withhold


class _ShownFaces:
    """The dice that were shown, one fall after the other."""

    def __init__(self, dice: Sequence[DiceSeen]) -> None:
        self._left = list(dice)

    def throw(self, role: str, n: int, sides: int) -> tuple[int, ...]:
        """The faces that fell, if the rule throws what was thrown."""
        if not self._left:
            raise _Mismatch(more=True)
        fell = self._left.pop(0)
        if (fell.role, fell.sides, len(fell.faces)) != (role, sides, n):
            raise _Mismatch
        return fell.faces

    def skip(self, n: int, sides: int) -> None:
        """Nothing is passed over."""

    def stream(self, name: str) -> _ShownFaces:
        """They are told in the order in which they fell, whatever the stream."""
        return self

    @property
    def left(self) -> tuple[int, ...]:
        """What no rule asked for."""
        return tuple(face for fell in self._left for face in fell.faces)


class _Again(NamedTuple):
    """What the rules made of a step again: why not, or what."""

    why: Literal["", "hidden", "mismatch", "more"] = ""
    result: Value = None
    notes: tuple[Noted, ...] = ()
    doubted: bool = False
    """Whether it looked at what may be otherwise than the seat saw it."""


class _Played(NamedTuple):
    """An act played again."""

    ctx: Context
    steps: dict[str, _Again]
    results: _Unsure

    @property
    def doubted(self) -> bool:
        """Whether any of its steps is doubtful."""
        return any(again.doubted for again in self.steps.values())

    @contextmanager
    def looked_at(self) -> Iterator[set[str]]:
        """What is doubtful of all that is looked at meanwhile: it is known afterwards."""
        doubts = set[str]()
        self.results.doubts.clear()
        with noticing() as withheld:
            yield doubts
        doubts |= withheld | self.results.doubts


class SeenReplay:
    """The acts that one seat saw, played again one after the other as its export is read."""

    def __init__(self, system: System | None, seat: str) -> None:
        self._system = None if system is None else with_house_moves(system)
        self._mark = "" if system is None else rules_mark(system.package)
        self._seat = seat
        self._known = _Known()
        self._begun: dict[int, _Known] = {}
        self._from_its_start: set[int] = set()
        self._thrown: dict[int, _Known] = {}
        self._open: dict[int, MoveSeen] = {}
        """The acts whose dice are still to fall: they read sheets anew."""
        self._moments: dict[int, list[_Known]] = {}
        """All that an act may have read, from its beginning until its dice fell."""
        self._looked: dict[int, tuple[ThrowSeen, ...]] = {}
        self._changes: dict[int, tuple[ChangeSeen, ...]] = {}
        self._marks: list[tuple[int, str]] = []
        self._line = 0
        self._verdicts: dict[tuple[int, str], Verdict] = {}
        self._accused: dict[tuple[int, str], int] = {}
        self.amended = 0

    @property
    def differs(self) -> tuple[int, str] | None:
        """The first act and step of which the rules make something else: these rules, no other version of them."""
        return next((name for name, line in self._accused.items() if self._is_of_these_rules(line)), None)

    @property
    def depends(self) -> tuple[tuple[int, str], ...]:
        """The results that depend on something hidden from the seat, by act and step."""
        return tuple(name for name, verdict in self._verdicts.items()
                     if verdict == "hidden" and name not in self._accused)

    def count(self, verdict: Verdict) -> int:
        """How many results are of a kind."""
        return sum(("another-version" if name in self._accused else one) == verdict
                   for name, one in self._verdicts.items())

    def _is_of_these_rules(self, line: int) -> bool:
        said = [mark for first, mark in self._marks if first <= line]
        return bool(said) and said[-1] == self._mark

    def look(self, row: SeenRow) -> None:
        """Look at a line."""
        view = _read(_ViewTold, row.view)
        known = self._known
        self._known = known.after(row, view)
        if self._known is not known:
            for one in self._open.values():
                self._may_read(one, self._known)
        self._line = _read(int, row.id) or self._line
        self._marks = _read(list[tuple[int, str]], row.marks) or self._marks
        seen = _read(MoveSeen, row.move)
        if seen is not None and _read(str, row.type) == "move-started":
            self._from_its_start.add(seen.number)
            self._begun[seen.number] = known
        for one in () if view is None else view.moves.values():
            if self._dice_fell(one, one.throws) and not self._dice_fell(one, self._looked.get(one.number, ())):
                self._from_its_start.discard(one.number)  # while the seat was not there: on what, it was not told
            self._look_at(one, known)
        if seen is not None:
            self._look_at(seen, known)

    def forget(self) -> None:
        """Let go of the acts that were looked at; what was found stays."""
        forgotten(self._begun, self._thrown, self._open, self._moments, self._looked, self._changes)

    def _look_at(self, seen: MoveSeen, before: _Known) -> None:
        number = seen.number
        self._begun.setdefault(number, before)
        self._may_read(seen, before)
        if seen.phase == "open" and not self._dice_fell(seen, seen.throws):
            self._open[number] = seen
        else:
            self._open.pop(number, None)
        if not seen.throws:
            self._looked.pop(number, None)  # it began again
            return
        first = not any(throw.outcome is not UNSET for throw in self._looked.get(number, ()))
        if self._looked.get(number) == seen.throws and self._changes.get(number) == seen.changes:
            return
        if number not in self._thrown or not self._dice_fell(seen, self._looked.get(number, ())):
            self._thrown[number] = before
        started = [known for known in (self._begun[number], self._thrown[number])
                   if known.rulings is not None and known.minutes is not None]
        self._looked[number] = seen.throws
        if started:
            self._judge(seen, started, first)
        else:
            self._verdicts |= {(number, throw.step): "unread" for throw in seen.throws}
        self._changes[number] = seen.changes

    def _may_read(self, seen: MoveSeen, known: _Known) -> None:
        """Keep what an act may read by now, unless it is what it read before; not without end."""
        moments = self._moments.setdefault(seen.number, [])
        if len(moments) <= MOST_MOMENTS and not (moments and known.is_same_for(moments[-1], seen)):
            moments.append(known)

    def _dice_fell(self, seen: MoveSeen, throws: Iterable[ThrowSeen]) -> bool:
        """Whether dice have fallen in an act: until they do, rules that run by themselves read sheets anew."""
        auto = self._auto(seen)
        return any(throw.step not in auto for throw in throws)

    def _auto(self, seen: MoveSeen) -> set[str]:
        """The steps of an act at which rules run by themselves."""
        declared = None if self._system is None else self._system.moves.get(seen.move)
        return set() if declared is None else {step.id for step in declared.resolves if step.auto}

    def _judge(self, seen: MoveSeen, started: Sequence[_Known], first: bool) -> None:
        """Say of each result of an act whether the rules give it again, on what was known when it began or was thrown,
        or at any moment between; nobody is accused where it may have read something else, nor where the seat was not
        told of its beginning."""
        tried = [self._verdicts_on(seen, started[0], first)]
        if any(verdict != "same" for verdict in tried[0].values()) and not started[0].is_same_for(started[-1], seen):
            tried.append(self._verdicts_on(seen, started[-1], first))
        wrong = self._wrong(seen, started, tried, first) if all("differs" in one.values() for one in tried) else set()
        for step in tried[0]:
            verdict: Verdict = "differs" if step in wrong else _either([one[step] for one in tried])
            self._verdicts[seen.number, step] = verdict
            if verdict == "differs":
                self._accused.setdefault((seen.number, step), self._line)

    def _wrong(
        self, seen: MoveSeen, started: Sequence[_Known], tried: Sequence[Mapping[str, Verdict]], first: bool
    ) -> set[str]:
        """The results that come of nothing that the act may have read; of a rule that ran by itself before the dice,
        that is said only where no sheet changed."""
        ways = self._ways(seen, started) if seen.number in self._from_its_start else None
        if ways is None or not all("differs" in self._verdicts_on(seen, way, first).values() for way in ways):
            return set()
        auto = self._auto(seen) if len(ways) > 1 else ()
        return {step for step, verdict in tried[-1].items() if verdict == "differs" and step not in auto}

    def _ways(self, seen: MoveSeen, started: Sequence[_Known]) -> list[_Known] | None:
        """What an act may have read, where sheets changed while it was open: each sheet as it was at some moment. None
        where more changed than sheets that everybody sees, or too much."""
        moments = [*started, *self._moments.get(seen.number, ())]
        if len(moments) > MOST_MOMENTS or not all(
                one.is_same_but_for_sheets(moments[0], seen) for one in moments):
            return None
        ways = [started[-1]]
        for name in seen.cast:
            sheets = _one_of_each(one.records.get(name) for one in moments)
            if len(sheets) > 1:
                if not self._is_for_all(sheets) or len(ways) * len(sheets) > MOST_WAYS:
                    return None
                ways = [replace(way, records={**way.records, name: sheet})
                        for way in ways for sheet in sheets if sheet is not None]
        return ways

    def _is_for_all(self, sheets: Sequence[RecordSeen | None]) -> bool:
        """Whether what changed on somebody's sheet is what everybody sees of it."""
        known = [one for one in sheets if one is not None]
        kind = None if self._system is None or not known else self._system.kinds.get(known[0].kind)
        return kind is not None and len(known) == len(sheets) and all(
            (one.kind, one.owner) == (known[0].kind, known[0].owner)
            and all(one.sheet.get(name) == known[0].sheet.get(name) for name in kind.hidden) for one in known)

    def _verdicts_on(self, seen: MoveSeen, known: _Known, first: bool) -> dict[str, Verdict]:
        if self._system is None or seen.move not in self._system.moves:
            return {throw.step: "unread" for throw in seen.throws}
        player = _Player(self._system, self._seat, known, seen)
        played = player.again()
        verdicts: dict[str, Verdict] = {throw.step: _verdict(player, played, throw) for throw in seen.throws}
        wrong = [throw for throw in seen.throws if verdicts[throw.step] == "differs"]
        for one in player.with_strangers() if wrong else ():
            # Somebody who was not shown may be there: only what differs all the same was not made by the rules.
            verdicts |= {throw.step: "hidden" for throw in wrong if not _differs_for_sure(player, one, throw)}
        likely = player.supposing() if "hidden" in verdicts.values() or seen.changes else []
        for throw in seen.throws:
            # Whatever stands where one may not look, it comes to the same; what differs then accuses nobody.
            if verdicts[throw.step] == "hidden" and likely and all(
                    _verdict(player, one, throw) == "same" for one in likely):
                verdicts[throw.step] = "same"
        if all(verdict == "same" for verdict in verdicts.values()):
            self._look_at_changes(player, played, likely, verdicts, first)
        return verdicts

    def _look_at_changes(
        self, player: _Player, played: _Played | None, likely: list[_Played | None], verdicts: dict[str, Verdict],
        first: bool,
    ) -> None:
        """What an act asks to change: at first as the rules say, later perhaps as the game master amended it."""
        seen = player.seen
        tried = [player.again(supposing=_SECRET), *likely, *player.with_strangers()]
        with noticing() as withheld:
            ways = [None if one is None else player.changes(one) for one in tried]
        asked = [way for way in ways if way is not None]
        if withheld or not likely or len(asked) < len(ways):
            return
        doubted = any(one is None or one.doubted or one.results.doubts for one in (played, *tried))
        wrong = [change for change in seen.changes
                 if not any(_is_asked(change, one, player.is_gm) for way in asked for one in way)]
        if wrong and first and not doubted and not player.merges:
            verdicts[seen.throws[-1].step] = "differs"
        elif wrong and not first and self._changes.get(seen.number) != seen.changes:
            self.amended += len(wrong)


def _either(verdicts: Sequence[Verdict]) -> Verdict:
    """What may be said of a result where an act read one thing or another, and nobody is accused."""
    return "same" if "same" in verdicts else "hidden" if "differs" in verdicts else verdicts[0]


def _one_of_each(sheets: Iterable[RecordSeen | None]) -> list[RecordSeen | None]:
    found = list[RecordSeen | None]()
    for sheet in sheets:
        if sheet not in found:
            found.append(sheet)
    return found


def _verdict(player: _Player, played: _Played | None, throw: ThrowSeen) -> Verdict:
    again = None if played is None else played.steps.get(throw.step)
    if played is None or again is None or throw.outcome is UNSET or again.why == "hidden":
        return "hidden"
    if again.why:
        whole = player.all_dice_shown(throw) and (again.why == "mismatch" or throw.result is not UNSET)
        return "differs" if whole and not again.doubted else "hidden"
    with played.looked_at() as doubts:
        same = player.is_as_told(played, throw, again)
    return "same" if same else "hidden" if again.doubted or doubts else "differs"


def _differs_for_sure(player: _Player, played: _Played | None, throw: ThrowSeen) -> bool:
    """Whether the rules come to an end, and to another one than was told."""
    again = None if played is None else played.steps.get(throw.step)
    return again is not None and not again.why and _verdict(player, played, throw) == "differs"


class _Player:
    """One act, played again on what a seat knew."""

    def __init__(self, system: System, seat: str, known: _Known, seen: MoveSeen) -> None:
        self.seen, self._system, self._seat, self._known = seen, system, seat, known
        self._move: Move = system.moves[seen.move]
        owners = {name: record.owner for name, record in known.records.items() if record.owner}
        self._eyes = Eyes({seat: "player", **known.ranks}, owners)
        self.is_gm = self._eyes.is_gm(seat)
        self._names: dict[str, str] = {}
        self._ways = 1
        self._played: dict[int | None, _Played | None] = {}

    @property
    def state_read(self) -> bool:
        """Whether there is an encounter for its rules to read."""
        return isinstance(self.seen.encounter, int)

    @property
    def merges(self) -> bool:
        """Whether what it changes is worked out again when it is accepted, from how the encounter then stands."""
        met = self._met()
        return met is not None and self._system.encounters[met.encounter].merges

    def supposing(self) -> list[_Played | None]:
        """The same with one likely thing after the other in place of what the seat may not see of a sheet."""
        first = self.again(supposing=0)
        return [first, *(self.again(supposing=at) for at in range(1, self._ways))]

    def with_strangers(self) -> Iterator[_Played | None]:
        """The same with somebody in the encounter who was not shown, wherever somebody may be."""
        try:
            found = None if self.is_gm else self._shown()
            states = [] if found is None else [veiled(one, found[1]) for one in perhaps(*found)]
        except (ParaventError, *BROKEN):
            states = []
        yield from (self.again(state=state) for state in states)

    def again(self, supposing: int | None = None, state: Value = None) -> _Played | None:
        """What the rules make of it again; None where they cannot be given what they read."""
        if state is not None:
            return self._tried(supposing, state)
        supposing = supposing if any(self._unseen.values()) else None  # where nothing is hidden, nothing is supposed
        if supposing not in self._played:
            self._played[supposing] = self._tried(supposing, None)
        return self._played[supposing]

    def _tried(self, supposing: int | None, state: Value) -> _Played | None:
        try:
            return self._again(supposing, state)
        except (ParaventError, *BROKEN):
            return None

    @cached_property
    def _unseen(self) -> Mapping[str, frozenset[str]]:
        """What the seat may not see of the sheets of those who are in it."""
        records, kinds = self._known.records, self._system.kinds
        hidden = {name: kinds[records[name].kind].hidden for name in self.seen.cast
                  if name in records and records[name].kind in kinds}
        return {name: frozenset(part for part, audience in parts.items()
                                if not self._eyes.may_see(self._seat, name, audience))
                for name, parts in hidden.items()}

    def _again(self, supposing: int | None, state: Value) -> _Played | None:
        seen, move = self.seen, self._move
        if move.id == PASS_TIME or (move.encounter and not self.state_read):
            return None  # what is to come with time, or who stands in an encounter, is not in sight
        if state is None and (found := self._shown()) is not None:
            state = veiled(*found)
        actors = tuple(self._cast(supposing))
        held = [actor.role for actor in actors]
        free = frozenset() if self.is_gm else frozenset(
            role.id for role in move.cast if role.id != GM and (role.most is None or held.count(role.id) < role.most))
        results, known = _Unsure(free), self._known
        minutes = known.minutes or 0
        rulings = Rulings({**self._system.book.rulings(), **(known.rulings or {})})
        ctx: Context = _Looking(self._system, move, actors, rulings, state, results,
                                minutes // A_DAY, minutes % A_DAY)
        ctx = self._filled(ctx)
        for actor in ctx.actors:
            self._names[ctx.part(actor)] = actor.id
        played = _Played(ctx, {}, results)
        for step in move.resolves:
            throw = next((one for one in seen.throws if one.step == step.id), None)
            with played.looked_at() as doubts:
                again = self._step(ctx, step, throw)
            if doubts:
                results.doubtful[step.id] = frozenset(doubts)
            if again is None:
                continue
            if again.why:
                results.unsure.add(step.id)
            else:
                results.given[step.id] = again.result
            if throw is not None:
                played.steps[step.id] = again._replace(doubted=bool(doubts))
        return played

    def _cast(self, supposing: int | None) -> Iterator[Actor]:
        move, known = self._move, self._known
        if any(role.id == GM for role in move.cast):
            yield Actor(GM, GM, withheld=self._withheld(GM, GM))
        for name, role in self.seen.cast.items():
            record = known.records.get(name)
            if record is None:
                declared = next((one for one in move.cast if one.id == role), None)
                nobody = name in known.ranks or declared is None or not declared.record
                yield Actor(name, role, None if nobody else Unknown(), withheld=self._withheld(name, role))
                continue
            kind = self._system.kind(record.kind)
            unseen = self._unseen[name]
            sheet = kind.from_plain(record.sheet)
            likely = [veiled(sheet, unseen)]
            if supposing == _SECRET:
                likely = [replace(sheet, **{part: _Secret(part) for part in unseen})]
            elif supposing is not None and unseen:
                likely = supposed(sheet, unseen)
            self._ways = max(self._ways, len(likely))
            yield Actor(name, role, likely[(supposing or 0) % len(likely)], kind=record.kind,
                        withheld=self._withheld(name, role))
        for one in move.cast:
            lacking = one.least - list(self.seen.cast.values()).count(one.id)
            for _ in range(lacking if one.id != GM else 0):
                yield Actor(one.id, one.id, Unknown(),
                            withheld=frozenset(asked.id for asked in move.fields if asked.role == one.id))

    def _withheld(self, actor: str, role: str) -> frozenset[str]:
        """The fields of which the seat does not know whether, or with what, they were filled in. What is sealed is told
        to be so: what is not told was left empty."""
        told = self.seen.fields.get(actor, {})
        return frozenset(
            asked.id for asked in self._move.fields if asked.role == role
            and (is_sealed(told[asked.id]) if asked.id in told else
                 asked.secrecy != "sealed" and not may_read(self._eyes, self._seat, actor, asked.secrecy, False)))

    def _met(self) -> EncounterSeen | None:
        return self._known.encounters.get(self.seen.encounter) if isinstance(self.seen.encounter, int) else None

    def _shown(self) -> tuple[Any, frozenset[str]] | None:
        """The encounter as the seat saw it, and the parts of it that it did not see, or not for sure."""
        met = self._met()
        if met is None:
            return None
        declared = self._system.encounters[met.encounter]
        if self.is_gm:
            return from_plain(declared.state, met.state), frozenset()
        state, untold = partly_from(declared.state, met.state, declared.hidden)
        kind: type = declared.state
        # Where the game says how it stands without somebody, whatever stands there may stand so for the seat alone.
        return state, untold | lists_within(kind) if declared.without is None else frozenset(fields_of(kind))

    def _filled(self, ctx: Context) -> Context:
        raw = {actor: {name: value for name, value in told.items() if value is not None and not is_sealed(value)}
               for actor, told in self.seen.fields.items()}
        ctx = fill_all(ctx, raw)
        nothing = {(actor, name) for actor, told in self.seen.fields.items() for name, value in told.items()
                   if value is None}
        return replace(ctx, actors=tuple(
            replace(actor, filled={**actor.filled, **{
                asked.id: None for asked in self._move.fields
                if asked.role == actor.role and (actor.id, asked.id) in nothing}})
            for actor in ctx.actors))

    def _step(self, ctx: Context, step: AnyResolve, throw: ThrowSeen | None) -> _Again | None:
        """What the rules make of a step; None of one that is not taken."""
        if throw is not None and throw.outcome is UNSET:
            return _Again("hidden")
        left = [] if throw is None or throw.answers is UNSET else list(throw.answers)

        def answer(choice: Choice) -> Plain:
            if not left:
                raise _Mismatch(more=True)
            given = left.pop(0)
            if given.key != choice.key:
                raise _Mismatch
            return given.answer

        faces = _ShownFaces(() if throw is None or throw.dice is UNSET else throw.dice)
        dice = PlayedDice(faces, answer)
        try:
            if throw is None and not step.applies(ctx):
                return None
            if throw is None and not step.auto:
                return _Again("hidden")
            result = step.call(ctx).on(dice)
        except Withheld:
            return _Again("hidden")
        except _Mismatch as wrong:
            return _Again("more" if wrong.more else "mismatch")
        except (ParaventError, *BROKEN):
            return _Again("mismatch" if throw is not None else "hidden")
        if faces.left or left:
            return _Again("mismatch")
        return _Again("", result, tuple(entry for entry in dice.record if isinstance(entry, Noted)))

    def all_dice_shown(self, throw: ThrowSeen) -> bool:
        """Whether the key was shown: then all the dice are."""
        return any(proof.step == throw.step and proof.key is not UNSET for proof in self.seen.proofs)

    def _known_as(self, one: str) -> str:
        return self._names.get(one, one)

    def is_as_told(self, played: _Played, throw: ThrowSeen, again: _Again) -> bool:
        """Whether a result, its reasons and its sentences are those that were told."""
        step = next(one for one in self._move.resolves if one.id == throw.step)
        try:
            success = None if step.success is None else step.success(again.result)
            return (
                throw.outcome == step.outcome(again.result)
                and (throw.result is UNSET or _is_told(throw.result, to_plain(again.result), self.is_gm))
                and (throw.success is UNSET or (success is not None and throw.success == bool(success)))
                and self._gives_reasons(throw, again) and self._says(played.ctx, step, throw, again.result)
            )
        except Withheld:
            return True  # its sentences say something that the seat was not told
        except (ParaventError, *BROKEN):
            return False

    def _says(self, ctx: Context, step: AnyResolve, throw: ThrowSeen, result: Value) -> bool:
        made = [(said.key, self._as_read(to_plain(spoken(ctx, said))), said.audience)
                for said in step.tell(ctx, result)]
        told = () if throw.told is UNSET else throw.told
        return all(any(said.key == key and _is_told(said.values, values, self.is_gm) for key, values, _ in made)
                   for said in told) and all(
            any(said.key == key and _is_told(said.values, values, self.is_gm) for said in told)
            for key, values, audience in made
            if audience is None and not about_nobody_known(values, self._known_as))

    def _gives_reasons(self, throw: ThrowSeen, again: _Again) -> bool:
        made = [(note.rule, note.key, self._as_read({name: msgspec.to_builtins(plain(value))
                                                          for name, value in note.values}))
                for note in again.notes]
        why = () if throw.why is UNSET else throw.why
        return _in_order(why, made, lambda note, it: (note.rule, note.key) == it[:2]
                         and _is_told(note.values, it[2], self.is_gm))

    def _as_read(self, values: Mapping[str, Plain]) -> dict[str, Plain]:
        return {name: for_reader(value, self._known_as) for name, value in values.items()}

    def changes(self, played: _Played) -> list[Change] | None:
        """What the rules ask to change; None where something hidden says it."""
        try:
            return [change for step in self._move.resolves if step.id in played.steps
                    for change in step.changes(played.ctx, played.steps[step.id].result)]
        except (ParaventError, *BROKEN):
            return None


def _is_asked(told: ChangeSeen, asked: Change, whole: bool) -> bool:
    """Whether a change is one that the rules ask for. What is new has its name from the table; of something whole, one
    is told what one may see."""
    after = to_plain(asked.after)
    if told.path or asked.path or not isinstance(after, dict) or not isinstance(told.after, dict):
        return (told.target, told.path) == (asked.target, asked.path) and _is_told(told.after, after, whole)
    return (told.before is None or told.target == asked.target) and all(
        name in after and _is_told(part, after[name], whole) for name, part in told.after.items())


A = TypeVar("A")
B = TypeVar("B")


def _in_order(some: Sequence[A], among: Sequence[B], are_same: Callable[[A, B], bool]) -> bool:
    """Whether some things stand among others, in the same order."""
    left = iter(among)
    return all(any(are_same(one, other) for other in left) for one in some)


def _is_told(told: Plain, made: Plain, whole: bool) -> bool:
    """Whether what was told is what the rules made; ``whole``, or without what names somebody whom one may not know."""
    if isinstance(told, dict) and isinstance(made, dict) and not whole:
        return told.keys() <= made.keys() and all(
            _is_told(told[name], part, whole) if name in told else _names_somebody(part)
            for name, part in made.items())
    if isinstance(told, list) and isinstance(made, list) and not whole:
        left = iter(told)
        at = next(left, None)
        for part in made:
            if at is not None and _is_told(at, part, whole):
                at = next(left, None)
            elif not _names_somebody(part):
                return False
        return at is None
    return told == made and isinstance(told, bool) == isinstance(made, bool)


def _names_somebody(value: Plain) -> bool:
    if isinstance(value, dict):
        return any(isinstance(part, str) for part in value.values()) or not value
    if isinstance(value, list):
        return any(isinstance(part, str) for part in value)
    return isinstance(value, str)
