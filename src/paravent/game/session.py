"""Seats without a table: a game master, players and spectators play any move or encounter, in memory.

Commands are verbs (:meth:`Session.start`, :meth:`~Session.fill`, :meth:`~Session.throw`…); each either does the whole
thing or raises an error and changes nothing. What each seat may see of it is :func:`paravent.game.view.seen`.

An open move keeps its inputs as they were read when it started, and the record of its dice. When a rule waits for an
answer, nothing suspended is kept: the rule is run again on the record, with the answer at its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from paravent.dice import Answered, ByHand, Choice, Odds, PlayedDice, Record, Thrown, Waiting, Wanted, plain
from paravent.dice.errors import ImpossibleFace, TooFewDice
from paravent.dice.fair import Faces, LiveFaces
from paravent.dice.play import TypedFaces

from .errors import AlreadyThrown, NotNow, NotYours, UnknownName
from .eyes import OTHERS, Eyes
from .frozen import parts
from .move import (
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
    Step,
    Telling,
    Window,
    missing,
    replace_focus,
)
from .records import ALL, GM, Audience, Change, apply
from .rulebook import Rulings
from .system import Encounter, System, fill_all

AGREE, REFUSE = "agree", "refuse"
CLOSED = ""
"""The key under which a window keeps that everyone has agreed, or that the game master closed it."""


@dataclass(frozen=True)
class Held:
    """A record at the table: who answers for it (the game master when nobody), and who may see it."""

    record: Any
    kind: str
    owner: str = ""
    audience: Audience = frozenset({ALL})


@dataclass(frozen=True)
class Running:
    """An encounter under way."""

    encounter: Encounter
    state: Any


@dataclass(frozen=True)
class Line:
    """One line of the account of the evening, for the seats that hear it."""

    telling: Telling
    seats: frozenset[str]
    move: int


@dataclass(frozen=True)
class OpenMove:
    """A move under way: cast, what was filled in, answers, records of dice, results, proposed changes."""

    id: int
    move: Move
    starter: str
    cast: tuple[Actor, ...]
    rulings: Rulings
    encounter: int | None = None
    state_read: Any = None
    """The encounter's state as it was when the move started."""
    day: int = 0
    revealed: frozenset[str] = frozenset()
    windows: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    records: Mapping[str, Record] = field(default_factory=dict)
    results: Mapping[str, Any] = field(default_factory=dict)
    pending: Choice | Wanted | None = None
    polls: Mapping[str, Any] = field(default_factory=dict)
    by_hand: bool = False
    turned_over: Mapping[str, Shown] = field(default_factory=dict)
    """Throws shown otherwise than their rule says: the game master narrowed or revealed them."""
    changes: tuple[Change, ...] = ()
    phase: str = "open"
    """``open`` while anything is asked or thrown, ``settled`` when changes wait to be accepted, then ``closed``;
    or ``withdrawn``, ``refused``, ``undone``."""

    def context(self, system: System) -> Context:
        """What the move's functions may read."""
        return Context(system, self.move, self.cast, self.rulings, self.state_read, self.results, self.day)

    @property
    def thrown(self) -> bool:
        """Whether any of its rules has begun to be thrown."""
        return bool(self.records)

    def current(self, system: System) -> int:
        """The number of the first step that is not done."""
        ctx = self.context(system)
        undone = (at for at, step in enumerate(self.move.steps) if not self._done(ctx, step))
        return next(undone, len(self.move.steps))

    def step(self, system: System) -> Step | None:
        """The first step that is not done."""
        at = self.current(system)
        return self.move.steps[at] if at < len(self.move.steps) else None

    def _done(self, ctx: Context, step: Step) -> bool:
        match step:
            case Ask():
                return not _unfilled(ctx, step)
            case Window():
                return not step.applies(ctx) or self.windows.get(step.id, {}).get(CLOSED) == AGREE
            case Resolve():
                return step.id in self.results or not step.applies(ctx)

    def awaited(self, system: System) -> frozenset[str]:
        """The grades, roles and actors that can bring the move forward."""
        if self.phase == "settled":
            return frozenset({GM})
        if self.phase != "open":
            return frozenset()
        if isinstance(self.pending, Choice):
            return frozenset({self.pending.who})
        if isinstance(self.pending, Wanted):
            return frozenset({self.pending.role})
        step = self.step(system)
        if isinstance(step, Window):
            return frozenset({step.role})
        if isinstance(step, Ask):
            return frozenset(actor.id for actor, _ in _unfilled(self.context(system), step))
        return frozenset({self.move.by})

    def answered(self) -> Iterable[str]:
        """The seats that have already said their word on what is awaited."""
        if isinstance(self.pending, Choice):
            return self.polls
        return {seat for answers in self.windows.values() if CLOSED not in answers for seat in answers}


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
        self.rulings = system.book.rulings(rulings)
        self.faces: Faces = faces or LiveFaces()
        self.records: dict[str, Held] = {}
        self.moves: dict[int, OpenMove] = {}
        self.encounters: dict[int, Running] = {}
        self.log: list[Line] = []
        self.day = 0

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

    def add(
        self, name: str, record: Any, kind: str = "character", owner: str = "", audience: Audience | None = None
    ) -> None:
        """Bring a record to the table."""
        declared = self.system.kind(kind)
        if owner and owner not in self.seats:
            raise UnknownName("seat", owner, self.seats)
        seen_by = declared.audience if audience is None else audience
        self.records[name] = Held(declared.validated(record, self.rulings), kind, owner, seen_by)

    def start(
        self,
        seat: str,
        move: str,
        cast: Mapping[str, Sequence[str]] | None = None,
        form: Mapping[str, Mapping[str, Any]] | None = None,
        encounter: int | None = None,
    ) -> int:
        """Open a move; ``cast`` names records by role, ``form`` fills fields by actor. Gives the move's number."""
        declared = self.system.move(move)
        if declared.encounter and (encounter is None or self.encounters[encounter].encounter.id != declared.encounter):
            raise NotNow(move=move, needs=declared.encounter)
        state = self.encounters[encounter].state if encounter is not None else None
        actors = self._cast(seat, declared, cast or {})
        number = len(self.moves) + 1
        op = OpenMove(number, declared, seat, actors, self.rulings, encounter, state, self.day)
        if not self.is_gm(seat) and seat not in self._seats_named(op, declared.by):
            raise NotYours(seat=seat, what=move)
        for actor_id, values in (form or {}).items():
            op = self._filled(op, seat, values, actor_id)
        self.moves[number] = op
        return number

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
            for name in members:
                if name not in self.records and name not in self.seats:
                    raise UnknownName("record", name, self.records)
                held = self.records.get(name)
                actors.append(Actor(name, role.id, held.record if held else None))
        return tuple(actors)

    def fill(self, seat: str, number: int, values: Mapping[str, Any], actor: str = "") -> None:
        """Fill fields in; ``None`` empties one. Going back is free until the dice that read a field are thrown."""
        self.moves[number] = self._filled(self._open(number), seat, values, actor)

    def seal(self, seat: str, number: int, values: Mapping[str, Any], actor: str = "") -> None:
        """Fill sealed fields in: nobody else reads them until all are in."""
        op = self._open(number)
        for name in values:
            if op.move.field(name).secrecy != "sealed":
                raise NotNow(move=op.move.id, needs=name)
        self.moves[number] = self._filled(op, seat, values, actor)

    def _filled(self, op: OpenMove, seat: str, values: Mapping[str, Any], actor_id: str) -> OpenMove:
        current = op.current(self.system)
        for name, value in values.items():
            asked = op.move.field(name)
            at = next(i for i, step in enumerate(op.move.steps) if isinstance(step, Ask) and asked in step.fields)
            if any(isinstance(step, Resolve) and step.id in op.records for step in op.move.steps[at:]):
                raise AlreadyThrown(field=name)
            if name in op.revealed:
                raise AlreadyThrown(field=name)
            if at > current and any(isinstance(step, Resolve) for step in op.move.steps[current:at]):
                raise NotNow(move=op.move.id, needs=name)
            actor = self._actor_for(op, seat, asked, actor_id)
            ctx = fill_all(op.context(self.system), {actor.id: {name: value}})
            later = {step.id for step in op.move.steps[at:] if isinstance(step, Window)}
            kept = {step: answers for step, answers in op.windows.items() if step not in later}
            op = replace(op, cast=ctx.actors, windows=kept)
        return self._unsealed(op)

    def _unsealed(self, op: OpenMove) -> OpenMove:
        """Sealed fields open together, once every one of their step is in."""
        ctx = op.context(self.system)
        for step in op.move.steps:
            if isinstance(step, Ask) and not _unfilled(ctx, step):
                op = replace(op, revealed=op.revealed | {f.id for f in step.fields if f.secrecy == "sealed"})
        return op

    def _actor_for(self, op: OpenMove, seat: str, asked: Field, actor_id: str) -> Actor:
        members = [actor for actor in op.cast if actor.role == asked.role and actor_id in ("", actor.id)]
        mine = [actor for actor in members if seat in self.controllers(actor.id)]
        if not mine and self.is_gm(seat) and asked.secrecy != "sealed":
            mine = members
        if not mine:
            raise NotYours(seat=seat, what=asked.id)
        if len(mine) > 1:
            raise UnknownName("actor", actor_id or "?", (actor.id for actor in mine))
        return mine[0]

    def close(self, seat: str, number: int) -> None:
        """The game master ends the waiting: what is missing takes its usual value, a window counts as agreed."""
        op = self._open(number)
        if not self.is_gm(seat):
            raise NotYours(seat=seat, what="close")
        if isinstance(op.pending, Choice):
            self._continue(op, op.pending, op.pending.usual)
            return
        step = op.step(self.system)
        ctx = op.context(self.system)
        if isinstance(step, Ask):
            for actor, asked in _unfilled(ctx, step):
                if not asked.has_usual():
                    raise NotNow(move=op.move.id, needs=asked.id)
                usual = asked.usual_value(replace_focus(ctx, actor))
                ctx = replace(ctx, actors=tuple(
                    replace(a, filled={**a.filled, asked.id: usual}) if a is ctx.actor(actor.id) else a
                    for a in ctx.actors
                ))
            op = self._unsealed(replace(op, cast=ctx.actors))
        elif isinstance(step, Window):
            agreed = dict.fromkeys(self._seats_named(op, step.role), AGREE)
            op = replace(op, windows={**op.windows, step.id: {**agreed, **op.windows.get(step.id, {})}})
        else:
            raise NotNow(move=op.move.id, needs="throw")
        self.moves[number] = self._settled(op)

    def throw(self, seat: str, number: int, *, by_hand: bool = False) -> None:
        """Throw the dice of the rule the move has come to; with ``by_hand`` the faces are asked, throw by throw."""
        op = self._open(number)
        step = op.step(self.system)
        if not isinstance(step, Resolve) or op.pending is not None:
            raise NotNow(move=op.move.id, needs=self._needs(op))
        if not self.is_gm(seat) and seat not in self._seats_named(op, op.move.by):
            raise NotYours(seat=seat, what="throw")
        self._run(replace(op, by_hand=by_hand and not step.blind), step, ())

    def answer(self, seat: str, number: int, answer: Any) -> None:
        """Answer what the move waits for: a choice inside a rule, faces thrown by hand, or a window."""
        op = self._open(number)
        if isinstance(op.pending, Wanted):
            self._hand(op, op.pending, seat, answer)
        elif isinstance(op.pending, Choice):
            self._choose(op, op.pending, seat, answer)
        else:
            self._window(op, seat, answer)

    def _hand(self, op: OpenMove, wanted: Wanted, seat: str, faces: Any) -> None:
        if not self.is_gm(seat) and seat not in self._seats_named(op, wanted.role):
            raise NotYours(seat=seat, what="throw")
        if len(faces) != wanted.n:
            raise TooFewDice(wanted=wanted.n, left=len(faces), sides=wanted.sides)
        for face in faces:
            if not isinstance(face, int) or not 1 <= face <= wanted.sides:
                raise ImpossibleFace(face=face, sides=wanted.sides)
        self._resume(op, Thrown(wanted.role, wanted.rule, wanted.sides, tuple(faces), True))

    def _choose(self, op: OpenMove, choice: Choice, seat: str, answer: Any) -> None:
        asked = self._seats_named(op, choice.who)
        if seat not in asked:
            raise NotYours(seat=seat, what=choice.key)
        if choice.who != OTHERS:
            self._continue(op, choice, answer)
            return
        polls = {**op.polls, seat: answer}
        if answer != choice.usual:
            self._continue(op, choice, answer)
        elif asked <= set(polls):
            self._continue(op, choice, choice.usual)
        else:
            self.moves[op.id] = replace(op, polls=polls)

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
        if seat not in self._seats_named(op, step.role):
            raise NotYours(seat=seat, what=step.id)
        if answer not in (AGREE, REFUSE):
            raise UnknownName("answer", str(answer), (AGREE, REFUSE))
        if answer == AGREE:
            answers = {**op.windows.get(step.id, {}), seat: AGREE}
            if self._seats_named(op, step.role) <= set(answers):
                answers[CLOSED] = AGREE
            self.moves[op.id] = self._settled(replace(op, windows={**op.windows, step.id: answers}))
        elif step.back_to:
            self.moves[op.id] = _emptied(op, step.back_to)
        else:
            self.moves[op.id] = replace(op, phase="refused")

    def withdraw(self, seat: str, number: int) -> None:
        """Take the move back, free of cost, as long as no dice have been thrown."""
        op = self._open(number)
        if not self.is_gm(seat) and seat not in self._seats_named(op, op.move.by):
            raise NotYours(seat=seat, what="withdraw")
        if op.thrown:
            raise AlreadyThrown(field=op.move.id)
        self.moves[number] = replace(op, phase="withdrawn")

    def accept(
        self, seat: str, number: int, amend: Mapping[int, Any] | None = None, refuse: Sequence[int] = ()
    ) -> None:
        """The game master applies the proposed changes; some may be amended or refused, each alone."""
        op = self.moves[number]
        if not self.is_gm(seat):
            raise NotYours(seat=seat, what="accept")
        if op.phase != "settled":
            raise NotNow(move=op.move.id, needs=self._needs(op))
        final = tuple(
            replace(change, after=(amend or {}).get(at, change.after))
            for at, change in enumerate(op.changes)
            if at not in refuse
        )
        for change in final:
            self._apply(op, change)
        self.moves[number] = replace(op, phase="closed", changes=final)

    def undo(self, seat: str, number: int) -> None:
        """The game master takes back what a closed move changed; the move stays listed, its dice too."""
        op = self.moves[number]
        if not self.is_gm(seat):
            raise NotYours(seat=seat, what="undo")
        if op.phase != "closed":
            raise NotNow(move=op.move.id, needs=self._needs(op))
        for change in reversed(op.changes):
            self._apply(op, replace(change, after=change.before))
        self.moves[number] = replace(op, phase="undone")

    def odds(self, seat: str, number: int, policy: str = "usual") -> Mapping[Any, Odds[Any]] | None:
        """The odds of what comes next, from what this seat may see; see :func:`paravent.game.view.odds_seen`."""
        from .view import odds_seen

        return odds_seen(self, seat, number, policy)

    def _apply(self, op: OpenMove, change: Change) -> None:
        if change.target == "clock":
            self.day = change.after
        elif change.target == "encounter":
            assert op.encounter is not None
            running = self.encounters[op.encounter]
            state = apply(running.state, change.path, change.after) if change.path else change.after
            self.encounters[op.encounter] = replace(running, state=state)
        else:
            held = self.records[change.target]
            self.records[change.target] = replace(held, record=apply(held.record, change.path, change.after))

    # Running a rule

    def _run(self, op: OpenMove, step: Resolve, past: Record) -> None:
        faces: Faces = TypedFaces() if op.by_hand else self.faces
        dice = PlayedDice(faces, None, past, by_hand=op.by_hand)
        ctx = op.context(self.system)
        try:
            result = dice.resolve(step.rule, *step.read(ctx))
        except Waiting as waiting:
            records = {**op.records, step.id: waiting.record}
            self.moves[op.id] = replace(op, records=records, pending=waiting.request, polls={})
            return
        records = {**op.records, step.id: dice.record}
        op = replace(op, records=records, pending=None, polls={}, results={**op.results, step.id: result})
        ctx = op.context(self.system)
        op = replace(op, changes=(*op.changes, *step.changes(ctx, result)))
        shown = step.shown(ctx, result)
        lines = [
            Line(telling, self.seats_of(op, shown.outcome if telling.audience is None else telling.audience), op.id)
            for telling in step.tell(ctx, result)
        ]
        opened, follows = step.opens(ctx, result), step.follow(ctx, result)
        op = self._settled(op)
        self.moves[op.id] = op
        self.log += lines
        self._begin(opened, follows, op)

    def _begin(self, opened: Opened | None, follows: Sequence[Follow], op: OpenMove) -> None:
        if opened is not None:
            number = len(self.encounters) + 1
            self.encounters[number] = Running(self.system.encounters[opened.encounter], opened.state)
        for follow in follows:
            seat = next(iter(self._seats_named(op, GM)), op.starter)
            self.start(seat, follow.move, follow.cast, follow.form, op.encounter)

    # Where a move stands

    def _open(self, number: int) -> OpenMove:
        op = self.moves.get(number)
        if op is None:
            raise UnknownName("open move", str(number), map(str, self.moves))
        if op.phase != "open":
            raise NotNow(move=op.move.id, needs=op.phase)
        return op

    def _settled(self, op: OpenMove) -> OpenMove:
        return replace(op, phase="settled") if op.step(self.system) is None and op.results else op

    def _needs(self, op: OpenMove) -> str:
        step = op.step(self.system)
        return op.phase if step is None else step.id

    def waits_for(self, number: int) -> frozenset[str]:
        """The seats that can bring this move forward."""
        op = self.moves[number]
        return self.seats_of(op, op.awaited(self.system)) - set(op.answered())

    def turn_over(self, seat: str, number: int, step: str, shown: Shown = OPEN) -> None:
        """The game master shows a throw otherwise than its rule says: to everyone, unless said."""
        op = self.moves[number]
        if not self.is_gm(seat):
            raise NotYours(seat=seat, what="turn_over")
        if step not in op.records:
            raise NotNow(move=op.move.id, needs=step)
        self.moves[number] = replace(op, turned_over={**op.turned_over, step: shown})

    def seen(self, seat: str) -> dict[str, Any]:
        """Everything this seat may see, and nothing else."""
        from .view import seen

        return seen(self, seat)


def _unfilled(ctx: Context, step: Ask) -> list[tuple[Actor, Field]]:
    """What a step still waits for: what must be filled, and every sealed field, whose silence would tell."""
    lacking = missing(ctx, step)
    for asked in step.fields:
        if asked.secrecy == "sealed" and asked.applies(ctx) and asked.has_usual():
            lacking += [(actor, asked) for actor in ctx.all(asked.role) if asked.id not in actor.filled]
    return lacking


def _emptied(op: OpenMove, step_id: str) -> OpenMove:
    """The move back at an earlier step, whose fields are empty again."""
    step = next(step for step in op.move.steps if step.id == step_id)
    names = {asked.id for asked in step.fields} if isinstance(step, Ask) else set()
    cast = tuple(replace(a, filled={k: v for k, v in a.filled.items() if k not in names}) for a in op.cast)
    return replace(op, cast=cast, windows={}, revealed=op.revealed - names)

