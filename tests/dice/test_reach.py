"""Rules that keep something out of sight, or look closely at their numbers: their odds are those of their dice."""

from collections import deque
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from functools import cache, partial
from unittest.mock import patch

import pytest
from tests.dice.test_every_way import face_by_face, nothing_drawn_before_it_is_needed

from paravent.dice import d, forget_odds, odds
from paravent.dice.merging import _merged
from paravent.dice.protocol import certain_policy
from paravent.dice.reach import reached

# --- What changes out of sight

LOG, MEMO = [], {}
sixes = 0
TABLE = {1: 10, 2: 0, 3: 5}


class Hero:
    def __init__(self):
        self.left = 0

    def hit(self, points):
        self.left -= points


HERO = Hero()


def counts_in_a_global(dice):
    global sixes
    sixes = 0
    for _ in range(4):
        if dice.sum(1, 3) == 3:
            sixes += 1
    return sixes


def clear():
    global sixes
    sixes = 0


def one_more():
    global sixes
    sixes += 1


def counts_by_functions(dice):
    clear()
    for _ in range(3):
        if dice.sum(1, 3) == 3:
            one_more()
    return sixes


def counts_in_a_list(dice):
    LOG.clear()
    for _ in range(4):
        if dice.sum(1, 3) == 3:
            LOG.append(1)  # noqa: PERF401
    return len(LOG)


def counts_in_an_object(dice):
    HERO.left = 3
    for _ in range(3):
        if dice.sum(1, 3) == 3:
            HERO.left -= 1
    return HERO.left


def counts_by_a_method(dice, hero):
    hero.__init__()
    for _ in range(3):
        if dice.sum(1, 3) == 3:
            hero.hit(1)
    return hero.left


def remembers(dice):
    told = []
    for _ in range(3):
        face = dice.sum(1, 3)
        if face not in MEMO:
            MEMO[face] = face + 1
        told.append(MEMO[face])
    return tuple(told)


def of_a_closure():
    count, kept = 0, []

    def counts_around(dice):
        nonlocal count
        count = 0
        for _ in range(4):
            if dice.sum(1, 3) == 3:
                count += 1
        return count

    def keeps_around(dice):
        kept.clear()
        for _ in range(4):
            if dice.sum(1, 3) == 3:
                kept.append(1)  # noqa: PERF401
        return len(kept)

    def keep(face):
        kept.append(face)
        return len(kept)

    def thrown(dice):
        return keep(dice.sum(1, 3))

    def keeps_by_functions(dice):
        kept.clear()
        return thrown(dice) + 10 * thrown(dice) + 100 * thrown(dice)

    def become(number):
        nonlocal count
        count = number

    def more(dice):
        return dice.sum(1, 2) + count

    def set_in_between(dice):
        become(0)
        first = more(dice)
        become(5)
        return first, more(dice)

    return counts_around, keeps_around, keeps_by_functions, set_in_between


def rebinds_below(dice):
    total = 0

    def anew():
        nonlocal total
        total = 0
        total += dice.sum(1, 2)
        return total

    total = dice.sum(1, 3)
    if total == 2:
        total = 5
    return total + anew()


def goes_as_far_as_it_was_told(dice):
    n = dice.sum(1, 3)
    count = 0

    def none_left():
        nonlocal n
        n = 0

    for _ in range(n):
        none_left()
        count += dice.sum(1, 2)
    return count


def goes_through_a_table(dice):
    return sum(TABLE[dice.sum(1, 3)] for _ in range(3))


# --- Functions as values


def bold(dice):
    return dice.sum(1, 3)


def shy(dice):
    return dice.sum(1, 2)


bold.bonus = 2


def tells_functions_apart(dice, style):
    total = 0
    for _ in range(3):
        total += bold(dice) if style is bold else shy(dice)
    return total


def names_a_function(dice):
    return bold.__name__, bold(dice)


def reads_of_a_function(dice):
    return getattr(bold, "bonus", 0) + bold(dice)


@cache
def double(number):
    return number + number


def keeps_answers(dice):
    return double(dice.sum(1, 3)), double(dice.sum(1, 3)), double(dice.sum(1, 3))


def hands_on(dice):
    bonus = dice.sum(1, 3)

    def more(dice):
        return dice.sum(1, 2) + bonus

    return dice.resolve(more) + 10 * dice.resolve(more)


def hands_on_as_usual(dice):
    bonus = dice.sum(1, 3)
    return dice.resolve(lambda dice, more=bonus: dice.sum(1, 2) + 10 * more) + bonus


def _added(dice, more, *, twice=0):
    return dice.sum(1, 2) + 10 * more + twice


def hands_on_in_part(dice):
    bonus = dice.sum(1, 3)
    return dice.resolve(partial(_added, more=bonus)) + bonus


# --- Close looks at numbers


def first_of_the_highest(dice):
    pool = dice.pool(4, 3)
    return max(range(4), key=lambda at: pool[at])


def last_names_first(dice):
    return max(zip(dice.pool(4, 3), (9, 8, 7, 6), strict=True))[1]


def in_order_of_names(dice):
    return tuple(name for _, name in sorted(zip(dice.pool(3, 3), (9, 8, 7), strict=True)))


def in_order_by_a_key(dice):
    named = sorted(zip(dice.pool(3, 3), (9, 8, 7), strict=True), key=lambda both: both[0], reverse=True)
    return tuple(name for _, name in named)


def a_list_in_order(dice):
    named = [(face, -at) for at, face in enumerate(dice.pool(3, 3))]
    named.sort(reverse=True)
    return tuple(at for _, at in named)


def catches_what_it_may(dice):
    one, other = dice.sum(1, 3), dice.sum(1, 3)
    found = 1 if one + other > 3 else 2
    try:
        if one > 1:
            found += 5
    except Exception:
        found = 99
    return found


def catches_a_comparison(dice):
    try:
        return dice.pool(4, 3) == (1, 1, 1, 1)
    except Exception:
        return None


def catches_a_sum(dice):
    try:
        return sum(dice.sum(1, 3) / 2 for _ in range(3))
    except Exception:
        return None


def catches_everything(dice):
    total = dice.sum(2, 6)
    try:
        return total > 3
    except:  # noqa: E722
        return None


def returns_in_the_end(dice):
    total, half = dice.sum(2, 6), 0
    try:
        half = total // 2
    finally:
        return half  # noqa: B012


def asks_for_the_type(dice):
    return type(dice.sum(2, 6)) is int


def by_its_type(value):
    return value if type(value) is int else 0


def asks_a_function_for_the_type(dice):
    return by_its_type(dice.sum(2, 6))


def makes_a_decimal(dice):
    return Decimal(dice.sum(2, 6)) / 2


def makes_a_duration(dice):
    return timedelta(days=dice.sum(2, 6))


def the_last_two(dice):
    last = deque(maxlen=2)
    for _ in range(4):
        last.append(dice.sum(1, 3))
    return sum(last)


class Log:
    lines = []
    told = 0

    def add(self, line):
        self.lines.append(line)

    def count(self):
        global told
        told += 1

    @classmethod
    def tell(cls, more):
        cls.told += more


@dataclass(slots=True)
class Purse:
    coins: int = 0

    def put(self, coins):
        self.coins += coins

    def empty(self):
        self.coins = 0


told, BOOK, PURSE, BYTES = 0, Log(), Purse(), bytearray(3)


def lists_of_a_class(dice):
    Log.lines.clear()
    for _ in range(3):
        if dice.sum(1, 3) > 1:
            Log.lines.append(1)
    return len(Log.lines)


def lists_of_its_class(dice):
    Log.lines.clear()
    for _ in range(3):
        if dice.sum(1, 3) > 1:
            BOOK.add(1)
    return len(BOOK.lines)


def counts_in_its_class(dice):
    Log.tell(-Log.told)
    for _ in range(3):
        if dice.sum(1, 3) > 1:
            BOOK.tell(1)
    return Log.told


def a_method_counts_in_a_global(dice):
    before = told
    for _ in range(3):
        if dice.sum(1, 3) > 1:
            BOOK.count()
    return told - before


def counts_in_slots(dice):
    PURSE.empty()
    for _ in range(3):
        if dice.sum(1, 3) > 1:
            PURSE.put(1)
    return PURSE.coins


def counts_in_bytes(dice):
    BYTES[:] = b"\0\0\0"
    for at in range(3):
        if dice.sum(1, 3) > 1:
            BYTES[at] = 1
    return sum(BYTES)


def first_of_a_set(dice):
    seen = set()
    for _ in range(2):
        seen.add(8 if dice.sum(1, 2) == 1 else 16)
    dice.sum(1, 2)
    return next(iter(seen))


def keeps_the_last_face(dice):
    last = 9
    return sum((last := face) > 1 for face in dice.pool(3, 3)), last


def counts_as_it_goes(dice):
    gone = 0

    def one_more():
        nonlocal gone
        gone += 1
        return gone

    return sum(face > one_more() for face in dice.pool(3, 3))


def remembers_as_it_goes(dice):
    def nth(face, before=[]):  # noqa: B006
        before.append(face)
        return len(before)

    return sum(nth(face) for face in dice.pool(3, 3) if face > 1)


def goes_on_from_the_first_high_one(dice):
    faces = iter(dice.pool(3, 3))
    return any(face > 1 for face in faces), sum(faces)


def names_or_numbers(dice):
    return (dice.sum(1, 3), dice.sum(1, 3)) if dice.sum(1, 2) == 1 else dice.sum(1, 2)


def by_what_a_function_gives(dice):
    total = 0
    for _ in range(2):
        total += names_or_numbers(dice) == (1, 1)
        total += dice.sum(1, 2)
    return total


def a_handler_sets_how_far_it_is(dice):
    total = 0
    for at in range(3):
        try:
            if dice.sum(1, 2) == 1:
                raise ValueError
        except ValueError:
            at = 2
        total += at * dice.sum(1, 2)
    return total


def a_handler_sets_how_far_it_goes(dice):
    total, ends = 0, 3
    for _ in range(ends):
        try:
            if dice.sum(1, 2) == 1:
                raise ValueError
        except ValueError:
            ends = 1
        total += dice.sum(1, 2) > 1
    return total


def forgets_how_far_it_goes(dice):
    ends = 1 + dice.sum(1, 2)
    thrown = 0
    shown = lambda: ends  # noqa: E731
    for _ in range(ends):
        ends = 1
        thrown += dice.sum(1, 2) > shown()
    return thrown


def as_many_again(dice):
    total, left = 0, 2
    while left and total < 4:
        again = 0
        for _ in range(left):
            face = dice.sum(1, 3)
            total += face > 1
            again += face == 3
        left = again
    return total


RULES = [
    *((rule, ()) for rule in (
        counts_in_a_global, counts_by_functions, counts_in_a_list, counts_in_an_object, remembers, *of_a_closure(),
        rebinds_below, goes_as_far_as_it_was_told, goes_through_a_table, names_a_function, reads_of_a_function,
        keeps_answers, hands_on, hands_on_as_usual, hands_on_in_part, first_of_the_highest, last_names_first,
        in_order_of_names, in_order_by_a_key, a_list_in_order, catches_what_it_may, catches_a_comparison, catches_a_sum,
        catches_everything, returns_in_the_end, asks_for_the_type, asks_a_function_for_the_type, makes_a_decimal,
        a_handler_sets_how_far_it_is, a_handler_sets_how_far_it_goes, forgets_how_far_it_goes,
        as_many_again,
        makes_a_duration, the_last_two, lists_of_a_class, lists_of_its_class, counts_in_its_class,
        a_method_counts_in_a_global, counts_in_slots, counts_in_bytes, first_of_a_set, keeps_the_last_face,
        counts_as_it_goes, remembers_as_it_goes, goes_on_from_the_first_high_one, by_what_a_function_gives)),
    (counts_by_a_method, (Hero(),)), (tells_functions_apart, (bold,)), (tells_functions_apart, (shy,)),
]


@pytest.mark.parametrize(("rule", "args"), RULES, ids=lambda what: getattr(what, "__name__", ""))
def test_its_odds_are_those_of_its_single_dice(rule, args):
    expected = face_by_face(rule, *args)
    weighed = 0
    with patch("paravent.dice.merging._HANDFULS", 1):
        for defers in (True, False):
            try:
                tally, whole = _merged(rule, certain_policy, args, Fraction(0), 50_000, defers)
            except Exception:  # numbers that are not drawn will not do for it
                continue
            weighed += 1
            assert {result: Fraction(ways, whole) for result, ways in tally.items()} == expected
    assert weighed, "with a precision, there is no other way"
    with nothing_drawn_before_it_is_needed():
        for _ in range(2):
            assert dict(odds(rule, *args)) == expected
        assert dict(odds(rule, *args, within=1e-9)) == expected


def pair(dice):
    return dice.sum(1, 2), dice.sum(1, 2)


def pairs_then_more(dice):
    high = 0
    for _ in range(2):
        if pair(dice)[0] > 1:
            high = dice.pool(2, 3)[0]
    return high, dice.sum(1, 2)


def more_for_a_pair(dice):
    return sum(pair(dice)[0] > 1 and dice.pool(2, 3)[0] for _ in range(3))


@pytest.mark.parametrize("rule", [pairs_then_more, more_for_a_pair])
@pytest.mark.parametrize("within", [0.3, 0.2, 0.1, 0.01, 1e-3])
def test_what_is_repeated_of_a_run_is_weighed_as_nearly_as_before(rule, within):
    forget_odds()
    near, expected = odds(rule, within=within), face_by_face(rule)
    assert near.missed <= within
    assert all(abs(chance - near[result]) <= near.missed for result, chance in expected.items())


def test_nothing_of_the_kernel_is_left_behind():
    for rule in (keeps_answers, remembers, counts_in_a_list, counts_in_a_global):
        for defers in (True, False):
            try:
                _merged(rule, certain_policy, (), Fraction(0), 50_000, defers)
            except Exception:
                continue
    assert {type(kept) for kept in (*MEMO, *MEMO.values(), *LOG, sixes, double(2))} == {int}


def test_what_only_reads_is_still_merged():
    assert reached(goes_through_a_table).open
    assert not reached(keeps_answers).open
    assert not reached(counts_by_functions).steady


def test_a_pool_of_many_handfuls_is_listed_only_if_it_must_be():
    def tens_twice(dice):
        return sum(2 if face == 10 else face >= 7 for face in dice.pool(10, 10))

    def caught(dice):
        try:
            return max(dice.pool(8, 10)), len({*dice.pool(6, 4)})
        except:  # noqa: E722
            return None

    assert odds(tens_twice) == d([0, 0, 0, 0, 0, 0, 1, 1, 1, 2]).repeat(10)
    assert odds(caught).map(lambda both: both[0]) == d(10).highest(8)
    assert odds(lambda dice: len({*dice.pool(6, 10)})).mean() == 10 * (1 - Fraction(9, 10) ** 6)


def test_named_faces_in_another_order_are_another_die():
    rising = d({"miss": 3, "hit": 2, "crit": 1})
    falling = d({"crit": 1, "hit": 2, "miss": 3})
    assert rising == falling

    def better_of(dice, die):
        return dice.highest(2, die)

    assert odds(better_of, rising)["crit"] == Fraction(11, 36)
    assert odds(better_of, falling)["crit"] == Fraction(1, 36)
