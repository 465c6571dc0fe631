"""An evening from four seats: a complex action over three turns, a right, luck, a 10 in the stock, a wound avoided."""

import json
from typing import Any

import pytest

from paravent.dice import DiceError
from paravent.dice.play import ScriptedFaces
from paravent.game.errors import AlreadyThrown, BadValue, NotNow, NotYours
from paravent.systems.conteur import SYSTEM
from paravent.systems.conteur.facts import SkillField
from paravent.systems.conteur.people.character import Character, Skill, ready
from paravent.table.hotseat import Hotseat
from seats import moves_seen

SEATS = {"ana": "gm", "bob": "player", "cleo": "player", "sam": "spectator"}


class Evening:
    """Maëlle mends the sail while the wreck turns; Bob plays her."""

    def __init__(self, *faces: int) -> None:
        self.hotseat = Hotseat(SYSTEM, SEATS, faces=ScriptedFaces(faces))
        self.hotseat.add("maelle", ready("fr")["maelle-tisserand"], owner="bob")
        self.hotseat.add("yuna", ready("fr")["yuna-kadiri"], owner="cleo")

    def starts(self, label: str, difficulty: int) -> int:
        number = self.hotseat.start("ana", "start-complex-action", {"initiator": ["maelle"]},
                                    {"gm": {"difficulty": difficulty}, "maelle": {"label": label}})
        return self.announces(number)

    def goes_on(self) -> int:
        number = self.hotseat.start("bob", "continue-complex-action", {"initiator": ["maelle"]}, encounter=1)
        return self.announces(number)

    def announces(self, number: int) -> int:
        self.hotseat.fill("bob", number, {"attribute": "dexterity", "skill": "Bricolage"})
        self.hotseat.throw("bob", number)
        return number

    @property
    def maelle(self) -> Character:
        record: Character = self.hotseat.records["maelle"].record
        return record

    def state(self, seat: str) -> dict[str, Any]:
        state: dict[str, Any] = self.hotseat.seen(seat)["encounters"]["1"]["state"]
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
    hotseat = evening.hotseat

    # Turn 1, difficulty 3: the right is used, and goes wrong.
    number = evening.starts("Réparer la voile", 3)
    choices = {seat: moves_seen(hotseat, seat)[0].get("choice") for seat in SEATS}
    assert choices["bob"] is not None
    assert choices["bob"]["options"] == ["stop", ["failure"], "luck"]
    assert all(choices[seat] is None for seat in ("cleo", "sam"))
    hotseat.answer("bob", number, {"dice": [2]})
    hotseat.answer("bob", number, "stop")
    turn = hotseat.moves[number].results["turn"]
    assert (turn.raw, turn.standing_tens, turn.stock, turn.done) == (0, 1, 0, False)
    hotseat.accept("ana", number)
    assert evening.maelle.complex_action is not None
    assert [evening.state(seat)["stock"] for seat in SEATS] == [0] * 4

    # Turn 2: luck throws two dice again, together; the new faces are kept.
    number = evening.goes_on()
    hotseat.answer("bob", number, "luck")
    hotseat.answer("bob", number, {"dice": [2, 3]})
    turn = hotseat.moves[number].results["turn"]
    assert (turn.raw, turn.luck_spent, turn.stock) == (2, 2, 2)
    hotseat.accept("ana", number)
    assert evening.maelle.luck_used == 2
    assert [evening.state(seat)["stock"] for seat in SEATS] == [2] * 4
    assert hotseat.seen("bob")["records"]["maelle"]["sheet"]["luck_used"] == 2
    assert all("luck_used" not in hotseat.seen(seat)["records"]["maelle"]["sheet"] for seat in ("cleo", "sam"))

    # Turn 3: the 10 takes one success of this turn's two; three in all, it is done.
    number = evening.goes_on()  # nothing could bring more: nothing is asked
    turn = hotseat.moves[number].results["turn"]
    assert (turn.raw, turn.gain, turn.stock, turn.done, turn.level) == (1, 1, 3, True, 2)
    hotseat.accept("ana", number)
    assert evening.maelle.complex_action is None
    assert [hotseat.seen(seat)["encounters"]["1"]["over"] for seat in SEATS] == [True] * 4
    with pytest.raises(NotNow):
        evening.goes_on()

    # A cable snaps: two levels to the arm, one of them turned away.
    number = hotseat.start("ana", "inflict-wound", {"victim": ["maelle"]}, {"gm": {"part": "right_arm", "levels": 2}})
    with pytest.raises(NotYours):
        hotseat.fill("cleo", number, {"avoid": 2})
    hotseat.fill("bob", number, {"avoid": 1})
    hotseat.accept("ana", number)
    assert evening.maelle.level("right_arm") == 1
    assert evening.maelle.luck_used == 3
    told = {seat: [line.key for line in hotseat.told(seat)][-1:] for seat in SEATS}
    assert set(map(tuple, told.values())) == {("outcomes.told_avoided",)}
    assert json.dumps(hotseat.seen("sam"))


@pytest.mark.rules("D10-021")
def test_a_10_left_over_eats_the_stock_of_earlier_turns() -> None:
    evening = Evening(2, 3, 9, 10, 9, 8)
    hotseat = evening.hotseat
    first = evening.starts("Réparer la voile", 4)
    hotseat.answer("bob", first, "stop")
    hotseat.accept("ana", first)
    second = evening.goes_on()
    hotseat.answer("bob", second, "stop")
    hotseat.accept("ana", second)
    assert [evening.state(seat)["stock"] for seat in SEATS] == [1] * 4
    why = moves_seen(hotseat, "sam")[1]["throws"][0]["why"]
    assert [(line["rule"], line["key"]) for line in why][-2:] == [("D10-021", "stock_eaten"), ("D10-019", "stock")]


@pytest.mark.rules("D10-020", "D10-054")
def test_passing_out_gives_the_action_up() -> None:
    hotseat = Hotseat(SYSTEM, SEATS, faces=ScriptedFaces((2, 3, 10, 9)))
    exhausted = Character(name="Sacha", energy=5, luck=0, skills=(Skill(SkillField.ACTIONS, "Creuser", 5),))
    hotseat.add("sacha", exhausted, owner="bob")
    number = hotseat.start("ana", "start-complex-action", {"initiator": ["sacha"]}, {"gm": {"difficulty": 4}})
    hotseat.fill("bob", number, {"attribute": "mental", "skill": "Creuser"})
    hotseat.throw("bob", number)
    hotseat.accept("ana", number)
    number = hotseat.start("bob", "continue-complex-action", {"initiator": ["sacha"]}, encounter=1)
    hotseat.fill("bob", number, {"attribute": "mental", "skill": "Creuser"})
    hotseat.throw("bob", number)
    hotseat.accept("ana", number)
    sheet = hotseat.records["sacha"].record
    assert sheet.unconscious
    assert sheet.complex_action is None
    assert hotseat.encounters[1].state.over
    assert hotseat.encounters[1].state.stock == 0


@pytest.mark.rules("D10-016", "D10-063")
def test_a_reflex_spends_no_energy_and_counts_among_no_actions() -> None:
    hotseat = Hotseat(SYSTEM, SEATS, faces=ScriptedFaces((5, 9, 9)))
    hotseat.add("yuna", ready("fr")["yuna-kadiri"], owner="cleo")
    form = {"yuna": {"attribute": "dexterity", "skill": "Tir"}}
    number = hotseat.start("cleo", "reflex-roll", {"initiator": ["yuna"]}, form)
    hotseat.throw("cleo", number)
    hotseat.answer("cleo", number, "stop")
    assert hotseat.moves[number].results["throw"].passed
    assert hotseat.moves[number].changes == ()


@pytest.mark.rules("D10-001", "D10-064")
def test_real_dice_are_typed_in_and_a_0_is_a_10() -> None:
    hotseat = Hotseat(SYSTEM, SEATS)
    hotseat.add("sacha", Character(name="Sacha", luck=0, skills=(Skill(SkillField.ACTIONS, "Tir", 3),)), owner="bob")
    number = hotseat.start("bob", "throw", {"initiator": ["sacha"]}, {"sacha": {"attribute": 5, "skill": "Tir"}})
    hotseat.throw("bob", number, by_hand=True)
    with pytest.raises(AlreadyThrown):
        hotseat.fill("bob", number, {"energy_dice": 1})
    for faces, refusal in (([11, 2, 3], DiceError), ([2, 3], DiceError), ([True, 2, 3], BadValue)):
        with pytest.raises(refusal):
            hotseat.answer("bob", number, faces)
    hotseat.answer("bob", number, [0, 2, 3])
    result = hotseat.moves[number].results["throw"]
    assert (result.raw, result.standing_tens) == (1, 1)
    assert moves_seen(hotseat, "sam")[0]["throws"][0]["dice"][0]["faces"] == [10, 2, 3]
