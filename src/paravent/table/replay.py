"""Whether what a table says came of its dice is what the rules make of them: played again, from a whole log.

Dice that were thrown fairly prove nothing of what was made of them. So every result is worked out again from what was
filled in, from the sheets as they were, the dice and the answers: outcome, result, reasons, sentences, and what it
asked to change. What differs was written by somebody else than the rules, unless another version of the game made it.
"""

from __future__ import annotations

import msgspec

from paravent.dice import ParaventError
from paravent.game import System
from paravent.game.datafiles import rules_mark
from paravent.game.errors import BROKEN
from paravent.game.plain import Plain

from . import events as e
from .act import Act, Proposal, Throw
from .house import with_house_moves
from .longlog import forgotten
from .rereading import PlayedAgain, played_again
from .state import State


class Replay:
    """The acts of a log, played again one after the other as it is read."""

    def __init__(self, system: System | None) -> None:
        self._system = system
        self.same = 0
        """Results that the rules give again."""
        self.another_version = 0
        """Results that they do not, made by another version of the game."""
        self.amended = 0
        """Changes that a game master made otherwise than the rules asked, or refused."""
        self.unread = 0
        """Results that cannot be played again: the game is not installed, or something of theirs is not in the file."""
        self.differs: tuple[int, str] | None = None
        """The first act and step of which the rules make something else."""
        self._looked: dict[tuple[int, str], Throw] = {}
        self._asked: dict[int, dict[tuple[str, str], Plain]] = {}

    def look(self, state: State, happened: e.AnyEvent) -> None:
        """Look at an event, and at the state after it."""
        if isinstance(happened, e.Changed) and happened.move in self._asked and not happened.back:
            self._count_amended(happened)
        if not isinstance(happened, e.ACT_EVENTS) or happened.number not in state.moves:
            return
        act = state.move(happened.number)
        new = [throw for throw in act.throws if throw.done and not self._knows(act, throw)]
        if new or (act.phase == "settled" and act.id not in self._asked):
            self._play_again(state, act, new)
        self._looked |= {(act.id, throw.step): throw for throw in new}

    def forget(self) -> None:
        """Let go of the acts that were looked at; what was found stays."""
        forgotten(self._looked, self._asked)

    def _knows(self, act: Act, throw: Throw) -> bool:
        known = self._looked.get((act.id, throw.step))
        return known is not None and _said(known) == _said(throw)

    def _play_again(self, state: State, act: Act, new: list[Throw]) -> None:
        again = self._again(state, act)
        for throw in new:
            made = None if again is None else again.throws.get(throw.step)
            if made is not None and _said(made) == _said(throw):
                self.same += 1
            elif self._system is None or _lacks_something(act, with_house_moves(self._system, state)):
                self.unread += 1
            elif throw.version != rules_mark(self._system.package):
                self.another_version += 1
            else:
                self.differs = self.differs or (act.id, throw.step)
        if act.phase == "settled" and again is not None and self._system is not None:
            self._asked[act.id] = _asked(act.changes)
            same_rules = all(throw.version == rules_mark(self._system.package) for throw in act.throws)
            if same_rules and not _asked(act.changes).items() <= _asked(again.changes).items() and act.throws:
                self.differs = self.differs or (act.id, act.throws[-1].step)

    def _again(self, state: State, act: Act) -> PlayedAgain | None:
        if self._system is None:
            return None
        try:
            return played_again(state, with_house_moves(self._system, state), act)
        except (ParaventError, *BROKEN):
            return None

    def _count_amended(self, happened: e.Changed) -> None:
        asked = self._asked.pop(happened.move)
        made = {(change.target, change.path): change.after for change in happened.changes}
        self.amended += sum(name not in made or made[name] != after for name, after in asked.items())


def _said(throw: Throw) -> tuple[object, ...]:
    """What a throw says that the rules make of it."""
    tellings = [(told.key, told.values) for told in throw.tellings]
    said = throw.record, throw.outcome, throw.result, throw.success, tellings
    return tuple(msgspec.to_builtins(said))  # as it is written: a note may carry one of the game's own values


def _asked(changes: tuple[Proposal, ...]) -> dict[tuple[str, str], Plain]:
    return {(row.target, row.path): row.after for row in changes}


def _lacks_something(act: Act, system: System) -> bool:
    """Whether something that was sealed and never opened is not in the file."""
    declared = system.moves.get(act.move)
    filled = {row.field for row in act.fields}
    return declared is None or any(
        asked.secrecy == "sealed" and asked.id not in filled for asked in declared.fields)
