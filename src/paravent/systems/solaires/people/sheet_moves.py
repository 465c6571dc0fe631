"""Sheets: handed in, taken ready-made, drawn word by word from a text."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from paravent.dice import Dice
from paravent.game import (
    Ask,
    Call,
    Change,
    Context,
    Field,
    Flag,
    Grid,
    Move,
    OneOf,
    Pills,
    Resolve,
    SheetOf,
    Steps,
    Telling,
    TextField,
    Who,
    Whole,
    Window,
    changed,
    rule,
)
from paravent.systems.solaires.facts import SCORE_MAX, SCORE_MIN, Category, Tag

from . import character
from .character import PASSAGES, Character, Created, Element


class NewSheet(SheetOf[Character]):
    """A whole sheet handed to the game master: what is wrong with it is said to whoever hands it in."""

    def read(self, raw: object, field: str, ctx: Context) -> Character:
        record = super().read(raw, field, ctx)
        entering(ctx, record)
        return record


SHEET: Field[Character] = Field("sheet", NewSheet("character"), secrecy="own", rule="SOL-100")
READY = Field("ready", OneOf(lambda ctx: tuple(character.ready("fr"))), rule="SOL-005")
RESCALE = Field("rescale", Flag(), usual=False, rule="SOL-105", place="rarity")


def new_sheet(ctx: Context) -> Character:
    """The sheet handed in, checked, as it enters play."""
    return entering(ctx, ctx[SHEET])


def ready_sheet(ctx: Context) -> Character:
    """The ready-made sheet chosen, on the scale of this table."""
    record = character.fresh(character.ready("fr")[ctx[READY]], ctx.rulings)
    return entering(ctx, character.rescaled(record) if ctx[RESCALE] else record)


def entering(ctx: Context, record: Character) -> Character:
    """A sheet found legal, as it enters play."""
    ctx.system.kind("character").validated(record, ctx.rulings)
    character.check_new(record, ctx.rulings)
    return character.fresh(record, ctx.rulings)


def tell_created(ctx: Context, record: Character) -> Sequence[Telling]:
    """The sheet is legal; what is only unwise is said."""
    unwise = [fault for fault in character.check(record, ctx.rulings) if fault.warning]
    return [Telling("outcomes.told_created", {"name": record.name}),
            *(Telling(f"faults.{fault.key}", fault.values) for fault in unwise)]


def sheet_step(name: str, sheet: Callable[[Context], Character]) -> Resolve[Created]:
    """A sheet brought to the table."""
    return Resolve(
        name, lambda ctx: Call(character.create, tuple(one.score for one in sheet(ctx).elements)), auto=True,
        outcome=lambda created: "created", tell=lambda ctx, created: tell_created(ctx, sheet(ctx)),
        changes=lambda ctx, created: [Change(sheet(ctx).name, "", None, sheet(ctx), "SOL-100", kind="character")],
    )


CREATE_CHARACTER = Move(
    "create-character",
    (
        Ask("sheet", (SHEET,)),
        Window("accept", "gm", "approval", back_to="sheet"),
        sheet_step("create", new_sheet),
    ),
    makes="character",
    rules=("SOL-100", "SOL-101", "SOL-102", "SOL-103", "SOL-104", "SOL-105", "SOL-107"),
)
IMPORT_READY_MADE = Move(
    "import-ready-made",
    (
        Ask("which", (READY, RESCALE)),
        Window("accept", "gm", "approval", back_to="which"),
        sheet_step("import", ready_sheet),
    ),
    makes="character",
    rules=("SOL-005",),
)


# Words of a text


WORDS = Field("words", TextField(300), rule="SOL-103", shape=PASSAGES)
CATEGORY = Field("category", OneOf(Category), rule="SOL-103", place="essential", shape=Grid("score"))
SCORE = Field("score", Whole(SCORE_MIN, SCORE_MAX), waits=True, usual=1, rule="SOL-104", place="essential",
              shape=Steps())
ELEMENT_NAME = Field("element_name", TextField(80), usual="", rule="SOL-103", place="essential")
TAG: Field[Tag | None] = Field("tag", OneOf(tuple(tag for tag in Tag if tag)), optional=True, rule="SOL-105",
                               place="essential", shape=Pills(), when=lambda ctx: ctx[CATEGORY] == Category.EQUIPMENT)


@rule("SOL-103", "SOL-104")
def extracted(dice: Dice, name: str, score: int) -> int:
    """Words of the description become an element."""
    dice.note("SOL-103", "extracted", name=name, n=score)
    return score


def element_name(ctx: Context) -> str:
    """What the new element is called: the words it is drawn from, as a name begins, unless it is named otherwise."""
    words = ctx[WORDS]
    return ctx[ELEMENT_NAME] or words[:1].upper() + words[1:]


def extraction_changes(ctx: Context, score: int) -> tuple[Change, ...]:
    """The sheet with its new element."""
    actor = ctx.one()
    if not isinstance(actor.record, Character):
        return ()
    element = Element(element_name(ctx), score, ctx[WORDS])
    where, after = character.with_element(actor.record, ctx[CATEGORY], element, ctx[TAG] or Tag.NONE)
    return changed(actor.id, actor.record, where, after, "SOL-103")


EXTRACT_ELEMENT = Move(
    "extract-element",
    (
        Ask("words", (WORDS, CATEGORY, SCORE, ELEMENT_NAME, TAG)),
        Resolve("extract", lambda ctx: Call(extracted, element_name(ctx), ctx[SCORE]), auto=True,
                outcome=lambda score: "extracted", changes=extraction_changes,
                tell=lambda ctx, score: [Telling("outcomes.told_extracted", {
                    "who": Who(ctx.one().id), "name": element_name(ctx), "n": score})]),
    ),
    rules=("SOL-102", "SOL-103", "SOL-104"),
)

MOVES = (CREATE_CHARACTER, IMPORT_READY_MADE, EXTRACT_ELEMENT)
