"""What somebody new does first, and the first evening of a game, line by line."""

from __future__ import annotations

from typing import NamedTuple

from paravent.table.evenings import BeatSeen, first_evening

from .seat import DeskSeat
from .sheets import Sheets
from .starts import Startable, Starts


class FirstStep(NamedTuple):
    """What somebody new to the table does first, with where to do it."""

    id: str
    done: bool
    where: str


class BeatTold(NamedTuple):
    """A line of the first evening, in words for one seat, with what it may press."""

    title: str
    words: str
    done: bool
    options: tuple[tuple[str, str], ...] = ()
    """What the game master settles at one touch."""
    start: Startable | None = None
    """What is begun."""
    where: str = ""
    """The page to go to."""


class EveningTold(NamedTuple):
    """The first evening, as far as it is."""

    beats: tuple[BeatTold, ...]
    done: int
    begun: bool

    @property
    def now(self) -> int:
        """The line that comes next, counted from 1."""
        return next(at for at, beat in enumerate(self.beats, start=1) if not beat.done)


class Welcome:
    """The way in: for somebody new to the table, and for a table new to its game."""

    def __init__(self, seat: DeskSeat, sheets: Sheets, starts: Starts) -> None:
        self._seat, self._sheets, self._starts = seat, sheets, starts

    def first_steps(self) -> list[FirstStep]:
        """What somebody new to the table does first; none once it is done."""
        seat = self._seat
        acted = FirstStep("act", bool(seat.moves), "")
        if seat.is_gm:
            steps = [FirstStep("invite", len(seat.seats) > 1, "links"),
                     FirstStep("bring", bool(seat.records), "new"), acted]
            return [] if acted.done else steps
        if not seat.plays or any(one.mine for one in self._sheets.listed) or self.is_bringing:
            return []
        return [FirstStep("character", False, "new"), acted._replace(done=False)]

    @property
    def is_bringing(self) -> bool:
        """Whether this seat has written somebody, and another has the last word on them."""
        seat = self._seat
        mine = (move for move in seat.open_moves if move.starter == seat.seat and seat.seat not in move.waits_for)
        return any(move.move in seat.system.moves and seat.system.moves[move.move].makes for move in mine)

    def first_evening(self) -> EveningTold | None:
        """The first evening: from the first look at a new table, to the game master; to all, once it has begun."""
        seat = self._seat
        seen = first_evening(seat.system, seat.state, seat.records.values(), seat.moves.values())
        offered = seen.begun or (seat.is_gm and not seat.moves)
        if not seat.plays or not offered or seen.done == len(seen.beats):
            return None
        return EveningTold(tuple(map(self._beat, seen.beats)), seen.done, seen.begun)

    def _beat(self, seen: BeatSeen) -> BeatTold:
        seat, beat = self._seat, seen.beat
        key, tell = f"evening.{beat.id}", seat.teller
        words = (tell.words.entry(seat.lang, key, "gm") if seat.is_gm else "") or tell.help(key)
        told = BeatTold(tell.title(key), words, seen.done)
        if seen.done:
            return told
        if not seen.settled:
            return told._replace(options=tuple(beat.options.items()) if seat.is_gm else ())
        start = next((one for one in self._starts.startable if one.id == beat.move), None)
        return told._replace(start=start, where="new" if start is None and beat.kind else "")
