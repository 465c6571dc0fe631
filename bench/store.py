"""The log beside the plainest use of the same SQLite: ``python -m bench.store``.

Ratios in one run, so that the machine matters little. The plain ways write the same JSON texts with the same durability
(WAL, full synchronous), in a bare loop, without asking who else wrote, without command ids and without a second thread.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from paravent.store import open_log

TABLES = 64
SECONDS = 1.0
ROUNDS = 3
"""The ways take turns, so that a machine busy with something else slows them alike."""
EVENT = '{"kind": "thrown", "by": "p3", "move": "throw", "faces": [3, 6, 2], "words": "' + "a" * 220 + '"}'


def per_second(once: Callable[[int], None], seconds: float = SECONDS) -> float:
    done, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        once(done)
        done += 1
    return done / spent


def plain(folder: Path) -> sqlite3.Connection:
    database = sqlite3.connect(folder / "plain.db", isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    return database


def one_row_per_commit(folder: Path) -> float:
    """An event is a row, inserted and committed."""
    database = plain(folder)
    database.execute("CREATE TABLE events (table_id TEXT, number INTEGER, event TEXT, PRIMARY KEY (table_id, number))")

    def once(n: int) -> None:
        database.execute("BEGIN IMMEDIATE")
        database.execute("INSERT INTO events VALUES (?, ?, ?)", (f"table-{n % TABLES}", n // TABLES, EVENT))
        database.execute("COMMIT")

    rate = per_second(once)
    database.close()
    return rate


async def durable_commands(folder: Path) -> float:
    """64 tables at once, each waiting for its acknowledgement before its next command."""
    log = open_log(folder / "log.db")
    stop = time.perf_counter() + SECONDS
    done = 0

    async def table(name: str) -> None:
        nonlocal done
        await log.create(name)
        number = 1
        while time.perf_counter() < stop:
            await log.append(name, number, [EVENT], command=f"{name}-{number}-9f86d081884c7d65", reply='{"ok": true}')
            number += 1
            done += 1

    start = time.perf_counter()
    await asyncio.gather(*(table(f"table-{n}") for n in range(TABLES)))
    spent = time.perf_counter() - start
    await log.close()
    return done / spent


def bare_sync(folder: Path) -> float:
    """The median of one write of the same bytes and fdatasync, in seconds."""
    file = os.open(folder / "bare", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    times = []
    for _ in range(1000):
        start = time.perf_counter()
        os.write(file, EVENT.encode())
        os.fdatasync(file)
        times.append(time.perf_counter() - start)
    os.close(file)
    return statistics.median(times)


async def idle_append(folder: Path) -> float:
    """The median of one append to an idle writer, from call to acknowledgement, in seconds."""
    log = open_log(folder / "idle.db")
    await log.create("table")
    times = []
    for number in range(1, 1001):
        start = time.perf_counter()
        await log.append("table", number, [EVENT], command=f"c{number}", reply='{"ok": true}')
        times.append(time.perf_counter() - start)
    await log.close()
    return statistics.median(times)


async def opening(folder: Path) -> tuple[float, float]:
    """Open a table of 100,000 events by its snapshot and the 200 events after it; and read all of it, in seconds."""
    log = open_log(folder / "long.db")
    await log.create("long")
    state = '{"state": "' + "s" * 200_000 + '"}'
    for first in range(1, 100_001, 1000):
        await log.append("long", first, [EVENT] * 1000)
    await log.save_snapshot("long", 99_800, state)
    await log.close()
    start = time.perf_counter()
    log = open_log(folder / "long.db")
    snapshot = await log.snapshot("long")
    assert snapshot is not None
    tail = await log.read("long", after=snapshot[0])
    opened = time.perf_counter() - start
    assert len(tail) == 200
    start = time.perf_counter()
    assert len(await log.read("long")) == 100_000
    whole = time.perf_counter() - start
    await log.close()
    return opened, whole


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="paravent-bench-") as name:
        folder = Path(name)
        singles, groups, bares, idles = [], [], [], []
        for turn in range(ROUNDS):
            place = folder / str(turn)
            place.mkdir()
            singles.append(one_row_per_commit(place))
            groups.append(asyncio.run(durable_commands(place)))
            bares.append(bare_sync(place))
            idles.append(asyncio.run(idle_append(place)))
        single, grouped, bare, idle = map(statistics.median, (singles, groups, bares, idles))
        print(f"durable commands a second, 64 tables: {grouped:,.0f}; one row per commit: {single:,.0f}; "
              f"ratio {grouped / single:.1f} (at least 5)")
        print(f"append to an idle writer, p50: {idle * 1e6:,.0f} µs; write and fdatasync: {bare * 1e6:,.0f} µs; "
              f"ratio {idle / bare:.1f}")
        opened, whole = asyncio.run(opening(folder))
        print(f"a table of 100,000 events by snapshot and tail: {opened * 1e3:,.1f} ms (under 500); "
              f"all its events: {whole * 1e3:,.0f} ms")


if __name__ == "__main__":
    main()
