"""Empire galactique: the quick rule, tests and rolls, what the game master decides and tells."""

from fractions import Fraction

import pytest

from paravent.dice import ScriptedDice, play
from paravent.game import GM_ONLY, RuleError
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.actions.action import (
    Aim,
    Column,
    Difficulty,
    Parameter,
    Verb,
    Verdict,
    characteristic_roll,
    characteristics_of,
    dice_of,
    parameter_of,
    precision_of,
    retry_unit,
    settled_test,
    skill_test,
    threshold,
    time_taken,
    untrained,
    with_extra,
    without_dice,
)
from paravent.systems.empire.actions.quick import adjective, check_step, gauge, qualities
from paravent.systems.empire.people.referee import (
    Knowledge,
    lends_a_hand,
    loyalty,
    loyalty_due,
    loyalty_score,
    may_learn,
    override,
    roller,
    seconds,
    square_for,
    swapped,
    table_minutes,
    where,
    whispered,
)
from paravent.systems.empire.terms import SKILLS, TABLES, Characteristic

RULINGS = SYSTEM.book.rulings()


def thrown(rule, *args, of=()):
    return play(rule, *args, dice=ScriptedDice(*of)).result


# What the game master decides


@pytest.mark.rules("EMP-001", "EMP-050")
def test_where_a_life_is_at_stake_the_dice_are_always_allowed():
    assert without_dice(Verdict.AUTO_FAILURE) is False
    assert without_dice(Verdict.AUTO_FAILURE, life_at_stake=True) is None
    assert without_dice(Verdict.ROLL) is None


@pytest.mark.rules("EMP-002")
def test_players_throw_in_duels_and_the_game_master_elsewhere():
    assert roller("combat-exchange") == roller("verbal-exchange") == "initiator"
    assert (roller("skill-test"), roller("skill-test", handed=True)) == ("gm", "initiator")
    for name in ("ambush", "disguise", "loyalty-test"):
        assert SYSTEM.move(name).resolves[0].shown(None, None).outcome == GM_ONLY


@pytest.mark.rules("EMP-003")
def test_a_roll_set_aside_is_thrown_all_the_same():
    done = thrown(override, 3, 10, True, of=(6, 5, 4))
    assert (done.rolled, done.announced) == (False, True)


@pytest.mark.rules("EMP-004")
def test_three_sorts_of_information():
    assert may_learn(Knowledge.COMMON, (), ())
    assert may_learn(Knowledge.TECHNICAL, ("63", "tekno"), ("tekno",))
    assert not may_learn(Knowledge.TECHNICAL, ("63",), ("64",))
    assert not may_learn(Knowledge.HIDDEN, ("63",), ("63",))
    assert may_learn(Knowledge.HIDDEN, (), (), earned=True)


@pytest.mark.rules("EMP-005")
def test_what_is_whispered_is_told_as_it_is():
    assert thrown(whispered, "La soute est vide.") == "La soute est vide."


@pytest.mark.rules("EMP-006")
@pytest.mark.option("opposites", "also_physical")
def test_strength_and_dexterity_are_swapped_only_where_the_table_allows_it(rulings):
    with pytest.raises(RuleError):
        swapped("strength_dexterity", True, (9, 4), RULINGS)
    assert swapped("strength_dexterity", True, (9, 4), rulings(opposites="also_physical")) == (4, 9)


@pytest.mark.rules("EMP-008", "EMP-009")
def test_a_quarter_of_an_hour_at_the_table_is_an_hour_and_a_square_is_a_sequence():
    assert (table_minutes(1), table_minutes(3), table_minutes(24)) == (15, 45, 240)
    assert (seconds("sequence"), seconds("minute"), seconds("hour")) == (6, 60, 3600)
    assert [square_for(Fraction(metres)) for metres in (1, 7, 120, 900)] == [1, 5, 100, 1000]


@pytest.mark.rules("EMP-010")
@pytest.mark.option("loyalty_command", "yes")
@pytest.mark.option("loyalty_timing", "gm_only")
def test_an_ally_is_tested_each_day_and_in_danger_or_when_asked(rulings):
    assert loyalty_score((6, 9, 7), 2, RULINGS) == 9
    assert loyalty_score((6, 9, 7), 2, rulings(loyalty_command="yes")) == 11
    assert loyalty_due(True, False, False, RULINGS)
    assert loyalty_due(False, True, False, RULINGS)
    only = rulings(loyalty_timing="gm_only")
    assert not loyalty_due(True, True, False, only)
    assert loyalty_due(False, False, True, only)


@pytest.mark.rules("EMP-011", "EMP-012")
def test_an_informant_lies_and_an_ally_helps_by_the_same_dice():
    assert thrown(loyalty, 9, of=(3, 3, 3))
    assert not thrown(loyalty, 9, of=(4, 3, 3))
    assert lends_a_hand(True, True)
    assert not lends_a_hand(False, True)
    assert not lends_a_hand(True, False)


@pytest.mark.rules("EMP-013")
def test_without_the_option_nobody_reads_the_clock():
    with pytest.raises(RuleError):
        where((), 12, RULINGS)


# The quick rule


@pytest.mark.rules("EMP-020", "EMP-022")
def test_two_qualities_from_five_to_ten_and_eleven_steps():
    assert tuple(thrown(qualities, of=(1, 6))) == (5, 10)
    assert [check_step(step) for step in (-10, 0, 10)] == [-10, 0, 10]
    for wrong in (-12, 1, 11):
        with pytest.raises(RuleError):
            check_step(wrong)


@pytest.mark.rules("EMP-024", "EMP-025")
@pytest.mark.option("role_rounding", "up")
def test_between_two_steps_the_table_says_which_adjective(rulings):
    assert (adjective(-5, "down"), adjective(-5, "up")) == ("very_bad", "bad")
    assert (adjective(-17, "down"), adjective(18, "up")) == ("nightmarish", "fantastic")
    assert gauge(7, 4, RULINGS) == "favourable"
    assert gauge(7, 4, rulings(role_rounding="up")) == "good"


# Tests of skill


@pytest.mark.rules("EMP-052", "EMP-060")
def test_each_skill_has_three_characteristics_one_for_each_verb():
    assert len(SKILLS) == 36
    for skill in SKILLS:
        used = characteristics_of(skill)
        assert [TABLES["verbs"].cell(one.value, "verb") for one in used] == [Verb.PULL, Verb.PUSH, Verb.HOLD]
    assert {skill: characteristics_of(skill) for skill in ("63",)} == {
        "63": (Characteristic.DEXTERITY, Characteristic.STRENGTH, Characteristic.WILLPOWER)}


@pytest.mark.rules("EMP-053", "EMP-054", "EMP-057")
def test_fast_and_lasting_cost_as_precise_slow_and_temporary_as_vague():
    for column, like in ((Column.FAST, Column.PRECISE), (Column.LASTING, Column.PRECISE),
                         (Column.SLOW, Column.VAGUE), (Column.TEMPORARY, Column.VAGUE)):
        assert precision_of(column) is like
        assert dice_of(Difficulty.AVERAGE, column) == dice_of(Difficulty.AVERAGE, like)
    assert [parameter_of(column) for column in (Column.FAST, Column.LASTING, Column.PRECISE)] == [
        Parameter.TIME, Parameter.PERSISTENCE, Parameter.PRECISION]


@pytest.mark.rules("EMP-055")
@pytest.mark.option("retry", "once")
def test_a_retry_takes_the_next_longer_unit(rulings):
    assert [time_taken("hour", column) for column in (Column.SLOW, Column.NORMAL, Column.FAST)] == [
        "half_day", "hour", "minute"]
    assert retry_unit("hour", 0, RULINGS) == "half_day"
    assert retry_unit("half_day", 1, RULINGS) == "day"
    with pytest.raises(RuleError):
        retry_unit("century", 0, RULINGS)
    with pytest.raises(RuleError):
        retry_unit("half_day", 1, rulings(retry="once"))
    assert retry_unit("hour", 0, rulings(retry="once")) == "half_day"


@pytest.mark.rules("EMP-056")
def test_three_rolls_are_read_each_for_itself():
    aims = (Aim(Column.PRECISE, 4), Aim(Column.FAST, 4), Aim(Column.LASTING, 4))
    done = thrown(skill_test, 11, Difficulty.AVERAGE, aims, of=(2, 2, 2, 2, 6, 6, 6, 6, 3, 3, 3, 2))
    assert [one.success for one in done] == [True, False, True]
    assert [one.adjective for one in done] == ["fantastic", "barely_unfavourable", "fantastic"]
    assert [one.success for one in settled_test(Verdict.AUTO_SUCCESS, Difficulty.EASY, aims)] == [True] * 3


@pytest.mark.rules("EMP-058", "EMP-178", "EMP-052")
@pytest.mark.option("dice_cap", "five")
def test_mods_change_the_threshold_and_maluses_the_dice(rulings):
    assert threshold(9, 2, -3) == 8
    assert (with_extra(3, 2, RULINGS), with_extra(1, -3, RULINGS), with_extra(5, 2, RULINGS)) == (5, 1, 7)
    assert with_extra(5, 2, rulings(dice_cap="five")) == 5


@pytest.mark.rules("EMP-059")
@pytest.mark.parametrize(("value", "ordinary", "asked"), [
    pytest.param("where_said", 0, -2),
    pytest.param("minus_1", -1, -2, marks=pytest.mark.option("unskilled", "minus_1")),
    pytest.param("minus_2", -2, -2, marks=pytest.mark.option("unskilled", "minus_2")),
    pytest.param("minus_3", -3, -3, marks=pytest.mark.option("unskilled", "minus_3")),
])
def test_what_it_costs_not_to_have_the_skill(rulings, value, ordinary, asked):
    chosen = rulings(unskilled=value)
    assert untrained("35", 0, chosen) == ordinary
    assert untrained("24", 0, chosen, needs_mod=True) == asked
    assert untrained("35", 1, chosen) == 0


@pytest.mark.rules("EMP-059", "EMP-150")
@pytest.mark.parametrize("skill", ["21", "22", "25", "42", "53", "54", "55", "56", "61"])
def test_some_skills_are_never_tried_untrained(skill):
    assert TABLES["skills"].cell(int(skill), "untrained") == "no"
    with pytest.raises(RuleError):
        untrained(skill, 0, RULINGS)


@pytest.mark.rules("EMP-051", "EMP-025")
def test_a_roll_under_a_characteristic_is_gauged_on_the_quick_scale():
    assert thrown(characteristic_roll, Fraction(7), RULINGS, of=(3, 4)) == (True, "mediocre")
    assert thrown(characteristic_roll, Fraction(7), RULINGS, of=(4, 4)) == (False, "unfavourable")
    assert thrown(characteristic_roll, Fraction(2), RULINGS, of=(1, 1)).success
    assert thrown(characteristic_roll, Fraction(12), RULINGS, of=(6, 6)).success
