"""Acts whose dice have not fallen yet read sheets anew: whoever falls meanwhile has fallen in them too.

An act keeps what it read. Once a command has changed a sheet of somebody in it, or the encounter that it is played in,
what it read is written down as that now stands, in the same breath; what had been said and no longer goes is asked
again of whoever had said it. Once dice have fallen, what was read stays.

What not all see tells nothing: where an act would look otherwise for it to somebody who does not see it, that part is
read only as the dice fall.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count

from paravent.dice.errors import ParaventError
from paravent.game import System
from paravent.game.errors import BROKEN
from paravent.game.lazily import cached_property
from paravent.game.move import Ask

from . import acting
from . import events as e
from .act import Act, Progress
from .deciding import Fresh, folded
from .house import with_house_moves
from .knowing import may_know
from .open_move import OpenMove
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
            told += _brought_up(folded(after, told), act.id, with_house_moves(system, after), fresh)
    return told


def _has_changed(before: State, after: State, act: Act) -> bool:
    met = act.encounter or 0
    return before.encounters.get(met) is not after.encounters.get(met) or any(
        before.records.get(part.id) is not after.records.get(part.id) for part in act.cast)


def _brought_up(state: State, number: int, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    """An act on all that its people's sheets say now; where somebody else than the game masters would hear or see
    otherwise for it than by what all who know of it see, on no more than this."""
    eyes, alike = state.eyes, _alike(fresh)
    others = sorted(eyes.seats.keys() - eyes.masters)
    seats = [seat for seat in others if may_know(eyes, seat, state.move(number))]
    wholly = _Read.of(state, number, system, alike())
    if wholly is not None and not wholly.is_new:
        return []
    openly = _Read.of(state, number, system, alike(), seats) if seats or wholly is None else wholly
    if openly is None or wholly is None:  # its rule changed, or fails: it stays as it was read
        return [] if openly is None else openly.told
    if openly.op == wholly.op or all(wholly.heard_by(seat) == openly.heard_by(seat) for seat in others):
        return wholly.told
    return openly.told


@dataclass
class _Read:
    """An act put on sheets as they now are, and what that would tell."""

    number: int
    before: OpenMove
    op: OpenMove
    turn: Turn

    @classmethod
    def of(
        cls, state: State, number: int, system: System, fresh: Fresh, seats: Collection[str] = ()
    ) -> _Read | None:
        """An act on its people's sheets, as far as all of these seats see them; None where its rule fails on them."""
        turn = Turn(state, system, fresh, min(state.eyes.masters, default=state.move(number).starter))
        with suppress(ParaventError, *BROKEN):
            before = turn.at(number)
            now = brought_up(turn, before, seats)
            if now is not before:
                acting.go_on(turn, now)
            return cls(number, before, turn.at(number), turn)
        return None

    @property
    def is_new(self) -> bool:
        """Whether it reads otherwise than it did."""
        return self.op is not self.before

    @cached_property
    def told(self) -> list[e.AnyEvent]:
        """What is told of it; nothing where nothing came of it."""
        told: list[e.AnyEvent] = []
        with suppress(ParaventError, *BROKEN):
            told = self.turn.tell(self.number, e.FieldsFilled(number=self.number)) if self.is_new else []
        return [] if all(isinstance(event, e.FieldsFilled) and event.then == Progress() for event in told) else told

    def heard_by(self, seat: str) -> tuple[object, ...]:
        """What somebody hears of it, and finds on their page."""
        told, state, turn = self.told, self.turn.state, replace(self.turn, seat=seat)
        heard = [type(event) for event in told if seat in state.hearing((*event.audience, *event.touched))]
        step = self.op.step(turn.system)
        asked = isinstance(step, Ask) and (turn.is_asked_anew(self.op, step), self.op.is_sent_back(step))
        return heard, Looking(state, seat, turn.system).move(state.move(self.number)), asked


def _alike(fresh: Fresh) -> Callable[[], Fresh]:
    """Decisions that are given the same bytes, one as the other."""
    made: list[bytes] = []

    def another() -> Fresh:
        places = count()

        def token(length: int) -> bytes:
            at = next(places)
            if at == len(made):
                made.append(fresh.token(32))
            return made[at][:length]

        return replace(fresh, token=token)

    return another
