"""Each ruling that a table may settle otherwise, at work. (Those that worked examples show are tested with them.)"""

from fractions import Fraction
from typing import Any

import pytest

from paravent.dice import ByHand, ScriptedDice, odds, play
from paravent.game import Rulings, from_plain
from paravent.game.running import Ran, run
from paravent.systems.conteur import SYSTEM
from paravent.systems.conteur.facts import HUMAN_PARTS, SkillField
from paravent.systems.conteur.health.errors import NoLuckAgainstWound
from paravent.systems.conteur.people.character import Character, Skill
from paravent.systems.conteur.people.errors import OverBudget
from paravent.systems.conteur.rolls.errors import LuckIsNoTarget, MissingSkill
from paravent.systems.conteur.rolls.opposed import opposed
from paravent.systems.conteur.rolls.pool import Action
from paravent.systems.conteur.rolls.roll import Roll, roll, terms_of

PURSUED = {"label": "", "difficulty": 4, "stock": 2, "turn": 1}


def at_table(**options: str) -> Rulings:
    return SYSTEM.book.rulings(options)


def run_move(
    move: str, form: dict[str, Any], *faces: int, sheets: Any = None, state: Any = None, **options: str
) -> Ran:
    if isinstance(state, dict):
        state = from_plain(SYSTEM.encounters["complex-action"].state, state)
    ctx = SYSTEM.context(move, form, sheets, at_table(**options), state)
    return run(ctx, ScriptedDice(*faces))


def throw_again(faces: tuple[int, ...], answers: list[Any], luck: int = 0, **options: str) -> Roll:
    terms = terms_of(len(faces) - len(answers), 5, 1, at_table(**options), goal=9)
    return play(roll, luck, terms, dice=ScriptedDice(*faces, answer=[*answers, "stop"])).result


@pytest.mark.option("cancel_mode", "effects_only")
@pytest.mark.rules("D10-011")
def test_a_1_cancelled_by_a_10_may_stay_a_success_but_is_never_thrown_again() -> None:
    terms = terms_of(3, 5, 1, at_table(cancel_mode="effects_only"))
    result = play(roll, 0, terms, dice=ScriptedDice(1, 10, 7)).result
    assert (result.raw, result.rights_left, result.standing_tens) == (1, 0, 0)


@pytest.mark.option("reroll_chain", "closed")
@pytest.mark.rules("D10-013")
def test_closed_rerolls_earn_no_new_right() -> None:
    assert throw_again((1, 8, 1), [ByHand((2,))], reroll_chain="closed").rights_left == 0
    assert throw_again((1, 8, 10), [ByHand((2,))], reroll_chain="closed").raw == 0


@pytest.mark.option("reroll_chain", "flat")
@pytest.mark.rules("D10-013")
def test_flat_rerolls_show_no_critical_and_may_be_taken_again() -> None:
    result = throw_again((1, 1, 8, 10, 3), [ByHand((3,)), ByHand((3,))], reroll_chain="flat")
    assert (result.raw, result.standing_tens) == (3, 0)
    assert throw_again((1, 8, 1), [ByHand((2,))], reroll_chain="flat").rights_left == 0


@pytest.mark.option("right_targets", "any")
@pytest.mark.rules("D10-013")
def test_a_right_may_take_up_a_standing_10() -> None:
    result = throw_again((1, 1, 8, 10, 4), [ByHand((3,)), ByHand((3,))], right_targets="any")
    assert (result.raw, result.standing_tens) == (3, 0)


@pytest.mark.option("empty_pool", "one_die")
@pytest.mark.rules("D10-006")
def test_one_die_may_always_remain() -> None:
    form = {"initiator": [{"attribute": 5, "skill": 2, "energy": 3}]}
    assert run_move("throw", form, 5, empty_pool="one_die").plays["throw"].result.passed
    assert run_move("throw", form).plays["throw"].result.dice == 0


@pytest.mark.option("empty_pool", "desperate")
@pytest.mark.rules("D10-006")
def test_a_desperate_die_succeeds_on_a_1_only() -> None:
    form = {"initiator": [{"attribute": 5, "skill": 2, "energy": 3}]}
    assert not run_move("throw", form, 2, empty_pool="desperate").plays["throw"].result.passed
    assert run_move("throw", form, 1, empty_pool="desperate").plays["throw"].result.passed


@pytest.mark.option("missing_skill", "forbidden")
@pytest.mark.rules("D10-035")
def test_nobody_may_act_without_the_skill() -> None:
    form = {"initiator": [{"attribute": 5, "skill": 0, "energy": 20}]}
    assert run_move("throw", form, 5).plays["throw"].result.dice == 1
    with pytest.raises(MissingSkill) as refusal:
        run_move("throw", form, 5, missing_skill="forbidden")
    assert refusal.value.rule_id == "D10-035"


@pytest.mark.option("scale_basis", "margin")
@pytest.mark.rules("D10-008", "D10-022")
def test_the_scale_may_read_the_margin() -> None:
    form = {"initiator": [{"attribute": 5, "dice": 5}], "gm": [{"difficulty": 4}]}
    assert run_move("throw", form, 2, 3, 4, 5, 5).plays["throw"].result.level == 3
    assert run_move("throw", form, 2, 3, 4, 5, 5, scale_basis="margin").plays["throw"].result.level == 1
    turn = {"initiator": [{"attribute": 5, "dice": 4}]}
    assert run_move("continue-complex-action", turn, 2, 3, 4, 5, state=PURSUED).plays["turn"].result.level == 3
    ran = run_move("continue-complex-action", turn, 2, 3, 4, 5, state=PURSUED, scale_basis="margin")
    assert (ran.plays["turn"].result.stock, ran.plays["turn"].result.level) == (6, 2)


@pytest.mark.option("difficulty_carry_over", "one_shot")
@pytest.mark.rules("D10-007")
def test_a_hard_roll_may_be_settled_by_a_single_throw() -> None:
    form = {"initiator": [{"attribute": 5, "dice": 3}], "gm": [{"difficulty": 3}]}
    for value, opens in (("complex", True), ("one_shot", False)):
        ran = run_move("throw", form, 2, 3, 9, difficulty_carry_over=value)
        step = ran.ctx.move.resolves[0]
        opened = step.opens(ran.ctx, ran.plays["throw"].result)
        assert (opened is not None) == opens
        assert opened is None or (opened.state.stock, opened.state.difficulty) == (2, 3)


@pytest.mark.option("simultaneous_mode", "difficulty")
@pytest.mark.rules("D10-018")
def test_another_action_may_raise_the_difficulty_for_the_turn_instead() -> None:
    form = {"initiator": [{"attribute": 5, "dice": 2}], "gm": [{"simultaneous": 1}]}
    by_success = run_move("continue-complex-action", form, 3, 4, state=PURSUED).plays["turn"].result
    by_difficulty = run_move(
        "continue-complex-action", form, 3, 4, state=PURSUED, simultaneous_mode="difficulty").plays["turn"].result
    assert (by_success.stock, by_success.done) == (3, False)
    assert (by_difficulty.stock, by_difficulty.done) == (4, False)


@pytest.mark.option("reflex_counts", "true")
@pytest.mark.rules("D10-016", "D10-018")
def test_a_reflex_may_disturb_a_complex_action() -> None:
    form = {"initiator": [{"attribute": 5, "dice": 2}], "gm": [{"reflexes": 1}]}
    for value, done in (("false", True), ("true", False)):
        ran = run_move("continue-complex-action", form, 3, 4, state=PURSUED, reflex_counts=value)
        assert ran.plays["turn"].result.done == done


@pytest.mark.option("complex_pause", "true")
@pytest.mark.rules("D10-020")
def test_a_complex_action_may_be_paused() -> None:
    form = {"initiator": [{"attribute": 5, "dice": 2, "turn": 5}]}
    for value, stock in (("false", 1), ("true", 3)):
        ran = run_move("continue-complex-action", form, 3, 9, state=PURSUED, complex_pause=value)
        assert ran.plays["turn"].result.stock == stock


@pytest.mark.option("opposed_tie", "reroll")
@pytest.mark.rules("D10-025")
def test_a_tie_may_be_rolled_again() -> None:
    form = {"initiator": [{"attribute": 5, "dice": 1}], "opponent": [{"attribute": 5, "dice": 1}]}
    ran = run_move("opposed-roll", form, 2, 3, 4, 9, opposed_tie="reroll")
    assert ran.plays["opposed"].result.winner == "initiator"
    sides = (Action(attribute=5, dice=1), 0)
    again = odds(opposed, *sides, *sides, at_table(opposed_tie="reroll"))
    assert again.chance(lambda duel: duel.winner == "initiator") == Fraction(1, 2)


@pytest.mark.rules("D10-025", "D10-030")
def test_luck_spent_on_a_tie_is_gone_and_a_new_opposed_roll_follows() -> None:
    form = {"initiator": [{"attribute": 5, "dice": 1, "luck": 1}], "opponent": [{"attribute": 5, "dice": 1}]}
    ctx = SYSTEM.context("opposed-roll", form, None, at_table(opposed_tie="reroll"))
    ran = run(ctx, ScriptedDice(7, 3, 4, answer=["luck", ByHand((1,))]))
    result = ran.plays["opposed"].result
    assert (result.winner, result.initiator.luck_spent) == ("nobody", 1)
    follow = ctx.move.resolves[0].follow(ran.ctx, result)
    assert [(after.move, after.form["initiator"]["dice"]) for after in follow] == [("opposed-roll", 1)]
    assert "luck" not in follow[0].form["initiator"]


@pytest.mark.option("luck_as_target", "true")
@pytest.mark.rules("D10-029")
def test_luck_is_rolled_on_only_where_the_table_wants_it() -> None:
    sheets = {"initiator": Character(luck=4, luck_used=4)}
    form = {"initiator": [{"attribute": "luck", "dice": 1}]}
    with pytest.raises(LuckIsNoTarget):
        run_move("throw", form, 4, sheets=sheets)
    assert run_move("throw", form, 4, sheets=sheets, luck_as_target="true").plays["throw"].result.passed


@pytest.mark.option("creation_budget", "standard")
@pytest.mark.rules("D10-027")
def test_a_table_may_create_on_a_budget() -> None:
    generous = {"name": "Sacha", "dexterity": 7, "mental": 6}
    form = {"initiator": [{"sheet": generous}]}
    assert run_move("create-character", form).plays["create"].result.attribute_points == 33
    with pytest.raises(OverBudget):
        run_move("create-character", form, creation_budget="standard")
    skills = [{"field": "actions", "name": f"Art {n}", "value": 5} for n in range(6)]
    with pytest.raises(OverBudget):
        run_move("create-character", {"initiator": [{"sheet": {"name": "Sacha", "skills": skills}}]},
                 creation_budget="standard")
    assert run_move("create-character", {**form, "gm": [{"override": True}]}, creation_budget="standard").changes


@pytest.mark.option("wound_stacking", "worst")
@pytest.mark.rules("D10-005")
def test_two_serious_wounds_may_count_once() -> None:
    wounds = {**dict.fromkeys(HUMAN_PARTS, 0), "left_leg": 2, "right_leg": 2}
    running = (Skill(SkillField.ACTIONS, "Course", 5),)
    sheets = {"initiator": Character(wounds=wounds, skills=running, luck=0, energy=15)}
    form = {"initiator": [{"attribute": "dexterity", "skill": "Course", "limbs": ["left_leg", "right_leg"]}]}
    assert run_move("throw", form, 9, sheets=sheets).plays["throw"].result.dice == 1
    assert run_move("throw", form, 9, 9, 9, sheets=sheets, wound_stacking="worst").plays["throw"].result.dice == 3


@pytest.mark.option("segment_timing", "after_spend")
@pytest.mark.rules("D10-049", "D10-061")
def test_the_segment_may_be_read_after_the_expense() -> None:
    form = {"initiator": [{"attribute": 5, "skill": 2, "energy": 19, "energy_dice": 1}]}
    assert run_move("throw", form, 9, 9, 9, 9).plays["throw"].result.dice == 4
    assert run_move("throw", form, 9, 9, 9, segment_timing="after_spend").plays["throw"].result.dice == 3


@pytest.mark.option("energy_zero", "collapse")
@pytest.mark.rules("D10-060")
def test_energy_at_0_may_knock_out() -> None:
    tired = {"character": Character(name="Sacha", energy=1)}
    for value, falls in (("failing", False), ("collapse", True)):
        ran = run_move("end-of-scene", {"character": [{"cost": 2}]}, sheets=tired, energy_zero=value)
        assert any(change.path == "unconscious" for change in ran.changes) == falls
    sheets = {"initiator": Character(energy=1, luck=0, skills=(Skill(SkillField.ACTIONS, "Tir", 4),))}
    form = {"initiator": [{"attribute": 5, "skill": "Tir", "energy_dice": 1}]}
    ran = run_move("throw", form, 2, 3, sheets=sheets, energy_zero="collapse")
    assert {change.path: change.after for change in ran.changes} == {"energy": 0, "unconscious": True}


@pytest.mark.option("blackout_trigger", "any_ten")
@pytest.mark.rules("D10-054")
def test_even_a_cancelled_10_may_knock_out_the_exhausted() -> None:
    form = {"initiator": [{"attribute": 5, "skill": 5, "energy": 3}]}
    assert not run_move("throw", form, 1, 10).plays["throw"].result.unconscious
    assert run_move("throw", form, 1, 10, blackout_trigger="any_ten").plays["throw"].result.unconscious


@pytest.mark.option("serious_heals_to", "superficial")
@pytest.mark.rules("D10-067")
def test_a_serious_wound_may_leave_a_superficial_one() -> None:
    form = {"initiator": [{"part": "left_arm", "level": 2, "healing_paid": 4}]}
    assert run_move("heal", form).plays["heal"].result.level == 0
    ran = run_move("heal", form, serious_heals_to="superficial")
    assert (ran.plays["heal"].result.level, ran.plays["heal"].result.healing_paid) == (1, 0)
    again = {"initiator": [{"part": "left_arm", "level": 1}]}
    assert run_move("heal", again, serious_heals_to="superficial").plays["heal"].result.level == 0


@pytest.mark.option("avoid_counts", "levels_lost")
@pytest.mark.rules("D10-033")
def test_one_point_may_be_enough_for_the_last_level() -> None:
    form = {"gm": [{"part": "left_arm", "levels": 2}], "victim": [{"level": 2, "luck": 3, "avoid": 1}]}
    assert run_move("inflict-wound", form).plays["wound"].result.level == 3
    assert run_move("inflict-wound", form, avoid_counts="levels_lost").plays["wound"].result.level == 2
    head = {"gm": [{"part": "head", "levels": 3}], "victim": [{"level": 1, "luck": 3, "avoid": 1}]}
    assert run_move("inflict-wound", head, avoid_counts="levels_lost").plays["wound"].result.level == 1
    form["victim"][0]["avoid"] = 2
    with pytest.raises(NoLuckAgainstWound):
        run_move("inflict-wound", form, avoid_counts="levels_lost")


@pytest.mark.option("opposed_floor", "false")
@pytest.mark.rules("D10-023")
def test_negative_totals_may_be_compared() -> None:
    form = {"initiator": [{"attribute": 5, "dice": 2}], "opponent": [{"attribute": 5, "dice": 1}]}
    assert run_move("opposed-roll", form, 10, 10, 10).plays["opposed"].result.winner == "nobody"
    duel = run_move("opposed-roll", form, 10, 10, 10, opposed_floor="false").plays["opposed"].result
    assert (duel.winner, duel.effective) == ("opponent", 1)
