"""Rules made up: each way of weighing gives the odds of their single dice; and what the fuzz has found."""

import itertools
from fractions import Fraction

import pytest
from tests.dice import made_up
from tests.dice.test_every_way import face_by_face

from paravent.dice import Deck, best, forget_odds, odds
from paravent.dice.errors import EndlessRule, TooWide

RULES = 200
"""Some ten seconds; `make soak` tries rules of its own for longer."""


def test_every_rule_made_up_has_the_odds_of_its_single_dice_however_it_is_weighed():
    compared = 0
    for seed in range(RULES):
        found, times = made_up.tried(seed)
        assert found is None, made_up.told(seed, found)
        compared += times
    assert compared > 2 * RULES, "most of them are weighed in several ways"


def test_a_fault_is_made_as_short_as_it_can_be_and_can_be_run(monkeypatch):
    def always_the_most(rule, args, policy):
        return {max(made_up.plainly_weighed(rule, args)[0]): 1}

    monkeypatch.setitem(made_up.WAYS, "plain", always_the_most)
    source = "def rule(dice, n):\n    for _ in range(n):\n        n += 0\n    return dice.sum(1, 2)\n"
    told = made_up.told(7, ("plain", "", source, made_up.certain_policy))
    assert told.startswith("# rule 7, weighed as 'plain': {2: 1}, not {1:")
    assert "range" not in told
    assert made_up.ready(told) is not None


# --- A rule may go on where a throw or another rule raises


class Missed(Exception):
    """No use."""


def missing(dice, least):
    face = dice.sum(1, 3)
    if face < least:
        raise Missed(face)
    return face


def goes_on(dice):
    try:
        first = dice.resolve(missing, 2)
    except Missed as missed:
        first = -missed.args[0]
    return first, dice.sum(1, 2)


def goes_on_with_none_of_three(dice):
    try:
        first = dice.repeat(3, missing, 2)
    except Missed:
        first = 0
    return first + dice.sum(1, 2)


def too_many_cards(dice):
    try:
        hand = dice.deal(Deck({"ace": 1, "other": 1}), 1 + dice.sum(1, 2))
    except ValueError:
        hand = ()
    return len(hand), dice.sum(1, 3)


def no_such_dice(dice):
    try:
        dice.pool(dice.sum(1, 2) - 2, 6)
    except ValueError:
        return 10 + dice.sum(1, 2)
    return dice.sum(1, 3)


def by_a_function(dice):
    total = 0
    for _ in range(2):
        try:
            total += missing(dice, 2)
        except Missed:
            total += 10 * dice.sum(1, 2)
    return total


@pytest.mark.parametrize("rule", [goes_on, goes_on_with_none_of_three, too_many_cards, no_such_dice, by_a_function])
def test_a_rule_that_goes_on_where_a_throw_raises_has_the_odds_of_its_dice(rule):
    way, how, compared = made_up.wrong(rule, args=())
    assert (way, how) == (None, "")
    assert compared >= 3


def test_what_only_weighing_cannot_do_is_told_whatever_the_rule_catches():
    def until_six(dice):
        while dice.sum(1, 6) != 6:
            pass
        return 6

    def too_wide(dice):
        try:
            return len(set(dice.pool(100, 10)))
        except ValueError:
            return 0

    def endless(dice):
        try:
            return dice.resolve(until_six)
        except ValueError:
            return 0

    forget_odds()
    with pytest.raises(TooWide):
        odds(too_wide)
    with pytest.raises(EndlessRule):
        odds(endless)


def throws_as_it_leaves(dice):
    total = 0
    try:
        total += dice.sum(1, 3)
    finally:
        total += 10 * dice.sum(1, 2)
    return total


def lets_nothing_out(dice):
    try:
        return dice.sum(1, 3)
    except Exception:
        return 100


@pytest.mark.parametrize("rule", [throws_as_it_leaves, lets_nothing_out])
def test_the_best_play_of_a_rule_that_catches_or_throws_as_it_leaves(rule):
    forget_odds()
    assert dict(best(rule, goal=lambda total: total).odds) == face_by_face(rule)
    near = odds(rule, within=Fraction(1, 1000))
    assert {total: near[total] for total in near} == face_by_face(rule)


def test_made_up_rules_differ():
    sources = {made_up.MadeUp(seed).source for seed in range(50)}
    assert len(sources) == 50
    assert made_up.MadeUp(3).source == made_up.MadeUp(3).source
    kinds = [*itertools.chain.from_iterable(made_up.PIECES.values())]
    assert len(kinds) > 400
