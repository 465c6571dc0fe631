"""A table brought from a file over HTTP: laid on the disk as it arrives, then read line by line."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator

from starlette.requests import Request

from paravent.dice import ParaventError
from paravent.table.errors import NotAnExport
from paravent.table.host import Entry, Host

from .security import Limiter

IN_MEMORY = 1 << 20
"""What is longer is laid on the disk."""


class TooManyImports(ParaventError):
    """Too many tables were brought from this address in a short time."""

    code = "web/too-many-imports"


class Porter:
    """Lets tables in, one at a time, and not too many from one address."""

    def __init__(self, tries: int = 20, seconds: float = 600) -> None:
        self.tries = Limiter(tries, seconds)
        self._door = asyncio.Lock()

    def check(self, request: Request) -> None:
        """Refuse an address that brings too many."""
        if not self.tries.allows(request.client.host if request.client else ""):
            raise TooManyImports()

    async def bring(self, host: Host, lines: Iterable[bytes]) -> Entry:
        """Open a table from the lines of an export."""
        async with self._door:
            return await host.bring(_texts(lines))


def _texts(lines: Iterable[bytes]) -> Iterator[str]:
    for line in lines:
        try:
            yield line.decode()
        except UnicodeDecodeError:
            raise NotAnExport(why="utf-8") from None
