"""What the JSON interface takes and gives, described: these shapes are its documentation, and tests hold it to them."""

from __future__ import annotations

import dataclasses
import typing
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from paravent.game import Plain
from paravent.table.commands import COMMANDS, Command, written_name
from paravent.table.events import type_name
from paravent.table.limits import LONGEST_ID, LONGEST_NAME


class Shape(BaseModel):
    """A shape that may hold more than it says: what a game adds."""

    model_config = ConfigDict(extra="allow")


class Exactly(BaseModel):
    """What a program sends: nothing that is not described."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Refusal(BaseModel):
    """A refusal: a steady code to act on, a sentence to show."""

    code: str
    message: str


class SystemFacts(BaseModel):
    """A game installed."""

    id: str
    name: str
    tagline: str
    notice: str
    version: str
    moves: list[str]


class MoveFacts(BaseModel):
    """A move that a game declares."""

    title: str
    help: str
    by: str
    encounter: str | None
    roles: list[str]


class OptionFacts(BaseModel):
    """An option that a group may settle otherwise."""

    title: str
    question: str
    default: str
    values: dict[str, str]


class KindFacts(BaseModel):
    """A kind of record: its ready-made ones, and whether one can be drawn."""

    title: str
    ready: list[str]
    drawn: bool


class SystemWhole(BaseModel):
    """A game with all that can be done in it."""

    id: str
    name: str
    tagline: str
    notice: str
    version: str
    moves: dict[str, MoveFacts]
    options: dict[str, OptionFacts]
    kinds: dict[str, KindFacts]


class NewTable(Exactly):
    """A table to open."""

    system: str = Field(max_length=60)
    name: str = Field(max_length=LONGEST_NAME)
    game_master: str = Field(max_length=LONGEST_NAME)
    options: dict[str, str] | None = None
    lang: Literal["fr", "en"] | None = None


class TableMade(BaseModel):
    """A table just opened: the game master's seat and token, told once."""

    table: str
    seat: str
    token: str


class SeatShape(Shape):
    """Somebody at the table."""

    name: str
    grade: Literal["gm", "player", "spectator"]
    present: bool


class RecordShape(Shape):
    """A record, with those of its values that the seat may see."""

    kind: str
    name: str
    owner: str
    sheet: dict[str, Plain]


class MoveShape(Shape):
    """A move as the seat may see it."""

    number: int
    move: str
    phase: str
    cast: dict[str, str]
    fields: dict[str, dict[str, Plain]]
    waits_for: list[str]
    throws: list[dict[str, Plain]]
    changes: list[dict[str, Plain]]


class EncounterShape(Shape):
    """Something that lasts."""

    encounter: str
    state: Plain
    over: bool


class LogLine(Shape):
    """A line of the log: a move by its number, or what an event says; ``line`` is the seat's own name for it."""

    line: str
    type: str


class HouseShape(Shape):
    """How the table plays: what follows by itself, and when the game master judges."""

    trust: Literal["confiance", "prudence", "meneur"]
    judging: Literal["before", "at-will"]


class View(Shape):
    """The table as one seat may see it; ``last`` is the number of the last event that the seat was told."""

    table: str
    name: str
    system: str
    seat: str
    grade: Literal["gm", "player", "spectator"]
    seats: dict[str, SeatShape]
    rulings: dict[str, str]
    house: HouseShape
    minutes: int
    scene: str
    episode: str
    records: dict[str, RecordShape]
    moves: dict[str, MoveShape]
    encounters: dict[str, EncounterShape]
    log: list[LogLine]
    last: int


class Reply(BaseModel):
    """What the one who asked is told: where they stand now, what they made, links for others (told once)."""

    last: int | None = None
    links: dict[str, str]
    number: int | None = None
    record: str | None = None
    seat: str | None = None
    picture: str | None = None
    document: str | None = None
    scene: str | None = None


class AskForm(Exactly):
    """A move that one thinks of opening."""

    move: str = Field(max_length=60)
    cast: dict[str, list[str]] = Field(default_factory=dict, description="records by role")
    encounter: int | None = Field(None, ge=0, le=10**6)


class FieldShape(Shape):
    """A field as it is asked: its type, with bounds, options and usual value as far as the seat may know them."""

    actor: str
    field: str
    secrecy: str
    optional: bool
    type: str


class StartShape(Shape):
    """What a move would ask."""

    move: str
    by: str
    roles: list[dict[str, Plain]]
    fields: list[FieldShape]


class FormShape(Shape):
    """What an open move asks of the seat now."""

    number: int
    fields: list[FieldShape]


class OddsShape(Shape):
    """Exact chances, as fractions, of each outcome; ``when`` is a likely hidden value, or null."""

    when: Plain
    outcomes: dict[str, str]
    success: str | None = None


class OddsOfStep(BaseModel):
    """The odds of the step that a move has come to; ``alone``: of one's own throw, where the other's is hidden."""

    step: str
    alone: bool = False
    rows: list[OddsShape]


class OddsSeen(BaseModel):
    """Odds, or null where they would tell something hidden."""

    odds: OddsOfStep | None


class Difference(BaseModel):
    """The first throw that is not what it should be."""

    move: int
    step: str
    why: str


class Verification(BaseModel):
    """What the dice that a seat saw prove."""

    verified: int
    host_alone: int
    sealed: int
    by_hand: int
    unannounced: int
    begun_again: int
    given_up: int
    took_part: dict[str, int]
    account: str
    code: str
    differs: Difference | None
    replayed: int
    another_version: int
    amended: int
    unread: int
    depends: list[tuple[int, str]]
    codes: dict[str, str]
    without_own: int


class RecordFile(Shape):
    """A record as a file."""

    system: str
    kind: str


class PictureMade(BaseModel):
    """The name of a picture that was brought."""

    picture: str


class NewEpisode(Exactly):
    """A table to go on with."""

    title: str = Field(max_length=LONGEST_NAME)


class OtherTable(Exactly):
    """A table to join, by the game master's link to it."""

    link: str = Field(max_length=300)


class JoinedTable(Exactly):
    """The table that goes on for both."""

    table: str


class NextTable(TableMade):
    """The table of the next episode, and the new link of each seat."""

    links: dict[str, str]


MESSAGE: dict[str, Plain] = {
    "type": "object",
    "required": ["id", "event", "data"],
    "properties": {
        "id": {"type": "string", "pattern": "^[0-9]+$", "description": "the seat's own number of the event"},
        "event": {"type": "string", "description": "its type, or \"whole\" for a whole view"},
        "data": {"type": "string", "contentMediaType": "application/json"},
    },
}
"""A message of a stream of server-sent events."""


def schema_name(command: type[Command]) -> str:
    """The name under which a command is described."""
    return "".join(word.capitalize() for word in (*type_name(command).split("-"), "command"))


def command_schemas() -> dict[str, dict[str, Plain]]:
    """What each command holds, as JSON schemas; the seat is never sent, it comes from the link."""
    schemas: dict[str, dict[str, Plain]] = {}
    for name, command in COMMANDS.items():
        hints = typing.get_type_hints(command)
        values: dict[str, Any] = {"type": (Literal[name], ...), "id": (str, Field("", max_length=LONGEST_ID))}
        for field in dataclasses.fields(command):
            if field.name not in ("seat", "id"):
                values[written_name(field)] = (hints[field.name], _default(field))
        model = create_model(schema_name(command), __config__=ConfigDict(extra="forbid"), **values)
        schema = model.model_json_schema(ref_template="#/components/schemas/{model}")
        schemas[schema_name(command)] = schema | {"description": " ".join((command.__doc__ or "").split())}
    return schemas


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default is not dataclasses.MISSING:
        return field.default
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return ...
