"""An evening from four seats: a complex action over three turns, a right, luck, a 10 in the stock, a wound avoided."""

import json
from typing import Any

import pytest
from paravent.game.session import Session

from paravent.dice import DiceError
from paravent.dice.play import ScriptedFaces
from paravent.game.errors import AlreadyThrown, NotNow, NotYours
from paravent.systems.conteur import SYSTEM
from paravent.systems.conteur.facts import SkillField
from paravent.systems.conteur.people.character import Character, Skill, ready

SEATS = {"ana": "gm", "bob": "player", "cleo": "player", "sam": "spectator"}


class Evening:
    """Maëlle mends the sail while the wreck turns; Bob plays her."""

    def __init__(self, *faces: int) -> None:
        self.session = Session(SYSTEM, SEATS, faces=ScriptedFaces(faces))
        self.session.add("maelle", ready("fr")["maelle-tisserand"], owner="bob")
        self.session.add("yuna", ready("fr")["yuna-kadiri"], owner="cleo")

    def starts(self, label: str, difficulty: int) -> int:
        number = self.session.start("ana", "start-complex-action", {"initiator": ["maelle"]},
                                    {"gm": {"difficulty": difficulty}, "maelle": {"label": label}})
        return self.announces(number)

    def goes_on(self) -> int:
        number = self.session.start("bob", "continue-complex-action", {"initiator": ["maelle"]}, encounter=1)
        return self.announces(number)

    def announces(self, number: int) -> int:
        self.session.fill("bob", number, {"attribute": "dexterity", "skill": "Bricolage"})
        self.session.throw("bob", number)
        return number

    @property
    def maelle(self) -> Character:
        record: Character = self.session.records["maelle"].record
        return record

    def state(self, seat: str) -> dict[str, Any]:
        state: dict[str, Any] = self.session.seen(seat)["encounters"][0]["state"]
        return state


@pytest.mark.rules(
    "D10-009", "D10-010", "D10-012", "D10-013", "D10-017", "D10-019", "D10-021", "D10-022", "D10-030", "D10-031",
    "D10-033", "D10-046",
)
def test_a_complex_action_over_three_turns_and_a_wound_avoided() -> None:
    evening = Evening(
        1, 8, 9, 10,     # turn 1: a 1 earns a right; it brings a 10
        2, 9, 8, 3, 8,   # turn 2: one success, then luck on both failures: one more
        10, 4, 5,        # turn 3: a 10 eats one of the two successes
    )
    session = evening.session

    # Turn 1, difficulty 3: the right is used, and goes wrong.
    number = evening.starts("Réparer la voile", 3)
    choices = {seat: session.seen(seat)["moves"][0].get("choice") for seat in SEATS}
    assert choices["bob"] is not None
    assert choices["bob"]["options"] == ["stop", ["failure"], "luck"]
    assert all(choices[seat] is None for seat in ("cleo", "sam"))
    session.answer("bob", number, {"dice": [2]})
    session.answer("bob", number, "stop")
    turn = session.moves[number].results["turn"]
    assert (turn.raw, turn.standing_tens, turn.stock, turn.done) == (0, 1, 0, False)
    session.accept("ana", number)
    assert evening.maelle.complex_action is not None
    assert [evening.state(seat)["stock"] for seat in SEATS] == [0] * 4

    # Turn 2: luck throws two dice again, together; the new faces are kept.
    number = evening.goes_on()
    session.answer("bob", number, "luck")
    session.answer("bob", number, {"dice": [2, 3]})
    turn = session.moves[number].results["turn"]
    assert (turn.raw, turn.luck_spent, turn.stock) == (2, 2, 2)
    session.accept("ana", number)
    assert evening.maelle.luck_used == 2
    assert [evening.state(seat)["stock"] for seat in SEATS] == [2] * 4
    assert session.seen("bob")["records"]["maelle"]["luck_used"] == 2
    assert all("luck_used" not in session.seen(seat)["records"]["maelle"] for seat in ("cleo", "sam"))

    # Turn 3: the 10 takes one success of this turn's two; three in all, it is done.
    number = evening.goes_on()
    session.answer("bob", number, "stop")
    turn = session.moves[number].results["turn"]
    assert (turn.raw, turn.gain, turn.stock, turn.done, turn.level) == (1, 1, 3, True, 2)
    session.accept("ana", number)
    assert evening.maelle.complex_action is None
    assert [session.seen(seat)["encounters"][0]["over"] for seat in SEATS] == [True] * 4
    with pytest.raises(NotNow):
        evening.goes_on()

    # A cable snaps: two levels to the arm, one of them turned away.
    number = session.start("ana", "inflict-wound", {"victim": ["maelle"]}, {"gm": {"part": "right_arm", "levels": 2}})
    with pytest.raises(NotYours):
        session.fill("cleo", number, {"avoid": 2})
    session.fill("bob", number, {"avoid": 1})
    session.throw("ana", number)
    session.accept("ana", number)
    assert evening.maelle.level("right_arm") == 1
    assert evening.maelle.luck_used == 3
    told = {seat: [line["key"] for line in session.seen(seat)["log"]][-2:] for seat in SEATS}
    assert set(map(tuple, told.values())) == {("outcomes.told_wound", "outcomes.wounded")}
    assert json.dumps(session.seen("sam"))


@pytest.mark.rules("D10-021")
def test_a_10_left_over_eats_the_stock_of_earlier_turns() -> None:
    evening = Evening(2, 3, 9, 10, 9, 8)
    session = evening.session
    first = evening.starts("Réparer la voile", 4)
    session.answer("bob", first, "stop")
    session.accept("ana", first)
    second = evening.goes_on()
    session.answer("bob", second, "stop")
    session.accept("ana", second)
    assert [evening.state(seat)["stock"] for seat in SEATS] == [1] * 4
    why = session.seen("sam")["moves"][1]["throws"][0]["why"]
    assert [(line["rule"], line["key"]) for line in why][-2:] == [("D10-021", "stock_eaten"), ("D10-019", "stock")]


@pytest.mark.rules("D10-020", "D10-054")
def test_passing_out_gives_the_action_up() -> None:
    session = Session(SYSTEM, SEATS, faces=ScriptedFaces((2, 3, 10, 9)))
    exhausted = Character(name="Sacha", energy=5, luck=0, skills=(Skill(SkillField.ACTIONS, "Creuser", 5),))
    session.add("sacha", exhausted, owner="bob")
    number = session.start("ana", "start-complex-action", {"initiator": ["sacha"]}, {"gm": {"difficulty": 4}})
    session.fill("bob", number, {"attribute": "mental", "skill": "Creuser"})
    session.throw("bob", number)
    session.accept("ana", number)
    number = session.start("bob", "continue-complex-action", {"initiator": ["sacha"]}, encounter=1)
    session.fill("bob", number, {"attribute": "mental", "skill": "Creuser"})
    session.throw("bob", number)
    session.accept("ana", number)
    sheet = session.records["sacha"].record
    assert sheet.unconscious
    assert sheet.complex_action is None
    assert session.encounters[1].state.over
    assert session.encounters[1].state.stock == 0


@pytest.mark.rules("D10-016", "D10-063")
def test_a_reflex_spends_no_energy_and_counts_among_no_actions() -> None:
    session = Session(SYSTEM, SEATS, faces=ScriptedFaces((5, 9, 9)))
    session.add("yuna", ready("fr")["yuna-kadiri"], owner="cleo")
    form = {"yuna": {"attribute": "dexterity", "skill": "Tir"}}
    number = session.start("cleo", "reflex-roll", {"initiator": ["yuna"]}, form)
    session.throw("cleo", number)
    session.answer("cleo", number, "stop")
    assert session.moves[number].results["throw"].passed
    assert session.moves[number].changes == ()


@pytest.mark.rules("D10-001", "D10-064")
def test_real_dice_are_typed_in_and_a_0_is_a_10() -> None:
    session = Session(SYSTEM, SEATS)
    session.add("sacha", Character(name="Sacha", luck=0, skills=(Skill(SkillField.ACTIONS, "Tir", 3),)), owner="bob")
    number = session.start("bob", "throw", {"initiator": ["sacha"]}, {"sacha": {"attribute": 5, "skill": "Tir"}})
    session.throw("bob", number, by_hand=True)
    with pytest.raises(AlreadyThrown):
        session.fill("bob", number, {"energy_dice": 1})
    for faces in ([11, 2, 3], [2, 3], [True, 2, 3]):
        with pytest.raises(DiceError):
            session.answer("bob", number, faces)
    session.answer("bob", number, [0, 2, 3])
    result = session.moves[number].results["throw"]
    assert (result.raw, result.standing_tens) == (1, 1)
    assert session.seen("sam")["moves"][0]["throws"][0]["dice"][0]["faces"] == [10, 2, 3]
