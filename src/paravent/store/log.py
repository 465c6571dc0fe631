"""What a log is, whichever database keeps it, and how it tells those who listen."""

from __future__ import annotations

import asyncio
import hashlib
import threading
import time
import weakref
from collections.abc import AsyncIterator, Generator, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple, Protocol

from .errors import BadName, LogClosed, NotText

LONGEST_NAME = 200


class Link(NamedTuple):
    """A seat's link to write down: the hash of its token (sha256, hexadecimal), never the token."""

    token_hash: str
    seat: str
    revoked: bool = False


class LinkRow(NamedTuple):
    """What a token's hash opens."""

    table: str
    seat: str
    revoked: bool


class TableRow(NamedTuple):
    """A table as a list shows it; ``last`` is the number of its last event, 0 before the first."""

    id: str
    created: datetime
    last: int
    updated: datetime


class Log(Protocol):
    """An append-only log of events for any number of tables."""

    async def create(self, table: str) -> None:
        """Give a new table its row; ``TableExists`` when it has one."""

    async def begin(
        self, table: str, events: Sequence[str], *, links: Sequence[Link] = (), snapshot: str | None = None,
        pictures: Sequence[bytes] = (),
    ) -> None:
        """A new table with its events, links, snapshot and pictures, whole or not at all; durable on return.

        ``TableExists`` when there is one. However long it is, others write meanwhile, and nobody sees a part of it.
        """

    async def append(
        self,
        table: str,
        first: int,
        events: Sequence[str],
        *,
        command: str = "",
        reply: str = "",
        links: Sequence[Link] = (),
        snapshot: str | None = None,
    ) -> None:
        """Write events ``first``, ``first + 1``… and all that goes with them, whole or not at all; durable on return.

        ``AlreadyDone`` when the command was acknowledged before, else ``Conflict`` when ``first`` is not the next
        number. A snapshot given here includes the last of these events. Giving up the wait does not undo the write.
        """

    async def read(self, table: str, after: int = 0, limit: int | None = None) -> list[tuple[int, str]]:
        """The events with a number above ``after``, in order."""

    async def snapshot(self, table: str) -> tuple[int, str] | None:
        """The latest snapshot, with the number of the last event it includes."""

    async def save_snapshot(self, table: str, number: int, text: str) -> None:
        """Keep a snapshot; one older than the one kept changes nothing, one of events to come is a ``Conflict``."""

    async def rewrite(self, table: str, before: Sequence[str], after: Sequence[str]) -> None:
        """Write a table's events anew, one for one, whole or not at all: it is brought over to a later format.

        The events that were are kept aside until :meth:`clear_aside`; where some are aside already, those stay. The
        snapshot goes: it told of what was. Numbers, commands and links stay as they are. ``Conflict`` when the table's
        events are not, or no longer, those ``before``: of several who try at once, one does it.
        """

    async def aside(self, table: str) -> list[tuple[int, str]]:
        """The events of a table as they were before :meth:`rewrite`, in order; none where nothing is aside."""

    async def clear_aside(self, table: str) -> None:
        """Let go of what is aside: the table was read as it is now written."""

    async def reply(self, table: str, command: str) -> str | None:
        """What was answered to a command, None when it is not known."""

    async def link(self, token_hash: str) -> LinkRow | None:
        """The seat that a token's hash opens, also when revoked."""

    async def keep_picture(self, table: str, content: bytes) -> str:
        """Keep a picture with a table, by the hash of its content, which is given back; durable on return."""

    async def picture(self, table: str, content_hash: str) -> bytes | None:
        """A picture of a table by the hash of its content; None when it is not there, or no longer what it was."""

    async def tables(self) -> list[TableRow]:
        """All tables, the last played first."""

    def listen(self) -> Listening:
        """Every append from now on, by anybody, also by other processes: ``async for table, last in log.listen()``."""

    async def hold(self, name: str) -> None:
        """Hold a name up, for all who share the log to see: it is written nowhere, and falls with this program."""

    async def held(self, names: Iterable[str]) -> frozenset[str]:
        """Those of these names that anybody holds up."""

    async def let_go(self, names: Iterable[str]) -> None:
        """Hold these names up no longer."""

    async def close(self) -> None:
        """Stop, once what was handed over is written."""


class Listening(AsyncIterator[tuple[str, int]]):
    """One who listens; hears ``(table, last number)`` and, when slow, only the latest number of each table.

    It hears from the moment it is made. Awaiting it first waits until other processes are heard too.
    """

    def __init__(self, hub: Hub, ready: asyncio.Future[None] | None = None) -> None:
        self.loop = asyncio.get_running_loop()
        self._hub = hub
        self._ready = ready
        self._heard: dict[str, int] = {}
        self._waiting: asyncio.Future[None] | None = None
        self._over = False

    def __await__(self) -> Generator[Any, None, Listening]:
        if self._ready is not None:
            yield from asyncio.shield(self._ready).__await__()
        return self

    def __aiter__(self) -> Listening:
        return self

    async def __anext__(self) -> tuple[str, int]:
        while not self._heard:
            if self._over:
                raise StopAsyncIteration
            self._waiting = self.loop.create_future()
            await self._waiting
        table = next(iter(self._heard))
        return table, self._heard.pop(table)

    async def aclose(self) -> None:
        """Stop listening."""
        self._hub.leave(self)
        self.end()

    def hear(self, notices: Iterable[tuple[str, int]]) -> None:
        """Take notices in; called in the listener's own loop."""
        self._heard.update(notices)
        self._wake()

    def end(self) -> None:
        """Let the one who waits go."""
        self._over = True
        self._wake()

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)


class Hub:
    """Those who listen to one log; remembers the last number told of each table, so that nothing is told twice."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: weakref.WeakSet[Listening] = weakref.WeakSet()  # who walks away need not say so
        self._told: dict[str, int] = {}

    def join(self, listener: Listening) -> Listening:
        """Add somebody who listens."""
        with self._lock:
            self._listeners.add(listener)
        return listener

    def leave(self, listener: Listening) -> None:
        """Forget somebody who listened."""
        with self._lock:
            self._listeners.discard(listener)

    @property
    def anybody(self) -> bool:
        """Whether anybody listens."""
        return len(self._listeners) > 0

    def know(self, numbers: Iterable[tuple[str, int]]) -> None:
        """Take these numbers as told."""
        with self._lock:
            self._told.update((table, number) for table, number in numbers if number > self._told.get(table, 0))

    def news(self, numbers: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
        """Those numbers that were not told yet; they count as told from now on."""
        with self._lock:
            fresh = [(table, number) for table, number in numbers if number > self._told.get(table, 0)]
            self._told.update(fresh)
        return fresh

    def tell(self, numbers: Iterable[tuple[str, int]]) -> None:
        """Tell everybody what they have not heard; from any thread."""
        fresh = self.news(numbers)
        if not fresh:
            return
        here = _loop_here()
        for listener in self._present():
            if listener.loop is here:
                listener.hear(fresh)
            else:
                soon(listener.loop, listener.hear, fresh)

    def close(self) -> None:
        """End every listening."""
        here = _loop_here()
        for listener in self._present():
            if listener.loop is here:
                listener.end()
            else:
                soon(listener.loop, listener.end)

    def _present(self) -> list[Listening]:
        with self._lock:
            return list(self._listeners)


def _loop_here() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def soon(loop: asyncio.AbstractEventLoop, call: Any, *args: Any) -> None:
    """Call in a loop from another thread; a loop that is gone has nobody left to tell."""
    try:
        loop.call_soon_threadsafe(call, *args)
    except RuntimeError:
        if not loop.is_closed():
            raise


def now_ms() -> int:
    """The time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def moment(ms: int) -> datetime:
    """A kept time as a date."""
    return datetime.fromtimestamp(ms / 1000, UTC)


def check_name(what: str, name: str, empty: bool = False) -> None:
    """Refuse a name no database should hold."""
    if len(name) > LONGEST_NAME or not (name or empty):
        raise BadName(what=what, longest=LONGEST_NAME, got=name[:40])
    check_text(name)


def check_text(text: str) -> None:
    """Refuse a text that some database would refuse, so that all behave the same."""
    if "\0" in text:
        raise NotText()
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise NotText() from None


def check_append(
    table: str, events: Sequence[str], command: str, reply: str, links: Sequence[Link], snapshot: str | None
) -> None:
    """Refuse what cannot be written before anybody else's command shares its commit."""
    check_name("table", table)
    check_name("command", command, empty=True)
    check_text(reply)
    for event in events:
        check_text(event)
    for link in links:
        check_name("link", link.token_hash)
        check_name("seat", link.seat)
    if snapshot is not None:
        check_text(snapshot)


def check_rewrite(table: str, before: Sequence[str], after: Sequence[str]) -> None:
    """Refuse to write anew what is not the same events: those who know them by number would be misled."""
    check_name("table", table)
    if len(before) != len(after):
        raise ValueError(f"{len(before)} events cannot become {len(after)}")
    for event in after:
        check_text(event)


def content_hash(content: bytes) -> str:
    """What a picture is kept by."""
    return hashlib.sha256(content).hexdigest()


def unspoilt(content: bytes | None, wanted: str) -> bytes | None:
    """A picture as it was kept; one that was damaged since is as good as none."""
    return content if content is not None and content_hash(content) == wanted else None


def check_open(closed: bool) -> None:
    """Refuse to work once closed."""
    if closed:
        raise LogClosed()
