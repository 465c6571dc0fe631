"""Ready tables: characters and a small situation of our own, with a move waiting, as a game's ``demo.toml`` tells."""

from __future__ import annotations

from typing import Any

from paravent.game import System, UnknownName
from paravent.game.telling import Teller
from paravent.game.words import in_language
from paravent.table import commands as c
from paravent.table.host import Entry, Host


async def open_demo(host: Host, system: System, lang: str) -> list[Entry]:
    """Open a game's ready table and give its seats: game master, a player with a character, the table's screen."""
    told: dict[str, Any] = system.book.data("demo")
    if not told:
        raise UnknownName("demo", system.id, ())
    title, master = in_language(told["title"], lang), in_language(told["game_master"], lang)
    entry = await host.open(system.id, title, master, None, lang)
    seat = entry.seat
    for line in told.get("story", ()):
        await host.do(entry.table, c.Say(text=in_language(line, lang), kind="story", seat=seat))
    seats = [entry]
    for grade in ("player", "spectator"):
        name = Teller(lang).say(f"web.demo.{grade}")
        made = await host.do(entry.table, c.AddSeat(name=name, grade=grade, seat=seat))
        seats.append(Entry(entry.table, made["seat"], made["links"][made["seat"]]))
    named: dict[str, str] = {}
    for at, cast in enumerate(told.get("cast", ())):
        seen_by = ("gm",) if cast.get("hidden") else None
        command = c.AddRecord(
            kind=cast.get("kind", "character"), ready=cast.get("ready", ""), sheet=cast.get("sheet"),
            seen_by=seen_by, owner=seats[1].seat if at == 0 else "", seat=seat,
        )
        named[cast["as"]] = (await host.do(entry.table, command))["record"]
    for waiting in told.get("move", ()):
        roles = {role: [named[name] for name in names] for role, names in waiting.get("cast", {}).items()}
        form = {named.get(actor, actor): values for actor, values in waiting.get("form", {}).items()}
        await host.do(entry.table, c.StartMove(move=waiting["move"], cast=roles, form=form, seat=seat))
    return seats
