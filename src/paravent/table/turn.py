"""One command being decided about acts: the table as it stands, the moves that the rules are at, what begins.

A :class:`Turn` is made for one command and thrown away. What the rules do to an act is put into it; at the end it gives
the events that tell so: of the act itself, of encounters and other acts that began, of throws whose keys were made
ready. Keys of fair dice are made before the throw they belong to may be asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any, TypeVar

from msgspec.structs import replace as rewritten

from paravent.dice import commitment
from paravent.dice.errors import ParaventError
from paravent.dice.fair import Faces, LiveFaces
from paravent.game import Resolve, Rulings, System, to_plain
from paravent.game.errors import NotYours
from paravent.game.eyes import SPECTATOR, Eyes
from paravent.game.move import Ask, unfilled
from paravent.game.people import about_nobody_known
from paravent.game.records import Audience
from paravent.game.system import AnyEncounter

from . import events as e
from .act import Act, Deadline, Grain, Key, PastThrow, Throw, advanced, named, progress
from .deciding import Fresh, everyone_or
from .evolve import evolve
from .grains import TakingPart, holder_of, taking_part
from .knowing import hears, is_about_unknown, is_blind, known_as, may_know
from .making import made_known
from .open_move import OpenMove, said_of
from .rereading import remember, reread, written
from .sheets import Begun, encounter_read, record_fault, record_read
from .sight import Sight
from .standing import on_what_there_is
from .state import Running, State
from .view import Looking
from .weighing import Weighed, weighed, weighs_by_itself

M = TypeVar("M", bound=e.MoveEvent)
_NO_CHANGES = next(part.default for part in fields(Resolve) if part.name == "changes")


@dataclass
class Turn:
    """A command about acts, being decided."""

    state: State
    system: System
    fresh: Fresh
    seat: str
    """In whose name it is done."""
    asker: str = ""
    """Who asked for it first of all, where it is done in another's name."""
    faces: Faces = field(default_factory=LiveFaces)
    """What falls, for the rule being run."""
    moves: dict[int, OpenMove] = field(default_factory=dict)
    """The acts that this command has touched or begun, as the rules have them."""
    begun: dict[int, Begun] = field(default_factory=dict)
    """The encounters that it began."""
    grains: dict[str, str] = field(default_factory=dict)
    """What was given for the throw being made, by its step."""
    opened: dict[str, tuple[Grain, ...]] = field(default_factory=dict)
    """The seats that take part in it, with what each opened."""
    at_once: bool = False
    """Whether whoever asks has ordered the dice already: they fall now, unless their own grain is still to come."""
    _unseen: dict[int, list[int]] = field(default_factory=dict)
    """Encounters that began behind the screen, by the act that began them: they come out with its throw."""

    # Who is who

    @property
    def eyes(self) -> Eyes:
        """Who is who, with whoever asks even if they left."""
        return self.state.eyes_of(self.seat)

    @property
    def sight(self) -> Sight:
        """What whoever asks may read."""
        return Sight(self.state, self.system, self.seat)

    @property
    def rulings(self) -> Rulings:
        """The options as they stand."""
        return self.system.book.still(self.state.rulings)

    def is_gm(self, seat: str = "") -> bool:
        """Whether this seat, or whoever asks, is a game master."""
        return self.eyes.is_gm(seat or self.seat)

    def masters_only(self, what: str) -> None:
        """Refuse anybody but a game master."""
        if not self.is_gm():
            raise NotYours(seat=self.seat, what=what)

    def seats_of(self, op: OpenMove, *audience: str) -> frozenset[str]:
        """The people that ranks and roles stand for, in this move."""
        return self.eyes.hearing(op.parts, op.move.by, audience)

    def waits_for(self, op: OpenMove) -> frozenset[str]:
        """The seats that can bring this move forward."""
        waits = self.seats_of(op, *op.awaited(self.system)) - set(op.answered())
        if waits <= self.eyes.masters:
            return waits
        act = self.act_of(op)
        return frozenset(seat for seat in waits if may_know(self.eyes, seat, act)) or self.eyes.masters

    def is_for(self, op: OpenMove, role: str, what: str) -> None:
        """Refuse whoever neither holds the role nor is a game master; a spectator has no hands."""
        held = self.seat in self.seats_of(op, role) and self.eyes.seats.get(self.seat) != SPECTATOR
        if not held and not self.is_gm():
            raise NotYours(seat=self.seat, what=what)

    def is_out_of_hands(self, op: OpenMove) -> bool:
        """Whether whoever asks may do nothing more about a move under way, and not know what the others may."""
        if op.behind_screen and not self.is_gm():
            return True
        return is_blind(self.eyes, self.seat, self.act_of(op)) and self.seat not in self.waits_for(op)

    def is_asked_anew(self, op: OpenMove, step: Ask) -> bool:
        """Whether whoever asks is asked for something that they had said, and that no longer stands."""
        return any(said_of(asked.id, actor.id) in op.anew and self.seat in self.seats_of(op, op.asked_of(actor, asked))
                   for actor, asked in unfilled(op.context(self.system), step))

    # What there is

    def at(self, number: int) -> OpenMove:
        """The act of this number, in the hands of its rules."""
        if number not in self.moves:
            self.moves[number] = reread(self.state, self.system, number)
        return self.moves[number]

    def act_of(self, op: OpenMove) -> Act:
        """The move as it would be written down; the one that is kept, where nothing was done to it yet."""
        kept = self.state.moves.get(op.id)
        if kept is not None:
            with suppress(ParaventError):
                if reread(self.state, self.system, op.id) is op:
                    return kept
        return self._written(op)

    def encounter(self, number: int | None) -> Begun | None:
        """An encounter under way, as the rules read it; None where there is none, or the game no longer reads it."""
        if number is None:
            return None
        return self.begun.get(number) or encounter_read(self.state, self.system, number)

    def record(self, name: str) -> Any:
        """A record of the table, as the game reads it; None where it does not."""
        held = self.state.records.get(name)
        return None if held is None else record_read(held, self.system)

    # What is done

    def put(self, op: OpenMove) -> None:
        """Keep the move as it now stands."""
        self.moves[op.id] = op

    def next_number(self) -> int:
        """The number of the act that begins next."""
        return max(self.state.moves_started, *self.moves) + 1 if self.moves else self.state.moves_started + 1

    def begin(self, declared: AnyEncounter, state: Any, audience: Audience, by: OpenMove) -> int:
        """An encounter begins by a move."""
        number = self.state.encounters_opened + len(self.begun) + 1
        self.begun[number] = Begun(declared, state, audience)
        if audience != declared.audience:
            self._unseen.setdefault(by.id, []).append(number)
        return number

    # What is told

    def tell(self, number: int, event: e.ActEvent) -> list[e.AnyEvent]:
        """What happened to an act and what came of it: other acts, encounters, throws made ready."""
        told = self._encounters_told()
        told += self._advanced(number, event)
        for other in sorted(set(self.moves) - {number}):
            if other not in self.state.moves:
                told += self._started(other)
        return told

    def started(self) -> list[e.AnyEvent]:
        """What came of acts that were opened: all those that the table does not hold yet."""
        told = self._encounters_told()
        for number in sorted(self.moves):
            told += self._started(number)
        return told

    def _take_in(self, events: Iterable[e.AnyEvent]) -> None:
        for event in events:
            self.state = evolve(self.state, event)

    def _encounters_told(self) -> list[e.AnyEvent]:
        told: list[e.AnyEvent] = []
        eyes = self.state.eyes
        for number, begun in sorted(self.begun.items()):
            seen_by = named(begun.audience)
            audience = everyone_or(eyes, (seat for seat in eyes.seats if eyes.may_see(seat, "", seen_by)))
            told.append(e.EncounterOpened(
                number=number, encounter=begun.encounter.id, state=to_plain(begun.state), seen_by=seen_by,
                audience=audience,
            ))
        self._take_in(told)
        return told

    def _started(self, number: int) -> list[e.AnyEvent]:
        op = self.moves[number]
        if op.follows and not op.records and op.phase == "open":  # nothing is paid or ended twice
            op = on_what_there_is(self, op)
        op, made = self._settling(op)
        act = self._kept(op, None)
        told: list[e.AnyEvent] = [
            e.MoveStarted(number=number, act=act, audience=told_of_act(self.state, self.system, None, act))
        ]
        told += self._overheard(None, act)
        self._take_in(told)
        return [*told, *self._made(number, made), *self._ready(op, act)]

    def _advanced(self, number: int, event: e.ActEvent) -> list[e.AnyEvent]:
        op, made = self._settling(self.moves[number])
        before = self.state.move(number)
        then = progress(before, self._kept(op, before))
        after = advanced(before, then)
        audience = told_of_act(self.state, self.system, before, after)
        told: list[e.AnyEvent] = [rewritten(event, then=then, audience=audience)]
        told += self._overheard(before, after)
        self._take_in(told)
        return [*told, *self._made(number, made), *self._ready(op, self.state.move(number))]

    def _made(self, number: int, made: Sequence[e.Made]) -> list[e.AnyEvent]:
        """What an act changed as it settled, told to those who see a difference."""
        told = made_known(self.state, self.system, made, number)
        self._take_in(told)
        return told

    def _overheard(self, before: Act | None, after: Act) -> list[e.AnyEvent]:
        """What is now said of results to seats that may not know of the throw."""
        done = {throw.step for throw in before.throws if throw.done} if before is not None else set()
        said = [(throw, telling) for throw in after.throws if throw.done and throw.step not in done
                for telling in throw.tellings]
        if not said:
            return []
        eyes = self.state.eyes
        heard = {seat: tuple(
            rewritten(telling, audience=()) for throw, telling in said if hears(eyes, seat, after, telling.audience)
            and not about_nobody_known(telling.values, partial(known_as, eyes, seat, after, self.state.unseen(seat)))
            and not (may_know(eyes, seat, after) and hears(eyes, seat, after, throw.shown.exists))
            and not is_about_unknown(eyes, seat, after)
        ) for seat in eyes.seats}
        told: list[e.AnyEvent] = []
        for words in heard.values():
            alike = everyone_or(eyes, (seat for seat, other in heard.items() if other == words))
            overheard = e.Overheard(told=words, audience=alike)
            if words and overheard not in told:
                told.append(overheard)
        return told

    def _ready(self, op: OpenMove, act: Act) -> list[e.AnyEvent]:
        """The key of the throw that comes next, before anybody may ask for it; dice from elsewhere follow from none."""
        step = op.step(self.system) if op.phase == "open" and self.fresh.faces is None else None
        if not isinstance(step, Resolve) or step.auto or step.id in act.keys or step.id in op.records:
            self._kept_in_mind(act, op)
            return []
        key = self.fresh.token(32)
        made = Key(commitment(key), named(op.shown(self.system, step).exists), key.hex())
        then = progress(act, rewritten(act, keys={**act.keys, step.id: made}))
        after = advanced(act, then)
        audience = told_of_act(self.state, self.system, act, after)
        rows, apart = TakingPart() if step.falls_at_once(op.context(self.system)) else taking_part(
            self.state, self.system, self.fresh, after, step.id)
        holder = holder_of(rows, act, self.seats_of(op, op.move.by))
        if rows and not (self.at_once and holder != self.seat):
            made = rewritten(made, grains=rows, holder=holder, apart=apart)
            then = progress(act, rewritten(act, keys={**act.keys, step.id: made}))
        told: list[e.AnyEvent] = [e.ThrowReady(
            number=op.id, then=then, step=step.id, hash=made.hash, audience=audience,
        )]
        self._take_in(told)
        self._kept_in_mind(self.state.move(op.id), op)
        return told

    def ready_again(self, op: OpenMove, step: str, made: Key) -> list[e.AnyEvent]:
        """A throw that is to be asked for once more, with this key."""
        act = self.state.move(op.id)
        after = rewritten(act, keys={**act.keys, step: made})
        told: list[e.AnyEvent] = [e.ThrowReady(
            number=op.id, then=progress(act, after), step=step, hash=made.hash,
            audience=told_of_act(self.state, self.system, act, after),
        )]
        self._take_in(told)
        return told

    @staticmethod
    def _kept_in_mind(act: Act, op: OpenMove) -> None:
        """Once dice have fallen, the rules go on from what they made of the act.

        Before that it is read again as it truly stands: somebody who may not see all of it may have filled in what,
        seen whole, does not go.
        """
        if act.throws:
            remember(act, op)

    def _written(self, op: OpenMove) -> Act:
        before = self.state.moves.get(op.id)
        if before is not None:
            return written(op, self.system, before.rulings, before.own_rulings)
        return written(op, self.system, len(self.state.settled) - 1)

    def _kept(self, op: OpenMove, before: Act | None) -> Act:
        """A move as the table keeps it: what the rules made of it, and what only a table knows of it."""
        after = self._written(op)
        if before is not None:
            keys = {step: rewritten(made, grain=self.grains[step], grains=self.opened.get(step, made.grains))
                    if step in self.grains else made for step, made in before.keys.items()}
            after = rewritten(
                after, keys=keys, past=before.past, deadline=before.deadline, unseen=before.unseen,
                shown_otherwise=before.shown_otherwise,
            )
            if after.secrecy != before.secrecy:
                # Others may know of the throw now: those who took part in one that is still to come begin again.
                after = rewritten(after, keys={step: self._known_to(op, step, made) for step, made in
                                               after.keys.items() if not made.grains or made.grain is not None})
        after = rewritten(after, deadline=_still_given(after.deadline, stage_of(op, self.system)))
        if op.id in self._unseen:
            after = rewritten(after, unseen=tuple(self._unseen[op.id]))
        if before is None:
            return after
        if before.shown_otherwise:
            told = {throw.step: throw.tellings for throw in before.throws if throw.turned_over}
            after = rewritten(after, exists=before.exists, throws=tuple(
                rewritten(throw, tellings=told.get(throw.step, throw.tellings)) for throw in after.throws
            ))
        return _listing_undone(after, before)

    def _known_to(self, op: OpenMove, step: str, made: Key) -> Key:
        """A key that is ready, known to those who may now know of its throw."""
        resolve = next(other for other in op.move.resolves if other.id == step)
        return rewritten(made, exists=named(op.shown(self.system, resolve).exists))

    # What closes by itself

    def _settling(self, op: OpenMove) -> Weighed:
        """A move as it settles: what is certain is made; with nothing left to wait for it closes, where that tells
        nobody anything."""
        if op.phase != "settled":
            return Weighed(op, ())
        if weighs_by_itself(self, op, self._written(op)):
            settled = weighed(self, op, self._written(op))
        elif op.changes or op.weighed or not self._nothing_told(op):
            return Weighed(op, ())
        else:
            settled = Weighed(replace(op, phase="closed"), ())
        self.moves[op.id] = settled.op
        return settled

    def _nothing_told(self, op: OpenMove) -> bool:
        act = self._written(op)
        watching = [seat for seat in self.eyes.seats if may_know(self.eyes, seat, act)]
        clear = [throw.step for throw in act.throws if all(self._open_to(op, throw, seat) for seat in watching)]
        # A move that can never change anything tells nothing by closing, unless it could have gone on.
        never = all(step.changes is _NO_CHANGES for step in op.move.resolves)
        last = op.move.steps[-1].id
        goes_on = any(step.id not in clear and step.id != last for step in op.move.resolves)
        if never and not goes_on:
            return True
        return len(clear) == len(act.throws) and all(self._all_open(op, seat) for seat in watching)

    def _open_to(self, op: OpenMove, throw: Throw, seat: str) -> bool:
        shown = throw.shown
        audiences = (shown.exists, shown.dice, shown.outcome, shown.detail or shown.dice)
        return all(seat in self.seats_of(op, *audience) for audience in audiences)

    def _all_open(self, op: OpenMove, seat: str) -> bool:
        """Whether this seat sees everything that the move may have read."""
        if self.is_gm(seat):
            return all(asked.secrecy != "sealed" or asked.id in op.revealed for asked in op.move.fields)
        if any(asked.secrecy != "open" and asked.id not in op.revealed for asked in op.move.fields):
            return False
        running = self.encounter(op.encounter)
        if running is not None and running.encounter.hidden:
            return False
        return all(
            actor.record is None or not self.system.kind(actor.kind).hidden
            or all(self.eyes.may_see(seat, actor.id, seen_by)
                   for seen_by in self.system.kind(actor.kind).hidden.values())
            for actor in op.cast
        )


def _still_given(deadline: Deadline | None, stage: str) -> Deadline | None:
    """A deadline; once the move waits for something else than its time was given for, it counts no more."""
    if deadline is None or not deadline.stage or deadline.stage == stage:
        return deadline
    return rewritten(deadline, until="")


def _listing_undone(after: Act, before: Act) -> Act:
    """Throws that going back took away stay listed; if thrown again, it is with a new key."""
    thrown = {throw.step for throw in after.throws}
    gone = [throw for throw in before.throws if throw.step not in thrown
            and throw.step in after.keys and after.keys[throw.step].grain is not None]
    if not gone:
        return after
    past = (*after.past, *(PastThrow(throw, after.keys[throw.step]) for throw in gone))
    left = {step: made for step, made in after.keys.items() if step not in {throw.step for throw in gone}}
    return rewritten(after, keys=left, past=past)


def stage_of(op: OpenMove, system: System) -> str:
    """Where a move stands: its step, and how far its rule has come."""
    step = op.step(system)
    return "" if step is None else f"{step.id} {len(op.records.get(step.id, ()))}"


def told_of_act(state: State, system: System, before: Act | None, after: Act) -> tuple[str, ...]:
    """Those for whom something is new: they see the act otherwise than before, or no longer, or at last."""
    seats = []
    for seat in state.eyes.seats:
        looking = Looking(state, seat, system)
        if (looking.move(before) if before is not None else None) != looking.move(after):
            seats.append(seat)
    return everyone_or(state.eyes, seats)


__all__ = ["Begun", "Running", "Turn", "encounter_read", "record_fault", "record_read", "stage_of", "told_of_act"]
