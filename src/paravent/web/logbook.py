"""The account of the evening: read, searched, pointed at line by line, taken away; its dice verified."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections import OrderedDict
from io import BytesIO
from math import ceil
from urllib.parse import quote
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from fastapi import APIRouter, Request
from msgspec.structs import asdict
from starlette.responses import Response

from paravent.table.account import Account
from paravent.table.errors import SealedInPlay
from paravent.table.export import export_for_gm, export_seen
from paravent.table.host import HostedLog
from paravent.table.pictures import MEDIA_TYPE
from paravent.table.seen import LineSeen
from paravent.table.verify import Proved, proved, told

from .api import host_of
from .desk import Desk
from .page import page
from .prose import prose
from .visit import Visit, visit

router = APIRouter(include_in_schema=False)
LINES = 100
"""How many lines of the account a page shows."""
_KEPT = 16


class Accounts:
    """The accounts that were asked for lately, each read on from where it stopped."""

    def __init__(self, log: HostedLog) -> None:
        self._log = log
        self._kept: OrderedDict[str, Account] = OrderedDict()

    async def of(self, table: str) -> Account:
        """The account of a table, up to now."""
        kept = self._kept.get(table, Account())
        rows = await self._log.read(table, kept.state.events)
        # An evening is long to read: others go on meanwhile.
        account = await asyncio.to_thread(kept.read_on, rows) if rows else kept
        self._kept[table] = account
        self._kept.move_to_end(table)
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return account


class MarkedLine(LineSeen, frozen=True):
    """A line of the account, with the mark that leads to it."""

    mark: str = ""


async def account_of(guest: Visit) -> tuple[Desk, list[MarkedLine]]:
    """A seat's side of the whole evening, and its lines, each with the mark that leads to it."""
    accounts: Accounts = guest.request.app.state.accounts
    account = await accounts.of(guest.table)
    desk = Desk(account.state, guest.seat, guest.live.system, guest.lang)
    marks = account.marks(guest.seat, guest.live.system)
    return desk, [MarkedLine(**asdict(line), mark=mark) for line, mark in zip(desk.log, marks, strict=True)]


@router.get("/t/{table}/{seat}/log")
async def log_page(
    request: Request, table: str, seat: str, q: str = "", kind: str = "", line: str = "", number: int = 0,
    verified: bool = False, who: str = "", times: bool = False, episode: str = "",
) -> Response:
    """The account of the evening, a page of it: the one asked for, the one that holds a line, or the latest."""
    guest = await visit(request, table, seat)
    desk, lines = await account_of(guest)
    found = desk.story.told(_of_episode(lines, episode), q, kind, who)
    at = next((at for at, one in enumerate(found) if one.mark == line), None) if line else None
    last = max(1, ceil(len(found) / LINES))
    number = at // LINES + 1 if at is not None else number if 0 < number <= last else last
    verdict = await _verdict(guest) if verified else None
    return guest.page(
        "log.html", desk, q=q, kind=kind, who=who, times=times, episode=episode, whole=True,
        lines=found[(number - 1) * LINES : number * LINES], count=len(found),
        number=number, last=last, missing=bool(line) and at is None,
        chapters=[
            one for one in lines if one.type == "scene-opened" and one.title and not one.undone
        ],
        verdict=verdict, verdict_told=[] if verdict is None else told(verdict, desk.teller.say),
    )


def _of_episode(lines: list[MarkedLine], mark: str) -> list[MarkedLine]:
    """The lines of an episode, by the mark of the one that began it; all of them where none is asked for."""
    begins = [at for at, line in enumerate(lines) if line.type == "scene-opened" and line.kind == "episode"
              and line.title and not line.undone]
    at = next((at for at in begins if mark and lines[at].mark == mark), None)
    return lines if at is None else lines[at : next((end for end in begins if end > at), None)]


@router.get("/l/{table}/{mark}")
async def line_page(request: Request, table: str, mark: str) -> Response:
    """Where the address of a line leads: to the reader's own place at the table, whichever it is."""
    return page(request, "line.html", table=table, mark=mark)


async def _exported(guest: Visit) -> list[str]:
    """The evening as lines of JSON: whole for a game master, else as the seat was told it."""
    rows = [kept for _, kept in await host_of(guest.request).log.read(guest.table)]
    if guest.live.state.eyes.is_gm(guest.seat):
        lines = await asyncio.to_thread(lambda: list(export_for_gm(rows, guest.seat)))
        return [*lines, *await host_of(guest.request).picture_lines(guest.table)]
    return await asyncio.to_thread(lambda: list(export_seen(rows, guest.seat, guest.live.system)))


async def _verdict(guest: Visit) -> Proved:
    """What the seat's own export proves; while something is sealed, what a game master was told proves."""
    try:
        lines = await _exported(guest)
    except SealedInPlay:
        rows = [kept for _, kept in await host_of(guest.request).log.read(guest.table)]
        lines = await asyncio.to_thread(lambda: list(export_seen(rows, guest.seat, guest.live.system)))
    return await asyncio.to_thread(proved, lines)


def _attached(body: str, name: str, kind: str) -> Response:
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}"}
    return Response(body, media_type=kind, headers=headers)


@router.get("/t/{table}/{seat}/export")
async def export_file(request: Request, table: str, seat: str) -> Response:
    """What this seat was told, as a file that proves its dice; a game master's can open as another table."""
    guest = await visit(request, table, seat)
    lines = await _exported(guest)
    return _attached("\n".join(lines) + "\n", f"{guest.live.state.name}.jsonl", "application/jsonl")


async def _own_pictures(guest: Visit) -> dict[str, bytes]:
    """The pictures that the seat may look at, by their names; one that is missing is left out."""
    host = host_of(guest.request)
    found = {name: await host.picture(guest.table, guest.seat, name)
             for name in sorted(guest.desk.looking.pictures())}
    return {name: content for name, content in found.items() if content is not None}


@router.get("/t/{table}/{seat}/evening.html")
async def evening_page(request: Request, table: str, seat: str) -> Response:
    """The whole account as one page to keep, pictures and documents in it, as this seat may see them."""
    guest = await visit(request, table, seat)
    desk, lines = await account_of(guest)
    pictures = {name: f"data:{MEDIA_TYPE};base64,{b64encode(content).decode()}"
                for name, content in (await _own_pictures(guest)).items()}
    shown = guest.part("evening.html", desk, lines=lines, pictures=pictures, prose=prose,
                       documents=guest.desk.looking.documents())
    return _attached(str(shown), f"{guest.live.state.name}.html", "text/html; charset=utf-8")


@router.get("/t/{table}/{seat}/evening.zip")
async def evening_files(request: Request, table: str, seat: str) -> Response:
    """The same as files: the account in Markdown, its pictures, and what the seat was told as lines of JSON."""
    guest = await visit(request, table, seat)
    desk, lines = await account_of(guest)
    pictures = await _own_pictures(guest)
    named = {name: f"{at}.webp" for at, name in enumerate(pictures, start=1)}
    shown = guest.part("evening.md", desk, lines=lines, pictures=named, documents=guest.desk.looking.documents())
    told = await _told(guest)
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as kept:
        kept.writestr(ZipInfo("table.md"), str(shown))
        kept.writestr(ZipInfo("table.jsonl"), "".join(f"{line}\n" for line in told))
        for name, content in pictures.items():
            kept.writestr(ZipInfo(named[name]), content)
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(f'{guest.live.state.name}.zip', safe='')}"}
    return Response(out.getvalue(), media_type="application/zip", headers=headers)


async def _told(guest: Visit) -> list[str]:
    """What the seat was told, as lines of JSON."""
    rows = [kept for _, kept in await host_of(guest.request).log.read(guest.table)]
    return await asyncio.to_thread(lambda: list(export_seen(rows, guest.seat, guest.live.system)))


@router.get("/t/{table}/{seat}/text")
async def log_text(request: Request, table: str, seat: str) -> Response:
    """The account of the evening as plain text, as this seat read it."""
    guest = await visit(request, table, seat)
    desk, lines = await account_of(guest)
    shown = str(guest.part("log.txt", desk, lines=lines))
    return _attached(shown, f"{guest.live.state.name}.txt", "text/plain; charset=utf-8")
