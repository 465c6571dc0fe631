"""What all decisions share: what they are given, who is told, and the numbers that seats know things by.

Each chapter says what its commands bring about by registering with :func:`events_of`.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import singledispatch
from typing import Any

from paravent.game import System, UnknownName
from paravent.game.eyes import Eyes
from paravent.game.records import ALL, GM
from paravent.game.view import may_know

from . import commands as c
from . import events as e
from .errors import OnlyGameMaster
from .state import Running, State, evolve
from .view import Looking


@dataclass(frozen=True)
class Fresh:
    """What a decision may not make by itself: unguessable bytes, the time, and what is kept in no log."""

    token: Callable[[int], bytes] = secrets.token_bytes
    now: str = ""
    issued: dict[str, str] = field(default_factory=dict)
    """Links made by this decision, by seat: they are told once and kept only as hashes."""
    passed: dict[str, set[str]] = field(default_factory=dict)
    """By ballot, who put it in: who let pass what others may veto unseen, or, where it takes most, who did not.

    It is never written: that somebody did not pass would tell.
    """

    def link(self, seat: str) -> str:
        """Make an unguessable link for a seat, and give its hash."""
        self.issued[seat] = self.token(20).hex()
        return link_hash(self.issued[seat])

    def name(self) -> str:
        """A short name that tells nothing."""
        return self.token(5).hex()


def link_hash(token: str) -> str:
    """The only form in which a link is kept."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


@singledispatch
def events_of(command: c.Command, state: State, system: System, fresh: Fresh) -> list[e.Event]:
    """The events that a command brings about, as its chapter says; the game comes with the moves of the house."""
    raise UnknownName("command", type(command).__name__, c.COMMANDS)


def gm_only(state: State, command: c.Command) -> None:
    """Refuse anybody but a game master."""
    if not state.eyes_of(command.seat).is_gm(command.seat):
        raise OnlyGameMaster(what=e.type_name(type(command)))


def known_seat(state: State, seat: str) -> None:
    """Refuse a seat that there is not."""
    if seat not in state.seats:
        raise UnknownName("seat", seat, state.seats)


# Who is told


def everyone_or(eyes: Eyes, seats: Iterable[str]) -> tuple[str, ...]:
    """An audience of these seats: everyone, when it is all of them; game masters, when it is they."""
    named = frozenset(seats)
    if named == frozenset(eyes.seats):
        return (ALL,)
    return (GM,) if named == eyes.masters else tuple(sorted(named))


def looks(state: State, seat: str, system: System) -> dict[str, Any]:
    """All that a seat sees, its count of events aside."""
    whole = Looking(state, seat, system).whole()
    del whole["last"]
    return whole


def touching(state: State, events: Iterable[e.Event], system: System) -> list[e.Event]:
    """The events, each told as well to those for whom it makes the table look otherwise."""
    told = []
    for event in events:
        after = evolve(state, event)
        heard = after.hearing(event.audience)
        touched = [
            seat for seat, place in after.seats.items()
            if place.present and seat not in heard and seat in state.seats
            and looks(state, seat, system) != looks(after, seat, system)
        ]
        told.append(replace(event, touched=tuple(sorted(touched))))
        state = evolve(state, told[-1])
    return told


def told_changes(state: State, events: Iterable[e.Event], system: System) -> list[e.Event]:
    """The events; changes are told to those for whom they make a difference."""
    told: list[e.Event] = []
    for event in events:
        if isinstance(event, e.Changed):
            event = changes_told(state, event, system)
        told.append(event)
        state = evolve(state, event)
    return told


def changes_told(state: State, event: e.Changed, system: System) -> e.Changed:
    """Changes, told to those for whom the table then looks otherwise, and to the game masters."""
    after = evolve(state, replace(event, audience=()))
    eyes = state.eyes
    seats = {seat for seat in eyes.seats if looks(state, seat, system) != looks(after, seat, system)}
    return replace(event, audience=everyone_or(eyes, seats | eyes.masters))


def folded(state: State, events: Iterable[e.Event]) -> State:
    """The state after these events."""
    for event in events:
        state = evolve(state, event)
    return state


# Moves and encounters by a seat's own numbers


def number_of(state: State, seat: str, own: int) -> int | None:
    """The table's number of a move that the seat may know by its own; None where there is none."""
    found = next((at for at, number in state.known_moves(seat).items() if number == own), None)
    if found is None or not may_know(state.eyes_of(seat), seat, state.moves[found]):
        return None
    return int(found)


def seat_number(state: State, seat: str, own: int) -> int:
    """The table's number of a move that the seat knows by its own."""
    number = number_of(state, seat, own)
    if number is None:
        known = state.known_moves(seat).values()
        raise UnknownName("open move", str(own), (str(at) for at in known if number_of(state, seat, at) is not None))
    return number


def encounter_number(state: State, seat: str, own: int | None) -> int | None:
    """The table's number of an encounter that the seat knows by its own."""
    if own is None:
        return None
    known = state.known_encounters(seat)
    found = next((at for at, number in known.items() if number == own), None)
    if found is None or not _faces(state, seat, state.encounters.get(found)):
        raise UnknownName("encounter", str(own), (str(at) for at in known.values()))
    return int(found)


def _faces(state: State, seat: str, running: Running | None) -> bool:
    return running is not None and state.eyes_of(seat).may_see(seat, "", running.seen_by)
