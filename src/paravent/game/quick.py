"""People in one line, for any game: how many, what they are called, whether they are in sight, and what else is said.

``trois gardes visibles : 5, fusil ; la douanière`` is read as two groups, in either language. What a game makes of the
pieces after the name (numbers, weapons, a word of its own) is its own affair.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from .errors import CrowdTooLarge, NotUnderstood
from .words import LANGUAGES, folded, house_words

MOST_PEOPLE = 20
"""How many people one line may bring."""
R = TypeVar("R")
_PIECES = re.compile(r"[:,]")


@dataclass(frozen=True)
class Described:
    """Some people of a line, all alike."""

    count: int
    called: str
    """Their word as it was typed, without number or article."""
    seen: bool
    said: tuple[str, ...]
    """What else is said of them, piece by piece, folded for comparing; as typed in ``typed``."""
    typed: tuple[str, ...]

    @property
    def name(self) -> str:
        """What one of them is called."""
        name = one_of(self.called) if self.count > 1 else self.called
        return name[:1].upper() + name[1:]

    def names(self) -> tuple[str, ...]:
        """What each is called: by a number, where they are several."""
        return (self.name,) if self.count == 1 else tuple(f"{self.name} {at}" for at in range(1, self.count + 1))

    def ready(self, rows: Iterable[R], words: Callable[[R], Iterable[str]]) -> R | None:
        """Whoever is ready under their word."""
        asked = {folded(self.called), folded(one_of(self.called))}
        return next((row for row in rows if not asked.isdisjoint(map(folded, words(row)))), None)


def people_in(text: str) -> tuple[Described, ...]:
    """The people that a line describes; several groups are separated by semicolons."""
    groups = [part.strip() for part in text.replace("\n", ";").split(";") if part.strip()]
    if not groups:
        raise NotUnderstood(words=text.strip() or "–")
    found = tuple(_group(group) for group in groups)
    total = sum(group.count for group in found)
    no_crowd(total)
    return found


def no_crowd(count: int) -> None:
    """One line brings no more than so many people."""
    if count > MOST_PEOPLE:
        raise CrowdTooLarge(n=count, most=MOST_PEOPLE)


def _group(text: str) -> Described:
    called, *more = (piece.strip() for piece in _PIECES.split(text))
    called, seen = _sight(called)
    typed = []
    for piece in more:
        rest, in_sight = _sight(piece)
        seen = seen if in_sight is None else in_sight
        typed += [rest] if rest else []
    count, words = 1, called.replace("’", "'").split()
    if words and folded(words[0]) in _said("articles"):
        words = words[1:]
    if words and (words[0].isdigit() or folded(words[0]) in _numbers()):
        count, words = int(words[0]) if words[0].isdigit() else _numbers()[folded(words[0])], words[1:]
    elif words and folded(words[0]).startswith("l'"):
        words = [words[0][2:], *words[1:]]
    if not words or not words[0] or count < 1:
        raise NotUnderstood(words=text)
    return Described(count, " ".join(words), bool(seen), tuple(folded(piece) for piece in typed), tuple(typed))


def _sight(piece: str) -> tuple[str, bool | None]:
    """A piece without what it says of sight, and that."""
    words = piece.split()
    for key, seen in (("unseen", False), ("seen", True)):
        for phrase in _said(key):
            size = len(phrase.split())
            for at in range(len(words) - size + 1):
                if folded(" ".join(words[at : at + size])) == phrase:
                    return " ".join((*words[:at], *words[at + size :])), seen
    return piece, None


def one_of(called: str) -> str:
    """One of several: the marks of the plural go, up to a word that joins (``chiens de garde``)."""
    words = called.split()
    for at, word in enumerate(words):
        if folded(word) in _said("joins") or folded(word).startswith("d'"):
            break
        if len(word) > 3 and word.endswith("ies"):
            words[at] = f"{word[:-3]}y"
        elif len(word) > 3 and word[-1] in "sx" and not word.endswith("ss"):
            words[at] = word[:-1]
    return " ".join(words)


@cache
def _said(key: str) -> tuple[str, ...]:
    """The words of both languages under a key of the house, the longest first."""
    found = {folded(word) for lang in LANGUAGES for word in house_words().say(lang, f"quick.{key}").split(", ")}
    return tuple(sorted(found, key=len, reverse=True))


@cache
def _numbers() -> Mapping[str, int]:
    """Numbers in words."""
    return {folded(word): at for lang in LANGUAGES
            for at, words in enumerate(house_words().say(lang, "quick.numbers").split(", "), start=1)
            for word in words.split()}
