"""Moves at a table: the commands that open them, fill them in, throw, answer, settle and take back.

Each command lays the state out as a :class:`paravent.game.session.Session`, lets it play, and keeps what became of the
moves as snapshots. Keys of fair dice are made before the throw they belong to may be asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import fields, replace
from datetime import datetime, timedelta
from typing import Any

from paravent.dice import Choice, KeyedFaces, commitment, plain
from paravent.dice.errors import ParaventError
from paravent.dice.fair import Faces, LiveFaces
from paravent.game import Change, NotNow, RecordKind, Resolve, System, UnknownName, from_plain, to_plain
from paravent.game.errors import BadValue
from paravent.game.frozen import snapshot, thaw
from paravent.game.open_move import AGREE, CLOSED, OpenMove
from paravent.game.records import ALL
from paravent.game.session import Held, Running, Session
from paravent.game.view import may_know

from . import commands as c
from . import events as e
from . import limits
from .decide import (
    Fresh,
    _decide,
    anonymous_poll,
    cancelled,
    changes_told,
    encounter_ended,
    encounter_number,
    everyone_or,
    gm_only,
    poll_answered,
    poll_of,
    seat_number,
    visible_records,
)
from .errors import RuleChanged
from .limits import no_more_than
from .passing import PASS_TIME
from .state import OVER, Sheet, State, evolve
from .view import Looking

_NO_CHANGES = next(part.default for part in fields(Resolve) if part.name == "changes")


class TooManyDice(ParaventError):
    """More dice were asked for than a table throws at once."""

    code = "table/too-many-dice"


class TableFaces(KeyedFaces):
    """Fair faces, a reasonable number at a time."""

    def throw(self, role: str, n: int, sides: int) -> tuple[int, ...]:
        if n > limits.MOST_DICE:
            raise TooManyDice(most=limits.MOST_DICE)
        return super().throw(role, n, sides)


def laid_out(state: State, system: System, number: int = 0, seat: str = "") -> Session:
    """The table as a session, with one of its moves; what the game no longer reads is left out.

    ``seat`` is counted in even if it left: it may still look at its page.
    """
    session = Session(system, state.eyes_of(seat).seats, system.book.still(state.rulings), LiveFaces())
    session.day = state.day
    timers = {f"timers.{name}": timer for name, timer in state.timers.items()}
    session.clock = {"minutes": state.minutes, "scene": state.scene, "episode": state.episode, **timers}
    for name, held in state.records.items():
        with suppress(ParaventError, TypeError, ValueError, KeyError, AttributeError):
            record = _read_once(held, system.kind(held.kind))
            session.records[name] = Held(record, held.kind, held.owner, frozenset(held.seen_by))
    for at, running in state.encounters.items():
        with suppress(ParaventError, TypeError, ValueError, KeyError, AttributeError):
            declared = system.encounters[running.encounter]
            seen_by = frozenset(running.seen_by)
            session.encounters[int(at)] = Running(declared, from_plain(declared.state, running.state), seen_by)
    if number:
        session.moves = {number: _thawed(state, system, number)}
    return session


def _read_once(held: Sheet, kind: RecordKind) -> Any:
    """The record that a sheet holds: it never changes, and every command reads it."""
    kept = held.__dict__.get("_record")
    if kept is None or kept[0] is not kind:
        kept = (kind, kind.from_plain(held.sheet))
        object.__setattr__(held, "_record", kept)
    return kept[1]


def with_open_moves(state: State, system: System, seat: str) -> Session:
    """The table as a session with every move under way that the game still reads, for a seat's forms and odds."""
    session = laid_out(state, system, seat=seat)
    for at, kept in state.moves.items():
        if kept["phase"] in ("open", "settled"):
            with suppress(RuleChanged):
                session.moves[int(at)] = _thawed(state, system, int(at))
    return session


def _thawed(state: State, system: System, number: int) -> OpenMove:
    """The move, ready to go on; refused when the game's rule no longer goes the way it went."""
    kept = state.move(number)
    changed = RuleChanged(move=kept["move"], before=kept["version"], now=system.version)
    try:
        rulings = {**system.book.rulings(), **kept["rulings"]}  # options that came since are by default
        op = thaw({**kept, "rulings": rulings}, system, kept["kinds"])
    except (ParaventError, KeyError, TypeError, ValueError, AttributeError, AssertionError):
        raise changed from None
    for throw in kept["throws"]:
        if throw["done"] and to_plain(op.results.get(throw["step"])) != throw["result"]:
            raise changed
    return op


class Played:
    """A session over the state, for one command; afterwards, the events that tell what it did."""

    def __init__(self, state: State, system: System, fresh: Fresh, number: int = 0) -> None:
        self.state, self.system, self.fresh = state, system, fresh
        self.session = laid_out(state, system, number)
        self._encounters_before = set(self.session.encounters)
        self._moves_before = set(self.session.moves)
        self._unseen: dict[int, list[int]] = {}
        """Encounters that began behind the screen, by the move that began them: they come out with its throw."""

    def events(self, kind: type[e.MoveEvent], number: int, **more: Any) -> list[e.Event]:
        """What happened to a move and what came of it: other moves, encounters, throws made ready."""
        told: list[e.Event] = self._opened(number)
        self._take_in(told)
        told += self._event(kind, number, **more)
        for other in sorted(set(self.session.moves) - {number}):
            told += self._event(e.MoveStarted, other)
        return told

    def started(self) -> list[e.Event]:
        """What came of moves that were opened: all those that the table does not hold yet."""
        told: list[e.Event] = self._opened(min(self.session.moves))
        self._take_in(told)
        for number in sorted(self.session.moves):
            told += self._event(e.MoveStarted, number)
        return told

    def _take_in(self, events: Iterable[e.Event]) -> None:
        for event in events:
            self.state = evolve(self.state, event)

    def _event(self, kind: type[e.MoveEvent], number: int, **more: Any) -> list[e.Event]:
        op = self._closing(self.session.moves[number])
        before = self.state.moves.get(str(number), {})
        after = self.kept(op, before)
        patch = {name: value for name, value in after.items() if name not in before or before[name] != value}
        told: list[e.Event] = [kind(number=number, patch=patch, audience=self._told(before, after), **more)]
        self._take_in(told)
        ready = self._ready(op, number, after)
        self._take_in(ready)
        return [*told, *ready]

    def kept(self, op: OpenMove, before: Mapping[str, Any]) -> dict[str, Any]:
        """A move as the table keeps it: its snapshot, and what only a table knows of it."""
        after = snapshot(op, self.system)
        after["kinds"] = {actor.id: actor.kind for actor in op.cast if actor.record is not None}
        for name in ("keys", "past", "deadline", "shown_otherwise", "unseen"):
            if name in before:
                after[name] = before[name]
        if after["grade"] != before.get("grade", "open"):
            after["keys"] = {step: self._made(op, step, made) for step, made in after.get("keys", {}).items()}
        deadline = after.get("deadline") or {}
        if deadline.get("stage", stage := _stage(op, self.system)) != stage:
            after["deadline"] = {**deadline, "until": ""}  # the time was given for what the move waited for then
        if op.id in self._unseen:
            after["unseen"] = self._unseen[op.id]
        if before.get("shown_otherwise"):
            after["exists"] = before["exists"]
            told = {throw["step"]: throw["tellings"] for throw in before["throws"] if throw.get("turned_over")}
            after["throws"] = [
                {**throw, "tellings": told.get(throw["step"], throw["tellings"])} for throw in after["throws"]
            ]
        return self._listing_undone(after, before)

    @staticmethod
    def _listing_undone(after: dict[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
        """Throws that going back took away stay listed; if thrown again, it is with a new key."""
        thrown = {throw["step"] for throw in after["throws"]}
        keys = dict(after.get("keys", {}))
        gone = [
            throw for throw in before.get("throws", ())
            if throw["step"] not in thrown and "nonce" in keys.get(throw["step"], {})
        ]
        if not gone:
            return after
        past = [*after.get("past", ()), *({"throw": throw, "made": keys.pop(throw["step"])} for throw in gone)]
        return {**after, "keys": keys, "past": past}

    def _made(self, op: OpenMove, step: str, made: Mapping[str, Any]) -> dict[str, Any]:
        """A key that is ready, known to those who may now know of its throw."""
        resolve = next(other for other in op.move.resolves if other.id == step)
        return {**made, "exists": sorted(op.shown(self.system, resolve).exists)}

    def _told(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[str, ...]:
        """Those for whom something is new: they see the move otherwise than before, or no longer, or at last."""
        eyes = self.state.eyes
        seats = []
        for seat in eyes.seats:
            looking = Looking(self.state, seat, self.system)
            seen = looking.move(after)
            if (looking.move(before) if before else None) != seen:
                seats.append(seat)
        return everyone_or(eyes, seats)

    def _ready(self, op: OpenMove, number: int, after: Mapping[str, Any]) -> list[e.Event]:
        """The key of the throw that comes next, before anybody may ask for it."""
        step = op.step(self.system) if op.phase == "open" else None
        keys = after.get("keys", {})
        if not isinstance(step, Resolve) or step.auto or step.id in keys or step.id in op.records:
            return []
        key = self.fresh.token(32)
        exists = op.shown(self.system, step).exists
        made = {"key": key.hex(), "hash": commitment(key), "exists": sorted(exists)}
        patch = {"keys": {**keys, step.id: made}}
        audience = self._told(after, {**after, **patch})
        return [e.ThrowReady(number=number, patch=patch, step=step.id, hash=commitment(key), audience=audience)]

    def _opened(self, by: int) -> list[e.Event]:
        """The encounters that a move began, under the table's own numbers; their moves follow them there."""
        told: list[e.Event] = []
        eyes = self.state.eyes
        for at in sorted(set(self.session.encounters) - self._encounters_before):
            running = self.session.encounters[at]
            number = self.state.encounters_opened + 1 + len(told)
            seen_by = tuple(sorted(running.audience))
            audience = everyone_or(eyes, (seat for seat in eyes.seats if eyes.may_see(seat, "", seen_by)))
            told.append(e.EncounterOpened(
                number=number, encounter=running.encounter.id, state=to_plain(running.state), seen_by=seen_by,
                audience=audience,
            ))
            for other, op in self.session.moves.items():
                if op.encounter == at and other not in self._moves_before:
                    self.session.moves[other] = replace(op, encounter=number)
            if running.audience != running.encounter.audience:
                self._unseen.setdefault(by, []).append(number)
        return told

    # What closes by itself

    def _closing(self, op: OpenMove) -> OpenMove:
        """A settled move with nothing to apply closes by itself, where that tells nobody anything."""
        if op.phase != "settled" or op.changes or not self._nothing_told(op):
            return op
        return replace(op, phase="closed")

    def _nothing_told(self, op: OpenMove) -> bool:
        kept = snapshot(op, self.system)
        eyes = self.session.eyes
        watching = [seat for seat in eyes.seats if may_know(eyes, seat, kept)]
        clear = [throw["step"] for throw in kept["throws"] if all(self._open_to(op, throw, seat) for seat in watching)]
        # A move that can never change anything tells nothing by closing, unless it could have gone on.
        never = all(step.changes is _NO_CHANGES for step in op.move.resolves)
        last = op.move.steps[-1].id
        goes_on = any(step.id not in clear and step.id != last for step in op.move.resolves)
        if never and not goes_on:
            return True
        return len(clear) == len(kept["throws"]) and all(self._all_open(op, seat) for seat in watching)

    def _open_to(self, op: OpenMove, throw: Mapping[str, Any], seat: str) -> bool:
        shown = throw["shown"]
        audiences = [shown["exists"], shown["dice"], shown["outcome"], shown["detail"] or shown["dice"]]
        return all(seat in self.session.seats_of(op, audience) for audience in audiences)

    def _all_open(self, op: OpenMove, seat: str) -> bool:
        """Whether this seat sees everything that the move may have read."""
        eyes = self.session.eyes
        if eyes.is_gm(seat):
            return all(asked.secrecy != "sealed" or asked.id in op.revealed for asked in op.move.fields)
        if any(asked.secrecy != "open" and asked.id not in op.revealed for asked in op.move.fields):
            return False
        running = self.session.encounters.get(op.encounter or 0)
        if running is not None and running.encounter.hidden:
            return False
        return all(
            actor.record is None or not self.system.kind(actor.kind).hidden
            or all(eyes.may_see(seat, actor.id, seen_by) for seen_by in self.system.kind(actor.kind).hidden.values())
            for actor in op.cast
        )

    def numbered_from_here(self) -> None:
        """Give moves that the session just opened the table's next numbers."""
        opened = sorted(set(self.session.moves) - self._moves_before)
        moves = {number: op for number, op in self.session.moves.items() if number not in opened}
        for at, number in enumerate(opened, start=self.state.moves_started + 1):
            moves[at] = replace(self.session.moves[number], id=at)
        self.session.moves = moves


# Opening


@_decide.register
def _(command: c.StartMove, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    cast = command.cast
    if command.move == PASS_TIME and not cast and "character" in {role.id for role in system.move(PASS_TIME).cast}:
        cast = {"character": [name for name, held in state.records.items() if held.owner and held.kind == "character"]}
    return _start(command, state, system, fresh, [(cast, command.form)])


@_decide.register
def _(command: c.AskMove, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    gm_only(state, command)
    role = system.move(command.move).by
    if not command.of:
        raise BadValue(field="of", got="", expected="list")
    no_more_than(limits.MOST_CAST, len(command.of), "actor")
    asked = [({role: [name]}, {name: command.form} if command.form else {}) for name in dict.fromkeys(command.of)]
    return _start(command, state, system, fresh, asked)


def _start(
    command: c.StartMove | c.AskMove,
    state: State,
    system: System,
    fresh: Fresh,
    asked: Iterable[tuple[Mapping[str, list[str]], Mapping[str, Any]]],
) -> list[e.Event]:
    told: list[e.Event] = []
    encounter = encounter_number(state, command.seat, command.encounter)
    if encounter is not None and state.encounters[str(encounter)].over:
        raise NotNow(move=command.move, needs="over")
    for cast, form in asked:
        _check_cast(state, command.seat, cast)
        mine = [move for move in state.open_moves() if move["starter"] == command.seat]
        no_more_than(limits.MOST_MOVES_OF_A_SEAT, len(mine) + 1, "open move")
        played = Played(state, system, fresh)
        played.session.start(command.seat, command.move, cast, form, encounter, command.grade)
        played.numbered_from_here()
        events = played.started()
        told += events
        state = played.state
    return told


def _check_cast(state: State, seat: str, cast: Mapping[str, list[str]]) -> None:
    visible = {*visible_records(state, seat), *state.eyes.seats}
    names = [name for members in cast.values() for name in members]
    no_more_than(limits.MOST_CAST, len(names), "actor")
    for name in names:
        if name not in visible:
            raise UnknownName("record", name, visible)


@_decide.register
def _(command: c.Join, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    number = seat_number(state, command.seat, command.number)
    _check_cast(state, command.seat, {command.role: list(command.names)})
    no_more_than(limits.MOST_CAST, len(state.move(number)["cast"]) + len(command.names), "actor")
    return _acted(state, system, fresh, number, e.FieldsFilled,
                  lambda session: session.join(command.seat, number, command.role, *command.names))


def _acted(
    state: State, system: System, fresh: Fresh, number: int, kind: type[e.MoveEvent], act: Callable[[Session], None],
    **more: Any,
) -> list[e.Event]:
    played = Played(state, system, fresh, number)
    op = played.session.moves[number]
    step = op.step(system)
    if isinstance(step, Resolve) and step.id in op.records:
        played.session.faces = faces_of(state, number, step.id, "")
    act(played.session)
    played.numbered_from_here()
    return played.events(kind, number, **more)


@_decide.register
def _(command: c.Fill, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    number = seat_number(state, command.seat, command.number)
    return _acted(state, system, fresh, number, e.FieldsFilled,
                  lambda session: session.fill(command.seat, number, command.values, command.actor),
                  fields=tuple(command.values))


@_decide.register
def _(command: c.SetGrade, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    gm_only(state, command)
    number = seat_number(state, command.seat, command.number)
    played = Played(state, system, fresh, number)
    played.session.set_grade(command.seat, number, command.grade)
    if command.grade == state.move(number).get("grade", "open"):
        return []
    return played.events(e.GradeSet, number, grade=command.grade)


# Throwing


def faces_of(state: State, number: int, step: str, nonce: str) -> Faces:
    """The faces that follow from a throw's key and the nonce given for it, once and for all."""
    made = state.move(number).get("keys", {}).get(step)
    if made is None:
        return LiveFaces()  # a rule that runs by itself throws nothing
    return TableFaces(bytes.fromhex(made["key"]), made.get("nonce", nonce).encode())


@_decide.register
def _(command: c.Throw, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    number = seat_number(state, command.seat, command.number)
    nonce = limits.short(command.nonce, limits.LONGEST_NONCE)
    played = Played(state, system, fresh, number)
    step = played.session.moves[number].step(system)
    if isinstance(step, Resolve):
        played.session.faces = faces_of(state, number, step.id, nonce)
    played.session.throw(command.seat, number, by_hand=command.by_hand)
    assert isinstance(step, Resolve)
    played.numbered_from_here()
    kept = state.move(number)
    keys = {**kept["keys"], step.id: {**kept["keys"][step.id], "nonce": nonce}}
    played.state = replace(played.state, moves={**played.state.moves, str(number): {**kept, "keys": keys}})
    told = played.events(e.DiceThrown, number, step=step.id, nonce=nonce)
    return [
        replace(event, patch={"keys": keys, **event.patch}) if isinstance(event, e.DiceThrown) else event
        for event in told
    ]


# Answering


@_decide.register
def _(command: c.Answer, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    number = seat_number(state, command.seat, command.number)
    kept = state.move(number)
    answer = _readable(command.answer, kept)
    if anonymous_poll(kept):
        return _polled(command, state, system, fresh, number, answer)
    return _acted(state, system, fresh, number, e.Answered,
                  lambda session: session.answer(command.seat, number, answer))


def _readable(answer: Any, kept: Mapping[str, Any]) -> Any:
    """An answer of the kind that is asked for: faces, numbers of dice, or one of the options."""
    pending = kept["pending"]
    if pending is not None and pending["type"] == "dice":
        if not _whole_numbers(answer):
            raise BadValue(field="answer", got=plain(answer), expected="list")
    elif isinstance(answer, Mapping) and "dice" in answer and not _whole_numbers(answer["dice"]):
        raise BadValue(field="answer", got=plain(answer), expected="list")
    return answer


def _whole_numbers(answer: Any) -> bool:
    return isinstance(answer, (list, tuple)) and len(answer) <= limits.MOST_DICE and all(
        isinstance(face, int) and not isinstance(face, bool) for face in answer
    )


def _polled(
    command: c.Answer, state: State, system: System, fresh: Fresh, number: int, answer: Any
) -> list[e.Event]:
    """All others are asked, and none is named: who lets pass is kept in no log, who does not is kept nowhere."""
    pending = state.move(number)["pending"]
    session = laid_out(state, system, number)
    asked = session.waits_for(number)
    if command.seat not in asked:
        session.answer(command.seat, number, answer)  # refused, in the session's words
    if plain(answer) == plain(pending["usual"]):
        passed = fresh.passed.setdefault(poll_answered(state, command), set())
        passed.add(command.seat)
        if not asked <= passed:
            return []
        return _acted(state, system, fresh, number, e.Answered, lambda session: _let_pass(session, number, asked))
    return _acted(state, system, fresh, number, e.Answered,
                  lambda session: session.answer(command.seat, number, answer))


def _let_pass(session: Session, number: int, asked: Iterable[str]) -> None:
    pending = session.moves[number].pending
    assert isinstance(pending, Choice)
    for seat in sorted(asked):
        session.answer(seat, number, pending.usual)


def waits_no_more(state: State, system: System, fresh: Fresh) -> list[e.Event]:
    """What ends in nobody's name because nobody is left to wait for: polls that all others let pass, windows that all
    others agreed to."""
    told: list[e.Event] = []
    for kept in state.open_moves():
        with suppress(ParaventError):  # its rule changed: it waits for the game master
            happened = _nobody_left(state, system, fresh, kept)
            told += happened
            for event in happened:
                state = evolve(state, event)
    return told


def _nobody_left(state: State, system: System, fresh: Fresh, kept: Mapping[str, Any]) -> list[e.Event]:
    number = kept["id"]
    if anonymous_poll(kept):
        asked = laid_out(state, system, number).waits_for(number)
        if asked and asked <= fresh.passed.get(poll_of(kept), set()):
            return _acted(state, system, fresh, number, e.Answered, lambda session: _let_pass(session, number, asked))
    elif any(CLOSED not in answers for answers in kept["windows"].values()):
        session = laid_out(state, system, number)
        agreed = {seat for answers in kept["windows"].values() if CLOSED not in answers for seat in answers}
        here = sorted(agreed & set(session.seats))
        if here and not session.waits_for(number):
            return _acted(state, system, fresh, number, e.Answered,
                          lambda session: session.answer(here[0], number, AGREE))
    return []


@_decide.register
def _(command: c.SetDeadline, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    gm_only(state, command)
    number = seat_number(state, command.seat, command.number)
    kept = state.move(number)
    if command.policy not in ("wait", "default", "cancel"):
        raise UnknownName("value", command.policy, ("wait", "default", "cancel"))
    if not 0 <= command.seconds <= 30 * 24 * 3600:
        raise BadValue(field="seconds", got=command.seconds, expected="number")
    if kept["phase"] != "open":
        raise NotNow(move=kept["move"], needs=kept["phase"])
    until = ""
    if command.seconds and command.policy != "wait" and fresh.now:
        ends = datetime.fromisoformat(fresh.now) + timedelta(seconds=command.seconds)
        until = ends.isoformat(timespec="milliseconds")
    stage = _stage(_thawed(state, system, number), system)
    patch = {"deadline": {"policy": command.policy, "until": until, "by": command.seat, "stage": stage, "said": until}}
    eyes = state.eyes
    audience = everyone_or(eyes, (seat for seat in eyes.seats if may_know(eyes, seat, kept)))
    return [e.DeadlineSet(number=number, patch=patch, policy=command.policy, until=until, audience=audience)]


def _stage(op: OpenMove, system: System) -> str:
    """Where a move stands: its step, and how far its rule has come."""
    step = op.step(system)
    return "" if step is None else f"{step.id} {len(op.records.get(step.id, ()))}"


@_decide.register
def _(command: c.CloseStep, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    gm_only(state, command)
    number = seat_number(state, command.seat, command.number)
    if (state.move(number).get("deadline") or {}).get("policy") == "cancel":
        return cancelled(state, number)
    return _acted(state, system, fresh, number, e.Answered, lambda session: session.close(command.seat, number))


# Ending


@_decide.register
def _(command: c.Withdraw, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    number = seat_number(state, command.seat, command.number)
    return _acted(state, system, fresh, number, e.MoveEnded,
                  lambda session: session.withdraw(command.seat, number), phase="withdrawn")


@_decide.register
def _(command: c.Accept, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    number = seat_number(state, command.seat, command.number)
    try:
        amend = {int(at): value for at, value in command.amend.items()}
    except ValueError:
        raise BadValue(field="amend", got=", ".join(command.amend), expected="number") from None
    played = Played(state, system, fresh, number)
    session = played.session
    known = set(session.records)
    for at, change in enumerate(session.moves[number].changes):
        if at in amend and change.target == "clock" and change.path.startswith("timers."):
            # A timer is refused or kept as it is; who wants another sets the value when the time comes.
            raise BadValue(field="amend", got=at, expected="number")
    session.accept(command.seat, number, amend, command.refuse)
    _name_afresh(session, number, set(session.records) - known, fresh, state.minutes)
    changes = [_complete(session, change.to_json(), change.kind) for change in session.moves[number].changes]
    told = played.events(e.MoveEnded, number, phase="closed")
    return [*told, *_applied(played, changes, number)]


def _name_afresh(session: Session, number: int, brought: set[str], fresh: Fresh, minutes: int) -> None:
    """Records and timers that a move brings get names that tell nothing, as all have at a table."""
    names = {name: fresh.name() for name in sorted(brought)}
    session.records = {names.get(name, name): held for name, held in session.records.items()}
    op = session.moves[number]

    def named(change: Change) -> Change:
        if change.target == "clock" and change.path.startswith("timers.") and change.before is None:
            timer = {name: value for name, value in change.after.items() if name != "in"}
            due = minutes + int(change.after.get("in", 0))
            return replace(change, path=f"timers.{fresh.name()}", after={**timer, "due": due})
        return replace(change, target=names.get(change.target, change.target))

    session.moves[number] = replace(op, changes=tuple(named(change) for change in op.changes))


def _complete(session: Session, change: dict[str, Any], kind: str) -> dict[str, Any]:
    """A change with all that is needed to make it again without the game."""
    if change["target"] in ("clock", "encounter") or change["path"] or change["after"] is None:
        return change
    held = session.records[change["target"]]
    return {**change, "kind": held.kind or kind, "owner": held.owner, "seen_by": sorted(held.audience)}


def _applied(played: Played, changes: list[dict[str, Any]], number: int, back: bool = False) -> list[e.Event]:
    """The changes of a move, told to those who see a difference; and the end of an encounter, if it comes to that."""
    state, system = played.state, played.system
    if not changes:
        return []
    encounter = state.move(number)["encounter"]
    event = e.Changed(changes=changes, move=number, encounter=encounter, back=back)
    told: list[e.Event] = [changes_told(state, event, system)]
    running = played.session.encounters.get(encounter or 0)
    if running is None or not any(change["target"] == "encounter" for change in changes):
        return told
    after = evolve(state, told[0])
    over, was = running.encounter.over(running.state), after.encounters[str(encounter)].over
    if over != was:
        told += [replace(event, back=was) for event in encounter_ended(after, encounter or 0)]
    return told


@_decide.register
def _(command: c.Undo, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    number = seat_number(state, command.seat, command.number)
    played = Played(state, system, fresh, number)
    done = played.session.moves[number].changes
    held = dict(played.session.records)
    played.session.undo(command.seat, number)
    changes = []
    for change in reversed(done):
        row = {**change.to_json(), "before": to_plain(change.after), "after": to_plain(change.before)}
        if not change.path and change.before is not None and change.target not in ("clock", "encounter"):
            kept = held.get(change.target)
            row |= {"kind": change.kind or (kept.kind if kept else "character")}
        changes.append(row)
    told = played.events(e.MoveUndone, number)
    item = next((item for item in state.log if item.event.get("type") == "changed" and not item.undone
                 and item.event["move"] == number and not item.event["back"]), None)
    told += _applied(played, changes, number, back=True)
    if item is not None:
        marked = e.Corrected(what="changed", item=item.number, back=True, audience=tuple(item.event["audience"]))
        told.append(marked)
    return told


@_decide.register
def _(command: c.Restart, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    gm_only(state, command)
    number = seat_number(state, command.seat, command.number)
    kept = state.move(number)
    told: list[e.Event] = [] if kept["phase"] in OVER else cancelled(state, number)
    for event in told:
        state = evolve(state, event)
    cast: dict[str, list[str]] = {}
    for part in kept["cast"]:
        if part["role"] != "gm":
            cast.setdefault(part["role"], []).append(part["id"])
    _check_cast(state, command.seat, cast)
    form: dict[str, dict[str, Any]] = {}
    for row in kept["fields"]:
        if row["secrecy"] != "sealed":
            form.setdefault(row["actor"], {})[row["field"]] = row["value"]
    encounter = kept["encounter"]
    played = Played(state, system, fresh)
    grade = kept.get("grade", "open")
    try:
        started = played.session.start(command.seat, kept["move"], cast, form, encounter, grade)
    except ParaventError:  # what was filled in may no longer be read
        started = played.session.start(command.seat, kept["move"], cast, {}, encounter, grade)
    if kept["starter"] in state.eyes.seats:
        played.session.moves[started] = replace(played.session.moves[started], starter=kept["starter"])
    played.numbered_from_here()
    return [*told, *played.started()]


__all__ = ["ALL", "Played", "laid_out", "with_open_moves"]
