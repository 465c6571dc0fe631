"""What one seat may see of a table, in typed values: what pages, the terminal and programs are given.

Nothing is hidden by leaving it blank: what a seat may not know is absent. Every number is the seat's own.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct, UnsetType, field, json

from paravent.game.plain import Plain


class Seen(Struct, frozen=True, omit_defaults=True, gc=False):
    """Something as one seat sees it."""


class DiceSeen(Seen, frozen=True):
    """Dice that lie open to the seat."""

    role: str
    sides: int
    faces: tuple[int, ...]
    by_hand: bool
    stream: tuple[str, ...] | UnsetType = UNSET
    again: tuple[int, ...] | UnsetType = UNSET
    """The places of those that were taken up and thrown again: they count no more."""


class NoteSeen(Seen, frozen=True):
    """A line of the explanation."""

    rule: str
    key: str
    values: dict[str, Plain]


class AnswerSeen(Seen, frozen=True):
    """An answer given inside a rule."""

    who: str
    key: str
    answer: Plain


class TellingSeen(Seen, frozen=True):
    """What is said of a result; the main one tells the whole of it."""

    key: str
    values: dict[str, Plain]
    main: bool = False
    rung: str | UnsetType = UNSET
    """Of which possible end it tells, before the dice."""
    lights: str | UnsetType = UNSET
    """The end that came."""
    behind: bool | UnsetType = UNSET
    """Whether a rung is told behind the screen."""
    at: tuple[str, ...] | UnsetType = UNSET
    """The places of a body that it happened at."""


class GrainSeen(Seen, frozen=True):
    """A seat that takes part in a throw: what it promised, what it opened; or that it did not answer, and is out."""

    seat: str
    promise: str
    opened: str | UnsetType = UNSET
    left_out: bool | UnsetType = UNSET


class Proof(Seen, frozen=True):
    """What proves a throw: the hash of its key; its grain; the key once all its dice lie open to the seat.

    ``grains`` are the seats that take part, ``holder`` the one whose grain comes with the throw, ``begun_again`` how
    many keys were given up before this one.
    """

    step: str
    hash: str
    grain: str | UnsetType = field(default=UNSET, name="nonce")
    key: str | UnsetType = UNSET
    grains: tuple[GrainSeen, ...] | UnsetType = UNSET
    holder: str | UnsetType = UNSET
    begun_again: int | UnsetType = UNSET


class ThrowSeen(Seen, frozen=True):
    """A throw, as far as the seat may see it."""

    step: str
    told: tuple[TellingSeen, ...] | UnsetType = UNSET
    dice: tuple[DiceSeen, ...] | UnsetType = UNSET
    why: tuple[NoteSeen, ...] | UnsetType = UNSET
    answers: tuple[AnswerSeen, ...] | UnsetType = UNSET
    outcome: str | UnsetType = UNSET
    result: Plain | UnsetType = UNSET
    success: bool | UnsetType = UNSET
    proof: Proof | UnsetType | None = UNSET
    """Of a throw that was taken back, what proves it."""


class ChangeSeen(Seen, frozen=True):
    """A change that an act proposes or made; what weighs nothing but the table's own bookkeeping is none."""

    target: str
    path: str
    before: Plain
    after: Plain
    rule: str
    weight: str | UnsetType = UNSET
    """What it weighs at this table, where that was worked out: ``certain`` or ``grave``."""
    waits: bool | UnsetType = UNSET
    """Whether it waits for the game master's word."""
    at: int | UnsetType = UNSET
    """To the game master, its place among all that the act changes, by which it is amended or refused."""


class ChoiceSeen(Seen, frozen=True):
    """A question that a rule asks the seat, and what is at stake."""

    key: str
    options: tuple[Plain, ...]
    values: dict[str, Plain] = {}


class DiceWanted(Seen, frozen=True):
    """Dice that the seat is to throw by hand."""

    n: int
    sides: int


class DeadlineSeen(Seen, frozen=True):
    """What becomes of what is missing, and when."""

    policy: str
    until: str
    by: str


class VersionsSeen(Seen, frozen=True):
    """The version of the rules that an act was begun with, and the one that is played now."""

    before: str
    now: str


class MoveSeen(Seen, frozen=True):
    """An act as the seat sees it."""

    number: int
    starter: str
    move: str
    phase: str
    cast: dict[str, str]
    fields: dict[str, dict[str, Plain]]
    waits_for: tuple[str, ...]
    throws: tuple[ThrowSeen, ...]
    changes: tuple[ChangeSeen, ...]
    proofs: tuple[Proof, ...]
    secrecy: str | UnsetType = field(default=UNSET, name="grade")
    choice: ChoiceSeen | UnsetType = UNSET
    dice: DiceWanted | UnsetType = UNSET
    encounter: int | UnsetType = UNSET
    deadline: DeadlineSeen | UnsetType = UNSET
    rule_changed: VersionsSeen | UnsetType = UNSET
    undone_throws: tuple[ThrowSeen, ...] | UnsetType = UNSET
    judgement: bool | UnsetType = UNSET
    """Whether the game master is awaited to judge, before the dice."""

    @property
    def is_open(self) -> bool:
        """Whether something may still be done about it, or applied."""
        return self.phase in ("open", "settled")


class PictureSeen(Seen, frozen=True):
    """A picture: the name that it is asked for by, its size, what it shows in words."""

    name: str
    width: int
    height: int
    words: str


class DocumentSeen(Seen, frozen=True):
    """A document on the seat's shelf; to the game master, who else sees it."""

    title: str
    text: str
    picture: PictureSeen | UnsetType = UNSET
    seen_by: tuple[str, ...] | UnsetType = UNSET


class PreparedSeen(Seen, frozen=True):
    """A scene that was prepared, for the game master."""

    title: str
    text: str
    people: tuple[str, ...]
    documents: tuple[str, ...]
    note: str
    picture: PictureSeen | UnsetType = UNSET
    played: bool = False
    hidden: tuple[str, ...] = ()
    """Those of the people who come in behind the screen."""
    first: dict[str, tuple[str, ...]] = {}
    """Moves that are asked at once, and of whom."""


class AppointmentSeen(Seen, frozen=True):
    """Something that is to come on the table's clock; to the game master, who else knows of it."""

    due: int
    words: str
    seen_by: tuple[str, ...] | UnsetType = UNSET


class HourglassSeen(Seen, frozen=True):
    """The hourglass that runs: how many seconds it was turned for, until when, and for what."""

    seconds: int
    until: str
    words: str


class BackdropSeen(Seen, frozen=True):
    """The picture of the scene; to the game master, who sees it."""

    picture: PictureSeen
    seen_by: tuple[str, ...] | UnsetType = UNSET


class RecordSeen(Seen, frozen=True):
    """A record, with what the seat may see of its sheet; to the game master, who else sees it."""

    kind: str
    name: str
    owner: str
    sheet: dict[str, Plain]
    seen_by: tuple[str, ...] | UnsetType = UNSET
    aside: dict[str, Plain] | UnsetType = UNSET
    """To the game master, what the game no longer has a place for."""
    unread: bool | UnsetType = UNSET
    """The game does not read it: a later version wrote it, or nobody's."""
    picture: PictureSeen | UnsetType = UNSET


class EncounterSeen(Seen, frozen=True):
    """An encounter, with what the seat may see of its state."""

    encounter: str
    state: dict[str, Plain]
    over: bool
    told: tuple[TellingSeen, ...] = ()
    """What is said of how it stands."""


class SeatSeen(Seen, frozen=True):
    """Somebody's place at the table."""

    name: str
    rank: str = field(name="grade")
    present: bool


class LineSeen(Seen, frozen=True):
    """A line of the log: what happened, and of that what may be read; an act's line is drawn from the act."""

    type: str
    line: str | UnsetType = UNSET
    """Its name, for as long as it is read."""
    number: int | UnsetType = UNSET
    at: str | UnsetType = UNSET
    by: str | UnsetType = UNSET
    undone: bool | UnsetType = UNSET
    item: int | UnsetType = UNSET
    beyond: bool | UnsetType = UNSET
    name: str | UnsetType = UNSET
    system: str | UnsetType = UNSET
    seat: str | UnsetType = UNSET
    before: Plain | UnsetType = UNSET
    after: Plain | UnsetType = UNSET
    rulings: dict[str, str] | UnsetType = UNSET
    record: str | UnsetType = UNSET
    kind: str | UnsetType = UNSET
    owner: str | UnsetType = UNSET
    path: str | UnsetType = UNSET
    text: str | UnsetType = UNSET
    title: str | UnsetType = UNSET
    to: tuple[str, ...] | UnsetType = UNSET
    card: str | UnsetType = UNSET
    encounter: str | UnsetType = UNSET
    step: str | UnsetType = UNSET
    what: str | UnsetType = UNSET
    told: tuple[TellingSeen, ...] | UnsetType = UNSET
    house: dict[str, str] | UnsetType = UNSET
    picture: PictureSeen | UnsetType = UNSET
    document: str | UnsetType = UNSET
    more: tuple[LineSeen, ...] | UnsetType = UNSET
    """What happened with it in one gesture, and is told in the same line."""


class HouseSeen(Seen, frozen=True):
    """How the table plays: how far players are trusted, when the game master judges."""

    trust: str
    judging: str


class TableSeen(Seen, frozen=True):
    """A whole table as one seat sees it."""

    table: str
    name: str
    system: str
    seat: str
    rank: str = field(name="grade")
    seats: dict[str, SeatSeen]
    rulings: dict[str, str]
    minutes: int
    scene: str
    episode: str
    records: dict[str, RecordSeen]
    moves: dict[int, MoveSeen]
    encounters: dict[int, EncounterSeen]
    log: tuple[LineSeen, ...]
    last: int
    house: HouseSeen
    timers: dict[str, Plain] | UnsetType = UNSET
    backdrop: BackdropSeen | UnsetType = UNSET
    documents: dict[str, DocumentSeen] | UnsetType = UNSET
    prepared: dict[str, PreparedSeen] | UnsetType = UNSET
    deck: dict[str, RecordSeen] | UnsetType = UNSET
    """The people whom the game master may draw."""
    notes: dict[str, str] | UnsetType = UNSET
    """The seat's private notes, under its own name; a game master's on others, under theirs."""
    appointments: dict[str, AppointmentSeen] | UnsetType = UNSET
    hourglass: HourglassSeen | UnsetType = UNSET


def plainly(seen: Struct) -> dict[str, Any]:
    """What a seat sees, as programs are given it: mappings, lists, numbers and words."""
    told: dict[str, Any] = json.decode(json.encode(seen))
    return told


def is_sealed(value: Plain) -> bool:
    """Whether this is what stands for a sealed field in a seat's eyes."""
    return isinstance(value, dict) and value.get("sealed") is True
