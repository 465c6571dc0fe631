"""Heavy rules weighed: sums are put off until something depends on them, and what has no end is cut off.

A rule is run with stand-ins for its numbers (:mod:`.standin`). Adding them up only merges what they may be; a run
branches when the rule compares one, and only in two; when it needs the number, over its merged values. So
``sum(dice.resolve(rule) for _ in range(20))`` has one branch, as many as there are sums leave it, and no rule is
written differently for it.

Runs that come to the same place of the rule with the same variables (:mod:`.places`) are joined there: the numbers
that are not drawn are from then on what they may be in any of them. So a loop in which each die explodes has no more
branches than it has dice and explosions. A function that is given the dice is weighed by itself, as a rule that is
resolved (:mod:`.plainly`). What is not understood is weighed branch by branch as all other rules are.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Hashable, Iterable
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from fractions import Fraction
from functools import lru_cache, partial
from heapq import heappop, heappush
from itertools import count
from math import lcm
from types import CellType, FrameType, FunctionType, MethodType, ModuleType
from typing import Any, NoReturn, TypeVar, TypeVarTuple

from .branches import Branch, Joined, PoolsRead
from .distribution import AnyOdds, Odds
from .errors import DiceError, EndlessRule, TooManyBranches
from .handful import MOST, CannotMerge, Pool, ReadTwice, Share
from .odds import DEEPEST, Again, Args, Weighing, _weighed, every_way, kept_with_odds, stopped
from .plainly import IN_SIGHT, Plainly
from .protocol import Dice, O, Policy, Refusing, ThrowAgain
from .reach import Reach, reached
from .standin import MOST_IN_VAIN, StandIn, Unknowns, is_stand_in
from .standing import Whereabouts, standing
from .told import OutOfSight, plain_told
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
)

T = TypeVar("T", bound=Hashable)
V = TypeVar("V")
S = TypeVar("S", bound=Hashable)
Ts = TypeVarTuple("Ts")
_PLAIN = (int, str, float, Fraction, Enum, type(None), type)
_FEW_RUNS, _MOST_RUNS = 10_000, 40_000
_MOST_THROWS = 100 * DEEPEST
_ROWS_LIKE_A_RUN = 250
"""Numbers written in rows that take as long as a run."""
_HANDFULS, _FEW_HANDFULS, _MOST_SIDES = 500, 20, 100
"""A pool of more handfuls is divided only as far as it is read, if its dice have no more sides; with fewer, that is
tried first: where it is read in a plain way, there are fewer branches yet."""


class _Joins(BaseException):
    """The run has come to where others may come too; no rule catches this by mistake."""

    def __init__(self, at: Whereabouts, fall: Fall[tuple[int, ...]], branch: Branch) -> None:
        self.at, self.fall, self.branch = at, fall, branch


class _Beyond(BaseException):
    """The run has come to where so little is left that it is not followed."""


def _hides_a_number(value: AnyFace, known: set[int]) -> bool:
    """Whether there is a number that is not drawn in something that is called, or in what it keeps."""
    if is_stand_in(value) or type(value) is Pool:
        return True
    if id(value) in known or isinstance(value, (*_PLAIN, Odds, Deck, Kinds)):
        return False
    known.add(id(value))
    if isinstance(value, FunctionType):
        kept = [cell.cell_contents for cell in value.__closure__ or () if cell != CellType()]
        return _hides_a_number((*kept, *(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()), known)
    if isinstance(value, partial):
        value = (value.func, *value.args, *value.keywords.values())
    elif isinstance(value, MethodType):
        value = (value.__func__, value.__self__)
    elif isinstance(value, dict):
        value = value.values()
    elif hasattr(value, "__dict__") and not isinstance(value, ModuleType):
        value = vars(value).values()
    elif not isinstance(value, (tuple, list, set, frozenset, deque)):
        return False
    return any(_hides_a_number(one, known) for one in value)


class _Merging(Weighing):
    """Dice that follow a path, give stand-ins for numbers, and branch on what is decided beyond it."""

    __slots__ = ("_at", "_branches", "_fall", "_given", "_helped", "_left", "_path", "_reach", "_reading", "_throw",
                 "_throws", "cut", "defers", "plainly", "todo", "total", "unknowns", "ways")

    def __init__(
        self, policy: Policy, cut: Fraction, defers: bool, reading: PoolsRead, args: Args, reach: Reach
    ) -> None:
        super().__init__(policy)
        self.cut = cut
        self.defers = defers
        self.todo: list[Branch] = [Branch((), 1, 1)]
        """The branches that are left."""
        self.unknowns = Unknowns(self, reading.again)
        self._reading = reading
        self.plainly = Plainly(self, reach)
        self._given = {id(value) for value in args} | reach.seen.keys()
        self._reach = reach
        self._helped: dict[object, AnyOdds | None] = {}
        """What the rule's own functions give."""

    def follow(self, branch: Branch) -> None:
        """Begin a run along a branch."""
        path, self.ways, self.total, self._throw, self._fall = branch
        self._path = list(path)
        self._at = 0
        """How many decisions were come by."""
        self._throws = 0
        self._left = False
        """Whether the run was left: a rule that goes on all the same, or throws as it ends, is not understood."""
        self._branches = False
        """Whether this run branched since it was joined with others."""
        self.unknowns.begin(repeats=self._throw > 0)

    def branch(self) -> Branch:
        """The way gone so far, as it will be repeated: without what was decided on the way to what the rule asked."""
        path = tuple(value for value in self._path if type(value) is not Share)
        return Branch(path, self.ways, self.total, self._throws)

    def decision(self) -> Any:
        self._at += 1
        return self._path[self._at - 1]

    def certain(self, value: V) -> V:
        if self._at == len(self._path):
            self._path.append(value)
        self._at += 1
        return value

    def ask(self, fall: Fall[V], more: int = 0) -> V:
        self.check()
        self._branches = not self.unknowns.repeats
        if self._at < len(self._path):
            decision: V = self.decision()
            return decision
        if self._throws > DEEPEST:
            self._left = True
            raise stopped(self.rule, DEEPEST)
        of: AnyFall = fall
        path, ways, total = tuple(self._path), self.ways, self.total * of.total
        taken = [Branch((*path, value + more if more else value), ways * times, total, self._throw, self._fall)
                 for value, times in of.ways.items() if not self.cut or ways * times > self.cut * total]
        if not taken:
            self._left = True
            raise _Beyond
        first = taken.pop()
        self.todo += taken
        self.ways, self.total = first.ways, first.total
        self._path.append(first.path[-1])
        decision = self.decision()
        return decision

    def check(self) -> None:
        """Refuse to go on with a run that was left."""
        if self._left:
            raise CannotMerge

    def come_to_its_end(self) -> None:
        """Refuse a run that was left, or that came by fewer decisions than when it went this way before."""
        if self._left or self._at < len(self._path):
            raise CannotMerge

    def give_up(self, why: CannotMerge | None = None) -> NoReturn:
        self._left = True
        raise why or CannotMerge

    def _thrown(self) -> None:
        """Called first by every throw: here runs that go on alike are joined."""
        self.check()
        self._throws += 1
        if self._throws == self._throw:
            at = self._standing(sys._getframe(1))
            assert self._fall is not None
            self.unknowns.become(at.open, self._fall)
        elif self._branches and self._at == len(self._path) and self._reach.joins:
            try:
                at = self._standing(sys._getframe(1))
                fall = self.unknowns.together(at.open)
            except (OutOfSight, CannotMerge):
                self._left = False
                return
            self._left = True
            raise _Joins(at, fall, self.branch())
        elif self._throws > _MOST_THROWS:
            self._left = True
            raise stopped(self.rule, _MOST_THROWS)

    def _standing(self, frame: FrameType) -> Whereabouts:
        return standing(frame, _merged_so.__code__, self, StandIn, self._given, IN_SIGHT, self._reach.watched)

    def _branch(self, fall: Fall[V]) -> V:
        if not self.defers or len(fall.ways) == 1 or not self._numbers(fall):
            return self.ask(fall)
        number: Any = self.unknowns.new(fall)
        made: V = number
        return made

    def _numbers(self, fall: AnyFall) -> bool:
        return bool(self.unknowns.kept((id(fall),), lambda: all(type(value) is int for value in fall.ways), fall))

    def _made(self, of: Callable[..., V], *args: object) -> V:
        """What a throw makes of what it is given. A rule that goes on where it raises is not understood."""
        given = [self.plain(one) for one in args]
        try:
            return of(*given)
        except Exception:
            self._left = True
            raise

    def sum(self, n: int, sides: int | Fall[int]) -> int:
        self._thrown()
        return self._branch(self._made(of_sum, n, sides))

    def pool(self, n: int, sides: int) -> tuple[int, ...]:
        self._thrown()
        n, sides = self.plain(n), self.plain(sides)
        reading = self._reading
        if not self.defers or self._made(handfuls, n, sides) <= reading.listed or n > MOST or sides > _MOST_SIDES:
            return self.ask(self._made(of_pool, n, sides))
        reading.divided |= handfuls(n, sides) <= _HANDFULS
        frame = sys._getframe(1)
        pool: tuple[int, ...] = self.unknowns.pool(n, sides, (frame.f_code, frame.f_lasti))
        return pool

    def counts(self, n: int, kinds: Kinds, again: Take | None = None) -> tuple[int, ...]:
        self._thrown()
        return self.ask(of_kinds(self.plain(n), kinds))

    def faces(self, n: int, die: int | Fall[V]) -> tuple[V, ...]:
        self._thrown()
        return self.ask(self._made(of_faces, n, die))

    def highest(self, n: int, sides: int | Fall[V], keep: int = 1) -> AnyFace:
        self._thrown()
        return self._branch(self._made(of_highest, n, sides, keep))

    def lowest(self, n: int, sides: int | Fall[V], keep: int = 1) -> AnyFace:
        self._thrown()
        return self._branch(self._made(of_lowest, n, sides, keep))

    def gather(self, n: int, of: int | AnyFall | Deck, step: Step[S], start: S) -> S:
        self._thrown()
        state: S = self.ask(self._made(of_gathered, n, of, step, start))
        return state

    def deal(self, deck: Deck, n: int) -> FacesTold:
        self._thrown()
        return self.ask(self._made(of_hand, deck, n))

    def resolve(self, rule: Callable[[Dice, *Ts], V], *args: *Ts) -> V:
        self._thrown()
        return self._branch(self._weighed(rule, args))

    then = resolve

    def repeat(self, n: int, rule: Callable[[Dice, *Ts], V], *args: *Ts) -> AnyFace:
        self._thrown()
        return self._branch(self._made(of_sum, n, self._weighed(rule, args)))

    def highest_of(self, n: int, keep: int, rule: Callable[[Dice, *Ts], V], *args: *Ts) -> AnyFace:
        self._thrown()
        return self._branch(self._made(highest_results, n, self._weighed(rule, args), keep))

    def lowest_of(self, n: int, keep: int, rule: Callable[[Dice, *Ts], V], *args: *Ts) -> AnyFace:
        self._thrown()
        return self._branch(self._made(lowest_results, n, self._weighed(rule, args), keep))

    def _weighed(self, rule: Callable[..., V], args: Args) -> Fall[V]:
        rule, settled = self.plain(rule), tuple(map(self.plain, args))
        bits = self._bits() if self.cut else 0
        if self.cut and not bits:
            self._left = True
            raise _Beyond
        try:
            return _near(bits, rule, self.policy, *settled) if bits else _weighed(rule, self.policy, *settled)
        except Exception:  # it is raised in some branches of that rule: one that goes on then is not understood
            self._left = True
            raise

    def _bits(self) -> int:
        """How nearly what is met on the way is to be weighed, the same whenever the run is repeated; nothing, if too
        little is left for that."""
        if self._at < len(self._path):
            bits: int = self.decision()
            return bits
        finer = self.cut * self.total / self.ways
        return self.certain(0 if finer > Fraction(1, 2) else (finer.denominator // finer.numerator).bit_length())

    def helped(self, function: Callable[..., V], args: Args, reach: Reach) -> Fall[V] | None:
        """What a function that is given the dice gives; None, if it is not to be weighed by itself."""
        try:
            told = (*map(plain_told, args), reach.now())
        except OutOfSight:
            return None
        bits = self._bits() if self.cut else 0
        if self.cut and not bits:
            return None
        key = (function, told, bits)
        if key not in self._helped:
            try:
                self._helped[key] = _alone(function, self.policy, args, bits)
            except EndlessRule:
                self._left = True
                raise
        return self._helped[key]

    def fallen(self, fall: Fall[V]) -> V:
        """One of these."""
        self._thrown()
        return self._branch(fall)

    def choose(
        self, who: str, key: str, options: Iterable[O], usual: O | None = None, rule: Refusing = "", **values: object
    ) -> O:
        taken: O = super().choose(who, key, tuple(map(self.plain, options)), self.plain(usual), rule)
        return taken

    def of(self, role: str) -> _Merging:
        return self

    def stream(self, name: str) -> _Merging:
        return self

    def row(self, value: AnyFace) -> AnyFall | None:
        """All that a tuple may be that has numbers in it which are not drawn; None, for anything else."""
        kind: Any = type(value)
        if kind is not tuple and not (issubclass(kind, tuple) and hasattr(kind, "_make")):
            return None
        places = [at for at, part in enumerate(value) if is_stand_in(part)]
        if not places:
            return None
        parts = [part if at in places else self.plain(part) for at, part in enumerate(value)]
        try:
            fall = self.unknowns.together(tuple([parts[at] for at in places]))
        except CannotMerge:
            if self.unknowns.in_vain > MOST_IN_VAIN:
                raise
            self._left = False
            return None
        make = tuple if kind is tuple else kind._make
        ways: Tallied = {}
        for numbers, times in fall.ways.items():
            for at, number in zip(places, numbers, strict=True):
                parts[at] = number
            made = make(parts)
            ways[made] = ways.get(made, 0) + times
        return Ways(ways, fall.total)

    def plain(self, value: AnyFace) -> AnyFace:
        """A value with every stand-in in it drawn."""
        if is_stand_in(value):
            return value.value()
        if type(value) is Pool:
            self.give_up()
        if isinstance(value, tuple) and type(value) is not Take:
            parts = [self.plain(part) for part in value]
            if all(new is old for new, old in zip(parts, value, strict=True)):
                return value
            return type(value)._make(parts) if hasattr(value, "_make") else tuple(parts)
        if isinstance(value, (*_PLAIN, Odds, Deck, Kinds, Take)):
            return value
        if callable(value):
            if self.defers and _hides_a_number(value, set()):
                self.give_up()
            return self.plainly.original(value)
        if is_dataclass(value) and not isinstance(value, type):
            named = {field.name: self.plain(getattr(value, field.name)) for field in fields(value)}
            changed = {name: part for name, part in named.items() if part is not getattr(value, name)}
            return replace(value, **changed) if changed else value
        if self.defers:
            self.give_up()
        return value


Tally = tuple[Tallied, int]


def _merged(
    rule: Callable[..., Any], policy: Policy, args: Args, cut: Fraction, most: int, defers: bool,
    joins_by: int | None = None,
) -> Tally | None:
    """The ways of each result, out of how many; what is cut off is missing. None, if that takes too many runs, or if
    after so many of them none was joined to another."""
    joins_by = most if joins_by is None else joins_by
    dividing = PoolsRead(min(_FEW_HANDFULS, _HANDFULS) if defers else _HANDFULS)
    try:
        found = _merged_as_read(rule, policy, args, cut, most, defers, dividing, joins_by)
    except DiceError:
        raise
    except Exception:
        if not dividing.divided:
            raise
        found = None
    if found is not None or not dividing.divided:
        return found
    return _merged_as_read(rule, policy, args, cut, most, defers, PoolsRead(_HANDFULS), joins_by)


def _merged_as_read(
    rule: Callable[..., Any], policy: Policy, args: Args, cut: Fraction, most: int, defers: bool, reading: PoolsRead,
    joins_by: int,
) -> Tally | None:
    """The same, once it is known which pools are read again."""
    while True:
        try:
            return _merged_so(rule, policy, args, cut, most, defers, reading, joins_by)
        except ReadTwice as twice:
            if twice.thrown_at in reading.again:
                raise
            reading.again.add(twice.thrown_at)


def _merged_so(
    rule: Callable[..., Any], policy: Policy, args: Args, cut: Fraction, most: int, defers: bool, reading: PoolsRead,
    joins_by: int,
) -> Tally | None:
    reach = reached(rule, args)
    if defers and not reach.open:
        raise CannotMerge
    dice = _Merging(policy, cut, defers, reading, args, reach)
    dice.rule, rule = rule, dice.plainly.copy(rule) if reach.steady else rule
    by_total: dict[int, Tallied] = {}
    joined: dict[object, Joined] = {}
    waiting: list[tuple[tuple[int, ...], int, int, object]] = []  # where runs are joined; those least far come first
    none_joined = True
    for run in count(1):
        if dice.todo:
            branch = dice.todo.pop()
        elif waiting:
            branch = joined.pop(heappop(waiting)[-1]).branch()
            if cut and branch.ways <= cut * branch.total:
                continue
        else:
            break
        if run + dice.unknowns.rows // _ROWS_LIKE_A_RUN > (joins_by if none_joined else most):
            return None
        dice.follow(branch)
        given: AnyFall | None = None
        more = 0
        try:
            result = rule(dice, *args)
            dice.come_to_its_end()
            if is_stand_in(result) and result.open()[0]:
                given, more = dice.unknowns.spread(result.parts), result.more
            else:
                given = dice.row(result)
                result = dice.plain(result) if given is None else result
        except _Joins as joins:
            at, so_far = joins.at, joins.branch
            none_joined &= at.where not in joined
            if at.where not in joined:
                joined[at.where] = Joined(so_far, {}, 1)
                heappush(waiting, (at.order, so_far.throw, run, at.where))
            joined[at.where].add(so_far.ways, so_far.total, joins.fall)
            continue
        except _Beyond:
            continue
        except ThrowAgain:
            dice.come_to_its_end()
            result = ThrowAgain
        ways, total = dice.ways, dice.total
        if given is None:
            tally = by_total.setdefault(total, {})
            tally[result] = tally.get(result, 0) + ways
            continue
        tally = by_total.setdefault(total * given.total, {})
        for value, times in given.ways.items():
            final = value + more if more else value
            tally[final] = tally.get(final, 0) + ways * times
    whole = lcm(*by_total)
    ways_of: Tallied = {}
    for total, tally in by_total.items():
        for result, times in tally.items():
            ways_of[result] = ways_of.get(result, 0) + times * (whole // total)
    return ways_of, whole


def merged_if_lighter(
    rule: Callable[..., T], policy: Policy, args: Args, most: int, only_way: bool = False, joins_by: int | None = None
) -> tuple[dict[T | Again, int], int] | None:
    """What a rule gives, if stand-ins will do for it and it then takes fewer than so many runs; and, if that is said,
    some of the first are joined."""
    for defers in (True, False):
        try:
            found = _merged(rule, policy, args, Fraction(0), most, defers, joins_by=joins_by)
        except EndlessRule:
            raise
        except Exception as fault:  # a rule is weighed branch by branch, if it can be, and says itself what is wrong
            if only_way and isinstance(fault, LookupError):
                raise
            continue
        if found is not None:
            return found
    return None


def _alone(function: Callable[..., Any], policy: Policy, args: Args, bits: int) -> AnyOdds | None:
    """What a function gives that is given the dice and plain values; None, if it is not to be weighed by itself.

    A function that has the whole rule thrown again is not, nor is one that gives what may change or cannot be compared.
    """
    try:
        tally, whole = _cut_off(function, policy, args, bits) if bits else every_way(function, Weighing(policy), args)
        for result in tally:
            plain_told(result)
    except EndlessRule:
        raise
    except RecursionError:
        raise stopped(function, 1) from None
    except Exception:
        return None
    return Odds._whole(tally, whole)


@kept_with_odds
@lru_cache(maxsize=4096, typed=True)
def _near(bits: int, rule: Callable[..., T], policy: Policy, *args: object) -> Odds[T]:
    """What a rule gives without branches rarer than one in ``2 ** bits``: those are missing from the whole."""
    tally, whole = _cut_off(rule, policy, args, bits)
    again: Any = ThrowAgain
    lost = tally.pop(again, 0)
    return Odds._whole(tally, whole - lost)


def _cut_off(rule: Callable[..., Any], policy: Policy, args: Args, bits: int) -> Tally:
    """What a rule gives with stand-ins or without, whichever is quick; with what is cut off missing.

    A rule that goes on where its run is left has nothing cut off.
    """
    fault: Exception | None = None
    for most, defers in ((_FEW_RUNS, True), (_FEW_RUNS, False), (_MOST_RUNS, False), (_MOST_RUNS, True)):
        try:
            found = _merged(rule, policy, args, Fraction(1, 1 << bits), most, defers)
        except DiceError:
            raise
        except Exception as not_so:
            fault = fault if defers else not_so
            continue
        if found is not None:
            return found
    if isinstance(fault, CannotMerge):  # a rule that throws as it is left: each of its branches is followed to its end
        return every_way(rule, Weighing(policy), args)
    raise fault or stopped(rule, _MOST_RUNS, TooManyBranches)


def nearly(rule: Callable[..., T], policy: Policy, args: Args, within: Fraction) -> Odds[T]:
    """The odds of a rule of which no more than ``within`` is left out."""
    bits = max(1, (within.denominator // within.numerator).bit_length())
    while True:
        near = _near(bits, rule, policy, *args)
        missed = 1 - Fraction(sum(near.ways.values()), near.total)
        if missed <= within:
            return Odds(near.ways, None, missed)
        bits += 4


__all__ = ["merged_if_lighter", "nearly"]
