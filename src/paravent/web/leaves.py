"""Leaves of a game as pages: what one may see of the table, told in one language, drawn by one template."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from paravent.game import System, UnknownName, to_plain
from paravent.game.leaves import (
    Bars,
    Block,
    Cell,
    Exits,
    Folded,
    Heading,
    Holding,
    Lead,
    Leaf,
    Plate,
    Reader,
    Rows,
    Says,
    Start,
)
from paravent.game.move import Telling
from paravent.game.telling import Teller

from .desk import Desk
from .maps import draw_map
from .visit import visit

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True)
class BlockDrawn:
    """A block as the template draws it: what it is, and what it holds."""

    kind: str
    held: Any


def reader_of(desk: Desk, chosen: Mapping[str, str]) -> Reader:
    """What a seat may see of the table, for a game's own pages."""
    found = [Holding(name, seen.kind, seen.name, record, seen.owner == desk.seat)
             for name, seen in desk.records.items() if (record := desk.sheets.record(name)) is not None]
    return Reader(desk.system, desk.rulings, tuple(found), chosen, desk.is_gm, desk.state.day)


def offered(desk: Desk) -> list[tuple[str, str]]:
    """The leaves that a seat may open, by their addresses and titles."""
    leaves = desk.system.leaves.values()
    kinds = {seen.kind for seen in desk.records.values()}
    words, lang = desk.teller.words, desk.teller.lang
    return [(leaf.id, words.entry(lang, f"leaves.{leaf.id}", "any") or words.entry(lang, f"leaves.{leaf.id}"))
            for leaf in leaves if (desk.is_gm or not leaf.gm) and kinds & leaf.kinds]


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
    asks = [(asked.id, desk.teller.name(asked.id), chosen.get(asked.id, ""), asked.number,
             [(key, _words(desk.teller, words)) for key, words in asked.options(reader).items()])
            for asked in declared.asks]
    return guest.page("leaf.html", desk, title=desk.teller.telling(content.title), leaf=declared, asks=asks,
                      blocks=[drawn(desk.teller, guest.base, block) for block in content.blocks])


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
            return BlockDrawn("bars", [(name, teller.percent(chance), int(100 * chance / most))
                                       for name, chance in bars])
        case Plate():
            return BlockDrawn("picture", draw_map(block.map, teller, block.called, _squares(base, block)))
        case Exits(ways):
            return BlockDrawn("ways", [_way(teller, base, way) for way in ways])
        case Folded(says, blocks):
            return BlockDrawn("folded", (teller.telling(says), [drawn(teller, base, inner) for inner in blocks]))
        case _:
            return BlockDrawn("turn", None)


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
        return {"words": teller.telling(way.says), "href": _address(base, way)}
    return {"words": teller.telling(way.says), "move": way.move, "cast": way.cast,
            "fields": [(actor, name, value) for actor, values in way.form.items() for name, value in values.items()]}
