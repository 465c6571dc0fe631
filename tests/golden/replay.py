"""A table over a log in memory, with the tokens and the clock that were recorded: what both the recorder and the test
play with. Only here does this folder touch the house; the recordings themselves are plain JSON.
"""

import asyncio
import hmac
import json
import sys
from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import httpx2 as httpx
from msgspec import Struct

from paravent.dice.errors import ParaventError
from paravent.game import System, find_system, to_plain
from paravent.store.log import Log
from paravent.store.memory import MemoryLog
from paravent.table.commands import command_from_json
from paravent.table.events import House
from paravent.table.host import Host, LinkChange
from paravent.table.seen import plainly
from paravent.table.verify import verify
from paravent.web.app import create_app
from paravent.web.security import SEAT_COOKIE

LANGUAGES = ("fr", "en")
NOON = "2031-05-01T12:00:00+00:00"


def tokens(label: str) -> Callable[[int], bytes]:
    """Bytes that look unguessable; the n-th that is asked for under a label is always the same."""
    at = [0]

    def token(n: int) -> bytes:
        at[0] += 1
        return hmac.digest(label.encode(), str(at[0]).encode(), "sha256")[:n]

    return token


def stranger(name: str, root: Path) -> System:
    """A game that is not installed: the example of a stranger's package, and the tests' own game full of secrets."""
    folder, module, attribute = {
        "fanal": ("examples/fanal/src", "fanal", "SYSTEM"), "veil": ("tests/table", "veil", "VEIL"),
    }[name]
    if str(root / folder) not in sys.path:
        sys.path.append(str(root / folder))
    found: System = getattr(__import__(module), attribute)
    return found


def game(name: str, root: Path) -> System:
    """A game by its name."""
    return stranger(name, root) if name in ("fanal", "veil") else find_system(name)


class Sitting:
    """People around one table. Whatever is done is said in plain values, and so is what everybody sees."""

    def __init__(self, root: Path, log: Log | None = None) -> None:
        self.root = root
        self.log = log or MemoryLog()
        self.host = Host(
            self.log, lambda name: game(name, root), self._token, lambda: datetime.fromisoformat(self._now))
        self.table = ""
        self._tokens, self._now = tokens(""), NOON
        self._loop = asyncio.new_event_loop()

    def close(self) -> None:
        """Everybody goes home."""
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()

    def __enter__(self) -> "Sitting":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _token(self, n: int) -> bytes:
        return self._tokens(n)

    def run(self, scene: Coroutine[Any, Any, Any]) -> Any:
        return self._loop.run_until_complete(scene)

    def at(self, label: str, now: str) -> None:
        """From here on, tokens and time are those recorded under this label."""
        self._tokens, self._now = tokens(label), now

    # Opening

    def opens(self, system: str, name: str, master: str, options: Mapping[str, str], lang: str) -> dict[str, str]:
        """A new table."""
        entry = self.run(self.host.open(system, name, master, options, lang))
        self.table = entry.table
        return {"seat": entry.seat, "token": entry.token}

    def reads(self, rows: list[str]) -> None:
        """The table of a log as it was kept, row by row, with the links that its rows tell of."""
        self.table = json.loads(rows[0])["table"]
        self.run(self.log.create(self.table))
        self.run(self.log.append(self.table, 1, rows, links=links_of(rows)))
        live = self.run(self.host.live(self.table))
        live.state = replace(live.state, house=House("meneur", "at-will"))  # as every table played then

    def rows(self) -> list[str]:
        """What the log keeps."""
        return [text for _, text in self.run(self.log.read(self.table))]

    # Playing

    def plays(self, played: Mapping[str, Any]) -> dict[str, Any]:
        """Do what was recorded: what is answered, or the code of the refusal."""
        self.at(played["label"], played["now"])
        if played.get("tick"):
            self.run(self.host.tick())
            return {}
        try:
            reply: dict[str, Any] = self.run(self.host.do(
                self.table, command_from_json(played["command"], played["seat"])))
        except ParaventError as refusal:
            return {"refused": refusal.code}
        return reply

    # Looking

    def view(self, seat: str) -> dict[str, Any]:
        return plain(self.run(self.host.view(self.table, seat)))

    def form(self, seat: str, number: int) -> Any:
        return plain(self._or_refused(self.host.form(self.table, seat, number)))

    def odds(self, seat: str, number: int) -> Any:
        return plain(self._or_refused(self.host.odds(self.table, seat, number)))

    def exported(self, seat: str) -> list[str]:
        """The seat's own export: a line at its head, then all that the seat was ever told, event by event."""
        return list(self.run(self.host.export(self.table, seat)))

    def master_export(self, seat: str) -> Any:
        """The export for a game master, or the code of the refusal."""
        return self._or_refused(self.host.export(self.table, seat, whole=True))

    def keeper_export(self) -> list[str]:
        """The export for whoever keeps the log."""
        return list(self.run(self.host.export_whole(self.table)))

    def text(self, seat: str, token: str, lang: str) -> str | None:
        """The account of the evening as plain text, as the seat downloads it; nothing where the page fails."""
        text: str | None = self.run(self._text(seat, token, lang))
        return text

    async def _text(self, seat: str, token: str, lang: str) -> str | None:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(self._app), base_url="http://localhost",
                                     cookies={SEAT_COOKIE: token}) as client:
            answer = await client.get(f"/t/{self.table}/{seat}/text", params={"lang": lang})
        assert answer.status_code in (200, 500), answer.text
        return answer.text if answer.status_code == 200 else None

    @cached_property
    def _app(self) -> Any:
        app = create_app(self.log)
        app.state.host = self.host
        return app

    def _or_refused(self, asked: Coroutine[Any, Any, Any]) -> Any:
        try:
            return self.run(asked)
        except ParaventError as refusal:
            return {"refused": refusal.code}

    def imports(self, lines: Iterable[str], label: str) -> dict[str, Any]:
        """The table of an export, opened elsewhere: how every seat sees it, and what its own export proves."""
        with Sitting(self.root) as elsewhere:
            elsewhere.at(label, NOON)
            try:
                entry = elsewhere.run(elsewhere.host.bring(list(lines)))
            except ParaventError as refusal:
                return {"refused": refusal.code}
            elsewhere.table = entry.table
            views = {seat: elsewhere.view(seat) for seat in elsewhere.view(entry.seat)["seats"]}
            return {"views": views, "verdict": verdict(elsewhere.keeper_export())}


def links_of(rows: Iterable[str]) -> list[LinkChange]:
    """The links that a log of the first format tells of, as they stood beside it."""
    held: dict[str, str] = {}
    links: list[LinkChange] = []
    for row in map(json.loads, rows):
        if row["type"] not in ("seat-added", "link-renewed"):
            continue
        old = held.get(row["seat"], "")
        links += [LinkChange(old, row["seat"], True)] if old else []
        links += [LinkChange(row["link"], row["seat"], False)] if row["link"] else []
        held[row["seat"]] = row["link"]
    return links


def verdict(lines: Iterable[str]) -> Any:
    """What an export proves, in plain values; or the code of the refusal."""
    try:
        return plain(to_plain(verify(list(lines))))
    except ParaventError as refusal:
        return {"refused": refusal.code}


def plain(value: Any) -> Any:
    """As it is once it was sent and read."""
    sent = json.loads(json.dumps(plainly(value) if isinstance(value, Struct) else value, ensure_ascii=False,
                                 default=to_plain))
    return as_then(sent)


OF_A_CHANGE = frozenset({"waits", "weight", "at"})
OF_A_FIELD = frozenset({"place", "shape"})
"""What a later version says besides, of a change and of a field that is asked; and how the table plays."""


def as_then(sent: Any) -> Any:
    """The same, without what that version did not say."""
    if isinstance(sent, list):
        return list(map(as_then, sent))
    if not isinstance(sent, dict):
        return sent
    since = OF_A_CHANGE if {"target", "path"} <= set(sent) else OF_A_FIELD if {"actor", "field"} <= set(sent) else ()
    house = sent.get("house")
    played = isinstance(house, dict) and set(house) == {"trust", "judging"}
    return {name: as_then(part) for name, part in sent.items()
            if name not in since and not (name == "house" and played)}


# What later versions show otherwise, on purpose; README.md says why


def differs(now: Any, then: Any, path: tuple[str, ...] = ()) -> list[str]:
    """Where what is seen now is not what was seen then, nor less of it where somebody hidden is concerned."""
    if is_less(now, then, path):
        return []
    if isinstance(now, dict) and isinstance(then, dict):
        return [place for name in sorted({*now, *then}) for place in _part(now, then, name, path)]
    if isinstance(now, list) and isinstance(then, list) and len(now) == len(then):
        return [place for at, (a, b) in enumerate(zip(now, then, strict=True))
                for place in differs(a, b, (*path, str(at)))]
    return [] if now == then else [f"{'/'.join(path)}: {now!r:.120} was {then!r:.120}"]


def _part(now: dict[str, Any], then: dict[str, Any], name: str, path: tuple[str, ...]) -> list[str]:
    here = (*path, name)
    if name in SAID_ANEW and "throws" in path[-4:]:
        return []
    if name not in then:
        return [] if "sheet" in path or _is_noise(here) else [f"{'/'.join(here)} is new: {now[name]!r:.120}"]
    if name not in now:
        return [] if name == "key" or is_less(None, then[name], here) else [f"{'/'.join(here)} is gone"]
    return differs(now[name], then[name], here)


SAID_ANEW = frozenset({"told", "why", "result", "success"})
"""Sentences and explanations are built for their reader, by today's words; figures of several go to the game master;
whether a throw succeeded is said beside its figures."""


HIDDEN_SINCE = frozenset({
    "faces", "edited", "seed", "sector", "remarks", "role", "tags", "square", "schedule", "fidelity", "tested_day",
    "escape_planned", "behaviour",
})
"""What the sheet of a world, of somebody met or of a beast no longer tells players to whom it is shown."""


def is_less(now: Any, then: Any, path: tuple[str, ...]) -> bool:
    """Whether it is what was seen then, less what might tell of somebody hidden or of a choice not yet thrown."""
    if now == {"sealed": True} or "log" in path or path[-1:] == ("last",):
        return True
    if path == ("move", "waits_for"):  # an export tells of every moment as today's table would have waited
        return True
    if now is None and path[-2:-1] == ("sheet",) and path[-1] in HIDDEN_SINCE:
        return True
    if path[-1:] == ("dice",) and "throws" in path and isinstance(then, list):
        faces = [hand["faces"] for hand in then]
        return all(hand["faces"] in faces for hand in now or ())
    # A world that had no name was given one; what a later sheet has besides, it has.
    return "records" in path and path[-1:] == ("name",) and ("worlds" in path or "people" in path or now != then)


def _is_noise(path: tuple[str, ...]) -> bool:
    if path[-1:] == ("nonce",):  # that a throw had no dice may be a secret: its grain is told like any other's
        return True
    # What a later version also asks; and real dice that nobody was awaited for are the game master's to throw.
    if "fields" in path or path == ("move", "dice"):
        return True
    return path[-3:-2] == ("encounters",) and path[-1] == "told"  # how it stands, where nothing was said of that
