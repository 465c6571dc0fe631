"""Rules repeated: a step from one frozen state to the next, until it is over.

The states that a step reaches form a Markov chain. Its end is worked out exactly, in whole numbers; states that
return to themselves (nobody is hit) or to each other are solved, not cut off. Too large a chain is sampled from the
same weighed steps, each run on a stream of numbers of its own, so any split of the runs gives the same totals.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from .errors import EndlessRule, TooManyStates
from .odds import Odds, odds
from .protocol import Policy, certain_policy

if TYPE_CHECKING:
    import numpy as np

S = TypeVar("S", bound=Hashable)
Step = Callable[..., S]

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


class Chain(Generic[S]):
    """A step rule repeated from a state until ``over``.

    >>> def toss(dice, lead):
    ...     return lead + (1 if dice.sum(1, 2) == 2 else -1)
    >>> Chain(toss, 0, over=lambda lead: abs(lead) == 3).run().mean_steps
    Fraction(9, 1)
    """

    def __init__(
        self,
        step: Step[S],
        start: S,
        *args: Any,
        over: Callable[[S], bool],
        policy: Policy = certain_policy,
        widest: int = _WIDEST,
    ) -> None:
        self._over = over
        self.start = start
        self.states: list[S] = [start]
        self.moves: list[Odds[int] | None] = []
        number = {start: 0}
        for state in self.states:
            if over(state):
                self.moves.append(None)
                continue
            ways: dict[int, int] = {}
            weighed = odds(step, state, *args, policy=policy)
            for after, count in weighed.ways.items():
                at = number.get(after)
                if at is None:
                    at = number[after] = len(self.states)
                    self.states.append(after)
                    if at > widest:
                        raise TooManyStates(limit=widest)
                ways[at] = count
            self.moves.append(Odds(ways, weighed.total))

    def run(self) -> Repeated[S]:
        """The exact end, in whole numbers."""
        arrived = _visits(self.moves)
        ends = {self.states[at]: share for at, share in arrived.items() if self.moves[at] is None}
        steps = sum((share for at, share in arrived.items() if self.moves[at] is not None), start=Fraction(0))
        common = 1
        for share in ends.values():
            common = common * share.denominator // _gcd(common, share.denominator)
        ways = {state: share.numerator * (common // share.denominator) for state, share in ends.items()}
        return Repeated(Odds(ways, common), steps, len(self.states))

    def after(self, steps: int) -> Odds[S]:
        """The exact distribution of states after so many steps (those over stay where they are)."""
        ways, total = {0: 1}, 1
        for _ in range(steps):
            common = 1
            for at in ways:
                move = self.moves[at]
                if move is not None:
                    common = common * move.total // _gcd(common, move.total)
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

        ends, steps = sample_chain(self.moves, runs, seed, first)
        return Sampled({self.states[at]: count for at, count in ends.items()}, steps, runs)


def _gcd(a: int, b: int) -> int:
    from math import gcd

    return gcd(a, b)


def _visits(moves: Sequence[Odds[int] | None]) -> dict[int, Fraction]:
    """The expected number of visits to each state, from state 0."""
    visits: dict[int, Fraction] = {}
    inflow: dict[int, Fraction] = {0: Fraction(1)}
    for group in _groups(moves):
        if len(group) == 1:
            at = group[0]
            move = moves[at]
            share = inflow.get(at, Fraction(0))
            if move is not None:
                stay = move[at]
                if stay == 1:
                    raise EndlessRule(rule="chain")
                share /= 1 - stay
            arrived = {at: share}
        else:
            arrived = _solved(group, moves, inflow)
        for at, share in arrived.items():
            visits[at] = share
            move = moves[at]
            if move is None or not share:
                continue
            for to, ways in move.ways.items():
                if to not in arrived:
                    inflow[to] = inflow.get(to, Fraction(0)) + share * Fraction(ways, move.total)
    return visits


def _groups(moves: Sequence[Odds[int] | None]) -> list[list[int]]:
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
    group: Sequence[int], moves: Sequence[Odds[int] | None], inflow: dict[int, Fraction]
) -> dict[int, Fraction]:
    """Visits inside a group of states that return to each other: a small linear system, solved in fractions."""
    row_of = {at: row for row, at in enumerate(group)}
    size = len(group)
    system = [[Fraction(0)] * size + [inflow.get(at, Fraction(0))] for at in group]
    for at in group:
        move = moves[at]
        assert move is not None
        system[row_of[at]][row_of[at]] += 1
        for to, ways in move.ways.items():
            if to in row_of:
                system[row_of[to]][row_of[at]] -= Fraction(ways, move.total)
    for pivot in range(size):
        found = next((row for row in range(pivot, size) if system[row][pivot]), None)
        if found is None:
            raise EndlessRule(rule="chain")
        system[pivot], system[found] = system[found], system[pivot]
        scale = system[pivot][pivot]
        system[pivot] = [cell / scale for cell in system[pivot]]
        for row in range(size):
            factor = system[row][pivot]
            if row != pivot and factor:
                system[row] = [cell - factor * lead for cell, lead in zip(system[row], system[pivot], strict=True)]
    return {at: system[row_of[at]][size] for at in group}


def chain(step: Step[S], start: S, *args: Any, over: Callable[[S], bool], policy: Policy = certain_policy) -> Repeated[S]:
    """The exact end of ``step`` repeated from ``start`` until ``over``; see :class:`Chain`."""
    return Chain(step, start, *args, over=over, policy=policy).run()
