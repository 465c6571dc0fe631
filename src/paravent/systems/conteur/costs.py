"""What an action leaves on the sheet of whoever undertook it."""

from __future__ import annotations

from typing import Any

from paravent.game import Actor, Change, Context, changed
from paravent.game.records import EVERYONE, Audience

from .character import Character
from .energy import collapses
from .roll import Roll


def roll_changes(
    ctx: Context, actor: Actor, energy_dice: int, rolled: Roll | Any, audience: Audience = EVERYONE
) -> tuple[Change, ...]:
    """What a roll costs whoever made it: energy announced, luck spent, consciousness lost."""
    sheet: Character | None = actor.record
    if sheet is None or not rolled.dice:
        return ()
    energy = sheet.energy - energy_dice
    faint = rolled.unconscious or (energy_dice > 0 and collapses(energy, ctx.rulings))
    return (
        *changed(actor.id, sheet, "energy", energy, "D10-061", audience),
        *changed(actor.id, sheet, "luck_used", sheet.luck_used + rolled.luck_spent, "D10-030", audience),
        *changed(actor.id, sheet, "unconscious", sheet.unconscious or faint, "D10-054", audience),
    )


def busy(actor: Actor) -> bool:
    """Whether a complex action is under way."""
    return actor.record is not None and actor.record.complex_action is not None


def given_up(actor: Actor, helpless: bool) -> tuple[Change, ...]:
    """Falling unconscious or dying gives a complex action up."""
    if not helpless or not busy(actor):
        return ()
    return changed(actor.id, actor.record, "complex_action", None, "D10-020")
