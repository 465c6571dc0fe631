"""Portraits of our own: somebody's traits drawn as cut paper, for ever the same, at an address that is those traits.

The ground is left out, so that a portrait lies on whatever colour its frame has, by day and by night.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files

from msgspec import Struct, convert

from paravent.game.portraits import TRAITS, Portrait, declared, look_of

SHOWN = "5 1 54 54"
"""The part of the drawing that is shown."""
_STROKE = re.compile(r"(\w+)(\|)?(?:/([\d.]+))?(?:\*([\d.]+))? (.+)")
_LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"


class FacePart(Struct):
    """What a value of a trait brings to a portrait: colours, strokes by their layers; and the layers that it covers."""

    colours: dict[str, str] = {}
    hides: tuple[str, ...] = ()
    draws: dict[str, tuple[str, ...]] = {}


class FaceParts(Struct):
    """Everything that portraits are made of."""

    colours: dict[str, str]
    layers: dict[str, tuple[str, ...]]
    always: dict[str, FacePart]
    person: dict[str, dict[str, FacePart]]
    beast: dict[str, dict[str, FacePart]]
    machine: dict[str, dict[str, FacePart]]

    def of(self, sort: str) -> Mapping[str, Mapping[str, FacePart]]:
        """The parts of one sort, by trait and value."""
        return {"person": self.person, "beast": self.beast, "machine": self.machine}[sort]


@cache
def face_parts() -> FaceParts:
    """Everything that portraits are made of, read once."""
    return convert(tomllib.loads(files("paravent.web").joinpath("faces.toml").read_text(encoding="utf-8")), FaceParts)


@lru_cache(maxsize=4096)
def face_of(name: str, sort: str, package: str) -> str:
    """The address of somebody's portrait, from nothing but their name and what their game declares of it."""
    return code_of(look_of(name, sort, declared(package)))


def code_of(look: Portrait) -> str:
    """The address of a portrait: a letter for its sort, and one for each of its traits."""
    places = (values.index(look.traits[trait]) for trait, values in TRAITS[look.sort].items())
    return look.sort[0] + "".join(_LETTERS[at] for at in places)


def look_in(code: str) -> Portrait | None:
    """The portrait that an address says; None where it is none of ours."""
    sort = next((sort for sort in TRAITS if sort[0] == code[:1]), "")
    traits = TRAITS.get(sort, {})
    if not sort or len(code) != len(traits) + 1:
        return None
    places = [_LETTERS.find(letter) for letter in code[1:]]
    if not all(0 <= at < len(values) for at, values in zip(places, traits.values(), strict=True)):
        return None
    return Portrait(sort, {trait: values[at] for at, (trait, values) in zip(places, traits.items(), strict=True)})


@lru_cache(maxsize=512)
def drawn_face(code: str) -> str | None:
    """A portrait as a picture; None where its address is none of ours."""
    look = look_in(code)
    if look is None:
        return None
    half = '<clipPath id="h"><path d="M32 0H64V64H32z"/></clipPath>'
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{SHOWN}" width="96" height="96">{half}'
            f'{"".join(_strokes(look))}</svg>')


def _strokes(look: Portrait) -> Iterator[str]:
    parts = face_parts()
    traits = parts.of(look.sort)
    brought = [parts.always[look.sort], *(traits[trait][value] for trait, value in look.traits.items())]
    colours = dict(parts.colours)
    for part in [*brought[2:], *brought[:2]]:  # what a skin says of brows is said last
        colours |= part.colours
    hidden = {layer for part in brought for layer in part.hides}
    for layer in parts.layers[look.sort]:
        if layer not in hidden:
            for part in brought:
                yield from (_stroke(written, colours) for written in part.draws.get(layer, ()))


def _stroke(written: str, colours: Mapping[str, str]) -> str:
    found = _STROKE.fullmatch(written)
    assert found, written
    name, half, width, faint, path = found.groups()
    drawn = f'fill="{colours[name]}"' if width is None else (
        f'fill="none" stroke="{colours[name]}" stroke-width="{width}" stroke-linecap="round" stroke-linejoin="round"')
    faintly = f' opacity="{faint}"' if faint else ""
    on_the_right = ' clip-path="url(#h)"' if half else ""
    return f'<path d="{path}" {drawn}{faintly}{on_the_right}/>'
