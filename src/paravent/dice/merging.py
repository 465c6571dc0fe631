"""Heavy rules weighed: sums are put off until something depends on them, and what has no end is cut off.

A rule is run with stand-ins for its numbers. Adding two of them only merges what they may be; a run branches when the
rule compares one, and only in two; when it needs the number, over its merged values. So ``sum(dice.resolve(rule) for _
in range(20))`` has one branch, as many as there are sums leave it, and no rule is written differently for it.

A stand-in is used up when it is added to another: a rule that uses it twice cannot be read this way, and is weighed
branch by branch as all others are. The same goes for one that makes of its numbers what is not understood here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from math import lcm
from operator import eq, ge, gt, le, lt, ne
from typing import Any, TypeGuard, TypeVar, TypeVarTuple

from .distribution import Odds
from .errors import DiceError
from .odds import DEEPEST, Again, Args, Weighing, _weighed, kept_with_odds, stopped
from .protocol import Dice, O, Policy, Refusing, ThrowAgain
from .ways import (
    AnyFace,
    AnyFall,
    Deck,
    FacesTold,
    Fall,
    Kinds,
    Step,
    Take,
    Tallied,
    Ways,
    convolved,
    of_highest,
    of_lowest,
    of_sum,
)

T = TypeVar("T", bound=Hashable)
V = TypeVar("V")
S = TypeVar("S", bound=Hashable)
Ts = TypeVarTuple("Ts")
_PLAIN = (int, str, float, Fraction, Enum, type(None), type)
_MOST_RUNS = 300_000


class _Met(Exception):
    """The run has come to chance beyond its path."""

    def __init__(self, fall: AnyFall) -> None:
        self.fall = fall


class _Beyond(Exception):
    """The run has come to where so little is left that it is not followed."""


class _CannotMerge(Exception):
    """The rule makes of its numbers what a stand-in cannot."""


class _PutOff:
    """A number that is not drawn yet: what it may be, and what is added to that."""

    __slots__ = ("dice", "fall", "known", "more")
    __class__: Any = property(lambda self: int)
    """To a rule that asks, a whole number."""

    def __init__(self, dice: _Merging, fall: Fall[int] | None, more: int = 0) -> None:
        self.dice = dice
        self.fall = fall
        """None, once it is used up or known."""
        self.more = more
        self.known: int | None = None

    def _open(self) -> Fall[int]:
        if self.fall is None:
            raise _CannotMerge
        return self.fall

    def value(self) -> int:
        """The number, drawn now if it was not."""
        if self.known is None:
            self.known = self.dice.ask(self._open()) + self.more
        return self.known

    def _plus(self, other: AnyFace, sign: int = 1, mine: int = 1) -> AnyFace:
        if self.known is not None or not isinstance(other, int):
            return mine * self.value() + sign * (other.value() if _is_put_off(other) else other)
        dice, one = self.dice, self.dice.scaled(self._open(), mine)
        if not _is_put_off(other) or other.known is not None:
            plain = other.value() if _is_put_off(other) else int(other)
            self.fall = None
            return _PutOff(dice, one, mine * self.more + sign * plain)
        self.fall = None
        second = dice.scaled(other._open(), sign)
        other.fall = None
        return _PutOff(dice, dice.both(one, second), mine * self.more + sign * other.more)

    def __add__(self, other: AnyFace) -> AnyFace:
        return self._plus(other)

    __radd__ = __add__

    def __sub__(self, other: AnyFace) -> AnyFace:
        return self._plus(other, sign=-1)

    def __rsub__(self, other: AnyFace) -> AnyFace:
        return self._plus(other, mine=-1)

    def __neg__(self) -> AnyFace:
        return self._plus(0, mine=-1)

    def __pos__(self) -> AnyFace:
        return self

    def __mul__(self, other: AnyFace) -> AnyFace:
        if self.known is None and type(other) is int and other:
            return self._plus(0, mine=other)
        return self.value() * other

    __rmul__ = __mul__

    def _stands(self, how: Callable[[AnyFace, AnyFace], bool], other: AnyFace) -> bool:
        """Whether it compares so: two branches, and in each it can only be what does."""
        if self.known is not None or type(other) not in (int, bool):
            return how(self.value(), other)
        fall, limit = self._open(), other - self.more
        yes = sum(ways for value, ways in fall.ways.items() if how(value, limit))
        all_ways = sum(fall.ways.values())
        if yes in (0, all_ways):
            return yes != 0
        stands: bool = self.dice.ask(Ways({False: all_ways - yes, True: yes}, fall.total))
        self.fall = self.dice.part(fall, how, limit, stands)
        return stands

    def __eq__(self, other: object) -> bool:
        return self._stands(eq, other)

    def __ne__(self, other: object) -> bool:
        return self._stands(ne, other)

    def __lt__(self, other: AnyFace) -> bool:
        return self._stands(lt, other)

    def __le__(self, other: AnyFace) -> bool:
        return self._stands(le, other)

    def __gt__(self, other: AnyFace) -> bool:
        return self._stands(gt, other)

    def __ge__(self, other: AnyFace) -> bool:
        return self._stands(ge, other)

    def __bool__(self) -> bool:
        return self._stands(ne, 0)

    def __hash__(self) -> int:
        return hash(self.value())


def _is_put_off(value: object) -> TypeGuard[_PutOff]:
    """Whether it is a stand-in; to a rule that asks, it is a whole number."""
    return type(value) is _PutOff


def _drawn(name: str) -> Callable[..., Any]:
    method = getattr(int, name)

    def ask(self: _PutOff, *others: AnyFace) -> AnyFace:
        return method(self.value(), *(other.value() if _is_put_off(other) else other for other in others))

    return ask


for _name in ("__index__", "__int__", "__float__", "__abs__", "__round__", "__trunc__", "__floor__", "__ceil__",
              "__floordiv__", "__rfloordiv__", "__mod__", "__rmod__", "__truediv__", "__rtruediv__", "__divmod__",
              "__rdivmod__", "__pow__", "__rpow__", "__and__", "__or__", "__xor__", "__lshift__", "__rshift__",
              "__repr__", "__str__", "__format__", "bit_length", "bit_count"):
    setattr(_PutOff, _name, _drawn(_name))


class _Merging(Weighing):
    """Dice that follow a path, give stand-ins for numbers, and stop at what they must branch on."""

    __slots__ = ("_known", "cut", "defers", "share")

    def __init__(self, policy: Policy, cut: Fraction, defers: bool) -> None:
        super().__init__(policy)
        self.cut = cut
        self.defers = defers
        self.share = Fraction(1)
        self._known: dict[tuple[object, ...], FacesTold] = {}

    def ask(self, fall: Fall[V]) -> V:
        if self._ahead:
            given: V = self._ahead.pop()
            return given
        raise _Met(fall)

    def _kept(self, key: tuple[object, ...], make: Callable[[], AnyFall], *alive: object) -> AnyFall:
        """The same made once: falls are known by their identity, and stay alive as long as this question."""
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = (make(), *alive)
        made: AnyFall = found[0]
        return made

    def scaled(self, fall: Fall[int], by: int) -> Fall[int]:
        if by == 1:
            return fall
        return self._kept((id(fall), by), lambda: Ways({value * by: ways for value, ways in fall.ways.items()},
                                                       fall.total), fall)

    def both(self, one: Fall[int], other: Fall[int]) -> Fall[int]:
        return self._kept((id(one), id(other), "+"), lambda: convolved(one, other), one, other)

    def part(self, fall: Fall[int], how: Callable[[int, int], bool], limit: int, stands: bool) -> Fall[int]:
        def make() -> Fall[int]:
            ways = {value: count for value, count in fall.ways.items() if how(value, limit) is stands}
            return Ways(ways, sum(ways.values()))

        return self._kept((id(fall), how, limit, stands), make, fall)

    def _branch(self, fall: Fall[V]) -> V:
        if not self.defers or len(fall.ways) == 1 or not self._numbers(fall):
            return self.ask(fall)
        numbers: Any = fall
        number: V = self.stand_in(numbers)
        return number

    def stand_in(self, fall: Fall[int]) -> AnyFace:
        return _PutOff(self, fall)

    def _numbers(self, fall: AnyFall) -> bool:
        found = self._known.get((id(fall),))
        if found is None:
            plain = all(type(value) is int for value in fall.ways)
            found = self._known[(id(fall),)] = (plain, fall)
        return bool(found[0])

    def sum(self, n: int, sides: int | Fall[int]) -> int:
        return self._branch(of_sum(self.plain(n), self.plain(sides)))

    def pool(self, n: int, sides: int) -> tuple[int, ...]:
        return self._asked(super().pool, n, sides)

    def counts(self, n: int, kinds: Kinds, again: Take | None = None) -> tuple[int, ...]:
        return self._asked(super().counts, n, kinds)

    def faces(self, n: int, die: int | Fall[V]) -> tuple[V, ...]:
        return self._asked(super().faces, n, die)

    def highest(self, n: int, sides: int | Fall[V], keep: int = 1) -> AnyFace:
        return self._branch(of_highest(self.plain(n), self.plain(sides), self.plain(keep)))

    def lowest(self, n: int, sides: int | Fall[V], keep: int = 1) -> AnyFace:
        return self._branch(of_lowest(self.plain(n), self.plain(sides), self.plain(keep)))

    def gather(self, n: int, of: int | AnyFall | Deck, step: Step[S], start: S) -> S:
        state: S = self._asked(super().gather, n, of, step, start)
        return state

    def deal(self, deck: Deck, n: int) -> FacesTold:
        return self._asked(super().deal, deck, n)

    def _asked(self, throw: Callable[..., V], *args: object) -> V:
        """A throw that is no number: it branches, or reads what its branch is."""
        return throw(*map(self.plain, args))

    def resolve(self, rule: Callable[[Dice, *Ts], V], *args: *Ts) -> V:
        return self._branch(self._weighed(rule, args))

    then = resolve

    def repeat(self, n: int, rule: Callable[[Dice, *Ts], V], *args: *Ts) -> AnyFace:
        fall = self._weighed(rule, args)
        return self._branch(of_sum(self.plain(n), fall))

    def highest_of(self, n: int, keep: int, rule: Callable[[Dice, *Ts], V], *args: *Ts) -> AnyFace:
        return self._branch(of_highest(self.plain(n), self._weighed(rule, args), self.plain(keep)))

    def lowest_of(self, n: int, keep: int, rule: Callable[[Dice, *Ts], V], *args: *Ts) -> AnyFace:
        return self._branch(of_lowest(self.plain(n), self._weighed(rule, args), self.plain(keep)))

    def _weighed(self, rule: Callable[..., V], args: Args) -> Fall[V]:
        settled = tuple(map(self.plain, args))
        if not self.cut:
            return _weighed(rule, self.policy, settled)
        finer = self.cut / self.share
        if finer > Fraction(1, 2):
            raise _Beyond
        return _near(rule, self.policy, settled, (finer.denominator // finer.numerator).bit_length())

    def choose(
        self, who: str, key: str, options: Iterable[O], usual: O | None = None, rule: Refusing = "", **values: object
    ) -> O:
        taken: O = super().choose(who, key, tuple(map(self.plain, options)), self.plain(usual), rule)
        return taken

    def of(self, role: str) -> _Merging:
        return self

    def stream(self, name: str) -> _Merging:
        return self

    def plain(self, value: AnyFace) -> AnyFace:
        """A value with every stand-in in it drawn."""
        if _is_put_off(value):
            return value.value()
        if isinstance(value, tuple) and type(value) is not Take:
            parts = [self.plain(part) for part in value]
            if all(new is old for new, old in zip(parts, value, strict=True)):
                return value
            return type(value)._make(parts) if hasattr(value, "_make") else tuple(parts)
        if isinstance(value, (*_PLAIN, Odds, Deck, Kinds, Take)) or callable(value):
            return value
        if is_dataclass(value) and not isinstance(value, type):
            named = {field.name: self.plain(getattr(value, field.name)) for field in fields(value)}
            changed = {name: part for name, part in named.items() if part is not getattr(value, name)}
            return replace(value, **changed) if changed else value
        if self.defers:
            raise _CannotMerge
        return value


Tally = tuple[Tallied, int]


def _merged(
    rule: Callable[..., Any], policy: Policy, args: Args, cut: Fraction, most: int, defers: bool
) -> Tally | None:
    """The ways of each result, out of how many; what is cut off is missing. None, if that takes too many runs."""
    dice = _Merging(policy, cut, defers)
    dice.rule = rule
    by_total: dict[int, Tallied] = {}
    todo: list[tuple[tuple[object, ...], int, int]] = [((), 1, 1)]  # a path, the last value first; its ways, of all
    runs = 0
    while todo:
        path, ways, total = todo.pop()
        runs += 1
        if runs > most:
            return None
        dice._ahead[:] = path
        dice.share = Fraction(ways, total) if cut else dice.share
        given: AnyFall | None = None
        more = 0
        try:
            result = rule(dice, *args)
            if _is_put_off(result) and result.known is None:
                given, more = result._open(), result.more
            else:
                result = dice.plain(result)
        except _Met as met:
            if len(path) >= DEEPEST:
                raise stopped(rule, DEEPEST) from None
            whole = total * met.fall.total
            todo += [((value, *path), ways * count, whole) for value, count in met.fall.ways.items()
                     if not cut or ways * count > cut * whole]
            continue
        except _Beyond:
            continue
        except ThrowAgain:
            result = ThrowAgain
        if given is None:
            tally = by_total.setdefault(total, {})
            tally[result] = tally.get(result, 0) + ways
            continue
        tally = by_total.setdefault(total * given.total, {})
        for value, count in given.ways.items():
            tally[value + more] = tally.get(value + more, 0) + ways * count
    whole = lcm(*by_total)
    ways_of: Tallied = {}
    for total, tally in by_total.items():
        for result, count in tally.items():
            ways_of[result] = ways_of.get(result, 0) + count * (whole // total)
    return ways_of, whole


def merged_if_lighter(
    rule: Callable[..., T], policy: Policy, args: Args, most: int
) -> tuple[dict[T | Again, int], int] | None:
    """What a rule gives, if stand-ins will do for it and it then takes fewer than so many runs."""
    try:
        return _merged(rule, policy, args, Fraction(0), most, defers=True)
    except Exception:  # whatever a rule makes of stand-ins: it is weighed without them, and says itself what is wrong
        return None


@kept_with_odds
@lru_cache(maxsize=4096)
def _near(rule: Callable[..., T], policy: Policy, args: Args, bits: int) -> Odds[T]:
    """What a rule gives without branches rarer than one in ``2 ** bits``: those are missing from the whole."""
    cut = Fraction(1, 1 << bits)
    try:
        found = _merged(rule, policy, args, cut, _MOST_RUNS, defers=True)
    except DiceError:
        raise
    except Exception:
        found = None
    if found is None:
        found = _merged(rule, policy, args, cut, _MOST_RUNS, defers=False)
    if found is None:
        raise stopped(rule, _MOST_RUNS)
    tally, whole = found
    again: Any = ThrowAgain
    lost = tally.pop(again, 0)
    return Odds._whole(tally, whole - lost)


def nearly(rule: Callable[..., T], policy: Policy, args: Args, within: Fraction) -> Odds[T]:
    """The odds of a rule of which no more than ``within`` is left out."""
    bits = max(1, (within.denominator // within.numerator).bit_length())
    while True:
        near = _near(rule, policy, args, bits)
        missed = 1 - Fraction(sum(near.ways.values()), near.total)
        if missed <= within:
            return Odds(near.ways, None, missed)
        bits += 4


__all__ = ["merged_if_lighter", "nearly"]
