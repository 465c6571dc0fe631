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
    Ask,
    Audience,
    Call,
    Change,
    Context,
    Fault,
    Field,
    Flag,
    Many,
    MissingField,
    Move,
    OneOf,
    Pills,
    Resolve,
    Role,
    Rulings,
    SheetOf,
    Telling,
    TextField,
    UnknownName,
    Whole,
    Window,
    changed,
    rule,
)
from paravent.game.words import LANGUAGES
from paravent.systems.simulacres.actors import in_campaign
from paravent.systems.simulacres.checks.check import Modifier
from paravent.systems.simulacres.checks.difficulties import Factors
from paravent.systems.simulacres.combat.weapons import families, weapon_ids
from paravent.systems.simulacres.terms import TABLES, Component, Energy, Means

from .campaign import AT_CREATION, Beginner, begin, creation_points
from .cast import Category, Extra, Leaning, extra_faults, keeps_leaning, note_leaning, survival_after, survives
from .character import REALMS, Armour, Character, NamedPoints, Skill, Weapon, build, from_boxes, plain_name
from .creation import faults
from .errors import NoSuchSkill

SUBJECT = Role("subject", least=0)
UNNAMED = "–"
ATTRIBUTES = (*Component, *Means, *REALMS, *Energy)


class Created(NamedTuple):
    """Somebody made: what is unwise, as word keys with their rules."""

    unwise: tuple[tuple[str, str], ...]


def _made(found: Sequence[Fault]) -> Created:
    return Created(tuple((fault.key, fault.rule) for fault in found))


def _tell_made(found: Sequence[Fault], name: str, audience: Audience) -> Sequence[Telling]:
    told = [Telling("outcomes.told_legal", {"name": name}, audience, main=True)]
    return [*told, *(Telling(f"faults.{fault.key}", fault.values, audience) for fault in found)]


def skills_named(names: Sequence[str] | None) -> tuple[Skill, ...]:
    """Skills as written: a name, with its weapon family after a slash (``Escrime/one_hand_blade``).

    The family goes by its id or by its name in either language; a weapon alone will do; anything else is refused.
    """
    pairs = [name.partition("/") for name in names or ()]
    return tuple(Skill(name.strip(), family_named(family)) for name, _, family in pairs)


def family_named(text: str) -> str:
    """The weapon family, or the weapon, of this name; empty where none is named."""
    if not text.strip():
        return ""
    table, known = TABLES["weapons"], (*families(), *weapon_ids())
    for one in known:
        if plain_name(text) in map(plain_name, (one, *(table.word(one, lang) for lang in LANGUAGES))):
            return one
    raise UnknownName("value", text.strip(), known)


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


SHEET: Field[Character | None] = Field("sheet", SheetOf("character"), optional=True, waits=True, rule="SIM-101")
NAME: Field[str | None] = Field("name", TextField(80), optional=True, names=True)
VALUES: tuple[Field[int | None], ...] = tuple(
    Field(name.value, Whole(), optional=True, rule="SIM-101") for name in ATTRIBUTES
)
BOXES: Field[str | None] = Field("boxes", TextField(40), optional=True, rule="SIM-104")
SPECIAL_ENERGIES: Field[tuple[Modifier, ...] | None] = Field(
    "special_energies", Factors(), optional=True, rule="SIM-110"
)
TRADE: Field[str | None] = Field("trade", TextField(80), optional=True, rule="SIM-108")
TALENTS: Field[tuple[str, ...] | None] = Field("talents", Many(TextField(80)), optional=True, rule="SIM-108")
HOBBIES = replace(TALENTS, id="hobbies")
TRADE_TALENTS: Field[tuple[str, ...] | None] = Field(
    "trade_talents", Many(TextField(80), 4, 8), optional=True, rule="SIM-A03", when=in_campaign
)
TALENT_LEVELS: Field[tuple[Modifier, ...] | None] = Field(
    "talent_levels", Factors(), optional=True, rule="SIM-A04", when=in_campaign
)
LIFE_STAGE: Field[str | None] = Field(
    "life_stage", OneOf(("young", "adult", "aged")), "gm", usual="adult", rule="SIM-A02", when=in_campaign
)
AGREED_POINTS: Field[int | None] = Field(
    "agreed_points", Whole(17, 19), "gm", optional=True, rule="SIM-A02",
    when=lambda ctx: in_campaign(ctx) and ctx[LIFE_STAGE] == "aged",
)


def draft(ctx: Context) -> Character:
    """The sheet that the form describes: a whole one, or values field by field, or components by boxes."""
    given: dict[str, Any] = {asked.id: value for asked in VALUES if (value := ctx[asked]) is not None}
    boxes, name, trade, special = ctx[BOXES], ctx[NAME], ctx[TRADE], ctx[SPECIAL_ENERGIES]
    if boxes:
        marks = tuple({"□": 1, "■": 2}.get(mark, int(mark) if mark.isdigit() else 0) for mark in boxes if mark.strip())
        given |= dict(zip((part.value for part in Component), from_boxes(marks), strict=True))
        given["component_boxes"] = marks
    if name:
        given["name"] = name
    if trade:
        given["trades"] = skills_named([trade])
    for part in (TALENTS, HOBBIES):
        names = ctx[part]
        if names is not None:
            given[part.id] = skills_named(names)
    if special is not None:
        given["special_energies"] = _points(special)
    if {"body", "resistance"} & set(given):
        given["life_points"] = -1
    return replace(ctx[SHEET] or Character(), **given)


def _points(factors: Sequence[Modifier]) -> tuple[NamedPoints, ...]:
    return tuple(NamedPoints(one.name, one.points) for one in factors)


def _beginner(ctx: Context) -> Beginner | None:
    """What a campaign's beginner starts with; None with other rules, and for a sheet that has grown already."""
    record = draft(ctx)
    if ctx.rulings.ruleset != "campaign" or record.ledger:
        return None
    trade, levels = ctx[TRADE_TALENTS], ctx[TALENT_LEVELS]
    bought = record.talent_levels if levels is None else _points(levels)
    budget = creation_points(ctx[LIFE_STAGE] or "adult", ctx[AGREED_POINTS] or AT_CREATION)
    return Beginner(trade or (), bought, len(record.hobbies), budget)


def _created(ctx: Context) -> Character:
    """The sheet with the levels that its trade gives and its points bought."""
    record, beginner = draft(ctx), _beginner(ctx)
    return record if beginner is None else replace(record, talent_levels=begin(beginner, ctx.rulings)[0])


def _create(ctx: Context) -> Call[Created]:
    """The sheet, refused with all that is wrong with it at once."""
    record: Character = ctx.system.kind("character").validated(draft(ctx), ctx.rulings)
    return Call(create, record, _beginner(ctx), ctx.rulings)


def _change_create(ctx: Context, created: Created) -> Sequence[Change]:
    record = _created(ctx)
    return (Change(record.name or "character", "", None, record, "SIM-101", kind="character"),)


CREATE_CHARACTER = Move(
    "create-character",
    makes="character",
    rules=("SIM-101", "SIM-102", "SIM-103", "SIM-104", "SIM-106", "SIM-107", "SIM-108", "SIM-110"),
    steps=(
        Ask("write", (
            SHEET, NAME, *VALUES, BOXES, SPECIAL_ENERGIES, TRADE, TALENTS, HOBBIES, TRADE_TALENTS, TALENT_LEVELS,
            LIFE_STAGE, AGREED_POINTS,
        )),
        Window("approve", "gm", "approval", back_to="write"),
        Resolve("create", _create, auto=True, outcome=lambda created: "legal", changes=_change_create,
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


WHOLE_EXTRA: Field[Extra | None] = Field("extra", SheetOf("extra"), "gm", optional=True, secrecy="gm")
EXTRA_NAME = Field("name", TextField(80), "gm", usual="", secrecy="gm", names=True)
CATEGORY: Field[Category] = Field(
    "category", OneOf(Category), "gm", usual=Category.AVERAGE, secrecy="gm", rule="SIM-093",
    place="essential", shape=Pills(),
)
EXTRA_TRADE = Field("trade", TextField(80), "gm", usual="", secrecy="gm", rule="SIM-094")
EXTRA_TALENTS: Field[tuple[str, ...]] = Field(
    "talents", Many(TextField(80)), "gm", usual=(), secrecy="gm", rule="SIM-094"
)
EXTRA_HOBBIES = replace(EXTRA_TALENTS, id="hobbies")
GENIUS = Field("genius", TextField(80), "gm", usual="", secrecy="gm", rule="SIM-095")
ENERGY: Field[Energy | None] = Field("energy", OneOf(Energy), "gm", optional=True, secrecy="gm", rule="SIM-094")
WEAPONS: Field[tuple[str, ...]] = Field(
    "weapons", Many(OneOf(lambda ctx: TABLES["weapons"].keys()), distinct=True), "gm", usual=(), secrecy="gm",
    place="refinement",
)
ARMOUR: Field[str] = Field("armour", OneOf(lambda ctx: TABLES["armour"].keys()), "gm", usual="none", secrecy="gm")
LEANINGS: Field[tuple[str, ...]] = Field(
    "leanings", Many(TextField(80)), "gm", usual=(), secrecy="gm", rule="SIM-096"
)
ARCH_VILLAIN = Field("arch_villain", Flag(), "gm", usual=False, secrecy="gm", rule="SIM-098")
SEEN = Field("seen", Flag(), "gm", usual=False, secrecy="gm", place="essential")


def extra_of(ctx: Context) -> Extra:
    """The cast member that the form describes."""
    whole = ctx[WHOLE_EXTRA]
    if whole is not None:
        return whole
    armour, trade, energy = TABLES["armour"].row(ctx[ARMOUR]), ctx[EXTRA_TRADE], ctx[ENERGY]
    return Extra(
        name=ctx[EXTRA_NAME],
        category=ctx[CATEGORY],
        trades=skills_named([trade] if trade else []),
        talents=skills_named(ctx[EXTRA_TALENTS]),
        hobbies=skills_named(ctx[EXTRA_HOBBIES]),
        genius=ctx[GENIUS],
        power=int(energy is Energy.POWER),
        speed=int(energy is Energy.SPEED),
        precision=int(energy is Energy.PRECISION),
        weapons=tuple(Weapon(weapon) for weapon in ctx[WEAPONS]),
        armour=Armour(armour["deflect"], armour["hinder"], armour["absorb"]),
        leanings=tuple(_leaning(name) for name in ctx[LEANINGS]),
        arch_villain=ctx[ARCH_VILLAIN],
    )


def _leaning(text: str) -> Leaning:
    """A leaning as written: ``loyal``, ``loyal:9``, or ``loyal/disloyal:5``, noted on the stronger side."""
    names, _, number = text.partition(":")
    name, _, opposite = (part.strip() for part in names.partition("/"))
    if not number.strip():
        return Leaning(name, opposite)
    noted = note_leaning(int(number.replace("−", "-")))
    return Leaning(opposite or name, name, noted.value) if noted.opposite else Leaning(name, opposite, noted.value)


def _create_npc(ctx: Context) -> Call[Created]:
    """The cast member, refused with all that is wrong at once."""
    extra: Extra = ctx.system.kind("extra").validated(extra_of(ctx), ctx.rulings)
    return Call(create_npc, extra, ctx.rulings)


def _change_npc(ctx: Context, created: Created) -> Sequence[Change]:
    extra = extra_of(ctx)
    kind = "extra" if ctx[SEEN] else "shadow"
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
            WHOLE_EXTRA, EXTRA_NAME, CATEGORY, EXTRA_TRADE, EXTRA_TALENTS, EXTRA_HOBBIES, GENIUS, ENERGY, WEAPONS,
            ARMOUR, LEANINGS, ARCH_VILLAIN, SEEN,
        )),
        Resolve("create", _create_npc, outcome=lambda created: "legal", changes=_change_npc,
                shown=lambda ctx, result: INVISIBLE,
                tell=lambda ctx, created: _tell_made(
                    list(extra_faults(extra_of(ctx), ctx.rulings)), extra_of(ctx).name or UNNAMED, GM_ONLY)),
    ),
)


# Leanings and survival


LEANING = Field("leaning", TextField(80), "gm", usual="", secrecy="gm", rule="SIM-096")
LEANING_VALUE: Field[int | None] = Field(
    "leaning_value", Whole(4, 11), "gm", optional=True, secrecy="gm", rule="SIM-096"
)
MODIFIER = Field("modifier", Whole(), "gm", usual=0, secrecy="gm", rule="SIM-096")


def _keeps_leaning(ctx: Context) -> Call[bool]:
    subject, name, value = ctx.one("subject"), ctx[LEANING], ctx[LEANING_VALUE]
    if value is None and name and subject.record is not None:
        leanings = subject.record.leanings if isinstance(subject.record, Extra) else ()
        noted = [one for one in leanings if plain_name(one.name) == plain_name(name)]
        if not noted:
            raise NoSuchSkill("SIM-096", skill=name, known=[one.name for one in leanings])
        value = noted[0].value or None
    return Call(keeps_leaning, value, ctx[MODIFIER], ctx.rulings)


def _tell_leaning(ctx: Context, kept: bool) -> Sequence[Telling]:
    """Which leaning it was, where it was named; the outcome says the rest."""
    key = "outcomes.told_kept" if kept else "outcomes.told_dropped"
    return (Telling(key, {"leaning": ctx[LEANING]}, GM_ONLY),) if ctx[LEANING] else ()


TEST_A_LEANING = Move(
    "test-a-leaning",
    by="gm",
    cast=(SUBJECT, GAME_MASTER),
    exists=GM_ONLY,
    rules=("SIM-096",),
    steps=(
        Ask("settle", (LEANING, LEANING_VALUE, MODIFIER)),
        Resolve("leaning", _keeps_leaning, outcome=lambda kept: "kept" if kept else "dropped",
                success=bool, blind=True, shown=lambda ctx, result: INVISIBLE,
                tell=_tell_leaning),
    ),
)


SCORE: Field[int | None] = Field("score", Whole(0), "gm", optional=True, secrecy="gm", rule="SIM-098")
ADVENTURE_OVER = Field("adventure_over", Flag(), "gm", usual=False, secrecy="gm", rule="SIM-098")


def _survival(ctx: Context) -> int:
    """The survival score: as said, or as the sheet has it."""
    said, record = ctx[SCORE], ctx.one("subject").record
    if said is not None:
        return said
    if not isinstance(record, Extra):
        raise MissingField(field=SCORE.id, role="gm")
    return record.survival


def _change_survival(ctx: Context, escapes: bool) -> Sequence[Change]:
    subject = ctx.one("subject")
    if subject.record is None or escapes:
        return ()
    return changed(subject.id, subject.record, "dead", True, "SIM-098", GM_ONLY)


def grow(dice: Dice, score: int, rulings: Rulings) -> int:
    """The survival score after an adventure against the characters."""
    return survival_after(score, rulings)


def _change_grown(ctx: Context, score: int) -> Sequence[Change]:
    subject = ctx.one("subject")
    if not isinstance(subject.record, Extra):
        return ()
    return changed(subject.id, subject.record, "survival", score, "SIM-098", GM_ONLY)


SURVIVAL = Move(
    "survival",
    by="gm",
    cast=(SUBJECT, GAME_MASTER),
    exists=GM_ONLY,
    rules=("SIM-098",),
    steps=(
        Ask("settle", (SCORE, ADVENTURE_OVER)),
        Resolve("survive", lambda ctx: Call(survives, _survival(ctx), ctx.rulings),
                outcome=lambda escapes: "escapes" if escapes else "dies", success=bool, blind=True,
                changes=_change_survival, when=lambda ctx: not ctx[ADVENTURE_OVER], shown=lambda ctx, result: INVISIBLE,
                tell=lambda ctx, escapes: (
                    Telling("outcomes.told_escapes" if escapes else "outcomes.told_dies", {}, GM_ONLY),)),
        Resolve("grow", lambda ctx: Call(grow, _survival(ctx), ctx.rulings), outcome=lambda score: "survival_raised",
                changes=_change_grown, when=lambda ctx: ctx[ADVENTURE_OVER],
                shown=lambda ctx, result: INVISIBLE,
                tell=lambda ctx, score: (Telling("outcomes.told_survival", {"score": score}, GM_ONLY),)),
    ),
)

MOVES = (CREATE_CHARACTER, CREATE_NPC, TEST_A_LEANING, SURVIVAL)
