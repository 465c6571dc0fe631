"""What a rule can come to: the functions it may call, and what outside of it they may change.

Runs are joined, numbers left open and functions weighed by themselves only as far as nothing changes out of sight. A
rule that sets a global, an attribute or a variable of a function around it is run branch by branch; lists,
dictionaries, sets and objects that it finds outside are looked at whenever runs are to be joined.
"""

from __future__ import annotations

import dis
import sys
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import _lru_cache_wrapper, lru_cache, partial
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import NamedTuple

from .told import attributes_of, is_known, plain_told, slots_of
from .ways import AnyFace

CONTAINERS = (list, dict, set, deque)
_SETS = ("STORE_GLOBAL", "DELETE_GLOBAL")
_SETS_OF = ("STORE_ATTR", "DELETE_ATTR")
_SETTERS = frozenset({"setattr", "delattr", "globals", "exec", "eval"})
_REBINDS = ("STORE_DEREF", "DELETE_DEREF")
_IN_PLACE = ("STORE_SUBSCR", "DELETE_SUBSCR", "STORE_SLICE")
CHANGING = frozenset({"append", "add", "clear", "pop", "update", "extend", "remove", "insert", "discard", "setdefault",
                       "popitem", "sort", "reverse", "appendleft", "popleft", "extendleft", "rotate", "subtract",
                       "intersection_update", "difference_update", "symmetric_difference_update"})
_NULL_COMES_AFTER = sys.version_info >= (3, 13)
_FARTHEST = 5000
"""Things that are looked at on the way."""


class Reads(NamedTuple):
    """What a function and those written within it look up and set."""

    globals: frozenset[str]
    attributes: frozenset[str]
    only_called: frozenset[str]
    """Globals and variables of functions around it that it does nothing with but call."""
    sets: bool
    """Whether it sets what is not its own."""
    sets_of_first: bool
    """Whether it sets attributes of what it is given first: of itself, if it is a method."""
    rebinds: bool
    """Whether a function within it sets a variable of another."""
    in_place: bool
    """Whether it may change a list, a dictionary or a set."""


@lru_cache(maxsize=4096)
def reads(code: CodeType) -> Reads:
    """What a function looks up and sets, read from its instructions once."""
    named, attributes, handled, called = set[str](), set[str](), set[str](), set[str]()
    outer = {*code.co_freevars}
    sets = sets_of_first = rebinds = in_place = False
    for one, before in _all_steps(code):
        steps = list(dis.get_instructions(one))
        for at, step in enumerate(steps):
            name = step.argval
            if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                named.add(name)
                (called if step.opname == "LOAD_GLOBAL" and (step.arg or 0) & 1 else handled).add(name)
            elif step.opname == "LOAD_DEREF":
                beside = at + 1 if _NULL_COMES_AFTER else at - 1
                (called if steps[beside].opname == "PUSH_NULL" else handled).add(name)
            elif step.opname in ("LOAD_ATTR", "LOAD_METHOD"):
                attributes.add(name)
            if step.opname in _SETS_OF:
                of_first = code is one and all(_is_first(code, steps[begin]) for begin in _set_of(steps, at))
                sets_of_first |= of_first
                sets |= not of_first
            sets |= step.opname in _SETS or (step.opname in _REBINDS and name in outer and name not in before)
            rebinds |= step.opname in _REBINDS and name in one.co_freevars
            in_place |= step.opname in _IN_PLACE
    in_place |= bool(CHANGING & (attributes | named))
    sets |= bool(_SETTERS & named)
    return Reads(frozenset(named), frozenset(attributes), frozenset(called - handled), sets, sets_of_first, rebinds,
                 in_place)


def _set_of(steps: list[dis.Instruction], at: int) -> list[int]:
    """The instructions that put aside what an attribute is set of; in ``self.n += 1``, it is copied first."""
    if steps[at - 1].opname != "SWAP":
        return [at - 1]
    return [before - 1 for before in range(1, at) if steps[before].opname == "COPY"
            and (steps[before + 1].opname, steps[before + 1].argval) == ("LOAD_ATTR", steps[at].argval)] or [at - 1]


def _is_first(code: CodeType, step: dis.Instruction) -> bool:
    """Whether this puts aside what a function is given first."""
    name = step.argval[-1] if type(step.argval) is tuple and step.argval else step.argval
    return step.opname.startswith("LOAD_FAST") and code.co_argcount > 0 and name == code.co_varnames[0]


def _all_steps(code: CodeType, own: frozenset[str] = frozenset()) -> Iterator[tuple[CodeType, frozenset[str]]]:
    """A function and those written within it, each with the variables that are those of one of them."""
    own |= {*code.co_cellvars}
    yield code, own
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _all_steps(inner, own)


@dataclass(slots=True)
class Reach:
    """What a rule can come to."""

    steady: bool = True
    """Whether it sets nothing that is not its own."""
    joins: bool = True
    """Whether all of its variables can be seen where it stands."""
    open: bool = True
    """Whether numbers that are not drawn will do for it: nothing keeps them beyond a run, or looks at their type."""
    throws_in: bool = False
    """Whether it may throw an exception into a generator."""
    changes: bool = False
    """Whether it may change what it finds outside, in place."""
    watched: list[object] = field(default_factory=list)
    """What it finds outside that may change."""
    seen: dict[int, AnyFace] = field(default_factory=dict)
    """All that was looked at, by identity."""

    def now(self) -> tuple[object, ...]:
        """All that may change, as it is now, to be compared."""
        return tuple([self._told(value, anew=True) for value in self.watched])

    def _told(self, value: object, anew: bool = False) -> object:
        if id(value) in self.seen and not anew:
            return id(value)
        if isinstance(value, dict):
            return dict, *((plain_told(key), self._told(one)) for key, one in value.items())
        if isinstance(value, (set, frozenset)):
            return set, *map(plain_told, value)
        if isinstance(value, (list, tuple, deque)):
            return type(value), *map(self._told, value)
        if anew:
            return type(value), *((name, self._told(one)) for name, one in attributes_of(value).items())
        return plain_told(value)

    @property
    def alone(self) -> bool:
        """Whether it changes nothing: what it gives depends on what it is given and on what it finds."""
        return self.steady and not self.changes


def reached(rule: Callable[..., object], args: Iterable[object] = ()) -> Reach:
    """What a rule can come to with these arguments."""
    found = Reach()
    todo: list[object] = [rule, *args]
    seen = found.seen
    classes: dict[type, None] = {}
    attributes: set[str] = set()
    in_place = objects = False
    while len(seen) < _FARTHEST:
        if not todo:
            todo += [value for kind in classes for name, value in vars(kind).items()
                     if id(value) not in seen and (name in attributes or _is_special(name, value))]
            if not todo:
                break
        value = todo.pop()
        if id(value) in seen:
            continue
        seen[id(value)] = value
        classes |= dict.fromkeys(kind for kind in (type(value) if not isinstance(value, type) else value).__mro__
                                 if not is_known(kind))
        if isinstance(value, FunctionType):
            if value is not rule and is_known(value):
                continue
            facts = reads(value.__code__)
            attributes |= facts.attributes
            is_method = facts.sets_of_first and any(one is value for kind in classes for one in vars(kind).values())
            found.steady &= not facts.sets and (is_method or not facts.sets_of_first)
            found.joins &= not facts.rebinds
            found.open &= "type" not in facts.globals
            in_place |= facts.in_place
            todo += _looked_up(value, facts)
        elif isinstance(value, _lru_cache_wrapper):
            found.open = False
        elif isinstance(value, partial):
            todo += (value.func, *value.args, *value.keywords.values())
        elif isinstance(value, MethodType):
            todo += (value.__func__, value.__self__)
        elif isinstance(value, (staticmethod, classmethod)):
            todo.append(value.__func__)
        elif isinstance(value, property):
            todo += (value.fget, value.fset)
        elif isinstance(value, CONTAINERS):
            found.watched.append(value)
            todo += _within(value)
        elif isinstance(value, (tuple, frozenset)):
            todo += value
        elif _is_object(value):
            objects |= not is_frozen(value)
            found.watched += [] if is_frozen(value) else [value]
            todo += attributes_of(value).values()
        elif _is_opaque(value):
            objects, found.joins = True, False
    else:
        found.steady = False  # there is more
    found.changes = objects or (in_place and bool(found.watched))
    found.throws_in = "throw" in attributes
    found.joins &= found.steady
    found.open &= found.alone
    return found


def _looked_up(function: FunctionType, facts: Reads) -> Iterator[object]:
    for name in facts.globals:
        value = function.__globals__.get(name)
        if isinstance(value, ModuleType):
            yield from (vars(value)[name] for name in facts.attributes if name in vars(value))
        else:
            yield value
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # nothing in it yet
            continue
    yield from function.__defaults__ or ()
    yield from (function.__kwdefaults__ or {}).values()


def _within(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, (list, deque)) else ()


def _is_special(name: str, value: object) -> bool:
    """Whether it is a method that may be called without being named, and was not made by Python itself."""
    return name.startswith("__") and isinstance(value, FunctionType) and value.__code__.co_filename != "<string>"


def _is_object(value: object) -> bool:
    """Whether it has attributes that may be set."""
    if isinstance(value, (type, ModuleType, Enum, FunctionType)) or _is_ours(value):
        return False
    return hasattr(value, "__dict__") or bool(slots_of(value))


def _is_ours(value: object) -> bool:
    """Whether it is something of the dice."""
    return (type(value).__module__ or "").startswith("paravent.dice.")


def _is_opaque(value: object) -> bool:
    """Whether it may change without that being seen."""
    return isinstance(value, (bytearray, array)) or not (is_known(type(value)) or isinstance(value, (type, Enum)))


def is_frozen(value: object) -> bool:
    """Whether nothing of it is set once it is made."""
    how = getattr(type(value), "__dataclass_params__", None)
    return how is not None and bool(how.frozen)


def asks_for_types(rule: object) -> bool:
    """Whether a rule, or a function that it may call, looks at the ``type`` of something: only a number will do."""
    if type(rule) is not FunctionType:
        return False
    todo, seen = [rule], {rule}
    while todo:
        function = todo.pop()
        space = function.__globals__
        if space is not rule.__globals__ and is_known(function):
            continue
        names = names_in(function.__code__)
        if "type" in names:
            return True
        for name in names:
            value = space.get(name)
            if type(value) is FunctionType and value not in seen:
                seen.add(value)
                todo.append(value)
    return False


@lru_cache(maxsize=4096)
def names_in(code: CodeType) -> frozenset[str]:
    """The names that a function and those within it look up, of variables and of attributes."""
    return frozenset(code.co_names).union(*[names_in(inner) for inner in code.co_consts if isinstance(inner, CodeType)])
