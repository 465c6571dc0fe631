"""What is brought to a move beside people: a world, a market, a robot; and what is read on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from paravent.game import Actor, Context, MissingField

from .beasts.animals import Animal
from .beasts.persons import Person
from .machines.kinds import Gear, Robot
from .people.character import Character
from .trade.kinds import Cargo, Market
from .worlds.maps import Chart
from .worlds.planet import World
from .worlds.sector import Sector

RECORDS: Mapping[str, type] = {
    "sector": Sector, "chart": Chart, "world": World, "animal": Animal, "person": Person, "market": Market,
    "cargo": Cargo, "item": Gear, "robot": Robot, "character": Character,
}
"""What each role is for: whatever else is put there counts for nothing."""


def actor_in(ctx: Context, role: str) -> Actor | None:
    """Who holds a role with the right kind of record, if anybody does."""
    return next((actor for actor in ctx.all(role) if isinstance(actor.record, RECORDS[role])), None)


def record_in(ctx: Context, role: str) -> Any:
    """The record that somebody brought in a role, if anybody did."""
    actor = actor_in(ctx, role)
    return actor.record if actor is not None else None


def figure(ctx: Context, name: str, role: str, attribute: str = "") -> Any:
    """A figure as typed, or on the record in a role; refused where it is nowhere."""
    asked = ctx.move.field(name)
    typed = ctx.value(ctx.one(asked.role), name)
    if typed is not None:
        return typed
    record = record_in(ctx, role)
    if record is None:
        raise MissingField(field=name, role=asked.role)
    return getattr(record, attribute or name)
