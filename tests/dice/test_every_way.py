"""Rules of every shape: their odds are those of every single die turned over face by face."""

import copy
import math
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from math import prod
from typing import NamedTuple
from unittest.mock import patch

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from paravent.dice import Kinds, Take, ThrowAgain, forget_odds, odds
from paravent.dice.errors import AbsurdDice, EndlessRule
from paravent.dice.odds import every_way
from paravent.dice.protocol import certain_policy

READING = Kinds(6, low=[1, 2], middle=[3, 4, 5], high=[6])
_MOST_THROWS = 20_000


class Pair(NamedTuple):
    left: int
    right: object


@dataclass(frozen=True)
class Told:
    word: str
    number: int


@contextmanager
def nothing_drawn_before_it_is_needed():
    """Numbers are left undrawn however few they may be, and nothing is known of any rule."""
    kernel = sys.modules[every_way.__module__]
    forget_odds()
    kernel._habit.cache_clear()
    with patch.multiple(kernel, _FEW=1, _FEW_AT_FIRST=1):
        yield
    forget_odds()


def last_option(who, key, options, usual):
    return options[-1]


class SingleDice:
    """Dice read one by one from a script; past its end each shows a 1. Another rule is simply run."""

    def __init__(self, script, policy):
        self.script, self.policy = script, policy
        self.fallen, self.sides = [], []

    def faces(self, n, sides):
        for _ in range(n):
            self.fallen.append(self.script[len(self.fallen)] if len(self.fallen) < len(self.script) else 1)
            self.sides.append(sides)
        return self.fallen[len(self.fallen) - n:]

    def sum(self, n, sides):
        return sum(self.faces(n, sides))

    def pool(self, n, sides):
        return tuple(sorted(self.faces(n, sides)))

    def counts(self, n, kinds, again=None):
        return kinds.tally(self.faces(n, kinds.sides))

    def resolve(self, rule, *args):
        return rule(self, *args)

    then = resolve

    def choose(self, who, key, options, usual=None, rule=""):
        return self.policy(who, key, tuple(options), options[0] if usual is None else usual)

    def of(self, role):
        return self

    stream = of

    def aside(self, kind, n):
        pass

    def note(self, rule, key, **values):
        pass


def face_by_face(rule, *args, policy=certain_policy):
    """The chance of each result, each die turned from its first face to its last; None if there are too many."""
    shares, script = {}, []
    for _ in range(_MOST_THROWS):
        dice = SingleDice(script, policy)
        try:
            result = rule(dice, *args)
            shares[result] = shares.get(result, 0) + Fraction(1, prod(dice.sides))
        except ThrowAgain:
            pass
        script = dice.fallen
        while script and script[-1] == dice.sides[len(script) - 1]:
            script.pop()
        if not script:
            stands = sum(shares.values())
            return {result: share / stands for result, share in shares.items()}
        script[-1] += 1
    return None


# --- Rules of every shape


def plain_sum(dice, n, plus=0):
    return dice.sum(n, 6) + plus


def branches(dice, value, bonus=0):
    roll = dice.sum(2, 6)
    if roll == 2:
        return Pair(max(0, value - 2) + (dice.sum(bonus, 6) if bonus else 0), True)
    if roll == 12:
        return Pair(0, False)
    return Pair(value - roll, True) if roll < value else Pair(roll - value, False)


def contest(dice, mine, theirs):
    """Two rules resolved, in two hands, with lines for the table."""
    first = dice.of("initiator")
    me = first.resolve(branches, mine, 1)
    them = dice.of("opponent").stream("x").resolve(branches, theirs)
    dice.note("T-1", "compared", me=me, them=them)
    if me.right and (not them.right or me.left > them.left):
        return Told("me", me.left)
    if them.right:
        return Told("them", them.left)
    return Told("nobody", 0)


def kinds_unpacked(dice, n):
    low, middle, _ = dice.counts(n, READING)
    dice.aside("low", low)
    return low - middle


def chooses(dice, n):
    low, middle, high = dice.counts(n, READING)
    taken = dice.choose("a", "which", ("stop", Take("low"), Take("high")), usual=Take("low") if low else "stop")
    if taken == "stop":
        return (low, middle, high)
    one, two, three = dice.counts(1, READING, again=taken)
    return (low + one, middle + two, high + three)


def guarded(dice, n):
    return (n > 2 and dice.sum(1, 4) > 2) or dice.sum(1, 3) == 1


def chosen_then_thrown(dice):
    return dice.choose("a", "k", (0, 1), usual=1) and dice.sum(1, 4)


def rebinds(dice, n):
    """Names bound again after a throw must not leak into the next branch."""
    total = n
    first = dice.sum(1, 4)
    total += first
    if first % 2:
        total -= 1
    n = n + 1
    second = dice.sum(1, 3)
    total = total * 10 + second
    n = n * 2
    if second == 2:
        n -= 5
    return (total, n)


def no_tie(dice, sides):
    one, other = dice.sum(1, sides), dice.sum(1, 6)
    if one == other:
        raise ThrowAgain
    return one - other


def recursive(dice, left, total=0):
    if not left:
        return total
    return dice.then(recursive, left - 1, total + dice.sum(1, 3))


def throws_for_nothing(dice):
    dice.sum(1, 6)


def faces_summed(dice, n, least):
    return sum(face * 2 for face in dice.pool(n, 6) if face >= least) + sum(1 for face in dice.pool(2, 4))


def loops_beside(dice, n):
    reached = 0
    for step in range(n):
        if step % 2:
            continue
        reached += step
    roll = dice.sum(1, 6)
    return reached + max(sum(x for x in range(roll)), n)


def argument_throws(dice):
    return dice.sum(dice.sum(1, 3), dice.sum(1, 2) + 3)


def reads_twice(dice, mine, theirs):
    left = dice.resolve(branches, mine)
    right = dice.resolve(branches, theirs)
    return (min(left.left, 3), min(right.left, 3), f"{left.right}{right.right}")


def chained(dice, low):
    return low < dice.sum(1, 6) < 5


def keyword_only(dice, *, n=2):
    return dice.sum(n, 6)


def nested_choice(dice):
    roll = dice.sum(1, 6)
    if roll > 3:
        if dice.sum(1, 2) == 2:
            note = "high"
        elif roll == 5:
            note = "middle"
        else:
            note = "rather high"
        roll += 10
    else:
        note = "low"
    return (note, roll)


def all_raise(dice, n):
    if n > 3:
        return dice.sum(1, 6)
    raise ThrowAgain()


def in_a_loop(dice, n):
    total = 0
    for _ in range(n):
        total += dice.sum(1, 6)
    return total


def in_a_comprehension(dice, n):
    return tuple([dice.sum(1, 6) for _ in range(n)])


def in_a_try(dice):
    try:
        return dice.sum(1, 6)
    finally:
        pass


def handed_on(dice, n):
    return in_a_loop(dice, n)


def grows(dice):
    faces = []
    faces.append(dice.sum(1, 6))
    return tuple(faces)


def a_part_changes(dice, cells=None):
    cells = {}
    cells["x"] = dice.sum(1, 6)
    return cells["x"]


def as_a_value(dice):
    throw = dice.sum
    return throw(1, 6)


def walrus(dice):
    return (roll := dice.sum(1, 6)) + roll


def later(dice):
    return (lambda: dice.sum(1, 6))()


def in_a_match(dice, n):
    match n:
        case 1:
            return dice.sum(1, 6)
        case _:
            return 0


def consumed(dice):
    left = iter((1, 2, 3, 4))
    next(left)
    dice.sum(1, 2)
    return next(left)


def starred(dice, *args):
    return dice.sum(*args)


def hidden_by_a_lambda(dice):
    value = dice.resolve(branches, 7)
    other = dice.resolve(branches, 8)
    return max((Pair(5, 1), Pair(2, 2)), key=lambda value: value.left - other.left).right + value.left


def hidden_by_a_comprehension(dice):
    value = dice.resolve(branches, 7)
    other = dice.resolve(branches, 8)
    return sum(value.left + other.left for value in (Pair(5, 1), Pair(2, 2))) + value.left


SHAPES = [
    (plain_sum, (2,)), (plain_sum, (2, 5)), (plain_sum, (0,)), (branches, (7,)), (branches, (9, 2)),
    (contest, (8, 6)), (kinds_unpacked, (3,)), (chooses, (3,)), (guarded, (1,)), (guarded, (4,)), (rebinds, (3,)),
    (chosen_then_thrown, ()),
    (no_tie, (4,)), (recursive, (4,)), (throws_for_nothing, ()), (faces_summed, (3, 4)), (loops_beside, (5,)),
    (argument_throws, ()), (reads_twice, (7, 9)), (chained, (2,)), (keyword_only, ()), (nested_choice, ()),
    (all_raise, (5,)),
    (hidden_by_a_lambda, ()), (hidden_by_a_comprehension, ()),
    (in_a_loop, (3,)), (in_a_comprehension, (2,)), (in_a_try, ()), (handed_on, (2,)), (grows, ()),
    (a_part_changes, ()), (as_a_value, ()), (walrus, ()), (later, ()), (in_a_match, (1,)), (consumed, ()),
    (starred, (2, 6)),
]


@pytest.mark.parametrize(("rule", "args"), SHAPES, ids=lambda part: getattr(part, "__name__", str(part)))
@pytest.mark.parametrize("policy", [certain_policy, last_option])
def test_a_rule_has_the_odds_of_its_single_dice(rule, args, policy):
    assert dict(odds(rule, *args, policy=policy)) == face_by_face(rule, *args, policy=policy)
    with nothing_drawn_before_it_is_needed():
        assert dict(odds(rule, *args, policy=policy)) == face_by_face(rule, *args, policy=policy)


# --- Numbers that are not drawn before something depends on them


class Colour(Enum):
    RED = 1
    BLUE = 2


def added_up(dice, n):
    return sum(dice.sum(1, 4) for _ in range(n)) - dice.sum(1, 3) + 2 * dice.sum(1, 2)


def added_to_itself(dice, n):
    face = dice.sum(n, 3)
    return 3 * face - face + 1 - (5 - face)


def added_to_nothing(dice, n):
    face = dice.sum(n, 4)
    return (face - face, 0 * face)


def never_read(dice, n):
    dice.note("T-1", "k", roll=dice.sum(n, 6))
    return "done"


def side_by_side(dice, n):
    return Pair(dice.sum(1, 4) + 1, dice.sum(n, 4) - 1)


def side_by_side_itself(dice, n):
    face = dice.sum(n, 4)
    return (face, face + 1)


def deep_inside(dice, n):
    return Pair(1, (Colour.RED, Pair(dice.sum(n, 3), None)))


def in_an_object(dice, n):
    return Told("red", dice.sum(n, 3))


def beside_an_object(dice, n):
    return (Told("red", n), dice.sum(n, 3), Colour.BLUE)


def kinds_added(dice, n):
    low, middle, high = dice.counts(n, READING)
    return 2 * high + middle - low


def kinds_as_they_are(dice, n):
    return dice.counts(n, READING)


def kinds_summed(dice, n):
    return sum(dice.counts(n, READING))


def a_branch_between(dice, n):
    first = dice.sum(1, 4)
    more = dice.sum(1, 3) if dice.sum(1, 2) == 1 else 0
    return first + more + n


def needed_in_one_branch(dice, n):
    first, second = dice.sum(1, 4), dice.sum(1, 3)
    return first if second < 3 else int(first > 2) - n


def needed_by_another_rule(dice, n):
    return dice.resolve(added_up, dice.sum(n, 2))


def needed_within_another_rule(dice, n):
    face = dice.sum(n, 3)
    return dice.resolve(lambda inner: inner.sum(1, 4) + face)


def kept_from_a_mistake(dice, n):
    try:
        return [0, 1][dice.sum(n, 3)]
    except IndexError:
        return -1


def read_in_many_ways(how):
    def reads(dice, n):
        return how(dice.sum(n, 3))

    return reads


UNDRAWN = [
    added_up, added_to_itself, added_to_nothing, never_read, side_by_side, side_by_side_itself, deep_inside,
    in_an_object, beside_an_object, kinds_added, kinds_as_they_are, kinds_summed, a_branch_between,
    needed_in_one_branch, needed_by_another_rule, needed_within_another_rule, kept_from_a_mistake,
    *map(read_in_many_ways, [
        bool, abs, float, str, repr, hash, math.sqrt, math.floor, round, copy.copy, copy.deepcopy, Fraction,
        lambda face: face / 2, lambda face: 7 // face, lambda face: face % 2, lambda face: face**2, lambda face: ~face,
        lambda face: face + 0.5, lambda face: face + True, lambda face: face * Fraction(1, 2),
        lambda face: "ab" * face, lambda face: f"{face:>3}", lambda face: {1: 2}.get(face),
        lambda face: face in {1, 2}, lambda face: face in range(2), lambda face: max(2, face),
        lambda face: face.numerator, lambda face: face.real + 1, lambda face: face.bit_length(),
        lambda face: isinstance(face, int), lambda face: frozenset({face}), lambda face: sorted((face, 2))[0],
        lambda face: divmod(face, 2), lambda face: range(face)[-1],
    ]),
]


@pytest.mark.parametrize("rule", UNDRAWN, ids=lambda rule: rule.__name__)
@pytest.mark.parametrize("n", [1, 2])
def test_a_number_is_drawn_where_the_rule_depends_on_it(rule, n):
    with nothing_drawn_before_it_is_needed():
        first = dict(odds(rule, n))
        forget_odds()
        assert first == dict(odds(rule, n)) == face_by_face(rule, n)


def test_numbers_are_taken_from_each_other_whether_they_are_of_one_throw_or_of_two():
    def rule(dice, more):
        low, middle, high = dice.counts(2, READING)
        two, one = dice.sum(2, 6), dice.sum(1, 6)
        return high - low + more - (two - one - 3), middle + dice.resolve(another) - dice.sum(1, 3)

    def another(dice):
        return dice.sum(1, 4) - dice.sum(1, 4) if dice.sum(1, 2) == 1 else dice.sum(1, 4) - 1

    def drawn(dice, more):
        given = rule(dice, more)
        return tuple(map(int, given))

    with nothing_drawn_before_it_is_needed():
        assert odds(rule, 4) == odds(drawn, 4)


def test_numbers_that_are_only_added_up_take_one_run():
    runs = []

    def counted(dice, n):
        runs.append(n)
        low, _, high = dice.counts(n, READING)
        return Pair(high - low + dice.sum(n, 6), "told")

    with nothing_drawn_before_it_is_needed():
        assert sum(odds(counted, 40).ways.values()) == 36**40
    assert runs == [40]


def test_dice_that_nobody_can_throw_are_refused_before_they_are_read():
    def unread(dice):
        dice.counts(-1, READING)
        return 1

    with nothing_drawn_before_it_is_needed(), pytest.raises(AbsurdDice):
        odds(unread)


def test_a_rule_that_adds_up_for_ever_is_stopped():
    def endless(dice):
        total = 0
        while True:
            total += dice.sum(1, 6)

    with nothing_drawn_before_it_is_needed(), pytest.raises(EndlessRule):
        odds(endless)


def test_a_helper_may_throw_again():
    def refuse(roll):
        if roll == 1:
            raise ThrowAgain
        return roll

    assert odds(lambda dice: refuse(dice.sum(1, 6))).ways == dict.fromkeys(range(2, 7), 1)


def test_a_mistake_in_a_rule_is_that_mistake():
    with pytest.raises(KeyError):
        odds(lambda dice: {}[dice.sum(1, 6)])


# --- Any rule that can be written from these parts

NAMES = ("x", "y", "z")


def written(source):
    """The function of a source text."""
    found = {"READING": READING, "Pair": Pair, "ThrowAgain": ThrowAgain, "branches": branches, "Take": Take}
    exec(source, found)
    return found["rule"]


@st.composite
def expressions(draw, depth=2, throws=True):
    kinds = ["name", "number", "name"]
    if depth:
        kinds += ["sum", "compare", "ternary", "both", "min"]
        if throws:
            kinds += ["throw", "throw", "pool", "faces", "resolve", "choose"]
    part = expressions(depth=depth - 1, throws=throws)
    match draw(st.sampled_from(kinds)):
        case "name":
            return draw(st.sampled_from(("a", "b", *NAMES)))
        case "number":
            return str(draw(st.integers(0, 3)))
        case "sum":
            return f"({draw(part)} {draw(st.sampled_from('+-*'))} {draw(part)})"
        case "compare":
            return f"({draw(part)} {draw(st.sampled_from(('<', '==', '>=')))} {draw(part)})"
        case "ternary":
            return f"({draw(part)} if {draw(part)} else {draw(part)})"
        case "both":
            return f"({draw(part)} {draw(st.sampled_from(('and', 'or')))} {draw(part)})"
        case "min":
            return f"min(3, {draw(part)})"
        case "throw":
            return f"dice.sum({draw(st.integers(0, 2))}, {draw(st.integers(1, 3))})"
        case "pool":
            return f"dice.of('gm').pool({draw(st.integers(1, 2))}, 3)[0]"
        case "faces":
            return f"sum(face <= {draw(st.sampled_from(('a', '2', 'x')))} for face in dice.pool(2, 3))"
        case "resolve":
            return "dice.resolve(branches, a, 0).left"
        case _:
            return f"dice.choose('me', 'k', (1, 2), usual={draw(st.integers(1, 2))})"


@st.composite
def blocks(draw, indent=1, depth=2):
    lines = []
    pad = "    " * indent
    for _ in range(draw(st.integers(1, 3))):
        match draw(st.sampled_from(("bind", "bind", "add", "if", "unpack", "note", "return", "again"))):
            case "bind":
                lines.append(f"{pad}{draw(st.sampled_from(NAMES))} = {draw(expressions())}")
            case "add":
                lines.append(f"{pad}{draw(st.sampled_from(NAMES))} += {draw(expressions())}")
            case "unpack":
                lines.append(f"{pad}x, y, z = dice.counts({draw(st.integers(1, 2))}, READING)")
            case "note":
                lines.append(f"{pad}dice.note('T-1', 'k', x=x)")
            case "return" if indent > 1:
                lines.append(f"{pad}return {draw(expressions())}")
            case "again" if indent > 1 and draw(st.booleans()):
                lines.append(f"{pad}raise ThrowAgain")
            case "if" if depth:
                lines.append(f"{pad}if {draw(expressions())}:")
                lines += draw(blocks(indent + 1, depth - 1))
                if draw(st.booleans()):
                    lines.append(f"{pad}else:")
                    lines += draw(blocks(indent + 1, depth - 1))
            case _:
                lines.append(f"{pad}y = x")
    return lines


@st.composite
def sources(draw):
    body = draw(blocks())
    ending = draw(st.sampled_from(("return (x, y, z)", "return Pair(x, y)", "return Pair(x + 1, 2)", "return x",
                                    "return (x, Pair(y, x))")))
    return "\n".join(["def rule(dice, a, b=2):", "    x, y, z = a, b, 0", *body, f"    {ending}"]) + "\n"


@given(sources(), st.integers(0, 3), st.sampled_from((certain_policy, last_option)))
@settings(deadline=None, derandomize=True, max_examples=400)
def test_any_rule_written_from_these_parts_has_the_odds_of_its_single_dice(source, a, policy):
    rule = written(source)
    expected = face_by_face(rule, a, policy=policy)
    assume(expected is not None)
    if expected:
        assert dict(odds(rule, a, policy=policy)) == expected, source
        with nothing_drawn_before_it_is_needed():
            assert dict(odds(rule, a, policy=policy)) == expected, source
    else:
        with pytest.raises(EndlessRule):
            odds(rule, a, policy=policy)
