"""Acts that end: closed by a deadline, withdrawn, cancelled; their changes accepted and made; or begun again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from msgspec.structs import replace as rewritten

from paravent.dice.errors import ParaventError
from paravent.game import Change, NotNow, System, UnknownName, from_plain
from paravent.game.errors import BadValue
from paravent.game.plain import Plain
from paravent.game.records import GM, type_at

from . import acting
from . import commands as c
from . import events as e
from .act import Act, Deadline, progress
from .deciding import Fresh, encounter_number, events_of, everyone_or, folded, gm_only, seat_number
from .errors import AlreadyApplied
from .evolve import changed
from .knowing import may_know
from .making import called, caught_up, encounter_ended, made_known, made_of, named_afresh, still_stands, value_now
from .open_move import OpenMove
from .playing import check_cast, turn_at
from .rereading import reread
from .sheets import record_read
from .state import State
from .turn import Turn, stage_of

# Waiting no longer


@events_of.register
def _(command: c.SetDeadline, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    number = seat_number(state, command.seat, command.number)
    act = state.move(number)
    if command.policy not in ("wait", "default", "cancel"):
        raise UnknownName("value", command.policy, ("wait", "default", "cancel"))
    if not 0 <= command.seconds <= 30 * 24 * 3600:
        raise BadValue(field="seconds", got=command.seconds, expected="number")
    if act.phase != "open":
        raise NotNow(move=act.move, needs=act.phase)
    until = ""
    if command.seconds and command.policy != "wait" and fresh.now:
        ends = datetime.fromisoformat(fresh.now) + timedelta(seconds=command.seconds)
        until = ends.isoformat(timespec="milliseconds")
    stage = stage_of(reread(state, system, number), system)
    after = rewritten(act, deadline=Deadline(command.policy, until, command.seat, stage, until))
    return [e.DeadlineSet(
        number=number, then=progress(act, after), policy=command.policy, until=until,
        audience=_knowing(state, act),
    )]


def _knowing(state: State, act: Act) -> tuple[str, ...]:
    """Those who may know of an act."""
    eyes = state.eyes
    return everyone_or(eyes, (seat for seat in eyes.seats if may_know(eyes, seat, act)))


@events_of.register
def _(command: c.CloseStep, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    number = seat_number(state, command.seat, command.number)
    deadline = state.move(number).deadline
    if deadline is not None and deadline.policy == "cancel":
        return cancelled(state, number)
    turn = turn_at(state, system, fresh, command.seat, number)
    acting.close(turn, number)
    return turn.tell(number, e.AnswerGiven(number=number))


# Ending


@events_of.register
def _(command: c.Withdraw, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    number = seat_number(state, command.seat, command.number)
    turn = turn_at(state, system, fresh, command.seat, number)
    acting.withdraw(turn, number)
    return turn.tell(number, e.MoveEnded(number=number, phase="withdrawn"))


@events_of.register
def _(command: c.Cancel, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    number = seat_number(state, command.seat, command.number)
    if state.move(number).weighed and not state.move(number).is_over:  # to some, it is already over
        turn = Turn(state, system, fresh, command.seat)
        op = turn.at(number)
        return _accepted(turn, op, {}, range(len(op.changes)))
    return cancelled(state, number)


def cancelled(state: State, number: int) -> list[e.AnyEvent]:
    """An act ends and nothing is applied; what was sealed stays unread."""
    act = state.move(number)
    if act.is_over:
        raise NotNow(move=act.move, needs=act.phase)
    after = rewritten(act, phase="cancelled", pending=None, awaited=())
    return [e.MoveEnded(
        number=number, then=progress(act, after), phase="cancelled", audience=_knowing(state, after),
    )]


# Changes accepted


@events_of.register
def _(command: c.Accept, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    number = seat_number(state, command.seat, command.number)
    try:
        amend = {int(at): value for at, value in command.amend.items()}
    except ValueError:
        raise BadValue(field="amend", got=", ".join(command.amend), expected="number") from None
    turn = Turn(state, system, fresh, command.seat)
    turn.masters_only("accept")
    op = turn.at(number)
    for at, change in enumerate(op.changes):
        if at in amend and change.target == "clock" and change.path.startswith("timers."):
            # A timer is refused or kept as it is; who wants another sets the value when the time comes.
            raise BadValue(field="amend", got=at, expected="number")
    if op.phase == "closed" and op.weighed:
        raise AlreadyApplied(move=op.move.id)
    if op.phase != "settled":
        raise NotNow(move=op.move.id, needs=op.needs(system))
    waiting = [at for at in range(len(op.changes)) if at not in op.made]
    for at in (*amend, *command.refuse):
        if at not in waiting:
            raise UnknownName("change", str(at), map(str, waiting))
    return _accepted(turn, op, amend, command.refuse)


def _accepted(turn: Turn, op: OpenMove, amend: Mapping[int, Any], refuse: Iterable[int]) -> list[e.AnyEvent]:
    """The changes that wait are made, as proposed or amended, less those refused; those already made stay."""
    accepted = _to_make(turn, op, amend, refuse)
    named = named_afresh(turn, op, list(accepted.values()))
    kept = dict(zip(accepted, named.kept, strict=True))
    whole = {at: kept.get(at, change) for at, change in {**dict(enumerate(op.changes)), **kept}.items()
             if at in kept or at in op.made}
    turn.put(replace(op, phase="closed", changes=tuple(whole.values()), made=frozenset()))
    told = turn.tell(op.id, e.MoveEnded(number=op.id, phase="closed"))
    return [*told, *made_known(turn.state, turn.system, called(turn.state, turn.system, named.made), op.id)]


def _to_make(turn: Turn, op: OpenMove, amend: Mapping[int, Any], refuse: Iterable[int]) -> dict[int, Change]:
    """The changes to make, by their places.

    A value that something else changed in the meantime is never overwritten: its change is amended or refused. An
    encounter that merges is one whose changes are worked out again from how it stands now.
    """
    final: dict[int, Change] = {}
    state = turn.state
    for at, change in enumerate(caught_up(turn, op)):
        if at in refuse or at in op.made or change is None:
            continue
        if at in amend:
            typed = _typed(turn, op, change, value_now(state, change.target, change.path, op.encounter))
            change = replace(change, before=typed, after=_amended(turn, op, change, amend[at]))
        still_stands(state, change, op.encounter)
        made = made_of(turn, op, change)
        state = changed(state, made, op.encounter)
        final[at] = change
    return final


def _type_of(turn: Turn, op: OpenMove, change: Change) -> Any:
    """The type that a record or a state declares for the value that a change is about."""
    if change.target == "encounter":
        running = turn.encounter(op.encounter)
        assert running is not None
        return type_at(running.encounter.state, change.path)
    held = turn.state.records.get(change.target)
    return type_at(turn.system.kind(held.kind if held else change.kind).cls, change.path)


def _typed(turn: Turn, op: OpenMove, change: Change, value: Plain) -> Any:
    if change.target == "clock" or value is None:
        return value
    return from_plain(_type_of(turn, op, change), value, change.path)


def _amended(turn: Turn, op: OpenMove, change: Change, value: Any) -> Any:
    """A value written by the game master, as the record or the state it goes to declares it."""
    if change.target == "clock":
        return value if change.path.startswith("timers.") else from_plain(type(change.before), value, "clock")
    return from_plain(_type_of(turn, op, change), value, change.path)


# Beginning again


@events_of.register
def _(command: c.Restart, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    number = seat_number(state, command.seat, command.number)
    act = state.move(number)
    told: list[e.AnyEvent] = [] if act.is_over else cancelled(state, number)
    if act.phase == "settled" and any(change.made for change in act.changes):
        told = events_of(c.Undo(seat=command.seat, number=command.number), state, system, fresh)
    state = folded(state, told)
    cast: dict[str, list[str]] = {}
    for part in act.cast:
        held = state.records.get(part.id)
        if part.role != GM and (held is None or record_read(held, system) is not None):
            cast.setdefault(part.role, []).append(part.id)
    check_cast(state, command.seat, cast)
    form: dict[str, dict[str, Any]] = {}
    for row in act.fields:
        if row.secrecy != "sealed":
            form.setdefault(row.actor, {})[row.field] = row.value
    turn = Turn(state, system, fresh, command.seat)
    try:
        started = acting.start(turn, command.seat, act.move, cast, form, act.encounter, act.secrecy)
    except ParaventError:  # what was filled in may no longer be read
        turn = Turn(state, system, fresh, command.seat)
        started = acting.start(turn, command.seat, act.move, cast, {}, act.encounter, act.secrecy)
    if act.starter in state.eyes.seats:
        turn.put(replace(turn.moves[started], starter=act.starter))
    return [*told, *turn.started()]


@events_of.register
def _(command: c.EndEncounter, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    number = encounter_number(state, command.seat, command.number)
    assert number is not None
    if state.encounters[number].over:
        raise NotNow(move="end-encounter", needs="over")
    return encounter_ended(state, number)
