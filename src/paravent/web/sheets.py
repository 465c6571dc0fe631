"""A record drawn as a sheet: gauges for what changes, a matrix where two scores add up, plain lines, lists as rows.

Any game's record can be drawn without a template of its own. A value that some move asks for (an attribute, a skill)
carries the move it starts, and the rule that explains it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeGuard

import msgspec

from paravent.dice import ParaventError
from paravent.game import (
    AnyField,
    AnyKind,
    BodyFigure,
    Context,
    Figure,
    Move,
    OneOf,
    RowParts,
    Rulings,
    Score,
    Segment,
    System,
    TextField,
    Value,
)
from paravent.game.asking import described
from paravent.game.errors import STUMBLES, Withheld
from paravent.game.plain import SIMPLE
from paravent.game.records import GM, LIMBS
from paravent.game.telling import Teller
from paravent.table.kept import ByIdentity, ByReads, Latest

_MOST_PIPS = 12
_LONG = 70


class Starter(NamedTuple):
    """The move that a value of the sheet starts, and the fields it fills in."""

    move: str
    fills: tuple[tuple[str, str], ...]
    title: str
    rule: str = ""
    role: str = ""
    """What whoever the sheet is of is in it, where the game master does it to them."""
    named: str = ""
    """The value that was touched, where the game itself says what it begins."""


class Mark(NamedTuple):
    """One short thing of a list: words, a number if it has one, whether it stands out, the move it starts."""

    words: str
    number: str
    stands_out: bool
    starts: Starter | None = None


class StateTold(NamedTuple):
    """Something to know of somebody at a glance, in words; and whether it is bad for them."""

    words: str
    bad: bool


class Row(NamedTuple):
    """One line of a list of things: its name, its number, what else it says, the move it starts."""

    name: str
    number: str
    more: str
    starts: Starter | None


class Head(NamedTuple):
    """The head of a row or column: its words, its own number, the move it starts."""

    words: str
    number: str
    starts: Starter | None


class Cell(NamedTuple):
    """Where two scores meet."""

    number: str
    starts: Starter | None
    words: str


class BodyPart(NamedTuple):
    """A part of a body, the place of the figure that it is, and how badly it is hurt."""

    id: str
    place: str
    words: str
    level: int
    starts: Starter | None
    told: str = ""
    """How badly, in words."""


class Stretch(NamedTuple):
    """A stretch of a gauge: what it is called and does, how much of it is full, out of how much, whether it counts."""

    words: str
    does: str
    full: int
    size: int
    here: bool


@dataclasses.dataclass
class Gauge:
    """What goes up and down in play: how much is left, and what one less or one more would write on the sheet."""

    path: str
    name: str
    value: int
    maximum: int
    less: int
    more: int
    help: str = ""
    rule: str = ""
    stretches: list[Stretch] = dataclasses.field(default_factory=list)
    brief: str = ""

    @property
    def stretch(self) -> str:
        """The name of the stretch where it stands."""
        return next((part.words for part in self.stretches if part.here), "")

    @property
    def pips(self) -> bool:
        """Whether it is small enough to be counted at a glance."""
        return self.maximum <= _MOST_PIPS

    @property
    def short(self) -> str:
        """The name as short as the game writes it."""
        return self.brief or shortened(self.name)

    @property
    def low(self) -> bool:
        """Whether little is left."""
        return self.value * 3 <= self.maximum


def shortened(name: str) -> str:
    """A name as short as the game writes it: what stands in brackets at its end, if anything."""
    before, opened, inside = name.rpartition("(")
    return inside.removesuffix(")") if opened and before and inside.endswith(")") else name


@dataclasses.dataclass
class SheetLine:
    """One entry of a sheet, in whichever form suits its value."""

    field: str
    name: str
    text: str = ""
    help: str = ""
    rule: str = ""
    marks: list[Mark] = dataclasses.field(default_factory=list)
    rows: list[Row] = dataclasses.field(default_factory=list)
    across: list[Head] = dataclasses.field(default_factory=list)
    matrix: list[tuple[Head, list[Cell]]] = dataclasses.field(default_factory=list)
    body: list[BodyPart] = dataclasses.field(default_factory=list)
    starts: Starter | None = None

    def begins(self) -> Iterator[tuple[str, Starter]]:
        """What begins a move at a click, in words."""
        named = [(self.name, self.starts), *((mark.words, mark.starts) for mark in self.marks),
                 *((row.name, row.starts) for row in self.rows)]
        return ((words, starts) for words, starts in named if starts is not None)


@dataclasses.dataclass
class Block:
    """A part of the sheet under one title; ``figures`` are short values that stand side by side."""

    title: str
    figures: list[SheetLine] = dataclasses.field(default_factory=list)
    lines: list[SheetLine] = dataclasses.field(default_factory=list)
    folded: bool = False


class Clicked(NamedTuple):
    """A move that a click on a sheet may start, the fields that the click may fill, and what it is called."""

    move: Move
    asked: list[AnyField]
    title: str


_CLICKED: ByIdentity[list[Clicked]] = ByIdentity(64)
NamedIn = tuple[str, str, str]
_NAMED_IN: ByReads[list[NamedIn]] = ByReads()
_STARTS: ByReads[dict[str, Starter]] = ByReads()
_LINES: ByIdentity[SheetLine | None] = ByIdentity(8192)
_ALIKE: Latest[tuple[tuple[tuple[str, Starter], ...], tuple[tuple[str, str], ...]], object] = Latest(512)


class SheetDrawer:
    """Draws records of one game in one language."""

    def __init__(self, system: System, teller: Teller, rulings: Rulings, names: Mapping[str, str], day: int = 0,
                 gm: bool = False) -> None:
        self._system, self._teller, self._rulings, self._names = system, teller, rulings, names
        self._day, self._gm = day, gm
        self._rules = system.explained
        self._started: tuple[Mapping[str, Starter], object] | None = None

    def blocks(
        self, kind: AnyKind, sheet: Mapping[str, Value], derived: Mapping[str, Value], record: Value = None
    ) -> list[Block]:
        """The blocks of a sheet, as its kind declares them; empty values are left out, and what no option calls for."""
        starts = self._starts(kind, record) if record is not None and kind.anybody else {}
        done = self._done_to(record, kind) if record is not None and self._gm else {}
        ready = self._shortcuts(kind, record) if record is not None else Block("")
        moot = {name for name in kind.moot(self._rulings) if not _says(sheet.get(name))}
        gauged = (most for path, most in kind.gauges.items() if _number(path, sheet, derived) is not None)
        gone = {"name", *moot, *kind.gauges, *(most for most in gauged if most in sheet)}
        left = {str(name): value for name, value in sheet.items() if name not in gone}
        drawn = [block for block in (self._matrices(sheet, derived, starts, left),) if block.lines]
        named = {
            name: value for name, value in derived.items()
            if self._teller.is_named(name) and not _matrix(value) and name not in _shown_by_gauges(kind)
        }
        for section in kind.sections:
            fields = [str(name) for name in section.fields if str(name) in left or str(name) in named]
            title = self._teller.title(f"sections.{section.id}")
            drawn.append(self._block(title, fields, {**named, **left}, starts, kind.figure, done))
            for name in fields:
                (left if name in left else named).pop(name)
        long = Block(self._teller.say("web.sheet_texts"), lines=[
            line for block in drawn for line in block.lines if len(line.text) > _LONG
        ])
        for block in drawn:
            block.lines = [line for line in block.lines if len(line.text) <= _LONG]
        rest = self._block(self._teller.say("web.sheet_rest"), list(left), left, starts, kind.figure, done)
        follows = self._block(self._teller.say("telling.derived"), list(named), named, starts)
        rest.folded = follows.folded = True
        return [block for block in (ready, *drawn, long, follows, rest) if block.figures or block.lines]

    def _shortcuts(self, kind: AnyKind, record: Value) -> Block:
        """What the record has ready to be done in one touch."""
        block = Block(self._teller.say("web.shortcuts"))
        try:
            found = kind.shortcuts(record, self._rulings)
        except Withheld:
            return block
        rows = [
            Row(self._teller.value(one.name), "" if one.number is None else self._teller.value(one.number),
                "" if one.effect is None else self._teller.say(one.effect[0], **one.effect[1]),
                Starter(one.move, tuple(one.fills.items()), self._teller.title(f"moves.{one.move}")))
            for one in found if self._context(self._system.move(one.move), record) is not None
        ]
        if rows:
            block.lines.append(SheetLine("shortcuts", "", rows=rows))
        return block

    def _matrices(
        self, sheet: Mapping[str, Value], derived: Mapping[str, Value], starts: Mapping[str, Starter],
        left: dict[str, Value],
    ) -> Block:
        """The tables where two scores of the sheet meet; what their heads show need not be shown again."""
        block = Block("")
        for name, value in {**sheet, **derived}.items():
            matrix = _matrix(value)
            line = self._line(name, value, starts, sheet) if matrix else None
            if line is not None:
                block.title = line.name
                block.lines.append(line)
                for key in (*matrix, *next(iter(matrix.values()))):
                    left.pop(str(key), None)
                left.pop(name, None)
        return block

    def lines(self, values: Mapping[str, Value]) -> list[SheetLine]:
        """Any named values as lines (the state of an encounter); empty ones are left out."""
        return [line for name, value in values.items() if (line := self._line(name, value, {}, {})) is not None]

    def beside(self, values: Mapping[str, Value], sheet: Mapping[str, Value]) -> list[SheetLine]:
        """What follows from a sheet, as lines; where two of its scores meet, with these."""
        return [line for name, value in values.items() if (line := self._line(name, value, {}, sheet)) is not None]

    def _block(
        self, title: str, fields: list[str], values: Mapping[str, Value], starts: Mapping[str, Starter],
        figure: BodyFigure | None = None, done: Mapping[str, Starter] = MappingProxyType({}),
    ) -> Block:
        """One part of a sheet; ``done`` is what the game master does to the parts of its body."""
        block = Block(title)
        for name in fields:
            body = self._body(figure, values[name], {**starts, **done}) if figure and figure.field == name else []
            line = self._line(name, values[name], starts, {}, body)
            if line is None:
                continue
            (block.figures if _is_figure(values[name]) else block.lines).append(line)
        return block

    def _line(
        self, name: str, value: Value, starts: Mapping[str, Starter], sheet: Mapping[str, Value],
        body: Sequence[BodyPart] = (),
    ) -> SheetLine | None:
        """One entry; of a sheet that changes, most stay as they were."""
        if body:
            return self._line_drawn(name, value, starts, sheet, body)
        matrix = _matrix(value)
        beside = [sheet.get(key) for key in (*matrix, *next(iter(matrix.values())))] if matrix else []
        return _LINES.of((self._system, self._alike(starts)), lambda: self._line_drawn(name, value, starts, sheet),
                         self._teller.lang, name, msgspec.json.encode((value, beside)))

    def _alike(self, starts: Mapping[str, Starter]) -> object:
        """One and the same object for the same names and the same things to start."""
        if self._started is None or self._started[0] is not starts:
            self._started = starts, _ALIKE.of((tuple(starts.items()), tuple(self._names.items())), object)
        return self._started[1]

    def _line_drawn(
        self, name: str, value: Value, starts: Mapping[str, Starter], sheet: Mapping[str, Value],
        body: Sequence[BodyPart] = (),
    ) -> SheetLine | None:
        if not _is_figure(value) and not _says(value) and not body:
            return None
        started = starts.get(name)
        line = SheetLine(name, self._teller.name(name), help=self._teller.sheet_help(name), starts=started,
                    rule=self._rules.get(name, started.rule if started else ""))
        matrix = _matrix(value)
        if _is_of_things(value):
            parts = self._system.rows.get(name, RowParts())
            line.rows = [self._row(part, parts, starts) for part in value]
        elif body:
            line.body = list(body)
        elif matrix:
            line.across = [self._head(str(key), sheet, starts) for key in next(iter(matrix.values()))]
            line.matrix = [
                (self._head(str(key), sheet, starts),
                 [self._cell(str(key), str(at), cell, starts) for at, cell in part.items()])
                for key, part in matrix.items()
            ]
        elif isinstance(value, Mapping):
            line.marks = [
                Mark(self._teller.name(f"{name}.{key}"), self._value(part), bool(part))
                for key, part in value.items() if not isinstance(part, (Mapping, list)) and part is not False
            ]
            line.text = "" if line.marks else self._teller.value(value)
        elif isinstance(value, list):
            line.marks = [Mark(self._teller.value(part), "", False, starts.get(part) if isinstance(part, str) else None)
                          for part in value]
        else:
            line.text = self._teller.value(value)
        return line

    def _body(self, figure: BodyFigure, value: Value, starts: Mapping[str, Starter]) -> list[BodyPart]:
        """The parts of a body; none where one of them is not known."""
        places = {getattr(figure, place): place for place in LIMBS}
        levels = {str(part): level for part, level in value.items() if _is_figure(level)} if isinstance(
            value, Mapping) else {}
        if not places.keys() <= levels.keys():
            return []
        told = {part: figure.told(part, level) for part, level in levels.items()}
        return [BodyPart(part, places.get(part, ""), self._teller.name(part), level, starts.get(part),
                         self._teller.value(told[part]) if told[part] else "")
                for part, level in levels.items()]

    def _value(self, value: Value) -> str:
        return (self._names.get(value) if isinstance(value, str) else None) or self._teller.value(value)

    def _head(self, key: str, sheet: Mapping[str, Value], starts: Mapping[str, Starter]) -> Head:
        own = sheet.get(key)
        return Head(self._teller.name(key), str(own) if _is_figure(own) else "", starts.get(key))

    def _cell(self, row: str, column: str, value: Value, starts: Mapping[str, Starter]) -> Cell:
        words = f"{self._teller.name(row)}, {self._teller.name(column)}"
        one, other = starts.get(row), starts.get(column)
        if one is None or other is None or one.move != other.move or one.fills[0][0] == other.fills[0][0]:
            return Cell(self._teller.value(value), None, words)
        return Cell(self._teller.value(value), one._replace(fills=(*one.fills, *other.fills)), words)

    def _row(self, part: Mapping[str, Value], parts: RowParts, starts: Mapping[str, Starter]) -> Row:
        words = {name: value for name, value in part.items() if isinstance(value, str) and value}
        named = words.get(parts.named) or next(iter(words.values()), "")
        figures = {name: value for name, value in part.items() if _is_figure(value)}
        count = figures.pop(parts.counted, 1)
        numbers = list(figures.values())
        rest = [self._teller.value(v) for v in part.values() if v not in (named, count, *numbers) and _says(v)
                and str(v).casefold() != named.casefold()]
        # One figure is a score, even at 0; of several, nothing says nothing.
        counts = parts.scored and (len(numbers) == 1 or any(numbers))
        number = self._teller.value(numbers[0]) if numbers and counts else ""
        if count != 1:
            rest.insert(0, f"× {count}")
        return Row(self._teller.value(named), number, ", ".join(rest), starts.get(str(named)))

    # Gauges

    def gauges(self, kind: AnyKind, sheet: Mapping[str, Value], derived: Mapping[str, Value]) -> list[Gauge]:
        """What goes up and down; what is counted as used is shown as what is left."""
        shown = []
        for path, most in kind.gauges.items():
            value = _number(path, sheet, derived)
            maximum = int(most) if most.isdigit() else _number(most, sheet, derived)
            if value is None or not maximum:
                continue
            last = path.rpartition(".")[2]
            rule = kind.rules.get(last) or kind.rules.get(most) or self._rules.get(last, "")
            gauge = Gauge(path, self._teller.name(last), value, maximum, value - 1, value + 1,
                          self._teller.sheet_help(last), rule, brief=self._teller.short(f"fields.{last}"))
            left = kind.used.get(path)
            if left is not None:
                name = self._teller.name(left) if self._teller.is_named(left) else self._teller.name(most)
                gauge = dataclasses.replace(gauge, name=name, value=maximum - value, less=value + 1, more=value - 1)
            gauge.stretches = self._stretches(path, kind.segments.get(path, ()), gauge)
            shown.append(gauge)
        return shown

    def _stretches(self, path: str, segments: Sequence[Segment], gauge: Gauge) -> list[Stretch]:
        """The stretches of a gauge, from the lowest up; a point belongs to the stretch in which it is the last."""
        found = []
        for at, segment in enumerate(segments):
            last = segments[at + 1].least - 1 if at + 1 < len(segments) else gauge.maximum
            before = segment.least - 1 if at else 0
            found.append(Stretch(
                self._teller.value(segment.id), self._teller.step_example(path, segment.id),
                max(0, min(gauge.value, last) - before), last - before,
                (gauge.value >= segment.least or not at) and gauge.value <= last))
        return found

    def states(
        self, kind: AnyKind, sheet: Mapping[str, Value], derived: Mapping[str, Value],
        record: Value = None,
    ) -> list[StateTold]:
        """What everybody must see of somebody at a glance: what ails them, what is hurt of their body and how badly."""
        figure = kind.figure
        parts = self._body(figure, sheet.get(figure.field), {}) if figure is not None else []
        say = self._teller.say
        hurt = [say("web.hurt", part=part.words, how=part.told) if part.told else f"{part.words} {part.level}"
                for part in parts if part.level > 0]
        held = [self._teller.name(name) for name in kind.states if {**sheet, **derived}.get(name) is True]
        return [*(StateTold(words, True) for words in (*held, *hurt)), *self._glimpses(kind, record)]

    def _glimpses(self, kind: AnyKind, record: Value) -> list[StateTold]:
        """What the game says of a record at a glance, up to where something hidden would say it."""
        found: list[StateTold] = []
        try:
            glimpses = kind.glimpses(record, self._rulings) if record is not None else ()
            found.extend(StateTold(self._teller.say(one.key, **one.values), one.bad) for one in glimpses)
        except (ParaventError, *STUMBLES):
            pass
        return found

    # What a value starts

    def _starts(self, kind: AnyKind, record: Value) -> dict[str, Starter]:
        """For each value of the sheet that a player's move asks for by name: what the game says, or the first such."""
        def started(seen: Value) -> dict[str, Starter]:
            found = self._said_to_begin(kind, seen)
            for move, asked, title in _CLICKED.of((self._system,), self._clicked, self._teller.lang):
                for value, field, rule in self._names_in(move, asked, seen):
                    if value not in found:
                        found[value] = Starter(move.id, ((field, value),), title, rule)
            return found

        return _STARTS.of((self._system, self._rulings), record, started, self._teller.lang, self._day)

    def _said_to_begin(self, kind: AnyKind, record: Value) -> dict[str, Starter]:
        """What the game itself says that a touch on a value begins: the first of what may be begun by itself."""
        found: dict[str, Starter] = {}
        try:
            said = kind.begins(record, self._rulings)
        except Withheld:
            return found
        for one in said:
            move = self._system.move(one.move)
            if one.name in found or _is_no_click(move) or self._context(move, record) is None:
                continue
            found[one.name] = Starter(move.id, tuple(one.fills.items()), self._teller.title(f"moves.{move.id}"),
                                      named=one.name)
        return found

    def _clicked(self) -> list[Clicked]:
        """The moves that a value of a sheet may start."""
        asked = [(move, [field for field in move.fields
                         if field.role == "initiator" and field.touched
                         and isinstance(field.type, (Score, OneOf, TextField))])
                 for move in self._system.moves.values()
                 if not _is_no_click(move)]
        return [Clicked(move, fields, self._teller.title(f"moves.{move.id}")) for move, fields in asked if fields]

    def _done_to(self, record: Value, kind: AnyKind) -> dict[str, Starter]:
        """For each part of a body, what the game master does to it at a touch: of several things, the least common."""
        found: dict[str, Starter] = {}
        offers: list[tuple[int, dict[str, Starter]]] = []
        for move in self._system.moves.values():
            asked = [one for one in move.fields if one.role == GM and isinstance(one.shape, Figure) and one.shape.role]
            if move.by != GM or move.encounter or not asked:
                continue
            role = asked[0].shape.role if isinstance(asked[0].shape, Figure) else ""
            alone = {one.id for one in move.cast if one.least} <= {GM, role}
            if not alone or not self._system.takes(move.role(role), kind.id):
                continue
            title = self._teller.title(f"moves.{move.id}")
            parts = {value: Starter(move.id, ((name, value),), title, rule, role)
                     for value, name, rule in self._names_in(move, asked[:1], record, role)}
            offers.append((len(parts), parts))
        for _, parts in sorted(offers, key=lambda offer: -offer[0]):
            found |= parts
        return found

    def _context(self, move: Move, record: Value, role: str = "initiator") -> Context | None:
        """What a move would read of somebody who began it now; nothing where it is not offered to them."""
        try:
            ctx = self._system.context(move, {}, {role: record}, self._rulings, day=self._day)
            return ctx if move.can_come(ctx) else None
        except (ParaventError, *STUMBLES):
            return None

    def _named_in(
        self, move: Move, asked: list[AnyField], record: Value, role: str = "initiator"
    ) -> Iterator[tuple[str, str, str]]:
        ctx = self._context(move, record, role)
        if ctx is None:
            return
        for field in asked:
            facts = described(field.type, ctx)
            for option in (*(facts.options or ()), *(facts.suggested or ())):
                if isinstance(option, str) and option:
                    yield option, field.id, field.rule

    def _names_in(self, move: Move, asked: list[AnyField], record: Value, role: str = "initiator") -> list[NamedIn]:
        """The values of a sheet that a move asks for by name: each with the field that does, and its rule."""
        return _NAMED_IN.of((self._system, move, self._rulings), record,
                            lambda seen: list(self._named_in(move, asked, seen, role)),
                            role, self._day, tuple(field.id for field in asked))


def _is_no_click(move: Move) -> bool:
    """Whether a click on one's own sheet cannot begin it."""
    return bool(move.by == GM or move.encounter or move.makes or _needs_others(move))


def _needs_others(move: Move) -> bool:
    """Whether somebody else must be in it: a click on one's own sheet does not say who."""
    return any(role.least and role.id not in (GM, "initiator") for role in move.cast)


def _shown_by_gauges(kind: AnyKind) -> set[str]:
    return {*kind.used.values(), *kind.gauges.values()}


def _is_figure(value: Value) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_of_things(value: Value) -> TypeGuard[list[Mapping[str, Value]]]:
    """Whether a value is a list of things, each with parts of its own."""
    return isinstance(value, list) and all(isinstance(part, Mapping) for part in value)


def _matrix(value: Value) -> Mapping[str, Mapping[str, Value]]:
    """A value as a table where two scores meet; empty if it is none."""
    if type(value) in SIMPLE:  # as most are
        return {}
    rows = {name: part for name, part in value.items() if isinstance(part, Mapping)} if isinstance(
        value, Mapping) else {}
    return rows if rows and rows == value else {}


def _says(value: Value) -> bool:
    """Whether a value is worth a line: not empty, and of a mapping not only zeros."""
    if isinstance(value, Mapping):
        return any(_says(part) for part in value.values())
    return value not in (None, "", 0, [], False)


def _number(path: str, sheet: Mapping[str, Value], derived: Mapping[str, Value]) -> int | None:
    value: Value = {**sheet, **derived}
    for part in path.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value if isinstance(value, int) else None
