"""Pages of a game as files of their own: a document to print, a map to hang up. Nothing in them asks for a network."""

from __future__ import annotations

from pathlib import Path
from textwrap import wrap

from paravent.game import System, UnknownName
from paravent.game.leaves import Content, Plate
from paravent.game.telling import Teller
from paravent.game.words import folded

from .leaves import beside, drawn
from .looks import environment, sheet_of_paper
from .maps import draw_map

FORMATS = (".html", ".svg")
PAPER = "#fbf8ef"
"""The colour of a poster's paper."""


def written(system: System, content: Content, lang: str, path: Path) -> str:
    """A page as a file, by the ending of its name: ``.html`` for the whole of it, ``.svg`` for its map as a poster."""
    teller = Teller(lang, system)
    match path.suffix.lower():
        case ".html":
            return document(teller, system, content)
        case ".svg":
            return poster(teller, system, content)
        case other:
            raise UnknownName("format", other or path.name, FORMATS)


def document(teller: Teller, system: System, content: Content) -> str:
    """The whole page, to be read and printed anywhere."""
    blocks = list(beside(drawn(teller, "", block) for block in content.blocks))
    return environment().get_template("paper.html").render(
        lang=teller.lang, title=teller.telling(content.title), blocks=blocks, css=sheet_of_paper(),
        notice=system.notice.get(teller.lang, ""), legend=teller.say("web.map_legend"))


def poster(teller: Teller, system: System, content: Content) -> str:
    """The first map of a page, with its legend and the list of its places, on a sheet of the size of a wall."""
    plate = next((block for block in content.blocks if isinstance(block, Plate)), None)
    if plate is None:
        raise UnknownName("format", ".svg", (".html",))
    found = draw_map(plate.map, teller, plate.called, paper=PAPER)
    named = sorted((place for place in found.places if place.name), key=lambda place: folded(place.name))
    return environment().get_template("poster.svg").render(
        title=plate.called or teller.telling(content.title), game=teller.say("system.name"), map=found, places=named,
        columns=plate.map.columns, rows=plate.map.rows, legend=teller.say("web.map_legend"),
        index=teller.say("web.map_places"),
        notice=wrap(system.notice.get(teller.lang, ""), 100), paper=PAPER)
