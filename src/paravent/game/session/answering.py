"""What people do about a move under way: join, fill in, throw, answer, close, take back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from paravent.dice import Answered, ByHand, Choice, Thrown, Wanted, plain
from paravent.dice.play import as_many, read_face
from paravent.game.errors import AlreadyThrown, BlindThrow, NotNow, NotYours, UnknownName, Withheld
from paravent.game.eyes import carried, is_poll, takes_most
from paravent.game.move import GRADES, AnyResolve, Ask, Context, Resolve, Window
from paravent.game.open_move import AGREE, CLOSED, REFUSE, OpenMove, back_before
from paravent.game.records import OWN
from paravent.game.view import context_seen, knows_actor

from .playing import Playing
from .seats import whole


class Answering(Playing):
    """Moves under way, brought forward by those they wait for."""

    @whole
    def join(self, seat: str, number: int, role: str, *names: str) -> None:
        """Bring more actors into a move before its dice are thrown: a helper, a target."""
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

    @whole
    def fill(self, seat: str, number: int, values: Mapping[str, Any], actor: str = "") -> None:
        """Fill fields in; ``None`` empties one. Going back is free until the dice that read a field are thrown."""
        self._go_on(self._filled(self._open(number, seat), seat, values, actor))

    def supposing(self, seat: str, number: int, values: Mapping[str, Any], actor: str = "") -> OpenMove:
        """The move as it would stand with these fields filled in, for its odds: no rule runs, and no seal opens."""
        op = self._open(number, seat)
        return replace(self._filled(op, seat, values, actor), revealed=op.revealed)

    @whole
    def seal(self, seat: str, number: int, values: Mapping[str, Any], actor: str = "") -> None:
        """Fill sealed fields in: nobody else reads them until all are in."""
        op = self._open(number, seat)
        for name in values:
            if op.move.field(name).secrecy != "sealed":
                raise NotNow(move=op.move.id, needs=name)
        self._go_on(self._filled(op, seat, values, actor))

    @whole
    def set_grade(self, seat: str, number: int, grade: str) -> None:
        """The game master says, before the dice, how much of the throws is shown: never more than their rules say."""
        op = self._open(number, seat)
        if op.thrown:
            raise AlreadyThrown(field=op.move.id)
        self._put(self._graded(op, seat, grade))

    @whole
    def throw(self, seat: str, number: int, *, by_hand: bool = False) -> None:
        """Throw the dice of the rule the move has come to; with ``by_hand`` the faces are asked, throw by throw."""
        op = self._open(number, seat)
        self._is_for(seat, op, op.move.by, "throw")
        step = op.step(self.system)
        if not isinstance(step, Resolve) or op.pending is not None:
            raise NotNow(move=op.move.id, needs=op.needs(self.system))
        if by_hand and self.known_blind(seat, op, step):
            raise BlindThrow(move=op.move.id)
        self._run(replace(op, by_hand=by_hand and not self._is_blind(op, step, op.context(self.system))), step, ())

    def known_blind(self, seat: str, op: OpenMove, step: AnyResolve) -> bool:
        """Whether a seat may know that whoever acts will not see the dice: then they are not typed in."""
        if not self._seats_named(op, op.move.by) <= self.seats_of(op, GRADES[op.grade].dice):
            return True
        try:
            return self._is_blind(op, step, context_seen(self, seat, op))
        except Withheld:
            return False

    def _is_blind(self, op: OpenMove, step: AnyResolve, ctx: Context) -> bool:
        """Whether whoever acts may not see the dice: then they are always the server's."""
        dice = op.shown(self.system, step, ctx).dice
        acting = self._seats_named(op, op.move.by)
        return step.blind or not (OWN in dice or acting <= self.seats_of(op, dice))

    @whole
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
        """Faces of real dice, typed in."""
        self._is_for(seat, op, wanted.role, "throw")
        typed = as_many(tuple(faces), wanted.n, wanted.sides)
        thrown = tuple(read_face(face, wanted.sides) for face in typed)
        self._resume(op, Thrown(wanted.role, wanted.rule, wanted.sides, thrown, True))

    def _choose(self, op: OpenMove, choice: Choice, seat: str, answer: Any) -> None:
        """A choice inside a rule; where all the others are asked, those who object may carry it."""
        who = op.asks(choice.who)
        asked = self._seats_named(op, who)
        if seat not in asked:
            raise NotYours(seat=seat, what=choice.key)
        if not is_poll(who):
            self._continue(op, choice, answer)
            return
        polls = {**op.polls, seat: answer}
        against = {other for other, said in polls.items() if plain(said) != plain(choice.usual)}
        match carried(asked, against, set(polls), takes_most(who)):
            case None:
                self._put(replace(op, polls=polls))
            case True:
                self._continue(op, choice, answer)
            case _:
                self._continue(op, choice, choice.usual)

    def _continue(self, op: OpenMove, choice: Choice, answer: Any) -> None:
        dice = tuple(answer.dice) if isinstance(answer, ByHand) else ()
        if isinstance(answer, Mapping) and "dice" in answer:
            dice = tuple(answer["dice"])
        self._resume(op, Answered(choice.who, choice.key, None if dice else plain(answer), dice))

    def _resume(self, op: OpenMove, entry: Answered | Thrown) -> None:
        """Run the rule that waits again, with the answer at the end of its record."""
        step = op.step(self.system)
        assert isinstance(step, Resolve)
        self._run(op, step, (*op.records[step.id], entry))

    def _window(self, op: OpenMove, seat: str, answer: str) -> None:
        """A word on what was announced: all agree, or one who refuses sends it back or ends it."""
        step = op.step(self.system)
        if not isinstance(step, Window):
            raise NotNow(move=op.move.id, needs=op.needs(self.system))
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

    @whole
    def close(self, seat: str, number: int) -> None:
        """The game master ends the waiting: what is missing takes its usual value, a window counts as agreed."""
        op = self._open(number, seat)
        self._masters_only(seat, "close")
        if isinstance(op.pending, Choice):
            self._continue(op, op.pending, op.pending.usual)
            return
        match op.step(self.system):
            case Ask() as step:
                self._go_on(self._left_as_usual(op, step))
            case Window() as step:
                agreed = {**dict.fromkeys(self._seats_named(op, op.asks(step.role)), AGREE), CLOSED: AGREE}
                self._go_on(replace(op, windows={**op.windows, step.id: agreed}))
            case _:
                raise NotNow(move=op.move.id, needs="throw")

    @whole
    def withdraw(self, seat: str, number: int) -> None:
        """Take the move back, free of cost, as long as no dice have been thrown."""
        op = self._open(number, seat)
        self._is_for(seat, op, op.move.by, "withdraw")
        if op.thrown:
            raise AlreadyThrown(field=op.move.id)
        self._put(replace(op, phase="withdrawn"))
