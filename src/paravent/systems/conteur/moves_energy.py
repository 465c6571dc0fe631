"""Energy at the table: sleep, meals, other means, what a scene costs."""

from __future__ import annotations

from collections.abc import Callable

from paravent.game import (
    GAME_MASTER,
    INITIATOR,
    Actor,
    AnyField,
    Ask,
    Call,
    Change,
    Context,
    Field,
    Many,
    Move,
    OneOf,
    Resolve,
    Role,
    Telling,
    Whole,
    changed,
)

from .announce import CHARACTER, Ruled, energy_field, energy_of
from .character import sheet_of
from .costs import called, given_up
from .energy import Energy, adjust, eat, end_of_scene, sleep
from .errors import SceneCost
from .facts import Meal


def energy_changes(actor: Actor, after: Energy, rule_id: str) -> tuple[Change, ...]:
    """The gauge moves; at 0 some tables let the character collapse."""
    sheet = sheet_of(actor)
    if sheet is None:
        return ()
    return (
        *changed(actor.id, sheet, "energy", after.energy, rule_id),
        *changed(actor.id, sheet, "unconscious", sheet.unconscious or after.unconscious, "D10-060"),
        *given_up(actor, after.unconscious),
    )


def tell_energy(actor: Actor, after: Energy) -> list[Telling]:
    """The gauge and its segment, as the table hears them."""
    who = called(actor)
    change = f"+{after.change}" if after.change > 0 else after.change
    values = {"who": who, "energy": after.energy, "change": change, "segment": after.segment}
    lines = [Telling("outcomes.told_energy", values)]
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
                name, lambda ctx: changing(ctx, energy_of(ctx, ctx.one(role.id))),
                outcome=lambda after: str(after.segment),
                tell=lambda ctx, after: tell_energy(ctx.one(role.id), after),
                changes=lambda ctx, after: energy_changes(ctx.one(role.id), after, rule_id),
            ),
        ),
        cast=(role, GAME_MASTER),
        by=by,
        rules=(rule_id,),
    )


BLOCKS = Field("blocks", Many(Whole(0, 48), least=1), rule="D10-055")
SLEEP = energy_move("sleep", "D10-055", lambda ctx, energy: Call(sleep, energy, ctx[BLOCKS], ctx.rulings), BLOCKS)

MEAL = Field("meal", OneOf(Meal), rule="D10-056")
EAT = energy_move("eat", "D10-056", lambda ctx, energy: Call(eat, energy, ctx[MEAL], ctx.rulings), MEAL)

AMOUNT = Field("amount", Whole(-24, 24), "gm", rule="D10-057")
ADJUST_ENERGY = energy_move(
    "adjust-energy", "D10-057", lambda ctx, energy: Call(adjust, energy, ctx[AMOUNT], ctx.rulings), AMOUNT,
    role=CHARACTER, by="gm",
)

COST = Field("cost", Ruled(0, 2, SceneCost), "character", usual=1, rule="D10-058", by="gm")

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
