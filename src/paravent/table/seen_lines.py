"""A line of the story as a seat may read it: for each type of event, the values that may be read of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import UNSET
from msgspec.structs import replace as rewritten

from paravent.game.records import GM

from . import events as e
from .seen import LineSeen
from .seen_acts import overheard

if TYPE_CHECKING:
    from .view import Looking


def line_said(looking: Looking, told: e.AnyEvent, undone: bool) -> LineSeen:
    """What a line says: for each type of event, the values that may be read; nothing else is ever read from it."""
    match told:
        case e.Said() if undone and not (looking.is_gm or told.by == looking.seat):
            return LineSeen("said", kind=told.kind)
        case e.Said():
            return LineSeen("said", kind=told.kind, text=told.text, title=told.title, to=told.to)
        case e.TableOpened():
            return LineSeen("table-opened", name=told.name, system=told.system)
        case e.SeatAdded():
            return LineSeen("seat-added", seat=told.seat, name=told.name)
        case e.SeatRenamed():
            return LineSeen("seat-renamed", seat=told.seat, name=told.name, before=told.before)
        case e.SeatLeft():
            return LineSeen("seat-left", seat=told.seat)
        case e.SeatReturned():
            return LineSeen("seat-returned", seat=told.seat)
        case e.OptionsSet():
            return LineSeen("options-set", rulings=told.rulings, before=dict(told.before))
        case e.HouseSet():
            return LineSeen("house-set", house=_chosen(told.house), before=dict(_chosen(told.before)))
        case e.RecordAdded():
            return LineSeen("record-added", record=told.record, kind=told.kind, name=told.name, owner=told.owner)
        case e.RecordChanged() if not _sees_field(looking, told.record, told.path):
            return LineSeen("record-changed", record=told.record)
        case e.RecordChanged():
            return LineSeen("record-changed", record=told.record, path=told.path, before=told.before,
                            after=told.after)
        case e.RecordShown():
            return LineSeen("record-shown", record=told.record)
        case e.RecordGiven():
            return LineSeen("record-given", record=told.record, owner=told.owner)
        case e.RecordRemoved():
            return LineSeen("record-removed", record=told.record, name=told.kept.name)
        case e.CardPlayed():
            return LineSeen("card-played", card=told.card)
        case e.SceneOpened():
            return LineSeen("scene-opened", kind=told.kind, title=told.title,
                            picture=UNSET if undone else looking.picture(told.picture))
        case e.BackdropSet():
            shown = not undone and looking.eyes.may_see(looking.seat, "", told.backdrop.seen_by)
            was, now = told.before, told.backdrop
            if looking.is_gm and (was.picture, was.scene) == (now.picture, now.scene):
                # The game master has the picture before them already: what changed is who else has.
                return LineSeen("backdrop-set", kind="hidden" if now.seen_by == (GM,) else "shown")
            return LineSeen("backdrop-set", picture=looking.picture(told.backdrop.picture) if shown else UNSET)
        case e.RecordPictured():
            return LineSeen("record-pictured", record=told.record)
        case e.DocumentKept() | e.DocumentRemoved():
            shown = looking.eyes.may_see(looking.seat, "", told.kept.seen_by)
            return LineSeen(e.type_name(type(told)), title=told.kept.title if shown else "",
                            document=_on_shelf(looking, told.document))
        case e.DocumentShown():
            kept = looking.state.documents.get(told.document)
            return LineSeen("document-shown", document=_on_shelf(looking, told.document),
                            title=kept.title if kept is not None and _on_shelf(looking, told.document) else "")
        case e.ClockSet():
            return LineSeen("clock-set", before=told.before, after=told.minutes)
        case e.AppointmentSet() | e.AppointmentDropped() | e.AppointmentCame():
            shown = looking.eyes.may_see(looking.seat, "", told.kept.seen_by)
            return LineSeen(e.type_name(type(told)), title=told.kept.words if shown else "",
                            after=told.kept.due if shown else UNSET)
        case e.HourglassTurned():
            return LineSeen("hourglass-turned", title=told.hourglass.words, after=told.hourglass.seconds)
        case e.EncounterOpened():
            return LineSeen("encounter-opened", encounter=told.encounter)
        case e.ThrowTurnedOver():
            return LineSeen("throw-turned-over", step=told.step, number=_own_or_unset(looking, told.number))
        case e.Overheard():
            return looking.clean(LineSeen("overheard", told=overheard(looking, told)))
        case e.Changed():
            return LineSeen("changed", number=_own_or_unset(looking, told.move))
        case e.Corrected():
            return _taken_back(looking, told)
        case _:
            return LineSeen(e.type_name(type(told)))


def _taken_back(looking: Looking, told: e.Corrected) -> LineSeen:
    """What was taken back: which act; of an arrival, the names of those whose coming the seat read of."""
    item = next((item for item in reversed(looking.state.log) if item.number == told.item), None)
    if item is not None and isinstance(item.event, e.Changed):
        return LineSeen("corrected", what=told.what, number=_own_or_unset(looking, item.event.move))
    line = looking.line(item) if item is not None and isinstance(item.event, e.RecordAdded) else None
    if line is None or looking.names_unseen(line):
        return LineSeen("corrected", what=told.what)
    first, *more = (LineSeen("corrected", what=told.what, name=one.name) for one in (line, *(line.more or ())))
    return rewritten(first, more=tuple(more) or UNSET)


def _on_shelf(looking: Looking, document: str) -> str | msgspec.UnsetType:
    """A document that the seat may open."""
    kept = looking.state.documents.get(document)
    return document if kept is not None and looking.eyes.may_see(looking.seat, "", kept.seen_by) else UNSET


def _own_or_unset(looking: Looking, number: int) -> int | msgspec.UnsetType:
    own = looking.own_number(number)
    return UNSET if own is None else own


def _sees_field(looking: Looking, record: str, path: str) -> bool:
    held = looking.state.records.get(record)
    if held is None:
        return looking.is_gm
    hidden = looking.hidden(held.kind).get(path.partition(".")[0])
    return hidden is None or looking.eyes.may_see(looking.seat, record, hidden)


def _chosen(house: e.House) -> dict[str, str]:
    """What a table chose of how it plays."""
    return {"trust": house.trust, "judging": house.judging}
