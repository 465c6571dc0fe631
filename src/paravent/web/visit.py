"""Somebody at their seat: who is asking, what their pages are drawn with, and who else is there."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from fastapi import Request
from markupsafe import Markup
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from paravent.dice import ParaventError
from paravent.game.lazily import cached_property
from paravent.game.telling import Teller
from paravent.table.deciding import link_hash
from paravent.table.errors import TableMoved
from paravent.table.host import BadLink, Host, NoSuchTable
from paravent.table.live import Live

from .actions import text
from .api import host_of, seat_of, status_of
from .desk import Desk
from .drawn import BASE, PROOF, Drawings, Region, filled_in, me
from .page import draw, is_part, lang_of, page, page_by_and_by
from .regions import Regions
from .security import SEAT_COOKIE, form_proof, is_proof

SHARED = 1.0
"""How often, in seconds, programs that serve the same tables look at who is at the others'."""
TOGETHER = 0.05
"""Within how many seconds people come or go together."""
CONTENT_TYPE = "content-type"
URLENCODED = "application/x-www-form-urlencoded"
MOST_FIELDS = 1000
_NOBODY: frozenset[str] = frozenset()
_log = logging.getLogger("paravent.web")


class NotOurForm(ParaventError):
    """A form came without its seat's proof."""

    code = "web/not-our-form"


class Elsewhere(TableMoved):
    """A link leads to another table than the one that was asked for: this one was joined to it."""

    def __init__(self, table: str, seat: str, token: str) -> None:
        super().__init__()
        self.table, self.seat, self.token = table, seat, token


class Presence:
    """Who has the table open just now."""

    def __init__(self) -> None:
        self._here: dict[str, Counter[str]] = {}
        self._seats: dict[str, frozenset[str]] = {}
        self._telling: set[str] = set()

    @contextmanager
    def at(self, live: Live, seat: str, hears: bool = True) -> Iterator[None]:
        """While a page is open: the table itself, or one beside it, which hears nothing of what happens there."""
        self._counted(live, seat, 1)
        try:
            with live.listening(seat) if hears else nullcontext():
                yield
        finally:
            self._counted(live, seat, -1)

    def _counted(self, live: Live, seat: str, pages: int) -> None:
        here = self._here.setdefault(live.state.table, Counter())
        here[seat] += pages
        if here[seat] <= 0:
            del here[seat]
            live.elsewhere -= {seat}  # what held it up may have been this very page: the others are asked again
        self._look(live)

    def _look(self, live: Live) -> None:
        here = live.elsewhere.union(self._here.get(live.state.table, ()))
        if self.here(live.state.table) != here:
            self._seats[live.state.table] = here
            self._soon(live)

    async def share(self, host: Host) -> None:
        """Let the programs that serve the same tables know who is here, and know who is at theirs, again and again."""
        held: set[str] = set()
        while True:
            try:
                await self._shared(host, held)
            except ParaventError:
                pass  # the log is out of reach: it is asked again
            except Exception:  # whatever it is, who is here must not be looked at for the last time
                _log.exception("who is at the other programs could not be seen")
            await asyncio.sleep(SHARED)

    async def _shared(self, host: Host, held: set[str]) -> None:
        mine = {_held_up(table, seat) for table, seats in self._here.items() for seat in seats}
        await host.log.let_go(held - mine)
        held &= mine
        for name in mine - held:
            await host.log.hold(name)
            held.add(name)
        lives = {table: live for table, live in host.at_hand.items() if self._here.get(table)}
        names = {_held_up(table, seat): (table, seat) for table, live in lives.items() for seat in live.state.seats}
        found = {names[name] for name in await host.log.held(names)} if names else set()
        for table, live in lives.items():
            live.elsewhere = frozenset(seat for where, seat in found if where == table
                                       and not (_held_up(table, seat) in mine and seat not in self._here[table]))
            self._look(live)

    def _soon(self, live: Live) -> None:
        """Those who come and go together are told of together."""
        table = live.state.table

        def tell() -> None:
            self._telling.discard(table)
            live.wake()

        if table not in self._telling:
            self._telling.add(table)
            asyncio.get_running_loop().call_later(TOGETHER, tell)

    def pages(self, table: str, seat: str) -> int:
        """How many pages a seat has open at this program."""
        return self._here.get(table, Counter[str]())[seat]

    def here(self, table: str) -> frozenset[str]:
        """The seats that have a page of the table open; the same object for as long as nobody comes or goes."""
        return self._seats.get(table, _NOBODY)


def _held_up(table: str, seat: str) -> str:
    """What stands for a page that somebody has open."""
    return f"here {table} {seat}"


@dataclass
class Visit:
    """Somebody at their seat."""

    request: Request
    live: Live
    table: str
    seat: str
    token: str
    lang: str
    watched_by: str = ""
    """The game master who looks through the seat's eyes, if one does: then nothing is done from it."""

    @cached_property
    def link(self) -> str:
        """The hash of the link that led here."""
        return link_hash(self.token)

    @cached_property
    def proof(self) -> str:
        """What the seat's own forms carry."""
        return form_proof(self.token)

    @property
    def base(self) -> str:
        """The address of the seat."""
        seat = f"{self.watched_by}/as/{self.seat}" if self.watched_by else self.seat
        return f"/t/{self.table}/{seat}"

    @property
    def desk(self) -> Desk:
        """The seat's side of the table, as it stands now."""
        return Desk(self.live.state, self.seat, self.live.system, self.lang)

    def page(self, name: str, desk: Desk | None = None, **values: Any) -> Response:
        """A page of the table, with what all of them need."""
        desk = desk or self.desk
        return page(self.request, name, teller=desk.teller, desk=desk, base=self.base, proof=self.proof,
                    watching=self.watched_by, system=self.live.system, **values)

    def page_by_and_by(self, name: str, read: Callable[[], Awaitable[Any]], **values: Any) -> Response:
        """The same, its head sent at once, while what it tells is still being read."""
        desk = self.desk
        return page_by_and_by(self.request, name, desk.teller, read, desk=desk, base=self.base, proof=self.proof,
                              watching=self.watched_by, system=self.live.system, **values)

    def part(self, name: str, desk: Desk, **values: Any) -> Markup:
        """A part of such a page."""
        drawn = draw(name, self.lang, desk.teller, desk=desk, base=BASE, proof=PROOF, system=self.live.system, **values)
        return self.own(drawn)

    def own(self, drawn: str) -> Markup:
        """A drawing with this seat's own address and proof."""
        return Markup(filled_in(drawn, self.base, self.proof))

    @property
    def here(self) -> frozenset[str]:
        """Who has the table open."""
        return self._presence.here(self.table)

    @cached_property
    def _presence(self) -> Presence:
        presence: Presence = self.request.app.state.presence
        return presence

    @cached_property
    def drawings(self) -> Drawings:
        """What was drawn of the table."""
        if self.watched_by:
            return Drawings()
        kept: Drawings = self.request.app.state.drawings.setdefault(self.table, Drawings())
        return kept

    def regions(self, desk: Desk | None = None) -> dict[str, Region]:
        """The regions of the table's page, with marks in place of what is the seat's own."""
        return Regions(self.drawings, desk or self.desk, self.here, self.marked).all()

    def marked(self, name: str, desk: Desk, **values: Any) -> str:
        """A part, drawn with marks in place of what is a seat's own."""
        part = draw(name, self.lang, desk.teller, desk=desk, base=BASE, proof=PROOF, system=self.live.system, me=me,
                    **values)
        return part.strip()  # or each change would leave its white space in the page


async def visit(request: Request, table: str, seat: str) -> Visit:
    """Who is asking, by the seat's cookie."""
    looks: Visit | None = getattr(request.state, "watching", None)
    if looks is not None:
        return looks
    token = request.cookies.get(SEAT_COOKIE, "")
    host = host_of(request)
    found = await seat_of(request, link_hash(token)) if token else None
    if found is not None and found[1] == seat and found[0] != table:
        raise Elsewhere(found[0], seat, token)
    if found != (table, seat):
        raise BadLink()
    live = await host.live(table)
    if seat not in live.state.seats:
        raise NoSuchTable(table=table)
    request.state.guest = Visit(request, live, table, seat, token, lang_of(request))
    guest: Visit = request.state.guest
    return guest


async def form_of(guest: Visit) -> FormData:
    """What a form of the seat's own pages sends; one that is not is refused."""
    request = guest.request
    if request.headers.get(CONTENT_TYPE, "").partition(";")[0].strip().lower() == URLENCODED:
        sent = (await request.body()).decode("latin-1")
        try:
            form = FormData([*parse_qsl(sent, keep_blank_values=True, max_num_fields=MOST_FIELDS)])
        except ValueError:
            raise HTTPException(400) from None
    else:
        form = await request.form(max_files=0, max_fields=MOST_FIELDS)
    if not is_proof(guest.token, text(form, "proof")):
        raise NotOurForm()
    return form


def refused(request: Request, error: ParaventError) -> Response:
    """A refusal: on the page that asked, if it is one of ours, else as a page of its own."""
    lang = lang_of(request)
    guest: Visit | None = getattr(request.state, "guest", None)
    sentence = Teller(lang).error(error, spelled=False) if guest is None else guest.desk.refusal(error)
    if is_part(request):
        return HTMLResponse(draw("refusal.html", lang, message=sentence), status_of(error))
    back = request.headers.get("referer", "")
    return page(request, "message.html", status_of(error), message=sentence, status=status_of(error), back=bool(back))
