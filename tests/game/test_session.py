"""What a session in memory says to whoever drives it: names it refuses, dice typed in, what it asks of whom."""

import pytest
from toys import Token, rough

from paravent.dice import Dice, ParaventError
from paravent.dice.play import ScriptedFaces
from paravent.game import (
    OUTCOME_HIDDEN,
    Ask,
    Call,
    Field,
    Move,
    NotNow,
    NotYours,
    RecordKind,
    Resolve,
    TextField,
    UnknownName,
    Whole,
)
from paravent.game.errors import AlreadyThrown, BadValue
from paravent.game.session import Session

SEATS = {"Maud": "gm", "Ana": "player", "Bob": "player", "Eve": "spectator"}


def push(dice: Dice, strength: int, against: int) -> int:
    return strength + dice.of("initiator").sum(1, 6) - against


def as_said(dice: Dice, value: int) -> int:
    return value


EFFORT = Field("effort", Whole(0, lambda ctx: ctx.one().sheet(Token).strength), usual=0)
AGAINST = Field("against", Whole(0, 9), "gm", secrecy="gm", usual=0, probes=(0, 5))
PUSH = Move(
    "push",
    steps=(
        Ask("declare", (EFFORT, AGAINST)),
        Resolve("push", lambda ctx: Call(push, ctx.one().sheet(Token).strength + ctx[EFFORT], ctx[AGAINST]),
                shown=lambda ctx, result: OUTCOME_HIDDEN),
    ),
)
TOY = rough("toy", [PUSH], [RecordKind("character", Token)])


@pytest.fixture
def session() -> Session:
    session = Session(TOY, SEATS, faces=ScriptedFaces([4, 4, 4, 4]))
    session.add("Nadir", Token("Nadir"), owner="Ana")
    return session


@pytest.mark.parametrize("name", ["gm", "all", "others", "encounter", "clock", ""])
def test_words_of_the_house_are_no_names(session: Session, name: str) -> None:
    with pytest.raises(BadValue):
        session.add(name, Token("x"))


def test_a_player_called_gm_is_no_game_master() -> None:
    session = Session(TOY, {"Maud": "gm", "gm": "player"})
    session.add("Nadir", Token("Nadir"), owner="gm")
    move = session.start("gm", "push", {"initiator": ["Nadir"]})
    with pytest.raises(NotYours):
        session.fill("gm", move, {"against": 1})
    assert session.controllers("gm") == {"Maud"}


def test_unknown_seats_moves_roles_and_fields_are_named(session: Session) -> None:
    with pytest.raises(UnknownName):
        session.seen("nobody")
    with pytest.raises(UnknownName):
        session.start("nobody", "push")
    with pytest.raises(UnknownName):
        session.start("Ana", "pull")
    with pytest.raises(UnknownName):
        session.start("Ana", "push", {"hero": ["Nadir"]})
    move = session.start("Ana", "push", {"initiator": ["Nadir"]})
    with pytest.raises(UnknownName):
        session.fill("Ana", move, {"efort": 1})
    with pytest.raises(UnknownName):
        session.add("x", Token("x"), owner="nobody")


def test_dice_thrown_by_hand_are_asked_and_checked(session: Session) -> None:
    move = session.start("Ana", "push", {"initiator": ["Nadir"]})
    session.throw("Ana", move, by_hand=True)
    assert session.seen("Ana")["moves"][0]["dice"] == {"n": 1, "sides": 6}
    with pytest.raises(AlreadyThrown):
        session.answer("Bob", move, [3])
    for wrong in ([7], [1, 2], []):
        before = session._kept()
        with pytest.raises(ParaventError):
            session.answer("Ana", move, wrong)
        assert session._kept() == before
    session.answer("Ana", move, [6])
    assert session.moves[move].results["push"] == 9
    with pytest.raises(NotNow):
        session.throw("Maud", move)


def test_seal_is_for_sealed_fields(session: Session) -> None:
    move = session.start("Ana", "push", {"initiator": ["Nadir"]})
    with pytest.raises(NotNow):
        session.seal("Ana", move, {"effort": 1})


def test_words_that_a_move_asks_are_said_to_those_it_asks() -> None:
    note = Move("note", (Ask("words", (Field("text", TextField()),)), Resolve("r", lambda ctx: Call(as_said, 1))))
    session = Session(rough("n", [note], [RecordKind("character", Token)]), SEATS)
    session.start("Ana", "note")
    assert session.seen("Ana")["moves"][0]["asked"] == {
        "step": "words", "fields": [{"actor": "Ana", "field": "text"}],
    }
    assert "asked" not in session.seen("Bob")["moves"][0]
