"""The sheet at the table: a character created."""

from __future__ import annotations

from collections.abc import Sequence

from paravent.game import Ask, Call, Change, Context, Field, Flag, Move, Resolve, SheetOf, Telling, Window
from paravent.systems.conteur.facts import Attribute

from .character import Character, Created, check, create, fresh

SHEET = Field("sheet", SheetOf[Character]("character"), rule="D10-027")
OVERRIDE = Field("override", Flag(), "gm", usual=False, rule="D10-036")


def created_sheet(ctx: Context) -> Character:
    """The sheet handed in, checked, as it enters play."""
    return fresh(ctx.system.kind("character").validated(ctx[SHEET], ctx.rulings))


def creation(ctx: Context) -> Call[Created]:
    """The sheet as the rule reads it."""
    record = created_sheet(ctx)
    attributes = tuple(int(getattr(record, name)) for name in Attribute)
    return Call(create, attributes, record.skills, ctx[OVERRIDE], ctx.rulings)


def tell_creation(ctx: Context, created: Created) -> Sequence[Telling]:
    """The sheet is legal; what is only unwise is said."""
    record = created_sheet(ctx)
    unwise = [fault for fault in check(record, ctx.rulings) if fault.warning]
    return [Telling("outcomes.told_created", {"name": record.name or ctx.one().id}),
            *(Telling(f"faults.{fault.key}", fault.values) for fault in unwise)]


CREATE_CHARACTER = Move(
    "create-character",
    (
        Ask("sheet", (SHEET, OVERRIDE)),
        Window("accept", "gm", "approval", back_to="sheet"),
        Resolve(
            "create", creation, auto=True, outcome=lambda created: "created", tell=tell_creation,
            changes=lambda ctx, created: [
                Change(created_sheet(ctx).name or f"{ctx.one().id}-1", "", None, created_sheet(ctx), "D10-027",
                       kind="character")
            ],
        ),
    ),
    makes="character",
    rules=("D10-027", "D10-028", "D10-036", "D10-037"),
)
