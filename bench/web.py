"""Measure the web beside the bare thing, in one run: ``python -m bench.web``.

Every server runs in a process of its own; the participants are plain sockets in this one. A table of *Conteur D10* has
its game master, players and spectators; the game master says something, and the clock stops when the last participant
has read it from the wire. *Bare* writes the same bytes, calls fdatasync and sends them on over the same number of
sockets, with no HTTP, no table and no secrets. *Minimal* is a Starlette application that sends the same bytes to every
listener of a server-sent-events stream, and keeps nothing. The contenders take turns, so that all share the weather.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROUNDS, WARM = 60, 10
SMALL, LARGE = 8, 64
IDLE = 200


# The servers, each started as ``python -m bench.web KIND FOLDER``


def serve_ours(folder: str) -> None:
    import uvicorn

    from paravent.store import open_log
    from paravent.web.app import create_app
    from paravent.web.serve import Server, listening

    listener = listening("127.0.0.1", 0)
    print(listener.getsockname()[1], flush=True)
    # What is durable is measured against the bare thing; delivery alone needs no disk.
    app = create_app(open_log("memory:" if folder == "memory" else Path(folder) / "bench.db"))
    Server(uvicorn.Config(app, log_level="error"), app).run(sockets=[listener])


def serve_minimal(folder: str) -> None:
    import uvicorn
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import PlainTextResponse, Response, StreamingResponse
    from starlette.routing import Route

    from paravent.web.serve import listening

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
        for queue in queues:
            queue.put_nowait(message)
        return PlainTextResponse("")

    listener = listening("127.0.0.1", 0)
    print(listener.getsockname()[1], flush=True)
    app = Starlette(routes=[Route("/events", events), Route("/send", send, methods=["POST"])])
    uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[listener])


def serve_bare(folder: str) -> None:
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

    def __init__(self, kind: str, folder: Path) -> None:
        self.process = subprocess.Popen([sys.executable, "-m", "bench.web", kind, str(folder)], stdout=subprocess.PIPE,
                                        text=True)
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline())

    def memory(self) -> int:
        """The memory it holds, in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text("ascii")
        return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmRSS"))

    def stop(self) -> None:
        self.process.kill()
        self.process.wait(20)


# The participants: plain sockets


class Listener:
    """Somebody who reads a stream."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer, self.read, self.size = reader, writer, b"", 0

    @classmethod
    async def at(cls, port: int, asked: bytes) -> Listener:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**20)
        writer.write(asked)
        listener = cls(reader, writer)
        await listener.until(b": h")  # ": hello" or ": here"
        return listener

    async def until(self, mark: bytes) -> None:
        """Read on until a mark is there; what stands before it is forgotten."""
        self.size = len(self.read)
        while mark not in self.read:
            more = await self.reader.read(65536)
            if not more:
                raise ConnectionError(self.read[-300:])
            self.size += len(more)
            self.read = self.read[-100:] + more
        self.read = b""


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
        return json.loads(await self.asker.post("/api/table/commands", json.dumps(command).encode(), self.token))

    async def listeners(self, kind: str) -> list[Listener]:
        found = []
        for seat, token in self.links:
            if kind == "api":
                asked = f"GET /api/table/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n"
            else:
                asked = f"GET /t/{self.table}/{seat}/live HTTP/1.1\r\nHost: x\r\nCookie: paravent_seat={token}\r\n\r\n"
            found.append(await Listener.at(self.port, asked.encode()))
        return found


async def timed(listeners: list[Listener], mark: bytes, ask: Any) -> float:
    start = time.perf_counter()
    asking = asyncio.create_task(ask())
    await asyncio.gather(*(listener.until(mark) for listener in listeners))
    spent = time.perf_counter() - start
    await asking
    return spent


def told_as(n: int) -> bytes:
    """The bytes that our stream sends for one message, so that everybody sends as much."""
    said = {"id": 100 + n, "at": "2031-05-01T20:00:00.000+00:00", "type": "said", "by": "0123456789",
            "kind": "message", "text": f"<{n}> la porte cède", "title": "", "to": []}
    return f"id: {100 + n}\nevent: said\ndata: {json.dumps(said, ensure_ascii=False)}\n\n".encode()


async def against_bare(folder: Path, ours: Server) -> tuple[float, float]:
    """From command to durable to eight listening participants, p50: ours and bare, in seconds."""
    bare = Server("bare", folder)
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
        return statistics.median(mine[WARM:]), statistics.median(theirs[WARM:])
    finally:
        bare.stop()


async def against_minimal(folder: Path, ours: Server, kind: str) -> tuple[float, float]:
    """Delivery to 64 participants, p50: ours and minimal, in seconds."""
    minimal = Server("minimal", folder)
    try:
        table = await OurTable(ours.port).open(3, LARGE - 4)
        listening = await table.listeners(kind)
        asked = b"GET /events HTTP/1.1\r\nHost: x\r\n\r\n"
        minimal_listening = [await Listener.at(minimal.port, asked) for _ in range(LARGE)]
        asker = await Asker.at(minimal.port)
        mine, theirs = [], []
        size = 0
        for n in range(ROUNDS + WARM):
            mark = f"<{n}>".encode() if kind == "api" else f"&lt;{n}&gt;".encode()
            mine.append(await timed(listening, mark, lambda n=n: table.do(type="say", text=f"<{n}> la porte cède")))
            size = max(listener.size for listener in listening)
            message = told_as(n) if kind == "api" else b"data: " + b"x" * (size - 12) + mark + b"\n\n"
            theirs.append(await timed(minimal_listening, mark, lambda m=message: asker.post("/send", m)))
        return statistics.median(mine[WARM:]), statistics.median(theirs[WARM:])
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
        listener.writer.close()
    return grown


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="paravent-bench-") as name:
        folder = Path(name)
        ours = Server("ours", folder)
        try:
            mine, bare = asyncio.run(against_bare(folder, ours))
            print(f"from command to durable to {SMALL} participants, p50: {mine * 1e3:.2f} ms; "
                  f"bare fdatasync and send: {bare * 1e3:.2f} ms; ratio {mine / bare:.1f} (at most 3)")
            ours.stop()
            ours = Server("ours", Path("memory"))
            mine, minimal = asyncio.run(against_minimal(folder, ours, "api"))
            print(f"delivery to {LARGE} participants, p50: {mine * 1e3:.2f} ms; "
                  f"minimal Starlette broadcast: {minimal * 1e3:.2f} ms; ratio {mine / minimal:.2f} (at most 1)")
            mine, minimal = asyncio.run(against_minimal(folder, ours, "page"))
            print(f"the same as drawn pages: {mine * 1e3:.2f} ms; minimal: {minimal * 1e3:.2f} ms; "
                  f"ratio {mine / minimal:.2f}")
            idle = asyncio.run(idle_memory(ours))
            print(f"memory of an idle connected participant: {idle / 1000:.0f} kB (under 200)")
        finally:
            ours.stop()


if __name__ == "__main__":
    if len(sys.argv) > 2:
        SERVERS[sys.argv[1]](sys.argv[2])
    else:
        main()
