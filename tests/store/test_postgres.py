"""The log in PostgreSQL: what it does when the server goes away, and what it lets be heard."""

import asyncio
import contextlib

import pytest

from paravent.store import Log, TooNew, Unreachable, open_log

pytestmark = pytest.mark.needs("postgresql")

EARS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%SELECT id, last FROM tables%' AND " \
       "pid <> pg_backend_pid() AND datname = current_database()"


def database_of(address: str) -> str:
    return address.rpartition("/")[2]


def play(address: str, scene):
    async def whole():
        log = open_log(address)
        try:
            return await asyncio.wait_for(scene(log), 60)
        finally:
            await log.close()

    return asyncio.run(whole())


def test_one_who_listens_misses_nothing_when_the_connection_breaks(server):
    address = server.fresh()

    async def scene(log: Log):
        other = open_log(address)
        try:
            await other.create("vega")
            await other.append("vega", 1, ["1"])
            heard = await log.listen()
            cut = await server.ask(EARS, database_of(address))
            assert len(cut) == 1
            await other.append("vega", 2, ["2"])  # while nobody listens, or just after
            assert await anext(heard) == ("vega", 2)
            await other.append("vega", 3, ["3"])
            assert await anext(heard) == ("vega", 3)
        finally:
            await other.close()

    play(address, scene)


def test_a_broken_connection_is_said_and_the_next_command_goes_on(server):
    address = server.fresh()

    async def scene(log: Log):
        await log.create("vega")
        cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND " \
              "pid <> pg_backend_pid()"
        await server.ask(cut, database_of(address))
        try:
            await log.append("vega", 1, ["1"], command="c", reply="r")
        except Unreachable:
            await log.append("vega", 1, ["1"], command="c", reply="r")
        return await log.read("vega")

    assert play(address, scene) == [(1, "1")]


def test_what_is_held_up_is_held_up_again_when_the_connection_breaks(server):
    address = server.fresh()

    async def scene(log: Log):
        other = open_log(address)
        try:
            await log.hold("ana")
            cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%advisory_lock_sh%' AND " \
                  "pid <> pg_backend_pid() AND datname = current_database()"
            assert len(await server.ask(cut, database_of(address))) == 1
            while await other.held(["ana"]):  # what is cut off ends when the server says so
                pass
            while not await other.held(["ana"]):
                with contextlib.suppress(Unreachable):
                    await log.let_go(["bob"])  # asking anything of it mends it
            await log.let_go(["ana"])
            assert await other.held(["ana"]) == frozenset()
        finally:
            await other.close()

    play(address, scene)


def test_a_server_that_is_not_there_is_unreachable():
    async def scene(log: Log):
        with pytest.raises(Unreachable):
            await log.tables()

    play("postgresql://paravent:secret@127.0.0.1:1/none", scene)


def test_a_database_of_a_newer_version_is_refused(server):
    address = server.fresh()

    async def scene(log: Log):
        await server.ask("UPDATE alembic_version SET version_num = '9999'", database_of(address))
        with pytest.raises(TooNew):
            await log.tables()

    play(address, scene)


def test_the_notice_carries_the_table_and_the_number_and_nothing_else(server):
    address = server.fresh()

    async def scene(log: Log):
        import asyncpg

        heard: asyncio.Queue[str] = asyncio.Queue()
        spy = await asyncpg.connect(address)
        await spy.add_listener("paravent", lambda *notice: heard.put_nowait(notice[-1]))
        await log.create("vega 1")
        await log.append("vega 1", 1, ['"a secret"', '"another"'], command="c", reply="r", snapshot="{}")
        told = await heard.get()
        await spy.close()
        return told

    assert play(address, scene) == "2 vega 1"


def test_an_acknowledged_command_is_on_the_disk_even_where_the_server_would_answer_earlier(server):
    address = server.fresh()

    async def scene(log: Log):
        name = database_of(address)
        await server.ask(f"ALTER DATABASE {name} SET synchronous_commit = off")
        await log.tables()
        async with log._connection() as database:
            return await database.fetchval("SHOW synchronous_commit")

    assert play(address, scene) == "on"
