"""Acts whose dice have not fallen yet read sheets anew: whoever falls meanwhile has fallen in them too.

An act keeps what it read. Once a command has changed a sheet of somebody in it, or the encounter that it is played in,
what it read is written down as that now stands, in the same breath; what had been said and no longer goes is asked
again of whoever had said it. Once dice have fallen, what was read stays.

What not all see tells nothing: where an act would look otherwise for it to somebody who does not see it, that part is
read only as the dice fall.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress

from paravent.dice.errors import ParaventError
from paravent.game import System
from paravent.game.errors import BROKEN

from . import acting
from . import events as e
from .act import Act, Progress
from .deciding import Fresh, folded
from .house import with_house_moves
from .knowing import may_know
from .rereading import written
from .seen_acts import act_seen
from .standing import brought_up
from .state import State
from .turn import Turn
from .view import Looking


def read_anew(before: State, after: State, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    """What brings the acts under way to the sheets as they now are; nothing where none that they read has changed."""
    told: list[e.AnyEvent] = []
    if before.records is after.records and before.encounters is after.encounters:
        return told
    for act in after.open_moves():
        if _has_changed(before, after, act):
            with suppress(ParaventError, *BROKEN):  # its rule changed, or fails: it stays as it was read
                told += _brought_up(folded(after, told), act.id, with_house_moves(system, after), fresh)
    return told


def _has_changed(before: State, after: State, act: Act) -> bool:
    met = act.encounter or 0
    return before.encounters.get(met) is not after.encounters.get(met) or any(
        before.records.get(part.id) is not after.records.get(part.id) for part in act.cast)


def _brought_up(state: State, number: int, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    """An act on all that its people's sheets say now; where that would look otherwise to somebody who knows of it than
    what all such people see alone, on no more than this."""
    act, eyes = state.move(number), state.eyes
    seats = [seat for seat in sorted(eyes.seats.keys() - eyes.masters) if may_know(eyes, seat, act)]
    told = list[e.AnyEvent]()
    openly, wholly = (Turn(state, system, fresh, min(eyes.masters, default=act.starter)) for _ in range(2))
    _put(openly, number, seats)
    if not _put(wholly, number):
        return told
    turn = wholly if _looks(wholly, number, seats) == _looks(openly, number, seats) else openly
    told = turn.tell(number, e.FieldsFilled(number=number))
    return [] if all(isinstance(event, e.FieldsFilled) and event.then == Progress() for event in told) else told


def _looks(turn: Turn, number: int, seats: Iterable[str]) -> list[object]:
    act = written(turn.at(number), turn.system, turn.state.move(number).rulings)
    return [act_seen(Looking(turn.state, seat, turn.system), act) for seat in seats]


def _put(turn: Turn, number: int, seats: Collection[str] = ()) -> bool:
    """Put an act on the sheets as they now are, as far as all of these seats see them: whether anything is new."""
    op = turn.at(number)
    now = brought_up(turn, op, seats)
    if now is op:
        return False
    acting.go_on(turn, now)
    return True
