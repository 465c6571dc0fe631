"""Best play: the choices of a rule solved for a stated goal.

The whole rule is searched, every choice taking the option that serves the goal best from there on. A rule reached by
``dice.then`` is the rest of the roll, so the goal passes to it unchanged and each of its states is solved once. A
rule reached by ``dice.resolve`` is solved for what its result is worth *afterwards*: every result it may give is first
followed to the end. What can be spent is an argument of the rule (two luck points, no energy), so a budget is stated
by asking.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Any, Generic, NamedTuple, TypeVar

from .odds import Odds, Weighing, _weighed, every_way, remaining
from .protocol import Policy, Refusing, ThrowAgain, certain_policy
from .ways import Fall, Kinds, Take, of_kinds, of_pool, of_sum

T = TypeVar("T", bound=Hashable)
Worth = tuple[int, int]
"""A value as numerator and denominator, never reduced: additions of whole numbers are what the search does most."""


_CERTAIN: Worth = (1, 1)
"""The goal is an event and it has come about: nothing is worth more, so nothing more is searched."""


class _Met(NamedTuple):
    """What a run of the rule met first beyond its path: a throw, a choice, or another rule."""

    fall: Fall | None
    options: tuple[Any, ...] = ()
    usual: Any = None
    rule: Callable[..., Any] | None = None
    args: tuple[Any, ...] = ()
    last: bool = False


class _Stop(Exception):
    pass


class _Searching:
    """Dice that follow a path and stop at the first throw or choice beyond it."""

    __slots__ = ("_at", "_path", "met", "mine")

    def __init__(self, path: tuple[Any, ...], mine: Callable[[str], bool]) -> None:
        self._path = path
        self._at = 0
        self.mine = mine
        self.met: _Met | None = None

    def _followed(self) -> Any:
        self._at += 1
        return self._path[self._at - 1]

    def _stop(self, met: _Met) -> Any:
        self.met = met
        raise _Stop

    def sum(self, n: int, sides: int) -> Any:
        return self._followed() if self._at < len(self._path) else self._stop(_Met(of_sum(n, sides)))

    def pool(self, n: int, sides: int) -> Any:
        return self._followed() if self._at < len(self._path) else self._stop(_Met(of_pool(n, sides)))

    def counts(self, n: int, kinds: Kinds, again: Take | None = None) -> Any:
        return self._followed() if self._at < len(self._path) else self._stop(_Met(of_kinds(n, kinds)))

    def resolve(self, rule: Callable[..., Any], *args: Any) -> Any:
        return self._followed() if self._at < len(self._path) else self._stop(_Met(None, (), None, rule, args))

    def then(self, rule: Callable[..., Any], *args: Any) -> Any:
        return self._followed() if self._at < len(self._path) else self._stop(_Met(None, (), None, rule, args, True))

    def choose(self, who: str, key: str, options: Sequence[Any], usual: Any = None, rule: Refusing = "") -> Any:
        usual = options[0] if usual is None else usual
        if len(options) == 1 or not self.mine(who):
            return usual
        return self._followed() if self._at < len(self._path) else self._stop(_Met(None, tuple(options), usual))

    def of(self, role: str) -> _Searching:
        return self

    def aside(self, kind: str, n: int) -> None:
        return None

    def note(self, rule: str, key: str, **values: Any) -> None:
        return None

    def stream(self, name: str) -> _Searching:
        return self


class _EveryChoice(Weighing):
    """Dice that take every option too, to learn which results a rule may give at all."""

    __slots__ = ("chose", "mine")

    def __init__(self, mine: Callable[[str], bool]) -> None:
        super().__init__(certain_policy)
        self.mine = mine
        self.chose = False

    def choose(self, who: str, key: str, options: Sequence[Any], usual: Any = None, rule: Refusing = "") -> Any:
        if len(options) == 1 or not self.mine(who):
            return options[0] if usual is None else usual
        self.chose = True
        return self._ahead.pop() if self._ahead else self._branch(Fall(tuple(options), (1,) * len(options), 1))

    def resolve(self, rule: Callable[..., Any], *args: Any) -> Any:
        results, chose = _possible(rule, args, self.mine)
        self.chose = self.chose or chose
        return self._ahead.pop() if self._ahead else self._branch(Fall(results, (1,) * len(results), 1))

    then = resolve


@lru_cache(maxsize=4096)
def _possible(
    rule: Callable[..., Any], args: tuple[Any, ...], mine: Callable[[str], bool]
) -> tuple[tuple[Any, ...], bool]:
    """Every result the rule may give whatever is chosen, and whether anything is chosen in it."""
    dice = _EveryChoice(mine)
    results, _ = every_way(rule, dice, args)
    return tuple(result for result in results if result is not ThrowAgain), dice.chose


class _Search:
    """One question: the states already solved for this goal."""

    def __init__(self, worth: Callable[[Any], Worth], mine: Callable[[str], bool]) -> None:
        self.worth = worth
        self.mine = mine
        self.solved: dict[tuple[Any, ...], Worth] = {}
        self.anew: dict[tuple[Any, ...], Worth] = {}
        self.taken: dict[tuple[Any, ...], Any] = {}
        self.inner: dict[tuple[Any, ...], tuple[_Search, tuple[Any, ...]]] = {}
        self.spread: dict[tuple[Any, ...], Odds[Any]] = {}

    def solve(self, rule: Callable[..., Any], args: tuple[Any, ...]) -> Worth:
        key = (rule, args)
        if key not in self.solved:
            value = self._from(rule, args, ())
            while key in self.anew and (judged := self._judged(rule, args)) != self.anew[key]:
                self.anew[key] = judged
                value = self._from(rule, args, ())
            self.solved[key] = value
        return self.solved[key]

    def _judged(self, rule: Callable[..., Any], args: tuple[Any, ...]) -> Worth:
        """What the choices just made are worth when some end in a new throw; they are then made again knowing it."""
        spread = self._odds(rule, args, ())
        stands = remaining(dict(spread.ways), spread.total)
        return _worth(stands.mean(lambda result: Fraction(*self.worth(result))))

    def _run(self, rule: Callable[..., Any], args: tuple[Any, ...], path: tuple[Any, ...]) -> tuple[_Met | None, Any]:
        dice = _Searching(path, self.mine)
        try:
            return None, rule(dice, *args)
        except _Stop:
            return dice.met, None
        except ThrowAgain:
            return None, ThrowAgain

    def _from(self, rule: Callable[..., Any], args: tuple[Any, ...], path: tuple[Any, ...]) -> Worth:
        met, result = self._run(rule, args, path)
        if met is None:
            return self.worth(result) if result is not ThrowAgain else self.anew.setdefault((rule, args), (0, 1))
        if met.options:
            return self._choice(rule, args, path, met)
        if met.rule is None:
            assert met.fall is not None
            return _mean(met.fall, [self._from(rule, args, (*path, value)) for value in met.fall.values])
        if met.last:
            return self.solve(met.rule, met.args)
        return self._rule_within(rule, args, path, met.rule, met.args)

    def _choice(self, rule: Callable[..., Any], args: tuple[Any, ...], path: tuple[Any, ...], met: _Met) -> Worth:
        best, taken = None, met.usual
        for option in (met.usual, *(other for other in met.options if other != met.usual)):
            value = self._from(rule, args, (*path, option))
            if best is None or value[0] * best[1] > best[0] * value[1]:
                best, taken = value, option
            if best is _CERTAIN:
                break
        assert best is not None
        self.taken[rule, args, path] = taken
        return best

    def _rule_within(
        self, rule: Callable[..., Any], args: tuple[Any, ...], path: tuple[Any, ...],
        other: Callable[..., Any], its: tuple[Any, ...],
    ) -> Worth:
        results, chose = _possible(other, its, self.mine)
        if not chose:
            fall = _weighed(other, certain_policy, its).fall
            return _mean(fall, [self._from(rule, args, (*path, value)) for value in fall.values])
        afterwards = {result: self._from(rule, args, (*path, result)) for result in results}
        inner = _Search(afterwards.__getitem__, self.mine)
        self.inner[rule, args, path] = (inner, (other, its))
        return inner.solve(other, its)

    def odds(self, rule: Callable[..., Any], args: tuple[Any, ...]) -> Odds[Any]:
        key = (rule, args)
        if key not in self.spread:
            spread = self._odds(rule, args, ())
            self.spread[key] = remaining(dict(spread.ways), spread.total) if ThrowAgain in spread else spread
        return self.spread[key]

    def _odds(self, rule: Callable[..., Any], args: tuple[Any, ...], path: tuple[Any, ...]) -> Odds[Any]:
        met, result = self._run(rule, args, path)
        if met is None:
            return Odds({result: 1})
        if met.options:
            return self._odds(rule, args, (*path, self.taken[rule, args, path]))
        if met.rule is not None and met.last:
            return self.odds(met.rule, met.args)
        if met.rule is None:
            assert met.fall is not None
            fall = met.fall
        elif (rule, args, path) in self.inner:
            inner, question = self.inner[rule, args, path]
            fall = inner.odds(*question).fall
        else:
            fall = _weighed(met.rule, certain_policy, met.args).fall
        return _mixed(fall, [self._odds(rule, args, (*path, value)) for value in fall.values])


def _mean(fall: Fall, worths: Sequence[Worth]) -> Worth:
    over, under = 0, 1
    for ways, (number, of) in zip(fall.ways, worths, strict=True):
        if of != under:
            common = lcm(under, of)
            over *= common // under
            number *= common // of
            under = common
        over += ways * number
    return over, under * fall.total


def _mixed(fall: Fall, parts: Sequence[Odds[Any]]) -> Odds[Any]:
    common = lcm(*(part.total for part in parts))
    ways: dict[Any, int] = {}
    for count, part in zip(fall.ways, parts, strict=True):
        for result, inside in part.ways.items():
            ways[result] = ways.get(result, 0) + count * inside * (common // part.total)
    return Odds(ways, common * fall.total)


class BestPlay(Generic[T]):
    """A rule played as well as it can be for a goal."""

    def __init__(self, search: _Search, rule: Callable[..., T], args: tuple[Any, ...]) -> None:
        self._search = search
        self._question = (rule, args)
        self.value = Fraction(*search.solve(rule, args))
        """What the goal is worth under best play: a probability when the goal is an event."""

    @property
    def odds(self) -> Odds[T]:
        """The distribution of results when every choice is the best one."""
        return self._search.odds(*self._question)


def best(
    rule: Callable[..., T], *args: Any, goal: Callable[[T], Any], who: Callable[[str], bool] | None = None
) -> BestPlay[T]:
    """Solve the choices of ``rule(dice, *args)`` for the greatest expected ``goal(result)``.

    ``who`` says whose choices are solved (everybody's if left out); the others play the usual way.

    >>> def pair(dice):
    ...     first = dice.sum(1, 6)
    ...     again = dice.choose("initiator", "again", (False, True))
    ...     return dice.sum(1, 6) if again else first
    >>> best(pair, goal=lambda face: face >= 5).value
    Fraction(5, 9)
    """
    search = _Search(lambda result: _worth(goal(result)), who or _everybody)
    return BestPlay(search, rule, args)


def _everybody(who: str) -> bool:
    return True


def _worth(value: Any) -> Worth:
    if value is True:
        return _CERTAIN
    exact = Fraction(value)
    return exact.numerator, exact.denominator


__all__ = ["BestPlay", "Policy", "best"]
