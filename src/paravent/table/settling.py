"""Moves that end: closed by a deadline, withdrawn, cancelled; their changes applied or taken back; or begun again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from paravent.dice import plain
from paravent.dice.errors import ParaventError
from paravent.game import Change, NotNow, NotYours, System, UnknownName
from paravent.game.errors import BadValue, Stale
from paravent.game.records import look
from paravent.game.session import Session
from paravent.game.view import may_know

from . import commands as c
from . import events as e
from .deciding import Fresh, changes_told, encounter_number, events_of, everyone_or, folded, gm_only, seat_number
from .playing import acted, check_cast
from .records import unnamed
from .stage import Played, laid_out, stage_of, thawed, told_of_move
from .state import OVER, State, changed, evolve

# Waiting no longer


@events_of.register
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
    stage = stage_of(thawed(state, system, number), system)
    patch = {"deadline": {"policy": command.policy, "until": until, "by": command.seat, "stage": stage, "said": until}}
    eyes = state.eyes
    audience = everyone_or(eyes, (seat for seat in eyes.seats if may_know(eyes, seat, kept)))
    return [e.DeadlineSet(number=number, patch=patch, policy=command.policy, until=until, audience=audience)]


@events_of.register
def _(command: c.CloseStep, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    gm_only(state, command)
    number = seat_number(state, command.seat, command.number)
    if (state.move(number).get("deadline") or {}).get("policy") == "cancel":
        return cancelled(state, number)
    return acted(state, system, fresh, number, e.Answered,
                 lambda session: session.close(command.seat, number), seat=command.seat)


# Ending


@events_of.register
def _(command: c.Withdraw, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    number = seat_number(state, command.seat, command.number)
    return acted(state, system, fresh, number, e.MoveEnded,
                 lambda session: session.withdraw(command.seat, number), phase="withdrawn")


@events_of.register
def _(command: c.Cancel, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    gm_only(state, command)
    return cancelled(state, seat_number(state, command.seat, command.number))


def cancelled(state: State, number: int) -> list[e.Event]:
    """A move ends and nothing is applied; what was sealed stays unread."""
    kept = state.move(number)
    if kept["phase"] in OVER:
        raise NotNow(move=kept["move"], needs=kept["phase"])
    patch: dict[str, Any] = {"phase": "cancelled", "pending": None, "awaited": []}
    eyes, after = state.eyes, {**kept, **patch}
    audience = everyone_or(eyes, (seat for seat in eyes.seats if may_know(eyes, seat, after)))
    return [e.MoveEnded(number=number, patch=patch, phase="cancelled", audience=audience)]


@events_of.register
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
    return [*told, *_applied(played.state, system, _called(played.state, system, changes), number)]


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


def _called(state: State, system: System, changes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same changes; a record that they bring without a name is called what it is."""
    told = []
    for change in changes:
        if change.get("kind") and change["before"] is None and not change["after"].get("name"):
            change = {**change, "name": unnamed(changed(state, change, None), system, change["target"])}
        state = changed(state, change, None)
        told.append(change)
    return told


def _complete(session: Session, change: dict[str, Any], kind: str) -> dict[str, Any]:
    """A change with all that is needed to make it again without the game."""
    if change["target"] in ("clock", "encounter") or change["path"] or change["after"] is None:
        return change
    held = session.records[change["target"]]
    return {**change, "kind": held.kind or kind, "owner": held.owner, "seen_by": sorted(held.audience)}


def _applied(
    state: State, system: System, changes: list[dict[str, Any]], number: int, back: bool = False
) -> list[e.Event]:
    """The changes of a move, told to those who see a difference; and the end of an encounter, if it comes to that."""
    if not changes:
        return []
    encounter = state.move(number)["encounter"]
    event = e.Changed(changes=changes, move=number, encounter=encounter, back=back)
    told: list[e.Event] = [changes_told(state, event, system)]
    if not any(change["target"] == "encounter" for change in changes):
        return told
    after = evolve(state, told[0])
    running = laid_out(after, system).encounters.get(encounter or 0)
    if running is None:
        return told
    over, was = running.encounter.over(running.state), after.encounters[str(encounter)].over
    if over != was:
        told += [replace(event, back=was) for event in encounter_ended(after, encounter or 0)]
    return told


@events_of.register
def _(command: c.Undo, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    number = seat_number(state, command.seat, command.number)
    kept = state.move(number)
    if not state.eyes.is_gm(command.seat):
        raise NotYours(seat=command.seat, what="undo")
    if kept["phase"] != "closed":
        raise NotNow(move=kept["move"], needs=kept["phase"])
    changes = _made_back(state, kept)
    patch = {"phase": "undone"}
    audience = told_of_move(state, system, kept, {**kept, **patch})
    undone = e.MoveUndone(number=number, patch=patch, audience=audience)
    item = next((item for item in state.log if item.event.get("type") == "changed" and not item.undone
                 and item.event["move"] == number and not item.event["back"]), None)
    told = [undone, *_applied(evolve(state, undone), system, changes, number, back=True)]
    if item is not None:
        marked = e.Corrected(what="changed", item=item.number, back=True, audience=tuple(item.event["audience"]))
        told.append(marked)
    return told


def _made_back(state: State, kept: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The changes of a closed move the other way round; its rule is not asked, and may be no more."""
    rows: list[dict[str, Any]] = []
    for change in reversed(kept["changes"]):
        target, path, before, after = (change[name] for name in ("target", "path", "before", "after"))
        now = _now(state, target, path, kept["encounter"])
        if now != after:
            raise Stale(target=target, path=path, before=plain(after), now=plain(now))
        row = {"target": target, "path": path, "before": after, "after": before, "rule": change["rule"]}
        if not path and before is not None and target not in ("clock", "encounter"):
            row["kind"] = change["kind"] or kept["kinds"].get(target, "character")
        rows.append(row)
        state = changed(state, row, kept["encounter"])
    return rows


def _now(state: State, target: str, path: str, encounter: int | None) -> Any:
    """What stands now where a change was made."""
    if target == "clock":
        if path.startswith("timers."):
            return state.timers.get(path.partition(".")[2])
        return getattr(state, path or "day")
    if target == "encounter":
        running = state.encounters[str(encounter)].state
        return look(running, path) if path else running
    held = state.records.get(target)
    if not path:
        return held.sheet if held else None
    if held is None:
        raise UnknownName("record", target, state.records)
    return look(held.sheet, path)


@events_of.register
def _(command: c.Restart, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    gm_only(state, command)
    number = seat_number(state, command.seat, command.number)
    kept = state.move(number)
    told: list[e.Event] = [] if kept["phase"] in OVER else cancelled(state, number)
    state = folded(state, told)
    cast: dict[str, list[str]] = {}
    for part in kept["cast"]:
        if part["role"] != "gm":
            cast.setdefault(part["role"], []).append(part["id"])
    check_cast(state, command.seat, cast)
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


@events_of.register
def _(command: c.EndEncounter, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    gm_only(state, command)
    number = encounter_number(state, command.seat, command.number)
    assert number is not None
    if state.encounters[str(number)].over:
        raise NotNow(move="end-encounter", needs="over")
    return encounter_ended(state, number)


def encounter_ended(state: State, number: int) -> list[e.Event]:
    """An encounter is over, for those who may know of it."""
    eyes, running = state.eyes, state.encounters[str(number)]
    audience = everyone_or(eyes, (seat for seat in eyes.seats if eyes.may_see(seat, "", running.seen_by)))
    return [e.EncounterEnded(number=number, audience=audience)]
