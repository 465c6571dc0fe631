"""The application: pages, JSON interface, live streams, on one host of tables."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from operator import itemgetter
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from paravent.dice import ParaventError
from paravent.game import System, find_system
from paravent.table.host import Host, HostedLog
from paravent.table.pictures import too_large

from . import api, campaign, front, leaves, logbook, pages, shelf, visit, watching
from .bring import Porter
from .page import is_part, plain_page
from .security import WITH_PICTURE, Doorkeeper, Guard
from .threshold import Threshold

HERE = Path(__file__).parent
TICK = 1.0
"""How often, in seconds, deadlines are looked at."""
FORM = re.compile("POST /t/(?P<table>[^/]+)/(?P<seat>[^/]+)/do/(?P<action>[^/]+)")
"""How the forms of a table are sent, and where."""
_asked = itemgetter("method", "path")
_log = logging.getLogger("paravent.web")


class App(FastAPI):
    """The application; it hands down the server's own way of sending, for lines that stay open.

    What the forms of a table send comes in by a door of its own: it is the way most taken, and nothing has to be looked
    up to find it. Who keeps watch there is the same as at any other.
    """

    _forms: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        scope["paravent.send"] = send
        form = FORM.fullmatch(" ".join(_asked(scope))) if "method" in scope else None
        if form is None:
            await super().__call__(scope, receive, send)
            return
        scope.update(app=self, path_params=form.groupdict())
        await self._forms(scope, receive, send)


async def _form_sent(scope: Scope, receive: Receive, send: Send) -> None:
    """Do what a form of a table asks, and answer; a refusal is answered too."""
    request = Request(scope, receive, send)
    try:
        answer = await pages.do(request)
    except ParaventError as error:
        answer = visit.refused(request, error)
    except HTTPException as error:
        answer = _not_there(request, error)
    await answer(scope, receive, send)


def create_app(
    log: HostedLog, systems: Callable[[str], System] = find_system, secret: str = "", shared: bool = False
) -> FastAPI:
    """The application over a log; the server that serves it says where other devices reach it (``app.state.door``).

    ``secret`` is one that programs working side by side have in common; ``shared`` says that there may be others.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.host.begin()
        tasks = [asyncio.create_task(app.state.host.follow_log()), asyncio.create_task(_tick(app.state.host))]
        tasks += [asyncio.create_task(app.state.presence.share(app.state.host))] if shared else []
        yield
        app.state.host.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await log.close()

    app = App(
        title="Paravent", version="1", lifespan=lifespan, docs_url=None, redoc_url=None,
        openapi_url="/api/openapi.json",
        description="Tables of French science-fiction role-playing games: everything the pages do, for programs.",
    )
    app.state.host = Host(log, systems, secret=secret.encode())
    app.state.door = None
    app.state.key = secret or secrets.token_hex(16)
    app.state.presence = visit.Presence()
    app.state.drawings = {}
    app.state.accounts = logbook.Accounts(log)
    app.state.doorkeeper = Doorkeeper()
    app.state.porter = Porter()
    app.state.threshold = Threshold()
    app.state.public = ""
    app.add_middleware(Guard, refuse=answer_status)
    app.add_route("/api/table/commands", api.do_at_once, methods=["POST"], include_in_schema=False)
    app.add_route("/t/{table}/{seat}/do/{action}", pages.do, methods=["POST"], include_in_schema=False)
    app._forms = Guard(_form_sent, refuse=answer_status)
    app.include_router(api.router)
    app.include_router(front.router)
    app.include_router(pages.router)
    app.include_router(shelf.router)
    app.include_router(campaign.router)
    app.include_router(leaves.router)
    app.include_router(logbook.router)
    app.include_router(watching.router)
    app.mount("/static", StaticFiles(directory=HERE / "static"), name="static")
    api.describe(app)

    @app.exception_handler(ParaventError)
    async def refused(request: Request, error: ParaventError) -> Response:
        if _for_programs(request):
            return api.answer_error(request, error)
        if isinstance(error, visit.Elsewhere) and request.method == "GET" and not is_part(request):
            return front.led_to(request, error)
        return visit.refused(request, error)

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> Response:
        return answer_status(request, 422)

    @app.exception_handler(HTTPException)
    async def not_there(request: Request, error: HTTPException) -> Response:
        return _not_there(request, error)

    return app


def _not_there(request: Request, error: HTTPException) -> Response:
    # A body that is no text at all is refused like one that cannot be read.
    unreadable = error.status_code == 400 and _for_programs(request)
    answer = answer_status(request, 422 if unreadable else error.status_code)
    answer.headers.update(error.headers or {})
    return answer


async def _tick(host: Host) -> None:
    """Apply the deadlines that have passed, for as long as the server runs."""
    while True:
        await asyncio.sleep(TICK)
        try:
            await host.tick()
        except Exception:
            _log.exception("a deadline could not be applied")


def _for_programs(request: Request) -> bool:
    return request.url.path == "/api" or request.url.path.startswith("/api/")


def answer_status(request: Request, status: int) -> Response:
    """A bare status as an answer: JSON for programs, a page for people; for a picture, how large one may be."""
    if status == 413 and WITH_PICTURE.fullmatch(request.url.path):
        return (api.answer_error if _for_programs(request) else visit.refused)(request, too_large())
    return api.answer_status(request, status) if _for_programs(request) else plain_page(request, status)
