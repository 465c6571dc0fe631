"""What each seat may see of a table, whole and event by event. Nothing else leaves the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from paravent.game import System
from paravent.game.eyes import Eyes
from paravent.game.view import encounter_seen, may_know, move_seen, sheet_seen

from . import events as e
from .state import Counts, State


def view(state: State, seat: str, system: System) -> dict[str, Any]:
    """The table as this seat may see it, in plain values."""
    eyes = state.eyes
    counts = state.counts.get(seat, Counts())
    moves = {own: move for at, own in counts.moves.items() if (move := state.moves.get(at)) is not None}
    return {
        "table": state.table,
        "name": state.name,
        "system": state.system,
        "seat": seat,
        "grade": state.seats[seat].grade,
        "seats": {name: {"name": place.name, "grade": place.grade} for name, place in state.seats.items()},
        "rulings": state.rulings,
        "minutes": state.minutes,
        "scene": state.scene,
        "episode": state.episode,
        "records": records_seen(state, seat, system),
        "moves": {str(own): move_of_seat(eyes, seat, own, move) for own, move in moves.items()},
        "encounters": {
            at: encounter_seen(eyes, seat, system, running.encounter, running.state)
            for at, running in state.encounters.items()
        },
        "log": log_seen(state, seat),
        "last": counts.events,
    }


def move_of_seat(eyes: Eyes, seat: str, own: int, move: Mapping[str, Any]) -> dict[str, Any]:
    """A move as this seat may see it, with its own number for it and what proves its dice."""
    shown = move_seen(eyes, seat, move)
    proofs = throws_proven(eyes, seat, move, shown)
    return {"number": own, "starter": move["starter"], **shown, "proofs": proofs}


def throws_proven(eyes: Eyes, seat: str, move: Mapping[str, Any], shown: Mapping[str, Any]) -> list[dict[str, Any]]:
    """For each throw: the hash of its key; its nonce; the key itself once all its dice are seen by this seat."""
    from paravent.game.eyes import Part

    parts = [Part(**part) for part in move["cast"]]
    proofs = []
    finished = {throw["step"]: throw["done"] for throw in move["throws"]}
    seen_dice = {throw["step"] for throw in shown["throws"] if "dice" in throw}
    for step, made in move.get("keys", {}).items():
        if seat not in eyes.hearing(parts, move["by"], _exists(move, step, made)):
            continue
        proof = {"step": step, "hash": made["hash"]}
        if "nonce" in made:
            proof["nonce"] = made["nonce"]
        if finished.get(step) and step in seen_dice:
            proof["key"] = made["key"]
        proofs.append(proof)
    return proofs


def _exists(move: Mapping[str, Any], step: str, made: Mapping[str, Any]) -> list[str]:
    thrown = next((throw for throw in move["throws"] if throw["step"] == step), None)
    audience: list[str] = thrown["shown"]["exists"] if thrown else made["exists"]
    return audience


def records_seen(state: State, seat: str, system: System) -> dict[str, dict[str, Any]]:
    """The records this seat may see, each with what it may see of it."""
    eyes = state.eyes
    shown = {}
    for name, held in state.records.items():
        audience = frozenset({*held.seen_by, *(["all"] if seat in held.seen_by else [])})
        hidden = system.kind(held.kind).hidden
        sheet = sheet_seen(eyes, seat, name, held.sheet, audience, hidden)
        if sheet is not None:
            shown[name] = {"kind": held.kind, "name": held.name, "owner": held.owner, "sheet": sheet}
            if eyes.is_gm(seat):
                shown[name]["seen_by"] = list(held.seen_by)
    return shown


def log_seen(state: State, seat: str) -> list[dict[str, Any]]:
    """The lines of the log for this seat, in order; a move's line gives the seat's own number for it."""
    lines: list[dict[str, Any]] = []
    moves = state.counts.get(seat, Counts()).moves
    for item in state.log:
        if item.move:
            if str(item.move) in moves and str(item.move) in state.moves:
                lines.append({"line": len(lines) + 1, "type": "move", "number": moves[str(item.move)]})
            continue
        if seat not in state.hearing(item.event["audience"]):
            continue
        told = _plain_event(item.event)
        if state.eyes.is_gm(seat):
            told["item"] = item.number
        lines.append({"line": len(lines) + 1, **told, **({"undone": True} if item.undone else {})})
    return lines


_KEPT_BACK = ("audience", "format", "link", "key", "patch", "before_seen", "rulings")


def _plain_event(event: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in event.items() if name not in _KEPT_BACK}


def event_seen(state: State, happened: e.Event, seat: str, system: System) -> dict[str, Any] | None:
    """One event as this seat may see it, on the state after it; None if it may not know of it."""
    if seat not in state.hearing(happened.audience):
        return None
    counts = state.counts[seat]
    told: dict[str, Any] = {"id": counts.events, "type": e.type_name(type(happened)), "at": happened.at}
    if happened.by:
        told["by"] = happened.by
    if isinstance(happened, e.MoveEvent):
        own = counts.moves.get(str(happened.number))
        if own is None:
            return None
        kept = state.moves.get(str(happened.number))
        if kept is not None and may_know(state.eyes, seat, kept):
            told["move"] = move_of_seat(state.eyes, seat, own, kept)
        if isinstance(happened, (e.MoveEnded, e.MoveUndone)):
            told["records"] = records_seen(state, seat, system)
        return told
    return told | _told(state, happened, seat, system)


def _told(state: State, happened: e.Event, seat: str, system: System) -> dict[str, Any]:
    match happened:
        case e.TableOpened():
            return {"name": happened.name, "system": happened.system, "rulings": happened.rulings}
        case e.SeatAdded() | e.SeatRenamed():
            return {"seat": happened.seat, "name": happened.name}
        case e.LinkRenewed():
            return {"seat": happened.seat, "open": bool(happened.link)}
        case e.OptionsSet():
            return {"rulings": happened.rulings}
        case e.RecordAdded() | e.RecordChanged() | e.RecordShown() | e.RecordGiven():
            return {"record": happened.record, "sheet": records_seen(state, seat, system).get(happened.record)}
        case e.RecordRemoved():
            return {"record": happened.record}
        case e.Said():
            return {"kind": happened.kind, "text": happened.text, "title": happened.title, "to": list(happened.to)}
        case e.CardPlayed():
            return {"card": happened.card}
        case e.SceneOpened():
            return {"kind": happened.kind, "title": happened.title}
        case e.EncounterOpened():
            shown = encounter_seen(state.eyes, seat, system, happened.encounter, happened.state)
            return {"number": happened.number, **shown}
        case e.Corrected():
            return {"what": happened.what}
        case _:
            return {}
