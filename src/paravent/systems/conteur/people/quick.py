"""People in one line: ``le garde : 5, 3 dés`` is somebody with 5 in everything and three dice for whatever they do.

``2 gardes : 6, 4 dés ; la douanière : 5, 3 dés, en vue`` brings three people; only those in sight are shown at once.
Whoever goes by a word that is ready (``2 voyous``, ``un chien de garde``) has figures and skills of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from paravent.game import Newcomer, NotUnderstood, RuleBook, in_language
from paravent.game.words import folded
from paravent.systems.conteur.facts import SkillField

from .character import PACKAGE, SKILL_AT_CREATION, Character, Skill

MOST = 20
"""How many people one line may bring."""
DICE = 3
"""The dice of somebody of whom nothing else is said; their attributes are those of anybody."""
FIGURES = ("constitution", "dexterity", "perception", "social", "mental")
_ARTICLE = re.compile(r"^(?:les? |la |l'|une? |des |the |an? )")
_DICE = re.compile(r"(\d+)\s*(?:des?|dice|die|d)")
_MANY = re.compile(r"(\d+)\s+(\S.*)")


def quick_people(text: str, lang: str) -> tuple[Newcomer, ...]:
    """The people that a line describes; several groups are separated by semicolons."""
    groups = [part.strip() for part in text.replace("\n", ";").split(";") if part.strip()]
    if not groups:
        raise NotUnderstood(words=text.strip() or "–")
    found = tuple(newcomer for group in groups for newcomer in _group(group, lang))
    if len(found) > MOST:
        raise NotUnderstood(words=str(len(found)))
    return found


def _group(text: str, lang: str) -> Iterator[Newcomer]:
    called, _, said = text.partition(":")
    if not said and "," in called:
        called, _, said = called.partition(",")
    name, count = called.strip(), 1
    many = _MANY.fullmatch(name)
    if many is not None:
        count, name = int(many[1]), many[2]
    if not name or not 1 <= count <= MOST:
        raise NotUnderstood(words=text)
    attribute: int | None = None
    dice: int | None = None
    seen, quick = False, RuleBook(PACKAGE).data("characters")["quick"]
    for words in filter(None, (folded(part).strip() for part in said.split(","))):
        thrown = _DICE.fullmatch(words)
        if words in quick["in_sight"]:
            seen = True
        elif thrown is not None and 1 <= int(thrown[1]) <= 2 * SKILL_AT_CREATION:
            dice = int(thrown[1])
        elif words.isdigit() and 1 <= int(words) <= 10:
            attribute = int(words)
        else:
            raise NotUnderstood(words=words)
    for at in range(1, count + 1):
        called = name if count == 1 else f"{name} {at}"
        ready = _ready(name, lang)
        skill = Skill(SkillField.OTHER, in_language(quick["skill"], lang), DICE)
        somebody = replace(ready or Character(skills=(skill,)), name=called, luck=0)
        yield Newcomer("character", _as_said(somebody, attribute, dice), seen)


def _as_said(somebody: Character, attribute: int | None, dice: int | None) -> Character:
    """Somebody with the numbers that were said; no luck, which is for people with a story."""
    if attribute is not None:
        somebody = replace(somebody, constitution=attribute, dexterity=attribute, perception=attribute,
                           social=attribute, mental=attribute)
    if dice is not None:
        somebody = replace(somebody, skills=tuple(replace(skill, value=dice) for skill in somebody.skills))
    return somebody


def _ready(name: str, lang: str) -> Character | None:
    """Whoever is ready under a word of the line, articles left aside."""
    words = _ARTICLE.sub("", folded(name)).strip()
    for row in RuleBook(PACKAGE).data("characters")["extra"]:
        if words in map(folded, row["words"]):
            skills = tuple(Skill(SkillField(skill["field"]), in_language(skill["name"], lang), skill["value"])
                           for skill in row["skills"])
            figures = {figure: row[figure] for figure in FIGURES}
            species = in_language(row["species"], lang) if "species" in row else "human"
            return Character(species=species, skills=skills, **figures)
    return None


def ready_words(lang: str) -> tuple[str, ...]:
    """What may be said of whoever is ready, one word for each."""
    at = {"fr": 0, "en": -2}[lang]
    return tuple(row["words"][at] for row in RuleBook(PACKAGE).data("characters")["extra"])
