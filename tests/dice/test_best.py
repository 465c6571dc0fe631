"""Best play: choices solved over the whole rule for a stated goal."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paravent.dice import Kinds, Take, ThrowAgain, best, odds
from paravent.dice.errors import EndlessRule

usual = settings(deadline=None, derandomize=True, max_examples=30)
READING = Kinds(10, one=[1], success=range(2, 6), failure=range(6, 10), ten=[10])


def every_policy(rule, args, goal):
    """The greatest expected goal over every way to answer each distinct question, by brute force.

    A question is known by its key, which in these rules says everything the player has seen.
    """
    questions = {}

    def answer_by(chosen):
        def policy(who, key, options, usual):
            questions.setdefault(key, options)
            return chosen.get(key, usual)

        return policy

    known = None
    while known != set(questions):  # some questions are met only after other answers
        known = set(questions)
        asked = dict(questions)
        values = [
            odds(rule, *args, policy=answer_by(dict(zip(asked, answers, strict=True)))).mean(goal)
            for answers in product(*asked.values())
        ]
    return max(values)


def again_once(dice, sides):
    first = dice.sum(1, sides)
    return dice.sum(1, sides) if dice.choose("a", f"again {first}", ("keep", "again")) == "again" else first


def asks_then_adds(dice, sides):
    """A choice inside a resolved rule, whose best answer depends on what follows."""
    inner = dice.resolve(again_once, sides)
    return inner if inner % 2 else inner + dice.sum(1, 2)


def bid(dice, sides):
    stake = dice.choose("a", "stake", (1, 2, 3))
    first = dice.sum(1, sides)
    if dice.choose("a", f"fold {stake} {first}", ("play", "fold")) == "fold":
        return -1
    return stake if dice.sum(1, sides) + first > sides else -stake


@pytest.mark.parametrize("rule", [again_once, asks_then_adds, bid])
@pytest.mark.parametrize("sides", [2, 3, 4])
@pytest.mark.parametrize("goal", [lambda x: x, lambda x: x == 3, lambda x: -x, lambda x: x * x])
def test_best_play_is_what_brute_force_finds(rule, sides, goal):
    solved = best(rule, sides, goal=goal)
    assert solved.value == every_policy(rule, (sides,), goal)
    assert solved.odds.mean(goal) == solved.value
    assert sum(solved.odds.values()) == 1


def test_a_choice_within_is_made_for_what_follows():
    """An odd face stands, an even one goes on: reaching 5 or more is not the same as a high face."""
    solved = best(asks_then_adds, 4, goal=lambda total: total >= 5)
    assert solved.value == every_policy(asks_then_adds, (4,), lambda total: total >= 5)


def test_only_the_choices_of_those_who_are_asked_are_solved():
    def two(dice):
        return dice.choose("me", "m", (0, 1)) + dice.choose("them", "t", (0, -10))

    assert best(two, goal=lambda x: x).value == 1
    assert best(two, goal=lambda x: -x, who=lambda who: who == "them").value == 10


def test_a_choice_that_changes_nothing_is_made_the_usual_way():
    def either(dice):
        return (dice.choose("a", "k", ("x", "y"), usual="y"), dice.sum(1, 2))

    assert {word for word, _ in best(either, goal=lambda result: result[1]).odds} == {"y"}


def pool(dice, n):
    ones, good, bad, tens = dice.counts(n, READING)
    return dice.then(rethrow, max(0, ones - tens), ones + good - tens, good, bad)


def rethrow(dice, rights, raw, good, bad):
    kinds = [Take(kind) for kind, there in (("failure", bad), ("success", good)) if there]
    if not rights or not kinds:
        return raw
    taken = dice.choose("a", f"{rights} {raw} {good} {bad}", ("stop", *kinds), usual=kinds[0] if bad else "stop")
    if taken == "stop":
        return raw
    one, success, failure, ten = dice.counts(1, READING, again=taken)
    lost = taken == Take("success")
    return dice.then(
        rethrow, rights - 1 + one, raw - lost + one + success - ten, good - lost + success, bad - (not lost) + failure
    )


@pytest.mark.parametrize(("n", "wanted", "chance"), [
    (2, 1, "13/20"), (3, 2, "449/1000"), (4, 1, "1601/2000"), (5, 3, "105963/250000"), (6, 3, "5193734/10000000"),
])
def test_the_published_chances_of_a_pool_with_rerolls(n, wanted, chance):
    """Conteur's digest, 9.1: best use of rights, attribute 5."""
    assert best(pool, n, goal=lambda raw: raw >= wanted).value == Fraction(chance)


def test_the_last_rule_is_solved_once_for_each_of_its_states():
    solved = best(pool, 12, goal=lambda raw: raw >= 5)
    assert solved.value == Fraction(5856449274003376, 10**16)
    assert solved.odds.chance(lambda raw: raw >= 5) == solved.value


@given(st.lists(st.integers(-3, 3), min_size=6, max_size=6))
@usual
def test_best_play_is_never_worse_than_the_usual_one(worths):
    def goal(face):
        return worths[face - 1]

    assert best(again_once, 6, goal=goal).value >= odds(again_once, 6).mean(goal)


def test_what_is_thrown_again_may_be_wanted():
    """Keeping only a 4: a face that is not one is better thrown away, and a 6 may come of it."""

    def insist(dice):
        face = dice.sum(1, 6)
        if face <= 2:
            raise ThrowAgain
        if dice.choose("a", "again", (False, True)):
            if dice.sum(1, 6) <= 3:
                raise ThrowAgain
            return 6
        return face

    assert best(insist, goal=lambda face: face == 4).value == Fraction(2, 5)
    assert dict(best(insist, goal=lambda face: face == 4).odds) == {6: Fraction(3, 5), 4: Fraction(2, 5)}
    assert best(insist, goal=lambda face: face).value == 6
    assert best(insist, goal=lambda face: -face).value == Fraction(-30, 7)


def test_a_rule_that_only_throws_again_is_endless():
    def never(dice):
        dice.choose("a", "k", (1, 2))
        raise ThrowAgain

    with pytest.raises(EndlessRule):
        best(never, goal=bool)


def test_a_rule_that_never_ends_has_no_best_play():
    def waits(dice):
        while dice.sum(1, 6) != 6:
            pass
        return True

    with pytest.raises(EndlessRule) as stopped:
        best(waits, goal=bool)
    assert stopped.value.values["rule"] == "waits"
