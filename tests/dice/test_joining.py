"""Runs of a rule that stand alike are joined: whatever the rule looks like, its odds are those of every single die."""

import random
import sys
import time
from fractions import Fraction
from textwrap import indent
from unittest.mock import patch

import pytest
from tests.dice.test_every_way import face_by_face

from paravent.dice import ThrowAgain, d, forget_odds, odds
from paravent.dice.errors import EndlessRule, TooManyBranches
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


def itself(dice):
    face = dice.sum(1, 6)
    return face + itself(dice) if face == 6 else face


@pytest.mark.parametrize("rule", [by_a_function, resolved, summed, lambda dice: inline(dice, 6),
                                  lambda dice: sum(itself(dice) for _ in range(5)),
                                  lambda dice: sum([one_die(dice) for _ in range(5)]),
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


def ability(dice):
    return sum(sorted(dice.pool(4, 6))[1:])


def bounded_die(dice, left=10):
    face = dice.sum(1, 6)
    return face + bounded_die(dice, left - 1) if face == 6 and left else face


def all_seen(dice, faces, most):
    seen = set()
    throws = 0
    while len(seen) < faces and throws < most:
        seen.add(dice.sum(1, faces))
        throws += 1
    return throws


def worn_out(dice, most):
    left = 0
    for sides in (6, 3, 4):
        for _ in range(most):
            if dice.sum(1, sides) < 3:
                break
            left += 1
    return left


def again_on_ten(dice, n):
    hits = 0
    for _ in range(4):
        pool = dice.pool(n, 10)
        hits += sum(face >= 8 for face in pool)
        n = pool.count(10)
    return hits


def again_by_kinds(dice, n):
    def round_of(dice, n, left):
        tens, hits = dice.sum(n, TEN), 0
        hits = dice.sum(n - tens, HIT)
        return tens + hits + (dice.resolve(round_of, tens, left - 1) if left > 1 else 0)

    return round_of(dice, n, 4)


TEN, HIT = d({1: 1, 0: 9}), d({1: 2, 0: 7})


@pytest.mark.parametrize(("plain", "expected"), [
    (lambda dice: sum(dice.sum(1, 6) >= 5 for _ in range(20)), lambda: d([0, 0, 0, 0, 1, 1]).repeat(20)),
    (lambda dice: sum(sorted([dice.sum(1, 6) for _ in range(10)])[-3:]), lambda: d(6).highest(10, 3)),
    (lambda dice: sum(sorted((dice.sum(1, 6) for _ in range(40)), reverse=True)[:5]), lambda: d(6).highest(40, 5)),
    (lambda dice: max(dice.resolve(ability) for _ in range(6)), lambda: odds(ability).highest(6)),
    (lambda dice: min(ability(dice) for _ in range(6)), lambda: odds(ability).lowest(6)),
    (lambda dice: sum(bounded_die(dice) for _ in range(5)), lambda: odds(bounded_die).repeat(5)),
    (lambda dice: sum(sorted([bounded_die(dice, 3) for _ in range(5)])[2:]),
     lambda: odds(bounded_die, 3).highest(5, 3)),
    (lambda dice: max(dice.sum(1, sides) for sides in (4, 6, 8, 10, 12)),
     lambda: d(4).with_(d(6), max).with_(d(8), max).with_(d(10), max).with_(d(12), max)),
    (lambda dice: again_on_ten(dice, 5), lambda: odds(again_by_kinds, 5)),
])
def test_heavy_rules_written_plainly(plain, expected):
    forget_odds()
    began = time.thread_time()
    found = odds(plain)
    assert time.thread_time() - began < 2, "some milliseconds on a quiet machine, minutes branch by branch"
    assert found == expected()


@pytest.mark.parametrize(("rule", "few", "many"), [(all_seen, (3, 5), (4, 12)), (worn_out, (1,), (6,))])
def test_sets_and_loops_over_constants_are_joined(rule, few, many):
    tally, whole = merged_if_lighter(rule, certain_policy, few, 5000)
    assert {end: Fraction(ways, whole) for end, ways in tally.items()} == face_by_face(rule, *few)
    assert merged_if_lighter(rule, certain_policy, many, 5000) is not None


def test_how_many_dice_are_thrown_is_part_of_where_a_rule_stands():
    def as_many(dice):
        face = dice.sum(1, 2)
        n = 1 if face == 1 else 3
        return dice.sum(n, 6)

    for defers in (True, False):
        tally, whole = _merged(as_many, certain_policy, (), Fraction(0), 100, defers)
        assert {total: Fraction(ways, whole) for total, ways in tally.items()} == face_by_face(as_many)


def test_a_function_that_has_all_thrown_again_is_not_weighed_alone():
    def not_one(dice):
        face = dice.sum(1, 3)
        if face == 1:
            raise ThrowAgain
        return face

    def rule(dice):
        first = dice.sum(1, 2)
        return first * 10 + (not_one(dice) if first == 1 else 0)

    for defers in (True, False):
        tally, whole = _merged(rule, certain_policy, (), Fraction(0), 100, defers)
        lost = tally.pop(ThrowAgain)
        assert {end: Fraction(ways, whole - lost) for end, ways in tally.items()} == face_by_face(rule)


def test_a_function_of_a_notebook_is_weighed_as_it_is_now():
    space = {"n": 5}
    exec("def some(dice):\n    return dice.sum(n, 6)\n", space)
    for n in (5, 2):
        space["n"] = n
        rule = eval("lambda dice: max(some(dice) for _ in range(6))", space)
        assert max(odds(rule)) == 6 * n


def six_apart(dice):
    return tuple([dice.sum(1, 6) for _ in range(6)])


def twelve_apart(dice):
    return tuple([dice.sum(1, 6) for _ in range(12)])


@pytest.mark.parametrize(("rule", "at_most"), [(six_apart, 20_000), (twelve_apart, 5_000_000)])
def test_too_many_branches_are_refused_with_the_rule_and_its_line(rule, at_most):
    runs = 0

    def counted(dice):
        nonlocal runs
        runs += 1
        return rule(dice)

    with patch("paravent.dice.odds._MOST_BRANCHES", at_most), pytest.raises(TooManyBranches) as refused:
        odds(counted)
    assert (refused.value.values["rule"], refused.value.code) == ("counted", "dice/too-many-branches")
    assert runs < 50_000, "what surely has too many is refused before they are followed"


def test_a_rare_heavy_branch_is_no_reason_to_refuse_a_rule():
    def rarely_heavy(dice):
        if dice.sum(1, 1000) == 1:
            return len({dice.sum(1, 10) for _ in range(4)})
        return 0

    assert odds(rarely_heavy)[4] == Fraction(10 * 9 * 8 * 7, 10**4 * 1000)


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
    too_late = patch("paravent.dice.merging.merged_if_lighter", side_effect=AssertionError("it was followed"))
    with too_late, pytest.raises(EndlessRule) as stopped:
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
    return sorted({place.path[-1] for place in places(rule.__code__).values() if len(place.path) > 1})


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

    def as_it_goes(dice):
        yield dice.sum(1, 6)

    def one_of_two(dice, n):
        return (n if n else 2) + dice.sum(1, 6)

    def seen(dice, n):
        for at in range(n + 1):
            n = n + 0
            at = dice.of("opponent").sum(1, 6) + at

    assert methods_seen(half_worked_out) == ["highest"]
    for rule in (through_another, of_a_list, over_a_tuple, with_a_variable_that_changes, with_an_end_that_changes,
                 that_pries, one_of_two, seen):
        assert methods_seen(rule) == [], rule.__name__
    assert not any(place.path[:1] == ("dice",) for place in places(of_an_attribute.__code__).values())

    def plainly(dice, n):
        total = n
        for at in range(n + 1):
            total = total + dice.of("opponent").sum(1, 6) + at
        return total

    (place,) = [place for place in places(plainly.__code__).values() if len(place.path) > 1]
    assert (place.path, place.names) == (("dice", "sum"), ("at", "dice", "n", "total"))
    assert [loop.variable for loop in place.loops] == ["at"]
    assert ("table", "dice", "sum") in [place.path for place in places(of_an_attribute.__code__).values()]
    assert sorted(place.path for place in places(as_it_goes.__code__).values()) == [(), (), ("dice", "sum")]


# --- Rules of every shape, made up


class MadeUp:
    """A rule made up by a seed: loops, branches, sums, functions, and all that hides where it stands."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.throws = 0
        self.depth = 0
        body = "".join(self.statement() for _ in range(self.chance.randint(2, 4)))
        last = self.chance.choice(["a", "b", "a + b", "(a, b)", "a - c", "max(a, b, c)", "a > b", "(a, c, len(kept))",
                                   "(b, *sorted(seen))", "(a, tuple(kept))", "sum(sorted(kept)[:2])"])
        self.source = (
            "def rule(dice, n):\n    a = b = c = 0\n    kept = []\n    seen = set()\n"
            "    steps = iter((1, 2, 1, 3, 1, 2, 2, 1) * 9)\n"
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
                                   "dice.highest(2, 2)", "dice.pool(2, 2)[0]", "dice.resolve(helper, 1)",
                                   f"dice.sum(1 + {self.one()} % 2, 2)", f"dice.sum(1 if {self.one()} > 1 else 2, 2)"])

    def value(self):
        one, throw = self.one(), self.throw()
        return self.chance.choice([
            throw, throw, f"{one} + {throw}", f"{throw} + {one}", f"{throw} - {one}", f"2 * {throw}",
            f"{throw} + {self.throw()}", f"max({throw}, {one})", f"({one} if {one} else 1) + {throw}",
            "sum(dice.sum(1, 2) for _ in range(2))", "sum(flat(dice, k) for k in range(2))",
            "[dice.sum(1, 2) for _ in range(2)][0]", "max(map(dice.sum, (1, 1), (2, 3)))", f"helper(dice, {one})",
            f"flat(dice, {one})", f"{one} + flat(dice, 2)", f"-{one} + {throw}", f"{one} // 2 + {throw}",
            "sum(dice.sum(1, 2) > 1 for _ in range(2))", "sum(sorted(dice.sum(1, 3) for _ in range(3))[1:])",
            "max(dice.sum(1, 2) for _ in range(2))", f"min({throw}, {self.throw()})", f"max({one}, {throw}, 2)",
            "sorted([dice.sum(1, 2) for _ in range(2)], reverse=True)[0]", "sum(flat(dice, k) for k in (3, 1))",
            "max(helper(dice, 1) for _ in range(2))", "max(flat(dice, k) for k in (0, 2))", "sum(dice.pool(2, 3)[1:])",
            "sum(face > 1 for face in dice.pool(2, 3))", "dice.pool(2, 2).count(1)", "len(seen)", "sum(kept)",
            "max(dice.pool(2, 3))", f"sum(kept, {one})", f"sum(dice.sum(1 + {one} % 2, 2) for {one} in range(2))",
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
                  f"{one}, {other} = {other}, {one}\n", f"kept.append({one})\n", f"kept.append({self.throw()})\n",
                  f"seen.add({self.throw()})\n", f"{self.throw()}\n",
                  f"{one} = {other} + {one}\n", f"{one} = {other} * 2\n", "next(steps)\n",
                  f"try:\n    {one} = {self.throw()}\nfinally:\n    {other} += 1\n"]
        if self.depth > 3:
            return self.chance.choice(simple)
        block = self.block()
        loop = self.chance.choice(["range(2)", "range(3)", "range(n)", "range(1, n)", "(1, 1, 2)", "(2, 1)", "kept",
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
            with patch("paravent.dice.merging._HANDFULS", seed % 2 * 500):
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
