"""Streams: server-sent events, written to everybody in one go as soon as there is something to tell."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Generator
from contextlib import AbstractContextManager, nullcontext
from types import coroutine
from typing import Any

from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from paravent.dice import ParaventError
from paravent.table.live import Live

MOST_STREAMS = 64
"""How many streams one seat may keep open: its devices and tabs, or all who watch by one link."""
PATIENCE = 20.0
"""How often, in seconds, a stream says that it is still there."""
_log = logging.getLogger("paravent.web")


class TooManyStreams(ParaventError):
    """A seat keeps too many streams open."""

    code = "web/too-many-streams"


def room_for(live: Live, seat: str, pages: int = 0) -> None:
    """Refuse one stream more than a seat may keep open, its pages beside the table among them."""
    if max(live.lines[seat], pages) >= MOST_STREAMS:
        raise TooManyStreams(most=MOST_STREAMS)


class Stream(Response):
    """An answer that goes on for as long as its reader stays.

    Whoever brings something about writes it to every stream there and then: ``news`` gives what one has to tell, or
    nothing, or None when it must end. A reader who does not keep up holds up nobody: their stream is left alone
    until they have read, and then tells them what they missed in one piece.
    """

    media_type = "text/event-stream"

    def __init__(
        self, live: Live, news: Callable[[], str | None], hello: str, beat: str = ": still here\n\n",
        present: AbstractContextManager[object] | None = None,
    ) -> None:
        self.status_code, self.background = 200, None
        self.init_headers()
        self._live, self._news, self._hello, self._beat = live, news, hello, beat
        self._present = present or nullcontext()
        self._writing: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        loop = asyncio.get_running_loop()
        self._send, self._over = scope.get("paravent.send", send), loop.create_future()
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await self._send(_body(self._hello))
        leaving, self._timer = loop.create_task(self._left(receive)), loop.call_later(PATIENCE, self._still_here)
        self._live.listen(self.look)
        try:
            with self._present:
                self.look()
                await self._over
        finally:
            self._live.listeners.discard(self.look)
            self._timer.cancel()
            leaving.cancel()
        if self._writing is not None:
            await self._writing
        await send(_body("", more=False))

    async def _left(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._end()

    def _end(self) -> None:
        if not self._over.done():
            self._over.set_result(None)

    def _still_here(self) -> None:
        self._timer = self._over.get_loop().call_later(PATIENCE, self._still_here)
        if self._writing is None:
            self._write(self._beat)

    def look(self) -> None:
        """Tell what is new."""
        if self._writing is not None or self._over.done():
            return
        try:
            told = self._news()
        except Exception:
            _log.exception("a stream could not tell what is new")
            told = None
        if told:
            self._write(told)
        elif told is None:
            self._end()

    def _write(self, told: str) -> None:
        try:
            self._writing = begun(self._send(_body(told)))
        except Exception:
            _log.exception("a stream could not be written to")
            self._end()
        if self._writing is not None:
            self._writing.add_done_callback(self._written)

    def _written(self, writing: asyncio.Task[None]) -> None:
        self._writing = None
        if writing.cancelled() or writing.exception() is not None:
            self._end()
        else:
            self.look()


def _body(text: str, more: bool = True) -> Message:
    return {"type": "http.response.body", "body": text.encode(), "more_body": more}


def begun(step: Awaitable[None]) -> asyncio.Task[None] | None:
    """Do something at once, as far as it goes without waiting; if it has to wait, the rest is a task."""
    rest = step.__await__()
    try:
        awaited = next(rest)
    except StopIteration:
        return None

    async def resumed() -> None:
        await _resumed(awaited, rest)

    return asyncio.get_running_loop().create_task(resumed())


@coroutine
def _resumed(awaited: Any, rest: Generator[Any, Any, None]) -> Generator[Any, Any, None]:
    yield awaited
    yield from rest
