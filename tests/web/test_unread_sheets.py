"""A sheet that the game does not read, hand-edited or from a later version: pages draw it as such, and none fails."""

import asyncio
import dataclasses
import re
from html import unescape
from typing import Any

import httpx2 as httpx
import pytest
from msgspec.structs import replace

from paravent.game import ParaventError, UnknownName, find_system, to_plain
from paravent.store.memory import MemoryLog
from paravent.table import commands as c
from paravent.table import events as e
from paravent.table.host import Host
from paravent.web.app import create_app
from paravent.web.security import SEAT_COOKIE

from .conftest import say

GAMES = ("conteur", "simulacres", "solaires", "empire")
SECRET = "ce que nul ne sait"


class Evening:
    """A game master's table with two characters; one of the sheets is spoilt, behind everybody's back."""

    def __init__(self, game: str) -> None:
        self.game = find_system(game)
        self.log = MemoryLog()
        self.app = create_app(self.log)
        self.host: Host = self.app.state.host

    async def begins(self) -> "Evening":
        entry = await self.host.open(self.game.id, "Vendredi", "Ana")
        self.table, self.ana = entry.table, entry.seat
        self.tokens = {self.ana: entry.token}
        for name, rank in (("Bob", "player"), ("Zoé", "spectator")):
            joined = await self.host.do(self.table, c.AddSeat(seat=self.ana, name=name, rank=rank))
            self.tokens |= joined["links"]
        _, self.bob, self.zoe = self.tokens
        ready = list(self.game.kind("character").ready("fr"))[:2]
        self.hers, self.his = [
            (await self.host.do(self.table, c.AddRecord(seat=self.ana, ready=name, owner=owner)))["record"]
            for name, owner in zip(ready, (self.ana, self.bob), strict=True)
        ]
        return self

    async def spoils(self, **how: Any) -> None:
        live = await self.host.live(self.table)
        held = live.state.records[self.his]
        spoilt = replace(held, **how)
        events = [e.RecordRemoved(record=self.his, kept=held), e.RecordAdded(
            record=self.his, kind=spoilt.kind, name=spoilt.name, sheet=spoilt.sheet, owner=spoilt.owner,
            version=spoilt.version)]
        await self.log.append(self.table, live.state.events + 1, [e.written(event) for event in events])
        self.host.begin()

    async def looks(self, seat: str, address: str) -> tuple[int, str]:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(self.app), base_url="http://localhost",
                                     cookies={SEAT_COOKIE: self.tokens[seat]}, follow_redirects=True) as client:
            answer = await client.get(f"/t/{self.table}/{seat}/{address}")
        return answer.status_code, answer.text


def spoilt(game: str, what: str) -> dict[str, Any]:
    sheet = to_plain(next(iter(find_system(game).kind("character").ready("fr").values())))
    number = next(name for name, value in sheet.items() if type(value) is int)
    match what:
        case "a field is missing and another is unknown":
            return {"sheet": {**{name: value for name, value in sheet.items() if name != number}, "arcane": SECRET}}
        case "a value is of another type":
            return {"sheet": {**sheet, number: SECRET}}
        case "nothing is as it was":
            return {"sheet": {"name": "Personne", "arcane": {"deep": [SECRET]}}}
        case "it is from a later version":
            return {"sheet": {**sheet, "arcane": SECRET}, "version": 99}
        case _:
            return {"kind": "gone", "sheet": {"arcane": SECRET}}


HOW = ("a field is missing and another is unknown", "a value is of another type", "nothing is as it was",
       "it is from a later version", "its kind is no more")


@pytest.mark.parametrize("what", HOW)
@pytest.mark.parametrize("game", GAMES)
def test_no_page_fails_over_a_sheet_that_cannot_be_read(game: str, what: str) -> None:
    async def story() -> None:
        evening = await Evening(game).begins()
        await evening.spoils(**spoilt(game, what))
        theirs = (f"sheet/{evening.his}", f"sheet/{evening.hers}", f"record/{evening.his}", "log", "text", "export")
        pages = {evening.ana: ("", "links", "new", *theirs), evening.bob: ("", "new", *theirs),
                 evening.zoe: ("", "screen", *theirs)}
        for seat, addresses in pages.items():
            for address in addresses:
                status, page = await evening.looks(seat, address)
                assert status == 200, (address, re.sub(r"<[^>]*>|\s+", " ", page)[-300:])
        _, page = await evening.looks(evening.ana, f"sheet/{evening.his}")
        unread = (await evening.host.view(evening.table, evening.ana)).records[evening.his].unread
        assert ('class="faults"' in page) == bool(unread)
        assert unread or what not in SURELY
        assert SECRET in page

    asyncio.run(story())


SURELY = ("a value is of another type", "it is from a later version", "its kind is no more")
"""The others are read where a game needs no field: what it does not know is then aside."""


@pytest.mark.parametrize("what", ["it is from a later version", "its kind is no more"])
def test_what_is_not_known_of_a_sheet_may_be_secret_and_is_told_to_the_game_master_alone(what: str) -> None:
    async def story() -> None:
        evening = await Evening("conteur").begins()
        await evening.spoils(**spoilt("conteur", what))
        for address in ("", f"sheet/{evening.his}", f"record/{evening.his}", "export"):
            assert SECRET not in (await evening.looks(evening.bob, address))[1]
        assert say("errors.record/unread.title") in (await evening.looks(evening.bob, f"sheet/{evening.his}"))[1]

    asyncio.run(story())


def test_the_others_go_on_playing_beside_it() -> None:
    async def story() -> None:
        evening = await Evening("conteur").begins()
        await evening.spoils(**spoilt("conteur", "nothing is as it was"))
        started = await evening.host.do(evening.table, c.StartMove(
            seat=evening.ana, move="throw", cast={"initiator": [evening.hers]}))
        assert started["number"] == 1
        await evening.host.do(evening.table, c.StartMove(seat=evening.ana, move="pass-time", form={
            "gm": {"time_span": "night"}}))
        assert (await evening.looks(evening.bob, ""))[0] == 200

    asyncio.run(story())


def test_a_table_whose_game_is_not_installed_opens_reads_and_exports() -> None:
    def gone(name: str) -> Any:
        raise UnknownName("system", name, ())

    async def story() -> None:
        evening = await Evening("conteur").begins()
        await evening.host.do(evening.table, c.Say(seat=evening.bob, text="Nous voilà."))
        await evening.host.do(evening.table, c.StartMove(
            seat=evening.bob, move="throw", cast={"initiator": [evening.his]}))
        whole = await evening.host.export_whole(evening.table)
        evening.app.state.host = evening.host = Host(evening.log, systems=gone)
        for seat in evening.tokens:
            for address in ("", f"sheet/{evening.his}", "log", "text", "export"):
                assert (await evening.looks(seat, address))[0] == 200
        assert "Nous voilà." in (await evening.looks(evening.zoe, "log"))[1]
        seen = await evening.host.view(evening.table, evening.bob)
        assert (seen.records[evening.his].sheet, seen.records[evening.his].unread) == ({}, True)
        assert await evening.host.export_whole(evening.table) == whole
        with pytest.raises(ParaventError, match="form/unknown"):
            await evening.host.do(evening.table, c.StartMove(seat=evening.bob, move="throw"))
        page = unescape((await evening.looks(evening.ana, ""))[1])
        assert say("web.game_missing") in page  # its rule did not change, and nothing begins it again
        assert "/do/restart" not in page
        with pytest.raises(ParaventError, match="table/game-missing"):
            await evening.host.do(evening.table, c.ThrowDice(seat=evening.bob, number=1))
        with pytest.raises(UnknownName):
            await evening.host.open("conteur", "Samedi", "Ana")

    asyncio.run(story())


def test_an_act_that_its_game_no_longer_plays_is_the_game_masters_to_give_up() -> None:
    """Whoever it waited for is asked nothing, and the game master finds the way out in view."""

    async def story() -> None:
        evening = await Evening("conteur").begins()
        number = (await evening.host.do(evening.table, c.StartMove(
            seat=evening.bob, move="throw", cast={"initiator": [evening.his]})))["number"]
        live = await evening.host.live(evening.table)
        hers, game = live.state.own_number(evening.ana, number), live.system
        _, page = await evening.looks(evening.bob, "")
        assert say("web.game_missing") not in unescape(page)
        others = {name: move for name, move in game.moves.items() if name != "throw"}
        live.system = dataclasses.replace(game, moves=others)
        seen = {seat: (await evening.host.view(evening.table, seat)).moves for seat in (evening.ana, evening.bob)}
        assert all(one.waits_for == (evening.ana,) for moves in seen.values() for one in moves.values())
        _, page = await evening.looks(evening.bob, "")
        assert say("web.waits_for", who="Ana") in page
        assert say("web.game_missing") in unescape(page)
        _, page = await evening.looks(evening.ana, "")
        card = re.search(rf'<article[^>]*id="move-{hers}".*?</article>', page, re.DOTALL)
        assert card is not None
        in_view = re.sub(r"<details.*?</details>", "", card[0], flags=re.DOTALL)
        assert say("web.game_missing") in unescape(in_view)
        assert 'action="' in in_view
        assert "/do/cancel" in in_view
        await evening.host.do(evening.table, c.Cancel(seat=evening.ana, number=hers))

    asyncio.run(story())
