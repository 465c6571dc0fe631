"""Who is in an encounter, as far as a seat sees them, and whose business it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from paravent.game import Listing
from paravent.game.plain import Plain
from paravent.table.kept import ByIdentity
from paravent.table.seen import EncounterSeen

from .seat import DeskSeat

_HOLDERS: ByIdentity[frozenset[str]] = ByIdentity()
_PEOPLE: ByIdentity[list[Person]] = ByIdentity()


class Person(NamedTuple):
    """Somebody whom the state of an encounter lists: their side if there are any, and what else it says of them."""

    id: str
    side: str
    is_down: bool
    told: Mapping[str, Plain]

    def at_turn(self, listing: Listing | None) -> Person:
        """The same now that it is their turn: that they have had it goes unsaid."""
        acted = "" if listing is None else listing.acted
        return self._replace(told={name: value for name, value in self.told.items() if name != acted})


class Inside:
    """The people of the encounters that a seat sees."""

    def __init__(self, seat: DeskSeat) -> None:
        self._seat = seat

    def listing(self, seen: EncounterSeen) -> Listing | None:
        """Where the state of an encounter lists who is in it, if its game says so."""
        declared = self._seat.system.encounters.get(seen.encounter)
        return None if declared is None else declared.people

    def people(self, seen: EncounterSeen) -> list[Person]:
        """Who is in an encounter, as far as the seat sees them."""
        return _PEOPLE.of((seen, self._seat.system.encounters), lambda: self._people(seen))

    def _people(self, seen: EncounterSeen) -> list[Person]:
        listing = self.listing(seen)
        rows = None if listing is None else seen.state.get(listing.field)
        if listing is None or not isinstance(rows, list):
            return []
        return [_person(row, listing) for row in rows if isinstance(row, dict)]

    def is_in(self, seen: EncounterSeen) -> bool:
        """Whether an encounter is this seat's business."""
        return self._seat.seat in self.holders(seen)

    def holders(self, seen: EncounterSeen) -> frozenset[str]:
        """The seats that answer for whomever an encounter names; all the players if it names nobody."""
        return _HOLDERS.of((seen, self._seat.eyes), lambda: self._holders(seen))

    def _holders(self, seen: EncounterSeen) -> frozenset[str]:
        named = set(_words_in(seen.state)) & set(self._seat.records)
        eyes = self._seat.eyes
        if not named:
            return frozenset(seat for seat, rank in eyes.seats.items() if rank == "player")
        return frozenset(seat for record in named for seat in eyes.controllers(record))


def _person(row: Mapping[str, Plain], listing: Listing) -> Person:
    """One of those whom a state lists."""
    told = dict(row)
    who, side, stands = (told.pop(name, None) for name in ("id", listing.side, listing.stands))
    told = {name: value for name, value in told.items() if not (isinstance(value, str) and value in listing.unsaid)}
    return Person(str(who), str(side or ""), stands is False, told)


def _words_in(value: Plain) -> Iterator[str]:
    """Every word that plain values hold, however deep."""
    if isinstance(value, str):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _words_in(part)
