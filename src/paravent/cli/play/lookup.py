"""What may be looked up between two moves: a rule, the account of the evening, what is under way."""

from __future__ import annotations

from paravent.cli import facts, show
from paravent.game import AnyEncounter, People, Who
from paravent.game.words import folded
from paravent.table.ahead import WayToEnd, first_side, listed, ways_to_end
from paravent.table.evenings import first_evening
from paravent.table.seen import EncounterSeen
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


def evening(screen: Screen) -> None:
    """The first evening, as far as it is."""
    table, tell = screen.table, screen.tell
    seen = table.view(screen.seat)
    told = first_evening(table.base, table.state, seen.records.values(), seen.moves.values())
    now = next((one.beat.id for one in told.beats if not one.done), "")
    for one in told.beats:
        key = f"evening.{one.beat.id}"
        words = (tell.words.entry(tell.lang, key, "gm") if table.is_gm(screen.seat) else "") or tell.help(key)
        screen.page.grid([("✓" if one.done else "▸" if one.beat.id == now else "·", tell.title(key)),
                          *([("", words)] if one.beat.id == now else [])], ("cyan",), fixed=(0,))


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
        rules_alone = declared.people.more if declared is not None and declared.people is not None else frozenset()
        page.grid([(tell.name(name), tell.value(value)) for name, value in running.state.items()
                   if (line is None or name != line.field) and name not in rules_alone], ("dim", ""))
        ahead = None if running.over else sight.ahead(numbers[own])
        for foretold in ahead.lines if ahead is not None else ():
            page.line(tell.telling(foretold))
        if declared is not None and not running.over:
            _what_if(screen, declared, running, numbers[own])


def _what_if(screen: Screen, declared: AnyEncounter, running: EncounterSeen, number: int) -> None:
    """How it would end, for the game master alone: as it stands, and without each of those who stand."""
    page, tell, table = screen.page, screen.tell, screen.table
    if declared.people is None or not declared.foresees or not table.is_gm(screen.seat):
        return
    people = listed(running, declared.people)
    cases = list(ways_to_end(table.turn(screen.seat), declared, people, number))
    if not cases:
        return
    page.line(f"{tell.say('web.what_if.title')} ({tell.say('web.what_if.alone')})", style="bold")
    page.line(tell.say("web.what_if.wins", who=People(tuple(one.id for one in first_side(people)))))
    page.grid([_case(screen, case) for case in cases], ("dim", "cyan", "dim"), right=(1,))
    margin = cases[0].given.margin
    page.line(tell.say("web.what_if.margin", n=tell.number(round(100 * margin))) if margin
              else tell.say("web.what_if.exact"), style="dim")


def _case(screen: Screen, case: WayToEnd) -> tuple[str, str, str]:
    tell, given = screen.tell, case.given
    words = tell.say("web.what_if.without", who=Who(case.without)) if case.without else tell.say("web.what_if.now")
    length = "" if given.mean_steps is None else tell.say(
        "web.what_if.length", n=round(float(given.mean_steps), 1))
    return words, tell.percent(case.wins), length
