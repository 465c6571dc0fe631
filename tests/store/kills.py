"""Kill a program that writes, at any moment, again and again; nothing acknowledged may be missing.

``python tests/store/kills.py [--seed N] [--address postgresql://…] KILLS``. A child process appends to a few tables
and says on a pipe what was acknowledged; the parent kills it (SIGKILL) at a moment drawn from the seed, opens the log
again and checks that

- every acknowledged event is there, and what was acknowledged to a command is remembered;
- numbers follow each other without a gap;
- an append under way is whole or absent: its events, its command, its link, its snapshot.

The tray and the journal are kept tiny, so that filing and checkpoints are killed as often as commits.
The child is forked: it starts at once, with everything imported.
"""

import argparse
import asyncio
import hashlib
import json
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

import alembic.command  # noqa: F401 -- so that a child migrates at once
import sqlalchemy  # noqa: F401

from paravent.store import Link, Log, TableExists, open_log, sqlite

TABLES = ("vega", "altair", "deneb")
MOST_IN_ONE = 3


class Lost(AssertionError):
    """Something acknowledged is missing, or something is there by halves."""


def open_at(address: str) -> Log:
    if address.startswith("postgresql://"):
        return open_log(address)
    sqlite.ROOM_PAGES = 100
    return sqlite.SqliteLog(Path(address), tray_rows=7, checkpoint_pages=5)


def event(table: str, number: int, first: int, count: int) -> str:
    body = f"{table} {number} {first} {count}"
    seal = hashlib.sha256(body.encode()).hexdigest()
    return json.dumps({"body": body, "seal": seal, "pad": "é" * (number * 37 % 900)})


def hash_of(table: str, first: int) -> str:
    return hashlib.sha256(f"{table} {first}".encode()).hexdigest()


async def write_without_end(address: str, acknowledged: int, seed: int) -> None:
    """The child: append until killed, saying each acknowledgement."""
    log = open_at(address)
    last = {row.id: row.last for row in await log.tables()}

    async def play(table: str) -> None:
        rng = random.Random(f"{seed} {table}")
        if table not in last:
            await log.create(table)
        first = last.get(table, 0) + 1
        while True:
            count = rng.randint(1, MOST_IN_ONE)
            events = [event(table, number, first, count) for number in range(first, first + count)]
            links = [Link(hash_of(table, first), "seat")]
            snapshot = f"{table} {first + count - 1}" if rng.random() < 0.3 else None
            await log.append(table, first, events, command=f"c{first}", reply=f"r{first} {count}",
                             links=links, snapshot=snapshot)
            first += count
            os.write(acknowledged, f"{table} {first - 1}\n".encode())

    await asyncio.gather(*map(play, TABLES))


def kill_once(address: str, seed: int) -> dict[str, int]:
    """Start a child, kill it; the last number acknowledged to it for each table."""
    rng = random.Random(seed)
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ours)
        try:
            asyncio.run(write_without_end(address, theirs, seed))
        finally:
            os._exit(1)
    os.close(theirs)
    wanted, heard = rng.choice((0, 1, 2, 5, 10, 20)), b""
    while heard.count(b"\n") < wanted and (more := os.read(ours, 4096)):
        heard += more
    time.sleep(rng.uniform(0, 0.008 if wanted == 0 else 0.002))
    os.kill(child, signal.SIGKILL)
    while more := os.read(ours, 65536):
        heard += more
    os.close(ours)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status):
        raise Lost("the child ended by itself")
    lines = [line.split() for line in heard.decode().splitlines()]
    return {table: int(number) for table, number in lines}


async def check(address: str, checked: dict[str, int], acknowledged: dict[str, int]) -> None:
    """Open the log again and look at everything written since the last look; ``checked`` moves on."""
    log = open_at(address)
    try:
        last = {row.id: row.last for row in await log.tables()}
        for table in TABLES:
            if table not in last:
                if acknowledged.get(table):
                    raise Lost(f"table {table}")
                continue
            await check_table(log, table, last[table], checked, acknowledged.get(table, 0))
    finally:
        await log.close()


async def check_table(log: Log, table: str, last: int, checked: dict[str, int], acknowledged: int) -> None:
    before = checked.get(table, 0)
    rows = await log.read(table, after=before)
    if [number for number, _ in rows] != list(range(before + 1, before + 1 + len(rows))) or before + len(rows) != last:
        raise Lost(f"{table}: a gap after {before}")
    if last < acknowledged:
        raise Lost(f"{table}: {acknowledged} was acknowledged, {last} is there")
    if last > max(acknowledged, before) + MOST_IN_ONE:
        raise Lost(f"{table}: more than what was under way is there")
    for number, text in rows:
        told = json.loads(text)
        if hashlib.sha256(told["body"].encode()).hexdigest() != told["seal"]:
            raise Lost(f"{table} {number}: spoilt")
        name, itself, first, count = told["body"].split()
        if (name, int(itself)) != (table, number) or int(first) + int(count) - 1 > last or int(first) <= before:
            raise Lost(f"{table} {number}: half an append")
        if number == int(first):
            if await log.reply(table, f"c{first}") != f"r{first} {count}":
                raise Lost(f"{table} {number}: the command is not remembered")
            if (link := await log.link(hash_of(table, number))) is None or link.table != table:
                raise Lost(f"{table} {number}: the link is missing")
    if await log.reply(table, f"c{last + 1}") is not None or await log.link(hash_of(table, last + 1)) is not None:
        raise Lost(f"{table}: a command without its events")
    snapshot = await log.snapshot(table)
    if snapshot is not None and (snapshot[1] != f"{table} {snapshot[0]}" or snapshot[0] > last):
        raise Lost(f"{table}: a snapshot without its events")
    checked[table] = last


async def refuse_again(address: str) -> None:
    """A table that is there cannot be created again, however often the program was killed."""
    log = open_at(address)
    try:
        for table in TABLES:
            try:
                await log.create(table)
            except TableExists:
                continue
            raise Lost(f"table {table}")
    finally:
        await log.close()


def kill_often(address: str, kills: int, seed: int) -> str:
    checked: dict[str, int] = {}
    told = 0
    for kill in range(kills):
        acknowledged = kill_once(address, seed + kill)
        told += bool(acknowledged)
        asyncio.run(check(address, checked, acknowledged))
    if kills > 20:
        asyncio.run(refuse_again(address))
        asyncio.run(check(address, {}, checked))
    return f"{kills} kills, {told} of them in mid-play, {sum(checked.values())} events, nothing lost (seed {seed})"


def kill_openings(folder: Path, kills: int, seed: int) -> None:
    """Kill a program that opens a log for the first time: the file is then new or ready, and opens."""
    rng = random.Random(seed)
    for kill in range(kills):
        address = str(folder / f"new-{kill}.db")
        child = os.fork()
        if child == 0:
            try:
                open_at(address)
            finally:
                os._exit(0)
        time.sleep(rng.uniform(0, 0.05))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        asyncio.run(check(address, {}, {}))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("kills", type=int)
    parser.add_argument("--seed", type=int, default=20_300)
    parser.add_argument("--address", default="")
    given = parser.parse_args()
    if given.address:
        print(kill_often(given.address, given.kills, given.seed))
        return
    start = time.monotonic()
    # A new file now and then: the first opening and its migration are killed too.
    for first in range(0, given.kills, 500):
        with tempfile.TemporaryDirectory(prefix="paravent-kills-") as folder:
            kill_openings(Path(folder), 20, given.seed + first)
            print(kill_often(f"{folder}/log.db", min(500, given.kills - first), given.seed + first), flush=True)
    print(f"{given.kills} kills in {time.monotonic() - start:.1f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
