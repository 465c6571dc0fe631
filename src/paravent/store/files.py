"""SQLite files of ours: opened, brought up to date, and what is said when that fails."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from .errors import Damaged, LogBusy, LogFailed, StoreError, Unreadable
from .migrate import HEAD, VERSION_QUERY, upgrade_sqlite

BUSY_SECONDS = 10.0


def connect(path: Path, *, reader: bool = False) -> sqlite3.Connection:
    """A connection that begins its own transactions; full synchronous, so that a commit is on the disk."""
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA fullfsync = ON")  # on a Mac, through the disk's own memory; elsewhere it says nothing
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    if reader:
        connection.execute("PRAGMA query_only = ON")
    return connection


def open_file(path: Path) -> sqlite3.Connection:
    """The writer's connection to a file of ours: made, readable by its owner only, and up to date."""
    try:
        if not path.exists():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        if not _up_to_date(path):
            upgrade_sqlite(path.absolute())
        return connect(path)
    except (OSError, sqlite3.DatabaseError, UnicodeDecodeError) as problem:
        if is_busy(problem):
            raise LogBusy() from problem
        if is_damaged(problem):
            raise failure(problem) from problem
        raise Unreadable(path=str(path), why=str(problem)) from problem


def _up_to_date(path: Path) -> bool:
    connection = connect(path)
    try:
        version = _version(connection)
        if version is None:
            names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            if names and "alembic_version" not in names:
                raise Unreadable(path=str(path), why=", ".join(names[:5]))
        if connection.execute("PRAGMA journal_mode = WAL").fetchone() != ("wal",):
            raise Unreadable(path=str(path), why="journal_mode")  # a network folder, or a read-only one
        return version == HEAD
    finally:
        connection.close()


def _version(connection: sqlite3.Connection) -> str | None:
    try:
        row = connection.execute(VERSION_QUERY).fetchone()
    except sqlite3.OperationalError as problem:
        if "no such table" in str(problem):
            return None
        raise
    return row[0] if row else None


def is_busy(problem: Exception) -> bool:
    """Whether somebody else was at the file just then."""
    return (getattr(problem, "sqlite_errorname", "") or "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


def failure(problem: Exception) -> StoreError:
    """What a caller is told; the reason goes along, for those who mend it."""
    if is_damaged(problem):
        return Damaged(why=str(problem).partition(" with text ")[0])  # not what stands there
    return LogBusy() if is_busy(problem) else LogFailed(why=str(problem))


def is_damaged(problem: Exception) -> bool:
    """Whether the file is no longer what it was: SQLite says so, or there is text in it that is none."""
    if isinstance(problem, UnicodeDecodeError) or str(problem).startswith("Could not decode to UTF-8"):
        return True
    return (getattr(problem, "sqlite_errorname", "") or "").startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB"))
