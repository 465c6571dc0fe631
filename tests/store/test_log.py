"""What a log promises, wherever it is kept."""

import asyncio
import hashlib
from collections.abc import AsyncIterator

import pytest

from paravent.store import (
    AlreadyDone,
    BadName,
    Conflict,
    Link,
    LinkRow,
    Log,
    LogClosed,
    NoTable,
    NotText,
    TableExists,
    open_log,
)

TOKEN = hashlib.sha256(b"a token").hexdigest()


def test_a_table_begins_empty_and_its_events_are_numbered_from_one(place):
    async def scene(log: Log):
        await log.create("vega")
        assert await log.read("vega") == []
        await log.append("vega", 1, ['{"a": 1}', '{"b": 2}'])
        await log.append("vega", 3, ['{"c": 3}'])
        return await log.read("vega")

    assert place.play(scene) == [(1, '{"a": 1}'), (2, '{"b": 2}'), (3, '{"c": 3}')]


def test_reading_goes_on_after_a_number_and_stops_at_a_limit(place):
    async def scene(log: Log):
        await log.create("vega")
        await log.append("vega", 1, [str(number) for number in range(1, 11)])
        assert await log.read("vega", after=8) == [(9, "9"), (10, "10")]
        assert await log.read("vega", after=2, limit=3) == [(3, "3"), (4, "4"), (5, "5")]
        assert await log.read("vega", after=10) == []
        assert await log.read("vega", limit=0) == []

    place.play(scene)


def test_a_table_is_created_once(place):
    async def scene(log: Log):
        await log.create("vega")
        await log.append("vega", 1, ["1"])
        with pytest.raises(TableExists):
            await log.create("vega")
        assert await log.read("vega") == [(1, "1")]

    place.play(scene)


def test_a_table_that_nobody_created_takes_nothing(place):
    async def scene(log: Log):
        for asked in (log.append("vega", 1, ["1"]), log.read("vega"), log.save_snapshot("vega", 0, "{}")):
            with pytest.raises(NoTable):
                await asked
        assert await log.snapshot("vega") is None
        assert await log.tables() == []

    place.play(scene)


def test_an_append_that_is_not_the_next_is_refused_with_the_next_number_and_changes_nothing(place):
    async def scene(log: Log):
        await log.create("vega")
        await log.append("vega", 1, ["1", "2"])
        for first in (1, 2, 4, 0, -1):
            with pytest.raises(Conflict) as refused:
                await log.append("vega", first, ["x"], command="c", links=[Link(TOKEN, "gm")], snapshot="{}")
            assert refused.value.next == 3
        assert await log.read("vega") == [(1, "1"), (2, "2")]
        assert (await log.reply("vega", "c"), await log.link(TOKEN), await log.snapshot("vega")) == (None, None, None)
        await log.append("vega", 3, ["3"], command="c")

    place.play(scene)


def test_a_command_asked_again_is_not_done_again_and_gives_the_first_reply(place):
    async def scene(log: Log):
        await log.create("vega")
        await log.append("vega", 1, ["1"], command="c1", reply='"fait"')
        for first in (1, 2):  # asked again by one who missed the answer, or who saw the events
            with pytest.raises(AlreadyDone) as refused:
                await log.append("vega", first, ["again"], command="c1", reply='"other"')
            assert refused.value.reply == '"fait"'
        assert await log.reply("vega", "c1") == '"fait"'
        assert await log.read("vega") == [(1, "1")]

    place.play(scene)


def test_command_ids_belong_to_their_table_and_an_empty_one_is_none(place):
    async def scene(log: Log):
        for table in ("vega", "deneb"):
            await log.create(table)
            await log.append(table, 1, ["1"], command="c1", reply=table)
            await log.append(table, 2, ["2"])
            await log.append(table, 3, ["3"])
        assert await log.reply("deneb", "c1") == "deneb"
        assert await log.reply("deneb", "") is None

    place.play(scene)


def test_a_command_without_events_is_remembered_too(place):
    async def scene(log: Log):
        await log.create("vega")
        await log.append("vega", 1, [], command="c1", reply="nothing to do")
        with pytest.raises(AlreadyDone):
            await log.append("vega", 1, [], command="c1")
        await log.append("vega", 1, ["1"], command="c2")
        assert await log.reply("vega", "c1") == "nothing to do"

    place.play(scene)


def test_a_link_opens_its_seat_until_it_is_revoked(place):
    async def scene(log: Log):
        await log.create("vega")
        assert await log.link(TOKEN) is None
        await log.append("vega", 1, ["1"], links=[Link(TOKEN, "gm")])
        assert await log.link(TOKEN) == LinkRow("vega", "gm", False)
        await log.append("vega", 2, ["2"], links=[Link(TOKEN, "gm", revoked=True), Link("0" * 64, "gm")])
        assert await log.link(TOKEN) == LinkRow("vega", "gm", True)
        assert await log.link("0" * 64) == LinkRow("vega", "gm", False)

    place.play(scene)


def test_a_table_cannot_touch_the_links_of_another(place):
    async def scene(log: Log):
        await log.create("vega")
        await log.create("deneb")
        await log.append("vega", 1, ["1"], links=[Link(TOKEN, "gm")])
        await log.append("deneb", 1, ["1"], links=[Link(TOKEN, "spectator", revoked=True)])
        assert await log.link(TOKEN) == LinkRow("vega", "gm", False)

    place.play(scene)


def test_the_latest_snapshot_is_kept(place):
    async def scene(log: Log):
        await log.create("vega")
        assert await log.snapshot("vega") is None
        await log.append("vega", 1, ["1", "2"], snapshot='{"at": 2}')
        assert await log.snapshot("vega") == (2, '{"at": 2}')
        await log.append("vega", 3, ["3"])
        await log.save_snapshot("vega", 3, '{"at": 3}')
        await log.save_snapshot("vega", 1, '{"at": 1}')
        with pytest.raises(Conflict):
            await log.save_snapshot("vega", 4, '{"at": 4}')
        assert await log.snapshot("vega") == (3, '{"at": 3}')

    place.play(scene)


def test_the_list_of_tables_shows_the_last_number_and_the_last_played_first(place):
    async def scene(log: Log):
        await log.create("vega")
        await log.create("deneb")
        await log.append("deneb", 1, ["1"])
        await log.append("vega", 1, ["1", "2"])
        rows = await log.tables()
        assert {row.id: row.last for row in rows} == {"vega": 2, "deneb": 1}
        assert [row.updated for row in rows] == sorted((row.updated for row in rows), reverse=True)
        assert all(row.created <= row.updated for row in rows)

    place.play(scene)


def test_texts_come_back_as_they_were_written(place):
    long = '{"long": "' + "x" * 1_000_000 + '"}'
    texts = ['"é\u00a0« œ » 🎲"', "", long, '"\\u0000\\ud800"', "'; DROP TABLE events;--"]

    async def scene(log: Log):
        await log.create("véga 🎲'")
        await log.append("véga 🎲'", 1, texts, command="é'", reply=texts[0], snapshot=texts[2])
        assert [text for _, text in await log.read("véga 🎲'")] == texts
        assert await log.reply("véga 🎲'", "é'") == texts[0]
        assert await log.snapshot("véga 🎲'") == (len(texts), texts[2])

    place.play(scene)


@pytest.mark.parametrize("text", ["\0", "a\ud800b"])
def test_a_text_that_no_database_keeps_is_refused_everywhere(place, text):
    async def scene(log: Log):
        await log.create("vega")
        with pytest.raises(NotText):
            await log.append("vega", 1, ["1", text])
        with pytest.raises(NotText):
            await log.append("vega", 1, ["1"], command=text)
        with pytest.raises(NotText):
            await log.save_snapshot("vega", 0, text)
        await log.append("vega", 1, ["1"])

    place.play(scene)


def test_a_name_is_neither_empty_nor_endless(place):
    async def scene(log: Log):
        for name in ("", "x" * 201):
            with pytest.raises(BadName):
                await log.create(name)
        await log.create("x" * 200)
        with pytest.raises(BadName):
            await log.append("x" * 200, 1, ["1"], command="c" * 201)

    place.play(scene)


def test_those_who_fight_for_a_table_all_get_their_turn(place):
    async def scene(log: Log):
        await log.create("vega")

        async def writer(name: str) -> None:
            first = 1
            for turn in range(5):
                while True:
                    try:
                        await log.append("vega", first, [f"{name}{turn}"], command=f"{name}{turn}")
                        break
                    except Conflict as lost:
                        first = lost.next
                first += 1

        await asyncio.gather(*(writer(name) for name in "abcdefghij"))
        rows = await log.read("vega")
        assert [number for number, _ in rows] == list(range(1, 51))
        for name in "abcdefghij":
            assert [text for _, text in rows if text[0] == name] == [f"{name}{turn}" for turn in range(5)]

    place.play(scene)


def test_one_command_asked_ten_times_at_once_is_done_once(place):
    async def scene(log: Log):
        await log.create("vega")
        asked = [log.append("vega", 1, [f"{n}"], command="c", reply=f"{n}") for n in range(10)]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        (done,) = await log.read("vega")
        assert answers.count(None) == 1
        assert all(isinstance(answer, AlreadyDone) and answer.reply == done[1] for answer in answers if answer)

    place.play(scene)


async def hear(heard: AsyncIterator[tuple[str, int]], until: set[tuple[str, int]]) -> list[tuple[str, int]]:
    """What is heard, up to the last of those waited for."""
    told = []
    async for notice in heard:
        told.append(notice)
        until.discard(notice)
        if not until:
            break
    return told


def test_one_who_listens_hears_every_table_and_not_what_was_refused(place):
    async def scene(log: Log):
        await log.create("vega")
        await log.create("deneb")
        await log.append("vega", 1, ["before"])
        heard = await log.listen()
        with pytest.raises(Conflict):
            await log.append("vega", 9, ["refused"])
        await log.append("vega", 2, ["2", "3"])
        await log.append("deneb", 1, [], command="no event")
        await log.append("deneb", 1, ["1"])
        assert await hear(heard, {("vega", 3), ("deneb", 1)}) == [("vega", 3), ("deneb", 1)]

    place.play(scene)


def test_a_slow_listener_hears_the_latest_number_of_each_table(place):
    async def scene(log: Log):
        await log.create("vega")
        heard = log.listen()
        await heard
        for number in range(1, 21):
            await log.append("vega", number, [f"{number}"])
        told = await hear(heard, {("vega", 20)})
        assert told == sorted(set(told))

    place.play(scene)


def test_listening_ends_with_the_log_or_when_one_stops(place):
    async def scene(log: Log):
        stopped, left = log.listen(), log.listen()
        await stopped.aclose()
        assert [notice async for notice in stopped] == []
        waiting = asyncio.ensure_future(hear(left, {("never", 1)}))
        await asyncio.sleep(0)
        await log.close()
        assert await waiting == []

    place.play(scene)


def test_a_closed_log_says_so(place):
    async def scene(log: Log):
        await log.create("vega")
        await log.close()
        for asked in (log.create("deneb"), log.append("vega", 1, ["1"]), log.read("vega"), log.tables()):
            with pytest.raises(LogClosed):
                await asked
        with pytest.raises(LogClosed):
            log.listen()

    place.play(scene)


def test_everything_is_there_when_the_log_is_opened_again(lasting):
    async def before(log: Log):
        await log.create("vega")
        await log.append("vega", 1, ["1", "2"], command="c", reply="r", links=[Link(TOKEN, "gm")], snapshot="{}")
        return await log.tables()

    async def after(log: Log):
        assert await log.read("vega") == [(1, "1"), (2, "2")]
        assert await log.reply("vega", "c") == "r"
        assert await log.link(TOKEN) == LinkRow("vega", "gm", False)
        assert await log.snapshot("vega") == (2, "{}")
        with pytest.raises(AlreadyDone):
            await log.append("vega", 3, ["3"], command="c")
        return await log.tables()

    assert lasting.play(before) == lasting.play(after)


def test_two_programs_share_a_log_and_hear_each_other(lasting):
    async def scene(one: Log):
        two = open_log(lasting.address)
        try:
            await one.create("vega")
            heard_by_one, heard_by_two = await one.listen(), await two.listen()
            await one.append("vega", 1, ["1"], command="c", reply="r")
            assert await hear(heard_by_two, {("vega", 1)}) == [("vega", 1)]
            with pytest.raises(Conflict) as refused:
                await two.append("vega", 1, ["x"])
            assert refused.value.next == 2
            with pytest.raises(AlreadyDone):
                await two.append("vega", 2, ["x"], command="c")
            with pytest.raises(TableExists):
                await two.create("vega")
            await two.append("vega", 2, ["2"])
            assert (await hear(heard_by_one, {("vega", 2)}))[-1] == ("vega", 2)
            assert await one.read("vega") == [(1, "1"), (2, "2")]
            await one.append("vega", 3, ["3"])
        finally:
            await two.close()

    lasting.play(scene)


def test_two_programs_that_fight_for_tables_leave_no_gap(lasting):
    async def scene(one: Log):
        two = open_log(lasting.address)
        try:
            for table in ("vega", "deneb"):
                await one.create(table)

            async def writer(log: Log, name: str, table: str) -> None:
                first = 1
                for turn in range(10):
                    while True:
                        try:
                            await log.append(table, first, [f"{name}{turn}"], command=f"{name}{turn}")
                            break
                        except Conflict as lost:
                            first = lost.next
                    first += 1

            await asyncio.gather(*(
                writer(log, f"{name}{place}", table)
                for place, log in enumerate((one, two)) for name in "ab" for table in ("vega", "deneb")
            ))
            for table in ("vega", "deneb"):
                assert [number for number, _ in await two.read(table)] == list(range(1, 41))
        finally:
            await two.close()

    lasting.play(scene)


def test_what_one_program_holds_up_the_others_see_until_it_lets_go_or_ends(lasting):
    async def scene(one: Log):
        two = open_log(lasting.address)
        try:
            assert await two.held(["ana", "bob"]) == frozenset()
            await one.hold("ana")
            await one.hold("ana")
            await two.hold("bob")
            await one.hold("bob")
            for log in (one, two):
                assert await log.held(["ana", "bob", "cy"]) == {"ana", "bob"}
            await one.let_go(["bob", "cy"])
            assert await one.held(["ana", "bob"]) == {"ana", "bob"}
        finally:
            await two.close()
        assert await one.held(["ana", "bob"]) == {"ana"}
        three = open_log(lasting.address)
        assert await three.held(["ana", "bob"]) == {"ana"}
        await three.close()

    lasting.play(scene)


def test_nothing_of_what_was_held_up_is_left(place):
    async def before(log: Log):
        await log.hold("ana")
        assert await log.held(["ana"]) == {"ana"}
        await log.let_go(["ana"])
        assert await log.held(["ana"]) == frozenset()
        await log.hold("ana")

    async def after(log: Log):
        assert await log.held(["ana"]) == frozenset()

    place.play(before)
    place.play(after)


def test_a_picture_is_kept_with_its_table_by_the_hash_of_its_content(place):
    async def scene(log: Log):
        await log.create("vega")
        await log.create("deneb")
        kept = await log.keep_picture("vega", b"\x00a picture\xff")
        assert kept == hashlib.sha256(b"\x00a picture\xff").hexdigest()
        assert await log.keep_picture("vega", b"\x00a picture\xff") == kept
        assert await log.picture("vega", kept) == b"\x00a picture\xff"
        assert await log.picture("deneb", kept) is None, "another table's is not there"
        assert await log.picture("vega", "0" * 64) is None
        with pytest.raises(NoTable):
            await log.keep_picture("altair", b"nowhere")

    place.play(scene)
