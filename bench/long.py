"""A table of a hundred thousand events, opened, read, searched, taken away, verified: ``python -m bench.long``.

An evening is played for a while, then what was played is written again and again behind it, moves under new numbers,
until the log is long enough; the server is started anew on it. Each question is asked twice, cold and again, but once
if that was long: *begins* is the server's processor until the first byte of the answer, *whole* until the last.
Meanwhile somebody talks at another table of the same server all the time: *held up* is the most that the server's
processor did between any of those lines and its answer, which is what the clock would say where nothing else runs and
no disk is waited for; *at once*, the longest that nobody at all had a turn (:mod:`bench.pulse`), whatever else the
machine has to do; *by the clock*, what it said.
At last, the game master's file is brought as a table of its own; that is answered when it is done.

``python -m bench.long 20000`` makes a shorter one.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import platform
import re
import sys
import threading
import time
from pathlib import Path
from typing import Any, NamedTuple

from paravent.store import open_log
from paravent.table import events as e
from paravent.table.evolve import evolve
from paravent.table.longlog import rows_after
from paravent.table.state import State, state_written

from .evening import Evening, Person, Server
from .games import GAMES
from .pulse import Pulse

RESULTS = Path(__file__).parent / "results" / "long.json"
LENGTH = 100_000
TESTS, LINES = 6, 4
"""How many tests are played, and how many lines are said around each."""
MOST = {"begins": 1.0, "held up": 0.1, "at once": 0.1}
"""Seconds of processor until an answer begins; seconds that another table waits, and that it waits in one go."""
LOADED = 10
"""Seconds in which a server has loaded its games: with its pulse, it never rests."""
LONG = 15.0
"""What took so many seconds of processor in all is not asked again."""


class Asked(NamedTuple):
    """What a question took, in seconds: of the processor until it began to be answered, and in all; held up others."""

    question: str
    begins: float
    whole: float
    held_up: float
    at_once: float
    clock: float
    size: int
    memory: int
    """What the server then holds, in MB."""


def played(server: Server, game: str) -> Evening:
    """A short evening."""
    evening = Evening(server, game, GAMES[game])
    for turn in range(TESTS):
        for line in range(LINES):
            evening.player.does("say", text=f"{turn}, {line} : la porte cède, là-bas")
        evening.goes_on(evening.asked(evening.game.test))
    return evening


async def lengthened(database: str, table: str, length: int) -> int:
    """Write what was played behind itself until the log is long enough; how many moves there are then.

    As behind any long table, a snapshot stands at its end.
    """
    log = open_log(database)
    rows = [json.loads(text) for _, text in await log.read(table)]
    began = next(at for at, row in enumerate(rows) if row["type"] == "said")
    cycle, moves = rows[began:], {row["number"] for row in rows if row["type"] == "move-started"}
    first, number = len(rows) + 1, len(rows)
    turn, texts = 0, []
    while number < length:
        turn += 1
        for row in cycle:
            texts.append(json.dumps(shifted(row, turn * len(moves))))
            number += 1
    for at in range(0, len(texts), 2000):
        await log.append(table, first + at, texts[at : at + 2000])
    state = State()
    for _, text in await rows_after(log, table):
        state = evolve(state, e.read(text))
    await log.save_snapshot(table, state.events, state_written(state))
    await log.close()
    return state.moves_started


def shifted(row: dict[str, Any], by: int) -> dict[str, Any]:
    """An event of a later move, otherwise the same."""
    moved = dict(row)
    if "number" in row:
        moved["number"] = row["number"] + by
    if "act" in row:
        moved["act"] = row["act"] | {"id": row["act"]["id"] + by}
    if row["type"] == "changed" and row.get("move"):
        moved["move"] = row["move"] + by
    return moved


class Neighbour:
    """Somebody who talks at another table, and how long they waited at most."""

    def __init__(self, evening: Evening, pulse: Pulse) -> None:
        self._person, self._server, self._going, self.pulse = evening.player, evening.server, True, pulse
        self.begins()
        self._thread = threading.Thread(target=self._talks, daemon=True)
        self._thread.start()

    def begins(self) -> None:
        """Forget how long they waited."""
        self.longest = self.clock = self.pulse.longest = 0.0

    def _talks(self) -> None:
        while self._going:
            start, spent = time.perf_counter(), self._server.spent()
            self._person.does("say", text="et pendant ce temps")
            self.longest = max(self.longest, self._server.spent() - spent)
            self.clock = max(self.clock, time.perf_counter() - start)
            time.sleep(0.02)

    def stop(self) -> None:
        self._going = False
        self._thread.join()


def asked(
    server: Server, neighbour: Neighbour, person: Person, question: str, path: str, sent: bytes = b""
) -> tuple[Asked, bytes]:
    """Ask for a page, or send a file, and read the answer."""
    line = http.client.HTTPConnection("127.0.0.1", server.port)
    line.connect()
    neighbour.begins()
    spent = server.spent()
    line.request("POST" if sent else "GET", path, sent or None, {"Cookie": f"paravent_seat={person.token}"})
    answer = line.getresponse()
    first = answer.read(1)
    begins = server.spent() - spent
    body = first + answer.read()
    whole = server.spent() - spent
    if answer.status not in (200, 201):
        raise RuntimeError(f"{path}: {answer.status} {body[:400]!r}")
    time.sleep(0.1)
    took = Asked(question, begins, whole, neighbour.longest, neighbour.pulse.longest, neighbour.clock, len(body),
                 memory(server, "VmRSS"))
    figures = "".join(f"{seconds:>14.2f}" for seconds in (begins, whole, took.held_up, took.at_once, took.clock))
    print(f"{question:<28}{figures}{took.size // 1024:>9}{took.memory:>9}", flush=True)
    return took, body


def memory(server: Server, which: str) -> int:
    """The memory of a server, in MB: now (``VmRSS``), or at most so far (``VmHWM``)."""
    found = re.search(rf"{which}:\s+(\d+)", Path(f"/proc/{server.process.pid}/status").read_text())
    return int(found[1]) // 1024 if found else 0


def questions(person: Person, mark: str) -> dict[str, str]:
    """What is asked, by name."""
    base = person.base
    return {
        "page": f"{base}/", "log": f"{base}/log", "search": f"{base}/log?q=porte+cede",
        "permalink": f"{base}/log?line={mark}", "campaign": f"{base}/campaign", "export": f"{base}/export",
        "verification": f"{base}/verify",
    }


def main(length: int = LENGTH, game: str = "conteur") -> int:
    server = Server()
    pulse = Path(server.folder.name) / "pulse"
    played_here = played(server, game)
    server.stop_but_keep()
    moves = asyncio.run(lengthened(server.database, played_here.gm.table, length))
    server.program = [sys.executable, "-m", "bench.pulse", str(pulse)]
    server.start()
    other = Evening(server, game, GAMES[game])
    time.sleep(LOADED)
    neighbour = Neighbour(other, Pulse(pulse))
    heads = "".join(f"{head:>14}" for head in ("begins", "whole", "held up", "at once", "by the clock"))
    print(f"{length} events, {moves} moves\n{'':<28}{heads}{'kB':>9}{'MB':>9}")
    results: list[Asked] = []
    whole = b""
    try:
        for name in ("player 0", "spectator", "gm"):
            person = played_here.people[name]
            person.port = server.port
            mark = ""
            for question, path in questions(person, "").items():
                for again in ("", ", again"):
                    if question == "permalink":
                        path = f"{person.base}/log?line={mark}"
                    took, body = asked(server, neighbour, person, f"{name}: {question}{again}", path)
                    results.append(took)
                    mark = mark or (first_mark(body) if question == "log" else "")
                    whole = body if question == "export" else whole
                    if took.whole > LONG:
                        break
        results.append(asked(server, neighbour, played_here.gm, "gm: import", "/api/tables/import", whole)[0])
    finally:
        neighbour.stop()
        print(f"memory at most: {memory(server, 'VmHWM')} MB, load {os.getloadavg()[0]:.1f}")
        server.stop()
    worst = {"begins": max(took.begins for took in results if not took.question.endswith("import")),
             "held up": max(took.held_up for took in results), "at once": max(took.at_once for took in results)}
    for name, most in MOST.items():
        print(f"{'met    ' if worst[name] <= most else 'NOT MET'}  {name} at most {most} s: {worst[name]:.2f}")
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps({"python": platform.python_version(), "events": length,
                                   "asked": [took._asdict() for took in results]}, indent=1) + "\n")
    return 0


def first_mark(page: bytes) -> str:
    """The mark of a line of the account, as its page shows it."""
    found = re.search(rb"/l/[^/\"]+/([0-9a-f]{12})", page)
    return found[1].decode() if found else ""


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:2])))
