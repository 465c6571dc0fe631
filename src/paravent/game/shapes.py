"""Controls with a shape: how a field is asked for, where a plain control would say less.

A shape changes nothing about what a field accepts: it says what people see and touch. The vocabulary is closed, so that
pages and the terminal draw every one of them for any game; whoever knows none of them draws the plain control. Each is
a real form control underneath, with the field's own name and values.

Words of a value, in the words files: ``fields.<field>.steps.<value>``, else ``values.<value>``; an example of it under
``fields.<field>.examples.<value>``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msgspec import UNSET, Struct, UnsetType

from .plain import Plain

if TYPE_CHECKING:
    from .move import Context, Telling

Place = Literal["essential", "judgement", "refinement", "rarity"]
"""Where a field stands on a form: at once; at once, for the game master's judgement; one tap away; in the last fold."""
PLACES: tuple[Place, ...] = ("essential", "judgement", "refinement", "rarity")


@dataclass(frozen=True)
class Steps:
    """Named steps of a whole number or of one of a few words (a difficulty from −4 to +4).

    Each is a button that sends its value: one tap says it. ``values`` are the numbers that have a button, where not all
    between the bounds have (one out of the bounds that now hold has none); any other that the field accepts may still
    be typed.
    """

    values: tuple[int, ...] = ()
    weighed: Callable[[Context], bool] | None = None
    """Whether what each would bring is told, as things stand; it is, where nothing says."""


@dataclass(frozen=True)
class Grid:
    """This field crossed with another of the same actor: its values are the rows, the other's the columns.

    A cell is one tap for both, and tells the chance of success that the pair would bring; or, where the game has words
    for the pair, these: ``fields.<field>.cells.<row>.<column>``. Two groups with the same parts stand side by side, a
    row for each part. What goes somewhere on somebody stands before a ``figure``.

    Where the other is asked of another ``role``, it is crossed between two people: each says their own by one tap, and
    beside each value stands what it would bring with each of the other's, as far as the reader may know or suppose
    them. ``beside`` are those of the other's that are worth crossing, where not all are; ``told`` is what a cell says
    besides, of the context as it would then be.
    """

    other: str
    role: str = ""
    beside: Callable[[Context], Sequence[Any]] | None = None
    told: Callable[[Context], Telling | None] | None = None
    figure: bool = False


@dataclass(frozen=True)
class Pips:
    """Points paid from a gauge of the actor's sheet: as many pips as there are points left, each touched to pay one."""

    gauge: str | Callable[[Context], str]


@dataclass(frozen=True)
class Figure:
    """A limb touched on a body, as the kind of record declares its :class:`~paravent.game.records.BodyFigure`.

    The body is the actor's own, or that of the first who holds another ``role``.
    """

    role: str = ""


@dataclass(frozen=True)
class Pills:
    """A few options side by side, each with what it would bring: the chance of success if it were chosen.

    Not ``weighed`` where that says nothing: the choice is whether dice are thrown at all. ``told`` is what is said of
    an option beside its name, as things stand; None of one of which there is nothing to say. Where it is ``named``,
    that is said in its name's stead: who is on a side, not which side it is.
    """

    weighed: bool = True
    told: Callable[[Context, Any], Telling | None] | None = None
    named: bool = False


@dataclass(frozen=True)
class Cards:
    """Options as cards, each with its price and an example; ``unit`` is the word for what is paid (``values.<unit>``).

    ``price`` gives what an option costs, as things stand; None is said of one that has no price. ``told`` as in
    :class:`Pills`.
    """

    price: Callable[[Context, Any], int | None] | None = None
    unit: str = ""
    told: Callable[[Context, Any], Telling | None] | None = None


@dataclass(frozen=True)
class Phrase:
    """This choice and others of the same actor, read as one phrase, with a running ``total`` at its end.

    The phrase stands under ``fields.<field>.phrase``, with the name of each field in braces.
    """

    fields: tuple[str, ...]
    total: Callable[[Context], int] | None = None


@dataclass(frozen=True)
class Passages:
    """Words picked out of texts that the actor's own sheet holds: touched there rather than written again.

    ``texts`` are the fields of the sheet that hold them; ``lists`` are lists of the sheet whose rows quote them, in the
    part ``quote``: what was picked already stays marked. Declared of a kind of record
    (:attr:`~paravent.game.records.RecordKind.passages`), it is how these lists are filled in while a sheet is written:
    words, the list they go to, and one of its ``levels``, worded under ``fields.<list>.steps.<level>``, which is kept
    in the part ``level``; what else there is to say of a row in one word is its part ``mark``.
    """

    texts: tuple[str, ...]
    lists: tuple[str, ...] = ()
    levels: tuple[int, ...] = ()
    quote: str = "source_text"
    level: str = "score"
    mark: str = ""


class Notch(NamedTuple):
    """Where something is reached on a track: a share of a value of the state, rounded up (half of it is 2), by its
    word."""

    word: str
    of: str
    share: int = 1


@dataclass(frozen=True)
class Track:
    """Something that fills over turns, up to ``most``: of a field what it holds, of an encounter a value of its state.

    ``value`` and ``most`` name values of the encounter's state; ``most`` may be a number. A field needs only ``most``.
    ``parts`` names the value that lists what each turn brought, or cost. With ``notches`` it is drawn as a rope that is
    pulled towards a flag, past each of them.
    """

    most: str | int
    value: str = ""
    parts: str = ""
    notches: tuple[Notch, ...] = ()


Shape = Steps | Grid | Pips | Figure | Pills | Cards | Phrase | Passages | Track
"""What the control of a field looks like: one of these."""
SHAPES: dict[str, type[Shape]] = {cls.__name__.lower(): cls for cls in Shape.__args__}
"""Every shape, by the name that pages and programs know it by."""


class ShapeFacts(Struct, frozen=True):
    """What a page or a program needs to know to draw a shape for one actor; what is not said stays unset."""

    type: str
    values: list[Plain] | UnsetType = UNSET
    """The values that have a button."""
    weighed: bool | UnsetType = UNSET
    """Whether what each would bring is told, where it depends."""
    fields: list[str] | UnsetType = UNSET
    """Other fields of the same actor that it is drawn with: the other of a grid, the rest of a phrase, a text."""
    gauge: str | UnsetType = UNSET
    left: int | UnsetType = UNSET
    """What is left in the gauge."""
    role: str | UnsetType = UNSET
    figure: bool | UnsetType = UNSET
    """Whether it is drawn before a body."""
    prices: Mapping[str, int] | UnsetType = UNSET
    """What each option costs."""
    unit: str | UnsetType = UNSET
    total: int | UnsetType = UNSET
    """The running sum."""
    most: int | UnsetType = UNSET
    texts: Mapping[str, str] | UnsetType = UNSET
    """The texts that words are picked from, by the field of the sheet that holds them."""
    quoted: Mapping[str, list[str]] | UnsetType = UNSET
    """What was picked from them already, by the list that quotes it."""
