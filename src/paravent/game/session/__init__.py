"""Seats without a table: a game master, players and spectators play any move or encounter, in memory.

Commands are verbs (:meth:`Session.start`, :meth:`~Session.fill`, :meth:`~Session.throw`…); each either does the whole
thing or raises an error and changes nothing. What each seat may see of it is :func:`paravent.game.view.seen`.

An open move keeps its inputs as they were read when it started, and the record of its dice. When a rule waits for an
answer, nothing suspended is kept: the rule is run again on the record, with the answer at its end.

Each chapter is a class that goes on from the one before: the seats, where moves stand, filling, playing, answering,
settling.
"""

from .seats import Held, Line, Running
from .settling import Settling


class Session(Settling):
    """A game in memory: seats, records, open moves, encounters, the account of the evening."""


__all__ = ["Held", "Line", "Running", "Session"]
