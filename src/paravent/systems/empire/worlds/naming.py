"""Names at birth: worlds, peoples, ports and beasts are called something, by the sounds of whoever named them.

The same key always gives the same name, whatever became of other squares. A name once given belongs to the record: it
is never drawn again unless the game master asks, and the game master's own name is final.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256
from importlib.resources import files
from itertools import count
from typing import NamedTuple

from paravent.game import rule

from .peoples import COLONY, IMPERIAL, People, is_mining_colony
from .planet import World

LONGEST, SHORTEST = 9, 3
OPENING = 3
"""How many letters of two names around may not be the same."""
MOST_WORDS = 40
"""How many names a key has."""
BY_CULTURE = {
    "diverse": "clear", "mystic": "grave", "warrior": "rough", "merchant_culture": "clear", "tekno_culture": "sharp",
    "navyborg_culture": "sharp",
}
"""Whose sounds the colonies of a culture have."""
NATIVE_BY_CULTURE = {"mystic": "grave", "warrior": "throaty"}
WET = 7
"""The oceans from which a people is one of the sea."""
UNACCENTED = str.maketrans("éèêëâîïôûùüÉ", "eeeeaiiouuue")


class Family(NamedTuple):
    """The parts that the names of a family are made of."""

    openings: tuple[str, ...]
    middles: tuple[str, ...]
    endings: tuple[str, ...]


class Sounds(NamedTuple):
    """All that is known of sounds."""

    families: dict[str, Family]
    places: dict[str, tuple[str, ...]]
    vowels: str
    shunned: tuple[str, ...]


@cache
def sounds() -> Sounds:
    """The sounds of the data file."""
    read = tomllib.loads(files(__package__).joinpath("sounds.toml").read_text("utf-8"))
    families = {name: Family(*(tuple(parts[which]) for which in Family._fields))
                for name, parts in read["families"].items()}
    places = {name: tuple(words) for name, words in read["places"].items()}
    return Sounds(families, places, read["kept"]["vowels"], tuple(read["kept"]["shunned"]))


def joined(parts: Sequence[str], vowels: str) -> str:
    """Parts glued so that no vowel is doubled and no three consonants meet."""
    word = parts[0]
    for part in filter(None, parts[1:]):
        last, first = word[-1].lower(), part[0]
        if last in vowels and first in vowels:
            if last.translate(UNACCENTED) == first.translate(UNACCENTED):
                part = part[1:] or "n"
        elif last not in vowels and first not in vowels and word[-2:-1].lower() not in vowels:
            part = f"a{part}"
        word += part
    return word


def _number(key: str) -> int:
    return int.from_bytes(sha256(key.encode()).digest(), "big")


def _word(key: str, family: str, attempt: int) -> str:
    """A word of a family; empty where what comes is too short, too long, or better left unsaid."""
    known = sounds()
    some = known.families[family]
    number = _number(f"{key}#{attempt}")
    number, opening = divmod(number, len(some.openings))
    number, middle = divmod(number, len(some.middles))
    number, ending = divmod(number, len(some.endings))
    short = number % 3 == 0 and family != "short"
    word = joined((some.openings[opening], "" if short else some.middles[middle], some.endings[ending]), known.vowels)
    plain = word.lower()
    fits = SHORTEST <= len(word) <= LONGEST and not any(bad in plain for bad in known.shunned)
    return word if fits else ""


def words(key: str, family: str) -> Iterator[str]:
    """Forty words of a key, one after the other, each once."""
    told = set[str]()
    for attempt in count():
        word = _word(key, family, attempt)
        if word and word not in told:
            told.add(word)
            yield word
        if len(told) == MOST_WORDS or attempt > 50 * MOST_WORDS:
            return


def beginning(name: str) -> str:
    """What two names around must not have in common; what a name says of the place does not count."""
    return _bare(name)[:OPENING]


def fresh_word(key: str, family: str, begun: Collection[str], after: str = "") -> str:
    """The first word of a key whose beginning is not another's; the one after ``after``, if it is one of them."""
    if not after:
        first = ""
        for word in words(key, family):
            if word[:OPENING] not in begun:
                return word
            first = first or word
        return first
    listed = list(words(key, family))
    at = listed.index(after) + 1 if after in listed else 0
    others = [word for word in (*listed[at:], *listed[:at]) if word != after]
    return next((word for word in others if word[:OPENING] not in begun), others[0])


# Whose name it is


def family_of(found: World) -> str:
    """Who named a world: the Empire, a crew, its own people, or the scouts who filmed it and left."""
    return people_family(found.people, found.oceans_o) if found.people is not None else "short"


def people_family(folk: People, oceans_o: int) -> str:
    """The sounds of a people: by how far it has come, then by what it does, then by where it lives."""
    if folk.tech_level == IMPERIAL:
        return "high"
    if folk.tech_level == COLONY or folk.human:
        return BY_CULTURE[folk.culture]
    return NATIVE_BY_CULTURE.get(folk.culture, "liquid" if oceans_o >= WET else "hushed")


@rule("EGW-022")
def world_name(key: str, found: World, begun: Collection[str] = (), after: str = "") -> str:
    """What a world is called, not like any around (``begun``); miners say what stands there first."""
    bare = fresh_word(f"{key}/name", family_of(found), begun, _bare(after))
    folk = found.people
    if folk is None or not is_mining_colony(folk.tech_level, found.size_t) or len(bare) > LONGEST - 2:
        return bare
    prefixes = sounds().places["mines"]
    number, at = divmod(_number(f"{key}/place"), len(prefixes))
    return f"{prefixes[at]}-{bare}" if number % 3 else bare


def _bare(name: str) -> str:
    first, _, rest = name.partition("-")
    return rest if rest and first in sounds().places["mines"] else name


@rule("EGW-060")
def people_name(key: str, folk: People, oceans_o: int, world: str) -> str:
    """What a people calls itself; a colony goes by its world."""
    if folk.tech_level >= COLONY:
        return ""
    return fresh_word(f"{key}/people", people_family(folk, oceans_o), (world[:OPENING],))


@rule("EGW-095")
def port_name(key: str, folk: People | None) -> str:
    """What the port of a world is called, if it has one."""
    if folk is None or folk.tech_level < COLONY - 1:
        return ""
    places = sounds().places["starports" if folk.tech_level == IMPERIAL else "fields"]
    return f"{places[_number(f'{key}/port') % len(places)]}-{fresh_word(f'{key}/port', 'clear', ())}"


@rule("EGW-020")
def sector_name(key: str) -> str:
    """What a sector is called that nobody named."""
    return fresh_word(f"{key}/sector", "high", ())


@rule("EGW-047")
def beast_name(key: str, number: int, begun: Collection[str] = ()) -> str:
    """What a species of a world is called, by its place among them."""
    return fresh_word(f"{key}/fauna/{number}", "beast", begun)


def christened(found: World, key: str, begun: Collection[str] = ()) -> World:
    """The world with a name, and its people and port too; what has one keeps it."""
    folk, name = found.people, found.name or world_name(key, found, begun)
    if folk is not None and not folk.name:
        folk = replace(folk, name=people_name(key, folk, found.oceans_o, name))
    return replace(found, name=name, people=folk, port_name=found.port_name or port_name(key, folk))


def content_key(found: World) -> str:
    """A key for a world that no seed made: its own figures."""
    folk = found.people
    rows = (folk.tech_level, folk.culture_row, folk.nature_row, folk.politics_row, *folk.offered) if folk else ()
    return "/".join(map(str, (found.n_planets, found.size_t, found.oceans_o, found.life_die, *rows)))
