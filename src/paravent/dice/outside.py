"""What rules find outside of themselves: answers are kept only as long as that is what it was.

Somebody who tries things out writes a helper anew, changes a constant, a table, an attribute of the hero whose method
the rule is, and asks again. What a rule looks up is therefore noted when it is first asked, and looked at whenever it
is asked again: if any of it is another, every answer is forgotten. Python's own functions, ours, and those of packages
that are installed stay as they are while a program runs: they are not looked at.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterable, Iterator
from dis import EXTENDED_ARG, opmap
from enum import Enum
from fractions import Fraction
from functools import lru_cache, partial
from itertools import chain, islice
from operator import is_
from types import CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from .reach import CHANGING, CONTAINERS, is_frozen, names_in
from .told import attributes_of

_PLAIN = (int, str, float, Fraction, type(None), Enum, ModuleType)
_AT_HAND = frozenset({int, str, bool, float, Fraction, type(None)})
_CALLED = frozenset({MethodType, partial, type})
_METHODS = (FunctionType, staticmethod, classmethod, property)
_GONE = object()
_LOAD_GLOBAL = opmap["LOAD_GLOBAL"]
_LOOKS_UP = frozenset(opmap[name] for name in {"LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"} & {*opmap})
_SETS = frozenset(step for name, step in opmap.items() if name.startswith(("STORE_", "DELETE_"))
                  and not name.startswith(("STORE_FAST", "DELETE_FAST")))
_FARTHEST, _MOST_WITHIN, _MOST_KNOWN = 2000, 10_000, 1000
"""Things that are looked at for one rule; in one of them; and rules whose surroundings are known."""


class _Outside:
    """What a rule, or something that it is given, looks up: as it was when it was looked at."""

    __slots__ = ("_kept", "_named", "at_rest")

    def __init__(self, thing: object) -> None:
        self._named: list[tuple[dict[str, Any], str, object]] = []
        """The variables of modules, and what they were."""
        self._kept: list[tuple[object, list[object]]] = []
        """What else may change, and what was in it."""
        self.at_rest = True
        """Whether none of the functions that look it up can change it, by what is written there."""
        todo, seen = [thing], dict[int, Any]()
        while todo and len(seen) < _FARTHEST:
            value = todo.pop()
            if id(value) not in seen and not isinstance(value, _PLAIN):
                seen[id(value)] = value
                todo += self._looked_at(value)

    def changed(self) -> bool:
        """Whether any of it is another by now."""
        for space, name, was in self._named:
            if space.get(name, _GONE) is not was:
                return True
        for value, had in self._kept:
            has = _within(value)
            if len(had) != len(has) or not all(map(is_, had, has)):
                return True
        return False

    def _looked_at(self, value: Any) -> Iterable[object]:
        """What is to be looked at because of this; what may change of it is noted."""
        if isinstance(value, FunctionType):
            return self._looked_up(value) if _is_in_the_making(value.__module__) else ()
        if isinstance(value, MethodType):
            return value.__func__, value.__self__
        if isinstance(value, partial):
            return value.func, *value.args, *value.keywords.values()
        if isinstance(value, (staticmethod, classmethod)):
            return (value.__func__,)
        if isinstance(value, property):
            return value.fget, value.fset
        if isinstance(value, (tuple, frozenset)):
            return value
        if isinstance(value, CONTAINERS):
            return self._note(value)
        if isinstance(value, type):
            if not _is_in_the_making(value.__module__):
                return ()
            methods: list[object] = [part for part in vars(value).values() if isinstance(part, _METHODS)]
            if not issubclass(value, (tuple, Enum)):  # nobody sets anything of those
                methods += self._note(value)
            return *methods, *value.__mro__[1:]
        if not _is_in_the_making(type(value).__module__):
            return ()
        return type(value), *(attributes_of(value).values() if is_frozen(value) else self._note(value))

    def _looked_up(self, function: FunctionType) -> Iterable[object]:
        names, space = names_in(function.__code__), function.__globals__
        variables, sets = _variables_of(function.__code__)
        self.at_rest &= not sets and CHANGING.isdisjoint(names)
        found = [self._name(space, name) for name in variables]
        for module in [one for one in found if isinstance(one, ModuleType) and _is_in_the_making(one.__name__)]:
            found += [self._name(vars(module), name) for name in names]
        for cell in function.__closure__ or ():
            found += self._note(cell)
        return *found, *(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()

    def _name(self, space: dict[str, Any], name: str) -> object:
        found: object = space.get(name, _GONE)
        self._named.append((space, name, found))
        return found

    def _note(self, value: object) -> list[object]:
        within = _within(value)
        self._kept.append((value, within))
        return within


def _within(value: Any) -> list[object]:
    """What is in something that may change."""
    if type(value) is dict and len(value) < _MOST_WITHIN:
        return [*value, *value.values()]
    if isinstance(value, CellType):
        try:
            return [value.cell_contents]
        except ValueError:  # nothing in it yet
            return []
    if isinstance(value, type):
        return [part for name, part in vars(value).items() if name not in ("__dict__", "__weakref__")]
    found = value if isinstance(value, CONTAINERS) else attributes_of(value)
    return [*islice(chain(found, found.values()) if isinstance(found, dict) else found, _MOST_WITHIN)]


@lru_cache(maxsize=4096)
def _variables_of(code: CodeType) -> tuple[frozenset[str], bool]:
    """The variables of its module that a function looks up, with those within it, and whether it sets what may not be
    its own."""
    found, sets, more, steps = set[str](), False, 0, code.co_code
    for step, low in zip(steps[::2], steps[1::2], strict=True):
        at = more | low
        more = at << 8 if step == EXTENDED_ARG else 0
        if step in _LOOKS_UP:
            found.add(code.co_names[at >> 1 if step == _LOAD_GLOBAL else at])
        sets |= step in _SETS
    inner = [_variables_of(one) for one in code.co_consts if isinstance(one, CodeType)]
    return frozenset(found).union(*[names for names, _ in inner]), sets or any(sets for _, sets in inner)


_known: dict[Hashable, _Outside] = {}


def heed(rule: object, args: tuple[object, ...], forget: Callable[[], None]) -> _Outside | None:
    """Forget if something that a rule and its inputs look up is not what it was when answers were last worked out.

    What the rule looks up is given back, if that was known and unchanged, and its inputs look up nothing.
    """
    outside = _known.get(rule)
    if outside is not None:
        for one in args:
            if type(one) not in _AT_HAND and not (isinstance(one, tuple) and _AT_HAND.issuperset(map(type, one))):
                break
        else:
            if not outside.changed():
                return outside
    if _any_changed([*_changing((rule, *args))]):
        forget()
    return None


def _any_changed(things: list[Hashable]) -> bool:
    if not things:
        return False
    # A rule that was never asked may look up what others did, whose answers are kept.
    known = [_known[thing] for thing in things] if all(thing in _known for thing in things) else [*_known.values()]
    if len(_known) < _MOST_KNOWN and not any(outside.changed() for outside in known):
        return False
    _known.clear()
    return True


def note(rule: object, args: tuple[object, ...]) -> None:
    """What they look up, as it is once they were asked: a rule may itself write down that it was."""
    for thing in _changing((rule, *args)):
        outside = _known.get(thing)
        if outside is None or outside.changed():
            _known[thing] = _Outside(thing)


def _changing(things: Iterable[Any]) -> Iterator[Hashable]:
    """What may be, or look up, another thing from one question to the next."""
    for thing in things:
        kind = type(thing)
        if kind in _AT_HAND:
            continue
        if issubclass(kind, tuple):
            yield from _changing(thing)
        elif (kind in _CALLED or _is_in_the_making(thing.__module__ if kind is FunctionType else kind.__module__)) and (
                kind.__hash__ is not None):
            yield thing


@lru_cache(maxsize=1024)
def _is_in_the_making(module: str | None) -> bool:
    """Whether what stands in a module may be written anew while a program runs."""
    top = (module or "").partition(".")[0]
    if top in sys.stdlib_module_names or top == "paravent" or top.startswith("namedtuple_"):
        return False
    file = getattr(sys.modules.get(module or ""), "__file__", None) or ""
    return "site-packages" not in file and "dist-packages" not in file


__all__ = ["heed", "note"]
