"""Records: characters, extras, vehicles, places. Typed, versioned, frozen, validated.

A record is a frozen dataclass of plain values (numbers, words, tuples, mappings, other such dataclasses). Nothing in it
is ever changed in place: a :class:`Change` says before and after, and :func:`apply` gives the new record.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import types
import typing
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar, Union, overload

from paravent.dice import Dice, ParaventError, plain

from .errors import STUMBLES, BadRecord, BadValue, UnknownName, Withheld
from .maps import Map
from .plain import SIMPLE, Plain, Value
from .rulebook import Rulings
from .shapes import Passages

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

R = TypeVar("R", bound="DataclassInstance")
T = TypeVar("T")
V = TypeVar("V", bound="Value")
Annotation: TypeAlias = object
"""What says the type of a value: a class, ``int | None``, ``tuple[str, ...]``."""

GM = "gm"
ALL = "all"
OWN = "own"
Audience = frozenset[str]
"""Ranks and roles, never people: ``all``, ``gm``, or roles of the move (``initiator``, ``opponent``…).

``own``, for dice only, is whoever threw them: each side of a duel sees its own.
"""

Weight = Literal["", "bookkeeping", "certain", "grave"]
"""How much a change weighs: never told as a consequence; applied at once and undone with one tap; or it waits for the
game master. Nothing said is certain; of an encounter's state and of timers it is bookkeeping."""
WEIGHTS: tuple[Weight, ...] = ("bookkeeping", "certain", "grave")

EVERYONE: Audience = frozenset({ALL})
GM_ONLY: Audience = frozenset({GM})
NOBODY: Audience = frozenset()


def only(*roles: str) -> Audience:
    """An audience of these roles."""
    return frozenset(roles)


@dataclass(frozen=True)
class Change:
    """Before and after of one value: on an actor's record, on the ``encounter``, on the ``clock``.

    ``target`` is the id of an actor of the move, or ``encounter`` or ``clock``. ``path`` is a field, or
    ``field.key`` for one entry of a mapping. Each change may be amended or refused alone. Whatever its audience, it is
    shown only to those who may see the value it changes.

    A record is brought to the table by ``Change(name, "", None, record, kind="character")`` (whoever starts the move
    answers for it; where the change is for the game master alone, it stays behind the screen), and taken away by the
    reverse. An encounter's whole state is replaced by an empty path too.

    ``weight`` says whether it waits for the game master's word: a wound or a death does. The table raises it where the
    change touches another player's sheet or would tell something hidden; what the game master does never waits. What is
    ``own`` is paid by whoever the sheet is of, because they said so in the move: it is not another's doing. What is
    ``written`` is what the game master wrote down in the move, once the dice had fallen: it has had their word.
    """

    target: str
    path: str
    before: Value
    after: Value
    rule: str = ""
    audience: Audience = EVERYONE
    kind: str = ""
    weight: Weight = ""
    own: bool = False
    written: bool = False

    @property
    def weighs(self) -> Weight:
        """Its weight as the game means it, said or not."""
        plumbing = self.target == "encounter" or (self.target == "clock" and self.path.startswith("timers."))
        return self.weight or ("bookkeeping" if plumbing else "certain")

    def to_json(self) -> dict[str, Plain]:
        """The change as plain values."""
        return {"target": self.target, "path": self.path, "before": to_plain(self.before),
                "after": to_plain(self.after), "rule": self.rule}


@dataclass(frozen=True)
class Fault:
    """Something wrong (or only unwise) with a record: a word key, values, the rule that says so."""

    key: str
    rule: str = ""
    warning: bool = False
    values: Mapping[str, Value] = dataclasses.field(default_factory=dict)
    at: str = ""
    """The field that mends it, where one does: whoever writes the sheet is led there."""


class PointsLeft(NamedTuple):
    """Points to spend while a sheet is written, worded under ``points.<id>``: how many are left, of how many.

    ``at`` is a field that they are spent on.
    """

    id: str
    left: int
    of: int
    at: str = ""


class Shortcut(NamedTuple):
    """Something that a sheet has ready to be done in one touch: what it is called, the move, and what it fills in.

    ``number`` is what it is worth, ``effect`` a word key with values that says what comes of it.
    """

    name: str
    move: str
    fills: Mapping[str, str]
    number: int | None = None
    effect: tuple[str, Mapping[str, Value]] | None = None


class Glimpse(NamedTuple):
    """Something to know of somebody at a glance: a word key with values, and whether it is bad for them."""

    key: str
    values: Mapping[str, Value]
    bad: bool = False


@dataclass(frozen=True)
class Section:
    """A block of the printed sheet: a title's word key, and the fields and derived values in it."""

    id: str
    fields: tuple[str, ...]


class RowParts(NamedTuple):
    """What the parts of a row in a list of a sheet are to it: which names it, and which says how many there are.

    Where none is said to name it, its first word does.
    """

    named: str = ""
    counted: str = ""
    scored: bool = True
    """Whether its first other figure is its score, which stands beside its name."""


class Suggestion(NamedTuple):
    """Words at hand for a text of a row, and what else of that row goes with them: with a skill, its family."""

    words: str
    fills: tuple[tuple[str, str], ...] = ()


class Segment(NamedTuple):
    """A stretch of a gauge, from ``least`` up to the next one: called ``values.<id>``.

    What it does stands under ``fields.<gauge>.examples.<id>``, where the game has words for it.
    """

    least: int
    id: str


@dataclass(frozen=True)
class Stage:
    """A step of writing a sheet: the sections that are written together, worded under ``stages.<id>``.

    ``ideas`` are ways of filling in its numbers at one touch, each worded under ``stages.<id>.ideas``.
    """

    id: str
    sections: tuple[str, ...]
    ideas: Mapping[str, Mapping[str, int]] = dataclasses.field(default_factory=dict)


LIMBS = ("head", "torso", "left_arm", "right_arm", "left_leg", "right_leg")
"""The places of a drawn figure."""


@dataclass(frozen=True)
class BodyFigure:
    """A body that a field tells of, part by part, with a number for how badly each is hurt: it is drawn as a figure.

    Each place of the figure says which part of the field it is; ``levels`` are the words of each number, from 0 up,
    ``own`` those of parts that have words of their own (what costs an arm may kill where it hits a head).
    """

    field: str
    head: str = "head"
    torso: str = "torso"
    left_arm: str = "left_arm"
    right_arm: str = "right_arm"
    left_leg: str = "left_leg"
    right_leg: str = "right_leg"
    levels: tuple[str, ...] = ()
    own: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)

    def told(self, part: str, level: int) -> str:
        """The word for how badly a part is hurt, empty where there is none."""
        words = self.own.get(part, self.levels)
        return words[level] if 0 < level < len(words) else ""


@dataclass(frozen=True)
class Chips:
    """A list of a record that stands at its head as chips, which the game master touches to do something about one.

    ``touches`` gives, for each word of a button (``values.<word>``), the field of ``move``, asked of the game master,
    that takes the name of what was touched; the record is in that move as ``role``. ``adds`` gives, for the word of one
    chip more, the field that takes the name of something new, and ``level`` the field that says how much of it, by
    ``levels``.
    """

    field: str
    move: str
    role: str
    touches: Mapping[str, str]
    adds: Mapping[str, str] = dataclasses.field(default_factory=dict)
    level: str = ""
    levels: tuple[int, ...] = ()


@dataclass(frozen=True)
class RecordKind(Generic[R]):
    """A kind of record that a system declares: its dataclass, who sees it by default, and how to check it.

    ``audience`` is who may know that such a record exists at all: elsewhere its name is unknown, in casts too. For a
    foe whom all see and whose figures are secret, leave it open and list the figures in ``hidden``.
    """

    id: str
    cls: type[R]
    audience: Audience = EVERYONE
    check: Callable[[R, Rulings], Sequence[Fault]] = lambda record, rulings: ()
    derived: Callable[[R, Rulings], Mapping[str, Value]] = lambda record, rulings: {}
    draw: Callable[[Dice, Rulings], R] | None = None
    """A rule ``draw(dice, rulings)`` that gives a legal record at random."""
    grown: Callable[[str, Rulings], R] | None = None
    """``grown(seed, rulings)``: what a seed of anybody's choice gives, by dice named after it, for ever the same."""
    ready: Callable[[str], Mapping[str, R]] = lambda lang: {}
    """Ready-made records by id, in a language."""
    played: bool = False
    """Whether it is whom players play: they may bring one, and it stands before the others."""
    lives: bool = False
    """Whether time passes for it too, though nobody plays it: it rests, tires and heals with the others."""
    anybody: bool = True
    """Whether it may hold a role that names no kind of record: a thing, or a place, is offered where it is named."""
    kept: bool = False
    """Whether it stays behind the screen: what others may know of it is told by other sheets, and it is not offered to
    be shown."""
    sections: tuple[Section, ...] = ()
    stages: tuple[Stage, ...] = ()
    """The steps in which such a sheet is written, one after the other; without any, all at once."""
    bounds: Callable[[Rulings], Mapping[str, tuple[int, int]]] = lambda rulings: {}
    """The least and the most of a number while a new sheet is written: it begins at the least."""
    beside: tuple[str, ...] = ()
    """Derived values that are shown beside a sheet while it is written."""
    shortcuts: Callable[[R, Rulings], Sequence[Shortcut]] = lambda record, rulings: ()
    """What such a record has ready to be done in one touch, in the order shown."""
    begins: Callable[[R, Rulings], Sequence[Shortcut]] = lambda record, rulings: ()
    """What a touch on a value of the sheet begins, by that value's name, where the first move that asks for it is not
    what people mean by it: of several under one name, what is open and waits for it, or the first that may be begun."""
    glimpses: Callable[[R, Rulings], Iterable[Glimpse]] = lambda record, rulings: ()
    """What is to be known of such a record at a glance, beside its gauges: what lasts, what weighs on it. One by one: a
    reader is told those before the first that would read something hidden from them."""
    gauges: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """Fields that go up and down in play, each with the field, derived value or number of its maximum."""
    used: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """Gauges that count what is used, each with the derived value of what is left: that is what people are shown."""
    segments: Mapping[str, Sequence[Segment]] = dataclasses.field(default_factory=dict)
    """Gauges that are cut into stretches, from the lowest up: where one stands is said in words."""
    figure: BodyFigure | None = None
    """The body that one of its fields tells of, if it has one."""
    states: tuple[str, ...] = ()
    """Fields and derived values that everybody must see at a glance while they hold: unconscious, dying, dead."""
    in_play: frozenset[str] = frozenset()
    """Other fields that only play writes (wounds, what was spent): a new sheet does not ask for them."""
    hidden: Mapping[str, Audience] = dataclasses.field(default_factory=dict)
    """Fields seen by fewer than the record itself."""
    rules: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """The rule that explains a field, a derived value, or whatever stands in a section."""
    choices: Mapping[str, Callable[[], Sequence[str] | Mapping[str, Sequence[str]]]] = dataclasses.field(
        default_factory=dict)
    """The identifiers that a text of the sheet holds (``origin``, ``weapons.id``), where it is no free text; by
    families where there are many, each worded as a value."""
    points: Callable[[R, Rulings], Sequence[PointsLeft]] = lambda record, rulings: ()
    """What is left to spend while such a sheet is written."""
    suggests: Mapping[str, Callable[[str], Sequence[str | Suggestion]]] = dataclasses.field(default_factory=dict)
    """Words at hand for a text of the sheet (``trade``, ``skills.name``), in a language: an idea, never a limit."""
    rows: Mapping[str, RowParts] = dataclasses.field(default_factory=dict)
    """For a list of the sheet (``equipment``), which part of a row names it and which counts it, if any does."""
    chips: Chips | None = None
    """What changes often in play and is named rather than counted, if there is such a thing."""
    passages: Passages | None = None
    """The texts of the sheet from which some of its lists are drawn: whoever writes it touches the words there."""
    moot: Callable[[Rulings], Collection[str]] = lambda rulings: ()
    """The fields that these options have no use for: a sheet does not ask for them."""
    map: Callable[[R, Rulings], Map] | None = None
    """The map that such a record is, if it is one: it stands at the head of its page."""
    exports: Mapping[str, Callable[[R, Rulings], str]] = dataclasses.field(default_factory=dict)
    """Other programs' formats that it can be written in, worded under ``exports.<format>``."""
    losses: Mapping[str, Sequence[str]] = dataclasses.field(default_factory=dict)
    """What such a format cannot hold, each worded under ``losses.<key>``: whoever writes one is told."""
    reads: Mapping[str, Callable[[str, Rulings], R]] = dataclasses.field(default_factory=dict)
    """Other programs' formats that such a record can be read from."""
    follows: Mapping[str, Callable[[str, R, str, Any, Rulings], R]] = dataclasses.field(default_factory=dict)
    """Kinds of records that it keeps in step with: ``follow(name, record, other_name, other, rulings)`` is the record
    once the other is as it is; names are those at the table. What it takes over is seen by those who see it."""
    comes: Mapping[str, Callable[[str, Any, Any, Mapping[str, R], Rulings], tuple[str, R] | None]] = dataclasses.field(
        default_factory=dict)
    """Kinds of records that bring one of this kind along: ``come(name, before, now, others, rulings)`` is the record
    that comes, if one does, once another is as it now is; and which of the others of its kind it is seen and kept
    like."""
    portrait: str = ""
    """What its portraits are drawn as where nobody brought a picture: one of :data:`~paravent.game.portraits.TRAITS`;
    else it is known by its initials."""
    called: str = ""
    """The field whose value, an identifier, a record without a name goes by; else it is called what it is."""
    version: int = 1
    """What the form of its sheets is called; a sheet that was written in another says so."""
    upgrades: Mapping[int, Callable[[dict[str, Plain]], Mapping[str, Plain]]] = dataclasses.field(default_factory=dict)
    """From each earlier version to the next, on plain values; one that only adds or drops fields needs none."""
    earlier: Mapping[int, Sequence[Mapping[str, Plain]]] = dataclasses.field(default_factory=dict)
    """Sheets as each earlier version wrote them, that a conformance suite can bring along; one of each at least."""

    def holds(self, record: object) -> bool:
        """Whether this is a record of this kind."""
        return isinstance(record, self.cls)

    def from_plain(self, data: object) -> R:
        """A record of this kind from plain values; one that is read already is itself."""
        if isinstance(data, self.cls):
            return data
        if isinstance(data, Mapping):
            data = {name: part for name, part in data.items() if name not in ("system", "kind", "version")}
        return from_plain(self.cls, data)

    def validated(self, record: R, rulings: Rulings) -> R:
        """The record itself, unless the rules forbid it: then its faults are raised together."""
        self._refuse(self.check(record, rulings))
        return record

    @staticmethod
    def _refuse(found: Sequence[Fault]) -> None:
        faults = [fault for fault in found if not fault.warning]
        if faults:
            raise BadRecord(faults=faults, rule=faults[0].rule)

    def validated_without(self, record: R, unseen: Iterable[str], rulings: Rulings) -> None:
        """Refuse a record for what can be told without reading some of its fields."""
        self._refuse(self.faults_without(record, unseen, rulings))

    def faults_without(self, record: R, unseen: Iterable[str], rulings: Rulings) -> Sequence[Fault]:
        """What the check says of a record to somebody who may not see some of its fields: these are never read.

        Where it asks for one of them, a fault counts only if it is found, in the same words, whatever stands there.
        """
        hidden = frozenset(unseen)
        try:
            return tuple(self.check(veiled(record, hidden), rulings))
        except Withheld:
            found: list[Sequence[Fault]] = []
        for other in supposed(record, hidden):
            with suppress(ArithmeticError, ParaventError, *STUMBLES):
                found.append(tuple(self.check(other, rulings)))
        return [fault for fault in found[0] if all(fault in others for others in found)] if found else ()


    def chosen(self, path: str) -> Mapping[str, Sequence[str]]:
        """The identifiers that a text of the sheet may hold, by their family; under no name where there are none."""
        found = self.choices[path]()
        return found if isinstance(found, Mapping) else {"": found}


AnyKind = RecordKind[Any]
"""A kind of whatever record, where several stand together."""


@lru_cache(maxsize=512)
def _hints(kind: type) -> dict[str, Annotation]:
    """The annotations of a dataclass or named tuple, worked out once."""
    return typing.get_type_hints(kind)


@lru_cache(maxsize=512)
def _names(kind: type[DataclassInstance]) -> tuple[str, ...]:
    """The fields of a dataclass, looked for once."""
    return tuple(part.name for part in dataclasses.fields(kind))


@overload
def to_plain(record: DataclassInstance | Mapping[str, Value]) -> dict[str, Plain]: ...
@overload
def to_plain(record: object) -> Plain: ...


def to_plain(record: object) -> Plain:
    """A record as plain values, nested records included."""
    if type(record) in SIMPLE:  # as most parts are
        simple: Plain = plain(record)
        return simple
    if dataclasses.is_dataclass(record) and not isinstance(record, type):
        return {name: to_plain(getattr(record, name)) for name in _names(type(record))}
    if isinstance(record, tuple) and hasattr(record, "_asdict"):
        return {name: to_plain(part) for name, part in record._asdict().items()}
    if isinstance(record, (tuple, list)):
        return [to_plain(part) for part in record]
    if isinstance(record, Mapping):
        return {str(plain(key)): to_plain(part) for key, part in record.items()}
    value: Plain = plain(record)
    return value


@overload
def from_plain(kind: type[V], data: object, where: str = "") -> V: ...
@overload
def from_plain(kind: Annotation, data: object, where: str = "") -> Value: ...


def from_plain(kind: Annotation, data: Any, where: str = "") -> Any:
    """A typed value from plain ones, by the annotations of dataclasses; what does not fit is named."""
    return _reader(kind)(data, where)


Reader = Callable[[object, str], Value]
"""Reads plain values as something; where they stand is said if they do not fit."""


@lru_cache(maxsize=2048)
def _reader(kind: Annotation) -> Reader:
    """What reads plain values by an annotation, worked out once: sheets are read at every change of them."""
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if kind is Any:
        return _as_it_is
    if origin in (Union, types.UnionType):
        inner = _reader(next(arg for arg in args if arg is not type(None)))
        return partial(_none_or, inner) if type(None) in args else inner
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return partial(_dataclass_from, kind)
    if origin in (tuple, list, frozenset):
        return partial(_several_from, origin, _reader(args[0] if args else Any))
    if origin in (dict, Mapping) or kind is dict:
        return partial(_mapping_from, _reader(args[1] if args else Any))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return partial(_member_of, kind)
    if isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return partial(_named_tuple_from, kind)
    simple: Mapping[Annotation, Reader] = {int: _number_from, str: _text_from, bool: _yes_or_no_from}
    return simple.get(kind, _as_it_is)


@lru_cache(maxsize=512)
def _readers(kind: type) -> dict[str, Reader]:
    """What reads each field of a dataclass or named tuple."""
    return {name: _reader(hint) for name, hint in _hints(kind).items()}


def _as_it_is(data: Any, where: str) -> Any:
    return data


def _none_or(inner: Reader, data: object, where: str) -> Value:
    return None if data is None else inner(data, where)


def _several_from(made: Callable[[Iterable[Value]], Value], inner: Reader, data: object, where: str) -> Value:
    if not isinstance(data, (list, tuple)):
        raise BadValue(field=where, got=data, expected="list")
    return made(inner(part, f"{where}[{at}]") for at, part in enumerate(data))


def _mapping_from(inner: Reader, data: object, where: str) -> Value:
    if not isinstance(data, Mapping):
        raise BadValue(field=where, got=data, expected="mapping")
    return {key: inner(part, f"{where}.{key}") for key, part in data.items()}


def _member_of(kind: type[Enum], data: object, where: str) -> Value:
    try:
        return kind(data)
    except ValueError:
        raise UnknownName("value", str(data), (str(member.value) for member in kind)) from None


def _number_from(data: object, where: str) -> Value:
    if isinstance(data, bool) or not isinstance(data, int):
        raise BadValue(field=where, got=data, expected="number")
    return data


def _text_from(data: object, where: str) -> Value:
    if not isinstance(data, str):
        raise BadValue(field=where, got=data, expected="text")
    return data


def _yes_or_no_from(data: object, where: str) -> Value:
    if not isinstance(data, bool):
        raise BadValue(field=where, got=data, expected="yes-no")
    return data


def _named_tuple_from(kind: Any, data: object, where: str) -> Any:
    """A small named value, from its parts by name or in their order."""
    if not isinstance(data, (Mapping, list, tuple)):
        raise BadValue(field=where, got=data, expected="mapping")
    parts = data if isinstance(data, Mapping) else dict(zip(kind._fields, data, strict=False))
    readers = _readers(kind)
    for name in parts:
        if name not in readers:
            raise UnknownName("field", str(name), kind._fields)
    for name in kind._fields:
        if name not in parts and name not in kind._field_defaults:
            raise BadValue(field=f"{where}.{name}", got=None, expected="value")
    return kind(**{name: readers[name](part, f"{where}.{name}") for name, part in parts.items()})


@lru_cache(maxsize=512)
def _made_from(kind: type[DataclassInstance]) -> dict[str, bool]:
    """What a dataclass is made from: its fields in order, and whether each must be given."""
    return {
        field.name: field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        for field in dataclasses.fields(kind) if field.init
    }


def _dataclass_from(kind: type[DataclassInstance], data: object, where: str) -> DataclassInstance:
    if isinstance(data, kind):
        return data
    if not isinstance(data, Mapping):
        raise BadValue(field=where or kind.__name__.lower(), got=data, expected="mapping")
    readers, known = _readers(kind), _made_from(kind)
    for name in data:
        if name not in known:
            raise UnknownName("field", str(name), known)
    prefix = f"{where}." if where else ""
    values = {name: readers[name](part, f"{prefix}{name}") for name, part in data.items()}
    for name, required in known.items():
        if required and name not in values:
            raise BadValue(field=f"{prefix}{name}", got=None, expected="value")
    return kind(**values)


def fields_of(kind: Annotation) -> tuple[str, ...]:
    """The fields that a record of a type has."""
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return tuple(_made_from(kind))
    return tuple(getattr(kind, "_fields", ()))


def placed(kind: Any, data: Any, where: str = "") -> tuple[Any, dict[str, Plain]]:
    """Plain values without those for which a type has no place, and these by where they stood."""
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin in (Union, types.UnionType):
        return placed(next(arg for arg in args if arg is not type(None)), data, where)
    inner: dict[str, Any] = {}
    if isinstance(data, Mapping) and origin in (dict, Mapping):
        inner = dict.fromkeys(data, args[1] if args else Any)
    elif isinstance(data, Mapping) and (dataclasses.is_dataclass(kind) or hasattr(kind, "_fields")):
        inner = {name: _hints(kind)[name] for name in fields_of(kind) if name in data}
    elif isinstance(data, list) and origin in (tuple, list, frozenset) and args:
        parts = [placed(args[0], part, f"{where}[{at}]") for at, part in enumerate(data)]
        return [part for part, _ in parts], {at: value for _, aside in parts for at, value in aside.items()}
    else:
        return data, {}
    prefix = f"{where}." if where else ""
    found = {name: placed(hint, data[name], f"{prefix}{name}") for name, hint in inner.items()}
    aside: dict[str, Plain] = {f"{prefix}{name}": value for name, value in data.items() if name not in inner}
    for _, more in found.values():
        aside |= more
    return {name: found[name][0] for name in data if name in found}, aside


def type_at(kind: Annotation, path: str) -> Annotation:
    """The type that a record's annotations give to the value at a path."""
    for part in path.split(".") if path else ():
        if typing.get_origin(kind) in (dict, Mapping, collections.abc.Mapping):
            kind = typing.get_args(kind)[1]
        elif isinstance(kind, type) and kind not in (dict, Any):
            kind = _hints(kind)[part]
        else:
            return Any
    return kind


@overload
def look(record: Mapping[str, Plain], path: str) -> Plain: ...
@overload
def look(record: object, path: str) -> Value: ...


def look(record: Any, path: str) -> Any:
    """The value at a path of a record."""
    value = record
    for part in path.split("."):
        value = value[part] if isinstance(value, Mapping) else getattr(value, part)
    return value


def apply(record: T, path: str, after: Value) -> T:
    """The record with one value replaced."""
    changed: T = _applied(record, path, after)
    return changed


def _applied(record: Any, path: str, after: Value) -> Any:
    name, _, rest = path.partition(".")
    if isinstance(record, Mapping):
        return {**record, name: _applied(record[name], rest, after) if rest else after}
    inner = _applied(getattr(record, name), rest, after) if rest else after
    if hasattr(record, "_replace"):
        return record._replace(**{name: inner})
    return dataclasses.replace(record, **{name: inner})


def veiled(record: T, hidden: Iterable[str]) -> T:
    """The same record for somebody who may not see some of its fields: reading one raises :class:`Withheld`.

    All who may see the same of a record are given the very same object.
    """
    hidden = frozenset(hidden)
    if record is None or not hidden:
        return record
    kept = _VEILED.get((id(record), hidden))
    if kept is None or kept[0] is not record:
        kept = _VEILED[id(record), hidden] = record, _behind_veil(record, hidden)
        while len(_VEILED) > _MOST_VEILED:
            _VEILED.popitem(last=False)
    veil: T = kept[1]
    return veil


_VEILED: OrderedDict[tuple[int, frozenset[str]], tuple[object, Any]] = OrderedDict()
_MOST_VEILED = 512


@lru_cache(maxsize=512)
def _veil(cls: type, hidden: frozenset[str]) -> type:
    """The class of records of which some fields may not be read."""

    def withheld(name: str) -> property:
        def read(_: object) -> None:
            raise Withheld(what=name)

        return property(read)

    return type(cls.__name__, (cls,), {"__slots__": (), **{name: withheld(name) for name in hidden}})


def _behind_veil(record: Any, hidden: frozenset[str]) -> Any:
    cls: type = type(record)
    veil = _veil(cls, hidden)
    if hasattr(record, "_fields"):
        shown = (None if name in hidden else value for name, value in zip(record._fields, record, strict=True))
        return tuple.__new__(veil, shown)
    copy: object = object.__new__(veil)
    for name in _names(cls):
        if name not in hidden:
            object.__setattr__(copy, name, getattr(record, name))
    return copy


_LIKELY: Mapping[Annotation, tuple[Value, ...]] = {bool: (False, True), int: (0, 1, 2, 5, 12, 100), str: ("", "?")}


def partly_from(kind: type[R], data: Mapping[str, Plain], hidden: Collection[str] = ()) -> tuple[R, frozenset[str]]:
    """A record of which only some fields are told, in plain values, and the fields that are not told, or not whole."""
    readers, known = _readers(kind), _made_from(kind)
    read = {name: readers[name](part, name) for name, part in data.items() if name not in hidden}
    told = {name for name, value in read.items() if to_plain(value) == data[name]}
    made = kind(**{name: read.get(name) for name, required in known.items() if required or name in read})
    return made, frozenset(known) - told


def supposed(record: R, hidden: Iterable[str]) -> list[R]:
    """The record with this and that where its hidden fields are; none, if one of them is too rich to be made up."""
    if record is None or not hidden:
        return [record]
    hints = _hints(type(record))
    likely = {name: _likely(hints[name]) for name in hidden}
    if not all(likely.values()):
        return []
    return [
        dataclasses.replace(record, **{name: values[at % len(values)] for name, values in likely.items()})
        for at in range(max(map(len, likely.values())))
    ]


def _likely(kind: Annotation) -> tuple[Value, ...]:
    """A few values of a type."""
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin in (Union, types.UnionType):
        return (None, *(value for arg in args if arg is not type(None) for value in _likely(arg)))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return tuple(kind)
    if origin in (tuple, list, frozenset):
        return (origin(),)
    if origin in (dict, Mapping):
        return ({},)
    return _LIKELY.get(kind, ())


def changed(
    target: str, record: object, path: str, after: Value, rule: str = "", audience: Audience = EVERYONE,
    weight: Weight = "", own: bool = False,
) -> tuple[Change, ...]:
    """The change that sets ``path`` to ``after``: none when it already is."""
    before = look(record, path)
    return () if before == after else (Change(target, path, before, after, rule, audience, weight=weight, own=own),)
