"""Rules weighed: a rule is re-run along every branch, and the exact distribution of its results comes out.

Ways are whole numbers throughout; probabilities leave as :class:`~fractions.Fraction`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache
from math import gcd, inf, lcm
from os.path import basename
from random import Random
from traceback import walk_tb
from types import FrameType
from typing import Any, TypeVar, TypeVarTuple

from .distribution import Number, Odds, OddsLine, Ordered, fraction_text
from .errors import AbsurdDice, DiceError, EndlessRule, NotAPrecision, NotKept, TooManyBranches, TooWide, Unsteady
from .kept import forget_odds, kept_with_odds
from .outside import heed, note
from .play import PlayedDice
from .protocol import Dice, O, Policy, Refusing, ThrowAgain, certain_policy
from .reach import asks_for_types
from .undrawn import Needed, Spread, Undrawn, spread, undrawn_counts
from .ways import (
    WIDEST,
    AnyFace,
    AnyFall,
    Deck,
    FacesTold,
    Fall,
    Kinds,
    Step,
    Take,
    Ways,
    handfuls,
    highest_results,
    lowest_results,
    of_faces,
    of_gathered,
    of_hand,
    of_highest,
    of_kinds,
    of_lowest,
    of_pool,
    of_sum,
    tallies,
)

T = TypeVar("T", bound=Hashable)
S = TypeVar("S", bound=Hashable)
V = TypeVar("V")
Ts = TypeVarTuple("Ts")
Args = tuple[object, ...]
Again = type[ThrowAgain]
DEEPEST = 1000
"""Throws in one run of a rule: one that goes beyond never ends."""


def _where(rule: Callable[..., object]) -> dict[str, Any]:
    """The name of a rule, its file and its line: where it throws, if it is running."""
    code = getattr(rule, "__code__", None)
    file, line = (code.co_filename, code.co_firstlineno) if code is not None else ("", 0)
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_code is not code:
        frame = frame.f_back
    line = line if frame is None else frame.f_lineno
    return {"rule": getattr(rule, "__name__", type(rule).__name__), "file": basename(file), "line": line}


def stopped(rule: Callable[..., object], depth: int, error: type[EndlessRule] = EndlessRule) -> EndlessRule:
    """The error for a rule that goes on for ever, and how deep it was."""
    return error(**_where(rule), depth=depth)


def unsteady(rule: Callable[..., object]) -> Unsteady:
    """The error for a rule that throws fewer dice when it is run again on the same ones."""
    return Unsteady(**_where(rule))


_HEAVY, _MOST_MERGED, _MOST_WIDE, _MOST_BRANCHES = 1500, 8000, 20_000, 5_000_000
"""Branches of a rule after which another way is tried; how many runs that may take, and how many where a throw
leaves no other; and how many branches are followed one by one at most."""
_RUNS_AT_RANDOM, _FAR = 40, 5
"""Runs in which it is looked how many branches a rule may have; how many times too many are not begun with."""
_LEANINGS = ((0.0, 0.0), (0.0, 0.5), (0.0, 0.85), (0.5, 0.0), (0.85, 0.0))
"""How often dice show their first face or their last in such runs, rather than any: most of the branches of a rule are
where it goes on and on."""
_MANY_HANDFULS = 5000
_FEW, _FEW_AT_FIRST = 4, 30
"""Branches of a throw that are as quickly run; more of them, as long as nothing is known of the rule."""


class _ManyHandfuls(BaseException):
    """A pool has so many handfuls that they are not listed before something else was tried."""

    def __init__(self, dice: object) -> None:
        self.dice = dice


def _nothing_is_caught() -> bool:
    """Whether no function of the rule that is under way could catch what leaves it."""
    frame: FrameType | None = sys._getframe(4)
    while frame is not None and frame.f_code is not _every_way.__code__:
        if frame.f_code.co_exceptiontable:
            return False
        frame = frame.f_back
    return True


class _Instead:
    """What a throw raised, in the place of what it gives."""

    __slots__ = ("fault", "trace")

    def __init__(self, fault: Exception) -> None:
        self.fault = fault
        self.trace = fault.__traceback__

    def again(self) -> Exception:
        """The same, to be raised in one more branch: where it came from, and none of where it was raised since."""
        return self.fault.with_traceback(self.trace)


class _Refused(BaseException):
    """A rule goes on although a throw could not be made."""

    def __init__(self, dice: object) -> None:
        self.dice = dice


_LIMITS = (EndlessRule, TooWide, Unsteady)
"""What only weighing cannot do: no rule is asked what to do then."""


class Rest:
    """What ``dice.then`` gives when weighed: a mark, to be returned as it is."""

    __slots__ = ()

    def __hash__(self) -> int:
        raise TypeError(_MISREAD)


_MISREAD = "what dice.then gives is what the rule gives: return it as it is, or use dice.resolve"
_REST: Any = Rest()


def _tells_more(n: int, kinds: Kinds, than: int) -> bool:
    """Whether dice may be counted by their kinds in more ways than so many; not so if they cannot be thrown."""
    try:
        return tallies(n, kinds) > than
    except AbsurdDice:
        return False


class Weighing:
    """Dice that fall every way in turn; :func:`every_way` re-runs the rule for each."""

    __slots__ = ("_ahead", "_depth", "_draws", "_few", "_met", "lists_most", "needed", "policy", "rest", "rule")

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self._ahead: list[Any] = []
        """What the throws of this run give, the next one last; beyond them, new throws branch."""
        self._depth = 0
        """How many those are."""
        self._met: list[AnyFall | Undrawn | tuple[Undrawn, ...]] = []
        """The throws that this run met beyond those."""
        self._draws = DEEPEST
        """How many throws of a run are always drawn; the numbers of later ones, only if the rule depends on them."""
        self._few = 0
        """How many branches of a throw are run rather than left undrawn."""
        self.lists_most: float = inf
        """Handfuls of a pool that are listed before it is tried whether the rule reads less of them."""
        self.needed: Needed | None = None
        """The number that the rule turned out to depend on, should it go on all the same."""
        self.rest: AnyFall | None = None
        """What the rest of the rule gives, once this run has come to it."""
        self.rule: Callable[..., object] = weigh
        """The rule that is run."""

    def _branch(self, fall: Fall[V]) -> V:
        if self.rest is not None:
            raise TypeError(_MISREAD)
        place = self._depth + len(self._met)
        if place >= self._draws:
            if place >= DEEPEST:
                raise stopped(self.rule, DEEPEST)
            if len(fall.ways) > self._few and fall.numbers:
                undrawn: Any = Undrawn(self, {place: (fall, 1)})
                self._met.append(undrawn)
                number: V = undrawn
                return number
        self._met.append(fall)
        return next(iter(fall.ways))

    def _tried(self, of: Callable[..., Fall[V]], *args: object) -> V:
        """What a throw gives, or raises: then that is known, should the rule go on all the same."""
        try:
            return self._branch(of(*args))
        except Exception as fault:
            self._met.append(Ways({_Instead(fault): 1}, 1))
            raise

    def _counted(self, n: int, kinds: Kinds) -> tuple[int, ...]:
        place = self._depth + len(self._met)
        if not self._draws <= place < DEEPEST or self.rest is not None or not _tells_more(n, kinds, self._few):
            return self._tried(of_kinds, n, kinds)
        counts: tuple[Any, ...] = undrawn_counts(self, place, n, kinds)
        self._met.append(counts)
        return counts

    def sum(self, n: int, sides: int | Fall[int]) -> int:
        return self._ahead.pop() if self._ahead else self._tried(of_sum, n, sides)

    def pool(self, n: int, sides: int) -> tuple[int, ...]:
        return self._ahead.pop() if self._ahead else self._tried(self._listed, n, sides)

    def counts(self, n: int, kinds: Kinds, again: Take | None = None) -> tuple[int, ...]:
        return self._ahead.pop() if self._ahead else self._counted(n, kinds)

    def faces(self, n: int, die: int | Fall[V]) -> tuple[V, ...]:
        return self._ahead.pop() if self._ahead else self._tried(of_faces, n, die)

    def highest(self, n: int, sides: int | Fall[V], keep: int = 1) -> AnyFace:
        return self._ahead.pop() if self._ahead else self._tried(of_highest, n, sides, keep)

    def lowest(self, n: int, sides: int | Fall[V], keep: int = 1) -> AnyFace:
        return self._ahead.pop() if self._ahead else self._tried(of_lowest, n, sides, keep)

    def gather(self, n: int, of: int | AnyFall | Deck, step: Step[S], start: S) -> S:
        state: S = self._ahead.pop() if self._ahead else self._tried(of_gathered, n, of, step, start)
        return state

    def deal(self, deck: Deck, n: int) -> FacesTold:
        return self._ahead.pop() if self._ahead else self._tried(of_hand, deck, n)

    def repeat(self, n: int, rule: Callable[[Dice, *Ts], V], *args: *Ts) -> AnyFace:
        return self._ahead.pop() if self._ahead else self._tried(self._several, of_sum, n, (), rule, args)

    def highest_of(self, n: int, keep: int, rule: Callable[[Dice, *Ts], V], *args: *Ts) -> AnyFace:
        return self._ahead.pop() if self._ahead else self._tried(self._several, highest_results, n, (keep,), rule, args)

    def lowest_of(self, n: int, keep: int, rule: Callable[[Dice, *Ts], V], *args: *Ts) -> AnyFace:
        return self._ahead.pop() if self._ahead else self._tried(self._several, lowest_results, n, (keep,), rule, args)

    def resolve(self, rule: Callable[[Dice, *Ts], V], *args: *Ts) -> V:
        given: V = self._ahead.pop() if self._ahead else self._tried(self._weighed, rule, args)
        return given

    def then(self, rule: Callable[[Dice, *Ts], V], *args: *Ts) -> V:
        try:
            rest = self._weighed(rule, args)
        except Exception as fault:
            self._met.append(Ways({_Instead(fault): 1}, 1))
            raise
        if self.rest is not None:
            raise TypeError(_MISREAD)
        self.rest = rest
        self._met.append(rest)
        mark: V = _REST
        return mark

    def _listed(self, n: int, sides: int) -> Fall[tuple[int, ...]]:
        """The handfuls of a pool, if they are not too many to be listed before anything else was tried."""
        if self.lists_most < handfuls(n, sides) <= WIDEST and _nothing_is_caught():
            raise _ManyHandfuls(self)
        return of_pool(n, sides)

    def _weighed(self, rule: Callable[..., V], args: Args) -> Fall[V]:
        """What another rule can give, weighed by the same policy."""
        return _weighed(rule, self.policy, *args)

    def _several(self, of: Callable[..., AnyFall], n: int, kept: Args, rule: Callable[..., V], args: Args) -> AnyFall:
        """What several of another rule's results make."""
        return of(n, self._weighed(rule, args), *kept)

    def choose(
        self, who: str, key: str, options: Sequence[O], usual: O | None = None, rule: Refusing = "", **values: object
    ) -> O:
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


def _guarded(dice: Dice, rule: Callable[..., object], *args: object) -> object:
    """What a rule gives, or what it raises in that branch."""
    try:
        return rule(dice, *args)
    except (ThrowAgain, RecursionError, *_LIMITS):
        raise
    except Exception as fault:
        return _Instead(fault)


class _Heedful(Weighing):
    """Dice of a rule that knows what to do where a throw raises: it is raised in each branch in which it would be.

    Nothing is left undrawn, nor merged as it goes.
    """

    __slots__ = ()

    def _weighed(self, rule: Callable[..., V], args: Args) -> Fall[V]:
        weighed: Fall[V] = _weighed(_guarded, self.policy, rule, *args)
        return weighed


def _heeded(name: str) -> Callable[..., Any]:
    throw = getattr(Weighing, name)

    def heeded(self: _Heedful, *args: object, **named: object) -> object:
        given = throw(self, *args, **named)
        if type(given) is _Instead:
            raise given.again()
        return given

    return heeded


for _name in ("sum", "pool", "counts", "faces", "highest", "lowest", "gather", "deal", "resolve", "then"):
    setattr(_Heedful, _name, _heeded("resolve" if _name == "then" else _name))
for _name in ("repeat", "highest_of", "lowest_of", "_each"):  # one by one, as they are played
    setattr(_Heedful, _name, getattr(PlayedDice, _name))


class _Habit:
    """What was learned of a rule: how many of its throws it depends on, and whether it was ever asked."""

    __slots__ = ("draws", "few")

    def __init__(self, draws: int) -> None:
        self.draws = draws
        self.few = _FEW_AT_FIRST


@lru_cache(maxsize=4096)
def _habit(rule: Callable[..., object]) -> _Habit:
    return _Habit(DEEPEST if asks_for_types(rule) else 0)


class _AtRandom(Weighing):
    """Dice that fall anyhow, or always on their last face: a few runs tell how many branches a rule has, how deep."""

    __slots__ = ("_leaning", "chance", "chances")

    def __init__(self, dice: Weighing, chance: Random | None) -> None:
        super().__init__(dice.policy)
        self.chance = chance
        self.chances = [1.0]
        """How likely this run was, for each way of leaning."""
        self._leaning = _LEANINGS[0]
        self._draws, self._few, self.rule = dice._draws, dice._few, dice.rule

    def _branch(self, fall: Fall[V]) -> V:
        value = super()._branch(fall)
        if type(value) is Undrawn:
            return value
        values, last = tuple(fall.ways), len(fall.ways) - 1
        if self.chance is None or not last:
            return values[last]
        first, at_last = self._leaning
        leans = self.chance.random()
        at = 0 if leans < first else last if leans < first + at_last else self.chance.randrange(last + 1)
        self.chances = [so_far * ((1 - low - high) / (last + 1) + (low if at == 0 else high if at == last else 0))
                        for so_far, (low, high) in zip(self.chances, _LEANINGS, strict=True)]
        return values[at]

    def after_a_run(self, rule: Callable[..., object], args: Args) -> float:
        """How many branches it has, as far as one run tells: none of them is left out on average."""
        self.chances, self.rest, self.needed = [1.0] * len(_LEANINGS), None, None
        self._leaning = _LEANINGS[0] if self.chance is None else self.chance.choice(_LEANINGS)
        self._met.clear()
        try:
            rule(self, *args)
        except ThrowAgain:
            pass
        except EndlessRule:
            if self.chance is None:
                raise
            return 0
        except (Exception, Needed):
            return 0
        likely = sum(self.chances)
        return len(_LEANINGS) / likely if likely else inf


def _far_too_many(rule: Callable[..., object], dice: Weighing, args: Args) -> bool:
    """Whether a rule surely has more branches than can be followed: four times out of four, many times as many.

    Most rules that never end go on as long as dice show their last face: they are stopped here.
    """
    _AtRandom(dice, None).after_a_run(rule, args)
    at_random = _AtRandom(dice, Random(1))
    return all(sum(at_random.after_a_run(rule, args) for _ in range(_RUNS_AT_RANDOM))
               > _RUNS_AT_RANDOM * _FAR * _MOST_BRANCHES for _ in range(4))


def every_way(rule: Callable[..., T], dice: Weighing, args: Args) -> tuple[dict[T | Again, int], int]:
    """Run the rule along every branch: the ways of each result, and how many ways there are in all."""
    _Runs.so_far += 1
    if type(dice) is not Weighing:
        return _every_way(rule, dice, args)
    habit = _habit(rule)
    dice._few, habit.few = habit.few, _FEW
    dice.lists_most = _MANY_HANDFULS
    learned, given_up = habit.draws, False
    while True:
        dice._draws = habit.draws
        try:
            return _every_way(rule, dice, args)
        except Needed as needed:
            if needed.dice is not dice:
                raise
            habit.draws = min(max(needed.place + 1, 2 * habit.draws), DEEPEST)
        except _ManyHandfuls as many:
            from .merging import merged_if_lighter

            if many.dice is not dice:
                raise
            dice.lists_most = inf
            merged = merged_if_lighter(rule, dice.policy, args, _HEAVY)
            if merged is not None:
                return merged
        except _Refused as refused:
            if refused.dice is not dice:
                raise
            return _every_way(rule, _Heedful(dice.policy), args)
        except TooWide:
            from .merging import merged_if_lighter

            merged = merged_if_lighter(rule, dice.policy, args, _MOST_WIDE, only_way=True)
            if merged is None:
                raise
            return merged
        except (DiceError, RecursionError):
            raise
        except Exception:
            if given_up or habit.draws == DEEPEST:
                habit.draws = min(habit.draws, learned)
                raise
            given_up, habit.draws = True, DEEPEST  # something may have wanted a number, and have said so otherwise


def _every_way(rule: Callable[..., T], dice: Weighing, args: Args) -> tuple[dict[T | Again, int], int]:
    asked = (dice, *args)
    ahead, met = dice._ahead, dice._met
    ahead.clear()
    met.clear()
    dice.rest, dice.needed, dice.rule, dice._depth = None, None, rule, 0
    tally: dict[T | Again, int] = {}
    whole = 1  # a multiple of the number of ways of every branch met so far
    turning: list[_Turning] = []
    heavy, runs = _HEAVY if type(dice) is Weighing else _MOST_BRANCHES if type(dice) is _Heedful else inf, 0
    before: list[object] = []  # what the throws of the last run gave, the last one first, as the dice read them
    undrawn = False  # whether any of that is undrawn
    ways = total = 1  # of the branch that it followed, and of all its sisters
    result: T | Again
    try:
        result = rule(*asked)
    except ThrowAgain:
        result = ThrowAgain
    if len(met) == 1 and type(result) is Undrawn and dice.needed is None:  # one throw and a number of it: all said
        return result.spread(dice)
    while True:
        rest: Spread | None = None
        if met:  # new throws: each stands at its first value, and the last will turn first
            if dice.rest is not None:
                last, rest, dice.rest = dice.rest, (dice.rest.ways, dice.rest.total), None
                if met.pop() is not last or result is not _REST:
                    raise TypeError(_MISREAD)
            for fall in met:
                if isinstance(fall, (Undrawn, tuple)):
                    before = [fall, *before]
                    undrawn = True
                    continue
                turns: Iterator[tuple[object, int]] = iter(fall.ways.items())
                total *= fall.total
                turning.append((turns, before, undrawn, ways, total))
                runs += len(fall.ways)
                value, count = next(turns)
                if type(value) is _Instead and type(dice) is not _Heedful:
                    if type(dice) is not Weighing or isinstance(value.fault, _LIMITS):
                        raise value.again()
                    raise _Refused(dice)
                before = [value, *before]
                ways *= count
            met.clear()
            if runs > heavy:
                from .merging import merged_if_lighter

                if type(dice) is _Heedful:
                    raise stopped(rule, _MOST_BRANCHES, TooManyBranches)
                hopeless = runs > _MOST_BRANCHES or (heavy == _HEAVY and _far_too_many(rule, dice, args))
                most = _MOST_MERGED if hopeless else min(_HEAVY + runs // 4, _MOST_MERGED)
                # Runs are joined early or never: where a rule may go on branch by branch, that is not waited for.
                merged = merged_if_lighter(
                    rule, dice.policy, args, most, joins_by=most // 4)
                if merged is not None:
                    return merged
                if hopeless:
                    raise stopped(rule, _MOST_BRANCHES, TooManyBranches)
                heavy = min(32 * heavy, _MOST_BRANCHES)
        if undrawn:
            if dice.needed is not None:
                raise dice.needed
            rest = spread(result, dice, len(before)) if rest is None else rest
        parts = total if rest is None else total * rest[1]
        if whole % parts:
            whole = _refined(tally, whole, parts)
        ways *= whole // parts
        if rest is None:
            tally[result] = tally.get(result, 0) + ways
        elif tally:
            for final, count in rest[0].items():
                tally[final] = tally.get(final, 0) + ways * count
        else:
            tally = {final: ways * count for final, count in rest[0].items()} if ways > 1 else {**rest[0]}
        while turning:
            turns, before, undrawn, each, total = turning[-1]
            scale = each * (whole // total)
            dice._depth = len(before) + 1
            for value, count in turns:
                ahead.append(value)
                if before:
                    ahead += before
                try:
                    result = rule(*asked)
                except ThrowAgain:
                    result = ThrowAgain
                if met or undrawn:
                    if type(result) is Undrawn and len(met) == 1 and type(met[0]) is Undrawn and dice.needed is None:
                        met.clear()  # one more throw and a number of it: the next run is like this one
                        sums: AnyFall = result.sums(dice)
                        more, parts = result.more, total * sums.total
                        if whole % parts:
                            whole = _refined(tally, whole, parts)
                            scale = each * (whole // total)
                        ways = each * count * (whole // parts)
                        for number, times in sums.ways.items():
                            final = number + more
                            tally[final] = tally.get(final, 0) + ways * times
                        continue
                    before = [value, *before]
                    ways = each * count
                    break
                tally[result] = tally.get(result, 0) + scale * count
            else:
                if ahead:  # what this run was to throw again
                    raise unsteady(rule)
                turning.pop()
                continue
            break
        else:
            return tally, whole


_Turning = tuple[Iterator[tuple[object, int]], list[object], bool, int, int]
"""The values of a throw that are left; what the throws before it gave, and whether any of that is undrawn; the ways of
that branch, and of all those of its throw together with its sisters."""


def _refined(tally: dict[V, int], whole: int, parts: int) -> int:
    """Count in smaller parts, so that a branch of so many parts is a whole number of them too."""
    finer = lcm(whole, parts)
    for result in tally:
        tally[result] *= finer // whole
    return finer


def remaining(
    tally: dict[T | Again, int], whole: int, rule: Callable[..., object]
) -> tuple[dict[T, int], int]:
    """What stands, out of how much: when some ways are thrown again, the others are the whole."""
    lost = tally.pop(ThrowAgain, 0)
    ways: dict[T, int] = tally  # type: ignore[assignment]
    if not lost:
        return ways, whole
    if not ways:
        raise stopped(rule, DEEPEST)
    shrink = gcd(*ways.values())
    return {result: count // shrink for result, count in ways.items()}, (whole - lost) // shrink


def weigh(rule: Callable[..., T], policy: Policy, *args: object) -> Odds[T]:
    """Weigh a rule without keeping the answer (those of the rules it resolves are kept)."""
    try:
        return Odds._whole(*remaining(*every_way(rule, Weighing(policy), args), rule))
    except RecursionError:
        raise stopped(rule, 1) from None
    except TypeError as error:
        if (refused := _not_kept(error, rule)) is None:
            raise
        raise refused from None
    except EndlessRule as endless:
        if endless.values.get("depth", DEEPEST) < DEEPEST:  # rules within rules: one more
            raise EndlessRule(**{**endless.values, "depth": endless.values["depth"] + 1}) from None
        raise


def _not_kept(error: TypeError, rule: Callable[..., object]) -> NotKept | None:
    """The refusal of what a rule is given or gives, if that is what the error is, come of no other code than ours."""
    *_, (frame, _) = walk_tb(error.__traceback__)
    if not str(error).startswith("unhashable type") or frame.f_globals.get("__package__") != __package__:
        return None
    return NotKept(**_where(rule), got=str(error).rpartition(" ")[2].strip("'"))


_weighed = kept_with_odds(lru_cache(maxsize=16384, typed=True)(weigh))


def odds(
    rule: Callable[[Dice, *Ts], T], *args: *Ts, policy: Policy = certain_policy, within: Fraction | float = 0
) -> Odds[T]:
    """The exact distribution of ``rule(dice, *args)``; ``policy`` answers its choices, the usual way if left out.

    A rule that may go on without end has no exact odds: ``within=Fraction(1, 10**9)`` leaves out branches that come up
    no more often than that in all, and :attr:`Odds.missed` says how much was left out.

    >>> from paravent.dice import odds
    >>> def kept(dice, score):
    ...     return sum(face <= score for face in dice.pool(3, 6))
    >>> odds(kept, 5)[3]
    Fraction(125, 216)
    """
    outside = heed(rule, args, forget_odds)
    runs = _Runs.so_far
    try:
        if not within:
            return _weighed(rule, policy, *args)
        if not 0 < within < 1:
            raise NotAPrecision(got=within)
        from .merging import nearly

        return nearly(rule, policy, args, Fraction(within))
    except TypeError as error:
        if (refused := _not_kept(error, rule)) is None:
            raise
        raise refused from None
    finally:
        if runs != _Runs.so_far and (outside is None or (not outside.at_rest and outside.changed())):
            note(rule, args)


@contextmanager
def heeding_changes(rule: Callable[..., object], args: Args) -> Iterator[None]:
    """Answers are forgotten if what a rule and its inputs look up is not what it was when they were worked out."""
    heed(rule, args, forget_odds)
    try:
        yield
    finally:
        note(rule, args)


class _Runs:
    """How often rules were weighed rather than remembered."""

    so_far = 0


__all__ = [
    "Args", "Fall", "Number", "Odds", "OddsLine", "Ordered", "Weighing", "every_way", "forget_odds", "fraction_text",
    "heeding_changes", "kept_with_odds", "odds", "remaining", "stopped", "unsteady", "weigh",
]
