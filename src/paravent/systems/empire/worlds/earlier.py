"""Worlds of earlier tables: a sheet, a market and the players' map become those of the square that they told of."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from paravent.dice import ParaventError
from paravent.game import Plain, from_plain, to_plain
from paravent.game.errors import BROKEN
from paravent.game.upgrades import Together, Values

from .sector import Sector, christened_all

KINDS = ("sector", "world", "chart", "market")
COMPARED = ("name", "n_planets", "size_t", "oceans_o", "diameter_more", "life", "life_die", "people", "fauna",
            "remarks")
"""What two copies of a world may differ in."""
Sheets = Mapping[str, Mapping[str, Values]]

EARLIER: Mapping[str, tuple[Values, ...]] = {
    "sector": ({"name": "Marges", "seed": "marges", "worlds": [
        {"square": "0101", "code": "A", "n_planets": 9, "size_t": 6, "oceans_o": 7, "life": "animal_life",
         "life_die": 2}]},),
    "world": ({"name": "A 0101", "square": "0101", "code": "A", "n_planets": 9, "size_t": 6, "oceans_o": 7,
               "life": "animal_life", "life_die": 2},),
    "chart": ({"name": "Marges", "known": [{"square": "0101", "kind": "animal_life", "code": "A"}]},),
    "market": ({"name": "Ixe", "tech_level": 4, "world": "Ixe"},),
}
"""Sheets as the first version wrote them."""


def brought_over(sheets: Sheets) -> Sheets:
    """Each world's sheet, market and map joined to the sector that it is of, and one of two differing copies kept."""
    found: dict[str, dict[str, Values]] = {kind: dict(sheets.get(kind, {})) for kind in KINDS}
    for name, chart in found["sector"].items():
        found["sector"][name] = _named(chart)
    for name, world in found["world"].items():
        home = _home(found["sector"], world)
        if home:
            found["world"][name] = _joined(found["sector"][home], home, world)
    for chart in found["chart"].values():
        chart["sector"] = _charted_by(found["sector"], chart)
    for market in found["market"].values():
        market["sector"], market["square"] = _held_at(found["sector"], market)
    return found


UPGRADE = Together(dict.fromkeys(KINDS, 1), brought_over)


def _worlds(chart: Values) -> list[Values]:
    listed = chart.get("worlds")
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []


def _named(chart: Values) -> Values:
    """The sector, its worlds with names; one that nobody can read is left as it is."""
    with suppress(ParaventError, *BROKEN):
        return to_plain(christened_all(from_plain(Sector, chart)))
    return chart


def _home(sectors: Mapping[str, Values], world: Values) -> str:
    """The sector that has such a world in such a square, if one has."""
    square = world.get("square")
    there = [(name, one) for name, chart in sectors.items() for one in _worlds(chart) if square and
             one.get("square") == square]
    alike = [name for name, one in there if one.get("n_planets") == world.get("n_planets")]
    return next(iter((*alike, *(name for name, _ in there))), "")


def _joined(chart: Values, home: str, world: Values) -> Values:
    """The sheet of a world, and its square of the map, as the one of the two that was last edited by hand."""
    square = str(world.get("square"))
    at, mapped = next((at, one) for at, one in enumerate(_worlds(chart)) if one.get("square") == square)
    unnamed = world.get("name") in ("", f"{world.get('code', '')} {square}".strip())
    sheet = {**mapped, **world, "code": mapped.get("code", ""), **({"name": mapped.get("name", "")} if unnamed else {})}
    on_map = bool(mapped.get("edited")) and not world.get("edited")
    kept, other = (mapped, sheet) if on_map else (sheet, mapped)
    differs = {part: other[part] for part in COMPARED if part in other and other[part] != kept.get(part)
               and other[part] not in ("", 0, None, [])}
    kept = {**kept, "fauna": kept.get("fauna") or other.get("fauna") or [],
            "remarks": _noted(kept.get("remarks"), differs if _is_other(differs) else {})}
    if differs:
        kept["edited"] = True
    listed = chart["worlds"]
    if isinstance(listed, list):
        listed[at] = {**kept, "faces": [], "sector": "", "seed": ""}
    seed = str(chart.get("seed") or "")
    return {**kept, "faces": world.get("faces") or [], "sector": home, "seed": f"{seed}/{square}" if seed else ""}


def _is_other(differs: Mapping[str, Plain]) -> bool:
    return bool(set(differs) - {"fauna"})


def _noted(remarks: Plain, differs: Mapping[str, Plain]) -> str:
    """Notes with what the other copy said."""
    lines = [str(remarks)] if remarks else []
    return "\n".join([*lines, *(f"≠ {part}: {value}" for part, value in differs.items())])


def _charted_by(sectors: Mapping[str, Values], chart: Values) -> str:
    """The sector that a players' map is of: of the same name, else the one whose codes it knows, else the only one."""
    named = [name for name, one in sectors.items() if one.get("name") == chart.get("name")]
    known = chart.get("known")
    codes = {(one.get("square"), one.get("code")) for one in known if isinstance(one, dict) and one.get("code")} if (
        isinstance(known, list)) else set()
    fits = [name for name, one in sectors.items()
            if codes and codes <= {(each.get("square"), each.get("code")) for each in _worlds(one)}]
    return next(iter((*named, *fits, *(sectors if len(sectors) == 1 else ()))), "")


def _held_at(sectors: Mapping[str, Values], market: Values) -> tuple[str, str]:
    """The sector and the square of a market: those of the world of its name."""
    place = market.get("world") or market.get("name")
    found = [(name, str(one.get("square"))) for name, chart in sectors.items() for one in _worlds(chart)
             if place and place in (one.get("name"), f"{one.get('code')} {one.get('square')}")]
    return found[0] if found else ("", "")
