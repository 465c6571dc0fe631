"""The last line of an export: how many lines stand before it, and the hash of them all.

So a file that lost a line, or has one twice, elsewhere or otherwise, is known for it. Its numbers are those of the
seat's own lines: nothing in it depends on what the seat may not know. Files of earlier versions have no such line.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct

from .errors import ExportChanged, ExportCut
from .pictures import is_picture_line

CLOSING = "closing"
RULES = "rules"
"""The line before it, in one seat's own export: from which of its lines on results come of which rules."""


class _LineKind(Struct):
    type: str = ""
    closes: bool = False


_reads = msgspec.json.Decoder(_LineKind)


class LineCount:
    """The lines of an export so far."""

    def __init__(self) -> None:
        self._hash, self.lines = hashlib.sha256(), 0

    def add(self, line: str) -> None:
        """One line more."""
        self._hash.update(line.encode(errors="surrogatepass") + b"\n")
        self.lines += 1

    @property
    def code(self) -> str:
        """A short code of the lines so far, to be compared by eye: between a page and a file, or two files."""
        figures = self._hash.hexdigest()[:12].upper()
        return "-".join(figures[at : at + 4] for at in range(0, 12, 4))

    @property
    def closing(self) -> str:
        """The line that closes them; its number is that of the last before it."""
        told = {"type": CLOSING, "id": max(0, self.lines - 1), "lines": self.lines, "hash": self._hash.hexdigest()}
        return json.dumps(told, separators=(",", ":"))


def closed(lines: Iterable[str]) -> Iterator[str]:
    """The lines of an export, and the one that closes it."""
    account = LineCount()
    for line in lines:
        account.add(line)
        yield line
    if account.lines:
        yield account.closing


class ExportRead:
    """The lines of an export as they are read: ``lines()`` gives those before the closing one, and then ``fault`` says
    what is wrong with them all, ``is_closed`` whether anything could be said."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines, self.account = lines, LineCount()
        self.is_closed, self.fault = False, ""

    def lines(self) -> Iterator[str]:
        """What stands before the closing line; blank lines are none."""
        closes, over = False, False
        for row in self._lines:
            line = row.rstrip("\r\n")
            if not line.strip() or is_picture_line(line):  # pictures come after, known by what is in them
                continue
            told = _told(line)
            if over:
                self.fault = "changed"
            elif told.type == CLOSING:
                over, self.is_closed = True, True
                self.fault = "" if line == self.account.closing else "changed"
                continue
            closes = closes or (not self.account.lines and told.closes)
            self.account.add(line)
            yield line
        if closes and not over:
            self.is_closed, self.fault = True, "cut"

    def whole(self) -> Iterator[str]:
        """The same, refused in the end if a line was lost, doubled, moved or changed."""
        yield from self.lines()
        if self.fault:
            raise ExportCut() if self.fault == "cut" else ExportChanged()


def _told(line: str) -> _LineKind:
    try:
        return _reads.decode(line)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return _LineKind()
