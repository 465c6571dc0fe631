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
from typing import Any, Generic, NamedTuple, NoReturn, TypeVar, TypeVarTuple

from .distribution import AnyOdds
from .errors import AbsurdDice
from .odds import (
    Args,
    Odds,
    Weighing,
    _weighed,
    every_way,
    heeding_changes,
    kept_with_odds,
    remaining,
    stopped,
    unsteady,
)
from .protocol import Dice, O, Policy, Refusing, ThrowAgain, certain_policy
from .ways import AnyFace, AnyFall, FacesTold, Fall, Tallied, Ways, results_by_rank

T = TypeVar("T", bound=Hashable)
V = TypeVar("V")
Ts = TypeVarTuple("Ts")
Mine = Callable[[str], bool]
"""Whether a role's choices are solved."""
Worth = tuple[int, int]
"""A value as numerator and denominator, never reduced: additions of whole numbers are what the search does most."""


_CERTAIN: Worth = (1, 1)
"""The goal is an event and it has come about: nothing is worth more, so nothing more is searched."""


class _Question(NamedTuple):
    """A rule, and what it is asked on."""

    rule: Callable[..., Hashable]
    args: Args


class _Place(NamedTuple):
    """How far a rule has come: the throws, choices and other rules passed."""

    question: _Question
    path: tuple[object, ...] = ()

    def after(self, value: object) -> _Place:
        """One step further, where this came of it."""
        return _Place(self.question, (*self.path, value))


class _Throw(NamedTuple):
    """Dice are thrown."""

    fall: AnyFall


class _Fork(NamedTuple):
    """Somebody chooses."""

    options: tuple[Hashable, ...]
    usual: Hashable


class _Within(NamedTuple):
    """Another rule is run; ``last``, when what it gives is the end."""

    question: _Question
    last: bool


_Met = _Throw | _Fork | _Within


class _Stop(BaseException):
    """The rule has come to what lies beyond its path; what it does on its way out does not matter."""


class _Searching(Weighing):
    """Dice that follow a path and stop at whatever lies beyond it."""

    __slots__ = ("fault", "met", "mine")

    def __init__(self, path: tuple[object, ...], mine: Mine) -> None:
        super().__init__(certain_policy)
        self._ahead = list(reversed(path))
        self.mine = mine
        self.met: _Met | None = None
        """What lies beyond."""
        self.fault: Exception | None = None
        """What a throw raised."""

    def _tried(self, of: Callable[..., Fall[V]], *args: object) -> V:
        try:
            return self._branch(of(*args))
        except Exception as fault:
            self.fault = self.fault or fault
            raise

    def check(self, rule: Callable[..., object]) -> None:
        """A rule that goes on where a throw raises is not searched: what was raised is raised."""
        if self.fault is not None:
            raise self.fault
        if self._ahead:
            raise unsteady(rule)

    def _stop(self, met: _Met) -> NoReturn:
        self.met = self.met or met
        raise _Stop

    def _branch(self, fall: Fall[V]) -> V:
        self._stop(_Throw(fall))

    def resolve(self, rule: Callable[[Dice, *Ts], V], *args: *Ts) -> V:
        if not self._ahead:
            self._stop(_Within(_Question(rule, args), last=False))
        given: V = self._ahead.pop()
        return given

    def then(self, rule: Callable[[Dice, *Ts], V], *args: *Ts) -> V:
        self._stop(_Within(_Question(rule, args), last=True))

    def repeat(self, n: int, rule: Callable[[Dice, *Ts], V], *args: *Ts) -> AnyFace:
        return self._each_solved(_added_up, n, 0, rule, args) if self._chooses(rule, args) else super().repeat(
            n, rule, *args)

    def highest_of(self, n: int, keep: int, rule: Callable[[Dice, *Ts], V], *args: *Ts) -> AnyFace:
        return self._each_solved(_highest, n, keep, rule, args) if self._chooses(rule, args) else super().highest_of(
            n, keep, rule, *args)

    def lowest_of(self, n: int, keep: int, rule: Callable[[Dice, *Ts], V], *args: *Ts) -> AnyFace:
        return self._each_solved(_lowest, n, keep, rule, args) if self._chooses(rule, args) else super().lowest_of(
            n, keep, rule, *args)

    def _chooses(self, rule: Callable[..., V], args: Args) -> bool:
        """Whether there is something to be solved in a rule."""
        try:
            return _possible(self.mine, rule, *args)[1]
        except Exception as fault:
            self.fault = self.fault or fault
            raise

    def _each_solved(self, reading: Reading, n: int, keep: int, rule: Callable[..., V], args: Args) -> AnyFace:
        """What several runs of a rule come to in which something is chosen: one after the other, as they are played."""
        if not 0 <= keep <= n:
            raise AbsurdDice(n=keep or n, sides=1)
        return self.resolve(_one_by_one, n, (), reading, keep, rule, args)

    def choose(
        self, who: str, key: str, options: Sequence[O], usual: O | None = None, rule: Refusing = "", **values: object
    ) -> O:
        usual = options[0] if usual is None else usual
        if len(options) == 1 or not self.mine(who):
            return usual
        if not self._ahead:
            self._stop(_Fork(tuple(options), usual))
        taken: O = self._ahead.pop()
        return taken


Reading = Callable[[FacesTold, int], FacesTold]
"""What is kept of some results, and of how many at most."""


def _added_up(results: FacesTold, keep: int) -> FacesTold:
    return (sum(results),)


def _highest(results: FacesTold, keep: int) -> FacesTold:
    return tuple(results_by_rank(results)[max(0, len(results) - keep) :])


def _lowest(results: FacesTold, keep: int) -> FacesTold:
    return tuple(results_by_rank(results)[:keep])


def _one_by_one(
    dice: Dice, left: int, so_far: FacesTold, reading: Reading, keep: int, rule: Callable[..., AnyFace], args: Args
) -> AnyFace:
    """The results of a rule that are left, after those that there are; of these only what counts in the end."""
    if not left:
        return so_far[0] if len(so_far) == 1 else sum(so_far)
    results = reading((*so_far, dice.resolve(rule, *args)), keep)
    return dice.then(_one_by_one, left - 1, results, reading, keep, rule, args)


class _EveryChoice(Weighing):
    """Dice that take every option too, to learn which results a rule may give at all."""

    __slots__ = ("chose", "mine")

    def __init__(self, mine: Mine) -> None:
        super().__init__(certain_policy)
        self.mine = mine
        self.chose = False

    def choose(
        self, who: str, key: str, options: Sequence[O], usual: O | None = None, rule: Refusing = "", **values: object
    ) -> O:
        if len(options) == 1 or not self.mine(who):
            return options[0] if usual is None else usual
        self.chose = True
        return self._ahead.pop() if self._ahead else self._branch(Ways(dict.fromkeys(options, 1), 1))

    def _weighed(self, rule: Callable[..., V], args: Args) -> Fall[V]:
        results, chose = _possible(self.mine, rule, *args)
        self.chose = self.chose or chose
        return Ways(dict.fromkeys(results, 1), 1)


@kept_with_odds
@lru_cache(maxsize=4096, typed=True)
def _possible(mine: Mine, rule: Callable[..., V], *args: object) -> tuple[FacesTold, bool]:
    """Every result the rule may give whatever is chosen, and whether anything is chosen in it."""
    dice = _EveryChoice(mine)
    results, _ = every_way(rule, dice, args)
    return tuple(result for result in results if result is not ThrowAgain), dice.chose


class _Search:
    """One question: the states already solved for this goal."""

    def __init__(self, worth: Callable[[Any], Worth], mine: Mine) -> None:
        self.worth = worth
        self.mine = mine
        self.solved: dict[_Question, Worth] = {}
        self.anew: dict[_Question, Worth] = {}
        self.taken: dict[_Place, Hashable] = {}
        self.inner: dict[_Place, _Search] = {}
        self.spread: dict[_Question, AnyOdds] = {}

    def solve(self, question: _Question) -> Worth:
        if question not in self.solved:
            value = self._from(_Place(question))
            while question in self.anew and (judged := self._judged(question)) != self.anew[question]:
                self.anew[question] = judged
                value = self._from(_Place(question))
            self.solved[question] = value
        return self.solved[question]

    def _judged(self, question: _Question) -> Worth:
        """What the choices just made are worth when some end in a new throw; they are then made again knowing it."""
        spread = self._odds(_Place(question))
        stands = Odds(*remaining(dict(spread.ways), spread.total, question.rule))
        return _worth(stands.mean(lambda result: Fraction(*self.worth(result))))

    def _run(self, place: _Place) -> _Met | Any:
        """What the rule meets next, or what it gives."""
        (rule, args), path = place
        dice = _Searching(path, self.mine)
        try:
            given: Any = rule(dice, *args)
        except _Stop:
            given = None
        except ThrowAgain:
            given = ThrowAgain
        dice.check(rule)
        return dice.met or given

    def _from(self, place: _Place) -> Worth:
        met = self._run(place)
        if isinstance(met, _Fork):
            return self._choice(place, met)
        if isinstance(met, _Throw):
            return self._mean(place, met.fall)
        if isinstance(met, _Within):
            return self.solve(met.question) if met.last else self._within(place, met.question)
        return self.worth(met) if met is not ThrowAgain else self.anew.setdefault(place.question, (0, 1))

    def _choice(self, place: _Place, met: _Fork) -> Worth:
        taken, best = met.usual, self._from(place.after(met.usual))
        for option in met.options:
            if best is _CERTAIN:
                break
            value = self._from(place.after(option)) if option != met.usual else best
            if value[0] * best[1] > best[0] * value[1]:
                taken, best = option, value
        self.taken[place] = taken
        return best

    def _within(self, place: _Place, other: _Question) -> Worth:
        results, chose = _possible(self.mine, other.rule, *other.args)
        if not chose:
            return self._mean(place, _weighed(other.rule, certain_policy, *other.args))
        afterwards = {result: self._from(place.after(result)) for result in results}
        inner = self.inner[place] = _Search(afterwards.__getitem__, self.mine)
        return inner.solve(other)

    def odds(self, question: _Question) -> AnyOdds:
        if question not in self.spread:
            spread = self._odds(_Place(question))
            self.spread[question] = Odds(*remaining(dict(spread.ways), spread.total, question.rule))
        return self.spread[question]

    def _odds(self, place: _Place) -> AnyOdds:
        met = self._run(place)
        if isinstance(met, _Fork):
            return self._odds(place.after(self.taken[place]))
        if isinstance(met, _Throw):
            return self._spread(place, met.fall)
        if not isinstance(met, _Within):
            return Odds({met: 1})
        if met.last:
            return self.odds(met.question)
        if place in self.inner:
            return self._spread(place, self.inner[place].odds(met.question))
        return self._spread(place, _weighed(met.question.rule, certain_policy, *met.question.args))

    def _mean(self, place: _Place, fall: AnyFall) -> Worth:
        """What the end is worth, over all that may fall here."""
        over, under = 0, 1
        for value, ways in fall.ways.items():
            number, of = self._from(place.after(value))
            if of != under:
                common = lcm(under, of)
                over *= common // under
                number *= common // of
                under = common
            over += ways * number
        return over, under * fall.total

    def _spread(self, place: _Place, fall: AnyFall) -> AnyOdds:
        """The odds of the end, over all that may fall here."""
        parts = [(count, self._odds(place.after(value))) for value, count in fall.ways.items()]
        common = lcm(*(part.total for _, part in parts))
        ways: Tallied = {}
        for count, part in parts:
            for result, inside in part.ways.items():
                ways[result] = ways.get(result, 0) + count * inside * (common // part.total)
        return Odds(ways, common * fall.total)


class BestPlay(Generic[T]):
    """A rule played as well as it can be for a goal."""

    def __init__(self, search: _Search, rule: Callable[..., T], args: Args) -> None:
        self._search = search
        self._question = _Question(rule, args)
        self.value = Fraction(*search.solve(self._question))
        """What the goal is worth under best play: a probability when the goal is an event."""

    @property
    def odds(self) -> Odds[T]:
        """The distribution of results when every choice is the best one."""
        return self._search.odds(self._question)


def best(
    rule: Callable[[Dice, *Ts], T], *args: *Ts, goal: Callable[[T], object], who: Mine | None = None
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
    with heeding_changes(rule, args):
        try:
            return BestPlay(search, rule, args)
        except RecursionError:
            raise stopped(rule, 1) from None


def _everybody(who: str) -> bool:
    return True


def _worth(value: Any) -> Worth:
    if value is True:
        return _CERTAIN
    exact = Fraction(value)
    return exact.numerator, exact.denominator


__all__ = ["BestPlay", "Policy", "best"]
