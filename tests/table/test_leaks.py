"""Ways in which a table once told what it should not, each as a small story; the proof by difference found them."""

import asyncio
import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from evening import Evening
from scene import Table
from veil import HERO, VEIL, Hero

from paravent.game import Fault, find_system
from paravent.store.memory import MemoryLog
from paravent.table import commands as c
from paravent.table import events as e
from paravent.table.decide import Fresh, decide
from paravent.table.evolve import evolve
from paravent.table.export import export_for_gm, export_seen, imported, read_export
from paravent.table.forms import start_form_seen
from paravent.table.host import Host
from paravent.table.verify import proved, verify
from paravent.table.view import Looking


def log_of(evening: Evening) -> list[str]:
    return [e.written(event) for event in evening.table.events]


def test_somebody_hidden_in_a_move_does_not_change_the_odds_that_others_are_shown(evening: Evening) -> None:
    spy = evening.ana.brings("Espion", seen_by=("gm",))
    alone = evening.ana.starts("pass-time", {"character": []}, {"gm": {"time_span": "night"}})
    watched = evening.ana.starts("pass-time", {"character": [spy]}, {"gm": {"time_span": "night"}})
    for person in evening.others:
        number = {at: person.table.state.counts_of(person.seat).moves[at] for at in (alone, watched)}
        assert person.odds(number[alone]) == person.odds(number[watched])
        assert person.move(number[alone])["waits_for"] == person.move(number[watched])["waits_for"]


def test_whoever_left_may_still_look_at_a_form(evening: Evening) -> None:
    number = evening.bob.starts("leap", {"initiator": [evening.elya]})
    evening.bob.does(c.Leave)
    assert [row["field"] for row in evening.bob.form(number)["fields"]] == ["score"]
    assert evening.bob.odds(number) is not None
    form = start_form_seen(evening.table.state, evening.bob.seat, "leap", {}, None, evening.table.system)
    assert form["roles"]


@pytest.mark.parametrize("fate", [0, 12])
def test_an_owner_is_held_to_what_can_be_checked_without_what_they_may_not_see(evening: Evening, fate: int) -> None:
    evening.ana.does(c.EditRecord, record=evening.elya, path="fate", value=fate)
    assert evening.bob.refused(c.EditRecord, record=evening.elya, path="body", value=12) == "record/faults"
    evening.bob.does(c.EditRecord, record=evening.elya, path="body", value=9)


def test_a_fault_counts_only_if_it_stands_whatever_is_hidden() -> None:
    def faults(check):
        return [fault.key for fault in replace(HERO, check=check).faults_without(Hero(body=12, fate=9), {"fate"}, None)]

    assert faults(lambda hero, rulings: [Fault("strong")] if hero.body > 9 else []) == ["strong"]
    assert faults(lambda hero, rulings: [Fault("doomed")] if hero.fate > 3 else []) == []
    assert faults(lambda hero, rulings: [Fault("strong")] * (hero.body > 9) + [Fault("doomed")] * (hero.fate < 3)) == [
        "strong"]
    # One whose words would say what is hidden is not the same fault whatever stands there.
    assert faults(lambda hero, rulings: [Fault("sum", values={"got": hero.body + hero.fate})]) == []
    assert faults(lambda hero, rulings: [Fault("far")] if 10 // hero.fate == 10**6 else [Fault("near")]) == ["near"]


def test_a_game_masters_file_does_not_say_that_others_whispered(evening: Evening) -> None:
    evening.bob.says("à la cale, à minuit", kind="whisper", to=(evening.cy.seat,))
    evening.ana.says("La nuit tombe.", kind="story")
    evening.ana.does(c.UndoLast)
    lines = list(export_for_gm(log_of(evening), evening.ana.seat))
    assert not [line for line in lines if '"whisper"' in line]
    brought = imported(read_export(lines), Fresh(), evening.table.system).state
    (story,) = (item for item in brought.log if isinstance(item.event, e.Said) and item.event.kind == "story")
    assert story.undone


@pytest.mark.parametrize("opened", [True, False])
def test_a_game_masters_file_does_not_say_what_somebody_thought_of_before_they_chose(opened: bool) -> None:
    """Bob seals, thinks again, seals something else; and sits as long over it where he does not. Then it is opened, or
    the act is cancelled. A fresh seed of the proof by difference found it."""
    files = []
    for first in (2, 1):
        evening = Evening()
        number = evening.bob.starts("duel", {"initiator": [evening.elya], "opponent": [evening.tarn]})
        evening.bob.fills(number, stance=first)
        if first != 1:
            evening.bob.fills(number, stance=1)
        else:
            evening.table.commands += 1
        if opened:
            evening.cy.fills(number, stance=0)
            evening.bob.throws(number)
        else:
            evening.bob.does(c.Withdraw, number=number)
        told = list(export_for_gm(log_of(evening), evening.ana.seat))
        assert imported(read_export(told), Fresh(), VEIL).state.moves_started == number
        assert proved(told).holds
        files.append([re.sub('"(at|key|hash)":"[^"]*"', "", line) for line in told[:-1]])
    assert files[0] == files[1]
    assert ('"value":1' in "".join(files[0])) is opened


def test_a_game_masters_file_holds_no_key_of_dice_that_are_still_to_be_thrown(evening: Evening) -> None:
    thrown = evening.bob.starts("leap", {"initiator": [evening.elya]})
    evening.bob.throws(thrown)
    ready = evening.bob.starts("leap", {"initiator": [evening.elya]})
    keys = {at: kept.keys["roll"] for at, kept in evening.table.state.moves.items()}
    lines = list(export_for_gm(log_of(evening), evening.ana.seat))
    known = [keys[at].key in "".join(lines) for at in sorted(keys)]
    assert known == [True, False]
    brought = imported(read_export(lines), Fresh(), evening.table.system)
    made = brought.state.move(max(keys)).keys["roll"]
    assert made.hash != keys[max(keys)].hash
    events, state = list(brought.events), brought.state
    throw = c.ThrowDice(seat=evening.bob.seat, number=ready, grain="n")
    for event in decide(state, throw, evening.table.system, Fresh()):
        events.append(event)
        state = evolve(state, event)
    rows = [e.written(event) for event in events]
    assert verify(export_seen(rows, evening.bob.seat, evening.table.system))[:3] == (2, 0, 0)


@pytest.mark.parametrize(("hidden", "why"), [({}, "nothing-to-heal"), ({"dead": True}, "beyond-care")])
def test_what_the_rules_refuse_over_something_hidden_goes_to_the_game_master_unexplained(hidden: Any, why: str) -> None:
    """A guard's figures are the game master's: that he is dead, or unhurt, is not a player's to hear."""
    table = Table(find_system("simulacres"))
    ana, bob = table.joins("Ana", as_="gm"), table.joins("Bob")
    guard = ana.brings("Garde", kind="extra", seen_by=("all",), **hidden)
    bob.does(c.StartMove, move="dress-wounds", cast={"patient": [guard]}, form={bob.seat: {"value": 8}})
    bob.does(c.ThrowDice, number=1, grain="n")
    assert bob.moves()["1"]["waits_for"] == [ana.seat]  # not a word of why
    assert bob.refused(c.ThrowDice, number=1, grain="n") == "table/withheld"
    assert ana.refused(c.ThrowDice, number=1, grain="n") == f"simulacres/{why}"
    ana.does(c.Fill, number=1, actor="gm", values={"at_sight": "nothing_to_dress"})  # hers to tell
    assert bob.moves()["1"]["phase"] == "settled"


def test_nobody_reads_from_who_is_awaited_whether_a_guard_is_hurt() -> None:
    """Where judgements are waited for, one tap of the game master's is: the only one that holds."""
    seen, offered = [], []
    for hidden in ({}, {"dead": True}, {"life_points": 3}):
        table = Table(find_system("simulacres"))
        ana, bob = table.joins("Ana", as_="gm"), table.joins("Bob")
        ana.does(c.SetHouse, judging="before")
        guard = ana.brings("Garde", kind="extra", seen_by=("all",), **hidden)
        bob.does(c.StartMove, move="dress-wounds", cast={"patient": [guard]}, form={bob.seat: {"value": 8}})
        assert bob.moves()["1"]["waits_for"] == [ana.seat]
        seen.append(str(bob.moves()).replace(guard, "guard").replace(ana.seat, "ana").replace(bob.seat, "bob"))
        (asked,) = (row for row in ana.form(1)["fields"] if row["field"] == "at_sight")
        offered.append(asked["options"])
        ana.does(c.Fill, number=1, actor="gm", values={"at_sight": asked["options"][0]})
        assert (bob.moves()["1"]["phase"] == "settled") is (asked["options"] == ["nothing_to_dress"])
    assert len(set(seen)) == 1
    assert offered == [["nothing_to_dress"], ["nothing_to_dress"], ["to_dress"]]


def test_nobody_reads_from_who_is_awaited_whether_a_mind_is_shaken() -> None:
    """With somebody whose points are hidden, a session waits for one tap, and ends there if it is of no use."""
    seen, offered = [], []
    for hidden in ({}, {"psyche_points": 2}, {"psyche_points": 2, "days_since_session": 3}):
        table = Table(find_system("simulacres"))
        ana, bob = table.joins("Ana", as_="gm"), table.joins("Bob")
        ana.does(c.SetHouse, judging="before")
        guard = ana.brings("Garde", kind="extra", seen_by=("all",), **hidden)
        bob.does(c.StartMove, move="therapy-session", cast={"patient": [guard]}, form={bob.seat: {"value": 8}})
        assert bob.moves()["1"]["waits_for"] == [ana.seat]
        seen.append(str(bob.moves()).replace(guard, "guard").replace(ana.seat, "ana").replace(bob.seat, "bob"))
        (asked,) = (row for row in ana.form(1)["fields"] if row["field"] == "mind_at_sight")
        offered.append(asked["options"])
        ana.does(c.Fill, number=1, actor="gm", values={"mind_at_sight": asked["options"][0]})
        assert (bob.moves()["1"]["phase"] == "settled") is (asked["options"] == ["nothing_to_heal"])
    assert len(set(seen)) == 1
    assert offered == [["nothing_to_heal"], ["to_heal"], ["nothing_to_heal"]]


@pytest.mark.parametrize("difficulty", [-3, 0])
def test_what_the_rules_refuse_over_what_all_see_is_said_whatever_else_is_hidden(difficulty: int) -> None:
    table = Table(find_system("simulacres"))
    ana, bob = table.joins("Ana", as_="gm"), table.joins("Bob")
    screened = {"hide_difficulty": True, "hidden_difficulty": difficulty}
    ana.does(c.StartMove, move="simple-test", cast={"initiator": [bob.seat]}, form={"gm": screened})
    assert bob.refused(c.ThrowDice, number=1, grain="n") == "form/missing"


@pytest.mark.parametrize("notes", [0, 1100])
def test_how_much_somebody_who_comes_late_may_read_does_not_depend_on_what_was_hidden(notes: int) -> None:
    table = Table(VEIL)
    ana = table.joins("Ana", as_="gm")
    state = table.state
    for text in map(str, range(150)):
        state = evolve(state, e.Said(kind="story", text=text, by=ana.seat))
    for text in map(str, range(notes)):
        state = evolve(state, e.Said(kind="note", text=text, by=ana.seat, audience=("gm",)))
    state = evolve(state, e.SeatAdded(seat="zoe", name="Zoe", rank="spectator", link=""))
    assert sum(line.type == "said" for line in Looking(state, "zoe", VEIL).log()) == 150


@pytest.mark.parametrize("notes", [0, 700])
def test_what_is_told_again_after_a_restart_does_not_depend_on_what_was_hidden(notes: int) -> None:
    async def told() -> Any:
        log = MemoryLog()
        host = Host(log, systems=lambda name: VEIL, now=lambda: datetime(2031, 5, 1, tzinfo=UTC))
        entry = await host.open("veil", "Vendredi", "Ana")
        bob = (await host.do(entry.table, c.AddSeat(seat=entry.seat, name="Bob")))["seat"]
        for _ in range(5):
            await host.do(entry.table, c.Say(seat=bob, text="bonsoir"))
        for _ in range(notes):
            await host.do(entry.table, c.Say(seat=entry.seat, kind="note", text="…"))
        again = await Host(log, systems=lambda name: VEIL).live(entry.table)
        return [news.report.values["type"] for news in again.news(bob, 3)]

    assert asyncio.run(told()) == ["whole"]


def test_a_deadline_does_not_tell_whoever_started_a_move_that_it_was_thrown_behind_the_screen(evening: Evening) -> None:
    number = evening.bob.starts("act", {"initiator": [evening.elya]})
    evening.ana.does(c.SetDeadline, number=number, policy="default", seconds=60)
    evening.ana.does(c.SetSecrecy, number=number, secrecy="invisible")
    before, told = evening.bob.move(number), len(evening.bob.told)
    assert before["deadline"]["until"]
    evening.ana.throws(number)
    assert evening.bob.move(number) == before
    assert len(evening.bob.told) == told
