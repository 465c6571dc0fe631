"""A table without a log: who is waited for, what was heard and when, and rules that run once."""

from dataclasses import replace

import pytest
from veil import MUCH, VEIL, Hero, nothing

from paravent.dice.errors import NotAnOption
from paravent.dice.play import ScriptedFaces
from paravent.game import GAME_MASTER, INITIATOR, Ask, Call, Field, Flag, Move, Resolve, Role, Whole
from paravent.table import rereading
from paravent.table.hotseat import Hotseat

SEATS = {"Ana": "gm", "Bob": "player", "Cy": "player"}


def table(*faces: int) -> Hotseat:
    played = Hotseat(VEIL, SEATS, faces=ScriptedFaces(faces))
    played.add("Elya", Hero("Elya"), owner="Bob")
    played.add("Tarn", Hero("Tarn"), owner="Cy")
    return played


def cold(played: Hotseat, number: int) -> rereading.OpenMove:
    """The act, read from what is kept of it alone."""
    rereading._READ.clear()
    return played.moves[number]


def test_who_let_something_pass_is_waited_for_no_more() -> None:
    played = table(3)
    plea = played.start("Bob", "plea", {"initiator": ["Elya"]})
    played.throw("Bob", plea)
    assert played.waits_for(plea) == {"Ana", "Cy"}
    with pytest.raises(NotAnOption):
        played.answer("Cy", plea, "perhaps")
    played.answer("Cy", plea, False)
    assert played.waits_for(plea) == {"Ana"}
    played.answer("Ana", plea, False)
    assert played.moves[plea].phase == "closed"


def test_what_was_told_is_heard_in_the_order_in_which_it_was_told() -> None:
    played = table(1, 1, 1, 6, 6, 6)
    first = played.start("Bob", "act", {"initiator": ["Elya"]})
    second = played.start("Cy", "act", {"initiator": ["Tarn"]})
    played.throw("Cy", second)
    played.throw("Bob", first)
    assert [heard.number for heard in played.heard("Ana")] == [second, first]
    assert [telling.values for telling in played.told("Ana")] == [{"n": 3}, {"n": 0}]


def test_once_dice_have_fallen_an_act_is_not_read_again_while_it_is_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    played = table(1, 2, 6, 3)
    act = played.start("Bob", "act", {"initiator": ["Elya"]}, {"Elya": {"again": True}})
    played.throw("Bob", act)
    monkeypatch.setattr(rereading, "_reread", lambda *asked: pytest.fail("the act was read anew"))
    played.answer("Bob", act, True)
    assert played.moves[act].results == {"roll": 3}


GIVE = Move(
    "give",
    (
        Ask("what", (MUCH, Field("back", Whole(0, 5), role="helper"), Field("thanks", Flag(), usual=False, by="gm"))),
        Resolve("done", lambda ctx: Call(nothing, ctx[MUCH])),
    ),
    cast=(INITIATOR, Role("helper"), GAME_MASTER),
)
GIVING = replace(VEIL, moves={**VEIL.moves, GIVE.id: GIVE})


def test_what_the_game_master_fills_in_for_each_is_asked_of_nobody_else() -> None:
    played = Hotseat(GIVING, SEATS)
    played.add("Elya", Hero("Elya"), owner="Bob")
    gift = played.start("Bob", "give", {"initiator": ["Elya"], "helper": ["Ana"]})
    hero = played.moves[gift].cast[0]
    assert {asked.id: set(played.asked_for(gift, hero, asked)) for asked in GIVE.fields if asked.role == hero.role} == {
        "much": {"Bob"}, "thanks": {"Ana"}}


def test_an_act_in_which_somebody_holds_two_roles_is_read_back_as_it_stood() -> None:
    played = Hotseat(GIVING, SEATS)
    gift = played.start("Ana", "give", {"initiator": ["Ana"], "helper": ["Ana"]})
    played.fill("Ana", gift, {"much": 2, "back": 1})
    again = cold(played, gift)
    assert [(actor.role, actor.filled) for actor in again.cast] == [
        ("initiator", {"much": 2}), ("helper", {"back": 1}), ("gm", {})]
