"""How much the first page of a table weighs when much is going on: fifty of the game master's people, thirty acts.

What it leaves out comes when it is unfolded; and what several see alike is drawn once, but for what is each one's own.
"""

import asyncio
import re
from collections import Counter
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from paravent.dice import ParaventError
from paravent.game import Move, system_at, system_names, to_plain
from paravent.game.records import GM
from paravent.store import open_log
from paravent.table import commands as c
from paravent.table.host import Host
from paravent.web.app import create_app
from paravent.web.regions import WHOLE
from paravent.web.security import SEAT_COOKIE

ROOT = Path(__file__).parents[2]
PEOPLE, ACTS, PLAYERS = 50, 30, 4
MOST = 200_000
"""Bytes of HTML, as they are before anything squeezes them."""


class Table:
    """A crowded table of one game, in process."""

    def __init__(self, game: str) -> None:
        system = system_at("fanal:SYSTEM" if game == "fanal" else game)
        self.system, self.names = system, iter(range(10**6))
        self.app = create_app(open_log("memory:"), lambda name: system)
        self.host: Host = self.app.state.host
        self.tokens: dict[str, str] = {}

    async def does(self, command: c.Command) -> dict[str, Any]:
        return await self.host.do(self.table, command)

    async def fills(self, people: int = PEOPLE) -> None:
        """Sit everybody down, and bring everybody in."""
        opened = await self.host.open(self.system.id, "Vendredi", "Ana")
        self.table, self.gm, self.tokens[opened.seat] = opened.table, opened.seat, opened.token
        self.heroes: dict[str, str] = {}
        for at in range(PLAYERS):
            made = await self.does(c.AddSeat(name=f"Joueuse {at}", seat=self.gm, id=f"seat {at}"))
            self.tokens |= made["links"]
            self.heroes[made["seat"]] = await self._brings("character", made["seat"])
        played = [kind for kind in self.system.kinds if kind in self.system.played and self._sheets(kind)]
        self.people = [await self._brings(kind, "") for _, kind in zip(range(people), cycle(played), strict=False)]

    def _sheets(self, kind: str) -> list[Any]:
        return list(self.system.kinds[kind].ready("fr").values())

    async def _brings(self, kind: str, owner: str) -> str:
        at = next(self.names)
        sheets = self._sheets(kind)
        sheet = {**to_plain(sheets[at % len(sheets)]), "name": f"Quelqu’un de la nuit {at}"}
        made = await self.does(c.AddRecord(kind=kind, sheet=sheet, owner=owner, seen_by=("all",), seat=self.gm,
                                           id=f"record {at}"))
        return str(made["record"])

    async def begins(self) -> None:
        """Acts of every kind that two people can begin, until so many are open."""
        moves = [move for move in self.system.moves.values() if not move.encounter and not move.makes]
        refused: Counter[str] = Counter()
        for at, move in enumerate(cycle(moves)):
            if len(await self.open()) >= ACTS or refused.total() > 4 * len(moves):
                return
            hero = list(self.heroes.values())[at % PLAYERS]
            try:
                cast = self._cast(move, hero, at)
                await self.does(c.StartMove(move=move.id, cast=cast, seat=self.gm, id=f"act {at}"))
            except ParaventError:
                refused[move.id] += 1

    def _cast(self, move: Move, hero: str, at: int) -> dict[str, list[str]]:
        roles = [role.id for role in move.cast if role.id != GM and role.least]
        who = [hero, *(self.people[(at + more) % PEOPLE] for more in range(len(roles)))]
        return {role: [one] for role, one in zip(roles, who, strict=False)}

    async def open(self) -> list[int]:
        live = await self.host.live(self.table)
        return [act.id for act in live.state.open_moves()]

    async def page(self, seat: str, more: str = "") -> str:
        """The page of the table, as a browser is first sent it; or another of the seat's."""
        sent: list[Any] = []

        async def receive() -> Any:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        path, _, query = f"/t/{self.table}/{seat}/{more}".partition("?")
        await self.app({
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "scheme": "http",
            "path": path, "raw_path": path.encode(), "query_string": query.encode(), "root_path": "",
            "headers": [(b"host", b"localhost"), (b"cookie", f"{SEAT_COOKIE}={self.tokens[seat]}".encode())],
            "client": ("127.0.0.1", 1), "server": ("localhost", 80),
        }, receive, send)
        assert sent[0]["status"] == 200
        return b"".join(message.get("body", b"") for message in sent[1:]).decode()


def heaviest(html: str) -> str:
    """What a page is made of, by what its parts are called, the heaviest first."""
    starts = [(found.start(), found[1]) for found in re.finditer(r'<[a-z]+[^>]*\bid="([a-z]+)[^"]*"', html)]
    weights: Counter[str] = Counter()
    for (at, name), (end, _) in zip(starts, [*starts[1:], (len(html), "")], strict=True):
        weights[name] += end - at
    return ", ".join(f"{name} {weight}" for name, weight in weights.most_common(12))


@pytest.fixture(params=[*system_names(), "fanal"])
def table(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.syspath_prepend(str(ROOT / "examples/fanal/src"))
    return Table(request.param)


def test_the_first_page_of_a_crowded_table_is_light_and_the_rest_comes_when_it_is_unfolded(table: Table) -> None:
    async def seen() -> dict[str, str]:
        async with table.app.router.lifespan_context(table.app):
            await table.fills()
            await table.begins()
            assert len(await table.open()) >= ACTS
            pages = {name: await table.page(seat) for name, seat in (("gm", table.gm), ("player", min(table.heroes)))}
            further = re.findall(r'hx-get="[^"]*/(act/\d+\?whole=1)"', pages["gm"])
            assert len(further) == ACTS - WHOLE
            for where in further:
                assert 'class="outlook"' in await table.page(table.gm, where)
            return pages

    weights = {name: f"{len(html.encode())} bytes: {heaviest(html)}" for name, html in asyncio.run(seen()).items()}
    assert all(int(weight.partition(" ")[0]) < MOST for weight in weights.values()), weights


@pytest.mark.parametrize("table", ["solaires"], indirect=True)
def test_nobody_is_offered_to_step_in_as_somebody_else(table: Table) -> None:
    async def offered() -> dict[str, set[str]]:
        async with table.app.router.lifespan_context(table.app):
            await table.fills(2)
            acts = next(iter(table.heroes.values()))
            await table.does(c.StartMove(move="action", cast={"initiator": [acts]}, seat=table.gm, id="act"))
            pages = {seat: await table.page(seat) + await table.page(seat, "act/1") for seat in table.heroes}
            return {seat: {*re.findall(r'name="who" value="(\w+)"', html),
                           *re.findall(r'<option value="(\w{10})"', html)} for seat, html in pages.items()}

    found = asyncio.run(offered())
    first, *others = table.heroes
    assert found[first] >= {table.heroes[seat] for seat in others}  # whoever acts may ask anybody
    assert {seat: found[seat] for seat in others} == {seat: {table.heroes[seat]} for seat in others}
