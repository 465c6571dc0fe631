"""What people look like, where no picture of theirs was brought: a few traits that a game may declare in its package's
``portraits.toml``, by the name that everybody reads.

Each ``[[portrait]]`` of the file has the ``names`` it is for, in any language: somebody's own, or what several are
called before their number (``Brute`` for ``Brute 2``); of a ``sort`` of its own, also a word with which a name begins
(``Chien de quai``, ``Le vieux chien``). Its ``traits`` have one value each, or several to choose from. A few names of
beasts and machines are known for every game (``portraits.toml`` beside this file).
What is not declared follows from the name alone, for ever the same: a portrait tells nothing that the name does not.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from types import MappingProxyType
from typing import NamedTuple

from msgspec import Struct, convert

TRAITS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "person": {
        "skin": ("ivory", "rose", "sand", "honey", "copper", "umber", "ebony"),
        "head": ("oval", "round", "long", "square", "heavy"),
        "hair": ("short", "parted", "bob", "long", "bun", "curls", "braids", "cropped", "swept", "crest", "bald"),
        "hair_colour": ("black", "brown", "chestnut", "auburn", "blond", "grey", "white", "blue"),
        "brows": ("level", "raised", "stern"),
        "mouth": ("calm", "smile", "firm"),
        "beard": ("none", "stubble", "moustache", "goatee", "full"),
        "wears": ("nothing", "glasses", "earring", "band", "patch", "scar", "cap", "helmet", "hood"),
        "clothes": ("collar", "round", "scarf", "coat", "suit"),
        "cloth": ("slate", "brick", "moss", "plum", "ochre", "night", "sand", "teal"),
    },
    "beast": {
        "ears": ("pointed", "round", "horns", "antlers", "feelers", "none"),
        "muzzle": ("long", "short", "fangs", "beak", "mandibles", "tentacles"),
        "coat": ("grey", "tawny", "brown", "black", "green", "rust", "pale"),
        "eyes": ("amber", "red", "white", "ice"),
    },
    "machine": {
        "shell": ("round", "square", "tall"),
        "gaze": ("one", "two", "visor", "three"),
        "metal": ("steel", "brass", "white", "rust", "night"),
        "glow": ("cyan", "amber", "red", "green"),
        "top": ("antenna", "fin", "none"),
    },
}
"""The traits of each sort of portrait, and the values of each: what a name alone chooses among."""
SELDOM: Mapping[str, int] = {"none": 5, "nothing": 7}
"""Values that several others would crowd out: how often each counts."""
ASKED = frozenset({"beard", "crest", "patch", "scar", "cap", "helmet", "hood", "blue", "bald",
                   "beak", "mandibles", "tentacles", "feelers", "antlers"})
"""Traits and values that no name brings by itself: somebody declares them."""


_WORD = re.compile(r"[^\W\d]+(?:[-’'][^\W\d]+)*")


class Portrait(NamedTuple):
    """What somebody looks like: what it is a portrait of, and the value of each of its traits."""

    sort: str
    traits: Mapping[str, str]


class _Declared(Struct):
    """A ``[[portrait]]`` of a game's file."""

    names: tuple[str, ...]
    sort: str = ""
    traits: dict[str, str | tuple[str, ...]] = {}


class _File(Struct):
    portrait: tuple[_Declared, ...] = ()


class PortraitWanted(NamedTuple):
    """What a game declares of somebody's portrait: its sort where it is not the usual one, traits with their values."""

    sort: str = ""
    traits: Mapping[str, Sequence[str]] = MappingProxyType({})


@cache
def declared(package: str) -> Mapping[str, PortraitWanted]:
    """The portraits that a game declares, by name; none where it has no such file."""
    found = files(package).joinpath("portraits.toml")
    written = found.read_text(encoding="utf-8") if found.is_file() else ""
    return {name: PortraitWanted(one.sort, {trait: _several(values) for trait, values in one.traits.items()})
            for one in convert(tomllib.loads(written), _File).portrait for name in one.names}


def _several(values: str | tuple[str, ...]) -> tuple[str, ...]:
    return (values,) if isinstance(values, str) else values


def look_of(name: str, sort: str, portraits: Mapping[str, PortraitWanted]) -> Portrait:
    """What somebody looks like, trait by trait, from their name and what is declared of it."""
    wanted = portraits.get(name) or portraits.get(name.rstrip("0123456789").rstrip()) or (
        _called(name, portraits) if sort == "person" else PortraitWanted())
    found = {}
    for trait, values in TRAITS[wanted.sort or sort].items():
        usual = () if trait in ASKED else tuple(value for value in values if value not in ASKED)
        among = wanted.traits.get(trait) or [
            value for value in usual or values[:1] for _ in range(SELDOM.get(value, 1))]
        found[trait] = among[_number(f"{name} {trait}") % len(among)]
    return Portrait(wanted.sort or sort, found)


def _called(name: str, portraits: Mapping[str, PortraitWanted]) -> PortraitWanted:
    """What is declared for a word with which a name begins, of a sort of its own: no dog is drawn as a person."""
    words = _WORD.findall(name.casefold())
    begun = [" ".join(words[at:to]) for at in range(3) for to in range(len(words), at, -1)]
    for known in (portraits, declared(__package__)):
        named = {word.casefold(): wanted for word, wanted in known.items() if wanted.sort}
        found = next((named[word] for word in begun if word in named), None)
        if found is not None:
            return found
    return PortraitWanted()


def _number(text: str) -> int:
    return int.from_bytes(sha256(text.encode(errors="replace")).digest()[:4])
