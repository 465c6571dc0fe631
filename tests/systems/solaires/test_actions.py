"""Actions played at the table with sheets: what is announced, chosen, refused, and known before the dice."""

from typing import Any

import pytest

from paravent.game.errors import AlreadyThrown, ParaventError
from paravent.systems.solaires import SYSTEM
from paravent.systems.solaires.actions.errors import (
    AttitudeNotAllowed,
    AttitudeRequired,
    FirstElementMustBeOwn,
    GameMasterDoesNotRoll,
    MoreThanTwo,
    SameElementTwice,
    SecondNeedsTypicalFirst,
)
from paravent.systems.solaires.people.character import Element

from .crew import SEATS, act, result, settle, sheet_of, table, told


@pytest.mark.rules("SOL-004", "SOL-011", "SOL-026", "SOL-031", "SOL-035", "SOL-043", "SOL-044", "SOL-051", "SOL-056")
def test_an_action_from_its_announce_to_what_it_leaves_on_the_sheet() -> None:
    session = table(3, 6, 2)
    move = act(session, element="Grimpeuse", typical=True, second="Curieuse", attitude="amplified")
    session.throw("ana", move)
    settle(session, move, states_gained="Essoufflée 1", states_lost=["Blessée"])
    done = result(session, move)
    assert (done.target, done.kept, done.success, done.quality, done.effects) == (5, 2, True, "success_plain", ())
    assert sheet_of(session).states == (Element("Essoufflée", 1),)
    assert {"told_difficulty", "told_success", "told_story"} <= set(told(session))


@pytest.mark.rules("SOL-015")
def test_one_may_go_back_until_the_dice_are_thrown_and_not_after() -> None:
    session = table(1, 2, 6)
    move = act(session, element="Grimpeuse")
    session.fill("ana", move, {"attitude": "unstable"})
    session.fill("ana", move, {"goal": "contourner le mur"})
    session.fill("maud", move, {"intrinsic": 1})
    session.fill("ana", move, {"element": "Curieuse"})
    session.answer("maud", move, "agree")
    session.throw("ana", move)
    with pytest.raises(AlreadyThrown):
        session.fill("ana", move, {"element": "Curieuse"})
    with pytest.raises(ParaventError):
        session.withdraw("ana", move)
    other = act(session, element="Grimpeuse")
    session.withdraw("ana", other)
    assert session.moves[other].phase == "withdrawn"


@pytest.mark.rules("SOL-016", "SOL-052")
def test_stakes_are_renegotiated_once_the_difficulty_is_known() -> None:
    """Razors: she would rather be out of action than miss her chance; the difficulty rises from -2 to 0."""
    session = table(2, 4, 6, edition="v5")
    move = session.start("ana", "action", {"initiator": ["nadir"]}, {"nadir": {"goal": "l'arrêter"}})
    session.fill("maud", move, {"intrinsic": -2, "scenario_interest": 0})
    out = "Nadir est hors jeu"
    session.fill("ana", move, {"condition": out})
    assert session.waits_for(move) == {"maud"}
    session.fill("maud", move, {"intrinsic": 0})
    session.answer("maud", move, "agree")
    session.fill("ana", move, {"element": "Grimpeuse", "typical": True, "second": "Curieuse"})
    session.answer("maud", move, "agree")
    session.throw("ana", move)
    settle(session, move)
    done = result(session, move)
    assert (done.target, done.success, [effect.text for effect in done.effects]) == (5, True, [out])


@pytest.mark.rules("SOL-013", "SOL-056")
def test_the_game_master_alone_is_told_what_the_announce_lacks() -> None:
    session = table()
    act(session, element="Grimpeuse")
    assert "told_stakes" in told(session, "maud")
    for seat in ("ana", "bob", "eve"):
        assert "told_stakes" not in told(session, seat)


@pytest.mark.rules("SOL-017")
def test_the_game_master_is_told_of_an_attempt_made_again() -> None:
    session = table(6, 6, 6, 6, 6, 6)
    for time in range(2):
        move = act(session, element="Grimpeuse")
        assert ("told_retry" in told(session, "maud")) == (time == 1)  # before the dice, not after
        session.throw("ana", move)
        settle(session, move)
    assert "told_retry" not in told(session, "ana")
    assert "failed" not in session.seen("ana")["records"]["nadir"]
    end = session.start("maud", "end-scene", {"character": ["nadir"]})
    session.throw("maud", end)
    session.accept("maud", end)
    assert sheet_of(session).failed == ()


@pytest.mark.rules("SOL-014")
def test_what_is_refused_by_the_rule_of_ko_leaves_nothing_to_tell() -> None:
    session = table(edition="v5")
    for move, cast in (("action", {}), ("group-action", {"member": ["bosco"]}), ("use-psi-power", {})):
        number = session.start("ana", move, {"initiator": ["nadir"], **cast})
        session.fill("maud", number, {"verdict": "ko"})
        assert (session.moves[number].phase, session.moves[number].changes) == ("settled", ())


@pytest.mark.rules("SOL-022")
@pytest.mark.option("free_difficulty", "true")
def test_the_game_master_may_give_a_number_without_the_scales() -> None:
    session = table(1, 2, 6, free_difficulty="true")
    move = act(session, {"free": -1}, element="Grimpeuse")
    session.throw("ana", move)
    session.answer("ana", move, "stop")
    assert result(session, move).target == 2
    plain = table(1, 2, 6)
    move = act(plain, {"free": -1}, element="Grimpeuse")
    assert result(plain, move, "difficulty") == 0


@pytest.mark.rules("SOL-073", "SOL-034")
def test_nobody_rolls_for_the_game_master_s_people_but_they_may_help() -> None:
    session = table(1, 1, 1)
    for move, cast in (("action", {}), ("opposition", {"opponent": ["nadir"]})):
        number = session.start("maud", move, {"initiator": ["guard"], **cast})
        with pytest.raises(GameMasterDoesNotRoll):
            session.fill("maud", number, {"intrinsic": 0, "scenario_interest": 0} if not cast else {"element": 1}, **(
                {"actor": "nadir"} if cast else {}))
    number = session.start("ana", "action", {"initiator": ["nadir"], "helper": ["guard"]})
    session.fill("maud", number, {"intrinsic": -2, "scenario_interest": 0})
    session.fill("ana", number, {"element": "Grimpeuse", "typical": True})
    session.fill("maud", number, {"lent": "Vigile"}, "guard")
    session.answer("maud", number, "agree")
    session.answer("maud", number, "agree")
    session.throw("ana", number)
    assert session.moves[number].step(SYSTEM) is not None
    settle(session, number)
    assert result(session, number).target == 3


# Elements


@pytest.mark.rules("SOL-036")
def test_one_element_does_not_fill_both_places() -> None:
    session = table(1, 1, 1)
    with pytest.raises(SameElementTwice):
        session.throw("ana", act(session, element="Grimpeuse", typical=True, second="Grimpeuse"))


@pytest.mark.rules("SOL-032", "SOL-033", "SOL-034")
def test_a_refused_choice_of_elements_changes_nothing() -> None:
    session = table(1, 1, 1, edition="v5")
    move = act(session, element="Grimpeuse", second="Curieuse")
    before = session._kept()
    with pytest.raises(SecondNeedsTypicalFirst):
        session.throw("ana", move)
    assert session._kept() == before
    session.fill("ana", move, {"typical": True})
    session.join("ana", move, "thing", "gull")
    session.fill("maud", move, {"used": ["Maniable"]}, "gull")
    session.answer("maud", move, "agree")
    with pytest.raises(MoreThanTwo):
        session.throw("ana", move)


@pytest.mark.rules("SOL-034")
def test_in_v5_one_may_act_with_the_ship_alone_and_in_v4_not() -> None:
    for edition, allowed in (("v5", True), ("v4", False)):
        session = table(1, 2, 6, edition=edition, v4_borrow_things="true")
        number = session.start("ana", "action", {"initiator": ["nadir"], "thing": ["gull"]})
        session.fill("maud", number, {"intrinsic": 0, "scenario_interest": 0})
        session.fill("maud", number, {"used": ["Maniable"], "used_typical": True}, "gull")
        session.fill("ana", number, {"element": "none"})
        session.answer("maud", number, "agree")
        if allowed:
            session.throw("ana", number)
            session.answer("ana", number, "stop")
            assert result(session, number).target == 2
        else:
            with pytest.raises(FirstElementMustBeOwn):
                session.throw("ana", number)


@pytest.mark.rules("SOL-060")
def test_in_v4_an_unfavourable_element_helps_at_a_price() -> None:
    session = table(1, 2, 6)
    number = session.start("ana", "action", {"initiator": ["nadir"]})
    session.fill("maud", number, {"intrinsic": 1, "scenario_interest": 0})
    session.fill("ana", number, {"element": "Vertige"})
    session.fill("maud", number, {"unfavourable": True}, "nadir")
    session.answer("maud", number, "agree")
    session.throw("ana", number)
    session.answer("ana", number, "stop")
    done = result(session, number)
    assert (done.target, done.success, [effect.tag for effect in done.effects]) == (3, True, ["handicap:negative"])
    assert "told_handicap_negative" in told(session)


@pytest.mark.rules("SOL-061", "SOL-062")
def test_in_v5_a_state_is_declared_beside_the_elements() -> None:
    session = table(1, 2, 6, edition="v5")
    move = act(session, element="Grimpeuse", handicap=["Blessée"])
    session.throw("ana", move)
    settle(session, move)
    done = result(session, move)
    assert (done.target, done.kept, done.success) == (3, 2, True)
    assert [effect.tag for effect in done.effects] == ["handicap:negative"]


@pytest.mark.rules("SOL-061")
def test_a_handicap_alone_is_the_game_master_s_to_confirm() -> None:
    session = table(edition="v5")
    number = session.start("ana", "action", {"initiator": ["nadir"]})
    session.fill("maud", number, {"intrinsic": 2, "scenario_interest": 0})
    session.fill("ana", number, {"element": "none", "handicap": ["Blessée"]})
    assert session.waits_for(number) == {"maud"}


# Attitudes and side effects


@pytest.mark.rules("SOL-046", "SOL-047", "SOL-057")
def test_where_stable_is_excluded_the_player_must_say_which_attitude() -> None:
    session = table(1, 2, 6)
    number = session.start("ana", "action", {"initiator": ["nadir"]}, {"nadir": {"goal": "passer"}})
    session.fill("maud", number, {"allowed": ["softened", "unstable"], "intrinsic": 0, "scenario_interest": 0})
    session.fill("ana", number, {"element": "Grimpeuse"})
    session.answer("maud", number, "agree")
    before = session._kept()
    with pytest.raises(AttitudeRequired):
        session.throw("ana", number)
    assert session._kept() == before
    for attitude, refused in (("stable", True), ("softened", False)):
        session.fill("ana", number, {"attitude": attitude})
        session.answer("maud", number, "agree")
        if refused:
            with pytest.raises(AttitudeNotAllowed):
                session.throw("ana", number)
        else:
            session.throw("ana", number)
    session.answer("ana", number, "stop")
    assert result(session, number).quality == "success_counter_negative"


@pytest.mark.rules("SOL-047")
def test_a_single_attitude_left_applies_by_itself() -> None:
    session = table(1, 2, 3)
    move = act(session, {"allowed": ["unstable"]}, element="Grimpeuse")
    session.throw("ana", move)
    session.answer("ana", move, "stop")
    assert result(session, move).quality == "success_side_positive"


@pytest.mark.rules("SOL-053")
@pytest.mark.option("v5_player_attitude", "true")
def test_in_v5_the_player_may_still_have_an_attitude() -> None:
    session = table(1, 2, 6, edition="v5", v5_player_attitude="true")
    move = act(session, element="Grimpeuse", attitude="unstable")
    session.throw("ana", move)
    session.answer("ana", move, "stop")
    assert [effect.tag for effect in result(session, move).effects] == ["attitude:counter_negative"]
    plain = table(1, 2, 6, edition="v5")
    move = act(plain, element="Grimpeuse", attitude="unstable")
    plain.throw("ana", move)
    plain.answer("ana", move, "stop")
    assert result(plain, move).effects == ()


@pytest.mark.rules("SOL-035", "SOL-050", "SOL-052", "SOL-062")
@pytest.mark.parametrize(("options", "gm", "first", "ahead"), [
    ({}, {}, {"attitude": "unstable"},
     {3: ["side_positive"], 2: ["counter_negative"], 1: ["counter_positive"], 0: ["side_negative"]}),
    ({"edition": "v5"}, {"effects": {"0": "le câble cède; on l'entend"}, "secret_effects": {"3": "SECRET"}},
     {"handicap": ["Blessée"]},
     {2: ["negative"], 1: ["negative"], 0: ["le câble cède", "on l'entend", "negative"]}),
])
def test_score_and_side_effects_are_known_before_the_dice(
    options: dict[str, str], gm: dict[str, Any], first: dict[str, Any], ahead: dict[int, list[str]]
) -> None:
    session = table(**options)
    act(session, gm, element="Grimpeuse", **first)
    for seat in SEATS:
        log = {line["key"]: line["values"] for line in session.seen(seat)["log"]}
        assert log["outcomes.told_target"] == {"target": 3, "difficulty": "0", "elements": ["Grimpeuse 3"]}
        seen = [line["values"] for line in session.seen(seat)["log"] if line["key"] == "outcomes.told_ahead"]
        assert {line["n"]: line["effects"] for line in seen} == ahead
