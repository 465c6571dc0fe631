"""What goes on by itself: a move of an encounter that is over begins again with the same people, if its game says so.

It begins once what the last one changed is made, from the sheets and the encounter as they then are. Whatever somebody
may not know has no part in it: the game master's seat begins it, in the name of whoever began the last one. It ends
with the encounter.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from paravent.dice.errors import ParaventError
from paravent.game import System
from paravent.game.errors import BROKEN
from paravent.game.records import GM

from . import acting
from . import events as e
from .act import Act
from .deciding import Fresh, folded
from .making import not_known_to_all
from .state import State
from .turn import Turn


def begun_again(
    before: State, after: State, events: Iterable[e.AnyEvent], system: System, fresh: Fresh
) -> list[e.AnyEvent]:
    """The acts that begin because those before them have just ended."""
    touched = {event.number for event in events if isinstance(event, e.MoveStarted | e.ActEvent)}
    told: list[e.AnyEvent] = []
    for number in sorted(touched):
        act, was = after.moves.get(number), before.moves.get(number)
        if act is not None and act.phase == "closed" and not (was is not None and was.is_over):
            told += _again(folded(after, told), act, system, fresh)
    return told


def _again(state: State, act: Act, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    """The same move once more, if it goes on; nothing where it does not, or no longer can."""
    move = system.moves.get(act.move)
    running = state.encounters.get(act.encounter) if act.encounter is not None else None
    if move is None or move.goes_on is None or running is None or running.over:
        return []
    seat, cast = min(state.eyes.masters, default=act.starter), dict[str, list[str]]()
    for part in act.cast:
        if part.role != GM:
            cast.setdefault(part.role, []).append(part.id)
    turn = Turn(state, system, fresh, seat)
    try:
        number = acting.start(turn, seat, act.move, cast, {}, act.encounter, act.secrecy, act.id)
        op = turn.moves[number]
        if not move.goes_on(op.context(system)):
            return []
    except (ParaventError, *BROKEN):
        return []
    turn.moves = {number: replace(op, starter=act.starter if act.starter in state.eyes.seats else seat)}
    return turn.started()  # of the new one alone: the last one was looked at again


def gone_with_it(before: State, after: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    """What goes on by itself ends with its encounter, where no die has fallen yet. What somebody has a part in of whom
    not all around it know is the game master's to end."""
    told: list[e.AnyEvent] = []
    for number, running in after.encounters.items():
        was = before.encounters.get(number)
        if not running.over or was is None or was.over:
            continue
        unseen = not_known_to_all(after, running)
        for act in after.open_moves():
            move = system.moves.get(act.move)
            if act.encounter == number and move is not None and move.goes_on is not None and not unseen.intersection(
                    part.id for part in act.cast):
                told += _left(folded(after, told), act, system, fresh)
    return told


def _left(state: State, act: Act, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    """An act that nobody goes on with; nothing where dice have fallen, or its rules are gone."""
    turn = Turn(state, system, fresh, min(state.eyes.masters, default=act.starter))
    try:
        op = turn.at(act.id)
    except (ParaventError, *BROKEN):
        return []
    if op.phase != "open" or op.thrown or op.pending is not None:
        return []
    turn.put(replace(op, phase="withdrawn"))
    return turn.tell(act.id, e.MoveEnded(number=act.id, phase="withdrawn"))


def not_begun(state: State, number: int) -> list[int]:
    """The acts that went on from this one by themselves, and of which no die has fallen yet."""
    act = state.move(number)
    return [other.id for other in state.moves.values()
            if other.follows == number and other.move == act.move and not other.is_over and not other.throws]
