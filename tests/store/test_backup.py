"""A backup is one file that opens as a log; it moves from a file to PostgreSQL and back."""

import asyncio
import hashlib
import sqlite3

import pytest

from paravent.store import BadAddress, Link, LinkRow, Log, TargetExists, Unreadable, backup, open_log, restore

PICTURES = {
    table: hashlib.sha256(f"\0picture of {table}\xff".encode("latin-1")).hexdigest() for table in ("vega", "deneb")
}


async def fill(log: Log):
    for table in ("vega", "deneb"):
        await log.create(table)
        links = [Link(f"{table:0>64}", "gm")]
        await log.append(table, 1, ["1", "é"], command="c", reply="r", links=links, snapshot="{}")
        await log.append(table, 3, ["3"], links=[Link(f"{table:1>64}", "p1", revoked=True)])
        await log.keep_picture(table, f"\0picture of {table}\xff".encode("latin-1"))
    return await everything(log)


async def everything(log: Log):
    return (
        sorted(await log.tables()),
        [await log.read(table) for table in ("vega", "deneb")],
        [await log.snapshot(table) for table in ("vega", "deneb")],
        [await log.reply(table, "c") for table in ("vega", "deneb")],
        [await log.picture(table, PICTURES[table]) for table in PICTURES],
        [await log.link(f"{table:{mark}>64}") for table in ("vega", "deneb") for mark in "01"],
    )


def opened(address):
    async def scene():
        log = open_log(address)
        try:
            return await everything(log)
        finally:
            await log.close()

    return asyncio.run(scene())


def test_a_backup_holds_everything_and_opens_as_a_log(lasting, tmp_path):
    whole = lasting.play(fill)
    copy = backup(lasting.address, tmp_path / "copies" / "copy.db")
    assert [path.name for path in copy.parent.iterdir()] == ["copy.db"]
    assert opened(copy) == whole
    assert LinkRow("vega", "p1", True) in whole[-1]
    assert whole[-2] == [b"\0picture of vega\xff", b"\0picture of deneb\xff"]


def test_a_backup_restored_elsewhere_is_the_same_log(lasting, tmp_path):
    source = tmp_path / "source.db"

    async def scene():
        log = open_log(source)
        whole = await fill(log)
        await log.close()
        return whole

    whole = asyncio.run(scene())
    copy = backup(source, tmp_path / "copy.db")
    restore(copy, lasting.address)
    assert opened(lasting.address) == whole
    with pytest.raises(TargetExists):
        restore(copy, lasting.address)
    assert opened(lasting.address) == whole


def test_a_backup_taken_while_one_plays_is_the_log_at_one_moment(tmp_path):
    async def scene():
        log = open_log(tmp_path / "log.db")
        await log.create("vega")
        going = True

        async def play():
            number = 1
            while going:
                await log.append("vega", number, [f"{number}", f"{number + 1}"])
                number += 2

        playing = asyncio.ensure_future(play())
        await asyncio.to_thread(backup, tmp_path / "log.db", tmp_path / "copy.db")
        going = False
        await playing
        await log.close()
        copy = open_log(tmp_path / "copy.db")
        rows, (table,) = await copy.read("vega"), await copy.tables()
        await copy.close()
        return rows, table.last

    rows, last = asyncio.run(scene())
    assert [number for number, _ in rows] == list(range(1, last + 1))
    assert last % 2 == 0


def test_a_backup_replaces_nothing(tmp_path):
    async def scene():
        log = open_log(tmp_path / "log.db")
        await log.close()

    asyncio.run(scene())
    (tmp_path / "mine.db").write_text("mine", encoding="utf-8")
    with pytest.raises(TargetExists):
        backup(tmp_path / "log.db", tmp_path / "mine.db")
    assert (tmp_path / "mine.db").read_text(encoding="utf-8") == "mine"


def test_a_backup_that_fails_leaves_no_file(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "notes.db").write_text("not a log at all\n" * 100, encoding="utf-8")
    for source in (tmp_path / "notes.db", tmp_path / "missing.db"):
        with pytest.raises(Unreadable):
            backup(source, tmp_path / "folder" / "copy.db")
    with pytest.raises(BadAddress):
        backup("memory:", tmp_path / "folder" / "copy.db")
    assert list((tmp_path / "folder").iterdir()) == []
    assert not (tmp_path / "missing.db").exists()


def test_a_backup_is_a_single_file_without_a_journal(tmp_path):
    async def scene():
        log = open_log(tmp_path / "log.db")
        await fill(log)
        await log.close()

    asyncio.run(scene())
    copy = backup(tmp_path / "log.db", tmp_path / "copy.db")
    database = sqlite3.connect(f"file:{copy}?mode=ro&immutable=1", uri=True)
    assert database.execute("SELECT count(*) FROM tables").fetchone() == (2,)
    database.close()


def test_a_file_that_is_no_copy_is_named_as_such(tmp_path):
    (tmp_path / "letter.txt").write_text("not a copy" * 100)
    with pytest.raises(Unreadable) as refused:
        restore(tmp_path / "letter.txt", tmp_path / "new.db")
    assert (refused.value.code, refused.value.values["path"]) == ("store/no-copy", str(tmp_path / "letter.txt"))
    assert not (tmp_path / "new.db").exists()
