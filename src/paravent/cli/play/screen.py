"""One screen that goes from hand to hand: whose it is, and what they have read."""

from __future__ import annotations

from paravent.cli.show import Page
from paravent.cli.terminal import Terminal, named
from paravent.dice.errors import ParaventError
from paravent.game.people import People
from paravent.game.plain import Plain
from paravent.game.records import GM
from paravent.game.telling import Teller
from paravent.table.hotseat import Heard, Hotseat
from paravent.table.open_move import OpenMove


class Screen:
    """A table, the page it is shown on, and the seat that has the page before its eyes."""

    def __init__(self, page: Page, terminal: Terminal, table: Hotseat) -> None:
        self.page, self.terminal, self.table = page, terminal, table
        self.tell = Teller(page.lang, table.base, self._name)
        self.gm = next(seat for seat, rank in table.places.items() if rank == GM)
        self.seat = self.gm
        self._read: dict[str, list[Heard]] = {seat: [] for seat in table.places}
        """What each seat has read of what it was told."""

    def _name(self, one: str) -> str:
        """What somebody is called at this table."""
        held = self.table.state.records.get(one)
        return (held.name if held is not None else "") or (one if one in self.table.places else self.tell.role(one))

    def teller_of(self, number: int) -> Teller:
        """What tells of an act: those who are in it go by the names that this seat knows."""
        seen = self.table.seen_move(self.seat, number)
        cast = {} if seen is None else seen.cast
        roles = {role.id: People(tuple(one for one, held in cast.items() if held == role.id))
                 for role in self.table.moves[number].move.cast if role.id != GM}
        return self.tell.among(roles)

    def say(self, key: str, /, **values: Plain) -> str:
        """A sentence of the evening."""
        return self.page.say(f"play.{key}", **values)

    def refused(self, error: ParaventError) -> None:
        """A refusal, in one sentence."""
        self.page.line(self.tell.error(error), style="yellow")

    def title_of(self, op: OpenMove) -> str:
        """What a move is called."""
        return self.tell.title(f"moves.{op.move.id}")

    # From hand to hand

    def header(self) -> None:
        """Whose screen it is, and what this seat has not read yet."""
        self.page.console.print()
        rank = self.say(self.table.places[self.seat])
        self.page.title(f"— {self.seat} —", rank if rank.lower() != self.seat.lower() else "")
        self.news()

    def pass_to(self, seat: str) -> None:
        """Hand the screen over: emptied before and after, so that nobody reads what was another's."""
        if seat == self.seat:
            return
        self.terminal.clear()
        self.terminal.line(self.say("pass-to", seat=seat))
        self.terminal.clear()
        self.seat = seat
        self.header()

    def pass_on(self) -> None:
        """Choose to whom the screen goes."""
        others = [seat for seat in self.table.places if seat != self.seat]
        self.pass_to(self.terminal.choose(self.say("to-whom"), named(others)))

    def turn_of(self, seats: frozenset[str]) -> None:
        """The screen goes to one of these seats, unless one of them already has it."""
        if seats and self.seat not in seats:
            self.pass_to(sorted(seats)[0])

    # What was told

    def unread(self) -> list[str]:
        """What this seat was told and has not read yet."""
        return [self.tell.telling(heard.telling) for heard in self._unread()]

    def news(self) -> None:
        """Read to this seat what it was told in the meantime."""
        new = self._unread()
        for heard in new:
            self.page.line(self.tell.telling(heard.telling))
        self._read[self.seat] += new

    def _unread(self) -> list[Heard]:
        read = self._read[self.seat]
        return [heard for heard in self.table.heard(self.seat) if heard not in read]
