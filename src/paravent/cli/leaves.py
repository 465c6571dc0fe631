"""A game's own pages in the terminal: ``paravent <game> <page> FILE…``, laid out for people or as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

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
    Measures,
    Plate,
    Reader,
    Rows,
    Says,
    Vignettes,
)
from paravent.game.maps import Map, Spot
from paravent.game.move import Telling
from paravent.game.telling import Teller
from paravent.game.words import LANGUAGES, folded

from . import forms, show


def _meant(system: System, name: str) -> str:
    """The leaf of a name, or of the word that leads to it on a page, in any language: ``travel``, ``voyager``."""
    words = system.words
    called = {folded(entry): one for one in system.leaves for lang in LANGUAGES for part in ("any", "title")
              if (entry := words.entry(lang, f"leaves.{one}", part))}
    found = name if name in system.leaves else called.get(folded(name), "")
    if not found:
        raise UnknownName("leaf", name, system.leaves)
    return found


def leaf(
    system: System, name: str, sources: Sequence[str], chosen: Sequence[str], options: Sequence[str], day: int,
    lang: str, as_json: bool, seen: bool = False, into: Path | None = None,
) -> None:
    """Make a leaf from records in files and show it; ``seen``, as a player who has these sees it."""
    name = _meant(system, name)
    rulings = forms.rulings_from(system, options)
    held = list[Holding]()
    for source in sources:
        kind, record = forms.typed_record_from(system, source, rulings, lang)
        held.append(Holding(f"{kind.id}{len(held) or ''}", kind.id, str(getattr(record, "name", "")), record, True))
    choices = dict(forms.pair(word, "field=value") for word in chosen)
    reader = Reader(system, rulings, tuple(held), choices, not seen, day)
    content = system.leaves[name].make(reader)
    if as_json:
        print(json.dumps(to_plain(content.data), ensure_ascii=False, indent=2))
        return
    if into is not None:
        from paravent.web.paper import written

        into.write_text(written(system, content, lang, into), encoding="utf-8")
        return
    page, teller = show.Page(lang), Teller(lang, system)
    page.title(teller.telling(content.title))
    for block in _told(content.blocks):
        _shown(page, teller, block)
    page.notice(system.id)


def _told(blocks: Sequence[Block]) -> Iterator[Block]:
    """What a terminal has words for: ways to go on are buttons, and a title over nothing but buttons is none."""
    spoken = [block for block in blocks if not isinstance(block, Exits)]
    for block, after in zip(spoken, (*spoken[1:], Heading(Telling(""))), strict=True):
        if not (isinstance(block, Heading) and isinstance(after, Heading)):
            yield block


def _shown(page: show.Page, teller: Teller, block: Block) -> None:
    match block:
        case Heading(says=says):
            page.head(teller.telling(says))
        case Says(says):
            page.line(teller.telling(says))
        case Rows(columns, rows) if rows:
            heads = [teller.name(name) for name in columns]
            numbers = [at for at, cell in enumerate(rows[0]) if isinstance(cell, (int, Fraction))]
            if page.room is not None and page.room < COLUMN * len(heads):
                _one_by_one(page, teller, heads, rows)
                return
            page.console.width = max(page.console.width, COLUMN * len(heads))
            page.grid([heads, *([_cell(teller, cell) for cell in row] for row in rows)], right=numbers)
        case Bars(bars):
            page.grid([[name if isinstance(name, str) else teller.telling(name), teller.percent(chance)]
                       for name, chance in bars], right=(1,))
        case Measures(most, measures):
            page.grid([[teller.telling(name), "█" * n + "░" * (most - n), teller.telling(words)]
                       for name, n, words in measures])
        case Vignettes(vignettes):
            for one in vignettes:
                page.head(f"{one.name} · {teller.telling(one.about)}")
                page.line(" · ".join(f"{teller.name(name)} {_cell(teller, cell)}" for name, cell in one.figures))
                for inner in one.blocks:
                    _shown(page, teller, inner)
        case Plate(map=drawn):
            _drawn(page, drawn)
        case Folded(says, blocks):
            page.head(teller.telling(says))
            for inner in blocks:
                _shown(page, teller, inner)
        case _:
            pass


def _cell(teller: Teller, cell: Cell) -> str:
    match cell:
        case None:
            return ""
        case Lead():
            return teller.telling(cell.says)
        case Telling():
            return teller.telling(cell)
        case Fraction():
            return teller.percent(cell)
        case int():
            return teller.number(cell)
        case _:
            return cell


COLUMN = 12
"""What a column of a table needs."""


def _one_by_one(page: show.Page, teller: Teller, heads: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
    """A table wider than the window: a paragraph for each row, each figure after its name."""
    for first, *others in rows:
        page.line(_cell(teller, first), style="bold")
        told = [(head, _cell(teller, cell)) for head, cell in zip(heads[1:], others, strict=True)]
        page.line(" · ".join(f"{head} {words}" for head, words in told if words), indent=4)


WIDE, NARROW = 9, 3
"""How many letters of a name a map shows: where there is room, and at least."""


def _drawn(page: show.Page, drawn: Map) -> None:
    """A map in letters, as wide as the window is."""
    margins = 2 + 4
    room = page.room if page.room is not None else margins + (WIDE + 1) * drawn.columns
    page.console.width = max(page.console.width, room)
    for line in map_lines(drawn, max(NARROW, min(WIDE, (room - margins) // drawn.columns - 1))):
        page.line(line)


def map_lines(drawn: Map, wide: int = WIDE) -> list[str]:
    """A map in letters: a line of squares for each row, names cut to what fits."""
    spots = {(spot.column, spot.row): spot for spot in drawn.spots}
    unknown = set(drawn.unknown)
    lines = ["    " + " ".join(f"{column:02d}".center(wide) for column in range(1, drawn.columns + 1))]
    for row in range(1, drawn.rows + 1):
        cells = []
        for column in range(1, drawn.columns + 1):
            spot = spots.get((column, row))
            if spot is None:
                cells.append("?" if (column, row) in unknown else "·")
                continue
            here = ">" if drawn.here == (column, row) else ""
            cells.append(here + ("*" if spot.shape == "point" else spot.name or spot.text or "o"))
        lines.append(f"{row:02d}  " + " ".join(cell[:wide].center(wide) for cell in cells))
    around = [f"{ARROWS[margin.dx, margin.dy]} {margin.name}" for margin in drawn.margins]
    over = [f"{_spot_at(spots, path.start)} → {path.to}" for path in drawn.paths if path.to]
    return [*lines, *([" · ".join(around)] if around else []), *over]


ARROWS = {(-1, -1): "↖", (0, -1): "↑", (1, -1): "↗", (-1, 0): "←", (1, 0): "→", (-1, 1): "↙", (0, 1): "↓", (1, 1): "↘"}
"""Where what lies beside a map is."""


def _spot_at(spots: Mapping[tuple[int, int], Spot], place: tuple[float, float]) -> str:
    spot = spots.get((int(place[0]), int(place[1])))
    return spot.name if spot is not None else ""


def printed(system: System, drawn: Map, lang: str) -> None:
    """A map in letters, and its places in words."""
    page, teller = show.Page(lang), Teller(lang, system)
    _drawn(page, drawn)
    page.console.print()
    page.grid([[f"{spot.column:02d}{spot.row:02d}", spot.text, spot.name,
                ", ".join(teller.value(key) for key in spot.about if key)] for spot in drawn.spots if spot.name])
