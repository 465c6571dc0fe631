"""People in one line: ``le garde : 5, 3 dés`` is somebody with 5 in everything and three dice for whatever they do.

``2 gardes : 6, 4 dés ; la douanière : 5, 3 dés, en vue`` brings three people; only those in sight are shown at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from paravent.game import Newcomer, NotUnderstood, RuleBook, in_language
from paravent.game.words import folded
from paravent.systems.conteur.facts import SkillField

from .character import PACKAGE, SKILL_AT_CREATION, Character, Skill

MOST = 20
"""How many people one line may bring."""
ATTRIBUTE, DICE = 5, 3
"""What somebody of whom nothing else is said is worth."""
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
    attribute, dice, seen, quick = ATTRIBUTE, DICE, False, RuleBook(PACKAGE).data("characters")["quick"]
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
        yield Newcomer("character", _somebody(
            name if count == 1 else f"{name} {at}", attribute, Skill(
                SkillField.OTHER, in_language(quick["skill"], lang), dice)), seen)


def _somebody(name: str, attribute: int, skill: Skill) -> Character:
    """Somebody of whom only two numbers are known; no luck, which is for people with a story."""
    return Character(name=name, skills=(skill,), luck=0, constitution=attribute, dexterity=attribute,
                     perception=attribute, social=attribute, mental=attribute)
