"""Heavy rules as people write them, with generators, lists and objects: quick, and with the odds of their dice.

What cannot be joined is refused before it is followed.
"""

import contextlib
import time
from fractions import Fraction
from unittest.mock import patch

import pytest
from tests.dice.test_every_way import face_by_face

from paravent.dice import forget_odds, odds
from paravent.dice.errors import TooManyBranches
from paravent.dice.in_view import in_view
from paravent.dice.merging import _merged, merged_if_lighter
from paravent.dice.protocol import certain_policy
from paravent.game.telling import Teller


def exploded(dice, most):
    for _ in range(most + 1):
        face = dice.sum(1, 6)
        yield face
        if face < 6:
            break


def one_after_the_other(dice, n, most):
    for _ in range(n):
        yield from exploded(dice, most)


def totals(dice, n, most):
    for _ in range(n):
        yield sum(exploded(dice, most))


class Thrower:
    def __init__(self, dice, most):
        self.dice, self.most, self.total = dice, most, 0

    def one(self):
        total = face = self.dice.sum(1, 6)
        left = self.most
        while face == 6 and left:
            left -= 1
            face = self.dice.sum(1, 6)
            total += face
        return total

    def again(self, left):
        face = self.dice.sum(1, 6)
        return face + self.again(left - 1) if face == 6 and left else face

    def add(self):
        left = self.most
        while True:
            face = self.dice.sum(1, 6)
            self.total += face
            if face < 6 or not left:
                return
            left -= 1


def of_a_generator(dice, n, most):
    return sum(sum(exploded(dice, most)) for _ in range(n))


def of_a_generator_in_a_loop(dice, n, most):
    total = 0
    for _ in range(n):
        for face in exploded(dice, most):
            total += face
    return total


def handed_on(dice, n, most):
    return sum(one_after_the_other(dice, n, most))


def of_a_generator_of_totals(dice, n, most):
    return sum(totals(dice, n, most))


def loops_within_loops(dice, n, most):
    return sum(face for _ in range(n) for face in exploded(dice, most))


def of_a_list(dice, n, most):
    return sum([sum(exploded(dice, most)) for _ in range(n)])


def over_a_list(dice, n, most):
    faces = [dice.sum(1, 6) for _ in range(n)]
    total = 0
    for face in faces:
        total += face
        left = most
        while face == 6 and left:
            left -= 1
            face = dice.sum(1, 6)
            total += face
    return total


def over_a_pool(dice, n, most):
    total = 0
    for face in dice.pool(n, 6):
        total += face
        left = most
        while face == 6 and left:
            left -= 1
            face = dice.sum(1, 6)
            total += face
    return total


def of_an_object(dice, n, most):
    thrower = Thrower(dice, most)
    return sum(thrower.one() for _ in range(n))


def of_itself(dice, n, most):
    thrower = Thrower(dice, most)
    return sum(thrower.again(most) for _ in range(n))


def of_what_an_object_keeps(dice, n, most):
    thrower = Thrower(dice, most)
    for _ in range(n):
        thrower.add()
    return thrower.total


def of_several_objects(dice, n, most):
    throwers = [Thrower(dice, most) for _ in range(n)]
    return sum(thrower.one() for thrower in throwers)


def one_by_one(dice, n, most):
    def always():
        while True:
            yield dice.sum(1, 6)

    rolls, total = always(), 0
    for _ in range(n):
        face = next(rolls)
        total += face
        left = most
        while face == 6 and left:
            left -= 1
            face = next(rolls)
            total += face
    return total


PLAINLY = [
    of_a_generator, of_a_generator_in_a_loop, handed_on, of_a_generator_of_totals, loops_within_loops, of_a_list,
    over_a_list, over_a_pool, of_an_object, of_itself, of_what_an_object_keeps, of_several_objects, one_by_one,
]


@pytest.mark.parametrize("rule", PLAINLY)
def test_five_exploding_dice_with_generators_lists_and_objects(rule):
    for args in ((2, 1), (1, 2)):
        tally, whole = merged_if_lighter(rule, certain_policy, args, 5000)
        assert {end: Fraction(ways, whole) for end, ways in tally.items()} == face_by_face(rule, *args)
    forget_odds()
    began = time.thread_time()
    found = odds(rule, 5, 10)
    assert time.thread_time() - began < 6, "30 to 50 ms on a quiet machine, 300 over a list"
    assert found == odds(lambda dice: dice.repeat(5, lambda dice: sum(exploded(dice, 10))))


# --- What is seen is what is there


LOG = []


def is_the_same_list(dice):
    LOG.clear()
    kept = LOG if dice.sum(1, 2) == 1 else []
    dice.sum(1, 2)
    kept.append(1)
    dice.sum(1, 2)
    return len(LOG)


def keeps_the_same_list_twice(dice):
    one = []
    rows = [one, one] if dice.sum(1, 2) == 1 else [one, []]
    dice.sum(1, 2)
    rows[1].append(1)
    return len(one), dice.sum(1, 2)


def grows_as_it_goes(dice):
    faces, gone = [1, 2], 0
    for face in faces:
        gone += 1
        if dice.sum(1, 2) == 2 and len(faces) < 4:
            faces.append(face)
        dice.sum(1, 2)
    return gone, len(faces)


def the_same_list_in_two_loops(dice):
    rows = [[1]]
    rows.append(rows[0] if dice.sum(1, 2) == 1 else [1])
    seen = 0
    for one in rows[0]:
        dice.sum(1, 2)
        if len(rows[0]) < 3:
            rows[-1].append(one)
        seen += 1
    return seen


def ends_where_it_is_left(dice):
    told = []

    def faces():
        try:
            for _ in range(2):
                yield dice.sum(1, 3)
        finally:
            told.append(len(told))

    for _ in range(2):
        for face in faces():
            if face > 1:
                break
        told.append(7)
    return tuple(told), dice.sum(1, 2)


def sends(dice):
    def inner():
        got = 0
        while True:
            got = (yield got + dice.sum(1, 2)) or 0

    def outer():
        yield from inner()

    rolls = outer()
    next(rolls)
    first = rolls.send(5)
    return first, rolls.send(1), dice.sum(1, 2)


def throws_in(dice):
    def inner():
        try:
            yield dice.sum(1, 2)
        except KeyError:
            yield 10 + dice.sum(1, 2)

    def outer():
        yield from inner()

    rolls = outer()
    return next(rolls), rolls.throw(KeyError()), dice.sum(1, 2)


def stops_within_a_list(dice):
    left = iter((1, 2, 3))
    try:
        faces = [next(left) + dice.sum(1, 2) for _ in range(dice.sum(1, 2) + 2)]
    except StopIteration:
        faces = []
    return tuple(faces)


def two_at_a_time(dice):
    rolls = (dice.sum(1, 3) for _ in range(4))
    return sum(first > second for first, second in zip(rolls, rolls, strict=True)), dice.sum(1, 2)


def one_of_two_generators(dice):
    rolls = [exploded(dice, 1), (dice.sum(1, 2) for _ in range(2))]
    first = next(rolls[dice.sum(1, 2) - 1])
    return first, sum(rolls[0]), sum(rolls[1])


def lends(dice):
    told = []

    @contextlib.contextmanager
    def lent():
        told.append(1)
        yield dice
        told.append(2)

    with lent() as mine:
        for _ in range(2):
            told.append(mine.sum(1, 2))  # noqa: PERF401
    return tuple(told)


def later_functions_of_rows(dice):
    made = [lambda: x + y for x in (1, 2) for y in (x, dice.sum(1, 2))]  # noqa: B023
    return tuple(one() for one in made), dice.sum(1, 2)


@pytest.mark.parametrize("rule", [
    is_the_same_list, keeps_the_same_list_twice, grows_as_it_goes, the_same_list_in_two_loops, ends_where_it_is_left,
    sends, throws_in, stops_within_a_list, two_at_a_time, one_of_two_generators, lends, later_functions_of_rows])
def test_what_is_read_is_what_the_rule_would_read(rule):
    expected = face_by_face(rule)
    for defers in (True, False):
        try:
            tally, whole = _merged(rule, certain_policy, (), Fraction(0), 50_000, defers)
        except Exception:  # such a rule is weighed otherwise
            continue
        assert {end: Fraction(ways, whole) for end, ways in tally.items()} == expected
    forget_odds()
    with patch("paravent.dice.odds._HEAVY", 4):
        assert dict(odds(rule)) == expected


def test_a_function_is_written_again_only_if_its_source_is_at_hand():
    space = {}
    exec("def rule(dice):\n    return [dice.sum(1, 6) for _ in (1, 1)]\n", space)
    assert in_view(space["rule"].__code__) is space["rule"].__code__
    assert in_view(over_a_list.__code__) is not over_a_list.__code__
    assert in_view(over_a_list.__code__).co_firstlineno == over_a_list.__code__.co_firstlineno


# --- Refused before it is followed


class OneByOne:
    def __init__(self, dice, most):
        self.dice, self.left, self.done = dice, most + 1, False

    def __iter__(self):
        return self

    def __next__(self):
        if self.done or not self.left:
            raise StopIteration
        self.left -= 1
        face = self.dice.sum(1, 6)
        self.done = face < 6
        return face


def of_what_goes_by_itself(dice, n, most):
    return sum(sum(OneByOne(dice, most)) for _ in range(n))


def told_one_by_one(dice, n, most):
    faces = []
    for _ in range(n):
        faces += exploded(dice, most)
    return tuple(faces)


@pytest.mark.parametrize("rule", [of_what_goes_by_itself, told_one_by_one])
def test_what_cannot_be_joined_is_refused_at_once_and_it_is_said_what_to_write_instead(rule):
    runs = 0

    def counted(dice):
        nonlocal runs
        runs += 1
        return rule(dice, 5, 10)

    forget_odds()
    with pytest.raises(TooManyBranches) as refused:
        odds(counted)
    assert runs < 20_000, "five millions, if they were followed"
    assert (refused.value.values["rule"], refused.value.values["file"]) == ("counted", "test_in_view.py")
    for lang, gist in (("fr", "qui rend son résultat"), ("en", "returns its result")):
        said = Teller(lang).error(refused.value)
        assert all(word in said for word in ("dice.resolve", "dice.repeat", gist))


def test_the_way_out_that_is_named_is_quick():
    together = odds(lambda dice: dice.repeat(5, lambda dice: sum(OneByOne(dice, 10))))
    assert together == odds(of_an_object, 5, 10)
