"""An exact distribution: each result with its whole number of ways, and what can be done with it.

Two distributions in one expression are independent: ``a + b`` throws both, ``a > b`` compares them, ``a * 3`` triples
one result. Probabilities leave as :class:`~fractions.Fraction`.
"""

from __future__ import annotations

import math
import secrets
from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterator, Mapping
from enum import Enum
from fractions import Fraction
from itertools import accumulate
from operator import add, eq, floordiv, ge, gt, le, lt, mod, mul
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypedDict, TypeVar, overload

from .errors import AbsurdDice, NoOutcome, NotAPrecision
from .ways import (
    MOST_SIDES,
    AnyFace,
    AnyFall,
    FacesTold,
    convolved,
    in_order,
    of_faces,
    of_gathered,
    of_highest,
    of_lowest,
    of_sum,
    whole_numbers,
)

if TYPE_CHECKING:
    from .play import PlayedDice

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)
Number = int | Fraction
PRECISION = Fraction(1, 10**12)
"""How little may be left out of what has no end."""


class Ordered(Hashable, Protocol):
    """What can be sorted."""

    def __lt__(self, other: Any, /) -> bool:
        """Whether it comes before another of its kind."""
        ...


N = TypeVar("N", bound=Number)
C = TypeVar("C", bound=Ordered)


class OddsLine(TypedDict):
    """One result of a distribution, as files and the wire carry it: an exact fraction in a string, and a float."""

    result: object
    chance: str
    probability: float


_NOTHING = Fraction(0)


class Odds(Mapping[T, Fraction], Generic[T]):
    """An exact distribution: each result, and in how many ways it comes out of how many.

    >>> from paravent.dice import d
    >>> two_dice = d("2d6")
    >>> two_dice[7]
    Fraction(1, 6)
    >>> two_dice.chance(lambda total: total >= 10)
    Fraction(1, 6)
    >>> two_dice.mean()
    Fraction(7, 1)
    """

    __slots__ = ("_hash", "_numbers", "missed", "total", "ways")

    def __init__(self, ways: Mapping[T, int], total: int | None = None, missed: Fraction = _NOTHING) -> None:
        self.ways: Mapping[T, int] = {result: count for result, count in ways.items() if count}
        """Each result, with its whole number of ways out of :attr:`total`."""
        self.total = sum(self.ways.values()) if total is None else total
        self.missed = missed
        """Up to how much any probability may be off: nothing, unless a precision was asked for."""

    @classmethod
    def _whole(cls, ways: dict[T, int], total: int, missed: Fraction = _NOTHING) -> Odds[T]:
        """The same from a dictionary that is given away and has no empty count."""
        made = cls.__new__(cls)
        made.ways, made.total, made.missed = ways, total, missed
        return made

    @property
    def numbers(self) -> bool:
        """Whether every result is a plain whole number."""
        found: bool | None = getattr(self, "_numbers", None)
        if found is None:
            found = self._numbers = {*map(type, self.ways)} == {int}
        return found

    def __bool__(self) -> bool:
        if all(result is True or result is False for result in self.ways):
            raise TypeError("whether something holds has odds: ask odds[True], or odds.chance(bool)")
        return True

    def __getitem__(self, result: T) -> Fraction:
        return Fraction(self.ways.get(result, 0), self.total)

    def __iter__(self) -> Iterator[T]:
        return iter(self.ways)

    def __len__(self) -> int:
        return len(self.ways)

    def __contains__(self, result: object) -> bool:
        return result in self.ways

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Odds) or self.ways.keys() != other.ways.keys():
            return False
        return all(ways * other.total == other.ways[r] * self.total for r, ways in self.ways.items())

    def __hash__(self) -> int:
        found: int | None = getattr(self, "_hash", None)
        if found is None:
            ordered = whole_numbers(self.ways) or in_order(self.ways) != [*self.ways]
            found = self._hash = hash(frozenset(self.items()) if ordered else tuple(self.items()))
        return found

    def __repr__(self) -> str:
        shown = ", ".join(f"{result!r}: {ways}" for result, ways in list(self.ways.items())[:8])
        return f"Odds({{{shown}{', …' if len(self) > 8 else ''}}}, total={self.total})"

    def chance(self, event: Callable[[T], object]) -> Fraction:
        """The probability that the result satisfies ``event``."""
        return Fraction(sum(ways for result, ways in self.ways.items() if event(result)), self.total)

    def map(self, change: Callable[[T], U]) -> Odds[U]:
        """The distribution of ``change(result)``, equal values merged."""
        ways: dict[U, int] = {}
        for result, count in self.ways.items():
            value = change(result)
            ways[value] = ways.get(value, 0) + count
        return Odds._whole(ways, self.total, self.missed)

    # --- Two of them, or one and a number

    def with_(self, other: AnyOdds | Any, what: Callable[[T, Any], U]) -> Odds[U]:
        """The distribution of ``what(mine, theirs)``, the two being independent; a plain value stands for itself.

        >>> from paravent.dice import d
        >>> d(6).with_(d(6), max)[6]
        Fraction(11, 36)
        """
        if not isinstance(other, Odds):
            return self.map(lambda mine: what(mine, other))
        ways: dict[U, int] = {}
        for mine, count in self.ways.items():
            for theirs, again in other.ways.items():
                value = what(mine, theirs)
                ways[value] = ways.get(value, 0) + count * again
        return Odds._whole(ways, self.total * other.total, self.missed + other.missed)

    def __add__(self, other: AnyOdds | Number) -> AnyOdds:
        if not isinstance(other, Odds):
            return self.with_(other, add)
        both = convolved(self, other)
        return Odds._whole(dict(both.ways), both.total, self.missed + other.missed)

    __radd__ = __add__

    def __neg__(self) -> AnyOdds:
        return self.with_(-1, mul)

    def __sub__(self, other: AnyOdds | Number) -> AnyOdds:
        return self + -other

    def __rsub__(self, other: Number) -> AnyOdds:
        return -self + other

    def __mul__(self, other: AnyOdds | Number) -> AnyOdds:
        """The product of the results: ``odds * 3`` triples one result; for three of them, ``odds.repeat(3)``."""
        return self.with_(other, mul)

    __rmul__ = __mul__

    def __floordiv__(self, other: AnyOdds | Number) -> AnyOdds:
        return self.with_(other, floordiv)

    def __mod__(self, other: AnyOdds | Number) -> AnyOdds:
        return self.with_(other, mod)

    def __abs__(self) -> AnyOdds:
        return self.with_(None, _size)

    def __lt__(self, other: AnyOdds | Number) -> Odds[bool]:
        return self._against(other, lt)

    def __le__(self, other: AnyOdds | Number) -> Odds[bool]:
        return self._against(other, le)

    def __gt__(self, other: AnyOdds | Number) -> Odds[bool]:
        return self._against(other, gt)

    def __ge__(self, other: AnyOdds | Number) -> Odds[bool]:
        return self._against(other, ge)

    def same(self, other: AnyOdds | T) -> Odds[bool]:
        """Whether both give the same result; ``==`` asks whether two distributions are the same."""
        if not isinstance(other, Odds):
            return self.with_(other, eq)
        equal = sum(ways * other.ways.get(result, 0) for result, ways in self.ways.items())
        return _either(equal, self.total * other.total, self.missed + other.missed)

    def _against(self, other: Any, how: Callable[[AnyFace, AnyFace], bool]) -> Odds[bool]:
        if not isinstance(other, Odds) or not whole_numbers(self.ways) or not whole_numbers(other.ways):
            return self.with_(other, how)
        theirs = sorted(other.ways.items())
        strictly = how in (gt, le)  # of theirs, those below mine; or those below or equal
        below = at = beats = 0
        for mine, ways in sorted(self.ways.items()):
            while at < len(theirs) and (theirs[at][0] < mine if strictly else theirs[at][0] <= mine):
                below += theirs[at][1]
                at += 1
            beats += ways * below
        whole = self.total * other.total
        return _either(beats if how in (gt, ge) else whole - beats, whole, self.missed + other.missed)

    # --- Several of them

    def repeat(self, n: int) -> AnyOdds:
        """The sum of ``n`` independent results; ``3 @ odds`` says the same.

        >>> from paravent.dice import d
        >>> d(6).repeat(3)[18]
        Fraction(1, 216)
        """
        return self._several(of_sum(n, self), n)

    __rmatmul__ = repeat

    def highest(self, n: int, keep: int = 1) -> AnyOdds:
        """The sum of the ``keep`` highest of ``n`` independent results; the result itself, if one is kept."""
        return self._several(of_highest(n, self, keep), n)

    def lowest(self, n: int, keep: int = 1) -> AnyOdds:
        """The sum of the ``keep`` lowest of ``n`` independent results; the result itself, if one is kept."""
        return self._several(of_lowest(n, self, keep), n)

    def handful(self, n: int) -> Odds[tuple[T, ...]]:
        """``n`` independent results together, in order from the lowest."""
        return self._several(of_faces(n, self), n)

    def gather(self, n: int, step: Callable[[U, T, int], U], start: U) -> Odds[U]:
        """What ``step(state, result, how many)`` makes of ``n`` independent results, read from the lowest.

        Equal states merge as they go, so that a pool of a hundred dice is read in no time.

        >>> from paravent.dice import d
        >>> def largest_set(most, face, count):
        ...     return max(most, count)
        >>> d(6).gather(5, largest_set, 0)[5]
        Fraction(1, 1296)
        """
        # Nobody looks whether what a step looks up is still what it was: no answer is kept.
        return self._several(of_gathered.__wrapped__(n, self, step, start), n)

    def _several(self, fall: AnyFall, n: int) -> AnyOdds:
        return Odds(fall.ways, fall.total, n * self.missed)

    def explode(self, on: Callable[[T], object] | None = None, within: Fraction | float = PRECISION) -> AnyOdds:
        """The sum when some results (the highest, if left out) are thrown again and added, without end.

        What would go on with a chance of at most ``within`` is left out, and :attr:`missed` says how much that was.

        >>> from paravent.dice import d
        >>> exploding = d(6).explode()
        >>> float(round(exploding.mean(), 6)), exploding.missed < Fraction(1, 10**12)
        (4.2, True)
        """
        if not 0 < within < 1:
            raise NotAPrecision(got=within)
        top = in_order(self.ways)[-1]
        again = {result: ways for result, ways in self.ways.items() if (result == top if on is None else on(result))}
        share = Fraction(sum(again.values()), self.total)
        if share == 1:
            raise NoOutcome(event="explode")
        ends = Odds({result: ways for result, ways in self.ways.items() if result not in again}, self.total)
        onward = Odds(again, self.total)
        made, so_far, missed = ends, onward, share
        while missed > within:
            made = _added(made, so_far + ends)
            so_far, missed = so_far + onward, missed * share
        return Odds(made.ways, None, missed + self.missed)

    def given(self, event: Callable[[T], object]) -> Odds[T]:
        """The distribution once it is known that ``event`` holds."""
        kept = {result: ways for result, ways in self.ways.items() if event(result)}
        if not kept:
            raise NoOutcome(event=getattr(event, "__name__", "event"))
        return Odds(kept)

    @overload
    def mean(self: Odds[N]) -> Fraction: ...

    @overload
    def mean(self, value: Callable[[T], Number]) -> Fraction: ...

    def mean(self, value: Callable[[AnyFace], Number] = lambda result: result) -> Fraction:
        """The expected value of ``value(result)``, the result itself by default."""
        return Fraction(sum(value(result) * ways for result, ways in self.ways.items())) / self.total

    def variance(self, value: Callable[[AnyFace], Number] = lambda result: result) -> Fraction:
        """The mean square of how far ``value(result)`` is from its mean."""
        return self.mean(lambda result: value(result) ** 2) - self.mean(value) ** 2

    def deviation(self, value: Callable[[AnyFace], Number] = lambda result: result) -> float:
        """The standard deviation, the square root of the variance.

        >>> from paravent.dice import d
        >>> round(d("2d6").deviation(), 3)
        2.415
        """
        return math.sqrt(self.variance(value))

    def sample(self, n: int, dice: PlayedDice | None = None) -> list[T]:
        """``n`` results drawn; by the operating system's chance, or from given dice (``SeededDice(7)``)."""
        drawn: list[T] = []
        steps = list(accumulate(self.ways.values()))
        results = list(self.ways)
        if n < 0:
            raise AbsurdDice(n=n, sides=self.total)
        for _ in range(n):
            at = secrets.randbelow(steps[-1]) + 1 if dice is None else _thrown(dice, steps[-1])
            drawn.append(results[bisect_left(steps, at)])
        return drawn

    @overload
    def quantile(self: Odds[C], share: Fraction | float) -> C: ...

    @overload
    def quantile(self, share: Fraction | float, value: Callable[[T], C]) -> C: ...

    def quantile(self, share: Fraction | float, value: Callable[[AnyFace], Ordered] = lambda result: result) -> Ordered:
        """The smallest value that the result does not exceed with probability at least ``share``."""
        wanted = Fraction(share) * self.total
        seen = 0
        for at, ways in sorted(self.map(value).ways.items()):
            seen += ways
            if seen >= wanted:
                return at
        raise NoOutcome(event=f"quantile {share}")

    def ordered(self) -> list[tuple[T, Fraction]]:
        """Results with their probabilities, sorted: enumerations as they are declared, mixtures kind by kind."""
        try:
            results = sorted(self.ways)  # type: ignore[type-var]
        except TypeError:
            results = sorted(self.ways, key=_rank)
        return [(result, self[result]) for result in results]

    def table(self, label: Callable[[T], str] = str) -> str:
        """The distribution as lines of text: each result, its ways out of all, its share.

        >>> from paravent.dice import d
        >>> print((d(6) >= 5).table())
        False  4/6   66.7%
        True   2/6   33.3%
        """
        rows = [(label(result), f"{self.ways[result]}/{self.total}", chance) for result, chance in self.ordered()]
        name_width = max((len(name) for name, _, _ in rows), default=0)
        ways_width = max((len(ways) for _, ways, _ in rows), default=0)
        return "\n".join(
            f"{name:<{name_width}}  {ways:>{ways_width}}  {float(chance):6.1%}" for name, ways, chance in rows
        )

    def bars(self, label: Callable[[T], str] = str, width: int = 30) -> str:
        """The distribution as lines of text, one bar a result."""
        rows = [(label(result), chance) for result, chance in self.ordered()]
        widest = max((len(name) for name, _ in rows), default=0)
        highest = max((chance for _, chance in rows), default=Fraction(1))
        return "\n".join(
            f"{name:<{widest}}  {float(chance):6.1%}  {'█' * max(1, round(width * chance / highest))}"
            for name, chance in rows
        )

    def to_json(self, label: Callable[[T], object] = str) -> list[OddsLine]:
        """A line for each result, sorted."""
        return [
            {"result": label(result), "chance": fraction_text(chance), "probability": float(chance)}
            for result, chance in self.ordered()
        ]


def _thrown(dice: PlayedDice, sides: int) -> int:
    """A die of any number of sides: bits are thrown until they show one of them."""
    if sides <= MOST_SIDES:
        return dice.sum(1, sides)
    bits = (sides - 1).bit_length()
    while True:
        face = 0
        for left in range(bits, 0, -32):
            size = min(left, 32)
            face = (face << size) + dice.sum(1, 1 << size) - 1
        if face < sides:
            return face + 1


def _size(value: Any, _: None) -> Any:
    return abs(value)


def _either(yes: int, whole: int, missed: Fraction) -> Odds[bool]:
    return Odds({False: whole - yes, True: yes}, whole, missed)


def _added(one: AnyOdds, other: AnyOdds) -> AnyOdds:
    """Two parts of one distribution together, each counted out of its own total."""
    whole = math.lcm(one.total, other.total)
    ways = {result: count * (whole // one.total) for result, count in one.ways.items()}
    for result, count in other.ways.items():
        ways[result] = ways.get(result, 0) + count * (whole // other.total)
    return Odds._whole(ways, whole)


def _rank(value: object) -> FacesTold:
    """A place in the order of results that do not compare by themselves."""
    if value is None:
        return (0,)
    if isinstance(value, (int, Fraction, float)) and not isinstance(value, Enum):
        return (1, value)
    if isinstance(value, Enum):
        return (2, type(value).__name__, list(type(value)).index(value))
    if isinstance(value, tuple):
        return (3, tuple(_rank(part) for part in value))
    return (4, str(value))


def fraction_text(value: Fraction) -> str:
    """A fraction as the interface and files write it: ``125/216``, ``1``, ``0``.

    >>> fraction_text(Fraction(125, 216))
    '125/216'
    """
    return str(value)


AnyOdds = Odds[Any]
"""The odds of whatever comes of a rule."""
