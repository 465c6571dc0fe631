"""The JSON interface: everything the pages do, for programs.

A seat's link token is sent as ``Authorization: Bearer …``. Answers hold only what that seat may see.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Body, Header, Path, Query, Request
from fastapi.responses import JSONResponse, StreamingResponse

from paravent.dice import ParaventError, fraction_text
from paravent.game import find_system, system_names
from paravent.game.telling import Teller
from paravent.game.view import odds_seen
from paravent.table import command_from_json
from paravent.table.commands import COMMANDS
from paravent.table.decide import seat_number
from paravent.table.host import BadLink, Host

from .desk import session_over
from .security import Limiter

router = APIRouter(prefix="/api", tags=["paravent"])
Token = Annotated[str, Header(alias="Authorization", description="Bearer, then the token of a seat's link")]
guesses = Limiter(tries=30, seconds=60)


def host_of(request: Request) -> Host:
    """The tables that this server keeps."""
    host: Host = request.app.state.host
    return host


def refusal(error: ParaventError, lang: str, teller: Teller | None = None) -> dict[str, Any]:
    """A refusal as a steady code and a sentence."""
    return {"code": error.code, "message": (teller or Teller(lang)).error(error)}


class TooManyGuesses(ParaventError):
    """Too many links that open nothing were tried from this address."""

    code = "table/too-many-guesses"


async def seat_of(request: Request, token: str) -> tuple[str, str]:
    """The table and seat behind a bearer token; guessing is slowed down."""
    address = request.client.host if request.client else ""
    try:
        return await host_of(request).enter(token.removeprefix("Bearer ").strip())
    except BadLink:
        if not guesses.allows(address):
            raise TooManyGuesses() from None
        raise


STATUS = {
    "table/bad-link": 401, "table/too-many-guesses": 429, "table/no-such-table": 404, "form/unknown": 404,
    "table/only-gm": 403, "table/only-players": 403, "table/not-yours": 403, "table/not-now": 409,
    "table/already-thrown": 409, "table/rule-changed": 409, "table/too-long": 413,
}


def status_of(error: ParaventError) -> int:
    """The HTTP status that goes with a refusal."""
    return STATUS.get(error.code, 422)


def answer_error(request: Request, error: ParaventError) -> JSONResponse:
    """A refusal, answered."""
    lang = request.query_params.get("lang", "fr")
    return JSONResponse(refusal(error, lang), status_of(error))


Refusals: dict[int | str, dict[str, Any]] = {
    status: {"description": "a refusal: a steady code and a sentence"} for status in (401, 403, 404, 409, 413, 422, 429)
}


@router.get("/systems")
async def systems(lang: Annotated[str, Query(pattern="^(fr|en)$")] = "fr") -> list[dict[str, Any]]:
    """The games installed."""
    found = []
    for name in system_names():
        system = find_system(name)
        teller = Teller(lang, system)
        found.append({"id": name, "name": teller.say("system.name"), "tagline": teller.say("system.tagline"),
                      "notice": system.notice.get(lang, ""), "moves": list(system.moves), "version": system.version})
    return found


@router.post("/tables", status_code=201, responses=Refusals)
async def open_table(
    request: Request,
    system: Annotated[str, Body(max_length=60)],
    name: Annotated[str, Body(max_length=60)],
    game_master: Annotated[str, Body(max_length=60)],
    options: Annotated[dict[str, str] | None, Body()] = None,
    lang: Annotated[str, Body(pattern="^(fr|en)$")] = "fr",
) -> dict[str, str]:
    """Open a table; the game master's token is told here and nowhere else."""
    entry = await host_of(request).open(system, name, game_master, options, lang)
    return {"table": entry.table, "seat": entry.seat, "token": entry.token}


@router.get("/table", responses=Refusals)
async def table(request: Request, token: Token) -> dict[str, Any]:
    """The table as the token's seat may see it."""
    at, seat = await seat_of(request, token)
    return await host_of(request).view(at, seat)


@router.get("/commands")
async def commands() -> dict[str, str]:
    """The commands a table takes, each with a sentence."""
    return {name: (command.__doc__ or "").strip() for name, command in COMMANDS.items()}


@router.post("/table/commands", responses=Refusals)
async def do(request: Request, token: Token, command: Annotated[dict[str, Any], Body()]) -> dict[str, Any]:
    """Do what a command asks; asked again with the same ``id``, it answers as it did."""
    at, seat = await seat_of(request, token)
    return await host_of(request).do(at, command_from_json(command, seat))


@router.get("/table/moves/{number}/odds", responses=Refusals)
async def move_odds(
    request: Request, token: Token, number: Annotated[int, Path(ge=1, le=10**6)],
    policy: Annotated[str, Query(max_length=40)] = "usual",
) -> dict[str, Any]:
    """The exact odds of what comes next in an open move, from what the seat may see; null where they are withheld."""
    at, seat = await seat_of(request, token)
    live = await host_of(request).live(at)
    known = seat_number(live.state, seat, number)
    session = session_over(live.state, live.system)
    seen = odds_seen(session, seat, known, policy) if known in session.moves else None
    if seen is None:
        return {"odds": None}
    step = next(step for step in session.moves[known].move.resolves if step.id not in session.moves[known].records)
    rows = []
    for about, weighed in seen.items():
        success = weighed.chance(step.success) if step.success is not None else None
        rows.append({
            "if": about, "outcomes": weighed.map(step.outcome).to_json(),
            "success": None if success is None else {"chance": fraction_text(success), "probability": float(success)},
        })
    return {"odds": rows}


@router.get("/table/events", responses=Refusals)
async def events(
    request: Request, token: Token,
    last_event_id: Annotated[int | None, Header(alias="Last-Event-ID", ge=0, le=10**9)] = None,
) -> StreamingResponse:
    """What the seat is told, as it happens; ``Last-Event-ID`` resumes. Ids are the seat's own, without gaps."""
    at, seat = await seat_of(request, token)
    host = host_of(request)
    await host.live(at)

    async def told() -> AsyncIterator[str]:
        yield ": hello\n\n"
        async for event in host.stream(at, seat, last_event_id):
            yield f"id: {event['id']}\nevent: {event['type']}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n"

    return StreamingResponse(told(), media_type="text/event-stream")
