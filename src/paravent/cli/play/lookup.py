"""What may be looked up between two moves: a rule, the account of the evening, what is under way."""

from __future__ import annotations

from paravent.cli import facts, show
from paravent.game.words import folded
from paravent.table.sight import Sight

from .screen import Screen


def rule(screen: Screen) -> None:
    """Find a rule by its number or a word."""
    text = screen.terminal.line(screen.say("which-rule"))
    page, system = screen.page, screen.table.base
    found = system.book.search(text, page.lang)
    found = [one for one in found if folded(text) == folded(one.id)] or found
    if not found or not text:
        page.line(screen.say("no-rule"), style="yellow")
    elif len(found) == 1:
        show.rule(page, facts.rule(system, found[0].id, page.lang))
    else:
        page.grid([(one.id, one.title.get(page.lang, "")) for one in found[:20]], ("cyan",), fixed=(0,))


def account(screen: Screen) -> None:
    """The account of the evening that this seat has heard."""
    told = screen.table.told(screen.seat)
    if not told:
        screen.page.line(screen.say("empty-log"))
    for telling in told:
        screen.page.line(screen.tell.telling(telling))


def encounters(screen: Screen) -> None:
    """What is under way, as this seat sees it."""
    page, tell, table = screen.page, screen.tell, screen.table
    numbers = {own: number for number, own in table.state.known_encounters(screen.seat).items()}
    sight = Sight(table.state, table.base, screen.seat)
    for own, running in table.view(screen.seat).encounters.items():
        declared = table.system.encounters.get(running.encounter)
        title = tell.title(f"encounters.{running.encounter}")
        about = running.state.get(declared.about) if declared is not None and declared.about else ""
        page.title(f"{about} · {title}" if about else title, screen.say("over") if running.over else "")
        line = declared.timeline if declared is not None else None
        rows = running.state.get(line.field) if line is not None else None
        if line is not None and isinstance(rows, list):
            lived = [row for row in rows if isinstance(row, dict)]
            page.grid([(tell.say(f"{line.words}.at", at=row.get(line.at)),
                        tell.say(f"{line.words}.{row.get(line.what)}", **row)) for row in lived], ("dim", ""))
        for said in running.told:
            page.line(tell.say(said.key, **said.values))
        page.grid([(tell.name(name), tell.value(value)) for name, value in running.state.items()
                   if line is None or name != line.field], ("dim", ""))
        ahead = None if running.over else sight.ahead(numbers[own])
        for foretold in ahead.lines if ahead is not None else ():
            page.line(tell.telling(foretold))
