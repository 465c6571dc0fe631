"""Seats without a table: a game master, players and spectators play any move or encounter, in memory.

Commands are verbs (:meth:`Session.start`, :meth:`~Session.fill`, :meth:`~Session.throw`…); each either does the whole
thing or raises an error and changes nothing. What each seat may see of it is :func:`paravent.game.view.seen`.

An open move keeps its inputs as they were read when it started, and the record of its dice. When a rule waits for an
answer, nothing suspended is kept: the rule is run again on the record, with the answer at its end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from paravent.dice import (
    Answered,
    ByHand,
    Choice,
    Odds,
    ParaventError,
    PlayedDice,
    Record,
    Thrown,
    Waiting,
    Wanted,
    plain,
)
from paravent.dice.fair import Faces, LiveFaces
from paravent.dice.play import TypedFaces, as_many, read_face

from .errors import (
    AlreadyThrown,
    BadValue,
    BehindScreen,
    BlindThrow,
    FormError,
    NotNow,
    NotYours,
    RuleError,
    Stale,
    UnknownName,
    Withheld,
)
from .eyes import OTHERS, SPECTATOR, Eyes
from .frozen import parts, snapshot, telling_heard
from .move import (
    GRADES,
    OPEN,
    Actor,
    Ask,
    Context,
    Field,
    Follow,
    Move,
    Opened,
    Resolve,
    Shown,
    Telling,
    Window,
    filled_in,
    replace_focus,
    unfilled,
)
from .open_move import AGREE, CLOSED, REFUSE, OpenMove, back_before, without
from .records import ALL, GM, GM_ONLY, OWN, Audience, Change, apply, from_plain, look, type_at
from .rulebook import Rulings
from .system import Encounter, System

P = ParamSpec("P")
R = TypeVar("R")

TARGETS = ("encounter", "clock")
"""What a change may aim at besides a record: no record may bear these names."""


@dataclass(frozen=True)
class Held:
    """A record at the table: who answers for it (the game master when nobody), and who may see it."""

    record: Any
    kind: str
    owner: str = ""
    audience: Audience = frozenset({ALL})


@dataclass(frozen=True)
class Running:
    """An encounter under way, and who may know of it."""

    encounter: Encounter
    state: Any
    audience: Audience


@dataclass(frozen=True)
class Line:
    """One line of the account of the evening, for the seats that hear it."""

    telling: Telling
    seats: frozenset[str]
    move: int


def _whole(command: Callable[Concatenate[Session, P], R]) -> Callable[Concatenate[Session, P], R]:
    """A command that does the whole thing or, when it raises, leaves everything as it was."""

    @wraps(command)
    def done(self: Session, /, *args: P.args, **kwargs: P.kwargs) -> R:
        before = self._kept()
        self._acting.append(args[0] if args else "")
        try:
            return command(self, *args, **kwargs)
        except BaseException:
            self._restore(before)
            raise
        finally:
            self._acting.pop()

    return done


class Session:
    """A game in memory: seats, records, open moves, encounters, the account of the evening."""

    def __init__(
        self,
        system: System,
        seats: Mapping[str, str],
        rulings: Mapping[str, str] | None = None,
        faces: Faces | None = None,
    ) -> None:
        self.system = system
        self.seats = dict(seats)
        self.rulings = rulings if isinstance(rulings, Rulings) else system.book.rulings(rulings)
        self.faces: Faces = faces or LiveFaces()
        self.records: dict[str, Held] = {}
        self.moves: dict[int, OpenMove] = {}
        self.encounters: dict[int, Running] = {}
        self.log: list[Line] = []
        self.known: dict[str, tuple[int, ...]] = dict.fromkeys(self.seats, ())
        """For each seat, the moves it has come to know of, in that order: its own numbers for them."""
        self._acting: list[Any] = []
        """Who asked for what is being done, first of all."""
        self.day = 0
        self.clock: dict[str, Any] = {}
        """What the clock shows besides the day: ``minutes`` of the whole fiction, ``scene`` and ``episode``, and
        ``timers.<name>``, if kept."""

    def _kept(self) -> dict[str, Any]:
        """All that changes, as it is now; what it holds is frozen."""
        return {
            "records": dict(self.records), "moves": dict(self.moves), "encounters": dict(self.encounters),
            "log": list(self.log), "known": dict(self.known), "day": self.day,
            "clock": dict(self.clock),
        }

    def _restore(self, kept: Mapping[str, Any]) -> None:
        self.__dict__.update(kept)

    @property
    def eyes(self) -> Eyes:
        """Who is who, as things stand."""
        return Eyes(self.seats, {name: held.owner for name, held in self.records.items() if held.owner})

    def is_gm(self, seat: str) -> bool:
        """Whether this seat is a game master's."""
        return self.eyes.is_gm(seat)

    def controllers(self, actor_id: str) -> frozenset[str]:
        """The seats that answer for an actor."""
        return self.eyes.controllers(actor_id)

    def seats_of(self, op: OpenMove, audience: Iterable[str]) -> frozenset[str]:
        """The people that grades and roles stand for, in this move."""
        return self.eyes.hearing(parts(op, self.system), op.move.by, audience)

    def _seats_named(self, op: OpenMove, name: str) -> frozenset[str]:
        return self.seats_of(op, (name,))

    # Commands

    @_whole
    def add(
        self, name: str, record: Any, kind: str = "character", owner: str = "", audience: Audience | None = None
    ) -> None:
        """Bring a record to the table."""
        declared = self.system.kind(kind)
        if name in (GM, ALL, OTHERS, *TARGETS) or not name:
            raise BadValue(field="record", got=name, expected="name")
        if owner and owner not in self.seats:
            raise UnknownName("seat", owner, self.seats)
        seen_by = declared.audience if audience is None else audience
        self.records[name] = Held(declared.validated(record, self.rulings), kind, owner, seen_by)

    @_whole
    def start(
        self,
        seat: str,
        move: str,
        cast: Mapping[str, Sequence[str]] | None = None,
        form: Mapping[str, Mapping[str, Any]] | None = None,
        encounter: int | None = None,
        grade: str = "open",
    ) -> int:
        """Open a move; ``cast`` names records by role, ``form`` fills fields by actor. Gives the move's number.

        The game master may say how much of its throws is shown at most: ``grade``.
        """
        self._seated(seat)
        declared = self.system.move(move)
        running = self._running(seat, encounter)
        if declared.encounter and (running is None or running.encounter.id != declared.encounter):
            raise NotNow(move=move, needs=declared.encounter)
        if running is not None and running.encounter.over(running.state):
            raise NotNow(move=move, needs="over")
        state = running.state if running is not None else None
        actors = self._cast(seat, declared, cast or {})
        number = max(self.moves, default=0) + 1
        op = OpenMove(number, declared, seat, actors, self.rulings, encounter, state, self.day)
        op = self._graded(op, seat, grade) if grade != "open" else op
        self._is_for(seat, op, declared.by, move)
        if not self._may_start(seat, op):
            raise NotNow(move=move, needs=declared.encounter or move)
        for actor_id, values in (form or {}).items():
            op = self._filled(op, seat, values, actor_id)
        self._go_on(op)
        return number

    def _may_start(self, seat: str, op: OpenMove) -> bool:
        """Whether the move may be started, as far as the seat may know: what is hidden never refuses."""
        from .view import context_seen

        try:
            return op.move.applies(context_seen(self, seat, op))
        except Withheld:
            return True

    def _is_for(self, seat: str, op: OpenMove, role: str, what: str) -> None:
        """Refuse a seat that neither holds the role nor is a game master; a spectator has no hands."""
        held = seat in self._seats_named(op, role) and self.seats[seat] != SPECTATOR
        if not held and not self.is_gm(seat):
            raise NotYours(seat=seat, what=what)

    def _running(self, seat: str, number: int | None) -> Running | None:
        running = self.encounters.get(number) if number is not None else None
        if running is None and number is not None:
            raise UnknownName("encounter", str(number), ())
        if running is not None and not self.eyes.may_see(seat, "", running.audience):
            raise UnknownName("encounter", str(number), ())
        return running

    @_whole
    def join(self, seat: str, number: int, role: str, *names: str) -> None:
        """Bring more actors into a move before its dice are thrown: a helper, a target."""
        from .view import knows_actor

        op = self._open(number, seat)
        declared = op.move.role(role)
        if op.thrown:
            raise AlreadyThrown(field=role)
        joining = [self._actor(seat, name, role) for name in names]
        if any(seat not in self.controllers(name) for name in names):
            self._is_for(seat, op, op.move.by, role)
        known = [actor.id for actor in op.cast if actor.role == role and knows_actor(self, seat, actor)]
        members = [*known, *names]
        if len(set(members)) < len(members) or (declared.most is not None and len(members) > declared.most):
            raise NotNow(move=op.move.id, needs=role)
        self._go_on(replace(op, cast=(*op.cast, *joining)))

    def _actor(self, seat: str, name: str, role: str) -> Actor:
        """A record (or a seat without one) as a member of a role; what the seat may not see, it cannot name."""
        held = self.records.get(name)
        if held is None and name in self.seats:
            return Actor(name, role)
        if held is None or not self.may_see(seat, name):
            raise UnknownName("record", name, (other for other in self.records if self.may_see(seat, other)))
        return Actor(name, role, held.record, kind=held.kind, audience=held.audience)

    def may_see(self, seat: str, name: str) -> bool:
        """Whether a seat may know that a record exists."""
        return self.eyes.may_see(seat, name, self.records[name].audience | {"owner"})

    def _cast(self, seat: str, move: Move, cast: Mapping[str, Sequence[str]]) -> tuple[Actor, ...]:
        for role_id in cast:
            move.role(role_id)
        actors: list[Actor] = []
        for role in move.cast:
            if role.id == GM:
                actors.append(Actor(GM, GM))
                continue
            members = list(cast.get(role.id, ()))
            if not members and role.least:
                members = [seat] if role.id == move.by else []
            if len(members) < role.least or (role.most is not None and len(members) > role.most):
                raise NotNow(move=move.id, needs=role.id)
            actors += [self._actor(seat, name, role.id) for name in members]
        return tuple(actors)

    @_whole
    def fill(self, seat: str, number: int, values: Mapping[str, Any], actor: str = "") -> None:
        """Fill fields in; ``None`` empties one. Going back is free until the dice that read a field are thrown."""
        self._go_on(self._filled(self._open(number, seat), seat, values, actor))

    def supposing(self, seat: str, number: int, values: Mapping[str, Any], actor: str = "") -> OpenMove:
        """The move as it would stand with these fields filled in, for its odds: no rule runs, and no seal opens."""
        op = self._open(number, seat)
        return replace(self._filled(op, seat, values, actor), revealed=op.revealed)

    @_whole
    def seal(self, seat: str, number: int, values: Mapping[str, Any], actor: str = "") -> None:
        """Fill sealed fields in: nobody else reads them until all are in."""
        op = self._open(number, seat)
        for name in values:
            if op.move.field(name).secrecy != "sealed":
                raise NotNow(move=op.move.id, needs=name)
        self._go_on(self._filled(op, seat, values, actor))

    def _filled(self, op: OpenMove, seat: str, values: Mapping[str, Any], actor_id: str) -> OpenMove:
        from .view import context_seen

        for name, value in values.items():
            actor, asked = self._actor_for(op, seat, name, actor_id)
            at = next(i for i, step in enumerate(op.move.steps) if isinstance(step, Ask) and asked in step.fields)
            current = op.current(self.system)
            dice = (step for step in op.move.steps[at:] if isinstance(step, Resolve) and not step.auto)
            if name in op.revealed or any(step.id in op.records for step in dice):
                raise AlreadyThrown(field=name)
            # Ahead of a rule that runs by itself one may say what comes after it; ahead of dice, nothing.
            between = op.move.steps[current:at]
            if at > current and any(isinstance(step, Resolve) and not step.auto for step in between):
                raise NotNow(move=op.move.id, needs=name)
            # Limits and refusals come from what the seat may see, never from what it may not.
            ctx = context_seen(self, seat, op)
            seen = next(other for other in ctx.actors if (other.id, other.role) == (actor.id, actor.role))
            read = filled_in(ctx, seen, {name: value}).filled
            filled = {**without(actor.filled, {name}), **({name: read[name]} if name in read else {})}
            cast = tuple(replace(actor, filled=filled) if other is actor else other for other in op.cast)
            op = back_before(replace(op, cast=cast), at)
        return self._unsealed(op)

    def _unsealed(self, op: OpenMove) -> OpenMove:
        """Sealed fields open together, once every one of their step is in."""
        done = [step for step in op.move.steps[: op.current(self.system)] if isinstance(step, Ask)]
        return replace(op, revealed=op.revealed | {
            asked.id for step in done for asked in step.fields
            if asked.secrecy == "sealed" and any(asked.id in actor.filled for actor in op.cast)
        })

    def _actor_for(self, op: OpenMove, seat: str, name: str, actor_id: str) -> tuple[Actor, Field]:
        """Whose field a seat fills in: its own actor's; the game master may write for others, but not unseal."""
        op.move.field(name)
        members = [
            (actor, asked)
            for asked in op.move.fields
            for actor in op.cast
            if asked.id == name and actor.role == asked.role and actor_id in ("", actor.id)
        ]
        mine = [(actor, asked) for actor, asked in members if seat in self.controllers(asked.by or actor.id)]
        if not mine and self.is_gm(seat):
            mine = [(actor, asked) for actor, asked in members if asked.secrecy != "sealed"]
        if not mine:
            raise NotYours(seat=seat, what=name)
        if len(mine) > 1:
            raise UnknownName("actor", actor_id or "?", (actor.id for actor, _ in mine))
        return mine[0]

    @_whole
    def set_grade(self, seat: str, number: int, grade: str) -> None:
        """The game master says, before the dice, how much of the throws is shown: never more than their rules say."""
        op = self._open(number, seat)
        if op.thrown:
            raise AlreadyThrown(field=op.move.id)
        self._put(self._graded(op, seat, grade))

    def _graded(self, op: OpenMove, seat: str, grade: str) -> OpenMove:
        if not self.is_gm(seat):
            raise NotYours(seat=seat, what="grade")
        if grade not in GRADES:
            raise UnknownName("value", grade, GRADES)
        return replace(op, grade=grade)

    @_whole
    def close(self, seat: str, number: int) -> None:
        """The game master ends the waiting: what is missing takes its usual value, a window counts as agreed."""
        op = self._open(number, seat)
        if not self.is_gm(seat):
            raise NotYours(seat=seat, what="close")
        if isinstance(op.pending, Choice):
            self._continue(op, op.pending, op.pending.usual)
            return
        step = op.step(self.system)
        ctx = op.context(self.system)
        if isinstance(step, Ask):
            for actor, asked in unfilled(ctx, step):
                if not asked.has_usual():
                    raise NotNow(move=op.move.id, needs=asked.id)
                usual = asked.usual_value(replace_focus(ctx, actor))
                ctx = replace(ctx, actors=tuple(
                    replace(a, filled={**a.filled, asked.id: usual}) if (a.id, a.role) == (actor.id, actor.role) else a
                    for a in ctx.actors
                ))
            op = self._unsealed(replace(op, cast=ctx.actors))
        elif isinstance(step, Window):
            agreed = {**dict.fromkeys(self._seats_named(op, op.asks(step.role)), AGREE), CLOSED: AGREE}
            op = replace(op, windows={**op.windows, step.id: agreed})
        else:
            raise NotNow(move=op.move.id, needs="throw")
        self._go_on(op)

    @_whole
    def throw(self, seat: str, number: int, *, by_hand: bool = False) -> None:
        """Throw the dice of the rule the move has come to; with ``by_hand`` the faces are asked, throw by throw."""
        op = self._open(number, seat)
        self._is_for(seat, op, op.move.by, "throw")
        step = op.step(self.system)
        if not isinstance(step, Resolve) or op.pending is not None:
            raise NotNow(move=op.move.id, needs=self._needs(op))
        if by_hand and self.known_blind(seat, op, step):
            raise BlindThrow(move=op.move.id)
        self._run(replace(op, by_hand=by_hand and not self._is_blind(op, step, op.context(self.system))), step, ())

    def known_blind(self, seat: str, op: OpenMove, step: Resolve) -> bool:
        """Whether a seat may know that whoever acts will not see the dice: then they are not typed in."""
        from .view import context_seen

        if not self._seats_named(op, op.move.by) <= self.seats_of(op, GRADES[op.grade].dice):
            return True
        try:
            return self._is_blind(op, step, context_seen(self, seat, op))
        except Withheld:
            return False

    def _is_blind(self, op: OpenMove, step: Resolve, ctx: Context) -> bool:
        """Whether whoever acts may not see the dice: then they are always the server's."""
        dice = op.shown(self.system, step, ctx).dice
        acting = self._seats_named(op, op.move.by)
        return step.blind or not (OWN in dice or acting <= self.seats_of(op, dice))

    @_whole
    def answer(self, seat: str, number: int, answer: Any) -> None:
        """Answer what the move waits for: a choice inside a rule, faces thrown by hand, or a window."""
        op = self._open(number, seat)
        if isinstance(op.pending, Wanted):
            self._hand(op, op.pending, seat, answer)
        elif isinstance(op.pending, Choice):
            self._choose(op, op.pending, seat, answer)
        else:
            self._window(op, seat, answer)

    def _hand(self, op: OpenMove, wanted: Wanted, seat: str, faces: Any) -> None:
        self._is_for(seat, op, wanted.role, "throw")
        typed = as_many(tuple(faces), wanted.n, wanted.sides)
        thrown = tuple(read_face(face, wanted.sides) for face in typed)
        self._resume(op, Thrown(wanted.role, wanted.rule, wanted.sides, thrown, True))

    def _choose(self, op: OpenMove, choice: Choice, seat: str, answer: Any) -> None:
        asked = self._seats_named(op, op.asks(choice.who))
        if seat not in asked:
            raise NotYours(seat=seat, what=choice.key)
        if op.asks(choice.who) != OTHERS:
            self._continue(op, choice, answer)
            return
        polls = {**op.polls, seat: answer}
        if plain(answer) != plain(choice.usual):
            self._continue(op, choice, answer)
        elif asked <= set(polls):
            self._continue(op, choice, choice.usual)
        else:
            self._put(replace(op, polls=polls))

    def _continue(self, op: OpenMove, choice: Choice, answer: Any) -> None:
        dice = tuple(answer.dice) if isinstance(answer, ByHand) else ()
        if isinstance(answer, Mapping) and "dice" in answer:
            dice = tuple(answer["dice"])
        self._resume(op, Answered(choice.who, choice.key, None if dice else plain(answer), dice))

    def _resume(self, op: OpenMove, entry: Answered | Thrown) -> None:
        step = op.step(self.system)
        assert isinstance(step, Resolve)
        self._run(op, step, (*op.records[step.id], entry))

    def _window(self, op: OpenMove, seat: str, answer: str) -> None:
        step = op.step(self.system)
        if not isinstance(step, Window):
            raise NotNow(move=op.move.id, needs=self._needs(op))
        asked = self._seats_named(op, op.asks(step.role))
        if seat not in asked:
            raise NotYours(seat=seat, what=step.id)
        if answer not in (AGREE, REFUSE):
            raise UnknownName("answer", str(answer), (AGREE, REFUSE))
        if answer == AGREE:
            answers = {**op.windows.get(step.id, {}), seat: AGREE}
            if asked <= set(answers):
                answers[CLOSED] = AGREE
            self._go_on(replace(op, windows={**op.windows, step.id: answers}))
        elif step.back_to:
            at = next(i for i, other in enumerate(op.move.steps) if other.id == step.back_to)
            self._go_on(back_before(op, at, empty=True))
        else:
            self._put(replace(op, phase="refused"))

    @_whole
    def withdraw(self, seat: str, number: int) -> None:
        """Take the move back, free of cost, as long as no dice have been thrown."""
        op = self._open(number, seat)
        self._is_for(seat, op, op.move.by, "withdraw")
        if op.thrown:
            raise AlreadyThrown(field=op.move.id)
        self._put(replace(op, phase="withdrawn"))

    @_whole
    def accept(
        self, seat: str, number: int, amend: Mapping[int, Any] | None = None, refuse: Sequence[int] = ()
    ) -> None:
        """The game master applies the proposed changes; some may be amended or refused, each alone.

        A value that something else changed in the meantime is never overwritten: its change is amended or refused.
        """
        op = self._known(number, seat)
        if not self.is_gm(seat):
            raise NotYours(seat=seat, what="accept")
        if op.phase != "settled":
            raise NotNow(move=op.move.id, needs=self._needs(op))
        amended = dict(amend or {})
        for at in (*amended, *refuse):
            if at not in range(len(op.changes)):
                raise UnknownName("change", str(at), map(str, range(len(op.changes))))
        final = []
        for at, change in enumerate(op.changes):
            if at in refuse:
                continue
            if at in amended:
                now = self._now(op, change)
                change = replace(change, before=now, after=self._amended(op, change, amended[at]))
            self._apply(op, change)
            final.append(change)
        self._put(replace(op, phase="closed", changes=tuple(final)))

    @_whole
    def undo(self, seat: str, number: int) -> None:
        """The game master takes back what a closed move changed; the move stays listed, its dice too."""
        op = self._known(number, seat)
        if not self.is_gm(seat):
            raise NotYours(seat=seat, what="undo")
        if op.phase != "closed":
            raise NotNow(move=op.move.id, needs=self._needs(op))
        for change in reversed(op.changes):
            self._apply(op, replace(change, before=change.after, after=change.before))
        self._put(replace(op, phase="undone"))

    def odds(self, seat: str, number: int, policy: str = "usual") -> Mapping[Any, Odds[Any]] | None:
        """The odds of what comes next, from what this seat may see; see :func:`paravent.game.view.odds_seen`."""
        from .view import odds_seen

        return odds_seen(self, seat, number, policy)

    def _amended(self, op: OpenMove, change: Change, value: Any) -> Any:
        """A value written by the game master, as the record or the state it goes to declares it."""
        if change.target == "clock":
            return value if change.path.startswith("timers.") else from_plain(type(change.before), value, "clock")
        if change.target == "encounter":
            state = self.encounters[op.encounter or 0].encounter.state
            return from_plain(type_at(state, change.path), value, change.path)
        held = self.records.get(change.target)
        kind = self.system.kind(held.kind if held else change.kind)
        return from_plain(type_at(kind.cls, change.path), value, change.path)

    def _now(self, op: OpenMove, change: Change) -> Any:
        """What stands now where a change would be made."""
        if change.target == "clock":
            return self.clock.get(change.path) if change.path else self.day
        if change.target == "encounter":
            state = self.encounters[op.encounter or 0].state
            return look(state, change.path) if change.path else state
        held = self.records.get(change.target)
        if not change.path:
            return held.record if held else None
        if held is None:
            raise UnknownName("record", change.target, self.records)
        return look(held.record, change.path)

    def _apply(self, op: OpenMove, change: Change) -> None:
        now = self._now(op, change)
        if now != change.before:
            raise Stale(target=change.target, path=change.path, before=plain(change.before), now=plain(now))
        if change.target == "clock":
            self._turn_clock(change.path, change.after)
        elif change.target == "encounter":
            running = self.encounters[op.encounter or 0]
            state = apply(running.state, change.path, change.after) if change.path else change.after
            self.encounters[op.encounter or 0] = replace(running, state=state)
        elif change.path:
            held = self.records[change.target]
            self.records[change.target] = replace(held, record=apply(held.record, change.path, change.after))
        elif change.after is None:
            del self.records[change.target]
        else:
            owners = [seat for seat in self._seats_named(op, op.move.by) if not self.is_gm(seat)]
            self.add(change.target, change.after, change.kind, owners[0] if len(owners) == 1 else "")

    def _turn_clock(self, path: str, after: Any) -> None:
        if not path:
            self.day = after
            return
        self.clock = {**without(self.clock, {path}), **({} if after is None else {path: after})}
        if path == "minutes":
            self.day = after // (24 * 60)

    # Running a rule

    def _run(self, op: OpenMove, step: Resolve, past: Record) -> None:
        try:
            self._ran(op, step, past)
        except (RuleError, FormError) as fault:
            raise self._refusal(op, step, past, fault) from None

    def _refusal(self, op: OpenMove, step: Resolve, past: Record, fault: ParaventError) -> ParaventError:
        """What the rules refuse, as whoever asked may hear it: where something hidden matters, no more than that."""
        from .view import contexts_supposed

        seat = self._acting[0] if self._acting else ""
        if seat not in self.seats or self.is_gm(seat):
            return fault
        found = [self._fault(ctx, step, past) for ctx in contexts_supposed(self, seat, op)]
        alike = found and all(type(other) is type(fault) and other.values == fault.values for other in found)
        return fault if alike else Withheld(what=op.move.id)

    @staticmethod
    def _fault(ctx: Context, step: Resolve, past: Record) -> Any:
        try:
            PlayedDice(LiveFaces(), None, past).resolve(step.rule, *step.read(ctx))
        except Exception as fault:
            return fault
        return None

    def _ran(self, op: OpenMove, step: Resolve, past: Record) -> None:
        faces: Faces = TypedFaces() if op.by_hand else self.faces
        dice = PlayedDice(faces, None, past, by_hand=op.by_hand)
        ctx = op.context(self.system)
        try:
            result = dice.resolve(step.rule, *step.read(ctx))
        except Waiting as waiting:
            records = {**op.records, step.id: waiting.record}
            self._put(replace(op, records=records, pending=waiting.request, polls={}))
            return
        records = {**op.records, step.id: dice.record}
        op = replace(op, records=records, pending=None, polls={}, results={**op.results, step.id: result})
        ctx = op.context(self.system)
        op = replace(op, proposed={**op.proposed, step.id: tuple(step.changes(ctx, result))})
        shown = op.shown(self.system, step)
        lines = [
            Line(telling, self.seats_of(op, telling_heard(op, shown, telling)), op.id)
            for telling in step.tell(ctx, result)
        ]
        opened, follows = step.opens(ctx, result), step.follow(ctx, result)
        self.log += lines
        self._put(op)
        self._begin(opened, follows, op)
        self._go_on(op)

    def _begin(self, opened: Opened | None, follows: Sequence[Follow], op: OpenMove) -> None:
        encounter = op.encounter
        if opened is not None:
            encounter = max(self.encounters, default=0) + 1
            declared = self.system.encounters[opened.encounter]
            audience = GM_ONLY if op.ends_unseen else declared.audience
            self.encounters[encounter] = Running(declared, opened.state, audience)
        for follow in follows:
            seat = min(self._seats_named(op, GM), default=op.starter)
            # What comes of an end that is hidden would tell how it ended.
            grade = "invisible" if op.ends_unseen else "open"
            self.start(seat, follow.move, follow.cast, follow.form, encounter, grade)

    # Where a move stands

    def _seated(self, seat: str) -> None:
        if seat not in self.seats:
            raise UnknownName("seat", seat, self.seats)

    def _known(self, number: int, seat: str) -> OpenMove:
        """The move of this number; one that the seat may not know of is as unknown to it as one that is not there."""
        from .view import may_know

        self._seated(seat)
        op = self.moves.get(number)
        known = number in self.known[seat] or (op is not None and may_know(self.eyes, seat, snapshot(op, self.system)))
        if op is None or not known:
            raise UnknownName("open move", str(number), map(str, self.known[seat]))
        return op

    def _open(self, number: int, seat: str) -> OpenMove:
        op = self._known(number, seat)
        if op.behind_screen and not self.is_gm(seat):
            raise BehindScreen(move=op.move.id)
        if self.is_out_of_hands(seat, op):
            raise AlreadyThrown(field=op.move.id)  # whether it waits for more or is settled would tell how it ended
        if op.phase != "open":
            raise NotNow(move=op.move.id, needs=op.phase)
        return op

    def is_out_of_hands(self, seat: str, op: OpenMove) -> bool:
        """Whether a seat may do nothing more about a move under way, and not know what the others may."""
        from .view import is_blind

        if op.behind_screen and not self.is_gm(seat):
            return True
        return seat not in self.waits_for(op.id) and is_blind(self.eyes, seat, snapshot(op, self.system))

    def numbered(self, seat: str, own: int) -> int:
        """The number of the move that a seat's own view calls ``own``."""
        self._seated(seat)
        if not 1 <= own <= len(self.known[seat]):
            raise UnknownName("open move", str(own), map(str, range(1, len(self.known[seat]) + 1)))
        return self.known[seat][own - 1]

    def _put(self, op: OpenMove) -> None:
        """Keep the move as it now stands; seats that now know of it give it their next number."""
        from .view import may_know

        self.moves[op.id] = op
        shot = snapshot(op, self.system)
        for seat in self.seats:
            if op.id not in self.known[seat] and may_know(self.eyes, seat, shot):
                self.known[seat] = (*self.known[seat], op.id)

    def _go_on(self, op: OpenMove) -> None:
        """Keep the move; run what runs by itself; settle it when nothing is left to ask or throw."""
        step = op.step(self.system)
        if isinstance(step, Resolve) and step.auto and op.pending is None:
            self._run(op, step, ())
        elif step is None and op.results:
            changes = tuple(change for other in op.move.resolves for change in op.proposed.get(other.id, ()))
            self._put(replace(op, phase="settled", changes=changes))
        else:
            self._put(op)

    def _needs(self, op: OpenMove) -> str:
        """What a move waits for, or how it ended; worded under ``needs``."""
        if op.phase == "open" and op.pending is not None:
            return "answer" if isinstance(op.pending, Choice) else "throw"
        match op.step(self.system) if op.phase == "open" else None:
            case Ask():
                return "fields"
            case Window():
                return "agreement"
            case Resolve():
                return "throw"
        return op.phase

    def waits_for(self, number: int) -> frozenset[str]:
        """The seats that can bring this move forward."""
        op = self.moves[number]
        return self.seats_of(op, op.awaited(self.system)) - set(op.answered())

    @_whole
    def turn_over(self, seat: str, number: int, step: str, shown: Shown = OPEN) -> None:
        """The game master shows a throw otherwise than its rule says: to everyone, unless said."""
        op = self._known(number, seat)
        if not self.is_gm(seat):
            raise NotYours(seat=seat, what="turn_over")
        if step not in op.records:
            raise NotNow(move=op.move.id, needs=step)
        self._put(replace(op, turned_over={**op.turned_over, step: shown}))

    def seen(self, seat: str) -> dict[str, Any]:
        """Everything this seat may see, and nothing else."""
        from .view import seen

        self._seated(seat)
        return seen(self, seat)
