"""Whatever is asked, in whatever order, a file answers as the plain log in memory does."""

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paravent.store import Link, Log, StoreError, sqlite
from paravent.store.files import open_file
from paravent.store.memory import MemoryLog
from paravent.store.sqlite import SqliteLog

TABLES = ("vega", "deneb")
HASHES = ("a" * 64, "b" * 64)


class Append(NamedTuple):
    table: str
    ahead: int
    events: list[str]
    command: str
    links: list[Link]
    snapshot: bool


class Create(NamedTuple):
    table: str


class Save(NamedTuple):
    table: str
    number: int


class Rewrite(NamedTuple):
    table: str
    right: bool


class Clear(NamedTuple):
    table: str


links = st.builds(Link, st.sampled_from(HASHES), st.sampled_from(["gm", "p1"]), st.booleans())
appends = st.builds(
    Append, st.sampled_from(TABLES), st.sampled_from([0, 0, 0, 0, -1, 1]),
    st.lists(st.text("aé ", max_size=3), max_size=4),
    st.sampled_from(["", "", "c1", "c2", "c3"]), st.lists(links, max_size=2), st.booleans(),
)
asked = st.one_of(appends, appends, appends, st.builds(Create, st.sampled_from(TABLES)),
                  st.builds(Save, st.sampled_from(TABLES), st.integers(0, 9)),
                  st.builds(Rewrite, st.sampled_from(TABLES), st.booleans()), st.builds(Clear, st.sampled_from(TABLES)))
rounds = st.lists(st.lists(asked, min_size=1, max_size=5), max_size=12)


async def ask(
    log: Log, order: Append | Create | Save | Rewrite | Clear, there: dict[str, list[str]], turn: str
) -> object:
    """One order; the refusal when it is refused."""
    last = {table: len(events) for table, events in there.items()}
    try:
        if isinstance(order, Create):
            await log.create(order.table)
        elif isinstance(order, Rewrite):
            before = there[order.table] if order.right else [f"{event}?" for event in there[order.table]]
            await log.rewrite(order.table, before, [f"{turn} {event}" for event in before])
        elif isinstance(order, Clear):
            await log.clear_aside(order.table)
        elif isinstance(order, Save):
            await log.save_snapshot(order.table, order.number, f"saved {turn}")
        else:
            await log.append(order.table, last[order.table] + 1 + order.ahead, order.events, command=order.command,
                             reply=turn, links=order.links, snapshot=f"given {turn}" if order.snapshot else None)
    except StoreError as refused:
        return type(refused).__name__, refused.values, getattr(refused, "reply", None)
    return None


async def everything(log: Log) -> object:
    known = sorted(row.id for row in await log.tables())
    return (
        {row.id: row.last for row in await log.tables()},
        [await log.read(table) for table in known],
        [await log.read(table, after=2, limit=3) for table in known],
        [await log.aside(table) for table in TABLES],
        [await log.snapshot(table) for table in TABLES],
        [await log.reply(table, command) for table in TABLES for command in ("c1", "c2", "c3", "")],
        [await log.link(token) for token in HASHES],
    )


async def compare(path: Path, tray_rows: int, played: list[list[Append | Create | Save | Rewrite | Clear]]) -> None:
    """Each round is asked all at once, so that it shares a commit; orders of one round follow each other."""
    plain, file = MemoryLog(), SqliteLog(path, tray_rows=tray_rows, checkpoint_pages=3)
    try:
        for place, together in enumerate(played):
            there: dict[str, list[str]] = {table: [] for table in TABLES}
            for row in await plain.tables():
                there[row.id] = [event for _, event in await plain.read(row.id)]
            answers = [
                await asyncio.gather(*(ask(log, order, there, f"{place}.{n}") for n, order in enumerate(together)))
                for log in (plain, file)
            ]
            assert answers[0] == answers[1]
        assert await everything(plain) == await everything(file)
        await file.close()
        file = SqliteLog(path, tray_rows=tray_rows)
        assert await everything(plain) == await everything(file)
    finally:
        await plain.close()
        await file.close()


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An empty log, made once; and no room made for long journals."""
    path = tmp_path_factory.mktemp("ready") / "log.db"
    open_file(path).close()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite, "ROOM_PAGES", 0)
        yield path


@settings(derandomize=True, deadline=None, max_examples=60)
@given(tray_rows=st.sampled_from([1, 3, 1000]), played=rounds)
def test_a_file_answers_as_the_plain_log_does(ready, tray_rows, played):
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(compare(Path(shutil.copy(ready, folder)), tray_rows, played))
