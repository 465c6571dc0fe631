"""Where each table is at home: several workers answer at one address, and each table is kept and drawn by one of them.

Whichever worker a connection comes to reads what is asked first. If that is about a table which is at home with
another, the connection goes there, with what was read of it. The same holds for every later question on a kept
connection, so that a relay in front of us need not know any of this. Nothing depends on it but what is spent: a worker
who cannot hand on what it was asked answers it itself, from the log.

All workers agree on where a table is at home: with the one of those who serve just now whose number, shuffled with the
table's name, comes first. The tables of one who falls are at home with the others at once, and go back when it is
replaced.
"""

from __future__ import annotations

import hashlib
import os
import re
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.context import BaseContext
from typing import NamedTuple

ASKED = re.compile(rb"[A-Z]+ /(?:t/([^/ ?]+)/|(open|import|door|demo/|api/tables)|enter/([^/ ?]+)|api/)")
"""The beginning of what may be asked: about a table, to open one, or by a link's token, as programs do."""
BEARER = re.compile(rb"\r\nauthorization: *bearer +([^\r\n ]+)", re.IGNORECASE)
THRESHOLD = ""
"""What stands for the opening of tables: one worker counts how many an address opens."""
MOST_READ = 64 * 1024
"""How much of what is asked goes along with a connection; where more was read, it stays."""
AT_A_TIME = 32
SHUT_OUT = 5.0
"""For how many seconds one who does not take connections is asked no more."""
_SLOTS = 1 << 16


class Errand(NamedTuple):
    """What a question is about, as far as its beginning tells: a table, or the one that a token opens."""

    table: str | None = None
    token: str = ""


def asked(read: bytes) -> Errand:
    """What a question is about."""
    found = ASKED.match(read)
    if found is None:
        return Errand()
    table, opens, token = found.groups(b"")
    if table:
        return Errand(table.decode("latin-1"))
    if opens:
        return Errand(THRESHOLD if read.startswith(b"POST ") else None)
    if not token:
        shown = BEARER.search(read, 0, read.find(b"\r\n\r\n") + 1 or len(read))
        token = shown[1] if shown else b""
    return Errand(token=token.decode("latin-1"))


class Homes:
    """What the workers of a server share: who serves, a way to each, and how many connections each address holds."""

    def __init__(self, workers: int, context: BaseContext) -> None:
        self.me = -1
        self._key = os.urandom(16)
        self._serving = context.RawArray("b", workers)
        self._held = context.RawArray("I", workers * _SLOTS)
        """Each worker writes its own row, so that nobody waits for one who fell."""
        self._ways = [_way() for _ in range(workers)] if _can_hand_on() else []
        self._shut_out: dict[int, float] = {}
        self._found: dict[str, int] = {}
        self._found_for = b""

    # One worker's own

    @property
    def can_hand_on(self) -> bool:
        """Whether this system hands connections from one program to another."""
        return bool(self._ways)

    def comes(self, me: int) -> None:
        """This program is now one of them."""
        self.me = me
        self._serving[me] = 1

    def goes(self) -> None:
        """It takes no more connections."""
        self._serving[self.me] = 0

    @property
    def inbox(self) -> socket.socket:
        """Where connections come from the others."""
        return self._ways[self.me][1]

    def handed(self) -> Iterator[tuple[socket.socket, bytes]]:
        """The connections that the others handed on, each with what was read of it."""
        for _ in range(AT_A_TIME):
            try:
                read, lines, *_ = socket.recv_fds(self.inbox, MOST_READ, 1)
            except OSError:  # nothing more
                return
            for line in lines:
                os.set_inheritable(line, False)
                yield socket.socket(fileno=line), read

    def is_away(self, table: str) -> bool:
        """Whether a table is at home with another."""
        return self.home(table) != self.me

    def home(self, table: str) -> int:
        """The worker whom a table is at home with, as far as this one can reach them."""
        serving = bytes(self._serving)
        if self._shut_out:
            now = time.monotonic()
            self._shut_out = {one: until for one, until in self._shut_out.items() if until > now}
            serving = bytes(0 if one in self._shut_out else there for one, there in enumerate(serving))
        if serving != self._found_for or len(self._found) > _SLOTS:
            self._found, self._found_for = {}, serving
        found = self._found.get(table)
        if found is None:
            there = [one for one, serves in enumerate(serving) if serves] or [self.me]
            found = self._found[table] = min(there, key=lambda one: self._shuffled(f"{one} {table}"))
        return found

    def hand(self, to: int, line: int, read: bytes) -> bool:
        """Hand a connection to another; whether that was possible."""
        try:
            socket.send_fds(self._ways[to][0], [read], [line])
        except OSError:
            self._shut_out[to] = time.monotonic() + SHUT_OUT
            return False
        return True

    def holds(self, address: str, more: int) -> int:
        """Count one connection more or less from an address; how many all workers hold from there.

        One in some sixty thousand other addresses is counted with it.
        """
        slot = self._shuffled(address) % _SLOTS
        self._held[self.me * _SLOTS + slot] += more
        return sum(self._held[slot::_SLOTS])

    def leads(self, asks: Errand, line: int, read: bytes) -> bool:
        """Hand a connection on to where what it asks is at home; whether it was."""
        if asks.table is None or len(read) > MOST_READ:
            return False
        home = self.home(asks.table)
        return home != self.me and self.hand(home, line, read)

    # Their keeper's

    def fell(self, one: int) -> None:
        """A worker is no more: it holds nothing, and what was on its way to it goes to the others."""
        self._serving[one] = 0
        self._held[one * _SLOTS : (one + 1) * _SLOTS] = [0] * _SLOTS
        others = [way for other, way in enumerate(self._ways) if self._serving[other]]
        while others:
            try:
                read, lines, *_ = socket.recv_fds(self._ways[one][1], MOST_READ, 1)
            except OSError:
                return
            with suppress(OSError):
                socket.send_fds(others[0][0], [read], lines)
            others.append(others.pop(0))
            for line in lines:
                os.close(line)

    def close(self) -> None:
        """Nothing more is handed on."""
        for way in self._ways:
            for end in way:
                end.close()

    def _shuffled(self, text: str) -> int:
        return int.from_bytes(hashlib.blake2b(text.encode(errors="replace"), digest_size=8, key=self._key).digest())


def _can_hand_on() -> bool:
    try:
        for end in _way():
            end.close()
    except (OSError, AttributeError):
        return False
    return hasattr(socket, "send_fds")


def _way() -> tuple[socket.socket, socket.socket]:
    """Both ends of a way that keeps what is sent apart; nobody waits at either."""
    ends = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    for end in ends:
        end.setblocking(False)
    return ends
