"""Moves of bare hands and mishaps: holds, breaking free, falls, making a weapon ready."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from paravent.dice import Dice
from paravent.game import (
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    OWN_DICE,
    Actor,
    Ask,
    Call,
    Change,
    Context,
    Field,
    Flag,
    Follow,
    MissingField,
    Move,
    OneOf,
    Pills,
    Resolve,
    Rulings,
    Shown,
    Telling,
    Who,
    Whole,
)
from paravent.systems.empire.actions.action import Column
from paravent.systems.empire.actions.trials import (
    EVASION,
    EXTRA,
    MODS,
    ORGAN,
    evasion,
    has,
    mods_of,
    score_of,
    state_dice,
    told,
)
from paravent.systems.empire.people.character import Carried, Character, Condition, Weapon
from paravent.systems.empire.people.conditions import with_condition
from paravent.systems.empire.people.creation import may_claim
from paravent.systems.empire.terms import TABLES, Characteristic, Side
from paravent.systems.empire.throws import PAIR, said, set_on, thrown_by

from .combat import BARE_HANDS, Act, acts
from .fight import Fight, fight_changes
from .fighters import (
    HEIGHT,
    VALUE,
    WEAPON,
    Landed,
    Sheet,
    body,
    check_able,
    hurt_told,
    numbers,
    skilled,
    weapons_of,
)
from .holds import Grip, Held, break_free, break_free_threshold, choked, hold, hold_characteristic, hold_dice
from .moves_fight import OPPONENT, SIDES, before_blow
from .wounds import Body, Life, fall, ground_dice, struck

# Holds


def _hold_call(ctx: Context) -> Call[Held]:
    actor = ctx.one()
    check_able(ctx, actor)
    typed = has(ctx, actor, VALUE)
    if typed is None and not isinstance(actor.record, Character):
        raise MissingField(field="value", role=actor.role)
    limit = typed if typed is not None else skilled(ctx, actor, hold_characteristic(ctx.rulings), BARE_HANDS)
    limit += mods_of(ctx, actor, Side.PHYSICAL)
    return Call(hold, limit, ctx[HEIGHT], ctx[GRIP], ctx.rulings, _malus(ctx, actor))


def _malus(ctx: Context, actor: Actor) -> int:
    return (told(ctx, EXTRA) or 0) + state_dice(ctx, actor, Side.PHYSICAL)


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
    return Sheet(victim.sheet(Character), ctx.rulings).released().changes(victim)


def _hold_destiny(ctx: Context, result: Held) -> Sequence[Follow]:
    """A hold is always precise."""
    actor = ctx.one()
    if not isinstance(actor.record, Character) or actor.kind == "npc" or not may_claim(
            result.holds, Column.PRECISE, ctx.rulings):
        return ()
    form = {"dice": min(5, max(3, hold_dice(ctx[HEIGHT]) + _malus(ctx, actor))),
            "characteristic": hold_characteristic(ctx.rulings).value, "skill": BARE_HANDS}
    return (Follow("destiny-roll", {"initiator": [actor.id]}, {actor.id: form}),)


GRIP = Field("grip", OneOf(Grip), usual=Grip.IMMOBILISE, rule="EMP-095")
HOLD = Move(
    "hold",
    group="combat",
    cast=(INITIATOR, OPPONENT, GAME_MASTER),
    rules=("EMP-095", "EMP-097"),
    steps=(
        Ask("declare", (
            replace(VALUE, rule="EMP-095"), GRIP, replace(HEIGHT, waits=False, shape=None, rule="EMP-095"),
        )),
        Ask("settle", (MODS, EXTRA, ORGAN)),
        Resolve("hold", _hold_call, outcome=lambda result: "seized" if result.holds else "slips",
                success=lambda result: result.holds,
                sides=lambda result: ("initiator",) if result.holds else ("opponent",),
                tell=lambda ctx, result: (said("told_choked", who=Who(ctx.one("opponent").id), n=result.points),)
                if result.points else (),
                changes=_held_changes, follow=_hold_destiny, shown=lambda ctx, result: OWN_DICE),
    ),
)


def _free_call(ctx: Context) -> Call[bool]:
    me, holder = ctx.one(), ctx.one("opponent")
    limit = break_free_threshold(evasion(ctx, me, Side.PHYSICAL), _strength(ctx, me), _strength(ctx, holder),
                                 ctx[SEQUENCES])
    return Call(thrown_by("initiator", break_free), limit)


def _strength(ctx: Context, actor: Actor) -> int:
    typed = ctx.value(actor, STRENGTH)
    return score_of(ctx, actor, Characteristic.STRENGTH) if typed is None else typed


def _choked_for(ctx: Context) -> int:
    """How many sequences of choking the sheet remembers."""
    return sum(state.amount for state in getattr(ctx.one().record, "conditions", ()) if state.name == "held")


def _freed(ctx: Context, freed: bool) -> Sequence[Change]:
    me = ctx.one()
    let_go = _let_go(ctx, me) if freed and isinstance(me.record, Character) else ()
    return (*let_go, *fight_changes(ctx, [me], resting=True))


STRENGTH: Field[int | None] = Field("strength", Whole(0, 30), optional=True, secrecy="own", rule="EMP-096")
SEQUENCES = Field("sequences", Whole(0), "gm", usual=_choked_for, rule="EMP-097")
BREAK_FREE = Move(
    "break-free",
    group="combat",
    offered=lambda ctx: not isinstance(ctx.one().record, Character) or ctx.one().sheet(Character).suffers("held"),
    suits=lambda ctx: ctx.one().sheet(Character).suffers("held"),
    cast=(INITIATOR, OPPONENT, GAME_MASTER),
    rules=("EMP-096", "EMP-097"),
    steps=(
        Ask("declare", (
            replace(EVASION, secrecy="own", rule="EMP-096"), *(replace(STRENGTH, role=role) for role in SIDES),
            SEQUENCES,
        )),
        Resolve("roll", _free_call, outcome=lambda freed: "freed" if freed else "still_held", success=bool,
                changes=_freed, shown=lambda ctx, result: OWN_DICE),
    ),
)


# A fall


def fallen(dice: Dice, centimetres: int, count: int, target: Body | None, rulings: Rulings) -> Landed:
    """A fall, and what it does to whoever falls; no armour breaks it."""
    points = dice.resolve(fall, centimetres, count, rulings)
    target = target._replace(armour=0) if target is not None else None
    return Landed(points, "body", struck(target, points, rulings) if target is not None else None)


def _fall_call(ctx: Context) -> Call[Landed]:
    count = ctx[DICE] or ground_dice(ctx[GROUND])
    met = body(ctx, ctx.one(), "body")
    return Call(fallen, ctx[DROP_CM], count, met if isinstance(met, Body) else None, ctx.rulings)


def _fall_told(ctx: Context, result: Landed) -> list[Telling]:
    """Who falls, and to whom it is told how hard: whoever fell, and the game master."""
    faller = Who(ctx.one().id)
    return [said("told_fall", who=faller)._replace(main=True),
            said("told_lost" if result.points else "told_unhurt", PAIR, who=faller, lost=result.points),
            *hurt_told(result, ctx.one().id)]


def _fallen_changes(ctx: Context, result: Landed) -> Sequence[Change]:
    actor = ctx.one()
    if not isinstance(actor.record, Character):
        return ()
    return Sheet(actor.record, ctx.rulings).struck(result).changes(actor)


DROP_CM = Field("drop_cm", Whole(0), "gm", rule="EMP-098")
GROUND = Field("ground", OneOf(lambda ctx: TABLES["grounds"].keys()), "gm", usual="earth", rule="EMP-098")
DICE: Field[int | None] = Field("dice", Whole(1, 10), "gm", optional=True, rule="EMP-098")
FALL = Move(
    "fall",
    group="combat",
    by="gm",
    rules=("EMP-098",),
    steps=(
        Ask("fall", (DROP_CM, GROUND, DICE, *numbers("initiator"))),
        Resolve("fall", _fall_call,
                outcome=lambda result: "fallen",
                tell=_fall_told,
                changes=_fallen_changes,
                shown=lambda ctx, result: Shown(dice=GM_ONLY, detail=GM_ONLY)),
    ),
)


# Drawing, reloading, setting


def readied(dice: Dice, act: Act, open_to: tuple[Act, ...]) -> bool:
    """Whether the act fits: a weapon in hand is not drawn again, an empty one wants a spare magazine."""
    return act in open_to


def _held_weapon(ctx: Context) -> Weapon | None:
    carried = getattr(ctx.one().record, "weapons", ())
    return next((one for one in carried if one.weapon == ctx[WEAPON]), None)


def _ready_call(ctx: Context) -> Call[bool]:
    held = _held_weapon(ctx)
    if ctx[ACT] == "set_power":
        return Call(readied, Act.MOVE, (Act.MOVE,))
    if held is None:
        return Call(readied, Act(ctx[ACT]), (Act.DRAW, Act.RELOAD))
    return Call(readied, Act(ctx[ACT]), acts(held.ready, held.loaded, held.magazines > 0))


def _readied(ctx: Context, done: bool) -> Sequence[Change]:
    held, actor = _held_weapon(ctx), ctx.one()
    if held is None or not done:
        return ()
    after_act = {
        "draw": replace(held, state=Carried.IN_HAND, power=ctx[POWER] or held.power),
        "reload": replace(held, state=Carried.IN_HAND, magazines=max(0, held.magazines - 1)),
        "set_power": replace(held, power=ctx[POWER]),
    }[ctx[ACT]]
    weapons = tuple(after_act if one is held else one for one in actor.sheet(Character).weapons)
    return (*set_on(actor, "weapons", weapons, "EMP-072"),
            *(fight_changes(ctx, [actor], resting=True) if ctx[WHOLE_SEQUENCE] else ()))


def _carried(ctx: Context) -> tuple[str, ...]:
    """What one has on oneself, what is not ready first; anything for whoever has no sheet."""
    record = ctx.one().record
    if not isinstance(record, Character):
        return weapons_of(ctx, "initiator")
    return tuple(one.weapon for one in sorted(record.weapons, key=lambda one: one.ready and one.loaded))


def _open_to(ctx: Context) -> tuple[str, ...]:
    """What can be done with the weapon that was said."""
    held = _held_weapon(ctx)
    if held is None:
        return ACTS
    fits = acts(held.ready, held.loaded, held.magazines > 0)
    return tuple(act for act in ACTS if act == "set_power" or Act(act) in fits)


def _has_weapons(ctx: Context) -> bool:
    record = ctx.one().record
    return not isinstance(record, Character) or bool(record.weapons)


def _wants_readying(ctx: Context) -> bool:
    """Whether a weapon is put away, or empty and there is a magazine for it."""
    carried = getattr(ctx.one().record, "weapons", ())
    return any(not one.ready or (not one.loaded and one.magazines) for one in carried)


ACTS = ("draw", "reload", "set_power")
ACT = Field("act", OneOf(ACTS, _open_to), usual=lambda ctx: _open_to(ctx)[0], place="essential",
            shape=Pills(weighed=False), rule="EMP-072")
READIED = replace(WEAPON, type=OneOf(lambda ctx: weapons_of(ctx, "initiator"), _carried), upfront=False,
                  usual=lambda ctx: _carried(ctx)[0], rule="EMP-072")
POWER = Field("power", Whole(0, 5), usual=0, rule="EMP-107")
WHOLE_SEQUENCE: Field[bool | None] = Field("whole_sequence", Flag(), "gm", usual=True,
                                           when=lambda ctx: isinstance(ctx.encounter, Fight), rule="EMP-072")
READY_WEAPON = Move(
    "ready-weapon",
    group="combat",
    suits=_wants_readying,
    offered=_has_weapons,
    rules=("EMP-072", "EMP-107"),
    steps=(
        Ask("declare", (READIED, ACT, POWER)),
        Ask("settle", (WHOLE_SEQUENCE,)),
        Resolve("ready", _ready_call, outcome=lambda done: "readied" if done else "not_readied",
                changes=_readied),
    ),
)

MOVES = (HOLD, BREAK_FREE, FALL, READY_WEAPON)
