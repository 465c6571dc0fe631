"""Points that buy something of the story: what may be proposed, at which price, and what it writes on a sheet."""

import pytest

from paravent.systems.solaires.facts import Tag
from paravent.systems.solaires.people.character import Element, Item
from paravent.systems.solaires.points.errors import NotEnoughPoints

from .crew import nadir, sheet_of, table, told


@pytest.mark.rules("SOL-112", "SOL-119", "SOL-123")
def test_a_creation_that_alters_the_sheet_is_written_there_and_costs_more() -> None:
    hotseat = table()
    number = hotseat.start("ana", "spend-points", {"initiator": ["nadir"]}, {"nadir": {
        "use": "create_story_element", "text": "un cousin au port", "alters_character": True, "category": "relation",
        "element_name": "Cousin au port", "score": 1}})
    hotseat.fill("maud", number, {"cost": 3, "surcharge": 1})
    hotseat.answer("maud", number, False)
    hotseat.answer("bob", number, False)
    hotseat.accept("maud", number)
    assert sheet_of(hotseat).points == 0
    assert sheet_of(hotseat).relations == (Element("Cousin au port", 1),)


@pytest.mark.rules("SOL-123")
def test_an_element_that_changes_keeps_all_but_its_score() -> None:
    hotseat = table()
    number = hotseat.start("ana", "spend-points", {"initiator": ["nadir"]}, {"nadir": {
        "use": "flashback", "text": "hier", "alters_character": True, "category": "equipment",
        "element_name": "Implant psi",
        "score": 2}})
    hotseat.fill("maud", number, {"cost": 2, "surcharge": 2})
    hotseat.answer("maud", number, False)
    hotseat.answer("bob", number, False)
    hotseat.accept("maud", number)
    assert sheet_of(hotseat).implant == Item("Implant psi", 2, Tag.PSI)


@pytest.mark.rules("SOL-112", "SOL-121")
def test_what_one_cannot_pay_cannot_be_proposed() -> None:
    hotseat = table(sheet=nadir(points=3))
    with pytest.raises(NotEnoughPoints):
        hotseat.start("ana", "spend-points", {"initiator": ["nadir"]},
                               {"nadir": {"use": "unexpected_event", "text": "tout s'éteint"}})


@pytest.mark.rules("SOL-112", "SOL-122", "SOL-123")
def test_a_price_may_be_found_too_dear_and_a_question_takes_its_points() -> None:
    hotseat = table()
    number = hotseat.start("ana", "spend-points", {"initiator": ["nadir"]},
                           {"nadir": {"use": "flashback", "text": "hier"}})
    hotseat.fill("maud", number, {"cost": 4})
    hotseat.answer("ana", number, False)
    assert (hotseat.moves[number].changes, told(hotseat)[-1]) == ((), "told_declined")
    poor = table(sheet=nadir(points=1))
    with pytest.raises(NotEnoughPoints):
        poor.start("ana", "ask-the-gm", {"initiator": ["nadir"]}, {"nadir": {"question": "Qui ?"}})


@pytest.mark.rules("SOL-112")
@pytest.mark.option("pooling", "true")
def test_nobody_puts_in_more_than_he_has() -> None:
    for share, left in ((2, (2, 0)), (3, None)):
        hotseat = table(pooling="true")
        number = hotseat.start("ana", "spend-points", {"initiator": ["nadir"], "contributor": ["bosco"]},
                               {"nadir": {"use": "unexpected_event", "text": "tout s'éteint"}})
        hotseat.fill("bob", number, {"share": share})
        if left is None:
            with pytest.raises(NotEnoughPoints):
                hotseat.fill("maud", number, {"cost": 4})
            continue
        hotseat.fill("maud", number, {"cost": 4})
        hotseat.answer("maud", number, False)
        hotseat.answer("bob", number, False)
        hotseat.accept("maud", number)
        assert (sheet_of(hotseat).points, sheet_of(hotseat, "bosco").points) == left


@pytest.mark.rules("SOL-110", "SOL-114")
def test_people_of_the_game_master_s_have_no_points() -> None:
    hotseat = table()
    number = hotseat.start("maud", "end-scene", {"character": ["nadir", "guard"]})
    hotseat.throw("maud", number)
    hotseat.accept("maud", number)
    assert not hasattr(sheet_of(hotseat, "guard"), "points")
