"""Wounds at the table: taken, avoided, healed day by day; limbs replaced; who wakes up, who dies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from paravent.game import (
    GAME_MASTER,
    Actor,
    Ask,
    Call,
    Change,
    Context,
    Field,
    Figure,
    Move,
    OneOf,
    Resolve,
    Role,
    Steps,
    Telling,
    Whole,
    changed,
)
from paravent.systems.conteur.asked import (
    CHARACTER,
    alive,
    body_parts,
    energy_field,
    energy_of,
    luck_left,
    said,
    without_sheet,
)
from paravent.systems.conteur.facts import Activity, Fate
from paravent.systems.conteur.people.character import sheet_of
from paravent.systems.conteur.rolls.costs import given_up

from .healing import Healed, heal, healing_limit, healing_price, is_healable, may_heal_today
from .wounds import Replaced, Wound, avoidable, check_avoided, fate, inflict_wound, is_lost, replace_limb


@dataclass(frozen=True)
class AvoidedLevels(Whole):
    """The wound levels that luck avoids: no more than the hit has, nor than there are points."""

    def bounds(self, ctx: Context) -> tuple[int | None, int | None]:
        victim = ctx.one("victim")
        worst = avoidable(ctx[PART], wound_level(ctx, victim), ctx[LEVELS], ctx.rulings)
        return 0, min(worst, luck_against(ctx, victim))

    def read(self, raw: object, field: str, ctx: Context) -> int:
        points = Whole(0).read(raw, field, ctx)
        victim = ctx.one("victim")
        return check_avoided(
            ctx[PART], wound_level(ctx, victim), ctx[LEVELS], points, luck_against(ctx, victim), ctx.rulings
        )


PART = Field("part", OneOf(body_parts("initiator")), rule="D10-065", place="essential", shape=Figure())
LEVEL: Field[int | None] = Field(
    "level", Whole(0, 3), usual=1, when=without_sheet("initiator"), place="refinement")
LEVELS = Field("levels", Whole(1, 9), "gm", usual=1, rule="D10-046", place="essential", shape=Steps((1, 2, 3)))
LUCK_AGAINST: Field[int | None] = Field(
    "luck", Whole(0, 10), "victim", usual=0, when=without_sheet("victim"), rule="D10-029", place="refinement")
AVOID: Field[int | None] = Field(
    "avoid", AvoidedLevels(), "victim", usual=0, waits=True, when=lambda ctx: is_avoidable(ctx), rule="D10-033",
    place="essential", shape=Steps())


def is_avoidable(ctx: Context) -> bool:
    """Whether luck could do anything against this hit: how much is left is nobody else's business, and is not read.

    Before the game master has said where it hits, there is nothing to avoid yet.
    """
    victim = ctx.one("victim")
    if PART.id not in ctx.one("gm").filled:
        return False
    sheet = sheet_of(victim)
    if sheet is not None and not sheet.luck:
        return False
    return avoidable(ctx[PART], wound_level(ctx, victim), ctx[LEVELS], ctx.rulings) > 0


def wound_level(ctx: Context, actor: Actor) -> int:
    """The level of the part concerned, on the sheet or as filled in."""
    sheet = sheet_of(actor)
    return said(ctx, actor, LEVEL) if sheet is None else sheet.level(ctx[PART])


def luck_against(ctx: Context, victim: Actor) -> int:
    """The luck points that may be spent against a wound: all that the sheet has left, or as filled in."""
    return said(ctx, victim, LUCK_AGAINST) if victim.record is None else luck_left(victim)


def hit(ctx: Context) -> Call[Wound]:
    """The hit as the rule reads it."""
    victim = ctx.one("victim")
    return Call(inflict_wound, ctx[PART], wound_level(ctx, victim), ctx[LEVELS], ctx[AVOID] or 0,
                luck_against(ctx, victim), ctx.rulings)


def wound_outcome(wound: Wound) -> str:
    """The short key: unhurt, hurt, lost, dying."""
    if not wound.worse:
        return "unhurt"
    return "dying" if wound.dying else "lost" if wound.lost else "wounded"


def changes_of_wound(ctx: Context, wound: Wound) -> Sequence[Change]:
    """The part gets worse, from today; what was paid towards it is forfeited; a mortal wound ends any action."""
    victim, part = ctx.one("victim"), ctx[PART]
    sheet = sheet_of(victim)
    if sheet is None:
        return ()
    changes = changed(victim.id, sheet, "luck_used", sheet.luck_used + wound.avoided, "D10-033", own=True)
    if wound.worse:
        paid = {name: points for name, points in sheet.healing_paid.items() if name != part}
        changes += (
            *changed(victim.id, sheet, "wounds", {**sheet.wounds, part: wound.level}, "D10-046", weight="grave"),
            *changed(victim.id, sheet, "wound_day", {**sheet.wound_day, part: ctx.day}, "D10-046",
                     weight="bookkeeping"),
            *changed(victim.id, sheet, "healing_paid", paid, "D10-046", weight="bookkeeping"),
            *given_up(victim, wound.dying),
        )
    return changes


INFLICT_WOUND = Move(
    "inflict-wound",
    (
        Ask("hit", (
            replace(PART, type=OneOf(body_parts("victim")), role="gm", rule="D10-039", shape=Figure("victim")),
            replace(LEVEL, role="victim", usual=0, when=without_sheet("victim"), rule="D10-039"),
            LEVELS, LUCK_AGAINST,
        )),
        Ask("avoid", (AVOID,)),
        Resolve(
            "wound", hit, outcome=wound_outcome, changes=changes_of_wound, auto=True,
            tell=lambda ctx, wound: [
                Telling(f"outcomes.told_{wound_outcome(wound)}", {"part": ctx[PART], "how": f"wound_{wound.level}"},
                        main=True),
                *([Telling("outcomes.told_avoided", {"n": wound.avoided})] if wound.avoided else []),
            ],
        ),
    ),
    cast=(Role("victim", record="character"), GAME_MASTER),
    by="gm",
    offered=alive("victim"),
    suits=alive("victim"),
    rules=("D10-033", "D10-044", "D10-046"),
)


_NO_SHEET = without_sheet("initiator")
@dataclass(frozen=True)
class HealingPoints(Whole):
    """The energy paid towards a wound: as much as it still costs, as the day allows and as there is."""

    def bounds(self, ctx: Context) -> tuple[int | None, int | None]:
        actor = ctx.one()
        sheet, part = sheet_of(actor), actor.filled.get(PART.id)
        if sheet is None:
            return 1, None
        left = min(healing_limit(ctx[ACTIVITY]) - sheet.healing_spent_on(ctx.day), sheet.energy)
        if isinstance(part, str) and sheet.level(part):
            left = min(left, healing_price(sheet.level(part)) - sheet.healing_paid.get(part, 0))
        return 1, max(1, left)

    def read(self, raw: object, field: str, ctx: Context) -> int:
        return Whole(1).read(raw, field, ctx)  # too much is refused by its rule


def likely_day(ctx: Context) -> Activity:
    """An active day; one of rest, if a point was paid already: only such a day allows another."""
    sheet = sheet_of(ctx.one())
    paid = 0 if sheet is None else sheet.healing_spent_on(ctx.day)
    return Activity.REST if paid >= healing_limit(Activity.ACTIVE) else Activity.ACTIVE


POINTS = Field("points", HealingPoints(1), usual=1, rule="D10-067", place="essential", shape=Steps())
ACTIVITY = Field("activity", OneOf(Activity), usual=likely_day, rule="D10-069", place="essential", shape=Steps())
HEALING_PAID: Field[int | None] = Field("healing_paid", Whole(0, 4), usual=0, when=_NO_SHEET, place="rarity")
HEALING_SPENT_TODAY: Field[int | None] = Field(
    "healing_spent_today", Whole(0, 2), usual=0, when=_NO_SHEET, place="rarity")
WOUND_DAY: Field[int | None] = Field("wound_day", Whole(0), usual=0, when=_NO_SHEET, place="rarity")
TODAY: Field[int | None] = Field("today", Whole(0), usual=1, when=_NO_SHEET, place="rarity")


def payment(ctx: Context) -> Call[Healed]:
    """The payment as the rule reads it."""
    actor, part = ctx.one(), ctx[PART]
    level, points, activity, energy = wound_level(ctx, actor), ctx[POINTS], ctx[ACTIVITY], energy_of(ctx, actor)
    sheet = sheet_of(actor)
    if sheet is None:
        paid, today, spent_today = (said(ctx, actor, asked) for asked in (HEALING_PAID, TODAY, HEALING_SPENT_TODAY))
        return Call(heal, part, level, points, paid, ctx[WOUND_DAY], today, spent_today, activity, energy, ctx.rulings)
    paid, wounded = sheet.healing_paid.get(part, 0), sheet.wound_day.get(part)
    spent_today = sheet.healing_spent_on(ctx.day)
    return Call(heal, part, level, points, paid, wounded, ctx.day, spent_today, activity, energy, ctx.rulings)


def changes_of_heal(ctx: Context, after: Healed) -> Sequence[Change]:
    """Energy goes down; the wound is paid for in part, or healed."""
    actor, part = ctx.one(), ctx[PART]
    sheet = sheet_of(actor)
    if sheet is None:
        return ()
    paid = {**{name: points for name, points in sheet.healing_paid.items() if name != part},
            **({part: after.healing_paid} if after.healing_paid else {})}
    return (
        *changed(actor.id, sheet, "energy", after.energy, "D10-067"),
        *changed(actor.id, sheet, "wounds", {**sheet.wounds, part: after.level}, "D10-067"),
        *changed(actor.id, sheet, "healing_paid", paid, "D10-068"),
        *changed(actor.id, sheet, "healing_spent_today", after.healing_spent_today, "D10-069", weight="bookkeeping"),
        *changed(actor.id, sheet, "healing_day", ctx.day, "D10-069", weight="bookkeeping"),
        *changed(actor.id, sheet, "day_activity", ctx[ACTIVITY], "D10-069", weight="bookkeeping"),
        *changed(actor.id, sheet, "unconscious", sheet.unconscious or after.unconscious, "D10-060", weight="grave"),
        *given_up(actor, after.unconscious),
    )


def healable(ctx: Context) -> tuple[str, ...]:
    """The parts that energy heals today: those of a sheet that are hurt, any where there is none."""
    sheet = sheet_of(ctx.one())
    if sheet is None:
        return body_parts("initiator")(ctx)
    return tuple(part for part in sheet.parts if is_healable(part, sheet.wounds.get(part, 0))
                 and may_heal_today(sheet.wound_day.get(part), ctx.day))


def may_pay(ctx: Context) -> bool:
    """Whether a wound can be paid for today: one that heals, energy, and something left of what the day allows."""
    sheet = sheet_of(ctx.one())
    if sheet is None:
        return True
    left = healing_limit(Activity.REST) - sheet.healing_spent_on(ctx.day)
    return not sheet.dead and sheet.energy > 0 and left > 0 and bool(healable(ctx))


def tell_heal(ctx: Context, after: Healed) -> Sequence[Telling]:
    """What was paid towards which wound, and what is left of it."""
    key = "healed" if after.level == 0 else "paid" if after.healing_paid else "eased"
    return [Telling(f"outcomes.told_heal_{key}", {
        "part": ctx[PART], "n": ctx[POINTS], "paid": after.healing_paid, "energy": after.energy,
        "price": healing_price(after.level) if after.level else 0,
    }, main=True)]


HEAL = Move(
    "heal",
    (
        Ask("pay", (
            replace(PART, type=OneOf(body_parts("initiator"), healable)),
            POINTS, ACTIVITY, LEVEL, HEALING_PAID, HEALING_SPENT_TODAY, WOUND_DAY, TODAY,
            energy_field("initiator"),
        )),
        Resolve(
            "heal", payment, changes=changes_of_heal,
            outcome=lambda after: "healed" if after.level == 0 else "paid" if after.healing_paid else "eased",
            tell=tell_heal,
        ),
    ),
    offered=may_pay,
    suits=lambda ctx: ctx.one().record is not None and may_pay(ctx),
    rules=("D10-065", "D10-066", "D10-067", "D10-068", "D10-069"),
)


def changes_of_replacement(ctx: Context, after: Replaced) -> Sequence[Change]:
    """The limb is whole again, and marked."""
    actor, part = ctx.one("character"), ctx[PART]
    sheet = sheet_of(actor)
    if sheet is None:
        return ()
    marked = tuple(dict.fromkeys((*sheet.replaced, part)))
    return (
        *changed(actor.id, sheet, "wounds", {**sheet.wounds, part: after.level}, "D10-043"),
        *changed(actor.id, sheet, "replaced", marked, "D10-043"),
    )


def lost_limbs(ctx: Context) -> tuple[str, ...]:
    """The limbs that were lost; any limb of somebody without a sheet."""
    limbs, sheet = body_parts("character", limbs=True)(ctx), sheet_of(ctx.one("character"))
    return limbs if sheet is None else tuple(part for part in limbs if is_lost(part, sheet.wounds.get(part, 0)))


REPLACE_A_LIMB = Move(
    "replace-a-limb",
    (
        Ask("limb", (
            replace(PART, type=OneOf(body_parts("character", limbs=True), lost_limbs), role="gm", rule="D10-043",
                    shape=Figure("character")),
            replace(LEVEL, role="character", usual=3, when=without_sheet("character")),
        )),
        Resolve(
            "replace", lambda ctx: Call(replace_limb, ctx[PART], wound_level(ctx, ctx.one("character"))),
            outcome=lambda after: "replaced", auto=True,
            tell=lambda ctx, after: [Telling("outcomes.told_replaced", {"part": ctx[PART]})],
            changes=changes_of_replacement,
        ),
    ),
    cast=(CHARACTER, GAME_MASTER),
    offered=lambda ctx: bool(lost_limbs(ctx)),
    by="gm",
    rules=("D10-043",),
)


def is_dead(ctx: Context) -> bool:
    """Whether the game master has already said that they are dead."""
    sheet = sheet_of(ctx.one("character"))
    return sheet is not None and sheet.dead


def changes_of_fate(ctx: Context, decided: Fate) -> Sequence[Change]:
    """Someone wakes up, or dies."""
    actor = ctx.one("character")
    sheet = sheet_of(actor)
    if sheet is None:
        return ()
    if decided == Fate.WAKE_UP:
        return changed(actor.id, sheet, "unconscious", False, "D10-054")
    return (*changed(actor.id, sheet, "dead", True, "D10-045", weight="grave"), *given_up(actor, True))


def likely_fates(ctx: Context) -> tuple[Fate, ...]:
    """What may still become of somebody: only who lies there wakes up, only who lives dies."""
    sheet = sheet_of(ctx.one("character"))
    if sheet is None:
        return tuple(Fate)
    return (*((Fate.WAKE_UP,) if sheet.unconscious and not sheet.dead else ()),
            *(() if sheet.dead else (Fate.DIE,)))


def lies_there(ctx: Context) -> bool:
    """Whether somebody waits for the game master's word: unconscious or dying, and not dead yet."""
    sheet = sheet_of(ctx.one("character"))
    return sheet is not None and not sheet.dead and (sheet.unconscious or sheet.dying)


FATE = Field("fate", OneOf(Fate, likely_fates), "gm", rule="D10-045", shape=Steps())
WAKE_UP_OR_DIE = Move(
    "wake-up-or-die",
    (
        Ask("fate", (FATE,)),
        Resolve("fate", lambda ctx: Call(fate, ctx[FATE], is_dead(ctx)), outcome=str, auto=True,
                changes=changes_of_fate, tell=lambda ctx, decided: [Telling(f"outcomes.told_{decided}", main=True)]),
    ),
    cast=(CHARACTER, GAME_MASTER),
    by="gm",
    offered=alive("character"),
    suits=lies_there,
    rules=("D10-045", "D10-054"),
)
