"""Numbers that a rule only adds up and hands back: nothing depends on them, so no branch is run for each.

While a rule is weighed, its throws may give one of these instead of a number. It is added to others, taken from them,
and put into what the rule gives; only then is it spread over all that it may be. Whatever else is done with it
(compared, divided, used as a key, shown) needs the number itself: the rule is then run branch by branch at that throw,
now and whenever it is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from fractions import Fraction
from functools import partial
from itertools import product, repeat
from operator import add, sub
from typing import Any, NoReturn, Protocol, TypeGuard

from .ways import AnyFace, AnyFall, Fall, Kinds, convolved, of_worth, times

Part = tuple[Any, Any]
"""What a throw adds to a number: its fall, and how many times that is added; or its dice with their kinds, and what a
die of each kind is worth."""
Spread = tuple[Mapping[Any, int], int]
"""All that something may be, each with its ways, and how many ways there are in all."""
_PLAIN = frozenset({int, bool, str, float, Fraction, type(None), type})
"""What has nothing in it that is not drawn."""


class Needed(BaseException):
    """The rule depends on a number that was not drawn; no rule catches this by mistake."""

    def __init__(self, dice: object, place: int) -> None:
        self.dice, self.place = dice, place


class Heeding(Protocol):
    """Dice that are told if a number is needed."""

    needed: Needed | None


class Undrawn:
    """A number of which nothing is known but what it is the sum of."""

    __slots__ = ("dice", "more", "parts")
    __class__: Any = property(lambda self: int)
    """To a rule that asks, a whole number."""

    def __init__(self, dice: Heeding, parts: dict[int, Part], more: int = 0) -> None:
        self.dice = dice
        self.parts = parts
        """By the place of each throw in its run."""
        self.more = more

    def __add__(self, other: AnyFace) -> Undrawn:
        if type(other) is int:
            return Undrawn(self.dice, self.parts, self.more + other)
        return self._and(other, add)

    def __sub__(self, other: AnyFace) -> Undrawn:
        if type(other) is int:
            return Undrawn(self.dice, self.parts, self.more - other)
        return self._and(other, sub)

    def _and(self, other: AnyFace, how: Callable[[int, int], int]) -> Undrawn:
        """With another number, added or taken away."""
        if type(other) is not Undrawn or other.dice is not self.dice:
            need(self)
        parts = {**self.parts}
        for place, (of, worth) in other.parts.items():
            had = parts[place][1] if place in parts else None
            if type(worth) is tuple:
                parts[place] = of, tuple(map(how, had or repeat(0), worth))
            else:
                parts[place] = of, how(had or 0, worth)
        return Undrawn(self.dice, parts, how(self.more, other.more))

    def __mul__(self, by: AnyFace) -> Undrawn:
        if type(by) is not int:
            need(self)
        parts = {place: (of, tuple(each * by for each in worth) if type(worth) is tuple else worth * by)
                 for place, (of, worth) in self.parts.items()}
        return Undrawn(self.dice, parts, self.more * by)

    def __neg__(self) -> Undrawn:
        return self * -1

    def __rsub__(self, other: AnyFace) -> Undrawn:
        return self.__neg__().__add__(other)

    __radd__, __rmul__ = __add__, __mul__

    def spread(self, dice: object) -> tuple[dict[Any, int], int]:
        """All that it may be, in a dictionary of its own."""
        sums, more = self.sums(dice), self.more
        if more:
            return {value + more: ways for value, ways in sums.ways.items()}, sums.total
        return {**sums.ways}, sums.total

    def sums(self, dice: object) -> Fall[int]:
        """All that a number of these dice may be, before what is added."""
        if self.dice is not dice:
            need(self)
        sums: AnyFall | None = None
        for of, worth in self.parts.values():
            here = of_worth(*of, worth) if type(worth) is tuple else of if worth == 1 else times(of, worth)
            sums = here if sums is None else convolved(sums, here)
        assert sums is not None
        return sums


def need(number: Undrawn, *_: object) -> NoReturn:
    """Say that the number itself is needed, so that it is heard whatever the rule does."""
    number.dice.needed = needed = Needed(number.dice, max(number.parts))
    raise needed


_ASKED_OF_ALL = {"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__", "__str__", "__repr__",
                 "__format__", "__reduce__", "__reduce_ex__"}
for _name in {*dir(int), "__copy__", "__deepcopy__"} - {*dir(object), *vars(Undrawn)} | _ASKED_OF_ALL:
    setattr(Undrawn, _name, need if callable(getattr(int, _name, need)) else property(need))


def undrawn_counts(dice: Heeding, place: int, n: int, kinds: Kinds) -> tuple[Undrawn, ...]:
    """How many dice of a throw fall in each kind."""
    of = (n, kinds)
    return tuple([Undrawn(dice, {place: (of, worth)}) for worth in kinds.singly])


_TOLD = _PLAIN | {Undrawn}


def spread(result: Any, dice: object, depth: int) -> Spread | None:
    """All that a result may be if it has undrawn numbers in it; None, for one that has none."""
    kind = type(result)
    if kind is Undrawn:
        all_of_it: Spread = result.spread(dice)
        return all_of_it
    if kind in _PLAIN:
        return None
    if not _is_row(result):
        if isinstance(result, Enum):
            return None
        raise Needed(dice, depth)
    if not (_TOLD.issuperset(map(type, result)) or all(type(part) is Undrawn or _is_settled(part) for part in result)):
        raise Needed(dice, depth)
    numbers = {at: part for at, part in enumerate(result) if type(part) is Undrawn}
    if not numbers:
        return None
    if len(numbers) == 1:
        (at, number), = numbers.items()
        sums, parts = number.sums(dice), [*result]
        made: dict[Any, int] = {}
        for value, count in sums.ways.items():
            parts[at] = value + number.more
            made[tuple.__new__(kind, parts)] = count
        return made, sums.total
    throws = [throw for number in numbers.values() for throw in number.parts]
    if len(throws) > len({*throws}):
        raise Needed(dice, depth)
    columns: list[Iterable[object]] = [(part,) for part in result]
    ways, total = [1], 1
    for at, number in numbers.items():
        sums = number.sums(dice)
        columns[at] = [value + number.more for value in sums.ways]
        ways, total = [here * count for here in ways for count in sums.ways.values()], total * sums.total
    rows = product(*columns)
    return dict(zip(rows if kind is tuple else map(partial(tuple.__new__, kind), rows), ways, strict=True)), total


def _is_row(value: object) -> TypeGuard[tuple[object, ...]]:
    """Whether it is a tuple, its parts named or not."""
    return type(value) is tuple or (isinstance(value, tuple) and hasattr(value, "_make"))


def _is_settled(value: object) -> bool:
    """Whether there surely is no undrawn number in it."""
    if type(value) in _PLAIN:
        return True
    return all(map(_is_settled, value)) if _is_row(value) else isinstance(value, Enum)
