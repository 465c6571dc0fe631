"""A whole sheet as a form, for any game: numbers, words, yes or no, lists as rows; and back to plain values.

Inputs are named by their place: ``v:strength``, ``v:armour.absorb``, ``r:skills:0:value``; ``b:dead`` says that a box
which was not ticked was there.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Any, NamedTuple, TypeGuard

from paravent.game import AnyKind, Passages, Plain, Rulings, Section, Suggestion, Value, to_plain
from paravent.game.records import Annotation, type_at
from paravent.game.telling import Teller

_BLANK_ROWS = 3
_LONG = 60
_ROW_NUMBERS = {str(at) for at in range(60)}


class WordsAtHand(NamedTuple):
    """Words at hand, what else of their row goes with them, and that in words."""

    words: str
    fills: tuple[tuple[str, str], ...]
    told: str


@dataclass
class Input:
    """One input, or a few that go together."""

    path: str
    title: str
    kind: str
    value: Plain = None
    options: list[tuple[str, str]] = field(default_factory=list)
    parts: list[Input] = field(default_factory=list)
    rows: list[list[Input]] = field(default_factory=list)
    help: str = ""
    suggested: Sequence[WordsAtHand] = ()
    """Words at hand."""
    families: list[tuple[str, list[tuple[str, str]]]] = field(default_factory=list)
    """Options that stand under names of families."""
    least: int | None = None
    most: int | None = None
    wanted: int = 0
    """How many rows of a list there are to be, where that is counted."""
    sign: str = ""
    """The word whose pictogram stands beside it."""


class Drawer(NamedTuple):
    """A list that words of a text may go to: what it is called, its levels, what else is said in one word."""

    path: str
    title: str
    levels: list[tuple[str, str]]
    marks: list[tuple[str, str]]
    suggested: Sequence[WordsAtHand]


class Picking(NamedTuple):
    """How words are picked out of texts: the inputs that hold them, and where they may go."""

    texts: list[Input]
    drawers: list[Drawer]
    quote: str
    level: str
    mark: str


@dataclass
class InputGroup:
    """A part of the form under one title."""

    title: str
    entries: list[Input]
    folded: bool = False
    id: str = ""
    picking: Picking | None = None
    """Words are picked out of texts here."""


class Idea(NamedTuple):
    """A way of filling in several numbers at one touch: its words, and each input with its number."""

    words: str
    fills: str


@dataclass
class StageInputs:
    """A step of writing: the parts of the form that stand together."""

    id: str
    title: str
    help: str
    parts: list[InputGroup]
    ideas: list[Idea]


class SheetForm:
    """Draws sheets of one kind as forms, in one language."""

    def __init__(self, kind: AnyKind, teller: Teller, rulings: Rulings | None = None) -> None:
        self._kind, self._teller = kind, teller
        self._moot = frozenset(kind.moot(rulings)) if rulings is not None else frozenset()
        self._bounds = kind.bounds(rulings) if rulings is not None else {}

    def blank(self) -> dict[str, Plain]:
        """A sheet to fill in: what play writes begins as the game says."""
        empty = to_plain(_empty(self._kind.cls))
        return {name: self._least(name, value) for name, value in (empty if isinstance(empty, dict) else {}).items()
                if name not in self._kind.gauges and name not in self._kind.in_play and name not in self._moot}

    def _least(self, name: str, value: Plain) -> Plain:
        """A number that is bounded begins at its least."""
        return max(value, self._bounds[name][0]) if name in self._bounds and isinstance(value, int) else value

    def stages(self, parts: Sequence[InputGroup], prefix: str = "") -> list[StageInputs]:
        """The steps in which a form is written, if the game has any; what stands in none of them is in the last."""
        declared = self._kind.stages
        placed = {name: stage.id for stage in declared for name in stage.sections}
        last = declared[-1].id if declared else ""
        return [
            StageInputs(
                stage.id, self._teller.title(f"stages.{stage.id}"), self._teller.help(f"stages.{stage.id}"),
                [part for part in parts if placed.get(part.id, last) == stage.id],
                [Idea(self._teller.say(f"stages.{stage.id}.ideas.{name}"),
                      " ".join(f"{prefix}v:{path}={number}" for path, number in idea.items()))
                 for name, idea in stage.ideas.items()],
            ) for stage in declared
        ]

    def parts(self, sheet: Mapping[str, Plain], counted: Mapping[str, int] = MappingProxyType({})) -> list[InputGroup]:
        """The form of a sheet, in the order of its sections; what stands in none comes last, folded.

        ``counted`` says how many rows some lists are to have.
        """
        left = dict(sheet)
        drawn = []
        for section in self._in_order(left):
            names = [str(name) for name in section.fields if str(name) in left]
            entries = [entry for name in names if (entry := self.entry(name, left.pop(name))) is not None]
            for entry in entries:
                entry.wanted = counted.get(entry.path, 0)
            drawn.append(InputGroup(self._teller.title(f"sections.{section.id}"), entries, id=section.id))
            picking = self._picking(entries, sheet)
            if picking is not None:
                drawn.append(InputGroup(self._teller.say("web.picking.title"), [], id="picking", picking=picking))
        rest = [entry for name, value in left.items() if (entry := self.entry(name, value)) is not None]
        drawn.append(InputGroup(self._teller.say("web.sheet_rest"), rest, folded=bool(self._kind.sections), id="rest"))
        return [part for part in drawn if part.entries or part.picking]

    def _in_order(self, sheet: Mapping[str, Plain]) -> list[Section]:
        """The parts of the sheet; texts come before what is drawn from them."""
        sections, passages = list(self._kind.sections), self._kind.passages
        if passages is None:
            return sections
        drawn = [at for at, section in enumerate(sections) if set(section.fields) & set(passages.lists)]
        texts = [section for section in sections if set(section.fields) & set(passages.texts)]
        if not drawn or not texts or not set(passages.texts) <= set(sheet):
            return sections
        before = [section for section in sections[:drawn[0]] if section not in texts]
        return [*before, *texts, *(section for section in sections[drawn[0]:] if section not in texts)]

    def _picking(self, entries: Sequence[Input], sheet: Mapping[str, Plain]) -> Picking | None:
        """After the last of the texts, how words are picked out of them."""
        passages = self._kind.passages
        if passages is None or not entries or passages.texts[-1] not in [entry.path for entry in entries]:
            return None
        return Picking([entry for entry in entries if entry.path in passages.texts],
                       [self._drawer(path, passages) for path in passages.lists if path in sheet],
                       passages.quote, passages.level, passages.mark)

    def _drawer(self, path: str, passages: Passages) -> Drawer:
        mark = _columns(_args(type_at(self._kind.cls, path))[0]).get(passages.mark)
        marks = [(str(one.value), self._teller.value(one) if one.value else "–") for one in mark] if _is_choice(
            mark) else []
        return Drawer(path, self._teller.name(path), [
            (str(level), self._teller.step_word(path, level)) for level in passages.levels
        ], marks, self._suggested(f"{path}.name"))

    def entry(self, path: str, value: Plain) -> Input | None:
        """The input for one value, or None for what a form cannot hold, or the game no longer has."""
        last = path.rpartition(".")[2]
        try:
            typed = type_at(self._kind.cls, path)
        except LookupError:
            return None
        entry = Input(path, self._teller.name(path), _kind_of(typed, value), value,
                      help=self._teller.sheet_help(last), suggested=self._suggested(path), sign=last)
        if self._kind.passages is not None and path in self._kind.passages.texts:
            entry.kind = "long"  # a paragraph to come
        if path in self._bounds:
            entry.least, entry.most = self._bounds[path]
        if path in self._kind.choices:
            return self._chosen(entry, path)
        if _is_choice(typed):
            entry.options = [(str(member.value), self._teller.value(member)) for member in typed]
            return entry
        if entry.kind == "group" and isinstance(value, dict):
            found = (self.entry(f"{path}.{name}", part) for name, part in value.items())
            entry.parts = [part for part in found if part is not None]
            return entry if entry.parts else None
        if entry.kind == "rows" and isinstance(value, list):
            return self._rows(entry, value, _args(typed)[0])
        if entry.kind == "text" and value and value == self._usual_word(path):
            entry.value = self._teller.value(value)
        if entry.kind == "words" and isinstance(value, list):
            entry.value = "\n".join(map(str, value))
        return None if entry.kind == "none" else entry

    def _rows(self, entry: Input, listed: list[Plain], row: Annotation) -> Input | None:
        columns = _columns(row)
        if not columns or any(map(_nests, columns.values())):
            return None
        # What has words at hand is written first: they bring what goes with them.
        columns = dict(sorted(columns.items(), key=lambda one: f"{entry.path}.{one[0]}" not in self._kind.suggests))
        blank: list[Plain] = [{} for _ in range(_BLANK_ROWS)]
        entry.rows = [
            [self._cell(entry.path, at, name, typed, part.get(name) if isinstance(part, dict) else None)
             for name, typed in columns.items()]
            for at, part in enumerate([*listed, *blank])
        ]
        return entry

    def _cell(self, path: str, at: int, name: str, typed: Annotation, value: Plain) -> Input:
        cell = Input(f"{path}:{at}:{name}", self._teller.name(f"{path}.{name}"), _kind_of(typed, value), value,
                     suggested=self._suggested(f"{path}.{name}"))
        if _lists(typed):
            cell.kind, cell.value = "text", ", ".join(map(str, value if isinstance(value, list) else ()))
        if f"{path}.{name}" in self._kind.choices:
            return self._chosen(cell, f"{path}.{name}")
        if _is_choice(typed):
            cell.options = [(str(member.value), self._teller.value(member)) for member in typed]
        return cell

    def _suggested(self, path: str) -> Sequence[WordsAtHand]:
        """Words at hand for a text, from the game's tables."""
        found = self._kind.suggests[path](self._teller.lang) if path in self._kind.suggests else ()
        ideas = [idea if isinstance(idea, Suggestion) else Suggestion(idea) for idea in found]
        return [WordsAtHand(idea.words, idea.fills, ", ".join(self._teller.value(value) for _, value in idea.fills))
                for idea in ideas]

    def where(self, field: str) -> str:
        """The part of the form in which a field stands; none if no part has it."""
        return next((section.id for section in self._kind.sections if field in section.fields), "") if field else ""

    def stage_of(self, field: str) -> str:
        """The step in which a field is written; the last for whatever has none."""
        part, declared = self.where(field), self._kind.stages
        return next((stage.id for stage in declared if part in stage.sections), declared[-1].id if declared else "")

    def _chosen(self, entry: Input, path: str) -> Input:
        """An entry whose text is one of the game's own identifiers, or none; what stands there already may stay."""
        stands = str(entry.value or "")
        known = dict(self._kind.chosen(path))
        alone = known.pop("", ())
        stray = () if any(stands in listed for listed in known.values()) else (stands,)
        entry.kind, entry.value = "choice", stands
        entry.options = [(one, self._teller.value(one)) for one in dict.fromkeys(("", *alone, *stray))]
        entry.families = [(self._teller.value(family), [(one, self._teller.value(one)) for one in listed])
                          for family, listed in known.items()]
        return entry

    def read(self, sheet: Mapping[str, Value], form: Iterable[tuple[str, str]], prefix: str = "") -> dict[str, Plain]:
        """The sheet with what the form says; what cannot be read stays as it was written, for the rules to refuse."""
        sent = [(name.removeprefix(prefix), value) for name, value in form if name.startswith(prefix)]
        changed: dict[str, Plain] = to_plain(sheet)
        ticked = {name[2:] for name, _ in sent if name.startswith("v:")}
        for name, value in sent:
            if name.startswith("v:"):
                _put(changed, name[2:], self._value(name[2:], value, changed))
            elif name.startswith("b:") and name[2:] not in ticked:
                _put(changed, name[2:], False)
        for path, rows in self._read_rows(sent).items():
            _put(changed, path, rows)
        return changed

    def _value(self, path: str, text: str, sheet: dict[str, Plain]) -> Plain:
        typed = type_at(self._kind.cls, path)
        usual = self._usual_word(path)
        if usual and text.strip() in (self._teller.value(usual), usual):
            return usual
        return _typed(_kind_of(typed, _at(sheet, path)), text)

    def _usual_word(self, path: str) -> str:
        """What a text usually holds, where that is a word of the game's own: people read and write it in theirs."""
        usual = next((part.default for part in dataclasses.fields(self._kind.cls) if part.name == path), "")
        return usual if isinstance(usual, str) and not isinstance(usual, Enum) else ""

    def _read_rows(self, sent: Iterable[tuple[str, str]]) -> dict[str, list[Plain]]:
        found: dict[str, dict[int, dict[str, str]]] = {}
        for name, value in sent:
            path, _, rest = name.removeprefix("r:").partition(":")
            at, _, column = rest.partition(":")
            if name.startswith("r:") and at in _ROW_NUMBERS and path in _names(self._kind.cls):
                found.setdefault(path, {}).setdefault(int(at), {})[column] = value.strip()
        read: dict[str, list[Plain]] = {}
        for path, rows in found.items():
            columns = _columns(_args(type_at(self._kind.cls, path))[0])
            usual = _numbers_with_default(_args(type_at(self._kind.cls, path))[0])
            read[path] = [
                {name: _read_cell(columns[name], value) for name, value in row.items()
                 if name in columns and (value or name not in usual)}
                for _, row in sorted(rows.items()) if any(row.get(name) for name in _telling_columns(columns))
            ]
        return read


def _empty(typed: Annotation) -> Value:
    """A value of a type to begin with: what its fields usually hold, and nothing where they must be written."""
    if dataclasses.is_dataclass(typed) and isinstance(typed, type):
        hints = typing.get_type_hints(typed)
        missing = [part.name for part in dataclasses.fields(typed) if part.init and part.default is dataclasses.MISSING
                   and part.default_factory is dataclasses.MISSING]
        return typed(**{name: _empty(hints[name]) for name in missing})
    if isinstance(typed, type) and issubclass(typed, Enum):
        return next(iter(typed))
    for kind in (str, int, bool):
        if typed is kind:
            return kind()
    return {} if typing.get_origin(typed) in (dict, Mapping) else ()


def _numbers_with_default(row: Annotation) -> set[str]:
    """The numbers of a row that have a usual value: left blank, that is what they hold."""
    usual = {part.name for part in dataclasses.fields(row) if part.default is not dataclasses.MISSING} if isinstance(
        row, type) and dataclasses.is_dataclass(row) else set(getattr(row, "_field_defaults", ()))
    return {name for name, typed in _columns(row).items() if typed is int and name in usual}


def _telling_columns(columns: Mapping[str, Annotation]) -> list[str]:
    """The columns that make a row count: names rather than numbers and choices, which always hold something."""
    worded = [name for name, typed in columns.items() if _kind_of(typed, None) in ("text", "none")]
    return worded or list(columns)


def _names(cls: type) -> set[str]:
    return {part.name for part in dataclasses.fields(cls)}


def _args(typed: Annotation) -> tuple[Annotation, ...]:
    return typing.get_args(typed) or (Any,)


def _columns(row: Annotation) -> dict[str, Annotation]:
    """The named parts of one row of a list."""
    if not isinstance(row, type) or not (dataclasses.is_dataclass(row) or hasattr(row, "_fields")):
        return {}
    return {name: typed for name, typed in typing.get_type_hints(row).items() if not name.startswith("_")}


def _nests(typed: Annotation) -> bool:
    """Whether a value of this type has named parts, which one cell of a row cannot hold: saving would lose them."""
    return any(_columns(part) for part in (typed, *typing.get_args(typed)))


def _is_choice(typed: Annotation) -> TypeGuard[type[Enum]]:
    """Whether a value of this type is one of a few."""
    return isinstance(typed, type) and issubclass(typed, Enum)


def _lists(typed: Annotation) -> bool:
    """Whether a value of this type is a list, which a cell holds on one line."""
    return typing.get_origin(typed) in (tuple, list, frozenset)


def _read_cell(typed: Annotation, text: str) -> Plain:
    if _lists(typed):
        return [part.strip() for part in text.split(",") if part.strip()]
    return _typed(_kind_of(typed, None), text)


def _kind_of(typed: Annotation, value: Plain) -> str:
    if _is_choice(typed):
        return "choice"
    if typed is bool or isinstance(value, bool):
        return "flag"
    if typed is int or isinstance(value, int):
        return "number"
    if typed is str or isinstance(value, str):
        return "long" if isinstance(value, str) and len(value) > _LONG else "text"
    if typing.get_origin(typed) in (tuple, list) and isinstance(value, list):
        return "rows" if _columns(_args(typed)[0]) else ("words" if all(isinstance(p, str) for p in value) else "none")
    return "group" if isinstance(value, Mapping) and value else "none"


def _is_number(figure: str) -> bool:
    return figure.isascii() and figure.removeprefix("-").isdigit() and len(figure) < 12


def _typed(kind: str, text: str) -> Plain:
    if kind == "number":
        figure = text.strip().replace("−", "-")
        return int(figure) if _is_number(figure) else 0 if not figure else text
    if kind == "flag":
        return text not in ("", "no")
    if kind == "words":
        return [line.strip() for line in text.splitlines() if line.strip()]
    return text.strip().replace("\r\n", "\n")


def _at(sheet: dict[str, Plain], path: str) -> Plain:
    value: Plain = sheet
    for part in path.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value


def _put(sheet: dict[str, Plain], path: str, value: Plain) -> None:
    name, _, rest = path.partition(".")
    if name not in sheet:
        return
    held = sheet[name]
    if rest:
        inner = dict(held) if isinstance(held, dict) else {}
        _put(inner, rest, value)
        sheet[name] = inner
    else:
        sheet[name] = value
