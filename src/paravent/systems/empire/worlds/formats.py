"""A sector in other programs' formats, written and read back: T5 tab-delimited, its metadata, legacy SEC, CSV, JSON.

The patterns are those of Traveller Map's published parser (github.com/inexorabletash/travellermap, in
``server/serialization/SectorParser.cs``: ``HEX_REGEX``, ``UWP_REGEX``, ``PBG_REGEX``, ``ZONE_REGEX``, ``worldRegex``)
and of its pages on file formats and metadata; no code of theirs is here.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Mapping
from io import StringIO
from typing import TypeVar
from xml.etree import ElementTree as Xml

from paravent.game import Rulings, from_plain, to_plain
from paravent.systems.empire.terms import TABLES

from .errors import NoSuchCell, NotASector
from .peoples import COLONY, People
from .planet import Life, World
from .sector import Beside, Beyond, Colour, Given, Quarter, Route, Sector, charted, links, position, squares
from .t5 import EXTENDED, GOVERNMENTS, HEADER, NOBODY, ZONES, profile, row

WHOLE = "EG_world"
"""The column that holds a world exactly."""
SECTOR = "EG_sector"
"""The column whose first line holds what a sector has beside its worlds."""
KEPT = ("name", "density", "lone_stars", "codes", "remarks")
AROUND = ("drawn", "galaxy", "x", "y", "beside", "beyond")
"""What else it has that is not drawn whole, or lies beside others."""
LOST = {
    "origin": ("seed",), "party": ("party",), "worlds": ("worlds",),
    "stars": ("density", "lone_stars"), "sector_words": ("name", "remarks"), "sector_remarks": ("remarks",),
    "crossed_out": ("codes",), "around": ("drawn", "galaxy", "x", "y", "beside", "beyond"),
    "codes": ("codes", "worlds.code", "routes"), "planets": ("worlds.n_planets",), "animal_life": ("worlds.life",),
    "making": ("worlds.faces", "worlds.edited", "worlds.life_die", "worlds.diameter_more", "worlds.people.life_die"),
    "fauna": ("worlds.fauna",), "ports": ("worlds.port_name",),
    "bodies": ("worlds.people.body_row", "worlds.people.endurance", "worlds.people.appearance",
               "worlds.people.intelligence", "worlds.people.human"),
    "ways": ("worlds.people.culture_row", "worlds.people.nature_row", "worlds.people.politics_row"),
    "rows": ("worlds.people.culture_row", "worlds.people.nature_row"),
    "dominant": ("worlds.people.dominant",),
    "markets": ("worlds.people.offered", "worlds.people.demanded"),
    "folk_names": ("worlds.people.name",), "world_remarks": ("worlds.remarks", "worlds.people.remarks"),
    "long_names": ("worlds.name",),
}
"""What a format may be unable to hold, each with the fields that are then not as they were once it is read back."""
IN_NEITHER = ("origin", "party", "stars", "around", "making", "fauna", "bodies", "dominant", "markets", "folk_names",
              "world_remarks")
LOSSES = {
    "t5": ("origin", "party"), "xml": ("worlds",),
    "csv": ("sector_words", "crossed_out", "rows", *IN_NEITHER),
    "sec": ("sector_remarks", "long_names", "codes", "planets", "animal_life", "ways", "ports", *IN_NEITHER),
}
"""What each format cannot hold of a sector."""
COLOURS = {Colour.RED: ("Great", "#c2351d", "Solid"), Colour.BLUE: ("Small", "#2456b8", "Dashed")}
LEVELS = {"0": 1, "1": 1, "2": 2, "3": 2, "4": 3, "5": 3, "6": 3, "7": 4, "8": 4, "9": 4, "A": 5, "B": 5, "C": 5}


def sector_t5(record: Sector, rulings: Rulings) -> str:
    """Tab-delimited: a line of names, then a line for each system; our own figures in columns after theirs."""
    plain = to_plain(record)
    lines = ["\t".join((*HEADER, WHOLE, SECTOR))]
    names = (*KEPT, *(name for name in AROUND if plain[name]))
    for at, found in enumerate(record.worlds):
        kept = {name: plain[name] for name in names} if at == 0 else None
        lines.append("\t".join((*row(found, rulings), _json(to_plain(found)), _json(kept) if kept else "")))
    return "\n".join(lines) + "\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def sector_sec(record: Sector, rulings: Rulings) -> str:
    """The legacy format: fixed columns, read by one pattern a line."""
    lines = [f"# {_clean(record.name)}"]
    for found in record.worlds:
        cells = dict(zip(HEADER, row(found, rulings), strict=True))
        ends = f"{cells['Zone'] or ' '}  {cells['PBG']} {cells['Allegiance']} "
        lines.append(f"{_clean(cells['Name'])[:14]:<14}{found.square} {profile(found, rulings)}  - "
                     f"{_clean(cells['Remarks'])[:15]:<15} {ends}")
    return "\n".join(lines) + "\n"


def _clean(text: str) -> str:
    return " ".join(text.split())


COLUMNS = ("square", "code", "name", "n_planets", "size_t", "oceans_o", "life", "tech_level", "culture", "nature",
           "politics", "port_name")


NEEDED = ("square", "size_t", "oceans_o")
"""The columns without which a table is none of a sector."""
CIVILISATIONS = TABLES["civilisations"]
LIFE_DICE = {Life.NONE: 0, Life.ANIMAL: 1, Life.INTELLIGENT: 5}
T = TypeVar("T")


def sector_csv(record: Sector, rulings: Rulings) -> str:
    """A table for a spreadsheet."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for found in record.worlds:
        folk = found.people
        ways = (folk.tech_level, folk.culture, folk.nature, folk.politics) if folk is not None else ("", "", "", "")
        writer.writerow((found.square, found.code, found.name, found.n_planets, found.size_t, found.oceans_o,
                         found.life.value, *ways, found.port_name))
    return out.getvalue()


def sector_json(record: Sector, rulings: Rulings) -> str:
    """The whole record, its seed included."""
    return json.dumps({"system": "empire", "kind": "sector", **to_plain(record)}, ensure_ascii=False, indent=1) + "\n"


def sector_xml(record: Sector, rulings: Rulings) -> str:
    """The metadata of a sector: its name, who its worlds belong to, its routes."""
    root = Xml.Element("Sector")
    Xml.SubElement(root, "Name").text = record.name or "Sector"
    if record.galaxy:
        Xml.SubElement(root, "X").text, Xml.SubElement(root, "Y").text = str(record.x), str(record.y)
    belongs = Xml.SubElement(root, "Allegiances")
    for code, name in (("Em", "Empire"), ("Na", NOBODY)):
        Xml.SubElement(belongs, "Allegiance", Code=code).text = name
    squares = {found.code: found.square for found in record.worlds if found.code}
    routes = Xml.SubElement(root, "Routes")
    over = [link for link in links(record) if link.start in squares]
    joined = {link.start for link in over if link.colour is Colour.BLUE and not link.arrives}
    for link in over:
        kind, colour, style = COLOURS[link.colour]
        offsets = {name: str(by) for name, by in (("EndOffsetX", link.dx), ("EndOffsetY", link.dy)) if by}
        Xml.SubElement(routes, "Route", {"Start": squares[link.start], "End": link.square, **offsets, "Type": kind,
                                         "Color": colour, "Style": style})
    for route in record.routes:
        if route.start in squares and (route.end or route.start not in joined):
            kind, colour, style = COLOURS.get(route.colour, ("", "#808080", "Solid"))
            end, offset = _end(squares, route)
            Xml.SubElement(routes, "Route", {"Start": squares[route.start], "End": end, **offset, "Type": kind,
                                             "Color": colour, "Style": style})
    Xml.indent(root)
    return Xml.tostring(root, encoding="unicode", xml_declaration=False) + "\n"


def _end(squares: Mapping[str, str], route: Route) -> tuple[str, dict[str, str]]:
    """Where a route ends; one that leads out of the sector ends beyond the nearest edge."""
    if route.end in squares:
        return squares[route.end], {}
    column, row_at = position(squares[route.start])
    edges = {column: (-1, 0, 32, row_at), 11 - column: (1, 0, 1, row_at), row_at: (0, -1, column, 40),
             11 - row_at: (0, 1, column, 1)}
    dx, dy, x, y = edges[min(edges)]
    return f"{x:02d}{y:02d}", {name: str(by) for name, by in (("EndOffsetX", dx), ("EndOffsetY", dy)) if by}


# Read back


def read_t5(text: str, rulings: Rulings) -> Sector:
    """A sector from tab-delimited lines: exactly as it was where our columns are, else from their figures."""
    lines = [line.split("\t") for line in text.splitlines() if line.strip()]
    if not lines or "Hex" not in lines[0] or "UWP" not in lines[0]:
        raise NotASector(line=1)
    head = lines[0]
    chart, worlds = Sector(), []
    for at, line in enumerate(lines[1:], start=2):
        cells = dict(zip(head, line, strict=False))
        try:
            kept = json.loads(cells[SECTOR]) if cells.get(SECTOR) else None
            chart = from_plain(Sector, kept) if kept else chart
            worlds.append(_world(cells))
        except (ValueError, KeyError, IndexError) as fault:
            raise NotASector(line=at) from fault
    return charted(Sector(chart.name, chart.density, "", chart.lone_stars, tuple(worlds), remarks=chart.remarks,
                          codes=tuple(Given(*one) for one in chart.codes), drawn=tuple(map(Quarter, chart.drawn)),
                          galaxy=chart.galaxy, x=chart.x, y=chart.y,
                          beside=tuple(Beside(*one) for one in chart.beside),
                          beyond=tuple(Beyond(*one) for one in chart.beyond)), rulings)


LEGACY = re.compile(r"^(?P<Name>.*?)\s*(?P<Hex>\d{4})\s+(?P<UWP>[A-HXY?][0-9A-Z?]{6}-[0-9A-Z?])(?=\s|$)"
                    r"(?:.*?(?:\s(?P<Zone>[A-Z]))?\s+[0-9X?][0-9A-FX?]{2}(?:\s|$))?")
"""A line of the legacy format: a name, a square, a profile; then the zone, if it has one, before three figures."""
RULED, TAKEN = ({sign: way for way, sign in signs.items()} for signs in (GOVERNMENTS, ZONES))


def read_sec(text: str, rulings: Rulings) -> Sector:
    """A sector from the legacy format, as far as that tells: a remark on the first line names it."""
    first = next(iter(text.splitlines()), "")
    worlds = []
    for at, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line[0] in "#$@":
            continue
        found = LEGACY.match(line)
        try:
            worlds.append(_world(_legacy(found) if found is not None else {}))
        except (KeyError, IndexError) as fault:
            raise NotASector(line=at) from fault
    if not worlds:
        raise NotASector(line=1)
    return charted(Sector(first[1:].strip() if first.startswith("#") else "", worlds=tuple(worlds)), rulings)


def _legacy(found: re.Match[str]) -> dict[str, str]:
    """The cells of a line; where it has what stands after the zone and no zone, it has none."""
    cells = {name: cell for name, cell in found.groupdict().items() if cell is not None}
    return cells if found.end() == found.end("UWP") else {"Zone": "", **cells}


def _world(cells: Mapping[str, str]) -> World:
    whole = cells.get(WHOLE)
    if whole:
        found = from_plain(World, json.loads(whole))
        name = cells.get("Name") or found.name
        return found if name == found.name else from_plain(World, {**json.loads(whole), "name": name})
    uwp = cells["UWP"]
    size, seas, crowd, level = (EXTENDED.find(uwp[at]) for at in (1, 3, 4, 8))
    column, row_at = position(cells["Hex"])
    if not (1 <= column <= 10 and 1 <= row_at <= 10):
        raise KeyError(cells["Hex"])
    folk = None
    if crowd > 0:
        nt = 6 if uwp[0] == "A" else LEVELS.get(uwp[8], 6 if level > 12 else 1)
        zone = cells.get("Zone")
        folk = People(cells.get("Name", ""), nt, human=nt >= 5, size_t=min(10, max(0, size)), culture_row=nt + 3,
                      nature_row=nt + 3 if zone is None else _nearest("nature", TAKEN.get(zone, "friendly"), nt + 3),
                      politics_row=_nearest("politics", RULED.get(uwp[5], ""), nt + 3))
    return World(cells.get("Name", ""), cells["Hex"], n_planets=int(cells.get("W") or 1), size_t=min(10, max(0, size)),
                 oceans_o=min(10, max(0, seas)), life=Life.INTELLIGENT if folk else Life.NONE,
                 life_die=5 if folk else 0, people=folk)


def _nearest(column: str, way: str, usual: int) -> int:
    """The row of a people's way that is nearest to the usual one; that one, where no row has it."""
    rows = [int(row) for row, cell in CIVILISATIONS.column(column).items() if cell == way]
    return min(rows, key=lambda row: abs(row - usual), default=usual)


def read_csv(text: str, rulings: Rulings) -> Sector:
    """A sector from a spreadsheet's table: all that its columns hold, whatever their order and whatever parts them."""
    lines = text.removeprefix("\ufeff").splitlines()
    head = lines[0] if lines else ""
    table = csv.DictReader(lines, delimiter=max(",;\t", key=head.count))
    if not set(NEEDED) <= set(table.fieldnames or ()):
        raise NotASector(line=1)
    worlds: list[World] = []
    for cells in table:
        if not any(cells.values()):
            continue
        found = _from_row(cells, table.line_num)
        for column in ("square", "code"):
            if (got := getattr(found, column)) and got in [getattr(other, column) for other in worlds]:
                raise NoSuchCell(line=table.line_num, column=column, got=got)
        worlds.append(found)
    if not worlds:
        raise NotASector(line=1)
    return charted(Sector(worlds=tuple(worlds)), rulings)


def _from_row(cells: Mapping[str, str | None], line: int) -> World:
    """The world of a line; a cell that holds what cannot be is named."""
    def text(column: str) -> str:
        return " ".join((cells.get(column) or "").split())

    def of(column: str, values: Mapping[str, T], usual: T) -> T:
        got = text(column)
        if got and got not in values:
            raise NoSuchCell(line=line, column=column, got=got)
        return values[got] if got else usual

    def number(column: str, most: int) -> int:
        return of(column, {str(n): n for n in range(most + 1)}, 0)

    def way(column: str) -> int:
        rows = CIVILISATIONS.column(column)
        return of(column, {str(cell): int(key) for key, cell in reversed(rows.items())}, tech_level + 3)

    square = of("square", {one: one for one in squares()}, "")
    if not square:
        raise NoSuchCell(line=line, column="square", got="")
    size_t, tech_level = number("size_t", 10), number("tech_level", 6)
    life = of("life", {one.value: one for one in Life}, Life.INTELLIGENT if tech_level else Life.NONE)
    if (life is Life.INTELLIGENT) != (tech_level > 0):
        raise NoSuchCell(line=line, column="tech_level", got=text("tech_level"))
    folk = People("", tech_level, human=tech_level >= COLONY, size_t=size_t, culture_row=way("culture"),
                  nature_row=way("nature"), politics_row=way("politics")) if tech_level else None
    return World(text("name"), square, text("code"), number("n_planets", 18), size_t, number("oceans_o", 10), life=life,
                 life_die=LIFE_DICE[life], people=folk, port_name=text("port_name"))


def read_routes(text: str) -> tuple[tuple[str, str, str], ...]:
    """The routes of a metadata file, as start, end and type."""
    root = Xml.fromstring(text)
    return tuple((one.get("Start", ""), one.get("End", ""), one.get("Type", "")) for one in root.iter("Route"))


def many(records: Iterable[Sector], rulings: Rulings) -> str:
    """Several sectors one after the other, a line of JSON each."""
    return "".join(_json({"kind": "sector", **to_plain(one)}) + "\n" for one in records)
