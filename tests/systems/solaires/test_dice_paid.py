"""Points spent once the dice lie there: a die thrown again, the end told by the player, and who may pay or refuse."""

import pytest

from paravent.systems.solaires.people.character import Character

from .crew import act, result, result_after, settle, sheet_of, table


@pytest.mark.rules("SOL-117")
def test_a_die_is_thrown_again_as_often_as_it_is_paid_for() -> None:
    hotseat = table(1, 4, 6, 5, 2)
    move = act(hotseat, element="Grimpeuse")
    hotseat.throw("ana", move)
    for _ in range(2):
        hotseat.answer("ana", move, {"dice": [2]})
        hotseat.answer("maud", move, False)
        hotseat.answer("bob", move, False)
    settle(hotseat, move)
    assert (result(hotseat, move).kept, sheet_of(hotseat).points) == (2, 0)


@pytest.mark.rules("SOL-117")
@pytest.mark.parametrize(("who", "lends", "pays"), [
    pytest.param("initiator", True, False),
    pytest.param("helpers", True, True, marks=pytest.mark.option("reroll_by", "helpers")),
    pytest.param("helpers", False, False),
    pytest.param("anyone", False, True, marks=pytest.mark.option("reroll_by", "anyone")),
])
def test_others_may_pay_for_a_die(who: str, lends: bool, pays: bool) -> None:
    hotseat = table(1, 6, 6, 2, edition="v5", reroll_by=who)
    number = hotseat.start("ana", "action", {"initiator": ["nadir"], "helper": ["bosco"]})
    hotseat.fill("maud", number, {"intrinsic": 0, "scenario_interest": 0})
    hotseat.fill("ana", number, {"element": "Grimpeuse", "typical": True})
    hotseat.fill("bob", number, {"lent": "Harnais" if lends else "none"})
    hotseat.answer("maud", number, "agree")
    hotseat.throw("ana", number)
    hotseat.answer("ana", number, "stop")
    assert (hotseat.waits_for(number) == {"bob"}) == pays
    if pays:
        hotseat.answer("bob", number, {"dice": [2]})
        assert hotseat.waits_for(number) == {"maud", "ana"}  # all but the one who pays, none of them by name
        hotseat.answer("maud", number, False)
        hotseat.answer("ana", number, False)
        assert result_after(hotseat, number) == (2, [0, 2])
        assert (sheet_of(hotseat, "bosco").points, sheet_of(hotseat).points) == (0, 4)


@pytest.mark.rules("SOL-117")
@pytest.mark.option("reroll_by", "helpers")
def test_each_helper_is_asked_alone() -> None:
    hotseat = table(1, 6, 6, edition="v5", reroll_by="anyone")
    hotseat.add("lise", Character(name="Lise", concept="Soudeuse", points=2), owner="maud")
    number = hotseat.start("ana", "action", {"initiator": ["nadir"], "helper": ["bosco", "lise"]})
    hotseat.fill("maud", number, {"intrinsic": 0, "scenario_interest": 0})
    hotseat.fill("ana", number, {"element": "Grimpeuse"})
    hotseat.answer("maud", number, "agree")
    hotseat.throw("ana", number)
    for seat in ("ana", "bob", "maud"):
        assert hotseat.waits_for(number) == {seat}
        hotseat.answer(seat, number, "stop")


@pytest.mark.rules("SOL-113")
@pytest.mark.option("veto", "majority")
@pytest.mark.parametrize(("votes", "vetoed"), [
    ({"bob": True, "maud": True}, True), ({"bob": True, "maud": False}, False), ({"maud": False}, False)])
def test_a_veto_may_need_most_of_the_others(votes: dict[str, bool], vetoed: bool) -> None:
    hotseat = table(veto="majority")
    number = hotseat.start("ana", "spend-points", {"initiator": ["nadir"]},
                           {"nadir": {"use": "flashback", "text": "hier"}})
    hotseat.fill("maud", number, {"cost": 2})
    for seat, against in votes.items():
        hotseat.answer(seat, number, against)
    hotseat.accept("maud", number)
    assert sheet_of(hotseat).points == (4 if vetoed else 2)


@pytest.mark.rules("SOL-081", "SOL-117")
@pytest.mark.option("reroll_environment", "true")
def test_a_die_of_the_world_may_be_thrown_again_where_the_table_says() -> None:
    for allowed in ("false", "true"):
        hotseat = table(1, 6, 6, 2, reroll_environment=allowed)
        number = hotseat.start("maud", "environment-roll", {"payer": ["nadir"]}, {"gm": {"preference": "neutral"}})
        hotseat.throw("maud", number)
        assert (hotseat.moves[number].pending is not None) == (allowed == "true")
    hotseat.answer("ana", number, 6)
    assert hotseat.waits_for(number) == {"maud", "bob"}
    hotseat.answer("bob", number, False)
    hotseat.answer("maud", number, False)
    hotseat.answer("ana", number, 0)
    hotseat.accept("maud", number)
    assert (result(hotseat, number).favourable, sheet_of(hotseat).points) == (True, 2)


@pytest.mark.rules("SOL-115", "SOL-113")
def test_a_player_may_buy_the_telling_and_everybody_hears_it() -> None:
    hotseat = table(1, 2, 6)
    move = act(hotseat, element="Grimpeuse")
    hotseat.throw("ana", move)
    hotseat.answer("ana", move, "describe")
    hotseat.fill("ana", move, {"own_description": "Je passe le mur en sifflant."})
    hotseat.answer("maud", move, False)
    hotseat.answer("bob", move, False)
    hotseat.accept("maud", move)
    assert sheet_of(hotseat).points == 3
    assert "sifflant" in str(hotseat.told("eve"))


@pytest.mark.rules("SOL-115", "SOL-054", "SOL-056")
def test_what_an_effect_leaves_stays_the_game_masters_to_write_where_the_player_tells() -> None:
    hotseat = table(1, 5, 6)
    move = act(hotseat, element="Grimpeuse", attitude="unstable")
    hotseat.throw("ana", move)
    hotseat.answer("ana", move, "describe")
    hotseat.fill("ana", move, {"own_description": "Je retombe sur mes pieds."})
    hotseat.answer("maud", move, False)
    hotseat.answer("bob", move, False)
    assert hotseat.waits_for(move) == {"maud"}
    hotseat.fill("maud", move, {"states_gained": "Essoufflée 1"})
    hotseat.accept("maud", move)
    assert "Essoufflée" in [state.name for state in sheet_of(hotseat).states]
    assert "sur mes pieds" in str(hotseat.told("eve"))


@pytest.mark.rules("SOL-115", "SOL-117")
def test_a_die_and_the_telling_are_paid_together() -> None:
    hotseat = table(1, 4, 6, 2)
    move = act(hotseat, element="Grimpeuse")
    hotseat.throw("ana", move)
    hotseat.answer("ana", move, {"dice": [2]})
    hotseat.answer("maud", move, False)
    hotseat.answer("bob", move, False)
    hotseat.answer("ana", move, "describe")
    hotseat.fill("ana", move, {"own_description": "Du premier coup."})
    hotseat.answer("maud", move, False)
    hotseat.answer("bob", move, False)
    hotseat.accept("maud", move)
    assert sheet_of(hotseat).points == 1


@pytest.mark.rules("SOL-115", "SOL-041", "SOL-042")
def test_a_certain_end_may_be_told_by_the_player_too() -> None:
    hotseat = table()
    number = act(hotseat, {"intrinsic": 4}, element="Grimpeuse")
    hotseat.throw("ana", number)
    hotseat.answer("ana", number, "describe")
    hotseat.fill("ana", number, {"own_description": "D'une main."})
    hotseat.answer("maud", number, False)
    hotseat.answer("bob", number, False)
    hotseat.accept("maud", number)
    assert (sheet_of(hotseat).points, result(hotseat, number).rolled) == (3, False)
