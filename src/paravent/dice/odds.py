"""Rules weighed: a rule is re-run along every branch, and the exact distribution of its results comes out.

Ways are whole numbers throughout; probabilities leave as :class:`~fractions.Fraction`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from functools import lru_cache, partial
from math import gcd, lcm
from typing import Any, Generic, Protocol, TypedDict, TypeVar, TypeVarTuple, overload

from .errors import EndlessRule, NoOutcome
from .protocol import Dice, O, Policy, Refusing, ThrowAgain, certain_policy
from .ways import Fall, Kinds, Take, of_kinds, of_pool, of_sum

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)
V = TypeVar("V")
Ts = TypeVarTuple("Ts")
Args = tuple[object, ...]
Number = int | Fraction
Again = type[ThrowAgain]


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


class Odds(Mapping[T, Fraction], Generic[T]):
    """An exact distribution: each result, and in how many ways it comes out of how many.

    >>> two_dice = odds(lambda dice: dice.sum(2, 6))
    >>> two_dice[7]
    Fraction(1, 6)
    >>> two_dice.chance(lambda total: total >= 10)
    Fraction(1, 6)
    >>> two_dice.mean()
    Fraction(7, 1)
    """

    __slots__ = ("total", "ways")

    def __init__(self, ways: Mapping[T, int], total: int | None = None) -> None:
        self.ways: Mapping[T, int] = {result: count for result, count in ways.items() if count}
        """Each result, with its whole number of ways out of :attr:`total`."""
        self.total = sum(self.ways.values()) if total is None else total

    @classmethod
    def _whole(cls, ways: dict[T, int], total: int) -> Odds[T]:
        """The same from a dictionary that is given away and has no empty count."""
        made = cls.__new__(cls)
        made.ways, made.total = ways, total
        return made

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
        return hash(frozenset(self.items()))

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
        return Odds._whole(ways, self.total)

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

    def mean(self, value: Callable[[Any], Number] = lambda result: result) -> Fraction:
        """The expected value of ``value(result)``, the result itself by default."""
        return Fraction(sum(value(result) * ways for result, ways in self.ways.items())) / self.total

    @overload
    def quantile(self: Odds[C], share: Fraction | float) -> C: ...

    @overload
    def quantile(self, share: Fraction | float, value: Callable[[T], C]) -> C: ...

    def quantile(self, share: Fraction | float, value: Callable[[Any], Ordered] = lambda result: result) -> Ordered:
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

        >>> print(odds(lambda dice: dice.sum(1, 6) >= 5).table())
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


def _rank(value: object) -> tuple[Any, ...]:
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


class Rest:
    """What ``dice.then`` gives when weighed: a mark, to be returned as it is."""

    __slots__ = ()

    def __hash__(self) -> int:
        raise TypeError(_MISREAD)


_MISREAD = "what dice.then gives is what the rule gives: return it as it is, or use dice.resolve"
_REST: Any = Rest()


class Weighing:
    """Dice that fall every way in turn; :func:`every_way` re-runs the rule for each."""

    __slots__ = ("_ahead", "_met", "policy", "rest")

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self._ahead: list[Any] = []
        """What the throws of this run give, the next one last; beyond them, new throws branch."""
        self._met: list[Fall[Any]] = []
        """The throws that this run met beyond those."""
        self.rest: Fall[Any] | None = None
        """What the rest of the rule gives, once this run has come to it."""

    def _branch(self, fall: Fall[V]) -> V:
        if self.rest is not None:
            raise TypeError(_MISREAD)
        self._met.append(fall)
        return next(iter(fall.ways))

    def sum(self, n: int, sides: int) -> int:
        return self._ahead.pop() if self._ahead else self._branch(of_sum(n, sides))

    def pool(self, n: int, sides: int) -> tuple[int, ...]:
        return self._ahead.pop() if self._ahead else self._branch(of_pool(n, sides))

    def counts(self, n: int, kinds: Kinds, again: Take | None = None) -> tuple[int, ...]:
        return self._ahead.pop() if self._ahead else self._branch(of_kinds(n, kinds))

    def resolve(self, rule: Callable[[Dice, *Ts], V], *args: *Ts) -> V:
        return self._ahead.pop() if self._ahead else self._branch(self._weighed(rule, args))

    def then(self, rule: Callable[[Dice, *Ts], V], *args: *Ts) -> V:
        rest = self._weighed(rule, args)
        self._branch(rest)
        self.rest = rest
        mark: V = _REST
        return mark

    def _weighed(self, rule: Callable[..., V], args: Args) -> Fall[V]:
        """What another rule can give, weighed by the same policy."""
        return _weighed(rule, self.policy, args)

    def choose(self, who: str, key: str, options: Sequence[O], usual: O | None = None, rule: Refusing = "") -> O:
        if len(options) == 1:
            return options[0]
        taken: O = self.policy(who, key, tuple(options), options[0] if usual is None else usual)
        return taken

    def of(self, role: str) -> Weighing:
        return self

    def aside(self, kind: str, n: int) -> None:
        return None

    def note(self, rule: str, key: str, **values: object) -> None:
        return None

    def stream(self, name: str) -> Weighing:
        return self


def every_way(rule: Callable[..., T], dice: Weighing, args: Args) -> tuple[dict[T | Again, int], int]:
    """Run the rule along every branch: the ways of each result, and how many ways there are in all."""
    run = partial(rule, dice, *args)
    ahead, met = dice._ahead, dice._met
    tally: dict[T | Again, int] = {}
    whole = 1  # a multiple of the number of ways of every branch met so far
    path: list[object] = []  # what this run's throws give, the last one first, as the dice read them
    turning: list[tuple[Iterator[tuple[object, int]], int, int]] = []
    ways = total = 1  # of the branch that the last run followed, and of all its sisters
    result = _run(run)
    while True:
        # The run met new throws: each stands at its first value, and the last will turn first.
        rest = dice.rest
        if rest is not None:
            met.pop()
            dice.rest = None
        for fall in met:
            turns: Iterator[tuple[object, int]] = iter(fall.ways.items())
            total *= fall.total
            turning.append((turns, ways, total))
            value, count = next(turns)
            path.insert(0, value)
            ways *= count
        met.clear()
        parts = total if rest is None else total * rest.total
        if whole % parts:
            whole = _refined(tally, whole, parts) if tally else parts
        ways *= whole // parts
        if rest is None:
            tally[result] = tally.get(result, 0) + ways
        elif result is _REST:
            for final, count in rest.ways.items():
                tally[final] = tally.get(final, 0) + ways * count
        else:
            raise TypeError(_MISREAD)
        while turning:
            turns, before, total = turning[-1]
            scale = before * (whole // total)
            for value, count in turns:
                path[0] = value
                ahead += path
                try:
                    result = run()
                except ThrowAgain:
                    result = ThrowAgain
                if met:
                    ways = before * count
                    break
                tally[result] = tally.get(result, 0) + scale * count
            else:
                turning.pop()
                del path[0]
                continue
            break
        else:
            return tally, whole


def _refined(tally: dict[V, int], whole: int, parts: int) -> int:
    """Count in smaller parts, so that a branch of so many parts is a whole number of them too."""
    finer = lcm(whole, parts)
    for result in tally:
        tally[result] *= finer // whole
    return finer


def _run(run: Callable[[], T]) -> T | Again:
    try:
        return run()
    except ThrowAgain:
        return ThrowAgain


def remaining(tally: dict[T | Again, int], whole: int) -> tuple[dict[T, int], int]:
    """What stands, out of how much: when some ways are thrown again, the others are the whole."""
    lost = tally.pop(ThrowAgain, 0)
    ways: dict[T, int] = tally  # type: ignore[assignment]
    if not lost:
        return ways, whole
    if not ways:
        raise EndlessRule(rule="ThrowAgain")
    shrink = gcd(*ways.values())
    return {result: count // shrink for result, count in ways.items()}, (whole - lost) // shrink


def weigh(rule: Callable[..., T], policy: Policy, args: Args) -> Odds[T]:
    """Weigh a rule without keeping the answer (those of the rules it resolves are kept)."""
    return Odds._whole(*remaining(*every_way(rule, Weighing(policy), args)))


class Cached(Protocol):
    """A function that keeps its answers."""

    def cache_clear(self) -> None:
        """Forget them."""
        ...


K = TypeVar("K", bound=Cached)
_kept: list[Cached] = []


def kept_with_odds(function: K) -> K:
    """Have the answers that a function keeps forgotten when odds are: they were worked out from odds."""
    _kept.append(function)
    return function


_weighed = kept_with_odds(lru_cache(maxsize=16384)(weigh))


def odds(rule: Callable[[Dice, *Ts], T], *args: *Ts, policy: Policy = certain_policy) -> Odds[T]:
    """The exact distribution of ``rule(dice, *args)``; ``policy`` answers its choices, the usual way if left out.

    >>> from paravent.dice import odds
    >>> def kept(dice, score):
    ...     return sum(face <= score for face in dice.pool(3, 6))
    >>> odds(kept, 5)[3]
    Fraction(125, 216)
    """
    try:
        return _weighed(rule, policy, args)
    except RecursionError:
        raise EndlessRule(rule=getattr(rule, "__name__", str(rule))) from None


def forget_odds() -> None:
    """Forget every answer: the next questions are weighed anew."""
    for function in _kept:
        function.cache_clear()
