"""What each seat may see of a table, whole and event by event. Nothing else leaves the table.

Every number told is the seat's own: of its events, its acts, its encounters. At the very end, whatever still names a
record that the seat may not know of is taken out. What a seat sees of an act or of a record is worked out once for as
long as neither it nor who is who has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from operator import is_
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace as rewritten

from paravent.dice import plain
from paravent.game import AnyEncounter, System
from paravent.game.eyes import Eyes
from paravent.game.people import about_nobody_known, for_reader
from paravent.game.plain import Plain
from paravent.game.records import ALL, EVERYONE, GM, OWN, Audience, fields_of

from . import events as e
from .act import (
    OVER,
    Act,
    ChoiceAsked,
    ChoiceMade,
    DiceFell,
    Filled,
    Key,
    LineNoted,
    Phase,
    Proposal,
    Sentence,
    Throw,
)
from .knowing import ends_unseen, hears, holds_back, is_blind, is_present, known_as, may_know, may_read
from .seen import (
    AnswerSeen,
    BackdropSeen,
    ChangeSeen,
    ChoiceSeen,
    DeadlineSeen,
    DiceSeen,
    DiceWanted,
    DocumentSeen,
    EncounterSeen,
    GrainSeen,
    HouseSeen,
    LineSeen,
    MoveSeen,
    NoteSeen,
    PictureSeen,
    PreparedSeen,
    Proof,
    RecordSeen,
    SeatSeen,
    TableSeen,
    TellingSeen,
    ThrowSeen,
    VersionsSeen,
    plainly,
)
from .sheets import encounter_read, record_read
from .state import FOR_LATECOMERS, LINES, Item, Running, State

S = TypeVar("S", bound=msgspec.Struct)


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
        hidden, known = self._hidden(held.kind), self._known(held.kind)
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

    def _hidden(self, kind: str) -> Mapping[str, Audience]:
        declared = self.system.kinds.get(kind)
        return declared.hidden if declared else {}

    def _known(self, kind: str) -> frozenset[str]:
        declared = self.system.kinds.get(kind)
        return frozenset(fields_of(declared.cls)) if declared else frozenset()

    def records(self) -> dict[str, RecordSeen]:
        """The records this seat may see, each with what it may see of it."""
        records, kinds = self.state.records, self.system.kinds
        kept = self.state.seen_sheets.get(self.seat)
        if kept is None or kept[0] is not records or kept[1] is not kinds:
            seen = {name: seen for name in records if (seen := self.record(name)) is not None}
            kept = self.state.seen_sheets[self.seat] = records, kinds, seen
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
                               self.picture(kept.picture), kept.played)
            for name, kept in self.state.prepared.items()
        } if self.is_gm else {}

    def pictures(self) -> frozenset[str]:
        """The names of the pictures that this seat may look at: where they were put, where they were shown in the
        story, and those it brought."""
        state, eyes = self.state, self.eyes
        put = [held.picture for name, held in state.records.items() if held.picture and name not in self.unseen]
        put += [kept.picture for kept in state.documents.values() if eyes.may_see(self.seat, "", kept.seen_by)]
        put += [state.backdrop.picture] if self._is_before(state.backdrop) else []
        put += [kept.picture for kept in state.prepared.values()] if self.is_gm else []
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
        seen = self._move(act) if may_know(self.eyes, self.seat, act) else None
        seen = None if seen is None else self.clean(seen)
        self.state.seen_moves[key] = act, self.system.version, seen
        return seen

    def _move(self, act: Act) -> MoveSeen:
        """The act; to those who may not see how a throw ended, one that waits for something more looks like one that
        is settled: what it waits for would tell."""
        blind = is_blind(self.eyes, self.seat, act)
        numbers = self.state.counts_of(self.seat)
        throws = self._throws(act, act.throws)
        undone = self._undone_throws(act)
        encounter = numbers.encounters.get(act.encounter or 0)
        pending = act.pending
        asked = pending is not None and self._hears(act, (pending.who,))
        phase = self._phase(act, blind)
        return MoveSeen(
            number=numbers.moves.get(act.id, 0), starter=act.starter, move=act.move, phase=phase,
            cast={part.id: part.role for part in act.cast
                  if part.role != GM and is_present(self.eyes, self.seat, act, part.id)},
            fields=self._fields(act), throws=throws,
            waits_for=() if phase in OVER else tuple(sorted(self._waits_for(act, blind))),
            changes=self._changes(act) if self._shows_changes(act, blind) else (),
            proofs=tuple(
                proof for step, made in act.keys.items()
                if (proof := self._proof(act, step, made, act.throw(step), _of_step(throws, step))) is not None
            ),
            secrecy=act.secrecy if act.secrecy != "open" else UNSET,
            choice=ChoiceSeen(pending.key, pending.options, pending.values)
            if asked and isinstance(pending, ChoiceAsked) else UNSET,
            dice=DiceWanted(pending.n, pending.sides)
            if asked and pending is not None and not isinstance(pending, ChoiceAsked) else UNSET,
            encounter=UNSET if encounter is None else encounter,
            deadline=UNSET if phase in OVER else self._deadline(act), undone_throws=undone or UNSET,
            rule_changed=VersionsSeen(act.version, self.system.version)
            if act.version != self.system.version and phase not in OVER else UNSET,
            judgement=True if act.judgement == "waits" and phase == "open" and not blind else UNSET,
        )

    def _phase(self, act: Act, blind: bool) -> Phase:
        """Where the act stands for this seat. What was certain is made: to whom nothing that still waits may be shown,
        it is over."""
        if act.phase != "settled":
            return act.phase
        if blind:
            return "open"
        over = act.weighed and not any(not change.made and self._change_seen(act, change) for change in act.changes)
        return "closed" if over and not self.is_gm else "settled"

    def _changes(self, act: Act) -> tuple[ChangeSeen, ...]:
        """What the act changes, as far as the seat may see it: of what only keeps the table going, nothing is said."""
        return tuple(
            self._change(act, at, change) for at, change in enumerate(act.changes)
            if self._change_seen(act, change)
            and not (act.weighed and change.weight == "bookkeeping" and (change.made or act.phase != "settled"))
        )

    def _hears(self, act: Act, audience: Iterable[str]) -> bool:
        return hears(self.eyes, self.seat, act, audience)

    def _shows_changes(self, act: Act, blind: bool) -> bool:
        # What a game changes openly after a hidden throw is the game's affair; behind the screen it is not.
        if act.phase in ("closed", "undone"):
            return act.secrecy == "open" or not ends_unseen(self.eyes, self.seat, act)
        return act.phase == "settled" and not blind

    def _waits_for(self, act: Act, blind: bool) -> set[str]:
        """Who is waited for, as far as the seat may know: what is asked of somebody hidden is the game master's."""
        people = [part for part in act.cast if part.role == GM or is_present(self.eyes, self.seat, act, part.id)]
        known = [name for name in act.awaited if is_present(self.eyes, self.seat, act, name)]
        awaited = known or ([GM] if act.awaited else [])
        asked = self.eyes.hearing(people, act.by, awaited) or (self.eyes.masters if act.awaited else frozenset())
        waits = {seat for seat in asked if seat not in _said(act)}
        if any(not may_know(self.eyes, seat, act) for seat in waits):
            waits = {seat for seat in waits if may_know(self.eyes, seat, act)} or set(self.eyes.masters)
        return {*self.eyes.masters, *(waits & {self.seat})} if blind else waits

    def _fields(self, act: Act) -> dict[str, dict[str, Plain]]:
        shown: dict[str, dict[str, Plain]] = {}
        for row in act.fields:
            if not is_present(self.eyes, self.seat, act, row.actor):
                continue
            if self._reads(act, row):
                shown.setdefault(row.actor, {})[row.field] = row.value
            elif row.secrecy == "sealed":
                shown.setdefault(row.actor, {})[row.field] = {"sealed": True}
        return shown

    def _reads(self, act: Act, row: Filled) -> bool:
        return may_read(self.eyes, self.seat, row.actor, row.secrecy,
                        row.field in act.revealed and (not holds_back(act.by) or self.is_gm or bool(act.throws)))

    def _change_seen(self, act: Act, change: Proposal) -> bool:
        """A change is seen by those it is meant for who may also see the record and the value it is about."""
        return (
            self._hears(act, change.audience)
            and self.eyes.may_see(self.seat, change.target, {"owner", *change.present})
            and self.eyes.may_see(self.seat, change.target, change.value_audience)
        )

    def _change(self, act: Act, at: int, change: Proposal) -> ChangeSeen:
        """A change as the seat sees it: of a whole record or state, only the fields it may see."""
        unseen = {name for name, audience in change.hidden.items()
                  if not self.eyes.may_see(self.seat, change.target, audience)}

        def side(value: Plain) -> Plain:
            if unseen and isinstance(value, dict):
                return {name: part for name, part in value.items() if name not in unseen}
            return value

        settled = act.phase == "settled"
        return ChangeSeen(
            change.target, change.path, side(change.before), side(change.after), change.rule,
            weight=change.weight if act.weighed and change.weight else UNSET,
            waits=True if settled and not change.made else UNSET, at=at if settled and self.is_gm else UNSET,
        )

    def _deadline(self, act: Act) -> DeadlineSeen | msgspec.UnsetType:
        if act.deadline is None or act.is_over:
            return UNSET
        # That its time no longer counts would tell of a hidden throw.
        blind = is_blind(self.eyes, self.seat, act)
        return DeadlineSeen(act.deadline.policy, act.deadline.said if blind else act.deadline.until, act.deadline.by)

    # Throws

    def _throws(self, act: Act, throws: Iterable[Throw]) -> tuple[ThrowSeen, ...]:
        return tuple(self._throw(act, throw) for throw in throws if self._hears(act, throw.shown.exists))

    def _throw(self, act: Act, throw: Throw) -> ThrowSeen:
        shown = throw.shown
        outcome = self._hears(act, shown.outcome)
        all_dice = self._hears(act, shown.dice)

        def knows(role: str) -> bool:
            return self._known_in(act, role) is not None

        def hand(role: str) -> bool:
            """Whether the dice that a role threw lie open to this seat."""
            return knows(role) and (all_dice or (OWN in shown.dice and self._hears(act, (role,))))

        def detail(role: str) -> bool:
            return outcome and knows(role) and (
                hand(role) if shown.detail is None else self._hears(act, shown.detail))

        told = self._told(act, (said for said in throw.tellings if self._hears(act, said.audience)))
        again = throw.again
        dice = tuple(_dice(entry, again.get(at, ())) for at, entry in enumerate(throw.record)
                     if isinstance(entry, DiceFell) and hand(entry.role))
        notes = (entry for entry in throw.record if isinstance(entry, LineNoted) and detail(entry.role))
        answers = (entry for entry in throw.record if isinstance(entry, ChoiceMade) and detail(entry.who))
        done = outcome and throw.done and throw.outcome is not None
        # More people may be in it than the seat would know of, and each has a part in its figures.
        figures = done and (self.is_gm or not act.several) and (
            self._hears(act, shown.dice if shown.detail is None else shown.detail))
        return ThrowSeen(
            throw.step, told=told or UNSET, dice=dice if dice or all_dice else UNSET,
            why=self._notes(act, notes) if outcome else UNSET,
            answers=tuple(AnswerSeen(entry.who, entry.key, entry.answer) for entry in answers) if outcome else UNSET,
            outcome=throw.outcome if done and throw.outcome is not None else UNSET,
            result=throw.result if figures else UNSET,
            success=throw.success if figures and throw.success is not None else UNSET,
        )

    def _known_in(self, act: Act, one: str) -> str | None:
        """The id by which the seat knows somebody of an act; None of whom it may not know."""
        return known_as(self.eyes, self.seat, act, self.unseen, one)

    def _told(self, act: Act, said: Iterable[Sentence]) -> tuple[TellingSeen, ...]:
        """What is said, with nobody named whom the seat may not know; of such people only, nothing is said."""
        known = partial(self._known_in, act)
        return tuple(
            TellingSeen(one.key, _as_read(one.values, known), one.main, one.rung or UNSET, one.lights or UNSET,
                        (one.rung and ALL not in one.audience and self.is_gm) or UNSET)
            for one in said if not about_nobody_known(one.values, known)
        )

    def _notes(self, act: Act, notes: Iterable[LineNoted]) -> tuple[NoteSeen, ...]:
        known = partial(self._known_in, act)
        return tuple(NoteSeen(entry.rule, entry.key, _as_read(entry.values, known)) for entry in notes
                     if not about_nobody_known(entry.values, known))

    def overheard(self, told: e.Overheard) -> tuple[TellingSeen, ...]:
        """What is overheard of an act that the seat may not know of."""
        return tuple(TellingSeen(one.key, _as_read(one.values, self._may_name), one.main) for one in told.told
                     if not about_nobody_known(one.values, self._may_name))

    def _proof(
        self, act: Act, step: str, made: Key, throw: Throw | None, seen: ThrowSeen | None
    ) -> Proof | None:
        """The hash of a throw's key; its grain; the key once every one of its dice lies open to the seat, but for those
        of people whom it may not know: they throw apart, and are not counted."""
        if throw is None and not self._hears(act, made.exists):
            return None
        # Before the throw, that it is coming would tell how an earlier one ended to those who may not know.
        if (throw is None and ends_unseen(self.eyes, self.seat, act)) or (throw is not None and seen is None):
            return None
        if throw is None or seen is None:
            return proof_of(step, made)
        dice = [fell for fell in throw.dice if not self.unseen.intersection(fell.stream)]
        if not dice:
            return proof_of(step, made)
        shown = 0 if seen.dice is UNSET else len(seen.dice)
        return proof_of(step, made, made.grain or "", made.key if throw.done and shown == len(dice) else UNSET)

    def _undone_throws(self, act: Act) -> tuple[ThrowSeen, ...]:
        """Throws that were taken back: they stay listed, with what proves them."""
        listed = []
        for past in act.past:
            for shown in self._throws(act, (past.throw,)):
                proof = self._proof(act, past.throw.step, past.made, past.throw, shown)
                listed.append(rewritten(shown, proof=proof))
        return tuple(listed)

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
        state = {field: value for field, value in running.state.items() if field not in hidden}
        return self.clean(EncounterSeen(running.encounter, state, running.over, self._stands(number, declared)))

    def _stands(self, number: int, declared: AnyEncounter) -> tuple[TellingSeen, ...]:
        """What is said of how an encounter stands, as far as this seat may hear it."""
        begun = encounter_read(self.state, self.system, number) if declared.stands is not None else None
        if begun is None or declared.stands is None or declared.over(begun.state):
            return ()
        lines = declared.stands(begun.state, self.system.book.still(self.state.rulings))
        return tuple(TellingSeen(line.key, _as_read(plain(line.values), self._may_name)) for line in lines
                     if self.eyes.may_see(self.seat, "", line.audience or EVERYONE)
                     and not about_nobody_known(plain(line.values), self._may_name))

    def _may_name(self, one: str) -> str | None:
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
            return None if own is None else LineSeen("move", number=own)
        told = item.event
        if told is None or not self._heard(item):
            return None
        line = rewritten(self._said(told, item.undone), at=told.at, by=told.by or UNSET)
        if item.undone:
            line = rewritten(line, undone=True)
        if self.is_gm and self.seat in item.heard:
            line = rewritten(line, item=item.heard[self.seat])
        if isinstance(told, e.RecordChanged) and told.beyond and (self.is_gm or self.seat in told.marked):
            line = rewritten(line, beyond=True)  # for others, what the rules say may rest on what they may not see
        return line

    def _heard(self, item: Item) -> bool:
        """A line is for those who heard it; what was said to all, or to game masters, is for those who came later."""
        if self.seat in item.heard or (GM in item.audience and self.is_gm):
            return True
        return ALL in item.audience and isinstance(item.event, FOR_LATECOMERS)

    def _said(self, told: e.AnyEvent, undone: bool) -> LineSeen:
        """What a line says: for each type of event, the values that may be read; nothing else is ever read from it."""
        match told:
            case e.Said() if undone and not (self.is_gm or told.by == self.seat):
                return LineSeen("said", kind=told.kind)
            case e.Said():
                return LineSeen("said", kind=told.kind, text=told.text, title=told.title, to=told.to)
            case e.TableOpened():
                return LineSeen("table-opened", name=told.name, system=told.system)
            case e.SeatAdded():
                return LineSeen("seat-added", seat=told.seat, name=told.name)
            case e.SeatRenamed():
                return LineSeen("seat-renamed", seat=told.seat, name=told.name, before=told.before)
            case e.SeatLeft():
                return LineSeen("seat-left", seat=told.seat)
            case e.SeatReturned():
                return LineSeen("seat-returned", seat=told.seat)
            case e.OptionsSet():
                return LineSeen("options-set", rulings=told.rulings, before=dict(told.before))
            case e.HouseSet():
                return LineSeen("house-set", house=msgspec.to_builtins(told.house), before=msgspec.to_builtins(
                    told.before))
            case e.RecordAdded():
                return LineSeen("record-added", record=told.record, kind=told.kind, name=told.name, owner=told.owner)
            case e.RecordChanged() if not self._sees_field(told.record, told.path):
                return LineSeen("record-changed", record=told.record)
            case e.RecordChanged():
                return LineSeen("record-changed", record=told.record, path=told.path, before=told.before,
                                after=told.after)
            case e.RecordShown():
                return LineSeen("record-shown", record=told.record)
            case e.RecordGiven():
                return LineSeen("record-given", record=told.record, owner=told.owner)
            case e.RecordRemoved():
                return LineSeen("record-removed", record=told.record, name=told.kept.name)
            case e.CardPlayed():
                return LineSeen("card-played", card=told.card)
            case e.SceneOpened():
                return LineSeen("scene-opened", kind=told.kind, title=told.title,
                                picture=UNSET if undone else self.picture(told.picture))
            case e.BackdropSet():
                shown = not undone and self.eyes.may_see(self.seat, "", told.backdrop.seen_by)
                return LineSeen("backdrop-set", picture=self.picture(told.backdrop.picture) if shown else UNSET)
            case e.RecordPictured():
                return LineSeen("record-pictured", record=told.record)
            case e.DocumentKept() | e.DocumentRemoved():
                shown = self.eyes.may_see(self.seat, "", told.kept.seen_by)
                return LineSeen(e.type_name(type(told)), title=told.kept.title if shown else "",
                                document=self._on_shelf(told.document))
            case e.DocumentShown():
                kept = self.state.documents.get(told.document)
                return LineSeen("document-shown", document=self._on_shelf(told.document),
                                title=kept.title if kept is not None and self._on_shelf(told.document) else "")
            case e.ClockSet():
                return LineSeen("clock-set", before=told.before, after=told.minutes)
            case e.EncounterOpened():
                return LineSeen("encounter-opened", encounter=told.encounter)
            case e.ThrowTurnedOver():
                return LineSeen("throw-turned-over", step=told.step, number=self._own_or_unset(told.number))
            case e.Overheard():
                return self.clean(LineSeen("overheard", told=self.overheard(told)))
            case e.Changed():
                return LineSeen("changed", number=self._own_or_unset(told.move))
            case e.Corrected():
                return LineSeen("corrected", what=told.what)
            case _:
                return LineSeen(e.type_name(type(told)))

    def _on_shelf(self, document: str) -> str | msgspec.UnsetType:
        """A document that the seat may open."""
        kept = self.state.documents.get(document)
        return document if kept is not None and self.eyes.may_see(self.seat, "", kept.seen_by) else UNSET

    def _own_or_unset(self, number: int) -> int | msgspec.UnsetType:
        own = self.own_number(number)
        return UNSET if own is None else own

    def _sees_field(self, record: str, path: str) -> bool:
        held = self.state.records.get(record)
        if held is None:
            return self.is_gm
        hidden = self._hidden(held.kind).get(path.partition(".")[0])
        return hidden is None or self.eyes.may_see(self.seat, record, hidden)

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
        )

    def clean(self, seen: S) -> S:
        """The same, without anything that names a record the seat may not know of."""
        if not self.unseen:
            return seen
        text = msgspec.json.encode(seen)
        if not any(name.encode() in text for name in self.unseen):
            return seen
        return msgspec.convert(_without(msgspec.json.decode(text), self.unseen), type(seen), strict=False)


def _of_step(throws: Iterable[ThrowSeen], step: str) -> ThrowSeen | None:
    return next((throw for throw in throws if throw.step == step), None)


def _as_read(values: Mapping[str, Plain], known: Callable[[str], str | None]) -> dict[str, Plain]:
    return {name: for_reader(value, known) for name, value in values.items()}


def proof_of(step: str, made: Key, grain: str | UnsetType = UNSET, key: str | UnsetType = UNSET) -> Proof:
    """What proves a throw, with as much of it as is told; grains are told once they are part of it."""
    grains = tuple(
        GrainSeen(row.seat, row.promise, UNSET if grain is UNSET else row.opened or UNSET, row.left_out or UNSET)
        for row in made.grains
    )
    return Proof(step, made.hash, grain, key, grains or UNSET, made.holder or UNSET, made.begun_again or UNSET)


def _dice(entry: DiceFell, again: tuple[int, ...]) -> DiceSeen:
    return DiceSeen(entry.role, entry.sides, entry.faces, entry.by_hand, entry.stream or UNSET, again or UNSET)


def _said(act: Act) -> set[str]:
    """The seats that have answered what is awaited of several."""
    windows = (answers for answers in act.windows.values() if "" not in answers)
    return {*act.polls, *(seat for answers in windows for seat in answers)}


def _without(value: Plain, unseen: frozenset[str]) -> Plain:
    """Plain values without the entries that name one of these records."""
    if isinstance(value, dict):
        return {
            name: _without(part, unseen)
            for name, part in value.items()
            if name not in unseen and not (isinstance(part, str) and part in unseen)
        }
    if isinstance(value, (list, tuple)):
        return [_without(part, unseen) for part in value if not _names(part, unseen)]
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


def event_seen(state: State, happened: e.AnyEvent, seat: str, system: System) -> dict[str, Any] | None:
    """One event as this seat may see it, on the state after it, in plain values; None if it is not told of it."""
    if seat not in state.hearing((*happened.audience, *happened.touched)):
        return None
    looking = Looking(state, seat, system)
    told: dict[str, Any] = {"id": state.counts_of(seat).events, "at": happened.at}
    if seat not in state.hearing(happened.audience) or _arrives(happened, seat):
        return {**told, "type": "refreshed", "view": plainly(looking.whole())}
    told["type"] = e.type_name(type(happened))
    if happened.by:
        told["by"] = happened.by
    if happened.back:
        told["back"] = True
    seen: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(_told(looking, happened)))
    whole = told | seen
    return _without(whole, looking.unseen) if looking.unseen else whole  # type: ignore[return-value]


class Headline(msgspec.Struct, frozen=True):
    """As much of what a seat is told of an event as makes a sentence."""

    line: LineSeen
    move: str = ""
    """The move that it is about, by the id of its declaration."""


def headline(state: State, happened: e.AnyEvent, seat: str, system: System) -> Headline | None:
    """One event as :func:`event_seen` tells it, in short; None if the seat is not told of it, or of all anew."""
    if seat not in state.hearing(happened.audience) or _arrives(happened, seat):
        return None
    looking = Looking(state, seat, system)
    told = _told(looking, happened)
    seen, act, said = told.get("seen"), told.get("move"), told.get("told")
    named = {name: value for name, value in told.items() if name in _IN_HEADLINES and value not in looking.unseen}
    line = looking.clean(LineSeen(
        e.type_name(type(happened)), by=happened.by or UNSET, told=said or UNSET,
        encounter=seen.encounter if isinstance(seen, EncounterSeen) else UNSET, **named,
    ))
    return Headline(line, act.move if isinstance(act, MoveSeen) else "")


_PLATES = (e.SceneOpened, e.BackdropSet)
"""What shows a picture in the story."""
_IN_HEADLINES = ("name", "title", "text", "kind", "record", "seat")
_TO_EACH = (
    *e.ACT_EVENTS, e.Changed, e.RecordAdded, e.RecordChanged, e.RecordShown, e.RecordGiven, e.RecordRemoved,
    e.RecordsUpgraded, e.RecordsFollowed, e.EncounterOpened, e.EncounterEnded, e.RecordPictured, e.SceneOpened,
    e.BackdropSet, e.DocumentKept, e.DocumentShown, e.DocumentRemoved,
)
"""Events of which each is told what they may see of the thing; of any other, all who hear it are told the same."""


def told_alike(state: State, happened: e.AnyEvent) -> frozenset[str]:
    """The seats who are told the same of an event, their own numbers aside, if they know of the same records."""
    if isinstance(happened, _TO_EACH):
        return frozenset()
    return frozenset(seat for seat in state.hearing(happened.audience) if not _arrives(happened, seat))


def _arrives(happened: e.AnyEvent, seat: str) -> bool:
    return isinstance(happened, (e.SeatReturned, e.LinkRenewed)) and happened.seat == seat


def _told(looking: Looking, happened: e.AnyEvent) -> dict[str, Any]:
    match happened:
        case e.MoveEvent() | e.MoveStarted():
            return _told_of_move(looking, happened)
        case e.Changed():
            return _told_of_changes(looking, happened)
        case e.Overheard():
            return {"told": looking.overheard(happened)}
        case e.TableOpened():
            return {"name": happened.name, "system": happened.system, "rulings": happened.rulings}
        case e.SeatAdded():
            return {"seat": happened.seat, "name": happened.name, "grade": happened.rank}
        case e.SeatRenamed():
            return {"seat": happened.seat, "name": happened.name}
        case e.LinkRenewed():
            return {"seat": happened.seat, "present": not happened.closed}
        case e.SeatLeft() | e.SeatReturned():
            return {"seat": happened.seat}
        case e.OptionsSet():
            return {"rulings": happened.rulings}
        case e.HouseSet():
            return {"house": HouseSeen(happened.house.trust, happened.house.judging)}
        case e.RecordsUpgraded() | e.RecordsFollowed():
            return {"records": looking.records()}
        case (e.RecordAdded() | e.RecordChanged() | e.RecordShown() | e.RecordGiven() | e.RecordRemoved()
              | e.RecordPictured()):
            return {"record": happened.record, "seen": looking.record(happened.record)}
        case e.Said():
            return {"kind": happened.kind, "text": happened.text, "title": happened.title, "to": list(happened.to)}
        case e.CardPlayed():
            return {"card": happened.card}
        case e.SceneOpened():
            return {"kind": happened.kind, "title": happened.title, **_pictured(looking)}
        case e.BackdropSet():
            return {"backdrop": None, **_pictured(looking)}
        case e.ScenePrepared() | e.SceneDropped():
            return {"scene": happened.scene, "seen": looking.prepared().get(happened.scene)}
        case e.DocumentKept() | e.DocumentShown() | e.DocumentRemoved():
            seen = looking.documents().get(happened.document)
            return {"document": happened.document, "title": seen.title if seen is not None else "", "seen": seen}
        case e.ClockSet():
            return {"minutes": happened.minutes}
        case e.EncounterOpened() | e.EncounterEnded():
            own = looking.state.counts_of(looking.seat).encounters.get(happened.number)
            return {"number": own, "seen": looking.encounter(happened.number)}
        case e.Corrected():
            return {"what": happened.what}
        case _:
            return {}


def _pictured(looking: Looking) -> dict[str, Any]:
    """What the scene looks like, if it looks like anything."""
    seen = looking.backdrop()
    return {} if seen is UNSET else {"backdrop": seen}


def _told_of_move(looking: Looking, happened: e.MoveEvent | e.MoveStarted) -> dict[str, Any]:
    act = looking.state.moves.get(happened.number)
    seen = looking.move(act) if act is not None else None
    if seen is not None:
        return {"number": seen.number, "move": seen}
    own = looking.state.counts_of(looking.seat).moves.get(happened.number)
    return {"number": own, "gone": True}


def _told_of_changes(looking: Looking, happened: e.Changed) -> dict[str, Any]:
    """How everything that may change looks now: to name what did would tell of what the seat may not see."""
    state = looking.state
    own = looking.own_number(happened.move) if happened.move else None
    return {
        **({} if own is None else {"number": own}),
        "records": looking.records(), "encounters": looking.encounters(), "minutes": state.minutes,
        "scene": state.scene, "episode": state.episode, "rulings": state.rulings,
        "house": HouseSeen(state.house.trust, state.house.judging), **_pictured(looking),
    }
