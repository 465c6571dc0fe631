"""A handful too large to be told apart die by die: it is divided only as far as a rule reads it.

What is asked of it divides its faces: how many show at most a four, how many a six. Sums of all dice, of the highest
or of the lowest are known without dividing anything. So a rule may take ``dice.pool(100, 6)``, of which there are 96
million, and count, add up, sort or keep as it would with three dice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import accumulate, pairwise
from math import comb
from operator import eq, ge, gt, le, lt
from typing import Any, NamedTuple, NoReturn, overload

from .ways import AnyFall, Fall, Tallied, Ways, convolved, of_highest, of_lowest, of_sum, times

MOST = 1000
"""Dice in such a handful."""
_MOST_STEPS = 3_000_000


@lru_cache(maxsize=512)
def _share(dice: int, faces: int, of: int) -> Ways[int]:
    """How many of so many dice show some of their faces."""
    return Ways({here: comb(dice, here) * faces**here * (of - faces) ** (dice - here) for here in range(dice + 1)},
                of**dice)


@lru_cache(maxsize=16)
def _singly(n: int) -> tuple[tuple[tuple[int, ...], ...], dict[int, int]]:
    """For each of ``n`` dice, what counts it and no other; and the place of each of these, by its identity."""
    units = tuple(tuple(int(at == other) for other in range(n)) for at in range(n))
    return units, {id(unit): at for at, unit in enumerate(units)}


class CannotMerge(Exception):
    """The rule makes of its numbers what a stand-in cannot."""


class _Some(NamedTuple):
    """Some of the dice, and the faces that they may show."""

    faces: frozenset[int]
    dice: int


class Handful:
    """So many dice from the lowest to the highest, as far as anything is known of them."""

    __slots__ = ("_ask", "_at_most", "_parts", "alone", "n", "sides", "units")

    def __init__(self, n: int, sides: int, ask: Callable[[Fall[int]], int]) -> None:
        self.n, self.sides = n, sides
        self.units, self.alone = _singly(n)
        """What counts each die and no other; and the place of each of these, by its identity."""
        self._ask = ask
        self._at_most: dict[int, int] = {}
        """How many dice show no more than a face, where that was asked."""
        self._parts = [_Some(frozenset(range(1, sides + 1)), n)]

    def counted(self, faces: frozenset[int]) -> int:
        """How many dice show one of these faces: drawn now, where it was not."""
        parts: list[_Some] = []
        total = 0
        for some in self._parts:
            inside = some.faces & faces
            if not inside or inside == some.faces or not some.dice:
                parts.append(some)
                total += some.dice if inside else 0
                continue
            here = self._ask(_share(some.dice, len(inside), len(some.faces)))
            parts += [_Some(inside, here), _Some(some.faces - inside, some.dice - here)]
            total += here
        self._parts = parts
        return total

    def stands(self, at: int, how: Callable[[int, int], bool], limit: int) -> bool:
        """Whether the die at a place from the lowest compares so."""
        if how is le or how is gt:
            return (self._up_to(limit) > at) is (how is le)
        if how is lt or how is ge:
            return (self._up_to(limit - 1) > at) is (how is lt)
        return (self._up_to(limit - 1) <= at < self._up_to(limit)) is (how is eq)

    def _up_to(self, face: int) -> int:
        if face not in self._at_most:
            self._at_most[face] = self.counted(frozenset(range(1, min(self.sides, face) + 1)))
        return self._at_most[face]

    def spread(self, worth: tuple[int, ...]) -> AnyFall | None:
        """All that a sum of the dice may be, each added so many times; None, if that is not known."""
        parts = sorted(self._parts, key=lambda some: min(some.faces))
        apart = all(max(some.faces) < min(more.faces) for some, more in pairwise(parts))
        if not apart and len({*worth}) > 1:
            return None
        made: AnyFall = Ways({0: 1}, 1)
        begin = 0
        for some in parts:
            sums = _sums(some, worth[begin : begin + some.dice])
            if sums is None:
                return None
            made = convolved(made, sums)
            begin += some.dice
        return made


def _sums(some: _Some, worth: tuple[int, ...]) -> AnyFall | None:
    """What dice from the lowest to the highest give, each added so many times."""
    die = Ways(dict.fromkeys(sorted(some.faces), 1), len(some.faces))
    if len({*worth}) < 2:
        return times(of_sum(some.dice, die), worth[0] if worth else 0)
    kept = sum(map(bool, worth))
    for some_of, those in ((of_highest, worth[-kept:]), (of_lowest, worth[:kept])):
        if len({*those}) == 1 and those[0]:
            return times(some_of(some.dice, die, kept), those[0])
    so_far = [0, *accumulate(worth)]
    if some.dice**2 * sum(some.faces) * sum(map(abs, worth)) > _MOST_STEPS:
        return None
    rows: dict[int, Tallied] = {0: {0: 1}}  # by how many dice are placed, from the lowest face
    for face in die.ways:
        later: dict[int, Tallied] = {}
        for placed, row in rows.items():
            left = some.dice - placed
            for here in range(left + 1) if face < max(some.faces) else (left,):
                onto = later.setdefault(placed + here, {})
                adds, ways = face * (so_far[placed + here] - so_far[placed]), comb(left, here)
                for total, count in row.items():
                    onto[total + adds] = onto.get(total + adds, 0) + count * ways
        rows = later
    return Ways(rows[some.dice], die.total**some.dice)


class Pool:
    """What a rule is given of such a handful: faces from the lowest, as of any pool."""

    __slots__ = ("_faces", "_handful")
    __class__: Any = property(lambda self: tuple)
    """To a rule that asks, the faces in order."""

    def __init__(self, handful: Handful, faces: tuple[Any, ...]) -> None:
        self._handful = handful
        self._faces = faces

    def __len__(self) -> int:
        return self._handful.n

    def __iter__(self) -> Iterator[int]:
        return iter(self._faces)

    @overload
    def __getitem__(self, at: int) -> int: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[int, ...]: ...

    def __getitem__(self, at: int | slice) -> int | tuple[int, ...]:
        faces: int | tuple[int, ...] = self._faces[at]
        return faces

    def __add__(self, other: tuple[Any, ...]) -> tuple[Any, ...]:
        return self._faces + tuple(other)

    def __radd__(self, other: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(other) + self._faces

    def count(self, face: int) -> int:
        """How many dice show a face."""
        return self._handful.counted(frozenset({face}))

    def __contains__(self, face: int) -> bool:
        return self.count(face) > 0

    def index(self, face: int) -> int:
        """The place of the first die that shows a face."""
        if face not in self:
            raise ValueError(face)
        return self._handful.counted(frozenset(range(1, face)))


def _told_apart(*_: object) -> NoReturn:
    raise CannotMerge


for _name in ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__", "__repr__", "__str__",
              "__format__", "__mul__", "__rmul__", "__reduce_ex__", "__copy__", "__deepcopy__"):
    setattr(Pool, _name, _told_apart)
