"""Words, by key and language: French first, English second.

A catalogue is a TOML file per language; a key is a dotted path. A value written ``{one = "…", other = "…"}`` is chosen
by the number ``n``. Values given by name are put in place; a value that is itself a word of the game (an identifier
with an entry under ``values``) is translated first.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

from paravent.dice.errors import ParaventError

from .datafiles import folders, joined
from .plain import Plain, Value

if TYPE_CHECKING:
    from .records import Fault

LANGUAGES = ("fr", "en")
Text = Mapping[str, str]
"""A short text in every language: ``{"fr": "…", "en": "…"}``."""
Catalogue = dict[str, Plain]
"""The words of one language: sentences, and sections of them."""


def in_language(text: Text, lang: str) -> str:
    """The text in this language, in French if it has no other."""
    return text.get(lang) or text["fr"]


_MOST_FOUND = 20_000
_SPELLED_OUT = str.maketrans({"œ": "oe", "æ": "ae", "’": "'"})


def folded(text: str) -> str:
    """A text as people type it in a hurry: no capitals, accents, or more than one blank between words."""
    plain = unicodedata.normalize("NFKD", text.casefold().translate(_SPELLED_OUT))
    return " ".join("".join(sign for sign in plain if not unicodedata.combining(sign)).split())


def holds(text: str, wanted: str) -> bool:
    """Whether each of these words, however they are typed, begins a word of a text: « arme » is not in « charme », and
    « -003 », which is no word, is in « D10-003 »."""
    text = folded(text)
    return all(word in text if not word[0].isalnum() else re.search(rf"(?<!\w){re.escape(word)}", text)
               for word in folded(wanted).split())


_GROUPED = 10_000
"""From here on the thousands of a number are set apart."""


def _figures(value: int | float | Fraction, lang: str) -> str:
    """A number as people write it: a real minus sign, thousands apart, two decimals at most."""
    text = str(value) if isinstance(value, int) else f"{float(value):.2f}".rstrip("0").rstrip(".")
    whole, _, rest = text.partition(".")
    if whole.lstrip("-").isdigit() and abs(int(whole)) >= _GROUPED:  # what is endless has no thousands
        whole = f"{int(whole):,}".replace(",", "\u202f" if lang == "fr" else ",")
    point = "," if lang == "fr" else "."
    return (f"{whole}{point}{rest}" if rest else whole).replace("-", "−")


class Words:
    """The words of a game, on top of those of the house."""

    def __init__(self, *catalogues: Mapping[str, Catalogue]) -> None:
        self._catalogues = catalogues
        self._found: dict[tuple[str, str], Plain] = {}
        self._parts: dict[tuple[str, str, str], str] = {}

    @classmethod
    def from_package(cls, package: str) -> Words:
        """The words of ``package`` and its parts (``text/fr*.toml`` and ``text/en*.toml``), then those of the house."""
        return cls(catalogues(package), _house())

    def find(self, lang: str, key: str) -> Plain:
        """The entry under a dotted key, or None."""
        try:
            return self._found[lang, key]
        except KeyError:
            if len(self._found) >= _MOST_FOUND:  # keys are also made of what people type
                self._found.clear()
            found = self._found[lang, key] = self._find(lang, key)
            return found

    def _find(self, lang: str, key: str) -> Plain:
        for catalogue in self._catalogues:
            entry: Plain = catalogue.get(lang)
            for part in key.split("."):
                entry = entry.get(part) if isinstance(entry, dict) else None
            if entry is not None:
                return entry
        return None

    def entry(self, lang: str, key: str, part: str = "title") -> str:
        """A part of the entry under a key (``title``, ``help``), empty if there is none; words alone are a title."""
        try:
            return self._parts[lang, key, part]
        except KeyError:
            if len(self._parts) >= _MOST_FOUND:
                self._parts.clear()
            found = self._parts[lang, key, part] = _part(self.find(lang, key), part)
            return found

    def knows(self, key: str) -> bool:
        """Whether every language has this key."""
        return all(self.find(lang, key) is not None for lang in LANGUAGES)

    def say(self, lang: str, key: str, /, **values: Value) -> str:
        """The sentence under ``key``; the key itself where nothing is written, so that a gap is seen."""
        entry = self.find(lang, key)
        if isinstance(entry, dict):
            entry = entry.get("one" if _is_one(lang, values.get("n", 0)) else "other", entry.get("title"))
        if not isinstance(entry, str):
            return key
        return self.filled(lang, entry, values) if values else entry

    def filled(self, lang: str, words: str, values: Mapping[str, Value]) -> str:
        """Words with values put in their places."""
        return words.format_map(_Shown(self, lang, values))

    def word(self, lang: str, value: Value) -> str:
        """A value as people read it: words of the game, lists, yes and no, numbers with a real minus sign.

        A number that need not be whole has two decimals at most, after a comma in French.
        """
        if type(value) is int and 0 <= value < _GROUPED:  # as most are
            return str(value)
        if type(value) is AsTyped:
            return str(value)
        if isinstance(value, str) and " · " in value:  # several words that stand together
            return " · ".join(self.word(lang, part) for part in value.split(" · "))
        if isinstance(value, str):
            entry = self.find(lang, f"values.{value}") if value and " " not in value else None
            return entry if isinstance(entry, str) else value
        if isinstance(value, bool):
            return self.say(lang, "house.yes" if value else "house.no")
        if isinstance(value, (list, tuple)):
            return ", ".join(self.word(lang, part) for part in value)
        if isinstance(value, (int, float, Fraction)):
            return _figures(value, lang)
        if isinstance(value, Mapping):
            return ", ".join(f"{self.word(lang, name)} {self.word(lang, part)}" for name, part in value.items())
        return "–" if value is None else str(value)

    def error(self, lang: str, error: ParaventError, spelled: bool = True) -> str:
        """An error as a sentence in the reader's language, with the rule it names.

        ``spelled`` adds identifiers as they are typed, for those who type them.
        """
        values = {name: self._worded(lang, name, value, spelled) for name, value in error.values.items()}
        if "minimum" in values:
            values |= {"bounds": _bounds(error.values.get("minimum"), error.values.get("maximum"))}
        key = f"errors.{error.code}" if self.find(lang, f"errors.{error.code}") else "errors.house/error"
        other = self.entry(lang, key, _less_of(error.values))
        sentence = self.filled(lang, other, values) if other else self.say(lang, key, **values)
        rule_id = str(values.get("rule") or "")
        cited = re.fullmatch(r"[A-Z0-9]+-[A-Z]?\d+", rule_id) and rule_id not in sentence
        sentence = _TWO_STOPS.sub(".", sentence[:1].upper() + sentence[1:])  # what is named may end as a sentence does
        return f"{sentence} [{rule_id}]" if cited else sentence

    def _worded(self, lang: str, name: str, value: Value, spelled: bool) -> Value:
        """A value of an error, as its sentence says it."""
        match name, value:
            case ("what" | "expected" | "reason"), str():
                return self.find(lang, f"{name}.{value}") or self._titled(lang, value, ("fields", "moves"))
            case "got", str() if spelled:
                return AsTyped(value)
            case "words", str():
                return AsTyped(value)
            case "near", list(names):
                return [self._spelled(lang, name) if spelled else self.word(lang, name) for name in names]
            case "faults", list(faults):
                return " ; ".join(self.fault(lang, fault) for fault in faults)
            case "move", str():
                return self._titled(lang, value, ("moves",))
            case "needs", str():
                return self._titled(lang, value, ("needs", "fields", "roles", "encounters", "moves"))
            case "field", str():
                return self.field_name(lang, value, spelled)
        return value

    def _titled(self, lang: str, name: str, places: Iterable[str]) -> str:
        """What a name is called in the first of these parts of the catalogue that knows it."""
        return next((title for place in places if (title := self.entry(lang, f"{place}.{name}"))), name)

    def _spelled(self, lang: str, name: str) -> str:
        """A name as it must be typed, with the word people read for it."""
        word = self.word(lang, name)
        return name if word == name else f"{name} ({word})"

    def fault(self, lang: str, fault: Fault) -> str:
        """A fault of a record as a phrase, with its rule."""
        phrase = self.say(lang, f"faults.{fault.key}", **fault.values)
        return f"{phrase} [{fault.rule}]" if fault.rule else phrase

    def field_name(self, lang: str, name: str, spelled: bool = True) -> str:
        """A field's name as people read it (``fields.<id>``), with its identifier for those who type it."""
        title = self.entry(lang, f"fields.{name}")
        return name if not title else f"{title} ({name})" if spelled else title


def _less_of(values: Mapping[str, Value]) -> str:
    """Which sentence of an error says less, if it has one: where there is nothing to name, or too much to be read."""
    if values.get("near") == []:
        return "none"
    stood = [values[name] for name in ("before", "now") if name in values]
    return "whole" if any(one == "" or isinstance(one, (list, tuple, Mapping)) for one in stood) else ""


def _part(entry: Plain, part: str) -> str:
    found = entry.get(part) if isinstance(entry, dict) else entry if part == "title" else None
    return found if isinstance(found, str) else ""


def _bounds(low: Value, high: Value) -> str:
    """What lies between two bounds, or on one side of the only one."""
    if low is None or high is None:
        return f"≤ {high}" if low is None else f"≥ {low}"
    return f"{low} … {high}"


class AsTyped(str):
    """What somebody typed, or an hour of the clock: it is shown as it stands, whatever is called by that name."""

    __slots__ = ()


class _Said(str):
    """A word in a sentence, which French joins to the one before it.

    ``{who:de}`` says « d'Elya », « de Tarn » and « du personnage », ``{who:à}`` « à Elya » and « au personnage ».
    """

    __slots__ = ()

    def __format__(self, joined: str) -> str:
        if joined not in _JOINED:
            return str(self)
        article, _, rest = self.partition(" ")
        if article in _JOINED[joined]:
            return f"{_JOINED[joined][article]} {rest}"
        return f"d'{self}" if joined == "de" and folded(self)[:1] in _VOWELS else f"{joined} {self}"


_TWO_STOPS = re.compile(r"(?<=[^\W_])\.\.(?=\s|$)")
_VOWELS = tuple("aeiouy")
_JOINED = {"de": {"le": "du", "les": "des"}, "à": {"le": "au", "les": "aux"}}


class _Shown(dict[str, str]):
    def __init__(self, words: Words, lang: str, values: Mapping[str, Value]) -> None:
        super().__init__({name: _Said(words.word(lang, value)) for name, value in values.items()})
        self._words, self._lang = words, lang

    def __missing__(self, key: str) -> str:
        """What nothing was said of: a role that nobody is known in is somebody's; anything else is a gap to see."""
        if self._words.find(self._lang, f"roles.{key}") is None:
            return "{" + key + "}"
        return _Said(self._words.say(self._lang, "telling.somebody"))


def _is_one(lang: str, n: Value) -> bool:
    """French counts 0 and 1 as singular, English only 1."""
    number = abs(n) if isinstance(n, (int, float)) else 0
    return number < 2 if lang == "fr" else number == 1


def catalogues(package: str) -> dict[str, Catalogue]:
    """A package's own words by language, those of all its parts."""
    return _load(folder.joinpath("text") for folder in folders(package))


def _load(places: Iterable[Traversable]) -> dict[str, Catalogue]:
    """The catalogues of folders: every file whose name begins with a language (``fr.toml``, ``fr_combat.toml``)."""
    found = [file for place in places if place.is_dir() for file in sorted(place.iterdir(), key=lambda file: file.name)]
    return {
        lang: joined(file for file in found if re.fullmatch(rf"{lang}(_.*)?\.toml", file.name)) for lang in LANGUAGES
    }


@cache
def _house() -> dict[str, Catalogue]:
    return _load([files("paravent").joinpath("words")])


@cache
def house_words() -> Words:
    """The words that belong to no game."""
    return Words(_house())


def keys_of(catalogue: Catalogue, prefix: str = "") -> Iterable[str]:
    """Every dotted key of a catalogue that leads to a text."""
    for name, entry in catalogue.items():
        if isinstance(entry, dict) and not {"one", "other"} >= set(entry):
            yield from keys_of(entry, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}"
