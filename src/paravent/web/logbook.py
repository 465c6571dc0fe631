"""The account of the evening: read, searched, pointed at line by line, taken away; its dice verified."""

from __future__ import annotations

import asyncio
import sys
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from io import BytesIO
from math import ceil
from typing import NamedTuple
from urllib.parse import quote
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from fastapi import APIRouter, Request
from msgspec import Struct
from msgspec.structs import asdict
from starlette.responses import Response

from paravent.game import System
from paravent.game.eyes import Eyes
from paravent.table.account import Account
from paravent.table.act import Act
from paravent.table.errors import SealedInPlay
from paravent.table.host import HostedLog
from paravent.table.kept import Latest
from paravent.table.longlog import LogRows
from paravent.table.pictures import MEDIA_TYPE
from paravent.table.seen import LineSeen
from paravent.table.state import State
from paravent.table.verify import Proved, kinds_told, wrong_told
from paravent.table.view import Looking
from paravent.table.watching import watched

from .api import as_lines, host_of
from .desk import Desk
from .desk.story import FoldedLine
from .page import page
from .prose import prose
from .visit import Visit, visit

router = APIRouter(include_in_schema=False)
LINES = 100
"""How many lines of the account a page shows."""
_KEPT, _READERS, _LOCKS = 16, 16, 256
"""How many accounts are kept, how many seats' reading of one, and how many tables are read one at a time."""


class MarkedLine(LineSeen, frozen=True):
    """A line of the account, with the mark that leads to it."""

    mark: str = ""
    when: int = 0
    """When it was, by the table's clock."""


class ActAtAGlance(Struct, frozen=True, gc=False):
    """Of an act as a seat sees it, what a campaign is told by; and what that was read from."""

    act: Act | None
    eyes: Eyes
    thrown: bool
    """Whether the seat saw dice."""
    cast: tuple[str, ...]


@dataclass
class Reading:
    """What one seat reads of an account, as far as it goes."""

    state: State
    lines: list[MarkedLine]
    spoken: dict[str, tuple[Mapping[str, str], dict[str, FoldedLine]]] = field(default_factory=dict)
    """By language, what lines say, to search in, and what everybody was called then."""
    acts: dict[int, ActAtAGlance] = field(default_factory=dict)
    """By the seat's numbers, its acts at a glance."""

    def spoken_in(self, lang: str, names: Mapping[str, str]) -> dict[str, FoldedLine]:
        """What lines say in a language, as far as it is known; nothing, once somebody is called otherwise."""
        called, lines = self.spoken.get(lang, ({}, {}))
        if any(names.get(who) != name for who, name in called.items()):
            lines = {}
        self.spoken[lang] = names, lines
        return lines


def read_of(account: Account, seat: str, system: System) -> Reading:
    """What a seat reads of an account."""
    return Reading(account.state, [
        MarkedLine(**asdict(line), mark=account.mark(item), when=account.when(item))
        for item, line in Looking(account.state, seat, system).items()])


class Accounts:
    """The accounts that were asked for lately, each read on from where it stopped: once for all who ask just then."""

    def __init__(self, log: HostedLog) -> None:
        self._log = log
        self._kept: Latest[str, Account] = Latest(_KEPT)
        self._read: Latest[tuple[str, str], Reading] = Latest(_READERS)
        self._busy: Latest[str, asyncio.Lock] = Latest(_LOCKS)

    async def of(self, table: str) -> Account:
        """The account of a table, up to now. A campaign is long to read: others go on meanwhile."""
        async with self._busy.of(table, asyncio.Lock):
            kept = self._kept.of(table, Account)
            first = await self._log.read(table, kept.state.events, 1)
            if not first:
                return kept
            rows = LogRows(self._log, table, kept.state.events)
            return self._kept.keep(table, await asyncio.to_thread(kept.read_on, rows))

    def read_by(self, account: Account, seat: str, system: System) -> Reading:
        """What a seat reads of it; worked out once, whatever it is asked for."""
        state, name = account.state, (account.state.table, seat)
        kept = self._read.of(name, lambda: Reading(State(), []))
        if kept.state is not state:
            kept = self._read.keep(name, replace(
                read_of(account, seat, system), spoken=kept.spoken, acts=kept.acts))
        return kept


class Told(NamedTuple):
    """A seat's side of the whole evening, and what it reads of it."""

    desk: Desk
    reading: Reading

    @property
    def lines(self) -> list[MarkedLine]:
        """Its lines, each with the mark that leads to it."""
        return self.reading.lines

    def act(self, line: MarkedLine) -> ActAtAGlance | None:
        """The act that a line tells of, at a glance; looked at once for as long as it is the same."""
        own = line.number or 0
        act, eyes = self.desk.act(own), self.desk.eyes
        kept = self.reading.acts.get(own)
        if kept is None or kept.act is not act or kept.eyes is not eyes:
            seen = self.desk.moves.get(own)
            if seen is None:
                return None
            thrown = any(throw.dice for throw in seen.throws)
            kept = self.reading.acts[own] = ActAtAGlance(act, eyes, thrown, tuple(map(sys.intern, seen.cast)))
        return kept


async def account_of(guest: Visit) -> Told:
    """A seat's side of the whole evening, and its lines, each with the mark that leads to it."""
    accounts: Accounts = guest.request.app.state.accounts
    account = await accounts.of(guest.table)

    def read() -> Told:
        told = replace(account, state=watched(account.state, guest.seat)) if guest.watched_by else account
        reading = (read_of if guest.watched_by else accounts.read_by)(told, guest.seat, guest.live.system)
        return Told(Desk(told.state, guest.seat, guest.live.system, guest.lang), reading)

    return await asyncio.to_thread(read)


class LogPage(NamedTuple):
    """A page of the account."""

    desk: Desk
    lines: list[MarkedLine]
    found: int
    number: int
    last: int
    missing: bool
    """It was asked for a line that is not there."""
    chapters: list[MarkedLine]


@router.get("/t/{table}/{seat}/log")
async def log_page(
    request: Request, table: str, seat: str, q: str = "", kind: str = "", line: str = "", number: int = 0,
    who: str = "", times: bool = False, episode: str = "",
) -> Response:
    """The account of the evening, a page of it: the one asked for, the one that holds a line, or the latest."""
    guest = await visit(request, table, seat)

    def looked_up(told: Told) -> LogPage:
        desk, lines = told.desk, told.lines
        spoken = told.reading.spoken_in(guest.lang, desk.names)
        found = desk.story.told(_of_episode(lines, episode), q, kind, who, spoken)
        at = next((at for at, one in enumerate(found) if one.mark == line), None) if line else None
        last = max(1, ceil(len(found) / LINES))
        shown = at // LINES + 1 if at is not None else number if 0 < number <= last else last
        return LogPage(
            desk, found[(shown - 1) * LINES : shown * LINES], len(found), shown, last, bool(line) and at is None,
            [one for one in lines if one.type == "scene-opened" and one.title and not one.undone],
        )

    async def read() -> LogPage:
        return await asyncio.to_thread(looked_up, await account_of(guest))

    return guest.page_by_and_by("log.html", read, q=q, kind=kind, who=who, times=times, episode=episode, whole=True)


def _of_episode(lines: list[MarkedLine], mark: str) -> list[MarkedLine]:
    """The lines of an episode, by the mark of the one that began it; all of them where none is asked for."""
    if not mark:
        return lines
    begins = [at for at, line in enumerate(lines) if line.type == "scene-opened" and line.kind == "episode"
              and line.title and not line.undone]
    at = next((at for at in begins if lines[at].mark == mark), None)
    return lines if at is None else lines[at : next((end for end in begins if end > at), None)]


class Checked(NamedTuple):
    """What a seat's own account proves, in sentences, and what it compares with others."""

    desk: Desk
    verdict: Proved
    told: list[tuple[str, str]]
    """What of each kind there is: its name, and the sentence."""
    wrong: str
    codes: dict[str, str]


@router.get("/t/{table}/{seat}/verify")
async def verify_page(request: Request, table: str, seat: str) -> Response:
    """Whether this evening is what it should be: worked out here from the seat's own account, which goes nowhere."""
    guest = await visit(request, table, seat)

    async def read() -> Checked:
        verdict = await _verdict(guest)
        codes = verdict.codes if not _is_gm(guest) else (await host_of(request).proved(table, seat)).codes
        say = guest.desk.teller.say
        return Checked(guest.desk, verdict, list(kinds_told(verdict, say)), wrong_told(verdict, say), codes)

    return guest.page_by_and_by("verify.html", read)


@router.get("/l/{table}/{mark}")
async def line_page(request: Request, table: str, mark: str) -> Response:
    """Where the address of a line leads: to the reader's own place at the table, whichever it is."""
    return page(request, "line.html", table=table, mark=mark)


def _is_gm(guest: Visit) -> bool:
    return guest.live.state.eyes.is_gm(guest.seat)


async def _verdict(guest: Visit) -> Proved:
    """What the seat's own export proves; while something is sealed, what a game master was told proves."""
    host = host_of(guest.request)
    try:
        return await host.proved(guest.table, guest.seat, whole=_is_gm(guest))
    except SealedInPlay:
        return await host.proved(guest.table, guest.seat)


def _as_file(name: str) -> dict[str, str]:
    return {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}"}


def _attached(body: str, name: str, kind: str) -> Response:
    return Response(body, media_type=kind, headers=_as_file(name))


@router.get("/t/{table}/{seat}/export")
async def export_file(request: Request, table: str, seat: str) -> Response:
    """What this seat was told, as a file that proves its dice; a game master's can open as another table."""
    guest = await visit(request, table, seat)
    lines = await host_of(request).exported(table, seat, whole=_is_gm(guest))
    return as_lines(lines, "application/jsonl", **_as_file(f"{guest.live.state.name}.jsonl"))


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
    desk, lines = await _told_whole(guest)
    pictures = {name: f"data:{MEDIA_TYPE};base64,{b64encode(content).decode()}"
                for name, content in (await _own_pictures(guest)).items()}
    shown = await asyncio.to_thread(lambda: guest.part(
        "evening.html", desk, lines=lines, pictures=pictures, prose=prose, documents=guest.desk.looking.documents()))
    return _attached(str(shown), f"{guest.live.state.name}.html", "text/html; charset=utf-8")


@router.get("/t/{table}/{seat}/evening.zip")
async def evening_files(request: Request, table: str, seat: str) -> Response:
    """The same as files: the account in Markdown, its pictures, and what the seat was told as lines of JSON."""
    guest = await visit(request, table, seat)
    desk, lines = await _told_whole(guest)
    pictures = await _own_pictures(guest)
    told = await host_of(request).export(table, seat)

    def packed() -> bytes:
        named = {name: f"{at}.webp" for at, name in enumerate(pictures, start=1)}
        shown = guest.part("evening.md", desk, lines=lines, pictures=named, documents=guest.desk.looking.documents())
        out = BytesIO()
        with ZipFile(out, "w", ZIP_DEFLATED) as kept:
            kept.writestr(ZipInfo("table.md"), str(shown))
            kept.writestr(ZipInfo("table.jsonl"), "".join(f"{line}\n" for line in told))
            for name, content in pictures.items():
                kept.writestr(ZipInfo(named[name]), content)
        return out.getvalue()

    return Response(await asyncio.to_thread(packed), media_type="application/zip",
                    headers=_as_file(f"{guest.live.state.name}.zip"))


async def _told_whole(guest: Visit) -> tuple[Desk, list[MarkedLine]]:
    told = await account_of(guest)
    return told.desk, told.lines


@router.get("/t/{table}/{seat}/text")
async def log_text(request: Request, table: str, seat: str) -> Response:
    """The account of the evening as plain text, as this seat read it."""
    guest = await visit(request, table, seat)
    desk, lines = await _told_whole(guest)
    shown = await asyncio.to_thread(lambda: str(guest.part("log.txt", desk, lines=lines)))
    return _attached(shown, f"{guest.live.state.name}.txt", "text/plain; charset=utf-8")
