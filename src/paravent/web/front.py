"""Before the table: the games, their rules and tables, opening a table, sitting down, the door to the local network."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, RedirectResponse, Response

from paravent.dice import ParaventError
from paravent.game import System, find_system, system_names
from paravent.game.telling import Teller
from paravent.table.deciding import link_hash
from paravent.table.host import Entry

from .actions import text
from .api import host_of, porter_of, seat_of
from .demo import open_demo, situation
from .faces import drawn_face
from .looks import ornament, sent
from .page import A_DAY, A_YEAR, draw, is_part, lang_of, page, plain_page, qr
from .security import SEAT_COOKIE, form_proof, is_in_front, is_proof
from .threshold import threshold_of
from .visit import Elsewhere, NotOurForm

router = APIRouter(include_in_schema=False)


class LanDoor(Protocol):
    """Where other devices of the house come in, while it is open; the server that serves us keeps it."""

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses it is open at."""
        ...

    async def open_lan(self) -> None:
        """Open it."""
        ...

    async def close_lan(self) -> None:
        """Close it."""
        ...


@dataclass(frozen=True)
class Offer:
    """A game on the first page."""

    id: str
    tell: Teller
    system: System
    notice: str
    ornament: Markup
    rules: int
    moves: int
    ready: int
    demo: bool


@dataclass(frozen=True)
class LanSwitch:
    """What a page says of the local network: where it is open, and, for those on this machine, the switch."""

    addresses: tuple[str, ...]
    codes: Mapping[str, Markup]
    then: str
    proof: str


@router.get("/looks.css")
@router.get("/pages.css")
@router.get("/leaves.css")
@router.get("/screen.css")
@router.get("/paravent.js")
@router.get("/pages.js")
@router.get("/leaves.js")
@router.get("/grains.js")
@router.get("/picking.js")
async def our_files(request: Request) -> Response:
    """Our own style sheets and scripts, as they are sent."""
    name = request.url.path[1:]
    kind = "text/css" if name.endswith(".css") else "text/javascript"
    return Response(sent(name), media_type=kind, headers={"Cache-Control": f"max-age={A_YEAR}, immutable"})


@router.get("/face/{code}")
async def face(code: str) -> Response:
    """A portrait of our own, which its address says whole."""
    drawn = drawn_face(code)
    if drawn is None:
        return Response(status_code=404)
    return Response(drawn, media_type="image/svg+xml", headers={"Cache-Control": f"max-age={A_DAY}"})


@router.get("/")
async def home(request: Request) -> Response:
    """Where one starts."""
    return page(request, "home.html", games=_games(lang_of(request)), lan=lan_of(request, "/"),
                open=threshold_of(request).is_open(request))


@router.post("/door")
async def say_word(request: Request) -> Response:
    """Say the word that opens tables here."""
    form = await request.form(max_files=0)
    response = RedirectResponse("/", 303)
    threshold_of(request).say(request, text(form, "word"), response)
    return response


def _games(lang: str) -> list[Offer]:
    games = []
    for name in system_names():
        try:
            system = find_system(name)
        except ParaventError:
            continue  # one that does not load hides no other
        games.append(Offer(
            name, Teller(lang, system), system, system.notice.get(lang, ""), ornament(system), len(system.book.rules),
            len(system.moves), sum(len(kind.ready(lang)) for kind in system.kinds.values()),
            situation(system) is not None,
        ))
    return games


def lan_of(request: Request, then: str) -> LanSwitch:
    """What a page says of the local network; the switch is for those on this machine, and leads back to ``then``."""
    door: LanDoor | None = request.app.state.door
    addresses = door.addresses if door else ()
    may = door is not None and is_in_front(request)
    return LanSwitch(addresses, {address: qr(address) for address in addresses}, then,
                     form_proof(request.app.state.key) if may else "")


@router.post("/lan")
async def switch_lan(request: Request) -> Response:
    """Let the other devices of the house in, or keep to this machine again."""
    form = await request.form(max_files=0)
    door: LanDoor | None = request.app.state.door
    if door is None or not is_in_front(request):
        raise HTTPException(403)
    if not is_proof(request.app.state.key, text(form, "proof")):
        raise NotOurForm()
    await (door.open_lan() if text(form, "open") else door.close_lan())
    then = text(form, "then")
    return RedirectResponse(f"{then if re.fullmatch(r'/t/[a-z0-9]+/[a-z0-9]+/(links|invite)', then) else '/'}#lan", 303)


@router.get("/g/{name}")
async def game(request: Request, name: str) -> Response:
    """A game: what it is, its moves, its tables, its options."""
    system = find_system(name)
    return page(request, "game.html", teller=Teller(lang_of(request), system), system=system,
                ornament=ornament(system), demo=situation(system) is not None,
                open=threshold_of(request).is_open(request))


@router.get("/g/{name}/rules")
async def rules(request: Request, name: str, q: str = "") -> Response:
    """The rules of a game, searched by words or by id."""
    system, lang = find_system(name), lang_of(request)
    found = system.book.search(q, lang)
    teller = Teller(lang, system)
    if is_part(request):
        return HTMLResponse(draw("parts/found.html", lang, teller, system=system, rules=found[:12], q=q))
    return page(request, "rules.html", teller=teller, system=system, rules=found, q=q)


@router.get("/g/{name}/explain")
async def explain(request: Request, name: str, field: str = "", rule: str = "") -> Response:
    """What a word of the game means: its help, and the rule it follows."""
    system, lang = find_system(name), lang_of(request)
    teller = Teller(lang, system)
    found = system.book.rules.get(rule)
    title, about = (teller.name(field), teller.help(f"fields.{field}")) if field else ("", "")
    if is_part(request):
        shown = draw("parts/explain.html", lang, teller, system=system, rule=found, title=title, help=about)
        return HTMLResponse(shown, headers={"Cache-Control": "private, max-age=600", "Vary": "HX-Request, Cookie"})
    return page(request, "explain.html", teller=teller, system=system, rule=found, title=title, help=about)


@router.get("/g/{name}/tables")
async def tables(request: Request, name: str) -> Response:
    """The tables of a game, as printed."""
    system = find_system(name)
    return page(request, "tables.html", teller=Teller(lang_of(request), system), system=system)


@router.get("/help")
async def help_page(request: Request) -> Response:
    """What one can type, and the keys."""
    return page(request, "help.html")


@router.post("/open")
async def open_table(request: Request) -> Response:
    """Open a table and sit down as its game master."""
    threshold_of(request).check(request)
    form = await request.form(max_files=0)
    lang = lang_of(request)
    name = text(form, "name") or Teller(lang).say("web.unnamed")
    master = text(form, "game_master") or Teller(lang).say("house.gm")
    entry = await host_of(request).open(text(form, "system"), name, master, None, lang)
    return RedirectResponse(f"/enter/{entry.token}", 303)


@router.post("/import")
async def bring(request: Request) -> Response:
    """Open a table from a file, and sit down as its game master."""
    threshold_of(request).check(request)
    porter = porter_of(request)
    porter.check(request)
    async with request.form(max_files=1, max_fields=4) as form:
        sent = form.get("table")
        entry = await porter.bring(host_of(request), sent.file if isinstance(sent, UploadFile) else ())
    return RedirectResponse(f"/enter/{entry.token}", 303)


@router.post("/demo/{name}")
async def demo(request: Request, name: str) -> Response:
    """Open a ready table, with characters and a move waiting; this browser holds a player's seat as well."""
    threshold_of(request).check(request)
    seats = await open_demo(host_of(request), find_system(name), lang_of(request))
    first, *others = seats
    beside = ".".join(entry.seat for entry in others)
    response = RedirectResponse(f"/t/{first.table}/{first.seat}/?beside={beside}", 303)
    for entry in seats:
        sit_down(response, entry)
    return response


@router.get("/enter/{token}")
async def enter(request: Request, token: str) -> Response:
    """Sit down."""
    table, seat = await seat_of(request, link_hash(token))
    response = RedirectResponse(f"/t/{table}/{seat}/", 303)
    sit_down(response, Entry(table, seat, token))
    return response


def sit_down(response: Response, entry: Entry) -> None:
    """The link becomes a cookie that only this seat's address carries."""
    response.set_cookie(SEAT_COOKIE, entry.token, max_age=A_YEAR, path=f"/t/{entry.table}/{entry.seat}",
                        httponly=True, samesite="strict")


def led_to(request: Request, moved: Elsewhere) -> Response:
    """The way to the table that another was joined to, for whoever comes by their old link; a stream ends instead."""
    asked = request.url.path.split("/", 4)
    if asked[-1] == "live":
        return plain_page(request, 404)
    response = RedirectResponse(f"/t/{moved.table}/{moved.seat}/{asked[4] if len(asked) > 4 else ''}", 303)
    sit_down(response, Entry(moved.table, moved.seat, moved.token))
    return response
