"""Bring a database to the form that this version writes, once, under a lock.

An up-to-date database is recognised by one cheap query, in ``sqlite.py`` and ``postgres.py``: SQLAlchemy and Alembic
are only imported here, when there is something to do.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from .errors import TooNew

HEAD = "0003"
"""The migration that this version's statements are written for."""

VERSION_QUERY = "SELECT version_num FROM alembic_version"


def upgrade_sqlite(path: Path) -> None:
    """Migrate a file; another process that opens it meanwhile waits, then finds it done."""
    from sqlalchemy import create_engine, event, pool
    from sqlalchemy.exc import DBAPIError

    # The driver begins no transaction before DDL by itself, so we say BEGIN: all or nothing, also under kill -9.
    engine = create_engine(f"sqlite:///{path}", poolclass=pool.NullPool, connect_args={"timeout": 60})

    @event.listens_for(engine, "connect")
    def _by_hand(connection: Any, _record: Any) -> None:
        connection.isolation_level = None

    @event.listens_for(engine, "begin")
    def _lock(connection: Any) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    try:
        with engine.begin() as connection:
            _upgrade(connection)
    except DBAPIError as problem:  # said as SQLite says it: a file that is damaged, full, or somebody else's just now
        raise problem.orig or problem from problem
    finally:
        engine.dispose()


async def upgrade_postgres(connect: Callable[[], Awaitable[Any]]) -> None:
    """Migrate a PostgreSQL database; ``connect`` gives an asyncpg connection."""
    from sqlalchemy import pool, text
    from sqlalchemy.ext.asyncio import create_async_engine

    engine = create_async_engine("postgresql+asyncpg://", poolclass=pool.NullPool, async_creator=connect)
    try:
        async with engine.begin() as connection:
            await connection.execute(text("SELECT pg_advisory_xact_lock(7286837)"))
            await connection.run_sync(_upgrade)
    finally:
        await engine.dispose()


def config() -> Any:
    """Alembic's settings: our migrations, wherever the package is installed."""
    from alembic.config import Config

    settings = Config()
    settings.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    settings.set_main_option("path_separator", "os")
    return settings


def _upgrade(connection: Any) -> None:
    from alembic import command
    from alembic.runtime.migration import MigrationContext
    from alembic.script import ScriptDirectory

    settings = config()
    found = MigrationContext.configure(connection).get_current_revision()
    known = {script.revision for script in ScriptDirectory.from_config(settings).walk_revisions()}
    if found is not None and found not in known:
        raise TooNew(found=found, known=HEAD)
    settings.attributes["connection"] = connection
    command.upgrade(settings, "head")
