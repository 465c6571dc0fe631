"""Answers that are kept from one question to the next, and how all of them are forgotten."""

from __future__ import annotations

from typing import Protocol, TypeVar


class Cached(Protocol):
    """A function that keeps its answers."""

    def cache_clear(self) -> None:
        """Forget them."""
        ...


K = TypeVar("K", bound=Cached)
_kept: list[Cached] = []


def kept_with_odds(function: K) -> K:
    """Have the answers that a function keeps forgotten when odds are: they were worked out from odds."""
    _kept.append(function)
    return function


def forget_odds() -> None:
    """Forget every answer, what each throw gives included: the next questions are weighed anew."""
    for function in _kept:
        function.cache_clear()


__all__ = ["Cached", "forget_odds", "kept_with_odds"]
