"""The log in a PostgreSQL database, shared by any number of workers and machines.

An append locks its table's row, so that numbers follow each other whoever writes. The notice to other processes
(LISTEN/NOTIFY) carries the table and the number, nothing else, and leaves with the commit. It is heard on a connection
of its own; when that breaks, it is made again, and what was missed meanwhile is told.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from typing import Any

from .beginning import parts
from .errors import AlreadyDone, Conflict, LogFailed, NoTable, StoreError, TableExists, TooNew, Unreachable
from .hands import number_of
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
    unspoilt,
)
from .migrate import HEAD, VERSION_QUERY, upgrade_postgres

CHANNEL = "paravent"
CONNECTIONS = 8
RETRY_SECONDS = (0.05, 0.2, 1.0, 5.0)
STILL_THERE_SECONDS = 30.0

CREATE = "INSERT INTO tables (id, created, last, updated) VALUES ($1, $2, 0, $2) ON CONFLICT (id) DO NOTHING"
LOCK = "SELECT last FROM tables WHERE id = $1 FOR UPDATE"
DONE = "SELECT reply FROM commands WHERE table_id = $1 AND command = $2"
WRITE = """
WITH written AS (
    INSERT INTO events (table_id, number, event)
    SELECT $1, $2 + place - 1, event FROM unnest($3::text[]) WITH ORDINALITY AS given (event, place)
), remembered AS (
    INSERT INTO commands (table_id, command, reply) SELECT $1, $4, $5 WHERE $4 <> ''
), advanced AS (
    UPDATE tables SET last = $6, updated = $7 WHERE id = $1
)
SELECT pg_notify($8, $6::text || ' ' || $1) WHERE cardinality($3::text[]) > 0
"""
LINK = (
    "INSERT INTO links (token_hash, table_id, seat, revoked) VALUES ($1, $2, $3, $4) ON CONFLICT (token_hash) DO UPDATE"
    " SET seat = excluded.seat, revoked = excluded.revoked WHERE links.table_id = excluded.table_id"
)
SNAPSHOT = (
    "INSERT INTO snapshots (table_id, number, state) VALUES ($1, $2, $3) ON CONFLICT (table_id) DO UPDATE"
    " SET number = excluded.number, state = excluded.state WHERE excluded.number >= snapshots.number"
)
EVENTS = "SELECT event FROM events WHERE table_id = $1 ORDER BY number"
KEEP_ASIDE = (
    "INSERT INTO aside (table_id, number, event) SELECT table_id, number, event FROM events WHERE table_id = $1"
    " ON CONFLICT DO NOTHING"
)
WRITE_ANEW = (
    "INSERT INTO events (table_id, number, event)"
    " SELECT $1, place, event FROM unnest($2::text[]) WITH ORDINALITY AS given (event, place)"
)
KEEP_PICTURE = (
    "INSERT INTO pictures (table_id, hash, content) SELECT id, $2, $3 FROM tables WHERE id = $1"
    " ON CONFLICT (table_id, hash) DO UPDATE SET content = excluded.content RETURNING hash"
)
PICTURE = "SELECT content FROM pictures WHERE table_id = $1 AND hash = $2"
HELD = """
SELECT DISTINCT (classid::bigint << 32) | objid::bigint FROM pg_locks
WHERE locktype = 'advisory' AND objsubid = 1 AND granted AND mode = 'ShareLock'
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
AND ((classid::bigint << 32) | objid::bigint) = ANY($1::bigint[])
"""


class PostgresLog:
    """A log in PostgreSQL; reached at the first question, brought up to date if need be."""

    def __init__(self, address: str) -> None:
        import asyncpg

        self._driver = asyncpg
        self._address = address
        self._hub = Hub()
        self._opening = asyncio.Lock()
        self._pool: Any = None
        self._holding = asyncio.Lock()
        self._held: Any = None
        self._names: set[str] = set()
        self._settings: dict[str, str] = {}
        self._broken = (
            OSError, TimeoutError, asyncpg.InterfaceError, asyncpg.PostgresConnectionError,
            asyncpg.OperatorInterventionError,  # the server stops, or its keeper cut us off
            asyncpg.InternalClientError,        # said of a connection that is cut while a question leaves
        )
        self._ear: asyncio.Task[None] | None = None
        self._hearing: asyncio.Future[None] | None = None
        self._closed = False

    async def create(self, table: str) -> None:
        """Give a new table its row."""
        check_name("table", table)
        async with self._connection() as database:
            if await database.execute(CREATE, table, now_ms()) == "INSERT 0 0":
                raise TableExists(table)

    async def begin(
        self, table: str, events: Sequence[str], *, links: Sequence[Link] = (), snapshot: str | None = None,
        pictures: Sequence[bytes] = (),
    ) -> None:
        """A new table, whole or not at all: one transaction, part by part."""
        check_append(table, (), "", "", links, snapshot)
        async with self._connection() as database, database.transaction():
            if await database.execute(CREATE, table, now_ms()) == "INSERT 0 0":
                raise TableExists(table)
            for content in pictures:
                await database.fetchval(KEEP_PICTURE, table, content_hash(content), content)
            last = 0
            for part in parts(events):
                check_append(table, part, "", "", (), None)
                await database.execute(WRITE, table, last + 1, list(part), "", "", last + len(part), now_ms(), CHANNEL)
                last += len(part)
            await self._beside(database, table, last, links, snapshot)
        self._hub.tell([(table, last)])

    @staticmethod
    async def _beside(
        database: Any, table: str, last: int, links: Sequence[Link], snapshot: str | None
    ) -> None:
        """Write what goes with the events of a table, up to its last one."""
        if links:
            await database.executemany(LINK, [(link.token_hash, table, link.seat, link.revoked) for link in links])
        if snapshot is not None:
            await database.execute(SNAPSHOT, table, last, snapshot)

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
        async with self._connection() as database, database.transaction():
            last = await database.fetchval(LOCK, table)
            if last is None:
                raise NoTable(table)
            done = await database.fetchval(DONE, table, command) if command else None
            if done is not None:
                raise AlreadyDone(command, done)
            if first != last + 1:
                raise Conflict(table, last + 1)
            last += len(events)
            await database.execute(WRITE, table, first, list(events), command, reply, last, now_ms(), CHANNEL)
            await self._beside(database, table, last, links, snapshot)
        if events:
            self._hub.tell([(table, last)])

    async def read(self, table: str, after: int = 0, limit: int | None = None) -> list[tuple[int, str]]:
        """The events above ``after``."""
        sql = "SELECT number, event FROM events WHERE table_id = $1 AND number > $2 ORDER BY number LIMIT $3"
        async with self._connection() as database:
            rows = await database.fetch(sql, table, after, None if limit is None else max(0, limit))
            if not rows and not await database.fetchval("SELECT 1 FROM tables WHERE id = $1", table):
                raise NoTable(table)
        return [(number, event) for number, event in rows]

    async def snapshot(self, table: str) -> tuple[int, str] | None:
        """The latest snapshot."""
        async with self._connection() as database:
            row = await database.fetchrow("SELECT number, state FROM snapshots WHERE table_id = $1", table)
        return (row[0], row[1]) if row else None

    async def save_snapshot(self, table: str, number: int, text: str) -> None:
        """Keep a snapshot."""
        check_text(text)
        async with self._connection() as database:
            last = await database.fetchval("SELECT last FROM tables WHERE id = $1", table)
            if last is None:
                raise NoTable(table)
            if number > last:
                raise Conflict(table, last + 1)
            await database.execute(SNAPSHOT, table, number, text)

    async def rewrite(self, table: str, before: Sequence[str], after: Sequence[str]) -> None:
        """Write a table's events anew; those that were are kept aside."""
        check_rewrite(table, before, after)
        async with self._connection() as database, database.transaction():
            last = await database.fetchval(LOCK, table)
            if last is None:
                raise NoTable(table)
            if [event for (event,) in await database.fetch(EVENTS, table)] != list(before):
                raise Conflict(table, last + 1)
            await database.execute(KEEP_ASIDE, table)
            await database.execute("DELETE FROM events WHERE table_id = $1", table)
            await database.execute(WRITE_ANEW, table, list(after))
            await database.execute("DELETE FROM snapshots WHERE table_id = $1", table)

    async def aside(self, table: str) -> list[tuple[int, str]]:
        """The events as they were."""
        async with self._connection() as database:
            rows = await database.fetch("SELECT number, event FROM aside WHERE table_id = $1 ORDER BY number", table)
        return [(number, event) for number, event in rows]

    async def clear_aside(self, table: str) -> None:
        """Let go of what is aside."""
        async with self._connection() as database:
            await database.execute("DELETE FROM aside WHERE table_id = $1", table)

    async def reply(self, table: str, command: str) -> str | None:
        """What was answered to a command."""
        async with self._connection() as database:
            reply: str | None = await database.fetchval(DONE, table, command)
        return reply

    async def link(self, token_hash: str) -> LinkRow | None:
        """The seat that a token's hash opens."""
        async with self._connection() as database:
            row = await database.fetchrow("SELECT table_id, seat, revoked FROM links WHERE token_hash = $1", token_hash)
        return LinkRow(*row) if row else None

    async def keep_picture(self, table: str, content: bytes) -> str:
        """Keep a picture with a table."""
        async with self._connection() as database:
            kept: str | None = await database.fetchval(KEEP_PICTURE, table, content_hash(content), content)
        if kept is None:
            raise NoTable(table)
        return kept

    async def picture(self, table: str, content_hash: str) -> bytes | None:
        """A picture of a table."""
        async with self._connection() as database:
            content: bytes | None = await database.fetchval(PICTURE, table, content_hash)
        return unspoilt(content, content_hash)

    async def tables(self) -> list[TableRow]:
        """All tables, the last played first."""
        async with self._connection() as database:
            rows = await database.fetch("SELECT id, created, last, updated FROM tables ORDER BY updated DESC, id")
        return [TableRow(table, moment(created), last, moment(updated)) for table, created, last, updated in rows]

    def listen(self) -> Listening:
        """Every append from now on, also by other processes; await it to be sure that those are heard."""
        check_open(self._closed)
        if self._hearing is None:
            self._hearing = asyncio.get_running_loop().create_future()
            self._ear = asyncio.create_task(self._hear(self._hearing), name="paravent-ear")
        return self._hub.join(Listening(self._hub, self._hearing))

    async def hold(self, name: str) -> None:
        """Hold a name up: a lock that the server keeps in memory for as long as our connection lasts."""
        async with self._hand() as database:
            if name not in self._names:
                await database.execute("SELECT pg_advisory_lock_shared($1)", number_of(name))
                self._names.add(name)

    async def held(self, names: Iterable[str]) -> frozenset[str]:
        """Those of these names that anybody holds up."""
        numbers = {number_of(name): name for name in names}
        async with self._connection() as database:
            rows = await database.fetch(HELD, list(numbers))
        return frozenset(numbers[number] for (number,) in rows)

    async def let_go(self, names: Iterable[str]) -> None:
        """Hold these names up no longer."""
        async with self._hand() as database:
            for name in self._names.intersection(names):
                await database.execute("SELECT pg_advisory_unlock_shared($1)", number_of(name))
                self._names.discard(name)

    @contextlib.asynccontextmanager
    async def _hand(self) -> AsyncIterator[Any]:
        """The connection that holds names up; broken, it is made again and holds up what it held."""
        check_open(self._closed)
        async with self._holding:
            with self._in_our_words():
                if self._pool is None:
                    await self._open()
                if self._held is None or self._held.is_closed():
                    self._held = await self._connect()
                    for name in self._names:
                        await self._held.execute("SELECT pg_advisory_lock_shared($1)", number_of(name))
                yield self._held

    async def close(self) -> None:
        """Stop."""
        if self._closed:
            return
        self._closed = True
        if self._ear is not None:
            self._ear.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._ear
        self._hub.close()
        if self._held is not None:
            with contextlib.suppress(*self._broken):
                await self._held.execute("SELECT pg_advisory_unlock_all()")
            self._held.terminate()
        if self._pool is not None:
            await self._pool.close()

    @contextlib.asynccontextmanager
    async def _connection(self) -> AsyncIterator[Any]:
        """A connection of the pool."""
        check_open(self._closed)
        with self._in_our_words():
            if self._pool is None:
                await self._open()
            async with self._pool.acquire() as database:
                yield database

    @contextlib.contextmanager
    def _in_our_words(self) -> Iterator[None]:
        """What the driver says becomes an error of ours."""
        try:
            yield
        except StoreError:
            raise
        except self._broken as problem:
            raise Unreachable() from problem
        except self._driver.PostgresError as problem:
            raise LogFailed(why=str(problem)) from problem

    async def _open(self) -> None:
        async with self._opening:
            if self._pool is not None:
                return
            found = await self._look_first()
            if found != HEAD:
                if found is not None and found > HEAD:
                    raise TooNew(found=found, known=HEAD)
                await upgrade_postgres(self._connect)
            self._pool = await self._driver.create_pool(
                self._address, min_size=1, max_size=CONNECTIONS, server_settings=self._settings
            )

    async def _look_first(self) -> str | None:
        """The version of the database; and whether its server must be told to wait for the disk, as ours always do."""
        database = await self._connect()
        try:
            if await database.fetchval("SHOW synchronous_commit") == "off":
                self._settings["synchronous_commit"] = "on"
            version: str | None = await database.fetchval(VERSION_QUERY)
        except self._driver.UndefinedTableError:
            return None
        finally:
            await database.close()
        return version

    async def _connect(self) -> Any:
        return await self._driver.connect(self._address, server_settings=self._settings)

    async def _hear(self, hearing: asyncio.Future[None]) -> None:
        """Keep one connection listening; after a break, tell what was missed."""
        failures = 0
        while True:
            try:
                if self._pool is None:
                    await self._open()
                await self._hear_until_broken(hearing)
                failures = 0
            except (*self._broken, StoreError, self._driver.PostgresError):
                await asyncio.sleep(RETRY_SECONDS[min(failures, len(RETRY_SECONDS) - 1)])
                failures += 1

    async def _hear_until_broken(self, hearing: asyncio.Future[None]) -> None:
        database = await self._connect()
        try:
            broken = asyncio.Event()
            database.add_termination_listener(lambda _: broken.set())
            await database.add_listener(CHANNEL, self._heard)
            numbers = [(table, last) for table, last in await database.fetch("SELECT id, last FROM tables")]
            if hearing.done():
                self._hub.tell(numbers)
            else:
                self._hub.know(numbers)
                hearing.set_result(None)
            while not broken.is_set():
                try:
                    await asyncio.wait_for(broken.wait(), STILL_THERE_SECONDS)
                except TimeoutError:
                    # A cable that was pulled says nothing: ask now and then.
                    await database.fetchval("SELECT 1", timeout=STILL_THERE_SECONDS)
        finally:
            if not database.is_closed():
                database.terminate()

    def _heard(self, _database: Any, _pid: int, _channel: str, payload: object) -> None:
        number, _, table = str(payload).partition(" ")
        self._hub.tell([(table, int(number))])
