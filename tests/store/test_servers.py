"""Two servers on one PostgreSQL, as ``docs/hosting.md`` tells it: a table is the same at both, and outlives either."""

import asyncio
import contextlib
import io
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from PIL import Image

from paravent.store import Unreachable
from paravent.store.memory import MemoryLog
from paravent.table.host import Host
from paravent.web import visit

from .conftest import LONG, Server, free_port


def serve(folder: Path, port: int, address: str, *more: str) -> "subprocess.Popen[bytes]":
    with (folder / f"{port}.txt").open("wb") as said:
        program = subprocess.Popen(
            [sys.executable, "-m", "paravent", "serve", "--no-browser", "--port", str(port), "--database", address,
             *more],
            stdout=said, stderr=said, cwd=folder, env={**os.environ, "PARAVENT_DOOR_WORD": "sésame"},
        )
    until = time.monotonic() + LONG
    while True:
        assert program.poll() is None, (folder / f"{port}.txt").read_text()
        assert time.monotonic() < until
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return program
        time.sleep(0.02)  # not a pace of the test: it listens or it does not


@pytest.fixture
def servers(server: Server, tmp_path: Path) -> Iterator[list[tuple[str, "subprocess.Popen[bytes]"]]]:
    address, running = server.fresh(), []
    try:
        for _ in range(2):
            port = free_port()
            running.append((f"http://127.0.0.1:{port}", serve(tmp_path, port, address)))
        yield running
    finally:
        for _, program in running:
            program.terminate()
        for _, program in running:
            program.wait(LONG)


def does(client: httpx.Client, root: str, token: str, **command: Any) -> Any:
    answer = client.post(f"{root}/api/table/commands", json=command, headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200, answer.text
    return answer.json()


def sees(client: httpx.Client, root: str, token: str) -> str:
    return str(client.get(f"{root}/api/table", headers={"Authorization": f"Bearer {token}"}).text)


@pytest.mark.needs("postgresql")
def test_a_table_is_the_same_at_two_servers_is_told_at_once_and_outlives_either(servers: Any) -> None:
    (one, first), (other, _) = servers
    with httpx.Client(timeout=LONG, follow_redirects=False) as client:
        made = client.post(f"{one}/api/tables", json={"system": "conteur", "name": "Vendredi", "game_master": "Ana"})
        assert made.status_code == 201, made.text
        ana = made.json()["token"]
        bob = next(iter(does(client, one, ana, type="add-seat", name="Bob")["links"].values()))
        entered = client.get(f"{other}/enter/{bob}")
        base = re.search(r"/t/[^/]+/[^/]+", entered.headers["location"])
        assert base is not None, "the link made at one opens at the other"
        cookie = {"Cookie": f"paravent_seat={bob}"}
        with client.stream("GET", f"{other}{base[0]}/live?last=0", headers=cookie) as stream:
            lines = stream.iter_lines()
            next(line for line in lines if "here" in line)
            does(client, one, ana, type="say", text="La marée monte.")
            assert any("La marée monte." in line for line in lines), "what one writes the other tells"
        out = io.BytesIO()
        Image.new("RGB", (40, 30), "navy").save(out, "PNG")
        kept = client.post(f"{one}/api/table/pictures?words=le+port", content=out.getvalue(), headers={
            "Authorization": f"Bearer {ana}", "Content-Type": "application/octet-stream"}).json()["picture"]
        does(client, other, ana, type="set-backdrop", picture=kept)
        shown = client.get(f"{other}/api/table/pictures/{kept}", headers={"Authorization": f"Bearer {bob}"})
        assert shown.headers["content-type"] == "image/webp"
        first.send_signal(signal.SIGKILL)
        first.wait(LONG)
        does(client, other, bob, type="say", text="Nous restons.")
        seen = sees(client, other, bob)
        assert "La marée monte." in seen
        assert "Nous restons." in seen


@pytest.mark.needs("postgresql")
def test_whoever_has_a_page_open_at_one_server_is_there_at_the_other(servers: Any) -> None:
    (one, _), (other, _) = servers
    with httpx.Client(timeout=LONG, follow_redirects=False) as client:
        made = client.post(f"{one}/api/tables", json={"system": "conteur", "name": "Lundi", "game_master": "Ana"})
        ana = made.json()["token"]
        bob = next(iter(does(client, one, ana, type="add-seat", name="Bob")["links"].values()))

        def base_of(token: str) -> str:
            found = re.search(r"/t/[^/]+/[^/]+", client.get(f"{one}/enter/{token}").headers["location"])
            assert found is not None
            return found[0]

        def until_told(mark: str) -> None:
            """Wait until Ana's page says whether Bob is there."""
            until = time.monotonic() + LONG
            while True:
                page = client.get(f"{one}{base_of(ana)}/", headers={"Cookie": f"paravent_seat={ana}"}).text
                rows = [row for row in re.findall(r'<li class="(?:here|away)[^>]*>.*?</li>', page, re.DOTALL)
                        if "Bob" in row]
                if any(row.startswith(f'<li class="{mark}') for row in rows):
                    return
                assert time.monotonic() < until, rows
                time.sleep(0.1)  # not a pace of the test: it is told or it is not

        with client.stream("GET", f"{one}{base_of(ana)}/live?last=0", headers={"Cookie": f"paravent_seat={ana}"}):
            with client.stream("GET", f"{other}{base_of(bob)}/live?last=0",
                               headers={"Cookie": f"paravent_seat={bob}"}) as away:
                lines = away.iter_lines()  # kept: the client hangs up once nobody reads them any more
                next(line for line in lines if "here" in line)
                until_told("here")
            until_told("away")


def test_who_is_here_is_still_looked_at_when_the_database_once_said_no(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visit, "SHARED", 0.0)

    async def scene() -> None:
        looked = asyncio.Event()
        refusals = iter([RuntimeError("whatever"), Unreachable()])

        class Grudging(MemoryLog):
            async def let_go(self, names: Iterable[str]) -> None:
                for refusal in refusals:
                    raise refusal
                looked.set()

        sharing = asyncio.create_task(visit.Presence().share(Host(Grudging(), {})))
        await asyncio.wait_for(looked.wait(), LONG)
        sharing.cancel()

    asyncio.run(scene())


def children(program: "subprocess.Popen[bytes]") -> set[int]:
    """The workers of a server: what it started that serves."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parent = int(folder.joinpath("stat").read_text().rpartition(")")[2].split()[1])
            if parent == program.pid and "spawn_main" in folder.joinpath("cmdline").read_text():
                found.add(int(folder.name))
    return found


@pytest.mark.needs("postgresql")
def test_a_worker_that_is_killed_loses_nothing_and_is_replaced(server: Server, tmp_path: Path) -> None:
    port = free_port()
    program = serve(tmp_path, port, server.fresh(), "--workers", "2")
    root = f"http://127.0.0.1:{port}"
    try:
        with httpx.Client(timeout=LONG, headers={"Connection": "close"}) as client:
            ana = client.post(f"{root}/api/tables", json={
                "system": "conteur", "name": "Mardi", "game_master": "Ana"}).json()["token"]
            said, killed = [], set[int]()
            for round_ in range(4):
                workers = children(program)
                while len(workers - killed) < 2:
                    time.sleep(0.05)  # not a pace of the test: the other worker is there or it is not
                    workers = children(program)
                victim = min(workers - killed)
                for line in range(6):
                    with contextlib.suppress(httpx.TransportError):  # what was under way there may come to nothing
                        does(client, root, ana, type="say", text=f"ligne {round_} {line}")
                        said.append(f"ligne {round_} {line}")
                    if line == 2:
                        os.kill(victim, signal.SIGKILL)
                        killed.add(victim)
            seen = sees(client, root, ana)
            assert [line for line in said if line not in seen] == []
            assert len(said) > 12
    finally:
        program.terminate()
        assert program.wait(LONG) == 0
    assert not children(program)


class Held:
    """A page's stream, read as it comes, over a connection of its own; and which program answers it."""

    def __init__(self, port: int, base: str, token: str, last: int = 0) -> None:
        self._port, self._last = port, last
        self.line = socket.create_connection(("127.0.0.1", port))
        self.line.settimeout(LONG)
        path = f"{base}/live?last={last}" if base else "/"
        self.line.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
                          f"Cookie: paravent_seat={token}\r\n\r\n".encode())
        self.read = b""
        self.until(b"here" if base else b"\r\n\r\n")

    def until(self, words: bytes) -> None:
        """Read on until something is told."""
        while words not in self.read:
            more = self.line.recv(1 << 20)
            assert more, self.read[-2000:]
            self.read += more

    def until_the_end(self) -> None:
        """Read on until the stream ends."""
        with contextlib.suppress(ConnectionError):
            while not self.read.endswith(b"\r\n0\r\n\r\n"):
                more = self.line.recv(1 << 20)
                self.read += more
                if not more:
                    return

    @property
    def last(self) -> int:
        """The number of what it was told last."""
        return max([self._last, *(int(number) for number in re.findall(rb"id: (\d+)\n", self.read))])

    def owner(self, programs: set[int]) -> int:
        """Which of these programs holds the other end; 0, if none does."""
        ends = [f"{self._port:04X}", f"{self.line.getsockname()[1]:04X}"]
        rows = (row.split() for row in Path("/proc/net/tcp").read_text().splitlines())
        # Read while connections come and go, the list may have one twice, or one of somebody else's at other addresses.
        there = {f"socket:[{row[9]}]" for row in rows if [part.rpartition(":")[2] for part in row[1:3]] == ends}
        (found,) = {one for one in programs for file in Path(f"/proc/{one}/fd").iterdir()
                    if _leads_to(file) in there} or {0}
        return found

    def close(self) -> None:
        self.line.close()

    def __enter__(self) -> "Held":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _leads_to(end: Path) -> str:
    with contextlib.suppress(OSError):
        return os.readlink(end)
    return ""


class Table:
    """A table at a server: its game master's token, and where their page is."""

    def __init__(self, client: httpx.Client, root: str, name: str) -> None:
        made = client.post(f"{root}/api/tables", json={"system": "conteur", "name": name, "game_master": "Ana"}).json()
        self.token, self.base = made["token"], f"/t/{made['table']}/{made['seat']}"

    def held(self, port: int, last: int = 0) -> Held:
        return Held(port, self.base, self.token, last)


def both_serve(program: "subprocess.Popen[bytes]", port: int, but: set[int]) -> set[int]:
    """The two workers of a server, without those that were killed, once either has answered somebody."""
    until, answered = time.monotonic() + LONG, set[int]()
    while len(answered) < 2:
        assert time.monotonic() < until
        with Held(port, "", "") as line:
            workers = children(program) - but
            answered |= {line.owner(workers)} & workers
    return answered


@pytest.mark.needs("postgresql")
def test_a_table_stays_with_one_worker_whichever_connection_asks_for_it(server: Server, tmp_path: Path) -> None:
    port = free_port()
    program = serve(tmp_path, port, server.fresh(), "--workers", "2")
    root, held = f"http://127.0.0.1:{port}", list[Held]()
    try:
        with httpx.Client(timeout=LONG) as client:
            workers = both_serve(program, port, set())
            homes: dict[int, Table] = {}
            for number in range(40):
                table = Table(client, root, f"Table {number}")
                held.append(table.held(port))
                homes.setdefault(held[-1].owner(workers), table)
                if len(homes) == 2:
                    break
            assert set(homes) == workers, "each has its share"
            for home, table in homes.items():
                again = [table.held(port) for _ in range(6)]
                held += again
                assert {line.owner(workers) for line in again} == {home}
            lines = {home: table.held(port) for home, table in homes.items()}
            for number in range(6):  # one kept connection, and what it asks is about one table, then the other
                for home, table in homes.items():
                    does(client, root, table.token, type="say", text=f"parole {number}")
                    page = client.get(f"{root}{table.base}/", headers={"Cookie": f"paravent_seat={table.token}"})
                    assert f"parole {number}" in page.text
                    lines[home].until(f"parole {number}".encode())
            held += lines.values()
    finally:
        for line in held:
            line.close()
        program.terminate()
        assert program.wait(LONG) == 0


@pytest.mark.needs("postgresql")
def test_pages_of_a_worker_that_is_killed_go_on_at_another_and_come_back(server: Server, tmp_path: Path) -> None:
    port = free_port()
    program = serve(tmp_path, port, server.fresh(), "--workers", "2")
    root, killed, line = f"http://127.0.0.1:{port}", set[int](), None
    try:
        with httpx.Client(timeout=LONG, headers={"Connection": "close"}) as client:
            workers = both_serve(program, port, killed)
            table = Table(client, root, "Mercredi")
            line = table.held(port)
            home = line.owner(workers)
            does(client, root, table.token, type="say", text="avant")
            line.until(b"avant")
            os.kill(home, signal.SIGKILL)
            killed.add(home)
            line.until_the_end()
            line.close()
            line = table.held(port, line.last)  # as the page does
            does(client, root, table.token, type="say", text="pendant")
            line.until(b"pendant")
            assert line.owner(children(program)) in workers - killed
            replaced = both_serve(program, port, killed)
            line.until_the_end()  # the one who came in its place serves: the page is sent home
            line.close()
            line = table.held(port, line.last)
            assert line.owner(replaced) in replaced - workers
            does(client, root, table.token, type="say", text="ensuite")
            line.until(b"ensuite")
            seen = sees(client, root, table.token)
            assert all(said in seen for said in ("avant", "pendant", "ensuite"))
    finally:
        if line is not None:
            line.close()
        program.terminate()
        assert program.wait(LONG) == 0


def test_workers_ask_for_postgresql(tmp_path: Path) -> None:
    said = subprocess.run(
        [sys.executable, "-m", "paravent", "serve", "--no-browser", "--port", "0", "--workers", "2",
         "--database", str(tmp_path / "tables.db")], capture_output=True, text=True, timeout=LONG, check=False)
    assert said.returncode != 0
    assert "PostgreSQL" in said.stderr + said.stdout
    assert not (tmp_path / "tables.db").exists()
