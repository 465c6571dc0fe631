"""Acts that end: closed by a deadline, withdrawn, cancelled; their changes accepted and made; or begun again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from msgspec.structs import replace as rewritten

from paravent.dice.errors import ParaventError
from paravent.game import Change, NotNow, System, UnknownName, from_plain, to_plain
from paravent.game.errors import BadValue, Stale
from paravent.game.eyes import is_poll
from paravent.game.plain import Plain
from paravent.game.records import ALL, GM, look, type_at

from . import acting
from . import commands as c
from . import events as e
from .act import Act, Deadline, progress
from .deciding import Fresh, changes_told, encounter_number, events_of, everyone_or, folded, gm_only, seat_number
from .knowing import may_know
from .open_move import OpenMove
from .playing import check_cast, turn_at
from .records import unnamed
from .rereading import reread
from .sheets import record_read
from .state import State, changed, evolve, timer_of, timer_plain
from .turn import Turn, encounter_read, stage_of

TARGETS = ("encounter", "clock")
"""What a change may aim at besides a record: no record may bear these names."""

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
    return cancelled(state, seat_number(state, command.seat, command.number))


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
    op = turn.at(number)
    for at, change in enumerate(op.changes):
        if at in amend and change.target == "clock" and change.path.startswith("timers."):
            # A timer is refused or kept as it is; who wants another sets the value when the time comes.
            raise BadValue(field="amend", got=at, expected="number")
    turn.masters_only("accept")
    if op.phase != "settled":
        raise NotNow(move=op.move.id, needs=op.needs(system))
    for at in (*amend, *command.refuse):
        if at not in range(len(op.changes)):
            raise UnknownName("change", str(at), map(str, range(len(op.changes))))
    accepted = _accepted(turn, op, amend, command.refuse)
    final, made = _named_afresh(turn, op, accepted)
    turn.put(replace(op, phase="closed", changes=final))
    told = turn.tell(number, e.MoveEnded(number=number, phase="closed"))
    return [*told, *made_known(turn.state, system, _called(turn.state, system, made), number)]


def _accepted(turn: Turn, op: OpenMove, amend: Mapping[int, Any], refuse: Iterable[int]) -> list[Change]:
    """The changes to make: as proposed, as the game master amends them, less those refused.

    A value that something else changed in the meantime is never overwritten: its change is amended or refused. An
    encounter that merges is one whose changes are worked out again from how it stands now.
    """
    final: list[Change] = []
    state = turn.state
    for at, change in enumerate(_caught_up(turn, op)):
        if at in refuse or change is None:
            continue
        if at in amend:
            typed = _typed(turn, op, change, value_now(state, change.target, change.path, op.encounter))
            change = replace(change, before=typed, after=_amended(turn, op, change, amend[at]))
        _still_stands(state, change, op.encounter)
        made = _made(turn, op, change)
        state = changed(state, made, op.encounter)
        final.append(change)
    return final


def _caught_up(turn: Turn, op: OpenMove) -> Sequence[Change | None]:
    """The changes as proposed; those of an encounter that merges as its state now has them, None where gone."""
    running = turn.encounter(op.encounter)
    if running is None or not running.encounter.merges or running.state == op.state_read:
        return op.changes
    ctx = replace(op.context(turn.system), encounter=running.state)
    anew = {change.path: change for step in op.move.resolves if step.id in op.results
            for change in step.changes(ctx, op.results[step.id]) if change.target == "encounter"}
    kept = [anew.pop(change.path, None) if change.target == "encounter" else change for change in op.changes]
    return [*kept, *anew.values()]


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


def _still_stands(state: State, change: Change, encounter: int | None) -> None:
    """Refuse a change if something else changed the value in the meantime."""
    now, before = value_now(state, change.target, change.path, encounter), to_plain(change.before)
    if change.path.startswith("timers.") and change.target == "clock" and before is not None:
        before = timer_plain(timer_of(before, state.minutes))
    if now != before:
        raise Stale(target=change.target, path=change.path, before=before, now=now)


def value_now(state: State, target: str, path: str, encounter: int | None) -> Plain:
    """What stands now where a change is made."""
    if target == "clock":
        if path.startswith("timers."):
            timer = state.timers.get(path.partition(".")[2])
            return None if timer is None else timer_plain(timer)
        clock: Plain = getattr(state, path or "day")
        return clock
    if target == "encounter":
        running = state.encounters[encounter or 0].state
        return look(running, path) if path and isinstance(running, dict) else running
    held = state.records.get(target)
    if not path:
        return held.sheet if held else None
    if held is None:
        raise UnknownName("record", target, state.records)
    try:
        value: Plain = look(held.sheet, path)
    except (AttributeError, LookupError):  # the game has upgraded the record since
        raise UnknownName("field", path, held.sheet) from None
    return value


def _made(turn: Turn, op: OpenMove, change: Change) -> e.Made:
    """A change with all that is needed to make it again without the game."""
    made = e.Made(change.target, change.path, to_plain(change.before), to_plain(change.after), change.rule)
    if change.target in TARGETS or change.path or change.after is None:
        return made
    held = turn.state.records.get(change.target)
    if held is not None:
        return rewritten(made, kind=held.kind or change.kind, owner=held.owner, seen_by=tuple(sorted(held.seen_by)),
                         version=held.version)
    declared = turn.system.kind(change.kind or "character")
    if change.target in (GM, ALL, *TARGETS) or not change.target or is_poll(change.target):
        raise BadValue(field="record", got=change.target, expected="name")
    declared.validated(change.after, turn.rulings)
    owners = [seat for seat in turn.seats_of(op, op.move.by) if not turn.is_gm(seat)]
    return rewritten(made, kind=change.kind or "character", owner=owners[0] if len(owners) == 1 else "",
                     seen_by=tuple(sorted(declared.audience)), version=declared.version)


def _named_afresh(turn: Turn, op: OpenMove, changes: Sequence[Change]) -> tuple[tuple[Change, ...], list[e.Made]]:
    """The changes as they are kept and as they are made: records and timers get names that tell nothing."""
    brought = sorted({change.target for change in changes
                      if change.target not in TARGETS and not change.path and change.after is not None
                      and change.target not in turn.state.records})
    names = {name: turn.fresh.name(name) for name in brought}
    final, made = [], []
    for change in changes:
        row = _made(turn, op, change)
        if change.target == "clock" and change.path.startswith("timers.") and isinstance(row.after, dict) and (
            change.before is None
        ):
            timer = {name: value for name, value in row.after.items() if name != "in"}
            wait = row.after.get("in", 0)
            timer["due"] = turn.state.minutes + (int(wait) if isinstance(wait, (int, str)) else 0)
            change = replace(change, path=f"timers.{turn.fresh.name()}", after=timer)
            row = rewritten(row, path=change.path, after=timer)
        target = names.get(change.target, change.target)
        final.append(replace(change, target=target))
        made.append(rewritten(row, target=target))
    return tuple(final), made


def _called(state: State, system: System, changes: Iterable[e.Made]) -> list[e.Made]:
    """The same changes; a record that they bring without a name is called what it is."""
    told = []
    for change in changes:
        brings = change.kind and change.before is None and isinstance(change.after, dict)
        if brings and isinstance(change.after, dict) and not change.after.get("name"):
            change = rewritten(change, name=unnamed(changed(state, change, None), system, change.target))
        state = changed(state, change, None)
        told.append(change)
    return told


def made_known(
    state: State, system: System, changes: Sequence[e.Made], number: int, back: bool = False
) -> list[e.AnyEvent]:
    """The changes of an act, told to those who see a difference; and the end of an encounter, if it comes to that."""
    if not changes:
        return []
    encounter = state.move(number).encounter
    event = e.Changed(changes=tuple(changes), move=number, encounter=encounter, back=back)
    told: list[e.AnyEvent] = [changes_told(state, event, system)]
    if not any(change.target == "encounter" for change in changes):
        return told
    after = evolve(state, told[0])
    running = encounter_read(after, system, encounter or 0)
    if running is None:
        return told
    over, was = running.encounter.over(running.state), after.encounters[encounter or 0].over
    if over != was:
        told += [rewritten(event, back=was) for event in encounter_ended(after, encounter or 0)]
    return told


# Beginning again


@events_of.register
def _(command: c.Restart, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    number = seat_number(state, command.seat, command.number)
    act = state.move(number)
    told: list[e.AnyEvent] = [] if act.is_over else cancelled(state, number)
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


def encounter_ended(state: State, number: int) -> list[e.AnyEvent]:
    """An encounter is over, for those who may know of it."""
    eyes, running = state.eyes, state.encounters[number]
    audience = everyone_or(eyes, (seat for seat in eyes.seats if eyes.may_see(seat, "", running.seen_by)))
    return [e.EncounterEnded(number=number, audience=audience)]

