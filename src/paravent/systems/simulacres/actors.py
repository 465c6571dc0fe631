"""What a move finds of those in it: the sheet that each brings, and what is filled in for them."""

from __future__ import annotations

from typing import TypeVar

from paravent.game import Actor, Context, Field

from .people.cast import Creature, Extra
from .people.character import Character

T = TypeVar("T")
Person = Character | Extra
"""Somebody who has skills, a psyche, and ailments."""
Being = Character | Extra | Creature
"""Whoever has life and breath."""


def being(actor: Actor) -> Being | None:
    """The sheet that an actor brings, whatever its kind; None without one."""
    record: Being | None = actor.record
    return record


def person(actor: Actor) -> Person | None:
    """The sheet of somebody with skills and a psyche; None for a creature, and without a sheet."""
    record = being(actor)
    return None if isinstance(record, Creature) else record


def has(ctx: Context, actor: Actor, asked: Field[T]) -> T | None:
    """What a field holds, None where the move does not ask it of this role or nothing is filled in."""
    if not any(field.id == asked.id and field.role == actor.role for field in ctx.move.fields):
        return None
    return ctx.value(actor, asked)


def in_campaign(ctx: Context) -> bool:
    """Whether the table plays by the campaign rules."""
    return ctx.rulings.ruleset == "campaign"
