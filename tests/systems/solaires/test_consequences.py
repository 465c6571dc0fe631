"""What an action leaves: on which sheet, in whose words, and how it is undone."""

import pytest

from paravent.systems.solaires.facts import Tag
from paravent.systems.solaires.people.character import Element, Item

from .crew import act, evening, settle, sheet_of, table


@pytest.mark.rules("SOL-054", "SOL-055", "SOL-105")
def test_consequences_are_written_on_the_sheet_they_are_for() -> None:
    hotseat = table(1, 1, 1)
    number = hotseat.start("ana", "action", {"initiator": ["nadir"], "helper": ["bosco"]})
    hotseat.fill("maud", number, {"intrinsic": 0, "scenario_interest": 0})
    hotseat.fill("ana", number, {"element": "Grimpeuse"})
    hotseat.answer("maud", number, "agree")
    hotseat.throw("ana", number)
    settle(hotseat, number, states_worse=["Blessée"], equipment_lost=["Console de décryptage"],
           equipment_found="Passe 2, Implant psi")
    sheet = sheet_of(hotseat)
    assert sheet.states == (Element("Blessée", 3),)
    assert sheet.equipment == (Item("Implant psi", 3, Tag.PSI, 2), Item("Passe", 2))
    other = act(hotseat, {"intrinsic": 4}, element="Grimpeuse")
    hotseat.throw("ana", other)
    settle(hotseat, other, states_lost=["Blessée"])
    assert sheet_of(hotseat).states == ()


@pytest.mark.rules("SOL-054", "SOL-070")
def test_states_written_for_several_at_once_are_on_their_sheets_without_another_word() -> None:
    hotseat = evening(6, 6, 6)
    number = hotseat.start("ana", "action", {"initiator": ["nadir"], "helper": ["bosco"]})
    hotseat.fill("maud", number, {"intrinsic": 0, "scenario_interest": 0})
    hotseat.fill("ana", number, {"element": "Grimpeuse"})
    hotseat.throw("ana", number)
    hotseat.fill("maud", number, {"description": "", "touched": ["nadir", "bosco"], "states_gained": "Sonné 2"})
    assert hotseat.moves[number].phase == "closed"
    assert all("Sonné" in str(sheet_of(hotseat, name).states) for name in ("nadir", "bosco"))


@pytest.mark.rules("SOL-080", "SOL-054", "SOL-055")
def test_whoever_loses_an_opposition_bears_its_marks() -> None:
    for faces, hurt in (((1, 1, 1), "bosco"), ((6, 6, 6), "nadir")):
        hotseat = table(*faces)
        number = hotseat.start("ana", "opposition", {"initiator": ["nadir"], "opponent": ["bosco"]})
        hotseat.fill("bob", number, {"element": "Harnais"})
        hotseat.fill("ana", number, {"element": "Grimpeuse"})
        hotseat.answer("maud", number, "agree")
        hotseat.throw("ana", number)
        settle(hotseat, number, states_gained="Sonné 2")
        assert [name for name in ("nadir", "bosco") if "Sonné" in str(sheet_of(hotseat, name).states)] == [hurt]


@pytest.mark.rules("SOL-013", "SOL-056")
def test_what_was_agreed_on_is_what_happens_unless_somebody_says_otherwise() -> None:
    hotseat = table(1, 1, 1)
    number = act(hotseat, {"on_success": "le sas s'ouvre", "on_failure": "rien ne se passe"}, element="Grimpeuse")
    lacking = next(line for line in hotseat.told("maud") if line.key.endswith("told_stakes"))
    assert lacking.values == {"lacking": ["no_failure"]}
    hotseat.throw("ana", number)
    hotseat.answer("ana", number, "stop")
    hotseat.close("maud", number)
    assert "le sas s'ouvre" in str(hotseat.told("eve")[-1])


@pytest.mark.rules("SOL-106", "SOL-117")
def test_an_action_undone_gives_back_points_and_states() -> None:
    hotseat = table(1, 6, 6, 2)
    before = sheet_of(hotseat)
    move = act(hotseat, element="Grimpeuse")
    hotseat.throw("ana", move)
    hotseat.answer("ana", move, {"dice": [2]})
    hotseat.answer("maud", move, False)
    hotseat.answer("bob", move, False)
    settle(hotseat, move, states_gained="Essoufflée 1")
    assert sheet_of(hotseat) != before
    hotseat.undo("maud", move)
    assert sheet_of(hotseat) == before
