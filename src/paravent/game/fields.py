"""What a form asks: typed fields, read from a page, a command line or JSON alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType

from paravent.dice import plain

from .errors import BadValue, OutOfRange, TextTooLong, UnknownName
from .lazily import cached_property
from .plain import Plain
from .shapes import Place, ShapeFacts

if TYPE_CHECKING:
    from .move import Context

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Options = Iterable[T] | Callable[["Context"], Sequence[T]]
"""What may be chosen: a list, an enumeration, or what the context says."""


class FieldFacts(Struct, frozen=True):
    """What a page or a program needs to know to ask for a value; what is not said stays unset."""

    type: str
    options: list[Plain] | UnsetType = UNSET
    minimum: int | UnsetType | None = UNSET
    maximum: int | UnsetType | None = UNSET
    longest: int | UnsetType = UNSET
    suggested: list[Plain] | UnsetType = UNSET
    of: FieldFacts | UnsetType = UNSET
    """What each of several values is."""
    least: int | UnsetType = UNSET
    most: int | UnsetType | None = UNSET
    distinct: bool | UnsetType = UNSET
    parts: Mapping[str, FieldFacts] | UnsetType = UNSET
    """What each named part of a group is."""
    kind: str | UnsetType = UNSET
    """The kind of record, where a whole sheet is asked for."""
    place: Place | UnsetType = UNSET
    """Where it stands on a form."""
    shape: ShapeFacts | UnsetType = UNSET
    """What its control looks like, where it is no plain one."""

    @property
    def bounds(self) -> tuple[int | None, int | None]:
        """The least and the greatest number, as far as they are said."""
        return (None if self.minimum is UNSET else self.minimum), (None if self.maximum is UNSET else self.maximum)

    def to_json(self) -> dict[str, Plain]:
        """The facts as programs get them."""
        plainly: dict[str, Plain] = msgspec.to_builtins(self)
        return plainly


class FieldType(Generic[T_co]):
    """How a value is read and described; the type of the value is its own."""

    name = "text"

    def read(self, raw: object, field: str, ctx: Context) -> T_co:
        """The value that ``raw`` (a word of the command line, or JSON) stands for."""
        raise NotImplementedError

    def describe(self, ctx: Context) -> FieldFacts:
        """What a page or a program needs to know to ask for it."""
        return FieldFacts(self.name)


AnyType = FieldType[Any]
"""How a value of whatever type is read."""


@dataclass(frozen=True)
class Whole(FieldType[int]):
    """A whole number, perhaps between bounds (a bound may depend on what is filled in)."""

    minimum: int | Callable[[Context], int | None] | None = None
    maximum: int | Callable[[Context], int | None] | None = None
    name = "whole"

    def bounds(self, ctx: Context) -> tuple[int | None, int | None]:
        """The bounds that hold now."""
        return _settled(self.minimum, ctx), _settled(self.maximum, ctx)

    def read(self, raw: object, field: str, ctx: Context) -> int:
        try:
            number = raw if isinstance(raw, int) and not isinstance(raw, bool) else int(str(raw).replace("−", "-"))
        except ValueError:
            raise BadValue(field=field, got=raw, expected="number") from None
        low, high = self.bounds(ctx)
        if (low is not None and number < low) or (high is not None and number > high):
            raise OutOfRange(field=field, got=number, minimum=low, maximum=high)
        return number

    def describe(self, ctx: Context) -> FieldFacts:
        low, high = self.bounds(ctx)
        return FieldFacts(self.name, minimum=low, maximum=high)


@dataclass(frozen=True)
class OneOf(FieldType[T]):
    """One of a few words; an enumeration gives its members.

    ``offered`` are those that make sense now, where that is fewer: any other is refused by the rule, in its own words.
    """

    options: Options[T]
    offered: Options[T] | None = None
    name = "one-of"

    def values(self, ctx: Context) -> Sequence[T]:
        """The options that hold now."""
        return _options(self.options, ctx)

    def read(self, raw: object, field: str, ctx: Context) -> T:
        values = self.values(ctx)
        for value in values:
            if value == raw or str(plain(value)) == str(raw):
                return value
        raise UnknownName("value", str(raw), (str(plain(value)) for value in values))

    def describe(self, ctx: Context) -> FieldFacts:
        if self._always is not None:
            return self._always
        shown = self.values(ctx) if self.offered is None else _options(self.offered, ctx)
        return FieldFacts(self.name, [plain(value) for value in shown])

    @cached_property
    def _always(self) -> FieldFacts | None:
        """What it asks for whatever stands elsewhere, if its options do not depend on it."""
        shown = self.options if self.offered is None else self.offered
        return FieldFacts(self.name, [plain(value) for value in shown]) if isinstance(shown, Iterable) else None


@dataclass(frozen=True)
class Score(FieldType[int | str]):
    """A number, or the name of a value on the actor's sheet (``dexterity``); ``offered`` as in :class:`OneOf`."""

    names: Options[str]
    minimum: int | None = None
    maximum: int | None = None
    offered: Options[str] | None = None
    name = "score"

    def read(self, raw: object, field: str, ctx: Context) -> int | str:
        try:
            return Whole(self.minimum, self.maximum).read(raw, field, ctx)
        except BadValue:
            return OneOf(self.names).read(raw, field, ctx)
        except OutOfRange:  # unless somebody called something on their sheet so
            if isinstance(raw, str) and raw in _options(self.names, ctx):
                return raw
            raise

    def describe(self, ctx: Context) -> FieldFacts:
        shown = self.names if self.offered is None else self.offered
        options: list[Plain] = [plain(value) for value in _options(shown, ctx)]
        return FieldFacts(self.name, options, self.minimum, self.maximum)


@dataclass(frozen=True)
class Flag(FieldType[bool]):
    """Yes or no; ``offered`` as in :class:`OneOf`: what an empty purse cannot buy is not to be said yes to."""

    offered: Options[bool] | None = None
    name = "flag"

    def read(self, raw: object, field: str, ctx: Context) -> bool:
        word = str(raw).lower()
        if word in ("true", "yes", "oui", "1", "on"):
            return True
        if word in ("false", "no", "non", "0", "off", ""):
            return False
        raise BadValue(field=field, got=raw, expected="yes-no")

    def describe(self, ctx: Context) -> FieldFacts:
        shown = () if self.offered is None else _options(self.offered, ctx)
        return FieldFacts(self.name, [plain(value) for value in shown]) if len(shown) == 1 else FieldFacts(self.name)


@dataclass(frozen=True)
class TextField(FieldType[str]):
    """A few words or a paragraph; some may be at hand (``suggested``), any other will do."""

    longest: int = 2000
    suggested: Options[str] = ()
    name = "text"

    def read(self, raw: object, field: str, ctx: Context) -> str:
        text = str(raw).strip()
        if len(text) > self.longest:
            raise TextTooLong(field=field, n=len(text), most=self.longest)
        return text

    def describe(self, ctx: Context) -> FieldFacts:
        suggested = [plain(words) for words in _options(self.suggested, ctx)]
        return FieldFacts(self.name, longest=self.longest, suggested=suggested or UNSET)


@dataclass(frozen=True)
class Many(FieldType[tuple[T, ...]]):
    """Several values of one type; the same may come again, unless they are ``distinct``."""

    of: FieldType[T]
    least: int = 0
    most: int | None = None
    distinct: bool = False
    name = "many"

    def read(self, raw: object, field: str, ctx: Context) -> tuple[T, ...]:
        parts = list(raw) if isinstance(raw, (list, tuple)) else [p for p in str(raw).split(",") if p.strip()]
        values = tuple(self.of.read(p.strip() if isinstance(p, str) else p, field, ctx) for p in parts)
        values = tuple(dict.fromkeys(values)) if self.distinct else values
        if len(values) < self.least or (self.most is not None and len(values) > self.most):
            raise OutOfRange(field=field, got=len(values), minimum=self.least, maximum=self.most)
        return values

    def describe(self, ctx: Context) -> FieldFacts:
        return FieldFacts(
            self.name, of=self.of.describe(ctx), least=self.least, most=self.most, distinct=self.distinct or UNSET,
        )


@dataclass(frozen=True)
class Group(FieldType[dict[str, T]]):
    """A handful of named values that go together; parts left out take their default."""

    parts: Mapping[str, FieldType[T]]
    defaults: Mapping[str, T]
    name = "group"

    def read(self, raw: object, field: str, ctx: Context) -> dict[str, T]:
        if not isinstance(raw, Mapping):
            raise BadValue(field=field, got=raw, expected="mapping")
        for name in raw:
            if name not in self.parts:
                raise UnknownName("field", f"{name}", self.parts)
        values: dict[str, T] = {}
        for name, kind in self.parts.items():
            if name in raw:
                values[name] = kind.read(raw[name], f"{field}.{name}", ctx)
            elif name in self.defaults:
                values[name] = self.defaults[name]
            else:
                raise BadValue(field=f"{field}.{name}", got=None, expected="value")
        return values

    def describe(self, ctx: Context) -> FieldFacts:
        return FieldFacts(self.name, parts={name: kind.describe(ctx) for name, kind in self.parts.items()})


@dataclass(frozen=True)
class SheetOf(FieldType[T]):
    """A whole record, given as plain values: a sheet handed to the game master."""

    kind: str
    name = "sheet"

    def read(self, raw: object, field: str, ctx: Context) -> T:
        kind = ctx.system.kind(self.kind)
        if not isinstance(raw, Mapping) and not kind.holds(raw):
            raise BadValue(field=field, got=raw, expected="mapping")
        record: T = kind.from_plain(raw)
        return record

    def describe(self, ctx: Context) -> FieldFacts:
        return FieldFacts(self.name, kind=self.kind)


def _settled(bound: int | Callable[[Context], int | None] | None, ctx: Context) -> int | None:
    return bound(ctx) if callable(bound) else bound


def _options(options: Options[T], ctx: Context) -> Sequence[T]:
    if isinstance(options, Iterable):  # an enumeration too gives its members
        return tuple(options)
    return ctx.once(_listed, options)


def _listed(ctx: Context, options: Callable[[Context], Iterable[T]]) -> tuple[T, ...]:
    """The options that hold as things stand: a form asks for them again for each value that it weighs."""
    return tuple(options(ctx))
