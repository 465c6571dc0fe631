"""Leaves: pages that a game brings of its own, made from the records that somebody may see.

A leaf is declared once. The web draws it, the terminal prints it, programs are given it as values. It is made from
nothing but what its reader may see: a field that is withheld raises :class:`~paravent.game.errors.Withheld`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from .errors import BadValue, UnknownName
from .maps import Map
from .move import Telling
from .plain import Value
from .rulebook import Rulings

if TYPE_CHECKING:
    from .system import System

T = TypeVar("T")


class Holding(NamedTuple):
    """A record as a reader may see it: its name at the table, its kind, what it is called, whether it is theirs, and
    whether it is somebody's at all."""

    id: str
    kind: str
    name: str
    record: Any
    mine: bool = False
    owned: bool = False


@dataclass(frozen=True)
class Reader:
    """Whoever opens a leaf: what they may see, what they chose on it, and how the table stands."""

    system: System
    rulings: Rulings
    records: tuple[Holding, ...] = ()
    chosen: Mapping[str, str] = field(default_factory=dict)
    is_gm: bool = False
    day: int = 0

    def of(self, cls: type[T]) -> Iterator[tuple[Holding, T]]:
        """The records of a class, those of the reader first."""
        for held in sorted(self.records, key=lambda one: not one.mine):
            if isinstance(held.record, cls):
                yield held, held.record

    def text(self, name: str, usual: str = "") -> str:
        """What was chosen, or what usually is."""
        return self.chosen.get(name) or usual

    def number(self, name: str, usual: int, least: int = 0, most: int = 10**9) -> int:
        """A number that was chosen."""
        typed = self.chosen.get(name, "").strip()
        if not typed:
            return usual
        if not typed.lstrip("-").isdigit() or not least <= int(typed) <= most:
            raise BadValue(field=name, got=typed, expected="number")
        return int(typed)

    def one_of(self, name: str, options: Mapping[str, T], usual: str = "") -> T | None:
        """One of several things by its key; nothing where nothing is chosen."""
        key = self.text(name, usual)
        if not key:
            return None
        if key not in options:
            raise UnknownName(name, key, options)
        return options[key]


class Lead(NamedTuple):
    """Another leaf, or the same with other choices."""

    leaf: str
    chosen: Mapping[str, str]
    says: Telling


class Start(NamedTuple):
    """A move that is started from a leaf: who is in it, by role, and what is filled in for them.

    ``at_once`` it is gone through with, where all is said and nobody else has a word; ``stays`` says that whoever
    began it is then back on the leaf, which shows what came of it.
    """

    move: str
    says: Telling
    cast: Mapping[str, tuple[str, ...]] = {}
    form: Mapping[str, Mapping[str, Value]] = {}
    at_once: bool = False
    stays: bool = False


Cell: TypeAlias = "int | str | Fraction | Telling | Lead | None"
"""A number, a name as it is written, a chance, a sentence, or where it leads; nothing where there is nothing."""


class Heading(NamedTuple):
    """The title of what follows; ``within`` another, or not."""

    says: Telling
    within: bool = False


class Says(NamedTuple):
    """A sentence; ``hidden`` where it is for the game master alone and looks like it."""

    says: Telling


class Rows(NamedTuple):
    """A table: what its columns are called (word keys of fields), and its rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


class Bars(NamedTuple):
    """How likely each of several things is."""

    bars: tuple[tuple[str | Telling, Fraction], ...]


class Measures(NamedTuple):
    """How far each of several things goes on one scale: what it is, its figure, and what that means."""

    most: int
    measures: tuple[tuple[Telling, int, Telling], ...]


class Vignette(NamedTuple):
    """Somebody or something at a glance: its name, what it is, its figures by word keys of fields, what else is said.

    Bars inside one are shares of a whole, drawn in one line.
    """

    name: str
    about: Telling
    figures: tuple[tuple[str, Cell], ...] = ()
    blocks: tuple[Block, ...] = ()


class Vignettes(NamedTuple):
    """Several side by side; on paper none of them is cut by the end of a page."""

    vignettes: tuple[Vignette, ...]


class Plate(NamedTuple):
    """A map; the squares of it lead somewhere where ``leads`` names a leaf and the choice that a square is."""

    map: Map
    called: str
    leaf: str = ""
    choice: str = ""
    chosen: Mapping[str, str] = {}


class Exits(NamedTuple):
    """Where one goes from here, and what one starts."""

    ways: tuple[Lead | Start, ...]


class Folded(NamedTuple):
    """What is one tap away."""

    says: Telling
    blocks: tuple[Block, ...]


class PageBreak(NamedTuple):
    """On paper, a new page begins here."""


Block: TypeAlias = "Heading | Says | Rows | Bars | Measures | Vignettes | Plate | Exits | Folded | PageBreak"


@dataclass(frozen=True)
class Content:
    """What a leaf says: a title, its blocks, and the same for programs."""

    title: Telling
    blocks: tuple[Block, ...]
    data: Mapping[str, Value] = field(default_factory=dict)


class Asked(NamedTuple):
    """What one may choose on a leaf: a word key of a field, and from what; without options, anything is typed.

    ``usual`` is what stands where nothing is chosen. A ``refinement`` is one tap away.
    """

    id: str
    options: Callable[[Reader], Mapping[str, str | Telling]] = lambda reader: {}
    number: bool = False
    usual: Callable[[Reader], str | int] = lambda reader: ""
    refinement: bool = False


@dataclass(frozen=True)
class Leaf:
    """A page that a game brings of its own.

    ``make`` tells it for a reader; ``asks`` is what one may choose; it is offered to whoever sees a record of one of
    ``kinds``. Words stand under ``leaves.<id>``.
    """

    id: str
    make: Callable[[Reader], Content]
    asks: tuple[Asked, ...] = ()
    kinds: frozenset[str] = frozenset()
    rules: tuple[str, ...] = ()
    gm: bool = False
    """For the game master alone."""
    paper: bool = False
    """Made to be printed: it is a page of its own, never a place to work in beside what is played."""

    def offered(self, reader: Reader) -> bool:
        """Whether there is anything to make it from."""
        return (reader.is_gm or not self.gm) and any(held.kind in self.kinds for held in reader.records)
