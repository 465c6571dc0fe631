"""Who sits at the table and what lies on it; and commands, which do the whole thing or nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from paravent.dice.fair import Faces, LiveFaces
from paravent.game.errors import BadValue, NotYours, UnknownName
from paravent.game.eyes import Eyes, is_poll
from paravent.game.frozen import parts
from paravent.game.move import Telling
from paravent.game.open_move import OpenMove
from paravent.game.records import ALL, GM, Audience
from paravent.game.rulebook import Rulings
from paravent.game.system import Encounter, System

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S", bound="Seats")

TARGETS = ("encounter", "clock")
"""What a change may aim at besides a record: no record may bear these names."""


@dataclass(frozen=True)
class Held:
    """A record at the table: who answers for it (the game master when nobody), and who may see it."""

    record: Any
    kind: str
    owner: str = ""
    audience: Audience = frozenset({ALL})


@dataclass(frozen=True)
class Running:
    """An encounter under way, and who may know of it."""

    encounter: Encounter
    state: Any
    audience: Audience


@dataclass(frozen=True)
class Line:
    """One line of the account of the evening, for the seats that hear it."""

    telling: Telling
    seats: frozenset[str]
    move: int


def whole(command: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """A command that does the whole thing or, when it raises, leaves everything as it was."""

    @wraps(command)
    def done(self: S, /, *args: P.args, **kwargs: P.kwargs) -> R:
        before = self._kept()
        self._acting.append(args[0] if args else "")
        try:
            return command(self, *args, **kwargs)
        except BaseException:
            self._restore(before)
            raise
        finally:
            self._acting.pop()

    return done


class Seats:
    """Seats, records, open moves, encounters, the account of the evening; and who may see which."""

    def __init__(
        self,
        system: System,
        seats: Mapping[str, str],
        rulings: Mapping[str, str] | None = None,
        faces: Faces | None = None,
    ) -> None:
        self.system = system
        self.seats = dict(seats)
        self.rulings = rulings if isinstance(rulings, Rulings) else system.book.rulings(rulings)
        self.faces: Faces = faces or LiveFaces()
        self.records: dict[str, Held] = {}
        self.moves: dict[int, OpenMove] = {}
        self.encounters: dict[int, Running] = {}
        self.log: list[Line] = []
        self.known: dict[str, tuple[int, ...]] = dict.fromkeys(self.seats, ())
        """For each seat, the moves it has come to know of, in that order: its own numbers for them."""
        self._acting: list[Any] = []
        """Who asked for what is being done, first of all."""
        self.day = 0
        self.clock: dict[str, Any] = {}
        """What the clock shows besides the day: ``minutes`` of the whole fiction, ``scene`` and ``episode``, and
        ``timers.<name>``, if kept."""

    def _kept(self) -> dict[str, Any]:
        """All that changes, as it is now; what it holds is frozen."""
        return {
            "records": dict(self.records), "moves": dict(self.moves), "encounters": dict(self.encounters),
            "log": list(self.log), "known": dict(self.known), "day": self.day,
            "clock": dict(self.clock),
        }

    def _restore(self, kept: Mapping[str, Any]) -> None:
        self.__dict__.update(kept)

    @property
    def eyes(self) -> Eyes:
        """Who is who, as things stand."""
        return Eyes(self.seats, {name: held.owner for name, held in self.records.items() if held.owner})

    def is_gm(self, seat: str) -> bool:
        """Whether this seat is a game master's."""
        return self.eyes.is_gm(seat)

    def _masters_only(self, seat: str, what: str) -> None:
        if not self.is_gm(seat):
            raise NotYours(seat=seat, what=what)

    def controllers(self, actor_id: str) -> frozenset[str]:
        """The seats that answer for an actor."""
        return self.eyes.controllers(actor_id)

    def seats_of(self, op: OpenMove, audience: Iterable[str]) -> frozenset[str]:
        """The people that grades and roles stand for, in this move."""
        return self.eyes.hearing(parts(op, self.system), op.move.by, audience)

    def _seats_named(self, op: OpenMove, name: str) -> frozenset[str]:
        return self.seats_of(op, (name,))

    def _seated(self, seat: str) -> None:
        if seat not in self.seats:
            raise UnknownName("seat", seat, self.seats)

    def may_see(self, seat: str, name: str) -> bool:
        """Whether a seat may know that a record exists."""
        return self.eyes.may_see(seat, name, self.records[name].audience | {"owner"})

    @whole
    def add(
        self, name: str, record: Any, kind: str = "character", owner: str = "", audience: Audience | None = None
    ) -> None:
        """Bring a record to the table."""
        declared = self.system.kind(kind)
        if name in (GM, ALL, *TARGETS) or not name or is_poll(name):
            raise BadValue(field="record", got=name, expected="name")
        if owner and owner not in self.seats:
            raise UnknownName("seat", owner, self.seats)
        seen_by = declared.audience if audience is None else audience
        self.records[name] = Held(declared.validated(record, self.rulings), kind, owner, seen_by)
