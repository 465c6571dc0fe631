"""An evening of each game over HTTP, and what it costs the server: ``python -m bench.evening``.

``paravent serve`` runs in a process of its own, over a file on the disk. A game master, six players and a spectator
have the table's page open: eight pages fetched, and eight streams held open and read. Each action is a form of the
page, posted as the page's own script posts it, over a connection that is kept. What is said of an action is the time of
the *server's processor* (user and system, all threads) from the form until the server has nothing left to do and the
eight pages are told; waiting for a turn on a busy machine does not count. *Answer* is what the clock says between the
form and its answer, on the page of whoever sent it; *sent* what the eight streams carried.

Everything is measured at the start of the evening, and again after a hundred moves. Which moves are played is told in
:mod:`bench.games`; between what is measured, programs (``/api``) bring the moves to where they are needed.

``python -m bench.evening conteur`` plays one game only.
"""

from __future__ import annotations

import http.client
import json
import os
import platform
import re
import selectors
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from secrets import token_hex
from typing import Any, NamedTuple
from urllib.parse import urlencode

from .games import FOE, GAMES, GM, HERO, Game, Opening

RESULTS = Path(__file__).parent / "results" / "evening.json"
PLAYERS = 6
LATER = 100
"""How many moves are played before everything is measured again."""
LEFT = 20
"""After so many of them, those that were not brought to their end are cancelled: a table has only so much room."""
TIMES = {"chat": 20, "gauge": 8, "field": 8, "throw": 6, "exchange": 1}
"""How often each action is measured."""
LONGEST = 15.0
"""After so many seconds, on a machine that is busy elsewhere, each action is measured only once more."""
GOALS = {"chat": 2, "gauge": 15, "field": 15, "throw": 20}
"""At most so many milliseconds of the server's processor, on a quiet machine with two cores."""
MOST_RATIO = 20
"""At most so many chat lines' worth."""
MOST_COMMANDS = 40
PATIENCE = 0.004


# The server


class Server:
    """``paravent serve`` in a process of its own."""

    options: tuple[str, ...] = ()

    def __init__(
        self, program: str = "from paravent.cli import main; main()", *before: str, database: str = ""
    ) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="paravent-bench-")
        self.database = database or f"{self.folder.name}/bench.db"
        self.program = [sys.executable, "-c", program, *before]
        self.start()

    def start(self) -> None:
        """Serve what is in the folder."""
        self.port = free_port()
        command = [*self.program, "serve", "--port", str(self.port), "--no-browser", "--database", self.database,
                   *self.options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.process.stdout.readline()
        self._clock = (~self.process.pid << 3) | 2  # what clock_getcpuclockid gives for a process

    def spent(self) -> float:
        """The processor's time it has taken so far, in seconds, exact where the two figures of ``stat`` are rounded."""
        return time.clock_gettime(self._clock)

    def rests(self) -> bool:
        """Whether all its threads sleep; not so while one is just ending."""
        tasks = Path(f"/proc/{self.process.pid}/task").iterdir()
        try:
            return all(task.joinpath("stat").read_text("ascii").rpartition(")")[2].split()[0] == "S" for task in tasks)
        except (FileNotFoundError, ProcessLookupError):
            return False

    def settles(self) -> float:
        """Wait until it has nothing left to do; the processor's time it has taken until then."""
        spent, quiet = self.spent(), 0
        while quiet < 4:
            time.sleep(PATIENCE)
            now = self.spent()
            quiet = quiet + 1 if now == spent and self.rests() else 0
            spent = now
        return spent

    def stop_but_keep(self) -> None:
        """Stop serving; what is in the folder stays."""
        self.process.terminate()
        self.process.wait(20)

    def stop(self) -> None:
        self.stop_but_keep()
        self.folder.cleanup()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


# The people


class Streams:
    """The streams of all pages, read as they come by a thread of their own."""

    def __init__(self) -> None:
        self.read = 0
        self._ready, self._open = selectors.DefaultSelector(), True
        self._thread = threading.Thread(target=self._reads, daemon=True)

    def hold(self, port: int, path: str, token: str) -> None:
        """Open a page's stream."""
        line = socket.create_connection(("127.0.0.1", port))
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: paravent_seat={token}\r\n\r\n".encode())
        if b" 200 " not in line.recv(1 << 16).partition(b"\r\n")[0]:
            raise RuntimeError(f"no stream at {path}")
        self._ready.register(line, selectors.EVENT_READ)

    def begin(self) -> None:
        self._thread.start()

    def _reads(self) -> None:
        while self._open:
            for key, _ in self._ready.select(0.1):
                assert isinstance(key.fileobj, socket.socket)
                self.read += len(key.fileobj.recv(1 << 20))

    def close(self) -> None:
        self._open = False
        self._thread.join()
        for key in list(self._ready.get_map().values()):
            assert isinstance(key.fileobj, socket.socket)
            key.fileobj.close()
        self._ready.close()


class Refused(Exception):
    """The server says no."""


class Person:
    """Somebody at the table: a browser's kept connection, and a program's with the same link."""

    def __init__(self, port: int, table: str, seat: str, token: str) -> None:
        self.port, self.table, self.seat, self.token = port, table, seat, token
        self._line = http.client.HTTPConnection("127.0.0.1", port)

    @property
    def base(self) -> str:
        return f"/t/{self.table}/{self.seat}"

    def _asks(self, method: str, path: str, body: str = "", **headers: str) -> bytes:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            self._line.request(method, path, body or None, sent)
            answer = self._line.getresponse()
        except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):  # it had been idle for long
            self._line.close()
            self._line.request(method, path, body or None, sent)
            answer = self._line.getresponse()
        read = answer.read()
        if answer.status >= 400:
            raise Refused(f"{method} {path} {body}: {answer.status} {read.decode()[:600]}")
        return read

    def api(self, method: str, path: str, body: Any = None) -> Any:
        """What a program is answered."""
        sent = "" if body is None else json.dumps(body)
        return json.loads(self._asks(method, f"/api/{path}", sent, Authorization=f"Bearer {self.token}",
                                     Content_Type="application/json"))

    def does(self, kind: str, /, **values: Any) -> Any:
        """A command of a program."""
        return self.api("POST", "table/commands", {"type": kind, "id": token_hex(8), **values})

    def sees(self, number: int) -> Any:
        """A move, by this seat's own number."""
        return self.api("GET", "table")["moves"][str(number)]

    def form(self, number: int) -> Any:
        """What an open move asks of this seat."""
        return self.api("GET", f"table/moves/{number}/form")

    def fields(self, number: int, actor: str, wanted: dict[str, Any]) -> dict[str, Any]:
        """What of this an actor is asked now; and what everybody waits for, filled in as usual."""
        asked = {field["field"]: field for field in self.form(number)["fields"] if field["actor"] == actor}
        usual = {name: field["usual"] for name, field in asked.items()
                 if field["secrecy"] == "sealed" and field.get("usual") is not None}
        return usual | {name: value for name, value in wanted.items() if name in asked}

    def opens(self, streams: Streams) -> int:
        """Fetch the page and hold its stream open; how many bytes the page has."""
        page = self.page()
        stream = re.search(rb'"(/t/[^"]+/live\?last=\d+)"', page)
        if stream is None:
            raise RuntimeError("the page names no stream")
        streams.hold(self.port, stream[1].decode(), self.token)
        return len(page)

    @cached_property
    def _proof(self) -> str:
        """What a seat's forms carry, as any page of it shows."""
        found = re.search(rb'name="proof" value="([0-9a-f]+)"', self.page())
        return found[1].decode() if found else ""

    def page(self) -> bytes:
        """The page of the table."""
        return self._asks("GET", f"{self.base}/", Cookie=f"paravent_seat={self.token}")

    def posts(self, action: str, **values: Any) -> None:
        """A form of the page, as its script posts it."""
        form = urlencode({"proof": self._proof, "once": token_hex(8), **values}, doseq=True)
        self._asks("POST", f"{self.base}/do/{action}", form, Cookie=f"paravent_seat={self.token}", HX_Request="true",
                   X_Line_Held="1", Content_Type="application/x-www-form-urlencoded")


# The evening


class Cost(NamedTuple):
    """What an action took: the server's processor and the answer, in milliseconds; what all pages were sent."""

    processor: float
    answer: float
    sent: float

    def __add__(self, other: object) -> Cost:
        if not isinstance(other, Cost):
            return NotImplemented
        return Cost(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


class Next(NamedTuple):
    """What would bring a move forward: who sends which command."""

    person: Person
    kind: str
    values: dict[str, Any]


class Evening:
    """A table of one game with everybody around it."""

    def __init__(self, server: Server, name: str, game: Game) -> None:
        self.server, self.game = server, game
        visitor = Person(server.port, "", "", "")
        opened = visitor.api("POST", "tables", {"system": name, "name": "Banc", "game_master": "Ana"})
        table = opened["table"]
        self.gm = Person(server.port, table, opened["seat"], opened["token"])
        self.people, self.named = {GM: self.gm}, {GM: GM}
        for at in range(PLAYERS):
            self._sits(f"player {at}", "player")
            self._brings(HERO if at == 0 else f"hero {at}", f"player {at}", "character",
                         game.heroes[at % len(game.heroes)])
        self._sits("spectator", "spectator")
        self._brings(FOE, "", *game.foe)
        self.pages: dict[str, int] = {}
        self.encounter: int | None = None
        self.filled = 0

    def _sits(self, name: str, grade: str) -> None:
        made = self.gm.does("add-seat", name=name, grade=grade)
        seat = made["seat"]
        self.people[name] = Person(self.server.port, self.gm.table, seat, made["links"][seat])

    def _brings(self, name: str, owner: str, kind: str, ready: str) -> None:
        held = self.people[owner].seat if owner else ""
        self.named[name] = self.gm.does("add-record", kind=kind, ready=ready, owner=held, seen_by=["all"])["record"]

    @property
    def player(self) -> Person:
        """Who plays the hero."""
        return self.people["player 0"]

    @contextmanager
    def watched(self) -> Iterator[Streams]:
        """While everybody has the page open."""
        streams = Streams()
        self.pages = {name: person.opens(streams) for name, person in self.people.items()}
        streams.begin()
        self.server.settles()
        try:
            yield streams
        finally:
            streams.close()

    # Moves, brought by programs to where they are needed

    def asked(self, opening: Opening, encounter: int | None = None) -> int:
        """The game master opens a move with everything filled in; its number."""
        form = {self.named[name]: values for name, values in opening.form.items()}
        return int(self.gm.does("start-move", move=opening.move, cast=self._cast(opening), form=form,
                                encounter=encounter)["number"])

    def _cast(self, opening: Opening) -> dict[str, list[str]]:
        return {role: [self.named[name] for name in names] for role, names in opening.cast.items()}

    def goes_on(self, number: int, until: str = "") -> Next | None:
        """Go on with a move until it is over, or waits for a command of this kind: who would send it."""
        for _ in range(MOST_COMMANDS):
            following = self.next(number)
            if following is None or following.kind == until:
                return following
            following.person.does(following.kind, **following.values)
        raise RuntimeError(f"move {number} does not end")

    def next(self, number: int) -> Next | None:
        """What would bring a move forward, and who would send it; nothing when it is over."""
        seen = self.gm.sees(number)
        if seen["phase"] == "settled":
            return Next(self.gm, "accept", {"number": number})
        if seen["phase"] != "open":
            return None
        for person in self.people.values():
            mine = person.seat in seen["waits_for"] and self._answer(person, number)
            if mine:
                return mine
        return Next(self.gm, "close-step", {"number": number})

    @staticmethod
    def _answer(person: Person, number: int) -> Next | None:
        """What a move that waits for somebody waits for; these moves are known to all, so all number them alike."""
        choice = person.sees(number).get("choice")
        if choice:
            return Next(person, "answer", {"number": number, "answer": usual_answer(choice)})
        form = person.form(number)
        if "window" in form:
            return Next(person, "answer", {"number": number, "answer": "agree"})
        if "throw" in form:
            return Next(person, "throw", {"number": number, "nonce": token_hex(8)})
        return None

    # What is measured

    def costs(self, streams: Streams, person: Person, action: str, **values: Any) -> Cost:
        """What a form of somebody's page takes."""
        spent, read = self.server.settles(), streams.read
        start = time.perf_counter()
        person.posts(action, **values)
        answered = time.perf_counter() - start
        processor = self.server.settles() - spent
        return Cost(processor * 1e3, answered * 1e3, streams.read - read)

    def chat(self, streams: Streams, turn: int) -> Cost:
        """Somebody says something."""
        return self.costs(streams, self.player, "say", text=f"{turn} : la porte cède")

    def gauge(self, streams: Streams, turn: int) -> Cost:
        """A line of a sheet goes down or up."""
        path, values = self.game.gauge
        return self.costs(streams, self.player, "edit", record=self.named[HERO], path=path, value=values[turn % 2])

    def field(self, streams: Streams, turn: int) -> Cost:
        """One field of an open move is filled in; the move is left open for the next."""
        if turn == 0:
            self.filled = self.asked(self.game.test)
        name, values = self.game.field
        return self.costs(streams, self.player, "fill", number=self.filled,
                          **{f"f:{self.named[HERO]}:{name}": values[turn % 2]})

    def throw(self, streams: Streams, turn: int) -> Cost:
        """The dice of a test are thrown; then it is brought to its end."""
        number = self.asked(self.game.test)
        waiting = self.goes_on(number, until="throw")
        if waiting is None:
            raise RuntimeError("the test has no dice")
        cost = self.costs(streams, waiting.person, "throw", **waiting.values)
        self.goes_on(number)
        return cost

    def exchange(self, streams: Streams, turn: int) -> Cost:
        """A whole exchange: opened, filled in by each side, thrown, answered, accepted. Then it is taken back."""
        opening = self.game.exchange
        total = self.costs(streams, self.gm, "start", move=opening.move, encounter=self._encounter() or "",
                           **{f"cast:{role}": names for role, names in self._cast(opening).items()})
        number = self._played()
        for name, person in ((GM, self.gm), (HERO, self.player), (FOE, self.gm)):
            actor = self.named[name]
            filled = person.fields(number, actor, opening.form.get(name, {}))
            if filled:
                total += self.costs(streams, person, "fill", number=number, complete="1",
                                    **{f"f:{actor}:{field}": as_typed(value) for field, value in filled.items()})
        while (following := self.next(number)) is not None:
            form = {field: as_typed(value) for field, value in following.values.items()}
            total += self.costs(streams, following.person, ACTIONS.get(following.kind, following.kind), **form)
        self.gm.does("undo", number=number)
        return total

    def _leaves(self) -> None:
        """Whatever a move opened after it is cancelled."""
        for number, move in self.gm.api("GET", "table")["moves"].items():
            if move["phase"] in ("open", "settled"):
                self.gm.does("cancel", number=int(number))

    def _encounter(self) -> int | None:
        """The fight in which exchanges are played, opened if it is not."""
        if self.game.fight is not None and self.encounter is None:
            self.goes_on(self.asked(self.game.fight))
            self.encounter = max(map(int, self.gm.api("GET", "table")["encounters"]))
        return self.encounter

    def measured(self) -> Figures:
        """Each action, so many times or until too much time has passed, with everybody's page open."""
        latest = time.perf_counter() + LONGEST
        with self.watched() as streams:
            for turn in range(2):  # the first time costs more
                self.chat(streams, turn)
                self.gauge(streams, turn)
            return {action: list(self._measured(streams, action, times, latest)) for action, times in TIMES.items()}

    def _measured(self, streams: Streams, action: str, times: int, latest: float) -> Iterator[Cost]:
        for turn in range(times):
            if turn == 0 or time.perf_counter() < latest:
                yield getattr(self, action)(streams, turn)
        self._leaves()

    def warm(self) -> None:
        """Play a test and an exchange that do not count, before anybody looks."""
        self.goes_on(self.asked(self.game.test))
        self._leaves()
        self.exchange(Streams(), 0)

    def later(self) -> None:
        """Play until a hundred moves have been; the pages are closed meanwhile, and nobody looks what comes next."""
        for at in range(self._played(), LATER):
            if at % LEFT == 0:
                self._leaves()
            number = self.asked(self.game.test)
            for person, kind, values in (
                (self.gm, "answer", {"answer": "agree"}), (self.player, "throw", {"nonce": token_hex(8)}),
                (self.player, "answer", {"answer": "stop"}), (self.gm, "close-step", {}), (self.gm, "accept", {}),
            ):
                with suppress(Refused):  # not every test asks for everything
                    person.does(kind, number=number, **values)
        self._leaves()

    def _played(self) -> int:
        return max(map(int, self.gm.api("GET", "table")["moves"]))


Figures = dict[str, list[Cost]]
ACTIONS = {"close-step": "close"}
"""Forms of the page that go by another name than the command."""


def usual_answer(choice: Any) -> Any:
    """Nothing more, where that is an answer, or the first of them."""
    return "stop" if "stop" in choice["options"] else choice["options"][0]


def as_typed(value: Any) -> str:
    """A value as a form sends it."""
    return value if isinstance(value, str) else json.dumps(value)


# What is told


def told(name: str, pages: dict[str, int], start: Figures, later: Figures) -> dict[str, Any]:
    """The figures of one game, returned; what its pages weigh and how soon it answers, printed."""
    sizes = ", ".join(f"{who} {pages[who] / 1e3:.0f}" for who in (GM, "player 0", "spectator"))
    summed = {when: {action: middle(costs) for action, costs in figures.items()}
              for when, figures in (("start", start), ("later", later))}
    answers = ", ".join(f"{action} {cost.answer:.0f} ms, {cost.sent / 1e3:.0f} kB"
                        for action, cost in summed["start"].items())
    print(f"{name}: first page in kB: {sizes}; answered after, and sent to all pages: {answers}")
    return {"pages": pages, **{when: {action: cost._asdict() for action, cost in costs.items()}
                               for when, costs in summed.items()}}


def tables(figures: dict[str, Any]) -> None:
    """What an evening costs, as goals are set for it: at the start, and after so many moves; then in chat lines."""
    names = list(figures)
    heading = "".join(f"{name:>18}" for name in names) + f"{'goal':>10}"
    print(f"\n{f'processor, ms: at the start → after {LATER} moves':<50}{heading}")
    for action in TIMES:
        rows = [(figures[name]["start"][action]["processor"], figures[name]["later"][action]["processor"])
                for name in names]
        print(f"{action:<50}" + "".join(f"{f'{now:.1f} → {then:.1f}':>18}" for now, then in rows)
              + f"{GOALS.get(action, ''):>10}")
    print(f"\n{'in chat lines':<50}{heading}")
    for action in (action for action in GOALS if action != "chat"):
        rows = [tuple(figures[name][when][action]["processor"] / figures[name][when]["chat"]["processor"]
                      for when in ("start", "later")) for name in names]
        print(f"{action:<50}" + "".join(f"{f'{now:.0f} → {then:.0f}':>18}" for now, then in rows) + f"{MOST_RATIO:>10}")


def middle(costs: list[Cost]) -> Cost:
    """The middle one of each figure, which one stumble does not move."""
    return Cost(*(statistics.median(figure) for figure in zip(*costs, strict=True)))


def main(names: list[str]) -> int:
    server, began = Server(), time.perf_counter()
    figures: dict[str, Any] = {}
    try:
        for name in names or GAMES:
            evening = Evening(server, name, GAMES[name])
            evening.warm()
            start, pages = evening.measured(), dict(evening.pages)
            evening.later()
            figures[name] = told(name, pages, start, evening.measured())
    finally:
        server.stop()
    tables(figures)
    load, cores = os.getloadavg()[0], os.cpu_count()
    print(f"\n{time.perf_counter() - began:.0f} s; {cores} cores, load {load:.1f}")
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps({
        "python": platform.python_version(), "machine": platform.machine(), "cores": cores, "load": round(load, 1),
        "goals": GOALS, "ratio": MOST_RATIO, "games": figures,
    }, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
