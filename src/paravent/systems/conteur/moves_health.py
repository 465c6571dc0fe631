"""Wounds at the table: taken, avoided, healed day by day; limbs replaced; who wakes up, who dies."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from paravent.game import (
    GAME_MASTER,
    Ask,
    Change,
    Context,
    Field,
    Move,
    OneOf,
    Resolve,
    Role,
    Telling,
    Whole,
    asking,
    changed,
)

from . import healing, health
from .announce import CHARACTER, AvoidedLevels, body_parts, energy_field, luck_of, without_sheet, wound_level
from .character import Character
from .costs import given_up
from .facts import Activity, Fate


def read_wound(ctx: Context) -> tuple[Hashable, ...]:
    """The hit as the rule reads it."""
    victim = ctx.one("victim")
    return (ctx["part"], wound_level(ctx, victim), ctx["levels"], ctx.value(victim, "avoid") or 0,
            luck_of(ctx, victim), ctx.rulings)


def wound_outcome(wound: health.Wound) -> str:
    """The short key: unhurt, hurt, lost, dying."""
    if not wound.worse:
        return "unhurt"
    return "dying" if wound.dying else "lost" if wound.lost else "wounded"


def changes_of_wound(ctx: Context, wound: health.Wound) -> Sequence[Change]:
    """The part gets worse, from today; what was paid towards it is forfeited; a mortal wound ends any action."""
    victim, part = ctx.one("victim"), ctx["part"]
    sheet: Character | None = victim.record
    if sheet is None:
        return ()
    changes = changed(victim.id, sheet, "luck_used", sheet.luck_used + wound.avoided, "D10-033")
    if wound.worse:
        paid = {name: points for name, points in sheet.healing_paid.items() if name != part}
        changes += (
            *changed(victim.id, sheet, "wounds", {**sheet.wounds, part: wound.level}, "D10-046"),
            *changed(victim.id, sheet, "wound_day", {**sheet.wound_day, part: ctx.day}, "D10-046"),
            *changed(victim.id, sheet, "healing_paid", paid, "D10-046"),
            *given_up(victim, wound.dying),
        )
    return changes


INFLICT_WOUND = Move(
    "inflict-wound",
    (
        Ask("hit", (
            Field("part", OneOf(body_parts("victim")), "gm", rule="D10-039"),
            Field("level", Whole(0, 3), "victim", usual=0, when=without_sheet("victim"), rule="D10-039"),
            Field("levels", Whole(1, 9), "gm", usual=1, rule="D10-046"),
            Field("luck", Whole(0, 10), "victim", usual=0, when=without_sheet("victim"), rule="D10-029"),
        )),
        Ask("avoid", (Field("avoid", AvoidedLevels(), "victim", usual=0, waits=True, rule="D10-033"),)),
        Resolve(
            "wound", asking(health.inflict_wound, read_wound), outcome=wound_outcome, changes=changes_of_wound,
            tell=lambda ctx, wound: [
                Telling("outcomes.told_wound", {"part": ctx["part"], "level": wound.level}),
                Telling(f"outcomes.{wound_outcome(wound)}"),
            ],
        ),
    ),
    cast=(Role("victim", record="character"), GAME_MASTER),
    by="gm",
    rules=("D10-033", "D10-044", "D10-046"),
)


def changes_of_new_day(ctx: Context, day: int) -> Sequence[Change]:
    """The clock moves on, and each character's healing of the day starts from 0; activity is stated when paying."""
    fresh = (
        change
        for actor in ctx.all("character") if actor.record is not None
        for change in (
            *changed(actor.id, actor.record, "healing_spent_today", 0, "D10-069"),
            *changed(actor.id, actor.record, "day_activity", Activity.ACTIVE, "D10-069"),
        )
    )
    return (Change("clock", "", ctx.day, day, "D10-069"), *fresh)


NEW_DAY = Move(
    "new-day",
    (Resolve("day", asking(healing.new_day, lambda ctx: (ctx.day,)), outcome=lambda day: "new_day",
             tell=lambda ctx, day: [Telling("outcomes.told_day", {"day": day})], changes=changes_of_new_day),),
    cast=(Role("character", record="character", least=0, most=None), GAME_MASTER),
    by="gm",
    rules=("D10-069",),
)


def read_heal(ctx: Context) -> tuple[Hashable, ...]:
    """The payment as the rule reads it."""
    actor, part = ctx.one(), ctx["part"]
    sheet: Character | None = actor.record
    if sheet is None:
        return (part, ctx["level"], ctx["points"], ctx["healing_paid"], ctx["wound_day"], ctx["today"],
                ctx["healing_spent_today"], ctx["activity"], ctx["energy"], ctx.rulings)
    return (part, sheet.level(part), ctx["points"], sheet.healing_paid.get(part, 0), sheet.wound_day.get(part), ctx.day,
            sheet.healing_spent_on(ctx.day), ctx["activity"], sheet.energy, ctx.rulings)


def changes_of_heal(ctx: Context, after: healing.Healed) -> Sequence[Change]:
    """Energy goes down; the wound is paid for in part, or healed."""
    actor, part = ctx.one(), ctx["part"]
    sheet: Character | None = actor.record
    if sheet is None:
        return ()
    paid = {**{name: points for name, points in sheet.healing_paid.items() if name != part},
            **({part: after.healing_paid} if after.healing_paid else {})}
    return (
        *changed(actor.id, sheet, "energy", after.energy, "D10-067"),
        *changed(actor.id, sheet, "wounds", {**sheet.wounds, part: after.level}, "D10-067"),
        *changed(actor.id, sheet, "healing_paid", paid, "D10-068"),
        *changed(actor.id, sheet, "healing_spent_today", after.healing_spent_today, "D10-069"),
        *changed(actor.id, sheet, "healing_day", ctx.day, "D10-069"),
        *changed(actor.id, sheet, "day_activity", ctx["activity"], "D10-069"),
        *changed(actor.id, sheet, "unconscious", sheet.unconscious or after.unconscious, "D10-060"),
        *given_up(actor, after.unconscious),
    )


_NO_SHEET = without_sheet("initiator")
HEAL = Move(
    "heal",
    (
        Ask("pay", (
            Field("part", OneOf(body_parts("initiator")), rule="D10-065"),
            Field("points", Whole(1), usual=1, rule="D10-067"),
            Field("activity", OneOf(Activity), usual=Activity.ACTIVE, rule="D10-069"),
            Field("level", Whole(0, 3), usual=1, when=_NO_SHEET),
            Field("healing_paid", Whole(0, 4), usual=0, when=_NO_SHEET),
            Field("healing_spent_today", Whole(0, 2), usual=0, when=_NO_SHEET),
            Field("wound_day", Whole(0), usual=0, when=_NO_SHEET),
            Field("today", Whole(0), usual=1, when=_NO_SHEET),
            energy_field("initiator"),
        )),
        Resolve(
            "heal", asking(healing.heal, read_heal), changes=changes_of_heal,
            outcome=lambda after: "healed" if after.level == 0 else "paid" if after.healing_paid else "eased",
            tell=lambda ctx, after: [Telling("outcomes.told_heal", {
                "part": ctx["part"], "level": after.level, "paid": after.healing_paid, "energy": after.energy})],
        ),
    ),
    rules=("D10-065", "D10-066", "D10-067", "D10-068", "D10-069"),
)


def changes_of_replacement(ctx: Context, after: health.Replaced) -> Sequence[Change]:
    """The limb is whole again, and marked."""
    actor, part = ctx.one("character"), ctx["part"]
    sheet: Character | None = actor.record
    if sheet is None:
        return ()
    marked = tuple(dict.fromkeys((*sheet.replaced, part)))
    return (
        *changed(actor.id, sheet, "wounds", {**sheet.wounds, part: after.level}, "D10-043"),
        *changed(actor.id, sheet, "replaced", marked, "D10-043"),
    )


REPLACE_A_LIMB = Move(
    "replace-a-limb",
    (
        Ask("limb", (
            Field("part", OneOf(body_parts("character", limbs=True)), "gm", rule="D10-043"),
            Field("level", Whole(0, 3), "character", usual=3, when=without_sheet("character")),
        )),
        Resolve(
            "replace", asking(health.replace_limb,
            lambda ctx: (ctx["part"], wound_level(ctx, ctx.one("character")))), outcome=lambda after: "replaced",
            tell=lambda ctx, after: [Telling("outcomes.told_replaced", {"part": ctx["part"]})],
            changes=changes_of_replacement,
        ),
    ),
    cast=(CHARACTER, GAME_MASTER),
    by="gm",
    rules=("D10-043",),
)


def is_dead(ctx: Context) -> bool:
    """Whether the game master has already said that they are dead."""
    sheet: Character | None = ctx.one("character").record
    return sheet is not None and sheet.dead


def changes_of_fate(ctx: Context, decided: str) -> Sequence[Change]:
    """Someone wakes up, or dies."""
    actor = ctx.one("character")
    sheet: Character | None = actor.record
    if sheet is None:
        return ()
    if decided == Fate.WAKE_UP:
        return changed(actor.id, sheet, "unconscious", False, "D10-054")
    return (*changed(actor.id, sheet, "dead", True, "D10-045"), *given_up(actor, True))


WAKE_UP_OR_DIE = Move(
    "wake-up-or-die",
    (
        Ask("fate", (Field("fate", OneOf(Fate), "gm", rule="D10-045"),)),
        Resolve("fate",
            asking(health.fate, lambda ctx: (ctx["fate"], is_dead(ctx))), outcome=str, changes=changes_of_fate,
                tell=lambda ctx, decided: [Telling(f"outcomes.{decided}")]),
    ),
    cast=(CHARACTER, GAME_MASTER),
    by="gm",
    rules=("D10-045", "D10-054"),
)
