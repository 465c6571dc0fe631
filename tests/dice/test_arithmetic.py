"""Odds as values: sums, comparisons, many of them, weighted and named faces, decks; icepool counts the same."""

import sys
import time
from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import icepool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paravent.dice import Deck, Odds, ScriptedDice, SeededDice, ThrowAgain, d, forget_odds, odds, play
from paravent.dice.errors import AbsurdDice, EndlessRule, NotADie, NotAPrecision, TooFewCards, TooWide
from paravent.dice.odds import every_way
from paravent.game.words import house_words

weighted = st.dictionaries(st.integers(-4, 9), st.integers(1, 4), min_size=1, max_size=5).map(Odds)
few = settings(deadline=None, derandomize=True, max_examples=40)


def theirs(spread):
    return icepool.Die(dict(spread.ways))


def same(mine, die):
    total = sum(die.quantities())
    return dict(mine) == {result: Fraction(ways, total) for result, ways in die.items()}


@given(weighted, weighted, st.integers(-3, 3))
@few
def test_arithmetic_is_icepool_s(one, other, number):
    a, b = theirs(one), theirs(other)
    assert same(one + other, a + b)
    assert same(one - other, a - b)
    assert same(one * other, a * b)
    assert same(number - one, number - a)
    assert same(one * number, a * number)
    assert same(abs(-one), abs(-a))
    assert same(one // 2, a // 2)
    assert same(one % 3, a % 3)


@given(weighted, weighted)
@few
def test_comparisons_are_odds_of_true_and_false(one, other):
    for how in ("__lt__", "__le__", "__gt__", "__ge__"):
        pairs = [(getattr(mine, how)(its), ways * more) for mine, ways in one.ways.items()
                 for its, more in other.ways.items()]
        assert getattr(one, how)(other)[True] * one.total * other.total == sum(ways for yes, ways in pairs if yes)
    assert one.same(other)[True] == sum(one[value] * other[value] for value in one)
    assert (one > 2)[True] == one.chance(lambda value: value > 2)


@given(weighted, st.integers(0, 5), st.integers(0, 5))
@few
def test_several_of_them_are_every_one_turned_over(one, n, keep):
    assert one.repeat(n) == n @ one
    hands = Counter()
    for faces in product(one.ways, repeat=n):
        ways = 1
        for face in faces:
            ways *= one.ways[face]
        hands[tuple(sorted(faces))] += ways
    assert one.handful(n) == Odds(hands)
    assert one.repeat(n) == Odds(hands).map(sum)
    if keep <= n:
        assert one.highest(n, keep) == Odds(hands).map(lambda hand: sum(hand[n - keep:]))
        assert one.lowest(n, keep) == Odds(hands).map(lambda hand: sum(hand[:keep]))
    largest = one.gather(n, lambda most, face, count: max(most, count), 0)
    assert largest == Odds(hands).map(lambda hand: max(map(hand.count, hand), default=0))


def test_a_spread_has_a_variance_and_can_be_drawn_from():
    spread = d("3d6")
    assert spread.variance() == Fraction(35, 4)
    assert spread.deviation() ** 2 == pytest.approx(35 / 4)
    drawn = spread.sample(2000, SeededDice(5))
    assert drawn == spread.sample(2000, SeededDice(5))
    assert 10 < sum(drawn) / 2000 < 11
    assert set(d({"hit": 1, "miss": 1}).sample(200)) == {"hit", "miss"}
    wide = d(6).repeat(100)
    assert all(250 < total < 450 for total in wide.sample(50, SeededDice(1)))


def test_whether_something_holds_is_not_a_yes_by_itself():
    with pytest.raises(TypeError, match="chance"):
        bool(d(6) > d(6))


def test_weighted_and_named_faces_are_thrown_as_they_are_weighed():
    die = d({"miss": 3, "hit": 2, "crit": 1})

    def best_of_two(dice):
        return dice.highest(2, die)

    assert odds(best_of_two)["crit"] == Fraction(11, 36)
    played = play(best_of_two, dice=ScriptedDice(3, 6))
    assert (played.result, played.throws[0].sides) == ("crit", 6)
    assert play(lambda dice: dice.faces(3, die), dice=ScriptedDice(6, 1, 4)).result == ("miss", "hit", "crit")
    assert odds(lambda dice: dice.sum(2, d([0, 0, 1])))[2] == Fraction(1, 9)


def test_a_deck_is_drawn_without_putting_back():
    deck = Deck({"ace": 4, "king": 4, "other": 44})
    hands = odds(lambda dice: dice.deal(deck, 2))
    assert hands["ace", "king"] == Fraction(16, 1326)
    assert hands == icepool_hands()

    def two_then_one(dice):
        hand = dice.deal(deck, 2)
        return hand.count("ace") + dice.deal(deck.without(*hand), 1).count("ace")

    assert odds(two_then_one) == odds(lambda dice: dice.deal(deck, 3)).map(lambda hand: hand.count("ace"))
    assert play(lambda dice: dice.deal(deck, 2), dice=ScriptedDice(52, 1)).result == ("ace", "other")
    with pytest.raises(TooFewCards):
        deck.without(*["ace"] * 5)
    with pytest.raises(TooFewCards):
        odds(lambda dice: dice.deal(deck, 53))


def icepool_hands():
    cards = ["ace"] * 4 + ["king"] * 4 + ["other"] * 44
    return Odds(Counter(tuple(sorted(hand)) for hand in combinations(cards, 2)))


def test_decks_and_dice_are_gathered_face_by_face():
    ranks = Deck(dict.fromkeys(range(2, 15), 4))

    def pairs(found, face, count):
        return found + (count == 2)

    two_pair = odds(lambda dice: dice.gather(5, ranks, pairs, 0))
    assert two_pair[2] == Fraction(123552, 2598960)
    assert play(lambda dice: dice.gather(4, 6, pairs, 0), dice=ScriptedDice(2, 5, 5, 2)).result == 2


# --- Rules within rules


def boom(dice, left):
    face = dice.sum(1, 6)
    return face + (dice.resolve(boom, left - 1) if face == 6 and left else 0)


def endless_boom(dice):
    face = dice.sum(1, 6)
    return face + dice.resolve(endless_boom) if face == 6 else face


def looping_boom(dice):
    total = face = dice.sum(1, 6)
    while face == 6:
        face = dice.sum(1, 6)
        total += face
    return total


def test_five_exploding_dice_summed_in_the_plain_way_are_merged():
    spread = odds(lambda dice: sum(dice.resolve(boom, 10) for _ in range(5)))
    assert spread == odds(lambda dice: dice.repeat(5, boom, 10))
    assert same(spread, 5 @ icepool.d(6).explode(depth=10))


@pytest.mark.parametrize("rule", [endless_boom, looping_boom])
def test_an_explosion_without_end_is_as_near_as_is_asked(rule):
    within = Fraction(1, 10**9)
    spread = odds(lambda dice: sum(dice.resolve(rule) for _ in range(5)), within=within)
    assert 0 < spread.missed <= within
    assert abs(spread.mean() - 21) < Fraction(1, 10**6)
    assert abs(spread.chance(lambda total: total >= 40) - d(6).explode().repeat(5).chance(lambda t: t >= 40)) <= within
    assert sum(spread.values()) == 1


def test_highest_and_lowest_of_a_rule_are_those_of_its_odds():
    assert odds(lambda dice: dice.highest_of(4, 2, boom, 3)) == odds(boom, 3).highest(4, 2)
    assert odds(lambda dice: dice.lowest_of(4, 2, boom, 3)) == odds(boom, 3).lowest(4, 2)
    assert play(lambda dice: dice.highest_of(3, 2, boom, 3), dice=ScriptedDice(1, 5, 6, 2)).result == 13
    assert play(lambda dice: dice.repeat(3, boom, 3), dice=ScriptedDice(1, 5, 6, 2)).result == 14


# --- Rules read with stand-ins


def lone(dice, n):
    return dice.sum(1, 6)


def summed(dice, n):
    return sum(dice.sum(1, 6) for _ in range(n))


def compared(dice, n):
    total = 0
    for _ in range(n):
        total += max(1, dice.resolve(lone, n) - 2)
    return total >= 2 * n


def used_twice(dice, n):
    first = dice.sum(n, 6)
    return first * 2 - first + dice.sum(1, 4)


def kept_in_values(dice, n):
    total = sum(dice.sum(1, 6) for _ in range(n))
    return (total // 5, [10, 20, 30, 40, 50][min(4, dice.sum(1, 6) - 1)], isinstance(total, int), f"{total % 2}")


def thrown_anew(dice, n):
    total = sum(dice.sum(1, 4) for _ in range(n))
    if total == n:
        raise ThrowAgain
    return total if total > 2 * n else -total


def looked_up(dice, n):
    seen = {dice.sum(1, 4) for _ in range(n)}
    return len(seen) + (2 in seen)


@pytest.mark.parametrize("rule", [summed, compared, used_twice, kept_in_values, thrown_anew, looked_up])
@pytest.mark.parametrize("n", [2, 4])
def test_a_heavy_rule_gives_what_it_gives_branch_by_branch(rule, n, monkeypatch):
    kernel = sys.modules[every_way.__module__]
    monkeypatch.setattr(kernel, "_HEAVY", 10**9)
    plain = odds(rule, n)
    forget_odds()
    monkeypatch.setattr(kernel, "_HEAVY", 1)
    assert odds(rule, n) == plain
    near = odds(rule, n, within=Fraction(1, 10**6))
    assert all(abs(near[result] - chance) <= near.missed for result, chance in plain.items())
    forget_odds()


def test_a_rule_that_stands_ins_do_not_suit_is_weighed_without_them():
    def awkward(dice):
        total = sum(dice.sum(1, 6) for _ in range(4))
        return frozenset({total}), type(total) is int

    assert odds(awkward).chance(lambda result: result[1]) == 1


# --- What cannot be thrown


@pytest.mark.parametrize(("ask", "error"), [
    (lambda dice: dice.sum(-1, 6), AbsurdDice),
    (lambda dice: dice.sum(1, 0), AbsurdDice),
    (lambda dice: dice.sum(2, -6), AbsurdDice),
    (lambda dice: dice.pool(-2, 6), AbsurdDice),
    (lambda dice: dice.sum(1.5, 6), AbsurdDice),
    (lambda dice: dice.sum(10**9, 6), AbsurdDice),
    (lambda dice: dice.highest(3, 6, 4), AbsurdDice),
    (lambda dice: dice.highest(3, 6, -1), AbsurdDice),
    (lambda dice: dice.deal(Deck("abc"), 4), TooFewCards),
])
def test_absurd_dice_are_refused_played_or_weighed_in_both_languages(ask, error):
    for reading in (odds, play):
        with pytest.raises(error) as refused:
            reading(ask)
        for language in ("fr", "en"):
            said = house_words().error(language, refused.value)
            assert said
            assert "{" not in said


def test_a_throw_too_wide_says_so_at_once():
    began = time.thread_time()
    for told_apart in (lambda pool: pool, set, Counter, lambda pool: frozenset(pool)):
        with pytest.raises(TooWide) as refused:
            odds(lambda dice, told_apart=told_apart: told_apart(dice.pool(100, 6)))
        assert refused.value.values["results"] == 96560646
    assert time.thread_time() - began < 1


@pytest.mark.parametrize("faces", [[], {}, {"a": 0}, {"a": -1}, {"a": 1.5}])
def test_what_is_no_die_is_refused(faces):
    with pytest.raises(NotADie):
        d(faces)


def waits_for_six(dice):
    tries = 1
    while dice.sum(1, 6) != 6:
        tries += 1
    return tries


def calls_itself(dice):
    return dice.resolve(calls_itself)


def never_stands(dice):
    raise ThrowAgain


@pytest.mark.parametrize(("rule", "line"), [(waits_for_six, 2), (calls_itself, 1), (looping_boom, 3), (endless_boom, 2),
                                            (never_stands, 0)])
def test_a_rule_that_never_ends_is_stopped_with_its_name_line_and_depth(rule, line):
    with pytest.raises(EndlessRule) as stopped:
        odds(rule)
    values = stopped.value.values
    assert (values["rule"], values["file"]) == (rule.__name__, "test_arithmetic.py")
    assert values["line"] == rule.__code__.co_firstlineno + line
    assert values["depth"] > 50


def test_a_wait_without_end_has_odds_as_near_as_is_asked():
    tries = odds(waits_for_six, within=1e-6)
    assert abs(tries[3] - Fraction(25, 216)) <= tries.missed <= Fraction(1, 10**6)


@pytest.mark.parametrize("within", [0, -1, 1, 2.5])
def test_a_precision_that_is_none_is_refused_rather_than_sought_for_ever(within):
    with pytest.raises(NotAPrecision):
        d(6).explode(within=within)
    if within:
        with pytest.raises(NotAPrecision):
            odds(waits_for_six, within=within)


@pytest.mark.parametrize("asked", [
    lambda: d(10**9),
    lambda: odds(lambda dice: dice.sum(1, 10**12)),
    lambda: odds(lambda dice: dice.highest(2, 10**9)),
    lambda: odds(lambda dice: dice.gather(2, 10**9, lambda state, face, count: state, 0)),
])
def test_a_die_with_more_faces_than_are_told_apart_is_refused_at_once(asked):
    with pytest.raises(TooWide):
        asked()


def test_a_die_that_is_a_word_is_refused_as_one():
    with pytest.raises(AbsurdDice):
        odds(lambda dice: dice.sum(2, "six"))
