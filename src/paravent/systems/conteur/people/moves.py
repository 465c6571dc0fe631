"""The sheet at the table: a character created."""

from __future__ import annotations

from collections.abc import Sequence

from paravent.game import Ask, Call, Change, Context, Field, Flag, Move, Resolve, SheetOf, Telling, Window
from paravent.systems.conteur.facts import Attribute

from .character import Character, Created, beyond, create, fresh
from .errors import Unnamed


class NewSheet(SheetOf[Character]):
    """A whole sheet handed to the game master: somebody with a name."""

    def read(self, raw: object, field: str, ctx: Context) -> Character:
        record = super().read(raw, field, ctx)
        if not record.name.strip():
            raise Unnamed()
        return record


SHEET = Field("sheet", NewSheet("character"), rule="D10-027")
OVERRIDE = Field("override", Flag(), "gm", usual=False, when=lambda ctx: needs_leave(ctx), rule="D10-036",
                 place="rarity")


def needs_leave(ctx: Context) -> bool:
    """Whether the sheet handed in asks for something that only the game master allows: they do by accepting it."""
    record = ctx.one().filled.get(SHEET.id)
    return isinstance(record, Character) and beyond(record, ctx.rulings)


def created_sheet(ctx: Context) -> Character:
    """The sheet handed in, checked, as it enters play."""
    return fresh(ctx.system.kind("character").validated(ctx[SHEET], ctx.rulings))


def creation(ctx: Context) -> Call[Created]:
    """The sheet as the rule reads it."""
    record = created_sheet(ctx)
    attributes = tuple(int(getattr(record, name)) for name in Attribute)
    return Call(create, attributes, record.skills, bool(ctx[OVERRIDE]), ctx.rulings)


def tell_creation(ctx: Context, created: Created) -> Sequence[Telling]:
    """Who enters play: what was unwise on the sheet was said to whoever wrote it and to whoever accepted it."""
    record = created_sheet(ctx)
    return [Telling("outcomes.told_created", {"name": record.name}, main=True)]


CREATE_CHARACTER = Move(
    "create-character",
    (
        Ask("sheet", (SHEET, OVERRIDE)),
        Window("accept", "gm", "approval", back_to="sheet", grants=OVERRIDE),
        Resolve(
            "create", creation, auto=True, outcome=lambda created: "created", tell=tell_creation,
            changes=lambda ctx, created: [
                Change(created_sheet(ctx).name, "", None, created_sheet(ctx), "D10-027", kind="character")
            ],
        ),
    ),
    makes="character",
    rules=("D10-027", "D10-028", "D10-036", "D10-037"),
)
