"""An evening in the terminal: one screen that goes from hand to hand.

Everything is played on :class:`paravent.table.hotseat.Hotseat`, a table without a log; what a seat reads comes from
what the table lets it see, and the screen is emptied before it changes hands.

A :class:`~paravent.cli.play.screen.Screen` is what all share. ``sheets`` are brought and read; ``lookup`` finds rules
and what has happened; ``acts`` are played from their start to their end, by way of their ``form``, ``questions``,
``throws`` and, at last, their ``changes``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from paravent.cli import facts, forms
from paravent.cli.show import Page
from paravent.cli.terminal import Back, MenuItem, Terminal
from paravent.dice.errors import ParaventError
from paravent.dice.fair import Faces, KeyedFaces, LiveFaces
from paravent.game.eyes import SPECTATOR
from paravent.game.records import GM
from paravent.game.system import System, find_system, system_at
from paravent.table.hotseat import Hotseat

from . import changes, lookup, sheets
from .acts import EveningMoves
from .form import Form
from .screen import Screen


def evening(lang: str, system: str | None, seed: str | None, options: Sequence[str]) -> None:
    """Play until somebody leaves; the end of the input and Ctrl-C leave politely."""
    page = Page(lang)
    terminal = Terminal(page)
    try:
        page.title(page.say("play.welcome"), page.say("play.how"))
        found = system_at(system) if system is not None else _choose_system(page, terminal, lang)
        faces: Faces = LiveFaces() if seed is None else KeyedFaces.from_seed(seed)
        seats = _seats(page, terminal)
        rulings = dict(forms.rulings_from(found, options))
        _take_turns(Screen(page, terminal, Hotseat(found, seats, rulings, faces)))
    except (EOFError, KeyboardInterrupt):
        page.console.print()
    except Back:
        pass
    page.line(page.say("play.goodbye"), indent=0)


def _choose_system(page: Page, terminal: Terminal, lang: str) -> System:
    given = facts.systems(lang)
    items = [MenuItem(str(one["id"]), one["id"], f"{one['name']} — {one['tagline']}") for one in given["systems"]]
    return find_system(terminal.choose(page.say("play.which-game"), items, 0))


def _seats(page: Page, terminal: Terminal) -> dict[str, str]:
    """Who sits at the table; a game master always does."""
    page.console.print()
    master = terminal.line(page.say("play.gm-name"), page.say("play.gm")) or page.say("play.gm")
    seats = {master: GM}
    for rank in ("player", SPECTATOR):
        names = terminal.line(page.say(f"play.{rank}-names"), page.say("play.nobody"))
        for name in names.split(","):
            if name.strip():
                seats.setdefault(name.strip(), rank)
    return seats


def _take_turns(screen: Screen) -> None:
    """Bring characters; then whoever has the screen says what to do now."""
    screen.page.notice(screen.table.base.id)
    for seat, rank in screen.table.places.items():
        if rank == "player":
            sheets.bring(screen, seat)
    screen.header()
    acts = EveningMoves(screen, Form(screen))
    while True:
        try:
            if screen.terminal.choose(screen.say("what-now"), list(_menu(screen, acts)))():
                return
        except Back:
            screen.header()
        except ParaventError as error:
            screen.refused(error)


Doing = Callable[[], bool | None]
"""What a line of the menu does; True when it ends the evening."""


def _menu(screen: Screen, acts: EveningMoves) -> Iterator[MenuItem[Doing]]:
    """What this seat can do now."""
    table = screen.table
    lines: list[tuple[str, Doing]] = [("move", acts.start)] if table.places[screen.seat] != SPECTATOR else []
    if acts.left_open():
        lines.append(("continue", acts.take_up))
    lines += [("sheets", lambda: sheets.read(screen)), ("rules", lambda: lookup.rule(screen)),
              ("log", lambda: lookup.account(screen))]
    if table.base.first_evening:
        lines.append(("evening", lambda: lookup.evening(screen)))
    if table.view(screen.seat).encounters:
        lines.append(("encounters", lambda: lookup.encounters(screen)))
    if table.is_gm(screen.seat):
        lines += [("bring", lambda: sheets.bring(screen)), ("undo", lambda: changes.undo(screen))]
    if len(table.places) > 1:
        lines.append(("pass", screen.pass_on))
    lines.append(("quit", lambda: True))
    for name, does in lines:
        yield MenuItem(does, name, screen.say(f"do-{name}"))
