"""A table played by names: people join, act and look; whatever each is told is kept, and watched for gaps.

After every command, for every seat: what it was told is numbered without gaps; it sees the table otherwise only if it
was told something; what it receives can be written as JSON.
"""

import hashlib
import hmac
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from paravent.dice.errors import ParaventError
from paravent.game import System
from paravent.table import commands as c
from paravent.table import events as e
from paravent.table.decide import Fresh, decide, open_table
from paravent.table.evolve import evolve
from paravent.table.forms import form_seen, odds_seen
from paravent.table.seen import plainly
from paravent.table.seen_news import event_seen
from paravent.table.state import State
from paravent.table.view import view

STEP_BY_STEP = e.House("meneur", "at-will")
"""A table at which the game master accepts all that follows, and judges at will: scenes about it say otherwise."""


def tokens(label: str) -> Callable[[int], bytes]:
    """Bytes that look unguessable and are the same for the same label."""
    at = [0]

    def token(n: int) -> bytes:
        at[0] += 1
        return hmac.digest(label.encode(), str(at[0]).encode(), "sha256")[:n]

    return token


def plain_state(state: State) -> dict[str, Any]:
    """All of a table, in plain values."""
    told: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(state))
    return told


def page(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


@dataclass
class Person:
    """Somebody at the table."""

    table: "Table"
    name: str
    seat: str
    received: list[str] = field(default_factory=list)
    """Everything that ever left the table for this seat, in order."""
    told: list[dict[str, Any]] = field(default_factory=list)

    def does(self, asked: type[c.Command], /, **values: Any) -> list[e.Event]:
        return self.table.do(self, asked(seat=self.seat, **values))

    def refused(self, asked: type[c.Command], /, **values: Any) -> str:
        """Asks for something that is refused; nothing changes. Gives the steady code."""
        state = self.table.state
        try:
            self.does(asked, **values)
        except ParaventError as refusal:
            assert self.table.state is state
            return refusal.code
        raise AssertionError(f"{asked.__name__} was not refused")

    def sees(self) -> dict[str, Any]:
        return plainly(view(self.table.state, self.seat, self.table.system))

    def page(self) -> str:
        return page(self.sees())

    def moves(self) -> dict[str, Any]:
        return self.sees()["moves"]

    def move(self, number: int = 0) -> dict[str, Any]:
        """A move as seen: the last one, if not said."""
        moves = self.moves()
        return moves[str(number or max(map(int, moves)))]

    def record(self, record: str) -> Any:
        return self.sees()["records"].get(record)

    def brings(self, name: str, kind: str = "character", **values: Any) -> str:
        extra = {key: values.pop(key) for key in ("seen_by", "owner") if key in values}
        events = self.does(c.AddRecord, kind=kind, sheet={"name": name, **values}, **extra)
        return next(event.record for event in events if isinstance(event, e.RecordAdded))

    def starts(self, move: str, cast: Any = None, form: Any = None, **more: Any) -> int:
        self.does(c.StartMove, move=move, cast=cast or {}, form=form or {}, **more)
        return self.table.state.counts_of(self.seat).known

    def fills(self, number: int, actor: str = "", **values: Any) -> None:
        self.does(c.Fill, number=number, values=values, actor=actor)

    def throws(self, number: int, grain: str = "", by_hand: bool = False) -> None:
        self.does(c.ThrowDice, number=number, grain=grain or f"nonce of {self.name}", by_hand=by_hand)

    def answers(self, number: int, answer: Any) -> None:
        self.does(c.Answer, number=number, answer=answer)

    def accepts(self, number: int, **more: Any) -> None:
        self.does(c.Accept, number=number, **more)

    def says(self, text: str, **more: Any) -> None:
        self.does(c.Say, text=text, **more)

    def odds(self, number: int) -> Any:
        return odds_seen(self.table.state, self.seat, number, self.table.system)

    def form(self, number: int) -> Any:
        return form_seen(self.table.state, self.seat, number, self.table.system)


class Table:
    """A table in memory, with everything it ever told to anybody."""

    def __init__(
        self, system: System, name: str = "Vendredi", label: str = "table", house: e.House = STEP_BY_STEP
    ) -> None:
        self.system, self._house = system, house
        self.state = State()
        self.events: list[e.Event] = []
        self.people: dict[str, Person] = {}
        self.commands = 0
        self.seconds = 0
        self.passed: dict[str, set[str]] = {}
        self.here: frozenset[str] = frozenset()
        self.label = label
        self.watch = True
        self._opening = name

    def joins(self, name: str, as_: str = "player") -> Person:
        if not self.people:
            first = open_table(self.system, self._opening, name, self._fresh("open"), house=self._house)
            self.people[name] = Person(self, name, first[0].by)
            self._take_in(first)
            return self.people[name]
        next(iter(self.people.values())).does(c.AddSeat, name=name, rank=as_)
        return self.people[name]

    def person(self, seat: str) -> Person:
        return next(person for person in self.people.values() if person.seat == seat)

    def _fresh(self, label: str) -> Fresh:
        now = datetime(2031, 5, 1, 20, tzinfo=UTC) + timedelta(seconds=self.seconds)
        return Fresh(tokens(f"{self.label} {label}"), now.isoformat(timespec="milliseconds"), passed=self.passed,
                     here=self.here)

    def do(self, person: Person, command: c.Command, label: str = "") -> list[e.Event]:
        label = label or str(self.commands)
        self.commands += 1
        self.seconds += 1
        try:
            happened = decide(self.state, command, self.system, self._fresh(label))
        except ParaventError as refusal:
            words = {lang: self.system.words.error(lang, refusal) for lang in ("fr", "en")}
            person.received.append(page({"code": refusal.code, "words": words}))
            raise
        again = [e.read(e.written(event)) for event in happened]
        assert again == list(happened)
        self._take_in(happened)
        return happened

    def _take_in(self, happened: list[e.Event]) -> None:
        before = {person.seat: self._looks(person) for person in self.people.values()} if self.watch else {}
        numbers = {person.seat: self.state.counts_of(person.seat).events for person in self.people.values()}
        were = dict(numbers)
        for event in happened:
            self.state = evolve(self.state, event)
            self.events.append(event)
            if isinstance(event, e.SeatAdded) and not any(p.seat == event.seat for p in self.people.values()):
                self.people[event.name] = Person(self, event.name, event.seat)
                numbers[event.seat] = 0
            for person in self.people.values():
                told = event_seen(self.state, event, person.seat, self.system)
                if told is None:
                    assert self.state.counts_of(person.seat).events == numbers[person.seat]
                    continue
                numbers[person.seat] += 1
                assert told["id"] == numbers[person.seat], (person.name, told)
                person.told.append(told)
                person.received.append(page(told))
        if not self.watch:
            return
        for person in self.people.values():
            after = self._looks(person)
            changed = person.seat in before and before[person.seat] != after
            told = numbers[person.seat] > were.get(person.seat, 0)
            gone = not self.state.seats[person.seat].present
            assert not changed or told or gone, (person.name, [type(event).__name__ for event in happened])
            person.received.append(page(plainly(view(self.state, person.seat, self.system))))

    def _looks(self, person: Person) -> Any:
        if person.seat not in self.state.seats:
            return None
        seen = plainly(view(self.state, person.seat, self.system))
        del seen["last"]
        return seen


def digest(lines: list[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
