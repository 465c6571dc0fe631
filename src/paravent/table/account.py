"""The account of an evening: a table read again whole from its log, whatever it has let go of since."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from dataclasses import dataclass, field

from paravent.game import System

from . import events as e
from .state import State, evolve
from .view import Looking


@dataclass(frozen=True)
class Account:
    """Every line and every move of a table, as far as its log was read."""

    state: State = field(default_factory=lambda: State(endless=True))
    _secret: str = ""

    def read_on(self, rows: Iterable[tuple[int, str]]) -> Account:
        """The account with more rows of the log, numbered, that follow what was read."""
        state, secret = self.state, self._secret
        for number, text in rows:
            if number != state.events + 1:
                continue
            happened = e.read(text)
            if not secret and isinstance(happened, (e.SeatAdded, e.LinkRenewed)):
                secret = happened.link
            state = evolve(state, happened)
        return Account(state, secret)

    def marks(self, seat: str, system: System) -> list[str]:
        """A name for each line that a seat may read, the same for whoever may read it.

        It tells nothing of where the line stands among those that others may not read: only the hash of a link, which
        never leaves the log, gives it.
        """
        return [self._mark(item.number) for item, _ in Looking(self.state, seat, system).items()]

    def _mark(self, number: int) -> str:
        return hmac.digest(self._secret.encode(), f"line {number}".encode(), "sha256").hex()[:12]
