"""The questions of the cookbook as dyce answers them, where it can: it has no decks.

``aggregate_weighted`` is the engine of ``expand``, without its cost, and without cutting off what is rare.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

import dyce
from dyce import H, P, expand, explode_n
from dyce.h import aggregate_weighted
from dyce.p import survey_outcome_order_ascending

warnings.filterwarnings("ignore", category=dyce.lifecycle.ExperimentalWarning)

ANSWERS: dict[str, Callable[[], Any]] = {}


def surveyed(pool: Any, read: Callable[[Any, int, int], Any], start: Any) -> Any:
    """What is read of a pool, face by face from the lowest."""
    return pool.survey(accumulate=read, initial=start, order=survey_outcome_order_ascending)


def dyces(ask: Callable[[], Any]) -> Callable[[], Any]:
    """An answer of dyce's, under the name of ours."""
    ANSWERS[ask.__name__] = ask
    return ask


@dyces
def ability() -> Any:
    return (4 @ P(6)).at(slice(1, None))


@dyces
def advantage() -> Any:
    return (2 @ P(20)).at(-1)


@dyces
def best_five_of_forty() -> Any:
    return (40 @ P(6)).at(slice(-5, None))


@dyces
def middle_of_three() -> Any:
    return (3 @ P(20)).at(1)


@dyces
def margin() -> Any:
    return 12 - 3 @ H(6)


@dyces
def fudge() -> Any:
    return 4 @ H((-1, 0, 1))


@dyces
def fireball() -> Any:
    return 8 @ expand(lambda die: H(6) if die.outcome == 1 else die.outcome, H(6))


def boom(sides: int, left: int) -> Any:
    return explode_n(H(sides), n=left)


@dyces
def five_exploding() -> Any:
    return 5 @ boom(6, 10)


@dyces
def wild_die() -> Any:
    return boom(8, 6).apply(max, boom(6, 6))


@dyces
def flip() -> Any:
    return H(range(10)).apply(lambda one, other: max(10 * one + other, 10 * other + one), H(range(10)))


@dyces
def opposed_pools() -> Any:
    return 6 @ H(6).ge(5) - 4 @ H(6).ge(5)


@dyces
def hundred_dice() -> Any:
    return 100 @ H({-1: 1, 0: 3, 1: 2})


@dyces
def in_the_dark() -> Any:
    return expand(lambda three: 7 if three.roll[1] == 6 else three.roll[2], 3 @ P(6))


@dyces
def hits_and_glitch() -> Any:
    def read(state: Any, face: int, count: int) -> Any:
        hits, ones = state
        return hits + count * (face >= 5), ones + count * (face == 1)

    return surveyed(10 @ P(6), read, (0, 0)).apply(lambda state: (state[0], state[1] > 5))


@dyces
def no_tie() -> Any:
    return surveyed(4 @ P(20), lambda most, _, count: max(most, count), 0).lt(2)


@dyces
def longest_row() -> Any:
    def read(state: Any, face: int, _: int) -> Any:
        longest, row, last = state
        row = row + 1 if face == last + 1 else 1
        return max(longest, row), row, face

    return surveyed(5 @ P(6), read, (0, 0, 0)).apply(lambda state: state[0])


@dyces
def widest_set() -> Any:
    return surveyed(7 @ P(10), lambda widest, face, count: max(widest, (count, face)), (0, 0))


@dyces
def blow() -> Any:
    def strike(die: Any) -> Any:
        face = die.outcome
        if face == 1 or (face < 20 and face + 5 < 15):
            return 0
        return (2 if face == 20 else 1) @ H(8) + 3

    return expand(strike, H(20))


@dyces
def three_bands() -> Any:
    return (2 @ H(6) + 1).apply(lambda total: "miss" if total < 7 else "cost" if total < 10 else "hit")


@dyces
def risk() -> Any:
    def battle(attack: Any, defence: Any) -> Any:
        won = sum(ours > its for ours, its in zip(attack.roll[::-1], defence.roll[::-1], strict=False))
        return 2 - won, won

    return expand(battle, 3 @ P(6), 2 @ P(6))


@dyces
def under_twelve() -> Any:
    return (2 @ P(H(20).apply(lambda face: face if face <= 12 else 0))).at(-1)


@dyces
def in_a_circle() -> Any:
    return H((2, 2, 4, 4, 9, 9)).gt(H((1, 1, 6, 6, 8, 8)))


@dyces
def death_saves() -> Any:
    def save(state: Any, face: int) -> Any:
        good, bad = state
        if 3 in state:
            return state
        if face == 20:
            return (3, 0)
        return (good + 1, bad) if face >= 10 else (good, min(3, bad + (2 if face == 1 else 1)))

    saves: Any = H({(0, 0): 1})
    for _ in range(5):
        saves = saves.apply(save, H(20))
    return saves.apply(lambda state: state[0] == 3)


@dyces
def five_of_a_kind() -> Any:
    def throw(kept: int) -> Any:
        if kept < 2:
            return surveyed(5 @ P(6), lambda most, _, count: max(most, count), 0)
        if kept == 5:
            return 5
        rolls = ((5 - kept) @ P(6)).rolls_with_counts()
        return aggregate_weighted((max(kept + roll.count(1), *map(roll.count, roll)), ways) for roll, ways in rolls)

    thrown: Any = H({0: 1})
    for _ in range(3):
        thrown = aggregate_weighted((throw(kept), ways) for kept, ways in thrown.items())
    return thrown


@dyces
def pig() -> Any:
    @functools.cache
    def turn(total: int) -> Any:
        return aggregate_weighted(
            (0 if face == 1 else total + face if total + face >= 20 else turn(total + face), ways)
            for face, ways in H(6).items())

    return turn(0)


@dyces
def craps() -> Any:
    total = 2 @ H(6)

    def bet(face: int) -> Any:
        if face in (2, 3, 7, 11, 12):
            return face in (7, 11)
        return H({other: total[other] for other in (7, face)}).eq(face)

    return aggregate_weighted((bet(face), ways) for face, ways in total.items())


@dyces
def blows_needed() -> Any:
    @functools.cache
    def blows(left: int) -> Any:
        return aggregate_weighted((1 if face >= left else blows(left - face) + 1, ways) for face, ways in H(8).items())

    return blows(20)
