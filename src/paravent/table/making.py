"""Changes made: what stands where one goes, how it is written down, who is told of it.

What an act proposes becomes part of the table here, whoever says so: the game master's word, or the weight of what is
certain (:mod:`paravent.table.weighing`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace as rewritten

from paravent.game import Change, System, UnknownName, to_plain
from paravent.game.errors import BadValue, Stale
from paravent.game.eyes import is_poll
from paravent.game.plain import Plain
from paravent.game.records import ALL, GM, GM_ONLY, look

from . import events as e
from .deciding import changes_told, everyone_or
from .evolve import changed, evolve
from .open_move import OpenMove
from .records import unnamed
from .sheets import encounter_read
from .state import Running, State, timer_of, timer_plain
from .view import without

if TYPE_CHECKING:
    from .turn import Turn

TARGETS = ("encounter", "clock")
"""What a change may aim at besides a record: no record may bear these names."""


def caught_up(turn: Turn, op: OpenMove) -> Sequence[Change | None]:
    """The changes as proposed; those of an encounter that merges as its state now has them, None where gone."""
    running = turn.encounter(op.encounter)
    if running is None or not running.encounter.merges or running.state == op.state_read:
        return op.changes
    ctx = replace(op.context(turn.system), encounter=running.state)
    anew = {change.path: change for step in op.move.resolves if step.id in op.results
            for change in step.changes(ctx, op.results[step.id]) if change.target == "encounter"}
    kept = [anew.pop(change.path, None) if change.target == "encounter" else change for change in op.changes]
    return [*kept, *anew.values()]


def still_stands(state: State, change: Change, encounter: int | None) -> None:
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


def made_of(turn: Turn, op: OpenMove, change: Change) -> e.Made:
    """A change with all that is needed to make it again without the game."""
    made = e.Made(change.target, change.path, to_plain(change.before), to_plain(change.after), change.rule,
                  weight=change.weight)
    if change.target in TARGETS or change.path or change.after is None:
        return made
    held, kind = turn.state.records.get(change.target), change.kind or "character"
    if held is not None and change.kind in ("", held.kind):
        return rewritten(made, kind=held.kind, owner=held.owner, seen_by=tuple(sorted(held.seen_by)),
                         version=held.version)
    declared = turn.system.kind(kind)
    if change.target in (GM, ALL, *TARGETS) or not change.target or is_poll(change.target):
        raise BadValue(field="record", got=change.target, expected="name")
    declared.validated(change.after, turn.rulings)
    if held is not None:  # the same somebody, of another kind from now on
        return rewritten(made, kind=kind, owner=held.owner, seen_by=tuple(sorted(held.seen_by)),
                         version=declared.version)
    owners = [seat for seat in turn.seats_of(op, op.move.by) if not turn.is_gm(seat)]
    known = GM_ONLY if change.audience == GM_ONLY else declared.audience
    return rewritten(made, kind=kind, owner=owners[0] if len(owners) == 1 else "",
                     seen_by=tuple(sorted(known)), version=declared.version)


class Named(NamedTuple):
    """Changes as they are kept and as they are made, and the new names of the records that they bring."""

    kept: tuple[Change, ...]
    made: list[e.Made]
    names: Mapping[str, str]


def named_afresh(turn: Turn, op: OpenMove, changes: Sequence[Change]) -> Named:
    """The changes to make: records and timers get names that tell nothing."""
    brought = sorted({change.target for change in changes
                      if change.target not in TARGETS and not change.path and change.after is not None
                      and change.target not in turn.state.records})
    names = {name: turn.fresh.name(name) for name in brought}
    final, made = [], []
    for change in changes:
        row = made_of(turn, op, change)
        if change.target == "clock" and change.path.startswith("timers.") and isinstance(row.after, dict) and (
            change.before is None
        ):
            timer = {name: value for name, value in row.after.items() if name != "in"}
            wait = row.after.get("in", 0)
            timer["due"] = turn.state.minutes + (int(wait) if isinstance(wait, (int, str)) else 0)
            change = replace(change, path=f"timers.{turn.fresh.name()}", after=timer)
            row = rewritten(row, path=change.path, after=timer)
        final.append(renamed(change, names))
        made.append(rewritten(row, target=final[-1].target))
    return Named(tuple(final), made, names)


def renamed(change: Change, names: Mapping[str, str]) -> Change:
    """The change, of a record that goes by another name by now."""
    return replace(change, target=names.get(change.target, change.target))


def called(state: State, system: System, changes: Iterable[e.Made]) -> list[e.Made]:
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
    state: State, system: System, changes: Sequence[e.Made], move: int, back: bool = False
) -> list[e.AnyEvent]:
    """The changes of an act, told to those who see a difference; and the end of an encounter, if it comes to that."""
    if not changes:
        return []
    encounter = state.move(move).encounter
    event = e.Changed(changes=tuple(changes), move=move, encounter=encounter, back=back)
    told: list[e.AnyEvent] = [changes_told(state, event, system)]
    if not any(change.target == "encounter" for change in changes):
        return told
    after = evolve(state, told[0])
    number = encounter or 0
    running, was = encounter_read(after, system, number), after.encounters[number].over
    if running is None:
        return told
    over = running.encounter.over(running.state) or (
        _is_known_over(after, system, number) and (was or not _is_known_over(state, system, number)))
    if over != was:
        told += [rewritten(event, back=was) for event in encounter_ended(after, number)]
    return told


def _is_known_over(state: State, system: System, number: int) -> bool:
    """Whether an encounter would be over if those in it of whom not everybody knows were not there: that it goes on
    would tell of them. One that began so goes on, as those around it know it."""
    running = state.encounters[number]
    stands = without(running.state, not_known_to_all(state, running))
    known = replace(state, encounters={number: rewritten(running, state=stands)})
    begun = encounter_read(known, system, number)
    return begun is not None and bool(begun.encounter.over(begun.state))


def not_known_to_all(state: State, running: Running) -> frozenset[str]:
    """The records of which somebody around an encounter does not know."""
    eyes = state.eyes
    return frozenset().union(*(state.unseen(seat) for seat in eyes.seats.keys() - eyes.masters
                               if eyes.may_see(seat, "", running.seen_by)))


def encounter_ended(state: State, number: int) -> list[e.AnyEvent]:
    """An encounter is over, for those who may know of it."""
    eyes, running = state.eyes, state.encounters[number]
    audience = everyone_or(eyes, (seat for seat in eyes.seats if eyes.may_see(seat, "", running.seen_by)))
    return [e.EncounterEnded(number=number, audience=audience)]
