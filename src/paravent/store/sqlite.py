"""The log in one SQLite file: one thread writes, many commands share a commit, readers never wait.

Why it is laid out so. A commit costs one wait for the disk, whatever it holds; so commands that arrive while one
commit runs go together into the next, and a command that finds the writer idle is committed at once. What then costs is
the number of pages touched: 64 tables filed each in its own place touch 128 pages. So a commit lays its events in one
pile, the *tray*, and the writer files the pile table by table when it is high, after everybody was answered. Reading
looks in both places in one statement. Both moves are ordinary transactions: nothing depends on the filing.

Checkpoints are asked for here, in the mode that keeps writers out meanwhile, and never left to SQLite's own moment:
before 3.51.3 a write of another connection in the middle of a checkpoint could lose pages.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from . import beginning
from .errors import (
    AlreadyDone,
    Conflict,
    LogClosed,
    NoTable,
    StoreError,
    TableExists,
)
from .files import BUSY_SECONDS, connect, failure, open_file
from .hands import Hands
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
    soon,
    unspoilt,
)
from .orders import (
    Appending,
    Beginning,
    Clearing,
    Creation,
    Laying,
    Order,
    Picturing,
    Rewriting,
    Saving,
    Sweeping,
)

TRAY_ROWS = 2048
TRAY_BYTES = 4 << 20
CHECKPOINT_PAGES = 1000
CHECKPOINT_LATEST = 2  # times as many pages, when the writer is never idle long enough
CHECKPOINT_WAIT_MS = 10  # for readers in the way: all who write wait meanwhile, and a long table is read all the time
POLL_SECONDS = 0.1
READERS = 4
PAGE = 4096
ROOM_PAGES = 1200

LAY = "INSERT INTO tray (table_id, number, event, command, reply) VALUES (?, ?, ?, ?, ?)"
ADVANCE = "UPDATE tables SET last = ?, updated = ? WHERE id = ?"
DONE = "SELECT reply FROM commands WHERE table_id = ? AND command = ?"
REMEMBER = "INSERT INTO commands (table_id, command, reply) VALUES (?, ?, ?)"
LINK = (
    "INSERT INTO links (token_hash, table_id, seat, revoked) VALUES (?, ?, ?, ?) ON CONFLICT (token_hash) DO UPDATE"
    " SET seat = excluded.seat, revoked = excluded.revoked WHERE links.table_id = excluded.table_id"
)
SNAPSHOT = (
    "INSERT INTO snapshots (table_id, number, state) VALUES (?, ?, ?) ON CONFLICT (table_id) DO UPDATE"
    " SET number = excluded.number, state = excluded.state WHERE excluded.number >= snapshots.number"
)
FILE = (
    "INSERT INTO events (table_id, number, event) SELECT table_id, number, event FROM tray ORDER BY table_id, number",
    "INSERT INTO commands (table_id, command, reply)"
    " SELECT table_id, command, reply FROM tray WHERE command <> '' ORDER BY table_id, command",
    "DELETE FROM tray",
)
READ = (
    "SELECT number, event FROM events WHERE table_id = ?1 AND number > ?2"
    " AND number <= (SELECT last FROM tables WHERE id = ?1)"
    " UNION ALL SELECT number, event FROM tray WHERE table_id = ?1 AND number > ?2 ORDER BY number LIMIT ?3"
)
REWRITE = (
    "INSERT OR IGNORE INTO aside (table_id, number, event) SELECT table_id, number, event FROM events"
    " WHERE table_id = ?1 UNION ALL SELECT table_id, number, event FROM tray WHERE table_id = ?1",
    "INSERT INTO commands (table_id, command, reply)"
    " SELECT table_id, command, reply FROM tray WHERE table_id = ?1 AND command <> ''",
    "DELETE FROM tray WHERE table_id = ?1",
    "DELETE FROM events WHERE table_id = ?1",
    "DELETE FROM snapshots WHERE table_id = ?1",
)
ANEW = "INSERT INTO events (table_id, number, event) VALUES (?, ?, ?)"
KEEP_PICTURE = (
    "INSERT INTO pictures (table_id, hash, content) VALUES (?, ?, ?)"
    " ON CONFLICT (table_id, hash) DO UPDATE SET content = excluded.content"
)
PICTURE = "SELECT content FROM pictures WHERE table_id = ? AND hash = ?"
REPLY = (
    "SELECT reply FROM commands WHERE table_id = ?1 AND command = ?2"
    " UNION ALL SELECT reply FROM tray WHERE table_id = ?1 AND command = ?2 AND command <> ''"
)

T = TypeVar("T")


class Awaiting(NamedTuple):
    """An order, and the one who waits for it."""

    order: Order
    waiting: asyncio.Future[None]
    loop: asyncio.AbstractEventLoop


Queue = queue.SimpleQueue[Awaiting | None]
WAKE = None


class Writer:
    """The one thread that writes. Everything below ``run`` happens in it.

    It remembers the last number of each table and the commands still in the tray; SQLite's ``data_version`` says when
    another process wrote, and then it looks again.
    """

    def __init__(self, path: Path, hub: Hub, hands: Hands, tray_rows: int, checkpoint_pages: int) -> None:
        self._hands = hands
        self.orders: Queue = queue.SimpleQueue()
        self._hub = hub
        self._tray_rows = tray_rows
        self._checkpoint_pages = checkpoint_pages
        self._database = open_file(path)
        wal = Path(f"{path}-wal")
        self._pages = wal.stat().st_size // PAGE if wal.exists() else 0
        self._last: dict[str, int] = {}
        self._recent: dict[tuple[str, str], str] = {}
        self._rows = self._bytes = 0
        self._version = -1
        self._closing = threading.Event()
        try:
            self._look_again()
        except sqlite3.Error as problem:
            self._database.close()
            raise failure(problem) from problem
        hub.know(self._last.items())
        self.thread = threading.Thread(target=self.run, name="paravent-writer", daemon=True)
        self.thread.start()

    def _make_room(self) -> None:
        """Let the journal have its usual length from the start: to overwrite is twice as quick as to lengthen.

        Pages that a transaction has no memory for go to the journal before the commit; taken back, they leave room.
        """
        with contextlib.suppress(sqlite3.Error):
            (pages,) = self._database.execute("PRAGMA cache_size").fetchone()
            self._database.execute("PRAGMA cache_size = 10")
            self._database.execute("BEGIN IMMEDIATE")
            for number in range(ROOM_PAGES // 100):
                self._database.execute(SNAPSHOT, (f"room {number}", 0, "." * (100 * PAGE)))
            self._database.execute("ROLLBACK")
            self._database.execute(f"PRAGMA cache_size = {pages}")

    def _sweep(self) -> None:
        """Let go of what is left of tables that never began."""
        try:
            beginning.sweep_all(self._database, self._hands.is_held)
        except sqlite3.Error:
            self._undo()  # it tells nobody anything; the next who opens the file tries again

    def stop(self) -> None:
        """Finish what was asked, then close; from any thread."""
        self._closing.set()
        self.orders.put(WAKE)
        self.thread.join()

    def run(self) -> None:
        """Take what is asked, all of it together; answer; then tidy up."""
        self._make_room()
        self._sweep()
        while batch := self._next_batch():
            self._commit(batch)
            self._tidy()
        self._file()
        self._database.close()

    def _next_batch(self) -> list[Awaiting]:
        """What waits, as soon as anything does; empty once closed. While anybody listens, look out for others."""
        while True:
            if self._closing.is_set() and self.orders.empty():
                return []  # the call to wake up may have come along with the last orders
            folding = self._pages >= self._checkpoint_pages
            try:
                first = self.orders.get(timeout=POLL_SECONDS if folding or self._hub.anybody else None)
            except queue.Empty:
                if folding:
                    self._checkpoint()
                self._poll()
                continue
            batch = [] if first is WAKE else [first]
            while not self.orders.empty():
                more = self.orders.get()
                if more is not WAKE:
                    batch.append(more)
            if batch:
                return batch

    def _poll(self) -> None:
        try:
            if self._others_wrote():
                self._look_again()
                self._hub.tell(list(self._last.items()))
        except sqlite3.Error:
            self._forget()  # busy or out of reach just now: the next look sees it

    def _others_wrote(self) -> bool:
        return bool(self._database.execute("PRAGMA data_version").fetchone()[0] != self._version)

    def _look_again(self) -> None:
        """Read what the database holds: last numbers, and the commands in the tray."""
        (self._version,) = self._database.execute("PRAGMA data_version").fetchone()
        self._last = dict(self._database.execute("SELECT id, last FROM tables"))
        tray = self._database.execute("SELECT table_id, command, reply, length(event) FROM tray").fetchall()
        self._recent = {(table, command): reply for table, command, reply, _ in tray if command}
        self._rows, self._bytes = len(tray), sum(size for *_, size in tray)

    def _forget(self) -> None:
        self._version = -1

    def _commit(self, batch: list[Awaiting]) -> None:
        """One transaction for the whole batch. A refused order writes nothing and spoils nobody else's."""
        answers: list[StoreError | None]
        numbers: dict[str, int] = {}
        try:
            self._database.execute("BEGIN IMMEDIATE")
            if self._others_wrote():
                self._look_again()
                if self._hub.anybody:
                    numbers.update(self._last)
            laid: list[tuple[str, int, str, str, str]] = []
            touched: dict[str, int] = {}
            answers = [self._answer(asked.order, laid, touched) for asked in batch]
            now = now_ms()
            if laid:
                self._database.executemany(LAY, laid)
            if touched:
                self._database.executemany(ADVANCE, [(last, now, table) for table, last in touched.items()])
            self._database.execute("COMMIT")
        except Exception as problem:  # whatever it is, those who wait are told, and the writer goes on
            self._undo()
            answers = [failure(problem)] * len(batch)
        else:
            size = sum(len(row[2]) for row in laid)
            self._rows += len(laid)
            self._bytes += size
            self._pages += 3 + (size + 150 * len(laid)) // PAGE
            numbers.update(touched)
        self._settle(batch, answers, numbers)

    def _undo(self) -> None:
        with contextlib.suppress(sqlite3.Error):  # a failed commit has already taken itself back
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
        self._forget()

    def _answer(
        self, order: Order, laid: list[tuple[str, int, str, str, str]], touched: dict[str, int]
    ) -> StoreError | None:
        match order:
            case Appending():
                return self._append(order, laid, touched)
            case Creation():
                return self._create(order)
            case Rewriting():
                return self._rewrite(order)
            case Laying():
                self._pages += (sum(map(len, order.events)) + sum(len(one) for _, one in order.pictures)) // PAGE
                return beginning.lay(self._database, order)
            case Beginning():
                refused = beginning.begin(self._database, order)
                if refused is None:
                    self._write_beside(order, touched)
                return refused
            case Sweeping():
                beginning.sweep(self._database, order)
                return None
            case Clearing():
                self._database.execute("DELETE FROM aside WHERE table_id = ?", (order.table,))
                return None
        last = self._last.get(order.table)
        if last is None:
            return NoTable(order.table)
        if isinstance(order, Picturing):
            self._database.execute(KEEP_PICTURE, order)
            self._pages += len(order.content) // PAGE
            return None
        if order.number > last:
            return Conflict(order.table, last + 1)
        self._database.execute(SNAPSHOT, order)
        self._pages += len(order.text) // PAGE
        return None

    def _create(self, order: Creation) -> StoreError | None:
        if order.table in self._last:
            return TableExists(order.table)
        now = now_ms()
        self._database.execute("INSERT INTO tables (id, created, last, updated) VALUES (?, ?, 0, ?)",
                               (order.table, now, now))
        self._last[order.table] = 0
        return None

    def _append(
        self, order: Appending, laid: list[tuple[str, int, str, str, str]], touched: dict[str, int]
    ) -> StoreError | None:
        table, first, events, command, reply, links, snapshot = order
        last = self._last.get(table)
        if last is None:
            return NoTable(table)
        if command:
            done = self._reply(table, command)
            if done is not None:
                return AlreadyDone(command, done)
        if first != last + 1:
            return Conflict(table, last + 1)
        if events:
            laid.append((table, first, events[0], command, reply))
            for number, event in enumerate(events[1:], first + 1):
                laid.append((table, number, event, "", ""))
        elif command:
            self._database.execute(REMEMBER, (table, command, reply))
        if command:
            self._recent[table, command] = reply
        self._write_beside(Beginning(table, last + len(events), links, snapshot), touched)
        return None

    def _write_beside(self, order: Beginning, touched: dict[str, int]) -> None:
        """Write what goes with the events of a table, up to its last one."""
        table, last, links, snapshot = order
        for link in links:
            self._database.execute(LINK, (link.token_hash, table, link.seat, link.revoked))
        if snapshot is not None:
            self._database.execute(SNAPSHOT, (table, last, snapshot))
            self._pages += len(snapshot) // PAGE
        self._last[table] = touched[table] = last

    def _rewrite(self, order: Rewriting) -> StoreError | None:
        table, before, after = order
        last = self._last.get(table)
        if last is None:
            return NoTable(table)
        there = [event for _, event in self._database.execute(READ, (table, 0, -1))]
        if last != len(there) or there != list(before):  # it has more where some were appended in this very batch
            return Conflict(table, last + 1)
        for statement in REWRITE:
            self._database.execute(statement, (table,))
        self._database.executemany(ANEW, [(table, number, event) for number, event in enumerate(after, 1)])
        self._pages += 2 * sum(map(len, after)) // PAGE
        self._forget()  # the tray holds less than we remember
        return None

    def _reply(self, table: str, command: str) -> str | None:
        reply = self._recent.get((table, command))
        if reply is None:
            row = self._database.execute(DONE, (table, command)).fetchone()
            reply = row[0] if row else None
        return reply

    def _settle(self, batch: list[Awaiting], answers: Sequence[StoreError | None], numbers: dict[str, int]) -> None:
        """Answer everybody, with one call into each loop, and tell those who listen."""
        by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[None], StoreError | None]]] = {}
        for asked, answer in zip(batch, answers, strict=True):
            by_loop.setdefault(asked.loop, []).append((asked.waiting, answer))
        told = False
        for loop, settled in by_loop.items():
            soon(loop, self._deliver, settled, () if told else list(numbers.items()))
            told = True

    def _deliver(
        self, settled: list[tuple[asyncio.Future[None], StoreError | None]], numbers: Sequence[tuple[str, int]]
    ) -> None:
        """In the loop of those who wait."""
        for waiting, answer in settled:
            if waiting.done():
                continue
            if answer is None:
                waiting.set_result(None)
            else:
                waiting.set_exception(answer)
        if numbers:
            self._hub.tell(numbers)

    def _tidy(self) -> None:
        """Once everybody is answered: file the tray when it is high, and fold the journal into the file."""
        if self._rows >= self._tray_rows or self._bytes >= TRAY_BYTES:
            self._file()
        if self._pages >= self._checkpoint_pages * CHECKPOINT_LATEST:
            self._checkpoint()

    def _checkpoint(self) -> None:
        """Fold the journal into the file; where readers are in the way, it grows until the next time."""
        self._pages = 0
        with contextlib.suppress(sqlite3.Error):
            self._database.execute(f"PRAGMA busy_timeout = {CHECKPOINT_WAIT_MS}")
            self._database.execute("PRAGMA wal_checkpoint(FULL)").fetchone()
        self._database.execute(f"PRAGMA busy_timeout = {int(BUSY_SECONDS * 1000)}")

    def _file(self) -> None:
        """Move the tray's rows to their places, in one transaction."""
        if not self._rows:
            return
        try:
            self._database.execute("BEGIN IMMEDIATE")
            for statement in FILE:
                self._database.execute(statement)
            self._database.execute("COMMIT")
        except sqlite3.Error:
            self._undo()  # the rows are as safe in the tray; the next batch tries again
        else:
            self._pages += self._rows
            self._rows = self._bytes = 0
            self._recent.clear()


class SqliteLog:
    """A log in one file; any number of processes may open it, one machine."""

    def __init__(self, path: Path, *, tray_rows: int = TRAY_ROWS, checkpoint_pages: int = CHECKPOINT_PAGES) -> None:
        self.path = path
        self._hub = Hub()
        self._hands = Hands(Path(f"{path}-held"))
        self._writer = Writer(path, self._hub, self._hands, tray_rows, checkpoint_pages)
        self._readers = ThreadPoolExecutor(READERS, "paravent-reader")
        self._here = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._closed = False

    async def create(self, table: str) -> None:
        """Give a new table its row."""
        check_name("table", table)
        await self._ask(Creation(table))

    async def begin(
        self, table: str, events: Sequence[str], *, links: Sequence[Link] = (), snapshot: str | None = None,
        pictures: Sequence[bytes] = (),
    ) -> None:
        """A new table, whole or not at all, part by part."""
        check_append(table, (), "", "", links, snapshot)
        name = beginning.called(table)
        if self._hands.is_held(name):
            raise TableExists(table)
        self._hands.hold(name)
        try:
            await self._sweep(table)
            for content in pictures:
                await self._ask(Laying(table, 1, pictures=((content_hash(content), bytes(content)),)))
            first = 1
            for part in beginning.parts(events):
                check_append(table, part, "", "", (), None)
                await self._ask(Laying(table, first, part))
                first += len(part)
            await self._ask(Beginning(table, len(events), links, snapshot))
        except BaseException:
            with contextlib.suppress(StoreError):
                await self._sweep(table)
            raise
        finally:
            self._hands.let_go(name)

    async def _sweep(self, table: str) -> None:
        """Let go of what is left of a table that never began."""
        while not await self._look(lambda database: _has(database, table)) and await self._look(
                lambda database: database.execute(beginning.LEFT, (table,)).fetchone()):
            await self._ask(Sweeping(table))

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
        """Write events and what goes with them; durable on return."""
        check_append(table, events, command, reply, links, snapshot)
        await self._ask(Appending(table, first, events, command, reply, links, snapshot))

    async def read(self, table: str, after: int = 0, limit: int | None = None) -> list[tuple[int, str]]:
        """The events above ``after``."""
        rows = await self._look(
            lambda database: database.execute(READ, (table, after, -1 if limit is None else max(0, limit))).fetchall()
        )
        if not rows and not await self._look(lambda database: _has(database, table)):
            raise NoTable(table)
        return rows

    async def snapshot(self, table: str) -> tuple[int, str] | None:
        """The latest snapshot."""
        sql = "SELECT number, state FROM snapshots WHERE table_id = ?"
        found: tuple[int, str] | None = await self._look(lambda database: database.execute(sql, (table,)).fetchone())
        return found

    async def save_snapshot(self, table: str, number: int, text: str) -> None:
        """Keep a snapshot."""
        check_text(text)
        await self._ask(Saving(table, number, text))

    async def rewrite(self, table: str, before: Sequence[str], after: Sequence[str]) -> None:
        """Write a table's events anew; those that were are kept aside."""
        check_rewrite(table, before, after)
        await self._ask(Rewriting(table, before, after))

    async def aside(self, table: str) -> list[tuple[int, str]]:
        """The events as they were."""
        sql = "SELECT number, event FROM aside WHERE table_id = ? ORDER BY number"
        return await self._look(lambda database: database.execute(sql, (table,)).fetchall())

    async def clear_aside(self, table: str) -> None:
        """Let go of what is aside."""
        await self._ask(Clearing(table))

    async def reply(self, table: str, command: str) -> str | None:
        """What was answered to a command."""
        row = await self._look(lambda database: database.execute(REPLY, (table, command)).fetchone())
        return row[0] if row else None

    async def link(self, token_hash: str) -> LinkRow | None:
        """The seat that a token's hash opens."""
        sql = "SELECT table_id, seat, revoked FROM links WHERE token_hash = ?"
        row = await self._look(lambda database: database.execute(sql, (token_hash,)).fetchone())
        return LinkRow(row[0], row[1], bool(row[2])) if row else None

    async def keep_picture(self, table: str, content: bytes) -> str:
        """Keep a picture with a table."""
        name = content_hash(content)
        await self._ask(Picturing(table, name, bytes(content)))
        return name

    async def picture(self, table: str, content_hash: str) -> bytes | None:
        """A picture of a table."""
        row = await self._look(lambda database: database.execute(PICTURE, (table, content_hash)).fetchone())
        return unspoilt(row[0], content_hash) if row else None

    async def tables(self) -> list[TableRow]:
        """All tables, the last played first."""
        sql = "SELECT id, created, last, updated FROM tables ORDER BY updated DESC, id"
        rows = await self._look(lambda database: database.execute(sql).fetchall())
        return [TableRow(table, moment(created), last, moment(updated)) for table, created, last, updated in rows]

    def listen(self) -> Listening:
        """Every append from now on, also by other processes."""
        check_open(self._closed)
        listener = self._hub.join(Listening(self._hub))
        self._writer.orders.put(WAKE)
        return listener

    async def hold(self, name: str) -> None:
        """Hold a name up."""
        check_open(self._closed)
        self._hands.hold(name)

    async def held(self, names: Iterable[str]) -> frozenset[str]:
        """Those of these names that any program of this machine holds up."""
        check_open(self._closed)
        return frozenset(name for name in names if self._hands.is_held(name))

    async def let_go(self, names: Iterable[str]) -> None:
        """Hold these names up no longer."""
        check_open(self._closed)
        for name in names:
            self._hands.let_go(name)

    async def close(self) -> None:
        """Stop, once what was handed over is written."""
        if self._closed:
            return
        self._closed = True
        self._hands.close()
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, self._writer.stop)
        await loop.run_in_executor(None, self._readers.shutdown)
        for connection in self._connections:
            connection.close()
        self._hub.close()

    async def _ask(self, order: Order) -> None:
        check_open(self._closed)
        loop = asyncio.get_running_loop()
        waiting = loop.create_future()
        self._writer.orders.put(Awaiting(order, waiting, loop))
        await waiting

    async def _look(self, question: Callable[[sqlite3.Connection], T]) -> T:
        check_open(self._closed)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._readers, self._read_with, question)
        except sqlite3.Error as problem:
            raise failure(problem) from problem
        except RuntimeError as problem:
            raise LogClosed() if self._closed else problem from problem

    def _read_with(self, question: Callable[[sqlite3.Connection], T]) -> T:
        """In a reader's thread, on its own connection."""
        connection: sqlite3.Connection | None = getattr(self._here, "connection", None)
        if connection is None:
            connection = self._here.connection = connect(self.path, reader=True)
            self._connections.append(connection)
        return question(connection)


def _has(database: sqlite3.Connection, table: str) -> Any:
    return database.execute("SELECT 1 FROM tables WHERE id = ?", (table,)).fetchone()
