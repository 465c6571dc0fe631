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


SIGNED = ("badge", "rim", "line", "thin", "globe", "wet", "star", "ring", "arms", "square", "flag", "written")
"""What a sign of the legend may be of."""


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
    here: bool = False
    """Whether it shows where the group is."""


def draw_map(
    found: Map, teller: Teller, title: str, leads: tuple[str, str] = ("", ""), paper: str = "none", name: str = "map"
) -> Drawn:
    """A map in a language; ``leads`` is the address that a square leads to, without it, and the one that is chosen.

    Names are cut out of what lies under them where the colour of the paper is known. Of two on a page, each has a
    ``name`` of its own.
    """
    places = [_place(spot, teller) for spot in found.spots]
    words = ["; ".join(part for part in place if part) for place in places]
    address, chosen = leads
    spots = [{**spot._asdict(), "about_words": said, "chosen": place.square == chosen,
              "href": f"{address}{place.square}#square" if address else ""}
             for spot, said, place in zip(found.spots, words, places, strict=True)]
    taken = {(spot.column, spot.row) for spot in found.spots}
    empty = [(column, row, f"{column:02d}{row:02d}") for row in range(1, found.rows + 1)
             for column in range(1, found.columns + 1) if (column, row) not in taken] if address else []
    picture = environment().get_template("map.svg").render(
        empty=empty, address=address, chosen=chosen,
        map={"columns": found.columns, "rows": found.rows, "unknown": found.unknown, "paths": found.paths,
             "spots": spots, "here": found.here, "margins": found.margins},
        inks=INKS, label=teller.say("web.map_of", name=title, n=len(places)), id=name, paper=paper,
        here_words=teller.say("web.map_here"),
    )
    lines = (f"{'- - -' if path.dashed else '———'} {teller.value(path.kind)}" for path in found.kinds if path.kind)
    return Drawn(Markup(picture), " · ".join(lines), places, legend_of(found, teller), found.here is not None)


def legend_of(found: Map, teller: Teller) -> list[tuple[Markup, str]]:
    """What each sign of a map means."""
    drawn = environment().get_template("sign.svg")

    def sign(**what: object) -> Markup:
        return Markup(drawn.render({"inks": INKS, **dict.fromkeys(SIGNED), **what}).strip())

    globes, ports = [spot for spot in found.spots if spot.globe is not None], [s for s in found.spots if s.arms]
    stars = [spot for spot in found.spots if spot.shape == "point" and spot.about]
    written = next((spot.text for spot in found.spots if spot.text), "")
    return [
        *([(sign(globe=1.0), teller.say("web.map_size"))] if globes else ()),
        *([(sign(globe=0.7, wet=0.5), teller.say("web.map_wet"))] if globes else ()),
        *((sign(rim=rim), teller.say(f"web.map_rim_{rim}")) for rim in found.rims),
        *((sign(star=True), teller.value(spot.about[0])) for spot in stars[:1]),
        *((sign(badge=one), teller.value(one.kind)) for one in sorted(found.signs, key=lambda one: one.kind)),
        *((sign(ring=spot.ring, arms=spot.arms), teller.value(spot.about[-1]))
          for spot in {spot.arms: spot for spot in ports}.values()),
        *((sign(line=path), teller.value(path.kind)) for path in found.kinds if path.kind),
        *((sign(line=path, thin=True), teller.say("web.map_thin", kind=teller.value(path.kind)))
          for path in {path.kind: path for path in found.paths if path.thin}.values()),
        *([(sign(square="hatched"), teller.say("web.map_hatched"))] if any(s.hatched for s in found.spots) else ()),
        *([(sign(square="unknown"), teller.say("web.map_unknown"))] if found.unknown else ()),
        *([(sign(flag=True), teller.say("web.map_here"))] if found.here else ()),
        *([(sign(written=written), teller.value(found.caption))] if written and found.caption else ()),
    ]


def _place(spot: Spot, teller: Teller) -> Place:
    about = ", ".join(teller.value(key) for key in spot.about)
    return Place(f"{spot.column:02d}{spot.row:02d}", spot.text, spot.name, about)
