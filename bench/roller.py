"""How long whoever throws waits, with everybody's grains: ``python -m bench.roller``.

A game master, six players and a spectator have the page open, each with its stream and its grains, as their
browsers would: a page that is told of a throw in which it takes part opens its grain at once. A player says ``/r 3d6``
and throws as soon as their own page tells of it. *Answered* is from the line sent until the throw is answered: the dice
lie, and are written down. *Seen* is until the player's own stream shows the key of the throw. *Begun again* counts the
throws for which somebody's grain came too late. All of it runs on this machine: a home network adds its own way there
and back, three times.
"""

from __future__ import annotations

import hashlib
import os
import queue
import re
import secrets
import socket
import sys
import threading
import time

from paravent.table.limits import MOST_PROMISES

from .evening import Evening, Person, Server
from .games import GAMES

TIMES = 40
GOAL = 150
"""At most so many milliseconds, nineteen times in twenty."""
_THROW = re.compile(
    r'data-throw="(?P<hash>\w+)" data-number="(?P<number>\d+)" data-holder="(?P<holder>\w*)"\s*'
    r'data-left="(?P<left>[^"]*)"\s*data-grains="(?P<grains>[^"]*)"\s*(?P<key>data-key)?[^>]*?(?P<open>data-open)?\s*>')


class Page:
    """Somebody's page: its stream, and the grains of its browser."""

    def __init__(self, person: Person) -> None:
        self.person = person
        made = [secrets.token_bytes(32) for _ in range(MOST_PROMISES)]
        self._made, self._answered = {hashlib.sha256(one).hexdigest(): one.hex() for one in made}, set[str]()
        self.told: queue.Queue[tuple[str, str, str, bool]] = queue.Queue()
        """Of throws that are told of: the act's number, what proves them, this page's grain, whether they are over."""
        page = person.page()
        stream = re.search(rb'"(/t/[^"]+/live\?last=\d+)"', page)
        assert stream is not None
        self._line = socket.create_connection(("127.0.0.1", person.port))
        self._line.sendall(f"GET {stream[1].decode()} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                           f"Cookie: paravent_seat={person.token}\r\n\r\n".encode())
        threading.Thread(target=self._reads, daemon=True).start()

    def promises(self) -> None:
        """Promise them all."""
        self.person.posts("promise", promise=" ".join(self._made))

    def _reads(self) -> None:
        read = ""
        while sent := self._line.recv(1 << 20):
            read += sent.decode(errors="replace").replace("\ndata: ", "\n")
            *whole, read = read.split("\n\n")
            for message in whole:
                for found in _THROW.finditer(message):
                    self._hears(found)

    def _hears(self, found: re.Match[str]) -> None:
        """Open one's grain for a throw that waits for it, once; whoever throws sends theirs with the throw."""
        rows = dict(row.split(":")[:2] for row in found["grains"].split())
        promised = rows.get(self.person.seat, "")
        grain = self._made.get(promised, "")
        waits = bool(found["open"]) and bool(grain) and found["hash"] not in self._answered
        if waits:
            self._answered.add(found["hash"])
            if found["holder"] != self.person.seat:
                self.person.posts("grain", hash=found["hash"], grain=grain)
        self.told.put((found["number"], found["hash"], grain if waits else "", bool(found["key"])))

    def waits_for(self, over: bool) -> tuple[str, str]:
        """Until a throw is told of that waits, or that is over: the act's number, and this page's grain for it."""
        while True:
            number, _, grain, ended = self.told.get(timeout=20)
            if ended if over else grain:
                return number, grain


def measured(server: Server) -> list[tuple[float, float]]:
    """For each throw, how long until it was answered, and until its player saw it."""
    evening = Evening(server, "simulacres", GAMES["simulacres"])
    pages = {name: Page(person) for name, person in evening.people.items()}
    for name, page in pages.items():
        if name != "spectator":
            page.promises()
    roller, found = pages["player 0"], []
    for _ in range(TIMES):
        server.settles()
        began = time.perf_counter()
        roller.person.posts("say", text="/r 3d6")
        number, grain = roller.waits_for(over=False)
        roller.person.posts("throw", number=number, nonce=grain)
        answered = time.perf_counter()
        roller.waits_for(over=True)
        found.append(((answered - began) * 1e3, (time.perf_counter() - began) * 1e3))
    proofs = [proof for act in evening.gm.api("GET", "table")["moves"].values() for proof in act["proofs"]]
    parts = [len(proof.get("grains", ())) for proof in proofs]
    again = sum(proof.get("begun_again", 0) for proof in proofs)
    print(f"{len(proofs)} throws, {min(parts)} to {max(parts)} seats take part in each, {again} begun again")
    return found


def main() -> int:
    server = Server()
    try:
        found = measured(server)
    finally:
        server.stop()
    for name, figures in zip(("answered", "seen"), zip(*found, strict=True), strict=True):
        ranked = sorted(figures)
        print(f"{name:>10}: half within {ranked[len(ranked) // 2]:.0f} ms, 19 of 20 within "
              f"{ranked[len(ranked) * 19 // 20]:.0f} ms (goal {GOAL})")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
