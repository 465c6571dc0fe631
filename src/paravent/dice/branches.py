"""The branches of a heavy rule: one way to go, those that go on alike, and how the pools on them are read."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd, lcm
from typing import NamedTuple

from .ways import AnyFall, Fall, Ways


class Branch(NamedTuple):
    """A way to go: what was decided on it; how often it is gone; at which throw it was joined with others."""

    path: tuple[object, ...]
    ways: int
    total: int
    throw: int = 0
    fall: AnyFall | None = None
    """What its open numbers may be there."""


class PoolsRead:
    """How the pools of a rule are read."""

    __slots__ = ("again", "divided", "listed")

    def __init__(self, listed: int) -> None:
        self.listed = listed
        """How many handfuls of a pool are told apart at most, rather than divided as it is read."""
        self.divided = False
        """Whether there was a pool that would be told apart otherwise."""
        self.again: set[object] = set()
        """Where pools are thrown that are read again once one sum of them is known."""


@dataclass(slots=True)
class Joined:
    """Branches that go on alike: the first of them, and how often their numbers are what."""

    first: Branch
    ways: dict[tuple[int, ...], int]
    total: int

    def add(self, ways: int, total: int, fall: Fall[tuple[int, ...]]) -> None:
        """One more of them."""
        total *= fall.total
        whole = lcm(self.total, total)
        if whole > self.total:
            self.ways = {value: times * (whole // self.total) for value, times in self.ways.items()}
            self.total = whole
        ways *= whole // total
        for value, times in fall.ways.items():
            self.ways[value] = self.ways.get(value, 0) + ways * times

    def branch(self) -> Branch:
        """All of them as one."""
        all_ways = sum(self.ways.values())
        shrink = gcd(*self.ways.values())
        fall = Ways({value: ways // shrink for value, ways in self.ways.items()}, all_ways // shrink)
        least = gcd(all_ways, self.total)
        return self.first._replace(ways=all_ways // least, total=self.total // least, fall=fall)


__all__ = ["Branch", "Joined", "PoolsRead"]
