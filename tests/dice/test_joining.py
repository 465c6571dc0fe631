"""Runs of a rule that stand alike are joined: whatever the rule looks like, its odds are those of every single die."""

import random
import sys
import time
from fractions import Fraction
from textwrap import indent
from unittest.mock import patch

import pytest
from tests.dice.test_every_way import face_by_face

from paravent.dice import ThrowAgain, forget_odds, odds
from paravent.dice.errors import EndlessRule
from paravent.dice.handful import CannotMerge
from paravent.dice.merging import _merged, merged_if_lighter
from paravent.dice.places import places
from paravent.dice.protocol import certain_policy

# --- Rules as people write them


def inline(dice, least):
    total = 0
    for _ in range(5):
        face = dice.sum(1, 6)
        total += face
        while face >= least:
            face = dice.sum(1, 6)
            total += face
    return total


def bounded(dice, dice_left, most):
    total = 0
    while dice_left:
        dice_left -= 1
        left = most
        total += (face := dice.sum(1, 6))
        while face == 6 and left:
            left -= 1
            face = dice.sum(1, 6)
            total += face
    return total


def one_die(dice):
    total = face = dice.sum(1, 6)
    while face == 6:
        face = dice.sum(1, 6)
        total += face
    return total


def by_a_function(dice):
    total = 0
    for _ in range(5):
        total += one_die(dice)
    return total


def summed(dice):
    return sum(one_die(dice) for _ in range(5))


def resolved(dice):
    return sum(dice.resolve(one_die) for _ in range(5))


def two_sides(dice):
    mine = yours = 0
    for _ in range(3):
        face = dice.sum(1, 6)
        mine += face
        while face == 6:
            face = dice.sum(1, 6)
            mine += face
    for _ in range(3):
        face = dice.sum(1, 6)
        yours += face
        while face == 6:
            face = dice.sum(1, 6)
            yours += face
    return mine > yours


EXPLODING = 5 * Fraction(21, 5)


HERE = sys.modules[__name__]


@pytest.mark.parametrize("rule", [by_a_function, resolved, lambda dice: inline(dice, 6),
                                  lambda dice: HERE.inline(dice, 6)])
def test_five_exploding_dice_written_plainly(rule):
    forget_odds()
    began = time.thread_time()
    near = odds(rule, within=1e-6)
    spent = time.thread_time() - began
    assert 0 < near.missed <= 1e-6
    assert abs(float(near.mean() - EXPLODING)) < 1e-3
    assert abs(near[30] - odds(resolved, within=1e-9)[30]) <= near.missed + Fraction(1, 10**9)
    assert spent < 0.5, f"50 ms on a quiet machine; took {spent:.3f} s"


def test_five_exploding_dice_in_one_expression_are_near_at_once():
    near, exact = odds(summed, within=1e-3), odds(resolved, within=1e-9)
    assert all(abs(near[total] - exact[total]) <= near.missed + Fraction(1, 10**9) for total in range(5, 40))


def test_what_has_an_end_is_exact():
    def die(dice, left):
        face = dice.sum(1, 6)
        return face + dice.resolve(die, left - 1) if face == 6 and left else face

    assert dict(odds(bounded, 5, 10)) == dict(odds(die, 10).repeat(5))


def test_two_sums_are_joined_together():
    near = odds(two_sides, within=1e-4)
    three = odds(one_die, within=1e-9).repeat(3)
    assert abs(near[True] - (three > three)[True]) < 1e-3


def test_what_never_ends_is_still_stopped_with_its_line():
    with pytest.raises(EndlessRule) as stopped:
        odds(inline, 6)
    assert stopped.value.values["rule"] == "inline"
    assert stopped.value.values["depth"] == 1000
    assert stopped.value.values["line"] == inline.__code__.co_firstlineno + 6


def test_a_rule_that_throws_for_ever_and_asks_nothing_is_stopped():
    def idle(dice):
        while True:
            dice.sum(1, 6)

    with pytest.raises(EndlessRule):
        odds(idle, within=1e-3)


# --- Where nothing is out of sight, and where something is


def methods_seen(rule):
    return sorted({place.method for place in places(rule.__code__).values() if place.method})


def test_a_throw_is_a_place_only_if_nothing_is_out_of_sight():
    def half_worked_out(dice):
        return dice.highest(2, 6) + dice.sum(1, 6)  # the first is kept nowhere while the second is thrown

    def through_another(dice):
        return max(map(dice.sum, (1, 1), (6, 6)))

    def of_a_list(dice):
        return [dice.sum(1, 6) for face in (1, 2)]

    def over_a_tuple(dice):
        for _ in (1, 1, 2):
            dice.sum(1, 6)

    def with_a_variable_that_changes(dice):
        for at in range(3):
            dice.sum(1, 6)
            at += 1

    def with_an_end_that_changes(dice, n):
        for _ in range(n):
            n = dice.sum(1, 6)

    def that_pries(dice):
        dice.sum(1, 6)
        return locals()

    def of_an_attribute(dice, table):
        return table.dice.sum(1, 6)

    def one_of_two(dice, n):
        return (n if n else 2) + dice.sum(1, 6)

    def as_it_goes(dice):
        yield dice.sum(1, 6)

    def seen(dice, n):
        for at in range(n + 1):
            n = n + 0
            at = dice.of("opponent").sum(1, 6) + at

    assert methods_seen(half_worked_out) == ["highest"]
    for rule in (through_another, of_a_list, over_a_tuple, with_a_variable_that_changes, with_an_end_that_changes,
                 that_pries, one_of_two, as_it_goes, seen):
        assert methods_seen(rule) == [], rule.__name__
    assert not any(place.called == "dice" for place in places(of_an_attribute.__code__).values())

    def plainly(dice, n):
        total = n
        for at in range(n + 1):
            total = total + dice.of("opponent").sum(1, 6) + at
        return total

    (place,) = [place for place in places(plainly.__code__).values() if place.method]
    assert (place.called, place.method, place.names) == ("dice", "sum", ("at", "dice", "n", "total"))
    assert [variable for _, variable in place.loops] == ["at"]


# --- Rules of every shape, made up


class MadeUp:
    """A rule made up by a seed: loops, branches, sums, functions, and all that hides where it stands."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.throws = 0
        self.depth = 0
        body = "".join(self.statement() for _ in range(self.chance.randint(2, 4)))
        last = self.chance.choice(["a", "b", "a + b", "(a, b)", "a - c", "max(a, b, c)", "a > b", "(a, c, len(kept))"])
        self.source = (
            "def rule(dice, n):\n    a = b = c = 0\n    kept = []\n    steps = iter((1, 2, 1, 3, 1, 2, 2, 1) * 9)\n"
            f"{indent(body, '    ')}    return {last}\n\n"
            "def helper(dice, more):\n    total = more\n    left = 2\n    face = dice.sum(1, 2)\n"
            "    while face == 2 and left:\n        left -= 1\n        total += face\n        face = dice.sum(1, 2)\n"
            "    return total + face\n\n"
            "def flat(dice, more):\n    if dice.sum(1, 2) == 1:\n        return more\n    return 1\n")
        space = {"ThrowAgain": ThrowAgain}
        exec(self.source, space)
        self.rule = space["rule"]

    def one(self):
        return self.chance.choice("abc")

    def throw(self):
        die = self.chance.choice(["1, 2", "1, 3", "1, 2", "2, 2"])
        return self.chance.choice([f"dice.sum({die})", f"dice.sum({die})", f"dice.of('x').sum({die})",
                                   "dice.highest(2, 2)", "dice.pool(2, 2)[0]", "dice.resolve(helper, 1)"])

    def value(self):
        one, throw = self.one(), self.throw()
        return self.chance.choice([
            throw, throw, f"{one} + {throw}", f"{throw} + {one}", f"{throw} - {one}", f"2 * {throw}",
            f"{throw} + {self.throw()}", f"max({throw}, {one})", f"({one} if {one} else 1) + {throw}",
            "sum(dice.sum(1, 2) for _ in range(2))", "sum(flat(dice, k) for k in range(2))",
            "[dice.sum(1, 2) for _ in range(2)][0]", "max(map(dice.sum, (1, 1), (2, 3)))", f"helper(dice, {one})",
            f"flat(dice, {one})", f"{one} + flat(dice, 2)", f"-{one} + {throw}", f"{one} // 2 + {throw}",
            f"({one} := {throw}) + {one}", f"next(steps) + {throw}", f"{one} % 2", "len(kept)", f"{one} + 1"])

    def test(self):
        one, other = self.one(), self.one()
        return self.chance.choice([f"{one} == 2", f"{one} > 1", f"{one} < {other}", f"{one} != {other}",
                                   f"{one} + {other} >= 3", f"{one}", f"1 < {one} < 4", f"{one} in (1, 3)"])

    def statement(self):
        self.depth += 1
        made = self._statement()
        self.depth -= 1
        return made

    def block(self):
        return indent("".join(self.statement() for _ in range(self.chance.randint(1, 2))), "    ")

    def _statement(self):
        one, other = self.one(), self.one()
        simple = [f"{one} = {self.value()}\n", f"{one} = {self.value()}\n", f"{one} += {self.value()}\n",
                  f"{one} += {self.value()}\n", f"{one} -= {self.throw()}\n", f"{one} = {other}\n",
                  f"{one}, {other} = {other}, {one}\n", f"kept.append({one})\n", f"{self.throw()}\n",
                  f"{one} = {other} + {one}\n", f"{one} = {other} * 2\n", "next(steps)\n",
                  f"try:\n    {one} = {self.throw()}\nfinally:\n    {other} += 1\n"]
        if self.depth > 3:
            return self.chance.choice(simple)
        block = self.block()
        loop = self.chance.choice(["range(2)", "range(3)", "range(n)", "range(1, n)", "(1, 1, 2)",
                                   "range(n - 1, -1, -1)", "list(range(2))", f"range({one})"])
        variable = self.chance.choice(["i", "j", "_", "i", "a"])
        leave = self.chance.choice(["break", "continue"])
        leaves = self.chance.choice(["", "", f"    if {self.test()}:\n        {leave}\n"])
        left = f"left{self.depth}"
        return self.chance.choice([
            *simple[:4], f"if {self.test()}:\n{block}", f"if {self.test()}:\n{block}else:\n{self.block()}",
            f"for {variable} in {loop}:\n{block}{leaves}", f"for {variable} in {loop}:\n{leaves}{block}",
            f"{left} = 2\nwhile {self.test()} and {left}:\n    {left} -= 1\n{block}",
            f"{left} = 2\nwhile {left}:\n    {left} -= 1\n{leaves}{block}"])


def compared(seed):
    """Whether a rule made up was weighed by joining its runs; its odds are those of its dice."""
    made = MadeUp(seed)
    expected = None
    try:
        expected = face_by_face(made.rule, 2)
    except (AttributeError, TypeError, StopIteration, RecursionError, ValueError):
        return False
    if expected is None:
        return False
    weighed = 0
    for defers in (True, False):
        try:
            found = _merged(made.rule, certain_policy, (2,), Fraction(0), 50_000, defers)
        except Exception:  # what a stand-in cannot do: such a rule is weighed otherwise
            continue
        if found is not None:
            tally, whole = found
            assert {result: Fraction(ways, whole) for result, ways in tally.items()} == expected, made.source
            weighed += 1
    return bool(weighed)


def test_a_rule_made_up_has_the_odds_of_its_single_dice():
    with patch("tests.dice.test_every_way._MOST_THROWS", 1500):
        assert sum(compared(seed) for seed in range(120)) > 40


def throws_as_it_ends(dice):
    a = b = 0
    for _ in range(3):
        try:
            a += dice.sum(1, 2)
            if a == 2:
                a += dice.sum(1, 3)
        finally:
            b += dice.sum(1, 2)
            if b == 3:
                a += 1
    return a - b


def returns_whatever_happens(dice):
    a = 0
    try:
        for _ in range(3):
            a += dice.sum(1, 3)
            if a == 3:
                a += dice.sum(1, 2)
    finally:
        return a  # noqa: B012


def lets_nothing_out(dice):
    a = 0
    for _ in range(3):
        try:
            a += dice.sum(1, 3)
            if a > 2:
                a -= dice.sum(1, 2)
        except BaseException:
            a += 100
    return a


@pytest.mark.parametrize("rule", [throws_as_it_ends, returns_whatever_happens, lets_nothing_out])
@pytest.mark.parametrize("defers", [True, False])
def test_a_rule_that_goes_on_where_a_run_is_left_is_not_weighed_so(rule, defers):
    with pytest.raises(CannotMerge):
        _merged(rule, certain_policy, (), Fraction(0), 50_000, defers)
    assert dict(odds(rule)) == face_by_face(rule)


def test_runs_are_really_joined():
    assert merged_if_lighter(bounded, certain_policy, (5, 10), 5000) is not None, "11 ** 5 ways to go"
