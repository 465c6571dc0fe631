"""The table as one of its players sees it, for the game master: read, live, and nothing can be done from it.

Nobody is counted as being there because a game master looks through their eyes.
"""

from __future__ import annotations

from dataclasses import replace

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from paravent.game import UnknownName
from paravent.table.live import Live
from paravent.table.watching import watched

from . import campaign, logbook, pages, shelf
from .api import host_of
from .news import changes, data
from .security import form_proof
from .streams import Stream
from .visit import Visit, visit

router = APIRouter(include_in_schema=False)
AS = "/t/{table}/{seat}/as/{other}"


async def watching(request: Request, table: str, seat: str, other: str) -> Visit:
    """A game master at somebody else's place; refused to anybody else, as if there were nothing here."""
    guest = await visit(request, table, seat)
    place = guest.live.state.seats.get(other)
    if not guest.live.state.eyes.is_gm(seat) or place is None or place.rank == "gm":
        raise UnknownName("seat", other, ())
    request.state.guest = request.state.watching = looks = _through(guest, guest.live, other)
    return looks


def _through(guest: Visit, live: Live, other: str) -> Visit:
    """The other's place as it stands now; what is the game master's there opens nothing and signs nothing."""
    return replace(guest, live=Live(live.system, watched(live.state, other)), seat=other, watched_by=guest.seat,
                   token=form_proof(f"{guest.token} {other}"))


@router.get(f"{AS}/")
async def table_page(request: Request, table: str, seat: str, other: str) -> Response:
    """Their page of the table."""
    await watching(request, table, seat, other)
    return await pages.table_page(request, table, other)


@router.get(f"{AS}/live")
async def live(request: Request, table: str, seat: str, other: str) -> Response:
    """What changes on it."""
    guest = await visit(request, table, seat)
    looks = await watching(request, table, seat, other)
    return Stream(guest.live, Through(guest, looks), ": here\n\n", "event: here\ndata:\n\n")


@router.get(f"{AS}/shelf")
async def shelf_page(request: Request, table: str, seat: str, other: str) -> Response:
    """Their shelf."""
    await watching(request, table, seat, other)
    return await shelf.shelf(request, table, other)


@router.get(f"{AS}/picture/{{address}}")
async def picture(request: Request, table: str, seat: str, other: str, address: str) -> Response:
    """A picture that they see."""
    await watching(request, table, seat, other)
    return await shelf.picture(request, table, other, address)


@router.get(f"{AS}/sheet/{{record}}")
async def sheet_page(request: Request, table: str, seat: str, other: str, record: str) -> Response:
    """A sheet as they read it."""
    await watching(request, table, seat, other)
    return await pages.sheet_page(request, table, other, record)


@router.get(f"{AS}/campaign")
async def campaign_page(request: Request, table: str, seat: str, other: str) -> Response:
    """The campaign as they read it."""
    await watching(request, table, seat, other)
    return await campaign.campaign(request, table, other)


@router.get(f"{AS}/log")
async def log_page(
    request: Request, table: str, seat: str, other: str, q: str = "", kind: str = "", line: str = "", number: int = 0,
    who: str = "", times: bool = False, episode: str = "",
) -> Response:
    """The account as they read it."""
    await watching(request, table, seat, other)
    return await logbook.log_page(request, table, other, q, kind, line, number, who, times, episode)


@router.get(f"{AS}/options")
async def options(request: Request, table: str, seat: str, other: str) -> Response:
    """The options as they read them."""
    await watching(request, table, seat, other)
    return await pages.options(request, table, other)


@router.get(f"{AS}/{{rest:path}}")
async def elsewhere(request: Request, table: str, seat: str, other: str, rest: str) -> Response:
    """Pages to do something on are theirs."""
    looks = await watching(request, table, seat, other)
    return RedirectResponse(f"{looks.base}/", 303)


class Through:
    """What the page that a game master looks at is told: the parts of it that changed, and no sentences."""

    def __init__(self, guest: Visit, looks: Visit) -> None:
        self._guest, self._other = guest, looks.seat
        self._host = host_of(guest.request)
        self._shown = looks.regions()
        self._now: tuple[object, object] = guest.live.state, guest.here

    def __call__(self) -> str | None:
        guest = self._guest
        if not self._host.admits(guest.live, guest.seat, guest.link):
            return None
        now = guest.live.state, guest.here
        if all(one is other for one, other in zip(now, self._now, strict=True)):
            return ""
        looks = _through(guest, guest.live, self._other)
        before, self._shown, self._now = self._shown, looks.regions(), now
        changed = data(changes(looks, before, self._shown))
        return f"{changed}\n" if changed else ""
