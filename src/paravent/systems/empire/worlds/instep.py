"""One world, however many sheets tell of it: its square on the map, its own sheet, its market, the players' map."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from paravent.game import Rulings

from .maps import Chart, revealed
from .planet import World
from .sector import Sector, beside_another, charted, galaxy_told, name_told

GIVEN = ("name", "n_planets", "size_t", "oceans_o", "diameter_more", "life", "life_die", "people", "port_name")
"""What a world is given at birth: where it differs from that, a hand was at it."""


def on_the_map(found: World) -> World:
    """A world as its sector keeps it."""
    return replace(found, sector="", seed="", faces=())


def sector_in_step(name: str, chart: Sector, sheet: str, found: World, rulings: Rulings) -> Sector:
    """The sector once one of its worlds is as its own sheet says; what was not born so is marked."""
    before = chart.world_at(found.square) if found.sector == name else None
    if before is None:
        return chart
    after = replace(on_the_map(found), code=before.code, edited=found.edited or before.edited)
    if after == before:
        return chart
    if any(getattr(after, part) != getattr(before, part) for part in GIVEN):
        after = replace(after, edited=True)
    worlds = tuple(after if other is before else other for other in chart.worlds)
    return charted(replace(chart, worlds=worlds), rulings)


def world_in_step(sheet: str, found: World, name: str, chart: Sector, rulings: Rulings) -> World:
    """The sheet of a world once its square is as the map says; one whose square was emptied stays as it was."""
    now = chart.world_at(found.square) if found.sector == name else None
    if now is None:
        return found
    return replace(now, sector=name, seed=chart.key(now.square), faces=found.faces)


def chart_in_step(sheet: str, known: Chart, name: str, chart: Sector, rulings: Rulings) -> Chart:
    """The players' map once the sector is as it is: what they know of it, no square more but the one where they are."""
    if known.sector != name:
        return known
    return replace(revealed(known, chart, (chart.party,) if chart.party else (), rulings), party=chart.party,
                   galaxy=galaxy_told(chart), x=chart.x, y=chart.y)


def chart_that_comes(
    name: str, before: Sector, chart: Sector, known: Mapping[str, Chart], rulings: Rulings
) -> tuple[str, Chart] | None:
    """The players' map of a sector beside one they have a map of, once they come there: the square where they are."""
    if not chart.party or chart.party == before.party or any(one.sector == name for one in known.values()):
        return None
    galaxy = galaxy_told(chart)
    beside = next((at for at, one in known.items() if one.sector and galaxy and one.galaxy == galaxy), None)
    if beside is None:
        return None
    return beside, chart_in_step("", Chart(name_told(chart), sector=name), name, chart, rulings)


def sector_beside_in_step(name: str, chart: Sector, sheet: str, other: Sector, rulings: Rulings) -> Sector:
    """The sector once one beside it is as it is."""
    return beside_another(chart, other, rulings)


def party_in_step(name: str, chart: Sector, sheet: str, known: Chart, rulings: Rulings) -> Sector:
    """The sector once the group has moved on the players' map."""
    return replace(chart, party=known.party) if known.sector == name else chart
