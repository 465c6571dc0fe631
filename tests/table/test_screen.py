"""The game master's screen: how much of a throw is shown, said before the dice; never more than the game says."""

import json
from typing import Any

import pytest
from evening import Evening
from scene import Person, Table

from paravent.game.move import SECRECIES, Shown, narrower
from paravent.game.records import only
from paravent.systems.conteur import SYSTEM as CONTEUR
from paravent.table import commands as c
from paravent.table import events as e
from paravent.table import playing
from paravent.table.evolve import evolve
from paravent.table.export import export_seen, export_whole
from paravent.table.state import State
from paravent.table.verify import Verdict, verify

FACES_OF = playing.faces_of


@pytest.fixture
def salt(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What makes dice fall otherwise behind the same hash."""
    salted: list[bytes] = []

    def faces_of(*args: Any) -> Any:
        faces = FACES_OF(*args)
        if salted and hasattr(faces, "_grain"):
            faces._grain += salted[-1]
        return faces

    monkeypatch.setattr(playing, "faces_of", faces_of)
    return salted


def acts(evening: Evening, secrecy: str = "", **filled: Any) -> int:
    """Bob acts, and Ana says how much of it is shown."""
    number = evening.bob.starts("act", {"initiator": [evening.elya]}, {evening.elya: filled})
    if secrecy:
        evening.ana.does(c.SetSecrecy, number=own(evening.ana), secrecy=secrecy)
    return number


def own(person: Person) -> int:
    """The number of the last move that somebody knows of."""
    return int(person.move()["number"])


def verdicts(evening: Evening) -> dict[str, Verdict]:
    log = [e.written(event) for event in evening.table.events]
    return {person.name: verify(export_seen(log, person.seat, evening.table.system)) for person in evening.people} | {
        "whole": verify(export_whole(log))}


def test_each_secrecy_is_what_both_the_game_and_the_game_master_show() -> None:
    mine = only("initiator", "gm")
    assert Shown(mine, mine, mine, mine).no_wider(SECRECIES["outcome-hidden"]) == Shown(
        mine, mine, frozenset({"gm"}), frozenset({"gm"}))
    assert Shown(dice=only("initiator")).no_wider(SECRECIES["existence-only"]).dice == frozenset()
    widths = [
        [len(narrower(frozenset({"all"}), part or frozenset()) & {"all"}) for part in shown[:3]]
        for shown in SECRECIES.values()
    ]
    assert widths == [[1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize("secrecy", SECRECIES)
def test_the_four_secrecies_of_a_throw(evening: Evening, secrecy: str) -> None:
    number = acts(evening, secrecy, score=0)
    thrower = evening.ana if secrecy == "invisible" else evening.bob
    thrower.throws(own(thrower))
    for person in evening.others:
        if secrecy == "invisible" and person is not evening.bob:
            assert person.moves() == {}
            continue
        throws = person.move()["throws"]
        assert bool(throws) == (secrecy != "invisible")
        assert any("dice" in throw for throw in throws) == (secrecy in ("open", "outcome-hidden"))
        assert any("outcome" in throw for throw in throws) == (secrecy == "open")
        assert any("told" in throw for throw in throws) == (secrecy == "open")
        assert bool(person.move()["changes"]) == (secrecy == "open")
        assert any("key" in proof for proof in person.move()["proofs"]) == (secrecy in ("open", "outcome-hidden"))
    [throw] = evening.ana.move()["throws"]
    assert throw["outcome"] == "failure"
    evening.ana.accepts(own(evening.ana))
    assert bool(evening.bob.move(number)["changes"]) == (secrecy == "open")
    assert verdicts(evening)["whole"] == Verdict(1, 0, 0)


@pytest.mark.parametrize("secrecy", ["existence-only", "invisible"])
@pytest.mark.parametrize("again", [False, True])
def test_whatever_falls_behind_the_screen_nobody_else_receives_another_byte(
    salt: list[bytes], secrecy: str, again: bool
) -> None:
    evenings = []
    for at in range(6):
        evening = Evening()
        salt[:] = [bytes([at])]
        acts(evening, secrecy, score=3, again=again)
        thrower = evening.ana if secrecy == "invisible" else evening.bob
        thrower.throws(own(thrower))
        kept = evening.table.state.move(1)
        if kept.pending is not None:
            evening.ana.answers(own(evening.ana), bool(at % 2))
        else:
            evening.ana.says("bien", kind="note")
        for command in (c.Withdraw, c.CloseStep, c.ThrowDice):
            evening.bob.refused(command, number=1)
        evening.bob.refused(c.Fill, number=1, values={"score": 2})
        evening.bob.received.append(json.dumps([evening.bob.form(1), evening.bob.odds(1) is not None]))
        evenings.append(evening)
    ends = {evening.table.state.move(1).throws[0].outcome for evening in evenings}
    assert ends == {"success", "failure"}
    for name in ("bob", "cy", "zoe"):
        received = [getattr(evening, name).received for evening in evenings]
        assert all(other == received[0] for other in received)


def test_what_would_be_asked_of_others_in_the_middle_is_asked_of_the_game_master(evening: Evening) -> None:
    number = evening.bob.starts("plea", {"initiator": [evening.elya]})
    evening.ana.does(c.SetSecrecy, number=number, secrecy="existence-only")
    evening.bob.throws(number)
    assert evening.ana.move()["choice"]["key"] == "veto"
    assert "choice" not in evening.cy.move()
    assert evening.cy.refused(c.Answer, number=number, answer=True) == "table/already-thrown"
    evening.ana.answers(number, False)
    assert evening.ana.move()["throws"][0]["outcome"] == "heard"


def test_a_game_master_starts_a_move_that_nobody_else_knows_of(evening: Evening) -> None:
    told = [len(person.told) for person in evening.others]
    number = evening.ana.starts("act", {"initiator": [evening.elya]}, {evening.elya: {"again": True}},
                                secrecy="invisible")
    assert evening.ana.move()["waits_for"] == [evening.ana.seat]
    evening.ana.throws(number)
    if "choice" in evening.ana.move():
        evening.ana.answers(number, True)
    assert [len(person.told) for person in evening.others] == told
    assert all(person.moves() == {} for person in evening.others)
    evening.ana.does(c.TurnOver, number=number, step="roll")
    assert all(person.move()["throws"][0]["dice"] for person in evening.others)
    assert verdicts(evening)["Zoe"] == Verdict(0, 0, 0, None, unannounced=1)
    assert verdicts(evening)["Ana"] == verdicts(evening)["whole"] == Verdict(1, 0, 0)
    evening.ana.does(c.UndoLast)
    assert all(person.moves() == {} for person in evening.others)
    assert all(person.sees()["log"][-1]["what"] == "throw-turned-over" for person in evening.others)


def test_a_throw_asked_for_behind_the_screen(evening: Evening) -> None:
    evening.ana.does(c.AskMove, move="leap", of=(evening.elya, evening.tarn), secrecy="existence-only")
    assert evening.bob.move(1)["grade"] == "existence-only"
    assert evening.bob.refused(c.ThrowDice, number=1, by_hand=True) == "table/blind-throw"
    evening.bob.throws(1)
    assert evening.bob.move(1)["throws"] == [{"step": "roll"}]
    evening.ana.does(c.TurnOver, number=1, step="roll")
    assert evening.zoe.move(1)["throws"][0]["outcome"] in ("True", "False")
    assert verdicts(evening)["Zoe"] == Verdict(1, 0, 0)


def test_a_throw_whose_end_alone_is_hidden_may_be_typed_in(evening: Evening) -> None:
    number = acts(evening, "outcome-hidden")
    evening.bob.throws(number, by_hand=True)
    evening.bob.answers(number, [6, 6, 6])
    assert evening.zoe.move()["throws"][0]["dice"][0]["faces"] == [6, 6, 6]
    assert "outcome" not in evening.zoe.move()["throws"][0]
    assert verdicts(evening)["Zoe"] == Verdict(0, 0, 1)


def test_whoever_throws_knows_that_the_dice_are_hidden_even_if_the_games_reason_is_not_theirs_to_read() -> None:
    table = Table(CONTEUR)
    ana, bob = table.joins("Ana", as_="gm"), table.joins("Bob")
    bob.does(c.AddRecord, ready=next(iter(CONTEUR.kind("character").ready("fr"))))
    [maelle] = bob.sees()["records"]
    number = bob.starts("throw", {"initiator": [maelle]}, {maelle: {"attribute": "dexterity"}})
    assert bob.form(number)["throw"]["by_hand"]
    ana.does(c.SetSecrecy, number=number, secrecy="existence-only")
    assert not bob.form(number)["throw"]["by_hand"]
    assert bob.refused(c.ThrowDice, number=number, by_hand=True) == "table/blind-throw"


def test_the_secrecy_is_the_game_masters_and_is_said_before_the_dice(evening: Evening) -> None:
    number = acts(evening)
    assert evening.bob.refused(c.SetSecrecy, number=number, secrecy="open") == "table/only-gm"
    assert evening.bob.refused(c.StartMove, move="leap", secrecy="invisible") == "table/not-yours"
    assert evening.ana.refused(c.SetSecrecy, number=number, secrecy="upside-down") == "form/unknown"
    events = len(evening.table.events)
    evening.ana.does(c.SetSecrecy, number=number, secrecy="open")
    assert len(evening.table.events) == events
    evening.bob.throws(number)
    assert evening.ana.refused(c.SetSecrecy, number=number, secrecy="invisible") in (
        "table/already-thrown", "table/not-now")


def test_the_game_master_may_think_better_of_it_before_the_dice(evening: Evening) -> None:
    number = acts(evening)
    before = evening.cy.move(), evening.bob.move()
    evening.ana.does(c.SetSecrecy, number=number, secrecy="invisible")
    assert evening.cy.moves() == {}
    assert evening.cy.told[-1] == evening.cy.told[-1] | {"type": "grade-set", "gone": True, "number": 1}
    assert evening.bob.move()["proofs"] == []
    assert evening.bob.refused(c.Withdraw, number=number) == "table/behind-screen"
    assert evening.bob.form(number)["fields"] == []
    evening.ana.does(c.SetSecrecy, number=number, secrecy="open")
    assert (evening.cy.move(), evening.bob.move()) == before
    evening.bob.throws(number)
    assert verdicts(evening)["Cy"] == Verdict(1, 0, 0)


def test_a_move_begun_again_stays_behind_the_screen(evening: Evening) -> None:
    evening.ana.starts("act", {"initiator": [evening.elya]}, secrecy="invisible")
    evening.ana.does(c.Restart, number=1)
    assert evening.ana.move()["grade"] == "invisible"
    assert all(person.moves() == {} for person in evening.others)


def test_what_a_hidden_end_leads_to_is_hidden_with_it(evening: Evening) -> None:
    evening.ana.starts("brawl")
    told = {person.name: len(person.told) for person in evening.others}
    number = evening.ana.starts("strike", {"initiator": [evening.elya]}, {evening.elya: {"score": 0}}, encounter=1,
                                secrecy="invisible")
    evening.ana.throws(number)
    assert evening.ana.move()["move"] == "leap"
    assert evening.ana.move()["grade"] == "invisible"
    assert {person.name: len(person.told) for person in evening.others} == told


def test_an_encounter_begun_behind_the_screen_comes_out_with_its_throw(evening: Evening) -> None:
    evening.ana.does(c.StartMove, move="brawl", secrecy="invisible")
    assert evening.ana.sees()["encounters"]["1"]["encounter"] == "fight"
    assert all(person.sees()["encounters"] == {} for person in evening.others)
    assert evening.bob.refused(c.StartMove, move="strike", cast={"initiator": [evening.elya]},
                               encounter=1) == "form/unknown"
    evening.ana.does(c.TurnOver, number=1, step="begin")
    assert evening.zoe.sees()["encounters"]["1"]["encounter"] == "fight"
    assert evening.ana.sees()["encounters"]["1"]["state"]["ambush"] == 7


def test_free_throws_too_are_narrowed(evening: Evening) -> None:
    number = evening.bob.starts("free-throw", None, {evening.bob.seat: {"expression": "3d6", "grade": "gm"}})
    evening.ana.does(c.SetSecrecy, number=own(evening.ana), secrecy="existence-only")
    assert not evening.bob.form(number)["throw"]["by_hand"]
    evening.bob.throws(number)
    assert evening.bob.move()["throws"] == [{"step": "throw"}]
    assert evening.zoe.moves() == {}
    blind = evening.bob.starts("free-throw", None, {evening.bob.seat: {"expression": "3d6", "grade": "blind"}})
    assert evening.bob.refused(c.ThrowDice, number=blind, by_hand=True) == "table/blind-throw"
    hidden = evening.ana.starts("free-throw", None, {evening.ana.seat: {"expression": "3d6", "grade": "hidden"}})
    evening.ana.throws(hidden, by_hand=True)
    assert "dice" in evening.ana.move()


@pytest.mark.parametrize(("grade", "seen"), [
    ("open", ["dice outcome"] * 4), ("gm", ["dice outcome", "dice outcome", "", ""]),
    ("blind", ["dice outcome", "nothing", "", ""]), ("hidden", ["dice outcome", "", "", ""]),
])
def test_free_dice_are_seen_by_those_whom_whoever_throws_chose(evening: Evening, grade: str, seen: list[str]) -> None:
    """By the game master, by whoever throws, by another player, by a spectator."""
    who = evening.ana if grade == "hidden" else evening.bob
    who.throws(who.starts("free-throw", None, {who.seat: {"expression": "3d6", "grade": grade}}))
    thrown = [next((move["throws"][0] for move in person.moves().values()), None) for person in evening.people]
    assert [("" if throw is None else " ".join(part for part in ("dice", "outcome") if part in throw) or "nothing")
            for throw in thrown] == seen


def test_the_log_alone_tells_the_secrecy(evening: Evening) -> None:
    number = acts(evening, "existence-only", score=0)
    evening.bob.throws(number)
    evening.ana.does(c.TurnOver, number=own(evening.ana), step="roll")
    again = State()
    for event in evening.table.events:
        again = evolve(again, e.read(e.written(event)))
    assert again == evening.table.state
    assert again.move(1).secrecy == "existence-only"
