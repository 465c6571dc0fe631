"""Points in hand: on a sheet, or as somebody without one says."""

from __future__ import annotations

from dataclasses import replace

from paravent.game import Actor, Change, Context, Field, Whole, changed
from paravent.systems.solaires.cast import has, without_sheet
from paravent.systems.solaires.people.character import Character

from .rules import Points

MOST_POINTS = 30
POINTS: Field[int | None] = Field(
    "points", Whole(0, MOST_POINTS), usual=0, when=without_sheet("initiator"), rule="SOL-117"
)
MAX_POINTS: Field[int | None] = Field(
    "max_points", Whole(0, MOST_POINTS), usual=2, when=without_sheet("initiator"), rule="SOL-109"
)


def points_asked(role: str) -> tuple[Field[int | None], Field[int | None]]:
    """Points and maximum of whoever holds a role without a sheet."""
    bare = without_sheet(role)
    return (replace(POINTS, role=role, usual=2, when=bare, rule="SOL-107"), replace(MAX_POINTS, role=role, when=bare))


def points_of(ctx: Context, actor: Actor) -> int:
    """Points on the sheet, or as filled in; people of the game master's have none."""
    if isinstance(actor.record, Character):
        return actor.record.points
    said = has(ctx, actor, POINTS) if actor.record is None and actor.role == "initiator" else None
    return said or 0


def held(ctx: Context, actor: Actor) -> Points:
    """Points and maximum of somebody: on the sheet, or as filled in."""
    if isinstance(actor.record, Character):
        return actor.record.held
    points, most = has(ctx, actor, POINTS), has(ctx, actor, MAX_POINTS)
    return Points(points or 0, most or 0)


def paid(actor: Actor, points: int, rule_id: str) -> tuple[Change, ...]:
    """What somebody has left, who paid so many points."""
    if not points or not isinstance(actor.record, Character):
        return ()
    after = actor.record.points - points
    return changed(actor.id, actor.record, "points", after, rule_id, own=True)
