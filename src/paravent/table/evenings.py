"""How far a game's first evening is, as one seat sees the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from paravent.game.evenings import Beat
from paravent.game.rulebook import Rulings
from paravent.game.system import System

from .kept import ByIdentity
from .seen import MoveSeen, RecordSeen
from .state import State


class BeatSeen(NamedTuple):
    """A line of the first evening, and whether it is behind the group."""

    beat: Beat
    done: bool
    settled: bool
    """Whether the table plays by its options."""


class EveningSeen(NamedTuple):
    """A first evening as far as it is: its lines, and whether anything of it has come to pass."""

    beats: tuple[BeatSeen, ...] = ()
    begun: bool = False

    @property
    def done(self) -> int:
        """How many lines are behind the group."""
        return sum(one.done for one in self.beats)


def first_evening(system: System, state: State, records: Iterable[RecordSeen],
                  moves: Iterable[MoveSeen]) -> EveningSeen:
    """The first evening that the game declares, by what a seat sees: what stands before a line that is done is too."""
    if not system.first_evening:
        return EveningSeen()
    held = frozenset([(record.kind, record.owner) for record in records])
    ended = tuple([move.move for move in moves if move.phase == "closed"])
    return _EVENINGS.of((system, state.settled, state.seats), lambda: _so_far(system, state, held, ended), held, ended)


_EVENINGS: ByIdentity[EveningSeen] = ByIdentity()


def _so_far(
    system: System, state: State, held: frozenset[tuple[str, str]], closed: tuple[str, ...]
) -> EveningSeen:
    def so(rulings: Rulings, beat: Beat) -> bool:
        return all(rulings[key] == value for key, value in beat.options.items())

    history = [system.book.still(options) for options in state.settled]
    ended = Counter(closed)
    players = {name for name, seat in state.seats.items() if seat.present and seat.rank == "player"}
    came, since = [], 0
    for beat in system.first_evening:
        found = next((at for at, rulings in enumerate(history[since:], since) if so(rulings, beat)), None)
        since = len(history) if found is None else found
        whose = {owner for kind, owner in held if kind == beat.kind}
        past = bool(whose) and players <= whose if beat.kind else ended[beat.move] >= beat.times or not beat.move
        came.append(found is not None and past)
    return EveningSeen(tuple(BeatSeen(beat, any(came[at:]), bool(history) and so(history[-1], beat))
                             for at, beat in enumerate(system.first_evening)), any(came))
