"""« Cartographie »: the map of a sector as it is drawn, and as much of it as the players know (EGW-090 to EGW-098)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from paravent.game import Map, Path, Rulings, Spot, rule

from .planet import air_index, atmosphere, gear_needed
from .sector import SIDE, Colour, Route, Sector, Square, circle, kind_of, port, position, squares

SHAPES = {
    Square.VOID: "", Square.LONE_STAR: "point", Square.LIFELESS: "hollow", Square.ANIMAL: "small",
    Square.INTELLIGENT: "large",
}


class Known(NamedTuple):
    """A square that the players have visited or whose data they bought: what the map says of it, and what to wear."""

    square: str
    kind: Square = Square.VOID
    name: str = ""
    code: str = ""
    size_t: int = 0
    oceans_o: int = 0
    tech_level: int = 0
    atmosphere: str = ""
    gear: str = ""


@dataclass(frozen=True)
class Chart:
    """A players' map of a sector: the squares they know, and the routes between those."""

    name: str = ""
    known: tuple[Known, ...] = ()
    routes: tuple[Route, ...] = ()
    remarks: str = ""
    sector: str = ""
    """The sector that it is a map of, by its name at the table."""
    party: str = ""
    """The square where the group is."""


@rule("EGW-092", "EGW-093")
def known_square(chart: Sector, square: str, rulings: Rulings) -> Known:
    """What a map tells of a square: nothing of who lives there but how far they have come."""
    found = chart.world_at(square)
    if found is None:
        return Known(square, Square.LONE_STAR if square in chart.lone_stars else Square.VOID)
    index = air_index(found.size_t, found.oceans_o, rulings)
    kind = Square.INTELLIGENT if found.people is not None else kind_of(found)
    return Known(square, kind, found.name, found.code, found.size_t, found.oceans_o, found.tech_level,
                 atmosphere(index), gear_needed(index))


@rule("EGW-096")
def routes_known(routes: Iterable[Route], known: Iterable[Known]) -> tuple[Route, ...]:
    """The routes whose ends are both on the map, or lead out of it."""
    codes = {one.code for one in known if one.code} | {""}
    return tuple(route for route in routes if route.start in codes and route.end in codes)


def revealed(chart: Chart, of: Sector, more: Iterable[str], rulings: Rulings) -> Chart:
    """The players' map with more squares on it, as they stand now, in the order of the sector."""
    wanted = {one.square for one in chart.known} | set(more)
    known = tuple(known_square(of, square, rulings) for square in squares() if square in wanted)
    return replace(chart, known=known, routes=routes_known(of.routes, known))


# As it is drawn


def sector_map(record: Sector, rulings: Rulings) -> Map:
    """The whole sector."""
    worlds = {found.square: found for found in record.worlds}
    known = [known_square(record, square, rulings) for square in (*record.lone_stars, *worlds)]
    return drawn(known, record.routes)


def chart_map(record: Chart, rulings: Rulings) -> Map:
    """What the players know; the other squares are shaded."""
    seen = {one.square for one in record.known}
    return drawn(record.known, record.routes, tuple(position(square) for square in squares() if square not in seen))


def drawn(known: Iterable[Known], routes: Iterable[Route], unknown: tuple[tuple[int, int], ...] = ()) -> Map:
    """Squares and routes on a grid."""
    listed = [one for one in known if one.kind is not Square.VOID]
    places = {one.code: position(one.square) for one in listed if one.code}
    paths = [route_path(route, places) for route in routes if route.start in places]
    return Map(SIDE, SIDE, tuple(spot(one) for one in listed), tuple(paths), unknown)


@rule("EGW-090", "EGW-092", "EGW-094")
def spot(one: Known) -> Spot:
    """A square of the map: its code, T, O and level if it bears life; a ring in the colour of its routes."""
    column, row = position(one.square)
    if one.kind is Square.LONE_STAR:
        return Spot(column, row, "point", name=one.name, about=(one.kind.value,))
    numbers = [one.size_t, one.oceans_o, *([one.tech_level] if one.tech_level else [])]
    text = f"{one.code} {'·'.join(map(str, numbers))}" if one.code else ""
    colour = circle(one.tech_level)
    haven = (port(one.tech_level),) if port(one.tech_level) != "no_port" else ()
    about = (one.kind.value, one.atmosphere, *haven)
    return Spot(column, row, SHAPES[one.kind], text, one.name, "" if colour is Colour.NONE else colour.value, about)


@rule("EGW-096")
def route_path(route: Route, places: dict[str, tuple[int, int]]) -> Path:
    """A route on the grid; one that leads out of the sector goes to its nearest edge."""
    start = places[route.start]
    end = places[route.end] if route.end in places else edge_near(start)
    return Path(start, end, route.colour.value, route.colour.value, dashed=route.colour is Colour.BLUE)


def edge_near(place: tuple[int, int]) -> tuple[float, float]:
    """The nearest point of the sector's edge."""
    column, row = place
    ends = {column: (0.5, float(row)), SIDE + 1 - column: (SIDE + 0.5, float(row)),
            row: (float(column), 0.5), SIDE + 1 - row: (float(column), SIDE + 0.5)}
    return ends[min(ends)]


