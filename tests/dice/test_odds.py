"""Rules weighed: exact odds, their laws, and other ways to the same numbers."""

from enum import Enum
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb

import icepool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paravent.dice import (
    Kinds,
    Odds,
    SeededDice,
    Take,
    ThrowAgain,
    forget_odds,
    fraction_text,
    kept_with_odds,
    odds,
    play,
)
from paravent.dice.errors import EndlessRule, NoOutcome
from paravent.dice.ways import of_kinds, of_pool, of_sum

settings.register_profile("dice", deadline=None, derandomize=True, max_examples=40)
dice_settings = settings.get_profile("dice")

small = st.integers(0, 4)
sides = st.integers(1, 8)


def margin(dice, value):
    return value - dice.sum(2, 6)


def beats(dice, mine, theirs):
    return dice.of("a").resolve(margin, mine) > dice.of("b").resolve(margin, theirs)


# --- Ways


@given(small, sides)
@dice_settings
def test_sums_and_handfuls_count_every_way_once(n, sides):
    faces = list(product(range(1, sides + 1), repeat=n))
    sums, pools = of_sum(n, sides), of_pool(n, sides)
    assert sum(sums.ways.values()) == sum(pools.ways.values()) == sums.total == len(faces)
    assert all(ways == sum(sum(throw) == total for throw in faces) for total, ways in sums.ways.items())
    assert all(ways == sum(tuple(sorted(throw)) == hand for throw in faces)
               for hand, ways in pools.ways.items())


@given(small, st.lists(st.integers(0, 3), min_size=1, max_size=4).filter(sum))
@dice_settings
def test_kinds_count_like_single_faces(n, sizes):
    faces = iter(range(1, sum(sizes) + 1))
    kinds = Kinds(sum(sizes), **{f"k{at}": [next(faces) for _ in range(size)] for at, size in enumerate(sizes)})
    fall = of_kinds(n, kinds)
    counted = {}
    for throw in product(range(1, kinds.sides + 1), repeat=n):
        counted[kinds.tally(throw)] = counted.get(kinds.tally(throw), 0) + 1
    assert fall.ways == counted
    assert fall.total == kinds.sides**n


# --- Laws of odds


@given(st.dictionaries(st.integers(-9, 9), st.integers(0, 50)).filter(lambda ways: sum(ways.values())))
@dice_settings
def test_odds_sum_to_one_and_keep_their_means(ways):
    spread = Odds(ways)
    assert sum(spread.values()) == 1
    assert spread.mean() == sum(value * chance for value, chance in spread.items())
    assert spread.map(lambda value: -value).mean() == -spread.mean()
    assert spread.chance(lambda value: value > 0) + spread.chance(lambda value: value <= 0) == 1


@given(st.dictionaries(st.integers(-9, 9), st.integers(0, 50)).filter(lambda ways: sum(ways.values())))
@dice_settings
def test_knowing_that_something_holds_divides_by_its_chance(ways):
    spread = Odds(ways)
    if not spread.chance(lambda value: value % 2):
        with pytest.raises(NoOutcome):
            spread.given(lambda value: value % 2)
        return
    odd = spread.given(lambda value: value % 2)
    assert sum(odd.values()) == 1
    assert all(odd[value] * spread.chance(lambda v: v % 2) == spread[value] for value in odd)


@given(st.dictionaries(st.integers(-9, 9), st.integers(1, 50), min_size=1), st.fractions(0, 1))
@dice_settings
def test_a_quantile_is_the_first_value_not_exceeded_that_often(ways, share):
    spread = Odds(ways)
    at = spread.quantile(share)
    assert spread.chance(lambda value: value <= at) >= share
    assert spread.chance(lambda value: value < at) < share or at == min(spread)


def test_equal_odds_need_not_have_the_same_number_of_ways():
    assert Odds({1: 2, 2: 4}) == Odds({1: 1, 2: 2}) == Odds({2: 20, 1: 10, 3: 0})
    assert hash(Odds({1: 2, 2: 4})) == hash(Odds({1: 1, 2: 2}))
    assert Odds({1: 1}) != Odds({1: 1, 2: 1}) != Odds({1: 1, 3: 1})
    assert Odds({1: 1}) != {1: 1}


def test_a_result_that_cannot_come_has_no_chance():
    assert Odds({1: 1})[7] == 0
    assert 7 not in Odds({1: 1, 7: 0})
    assert len(Odds({1: 1, 7: 0})) == 1


def test_odds_print_as_bars_and_as_rows():
    spread = odds(lambda dice: dice.sum(1, 2))
    assert spread.bars().splitlines()[0] == "1   50.0%  " + "█" * 30
    assert spread.to_json() == [
        {"result": "1", "chance": "1/2", "probability": 0.5},
        {"result": "2", "chance": "1/2", "probability": 0.5},
    ]
    assert fraction_text(Fraction(4, 2)) == "2"
    assert "…" in repr(odds(lambda dice: dice.sum(2, 6)))


def test_results_are_shown_sorted_and_enumerations_as_declared():
    class Grade(Enum):
        WORST = "z"
        BEST = "a"

    assert [result for result, _ in Odds({Grade.BEST: 1, Grade.WORST: 1}).ordered()] == [Grade.WORST, Grade.BEST]
    mixed = Odds({("b", 1): 1, (None, 2): 1, None: 1, 3: 1, "x": 1})
    assert [result for result, _ in mixed.ordered()] == [None, 3, (None, 2), ("b", 1), "x"]


# --- Rules


def test_a_rule_is_weighed_exactly():
    assert odds(margin, 7).ways == {7 - total: 6 - abs(7 - total) for total in range(2, 13)}
    assert odds(beats, 9, 7).chance(bool) == Fraction(
        sum(9 - sum(a) > 7 - sum(b) for a in product(range(1, 7), repeat=2) for b in product(range(1, 7), repeat=2)),
        6**4,
    )


def test_branches_may_throw_different_numbers_of_dice():
    def exploding(dice, left=3):
        face = dice.sum(1, 6)
        return face + dice.resolve(exploding, left - 1) if face == 6 and left else face

    spread = odds(exploding)
    assert spread.total == 6**4
    assert spread[24] == Fraction(1, 6**4)
    assert spread[7] == Fraction(1, 36)


def test_what_is_thrown_again_leaves_the_rest_to_be_the_whole():
    def no_tie(dice):
        one, other = dice.sum(1, 6), dice.sum(1, 6)
        if one == other:
            raise ThrowAgain
        return one - other

    assert odds(no_tie) == odds(lambda dice: dice.sum(1, 6) - dice.sum(1, 6)).given(bool)


def test_throwing_again_restarts_only_the_rule_that_asks_for_it():
    def not_one(dice):
        face = dice.sum(1, 4)
        if face == 1:
            raise ThrowAgain
        return face

    assert odds(lambda dice: (dice.sum(1, 2), dice.resolve(not_one)))[1, 4] == Fraction(1, 6)


def test_a_rule_that_always_throws_again_has_no_odds():
    def never(dice):
        raise ThrowAgain

    with pytest.raises(EndlessRule):
        odds(never)


def test_a_rule_that_calls_itself_for_ever_has_no_odds():
    def endless(dice, n=0):
        return dice.resolve(endless, n + 1)

    with pytest.raises(EndlessRule):
        odds(endless)


def test_a_policy_answers_the_choices_and_the_usual_one_if_none_is_given():
    def pick(dice):
        face = dice.sum(1, 6)
        return dice.sum(1, 6) if dice.choose("a", "again", (False, True), usual=face <= 3) else face

    assert odds(pick).mean() == Fraction(17, 4)
    assert odds(pick, policy=lambda who, key, options, usual: False).mean() == Fraction(7, 2)


def test_a_policy_reaches_the_rules_within():
    def inner(dice):
        return dice.choose("a", "k", (1, 2)) + dice.sum(1, 2)

    def outer(dice):
        return dice.resolve(inner)

    assert odds(outer, policy=lambda who, key, options, usual: options[-1]).mean() == Fraction(7, 2)
    assert odds(outer).mean() == Fraction(5, 2)


def test_the_rest_of_a_rule_is_taken_over_whole():
    def total(dice, left, so_far=0):
        return so_far if not left else dice.then(total, left - 1, so_far + dice.sum(1, 6))

    assert odds(total, 3) == odds(lambda dice: dice.sum(3, 6))


def test_the_rest_of_a_rule_cannot_be_read():
    def six(dice):
        return dice.sum(1, 6)

    def unread(dice):
        dice.then(six)
        return dice.sum(1, 2)

    for misuse in (lambda dice: (dice.then(six), 1), lambda dice: dice.then(six) + 1, unread):
        with pytest.raises(TypeError):
            odds(misuse)


def test_lines_hands_trays_and_streams_change_no_odds():
    def told(dice):
        total = dice.of("gm").stream("0101").sum(2, 6)
        dice.note("T-1", "told", total=total)
        dice.aside("success", 1)
        return total

    assert odds(told) == odds(lambda dice: dice.sum(2, 6))


def test_a_choice_among_equal_dice_is_one_among_kinds():
    assert {Take("b", "a"): 1}[Take("a", "b")] == 1


@given(st.integers(0, 5), st.integers(1, 5))
@dice_settings
def test_a_pool_read_by_faces_is_binomial(n, score):
    def kept(dice):
        return sum(face <= score for face in dice.pool(n, 6))

    spread, hit = odds(kept), Fraction(score, 6)
    assert all(spread[k] == comb(n, k) * hit**k * (1 - hit) ** (n - k) for k in range(n + 1))


def test_an_answer_is_kept_until_odds_are_forgotten_with_what_was_worked_out_from_them():
    asked = []

    def watched(dice, value):
        asked.append(value)
        return dice.sum(1, value)

    @kept_with_odds
    @lru_cache
    def likeliest(value):
        return odds(watched, value).quantile(1)

    assert likeliest(2) == likeliest(2) == odds(watched, 2).quantile(1) == 2
    assert len(asked) == 2
    forget_odds()
    assert likeliest(2) == 2
    assert len(asked) == 4


# --- icepool as an oracle


def same(ours, theirs):
    return dict(ours.items()) == {
        outcome: Fraction(ways, theirs.denominator()) for outcome, ways in theirs.items() if ways
    }


@given(st.integers(1, 5), st.integers(2, 8))
@dice_settings
def test_icepool_agrees_on_sums(n, sides):
    assert same(odds(lambda dice: dice.sum(n, sides)), n @ icepool.d(sides))


@given(st.integers(1, 5), st.integers(1, 5))
@dice_settings
def test_icepool_agrees_on_the_best_dice_kept(n, kept):
    assert same(odds(lambda dice: sum(dice.pool(n, 6)[-kept:])), icepool.d(6).highest(n, kept))


@given(st.integers(2, 12), st.integers(2, 12))
@dice_settings
def test_icepool_agrees_on_a_contest(mine, theirs):
    two = 2 @ icepool.d(6)
    assert same(odds(beats, mine, theirs), mine - two > theirs - two)


# --- Played as weighed


@pytest.mark.parametrize(("rule", "args"), [(margin, (8,)), (beats, (8, 7))])
def test_played_frequencies_lie_in_the_band_of_the_exact_odds(rule, args):
    """With a fixed seed; a band of five standard deviations."""
    runs = 3000
    dice = SeededDice("band")
    seen = {}
    for _ in range(runs):
        result = rule(dice, *args)
        seen[result] = seen.get(result, 0) + 1
    spread = odds(rule, *args)
    assert seen.keys() <= spread.keys()
    for result, chance in spread.items():
        assert abs(seen.get(result, 0) - runs * chance) <= 5 * (runs * chance * (1 - chance)) ** 0.5


def test_whatever_is_played_was_possible():
    for seed in range(50):
        assert play(beats, 8, 7, dice=SeededDice(seed)).result in odds(beats, 8, 7)
