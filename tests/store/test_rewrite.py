"""A table brought over to a later format: whole old or whole new, by one of those who try, what was kept aside."""

import asyncio
import gzip
import os
import signal
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from paravent.game import find_system
from paravent.store import (
    Conflict,
    Link,
    LinkRow,
    Log,
    NotText,
    Unreachable,
    backup,
    open_log,
    postgres,
    restore,
    sqlite,
)
from paravent.store.memory import MemoryLog
from paravent.store.sqlite import SqliteLog
from paravent.table.host import Host, NotBroughtOver
from paravent.table.upcast import brought_over, is_earlier, say_the_same

sys.path.append(str(Path(__file__).parents[1] / "table"))

from veil import VEIL

GOLDEN = Path(__file__).parents[1] / "golden"
TOKEN = "a" * 64


@cache
def old() -> tuple[str, ...]:
    """An evening of the tests' own game as the first format kept it."""
    return tuple(gzip.decompress((GOLDEN / "veil" / "evening.jsonl.gz").read_bytes()).decode().splitlines())


@cache
def new() -> tuple[str, ...]:
    return tuple(brought_over(old()))


def numbered(texts: Any) -> list[tuple[int, str]]:
    return list(enumerate(texts, 1))


async def kept(log: Log) -> None:
    """The evening in a log, with a snapshot that only the first format reads."""
    await log.create("vega")
    await log.append("vega", 1, old()[:-1], command="c", reply="r", links=[Link(TOKEN, "gm")], snapshot='{"events": 9}')
    await log.append("vega", len(old()), old()[-1:], command="last", reply="there")


def host_of(log: Log) -> Host:
    return Host(log, systems=lambda name: VEIL if name == "veil" else find_system(name))


# What a store promises


def test_events_are_written_anew_and_what_was_is_aside(place):
    async def scene(log: Log):
        await log.create("vega")
        await log.append("vega", 1, ["1", "2"], command="c", reply="r", links=[Link(TOKEN, "gm")], snapshot="{}")
        await log.append("vega", 3, ["3"], command="d", reply="s")
        (before,) = await log.tables()
        assert await log.aside("vega") == []
        await log.rewrite("vega", ["1", "2", "3"], ["one", "two", "three"])
        assert await log.read("vega") == [(1, "one"), (2, "two"), (3, "three")]
        assert await log.aside("vega") == [(1, "1"), (2, "2"), (3, "3")]
        assert await log.snapshot("vega") is None
        assert (await log.reply("vega", "c"), await log.reply("vega", "d")) == ("r", "s")
        assert await log.link(TOKEN) == LinkRow("vega", "gm", False)
        assert await log.tables() == [before]
        await log.append("vega", 4, ["four"], command="e", reply="t")
        await log.clear_aside("vega")
        assert await log.aside("vega") == []
        assert await log.read("vega", after=2) == [(3, "three"), (4, "four")]

    place.play(scene)


def test_what_is_no_longer_as_it_was_is_not_written_anew(place):
    async def scene(log: Log):
        for table in ("vega", "deneb"):
            await log.create(table)
            await log.append(table, 1, ["1", "2"])
        for before in (["1"], ["1", "3"], ["1", "2", "3"]):
            with pytest.raises(Conflict):
                await log.rewrite("vega", before, ["x"] * len(before))
        assert (await log.read("vega"), await log.aside("vega")) == ([(1, "1"), (2, "2")], [])
        with pytest.raises(ValueError, match="2 events"):
            await log.rewrite("vega", ["1", "2"], ["x"])
        with pytest.raises(NotText):
            await log.rewrite("vega", ["1", "2"], ["x", "\0"])
        await log.rewrite("vega", ["1", "2"], ["x", "y"])
        assert (await log.read("deneb"), await log.aside("deneb")) == ([(1, "1"), (2, "2")], [])

    place.play(scene)


def test_what_is_aside_already_stays(place):
    async def scene(log: Log):
        await log.create("vega")
        await log.append("vega", 1, ["1"])
        await log.rewrite("vega", ["1"], ["one"])
        await log.rewrite("vega", ["one"], ["1"])
        assert (await log.read("vega"), await log.aside("vega")) == ([(1, "1")], [(1, "1")])

    place.play(scene)


def test_of_several_who_write_a_table_anew_one_does(place):
    async def scene(log: Log):
        await log.create("vega")
        await log.append("vega", 1, ["1", "2"])
        tried = [log.rewrite("vega", ["1", "2"], [f"{n} 1", f"{n} 2"]) for n in range(5)]
        refused = await asyncio.gather(*tried, return_exceptions=True)
        assert [type(answer) for answer in refused].count(type(None)) == 1
        winner = next(n for n, answer in enumerate(refused) if answer is None)
        assert await log.read("vega") == [(1, f"{winner} 1"), (2, f"{winner} 2")]

    place.play(scene)


def test_what_is_appended_in_the_same_commit_is_seen(tmp_path):
    async def scene():
        log = SqliteLog(tmp_path / "log.db")
        await log.create("vega")
        await log.append("vega", 1, ["1"])
        answers = await asyncio.gather(log.append("vega", 2, ["2"]), log.rewrite("vega", ["1"], ["one"]),
                                       return_exceptions=True)
        rows = await log.read("vega")
        await log.close()
        return answers, rows

    answers, rows = asyncio.run(scene())
    assert rows == [(1, "1"), (2, "2")]
    assert isinstance(answers[1], Conflict)


def test_a_backup_carries_what_is_aside(lasting, tmp_path):
    async def half_way(log: Log):
        await log.create("vega")
        await log.append("vega", 1, ["1"])
        await log.rewrite("vega", ["1"], ["one"])

    async def there(log: Log):
        assert (await log.read("vega"), await log.aside("vega")) == ([(1, "one")], [(1, "1")])

    source = tmp_path / "source.db"

    async def filled():
        log = open_log(source)
        await half_way(log)
        await log.close()

    asyncio.run(filled())
    restore(backup(source, tmp_path / "copy.db"), lasting.address)
    lasting.play(there)
    copy = backup(lasting.address, tmp_path / "again.db")

    async def opened():
        log = open_log(copy)
        await there(log)
        await log.close()

    asyncio.run(opened())


# What a host does


def test_a_table_is_brought_over_when_it_is_first_opened(place):
    async def scene(log: Log):
        await kept(log)
        live = await host_of(log).live("vega")
        assert live.state.events == len(old())
        assert await log.read("vega") == numbered(new())
        assert (await log.aside("vega"), await log.snapshot("vega")) == ([], None)
        assert (await log.reply("vega", "c"), await log.reply("vega", "last")) == ("r", "there")
        assert all(map(is_earlier, old()))
        assert not any(map(is_earlier, new()))

    place.play(scene)


@pytest.mark.parametrize("tape", sorted(GOLDEN.glob("*/*.jsonl.gz")), ids=lambda tape: "/".join(tape.parts[-2:]))
def test_every_event_that_is_brought_over_reads_again_as_the_same(tape):
    texts = gzip.decompress(tape.read_bytes()).decode().splitlines()
    assert say_the_same(brought_over(texts), texts)
    assert not say_the_same(brought_over(texts)[:-1], texts)
    assert not say_the_same(texts, texts)


def test_hosts_that_open_the_same_table_at_once_see_the_same(lasting):
    async def scene(one: Log):
        await kept(one)
        two = open_log(lasting.address)
        try:
            hosts = [host_of(log) for log in (one, two, one, two)]
            lives = await asyncio.gather(*(host.live("vega") for host in hosts))
            assert len({live.state.events for live in lives}) == 1
            assert all(live.state == lives[0].state for live in lives)
            assert await one.read("vega") == numbered(new())
            assert await two.aside("vega") == []
        finally:
            await two.close()

    lasting.play(scene)


def test_what_is_played_meanwhile_by_another_is_brought_over_too():
    """The table grows between the reading and the writing anew."""

    class Busy(MemoryLog):
        grown = False

        async def rewrite(self, table: str, before: Any, after: Any) -> None:
            if not self.grown:
                self.grown = True
                await self.append(table, len(before) + 1, old()[-1:])
            await super().rewrite(table, before, after)

    async def scene():
        log = Busy()
        await log.create("vega")
        await log.append("vega", 1, old()[:-1])
        await host_of(log).live("vega")
        return await log.read("vega")

    assert asyncio.run(scene()) == numbered(new())


def test_what_is_not_read_back_as_it_was_written_is_put_back():
    class Forgetful(MemoryLog):
        async def rewrite(self, table: str, before: Any, after: Any) -> None:
            await super().rewrite(table, before, after)
            if after != list(old()):
                self._events[table][3] = self._events[table][2]

    async def scene():
        log = Forgetful()
        await kept(log)
        with pytest.raises(NotBroughtOver):
            await host_of(log).live("vega")
        return await log.read("vega"), await log.aside("vega")

    assert asyncio.run(scene()) == (numbered(old()), numbered(old()))


# Killed in the middle


STEPS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {}


def step(name: str) -> Callable[[Callable[[pytest.MonkeyPatch], None]], None]:
    def kept_as(stops: Callable[[pytest.MonkeyPatch], None]) -> None:
        STEPS[name] = stops

    return kept_as


def die(*_: Any, **__: Any) -> Any:
    os.kill(os.getpid(), signal.SIGKILL)


@step("before anything is written")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(sqlite.Writer, "_rewrite", die)


for at in range(len(sqlite.REWRITE)):
    def _stop(patch: pytest.MonkeyPatch, at: int = at) -> None:
        def some(self: sqlite.Writer, order: sqlite.Rewriting) -> Any:
            for statement in sqlite.REWRITE[: at + 1]:
                self._database.execute(statement, (order.table,))
            die()

        patch.setattr(sqlite.Writer, "_rewrite", some)

    STEPS[f"after statement {at + 1}"] = _stop


@step("before the commit")
def _(patch: pytest.MonkeyPatch) -> None:
    rewrite = sqlite.Writer._rewrite
    patch.setattr(sqlite.Writer, "_rewrite", lambda self, order: (rewrite(self, order), die()))


@step("before it is read back")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Host, "_read_back", die)


@step("before what is aside goes")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(SqliteLog, "clear_aside", die)


NEW_ALREADY = ("before it is read back", "before what is aside goes")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this machine does not fork")
@pytest.mark.parametrize("where", STEPS)
def test_a_program_killed_while_it_brings_a_table_over_leaves_it_whole(tmp_path, where):
    path = tmp_path / "log.db"

    async def fill():
        log = SqliteLog(path)
        await kept(log)
        await log.close()

    asyncio.run(fill())

    def opens_and_dies() -> None:
        with pytest.MonkeyPatch.context() as patch:
            STEPS[where](patch)
            asyncio.run(host_of(SqliteLog(path)).live("vega"))

    child = os.fork()
    if child == 0:
        try:
            opens_and_dies()
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status)

    async def look():
        log = SqliteLog(path)
        try:
            there, aside = await log.read("vega"), await log.aside("vega")
            live = await host_of(log).live("vega")
            assert (await log.read("vega"), await log.aside("vega")) == (numbered(new()), [])
            assert await log.reply("vega", "last") == "there"
            return there, aside, live.state.events
        finally:
            await log.close()

    there, aside, events = asyncio.run(look())
    whole = (numbered(new()), numbered(old())) if where in NEW_ALREADY else (numbered(old()), [])
    assert (there, aside, events) == (*whole, len(old()))


CUT = "SELECT pg_terminate_backend(pg_backend_pid()) WHERE $1::text <> ''"


@pytest.mark.needs("postgresql")
@pytest.mark.parametrize(("statement", "cut"), [
    ("KEEP_ASIDE", CUT), ("WRITE_ANEW", f"{CUT} AND cardinality($2::text[]) > 0"),
])
def test_a_connection_cut_while_a_table_is_brought_over_leaves_it_whole(server, monkeypatch, statement, cut):
    address = server.fresh()

    async def scene():
        log = open_log(address)
        await kept(log)
        with monkeypatch.context() as patch:
            patch.setattr(postgres, statement, cut)
            with pytest.raises(Unreachable):
                await host_of(log).live("vega")
        assert (await log.read("vega"), await log.aside("vega")) == (numbered(old()), [])
        await host_of(log).live("vega")
        assert (await log.read("vega"), await log.aside("vega")) == (numbered(new()), [])
        await log.close()

    asyncio.run(scene())
