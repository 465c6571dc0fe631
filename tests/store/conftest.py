"""Places where a log may be kept, the same tests on each: in memory, in a file, in a real PostgreSQL.

The server is started by the tests, in a folder of its own, on a free port of this machine only.
"""

import asyncio
import contextlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from itertools import count
from pathlib import Path
from typing import TypeVar

import pytest

from paravent.store import Log, open_log

T = TypeVar("T")
Scene = Callable[[Log], Awaitable[T]]
LONG = 60.0
"""Seconds after which a scene counts as stuck."""


class Place:
    """An address, and scenes played there."""

    def __init__(self, address: str) -> None:
        self.address = address

    def play(self, scene: Scene[T]) -> T:
        """Open the log, play, close."""

        async def whole() -> T:
            log = open_log(self.address)
            try:
                return await asyncio.wait_for(scene(log), LONG)
            finally:
                await log.close()

        return asyncio.run(whole())


class Server:
    """A PostgreSQL of our own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.password = secrets.token_hex(16)
        self._names = count(1)
        # PostgreSQL refuses to run as root.
        self.user = "postgres" if os.geteuid() == 0 else None
        if self.user:
            shutil.chown(folder, "postgres")
        secret = folder / "password"
        secret.write_text(self.password, encoding="ascii")
        secret.chmod(0o644)
        self._run("initdb", "-D", f"{folder}/data", "-U", "paravent", f"--pwfile={secret}", "-A", "scram-sha-256",
                  "-E", "UTF8", "--locale=C", "--no-sync")
        # No test here takes the server's own disk away, so it need not wait for it.
        settings = {"listen_addresses": "127.0.0.1", "port": self.port, "unix_socket_directories": "", "fsync": "off"}
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        self.process = self._start("postgres", "-D", f"{folder}/data", *options)
        self._wait()
        asyncio.run(self._prepare())

    def emptied(self) -> str:
        """The address of a database, up to date and empty: the one that most tests share, one after the other."""
        asyncio.run(self.ask("TRUNCATE tables, events, commands, links, snapshots, aside, pictures", "shared"))
        return self.address("shared")

    def fresh(self) -> str:
        """The address of a database of one's own, for tests that do more to it than writing."""
        name = f"log{next(self._names)}"
        asyncio.run(self.ask(f"CREATE DATABASE {name} TEMPLATE ready"))
        return self.address(name)

    def address(self, database: str) -> str:
        return f"postgresql://paravent:{self.password}@127.0.0.1:{self.port}/{database}"

    async def ask(self, sql: str, database: str = "postgres") -> object:
        import asyncpg

        connection = await asyncpg.connect(self.address(database))
        try:
            return await connection.fetch(sql)
        finally:
            await connection.close()

    async def _prepare(self) -> None:
        await self.ask("CREATE DATABASE ready")
        log = open_log(self.address("ready"))
        await log.tables()
        await log.close()
        await self.ask("CREATE DATABASE shared TEMPLATE ready")

    def stop(self) -> None:
        self.process.send_signal(signal.SIGQUIT)  # at once: its folder goes too
        self.process.wait()

    def _program(self, name: str) -> str:
        found = shutil.which(name) or max(map(str, Path("/usr/lib/postgresql").glob(f"*/bin/{name}")))
        return str(found)

    def _run(self, name: str, *options: str) -> None:
        command = [self._program(name), *options]
        subprocess.run(command, check=True, capture_output=True, user=self.user, cwd=self.folder)

    def _start(self, name: str, *options: str) -> "subprocess.Popen[bytes]":
        log = (self.folder / "server.log").open("wb")
        with log:
            return subprocess.Popen([self._program(name), *options], stdout=log, stderr=log, user=self.user,
                                    cwd=self.folder)

    def _wait(self) -> None:
        ready = [self._program("pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port), "-t", "1"]
        for _ in range(1000):
            if subprocess.run(ready).returncode == 0:
                return
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(0.02)
                pytest.fail((self.folder / "server.log").read_text())
        pytest.fail("PostgreSQL does not answer")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    folder = Path(tempfile.mkdtemp(prefix="paravent-postgresql-"))
    folder.chmod(0o755)
    started: Server | None = None
    try:
        started = Server(folder)
        yield started
    finally:
        if started is not None:
            started.stop()
        shutil.rmtree(folder, ignore_errors=True)


POSTGRESQL = pytest.param("postgresql", marks=pytest.mark.needs("postgresql"))


def place_for(kind: str, request: pytest.FixtureRequest) -> Place:
    if kind == "postgresql":
        return Place(request.getfixturevalue("server").emptied())
    return Place("memory:" if kind == "memory" else f"sqlite:///{request.getfixturevalue('tmp_path')}/log.db")


@pytest.fixture(params=["memory", "sqlite", POSTGRESQL])
def place(request: pytest.FixtureRequest) -> Place:
    """Anywhere a log may be kept."""
    return place_for(request.param, request)


@pytest.fixture(params=["sqlite", POSTGRESQL])
def lasting(request: pytest.FixtureRequest) -> Place:
    """Anywhere that outlives its program and that several programs may open."""
    return place_for(request.param, request)
