"""Somebody at their seat: who is asking, what their pages are drawn with, and who else is there."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import parse_qsl

from fastapi import Request
from markupsafe import Markup
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from paravent.dice import ParaventError
from paravent.game.telling import Teller
from paravent.table.deciding import link_hash
from paravent.table.host import BadLink, NoSuchTable
from paravent.table.live import Live

from .actions import text
from .api import host_of, seat_of, status_of
from .desk import Desk
from .drawn import BASE, PROOF, Drawings, Region, filled_in, me
from .page import draw, is_part, lang_of, page
from .regions import Regions
from .security import SEAT_COOKIE, form_proof, is_proof

TOGETHER = 0.05
"""Within how many seconds people come or go together."""
CONTENT_TYPE = "content-type"
URLENCODED = "application/x-www-form-urlencoded"
MOST_FIELDS = 1000
_NOBODY: frozenset[str] = frozenset()


class NotOurForm(ParaventError):
    """A form came without its seat's proof."""

    code = "web/not-our-form"


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
            with live.listening(seat):
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


@dataclass
class Visit:
    """Somebody at their seat."""

    request: Request
    live: Live
    table: str
    seat: str
    token: str
    lang: str

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
        return f"/t/{self.table}/{self.seat}"

    @property
    def desk(self) -> Desk:
        """The seat's side of the table, as it stands now."""
        return Desk(self.live.state, self.seat, self.live.system, self.lang)

    def page(self, name: str, desk: Desk | None = None, **values: Any) -> Response:
        """A page of the table, with what all of them need."""
        desk = desk or self.desk
        return page(self.request, name, teller=desk.teller, desk=desk, base=self.base, proof=self.proof,
                    system=self.live.system, **values)

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
        presence: Presence = self.request.app.state.presence
        return presence.here(self.table)

    @property
    def drawings(self) -> Drawings:
        """What was drawn of the table."""
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
