"""In how many ways dice can fall: whole numbers, counted once.

A throw is described by what a rule asks of it. A sum has few values, a pool is a sorted handful of faces, and
kinds of faces (« a 1 », « a success », « a 10 ») have fewer combinations still. Nothing here enumerates single dice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb, factorial, prod
from typing import Generic, NamedTuple, Protocol, TypeVar

V = TypeVar("V")


class Fall(Protocol[V]):
    """What can come of chance: each value with its number of ways, and how many ways there are in all."""

    @property
    def ways(self) -> Mapping[V, int]:
        """Each value, with its number of ways."""
        ...

    @property
    def total(self) -> int:
        """How many ways there are in all."""
        ...


class Ways(NamedTuple, Generic[V]):
    """What a throw can give."""

    ways: Mapping[V, int]
    total: int


class Take(tuple[str, ...]):
    """Dice to take up, by their kinds: equal dice are interchangeable, so a choice among dice is one among kinds.

    >>> Take("failure", "success") == Take("success", "failure")
    True
    """

    __slots__ = ()

    def __new__(cls, *kinds: str) -> Take:
        return super().__new__(cls, sorted(kinds) if len(kinds) > 1 else kinds)

    def __repr__(self) -> str:
        return f"Take({', '.join(map(repr, self))})"


class Kinds:
    """The faces of a die sorted into kinds that a rule tells apart, in the order the rule reads them.

    >>> reading = Kinds(10, one=[1], success=range(2, 6), failure=range(6, 10), ten=[10])
    >>> reading.kind_of(7)
    'failure'
    """

    __slots__ = ("_by_face", "_hash", "names", "sides", "weights")

    def __init__(self, sides: int, **faces: Iterable[int]) -> None:
        by_face = {face: name for name, of_kind in faces.items() for face in of_kind}
        if sorted(by_face) != list(range(1, sides + 1)) or len(by_face) != sum(len(tuple(f)) for f in faces.values()):
            raise ValueError(f"each face from 1 to {sides} belongs to one kind; got {sorted(by_face)}")
        self.sides = sides
        self.names = tuple(faces)
        self.weights = tuple(sum(kind == name for kind in by_face.values()) for name in self.names)
        self._by_face = by_face
        self._hash = hash((sides, tuple(sorted(by_face.items()))))

    def kind_of(self, face: int) -> str:
        """The name of the kind this face belongs to."""
        return self._by_face[face]

    def tally(self, faces: Iterable[int]) -> tuple[int, ...]:
        """How many of these faces are of each kind, in order."""
        kinds = [self._by_face[face] for face in faces]
        return tuple(kinds.count(name) for name in self.names)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Kinds) and self.names == other.names and self._by_face == other._by_face

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"Kinds({self.sides}, {', '.join(self.names)})"


@lru_cache(maxsize=512)
def of_sum(n: int, sides: int) -> Ways[int]:
    """The sums of ``n`` dice."""
    ways = [1]
    for _ in range(n):
        longer = [0] * (len(ways) + sides - 1)
        for at, count in enumerate(ways):
            for face in range(sides):
                longer[at + face] += count
        ways = longer
    return Ways(dict(enumerate(ways, start=n)), sides**n)


@lru_cache(maxsize=256)
def of_pool(n: int, sides: int) -> Ways[tuple[int, ...]]:
    """The sorted handfuls of ``n`` dice."""
    orders = factorial(n)
    handfuls = combinations_with_replacement(range(1, sides + 1), n)
    ways = {hand: orders // prod(factorial(hand.count(face)) for face in set(hand)) for hand in handfuls}
    return Ways(ways, sides**n)


@lru_cache(maxsize=1024)
def of_kinds(n: int, kinds: Kinds) -> Ways[tuple[int, ...]]:
    """How many of ``n`` dice fall in each kind."""
    rows: list[tuple[tuple[int, ...], int, int]] = [((), n, 1)]
    for weight in kinds.weights[:-1]:
        powers = [weight**here for here in range(n + 1 if weight else 1)]
        rows = [
            ((*tally, here), left - here, ways * comb(left, here) * power)
            for tally, left, ways in rows
            for here, power in enumerate(powers[: left + 1])
        ]
    last = [kinds.weights[-1] ** here for here in range(n + 1)]
    return Ways({(*tally, left): ways * last[left] for tally, left, ways in rows if last[left]}, kinds.sides**n)
