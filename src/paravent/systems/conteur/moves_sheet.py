"""The sheet at the table: a character created, luck given back."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    INVISIBLE,
    Ask,
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
    asking,
    changed,
    only,
)

from . import character as sheets
from . import luck
from .announce import CHARACTER, without_sheet
from .character import Character
from .facts import Attribute

ITS_OWNER = only("gm", "character")


def created_sheet(ctx: Context) -> Character:
    """The sheet handed in, checked, as it enters play."""
    record: Character = ctx["sheet"]
    return sheets.fresh(ctx.system.kind("character").validated(record, ctx.rulings))


def read_creation(ctx: Context) -> tuple[Hashable, ...]:
    """The sheet as the rule reads it."""
    record = created_sheet(ctx)
    return tuple(getattr(record, name) for name in Attribute), record.skills, ctx["override"], ctx.rulings


def tell_creation(ctx: Context, created: sheets.Created) -> Sequence[Telling]:
    """The sheet is legal; what is only unwise is said."""
    record = created_sheet(ctx)
    unwise = [fault for fault in sheets.check(record, ctx.rulings) if fault.warning]
    return [Telling("outcomes.told_created", {"name": record.name or ctx.one().id}),
            *(Telling(f"faults.{fault.key}", fault.values) for fault in unwise)]


CREATE_CHARACTER = Move(
    "create-character",
    (
        Ask("sheet", (Field("sheet", SheetOf("character"), rule="D10-027"),
                      Field("override", Flag(), "gm", usual=False, rule="D10-036"))),
        Window("accept", "gm", "approval", back_to="sheet"),
        Resolve(
            "create",
            asking(sheets.create, read_creation), auto=True, outcome=lambda created: "created", tell=tell_creation,
            changes=lambda ctx, created: [
                Change(created_sheet(ctx).name or f"{ctx.one().id}-1", "", None, created_sheet(ctx), "D10-027",
                       kind="character")
            ],
        ),
    ),
    makes="character",
    rules=("D10-027", "D10-028", "D10-036", "D10-037"),
)


def luck_line(ctx: Context) -> tuple[int, int]:
    """The maximum of luck and the points used, on the sheet or as filled in."""
    actor = ctx.one("character")
    if actor.record is None:
        return ctx.value(actor, "luck"), ctx.value(actor, "luck_used")
    return actor.record.luck, actor.record.luck_used


def changes_of_refund(ctx: Context, after: luck.Luck) -> Sequence[Change]:
    """The second line of the sheet goes down."""
    actor = ctx.one("character")
    if actor.record is None:
        return ()
    return changed(actor.id, actor.record, "luck_used", after.luck_used, "D10-034")


REFUND_LUCK = Move(
    "refund-luck",
    (
        Ask("refund", (
            Field("points", Whole(1, 99), "gm", usual=1, rule="D10-034"),
            Field("silent", Flag(), "gm", usual=False, secrecy="gm"),
            Field("luck", Whole(0, 10), "character", usual=5, when=without_sheet("character")),
            Field("luck_used", Whole(0, 10), "character", usual=0, when=without_sheet("character")),
        )),
        Resolve(
            "refund",
            asking(luck.refund_luck, lambda ctx: (*luck_line(ctx), ctx["points"])), outcome=lambda after: "refunded",
            changes=changes_of_refund,
            shown=lambda ctx, after: INVISIBLE if ctx["silent"] else Shown(detail=GM_ONLY),
            tell=lambda ctx, after: [
                Telling("outcomes.refunded", {}, GM_ONLY if ctx["silent"] else EVERYONE),
                Telling("outcomes.told_luck", {"n": after.luck_available}, GM_ONLY if ctx["silent"] else ITS_OWNER),
            ],
        ),
    ),
    cast=(CHARACTER, GAME_MASTER),
    by="gm",
    rules=("D10-034",),
    exists=lambda ctx: GM_ONLY if ctx["silent"] else EVERYONE,
)
