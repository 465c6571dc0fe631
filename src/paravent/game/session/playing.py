"""A move begins, and its rules run: as far as they go, until somebody must say or throw something."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from paravent.dice import ParaventError, PlayedDice, Record, Waiting
from paravent.dice.fair import Faces, LiveFaces
from paravent.dice.play import TypedFaces
from paravent.game.errors import FormError, NotNow, RuleError, UnknownName, Withheld
from paravent.game.frozen import telling_heard
from paravent.game.move import AnyResolve, Context, Follow, Move, Opened, Resolve
from paravent.game.open_move import OpenMove
from paravent.game.records import GM, GM_ONLY
from paravent.game.view import context_seen, contexts_supposed

from .filling import Filling
from .seats import Line, Running, whole


class Playing(Filling):
    """Moves started, and rules run on their records."""

    @whole
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
        state = self._state_read(seat, declared, encounter)
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

    def _state_read(self, seat: str, move: Move, number: int | None) -> Any:
        """The state of the encounter in which a move is started; one that the seat may not know of is not there."""
        if number is None:
            if move.encounter:
                raise NotNow(move=move.id, needs=move.encounter)
            return None
        running = self.encounters.get(number)
        if running is None or not self.eyes.may_see(seat, "", running.audience):
            raise UnknownName("encounter", str(number), ())
        if move.encounter not in ("", running.encounter.id):
            raise NotNow(move=move.id, needs=move.encounter)
        if running.encounter.over(running.state):
            raise NotNow(move=move.id, needs="over")
        return running.state

    def _may_start(self, seat: str, op: OpenMove) -> bool:
        """Whether the move may be started, as far as the seat may know: what is hidden never refuses."""
        try:
            return op.move.applies(context_seen(self, seat, op))
        except Withheld:
            return True

    def _begin(self, opened: Opened | None, follows: Sequence[Follow], op: OpenMove) -> None:
        """What a result brings about: an encounter, other moves."""
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

    def _run(self, op: OpenMove, step: AnyResolve, past: Record) -> None:
        try:
            self._ran(op, step, past)
        except (RuleError, FormError) as fault:
            raise self._refusal(op, step, past, fault) from None

    def _ran(self, op: OpenMove, step: AnyResolve, past: Record) -> None:
        faces: Faces = TypedFaces() if op.by_hand else self.faces
        dice = PlayedDice(faces, None, past, by_hand=op.by_hand)
        ctx = op.context(self.system)
        try:
            result = step.call(ctx).on(dice)
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

    def _refusal(self, op: OpenMove, step: AnyResolve, past: Record, fault: ParaventError) -> ParaventError:
        """What the rules refuse, as whoever asked may hear it: where something hidden matters, no more than that."""
        seat = self._acting[0] if self._acting else ""
        if seat not in self.seats or self.is_gm(seat):
            return fault
        unseen = {(actor.role, name) for actor in context_seen(self, seat, op).actors for name in actor.withheld}
        if (fault.values.get("role"), fault.values.get("field")) in unseen:
            return Withheld(what=op.move.id)
        found = [self._fault(ctx, step, past) for ctx in contexts_supposed(self, seat, op)]
        alike = found and all(type(other) is type(fault) and other.values == fault.values for other in found)
        return fault if alike else Withheld(what=op.move.id)

    @staticmethod
    def _fault(ctx: Context, step: AnyResolve, past: Record) -> Any:
        try:
            step.call(ctx).on(PlayedDice(LiveFaces(), None, past))
        except Exception as fault:
            return fault
        return None
