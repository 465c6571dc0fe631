"""A heavy rule as people write it: what it leaves to functions of its own and to Python's is kept in sight.

A copy of the rule is run. A function that it gives the dice to, with plain values, is weighed by itself, as if it were
resolved: ``sum(explode(dice) for _ in range(5))`` throws one kind of die five times. And in the place of ``sum``,
``max``, ``min`` and ``sorted`` it calls those below, which do the same: what they have so far can be seen while they go
through what throws, and they know of numbers that are not drawn what comes of them without comparing them.
"""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Callable, Iterable
from itertools import chain
from operator import add, length_hint
from sys import getrefcount
from types import CellType, CodeType, FunctionType, GeneratorType
from typing import NoReturn, Protocol, TypeAlias
from weakref import ref

from .handful import Counted, Pool
from .in_view import MADE, ROWS, SENT, THROUGH_CALL, in_view
from .places import THROUGH
from .reach import Reach, reached, reads
from .standin import is_stand_in
from .standing import SORTING, InSight
from .told import ITERATORS, OutOfSight, at_rest, is_known, plain_told
from .ways import AnyFace, AnyFall

Function = Callable[..., AnyFace]


class Helping(Protocol):
    """Dice that weigh a function by itself."""

    def helped(self, function: Function, args: tuple[object, ...], reach: Reach) -> AnyFall | None:
        """What it gives; None, if it is to be run."""
        ...

    def fallen(self, fall: AnyFall) -> AnyFace:
        """One of these."""
        ...

    def give_up(self) -> NoReturn:
        """Say that the rule does what is not understood."""
        ...


class Plainly:
    """Copies of a rule and of its functions, for one question."""

    __slots__ = ("_dice", "_in_view", "_originals")

    def __init__(self, dice: Helping, reach: Reach) -> None:
        self._dice = dice
        self._in_view = not reach.throws_in
        """Whether functions are written again so that more is in sight."""
        self._originals: dict[int, tuple[FunctionType, FunctionType]] = {}
        """What calls a function in its place, by identity, and that function."""

    def copy(self, rule: Function) -> Function:
        """The rule, calling what is in sight; a function with which it does something else as well stays as it is."""
        if type(rule) is not FunctionType:
            return rule
        called = reads(rule.__code__).only_called
        space = {**rule.__globals__, **_WRITTEN, SENT: self._sent}
        ours: dict[str, Function] = {}
        if space.get("__builtins__") in (builtins, vars(builtins)):
            ours = {name: one for name, one in _OURS.items() if name in called and name not in space}
            space.update(ours)
        for name in called:
            if type(space.get(name)) is FunctionType and space[name] is rule.__globals__.get(name):
                space[name] = space[name] if is_known(space[name]) else self._helper(space[name])
        cells = tuple([self._cell(cell) if name in called else cell
                       for name, cell in zip(rule.__code__.co_freevars, rule.__closure__ or (), strict=True)])
        code = in_view(rule.__code__, _MERGING.intersection(ours)) if self._in_view else rule.__code__
        made = FunctionType(code, space, rule.__name__, rule.__defaults__, cells)
        made.__kwdefaults__ = rule.__kwdefaults__
        return made

    def original(self, function: AnyFace) -> AnyFace:
        """The function in the place of which another is called."""
        found = self._originals.get(id(function))
        return function if found is None else found[1]

    def _sent(self, value: AnyFace) -> None:
        if value is not None:
            self._dice.give_up()

    def _cell(self, cell: CellType) -> CellType:
        try:
            within = cell.cell_contents
        except ValueError:  # nothing in it yet
            return cell
        return CellType(self._helper(within)) if type(within) is FunctionType and not is_known(within) else cell

    def _helper(self, function: FunctionType) -> FunctionType:
        """What is called in the place of a function."""
        for made, known in self._originals.values():
            if known is function:
                return made
        dice, reach = self._dice, reached(function)
        copies: list[Function] = []

        def helper(*args: AnyFace, **named: AnyFace) -> AnyFace:
            if args and args[0] is dice and reach.alone and not named:
                fall = dice.helped(function, args[1:], reach)
                if fall is not None:
                    return dice.fallen(fall)
            if not copies:
                copies.append(self.copy(function))
            return copies[0](*args, **named)

        assert isinstance(helper, FunctionType)
        self._originals[id(helper)] = helper, function
        return helper


def _helped(helper: FunctionType) -> FunctionType:
    """The function in the place of which another is called."""
    at = helper.__code__.co_freevars.index("function")
    function: FunctionType = (helper.__closure__ or ())[at].cell_contents
    return function


# --- In the place of Python's


def _sum(values: Iterable[AnyFace], /, start: AnyFace = 0) -> AnyFace:
    if type(values) is not GeneratorType:
        return sum(values, start)
    known = _read_at_once(values, sum, add)
    if known is not None:
        return start + known
    so_far = start
    for value in values:
        if type(value) is float:
            return _sum_of_the_rest(so_far, value, values)
        so_far = so_far + value
    return so_far


def _sum_of_the_rest(so_far: AnyFace, value: float, values: Iterable[AnyFace]) -> AnyFace:
    """Those are added up with care, and in one go: what there is so far is not in sight."""
    return sum(chain((value,), values), so_far)


def _any(values: Iterable[AnyFace], /) -> bool:
    if type(values) is not GeneratorType or getrefcount(values) > _NOBODY_ELSE:
        return any(values)
    known = _read_at_once(values, any, lambda so_far, value: int(bool(so_far or value)))
    return _found(values, True) if known is None else known > 0


def _all(values: Iterable[AnyFace], /) -> bool:
    if type(values) is not GeneratorType or getrefcount(values) > _NOBODY_ELSE:
        return all(values)
    known = _read_at_once(values, lambda faces: not all(faces), lambda so_far, value: int(bool(so_far or not value)))
    return not _found(values, False) if known is None else known == 0


def _found(values: Iterable[AnyFace], wanted: bool) -> bool:
    for value in values:  # noqa: SIM110 - what goes through the values is in sight
        if bool(value) is wanted:
            return True
    return False


Values: TypeAlias = "GeneratorType[AnyFace, None, None]"
Again = Callable[..., Iterable[AnyFace]]


def _read_at_once(values: Values, read: Callable[[Iterable[AnyFace]], AnyFace], both: Function) -> AnyFace:
    """What an expression over a large pool gives in all, without going through it; None, for any other."""
    known = _worth(values, read)
    if known is None:
        known = _by_counts(values, both, 0)
    if known is not None:
        values.close()
    return known


def _worth(values: Values, read: Callable[[Iterable[AnyFace]], AnyFace]) -> AnyFace:
    """What ``(... for face in pool)`` gives in all, read face by face; None, if it goes through anything else.

    What is written there depends on one face at a time, and neither throws nor reads what is not drawn.
    """
    written = _written(values)
    if written is None:
        return None
    dice, known, again = written
    if len(dice) < 2 or not all(map(is_stand_in, dice)) or any(map(_is_hidden, known)):
        return None

    def each(face: int) -> int | None:
        try:
            found = read(again(iter((face,)), *known))
        except Exception:
            return None
        return int(found) if isinstance(found, int) and not is_stand_in(found) else None

    return dice[0].unknowns.worth(dice, each)


def _by_counts(values: Values, both: Function, start: AnyFace) -> AnyFace:
    """What ``(... pool.count(face) ... for face in ...)`` gives, one face after the other; None for anything else."""
    written = _written(values)
    pools = [] if written is None else [one for one in written[1] if type(one) is Pool]
    if written is None or len(pools) != 1 or len({*written[0]}) < len(written[0]):
        return None
    faces, known, again = written
    if any(type(one) is not Pool and _is_hidden(one) for one in known):
        return None

    def step(so_far: AnyFace, face: int, count: int) -> AnyFace:
        counted = Counted(face, count)
        for value in again(iter((face,)), *(counted if type(one) is Pool else one for one in known)):
            so_far = both(so_far, value)
        return counted.vouched(so_far)

    return pools[0].unknowns.by_counts(pools[0], frozenset(faces), step, start)


def _written(values: Values) -> tuple[tuple[AnyFace, ...], list[AnyFace], Again] | None:
    """What ``(... for ... in ...)`` will go through, what else it reads, and what does the same again."""
    frame = values.gi_frame
    if frame is None or frame.f_code.co_name != "<genexpr>" or inspect.getgeneratorstate(values) != inspect.GEN_CREATED:
        return None
    code, known = frame.f_code, frame.f_locals
    facts = reads(code)
    if facts.sets or facts.rebinds or _holders(frame) > _ALONE:
        return None
    through: AnyFace = known[THROUGH]
    if type(through) not in ITERATORS:
        return None
    over = through.__reduce__()[1][0]
    if length_hint(through) < len(over):
        return None

    def again(faces: Iterable[int], *kept: AnyFace) -> Iterable[AnyFace]:
        made: Again = FunctionType(code, frame.f_globals, code.co_name, (), tuple(map(CellType, kept)))
        return made(faces)

    return tuple(over), [known.get(name) for name in code.co_freevars], again


def _holders(frame: AnyFace) -> int:
    """How many know what an expression goes through."""
    return getrefcount(frame.f_locals[THROUGH])


def _is_hidden(value: AnyFace, within: tuple[object, ...] = ()) -> bool:
    """Whether it is not plain: a number that is not drawn, the dice, a function that keeps something."""
    if type(value) is FunctionType:
        function = _helped(value) if value.__code__ is IN_SIGHT.helper else value
        facts, empty = reads(function.__code__), CellType()
        kept = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values(),
                *(cell.cell_contents for cell in function.__closure__ or () if cell != empty))
        return facts.sets or any(_is_hidden(one, (*within, value)) for one in kept
                                 if not any(one is known for known in within) and one is not value)
    try:
        plain_told(value)
    except OutOfSight:
        return True
    return False


def _max(*given: AnyFace, **how: AnyFace) -> AnyFace:
    if how or len(given) != 1 or type(given[0]) is not GeneratorType:
        return _best(max, given, how)
    return _greatest(max, *given)


def _min(*given: AnyFace, **how: AnyFace) -> AnyFace:
    if how or len(given) != 1 or type(given[0]) is not GeneratorType:
        return _best(min, given, how)
    return _greatest(min, *given)


def _best(best: Function, given: tuple[AnyFace, ...], how: dict[str, AnyFace]) -> AnyFace:
    listed = tuple(given[0]) if len(given) == 1 else given
    if how or not any(map(is_stand_in, listed)):
        return best(listed, **how) if len(given) == 1 else best(*given, **how)
    so_far = listed[0]
    for value in listed[1:]:
        so_far = _better(best, so_far, value)
    return so_far


def _greatest(best: Function, values: Values) -> AnyFace:
    known = _by_counts(values, lambda so_far, value: value if so_far is None else best(so_far, value), None)
    if known is not None:
        values.close()
        return known
    so_far = _NONE
    for value in values:
        so_far = value if so_far is _NONE else _better(best, so_far, value)
    return best(()) if so_far is _NONE else so_far


def _better(best: Function, one: AnyFace, other: AnyFace) -> AnyFace:
    number = one if is_stand_in(one) else other
    if is_stand_in(number) and isinstance(one, int) and isinstance(other, int):
        known = number.unknowns.better(one, other, best)
        if known is not None:
            return known
    return best(one, other)


def _sorted(values: Iterable[AnyFace], /, **how: AnyFace) -> list[AnyFace]:
    listed = _list(values)
    if len(listed) > 1 and all(map(is_stand_in, listed)) and not {*how} - {"reverse"}:
        known: list[AnyFace] | None = listed[0].unknowns.ordered(listed)
        if known is not None:
            return known[::-1] if how.get("reverse") else known
    return sorted(listed, **how)


def _next(values: AnyFace, /, *otherwise: AnyFace) -> AnyFace:
    return next(values, *otherwise)


# --- What is made, and gone through


def _list(values: Iterable[AnyFace] = (), /) -> list[AnyFace]:
    if type(values) is not GeneratorType:
        return list(values)
    so_far: list[AnyFace] = []
    for value in values:
        so_far.append(value)  # noqa: PERF402 - in sight
    return so_far


def _tuple(values: Iterable[AnyFace] = (), /) -> tuple[AnyFace, ...]:
    return tuple(_list(values)) if type(values) is GeneratorType else tuple(values)


def _set(values: Iterable[AnyFace] = (), /) -> set[AnyFace]:
    if type(values) is not GeneratorType:
        return set(values)
    so_far: set[AnyFace] = set()
    for value in values:
        so_far.add(value)
    return so_far


def _dict(values: Iterable[tuple[AnyFace, AnyFace]], /) -> dict[AnyFace, AnyFace]:
    so_far: dict[AnyFace, AnyFace] = {}
    for key, value in values:
        so_far[key] = value  # noqa: PERF403 - in sight
    return so_far


def _rows(rows: Iterable[Iterable[AnyFace]]) -> Iterable[AnyFace]:
    for row in rows:
        for value in row:  # noqa: UP028 - what stops half-way in ``yield from`` is out of sight
            yield value


def _through(values: Iterable[AnyFace], kept: list[AnyFace], /) -> Iterable[AnyFace]:
    """What a loop goes through; kept where it can be seen, but no longer than it is needed."""
    goes = iter(values)
    if type(goes) is GeneratorType:
        kept.append(ref(goes))
    elif at_rest(goes):
        kept.append(goes)
    return goes


def _as_written(make: Function) -> Function:
    """Make something of an expression; a ``StopIteration`` in it is the rule's own, as in a list that is being made."""
    def made(values: Iterable[AnyFace], /) -> AnyFace:
        try:
            return make(values)
        except RuntimeError as fault:
            if isinstance(fault.__cause__, StopIteration):
                raise fault.__cause__ from None
            raise

    return made


_NONE = ()
_NOBODY_ELSE = 2
_NOTHING: AnyFace = (_ for _ in ())
_ALONE = _holders(_NOTHING.gi_frame)
"""Who holds what an expression goes through, if nobody else reads of it."""
_OURS: dict[str, Function] = {"sum": _sum, "max": _max, "min": _min, "sorted": _sorted, "any": _any, "all": _all,
                              "list": _list, "tuple": _tuple, "set": _set, "next": _next}
_MERGING = frozenset({"sum", "max", "min"})
"""Those that read what they go through one by one, and keep none of it."""
_WRITTEN: dict[str, Function] = {THROUGH_CALL: _through, ROWS: _rows, **{
    MADE[kind]: _as_written(make) for kind, make in (("ListComp", _list), ("SetComp", _set), ("DictComp", _dict))}}
SORTING += [_max, _min, _sorted]


def _helper_code() -> CodeType:
    within = Plainly._helper.__code__.co_consts
    return next(code for code in within if isinstance(code, CodeType) and code.co_name == "helper")


IN_SIGHT = InSight(
    _helper_code(), _helped,
    readers=frozenset(one.__code__ for one in (_sum, _found, _greatest, _list, _set, _dict, _next)),
    passing=frozenset(one.__code__ for one in (_any, _all, _max, _min, _sorted, _tuple, _WRITTEN[MADE["ListComp"]])))
"""What may be under way between the functions of a rule."""
