"""Copies of a log: a backup is always one SQLite file, which opens like any other log.

So a table moves house with two commands: back the PostgreSQL database up, or the file, and restore it elsewhere.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from .address import POSTGRES, log_at, sqlite_path
from .errors import BadAddress, Damaged, NoCopy, TargetExists, Unreadable
from .files import connect, failure, open_file
from .sqlite import FILE

COLUMNS = {
    "tables": ("id", "created", "last", "updated"),
    "events": ("table_id", "number", "event"),
    "commands": ("table_id", "command", "reply"),
    "links": ("token_hash", "table_id", "seat", "revoked"),
    "snapshots": ("table_id", "number", "state"),
    "aside": ("table_id", "number", "event"),
    "pictures": ("table_id", "hash", "content"),
}
AT_ONCE = 1000
UNBEGUN = tuple(f"DELETE FROM {name} WHERE table_id NOT IN (SELECT id FROM tables)" for name in ("events", "pictures"))
"""What was left of tables that never began stays behind."""


def backup(address: str | Path | None, target: str | Path) -> Path:
    """Copy a log, also while it is played on, into a new file; the copy is as the log was at one moment.

    ``TargetExists`` when the file is there already. A copy that fails half-way leaves no file, nor a folder for it.
    """
    target = Path(target)
    if target.exists():
        raise TargetExists(path=str(target))
    log_at(address)
    made = [folder for folder in target.parents if not folder.exists()]
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        _copy_into(part, address)
        _seal(part)
        os.link(part, target)  # unlike a rename, refuses to replace what appeared meanwhile
    except FileExistsError:
        raise TargetExists(path=str(target)) from None
    finally:
        for leftover in (part, *(Path(f"{part}{suffix}") for suffix in ("-wal", "-shm", "-journal"))):
            leftover.unlink(missing_ok=True)
        if not target.exists():
            with suppress(OSError):  # somebody else has put something there
                for folder in made:
                    folder.rmdir()
    _sync_folder(target.parent)
    return target


def restore(source: str | Path, address: str | Path | None) -> None:
    """Pour a backup into an empty place: a file that is not there yet, or a PostgreSQL database without tables."""
    path = sqlite_path(address)
    log_at(Path(source))
    try:
        if not Path(source).stat().st_size:  # a log that was never begun is no copy either
            raise Unreadable(path=str(source), why="")
        if path is not None:
            backup(Path(source), path)
        elif isinstance(address, str) and address.startswith(POSTGRES):
            asyncio.run(_restore_postgres(Path(source), address))
        else:
            raise BadAddress(scheme=str(address).partition(":")[0][:20])
    except Unreadable as problem:  # the copy is, and not the tables
        raise NoCopy(path=str(source), why=problem.values.get("why", "")) from problem


def _copy_into(part: Path, address: str | Path | None) -> None:
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    source = sqlite_path(address)
    if source is not None:
        _copy_file(source, part)
    elif isinstance(address, str) and address.startswith(POSTGRES):
        asyncio.run(_copy_postgres(address, part))
    else:
        raise BadAddress(scheme=str(address).partition(":")[0][:20])


def _copy_file(source: Path, part: Path) -> None:
    if not source.exists():
        raise Unreadable(path=str(source), why="")
    # Opened as a log first: an old backup is brought up to date, something else is refused.
    database, copy = open_file(source), sqlite3.connect(part, isolation_level=None)
    try:
        database.backup(copy)
    except sqlite3.Error as problem:
        raise failure(problem) from problem
    finally:
        copy.close()
        database.close()


async def _copy_postgres(address: str, part: Path) -> None:
    from .postgres import PostgresLog

    log, copy = PostgresLog(address), open_file(part)
    try:
        async with (
            log._connection() as database,
            database.transaction(isolation="repeatable_read", readonly=True),
        ):
            copy.execute("BEGIN")
            for name, columns in COLUMNS.items():
                marks = ", ".join("?" * len(columns))
                insert = f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({marks})"
                rows = await database.cursor(f"SELECT {', '.join(columns)} FROM {name}")
                while some := await rows.fetch(1 if name == "pictures" else AT_ONCE):
                    copy.executemany(insert, [tuple(row) for row in some])
            copy.execute("COMMIT")
    finally:
        copy.close()
        await log.close()


async def _restore_postgres(source: Path, address: str) -> None:
    from .postgres import PostgresLog

    log, database = PostgresLog(address), open_file(source)
    try:
        for statement in ("BEGIN IMMEDIATE", *FILE, *UNBEGUN, "COMMIT"):
            database.execute(statement)
        async with log._connection() as target, target.transaction():
            await target.execute("LOCK TABLE tables IN EXCLUSIVE MODE")
            if await target.fetchval("SELECT 1 FROM tables LIMIT 1"):
                raise TargetExists(path=address.rpartition("@")[2])
            for name, columns in COLUMNS.items():
                for rows in _batches(database, name, columns):
                    await target.copy_records_to_table(name, records=rows, columns=columns)
    finally:
        database.close()
        await log.close()


def _batches(database: sqlite3.Connection, name: str, columns: tuple[str, ...]) -> Iterator[list[tuple[Any, ...]]]:
    found = database.execute(f"SELECT {', '.join(columns)} FROM {name}")
    while rows := found.fetchmany(1 if name == "pictures" else AT_ONCE):
        yield [(*row[:-1], bool(row[-1])) for row in rows] if name == "links" else rows


def _seal(part: Path) -> None:
    """One file that needs no journal beside it, checked, and on the disk."""
    copy = connect(part)
    try:
        copy.execute("PRAGMA journal_mode = DELETE").fetchone()
        (verdict,) = copy.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise Damaged(why=verdict)
        for _ in copy.execute("SELECT event FROM events"):  # each is text
            pass
    except sqlite3.Error as problem:
        raise failure(problem) from problem
    finally:
        copy.close()
    file = os.open(part, os.O_RDWR)
    os.fsync(file)
    os.close(file)


def _sync_folder(folder: Path) -> None:
    place = os.open(folder, os.O_RDONLY)
    os.fsync(place)
    os.close(place)
