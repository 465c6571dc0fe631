"""What an action leaves on the sheet of whoever undertook it, and what is said of it."""

from __future__ import annotations

from typing import Any

from paravent.game import Actor, Change, Context, Telling, changed
from paravent.game.records import EVERYONE, Audience

from .announce import energy_of
from .character import Character
from .energy import collapses
from .roll import Roll


def worn_out(ctx: Context, actor: Actor, rolled: Roll | Any) -> bool:
    """Whether the energy die took the last point of energy, at a table where that knocks out (R-36)."""
    points: int = ctx.value(actor, "energy_dice")
    return bool(points and rolled.dice) and collapses(energy_of(ctx, actor) - points, ctx.rulings)


def faints(ctx: Context, actor: Actor, rolled: Roll | Any) -> bool:
    """Whether a roll leaves whoever made it unconscious."""
    return rolled.unconscious or worn_out(ctx, actor, rolled)


def roll_changes(
    ctx: Context, actor: Actor, rolled: Roll | Any, audience: Audience = EVERYONE
) -> tuple[Change, ...]:
    """What a roll costs whoever made it: energy announced, luck spent, consciousness lost."""
    sheet: Character | None = actor.record
    if sheet is None or not rolled.dice:
        return ()
    unconscious = sheet.unconscious or faints(ctx, actor, rolled)
    return (
        *changed(actor.id, sheet, "energy", sheet.energy - ctx.value(actor, "energy_dice"), "D10-061", audience),
        *changed(actor.id, sheet, "luck_used", sheet.luck_used + rolled.luck_spent, "D10-030", audience),
        *changed(actor.id, sheet, "unconscious", unconscious, "D10-054", audience),
    )


def tell_fainting(
    ctx: Context, actor: Actor, rolled: Roll | Any, audience: Audience | None = None
) -> list[Telling]:
    """Who loses consciousness, and why."""
    who = {"who": called(actor)}
    return [
        *([Telling("outcomes.blackout", who, audience)] if rolled.unconscious else []),
        *([Telling("outcomes.collapse", who, audience)] if worn_out(ctx, actor, rolled) else []),
    ]


def called(actor: Actor) -> str:
    """What an actor is called at the table."""
    return str(actor.record.name if actor.record is not None and actor.record.name else actor.id)


def busy(actor: Actor) -> bool:
    """Whether a complex action is under way."""
    return actor.record is not None and actor.record.complex_action is not None


def given_up(actor: Actor, helpless: bool, audience: Audience = EVERYONE) -> tuple[Change, ...]:
    """Falling unconscious or dying gives a complex action up."""
    if not helpless or not busy(actor):
        return ()
    return changed(actor.id, actor.record, "complex_action", None, "D10-020", audience)
