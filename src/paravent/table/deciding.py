"""What all decisions share: what they are given, who is told, and the numbers that seats know things by.

Each chapter says what its commands bring about by registering with :func:`events_of`.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import singledispatch

from msgspec.structs import replace

from paravent.dice.fair import Faces
from paravent.game import System, UnknownName
from paravent.game.eyes import Eyes
from paravent.game.records import ALL, GM

from . import commands as c
from . import events as e
from .errors import OnlyGameMaster
from .evolve import evolve
from .knowing import may_know
from .state import Running, State
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

    faces: Faces | None = None
    """Dice other than those of the table's own keys: a script's, or a seed's."""

    here: frozenset[str] = frozenset()
    """The seats that are listening just now: they may be asked for a grain."""

    def link(self, seat: str) -> str:
        """Make an unguessable link for a seat, and give its hash."""
        self.issued[seat] = self.token(20).hex()
        return link_hash(self.issued[seat])

    def name(self, wanted: str = "") -> str:
        """A short name that tells nothing, whatever was wanted."""
        return self.token(5).hex()


def link_hash(token: str) -> str:
    """The only form in which a link is kept."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


@singledispatch
def events_of(command: c.Command, state: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
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


def looks_otherwise(before: State, after: State, seat: str, system: System) -> bool:
    """Whether a seat sees anything but its count of events otherwise; what did not change is not looked at."""
    if (before.settled is not after.settled and before.rulings != after.rulings) or (
        (before.minutes, before.scene, before.episode, before.name, before.house) != (
            after.minutes, after.scene, after.episode, after.name, after.house)
    ) or (before.seats is not after.seats and _around(before) != _around(after)):
        return True
    was, now = Looking(before, seat, system), Looking(after, seat, system)
    if was.is_gm and (before.timers, before.prepared, before.deck) != (after.timers, after.prepared, after.deck):
        return True
    if before.hourglass != after.hourglass or (
            before.notes is not after.notes and was.notes() != now.notes()) or (
            before.appointments is not after.appointments and was.appointments() != now.appointments()):
        return True
    same = before.eyes_of(seat) is after.eyes_of(seat)
    known = before.counts_of(seat), after.counts_of(seat)
    numbers = same and known[0].moves == known[1].moves and known[0].encounters == known[1].encounters
    return (
        (not (same and before.records is after.records) and was.records() != now.records())
        or (not (numbers and before.moves is after.moves) and was.moves() != now.moves())
        or (not (same and before.backdrop is after.backdrop and before.documents is after.documents)
            and (was.backdrop(), was.documents()) != (now.backdrop(), now.documents()))
        or (not (numbers and before.encounters is after.encounters) and was.encounters() != now.encounters())
        or (not (numbers and before.log is after.log and before.records is after.records) and was.log() != now.log())
    )


def _around(state: State) -> list[tuple[str, str, str, bool]]:
    return [(seat, place.name, place.rank, place.present) for seat, place in state.seats.items()]


def touching(state: State, events: Iterable[e.AnyEvent], system: System) -> list[e.AnyEvent]:
    """The events, each told as well to those for whom it makes the table look otherwise."""
    told = []
    for event in events:
        after = evolve(state, event)
        heard = after.hearing(event.audience)
        touched = [
            seat for seat, place in after.seats.items()
            if place.present and seat not in heard and seat in state.seats
            and looks_otherwise(state, after, seat, system)
        ]
        told.append(replace(event, touched=tuple(sorted(touched))))
        state = evolve(state, told[-1])
    return told


def told_changes(state: State, events: Iterable[e.AnyEvent], system: System) -> list[e.AnyEvent]:
    """The events; changes are told to those for whom they make a difference."""
    told: list[e.AnyEvent] = []
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
    seats = {seat for seat in eyes.seats if looks_otherwise(state, after, seat, system)}
    return replace(event, audience=everyone_or(eyes, seats | eyes.masters))


def as_one(events: Iterable[e.AnyEvent]) -> list[e.AnyEvent]:
    """Events of one gesture: whatever follows the first goes with it, in the log and when it is taken back."""
    first, *rest = events
    return [first, *(replace(event, together=True) if isinstance(event, e.OfOneGesture) else event for event in rest)]


def folded(state: State, events: Iterable[e.AnyEvent]) -> State:
    """The state after these events."""
    for event in events:
        state = evolve(state, event)
    return state


# Moves and encounters by a seat's own numbers


def number_of(state: State, seat: str, own: int) -> int | None:
    """The table's number of a move that the seat may know by its own; None where there is none."""
    found = state.table_number(seat, own)
    if found is None or state.own_number(seat, found) is None:
        return None
    return found if may_know(state.eyes_of(seat), seat, state.moves[found]) else None


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
    return found


def _faces(state: State, seat: str, running: Running | None) -> bool:
    return running is not None and state.eyes_of(seat).may_see(seat, "", running.seen_by)
