"""A table that begins all at once in a SQLite file, however long: part by part, so that others write in between.

Its events and pictures are laid in their places without a row for the table, so nobody sees any of it. The row comes
last, with its links: from then on all of it is there. What a program leaves that ended in between is swept away when
the file is next opened, or the same table is begun again; one that is still at it holds the table's name up.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence

from .errors import LogFailed, StoreError, TableExists
from .log import now_ms
from .orders import Beginning, Laying, Sweeping

A_PART = 1 << 18
"""How many characters of events are written at once, before whoever else writes has a turn."""
AT_ONCE = 1000
LAID = "INSERT OR REPLACE INTO events (table_id, number, event) VALUES (?, ?, ?)"
LAID_PICTURE = "INSERT OR REPLACE INTO pictures (table_id, hash, content) VALUES (?, ?, ?)"
BEGUN = "SELECT 1 FROM tables WHERE id = ?"
COUNT = "SELECT count(*) FROM events WHERE table_id = ?"
ROW = "INSERT INTO tables (id, created, last, updated) VALUES (?, ?, ?, ?)"
SWEEP = (
    "DELETE FROM events WHERE table_id = ?1 AND number IN (SELECT number FROM events WHERE table_id = ?1 LIMIT ?2)",
    "DELETE FROM pictures WHERE table_id = ?1 AND hash IN (SELECT hash FROM pictures WHERE table_id = ?1 LIMIT ?2)",
)
LEFT = "SELECT 1 FROM events WHERE table_id = ?1 UNION ALL SELECT 1 FROM pictures WHERE table_id = ?1 LIMIT 1"
UNBEGUN = """
WITH RECURSIVE there (id) AS (
    SELECT min(table_id) FROM events
    UNION ALL SELECT (SELECT min(table_id) FROM events WHERE table_id > there.id) FROM there WHERE there.id IS NOT NULL
)
SELECT id FROM there WHERE id IS NOT NULL AND id NOT IN (SELECT id FROM tables)
UNION SELECT DISTINCT table_id FROM pictures WHERE table_id NOT IN (SELECT id FROM tables)
"""


def called(table: str) -> str:
    """What is held up while a table begins."""
    return f"begins {table}"


def parts(events: Sequence[str]) -> Iterator[Sequence[str]]:
    """The events, so many at a time."""
    start = size = 0
    for at, event in enumerate(events):
        size += len(event)
        if size >= A_PART:
            yield events[start : at + 1]
            start, size = at + 1, 0
    if start < len(events):
        yield events[start:]


def lay(database: sqlite3.Connection, order: Laying) -> StoreError | None:
    """Lay a part of a table in its place."""
    if database.execute(BEGUN, (order.table,)).fetchone():
        return TableExists(order.table)
    database.executemany(LAID, [(order.table, number, event) for number, event in enumerate(order.events, order.first)])
    database.executemany(LAID_PICTURE, [(order.table, name, content) for name, content in order.pictures])
    return None


def begin(database: sqlite3.Connection, order: Beginning) -> StoreError | None:
    """Give a table its row, if all of it is there."""
    if database.execute(BEGUN, (order.table,)).fetchone():
        return TableExists(order.table)
    (there,) = database.execute(COUNT, (order.table,)).fetchone()
    if there != order.last:  # another program took it for what somebody left
        return LogFailed(why=f"{there} of {order.last}")
    now = now_ms()
    database.execute(ROW, (order.table, now, order.last, now))
    return None


def sweep(database: sqlite3.Connection, order: Sweeping) -> None:
    """Let go of some of what is left of a table that never began."""
    if not database.execute(BEGUN, (order.table,)).fetchone():
        for statement in SWEEP:
            database.execute(statement, (order.table, AT_ONCE))


def sweep_all(database: sqlite3.Connection, is_held: Callable[[str], bool]) -> None:
    """Let go of all that is left of tables that never began and nobody begins."""
    for (table,) in database.execute(UNBEGUN).fetchall():
        while not is_held(called(table)) and database.execute(LEFT, (table,)).fetchone():
            database.execute("BEGIN IMMEDIATE")
            sweep(database, Sweeping(table))
            database.execute("COMMIT")
            if database.execute(BEGUN, (table,)).fetchone():
                break
