"""A log that may be long, read in pieces and away from the event loop, so that nobody else waits for it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sized
from time import perf_counter
from typing import Protocol, TypeVar

from .limits import LARGEST_NUMBER

AT_ONCE = 2000
"""How many rows of a log are read at once: whoever else asks something has a turn in between."""
A_WHILE = 0.2
"""For how many seconds lines are gathered before they are handed on."""
A_PIECE = 1 << 16
"""How many characters are sent at once."""
STANDS_STILL, GOES_ON = 0.05, 0.005
"""For how many seconds at most long work stands still, and for how many at least it then goes on."""


T = TypeVar("T")


class Courtesy:
    """Whoever plays goes first: what is long, and done in a thread, stands still while somebody's command is answered.

    Threads take turns anyhow, but whoever answers would wait for theirs each time they have waited for anything else.
    However much is played, what is long goes on in between, and comes to its end.
    """

    def __init__(self) -> None:
        self._counting, self._playing, self._until = threading.Lock(), 0, 0.0
        self.waits = 0
        """How often it stood still."""
        self._free = threading.Event()

    def __enter__(self) -> None:
        """Somebody is being answered."""
        self._count(1)

    def __exit__(self, *failed: object) -> None:
        """They are answered."""
        self._count(-1)

    def _count(self, more: int) -> None:
        with self._counting:
            self._playing += more
            if self._playing:
                self._free.clear()
            else:
                self._free.set()

    def gives_way(self) -> None:
        """Stand still for as long as somebody is being answered, or nearly."""
        if self._playing and perf_counter() >= self._until:
            self.waits += 1
            self._free.wait(STANDS_STILL)
            self._until = perf_counter() + GOES_ON


PLAYED = Courtesy()
"""What is played here, at all tables of this program."""


def giving_way(many: Iterable[T]) -> Iterator[T]:
    """The same, one after the other, as fast as those who play let it."""
    for one in many:
        PLAYED.gives_way()
        yield one


class ReadLog(Protocol):
    """A log that can be read from anywhere on."""

    async def read(self, table: str, after: int = 0, limit: int | None = None) -> list[tuple[int, str]]: ...


async def rows_after(log: ReadLog, table: str, after: int = 0) -> list[tuple[int, str]]:
    """The rows that follow one, all of them, fetched piece by piece."""
    found: list[tuple[int, str]] = []
    while rows := await log.read(table, after, AT_ONCE):
        found += rows
        after = rows[-1][0]
        if len(rows) < AT_ONCE:
            break
    return found


async def apart_if_long(most: int, events: Sized, do: Callable[[], T]) -> T:
    """What comes of events; in a thread where there are many, so that nobody waits for it."""
    return await asyncio.to_thread(do) if len(events) > most else do()


async def let_go(many: list[T]) -> None:
    """Forget a long list a little at a time: while all of it is forgotten at once, nobody has a turn."""

    def forget() -> None:
        while many:
            del many[-AT_ONCE:]

    await asyncio.to_thread(forget)


class Emptied(Protocol):
    """What can be emptied one by one."""

    def __len__(self) -> int: ...
    def popitem(self) -> object: ...


def forgotten(*kept: Emptied) -> None:
    """Forget what was gathered one by one, wherever one is: all at once, nobody else would have a turn meanwhile."""
    for some in kept:
        while some:
            some.popitem()
            PLAYED.gives_way()


class LogRows:
    """The rows of a log that follow one, as they are kept; read in a thread, as often as one likes and never all at
    once, while the event loop in which the log lives goes on."""

    def __init__(self, log: ReadLog, table: str, after: int = 0, last: int = LARGEST_NUMBER) -> None:
        self._log, self._table, self._after, self._last = log, table, after, last
        self._loop = asyncio.get_running_loop()

    def __iter__(self) -> Iterator[tuple[int, str]]:
        after = self._after
        while after < self._last:
            most = min(AT_ONCE, self._last - after)
            rows = asyncio.run_coroutine_threadsafe(self._log.read(self._table, after, most), self._loop).result()
            yield from giving_way(rows)
            if len(rows) < most:
                return
            after = rows[-1][0]


class Texts:
    """The events of a log up to one, read in the same way."""

    def __init__(self, log: ReadLog, table: str, last: int) -> None:
        self._rows = LogRows(log, table, 0, last)

    def __iter__(self) -> Iterator[str]:
        return (text for _, text in self._rows)


async def apart(lines: Iterable[str]) -> AsyncIterator[str]:
    """The same lines, made in a thread, several at a time; the first at once."""
    made = iter(lines)

    def some() -> list[str]:
        until, found = perf_counter() + A_WHILE, []
        for line in made:
            found.append(line)
            if not begun or perf_counter() > until:
                break
        return found

    begun = False
    while found := await asyncio.to_thread(some):
        begun = True
        for line in found:
            yield line


async def together(lines: AsyncIterator[str]) -> AsyncIterator[str]:
    """Lines as they are sent, many at a time: one by one, sending them would keep the event loop longer than making
    them. The first goes at once; after each piece everybody else has a turn."""
    piece: list[str] = []
    size = most = 0
    async for line in lines:
        piece.append(f"{line}\n")
        size += len(line)
        if size >= most:
            yield "".join(piece)
            await asyncio.sleep(0)
            piece, size, most = [], 0, A_PIECE
    if piece:
        yield "".join(piece)
