"""The gate: what a connection may cost before anybody knows who is there.

A head that is too long or too slow, a body of which nothing more comes, one connection more than an address may hold:
it is told so in a line and closed. Whoever has asked something whole is never cut off here, however long the answer
takes.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from http import HTTPStatus
from ipaddress import ip_address, ip_network
from typing import Any, Protocol

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from .security import household, is_loopback

LONGEST_HEAD = 64 * 1024
"""Bytes of a request before its body: the line that says what is asked, and its headers. As many may come around a body
that is sent in chunks, from one piece of it to the next and behind the last."""
HEAD_SECONDS = 15.0
"""How long a request may take to say what it asks, from its first byte, or from when the connection was opened."""
SILENT_SECONDS = 30.0
"""How long nothing may come of a body that was announced."""
BODY_SECONDS = 600.0
"""How long a body may take in all: a picture from a telephone in the countryside."""
MOST_AHEAD = 16
"""How many requests a connection may send before those ahead of them are answered. Browsers wait for each answer; each
that waits costs a hundred times what it took to send."""
MOST_CONNECTIONS = 256
"""How many connections one household may hold: a whole club behind one line. This machine and a proxy that was named
hold as many as they like."""


class Crowd:
    """How many connections each address holds, and how many it may.

    ``holds`` counts one more or less and says how many there are, where several programs count together.
    """

    def __init__(
        self, most: int = MOST_CONNECTIONS, proxies: tuple[str, ...] = (),
        holds: Callable[[str, int], int] | None = None,
    ) -> None:
        self._most, self._held, self._holds = most, Counter[str](), holds or self._own
        self._proxies = tuple(ip_network(proxy) for proxy in proxies)

    def comes(self, address: str) -> bool:
        """One more from there: whether it may stay."""
        return self._holds(household(address), 1) <= self._most or self._is_known(address)

    def goes(self, address: str) -> None:
        """One less."""
        self._holds(household(address), -1)

    def _own(self, address: str, more: int) -> int:
        held = self._held[address] = self._held[address] + more
        if held <= 0:
            del self._held[address]
        return held

    def _is_known(self, address: str) -> bool:
        return is_loopback(address) or any(ip_address(address) in network for network in self._proxies)


class Leading(Protocol):
    """What leads connections to where they belong."""

    def __call__(self, line: int, read: bytes) -> bool | None:
        """Hand a connection on, with what was read of it; False, if it belongs here, None, if that must be learnt."""

    async def learn(self, read: bytes) -> None:
        """Learn where a connection belongs."""


class Gate(HttpToolsProtocol):
    """One connection, read by uvicorn's own protocol, and watched."""

    crowd = Crowd()
    way: Leading | None = None
    handed = b""
    """What another program read of the connection before it came here."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._head = 0
        """Bytes of the head that is being read; then those that came since something of the body did."""
        self._begun = self._last = self.loop.time()
        """When what is being read began, and when something last came of it."""
        self._asks = "head"
        """What of a request is still to come: its head, its body, or nothing while it is answered."""
        self._watch: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        super().connection_made(transport)
        self._from = self.client[0] if self.client else ""
        may_stay = self.crowd.comes(self._from)
        if not may_stay and not self.handed:
            self._turn_away(HTTPStatus.TOO_MANY_REQUESTS)
            return
        self._watch = self.loop.call_later(HEAD_SECONDS, self._look)
        if self.handed:
            self._read(self.handed)

    def connection_lost(self, exc: Exception | None) -> None:
        self.crowd.goes(self._from)
        if self._watch is not None:
            self._watch.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if not self.transport.is_closing() and not self._belongs_elsewhere(data):
            self._read(data)

    def _belongs_elsewhere(self, data: bytes) -> bool:
        """Whether what begins here is handed on, now or soon: nothing is under way, and nothing left to be sent."""
        if self.way is None or self._asks == "body" or (self._asks == "head" and self._head):
            return False
        if (self.cycle is not None and not self.cycle.response_complete) or self.transport.get_write_buffer_size():
            return False
        handed = self._handed_on(data)
        if handed is None:
            self._unset_keepalive_if_required()
            self.transport.pause_reading()
            self._learning = self.loop.create_task(self._learns(data))
        return handed is not False

    def _handed_on(self, data: bytes) -> bool | None:
        assert self.way is not None
        handed = self.way(self.transport.get_extra_info("socket").fileno(), data)
        if handed:
            self.transport.abort()  # our end of it; the other program has its own
        return handed

    async def _learns(self, data: bytes) -> None:
        """Ask where it belongs before anything of it is read; where nobody knows, it is answered here."""
        assert self.way is not None
        await self.way.learn(data)
        if not self.transport.is_closing() and not self._handed_on(data):
            self._read(data)
            if not self.flow.read_paused:
                self.transport.resume_reading()

    def _read(self, data: bytes) -> None:
        self._last = self.loop.time()
        if self._asks:
            self._head += len(data)
        super().data_received(data)
        if self._asks and self._head > LONGEST_HEAD:
            self._turn_away(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    def on_message_begin(self) -> None:
        if self._asks != "head":  # another one on a kept connection
            self._asks, self._head, self._begun = "head", 0, self._last
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._asks, self._begun, self._head = "body", self._last, 0
        if len(self.pipeline) >= MOST_AHEAD:
            self._turn_away(HTTPStatus.TOO_MANY_REQUESTS)
        if not self.transport.is_closing():
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._head = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._asks = ""
        super().on_message_complete()

    def _left(self) -> float:
        """For how many seconds what is still to come may be waited for."""
        now = self.loop.time()
        if self._asks == "head":
            return self._begun + HEAD_SECONDS - now
        if self._asks == "body" and not self.flow.read_paused:  # paused: it is we who do not read
            return min(self._last + SILENT_SECONDS, self._begun + BODY_SECONDS) - now
        return SILENT_SECONDS

    def _look(self) -> None:
        left = self._left()
        if left > 0:
            self._watch = self.loop.call_later(left, self._look)
        else:
            self._turn_away(HTTPStatus.REQUEST_TIMEOUT)

    def _turn_away(self, status: HTTPStatus) -> None:
        if self.transport.is_closing():
            return
        if self.cycle is not None and not self.cycle.response_complete:  # an answer may have begun: it cannot go on
            self.transport.abort()
            return
        line = f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        self.transport.write(line.encode())
        self.transport.close()


def gate(crowd: Crowd, way: Leading | None = None) -> type[Gate]:
    """The gate of one server, which counts its own crowd; ``way`` leads to those who work beside it."""
    return type("Gate", (Gate,), {"crowd": crowd, "way": way})
