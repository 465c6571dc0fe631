"""What was worked out from certain objects, kept for as long as it is asked of these very objects."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from operator import is_
from typing import Generic, TypeVar

T = TypeVar("T")


class ByIdentity(Generic[T]):
    """Results by the objects they come from: the same, not equal ones. Those least lately made are forgotten first."""

    def __init__(self, most: int = 256) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, tuple[tuple[object, ...], T]] = OrderedDict()

    def of(self, objects: tuple[object, ...], make: Callable[[], T], *more: Hashable) -> T:
        """What ``make`` gives of these objects; ``more`` is what else it depends on."""
        key = *map(id, objects), more
        kept = self._kept.get(key)
        if kept is None or not same(kept[0], objects):
            kept = self._kept[key] = objects, make()  # the objects are kept too: nothing else can have their ids
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return kept[1]

    def clear(self) -> None:
        """Forget all of it."""
        self._kept.clear()


def same(before: tuple[object, ...], now: tuple[object, ...]) -> bool:
    """Whether these are the very same objects."""
    return len(before) == len(now) and all(map(is_, before, now))
