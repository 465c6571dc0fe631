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
    Flag,
    Follow,
    MissingField,
    Move,
    OneOf,
    Resolve,
    Rulings,
    Shown,
    Whole,
    asking,
)
from paravent.systems.empire.actions.action import Column
from paravent.systems.empire.actions.trials import EXTRA, MODS, ORGAN, evasion, has, mods_of, score_of, state_dice, told
from paravent.systems.empire.people.character import Carried, Character, Condition
from paravent.systems.empire.people.conditions import with_condition
from paravent.systems.empire.people.creation import may_claim
from paravent.systems.empire.terms import TABLES, Characteristic, Side
from paravent.systems.empire.throws import said, set_on, thrown_by

from .combat import BARE_HANDS, Act, Height, acts
from .fight import Fight, fight_changes
from .fighters import Landed, Sheet, body, check_able, landed_told, numbers, skilled, weapons_of
from .holds import Grip, Held, break_free, break_free_threshold, choked, hold, hold_characteristic, hold_dice
from .moves_fight import OPPONENT, SIDES, before_blow
from .wounds import Body, Life, fall, ground_dice, struck

# Holds


def _read_hold(ctx: Context) -> tuple[Any, ...]:
    actor = ctx.one()
    check_able(ctx, actor)
    typed = has(ctx, actor, "value")
    if typed is None and not isinstance(actor.record, Character):
        raise MissingField(field="value", role=actor.role)
    limit = int(typed) if typed is not None else skilled(ctx, actor, hold_characteristic(ctx.rulings), BARE_HANDS)
    return limit + mods_of(ctx, actor, Side.PHYSICAL), ctx["height"], ctx["grip"], ctx.rulings, _malus(ctx, actor)


def _malus(ctx: Context, actor: Actor) -> int:
    return int(told(ctx, "extra_dice") or 0) + state_dice(ctx, actor, Side.PHYSICAL)


def _held_changes(ctx: Context, result: Held) -> Sequence[Change]:
    holder, victim = ctx.one(), ctx.one("opponent")
    mine = before_blow(ctx, holder, acts=True)
    own = mine.changes(holder) if mine is not None else ()
    record = victim.record
    if not isinstance(record, Character):
        return (*own, *fight_changes(ctx, [holder]))
    if not result.holds:
        return (*own, *_let_go(ctx, victim), *fight_changes(ctx, [holder]))
    harm = choked(Body(record.physical_most, record.resistance_physical, record.endurance), result.points, ctx.rulings)
    states = with_condition(record, *_gripped(record, result.points))
    if harm.life is not Life.ALIVE:
        states = (*(state for state in states if state.name not in tuple(Life)), Condition(harm.life.value))
    return (*own, *set_on(victim, "conditions", states, "EMP-095"),
            *set_on(victim, "resistance_physical", harm.left, "EMP-097"),
            *fight_changes(ctx, [holder], [(victim, harm)]))


def _gripped(record: Character, points: int) -> tuple[Condition, ...]:
    """What a hold writes: held, for how many sequences of choking, and what the choke has taken so far."""
    held = next((state for state in record.conditions if state.name == "held"), Condition("held"))
    if not points:
        return (held,)
    taken = next((state.amount for state in record.conditions if state.name == "choked"), 0)
    return replace(held, amount=held.amount + 1), Condition("choked", taken + points)


def _let_go(ctx: Context, victim: Actor) -> Sequence[Change]:
    """A hold that ends."""
    return Sheet(victim.record, ctx.rulings).released().changes(victim)


def _hold_destiny(ctx: Context, result: Held) -> Sequence[Follow]:
    """A hold is always precise."""
    actor = ctx.one()
    if not isinstance(actor.record, Character) or actor.kind == "npc" or not may_claim(
            result.holds, Column.PRECISE, ctx.rulings):
        return ()
    form = {"dice": min(5, max(3, hold_dice(ctx["height"]) + _malus(ctx, actor))),
            "characteristic": hold_characteristic(ctx.rulings).value, "skill": BARE_HANDS}
    return (Follow("destiny-roll", {"initiator": [actor.id]}, {actor.id: form}),)


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
        )),
        Ask("settle", (MODS, EXTRA, ORGAN)),
        Resolve("hold", asking(hold, _read_hold), outcome=lambda result: "seized" if result.holds else "slips",
                success=lambda result: result.holds,
                tell=lambda ctx, result: (said("told_choked", who=ctx.one("opponent").id, n=result.points),)
                if result.points else (),
                changes=_held_changes, follow=_hold_destiny, shown=lambda ctx, result: OWN_DICE),
    ),
)


def _read_free(ctx: Context) -> tuple[Any, ...]:
    me, holder = ctx.one(), ctx.one("opponent")
    mine = has(ctx, me, "strength")
    theirs = has(ctx, holder, "strength")
    mine = score_of(ctx, me, Characteristic.STRENGTH) if mine is None else mine
    theirs = score_of(ctx, holder, Characteristic.STRENGTH) if theirs is None else theirs
    limit = break_free_threshold(evasion(ctx, me, Side.PHYSICAL), mine, theirs, ctx["sequences"])
    return "initiator", break_free, limit


def _choked_for(ctx: Context) -> int:
    """How many sequences of choking the sheet remembers."""
    return sum(state.amount for state in getattr(ctx.one().record, "conditions", ()) if state.name == "held")


def _freed(ctx: Context, freed: bool) -> Sequence[Change]:
    me = ctx.one()
    let_go = _let_go(ctx, me) if freed and isinstance(me.record, Character) else ()
    return (*let_go, *fight_changes(ctx, [me], resting=True))


BREAK_FREE = Move(
    "break-free",
    group="combat",
    cast=(INITIATOR, OPPONENT, GAME_MASTER),
    rules=("EMP-096", "EMP-097"),
    steps=(
        Ask("declare", (
            Field("evasion", Whole(0, 20), optional=True, secrecy="own", rule="EMP-096"),
            *(Field("strength", Whole(0, 30), role, optional=True, secrecy="own", rule="EMP-096") for role in SIDES),
            Field("sequences", Whole(0), "gm", usual=_choked_for, rule="EMP-097"),
        )),
        Resolve("roll",
            asking(thrown_by, _read_free), outcome=lambda freed: "freed" if freed else "still_held", success=bool,
                changes=_freed, shown=lambda ctx, result: OWN_DICE),
    ),
)


# A fall


def fallen(dice: Dice, centimetres: int, count: int, target: Body | None, rulings: Rulings) -> Landed:
    """A fall, and what it does to whoever falls; no armour breaks it."""
    points = dice.resolve(fall, centimetres, count, rulings)
    target = target._replace(armour=0) if target is not None else None
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
        Resolve("fall", asking(fallen,
                lambda ctx: (ctx["drop_cm"], ctx["dice"] or ground_dice(ctx["ground"]), body(ctx, ctx.one(), "body"),
                             ctx.rulings)),
                outcome=lambda result: "fallen", tell=lambda ctx, result: landed_told(result, ctx.one().id),
                changes=lambda ctx, result: Sheet(ctx.one().record, ctx.rulings).struck(result).changes(ctx.one())
                if isinstance(ctx.one().record, Character) else (),
                shown=lambda ctx, result: Shown(dice=GM_ONLY, detail=GM_ONLY)),
    ),
)


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
    weapons = tuple(after_act if one is held else one for one in actor.record.weapons)
    return (*set_on(actor, "weapons", weapons, "EMP-072"),
            *(fight_changes(ctx, [actor], resting=True) if ctx["whole_sequence"] else ()))


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
        Ask("settle", (
            Field("whole_sequence", Flag(), "gm", usual=True, when=lambda ctx: isinstance(ctx.encounter, Fight),
                  rule="EMP-072"),
        )),
        Resolve("ready", asking(readied, _read_ready), outcome=lambda done: "readied" if done else "not_readied",
                changes=_readied),
    ),
)

MOVES = (HOLD, BREAK_FREE, FALL, READY_WEAPON)
