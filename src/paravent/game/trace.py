"""Which code carries which rule, and whether it ran.

``@rule("D10-011")`` registers a function as the carrier of a rule; a table file does the same with ``rules = [...]``.
Outside tests this costs nothing: the function is returned as it is. When tests watch, each run of a carrier is noted,
so that a test's mark counts only if the code it speaks of really ran.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

carriers: dict[str, list[str]] = {}
"""Rule id to the names of what carries it."""

ran: set[str] = set()
"""Ids whose carriers ran since it was last emptied."""

watching = os.environ.get("PARAVENT_WATCH_RULES") == "1"


def carry(name: str, ids: tuple[str, ...]) -> None:
    """Register ``name`` (a function, a table) as a carrier of these rules."""
    for rule_id in ids:
        carriers.setdefault(rule_id, []).append(name)


def mark(ids: tuple[str, ...]) -> None:
    """Say that a carrier of these rules ran."""
    if watching:
        ran.update(ids)


def rule(*ids: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Register a function as the carrier of rules.

    >>> @rule("X-001")
    ... def lucky(dice):
    ...     return dice.sum(1, 6) == 6
    >>> carriers["X-001"]
    ['paravent.game.trace.lucky']
    """

    def register(function: Callable[P, R]) -> Callable[P, R]:
        carry(f"{function.__module__}.{function.__qualname__}", ids)
        if not watching:
            return function

        @functools.wraps(function)
        def watched(*args: P.args, **kwargs: P.kwargs) -> R:
            ran.update(ids)
            return function(*args, **kwargs)

        return watched

    return register
