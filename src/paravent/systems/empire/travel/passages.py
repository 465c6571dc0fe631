"""The way between two worlds before one leaves: legs, jumps, waiting, days and fare (EGW-096, EGW-194 to 196)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from heapq import heappop, heappush
from math import ceil, sqrt
from typing import NamedTuple

from paravent.game import Rulings, rule
from paravent.systems.empire.worlds.maps import Chart, area_of
from paravent.systems.empire.worlds.peoples import IMPERIAL
from paravent.systems.empire.worlds.sector import SIDE, SIDES, Colour, Route, Sector, links, position, side_by_side

from .travel import DAYS_A_JUMP, fare, jumps


class Port(NamedTuple):
    """A world that can be travelled to: its square, code, name and level; of a sector beside others, with where that
    lies (``1,0/0403``)."""

    square: str
    code: str
    name: str
    tech_level: int = 0

    @property
    def place(self) -> tuple[int, int]:
        """Its column and row, counted over all sectors."""
        area, _, square = self.square.rpartition("/")
        x, _, y = area.partition(",")
        column, row = position(square)
        return (column + SIDE * int(x), row + SIDE * int(y)) if area else (column, row)


class Net(NamedTuple):
    """What somebody knows of worlds and routes."""

    ports: tuple[Port, ...]
    routes: tuple[Route, ...]
    area: str = ""
    """Where the sector lies from which one looks, if it lies beside others: ``1,0/``."""

    def at(self, square: str) -> Port | None:
        """The world of a square."""
        return next((port for port in self.ports if port.square == square), None)

    def called(self, text: str) -> Port | None:
        """The world that somebody names: by its name, its code or its square, of this sector before the others."""
        wanted = text.strip().casefold()
        near = sorted(self.ports, key=lambda port: not port.square.startswith(self.area))
        return next((port for port in near if wanted and (wanted == port.name.casefold() or {
            wanted, f"{self.area}{wanted}"} & {port.code.casefold(), port.square})), None)


class Leg(NamedTuple):
    """One jump of a way; without a colour, that of a chartered barge where no route goes."""

    start: str
    end: str
    colour: Colour | None


class Passage(NamedTuple):
    """A voyage as it is bought: its legs, the levels of both ports, days of flight, fare for one."""

    legs: tuple[Leg, ...]
    departure: int
    arrival: int
    days: int
    credits: int

    @property
    def barges(self) -> int:
        """How many of its legs only barges go."""
        return sum(leg.colour is not Colour.RED for leg in self.legs)


def net_of(known: Sector | Chart) -> Net:
    """The worlds and routes of a sector, or as much of it as a map tells."""
    area = area_of(known)
    listed = known.worlds if isinstance(known, Sector) else known.known
    ports = tuple(Port(f"{area}{one.square}", f"{area}{one.code}", one.name, one.tech_level)
                  for one in listed if one.code)
    return Net(ports, tuple(Route(f"{area}{route.start}", f"{area}{route.end}" if route.end else "", route.colour)
                            for route in known.routes), area)


@rule("EGW-096")
def net_around(known: Sector | Chart, others: Iterable[Sector | Chart], rulings: Rulings) -> Net:
    """The same with the maps of the sectors beside, as far as one has them, and the routes over the edge.

    Of maps, every route between two known starports is known: the rule says that there is one.
    """
    beside = [one for one in others if one is not known and type(one) is type(known)
              and known.galaxy and one.galaxy == known.galaxy and (one.x, one.y) != (known.x, known.y)]
    if not beside:
        return net_of(known)
    found: list[Sector | Chart] = [known, *beside]
    whole = side_by_side([one for one in found if isinstance(one, Sector)], rulings)
    nets = [net_of(one) for one in whole or found]
    ports = tuple(port for net in nets for port in net.ports)
    over = _over_sectors(whole, ports) if whole else _over_charts(found, rulings)
    stubs = {route.start for route in over if route.colour is Colour.BLUE}
    routes = [route for net in nets for route in net.routes if route.end or route.start not in stubs]
    return Net(ports, (*routes, *over), area_of(known))


def _over_sectors(charts: Iterable[Sector], ports: tuple[Port, ...]) -> list[Route]:
    codes, found = {port.square: port.code for port in ports}, dict[frozenset[str], Route]()
    for one in charts:
        for link in links(one):
            x, y = one.x + link.dx, one.y + link.dy
            there = codes.get(f"{x},{y}/{link.square}" if (x, y) != (0, 0) else link.square, "")
            start = f"{area_of(one)}{link.start}"
            if there:
                route = Route(there, start, link.colour) if link.arrives else Route(start, there, link.colour)
                found.setdefault(frozenset((start, there)), route)
    return list(found.values())


def _over_charts(charts: list[Sector | Chart], rulings: Rulings) -> list[Route]:
    if rulings.red_routes in ("spanning_tree", "gabriel"):
        return []
    hubs = [(one, port) for one in charts for port in net_of(one).ports if port.tech_level == IMPERIAL]
    return [Route(port.code, other.code, Colour.RED) for at, (one, port) in enumerate(hubs)
            for beside, other in hubs[at + 1:] if (beside.x - one.x, beside.y - one.y) in SIDES.values()]


def _far(net: Net, one: str, other: str) -> int:
    (x, y), (u, v) = (port.place if (port := net.at(square)) is not None else position(square)
                      for square in (one, other))
    return (x - u) ** 2 + (y - v) ** 2


@rule("EGW-096", "EGW-195")
def legs_between(net: Net, start: str, end: str) -> tuple[Leg, ...] | None:
    """The fewest jumps, then the fewest barges, ties by code; one off the routes charters a barge to the nearest."""
    squares = {port.code: port.square for port in net.ports}
    codes = {port.square: port.code for port in net.ports}
    joined = {squares[code] for route in net.routes for code in route[:2] if code in squares}
    if not joined or start not in codes or end not in codes:
        return None
    first, last = (min(sorted(joined, key=lambda hub: codes[hub]), key=lambda hub: _far(net, square, hub))
                   for square in (start, end))
    found = _shortest(net.routes, squares, first, last)
    if found is None:
        return None
    before = (Leg(start, first, None),) if first != start else ()
    after = (Leg(last, end, None),) if last != end else ()
    return (*before, *found, *after)


def _shortest(
    routes: Iterable[Route], squares: dict[str, str], first: str, last: str
) -> tuple[Leg, ...] | None:
    ways: dict[str, list[Leg]] = {}
    for route in routes:
        if route.start in squares and route.end in squares:
            one, other = squares[route.start], squares[route.end]
            ways.setdefault(one, []).append(Leg(one, other, route.colour))
            ways.setdefault(other, []).append(Leg(other, one, route.colour))
    queue: list[tuple[int, int, tuple[str, ...], str, tuple[Leg, ...]]] = [(0, 0, (), first, ())]
    done: set[str] = set()
    while queue:
        n, barges, path, here, legs = heappop(queue)
        if here == last:
            return legs
        if here in done:
            continue
        done.add(here)
        for leg in ways.get(here, ()):
            if leg.end not in done:
                small = leg.colour is not Colour.RED
                heappush(queue, (n + 1, barges + small, (*path, leg.end), leg.end, (*legs, leg)))
    return None


@rule("EGW-097", "EGW-196")
def passage_between(
    net: Net, start: str, end: str, rulings: Rulings, by: str = "freighter", provided: bool = False
) -> Passage | None:
    """The voyage between two worlds, paid leg by leg: a barge where only barges go, the ship one chose elsewhere."""
    here, there, legs = net.at(start), net.at(end), legs_between(net, start, end)
    if here is None or there is None or legs is None:
        return None
    if rulings.off_route == "gm" and not provided and any(leg.colour is None for leg in legs):
        return None
    great = sum(leg.colour is Colour.RED for leg in legs)
    small = len(legs) - great
    hops = jumps(len(legs), Fraction(ceil(sqrt(_far(net, start, end)))), rulings)
    if rulings.jump == "squares":
        great, small = (hops, 0) if not small else (0, hops)
    credits = (fare(by, DAYS_A_JUMP * great, rulings) if great else 0) + (
        fare("barge", DAYS_A_JUMP * small, rulings) if small else 0)
    return Passage(legs, max(1, here.tech_level), max(1, there.tech_level), DAYS_A_JUMP * hops, credits)
