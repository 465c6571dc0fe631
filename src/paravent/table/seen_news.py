"""What a seat is told of an event as it happens: on its stream, in its export, in a sentence."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET

from paravent.game import System

from . import events as e
from .seen import EncounterSeen, HouseSeen, LineSeen, MoveSeen, plainly
from .seen_acts import overheard
from .state import State
from .view import Looking, without


def event_seen(state: State, happened: e.AnyEvent, seat: str, system: System) -> dict[str, Any] | None:
    """One event as this seat may see it, on the state after it, in plain values; None if it is not told of it."""
    if seat not in state.hearing((*happened.audience, *happened.touched)):
        return None
    looking = Looking(state, seat, system)
    told: dict[str, Any] = {"id": state.counts_of(seat).events, "at": happened.at}
    if seat not in state.hearing(happened.audience) or _arrives(happened, seat):
        return {**told, "type": "refreshed", "view": plainly(looking.whole())}
    told["type"] = e.type_name(type(happened))
    if happened.by:
        told["by"] = happened.by
    if happened.back:
        told["back"] = True
    seen: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(_told(looking, happened)))
    whole = told | seen
    return without(whole, looking.unseen) if looking.unseen else whole  # type: ignore[return-value]


class Headline(msgspec.Struct, frozen=True):
    """As much of what a seat is told of an event as makes a sentence."""

    line: LineSeen
    move: str = ""
    """The move that it is about, by the id of its declaration."""


def headline(state: State, happened: e.AnyEvent, seat: str, system: System) -> Headline | None:
    """One event as :func:`event_seen` tells it, in short; None if the seat is not told of it, or of all anew."""
    if seat not in state.hearing(happened.audience) or _arrives(happened, seat):
        return None
    looking = Looking(state, seat, system)
    told = _told(looking, happened)
    seen, act, said = told.get("seen"), told.get("move"), told.get("told")
    named = {name: value for name, value in told.items() if name in _IN_HEADLINES and value not in looking.unseen}
    line = looking.clean(LineSeen(
        e.type_name(type(happened)), by=happened.by or UNSET, told=said or UNSET,
        encounter=seen.encounter if isinstance(seen, EncounterSeen) else UNSET,
        owner=happened.owner if isinstance(happened, e.RecordGiven) else UNSET, **named,
    ))
    return Headline(line, act.move if isinstance(act, MoveSeen) else "")


_IN_HEADLINES = ("name", "title", "text", "kind", "record", "seat")
_TO_EACH = (
    *e.ACT_EVENTS, e.Changed, e.RecordAdded, e.RecordChanged, e.RecordShown, e.RecordGiven, e.RecordRemoved,
    e.RecordsUpgraded, e.RecordsFollowed, e.EncounterOpened, e.EncounterEnded, e.RecordPictured, e.SceneOpened,
    e.BackdropSet, e.DocumentKept, e.DocumentShown, e.DocumentRemoved, e.AppointmentSet, e.AppointmentDropped,
    e.AppointmentCame, e.PersonPutAside, e.PersonDropped, e.NotesKept,
)
"""Events of which each is told what they may see of the thing; of any other, all who hear it are told the same."""


def told_alike(state: State, happened: e.AnyEvent) -> frozenset[str]:
    """The seats who are told the same of an event, their own numbers aside, if they know of the same records."""
    if isinstance(happened, _TO_EACH):
        return frozenset()
    return frozenset(seat for seat in state.hearing(happened.audience) if not _arrives(happened, seat))


def _arrives(happened: e.AnyEvent, seat: str) -> bool:
    return isinstance(happened, (e.SeatReturned, e.LinkRenewed)) and happened.seat == seat


def _told(looking: Looking, happened: e.AnyEvent) -> dict[str, Any]:
    match happened:
        case e.MoveEvent() | e.MoveStarted():
            return _told_of_move(looking, happened)
        case e.Changed():
            return _told_of_changes(looking, happened)
        case e.Overheard():
            return {"told": overheard(looking, happened)}
        case e.TableOpened():
            return {"name": happened.name, "system": happened.system, "rulings": happened.rulings}
        case e.SeatAdded():
            return {"seat": happened.seat, "name": happened.name, "grade": happened.rank}
        case e.SeatRenamed():
            return {"seat": happened.seat, "name": happened.name}
        case e.LinkRenewed():
            return {"seat": happened.seat, "present": not happened.closed}
        case e.SeatLeft() | e.SeatReturned():
            return {"seat": happened.seat}
        case e.OptionsSet():
            return {"rulings": happened.rulings}
        case e.HouseSet():
            return {"house": HouseSeen(happened.house.trust, happened.house.judging)}
        case e.RecordsUpgraded() | e.RecordsFollowed():
            return {"records": looking.records()}
        case (e.RecordAdded() | e.RecordChanged() | e.RecordShown() | e.RecordGiven() | e.RecordRemoved()
              | e.RecordPictured()):
            return {"record": happened.record, "seen": looking.record(happened.record)}
        case e.Said():
            return {"kind": happened.kind, "text": happened.text, "title": happened.title, "to": list(happened.to)}
        case e.CardPlayed():
            return {"card": happened.card}
        case e.SceneOpened():
            return {"kind": happened.kind, "title": happened.title, **_pictured(looking)}
        case e.BackdropSet():
            return {"backdrop": None, **_pictured(looking)}
        case e.ScenePrepared() | e.SceneDropped():
            return {"scene": happened.scene, "seen": looking.prepared().get(happened.scene)}
        case e.DocumentKept() | e.DocumentShown() | e.DocumentRemoved():
            seen = looking.documents().get(happened.document)
            return {"document": happened.document, "title": seen.title if seen is not None else "", "seen": seen}
        case e.ClockSet():
            return {"minutes": happened.minutes}
        case e.AppointmentSet() | e.AppointmentDropped() | e.AppointmentCame():
            seen_now = looking.appointments()
            told = looking.eyes.may_see(looking.seat, "", happened.kept.seen_by)
            return {**({"title": happened.kept.words, "due": happened.kept.due} if told else {}),
                    "appointments": seen_now}
        case e.HourglassTurned():
            glass = looking.hourglass()
            return {"title": happened.hourglass.words, "hourglass": None if glass is UNSET else glass}
        case e.PersonPutAside() | e.PersonDropped():
            return {"person": happened.person, "deck": looking.deck()}
        case e.NotesKept():
            return {"notes": looking.notes()}
        case e.EncounterOpened() | e.EncounterEnded():
            own = looking.state.counts_of(looking.seat).encounters.get(happened.number)
            return {"number": own, "seen": looking.encounter(happened.number)}
        case e.Corrected():
            return {"what": happened.what}
        case _:
            return {}


def _pictured(looking: Looking) -> dict[str, Any]:
    """What the scene looks like, if it looks like anything."""
    seen = looking.backdrop()
    return {} if seen is UNSET else {"backdrop": seen}


def _told_of_move(looking: Looking, happened: e.MoveEvent | e.MoveStarted) -> dict[str, Any]:
    act = looking.state.moves.get(happened.number)
    seen = looking.move(act) if act is not None else None
    if seen is not None:
        return {"number": seen.number, "move": seen}
    own = looking.state.counts_of(looking.seat).moves.get(happened.number)
    return {"number": own, "gone": True}


def _told_of_changes(looking: Looking, happened: e.Changed) -> dict[str, Any]:
    """How everything that may change looks now: to name what did would tell of what the seat may not see."""
    state = looking.state
    own = looking.own_number(happened.move) if happened.move else None
    return {
        **({} if own is None else {"number": own}),
        "records": looking.records(), "encounters": looking.encounters(), "minutes": state.minutes,
        "scene": state.scene, "episode": state.episode, "rulings": state.rulings,
        "house": HouseSeen(state.house.trust, state.house.judging), **_pictured(looking),
    }
