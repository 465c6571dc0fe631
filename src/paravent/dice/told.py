"""What a rule depends on, told so that it can be compared: equal only if what goes on with it goes on alike.

Plain values are told by what they are; lists, objects, iterators and generators by what is in them, and by being the
same one wherever they are met. Of anything else nothing is claimed (:class:`OutOfSight`).
"""

from __future__ import annotations

import builtins
import sys
from bisect import bisect_right
from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields
from enum import Enum
from fractions import Fraction
from functools import partial
from types import (
    BuiltinFunctionType,
    CodeType,
    FrameType,
    FunctionType,
    GeneratorType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
)
from weakref import ref

from .distribution import Odds
from .places import CallSite, instructions, places
from .ways import AnyFace, Deck, Kinds, Take

ITERATORS = frozenset({type(iter(range(0))), type(iter(()))})
_SIMPLE = frozenset({int, str, bool, type(None), Fraction, float})
_THROUGH_WHAT_STANDS = ITERATORS | {type(iter([])), type(iter({})), type(iter({}.values())), type(iter({}.items())),
                                    type(iter(set())), type(iter("")), type(reversed([]))}
_OVER_A_LIST: type = type(iter([]))
_OVER_A_TUPLE: type = type(iter(()))
_THROUGH_OTHERS = frozenset({enumerate, zip, map, filter, reversed})
_MAPPINGS = frozenset({dict, Counter, defaultdict})
_CHANGING = frozenset({list, set, deque}) | _MAPPINGS


class OutOfSight(Exception):
    """Not all that the rule depends on is known here."""


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


def is_known(function: FunctionType | type) -> bool:
    """Whether it is one of Python's or ours, which keep nothing that a rule depends on."""
    module = function.__module__ or ""
    return module.partition(".")[0] in sys.stdlib_module_names or module.startswith("paravent.dice.")


def attributes_of(value: AnyFace) -> dict[str, AnyFace]:
    """What an object keeps."""
    return {**{name: getattr(value, name) for name in slots_of(value) if hasattr(value, name)},
            **getattr(value, "__dict__", {})}


def slots_of(value: object) -> list[str]:
    """The attributes of an object that have a place of their own."""
    kinds = [kind for kind in type(value).__mro__ if not is_known(kind)]
    return [name for kind in kinds for name, slot in vars(kind).items() if isinstance(slot, MemberDescriptorType)]


def keeps_attributes(value: object) -> bool:
    """Whether an object is nothing but its attributes: of a class of the rule's, made of no other."""
    *kinds, last = type(value).__mro__
    return last is object and bool(kinds) and not isinstance(value, type) and not any(map(is_known, kinds))


def at_rest(goes: Iterator[AnyFace]) -> bool:
    """Whether an iterator only goes through what stands: whoever lets go of it ends nothing."""
    if type(goes) in _THROUGH_OTHERS:
        return all(at_rest(one) for one in goes.__reduce__()[1] if isinstance(one, Iterator))
    return type(goes) in _THROUGH_WHAT_STANDS


def instruction(frame: FrameType) -> int:
    """Where the call under way begins: what the interpreter tells may lie within it."""
    listed = instructions(frame.f_code)
    return listed[bisect_right(listed, frame.f_lasti) - 1]


def site(frame: FrameType) -> CallSite:
    """Where a function stands, if nothing is out of sight there."""
    found = places(frame.f_code).get(instruction(frame))
    if found is None or "range" in frame.f_globals or frame.f_builtins.get("range") is not builtins.range:
        raise OutOfSight
    return found


def gone_through(variables: Mapping[str, AnyFace], name: str) -> AnyFace:
    """The iterator that a variable keeps, if it keeps one."""
    value = variables.get(name)
    if name.startswith("<") and type(value) is list:
        value = value[0] if value else None
        value = value() if type(value) is ref else value
    if type(value) is not GeneratorType and type(value) not in _THROUGH_WHAT_STANDS | _THROUGH_OTHERS:
        raise OutOfSight
    return value


class AsTold:
    """Values as they may be compared."""

    def __init__(
        self, dice: object, number: type, given: Collection[int], helper: CodeType, stack: Sequence[FrameType]
    ) -> None:
        self.open: list[AnyFace] = []
        """The numbers among them that are not drawn yet."""
        self._dice, self._number, self._given, self._helper, self._stack = dice, number, given, helper, stack
        self._met: list[object] = []
        """Those that may change: one that is met again is the same one."""
        self._through: list[AnyFace] = []
        """Iterators over lists of which it is not known yet whether anything else knows those lists."""

    def of(self, value: AnyFace) -> object:
        """One of them."""
        kind = type(value)
        if kind in _SIMPLE:
            return plain_told(value)
        if kind is self._number:
            return "open", _nth(value, self.open)
        if value is self._dice:
            return "dice"
        if id(value) in self._given:
            return id(value)
        if kind in _CHANGING or kind is FunctionType or kind is GeneratorType:
            return self._once(value)
        if kind is tuple or (issubclass(kind, tuple) and hasattr(kind, "_make")):
            return kind, *map(self.of, value)
        if kind is frozenset:
            return kind, self.within(value)
        if kind in _THROUGH_WHAT_STANDS or kind in _THROUGH_OTHERS:
            return self._once(value)
        if kind is ref:
            return kind, self.of(value())
        if kind is MethodType:
            return kind, self.of(value.__self__), self.of(value.__func__)
        if kind is partial:
            return kind, self.of(value.func), self.of(value.args), self.of(value.keywords)
        if kind is BuiltinFunctionType:
            return kind, value.__name__, *(() if isinstance(value.__self__, (ModuleType, type(None)))
                                           else (self.of(value.__self__),)), value.__module__
        if isinstance(value, type):
            return kind, value
        return self._once(value) if keeps_attributes(value) else plain_told(value)

    def _once(self, value: AnyFace) -> object:
        known = len(self._met)
        nth = _nth(value, self._met)
        return (type(value), nth) if nth < known else (type(value), nth, self.within(value))

    def within(self, value: AnyFace) -> object:
        """What is in it."""
        kind = type(value)
        if isinstance(value, (list, deque)):
            return (getattr(value, "maxlen", None), *map(self.of, value))
        if isinstance(value, dict):
            makes = self.of(value.default_factory) if isinstance(value, defaultdict) else None
            return (makes, *((plain_told(key), self.of(one)) for key, one in value.items()))
        if isinstance(value, (set, frozenset)):
            return tuple(map(plain_told, value))  # in what order they are gone through depends on what was before
        if kind is GeneratorType:
            return self._stopped(value)
        if kind is _OVER_A_LIST:
            self._through.append(value)
            return len(self._through)
        if kind in _THROUGH_WHAT_STANDS or kind in _THROUGH_OTHERS:
            _, over, *at = value.__reduce__()
            return tuple(map(self.of, over[0][at[0]:])) if kind is _OVER_A_TUPLE and at else (*map(self.of, over), *at)
        if kind is not FunctionType:
            return tuple([(name, self.of(one)) for name, one in attributes_of(value).items()])
        if value.__code__ is self._helper:
            return id(value)
        if value.__kwdefaults__ or value.__dict__:
            raise OutOfSight
        return value.__code__, self.of(value.__defaults__), *(self.of(cell.cell_contents)
                                                             for cell in value.__closure__ or ())

    def rest(self) -> Iterator[object]:
        """What is to be told last: of a list that nothing but an iterator goes on with, only what is to come."""
        alone: list[object] = []
        for goes in self._through:  # which may become more
            _, (over, *_), *at = goes.__reduce__()
            if id(over) in self._given or any(over is one for one in self._met):
                yield self.of(over), *at
            else:
                alone.append(over)
                yield tuple(map(self.of, over[at[0]:] if at else ()))
        if any(over is one for nth, over in enumerate(alone) for one in (*self._met, *alone[:nth])):
            raise OutOfSight

    def _stopped(self, generator: AnyFace) -> object:
        """Where a generator is that has stopped half-way, or that is under way."""
        frame: FrameType | None = generator.gi_frame
        if frame is None:
            return "done"
        if generator.gi_running:
            for nth, under_way in enumerate(reversed(self._stack)):
                if under_way is frame:
                    return "under way", nth
            raise OutOfSight
        at = site(frame)
        return frame.f_code, frame.f_lasti, *self.variables(at, frame.f_locals)

    def variables(self, at: CallSite, variables: Mapping[str, AnyFace]) -> Iterator[object]:
        """The variables on which it depends how a function goes on."""
        for loop in at.loops:
            if loop.goes:
                gone_through(variables, loop.variable)
        for name in at.names:
            if name in variables:
                yield name
                yield self.of(variables[name])


def _nth(value: object, among: list[AnyFace]) -> int:
    """The place of an object among others, at the end of them if it was not there."""
    for nth, other in enumerate(among):
        if other is value:
            return nth
    among.append(value)
    return len(among) - 1


__all__ = [
    "ITERATORS",
    "AsTold",
    "OutOfSight",
    "at_rest",
    "attributes_of",
    "gone_through",
    "instruction",
    "is_known",
    "keeps_attributes",
    "plain_told",
    "site",
    "slots_of",
]
