"""Where a rule stands when it throws: its functions under way, each with where it is and what it keeps.

:mod:`.places` says at which instructions nothing of a function is out of sight; here its variables are read. Two runs
that stand alike go on alike, so that they can be joined.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping
from operator import length_hint
from types import CodeType, FrameType, FunctionType, GeneratorType, MethodType, ModuleType
from typing import NamedTuple

from .places import GENERATOR, THROWS, CallSite, calls_to_sort
from .told import AsTold, OutOfSight, attributes_of, gone_through, instruction, keeps_attributes, site
from .ways import AnyFace

SORTING: list[object] = []
"""What is run in the place of ``max``, ``min`` and ``sorted``."""


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
    passing: frozenset[CodeType]
    """Call one of those, and hand on what it gives."""


def standing(
    frame: FrameType | None, runner: CodeType, dice: object, number: type, given: Collection[int], ours: InSight,
    watched: Collection[object],
) -> Whereabouts:
    """Where a rule stands whose throw is under way; what it was given is told by identity, and what may change of it
    (``watched``) by what is in it."""
    stack: list[FrameType] = []
    while frame is not None and frame.f_code is not runner:
        stack.append(frame)
        frame = frame.f_back
    if frame is None or len(stack) < 2:
        raise OutOfSight
    thrown, *under_way = stack
    told = AsTold(dice, number, given, ours.helper, stack)
    where: list[object] = [told.of(value) for value in thrown.f_locals.values()]
    orders: list[int] = []
    callee: CodeType | None = None
    resumed: FrameType | None = None
    for frame in under_way:
        code, variables = frame.f_code, frame.f_locals
        if code is ours.helper:
            callee = variables["function"].__code__
            continue
        if callee in ours.readers | ours.passing and code in ours.passing:
            where += (code, *map(told.of, variables.values()))
            callee = code
            continue
        if resumed is not None and code in ours.readers:
            if getattr(variables["values"], "gi_frame", None) is not resumed:
                raise OutOfSight
            where += (code, told.of(variables.get("so_far")))
            callee, resumed = code, None
            continue
        at = site(frame)
        if resumed is not None:
            if not at.through or getattr(gone_through(variables, at.through), "gi_frame", None) is not resumed:
                raise OutOfSight
        elif callee is None:
            if not _throws(at, frame, dice, thrown.f_code):
                raise OutOfSight
        else:
            called = _called(at, frame)
            if (ours.helped(called) if called.__code__ is ours.helper else called).__code__ is not callee:
                raise OutOfSight
        resumed = frame if code.co_flags & GENERATOR else None
        callee = code
        where += (code, instruction(frame))
        orders = _order(at, instruction(frame), variables, orders)
        if frame is stack[-1]:
            variables = {name: value for name, value in variables.items() if name not in code.co_freevars}
        where += told.variables(at, variables)
    if resumed is not None:
        raise OutOfSight
    where += [told.within(value) for value in watched]
    where += told.rest()
    return Whereabouts(tuple(where), tuple(orders), tuple(told.open))


def _throws(at: CallSite, frame: FrameType, dice: object, throw: CodeType) -> bool:
    """Whether what is called at a place is a throw of these dice."""
    if len(at.path) > 1 and at.path[-1] in THROWS:
        return _owner(at, frame) is dice
    called = _variable(at.path[0], frame) if len(at.path) == 1 else None
    return type(called) is MethodType and called.__self__ is dice and called.__func__.__code__ is throw


def _variable(name: str, frame: FrameType) -> AnyFace:
    return frame.f_locals.get(name, frame.f_globals.get(name))


def _owner(at: CallSite, frame: FrameType) -> AnyFace:
    """Whose method is called at a place."""
    value = _variable(at.path[0], frame)
    for name in at.path[1:-1]:
        value = _attribute(value, name)
    return value


def _called(at: CallSite, frame: FrameType) -> FunctionType:
    """The function of the rule that is called at a place."""
    if not at.path:
        raise OutOfSight
    called = _variable(at.path[0], frame) if len(at.path) == 1 else _attribute(_owner(at, frame), at.path[-1])
    if type(called) is not FunctionType:
        raise OutOfSight
    return called


def _attribute(value: AnyFace, name: str) -> AnyFace:
    """What an attribute of something plain is; a method, as the function that it is."""
    if type(value) is ModuleType:
        return vars(value).get(name)
    if isinstance(value, tuple) and name in getattr(value, "_fields", ()):
        return getattr(value, name)
    if not keeps_attributes(value) and not hasattr(value, "_fields"):
        raise OutOfSight
    own = attributes_of(value)
    if name in own:
        return own[name]
    return next((vars(kind)[name] for kind in type(value).__mro__ if name in vars(kind)), None)


def _order(at: CallSite, instruction: int, variables: Mapping[str, AnyFace], within: list[int]) -> list[int]:
    """How far a function is at a place, and then what it calls there; in a loop without a variable, nobody knows."""
    order: list[int] = []
    for loop in at.loops:
        order.append(loop.begins)
        if not loop.variable:
            return order
        if loop.goes:
            order += _how_far(gone_through(variables, loop.variable))
        else:
            value = variables[loop.variable]
            order.append(loop.over.index(value) if loop.over else value)
    return [*order, instruction, *within]


def _how_far(goes: AnyFace) -> list[int]:
    """How far an iterator is: one that has much left is less far; a generator that has stopped, as a function is."""
    if type(goes) is not GeneratorType:
        return [-length_hint(goes)]
    frame = goes.gi_frame
    if frame is None or goes.gi_running:
        return []
    return _order(site(frame), instruction(frame), frame.f_locals, [])


def sorts() -> bool:
    """Whether what compares just now is ``max``, ``min`` or a sort of nothing but numbers: of equals, any may be the
    greater. With a ``key`` it would matter which."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__package__") == __package__:
        frame = frame.f_back
    if frame is None:
        return False
    called, method = calls_to_sort(frame.f_code).get(instruction(frame), ("", ""))
    known = {**frame.f_builtins, **frame.f_globals, **frame.f_locals}.get(called)
    return method == "sort" or (not method and (known in (max, min, sorted) or known in SORTING))


__all__ = ["SORTING", "InSight", "Whereabouts", "sorts", "standing"]
