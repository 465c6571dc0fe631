"""How an encounter would end: as it stands, and without each of those who stand in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from paravent.game.move import Context, Forecast
from paravent.game.plain import Plain
from paravent.game.system import AnyEncounter, Listing

from .acting import foreseen
from .seen import EncounterSeen
from .turn import Turn

_FEW = 4
"""How many may stand for each to be thought away."""


class Contender(NamedTuple):
    """Somebody whom an encounter lists: their side, and whether they are out of it."""

    id: str
    side: str
    is_down: bool


class WayToEnd(NamedTuple):
    """How it would end with everybody, or without one of them."""

    without: str
    given: Forecast
    wins: Fraction
    """The chance that the side of whoever is listed first comes out on top."""
    ctx: Context


def listed(seen: EncounterSeen, listing: Listing) -> list[Contender]:
    """Who is in an encounter, as a seat sees it."""
    rows: Plain = seen.state.get(listing.field)
    people = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return [Contender(str(row.get("id", "")), str(row.get(listing.side, "")) if listing.side else "",
                   bool(listing.stands) and row.get(listing.stands) is False) for row in people]


def first_side(people: Sequence[Contender]) -> list[Contender]:
    """Those on the side of whoever is listed first."""
    return [one for one in people if one.side == people[0].side]


def ways_to_end(turn: Turn, declared: AnyEncounter, people: Sequence[Contender], encounter: int) -> Iterator[WayToEnd]:
    """How it would end as it stands, and without each of those who stand, where they are few."""
    if not declared.foresees or not people:
        return
    move = turn.system.move(declared.foresees)
    first, second = [role.id for role in move.cast if role.most is None][:2]
    ours, up = first_side(people), [one for one in people if not one.is_down]
    for gone in (None, *(up if len(up) <= _FEW else ())):
        cast = {first: [one.id for one in ours if one is not gone],
                second: [one.id for one in people if one not in ours and one is not gone]}
        found = foreseen(turn, move, cast, encounter) if all(cast.values()) else None
        if found is not None and found[0].wins is not None:
            yield WayToEnd("" if gone is None else gone.id, found[0], found[0].wins, found[1])
