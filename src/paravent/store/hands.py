"""Names that programs of one machine hold up for each other to see, and that are written nowhere.

A name held up is a lock on one byte of a file that stays empty. The system keeps it in memory, shows it to whoever asks
about that byte, and forgets it when the program ends. Where the system has no such locks, a program sees its own only.
"""

from __future__ import annotations

import hashlib
import os
import struct
from pathlib import Path

try:
    import fcntl
except ImportError:  # not a system of the Unix family
    fcntl = None  # type: ignore[assignment]

_FLOCK = "@hhqqi"


def number_of(name: str) -> int:
    """A name as a number of 62 bits."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big") >> 2


class Hands:
    """What one program holds up, and sees held up by others of this machine."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = -1
        self._mine: set[str] = set()

    def hold(self, name: str) -> None:
        """Hold a name up."""
        self._mine.add(name)
        self._lock("F_OFD_SETLK", "F_RDLCK", name)

    def let_go(self, name: str) -> None:
        """Hold it up no longer."""
        if name in self._mine:
            self._mine.remove(name)
            self._lock("F_OFD_SETLK", "F_UNLCK", name)

    def is_held(self, name: str) -> bool:
        """Whether anybody holds it up."""
        return name in self._mine or self._lock("F_OFD_GETLK", "F_WRLCK", name)

    def _lock(self, what: str, kind: str, name: str) -> bool:
        """Set a lock on a name's byte, or ask whether others have one there."""
        if not hasattr(fcntl, what):
            return False
        if self._file < 0:
            self._file = os.open(self._path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        asked = struct.pack(_FLOCK, getattr(fcntl, kind), os.SEEK_SET, number_of(name), 1, 0)
        found = struct.unpack_from(_FLOCK, fcntl.fcntl(self._file, getattr(fcntl, what), asked))
        return bool(found[0] != fcntl.F_UNLCK)

    def close(self) -> None:
        """Let everything go."""
        self._mine.clear()
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
