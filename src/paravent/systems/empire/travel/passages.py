"""The way between two worlds before one leaves: legs, jumps, waiting, days and fare (EGW-096, EGW-194 to 196)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from heapq import heappop, heappush
from math import ceil, sqrt
from typing import NamedTuple

from paravent.game import Rulings, rule
from paravent.systems.empire.worlds.maps import Chart
from paravent.systems.empire.worlds.sector import Colour, Route, Sector, position

from .travel import DAYS_A_JUMP, fare, jumps


class Port(NamedTuple):
    """A world that can be travelled to: its square, code, name and level."""

    square: str
    code: str
    name: str
    tech_level: int = 0


class Net(NamedTuple):
    """What somebody knows of worlds and routes."""

    ports: tuple[Port, ...]
    routes: tuple[Route, ...]

    def at(self, square: str) -> Port | None:
        """The world of a square."""
        return next((port for port in self.ports if port.square == square), None)

    def called(self, text: str) -> Port | None:
        """The world that somebody names: by its name, its code or its square."""
        wanted = text.strip().casefold()
        return next((port for port in self.ports if wanted and wanted in (
            port.name.casefold(), port.code.casefold(), port.square)), None)


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
    if isinstance(known, Sector):
        return Net(tuple(Port(one.square, one.code, one.name, one.tech_level) for one in known.worlds if one.code),
                   known.routes)
    return Net(tuple(Port(one.square, one.code, one.name, one.tech_level) for one in known.known if one.code),
               known.routes)


def _far(one: str, other: str) -> int:
    (x, y), (u, v) = position(one), position(other)
    return (x - u) ** 2 + (y - v) ** 2


@rule("EGW-096", "EGW-195")
def legs_between(net: Net, start: str, end: str) -> tuple[Leg, ...] | None:
    """The fewest jumps, then the fewest barges, ties by code; one off the routes charters a barge to the nearest."""
    squares = {port.code: port.square for port in net.ports}
    codes = {port.square: port.code for port in net.ports}
    joined = {squares[code] for route in net.routes for code in route[:2] if code in squares}
    if not joined or start not in codes or end not in codes:
        return None
    first, last = (min(sorted(joined, key=lambda hub: codes[hub]), key=lambda hub: _far(square, hub))
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
    net: Net, start: str, end: str, rulings: Rulings, by: str = "freighter"
) -> Passage | None:
    """The voyage between two worlds, paid leg by leg: a barge where only barges go, the ship one chose elsewhere."""
    here, there, legs = net.at(start), net.at(end), legs_between(net, start, end)
    if here is None or there is None or legs is None:
        return None
    if rulings.off_route == "gm" and any(leg.colour is None for leg in legs):
        return None
    great = sum(leg.colour is Colour.RED for leg in legs)
    small = len(legs) - great
    hops = jumps(len(legs), Fraction(ceil(sqrt(_far(start, end)))), rulings)
    if rulings.jump == "squares":
        great, small = (hops, 0) if not small else (0, hops)
    credits = (fare(by, DAYS_A_JUMP * great, rulings) if great else 0) + (
        fare("barge", DAYS_A_JUMP * small, rulings) if small else 0)
    return Passage(legs, max(1, here.tech_level), max(1, there.tech_level), DAYS_A_JUMP * hops, credits)
