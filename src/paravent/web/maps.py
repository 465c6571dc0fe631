"""Maps of records, drawn as pictures with their places in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from paravent.game import Map, Spot
from paravent.game.telling import Teller

from .looks import environment

INKS = {"red": "#d0453a", "blue": "#4a7fe0"}
"""Colours that are seen on light and on dark."""


class Place(NamedTuple):
    """A place of the map in words."""

    square: str
    text: str
    name: str
    about: str


@dataclass
class Drawn:
    """A map as a page shows it: the picture, what its lines mean, its places in words."""

    drawn: Markup
    legend: str
    places: list[Place]


def draw_map(found: Map, teller: Teller, title: str) -> Drawn:
    """A map in a language."""
    places = [_place(spot, teller) for spot in found.spots]
    words = ["; ".join(part for part in place if part) for place in places]
    spots = [{**spot._asdict(), "about_words": said} for spot, said in zip(found.spots, words, strict=True)]
    picture = environment().get_template("map.svg").render(
        map={"columns": found.columns, "rows": found.rows, "unknown": found.unknown, "paths": found.paths,
             "spots": spots},
        inks=INKS, label=teller.say("web.map_of", name=title, n=len(places)),
    )
    lines = (f"{'- - -' if path.dashed else '———'} {teller.value(path.kind)}" for path in found.kinds if path.kind)
    return Drawn(Markup(picture), " · ".join(lines), places)


def _place(spot: Spot, teller: Teller) -> Place:
    about = ", ".join(teller.value(key) for key in spot.about)
    return Place(f"{spot.column:02d}{spot.row:02d}", spot.text, spot.name, about)
