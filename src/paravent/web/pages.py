"""The pages, drawn on the server from what each seat may see; what changes is sent over the seat's own stream."""

from __future__ import annotations

import asyncio
import io
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol
from urllib.parse import quote

import segno
from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, RedirectResponse, Response

from paravent.dice import ParaventError
from paravent.game import RecordKind, UnknownName, find_system, system_names, to_plain
from paravent.game.telling import Teller
from paravent.table import commands as c
from paravent.table.deciding import link_hash
from paravent.table.host import BadLink, Entry, Host, Live, NoSuchTable
from paravent.table.limits import check_plain

from .actions import Asked, asked_for, text
from .api import host_of, porter_of, seat_of, status_of
from .demo import open_demo, situation
from .desk import Desk
from .drawn import BASE, LINES, PROOF, Drawings, filled_in, marked, me
from .lines import Line
from .looks import environment, ornament, sent
from .news import News, changes
from .security import LANG_COOKIE, SEAT_COOKIE, form_proof, is_local, is_local_name, is_proof
from .sheetform import SheetForm

router = APIRouter(include_in_schema=False)
REGIONS = ("seats", "clock", "encounters", "moves", "sheets", "log", "pause", "gm")
_A_YEAR = 365 * 24 * 3600


class NotOurForm(ParaventError):
    """A form came without its seat's proof."""

    code = "web/not-our-form"


class Door(Protocol):
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


TOGETHER = 0.05
"""Within how many seconds people come or go together."""


class Presence:
    """Who has the table open just now."""

    def __init__(self) -> None:
        self._here: dict[str, Counter[str]] = {}
        self._seats: dict[str, frozenset[str]] = {}
        self._telling: set[str] = set()

    @contextmanager
    def at(self, live: Live, seat: str) -> Iterator[None]:
        """While a page is open."""
        self._counted(live, seat, 1)
        try:
            yield
        finally:
            self._counted(live, seat, -1)

    def _counted(self, live: Live, seat: str, pages: int) -> None:
        here = self._here.setdefault(live.state.table, Counter())
        here[seat] += pages
        if here[seat] <= 0:
            del here[seat]
        if self.here(live.state.table) != here.keys():
            self._seats[live.state.table] = frozenset(here)
            self._soon(live)

    def _soon(self, live: Live) -> None:
        """Those who come and go together are told of together."""
        table = live.state.table

        def tell() -> None:
            self._telling.discard(table)
            live.wake()

        if table not in self._telling:
            self._telling.add(table)
            asyncio.get_running_loop().call_later(TOGETHER, tell)

    def here(self, table: str) -> frozenset[str]:
        """The seats whose page is open; the same object for as long as nobody comes or goes."""
        return self._seats.get(table, _NOBODY)


_NOBODY: frozenset[str] = frozenset()


@dataclass
class Visit:
    """Somebody at their seat."""

    request: Request
    live: Live
    table: str
    seat: str
    token: str
    lang: str

    @property
    def link(self) -> str:
        """The hash of the link that led here."""
        return link_hash(self.token)

    @property
    def base(self) -> str:
        """The address of the seat."""
        return f"/t/{self.table}/{self.seat}"

    @property
    def desk(self) -> Desk:
        """The seat's side of the table, as it stands now."""
        return Desk(self.live.state, self.seat, self.live.system, self.lang)

    def page(self, name: str, desk: Desk | None = None, **values: Any) -> Response:
        """A page of the table, with what all of them need."""
        desk = desk or self.desk
        return page(self.request, name, teller=desk.teller, desk=desk, base=self.base, proof=form_proof(self.token),
                    system=self.live.system, **values)

    def part(self, name: str, desk: Desk, **values: Any) -> Markup:
        """A part of such a page."""
        drawn = draw(name, self.lang, desk.teller, desk=desk, base=BASE, proof=PROOF, system=self.live.system, **values)
        return self.own(drawn)

    def own(self, drawn: str) -> Markup:
        """A drawing with this seat's own address and proof."""
        return Markup(filled_in(drawn, self.base, form_proof(self.token)))

    @property
    def here(self) -> frozenset[str]:
        """Who has the table open."""
        presence: Presence = self.request.app.state.presence
        return presence.here(self.table)

    @property
    def drawings(self) -> Drawings:
        """What was drawn of the table."""
        kept: Drawings = self.request.app.state.drawings.setdefault(self.table, Drawings())
        return kept

    def regions(self, desk: Desk | None = None) -> dict[str, str]:
        """The parts of the table's page, with marks in place of what is the seat's own."""
        state, here = self.live.state if desk is None else desk.state, self.here
        seen = cache(lambda: desk or self.desk)  # only if something must be drawn

        def drawn(name: str) -> str:
            return self.marked(f"parts/{name}.html", seen(), here=here, lines=marked(seen().view["log"][-LINES:]))

        return {
            name: self.drawings.part(name, state, self.seat, self.lang, here, lambda: seen().view, drawn)
            for name in REGIONS
        }

    def marked(self, name: str, desk: Desk, **values: Any) -> str:
        """A part, drawn with marks in place of what is a seat's own."""
        part = draw(name, self.lang, desk.teller, desk=desk, base=BASE, proof=PROOF, system=self.live.system, me=me,
                    **values)
        return part.strip()  # or each change would leave its white space in the page


# Drawing


def lang_of(request: Request) -> str:
    """The reader's language: asked for, remembered, or French."""
    asked = request.query_params.get("lang") or request.cookies.get(LANG_COOKIE) or "fr"
    return "en" if asked == "en" else "fr"


def draw(name: str, lang: str, teller: Teller | None = None, **values: Any) -> Markup:
    """A template, drawn in a language; a game's own comes before the house's."""
    tell = teller or Teller(lang)
    made = environment(tell.system.package if tell.system is not None else "")
    return Markup(made.get_template(name).render(lang=lang, tell=tell, t=tell.say, **values))


def page(request: Request, name: str, code: int = 200, teller: Teller | None = None, **values: Any) -> HTMLResponse:
    """A whole page; a language asked for in the address is remembered."""
    lang = lang_of(request)
    game = teller.system.id if teller is not None and teller.system is not None else ""
    kept = "&".join(f"{quote(k)}={quote(v)}" for k, v in request.query_params.multi_items() if k != "lang")
    shown = draw(name, lang, teller, path=request.url.path, query=kept, game=game, **values)
    response = HTMLResponse(filled_in(shown, values.get("base", ""), values.get("proof", "")), code)
    if request.query_params.get("lang"):
        response.set_cookie(LANG_COOKIE, lang, max_age=_A_YEAR, httponly=True, samesite="lax")
    return response


def plain_page(request: Request, status: int) -> Response:
    """A page that says what went wrong."""
    key = f"web.status.{status}" if Teller("fr").words.knows(f"web.status.{status}") else "web.status.other"
    return page(request, "message.html", status, message=Teller(lang_of(request)).say(key), status=status)


def refused(request: Request, error: ParaventError) -> Response:
    """A refusal: on the page that asked, if it is one of ours, else as a page of its own."""
    lang = lang_of(request)
    guest: Visit | None = getattr(request.state, "guest", None)
    sentence = Teller(lang).error(error, spelled=False) if guest is None else guest.desk.refusal(error)
    if _is_part(request):
        return HTMLResponse(draw("refusal.html", lang, message=sentence), status_of(error))
    back = request.headers.get("referer", "")
    return page(request, "message.html", status_of(error), message=sentence, status=status_of(error), back=bool(back))


def _is_part(request: Request) -> bool:
    """Whether our script asks for a part of a page."""
    return bool(request.headers.get("hx-request"))


def qr(link: str) -> Markup:
    """A QR code as an image that the page itself carries."""
    out = io.BytesIO()
    code = segno.make(link, error="m")
    code.save(out, kind="svg", omitsize=True, border=2, xmldecl=False, svgns=True, dark="#1c1a26", light="#fff")
    return Markup(out.getvalue().decode())


# Before the table


def _games(lang: str) -> list[dict[str, Any]]:
    games = []
    for name in system_names():
        try:
            system = find_system(name)
        except ParaventError:
            continue  # one that does not load hides no other
        games.append({
            "id": name, "tell": Teller(lang, system), "notice": system.notice.get(lang, ""), "system": system,
            "ornament": ornament(system), "rules": len(system.book.rules), "moves": len(system.moves),
            "ready": sum(len(kind.ready(lang)) for kind in system.kinds.values()),
            "demo": bool(situation(system)),
        })
    return games


@router.get("/looks.css")
@router.get("/pages.css")
@router.get("/paravent.js")
async def our_files(request: Request) -> Response:
    """Our own style sheets and script, as they are sent."""
    name = request.url.path[1:]
    kind = "text/css" if name.endswith(".css") else "text/javascript"
    return Response(sent(name), media_type=kind, headers={"Cache-Control": f"max-age={_A_YEAR}, immutable"})


@router.get("/")
async def home(request: Request) -> Response:
    """Where one starts."""
    return page(request, "home.html", games=_games(lang_of(request)), lan=_lan(request, "/"))


def _lan(request: Request, then: str) -> dict[str, Any]:
    """What a page says of the local network; the switch is for those on this machine, and leads back to ``then``."""
    door: Door | None = request.app.state.door
    addresses = door.addresses if door else ()
    may = door is not None and is_local(request.scope)
    return {"addresses": addresses, "codes": {address: qr(address) for address in addresses}, "then": then,
            "proof": form_proof(request.app.state.key) if may else ""}


@router.post("/lan")
async def switch_lan(request: Request) -> Response:
    """Let the other devices of the house in, or keep to this machine again."""
    form = await request.form(max_files=0)
    door: Door | None = request.app.state.door
    if door is None or not is_local(request.scope):
        raise HTTPException(403)
    if not is_proof(request.app.state.key, text(form, "proof")):
        raise NotOurForm()
    await (door.open_lan() if text(form, "open") else door.close_lan())
    then = text(form, "then")
    return RedirectResponse(f"{then if re.fullmatch(r'/t/[a-z0-9]+/[a-z0-9]+/links', then) else '/'}#lan", 303)


@router.get("/g/{name}")
async def game(request: Request, name: str) -> Response:
    """A game: what it is, its moves, its tables, its options."""
    system = find_system(name)
    return page(request, "game.html", teller=Teller(lang_of(request), system), system=system,
                ornament=ornament(system), demo=bool(situation(system)))


@router.get("/g/{name}/rules")
async def rules(request: Request, name: str, q: str = "") -> Response:
    """The rules of a game, searched by words or by id."""
    system, lang = find_system(name), lang_of(request)
    found = system.book.search(q, lang)
    teller = Teller(lang, system)
    if _is_part(request):
        return HTMLResponse(draw("parts/found.html", lang, teller, system=system, rules=found[:12], q=q))
    return page(request, "rules.html", teller=teller, system=system, rules=found, q=q)


@router.get("/g/{name}/explain")
async def explain(request: Request, name: str, field: str = "", rule: str = "") -> Response:
    """What a word of the game means: its help, and the rule it follows."""
    system, lang = find_system(name), lang_of(request)
    teller = Teller(lang, system)
    found = system.book.rules.get(rule)
    values: dict[str, Any] = {"system": system, "rule": found, "title": teller.name(field) if field else "",
                              "help": teller.help(f"fields.{field}") if field else ""}
    if _is_part(request):
        shown = draw("parts/explain.html", lang, teller, **values)
        return HTMLResponse(shown, headers={"Cache-Control": "private, max-age=600", "Vary": "HX-Request, Cookie"})
    return page(request, "explain.html", teller=teller, **values)


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
    form = await request.form(max_files=0)
    lang = lang_of(request)
    name = text(form, "name") or Teller(lang).say("web.unnamed")
    master = text(form, "game_master") or Teller(lang).say("house.gm")
    entry = await host_of(request).open(text(form, "system"), name, master, None, lang)
    return RedirectResponse(f"/enter/{entry.token}", 303)


@router.post("/import")
async def bring(request: Request) -> Response:
    """Open a table from a file, and sit down as its game master."""
    porter = porter_of(request)
    porter.check(request)
    async with request.form(max_files=1, max_fields=4) as form:
        sent = form.get("table")
        entry = await porter.bring(host_of(request), sent.file if isinstance(sent, UploadFile) else ())
    return RedirectResponse(f"/enter/{entry.token}", 303)


@router.post("/demo/{name}")
async def demo(request: Request, name: str) -> Response:
    """Open a ready table, with characters and a move waiting; this browser holds a player's seat as well."""
    seats = await open_demo(host_of(request), find_system(name), lang_of(request))
    first, *others = seats
    beside = ".".join(entry.seat for entry in others)
    response = RedirectResponse(f"/t/{first.table}/{first.seat}/?beside={beside}", 303)
    for entry in seats:
        _seat(response, entry)
    return response


def _seat(response: Response, entry: Entry) -> None:
    """The link becomes a cookie that only this seat's address carries."""
    response.set_cookie(SEAT_COOKIE, entry.token, max_age=_A_YEAR, path=f"/t/{entry.table}/{entry.seat}",
                        httponly=True, samesite="strict")


@router.get("/enter/{token}")
async def enter(request: Request, token: str) -> Response:
    """Sit down."""
    table, seat = await seat_of(request, token)
    response = RedirectResponse(f"/t/{table}/{seat}/", 303)
    _seat(response, Entry(table, seat, token))
    return response


# At the table


async def visit(request: Request, table: str, seat: str) -> Visit:
    """Who is asking, by the seat's cookie."""
    token = request.cookies.get(SEAT_COOKIE, "")
    host = host_of(request)
    if not token or await seat_of(request, token) != (table, seat):
        raise BadLink()
    live = await host.live(table)
    if seat not in live.state.seats:
        raise NoSuchTable(table=table)
    request.state.guest = Visit(request, live, table, seat, token, lang_of(request))
    guest: Visit = request.state.guest
    return guest


async def form_of(guest: Visit) -> FormData:
    """What a form of the seat's own pages sends; one that is not is refused."""
    form = await guest.request.form(max_files=0)
    if not is_proof(guest.token, text(form, "proof")):
        raise NotOurForm()
    return form


@router.get("/t/{table}/{seat}/")
async def table_page(request: Request, table: str, seat: str, beside: str = "") -> Response:
    """The table, from one seat."""
    guest = await visit(request, table, seat)
    desk = guest.desk
    regions = {name: Markup(drawn) for name, drawn in guest.regions(desk).items()}
    others = [(other, desk.view["seats"][other]) for other in beside.split(".") if other in desk.view["seats"]]
    return guest.page("table.html", desk, regions=regions, beside=others, stream=_stream(guest, desk))


@router.get("/t/{table}/{seat}/screen")
async def screen(request: Request, table: str, seat: str) -> Response:
    """The big screen of the room: what a spectator sees, without controls."""
    guest = await visit(request, table, seat)
    if guest.live.state.seats[seat].grade != "spectator":
        raise UnknownName("seat", seat, ())
    desk = guest.desk
    regions = {name: Markup(drawn) for name, drawn in guest.regions(desk).items()}
    return guest.page("screen.html", desk, regions=regions, stream=_stream(guest, desk))


def _stream(guest: Visit, desk: Desk) -> str:
    """The address of the seat's stream, from what its page shows already."""
    return f"{guest.base}/live?last={desk.view['last']}"


@router.get("/t/{table}/{seat}/live")
async def live(request: Request, table: str, seat: str) -> Response:
    """The seat's stream: the parts of its page that changed, and one sentence for each event."""
    guest = await visit(request, table, seat)
    last = request.headers.get("last-event-id") or request.query_params.get("last", "")
    known = int(last) if last.isascii() and last.isdigit() and len(last) < 10 else None
    presence: Presence = request.app.state.presence
    return Line(guest.live, News(guest, known), ": here\n\n", "event: here\ndata:\n\n", presence.at(guest.live, seat))


@router.get("/t/{table}/{seat}/record/{record}")
async def record_file(request: Request, table: str, seat: str, record: str) -> Response:
    """A record as a file, to bring to another table."""
    guest = await visit(request, table, seat)
    held = _held(guest.desk, record)
    kept = {"system": guest.live.system.id, "kind": held["kind"], **held["sheet"]}
    body = json.dumps(kept, ensure_ascii=False, indent=1)
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(held['name'])}.json"}
    return Response(body, media_type="application/json", headers=headers)


def _held(desk: Desk, record: str) -> Mapping[str, Any]:
    held: Mapping[str, Any] | None = desk.view["records"].get(record)
    if held is None:
        raise UnknownName("record", record, desk.view["records"])
    return held


@router.get("/t/{table}/{seat}/sheet/{record}")
async def sheet_page(request: Request, table: str, seat: str, record: str) -> Response:
    """One sheet, to act from and to print; its owner and the game master may edit it there."""
    guest = await visit(request, table, seat)
    desk = guest.desk
    held = _held(desk, record)
    sheet = desk.sheet(record, held)
    if _is_part(request):
        return HTMLResponse(guest.part("parts/inside.html", desk, sheet=sheet))
    kind = desk.system.kinds.get(held["kind"]) if sheet["acts"] else None
    parts = SheetForm(kind, desk.teller).parts(held["sheet"]) if kind else []
    return guest.page("sheet.html", desk, sheet=sheet, parts=parts, record=record)


@router.get("/t/{table}/{seat}/start/{move}")
async def start_page(request: Request, table: str, seat: str, move: str) -> Response:
    """The form that starts a move: who is in it."""
    guest = await visit(request, table, seat)
    desk = guest.desk
    asked = desk.start_form(move)
    if _is_part(request):
        return HTMLResponse(guest.part("parts/start.html", desk, move=asked))
    return guest.page("start.html", desk, move=asked)


@router.post("/t/{table}/{seat}/odds/{number}")
async def preview(request: Request, table: str, seat: str, number: int) -> Response:
    """The odds that a form would give as it stands; nothing of it is saved."""
    guest = await visit(request, table, seat)
    form = await form_of(guest)
    desk = guest.desk
    outlook = desk.outlook_with(number, Asked(form, desk).fields())
    return HTMLResponse(guest.part("parts/outlook.html", desk, outlook=outlook))


@router.post("/t/{table}/{seat}/check")
async def check(request: Request, table: str, seat: str) -> Response:
    """What the rules say of a sheet that is being written."""
    guest = await visit(request, table, seat)
    form = await form_of(guest)
    desk = guest.desk
    record = text(form, "record")
    held = desk.view["records"].get(record, {})
    kind = desk.system.kind(held.get("kind") or text(form, "kind") or "character")
    written = SheetForm(kind, desk.teller)
    base = held.get("sheet") or written.blank()
    sheet = written.read(base, Asked(form, desk).pairs(), text(form, "prefix"))
    return HTMLResponse(guest.part("parts/faults.html", desk, faults=desk.faults(kind, sheet, record)))


@router.post("/t/{table}/{seat}/do/{action}")
async def do(request: Request, table: str, seat: str, action: str) -> Response:
    """Whatever a form of the table asks."""
    guest = await visit(request, table, seat)
    form = await form_of(guest)
    host: Host = host_of(request)
    desk = guest.desk
    # A page whose stream is open hears of changes there, in order, and not twice.
    held = bool(request.headers.get("x-line-held"))
    before = guest.regions(desk) if _is_part(request) and not held else {}
    for command in asked_for(action, form, desk):
        check_plain(vars(command))
        await host.do(table, command, guest.link)
    if _is_part(request):
        changed = "" if held else changes(guest, before, guest.regions())
        return HTMLResponse(changed + str(draw("refusal.html", guest.lang, message="")))  # or changed is escaped
    place = text(form, "then")
    if place == "write":
        return RedirectResponse(f"{guest.base}/{guest.desk.sheet_asked()}", 303)
    return RedirectResponse(f"{guest.base}/{place if re.fullmatch(r'[a-z]+(/[a-z0-9-]+)?', place) else ''}", 303)


# Seats, options, characters


@router.get("/t/{table}/{seat}/links")
async def links(request: Request, table: str, seat: str) -> Response:
    """The game master's page of seats and links."""
    guest = await visit(request, table, seat)
    return _links_page(guest, {})


@router.post("/t/{table}/{seat}/links")
async def make_link(request: Request, table: str, seat: str) -> Response:
    """Give somebody a place, make a new link, or close one."""
    guest = await visit(request, table, seat)
    form = await form_of(guest)
    who, common = text(form, "who"), Asked(form, guest.desk).common
    command: c.Command
    match text(form, "what"):
        case "renew":
            command = c.RenewLink(who=who, **common)
        case "revoke":
            command = c.RevokeLink(who=who, **common)
        case "leave":
            command = c.Leave(who=who, **common)
        case "rename":
            command = c.RenameSeat(who=who, name=text(form, "name"), **common)
        case _:
            command = c.AddSeat(name=text(form, "name"), grade=text(form, "grade") or "player", **common)
    reply = await host_of(request).do(table, command, guest.link)
    response = _links_page(guest, {other: token for other, token in reply["links"].items() if other != seat})
    if seat in reply["links"]:
        _seat(response, Entry(table, seat, reply["links"][seat]))
    return response


@router.post("/t/{table}/{seat}/episode")
async def next_episode(request: Request, table: str, seat: str) -> Response:
    """Open the table of the next episode, and show everybody's link to it."""
    guest = await visit(request, table, seat)
    form = await form_of(guest)
    host = host_of(request)
    entry, made = await host.next_episode(table, seat, text(form, "title"))
    there = Visit(request, await host.live(entry.table), entry.table, entry.seat, entry.token, guest.lang)
    response = _links_page(there, {other: token for other, token in made.items() if other != seat})
    _seat(response, entry)
    return response


def _links_page(guest: Visit, made: Mapping[str, str]) -> Response:
    if not guest.live.state.eyes.is_gm(guest.seat):
        raise UnknownName("seat", guest.seat, ())
    lan = _lan(guest.request, f"{guest.base}/links")
    here = is_local_name(guest.request.headers.get("host", ""))
    roots = lan["addresses"] if here and lan["addresses"] else (str(guest.request.base_url).rstrip("/"),)
    fresh = {who: [(url, qr(url)) for url in (f"{root}/enter/{token}" for root in roots)]
             for who, token in made.items()}
    return guest.page("links.html", fresh=fresh, reachable=not here or bool(lan["addresses"]), lan=lan)


@router.get("/t/{table}/{seat}/options")
async def options(request: Request, table: str, seat: str) -> Response:
    """The options of the table."""
    guest = await visit(request, table, seat)
    return guest.page("options.html")


@router.get("/t/{table}/{seat}/new")
async def new_record(request: Request, table: str, seat: str) -> Response:
    """Bring a character: ready-made, rolled, written, or from a file."""
    guest = await visit(request, table, seat)
    desk = guest.desk
    return guest.page("new.html", desk, kinds=[
        {"kind": kind, "ready": _ready_made(desk, kind)} for kind in guest.live.system.kinds.values()
        if desk.is_gm or kind.id == "character"
    ], creation=_creation(desk))


def _creation(desk: Desk) -> list[dict[str, Any]]:
    """The game's own moves that make a record, for this seat."""
    return [move for move in desk.startable() if move["creates"]]


def _ready_made(desk: Desk, kind: RecordKind) -> list[dict[str, Any]]:
    return [desk.written(kind, name, to_plain(record)) for name, record in kind.ready(desk.lang).items()]


@router.get("/t/{table}/{seat}/write/{kind}")
async def write_record(
    request: Request, table: str, seat: str, kind: str, move: int = 0, actor: str = "", field: str = ""
) -> Response:
    """A blank sheet, to write oneself or to hand in to a move; the rules speak up as it is filled in."""
    guest = await visit(request, table, seat)
    desk = guest.desk
    declared = desk.system.kind(kind)
    if not desk.is_gm and kind != "character":
        raise UnknownName("kind", kind, ("character",))
    form = SheetForm(declared, desk.teller)
    handed = desk.view["moves"].get(str(move), {}).get("fields", {}).get(actor, {}).get(field)
    before = handed if isinstance(handed, Mapping) else {}
    parts = form.parts({name: before.get(name, value) for name, value in form.blank().items()})
    prefix = f"sheet:{actor}:{field}:" if move else ""
    asked = desk.view["moves"].get(str(move), {}).get("move")
    making = desk.teller.title(f"moves.{asked}") if asked else ""
    return guest.page("write.html", desk, kind=declared, parts=parts, number=move, actor=actor, field=field,
                      prefix=prefix, making=making)
