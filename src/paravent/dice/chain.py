"""Rules repeated: a step from one frozen state to the next, until it is over.

The states that a step reaches form a Markov chain. Its end is worked out exactly, in whole numbers; states that
return to themselves (nobody is hit) or to each other are solved, not cut off. Too large a chain is sampled from the
same weighed steps, each run on a stream of numbers of its own, so any split of the runs gives the same totals.

The exact end sweeps the states level by level, a state coming after all those that lead to it. Shares are whole
numbers over the product of the units of the levels passed, and a unit is the least that keeps its level whole: no
fraction is reduced on the way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from itertools import chain as one_after_another
from math import gcd, lcm, prod
from typing import Generic, NamedTuple, TypeVar, TypeVarTuple

from .errors import TooManyStates
from .odds import Odds, Weighing, every_way, remaining, stopped
from .protocol import Dice, Policy, certain_policy

S = TypeVar("S", bound=Hashable)
Ts = TypeVarTuple("Ts")
Moves = Sequence[Odds[int] | None]
"""Where each state leads, by number; None for one that is over."""

_WIDEST = 200_000


class Repeated(NamedTuple, Generic[S]):
    """How a repeated rule ends: the final states, the mean number of steps, and the states met on the way."""

    ends: Odds[S]
    mean_steps: Fraction
    states: int

    def chance(self, event: Callable[[S], object]) -> Fraction:
        """The probability that it ends in such a state."""
        return self.ends.chance(event)


class Sampled(NamedTuple, Generic[S]):
    """Runs drawn from the same steps: how many ended in each state, and after how many steps in all."""

    ends: dict[S, int]
    steps: int
    runs: int


class _Numbers(dict[S, int]):
    """The number of each state; a new one is added to the list."""

    def __init__(self, states: list[S]) -> None:
        super().__init__(zip(states, range(len(states)), strict=True))
        self.states = states

    def __missing__(self, state: S) -> int:
        number = self[state] = len(self.states)
        self.states.append(state)
        return number


class Chain(Generic[S]):
    """A step rule repeated from a state until ``over``.

    >>> def toss(dice, lead):
    ...     return lead + (1 if dice.sum(1, 2) == 2 else -1)
    >>> Chain(toss, 0, over=lambda lead: abs(lead) == 3).run().mean_steps
    Fraction(9, 1)
    """

    def __init__(
        self,
        step: Callable[[Dice, S, *Ts], S],
        start: S,
        *args: *Ts,
        over: Callable[[S], bool],
        policy: Policy = certain_policy,
        widest: int = _WIDEST,
    ) -> None:
        self._over, self._step = over, step
        self.start = start
        self.states: list[S] = [start]
        self.moves: list[Odds[int] | None] = []
        number = _Numbers(self.states)
        dice = Weighing(policy)
        for state in self.states:
            if len(self.states) > widest:
                raise TooManyStates(limit=widest)
            if over(state):
                self.moves.append(None)
                continue
            after, total = remaining(*every_way(step, dice, (state, *args)), step)
            self.moves.append(Odds._whole({number[to]: ways for to, ways in after.items()}, total))

    def run(self) -> Repeated[S]:
        """The exact end, in whole numbers."""
        moves = self.moves
        inflow, since = [0] * len(moves), [0] * len(moves)  # whole shares, in the units passed before a level
        inflow[0] = 1
        units: list[int] = []
        ends: list[int] = []
        steps, passed = 0, 1
        for level, groups in enumerate(_levels(moves)):
            leaving: list[tuple[int, list[tuple[int, int]]]] = []
            for group in groups:
                shares = [inflow[at] * prod(units[since[at] :]) for at in group]
                move = moves[group[0]]
                if move is None:
                    ends += group
                elif len(group) > 1:
                    solved = _solved(group, moves, shares)
                    if solved is None:
                        raise stopped(self._step, len(moves))
                    leaving.append(solved)
                else:
                    stay = move.ways.get(group[0], 0)
                    if stay == move.total:
                        raise stopped(self._step, len(moves))
                    leaving.append((move.total - stay, [(group[0], shares[0])]))
            unit = lcm(*(divisor for divisor, _ in leaving))
            units.append(unit)
            gained: dict[int, int] = {}
            steps *= unit
            for divisor, visits in leaving:
                for at, share in visits:
                    move = moves[at]
                    assert move is not None
                    share *= unit // divisor
                    steps += share * move.total
                    for to, ways in move.ways.items():
                        gained[to] = gained.get(to, 0) + share * ways
                for at, _ in visits:  # what returns to its own group is in its visits already
                    gained.pop(at, None)
            for to, more in gained.items():
                if inflow[to]:
                    more += inflow[to] * prod(units[since[to] :])
                inflow[to], since[to] = more, level + 1
            passed *= unit
        ways_of = {at: inflow[at] * prod(units[since[at] :]) for at in ends}
        shrink = gcd(passed, *ways_of.values())
        return Repeated(
            Odds({self.states[at]: ways // shrink for at, ways in ways_of.items()}, passed // shrink),
            Fraction(steps, passed),
            len(self.states),
        )

    def after(self, steps: int) -> Odds[S]:
        """The exact distribution of states after so many steps (those over stay where they are)."""
        ways, total = {0: 1}, 1
        for _ in range(steps):
            common = 1
            for at in ways:
                move = self.moves[at]
                if move is not None:
                    common = lcm(common, move.total)
            later: dict[int, int] = {}
            for at, count in ways.items():
                move = self.moves[at]
                if move is None:
                    later[at] = later.get(at, 0) + count * common
                    continue
                scale = count * (common // move.total)
                for to, here in move.ways.items():
                    later[to] = later.get(to, 0) + here * scale
            ways, total = later, total * common
        return Odds({self.states[at]: count for at, count in ways.items()}, total)

    def sample(self, runs: int, seed: int = 0, first: int = 0) -> Sampled[S]:
        """Draw ``runs`` runs, numbered from ``first``; the same run always takes the same course."""
        from .sampling import sample_chain

        if not _all_end(self.moves):
            raise stopped(self._step, len(self.moves))
        ends, steps = sample_chain(self.moves, runs, seed, first)
        return Sampled({self.states[at]: count for at, count in ends.items()}, steps, runs)


def _all_end(moves: Moves) -> bool:
    """Whether every state may lead to one that is over."""
    before: list[list[int]] = [[] for _ in moves]
    for at, move in enumerate(moves):
        for to in move or ():
            before[to].append(at)
    ending = {at for at, move in enumerate(moves) if move is None}
    todo = list(ending)
    while todo:
        for at in before[todo.pop()]:
            if at not in ending:
                ending.add(at)
                todo.append(at)
    return len(ending) == len(moves)


def _levels(moves: Moves) -> list[list[list[int]]]:
    """States in groups that return to each other, each at a level above all those that lead to it."""
    met_by = Counter(one_after_another.from_iterable(move.ways for move in moves if move is not None))
    before = [met_by[at] for at in range(len(moves))]
    for at, move in enumerate(moves):
        if move is not None and at in move.ways:
            before[at] -= 1
    levels: list[list[list[int]]] = []
    ready = [] if before[0] else [0]
    met = 0
    while ready:
        levels.append([[at] for at in ready])
        met += len(ready)
        last, ready = ready, []
        for at in last:
            move = moves[at]
            for to in move.ways if move is not None else ():
                before[to] -= 1
                if not before[to]:
                    ready.append(to)
    return levels if met == len(moves) else _levels_of(_groups(moves), moves)


def _levels_of(groups: list[list[int]], moves: Moves) -> list[list[list[int]]]:
    """The same when states return to each other, for groups already in order."""
    home = {at: number for number, group in enumerate(groups) for at in group}
    height = [0] * len(groups)
    levels: dict[int, list[list[int]]] = {}
    for number, group in enumerate(groups):
        levels.setdefault(height[number], []).append(group)
        for to in {home[to] for at in group for to in moves[at] or ()} - {number}:
            height[to] = max(height[to], height[number] + 1)
    return [levels[level] for level in sorted(levels)]


def _groups(moves: Moves) -> list[list[int]]:
    """States gathered with those they can return to, earliest first (Tarjan's walk, without recursion)."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    waiting: set[int] = set()
    groups: list[list[int]] = []
    walk: list[tuple[int, list[int]]] = []

    def enter(at: int) -> None:
        index[at] = low[at] = len(index)
        stack.append(at)
        waiting.add(at)
        move = moves[at]
        walk.append((at, [] if move is None else list(move.ways)))

    enter(0)
    while walk:
        at, ahead = walk[-1]
        if ahead:
            to = ahead.pop()
            if to not in index:
                enter(to)
            elif to in waiting:
                low[at] = min(low[at], index[to])
            continue
        walk.pop()
        if walk:
            low[walk[-1][0]] = min(low[walk[-1][0]], low[at])
        if low[at] == index[at]:
            cut = stack.index(at)
            group = stack[cut:]
            del stack[cut:]
            waiting.difference_update(group)
            groups.append(group)
    return groups[::-1]


def _solved(
    group: Sequence[int], moves: Moves, inflow: Sequence[int]
) -> tuple[int, list[tuple[int, int]]] | None:
    """Visits to states that return to each other: a small linear system, solved in fractions.

    Gives, over a common divisor, the visits of each state divided by its number of ways; None, if they never leave.
    """
    row_of = {at: row for row, at in enumerate(group)}
    size = len(group)
    system = [[Fraction(0)] * size + [Fraction(share)] for share in inflow]
    for column, at in enumerate(group):
        move = moves[at]
        assert move is not None
        system[column][column] += move.total
        for to, ways in move.ways.items():
            if to in row_of:
                system[row_of[to]][column] -= ways
    for pivot in range(size):
        found = next((row for row in range(pivot, size) if system[row][pivot]), None)
        if found is None:
            return None
        system[pivot], system[found] = system[found], system[pivot]
        scale = system[pivot][pivot]
        system[pivot] = [cell / scale for cell in system[pivot]]
        for row in range(size):
            factor = system[row][pivot]
            if row != pivot and factor:
                system[row] = [cell - factor * lead for cell, lead in zip(system[row], system[pivot], strict=True)]
    divisor = lcm(*(row[size].denominator for row in system))
    return divisor, [(at, int(row[size] * divisor)) for at, row in zip(group, system, strict=True)]


def chain(
    step: Callable[[Dice, S, *Ts], S], start: S, *args: *Ts, over: Callable[[S], bool], policy: Policy = certain_policy
) -> Repeated[S]:
    """The exact end of ``step`` repeated from ``start`` until ``over``; see :class:`Chain`."""
    return Chain(step, start, *args, over=over, policy=policy).run()
