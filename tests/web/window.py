"""Twins seen through the web: the real application over each of two tables, asked the same things by the same people.

Nothing is left out between a request and its bytes: routes, middleware, templates, streams. Only what is random by
design is made equal beforehand: ids that a form carries, and the names of lines, which are drawn from a secret.
"""

import asyncio
from collections import deque
from collections.abc import Iterator
from random import Random
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

import pytest
from fastapi import FastAPI
from twins import Evening, Side, same

from paravent.store.log import LinkRow
from paravent.table.account import Account
from paravent.table.deciding import link_hash
from paravent.table.live import Live
from paravent.web import drawn, streams, visit
from paravent.web.app import create_app
from paravent.web.security import SEAT_COOKIE, form_proof

COUNTED = ("content-length",)


def made_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is random by design, and what depends on the hour, is the same everywhere."""
    monkeypatch.setattr(drawn, "secrets", SimpleNamespace(token_hex=lambda n: "f" * 2 * n))
    monkeypatch.setattr(Account, "mark", lambda self, item: "mark")
    monkeypatch.setattr(streams, "PATIENCE", 10**6)
    monkeypatch.setattr(visit, "TOGETHER", 0)  # or one table's timer may be over at a look, and the other's not yet


class Shelf:
    """The log of one table, as the application reads it; nothing is written to it."""

    def __init__(self, side: Side) -> None:
        self.side = side

    async def create(self, table: str) -> None: ...

    async def append(self, table: str, first: int, events: Any, **more: Any) -> None: ...

    async def read(self, table: str, after: int = 0, limit: int | None = None) -> list[tuple[int, str]]:
        return list(enumerate(self.side.rows, start=1))[after:]

    async def snapshot(self, table: str) -> None: ...

    async def save_snapshot(self, table: str, number: int, text: str) -> None: ...

    async def reply(self, table: str, command: str) -> None: ...

    async def link(self, token_hash: str) -> LinkRow | None:
        state = self.side.state
        return next((LinkRow(state.table, seat, False) for seat, place in state.seats.items()
                     if place.link == token_hash), None)

    async def hold(self, name: str) -> None: ...

    async def held(self, names: Any) -> frozenset[str]:
        return frozenset()

    async def let_go(self, names: Any) -> None: ...

    async def close(self) -> None: ...


class Reader:
    """A page that stays open: what its stream wrote."""

    def __init__(self, app: FastAPI, loop: asyncio.AbstractEventLoop, path: str, cookie: str) -> None:
        self.written: list[str] = []

        async def send(message: Any) -> None:
            self.written.append(message.get("body", b"").decode())

        self.task = loop.create_task(app(_scope("GET", path, cookie), _silence(), send))
        loop.run_until_complete(_a_moment())


def _silence() -> Any:
    async def receive() -> Any:
        await asyncio.Event().wait()

    return receive


async def _a_moment() -> None:
    for _ in range(30):
        await asyncio.sleep(0)


def _scope(method: str, path: str, cookie: str, **headers: str) -> dict[str, Any]:
    path, _, query = path.partition("?")
    sent = {"host": "paravent.test", "cookie": cookie, **headers}
    return {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "path": path,
        "raw_path": path.encode(), "query_string": query.encode(), "scheme": "http", "root_path": "",
        "headers": [(name.lower().encode(), value.encode()) for name, value in sent.items()],
        "client": ("192.0.2.7", 4000), "server": ("paravent.test", 80), "state": {},
    }


class Window:
    """What the watchers of an evening receive over the web, compared."""

    def __init__(self, twins: Evening, often: float = 1.0) -> None:
        self.twins, self.often = twins, often
        self.watchers = twins.watchers if often >= 1 else (twins.luck.choice(twins.watchers),)
        """Whose pages are open: one of those who may not know, unless everything is asked for each time."""
        self.loop = asyncio.new_event_loop()
        self.apps = [create_app(Shelf(side)) for side in twins.sides]
        self.readers: list[dict[str, Reader]] = []
        self.asked = 0
        for side, app in zip(twins.sides, self.apps, strict=True):
            app.state.key = "key"
            app.state.host._tables[side.state.table] = side.live
            self.readers.append({
                name: Reader(app, self.loop, f"{self._base(side, name)}/live?last=", self._cookie(side, name))
                for name in self.watchers
            })
        twins.looking.append(self.look)

    @staticmethod
    def _base(side: Side, name: str) -> str:
        return f"/t/{side.state.table}/{side.seats[name]}"

    @staticmethod
    def _cookie(side: Side, name: str) -> str:
        return f"{SEAT_COOKIE}={side.links[side.seats[name]]}"

    def close(self) -> None:
        for reader in (reader for of in self.readers for reader in of.values()):
            reader.task.cancel()
        self.loop.run_until_complete(_a_moment())
        self.loop.run_until_complete(self.loop.shutdown_default_executor())
        self.loop.close()

    def ask(
        self, at: int, name: str, method: str, path: str, form: dict[str, Any] | None = None, **headers: str
    ) -> list[Any]:
        """One answer, whole: status, headers, body. What it would change is not kept."""
        side, app = self.twins.sides[at], self.apps[at]
        body = urlencode(form or {}, doseq=True).encode()
        if form is not None:
            headers = {"content-type": "application/x-www-form-urlencoded", **headers}
        if path.startswith("/api"):
            headers["authorization"] = f"Bearer {side.links[side.seats[name]]}"
        if method == "POST":
            side_live = Live(side.system, side.state, recent=deque(side.live.recent))
            app.state.host._tables[side.state.table] = side_live
        answer: dict[str, Any] = {"body": b""}
        sent = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def receive() -> Any:
            message = next(sent, None)
            return message if message is not None else await asyncio.Event().wait()

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                answer["status"] = message["status"]
                answer["headers"] = sorted((n, v) for n, v in message["headers"] if n.decode() not in COUNTED)
            else:
                answer["body"] += message.get("body", b"")

        cookie = self._cookie(side, name) + headers.pop("lang", "")
        self.loop.run_until_complete(app(_scope(method, path, cookie, **headers), receive, send))
        app.state.host._tables[side.state.table] = side.live
        self.asked += 1
        assert answer["status"] < 500, (method, path, form, answer["body"][:300])
        return [answer["status"], *map(str, answer["headers"]), answer["body"].decode(errors="backslashreplace")]

    def look(self, twins: Evening, where: str) -> None:
        """Compare the streams, and some of all that a watcher may open."""
        for name in self.watchers:
            same((where, "the line of", name), *(of[name].written for of in self.readers))
            luck = Random(f"{twins.acts} {name}")
            if luck.random() > self.often:
                continue
            for method, path, form, headers in self.requests(name, luck):
                answers = [self.ask(at, name, method, path, form, **headers) for at in (0, 1)]
                same((where, name, method, path, form), *answers)

    @staticmethod
    def _not_theirs(side: Side, seat: str, number: int) -> int:
        """An act's number, unless the throw is this seat's to make: what it then tells, the game may have declared."""
        state = side.state
        at = next((at for at, own in state.known_moves(seat).items() if own == number), 0)
        act = state.moves.get(at)
        theirs = act is not None and (act.starter == seat or any(
            part.role == act.by and seat in state.eyes.controllers(part.id) for part in act.cast))
        return 999 if theirs else number

    def requests(self, name: str, luck: Random) -> Iterator[tuple[str, str, dict[str, Any] | None, dict[str, str]]]:
        """Something of everything that the web answers, the same at both tables."""
        twins = self.twins
        side = twins.one
        base, seat, state = self._base(side, name), side.seats[name], side.state
        english = {"lang": "; paravent_lang=en"} if luck.random() < 0.4 else {}
        proof = form_proof(side.links[seat])
        known = state.known_moves(seat)
        number = luck.choice([*list(known.values())[-3:], 999])
        guess = luck.choice([*twins.records, *(h for one in twins.sides for h in one.hidden[-1:]), "nobody"])
        move = luck.choice(sorted(twins.whole.moves))
        # Whoever takes somebody over who is nobody's may see what only they may.
        taken = "nobody" if guess in twins.records and not state.records[guess].owner else guess
        yield "GET", f"{base}/", None, english
        pages = [
            f"{base}/log", f"{base}/log?kind=rolls&q=a", f"{base}/text", f"{base}/export",
            f"{base}/sheet/{guess}", f"{base}/record/{guess}", f"{base}/start/{move}", f"{base}/screen", f"{base}/new",
            f"{base}/options", f"{base}/links", f"{base}/write/{luck.choice(sorted(twins.system.kinds))}",
            f"{base}/nowhere", f"/t/{state.table}/{side.seats['Ana']}/", f"{base}/verify", f"{base}/evening.html",
            f"{base}/evening.zip", f"{base}/shelf", f"{base}/campaign", f"{base}/prepare", f"{base}/invite",
            f"{base}/start", f"{base}/log?q={luck.choice(('e', 'Secret', 'personne', '7'))}", f"{base}/log?who={guess}",
            f"{base}/log?number=2", f"{base}/act/{number}", f"{base}/ahead/{number}", f"{base}/leaf/{guess}",
            f"{base}/picture/{guess}", f"{base}/start?q=a", f"/l/{state.table}/mark",
            "/api/table", f"/api/table/moves/{number}/form", f"/api/table/moves/{number}/odds",
            f"/api/table/moves/{number}/odds?lang=en&policy=best", "/api/table/export", "/api/table/export?whole=1",
            "/api/table/verification", f"/api/table/records/{guess}",
        ]
        for path in luck.sample(pages, 4):
            yield "GET", path, None, english
        yield "GET", f"{base}/sheet/{guess}", None, {"hx-request": "true", **english}
        last = luck.choice(("0", str(state.counts_of(seat).events - 2), str(state.counts_of(seat).events + 50)))
        yield "GET", "/api/table/events?wait=false", None, {"last-event-id": last}
        for at, own in list(known.items())[-2:]:
            rows = twins.rows(side, name, own)
            tried = luck.sample(rows, min(3, len(rows)))
            filled = {f"f:{row['actor']}:{row['field']}": _as_typed(twins.value(state.moves[at].move, row, luck))
                      for row in tried}
            yield "POST", f"{base}/odds/{own}", {"proof": proof, **filled}, {"hx-request": "true", **english}
        asked: list[tuple[str, dict[str, Any]]] = [
            ("edit", {"record": guess, "path": "name", "value": "?"}), ("take", {"record": taken}),
            ("throw", {"number": self._not_theirs(side, seat, number), "nonce": "n"}),
            ("answer", {"number": number, "answer": "true"}),
            ("fill", {"number": number, "f:gm:difficulty": "3"}), ("accept", {"number": number, "all": "0"}),
            ("start", {"move": move, "cast:initiator": guess}), ("join", {"number": number, "role": "opponent",
                                                                        "who": guess}),
            ("turn-over", {"number": number, "step": "throw"}), ("withdraw", {"number": number}),
            ("say", {"text": "/w Nobody psst"}), ("undo", {"number": number}), ("nothing", {}),
        ]
        action, form = luck.choice(asked)
        part = {"hx-request": "true"} if luck.random() < 0.5 else {}
        yield "POST", f"{base}/do/{action}", {"proof": proof, **form}, {**part, **english}
        mine = [record for record in twins.records if state.records[record].owner == seat]
        for record in mine[:1]:
            kind = twins.records[record]
            fields = {f"v:{path}": value for path, value in state.records[record].sheet.items()
                      if isinstance(value, (int, str)) and not isinstance(value, bool)}
            changed = {path: luck.choice((value, "99")) for path, value in fields.items()}
            yield "POST", f"{base}/check", {"proof": proof, "record": record, "kind": kind, **changed}, english


def _as_typed(value: Any) -> Any:
    return "yes" if value is True else "no" if value is False else "" if value is None else value


__all__ = ["Window", "link_hash", "made_equal"]
