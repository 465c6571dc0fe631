"""Moves of bare hands and mishaps: holds, breaking free, falls, making a weapon ready."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from paravent.dice import Dice
from paravent.game import (
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    OWN_DICE,
    Actor,
    Ask,
    Change,
    Context,
    Field,
    MissingField,
    Move,
    OneOf,
    Resolve,
    Rulings,
    Shown,
    Whole,
)

from .character import Carried, Character, Condition
from .combat import (
    Act,
    acts,
)
from .fighters import (
    Landed,
    Sheet,
    body,
    landed_told,
    numbers,
    weapons_of,
)
from .holds import Grip, Held, break_free, break_free_threshold, hold, hold_characteristic, released
from .moves_fight import OPPONENT, SIDES
from .reading import (
    MODS,
    evasion,
    has,
    said,
    score_of,
    set_on,
    thrown_by,
    told,
    with_condition,
    without_condition,
)
from .terms import TABLES, Characteristic, Height, Side
from .wounds import Body, fall, ground_dice, struck

# Holds


def _read_hold(ctx: Context) -> tuple[Any, ...]:
    actor = ctx.one()
    typed = has(ctx, actor, "value")
    if typed is None and not isinstance(actor.record, Character):
        raise MissingField(field="value", role=actor.role)
    name = hold_characteristic(ctx.rulings)
    limit = int(typed) if typed is not None else score_of(ctx, actor, name) + actor.record.level("32")
    return limit + int(told(ctx, "mods") or 0), ctx["height"], ctx["grip"], ctx.rulings


def _held_changes(ctx: Context, result: Held) -> Sequence[Change]:
    victim = ctx.one("opponent")
    record = victim.record
    if not isinstance(record, Character):
        return ()
    if not result.holds:
        return _let_go(victim)
    held = Condition("held")
    choke = next((c for c in record.conditions if c.name == "choked"), Condition("choked"))
    added = (held, replace(choke, amount=choke.amount + result.points)) if result.points else (held,)
    left = max(0, record.resistance_physical - result.points)
    states = with_condition(record, *added)
    if result.points and left == 0:
        states = (*states, Condition("dead" if record.resistance_physical == 0 else "coma"))
    return (*set_on(victim, "conditions", states, "EMP-095"), *set_on(victim, "resistance_physical", left, "EMP-097"))


def _let_go(victim: Actor) -> Sequence[Change]:
    """A hold that ends: what a choke took comes back, unless it killed."""
    record = victim.record
    choke = next((c.amount for c in record.conditions if c.name == "choked"), 0)
    back = released(choke, record.suffers("dead"))
    kept = without_condition(record, "held", "choked", *(("coma",) if back else ()))
    return (*set_on(victim, "conditions", kept, "EMP-095"),
            *set_on(victim, "resistance_physical", min(record.physical_most, record.resistance_physical + back),
                    "EMP-097"))


HOLD = Move(
    "hold",
    group="combat",
    cast=(INITIATOR, OPPONENT, GAME_MASTER),
    rules=("EMP-095", "EMP-097"),
    steps=(
        Ask("declare", (
            Field("value", Whole(0, 40), optional=True, secrecy="own", rule="EMP-095"),
            Field("grip", OneOf(Grip), usual=Grip.IMMOBILISE, rule="EMP-095"),
            Field("height", OneOf(Height), usual=Height.MIDDLE, rule="EMP-095"),
            MODS,
        )),
        Resolve("hold", hold, _read_hold, outcome=lambda result: "seized" if result.holds else "slips",
                success=lambda result: result.holds,
                tell=lambda ctx, result: (said("told_choked", who=ctx.one("opponent").id, n=result.points),)
                if result.points else (),
                changes=_held_changes, shown=lambda ctx, result: OWN_DICE),
    ),
)  # fmt: skip


def _read_free(ctx: Context) -> tuple[Any, ...]:
    me, holder = ctx.one(), ctx.one("opponent")
    mine = has(ctx, me, "strength")
    theirs = has(ctx, holder, "strength")
    mine = score_of(ctx, me, Characteristic.STRENGTH) if mine is None else mine
    theirs = score_of(ctx, holder, Characteristic.STRENGTH) if theirs is None else theirs
    limit = break_free_threshold(evasion(ctx, me, Side.PHYSICAL), mine, theirs, ctx["sequences"])
    return "initiator", break_free, limit


BREAK_FREE = Move(
    "break-free",
    group="combat",
    cast=(INITIATOR, OPPONENT, GAME_MASTER),
    rules=("EMP-096", "EMP-097"),
    steps=(
        Ask("declare", (
            Field("evasion", Whole(0, 20), optional=True, secrecy="own", rule="EMP-096"),
            *(Field("strength", Whole(0, 30), role, optional=True, secrecy="own", rule="EMP-096") for role in SIDES),
            Field("sequences", Whole(0), "gm", usual=0, rule="EMP-097"),
        )),
        Resolve("roll", thrown_by, _read_free, outcome=lambda freed: "freed" if freed else "still_held", success=bool,
                changes=lambda ctx, freed: _let_go(ctx.one())
                if freed and isinstance(ctx.one().record, Character) else (),
                shown=lambda ctx, result: OWN_DICE),
    ),
)  # fmt: skip


# A fall


def fallen(dice: Dice, centimetres: int, count: int, target: Body | None, rulings: Rulings) -> Landed:
    """A fall, and what it does to whoever falls."""
    points = dice.resolve(fall, centimetres, count, rulings)
    return Landed(points, "body", struck(target, points, rulings) if target is not None else None)


FALL = Move(
    "fall",
    group="combat",
    by="gm",
    rules=("EMP-098",),
    steps=(
        Ask("fall", (
            Field("drop_cm", Whole(0), "gm", rule="EMP-098"),
            Field("ground", OneOf(lambda ctx: TABLES["grounds"].keys()), "gm", usual="earth", rule="EMP-098"),
            Field("dice", Whole(1, 10), "gm", optional=True, rule="EMP-098"),
            *numbers("initiator"),
        )),
        Resolve("fall", fallen,
                lambda ctx: (ctx["drop_cm"], ctx["dice"] or ground_dice(ctx["ground"]), body(ctx, ctx.one(), "body"),
                             ctx.rulings),
                outcome=lambda result: "fallen", tell=lambda ctx, result: landed_told(result, ctx.one().id),
                changes=lambda ctx, result: Sheet(ctx.one().record).struck(result).changes(ctx.one())
                if isinstance(ctx.one().record, Character) else (),
                shown=lambda ctx, result: Shown(dice=GM_ONLY, detail=GM_ONLY)),
    ),
)  # fmt: skip


# Drawing, reloading, setting


def readied(dice: Dice, act: Act, open_to: tuple[Act, ...]) -> bool:
    """Whether the act fits: a weapon in hand is not drawn again, an empty one wants a spare magazine."""
    return act in open_to


def _held_weapon(ctx: Context) -> Any:
    record = ctx.one().record
    carried = getattr(record, "weapons", ())
    return next((one for one in carried if one.weapon == ctx["weapon"]), None)


def _read_ready(ctx: Context) -> tuple[Any, ...]:
    held = _held_weapon(ctx)
    if ctx["act"] == "set_power":
        return Act.MOVE, (Act.MOVE,)
    if held is None:
        return Act(ctx["act"]), (Act.DRAW, Act.RELOAD)
    return Act(ctx["act"]), acts(held.ready, held.loaded, held.magazines > 0)


def _readied(ctx: Context, done: bool) -> Sequence[Change]:
    held, actor = _held_weapon(ctx), ctx.one()
    if held is None or not done:
        return ()
    after_act = {
        "draw": replace(held, state=Carried.IN_HAND, power=ctx["power"] or held.power),
        "reload": replace(held, state=Carried.IN_HAND, magazines=max(0, held.magazines - 1)),
        "set_power": replace(held, power=ctx["power"]),
    }[ctx["act"]]
    return set_on(actor, "weapons", tuple(after_act if one is held else one for one in actor.record.weapons),
                  "EMP-072")


READY_WEAPON = Move(
    "ready-weapon",
    group="combat",
    rules=("EMP-072", "EMP-107"),
    steps=(
        Ask("declare", (
            Field("act", OneOf(("draw", "reload", "set_power")), usual="draw", rule="EMP-072"),
            Field("weapon", OneOf(lambda ctx: weapons_of(ctx, "initiator")),
                  usual=lambda ctx: weapons_of(ctx, "initiator")[0], rule="EMP-072"),
            Field("power", Whole(0, 5), usual=0, rule="EMP-107"),
        )),
        Resolve("ready", readied, _read_ready, outcome=lambda done: "readied" if done else "not_readied",
                changes=_readied),
    ),
)  # fmt: skip

MOVES = (HOLD, BREAK_FREE, FALL, READY_WEAPON)
