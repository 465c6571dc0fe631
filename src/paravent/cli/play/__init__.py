"""An evening in the terminal: one screen that goes from hand to hand.

Everything is played on :class:`paravent.game.session.Session`; what a seat reads comes from what the session lets it
see, and the screen is emptied before it changes hands.

Each chapter is a class that goes on from the one before: the screen, reading, fields, answers, settling, moves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from paravent.cli import facts, forms, show
from paravent.cli.terminal import Back, Item, Terminal
from paravent.dice.errors import ParaventError
from paravent.dice.fair import Faces, KeyedFaces, LiveFaces
from paravent.game.eyes import SPECTATOR
from paravent.game.records import GM
from paravent.game.session import Session
from paravent.game.system import System, find_system

from .moves import Moves


def evening(lang: str, system: str | None, seed: str | None, options: Sequence[str]) -> None:
    """Play until somebody leaves; the end of the input and Ctrl-C leave politely."""
    page = show.Page(lang)
    terminal = Terminal(page)
    try:
        page.title(page.say("play.welcome"), page.say("play.how"))
        found = find_system(system) if system is not None else _choose_system(page, terminal, lang)
        faces: Faces = LiveFaces() if seed is None else KeyedFaces.from_seed(seed)
        seats = _seats(page, terminal)
        rulings = dict(forms.rulings_from(found, options))
        Evening(page, terminal, Session(found, seats, rulings, faces)).run()
    except (EOFError, KeyboardInterrupt):
        page.console.print()
    except Back:
        pass
    page.line(page.say("play.goodbye"), indent=0)


def _choose_system(page: show.Page, terminal: Terminal, lang: str) -> System:
    given = facts.systems(lang)
    items = [Item(one["id"], one["id"], f"{one['name']} — {one['tagline']}") for one in given["systems"]]
    return find_system(str(terminal.choose(page.say("play.which-game"), items, 0)))


def _seats(page: show.Page, terminal: Terminal) -> dict[str, str]:
    """Who sits at the table; a game master always does."""
    page.console.print()
    master = terminal.line(page.say("play.gm-name"), page.say("play.gm")) or page.say("play.gm")
    seats = {master: GM}
    for grade in ("player", SPECTATOR):
        names = terminal.line(page.say(f"play.{grade}-names"), page.say("play.nobody"))
        for name in names.split(","):
            if name.strip():
                seats.setdefault(name.strip(), grade)
    return seats


class Evening(Moves):
    """Characters are brought, then whoever has the screen says what to do now."""

    def run(self) -> None:
        """Bring characters, then take turns."""
        self.page.notice(self.system.id)
        for seat, grade in self.session.seats.items():
            if grade == "player":
                self.bring(seat)
        self.header()
        while True:
            try:
                if self.terminal.choose(self.say("what-now"), list(self._menu()))():
                    return
            except Back:
                self.header()
            except ParaventError as error:
                self.refused(error)

    def _menu(self) -> Iterator[Item]:
        """What this seat can do now; each line gives True when it ends the evening."""
        session = self.session
        entries: list[tuple[str, Any]] = [("move", self.start_move)] if session.seats[self.seat] != SPECTATOR else []
        if self._open_moves():
            entries.append(("continue", self.continue_move))
        entries += [("sheets", self.sheets), ("rules", self.rules), ("log", self.log)]
        if session.encounters:
            entries.append(("encounters", self.encounters))
        if session.is_gm(self.seat):
            entries += [("bring", lambda: self.bring("")), ("undo", self.undo)]
        if len(session.seats) > 1:
            entries.append(("pass", self.pass_on))
        entries.append(("quit", lambda: True))
        for name, action in entries:
            yield Item(action, name, self.say(f"do-{name}"))
