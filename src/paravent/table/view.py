"""What each seat may see of a table. Nothing else leaves the table.

Every number told is the seat's own: of its events, its acts, its encounters. At the very end, whatever still names a
record that the seat may not know of is taken out. What a seat sees of an act or of a record is worked out once for as
long as neither it nor who is who has changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import is_
from typing import TypeVar

import msgspec
from msgspec import UNSET
from msgspec.structs import replace as rewritten

from paravent.dice import plain
from paravent.game import AnyEncounter, System, to_plain
from paravent.game.eyes import Eyes
from paravent.game.lazily import cached_property
from paravent.game.people import about_nobody_known
from paravent.game.plain import Plain
from paravent.game.records import ALL, EVERYONE, GM, Audience, fields_of

from . import events as e
from .act import Act
from .knowing import may_know
from .ondemand import OnDemand
from .seen import (
    AppointmentSeen,
    BackdropSeen,
    DocumentSeen,
    EncounterSeen,
    HourglassSeen,
    HouseSeen,
    LineSeen,
    MoveSeen,
    PictureSeen,
    PreparedSeen,
    RecordSeen,
    SeatSeen,
    TableSeen,
    TellingSeen,
    plainly,
)
from .seen_acts import act_seen, as_read
from .seen_lines import line_said
from .sheets import encounter_read, record_read
from .state import FOR_LATECOMERS, LINES, Item, Running, State

S = TypeVar("S", bound=msgspec.Struct)
_PLATES = (e.SceneOpened, e.BackdropSet)
"""What shows a picture in the story."""


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

    @cached_property
    def is_gm(self) -> bool:
        """Whether a game master is looking."""
        return self.eyes.is_gm(self.seat)

    @property
    def unseen(self) -> frozenset[str]:
        """The records that this seat may not know of."""
        return self.state.unseen(self.seat)

    def own_number(self, number: int) -> int | None:
        """The seat's own number for an act that it may know of."""
        act = self.state.moves.get(number)
        if act is None or not may_know(self.eyes, self.seat, act):
            return None
        return self.state.own_number(self.seat, number)

    # Records

    def record(self, name: str) -> RecordSeen | None:
        """A record as this seat may see it."""
        held = self.state.records.get(name)
        if held is None or name in self.unseen:
            return None
        # Of a record that they know of, two seats of one rank see the same, unless one of them answers for it.
        key = self.eyes.seats.get(self.seat), self.seat in self.eyes.controllers(name), self.unseen, name
        kept = self.state.seen_records.get(key)
        if kept is not None and kept[0] is held and kept[1] is self.system.kinds:
            return kept[2]
        hidden, known = self.hidden(held.kind), self._known(held.kind)
        # A field that this version of the game does not know may be one that a later one hides.
        sheet = {
            field: value for field, value in held.sheet.items()
            if self.is_gm or (field in known and (
                field not in hidden or self.eyes.may_see(self.seat, name, hidden[field])))
        }
        seen = RecordSeen(
            held.kind, held.name, held.owner, sheet, held.seen_by if self.is_gm else UNSET,
            held.aside if self.is_gm and held.aside else UNSET,
            True if record_read(held, self.system) is None else UNSET,
            self.picture(held.picture),
        )
        seen = self.clean(seen)
        self.state.seen_records[key] = held, self.system.kinds, seen
        return seen

    def hidden(self, kind: str) -> Mapping[str, Audience]:
        """The fields of a kind of record that not everybody sees, and who does."""
        declared = self.system.kinds.get(kind)
        return declared.hidden if declared else {}

    def _known(self, kind: str) -> frozenset[str]:
        declared = self.system.kinds.get(kind)
        return frozenset(fields_of(declared.cls)) if declared else frozenset()

    def records(self) -> dict[str, RecordSeen]:
        """The records this seat may see, each with what it may see of it; only those that changed are looked at."""
        records, kinds = self.state.records, self.system.kinds
        kept = self.state.seen_sheets.get(self.seat)
        if kept is None or kept[0] is not records or kept[1] is not kinds:
            # What is kept is forgotten as soon as other eyes look: a sheet that is still the same is seen as before.
            before, listed = (kept[0], kept[2]) if kept is not None and kept[1] is kinds else ({}, {})
            seen = {name: listed.get(name) if before.get(name) is held else self.record(name)
                    for name, held in records.items()}
            known = {name: found for name, found in seen.items() if found is not None}
            kept = self.state.seen_sheets[self.seat] = records, kinds, known
        return kept[2]

    # Pictures and documents

    def picture(self, name: str) -> PictureSeen | msgspec.UnsetType:
        """A picture, as all see it who may."""
        kept = self.state.pictures.get(name)
        return UNSET if kept is None else PictureSeen(name, kept.width, kept.height, kept.words)

    def backdrop(self) -> BackdropSeen | msgspec.UnsetType:
        """The picture of the scene, if this seat sees it."""
        set_up = self.state.backdrop
        picture = self.picture(set_up.picture) if self._is_before(set_up) else UNSET
        return UNSET if picture is UNSET else BackdropSeen(picture, set_up.seen_by if self.is_gm else UNSET)

    def _is_before(self, backdrop: e.Backdrop) -> bool:
        return backdrop.scene == self.state.scene and self.eyes.may_see(self.seat, "", backdrop.seen_by)

    def documents(self) -> dict[str, DocumentSeen]:
        """The documents on this seat's shelf."""
        return {
            name: DocumentSeen(kept.title, kept.text, self.picture(kept.picture),
                               kept.seen_by if self.is_gm else UNSET)
            for name, kept in self.state.documents.items() if self.eyes.may_see(self.seat, "", kept.seen_by)
        }

    def prepared(self) -> dict[str, PreparedSeen]:
        """The scenes that are prepared: the game master's, and nobody else's."""
        return {
            name: PreparedSeen(kept.title, kept.text, kept.people, kept.documents, kept.note,
                               self.picture(kept.picture), kept.played, kept.hidden,
                               {act.move: act.of for act in kept.first})
            for name, kept in self.state.prepared.items()
        } if self.is_gm else {}

    def deck(self) -> dict[str, RecordSeen]:
        """The people up the game master's sleeve, who alone knows of them."""
        return {name: RecordSeen(held.kind, held.name, "", held.sheet, picture=self.picture(held.picture))
                for name, held in self.state.deck.items()} if self.is_gm else {}

    def notes(self) -> dict[str, str]:
        """The seat's own private notes, and, a game master's, those on others, by seat."""
        about = {name.partition(":")[2]: text for name, text in self.state.notes.items()
                 if self.is_gm and name.startswith(f"{GM}:")}
        own = self.state.notes.get(self.seat)
        return about if own is None else {**about, self.seat: own}

    def appointments(self) -> dict[str, AppointmentSeen]:
        """What is to come, as far as the seat may know, the nearest first."""
        to_come = [(kept.due, name, kept) for name, kept in self.state.appointments.items()
                   if kept.due > self.state.minutes and self.eyes.may_see(self.seat, "", kept.seen_by)]
        return {name: AppointmentSeen(due, kept.words, kept.seen_by if self.is_gm else UNSET)
                for due, name, kept in sorted(to_come, key=lambda one: one[:2])}

    def hourglass(self) -> HourglassSeen | msgspec.UnsetType:
        """The hourglass, if it was turned."""
        glass = self.state.hourglass
        return HourglassSeen(glass.seconds, glass.until, glass.words) if glass.seconds else UNSET

    def pictures(self) -> frozenset[str]:
        """The names of the pictures that this seat may look at: where they were put, where they were shown in the
        story, and those it brought."""
        state, eyes = self.state, self.eyes
        put = [held.picture for name, held in state.records.items() if held.picture and name not in self.unseen]
        put += [kept.picture for kept in state.documents.values() if eyes.may_see(self.seat, "", kept.seen_by)]
        put += [state.backdrop.picture] if self._is_before(state.backdrop) else []
        put += [kept.picture for kept in state.prepared.values()] if self.is_gm else []
        put += [held.picture for held in state.deck.values()] if self.is_gm else []
        put += [line.picture.name for item in state.log if isinstance(item.event, _PLATES) and not item.undone
                and (line := self.line(item)) is not None and line.picture is not UNSET]
        mine = eyes.masters if self.is_gm else (self.seat,)
        return (frozenset(put) | {name for name, kept in state.pictures.items() if kept.by in mine}) - {""}

    # Acts

    def moves(self) -> dict[int, MoveSeen]:
        """The acts this seat may know of, by its own numbers; after an event, only those that changed are looked at."""
        state, known = self.state, self.state.counts_of(self.seat)
        shows = state.moves, known.moves, known.encounters, self.system.version, state.endless
        kept = state.seen_lists.get(self.seat)
        if kept is None or not all(map(is_, kept[0], shows)):
            seen = None if kept is None or not all(map(is_, kept[0][1:], shows[1:])) else self._gone_on(*kept)
            kept = state.seen_lists[self.seat] = shows, self._known_moves() if seen is None else seen
        return kept[1]

    def moves_at_hand(self) -> Mapping[int, MoveSeen]:
        """The same; of a table that is read again whole, none is looked at before it is asked for."""
        state = self.state
        if not state.endless:
            return self.moves()
        return OnDemand(state.known_moves(self.seat), lambda at: self.move(state.moves[at]))

    def _known_moves(self) -> dict[int, MoveSeen]:
        seen = ((own, self.move(self.state.moves[at])) for at, own in self.state.known_moves(self.seat).items())
        return {own: move for own, move in seen if move is not None}

    def _gone_on(self, shows: tuple[object, ...], listed: dict[int, MoveSeen]) -> dict[int, MoveSeen] | None:
        """The acts as they were listed, with those that changed since; None where some have come or gone."""
        before, now, found = shows[0], self.state.moves, dict(listed)
        if not isinstance(before, dict) or before.keys() != now.keys():
            return None
        for at in (at for at, act in now.items() if before[at] is not act):
            own = self.state.own_number(self.seat, at) or 0
            seen = self.move(now[at]) if own else None
            if (seen is not None) != (own in found):
                return None
            if seen is not None:
                found[own] = seen
        return found

    def move(self, act: Act) -> MoveSeen | None:
        """One act as this seat may see it, with its own number for it and what proves its dice."""
        own = self.state.counts_of(self.seat)
        key = self.seat, act.id, own.moves.get(act.id, 0), own.encounters.get(act.encounter or 0, 0)
        kept = self.state.seen_moves.get(key)
        if kept is not None and kept[0] is act and kept[1] == self.system.version:
            return kept[2]
        seen = act_seen(self, act) if may_know(self.eyes, self.seat, act) else None
        seen = None if seen is None else self.clean(seen)
        if not self.state.endless:  # of a whole evening, many are looked at once
            self.state.seen_moves[key] = act, self.system.version, seen
        return seen

    # Throws

    # Encounters

    def encounters(self) -> dict[int, EncounterSeen]:
        """The encounters this seat may know of, by its own numbers."""
        numbers = self.state.known_encounters(self.seat)
        seen = {own: self.encounter(at) for at, own in numbers.items()}
        return {own: running for own, running in seen.items() if running is not None}

    def running(self, own: int) -> Running | None:
        """An encounter as the table keeps it, by this seat's number for it; not for showing."""
        numbers = self.state.known_encounters(self.seat)
        return next((self.state.encounters[at] for at, number in numbers.items() if number == own), None)

    def encounter(self, number: int) -> EncounterSeen | None:
        """One encounter as this seat may see it."""
        running = self.state.encounters.get(number)
        if running is None:
            return None
        kept = self.state.seen_encounters.get((self.seat, number))
        rules = self.system.encounters, self.state.rulings
        if kept is None or kept[0] is not running or not all(map(is_, kept[1], rules)):
            kept = self.state.seen_encounters[self.seat, number] = running, rules, self._encounter(number, running)
        return kept[2]

    def _encounter(self, number: int, running: Running) -> EncounterSeen | None:
        if not self.eyes.may_see(self.seat, "", running.seen_by):
            return None
        declared = self.system.encounters.get(running.encounter)
        if declared is None or not isinstance(running.state, dict):
            return EncounterSeen(running.encounter, {}, running.over)
        hidden = frozenset() if self.is_gm else declared.hidden
        stands = running.state if self.is_gm else self._as_known(number, declared, running.state)
        state = {field: value for field, value in stands.items() if field not in hidden}
        return self.clean(EncounterSeen(running.encounter, state, running.over, self._stands(number, declared)))

    def _as_known(self, number: int, declared: AnyEncounter, state: dict[str, Plain]) -> dict[str, Plain]:
        """How an encounter stands, as if those of whom the seat may not know were not there."""
        begun = encounter_read(self.state, self.system, number) if declared.without is not None else None
        if begun is None or declared.without is None:
            return state
        known = to_plain(declared.without(begun.state, self.unseen, self.system.book.still(self.state.rulings)))
        return {field: known[field] for field in state if field in known} if isinstance(known, dict) else state

    def _stands(self, number: int, declared: AnyEncounter) -> tuple[TellingSeen, ...]:
        """What is said of how an encounter stands, as far as this seat may hear it."""
        begun = encounter_read(self.state, self.system, number) if declared.stands is not None else None
        if begun is None or declared.stands is None or declared.over(begun.state):
            return ()
        lines = declared.stands(begun.state, self.system.book.still(self.state.rulings))
        return tuple(TellingSeen(line.key, as_read(plain(line.values), self.may_name)) for line in lines
                     if self.eyes.may_see(self.seat, "", line.audience or EVERYONE)
                     and not about_nobody_known(plain(line.values), self.may_name))

    def may_name(self, one: str) -> str | None:
        """Somebody of whom this seat may know."""
        return None if one in self.unseen else one

    # The log

    def log(self) -> tuple[LineSeen, ...]:
        """The latest lines of the log for this seat, in order."""
        return tuple(line for _, line in self.items())

    def items(self, most: int = LINES) -> list[tuple[Item, LineSeen]]:
        """The latest items of the log that this seat may read, each with its line.

        A line keeps its name (``line``) for as long as it is read: the seat's own number for the event or the act; of
        what was said before the seat was there, how long before.
        """
        found: list[tuple[Item, LineSeen]] = []
        before = 0
        for item in reversed(self.state.log):
            told = self.line(item)
            if told is None:
                continue
            if item.move:
                name = f"m{told.number}"
            elif self.seat in item.heard:
                name = str(item.heard[self.seat])
            else:
                before += 1
                name = f"b{before}"
            if not self.names_unseen(told):
                found.append((item, rewritten(told, line=name)))
            if len(found) == most and not self.state.endless:
                break
        return found[::-1]

    def added(self, items: Iterable[Item]) -> list[tuple[int, LineSeen]] | None:
        """The lines of items just added to the log, each with the seat's own number; None if it has none for one."""
        told = [(item, line) for item in items if (line := self.line(item)) is not None]
        if any(self.seat not in item.heard for item, _ in told):
            return None
        return [(item.heard[self.seat], line) for item, line in told if not self.names_unseen(line)]

    def names_unseen(self, line: LineSeen) -> bool:
        """Whether a line is about a record that the seat may not know of."""
        return bool(self.unseen) and _names(plainly(line), self.unseen)

    def line(self, item: Item) -> LineSeen | None:
        """A line of the log as the seat may read it."""
        if item.move:
            own = self.own_number(item.move)
            # Whoever came to know of it later is told no hour: when it had begun behind the screen is not theirs, nor
            # is it to be read from an hour that is missing here and there whether it was hidden from somebody.
            began = item.at if item.at and self.seat in item.heard else UNSET
            return None if own is None else LineSeen("move", number=own, at=began)
        told = item.event
        if told is None or not self._heard(item):
            return None
        line = rewritten(self._all_said(item, told), at=told.at, by=told.by or UNSET)
        if item.undone:
            line = rewritten(line, undone=True)
        if self.is_gm and self.seat in item.heard:
            line = rewritten(line, item=item.heard[self.seat])
        if isinstance(told, e.RecordChanged) and told.beyond and (self.is_gm or self.seat in told.marked):
            line = rewritten(line, beyond=True)  # for others, what the rules say may rest on what they may not see
        return line

    def _all_said(self, item: Item, told: e.AnyEvent) -> LineSeen:
        """What a line says of all that it tells: of several, those about somebody whom the seat may know."""
        if not item.more:
            return line_said(self, told, item.undone)
        lines = [line_said(self, one, item.undone) for one in (told, *item.more)]
        first, *more = [line for line in lines if not self.names_unseen(line)] or lines[:1]
        return rewritten(first, more=tuple(more) or UNSET)

    def gone(self) -> dict[str, str]:
        """What those were called who have left the table, as far as the lines that the seat reads told it so."""
        return {told.record: told.kept.name for item in self.state.removals for told in (item.event, *item.more)
                if isinstance(told, e.RecordRemoved) and told.record not in self.state.records and self._heard(item)}

    def _heard(self, item: Item) -> bool:
        """A line is for those who heard it; what was said to all, or to game masters, is for those who came later."""
        if self.seat in item.heard or (GM in item.audience and self.is_gm):
            return True
        return ALL in item.audience and isinstance(item.event, FOR_LATECOMERS)

    # All of it

    def whole(self) -> TableSeen:
        """The table as this seat may see it."""
        state = self.state
        return TableSeen(
            table=state.table, name=state.name, system=state.system, seat=self.seat,
            rank=state.seats[self.seat].rank,
            seats={name: SeatSeen(place.name, place.rank, place.present) for name, place in state.seats.items()},
            rulings=state.rulings, minutes=state.minutes, scene=state.scene, episode=state.episode,
            records=self.records(), moves=self.moves(), encounters=self.encounters(), log=self.log(),
            last=state.counts_of(self.seat).events, house=HouseSeen(state.house.trust, state.house.judging),
            timers=msgspec.to_builtins(state.timers) if self.is_gm else UNSET,
            backdrop=self.backdrop(), documents=self.documents() or UNSET, prepared=self.prepared() or UNSET,
            deck=self.deck() or UNSET, notes=self.notes() or UNSET, appointments=self.appointments() or UNSET,
            hourglass=self.hourglass(),
        )

    def clean(self, seen: S) -> S:
        """The same, without anything that names a record the seat may not know of."""
        if not self.unseen:
            return seen
        text = msgspec.json.encode(seen)
        if not any(name.encode() in text for name in self.unseen):
            return seen
        return msgspec.convert(without(msgspec.json.decode(text), self.unseen), type(seen), strict=False)


def without(value: Plain, unseen: frozenset[str]) -> Plain:
    """Plain values without the entries that name one of these records."""
    if isinstance(value, dict):
        return {
            name: without(part, unseen)
            for name, part in value.items()
            if name not in unseen and not (isinstance(part, str) and part in unseen)
        }
    if isinstance(value, (list, tuple)):
        return [without(part, unseen) for part in value if not _names(part, unseen)]
    return value


def _names(value: Plain, unseen: frozenset[str]) -> bool:
    """Whether an element of a list is about one of these records: by itself, or by one of its own values."""
    if isinstance(value, dict):
        return any(isinstance(part, str) and part in unseen for part in value.values())
    if isinstance(value, (list, tuple)):
        return any(isinstance(part, str) and part in unseen for part in value)
    return isinstance(value, str) and value in unseen


def view(state: State, seat: str, system: System) -> TableSeen:
    """The table as this seat may see it."""
    return Looking(state, seat, system).whole()
