"""What was worked out from certain objects, kept for as long as it is asked of these very objects."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from operator import is_
from typing import Generic, TypeVar

from paravent.game.attentive import Reads, attentive, can_be_attentive, still_reads

K = TypeVar("K", bound=Hashable)
R = TypeVar("R")
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
        if kept is None or not all(map(is_, kept[0], objects)):
            kept = self._kept[key] = objects, make()  # the objects are kept too: nothing else can have their ids
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return kept[1]

    def clear(self) -> None:
        """Forget all of it."""
        self._kept.clear()


class ByReads(Generic[T]):
    """Results by what was read of a record to come to them: a few for each question, the latest last.

    Everything else that a result follows from is an object (the very same), or a value of the question.
    """

    def __init__(self, most: int = 4096, each: int = 8) -> None:
        self._most, self._each = most, each
        self._kept: OrderedDict[Hashable, tuple[tuple[object, ...], list[tuple[Reads, T]]]] = OrderedDict()

    def of(self, objects: tuple[object, ...], record: R, make: Callable[[R], T], *more: Hashable) -> T:
        """What ``make`` gives of a record; it is asked again only once something that it reads is another."""
        noted = can_be_attentive(record)
        objects = objects if noted else (*objects, record)
        key = type(record), *map(id, objects), more
        kept = self._kept.get(key)
        if kept is None or not all(map(is_, kept[0], objects)):
            kept = self._kept[key] = objects, []
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        for reads, result in reversed(kept[1]):
            if still_reads(record, reads):
                return result
        looked_at, reads = attentive(record) if noted else (record, {})
        result = make(looked_at)
        kept[1].append((reads, result))
        del kept[1][:-self._each]
        return result


def same(before: tuple[object, ...], now: tuple[object, ...]) -> bool:
    """Whether these are the very same objects."""
    return len(before) == len(now) and all(map(is_, before, now))


class Latest(Generic[K, T]):
    """Things by name, those that were asked for latest."""

    def __init__(self, most: int) -> None:
        self._most, self._kept = most, OrderedDict[K, T]()

    def of(self, name: K, make: Callable[[], T]) -> T:
        """What is kept under a name; made, if there is nothing."""
        return self.keep(name, self._kept[name] if name in self._kept else make())

    def keep(self, name: K, thing: T) -> T:
        """Keep a thing under a name."""
        self._kept[name] = thing
        self._kept.move_to_end(name)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return thing
