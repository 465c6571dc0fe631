"""The tables of the database, as SQLAlchemy Core declares them; the migrations lead here, and a test compares the two.

The statements themselves are written by hand beside each database: they are few, and they are the fast path.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Integer, LargeBinary, MetaData, Table, Text

METADATA = MetaData()

TABLES = Table(
    "tables", METADATA,
    Column("id", Text, primary_key=True),
    Column("created", BigInteger, nullable=False),
    Column("last", BigInteger, nullable=False),
    Column("updated", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

EVENTS = Table(
    "events", METADATA,
    Column("table_id", Text, primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("event", Text, nullable=False),
    sqlite_with_rowid=False,
)

COMMANDS = Table(
    "commands", METADATA,
    Column("table_id", Text, primary_key=True),
    Column("command", Text, primary_key=True),
    Column("reply", Text, nullable=False),
    sqlite_with_rowid=False,
)

LINKS = Table(
    "links", METADATA,
    Column("token_hash", Text, primary_key=True),
    Column("table_id", Text, nullable=False),
    Column("seat", Text, nullable=False),
    Column("revoked", Boolean, nullable=False),
    sqlite_with_rowid=False,
)

SNAPSHOTS = Table(
    "snapshots", METADATA,
    Column("table_id", Text, primary_key=True),
    Column("number", BigInteger, nullable=False),
    Column("state", Text, nullable=False),
)

ASIDE = Table(
    "aside", METADATA,
    Column("table_id", Text, primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("event", Text, nullable=False),
    sqlite_with_rowid=False,
)

PICTURES = Table(
    "pictures", METADATA,
    Column("table_id", Text, primary_key=True),
    Column("hash", Text, primary_key=True),
    Column("content", LargeBinary, nullable=False),
)


def tray(metadata: MetaData) -> Table:
    """SQLite only: where a commit lays its events in one pile, before they are filed table by table."""
    return Table(
        "tray", metadata,
        Column("id", Integer, primary_key=True),
        Column("table_id", Text, nullable=False),
        Column("number", BigInteger, nullable=False),
        Column("event", Text, nullable=False),
        Column("command", Text, nullable=False),
        Column("reply", Text, nullable=False),
    )
