"""People in one line: ``deux vigiles, matraque 2`` is two of the game master's people, with an element more.

Those who are ready under a word, in ``extras.toml``, bring elements of their own; whatever else is said of somebody is
an element, with its score or with 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from paravent.game import Newcomer, NotUnderstood, RuleBook, in_language
from paravent.game.quick import Described, people_in
from paravent.systems.solaires.facts import PACKAGE, SCORE_MAX, SCORE_MIN

from .character import Element, Figure

_SCORED = re.compile(r"(.*?\D)\s*(\d+)")


def quick_people(text: str, lang: str) -> tuple[Newcomer, ...]:
    """The people that a line describes."""
    return tuple(newcomer for group in people_in(text) for newcomer in _group(group, lang))


def _group(group: Described, lang: str) -> Iterator[Newcomer]:
    row = group.ready(_rows(), lambda row: row["words"])
    somebody = Figure() if row is None else _figure(row, lang)
    said = tuple(_element(typed) for typed in group.typed)
    for name in group.names():
        yield Newcomer("npc", replace(somebody, name=name, elements=(*somebody.elements, *said)), group.seen)


def _element(typed: str) -> Element:
    """An element as it is said: its name, and its score."""
    scored = _SCORED.fullmatch(typed)
    name, score = (scored[1].strip(), int(scored[2])) if scored else (typed, SCORE_MIN)
    if not SCORE_MIN <= score <= SCORE_MAX or not any(sign.isalpha() for sign in name):
        raise NotUnderstood(words=typed)
    return Element(name[:1].upper() + name[1:], score)


@cache
def _rows() -> tuple[Mapping[str, Any], ...]:
    return tuple(RuleBook(PACKAGE).data("extras")["extra"])


def _figure(row: Mapping[str, Any], lang: str) -> Figure:
    elements = tuple(Element(in_language(one["name"], lang), one["score"]) for one in row["elements"])
    return Figure(in_language(row["name"], lang), in_language(row["concept"], lang), elements)


def ready_figures(lang: str) -> dict[str, Figure]:
    """Those who are ready."""
    return {row["id"]: _figure(row, lang) for row in _rows()}


def ready_words(lang: str) -> tuple[str, ...]:
    """What may be said of whoever is ready, one word for each."""
    at = {"fr": 0, "en": -1}[lang]
    return tuple(row["words"][at] for row in _rows())
