"""Talk: messages, whispers, handouts and notes; the stop card; scenes and episodes that begin; the clock set."""

from __future__ import annotations

from paravent.game import OutOfRange, System, UnknownName
from paravent.game.days import A_DAY
from paravent.game.records import ALL, GM

from . import commands as c
from . import events as e
from .deciding import Fresh, events_of, gm_only, known_seat
from .errors import EmptyText
from .limits import LONGEST_NAME, LONGEST_TEXT, MOST_DAYS, short
from .state import State
from .view import Looking


@events_of.register
def _(command: c.Say, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    if command.kind not in ("message", "story", "whisper", "handout", "note"):
        raise UnknownName("value", command.kind, ("message", "story", "whisper", "handout", "note"))
    if command.kind in ("handout", "note"):
        gm_only(state, command)
    for seat in command.to:
        known_seat(state, seat)
    text = short(command.text, LONGEST_TEXT)
    if not text:
        raise EmptyText()
    audience: tuple[str, ...] = (ALL,)
    if command.kind == "note":
        audience = (GM,)
    elif command.kind == "whisper" or command.to:
        audience = tuple(sorted({command.seat, *(command.to or state.eyes.masters)}))
    title = short(command.title, LONGEST_NAME)
    return [e.Said(kind=command.kind, text=text, title=title, to=tuple(sorted(set(command.to))), audience=audience)]


@events_of.register
def _(command: c.PlayCard, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    return [e.CardPlayed(card="stop")]


@events_of.register
def _(command: c.OpenScene, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    if command.kind not in ("scene", "episode"):
        raise UnknownName("value", command.kind, ("scene", "episode"))
    if command.picture and command.picture not in Looking(state, command.seat, system).pictures():
        raise UnknownName("picture", command.picture, ())
    before = e.SceneBefore(state.scene, state.episode, state.backdrop)
    return [e.SceneOpened(kind=command.kind, title=short(command.title, LONGEST_NAME), before=before,
                          picture=command.picture if command.kind == "scene" else "")]


@events_of.register
def _(command: c.SetClock, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    gm_only(state, command)
    for name, value, least, most in (
        ("day", command.day, 1, MOST_DAYS), ("hour", command.hour, 0, 23), ("minute", command.minute, 0, 59),
    ):
        if not least <= value <= most:
            raise OutOfRange(field=name, got=value, minimum=least, maximum=most)
    minutes = (command.day - 1) * A_DAY + command.hour * 60 + command.minute
    return [e.ClockSet(minutes=minutes, before=state.minutes)] if minutes != state.minutes else []
