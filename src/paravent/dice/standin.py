"""Stand-ins for numbers that are not drawn yet: sums of independent unknowns, each with what it may still be.

Adding stand-ins up asks nothing. Comparing one branches in two, and its unknown is what it can then still be, wherever
else it was added to; whatever needs the number itself draws it. Where a sum of several unknowns is compared or drawn,
they are from then on known as that sum: what uses one of them alone afterwards is not understood (``CannotMerge``).
So it is with the greatest of several, and with numbers that are put in order.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from operator import eq, ge, gt, le, lt, ne
from typing import Any, NoReturn, Protocol, TypeGuard, TypeVar

from .handful import CannotMerge, Deciding, Handful, Pool, ReadTwice
from .standing import sorts
from .ways import AnyFace, AnyFall, Fall, Tallied, Ways, convolved

V = TypeVar("V")
Worth = tuple[int, ...]
"""How many times an unknown is added; for one that is several numbers at once, how many times each of them."""
_ONCE: Worth = (1,)
_NEVER: Worth = (0,)
Parts = Mapping[int, Worth]
"""What a number is the sum of, by the number of each unknown."""
_MOST_TOGETHER = 100_000
MOST_IN_VAIN = 300_000
"""How many rows may be made of numbers that turn out to be too many at once, before a rule is weighed another way."""


def _times(worth: Worth, by: int) -> Worth:
    return tuple([each * by for each in worth])


def _worth_of(value: AnyFace, worth: Worth) -> int:
    made: int = value * worth[0] if len(worth) == 1 else sum(map(int.__mul__, value, worth))
    return made


class Chances(Protocol):
    """What decides over stand-ins: the dice."""

    def decision(self) -> AnyFace:
        """The next decision, which was taken before."""
        ...

    def certain(self, value: V) -> V:
        """Note a decision that could only be taken so."""
        ...

    def ask(self, fall: Fall[V], more: int = 0) -> V:
        """Take a decision in one of these ways, to which so much is added if it is a number."""
        ...

    def give_up(self, why: CannotMerge | None = None) -> NoReturn:
        """Say that the rule makes of its numbers what is not understood."""
        ...


_NOTHING: Ways[int] = Ways({0: 1}, 1)
_APART: dict[int, Worth] = {-1: _ONCE}
"""Part of what was not added up: no number is a multiple of it."""


class Unknowns:
    """The unknowns of one run, and what each may be."""

    __slots__ = ("_folded", "_known", "_read_again", "chances", "falls", "in_vain", "repeats", "rows")

    def __init__(self, chances: Chances, read_again: Container[object]) -> None:
        self.chances = chances
        self._read_again = read_again
        """Where handfuls are thrown that are read again once they were summed up."""
        self.repeats = False
        """Whether only what was decided before is decided again: what the numbers may be does not matter then."""
        self._known: dict[tuple[object, ...], tuple[Any, ...]] = {}
        """What was once worked out: falls are known by their identity, and stay alive as long as the question."""
        self.rows = self.in_vain = 0
        """How many numbers were written in rows, in all runs; and how many rows of numbers that were too many."""
        self.falls: list[AnyFall | Handful] = []
        self._folded: dict[int, tuple[int, Parts]] = {}
        """Unknowns that were compared or drawn as a sum: the number of that sum, and what it is made of."""

    def begin(self, repeats: bool) -> None:
        """Nothing was thrown yet."""
        self.repeats = repeats
        self.falls.clear()
        self._folded.clear()

    def new(self, fall: AnyFall) -> StandIn:
        """A number of which only that is known."""
        self.falls.append(fall)
        return StandIn(self, {len(self.falls) - 1: _ONCE})

    def decision(self) -> AnyFace:
        """The next decision, which was taken before."""
        return self.chances.decision()

    def certain(self, value: V) -> V:
        """Note a decision that could only be taken so."""
        return self.chances.certain(value)

    def ask(self, fall: Fall[V]) -> V:
        """Take a decision in one of these ways."""
        return self.chances.ask(fall)

    def give_up(self) -> NoReturn:
        """Say that the rule makes of its numbers what is not understood."""
        self.chances.give_up()

    def read_twice(self, thrown_at: object) -> NoReturn:
        """Say that a handful is read again of which nothing but one sum was to be read."""
        self.chances.give_up(ReadTwice(thrown_at))

    def pool(self, n: int, sides: int, thrown_at: object) -> AnyFace:
        """A handful of dice of which nothing is known yet."""
        return Pool(*self._handful(n, dict.fromkeys(range(1, sides + 1), 1), thrown_at))

    def _handful(
        self, n: int, weights: Mapping[int, int], thrown_at: object = None
    ) -> tuple[Handful, tuple[StandIn, ...]]:
        decides: Deciding = self
        handful = Handful(n, weights, decides, thrown_at, folds=thrown_at not in self._read_again)
        self.falls.append(handful)
        at = len(self.falls) - 1
        return handful, tuple([StandIn(self, {at: unit}) for unit in handful.units])

    def worth(self, numbers: AnyFace, each: Callable[[int], int | None]) -> AnyFace:
        """The sum of what dice are worth by their faces, if they are all those of a handful; None, if it is not known.

        It is left open if nothing else is to be read of them; or else it is counted how many dice are worth what.
        """
        if self.repeats:
            known = self.chances.decision()
            return StandIn(self, {}) if known is True else known
        at = next(iter(numbers[0].parts), -1)
        handful = self.falls[at] if at >= 0 else None
        if not isinstance(handful, Handful) or not handful.are_all([number.parts.get(at) for number in numbers]):
            return self.chances.certain(None)
        handful.check()
        worths = {face: each(face) for face in handful.weights}
        known_worths = {face: worth for face, worth in worths.items() if worth is not None}
        if len(known_worths) < len(worths):
            return self.chances.certain(None)
        if handful.folds:
            self.chances.certain(True)
            made = self.new(handful.worth(known_worths))
            handful.spent = True
            return made
        return self.chances.certain(handful.counted_worth(known_worths))

    def by_counts(
        self, pool: Pool, faces: frozenset[int], step: Callable[[AnyFace, int, int], AnyFace], start: AnyFace
    ) -> AnyFace:
        """What a step makes of how many dice of a pool show each of some faces, if nothing else is to be read of it."""
        if self.repeats:
            return StandIn(self, {}) if self.chances.decision() else None
        fall: AnyFall | None = None
        if pool.handful.folds:
            pool.handful.check()
            try:
                fall = pool.handful.by_counts(faces, step, start)
            except Exception:  # it reads something else, too
                fall = None
        if not self.chances.certain(fall is not None) or fall is None:
            return None
        pool.handful.spent = True
        return self.new(fall)

    def ordered(self, numbers: list[StandIn]) -> list[StandIn] | None:
        """Numbers from the lowest, if they are alike and each is an unknown of its own; None, if they are not."""
        if self.repeats:
            return list(numbers) if self.chances.decision() else None
        forms = [self.settled(number.parts, number.more) for number in numbers]
        ats = [at for parts, _ in forms for at in parts]
        falls = [self.falls[at] for at in ats]
        first = falls[0] if falls else None
        alike = (first is not None and not isinstance(first, Handful) and all(fall is first for fall in falls)
                 and all(parts == {at: _ONCE} and not more for (parts, more), at in zip(forms, ats, strict=False))
                 and len({*ats}) == len(forms) == len(ats))
        if not self.chances.certain(alike) or isinstance(first, Handful) or first is None:
            return None
        _, faces = self._handful(len(numbers), {face: first.ways[face] for face in sorted(first.ways)})
        self._folded |= dict.fromkeys(ats, (len(self.falls) - 1, dict.fromkeys(ats, _ONCE) | _APART))
        return list(faces)

    def better(self, one: AnyFace, other: AnyFace, best: Callable[[int, int], int]) -> AnyFace:
        """The greater of two numbers, or the less; None, if it is not known without comparing them."""
        if self.repeats:
            return StandIn(self, {}) if self.chances.decision() else None
        forms = [self.settled(number.parts, number.more) if is_stand_in(number) else ({}, int(number))
                 for number in (one, other)]
        (mine, more), (yours, plus) = forms
        parts = {**mine, **yours}
        handful = any(isinstance(self.falls[at], Handful) for at in parts)
        apart = bool(parts) and len(parts) == len(mine) + len(yours) and not handful
        if not self.chances.certain(apart):
            return None

        def make(first: AnyFall, second: AnyFall) -> AnyFall:
            ways: Tallied = {}
            for value, count in first.ways.items():
                for other, again in second.ways.items():
                    made = best(value + more, other + plus)
                    ways[made] = ways.get(made, 0) + count * again
            return Ways(ways, first.total * second.total)

        nothing: AnyFall = _NOTHING
        first, second = (self.spread(of) if of else nothing for of in (mine, yours))
        made = self.new(self.kept((id(first), id(second), best, more, plus), lambda: make(first, second),
                                  first, second))
        self._folded |= dict.fromkeys(parts, (len(self.falls) - 1, parts | _APART))
        return made

    def become(self, numbers: tuple[StandIn, ...], fall: AnyFall) -> None:
        """Let these numbers be those of a fall of several at once."""
        self.repeats = False
        at = len(self.falls)
        self.falls.append(Ways({value: ways for (value,), ways in fall.ways.items()}, fall.total)
                          if len(numbers) == 1 else fall)
        for nth, number in enumerate(numbers):
            number.parts = {at: tuple(int(nth == other) for other in range(len(numbers)))}
            number.more = 0

    def kept(self, key: tuple[object, ...], make: Callable[[], Any], *alive: object) -> Any:
        """The same, made once."""
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = (make(), *alive)
        return found[0]

    def settled(self, parts: Parts, more: int) -> tuple[Parts, int]:
        """What a number is the sum of now: sums that were compared as such, and without what is known."""
        for at, worth in parts.items():
            fall = self.falls[at]
            if at in self._folded:
                whole, made_of = self._folded[at]
                left = {other: each for other, each in parts.items() if other not in made_of}
                by = next(each // one for each, one in zip(worth, made_of[at], strict=True) if one)
                if any(parts.get(other) != _times(each, by) for other, each in made_of.items()):
                    self.give_up()
                by += left.get(whole, _NEVER)[0]
                return self.settled({**left, whole: (by,)} if by else left, more)
            if not isinstance(fall, Handful) and len(fall.ways) == 1:
                (value, ways), = fall.ways.items()
                if ways == fall.total:
                    left = {other: each for other, each in parts.items() if other != at}
                    return self.settled(left, more + _worth_of(value, worth))
        return parts, more

    def one(self, parts: Parts) -> tuple[int, Worth]:
        """A number as one unknown, which it is from now on if it was the sum of several."""
        if len(parts) > 1 or isinstance(self.falls[next(iter(parts))], Handful):
            self.falls.append(self.spread(parts))
            whole = len(self.falls) - 1
            self._folded |= dict.fromkeys(parts, (whole, parts))
            return whole, _ONCE
        (at, worth), = parts.items()
        return at, worth

    def spread(self, parts: Parts) -> Fall[int]:
        """All that a sum of unknowns may be."""
        made: AnyFall | None = None
        for at, worth in parts.items():
            fall = self._scaled(self.falls[at], worth)
            made = fall if made is None else self._both(made, fall)
        assert made is not None
        return made

    def _both(self, one: AnyFall, other: AnyFall) -> AnyFall:
        added: AnyFall = self.kept((id(one), id(other), "+"), lambda: convolved(one, other), one, other)
        return added

    def together(self, numbers: tuple[StandIn, ...]) -> Fall[tuple[int, ...]]:
        """All that several numbers may be at once."""
        forms = [self.settled(number.parts, number.more) for number in numbers]
        if len(forms) == 1 and forms[0][0]:
            (parts, more), = forms
            sums = self.spread(parts)
            return Ways({(value + more,): ways for value, ways in sums.ways.items()}, sums.total)
        rows: dict[tuple[int, ...], int] = {tuple(more for _, more in forms): 1}
        total = 1
        for at in {at: None for parts, _ in forms for at in parts}:
            worths = [parts.get(at) for parts, _ in forms]
            fall, later = self.falls[at], dict[tuple[int, ...], int]()
            if isinstance(fall, Handful) or len(rows) * len(fall.ways) > _MOST_TOGETHER:
                self.in_vain += len(rows)
                self.give_up()
            self.rows += len(rows) * len(fall.ways) * len(numbers)
            for value, count in fall.ways.items():
                adds = [_worth_of(value, worth) if worth else 0 for worth in worths]
                for row, ways in rows.items():
                    now = tuple(map(int.__add__, row, adds))
                    later[now] = later.get(now, 0) + ways * count
            rows, total = later, total * fall.total
        return Ways(rows, total)

    def _scaled(self, fall: AnyFall | Handful, worth: Worth) -> Fall[int]:
        if isinstance(fall, Handful):
            known = fall.spread(worth)
            if known is None:
                self.give_up()
            return known
        if worth == _ONCE:
            return fall

        def make() -> Fall[int]:
            ways: Tallied = {}
            for value, count in fall.ways.items():
                made = _worth_of(value, worth)
                ways[made] = ways.get(made, 0) + count
            return Ways(ways, fall.total)

        scaled: Fall[int] = self.kept((id(fall), worth), make, fall)
        return scaled

    def draw(self, parts: Parts, more: int) -> int:
        """The number itself; its unknown is from now on what gives that number."""
        at, worth = self.one(parts)
        fall = self._fall(at)
        number = self.chances.ask(self._scaled(fall, worth), more)
        self.falls[at] = self._divided(fall, worth, eq, number - more)[1]
        return number

    def _fall(self, at: int) -> AnyFall:
        fall = self.falls[at]
        assert not isinstance(fall, Handful), "taken as one unknown, a handful is a sum"
        return fall

    def stands(self, parts: Parts, how: Callable[[int, int], bool], limit: int) -> bool:
        """Whether a sum of unknowns compares so: two branches, and in each it can only be what does."""
        of_handful = self._of_handful(parts, how, limit)
        if of_handful is not None:
            return self.chances.certain(of_handful)
        at, worth = self.one(parts)
        fall = self._fall(at)
        no, yes = self._divided(fall, worth, how, limit)
        if not no.ways or not yes.ways:
            return self.chances.certain(bool(yes.ways))
        stands: bool = self.chances.ask(self.kept(
            (id(no), id(yes), id(fall)), lambda: Ways({False: no.total, True: yes.total}, fall.total), no, yes, fall))
        self.falls[at] = yes if stands else no
        return stands

    def _of_handful(self, parts: Parts, how: Callable[[int, int], bool], limit: int) -> bool | None:
        """Whether a die of a handful compares so, with a number or with another die of it; None, for anything else."""
        (at, worth), *others = parts.items()
        handful = self.falls[at]
        if others or not isinstance(handful, Handful):
            return None
        place = handful.alone.get(id(worth))
        if place is not None:
            return handful.stands(place, how, limit)
        if limit or [each for each in sorted(worth) if each] != [-1, 1]:
            return None
        higher = worth.index(1) > worth.index(-1)  # what is compared is the higher of the two, less the other, or not
        if how in ((ge, lt) if higher else (le, gt)):
            return how in (ge, le)
        return how(1 if higher else -1, 0) if how not in (eq, ne) and sorts() else None

    def _divided(
        self, fall: AnyFall, worth: Worth, how: Callable[[int, int], bool], limit: int
    ) -> tuple[AnyFall, AnyFall]:
        """What an unknown may be if it does not compare so, and if it does."""
        def make() -> tuple[AnyFall, AnyFall]:
            no: Tallied = {}
            yes: Tallied = {}
            for value, count in fall.ways.items():
                (yes if how(_worth_of(value, worth), limit) else no)[value] = count
            return Ways(no, sum(no.values())), Ways(yes, sum(yes.values()))

        divided: tuple[AnyFall, AnyFall] = self.kept((id(fall), worth, how, limit), make, fall)
        return divided


class StandIn:
    """A number that is not drawn yet."""

    __slots__ = ("more", "parts", "unknowns")
    __class__: Any = property(lambda self: int)
    """To a rule that asks, a whole number."""

    def __init__(self, unknowns: Unknowns, parts: Parts, more: int = 0) -> None:
        self.unknowns = unknowns
        self.parts = parts
        self.more = more

    def open(self) -> tuple[Parts, int]:
        """What it is the sum of, and what is added; nothing of the first, once it is known."""
        self.parts, self.more = self.unknowns.settled(self.parts, self.more)
        return self.parts, self.more

    def value(self) -> int:
        """The number, drawn now if it was not."""
        chances = self.unknowns.chances
        if self.unknowns.repeats:
            number: int = chances.decision()
            return number
        parts, more = self.open()
        return self.unknowns.draw(parts, more) if parts else chances.certain(more)

    def _sum(self, other: AnyFace, sign: int = 1, mine: int = 1) -> AnyFace:
        if not isinstance(other, int):
            return mine * self.value() + sign * other
        if self.unknowns.repeats:
            return StandIn(self.unknowns, self.parts)
        others, plus = (other.parts, other.more) if is_stand_in(other) else ({}, int(other))
        parts, more = self.parts, self.more
        made = {at: _times(worth, mine) for at, worth in parts.items()} if mine != 1 else dict(parts)
        for at, worth in others.items():
            each = _times(worth, sign)
            made[at] = tuple(map(int.__add__, made[at], each)) if at in made else each
        if len(made) < len(parts) + len(others):
            made = {at: worth for at, worth in made.items() if any(worth)}
        more = mine * more + sign * plus
        return StandIn(self.unknowns, made, more)

    def __add__(self, other: AnyFace) -> AnyFace:
        return self._sum(other)

    __radd__ = __add__

    def __sub__(self, other: AnyFace) -> AnyFace:
        return self._sum(other, sign=-1)

    def __rsub__(self, other: AnyFace) -> AnyFace:
        return self._sum(other, mine=-1)

    def __neg__(self) -> AnyFace:
        return self._sum(0, mine=-1)

    def __pos__(self) -> AnyFace:
        return self

    def __mul__(self, other: AnyFace) -> AnyFace:
        if type(other) is int and other:
            return self._sum(0, mine=other)
        return self.value() * other

    __rmul__ = __mul__

    def _stands(self, how: Callable[[AnyFace, AnyFace], bool], other: AnyFace) -> bool:
        if is_stand_in(other):
            stands: bool = (self - other)._stands(how, 0)
            return stands
        if type(other) not in (int, bool):
            return how(self.value(), other)
        chances = self.unknowns.chances
        if self.unknowns.repeats:
            return bool(chances.decision())
        parts, more = self.open()
        return self.unknowns.stands(parts, how, other - more) if parts else chances.certain(how(more, other))

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


def is_stand_in(value: object) -> TypeGuard[StandIn]:
    """Whether it is a stand-in; to a rule that asks, it is a whole number."""
    return type(value) is StandIn


def _drawn(name: str) -> Callable[..., Any]:
    method = getattr(int, name)

    def ask(self: StandIn, *others: AnyFace) -> AnyFace:
        return method(self.value(), *(other.value() if is_stand_in(other) else other for other in others))

    return ask


for _name in ("__index__", "__int__", "__float__", "__abs__", "__round__", "__trunc__", "__floor__", "__ceil__",
              "__floordiv__", "__rfloordiv__", "__mod__", "__rmod__", "__truediv__", "__rtruediv__", "__divmod__",
              "__rdivmod__", "__pow__", "__rpow__", "__and__", "__or__", "__xor__", "__lshift__", "__rshift__",
              "__repr__", "__str__", "__format__", "bit_length", "bit_count"):
    setattr(StandIn, _name, _drawn(_name))
