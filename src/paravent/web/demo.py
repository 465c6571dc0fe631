"""Ready tables: characters and a small situation, with a move waiting, as a game's ``demo.toml`` tells.

A game without one still has a table to try: its first characters, and the first thing one of them can do.
"""

from __future__ import annotations

from typing import Any

from paravent.game import Move, System, UnknownName
from paravent.game.records import GM
from paravent.game.telling import Teller
from paravent.game.words import in_language
from paravent.table import commands as c
from paravent.table.host import Entry, Host

_MOST = 3


def situation(system: System) -> dict[str, Any]:
    """A game's ready situation, or one made of what it has; empty where it has no characters."""
    told: dict[str, Any] = system.book.data("demo")
    kind = system.kinds.get("character")
    if told or kind is None:
        return told
    cast: list[dict[str, Any]] = [{"as": name, "ready": name} for name in kind.ready("fr")][:_MOST]
    cast = cast or ([{"as": str(at), "draw": True} for at in range(_MOST)] if kind.draw is not None else [])
    if not cast:
        return {}
    alone = (move.id for move in system.moves.values() if _is_done_alone(move))
    waiting = [{"move": move, "cast": {"initiator": [cast[0]["as"]]}} for move in alone][:1]
    return {"cast": cast, "move": waiting}


def _is_done_alone(move: Move) -> bool:
    """Whether somebody can do it without anybody else, at any time."""
    needed = [role.id for role in move.cast if role.least > 0 and role.id != GM]
    return move.by == "initiator" and not move.encounter and needed == ["initiator"] and any(move.resolves)


async def open_demo(host: Host, system: System, lang: str) -> list[Entry]:
    """Open a game's ready table and give its seats: game master, a player with a character, the table's screen."""
    told = situation(system)
    if not told:
        raise UnknownName("demo", system.id, ())
    tell = Teller(lang, system)
    title = in_language(told["title"], lang) if "title" in told else tell.say("system.name")
    master = in_language(told["game_master"], lang) if "game_master" in told else tell.say("web.demo.game_master")
    entry = await host.open(system.id, title, master, None, lang)
    seat = entry.seat
    for line in told.get("story", ()):
        await host.do(entry.table, c.Say(text=in_language(line, lang), kind="story", seat=seat))
    seats = [entry]
    for grade in ("player", "spectator"):
        name = tell.say(f"web.demo.{grade}")
        made = await host.do(entry.table, c.AddSeat(name=name, grade=grade, seat=seat))
        seats.append(Entry(entry.table, made["seat"], made["links"][made["seat"]]))
    named: dict[str, str] = {}
    for at, cast in enumerate(told.get("cast", ())):
        seen_by = ("gm",) if cast.get("hidden") else None
        command = c.AddRecord(
            kind=cast.get("kind", "character"), ready=cast.get("ready", ""), draw=cast.get("draw", False),
            sheet=cast.get("sheet"),
            seen_by=seen_by, owner=seats[1].seat if at == 0 else "", seat=seat,
        )
        named[cast["as"]] = (await host.do(entry.table, command))["record"]
    for waiting in told.get("move", ()):
        roles = {role: [named[name] for name in names] for role, names in waiting.get("cast", {}).items()}
        form = {named.get(actor, actor): values for actor, values in waiting.get("form", {}).items()}
        await host.do(entry.table, c.StartMove(move=waiting["move"], cast=roles, form=form, seat=seat))
    return seats
