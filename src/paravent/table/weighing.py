"""What follows by itself: which changes of a settled act are made at once, and which wait for the game master's word.

A game says what each change weighs (:class:`~paravent.game.records.Change`). The table raises what is certain to grave
where it touches another player's sheet, would tell something hidden, or brings somebody to play whom no game master has
agreed to. What the game master did or ordered never waits. How far players are trusted is the table's own choice
(:class:`~paravent.table.events.House`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from paravent.dice.errors import ParaventError
from paravent.game import Change, Window
from paravent.game.errors import BROKEN
from paravent.game.records import EVERYONE, GM, Audience, Weight

from . import events as e
from .act import Act, Phase
from .evolve import changed
from .knowing import ends_unseen, hears, may_know
from .making import TARGETS, called, caught_up, made_of, named_afresh, renamed, still_stands
from .open_move import AGREE, CLOSED, OpenMove

if TYPE_CHECKING:
    from .turn import Turn


class Weighed(NamedTuple):
    """A settled move with what is certain made, and the changes that were."""

    op: OpenMove
    made: Sequence[e.Made]


def weighed(turn: Turn, op: OpenMove, act: Act) -> Weighed:
    """A move that has just settled, with whatever does not wait made; it closes where nothing is left to wait for."""
    changes = [replace(change, weight=_weight(turn, op, act, change))
               for change in caught_up(turn, op) if change is not None]
    at_once = _at_once(turn, op, act, changes)
    final, made, names = named_afresh(turn, op, [changes[at] for at in at_once])
    kept = dict(zip(at_once, final, strict=True))
    all_of_them = tuple(kept.get(at) or renamed(change, names) for at, change in enumerate(changes))
    phase: Phase = "closed" if len(at_once) == len(changes) else "settled"
    waits = phase == "settled"
    op = replace(op, phase=phase, changes=all_of_them, made=frozenset(at_once if waits else ()), weighed=True)
    return Weighed(op, called(turn.state, turn.system, made))


def weighs_by_itself(turn: Turn, op: OpenMove, act: Act) -> bool:
    """Whether a settled move is weighed at all: not where that would tell.

    To somebody who may not see how it ended, whether it closes or waits would say what came of it. At tables of earlier
    versions where all waited for the game master, it did without being weighed.
    """
    house = turn.state.house
    if op.weighed or (house.trust == e.MENEUR and not house.runs_on):
        return False
    return not any(ends_unseen(turn.eyes, seat, act) for seat in turn.eyes.seats if may_know(turn.eyes, seat, act))


def _at_once(turn: Turn, op: OpenMove, act: Act, changes: Sequence[Change]) -> list[int]:
    """The places of the changes that are made at once: what weighs too much waits, and so does what follows on it."""
    free = ordered(turn, op)
    state, waiting, found = turn.state, list[Change](), list[int]()
    for at, change in enumerate(changes):
        heavy = not free and _is_heavy(turn, op, act, change)
        if not heavy and not any(_touch(change, other) for other in waiting):
            try:
                still_stands(state, change, op.encounter)
                state = changed(state, made_of(turn, op, change), op.encounter)
            except (ParaventError, *BROKEN):  # something else changed it, or its rules refuse it: it is looked at
                waiting.append(change)
                continue
            found.append(at)
        else:
            waiting.append(change)
    return found


def _is_heavy(turn: Turn, op: OpenMove, act: Act, change: Change) -> bool:
    """Whether a change waits at this table. However far players are trusted, what would tell something hidden does; and
    where all waits for the game master's word, what they agreed to in the act has it, if no dice fell since. What they
    wrote themselves waits nowhere."""
    if change.written:
        return False
    match turn.state.house.trust:
        case e.CONFIANCE:
            return change.weight == "grave" and _would_tell(turn, op, act, change)
        case e.MENEUR:
            return change.weight == "grave" or (change.weight != "bookkeeping" and (op.thrown or not _agreed(op)))
        case _:
            return change.weight == "grave"


def _touch(change: Change, other: Change) -> bool:
    """Whether two changes are about the same value, or one about a part of the other's."""
    if change.target != other.target:
        return False
    one, two = change.path.split("."), other.path.split(".")
    return not change.path or not other.path or all(a == b for a, b in zip(one, two, strict=False))


def ordered(turn: Turn, op: OpenMove) -> bool:
    """Whether it is the game master's doing: they opened it or asked for it, and it follows from nobody else's."""
    if not turn.is_gm(op.starter):
        return False
    if not op.follows or op.move.by == GM:
        return True
    before = turn.moves.get(op.follows)
    if before is None and op.follows in turn.state.moves:
        before = turn.at(op.follows)
    return before is not None and ordered(turn, before)


def _weight(turn: Turn, op: OpenMove, act: Act, change: Change) -> Weight:
    """What a change weighs at this table."""
    weighs = change.weighs
    if weighs == "certain" and (
        _is_anothers(turn, op, change) or _comes_to_play(turn, op, change) or _would_tell(turn, op, act, change)
    ):
        return "grave"
    if weighs == "bookkeeping" and _would_tell(turn, op, act, change):
        return "grave"
    return weighs


def _is_anothers(turn: Turn, op: OpenMove, change: Change) -> bool:
    """Whether it touches the sheet of a player who neither acts, nor agreed to it in the act, nor pays it by choice."""
    held = turn.state.records.get(change.target)
    if held is None or not held.owner or turn.is_gm(held.owner):
        return False
    if change.own and any(actor.id == change.target for actor in op.cast):
        return False
    agreed = {seat for answers in op.windows.values() for seat, said in answers.items() if said == AGREE}
    return held.owner not in {op.starter, *turn.seats_of(op, op.move.by), *agreed}


def _comes_to_play(turn: Turn, op: OpenMove, change: Change) -> bool:
    """Whether it brings a character to the table without a game master having agreed to it in the act."""
    if change.target in TARGETS or change.path or change.after is None or change.target in turn.state.records:
        return False
    kind = turn.system.kinds.get(change.kind or "character")
    return kind is not None and kind.played and not _agreed(op)


def _agreed(op: OpenMove) -> bool:
    """Whether a game master agreed to it in the act."""
    return any(op.windows.get(step.id, {}).get(CLOSED) == AGREE for step in op.move.steps
               if isinstance(step, Window) and step.role == GM)


def _would_tell(turn: Turn, op: OpenMove, act: Act, change: Change) -> bool:
    """Whether somebody would see the value change who may not know of the act, or for whom the change is not meant."""
    return any(
        _sees_value(turn, op, change, seat)
        and not (may_know(turn.eyes, seat, act) and hears(turn.eyes, seat, act, change.audience))
        for seat in turn.eyes.seats if not turn.is_gm(seat)
    )


def _sees_value(turn: Turn, op: OpenMove, change: Change, seat: str) -> bool:
    """Whether a seat sees the value that a change is about."""
    eyes, field = turn.eyes, change.path.partition(".")[0]
    if change.target == "clock":
        return not change.path.startswith("timers.")
    if change.target == "encounter":
        running = turn.encounter(op.encounter)
        if running is None or not eyes.may_see(seat, "", running.audience):
            return False
        return field not in running.encounter.hidden
    held = turn.state.records.get(change.target)
    kind = turn.system.kinds.get(held.kind if held is not None else change.kind or "character")
    if kind is None:
        return False
    seen_by: Audience = frozenset(held.seen_by) if held is not None else kind.audience
    hidden = kind.hidden.get(field, EVERYONE) if field else EVERYONE
    return eyes.may_see(seat, change.target, {"owner", *seen_by}) and eyes.may_see(seat, change.target, hidden)


__all__ = ["Weighed", "ordered", "weighed", "weighs_by_itself"]
