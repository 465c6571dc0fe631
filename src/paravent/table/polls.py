"""Polls: what all the others may veto, none of whom is ever named."""

from __future__ import annotations

from zlib import crc32

import msgspec

from paravent.dice import plain
from paravent.game.eyes import is_poll, takes_most
from paravent.game.plain import Plain

from . import commands as c
from .act import Act, ChoiceAsked
from .deciding import number_of
from .state import State

_MOST, _AGAINST = " most", " against"


def is_anonymous(state: State, command: c.Command) -> bool:
    """Whether nothing may tell who asked: the stop card, and what all others may veto."""
    return isinstance(command, c.PlayCard) or bool(poll_answered(state, command))


def poll_answered(state: State, command: c.Command) -> str:
    """The name of the poll that a command answers, unlike any other of the table; empty when it answers none."""
    number = number_of(state, command.seat, command.number) if isinstance(command, c.Answer) else None
    return "" if number is None else poll_of(state.move(number))


def polls(state: State) -> frozenset[str]:
    """The polls that are open."""
    return frozenset(poll_of(act) for act in state.open_moves()) - {""}


def poll_of(act: Act) -> str:
    """The name of the poll that a move waits for; empty when it waits for none.

    What was written otherwise since is another thing to vote on: whoever let the former words pass is asked again.
    """
    asked = anonymous_poll(act)
    if asked is None:
        return ""
    answers = sum(len(throw.record) for throw in act.throws)
    words = crc32(msgspec.json.encode([said for said in act.fields if said.secrecy == "open"]))
    return f"{act.id} {answers} {words:x}{_MOST if takes_most(asked.who) else ''}"


def ballots(poll: str) -> tuple[str, ...]:
    """What those asked may put in: that they let it pass; where more than half must object, that they do."""
    return (poll, poll + _AGAINST) if poll.endswith(_MOST) else (poll,)


def ballot(poll: str, answer: Plain, usual: Plain) -> str:
    """The ballot that an answer is."""
    return poll if plain(answer) == plain(usual) else poll + _AGAINST


def anonymous_poll(act: Act) -> ChoiceAsked | None:
    """What a move asks now of all the others together, none of whom is ever named; None if it asks nothing of them."""
    asked = act.pending
    return asked if act.phase == "open" and isinstance(asked, ChoiceAsked) and is_poll(asked.who) else None
