"""The JSON interface: everything the pages do, for programs.

A seat's link token is sent as ``Authorization: Bearer …``. Answers hold only what that seat may see. A refusal has a
status, a steady code and a sentence in the reader's language (``lang``, or ``Accept-Language``).
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import suppress
from tempfile import SpooledTemporaryFile
from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, FastAPI, Header, Path, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from fastapi.responses import JSONResponse, Response, StreamingResponse
from fastapi.security import HTTPBearer

from paravent.dice import ParaventError
from paravent.game import UnknownName, find_system, system_names
from paravent.game.errors import BrokenSystem
from paravent.game.telling import Teller
from paravent.game.words import LANGUAGES
from paravent.table import command_from_json
from paravent.table.commands import COMMANDS
from paravent.table.deciding import link_hash
from paravent.table.host import BadLink, Host
from paravent.table.limits import LONGEST_DESCRIPTION
from paravent.table.live import Report
from paravent.table.longlog import together
from paravent.table.pictures import MEDIA_TYPE
from paravent.table.seen import plainly

from . import schemas as s
from .bring import IN_MEMORY, Porter
from .page import accepted_by
from .security import Doorkeeper
from .streams import Stream, room_for
from .threshold import threshold_of

router = APIRouter(prefix="/api", tags=["paravent"])
described = APIRouter(prefix="/api", tags=["paravent"])
"""What is answered without FastAPI, for its description alone."""
NDJSON = "application/x-ndjson"
HELLO = ": hello\n\n"


def host_of(request: Request) -> Host:
    """The tables that this server keeps."""
    host: Host = request.app.state.host
    return host


def porter_of(request: Request) -> Porter:
    """Who lets tables in."""
    porter: Porter = request.app.state.porter
    return porter


class TooManyGuesses(ParaventError):
    """Too many links that open nothing were tried from this address."""

    code = "table/too-many-guesses"


async def seat_of(request: Request, link: str) -> tuple[str, str]:
    """The table and seat behind a link, given by its hash; guessing is slowed down."""
    keeper: Doorkeeper = request.app.state.doorkeeper
    address = request.client.host if request.client else ""
    if not keeper.may_try(address, link):
        raise TooManyGuesses()
    try:
        found = await host_of(request).led_to(link)
    except BadLink:
        keeper.failed(address, link)
        raise
    keeper.opened(link)
    return found


class Guest:
    """Who is asking: the table, the seat, and the hash of the link that led there."""

    def __init__(self, host: Host, table: str, seat: str, link: str) -> None:
        self.host, self.table, self.seat, self.link = host, table, seat, link


class Door(HTTPBearer):
    """Where a token is shown: the description tells of it, and it gives the seat that the token opens."""

    async def __call__(self, request: Request) -> Guest:  # type: ignore[override]
        """The seat whose token was sent."""
        sent = await super().__call__(request)
        if sent is None:
            raise BadLink()
        link = link_hash(sent.credentials)
        table, seat = await seat_of(request, link)
        request.state.system = (await host_of(request).live(table)).system
        return Guest(host_of(request), table, seat, link)


_door = Door(scheme_name="HTTPBearer", auto_error=False, description="the token of a seat's link")
Seated = Annotated[Guest, Depends(_door)]
Lang = Annotated[str | None, Query(pattern="^(fr|en)$", description="the language of sentences: fr or en")]
LONGEST_ACCEPTED = 200
AcceptLanguage = Annotated[
    str | None, Header(max_length=LONGEST_ACCEPTED, description="used where lang is not given")
]
MoveNumber = Annotated[int, Path(ge=1, le=10**6, description="the seat's own number of an open move")]


def lang_asked(request: Request) -> str:
    """The language asked for: in the address, else the first of ours that the reader accepts, else French."""
    asked = request.query_params.get("lang", "")
    return next((name for name in (asked, *accepted_by(request)) if name in LANGUAGES), LANGUAGES[0])


# Refusals

STATUS = {
    "table/bad-link": 401, "table/too-many-guesses": 429, "table/no-such-table": 404, "table/moved": 404,
    "form/unknown": 404,
    "table/only-gm": 403, "table/only-players": 403, "table/not-yours": 403, "table/not-now": 409,
    "table/nobody-chosen": 409, "table/no-part": 409, "table/already-applied": 409,
    "table/already-thrown": 409, "table/rule-changed": 409, "table/stale": 409, "table/nothing-to-undo": 409,
    "table/game-missing": 409,
    "table/last-gm": 409, "table/too-long": 413, "table/too-large": 413, "table/too-deep": 413,
    "table/large-picture": 413, "table/no-room-for-pictures": 409, "table/name-taken": 409, "table/too-many": 409,
    "web/not-our-form": 403, "web/door-shut": 403, "web/wrong-word": 403, "web/too-many-tables": 429,
    "web/too-many-streams": 429,
    "web/too-many-imports": 429, "table/sealed-in-play": 409, "table/behind-screen": 409,
    "table/blind-throw": 409,
}
OUT_OF_ORDER = ("store/busy", "store/failed", "store/unreachable", "store/closed", "store/error")
MEANINGS = {
    401: "the link opens nothing (table/bad-link)", 403: "not for this seat", 404: "unknown name", 409: "not now",
    413: "too long", 422: "it cannot be read, or a rule of the game forbids it",
    429: "too many wrong links, imports, tables or streams",
    503: "the log cannot be written or read just now; nothing was done",
}


def status_of(error: ParaventError) -> int:
    """The HTTP status that goes with a refusal."""
    return 503 if error.code in OUT_OF_ORDER else STATUS.get(error.code, 422)


def answer_error(request: Request, error: ParaventError) -> JSONResponse:
    """A refusal, answered."""
    teller = Teller(lang_asked(request), getattr(request.state, "system", None))
    status = status_of(error)
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else None
    return JSONResponse({"code": error.code, "message": teller.error(error)}, status, headers)


def answer_status(request: Request, status: int) -> JSONResponse:
    """A refusal that comes before any table is asked: no such address, a body that cannot be read."""
    key = f"web.status.{status}" if Teller("fr").words.knows(f"web.status.{status}") else "web.status.other"
    return JSONResponse({"code": f"http/{status}", "message": Teller(lang_asked(request)).say(key)}, status)


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The refusals that an address documents."""
    return {status: {"model": s.Refusal, "description": MEANINGS[status]} for status in sorted({*statuses, 503})}


_SEATED = refusals(401, 422, 429)
_ASKED = refusals(401, 403, 404, 409, 413, 422, 429)


# Games


def _system_facts(name: str, lang: str) -> dict[str, Any]:
    system = find_system(name)
    teller = Teller(lang, system)
    return {"id": name, "name": teller.say("system.name"), "tagline": teller.say("system.tagline"),
            "notice": system.notice.get(lang, ""), "moves": list(system.moves), "version": system.version}


@router.get("/systems", responses=refusals(422))
async def systems(request: Request, lang: Lang = None, accept_language: AcceptLanguage = None) -> list[s.SystemFacts]:
    """The games installed; one that does not load is left out."""
    found = []
    for name in system_names():
        with suppress(BrokenSystem):
            found.append(s.SystemFacts(**_system_facts(name, lang_asked(request))))
    return found


@router.get("/systems/{name}", responses=refusals(404, 422))
async def one_system(
    request: Request, name: Annotated[str, Path(max_length=60)], lang: Lang = None,
    accept_language: AcceptLanguage = None,
) -> s.SystemWhole:
    """A game: what can be done in it, its kinds of records, its options."""
    said, system = lang_asked(request), find_system(name)
    teller = Teller(said, system)
    moves = {
        move.id: s.MoveFacts(title=teller.title(f"moves.{move.id}"), help=teller.help(f"moves.{move.id}"), by=move.by,
                             encounter=move.encounter, roles=[role.id for role in move.cast])
        for move in system.moves.values()
    }
    options = {
        key: s.OptionFacts(title=option.title[said], question=option.question[said], default=option.default,
                           values={value: option.words[value][said] for value in option.values})
        for key, option in system.book.options.items()
    }
    kinds = {
        kind.id: s.KindFacts(title=teller.title(f"kinds.{kind.id}"), ready=list(kind.ready(said)),
                             drawn=kind.draw is not None)
        for kind in system.kinds.values()
    }
    facts = _system_facts(name, said) | {"moves": moves}
    return s.SystemWhole(**facts, options=options, kinds=kinds)


@router.get("/commands", responses=refusals(422))
async def commands() -> dict[str, str]:
    """The commands a table takes, each with a sentence; their values are described with ``POST /table/commands``."""
    return {name: " ".join((command.__doc__ or "").split()) for name, command in COMMANDS.items()}


# Tables


@router.post("/tables", status_code=201, responses=refusals(403, 404, 413, 422, 429))
async def open_table(
    request: Request, asked: s.NewTable, lang: Lang = None, accept_language: AcceptLanguage = None
) -> s.TableMade:
    """Open a table; the game master's token is told here and nowhere else. A server that has a door word wants it in
    the header ``X-Door-Word``, here and for ``import``."""
    threshold_of(request).check(request)
    said = asked.lang or lang_asked(request)
    entry = await host_of(request).open(asked.system, asked.name, asked.game_master, asked.options, said)
    return s.TableMade(table=entry.table, seat=entry.seat, token=entry.token)


@router.get("/table", responses={200: {"model": s.View}, **_SEATED})
async def table(guest: Seated, lang: Lang = None, accept_language: AcceptLanguage = None) -> JSONResponse:
    """The table as the token's seat may see it."""
    return JSONResponse(plainly(await guest.host.view(guest.table, guest.seat)))


@described.post("/table/commands", responses={200: {"model": s.Reply}, **_ASKED})
async def do(
    guest: Seated, command: Annotated[dict[str, Any], Body()], lang: Lang = None,
    accept_language: AcceptLanguage = None,
) -> None:
    """Do what a command asks; asked again with the same ``id``, it answers as it did, without the links."""


async def do_at_once(request: Request) -> JSONResponse:
    """What is described just above, read by hand: commands are what everybody waits for."""
    guest = await _door(request)
    try:
        command = json.loads(await request.body())
    except (ValueError, RecursionError):
        command = None
    if not isinstance(command, dict) or not _as_described(request):
        raise RequestValidationError(())
    return JSONResponse(await guest.host.do(guest.table, command_from_json(command, guest.seat), guest.link))


def _as_described(request: Request) -> bool:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    accepted = request.headers.get("accept-language", "")
    return kind == "application/json" and len(accepted) <= LONGEST_ACCEPTED and (
        request.query_params.get("lang", LANGUAGES[0]) in LANGUAGES)


@router.post("/table/forms", responses={200: {"model": s.StartShape}, **_ASKED})
async def start_form(
    guest: Seated, asked: s.AskForm, lang: Lang = None, accept_language: AcceptLanguage = None
) -> JSONResponse:
    """What a move would ask, before it is opened: its roles, and its fields for this cast. Nothing is opened."""
    form = await guest.host.start_form(guest.table, guest.seat, asked.move, asked.cast, asked.encounter)
    return JSONResponse(form)


@router.get("/table/moves/{number}/form", responses={200: {"model": s.FormShape}, **_ASKED})
async def move_form(
    guest: Seated, number: MoveNumber, lang: Lang = None, accept_language: AcceptLanguage = None
) -> JSONResponse:
    """What an open move asks of this seat now: fields with their bounds and options, a window, a throw."""
    return JSONResponse(await guest.host.form(guest.table, guest.seat, number))


@router.get("/table/moves/{number}/odds", responses={200: {"model": s.OddsSeen}, **_ASKED})
async def move_odds(
    guest: Seated, number: MoveNumber, policy: Annotated[str, Query(max_length=40)] = "usual", lang: Lang = None,
    accept_language: AcceptLanguage = None,
) -> JSONResponse:
    """The exact odds of what comes next in an open move, from what the seat may see; null where they are withheld."""
    return JSONResponse({"odds": await guest.host.odds(guest.table, guest.seat, number, policy)})


@router.get(
    "/table/events", response_class=Response,
    responses={200: {"content": {"text/event-stream": {"schema": s.MESSAGE}},
                     "description": "one message for each event that the seat is told of"}, **_SEATED},
)
async def events(
    guest: Seated,
    last_event_id: Annotated[int | None, Header(alias="Last-Event-ID", ge=0, le=10**9)] = None,
    wait: Annotated[bool, Query(description="false: what was missed, then the end")] = True,
    lang: Lang = None, accept_language: AcceptLanguage = None,
) -> Response:
    """What the seat is told, as it happens; ``Last-Event-ID`` resumes. Ids are the seat's own, without gaps.

    Where what was missed is no longer at hand, one message of type ``whole`` holds the view. The stream ends when the
    seat's link is renewed or revoked.
    """
    live, seat = await guest.host.live(guest.table), guest.seat
    last = live.state.counts_of(seat).events if last_event_id is None else last_event_id

    def news() -> str | None:
        nonlocal last
        if not guest.host.admits(live, seat, guest.link):
            return None
        told = live.news(seat, last)
        if told:
            last = told[-1].id
        return "".join([_message(number, report) for number, report in told])

    if not wait:
        return Response(HELLO + (news() or ""), media_type=Stream.media_type)
    room_for(live, seat)
    return Stream(live, news, HELLO, present=live.listening(guest.seat))


def _message(number: int, report: Report) -> str:
    """One message: its number is the seat's own, the rest is shared with all who are told the same."""
    return f'id: {number}\nevent: {report.values["type"]}\ndata: {{"id": {number}, {report.text[1:]}\n\n'


# Pictures

BYTES = "application/octet-stream"


@router.post(
    "/table/pictures", status_code=201, responses=_ASKED,
    openapi_extra={"requestBody": {"required": True, "content": {BYTES: {"schema": {
        "type": "string", "format": "binary"}}}}},
)
async def keep_picture(
    request: Request, guest: Seated,
    words: Annotated[str, Query(max_length=LONGEST_DESCRIPTION, description="what it shows")] = "",
    lang: Lang = None, accept_language: AcceptLanguage = None,
) -> s.PictureMade:
    """Bring a picture, sent as it is (JPEG, PNG, WebP or GIF); its name puts it somewhere by ``set-picture``,
    ``set-backdrop`` or ``keep-document``. Nobody sees it before."""
    name = await guest.host.keep_picture(guest.table, guest.seat, await request.body(), words, guest.link)
    return s.PictureMade(picture=name)


@router.get(
    "/table/pictures/{name}", response_class=Response,
    responses={200: {"content": {MEDIA_TYPE: {"schema": {"type": "string", "format": "binary"}}},
                     "description": "the picture"}, **_ASKED},
)
async def picture(
    guest: Seated, name: Annotated[str, Path(max_length=64)],
    small: Annotated[bool, Query(description="a small one, for a portrait")] = False, lang: Lang = None,
    accept_language: AcceptLanguage = None,
) -> Response:
    """A picture that this seat may see, by its name; of one that it may not, it is told what it is told of none."""
    content = await guest.host.picture(guest.table, guest.seat, name, small)
    if content is None:
        raise UnknownName("picture", name, ())
    return Response(content, media_type=MEDIA_TYPE, headers={"Cache-Control": "private, no-store"})


# Tables as files


@router.get(
    "/table/export", response_class=Response,
    responses={200: {"content": {NDJSON: {"schema": {"type": "string"}}}, "description": "one JSON object a line"},
               **_ASKED},
)
async def export(
    guest: Seated, whole: Annotated[bool, Query(description="for a game master: all that may be imported")] = False,
    lang: Lang = None, accept_language: AcceptLanguage = None,
) -> Response:
    """The table as this seat saw it, or whole for a game master, as JSON lines; ``paravent verify`` reads both."""
    return as_lines(await guest.host.exported(guest.table, guest.seat, whole), NDJSON)


def as_lines(lines: AsyncIterator[str], kind: str, **headers: str) -> Response:
    """Lines, sent as they are made."""
    return StreamingResponse(together(lines), media_type=kind, headers=headers)


@router.get("/table/verification", responses={200: {"model": s.Verification}, **_SEATED})
async def verification(guest: Seated, lang: Lang = None, accept_language: AcceptLanguage = None) -> JSONResponse:
    """Whether the dice that this seat saw follow from keys and grains that were promised before they were thrown, and
    who took part."""
    verdict = await guest.host.proved(guest.table, guest.seat)
    differs = None if verdict.differs is None else verdict.differs._asdict()
    return JSONResponse(verdict._asdict() | {"differs": differs})


@router.get("/table/records/{record}", responses={200: {"model": s.RecordFile}, **_ASKED})
async def record_file(
    guest: Seated, record: Annotated[str, Path(max_length=60)], lang: Lang = None,
    accept_language: AcceptLanguage = None,
) -> JSONResponse:
    """One record as a file, with what this seat may see of it; ``add-record`` brings it to another table."""
    return JSONResponse(await guest.host.record_file(guest.table, guest.seat, record))


@router.post("/table/next-episode", status_code=201, responses=_ASKED)
async def next_episode(
    guest: Seated, asked: s.NewEpisode, lang: Lang = None, accept_language: AcceptLanguage = None
) -> s.NextTable:
    """A new table with the same people, records, options and time; a new link for each seat, told once."""
    entry, links = await guest.host.next_episode(guest.table, guest.seat, asked.title)
    return s.NextTable(table=entry.table, seat=entry.seat, token=entry.token, links=links)


@router.post("/table/join", responses=_ASKED)
async def join(
    guest: Seated, asked: s.OtherTable, lang: Lang = None, accept_language: AcceptLanguage = None
) -> s.JoinedTable:
    """Join a table that was opened as the next episode, by the game master's link to it; old links lead there."""
    token = asked.link.rstrip("/").rpartition("/")[2]
    return s.JoinedTable(table=await guest.host.join(guest.table, guest.seat, token))


@router.post(
    "/tables/import", status_code=201, responses=refusals(403, 404, 409, 413, 422, 429),
    openapi_extra={"requestBody": {"required": True, "content": {NDJSON: {"schema": {"type": "string"}}}}},
)
async def bring(request: Request, lang: Lang = None, accept_language: AcceptLanguage = None) -> s.TableMade:
    """Open a table from a whole export, sent as it is: one JSON object a line, 256 MiB at most."""
    threshold_of(request).check(request)
    porter_of(request).check(request)
    with SpooledTemporaryFile(max_size=IN_MEMORY) as kept:
        async for part in request.stream():
            kept.write(part)
        kept.seek(0)
        entry = await porter_of(request).bring(host_of(request), kept)
    return s.TableMade(table=entry.table, seat=entry.seat, token=entry.token)


# The description


def describe(app: FastAPI) -> None:
    """Complete the OpenAPI description with what each command holds."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            told = get_openapi(title=app.title, version=app.version, description=app.description,
                               routes=[*app.routes, *described.routes])
            parts = told["components"]["schemas"]
            parts.update(s.command_schemas())
            mapping = {name: f"#/components/schemas/{s.schema_name(cls)}" for name, cls in COMMANDS.items()}
            parts["Command"] = {
                "oneOf": [{"$ref": ref} for ref in mapping.values()],
                "discriminator": {"propertyName": "type", "mapping": mapping},
            }
            body = told["paths"]["/api/table/commands"]["post"]["requestBody"]
            body["content"]["application/json"]["schema"] = {"$ref": "#/components/schemas/Command"}
            for name in ("HTTPValidationError", "ValidationError"):
                parts.pop(name, None)
            app.openapi_schema = told
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]
