"""An act as things now stand: on the sheets of those in it as they are by now, with what was said and still goes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from paravent.dice import RecordedDice
from paravent.dice.errors import ParaventError
from paravent.game import AnyField, AnyResolve, Resolve
from paravent.game.errors import STUMBLES, Withheld
from paravent.game.move import Actor, Ask, Context, filled_in
from paravent.game.plain import Value
from paravent.game.records import fields_of, to_plain

from .open_move import OpenMove, back_before, said_of, unsealed
from .rereading import refilled

if TYPE_CHECKING:
    from .turn import Turn

Said = tuple[str, str, str]
"""A role, who is in it, and the field that was filled in for them."""


def brought_up(turn: Turn, op: OpenMove, seats: Collection[str] = ()) -> OpenMove:
    """The act on the sheets as they now are, as far as all of these seats see them; the same where nothing is new.

    Nothing is, once its dice have begun to fall or a rule waits for an answer.
    """
    if op.phase != "open" or op.thrown or op.pending is not None:
        return op
    now = on_what_there_is(turn, op, seats)
    if (now.cast, now.state_read) == (op.cast, op.state_read):
        return op
    now = refilled(now, turn.system)
    return _asked_again(turn, now, _left_out(op, now))


def with_what_goes(turn: Turn, op: OpenMove) -> OpenMove:
    """The act without what no longer goes with all that was said since: that is asked again of whoever had said it.

    Where it goes by something that they may not read, it stays: to be asked again would tell.
    """
    if op.phase != "open" or op.thrown or op.pending is not None:
        return op
    left_out = {gone for gone in _left_out(op, refilled(op, turn.system)) if _is_seen_to_be_gone(turn, op, *gone)}
    if not left_out:
        return op
    return _asked_again(turn, replace(op, cast=tuple(replace(actor, filled={
        name: value for name, value in actor.filled.items() if (actor.role, actor.id, name) not in left_out
    }) for actor in op.cast)), left_out)


def _left_out(before: OpenMove, now: OpenMove) -> set[Said]:
    """What was said before, and is not said now."""
    return {(actor.role, actor.id, name) for actor, kept in zip(before.cast, now.cast, strict=True)
            for name in actor.filled.keys() - kept.filled.keys()}


def _is_seen_to_be_gone(turn: Turn, op: OpenMove, role: str, who: str, name: str) -> bool:
    """Whether those who say something can all tell, of what they see, that it no longer goes."""
    asked = op.move.field(name, role)
    said = next(actor for actor in op.cast if (actor.role, actor.id) == (role, who))
    return all(_refuses(replace(turn.sight, seat=seat).context(op), said, asked)
               for seat in turn.eyes.controllers(op.asked_of(said, asked)))


def _refuses(ctx: Context, said: Actor, asked: AnyField) -> bool:
    """Whether what somebody said does not go with the rest, as far as that can be read."""
    try:
        for actor in ctx.actors:
            if (actor.role, actor.id) == (said.role, said.id):
                filled_in(ctx, actor, {asked.id: to_plain(said.filled[asked.id])})
    except ParaventError as error:
        return not isinstance(error, Withheld)
    return False


def _asked_again(turn: Turn, now: OpenMove, left_out: Collection[Said]) -> OpenMove:
    """The act back where what was left out of it is asked."""
    now = replace(now, anew=now.anew | {said_of(name, who) for _, who, name in left_out},
                  revealed=now.revealed - {name for _, _, name in left_out})
    asked = {(role, name) for role, _, name in left_out}
    ends = [at for at, step in enumerate(now.move.steps) if isinstance(step, Ask) and any(
        (one.role, one.id) in asked for one in step.fields)]
    ends += [at for at, step in enumerate(now.move.steps) if step.id in now.records
             and isinstance(step, Resolve) and not _gives_the_same(turn, now, step)]
    now = _with_changes(turn, back_before(now, min(ends)) if ends else now)
    return unsealed(now, turn.system)


def as_dice_fall(turn: Turn, op: OpenMove) -> OpenMove:
    """The act on all that its sheets now say, where all that was said still goes and it comes to the same dice."""
    try:
        now = brought_up(turn, op)
        same = now.step(turn.system) is op.step(turn.system)
    except (ParaventError, *STUMBLES):  # what the rules have against it is nothing that others may hear of
        return op
    said = all(actor.filled == kept.filled for actor, kept in zip(op.cast, now.cast, strict=True))
    return now if same and said else op


def _gives_the_same(turn: Turn, op: OpenMove, step: AnyResolve) -> bool:
    """Whether a rule that has run by itself comes to the same result now."""
    try:
        result: Value = step.call(op.context(turn.system)).on(RecordedDice(op.records[step.id]))
    except (ParaventError, *STUMBLES):
        return False
    return bool(result == op.results.get(step.id))


def _with_changes(turn: Turn, op: OpenMove) -> OpenMove:
    """What its rules that ran by themselves ask to change, worked out from the sheets as they now are."""
    for step in op.move.resolves:
        if step.id in op.results:
            asked = tuple(step.changes(op.context(turn.system), op.results[step.id]))
            op = replace(op, proposed={**op.proposed, step.id: asked})
    return op


def on_what_there_is(turn: Turn, op: OpenMove, seats: Collection[str] = ()) -> OpenMove:
    """The act with the sheets of those in it as they now are, and the encounter that it is played in."""
    running = None if op.state_read is None else turn.encounter(op.encounter)
    state = op.state_read if running is None else running.state
    if running is not None and seats:
        state = op.state_read if any(map(turn.state.unseen, seats)) else _but(
            state, op.state_read, running.encounter.hidden)
    return replace(op, cast=tuple(_as_they_are(turn, actor, seats) for actor in op.cast), state_read=state)


def _as_they_are(turn: Turn, actor: Actor, seats: Collection[str]) -> Actor:
    """Somebody with their sheet as it now is; what one of these seats does not see of it stays as it was."""
    held, eyes = turn.state.records.get(actor.id), turn.state.eyes
    record = turn.record(actor.id)
    if held is None or record is None or held.kind != actor.kind or actor.record is None:
        return actor
    if not all(eyes.may_see(seat, actor.id, {"owner", *seen_by}) for seat in seats
               for seen_by in (held.seen_by, actor.audience)):
        return actor
    unseen = {name for name, seen_by in turn.system.kind(held.kind).hidden.items()
              if not all(eyes.may_see(seat, actor.id, seen_by) for seat in seats)}
    return replace(actor, record=_but(record, actor.record, unseen))


def _but(now: Any, before: Any, unseen: Collection[str]) -> Any:
    """A value as it now is, but for some of its fields."""
    kept = {name: getattr(before, name) for name in unseen if name in fields_of(type(now))}
    return replace(now, **kept) if kept else now
