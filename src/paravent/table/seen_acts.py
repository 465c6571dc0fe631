"""An act as a seat may see it: who is in it, what was said, thrown and told, what it waits for, what it changes.

Whoever looks is a :class:`~paravent.table.view.Looking`; nothing is read of an act but through one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace as rewritten

from paravent.game.people import about_nobody_known, for_reader
from paravent.game.plain import Plain
from paravent.game.records import ALL, GM, OWN

from . import events as e
from .act import (
    OVER,
    Act,
    ChoiceAsked,
    ChoiceMade,
    DiceAsked,
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
    ChangeSeen,
    ChoiceSeen,
    DeadlineSeen,
    DiceSeen,
    DiceWanted,
    GrainSeen,
    MoveSeen,
    NoteSeen,
    Proof,
    TellingSeen,
    ThrowSeen,
    VersionsSeen,
)

if TYPE_CHECKING:
    from .view import Looking


def act_seen(looking: Looking, act: Act) -> MoveSeen:
    """The act; to those who may not see how a throw ended, one that waits for something more looks like one that
    is settled: what it waits for would tell."""
    blind = is_blind(looking.eyes, looking.seat, act)
    numbers = looking.state.counts_of(looking.seat)
    throws = _throws(looking, act, act.throws)
    undone = _undone_throws(looking, act)
    encounter = numbers.encounters.get(act.encounter or 0)
    pending = act.pending
    asked = pending is not None and _hears(looking, act, (pending.who,))
    phase = _phase(looking, act, blind)
    waits = () if phase in OVER else tuple(sorted(_waits_for(looking, act, blind)))
    # Real dice of somebody who may not know of it are the game master's to throw.
    typed = asked or looking.seat in looking.eyes.masters.intersection(waits)
    return MoveSeen(
        number=numbers.moves.get(act.id, 0), starter=act.starter, move=act.move, phase=phase,
        cast={part.id: part.role for part in act.cast
              if part.role != GM and is_present(looking.eyes, looking.seat, act, part.id)},
        fields=_fields(looking, act), throws=throws,
        waits_for=waits,
        changes=_changes(looking, act) if _shows_changes(looking, act, blind) else (),
        proofs=tuple(
            proof for step, made in act.keys.items()
            if (proof := _proof(looking, act, step, made, act.throw(step), _of_step(throws, step))) is not None
        ),
        secrecy=act.secrecy if act.secrecy != "open" else UNSET,
        choice=ChoiceSeen(pending.key, pending.options, pending.values)
        if asked and isinstance(pending, ChoiceAsked) else UNSET,
        dice=DiceWanted(pending.n, pending.sides) if typed and isinstance(pending, DiceAsked) else UNSET,
        encounter=UNSET if encounter is None else encounter,
        deadline=UNSET if phase in OVER else _deadline(looking, act), undone_throws=undone or UNSET,
        rule_changed=VersionsSeen(act.version, looking.system.version)
        if act.version != looking.system.version and phase not in OVER else UNSET,
        judgement=True if act.judgement == "waits" and phase == "open" and not blind else UNSET,
    )


def _phase(looking: Looking, act: Act, blind: bool) -> Phase:
    """Where the act stands for this seat. What was certain is made: to whom nothing that still waits may be shown,
    it is over."""
    if act.phase != "settled":
        return act.phase
    if blind:
        return "open"
    over = act.weighed and not any(not change.made and _change_seen(looking, act, change) for change in act.changes)
    return "closed" if over and not looking.is_gm else "settled"


def _changes(looking: Looking, act: Act) -> tuple[ChangeSeen, ...]:
    """What the act changes, as far as the seat may see it: of what only keeps the table going, nothing is said."""
    return tuple(
        _change(looking, act, at, change) for at, change in enumerate(act.changes)
        if _change_seen(looking, act, change)
        and not (act.weighed and change.weight == "bookkeeping" and (change.made or act.phase != "settled"))
    )


def _hears(looking: Looking, act: Act, audience: Iterable[str]) -> bool:
    return hears(looking.eyes, looking.seat, act, audience)


def _shows_changes(looking: Looking, act: Act, blind: bool) -> bool:
    # What a game changes openly after a hidden throw is the game's affair; behind the screen it is not.
    if act.phase in ("closed", "undone"):
        return act.secrecy == "open" or not ends_unseen(looking.eyes, looking.seat, act)
    return act.phase == "settled" and not blind


def _waits_for(looking: Looking, act: Act, blind: bool) -> set[str]:
    """Who is waited for, as far as the seat may know: what is asked of somebody hidden is the game master's."""
    people = [part for part in act.cast if part.role == GM or is_present(looking.eyes, looking.seat, act, part.id)]
    known = [name for name in act.awaited if is_present(looking.eyes, looking.seat, act, name)]
    awaited = known or ([GM] if act.awaited else [])
    asked = looking.eyes.hearing(people, act.by, awaited) or (looking.eyes.masters if act.awaited else frozenset())
    waits = {seat for seat in asked if seat not in _answered(act)}
    if any(not may_know(looking.eyes, seat, act) for seat in waits):
        waits = {seat for seat in waits if may_know(looking.eyes, seat, act)} or set(looking.eyes.masters)
    return {*looking.eyes.masters, *(waits & {looking.seat})} if blind else waits


def _fields(looking: Looking, act: Act) -> dict[str, dict[str, Plain]]:
    shown: dict[str, dict[str, Plain]] = {}
    present = {actor: is_present(looking.eyes, looking.seat, act, actor) for actor in {row.actor for row in act.fields}}
    for row in act.fields:
        if not present[row.actor]:
            continue
        if _reads(looking, act, row):
            shown.setdefault(row.actor, {})[row.field] = row.value
        elif row.secrecy == "sealed":
            shown.setdefault(row.actor, {})[row.field] = {"sealed": True}
    return shown


def _reads(looking: Looking, act: Act, row: Filled) -> bool:
    return may_read(looking.eyes, looking.seat, row.actor, row.secrecy,
                    row.field in act.revealed and (not holds_back(act.by) or looking.is_gm or bool(act.throws)))


def _change_seen(looking: Looking, act: Act, change: Proposal) -> bool:
    """A change is seen by those it is meant for who may also see the record and the value it is about."""
    return (
        _hears(looking, act, change.audience)
        and looking.eyes.may_see(looking.seat, change.target, {"owner", *change.present})
        and looking.eyes.may_see(looking.seat, change.target, change.value_audience)
    )


def _change(looking: Looking, act: Act, at: int, change: Proposal) -> ChangeSeen:
    """A change as the seat sees it: of a whole record or state, only the fields it may see."""
    unseen = {name for name, audience in change.hidden.items()
              if not looking.eyes.may_see(looking.seat, change.target, audience)}

    def side(value: Plain) -> Plain:
        if unseen and isinstance(value, dict):
            return {name: part for name, part in value.items() if name not in unseen}
        return value

    settled = act.phase == "settled"
    return ChangeSeen(
        change.target, change.path, side(change.before), side(change.after), change.rule,
        weight=change.weight if act.weighed and change.weight else UNSET,
        waits=True if settled and not change.made else UNSET, at=at if settled and looking.is_gm else UNSET,
    )


def _deadline(looking: Looking, act: Act) -> DeadlineSeen | msgspec.UnsetType:
    if act.deadline is None or act.is_over:
        return UNSET
    # That its time no longer counts would tell of a hidden throw.
    blind = is_blind(looking.eyes, looking.seat, act)
    return DeadlineSeen(act.deadline.policy, act.deadline.said if blind else act.deadline.until, act.deadline.by)


def _throws(looking: Looking, act: Act, throws: Iterable[Throw]) -> tuple[ThrowSeen, ...]:
    return tuple(_throw_seen(looking, act, throw) for throw in throws if _hears(looking, act, throw.shown.exists))


def _throw_seen(looking: Looking, act: Act, throw: Throw) -> ThrowSeen:
    """A throw, looked at once for all of one rank who answer for the same of those in it and know of the same
    records: nothing else says what of it is shown, but for audiences that name a seat itself."""
    if looking.state.endless:  # of a whole evening, many are looked at once
        return _throw(looking, act, throw)
    eyes, shown = looking.eyes, throw.shown
    audiences = (shown.exists, shown.dice, shown.outcome, shown.detail or (),
                 *(said.audience for said in throw.tellings), *(part.seen_by for part in act.cast))
    named = any(looking.seat in audience for audience in audiences)
    hands = tuple(part.id for part in act.cast if looking.seat in eyes.controllers(part.id))
    who = eyes is looking.state.eyes, eyes.seats.get(looking.seat), hands, looking.unseen, looking.seat if named else ""
    key = who, act.id, throw.step
    kept = looking.state.seen_throws.get(key)
    if kept is None or kept[0] is not act.cast or kept[1] is not throw:
        kept = looking.state.seen_throws[key] = act.cast, throw, _throw(looking, act, throw)
    return kept[2]


def _throw(looking: Looking, act: Act, throw: Throw) -> ThrowSeen:
    shown = throw.shown
    outcome = _hears(looking, act, shown.outcome)
    all_dice = _hears(looking, act, shown.dice)

    def knows(role: str) -> bool:
        return _known_in(looking, act, role) is not None

    def hand(role: str) -> bool:
        """Whether the dice that a role threw lie open to this seat."""
        return knows(role) and (all_dice or (OWN in shown.dice and _hears(looking, act, (role,))))

    def detail(role: str) -> bool:
        return outcome and knows(role) and (
            hand(role) if shown.detail is None else _hears(looking, act, shown.detail))

    told = _told(looking, act, (said for said in throw.tellings if _hears(looking, act, said.audience)))
    again = throw.again
    dice = tuple(_dice(entry, again.get(at, ())) for at, entry in enumerate(throw.record)
                 if isinstance(entry, DiceFell) and hand(entry.role))
    notes = (entry for entry in throw.record if isinstance(entry, LineNoted) and detail(entry.role))
    answers = (entry for entry in throw.record if isinstance(entry, ChoiceMade) and detail(entry.who))
    done = outcome and throw.done and throw.outcome is not None
    # More people may be in it than the seat would know of, and each has a part in its figures.
    figures = done and (looking.is_gm or not act.several) and (
        _hears(looking, act, shown.dice if shown.detail is None else shown.detail))
    return ThrowSeen(
        throw.step, told=told or UNSET, dice=dice if dice or all_dice else UNSET,
        why=_notes(looking, act, notes) if outcome else UNSET,
        answers=tuple(AnswerSeen(entry.who, entry.key, entry.answer) for entry in answers) if outcome else UNSET,
        outcome=throw.outcome if done and throw.outcome is not None else UNSET,
        result=throw.result if figures else UNSET,
        success=throw.success if figures and throw.success is not None else UNSET,
    )


def _known_in(looking: Looking, act: Act, one: str) -> str | None:
    """The id by which the seat knows somebody of an act; None of whom it may not know."""
    return known_as(looking.eyes, looking.seat, act, looking.unseen, one)


def _told(looking: Looking, act: Act, said: Iterable[Sentence]) -> tuple[TellingSeen, ...]:
    """What is said, with nobody named whom the seat may not know; of such people only, nothing is said."""
    known = cache(partial(_known_in, looking, act))
    return tuple(
        TellingSeen(one.key, as_read(one.values, known), one.main, one.rung or UNSET, one.lights or UNSET,
                    (one.rung and ALL not in one.audience and looking.is_gm) or UNSET, one.at or UNSET)
        for one in said if not about_nobody_known(one.values, known)
    )


def _notes(looking: Looking, act: Act, notes: Iterable[LineNoted]) -> tuple[NoteSeen, ...]:
    known = partial(_known_in, looking, act)
    return tuple(NoteSeen(entry.rule, entry.key, as_read(entry.values, known)) for entry in notes
                 if not about_nobody_known(entry.values, known))


def overheard(looking: Looking, told: e.Overheard) -> tuple[TellingSeen, ...]:
    """What is overheard of an act that the seat may not know of."""
    return tuple(TellingSeen(one.key, as_read(one.values, looking.may_name), one.main) for one in told.told
                 if not about_nobody_known(one.values, looking.may_name))


def _proof(
    looking: Looking, act: Act, step: str, made: Key, throw: Throw | None, seen: ThrowSeen | None
) -> Proof | None:
    """The hash of a throw's key; its grain, and to whoever may not see the dice also where there were none, which may
    be a secret; the key once every one of its dice lies open to the seat, but for those of people whom it may not know:
    they throw apart, and are not counted."""
    if throw is None and not _hears(looking, act, made.exists):
        return None
    # Before the throw, that it is coming would tell how an earlier one ended to those who may not know.
    if (throw is None and ends_unseen(looking.eyes, looking.seat, act)) or (throw is not None and seen is None):
        return None
    if throw is None or seen is None:
        return proof_of(step, made)
    dice = [fell for fell in throw.dice if not looking.unseen.intersection(fell.stream)]
    if seen.dice is UNSET:
        return proof_of(step, made, UNSET if made.grain is None else made.grain)
    if not dice:
        return proof_of(step, made)
    return proof_of(step, made, made.grain or "", made.key if throw.done and len(seen.dice) == len(dice) else UNSET)


def _undone_throws(looking: Looking, act: Act) -> tuple[ThrowSeen, ...]:
    """Throws that were taken back: they stay listed, with what proves them."""
    listed = []
    for past in act.past:
        for shown in _throws(looking, act, (past.throw,)):
            proof = _proof(looking, act, past.throw.step, past.made, past.throw, shown)
            listed.append(rewritten(shown, proof=proof))
    return tuple(listed)


def _of_step(throws: Iterable[ThrowSeen], step: str) -> ThrowSeen | None:
    return next((throw for throw in throws if throw.step == step), None)


def as_read(values: Mapping[str, Plain], known: Callable[[str], str | None]) -> dict[str, Plain]:
    """Told values with everybody in them as the reader knows them."""
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


def _answered(act: Act) -> set[str]:
    """The seats that have answered what is awaited of several."""
    windows = (answers for answers in act.windows.values() if "" not in answers)
    return {*act.polls, *(seat for answers in windows for seat in answers)}
