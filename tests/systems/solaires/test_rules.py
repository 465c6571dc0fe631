"""Rules that no worked example tells: announces, states, the network, minds and bodies, scenes."""

import pytest

from paravent.dice import ScriptedDice, play
from paravent.game import Rulings
from paravent.systems.solaires import SYSTEM
from paravent.systems.solaires.actions.action import Terms, action, declared
from paravent.systems.solaires.actions.announce import attempt, is_a_retry, stakes_faults, table_faults
from paravent.systems.solaires.actions.attitude import Cells, all_attitudes, gm_effects, menu, pattern_effects
from paravent.systems.solaires.actions.difficulty import levels, on_scale, total_difficulty
from paravent.systems.solaires.actions.elements import Hindrance, Used, check_group, declared_handicap
from paravent.systems.solaires.actions.errors import GroupOfOne, HelpfulAndHandicap, OffTheScale, ScoreOutOfScale
from paravent.systems.solaires.actions.facts import Attitude, Origin, Polarity, Preference, Verdict
from paravent.systems.solaires.actions.particular import environment_target
from paravent.systems.solaires.facts import Brain
from paravent.systems.solaires.network.errors import NothingPrepared, NotPublic, PassOutOfOrder
from paravent.systems.solaires.network.facts import Damage, NearestCopy, RunStep
from paravent.systems.solaires.network.rules import (
    check_step,
    disconnect,
    may_browse,
    run_steps,
    search,
    study_eases,
    travel,
    wakes_up,
)
from paravent.systems.solaires.people.bodies import (
    ALTERED_THOUGHT,
    UNSUITED_BODY,
    body_kinds,
    check_compatible,
    compatibility,
    host_of,
    used_to_it,
)
from paravent.systems.solaires.people.bodies import Move as BodyMove
from paravent.systems.solaires.people.character import Element
from paravent.systems.solaires.people.errors import IncompatibleBody, NoSuchState
from paravent.systems.solaires.people.facts import MindType
from paravent.systems.solaires.people.states import gained, lost, read_states, worsened
from paravent.systems.solaires.points.rules import Use, cost_of, suggested_surcharge
from paravent.systems.solaires.psi.errors import NothingMaintained
from paravent.systems.solaires.psi.facts import PsiFailure, PsiUse
from paravent.systems.solaires.psi.rules import benchmark, failure_consequence, is_organic, power_sets, psi_use
from paravent.systems.solaires.scenes.errors import AlreadyActed, NotInTheScene
from paravent.systems.solaires.scenes.rules import Participant, acts, begin, can_act, ends, joins, leaves


def at_table(**options: str) -> Rulings:
    return SYSTEM.book.rulings(options)


V4, V5 = at_table(), at_table(edition="v5")


# Announcing


@pytest.mark.rules("SOL-002")
def test_an_unusual_number_of_players_is_only_warned_about() -> None:
    assert [bool(table_faults(number)) for number in range(1, 9)] == [True, *[False] * 5, True, True]
    assert all(fault.warning for number in (1, 7) for fault in table_faults(number))


@pytest.mark.rules("SOL-011", "SOL-012", "SOL-013")
def test_an_announce_that_would_leave_things_as_they_are_is_warned_about() -> None:
    def lacks(*said: str, rulings: Rulings = V4) -> list[tuple[str, str]]:
        found = stakes_faults(*said, rulings)
        assert all(fault.warning for fault in found)
        return [(fault.key, fault.rule) for fault in found]

    assert lacks("ouvrir", "on passe", "l'alarme sonne") == []
    assert lacks("", "on passe", "l'alarme sonne") == [("no_goal", "SOL-011")]
    assert lacks("", "on passe", "l'alarme sonne", rulings=V5) == [("no_goal", "SOL-012")]
    assert lacks("ouvrir", "", " ") == [("no_success", "SOL-013"), ("no_failure", "SOL-013")]
    assert lacks("ouvrir", "Rien de neuf", "rien de neuf") == [("same_stakes", "SOL-013")]


@pytest.mark.rules("SOL-017")
def test_exactly_the_same_attempt_is_remembered_and_another_is_not() -> None:
    failed = (attempt("Ouvrir le sas", ["Kit", "Infiltration"]),)
    assert is_a_retry(attempt("ouvrir le sas ", ["Infiltration", "Kit"]), failed)
    assert not is_a_retry(attempt("Ouvrir le sas", ["Kit"]), failed)
    assert not is_a_retry(attempt("Forcer le sas", ["Kit", "Infiltration"]), failed)
    assert not is_a_retry(attempt("", []), (attempt("", []),))


@pytest.mark.rules("SOL-014", "SOL-025")
@pytest.mark.parametrize(("verdict", "success"), [("trivial", True), ("impossible", False)])
def test_what_is_declared_ends_without_dice_and_without_side_effect(verdict: str, success: bool) -> None:
    done = play(declared, Verdict(verdict), dice=ScriptedDice()).result
    assert (done.success, done.effects, done.rolled) == (success, (), False)
    assert play(declared, Verdict.KO, dice=ScriptedDice()).result is None


# Difficulty


@pytest.mark.rules("SOL-023", "SOL-024")
def test_each_scale_has_five_levels_two_apart() -> None:
    assert levels("intrinsic") == {"simple": 4, "tough": 2, "complex": 0, "insane": -2, "absurd": -4}
    assert levels("interest") == {
        "should_succeed": 4, "success_interesting": 2, "neutral": 0, "failure_interesting": -2, "should_fail": -4}


@pytest.mark.rules("SOL-020", "SOL-021", "SOL-022")
def test_no_value_lies_beyond_the_scales() -> None:
    for value in (-5, 5):
        with pytest.raises(OffTheScale) as refusal:
            on_scale(value, V4)
        assert refusal.value.rule_id == "SOL-021"
    totals = {play(total_difficulty, a, b, V4, dice=ScriptedDice()).result for a in range(-4, 5) for b in range(-4, 5)}
    assert (min(totals), max(totals), len(totals)) == (-8, 8, 17)


# Side effects


@pytest.mark.rules("SOL-053")
def test_a_preset_writes_in_the_cells_what_the_attitude_would_bring() -> None:
    def cells(preset: Attitude) -> tuple[str, ...]:
        found = (pattern_effects(kept, preset, Origin.GM) for kept in range(4))
        return tuple(effects[0].kind if effects else "" for effects in found)

    assert {name: cells(name) for name in all_attitudes()} == {
        Attitude.STABLE: ("", "", "", ""),
        Attitude.SOFTENED: ("", "counter_positive", "counter_negative", ""),
        Attitude.AMPLIFIED: ("side_negative", "", "", "side_positive"),
        Attitude.UNSTABLE: ("side_negative", "counter_positive", "counter_negative", "side_positive"),
    }


@pytest.mark.rules("SOL-052", "SOL-057")
def test_a_cell_holds_as_many_effects_as_it_has_lines() -> None:
    cells = gm_effects(Cells(kept_0="le garde tire\n+ il rate", kept_2="une trace"))
    assert [[effect.tag for effect in cell] for cell in cells] == [
        ["gm:negative:le garde tire", "gm:positive:il rate"], [], ["gm:negative:une trace"], []]


@pytest.mark.rules("SOL-054", "SOL-055")
def test_the_later_edition_adds_states_to_the_ideas_of_effects() -> None:
    numbers = {
        (rulings.edition, polarity): len(menu(polarity, rulings)) for rulings in (V4, V5) for polarity in Polarity}
    assert numbers == {("v4", "negative"): 2, ("v4", "positive"): 2, ("v5", "negative"): 4, ("v5", "positive"): 3}


# Elements and handicaps


@pytest.mark.rules("SOL-063", "SOL-064")
def test_of_several_states_the_highest_counts_and_a_helpful_one_does_not() -> None:
    assert declared_handicap((Hindrance(1), Hindrance(3), Hindrance(2)), (), V5) == 3
    assert declared_handicap((), (), V5) == 0
    panic = Used(3, category="state", name="Paniqué")
    with pytest.raises(HelpfulAndHandicap) as refusal:
        declared_handicap((Hindrance(3, name="Paniqué"),), (panic,), V5)
    assert refusal.value.rule_id == "SOL-064"


@pytest.mark.rules("SOL-071")
def test_a_group_is_two_at_least() -> None:
    with pytest.raises(GroupOfOne):
        check_group((), 1)
    check_group((), 2)


# States


@pytest.mark.rules("SOL-106")
def test_states_are_written_in_a_line_with_their_scores() -> None:
    assert read_states("Blessé 3, désorienté ; En alerte\nFourbu", V4) == (
        Element("Blessé", 3), Element("désorienté", 2), Element("En alerte", 2), Element("Fourbu", 1))
    assert read_states(" ", V4) == ()
    with pytest.raises(ScoreOutOfScale):
        read_states("Blessé 4", V4)


@pytest.mark.rules("SOL-054", "SOL-055", "SOL-106")
def test_states_are_gained_made_worse_and_lost() -> None:
    wounded = (Element("Blessé", 2),)
    assert gained(wounded, [Element("Blessé", 1), Element("Paniqué", 3)]) == (*wounded, Element("Paniqué", 3))
    assert worsened(wounded, "Blessé") == (Element("Blessé", 3),)
    assert worsened(worsened(wounded, "Blessé"), "Blessé") == (Element("Blessé", 3),)
    assert lost(wounded, ["Blessé"]) == ()
    for deed in (lambda: worsened(wounded, "Paniqué"), lambda: lost(wounded, ["Paniqué"])):
        with pytest.raises(NoSuchState):
            deed()


# Points


@pytest.mark.rules("SOL-115", "SOL-116", "SOL-117", "SOL-118", "SOL-119", "SOL-120", "SOL-121", "SOL-122")
def test_each_use_has_its_printed_price() -> None:
    assert {use: cost_of(use, V4) for use in Use} == {
        "describe_consequences": 1, "cosmetic": 1, "reroll_die": 2, "link_story_element": 2, "flashback": 2,
        "question_gm": 2, "create_story_element": 3, "unexpected_event": 4}


@pytest.mark.rules("SOL-123")
@pytest.mark.option("surcharge", "by_score")
def test_a_surcharge_is_suggested_by_the_score_of_what_is_added() -> None:
    by_score = SYSTEM.book.rulings({"surcharge": "by_score"})
    assert [suggested_surcharge(score, by_score) for score in (1, 2, 3)] == [1, 2, 2]
    assert [suggested_surcharge(score, SYSTEM.book.rulings({})) for score in (1, 2, 3)] == [1, 1, 1]


# Action scenes


@pytest.mark.rules("SOL-090", "SOL-091", "SOL-092", "SOL-093")
def test_newcomers_join_the_first_pass_and_the_fallen_leave_it() -> None:
    scene = begin((Participant("A"), Participant("B"), Participant("guard", npc=True)), "A", V4)
    assert (scene.acting, scene.first_pass_over) == ("A", False)
    scene = joins(acts(scene, "guard", V4), Participant("late"))
    with pytest.raises(AlreadyActed):
        acts(scene, "A", V4)
    scene = leaves(scene, "B", V4)
    assert (scene.first_pass_over, can_act(scene, "B", V4)) == (False, False)
    scene = acts(scene, "late", V4)
    assert scene.first_pass_over
    assert [can_act(now, "A", V4) for now in (scene, acts(scene, "A", V4))] == [True, True]
    with pytest.raises(NotInTheScene):
        acts(scene, "nobody", V4)
    assert (ends(scene).ended, ends(scene).acting) == (True, "")


@pytest.mark.rules("SOL-092")
def test_the_pass_ends_when_the_last_who_was_awaited_falls() -> None:
    scene = begin((Participant("A"), Participant("B")), "A", V4)
    assert leaves(scene, "B", V4).first_pass_over


# The network


@pytest.mark.rules("SOL-130", "SOL-131")
def test_agents_bring_back_what_is_public_and_take_hours_for_the_farthest() -> None:
    found = play(search, NearestCopy.ELSEWHERE, True, dice=ScriptedDice()).result
    assert (found.zone, found.access_time) == ("foreign", "hours")
    with pytest.raises(NotPublic):
        play(search, NearestCopy.SAME_PLACE, False, dice=ScriptedDice())


@pytest.mark.rules("SOL-132")
def test_the_matrix_takes_a_console_or_an_artificial_mind() -> None:
    assert [may_browse(ai, console) for ai in (False, True) for console in (False, True)] == [False, True, True, True]


@pytest.mark.rules("SOL-133", "SOL-134", "SOL-135")
def test_a_run_goes_in_order_and_nothing_is_improvised() -> None:
    steps = run_steps()
    assert steps == tuple(RunStep)
    for at, step in enumerate(steps):
        assert check_step(steps[:at], step, "copier le registre") == step
        for other in steps:
            if other != step:
                with pytest.raises(PassOutOfOrder):
                    check_step(steps[:at], other, "copier le registre")
    with pytest.raises(NothingPrepared):
        check_step(steps[:3], RunStep.BREACH, "  ")
    assert [study_eases(hours) for hours in (0, 1, 7, 8, 24)] == [0, 1, 1, 2, 2]


@pytest.mark.rules("SOL-136", "SOL-137")
def test_who_stays_risks_the_console_and_who_is_torn_away_is_shaken() -> None:
    def leaves_how(stays: bool, hit: bool, organic: bool, damage: Damage = Damage.ERASURE) -> tuple[int, bool, bool]:
        return tuple(play(disconnect, stays, hit, organic, 2, damage, dice=ScriptedDice()).result)

    assert leaves_how(stays=True, hit=True, organic=True) == (2, True, True)
    assert leaves_how(stays=True, hit=True, organic=False) == (0, True, True)
    assert leaves_how(stays=True, hit=True, organic=True, damage=Damage.DISCONNECTION) == (2, False, True)
    assert leaves_how(stays=True, hit=False, organic=True) == (0, False, False)
    assert leaves_how(stays=False, hit=False, organic=True) == (2, False, True)
    assert leaves_how(stays=False, hit=False, organic=False) == (0, False, True)


@pytest.mark.rules("SOL-162", "SOL-163")
def test_an_infomorph_needs_a_permission_then_an_upload() -> None:
    def goes(permission: bool, uploaded: bool, saturation: int = 0) -> tuple[bool, str, int]:
        return tuple(play(travel, "le bord", "Cérès", permission, uploaded, saturation, dice=ScriptedDice()).result)

    assert goes(False, True) == goes(True, False) == (False, "le bord", 0)
    assert goes(True, True, 2) == (True, "Cérès", 2)


def test_a_backup_in_a_cache_wakes_only_if_somebody_watches() -> None:
    assert [wakes_up(agent, wiped) for agent in (False, True) for wiped in (False, True)] == [False, False, True, False]


# Psi


@pytest.mark.rules("SOL-144", "SOL-145", "SOL-146")
def test_what_each_use_of_an_implant_takes() -> None:
    assert [psi_use(use, False).needs_action for use in (PsiUse.PERCEPTION, PsiUse.ONE_OFF, PsiUse.MAINTAINED)] == [
        False, True, True]
    assert not psi_use(PsiUse.PERCEPTION, False, perceived=False).wrong_target_risk
    with pytest.raises(NothingMaintained):
        psi_use(PsiUse.RELEASE, False)


@pytest.mark.rules("SOL-141", "SOL-142")
def test_each_set_is_opened_by_its_traits_in_either_gender_and_language() -> None:
    table = SYSTEM.tables["power_sets"]
    for one in table.column("traits"):
        for lang in ("fr", "en"):
            for trait in table.word(f"traits_{one}", lang).split(", "):
                assert power_sets([(trait.upper(), 1)]) == (one,), trait


@pytest.mark.rules("SOL-147", "SOL-148")
def test_a_power_has_benchmarks_and_three_ways_to_fail() -> None:
    assert benchmark("psi_activate") == (2, -3)
    for situation in SYSTEM.tables["benchmarks"].column("note"):
        easiest, hardest = benchmark(situation)
        assert -4 <= hardest < easiest <= 4
    assert [failure_consequence(cause) for cause in PsiFailure] == ["another_object", "nothing", "special_mode"]


@pytest.mark.rules("SOL-140")
def test_only_brains_with_nerve_cells_bear_an_implant() -> None:
    assert [is_organic(brain) for brain in Brain] == [True, True, False, False, False]


# Bodies


@pytest.mark.rules("SOL-151")
def test_a_mind_needs_a_brain_that_suits_it_or_a_conversion() -> None:
    assert compatibility(MindType.NATURAL, Brain.ORGANIC) == "yes"
    assert compatibility(MindType.NATURAL, host_of("cybernetic").brain) == "emulation"
    assert compatibility(MindType.NATURAL_SUPERVISED, Brain.ORGANIC) == "no"
    assert compatibility(MindType.AI_WOLFA, host_of("infomorph").brain) == "yes"
    with pytest.raises(IncompatibleBody):
        check_compatible(BodyMove(False, True, "emulation", converted=False))
    assert check_compatible(BodyMove(False, True, "emulation")) == "emulation"
    for mind in MindType:
        assert {compatibility(mind, host_of(body).brain) for body in body_kinds()} - {"no"}


@pytest.mark.rules("SOL-155")
def test_one_gets_used_to_a_body() -> None:
    assert used_to_it(((ALTERED_THOUGHT, 2), ("wounded", 1), (UNSUITED_BODY, 3))) == (("wounded", 1),)


@pytest.mark.rules("SOL-081")
def test_the_world_is_rolled_against_2_3_or_4() -> None:
    assert [environment_target(preference) for preference in Preference] == [2, 3, 4]


@pytest.mark.rules("SOL-060", "SOL-062")
@pytest.mark.parametrize(("unfavourable", "handicap", "cited"), [
    (2, 0, ["SOL-060", "SOL-060"]), (1, 3, ["SOL-060", "SOL-062"]), (0, 3, ["SOL-062"]),
])
def test_what_hinders_is_explained_by_the_rule_it_comes_from(
    unfavourable: int, handicap: int, cited: list[str]
) -> None:
    done = play(action, Terms(3, unfavourable=unfavourable, handicap=handicap), dice=ScriptedDice(1, 1, 6))
    assert [note.rule for note in done.notes if note.key == "effect_handicap"] == cited
