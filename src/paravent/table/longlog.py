"""A log that may be long, read in pieces and away from the event loop, so that nobody else waits for it."""

from __future__ import annotations

import asyncio
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


T = TypeVar("T")


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
            yield from rows
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
