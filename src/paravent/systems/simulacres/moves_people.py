"""Moves that make people and follow them: creation, cast, leanings, survival, adventure points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from paravent.dice import Dice
from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    INVISIBLE,
    Actor,
    Ask,
    Audience,
    Change,
    Context,
    Fault,
    Field,
    Flag,
    Many,
    MissingField,
    Move,
    OneOf,
    Resolve,
    Role,
    Rulings,
    SheetOf,
    Telling,
    TextField,
    Whole,
    Window,
    apply,
    asking,
    changed,
    rule,
)

from .campaign import (
    AT_CREATION,
    Beginner,
    begin,
    creation_points,
)
from .cast import Category, Extra, Leaning, extra_faults, keeps_leaning, note_leaning, survival_after, survives
from .character import REALMS, Armour, Character, NamedPoints, Skill, Weapon, build, from_boxes, plain_name
from .creation import faults
from .errors import NoSuchSkill
from .reading import Factors, has, in_campaign
from .terms import TABLES, Component, Energy, Means

SUBJECT = Role("subject", least=0)
UNNAMED = "–"
ATTRIBUTES = (*Component, *Means, *REALMS, *Energy)


class Created(NamedTuple):
    """Somebody made: what is unwise, as word keys with their rules."""

    unwise: tuple[tuple[str, str], ...]


def _made(found: Sequence[Fault]) -> Created:
    return Created(tuple((fault.key, fault.rule) for fault in found))


def _tell_made(found: Sequence[Fault], name: str, audience: Audience) -> Sequence[Telling]:
    told = [Telling("outcomes.told_legal", {"name": name}, audience)]
    return [*told, *(Telling(f"faults.{fault.key}", fault.values, audience) for fault in found)]


def skills_named(names: Sequence[str] | None) -> tuple[Skill, ...]:
    """Skills as written: a name, with its weapon family after a slash (``Escrime/one_hand_blade``)."""
    pairs = [name.partition("/") for name in names or ()]
    return tuple(Skill(name.strip(), family.strip()) for name, _, family in pairs)


# A character


@rule("SIM-101", "SIM-102", "SIM-103", "SIM-104", "SIM-107", "SIM-108", "SIM-110")
def create(dice: Dice, record: Character, beginner: Beginner | None, rulings: Rulings) -> Created:
    """Make a character of a sheet that breaks no rule of creation, and say what is unwise in it.

    A campaign's ``beginner`` also pays for his talents and hobbies; what he cannot pay is refused.
    """
    if beginner is not None:
        _, spent = begin(beginner, rulings)
        dice.note("SIM-A02", "creation_points", spent=spent, budget=beginner.budget)
    shape = build(record.body, record.resistance)
    dice.note("SIM-106", "build", build=f"build_{shape.name}", pv=shape.life_points)
    return _made(faults(record, rulings))


def draft(ctx: Context) -> Character:
    """The sheet that the form describes: a whole one, or values field by field, or components by boxes."""
    actor = ctx.one()
    record: Character = has(ctx, actor, "sheet") or Character()
    given: dict[str, Any] = {
        name.value: value for name in ATTRIBUTES if (value := ctx.value(actor, name.value)) is not None
    }
    boxes = ctx["boxes"]
    if boxes:
        marks = tuple({"□": 1, "■": 2}.get(mark, int(mark) if mark.isdigit() else 0) for mark in boxes if mark.strip())
        given |= dict(zip((part.value for part in Component), from_boxes(marks), strict=True))
        given["component_boxes"] = marks
    if ctx["name"]:
        given["name"] = ctx["name"]
    if ctx["trade"]:
        given["trades"] = skills_named([ctx["trade"]])
    for part in ("talents", "hobbies"):
        if ctx[part] is not None:
            given[part] = skills_named(ctx[part])
    if ctx["special_energies"] is not None:
        given["special_energies"] = tuple(NamedPoints(one.name, one.points) for one in ctx["special_energies"])
    if {"body", "resistance"} & set(given):
        given["life_points"] = -1
    return replace(record, **given)


def _beginner(ctx: Context) -> Beginner | None:
    """What a campaign's beginner starts with; None with other rules, and for a sheet that has grown already."""
    record = draft(ctx)
    if ctx.rulings.ruleset != "campaign" or record.ledger:
        return None
    levels = record.talent_levels if ctx["talent_levels"] is None else ctx["talent_levels"]
    bought = tuple(NamedPoints(one.name, one.points) for one in levels)
    budget = creation_points(ctx["life_stage"], ctx["agreed_points"] or AT_CREATION)
    return Beginner(ctx["trade_talents"] or (), bought, len(record.hobbies), budget)


def _created(ctx: Context) -> Character:
    """The sheet with the levels that its trade gives and its points bought."""
    record, beginner = draft(ctx), _beginner(ctx)
    return record if beginner is None else replace(record, talent_levels=begin(beginner, ctx.rulings)[0])


def _read_create(ctx: Context) -> tuple[Character, Beginner | None, Rulings]:
    """The sheet, refused with all that is wrong with it at once."""
    record = ctx.system.kind("character").validated(draft(ctx), ctx.rulings)
    return record, _beginner(ctx), ctx.rulings


def _change_create(ctx: Context, created: Created) -> Sequence[Change]:
    record = _created(ctx)
    return (Change(record.name or "character", "", None, record, "SIM-101", kind="character"),)


CREATE_CHARACTER = Move(
    "create-character",
    makes="character",
    rules=("SIM-101", "SIM-102", "SIM-103", "SIM-104", "SIM-106", "SIM-107", "SIM-108", "SIM-110"),
    steps=(
        Ask("write", (
            Field("sheet", SheetOf("character"), optional=True, waits=True, rule="SIM-101"),
            Field("name", TextField(80), optional=True),
            *(Field(name.value, Whole(), optional=True, rule="SIM-101") for name in ATTRIBUTES),
            Field("boxes", TextField(40), optional=True, rule="SIM-104"),
            Field("special_energies", Factors(), optional=True, rule="SIM-110"),
            Field("trade", TextField(80), optional=True, rule="SIM-108"),
            Field("talents", Many(TextField(80)), optional=True, rule="SIM-108"),
            Field("hobbies", Many(TextField(80)), optional=True, rule="SIM-108"),
            Field("trade_talents", Many(TextField(80), 4, 8), optional=True, rule="SIM-A03", when=in_campaign),
            Field("talent_levels", Factors(), optional=True, rule="SIM-A04", when=in_campaign),
            Field("life_stage", OneOf(("young", "adult", "aged")), "gm", usual="adult", rule="SIM-A02",
                  when=in_campaign),
            Field("agreed_points", Whole(17, 19), "gm", optional=True, rule="SIM-A02",
                  when=lambda ctx: in_campaign(ctx) and ctx["life_stage"] == "aged"),
        )),
        Window("approve", "gm", "approval", back_to="write"),
        Resolve("create",
            asking(create, _read_create), auto=True, outcome=lambda created: "legal", changes=_change_create,
                tell=lambda ctx, created: _tell_made(
                    faults(draft(ctx), ctx.rulings), draft(ctx).name or UNNAMED, EVERYONE)),
    ),
)


# A cast member


@rule("SIM-093", "SIM-094", "SIM-095")
def create_npc(dice: Dice, extra: Extra, rulings: Rulings) -> Created:
    """Make a cast member that its category allows."""
    dice.note("SIM-093", "category", category=extra.category.value, value=extra.test)
    return _made(list(extra_faults(extra, rulings)))


def extra_of(ctx: Context) -> Extra:
    """The cast member that the form describes."""
    gm = ctx.one("gm")
    whole: Extra | None = has(ctx, gm, "extra")
    if whole is not None:
        return whole
    armour = TABLES["armour"].row(ctx["armour"])
    energy = ctx["energy"]
    extra = Extra(
        name=ctx["name"],
        category=ctx["category"],
        trades=skills_named([ctx["trade"]] if ctx["trade"] else []),
        talents=skills_named(ctx["talents"]),
        hobbies=skills_named(ctx["hobbies"]),
        genius=ctx["genius"],
        weapons=tuple(Weapon(weapon) for weapon in ctx["weapons"]),
        armour=Armour(armour["deflect"], armour["hinder"], armour["absorb"]),
        leanings=tuple(_leaning(name) for name in ctx["leanings"]),
        arch_villain=ctx["arch_villain"],
    )
    return apply(extra, energy.value, 1) if energy else extra


def _leaning(text: str) -> Leaning:
    """A leaning as written: ``loyal``, ``loyal:9``, or ``loyal/disloyal:5``, noted on the stronger side."""
    names, _, number = text.partition(":")
    name, _, opposite = (part.strip() for part in names.partition("/"))
    if not number.strip():
        return Leaning(name, opposite)
    noted = note_leaning(int(number.replace("−", "-")))
    return Leaning(opposite or name, name, noted.value) if noted.opposite else Leaning(name, opposite, noted.value)


def _read_npc(ctx: Context) -> tuple[Extra, Rulings]:
    """The cast member, refused with all that is wrong at once."""
    return ctx.system.kind("extra").validated(extra_of(ctx), ctx.rulings), ctx.rulings


def _change_npc(ctx: Context, created: Created) -> Sequence[Change]:
    extra = extra_of(ctx)
    kind = "extra" if ctx["seen"] else "shadow"
    return (Change(extra.name or kind, "", None, extra, "SIM-093", GM_ONLY, kind),)


CREATE_NPC = Move(
    "create-npc",
    makes="extra",
    by="gm",
    cast=(GAME_MASTER,),
    exists=GM_ONLY,
    rules=("SIM-093", "SIM-094", "SIM-095", "SIM-096", "SIM-098"),
    steps=(
        Ask("write", (
            Field("extra", SheetOf("extra"), "gm", optional=True, secrecy="gm"),
            Field("name", TextField(80), "gm", usual="", secrecy="gm"),
            Field("category", OneOf(Category), "gm", usual=Category.AVERAGE, secrecy="gm", rule="SIM-093"),
            Field("trade", TextField(80), "gm", usual="", secrecy="gm", rule="SIM-094"),
            Field("talents", Many(TextField(80)), "gm", usual=(), secrecy="gm", rule="SIM-094"),
            Field("hobbies", Many(TextField(80)), "gm", usual=(), secrecy="gm", rule="SIM-094"),
            Field("genius", TextField(80), "gm", usual="", secrecy="gm", rule="SIM-095"),
            Field("energy", OneOf(Energy), "gm", optional=True, secrecy="gm", rule="SIM-094"),
            Field("weapons", Many(OneOf(lambda ctx: TABLES["weapons"].keys())), "gm", usual=(), secrecy="gm"),
            Field("armour", OneOf(lambda ctx: TABLES["armour"].keys()), "gm", usual="none", secrecy="gm"),
            Field("leanings", Many(TextField(80)), "gm", usual=(), secrecy="gm", rule="SIM-096"),
            Field("arch_villain", Flag(), "gm", usual=False, secrecy="gm", rule="SIM-098"),
            Field("seen", Flag(), "gm", usual=False, secrecy="gm"),
        )),
        Resolve("create", asking(create_npc, _read_npc), outcome=lambda created: "legal", changes=_change_npc,
                shown=lambda ctx, result: INVISIBLE,
                tell=lambda ctx, created: _tell_made(
                    list(extra_faults(extra_of(ctx), ctx.rulings)), extra_of(ctx).name or UNNAMED, GM_ONLY)),
    ),
)


# Leanings and survival


def _subject(ctx: Context) -> Actor | None:
    return next(iter(ctx.all("subject")), None)


def _read_leaning(ctx: Context) -> tuple[Any, ...]:
    subject, name, value = _subject(ctx), ctx["leaning"], ctx["leaning_value"]
    if value is None and name and subject is not None and subject.record is not None:
        leanings = getattr(subject.record, "leanings", ())
        noted = [one for one in leanings if plain_name(one.name) == plain_name(name)]
        if not noted:
            raise NoSuchSkill("SIM-096", skill=name, known=[one.name for one in leanings])
        value = noted[0].value or None
    return value, ctx["modifier"], ctx.rulings


TEST_A_LEANING = Move(
    "test-a-leaning",
    by="gm",
    cast=(SUBJECT, GAME_MASTER),
    exists=GM_ONLY,
    rules=("SIM-096",),
    steps=(
        Ask("settle", (
            Field("leaning", TextField(80), "gm", usual="", secrecy="gm", rule="SIM-096"),
            Field("leaning_value", Whole(4, 11), "gm", optional=True, secrecy="gm", rule="SIM-096"),
            Field("modifier", Whole(), "gm", usual=0, secrecy="gm", rule="SIM-096"),
        )),
        Resolve("leaning", asking(keeps_leaning, _read_leaning), outcome=lambda kept: "kept" if kept else "dropped",
                success=bool, blind=True, shown=lambda ctx, result: INVISIBLE,
                tell=lambda ctx, kept: (Telling("outcomes.told_kept" if kept else "outcomes.told_dropped",
                                                {"leaning": ctx["leaning"]}, GM_ONLY),)),
    ),
)


def _read_survival(ctx: Context) -> tuple[Any, ...]:
    subject, score = _subject(ctx), ctx["score"]
    if score is None:
        score = getattr(subject and subject.record, "survival", None)
    if score is None:
        raise MissingField(field="score", role="gm")
    return score, ctx.rulings


def _change_survival(ctx: Context, escapes: bool) -> Sequence[Change]:
    subject = _subject(ctx)
    if subject is None or subject.record is None or escapes:
        return ()
    return changed(subject.id, subject.record, "dead", True, "SIM-098", GM_ONLY)


def grow(dice: Dice, score: int, rulings: Rulings) -> int:
    """The survival score after an adventure against the characters."""
    return survival_after(score, rulings)


def _change_grown(ctx: Context, score: int) -> Sequence[Change]:
    subject = _subject(ctx)
    if subject is None or not hasattr(subject.record, "survival"):
        return ()
    return changed(subject.id, subject.record, "survival", score, "SIM-098", GM_ONLY)


SURVIVAL = Move(
    "survival",
    by="gm",
    cast=(SUBJECT, GAME_MASTER),
    exists=GM_ONLY,
    rules=("SIM-098",),
    steps=(
        Ask("settle", (
            Field("score", Whole(0), "gm", optional=True, secrecy="gm", rule="SIM-098"),
            Field("adventure_over", Flag(), "gm", usual=False, secrecy="gm", rule="SIM-098"),
        )),
        Resolve("survive", asking(survives, _read_survival), outcome=lambda escapes: "escapes" if escapes else "dies",
                success=bool, blind=True, changes=_change_survival, when=lambda ctx: not ctx["adventure_over"],
                shown=lambda ctx, result: INVISIBLE,
                tell=lambda ctx, escapes: (
                    Telling("outcomes.told_escapes" if escapes else "outcomes.told_dies", {}, GM_ONLY),)),
        Resolve("grow", asking(grow, _read_survival), outcome=lambda score: "survival_raised",
                changes=_change_grown, when=lambda ctx: bool(ctx["adventure_over"]),
                shown=lambda ctx, result: INVISIBLE,
                tell=lambda ctx, score: (Telling("outcomes.told_survival", {"score": score}, GM_ONLY),)),
    ),
)

MOVES = (CREATE_CHARACTER, CREATE_NPC, TEST_A_LEANING, SURVIVAL)
