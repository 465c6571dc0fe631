"""What a move finds of those in it: the sheet that each brings, and what is filled in for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from paravent.game import Actor, Context, Field, Rulings, rule
from paravent.game.errors import Withheld

from .care.health import condition
from .errors import CannotAct
from .people.cast import Creature, Extra
from .people.character import Character
from .terms import Condition

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


def is_somebody(actor: Actor) -> bool:
    """Whether an actor is somebody in particular to whoever reads: of those who are hidden nothing is known."""
    try:
        return actor.record is None or isinstance(actor.record.name, str)
    except Withheld:
        return False


def state_of(actor: Actor, rulings: Rulings) -> Condition:
    """Whether somebody is conscious, or what befell them; whoever has no sheet is."""
    record, sheet = being(actor), person(actor)
    if record is None:
        return Condition.CONSCIOUS
    psyche = sheet.psyche_points if sheet is not None else 1
    return condition(record.life_points, record.breath_points, psyche, rulings, dead=record.dead)


def is_awake(actor: Actor, rulings: Rulings) -> bool:
    """Whether somebody can act at all: nobody does in a faint, in a coma or dead."""
    return state_of(actor, rulings) not in (Condition.UNCONSCIOUS, Condition.COMA, Condition.DEAD)


@rule("SIM-061")
def must_be_awake(actor: Actor, rulings: Rulings) -> None:
    """Refuse to act for somebody without breath or life: at 0 PS one has fainted."""
    if not is_awake(actor, rulings):
        raise CannotAct(who=actor.id, state=state_of(actor, rulings).value)


def _seems_awake(actor: Actor, rulings: Rulings) -> bool:
    """Whether somebody can act, as far as that may be known; nobody in particular can."""
    try:
        return is_awake(actor, rulings)
    except Withheld:
        return True


def acting_is_awake(ctx: Context) -> bool:
    """Whether the one who would act can."""
    return _seems_awake(ctx.one(), ctx.rulings)


def has_character(ctx: Context, who: Callable[[Character], bool] = lambda record: True) -> bool:
    """Whether a character would act of whom this is true; as long as nobody is named, somebody may be."""
    record = ctx.one().record
    return record is None or (not isinstance(record, (Extra, Creature)) and who(record))


def all_are_awake(ctx: Context) -> bool:
    """Whether nobody of those who would be in it has fallen."""
    return all(_seems_awake(actor, ctx.rulings) for actor in ctx.actors)


def none_is_dead(ctx: Context) -> bool:
    """Whether nobody of those who would be in it has died, as far as that may be known."""
    return not any(_seems_dead(actor, ctx.rulings) for actor in ctx.actors)


def _seems_dead(actor: Actor, rulings: Rulings) -> bool:
    try:
        return state_of(actor, rulings) is Condition.DEAD
    except Withheld:
        return False


def has(ctx: Context, actor: Actor, asked: Field[T]) -> T | None:
    """What a field holds, None where the move does not ask it of this role or nothing is filled in."""
    return ctx.value(actor, asked) if ctx.move.asks(asked.id, actor.role) else None


def in_campaign(ctx: Context) -> bool:
    """Whether the table plays by the campaign rules."""
    return ctx.rulings.ruleset == "campaign"
