"""What an action leaves on the sheet of whoever undertook it, and what is said of it."""

from __future__ import annotations

from paravent.game import Actor, Change, Context, Telling, Who, changed
from paravent.game.records import EVERYONE, Audience
from paravent.systems.conteur.asked import energy_of
from paravent.systems.conteur.energy.gauge import collapses
from paravent.systems.conteur.people.character import Character, sheet_of

from .announce import ENERGY_DICE
from .complex import ComplexAction, Turn
from .opposed import Side
from .roll import Roll

Rolled = Roll | Side | Turn
"""Dice thrown by somebody, whatever they were for: how many, the luck spent on them, whether they knocked out."""


def worn_out(ctx: Context, actor: Actor, rolled: Rolled) -> bool:
    """Whether the energy die took the last point of energy, at a table where that knocks out (R-36)."""
    points = ctx.value(actor, ENERGY_DICE) or 0
    return bool(points and rolled.dice) and collapses(energy_of(ctx, actor) - points, ctx.rulings)


def faints(ctx: Context, actor: Actor, rolled: Rolled) -> bool:
    """Whether a roll leaves whoever made it unconscious."""
    return rolled.unconscious or worn_out(ctx, actor, rolled)


def roll_changes(
    ctx: Context, actor: Actor, rolled: Rolled, audience: Audience = EVERYONE
) -> tuple[Change, ...]:
    """What a roll costs whoever made it: energy announced, luck spent, consciousness lost."""
    sheet = sheet_of(actor)
    if sheet is None or not rolled.dice:
        return ()
    unconscious = sheet.unconscious or faints(ctx, actor, rolled)
    return (
        *changed(actor.id, sheet, "energy", sheet.energy - (ctx.value(actor, ENERGY_DICE) or 0), "D10-061", audience,
                 own=True),
        *changed(actor.id, sheet, "luck_used", sheet.luck_used + rolled.luck_spent, "D10-030", audience, own=True),
        *changed(actor.id, sheet, "unconscious", unconscious, "D10-054", audience, "grave"),
    )


def tell_fainting(
    ctx: Context, actor: Actor, rolled: Rolled, audience: Audience | None = None
) -> list[Telling]:
    """Who loses consciousness, and why."""
    who = {"who": Who(actor.id)}
    return [
        *([Telling("outcomes.blackout", who, audience)] if rolled.unconscious else []),
        *([Telling("outcomes.collapse", who, audience)] if worn_out(ctx, actor, rolled) else []),
    ]


def called(actor: Actor) -> str:
    """What an actor is called at the table."""
    sheet = sheet_of(actor)
    return actor.id if sheet is None else sheet.name or actor.id


def under_way(actor: Actor) -> ComplexAction | None:
    """The complex action that an actor's sheet carries, if there is one."""
    sheet = sheet_of(actor)
    return None if sheet is None else sheet.complex_action


def given_up(actor: Actor, helpless: bool, audience: Audience = EVERYONE) -> tuple[Change, ...]:
    """Falling unconscious or dying gives a complex action up."""
    if not helpless or under_way(actor) is None:
        return ()
    return changed(actor.id, actor.sheet(Character), "complex_action", None, "D10-020", audience, "grave")
