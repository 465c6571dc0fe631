"""Where a rule stands when it throws: two of its runs that stand alike go on alike, so that they can be joined.

A rule that stands at a throw is known by its functions under way: for each, the instruction, the variables that are
read later on, and what it keeps out of sight meanwhile. Of the last, Python tells nothing, so this reads the
function's instructions once and says at which of its calls there is nothing else: no more than loops over ``range``,
over tuples of constants and over what a generator goes through, which are known by their variable or by how far they
are, and variables and constants that are also to be found in sight. At any other call (within a list that is being
made, an expression half worked out) nothing is claimed, and runs are not joined. What :mod:`.plainly` runs in the place
of ``sum``, ``max`` and ``min`` keeps what it has so far in sight.
"""

from __future__ import annotations

import builtins
import dis
import re
import sys
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import fields
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from operator import length_hint
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any, NamedTuple

from .distribution import Odds
from .ways import AnyFace, Deck, Kinds, Take

THROWS = frozenset({"sum", "pool", "counts", "faces", "highest", "lowest", "gather", "deal", "repeat", "highest_of",
                    "lowest_of", "resolve"})
_LOADS = ("LOAD_FAST", "LOAD_CONST", "LOAD_SMALL_INT", "LOAD_GLOBAL", "LOAD_DEREF", "PUSH_NULL")
_WORKED_OUT = (*_LOADS, "BINARY_OP", "UNARY_NEGATIVE")
_CALLS = {"PRECALL": 2, "CALL": 2, "CALL_KW": 3}
"""Instructions that call, with what they take beside the arguments; where there is the first, it tells how deep."""
_METHODS = ("LOAD_METHOD", "LOAD_ATTR")
_FAST = re.compile("(?:LOAD|STORE)_FAST")
_LEAVE = ("RETURN_VALUE", "RETURN_CONST", "RAISE", "RERAISE", "JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_ABSOLUTE")
_PRYING = frozenset({"locals", "vars", "eval", "exec", "dir"})
_GENERATOR, _NOT_IN_ORDER = 0x20, 0x80 | 0x200
"""Functions that stop half-way: generators; coroutines."""
THROUGH = ".0"
"""The variable of what an expression such as ``(... for _ in ...)`` goes through."""
ITERATORS = frozenset({type(iter(range(0))), type(iter(()))})


class CallSite(NamedTuple):
    """A call at which nothing is out of sight."""

    called: str
    """The variable, or the global, that is called; or whose method is."""
    method: str
    """The method, if it is one."""
    loops: tuple[tuple[int, str, tuple[object, ...]], ...]
    """The loops around it, the outermost first: where each begins, its variable if it goes over a ``range`` or over
    constants, and these."""
    names: tuple[str, ...]
    """The variables on which it depends how the function goes on."""


class _Step(NamedTuple):
    at: int
    name: str
    says: Any
    """What it is about: a name, a constant, where it leads."""
    number: int
    before: int
    """How many values were put aside before it, and after."""
    after: int

    @property
    def loads(self) -> bool:
        return self.name.startswith(_LOADS)


@lru_cache(maxsize=1024)
def places(code: CodeType) -> dict[int, CallSite]:
    """The calls of a function at which nothing is out of sight, by where they stand."""
    stops = code.co_flags & _NOT_IN_ORDER or (code.co_flags & _GENERATOR and code.co_name != "<genexpr>")
    if stops or _PRYING & {*code.co_names}:
        return {}
    steps = _steps(code)
    targets = {step.says for step in steps if _jumps(step)}
    found = {}
    for at, step in _calling(steps):
        place = _place(code, steps, targets, at)
        if place is not None:
            found[step.at] = place
    return found


def _steps(code: CodeType) -> list[_Step]:
    """The instructions that are come by in order, with how many values are put aside before and after each."""
    listed = list(dis.get_instructions(code))
    at = {instruction.offset: index for index, instruction in enumerate(listed)}
    begins = 1 - dis.stack_effect(dis.opmap["RETURN_GENERATOR"]) if code.co_flags & _GENERATOR else 0
    depth: dict[int, int] = {0: begins}
    after: dict[int, int] = {}
    todo = [0]
    while todo:
        index = todo.pop()
        step = listed[index]
        argument = step.arg if step.opcode >= dis.HAVE_ARGUMENT else None
        after[index] = depth[index] + dis.stack_effect(step.opcode, argument, jump=False)
        leads = []
        if not step.opname.startswith(_LEAVE) and index + 1 < len(listed):
            leads.append((index + 1, after[index]))
        if step.opcode in dis.hasjrel or step.opcode in dis.hasjabs:
            leads.append((at[step.argval], depth[index] + dis.stack_effect(step.opcode, argument, jump=True)))
        for to, deep in leads:
            if to not in depth:
                depth[to] = deep
                todo.append(to)
    return [single for index, step in enumerate(listed) if index in depth for single in _singly(
        _Step(step.offset, step.opname, step.argval, step.arg or 0, depth[index], after[index]))]


def _singly(step: _Step) -> Iterator[_Step]:
    """An instruction; one that loads or stores two variables at once, as two."""
    if not isinstance(step.says, tuple) or "_FAST" not in step.name:
        yield step
        return
    deep = step.before
    for verb, name in zip(_FAST.findall(step.name), step.says, strict=True):
        after = deep + (1 if verb == "LOAD_FAST" else -1)
        yield _Step(step.at, verb, name, 0, deep, after)
        deep = after


def _jumps(step: _Step) -> bool:
    return "JUMP" in step.name or step.name in ("FOR_ITER", "SEND")


def _stored(step: _Step) -> tuple[str, ...]:
    """The variables that an instruction sets or clears."""
    if not step.name.startswith(("STORE_FAST", "DELETE_FAST", "LOAD_FAST_AND_CLEAR")):
        return ()
    return (step.says,)


def _read(step: _Step) -> tuple[str, ...]:
    """The variables that an instruction reads."""
    return (step.says,) if step.name.startswith("LOAD_FAST") else ()


def _place(code: CodeType, steps: list[_Step], targets: set[Any], at: int) -> CallSite | None:
    """What is known of one call; None, if something is out of sight there."""
    base = steps[at].before - steps[at].number - _CALLS[steps[at].name]
    loops = _loops_around(code, steps, at)
    if base < 0 or loops is None:
        return None
    begins = _begins(steps, targets, at, base)
    named = None if begins is None else _named(steps, begins, at, base)
    if begins is None or named is None:
        return None
    names = {*code.co_cellvars, *code.co_freevars, *_read_later(code, steps)[at]}
    iterators = set()
    for loop in loops:
        iterators.add(loop.slot)
        names |= {loop.variable, *loop.needs}
    for slot in range(base):
        if slot not in iterators:
            seen = _seen(steps, targets, at, slot)
            if seen is None:
                return None
            names |= {*seen}
    if len(iterators) != len(loops) or not iterators <= {*range(base)}:
        return None
    known = {loop.begins: loop for loop in loops}
    heads = sorted({step.says for step in steps[at:] if "BACKWARD" in step.name and step.says < steps[at].at})
    unknown = _Loop(0, 0, "", ())
    around = tuple((head, known.get(head, unknown).variable, known.get(head, unknown).over) for head in heads)
    return CallSite(*named, around, tuple(sorted(names)))


def _begins(steps: list[_Step], targets: set[Any], at: int, slot: int) -> int | None:
    """Where what stands in a slot at a call began to be worked out: from there on, one instruction follows another."""
    for index in range(at - 1, -1, -1):
        if _jumps(steps[index]) or steps[index + 1].at in targets:
            return None
        if steps[index].before <= slot:
            return index if steps[index].before <= slot < steps[index].after else None
    return None


def _seen(steps: list[_Step], targets: set[Any], at: int, slot: int) -> tuple[str, ...] | None:
    """The variables in which what stands in a slot is also to be seen: none, for a constant; None, if it is not."""
    begins = _begins(steps, targets, at, slot)
    if begins is not None and steps[begins].name in _METHODS:  # a method is bound to what stands in its variable
        begins -= 1
    if begins is None or not steps[begins].loads:
        return None
    since = steps[begins + 1 : at]
    if since and since[0].name in _METHODS and since[0].after == since[0].before + 1:
        since = since[1:]
    worked = [step for step in since if not step.loads]
    if any(min(step.before, step.after) <= slot + 1 or step.name in ("SWAP", "COPY") for step in worked):
        return None
    names = _read(steps[begins])
    return None if {*names} & {name for step in since for name in _stored(step)} else names


def _named(steps: list[_Step], begins: int, at: int, base: int) -> tuple[str, str] | None:
    """What is called: a variable or a global, and its method; ``dice.of(...)`` are the same dice."""
    first = steps[begins]
    if first.name == "PUSH_NULL":
        begins, first = begins + 1, steps[begins + 1]
    if not first.name.startswith(("LOAD_FAST", "LOAD_GLOBAL", "LOAD_DEREF")) or not isinstance(first.says, str):
        return None
    since = [step for step in steps[begins + 1 : at]
             if not step.loads and step.name != "KW_NAMES" and min(step.before, step.after) <= base + 2]
    methods = [step.says for step in since if step.name in _METHODS and step.after == base + 2]
    calls = [step for step in since if step.name == "CALL" and step.after < base + 2]
    others = [step for step in since if step.after < base + 2 and step.name not in _CALLS]
    if others or any(step.name in ("SWAP", "COPY") for step in steps[begins:at]):
        return None
    if not methods:
        return None if calls else (first.says, "")
    if methods[:-1] != ["of"] * len(calls) or methods[-1] == "of":
        return None
    return first.says, methods[-1]


class _Loop(NamedTuple):
    """A loop around a call, of which it is known how far it is."""

    begins: int
    slot: int
    """Where it keeps its place."""
    variable: str
    needs: tuple[str, ...]
    """The variables that say how far it goes."""
    over: tuple[object, ...] = ()
    """The constants that it goes over."""


def _loops_around(code: CodeType, steps: list[_Step], at: int) -> list[_Loop] | None:
    """The loops around a call over anything; None, if nothing is known of how far one of them is."""
    found = []
    in_handlers = _stored_in_handlers(code, steps)
    for index in range(at):
        if steps[index].name != "FOR_ITER":
            continue
        begins = steps[index].at
        ends = max((back for back, step in enumerate(steps) if "BACKWARD" in step.name and step.says == begins),
                   default=index)
        if ends < at:
            continue
        slot = steps[index].before - 1
        if _read(steps[index - 1]) == (THROUGH,):
            found.append(_Loop(begins, slot, THROUGH, ()))
            continue
        over = _constants(steps, index)
        needs = () if over else _range_needs(steps, index)
        variable = _stored(steps[index + 1])[:1]
        stored = in_handlers.union(*map(_set_by, steps[index + 2 : ends + 1]))
        if needs is None or not variable or stored & {*needs, *variable}:
            return None
        found.append(_Loop(begins, slot, variable[0], needs, over))
    return found


def _constants(steps: list[_Step], loop: int) -> tuple[object, ...]:
    """What a loop goes over if that is constants, no two of them alike; nothing, for a loop over anything else."""
    over = steps[loop - 2].says
    if steps[loop - 1].name != "GET_ITER" or steps[loop - 2].name != "LOAD_CONST" or type(over) is not tuple:
        return ()
    return over if len({*over}) == len(over) and all(type(one) in (int, str) for one in over) else ()


def _range_needs(steps: list[_Step], loop: int) -> tuple[str, ...] | None:
    """The variables that say how far a loop over ``range`` goes; None, for a loop over anything else."""
    if steps[loop - 1].name != "GET_ITER" or steps[loop - 2].name != "CALL":
        return None
    index = loop - 3 - (steps[loop - 3].name == "PRECALL")
    needs: list[str] = []
    while index >= 0 and steps[index].name.startswith(_WORKED_OUT):
        if steps[index].name == "LOAD_GLOBAL" and steps[index].says == "range":
            return tuple(needs)
        needs += (steps[index].says,) if steps[index].name == "LOAD_DEREF" else _read(steps[index])
        index -= 1
    return None


def _stored_in_handlers(code: CodeType, steps: list[_Step]) -> set[str]:
    """The variables that are set where an exception leads: those instructions stand elsewhere, and go on anywhere."""
    if not code.co_exceptiontable:
        return set()
    in_order = {step.at for step in steps}
    return {name for one in dis.get_instructions(code) if one.offset not in in_order
            for single in _singly(_Step(one.offset, one.opname, one.argval, 0, 0, 0)) for name in _set_by(single)}


def _set_by(step: _Step) -> tuple[str, ...]:
    """The variables that an instruction sets, those that functions within it read among them."""
    return (step.says,) if step.name in ("STORE_DEREF", "DELETE_DEREF") else _stored(step)


def _read_later(code: CodeType, steps: list[_Step]) -> list[set[str]]:
    """For each instruction, the variables that may be read after it before they are set anew."""
    if code.co_exceptiontable:  # a handler may read any
        return [{*code.co_varnames} for _ in steps]
    at = {step.at: index for index, step in reversed([*enumerate(steps)])}
    later: list[set[str]] = [set() for _ in steps]
    changed = True
    while changed:
        changed = False
        for index in range(len(steps) - 1, -1, -1):
            step = steps[index]
            leads = [index + 1] if not step.name.startswith(_LEAVE) and index + 1 < len(steps) else []
            leads += [at[step.says]] if _jumps(step) else []
            now = {name for to in leads for name in (later[to] - {*_stored(steps[to])}) | {*_read(steps[to])}}
            if now != later[index]:
                later[index] = now
                changed = True
    return later


def sorts() -> bool:
    """Whether what compares just now is ``max``, ``min`` or a sort of nothing but numbers: of equals, any may be the
    greater. With a ``key`` it would matter which."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__package__") == __package__:
        frame = frame.f_back
    if frame is None:
        return False
    called, method = _calls_to_sort(frame.f_code).get(_instruction(frame), ("", ""))
    known = {**frame.f_builtins, **frame.f_globals, **frame.f_locals}.get(called)
    return method == "sort" or (not method and (known in (max, min, sorted) or known in SORTING))


@lru_cache(maxsize=1024)
def _calls_to_sort(code: CodeType) -> dict[int, tuple[str, str]]:
    """What is called by the calls of a function without a ``key``, and which method of it, by where they stand."""
    steps = _steps(code)
    targets = {step.says for step in steps if _jumps(step)}
    found = {}
    for at, step in _calling(steps):
        base = step.before - step.number - _CALLS[step.name]
        begins = _begins(steps, targets, at, base)
        named = None if begins is None else _named(steps, begins, at, base)
        last = steps[at - 1]
        keywords = code.co_consts[last.number] if last.name == "KW_NAMES" else last.says
        if named is not None and not (isinstance(keywords, tuple) and "key" in keywords):
            found[step.at] = named
    return found


def _calling(steps: list[_Step]) -> Iterator[tuple[int, _Step]]:
    """The instructions that call, each call once."""
    for at, step in enumerate(steps):
        if step.name in _CALLS and not (step.name == "CALL" and steps[at - 1].name == "PRECALL"):
            yield at, step


SORTING: list[object] = []
"""What is run in their place."""


class OutOfSight(Exception):
    """Not all that the rule depends on is known here."""


class Whereabouts(NamedTuple):
    """Where a rule stands: alike for two runs that go on alike, but for the numbers that are not drawn."""

    where: tuple[object, ...]
    """All that is known of it, to be compared."""
    order: tuple[int, ...]
    """How far it has come: what is less far comes to what is farther, and not the other way round."""
    open: tuple[AnyFace, ...]
    """The numbers that are not drawn yet."""


class InSight(NamedTuple):
    """Functions of ours that may be under way between those of a rule."""

    helper: CodeType
    """Calls a function of the rule, which is its ``function``."""
    helped: Callable[[FunctionType], FunctionType]
    """The function that is called in the place of another."""
    readers: frozenset[CodeType]
    """Go through ``values``; what they have so far is in ``so_far``."""


def standing(
    frame: FrameType | None, runner: CodeType, dice: object, number: type, given: Collection[int], ours: InSight
) -> Whereabouts:
    """Where a rule stands whose throw is under way; what it was given is told by identity."""
    orders: list[int] = []
    told = _Told(dice, number, given, ours)
    where: list[object] = []
    if frame is not None:
        where += [told.of(value) for value in frame.f_locals.values()]
        frame = frame.f_back
    callee: CodeType | None = None
    resumed: FrameType | None = None
    while frame is not None and frame.f_code is not runner:
        code, variables = frame.f_code, frame.f_locals
        if code is ours.helper:
            callee, frame = variables["function"].__code__, frame.f_back
            continue
        if resumed is not None:
            if code not in ours.readers or getattr(variables["values"], "gi_frame", None) is not resumed:
                raise OutOfSight
            where += (code, told.of(variables["so_far"]))
            callee, frame, resumed = code, frame.f_back, None
            continue
        at = _instruction(frame)
        place = places(code).get(at)
        if place is None or "range" in frame.f_globals or frame.f_builtins.get("range") is not builtins.range:
            raise OutOfSight
        called = variables.get(place.called, frame.f_globals.get(place.called))
        if callee is None:
            if called is not dice or place.method not in THROWS:
                raise OutOfSight
        else:
            if place.method:
                called = getattr(called, place.method, None) if type(called) is ModuleType else None
            if type(called) is not FunctionType:
                raise OutOfSight
            if (ours.helped(called) if called.__code__ is ours.helper else called).__code__ is not callee:
                raise OutOfSight
        resumed = frame if code.co_flags & _GENERATOR else None
        callee, frame = code, frame.f_back
        where += (code, at)
        orders = _order(place, at, variables, orders)
        for name in place.names:
            if name not in variables or (name in code.co_freevars and frame is not None and frame.f_code is runner):
                continue
            where += (name, told.of(variables[name]))
    if frame is None or callee is None:
        raise OutOfSight
    return Whereabouts(tuple(where), tuple(orders), tuple(told.open))


def _order(place: CallSite, at: int, variables: Mapping[str, AnyFace], within: list[int]) -> list[int]:
    """How far a function is at a place, and then what it calls there; in a loop without a variable, nobody knows."""
    order: list[int] = []
    for head, variable, over in place.loops:
        order.append(head)
        if not variable:
            return order
        value = variables[variable]
        order.append(over.index(value) if over else -length_hint(value) if variable == THROUGH else value)
    return [*order, at, *within]


def _instruction(frame: FrameType) -> int:
    """Where the call under way begins: what the interpreter tells may lie within it."""
    listed = _in_order(frame.f_code)
    return listed[bisect_right(listed, frame.f_lasti) - 1]


@lru_cache(maxsize=1024)
def _in_order(code: CodeType) -> list[int]:
    listed = list(dis.get_instructions(code))
    return [one.offset for one, before in zip(listed, [None, *listed], strict=False)
            if before is None or before.opname != "PRECALL"]


class _Told:
    """Values as they may be compared: equal only if what goes on with them goes on alike."""

    def __init__(self, dice: object, number: type, given: Collection[int], ours: InSight) -> None:
        self.open: list[AnyFace] = []
        """The numbers among them that are not drawn yet."""
        self._dice, self._number, self._given, self._ours = dice, number, given, ours
        self._met: list[object] = []
        """Those that may change: one that is met again is the same one."""

    def of(self, value: AnyFace) -> object:
        """One of them."""
        if type(value) is self._number:
            return "open", _nth(value, self.open)
        if value is self._dice:
            return "dice"
        if id(value) in self._given:
            return id(value)
        kind = type(value)
        if kind in (list, dict, set, FunctionType):
            known = len(self._met)
            nth = _nth(value, self._met)
            return (kind, nth) if nth < known else (kind, nth, self._within(value))
        if kind is tuple or (issubclass(kind, tuple) and hasattr(kind, "_make")):
            return kind, *map(self.of, value)
        if kind is frozenset:
            return kind, self._within(value)
        if kind in ITERATORS:
            _, over, *at = value.__reduce__()
            return kind, *map(self.of, over), *at
        return plain_told(value)

    def _within(self, value: AnyFace) -> object:
        if isinstance(value, list):
            return tuple(map(self.of, value))
        if isinstance(value, dict):
            return tuple((plain_told(key), self.of(one)) for key, one in value.items())
        if isinstance(value, (set, frozenset)):
            return tuple(map(plain_told, value))  # in what order they are gone through depends on what was before
        if value.__code__ is self._ours.helper:
            return id(value)
        if value.__kwdefaults__ or value.__dict__:
            raise OutOfSight
        return value.__code__, self.of(value.__defaults__), *(self.of(cell.cell_contents)
                                                             for cell in value.__closure__ or ())


def _nth(value: object, among: list[AnyFace]) -> int:
    """The place of an object among others, at the end of them if it was not there."""
    for nth, other in enumerate(among):
        if other is value:
            return nth
    among.append(value)
    return len(among) - 1


def plain_told(value: AnyFace) -> object:
    """A plain value, so that only those that go on alike are equal: one is not true, nor is it 1.0."""
    kind = type(value)
    if kind in (int, str, bool, type(None), Fraction, Kinds, Deck, Take, Odds) or issubclass(kind, Enum):
        return kind, value
    if kind is range:
        return kind, value.start, value.stop, value.step
    if kind is float:
        return kind, value.hex()
    if kind is tuple or (issubclass(kind, tuple) and hasattr(kind, "_make")):
        return kind, *map(plain_told, value)
    how = getattr(kind, "__dataclass_params__", None)
    if how is not None and how.frozen:
        return kind, *(plain_told(getattr(value, field.name)) for field in fields(value))
    raise OutOfSight
