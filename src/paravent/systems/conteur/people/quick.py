"""People in one line: ``le garde : 5, 3 dés`` is somebody with 5 in everything and three dice for whatever they do.

``deux gardes : 6, 4 dés, massue ; la douanière : 5, en vue`` brings three people; only those in sight are shown.
Whoever goes by a word that is ready (``trois brutes``, ``un chien de garde``) has figures and skills of their own. What
is said besides, a weapon or a scar, stands among their notes: the rules give it no number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from paravent.game import Newcomer, NotUnderstood, RuleBook, in_language
from paravent.game.quick import Described, people_in
from paravent.systems.conteur.facts import SkillField

from .character import PACKAGE, SKILL_AT_CREATION, Character, Skill

DICE = 3
"""The dice of somebody of whom nothing else is said; their attributes are those of anybody."""
FIGURES = ("constitution", "dexterity", "perception", "social", "mental")
_DICE = re.compile(r"(\d+)\s*(?:des?|dice|die|d)")


def quick_people(text: str, lang: str) -> tuple[Newcomer, ...]:
    """The people that a line describes."""
    return tuple(newcomer for group in people_in(text) for newcomer in _group(group, lang))


def _group(group: Described, lang: str) -> Iterator[Newcomer]:
    row = group.ready(_extras(), lambda row: row["words"])
    skill = in_language(RuleBook(PACKAGE).data("characters")["quick"]["skill"], lang)
    somebody = _ready(row, lang) if row else Character(skills=(Skill(SkillField.OTHER, skill, DICE),))
    notes = []
    for words, typed in zip(group.said, group.typed, strict=True):
        thrown = _DICE.fullmatch(words)
        if thrown is not None and 1 <= int(thrown[1]) <= 2 * SKILL_AT_CREATION:
            dice = int(thrown[1])
            somebody = replace(somebody, skills=tuple(replace(skill, value=dice) for skill in somebody.skills))
        elif words.isdigit() and 1 <= int(words) <= 10:
            score = int(words)
            somebody = replace(somebody, constitution=score, dexterity=score, perception=score, social=score,
                               mental=score)
        elif not any(sign.isdigit() for sign in words):
            notes.append(typed)
        else:
            raise NotUnderstood(words=typed)
    for name in group.names():  # no luck, which is for people with a story
        yield Newcomer("character", replace(somebody, name=name, luck=0, notes=", ".join(notes)), group.seen)


def _extras() -> tuple[Mapping[str, Any], ...]:
    return tuple(RuleBook(PACKAGE).data("characters")["extra"])


def _ready(row: Mapping[str, Any], lang: str) -> Character:
    """Somebody ready under a word."""
    skills = tuple(Skill(SkillField(skill["field"]), in_language(skill["name"], lang), skill["value"])
                   for skill in row["skills"])
    species = in_language(row["species"], lang) if "species" in row else "human"
    return Character(species=species, skills=skills, **{figure: row[figure] for figure in FIGURES})


def ready_words(lang: str) -> tuple[str, ...]:
    """What may be said of whoever is ready, one word for each."""
    at = {"fr": 0, "en": -2}[lang]
    return tuple(row["words"][at] for row in _extras())
