"""A seat at a table, in one language: what it sees, piece by piece, and what people and things are called.

Nothing is looked at before it is asked for: a part of a page that shows the clock never reads a sheet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from msgspec import UNSET

from paravent.dice import ParaventError
from paravent.game import MissingField, System
from paravent.game.eyes import Eyes
from paravent.game.lazily import cached_property
from paravent.game.people import reference
from paravent.game.rulebook import Rulings
from paravent.game.telling import Teller
from paravent.game.words import AsTyped
from paravent.table.act import Act
from paravent.table.deciding import Fresh, number_of
from paravent.table.house import with_house_moves
from paravent.table.kept import ByIdentity
from paravent.table.seen import EncounterSeen, LineSeen, MoveSeen, RecordSeen, SeatSeen
from paravent.table.sight import Sight
from paravent.table.state import State
from paravent.table.stranded import with_stranded
from paravent.table.turn import Turn
from paravent.table.view import Looking
from paravent.web.faces import face_of
from paravent.web.sheets import SheetDrawer

_NAMES: ByIdentity[Mapping[str, str]] = ByIdentity()
"""What everybody and everything is called, by the records and the seats that one sees."""
_DOUBLES: ByIdentity[frozenset[str]] = ByIdentity(256)
"""The names that several records of a table have, whoever knows of them."""
GROUNDS = 6
"""How many colours there are for what lies under a portrait."""
_OPEN: ByIdentity[list[MoveSeen]] = ByIdentity()
"""Of the acts that one knows of, those that are not over."""
_SPANS = (("minutes", 10), ("hours", 1), ("hours", 4), ("night", 1), ("days", 1), ("weeks", 1))


@dataclass(frozen=True)
class Face:
    """What somebody is known by at a glance: the name of a picture that was brought, or the address of a drawing."""

    picture: str = ""
    drawn: str = ""

    @property
    def ground(self) -> int:
        """The colour that a drawing lies on, which is the drawing's wherever it stands."""
        return sum(map(ord, self.drawn)) % GROUNDS


_FACES: ByIdentity[Mapping[str, Face]] = ByIdentity()
"""And their pictures."""


@dataclass(frozen=True)
class Span:
    """A span of time at hand."""

    span: str
    count: int
    words: str


def _several(names: Iterable[str]) -> frozenset[str]:
    """Of these names, those that are there more than once."""
    return frozenset(name for name, times in Counter(names).items() if times > 1)


class DeskSeat:
    """One seat of a table, in one language."""

    def __init__(self, state: State, seat: str, system: System, lang: str) -> None:
        self.state, self.seat, self.lang = state, seat, lang
        self.system = with_house_moves(system, state)
        self.teller = Teller(lang, system, self.name)
        self.is_gm = state.eyes.is_gm(seat)
        self.plays = state.seats[seat].rank != "spectator"
        self.looking = Looking(state, seat, self.system)
        self._table_numbers: dict[int, int] = {}

    def leave(self) -> None:
        """Let go of everything that lies before the seat, once it is drawn: all of it leads back here, and would stay
        in memory, with the table as it was, until Python looks for waste, which keeps everybody waiting."""
        vars(self).clear()

    @cached_property
    def eyes(self) -> Eyes:
        """Who is who, for this seat: to whoever left, what was theirs still is."""
        return self.state.eyes_of(self.seat)

    @cached_property
    def rulings(self) -> Rulings:
        """The options of the table, each settled."""
        return self.system.book.still(self.state.rulings)

    @cached_property
    def records(self) -> dict[str, RecordSeen]:
        """The records that the seat sees."""
        return self.looking.records()

    @cached_property
    def moves(self) -> Mapping[int, MoveSeen]:
        """The acts that the seat knows of, by its own numbers."""
        return with_stranded(self.state, self.seat, self.system, self.looking.moves_at_hand())

    @cached_property
    def open_moves(self) -> list[MoveSeen]:
        """Those of them that are not over."""
        moves = self.moves
        if not isinstance(moves, dict):  # of a table that is read again whole
            return [move for move in moves.values() if move.is_open]
        return _OPEN.of((moves,), lambda: [move for move in moves.values() if move.is_open])

    @cached_property
    def encounters(self) -> dict[int, EncounterSeen]:
        """The encounters that the seat knows of, by its own numbers."""
        return self.looking.encounters()

    @cached_property
    def log(self) -> tuple[LineSeen, ...]:
        """The latest lines of the log that the seat reads."""
        return self.looking.log()

    @cached_property
    def seats(self) -> dict[str, SeatSeen]:
        """Who sits around the table."""
        return {name: SeatSeen(place.name, place.rank, place.present) for name, place in self.state.seats.items()}

    @property
    def receivers(self) -> dict[str, SeatSeen]:
        """Those to whom something may be given: whoever is there, or may come back by a link."""
        return {name: seen for name, seen in self.seats.items() if seen.present or self.state.seats[name].link}

    @property
    def last(self) -> int:
        """How many events the seat was told of."""
        return self.state.counts_of(self.seat).events

    def name(self, who: str) -> str:
        """A seat, a record or a role by the name people know it by; whom the seat may not know is somebody."""
        if who in self.state.seats:
            return self.state.seats[who].name
        seen = self.looking.record(who)
        if seen is not None:
            return self.called(seen)
        if who in self.looking.unseen:
            return self.teller.say_plainly("telling.somebody")
        return self.gone.get(who) or self.teller.role(who)

    def called(self, seen: RecordSeen) -> str:
        """What a record is called: of those whom the seat knows by one name, whoever plays one says which is meant."""
        if seen.name in self._shared and seen.owner in self.state.seats:
            return f"{seen.name} ({self.state.seats[seen.owner].name})"
        return seen.name

    @cached_property
    def _shared(self) -> frozenset[str]:
        """The names by which the seat knows several records; whom it does not know never counts."""
        held = self.state.records
        doubles = _DOUBLES.of((held,), lambda: _several(one.name for one in held.values()))
        return doubles and _several(seen.name for seen in self.records.values())

    @cached_property
    def gone(self) -> Mapping[str, str]:
        """The names of those who left the table and whom this seat knew: earlier lines still tell of them."""
        return self.looking.gone()

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The names of everybody and everything this seat knows of, by id."""
        records, seats = self.records, self.state.seats
        here = _NAMES.of((records, seats), lambda: {**{who: self.called(seen) for who, seen in records.items()},
                                                    **{who: place.name for who, place in seats.items()}})
        return {**self.gone, **here} if self.gone else here

    @cached_property
    def faces(self) -> Mapping[str, Face]:
        """The faces of those whom this seat knows of, by what they are called; a seat has its only character's."""
        shown = tuple([(held.name, held.kind, held.owner, held.picture) for held in self.records.values()])
        return _FACES.of((self.state.seats, self.system.kinds), self._faces, shown)

    def _faces(self) -> Mapping[str, Face]:
        shown: dict[str, Face | None] = {}
        for held in self.records.values():
            face = self._face(held)
            shown[held.name] = face if shown.get(held.name, face) == face else None
            shown[self.called(held)] = face if self.called(held) != held.name else shown[held.name]
        for seat, place in self.seats.items():
            played = [held for held in self.records.values() if held.owner == seat and held.kind in self.system.played]
            if len(played) == 1:
                shown.setdefault(place.name, self._face(played[0]))
        return {name: face for name, face in shown.items() if face is not None}

    def _face(self, held: RecordSeen) -> Face | None:
        return self.likeness(held.name, held.kind) if held.picture is UNSET else Face(held.picture.name)

    def likeness(self, name: str, kind: str) -> Face | None:
        """A portrait from nothing but a name; None where such a record has none."""
        found = self.system.kinds.get(kind)
        sort = found.portrait if found is not None and name else ""
        return Face(drawn=face_of(name, sort, self.system.package)) if sort else None

    @cached_property
    def turn(self) -> Turn:
        """The rules' side of the open acts, for forms; nothing is done with it."""
        return Turn(self.state, self.system, Fresh(), self.seat)

    @cached_property
    def sight(self) -> Sight:
        """What the game's functions may read for this seat, for forms and odds."""
        return Sight(self.state, self.system, self.seat)

    @cached_property
    def drawer(self) -> SheetDrawer:
        """What draws this game's records."""
        return SheetDrawer(self.system, self.teller, self.rulings, self.names, self.state.day, self.is_gm)

    @property
    def rules(self) -> Mapping[str, str]:
        """The rule that explains each field."""
        return self.system.explained

    def table_number(self, own: int) -> int:
        """The table's number of an act, by this seat's; not for showing. None has 0."""
        if own not in self._table_numbers:
            self._table_numbers[own] = number_of(self.state, self.seat, own) or 0
        return self._table_numbers[own]

    def act(self, own: int) -> Act | None:
        """An act as the table keeps it, by this seat's number for it; not for showing."""
        return self.state.moves.get(self.table_number(own))

    def named(self, value: Any, called: Mapping[str, str] = MappingProxyType({})) -> Any:
        """The same values, with seats and records by their names, and whoever is ``called`` something too."""
        if reference(value) is not None:
            return value  # whoever says it calls them by their names
        if isinstance(value, Mapping):
            return {self.named(key): self.named(part, called) for key, part in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.named(part, called) for part in value]
        return self.names.get(value, called.get(value, value)) if isinstance(value, str) else value

    def refusal(self, error: ParaventError) -> str:
        """A refusal as one sentence, with people by their names; what somebody else left out is said to be theirs."""
        role = error.values.get("role")
        if isinstance(error, MissingField) and role not in (None, "", "initiator"):
            what = self.teller.title(f"fields.{error.values['field']}")
            return self.teller.say("web.odds_lack_of", what=what, who=self.name(role))
        named = type(error).__new__(type(error))  # copied without asking it again for what it is made of
        named.__dict__.update(vars(error), values=self.named(error.values))
        return self.teller.error(named, spelled=False)

    @staticmethod
    def hour(instant: str) -> str:
        """A time of the world, as the clock on the wall shows it."""
        return datetime.fromisoformat(instant).astimezone().strftime("%H:%M:%S")

    def date(self, instant: str) -> str:
        """A day of the world: no skill of that number is meant."""
        day = datetime.fromisoformat(instant).astimezone()
        return self.teller.say("web.date", day=AsTyped(f"{day.day:02}"), month=AsTyped(f"{day.month:02}"),
                               year=AsTyped(day.year))

    def moment(self, minutes: int) -> str:
        """A time of the table's clock: the day and the hour."""
        return self.teller.moment(minutes)

    def clock_time(self) -> str:
        """The hour of the table's clock, as a form holds it."""
        return f"{self.state.minute // 60:02}:{self.state.minute % 60:02}"

    def spans(self) -> list[Span]:
        """Spans of time at hand."""
        return [Span(span, count, self.teller.say(f"web.spans.{span}", n=count)) for span, count in _SPANS]
