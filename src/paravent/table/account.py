"""The account of an evening: a table read again whole from its log, whatever it has let go of since."""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable

from paravent.game import System

from . import events as e
from .state import State, evolve
from .view import Looking


class Account:
    """Every line and every move of a table, as far as its log was read."""

    def __init__(self) -> None:
        self.state = State(endless=True)
        self._secret = b""

    def read(self, rows: Iterable[tuple[int, str]]) -> None:
        """Go on reading: the rows of the log, numbered."""
        for number, text in rows:
            if number != self.state.events + 1:
                continue
            happened = e.event_from_json(json.loads(text))
            if not self._secret and isinstance(happened, (e.SeatAdded, e.LinkRenewed)):
                self._secret = happened.link.encode()
            self.state = evolve(self.state, happened)

    def marks(self, seat: str, system: System) -> list[str]:
        """A name for each line that a seat may read, the same for whoever may read it.

        It tells nothing of where the line stands among those that others may not read: only the hash of a link, which
        never leaves the log, gives it.
        """
        return [self._mark(item.number) for item, _ in Looking(self.state, seat, system).items()]

    def _mark(self, number: int) -> str:
        return hmac.digest(self._secret, f"line {number}".encode(), "sha256").hex()[:12]
