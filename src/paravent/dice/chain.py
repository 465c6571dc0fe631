"""Rules repeated: a step from one frozen state to the next, until it is over.

The states that a step reaches form a Markov chain. Its end is worked out exactly, in whole numbers; states that
return to themselves (nobody is hit) or to each other are solved, not cut off. Too large a chain is sampled from the
same weighed steps, each run on a stream of numbers of its own, so any split of the runs gives the same totals.

The exact end sweeps the states level by level, a state coming after all those that lead to it. It is counted out of
the product, over the levels, of the least number that every state of a level divides: what comes to a state is then
always a whole number of parts, and no fraction is reduced on the way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from itertools import chain as one_after_another
from math import gcd, lcm, prod
from typing import Generic, NamedTuple, TypeVar, TypeVarTuple

from .errors import TooManyStates
from .odds import Odds, Weighing, every_way, heeding_changes, remaining, stopped
from .protocol import Dice, Policy, certain_policy

S = TypeVar("S", bound=Hashable)
Ts = TypeVarTuple("Ts")
Moves = Sequence[Odds[int] | None]
"""Where each state leads, by number; None for one that is over."""

_Row = list[tuple[int, int]]
"""How often a state is met, for each time that its group is entered by each door."""
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
        with heeding_changes(step, (start, *args)):
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
        levels = _levels(moves)
        divisors, returning = _divisors(levels, moves)
        if not all(divisors):
            raise stopped(self._step, len(moves))
        whole = prod(lcm(*[divisors[group[0]] for group in groups]) for groups in levels)
        shares = [0] * len(moves)  # what comes to each state, out of the whole
        shares[0] = whole
        ends: list[int] = []
        steps = 0
        for group in one_after_another.from_iterable(levels):
            first = group[0]
            if first in returning:
                visits = [(at, sum(shares[door] * times for door, times in row) // divisors[first])
                          for at, row in zip(group, returning[first], strict=True)]
            else:
                visits = [(first, shares[first] // divisors[first])]
            for at, share in visits:
                move = moves[at]
                if move is None:
                    ends.append(at)
                    continue
                steps += share * move.total
                for to, ways in move.ways.items():  # what returns to its own group is in its visits already
                    shares[to] += share * ways
        shrink = gcd(whole, *[shares[at] for at in ends])
        return Repeated(
            Odds({self.states[at]: shares[at] // shrink for at in ends}, whole // shrink),
            Fraction(steps, whole),
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


def _divisors(levels: list[list[list[int]]], moves: Moves) -> tuple[list[int], dict[int, list[_Row]]]:
    """By the first state of each group: what is divided there, and how often states that return to each other are met.

    A state that may return to itself is met once for every way of leaving it; nothing is divided where none leaves.
    """
    divisors = [1] * len(moves)
    returning: dict[int, list[_Row]] = {}
    doors: set[int] = set()
    for group in one_after_another.from_iterable(levels):
        first, move = group[0], moves[group[0]]
        if len(group) > 1:
            doors = doors or _doors(levels, moves)
            divisors[first], returning[first] = _visits(group, moves, [at for at in group if at in doors])
        elif move is not None:
            divisors[first] = move.total - move.ways.get(first, 0)
    return divisors, returning


def _doors(levels: list[list[list[int]]], moves: Moves) -> set[int]:
    """The states by which a group is entered."""
    home = {at: group[0] for group in one_after_another.from_iterable(levels) for at in group}
    return {0} | {to for at, move in enumerate(moves) for to in move or () if home[to] != home[at]}


def _visits(group: Sequence[int], moves: Moves, doors: Sequence[int]) -> tuple[int, list[_Row]]:
    """Visits to states that return to each other: a linear system, solved in fractions.

    Gives, over a common divisor, the visits of each state (divided by its number of ways) for each time that the group
    is entered by a door; 0, if nothing ever leaves it.
    """
    row_of = {at: row for row, at in enumerate(group)}
    size = len(group)
    system = [[Fraction(0)] * size + [Fraction(at == door) for door in doors] for at in group]
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
            return 0, []
        system[pivot], system[found] = system[found], system[pivot]
        scale = system[pivot][pivot]
        system[pivot] = [cell / scale for cell in system[pivot]]
        for row in range(size):
            factor = system[row][pivot]
            if row != pivot and factor:
                system[row] = [cell - factor * lead for cell, lead in zip(system[row], system[pivot], strict=True)]
    divisor = lcm(*(cell.denominator for row in system for cell in row[size:]))
    return divisor, [[(door, int(times * divisor)) for door, times in zip(doors, row[size:], strict=True)]
                     for row in system]


def chain(
    step: Callable[[Dice, S, *Ts], S], start: S, *args: *Ts, over: Callable[[S], bool], policy: Policy = certain_policy
) -> Repeated[S]:
    """The exact end of ``step`` repeated from ``start`` until ``over``; see :class:`Chain`."""
    return Chain(step, start, *args, over=over, policy=policy).run()
