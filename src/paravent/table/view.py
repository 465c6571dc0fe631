"""What each seat may see of a table, whole and event by event. Nothing else leaves the table.

Every number told is the seat's own: of its events, its moves, its encounters. At the very end, whatever still names a
record that the seat may not know of is taken out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from paravent.game import System
from paravent.game.eyes import Eyes, Part
from paravent.game.records import ALL, GM, Audience
from paravent.game.view import encounter_seen, is_blind, may_know, move_seen, sheet_seen

from . import events as e
from .state import FOR_LATECOMERS, LINES, OVER, Item, State


@dataclass(frozen=True)
class Looking:
    """One seat looking at a table as it stands."""

    state: State
    seat: str
    system: System

    @cached_property
    def eyes(self) -> Eyes:
        """Who is who."""
        return self.state.eyes_of(self.seat)

    @property
    def is_gm(self) -> bool:
        """Whether a game master is looking."""
        return self.eyes.is_gm(self.seat)

    @property
    def unseen(self) -> frozenset[str]:
        """The records that this seat may not know of."""
        return self.state.unseen(self.seat)

    def own_number(self, number: int) -> int | None:
        """The seat's own number for a move that it may know of."""
        kept = self.state.moves.get(str(number))
        if kept is None or not may_know(self.eyes, self.seat, kept):
            return None
        return self._numbers.get(str(number))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return self.state.known_moves(self.seat)

    # Records

    def record(self, name: str) -> dict[str, Any] | None:
        """A record as this seat may see it."""
        held = self.state.records.get(name)
        if held is None or name in self.unseen:
            return None
        sheet = sheet_seen(self.eyes, self.seat, name, held.sheet, frozenset(held.seen_by), self._hidden(held.kind))
        seen: dict[str, Any] = {"kind": held.kind, "name": held.name, "owner": held.owner, "sheet": sheet}
        if self.is_gm:
            seen["seen_by"] = list(held.seen_by)
        return seen

    def _hidden(self, kind: str) -> Mapping[str, Audience]:
        declared = self.system.kinds.get(kind)
        return declared.hidden if declared else {}

    def records(self) -> dict[str, dict[str, Any]]:
        """The records this seat may see, each with what it may see of it."""
        return {name: seen for name in self.state.records if (seen := self.record(name)) is not None}

    # Moves and encounters

    def moves(self) -> dict[str, dict[str, Any]]:
        """The moves this seat may know of, by its own numbers."""
        numbers = self.state.known_moves(self.seat)
        seen = ((own, self.move(self.state.moves[at])) for at, own in numbers.items())
        return {str(own): move for own, move in seen if move is not None}

    def move(self, kept: Mapping[str, Any]) -> dict[str, Any] | None:
        """One move as this seat may see it, with its own number for it and what proves its dice."""
        if not may_know(self.eyes, self.seat, kept):
            return None
        shown = move_seen(self.eyes, self.seat, kept)
        numbers = self.state.counts_of(self.seat)
        seen = {"number": numbers.moves.get(str(kept["id"]), 0), "starter": kept["starter"], **shown,
                "proofs": self.proofs(kept, shown)}
        encounter = numbers.encounters.get(str(kept["encounter"]))
        if encounter is not None:
            seen["encounter"] = encounter
        if kept.get("deadline") and kept["phase"] not in OVER:
            seen["deadline"] = {name: kept["deadline"][name] for name in ("policy", "until", "by")}
            if is_blind(self.eyes, self.seat, kept):  # that its time no longer counts would tell of a hidden throw
                seen["deadline"]["until"] = kept["deadline"].get("said", "")
        if kept["version"] != self.system.version and kept["phase"] not in OVER:
            seen["rule_changed"] = {"before": kept["version"], "now": self.system.version}
        undone = self._undone_throws(kept)
        return {**seen, "undone_throws": undone} if undone else seen

    def proofs(self, kept: Mapping[str, Any], shown: Mapping[str, Any]) -> list[dict[str, Any]]:
        """For each throw: the hash of its key; its nonce; the key once every one of its dice lies open to the seat."""
        return [
            proof
            for step, made in kept.get("keys", {}).items()
            if (proof := self._proof(kept, step, made, kept["throws"], shown["throws"])) is not None
        ]

    def _proof(
        self, kept: Mapping[str, Any], step: str, made: Mapping[str, Any], thrown: Any, shown: Any
    ) -> dict[str, Any] | None:
        throw = next((throw for throw in thrown if throw["step"] == step), None)
        seen = next((throw for throw in shown if throw["step"] == step), None)
        if throw is None and not self._hears(kept, made["exists"]):
            return None
        # Before the throw, that it is coming would tell how an earlier one ended to those who may not know.
        if (throw is None and self._blind(kept)) or (throw is not None and seen is None):
            return None
        proof = {"step": step, "hash": made["hash"]}
        if throw is None or seen is None or not any(entry["type"] == "thrown" for entry in throw["record"]):
            return proof
        proof["nonce"] = made.get("nonce", "")
        dice = [entry for entry in throw["record"] if entry["type"] == "thrown"]
        if throw["done"] and len(seen.get("dice", ())) == len(dice):
            proof["key"] = made["key"]
        return proof

    def _undone_throws(self, kept: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Throws that were taken back: they stay listed, with what proves them."""
        listed = []
        for past in kept.get("past", ()):
            shown = move_seen(self.eyes, self.seat, {**kept, "throws": [past["throw"]]})["throws"]
            if not shown:
                continue
            proof = self._proof(kept, past["throw"]["step"], past["made"], [past["throw"]], shown)
            listed.append({**shown[0], "proof": proof})
        return listed

    def _hears(self, kept: Mapping[str, Any], audience: Any) -> bool:
        parts = [Part(**part) for part in kept["cast"]]
        return self.seat in self.eyes.hearing(parts, kept["by"], audience)

    def _blind(self, kept: Mapping[str, Any]) -> bool:
        return any(not self._hears(kept, throw["shown"]["outcome"]) for throw in kept["throws"])

    def encounters(self) -> dict[str, dict[str, Any]]:
        """The encounters this seat may know of, by its own numbers."""
        numbers = self.state.known_encounters(self.seat)
        seen = {str(own): self.encounter(int(at)) for at, own in numbers.items()}
        return {own: running for own, running in seen.items() if running is not None}

    def encounter(self, number: int) -> dict[str, Any] | None:
        """One encounter as this seat may see it."""
        running = self.state.encounters.get(str(number))
        if running is None or not self.eyes.may_see(self.seat, "", running.seen_by):
            return None
        if running.encounter not in self.system.encounters:
            return {"encounter": running.encounter, "state": {}, "over": running.over}
        seen = encounter_seen(self.eyes, self.seat, self.system, running.encounter, running.state)
        return {**seen, "over": running.over}

    # The log

    def log(self) -> list[dict[str, Any]]:
        """The latest lines of the log for this seat, in order."""
        return [line for _, line in self.items()]

    def items(self) -> list[tuple[Item, dict[str, Any]]]:
        """The latest items of the log that this seat may read, each with its line.

        A line keeps its name (``line``) for as long as it is read: the seat's own number for the event or the move; of
        what was said before the seat was there, how long before.
        """
        found: list[tuple[Item, dict[str, Any]]] = []
        before = 0
        for item in reversed(self.state.log):
            told = self.line(item)
            if told is None:
                continue
            if item.move:
                name = f"m{told['number']}"
            elif self.seat in item.heard:
                name = str(item.heard[self.seat])
            else:
                before += 1
                name = f"b{before}"
            found.append((item, {"line": name, **told}))
            if len(found) == LINES and not self.state.endless:
                break
        return found[::-1]

    def added(self, items: Iterable[Item]) -> list[tuple[int, dict[str, Any]]] | None:
        """The lines of items just added to the log, each with the seat's own number; None if it has none for one."""
        told = [(item, line) for item in items if (line := self.line(item)) is not None]
        if any(self.seat not in item.heard for item, _ in told):
            return None
        return [(item.heard[self.seat], seen) for item, line in told for seen in self.clean({"log": [line]})["log"]]

    def line(self, item: Item) -> dict[str, Any] | None:
        if item.move:
            own = self.own_number(item.move)
            return None if own is None else {"type": "move", "number": own}
        told = item.event
        if not self._heard(item):
            return None
        line = {"type": told["type"], "at": told["at"], **self._said(told, item.undone)}
        if told["by"]:
            line["by"] = told["by"]
        if item.undone:
            line["undone"] = True
        if self.is_gm and self.seat in item.heard:
            line["item"] = item.heard[self.seat]
        if told.get("beyond") and (self.is_gm or self.seat in told.get("marked", ())):
            line["beyond"] = True  # for others, what the rules say may rest on what they may not see
        return line

    def _heard(self, item: Item) -> bool:
        """A line is for those who heard it; what was said to all, or to game masters, is for those who came later."""
        audience = item.event["audience"]
        if self.seat in item.heard or (GM in audience and self.is_gm):
            return True
        return ALL in audience and item.event["type"] in FOR_LATECOMERS

    def _said(self, told: Mapping[str, Any], undone: bool) -> dict[str, Any]:
        """What a line says: for each type of event, the values that may be read."""
        if told["type"] == "said" and undone and not (self.is_gm or told["by"] == self.seat):
            return {"kind": told["kind"]}
        said = {name: told[name] for name in _LINES.get(told["type"], ()) if name in told}
        match told["type"]:
            case "record-removed":
                said["name"] = told["kept"].get("name", "")
            case "record-changed" if not self._sees_field(told["record"], told["path"]):
                said = {"record": told["record"]}
            case "throw-turned-over" | "changed":
                number = told["number"] if "number" in told else told["move"]
                own = self.own_number(number)
                said |= {} if own is None else {"number": own}
        return said

    def _sees_field(self, record: str, path: str) -> bool:
        held = self.state.records.get(record)
        if held is None:
            return self.is_gm
        hidden = self._hidden(held.kind).get(path.partition(".")[0])
        return hidden is None or self.eyes.may_see(self.seat, record, hidden)

    # All of it

    def whole(self) -> dict[str, Any]:
        """The table as this seat may see it, in plain values."""
        state = self.state
        seen = {
            "table": state.table,
            "name": state.name,
            "system": state.system,
            "seat": self.seat,
            "grade": state.seats[self.seat].grade,
            "seats": {
                name: {"name": place.name, "grade": place.grade, "present": place.present}
                for name, place in state.seats.items()
            },
            "rulings": state.rulings,
            "minutes": state.minutes,
            "scene": state.scene,
            "episode": state.episode,
            "records": self.records(),
            "moves": self.moves(),
            "encounters": self.encounters(),
            "log": self.log(),
            "last": state.counts_of(self.seat).events,
        }
        if self.is_gm:
            seen["timers"] = state.timers
        return self.clean(seen)

    def clean(self, told: dict[str, Any]) -> dict[str, Any]:
        """The same, without anything that names a record the seat may not know of."""
        if not self.unseen:
            return told
        cleaned: dict[str, Any] = _without(told, self.unseen)
        return cleaned


_LINES: Mapping[str, tuple[str, ...]] = {
    "table-opened": ("name", "system"),
    "seat-added": ("seat", "name"),
    "seat-renamed": ("seat", "name", "before"),
    "seat-left": ("seat",),
    "seat-returned": ("seat",),
    "options-set": ("rulings", "before"),
    "record-added": ("record", "kind", "name", "owner"),
    "record-changed": ("record", "path", "before", "after"),
    "record-shown": ("record",),
    "record-given": ("record", "owner"),
    "record-removed": ("record",),
    "said": ("kind", "text", "title", "to"),
    "card-played": ("card",),
    "scene-opened": ("kind", "title"),
    "encounter-opened": ("encounter",),
    "throw-turned-over": ("step",),
    "corrected": ("what",),
}
"""What a line of the log says; nothing else of an event is ever read from it."""


def _without(value: Any, unseen: frozenset[str]) -> Any:
    """Plain values without the entries that name one of these records."""
    if isinstance(value, Mapping):
        return {
            name: _without(part, unseen)
            for name, part in value.items()
            if name not in unseen and not (isinstance(part, str) and part in unseen)
        }
    if isinstance(value, (list, tuple)):
        return [_without(part, unseen) for part in value if not _names(part, unseen)]
    return value


def _names(value: Any, unseen: frozenset[str]) -> bool:
    """Whether an element of a list is about one of these records: by itself, or by one of its own values."""
    if isinstance(value, Mapping):
        return any(isinstance(part, str) and part in unseen for part in value.values())
    if isinstance(value, (list, tuple)):
        return any(isinstance(part, str) and part in unseen for part in value)
    return isinstance(value, str) and value in unseen


def view(state: State, seat: str, system: System) -> dict[str, Any]:
    """The table as this seat may see it, in plain values."""
    return Looking(state, seat, system).whole()


def event_seen(state: State, happened: e.Event, seat: str, system: System) -> dict[str, Any] | None:
    """One event as this seat may see it, on the state after it; None if it is not told of it."""
    if seat not in state.hearing((*happened.audience, *happened.touched)):
        return None
    looking = Looking(state, seat, system)
    told: dict[str, Any] = {"id": state.counts_of(seat).events, "at": happened.at}
    if seat not in state.hearing(happened.audience) or _arrives(happened, seat):
        return {**told, "type": "refreshed", "view": looking.whole()}
    told["type"] = e.type_name(type(happened))
    if happened.by:
        told["by"] = happened.by
    if happened.back:
        told["back"] = True
    return looking.clean(told | _told(looking, happened))


_TO_EACH = (
    e.MoveEvent, e.Changed, e.RecordAdded, e.RecordChanged, e.RecordShown, e.RecordGiven, e.RecordRemoved,
    e.EncounterOpened, e.EncounterEnded,
)
"""Events of which each is told what they may see of the thing; of any other, all who hear it are told the same."""


def told_alike(state: State, happened: e.Event) -> frozenset[str]:
    """The seats who are told the same of an event, their own numbers aside, if they know of the same records."""
    if isinstance(happened, _TO_EACH):
        return frozenset()
    return frozenset(seat for seat in state.hearing(happened.audience) if not _arrives(happened, seat))


def _arrives(happened: e.Event, seat: str) -> bool:
    return isinstance(happened, (e.SeatReturned, e.LinkRenewed)) and happened.seat == seat


def _told(looking: Looking, happened: e.Event) -> dict[str, Any]:
    match happened:
        case e.MoveEvent():
            return _told_of_move(looking, happened)
        case e.Changed():
            return _told_of_changes(looking, happened)
        case e.TableOpened():
            return {"name": happened.name, "system": happened.system, "rulings": happened.rulings}
        case e.SeatAdded():
            return {"seat": happened.seat, "name": happened.name, "grade": happened.grade}
        case e.SeatRenamed():
            return {"seat": happened.seat, "name": happened.name}
        case e.LinkRenewed():
            return {"seat": happened.seat, "present": not happened.closed}
        case e.SeatLeft() | e.SeatReturned():
            return {"seat": happened.seat}
        case e.OptionsSet():
            return {"rulings": happened.rulings}
        case e.RecordAdded() | e.RecordChanged() | e.RecordShown() | e.RecordGiven() | e.RecordRemoved():
            return {"record": happened.record, "seen": looking.record(happened.record)}
        case e.Said():
            return {"kind": happened.kind, "text": happened.text, "title": happened.title, "to": list(happened.to)}
        case e.CardPlayed():
            return {"card": happened.card}
        case e.SceneOpened():
            return {"kind": happened.kind, "title": happened.title}
        case e.EncounterOpened() | e.EncounterEnded():
            own = looking.state.counts_of(looking.seat).encounters.get(str(happened.number))
            return {"number": own, "seen": looking.encounter(happened.number)}
        case e.Corrected():
            return {"what": happened.what}
        case _:
            return {}


def _told_of_move(looking: Looking, happened: e.MoveEvent) -> dict[str, Any]:
    kept = looking.state.moves.get(str(happened.number))
    seen = looking.move(kept) if kept is not None else None
    if seen is not None:
        return {"number": seen["number"], "move": seen}
    own = looking.state.counts_of(looking.seat).moves.get(str(happened.number))
    return {"number": own, "gone": True}


def _told_of_changes(looking: Looking, happened: e.Changed) -> dict[str, Any]:
    """How everything that may change looks now: to name what did would tell of what the seat may not see."""
    state = looking.state
    own = looking.own_number(happened.move) if happened.move else None
    return {
        **({} if own is None else {"number": own}),
        "records": looking.records(), "encounters": looking.encounters(), "minutes": state.minutes,
        "scene": state.scene, "episode": state.episode, "rulings": state.rulings,
    }
