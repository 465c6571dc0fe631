"""The pages of a table, drawn from what each seat may see; what changes is sent over the seat's own stream."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse, Response

from paravent.game import AnyKind, UnknownName, to_plain
from paravent.table import commands as c
from paravent.table.drafts import draft_of
from paravent.table.host import Entry, Host
from paravent.table.limits import check_plain
from paravent.table.seen import RecordSeen

from .actions import Posted, asked_for, text
from .api import host_of
from .desk import Desk, DrawnSheet
from .desk.starts import Startable
from .front import lan_of, sit_down
from .news import News, changes
from .page import draw, is_part, qr
from .regions import Regions
from .security import is_local_name
from .sheetform import SheetForm
from .staging import judged
from .streams import Stream, room_for
from .visit import Presence, Visit, form_of, visit

router = APIRouter(include_in_schema=False)
PLACES = re.compile(r"[a-z]+(/[a-z0-9-]+)?(\?[\w=&%.+*~-]*)?(#[a-z]+)?", re.ASCII)
"""Where one may be led after something was done: a page of the table."""


@router.get("/t/{table}/{seat}/")
async def table_page(request: Request, table: str, seat: str, beside: str = "") -> Response:
    """The table, from one seat."""
    guest = await visit(request, table, seat)
    desk = guest.desk
    regions = {name: Markup(region.html) for name, region in guest.regions(desk).items()}
    others = [(other, desk.seats[other]) for other in beside.split(".") if other in desk.seats]
    return guest.page("table.html", desk, regions=regions, beside=others, stream=_stream(guest, desk),
                      elsewhere=guest.seat in guest.live.here)


@router.get("/t/{table}/{seat}/screen")
async def screen(request: Request, table: str, seat: str) -> Response:
    """The big screen of the room: what a spectator sees, without controls. Anybody else has a table to sit at."""
    guest = await visit(request, table, seat)
    if guest.live.state.seats[seat].rank != "spectator":
        return RedirectResponse(f"{guest.base}/", 303)
    desk = guest.desk
    regions = {name: Markup(region.html) for name, region in guest.regions(desk).items()}
    return guest.page("screen.html", desk, regions=regions, stream=_stream(guest, desk))


def _stream(guest: Visit, desk: Desk) -> str:
    """The address of the seat's stream, from what its page shows already."""
    return f"{guest.base}/live?last={desk.last}"


@router.get("/t/{table}/{seat}/live")
async def live(request: Request, table: str, seat: str, last: str = "") -> Response:
    """The seat's stream: the parts of its page that changed, and one sentence for each event."""
    guest = await visit(request, table, seat)
    last = request.headers.get("last-event-id") or last
    known = int(last) if last.isascii() and last.isdigit() and len(last) < 10 else None
    presence: Presence = request.app.state.presence
    room_for(guest.live, seat)
    return Stream(guest.live, News(guest, known), ": here\n\n", "event: here\ndata:\n\n", presence.at(guest.live, seat))


@router.get("/t/{table}/{seat}/here")
async def here(request: Request, table: str, seat: str) -> Response:
    """A line that tells nothing: whoever reads a page beside the table, a sheet or the log, is still at it."""
    guest = await visit(request, table, seat)
    presence: Presence = request.app.state.presence
    room_for(guest.live, seat, presence.pages(table, seat))
    host, live, link = host_of(request), guest.live, guest.link
    return Stream(live, lambda: "" if host.admits(live, seat, link) else None, ": here\n\n",
                  present=presence.at(live, seat, hears=False))


@router.get("/t/{table}/{seat}/record/{record}")
async def record_file(request: Request, table: str, seat: str, record: str) -> Response:
    """A record as a file, to bring to another table."""
    guest = await visit(request, table, seat)
    held = _held(guest.desk, record)
    wanted = request.query_params.get("as", "")
    if wanted:
        return _attached(guest.desk.sheets.exported(record, wanted), "text/plain", f"{held.name}.{wanted}.txt")
    kept = await host_of(request).record_file(table, seat, record)
    return _attached(json.dumps(kept, ensure_ascii=False, indent=1), "application/json", f"{held.name}.json")


def _attached(body: str, media_type: str, name: str) -> Response:
    """A file to be kept."""
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}"}
    return Response(body, media_type=media_type, headers=headers)


def _held(desk: Desk, record: str) -> RecordSeen:
    held = desk.records.get(record)
    if held is None:
        raise UnknownName("record", record, desk.records)
    return held


@router.get("/t/{table}/{seat}/sheet/{record}")
async def sheet_page(request: Request, table: str, seat: str, record: str) -> Response:
    """One sheet, to act from and to print; its owner and the game master may edit it there."""
    guest = await visit(request, table, seat)
    desk = guest.desk
    held = _held(desk, record)
    sheet = desk.sheets.sheet(record)
    if is_part(request):
        return HTMLResponse(guest.part("parts/inside.html", desk, sheet=sheet))
    kind = desk.system.kinds.get(held.kind) if sheet.acts and not held.unread else None
    parts = SheetForm(kind, desk.teller).parts(held.sheet) if kind else []
    return guest.page("sheet.html", desk, sheet=sheet, parts=parts, record=record,
                      **desk.sheets.picture(record)._asdict())


@router.get("/t/{table}/{seat}/start")
async def find_move(request: Request, table: str, seat: str, q: str = "") -> Response:
    """The moves that may be started, or those of them that hold some words."""
    guest = await visit(request, table, seat)
    desk = guest.desk
    found = desk.starts.found(q) if q.strip() else desk.starts.offered
    ordinary = [] if found else desk.starts.ordinary(q)
    if is_part(request):
        return HTMLResponse(guest.part("parts/moves.html", desk, found=found, ordinary=ordinary, q=q))
    return guest.page("moves.html", desk, found=found, ordinary=ordinary, q=q)


@router.get("/t/{table}/{seat}/start/{move}")
async def start_page(request: Request, table: str, seat: str, move: str) -> Response:
    """The form that starts a move: who is in it."""
    guest = await visit(request, table, seat)
    desk = guest.desk
    asked = desk.starts.start_form(move)
    if is_part(request):
        return HTMLResponse(guest.part("parts/start.html", desk, move=asked))
    return guest.page("start.html", desk, move=asked)


@router.get("/t/{table}/{seat}/act/{number}")
async def act_page(request: Request, table: str, seat: str, number: int, whole: bool = False) -> Response:
    """What is seldom done about an act under way: who else may be brought in, for how long it waits, what proves its
    dice; or what stands on its card."""
    guest = await visit(request, table, seat)
    desk = guest.desk
    move = desk.moves.get(number)
    if move is None or not (desk.plays or whole):
        raise UnknownName("move", str(number), ())
    values: dict[str, Any] = {"card": desk.acts.card(move), "whole": whole, "joins": desk.acts.joins(number)}
    own = Regions(guest.drawings, desk, guest.here, guest.marked).stepping(move) if whole else ""
    if is_part(request):
        return HTMLResponse(guest.part("parts/rest.html", desk, own=Markup(own), **values))
    return guest.page("act.html", desk, own=Markup(own), **values)


@router.get("/t/{table}/{seat}/ahead/{number}")
async def ahead(request: Request, table: str, seat: str, number: int) -> Response:
    """How an encounter would end, for the game master alone."""
    guest = await visit(request, table, seat)
    desk = guest.desk
    if not desk.is_gm:
        raise UnknownName("encounter", str(number), ())
    found = desk.boards.ahead(number)
    if is_part(request):
        return HTMLResponse(guest.part("parts/ahead.html", desk, ahead=found))
    return guest.page("ahead.html", desk, ahead=found)


@router.post("/t/{table}/{seat}/odds/{number}")
async def preview(request: Request, table: str, seat: str, number: int) -> Response:
    """The odds that a form would give as it stands; nothing of it is saved."""
    guest = await visit(request, table, seat)
    form = await form_of(guest)
    desk = guest.desk
    outlook = desk.outlook_with(number, Posted(form, desk).fields())
    return HTMLResponse(guest.part("parts/outlook.html", desk, outlook=outlook))


@router.post("/t/{table}/{seat}/check")
async def check(request: Request, table: str, seat: str, summary: bool = False) -> Response:
    """What the rules say of a sheet that is being written; or the sheet as it would be read."""
    guest = await visit(request, table, seat)
    form = await form_of(guest)
    desk = guest.desk
    record = text(form, "record")
    held = desk.records.get(record)
    kind = desk.system.kind(held.kind if held is not None else text(form, "kind") or desk.system.usual_kind)
    written = SheetForm(kind, desk.teller)
    base = held.sheet if held is not None else written.blank()
    sheet = written.read(base, Posted(form, desk).pairs(), text(form, "prefix"))
    if summary:
        return HTMLResponse(guest.part("parts/summary.html", desk, sheet=desk.sheets.written(kind, "summary", sheet)))
    posted, faults = Posted(form, desk), desk.sheets.faults(kind, sheet, record)
    if posted.number and all(fault.mild for fault in faults):
        faults = [*faults, *desk.refusals_of(posted.number, posted.fields())]
    points = [] if held is not None else desk.sheets.points(kind, sheet)
    stage = text(form, "stage")
    # The game master may bring a sheet as it is; whoever hands one in mends it first.
    mends = held is None and (posted.number > 0 or not desk.is_gm)
    if not stage:
        return HTMLResponse(guest.part("parts/faults.html", desk, faults=faults, points=points, where=written.where,
                                       mends=mends))
    at = judged(written, stage, faults, points, sheet)
    return HTMLResponse(guest.part(
        "parts/staged.html", desk, faults=at.faults, left=at.left, done=at.done, now=stage, where=written.where,
        stages=written.stages([]), beside=desk.sheets.beside(kind, sheet), quiet=not at.last, mends=mends and at.last,
    ))


async def do(request: Request) -> Response:
    """Whatever a form of the table asks: the way most taken, and so without FastAPI."""
    table, seat, action = (request.path_params[name] for name in ("table", "seat", "action"))
    guest = await visit(request, table, seat)
    form = await form_of(guest)
    host: Host = host_of(request)
    desk = guest.desk
    # A page whose stream is open hears of changes there, in order, and not twice.
    held = bool(request.headers.get("x-line-held"))
    before = guest.regions(desk) if is_part(request) and not held else {}
    under_way = len(desk.state.open_moves())
    for command in asked_for(action, form, desk):
        check_plain([*vars(command).values()])
        await host.do(table, command, guest.link)
    desk.leave()
    if is_part(request):
        changed = "" if held else changes(guest, before, guest.regions())
        return HTMLResponse(changed + _nothing_refused(guest.lang))
    place = text(form, "then")
    if place == "write":
        return RedirectResponse(f"{guest.base}/{guest.desk.acts.sheet_asked()}", 303)
    if place.startswith("leaf/"):  # what waits for somebody is seen at the table
        place = f"{place}#square" if len(guest.desk.state.open_moves()) <= under_way else ""
    return RedirectResponse(f"{guest.base}/{place if PLACES.fullmatch(place) else ''}", 303)


@cache
def _nothing_refused(lang: str) -> str:
    """What takes an earlier refusal off the page."""
    return str(draw("refusal.html", lang, message=""))  # as text, or what stands before it would be escaped


# Seats, options, characters


@router.get("/t/{table}/{seat}/links")
async def links(request: Request, table: str, seat: str) -> Response:
    """The game master's page of seats and links."""
    guest = await visit(request, table, seat)
    return _links_page(guest, {})


@router.get("/t/{table}/{seat}/invite")
async def invite(request: Request, table: str, seat: str) -> Response:
    """How friends come in, at home and far away."""
    guest = await visit(request, table, seat)
    if not guest.live.state.eyes.is_gm(guest.seat):
        raise UnknownName("seat", guest.seat, ())
    return guest.page("invite.html", lan=lan_of(request, f"{guest.base}/invite"), public=request.app.state.public)


@router.post("/t/{table}/{seat}/links")
async def make_link(request: Request, table: str, seat: str) -> Response:
    """Give somebody a place, make a new link, or close one."""
    guest = await visit(request, table, seat)
    form = await form_of(guest)
    who, common = text(form, "who"), Posted(form, guest.desk).common
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
            command = c.AddSeat(name=text(form, "name"), rank=text(form, "grade") or "player", **common)
    reply = await host_of(request).do(table, command, guest.link)
    links: dict[str, str] = reply["links"]
    response = _links_page(guest, {other: token for other, token in links.items() if other != seat})
    if seat in links:
        sit_down(response, Entry(table, seat, links[seat]))
    return response


def _links_page(guest: Visit, made: Mapping[str, str]) -> Response:
    if not guest.live.state.eyes.is_gm(guest.seat):
        raise UnknownName("seat", guest.seat, ())
    lan, public = lan_of(guest.request, f"{guest.base}/links"), guest.request.app.state.public
    here = is_local_name(guest.request.headers.get("host", "")) and not public
    own = public or str(guest.request.base_url).rstrip("/")
    roots = lan.addresses if here and lan.addresses else (own,)
    fresh = {who: [(url, qr(url)) for url in (f"{root}/enter/{token}" for root in roots)]
             for who, token in made.items()}
    return guest.page("links.html", fresh=fresh, reachable=not here or bool(lan.addresses), lan=lan, public=public)


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
    creation = _creation(desk)
    made = {desk.system.moves[move.id].makes for move in creation}
    return guest.page("new.html", desk, kinds=[
        {"kind": kind, "ready": _ready_made(desk, kind), "here": _here(desk, kind),
         "at_once": not made or kind.id in made}
        for kind in guest.live.system.kinds.values() if desk.is_gm or kind.played
    ], creation=creation)


def _creation(desk: Desk) -> list[Startable]:
    """The game's own moves that make a record, for this seat."""
    return [move for move in desk.starts.startable if move.creates]


def _here(desk: Desk, kind: AnyKind) -> set[str]:
    """Whom somebody plays already, by name, as far as this seat knows."""
    return {seen.name for seen in desk.records.values() if kind.played and seen.kind == kind.id}


def _ready_made(desk: Desk, kind: AnyKind) -> list[DrawnSheet]:
    return [desk.sheets.written(kind, name, to_plain(record)) for name, record in kind.ready(desk.lang).items()]


@router.get("/t/{table}/{seat}/write/{kind}")
async def write_record(
    request: Request, table: str, seat: str, kind: str, move: int = 0, actor: str = "", field: str = ""
) -> Response:
    """A blank sheet, to write oneself or to hand in to a move; the rules speak up as it is filled in."""
    guest = await visit(request, table, seat)
    desk = guest.desk
    declared = desk.system.kind(kind)
    if not (desk.is_gm or declared.played):
        raise UnknownName("kind", kind, desk.system.played)
    form = SheetForm(declared, desk.teller, desk.rulings)
    act = desk.moves.get(move)
    handed = act.fields.get(actor, {}).get(field) if act is not None else None
    draft = draft_of(desk.state, seat, kind, desk.table_number(move) if move else 0)
    before = draft or (handed if isinstance(handed, dict) else {})
    sheet = {name: before.get(name, value) for name, value in form.blank().items()}
    points = desk.sheets.points(declared, sheet)
    parts = form.parts(sheet, {one.at: one.of for one in points})
    prefix = f"sheet:{actor}:{field}:" if move else ""
    making = desk.teller.title(f"moves.{act.move}") if act is not None else ""
    return guest.page("write.html", desk, kind=declared, parts=parts, number=move, actor=actor, field=field,
                      stages=form.stages(parts, prefix), prefix=prefix, making=making, counts=bool(points),
                      resumed=bool(draft) and draft != handed)
