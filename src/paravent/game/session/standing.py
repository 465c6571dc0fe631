"""Where moves stand: which of them a seat knows of, what each waits for, and from whom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from paravent.dice import Odds
from paravent.game.errors import AlreadyThrown, BehindScreen, NotNow, NotYours, UnknownName
from paravent.game.eyes import SPECTATOR
from paravent.game.frozen import snapshot
from paravent.game.open_move import OpenMove
from paravent.game.view import is_blind, may_know, odds_seen, seen

from .seats import Seats


class Standing(Seats):
    """The moves of a session, as each seat knows them."""

    def known_move(self, number: int, seat: str) -> OpenMove:
        """The move of this number; one that the seat may not know of is as unknown to it as one that is not there."""
        self._seated(seat)
        op = self.moves.get(number)
        known = number in self.known[seat] or (op is not None and may_know(self.eyes, seat, snapshot(op, self.system)))
        if op is None or not known:
            raise UnknownName("open move", str(number), map(str, self.known[seat]))
        return op

    def _open(self, number: int, seat: str) -> OpenMove:
        """The move of this number, if it is under way and the seat may have a hand in it."""
        op = self.known_move(number, seat)
        if op.behind_screen and not self.is_gm(seat):
            raise BehindScreen(move=op.move.id)
        if self.is_out_of_hands(seat, op):
            raise AlreadyThrown(field=op.move.id)  # whether it waits for more or is settled would tell how it ended
        if op.phase != "open":
            raise NotNow(move=op.move.id, needs=op.phase)
        return op

    def is_out_of_hands(self, seat: str, op: OpenMove) -> bool:
        """Whether a seat may do nothing more about a move under way, and not know what the others may."""
        if op.behind_screen and not self.is_gm(seat):
            return True
        return seat not in self.waits_for(op.id) and is_blind(self.eyes, seat, snapshot(op, self.system))

    def numbered(self, seat: str, own: int) -> int:
        """The number of the move that a seat's own view calls ``own``."""
        self._seated(seat)
        if not 1 <= own <= len(self.known[seat]):
            raise UnknownName("open move", str(own), map(str, range(1, len(self.known[seat]) + 1)))
        return self.known[seat][own - 1]

    def _put(self, op: OpenMove) -> None:
        """Keep the move as it now stands; seats that now know of it give it their next number."""
        self.moves[op.id] = op
        shot = snapshot(op, self.system)
        for seat in self.seats:
            if op.id not in self.known[seat] and may_know(self.eyes, seat, shot):
                self.known[seat] = (*self.known[seat], op.id)

    def waits_for(self, number: int) -> frozenset[str]:
        """The seats that can bring this move forward."""
        op = self.moves[number]
        return self.seats_of(op, op.awaited(self.system)) - set(op.answered())

    def _is_for(self, seat: str, op: OpenMove, role: str, what: str) -> None:
        """Refuse a seat that neither holds the role nor is a game master; a spectator has no hands."""
        held = seat in self._seats_named(op, role) and self.seats[seat] != SPECTATOR
        if not held and not self.is_gm(seat):
            raise NotYours(seat=seat, what=what)

    def odds(self, seat: str, number: int, policy: str = "usual") -> Mapping[Any, Odds[Any]] | None:
        """The odds of what comes next, from what this seat may see; see :func:`paravent.game.view.odds_seen`."""
        return odds_seen(self, seat, number, policy)

    def seen(self, seat: str) -> dict[str, Any]:
        """Everything this seat may see, and nothing else."""
        self._seated(seat)
        return seen(self, seat)
