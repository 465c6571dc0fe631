"""People in one line: ``trois brutes moyennes, massue`` is three extras, as the rules make them (SIM-093, SIM-100).

What may be said stands in ``cast.toml``: ready people and beasts of our own, categories, weapons and armour by their
everyday names, in both languages. Somebody of another word is called by it (``deux contrebandiers, couteau``), what
else is said stands among their notes. Players know nothing of newcomers unless the line says that they are in sight.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple

from paravent.game import Newcomer, NotUnderstood, RuleBook
from paravent.game.quick import no_crowd, one_of
from paravent.game.words import LANGUAGES, folded, in_language
from paravent.systems.simulacres.combat.weapons import weapon, weapon_ids
from paravent.systems.simulacres.terms import TABLES

from .cast import Category, Creature, Extra, profile
from .character import Armour, Skill, Weapon

COMMON = 4
"""How many of the beasts come in one tap; stranger ones are asked for by their name."""
Row = Mapping[str, Any]


class Meaning(NamedTuple):
    """What a few words stand for: somebody ready, a category, a weapon, armour, whether they are in sight, nothing."""

    what: str
    value: str


@dataclass
class _Said:
    """What a line has said so far of some people."""

    count: int = 1
    ready: str = "thug"
    category: str = ""
    weapons: tuple[str, ...] = ()
    armour: str = ""
    seen: bool = False
    name: str = ""
    notes: tuple[str, ...] = ()


def quick_people(text: str, lang: str) -> tuple[Newcomer, ...]:
    """The people that a line describes; several groups are separated by semicolons."""
    groups = [part for part in text.replace("\n", ";").split(";") if part.strip()]
    if not groups:
        raise NotUnderstood(words=text.strip() or "–")
    return tuple(newcomer for group in groups for newcomer in _group(group, lang))


def _group(text: str, lang: str) -> list[Newcomer]:
    said = _read(text)
    if said.count < 1:
        raise NotUnderstood(words=str(said.count))
    no_crowd(said.count)
    kind, record = _made(said, lang)
    named = replace(record, name=said.name or record.name, notes=", ".join(said.notes))
    if said.count == 1:
        return [Newcomer(kind, named, said.seen)]
    return [Newcomer(kind, replace(named, name=f"{named.name} {at}"), said.seen) for at in range(1, said.count + 1)]


def _read(text: str) -> _Said:
    """What a line says, piece by piece: who, first, by whatever word; then what else is said of them."""
    said = _Said()
    first, *more = _PIECES.split(text)
    unread, called = _piece(said, first, counts=True)
    if unread and all(word[:1].isupper() for word in unread):
        said.name = " ".join(unread)
    elif unread:
        name = one_of(called) if said.count > 1 else called
        said.name = name[:1].upper() + name[1:]
    for piece in more:
        unread, _ = _piece(said, piece, counts=False)
        if unread and all(word[:1].isupper() for word in unread):
            said.name = " ".join(unread)
        elif unread:
            said.notes = (*said.notes, piece.strip())
    return said


def _piece(said: _Said, text: str, counts: bool) -> tuple[list[str], str]:
    """Read the words of a piece from left to right, the longest meaning first: those that say nothing, and what
    somebody is called in it. How many there are is said before who; any other number is refused."""
    words, at, unread, called, who = _words(text), 0, list[str](), list[str](), False
    while at < len(words):
        for size in range(min(4, len(words) - at), 0, -1):
            meaning = _meanings().get(tuple(_plain(word) for word in words[at : at + size]))
            if meaning is not None:
                if counts or meaning.what != "count":
                    _note(said, meaning)
                who |= meaning.what not in ("", "count")
                if meaning.what == "ready" or (meaning.what == "" and called):
                    called += words[at : at + size]
                at += size
                break
        else:
            if words[at].isdigit() and counts and not who:
                said.count = int(words[at])
            elif any(sign.isdigit() for sign in words[at]):
                raise NotUnderstood(words=text.strip())
            else:
                unread.append(words[at])
                called.append(words[at])
            at += 1
    while called and _meanings().get((_plain(called[-1]),)) == Meaning("", ""):  # "with", and what it led to is apart
        called.pop()
    return unread, " ".join(called).replace("' ", "'")


def _note(said: _Said, meaning: Meaning) -> None:
    match meaning:
        case Meaning("count", value):
            said.count = int(value)
        case Meaning("ready", value):
            said.ready = value
        case Meaning("category", value):
            said.category = value
        case Meaning("weapon", value):
            said.weapons = (*said.weapons, value)
        case Meaning("armour", value):
            said.armour = value
        case Meaning("seen", value):
            said.seen = value == "yes"


_PIECES = re.compile(r"[:,]")


def _words(text: str) -> list[str]:
    """The words of a line, elisions apart."""
    spaced = "".join(sign if sign.isalnum() or sign in "-'’" else " " for sign in text)
    return spaced.replace("’", "'").replace("'", "' ").split()


def _plain(word: str) -> str:
    """A word as it is compared: no capitals, no accents, no mark of the plural."""
    plain = folded(word).rstrip("'")
    return plain[:-1] if len(plain) > 3 and plain[-1] in "sx" else plain


@cache
def _data() -> Row:
    return RuleBook("paravent.systems.simulacres").data("cast")


@cache
def _meanings() -> Mapping[tuple[str, ...], Meaning]:
    """Everything that a line may say, by its words in either language."""
    data, found = _data(), dict[tuple[str, ...], Meaning]()

    def means(text: str, what: str, value: str) -> None:
        found.setdefault(tuple(_plain(word) for word in _words(text)), Meaning(what, value))

    said = data["said"]
    for row in (*data["extra"], *data["creature"]):
        for lang in LANGUAGES:
            for name in row["called"][lang]:
                means(name, "ready", row["id"])
    for name, value in said["numbers"].items():
        means(name, "count", str(value))
    for name, value in said["categories"].items():
        means(name, "category", value)
    for name, value in said["weapons"].items():
        means(name, "weapon", value)
    for table, what, ids in (("weapons", "weapon", weapon_ids()), ("armour", "armour", TABLES["armour"].keys())):
        for one in ids:
            for lang in LANGUAGES:
                called = TABLES[table].word(one, lang).partition("(")[0]
                for part in (called, *called.split(",")):
                    means(part, what, one)
    for flag, value in (("seen", "yes"), ("unseen", "no")):
        for name in said[flag]:
            means(name, "seen", value)
    for name in said["fillers"]:
        means(name, "", "")
    return found


# Those who are ready


def ready_extras(lang: str) -> dict[str, Extra]:
    """The ready people, each with a usual category and weapon."""
    return {row["id"]: extra_of(row, lang) for row in _data()["extra"]}


def ready_creatures(lang: str) -> dict[str, Creature]:
    """The ready beasts."""
    return {row["id"]: _creature(row, lang) for row in _data()["creature"]}


def ready_words(lang: str) -> tuple[str, ...]:
    """What may be said of people and of the commonest beasts that are ready, one word for each."""
    rows = (*_data()["extra"], *_data()["creature"][:COMMON])
    names = (in_language(row["name"], lang) for row in rows)
    return tuple(name[:1].lower() + name[1:] for name in names)


def _made(said: _Said, lang: str) -> tuple[str, Extra | Creature]:
    """The kind and the record that a line describes."""
    row = next(row for row in (*_data()["extra"], *_data()["creature"]) if row["id"] == said.ready)
    if "combat" in row:
        beast = _creature(row, lang)
        return "creature", replace(beast, armour=_worn(said.armour)) if said.armour else beast
    return "extra", extra_of(row, lang, said.category, said.weapons, said.armour)


def extra_of(
    row: Row, lang: str, category: str = "", weapons: Sequence[str] = (), armour: str = ""
) -> Extra:
    """Somebody ready, as good as their category is, who knows whatever weapon they hold as they know their own."""
    rank = Category(category or row["category"])
    line, held = profile(rank), tuple(weapons or row["weapons"])
    family = weapon(held[0]).family if held else ""
    least = {"talents": line["talents_min"], "hobbies": line["hobbies_min"]}
    fights = row.get("fights", "")
    if rank is Category.WEAK:  # one skill at least, the one with which they fight if they do
        least = {"talents": 0, "hobbies": 1} if fights != "talent" else {"talents": 1, "hobbies": 0}
    energy = row.get("energy", "speed")
    return Extra(
        name=in_language(row["name"], lang), category=rank,
        trades=(Skill(in_language(row["trade"], lang), family if fights == "trade" else ""),),
        talents=_skills(row["talents"][: least["talents"]], lang, family if fights == "talent" else ""),
        hobbies=_skills(row["hobbies"][: least["hobbies"]], lang, family if fights == "hobby" else ""),
        **{energy: line["energy"]},
        weapons=tuple(Weapon(one) for one in held), armour=_worn(armour or row.get("armour", "none")),
    )


def _skills(rows: Sequence[Mapping[str, str]], lang: str, family: str) -> tuple[Skill, ...]:
    """Skills by name; the first is the one with which they fight."""
    return tuple(Skill(in_language(row, lang), family if at == 0 else "") for at, row in enumerate(rows))


def _worn(name: str) -> Armour:
    row = TABLES["armour"].row(name)
    return Armour(row["deflect"], row["hinder"], row["absorb"])


def _creature(row: Row, lang: str) -> Creature:
    return Creature(
        name=in_language(row["name"], lang), combat=row["combat"], perception=row["perception"],
        life_points_max=row["life"], breath_points_max=row["breath"], energy_points_max=row["energy_points"],
        power=row.get("power", 0), speed=row.get("speed", 0), precision=row.get("precision", 0),
        weapons=tuple(Weapon(one) for one in row["weapons"]), armour=_worn(row.get("armour", "none")),
    )
