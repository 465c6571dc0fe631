"""Records, and forms, that note what is read of them.

What was worked out from a record stays right for as long as what was read of it is the same, however much else of the
record changes: whether somebody may begin a move seldom depends on how many points they have left. So it is with what
people fill in: no odds depend on how somebody words a goal.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from itertools import repeat
from operator import eq
from typing import Any, TypeVar

from .errors import Withheld
from .plain import Value

T = TypeVar("T")
Reads = dict[str, Any]
"""What stood in each field that was read."""


def attentive(record: T) -> tuple[T, Reads]:
    """The same record, and what is read of it from now on.

    Who looks at the whole of it (compares it, writes it out, copies it) has read every field.
    """
    cls: type = type(record)
    reads: Reads = {}
    copy: Any = object.__new__(_attentive(cls))
    for name in _fields(cls):
        with suppress(Withheld):  # behind a veil it stays withheld
            object.__setattr__(copy, name, getattr(record, name))
    object.__setattr__(copy, _READS, reads)
    return copy, reads


def still_reads(record: object, reads: Reads) -> bool:
    """Whether a record holds what was read of another of its class."""
    return all(map(eq, map(getattr, repeat(record), reads), reads.values()))


def can_be_attentive(record: object) -> bool:
    """Whether what is read of a record can be noted, field by field."""
    return hasattr(type(record), "__dataclass_fields__")


_READS = "_reads_of_it"


@lru_cache(maxsize=512)
def _fields(cls: type) -> frozenset[str]:
    return frozenset(part.name for part in dataclasses.fields(cls))


@lru_cache(maxsize=512)
def _attentive(cls: type) -> type:
    """The class of records of which is noted what is read."""
    fields = _fields(cls)

    def read(self: object, name: str) -> Any:
        value = object.__getattribute__(self, name)
        if name in fields:
            object.__getattribute__(self, _READS)[name] = value
        elif name == "__dict__":
            reads: Reads = object.__getattribute__(self, _READS)
            reads.update((one, held) for one, held in value.items() if one in fields)
        return value

    return type(cls.__name__, (cls,), {"__getattribute__": read})


FilledReads = dict[tuple[int, str], Value]
"""What stood in each field of a form that was read, by whose form it is and the field's name."""
EVERY_FIELD = "(every field)"
"""What stands for the whole of a form: no field is called so, while one without a name may well be asked for."""
_NOTHING: Any = object()


class AttentiveForm(Mapping[str, Value]):
    """What somebody filled in; what is read of it is noted, also that something is not there.

    Who goes through the whole of it has read every field, and that there are no others.
    """

    __slots__ = ("_also", "_filled", "_reads", "_whose")

    def __init__(
        self, filled: Mapping[str, Value], whose: int, reads: FilledReads, also: Mapping[str, Value] | None = None
    ) -> None:
        self._filled, self._whose, self._reads, self._also = filled, whose, reads, also or {}

    def also(self, more: Mapping[str, Value]) -> AttentiveForm:
        """The same with some more filled in: reading that says nothing of what stood there."""
        return AttentiveForm(self._filled, self._whose, self._reads, {**self._also, **more})

    def __getitem__(self, name: str) -> Value:
        if name in self._also:
            return self._also[name]
        found = self._reads[self._whose, name] = self._filled.get(name, _NOTHING)
        if found is _NOTHING:
            raise KeyError(name)
        return found

    def __iter__(self) -> Iterator[str]:
        names = tuple(self._filled)
        self._reads[self._whose, EVERY_FIELD] = names
        return iter({**dict.fromkeys(names), **self._also})

    def __len__(self) -> int:
        return sum(1 for _ in self)


def filled_also(filled: Mapping[str, Value], more: Mapping[str, Value]) -> Mapping[str, Value]:
    """What is filled in, with some more."""
    return filled.also(more) if isinstance(filled, AttentiveForm) else {**filled, **more}


def beneath(
    forms: tuple[Mapping[str, Value], ...]
) -> tuple[tuple[Mapping[str, Value], ...], FilledReads | None]:
    """Forms as they were filled in, and where it is noted what is read of them, if it is: whoever finds there what was
    read before notes that themselves."""
    first = forms[0] if forms else None
    if type(first) is not AttentiveForm:
        return forms, None
    filled: list[Mapping[str, Value]] = []
    for at, form in enumerate(forms):
        if type(form) is not AttentiveForm or form._whose != at or form._also or form._reads is not first._reads:
            return forms, None
        filled.append(form._filled)
    return tuple(filled), first._reads


def forms_still_read(forms: tuple[Mapping[str, Value], ...], reads: FilledReads) -> bool:
    """Whether forms hold what was read of others."""
    for (whose, name), value in reads.items():  # asked of every control and every tile, so written out
        if (tuple(forms[whose]) if name is EVERY_FIELD else forms[whose].get(name, _NOTHING)) != value:
            return False
    return True
