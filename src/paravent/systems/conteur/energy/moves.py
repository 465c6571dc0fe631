"""Energy and luck at the table: sleep, meals, other means, what a scene costs, a new day; luck given back."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    INVISIBLE,
    Actor,
    AnyField,
    Ask,
    Call,
    Change,
    Context,
    Field,
    Flag,
    Many,
    Move,
    OneOf,
    Resolve,
    Role,
    Shown,
    Steps,
    Telling,
    Value,
    Who,
    Whole,
    changed,
    only,
)
from paravent.systems.conteur.asked import CHARACTER, Ruled, alive, energy_field, energy_of, said, without_sheet
from paravent.systems.conteur.facts import ENERGY_MAX, Activity, Meal
from paravent.systems.conteur.health.healing import new_day
from paravent.systems.conteur.people.character import sheet_of
from paravent.systems.conteur.rolls.costs import given_up

from .errors import SceneCost
from .gauge import Energy, adjust, eat, end_of_scene, sleep
from .luck import Luck, refund_luck


def energy_changes(actor: Actor, after: Energy, rule_id: str) -> tuple[Change, ...]:
    """The gauge moves; at 0 some tables let the character collapse."""
    sheet = sheet_of(actor)
    if sheet is None:
        return ()
    return (
        *changed(actor.id, sheet, "energy", after.energy, rule_id),
        *changed(actor.id, sheet, "unconscious", sheet.unconscious or after.unconscious, "D10-060", weight="grave"),
        *given_up(actor, after.unconscious),
    )


def tell_energy(actor: Actor, after: Energy) -> list[Telling]:
    """The gauge and its segment, as the table hears them."""
    who = Who(actor.id)
    change = f"+{after.change}" if after.change > 0 else after.change
    values: dict[str, Value] = {"who": who, "energy": after.energy, "change": change, "segment": after.segment}
    lines = [Telling("outcomes.told_energy", values, main=True)]
    return [*lines, Telling("outcomes.collapse", {"who": who})] if after.unconscious else lines


def energy_move(
    name: str, rule_id: str, changing: Callable[[Context, int], Call[Energy]], *asked: AnyField,
    role: Role = INITIATOR, by: str = "initiator",
) -> Move:
    """A move that does nothing but change one character's energy: ``changing`` is the rule, from where it stands."""
    return Move(
        name,
        (
            Ask("ask", (*asked, energy_field(role.id))),
            Resolve(
                name, lambda ctx: changing(ctx, energy_of(ctx, ctx.one(role.id))), auto=True,
                outcome=lambda after: str(after.segment),
                tell=lambda ctx, after: tell_energy(ctx.one(role.id), after),
                changes=lambda ctx, after: energy_changes(ctx.one(role.id), after, rule_id),
            ),
        ),
        cast=(role, GAME_MASTER),
        by=by,
        rules=(rule_id,),
        offered=alive(role.id),
        suits=lambda ctx: alive(role.id)(ctx) and energy_of(ctx, ctx.one(role.id)) < ENERGY_MAX,
    )


BLOCKS: Field[tuple[int, ...] | None] = Field(
    "blocks", Many(Whole(0, 48), least=1), optional=True, rule="D10-055", place="refinement")
"""Sleep that was cut: each unbroken period."""
HOURS: Field[int | None] = Field(
    "hours", Whole(0, 48), when=lambda ctx: ctx[BLOCKS] is None, rule="D10-055", shape=Steps((2, 4, 6, 8, 10)))


def slept(ctx: Context) -> tuple[int, ...]:
    """The unbroken periods of sleep, in hours."""
    return ctx[BLOCKS] or (said(ctx, ctx.one(), HOURS),)


SLEEP = energy_move("sleep", "D10-055", lambda ctx, energy: Call(sleep, energy, slept(ctx), ctx.rulings), HOURS, BLOCKS)

MEAL = Field("meal", OneOf(Meal), rule="D10-056", shape=Steps())
EAT = energy_move("eat", "D10-056", lambda ctx, energy: Call(eat, energy, ctx[MEAL], ctx.rulings), MEAL)

AMOUNT = Field("amount", Whole(-24, 24), "gm", rule="D10-057", shape=Steps((-6, -3, -2, -1, 1, 2, 3, 6)))
ADJUST_ENERGY = energy_move(
    "adjust-energy", "D10-057", lambda ctx, energy: Call(adjust, energy, ctx[AMOUNT], ctx.rulings), AMOUNT,
    role=CHARACTER, by="gm",
)

COST = Field("cost", Ruled(0, 2, SceneCost), "character", usual=1, rule="D10-058", by="gm", place="essential",
             shape=Steps())
END_OF_SCENE = Move(
    "end-of-scene",
    (
        Ask("costs", (COST, energy_field("character"))),
        Resolve(
            "scene", lambda ctx: Call(
                end_of_scene,
                tuple(energy_of(ctx, actor) for actor in ctx.all("character")),
                tuple(ctx.value(actor, COST) for actor in ctx.all("character")),
                ctx.rulings,
            ),
            outcome=lambda after: "scene_over",
            tell=lambda ctx, after: [
                line for actor, its in zip(ctx.all("character"), after, strict=True) for line in tell_energy(actor, its)
            ],
            changes=lambda ctx, after: [
                change for actor, its in zip(ctx.all("character"), after, strict=True)
                for change in energy_changes(actor, its, "D10-058")
            ],
        ),
    ),
    cast=(Role("character", record="character", most=None), GAME_MASTER),
    by="gm",
    rules=("D10-058", "D10-059"),
)


def changes_of_new_day(ctx: Context, day: int) -> Sequence[Change]:
    """The clock moves on, and each character's healing of the day starts from 0; activity is stated when paying."""
    fresh = (
        change
        for actor in ctx.all("character") if (sheet := sheet_of(actor)) is not None
        for change in (
            *changed(actor.id, sheet, "healing_spent_today", 0, "D10-069", weight="bookkeeping"),
            *changed(actor.id, sheet, "day_activity", Activity.ACTIVE, "D10-069", weight="bookkeeping"),
        )
    )
    return (Change("clock", "", ctx.day, day, "D10-069"), *fresh)


NEW_DAY = Move(
    "new-day",
    (Resolve("day", lambda ctx: Call(new_day, ctx.day), outcome=lambda day: "new_day", auto=True,
             tell=lambda ctx, day: [Telling("outcomes.told_day", {"day": day})], changes=changes_of_new_day),),
    cast=(Role("character", record="character", least=0, most=None), GAME_MASTER),
    by="gm",
    rules=("D10-069",),
)

ITS_OWNER = only("gm", "character")
POINTS = Field("points", Whole(1, 99), "gm", usual=1, rule="D10-034", place="essential", shape=Steps((1, 2, 3, 5)))
SILENT = Field("silent", Flag(), "gm", usual=False, secrecy="gm", place="refinement")
MOST_LUCK: Field[int | None] = Field("luck", Whole(0, 10), "character", usual=5, when=without_sheet("character"))
LUCK_USED: Field[int | None] = Field("luck_used", Whole(0, 10), "character", usual=0, when=without_sheet("character"))


def refund(ctx: Context) -> Call[Luck]:
    """The points given back, and the maximum of luck and the points used, on the sheet or as filled in."""
    actor = ctx.one("character")
    sheet = sheet_of(actor)
    if sheet is None:
        return Call(refund_luck, said(ctx, actor, MOST_LUCK), said(ctx, actor, LUCK_USED), ctx[POINTS])
    return Call(refund_luck, sheet.luck, sheet.luck_used, ctx[POINTS])


def luck_is_spent(actor: Actor) -> bool:
    """Whether there is luck to give back, as far as a sheet says."""
    sheet = sheet_of(actor)
    return sheet is None or sheet.luck_used > 0


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
    offered=lambda ctx: luck_is_spent(ctx.one("character")),
    rules=("D10-034",),
    exists=lambda ctx: GM_ONLY if ctx[SILENT] else EVERYONE,
)
