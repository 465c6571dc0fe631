"""Scenes that the game master prepares: a text to read aloud, a picture, who comes in, what is shown, notes.

Nothing of them is told to anybody else before they are played; then everything arrives together.
"""

from __future__ import annotations

from msgspec.structs import replace

from paravent.game import System, UnknownName
from paravent.game.records import ALL, GM

from . import commands as c
from . import events as e
from . import limits
from .deciding import Fresh, events_of, folded, gm_only
from .errors import EmptyText
from .limits import LONGEST_NAME, LONGEST_TEXT, no_more_than, short
from .records import known_record, told_before_and_after
from .shelf import document_shown, known_document, known_picture
from .state import State


@events_of.register
def _(command: c.PrepareScene, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    before = _known(state, command.scene) if command.scene else None
    if before is None:
        no_more_than(limits.MOST_PREPARED, len(state.prepared) + 1, "scene")
    for record in command.people:
        known_record(state, command.seat, record)
    for document in command.documents:
        known_document(state, document)
    known_picture(state, command.seat, command.picture, system)
    title = short(command.title, LONGEST_NAME)
    if not title:
        raise EmptyText()
    kept = e.Prepared(
        title, short(command.text, LONGEST_TEXT), command.picture, tuple(dict.fromkeys(command.people)),
        tuple(dict.fromkeys(command.documents)), short(command.note, LONGEST_TEXT),
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
    events: list[e.AnyEvent] = [e.SceneOpened(kind="scene", title=kept.title, before=before, picture=kept.picture)]
    if kept.text:
        events.append(e.Said(kind="story", text=kept.text))
    for record in kept.people:
        held = state.records.get(record)
        if held is not None and ALL not in held.seen_by:
            shown = e.RecordShown(record=record, seen_by=(ALL,), before=held.seen_by)
            events += told_before_and_after(folded(state, events), shown, system)
    for document in kept.documents:
        found = state.documents.get(document)
        if found is not None and ALL not in found.seen_by:
            events += document_shown(folded(state, events), document, (ALL,))
    played = replace(kept, played=True)
    return [*events, e.ScenePrepared(scene=command.scene, kept=played, before=kept, audience=(GM,))]


def _known(state: State, scene: str) -> e.Prepared:
    kept = state.prepared.get(scene)
    if kept is None:
        raise UnknownName("scene", scene, ())
    return kept
