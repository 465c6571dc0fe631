"""Empire galactique: verbal duels, talents, PSI, survival, under each reading of a table."""

from fractions import Fraction

import pytest

from paravent.dice import ScriptedDice, play
from paravent.game import RuleError
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.actions.action import Column
from paravent.systems.empire.fights.duel import Cell, Stance
from paravent.systems.empire.minds.psi import (
    PsiAct,
    concentrate,
    effects_open,
    is_screened,
    may_bear,
    may_resist,
    must_answer,
    obeys,
    power_of,
    psi_act,
    psi_dice,
    psi_rate,
    psi_units,
    reach,
    surge_lasts,
    surged,
    telekinesis_grams,
    telepaths_duel,
    trance_minutes,
)
from paravent.systems.empire.people.survival import (
    Effort,
    after_sequence,
    effective_strength,
    extra_sleep,
    lacks_food,
    lacks_rest,
    lacks_sleep,
    load_in_tests,
    load_mod,
    march,
    moving_strength,
    strength_in_tests,
)
from paravent.systems.empire.terms import Characteristic
from paravent.systems.empire.words.speech import (
    Acting,
    Manner,
    MindState,
    Relation,
    acted,
    argue,
    argument_dice,
    basis,
    cell_of,
    check_opening,
    crowd_of,
    crowd_scores,
    goal_points,
    has_yielded,
    leader,
    state_after,
    swayed,
    tone,
)
from paravent.systems.empire.words.talents import (
    administration,
    civilisation,
    command,
    disguise,
    effect_of,
    learn_language,
    orientation,
)

RULINGS = SYSTEM.book.rulings()


def thrown(rule, *args, of=()):
    return play(rule, *args, dice=ScriptedDice(*of)).result


# Words


@pytest.mark.rules("EMP-120")
@pytest.mark.option("npc_persuades", "on")
def test_only_players_open_a_verbal_duel_unless_the_table_lets_others(rulings):
    check_opening(True, RULINGS)
    with pytest.raises(RuleError):
        check_opening(False, RULINGS)
    check_opening(False, rulings(npc_persuades="on"))


@pytest.mark.rules("EMP-121", "EMP-122")
def test_each_manner_has_its_characteristic_its_skill_and_its_tone():
    assert [basis(manner) for manner in Manner] == [
        (Characteristic.CHARM, "43"), (Characteristic.WILLPOWER, "23"), (Characteristic.INTELLIGENCE, "51")]
    assert [tone(manner) for manner in Manner] == ["charming", "aggressive", "cool"]


@pytest.mark.rules("EMP-123")
def test_the_verbal_matrix_is_the_same_from_both_sides():
    seduction, faith, logic = Manner
    assert all(cell_of(a, b) is cell_of(b, a) for a in Manner for b in Manner)
    assert cell_of(seduction, seduction) is Cell.BOTH
    assert cell_of(seduction, logic) is Cell.EITHER
    assert cell_of(faith, logic) is Cell.DIFFERENCE
    assert {cell_of(faith, faith), cell_of(logic, logic), cell_of(seduction, faith)} == {Cell.NOTHING}


@pytest.mark.rules("EMP-124", "EMP-125")
def test_friends_take_fewer_dice_and_so_does_real_talent():
    assert [argument_dice(relation, Column.NORMAL) for relation in Relation] == [2, 3, 4]
    assert [acted(3, acting) for acting in Acting] == [3, 2, 0]
    assert acted(1, Acting.CONVINCING) == 1


@pytest.mark.rules("EMP-126")
@pytest.mark.option("faith_logic", "table")
def test_the_difference_of_faith_and_logic_counts_as_it_is_or_in_the_table(rulings):
    a, b, dice = Stance(12, 3, "A"), Stance(12, 3, "A"), (4, 4, 4, 2, 1, 1)
    faith, logic = Manner.FAITH, Manner.LOGIC
    assert thrown(argue, faith, a, logic, b, RULINGS, of=dice).to_b == 8
    assert thrown(argue, faith, a, logic, b, rulings(faith_logic="table"), of=dice).to_b == 3


@pytest.mark.rules("EMP-127", "EMP-128")
@pytest.mark.option("mental_states", "cumulative")
def test_one_argument_or_all_of_them_change_a_mind(rulings):
    assert [state_after(24, 24, points, RULINGS) for points in (0, 7, 8, 12, 24)] == [
        MindState.FREE, MindState.INFLUENCED, MindState.SHAKEN, MindState.CONVINCED, MindState.BLINDED]
    assert state_after(24, 18, 4, RULINGS) is MindState.INFLUENCED
    assert state_after(24, 18, 4, rulings(mental_states="cumulative")) is MindState.SHAKEN
    assert swayed(24, 5, 8, RULINGS) == (8, 0, MindState.BLINDED)


@pytest.mark.rules("EMP-129")
def test_the_duel_ends_when_the_secret_target_is_reached():
    assert [has_yielded(points, 9) for points in (8, 9)] == [False, True]


@pytest.mark.rules("EMP-131")
def test_a_few_a_band_a_crowd():
    assert [crowd_of(size).kind for size in (4, 5, 10, 11)] == ["few", "band", "band", "crowd"]
    assert crowd_of(40, led=True).goal == "convince_leader"
    assert leader((6, 9, 7)) == 1
    assert crowd_scores([(6, 7, 8), (7, 7, 9)]) == (Fraction(13, 2), 7, Fraction(17, 2))
    assert [goal_points(kind, 19) for kind in ("few", "band", "crowd")] == [7, 10, 19]


# Talents


@pytest.mark.rules("EMP-140")
def test_what_a_disguise_holds_against():
    held = [thrown(disguise, 12, 3, column, of=(3, 3, 3)) for column in (Column.VAGUE, Column.NORMAL, Column.PRECISE)]
    assert held == ["careless_eyes", "all_but_intimates", "undetectable"]
    assert thrown(disguise, 8, 3, Column.PRECISE, of=(3, 3, 3)) == "ridiculous"


@pytest.mark.rules("EMP-007", "EMP-141", "EMP-144", "EMP-145")
def test_a_die_and_the_grade():
    assert thrown(effect_of, 3, of=(4,)) == 7
    assert thrown(command, 10, 3, 2, of=(6, 6, 6)) == (False, 0)
    assert thrown(administration, 10, 3, 3, of=(3, 3, 3, 2)) == (True, 5)
    assert thrown(orientation, 10, 3, 0, of=(3, 3, 3, 2)) == (True, 2)


@pytest.mark.rules("EMP-142")
@pytest.mark.option("civilisation_level", "culture")
@pytest.mark.option("civilisation_level", "tech")
def test_how_long_a_language_takes(rulings):
    assert civilisation(9, 5, 4, RULINGS) == 9
    assert civilisation(9, 5, 4, rulings(civilisation_level="culture")) == 5
    assert civilisation(9, 5, 4, rulings(civilisation_level="tech")) == 8
    assert thrown(learn_language, 10, 3, 9, 3, of=(3, 3, 3, 4)) == (True, 10)
    assert thrown(learn_language, 10, 3, 9, 3, of=(6, 3, 3)) == (False, 0)


# PSI


@pytest.mark.rules("EMP-150")
def test_a_novice_forswears_weapons():
    assert [may_bear(weapon) for weapon in ("", "fist", "dagger")] == [True, True, False]


@pytest.mark.rules("EMP-151")
@pytest.mark.option("psi_dice", "own_level")
def test_the_level_used_sets_the_dice(rulings):
    assert [psi_dice(level, 6, RULINGS) for level in range(1, 7)] == [3, 3, 4, 4, 5, 5]
    assert psi_dice(1, 6, rulings(psi_dice="own_level")) == 5
    assert power_of("probe", 4).characteristic is Characteristic.INTELLIGENCE
    with pytest.raises(RuleError):
        power_of("probe", 3)
    with pytest.raises(RuleError, match="push_forward"):
        power_of("push_forward", 0)


@pytest.mark.rules("EMP-152")
def test_ten_times_more_at_each_level_of_telekinesis():
    assert [telekinesis_grams(level) for level in range(1, 7)] == [10, 100, 1000, 10000, 100000, None]
    assert power_of("push_forward", 3, 2).level == 2


@pytest.mark.rules("EMP-153")
@pytest.mark.option("mental_screen", "always_on")
def test_a_screen_stops_telepaths_up_to_the_fourth_level(rulings):
    assert [is_screened(True, 1, against, RULINGS) for against in (2, 4, 5)] == [True, True, False]
    assert not is_screened(False, 1, 2, RULINGS)
    assert is_screened(False, 1, 2, rulings(mental_screen="always_on"))
    assert not is_screened(False, 0, 2, rulings(mental_screen="always_on"))


@pytest.mark.rules("EMP-154", "EMP-155", "EMP-156", "EMP-157", "EMP-158")
def test_how_far_minds_reach_and_what_they_owe():
    assert [reach(level) for level in range(2, 7)] == [10, 15, 20, 25, 30]
    assert (must_answer(3, False), must_answer(4, False)) == ("truth", "truth_or_flight")
    assert must_answer(4, True) == "nothing"
    assert [obeys(deadly) for deadly in (False, True)] == [True, False]


@pytest.mark.rules("EMP-158")
@pytest.mark.option("telepath_duel", "threshold")
def test_a_roll_above_its_threshold_may_count_for_nothing(rulings):
    dice = (4, 4, 4, 4, 4, 3, 3, 3, 3, 3)
    assert thrown(telepaths_duel, 16, 16, RULINGS, of=dice).controlled == 2
    assert thrown(telepaths_duel, 16, 16, rulings(telepath_duel="threshold"), of=dice).controlled == 1
    assert thrown(telepaths_duel, 16, 16, RULINGS, of=(3,) * 10).controlled == 0


@pytest.mark.rules("EMP-159", "EMP-160")
def test_willpower_is_spent_by_the_minute_and_never_below_nothing():
    assert concentrate(3, 3, 2, 9, 7) == 9
    with pytest.raises(RuleError):
        concentrate(1, 3, 2, 9, 9)


@pytest.mark.rules("EMP-161", "EMP-162", "EMP-164", "EMP-165", "EMP-166")
@pytest.mark.option("psi_healing", "point")
@pytest.mark.option("psi_surge", "minutes")
def test_what_the_body_obeys(rulings):
    assert trance_minutes(8) == 8
    assert psi_units(True, False) == (15, 1440, 10080)
    assert (psi_rate(7, RULINGS), psi_rate(7, rulings(psi_healing="point"))) == (7, 1)
    assert surged(7, 9) == 16
    assert (surge_lasts(8, RULINGS), surge_lasts(8, rulings(psi_surge="minutes"))) == ((1, "action"), (8, "minute"))


@pytest.mark.rules("EMP-168", "EMP-169", "EMP-151")
def test_the_form_is_chosen_after_the_roll_and_a_stronger_will_may_evade():
    power = power_of("probe", 4)
    assert effects_open(power) == ("screen", "empathy", "reading", "probe")
    act = PsiAct(power, 14, 4)
    chosen = play(psi_act, act, dice=ScriptedDice(3, 3, 3, 3, answer={"psi_effect": "empathy"})).result
    assert chosen == (True, "empathy", False)
    assert thrown(psi_act, act, of=(6, 6, 6, 6)) == (False, "", False)
    resisted = act._replace(evasion=Fraction(9))
    assert thrown(psi_act, resisted, of=(3, 3, 3, 3, 3, 3, 3)).evaded
    assert thrown(psi_act, act._replace(screened=True), of=(3, 3, 3, 3)).evaded
    assert [may_resist(will, 9) for will in (9, 10)] == [False, True]


# Survival


@pytest.mark.rules("EMP-170", "EMP-171", "EMP-172")
def test_sleep_rest_and_food():
    assert [lacks_sleep(hours) for hours in (5, 6)] == [True, False]
    assert [lacks_food(rations) for rations in (0, 1)] == [True, False]
    effort = Effort()
    for _ in range(4):
        effort = after_sequence(effort, rests=False)
    assert not lacks_rest(effort)
    assert after_sequence(effort, rests=True) == Effort()
    tired = after_sequence(effort, rests=False)
    assert lacks_rest(tired)
    once = after_sequence(tired, rests=True)
    assert lacks_rest(once)
    assert after_sequence(once, rests=True) == Effort()


@pytest.mark.rules("EMP-173", "EMP-174")
@pytest.mark.option("gravity_scope", "force_actions")
@pytest.mark.option("load_scope", "movement")
def test_gravity_and_load_under_each_reading(rulings):
    half = Fraction(1, 2)
    assert (effective_strength(8, half), effective_strength(8, Fraction(0))) == (16, None)
    assert load_mod(10**9, 8, Fraction(0)) == 0
    assert strength_in_tests(8, half, RULINGS) == 8
    assert strength_in_tests(8, Fraction(3, 2), rulings(gravity_scope="force_actions")) == 5
    assert (load_in_tests(-2, RULINGS), load_in_tests(-2, rulings(load_scope="movement"))) == (-2, 0)


@pytest.mark.rules("EMP-175", "EMP-176", "EMP-177")
def test_marches_and_what_they_cost_in_sleep():
    assert [march(gait, Fraction(7), 6).metres for gait in ("walk", "forced_march", "run")] == [7, 14, 28]
    assert (extra_sleep("walk", 8, 6), extra_sleep("forced_march", 6, 6)) == (2, 12)
    assert moving_strength(8, Fraction(1), -3, -2) == 3
    assert moving_strength(8, Fraction(0), 0, 0) is None


@pytest.mark.rules("EMP-151", "EMP-168")
def test_a_power_touched_on_the_sheet_is_no_ordinary_test():
    """Everybody would see an ordinary test of it; it has dice of its own, between its player and the game master."""
    kind = SYSTEM.kind("character")
    oriane = kind.ready("fr")["oriane"]
    begun = {one.name: (one.move, *one.fills.values()) for one in kind.begins(oriane, SYSTEM.book.rulings())}
    assert begun == {"21": ("psi-act", "push_forward"), "22": ("psi-act", "screen"),
                     "25": ("psi-act", "thermal_insensitivity")}
    test = SYSTEM.move("skill-test")
    ctx = SYSTEM.context(test, {}, {"initiator": oriane}, SYSTEM.book.rulings())
    assert not {"21", "22", "25"}.intersection(test.field("skill").type.offered(ctx))
