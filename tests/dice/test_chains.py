"""Pools whose dice are counted by pools before them, as one writes them: joined whole, and exact."""

import sys
from fractions import Fraction
from unittest.mock import patch

import pytest

from paravent.dice import d, forget_odds, odds
from paravent.dice.merging import _merged
from paravent.dice.odds import every_way
from paravent.dice.protocol import certain_policy

KERNEL = sys.modules[every_way.__module__]
MANY = 10**9
RUNS = 2500
"""A third of the runs that are made at most."""


def three(dice, n):
    hits = sum(face >= 3 for face in dice.pool(n, 6))
    wounds = sum(face >= 4 for face in dice.pool(hits, 6))
    return sum(face >= 5 for face in dice.pool(wounds, 6))


def named_once(dice, n):
    pool = dice.pool(n, 6)
    hits = sum(face >= 3 for face in pool)
    pool = dice.pool(hits, 6)
    wounds = sum(1 for face in pool if face >= 4)
    pool = dice.pool(wounds, 6)
    return sum(face >= 5 for face in pool)


def by_scores(dice, n, hit=3, wound=4, save=5):
    hits = sum(face >= hit for face in dice.pool(n, 6))
    wounds = len([face for face in dice.pool(hits, 6) if face >= wound])
    return sum(face >= save for face in dice.pool(wounds, 6))


def at_once(dice, n):
    return sum(face >= 5 for face in dice.pool(
        sum(face >= 4 for face in dice.pool(sum(face >= 3 for face in dice.pool(n, 6)), 6)), 6))


def mortal(dice, n):
    faces = dice.pool(n, 6)
    hits = sum(face >= 3 for face in faces)
    mortals = faces.count(6)
    wounds = sum(face >= 4 for face in dice.pool(hits, 6))
    return mortals + sum(face < 3 for face in dice.pool(wounds, 6))


def one_by_one(dice, n):
    hits = mortals = 0
    for face in dice.pool(n, 6):
        if face >= 3:
            hits += 1
        if face == 6:
            mortals += 1
    return mortals + sum(face >= 4 for face in dice.pool(hits, 6))


def ones_again(dice, n):
    faces = dice.pool(n, 6)
    hits = sum(face >= 4 for face in faces)
    ones = faces.count(1)
    hits += sum(face >= 4 for face in dice.pool(ones, 6))
    return sum(face >= 4 for face in dice.pool(hits, 6))


def fewer_and_fewer(dice, n):
    total = 0
    for _ in range(3):
        n = sum(face >= 5 for face in dice.pool(n, 6))
        total += n
    return total


def sixes_again(dice, n):
    total = 0
    for _ in range(3):
        faces = dice.pool(n, 6)
        total += sum(face >= 5 for face in faces)
        n = sum(face == 6 for face in faces)
    return total


CHAINS = [  # with what one die of the first pool comes to
    (three, {0: 8, 1: 1}, 20), (named_once, {0: 8, 1: 1}, 20), (by_scores, {0: 8, 1: 1}, 20),
    (at_once, {0: 8, 1: 1}, 20), (mortal, {0: 27, 1: 8, 2: 1}, 12), (one_by_one, {0: 7, 1: 4, 2: 1}, 20),
    (ones_again, {0: 17, 1: 7}, 8), (fewer_and_fewer, {0: 18, 1: 6, 2: 2, 3: 1}, 20),
    (sixes_again, {0: 144, 1: 60, 2: 10, 3: 2}, 6),
]


@pytest.mark.parametrize(("rule", "one", "many"), CHAINS)
def test_pools_counted_by_pools_are_exact_and_have_few_runs(rule, one, many):
    for n in (0, 1, 2, 5, many):
        forget_odds()
        assert odds(rule, n) == d(one).repeat(n)
        found = _merged(rule, certain_policy, (n,), Fraction(0), RUNS, True)
        assert found is not None, "it takes too many runs"
        tally, whole = found
        assert {result: Fraction(ways, whole) for result, ways in tally.items()} == dict(d(one).repeat(n))


def closed_over(dice, need):
    if dice.sum(1, 6) == 6:
        need += 2
    return sum(face >= need for face in dice.pool(2, 6))


def by_default(dice, need):
    if dice.sum(1, 6) == 6:
        need += 2
    return sum(map(lambda face, at=need: face >= at, dice.pool(2, 6)))


def named_by_default(dice, need):
    if dice.sum(1, 6) == 6:
        need += 2
    return sum(map(lambda face, *, at=need: face >= at, dice.pool(2, 6)))


def of_one_or_the_other(dice, need):
    way = dice.sum(1, 6) == 6
    return sum(map((lambda face: face >= need) if way else (lambda face: face == need), dice.pool(2, 6)))


def closed_over_and_by_default(dice, need):
    more = 2
    if dice.sum(1, 6) == 6:
        need += more
    return sum(map(lambda face, at=need: face >= at + more, dice.pool(2, 6)))


@pytest.mark.parametrize(
    "rule", [closed_over, by_default, named_by_default, of_one_or_the_other, closed_over_and_by_default])
@pytest.mark.parametrize("defers", [True, False])
def test_what_is_to_be_called_on_a_pool_is_part_of_where_a_rule_stands(rule, defers):
    forget_odds()
    with patch.multiple(KERNEL, _HEAVY=MANY):
        expected = dict(odds(rule, 3))
    tally, whole = _merged(rule, certain_policy, (3,), Fraction(0), 1000, defers)
    assert {result: Fraction(ways, whole) for result, ways in tally.items()} == expected


def told_apart(dice, n):
    """A pool of few handfuls that is read in no plain way, after many branches."""
    found = 0
    for _ in range(n):
        faces = dice.pool(3, 6)
        found = max(found, len({*faces}))
    return found


def test_pools_that_are_told_apart_are_still_joined():
    tally, whole = _merged(told_apart, certain_policy, (6,), Fraction(0), RUNS, True)
    single = odds(told_apart, 1)
    assert {result: Fraction(ways, whole) for result, ways in tally.items()} == dict(single.highest(6))
