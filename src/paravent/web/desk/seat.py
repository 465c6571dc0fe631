"""A seat at a table, in one language: what it sees, and what people and things are called."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import cached_property
from types import MappingProxyType
from typing import Any

from paravent.dice import ParaventError
from paravent.game import MissingField, System
from paravent.game.session import Session
from paravent.game.telling import Teller
from paravent.table.house import with_house_moves
from paravent.table.stage import with_open_moves
from paravent.table.state import State
from paravent.table.view import view
from paravent.web.sheets import SheetDrawer, rules_of_fields

from .cards import Card

_SPANS = (("minutes", 10), ("hours", 1), ("hours", 4), ("night", 1), ("days", 1), ("weeks", 1))


class Seat:
    """One seat of a table, in one language."""

    def __init__(self, state: State, seat: str, system: System, lang: str) -> None:
        self.state, self.seat, self.lang = state, seat, lang
        self.system = with_house_moves(system, state)
        self.teller = Teller(lang, system)
        self.is_gm = state.eyes.is_gm(seat)
        self.plays = state.seats[seat].grade != "spectator"
        self.rulings = system.book.still(state.rulings)
        self._cards: dict[int, Card] = {}

    @cached_property
    def view(self) -> dict[str, Any]:
        """All that the seat sees; not looked at for a word that is said."""
        return view(self.state, self.seat, self.system)

    def name(self, who: str) -> str:
        """A seat, a record or a role by the name people know it by."""
        if who in self.state.seats:
            return self.state.seats[who].name
        if who in self.view["records"]:
            return str(self.view["records"][who]["name"])
        return self.teller.role(who)

    @cached_property
    def names(self) -> dict[str, str]:
        """The names of everybody and everything this seat knows of, by id."""
        people = {**self.view["records"], **self.view["seats"]}
        return {who: str(held["name"]) for who, held in people.items()}

    @cached_property
    def session(self) -> Session:
        """The rules' side of the open moves, for forms and odds."""
        return with_open_moves(self.state, with_house_moves(self.system, self.state), self.seat)

    @cached_property
    def drawer(self) -> SheetDrawer:
        """What draws this game's records."""
        return SheetDrawer(self.system, self.teller, self.rulings, self.names)

    @cached_property
    def rules(self) -> dict[str, str]:
        """The rule that explains each field."""
        return rules_of_fields(self.system)

    def _kept(self, number: int) -> Mapping[str, Any]:
        """A move as the table keeps it, by this seat's number for it; not for showing."""
        at = next((at for at, own in self.state.counts[self.seat].moves.items() if own == number), "")
        return self.state.moves.get(at, {})

    def _named(self, value: Any, called: Mapping[str, str] = MappingProxyType({})) -> Any:
        """The same values, with seats and records by their names, and whoever is ``called`` something too."""
        if isinstance(value, Mapping):
            return {self._named(key): self._named(part, called) for key, part in value.items()}
        if isinstance(value, (list, tuple)):
            return [self._named(part, called) for part in value]
        return self.names.get(value, called.get(value, value)) if isinstance(value, str) else value

    def refusal(self, error: ParaventError) -> str:
        """A refusal as one sentence, with people by their names; what somebody else left out is said to be theirs."""
        role = error.values.get("role")
        if isinstance(error, MissingField) and role not in (None, "", "initiator"):
            what = self.teller.title(f"fields.{error.values['field']}")
            return self.teller.say("web.odds_lack_of", what=what, who=self.name(role))
        named = type(error).__new__(type(error))  # copied without asking it again for what it is made of
        named.__dict__.update(vars(error), values=self._named(error.values))
        return self.teller.error(named, spelled=False)

    @staticmethod
    def hour(instant: str) -> str:
        """A time of the world, as the clock on the wall shows it."""
        return datetime.fromisoformat(instant).astimezone().strftime("%H:%M:%S")

    def moment(self, minutes: int) -> str:
        """A time of the table's clock: the day and the hour."""
        return self.teller.say("web.day", day=minutes // 1440 + 1, hour=f"{minutes % 1440 // 60:02}",
                               minute=f"{minutes % 60:02}")

    def spans(self) -> list[dict[str, Any]]:
        """Spans of time at hand, and the moves of the game that go with the end of one."""
        return [{"span": span, "count": count, "words": self.teller.say(f"web.spans.{span}", n=count)}
                for span, count in _SPANS]
