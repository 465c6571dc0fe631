"""The pages, drawn on the server from what each seat may see; what changes is sent over the seat's own stream."""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import re
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

import segno
from fastapi import APIRouter, Request
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup
from starlette.datastructures import FormData
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse

from paravent.dice import ParaventError
from paravent.game import UnknownName, find_system, system_names, to_plain
from paravent.game.telling import Teller
from paravent.table import commands as c
from paravent.table.host import BadLink, Host, Live, NoSuchTable

from .api import host_of, seat_of, status_of
from .demo import open_demo
from .desk import Desk
from .security import LANG_COOKIE, SEAT_COOKIE, form_proof, is_proof
from .talk import read_line

router = APIRouter(include_in_schema=False)
REGIONS = ("seats", "clock", "moves", "encounters", "sheets", "log")
_A_YEAR = 365 * 24 * 3600


class NotOurForm(ParaventError):
    """A form came without its seat's proof."""

    code = "web/not-our-form"


class Presence:
    """Who has the table open just now."""

    def __init__(self) -> None:
        self._here: dict[str, Counter[str]] = {}

    def enters(self, table: str, seat: str) -> None:
        """A page was opened."""
        self._here.setdefault(table, Counter())[seat] += 1

    def leaves(self, table: str, seat: str) -> None:
        """A page was closed."""
        here = self._here.get(table, Counter())
        here[seat] -= 1
        if here[seat] <= 0:
            del here[seat]

    def here(self, table: str) -> set[str]:
        """The seats whose page is open."""
        return set(self._here.get(table, ()))


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
    def base(self) -> str:
        """The address of the seat."""
        return f"/t/{self.table}/{self.seat}"

    @property
    def desk(self) -> Desk:
        """The seat's side of the table, as it stands now."""
        return Desk(self.live.state, self.seat, self.live.system, self.lang)


# Drawing

_environment = Environment(
    loader=PackageLoader("paravent.web"), autoescape=select_autoescape(), undefined=StrictUndefined, trim_blocks=True,
    lstrip_blocks=True,
)


def _fresh_id() -> str:
    return secrets.token_hex(8)


_environment.globals["fresh_id"] = _fresh_id


def lang_of(request: Request) -> str:
    """The reader's language: asked for, remembered, or French."""
    asked = request.query_params.get("lang") or request.cookies.get(LANG_COOKIE) or "fr"
    return "en" if asked == "en" else "fr"


def draw(name: str, lang: str, teller: Teller | None = None, **values: Any) -> Markup:
    """A template, drawn in a language."""
    tell = teller or Teller(lang)
    return Markup(_environment.get_template(name).render(lang=lang, tell=tell, t=tell.say, **values))


def page(request: Request, name: str, code: int = 200, teller: Teller | None = None, **values: Any) -> HTMLResponse:
    """A whole page; a language asked for in the address is remembered."""
    lang = lang_of(request)
    shown = draw(name, lang, teller, path=request.url.path, **values)
    response = HTMLResponse(shown, code)
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
    system = getattr(request.state, "system", None)
    sentence = Teller(lang, system).error(error)
    if request.headers.get("hx-request"):
        return HTMLResponse(draw("refusal.html", lang, message=sentence), status_of(error))
    return page(request, "message.html", status_of(error), message=sentence, status=status_of(error))


# Before the table


def _games(lang: str) -> list[dict[str, Any]]:
    games = []
    for name in system_names():
        system = find_system(name)
        games.append({"id": name, "tell": Teller(lang, system), "notice": system.notice.get(lang, ""),
                      "look": system.look, "rules": len(system.book.rules), "moves": len(system.moves)})
    return games


@router.get("/")
async def home(request: Request) -> Response:
    """Where one starts."""
    return page(request, "home.html", games=_games(lang_of(request)), addresses=request.app.state.addresses)


@router.get("/g/{name}")
async def game(request: Request, name: str) -> Response:
    """A game: what it is, its moves, its tables, its options."""
    system = find_system(name)
    return page(request, "game.html", teller=Teller(lang_of(request), system), system=system)


@router.get("/g/{name}/rules")
async def rules(request: Request, name: str, q: str = "") -> Response:
    """The rules of a game, searched by words or by id."""
    system, lang = find_system(name), lang_of(request)
    wanted = q.strip().lower()
    found = [
        rule for rule in system.book.rules.values()
        if wanted in rule.id.lower() or wanted in rule.title.get(lang, "").lower()
        or wanted in rule.text.get(lang, "").lower()
    ]
    return page(request, "rules.html", teller=Teller(lang, system), system=system, rules=found, q=q)


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
    form = await request.form()
    lang = lang_of(request)
    name = _text(form, "name") or Teller(lang).say("web.unnamed")
    master = _text(form, "game_master") or Teller(lang).say("house.gm")
    entry = await host_of(request).open(_text(form, "system"), name, master, None, lang)
    return RedirectResponse(f"/enter/{entry.token}", 303)


@router.post("/demo/{name}")
async def demo(request: Request, name: str) -> Response:
    """Open a ready table, with characters and a move waiting."""
    token = await open_demo(host_of(request), find_system(name), lang_of(request))
    return RedirectResponse(f"/enter/{token}", 303)


@router.get("/enter/{token}")
async def enter(request: Request, token: str) -> Response:
    """Sit down: the link becomes a cookie that only this seat's address carries."""
    table, seat = await seat_of(request, token)
    response = RedirectResponse(f"/t/{table}/{seat}/", 303)
    response.set_cookie(
        SEAT_COOKIE, token, max_age=_A_YEAR, path=f"/t/{table}/{seat}", httponly=True, samesite="strict"
    )
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
    request.state.system = live.system
    return Visit(request, live, table, seat, token, lang_of(request))


def region(name: str, guest: Visit, desk: Desk) -> str:
    """One part of the table's page."""
    presence: Presence = guest.request.app.state.presence
    return draw(
        f"parts/{name}.html", guest.lang, desk.teller, desk=desk, base=guest.base, proof=form_proof(guest.token),
        here=presence.here(guest.table),
    )


@router.get("/t/{table}/{seat}/")
async def table_page(request: Request, table: str, seat: str) -> Response:
    """The table, from one seat."""
    guest = await visit(request, table, seat)
    desk = guest.desk
    regions = {name: region(name, guest, desk) for name in REGIONS}
    return page(
        request, "table.html", teller=desk.teller, desk=desk, base=guest.base, proof=form_proof(guest.token),
        regions=regions, system=guest.live.system,
    )


@router.get("/t/{table}/{seat}/screen")
async def screen(request: Request, table: str, seat: str) -> Response:
    """The big screen of the room: what a spectator sees, without controls."""
    guest = await visit(request, table, seat)
    if guest.live.state.seats[seat].grade != "spectator":
        raise UnknownName("seat", seat, ())
    desk = guest.desk
    return page(request, "screen.html", teller=desk.teller, desk=desk, base=guest.base, system=guest.live.system,
                regions={name: region(name, guest, desk) for name in REGIONS}, proof="")


@router.get("/t/{table}/{seat}/live")
async def live(request: Request, table: str, seat: str) -> Response:
    """The seat's stream: the parts of its page that changed, and one sentence for each event."""
    guest = await visit(request, table, seat)
    return StreamingResponse(_streamed(guest), media_type="text/event-stream")


async def _streamed(guest: Visit) -> AsyncIterator[str]:
    presence: Presence = guest.request.app.state.presence
    listener = asyncio.Event()
    guest.live.listeners.add(listener)
    presence.enters(guest.table, guest.seat)
    guest.live.wake()
    sent: dict[str, str] = {}
    told = guest.live.state.counts[guest.seat].events if guest.seat in guest.live.state.counts else 0
    try:
        while True:
            listener.clear()
            if guest.seat not in guest.live.state.seats or not guest.live.state.seats[guest.seat].link:
                return
            parts, last = _changed(guest, sent), guest.desk.view["last"]
            sentences = _sentences(guest, told)
            told = last
            if sentences:
                parts += f'<hx-partial hx-target="#announce" hx-swap="innerHTML">{sentences}</hx-partial>'
            if parts:
                data = "".join(f"data: {line}\n" for line in parts.splitlines())
                yield f"id: {last}\n{data}\n"
            try:
                await asyncio.wait_for(listener.wait(), 20)
            except TimeoutError:
                yield ": still here\n\n"
    finally:
        guest.live.listeners.discard(listener)
        presence.leaves(guest.table, guest.seat)
        guest.live.wake()


def _changed(guest: Visit, sent: dict[str, str]) -> str:
    desk = guest.desk
    parts = []
    for name in REGIONS:
        drawn = region(name, guest, desk)
        mark = hashlib.sha256(_unmarked(drawn).encode()).hexdigest()
        if sent.get(name) != mark:
            sent[name] = mark
            parts.append(f'<hx-partial hx-target="#{name}" hx-swap="outerMorph">{drawn}</hx-partial>')
    return "".join(parts)


def _unmarked(drawn: str) -> str:
    """A part without the ids its forms are given anew each time."""
    return re.sub(r'name="id" value="[0-9a-f]+"', "", drawn)


def _sentences(guest: Visit, told: int) -> Markup:
    events = guest.live.seen_since(guest.seat, told)
    if events is None:
        return Markup.escape(guest.desk.teller.say("web.caught_up"))
    desk = guest.desk
    said = []
    for event in events:
        key = f"web.happened.{event['type']}"
        if not desk.teller.words.knows(key) or event.get("by") == guest.seat:
            continue
        move = event.get("move", {})
        who = desk.name(event["by"]) if "by" in event else ""
        title = desk.teller.title(f"moves.{move['move']}") if move else ""
        name = event.get("name", event.get("title", ""))
        said.append(desk.teller.say(key, who=who, text=event.get("text", ""), move=title, name=name))
    return Markup(" ").join(Markup.escape(sentence) for sentence in said[-3:])


@router.get("/t/{table}/{seat}/log")
async def log_page(request: Request, table: str, seat: str, q: str = "") -> Response:
    """The account of the evening, to read, filter and keep."""
    guest = await visit(request, table, seat)
    desk = guest.desk
    return page(request, "log.html", teller=desk.teller, desk=desk, base=guest.base, q=q, system=guest.live.system,
                proof=form_proof(guest.token))


@router.get("/t/{table}/{seat}/record/{record}")
async def record_file(request: Request, table: str, seat: str, record: str) -> Response:
    """A record as a file, to bring to another table."""
    guest = await visit(request, table, seat)
    held = guest.desk.view["records"].get(record)
    if held is None:
        raise UnknownName("record", record, guest.desk.view["records"])
    kept = {"system": guest.live.system.id, "kind": held["kind"], **held["sheet"]}
    body = json.dumps(kept, ensure_ascii=False, indent=1)
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(held['name'])}.json"}
    return Response(body, media_type="application/json", headers=headers)


def _text(form: FormData, name: str) -> str:
    value = form.get(name, "")
    return value.strip() if isinstance(value, str) else ""


def _number(form: FormData, name: str) -> int:
    text = _text(form, name)
    return int(text) if text.lstrip("-").isdigit() else 0


def _fields(form: FormData) -> dict[str, dict[str, Any]]:
    """What a form fills in, by actor: inputs are named ``f:actor:field``; several values make a list."""
    filled: dict[str, dict[str, Any]] = {}
    for key in dict.fromkeys(form.keys()):
        prefix, _, rest = key.partition(":")
        if prefix != "f":
            continue
        actor, _, name = rest.partition(":")
        values = [value for value in form.getlist(key) if isinstance(value, str)]
        many = name.endswith("[]")
        value: Any = [v for v in values if v] if many else values[-1].strip()
        if isinstance(value, str) and value[:1] in ("{", "["):
            value = _json(value)
        filled.setdefault(actor, {})[name.removesuffix("[]")] = value if value not in ("", []) else None
    return filled


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _asked(action: str, form: FormData, guest: Visit) -> list[c.Command]:
    """The commands that a form of the table asks for."""
    seat, command_id = guest.seat, _text(form, "id")[:64]
    number = _number(form, "number")
    common = {"seat": seat, "id": command_id}
    match action:
        case "say":
            names = {s: place["name"] for s, place in guest.desk.view["seats"].items()}
            return [read_line(_text(form, "text"), seat, names, command_id)]
        case "start":
            cast: dict[str, list[str]] = {}
            for key in dict.fromkeys(form.keys()):
                if key.startswith("cast:"):
                    members = [value for value in form.getlist(key) if isinstance(value, str) and value]
                    cast |= {key[5:]: members} if members else {}
            encounter = _number(form, "encounter") or None
            return [c.StartMove(move=_text(form, "move"), cast=cast, form=_fields(form), encounter=encounter, **common)]
        case "fill":
            return [
                c.Fill(number=number, values=values, actor=actor, seat=seat)
                for actor, values in _fields(form).items()
            ]
        case "throw":
            return [c.Throw(number=number, nonce=_text(form, "nonce"), by_hand=bool(_text(form, "by_hand")), **common)]
        case "answer":
            return [c.Answer(number=number, answer=_json(_text(form, "answer")), **common)]
        case "faces":
            faces = [int(face) for face in _text(form, "faces").replace(",", " ").split() if face.isdigit()]
            return [c.Answer(number=number, answer=faces, **common)]
        case "dice":
            taken = [int(n) for n in form.getlist("die") if isinstance(n, str) and n.isdigit()]
            return [c.Answer(number=number, answer={"dice": taken}, **common)]
        case "accept":
            refuse = {int(at) for at in form.getlist("all") if isinstance(at, str) and at.isdigit()}
            kept = {int(at) for at in form.getlist("keep") if isinstance(at, str) and at.isdigit()}
            amend = {key[6:]: _json(_text(form, key)) for key in form if key.startswith("value:") and _text(form, key)}
            amend = {at: v for at, v in amend.items() if v != _json(_text(form, f"was:{at}"))}
            return [c.Accept(number=number, amend=amend, refuse=tuple(sorted(refuse - kept)), **common)]
        case "close":
            return [c.CloseStep(number=number, **common)]
        case "withdraw":
            return [c.Withdraw(number=number, **common)]
        case "cancel":
            return [c.Cancel(number=number, **common)]
        case "undo":
            return [c.Undo(number=number, **common)]
        case "turn-over":
            return [c.TurnOver(number=number, step=_text(form, "step"), seat=seat, id=command_id)]
        case "card":
            return [c.PlayCard(**common)]
        case "record":
            return [_new_record(form, seat, command_id)]
        case "take":
            return [c.TakeRecord(record=_text(form, "record"), **common)]
        case "edit":
            return [c.EditRecord(record=_text(form, "record"), path=_text(form, "path"),
                                 value=_json(_text(form, "value")), **common)]
        case "show":
            seen_by = tuple(v for v in form.getlist("seen_by") if isinstance(v, str) and v) or ("gm",)
            return [c.ShowRecord(record=_text(form, "record"), seen_by=seen_by, **common)]
        case "give":
            return [c.GiveRecord(record=_text(form, "record"), owner=_text(form, "owner"), **common)]
        case "remove":
            return [c.RemoveRecord(record=_text(form, "record"), **common)]
        case "handout":
            to = tuple(v for v in form.getlist("to") if isinstance(v, str) and v)
            return [c.Say(text=_text(form, "text"), title=_text(form, "title"), kind="handout", to=to, **common)]
        case "scene":
            return [c.OpenScene(title=_text(form, "title"), kind=_text(form, "kind") or "scene", **common)]
        case "options":
            chosen = {key[7:]: _text(form, key) for key in form if key.startswith("option:")}
            return [c.SetOptions(options=chosen, **common)]
        case "rename":
            return [c.RenameSeat(who=_text(form, "who") or seat, name=_text(form, "name"), **common)]
        case "correct":
            return [c.Correct(item=_number(form, "item"), **common)]
        case _:
            raise UnknownName("command", action, ())


def _new_record(form: FormData, seat: str, command_id: str) -> c.Command:
    added = c.AddRecord(
        kind=_text(form, "kind") or "character", seen_by=("gm",) if _text(form, "hidden") else None,
        owner=_text(form, "owner"), seat=seat, id=command_id,
    )
    match _text(form, "how"):
        case "draw":
            return replace(added, draw=True)
        case "file":
            data = _json(_text(form, "sheet"))
            heading = ("system", "kind", "version")
            sheet = {k: v for k, v in data.items() if k not in heading} if isinstance(data, dict) else {}
            return replace(added, sheet=sheet)
        case _:
            return replace(added, ready=_text(form, "ready"))


@router.post("/t/{table}/{seat}/do/{action}")
async def do(request: Request, table: str, seat: str, action: str) -> Response:
    """Whatever a form of the table asks."""
    guest = await visit(request, table, seat)
    form = await request.form()
    if not is_proof(guest.token, _text(form, "proof")):
        raise NotOurForm()
    host: Host = host_of(request)
    for command in _asked(action, form, guest):
        await host.do(table, command)
    return _answered(guest)


def _answered(guest: Visit) -> Response:
    if not guest.request.headers.get("hx-request"):
        return RedirectResponse(f"{guest.base}/", 303)
    return HTMLResponse(_changed(guest, {}) + draw("refusal.html", guest.lang, message=""))


# Links


@router.get("/t/{table}/{seat}/links")
async def links(request: Request, table: str, seat: str) -> Response:
    """The game master's page of seats and links."""
    guest = await visit(request, table, seat)
    return _links_page(guest, {})


@router.post("/t/{table}/{seat}/links")
async def make_link(request: Request, table: str, seat: str) -> Response:
    """Give somebody a place, make a new link, or close one."""
    guest = await visit(request, table, seat)
    form = await request.form()
    if not is_proof(guest.token, _text(form, "proof")):
        raise NotOurForm()
    who = _text(form, "who")
    command: c.Command
    match _text(form, "what"):
        case "renew":
            command = c.RenewLink(who=who, seat=seat)
        case "revoke":
            command = c.RevokeLink(who=who, seat=seat)
        case _:
            command = c.AddSeat(name=_text(form, "name"), grade=_text(form, "grade") or "player", seat=seat)
    reply = await host_of(request).do(table, command)
    return _links_page(guest, reply["links"])


def _links_page(guest: Visit, made: Mapping[str, str]) -> Response:
    if not guest.live.state.eyes.is_gm(guest.seat):
        raise UnknownName("seat", guest.seat, ())
    root = (guest.request.app.state.addresses or (str(guest.request.base_url).rstrip("/"),))[0]
    fresh = {who: {"url": f"{root}/enter/{token}", "qr": qr(f"{root}/enter/{token}")} for who, token in made.items()}
    desk = guest.desk
    return page(guest.request, "links.html", teller=desk.teller, desk=desk, base=guest.base, fresh=fresh,
                proof=form_proof(guest.token), system=guest.live.system)


def qr(text: str) -> Markup:
    """A QR code as an image that the page itself carries."""
    out = io.BytesIO()
    code = segno.make(text, error="m")
    code.save(out, kind="svg", scale=4, border=2, xmldecl=False, svgns=True, dark="#1c1a26", light="#fff")
    return Markup(out.getvalue().decode())


@router.get("/t/{table}/{seat}/new")
async def new_record(request: Request, table: str, seat: str) -> Response:
    """Bring a character: ready-made, rolled, or from a file."""
    guest = await visit(request, table, seat)
    desk = guest.desk
    kinds = [kind for kind in guest.live.system.kinds.values() if kind.ready(guest.lang) or kind.draw]
    shown = []
    for kind in kinds:
        ready = []
        for name, record in kind.ready(guest.lang).items():
            sheet = to_plain(record)
            held = {"kind": kind.id, "name": sheet.get("name", name), "owner": "", "sheet": sheet}
            ready.append(desk.sheet(name, held))
        shown.append({"kind": kind, "ready": ready})
    return page(request, "new.html", teller=desk.teller, desk=desk, base=guest.base, proof=form_proof(guest.token),
                kinds=shown, system=guest.live.system)
