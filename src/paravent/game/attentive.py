"""Records, and forms, that note what is read of them.

What was worked out from a record stays right for as long as what was read of it is the same, however much else of the
record changes: whether somebody may begin a move seldom depends on how many points they have left. So it is with what
people fill in: no odds depend on how somebody words a goal.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache, partial
from inspect import getattr_static
from typing import Any, NamedTuple, TypeVar, overload

from .errors import Withheld
from .plain import Value

T = TypeVar("T")
Reads = dict[str, Any]
"""What stood in each field that was read; of a property, what it gave, :class:`Given`."""


class Given(NamedTuple):
    """What a property of a record gave, and what it read for it: it gives the same as long as that is the same, and
    often longer."""

    value: Any
    reads: Reads


def attentive(record: T) -> tuple[T, Reads]:
    """The same record, and what is read of it from now on; one that notes already what is read of it still does.

    Who looks at the whole of it (compares it, writes it out, copies it) has read every field. Of a property it is noted
    what it gives. What is behind a veil stays withheld, whatever stands there: that says nothing but the class of the
    record, which whoever keeps what was worked out looks at too (:func:`sort_of`).
    """
    plain, reads = beneath(record), Reads()
    return _noting(plain, (reads, *_heard(record))), reads


def still_reads(record: object, reads: Reads) -> bool:
    """Whether a record holds what was read of another of its class, and its properties give what that one's gave."""
    plain = beneath(record)
    for name, stood in reads.items():
        if type(stood) is Given:
            if not (still_reads(plain, stood.reads) or _gives(plain, name, stood.value)):
                return False
        elif getattr(plain, name) != stood:
            return False
    return True


def has_read(record: object, reads: Reads) -> None:
    """Note that this was read of a record, by whoever finds there what was worked out from it before."""
    for heard in _heard(record):
        heard.update(reads)


def can_be_attentive(record: object) -> bool:
    """Whether what is read of a record can be noted, field by field."""
    return hasattr(type(record), "__dataclass_fields__")


def beneath(record: T) -> T:
    """A record as it stands, of which nothing is noted."""
    plain: T = object.__getattribute__(record, _BENEATH) if hasattr(type(record), _BENEATH) else record
    return plain


def read_whole(value: T) -> T:
    """The same value for whoever keeps it or reads it out of sight, plain: of a record, every field has been read."""
    plain = beneath(value)
    if plain is not value:
        vars(value)
    return plain


def sort_of(record: object) -> type:
    """The class of a record; of one behind a veil, a class of its own for what is withheld."""
    return type(beneath(record))


_BENEATH, _HEARD = "_paravent_beneath", "_paravent_heard"


def _heard(record: object) -> tuple[Reads, ...]:
    heard: tuple[Reads, ...] = object.__getattribute__(record, _HEARD) if hasattr(type(record), _BENEATH) else ()
    return heard


def _gives(record: object, name: str, value: object) -> bool:
    try:
        return bool(getattr(record, name) == value)
    except Exception:  # a game may fail in any way: then it gives something else
        return False


def _noting(plain: T, heard: tuple[Reads, ...]) -> T:
    cls: type = type(plain)
    copy: T = object.__new__(_attentive(cls))
    object.__setattr__(copy, _BENEATH, plain)
    object.__setattr__(copy, _HEARD, heard)
    return copy


@lru_cache(maxsize=512)
def _attentive(cls: type) -> type:
    """The class of records of which is noted what is read: each field is read of the record beneath, there and then.

    They say themselves that they are of that record's class, so that what is made of one (``replace``) is plain, and
    one equals the other; they are made by nobody else.
    """
    fields = tuple(part.name for part in dataclasses.fields(cls))

    def whole(self: object) -> dict[str, Any]:
        found = {}
        for name in fields:
            with suppress(Withheld):
                found[name] = getattr(self, name)
        return found

    derived = {name: given for name in dir(cls) if name not in fields and name != "__class__"
               and isinstance(given := getattr_static(cls, name), property)}
    return type(cls.__name__, (cls,), {
        "__slots__": (_BENEATH, _HEARD), **{name: property(partial(_field_read, name)) for name in fields},
        **{name: property(partial(_property_read, name, given)) for name, given in derived.items()},
        "__class__": property(lambda _: cls), "__dict__": property(whole),
    })


def _field_read(name: str, record: object) -> Any:
    value = getattr(object.__getattribute__(record, _BENEATH), name)
    for reads in object.__getattribute__(record, _HEARD):
        reads[name] = value
    return value


def _property_read(name: str, given: property, record: object) -> Any:
    copy, reads = attentive(beneath(record))
    try:
        value = given.__get__(copy)
    except Exception:  # it gives nothing: what it read for that is what counts
        has_read(record, reads)
        raise
    has_read(record, {name: Given(value, reads)})
    return value


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

    def _found(self, name: str) -> Value:
        """What stands in a field, or nothing; asked of every field by every rule."""
        if name in self._also:
            return self._also[name]
        found = self._reads[self._whose, name] = self._filled.get(name, _NOTHING)
        return found

    def __getitem__(self, name: str) -> Value:
        found = self._found(name)
        if found is _NOTHING:
            raise KeyError(name)
        return found

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._found(name) is not _NOTHING

    @overload
    def get(self, name: str, /) -> Value | None: ...
    @overload
    def get(self, name: str, /, default: T) -> Value | T: ...
    def get(self, name: str, default: Any = None) -> Any:
        """What stands in a field; the default where nothing does."""
        found = self._found(name)
        return default if found is _NOTHING else found

    def __iter__(self) -> Iterator[str]:
        names = tuple(self._filled)
        self._reads[self._whose, EVERY_FIELD] = names
        return iter({**dict.fromkeys(names), **self._also})

    def __len__(self) -> int:
        return sum(1 for _ in self)


def filled_also(filled: Mapping[str, Value], more: Mapping[str, Value]) -> Mapping[str, Value]:
    """What is filled in, with some more."""
    return filled.also(more) if isinstance(filled, AttentiveForm) else {**filled, **more}


def forms_beneath(
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
