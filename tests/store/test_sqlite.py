"""The log in a file: how it commits, what it refuses to open, what it does when the disk will not."""

import asyncio
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from paravent.store import (
    BadAddress,
    Conflict,
    Log,
    LogBusy,
    LogFailed,
    TooNew,
    Unreadable,
    default_path,
    open_log,
    sqlite,
)
from paravent.store.sqlite import SqliteLog


def play(path: Path, scene, **options):
    async def whole():
        log = SqliteLog(path, **options)
        try:
            return await asyncio.wait_for(scene(log), 60)
        finally:
            await log.close()

    return asyncio.run(whole())


def python(code: str, *arguments: str) -> str:
    run = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_a_commit_is_on_the_disk_before_it_is_acknowledged(tmp_path):
    async def scene(log: SqliteLog):
        database = log._writer._database
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert database.execute("PRAGMA synchronous").fetchone() == (2,)

    play(tmp_path / "log.db", scene)


def test_what_is_asked_at_once_shares_a_commit(tmp_path, monkeypatch):
    batches = []
    commit = sqlite.Writer._commit
    monkeypatch.setattr(sqlite.Writer, "_commit", lambda self, batch: (batches.append(len(batch)), commit(self, batch)))

    async def scene(log: Log):
        await asyncio.gather(*(log.create(f"t{n}") for n in range(64)))
        for number in range(1, 11):
            await asyncio.gather(*(log.append(f"t{n}", number, ["{}"]) for n in range(64)))

    play(tmp_path / "log.db", scene)
    assert sum(batches) == 64 * 11
    assert len(batches) <= 64 * 11 / 5


def test_a_refused_command_does_not_spoil_those_that_share_its_commit(tmp_path):
    async def scene(log: Log):
        await log.create("vega")
        await log.create("deneb")
        answers = await asyncio.gather(
            log.append("vega", 1, ["1"]), log.append("vega", 7, ["x"]), log.append("nowhere", 1, ["x"]),
            log.create("vega"), log.append("vega", 2, ["2"]), log.append("deneb", 1, ["1"]), return_exceptions=True,
        )
        assert [answer is None for answer in answers] == [True, False, False, False, True, True]
        return await log.read("vega"), await log.read("deneb")

    assert play(tmp_path / "log.db", scene) == ([(1, "1"), (2, "2")], [(1, "1")])


@pytest.mark.parametrize("tray_rows", [1, 4, 10_000])
def test_what_lies_in_the_tray_and_what_is_filed_read_as_one(tmp_path, tray_rows):
    async def scene(log: Log):
        await log.create("vega")
        for number in range(1, 31):
            await log.append("vega", number, [f"{number}"], command=f"c{number}", reply=f"r{number}")
        assert await log.read("vega") == [(number, f"{number}") for number in range(1, 31)]
        assert await log.read("vega", after=9, limit=2) == [(10, "10"), (11, "11")]
        assert [await log.reply("vega", f"c{number}") for number in (1, 30, 31)] == ["r1", "r30", None]

    play(tmp_path / "log.db", scene, tray_rows=tray_rows)
    database = sqlite3.connect(tmp_path / "log.db")
    assert database.execute("SELECT (SELECT count(*) FROM tray), (SELECT count(*) FROM events)").fetchone() == (0, 30)
    database.close()


def test_a_full_disk_refuses_the_command_keeps_nothing_of_it_and_is_not_the_end(tmp_path):
    async def scene(log: SqliteLog):
        await log.create("vega")
        await log.append("vega", 1, ["1"])
        database = log._writer._database
        (pages,) = database.execute("PRAGMA page_count").fetchone()
        database.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(LogFailed):
            await log.append("vega", 2, ["x" * 1_000_000], command="c")
        database.execute("PRAGMA max_page_count = 1000000")
        assert await log.reply("vega", "c") is None
        with pytest.raises(Conflict) as refused:
            await log.append("vega", 3, ["3"])
        assert refused.value.next == 2
        await log.append("vega", 2, ["2"], command="c")
        return await log.read("vega")

    assert play(tmp_path / "log.db", scene) == [(1, "1"), (2, "2")]


def test_a_file_that_another_program_locks_is_busy_then_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.01)

    async def scene(log: Log):
        await log.create("vega")
        other = sqlite3.connect(tmp_path / "log.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LogBusy):
            await log.append("vega", 1, ["1"])
        other.execute("ROLLBACK")
        other.close()
        await log.append("vega", 1, ["1"])
        return await log.read("vega")

    assert play(tmp_path / "log.db", scene) == [(1, "1")]


def test_one_who_gives_up_waiting_does_not_undo_the_write(tmp_path):
    async def scene(log: Log):
        await log.create("vega")
        waiting = asyncio.ensure_future(log.append("vega", 1, ["1"]))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await log.append("vega", 2, ["2"])
        return await log.read("vega")

    assert play(tmp_path / "log.db", scene) == [(1, "1"), (2, "2")]


def test_closing_writes_what_was_handed_over(tmp_path):
    async def scene():
        log = SqliteLog(tmp_path / "log.db")
        await log.create("vega")
        waiting = [asyncio.ensure_future(log.append("vega", number, ["x"])) for number in range(1, 101)]
        await asyncio.sleep(0)
        await log.close()
        await asyncio.gather(*waiting)

    asyncio.run(scene())

    async def after(log: Log):
        return len(await log.read("vega"))

    assert play(tmp_path / "log.db", after) == 100


def test_the_journal_is_folded_into_the_file_while_one_plays(tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite, "ROOM_PAGES", 0)

    async def scene(log: Log):
        await log.create("vega")
        for number in range(1, 301):
            await log.append("vega", number, ["x" * 1000])
        return (tmp_path / "log.db-wal").stat().st_size

    assert play(tmp_path / "log.db", scene, checkpoint_pages=10) < 1_000_000
    (tmp_path / "log.db").unlink()
    assert play(tmp_path / "log.db", scene, checkpoint_pages=100_000) > 2_000_000


def test_a_table_of_a_hundred_thousand_events_opens_by_its_snapshot_and_its_tail(tmp_path):
    async def fill(log: Log):
        await log.create("long")
        for first in range(1, 100_001, 5000):
            await log.append("long", first, ['{"n": 1}'] * 5000)
        await log.save_snapshot("long", 99_990, "{}")

    async def open_it(log: Log):
        number, _ = await log.snapshot("long")
        return len(await log.read("long", after=number))

    play(tmp_path / "log.db", fill)
    assert play(tmp_path / "log.db", open_it) == 10
    database = sqlite3.connect(tmp_path / "log.db")
    plan = database.execute(f"EXPLAIN QUERY PLAN {sqlite.READ}", ("long", 99_990, -1)).fetchall()
    database.close()
    assert any("SEARCH events USING PRIMARY KEY (table_id=? AND number>? AND number<?)" in step for *_, step in plan)


def test_the_file_is_for_its_owner_only(tmp_path):
    async def scene(log: Log):
        await log.create("vega")
        return {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "new").iterdir()}

    modes = play(tmp_path / "new" / "log.db", scene)
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700


def test_without_an_address_the_log_is_in_the_data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_path() == tmp_path / "paravent" / "paravent.db"

    async def scene():
        log = open_log(None)
        await log.close()

    asyncio.run(scene())
    assert default_path().exists()
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert default_path() == tmp_path / "home" / ".local" / "share" / "paravent" / "paravent.db"


@pytest.mark.parametrize("address", ["mysql://u:secret@h/d", "", "sqlite://", "http://x"])
def test_an_unknown_address_is_refused_without_repeating_a_password(address):
    with pytest.raises(BadAddress) as refused:
        open_log(address)
    assert "secret" not in str(refused.value)


def test_a_file_that_is_no_log_is_refused_and_left_as_it_is(tmp_path):
    text, other = tmp_path / "text.db", tmp_path / "other.db"
    text.write_text("these are notes, not a database\n" * 100, encoding="utf-8")
    database = sqlite3.connect(other)
    database.execute("CREATE TABLE recipes (name)")
    database.close()
    for path in (text, other):
        before = path.read_bytes()
        with pytest.raises(Unreadable):
            SqliteLog(path)
        assert path.read_bytes() == before
    with pytest.raises(Unreadable):
        SqliteLog(tmp_path)


def test_a_log_of_a_newer_version_is_refused(tmp_path):
    async def scene(log: Log):
        await log.create("vega")

    play(tmp_path / "log.db", scene)
    database = sqlite3.connect(tmp_path / "log.db")
    database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.commit()
    database.close()
    with pytest.raises(TooNew):
        SqliteLog(tmp_path / "log.db")


def test_opening_a_log_that_is_up_to_date_imports_nothing_heavy(tmp_path):
    async def scene(log: Log):
        await log.create("vega")

    play(tmp_path / "log.db", scene)
    code = (
        "import sys, asyncio\nfrom paravent.store import open_log\n"
        "async def scene():\n    log = open_log(sys.argv[1]); print(len(await log.tables())); await log.close()\n"
        "asyncio.run(scene())\nprint({'sqlalchemy', 'alembic', 'asyncpg'} & set(sys.modules))"
    )
    assert python(code, str(tmp_path / "log.db")).split() == ["1", "set()"]


def test_programs_that_open_a_new_log_at_the_same_moment_all_can(tmp_path):
    code = (
        "import sys, asyncio\nfrom paravent.store import open_log, TableExists\n"
        "async def scene():\n    log = open_log(sys.argv[1]); await log.create(sys.argv[2]); await log.close()\n"
        "asyncio.run(scene())"
    )
    path = str(tmp_path / "log.db")
    programs = [subprocess.Popen([sys.executable, "-c", code, path, f"t{n}"], stderr=subprocess.PIPE) for n in range(4)]
    assert [program.communicate()[1] for program in programs] == [b""] * 4

    async def scene(log: Log):
        return {row.id for row in await log.tables()}

    assert play(Path(path), scene) == {f"t{n}" for n in range(4)}


def test_a_listener_that_walked_away_is_forgotten(tmp_path):
    async def scene(log: SqliteLog):
        log.listen()
        return log._hub.anybody

    assert play(tmp_path / "log.db", scene) is False


def test_a_place_where_no_file_can_be_is_said(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(Unreadable):
        SqliteLog(tmp_path / "file" / "log.db")
