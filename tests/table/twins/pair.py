"""Both tables: acts done in public or in secret, and everything that a watcher could ask for, compared."""

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from declared import facts
from scene import page

from paravent.dice import KeyedFaces
from paravent.dice.errors import ParaventError
from paravent.game import System
from paravent.table import commands as c
from paravent.table import playing
from paravent.table.act import Act
from paravent.table.decide import open_table
from paravent.table.deciding import Fresh
from paravent.table.evolve import evolve
from paravent.table.export import export_seen, record_file
from paravent.table.forms import form_seen, odds_seen, start_form_seen
from paravent.table.house import with_house_moves
from paravent.table.knowing import may_know
from paravent.table.open_move import HELD
from paravent.table.rereading import reread
from paravent.table.seen import plainly
from paravent.table.state import State
from paravent.table.view import view

from .games import otherwise, sheets_of
from .side import Apart, Side, Tried

PEOPLE = {"Ana": "gm", "Bob": "player", "Cy": "player", "Zoe": "spectator"}
MODES = {
    "the game master's": (("Ana",), ("Bob", "Cy", "Zoe")),
    "a player's": (("Ana", "Bob"), ("Cy", "Zoe")),
    "sealed": (("Bob", "Cy"), ("Ana", "Zoe")),
}
"""Whose secrets an evening is about: the keepers, and those who may not know."""
LANGUAGES = ("fr", "en")
FACES_OF = playing.faces_of


def _is_withheld(tried: Tried) -> bool:
    """Whether the rules refuse over something hidden: all that may be heard is that it waits for the game master."""
    if tried.refusal is not None:
        return tried.refusal.code == "table/withheld"
    acts = tried.states[-1].moves.values() if tried.states else ()
    return any(_is_held(act) for act in acts if act.phase == "open")


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
        for name, rank in list(PEOPLE.items())[1:]:
            self.publicly("Ana", lambda side, name=name, rank=rank: c.AddSeat(name=name, rank=rank))
            for side in self.sides:
                side.seats[name] = next(seat for seat, place in side.state.seats.items() if place.name == name)
        # That a judgement is said is known to all: here the game master judges as they please, before or never.
        self.publicly("Ana", lambda side: c.SetHouse(judging="at-will"))
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

    def learnt(self, state: State, who: str) -> list[dict[str, Any]]:
        """What the watchers were meant to learn by something that somebody did."""
        seats = [self.seat(name) for name in self.watchers if name in self.one.seats]
        mastered = PEOPLE[who] == "gm"
        return [{**facts(state, seat, self.system, mastered), "judged": _judged(state, seat)} for seat in seats]

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
        withheld = [_is_withheld(one) for one in tried]
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
        if self.learnt(tried[0].states[-1], who) != self.learnt(tried[1].states[-1], who):
            return "tells"
        if who in self.watchers:
            same(("the reply to", who), *(one.reply for one in tried))
        told = [side.keeps(one) for side, one in zip(self.sides, tried, strict=True)]
        for name in self.watchers:
            same(("the stream of", name, command), *(part.get(self.one.seats.get(name, ""), []) for part in told))
        return "done"

    def secretly(self, side: Side, who: str, command: c.Command) -> bool:
        """One act at one table only: it is done unless a watcher would learn of it, and then none hears anything.

        That something changed on a sheet is learnt by nobody who may not see it, whatever else follows from it.
        """
        asked = dataclasses.replace(command, seat=side.seats[who])
        tried = side.tries(asked, f"secret {side.luck.random()}", self.acts)
        if tried.refusal or not tried.happened:
            return False
        if (now := self.learnt(tried.states[-1], who)) != (before := self.learnt(side.state, who)):
            if isinstance(command, c.EditRecord):
                same(("what a hidden figure told", asked), before, now)
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
            name = next((n for n in self.watchers if kept.id in self._numbers(self.one, n)), None)
            if name is not None:
                found.append((name, self._numbers(self.one, name)[kept.id]))
        return found

    @staticmethod
    def _numbers(side: Side, name: str) -> dict[int, int]:
        return side.state.counts_of(side.seats[name]).moves

    def at(self, side: Side, ref: tuple[str, int]) -> int:
        """The table's number of a move."""
        return next((at for at, own in self._numbers(side, ref[0]).items() if own == ref[1]), 0)

    def number(self, side: Side, who: str, ref: tuple[str, int]) -> int:
        """Somebody's own number of a move; one that nobody has, where they may not know of it."""
        return self._numbers(side, who).get(self.at(side, ref), 999)

    def encounter(self, side: Side, who: str, ref: int) -> int | None:
        """Somebody's own number of an encounter that the first watcher calls ``ref``."""
        known = side.state.counts_of(side.seats[self.watchers[0]]).encounters
        at = next((at for at, own in known.items() if own == ref), 0)
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
        seen = plainly(view(state, seat, self.system))
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
            thrown, inside = bool(a.throws), a.encounter is not None
            if a.fields != b.fields:
                self.varied["after the dice" if thrown else "before the dice"] += 1
                self.varied["in an encounter"] += inside
            if [throw.record for throw in a.throws] != [throw.record for throw in b.throws]:
                self.varied["hidden dice"] += 1
                self.varied["after the dice"] += 1
                self.varied["in an encounter"] += inside
            if _sheets(a) != _sheets(b) or len(a.cast) != len(b.cast):
                self.varied["hidden figures in a move"] += 1
                self.varied["after the dice" if thrown else "before the dice"] += 1
                self.varied["in an encounter"] += inside
            if a.changes != b.changes:
                self.varied["changes"] += 1
            if a.move == "pass-time":
                self.varied["time"] += a.fields != b.fields or a.changes != b.changes
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


def _sheets(kept: Act) -> dict[str, Any]:
    return {part.id: part.sheet for part in kept.cast if part.has_sheet}


def blind_faces(twins: Twins) -> Callable[..., Any]:
    """Faces for both tables: what is thrown openly falls alike, what no watcher may see falls otherwise."""

    def faces_of(state: State, fresh: Fresh, number: int, step: str, grain: str) -> Any:
        fair = FACES_OF(state, fresh, number, step, grain)
        side = next((side for side in twins.sides if side.state is state), None)
        if side is None or not isinstance(fair, KeyedFaces):
            return fair
        system = with_house_moves(twins.system, state)
        op = reread(state, system, number)
        declared = next(one for one in op.move.resolves if one.id == step)
        shown = op.shown(system, declared)
        known, kept, watching = side.declared(), state.move(number), twins._watching(side)
        if known.hearing(kept, shown.dice) & watching:
            return fair
        # Some moves open their dice once all are thrown: of every other one, hidden dice fall alike.
        cast = [(part.id, part.role) for part in kept.cast]
        alike = "own" in shown.dice and Random(f"{kept.move} {cast} {number}").random() < 0.3
        salt = b"" if alike else side.salt
        roles = {part.name for part in kept.cast}
        seen = {role for role in roles if "own" in shown.dice and known.hearing(kept, [role]) & watching}
        return Apart(fair._key, fair._grain, dict.fromkeys(seen, b""), salt)

    return faces_of


def _judged(state: State, seat: str) -> dict[int, tuple[str, bool]]:
    """The acts that wait for the game master's word, before the dice or over what only they see: that it is said, not
    what it is, lets the dice go for all."""
    return {number: (act.judgement, _is_held(act)) for number, act in state.moves.items()
            if act.phase == "open" and (act.judgement or _is_held(act)) and may_know(state.eyes_of(seat), seat, act)}


def _is_held(act: Act) -> bool:
    return any(HELD in answers.values() for answers in act.windows.values())
