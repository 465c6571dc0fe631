"""Measure the web beside the bare thing, in one run: ``python -m bench.web``.

Every server runs in a process of its own; the participants are plain sockets in this one. A table of *Conteur D10* has
its game master, players and spectators; the game master says something, and the clock stops when the last participant
has read it from the wire. *Bare* writes the same bytes, calls fdatasync and sends them on over the same number of
sockets, with no HTTP, no table and no secrets. *Minimal* is a Starlette application that sends as many bytes to every
listener of a server-sent-events stream, and keeps nothing. The contenders take turns, so that all share the weather.

*Delivery* counts from the moment the server has what it will tell: when our event is written and nothing of it is
rendered yet; when minimal has read the bytes. Both note that moment for us, on the clock that all processes share. The
same from the command on is given beside it.
"""

from __future__ import annotations

import asyncio
import gc
import json
import mmap
import os
import select
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from secrets import token_hex
from typing import Any

ROUNDS, WARM = 60, 10
SMALL, LARGE = 8, 64
IDLE = 200


def noting(folder: str) -> mmap.mmap:
    """Where a server notes the moment at which it had what it tells next."""
    with open(f"{folder}/noted", "a+b") as file:
        file.truncate(8)
        return mmap.mmap(file.fileno(), 8)


def note(noted: mmap.mmap) -> None:
    struct.pack_into("d", noted, 0, time.perf_counter())


# The servers, each started as ``python -m bench.web KIND FOLDER DURABLE``


def configured(app: Any) -> Any:
    """The same for both: nothing is logged, and nobody is cut off while the others take their turn."""
    import uvicorn

    return uvicorn.Config(app, log_level="error", timeout_keep_alive=600)


def serve_ours(folder: str, durable: str) -> None:
    from paravent.store import open_log
    from paravent.table.live import Live
    from paravent.web.app import create_app
    from paravent.web.serve import Server, listening

    noted, wake = noting(folder), Live.wake

    def noted_wake(live: Live) -> None:
        note(noted)
        wake(live)

    Live.wake = noted_wake  # type: ignore[method-assign]
    listener = listening("127.0.0.1", 0)
    print(listener.getsockname()[1], flush=True)
    # What is durable is measured against the bare thing; delivery alone needs no disk.
    app = create_app(open_log(Path(folder) / "bench.db" if durable else "memory:"))
    gc.freeze()  # as ``paravent serve`` does
    Server(configured(app), app).run(sockets=[listener])


def serve_minimal(folder: str, durable: str) -> None:
    import uvicorn
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import PlainTextResponse, Response, StreamingResponse
    from starlette.routing import Route

    from paravent.web.serve import listening

    noted = noting(folder)
    queues: set[asyncio.Queue[str]] = set()

    async def events(request: Request) -> Response:
        async def told() -> Any:
            queue: asyncio.Queue[str] = asyncio.Queue()
            queues.add(queue)
            yield ": hello\n\n"
            while True:
                yield await queue.get()

        return StreamingResponse(told(), media_type="text/event-stream")

    async def send(request: Request) -> Response:
        message = (await request.body()).decode()
        note(noted)
        for queue in queues:
            queue.put_nowait(message)
        return PlainTextResponse("")

    listener = listening("127.0.0.1", 0)
    print(listener.getsockname()[1], flush=True)
    app = Starlette(routes=[Route("/events", events), Route("/send", send, methods=["POST"])])
    gc.freeze()
    uvicorn.Server(configured(app)).run(sockets=[listener])


def serve_bare(folder: str, durable: str) -> None:
    async def main() -> None:
        file = os.open(Path(folder) / "bare", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        listeners: list[asyncio.StreamWriter] = []

        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            if await reader.readline() == b"listen\n":
                listeners.append(writer)
                writer.write(b": hello\n\n")
                return
            while size := await reader.readline():
                message = await reader.readexactly(int(size))
                os.write(file, message)
                os.fdatasync(file)
                for listener in listeners:
                    listener.write(message)
                    await listener.drain()
                writer.write(b"done\n")

        server = await asyncio.start_server(connected, "127.0.0.1", 0)
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()

    asyncio.run(main())


SERVERS = {"ours": serve_ours, "minimal": serve_minimal, "bare": serve_bare}


CORES = sorted(os.sched_getaffinity(0))


def elsewhere() -> None:
    """A server's cores: the participants keep the first one, so that nobody waits for the other's core."""
    os.sched_setaffinity(0, CORES[1:] or CORES)


class Server:
    """A server in a process of its own."""

    def __init__(self, kind: str, durable: bool = False) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="paravent-bench-")
        command = [sys.executable, "-m", "bench.web", kind, self.folder.name, "durable" if durable else ""]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=elsewhere)
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline())
        self._noted = noting(self.folder.name)

    def noted(self) -> float:
        """When it had what it told last."""
        (moment,) = struct.unpack_from("d", self._noted)
        return float(moment)

    def memory(self) -> int:
        """The memory it holds, in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text("ascii")
        return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmRSS"))

    def stop(self) -> None:
        self.process.kill()
        self.process.wait(20)
        self.folder.cleanup()


# The participants: plain sockets, read as they come


class Asker:
    """Somebody who asks over one kept connection."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, path: str, body: bytes, token: str = "") -> None:
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        head += f"Authorization: Bearer {token}\r\n" if token else ""
        self.socket.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)

    def answer(self) -> bytes:
        read = b""
        while b"\r\n\r\n" not in read:
            read += self.socket.recv(1 << 16)
        head, _, body = read.partition(b"\r\n\r\n")
        heads = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
        while len(body) < int(heads[b"content-length"]):
            body += self.socket.recv(1 << 16)
        return body


class Listeners:
    """All who read a stream; as little as can be is done here, so that the servers are what is measured."""

    def __init__(self, port: int, asked: Iterable[bytes]) -> None:
        self.sockets: dict[int, socket.socket] = {}
        self.ready = select.epoll()
        for request in asked:
            listener = socket.create_connection(("127.0.0.1", port))
            listener.sendall(request)
            read = b""
            while b": h" not in read:  # ": hello" or ": here"
                read += listener.recv(1 << 16)
            self.sockets[listener.fileno()] = listener
            self.ready.register(listener.fileno(), select.EPOLLIN)

    def until(self, mark: bytes) -> int:
        """Read until everybody has read a mark; gives how many bytes the one who was told most has read."""
        waiting = dict.fromkeys(self.sockets, b"")
        sizes = dict.fromkeys(self.sockets, 0)
        while waiting:
            for number, _ in self.ready.poll():
                data = self.sockets[number].recv(1 << 18)
                if not data:
                    raise ConnectionError("a stream ended")
                sizes[number] += len(data)
                if number in waiting:
                    read = waiting[number][-100:] + data
                    if mark in read:
                        del waiting[number]
                    else:
                        waiting[number] = read
        return max(sizes.values())

    def leave(self) -> None:
        for listener in self.sockets.values():
            listener.close()
        self.ready.close()


class OurTable:
    """A table on our server, with participants who listen."""

    def __init__(self, port: int, players: int, spectators: int) -> None:
        self.port, self.token = port, ""
        self.asker = Asker(port)
        new = {"system": "conteur", "name": "Banc", "game_master": "Ana"}
        self.asker.send("/api/tables", json.dumps(new).encode())
        opened = json.loads(self.asker.answer())
        self.table, self.token = opened["table"], opened["token"]
        self.links = [(opened["seat"], self.token)]
        for name in ("maelle-tisserand", "anselme-ruvier"):
            self.do(type="add-record", ready=name)
        for grade, number in (("player", players), ("spectator", spectators)):
            for n in range(number):
                made = self.do(type="add-seat", name=f"{grade} {n}", grade=grade)
                self.links.append((made["seat"], made["links"][made["seat"]]))

    def ask(self, **command: Any) -> None:
        asked = json.dumps({**command, "id": token_hex(8)}).encode()
        self.asker.send("/api/table/commands", asked, self.token)

    def do(self, **command: Any) -> Any:
        self.ask(**command)
        return json.loads(self.asker.answer())

    def listeners(self, kind: str, times: int = 1) -> Listeners:
        if kind == "api":
            path, shown = "/api/table/events", "Authorization: Bearer {token}"
        else:
            path, shown = f"/t/{self.table}/{{seat}}/live", "Cookie: paravent_seat={token}"
        asked = f"GET {path} HTTP/1.1\r\nHost: x\r\n{shown}\r\n\r\n"
        links = self.links * times
        return Listeners(self.port, [asked.format(seat=seat, token=token).encode() for seat, token in links])


def told_as(n: int) -> bytes:
    """The bytes that our stream sends for one message, so that everybody sends as much."""
    said = {"id": 100 + n, "at": "2031-05-01T20:00:00.000+00:00", "type": "said", "by": "0123456789",
            "kind": "message", "text": f"<{n}> la porte cède", "title": "", "to": []}
    return f"id: {100 + n}\nevent: said\ndata: {json.dumps(said, ensure_ascii=False)}\n\n".encode()


def middle(spans: list[tuple[float, float]]) -> float:
    """The median of these spans, the first ones left out, in milliseconds."""
    return statistics.median(end - start for start, end in spans[WARM:]) * 1e3


def against_bare() -> tuple[float, float]:
    """From command to durable to eight listening participants, p50: ours and bare."""
    ours, bare = Server("ours", durable=True), Server("bare")
    try:
        table = OurTable(ours.port, 3, SMALL - 4)
        listening = table.listeners("api")
        bare_listening = Listeners(bare.port, [b"listen\n"] * SMALL)
        asker = Asker(bare.port)
        asker.socket.sendall(b"send\n")
        mine, theirs = [], []
        for n in range(ROUNDS + WARM):
            mark, message = f"<{n}>".encode(), told_as(n)
            start = time.perf_counter()
            table.ask(type="say", text=f"<{n}> la porte cède")
            listening.until(mark)
            mine.append((start, time.perf_counter()))
            table.asker.answer()
            start = time.perf_counter()
            asker.socket.sendall(f"{len(message)}\n".encode() + message)
            bare_listening.until(mark)
            theirs.append((start, time.perf_counter()))
            asker.socket.recv(100)
        return middle(mine), middle(theirs)
    finally:
        ours.stop()
        bare.stop()


def against_minimal(ours: Server, kind: str) -> tuple[float, float, float, float]:
    """Delivery to 64 participants, p50, ours and minimal; then the same from the command on."""
    minimal = Server("minimal")
    try:
        table = OurTable(ours.port, 3, LARGE - 4)
        listening = table.listeners(kind)
        minimal_listening = Listeners(minimal.port, [b"GET /events HTTP/1.1\r\nHost: x\r\n\r\n"] * LARGE)
        asker = Asker(minimal.port)
        mine, theirs, mine_whole, theirs_whole = [], [], [], []
        for n in range(ROUNDS + WARM):
            mark = f"<{n}>".encode() if kind == "api" else f"&lt;{n}&gt;".encode()
            start = time.perf_counter()
            table.ask(type="say", text=f"<{n}> la porte cède")
            size = listening.until(mark)
            end = time.perf_counter()
            mine_whole.append((start, end))
            mine.append((ours.noted(), end))
            table.asker.answer()
            message = told_as(n) if kind == "api" else b"data: " + b"x" * (size - 12) + mark + b"\n\n"
            start = time.perf_counter()
            asker.send("/send", message)
            minimal_listening.until(mark)
            end = time.perf_counter()
            theirs_whole.append((start, end))
            theirs.append((minimal.noted(), end))
            asker.answer()
        listening.leave()
        return middle(mine), middle(theirs), middle(mine_whole), middle(theirs_whole)
    finally:
        minimal.stop()


def idle_memory(ours: Server) -> float:
    """The memory of one idle connected participant, in bytes."""
    table = OurTable(ours.port, 3, 20)
    first = table.listeners("page")
    before = ours.memory()
    kept = table.listeners("page", IDLE // len(table.links) + 1)
    grown = (ours.memory() - before) / len(kept.sockets)
    first.leave()
    kept.leave()
    return grown


def main() -> None:
    os.sched_setaffinity(0, CORES[:1])
    mine, bare = against_bare()
    print(f"from command to durable to {SMALL} participants, p50: {mine:.2f} ms; "
          f"bare fdatasync and send: {bare:.2f} ms; ratio {mine / bare:.1f} (at most 3)")
    ours = Server("ours")
    try:
        for kind, what in (("api", f"delivery to {LARGE} participants, p50"), ("page", "the same as drawn pages")):
            mine, minimal, from_command, from_post = against_minimal(ours, kind)
            print(f"{what}: {mine:.2f} ms; minimal Starlette broadcast of as many bytes: {minimal:.2f} ms; ratio "
                  f"{mine / minimal:.2f}{' (at most 1)' if kind == 'api' else ''}; with the command before it "
                  f"{from_command:.2f} and {from_post:.2f} ms, ratio {from_command / from_post:.2f}")
        print(f"memory of an idle connected participant: {idle_memory(ours) / 1000:.0f} kB (under 200)")
    finally:
        ours.stop()


if __name__ == "__main__":
    if len(sys.argv) > 2:
        SERVERS[sys.argv[1]](*sys.argv[2:])
    else:
        main()
