"""The same commands bring about the same events at a table without a log, as the terminal plays it, and at one that is
kept over a log, as the web serves it: but for names, links and times."""

import asyncio
import json
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from random import Random
from typing import Any

import msgspec
import pytest
from players import goes_on, own_number
from scene import Person
from veil import VEIL

from paravent.dice.errors import ParaventError
from paravent.game.move import SECRECIES
from paravent.store import open_log
from paravent.table import commands as c
from paravent.table import events as e
from paravent.table.host import Host
from paravent.table.hotseat import Called, Hotseat
from paravent.table.state import State

EVENINGS, COMMANDS = 25, 50
PLACES = {"1 Ana": "gm", "2 Bob": "player", "3 Cy": "player", "4 Zoe": "spectator"}
"""In the order of their names, which is the order in which the log numbers them."""
OF_A_KEY = 32


class Tokens:
    """Bytes in order: the keys of dice are the same at every table, whatever else is given a name there."""

    def __init__(self) -> None:
        self._keys, self._names = count(1), count(1)

    def __call__(self, n: int) -> bytes:
        return next(self._keys if n == OF_A_KEY else self._names).to_bytes(n, "big")


class Terminal(Hotseat):
    """The evening without a log; its dice fall by keys, so that they can be compared."""

    def __post_init__(self) -> None:
        self._tokens = Tokens()
        super().__post_init__()

    def _fresh(self) -> Called:
        return Called(self._tokens, passed=self.passed)


class Web:
    """The evening over a log in memory."""

    system = VEIL

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._run = loop.run_until_complete
        self._log = open_log("memory:")
        self._host = Host(self._log, systems=lambda name: VEIL, token=Tokens(),
                          now=lambda: datetime(2031, 5, 1, 20, tzinfo=UTC))
        (ana, _), *others = PLACES.items()
        entry = self._run(self._host.open("veil", "veil", ana, house=Hotseat.usual))
        self._table = entry.table
        self.people = {ana: Person(self, ana, entry.seat)}  # type: ignore[arg-type]
        for name, rank in others:
            reply = self._run(self._host.do(entry.table, c.AddSeat(seat=entry.seat, name=name, rank=rank)))
            self.people[name] = Person(self, name, reply["seat"])  # type: ignore[arg-type]
        self._live = self._run(self._host.live(entry.table))
        self.events = self._read(0)

    @property
    def state(self) -> State:
        return self._live.state

    def person(self, seat: str) -> Person:
        return next(person for person in self.people.values() if person.seat == seat)

    def do(self, command: c.Command) -> list[e.AnyEvent]:
        self._run(self._host.do(self._table, command))
        happened = self._read(len(self.events))
        self.events += happened
        return happened

    def _read(self, after: int) -> list[e.AnyEvent]:
        return [e.read(text) for _, text in self._run(self._log.read(self._table, after))]


def asked(web: Web, luck: Random) -> tuple[Person, type[c.Command], dict[str, Any]]:
    """Somebody asks for something: mostly what brings an evening forward."""
    under_way = [act.id for act in web.state.open_moves()]
    if under_way and luck.random() < 0.6:
        return goes_on(web, luck, luck.choice(under_way[-4:]))  # type: ignore[arg-type]
    return begins(web, luck) if luck.random() < 0.6 else does_something_else(web, luck)


def begins(web: Web, luck: Random) -> tuple[Person, type[c.Command], dict[str, Any]]:
    ana = web.people["1 Ana"]
    heroes = [name for name, held in web.state.records.items() if held.kind == "character"]
    created = any(act.move == "create" for act in web.state.moves.values())  # two of one name the terminal cannot hold
    move = luck.choice([move for move in VEIL.moves.values() if move.id != "create" or not created])
    if not heroes or luck.random() < 0.15:
        player = luck.choice([person for person in web.people.values() if PLACES[person.name] == "player"])
        return player, c.AddRecord, {"kind": "character", "sheet": {"name": f"hero {len(heroes)}"}}
    cast = {role.id: [luck.choice(heroes)] for role in move.cast if role.id != "gm" and role.least}
    hero = cast.get("initiator", [""])[0]
    owner = web.state.records[hero].owner if hero and move.by != "gm" else ""
    starter = web.person(owner) if owner else ana
    secrecy = luck.choice(list(SECRECIES)) if starter is ana and luck.random() < 0.5 else "open"
    return starter, c.StartMove, {"move": move.id, "cast": cast, "encounter": 1 if move.encounter else None,
                                  "secrecy": secrecy}


def does_something_else(web: Web, luck: Random) -> tuple[Person, type[c.Command], dict[str, Any]]:
    person = luck.choice([*web.people.values(), *[web.people["1 Ana"]] * 3])
    number = luck.randint(1, web.state.counts_of(person.seat).known + 1)
    act = next((act for at, act in web.state.moves.items() if own_number(person, at) == number), None)
    steps = [throw.step for throw in act.throws] if act is not None else []
    record = luck.choice([*web.state.records, "nobody"])
    some: dict[type[c.Command], dict[str, Any]] = {
        c.Say: {"text": "hop", "kind": luck.choice(("message", "whisper", "note")), "to": (web.people["3 Cy"].seat,)},
        c.OpenScene: {"title": "Le port"}, c.SetClock: {"day": 2, "hour": luck.randint(0, 24)},
        c.AddRecord: {"kind": "extra", "sheet": {"name": "Spy"}},
        c.EditRecord: {"record": record, "path": luck.choice(("wounds", "fate", "?")), "value": luck.randint(0, 3)},
        c.ShowRecord: {"record": record, "seen_by": ("all",)},
        c.GiveRecord: {"record": record, "owner": web.people["2 Bob"].seat},
        c.SetSecrecy: {"number": number, "secrecy": luck.choice(list(SECRECIES))},
        c.TurnOver: {"number": number, "step": luck.choice(steps or ["roll"])},
        c.Withdraw: {"number": number}, c.Cancel: {"number": number}, c.Restart: {"number": number},
        c.Undo: {"number": number}, c.UndoLast: {}, c.PlayCard: {}, c.Leave: {}, c.Return: {},
    }
    chosen = luck.choice(list(some))
    if chosen is c.Leave:
        person = web.people["2 Bob"]  # without a game master there is nobody to go on
    return person, chosen, some[chosen]


# The same, but for names, links and times


def learned(web: list[e.AnyEvent], terminal: list[e.AnyEvent]) -> dict[str, str]:
    """What the terminal calls what came to the table."""
    names: dict[str, str] = {}
    for one, other in zip(web, terminal, strict=False):
        if isinstance(one, e.RecordAdded) and isinstance(other, e.RecordAdded):
            names[one.record] = other.record
        elif isinstance(one, e.Changed) and isinstance(other, e.Changed):
            for mine, theirs in zip(one.changes, other.changes, strict=False):
                names |= {mine.target: theirs.target, mine.path: theirs.path} if mine.target != theirs.target or (
                    mine.path.startswith("timers.")) else {}
    return names


def called(value: Any, names: dict[str, str]) -> Any:
    """A value of a command, with other names in it."""
    match value:
        case str():
            return names.get(value, value)
        case dict():
            return {called(name, names): called(part, names) for name, part in value.items()}
        case list() | tuple():
            return type(value)(called(part, names) for part in value)
    return value


def written(value: Any) -> Any:
    """What was written, without links and times; names that stand together in one order."""
    match value:
        case dict():
            return {name: written(part) for name, part in value.items() if name not in ("at", "link")}
        case list():
            parts = [written(part) for part in value]
            return sorted(parts) if all(isinstance(part, str) for part in parts) else parts
    return value


def said(table: Web | Hotseat, happened: list[e.AnyEvent], names: dict[str, str]) -> list[Any]:
    """The events; of those of an act, how it then stands: what is new of it depends on what things are called."""
    events = [json.loads(e.written(event)) for event in happened]
    acts = {event["number"]: json.loads(msgspec.json.encode(table.state.moves[event["number"]])) for event in events
            if event.pop("then", None) is not None or event.pop("act", None) is not None}
    return [written(called(told, names)) for told in (*events, *acts.values())]


def played_twice(seed: int) -> set[str]:
    """An evening played at both tables; gives the types of what happened at both alike."""
    luck = Random(seed)
    happened: set[str] = set()
    with closing(asyncio.new_event_loop()) as loop:
        web, terminal = Web(loop), Terminal(VEIL, PLACES)
        names = {person.seat: name for name, person in web.people.items()}
        for _ in range(COMMANDS):
            person, verb, values = asked(web, luck)
            there = verb(seat=person.seat, **values)
            here = replace(there, **{name: called(value, names) for name, value in vars(there).items()})
            try:
                events = web.do(there)
            except ParaventError as refusal:
                with pytest.raises(ParaventError) as same:
                    terminal.do(here)
                assert same.value.code == refusal.code, seed  # noqa: PT017
                continue
            same_events = terminal.do(here)
            names |= learned(events, same_events)
            assert said(web, events, names) == said(terminal, same_events, {}), seed
            happened |= {type(event).__name__ for event in events}
    return happened


def test_terminal_and_web_give_the_same_events_for_the_same_commands() -> None:
    happened = set().union(*map(played_twice, range(EVENINGS)))
    assert happened >= {
        "MoveStarted", "FieldsFilled", "ThrowReady", "DiceThrown", "AnswerGiven", "MoveEnded", "MoveUndone", "Changed",
        "EncounterOpened", "SecrecySet", "ThrowTurnedOver", "RecordAdded", "RecordChanged", "SeatLeft", "SeatReturned",
    }
