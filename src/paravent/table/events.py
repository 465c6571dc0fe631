"""What happened at a table. An event, once written, is kept for ever; a new need is a new event.

Events are complete: inputs as read, faces, answers, results, changes, words as keys and values. ``audience`` says who
may know that it happened: ``all``, ``gm``, or seats. ``touched`` are other seats, who may not know of it but for whom
the table now looks otherwise: they are only told how it looks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from paravent.dice import ParaventError
from paravent.game import from_plain, to_plain

FORMAT = 1
"""The version of the event format; older ones are brought up to date when read (:mod:`paravent.table.upcast`)."""

E = TypeVar("E", bound="type[Event]")
TYPES: dict[str, type[Event]] = {}


class UnknownEvent(ParaventError):
    """A log holds an event that this version does not know."""

    code = "table/unknown-event"


@dataclass(frozen=True, kw_only=True)
class Event:
    """Something that happened: who did it (nobody, when it must not be known), when, and who may know."""

    by: str = ""
    at: str = ""
    audience: tuple[str, ...] = ("all",)
    touched: tuple[str, ...] = ()
    back: bool = False
    """It takes something back: an undo."""


def event(cls: E) -> E:
    """Register an event type under its name in kebab-case."""
    TYPES[type_name(cls)] = cls
    return cls


def type_name(cls: type) -> str:
    """``SeatAdded`` is written ``seat-added``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", cls.__name__).lower()


@event
@dataclass(frozen=True, kw_only=True)
class TableOpened(Event):
    """A table was opened for a game."""

    table: str
    name: str
    system: str
    version: str
    rulings: dict[str, str]
    lang: str = "fr"


@event
@dataclass(frozen=True, kw_only=True)
class SeatAdded(Event):
    """Somebody was given a place; the link that leads to it is kept only as a hash."""

    seat: str
    name: str
    grade: str
    link: str


@event
@dataclass(frozen=True, kw_only=True)
class SeatRenamed(Event):
    """A participant goes by another name."""

    seat: str
    name: str
    before: str = ""


@event
@dataclass(frozen=True, kw_only=True)
class LinkRenewed(Event):
    """A seat has a new link; the old one opens nothing any more. A closed seat has none, and leaves the table."""

    seat: str
    link: str
    closed: bool = False


@event
@dataclass(frozen=True, kw_only=True)
class SeatLeft(Event):
    """A participant left: nothing waits for them, and the game master answers for what is theirs."""

    seat: str


@event
@dataclass(frozen=True, kw_only=True)
class SeatReturned(Event):
    """A participant who had left is back."""

    seat: str


@event
@dataclass(frozen=True, kw_only=True)
class OptionsSet(Event):
    """The game master settled options of the table."""

    rulings: dict[str, str]
    before: dict[str, str]


@event
@dataclass(frozen=True, kw_only=True)
class RecordAdded(Event):
    """A character, an extra or a place came to the table."""

    record: str
    kind: str
    name: str
    sheet: dict[str, Any]
    owner: str = ""
    seen_by: tuple[str, ...] = ("all",)


@event
@dataclass(frozen=True, kw_only=True)
class RecordChanged(Event):
    """A value of a record was corrected by hand, outside any move."""

    record: str
    path: str
    before: Any
    after: Any
    beyond: bool = False
    """The game master went beyond the rules."""
    marked: tuple[str, ...] = ()
    """The seats that can tell so from what they see."""


@event
@dataclass(frozen=True, kw_only=True)
class RecordShown(Event):
    """A record is seen by others than before."""

    record: str
    seen_by: tuple[str, ...]
    before: tuple[str, ...]


@event
@dataclass(frozen=True, kw_only=True)
class RecordGiven(Event):
    """Somebody else answers for a record now."""

    record: str
    owner: str
    before: str


@event
@dataclass(frozen=True, kw_only=True)
class RecordRemoved(Event):
    """A record left the table; the log keeps it whole, so that it can come back."""

    record: str
    kept: dict[str, Any] = field(default_factory=dict)


@event
@dataclass(frozen=True, kw_only=True)
class Said(Event):
    """Words: a message, a line of the story, a whisper, a handout, a private note. ``kind`` tells which."""

    kind: str
    text: str
    title: str = ""
    to: tuple[str, ...] = ()


@event
@dataclass(frozen=True, kw_only=True)
class CardPlayed(Event):
    """The stop card was shown: by nobody, for everybody."""

    card: str = "stop"


@event
@dataclass(frozen=True, kw_only=True)
class SceneOpened(Event):
    """A scene or an episode begins."""

    kind: str
    title: str
    before: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class MoveEvent(Event):
    """Something happened in a move: the parts of its snapshot that are new."""

    number: int
    patch: dict[str, Any]


@event
@dataclass(frozen=True, kw_only=True)
class MoveStarted(MoveEvent):
    """A move was opened."""


@event
@dataclass(frozen=True, kw_only=True)
class FieldsFilled(MoveEvent):
    """Something was filled in, openly or under seal."""

    fields: tuple[str, ...] = ()


@event
@dataclass(frozen=True, kw_only=True)
class ThrowReady(MoveEvent):
    """A throw's key is durable, and its hash may be shown; the roller's nonce comes after."""

    step: str
    hash: str


@event
@dataclass(frozen=True, kw_only=True)
class DiceThrown(MoveEvent):
    """A rule was thrown, to its end or to where it waits for an answer."""

    step: str
    nonce: str = ""


@event
@dataclass(frozen=True, kw_only=True)
class Answered(MoveEvent):
    """A choice in a rule, faces thrown by hand, or a window was answered. A hidden veto has no author."""


@event
@dataclass(frozen=True, kw_only=True)
class MoveEnded(MoveEvent):
    """A move ended: its changes accepted, or it was withdrawn, refused, cancelled."""

    phase: str


@event
@dataclass(frozen=True, kw_only=True)
class MoveUndone(MoveEvent):
    """The game master took back what a move changed; its dice stay listed."""


@event
@dataclass(frozen=True, kw_only=True)
class DeadlineSet(MoveEvent):
    """The game master said what happens to what is missing: wait for it, take what is usual, or cancel the move."""

    policy: str
    until: str = ""


@event
@dataclass(frozen=True, kw_only=True)
class GradeSet(MoveEvent):
    """The game master said how much of a move's throws is shown at most, before they were thrown."""

    grade: str


@event
@dataclass(frozen=True, kw_only=True)
class Changed(Event):
    """Records, an encounter or the clock changed, all at once: by a move, or by taking something back."""

    changes: list[dict[str, Any]]
    move: int = 0
    encounter: int | None = None


@event
@dataclass(frozen=True, kw_only=True)
class ThrowTurnedOver(MoveEvent):
    """The game master shows a throw to others than its rule says, or takes that back: what was seen stays seen."""

    step: str
    before: dict[str, Any] = field(default_factory=dict)
    """How the throw was shown before, and who knew of the move."""


@event
@dataclass(frozen=True, kw_only=True)
class EncounterOpened(Event):
    """Something that lasts began: a fight, a complex action, a journey."""

    number: int
    encounter: str
    state: dict[str, Any]
    seen_by: tuple[str, ...] = ("all",)


@event
@dataclass(frozen=True, kw_only=True)
class EncounterEnded(Event):
    """Something that lasted is over, by its own rules or because the game master says so."""

    number: int


@event
@dataclass(frozen=True, kw_only=True)
class Corrected(Event):
    """The game master took back an earlier event; what was seen cannot be unseen, and the log says so."""

    what: str
    item: int


def event_to_json(happened: Event) -> dict[str, Any]:
    """An event as plain values, with its type and the format's version."""
    return {"type": type_name(type(happened)), "format": FORMAT, **to_plain(happened)}


def event_from_json(data: Mapping[str, Any]) -> Event:
    """The event that :func:`event_to_json` wrote, in this or any earlier version."""
    from .upcast import upcast

    plain = dict(upcast(data))
    name = plain.pop("type")
    plain.pop("format", None)
    if name not in TYPES:
        raise UnknownEvent(event=name)
    happened: Event = from_plain(TYPES[name], plain)
    return happened
