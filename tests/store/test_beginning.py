"""A table that begins all at once: whole or absent, with its pictures, and nobody waits for it."""

import asyncio
import hashlib
import os
import random
import signal
import sqlite3
import time
from itertools import count
from pathlib import Path

import pytest

from paravent.store import Link, Log, NotText, TableExists, beginning, open_log

TOKEN = hashlib.sha256(b"a token").hexdigest()
PICTURES = [b"a lamp", b"a door"]


def lines(n: int) -> list[str]:
    return [f'{{"n": {number}, "words": "{"la porte cède " * 40}"}}' for number in range(1, n + 1)]


def test_a_table_begins_with_all_that_goes_with_it(place):
    async def scene(log: Log):
        await log.begin("vega", ["1", "2", "3"], links=[Link(TOKEN, "ana")], snapshot="three", pictures=PICTURES)
        assert await log.read("vega") == [(1, "1"), (2, "2"), (3, "3")]
        assert await log.snapshot("vega") == (3, "three")
        assert (await log.link(TOKEN)).table == "vega"
        assert [row.last for row in await log.tables()] == [3]
        assert await log.picture("vega", hashlib.sha256(b"a door").hexdigest()) == b"a door"
        await log.append("vega", 4, ["4"])
        with pytest.raises(TableExists):
            await log.begin("vega", ["other"])
        assert len(await log.read("vega")) == 4

    place.play(scene)


def test_what_cannot_be_written_leaves_nothing(place, monkeypatch):
    monkeypatch.setattr(beginning, "A_PART", 100)

    async def scene(log: Log):
        with pytest.raises(NotText):
            await log.begin("vega", [*lines(5), "\ud800"], links=[Link(TOKEN, "ana")], pictures=PICTURES)
        assert await log.tables() == []
        assert await log.link(TOKEN) is None
        await log.begin("vega", lines(2))
        assert len(await log.read("vega")) == 2
        assert await log.picture("vega", hashlib.sha256(b"a door").hexdigest()) is None

    place.play(scene)


def test_others_write_while_a_long_table_begins(place):
    if place.address == "memory:":
        return

    async def scene(log: Log):
        await log.create("deneb")
        begins = asyncio.create_task(log.begin("vega", lines(6000)))
        written = 0
        for number in count(1):
            if begins.done():
                break
            await log.append("deneb", number, ["said meanwhile"])
            written += not begins.done()
            if "vega" in {row.id for row in await log.tables()}:  # nobody sees a part of it
                assert len(await log.read("vega")) == 6000
        await begins
        assert written
        assert len(await log.read("vega")) == 6000

    place.play(scene)


def begins_without_end(path: Path, acknowledged: int) -> None:
    """The child: begin one table after the other until killed, saying each that is there."""
    beginning.A_PART = 5000

    async def scene() -> None:
        log = open_log(path)
        already = len(await log.tables())
        for n in range(already, already + 1000):
            await log.begin(f"table {n}", lines(40), links=[Link(f"{n}", "ana")], pictures=PICTURES)
            os.write(acknowledged, b".")

    asyncio.run(scene())


def killed(path: Path, rng: random.Random) -> int:
    """How many tables were there, as far as a child heard that was killed."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            begins_without_end(path, theirs)
        finally:
            os._exit(1)
    os.close(theirs)
    heard, wanted = b"", rng.choice((1, 1, 2, 4))
    while len(heard) < wanted and (more := os.read(ours, 4096)):
        heard += more
    time.sleep(rng.uniform(0, 0.02))
    os.kill(child, signal.SIGKILL)
    while more := os.read(ours, 4096):
        heard += more
    os.close(ours)
    os.waitpid(child, 0)
    return len(heard)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this machine does not fork")
def test_killed_in_between_a_table_is_whole_or_absent_and_nothing_is_left(tmp_path):
    path, rng, there, left = tmp_path / "log.db", random.Random(7), 0, 0

    async def looks() -> int:
        log = open_log(path)
        try:
            rows = await log.tables()
            for row in rows:
                assert len(await log.read(row.id)) == row.last == 40
                for content in PICTURES:
                    assert await log.picture(row.id, hashlib.sha256(content).hexdigest()) == content
                assert (await log.link(row.id.removeprefix("table "))).table == row.id
            return len(rows)
        finally:
            await log.close()

    for _ in range(12):
        heard = killed(path, rng)
        database = sqlite3.connect(path)
        left += bool(database.execute(beginning.UNBEGUN).fetchall())
        database.close()
        now = asyncio.run(looks())
        assert there + heard <= now <= there + heard + 1, "what was answered is there"
        there = now
        database = sqlite3.connect(path)
        assert database.execute(beginning.UNBEGUN).fetchall() == []
        database.close()
    assert left, "it was never killed in between"


def test_what_somebody_else_begins_is_not_swept_away(tmp_path, monkeypatch):
    monkeypatch.setattr(beginning, "A_PART", 1000)

    async def scene() -> None:
        one = open_log(tmp_path / "log.db")
        begins = asyncio.create_task(one.begin("vega", lines(3000)))
        looks = sqlite3.connect(tmp_path / "log.db")
        while not looks.execute(beginning.LEFT, ("vega",)).fetchone():
            await asyncio.sleep(0)
        looks.close()
        two = open_log(tmp_path / "log.db")
        await two.tables()
        with pytest.raises(TableExists):
            await two.begin("vega", ["other"])
        await two.close()
        await begins
        assert len(await one.read("vega")) == 3000
        await one.close()

    asyncio.run(scene())
