"""« Cartographie »: the map of a sector as it is drawn, and as much of it as the players know (EGW-090 to EGW-098)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from paravent.game import Map, Path, Rulings, Spot, rule
from paravent.game.maps import Badge, Globe, Margin, bowed

from .peoples import IMPERIAL, arms
from .planet import World, air_index, atmosphere, gear_needed
from .sector import (
    SIDE,
    Beyond,
    Colour,
    Route,
    Sector,
    Square,
    circle,
    kind_of,
    links,
    port,
    position,
    squares,
    squares_of,
)

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
    galaxy: str = ""
    """What it shares with the maps of the sectors beside."""
    x: int = 0
    y: int = 0


@rule("EGW-098")
def area_of(known: Sector | Chart) -> str:
    """What stands before the squares of a map that lies beside others (``1,0/``); nothing before those of the first."""
    return f"{known.x},{known.y}/" if known.galaxy and (known.x, known.y) != (0, 0) else ""


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
    ways = {square: ways_signs(found, rulings) for square, found in worlds.items() if found.people is not None}
    later = set(squares()) - set(squares_of(record.drawn))
    whole = drawn(known, record.routes, tuple(position(square) for square in squares() if square in later),
                  record.party, ways, links(record))
    return replace(whole, margins=tuple(Margin(one.dx, one.dy, one.name) for one in record.beside))


def chart_map(record: Chart, rulings: Rulings) -> Map:
    """What the players know; the other squares are shaded."""
    seen = {one.square for one in record.known}
    unknown = tuple(position(square) for square in squares() if square not in seen)
    return drawn(record.known, record.routes, unknown, record.party)


def drawn(
    known: Iterable[Known], routes: Iterable[Route], unknown: tuple[tuple[int, int], ...] = (), party: str = "",
    ways: Mapping[str, tuple[Badge, ...]] | None = None, beyond: Iterable[Beyond] = (),
) -> Map:
    """Squares and routes on a grid; routes bow round what they do not lead to."""
    listed = [one for one in known if one.kind is not Square.VOID]
    places = {one.code: position(one.square) for one in listed if one.code}
    ports = [position(one.square) for one in listed if one.tech_level == IMPERIAL]
    around = tuple(position(one.square) for one in listed if one.kind is not Square.LONE_STAR)
    over = [link for link in beyond if link.start in places]
    joined = {link.start for link in over if link.colour is Colour.BLUE and not link.arrives}
    paths = [bowed(route_path(route, places, ports), around) for route in routes
             if route.start in places and (route.end or route.start not in joined)]
    paths += [bowed(edge_path(link, places[link.start]), around) for link in over]
    spots = tuple(spot(one, (ways or {}).get(one.square, ())) for one in listed)
    return Map(SIDE, SIDE, spots, tuple(paths), unknown, position(party) if party else None,
               caption="map_caption")


WELCOMES = {"friendly": "open", "neutral": "half", "hostile": "warning"}
LEVELS = {5: ("hexagon", "blue"), 6: ("diamond", "red"), 4: ("square", "")}
RIMS = {"vacuum": "none", "thin": "dots", "normal_air": "line", "polluted": "dashes", "toxic": "rays"}
RANKS = {6: "capitals", 5: "bold", 0: "italic"}
ARMS = {6: 4, 5: 2}


@rule("EGW-071", "EGW-085")
def ways_signs(found: World, rulings: Rulings) -> tuple[Badge, ...]:
    """How strangers are met, and the highest level of arms that they may bear."""
    folk = found.people
    if folk is None:
        return ()
    return (Badge("", WELCOMES[folk.nature], kind=folk.nature),
            Badge(str(arms(folk.tech_level, folk.nature, rulings).civilians), "blade", kind="lawful_arms"))


@rule("EGW-090", "EGW-092", "EGW-094")
def spot(one: Known, ways: tuple[Badge, ...] = ()) -> Spot:
    """A square of the map: its code, T, O and level if it bears life; a ring in the colour of its routes."""
    column, row = position(one.square)
    if one.kind is Square.LONE_STAR:
        return Spot(column, row, "point", name=one.name, about=(one.kind.value,))
    numbers = [one.size_t, one.oceans_o, *([one.tech_level] if one.tech_level else [])]
    text = f"{one.code} {'·'.join(map(str, numbers))}" if one.code else ""
    colour = circle(one.tech_level)
    haven = (port(one.tech_level),) if port(one.tech_level) != "no_port" else ()
    about = (one.kind.value, one.atmosphere, *haven)
    level = one.tech_level
    if level:
        shape, ink = LEVELS.get(level, ("disc", ""))
        signs: tuple[Badge, ...] = (Badge(str(level), shape, ink, f"level_{level}"), *ways)
    else:
        signs = (Badge("", "paw", kind="animal_life"),) if one.kind is Square.ANIMAL else ()
    globe = Globe(one.size_t / SIDE, one.oceans_o / SIDE, RIMS.get(one.atmosphere, "line"))
    return Spot(column, row, SHAPES[one.kind], text, one.name, "" if colour is Colour.NONE else colour.value, about,
                globe, ARMS.get(level, 0), signs, RANKS.get(level, "plain"), "hostile" in (sign.kind for sign in ways))


@rule("EGW-096")
def route_path(
    route: Route, places: dict[str, tuple[int, int]], ports: Iterable[tuple[int, int]] = ()
) -> Path:
    """A route on the grid; one that leads out of the sector goes to its nearest edge.

    Of the great routes, those with no other starport between their ends stand out; the others are thin.
    """
    start = places[route.start]
    end = places[route.end] if route.end in places else edge_near(start)
    thin = route.colour is Colour.RED and any(
        _far(start, other) + _far(other, end) < _far(start, end) for other in ports if other not in (start, end))
    return Path(start, end, route.colour.value, route.colour.value, route.colour is Colour.BLUE, thin=thin)


@rule("EGW-096")
def edge_path(link: Beyond, start: tuple[int, int]) -> Path:
    """A route over the edge, as far as the edge: straight towards where it leads, whose name stands there."""
    (x, y), (u, v) = start, position(link.square)
    u, v = u + SIDE * link.dx, v + SIDE * link.dy
    low, high = 0.5, SIDE + 0.5
    reach = [((low if to < at else high) - at) / (to - at) for at, to in ((x, u), (y, v)) if to != at]
    share = min(part for part in (*reach, 1.0) if part > 0)
    end = x + (u - x) * share, y + (v - y) * share
    return Path(start, end, link.colour.value, link.colour.value, link.colour is Colour.BLUE, to=link.name)


def _far(one: tuple[float, float], other: tuple[float, float]) -> float:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


def edge_near(place: tuple[int, int]) -> tuple[float, float]:
    """The nearest point of the sector's edge."""
    column, row = place
    ends = {column: (0.5, float(row)), SIDE + 1 - column: (SIDE + 0.5, float(row)),
            row: (float(column), 0.5), SIDE + 1 - row: (float(column), SIDE + 0.5)}
    return ends[min(ends)]


