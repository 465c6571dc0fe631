"""The application: pages, JSON interface, live streams, on one host of tables."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.staticfiles import StaticFiles

from paravent.dice import ParaventError
from paravent.table.host import Host, Log

from . import api, pages
from .security import guard

HERE = Path(__file__).parent


def create_app(log: Log, *, addresses: tuple[str, ...] = ()) -> FastAPI:
    """The application over a log; ``addresses`` are those under which other devices reach it."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        follower = asyncio.create_task(app.state.host.follow_log())
        yield
        follower.cancel()
        with suppress(asyncio.CancelledError):
            await follower
        await log.close()

    app = FastAPI(
        title="Paravent", version="1", lifespan=lifespan, docs_url=None, redoc_url=None,
        openapi_url="/api/openapi.json",
        description="Tables of French science-fiction role-playing games: everything the pages do, for programs.",
    )
    app.state.host = Host(log)
    app.state.addresses = addresses
    app.state.presence = pages.Presence()
    app.middleware("http")(guard)
    app.include_router(api.router)
    app.include_router(pages.router)
    app.mount("/static", StaticFiles(directory=HERE / "static"), name="static")

    @app.exception_handler(ParaventError)
    async def refused(request: Request, error: ParaventError) -> Response:
        if request.url.path.startswith("/api"):
            return api.answer_error(request, error)
        return pages.refused(request, error)

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> Response:
        if request.url.path.startswith("/api"):
            return JSONResponse({"code": "form/error", "message": "malformed request"}, 422)
        return pages.plain_page(request, 422)

    @app.exception_handler(HTTPException)
    async def not_there(request: Request, error: HTTPException) -> Response:
        if request.url.path.startswith("/api"):
            return JSONResponse({"code": f"http/{error.status_code}", "message": str(error.detail)}, error.status_code)
        return pages.plain_page(request, error.status_code)

    return app
