"""What one seat may see. One function stands between a session and anybody's eyes.

Views are drawn from snapshots (:mod:`paravent.game.frozen`), so a table shows an old move without its rules. Nothing is
hidden by leaving it blank: what a seat may not know is absent, and numbers that would tell of hidden things (how many
moves are open) are counted for each seat apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from paravent.dice import Odds, plain

from .eyes import Eyes, Part
from .frozen import snapshot
from .records import ALL, GM, Audience, to_plain
from .system import System

if TYPE_CHECKING:
    from .move import Actor, Field
    from .session import OpenMove, Session


def seen(session: Session, seat: str) -> dict[str, Any]:
    """The whole session as this seat may see it, in plain values."""
    eyes = session.eyes
    moves = [snapshot(op, session.system) for op in session.moves.values()]
    known = [move for move in moves if may_know(eyes, seat, move)]
    return {
        "seat": seat,
        "grade": session.seats[seat],
        "day": session.day,
        "records": {name: view for name in session.records if (view := record_seen(session, seat, name)) is not None},
        "moves": [{"number": at, **move_seen(eyes, seat, move)} for at, move in enumerate(known, start=1)],
        "encounters": [
            encounter_seen(eyes, seat, session.system, running.encounter.id, to_plain(running.state))
            | {"over": running.encounter.over(running.state)}
            for running in session.encounters.values()
        ],
        "log": [
            {"key": line.telling.key, "values": plain(dict(line.telling.values))}
            for line in session.log
            if seat in line.seats
        ],
    }


class _Cast:
    """The seats behind the audiences of one move."""

    def __init__(self, eyes: Eyes, move: Mapping[str, Any]) -> None:
        self._eyes = eyes
        self._parts = [Part(**part) for part in move["cast"]]
        self._by = move["by"]

    def hears(self, seat: str, audience: Any) -> bool:
        return seat in self._eyes.hearing(self._parts, self._by, audience)


def may_know(eyes: Eyes, seat: str, move: Mapping[str, Any]) -> bool:
    """Whether this seat may know that the move exists at all."""
    cast = _Cast(eyes, move)
    if seat == move["starter"]:
        return True
    audiences = [move["exists"], *(throw["shown"]["exists"] for throw in move["throws"])]
    return all(cast.hears(seat, audience) for audience in audiences)


def move_seen(eyes: Eyes, seat: str, move: Mapping[str, Any]) -> dict[str, Any]:
    """One move as this seat may see it."""
    cast = _Cast(eyes, move)
    view: dict[str, Any] = {
        "move": move["move"],
        "phase": move["phase"],
        "cast": {part["id"]: part["role"] for part in move["cast"] if part["role"] != GM},
        "fields": _fields(eyes, seat, move),
        "waits_for": sorted(s for s in eyes.seats if cast.hears(s, move["awaited"]) and s not in _said(move)),
        "throws": [_throw(cast, seat, throw) for throw in move["throws"] if cast.hears(seat, throw["shown"]["exists"])],
        "changes": [
            {name: value for name, value in change.items() if name != "audience"}
            for change in move["changes"]
            if cast.hears(seat, change["audience"])
        ] if move["phase"] in ("settled", "closed", "undone") else [],
    }
    pending = move["pending"]
    if pending is not None and cast.hears(seat, (pending["who"],)):
        view["choice" if pending["type"] == "choice" else "dice"] = {
            name: value for name, value in pending.items() if name in ("key", "options", "n", "sides")
        }
    return view


def _said(move: Mapping[str, Any]) -> set[str]:
    """The seats that have answered what is awaited of several."""
    windows = (answers for answers in move["windows"].values() if "" not in answers)
    return {*move["polls"], *(seat for answers in windows for seat in answers)}


def _fields(eyes: Eyes, seat: str, move: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    shown: dict[str, dict[str, Any]] = {}
    for row in move["fields"]:
        if may_read(eyes, seat, row["actor"], row["secrecy"], row["field"] in move["revealed"]):
            shown.setdefault(row["actor"], {})[row["field"]] = row["value"]
        elif row["secrecy"] == "sealed":
            shown.setdefault(row["actor"], {})[row["field"]] = {"sealed": True}
    return shown


def may_read(eyes: Eyes, seat: str, actor_id: str, secrecy: str, revealed: bool) -> bool:
    """Whether this seat may read a field of this secrecy filled in for an actor."""
    mine = seat in eyes.controllers(actor_id)
    match secrecy:
        case "open":
            return True
        case "own":
            return mine or eyes.is_gm(seat)
        case "gm":
            return eyes.is_gm(seat)
        case _:
            return mine or revealed


def _throw(cast: _Cast, seat: str, throw: Mapping[str, Any]) -> dict[str, Any]:
    view: dict[str, Any] = {"step": throw["step"]}
    if cast.hears(seat, throw["shown"]["dice"]):
        view["dice"] = [
            {name: entry[name] for name in ("role", "sides", "faces", "by_hand")}
            for entry in throw["record"]
            if entry["type"] == "thrown"
        ]
    if throw["done"] and cast.hears(seat, throw["shown"]["outcome"]):
        view["outcome"] = throw["outcome"]
        view["result"] = throw["result"]
        view["why"] = [
            {name: entry[name] for name in ("rule", "key", "values")}
            for entry in throw["record"]
            if entry["type"] == "noted"
        ]
    return view


def encounter_seen(eyes: Eyes, seat: str, system: System, name: str, state: Mapping[str, Any]) -> dict[str, Any]:
    """An encounter's state as this seat may see it."""
    hidden = frozenset() if eyes.is_gm(seat) else system.encounters[name].hidden
    return {"encounter": name, "state": {field: value for field, value in state.items() if field not in hidden}}


def record_seen(session: Session, seat: str, name: str) -> dict[str, Any] | None:
    """A record as this seat may see it, or None."""
    held = session.records[name]
    hidden = session.system.kind(held.kind).hidden
    return sheet_seen(session.eyes, seat, name, to_plain(held.record), held.audience, hidden)


def sheet_seen(
    eyes: Eyes, seat: str, name: str, sheet: Mapping[str, Any], audience: Audience, hidden: Mapping[str, Audience]
) -> dict[str, Any] | None:
    """A sheet in plain values as this seat may see it, or None; ``hidden`` fields are seen by fewer."""
    mine = seat in eyes.controllers(name)
    grades = {ALL, eyes.seats[seat], "owner" if mine else ""}
    if eyes.is_gm(seat):
        return dict(sheet)
    if not (mine or audience & grades):
        return None
    return {field: value for field, value in sheet.items() if field not in hidden or hidden[field] & grades}


def odds_seen(session: Session, seat: str, number: int, policy: str = "usual") -> Mapping[Any, Odds[Any]] | None:
    """The odds of the throw a move has come to, from what this seat may see.

    Where one hidden field matters and has likely values, odds are given for each; otherwise they are withheld: never
    for the true one. The key is the likely value, or None when nothing is hidden.
    """
    op = session.moves[number]
    step = next((step for step in op.move.resolves if step.id not in op.records), None)
    if step is None or any(
        actor.record is not None and record_seen(session, seat, actor.id) is None for actor in op.cast
    ):
        return None
    ctx = op.context(session.system)
    hidden = _hidden_fields(session, seat, op)
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


def _hidden_fields(session: Session, seat: str, op: OpenMove) -> list[tuple[Actor, Field]]:
    """The fields that bear on the odds and that this seat may not read, filled in or not."""
    ctx = op.context(session.system)
    return [
        (actor, asked)
        for asked in op.move.fields
        for actor in op.cast
        if actor.role == asked.role and asked.type.name != "text" and asked.applies(ctx)
        and not may_read(session.eyes, seat, actor.id, asked.secrecy, asked.id in op.revealed)
    ]
