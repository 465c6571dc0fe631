"""The sheet at the table: a character created, luck given back."""

from __future__ import annotations

from collections.abc import Sequence

from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    INVISIBLE,
    Ask,
    Call,
    Change,
    Context,
    Field,
    Flag,
    Move,
    Resolve,
    SheetOf,
    Shown,
    Telling,
    Whole,
    Window,
    changed,
    only,
)

from .announce import CHARACTER, said, without_sheet
from .character import Character, Created, check, create, fresh, sheet_of
from .facts import Attribute
from .luck import Luck, refund_luck

ITS_OWNER = only("gm", "character")

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


POINTS = Field("points", Whole(1, 99), "gm", usual=1, rule="D10-034")
SILENT = Field("silent", Flag(), "gm", usual=False, secrecy="gm")
MOST_LUCK: Field[int | None] = Field("luck", Whole(0, 10), "character", usual=5, when=without_sheet("character"))
LUCK_USED: Field[int | None] = Field("luck_used", Whole(0, 10), "character", usual=0, when=without_sheet("character"))


def refund(ctx: Context) -> Call[Luck]:
    """The points given back, and the maximum of luck and the points used, on the sheet or as filled in."""
    actor = ctx.one("character")
    sheet = sheet_of(actor)
    if sheet is None:
        return Call(refund_luck, said(ctx, actor, MOST_LUCK), said(ctx, actor, LUCK_USED), ctx[POINTS])
    return Call(refund_luck, sheet.luck, sheet.luck_used, ctx[POINTS])


def changes_of_refund(ctx: Context, after: Luck) -> Sequence[Change]:
    """The second line of the sheet goes down."""
    actor = ctx.one("character")
    sheet = sheet_of(actor)
    return () if sheet is None else changed(actor.id, sheet, "luck_used", after.luck_used, "D10-034")


REFUND_LUCK = Move(
    "refund-luck",
    (
        Ask("refund", (POINTS, SILENT, MOST_LUCK, LUCK_USED)),
        Resolve(
            "refund", refund, outcome=lambda after: "refunded", changes=changes_of_refund,
            shown=lambda ctx, after: INVISIBLE if ctx[SILENT] else Shown(detail=GM_ONLY),
            tell=lambda ctx, after: [
                Telling("outcomes.refunded", {}, GM_ONLY if ctx[SILENT] else EVERYONE),
                Telling("outcomes.told_luck", {"n": after.luck_available}, GM_ONLY if ctx[SILENT] else ITS_OWNER),
            ],
        ),
    ),
    cast=(CHARACTER, GAME_MASTER),
    by="gm",
    rules=("D10-034",),
    exists=lambda ctx: GM_ONLY if ctx[SILENT] else EVERYONE,
)
