"""Vetoes at a table: one is enough, or it takes most of the others; who voted how is written nowhere."""

import asyncio
import json
from typing import Any

import pytest

from paravent.dice import NotAnOption
from paravent.store import open_log
from paravent.systems.solaires import SYSTEM
from paravent.table import commands as c
from paravent.table.host import Host
from paravent.table.view import view


async def vote(votes: dict[str, bool], leaves: str = "", why: str = "", **options: str) -> tuple[str, list[str]]:
    """Bob proposes a flashback; the others vote in turn, at two programs. How it ended, and all that was written."""
    log = open_log("memory:")
    hosts = [Host(log, systems=lambda name: SYSTEM), Host(log, systems=lambda name: SYSTEM)]
    entry = await hosts[0].open("solaires", "Vendredi", "Ana")
    seats = {"ana": entry.seat}

    async def do(asked: type[c.Command], who: str, at: int = 0, **values: Any) -> dict[str, Any]:
        await hosts[at].catch_up(entry.table)
        return await hosts[at].do(entry.table, asked(seat=seats[who], **values))

    await do(c.SetOptions, "ana", options=options)
    for name in ("bob", "cy", "dee"):
        seats[name] = (await do(c.AddSeat, "ana", name=name))["seat"]
    sheet = (await do(c.AddRecord, "bob", sheet={"name": "Orin", "concept": "Pilote"}))["record"]
    number = (await do(c.StartMove, "bob", move="spend-points", cast={"initiator": [sheet]},
                       form={sheet: {"use": "flashback", "text": "hier"}}))["number"]
    await do(c.Fill, "ana", number=number, values={"cost": 2})
    with pytest.raises(NotAnOption):
        await do(c.Answer, "cy", number=number, answer="peut-être")
    before = len(await log.read(entry.table))
    for at, (who, against) in enumerate(votes.items()):
        await do(c.Answer, who, at % 2, number=number, answer=against, why=why)
    if leaves:
        await do(c.Leave, leaves)
    live = await hosts[0].catch_up(entry.table)
    throws = view(live.state, seats["bob"], SYSTEM).moves[number].throws
    written = [text for _, text in await log.read(entry.table, before)]
    return str(throws[0].outcome or "") if throws else "", written


@pytest.mark.rules("SOL-113")
@pytest.mark.option("veto", "majority")
@pytest.mark.parametrize(("veto", "votes", "leaves", "ends"), [
    ("anyone", {"cy": True}, "", "vetoed"),
    ("anyone", {"cy": False, "dee": False, "ana": False}, "", "spent"),
    ("majority", {"cy": True}, "", ""),
    ("majority", {"cy": True, "ana": True}, "", "vetoed"),
    ("majority", {"cy": True, "ana": False, "dee": False}, "", "spent"),
    ("majority", {"cy": True, "ana": False}, "", ""),
    ("majority", {"cy": True}, "dee", ""),
    ("majority", {"ana": False}, "dee", "spent"),
])
def test_a_veto_is_counted_by_the_table(veto: str, votes: dict[str, bool], leaves: str, ends: str) -> None:
    assert asyncio.run(vote(votes, leaves, veto=veto))[0] == ends


@pytest.mark.rules("SOL-113")
def test_nobody_can_tell_who_made_up_a_majority() -> None:
    for votes in ({"cy": True, "ana": True}, {"dee": True, "ana": True}, {"dee": True, "cy": True}):
        outcome, written = asyncio.run(vote(votes, veto="majority"))
        answered, back = (json.loads(one) for one in written)
        assert (outcome, answered["by"], back["by"]) == ("vetoed", "", "")
        assert back["act"]["cast"][0]["id"] in back["act"]["awaited"]  # the words are Bob's again, begun by nobody else


@pytest.mark.rules("SOL-113")
@pytest.mark.parametrize("votes", [{"cy": True}, {"dee": True}, {"ana": True}])
def test_a_veto_says_why_and_not_whose_words_these_are(votes: dict[str, bool]) -> None:
    outcome, written = asyncio.run(vote(votes, why="  trop\nfacile "))
    assert outcome == "vetoed"
    assert [json.loads(one)["by"] for one in written] == ["", "", ""]
    assert "trop facile" in written[-1]
    assert all(seat not in written[-1] for seat in votes)


@pytest.mark.rules("SOL-113")
def test_whoever_lets_it_pass_has_nothing_to_explain() -> None:
    outcome, written = asyncio.run(vote({"cy": False, "dee": False, "ana": False}, why="trop facile"))
    assert outcome == "spent"
    assert "trop facile" not in "".join(written)
