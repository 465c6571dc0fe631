"""The same questions asked of icepool, dyce, d20 and hand-written numpy, each as its users would write them at best.

Answers are distributions of plain tuples, to be compared with ours.
"""

# ruff: noqa: N801 (the classes are named for the libraries they speak to)
from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import d20
import dyce
import icepool
import numpy as np
from dyce.h import aggregate_weighted

from .rules import DAMAGE, Attempt, harm_of

warnings.filterwarnings("ignore", module="dyce")
warnings.filterwarnings("ignore", category=dyce.lifecycle.ExperimentalWarning)

Fight = tuple[int, int]


def target_of(attribute: int) -> int:
    return min(9, max(1, attribute))


def duel_of(me: tuple[bool, int, bool], them: tuple[bool, int, bool]) -> tuple[str, int]:
    if me[0] and (not them[0] or me[1] > them[1]):
        return ("initiator", me[1])
    if them[0] and (not me[0] or them[1] > me[1]):
        return ("opponent", them[1])
    return ("tie", 0) if me[0] else ("nobody", 0)


def damage(margin: int, weapon: int, roll: int) -> int:
    return DAMAGE[min(max(0, margin + weapon + roll), 30)]


def struck(fight: Fight, blow: tuple[str, int]) -> Fight:
    if blow[0] == "initiator":
        return (fight[0], max(0, fight[1] - blow[1]))
    if blow[0] == "opponent":
        return (max(0, fight[0] - blow[1]), fight[1])
    return fight


class icepool_:
    """icepool: dice as values, mapped by functions that may give dice."""

    d6 = icepool.d(6)
    two = 2 @ icepool.d(6)

    @classmethod
    def kept(cls, n: int) -> list[Any]:
        return [n @ (cls.d6 <= score) for score in range(1, 6)]

    @classmethod
    def check(cls, value: int, bonus: int) -> Any:
        def read(roll: int) -> Any:
            if roll == 2:
                margin = max(0, value - 2)
                return (bonus @ cls.d6).map(lambda more: (True, margin + more, True)) if bonus else (True, margin, True)
            if roll == 12:
                return (False, max(0, 12 - value), True)
            return (True, value - roll, False) if roll < value else (False, roll - value, False)

        return cls.two.map(read)

    @classmethod
    def duel(cls, mine: int, theirs: int, my_bonus: int, their_bonus: int) -> Any:
        return icepool.map(duel_of, cls.check(mine, my_bonus), cls.check(theirs, their_bonus), star=False)

    @classmethod
    def exchange(cls, mine: int, theirs: int, my_bonus: int, their_bonus: int, weapon: int, other: int) -> Any:
        def blow(won: tuple[str, int]) -> Any:
            who, margin = won
            if who in ("tie", "nobody"):
                return (who, 0)
            its = weapon if who == "initiator" else other
            return cls.two.map(lambda roll: (who, damage(margin, its, roll)))

        return cls.duel(mine, theirs, my_bonus, their_bonus).map(blow, star=False)

    @classmethod
    def fight(cls, start: Fight, mine: int, theirs: int, my_weapon: int, their_weapon: int) -> Any:
        blow = cls.exchange(mine, theirs, 0, 0, my_weapon, their_weapon)

        def step(fight: Fight) -> Any:
            return fight if 0 in fight else blow.map(lambda struck_by: struck(fight, struck_by), star=False)

        return icepool.map(step, icepool.Die([start]), star=False, repeat="inf")

    @classmethod
    def sums(cls, plus: int) -> list[Any]:
        return [n @ cls.d6 + plus for n in range(1, 6)]

    @classmethod
    def attacks(cls, mine: Attempt, theirs: Attempt) -> Any:
        my_harm = (mine.dice @ cls.d6).map(lambda roll: harm_of(mine, roll))
        their_harm = (theirs.dice @ cls.d6).map(lambda roll: harm_of(theirs, roll))
        return icepool.tupleize(their_harm, my_harm)

    @classmethod
    def _read(cls, attribute: int) -> Any:
        target = target_of(attribute)
        return icepool.Die({(1, 0, 0, 0): 1, (0, 1, 0, 0): target - 1, (0, 0, 1, 0): 9 - target, (0, 0, 0, 1): 1})

    @classmethod
    def plain_pool(cls, n: int, attribute: int) -> Any:
        target = target_of(attribute)
        return n @ icepool.Die({1: target, 0: 9 - target, -1: 1})

    @classmethod
    def pool(cls, n: int, attribute: int) -> Any:
        target = target_of(attribute)
        face = icepool.Die({icepool.Vector(o): w for o, w in cls._read(attribute).items()})

        @cache
        def rerolls(rights: int, raw: int, bad: int) -> Any:
            if rights == 0 or bad == 0:
                return icepool.Die([raw])
            return icepool.Die(
                [rerolls(rights, raw + 1, bad - 1), rerolls(rights - 1, raw + 1, bad - 1),
                 rerolls(rights - 1, raw, bad), rerolls(rights - 1, raw - 1, bad - 1)],
                times=[1, target - 1, 9 - target, 1],
            )

        def settle(thrown: Any) -> Any:
            ones, good, bad, tens = thrown
            return rerolls(ones - min(ones, tens), ones + good - tens, bad)

        return (n @ face).map(settle, star=False)

    @classmethod
    def opposed(cls, mine: int, my_attribute: int, theirs: int, their_attribute: int) -> Any:
        def compare(me: int, them: int) -> tuple[str, int]:
            me, them = max(0, me), max(0, them)
            return ("initiator" if me > them else "opponent" if them > me else "tie", abs(me - them))

        return icepool.map(compare, cls.pool(mine, my_attribute), cls.pool(theirs, their_attribute))

    @classmethod
    def ways(cls, answer: Any) -> dict[Any, int]:
        return {tuple(o) if isinstance(o, (tuple, icepool.Vector)) else o: w for o, w in answer.items()}


class dyce_:
    """dyce: histograms; ``aggregate_weighted`` is the engine of ``expand``, without its cost."""

    d6 = dyce.H(6)
    two = 2 @ dyce.H(6)

    @classmethod
    def kept(cls, n: int) -> list[Any]:
        return [n @ cls.d6.le(score) for score in range(1, 6)]

    @classmethod
    def check(cls, value: int, bonus: int) -> Any:
        def rows() -> Iterator[tuple[Any, int]]:
            for roll, ways in cls.two.items():
                if roll == 2:
                    margin = max(0, value - 2)
                    if bonus:
                        yield (bonus @ cls.d6).apply(lambda more, m=margin: (True, m + more, True)), ways
                    else:
                        yield (True, margin, True), ways
                elif roll == 12:
                    yield (False, max(0, 12 - value), True), ways
                else:
                    yield (True, value - roll, False) if roll < value else (False, roll - value, False), ways

        return aggregate_weighted(rows())

    @classmethod
    def duel(cls, mine: int, theirs: int, my_bonus: int, their_bonus: int) -> Any:
        me, them = cls.check(mine, my_bonus), cls.check(theirs, their_bonus)
        return aggregate_weighted((duel_of(x, y), wx * wy) for x, wx in me.items() for y, wy in them.items())

    @classmethod
    def exchange(cls, mine: int, theirs: int, my_bonus: int, their_bonus: int, weapon: int, other: int) -> Any:
        def rows() -> Iterator[tuple[Any, int]]:
            for (who, margin), ways in cls.duel(mine, theirs, my_bonus, their_bonus).items():
                if who in ("tie", "nobody"):
                    yield (who, 0), ways
                else:
                    its = weapon if who == "initiator" else other
                    yield cls.two.apply(lambda roll, m=margin + its, who=who: (who, damage(m, 0, roll))), ways

        return aggregate_weighted(rows())

    @classmethod
    def fight(cls, start: Fight, mine: int, theirs: int, my_weapon: int, their_weapon: int) -> Any:
        blows = list(cls.exchange(mine, theirs, 0, 0, my_weapon, their_weapon).items())
        ends: dict[Fight, Any] = {}
        for a in range(start[0] + 1):
            for b in range(start[1] + 1):
                state = (a, b)
                if 0 in state:
                    ends[state] = dyce.H({state: 1})
                    continue
                moves = [(struck(state, blow), ways) for blow, ways in blows]
                ends[state] = aggregate_weighted((ends[to], ways) for to, ways in moves if to != state)
        return ends[start]

    @classmethod
    def sums(cls, plus: int) -> list[Any]:
        return [n @ cls.d6 + plus for n in range(1, 6)]

    @classmethod
    def attacks(cls, mine: Attempt, theirs: Attempt) -> Any:
        my_harm = (mine.dice @ cls.d6).apply(lambda roll: harm_of(mine, roll))
        their_harm = (theirs.dice @ cls.d6).apply(lambda roll: harm_of(theirs, roll))
        return aggregate_weighted(((x, y), wx * wy) for x, wx in their_harm.items() for y, wy in my_harm.items())

    @classmethod
    def plain_pool(cls, n: int, attribute: int) -> Any:
        target = target_of(attribute)
        return n @ dyce.H({1: target, 0: 9 - target, -1: 1})

    @classmethod
    def pool(cls, n: int, attribute: int) -> Any:
        target = target_of(attribute)
        tallies: dict[tuple[int, int, int, int], int] = {(0, 0, 0, 0): 1}
        for _ in range(n):
            longer: dict[tuple[int, int, int, int], int] = {}
            for (ones, good, bad, tens), ways in tallies.items():
                for key, weight in (
                    ((ones + 1, good, bad, tens), 1), ((ones, good + 1, bad, tens), target - 1),
                    ((ones, good, bad + 1, tens), 9 - target), ((ones, good, bad, tens + 1), 1),
                ):
                    if weight:
                        longer[key] = longer.get(key, 0) + ways * weight
            tallies = longer

        @cache
        def rerolls(rights: int, raw: int, bad: int) -> Any:
            if rights == 0 or bad == 0:
                return dyce.H({raw: 1})
            return aggregate_weighted(
                [(rerolls(rights, raw + 1, bad - 1), 1), (rerolls(rights - 1, raw + 1, bad - 1), target - 1),
                 (rerolls(rights - 1, raw, bad), 9 - target), (rerolls(rights - 1, raw - 1, bad - 1), 1)]
            )

        return aggregate_weighted(
            (rerolls(ones - min(ones, tens), ones + good - tens, bad), ways)
            for (ones, good, bad, tens), ways in tallies.items()
        )

    @classmethod
    def opposed(cls, mine: int, my_attribute: int, theirs: int, their_attribute: int) -> Any:
        me, them = cls.pool(mine, my_attribute), cls.pool(theirs, their_attribute)

        def compare(a: int, b: int) -> tuple[str, int]:
            a, b = max(0, a), max(0, b)
            return ("initiator" if a > b else "opponent" if b > a else "tie", abs(a - b))

        return aggregate_weighted((compare(x, y), wx * wy) for x, wx in me.items() for y, wy in them.items())

    @classmethod
    def ways(cls, answer: Any) -> dict[Any, int]:
        return {outcome: count for outcome, count in answer.items() if count}


class numpy_:
    """By hand, for arrays: no rule could be read out of it, but little can be quicker."""

    two = np.convolve(np.ones(6, np.int64), np.ones(6, np.int64))
    rolls = np.arange(2, 13)
    damage_at = np.array(DAMAGE)

    @staticmethod
    def _sum(n: int) -> Any:
        ways = np.ones(1, np.int64)
        for _ in range(n):
            ways = np.convolve(ways, np.ones(6, np.int64))
        return ways

    @classmethod
    def kept(cls, n: int) -> list[Any]:
        answers = []
        for score in range(1, 6):
            ways = one = np.array([6 - score, score])
            for _ in range(n - 1):
                ways = np.convolve(ways, one)
            answers.append((np.arange(n + 1), ways))
        return answers

    @classmethod
    def sums(cls, plus: int) -> list[Any]:
        return [(np.arange(n, 6 * n + 1) + plus, cls._sum(n)) for n in range(1, 6)]

    @classmethod
    def check(cls, value: int, bonus: int) -> Any:
        """Columns: success, margin, critical, ways out of 36 * 6**bonus."""
        more = cls._sum(bonus)
        base = max(0, value - 2)
        won = cls.rolls < value
        middle = slice(1, -1)
        success = np.concatenate((np.ones(len(more), bool), won[middle], [False]))
        by = np.abs(value - cls.rolls)[middle]
        margin = np.concatenate((base + bonus + np.arange(len(more)), by, [max(0, 12 - value)]))
        critical = np.zeros(len(success), bool)
        critical[: len(more)] = critical[-1] = True
        ways = np.concatenate((more, cls.two[middle] * 6**bonus, [6**bonus]))
        return success, margin, critical, ways

    @classmethod
    def duel(cls, mine: int, theirs: int, my_bonus: int, their_bonus: int) -> Any:
        """Ways of each margin that the initiator wins with, the opponent wins with; ties; both fail."""
        s, m, _, w = cls.check(mine, my_bonus)
        t, n, _, v = cls.check(theirs, their_bonus)
        ways = w[:, None] * v[None, :]
        a = s[:, None] & (~t[None, :] | (m[:, None] > n[None, :]))
        b = t[None, :] & (~s[:, None] | (n[None, :] > m[:, None]))
        wins = np.bincount(m, (ways * a).sum(1)).astype(np.int64)
        losses = np.bincount(n, (ways * b).sum(0)).astype(np.int64)
        left = ways * ~(a | b)
        return wins, losses, left[s].sum(), left[~s].sum()

    @classmethod
    def exchange(cls, mine: int, theirs: int, my_bonus: int, their_bonus: int, weapon: int, other: int) -> Any:
        wins, losses, tie, nobody = cls.duel(mine, theirs, my_bonus, their_bonus)
        sides = []
        for ways, its in ((wins, weapon), (losses, other)):
            harm = cls.damage_at[np.clip(np.arange(len(ways))[:, None] + its + cls.rolls[None, :], 0, 30)]
            sides.append(np.bincount(harm.ravel(), (ways[:, None] * cls.two[None, :]).ravel(), 11).astype(np.int64))
        return sides[0], sides[1], tie * 36, nobody * 36

    @classmethod
    def attacks(cls, mine: Attempt, theirs: Attempt) -> Any:
        def harm(side: Attempt) -> Any:
            rolls = np.arange(side.dice, 6 * side.dice + 1)
            dealt = np.maximum(0, rolls * (2 + side.weapon) // 3 - side.dice) * (rolls <= side.threshold)
            return np.bincount(dealt, cls._sum(side.dice)).astype(np.int64)

        return np.outer(harm(theirs), harm(mine))

    @classmethod
    def plain_pool(cls, n: int, attribute: int) -> Any:
        target = target_of(attribute)
        ways = one = np.array([1, 9 - target, target])
        for _ in range(n - 1):
            ways = np.convolve(ways, one)
        return np.arange(-n, n + 1), ways

    @classmethod
    def fights(cls, runs: int, start: Fight, args: tuple[int, ...], seed: int) -> Any:
        """Simulated fights: one table of blows, drawn for all that still stand."""
        first, second, tie, nobody = cls.exchange(args[0], args[1], 0, 0, args[2], args[3])
        ways = np.concatenate((first, second, [tie + nobody]))
        upto = np.cumsum(ways) / ways.sum()
        mine_lost = np.concatenate((np.zeros(11, np.int64), np.arange(11), [0]))
        theirs_lost = np.concatenate((np.arange(11), np.zeros(11, np.int64), [0]))
        random = np.random.default_rng(seed)
        mine, theirs = np.full(runs, start[0]), np.full(runs, start[1])
        ends: list[Any] = []
        while len(mine):
            blow = np.searchsorted(upto, random.random(len(mine)), side="right")
            mine = np.maximum(0, mine - mine_lost[blow])
            theirs = np.maximum(0, theirs - theirs_lost[blow])
            still = (mine > 0) & (theirs > 0)
            ends.append(np.bincount(mine[~still] * 100 + theirs[~still], minlength=10000))
            mine, theirs = mine[still], theirs[still]
        return np.sum(ends, axis=0)

    @classmethod
    def ways(cls, answer: Any) -> dict[Any, int]:
        match answer:
            case (values, ways):
                return {int(v): int(w) for v, w in zip(values, ways, strict=True) if w}
            case (success, margin, critical, ways) if len(np.shape(critical)):
                table: dict[Any, int] = {}
                for s, m, c, w in zip(success, margin, critical, ways, strict=True):
                    table[bool(s), int(m), bool(c)] = table.get((bool(s), int(m), bool(c)), 0) + int(w)
                return table
            case (first, second, tie, nobody):
                sides = {("initiator", n): int(w) for n, w in enumerate(first) if w}
                sides |= {("opponent", n): int(w) for n, w in enumerate(second) if w}
                return sides | {key: int(w) for key, w in ((("tie", 0), tie), (("nobody", 0), nobody)) if w}
            case _:
                return {(int(a), int(b)): int(answer[a, b]) for a, b in np.argwhere(answer)}


def _played(two: Callable[[], int], extra: Callable[[int], int]) -> Callable[..., tuple[str, int]]:
    def check(value: int, bonus: int) -> tuple[bool, int, bool]:
        roll = two()
        if roll == 2:
            return (True, max(0, value - 2) + (extra(bonus) if bonus else 0), True)
        if roll == 12:
            return (False, max(0, 12 - value), True)
        return (True, value - roll, False) if roll < value else (False, roll - value, False)

    def exchange(mine: int, theirs: int, bonus: int, other_bonus: int, weapon: int, other: int) -> tuple[str, int]:
        who, margin = duel_of(check(mine, bonus), check(theirs, other_bonus))
        if who in ("tie", "nobody"):
            return (who, 0)
        return (who, damage(margin, weapon if who == "initiator" else other, two()))

    return exchange


PLAYED = {
    "d20": _played(lambda: d20.roll("2d6").total, lambda n: d20.roll(f"{n}d6").total),
    "icepool": _played(lambda: icepool_.two.sample(), lambda n: (n @ icepool_.d6).sample()),
}
"""One played exchange; only d20 keeps a record of what was thrown, and dyce throws nothing."""
