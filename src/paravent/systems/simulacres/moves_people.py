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
    changed,
    rule,
)

from .campaign import (
    AT_CREATION,
    Beginner,
    Feat,
    Wanted,
    begin,
    bill,
    creation_points,
    earned,
    is_printed,
    level_text,
    noted_level,
    purchases,
    talent_level,
    talent_named,
)
from .cast import Category, Extra, Leaning, extra_faults, keeps_leaning, note_leaning, survival_after, survives
from .character import (
    REALMS,
    Armour,
    Character,
    NamedPoints,
    Skill,
    Weapon,
    build,
    faults,
    from_boxes,
    plain_name,
)
from .errors import LastChanceUnused, NoSuchSkill, WrongJump
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


def _skills(names: Sequence[str] | None) -> tuple[Skill, ...]:
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
        given["trades"] = _skills([ctx["trade"]])
    for part in ("talents", "hobbies"):
        if ctx[part] is not None:
            given[part] = _skills(ctx[part])
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
        Resolve("create", create, _read_create, auto=True, outcome=lambda created: "legal", changes=_change_create,
                tell=lambda ctx, created: _tell_made(
                    faults(draft(ctx), ctx.rulings), draft(ctx).name or UNNAMED, EVERYONE)),
    ),
)  # fmt: skip


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
        trades=_skills([ctx["trade"]] if ctx["trade"] else []),
        talents=_skills(ctx["talents"]),
        hobbies=_skills(ctx["hobbies"]),
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
        Resolve("create", create_npc, _read_npc, outcome=lambda created: "legal", changes=_change_npc,
                shown=lambda ctx, result: INVISIBLE,
                tell=lambda ctx, created: _tell_made(
                    list(extra_faults(extra_of(ctx), ctx.rulings)), extra_of(ctx).name or UNNAMED, GM_ONLY)),
    ),
)  # fmt: skip


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
        Resolve("leaning", keeps_leaning, _read_leaning, outcome=lambda kept: "kept" if kept else "dropped",
                success=bool, blind=True, shown=lambda ctx, result: INVISIBLE,
                tell=lambda ctx, kept: (Telling("outcomes.told_kept" if kept else "outcomes.told_dropped",
                                                {"leaning": ctx["leaning"]}, GM_ONLY),)),
    ),
)  # fmt: skip


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
        Resolve("survive", survives, _read_survival, outcome=lambda escapes: "escapes" if escapes else "dies",
                success=bool, blind=True, changes=_change_survival, when=lambda ctx: not ctx["adventure_over"],
                shown=lambda ctx, result: INVISIBLE,
                tell=lambda ctx, escapes: (
                    Telling("outcomes.told_escapes" if escapes else "outcomes.told_dies", {}, GM_ONLY),)),
        Resolve("grow", grow, _read_survival, outcome=lambda score: "survival_raised",
                changes=_change_grown, when=lambda ctx: bool(ctx["adventure_over"]),
                shown=lambda ctx, result: INVISIBLE,
                tell=lambda ctx, score: (Telling("outcomes.told_survival", {"score": score}, GM_ONLY),)),
    ),
)  # fmt: skip


# Adventure points


class Settled(NamedTuple):
    """Adventure points counted: earned, spent, and left."""

    gained: int
    spent: int
    left: int


class Account(NamedTuple):
    """What is earned and bought at once."""

    points: int
    feat: Feat | None
    times: int
    wanted: Wanted | None
    agreed: bool
    at_creation: bool


@rule("SIM-A05", "SIM-A10", "SIM-A14")
def settle_points(dice: Dice, account: Account, rulings: Rulings) -> Settled:
    """Add what a feat earned, then take the price of what is bought; refused, nothing changes."""
    gained = earned(account.feat, account.times, rulings) if account.feat else 0
    budget = account.points + gained
    wanted = [account.wanted] if account.wanted else []
    spent = bill(wanted, budget, rulings, at_creation=account.at_creation, agreed=account.agreed)
    dice.note("SIM-A05", "points_settled", gained=gained, spent=spent, left=budget - spent)
    return Settled(gained, spent, budget - spent)


def _bought_attribute(ctx: Context) -> str:
    """The attribute of the sheet that a purchase raises, empty where it raises none."""
    purchase, what = ctx["purchase"] or "", ctx["what"] or ""
    if purchase in ("breath_up", "psyche_up"):
        return {"breath_up": "breath_points_max", "psyche_up": "psyche_points_max"}[purchase]
    families: dict[str, tuple[Any, ...]] = {
        "component_up": tuple(Component), "means_up": tuple(Means), "realm_or_energy": (*REALMS, *Energy)
    }
    for start, names in families.items():
        if purchase.startswith(start):
            if what not in names:
                raise MissingField(field="what", role="initiator")
            return str(what)
    return ""


def _current(ctx: Context) -> int | None:
    """What the purchase starts from: as typed, or as the sheet says."""
    record, purchase = ctx.one().record, ctx["purchase"] or ""
    if ctx["current"] is not None or record is None:
        return None if ctx["current"] is None else int(ctx["current"])
    if purchase == "trade_base":
        return len(record.trades)
    attribute = _bought_attribute(ctx)
    return int(getattr(record, attribute)) if attribute else None


def _check_jump(ctx: Context) -> None:
    """A jump is bought from where one stands: a realm at 1 does not buy the jump from 0."""
    record, purchase, what = ctx.one().record, ctx["purchase"] or "", ctx["what"] or ""
    start = purchase.split("_")[-2] if purchase.startswith(("realm_or_energy", "talent_")) else ""
    current = _current(ctx)
    if purchase.startswith("realm_or_energy") and current is not None and str(current) != start:
        raise WrongJump(purchase=purchase, current=current)
    if record is None:
        return
    if purchase.startswith(("hobby", "talent_", "trade_")) and not what.strip():
        raise MissingField(field="what", role="initiator")
    if purchase.startswith("talent_") and purchase != "talent_base":
        if noted_level(record.talent_levels, what) is None and not is_printed(what):
            return  # a talent of the table's own: the game master, who approves, says where it stands
        level = level_text(talent_level(record.talent_levels, what))
        if level.lstrip("+") != start:
            raise WrongJump(purchase=purchase, current=level)


def _read_points(ctx: Context) -> tuple[Any, ...]:
    record = ctx.one().record
    points = ctx["points"] if ctx["points"] is not None else getattr(record, "adventure_points", 0)
    _check_jump(ctx)
    purchase = ctx["purchase"]
    wanted = Wanted(purchase, _current(ctx), ctx["advised"]) if purchase else None
    return Account(points, ctx["feat"], ctx["count"], wanted, ctx["agreed"], ctx["at_creation"]), ctx.rulings


def _bought(ctx: Context, record: Character) -> dict[str, Any]:
    """What a purchase writes on the sheet."""
    purchase, what = ctx["purchase"], ctx["what"] or ""
    attribute = _bought_attribute(ctx)
    if attribute:
        raised: dict[str, Any] = {attribute: getattr(record, attribute) + 1}
        if attribute.endswith("_max"):
            counter = attribute.removesuffix("_max")
            raised[counter] = getattr(record, counter) + 1
        return raised
    if purchase in ("hobby", "hobby_base"):
        return {"hobbies": (*record.hobbies, *_skills([what]))}
    if purchase == "talent_base":
        return {"talents": (*record.talents, *_skills([what]))}
    if purchase == "trade_base":
        turned = tuple(skill for skill in record.talents if plain_name(skill.name) == plain_name(what))
        if not turned:
            raise NoSuchSkill("SIM-A14", skill=what, known=[skill.name for skill in record.talents])
        kept = tuple(skill for skill in record.talents if skill not in turned)
        return {"talents": kept, "trades": (*record.trades, *turned)}
    if purchase == "last_chance":
        if not record.last_chance_used:
            raise LastChanceUnused()
        return {"last_chance_used": False, "last_chances_served": record.last_chances_served + 1}
    level = int(purchase.split("_")[-1])
    others = tuple(line for line in record.talent_levels if talent_named(line.name) != talent_named(what))
    return {"talent_levels": (*others, NamedPoints(what, level))}


def _change_points(ctx: Context, result: Settled) -> Sequence[Change]:
    actor = ctx.one()
    record = actor.record
    if not isinstance(record, Character):
        return ()
    written = _bought(ctx, record) if ctx["purchase"] else {}
    ledger = record.ledger
    if result.gained:
        ledger = (*ledger, NamedPoints(ctx["feat"].value, result.gained))
    if ctx["purchase"]:
        ledger = (*ledger, NamedPoints(ctx["purchase"], -result.spent))
    written |= {"adventure_points": result.left, "ledger": ledger}
    return [change for name, value in written.items() for change in changed(actor.id, record, name, value, "SIM-A05")]


AWARD_AND_SPEND = Move(
    "award-and-spend-pa",
    rules=("SIM-A02", "SIM-A05", "SIM-A06", "SIM-A09", "SIM-A10", "SIM-A11", "SIM-A12", "SIM-A13", "SIM-A14"),
    steps=(
        Ask("award", (
            Field("feat", OneOf(Feat), "gm", optional=True, rule="SIM-A10"),
            Field("count", Whole(1), "gm", usual=1, rule="SIM-A10"),
            Field("agreed", Flag(), "gm", usual=False, rule="SIM-A05"),
            Field("at_creation", Flag(), "gm", usual=False, rule="SIM-A05"),
        )),
        Ask("buy", (
            Field("points", Whole(0), optional=True, rule="SIM-A02"),
            Field("purchase", OneOf(lambda ctx: purchases(ctx.rulings)), optional=True, rule="SIM-A05"),
            Field("what", TextField(80), optional=True, rule="SIM-A05"),
            Field("current", Whole(), optional=True, rule="SIM-A05"),
            Field("advised", Flag(), usual=False, rule="SIM-A09"),
        )),
        Window("approve", "gm", "approval"),
        Resolve("settle", settle_points, _read_points, outcome=lambda result: "points_settled",
                tell=lambda ctx, result: (Telling("outcomes.told_points", result._asdict()),), changes=_change_points),
    ),
)  # fmt: skip

MOVES = (CREATE_CHARACTER, CREATE_NPC, TEST_A_LEANING, SURVIVAL, AWARD_AND_SPEND)
