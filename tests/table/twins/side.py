"""One of the two tables, and the faces that fall at it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from declared import Declared
from scene import page, tokens

from paravent.dice import KeyedFaces
from paravent.dice.errors import ParaventError
from paravent.game import System
from paravent.table import commands as c
from paravent.table import events as e
from paravent.table.decide import Fresh, decide
from paravent.table.evolve import evolve
from paravent.table.host import Host
from paravent.table.house import with_house_moves
from paravent.table.live import Live
from paravent.table.seen_news import event_seen
from paravent.table.state import State
from paravent.table.turn import Turn


@dataclass
class Tried:
    """What a command would do."""

    happened: list[e.Event] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    refusal: ParaventError | None = None
    reply: dict[str, Any] = field(default_factory=dict)
    passed: dict[str, set[str]] = field(default_factory=dict)


class Side:
    """A table, with its own secrets."""

    def __init__(self, system: System, secrets: int) -> None:
        self.system, self.luck, self.salt = system, Random(secrets), str(secrets).encode()
        self.state = State()
        self.live = Live(system, self.state)
        self.rows: list[str] = []
        self.seats: dict[str, str] = {}
        self.links: dict[str, str] = {}
        self.passed: dict[str, set[str]] = {}
        self.hidden: list[str] = []
        """Records that no watcher knows of."""

    def fresh(self, label: str, at: int) -> Fresh:
        now = datetime(2031, 5, 1, 20, tzinfo=UTC) + timedelta(seconds=at)
        passed = {name: set(seats) for name, seats in self.passed.items()}
        return Fresh(tokens(label), now.isoformat(timespec="milliseconds"), passed=passed)

    def tries(self, command: c.Command, label: str, at: int) -> Tried:
        fresh = self.fresh(label, at)
        try:
            happened = decide(self.state, command, self.system, fresh)
        except ParaventError as refusal:
            # A game made for tests may break on a form that it shows no example of; a whole one may not.
            whole = bool(self.system.examples)
            assert refusal.code != "table/rule-failed" or not whole, (command, refusal.__cause__)  # noqa: PT017
            return Tried(refusal=refusal)
        states = [self.state]
        for event in happened:
            states.append(evolve(states[-1], event))
        reply = Host._reply(states, command, happened, fresh)
        self.links |= fresh.issued
        return Tried(happened, states, None, reply, fresh.passed)

    def keeps(self, tried: Tried) -> dict[str, list[str]]:
        """Make it so; gives what each seat is told."""
        told: dict[str, list[str]] = {}
        self.passed = tried.passed or self.passed
        for event, state in zip(tried.happened, tried.states[1:], strict=True):
            self.state = state
            self.live.take(event, state)
            self.rows.append(e.written(event))
            for seat in state.seats:
                seen = event_seen(state, event, seat, self.system)
                if seen is not None:
                    told.setdefault(seat, []).append(page(seen))
        self.live.wake()
        return told

    def declared(self) -> Declared:
        return Declared(self.state, self.system)

    def turn(self) -> Turn:
        """The table as its rules have it."""
        return Turn(self.state, with_house_moves(self.system, self.state), Fresh(), "")

    def person(self, seat: str) -> str:
        return next(name for name, own in self.seats.items() if own == seat)


class Apart:
    """Faces of which each role has its own supply, so that those thrown behind the screen move no others."""

    def __init__(self, key: bytes, grain: bytes, salts: Mapping[str, bytes], of_all: bytes) -> None:
        self._key, self._grain, self._salts, self._of_all = key, grain, salts, of_all
        self._hands: dict[str, KeyedFaces] = {}

    def throw(self, role: str, n: int, sides: int) -> tuple[int, ...]:
        if role not in self._hands:
            salt = self._salts.get(role, self._of_all)
            self._hands[role] = KeyedFaces(self._key, self._grain + role.encode() + salt)
        return self._hands[role].throw(role, n, sides)

    def skip(self, n: int, sides: int) -> None:
        """What was thrown before is passed over by beginning elsewhere: who threw it is not said here."""
        self._grain += b"+"
        self._hands.clear()

    def stream(self, name: str) -> "Apart":
        return Apart(self._key, self._grain + name.encode(), self._salts, self._of_all)
