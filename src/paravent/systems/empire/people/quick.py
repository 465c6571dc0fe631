"""People in one line: ``trois gardes, fusil, gilet`` is three of the game master's people, armed and clad as it says.

Those who are ready under a word, in ``extras.toml``, have scores, skills and gear of their own; ``le pêcheur : 8`` is
anybody with 8 in everything. A weapon or a protection that is named takes the place of theirs, and they know the
weapon in hand as well as they knew their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from paravent.game import Newcomer, NotUnderstood, RuleBook
from paravent.game.quick import Described
from paravent.game.words import LANGUAGES, folded
from paravent.systems.empire.terms import LEAST, MOST, PACKAGE, TABLES

from .character import Character, Protection, Weapon, from_row, with_levels


def group_of(group: Described, lang: str) -> Iterator[Newcomer]:
    """The people that some words describe."""
    rows = _data()["extra"]
    row = group.ready(rows, lambda row: row["words"])
    somebody = from_row(row or rows[-1], lang)
    weapons: list[str] = []
    worn: list[str] = []
    notes: list[str] = []
    for words, typed in zip(group.said, group.typed, strict=True):
        if words.isdigit() and LEAST <= int(words) <= MOST:
            score = int(words)
            somebody = replace(somebody, dexterity=score, strength=score, endurance=score, charm=score,
                               intelligence=score, willpower=score, resistance_physical=-1, resistance_mental=-1)
        elif (weapon := _listed("weapons").get(words)) is not None:
            weapons.append(weapon)
        elif (piece := _listed("protections").get(words)) is not None:
            worn.append(piece)
        elif not any(sign.isdigit() for sign in words):
            notes.append(typed)
        else:
            raise NotUnderstood(words=typed)
    if weapons:
        somebody = replace(somebody, weapons=tuple(Weapon(one) for one in weapons),
                           skills=with_levels(_trained(somebody, weapons)))
    if worn:
        somebody = replace(somebody, protections=tuple(Protection(one) for one in worn))
    for name in group.names():
        yield Newcomer("npc", replace(somebody, name=name, notes=", ".join(notes)), group.seen)


def _trained(somebody: Character, weapons: list[str]) -> Mapping[str, int]:
    """Their skills, those of the weapons in hand as good as the best with which they fight."""
    best = max((somebody.levels.get(skill, 0) for skill in ("32", "34", "35")), default=0)
    used = {"35" if TABLES["weapons"].row(one)["shooting"] == "yes" else "34" for one in weapons}
    return {**somebody.levels, **{skill: max(best, somebody.levels.get(skill, 0)) for skill in used if best}}


@cache
def _data() -> Mapping[str, Any]:
    return RuleBook(PACKAGE).data("extras")


@cache
def _listed(table: str) -> Mapping[str, str]:
    """The lines of a table by what people call them, in either language."""
    lines = TABLES[table].keys()
    found = {folded(TABLES[table].word(one, lang)): str(one) for one in lines for lang in LANGUAGES}
    return found | {folded(words): one for words, one in _data()["said"][table].items()}


def ready_words(lang: str) -> tuple[str, ...]:
    """What may be said of whoever is ready, one word for each."""
    at = {"fr": 0, "en": -1}[lang]
    return tuple(row["words"][at] for row in _data()["extra"][:-1])
