"""The event log of the tables: append-only, durable before it answers, in SQLite by default or PostgreSQL by address.

A table's events are JSON texts, numbered from 1 without gaps; the log reads nothing in them.

>>> import asyncio
>>> from paravent.store import open_log
>>> async def scene():
...     log = open_log("memory:")
...     await log.create("vega")
...     await log.append("vega", 1, ['{"kind": "opened"}'], command="c1", reply='"done"')
...     return await log.read("vega")
>>> asyncio.run(scene())
[(1, '{"kind": "opened"}')]
"""

from .address import default_path, log_at, open_log
from .backup import backup, restore
from .errors import (
    AlreadyDone,
    BadAddress,
    BadName,
    Conflict,
    Damaged,
    LogBusy,
    LogClosed,
    LogFailed,
    NoCopy,
    NoLog,
    NoTable,
    NotText,
    StoreError,
    TableExists,
    TargetExists,
    TooNew,
    Unreachable,
    Unreadable,
)
from .log import Link, LinkRow, Listening, Log, TableRow

__all__ = [
    "AlreadyDone", "BadAddress", "BadName", "Conflict", "Damaged", "Link", "LinkRow", "Listening", "Log", "LogBusy",
    "LogClosed", "LogFailed", "NoCopy", "NoLog", "NoTable", "NotText", "StoreError", "TableExists", "TableRow",
    "TargetExists", "TooNew", "Unreachable", "Unreadable", "backup", "default_path", "log_at", "open_log", "restore",
]
