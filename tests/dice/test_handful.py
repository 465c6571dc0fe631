"""A pool too large to be told apart is divided as far as a rule reads it, and no further; its odds are exact."""

import copy
import time
from fractions import Fraction
from math import comb
from unittest.mock import patch

import pytest

from paravent.dice import d, forget_odds, odds
from paravent.dice.branches import PoolsRead
from paravent.dice.errors import TooWide
from paravent.dice.handful import CannotMerge
from paravent.dice.merging import _merged, _merged_as_read
from paravent.dice.protocol import certain_policy


def sorted_by_hand(pool):
    faces = list(pool)
    faces.sort(reverse=True)
    return sum(faces[:2])


def walked(pool):
    kept = 0
    for face in pool:
        if face == 1:
            kept -= 1
        elif face > 3:
            kept += 1
    return kept


READINGS = [
    sum, max, min, len, sorted_by_hand, walked,
    lambda pool: pool.count(6), lambda pool: pool.count(3), lambda pool: 3 in pool, lambda pool: pool[-1],
    lambda pool: sum(face <= 4 for face in pool), lambda pool: sum(1 for face in pool if face == 3),
    lambda pool: len([face for face in pool if face >= 3]), lambda pool: any(face == 4 for face in pool),
    lambda pool: sum(sorted(pool)[-2:]), lambda pool: sum(sorted(pool, reverse=True)[:2]), lambda pool: sum(pool[:2]),
    lambda pool: pool[len(pool) // 2], lambda pool: pool.count(4) - pool.count(1),
    lambda pool: max(face for face in pool), lambda pool: min(pool + (3,)),  # noqa: RUF005
    lambda pool: sum(pool) >= 7, lambda pool: pool[-1] - pool[0], lambda pool: (pool[-1], "best"),
    lambda pool: sum(face for face in pool if face >= 3), lambda pool: sum(face in (2, 3) for face in pool),
    lambda pool: all(face > 1 for face in pool), lambda pool: sum(pool) - min(pool),
    lambda pool: sum(pool) - min(pool) - max(pool), lambda pool: pool[0] + 2 * pool[-1], lambda pool: f"{pool[0]}",
    lambda pool: sum((*pool, 2)) - sum(pool[1:]), lambda pool: pool[-1] > pool[0],
    lambda pool: pool[0] >= pool[-1], lambda pool: 7 - pool[0] > 4, lambda pool: isinstance(pool, tuple),
    lambda pool: pool.index(3) if 3 in pool else None, lambda pool: next(reversed(pool)),
    lambda pool: max(pool[0], 2), lambda pool: sum(face for face in pool if face != 2),
]


def worth(pool, face):
    return pool.count(face) * face


def lowest_or_nothing(pool, face):
    try:
        return pool[0] + face
    except Exception:
        return 0


def not_understood(pool):
    odd = sum(face % 2 for face in pool)
    try:
        return odd, pool.count(2)
    except Exception:
        return 0


def gone_through_twice(pool):
    odd = (face for face in pool if face % 2)
    return sum(odd), sum(odd)


def gone_on_with(pool):
    high = (face > 2 for face in pool)
    return any(high), sum(1 for _ in high)


AT_ONCE = [
    lambda pool: sum(face % 2 == 0 for face in pool), lambda pool: sum(face * face for face in pool),
    lambda pool: sum({3: 1, 4: 2}.get(face, 0) for face in pool), lambda pool: sum((face % 3 for face in pool), 10),
    lambda pool: any(face % 2 == 0 for face in pool), lambda pool: all(face % 2 == 0 for face in pool),
    lambda pool: sum(pool.count(face) // 2 for face in range(1, 7)),
    lambda pool: max(pool.count(face) for face in range(1, 7)),
    lambda pool: min(pool.count(face) for face in (2, 3, 9)),
    lambda pool: all(face in pool for face in (1, 2)), lambda pool: any(pool.count(face) > 1 for face in (1, 2, 3)),
    lambda pool: max(worth(pool, face) for face in range(1, 7)),
    lambda pool: sum(lowest_or_nothing(pool, face) for face in (1, 2)), lambda pool: sum(len(pool) for _ in range(2)),
    lambda pool: (sum(face % 2 for face in pool), sum(face > 2 for face in pool)),
    lambda pool: (sum(face % 2 for face in pool), pool.count(2)),
    lambda pool: (pool.count(2), sum(face % 2 for face in pool)),
    lambda pool: (sum(pool), sum(face % 2 for face in pool)), lambda pool: (sum(pool), pool.count(3)),
    lambda pool: (sum(pool.count(face) // 2 for face in range(1, 7)), pool.count(3)),
    lambda pool: 1 if sum(face % 2 for face in pool) > 1 else pool.count(1), not_understood, gone_through_twice,
    gone_on_with,
]


class Everywhere(set):
    """Where all pools are thrown."""

    def __contains__(self, where):
        return True


@pytest.mark.parametrize("folds", [True, False])
@pytest.mark.parametrize("reading", AT_ONCE)
@pytest.mark.parametrize(("n", "sides"), [(2, 6), (3, 4), (4, 3)])
def test_what_is_read_of_it_at_once_has_the_odds_of_the_whole_pool(reading, n, sides, folds):
    def rule(dice):
        return reading(dice.pool(n, sides))

    def more(dice):
        pool = dice.pool(n, sides)
        read = reading(pool)
        if dice.sum(1, 3) == 2:
            return read, "two"
        return read, dice.sum(1, 2)

    for asked in (rule, more):
        pools = PoolsRead(1)
        pools.again = pools.again if folds else Everywhere()
        try:
            found = _merged_as_read(asked, certain_policy, (), Fraction(0), 100_000, True, pools, 100_000)
        except CannotMerge:
            continue
        assert found is not None
        tally, whole = found
        assert {result: Fraction(ways, whole) for result, ways in tally.items()} == dict(odds(asked))


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize(("n", "sides"), [(1, 6), (3, 4), (5, 6), (4, 3)])
def test_whatever_is_read_of_it_has_the_odds_of_the_whole_pool(reading, n, sides):
    def rule(dice):
        return reading(dice.pool(n, sides))

    with patch("paravent.dice.merging._HANDFULS", 1):
        found = _merged(rule, certain_policy, (), Fraction(0), 100_000, True)
    assert found is not None
    tally, whole = found
    assert {result: Fraction(ways, whole) for result, ways in tally.items()} == dict(odds(rule))


HUNDRED = [
    (lambda pool: sum(pool), d(6).repeat(100)),
    (lambda pool: max(pool), d(6).highest(100)),
    (lambda pool: sum(sorted(pool)[-3:]), d(6).highest(100, 3)),
    (lambda pool: sum(pool[:2]), d(6).lowest(100, 2)),
    (lambda pool: pool.count(6), d({0: 5, 1: 1}).repeat(100)),
    (lambda pool: sum(face >= 5 for face in pool), d({0: 4, 1: 2}).repeat(100)),
    (lambda pool: sum(face for face in pool if face >= 4), d([0, 0, 0, 4, 5, 6]).repeat(100)),
    (lambda pool: pool.count(6) - pool.count(1), d({-1: 1, 0: 4, 1: 1}).repeat(100)),
    (lambda pool: sum(face % 2 == 0 for face in pool), d({0: 1, 1: 1}).repeat(100)),
    (lambda pool: sum({4: 1, 5: 1, 6: 2}.get(face, 0) for face in pool), d([0, 0, 0, 1, 1, 2]).repeat(100)),
    (lambda pool: sum(pool.count(face) // 2 for face in range(1, 7)),
     d(6).gather(100, lambda pairs, face, count: pairs + count // 2, 0)),
    (lambda pool: max(pool.count(face) for face in range(1, 7)),
     d(6).gather(100, lambda most, face, count: max(most, count), 0)),
]


@pytest.mark.parametrize(("reading", "expected"), HUNDRED)
def test_a_hundred_dice_are_weighed_in_a_moment(reading, expected):
    forget_odds()
    began = time.thread_time()
    assert dict(odds(lambda dice: reading(dice.pool(100, 6)))) == dict(expected)
    assert time.thread_time() - began < 2, "0.2 s on a quiet machine"


def test_a_sum_and_a_count_of_it_are_weighed_together():
    both = odds(lambda dice: (lambda pool: (sum(pool), pool.count(6)))(dice.pool(60, 6)))
    assert both.map(lambda pair: pair[0]) == d(6).repeat(60)
    assert both.map(lambda pair: pair[1]) == d({0: 5, 1: 1}).repeat(60)
    assert both[60 + 5 * 12, 12] == comb(60, 12) * Fraction(1, 6) ** 60, "all others show a one"


def test_what_is_thrown_after_it_is_weighed_with_it():
    def rule(dice):
        hits = sum(face >= 5 for face in dice.pool(60, 6))
        return hits + dice.sum(1, 6) if hits > 20 else 0

    hits = d({0: 4, 1: 2}).repeat(60)
    assert odds(rule)[0] == hits.chance(lambda count: count <= 20)
    assert sum(odds(rule).ways.values()) == odds(rule).total


def test_two_of_them_are_two():
    def rule(dice):
        return sum(face == 6 for face in dice.pool(40, 6)) - sum(face == 6 for face in dice.pool(40, 6))

    six = d({0: 5, 1: 1}).repeat(40)
    assert dict(odds(rule)) == dict(six - six)


@pytest.mark.parametrize("reading", [
    lambda pool: pool == (6,) * 100, lambda pool: pool < (2,), lambda pool: f"{pool}", repr, str, hash,
    lambda pool: {pool}, lambda pool: pool * 2,
    copy.copy, lambda pool: pool, lambda pool: (pool,), lambda pool: pool in [(1,), (2,)],
])
def test_what_would_tell_every_handful_apart_is_refused_and_never_guessed(reading):
    with pytest.raises(TooWide):
        odds(lambda dice: reading(dice.pool(100, 6)))


def test_a_fault_of_the_rule_is_told_as_one():
    with pytest.raises(IndexError):
        odds(lambda dice: dice.pool(100, 6)[200])


def test_more_than_that_is_refused_with_what_to_ask_instead():
    with pytest.raises(TooWide):
        odds(lambda dice: sum(dice.pool(5000, 6)))
