"""What one seat may see. One function stands between a session and anybody's eyes.

Nothing here is hidden by leaving it blank: what a seat may not know is absent, and numbers that would tell of hidden
things (how many moves are open, how many throws were made) are counted for each seat apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from paravent.dice import Choice, Noted, Odds, Thrown, plain

from .move import Actor, Ask, Field, Resolve
from .records import GM, to_plain

if TYPE_CHECKING:
    from .session import OpenMove, Session


def seen(session: Session, seat: str) -> dict[str, Any]:
    """The whole session as this seat may see it, in plain values."""
    moves = [op for op in session.moves.values() if may_know(session, seat, op)]
    return {
        "seat": seat,
        "grade": session.seats[seat],
        "day": session.day,
        "records": {name: view for name in session.records if (view := record_seen(session, seat, name)) is not None},
        "moves": [_move(session, seat, op, at) for at, op in enumerate(moves, start=1)],
        "encounters": [_encounter(session, seat, number) for number in session.encounters],
        "log": [
            {"key": line.telling.key, "values": plain(dict(line.telling.values))}
            for line in session.log
            if seat in line.seats
        ],
    }


def may_know(session: Session, seat: str, op: OpenMove) -> bool:
    """Whether this seat may know that the move exists at all."""
    if seat not in session.seats_of(op, op.move.exists):
        return seat == op.starter
    started = [step for step in op.move.resolves if step.id in op.records]
    return seat == op.starter or all(seat in session.seats_of(op, session.shown(op, step).exists) for step in started)


def record_seen(session: Session, seat: str, name: str) -> dict[str, Any] | None:
    """A record as this seat may see it, or None."""
    held = session.records[name]
    mine = seat in session.controllers(name)
    grades = {"all", session.seats[seat], "owner" if mine else ""}
    if not (mine or session.is_gm(seat) or held.audience & grades):
        return None
    hidden = session.system.kind(held.kind).hidden
    return {
        field: value
        for field, value in to_plain(held.record).items()
        if session.is_gm(seat) or (hidden[field] & grades if field in hidden else True)
    }


def field_seen(session: Session, seat: str, op: OpenMove, actor: Actor, asked: Field) -> bool:
    """Whether this seat may read what an actor's field holds."""
    mine = seat in session.controllers(actor.id)
    match asked.secrecy:
        case "open":
            return True
        case "own":
            return mine or session.is_gm(seat)
        case "gm":
            return session.is_gm(seat)
        case _:
            return mine or asked.id in op.revealed


def _move(session: Session, seat: str, op: OpenMove, at: int) -> dict[str, Any]:
    view: dict[str, Any] = {
        "number": at,
        "move": op.move.id,
        "phase": op.phase,
        "cast": {actor.id: actor.role for actor in op.cast if actor.role != GM},
        "fields": _fields(session, seat, op),
        "waits_for": sorted(session.waits_for(op.id)),
        "throws": [_throw(session, seat, op, step) for step in op.move.resolves if step.id in op.records],
        "changes": [
            change.to_json() for change in op.changes if seat in session.seats_of(op, change.audience)
        ] if op.phase in ("settled", "closed") else [],
    }
    if isinstance(op.pending, Choice) and seat in session._seats_named(op, op.pending.who):
        view["choice"] = {"key": op.pending.key, "options": [plain(option) for option in op.pending.options]}
    view["throws"] = [throw for throw in view["throws"] if throw is not None]
    return view


def _fields(session: Session, seat: str, op: OpenMove) -> dict[str, dict[str, Any]]:
    shown: dict[str, dict[str, Any]] = {}
    for step in op.move.steps:
        if not isinstance(step, Ask):
            continue
        for asked in step.fields:
            for actor in op.cast:
                if actor.role != asked.role or asked.id not in actor.filled:
                    continue
                if field_seen(session, seat, op, actor, asked):
                    shown.setdefault(actor.id, {})[asked.id] = to_plain(actor.filled[asked.id])
                elif asked.secrecy == "sealed":
                    shown.setdefault(actor.id, {})[asked.id] = {"sealed": True}
    return shown


def _throw(session: Session, seat: str, op: OpenMove, step: Resolve) -> dict[str, Any] | None:
    shown = session.shown(op, step)
    if seat not in session.seats_of(op, shown.exists):
        return None
    view: dict[str, Any] = {"step": step.id}
    record = op.records[step.id]
    if seat in session.seats_of(op, shown.dice):
        view["dice"] = [
            {"role": entry.role, "sides": entry.sides, "faces": list(entry.faces), "by_hand": entry.by_hand}
            for entry in record
            if isinstance(entry, Thrown)
        ]
    if step.id in op.results and seat in session.seats_of(op, shown.outcome):
        result = op.results[step.id]
        view["outcome"] = step.outcome(result)
        view["result"] = plain(result)
        view["why"] = [
            {"rule": entry.rule, "key": entry.key, "values": plain(dict(entry.values))}
            for entry in record
            if isinstance(entry, Noted)
        ]
    return view


def _encounter(session: Session, seat: str, number: int) -> dict[str, Any]:
    running = session.encounters[number]
    hidden = frozenset() if session.is_gm(seat) else running.encounter.hidden
    state = {name: value for name, value in to_plain(running.state).items() if name not in hidden}
    return {"encounter": running.encounter.id, "state": state, "over": running.encounter.over(running.state)}


def odds_seen(session: Session, seat: str, number: int, policy: str = "usual") -> Mapping[Any, Odds[Any]] | None:
    """The odds of the throw a move has come to, from what this seat may see.

    Where one hidden field matters and has likely values, odds are given for each; otherwise they are withheld: never
    for the true one. The key is the likely value, or None when nothing is hidden.
    """
    op = session.moves[number]
    step = next((step for step in op.move.resolves if step.id not in op.records), None)
    if step is None:
        return None
    ctx = op.context(session.system)
    hidden_sheets = [
        actor for actor in op.cast
        if actor.record is not None and record_seen(session, seat, actor.id) is None
    ]
    if hidden_sheets:
        return None
    hidden = [
        (actor, asked)
        for asked in op.move.fields
        for actor in op.cast
        if actor.role == asked.role and not field_seen(session, seat, op, actor, asked) and asked.applies(ctx)
        and asked.type.name != "text"
    ]
    if not hidden:
        return {None: step.odds(ctx, policy)}
    if len(hidden) > 1 or not hidden[0][1].probes:
        return None
    actor, asked = hidden[0]
    probed = {}
    for value in asked.probes:
        filled = replace(actor, filled={**actor.filled, asked.id: value})
        cast = tuple(filled if other is actor else other for other in ctx.actors)
        probed[value] = step.odds(replace(ctx, actors=cast), policy)
    return probed
