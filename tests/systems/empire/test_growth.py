"""Empire galactique: school, promotion, money, training, destiny and age, under each reading of a table."""

from fractions import Fraction

import pytest

from paravent.dice import ScriptedDice, play
from paravent.game import RuleError
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.actions.action import Column
from paravent.systems.empire.minds.psi import retreat, retreat_dice
from paravent.systems.empire.people.creation import (
    Guild,
    Sex,
    acquisition,
    destiny_roll,
    entrance_exam,
    grade_in,
    height_cm,
    may_claim,
    promoted,
    raised,
    required_characteristic,
    school_year,
    secondary,
    start_age,
    starting_money,
    survival_due,
    title_of,
    training,
    training_price,
    weight_kg,
    worn,
)

RULINGS = SYSTEM.book.rulings()


def thrown(rule, *args, of=()):
    return play(rule, *args, dice=ScriptedDice(*of)).result


@pytest.mark.rules("EMP-031")
def test_each_guild_asks_for_a_characteristic_of_its_own():
    assert [required_characteristic(guild).value for guild in Guild] == [
        "endurance", "willpower", "strength", "charm", "dexterity", "intelligence"]
    assert [guild.number for guild in Guild] == [1, 2, 3, 4, 5, 6]


@pytest.mark.rules("EMP-032")
@pytest.mark.option("start_age", "sixteen")
@pytest.mark.option("start_age", "gm")
def test_one_leaves_for_school_at_the_age_of_the_table(rulings):
    assert start_age(RULINGS, 25) == 18
    assert start_age(rulings(start_age="sixteen")) == 16
    assert start_age(rulings(start_age="gm"), 12) == 12
    assert thrown(entrance_exam, Guild.ADVENTURER, 2, 60)


@pytest.mark.rules("EMP-033", "EMP-034")
@pytest.mark.option("duplicates", "reroll")
def test_a_skill_already_known_is_drawn_again_where_the_table_says_so(rulings):
    assert thrown(school_year, Guild.SOLDIER, 10, ("35",), RULINGS, of=(5, 3, 3, 3)) == ("35", 1)
    again = rulings(duplicates="reroll")
    assert thrown(school_year, Guild.SOLDIER, 10, ("35",), again, of=(5, 2, 3, 3, 3)) == ("32", 1)
    known = tuple(f"3{units}" for units in range(1, 7))
    assert thrown(school_year, Guild.SOLDIER, 10, known, again, of=(5, 3, 3, 3)) == ("35", 1)


@pytest.mark.rules("EMP-034")
@pytest.mark.parametrize(("reading", "levels"), [
    pytest.param("exact", [0, 1, 2, 1]),
    pytest.param("plain_order", [0, 2, 1, 2], marks=pytest.mark.option("acquisition", "plain_order")),
    pytest.param("half", [0, 1, 1, 2], marks=pytest.mark.option("acquisition", "half")),
])
def test_three_dice_against_the_required_characteristic(rulings, reading, levels):
    throws = ((5, 4, 2), (3, 3, 3), (4, 3, 3), (2, 2, 1))
    assert [thrown(acquisition, 10, rulings(acquisition=reading), of=faces) for faces in throws] == levels


@pytest.mark.rules("EMP-034")
def test_levels_add_up_and_stop_at_six():
    assert raised({"35": 5}, "35", 2) == {"35": 6}
    assert raised({"35": 1}, "31", 0) == {"35": 1}
    with pytest.raises(RuleError):
        raised({}, "37", 1)


@pytest.mark.rules("EMP-035")
@pytest.mark.option("promotion_count", "distinct")
def test_promotion_counts_levels_or_skills(rulings):
    skills = {"31": 2, "35": 1}
    assert promoted(Guild.SOLDIER, 0, skills, 4, RULINGS) == 1
    assert promoted(Guild.SOLDIER, 0, skills, 4, rulings(promotion_count="distinct")) == 0
    assert promoted(Guild.SOLDIER, 0, {**skills, "32": 1}, 4, rulings(promotion_count="distinct")) == 1
    assert promoted(Guild.SOLDIER, 0, skills, 3, RULINGS) == 0
    assert promoted(Guild.SOLDIER, 3, {"31": 6, "32": 6}, 16, RULINGS) == 3


@pytest.mark.rules("EMP-036")
@pytest.mark.option("adventurer_money", "none")
def test_an_adventurer_leaves_with_a_little_or_with_nothing(rulings):
    assert thrown(starting_money, Guild.ADVENTURER, 0, RULINGS, of=(6,)) == 6000
    assert thrown(starting_money, Guild.ADVENTURER, 0, rulings(adventurer_money="none")) == 0


@pytest.mark.rules("EMP-037")
@pytest.mark.option("training_gain", "automatic")
@pytest.mark.option("training_gain", "test")
def test_a_year_of_training(rulings):
    assert thrown(training, 10, 9, 1, RULINGS, of=(4, 3, 3)) == 2
    assert thrown(training, 10, 9, 1, rulings(training_gain="automatic")) == 1
    assert thrown(training, 10, 9, 1, rulings(training_gain="test"), of=(4, 3, 3)) == 1
    assert thrown(training, 10, 9, 1, rulings(training_gain="test"), of=(4, 4, 3)) == 0
    assert (training_price("63", 2), training_price("11", 0)) == (126000, 11000)


@pytest.mark.rules("EMP-038")
def test_titles_and_grades_belong_to_their_guild():
    assert title_of(Guild.ADVENTURER, 0) == ""
    assert (title_of(Guild.SOLDIER, 3), title_of(Guild.NAVYBORG, 4)) == ("army_lieutenant", "navy_lieutenant")
    assert (grade_in(Guild.MERCHANT, Guild.MERCHANT, 3), grade_in(Guild.MERCHANT, Guild.TEKNO, 3)) == (3, 0)


@pytest.mark.rules("EMP-039")
def test_the_formula_of_womens_weight_stops_at_thirty_kilograms():
    assert (height_cm(Sex.WOMAN, 2), weight_kg(Sex.WOMAN, 2), weight_kg(Sex.MAN, 2)) == (115, 30, 20)


@pytest.mark.rules("EMP-042")
@pytest.mark.option("secondary_values", "written")
def test_perception_and_stealth_are_means_or_what_the_sheet_says(sheet, rulings):
    bastien = sheet("bastien", perception=4)
    scores = bastien.scores()
    assert secondary("perception", scores) == Fraction(9 + 6 + 10, 3)
    assert secondary("stealth", scores) == 8
    written = SYSTEM.kind("character").derived(bastien, rulings(secondary_values="written"))
    assert (written["perception_used"], written["stealth_used"]) == (4, 0)


@pytest.mark.rules("EMP-044")
@pytest.mark.option("destiny_points", "old_level")
@pytest.mark.option("destiny_gain", "every_precise")
@pytest.mark.option("destiny_columns", "all_third")
def test_destiny_under_each_reading(rulings):
    high, low = (5, 4, 4), (4, 4, 4)
    assert thrown(destiny_roll, 3, 10, 2, RULINGS, of=high) == (1, 3)
    assert thrown(destiny_roll, 3, 10, 2, rulings(destiny_points="old_level"), of=high) == (1, 2)
    assert thrown(destiny_roll, 3, 10, 2, RULINGS, of=low) == (0, 0)
    assert thrown(destiny_roll, 3, 10, 2, rulings(destiny_gain="every_precise"), of=low).points > 0
    assert thrown(destiny_roll, 5, 10, 6, RULINGS, of=(6, 6, 6, 6, 6)).levels == 0
    with pytest.raises(RuleError):
        thrown(destiny_roll, 2, 10, 2, RULINGS)
    assert may_claim(True, Column.PRECISE, RULINGS)
    assert not may_claim(False, Column.PRECISE, RULINGS)
    assert not may_claim(True, Column.FAST, RULINGS)
    assert may_claim(True, Column.FAST, rulings(destiny_columns="all_third"))


@pytest.mark.rules("EMP-045")
@pytest.mark.option("survival_timing", "yearly")
@pytest.mark.option("survival_timing", "every_four")
def test_when_age_asks_for_a_roll(rulings):
    assert [survival_due(age, 1, RULINGS) for age in (39, 40)] == [False, True]
    assert survival_due(18, 1, rulings(survival_timing="yearly"))
    four = rulings(survival_timing="every_four")
    assert [survival_due(18, year, four) for year in (3, 4)] == [False, True]
    assert worn((7, 1, 0)) == (6, 0, 0)


@pytest.mark.rules("EMP-167")
def test_a_year_in_a_monastery():
    assert [retreat_dice(level) for level in range(1, 6)] == [3, 4, 4, 5, 5]
    assert thrown(retreat, 9, 2, of=(3, 3, 3, 2))
    assert not thrown(retreat, 9, 2, of=(3, 3, 3, 3))
    for wrong in (0, 6):
        with pytest.raises(RuleError):
            retreat_dice(wrong)
