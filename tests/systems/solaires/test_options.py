"""Each ruling that a table may settle otherwise, at work."""

from fractions import Fraction
from typing import Any

import pytest

from paravent.dice import ScriptedDice, odds, play
from paravent.game import Rulings
from paravent.systems.solaires import SYSTEM
from paravent.systems.solaires.actions.action import Action, Payer, Terms, action, is_automatic, terms_of
from paravent.systems.solaires.actions.announce import may_renegotiate
from paravent.systems.solaires.actions.attitude import Cells
from paravent.systems.solaires.actions.difficulty import on_scale, opposed_difficulty
from paravent.systems.solaires.actions.elements import (
    Hindrance,
    Used,
    check_elements,
    declared_handicap,
    group_handicap,
    handicaps_used,
    target_of,
)
from paravent.systems.solaires.actions.errors import (
    ElementRequired,
    FirstElementMustBeOwn,
    InitiatorMustContribute,
    NoHalfStep,
    NothingToBorrow,
    OnlyBetweenPlayers,
    OnlyStatesHandicap,
    ScoreOutOfScale,
    SecondNeedsTypicalFirst,
    UnfavourableNotUsable,
)
from paravent.systems.solaires.actions.facts import Preference
from paravent.systems.solaires.actions.particular import check_sides, environment, majority
from paravent.systems.solaires.facts import Category, Use
from paravent.systems.solaires.people.bodies import Move as BodyMove
from paravent.systems.solaires.people.bodies import change_body
from paravent.systems.solaires.points.errors import FixedCost, NoPooling, NotEnoughPoints, PooledShort
from paravent.systems.solaires.points.rules import (
    Points,
    Spending,
    arrival,
    cost_of,
    episode_end,
    price,
    scene_end,
    spend,
    starting_points,
)
from paravent.systems.solaires.scenes.errors import AlreadyActed
from paravent.systems.solaires.scenes.rules import Participant, acts, begin

ALTERED, UNSUITED = ("altered_thought", 2), ("unsuited_body", 3)


def at_table(**options: str) -> Rulings:
    return SYSTEM.book.rulings(options)


def v5(**options: str) -> Rulings:
    return at_table(edition="v5", **options)


def thrown(target: int, *faces: int, rulings: Rulings, **terms: Any) -> Action:
    return play(action, terms_of(target, rulings, **terms), dice=ScriptedDice(*faces)).result


def tags(result: Action) -> list[str]:
    return [effect.tag for effect in result.effects]


# The two editions


@pytest.mark.option("edition", "v5")
@pytest.mark.rules("SOL-001", "SOL-041", "SOL-042")
def test_the_later_edition_settles_at_once_what_the_dice_cannot_reach() -> None:
    """The same action, the same preset pattern: v4 reads it with no die kept, v5 stops there."""
    pattern = SYSTEM.tables["outcomes"].columns[3]
    assert pattern == "amplified"
    v4_end = thrown(0, rulings=at_table(), attitude=pattern)
    v5_end = thrown(0, rulings=v5(), preset=pattern)
    assert (v4_end.success, tags(v4_end)) == (False, ["attitude:side_negative"])
    assert (v5_end.success, tags(v5_end), v5_end.rolled) == (False, [], False)
    assert SYSTEM.tables["editions"].cell("beyond", "v5") == "automatic"


@pytest.mark.option("v4_auto", "true")
@pytest.mark.rules("SOL-041")
def test_v4_may_have_automatic_outcomes_too() -> None:
    for target, success in ((0, False), (6, True)):
        result = thrown(target, rulings=at_table(v4_auto="true"), attitude="unstable", unfavourable=1)
        assert (result.success, tags(result), result.rolled) == (success, [], False)


@pytest.mark.option("auto_counts_as", "kept")
@pytest.mark.rules("SOL-042", "SOL-062")
def test_an_automatic_outcome_may_count_as_dice_kept() -> None:
    cells = Cells(kept_0="the alarm", kept_3="+a way out")
    rulings = v5(auto_counts_as="kept")
    assert tags(thrown(6, rulings=rulings, effects=cells, handicap=3)) == ["gm:positive:a way out", "handicap:negative"]
    assert tags(thrown(6, rulings=rulings, effects=cells, handicap=2)) == ["gm:positive:a way out"]
    assert tags(thrown(0, rulings=rulings, effects=cells)) == ["gm:negative:the alarm"]
    assert (is_automatic(v5()), is_automatic(rulings)) == (True, False)


@pytest.mark.option("half_steps", "false")
@pytest.mark.rules("SOL-021")
def test_v5_may_do_without_half_steps() -> None:
    assert on_scale(-3, v5()) == -3
    with pytest.raises(NoHalfStep) as refusal:
        on_scale(-3, v5(half_steps="false"))
    assert refusal.value.rule_id == "SOL-021"
    assert on_scale(-3, at_table(half_steps="false")) == -3


@pytest.mark.option("v4_renegotiate", "true")
@pytest.mark.rules("SOL-016")
def test_v4_may_ease_a_difficulty_against_a_condition() -> None:
    assert [may_renegotiate(rulings) for rulings in (v5(), at_table(), at_table(v4_renegotiate="true"))] == [
        True, False, True]


@pytest.mark.option("opposition_interest", "true")
@pytest.mark.rules("SOL-080")
def test_the_interest_of_the_story_may_weigh_on_an_opposition() -> None:
    assert opposed_difficulty((3, 2), 2, at_table()) == -2
    assert opposed_difficulty((3, 2), 2, at_table(opposition_interest="true")) == 0


# Elements


@pytest.mark.option("require_element", "true")
@pytest.mark.rules("SOL-030")
def test_an_element_may_be_required() -> None:
    assert check_elements((), at_table()) == ()
    with pytest.raises(ElementRequired):
        check_elements((), at_table(require_element="true"))


@pytest.mark.option("v4_typical", "any")
@pytest.mark.rules("SOL-032", "SOL-034")
def test_in_v4_the_lent_element_may_be_the_typical_one() -> None:
    pair = (Used(3), Used(2, typical=True, owner="Downlink"))
    with pytest.raises(SecondNeedsTypicalFirst):
        check_elements(pair, at_table())
    assert target_of(0, check_elements(pair, at_table(v4_typical="any"))) == 5


@pytest.mark.option("initiator_must_contribute", "true")
@pytest.mark.rules("SOL-070")
def test_the_initiator_may_have_to_contribute() -> None:
    pair = (Used(3, typical=True, owner="Downlink"), Used(2, owner="Skyline"))
    assert check_elements(pair, v5())
    with pytest.raises(InitiatorMustContribute):
        check_elements(pair, v5(initiator_must_contribute="true"))
    assert check_elements((), v5(initiator_must_contribute="true")) == ()


@pytest.mark.option("v4_borrow_things", "true")
@pytest.mark.rules("SOL-034")
def test_in_v4_a_ship_may_lend_in_second_place_only() -> None:
    ship = Used(2, owner="ship", is_thing=True)
    with pytest.raises(NothingToBorrow):
        check_elements((Used(3, typical=True), ship), at_table())
    assert check_elements((Used(3, typical=True), ship), at_table(v4_borrow_things="true"))
    with pytest.raises(FirstElementMustBeOwn):
        check_elements((ship,), at_table(v4_borrow_things="true"))


@pytest.mark.option("allow_zero", "true")
@pytest.mark.rules("SOL-104", "SOL-032")
def test_a_score_of_0_adds_nothing_and_may_open_a_second_element() -> None:
    pair = (Used(0, typical=True), Used(2))
    with pytest.raises(ScoreOutOfScale):
        check_elements(pair, at_table())
    assert target_of(1, check_elements(pair, at_table(allow_zero="true"))) == 3
    with pytest.raises(ScoreOutOfScale):
        check_elements((Used(4),), at_table(allow_zero="true"))


# Handicaps


@pytest.mark.option("v5_handicap_any", "true")
@pytest.mark.rules("SOL-061")
def test_any_element_may_handicap_in_v5() -> None:
    trait = Hindrance(2, Category.TRAIT, "Distrait")
    with pytest.raises(OnlyStatesHandicap):
        declared_handicap((trait,), (), v5())
    assert declared_handicap((trait,), (), v5(v5_handicap_any="true")) == 2


@pytest.mark.option("v5_unfavourable", "v4_price")
@pytest.mark.rules("SOL-060")
def test_in_v5_an_unfavourable_element_may_be_used_at_the_price_of_v4() -> None:
    chosen = (Used(2, unfavourable=True),)
    with pytest.raises(UnfavourableNotUsable):
        check_elements(chosen, v5())
    rulings = v5(v5_unfavourable="v4_price")
    number = handicaps_used(check_elements(chosen, rulings), rulings)
    assert tags(thrown(3, 1, 2, 3, rulings=rulings, unfavourable=number)) == ["handicap:negative"]


@pytest.mark.option("v4_declared_states", "true")
@pytest.mark.rules("SOL-061", "SOL-062")
def test_in_v4_a_state_may_have_to_be_declared() -> None:
    panic = (Hindrance(3),)
    assert declared_handicap(panic, (), at_table()) == 0
    rulings = at_table(v4_declared_states="true")
    assert declared_handicap(panic, (), rulings) == 3
    assert tags(thrown(3, 1, 2, 3, rulings=rulings, handicap=3)) == ["handicap:negative"]


@pytest.mark.option("v4_two_handicaps", "one")
@pytest.mark.rules("SOL-060")
def test_two_handicaps_may_bring_one_effect_only() -> None:
    both = (Used(2, typical=True, unfavourable=True), Used(1, unfavourable=True))
    assert [handicaps_used(both, rulings) for rulings in (at_table(), at_table(v4_two_handicaps="one"))] == [2, 1]


@pytest.mark.option("group_handicap", "initiator")
@pytest.mark.rules("SOL-071")
def test_a_group_may_only_count_the_handicap_of_who_rolls() -> None:
    assert group_handicap(1, (3, 2), v5()) == 3
    assert group_handicap(1, (3, 2), v5(group_handicap="initiator")) == 1


@pytest.mark.option("group_rule", "majority")
@pytest.mark.rules("SOL-071")
def test_each_member_of_a_group_may_roll_and_the_majority_decide() -> None:
    chances = odds(majority, (Terms(4, automatic=True),) * 3)
    one = Fraction(20, 27)
    assert chances.chance(lambda trial: trial.success) == one**3 + 3 * one**2 * (1 - one)
    assert not odds(majority, (Terms(6, automatic=True), Terms(0, automatic=True))).chance(lambda trial: trial.success)


# Oppositions and the world


@pytest.mark.option("same_nature", "faces")
@pytest.mark.rules("SOL-082")
def test_dice_of_the_same_nature_may_mean_the_same_face() -> None:
    def extra(*faces: int, **options: str) -> bool:
        rulings = at_table(**options)
        return play(environment, Preference.NEUTRAL, (), rulings, dice=ScriptedDice(*faces)).result.extra_allowed

    assert (extra(4, 5, 6), extra(4, 5, 6, same_nature="faces")) == (True, False)
    assert extra(5, 5, 5, same_nature="faces")
    assert not extra(5, 5, 5, same_nature="faces", edition="v5")


@pytest.mark.option("opposition_vs_npc", "true")
@pytest.mark.rules("SOL-080")
def test_a_table_may_oppose_other_characters_too() -> None:
    with pytest.raises(OnlyBetweenPlayers):
        check_sides(False, at_table())
    check_sides(False, at_table(opposition_vs_npc="true"))
    check_sides(True, at_table())


# Points


@pytest.mark.option("points_model", "published")
@pytest.mark.rules("SOL-107", "SOL-110", "SOL-111", "SOL-112")
def test_points_may_be_three_a_session_and_never_come_back_before_the_next() -> None:
    rulings = at_table(points_model="published", points_asked="always")
    assert starting_points(rulings) == Points(3, 3)
    assert [cost_of(use, rulings) for use in (Use.COSMETIC, Use.UNEXPECTED_EVENT, Use.REROLL_DIE)] == [0, 1, 1]
    free = terms_of(3, rulings, payers=(Payer("initiator", 0),))
    told = play(action, free, dice=ScriptedDice(1, 2, 6, answer=["describe"])).result
    assert (told.narrator, told.spent) == ("initiator", (0,))
    spent = Points(1, 3)
    assert play(scene_end, spent, True, rulings, dice=ScriptedDice()).result == spent
    assert play(episode_end, spent, True, rulings, dice=ScriptedDice()).result == Points(3, 3)


@pytest.mark.option("is_series", "true")
@pytest.mark.rules("SOL-003", "SOL-111")
def test_the_maximum_grows_in_a_series_only() -> None:
    held = Points(2, 2)
    alone, series = (
        play(episode_end, held, False, rulings, dice=ScriptedDice()).result
        for rulings in (at_table(), at_table(is_series="true"))
    )
    assert (alone, series) == (Points(2, 2), Points(3, 3))


@pytest.mark.option("episode_end", "replaces_scene")
@pytest.mark.rules("SOL-110", "SOL-111")
def test_the_end_of_an_episode_may_stand_for_that_of_its_last_scene() -> None:
    both, alone = (
        play(episode_end, Points(0, 2), True, at_table(is_series="true", episode_end=order), dice=ScriptedDice()).result
        for order in ("after_scene", "replaces_scene")
    )
    assert (both, alone) == (Points(3, 3), Points(2, 3))


@pytest.mark.option("late_arrival", "fresh")
@pytest.mark.rules("SOL-108")
def test_a_newcomer_may_always_begin_afresh() -> None:
    others = (Points(4, 4), Points(3, 5))
    average, fresh = (
        play(arrival, others, None, at_table(late_arrival=how), dice=ScriptedDice()).result
        for how in ("average", "fresh")
    )
    assert (average, fresh) == (Points(3, 4), Points(2, 2))


@pytest.mark.option("raise_all", "true")
@pytest.mark.rules("SOL-112")
def test_fixed_prices_may_be_raised_too() -> None:
    dear = Spending(Use.COSMETIC, gm_cost=2)
    with pytest.raises(FixedCost):
        price(dear, at_table())
    assert price(dear, at_table(raise_all="true")) == 2


@pytest.mark.option("pooling", "true")
@pytest.mark.rules("SOL-112")
def test_points_may_be_put_together() -> None:
    storm = Spending(Use.UNEXPECTED_EVENT)

    def paid(offers: tuple[int, ...], **options: str) -> Any:
        return play(spend, 2, offers, storm, at_table(**options), dice=ScriptedDice(answer=[False])).result

    with pytest.raises(NotEnoughPoints):
        paid(())
    with pytest.raises(NoPooling):
        paid((2,))
    with pytest.raises(PooledShort):
        paid((1,), pooling="true")
    assert paid((2,), pooling="true").shares == (2, 2)


@pytest.mark.option("veto", "gm_only")
@pytest.mark.rules("SOL-113")
def test_the_veto_may_be_the_game_master_s_alone() -> None:
    asked = []

    def answer(choice: Any) -> bool:
        asked.append((choice.who, choice.key))
        return True

    dice = ScriptedDice(answer=answer)
    result = play(spend, 4, (), Spending(Use.FLASHBACK), at_table(veto="gm_only"), dice=dice).result
    assert (result.accepted, result.points, result.refunded) == (False, 4, 2)
    assert asked == [("gm", "veto")]


# Bodies and scenes


@pytest.mark.option("identical_body", "strict")
@pytest.mark.rules("SOL-153")
def test_coming_home_may_alter_the_mind_too() -> None:
    home = BodyMove(is_ai=False, robotic=False, familiar=True)
    familiar, strict = (
        play(change_body, (), home, at_table(identical_body=how), dice=ScriptedDice()).result.states
        for how in ("familiar", "strict")
    )
    assert (familiar, strict) == ((), (ALTERED,))


@pytest.mark.option("body_states", "habit_only")
@pytest.mark.rules("SOL-155")
def test_the_states_of_a_body_may_outlast_the_next_change() -> None:
    onward = BodyMove(is_ai=False, robotic=False)
    gone, kept = (
        play(change_body, (ALTERED, UNSUITED), onward, at_table(body_states=how), dice=ScriptedDice()).result.states
        for how in ("new_change", "habit_only")
    )
    assert gone == (ALTERED,)
    assert set(kept) == {ALTERED, UNSUITED}


@pytest.mark.option("rounds", "always")
@pytest.mark.rules("SOL-092")
def test_every_round_may_be_held_to_the_rule_of_the_first() -> None:
    people = (Participant("A"), Participant("B"))
    for how, free in (("first_only", True), ("always", False)):
        rulings = at_table(rounds=how)
        scene = acts(begin(people, "A", rulings), "B", rulings)
        scene = acts(scene, "B", rulings)
        if free:
            acts(scene, "B", rulings)
        else:
            with pytest.raises(AlreadyActed):
                acts(scene, "B", rulings)
