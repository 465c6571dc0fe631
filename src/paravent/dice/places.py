"""Where nothing of a function is out of sight: the places at which two runs of a rule can be joined.

A rule that stands at a throw is known by its functions under way: for each, the instruction, the variables that are
read later on, and what it keeps out of sight meanwhile. Of the last, Python tells nothing, so this reads the
function's instructions once and says at which of its calls there is nothing else: no more than loops of which it is
known how far they are (over ``range``, over constants, over an iterator that is also in a variable), and variables and
constants that are also to be found in sight. At any other call (within an expression half worked out) nothing is
claimed, and runs are not joined. :mod:`.in_view` writes functions so that there is more in sight, and what
:mod:`.plainly` runs in the place of ``sum``, ``max`` and ``min`` keeps what it has so far there.
"""

from __future__ import annotations

import dis
import re
from collections.abc import Iterator
from functools import lru_cache
from types import CodeType
from typing import Any, NamedTuple

THROWS = frozenset({"sum", "pool", "counts", "faces", "highest", "lowest", "gather", "deal", "repeat", "highest_of",
                    "lowest_of", "resolve"})
_LOADS = ("LOAD_FAST", "LOAD_CONST", "LOAD_SMALL_INT", "LOAD_GLOBAL", "LOAD_DEREF", "PUSH_NULL")
_WORKED_OUT = (*_LOADS, "BINARY_OP", "UNARY_NEGATIVE")
_CALLS = {"PRECALL": 2, "CALL": 2, "CALL_KW": 3}
"""Instructions that call, with what they take beside the arguments; where there is the first, it tells how deep."""
_METHODS = ("LOAD_METHOD", "LOAD_ATTR")
_Jumps = list[tuple[int, int]]
"""Instructions that lead elsewhere than to the next, each with that, by number."""
_FAST = re.compile("(?:LOAD|STORE)_FAST")
_LEAVE = ("RETURN_VALUE", "RETURN_CONST", "RAISE", "RERAISE", "JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_ABSOLUTE")
_PRYING = frozenset({"locals", "vars", "eval", "exec", "dir"})
_SHARED, _CLOSURE = ("LOAD_CLOSURE", "LOAD_FAST"), 8
"""Instructions that load what keeps a variable that functions share; the mark of a function that is given some."""
_NEW_CELLS = ("MAKE_CELL", "LOAD_FAST_AND_CLEAR")
"""Instructions after which such a variable is another one of the same name."""
GENERATOR, _NOT_IN_ORDER = 0x20, 0x80 | 0x200
"""Functions that stop half-way: generators; coroutines."""
THROUGH = ".0"
"""The variable of what an expression such as ``(... for _ in ...)`` goes through."""
KEPT = "<kept "
"""How variables begin that keep what a loop goes through, written by :mod:`.in_view`."""


class Around(NamedTuple):
    """A loop around a place."""

    begins: int
    variable: str
    """What tells how far it is: its variable, if it goes over a ``range`` or over constants; none, if nobody knows."""
    over: tuple[object, ...]
    """These constants."""
    goes: bool
    """Whether the variable is, or keeps, the iterator itself."""


class CallSite(NamedTuple):
    """A call at which nothing is out of sight; or where a loop goes on, or a generator stops."""

    path: tuple[str, ...]
    """The variable, or the global, that is called; or that, attributes, and the method that is called."""
    through: str
    """The variable of what a loop goes through, where it goes on."""
    loops: tuple[Around, ...]
    """The loops around it, the outermost first."""
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
    read_later = _read_later(code, steps)
    jumps = _all_jumps(steps)
    found = {}
    for at, step in _stopping(steps):
        place = _place(code, steps, jumps, read_later[at], at)
        if place is not None:
            found[step.at] = place
    return found


def _steps(code: CodeType) -> list[_Step]:
    """The instructions that are come by in order, with how many values are put aside before and after each."""
    listed = list(dis.get_instructions(code))
    at = {instruction.offset: index for index, instruction in enumerate(listed)}
    begins = 1 - dis.stack_effect(dis.opmap["RETURN_GENERATOR"]) if code.co_flags & GENERATOR else 0
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


def _all_jumps(steps: list[_Step]) -> _Jumps:
    """Which instruction leads to which other than the next."""
    at = {step.at: index for index, step in reversed([*enumerate(steps)])}
    return [(of, at[step.says]) for of, step in enumerate(steps) if _jumps(step)]


def _stored(step: _Step) -> tuple[str, ...]:
    """The variables that an instruction sets or clears."""
    if not step.name.startswith(("STORE_FAST", "DELETE_FAST", "LOAD_FAST_AND_CLEAR")):
        return ()
    return (step.says,)


def _read(step: _Step) -> tuple[str, ...]:
    """The variables that an instruction reads."""
    return (step.says,) if step.name.startswith("LOAD_FAST") else ()


def _place(code: CodeType, steps: list[_Step], jumps: _Jumps, read_later: set[str], at: int) -> CallSite | None:
    """What is known of one place; None, if something is out of sight there."""
    step = steps[at]
    base = step.before - (step.number + _CALLS[step.name] if step.name in _CALLS else 1)
    if step.name == "RETURN_GENERATOR":
        base = 0
    loops = _loops_around(code, steps, at)
    if base < 0 or loops is None:
        return None
    path: tuple[str, ...] | None = ()
    through = ""
    if step.name in _CALLS:
        begins = _begins(steps, jumps, at, base)
        path = None if begins is None else _named(steps, begins, at, base)
    elif step.name == "FOR_ITER":
        through = _goes_through(steps, at)
        path = () if through else None
    if path is None:
        return None
    names = {*code.co_cellvars, *code.co_freevars, *read_later, *([through] if through else [])}
    iterators = set()
    for loop in loops:
        iterators.add(loop.slot)
        names |= {loop.variable, *loop.needs}
    for slot in range(base):
        if slot not in iterators:
            seen = _seen(steps, jumps, at, slot)
            if seen is None:
                return None
            names |= {*seen}
    if len(iterators) != len(loops) or not iterators <= {*range(base)}:
        return None
    known = {loop.begins: loop for loop in loops}
    heads = sorted({step.says for step in steps[at:] if "BACKWARD" in step.name and step.says < steps[at].at})
    unknown = _Loop(0, 0, "", ())
    around = tuple((head, known.get(head, unknown)) for head in heads)
    return CallSite(path, through, tuple(Around(head, loop.variable, loop.over, loop.goes) for head, loop in around),
                    tuple(sorted(names)))


def _begins(steps: list[_Step], jumps: _Jumps, at: int, slot: int) -> int | None:
    """Where what stands in a slot at a call began to be worked out: nothing leads from elsewhere to what is between."""
    for index in range(at - 1, -1, -1):
        if steps[index].before <= slot:
            begins = slot < steps[index].after
            enters = any(index < to <= at and not index <= of <= at for of, to in jumps)
            return index if begins and not enters else None
    return None


def _seen(steps: list[_Step], jumps: _Jumps, at: int, slot: int) -> tuple[str, ...] | None:
    """The variables in which what stands in a slot is also to be seen: none, for a constant; None, if it is not."""
    begins = _begins(steps, jumps, at, slot)
    if begins is not None and steps[begins].name in _METHODS:  # a method is bound to what stands in its variable
        begins -= 1
    if begins is None:
        return None
    made = _function_made(steps, begins)
    if made is not None:
        since = steps[made + 1 : at]
        return None if _changed(since, slot) or any(step.name in _NEW_CELLS for step in since) else ()
    kept = [index for index in range(begins + 2, at) if steps[index].name == "STORE_FAST"
            and (steps[index].before, steps[index].after) == (slot + 2, slot + 1)
            and (steps[index - 1].name, steps[index - 1].number) == ("COPY", 1)]
    if kept:
        names = _stored(steps[kept[-1]])
        since = steps[kept[-1] + 1 : at]
        if any(begins <= of < kept[-1] < to for of, to in jumps):
            return None
    elif steps[begins].loads:
        names = _read(steps[begins])
        since = steps[begins + 1 : at]
        if since and since[0].name in _METHODS and since[0].after == since[0].before + 1:
            since = since[1:]
    else:
        return None
    if _changed(since, slot):
        return None
    return None if {*names} & {name for step in since for name in _stored(step)} else names


def _changed(since: list[_Step], slot: int) -> bool:
    """Whether any of some instructions makes something else of what stands in a slot."""
    return any(min(step.before, step.after) <= slot + 1 or (step.name == "SWAP" and step.before - step.number <= slot)
               for step in since if not step.loads and step.name != "COPY")


def _function_made(steps: list[_Step], begins: int) -> int | None:
    """Where a function is made of its code and of variables that it shares, and of nothing else: those are told anyway,
    wherever the function around it stands. None, if something else begins there."""
    index = begins
    while steps[index].name.startswith(_SHARED) and index + 3 < len(steps):
        index += 1
    shared = index - begins
    if shared:
        if (steps[index].name, steps[index].number) != ("BUILD_TUPLE", shared):
            return None
        index += 1
    if index + 2 >= len(steps) or not isinstance(steps[index].says, CodeType):
        return None
    makes, after = steps[index + 1 : index + 3]
    if makes.name != "MAKE_FUNCTION":
        return None
    if makes.number or not shared:
        return index + 1 if makes.number == (_CLOSURE if shared else 0) else None
    return index + 2 if (after.name, after.number) == ("SET_FUNCTION_ATTRIBUTE", _CLOSURE) else None


def _named(steps: list[_Step], begins: int, at: int, base: int) -> tuple[str, ...] | None:
    """What is called: a variable or a global, and its method; ``dice.of(...)`` are the same dice."""
    first = steps[begins]
    if first.name == "PUSH_NULL":
        begins, first = begins + 1, steps[begins + 1]
    if not first.name.startswith(("LOAD_FAST", "LOAD_GLOBAL", "LOAD_DEREF")) or not isinstance(first.says, str):
        return None
    since = [step for step in steps[begins + 1 : at]
             if not step.loads and step.name not in ("KW_NAMES", "COPY") and min(step.before, step.after) <= base + 2]
    attributes = [step.says for step in since if step.name in _METHODS and step.after <= base + 2]
    calls = [step for step in since if step.name == "CALL" and step.after < base + 2]
    others = [step for step in since if step.after < base + 2 and step.name not in (*_CALLS, *_METHODS)]
    if others or attributes.count("of") != len(calls) or attributes[-1:] == ["of"] or any(
            step.name == "SWAP" and step.before - step.number <= base + 1 for step in steps[begins:at]):
        return None
    if any(step.name == "COPY" and step.before <= base + 2 for step in steps[begins:at]):
        return None
    return first.says, *(name for name in attributes if name != "of")


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
    goes: bool = False
    """Whether the variable is, or keeps, its iterator."""


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
        through = _goes_through(steps, index)
        if through and through not in in_handlers.union(*map(_set_by, steps[index : ends + 1])):
            found.append(_Loop(begins, slot, through, (), goes=True))
            continue
        over = _constants(steps, index)
        needs = () if over else _range_needs(steps, index)
        variable = _stored(steps[index + 1])[:1]
        stored = in_handlers.union(*map(_set_by, steps[index + 2 : ends + 1]))
        if needs is None or not variable or stored & {*needs, *variable}:
            return None
        found.append(_Loop(begins, slot, variable[0], needs, over))
    return found


def _goes_through(steps: list[_Step], loop: int) -> str:
    """The variable that is, or keeps, what a loop goes through, if there is one: whether it is an iterator is seen as
    it goes."""
    if steps[loop - 1].name != "GET_ITER":
        return THROUGH if _read(steps[loop - 1]) == (THROUGH,) else ""
    if _read(steps[loop - 2]):
        return _read(steps[loop - 2])[0]
    kept = _stored(steps[loop - 3 - (steps[loop - 3].name == "PRECALL")])
    return kept[0] if kept and kept[0].startswith(KEPT) else ""


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


@lru_cache(maxsize=1024)
def calls_to_sort(code: CodeType) -> dict[int, tuple[str, str]]:
    """What is called by the calls of a function without a ``key``, and which method of it, by where they stand."""
    steps = _steps(code)
    jumps = _all_jumps(steps)
    found = {}
    for at, step in _calling(steps):
        base = step.before - step.number - _CALLS[step.name]
        begins = _begins(steps, jumps, at, base)
        named = None if begins is None else _named(steps, begins, at, base)
        last = steps[at - 1]
        keywords = code.co_consts[last.number] if last.name == "KW_NAMES" else last.says
        if named is not None and not (isinstance(keywords, tuple) and "key" in keywords):
            found[step.at] = named[0], named[-1] if len(named) > 1 else ""
    return found


def _calling(steps: list[_Step]) -> Iterator[tuple[int, _Step]]:
    """The instructions that call, each call once."""
    for at, step in enumerate(steps):
        if step.name in _CALLS and not (step.name == "CALL" and steps[at - 1].name == "PRECALL"):
            yield at, step


def _stopping(steps: list[_Step]) -> Iterator[tuple[int, _Step]]:
    """Where a function may be while another is under way: at its calls; where it asks what it goes through for more,
    or stops as a generator."""
    yield from _calling(steps)
    for at, step in enumerate(steps):
        if step.name in ("FOR_ITER", "YIELD_VALUE", "RETURN_GENERATOR"):
            yield at, step


@lru_cache(maxsize=1024)
def instructions(code: CodeType) -> list[int]:
    """Where the instructions of a function begin; of a call, which may be several, the first."""
    listed = list(dis.get_instructions(code))
    return [one.offset for one, before in zip(listed, [None, *listed], strict=False)
            if before is None or before.opname != "PRECALL"]


__all__ = ["GENERATOR", "KEPT", "THROUGH", "THROWS", "Around", "CallSite", "calls_to_sort", "instructions", "places"]
