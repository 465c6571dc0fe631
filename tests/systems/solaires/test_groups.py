"""Actions of a group, and oppositions."""

import pytest

from paravent.game.errors import NotYours, ParaventError
from paravent.systems.solaires import SYSTEM
from paravent.systems.solaires.actions.aftermath import DESCRIPTION
from paravent.systems.solaires.actions.attitude import menu
from paravent.systems.solaires.actions.errors import OnlyBetweenPlayers
from paravent.systems.solaires.actions.facts import Polarity
from paravent.systems.solaires.people.character import Element
from paravent.table.hotseat import Hotseat
from seats import move_seen

from .crew import nadir, result, result_after, settle, sheet_of, table


def group(hotseat: Hotseat, lent: str, handicap: tuple[str, ...] = ()) -> int:
    number = hotseat.start("ana", "group-action", {"initiator": ["nadir"], "member": ["bosco"]},
                           {"nadir": {"goal": "longer la corniche"}})
    hotseat.fill("maud", number, {"intrinsic": 0, "scenario_interest": 0})
    hotseat.fill("ana", number, {"element": "Grimpeuse", "typical": True})
    hotseat.fill("bob", number, {"lent": lent, "handicap": list(handicap)})
    hotseat.answer("maud", number, "agree")
    return number


@pytest.mark.rules("SOL-070", "SOL-071")
def test_one_roll_for_the_group_and_one_member_suffers_the_failure() -> None:
    hotseat = table(6, 6, 6, edition="v5")
    number = group(hotseat, "Harnais", ("Ivre",))
    hotseat.throw("ana", number)
    settle(hotseat, number, fails="bosco", states_gained="Contusionné 1")
    done = result(hotseat, number)
    assert (done.target, done.success) == (5, False)
    assert [effect.tag for effect in done.effects] == ["handicap:negative"]
    assert Element("Contusionné", 1) in sheet_of(hotseat, "bosco").states
    assert sheet_of(hotseat).states == nadir().states


@pytest.mark.rules("SOL-071")
def test_groups_belong_to_the_later_edition() -> None:
    with pytest.raises(ParaventError):
        group(table(1, 1, 1), "Harnais")


@pytest.mark.rules("SOL-071")
@pytest.mark.option("group_rule", "majority")
def test_a_group_of_which_half_pass_fails() -> None:
    hotseat = table(1, 1, 1, 6, 6, 6, edition="v5", group_rule="majority")
    number = group(hotseat, "Harnais")
    hotseat.throw("ana", number)
    assert result(hotseat, number, "rolls").passed == (True, False)
    assert not result(hotseat, number, "rolls").success


@pytest.mark.rules("SOL-071")
def test_each_who_rolls_for_a_group_has_side_effects_of_their_own() -> None:
    hotseat = table(1, 2, 6, 1, 1, 6, edition="v5", group_rule="majority")
    number = hotseat.start("ana", "group-action", {"initiator": ["nadir"], "member": ["bosco"]})
    hotseat.fill("maud", number, {"intrinsic": 0, "scenario_interest": 0, "effects": {"2": "on vous entend"}})
    hotseat.fill("ana", number, {"element": "Grimpeuse"})
    hotseat.fill("bob", number, {"lent": "Harnais", "handicap": ["Ivre"]})
    hotseat.answer("maud", number, "agree")
    hotseat.throw("ana", number)
    said = [line.values for line in hotseat.told("eve") if line.key.endswith("told_member")]
    nadir, bosco = {"who": "nadir"}, {"who": "bosco"}
    assert said == [{"who": nadir, "effect": "on vous entend"}, {"who": bosco, "effect": "on vous entend"},
                    {"who": bosco, "effect": "negative"}]


@pytest.mark.rules("SOL-071", "SOL-054")
def test_there_are_ideas_for_what_any_member_s_dice_bring() -> None:
    hotseat = table(1, 1, 1, 6, 6, 6, edition="v5", group_rule="majority")
    number = hotseat.start("ana", "group-action", {"initiator": ["nadir"], "member": ["bosco"]})
    hotseat.fill("maud", number, {"intrinsic": 0, "scenario_interest": 0, "effects": {"0": "on vous entend"}})
    hotseat.fill("ana", number, {"element": "Grimpeuse"})
    hotseat.fill("bob", number, {"lent": "Harnais"})
    hotseat.answer("maud", number, "agree")
    hotseat.throw("ana", number)
    move = hotseat.moves[number]
    assert DESCRIPTION.type.describe(move.context(SYSTEM)).suggested == [
        f"idea_{idea}" for idea in menu(Polarity.NEGATIVE, move.rulings)]


@pytest.mark.rules("SOL-117", "SOL-071")
def test_a_member_who_pays_for_a_die_of_the_group_has_fewer_points() -> None:
    hotseat = table(1, 6, 6, 2, edition="v5", reroll_by="helpers")
    number = group(hotseat, "Harnais")
    hotseat.throw("ana", number)
    hotseat.answer("ana", number, "stop")
    hotseat.answer("bob", number, {"dice": [2]})
    hotseat.answer("maud", number, False)
    hotseat.answer("ana", number, False)
    assert result_after(hotseat, number) == (2, [0, 2])
    assert (sheet_of(hotseat, "bosco").points, sheet_of(hotseat).points) == (0, 4)


# Oppositions


@pytest.mark.rules("SOL-073", "SOL-080")
def test_only_the_aggressor_rolls() -> None:
    """Thalos attacks Lyra, who engages 2: difficulty +1, and her player throws nothing."""
    hotseat = table(3, 4, 6)
    number = hotseat.start("ana", "opposition", {"initiator": ["nadir"], "opponent": ["bosco"]},
                           {"nadir": {"goal": "le désarmer"}})
    hotseat.fill("bob", number, {"element": "Harnais"})
    hotseat.fill("ana", number, {"element": "Grimpeuse"})
    while "maud" in hotseat.waits_for(number):
        hotseat.answer("maud", number, "agree")
    with pytest.raises(NotYours):
        hotseat.throw("bob", number)
    hotseat.throw("ana", number)
    hotseat.answer("ana", number, "stop")
    done = result(hotseat, number)
    assert (result(hotseat, number, "difficulty"), done.target, done.kept, done.success) == (1, 4, 2, True)


@pytest.mark.rules("SOL-037", "SOL-080")
def test_elements_refused_to_one_side_stay_with_the_other() -> None:
    hotseat = table(3, 4, 6)
    number = hotseat.start("ana", "opposition", {"initiator": ["nadir"], "opponent": ["bosco"]},
                           {"nadir": {"goal": "le désarmer"}})
    hotseat.fill("bob", number, {"element": "Harnais"})
    hotseat.fill("ana", number, {"element": "Grimpeuse"})
    hotseat.answer("maud", number, "refuse")
    fields = move_seen(hotseat, "eve")["fields"]
    assert (fields["bosco"]["element"], "element" in fields["nadir"]) == ("Harnais", False)
    assert result(hotseat, number, "difficulty") == 1


@pytest.mark.rules("SOL-080")
@pytest.mark.option("opposition_vs_npc", "true")
def test_the_game_master_s_people_are_not_opposed_unless_the_table_says() -> None:
    for allowed in (True, False):
        hotseat = table(1, 1, 1, opposition_vs_npc=str(allowed).lower())
        number = hotseat.start("ana", "opposition", {"initiator": ["nadir"], "opponent": ["guard"]},
                               {"nadir": {"goal": "le désarmer"}})
        if allowed:
            hotseat.fill("maud", number, {"element": "Vigile"}, "guard")
            assert result(hotseat, number, "difficulty") == 1
        else:
            with pytest.raises(OnlyBetweenPlayers):
                hotseat.fill("maud", number, {"element": "Vigile"}, "guard")
