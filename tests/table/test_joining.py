"""Tables that were opened as the next episode become one: old links lead there, and each reads what they had read."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from veil import VEIL

from paravent.dice.errors import ParaventError
from paravent.store import open_log
from paravent.table import commands as c
from paravent.table import events as e
from paravent.table.deciding import link_hash
from paravent.table.host import BadLink, Host
from paravent.table.seen import plainly
from paravent.table.verify import verify


class Killed(Exception):
    """The program ended here."""


class Campaign:
    """A first table, and a second that was opened as its next episode, both played at."""

    def __init__(self, log: Any) -> None:
        self.log, self.time = log, datetime(2031, 5, 1, 20, tzinfo=UTC)
        self.host = self.another()

    def another(self) -> Host:
        return Host(self.log, systems=lambda name: VEIL, now=lambda: self.time)

    async def begins(self) -> "Campaign":
        self.first, self.ana, token = await self.host.open("veil", "Vendredi", "Ana")
        self.links = {"first": {self.ana: token}}
        seats = []
        for name, rank in (("Bob", "player"), ("Cy", "player"), ("Zoe", "spectator")):
            reply = await self.does(self.first, c.AddSeat, self.ana, name=name, rank=rank)
            self.links["first"] |= reply["links"]
            seats.append(reply["seat"])
        self.bob, self.cy, self.zoe = seats
        self.elya = (await self.does(self.first, c.AddRecord, self.bob, sheet={"name": "Elya"}))["record"]
        self.spy = (await self.does(self.first, c.AddRecord, self.ana, kind="extra", sheet={"name": "Espion"},
                                    seen_by=("gm",)))["record"]
        await self.an_act(self.first)
        await self.does(self.first, c.Say, self.bob, text="un", kind="story")
        self.time += timedelta(days=7)
        entry, links = await self.host.next_episode(self.first, self.ana, "Deux")
        self.later, self.links["later"] = entry.table, links
        await self.an_act(self.later)
        await self.does(self.later, c.Say, self.bob, text="deux", kind="story")
        await self.does(self.later, c.Say, self.bob, text="entre nous", kind="whisper", to=(self.cy,))
        await self.does(self.later, c.Say, self.ana, text="derrière", kind="note")
        await self.does(self.later, c.EditRecord, self.ana, record=self.elya, path="wounds", value=2)
        await self.does(self.later, c.UndoLast, self.ana)
        await self.does(self.later, c.EditRecord, self.ana, record=self.elya, path="wounds", value=1)
        await self.does(self.later, c.SetClock, self.ana, day=3, hour=20)
        reply = await self.does(self.later, c.AddSeat, self.ana, name="Dom")
        self.dom = reply["seat"]
        self.links["later"] |= reply["links"]
        return self

    async def an_act(self, table: str) -> None:
        number = (await self.does(table, c.StartMove, self.bob, move="leap", cast={"initiator": [self.elya]}))["number"]
        live = await self.host.live(table)
        if not live.state.move(live.state.table_number(self.bob, number)).is_over:
            await self.does(table, c.ThrowDice, self.bob, number=number, grain="g")

    async def does(self, table: str, asked: type[c.Command], seat: str, **values: Any) -> dict[str, Any]:
        return await self.host.do(table, asked(seat=seat, **values))

    async def sees(self, table: str, seat: str) -> dict[str, Any]:
        return plainly(await self.host.view(table, seat))

    async def joins(self) -> str:
        return await self.host.join(self.first, self.ana, self.links["later"][self.ana])

    async def told(self, table: str, seat: str) -> list[str]:
        """The words that a seat reads in the log of a table."""
        return [line["text"] for line in (await self.sees(table, seat))["log"] if line.get("text")]


def scene(story: Callable[[Campaign], Awaitable[None]], log: Any = None) -> None:
    async def told() -> None:
        await story(await Campaign(log or open_log("memory:")).begins())

    asyncio.run(told())


def test_two_tables_become_one_where_all_old_links_lead() -> None:
    async def story(at: Campaign) -> None:
        assert await at.joins() == at.first
        for which in ("first", "later"):
            for seat, token in at.links[which].items():
                assert await at.host.enter(token) == (at.first, seat)
                assert at.host.opens(await at.host.live(at.first), seat, link_hash(token))
        seen = await at.sees(at.first, at.bob)
        assert seen["episode"] == "Deux"
        assert seen["minutes"] == (2 * 24 + 20) * 60
        assert seen["records"][at.elya]["sheet"]["wounds"] == 1
        assert len(seen["moves"]) == 2
        await at.does(at.first, c.Say, at.dom, text="Me voici.")
        another = at.another()
        assert await another.enter(at.links["later"][at.bob]) == (at.first, at.bob)
        assert plainly(await another.view(at.first, at.cy)) == await at.sees(at.first, at.cy), "as the log has it"

    scene(story)


def test_each_seat_reads_what_it_had_read_and_nothing_else() -> None:
    async def story(at: Campaign) -> None:
        seats = at.ana, at.bob, at.cy, at.zoe
        read = {seat: await at.told(at.first, seat) + await at.told(at.later, seat) for seat in seats}
        lines = {seat: [line["type"] for table in (at.first, at.later)
                        for line in (await at.sees(table, seat))["log"]] for seat in seats}
        await at.joins()
        for seat in seats:
            assert await at.told(at.first, seat) == read[seat]
            seen = [line["type"] for line in (await at.sees(at.first, seat))["log"]]
            for kind in ("move", "said", "corrected", "record-changed", "clock-set"):
                assert seen.count(kind) == lines[seat].count(kind), kind
        for seat in (at.bob, at.cy, at.zoe, at.dom):
            everything = json.dumps(await at.sees(at.first, seat), ensure_ascii=False)
            everything += "".join(await at.host.export(at.first, seat))
            assert "Espion" not in everything
            assert at.spy not in everything
            assert "derrière" not in everything
            assert ("entre nous" in everything) == (seat in (at.bob, at.cy))
        assert "entre nous" not in "".join(await at.host.export(at.first, at.ana, whole=True))

    scene(story)


def test_its_dice_still_verify_and_its_undone_lines_stay_undone() -> None:
    async def story(at: Campaign) -> None:
        await at.joins()
        verdict = verify(await at.host.export(at.first, at.bob))
        assert verdict.differs is None
        assert verdict.verified == 2
        undone = [line for line in (await at.sees(at.first, at.ana))["log"] if line.get("undone")]
        assert [(line["type"], line["after"]) for line in undone] == [("record-changed", 2)]
        lines = await at.host.export_whole(at.first)
        assert not any(link_hash(token) in "".join(lines) for links in at.links.values() for token in links.values())
        brought = await at.host.bring(lines)
        assert (await at.sees(brought.table, at.bob))["records"][at.elya]["sheet"]["wounds"] == 1

    scene(story)


def test_the_joined_table_takes_nothing_more_and_its_closed_links_stay_closed() -> None:
    async def story(at: Campaign) -> None:
        await at.joins()
        with pytest.raises(ParaventError) as refused:
            await at.does(at.later, c.Say, at.bob, text="trop tard")
        assert refused.value.code == "table/moved"
        await at.does(at.first, c.RenewLink, at.ana, who=at.bob)
        for token in (at.links["first"][at.bob], at.links["later"][at.bob]):
            with pytest.raises(BadLink):
                await at.host.enter(token)
        with pytest.raises(ParaventError) as refused:
            await at.joins()
        assert refused.value.code == "table/joined-already"

    scene(story)


def test_it_is_asked_from_either_table() -> None:
    async def story(at: Campaign) -> None:
        assert await at.host.join(at.later, at.ana, at.links["first"][at.ana]) == at.first
        assert await at.host.enter(at.links["later"][at.bob]) == (at.first, at.bob)

    scene(story)


@pytest.mark.parametrize("why", ["game", "rulings", "other people", "a player"])
def test_what_is_not_one_campaign_is_refused_with_a_reason_and_nothing_changes(why: str) -> None:
    async def story(at: Campaign) -> None:
        token, code = at.links["later"][at.ana], "table/not-an-episode"
        match why:
            case "game":
                code = "table/not-the-same-game"
                live = await at.host.live(at.first)
                object.__setattr__(live.state, "system", "fanal")
            case "rulings":
                code = "table/not-the-same-rulings"
                live = await at.host.live(at.first)
                object.__setattr__(live.state, "settled", ({"soft": "yes"},))
            case "other people":
                at.time += timedelta(days=1)
                token = (await at.host.open("veil", "Samedi", "Ana")).token
            case "a player":
                code, token = "table/only-gm", at.links["later"][at.bob]
        before = [len(await at.log.read(table)) for table in (at.first, at.later)]
        with pytest.raises(ParaventError) as refused:
            await at.host.join(at.first, at.ana, token)
        assert refused.value.code == code
        for lang in ("fr", "en"):
            assert VEIL.words.find(lang, f"errors.{code}")
        assert [len(await at.log.read(table)) for table in (at.first, at.later)] == before

    scene(story)


class Dying:
    """A log whose program is killed before, or after, its so manieth writing."""

    def __init__(self, log: Any, at: int, after: bool) -> None:
        self._log, self._left, self._after = log, at, after

    def __getattr__(self, name: str) -> Any:
        real = getattr(self._log, name)
        if name not in ("append", "keep_picture"):
            return real

        async def writes(*args: Any, **more: Any) -> Any:
            self._left -= 1
            if self._left < 0 and not self._after:
                raise Killed
            done = await real(*args, **more)
            if self._left < 0:
                raise Killed
            return done

        return writes


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("writing", [0, 1])
def test_killed_in_the_middle_nothing_is_lost_and_it_is_ended_when_somebody_comes_in(writing: int, after: bool) -> None:
    async def story(at: Campaign) -> None:
        read = {seat: await at.told(at.first, seat) + await at.told(at.later, seat) for seat in (at.bob, at.zoe)}
        dying = Host(Dying(at.log, writing, after), systems=lambda name: VEIL, now=lambda: at.time)  # type: ignore[arg-type]
        with pytest.raises(Killed):
            await dying.join(at.first, at.ana, at.links["later"][at.ana])
        at.host = at.another()
        table, _ = await at.host.enter(at.links["later"][at.bob])
        if writing == 0 and not after:
            assert table == at.later, "nothing was written: they are two, and whole"
            assert await at.joins() == at.first
        assert await at.host.enter(at.links["later"][at.bob]) == (at.first, at.bob)
        for seat, words in read.items():
            assert await at.told(at.first, seat) == words
        happened = [e.read(text) for _, text in await at.log.read(at.first)]
        assert sum(isinstance(event, e.EpisodeJoined) for event in happened) == 1

    scene(story)
