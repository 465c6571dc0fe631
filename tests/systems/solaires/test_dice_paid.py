"""Points spent once the dice lie there: a die thrown again, the end told by the player, and who may pay or refuse."""

import pytest

from paravent.systems.solaires.people.character import Character

from .crew import act, result, result_after, settle, sheet_of, table


@pytest.mark.rules("SOL-117")
def test_a_die_is_thrown_again_as_often_as_it_is_paid_for() -> None:
    session = table(1, 4, 6, 5, 2)
    move = act(session, element="Grimpeuse")
    session.throw("ana", move)
    for _ in range(2):
        session.answer("ana", move, {"dice": [2]})
        session.answer("maud", move, False)
        session.answer("bob", move, False)
    settle(session, move)
    assert (result(session, move).kept, sheet_of(session).points) == (2, 0)


@pytest.mark.rules("SOL-117")
@pytest.mark.parametrize(("who", "lends", "pays"), [
    pytest.param("initiator", True, False),
    pytest.param("helpers", True, True, marks=pytest.mark.option("reroll_by", "helpers")),
    pytest.param("helpers", False, False),
    pytest.param("anyone", False, True, marks=pytest.mark.option("reroll_by", "anyone")),
])
def test_others_may_pay_for_a_die(who: str, lends: bool, pays: bool) -> None:
    session = table(1, 6, 6, 2, edition="v5", reroll_by=who)
    number = session.start("ana", "action", {"initiator": ["nadir"], "helper": ["bosco"]})
    session.fill("maud", number, {"intrinsic": 0, "scenario_interest": 0})
    session.fill("ana", number, {"element": "Grimpeuse", "typical": True})
    session.fill("bob", number, {"lent": "Harnais" if lends else "none"})
    if lends:
        session.answer("bob", number, "agree")
    session.answer("maud", number, "agree")
    session.throw("ana", number)
    session.answer("ana", number, "stop")
    assert (session.waits_for(number) == {"bob"}) == pays
    if pays:
        session.answer("bob", number, {"dice": [2]})
        assert session.waits_for(number) == {"maud", "ana"}  # all but the one who pays, none of them by name
        session.answer("maud", number, False)
        session.answer("ana", number, False)
        assert result_after(session, number) == (2, [0, 2])
        assert (sheet_of(session, "bosco").points, sheet_of(session).points) == (0, 4)


@pytest.mark.rules("SOL-117")
@pytest.mark.option("reroll_by", "helpers")
def test_each_helper_is_asked_alone() -> None:
    session = table(1, 6, 6, edition="v5", reroll_by="anyone")
    session.add("lise", Character(name="Lise", concept="Soudeuse", points=2), owner="maud")
    number = session.start("ana", "action", {"initiator": ["nadir"], "helper": ["bosco", "lise"]})
    session.fill("maud", number, {"intrinsic": 0, "scenario_interest": 0})
    session.fill("ana", number, {"element": "Grimpeuse"})
    session.answer("maud", number, "agree")
    session.throw("ana", number)
    for seat in ("ana", "bob", "maud"):
        assert session.waits_for(number) == {seat}
        session.answer(seat, number, "stop")


@pytest.mark.rules("SOL-113")
@pytest.mark.option("veto", "majority")
@pytest.mark.parametrize(("votes", "vetoed"), [
    ({"bob": True, "maud": True}, True), ({"bob": True, "maud": False}, False), ({"maud": False}, False)])
def test_a_veto_may_need_most_of_the_others(votes: dict[str, bool], vetoed: bool) -> None:
    session = table(veto="majority")
    number = session.start("ana", "spend-points", {"initiator": ["nadir"]}, {"nadir": {"use": "flashback"}})
    session.fill("maud", number, {"cost": 2})
    for seat, against in votes.items():
        session.answer(seat, number, against)
    session.accept("maud", number)
    assert sheet_of(session).points == (4 if vetoed else 2)


@pytest.mark.rules("SOL-081", "SOL-117")
@pytest.mark.option("reroll_environment", "true")
def test_a_die_of_the_world_may_be_thrown_again_where_the_table_says() -> None:
    for allowed in ("false", "true"):
        session = table(1, 6, 6, 2, reroll_environment=allowed)
        number = session.start("maud", "environment-roll", {"payer": ["nadir"]}, {"gm": {"preference": "neutral"}})
        session.throw("maud", number)
        assert (session.moves[number].pending is not None) == (allowed == "true")
    session.answer("ana", number, 6)
    assert session.waits_for(number) == {"maud", "bob"}
    session.answer("bob", number, False)
    session.answer("maud", number, False)
    session.answer("ana", number, 0)
    session.accept("maud", number)
    assert (result(session, number).favourable, sheet_of(session).points) == (True, 2)


@pytest.mark.rules("SOL-115", "SOL-113")
def test_a_player_may_buy_the_telling_and_everybody_hears_it() -> None:
    session = table(1, 2, 6)
    move = act(session, element="Grimpeuse")
    session.throw("ana", move)
    session.answer("ana", move, "describe")
    session.answer("maud", move, False)
    session.answer("bob", move, False)
    session.fill("ana", move, {"own_description": "Je passe le mur en sifflant."})
    session.accept("maud", move)
    assert sheet_of(session).points == 3
    assert "sifflant" in str(session.seen("eve")["log"])


@pytest.mark.rules("SOL-115", "SOL-041", "SOL-042")
def test_a_certain_end_may_be_told_by_the_player_too() -> None:
    session = table()
    number = act(session, {"intrinsic": 4}, element="Grimpeuse")
    session.throw("ana", number)
    session.answer("ana", number, "describe")
    session.answer("maud", number, False)
    session.answer("bob", number, False)
    session.fill("ana", number, {"own_description": "D'une main."})
    session.accept("maud", number)
    assert (sheet_of(session).points, result(session, number).rolled) == (3, False)
