"""What a second worker costs: ``python -m bench.workers postgresql://…``, an address where databases may be made.

Two servers run over one PostgreSQL, each with a database of its own: one answers with one program, the other with two.
At each, four tables (one of each game) have a game master, six players and a spectator, whose pages are open and whose
streams are read. What happens is what happens in :mod:`bench.crowd`, one thing after the other, a hundred at one
server, then a hundred at the other, and again; and as many chat lines alone. What is said is the processor's time of
all programs of a server, the one that watches over the workers included, for one event, without what it takes while
nothing happens; behind it, that of PostgreSQL, which both share.

``python -m bench.workers postgresql://… 10 3`` has ten rounds, and three workers.
"""

from __future__ import annotations

import asyncio
import json
import os
import platform
import statistics
import sys
import time
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from urllib.parse import urlsplit, urlunsplit

from .crowd import SHARES, Crowd
from .evening import Server

RESULTS = Path(__file__).parent / "results" / "workers.json"
TABLES, EVENTS, ROUNDS, WORKERS = 4, 100, 6, 2
QUIET = 0.1
MOST = 1.15
"""How many times as much an event may cost with several workers."""


async def made(address: str) -> tuple[str, int]:
    """A new database there; its address, and the process that keeps it."""
    import asyncpg

    name = f"paravent_bench_{token_hex(4)}"
    connection = await asyncpg.connect(address)
    await connection.execute(f"CREATE DATABASE {name}")
    keeper = parents()[await connection.fetchval("SELECT pg_backend_pid()")]
    await connection.close()
    return urlunsplit(urlsplit(address)._replace(path=f"/{name}")), keeper


async def dropped(address: str, made_there: str) -> None:
    import asyncpg

    connection = await asyncpg.connect(address)
    await connection.execute(f"DROP DATABASE {urlsplit(made_there).path[1:]} WITH (FORCE)")
    await connection.close()


def parents() -> dict[int, int]:
    """By process, who started it."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            found[int(folder.name)] = int(folder.joinpath("stat").read_text("ascii").rpartition(")")[2].split()[1])
    return found


class Several(Server):
    """``paravent serve`` with so many workers."""

    def __init__(self, database: str, workers: int) -> None:
        self.options = "--workers", str(workers)
        super().__init__(database=database)
        until = time.monotonic() + 60
        while len(self.programs) <= (workers if workers > 1 else 0):
            if time.monotonic() > until:
                raise RuntimeError("the workers do not come")
            time.sleep(0.1)
            self.programs = self._found()
        self.settles()

    def start(self) -> None:
        super().start()
        self.programs = [self.process.pid]

    def _found(self) -> list[int]:
        mine = self.process.pid
        return [mine, *(one for one, parent in parents().items() if parent == mine
                        and b"resource_tracker" not in Path(f"/proc/{one}/cmdline").read_bytes())]

    def spent(self) -> float:
        return sum(time.clock_gettime((~one << 3) | 2) for one in self.programs)

    def settles(self) -> float:
        """Wait until they do no more than look at the clock now and then."""
        spent, quiet = self.spent(), 0
        while quiet < 3:
            time.sleep(QUIET)
            before, spent = spent, self.spent()
            quiet = quiet + 1 if spent - before < 0.05 * QUIET else 0
        return spent


def database_spent(keeper: int) -> float:
    """What the programs of a PostgreSQL have taken, those that ended included, in seconds."""
    ticks = 0
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            figures = folder.joinpath("stat").read_text("ascii").rpartition(")")[2].split()
            if int(folder.name) == keeper:
                ticks += sum(map(int, figures[11:15]))
            elif int(figures[1]) == keeper:
                ticks += sum(map(int, figures[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def at_rest(server: Server) -> float:
    """The share of a core that a server takes while nothing happens: it looks at the clock, and at who is there."""
    spent, start = server.settles(), time.perf_counter()
    time.sleep(2)
    return (server.spent() - spent) / (time.perf_counter() - start)


def each(crowd: Crowd, events: int, keeper: int, only: str = "") -> tuple[float, float]:
    """What one event took of the server's processor and of the database's, in milliseconds."""
    if not only:
        crowd.prepared(events * SHARES["throw"] // 100 + len(crowd.lines))
    planned = list(crowd.plan(events, 1))
    idle = at_rest(crowd.server)
    of_database, start, spent = database_spent(keeper), time.perf_counter(), crowd.server.settles()
    for _, at, what in planned:
        crowd.does(time.perf_counter(), at, only or what)
    took = crowd.server.settles() - spent - idle * (time.perf_counter() - start)
    return 1e3 * took / events, 1e3 * (database_spent(keeper) - of_database) / events


def main(address: str, rounds: int = ROUNDS, workers: int = WORKERS) -> int:
    (first, keeper), (second, _) = [asyncio.run(made(address)) for _ in range(2)]
    crowds: list[Crowd] = []
    found: dict[str, dict[int, list[tuple[float, float]]]] = {what: {1: [], workers: []} for what in ("all", "chat")}
    try:
        for database, count in zip((first, second), (1, workers), strict=True):
            crowds.append(Crowd(Several(database, count), TABLES))
        for _ in range(rounds):
            for what, told in found.items():
                for crowd, rows in zip(crowds, told.values(), strict=True):
                    rows.append(each(crowd, EVENTS, keeper, "chat" if what == "chat" else ""))
                print(f"{what:<6}", "   ".join(f"{count}: {rows[-1][0]:5.2f} ms + {rows[-1][1]:4.2f}"
                                               for count, rows in told.items()),
                      f"   load {os.getloadavg()[0]:.1f}", flush=True)
    finally:
        for crowd in crowds:
            crowd.server.stop()
        for database in (first, second):
            asyncio.run(dropped(address, database))
    print()
    for what, told in found.items():
        one, several = (statistics.median(server for server, _ in rows) for rows in told.values())
        ratio = statistics.median(b[0] / a[0] for a, b in zip(*told.values(), strict=True))
        print(f"{'met' if ratio <= MOST else 'NOT MET':<8} {what}: {workers} workers {several:.2f} ms an event, one"
              f" {one:.2f}; {ratio:.2f} times as much, at most {MOST}")
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps({"machine": platform.platform(), "load": os.getloadavg(), "rounds": found},
                                  indent=2) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
