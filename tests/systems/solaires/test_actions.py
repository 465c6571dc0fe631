"""Actions played at the table with sheets: what is announced, chosen, refused, and known before the dice."""

from typing import Any

import pytest

from paravent.game.errors import AlreadyThrown, MootField, ParaventError
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
    hotseat = table(3, 6, 2)
    move = act(hotseat, element="Grimpeuse", typical=True, second="Curieuse", attitude="amplified")
    hotseat.throw("ana", move)
    settle(hotseat, move, states_gained="Essoufflée 1", states_lost=["Blessée"])
    done = result(hotseat, move)
    assert (done.target, done.kept, done.success, done.quality, done.effects) == (5, 2, True, "success_plain", ())
    assert sheet_of(hotseat).states == (Element("Essoufflée", 1),)
    assert {"told_difficulty", "told_success_goal", "told_story"} <= set(told(hotseat))


@pytest.mark.rules("SOL-015")
def test_one_may_go_back_until_the_dice_are_thrown_and_not_after() -> None:
    hotseat = table(1, 2, 6)
    move = act(hotseat, element="Grimpeuse")
    hotseat.fill("ana", move, {"attitude": "unstable"})
    hotseat.fill("ana", move, {"goal": "contourner le mur"})
    hotseat.fill("maud", move, {"intrinsic": 1})
    hotseat.fill("ana", move, {"element": "Curieuse"})
    hotseat.answer("maud", move, "agree")
    hotseat.throw("ana", move)
    with pytest.raises(AlreadyThrown):
        hotseat.fill("ana", move, {"element": "Curieuse"})
    with pytest.raises(ParaventError):
        hotseat.withdraw("ana", move)
    other = act(hotseat, element="Grimpeuse")
    hotseat.withdraw("ana", other)
    assert hotseat.moves[other].phase == "withdrawn"


@pytest.mark.rules("SOL-016", "SOL-052")
def test_stakes_are_renegotiated_once_the_difficulty_is_known() -> None:
    """Razors: she would rather be out of action than miss her chance; the difficulty rises from -2 to 0."""
    hotseat = table(2, 4, 6, edition="v5")
    move = hotseat.start("ana", "action", {"initiator": ["nadir"]}, {"nadir": {"goal": "l'arrêter"}})
    hotseat.fill("maud", move, {"intrinsic": -2, "scenario_interest": 0})
    out = "Nadir est hors jeu"
    hotseat.fill("ana", move, {"condition": out})
    assert hotseat.waits_for(move) == {"maud"}
    hotseat.fill("maud", move, {"intrinsic": 0})
    hotseat.answer("maud", move, "agree")
    hotseat.fill("ana", move, {"element": "Grimpeuse", "typical": True, "second": "Curieuse"})
    hotseat.answer("maud", move, "agree")
    hotseat.throw("ana", move)
    settle(hotseat, move)
    done = result(hotseat, move)
    assert (done.target, done.success, [effect.text for effect in done.effects]) == (5, True, [out])


@pytest.mark.rules("SOL-013", "SOL-056")
def test_the_game_master_alone_is_told_what_the_announce_lacks() -> None:
    hotseat = table()
    act(hotseat, element="Grimpeuse")
    assert "told_stakes" in told(hotseat, "maud")
    for seat in ("ana", "bob", "eve"):
        assert "told_stakes" not in told(hotseat, seat)


@pytest.mark.rules("SOL-017")
def test_the_game_master_is_told_of_an_attempt_made_again() -> None:
    hotseat = table(6, 6, 6, 6, 6, 6)
    for time in range(2):
        move = act(hotseat, element="Grimpeuse")
        assert ("told_retry" in told(hotseat, "maud")) == (time == 1)  # before the dice, not after
        hotseat.throw("ana", move)
        settle(hotseat, move)
    assert "told_retry" not in told(hotseat, "ana")
    assert "failed" not in hotseat.seen("ana")["records"]["nadir"]["sheet"]
    hotseat.accept("maud", hotseat.start("maud", "end-scene", {"character": ["nadir"]}))
    assert sheet_of(hotseat).failed == ()


@pytest.mark.rules("SOL-014")
def test_what_is_refused_by_the_rule_of_ko_leaves_nothing_to_tell() -> None:
    hotseat = table(edition="v5")
    for move, cast in (("action", {}), ("group-action", {"member": ["bosco"]}), ("use-psi-power", {})):
        number = hotseat.start("ana", move, {"initiator": ["nadir"], **cast})
        hotseat.fill("maud", number, {"verdict": "ko"})
        assert (hotseat.moves[number].phase, hotseat.moves[number].changes) == ("settled", ())


@pytest.mark.rules("SOL-022")
@pytest.mark.option("free_difficulty", "true")
def test_the_game_master_may_give_a_number_without_the_scales() -> None:
    hotseat = table(1, 2, 6, free_difficulty="true")
    move = act(hotseat, {"free": -1}, element="Grimpeuse")
    hotseat.throw("ana", move)
    hotseat.answer("ana", move, "stop")
    assert result(hotseat, move).target == 2
    with pytest.raises(MootField):
        act(table(1, 2, 6), {"free": -1}, element="Grimpeuse")


@pytest.mark.rules("SOL-073", "SOL-034")
def test_nobody_rolls_for_the_game_master_s_people_but_they_may_help() -> None:
    hotseat = table(1, 1, 1)
    with pytest.raises(GameMasterDoesNotRoll):
        hotseat.start("maud", "action", {"initiator": ["guard"]})
    number = hotseat.start("maud", "opposition", {"initiator": ["guard"], "opponent": ["nadir"]})
    with pytest.raises(GameMasterDoesNotRoll):
        hotseat.fill("maud", number, {"element": 1}, "nadir")
    number = hotseat.start("ana", "action", {"initiator": ["nadir"], "helper": ["guard"]})
    hotseat.fill("maud", number, {"intrinsic": -2, "scenario_interest": 0})
    hotseat.fill("ana", number, {"element": "Grimpeuse", "typical": True})
    hotseat.fill("maud", number, {"lent": "Vigile"}, "guard")
    hotseat.answer("maud", number, "agree")
    hotseat.throw("ana", number)
    assert hotseat.moves[number].step(SYSTEM) is not None
    settle(hotseat, number)
    assert result(hotseat, number).target == 3


# Elements


@pytest.mark.rules("SOL-036")
def test_one_element_does_not_fill_both_places() -> None:
    hotseat = table(1, 1, 1)
    with pytest.raises(SameElementTwice):
        hotseat.throw("ana", act(hotseat, element="Grimpeuse", typical=True, second="Grimpeuse"))


@pytest.mark.rules("SOL-032", "SOL-033", "SOL-034")
def test_a_refused_choice_of_elements_changes_nothing() -> None:
    hotseat = table(1, 1, 1, edition="v5")
    move = act(hotseat, element="Grimpeuse", typical=False, second="Curieuse")
    before = hotseat.state
    with pytest.raises(SecondNeedsTypicalFirst):
        hotseat.throw("ana", move)
    assert hotseat.state == before
    hotseat.fill("ana", move, {"typical": True})
    hotseat.join("ana", move, "thing", "gull")
    hotseat.fill("maud", move, {"used": ["Maniable"]}, "gull")
    hotseat.answer("maud", move, "agree")
    with pytest.raises(MoreThanTwo):
        hotseat.throw("ana", move)


@pytest.mark.rules("SOL-034")
def test_in_v5_one_may_act_with_the_ship_alone_and_in_v4_not() -> None:
    for edition, allowed in (("v5", True), ("v4", False)):
        hotseat = table(1, 2, 6, edition=edition, v4_borrow_things="true")
        number = hotseat.start("ana", "action", {"initiator": ["nadir"], "thing": ["gull"]})
        hotseat.fill("maud", number, {"intrinsic": 0, "scenario_interest": 0})
        hotseat.fill("maud", number, {"used": ["Maniable"], "used_typical": True}, "gull")
        hotseat.fill("ana", number, {"element": "none"})
        hotseat.answer("maud", number, "agree")
        if allowed:
            hotseat.throw("ana", number)
            hotseat.answer("ana", number, "stop")
            assert result(hotseat, number).target == 2
        else:
            with pytest.raises(FirstElementMustBeOwn):
                hotseat.throw("ana", number)


@pytest.mark.rules("SOL-060")
def test_in_v4_an_unfavourable_element_helps_at_a_price() -> None:
    hotseat = table(1, 2, 6)
    number = hotseat.start("ana", "action", {"initiator": ["nadir"]})
    hotseat.fill("maud", number, {"intrinsic": 1, "scenario_interest": 0})
    hotseat.fill("ana", number, {"element": "Vertige"})
    hotseat.fill("maud", number, {"unfavourable": True}, "nadir")
    hotseat.answer("maud", number, "agree")
    hotseat.throw("ana", number)
    hotseat.answer("ana", number, "stop")
    done = result(hotseat, number)
    assert (done.target, done.success, [effect.tag for effect in done.effects]) == (3, True, ["handicap:negative"])
    assert "told_hindered" in told(hotseat)


@pytest.mark.rules("SOL-061", "SOL-062")
def test_in_v5_a_state_is_declared_beside_the_elements() -> None:
    hotseat = table(1, 2, 6, edition="v5")
    move = act(hotseat, element="Grimpeuse", handicap=["Blessée"])
    hotseat.throw("ana", move)
    settle(hotseat, move)
    done = result(hotseat, move)
    assert (done.target, done.kept, done.success) == (3, 2, True)
    assert [effect.tag for effect in done.effects] == ["handicap:negative"]


@pytest.mark.rules("SOL-061")
def test_a_handicap_alone_is_nobody_s_to_confirm() -> None:
    hotseat = table(edition="v5")
    number = hotseat.start("ana", "action", {"initiator": ["nadir"]})
    hotseat.fill("maud", number, {"intrinsic": 2, "scenario_interest": 0})
    hotseat.fill("ana", number, {"element": "none", "handicap": ["Blessée"]})
    assert hotseat.waits_for(number) == {"ana"}


# Attitudes and side effects


@pytest.mark.rules("SOL-046", "SOL-047", "SOL-057")
def test_where_stable_is_excluded_the_player_must_say_which_attitude() -> None:
    hotseat = table(1, 2, 6)
    number = hotseat.start("ana", "action", {"initiator": ["nadir"]}, {"nadir": {"goal": "passer"}})
    hotseat.fill("maud", number, {"allowed": ["softened", "unstable"], "intrinsic": 0, "scenario_interest": 0})
    hotseat.fill("ana", number, {"element": "Grimpeuse"})
    hotseat.answer("maud", number, "agree")
    before = hotseat.state
    with pytest.raises(AttitudeRequired):
        hotseat.throw("ana", number)
    assert hotseat.state == before
    for attitude, refused in (("stable", True), ("softened", False)):
        hotseat.fill("ana", number, {"attitude": attitude})
        if refused:
            with pytest.raises(AttitudeNotAllowed):
                hotseat.throw("ana", number)
        else:
            hotseat.throw("ana", number)
    hotseat.answer("ana", number, "stop")
    assert result(hotseat, number).quality == "success_counter_negative"


@pytest.mark.rules("SOL-047")
def test_a_single_attitude_left_applies_by_itself() -> None:
    hotseat = table(1, 2, 3)
    move = act(hotseat, {"allowed": ["unstable"]}, element="Grimpeuse")
    hotseat.throw("ana", move)
    hotseat.answer("ana", move, "stop")
    assert result(hotseat, move).quality == "success_side_positive"


@pytest.mark.rules("SOL-053")
@pytest.mark.option("v5_player_attitude", "true")
def test_in_v5_the_player_may_still_have_an_attitude() -> None:
    hotseat = table(1, 2, 6, edition="v5", v5_player_attitude="true")
    move = act(hotseat, element="Grimpeuse", attitude="unstable")
    hotseat.throw("ana", move)
    hotseat.answer("ana", move, "stop")
    assert [effect.tag for effect in result(hotseat, move).effects] == ["attitude:counter_negative"]
    with pytest.raises(MootField):
        act(table(1, 2, 6, edition="v5"), element="Grimpeuse", attitude="unstable")


@pytest.mark.rules("SOL-035", "SOL-050", "SOL-052", "SOL-062")
@pytest.mark.parametrize(("options", "gm", "first", "ahead"), [
    ({}, {}, {"attitude": "unstable"},
     {"3": ["side_positive"], "2": ["counter_negative"], "1": ["counter_positive"], "0": ["side_negative"]}),
    ({"edition": "v5"}, {"effects": {"0": "le câble cède; on l'entend"}, "secret_effects": {"3": "SECRET"}},
     {"handicap": ["Blessée"]},
     {"2": ["Blessée 2"], "1": ["Blessée 2"], "0": ["le câble cède", "on l'entend", "Blessée 2"]}),
])
def test_score_and_side_effects_are_known_before_the_dice(
    options: dict[str, str], gm: dict[str, Any], first: dict[str, Any], ahead: dict[str, list[str]]
) -> None:
    hotseat = table(**options)
    act(hotseat, gm, element="Grimpeuse", **first)
    for seat in SEATS:
        log = {line.key: line.values for line in hotseat.told(seat)}
        assert log["outcomes.told_target"] == {"target": 3, "difficulty": "complex", "elements": ["Grimpeuse 3"]}
        rungs: dict[str, list[Any]] = {}
        for line in hotseat.told(seat):
            if line.rung and line.values:
                rungs.setdefault(line.rung, []).extend(line.values.get("effects") or [line.values["what"]])
        assert rungs == (ahead | {"3": ["SECRET"]} if seat == "maud" and gm else ahead)


@pytest.mark.rules("SOL-080")
def test_only_players_characters_are_offered_for_an_opposition() -> None:
    role = next(role for role in SYSTEM.moves["opposition"].cast if role.id == "opponent")
    assert SYSTEM.takes(role, "character")
    assert not SYSTEM.takes(role, "npc")
