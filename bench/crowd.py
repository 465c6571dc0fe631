"""A crowd: 512 seats at 64 tables, every page open, and how soon they are told: ``python -m bench.crowd``.

``paravent serve`` runs in one process over a file on the disk, on one core; the crowd is on the other. Sixteen tables
of each of our four games have a game master, six players and a spectator, whose streams are all held open and read.
Things happen at a steady rate, at whichever table comes: 70 % of them chat lines, 15 % fields filled in, 10 % throws,
5 % gauges. The clock runs from the moment a form should have been sent (one that had to wait for its turn is not
forgiven) until whoever sent it is answered; of a chat line, until all eight pages of its table have it. The rate is
raised until one in a hundred takes longer than a tenth of a second.

``python -m bench.crowd 8 20`` has eight tables, and twenty seconds for each rate.
"""

from __future__ import annotations

import json
import os
import platform
import random
import selectors
import socket
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from .evening import Evening, Person, Refused, Server
from .games import GAMES, HERO

RESULTS = Path(__file__).parent / "results" / "crowd.json"
TABLES, SECONDS = 64, 15
RATES = (1, 10, 20, 40, 60, 80, 100, 120, 160, 200)
SHARES = {"chat": 70, "field": 15, "throw": 10, "gauge": 5}
SLOWEST = 0.1
"""What one in a hundred may take, in seconds."""
GOAL = 80
"""Events a second that are to be held."""
HANDS = 24
CORES = sorted(os.sched_getaffinity(0))
_START = "import os; os.sched_setaffinity(0, {cores}); from paravent.cli import main; main()"


class Told(NamedTuple):
    """What a rate gave: how many things happened, and how long they took, in milliseconds."""

    rate: int
    events: int
    half: float
    most: float
    slowest: float
    refused: int
    processor: float
    """The share of its core that the server took."""


class Line:
    """The streams of one table, and when each was last told something."""

    def __init__(self, table: Evening) -> None:
        self.table = table
        self.heard: dict[int, float] = {}
        self.busy = threading.Lock()

    def all_told_since(self, moment: float) -> bool:
        """Whether every page was told something since then."""
        return all(heard >= moment for heard in self.heard.values())


class Ears:
    """Every stream of every table, read as it comes."""

    def __init__(self) -> None:
        self._ready = selectors.DefaultSelector()
        self._news = threading.Condition()

    def hold(self, line: Line) -> None:
        """Open the pages of a table and their streams."""
        ears = self

        class Kept:
            """What a page hands its stream to."""

            def hold(self, port: int, path: str, token: str) -> None:
                stream = socket.create_connection(("127.0.0.1", port))
                stream.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
                               f"Cookie: paravent_seat={token}\r\n\r\n".encode())
                if b" 200 " not in stream.recv(1 << 16).partition(b"\r\n")[0]:
                    raise RuntimeError(f"no stream at {path}")
                line.heard[stream.fileno()] = 0.0
                ears._ready.register(stream, selectors.EVENT_READ, line)

        for person in line.table.people.values():
            person.opens(Kept())  # type: ignore[arg-type]

    def begin(self) -> None:
        threading.Thread(target=self._listens, daemon=True).start()

    def _listens(self) -> None:
        while True:
            for key, _ in self._ready.select(1):
                assert isinstance(key.fileobj, socket.socket)
                if key.fileobj.recv(1 << 20):
                    key.data.heard[key.fd] = time.perf_counter()
            with self._news:
                self._news.notify_all()

    def wait(self, line: Line, moment: float, most: float = 10.0) -> None:
        """Until every page of a table was told something since then."""
        with self._news:
            self._news.wait_for(lambda: line.all_told_since(moment), most)


class Crowd:
    """All tables, and what is ready to be done at each."""

    def __init__(self, server: Server, tables: int) -> None:
        self.server, self.ears, self.chance = server, Ears(), random.Random(19)
        names = list(GAMES)
        self.lines = [Line(Evening(server, names[at % len(names)], GAMES[names[at % len(names)]]))
                      for at in range(tables)]
        self.ready: dict[int, list[tuple[Person, dict[str, object]]]] = {}
        self.turn = 0
        for at, line in enumerate(self.lines):
            table = line.table
            table.filled = table.asked(table.game.test)
            self.ready[at] = []
            self.ears.hold(line)
        self.ears.begin()

    def prepared(self, throws: int) -> None:
        """Tests brought to where their dice can be thrown, so many in all."""
        for turn in range(throws):
            at = turn % len(self.lines)
            table = self.lines[at].table
            waiting = table.goes_on(table.asked(table.game.test), until="throw")
            if waiting is not None:
                self.ready[at].append((waiting.person, waiting.values))
        self.server.settles()

    def plan(self, rate: int, seconds: int) -> Iterator[tuple[float, int, str]]:
        """When, at which table, and what; a throw, where one is ready."""
        thrown = {at: len(ready) for at, ready in self.ready.items()}
        for number in range(rate * seconds):
            at = self.chance.randrange(len(self.lines))
            what = self.chance.choices(list(SHARES), list(SHARES.values()))[0]
            if what == "throw":
                at = max(thrown, key=lambda one: thrown[one])
                thrown[at] -= 1
            yield number / rate, at, what

    def does(self, due: float, at: int, what: str) -> float | None:
        """Do it, and say after how long it was done; None, if it was refused."""
        line = self.lines[at]
        table = line.table
        with line.busy:
            sent = time.perf_counter()
            try:
                self._posts(table, at, what)
            except Refused:
                return None
            if what == "chat":  # what else is told to whom is the table's business
                self.ears.wait(line, sent)
        return time.perf_counter() - due

    def _posts(self, table: Evening, at: int, what: str) -> None:
        self.turn += 1
        turn = self.turn % 2
        if what == "chat":
            table.player.posts("say", text=f"{self.turn} : la porte cède")
        elif what == "gauge":
            path, values = table.game.gauge
            table.player.posts("edit", record=table.named[HERO], path=path, value=values[turn])
        elif what == "field":
            name, values = table.game.field
            table.player.posts("fill", number=table.filled, **{f"f:{table.named[HERO]}:{name}": values[turn]})
        else:
            person, values = self.ready[at].pop()
            person.posts("throw", **values)

    def at_rate(self, rate: int, seconds: int) -> Told:
        """Everything that happens at a rate, for so long."""
        self.prepared(rate * seconds * SHARES["throw"] // 100 + len(self.lines))
        planned = list(self.plan(rate, seconds))
        spent, start = self.server.spent(), time.perf_counter() + 0.2
        with ThreadPoolExecutor(HANDS) as hands:
            asked = []
            for after, at, what in planned:
                time.sleep(max(0.0, start + after - time.perf_counter()))
                asked.append(hands.submit(self.does, start + after, at, what))
        took = sorted(1e3 * one for one in (each.result() for each in asked) if one is not None)
        share = (self.server.spent() - spent) / (time.perf_counter() - start)
        return Told(rate, len(took), took[len(took) // 2], took[int(len(took) * 0.99)], took[-1],
                    len(asked) - len(took), share)


def main() -> int:
    tables, seconds = (*map(int, sys.argv[1:]), *(TABLES, SECONDS)[len(sys.argv) - 1:])
    cores = CORES[1:] or CORES
    os.sched_setaffinity(0, CORES[:1])
    server = Server(_START.format(cores=set(cores)))
    found = list[Told]()
    try:
        crowd = Crowd(server, tables)
        print(f"{8 * tables} seats at {tables} tables; {seconds} s for each rate\n")
        heads = ("events a second", "half, ms", "99 %, ms", "slowest, ms", "processor", "refused")
        print("".join(f"{head:>16}" for head in heads))
        for rate in RATES:
            found.append(crowd.at_rate(rate, seconds))
            now = found[-1]
            print(f"{rate:>16}{now.half:>16.1f}{now.most:>16.1f}{now.slowest:>16.1f}{now.processor:>16.0%}"
                  f"{now.refused:>16}", flush=True)
            if now.most > 1e3 * SLOWEST and rate > 1:
                break
    finally:
        server.stop()
    held = max((one.rate for one in found if one.most <= 1e3 * SLOWEST), default=0)
    print(f"\n{'met' if held >= GOAL else 'NOT MET':<8} {GOAL} events a second, 99 % within 100 ms: {held}")
    RESULTS.write_text(json.dumps({
        "machine": platform.platform(), "cores": len(CORES), "load": os.getloadavg(), "tables": tables,
        "rates": [one._asdict() for one in found],
    }, indent=2) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
