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
    signs: list[tuple[Markup, str]]


def draw_map(
    found: Map, teller: Teller, title: str, leads: tuple[str, str] = ("", ""), paper: str = "none"
) -> Drawn:
    """A map in a language; ``leads`` is the address that a square leads to, without it, and the one that is chosen.

    Names are cut out of what lies under them where the colour of the paper is known.
    """
    places = [_place(spot, teller) for spot in found.spots]
    words = ["; ".join(part for part in place if part) for place in places]
    address, chosen = leads
    spots = [{**spot._asdict(), "about_words": said, "chosen": place.square == chosen,
              "href": f"{address}{place.square}#square" if address else ""}
             for spot, said, place in zip(found.spots, words, places, strict=True)]
    picture = environment().get_template("map.svg").render(
        map={"columns": found.columns, "rows": found.rows, "unknown": found.unknown, "paths": found.paths,
             "spots": spots, "here": found.here},
        inks=INKS, label=teller.say("web.map_of", name=title, n=len(places)), id="map", paper=paper,
        here_words=teller.say("web.map_here"),
    )
    lines = (f"{'- - -' if path.dashed else '———'} {teller.value(path.kind)}" for path in found.kinds if path.kind)
    return Drawn(Markup(picture), " · ".join(lines), places, legend_of(found, teller))


def legend_of(found: Map, teller: Teller) -> list[tuple[Markup, str]]:
    """What each sign of a map means."""
    drawn = environment().get_template("sign.svg")

    def sign(**what: object) -> Markup:
        return Markup(drawn.render({"inks": INKS, "badge": None, "rim": "", "line": None, **what}).strip())

    return [
        *((sign(badge=one), teller.value(one.kind)) for one in found.signs),
        *((sign(rim=rim), teller.say(f"web.map_rim_{rim}")) for rim in found.rims),
        *((sign(line=path), teller.value(path.kind)) for path in found.kinds if path.kind),
    ]


def _place(spot: Spot, teller: Teller) -> Place:
    about = ", ".join(teller.value(key) for key in spot.about)
    return Place(f"{spot.column:02d}{spot.row:02d}", spot.text, spot.name, about)
