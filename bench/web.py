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
import statistics
import struct
import subprocess
import sys
import tempfile
import time
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
    from paravent.table.host import Live
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


class Server:
    """A server in a process of its own."""

    def __init__(self, kind: str, durable: bool = False) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="paravent-bench-")
        command = [sys.executable, "-m", "bench.web", kind, self.folder.name, "durable" if durable else ""]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
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


# The participants: plain sockets


class Listener(asyncio.Protocol):
    """Somebody who reads a stream; as little as can be is done here, so that the servers are what is measured."""

    transport: asyncio.Transport

    def __init__(self) -> None:
        self.read, self.size, self.mark = b"", 0, b": h"  # ": hello" or ": here"
        self.found = asyncio.get_running_loop().create_future()

    @classmethod
    async def at(cls, port: int, asked: bytes) -> Listener:
        transport, listener = await asyncio.get_running_loop().create_connection(cls, "127.0.0.1", port)
        listener.transport = transport
        transport.write(asked)
        await listener.found
        return listener

    def until(self, mark: bytes) -> asyncio.Future[None]:
        """Done once a mark has come; what stands before it is forgotten."""
        self.read, self.size, self.mark = b"", 0, mark
        self.found = asyncio.get_running_loop().create_future()
        return self.found

    def data_received(self, data: bytes) -> None:
        self.size += len(data)
        self.read = self.read[-100:] + data
        if self.mark in self.read and not self.found.done():
            self.found.set_result(None)

    def connection_lost(self, error: Exception | None) -> None:
        if not self.found.done():
            self.found.set_exception(ConnectionError(self.read[-300:]))


class Asker:
    """Somebody who asks over one kept connection, and does not wait for the answer before the clock runs."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def at(cls, port: int) -> Asker:
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    async def post(self, path: str, body: bytes, token: str = "") -> bytes:
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        head += f"Authorization: Bearer {token}\r\n" if token else ""
        self.writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        answer = await self.reader.readuntil(b"\r\n\r\n")
        heads = dict(line.lower().split(b": ", 1) for line in answer.split(b"\r\n")[1:] if line)
        length = int(heads[b"content-length"])
        return await self.reader.readexactly(length)


class OurTable:
    """A table on our server, with participants who listen."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def open(self, players: int, spectators: int) -> OurTable:
        self.asker = await Asker.at(self.port)
        new = {"system": "conteur", "name": "Banc", "game_master": "Ana"}
        opened = json.loads(await self.asker.post("/api/tables", json.dumps(new).encode()))
        self.table, self.token = opened["table"], opened["token"]
        self.links = [(opened["seat"], self.token)]
        for name in ("maelle-tisserand", "anselme-ruvier"):
            await self.do(type="add-record", ready=name)
        for grade, number in (("player", players), ("spectator", spectators)):
            for n in range(number):
                made = await self.do(type="add-seat", name=f"{grade} {n}", grade=grade)
                self.links.append((made["seat"], made["links"][made["seat"]]))
        return self

    async def do(self, **command: Any) -> Any:
        asked = json.dumps({**command, "id": token_hex(8)}).encode()
        return json.loads(await self.asker.post("/api/table/commands", asked, self.token))

    async def listeners(self, kind: str) -> list[Listener]:
        found = []
        for seat, token in self.links:
            if kind == "api":
                asked = f"GET /api/table/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n"
            else:
                asked = f"GET /t/{self.table}/{seat}/live HTTP/1.1\r\nHost: x\r\nCookie: paravent_seat={token}\r\n\r\n"
            found.append(await Listener.at(self.port, asked.encode()))
        return found


async def timed(listeners: list[Listener], mark: bytes, ask: Any) -> tuple[float, float]:
    """When something was asked, and when the last participant had read it."""

    async def everybody() -> float:
        await asyncio.gather(*(listener.until(mark) for listener in listeners))
        return time.perf_counter()

    start = time.perf_counter()
    _, end = await asyncio.gather(ask(), everybody())
    return start, end


def told_as(n: int) -> bytes:
    """The bytes that our stream sends for one message, so that everybody sends as much."""
    said = {"id": 100 + n, "at": "2031-05-01T20:00:00.000+00:00", "type": "said", "by": "0123456789",
            "kind": "message", "text": f"<{n}> la porte cède", "title": "", "to": []}
    return f"id: {100 + n}\nevent: said\ndata: {json.dumps(said, ensure_ascii=False)}\n\n".encode()


def middle(spans: list[tuple[float, float]]) -> float:
    """The median of these spans, the first ones left out, in milliseconds."""
    return statistics.median(end - start for start, end in spans[WARM:]) * 1e3


async def against_bare() -> tuple[float, float]:
    """From command to durable to eight listening participants, p50: ours and bare."""
    ours, bare = Server("ours", durable=True), Server("bare")
    try:
        table = await OurTable(ours.port).open(3, SMALL - 4)
        listening = await table.listeners("api")
        bare_listening = [await Listener.at(bare.port, b"listen\n") for _ in range(SMALL)]
        asker = await Asker.at(bare.port)
        asker.writer.write(b"send\n")
        mine, theirs = [], []
        for n in range(ROUNDS + WARM):
            mark, message = f"<{n}>".encode(), told_as(n)

            async def bare_ask(message: bytes = message) -> None:
                asker.writer.write(f"{len(message)}\n".encode() + message)
                await asker.reader.readline()

            mine.append(await timed(listening, mark, lambda n=n: table.do(type="say", text=f"<{n}> la porte cède")))
            theirs.append(await timed(bare_listening, mark, bare_ask))
        return middle(mine), middle(theirs)
    finally:
        ours.stop()
        bare.stop()


async def against_minimal(ours: Server, kind: str) -> tuple[float, float, float, float]:
    """Delivery to 64 participants, p50, ours and minimal; then the same from the command on."""
    minimal = Server("minimal")
    try:
        table = await OurTable(ours.port).open(3, LARGE - 4)
        listening = await table.listeners(kind)
        asked = b"GET /events HTTP/1.1\r\nHost: x\r\n\r\n"
        minimal_listening = [await Listener.at(minimal.port, asked) for _ in range(LARGE)]
        asker = await Asker.at(minimal.port)
        mine, theirs, mine_whole, theirs_whole = [], [], [], []
        for n in range(ROUNDS + WARM):
            mark = f"<{n}>".encode() if kind == "api" else f"&lt;{n}&gt;".encode()
            start, end = await timed(listening, mark, lambda n=n: table.do(type="say", text=f"<{n}> la porte cède"))
            mine_whole.append((start, end))
            mine.append((ours.noted(), end))
            size = max(listener.size for listener in listening)
            message = told_as(n) if kind == "api" else b"data: " + b"x" * (size - 12) + mark + b"\n\n"
            start, end = await timed(minimal_listening, mark, lambda m=message: asker.post("/send", m))
            theirs_whole.append((start, end))
            theirs.append((minimal.noted(), end))
        for listener in listening:
            listener.transport.close()
        return middle(mine), middle(theirs), middle(mine_whole), middle(theirs_whole)
    finally:
        minimal.stop()


async def idle_memory(ours: Server) -> float:
    """The memory of one idle connected participant, in bytes."""
    table = await OurTable(ours.port).open(3, 20)
    first = await table.listeners("page")
    before = ours.memory()
    kept = []
    while len(kept) < IDLE:
        kept += await table.listeners("page")
    grown = (ours.memory() - before) / len(kept)
    for listener in (*first, *kept):
        listener.transport.close()
    return grown


def main() -> None:
    mine, bare = asyncio.run(against_bare())
    print(f"from command to durable to {SMALL} participants, p50: {mine:.2f} ms; "
          f"bare fdatasync and send: {bare:.2f} ms; ratio {mine / bare:.1f} (at most 3)")
    ours = Server("ours")
    try:
        for kind, what in (("api", f"delivery to {LARGE} participants, p50"), ("page", "the same as drawn pages")):
            mine, minimal, from_command, from_post = asyncio.run(against_minimal(ours, kind))
            print(f"{what}: {mine:.2f} ms; minimal Starlette broadcast of as many bytes: {minimal:.2f} ms; ratio "
                  f"{mine / minimal:.2f}{' (at most 1)' if kind == 'api' else ''}; with the command before it "
                  f"{from_command:.2f} and {from_post:.2f} ms, ratio {from_command / from_post:.2f}")
        idle = asyncio.run(idle_memory(ours))
        print(f"memory of an idle connected participant: {idle / 1000:.0f} kB (under 200)")
    finally:
        ours.stop()


if __name__ == "__main__":
    if len(sys.argv) > 2:
        SERVERS[sys.argv[1]](*sys.argv[2:])
    else:
        main()
