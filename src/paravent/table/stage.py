"""The table as a session of the game, for one command; and what becomes of its moves, as events.

Moves are kept as snapshots. Keys of fair dice are made before the throw they belong to may be asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import fields, replace
from typing import Any

from paravent.dice import commitment
from paravent.dice.errors import ParaventError
from paravent.dice.fair import LiveFaces
from paravent.game import RecordKind, Resolve, System, from_plain, to_plain
from paravent.game.errors import STUMBLES
from paravent.game.frozen import snapshot, thaw
from paravent.game.open_move import OpenMove
from paravent.game.session import Held, Running, Session
from paravent.game.view import may_know

from . import events as e
from .deciding import Fresh, everyone_or
from .errors import RuleChanged
from .state import Sheet, State, evolve
from .view import Looking

_NO_CHANGES = next(part.default for part in fields(Resolve) if part.name == "changes")


def laid_out(state: State, system: System, number: int = 0, seat: str = "") -> Session:
    """The table as a session, with one of its moves; what the game no longer reads is left out.

    ``seat`` is counted in even if it left: it may still look at its page.
    """
    session = Session(system, state.eyes_of(seat).seats, system.book.still(state.rulings), LiveFaces())
    session.day = state.day
    timers = {f"timers.{name}": timer for name, timer in state.timers.items()}
    session.clock = {"minutes": state.minutes, "scene": state.scene, "episode": state.episode, **timers}
    for name, held in state.records.items():
        with suppress(ParaventError, *STUMBLES):
            record = _read_once(held, system.kind(held.kind))
            session.records[name] = Held(record, held.kind, held.owner, frozenset(held.seen_by))
    for at, running in state.encounters.items():
        with suppress(ParaventError, *STUMBLES):
            declared = system.encounters[running.encounter]
            seen_by = frozenset(running.seen_by)
            session.encounters[int(at)] = Running(declared, from_plain(declared.state, running.state), seen_by)
    if number:
        session.moves = {number: thawed(state, system, number)}
    return session


def _read_once(held: Sheet, kind: RecordKind) -> Any:
    """The record that a sheet holds: it never changes, and every command reads it."""
    kept = held.__dict__.get("_record")
    if kept is None or kept[0] is not kind:
        kept = (kind, kind.from_plain(held.sheet))
        object.__setattr__(held, "_record", kept)
    return kept[1]


def with_open_moves(state: State, system: System, seat: str) -> Session:
    """The table as a session with every move under way that the game still reads, for a seat's forms and odds."""
    session = laid_out(state, system, seat=seat)
    for at, kept in state.moves.items():
        if kept["phase"] in ("open", "settled"):
            with suppress(RuleChanged):
                session.moves[int(at)] = thawed(state, system, int(at))
    return session


def thawed(state: State, system: System, number: int) -> OpenMove:
    """The move, ready to go on; refused when the game's rule no longer goes the way it went."""
    kept = state.move(number)
    changed = RuleChanged(move=kept["move"], before=kept["version"], now=system.version)
    try:
        rulings = {**system.book.rulings(), **kept["rulings"]}  # options that came since are by default
        op = thaw({**kept, "rulings": rulings}, system, kept["kinds"])
    except (ParaventError, KeyError, TypeError, ValueError, AttributeError, AssertionError):
        raise changed from None
    for throw in kept["throws"]:
        if throw["done"] and to_plain(op.results.get(throw["step"])) != throw["result"]:
            raise changed
    return op


def stage_of(op: OpenMove, system: System) -> str:
    """Where a move stands: its step, and how far its rule has come."""
    step = op.step(system)
    return "" if step is None else f"{step.id} {len(op.records.get(step.id, ()))}"


def told_of_move(
    state: State, system: System, before: Mapping[str, Any], after: Mapping[str, Any]
) -> tuple[str, ...]:
    """Those for whom something is new: they see the move otherwise than before, or no longer, or at last."""
    seats = []
    for seat in state.eyes.seats:
        looking = Looking(state, seat, system)
        if (looking.move(before) if before else None) != looking.move(after):
            seats.append(seat)
    return everyone_or(state.eyes, seats)


class Played:
    """A session over the state, for one command; afterwards, the events that tell what it did."""

    def __init__(self, state: State, system: System, fresh: Fresh, number: int = 0, seat: str = "") -> None:
        self.state, self.system, self.fresh = state, system, fresh
        self.session = laid_out(state, system, number, seat)
        self._encounters_before = set(self.session.encounters)
        self._moves_before = set(self.session.moves)
        self._unseen: dict[int, list[int]] = {}
        """Encounters that began behind the screen, by the move that began them: they come out with its throw."""

    def events(self, kind: type[e.MoveEvent], number: int, **more: Any) -> list[e.Event]:
        """What happened to a move and what came of it: other moves, encounters, throws made ready."""
        told: list[e.Event] = self._opened(number)
        self._take_in(told)
        told += self._event(kind, number, **more)
        for other in sorted(set(self.session.moves) - {number}):
            told += self._event(e.MoveStarted, other)
        return told

    def started(self) -> list[e.Event]:
        """What came of moves that were opened: all those that the table does not hold yet."""
        told: list[e.Event] = self._opened(min(self.session.moves))
        self._take_in(told)
        for number in sorted(self.session.moves):
            told += self._event(e.MoveStarted, number)
        return told

    def _take_in(self, events: Iterable[e.Event]) -> None:
        for event in events:
            self.state = evolve(self.state, event)

    def _event(self, kind: type[e.MoveEvent], number: int, **more: Any) -> list[e.Event]:
        op = self._closing(self.session.moves[number])
        before = self.state.moves.get(str(number), {})
        after = self.kept(op, before)
        patch = {name: value for name, value in after.items() if name not in before or before[name] != value}
        told: list[e.Event] = [kind(number=number, patch=patch, audience=self._told(before, after), **more)]
        self._take_in(told)
        ready = self._ready(op, number, after)
        self._take_in(ready)
        return [*told, *ready]

    def kept(self, op: OpenMove, before: Mapping[str, Any]) -> dict[str, Any]:
        """A move as the table keeps it: its snapshot, and what only a table knows of it."""
        after = snapshot(op, self.system)
        after["kinds"] = {actor.id: actor.kind for actor in op.cast if actor.record is not None}
        for name in ("keys", "past", "deadline", "shown_otherwise", "unseen"):
            if name in before:
                after[name] = before[name]
        if after["grade"] != before.get("grade", "open"):
            after["keys"] = {step: self._made(op, step, made) for step, made in after.get("keys", {}).items()}
        deadline = after.get("deadline") or {}
        if deadline.get("stage", stage := stage_of(op, self.system)) != stage:
            after["deadline"] = {**deadline, "until": ""}  # the time was given for what the move waited for then
        if op.id in self._unseen:
            after["unseen"] = self._unseen[op.id]
        if before.get("shown_otherwise"):
            after["exists"] = before["exists"]
            told = {throw["step"]: throw["tellings"] for throw in before["throws"] if throw.get("turned_over")}
            after["throws"] = [
                {**throw, "tellings": told.get(throw["step"], throw["tellings"])} for throw in after["throws"]
            ]
        return self._listing_undone(after, before)

    @staticmethod
    def _listing_undone(after: dict[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
        """Throws that going back took away stay listed; if thrown again, it is with a new key."""
        thrown = {throw["step"] for throw in after["throws"]}
        keys = dict(after.get("keys", {}))
        gone = [
            throw for throw in before.get("throws", ())
            if throw["step"] not in thrown and "nonce" in keys.get(throw["step"], {})
        ]
        if not gone:
            return after
        past = [*after.get("past", ()), *({"throw": throw, "made": keys.pop(throw["step"])} for throw in gone)]
        return {**after, "keys": keys, "past": past}

    def _made(self, op: OpenMove, step: str, made: Mapping[str, Any]) -> dict[str, Any]:
        """A key that is ready, known to those who may now know of its throw."""
        resolve = next(other for other in op.move.resolves if other.id == step)
        return {**made, "exists": sorted(op.shown(self.system, resolve).exists)}

    def _told(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[str, ...]:
        return told_of_move(self.state, self.system, before, after)

    def _ready(self, op: OpenMove, number: int, after: Mapping[str, Any]) -> list[e.Event]:
        """The key of the throw that comes next, before anybody may ask for it."""
        step = op.step(self.system) if op.phase == "open" else None
        keys = after.get("keys", {})
        if not isinstance(step, Resolve) or step.auto or step.id in keys or step.id in op.records:
            return []
        key = self.fresh.token(32)
        exists = op.shown(self.system, step).exists
        made = {"key": key.hex(), "hash": commitment(key), "exists": sorted(exists)}
        patch = {"keys": {**keys, step.id: made}}
        audience = self._told(after, {**after, **patch})
        return [e.ThrowReady(number=number, patch=patch, step=step.id, hash=commitment(key), audience=audience)]

    def _opened(self, by: int) -> list[e.Event]:
        """The encounters that a move began, under the table's own numbers; their moves follow them there."""
        told: list[e.Event] = []
        eyes = self.state.eyes
        for at in sorted(set(self.session.encounters) - self._encounters_before):
            running = self.session.encounters[at]
            number = self.state.encounters_opened + 1 + len(told)
            seen_by = tuple(sorted(running.audience))
            audience = everyone_or(eyes, (seat for seat in eyes.seats if eyes.may_see(seat, "", seen_by)))
            told.append(e.EncounterOpened(
                number=number, encounter=running.encounter.id, state=to_plain(running.state), seen_by=seen_by,
                audience=audience,
            ))
            for other, op in self.session.moves.items():
                if op.encounter == at and other not in self._moves_before:
                    self.session.moves[other] = replace(op, encounter=number)
            if running.audience != running.encounter.audience:
                self._unseen.setdefault(by, []).append(number)
        return told

    # What closes by itself

    def _closing(self, op: OpenMove) -> OpenMove:
        """A settled move with nothing to apply closes by itself, where that tells nobody anything."""
        if op.phase != "settled" or op.changes or not self._nothing_told(op):
            return op
        return replace(op, phase="closed")

    def _nothing_told(self, op: OpenMove) -> bool:
        kept = snapshot(op, self.system)
        eyes = self.session.eyes
        watching = [seat for seat in eyes.seats if may_know(eyes, seat, kept)]
        clear = [throw["step"] for throw in kept["throws"] if all(self._open_to(op, throw, seat) for seat in watching)]
        # A move that can never change anything tells nothing by closing, unless it could have gone on.
        never = all(step.changes is _NO_CHANGES for step in op.move.resolves)
        last = op.move.steps[-1].id
        goes_on = any(step.id not in clear and step.id != last for step in op.move.resolves)
        if never and not goes_on:
            return True
        return len(clear) == len(kept["throws"]) and all(self._all_open(op, seat) for seat in watching)

    def _open_to(self, op: OpenMove, throw: Mapping[str, Any], seat: str) -> bool:
        shown = throw["shown"]
        audiences = [shown["exists"], shown["dice"], shown["outcome"], shown["detail"] or shown["dice"]]
        return all(seat in self.session.seats_of(op, audience) for audience in audiences)

    def _all_open(self, op: OpenMove, seat: str) -> bool:
        """Whether this seat sees everything that the move may have read."""
        eyes = self.session.eyes
        if eyes.is_gm(seat):
            return all(asked.secrecy != "sealed" or asked.id in op.revealed for asked in op.move.fields)
        if any(asked.secrecy != "open" and asked.id not in op.revealed for asked in op.move.fields):
            return False
        running = self.session.encounters.get(op.encounter or 0)
        if running is not None and running.encounter.hidden:
            return False
        return all(
            actor.record is None or not self.system.kind(actor.kind).hidden
            or all(eyes.may_see(seat, actor.id, seen_by) for seen_by in self.system.kind(actor.kind).hidden.values())
            for actor in op.cast
        )

    def numbered_from_here(self) -> None:
        """Give moves that the session just opened the table's next numbers."""
        opened = sorted(set(self.session.moves) - self._moves_before)
        moves = {number: op for number, op in self.session.moves.items() if number not in opened}
        for at, number in enumerate(opened, start=self.state.moves_started + 1):
            moves[at] = replace(self.session.moves[number], id=at)
        self.session.moves = moves
