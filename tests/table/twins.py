"""Two tables of one game, played in step: the same public acts and the same open faces, other secrets.

What is public is done at both tables at once, under the same label, so that names, keys and times are the same. What
is secret is done at each table apart, as often as it pleases. An evening has **keepers**, who know the secrets, and
**watchers**, who may not; nothing here is about one game: moves, fields, kinds and encounters are read from what a game
declares, values from its examples and from what its forms ask.

Whether an act reveals something is asked of :mod:`declared`, never of the view. An act after which the watchers were
meant to know different things is not done at all: other faces are tried first, then the secrets of that move are made
equal, and if that does not help the game master cancels it. So whatever is done leaves both tables with the same facts
for every watcher, and every byte that they may receive has to be the same.
"""

import dataclasses
import importlib.util
import json
import sys
import typing
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import Enum
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from declared import Declared, facts
from players import plausible
from scene import page, tokens
from veil import VEIL

from paravent.dice import KeyedFaces, SeededDice
from paravent.dice.errors import ParaventError
from paravent.game import Ask, Resolve, System, Window, find_system, system_names, to_plain
from paravent.game.move import GRADES, unfilled
from paravent.table import commands as c
from paravent.table import events as e
from paravent.table import playing
from paravent.table.decide import Fresh, decide, open_table
from paravent.table.export import export_seen, record_file
from paravent.table.forms import form_seen, odds_seen, start_form_seen
from paravent.table.host import Host, Live
from paravent.table.house import with_house_moves
from paravent.table.state import OVER, State, evolve
from paravent.table.view import event_seen, view

ROOT = Path(__file__).parents[2]
PEOPLE = {"Ana": "gm", "Bob": "player", "Cy": "player", "Zoe": "spectator"}
MODES = {
    "the game master's": (("Ana",), ("Bob", "Cy", "Zoe")),
    "a player's": (("Ana", "Bob"), ("Cy", "Zoe")),
    "sealed": (("Bob", "Cy"), ("Ana", "Zoe")),
}
"""Whose secrets an evening is about: the keepers, and those who may not know."""
LANGUAGES = ("fr", "en")
FACES_OF = playing.faces_of


# The games


@cache
def games() -> dict[str, System]:
    """Every game at hand: those installed, the example, the rough ones of the scenes, and the one full of secrets."""
    found = {name: find_system(name) for name in system_names()}
    sys.path[:0] = [str(ROOT / "examples/fanal/src"), str(ROOT / "tests/game")]
    found.setdefault("fanal", find_system("fanal:SYSTEM"))
    for path in sorted((ROOT / "tests/game/scenes").glob("test_*.py")):
        spec = importlib.util.spec_from_file_location(f"scene_of_{path.stem}", path)
        assert spec is not None and spec.loader is not None  # noqa: PT018
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        found |= {system.id: system for system in vars(module).values() if isinstance(system, System)}
    return {**found, VEIL.id: VEIL}


@cache
def sheets_of(system_id: str, kind_id: str) -> list[dict[str, Any]]:
    """Plain records of a kind: ready-made, drawn, of examples; made up from the annotations where there are none."""
    system = games()[system_id]
    kind = system.kinds[kind_id]
    found = [to_plain(record) for record in kind.ready("fr").values()][:6]
    if kind.draw is not None:
        rulings = system.book.rulings()
        found += [to_plain(SeededDice(f"{kind_id} {n}").resolve(kind.draw, rulings)) for n in range(2)]
    for examples in system.examples.values():
        for sheet in (sheet for example in examples for sheet in example.get("sheets", {}).values()):
            if not isinstance(sheet, str) and sheet.get("kind", "character") == kind_id:
                found.append(to_plain(kind.from_plain(sheet)))
    while len(found) < 4:
        found.append(to_plain(_made_up(kind.cls, Random(len(found)), "")))
    return found


def _made_up(typed: Any, luck: Random, name: str) -> Any:
    """A value of a type, from its annotations."""
    if dataclasses.is_dataclass(typed) and isinstance(typed, type):
        hints = typing.get_type_hints(typed)
        return typed(**{part.name: _made_up(hints[part.name], luck, part.name) for part in dataclasses.fields(typed)
                        if part.name == "name" or (part.default is dataclasses.MISSING
                        and part.default_factory is dataclasses.MISSING)})
    if isinstance(typed, type) and issubclass(typed, Enum):
        return luck.choice(list(typed))
    if typed is bool:
        return luck.random() < 0.5
    if typed is int:
        return luck.randint(3, 9)
    if typed is str:
        return f"{name} {luck.randint(1, 99)}"
    return () if typing.get_origin(typed) is tuple else {}


def otherwise(value: Any, luck: Random, others: list[Any]) -> Any:
    """Another value where this one stands: that of some other record, or a number a little off."""
    known = [other for other in others if other != value]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int) and luck.random() < 0.6:
        return max(0, value + luck.choice((-2, -1, 1, 2)))
    if isinstance(value, str) and not known:
        return f"{value} {luck.randint(1, 99)}"
    return luck.choice(known) if known else value


# One of the two tables


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
            # A rough game may break on a form that no example of its own shows; a whole one may not.
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
            self.rows.append(json.dumps(e.event_to_json(event), ensure_ascii=False, separators=(",", ":")))
            for seat in state.seats:
                seen = event_seen(state, event, seat, self.system)
                if seen is not None:
                    told.setdefault(seat, []).append(page(seen))
        self.live.wake()
        return told

    def declared(self) -> Declared:
        return Declared(self.state, self.system)

    def person(self, seat: str) -> str:
        return next(name for name, own in self.seats.items() if own == seat)


class Apart:
    """Faces of which each role has its own supply, so that those thrown behind the screen move no others."""

    def __init__(self, key: bytes, nonce: bytes, salts: Mapping[str, bytes], of_all: bytes) -> None:
        self._key, self._nonce, self._salts, self._of_all = key, nonce, salts, of_all
        self._hands: dict[str, KeyedFaces] = {}

    def throw(self, role: str, n: int, sides: int) -> tuple[int, ...]:
        if role not in self._hands:
            salt = self._salts.get(role, self._of_all)
            self._hands[role] = KeyedFaces(self._key, self._nonce + role.encode() + salt)
        return self._hands[role].throw(role, n, sides)

    def skip(self, n: int, sides: int) -> None:
        """What was thrown before is passed over by beginning elsewhere: who threw it is not said here."""
        self._nonce += b"+"
        self._hands.clear()

    def stream(self, name: str) -> "Apart":
        return Apart(self._key, self._nonce + name.encode(), self._salts, self._of_all)


# Both tables


class Leak(AssertionError):
    """A watcher received other bytes at one table than at the other."""


def same(what: tuple[Any, ...], one: Any, other: Any) -> None:
    """Refuse any difference, and say where it begins."""
    if one == other:
        return
    if isinstance(one, list) and isinstance(other, list):
        for at, (mine, theirs) in enumerate(zip(one, other, strict=False)):
            same((*what, at), mine, theirs)
        raise Leak(f"{what}: {len(one)} and {len(other)} of them\n{page(one[len(other):])}{page(other[len(one):])}")
    texts = [value if isinstance(value, str) else page(value) for value in (one, other)]
    at = next((at for at, (a, b) in enumerate(zip(*texts, strict=False)) if a != b), min(map(len, texts)))
    around = [text[max(0, at - 200):at + 200] for text in texts]
    raise Leak(f"{what}: differs at {at}\n--- one\n{around[0]}\n--- other\n{around[1]}")


class Twins:
    """Two tables of a game, one public evening."""

    def __init__(self, system: System, mode: str, public: int, secrets: tuple[int, int]) -> None:
        self.system, self.mode = system, mode
        self.whole = with_house_moves(system)
        self.keepers, self.watchers = MODES[mode]
        self.luck = Random(public)
        self.sides = (Side(system, secrets[0]), Side(system, secrets[1]))
        self.acts = 0
        self.varied: Counter[str] = Counter()
        self.moves_seen: set[str] = set()
        self.salted: dict[Any, bool] = {}
        self.records: dict[str, str] = {}
        """The records that everybody knows of, by id, with their kinds."""
        self.looking: list[Callable[[Any, str], None]] = []
        self.refused: ParaventError | None = None
        self._open()

    @property
    def one(self) -> Side:
        return self.sides[0]

    def seat(self, name: str) -> str:
        return self.one.seats[name]

    # Setting the table

    def _open(self) -> None:
        for side in self.sides:
            fresh = side.fresh("open", 0)
            opened = open_table(self.system, "Vendredi", "Ana", fresh)
            side.links |= fresh.issued
            states = [side.state]
            for event in opened:
                states.append(evolve(states[-1], event))
            side.live.state = side.state
            side.keeps(Tried(opened, states))
            side.seats["Ana"] = opened[0].by
        for name, grade in list(PEOPLE.items())[1:]:
            self.publicly("Ana", lambda side, name=name, grade=grade: c.AddSeat(name=name, grade=grade))
            for side in self.sides:
                side.seats[name] = next(seat for seat, place in side.state.seats.items() if place.name == name)
        for name, owner in (("Elya", "Bob"), ("Tarn", "Cy"), ("Noor", "Cy"), ("Personne", "")):
            self.brings("character", name, owner)
        for kind in self.system.kinds.values():
            if kind.hidden and "all" in kind.audience:
                self.brings(kind.id, f"Étranger {kind.id}", "")

    def brings(self, kind: str, name: str, owner: str) -> None:
        """A record that all know of: what may be seen of it is the same at both tables, the rest is not."""
        if kind not in self.system.kinds:
            return
        sheets = sheets_of(self.system.id, kind)
        sheet = dict(self.luck.choice(sheets), **({"name": name} if "name" in sheets[0] else {}))
        seat = self.one.seats.get(owner, "")

        def adding(side: Side) -> c.Command:
            known = side.declared()
            ours = dict(sheet)
            for hidden, audience in self.system.kinds[kind].hidden.items():
                holders = {seat} if seat else known.masters
                readers = known.masters | (holders if "owner" in audience else set())
                if not readers & self._watching(side) and hidden in ours:
                    ours[hidden] = side.luck.choice([other[hidden] for other in sheets])
                    if side.luck.random() < 0.5:
                        ours[hidden] = otherwise(ours[hidden], side.luck, [other[hidden] for other in sheets])
            return c.AddRecord(kind=kind, sheet=ours, owner=seat, seen_by=("all",))

        if self.publicly("Ana", adding) == "done":
            self.records[list(self.one.state.records)[-1]] = kind

    def _watching(self, side: Side) -> set[str]:
        return {side.seats[name] for name in self.watchers}

    # Acts

    def learnt(self, state: State) -> list[dict[str, Any]]:
        """What the watchers were meant to learn."""
        seats = [self.seat(name) for name in self.watchers if name in self.one.seats]
        return [facts(state, seat, self.system) for seat in seats]

    def publicly(self, who: str, make: Callable[[Side], c.Command | None]) -> str:
        """One act at both tables: ``done``, ``refused``, or not done because it would reveal (``tells``).

        Whoever acts is told the same at both tables if they may not know what differs.
        """
        self.acts += 1
        tried = []
        for side in self.sides:
            command = make(side)
            if command is None:
                return "tells"
            asked = dataclasses.replace(command, seat=side.seats[who])
            tried.append(side.tries(asked, f"public {self.acts}", self.acts))
        withheld = [one.refusal is not None and one.refusal.code == "table/withheld" for one in tried]
        if withheld[0] != withheld[1]:
            # The rules of the game refuse over something hidden: all that may be heard is that it is so.
            self.varied["withheld"] += 1
            return "tells"
        if who in self.watchers:
            # A refusal, or that there is none, tells nothing hidden; whether the rules then reveal is asked below.
            same(("the answer to", who, tried[0].happened and "", self.acts, command),
                 *(self.refusal(one.refusal) for one in tried))
        self.refused = tried[0].refusal
        if any(one.refusal for one in tried):
            return "refused" if all(one.refusal for one in tried) else "tells"
        if self.learnt(tried[0].states[-1]) != self.learnt(tried[1].states[-1]):
            return "tells"
        if who in self.watchers:
            same(("the reply to", who), *(one.reply for one in tried))
        told = [side.keeps(one) for side, one in zip(self.sides, tried, strict=True)]
        for name in self.watchers:
            same(("the stream of", name, command), *(part.get(self.one.seats.get(name, ""), []) for part in told))
        return "done"

    def secretly(self, side: Side, who: str, command: c.Command) -> bool:
        """One act at one table only: it is done unless a watcher would learn of it, and then none hears anything."""
        asked = dataclasses.replace(command, seat=side.seats[who])
        tried = side.tries(asked, f"secret {side.luck.random()}", self.acts)
        if tried.refusal or not tried.happened or self.learnt(tried.states[-1]) != self.learnt(side.state):
            return False
        before = side.state
        told = side.keeps(tried)
        for name in self.watchers:
            same(("what a secret told", name, asked), [], told.get(side.seats[name], []))
            counts = [state.counts_of(side.seats[name]) for state in (before, side.state)]
            same(("what a secret counted for", name, asked), *(vars(count) for count in counts))
        return True

    def refusal(self, refusal: ParaventError | None) -> Any:
        if refusal is None:
            return None
        return [refusal.code, *(self.system.words.error(lang, refusal) for lang in LANGUAGES)]

    # Naming moves and encounters: a watcher's own number stands for the same thing at both tables

    def public_moves(self) -> list[tuple[str, int]]:
        """The moves under way that a watcher knows of, as (watcher, their own number)."""
        found = []
        for kept in self.one.state.open_moves():
            name = next((n for n in self.watchers if str(kept["id"]) in self._numbers(self.one, n)), None)
            if name is not None:
                found.append((name, self._numbers(self.one, name)[str(kept["id"])]))
        return found

    @staticmethod
    def _numbers(side: Side, name: str) -> dict[str, int]:
        return side.state.counts_of(side.seats[name]).moves

    def at(self, side: Side, ref: tuple[str, int]) -> int:
        """The table's number of a move."""
        return int(next((at for at, own in self._numbers(side, ref[0]).items() if own == ref[1]), "0"))

    def number(self, side: Side, who: str, ref: tuple[str, int]) -> int:
        """Somebody's own number of a move; one that nobody has, where they may not know of it."""
        return self._numbers(side, who).get(str(self.at(side, ref)), 999)

    def encounter(self, side: Side, who: str, ref: int) -> int | None:
        """Somebody's own number of an encounter that the first watcher calls ``ref``."""
        known = side.state.counts_of(side.seats[self.watchers[0]]).encounters
        at = next((at for at, own in known.items() if own == ref), "")
        return side.state.counts_of(side.seats[who]).encounters.get(at)

    # Looking

    def look(self, where: str) -> None:
        """Compare everything that every watcher could ask for now."""
        for name in self.watchers:
            pages = [list(self.pages(side, name)) for side in self.sides]
            for (what, one), (_, other) in zip(*pages, strict=True):
                same((where, name, what), one, other)
        for looking in self.looking:
            looking(self, where)
        self.count()

    def pages(self, side: Side, name: str) -> Iterator[tuple[str, Any]]:
        """What a seat may ask for, in JSON; refusals in words."""
        state, seat, luck = side.state, side.seats[name], Random(self.acts)
        seen = view(state, seat, self.system)
        yield "view", seen
        for number in [*list(map(int, seen["moves"]))[-3:], 998]:
            yield f"form {number}", self._answer(form_seen, state, seat, number, self.system)
            if seen["moves"].get(str(number), {}).get("phase") == "open":
                yield f"odds {number}", self._answer(odds_seen, state, seat, number, self.system)
        move = luck.choice(sorted(self.whole.moves))
        cast = {role.id: [luck.choice([*self.records, seat])] for role in self.whole.move(move).cast if role.id != "gm"}
        number = luck.choice((None, None, *range(1, 4)))
        yield f"start {move}", self._answer(start_form_seen, state, seat, move, cast, number, self.system)
        guesses = [*self.records, *(hidden for one in self.sides for hidden in one.hidden[-1:]), "nobody"]
        for record in guesses[-4:]:
            yield f"record {record}", self._answer(record_file, state, seat, record, self.system)

    def _answer(self, ask: Callable[..., Any], *args: Any) -> Any:
        try:
            return ask(*args)
        except ParaventError as refusal:
            return self.refusal(refusal)

    def exports(self) -> None:
        """Compare what each watcher may take away."""
        for name in self.watchers:
            lines = [list(export_seen(side.rows, side.seats[name], self.system)) for side in self.sides]
            same(("the export of", name), *lines)

    def count(self) -> None:
        """How much the two tables differ, now that they look the same."""
        one, other = self.sides
        for ref in self.public_moves():
            at = self.at(other, ref)
            if not at:
                continue
            a, b = one.state.move(self.at(one, ref)), other.state.move(at)
            thrown, inside = bool(a["throws"]), a["encounter"] is not None
            if a["fields"] != b["fields"]:
                self.varied["after the dice" if thrown else "before the dice"] += 1
                self.varied["in an encounter"] += inside
            if [t["record"] for t in a["throws"]] != [t["record"] for t in b["throws"]]:
                self.varied["hidden dice"] += 1
                self.varied["after the dice"] += 1
                self.varied["in an encounter"] += inside
            if a["sheets"] != b["sheets"] or len(a["cast"]) != len(b["cast"]):
                self.varied["hidden figures in a move"] += 1
                self.varied["after the dice" if thrown else "before the dice"] += 1
                self.varied["in an encounter"] += inside
            if a["changes"] != b["changes"]:
                self.varied["changes"] += 1
            if a["move"] == "pass-time":
                self.varied["time"] += a["fields"] != b["fields"] or a["changes"] != b["changes"]
        states = [[running.state for running in side.state.encounters.values() if not running.over]
                  for side in self.sides]
        if states[0] != states[1]:
            self.varied["in an encounter"] += 1
            self.varied["the state of an encounter"] += 1
        self.varied["hidden events"] += one.state.events != other.state.events
        self.varied["hidden moves"] += one.state.moves_started != other.state.moves_started
        self.varied["hidden records"] += sorted(one.state.records) != sorted(other.state.records)
        self.varied["hidden fields"] += any(
            held.sheet != other.state.records[name].sheet for name, held in one.state.records.items()
            if name in other.state.records)


# An evening


MOST_TO_OPEN = 24
"""After how many acts nobody tries any more to open an encounter."""


class Evening(Twins):
    """Twins played by people who do what is asked of them, and conspire in between."""

    def plays(self, moves: list[str], steps: int, acts: int = 10**6) -> None:
        """Start each of these moves and go on with whatever is open; no more than so many acts in all."""
        for at, move in enumerate(moves, start=1):
            until = self.acts + max(4, (acts - self.acts) // (len(moves) + 1 - at))
            self.conspires()
            self.starts(move)
            for _ in range(steps):
                self.conspires()
                if self.acts > until or not self.steps():
                    break
                self.look(f"after {move}")
            self.ends(most=3)
        self.ends(most=0)
        self.exports()

    # In public

    def starts(self, move_id: str) -> bool:
        """Open a move from one of its examples, for people and records that everybody knows."""
        move, luck = self.whole.move(move_id), self.luck
        example = luck.choice(list(self.system.examples.get(move_id, ())) or [{}])
        if example.get("options") or luck.random() < 0.2:
            options = dict(example.get("options", {}))
            self.publicly("Ana", lambda side: c.SetOptions(options=options))
        running = self._running(move.encounter)
        if move.encounter and running is None:
            self._opens(move.encounter)
            running = self._running(move.encounter)
        by_player = move.by != "gm"
        starter = luck.choice(("Bob", "Bob", "Cy", "Ana")) if by_player else "Ana"
        cast = self._cast(move, starter, example, running)
        unseen = self._unseen_role(move, starter, cast)
        as_in_example = luck.random() < 0.7
        grade = luck.choice(list(GRADES)[:-1]) if starter == "Ana" and luck.random() < 0.3 else "open"

        def starting(side: Side) -> c.Command:
            number = None if running is None else self.encounter(side, starter, running)
            form = self._as_in(move, example, side, starter, cast) if as_in_example else {}
            command = c.StartMove(move=move_id, cast=cast, form=form, encounter=number, grade=grade)
            return self._with_hidden_people(side, command, unseen) if unseen and side.hidden else command

        done = self.publicly(starter, starting)
        if done == "refused" and as_in_example:
            as_in_example = False
            done = self.publicly(starter, starting)
        if done != "done" and by_player and luck.random() < 0.5:
            of = tuple(names[0] for names in [cast.get(move.by, [])] if names)
            done = self.publicly("Ana", lambda side: c.AskMove(move=move_id, of=of)) if of else done
        if done == "done":
            self.moves_seen.add(move_id)
            self.look(f"{move_id} begins")
        return done == "done"

    def _as_in(
        self, move: Any, example: Mapping[str, Any], side: Side, starter: str, cast: Mapping[str, list[str]]
    ) -> dict[str, dict[str, Any]]:
        """The form of an example, as far as the starter may fill it in; what is secret, otherwise at each table."""
        known, form = side.declared(), {}
        for role, members in example.get("form", {}).items():
            for actor, values in zip(["gm"] if role == "gm" else cast.get(role, []), members, strict=False):
                if starter != "Ana" and side.seats[starter] not in known.holders(actor):
                    continue
                asked_of_role = {asked.id for asked in move.fields if asked.role == role}
                form[actor] = {name: to_plain(value) for name, value in values.items() if name in asked_of_role}
                for name in tuple(form[actor]):
                    asked = move.field(name, role)
                    if asked.secrecy == "sealed" and side.seats[starter] not in known.holders(actor):
                        del form[actor][name]
                    elif self.is_secret(side, actor, asked.secrecy):
                        form[actor][name] = self._other(move, asked, form[actor][name], side.luck)
        return form

    def _other(self, move: Any, asked: Any, value: Any, luck: Random) -> Any:
        """Another value for a field, where one can be told without a table."""
        try:
            row = {"field": asked.id, **asked.type.describe(None)}
        except (ParaventError, AttributeError, TypeError):
            return value
        return self.value(move.id, row, luck)

    def _with_hidden_people(self, side: Side, command: c.StartMove, role: str) -> c.StartMove:
        """The same with people in it of whom nobody knows."""
        move = self.whole.move(command.move)
        number = next((at for at, own in side.state.counts_of(side.seats["Ana"]).encounters.items()
                       if own == command.encounter), "")
        inside = json.dumps(side.state.encounters[number].state) if number else ""
        people = [name for name in side.hidden if name in inside] or side.hidden
        hidden = side.luck.sample(people, min(len(people), side.luck.randint(0 if command.cast.get(role) else 1, 2)))
        members = hidden[:1] if move.role(role).most == 1 and hidden else [*command.cast.get(role, []), *hidden]
        asked = dataclasses.replace(command, cast={**command.cast, role: members})
        tried = side.tries(dataclasses.replace(asked, seat=side.seats["Ana"]), "?", 0)
        return command if tried.refusal else asked

    def _running(self, encounter: str) -> int | None:
        seat = self.seat(self.watchers[0])
        known = self.one.state.counts_of(seat).encounters
        found = [own for at, own in known.items() if at in self.one.state.encounters
                 and not self.one.state.encounters[at].over
                 and encounter in ("", self.one.state.encounters[at].encounter)]
        return found[-1] if found and (encounter or self.luck.random() < 0.2) else None

    def _opens(self, encounter: str) -> None:
        """Play whatever moves may open an encounter, until one does."""
        openers, until = self._openers(encounter), self.acts + MOST_TO_OPEN
        self.luck.shuffle(openers)
        for move_id in openers:
            for _ in range(2):
                if self.acts < until and self.starts(move_id):
                    for _ in range(10):
                        self.conspires()
                        if self._running(encounter) is not None or not self.steps():
                            break
                        self.look(f"opening {encounter}")
                if self._running(encounter) is not None:
                    return

    def _openers(self, encounter: str) -> list[str]:
        """The moves that declare that they open something, outside any encounter."""
        usual = next(part.default for part in dataclasses.fields(Resolve) if part.name == "opens")
        return [move.id for move in self.system.moves.values() if move.encounter != encounter
                and any(step.opens is not usual for step in move.resolves)]

    def _cast(self, move: Any, starter: str, example: Mapping[str, Any], running: int | None) -> dict[str, list[str]]:
        luck, cast, taken = self.luck, {}, set()
        inside = self._inside(running)
        for role in move.cast:
            if role.id == "gm":
                continue
            wanted = max(role.least, len(example.get("form", {}).get(role.id, ())) or luck.randint(0, 1))
            if role.most is not None:
                wanted = min(wanted, role.most)
            mine = [name for name in self.records if self.one.state.records[name].owner == self.seat(starter)]
            pool = mine if role.id == move.by and starter != "Ana" else list(self.records)
            if role.record:
                pool = [name for name in pool if self.records[name] == role.record] or pool
            if inside and luck.random() < 0.9:
                pool = [name for name in pool if name in inside] or list(inside)
            luck.shuffle(pool)
            if luck.random() < 0.25 and not inside and self.system.examples:
                pool = [self.seat(name) for name in ("Bob", "Cy")] + pool
            members = [name for name in pool if name not in taken][:wanted]
            taken |= set(members)
            cast[role.id] = members
        return cast

    def _inside(self, running: int | None) -> list[str]:
        """Whoever the state of an encounter openly names."""
        if running is None:
            return []
        seen = view(self.one.state, self.seat(self.watchers[0]), self.system)["encounters"].get(str(running), {})
        words = json.dumps(seen)
        return [name for name in [*self.records, *self.one.state.seats] if f'"{name}"' in words]

    def _unseen_role(self, move: Any, starter: str, cast: Mapping[str, list[str]]) -> str:
        """A role in which the game master puts people of whom nobody knows: one that is empty first of all.

        Not one that must be asked something: all would see that the table waits for the game master.
        """
        if starter != "Ana" or "Ana" not in self.keepers or self.luck.random() < 0.4:
            return ""
        awaited = {asked.role for asked in move.fields if not self._is_quiet(move.id, {"field": asked.id})}
        free = [role.id for role in move.cast if role.id not in ("gm", move.by)
                and role.id not in awaited]
        return self.luck.choice([role for role in free if not cast.get(role)] or free or [""])

    def steps(self) -> bool:
        """Bring a move under way forward, or do something else in public; whether a move is under way."""
        luck = self.luck
        if luck.random() < 0.15:
            self.idles()
            return True
        refs = self.public_moves()
        if not refs:
            return False
        ref = luck.choice(refs[-3:])
        self.attends(ref)
        if self.advances(ref) == "tells":
            self.makes_equal(ref)
            if self.advances(ref) == "tells":
                self.varied["cancelled"] += 1
                self.publicly("Ana", lambda side: c.Cancel(number=self.number(side, "Ana", ref)))
        return True

    def ends(self, most: int) -> None:
        """Cancel what has been under way for too long, the oldest first."""
        for ref in self.public_moves()[:max(0, len(self.public_moves()) - most)]:
            self.publicly("Ana", lambda side, ref=ref: c.Cancel(number=self.number(side, "Ana", ref)))

    def advances(self, ref: tuple[str, int]) -> str:
        """The next public act in a move, as the first table stands."""
        for _ in range(5):
            who, make = self._next(self.one, ref)
            done = self.publicly(who, make)
            if done == "refused" and self.luck.random() < 0.2:
                self.publicly("Ana", lambda side: c.CloseStep(number=self.number(side, "Ana", ref)))
            elif done == "refused":
                self._mends(ref, self.refused)
            if done != "tells":
                return done
        return "tells"

    def _next(self, side: Side, ref: tuple[str, int]) -> tuple[str, Callable[[Side], c.Command | None]]:
        """Who may do what next; drawn from the public chance alone."""
        luck, at = self.luck, self.at(side, ref)
        kept = side.state.moves.get(str(at))

        def asked(command: type[c.Command], who: str, **values: Any) -> tuple[str, Callable[[Side], c.Command]]:
            return who, lambda its: command(number=self.number(its, who, ref), **values)

        if kept is None or kept["phase"] in OVER:
            return "Bob", lambda its: c.Say(text="et ensuite ?")
        if kept["phase"] == "settled":
            refused = {path for change in kept["changes"] for path in [(change["target"], change["path"])]
                       if luck.random() < 0.1}
            return "Ana", lambda its: self._accepting(its, ref, refused)
        session = playing.laid_out(side.state, with_house_moves(self.system, side.state), at)
        waits = [side.person(seat) for seat in sorted(session.waits_for(at))]
        who = luck.choice(waits or ["Ana"])
        if luck.random() < 0.07:
            who = luck.choice(("Bob", "Cy"))  # out of turn
        if luck.random() < 0.06:
            return asked(luck.choice((c.CloseStep, c.Withdraw)), luck.choice(("Ana", "Bob")))
        if luck.random() < 0.04:
            return asked(c.SetDeadline, "Ana", policy=luck.choice(("wait", "default", "cancel")))
        if luck.random() < 0.04:
            return asked(c.SetGrade, "Ana", grade=luck.choice(list(GRADES)))
        if luck.random() < 0.04:
            role = luck.choice([role.id for role in self.whole.move(kept["move"]).cast])
            return asked(c.Join, who, role=role, names=(luck.choice(list(self.records)),))
        pending = kept["pending"]
        if pending is not None and pending["type"] == "choice":
            return asked(c.Answer, who, answer=luck.choice(pending["options"]))
        if pending is not None:
            return asked(c.Answer, who, answer=[luck.randint(1, pending["sides"]) for _ in range(pending["n"])])
        step = session.moves[at].step(session.system)
        if isinstance(step, Window):
            return asked(c.Answer, who, answer=luck.choice(("agree", "agree", "agree", "refuse")))
        rows = self.rows(side, who, self.number(side, who, ref))
        lacking = [row for row in rows if "value" not in row and not self.is_secret(side, row["actor"], row["secrecy"])]
        if isinstance(step, Resolve) and (not lacking or luck.random() < 0.6):
            return asked(c.Throw, who, nonce=f"n{luck.random()}", by_hand=luck.random() < 0.15)
        awaited: set[tuple[str, str]] = set()
        if isinstance(step, Ask):
            ctx = session.moves[at].context(session.system)
            awaited = {(actor.id, asked.id) for actor, asked in unfilled(ctx, step)}
        wanted = [row for row in rows if (row["actor"], row["field"]) in awaited]
        if not wanted and not lacking:
            return asked(c.CloseStep, "Ana")
        row = luck.choice(wanted or lacking)
        together = [other for other in wanted if other["actor"] == row["actor"]] if luck.random() < 0.7 else []
        return who, self._filling(kept["move"], together or [row], who, ref)

    def _filling(
        self, move: str, rows: list[dict[str, Any]], who: str, ref: tuple[str, int]
    ) -> Callable[[Side], c.Command | None]:
        """Fields are filled in, as everybody may see; what is secret, with other values at each table."""
        values = {row["field"]: self.value(move, row, self.luck) for row in rows}

        def filling(side: Side) -> c.Command:
            secret = [row for row in rows if self.is_secret(side, row["actor"], row["secrecy"])]
            ours = {row["field"]: self.value(move, row, side.luck) for row in secret}
            return c.Fill(number=self.number(side, who, ref), values={**values, **ours}, actor=rows[0]["actor"])

        return filling

    def _mends(self, ref: tuple[str, int], refusal: ParaventError | None) -> None:
        """What the rules refused is written otherwise: what is missing filled in, or something left out again."""
        kept = self.one.state.moves.get(str(self.at(self.one, ref)))
        if kept is None or refusal is None or kept["phase"] != "open":
            return
        rows = self.rows(self.one, "Ana", self.number(self.one, "Ana", ref))
        wanted = [row for row in rows if row["field"] == refusal.values.get("field") and "value" not in row]
        filled = [row for row in rows if "value" in row and ("usual" in row or row["optional"])]
        named = [row for row in rows if row["field"] == refusal.values.get("field")]
        if refusal.code == "form/needs-sheet" and named:
            self.publicly("Ana", lambda side: c.Fill(number=self.number(side, "Ana", ref), actor=named[0]["actor"],
                                                     values={named[0]["field"]: 4}))
        elif wanted and not self.is_secret(self.one, wanted[0]["actor"], wanted[0]["secrecy"]):
            self.publicly("Ana", self._filling(kept["move"], [self.luck.choice(wanted)], "Ana", ref))
        elif filled:
            row = self.luck.choice(filled)
            self.publicly("Ana", lambda side: c.Fill(number=self.number(side, "Ana", ref), actor=row["actor"],
                                                     values={row["field"]: None}))

    def _accepting(self, side: Side, ref: tuple[str, int], refused: set[tuple[str, str]]) -> c.Command | None:
        """Accept what is proposed, but some of it; a value that changed in the meantime stays."""
        kept = side.state.moves.get(str(self.at(side, ref)))
        if kept is None:
            return None
        secret = {at for at, change in enumerate(kept["changes"]) if not self._is_public(side, kept, change)}
        left_out = {at for at in secret if side.luck.random() < 0.2}
        left_out |= {at for at, change in enumerate(kept["changes"]) if (change["target"], change["path"]) in refused}
        number = self.number(side, "Ana", ref)
        for _ in range(len(kept["changes"]) + 1):
            command = c.Accept(number=number, refuse=tuple(sorted(left_out)), seat=side.seats["Ana"])
            stale = side.tries(command, "?", 0).refusal
            if stale is None or stale.code != "table/stale":
                break
            left_out |= {at for at, change in enumerate(kept["changes"])
                         if (change["target"], change["path"]) == (stale.values["target"], stale.values["path"])}
        return command

    def _is_public(self, side: Side, kept: Mapping[str, Any], change: Mapping[str, Any]) -> bool:
        known = side.declared()
        return bool(self._watching(side) & known.hearing(kept, change["audience"])
                    & known.seeing(change["target"], change["value_audience"]))

    def value(self, move: str, row: Mapping[str, Any], luck: Random) -> Any:
        """A value for a field: that of an example, or whatever it takes."""
        found = [
            member[row["field"]]
            for example in self.system.examples.get(move, ())
            for members in example.get("form", {}).values() for member in members if row["field"] in member
        ]
        if found and luck.random() < 0.6:
            return to_plain(luck.choice(found))
        if row["type"] == "sheet":
            return luck.choice(sheets_of(self.system.id, row["kind"]))
        try:
            return plausible(luck, dict(row))
        except KeyError:
            return None  # what it takes depends on something that is not there

    def idles(self) -> None:
        """Something in public that has nothing to do with a move, or that is refused."""
        luck = self.luck
        who = luck.choice(("Bob", "Cy"))
        mine = [name for name in self.records if self.one.state.records[name].owner == self.seat(who)]
        record = luck.choice(mine or list(self.records))
        guess = luck.choice([*(one.hidden[-1] for one in self.sides if one.hidden), "nobody"])
        number = luck.randint(1, 40)
        match luck.choice(("say", "whisper", "edit", "edit", "scene", "guess", "guess", "undo", "leave", "give")):
            case "say":
                self.publicly(who, lambda side: c.Say(text="bonsoir"))
            case "whisper" if {who, "Zoe"} <= set(self.watchers):
                self.publicly(who, lambda side: c.Say(kind="whisper", text="psst", to=(side.seats["Zoe"],)))
            case "edit":
                seen = view(self.one.state, self.seat(who), self.system)["records"].get(record, {"sheet": {}})["sheet"]
                path = luck.choice([*seen, "nothing"])
                others = [sheet.get(path) for sheet in sheets_of(self.system.id, self.records[record])]
                value = otherwise(seen.get(path), luck, others)
                hidden = self.one.declared().hidden_fields(record).get(path)
                if hidden is None or hidden & self._watching(self.one):
                    self.publicly(who, lambda side: c.EditRecord(record=record, path=path, value=value))
            case "scene":
                self.publicly("Ana", lambda side: c.OpenScene(title="La nuit tombe"))
            case "guess":
                guesses: list[c.Command] = [
                    c.TakeRecord(record=guess), c.EditRecord(record=guess, path="name", value="?"),
                    c.StartMove(move=luck.choice(sorted(self.whole.moves)), cast={"initiator": [guess]}),
                    c.StartMove(move=luck.choice(sorted(self.whole.moves)), encounter=number % 4),
                    c.Throw(number=number), c.Fill(number=number, values={"difficulty": 1}), c.Answer(number=number,
                                                                                                    answer=True),
                    c.Join(number=number, role="opponent", names=(guess,)), c.Withdraw(number=number),
                    c.Accept(number=number), c.GiveRecord(record=guess, owner=""), c.Undo(number=number),
                ]
                asked = luck.choice(guesses)
                who = luck.choice([name for name in ("Bob", "Cy", "Zoe") if name in self.watchers] or ["Zoe"])
                self.publicly(who, lambda side: asked)
            case "undo":
                closed = [kept["id"] for kept in self.one.state.moves.values() if kept["phase"] == "closed"]
                known = [(name, self._numbers(self.one, name)[str(at)]) for at in closed[-2:] for name in self.watchers
                         if str(at) in self._numbers(self.one, name)]
                if known:
                    ref = luck.choice(known)
                    self.publicly("Ana", lambda side: c.Undo(number=self.number(side, "Ana", ref)))
            case "leave":
                self.publicly(who, lambda side: c.Leave())
                self.look("somebody left")
                self.publicly(who, lambda side: c.Return())
            case "give" if any(not self.one.state.records[name].owner for name in self.records):
                free = luck.choice([name for name in self.records if not self.one.state.records[name].owner])
                self.publicly("Ana", lambda side: c.GiveRecord(record=free, owner=side.seats[who]))
                self.look("given")
                self.publicly("Ana", lambda side: c.GiveRecord(record=free, owner=""))
        self.look("idly")

    # In secret

    def is_secret(self, side: Side, actor: str, secrecy: str) -> bool:
        """Whether no watcher may read such a field."""
        return not side.declared().readers(actor, secrecy) & self._watching(side)

    def secret_rows(self, side: Side, who: str, number: int) -> list[dict[str, Any]]:
        """The secret fields that a keeper may fill in now."""
        return [row for row in self.rows(side, who, number) if self.is_secret(side, row["actor"], row["secrecy"])]

    def rows(self, side: Side, who: str, number: int) -> list[dict[str, Any]]:
        """What a move asks of somebody; nothing of those who may not know of it."""
        try:
            return form_seen(side.state, side.seats[who], number, self.system)["fields"]
        except ParaventError:
            return []

    def _is_quiet(self, move: str, row: Mapping[str, Any]) -> bool:
        """Whether nothing waits for a field: filling it in is nobody else's business."""
        fields = [asked for asked in self.whole.move(move).fields if asked.id == row["field"]]
        return "value" in row or all(f.has_usual() and not f.waits and f.secrecy != "sealed" for f in fields)

    def attends(self, ref: tuple[str, int]) -> None:
        """Each table's keepers do what a move wants of them behind the screen."""
        for side in self.sides:
            for _ in range(12):
                wanted = self._wanted(side, ref)
                if wanted is None or not self.secretly(side, *wanted):
                    break
                self.varied["behind the screen"] += 1

    def _wanted(self, side: Side, ref: tuple[str, int]) -> tuple[str, c.Command] | None:
        """What nobody sees who may not: a hidden throw, and whatever is asked after one."""
        at, known = self.at(side, ref), side.declared()
        kept = side.state.moves.get(str(at))
        if kept is None or kept["phase"] != "open":
            return None
        session = playing.laid_out(side.state, with_house_moves(self.system, side.state), at)
        waits = [side.person(seat) for seat in sorted(session.waits_for(at))]
        if not waits or not set(waits) <= set(self.keepers):
            return None
        who, step, pending = waits[0], session.moves[at].step(session.system), kept["pending"]
        number = self.number(side, who, ref)
        fathomed = [seat for seat in self._watching(side) & known.know_of(kept) if known.fathoms(seat, kept)]
        if isinstance(step, Resolve):
            shown = session.moves[at].shown(session.system, step)
            if known.hearing(kept, shown.exists) & self._watching(side):
                return None
            if pending is None:
                return who, c.Throw(number=number, nonce="behind the screen")
            return (who, c.Answer(number=number, answer=side.luck.choice(pending["options"]))) if (
                pending["type"] == "choice") else None
        if not isinstance(step, Ask) or fathomed:
            return None
        rows = {(row["actor"], row["field"]): row for row in self.secret_rows(side, who, number)}
        awaited = unfilled(session.moves[at].context(session.system), step)
        row = next((rows[actor.id, asked.id] for actor, asked in awaited if (actor.id, asked.id) in rows), None)
        if row is None:
            return None
        return who, c.Fill(number=number, values={row["field"]: self.value(kept["move"], row, side.luck)},
                           actor=row["actor"])

    def makes_equal(self, ref: tuple[str, int]) -> None:
        """The secret fields of a move become at the second table what they are at the first."""
        other = self.sides[1]
        a, b = (side.state.moves.get(str(self.at(side, ref))) for side in self.sides)
        if a is None or b is None:
            return
        self.varied["made equal"] += 1
        ours = {(row["actor"], row["field"]): (row["value"], row["secrecy"]) for row in a["fields"]}
        theirs = {(row["actor"], row["field"]): (row["value"], row["secrecy"]) for row in b["fields"]}
        for actor, name in {**theirs, **ours}:
            value, secrecy = ours.get((actor, name), (None, theirs.get((actor, name), ("", "open"))[1]))
            if ours.get((actor, name)) != theirs.get((actor, name)) and self.is_secret(other, actor, secrecy):
                known = other.declared()
                for seat in known.holders(actor) | known.masters:
                    who = other.person(seat)
                    if who in self.keepers and self.secretly(other, who, c.Fill(
                            number=self.number(other, who, ref), values={name: value}, actor=actor)):
                        break

    def conspires(self) -> None:
        """At each table, any number of secret acts."""
        for side in self.sides:
            for _ in range(side.luck.choice((0, 1, 1, 2))):
                self.conspire(side)

    def conspire(self, side: Side) -> None:
        """One secret act of a keeper."""
        luck, who = side.luck, side.luck.choice(self.keepers)
        master = who == "Ana"
        match luck.choice(("talk", "record", "field", "field", "fill", "fill", "fill", "start", "go on", "go on")):
            case "talk":
                others = tuple(side.seats[name] for name in self.keepers)
                kind = "note" if master and luck.random() < 0.5 else "whisper"
                self.secretly(side, who, c.Say(text="le traître est Tarn", kind=kind,
                                               to=() if kind == "note" else others))
            case "record" if master:
                self._hides(side)
            case "field":
                self._edits(side, who)
            case "fill":
                moves = [own for at, own in self._numbers(side, who).items()
                         if side.state.moves.get(at, {"phase": "closed"})["phase"] == "open"]
                number = luck.choice(moves[-4:] or [0])
                at = next((at for at, own in self._numbers(side, who).items() if own == number), "")
                move = side.state.moves[at]["move"] if at else ""
                rows = [row for row in self.secret_rows(side, who, number) if self._is_quiet(move, row)]
                if rows:
                    row = luck.choice(rows)
                    self.secretly(side, who, c.Fill(number=number, actor=row["actor"], values={
                        row["field"]: self.value(move, row, luck)}))
            case "start":
                self._plots(side, who)
            case "go on":
                self._goes_on_in_secret(side, who)

    def _hides(self, side: Side) -> None:
        """The game master has people and places of whom nobody knows."""
        luck = side.luck
        if side.hidden and luck.random() < 0.4:
            record = luck.choice(side.hidden)
            held = side.state.records[record]
            if luck.random() < 0.3 and self.secretly(side, "Ana", c.RemoveRecord(record=record)):
                side.hidden.remove(record)
                return
            path = luck.choice(list(held.sheet))
            others = [sheet[path] for sheet in sheets_of(self.system.id, held.kind)]
            self.secretly(side, "Ana", c.EditRecord(record=record, path=path,
                                                    value=otherwise(held.sheet[path], luck, others)))
            return
        kind = luck.choice(list(self.system.kinds))
        sheet = luck.choice(sheets_of(self.system.id, kind))
        if self.secretly(side, "Ana", c.AddRecord(kind=kind, sheet=dict(sheet), seen_by=("gm",))):
            side.hidden.append(list(side.state.records)[-1])

    def _edits(self, side: Side, who: str) -> None:
        """A value that the watchers may not see, on a sheet that they know."""
        known, luck = side.declared(), side.luck
        found = [
            (record, name) for record in self.records if record in side.state.records
            for name, readers in known.hidden_fields(record).items()
            if side.seats[who] in readers and not readers & self._watching(side)
        ]
        if found:
            record, name = luck.choice(found)
            held = side.state.records[record]
            others = [sheet[name] for sheet in sheets_of(self.system.id, held.kind)]
            self.secretly(side, who, c.EditRecord(record=record, path=name,
                                                  value=otherwise(held.sheet[name], luck, others)))

    def _plots(self, side: Side, who: str) -> None:
        """A move of which no watcher may know: declared so, or made so by what is filled in."""
        luck = side.luck
        may_hide = [move for move in self.whole.moves.values() if callable(move.exists) or "all" not in move.exists]
        graded = who == "Ana" and (not may_hide or luck.random() < 0.5)
        move = luck.choice(list(self.whole.moves.values()) if graded else may_hide or list(self.whole.moves.values()))
        actors = [*self.records, *side.hidden, side.seats[who]]
        cast = {role.id: [luck.choice(actors)] for role in move.cast if role.id != "gm" and (role.least or
                                                                                          luck.random() < 0.5)}
        form: dict[str, dict[str, Any]] = {}
        for asked in move.fields:
            actor = "gm" if asked.role == "gm" else next(iter(cast.get(asked.role, [])), "")
            if actor and (asked.secrecy == "gm" or move.id == "free-throw") and luck.random() < 0.8:
                value = self._other(move, asked, None, luck)
                form.setdefault(actor, {}).update({} if value is None else {asked.id: value})
        self.secretly(side, who, c.StartMove(move=move.id, cast=cast, form=form,
                                             grade="invisible" if graded else "open"))

    def _goes_on_in_secret(self, side: Side, who: str) -> None:
        """A hidden move goes on: filled in, thrown, answered, settled, taken back."""
        luck, known = side.luck, side.declared()
        mine = self._numbers(side, who)
        found = [kept for kept in side.state.moves.values() if str(kept["id"]) in mine
                 and not known.know_of(kept) & self._watching(side)]
        if not found:
            return
        kept = luck.choice(found[-3:])
        number = mine[str(kept["id"])]
        if kept["phase"] in OVER:
            self.secretly(side, who, c.Undo(number=number))
            return
        if kept["phase"] == "settled":
            refuse = tuple(at for at in range(len(kept["changes"])) if luck.random() < 0.2)
            if not self.secretly(side, who, c.Accept(number=number, refuse=refuse)):
                self.secretly(side, who, c.Cancel(number=number))
            return
        if kept["pending"] is not None:
            if kept["pending"]["type"] == "choice":
                self.secretly(side, who, c.Answer(number=number, answer=luck.choice(kept["pending"]["options"])))
            return
        rows = [row for row in self.rows(side, who, number) if "value" not in row
                and ("usual" not in row or luck.random() < 0.3)]
        if rows and luck.random() < 0.8:
            row = luck.choice(rows)
            self.secretly(side, who, c.Fill(number=number, actor=row["actor"], values={
                row["field"]: self.value(kept["move"], row, luck)}))
        elif not self.secretly(side, who, c.Throw(number=number, nonce="secret")) and luck.random() < 0.3:
            self.secretly(side, who, c.CloseStep(number=number))


def blind_faces(twins: Twins) -> Callable[..., Any]:
    """Faces for both tables: what is thrown openly falls alike, what no watcher may see falls otherwise."""

    def faces_of(state: State, number: int, step: str, nonce: str) -> Any:
        fair = FACES_OF(state, number, step, nonce)
        side = next((side for side in twins.sides if side.state is state), None)
        if side is None or not isinstance(fair, KeyedFaces):
            return fair
        system = with_house_moves(twins.system, state)
        op = playing.laid_out(state, system, number).moves[number]
        declared = next(one for one in op.move.resolves if one.id == step)
        shown = op.shown(system, declared)
        known, kept, watching = side.declared(), state.move(number), twins._watching(side)
        if known.hearing(kept, shown.dice) & watching:
            return fair
        # Some moves open their dice once all are thrown: of every other one, hidden dice fall alike.
        alike = "own" in shown.dice and Random(f"{kept['move']} {kept['cast']} {number}").random() < 0.3
        salt = b"" if alike else side.salt
        roles = {part["name"] for part in kept["cast"]}
        seen = {role for role in roles if "own" in shown.dice and known.hearing(kept, [role]) & watching}
        return Apart(fair._key, fair._nonce, dict.fromkeys(seen, b""), salt)

    return faces_of


def rota(system: System, luck: Random) -> list[str]:
    """Every move of a game, and those of the house, in some order: those of an encounter after the others."""
    moves = [move.id for move in with_house_moves(system).moves.values()]
    luck.shuffle(moves)
    return moves


__all__ = ["MODES", "Counter", "Evening", "Leak", "Twins", "blind_faces", "deque", "games", "rota", "same"]
