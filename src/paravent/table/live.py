"""A table in memory, and what is told of its events: worked out once for all who are told the same."""

from __future__ import annotations

import asyncio
import json
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, NamedTuple

from paravent.game import System
from paravent.game.lazily import cached_property

from . import events as e
from .evolve import evolve
from .seen import plainly
from .seen_news import event_seen, told_alike
from .state import State
from .view import view

_RECENT = 64
"""How many of its latest events a seat is told again after a break; beyond, it is shown the whole table. Each seat
counts its own: how long it takes would otherwise tell of what is hidden from it."""

A_MOMENT = 0.001
"""For how many seconds pages are told in one go, before whoever else asks something has a turn."""


class Report:
    """What is told of an event, but for a seat's own number: one for all who are told the same."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.values = values

    @cached_property
    def text(self) -> str:
        """The same as JSON."""
        return json.dumps(self.values, ensure_ascii=False)


class Bulletin(NamedTuple):
    """What a seat is told: its own number for it, and the rest, which others may share."""

    id: int
    report: Report


class Happened:
    """An event that is being told, with the state after it: worked out once for all who are told the same."""

    def __init__(self, event: e.AnyEvent, after: State, system: System) -> None:
        self._event, self._after, self._system = event, after, system
        self._together = told_alike(after, event)
        self._reports: dict[Hashable, Report] = {}

    def told(self, seat: str) -> Bulletin | None:
        """What a seat is told of it, if anything."""
        after = self._after
        as_others = after.unseen(seat) if seat in self._together else seat
        report = self._reports.get(as_others)
        if report is None:
            seen = event_seen(after, self._event, seat, self._system)
            if seen is None:
                return None
            del seen["id"]
            same = (other for other in self._reports.values() if other.values == seen)
            report = self._reports[as_others] = next(same, None) or Report(seen)
        return Bulletin(after.counts_of(seat).events, report)


@dataclass
class Live:
    """A table in memory."""

    system: System
    state: State
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    recent: deque[tuple[e.AnyEvent, State]] = field(default_factory=deque)
    listeners: set[Callable[[], None]] = field(default_factory=set)
    """Whom to call when something is new; they neither wait nor fail."""
    to_tell: dict[Callable[[], None], None] = field(default_factory=dict)
    """Those who are still to be told that something is new, in order."""
    telling: dict[int, Happened] = field(default_factory=dict)
    """What is being told of events, by their numbers."""
    snapshot_at: int = 0
    heard: int = 0
    """The last number that another program is known to have written; it is read when somebody asks for the table."""
    late: Callable[[], object] = lambda: None
    """Reads what is behind that number; whoever begins to listen does not wait for the next."""
    leaving: bool = False
    """Whether the lines are to be ended, because the table is at home with another program."""
    lines: Counter[str] = field(default_factory=Counter)
    """By seat, how many open lines it hears the table by."""
    elsewhere: frozenset[str] = frozenset()
    """The seats that have a line open at another program, as far as is known."""
    held: dict[str, set[str]] = field(default_factory=dict)
    """By poll, what this program holds up of those who let pass; after a restart they are asked again."""

    @property
    def is_behind(self) -> bool:
        """Whether another program wrote what was not read yet."""
        return self.heard > self.state.events

    def listen(self, listener: Callable[[], None]) -> None:
        """Tell somebody from now on that something is new."""
        self.listeners.add(listener)
        if self.is_behind:
            self.late()

    @property
    def here(self) -> frozenset[str]:
        """The seats that are listening just now, here or at another program."""
        return self.elsewhere.union(self.lines)

    @contextmanager
    def listening(self, seat: str) -> Iterator[None]:
        """While a seat has a line open."""
        self.lines[seat] += 1
        try:
            yield
        finally:
            self.lines[seat] -= 1
            if self.lines[seat] <= 0:
                del self.lines[seat]

    def fold(self, happened: e.AnyEvent) -> None:
        """Take an event in."""
        self.take(happened, evolve(self.state, happened))

    def take(self, happened: e.AnyEvent, after: State) -> None:
        """Take in an event whose outcome is already worked out."""
        self.state = after
        self.recent.append((happened, after))
        if len(self.recent) > 8 * _RECENT:
            self.recent = deque(told for told in self.recent if self._still_told(*told))

    def _still_told(self, happened: e.AnyEvent, after: State) -> bool:
        return any(
            self.state.counts_of(seat).events - after.counts_of(seat).events < _RECENT
            for seat in after.hearing((*happened.audience, *happened.touched))
        )

    def wake(self) -> None:
        """Tell whoever listens that something is new, one after the other: whoever asked need not wait for them all."""
        begun = bool(self.to_tell)
        self.to_tell.update(dict.fromkeys(self.listeners))
        if self.to_tell and not begun:
            self._soon()

    def _soon(self) -> None:
        """Tell the next once whatever is being done has been done; at once where no loop is running."""
        try:
            asyncio.get_running_loop().call_soon(self._tell_next)
        except RuntimeError:
            self._tell_next()

    def _tell_next(self) -> None:
        """Tell those who are still to be told; after a moment, others have a turn before the rest of them."""
        until = perf_counter() + A_MOMENT
        try:
            while self.to_tell:
                listener = next(iter(self.to_tell))
                del self.to_tell[listener]
                if listener in self.listeners:
                    listener()
                if perf_counter() > until:
                    break
        finally:
            if self.to_tell:
                self._soon()
            else:
                self.telling.clear()

    def news(self, seat: str, last: int) -> list[Bulletin]:
        """What a seat is told after its event number ``last``; the whole table where that is no longer at hand."""
        missed = self.told_since(seat, last)
        if missed is None:
            whole = view(self.state, seat, self.system)
            return [Bulletin(whole.last, Report({"type": "whole", "view": plainly(whole)}))]
        return missed

    def told_since(self, seat: str, last: int) -> list[Bulletin] | None:
        """What a seat was told after its event number ``last``; None when that is no longer at hand."""
        heard = self.heard_since(seat, last)
        if heard is None:
            return None
        missed = (self._telling(event, after).told(seat) for event, after in heard)
        return [told for told in missed if told is not None]

    def heard_since(self, seat: str, last: int) -> list[tuple[e.AnyEvent, State]] | None:
        """The events that a seat was told of after its number ``last``, each with the state after it.

        None when they are no longer at hand.
        """
        wanted = self.state.counts_of(seat).events - last
        if not 0 < wanted <= _RECENT:
            return None if wanted else []
        heard: list[tuple[e.AnyEvent, State]] = []
        for event, after in reversed(self.recent):
            if seat in after.hearing((*event.audience, *event.touched)):
                heard.append((event, after))
                if len(heard) == wanted:
                    return heard[::-1]
        return None

    def _telling(self, event: e.AnyEvent, after: State) -> Happened:
        found = self.telling.get(after.events)
        if found is None:
            found = self.telling[after.events] = Happened(event, after, self.system)
        return found
