"""Who takes part in a move, and what is written in its form: a move in, the move a little further out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from paravent.game.errors import AlreadyThrown, NotNow, NotYours, UnknownName
from paravent.game.move import (
    GRADES,
    Actor,
    AnyField,
    AnyResolve,
    Ask,
    Move,
    Resolve,
    Step,
    filled_in,
    replace_focus,
    unfilled,
)
from paravent.game.open_move import OpenMove, back_before, unsealed, without
from paravent.game.records import GM
from paravent.game.view import context_seen

from .standing import Standing


def throws(steps: Iterable[Step]) -> Iterator[AnyResolve]:
    """Those of the steps at which dice are thrown: rules that run by themselves are not."""
    return (step for step in steps if isinstance(step, Resolve) and not step.auto)


class Filling(Standing):
    """Casts and forms, read for a seat; nothing is kept here."""

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

    def _actor(self, seat: str, name: str, role: str) -> Actor:
        """A record (or a seat without one) as a member of a role; what the seat may not see, it cannot name."""
        held = self.records.get(name)
        if held is None and name in self.seats:
            return Actor(name, role)
        if held is None or not self.may_see(seat, name):
            raise UnknownName("record", name, (other for other in self.records if self.may_see(seat, other)))
        return Actor(name, role, held.record, kind=held.kind, audience=held.audience)

    def _filled(self, op: OpenMove, seat: str, values: Mapping[str, Any], actor_id: str) -> OpenMove:
        """The move with these fields filled in by a seat, back at the step that asks for them."""
        for name, value in values.items():
            actor, asked = self._actor_for(op, seat, name, actor_id)
            at = next(i for i, step in enumerate(op.move.steps) if isinstance(step, Ask) and asked in step.fields)
            self._still_asked(op, name, at)
            # Limits and refusals come from what the seat may see, never from what it may not.
            ctx = context_seen(self, seat, op)
            seen = next(other for other in ctx.actors if (other.id, other.role) == (actor.id, actor.role))
            read = filled_in(ctx, seen, {name: value}).filled
            filled = {**without(actor.filled, {name}), **({name: read[name]} if name in read else {})}
            cast = tuple(replace(actor, filled=filled) if other is actor else other for other in op.cast)
            op = back_before(replace(op, cast=cast), at)
        return unsealed(op, self.system)

    def _still_asked(self, op: OpenMove, name: str, at: int) -> None:
        """Refuse a field once it is unsealed or dice have read it; and ahead of dice, what only comes after them.

        Ahead of a rule that runs by itself one may say what comes after it.
        """
        if name in op.revealed or any(step.id in op.records for step in throws(op.move.steps[at:])):
            raise AlreadyThrown(field=name)
        if any(throws(op.move.steps[op.current(self.system) : at])):
            raise NotNow(move=op.move.id, needs=name)

    def _left_as_usual(self, op: OpenMove, step: Ask) -> OpenMove:
        """The move with what a step still asks left as it usually is, each field after those before it."""
        ctx = op.context(self.system)
        for actor, asked in unfilled(ctx, step):
            if not asked.has_usual():
                raise NotNow(move=op.move.id, needs=asked.id)
            usual = asked.usual_value(replace_focus(ctx, actor))
            ctx = replace(ctx, actors=tuple(
                replace(a, filled={**a.filled, asked.id: usual}) if (a.id, a.role) == (actor.id, actor.role) else a
                for a in ctx.actors
            ))
        return unsealed(replace(op, cast=ctx.actors), self.system)

    def _actor_for(self, op: OpenMove, seat: str, name: str, actor_id: str) -> tuple[Actor, AnyField]:
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

    def _graded(self, op: OpenMove, seat: str, grade: str) -> OpenMove:
        self._masters_only(seat, "grade")
        if grade not in GRADES:
            raise UnknownName("value", grade, GRADES)
        return replace(op, grade=grade)
