"""A handful too large to be told apart die by die: it is divided only as far as a rule reads it.

Its dice are alike: plain ones, or any number of which it is known how often it is what.

What is asked of it divides its faces: how many show at most a four, how many a six. Sums of all dice, of the highest
or of the lowest are known without dividing anything. So a rule may take ``dice.pool(100, 6)``, of which there are 96
million, and count, add up, sort or keep as it would with three dice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import accumulate, pairwise
from math import comb
from operator import eq, ge, gt, le, lt
from typing import Any, NamedTuple, NoReturn, Protocol, TypeVar, overload

from .kept import kept_with_odds
from .ways import (
    AnyFace,
    AnyFall,
    Fall,
    Tallied,
    Ways,
    convolved,
    of_gathered,
    of_highest,
    of_lowest,
    of_sum,
    times,
)

MOST = 1000
"""Dice in such a handful."""
_MOST_STEPS = 3_000_000


V = TypeVar("V")


class Share(int):
    """How many of some dice show some of their faces: a decision on the way to what a rule asked."""


class Deciding(Protocol):
    """What decides how dice fall."""

    @property
    def repeats(self) -> bool:
        """Whether what was decided before is decided again."""
        ...

    def decision(self) -> AnyFace:
        """The next decision, which was taken before."""
        ...

    def certain(self, value: V) -> V:
        """Note a decision that could only be taken so."""
        ...

    def ask(self, fall: Fall[V]) -> V:
        """Take a decision in one of these ways."""
        ...

    def give_up(self) -> NoReturn:
        """Say that the rule makes of its numbers what is not understood, so that it is heard whatever the rule does."""
        ...

    def read_twice(self, thrown_at: object) -> NoReturn:
        """Say the same of a handful that is read again, and where it was thrown."""
        ...


@kept_with_odds
@lru_cache(maxsize=512)
def _share(dice: int, faces: int, of: int) -> Ways[int]:
    """How many of so many dice show some of their faces, by the weights of these and of all."""
    return Ways({Share(here): comb(dice, here) * faces**here * (of - faces) ** (dice - here)
                 for here in range(dice + 1)}, of**dice)


@lru_cache(maxsize=16)
def _singly(n: int) -> tuple[tuple[tuple[int, ...], ...], dict[int, int]]:
    """For each of ``n`` dice, what counts it and no other; and the place of each of these, by its identity."""
    units = tuple(tuple(int(at == other) for other in range(n)) for at in range(n))
    return units, {id(unit): at for at, unit in enumerate(units)}


class CannotMerge(Exception):
    """The rule makes of its numbers what a stand-in cannot."""


class ReadTwice(CannotMerge):
    """A handful of which nothing but one sum was to be read is read again."""

    def __init__(self, thrown_at: object) -> None:
        super().__init__()
        self.thrown_at = thrown_at


class _Some(NamedTuple):
    """Some of the dice, and the faces that they may show."""

    faces: frozenset[int]
    dice: int


class Handful:
    """So many dice from the lowest to the highest, as far as anything is known of them."""

    __slots__ = ("_at_most", "_decides", "_parts", "_thrown_at", "alone", "folds", "n", "spent", "units", "weights")

    def __init__(
        self, n: int, weights: Mapping[int, int], decides: Deciding, thrown_at: object = None, folds: bool = True
    ) -> None:
        self.n, self.weights = n, weights
        self.units, self.alone = _singly(n)
        """What counts each die and no other; and the place of each of these, by its identity."""
        self._decides = decides
        self._thrown_at = thrown_at
        self.folds = folds
        """Whether nothing else is to be read of it once it was summed up."""
        self._at_most: dict[int, int] = {}
        """How many dice show no more than a face, where that was asked."""
        self._parts = [_Some(frozenset(weights), n)]
        self.spent = False
        """Whether it is known by a sum of what its faces are worth, and by that alone."""

    def give_up(self) -> NoReturn:
        """Say that every handful would have to be told apart."""
        self._decides.give_up()

    def counted(self, faces: Callable[[int], bool]) -> int:
        """How many dice show such a face, as a rule asks it."""
        decides = self._decides
        if decides.repeats:
            count: int = decides.decision()
            return count
        return decides.certain(self._counted(faces))

    def _counted(self, wanted: Callable[[int], bool]) -> int:
        self.check()
        faces = frozenset(filter(wanted, self.weights))
        parts: list[_Some] = []
        total = 0
        for some in self._parts:
            inside = some.faces & faces
            if not inside or inside == some.faces or not some.dice:
                parts.append(some)
                total += some.dice if inside else 0
                continue
            here = int(self._decides.ask(_share(some.dice, self._weight(inside), self._weight(some.faces))))
            parts += [_Some(inside, here), _Some(some.faces - inside, some.dice - here)]
            total += here
        self._parts = parts
        return total

    def check(self) -> None:
        """Refuse to be read again once it is spent."""
        if self.spent:
            self._decides.read_twice(self._thrown_at)

    def by_counts(self, faces: frozenset[int], step: Callable[[Any, int, int], Any], start: AnyFace) -> AnyFall | None:
        """What a step makes of how many dice show each of some faces, read in turn; None, if that is not known."""
        if len(self._parts) > 1:
            return None
        for face in faces - {*self.weights}:
            start = step(start, face, 0)
        made = of_gathered(self.n, Ways(self.weights, sum(self.weights.values())),
                           lambda so_far, face, count: step(so_far, face, count) if face in faces else so_far, start)
        return made if made.numbers else None

    def are_all(self, units: list[tuple[int, ...] | None]) -> bool:
        """Whether these count each of its dice once."""
        return len(units) == self.n and {*map(id, units)} == {*self.alone}

    def counted_worth(self, each: Mapping[int, int]) -> int:
        """What its dice are worth in all: for each worth but one, it is asked how many there are."""
        *asked, last = sorted({*each.values()}, key=[*each.values()].count)
        counts = {worth: self._counted({face for face in each if each[face] == worth}.__contains__) for worth in asked}
        return sum(worth * count for worth, count in counts.items()) + last * (self.n - sum(counts.values()))

    def worth(self, each: Mapping[int, int]) -> AnyFall:
        """The sums of what its dice are worth by the faces they show."""
        made: AnyFall = Ways({0: 1}, 1)
        for some in self._parts:
            ways: Tallied = {}
            for face in some.faces:
                ways[each[face]] = ways.get(each[face], 0) + self.weights[face]
            made = convolved(made, of_sum(some.dice, Ways(ways, sum(ways.values()))))
        return made

    def _weight(self, faces: frozenset[int]) -> int:
        return sum(self.weights[face] for face in faces)

    def stands(self, at: int, how: Callable[[int, int], bool], limit: int) -> bool:
        """Whether the die at a place from the lowest compares so."""
        if how is le or how is gt:
            return (self._up_to(limit) > at) is (how is le)
        if how is lt or how is ge:
            return (self._up_to(limit - 1) > at) is (how is lt)
        return (self._up_to(limit - 1) <= at < self._up_to(limit)) is (how is eq)

    def _up_to(self, face: int) -> int:
        if face not in self._at_most:
            self._at_most[face] = self._counted(lambda shown: shown <= face)
        return self._at_most[face]

    def spread(self, worth: tuple[int, ...]) -> AnyFall | None:
        """All that a sum of the dice may be, each added so many times; None, if that is not known."""
        self.check()
        parts = sorted(self._parts, key=lambda some: min(some.faces))
        apart = all(max(some.faces) < min(more.faces) for some, more in pairwise(parts))
        if not apart and len({*worth}) > 1:
            return None
        made: AnyFall = Ways({0: 1}, 1)
        begin = 0
        for some in parts:
            sums = _sums(some, self.weights, worth[begin : begin + some.dice])
            if sums is None:
                return None
            made = convolved(made, sums)
            begin += some.dice
        return made


def _sums(some: _Some, weights: Mapping[int, int], worth: tuple[int, ...]) -> AnyFall | None:
    """What dice from the lowest to the highest give, each added so many times."""
    faces = {face: weights[face] for face in sorted(some.faces)}
    die = Ways(faces, sum(faces.values()))
    if len({*worth}) < 2:
        return times(of_sum(some.dice, die), worth[0] if worth else 0)
    kept = sum(map(bool, worth))
    for some_of, those in ((of_highest, worth[-kept:]), (of_lowest, worth[:kept])):
        if len({*those}) == 1 and those[0]:
            return times(some_of(some.dice, die, kept), those[0])
    so_far = [0, *accumulate(worth)]
    if some.dice**2 * sum(map(abs, faces)) * sum(map(abs, worth)) > _MOST_STEPS:
        return None
    rows: dict[int, Tallied] = {0: {0: 1}}  # by how many dice are placed, from the lowest face
    for face, weight in faces.items():
        later: dict[int, Tallied] = {}
        for placed, row in rows.items():
            left = some.dice - placed
            for here in range(left + 1) if face < max(some.faces) else (left,):
                onto = later.setdefault(placed + here, {})
                adds, ways = face * (so_far[placed + here] - so_far[placed]), comb(left, here) * weight**here
                for total, count in row.items():
                    onto[total + adds] = onto.get(total + adds, 0) + count * ways
        rows = later
    return Ways(rows[some.dice], die.total**some.dice)


class Counted:
    """In the place of a pool, of which it is known how many dice show one face."""

    __slots__ = ("_count", "_face", "_misread")
    __class__: Any = property(lambda self: tuple)

    def __init__(self, face: int, count: int) -> None:
        self._face, self._count = face, count
        self._misread = False

    def count(self, face: int) -> int:
        """How many dice show it; nothing is known of other faces."""
        return self._count if face == self._face else self._not_known()

    def _not_known(self, *_: object) -> NoReturn:
        self._misread = True
        raise CannotMerge

    def vouched(self, value: V) -> V:
        """What was made of it, if nothing else was read."""
        return self._not_known() if self._misread else value

    def __contains__(self, face: int) -> bool:
        return self.count(face) > 0


class Pool:
    """What a rule is given of such a handful: faces from the lowest, as of any pool."""

    __slots__ = ("_faces", "handful")
    __class__: Any = property(lambda self: tuple)
    """To a rule that asks, the faces in order."""

    def __init__(self, handful: Handful, faces: tuple[Any, ...]) -> None:
        self.handful = handful
        self._faces = faces

    @property
    def unknowns(self) -> AnyFace:
        """Where its faces are decided."""
        return self._faces[0].unknowns

    def __len__(self) -> int:
        return self.handful.n

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
        return self.handful.counted(lambda shown: shown == face)

    def __contains__(self, face: int) -> bool:
        return self.count(face) > 0

    def index(self, face: int) -> int:
        """The place of the first die that shows a face."""
        if face not in self:
            raise ValueError(face)
        return self.handful.counted(lambda shown: shown < face)


for _name in ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__", "__repr__", "__str__", "__len__",
              "__format__", "__mul__", "__rmul__", "__add__", "__radd__", "__iter__", "__getitem__", "__reversed__",
              "__bool__", "index", "__reduce_ex__", "__copy__", "__deepcopy__"):
    setattr(Counted, _name, Counted._not_known)


def _told_apart(pool: Pool, *_: object) -> NoReturn:
    pool.handful.give_up()


for _name in ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__", "__repr__", "__str__",
              "__format__", "__mul__", "__rmul__", "__reduce_ex__", "__copy__", "__deepcopy__"):
    setattr(Pool, _name, _told_apart)
