"""The rules of a game as people read them, its options, rulings, advice and rows of moves: data files, read once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from .datafiles import folders, joined
from .errors import UnknownName
from .lazily import cached_property
from .plain import Plain
from .words import Text, holds, in_language

T = TypeVar("T")
Row = dict[str, Any]
"""A row of evidence: what it holds is between a game and its tests."""


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """One numbered rule: title and text in our own words, and where it comes from."""

    id: str
    title: Text
    text: Text
    source: str
    kind: str = "rule"
    rulings: tuple[str, ...] = ()
    option: str = ""
    counted: bool = True

    @property
    def is_advice(self) -> bool:
        """Whether the rule is only judgement or advice, carried by its help text."""
        return self.kind == "advice"


class Option(Struct, frozen=True, forbid_unknown_fields=True):
    """A ruling that a table may settle otherwise."""

    key: str
    default: str
    values: tuple[str, ...]
    title: Text
    question: Text
    words: Mapping[str, Text]
    ruling: str = ""
    rule: str = ""


_OF_MAPPINGS = frozenset(dir(Mapping))
"""Names that an option leaves to the mapping: it is read by its key."""


class BookFile(Struct):
    """What the data files that every game has may hold, each its own part."""

    complete: bool = False
    rule: tuple[Rule, ...] = ()
    option: tuple[Option, ...] = ()
    advice: tuple[Text, ...] = ()
    vector: list[Row] = []
    odds: list[Row] = []
    table: list[Row] = []
    row: list[Row] = []


class Rulings(Mapping[str, str]):
    """The options of a table, each settled. Frozen and hashable: a rule may take it as an argument.

    >>> rulings = Rulings({"cancel_mode": "vanish"})
    >>> rulings.cancel_mode
    'vanish'
    """

    _chosen: dict[str, str]
    _hash: int

    def __init__(self, chosen: Mapping[str, str]) -> None:
        # Rules read options along every branch of their odds: each is an attribute of its own, found at once.
        kept = {key: value for key, value in chosen.items() if key not in _OF_MAPPINGS}
        self.__dict__.update(kept, _chosen=dict(chosen), _hash=hash(tuple(sorted(chosen.items()))))

    def __setattr__(self, key: str, value: object) -> None:
        raise AttributeError(key)

    def __getattr__(self, key: str) -> str:
        try:
            return self._chosen[key]
        except KeyError:
            raise AttributeError(f"no option {key!r} is declared", name=key, obj=self) from None

    def __getitem__(self, key: str) -> str:
        return self._chosen[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._chosen)

    def __len__(self) -> int:
        return len(self._chosen)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rulings) and self._chosen == other._chosen

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"Rulings({self._chosen})"


_MOST_STILL = 64


@dataclass(frozen=True)
class RuleBook:
    """Everything written about a game's rules, read from its package's data files."""

    package: str
    _data: dict[str, dict[str, Plain]] = field(default_factory=dict, repr=False)

    def data(self, name: str) -> Row:
        """The contents of ``name.toml`` in the package and its parts, empty if there is none."""
        if name not in self._data:
            self._data[name] = joined(folder.joinpath(f"{name}.toml") for folder in folders(self.package))
        return self._data[name]

    def read(self, name: str, kind: type[T]) -> T:
        """The contents of ``name.toml``, by the type that says what it holds."""
        return msgspec.convert(self.data(name), kind)

    @property
    def prefixes(self) -> tuple[str, ...]:
        """What rule ids begin with: one word, or one for each part of a long game."""
        return tuple(dict.fromkeys(map(_prefix, self.rules)))

    @property
    def prefix(self) -> str:
        """The name of the rules in a report: what their ids begin with."""
        return "+".join(self.prefixes)

    @property
    def complete(self) -> bool:
        """Whether every rule, vector, listed chance, row and option must be carried and tested."""
        return self.read("rules", BookFile).complete

    @cached_property
    def rules(self) -> Mapping[str, Rule]:
        """The rules by id, in the order of their numbers, whichever part of the game they stand in."""
        found = self.read("rules", BookFile).rule
        prefixes = list(dict.fromkeys(_prefix(rule.id) for rule in found))
        return {rule.id: rule for rule in sorted(found, key=lambda rule: (prefixes.index(_prefix(rule.id)), rule.id))}

    @cached_property
    def options(self) -> Mapping[str, Option]:
        """The options by key, in order."""
        return {option.key: option for option in self.read("options", BookFile).option}

    @property
    def vectors(self) -> list[Row]:
        """The worked examples."""
        return self.read("vectors", BookFile).vector

    @property
    def listed_odds(self) -> list[Row]:
        """The probabilities that the game's specification lists."""
        return self.read("odds", BookFile).odds

    @property
    def odds_tables(self) -> list[Row]:
        """Whole tables of listed probabilities."""
        return self.read("odds", BookFile).table

    @property
    def rows(self) -> list[Row]:
        """The procedures that the software offers, each with what serves it."""
        return self.read("rows", BookFile).row

    def advice(self, lang: str) -> list[str]:
        """Advice to the game master."""
        return [in_language(text, lang) for text in self.read("advice", BookFile).advice]

    def search(self, words: str, lang: str) -> list[Rule]:
        """The rules that hold all these words in their number, title or text; accents and capitals do not matter."""
        return [
            rule for rule in self.rules.values()
            if holds(f"{rule.id} {in_language(rule.title, lang)} {in_language(rule.text, lang)}", words)
        ]

    def find(self, rule_id: str) -> Rule:
        """The rule with this id; the nearest ids are named when there is none."""
        wanted = rule_id.upper()
        if wanted not in self.rules:
            raise UnknownName("rule", rule_id, self.rules)
        return self.rules[wanted]

    def rulings(self, chosen: Mapping[str, str] | None = None) -> Rulings:
        """All options, as chosen or by default."""
        settled = {key: option.default for key, option in self.options.items()}
        for key, value in (chosen or {}).items():
            if key not in self.options:
                raise UnknownName("option", key, self.options)
            if value not in self.options[key].values:
                raise UnknownName("value", str(value), self.options[key].values)
            settled[key] = value
        return Rulings(settled)

    def still(self, settled: Mapping[str, str]) -> Rulings:
        """All options as they were once settled; those that the game no longer has so are by default.

        What a table has settled never changes in place: of the same object it is worked out once.
        """
        kept = self._still.get(id(settled))
        if kept is None or kept[0] is not settled:
            if len(self._still) > _MOST_STILL:
                self._still.clear()
            kept = self._still[id(settled)] = settled, self.rulings({
                key: value for key, value in settled.items()
                if key in self.options and value in self.options[key].values
            })
        return kept[1]

    @cached_property
    def _still(self) -> dict[int, tuple[Mapping[str, str], Rulings]]:
        return {}


def _prefix(rule_id: str) -> str:
    """What a rule's id begins with."""
    return rule_id.partition("-")[0]
