"""What participants ask of a table. A command is a verb; it brings about events, or is refused and changes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from typing import Any, TypeVar

from paravent.game import UnknownName, from_plain

from .events import type_name
from .limits import check_plain

C = TypeVar("C", bound="type[Command]")
COMMANDS: dict[str, type[Command]] = {}


@dataclass(frozen=True, kw_only=True)
class Command:
    """Something asked by a seat; ``id`` is made by the client, so that asking twice does it once."""

    seat: str = ""
    id: str = ""


def command(cls: C) -> C:
    """Register a command under its name in kebab-case."""
    COMMANDS[type_name(cls)] = cls
    return cls


@command
@dataclass(frozen=True, kw_only=True)
class AddSeat(Command):
    """Give somebody a place: ``gm``, ``player`` or ``spectator``."""

    name: str
    rank: str = field(default="player", metadata={"written": "grade"})


@command
@dataclass(frozen=True, kw_only=True)
class RenameSeat(Command):
    """Go by another name; the game master may rename anybody."""

    who: str
    name: str


@command
@dataclass(frozen=True, kw_only=True)
class RenewLink(Command):
    """Make a new link for a seat; the old one opens nothing any more."""

    who: str


@command
@dataclass(frozen=True, kw_only=True)
class RevokeLink(Command):
    """Close a seat until a new link is made for it."""

    who: str


@command
@dataclass(frozen=True, kw_only=True)
class Leave(Command):
    """Leave the table, or (game master) say that somebody has: nothing waits for them any more."""

    who: str = ""


@command
@dataclass(frozen=True, kw_only=True)
class Return(Command):
    """Come back to the table."""


@command
@dataclass(frozen=True, kw_only=True)
class SetOptions(Command):
    """Settle options of the table."""

    options: dict[str, str]


@command
@dataclass(frozen=True, kw_only=True)
class SetHouse(Command):
    """Say how the table plays: ``trust`` is ``confiance`` (everything applies at once), ``prudence`` (what is grave
    waits for the game master) or ``meneur`` (everything waits); ``judging`` is ``before`` (the dice) or ``at-will``.
    What is left out stays as it is."""

    trust: str = ""
    judging: str = ""


@command
@dataclass(frozen=True, kw_only=True)
class AddRecord(Command):
    """Bring a record: its values, a ready-made one, or one drawn by the dice."""

    kind: str = "character"
    sheet: dict[str, Any] | None = None
    ready: str = ""
    draw: bool = False
    owner: str = ""
    seen_by: tuple[str, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class Arrival:
    """Somebody who comes to the table with others: a kind of record, its values, who sees them."""

    kind: str = "character"
    sheet: dict[str, Any]
    seen_by: tuple[str, ...] | None = None


@command
@dataclass(frozen=True, kw_only=True)
class AddPeople(Command):
    """Bring several records at once (game master): one line of the log tells of them, and one undo takes them away."""

    people: tuple[Arrival, ...]


@command
@dataclass(frozen=True, kw_only=True)
class EditRecord(Command):
    """Change a value by hand: its owner within the rules, the game master beyond them.

    Without a path, several at once: ``value`` has each by its path, and all of them are changed or none.
    """

    record: str
    path: str
    value: Any


@command
@dataclass(frozen=True, kw_only=True)
class ShowRecord(Command):
    """Say who sees a record: ``all``, ``gm``, or seats."""

    record: str
    seen_by: tuple[str, ...]


@command
@dataclass(frozen=True, kw_only=True)
class GiveRecord(Command):
    """Say who answers for a record; nobody means the game master."""

    record: str
    owner: str = ""


@command
@dataclass(frozen=True, kw_only=True)
class TakeRecord(Command):
    """A player takes a character that nobody holds and everyone sees."""

    record: str


@command
@dataclass(frozen=True, kw_only=True)
class RemoveRecord(Command):
    """Take a record away from the table."""

    record: str


@command
@dataclass(frozen=True, kw_only=True)
class Say(Command):
    """Say something: ``message``, ``story``, ``whisper`` (to seats), ``handout`` or ``note`` (game master)."""

    text: str
    kind: str = "message"
    to: tuple[str, ...] = ()
    title: str = ""


@command
@dataclass(frozen=True, kw_only=True)
class PlayCard(Command):
    """Show the stop card. Nobody will know who did."""

    card: str = "stop"


@command
@dataclass(frozen=True, kw_only=True)
class OpenScene(Command):
    """Begin a scene or an episode; a scene may have a picture, by its name, which all see."""

    title: str
    kind: str = "scene"
    picture: str = ""


@command
@dataclass(frozen=True, kw_only=True)
class PrepareScene(Command):
    """Prepare a scene, or write one anew: a text to read aloud, a picture by its name, people who come in (records, or
    those in the deck), documents that are shown, first acts, a note for the game master."""

    title: str
    text: str = ""
    picture: str = ""
    people: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    note: str = ""
    scene: str = ""
    hidden: tuple[str, ...] = ()
    """Those of the people who come in behind the screen."""
    first: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Moves that are asked at once, each of these records; of everybody whom somebody plays, where none is named."""


@command
@dataclass(frozen=True, kw_only=True)
class DropScene(Command):
    """Drop a scene that was prepared."""

    scene: str


@command
@dataclass(frozen=True, kw_only=True)
class PlayScene(Command):
    """Begin a scene that was prepared: its picture, its text, its people and its documents arrive together."""

    scene: str


@command
@dataclass(frozen=True, kw_only=True)
class PutAside(Command):
    """Put somebody into the game master's deck: a record that nobody plays, by its name; or somebody new, ready-made or
    drawn by the dice."""

    record: str = ""
    kind: str = "character"
    ready: str = ""
    draw: bool = False


@command
@dataclass(frozen=True, kw_only=True)
class DrawPerson(Command):
    """Draw somebody out of the deck: one by name, or anybody; behind the screen unless others see them."""

    person: str = ""
    seen_by: tuple[str, ...] = ("gm",)


@command
@dataclass(frozen=True, kw_only=True)
class DropPerson(Command):
    """Take somebody out of the deck for good."""

    person: str


@command
@dataclass(frozen=True, kw_only=True)
class KeepNotes(Command):
    """Write private notes: one's own; or, for a game master, ``about`` a seat, which the game masters alone read."""

    text: str = ""
    about: str = ""


@command
@dataclass(frozen=True, kw_only=True)
class SetAppointment(Command):
    """Say what is to come on the table's clock: at an hour of a day, counted from 1, or so many minutes from now; and
    who may know of it: ``all``, ``gm``, or seats."""

    words: str
    day: int = 0
    hour: int = 0
    minute: int = 0
    minutes: int = 0
    seen_by: tuple[str, ...] = ("gm",)
    appointment: str = ""


@command
@dataclass(frozen=True, kw_only=True)
class DropAppointment(Command):
    """Drop what was to come."""

    appointment: str


@command
@dataclass(frozen=True, kw_only=True)
class TurnHourglass(Command):
    """Turn the hourglass for a tense moment: so many seconds, shown to all; none takes it away."""

    seconds: int = 0
    words: str = ""


@dataclass(frozen=True, kw_only=True)
class KeepPicture(Command):
    """Bring a picture that is kept already. Nobody can ask for it by name: a host does, for what was sent."""

    hash: str
    width: int
    height: int
    size: int
    small: str = ""
    words: str = ""


@command
@dataclass(frozen=True, kw_only=True)
class SetPicture(Command):
    """Say which picture a record has, by its name; none takes it away."""

    record: str
    picture: str = ""


@command
@dataclass(frozen=True, kw_only=True)
class SetBackdrop(Command):
    """Say which picture the scene has, by its name, and who sees it: ``all``, ``gm``, or seats."""

    picture: str = ""
    seen_by: tuple[str, ...] = ("all",)


@command
@dataclass(frozen=True, kw_only=True)
class KeepDocument(Command):
    """Put a document on the shelf, or write one anew: a title, a text, a picture by its name; and who sees it."""

    title: str
    text: str = ""
    picture: str = ""
    seen_by: tuple[str, ...] = ("gm",)
    document: str = ""


@command
@dataclass(frozen=True, kw_only=True)
class ShowDocument(Command):
    """Say who sees a document: ``all``, ``gm``, or seats."""

    document: str
    seen_by: tuple[str, ...]


@command
@dataclass(frozen=True, kw_only=True)
class RemoveDocument(Command):
    """Take a document off the shelf."""

    document: str


@command
@dataclass(frozen=True, kw_only=True)
class SaveDraft(Command):
    """Keep a sheet that is being written, to go on with it anywhere; nobody else knows. Without values, drop it."""

    of: str
    """The kind of record that it is of."""
    values: dict[str, Any] = field(default_factory=dict)
    number: int = 0
    """The move that it will be handed in to, if it is."""


@command
@dataclass(frozen=True, kw_only=True)
class SetClock(Command):
    """Set the clock of the story to an hour of a day, counted from 1; nothing comes of it but the hour."""

    day: int
    hour: int
    minute: int = 0


@command
@dataclass(frozen=True, kw_only=True)
class StartMove(Command):
    """Open a move; the game master may open one for players, which asks it of them."""

    move: str
    cast: dict[str, list[str]] = field(default_factory=dict)
    form: dict[str, dict[str, Any]] = field(default_factory=dict)
    encounter: int | None = None
    secrecy: str = field(default="open", metadata={"written": "grade"})
    """For a game master: how much of its throws is shown at most, as with :class:`SetSecrecy`."""
    at_once: bool = False
    """Whether it is gone through with, where all is said and nobody else has a word."""


@command
@dataclass(frozen=True, kw_only=True)
class AskMove(Command):
    """The game master asks one or several for a move: each (a record, or a seat) gets their own."""

    move: str
    of: tuple[str, ...]
    form: dict[str, Any] = field(default_factory=dict)
    """Fields filled in for each; what is the game master's to judge, by them for each."""
    encounter: int | None = None
    secrecy: str = field(default="open", metadata={"written": "grade"})


@command
@dataclass(frozen=True, kw_only=True)
class Join(Command):
    """Bring more actors into an open move: a helper, a target."""

    number: int
    role: str
    names: tuple[str, ...]


@command
@dataclass(frozen=True, kw_only=True)
class SetDeadline(Command):
    """Say what becomes of what is missing: ``wait``, ``default`` or ``cancel``; at once when the step is closed, or by
    itself after so many seconds."""

    number: int
    policy: str
    seconds: int = 0


@command
@dataclass(frozen=True, kw_only=True)
class SetSecrecy(Command):
    """The game master says, before the dice, how much of a move's throws is shown: ``open`` (as the game says),
    ``outcome-hidden``, ``existence-only`` or ``invisible``; never more than the game says."""

    number: int
    secrecy: str = field(metadata={"written": "grade"})


@command
@dataclass(frozen=True, kw_only=True)
class Fill(Command):
    """Fill fields in."""

    number: int
    values: dict[str, Any]
    actor: str = ""


@command
@dataclass(frozen=True, kw_only=True)
class ThrowDice(Command):
    """Throw the dice of an open move: by the server, with the roller's grain, or by hand."""

    number: int
    grain: str = field(default="", metadata={"written": "nonce"})
    by_hand: bool = False


@command
@dataclass(frozen=True, kw_only=True)
class PromiseGrains(Command):
    """Promise the next grains of this seat, instead of those it had promised: the SHA-256 of each, in hexadecimal, a
    space between them. Each is for one throw. One alone is the hash of a chain, in which each is that of the next."""

    promise: str


@command
@dataclass(frozen=True, kw_only=True)
class OpenGrain(Command):
    """Open this seat's grain for a throw that lists it, named by the hash of its key."""

    hash: str
    grain: str


@command
@dataclass(frozen=True, kw_only=True)
class Answer(Command):
    """Answer a choice, give the faces thrown by hand, agree or refuse.

    Whoever objects where all the others are asked may say ``why``: if that decides it, everybody reads it, and nobody
    learns whose words they are.
    """

    number: int
    answer: Any
    why: str = ""


@command
@dataclass(frozen=True, kw_only=True)
class CloseStep(Command):
    """The game master ends the waiting: what is missing takes its usual value, or the move is cancelled, as its
    deadline says. Sealed fields are not read for that."""

    number: int


@dataclass(frozen=True, kw_only=True)
class DeadlinePassed(CloseStep):
    """The clock ends the waiting for the game master who set it, there or not. Nobody can ask for it by name."""


@command
@dataclass(frozen=True, kw_only=True)
class Withdraw(Command):
    """Take a move back before the dice."""

    number: int


@command
@dataclass(frozen=True, kw_only=True)
class Cancel(Command):
    """The game master ends a move without applying anything, sealed fields unread."""

    number: int


@command
@dataclass(frozen=True, kw_only=True)
class Accept(Command):
    """Apply the proposed changes; ``amend`` gives other values by place, ``refuse`` leaves some out."""

    number: int
    amend: dict[str, Any] = field(default_factory=dict)
    refuse: tuple[int, ...] = ()


@command
@dataclass(frozen=True, kw_only=True)
class TurnOver(Command):
    """Show a throw to everyone, or to some."""

    number: int
    step: str
    to: tuple[str, ...] = ("all",)


@command
@dataclass(frozen=True, kw_only=True)
class Restart(Command):
    """Begin a move again, as it was declared: its rule has changed, or it went astray."""

    number: int


@command
@dataclass(frozen=True, kw_only=True)
class EndEncounter(Command):
    """The game master says that an encounter is over."""

    number: int


@command
@dataclass(frozen=True, kw_only=True)
class Undo(Command):
    """Take back what a closed move changed."""

    number: int


@command
@dataclass(frozen=True, kw_only=True)
class Correct(Command):
    """Take back an earlier line of the log: a correction of a record, of options, a scene, a handout, a reveal."""

    item: int


@command
@dataclass(frozen=True, kw_only=True)
class UndoLast(Command):
    """Take back the last thing that can be."""


def written_name(part: Field[Any]) -> str:
    """What programs call a part of a command."""
    return str(part.metadata.get("written", part.name))


def command_from_json(data: Mapping[str, Any], seat: str) -> Command:
    """The command that plain values ask for; the seat comes from the link, never from the wire."""
    check_plain(data)
    name = str(data.get("type", ""))
    if name not in COMMANDS:
        raise UnknownName("command", name, COMMANDS)
    called = {written_name(part): part.name for part in fields(COMMANDS[name])}
    given = {part: value for part, value in data.items() if part not in ("type", "seat")}
    if unknown := sorted(given.keys() - called.keys()):
        raise UnknownName("field", unknown[0], called)
    plain = {called[part]: value for part, value in given.items()}
    asked: Command = from_plain(COMMANDS[name], {**plain, "seat": seat})
    return asked
