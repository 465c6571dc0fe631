"""A table of the game stays a table: the same rows and columns as the page, in a data file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources.abc import Traversable
from typing import Any

import msgspec
from msgspec import Struct

from . import trace
from .datafiles import SaidTwice, folders, read
from .errors import UnknownName
from .lazily import cached_property
from .plain import Plain
from .words import Text, in_language

Cell = Any
"""What stands in a cell: a number, words or a list, as the game that wrote the table knows."""


class Printed(Struct):
    """A table's file, as far as every table has it."""

    title: Text
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    source: str = ""
    rules: tuple[str, ...] = ()
    key: Plain = None
    words: Mapping[str, Text] = {}


class Table:
    """A printed table: columns, rows, and the rules it carries.

    Cells are looked up by the first column (its key), or, where the first two columns are ``min`` and ``max``, by the
    range that holds a number; an empty ``max`` has no end.
    """

    def __init__(self, name: str, contents: Mapping[str, Plain]) -> None:
        printed = msgspec.convert(contents, Printed)
        self.name = name
        self.title, self.source, self.rules = printed.title, printed.source, printed.rules
        self.columns, self.rows, self._words = printed.columns, printed.rows, printed.words
        known = Printed.__struct_fields__
        self.extra: Mapping[str, Cell] = {name: part for name, part in contents.items() if name not in known}
        """What stands beside the rows in the file: a step beyond the last row, other rows for an option."""
        trace.carry(f"table {name}", self.rules)

    @cached_property
    def _by_key(self) -> dict[Cell, tuple[Cell, ...]]:
        return {row[0]: row for row in self.rows}

    @cached_property
    def _places(self) -> dict[str, int]:
        return {column: at for at, column in enumerate(self.columns)}

    def _cells(self, key: Cell) -> tuple[Cell, ...]:
        trace.mark(self.rules)
        found = self._by_key.get(key) if self.columns[:2] != ("min", "max") else next(
            (row for row in self.rows if _holds(row, key)), None)
        if found is None:
            raise UnknownName("row", str(key), (str(row[0]) for row in self.rows))
        return found

    def row(self, key: Cell) -> dict[str, Cell]:
        """The row whose key (or range) this is."""
        return dict(zip(self.columns, self._cells(key), strict=True))

    def cell(self, key: Cell, column: str) -> Cell:
        """What stands at this row and column."""
        return self._cells(key)[self._places[column]]

    def keys(self) -> tuple[Cell, ...]:
        """The first cell of every row."""
        trace.mark(self.rules)
        return tuple(row[0] for row in self.rows)

    def column(self, column: str) -> dict[Cell, Cell]:
        """A whole column by row key."""
        trace.mark(self.rules)
        at = self.columns.index(column)
        return {row[0]: row[at] for row in self.rows}

    def word(self, identifier: Cell, lang: str) -> str:
        """A cell or a column's name as people read it."""
        if identifier == "":
            return "–"
        text = self._words.get(str(identifier))
        return in_language(text, lang) if text else str(identifier).replace("-", "−")

    @property
    def uneven(self) -> list[Sequence[Cell]]:
        """Rows of another length than the columns."""
        return [row for row in self.rows if len(row) != len(self.columns)]

    @property
    def wordless(self) -> list[tuple[str, str]]:
        """What has no words in a language: its name, and the language."""
        return [(name, lang) for name, text in self._words.items() for lang in ("fr", "en") if not text.get(lang)]

    def to_json(self, lang: str) -> dict[str, Plain]:
        """The table with its words."""
        return {
            "name": self.name,
            "title": in_language(self.title, lang),
            "rules": list(self.rules),
            "columns": [{"id": column, "title": self.word(column, lang)} for column in self.columns],
            "rows": [list(row) for row in self.rows],
        }


def _holds(row: Sequence[Cell], number: int) -> bool:
    low, high = row[0], row[1]
    return bool((low == "" or low <= number) and (high == "" or number <= high))


class Tables(Mapping[str, Table]):
    """The tables of a package and its parts, those of their ``tables`` folders, each read when first asked for."""

    def __init__(self, package: str) -> None:
        self._package = package
        self._read: dict[str, Table] = {}

    @cached_property
    def _files(self) -> Mapping[str, Traversable]:
        """Where each table is written, by name."""
        places = (folder.joinpath("tables") for folder in folders(self._package))
        found = [file for place in places if place.is_dir() for file in place.iterdir() if file.name.endswith(".toml")]
        by_name = {file.name.removesuffix(".toml"): file for file in sorted(found, key=lambda file: file.name)}
        if len(by_name) < len(found):
            raise SaidTwice(f"tables of {self._package}: {sorted(file.name for file in found)}")
        return by_name

    def __getitem__(self, name: str) -> Table:
        if name not in self._read:
            if name not in self._files:
                raise UnknownName("table", name, self._files)
            self._read[name] = Table(name, read(self._files[name]))
        return self._read[name]

    def __contains__(self, name: object) -> bool:
        return name in self._files

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)
