"""What the game master prepares: scenes, a deck of people to draw from; and everybody's private notes.

A scene has a text to read aloud, a picture, people who come in, documents, first acts, notes. Nothing of it is told to
anybody else before it is played; then everything arrives together.
"""

from __future__ import annotations

from msgspec.structs import replace

from paravent.dice import SeededDice
from paravent.game import BadValue, NotYours, System, UnknownName
from paravent.game.records import ALL, GM

from . import commands as c
from . import events as e
from . import limits
from .act import Names
from .deciding import Fresh, as_one, events_of, folded, gm_only, known_seat
from .errors import EmptyText
from .events import Sheet
from .limits import LONGEST_DOCUMENT, LONGEST_NAME, LONGEST_TEXT, no_more_than, short
from .records import known_ranks, known_record, removal, told_before_and_after
from .shelf import document_shown, known_document, known_picture, shown_to
from .state import State


@events_of.register
def _(command: c.PrepareScene, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    before = _known(state, command.scene) if command.scene else None
    if before is None:
        no_more_than(limits.MOST_PREPARED, len(state.prepared) + 1, "scene")
    people = dict.fromkeys((*command.people, *command.hidden))
    for record in people:
        if record not in state.deck:
            known_record(state, command.seat, record)
    first = _first_acts(command, state, system, fresh)
    for document in command.documents:
        known_document(state, document)
    known_picture(state, command.seat, command.picture, system)
    title = short(command.title, LONGEST_NAME)
    if not title:
        raise EmptyText()
    kept = e.Prepared(
        title, short(command.text, LONGEST_TEXT), command.picture, tuple(people),
        tuple(dict.fromkeys(command.documents)), short(command.note, LONGEST_TEXT),
        hidden=tuple(dict.fromkeys(command.hidden)), first=first,
    )
    return [] if kept == before else [
        e.ScenePrepared(scene=command.scene or fresh.name(), kept=kept, before=before, audience=(GM,))]


@events_of.register
def _(command: c.DropScene, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    return [e.SceneDropped(scene=command.scene, kept=_known(state, command.scene), audience=(GM,))]


@events_of.register
def _(command: c.PlayScene, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    """The scene begins with its picture and its text; those who come in are seen, and what is shown is shown."""
    gm_only(state, command)
    kept = _known(state, command.scene)
    before = e.SceneBefore(state.scene, state.episode, state.backdrop)
    events: list[e.AnyEvent] = [e.SceneOpened(
        kind="scene", title=kept.title, before=before, picture=kept.picture, prepared=command.scene)]
    if kept.text:
        events.append(e.Said(kind="story", text=kept.text))
    for record in kept.people:
        held, seen_by = state.records.get(record), (GM,) if record in kept.hidden else (ALL,)
        if record in state.deck:
            events += drawn(folded(state, events), record, seen_by, system)
        elif held is not None and ALL not in held.seen_by and record not in kept.hidden:
            shown = e.RecordShown(record=record, seen_by=(ALL,), before=held.seen_by)
            events += told_before_and_after(folded(state, events), shown, system)
    for document in kept.documents:
        found = state.documents.get(document)
        if found is not None and ALL not in found.seen_by:
            events += document_shown(folded(state, events), document, (ALL,))
    for act in kept.first:
        here = folded(state, events)
        if asked := _asked(act, here, system):
            events += events_of(c.AskMove(seat=command.seat, move=act.move, of=asked), here, system, fresh)
    played = replace(kept, played=True)
    return as_one([*events, e.ScenePrepared(scene=command.scene, kept=played, before=kept, audience=(GM,))])


def unplayed(state: State, scene: str) -> list[e.AnyEvent]:
    """A scene that is to be played again: its beginning was taken back."""
    kept = state.prepared.get(scene)
    return [] if kept is None else [
        e.ScenePrepared(scene=scene, kept=replace(kept, played=False), before=kept, back=True, audience=(GM,))]


def _first_acts(command: c.PrepareScene, state: State, system: System, fresh: Fresh) -> tuple[e.FirstAct, ...]:
    """What the scene begins with: moves that can be asked of somebody."""
    no_more_than(limits.MOST_FIRST_ACTS, len(command.first), "move")
    for move, of in command.first.items():
        if system.move(move).by == GM:
            raise BadValue(field="move", got=move, expected="move")
        for record in of:
            known_record(state, command.seat, record)
    return tuple(e.FirstAct(move, tuple(dict.fromkeys(of))) for move, of in command.first.items())


def _asked(act: e.FirstAct, state: State, system: System) -> tuple[str, ...]:
    """Of whom a first act is asked, as things stand: whoever left meanwhile is not."""
    if act.of:
        return tuple(record for record in act.of if record in state.records)
    return tuple(name for name, held in state.records.items() if held.owner and held.kind in system.played)


def _known(state: State, scene: str) -> e.Prepared:
    kept = state.prepared.get(scene)
    if kept is None:
        raise UnknownName("scene", scene, ())
    return kept


# The deck


@events_of.register
def _(command: c.PutAside, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    """Somebody new, or a record that nobody plays: it leaves the table until it is drawn."""
    gm_only(state, command)
    no_more_than(limits.MOST_IN_DECK, len(state.deck) + 1, "record")
    if command.record:
        known_record(state, command.seat, command.record)
        held = state.records[command.record]
        if held.owner:
            raise NotYours(seat=state.seats[command.seat].name, what=held.name)
        away = told_before_and_after(state, removal(state, command.record), system)
        return [*away, *put_aside(held, command.record)]
    (added,) = events_of(c.AddRecord(seat=command.seat, kind=command.kind, ready=command.ready, draw=command.draw,
                                     seen_by=(GM,)), state, system, fresh)
    assert isinstance(added, e.RecordAdded)
    return put_aside(Sheet(added.kind, added.name, added.sheet, "", (GM,), added.version, added.aside), added.record)


def put_aside(held: Sheet, person: str, back: bool = False) -> list[e.AnyEvent]:
    """Somebody goes into the deck; nobody else hears of it."""
    return [e.PersonPutAside(person=person, kept=replace(held, owner="", seen_by=(GM,)), audience=(GM,), back=back)]


@events_of.register
def _(command: c.DrawPerson, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    known_ranks(state, command.seen_by)
    names = list(state.deck)
    person = command.person or (names[SeededDice(fresh.token(16).hex()).sum(1, len(names)) - 1] if names else "")
    if person not in state.deck:
        raise UnknownName("record", person, ())
    return drawn(state, person, shown_to(command.seen_by), system)


def drawn(state: State, person: str, seen_by: Names, system: System) -> list[e.AnyEvent]:
    """Somebody comes out of the deck, seen by these."""
    held = state.deck[person]
    no_more_than(limits.MOST_RECORDS, len(state.records) + 1, "record")
    return told_before_and_after(state, e.RecordAdded(
        record=person, kind=held.kind, name=held.name, sheet=held.sheet, seen_by=seen_by, version=held.version,
        aside=held.aside, picture=held.picture, drawn=True,
    ), system)


@events_of.register
def _(command: c.DropPerson, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    if command.person not in state.deck:
        raise UnknownName("record", command.person, ())
    return [e.PersonDropped(person=command.person, kept=state.deck[command.person], audience=(GM,))]


# Notes


@events_of.register
def _(command: c.KeepNotes, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    if command.about:
        gm_only(state, command)
        known_seat(state, command.about)
    text = short(command.text, LONGEST_DOCUMENT)
    if state.notes.get(f"{GM}:{command.about}" if command.about else command.seat, "") == text:
        return []
    return [e.NotesKept(text=text, about=command.about, audience=(GM,) if command.about else (command.seat,))]
