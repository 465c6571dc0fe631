"""A log that lives as long as its program: for tests and for trying things out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .errors import AlreadyDone, Conflict, NoTable, TableExists
from .log import (
    Hub,
    Link,
    LinkRow,
    Listening,
    TableRow,
    check_append,
    check_name,
    check_open,
    check_rewrite,
    check_text,
    content_hash,
    moment,
    now_ms,
)


class MemoryLog:
    """The same log as the others, in dictionaries; also the plainest telling of what the others must do."""

    def __init__(self) -> None:
        self._events: dict[str, list[str]] = {}
        self._times: dict[str, tuple[int, int]] = {}
        self._commands: dict[tuple[str, str], str] = {}
        self._links: dict[str, LinkRow] = {}
        self._snapshots: dict[str, tuple[int, str]] = {}
        self._pictures: dict[tuple[str, str], bytes] = {}
        self._aside: dict[str, list[str]] = {}
        self._held: set[str] = set()
        self._hub = Hub()
        self._closed = False

    async def create(self, table: str) -> None:
        """Give a new table its row."""
        check_open(self._closed)
        check_name("table", table)
        if table in self._events:
            raise TableExists(table)
        self._events[table] = []
        self._times[table] = (now_ms(), now_ms())

    async def begin(
        self, table: str, events: Sequence[str], *, links: Sequence[Link] = (), snapshot: str | None = None,
        pictures: Sequence[bytes] = (),
    ) -> None:
        """A new table, all at once."""
        check_append(table, events, "", "", links, snapshot)
        await self.create(table)
        for content in pictures:
            await self.keep_picture(table, content)
        await self.append(table, 1, events, links=links, snapshot=snapshot)

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
        """Write events and what goes with them."""
        check_open(self._closed)
        check_append(table, events, command, reply, links, snapshot)
        kept = self._of(table)
        done = self._commands.get((table, command)) if command else None
        if done is not None:
            raise AlreadyDone(command, done)
        if first != len(kept) + 1:
            raise Conflict(table, len(kept) + 1)
        kept.extend(events)
        if command:
            self._commands[table, command] = reply
        for link in links:
            if self._links.get(link.token_hash, LinkRow(table, "", False)).table == table:
                self._links[link.token_hash] = LinkRow(table, link.seat, link.revoked)
        if snapshot is not None:
            self._snapshots[table] = (len(kept), snapshot)
        self._times[table] = (self._times[table][0], now_ms())
        if events:
            self._hub.tell([(table, len(kept))])

    async def read(self, table: str, after: int = 0, limit: int | None = None) -> list[tuple[int, str]]:
        """The events above ``after``."""
        check_open(self._closed)
        start = max(0, after)
        wanted = self._of(table)[start : None if limit is None else start + max(0, limit)]
        return list(enumerate(wanted, start + 1))

    async def snapshot(self, table: str) -> tuple[int, str] | None:
        """The latest snapshot."""
        check_open(self._closed)
        return self._snapshots.get(table)

    async def save_snapshot(self, table: str, number: int, text: str) -> None:
        """Keep a snapshot."""
        check_open(self._closed)
        check_text(text)
        last = len(self._of(table))
        if number > last:
            raise Conflict(table, last + 1)
        if number >= self._snapshots.get(table, (0, ""))[0]:
            self._snapshots[table] = (number, text)

    async def rewrite(self, table: str, before: Sequence[str], after: Sequence[str]) -> None:
        """Write a table's events anew; those that were are kept aside."""
        check_open(self._closed)
        check_rewrite(table, before, after)
        kept = self._of(table)
        if kept != list(before):
            raise Conflict(table, len(kept) + 1)
        self._aside.setdefault(table, kept)
        self._events[table] = list(after)
        self._snapshots.pop(table, None)

    async def aside(self, table: str) -> list[tuple[int, str]]:
        """The events as they were."""
        check_open(self._closed)
        return list(enumerate(self._aside.get(table, ()), 1))

    async def clear_aside(self, table: str) -> None:
        """Let go of what is aside."""
        check_open(self._closed)
        self._aside.pop(table, None)

    async def reply(self, table: str, command: str) -> str | None:
        """What was answered to a command."""
        check_open(self._closed)
        return self._commands.get((table, command))

    async def link(self, token_hash: str) -> LinkRow | None:
        """The seat that a token's hash opens."""
        check_open(self._closed)
        return self._links.get(token_hash)

    async def keep_picture(self, table: str, content: bytes) -> str:
        """Keep a picture with a table."""
        check_open(self._closed)
        self._of(table)
        name = content_hash(content)
        self._pictures[table, name] = bytes(content)
        return name

    async def picture(self, table: str, content_hash: str) -> bytes | None:
        """A picture of a table."""
        check_open(self._closed)
        return self._pictures.get((table, content_hash))

    async def tables(self) -> list[TableRow]:
        """All tables, the last played first."""
        check_open(self._closed)
        rows = [
            TableRow(table, moment(created), len(self._events[table]), moment(updated))
            for table, (created, updated) in self._times.items()
        ]
        return sorted(rows, key=lambda row: (-row.updated.timestamp(), row.id))

    def listen(self) -> Listening:
        """Every append from now on."""
        check_open(self._closed)
        return self._hub.join(Listening(self._hub))

    async def hold(self, name: str) -> None:
        """Hold a name up."""
        check_open(self._closed)
        self._held.add(name)

    async def held(self, names: Iterable[str]) -> frozenset[str]:
        """Those of these names that are held up."""
        check_open(self._closed)
        return frozenset(names) & self._held

    async def let_go(self, names: Iterable[str]) -> None:
        """Hold these names up no longer."""
        check_open(self._closed)
        self._held -= set(names)

    async def close(self) -> None:
        """Stop."""
        self._closed = True
        self._hub.close()

    def _of(self, table: str) -> list[str]:
        try:
            return self._events[table]
        except KeyError:
            raise NoTable(table) from None
