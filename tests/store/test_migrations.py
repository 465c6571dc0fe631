"""The migrations lead to the schema that is declared, and to the version that the statements are written for."""

import asyncio
import gzip
import re
import sqlite3
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import MetaData, create_engine, pool
from sqlalchemy.ext.asyncio import create_async_engine

from paravent.store import Damaged, open_log
from paravent.store.files import open_file
from paravent.store.migrate import HEAD, config, upgrade_postgres, upgrade_sqlite
from paravent.store.schema import METADATA, tray


def declared(dialect: str) -> MetaData:
    metadata = MetaData()
    for table in METADATA.tables.values():
        table.to_metadata(metadata)
    if dialect == "sqlite":
        tray(metadata)
    return metadata


def differences(connection) -> list[object]:
    return compare_metadata(MigrationContext.configure(connection), declared(connection.dialect.name))


def test_there_is_one_last_migration_and_the_statements_are_written_for_it():
    assert ScriptDirectory.from_config(config()).get_heads() == [HEAD]


def test_a_migrated_file_is_as_declared(tmp_path):
    upgrade_sqlite(tmp_path / "log.db")
    engine = create_engine(f"sqlite:///{tmp_path}/log.db", poolclass=pool.NullPool)
    with engine.connect() as connection:
        assert differences(connection) == []


@pytest.mark.needs("postgresql")
def test_a_migrated_database_is_as_declared(server):
    address = server.fresh().replace("://", "+asyncpg://", 1)

    async def scene():
        engine = create_async_engine(address, poolclass=pool.NullPool)
        async with engine.connect() as connection:
            found = await connection.run_sync(differences)
        await engine.dispose()
        return found

    assert asyncio.run(scene()) == []


def test_migrating_twice_changes_nothing(tmp_path):
    upgrade_sqlite(tmp_path / "log.db")
    before = (tmp_path / "log.db").read_bytes()
    upgrade_sqlite(tmp_path / "log.db")
    assert (tmp_path / "log.db").read_bytes() == before


@pytest.mark.needs("postgresql")
def test_programs_that_open_a_new_database_at_the_same_moment_all_can(server):
    async def scene():
        await server.ask("CREATE DATABASE brand_new")
        logs = [open_log(server.address("brand_new")) for _ in range(4)]
        assert await asyncio.gather(*(log.tables() for log in logs)) == [[], [], [], []]
        for log in logs:
            await log.close()
        import asyncpg

        await upgrade_postgres(lambda: asyncpg.connect(server.address("brand_new")))

    asyncio.run(scene())


def test_the_page_shows_every_column(tmp_path):
    """docs/store.md is the schema's page: a column that it does not name is a gap."""
    page = (Path(__file__).parents[2] / "docs" / "store.md").read_text(encoding="utf-8")
    upgrade_sqlite(tmp_path / "log.db")
    database = sqlite3.connect(tmp_path / "log.db")
    names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    columns = {(name, row[1]) for name in names for row in database.execute(f"PRAGMA table_info({name})")}
    database.close()
    told = {
        (name, column)
        for name, body in re.findall(r"^### `(\w+)`\n(.*?)(?=^#)", page + "\n#", re.MULTILINE | re.DOTALL)
        for column in re.findall(r"^\| `(\w+)`", body, re.MULTILINE)
    }
    assert columns == told


def test_an_earlier_file_that_is_damaged_says_so_when_it_is_to_be_migrated(tmp_path):
    """A real file of an earlier version, spoilt in its middle: it is refused in words, and not half migrated."""
    kept = Path(__file__).parents[1] / "golden" / "served.db.gz"
    spoilt = bytearray(gzip.decompress(kept.read_bytes()))
    for at in range(3 * 4096, 12 * 4096):
        spoilt[at] ^= 0x5A
    path = tmp_path / "log.db"
    path.write_bytes(spoilt)
    with pytest.raises(Damaged):
        open_file(path)
