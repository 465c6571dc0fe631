"""One screen, several seats: whose turn it is to look, and what they see of a move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from paravent.cli import show
from paravent.cli.terminal import Terminal, named
from paravent.dice.errors import ParaventError
from paravent.game.records import GM
from paravent.game.session import Session
from paravent.game.telling import Teller
from paravent.game.view import context_seen


class Screen:
    """One screen that goes from hand to hand."""

    def __init__(self, page: show.Page, terminal: Terminal, session: Session) -> None:
        self.page, self.terminal, self.session = page, terminal, session
        self.system = session.system
        self.tell = Teller(page.lang, session.system)
        self.gm = next(seat for seat, grade in session.seats.items() if grade == GM)
        self.seat = self.gm
        self.put: set[tuple[int, str, str, str]] = set()
        """Fields already put to somebody, so that an empty answer is not asked again."""
        self.brief: set[tuple[int, str, str]] = set()
        """Steps of moves in which a seat leaves everything else as it usually is."""
        self.heard = dict.fromkeys(session.seats, 0)

    def say(self, key: str, /, **values: Any) -> str:
        return self.page.say(f"play.{key}", **values)

    def refused(self, error: ParaventError) -> None:
        """A refusal, in one sentence."""
        self.page.line(self.tell.error(error), style="yellow")

    def header(self) -> None:
        """Whose screen it is, and what this seat has not read yet."""
        self.page.console.print()
        grade = self.say(self.session.seats[self.seat])
        self.page.title(f"— {self.seat} —", grade if grade.lower() != self.seat.lower() else "")
        self._news()

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
        others = [seat for seat in self.session.seats if seat != self.seat]
        self.pass_to(self.terminal.choose(self.say("to-whom"), named(others)))

    def turn_of(self, seats: frozenset[str]) -> None:
        """The screen goes to one of these seats, unless one of them already has it."""
        if seats and self.seat not in seats:
            self.pass_to(sorted(seats)[0])

    def _unread(self) -> list[str]:
        """The lines of the account that this seat has heard and not read yet."""
        new = self.session.log[self.heard[self.seat]:]
        return [self.tell.telling(line.telling) for line in new if self.seat in line.seats]

    def _news(self) -> None:
        for line in self._unread():
            self.page.line(line)
        self.heard[self.seat] = len(self.session.log)

    def _view(self, number: int) -> dict[str, Any]:
        """The move as this seat sees it; empty when it may not know of it."""
        known = self.session.known[self.seat]
        if number not in known:
            return {}
        own = known.index(number) + 1
        return next((one for one in self.session.seen(self.seat)["moves"] if one["number"] == own), {})

    def _move_title(self, number: int) -> str:
        return self.tell.title(f"moves.{self.session.moves[number].move.id}")

    def known_fields(self, number: int) -> None:
        """What has been filled in, as far as this seat may read it."""
        ctx = context_seen(self.session, self.seat, self.session.moves[number])
        rows = []
        for actor, fields in self._view(number).get("fields", {}).items():
            for name, value in fields.items():
                sealed = isinstance(value, Mapping) and value == {"sealed": True}
                shown = self.say("is-sealed") if sealed else self.tell.value(value)
                rows.append((self.tell.actor(ctx, actor), self.tell.title(f"fields.{name}"), shown))
        self.page.grid(rows, ("dim", "dim", ""))

    def show_throw(self, number: int, step: str = "") -> None:
        """The latest throw (of one step): dice, outcome and explanation, as far as this seat may see them."""
        seen = [throw for throw in self._view(number).get("throws", []) if step in ("", throw["step"])]
        if seen:
            self._dice(number, seen[-1])
            self._result(seen[-1])
        else:
            self.page.line(self.say("thrown-unseen"), style="dim")
        self.page.console.print()

    def _dice(self, number: int, throw: Mapping[str, Any]) -> None:
        ctx = context_seen(self.session, self.seat, self.session.moves[number])
        dice = [{**thrown, "role_words": self.tell.part(ctx, thrown["role"])} for thrown in throw.get("dice", [])]
        if dice:
            self.page.head(self.page.say("dice"))
            self.page.grid(show.dice_rows(dice), ("dim", "", "bold"), fixed=(1,))

    def _result(self, throw: Mapping[str, Any]) -> None:
        """How it ended, unless the account says it in the same words; what is told; why."""
        if "outcome" in throw:
            self.page.head(self.page.say("result"))
            outcome = self.tell.outcome(throw["outcome"], throw.get("result"))
            if not any(line.startswith(outcome) for line in self._unread()):
                self.page.line(outcome, style="bold")
        self._news()
        if throw.get("why"):
            self.page.head(self.page.say("why"))
            self.page.grid([(line["rule"], self.tell.say(f"notes.{line['key']}", **line["values"]))
                            for line in throw["why"]], ("cyan", ""), fixed=(0,))
