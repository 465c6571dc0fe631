"""Moves of gear: use and wear, repairs, conversion, salvage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    INVISIBLE,
    Actor,
    Ask,
    Call,
    Change,
    Context,
    Field,
    Flag,
    Follow,
    Move,
    OneOf,
    Resolve,
    Rulings,
    Shown,
    Telling,
    TextField,
    Whole,
    Window,
    changed,
    time_goes_by,
)
from paravent.game.errors import MissingField, Withheld
from paravent.systems.empire.actions.trials import (
    GRADE,
    LEVEL,
    OPENLY,
    SETTLED,
    against,
    grade_of,
    has_learnt,
    knows,
    sheet_level,
    tested_in,
)
from paravent.systems.empire.people.character import Character
from paravent.systems.empire.people.creation import Guild
from paravent.systems.empire.terms import figure
from paravent.systems.empire.throws import PAIR, by_gm, made, said, to_gm
from paravent.systems.empire.trade.purse import credits_left, paid, paid_or_owed, tell_debt

from .errors import NamelessOutOfOrder, NoSpareParts, OutOfOrder
from .gear import (
    HOURS,
    LEAST_TO_WEAR,
    Converted,
    Job,
    Repaired,
    State,
    Unit,
    Worn,
    can_be_used,
    check_whole,
    check_workshop,
    convert,
    mended,
    repair,
    repair_skill,
    repair_unit,
    salvage,
    spare_part,
    taken_apart,
    uses_of,
    wear_check,
    wear_is_due,
    workshop,
)
from .kinds import Gear
from .machines import is_broken
from .robots import Programme, check_has, logimec_threshold, rate_bonus, skills_of
from .roles import DONOR, ITEM, ROBOT

SECRET_TEST = Shown(dice=GM_ONLY, outcome=GM_ONLY)
"""Everybody knows that somebody tries; how it goes, only the game master."""
OBJECT_LEVEL: Field[int | None] = Field("object_level", Whole(1, 6), rule="EGW-102",
                                        when=lambda ctx: ITEM.brought(ctx) is None)
WEARING_LEVEL = replace(OBJECT_LEVEL, type=Whole(LEAST_TO_WEAR, 6), rule="EGW-150")
"""The level of an object that wears and is mended by skill; below it none is."""
QUALITY: Field[int | None] = Field("quality", Whole(1), "gm", optional=True, rule="EGW-102")
DAMAGE: Field[int | None] = Field("damage", Whole(0), "gm", optional=True, secrecy="gm", rule="EGW-151")


def level_in(ctx: Context) -> int:
    """The level of the object, typed or on its record."""
    return ITEM.figure(ctx, OBJECT_LEVEL, lambda gear: gear.tech_level)


def quality_in(ctx: Context) -> int:
    """The quality of the object, typed or on its record."""
    return ITEM.figure(ctx, QUALITY, lambda gear: gear.quality)


def state_in(ctx: Context) -> State:
    """How the object stands: its record, or the damage that the game master says."""
    gear = ITEM.brought(ctx)
    if gear is not None:
        return gear.state
    damage = ctx[DAMAGE] or 0
    return State(damage, is_broken(damage, False, level_in(ctx), ctx.rulings))


def state_key(state: State) -> str:
    """How an object stands, in a word."""
    return "scrapped" if state.scrapped else "broken_down" if state.broken else "still_works"


def check_usable(gear: Gear | None) -> None:
    """Refuse a machine that is out of order."""
    if gear is not None and not can_be_used(gear.state):
        raise OutOfOrder(name=gear.name) if gear.name else NamelessOutOfOrder()


def stated(ctx: Context, state: State, rule: str) -> list[Change]:
    """The changes that write an object's new state on its record."""
    actor = ITEM.actor(ctx)
    if actor is None:
        return []
    written = (("damage", state.damage), ("broken", state.broken), ("scrapped", state.scrapped))
    return [change for name, value in written for change in changed(actor.id, actor.record, name, value, rule)]


def usable(ctx: Context) -> bool:
    """Whether the object works, as far as a sheet says."""
    gear = ITEM.brought(ctx)
    return gear is None or can_be_used(gear.state)


def worth_mending(ctx: Context) -> bool:
    """Whether there is anything to mend, and it is not past it, as far as a sheet says."""
    gear = ITEM.brought(ctx)
    return gear is None or (gear.damage > 0 and not gear.scrapped)


def wears(ctx: Context) -> bool:
    """Whether the object is of a level at which things wear and are mended by skill, as far as a sheet says."""
    gear = ITEM.brought(ctx)
    return gear is None or gear.tech_level >= LEAST_TO_WEAR


# Use and wear


class Used(NamedTuple):
    """An object used: its counter, and whether a wear check is due."""

    uses: int
    due: bool


def use(dice: Dice, tech_level: int, uses: int, quality: int, misused: bool, rough: bool) -> Used:
    """Count uses; beyond its quality, misused or in hard places, an object is to be checked."""
    due = wear_is_due(tech_level, uses, quality, misused=misused, rough=rough)
    return Used(uses, due)


def _use_call(ctx: Context) -> Call[Used]:
    gear = ITEM.brought(ctx)
    check_usable(gear)
    uses = (gear.uses if gear is not None else 0) + ctx[AMOUNT]
    return Call(use, level_in(ctx), uses, quality_in(ctx), ctx[MISUSED], ctx[ROUGH])


def _change_use(ctx: Context, done: Used) -> Sequence[Change]:
    actor = ITEM.actor(ctx)
    if actor is None:
        return ()
    return changed(actor.id, actor.record, "uses", done.uses, "EGW-150", GM_ONLY)


def _tell_use(ctx: Context, done: Used) -> Sequence[Telling]:
    unit = uses_of(ctx[OBJECT_KIND], ctx.rulings)
    return (to_gm("told_used", n=done.uses, unit=f"unit_{unit}"), *((to_gm("told_wear_due"),) if done.due else ()))


AMOUNT = Field("amount", Whole(1), usual=1, rule="EGW-150")
OBJECT_KIND = Field("object_kind", OneOf(("tool", "vehicle", "clothing")), usual="tool", rule="EGW-150")
MISUSED = Field("misused", Flag(), usual=False, rule="EGW-150")
ROUGH = Field("rough", Flag(), "gm", usual=False, rule="EGW-150")
USE_OBJECT = Move(
    "use-object",
    offered=usable,
    group="gear", cast=(INITIATOR, ITEM, GAME_MASTER), rules=("EGW-150", "EGW-153"),
    steps=(
        Ask("use", (OBJECT_LEVEL, AMOUNT, OBJECT_KIND, MISUSED)),
        Ask("settle", (QUALITY, ROUGH)),
        Resolve("use", _use_call, tell=_tell_use, changes=_change_use,
                outcome=lambda done: "wear_due" if done.due else "used",
                shown=lambda ctx, done: SECRET_TEST),
    ),
)


def _mended_by(ctx: Context) -> str:
    """The skill that keeps an object going, which depends on its level."""
    return repair_skill(level_in(ctx)) or "63"


def _wear_call(ctx: Context) -> Call[Worn]:
    level = level_in(ctx)
    dice, limit = against(ctx, _mended_by(ctx), unskilled=False)
    return Call(by_gm(wear_check), dice, limit, state_in(ctx), level, quality_in(ctx), ctx.rulings)


def _change_wear(ctx: Context, done: Worn) -> Sequence[Change]:
    changes, actor = stated(ctx, done.state, "EGW-151"), ITEM.actor(ctx)
    if actor is not None:
        changes += changed(actor.id, actor.record, "uses", 0, "EGW-151", GM_ONLY)
    return changes


def _tell_wear(ctx: Context, done: Worn) -> Sequence[Telling]:
    before, after = state_in(ctx), done.state
    lines = [to_gm("told_held" if done.success else "told_worn", n=after.damage)]
    return [*lines, said(f"told_{state_key(after)}", EVERYONE)] if after.broken and not before.broken else lines


REASON = Field("reason", OneOf(("long_use", "misuse", "climate", "whim")), "gm", usual="whim", secrecy="gm",
               rule="EGW-150")
WEAR_CHECK = Move(
    "wear-check",
    offered=wears,
    group="gear", by="gm", cast=(INITIATOR, ITEM, GAME_MASTER), exists=GM_ONLY,
    rules=("EGW-150", "EGW-151", "EGW-152", "EGW-153", "EGW-154"),
    steps=(
        Ask("settle", (REASON, QUALITY, DAMAGE, *SETTLED)),
        Ask("user", (WEARING_LEVEL, *tested_in(_mended_by))),
        Resolve("wear", _wear_call, tell=_tell_wear, changes=_change_wear, blind=True,
                outcome=lambda done: "holds" if done.success else state_key(done.state),
                success=lambda done: done.success, shown=lambda ctx, done: INVISIBLE),
    ),
)


# Repairs


def _stores(ctx: Context) -> Iterator[Actor]:
    """Where the parts come from: those kept with the object, then machines taken to pieces, of its level or above."""
    level = level_in(ctx)
    for actor in (ITEM.actor(ctx), *ctx.all("donor")):
        if actor is not None and isinstance(actor.record, Gear) and actor.record.tech_level >= level:
            yield actor


def _parts(ctx: Context) -> int:
    typed = ctx[PARTS]
    parts = typed if typed is not None else sum(actor.sheet(Gear).spare_parts for actor in _stores(ctx))
    if parts < 1:
        raise NoSpareParts()
    return parts


def _parts_bought(ctx: Context) -> int:
    """How many parts are neither with the object nor on a machine taken to pieces: they are bought."""
    return (ctx[PARTS] or 0) if ITEM.brought(ctx) is not None else 0


def _parts_price(ctx: Context) -> int:
    """What those cost; whoever lacks it has none."""
    gear = ITEM.brought(ctx)
    price = 0 if gear is None else floor(_parts_bought(ctx) * spare_part(gear.price, 0).credits + Fraction(1, 2))
    credits_left(ctx.one(), price)
    return price


def _helped(ctx: Context, level: int) -> tuple[Programme | None, bool]:
    """The repairer at work, if there is one for this level, and whether it was added to its robot."""
    robot = ROBOT.brought(ctx)
    if repair_skill(level) not in skills_of(Programme.REPAIRER):
        return None, False
    if robot is None:
        return Programme.REPAIRER if ctx[LOGIMEC] else None, False
    check_usable(robot)
    check_has(Programme.REPAIRER, (*robot.programmes, *robot.added))
    return Programme.REPAIRER, Programme.REPAIRER.value not in robot.programmes


def _unit(ctx: Context) -> Unit:
    return repair_unit(level_in(ctx), ctx[KIT_LEVEL], prosthesis=ctx[PROSTHESIS])


def _repair_call(ctx: Context) -> Call[Repaired]:
    level, own = level_in(ctx), sheet_level(ctx, LEVEL, repair_skill(level_in(ctx)))
    unit = _unit(ctx)
    helper, added = _helped(ctx, level)
    robotics = ctx.one().record.level("66") if isinstance(ctx.one().record, Character) else 0
    bonus = logimec_threshold(0, own, helper, added, robotics, ctx.rulings) - own if helper else 0
    dice, limit = against(ctx, _mended_by(ctx), more_mods=bonus, unskilled=False)
    _parts_price(ctx)
    job = Job(dice, limit, grade_of(ctx, ctx.one(), Guild.TEKNO), level, state_in(ctx), _parts(ctx), unit,
              rate_bonus(helper, ctx.rulings))
    return Call(by_gm(repair), job, ctx.rulings)


def _tell_repair(ctx: Context, done: Repaired) -> Sequence[Telling]:
    bought = _parts_bought(ctx) if _parts_price(ctx) else 0
    paid_for = (said("told_parts_bought", PAIR, n=bought, credits=_parts_price(ctx)),) if bought else ()
    if not done.success:
        return (*paid_for, said("told_fault_hidden"))
    if not done.points:
        return (*paid_for, said("told_unit_lost"), to_gm("told_rate", n=done.rate, unit=_unit(ctx).value))
    lines = [*paid_for, to_gm("told_repair", n=done.points, rate=done.rate, unit=_unit(ctx).value,
                              hours=figure(done.hours))]
    if done.works_after is not None:
        lines.append(to_gm("told_works_after", hours=figure(done.works_after)))
    if done.works:
        lines.append(said("told_it_works", PAIR, n=done.state.damage))
    return lines


def _change_repair(ctx: Context, done: Repaired) -> Sequence[Change]:
    """Points come off, and parts with them; what was bought is paid for, and what is left of it is kept."""
    changes, needed, bought = stated(ctx, done.state, "EGW-164"), done.points, _parts_bought(ctx)
    for actor in _stores(ctx):
        gear = actor.sheet(Gear)
        kept = gear.spare_parts + bought
        taken = min(needed, kept)
        changes += changed(actor.id, gear, "spare_parts", kept - taken, "EGW-160")
        needed, bought = needed - taken, 0
    return [*changes, *paid(ctx.one(), _parts_price(ctx), "EGW-160")]


def _repair_time(ctx: Context, done: Repaired) -> Sequence[Follow]:
    """Work of eight hours a day goes by for everybody; a week or a day without any progress does too."""
    unit = _unit(ctx)
    hours = done.hours or (HOURS[unit.value] if done.success else 0)
    return time_goes_by(ceil(60 * hours) if unit is Unit.HOUR else 24 * 60 * ceil(hours / HOURS["day"]), "invisible")


def _has_parts(ctx: Context) -> bool:
    """Whether parts are kept with the object or come from another; if not, one says how many there are."""
    return ITEM.brought(ctx) is not None and any(actor.sheet(Gear).spare_parts for actor in _stores(ctx))


PARTS: Field[int | None] = Field("parts", Whole(0), rule="EGW-160", when=lambda ctx: not _has_parts(ctx))
BROKEN_BY: Field[int | None] = Field("damage", Whole(1), "gm", secrecy="gm", rule="EGW-151",
                                     when=lambda ctx: ITEM.brought(ctx) is None)
KIT_LEVEL = Field("kit_level", Whole(0, 6), usual=0, rule="EGW-161")
PROSTHESIS = Field("prosthesis", Flag(), usual=lambda ctx: knows(ctx, "56"), rule="EGW-162")
LOGIMEC = Field("logimec", Flag(), usual=False, rule="EGW-132")
REPAIR = Move(
    "repair",
    offered=lambda ctx: wears(ctx) and worth_mending(ctx),
    group="gear", cast=(INITIATOR, ITEM, DONOR, ROBOT, GAME_MASTER),
    rules=("EGW-132", "EGW-156", "EGW-157", "EGW-160", "EGW-161", "EGW-162", "EGW-164", "EGW-165", "EGW-166"),
    steps=(
        Ask("declare", (WEARING_LEVEL, PARTS, KIT_LEVEL, PROSTHESIS, LOGIMEC, *tested_in(_mended_by), GRADE)),
        Ask("settle", (BROKEN_BY, *SETTLED)),
        Resolve("repair", _repair_call, tell=_tell_repair, changes=_change_repair, blind=True,
                outcome=lambda done: "fault_hidden" if not done.success else "mended" if done.works
                else "unit_lost" if not done.points else "still_broken",
                success=lambda done: done.success and done.works, follow=_repair_time,
                shown=lambda ctx, done: Shown(dice=GM_ONLY, detail=GM_ONLY)),
    ),
)


class Fixed(NamedTuple):
    """A workshop's bill."""

    credits: int
    hours: Fraction


def fix(dice: Dice, value: int, state: State, skilled: bool, level: int, grade: int, rulings: Rulings) -> Fixed:
    """Everything mended, for money."""
    done = workshop(dice, value, state, skilled, level, grade, rulings)
    return Fixed(int(done.credits + Fraction(1, 2)), done.hours)


def _knows_the_trade(ctx: Context) -> bool:
    gear = ITEM.brought(ctx)
    return gear is not None and knows(ctx, repair_skill(gear.tech_level))


def _workshop_call(ctx: Context) -> Call[Fixed]:
    level = level_in(ctx)
    check_workshop(level, ctx[PLACE_LEVEL])
    value = ITEM.figure(ctx, PRICE, lambda gear: gear.price)
    return Call(fix, value, state_in(ctx), ctx[SKILLED], level, grade_of(ctx, ctx.one(), Guild.TEKNO), ctx.rulings)


def _level_that_mends(ctx: Context) -> int:
    """The lowest level of a place that has a workshop for the object, as far as it is known."""
    try:
        return level_in(ctx)
    except (MissingField, Withheld):
        return 1


def _change_workshop(ctx: Context, done: Fixed) -> Sequence[Change]:
    state = state_in(ctx)
    whole = mended(state, state.damage, level_in(ctx), ctx.rulings)
    return (*paid_or_owed(ctx.one(), done.credits, "EGW-163"), *stated(ctx, whole, "EGW-163"))


PRICE: Field[int | None] = Field("price", Whole(0), optional=True, rule="EGW-163")
SKILLED = Field("skilled", Flag(), usual=lambda ctx: _knows_the_trade(ctx), rule="EGW-163")
PLACE_LEVEL = Field("place_level", Whole(_level_that_mends, 6), "gm", usual=6, rule="EGW-163")
WORKSHOP = Move(
    "workshop",
    offered=worth_mending,
    group="gear", cast=(INITIATOR, ITEM, GAME_MASTER), rules=("EGW-163",),
    steps=(
        Ask("declare", (OBJECT_LEVEL, PRICE, SKILLED, GRADE)),
        Ask("settle", (PLACE_LEVEL, BROKEN_BY)),
        Resolve("fix", _workshop_call, outcome=lambda done: "fixed", changes=_change_workshop,
                follow=lambda ctx, done: time_goes_by(ceil(60 * done.hours)),
                tell=lambda ctx, done: (said("told_fixed", n=done.credits, hours=figure(done.hours)),
                                        *tell_debt(ctx.one(), done.credits, PAIR))),
    ),
)


# Making one thing of another


def _convert_call(ctx: Context) -> Call[Converted]:
    return Call(convert, *against(ctx, "61"), grade_of(ctx, ctx.one(), Guild.TEKNO), ctx[MADE_LEVEL], level_in(ctx))


def _change_convert(ctx: Context, done: Converted) -> Sequence[Change]:
    if not done.success:
        stripped = ITEM.brought(ctx)
        return () if stripped is None else stated(
            ctx, taken_apart(stripped.state, stripped.tech_level, stripped.quality, ctx.rulings), "EGW-171")
    gear = Gear(ctx[NAME], ctx[MADE_LEVEL], quality=max(1, done.quality))
    changes = [made(gear.name or "item", gear, "item", "EGW-171", EVERYONE)]
    actor = ITEM.actor(ctx)
    if actor is not None:
        changes += changed(actor.id, actor.record, "scrapped", True, "EGW-170")
    return changes


NAME = Field("name", TextField(80), usual="", rule="EGW-170", names=True)


def _level_stripped(ctx: Context) -> int:
    """The level of what is stripped, above which nothing is made of it; the highest while it is not known."""
    try:
        return level_in(ctx)
    except (MissingField, Withheld):
        return 6


MADE_LEVEL = Field("made_level", Whole(1, _level_stripped), rule="EGW-170", upon=OBJECT_LEVEL.id)
CONVERT = Move(
    "convert",
    group="gear", cast=(INITIATOR, ITEM, GAME_MASTER), rules=("EGW-170", "EGW-171"), offered=has_learnt("61"),
    steps=(
        Ask("announce", (NAME, OBJECT_LEVEL, MADE_LEVEL, *tested_in("61"), GRADE)),
        Window("absurd", "gm", "veto", back_to="announce"),
        Ask("settle", OPENLY),
        Resolve("convert", _convert_call, changes=_change_convert,
                outcome=lambda done: "converted" if done.success else "not_converted",
                success=lambda done: done.success,
                tell=lambda ctx, done: (said("told_converted", n=done.quality) if done.success
                                        else said("told_not_converted"),),
                shown=lambda ctx, done: Shown(dice=PAIR, detail=GM_ONLY)),
    ),
)


class Salvaged(NamedTuple):
    """What an abandoned machine gives."""

    parts: int


def strip(dice: Dice, quality: int, state: State) -> Salvaged:
    """Take it to pieces."""
    check_whole(state, quality)
    return Salvaged(salvage(quality, state.damage))


def _salvage_call(ctx: Context) -> Call[Salvaged]:
    gear = ITEM.brought(ctx)
    state = gear.state if gear is not None else State(ITEM.figure(ctx, DAMAGE, lambda gear: gear.damage))
    return Call(strip, quality_in(ctx), state)


def _change_salvage(ctx: Context, done: Salvaged) -> Sequence[Change]:
    actor = ITEM.actor(ctx)
    if actor is None:
        return ()
    gear = actor.sheet(Gear)
    stripped = replace(gear, scrapped=True, spare_parts=gear.spare_parts + done.parts)
    return [change for name in ("scrapped", "spare_parts")
            for change in changed(actor.id, actor.record, name, getattr(stripped, name), "EGW-156")]


SALVAGE = Move(
    "salvage",
    group="gear", cast=(INITIATOR, ITEM, GAME_MASTER), rules=("EGW-156",),
    steps=(
        Ask("settle", (QUALITY, DAMAGE)),
        Resolve("strip", _salvage_call,
                outcome=lambda done: "parts" if done.parts else "no_parts", changes=_change_salvage,
                tell=lambda ctx, done: (said("told_parts", n=done.parts),)),
    ),
)

MOVES = (USE_OBJECT, WEAR_CHECK, REPAIR, WORKSHOP, CONVERT, SALVAGE)
