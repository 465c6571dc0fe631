"""What happened at a table. An event, once written, is kept for ever; a new need is a new event.

Events are typed and complete: inputs as read, faces, answers, results, changes, words as keys and values. ``audience``
says who may know that it happened: ``all``, ``gm``, or seats. ``touched`` are other seats, who may not know of it but
for whom the table now looks otherwise: they are only told how it looks.

A new type of event, or a field with a default, needs no new number of the format. What this version does not know was
written by a later one, and is refused as such.
"""

from __future__ import annotations

import re

import msgspec
from msgspec import Struct

from paravent.dice import ParaventError
from paravent.game.plain import Plain

from .act import Act, Kept, Names, Passage, Progress, Sentence, ShownTo

FORMAT = 2
"""The version of the event format; earlier ones are brought over by :mod:`paravent.table.upcast`."""


class UnknownEvent(ParaventError):
    """A log holds an event that this version does not know: a later one wrote it."""

    code = "table/unknown-event"


class DamagedEvent(UnknownEvent):
    """A log holds an event that no version could have written."""

    code = "table/damaged-event"


WRITTEN = {
    "AnswerGiven": "answered", "SecrecySet": "grade-set", "SetSecrecy": "set-grade", "ThrowDice": "throw",
}
"""Names that logs and programs keep, of classes that have found a better one since."""


def _kebab(name: str) -> str:
    return WRITTEN.get(name) or re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()


class Event(Struct, frozen=True, kw_only=True, tag_field="type", tag=_kebab, forbid_unknown_fields=True, gc=False):
    """Something that happened: who did it (nobody, when it must not be known), when, and who may know."""

    format: int = FORMAT
    by: str = ""
    at: str = ""
    audience: Names = ("all",)
    touched: Names = ()
    back: bool = False
    """It takes something back: an undo."""
    chained: dict[str, str] = {}
    """By seat, the hash of what it was told so far: a chain of each seat's own lines."""


class OfOneGesture(Event, frozen=True, kw_only=True):
    """An event that may be part of one gesture: then one line of the log tells of it, and one undo takes it back."""

    together: bool = False
    """It goes with the event before it."""


def type_name(cls: type) -> str:
    """``SeatAdded`` is written ``seat-added``."""
    return _kebab(cls.__name__)


CONFIANCE, PRUDENCE, MENEUR = TRUSTS = ("confiance", "prudence", "meneur")
"""How far players are trusted: everything applies at once; what is grave waits; everything waits."""
BEFORE, AT_WILL = JUDGINGS = ("before", "at-will")
"""When the game master judges: before the dice, or if they want to."""


class House(Kept, frozen=True):
    """What the table itself chose, whatever its game: how far players are trusted, when the game master judges."""

    trust: str = PRUDENCE
    judging: str = BEFORE
    runs_on: bool = False
    """Where everything waits, what only keeps the table going does not; at tables of earlier versions it did."""


class TableOpened(Event, frozen=True, kw_only=True):
    """A table was opened for a game."""

    table: str
    name: str
    system: str
    version: str
    rulings: dict[str, str]
    lang: str = "fr"
    house: House = House()
    minutes: int = 0
    """Where its clock begins."""


class SeatAdded(Event, frozen=True, kw_only=True):
    """Somebody was given a place; the link that leads to it is kept only as a hash."""

    seat: str
    name: str
    rank: str = msgspec.field(name="grade")
    link: str


class SeatRenamed(Event, frozen=True, kw_only=True):
    """A participant goes by another name."""

    seat: str
    name: str
    before: str = ""


class LinkRenewed(Event, frozen=True, kw_only=True):
    """A seat has a new link; the old one opens nothing any more. A closed seat has none, and leaves the table."""

    seat: str
    link: str
    closed: bool = False


class SeatLeft(Event, frozen=True, kw_only=True):
    """A participant left: nothing waits for them, and the game master answers for what is theirs."""

    seat: str


class SeatReturned(Event, frozen=True, kw_only=True):
    """A participant who had left is back."""

    seat: str


class OptionsSet(Event, frozen=True, kw_only=True):
    """The game master settled options of the table."""

    rulings: dict[str, str]
    before: dict[str, str]


class HouseSet(Event, frozen=True, kw_only=True):
    """The game master said how the table plays: what follows by itself, and when they judge."""

    house: House
    before: House


class Sheet(Kept, frozen=True):
    """A record at the table, in plain values; ``version`` is that of its kind when it was written.

    ``aside`` keeps what the game no longer has a place for.
    """

    kind: str
    name: str
    sheet: dict[str, Plain]
    owner: str = ""
    seen_by: Names = ("all",)
    version: int = 1
    aside: dict[str, Plain] = {}
    picture: str = ""
    """The name of its picture."""


class RecordAdded(OfOneGesture, frozen=True, kw_only=True):
    """A character, an extra or a place came to the table."""

    record: str
    kind: str
    name: str
    sheet: dict[str, Plain]
    owner: str = ""
    seen_by: Names = ("all",)
    version: int = 1
    aside: dict[str, Plain] = {}
    picture: str = ""
    drawn: bool = False
    """It comes out of the game master's deck."""


class RecordChanged(OfOneGesture, frozen=True, kw_only=True):
    """A value of a record was corrected by hand, outside any move."""

    record: str
    path: str
    before: Plain
    after: Plain
    beyond: bool = False
    """The game master went beyond the rules."""
    marked: Names = ()
    """The seats that can tell so from what they see."""


class RecordsUpgraded(Event, frozen=True, kw_only=True):
    """Records of an earlier version of the game were brought along; and acts under way, with what they read of them."""

    records: dict[str, Sheet]
    before: dict[str, Sheet]
    acts: dict[int, Progress] = {}


class RecordsFollowed(Event, frozen=True, kw_only=True):
    """Records were kept in step with others that changed."""

    records: dict[str, Sheet]
    before: dict[str, Sheet]


class RecordShown(OfOneGesture, frozen=True, kw_only=True):
    """A record is seen by others than before."""

    record: str
    seen_by: Names
    before: Names


class RecordGiven(Event, frozen=True, kw_only=True):
    """Somebody else answers for a record now."""

    record: str
    owner: str
    before: str


class RecordRemoved(Event, frozen=True, kw_only=True):
    """A record left the table; the log keeps it whole, so that it can come back."""

    record: str
    kept: Sheet


class Said(OfOneGesture, frozen=True, kw_only=True):
    """Words: a message, a line of the story, a whisper, a handout, a private note. ``kind`` tells which."""

    kind: str
    text: str
    title: str = ""
    to: Names = ()


class CardPlayed(Event, frozen=True, kw_only=True):
    """The stop card was shown: by nobody, for everybody."""

    card: str = "stop"


class Backdrop(Kept, frozen=True):
    """The picture of a scene, by its name: who sees it, and in which scene; in another it is not seen."""

    picture: str = ""
    seen_by: Names = ("all",)
    scene: str = ""


class SceneBefore(Kept, frozen=True):
    """The scene and the episode that were, before another began."""

    scene: str = ""
    episode: str = ""
    backdrop: Backdrop = Backdrop()


class SceneOpened(Event, frozen=True, kw_only=True):
    """A scene or an episode begins."""

    kind: str
    title: str
    before: SceneBefore = SceneBefore()
    picture: str = ""
    """The name of its picture, seen by all."""
    prepared: str = ""
    """The scene that was prepared, if it was."""


class FirstAct(Kept, frozen=True):
    """What a prepared scene begins with: a move that is asked of these; of all whom somebody plays, where none is."""

    move: str
    of: Names = ()


class Prepared(Kept, frozen=True):
    """A scene that the game master prepares: what is read aloud, its picture, who comes in, what is shown, notes.

    Of the ``people``, who may be in the deck, the ``hidden`` ones come in behind the screen.
    """

    title: str
    text: str = ""
    picture: str = ""
    people: Names = ()
    documents: Names = ()
    note: str = ""
    played: bool = False
    hidden: Names = ()
    first: tuple[FirstAct, ...] = ()


class ScenePrepared(Event, frozen=True, kw_only=True):
    """The game master prepared a scene, wrote it anew, or played it; nobody else knows of it."""

    scene: str
    kept: Prepared
    before: Prepared | None = None


class SceneDropped(Event, frozen=True, kw_only=True):
    """The game master dropped a scene that they had prepared."""

    scene: str
    kept: Prepared


class PersonPutAside(Event, frozen=True, kw_only=True):
    """Somebody was put into the game master's deck; nobody else knows of it. They come out as a record."""

    person: str
    kept: Sheet


class PersonDropped(Event, frozen=True, kw_only=True):
    """Somebody was taken out of the deck for good; the log keeps them whole."""

    person: str
    kept: Sheet


class NotesKept(Event, frozen=True, kw_only=True):
    """Private notes were written: a seat's own, or, where ``about`` names a seat, the game masters' on a player."""

    text: str
    about: str = ""


class Draft(Kept, frozen=True):
    """Something that a seat is writing and has not handed in: for which act or kind of record, and its values."""

    seat: str
    of: str
    values: dict[str, Plain] = {}
    passages: dict[str, tuple[Passage, ...]] = {}
    act: int = 0


class DraftSaved(Event, frozen=True, kw_only=True):
    """What somebody is writing was kept, to be gone on with anywhere; without values, it was dropped."""

    draft: str
    kept: Draft


class Picture(Kept, frozen=True):
    """A picture, kept by the hash of its content: its size, what it shows in words, how large it is.

    The hash never leaves the table: its name, which tells nothing, is what the table and its seats know it by.
    """

    hash: str
    width: int
    height: int
    words: str = ""
    size: int = 0
    name: str = ""
    by: str = ""
    """The seat that brought it."""
    small: str = ""
    """The hash of the same picture, small."""


class PictureKept(Event, frozen=True, kw_only=True):
    """A picture was brought to the table; nobody sees it before it is put somewhere."""

    picture: Picture


class RecordPictured(Event, frozen=True, kw_only=True):
    """A record has another picture, or none."""

    record: str
    picture: str
    before: str = ""


class BackdropSet(Event, frozen=True, kw_only=True):
    """The scene has another picture, or the same is seen by others than before."""

    backdrop: Backdrop
    before: Backdrop = Backdrop()


class Document(Kept, frozen=True):
    """Something to read or to look at, on the shelf of those who may see it."""

    title: str
    text: str = ""
    picture: str = ""
    seen_by: Names = ("gm",)


class DocumentKept(Event, frozen=True, kw_only=True):
    """A document was put on the shelf, or written anew."""

    document: str
    kept: Document
    before: Document | None = None


class DocumentShown(OfOneGesture, frozen=True, kw_only=True):
    """A document is seen by others than before."""

    document: str
    seen_by: Names
    before: Names


class DocumentRemoved(Event, frozen=True, kw_only=True):
    """A document was taken off the shelf; the log keeps it whole."""

    document: str
    kept: Document


class FirstDay(Kept, frozen=True):
    """How the days of the story are counted: the name of its first day, and the minute at which it began."""

    begins: int = 0
    name: str = ""


class ClockSet(Event, frozen=True, kw_only=True):
    """The game master set the clock, or how its days are counted."""

    minutes: int
    before: int
    calendar: FirstDay | None = None


class Appointment(Kept, frozen=True):
    """Something that is to come at a minute of the table's clock, and who may know of it."""

    due: int
    words: str
    seen_by: Names = ("gm",)


class AppointmentSet(Event, frozen=True, kw_only=True):
    """The game master said what is to come, and when; or otherwise than before."""

    appointment: str
    kept: Appointment
    before: Appointment | None = None


class AppointmentDropped(Event, frozen=True, kw_only=True):
    """The game master dropped what was to come."""

    appointment: str
    kept: Appointment


class AppointmentCame(Event, frozen=True, kw_only=True):
    """The clock came to what was to come: those who may know of it are told."""

    appointment: str
    kept: Appointment


class Hourglass(Kept, frozen=True):
    """Time for a tense moment, in the world: how many seconds, until when, and for what."""

    seconds: int = 0
    until: str = ""
    words: str = ""


class HourglassTurned(Event, frozen=True, kw_only=True):
    """The game master turned the hourglass, or took it away."""

    hourglass: Hourglass
    before: Hourglass = Hourglass()


class EpisodeJoined(Event, frozen=True, kw_only=True):
    """A table that was opened as the next episode is joined to this one: what follows happened there.

    ``links`` are the hashes of the links by which its seats were known there: they lead here too.
    """

    table: str
    links: dict[str, str] = {}


class TableJoined(Event, frozen=True, kw_only=True):
    """This table was joined to another, which goes on for it."""

    into: str


class MoveEvent(Event, frozen=True, kw_only=True):
    """Something happened in an act: the parts of it that are new."""

    number: int
    then: Progress = Progress()


class MoveStarted(Event, frozen=True, kw_only=True):
    """A move was opened."""

    number: int
    act: Act


class FieldsFilled(MoveEvent, frozen=True, kw_only=True):
    """Something was filled in, openly or under seal; or somebody was brought in."""

    fields: Names = ()


class ThrowReady(MoveEvent, frozen=True, kw_only=True):
    """A throw's key is durable, and its hash may be shown; the roller's grain comes after."""

    step: str
    hash: str


class DiceThrown(MoveEvent, frozen=True, kw_only=True):
    """A rule was thrown, to its end or to where it waits for an answer."""

    step: str
    grain: str = msgspec.field(default="", name="nonce")


class AnswerGiven(MoveEvent, frozen=True, kw_only=True):
    """A choice in a rule, faces thrown by hand, or a window was answered. A hidden veto has no author."""


class MoveEnded(MoveEvent, frozen=True, kw_only=True):
    """A move ended: its changes accepted, or it was withdrawn, refused, cancelled."""

    phase: str


class MoveUndone(MoveEvent, frozen=True, kw_only=True):
    """The game master took back what a move changed; its dice stay listed."""


class DeadlineSet(MoveEvent, frozen=True, kw_only=True):
    """The game master said what happens to what is missing: wait for it, take what is usual, or cancel the move."""

    policy: str
    until: str = ""


class SecrecySet(MoveEvent, frozen=True, kw_only=True):
    """The game master said how much of a move's throws is shown at most, before they were thrown."""

    secrecy: str = msgspec.field(name="grade")


class ShownBefore(Kept, frozen=True):
    """How a throw was shown before it was turned over, and who knew of the move."""

    shown: ShownTo
    exists: Names = ("all",)
    tellings: tuple[Sentence, ...] = ()


class ThrowTurnedOver(MoveEvent, frozen=True, kw_only=True):
    """The game master shows a throw to others than its rule says, or takes that back: what was seen stays seen."""

    step: str
    before: ShownBefore | None = None


class Overheard(Event, frozen=True, kw_only=True):
    """What is said of a result to those who may not know of the throw, nor whose it is; why somebody objected."""

    told: tuple[Sentence, ...]


class Made(Kept, frozen=True):
    """A change that was made: on a record, the encounter of the act, the clock or the table itself.

    A record that it brings comes with its kind, in which version, its owner, who may see it, and what it is called.
    """

    target: str
    path: str
    before: Plain
    after: Plain
    rule: str = ""
    kind: str = ""
    owner: str = ""
    seen_by: Names | None = None
    name: str = ""
    version: int = 1
    weight: str = ""
    undone_by: str = ""


class Changed(Event, frozen=True, kw_only=True):
    """Records, an encounter or the clock changed, all at once: by a move, or by taking something back."""

    changes: tuple[Made, ...]
    move: int = 0
    encounter: int | None = None


class EncounterOpened(Event, frozen=True, kw_only=True):
    """Something that lasts began: a fight, a complex action, a journey."""

    number: int
    encounter: str
    state: Plain
    seen_by: Names = ("all",)


class EncounterEnded(Event, frozen=True, kw_only=True):
    """Something that lasted is over, by its own rules or because the game master says so."""

    number: int


class Corrected(OfOneGesture, frozen=True, kw_only=True):
    """The game master took back an earlier event; what was seen cannot be unseen, and the log says so."""

    what: str
    item: int


class GrainsPromised(Event, frozen=True, kw_only=True):
    """A seat's browser promised its next grains, a space between them: see :mod:`paravent.table.grains`."""

    seat: str
    promise: str


class GrainOpened(Event, frozen=True, kw_only=True):
    """A seat opened its grain for the throw whose key has this hash; nobody hears of it before the dice fall."""

    seat: str
    hash: str
    opened: str


ActEvent = (
    FieldsFilled | ThrowReady | DiceThrown | AnswerGiven | MoveEnded | MoveUndone | DeadlineSet | SecrecySet
    | ThrowTurnedOver
)
"""What happens in an act after it began."""
AnyEvent = (
    TableOpened | SeatAdded | SeatRenamed | LinkRenewed | SeatLeft | SeatReturned | OptionsSet | HouseSet | RecordAdded
    | RecordChanged | RecordsUpgraded | RecordsFollowed | RecordShown | RecordGiven | RecordRemoved | Said | CardPlayed
    | SceneOpened | ScenePrepared | SceneDropped | PersonPutAside | PersonDropped | NotesKept
    | AppointmentSet | AppointmentDropped | AppointmentCame | HourglassTurned | EpisodeJoined | TableJoined
    | DraftSaved | PictureKept | RecordPictured | BackdropSet | DocumentKept | DocumentShown | DocumentRemoved
    | ClockSet | MoveStarted | ActEvent | Overheard | Changed | EncounterOpened | EncounterEnded | Corrected
    | GrainsPromised | GrainOpened
)
"""Every type of event, as the codec tells them apart."""
ACT_EVENTS = (MoveStarted, MoveEvent)
"""Events that tell of an act."""
TYPES: dict[str, type[Event]] = {type_name(cls): cls for cls in AnyEvent.__args__}

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)


def written(happened: Event) -> str:
    """An event as the log keeps it."""
    return _encoder.encode(happened).decode()


def read(text: str | bytes) -> AnyEvent:
    """The event that :func:`written` wrote; what a later version wrote is refused as such, and so is what none did."""
    try:
        happened = _decoder.decode(text)
    except msgspec.DecodeError as error:
        raise _refusal(text, str(error)) from None
    if happened.format != FORMAT:
        raise (UnknownEvent if happened.format > FORMAT else DamagedEvent)(event=f"format {happened.format}")
    return happened


class _Named(Struct):
    """As much of an event as names it."""

    type: str = ""
    format: int = FORMAT


_named = msgspec.json.Decoder(_Named)
_NEW_FIELD = re.compile(r"unknown field `(.+?)`")
_NEW_VALUE = re.compile(r"Invalid (?:enum )?value '(.*?)'")


def _refusal(text: str | bytes, why: str) -> UnknownEvent:
    """Why an event cannot be read: something in it has a name that came later, or nobody ever wrote it so."""
    try:
        found = _named.decode(text)
    except msgspec.DecodeError:
        return DamagedEvent(event=why)
    if found.format > FORMAT:
        return UnknownEvent(event=f"format {found.format}")
    if found.type and found.type not in TYPES:
        return UnknownEvent(event=found.type)
    new = _NEW_FIELD.search(why) or _NEW_VALUE.search(why)
    return DamagedEvent(event=f"{found.type}: {why}") if new is None else UnknownEvent(event=f"{found.type}: {new[1]}")
