"""One table served by two programs at once, in a file and in PostgreSQL."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from paravent.dice.errors import ParaventError
from paravent.store import Log, open_log
from paravent.table import commands as c
from paravent.table.host import Host

sys.path.append(str(Path(__file__).parents[1] / "table"))

from veil import VEIL


class Served:
    """Ana's table, at which Bob and Cy play; two programs serve it."""

    def __init__(self, one: Log, two: Log) -> None:
        self.one, self.two = (Host(log, systems=lambda name: VEIL) for log in (one, two))

    async def begins(self) -> "Served":
        entry = await self.one.open("veil", "Vendredi", "Ana")
        self.table, self.ana = entry.table, entry.seat
        self.bob, self.cy, self.dee = [
            (await self.do(self.one, c.AddSeat, self.ana, name=name))["seat"] for name in ("Bob", "Cy", "Dee")
        ]
        self.elya = (await self.do(self.one, c.AddRecord, self.bob, sheet={"name": "Elya"}))["record"]
        self.following = [asyncio.create_task(host.follow_log()) for host in (self.one, self.two)]
        await self.two.live(self.table)
        return self

    async def ends(self) -> None:
        for task in self.following:
            task.cancel()
        await asyncio.gather(*self.following, return_exceptions=True)

    async def do(self, host: Host, asked: type[c.Command], seat: str, **values: Any) -> dict[str, Any]:
        return await host.do(self.table, asked(seat=seat, **values))

    async def pleads(self) -> None:
        """Bob pleads; the others may veto it unseen. Both programs have heard of it."""
        await self.do(self.one, c.StartMove, self.bob, move="plea", cast={"initiator": [self.elya]})
        await self.do(self.one, c.ThrowDice, self.bob, number=1, grain="n")
        await self.two.catch_up(self.table)

    async def outcome(self, host: Host) -> str:
        await host.catch_up(self.table)
        return str((await host.view(self.table, self.bob)).moves[1].throws[0].outcome or "")


def served(lasting: Any, story: Callable[[Served], Awaitable[None]]) -> None:
    async def scene(one: Log) -> None:
        two = open_log(lasting.address)
        try:
            table = await Served(one, two).begins()
            try:
                await story(table)
            finally:
                await table.ends()
        finally:
            await two.close()

    lasting.play(scene)


def test_those_who_let_pass_are_counted_together_whoever_they_ask(lasting) -> None:
    async def story(table: Served) -> None:
        await table.pleads()
        await table.do(table.one, c.Answer, table.ana, number=1, answer=False)
        for _ in range(2):
            await table.do(table.two, c.Answer, table.cy, number=1, answer=False)
            await table.do(table.one, c.Answer, table.cy, number=1, answer=False)
        assert await table.outcome(table.one) == await table.outcome(table.two) == ""
        await table.do(table.two, c.Answer, table.dee, number=1, answer=False)
        assert await table.outcome(table.one) == await table.outcome(table.two) == "heard"
        written = "".join(text for _, text in (await table.one.log.read(table.table))[-4:])
        last = json.loads((await table.one.log.read(table.table))[-1][1])
        assert last["by"] == ""
        assert not any(seat in json.dumps(last["then"]) for seat in (table.ana, table.cy, table.dee))
        assert "polls" not in written or '"polls":{}' in written

    served(lasting, story)


def test_those_who_let_pass_at_the_same_moment_are_not_left_waiting(lasting) -> None:
    async def story(table: Served) -> None:
        await table.pleads()
        asked = [(table.one, table.ana), (table.two, table.cy), (table.two, table.dee), (table.one, table.cy)]
        replies = await asyncio.gather(*(
            table.do(host, c.Answer, seat, number=1, answer=False, id=f"{at}") for at, (host, seat) in enumerate(asked)
        ), return_exceptions=True)
        assert all(reply == {"links": {}} or isinstance(reply, ParaventError) for reply in replies)
        assert await table.outcome(table.one) == await table.outcome(table.two) == "heard"

    served(lasting, story)


def test_a_veto_asked_of_the_other_program_holds(lasting) -> None:
    async def story(table: Served) -> None:
        await table.pleads()
        await table.do(table.one, c.Answer, table.ana, number=1, answer=False)
        await table.do(table.two, c.Answer, table.dee, number=1, answer=True)
        assert await table.outcome(table.one) == "vetoed"
        with pytest.raises(ParaventError, match=r"already-thrown|not-now|not-yours"):
            await table.do(table.one, c.Answer, table.cy, number=1, answer=False)

    served(lasting, story)


def test_what_one_program_writes_the_other_tells(lasting) -> None:
    async def story(table: Served) -> None:
        live, heard = await table.two.live(table.table), asyncio.Event()
        last = (await table.two.view(table.table, table.cy)).last
        live.listeners.add(heard.set)
        await table.do(table.one, c.Say, table.bob, text="ici")
        await asyncio.wait_for(heard.wait(), 30)
        seen = await table.two.view(table.table, table.cy)
        assert (seen.last, seen.log[-1].text) == (last + 1, "ici")

    served(lasting, story)
