"""Where a rule stands when it throws: two of its runs that stand alike go on alike, so that they can be joined.

A rule that stands at a throw is known by its functions under way: for each, the instruction, the variables that are
read later on, and what it keeps out of sight meanwhile. Of the last, Python tells nothing, so this reads the
function's instructions once and says at which of its calls there is nothing else: no more than loops over ``range``,
which are known by their variable, and variables and constants that are also to be found in sight. At any other call
(within ``sum(...)``, a comprehension, an expression half worked out) nothing is claimed, and runs are not joined.
"""

from __future__ import annotations

import builtins
import dis
import re
import sys
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any, NamedTuple

from .ways import Deck, Kinds, Take

THROWS = frozenset({"sum", "pool", "counts", "faces", "highest", "lowest", "gather", "deal", "repeat", "highest_of",
                    "lowest_of", "resolve"})
_LOADS = ("LOAD_FAST", "LOAD_CONST", "LOAD_SMALL_INT", "LOAD_GLOBAL", "LOAD_DEREF", "PUSH_NULL")
_WORKED_OUT = (*_LOADS, "BINARY_OP", "UNARY_NEGATIVE")
_CALLS = {"PRECALL": 2, "CALL": 2, "CALL_KW": 3}
"""Instructions that call, with what they take beside the arguments; where there is the first, it tells how deep."""
_METHODS = ("LOAD_METHOD", "LOAD_ATTR")
_FAST = re.compile("(?:LOAD|STORE)_FAST")
_LEAVE = ("RETURN", "RAISE", "RERAISE", "JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_ABSOLUTE")
_PRYING = frozenset({"locals", "vars", "eval", "exec", "dir"})
_NOT_IN_ORDER = 0x20 | 0x80 | 0x200
"""Functions that stop half-way: generators, coroutines."""


class CallSite(NamedTuple):
    """A call at which nothing is out of sight."""

    called: str
    """The variable, or the global, that is called; or whose method is."""
    method: str
    """The method, if it is one."""
    loops: tuple[tuple[int, str], ...]
    """The loops around it, the outermost first: where each begins, and its variable if it goes over a ``range``."""
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
    if code.co_flags & _NOT_IN_ORDER or _PRYING & {*code.co_names}:
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
    depth: dict[int, int] = {0: 0}
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
    loops = _loops_around(steps, at)
    if base < 0 or loops is None:
        return None
    begins = _begins(steps, targets, at, base)
    named = None if begins is None else _named(steps, begins, at, base)
    if begins is None or named is None:
        return None
    names = {*code.co_cellvars, *code.co_freevars, *_read_later(code, steps)[at]}
    iterators = set()
    for _, slot, variable, needs in loops:
        iterators.add(slot)
        names |= {variable, *needs}
    for slot in range(base):
        if slot not in iterators:
            seen = _seen(steps, targets, at, slot)
            if seen is None:
                return None
            names |= {*seen}
    if len(iterators) != len(loops) or not iterators <= {*range(base)}:
        return None
    variables = {head: variable for head, _, variable, _ in loops}
    heads = sorted({step.says for step in steps[at:] if "BACKWARD" in step.name and step.says < steps[at].at})
    return CallSite(*named, tuple((head, variables.get(head, "")) for head in heads), tuple(sorted(names)))


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
    if begins is None or not steps[begins].loads:
        return None
    since = steps[begins + 1 : at]
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


def _loops_around(steps: list[_Step], at: int) -> list[tuple[int, int, str, tuple[str, ...]]] | None:
    """The loops around a call over anything: where they begin, where each keeps its place, its variable, the variables
    that say how far it goes; None, if one of them goes over something else than a ``range``."""
    found = []
    for index in range(at):
        if steps[index].name != "FOR_ITER":
            continue
        begins = steps[index].at
        ends = max((back for back, step in enumerate(steps) if "BACKWARD" in step.name and step.says == begins),
                   default=index)
        if ends < at:
            continue
        needs = _range_needs(steps, index)
        variable = _stored(steps[index + 1])[:1]
        if needs is None or not variable:
            return None
        if any(variable[0] in _stored(step) for step in steps[index + 2 : ends + 1]):
            return None
        found.append((begins, steps[index].before - 1, variable[0], needs))
    return found


def _range_needs(steps: list[_Step], loop: int) -> tuple[str, ...] | None:
    """The variables that say how far a loop over ``range`` goes; None, for a loop over anything else."""
    if steps[loop - 1].name != "GET_ITER" or steps[loop - 2].name != "CALL":
        return None
    index = loop - 3 - (steps[loop - 3].name == "PRECALL")
    needs: list[str] = []
    while index >= 0 and steps[index].name.startswith(_WORKED_OUT):
        if steps[index].name == "LOAD_GLOBAL" and steps[index].says == "range":
            set_anywhere = {name for step in steps for name in _stored(step)}
            return None if {*needs} & set_anywhere else tuple(needs)
        needs += _read(steps[index])
        index -= 1
    return None


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
    """Whether what compares just now is ``max``, ``min`` or a sort: of equals, any may be the greater."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__package__") == __package__:
        frame = frame.f_back
    if frame is None:
        return False
    called, method = _calls(frame.f_code).get(_instruction(frame), ("", ""))
    known = {**frame.f_builtins, **frame.f_globals, **frame.f_locals}.get(called)
    return method == "sort" or (not method and known in (max, min, sorted))


@lru_cache(maxsize=1024)
def _calls(code: CodeType) -> dict[int, tuple[str, str]]:
    """What is called by the calls of a function, and which method of it, by where they stand."""
    steps = _steps(code)
    targets = {step.says for step in steps if _jumps(step)}
    found = {}
    for at, step in _calling(steps):
        base = step.before - step.number - _CALLS[step.name]
        begins = _begins(steps, targets, at, base)
        named = None if begins is None else _named(steps, begins, at, base)
        if named is not None:
            found[step.at] = named
    return found


def _calling(steps: list[_Step]) -> Iterator[tuple[int, _Step]]:
    """The instructions that call, each call once."""
    for at, step in enumerate(steps):
        if step.name in _CALLS and not (step.name == "CALL" and steps[at - 1].name == "PRECALL"):
            yield at, step


class OutOfSight(Exception):
    """Not all that the rule depends on is known here."""


class Whereabouts(NamedTuple):
    """Where a rule stands: alike for two runs that go on alike, but for the numbers that are not drawn."""

    where: tuple[object, ...]
    """All that is known of it, to be compared."""
    order: tuple[int, ...]
    """How far it has come: what is less far comes to what is farther, and not the other way round."""
    open: tuple[Any, ...]
    """The numbers that are not drawn yet."""


def standing(
    frame: FrameType | None, runner: CodeType, dice: object, number: type, given: Collection[int]
) -> Whereabouts:
    """Where a rule that throws now stands; what it was given, told by identity, is the same in all its runs."""
    where: list[object] = []
    orders: list[int] = []
    open_: list[Any] = []
    callee: CodeType | None = None
    while frame is not None and frame.f_code is not runner:
        code, at = frame.f_code, _instruction(frame)
        place = places(code).get(at)
        if place is None or "range" in frame.f_globals or frame.f_builtins.get("range") is not builtins.range:
            raise OutOfSight
        variables = frame.f_locals
        called = variables.get(place.called, frame.f_globals.get(place.called))
        if callee is None:
            if called is not dice or place.method not in THROWS:
                raise OutOfSight
        else:
            if place.method:
                called = getattr(called, place.method, None) if type(called) is ModuleType else None
            if type(called) is not FunctionType or called.__code__ is not callee:
                raise OutOfSight
        callee, frame = code, frame.f_back
        where += (code, at)
        orders = _order(place, at, variables, orders)
        for name in place.names:
            if name not in variables or (name in code.co_freevars and frame is not None and frame.f_code is runner):
                continue
            value = variables[name]
            if type(value) is number:
                nth = next((nth for nth, other in enumerate(open_) if other is value), len(open_))
                open_[nth:] = (value,) if nth == len(open_) else open_[nth:]
                where += (name, nth)
            else:
                where += (name, "dice" if value is dice else id(value) if id(value) in given else _told(value))
    if frame is None or callee is None:
        raise OutOfSight
    return Whereabouts(tuple(where), tuple(orders), tuple(open_))


def _order(place: CallSite, at: int, variables: Mapping[str, Any], within: list[int]) -> list[int]:
    """How far a function is at a place, and then what it calls there; in a loop without a variable, nobody knows."""
    order: list[int] = []
    for head, variable in place.loops:
        order.append(head)
        if not variable:
            return order
        order.append(variables[variable])
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


def _told(value: Any) -> object:
    """A plain value, so that only those that go on alike are equal: one is not true, nor is it 1.0."""
    kind = type(value)
    if kind in (int, str, bool, type(None), Fraction, Kinds, Deck, Take) or issubclass(kind, Enum):
        return kind, value
    if kind is float:
        return kind, value.hex()
    if kind is tuple or (issubclass(kind, tuple) and hasattr(kind, "_make")):
        return kind, *map(_told, value)
    how = getattr(kind, "__dataclass_params__", None)
    if how is not None and how.frozen:
        return kind, *(_told(getattr(value, field.name)) for field in fields(value))
    raise OutOfSight
