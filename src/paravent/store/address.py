"""Where a log is kept: nowhere, in a file, or in a PostgreSQL database."""

from __future__ import annotations

import os
from pathlib import Path

from .errors import BadAddress, NoLog
from .log import Log
from .memory import MemoryLog

POSTGRES = ("postgresql://", "postgres://")


def default_path() -> Path:
    """The file of somebody who asked for none: in their data folder, never where the program is."""
    data = os.environ.get("XDG_DATA_HOME", "")
    home = Path(data) if os.path.isabs(data) else Path.home() / ".local" / "share"
    return home / "paravent" / "paravent.db"


def sqlite_path(address: str | Path | None) -> Path | None:
    """The file that an address means, None when it means something else."""
    if address is None:
        return default_path()
    if isinstance(address, Path):
        return address
    if address.startswith("sqlite:///"):
        return Path(address.removeprefix("sqlite:///"))
    return Path(address) if address and ":" not in address else None


def log_at(address: str | Path | None) -> None:
    """Refuse an address where a file should be and is not: reading makes nothing, not even a folder."""
    path = sqlite_path(address)
    if path is not None and not path.exists():
        raise NoLog(path=str(path))


def open_log(address: str | Path | None = None) -> Log:
    """The log at an address: None for the usual file, a path or ``sqlite:///path``, ``postgresql://…``, ``memory:``.

    A file is opened, and brought up to date if need be, before this returns; PostgreSQL is reached when first asked.
    """
    if address == "memory:":
        return MemoryLog()
    path = sqlite_path(address)
    if path is not None and str(path) not in ("", "."):
        from .sqlite import SqliteLog

        return SqliteLog(path)
    if isinstance(address, str) and address.startswith(POSTGRES):
        from .postgres import PostgresLog

        return PostgresLog(address)
    # An address may hold a password: only what stands before the colon is repeated.
    raise BadAddress(scheme=str(address).partition(":")[0][:20])
