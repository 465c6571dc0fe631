"""Sheets: brought to the table, and read."""

from __future__ import annotations

from typing import NamedTuple

from paravent.cli import show
from paravent.cli.terminal import Back, MenuItem, named
from paravent.cli.writing import Writing
from paravent.dice import PlayedDice, usually
from paravent.game.records import AnyKind

from .screen import Screen


class Offered(NamedTuple):
    """A record that may be brought; without one, it is drawn at random or written step by step."""

    kind: AnyKind
    record: object = None
    is_written: bool = False


def bring(screen: Screen, owner: str = "") -> None:
    """Bring a ready-made or random character to the table; with no owner the game master says whose it is."""
    table, terminal = screen.table, screen.terminal
    items = _offered(screen)
    title = screen.say("whose-sheet", seat=owner) if owner else screen.say("which-sheet")
    chosen = terminal.choose(title, items, len(items) - 1)
    if chosen is None:
        return
    kind, record, is_written = chosen
    if is_written:
        try:
            record = Writing(screen.page, terminal, table.base, kind, table.rulings).written()
        except Back:
            return
    elif record is None and kind.draw is not None:
        record = PlayedDice(table.faces, usually).resolve(kind.draw, table.rulings)
    if not owner and len(table.places) > 1:
        owner = terminal.choose(screen.say("for-whom"), named(table.places), 0)
    name = _free_name(screen, str(getattr(record, "name", "") or kind.id))
    table.add(name, record, kind.id, "" if owner == screen.gm else owner)
    screen.page.line(screen.say("brought", name=name), style="green")


def _offered(screen: Screen) -> list[MenuItem[Offered | None]]:
    items: list[MenuItem[Offered | None]] = []
    for kind in screen.table.base.kinds.values():
        what = screen.tell.title(f"kinds.{kind.id}")
        for name, record in kind.ready(screen.page.lang).items():
            items.append(MenuItem(Offered(kind, record), name, f"{getattr(record, 'name', name)} ({what})"))
        if kind.played:
            items.append(MenuItem(Offered(kind, is_written=True), f"write-{kind.id}", screen.say("write", kind=what)))
        if kind.draw is not None:
            items.append(MenuItem(Offered(kind), f"random-{kind.id}", screen.say("random", kind=what)))
    items.append(MenuItem(None, "none", screen.say("no-sheet")))
    return items


def _free_name(screen: Screen, name: str) -> str:
    taken = {*screen.table.state.records, *screen.table.places}
    numbered = (f"{name} {n}" for n in range(2, 1000))
    return name if name not in taken else next(other for other in numbered if other not in taken)


def read(screen: Screen) -> None:
    """Read a sheet, as far as this seat may."""
    table = screen.table
    seen = table.view(screen.seat).records
    if not seen:
        screen.page.line(screen.say("no-sheets"))
        return
    name = screen.terminal.choose(screen.say("which-sheet"), named(seen))
    kind = table.base.kind(seen[name].kind)
    whole = table.is_gm(screen.seat) or not kind.hidden or screen.seat in table.controllers(name)
    derived = dict(kind.derived(table.records[name].record, table.rulings)) if whole else None
    show.sheet(screen.page, screen.tell, kind, seen[name].sheet, derived)
