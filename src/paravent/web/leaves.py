"""Leaves of a game as pages: what one may see of the table, told in one language, drawn by one template."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any, NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from paravent.game import System, UnknownName, to_plain
from paravent.game.leaves import (
    Asked,
    Bars,
    Block,
    Cell,
    Exits,
    Folded,
    Heading,
    Holding,
    Lead,
    Leaf,
    Measures,
    Plate,
    Reader,
    Rows,
    Says,
    Start,
    Vignette,
    Vignettes,
)
from paravent.game.move import Telling
from paravent.game.telling import Teller

from .desk import Desk
from .maps import draw_map
from .page import is_part
from .visit import visit

router = APIRouter(include_in_schema=False)
IN_A_ROW = 3
"""How many vignettes stand side by side on a sheet."""


@dataclass(frozen=True)
class BlockDrawn:
    """A block as the template draws it: what it is, and what it holds."""

    kind: str
    held: Any


def reader_of(desk: Desk, chosen: Mapping[str, str]) -> Reader:
    """What a seat may see of the table, for a game's own pages."""
    found = [Holding(name, seen.kind, seen.name, record, seen.owner == desk.seat, bool(seen.owner))
             for name, seen in desk.records.items() if (record := desk.sheets.record(name)) is not None]
    return Reader(desk.system, desk.rulings, tuple(found), chosen, desk.is_gm, desk.state.day)


def leaf_of(system: System, name: str) -> Leaf:
    """The leaf of this name."""
    if name not in system.leaves:
        raise UnknownName("leaf", name, system.leaves)
    return system.leaves[name]


@router.get("/t/{table}/{seat}/leaf/{leaf}")
async def leaf_page(request: Request, table: str, seat: str, leaf: str) -> Response:
    """A page that the game brings of its own."""
    guest = await visit(request, table, seat)
    desk = guest.desk
    chosen = {name: value[:80] for name, value in request.query_params.items() if name not in ("lang", "json")}
    declared, reader = leaf_of(desk.system, leaf), reader_of(desk, chosen)
    if not declared.offered(reader):
        raise UnknownName("leaf", leaf, ())
    content = declared.make(reader)
    if "json" in request.query_params:
        return JSONResponse(to_plain(content.data))
    here = f"leaf/{leaf}?{urlencode(chosen)}"
    asks = [asked for one in declared.asks if (asked := _asked(desk.teller, reader, one)) is not None]
    inside = is_part(request)
    return guest.page("parts/leaf.html" if inside else "leaf.html", desk, title=desk.teller.telling(content.title),
                      leaf=declared, asks=asks, here=here, inside=inside,
                      blocks=list(beside(drawn(desk.teller, guest.base, block) for block in content.blocks)))


class AskedDrawn(NamedTuple):
    """What one may choose on a leaf, in words; what stands where nothing is chosen."""

    id: str
    words: str
    value: str
    usual: str
    number: bool
    options: list[tuple[str, str]]
    refinement: bool


def _asked(teller: Teller, reader: Reader, asked: Asked) -> AskedDrawn | None:
    """One thing that may be chosen; nothing where there is no choice."""
    options = [(key, _words(teller, words)) for key, words in asked.options(reader).items()]
    value, usual = reader.chosen.get(asked.id, ""), asked.usual(reader)
    if len(options) == 1 and value in ("", options[0][0]):
        return None
    told = teller.number(usual) if isinstance(usual, int) else usual
    return AskedDrawn(asked.id, teller.name(asked.id), value, told, asked.number, options, asked.refinement)


def _words(teller: Teller, words: str | Telling) -> str:
    return words if isinstance(words, str) else teller.telling(words)


def drawn(teller: Teller, base: str, block: Block) -> BlockDrawn:
    """A block in a language, its addresses written out."""
    match block:
        case Heading(says, within):
            return BlockDrawn("subheading" if within else "heading", teller.telling(says))
        case Says(says):
            return BlockDrawn("says", teller.telling(says))
        case Rows(columns, rows):
            heads = [teller.name(name) for name in columns]
            return BlockDrawn("rows", (heads, [[_cell(teller, base, cell) for cell in row] for row in rows]))
        case Bars(bars):
            most = max((chance for _, chance in bars), default=Fraction(1)) or Fraction(1)
            return BlockDrawn("bars", [(_words(teller, name), teller.percent(chance), int(100 * chance / most))
                                       for name, chance in bars])
        case Measures(most, measures):
            return BlockDrawn("measures", [(teller.telling(name), n, most, teller.telling(words))
                                           for name, n, words in measures])
        case Vignettes(vignettes):
            return BlockDrawn("vignettes", [_vignette(teller, base, one) for one in vignettes])
        case Plate():
            named = {"name": "leaf"} if base else {"paper": "#ffffff"}  # in a file for the printer the paper is white
            return BlockDrawn("picture", draw_map(block.map, teller, block.called, _squares(base, block), **named))
        case Exits(ways):
            return BlockDrawn("ways", [_way(teller, base, way) for way in ways])
        case Folded(says, blocks):
            return BlockDrawn("folded", (teller.telling(says), [drawn(teller, base, inner) for inner in blocks]))
        case _:
            return BlockDrawn("turn", None)


def beside(blocks: Iterable[BlockDrawn]) -> Iterator[BlockDrawn]:
    """Tables that follow each other stand side by side, and so do measures; a heading stays with a row of vignettes."""
    begun: list[BlockDrawn] = []
    for kind, run in groupby(blocks, key=lambda block: block.kind):
        alike = list(run)
        if kind == "vignettes" and begun:
            row, rest = alike[0].held[:IN_A_ROW], alike[0].held[IN_A_ROW:]
            begun = [BlockDrawn("together", [*begun, BlockDrawn("vignettes", row)])]
            alike[:1] = [BlockDrawn("vignettes", rest)] if rest else []
        yield from begun
        begun = [alike.pop()] if kind == "subheading" else []
        yield from [BlockDrawn("beside", alike)] if kind in ("rows", "measures") and len(alike) > 1 else alike
    yield from begun


class VignetteDrawn(NamedTuple):
    """A vignette in words: its name, what it is, its figures with what they are called, and its blocks."""

    name: str
    about: str
    figures: list[tuple[str, str]]
    blocks: list[BlockDrawn]


def _vignette(teller: Teller, base: str, one: Vignette) -> VignetteDrawn:
    figures = [(teller.name(name), _cell(teller, base, cell)[0]) for name, cell in one.figures]
    return VignetteDrawn(one.name, teller.telling(one.about), figures,
                         [_shares(teller, block) if isinstance(block, Bars) else drawn(teller, base, block)
                          for block in one.blocks])


def _shares(teller: Teller, bars: Bars) -> BlockDrawn:
    """Bars as the parts of a line of a hundred: what each is called, its share, where it begins and how long it is."""
    begins, parts = Fraction(0), []
    for name, chance in bars.bars:
        parts.append((_words(teller, name), teller.percent(chance), f"{float(100 * begins):.1f}",
                      f"{float(100 * chance):.1f}"))
        begins += chance
    return BlockDrawn("shares", parts)


def _squares(base: str, picture: Plate) -> tuple[str, str]:
    """The address that a square leads to, with the square left out; and the square that is chosen."""
    if not picture.leaf:
        return "", ""
    chosen = {name: value for name, value in picture.chosen.items() if name != picture.choice}
    asked = urlencode({**chosen, picture.choice: ""})
    return f"{base}/leaf/{picture.leaf}?{asked}", picture.chosen.get(picture.choice, "")


def _cell(teller: Teller, base: str, cell: Cell) -> tuple[str, str, bool]:
    """What a cell says, where it leads, and whether it is a number."""
    match cell:
        case None:
            return "", "", False
        case Lead():
            return teller.telling(cell.says), _address(base, cell), False
        case Telling():
            return teller.telling(cell), "", False
        case Fraction():
            return teller.percent(cell), "", True
        case int():
            return teller.number(cell), "", True
        case _:
            return cell, "", False


def _address(base: str, link: Lead) -> str:
    return f"{base}/leaf/{link.leaf}?{urlencode(link.chosen)}"


def _way(teller: Teller, base: str, way: Lead | Start) -> dict[str, Any]:
    if isinstance(way, Lead):
        declared = teller.system.leaves.get(way.leaf) if teller.system is not None else None
        return {"words": teller.telling(way.says), "href": _address(base, way),
                "paper": declared is not None and declared.paper}
    return {"words": teller.telling(way.says), "move": way.move, "cast": way.cast, "at_once": way.at_once,
            "stays": way.stays,
            "fields": [(actor, name, value) for actor, values in way.form.items() for name, value in values.items()]}
