"""Polls: what all the others may veto, none of whom is ever named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from paravent.dice import plain
from paravent.game.eyes import is_poll, takes_most

from . import commands as c
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
    return frozenset(poll_of(kept) for kept in state.open_moves()) - {""}


def poll_of(kept: Mapping[str, Any]) -> str:
    """The name of the poll that a move waits for; empty when it waits for none."""
    if not anonymous_poll(kept):
        return ""
    answers = sum(len(throw["record"]) for throw in kept["throws"])
    return f"{kept['id']} {answers}{_MOST if takes_most(kept['pending']['who']) else ''}"


def ballots(poll: str) -> tuple[str, ...]:
    """What those asked may put in: that they let it pass; where more than half must object, that they do."""
    return (poll, poll + _AGAINST) if poll.endswith(_MOST) else (poll,)


def ballot(poll: str, answer: Any, usual: Any) -> str:
    """The ballot that an answer is."""
    return poll if plain(answer) == plain(usual) else poll + _AGAINST


def anonymous_poll(kept: Mapping[str, Any]) -> bool:
    """Whether a move now waits for all the others together, none of whom is ever named."""
    pending = kept["pending"]
    return kept["phase"] == "open" and pending is not None and pending["type"] == "choice" and (
        is_poll(pending["who"])
    )
