"""A record drawn as a sheet: gauges for what changes, plain lines, short lists as marks, long ones as rows.

Any game's record can be drawn without a template of its own. A value that some move asks for (an attribute, a skill)
carries the move it starts.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from paravent.dice import ParaventError
from paravent.game import OneOf, RecordKind, Rulings, Score, System
from paravent.game.records import GM
from paravent.game.telling import Teller, described


class Starts(NamedTuple):
    """The move that a value of the sheet starts, and the field it fills in."""

    move: str
    field: str
    value: str
    title: str


class Mark(NamedTuple):
    """One short thing of a list: words, a number if it has one, and whether it stands out."""

    words: str
    number: str
    stands_out: bool


class Row(NamedTuple):
    """One line of a list of things: its name, its number, what else it says, the move it starts."""

    name: str
    number: str
    more: str
    starts: Starts | None


@dataclasses.dataclass
class Line:
    """One entry of a sheet, in whichever form suits its value."""

    field: str
    name: str
    text: str = ""
    help: str = ""
    marks: list[Mark] = dataclasses.field(default_factory=list)
    rows: list[Row] = dataclasses.field(default_factory=list)
    across: list[str] = dataclasses.field(default_factory=list)
    matrix: list[tuple[str, list[str]]] = dataclasses.field(default_factory=list)
    starts: Starts | None = None


@dataclasses.dataclass
class Block:
    """A part of the sheet under one title; ``figures`` are short values that stand side by side."""

    title: str
    figures: list[Line] = dataclasses.field(default_factory=list)
    lines: list[Line] = dataclasses.field(default_factory=list)


class SheetDrawer:
    """Draws records of one game in one language."""

    def __init__(self, system: System, teller: Teller, rulings: Rulings) -> None:
        self._system, self._teller, self._rulings = system, teller, rulings

    def blocks(
        self, kind: RecordKind, sheet: Mapping[str, Any], derived: Mapping[str, Any], record: Any = None
    ) -> list[Block]:
        """The blocks of a sheet, as its kind declares them; empty values are left out."""
        starts = self._starts(kind, record) if record is not None else {}
        left = {name: value for name, value in sheet.items() if name != "name" and name not in kind.gauges}
        drawn = []
        for section in kind.sections:
            fields = [name for name in section.fields if name in left]
            drawn.append(self._block(self._teller.title(f"sections.{section.id}"), fields, left, starts))
            for name in fields:
                del left[name]
        drawn.append(self._block(self._teller.title(f"kinds.{kind.id}"), list(left), left, starts))
        named = {name: value for name, value in derived.items() if self._teller.is_named(name)}
        drawn.append(self._block(self._teller.say("telling.derived"), list(named), named, {}))
        return [block for block in drawn if block.figures or block.lines]

    def lines(self, values: Mapping[str, Any]) -> list[Line]:
        """Any named values as lines (the state of an encounter); empty ones are left out."""
        return [line for name, value in values.items() if (line := self._line(name, value, {})) is not None]

    def _block(
        self, title: str, fields: list[str], values: Mapping[str, Any], starts: Mapping[str, Starts]
    ) -> Block:
        block = Block(title)
        for name in fields:
            line = self._line(name, values[name], starts)
            if line is None:
                continue
            (block.figures if _is_figure(values[name]) else block.lines).append(line)
        return block

    def _line(self, name: str, value: Any, starts: Mapping[str, Starts]) -> Line | None:
        if not _is_figure(value) and not _says(value):
            return None
        line = Line(name, self._teller.name(name), help=self._teller.help(f"fields.{name}"), starts=starts.get(name))
        if isinstance(value, list) and all(isinstance(part, Mapping) for part in value):
            line.rows = [self._row(part, starts) for part in value]
        elif isinstance(value, Mapping) and all(isinstance(part, Mapping) for part in value.values()):
            line.across = [self._teller.name(str(key)) for key in next(iter(value.values()))]
            line.matrix = [
                (self._teller.name(str(key)), [self._teller.value(cell) for cell in part.values()])
                for key, part in value.items()
            ]
        elif isinstance(value, Mapping):
            line.marks = [
                Mark(self._teller.name(str(key)), self._teller.value(part), bool(part))
                for key, part in value.items() if not isinstance(part, (Mapping, list))
            ]
            line.text = "" if line.marks else self._teller.value(value)
        elif isinstance(value, list):
            line.marks = [Mark(self._teller.value(part), "", False) for part in value]
        else:
            line.text = self._teller.value(value)
        return line

    def _row(self, part: Mapping[str, Any], starts: Mapping[str, Starts]) -> Row:
        words = [(name, value) for name, value in part.items() if isinstance(value, str) and value]
        named = next((value for name, value in words if name == "name"), words[0][1] if words else "")
        numbers = [value for value in part.values() if isinstance(value, int) and not isinstance(value, bool)]
        rest = [self._teller.value(v) for v in part.values() if v not in (named, *numbers) and _says(v)]
        number = self._teller.value(numbers[0]) if numbers else ""
        return Row(self._teller.value(named), number, ", ".join(rest), starts.get(str(named)))

    def _starts(self, kind: RecordKind, record: Any) -> dict[str, Starts]:
        """For each value of the sheet that a player's move asks for by name: the first such move."""
        found: dict[str, Starts] = {}
        for move in self._system.moves.values():
            if move.by == GM or move.encounter or move.id == "create-character":
                continue
            title = self._teller.title(f"moves.{move.id}")
            for value, field in self._named_in(move.id, record):
                found.setdefault(value, Starts(move.id, field, value, title))
        return found

    def _named_in(self, move_id: str, record: Any) -> Iterator[tuple[str, str]]:
        move = self._system.move(move_id)
        try:
            ctx = self._system.context(move, {}, {"initiator": record}, self._rulings)
        except ParaventError:
            return
        for asked in move.fields:
            if asked.role == "initiator" and isinstance(asked.type, (Score, OneOf)):
                for option in described(asked.type, ctx).get("options", ()):
                    if isinstance(option, str) and option:
                        yield option, asked.id


def _is_figure(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _says(value: Any) -> bool:
    """Whether a value is worth a line: not empty, and of a mapping not only zeros."""
    if isinstance(value, Mapping):
        return any(_says(part) for part in value.values())
    return value not in (None, "", 0, [], False)
