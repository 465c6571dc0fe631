"""Points that buy something of the story: what may be proposed, at which price, and what it writes on a sheet."""

import pytest

from paravent.game.errors import MootField
from paravent.systems.solaires import SYSTEM
from paravent.systems.solaires.facts import Tag
from paravent.systems.solaires.people.character import Element, Item
from paravent.systems.solaires.points.errors import BelowMinimum, NotEnoughPoints
from paravent.systems.solaires.points.moves import ALTERS_CHARACTER, COST, SURCHARGE
from paravent.table.hotseat import Hotseat

from .crew import evening, nadir, sheet_of, table, told


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


def priced(hotseat: Hotseat, number: int) -> object:
    """The price that the game master said, if they did."""
    return next(actor.filled.get("cost") for actor in hotseat.moves[number].cast if actor.role == "gm")


@pytest.mark.rules("SOL-112")
def test_a_price_stands_as_long_as_the_use_it_was_said_of() -> None:
    hotseat = evening(points=4)
    number = hotseat.start("ana", "spend-points", {"initiator": ["nadir"]}, {"nadir": {"use": "flashback"}})
    hotseat.fill("maud", number, {"cost": 3})
    hotseat.fill("ana", number, {"use": "flashback"})
    assert priced(hotseat, number) == 3
    hotseat.fill("ana", number, {"use": "cosmetic", "text": "un feu d'artifice"})
    assert priced(hotseat, number) is None
    hotseat.fill("ana", number, {"use": "link_story_element"})
    assert hotseat.waits_for(number) == {"maud"}


@pytest.mark.rules("SOL-112", "SOL-116")
@pytest.mark.parametrize(("use", "points"), [("cosmetic", 4), ("flashback", 2)])
def test_a_price_that_can_be_no_other_is_asked_of_nobody(use: str, points: int) -> None:
    hotseat = evening(points=points)
    number = hotseat.start("ana", "spend-points", {"initiator": ["nadir"]}, {"nadir": {"use": use, "text": "hier"}})
    assert hotseat.waits_for(number) == {"maud", "bob"}  # already the others read it, and may veto it
    for seat in ("maud", "bob"):
        hotseat.answer(seat, number, False)
    assert sheet_of(hotseat).points == points - (1 if use == "cosmetic" else 2)


@pytest.mark.rules("SOL-107", "SOL-112")
def test_points_that_were_spent_are_told_with_the_rest_and_wait_for_nobody() -> None:
    hotseat = evening(points=4)
    number = hotseat.start("ana", "spend-points", {"initiator": ["nadir"]},
                           {"nadir": {"use": "cosmetic", "text": "hier"}})
    for seat in ("maud", "bob"):
        hotseat.answer(seat, number, False)
    assert hotseat.moves[number].phase == "closed"
    for seat in ("maud", "ana", "bob"):
        (move,) = hotseat.seen(seat)["moves"].values()
        assert [(row["path"], row["before"], row["after"]) for row in move["changes"]] == [("points", 4, 3)]


@pytest.mark.rules("SOL-112", "SOL-122")
def test_a_price_below_the_printed_one_is_refused_to_whoever_says_it() -> None:
    hotseat = evening(points=4)
    number = hotseat.start("ana", "ask-the-gm", {"initiator": ["nadir"]})
    with pytest.raises(BelowMinimum):
        hotseat.fill("maud", number, {"cost": 1})
    hotseat.fill("ana", number, {"question": "Qui a payé l'équipage ?"})
    hotseat.fill("maud", number, {"cost": 3})


@pytest.mark.rules("SOL-112")
def test_nobody_prices_what_is_not_proposed_yet() -> None:
    hotseat = evening(points=4)
    number = hotseat.start("ana", "spend-points", {"initiator": ["nadir"]}, {"nadir": {"text": "hier"}})
    with pytest.raises(MootField):
        hotseat.fill("maud", number, {"cost": 6})
    hotseat.fill("ana", number, {"use": "cosmetic"})
    hotseat.fill("maud", number, {"cost": 1})
    assert priced(hotseat, number) == 1


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
    hotseat.accept("maud", hotseat.start("maud", "end-scene"))
    assert not hasattr(sheet_of(hotseat, "guard"), "points")


@pytest.mark.rules("SOL-112", "SOL-123")
def test_adding_to_the_character_is_offered_to_whoever_has_a_point_more_and_never_for_nothing() -> None:
    offered = {}
    for points in (2, 3):
        form = {"initiator": [{"use": "flashback"}]}
        ctx = SYSTEM.context("spend-points", form, sheets={"initiator": nadir(points=points)})
        offered[points] = ALTERS_CHARACTER.applies(ctx)
    assert offered == {2: False, 3: True}
    form = {"initiator": [{"use": "flashback", "alters_character": True}]}
    ctx = SYSTEM.context("spend-points", form, sheets={"initiator": nadir(points=4)})
    assert SURCHARGE.type.describe(ctx).minimum == 1
    assert COST.type.describe(ctx).maximum == 3
    form = {"initiator": [{"use": "flashback", "alters_character": True, "score": 2}], "gm": [{"cost": 3}]}
    by_score = SYSTEM.book.rulings({"surcharge": "by_score"})
    ctx = SYSTEM.context("spend-points", form, sheets={"initiator": nadir(points=4)}, rulings=by_score)
    assert SURCHARGE.type.describe(ctx).maximum == 1  # no more than there is beside the price
    assert ctx[SURCHARGE] == 1
    poor = evening(points=2)
    with pytest.raises(NotEnoughPoints):
        poor.start("ana", "spend-points", {"initiator": ["nadir"]},
                   {"nadir": {"use": "flashback", "alters_character": True, "text": "hier"}})
