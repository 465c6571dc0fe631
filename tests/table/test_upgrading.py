"""Records that grow: what an earlier version of a game wrote is brought along, and what cannot be read stops nobody."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest
from grown import BEFORE, NOW, Ship
from scene import STEP_BY_STEP
from veil import VEIL

from paravent.dice.errors import ParaventError
from paravent.game import RecordKind, System, Together
from paravent.game.records import placed
from paravent.game.upgrades import Written, fault_of, upgraded
from paravent.store import open_log
from paravent.table import commands as c
from paravent.table import events as e
from paravent.table.host import Host
from paravent.table.passing import pass_time_move
from paravent.table.seen import plainly
from paravent.table.state import State, Timer
from paravent.testing.conformance import CHECKS

ELYA = {"name": "Elya", "strength": 5, "motto": "Plus haut", "fate": 2,
        "trades": [{"name": "pilot", "rank": 2, "guild": "Nord"}]}


def person(version: int = 1, **values: Any) -> Written:
    return Written("character", version, {**ELYA, **values}, {})


# What a game does with its own records


def test_a_record_climbs_from_version_to_version_and_what_has_no_place_is_aside() -> None:
    now = upgraded(NOW, {"e": person()})["e"]
    assert now.version == 3
    assert now.values == {"name": "Elya", "vigour": 5, "fate": 2, "berth": "",
                          "trades": [{"name": "pilot", "rank": 2}]}
    assert now.aside == {"motto": "Plus haut", "trades[0].guild": "Nord"}


def test_records_that_must_change_together_do() -> None:
    ship = Written("ship", 1, {"name": "Vega", "berths": {"Elya": "haut", "Noor": "bas"}}, {})
    now = upgraded(NOW, {"v": ship, "e": person(), "n": person(name="Noor")})
    assert {name: one.values.get("berth") for name, one in now.items()} == {"v": None, "e": "haut", "n": "bas"}
    assert now["v"] == Written("ship", 2, {"name": "Vega"}, {})


def test_a_record_that_is_as_it_should_be_is_left_alone() -> None:
    now = upgraded(NOW, {"e": person()})["e"]
    assert upgraded(NOW, {"e": now}) == {}
    assert upgraded(BEFORE, {"e": person()}) == {}


def test_a_record_that_an_upgrade_stumbles_over_stays_and_the_others_go_on() -> None:
    broken = Written("character", 1, {"name": "Zed"}, {})
    now = upgraded(NOW, {"z": broken, "e": person()})
    assert set(now) == {"e"}
    assert fault_of(NOW, broken) is not None


def test_an_upgrade_over_several_that_stumbles_leaves_them_as_they_were() -> None:
    stumbling = replace(NOW, upgrades=(Together({"character": 2, "ship": 1}, lambda records: {}),))
    assert upgraded(stumbling, {"e": person(), "v": Written("ship", 1, {"name": "Vega", "berths": {}}, {})}) == {}


def test_an_upgrade_cannot_spoil_what_was_written() -> None:
    def spoils(sheet: Any) -> Any:
        sheet["trades"].clear()
        raise KeyError("half-way")

    spoiling = replace(NOW, kinds={**NOW.kinds, "character": replace(NOW.kinds["character"], upgrades={1: spoils})})
    one = person()
    assert upgraded(spoiling, {"e": one}) == {}
    assert one.values["trades"] == ELYA["trades"]


def test_what_a_later_version_wrote_is_not_touched() -> None:
    later = person(4, more="x")
    assert upgraded(NOW, {"e": later}) == {}
    fault = fault_of(NOW, later)
    assert (fault.code, fault.values["got"]) == ("record/later-version", 4)


def test_a_record_that_would_still_not_be_read_stays_as_it_was() -> None:
    assert upgraded(NOW, {"e": person(strength="huge")}) == {}


def test_what_has_no_place_is_found_wherever_it_stands() -> None:
    @dataclass(frozen=True)
    class Bag:
        size: int = 0

    @dataclass(frozen=True)
    class Carrier:
        bag: Bag | None = None
        bags: dict[str, Bag] | None = None
        words: tuple[str, ...] = ()

    data = {"bag": {"size": 1, "cloth": "lin"}, "bags": {"a": {"size": 2, "lid": True}}, "words": ["x"], "old": [1]}
    kept, aside = placed(Carrier, data)
    assert kept == {"bag": {"size": 1}, "bags": {"a": {"size": 2}}, "words": ["x"]}
    assert aside == {"bag.cloth": "lin", "bags.a.lid": True, "old": [1]}


def problems(system: System) -> list[str]:
    return [lack.said("en") for lack in CHECKS["records of earlier versions are brought along"](system)]


def test_the_common_suite_sees_a_version_that_nothing_shows_and_one_that_is_not_brought_along() -> None:
    assert problems(NOW) == problems(BEFORE) == []
    person = NOW.kinds["character"]
    for kind, said in (
        (replace(person, earlier={1: person.earlier[1]}), "no sheet shows how version 2"),
        (replace(person, upgrades={}), "character 1 0 of an earlier version is not brought along"),
        (replace(person, upgrades={**person.upgrades, 3: dict}), "version 3 is upgraded"),
    ):
        found = problems(replace(NOW, kinds={**NOW.kinds, "character": kind}))
        assert said in found[0], found
    late = replace(NOW, upgrades=(*NOW.upgrades, Together({"ship": 2}, lambda records: records)))
    assert "reads version 2" in problems(late)[0]


# At a table


class Evening:
    """Ana's table: Bob plays Elya, whom an earlier version of the game wrote down."""

    def __init__(self) -> None:
        self.log: Any = open_log("memory:")
        self.host = self.plays(BEFORE)

    def plays(self, system: System) -> Host:
        """The table from now on, with this version of the game."""
        self.host = Host(self.log, systems=lambda name: system)
        return self.host

    async def begins(self) -> "Evening":
        entry = await self.host.open("grown", "Vendredi", "Ana", house=STEP_BY_STEP)
        self.table, self.ana = entry.table, entry.seat
        self.bob = (await self.do(c.AddSeat, self.ana, name="Bob"))["seat"]
        self.elya = (await self.do(c.AddRecord, self.ana, sheet=ELYA, owner=self.bob))["record"]
        self.vega = (await self.do(c.AddRecord, self.ana, kind="ship",
                                   sheet={"name": "Vega", "berths": {"Elya": "haut"}}))["record"]
        return self

    async def do(self, asked: type[c.Command], seat: str, **values: Any) -> dict[str, Any]:
        return await self.host.do(self.table, asked(seat=seat, **values))

    async def state(self) -> State:
        return (await self.host.live(self.table)).state

    async def sees(self, seat: str) -> dict[str, Any]:
        return plainly(await self.host.view(self.table, seat))

    async def strives(self) -> None:
        await self.do(c.StartMove, self.bob, move="strive", cast={"initiator": [self.elya]},
                      form={self.elya: {"hurried": True}})

    async def rows(self) -> list[str]:
        return [text for _, text in await self.log.read(self.table)]


def scene(story: Callable[[Evening], Awaitable[None]]) -> None:
    async def told() -> None:
        await story(await Evening().begins())

    asyncio.run(told())


def test_a_table_that_is_opened_brings_its_records_along_once() -> None:
    async def story(evening: Evening) -> None:
        evening.plays(NOW)
        seen = (await evening.sees(evening.bob))["records"]
        assert seen[evening.elya]["sheet"] == {"name": "Elya", "vigour": 5, "berth": "haut",
                                               "trades": [{"name": "pilot", "rank": 2}]}
        assert seen[evening.vega]["sheet"] == {"name": "Vega"}
        events = len(await evening.rows())
        evening.plays(NOW)
        await evening.state()
        assert len(await evening.rows()) == events
        told = e.read((await evening.rows())[-1])
        assert isinstance(told, e.RecordsUpgraded)
        assert told.before[evening.elya].sheet["strength"] == 5

    scene(story)


def test_what_is_aside_is_kept_and_only_the_game_master_sees_it() -> None:
    async def story(evening: Evening) -> None:
        evening.plays(NOW)
        aside = {"motto": "Plus haut", "trades[0].guild": "Nord"}
        assert (await evening.sees(evening.ana))["records"][evening.elya]["aside"] == aside
        assert "Plus haut" not in json.dumps(await evening.sees(evening.bob))
        assert "Nord" not in json.dumps(await evening.sees(evening.bob))

    scene(story)


def test_programs_that_open_a_table_at_once_bring_it_along_once() -> None:
    async def story(evening: Evening) -> None:
        hosts = [Host(evening.log, systems=lambda name: NOW) for _ in range(4)]
        lives = await asyncio.gather(*(host.live(evening.table) for host in hosts))
        assert sum('"records-upgraded"' in row for row in await evening.rows()) == 1
        assert all(live.state == lives[0].state for live in lives)

    scene(story)


def test_a_move_under_way_plays_on_with_the_sheet_as_it_is_now() -> None:
    async def story(evening: Evening) -> None:
        await evening.strives()
        evening.plays(NOW)
        await evening.do(c.ThrowDice, evening.bob, number=1, grain="n")
        await evening.do(c.Accept, evening.ana, number=1)
        assert (await evening.state()).records[evening.elya].sheet["vigour"] == 4

    scene(story)


def test_what_a_move_proposes_is_said_of_the_sheet_as_it_is_now() -> None:
    async def story(evening: Evening) -> None:
        await evening.strives()
        await evening.do(c.ThrowDice, evening.bob, number=1, grain="n")
        (change,) = (await evening.sees(evening.bob))["moves"]["1"]["changes"]
        assert (change["path"], change["after"]) == ("strength", 4)
        evening.plays(NOW)
        (change,) = (await evening.sees(evening.bob))["moves"]["1"]["changes"]
        assert (change["path"], change["after"]) == ("vigour", 4)
        await evening.do(c.Accept, evening.ana, number=1)
        assert (await evening.state()).records[evening.elya].sheet["vigour"] == 4

    scene(story)


def test_what_was_changed_where_the_field_is_no_more_is_not_taken_back_and_it_is_said() -> None:
    async def story(evening: Evening) -> None:
        await evening.do(c.EditRecord, evening.ana, record=evening.elya, path="strength", value=3)
        await evening.strives()
        await evening.do(c.ThrowDice, evening.bob, number=1, grain="n")
        await evening.do(c.Accept, evening.ana, number=1)
        evening.plays(NOW)
        before = (await evening.state()).records
        for asked in (c.Undo(seat=evening.ana, number=1), c.UndoLast(seat=evening.ana)):
            with pytest.raises(ParaventError, match="form/unknown"):
                await evening.host.do(evening.table, asked)
        assert (await evening.state()).records == before

    scene(story)


def test_a_record_that_comes_back_after_an_upgrade_is_brought_along() -> None:
    async def story(evening: Evening) -> None:
        await evening.do(c.RemoveRecord, evening.ana, record=evening.elya)
        evening.plays(NOW)
        await evening.do(c.UndoLast, evening.ana)
        held = (await evening.state()).records[evening.elya]
        assert (held.version, held.sheet["vigour"], held.aside["motto"]) == (3, 5, "Plus haut")

    scene(story)


def test_a_file_of_an_earlier_version_is_brought_along_when_it_is_handed_in() -> None:
    async def story(evening: Evening) -> None:
        kept = await evening.host.record_file(evening.table, evening.ana, evening.elya)
        assert kept["version"] == 1
        evening.plays(NOW)
        for file in (kept, {name: value for name, value in kept.items() if name != "version"}):
            added = await evening.do(c.AddRecord, evening.bob, sheet=file)
            held = (await evening.state()).records[added["record"]]
            assert (held.version, held.sheet["vigour"], held.aside["motto"]) == (3, 5, "Plus haut")

    scene(story)


def test_a_file_of_a_later_version_and_one_that_cannot_be_read_are_refused_in_words() -> None:
    async def story(evening: Evening) -> None:
        evening.plays(NOW)
        for sheet, code in (
            ({"system": "grown", "version": 9, "vigour": 4}, "record/later-version"),
            ({"system": "grown", "version": 1, "name": "Zed"}, "form/unknown|form/bad-value"),
            ({"version": "two", "vigour": 4}, "form/bad-value"),
            ({"vigor": 4}, "form/unknown"),
        ):
            with pytest.raises(ParaventError, match=code):
                await evening.do(c.AddRecord, evening.bob, sheet=sheet)

    scene(story)


def test_an_imported_table_is_brought_along_too() -> None:
    async def story(evening: Evening) -> None:
        lines = await evening.host.export_whole(evening.table)
        elsewhere = Host(open_log("memory:"), systems=lambda name: NOW)
        entry = await elsewhere.bring(lines)
        seen = plainly(await elsewhere.view(entry.table, entry.seat))
        assert seen["records"][evening.elya]["sheet"]["vigour"] == 5

    scene(story)


# What cannot be read


def test_a_sheet_from_later_is_shown_as_such_and_what_is_not_known_of_it_to_the_game_master_alone() -> None:
    async def story(evening: Evening) -> None:
        evening.plays(NOW)
        await evening.do(c.EditRecord, evening.ana, record=evening.elya, path="fate", value=7)
        bare = replace(BEFORE, kinds={**BEFORE.kinds, "character": RecordKind("character", Ship)})
        evening.plays(bare)
        seen = (await evening.sees(evening.bob))["records"][evening.elya]
        assert (seen["unread"], seen["sheet"]) == (True, {"name": "Elya"})
        whole = (await evening.sees(evening.ana))["records"][evening.elya]
        assert (whole["unread"], whole["sheet"]["fate"]) == (True, 7)

    scene(story)


def test_a_sheet_that_cannot_be_read_stops_neither_time_nor_a_move_of_others() -> None:
    async def story(evening: Evening) -> None:
        noor = (await evening.do(c.AddRecord, evening.ana, sheet={**ELYA, "name": "Noor"}, owner=evening.ana))["record"]
        held = (await evening.state()).records[noor]
        broken = e.RecordRemoved(record=noor, kept=held), e.RecordAdded(
            record=noor, kind="character", name="Noor", sheet={"name": 7, "strength": "?"}, owner=evening.ana)
        await evening.log.append(evening.table, len(await evening.rows()) + 1, [e.written(event) for event in broken])
        evening.plays(NOW)
        assert (await evening.sees(evening.bob))["records"][noor]["unread"] is True
        await evening.do(c.StartMove, evening.ana, move="pass-time", form={"gm": {"time_span": "night"}})
        await evening.strives()
        moves = (await evening.sees(evening.ana))["moves"]
        assert sorted(move["move"] for move in moves.values()) == ["pass-time", "strive"]
        for asked in (
            c.StartMove(seat=evening.ana, move="strive", cast={"initiator": [noor]}),
            c.EditRecord(seat=evening.ana, record=noor, path="strength", value=3),
        ):
            with pytest.raises(ParaventError, match=r"record/unread|form/"):
                await evening.host.do(evening.table, asked)

    scene(story)


def test_a_timer_on_a_value_that_cannot_be_read_waits_and_time_goes_on() -> None:
    async def story(evening: Evening) -> None:
        evening.plays(NOW)
        state = replace(await evening.state(), timers={"t": Timer(5, evening.elya, "strength", add=1)})
        move = pass_time_move(NOW, state)
        ctx = replace(NOW, moves={move.id: move}).context(move, {"gm": [{"time_span": "night", "time_count": 1}]})
        (step,) = move.resolves
        assert [change.path for change in step.changes(ctx, ())] == ["minutes"]

    scene(story)


def test_nothing_is_written_at_a_table_whose_game_did_not_change() -> None:
    async def scene_of_veil() -> None:
        log: Any = open_log("memory:")
        host = Host(log, systems=lambda name: VEIL)
        entry = await host.open("veil", "Vendredi", "Ana")
        await host.do(entry.table, c.AddRecord(seat=entry.seat, sheet={"name": "Elya"}))
        events = await log.read(entry.table)
        await Host(log, systems=lambda name: VEIL).live(entry.table)
        assert await log.read(entry.table) == events

    asyncio.run(scene_of_veil())
