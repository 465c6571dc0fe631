"""Ready tables: characters and a small situation, with a move waiting, as a game's ``demo.toml`` tells.

A game without one still has a table to try: its first characters, and the first thing one of them can do.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from paravent.game import Move, Plain, System, UnknownName
from paravent.game.records import GM
from paravent.game.telling import Teller
from paravent.game.words import Text, in_language
from paravent.table import commands as c
from paravent.table.host import Entry, Host

_MOST = 3


class DemoRecord(Struct):
    """Somebody or something at a ready table: a ready-made record, one drawn at random, or one written out."""

    called: str = msgspec.field(name="as")
    """What the situation calls them."""
    kind: str = ""
    ready: str = ""
    draw: bool = False
    sheet: dict[str, Plain] | None = None
    hidden: bool = False


class DemoMove(Struct):
    """A move that waits at a ready table, for those whom the situation names."""

    move: str
    cast: dict[str, list[str]] = {}
    form: dict[str, dict[str, Plain]] = {}
    words: dict[str, dict[str, Text]] = {}
    """What is written in it, by actor and field, in the table's language."""


class Situation(Struct):
    """A ready table, as a game's ``demo.toml`` tells it."""

    title: Text = {}
    game_master: Text = {}
    story: tuple[Text, ...] = ()
    cast: tuple[DemoRecord, ...] = ()
    move: tuple[DemoMove, ...] = ()


def situation(system: System) -> Situation | None:
    """A game's ready situation, or one made of what it has; none where it has nobody to play."""
    told = system.book.read("demo", Situation)
    kind = next((system.kinds[name] for name in system.played), None)
    if told != Situation() or kind is None:
        return told if told != Situation() else None
    cast = [DemoRecord(name, ready=name) for name in kind.ready("fr")][:_MOST]
    cast = cast or ([DemoRecord(str(at), draw=True) for at in range(_MOST)] if kind.draw is not None else [])
    if not cast:
        return None
    alone = (move.id for move in system.moves.values() if _is_done_alone(move))
    waiting = [DemoMove(move, {"initiator": [cast[0].called]}) for move in alone][:1]
    return Situation(cast=tuple(cast), move=tuple(waiting))


def _is_done_alone(move: Move) -> bool:
    """Whether somebody can do it without anybody else, at any time."""
    needed = [role.id for role in move.cast if role.least > 0 and role.id != GM]
    return move.by == "initiator" and not move.encounter and needed == ["initiator"] and any(move.resolves)


async def open_demo(host: Host, system: System, lang: str) -> list[Entry]:
    """Open a game's ready table and give its seats: game master, a player with a character, the table's screen."""
    told = situation(system)
    if told is None:
        raise UnknownName("demo", system.id, ())
    tell = Teller(lang, system)
    title = in_language(told.title, lang) if told.title else tell.say("system.name")
    master = in_language(told.game_master, lang) if told.game_master else tell.say("web.demo.game_master")
    entry = await host.open(system.id, title, master, None, lang)
    seat = entry.seat
    for line in told.story:
        await host.do(entry.table, c.Say(text=in_language(line, lang), kind="story", seat=seat))
    seats = [entry]
    for rank in ("player", "spectator"):
        name = tell.say(f"web.demo.{rank}")
        made = await host.do(entry.table, c.AddSeat(name=name, rank=rank, seat=seat))
        seats.append(Entry(entry.table, made["seat"], made["links"][made["seat"]]))
    named: dict[str, str] = {}
    for at, member in enumerate(told.cast):
        command = c.AddRecord(
            kind=member.kind or next(iter(system.played), ""), ready=member.ready, draw=member.draw, sheet=member.sheet,
            seen_by=(GM,) if member.hidden else None, owner=seats[1].seat if at == 0 else "", seat=seat,
        )
        named[member.called] = (await host.do(entry.table, command))["record"]
    for waiting in told.move:
        roles = {role: [named[name] for name in names] for role, names in waiting.cast.items()}
        form = {named.get(actor, actor): dict(values) for actor, values in waiting.form.items()}
        for actor, texts in waiting.words.items():
            form.setdefault(named.get(actor, actor), {}).update(
                (field, in_language(text, lang)) for field, text in texts.items())
        await host.do(entry.table, c.StartMove(move=waiting.move, cast=roles, form=form, seat=seat))
    return seats
