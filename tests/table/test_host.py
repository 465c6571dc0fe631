"""Tables kept alive over a log: done once, durable, told to each, brought back from files."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from veil import VEIL

from paravent.dice.errors import ParaventError
from paravent.store.memory import MemoryLog
from paravent.table import commands as c
from paravent.table.host import Entry, Host
from paravent.table.seen import plainly
from paravent.table.verify import Verdict, verify


class Evening:
    """Ana's table on a log in memory, with Bob, Cy and a spectator."""

    def __init__(self) -> None:
        from paravent.store import open_log

        self.log: Any = open_log("memory:")
        self.time = datetime(2031, 5, 1, 20, tzinfo=UTC)
        self.host = self.another()

    def another(self) -> Host:
        return Host(self.log, systems=lambda name: VEIL, now=lambda: self.time)

    async def begins(self) -> "Evening":
        self.entry: Entry = await self.host.open("veil", "Vendredi", "Ana")
        self.table, self.ana = self.entry.table, self.entry.seat
        self.links: dict[str, str] = {}
        seats = []
        for name, rank in (("Bob", "player"), ("Cy", "player"), ("Zoe", "spectator")):
            reply = await self.do(c.AddSeat, self.ana, name=name, rank=rank)
            self.links |= reply["links"]
            seats.append(reply["seat"])
        self.bob, self.cy, self.zoe = seats
        self.elya = (await self.do(c.AddRecord, self.bob, sheet={"name": "Elya"}))["record"]
        return self

    async def do(self, asked: type[c.Command], seat: str, **values: Any) -> dict[str, Any]:
        """Somebody asks for something; all who listen have heard of it when this is over."""
        reply = await self.host.do(self.table, asked(seat=seat, **values))
        while (await self.host.live(self.table)).to_tell:
            await asyncio.sleep(0)
        return reply

    async def sees(self, seat: str, table: str = "") -> dict[str, Any]:
        return plainly(await self.host.view(table or self.table, seat))


def scene(story: Callable[[Evening], Awaitable[None]]) -> None:
    async def told() -> None:
        await story(await Evening().begins())

    asyncio.run(told())


def test_a_command_asked_twice_is_done_once() -> None:
    async def story(evening: Evening) -> None:
        first = await evening.do(c.StartMove, evening.bob, move="leap", cast={"initiator": [evening.elya]}, id="k")
        events = len(await evening.log.read(evening.table))
        assert await evening.do(c.StartMove, evening.bob, move="leap", id="k") == first
        assert len(await evening.log.read(evening.table)) == events
        await evening.do(c.StartMove, evening.cy, move="leap", id="k")
        assert len(await evening.log.read(evening.table)) > events

    scene(story)


def test_the_stop_card_leaves_no_trace_of_who_played_it() -> None:
    async def story(evening: Evening) -> None:
        before = set(evening.log._commands)
        reply = await evening.do(c.PlayCard, evening.bob, id="b0b5-card")
        assert await evening.do(c.PlayCard, evening.bob, id="b0b5-card") == reply == {"links": {}}
        [(_, name)] = set(evening.log._commands) - before
        assert evening.bob not in name
        written = (await evening.log.read(evening.table))[-1][1]
        assert evening.bob not in written
        assert json.loads(written)["by"] == ""

    scene(story)


def test_two_who_choose_the_same_id_both_show_their_stop_card() -> None:
    """What is done in nobody's name is done once for each: another's card is not taken for one's own, sent again."""
    async def story(evening: Evening) -> None:
        for seat in (evening.bob, evening.cy, evening.bob):
            await evening.do(c.PlayCard, seat, id="1")
        cards = [text for _, text in await evening.log.read(evening.table) if '"card-played"' in text]
        assert len(cards) == 2

    scene(story)


def test_another_process_reads_the_same_table_and_both_may_write() -> None:
    async def story(evening: Evening) -> None:
        other = evening.another()
        await other.do(evening.table, c.Say(seat=evening.bob, text="ici"))
        await evening.do(c.Say, evening.cy, text="là")
        await other.catch_up(evening.table)
        assert (await other.live(evening.table)).state == (await evening.host.live(evening.table)).state

    scene(story)


def test_a_snapshot_and_what_came_after_open_the_same_table() -> None:
    async def story(evening: Evening) -> None:
        for _ in range(520):
            await evening.do(c.Say, evening.bob, text="…")
        assert await evening.log.snapshot(evening.table) is not None
        again = await evening.another().live(evening.table)
        assert again.state == (await evening.host.live(evening.table)).state

    scene(story)


def test_whoever_listens_is_told_what_they_missed_and_then_what_happens() -> None:
    async def story(evening: Evening) -> None:
        live = await evening.host.live(evening.table)
        last = (await evening.sees(evening.zoe))["last"]
        await evening.do(c.Say, evening.bob, kind="whisper", text="psst", to=(evening.cy,))
        await evening.do(c.Say, evening.bob, text="un")
        assert [(told.id, told.report.values["text"]) for told in live.news(evening.zoe, last)] == [(last + 1, "un")]
        heard: list[int] = []
        live.listeners.add(lambda: heard.extend(told.id for told in live.news(evening.zoe, last + 1 + len(heard))))
        for _ in range(70):
            await evening.do(c.Say, evening.cy, text="…")
        assert heard == list(range(last + 2, last + 72))
        [whole] = live.news(evening.zoe, last)
        assert (whole.id, whole.report.values["type"]) == (last + 71, "whole")

    scene(story)


def test_what_is_told_is_worked_out_once_for_all_who_are_told_the_same() -> None:
    async def story(evening: Evening) -> None:
        live = await evening.host.live(evening.table)
        told: dict[str, Any] = {}

        def listen() -> None:
            for seat, state in ((seat, live.state.counts_of(seat)) for seat in live.state.seats):
                told[seat] = live.news(seat, state.events - 1)[0]

        live.listeners.add(listen)
        await evening.do(c.Say, evening.bob, text="un")
        assert told[evening.zoe].id != told[evening.bob].id
        assert told[evening.zoe].report is told[evening.bob].report is told[evening.ana].report
        assert not live.telling

    scene(story)


def test_links_open_seats_until_they_are_renewed_or_revoked() -> None:
    async def story(evening: Evening) -> None:
        host, old = evening.host, evening.links[evening.bob]
        assert await host.enter(old) == (evening.table, evening.bob)
        new = (await evening.do(c.RenewLink, evening.ana, who=evening.bob))["links"][evening.bob]
        assert await host.enter(new) == (evening.table, evening.bob)
        with pytest.raises(ParaventError, match="bad-link"):
            await host.enter(old)
        await evening.do(c.RevokeLink, evening.ana, who=evening.bob)
        with pytest.raises(ParaventError, match="bad-link"):
            await host.enter(new)
        assert len(bytes.fromhex(new)) >= 16
        written = "".join(text for _, text in await evening.log.read(evening.table))
        assert old not in written
        assert new not in written

    scene(story)


def test_a_deadline_that_passes_is_applied() -> None:
    async def story(evening: Evening) -> None:
        tarn = (await evening.do(c.AddRecord, evening.cy, sheet={"name": "Tarn"}))["record"]
        await evening.do(c.StartMove, evening.bob, move="duel",
                         cast={"initiator": [evening.elya], "opponent": [tarn]})
        await evening.do(c.Fill, evening.bob, number=1, values={"stance": 3})
        await evening.do(c.SetDeadline, evening.ana, number=1, policy="default", seconds=30)
        await evening.host.tick()
        assert (await evening.sees(evening.zoe))["moves"]["1"]["fields"] == {
            evening.elya: {"stance": {"sealed": True}}}
        evening.time += timedelta(seconds=31)
        await evening.host.tick()
        assert (await evening.sees(evening.zoe))["moves"]["1"]["fields"] == {
            evening.elya: {"stance": 3}, tarn: {"stance": 0}}

    scene(story)


def test_the_time_given_is_for_what_was_waited_for_then() -> None:
    async def story(evening: Evening) -> None:
        number = (await evening.do(c.StartMove, evening.ana, move="pass-time",
                                   cast={"character": [evening.elya]}))["number"]
        await evening.do(c.SetDeadline, evening.ana, number=number, policy="default", seconds=30)
        await evening.do(c.Fill, evening.ana, number=number, values={"time_span": "night"}, actor="gm")
        evening.time += timedelta(seconds=31)
        await evening.host.tick()
        move = (await evening.sees(evening.ana))["moves"]["1"]
        assert move["deadline"] == {"policy": "default", "until": "", "by": evening.ana}
        assert move["waits_for"] == [evening.bob]
        await evening.do(c.SetDeadline, evening.ana, number=number, policy="cancel", seconds=30)
        evening.time += timedelta(seconds=31)
        await evening.host.tick()
        assert (await evening.sees(evening.ana))["moves"]["1"]["phase"] == "cancelled"

    scene(story)


@pytest.mark.parametrize("another", [True, False])
@pytest.mark.parametrize(
    ("policy", "phase", "stance"), [("cancel", "cancelled", {"sealed": True}), ("default", "open", 3)]
)
def test_a_deadline_is_kept_and_brings_nobody_back_who_left(
    another: bool, policy: str, phase: str, stance: object
) -> None:
    async def story(evening: Evening) -> None:
        if another:
            await evening.do(c.AddSeat, evening.ana, name="Ida", rank="gm")
        tarn = (await evening.do(c.AddRecord, evening.cy, sheet={"name": "Tarn"}))["record"]
        await evening.do(c.StartMove, evening.bob, move="duel",
                         cast={"initiator": [evening.elya], "opponent": [tarn]})
        await evening.do(c.Fill, evening.bob, number=1, values={"stance": 3})
        await evening.do(c.SetDeadline, evening.ana, number=1, policy=policy, seconds=30)
        await evening.do(c.Leave, evening.ana)
        evening.time += timedelta(seconds=31)
        await evening.host.tick()
        seen = await evening.sees(evening.zoe)
        assert seen["moves"]["1"]["phase"] == phase
        assert seen["moves"]["1"]["fields"][evening.elya]["stance"] == stance
        assert not seen["seats"][evening.ana]["present"]

    scene(story)


def test_a_table_is_brought_from_its_export_and_played_on() -> None:
    async def story(evening: Evening) -> None:
        await evening.do(c.StartMove, evening.bob, move="act", cast={"initiator": [evening.elya]})
        await evening.do(c.ThrowDice, evening.bob, number=1, grain="n")
        lines = await evening.host.export_whole(evening.table)
        for host in (evening.host, Evening().host):
            entry = await host.bring(lines)
            assert (entry.table == evening.table) == (host is not evening.host)
            assert await host.enter(entry.token) == (entry.table, evening.ana)
            await host.do(entry.table, c.Say(seat=entry.seat, text="nous revoilà"))
        mine = await evening.host.export(evening.table, evening.zoe)
        assert verify(mine) == Verdict(1, 0, 0)
        with pytest.raises(ParaventError, match="only-gm"):
            await evening.host.export(evening.table, evening.zoe, whole=True)
        with pytest.raises(ParaventError, match="not-an-export"):
            await evening.host.bring(mine)

    scene(story)


def test_the_next_episode_keeps_people_records_and_time_and_a_record_moves_as_a_file() -> None:
    async def story(evening: Evening) -> None:
        await evening.do(c.AddRecord, evening.ana, kind="extra", sheet={"name": "Spy"})
        entry, links = await evening.host.next_episode(evening.table, evening.ana, "Deux")
        assert set(links) == {evening.ana, evening.bob, evening.cy, evening.zoe}
        seen = await evening.sees(evening.bob, entry.table)
        assert seen["episode"] == "Deux"
        assert seen["records"][evening.elya]["owner"] == evening.bob
        assert "Spy" not in json.dumps(seen)
        file = await evening.host.record_file(evening.table, evening.bob, evening.elya)
        assert "fate" not in file
        brought = await evening.host.do(entry.table, c.AddRecord(seat=evening.cy, sheet=file))
        seen = await evening.sees(evening.zoe, entry.table)
        assert seen["records"][brought["record"]]["name"] == "Elya"

    scene(story)


def test_whoever_opens_a_table_that_takes_long_holds_nobody_up_and_it_is_opened_once() -> None:
    class Slow(MemoryLog):
        """A log of which one table takes long to be read."""

        def __init__(self) -> None:
            super().__init__()
            self.slow, self.asked, self.go_on = "", 0, asyncio.Event()

        async def snapshot(self, table: str) -> tuple[int, str] | None:
            if table == self.slow:
                self.asked += 1
                await self.go_on.wait()
            return await super().snapshot(table)

    async def scene() -> None:
        log = Slow()
        before = Host(log, lambda name: VEIL)
        long, short = await before.open("veil", "Longue", "Ana"), await before.open("veil", "Brève", "Ana")
        log.slow, host = long.table, Host(log, lambda name: VEIL)
        first, second = (asyncio.create_task(host.live(long.table)) for _ in range(2))
        while not log.asked:
            await asyncio.sleep(0)
        assert (await host.live(short.table)).state.name == "Brève"
        first.cancel()  # whoever asked first has left
        log.go_on.set()
        assert (await second) is (await host.live(long.table))
        assert log.asked == 1

    asyncio.run(scene())
