"""A table brought from a file over HTTP: read as it arrives, laid on the disk, never whole in memory as text."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator
from typing import IO, Any

from starlette.requests import Request

from paravent.dice import ParaventError
from paravent.table.errors import NotAnExport
from paravent.table.host import Entry, Host

from .security import Limiter

_IN_MEMORY = 1 << 20


class TooManyImports(ParaventError):
    """Too many tables were brought from this address in a short time."""

    code = "web/too-many-imports"


class Porter:
    """Lets tables in, one at a time, and not too many from one address."""

    def __init__(self, tries: int = 20, seconds: float = 600) -> None:
        self.tries = Limiter(tries, seconds)
        self._door = asyncio.Lock()

    async def bring(self, request: Request, host: Host, body: AsyncIterator[bytes]) -> Entry:
        """Open a table from what is sent."""
        if not self.tries.allows(request.client.host if request.client else ""):
            raise TooManyImports()
        with tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY) as kept:
            async for part in body:
                kept.write(part)
            kept.seek(0)
            async with self._door:
                return await host.bring(_lines(kept))


def _lines(kept: IO[bytes] | Any) -> Iterator[str]:
    """The lines of a file, as text."""
    for line in kept:
        try:
            yield line.decode()
        except UnicodeDecodeError:
            raise NotAnExport(why="utf-8") from None
