"""Controls with a shape, as a page draws them: tiles, a grid, pips, a figure, a phrase; and what each would bring.

Every one is a real form control underneath, with its field's own name and values. What a value would bring is weighed
from what the seat may see: where something hidden decides, nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import repeat, takewhile
from typing import TYPE_CHECKING, NamedTuple, TypeGuard

from paravent.dice import ParaventError
from paravent.game import Context, Plain, System, to_plain
from paravent.game import Grid as GridShape
from paravent.game import Pills as PillsShape
from paravent.game.asking import crossed_with, told_of_options
from paravent.game.errors import STUMBLES
from paravent.game.move import Actor, replace_focus
from paravent.game.records import LIMBS, look
from paravent.game.telling import Teller

from .sheets import Gauge, SheetDrawer

if TYPE_CHECKING:
    from .controls import Control, FormGroup

_MOST_TILES = 13
_NARROW = 11
"""How many letters of a word stand in a row of a narrow tile."""
_MOST_CELLS = 36
_HOLE = re.compile(r"\{(\w+)\}")
Chances = Callable[[str, Sequence[Mapping[str, Plain]]], Sequence[str | None]]
"""For each of several ways to fill in an actor's fields, the chance of success, in words; empty where it cannot be
told, None where something hidden would say it."""


Faces = Callable[[GridShape, str, str, Plain], list[tuple[str, str]]]
"""What a value of somebody's field would bring beside each of somebody else's: the chance, and what is said of it."""


class Tile(NamedTuple):
    """One value to choose by a touch: what it is called, an example of it, what it would bring, what it costs."""

    value: str
    words: str
    figure: str = ""
    example: str = ""
    chance: str = ""
    price: str = ""
    place: str = ""
    """Where it stands on a figure."""
    told: str = ""
    """What is said of it beside its name."""

    @property
    def is_wordy(self) -> bool:
        """Whether its name holds a word too long for a narrow tile."""
        return any(len(word) > _NARROW for word in self.words.split())


class Crossing(NamedTuple):
    """A cell of a grid: one touch for two fields."""

    value: str
    words: str
    chance: str
    here: bool
    told: str = ""
    """What the game says of it besides."""


class GridRow(NamedTuple):
    """A row of a grid: the value it is for, and its cells."""

    words: str
    cells: list[Crossing]
    value: str = ""
    """The value, where each is one touch for a whole row."""


def weighs(control: Control) -> bool:
    """Whether the tiles of a control say what each would bring; what is folded away is not weighed: nobody sees it."""
    if not control.main or "." in control.name:
        return False
    if control.shape is not None and control.shape.type == "grid":
        return bool(control.shape.role)
    return control.shape is None or (
        control.shape.type in ("steps", "pips", "pills", "cards") and control.shape.weighed is not False)


class Shaper:
    """Gives controls their shapes."""

    def __init__(self, system: System, teller: Teller, chances: Chances, faced: Faces | None = None) -> None:
        self._system, self._teller, self._chances, self._faced = system, teller, chances, faced

    def shape(self, groups: Sequence[FormGroup], ctx: Context) -> None:
        """Work out what the controls of an act look like."""
        for group in groups:
            named = {control.name: control for control in group.fields}
            for control in group.fields:
                self._shaped(control, named, ctx)
                for part in control.parts:
                    self._shaped(part, named, ctx)

    def _stands_for(self, control: Control, ctx: Context) -> None:
        """Of a value that is kept as something richer, the step that was read as it."""
        actor = ctx.actor(control.actor)
        held: Plain = to_plain(actor.filled.get(control.name))
        if not isinstance(held, list) or not control.tiles:
            return
        asked = ctx.move.field(control.name, actor.role)
        for tile in control.tiles:
            with suppress(ParaventError, *STUMBLES):
                read: Plain = to_plain(asked.type.read(tile.value, asked.id, replace_focus(ctx, actor)))
                if read == held:
                    control.value = tile.value
                    return

    def _shaped(self, control: Control, named: Mapping[str, Control], ctx: Context) -> None:
        match control.shape.type if control.shape is not None else "":
            case "grid":
                self._grid(control, named, ctx)
                self._facing(control, ctx)
            case "phrase":
                self._phrase(control, named)
            case "figure":
                control.tiles = self._tiled(control, [value for value, _ in control.options],
                                            self._places(control, ctx))
            case "passages":
                texts = control.shape.texts if control.shape is not None else {}
                control.texts = [(self._teller.name(held), text) for held, text in (texts or {}).items()]
                quoted = control.shape.quoted if control.shape is not None else {}
                control.quoted = [(self._teller.name(held), words) for held, words in (quoted or {}).items()]
            case "track":
                pass
            case "pips":
                left = control.shape.left if control.shape is not None else 0
                bounds = [most for most in (control.maximum, left or None) if most is not None]
                control.tiles = self._tiled(control, range((min(bounds) if bounds else 0) + 1), {})
                control.meter = self._meter(control, ctx)
            case "steps":
                values = control.shape.values if control.shape is not None else ()
                control.tiles = self._tiled(control, [value for value in values or () if _within(control, value)], {})
                self._stands_for(control, ctx)
            case "pills" | "cards":
                control.numbers = list(_plain_numbers(control)) if control.kind == "score" else []
                control.tiles = self._tiled(control, [value for value, _ in control.options], {})
                control.not_now = self._not_now(control)
                self._told(control, ctx)
                control.nothing = self._teller.none_word(control.name)
            case _ if control.place == "judgement":
                control.tiles = self._tiled(control, _few_values(control), {})
            case _ if control.kind == "flag" and control.waits:
                # Where the game has words for both, one of them is the answer.
                both = [Tile(value, self._teller.step_title(control.name, value)) for value in ("yes", "no")]
                control.tiles = both if all(tile.words for tile in both) else []

    def _told(self, control: Control, ctx: Context) -> None:
        """What the game says of each option beside its name."""
        actor = ctx.actor(control.actor)
        if not ctx.move.asks(control.name, actor.role):
            return
        asked = ctx.move.field(control.name, actor.role)
        told = {value: self._teller.telling(said)
                for value, said in told_of_options(asked, replace_focus(ctx, actor)).items()}
        named = isinstance(asked.shape, PillsShape) and asked.shape.named
        control.tiles = [tile if tile.value not in told else tile._replace(words=told[tile.value]) if named
                         else tile._replace(told=told[tile.value]) for tile in control.tiles]

    def _meter(self, control: Control, ctx: Context) -> Gauge | None:
        """The gauge that pays, where its stretches tell what a point more or less would change."""
        actor, gauge = ctx.actor(control.actor), control.shape.gauge if control.shape is not None else ""
        kind = self._system.kinds.get(actor.kind)
        if kind is None or actor.record is None or not gauge or gauge not in kind.segments:
            return None
        with suppress(ParaventError, *STUMBLES):
            drawer = SheetDrawer(self._system, self._teller, ctx.rulings, {})
            derived = kind.derived(actor.record, ctx.rulings)
            sheet = {path: look(actor.record, path) for path in (gauge, kind.gauges[gauge])
                     if not path.isdigit() and path not in derived}
            return next((one for one in drawer.gauges(kind, sheet, derived) if one.path == gauge), None)
        return None

    def tiles_of(self, control: Control) -> list[Tile]:
        """The options of a control that stands alone, with what each would bring."""
        return self._tiled(control, [value for value, _ in control.options], {})

    def _tiled(self, control: Control, values: Sequence[Plain], places: Mapping[str, str]) -> list[Tile]:
        """The values of a control; what all of them would bring alike is said once, not of each."""
        tiles = list(self._tiles(control, values, places))
        if len(tiles) > 1 and len({tile.chance for tile in tiles}) == 1:
            control.alike = tiles[0].chance
            return [tile._replace(chance="") for tile in tiles]
        return tiles

    def _tiles(self, control: Control, values: Sequence[Plain], places: Mapping[str, str]) -> Iterator[Tile]:
        told = dict(control.options)
        prices = (control.shape.prices or {}) if control.shape is not None else {}
        unit = (control.shape.unit or "") if control.shape is not None else ""
        values = values if told else values[:_MOST_TILES]
        for value, chance in zip(values, self._brings(control, values), strict=False):
            sent = str(value)
            plainly = self._teller.value(value)
            words = self._teller.step_title(control.name, value) or plainly
            figure = self._teller.step_figure(value, values)
            # A name stands for the number on the sheet.
            if words in (plainly, sent) or control.numbers:
                words = told.get(sent, "" if figure else words)
            price = prices.get(sent)
            yield Tile(
                sent, words, figure, self._teller.step_example(control.name, value), chance,
                "" if price is None else self._priced(price, unit), places.get(sent, ""),
            )

    def _priced(self, price: int, unit: str) -> str:
        return f"{price} {self._teller.value(unit) if unit else ''}".strip()

    def _not_now(self, control: Control) -> list[tuple[str, str]]:
        """What has a price and is not offered as things stand: whoever saves reads for what."""
        prices = (control.shape.prices or {}) if control.shape is not None else {}
        unit, offered = (control.shape.unit or "") if control.shape is not None else "", {*dict(control.options)}
        return [(self._teller.step_title(control.name, value) or self._teller.value(value), self._priced(price, unit))
                for value, price in prices.items() if value not in offered]

    def _brings(self, control: Control, values: Sequence[Plain]) -> Iterator[str]:
        """What each value would bring; what something hidden would say of one, it would say of all that follow."""
        if weighs(control):
            found = self._chances(control.actor, [{control.name: value} for value in values])
            yield from takewhile(_is_told, found)
        yield from repeat("")

    def _grid(self, control: Control, named: Mapping[str, Control], ctx: Context) -> None:
        """Two fields crossed; the other is not drawn again."""
        fields = control.shape.fields if control.shape is not None and not control.shape.role else ()
        other = named.get(next(iter(fields or ()), ""))
        if other is None or other is control:
            return
        if [part.title for part in control.parts] == [part.title for part in other.parts] != []:
            other.within = True
            control.beside = other
            return
        down, across = self._named(control), self._named(other)
        if not down or not across or len(down) * len(across) > _MOST_CELLS:
            return
        other.within = True
        control.crossed = other.name
        control.across = [words for _, words in across]
        mine, its = (c.value if c.value is not None else c.stands for c in (control, other))
        cells = {(value, beside): self._teller.cell_word(control.name, value, beside)
                 for value, _ in down for beside, _ in across}
        unsaid = [pair for pair, word in cells.items() if not word]
        chances = dict(zip(unsaid, self._chances(
            control.actor, [{control.name: value, other.name: beside} for value, beside in unsaid]), strict=True))
        control.grid = [
            GridRow(words, [
                Crossing(f"{value}|{beside}", f"{words}, {cells[value, beside] or told}",
                         cells[value, beside] or chances[value, beside] or "",
                         (str(mine), str(its)) == (value, beside),
                         self._told_of_pair(ctx, control, {control.name: value, other.name: beside}))
                for beside, told in across
            ])
            for value, words in down
        ]

    def _told_of_pair(self, ctx: Context, control: Control, values: Mapping[str, Plain]) -> str:
        """What the game says of a cell besides, with both filled in; nothing where something hidden would say it."""
        actor = ctx.actor(control.actor)
        grid = ctx.move.field(control.name, actor.role).shape if ctx.move.asks(control.name, actor.role) else None
        if not isinstance(grid, GridShape) or grid.told is None:
            return ""
        with suppress(ParaventError, *STUMBLES):
            mine = replace_focus(ctx, actor)
            read = {name: ctx.move.field(name, actor.role).type.read(value, name, mine)
                    for name, value in values.items()}
            filled = replace(actor, filled={**actor.filled, **read})
            cast = tuple(filled if one is actor else one for one in ctx.actors)
            told = grid.told(replace_focus(replace(ctx, actors=cast), filled))
            return "" if told is None else self._teller.telling(told)
        return ""

    def _facing(self, control: Control, ctx: Context) -> None:
        """A field crossed with somebody else's: a row for each value, a column for each of theirs that may be known."""
        actor = ctx.actor(control.actor)
        grid = ctx.move.field(control.name, actor.role).shape if ctx.move.asks(control.name, actor.role) else None
        if not isinstance(grid, GridShape) or not grid.role or self._faced is None:
            return
        if control.place == "judgement":
            control.tiles = self._tiled(control, [value for value, _ in control.options], {})
        with suppress(ParaventError, *STUMBLES):
            other, asked, theirs = crossed_with(ctx, grid)
            said = asked.id not in other.withheld and (asked.id in other.filled or asked.has_usual())
            now = to_plain(ctx.value(other, asked)) if said else None
            control.across = [self._teller.step_word(asked.id, value) for value in theirs]
            control.grid = [
                GridRow(words, [
                    Crossing("", control.across[at], chance, now == to_plain(theirs[at]), told)
                    for at, (chance, told) in enumerate(self._faced(grid, control.actor, control.name, value))
                ], value)
                for value, words in control.options
            ]

    def _named(self, control: Control) -> Sequence[tuple[str, str]]:
        """The values of a control with their words: its options, or few numbers."""
        return control.options or [(str(value), self._teller.step_word(control.name, value))
                                   for value in _few_values(control)]

    def _phrase(self, control: Control, named: Mapping[str, Control]) -> None:
        """Choices read as one phrase; those in it are not drawn again."""
        phrase = self._teller.words.entry(self._teller.lang, f"fields.{control.name}", "phrase")
        parts: list[str | Control] = []
        for at, part in enumerate(_HOLE.split(phrase)):
            if at % 2 == 0:
                parts.append(part)
            elif part in named:
                named[part].within = part != control.name
                parts.append(named[part] if part != control.name else replace(control))  # nothing holds itself
        control.phrase = parts if any(not isinstance(part, str) for part in parts) else []

    def _places(self, control: Control, ctx: Context) -> dict[str, str]:
        """Where each option stands on the body of whoever is concerned."""
        role = (control.shape.role if control.shape is not None else "") or "initiator"
        body: Actor | None = next(iter(ctx.all(role)), None)
        kind = self._system.kinds.get(body.kind) if body is not None else None
        if kind is None or kind.figure is None:
            return {}
        return {getattr(kind.figure, place): place for place in LIMBS}


def _is_told(chance: str | None) -> TypeGuard[str]:
    return chance is not None


def _plain_numbers(control: Control) -> range:
    """The numbers that may be said instead of a name of the sheet."""
    low, high = control.minimum, control.maximum
    return range(0) if low is None or high is None else range(low, min(high, low + _MOST_TILES - 1) + 1)


def _within(control: Control, value: Plain) -> bool:
    """Whether a control takes this value as things stand: a number, within its bounds."""
    low, high = control.minimum, control.maximum
    return not isinstance(value, int) or ((low is None or value >= low) and (high is None or value <= high))


def _few_values(control: Control) -> Sequence[Plain]:
    """The values of a judgement that has no shape of its own, where they are few."""
    if control.options:
        return [value for value, _ in control.options]
    if control.kind == "flag":
        return ()
    low, high = control.minimum, control.maximum
    return range(low, high + 1) if low is not None and high is not None and high - low < _MOST_TILES else ()
