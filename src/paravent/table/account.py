"""The account of an evening: a table read again whole from its log, whatever it has let go of since.

However long the table, an event is taken in by a state as short as the one that is played on. What that lets go of is
gathered beside it, and put back where an event looks at what is past: somebody sits down, is shown something, takes a
thing of long ago back.
"""

from __future__ import annotations

import hmac
from bisect import bisect
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from msgspec.structs import replace as rewritten

from paravent.game import System
from paravent.game.plain import Plain

from . import events as e
from .act import Act, Part
from .evolve import evolve, shortened
from .limits import LARGEST_NUMBER
from .state import Counts, Item, Running, State, later
from .view import Looking

TOGETHER = 500
"""How many events are taken in before what is past is gathered."""
_LOOKS_BACK = (e.SeatAdded, e.SeatReturned, e.LinkRenewed, e.Corrected, e.RecordsUpgraded)


class _Past:
    """All that a table ever told: what is short of it is in a state of its own."""

    def __init__(self, whole: State) -> None:
        self.log: dict[int, Item] = {}
        self.moves: dict[int, Act] = {}
        self.encounters: dict[int, Running] = {}
        self.known: dict[str, tuple[dict[int, int], dict[int, int]]] = {}
        self.gather(whole)

    def gather(self, state: State) -> None:
        """Take in what a state has; of what was there already, it knows better."""
        self.log.update({item.number: item for item in state.log})
        self.moves.update(state.moves)
        self.encounters.update(state.encounters)
        for seat, known in state.counts.items():
            moves, encounters = self.known.setdefault(seat, ({}, {}))
            moves.update(known.moves)
            encounters.update(known.encounters)

    def whole(self, state: State) -> State:
        """A state with all that is past."""
        self.gather(state)
        counts = {
            seat: Counts(known.events, known.known, dict(self.known[seat][0]), known.faced, dict(self.known[seat][1]))
            for seat, known in state.counts.items()
        }
        return replace(state, log=tuple(self.log.values()), moves=dict(self.moves), counts=counts,
                       encounters=dict(self.encounters))


class _Sheets:
    """The sheets that acts were played on: most of them are as they were for the act before, and kept once."""

    def __init__(self) -> None:
        self._latest: dict[str, Plain] = {}

    def shared(self, happened: e.AnyEvent) -> e.AnyEvent:
        """The same event, on sheets that are there already."""
        if not isinstance(happened, e.MoveStarted):
            return happened
        act = happened.act
        return rewritten(happened, act=rewritten(act, cast=tuple(map(self._part, act.cast))))

    def _part(self, part: Part) -> Part:
        latest = self._latest.get(part.id)
        if latest == part.sheet:
            return rewritten(part, sheet=latest)
        self._latest[part.id] = part.sheet
        return part


def _looks_back(state: State, happened: e.AnyEvent) -> bool:
    """Whether an event may look at what a short state has let go of."""
    if isinstance(happened, _LOOKS_BACK) or happened.touched:
        return True
    if isinstance(happened, e.MoveEvent):
        return happened.number not in state.moves
    if isinstance(happened, e.EncounterEnded):
        return happened.number not in state.encounters
    return isinstance(happened, e.Changed) and bool(happened.encounter) and happened.encounter not in state.encounters


@dataclass(frozen=True)
class Account:
    """Every line and every move of a table, as far as its log was read."""

    state: State = field(default_factory=lambda: State(endless=True))
    _secret: str = ""
    _clock: tuple[tuple[int, int], ...] = ()
    """Where the table's clock stood from an event on, by its number."""

    def read_on(self, rows: Iterable[tuple[int, str]]) -> Account:
        """The account with more rows of the log, numbered, that follow what was read."""
        past, state, secret = _Past(self.state), shortened(self.state), self._secret
        clock, sheets = list(self._clock), _Sheets()
        for number, text in rows:
            if number != state.events + 1:
                continue
            happened = sheets.shared(e.read(text))
            if not secret and isinstance(happened, (e.SeatAdded, e.LinkRenewed)):
                secret = happened.link
            if _looks_back(state, happened):
                state = shortened(past.whole(evolve(past.whole(state), happened)))
            else:
                state = evolve(state, happened)
            if not clock or clock[-1][1] != state.minutes:
                clock.append((number, state.minutes))
            if number % TOGETHER == 0:
                past.gather(state)
                state = shortened(state)
        return Account(later(self.state, past.whole(state)), secret, tuple(clock))

    def when(self, item: Item) -> int:
        """When a line was, by the table's clock; what moved it is where it led to."""
        return self._clock[max(bisect(self._clock, (item.number, LARGEST_NUMBER)) - 1, 0)][1]

    def marks(self, seat: str, system: System) -> list[str]:
        """A name for each line that a seat may read, the same for whoever may read it.

        It tells nothing of where the line stands among those that others may not read: only the hash of a link, which
        never leaves the log, gives it.
        """
        return [self.mark(item) for item, _ in Looking(self.state, seat, system).items()]

    def mark(self, item: Item) -> str:
        """The name of one line."""
        return hmac.digest(self._secret.encode(), f"line {item.number}".encode(), "sha256").hex()[:12]
