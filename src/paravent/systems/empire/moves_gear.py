"""Moves of gear: driving, robots, use and wear, repairs, conversion, salvage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from paravent.dice import Dice, odds
from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    INVISIBLE,
    Actor,
    Ask,
    Change,
    Context,
    Field,
    Flag,
    Forecast,
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
)

from .action import Roll, dice_of, roll_under
from .character import Character
from .driving import (
    Blow,
    Driven,
    Milieu,
    Speed,
    accident,
    drive,
    driving_skill,
    long_drive,
    stamina,
)
from .errors_worlds import NeedsNavyborg, NoSpareParts, OutOfOrder
from .gear import (
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
    struck,
    taken_apart,
    uses_of,
    wear_check,
    wear_is_due,
    workshop,
)
from .kinds_worlds import Gear, Robot
from .machines import Exposure
from .reading import GRADE, PAIR, SETTLED, grade_of, said, score_used
from .reading_worlds import (
    DONOR,
    ITEM,
    OPENLY,
    ROBOT,
    TESTED,
    actor_in,
    against,
    by_gm,
    figure,
    knows,
    made,
    paid,
    record_in,
    secret,
    sheet_level,
    to_gm,
    usual_characteristic,
)
from .robots import (
    Conduct,
    Order,
    Programme,
    RobotType,
    bubble_level,
    check_has,
    check_new,
    check_pace,
    check_programme,
    conduct,
    formec_characteristic,
    logimec_threshold,
    navymec_is_safe,
    rate_bonus,
    skills_of,
)
from .terms import Guild
from .travel import number

SECRET_TEST = Shown(dice=GM_ONLY, outcome=GM_ONLY)
"""Everybody knows that somebody tries; how it goes, only the game master."""
LEVEL = Field("object_level", Whole(1, 6), optional=True, rule="EGW-102")
QUALITY = Field("quality", Whole(1), "gm", optional=True, rule="EGW-102")
DAMAGE = secret("damage", Whole(0), "EGW-151", optional=True)


def level_in(ctx: Context) -> int:
    """The level of the object, typed or on its record."""
    return int(figure(ctx, "object_level", "item", "tech_level"))


def state_in(ctx: Context) -> State:
    """How the object stands: its record, or the damage that the game master says."""
    gear = record_in(ctx, "item")
    typed = ctx["damage"]
    if gear is not None:
        state: State = gear.state
        return state
    damage = typed or 0
    return State(damage, damage > level_in(ctx))


def usable(ctx: Context, role: str = "item") -> None:
    """Refuse a machine that is out of order."""
    gear = record_in(ctx, role)
    if gear is not None and not can_be_used(gear.state):
        raise OutOfOrder(name=gear.name)


def stated(ctx: Context, state: State, rule: str) -> list[Change]:
    """The changes that write an object's new state on its record."""
    actor = actor_in(ctx, "item")
    if actor is None:
        return []
    written = (("damage", state.damage), ("broken", state.broken), ("scrapped", state.scrapped))
    return [change for name, value in written for change in changed(actor.id, actor.record, name, value, rule)]


# Driving


def _is_navymec(ctx: Context) -> bool:
    """Whether the vehicle drives itself: as its record says, or as declared."""
    vehicle = record_in(ctx, "item")
    return vehicle.robot is RobotType.NAVYMEC if isinstance(vehicle, Robot) else ctx["robot"] is RobotType.NAVYMEC


def _check_navymec(ctx: Context) -> None:
    check_pace(ctx["coupled"], ctx["speed"] is Speed.MAXIMUM)
    driver = ctx.one().record
    if ctx["coupled"] and isinstance(driver, Character) and driver.guild is not Guild.NAVYBORG:
        raise NeedsNavyborg(guild=driver.guild.value)


def drive_safely(dice: Dice, safe: bool, n_dice: int, limit: int, plus: int) -> Driven:
    """A drive; a navymec left to itself is never in danger."""
    if safe:
        dice.note("EGW-134", "navymec")
        return Driven(True, 0)
    return drive(dice, n_dice, limit, plus)


def _read_drive(ctx: Context) -> tuple[Any, ...]:
    usable(ctx)
    if not _is_navymec(ctx):
        return False, *against(ctx, driving_skill(level_in(ctx))), level_in(ctx)
    _check_navymec(ctx)
    if navymec_is_safe(ctx["coupled"], ctx.rulings):
        return True, 1, 0, 0
    tested = against(ctx, driving_skill(bubble_level(False, ctx.rulings)))
    return False, *tested, grade_of(ctx, ctx.one(), Guild.NAVYBORG)


def _tell_drive(ctx: Context, done: Driven) -> Sequence[Telling]:
    lines = [said("told_driving", EVERYONE)]
    if done.hours:
        lines.append(to_gm("told_safe_hours" if done.success else "told_doomed_hours", n=done.hours))
    endurance = getattr(ctx.one().record, "endurance", None)
    if endurance is not None and not (_is_navymec(ctx) and not ctx["coupled"]):
        lines.append(said("told_stamina", PAIR, hours=number(stamina(endurance, ctx["milieu"], ctx["speed"]))))
    return lines


def _change_drive(ctx: Context, done: Driven) -> Sequence[Change]:
    actor = actor_in(ctx, "item")
    if actor is None:
        return ()
    return (*changed(actor.id, actor.record, "safe_hours", done.hours, "EGW-122", GM_ONLY),
            *changed(actor.id, actor.record, "doomed", not done.success, "EGW-121", GM_ONLY))


def _forecast(ctx: Context) -> Forecast:
    """How a long drive ends, test after test."""
    safe, n_dice, limit, plus = _read_drive(ctx)
    if safe:
        return Forecast(odds(lambda dice: "safe"), 1)
    end = long_drive(ctx["hours"], n_dice, limit, plus)
    return Forecast(end.ends.map(lambda road: "doomed" if road.accident else "safe"), end.mean_steps)


SPEED = Field("speed", OneOf(Speed), usual=Speed.MEAN, rule="EGW-123")
DRIVE = Move(
    "drive",
    group="gear", cast=(INITIATOR, ITEM, GAME_MASTER),
    rules=("EGW-120", "EGW-121", "EGW-122", "EGW-123", "EGW-134", "EGW-135"),
    forecast=_forecast,
    steps=(
        Ask("declare", (
            LEVEL, SPEED,
            Field("hours", Whole(1, 48), usual=8, rule="EGW-122"),
            Field("milieu", OneOf(Milieu), usual=Milieu.GROUND, rule="EGW-123"),
            Field("robot", OneOf((RobotType.NAVYMEC,)), optional=True, rule="EGW-134"),
            Field("coupled", Flag(), usual=False, rule="EGW-135"),
            *TESTED, GRADE,
        )),
        Ask("settle", SETTLED),
        Resolve("drive", by_gm(drive_safely), _read_drive, tell=_tell_drive, changes=_change_drive, blind=True,
                outcome=lambda done: "safe" if done.success else "doomed", success=lambda done: done.success,
                shown=lambda ctx, done: SECRET_TEST),
    ),
)  # fmt: skip


class Crashed(NamedTuple):
    """An accident: the blow, and how the vehicle stands."""

    blow: Blow
    state: State
    margin_used: int


class Vehicle(NamedTuple):
    """What crashes."""

    exposure: Exposure
    tech_level: int
    quality: int
    state: State
    margin_used: int = 0


def crash(dice: Dice, vehicle: Vehicle, speed: Speed, n_dice: int, told: int, rulings: Rulings) -> Crashed:
    """One sure blow, less the vehicle's margin; weapons' immunities do not count."""
    blow = accident(dice, speed, n_dice, told, rulings)
    state, used = struck(vehicle.state, blow.points, vehicle.exposure, vehicle.tech_level, vehicle.quality,
                         vehicle.margin_used, rulings)  # fmt: skip
    return Crashed(blow, state, used)


def _read_crash(ctx: Context) -> tuple[Any, ...]:
    gear = record_in(ctx, "item")
    vehicle = Vehicle(gear.exposure if gear is not None else ctx["exposure"], level_in(ctx),
                      figure(ctx, "quality", "item"), state_in(ctx), gear.margin_used if gear is not None else 0)
    return vehicle, ctx["speed"], ctx["n_dice"] or 3, ctx["told_damage"] or 0, ctx.rulings


def state_key(state: State) -> str:
    """How an object stands, in a word."""
    return "scrapped" if state.scrapped else "broken_down" if state.broken else "still_works"


def _tell_crash(ctx: Context, done: Crashed) -> Sequence[Telling]:
    lines = [said(f"told_{state_key(done.state)}"), to_gm("told_blow", n=done.blow.points)]
    return [*lines, to_gm("told_aboard", n=done.blow.occupants)] if done.blow.occupants else lines


def _change_crash(ctx: Context, done: Crashed) -> Sequence[Change]:
    changes, actor = stated(ctx, done.state, "EGW-121"), actor_in(ctx, "item")
    if actor is not None:
        changes += changed(actor.id, actor.record, "margin_used", done.margin_used, "EGW-185", GM_ONLY)
        changes += changed(actor.id, actor.record, "doomed", False, "EGW-121", GM_ONLY)
    return changes


ACCIDENT = Move(
    "accident",
    group="gear", by="gm", cast=(ITEM, GAME_MASTER), rules=("EGW-121", "EGW-152", "EGW-155", "EGW-185"),
    steps=(
        Ask("settle", (
            Field("object_level", Whole(1, 6), "gm", optional=True, rule="EGW-121"),
            QUALITY, DAMAGE,
            Field("exposure", OneOf(Exposure), "gm", usual=Exposure.PROTECTED, rule="EGW-185"),
            Field("speed", OneOf(Speed), "gm", usual=Speed.MEAN, rule="EGW-121"),
            Field("n_dice", Whole(1, 5), "gm", usual=3, rule="EGW-121",
                  when=lambda ctx: ctx.rulings.accident_severity == "by_terrain"),
            Field("told_damage", Whole(0), "gm", usual=0, rule="EGW-121",
                  when=lambda ctx: ctx.rulings.accident_severity == "gm"),
        )),
        Resolve("crash", by_gm(crash), _read_crash, outcome=lambda done: state_key(done.state), changes=_change_crash,
                tell=_tell_crash,
                shown=lambda ctx, done: Shown(dice=GM_ONLY, detail=GM_ONLY)),
    ),
)  # fmt: skip


# Robots


class Ordered(NamedTuple):
    """What a robot does of an order, and how it goes where a programme is at work."""

    conduct: Conduct
    success: bool | None = None


def order_robot(dice: Dice, order: Order, n_dice: int, limit: int) -> Ordered:
    """The three laws first; then the test of the programme, if there is one."""
    done = conduct(order)
    dice.note("EGW-137", done.value)
    if done is not Conduct.OBEYS or n_dice == 0:
        return Ordered(done)
    rolled: Roll = roll_under(dice, n_dice, limit)
    return Ordered(done, rolled.success)


def _read_order(ctx: Context) -> tuple[Any, ...]:
    usable(ctx, "robot")
    robot, programme = record_in(ctx, "robot"), ctx["programme"]
    given = bool(ctx["order"] or programme or ctx["needs_test"])
    order = Order(ctx["harms_human"], ctx["human_in_peril"], ctx["harms_itself"], given)
    kind = robot.robot if robot is not None else ctx["robot_type"]
    if kind is RobotType.FORMEC:
        quality = robot.quality if robot is not None else ctx["quality"] or 7
        dice = dice_of(ctx["difficulty"], ctx["column"]) if ctx["needs_test"] else 0
        return order, dice, formec_characteristic(quality)
    if programme is None:
        return order, 0, 0
    return order, *_programmed(ctx, programme, robot)


def _programmed(ctx: Context, programme: Programme, robot: Any) -> tuple[int, int]:
    added = ctx["added"]
    if robot is not None:
        check_has(programme, (*robot.programmes, *robot.added))
        added = programme.value not in robot.programmes
    skill = skills_of(programme)[0]
    dice, limit = against(ctx, skill, unskilled=False)
    actor = ctx.one()
    score = score_used(ctx, actor, usual_characteristic(ctx, actor, skill))
    level = sheet_level(ctx, "level", skill)
    held = logimec_threshold(score, level, programme, added, sheet_level(ctx, "robotics", "66"), ctx.rulings)
    return dice, held + limit - score - level


def _order_key(done: Ordered) -> str:
    if done.success is None:
        return done.conduct.value
    return "robot_succeeds" if done.success else "robot_fails"


ROBOTICS = Field("robotics", Whole(0, 6), optional=True, rule="EGW-133")
ORDER_ROBOT = Move(
    "order-robot",
    group="gear", cast=(INITIATOR, ROBOT, GAME_MASTER),
    rules=("EGW-131", "EGW-132", "EGW-133", "EGW-136", "EGW-137", "EGW-138"),
    steps=(
        Ask("order", (
            Field("order", TextField(300), usual="", rule="EGW-137"),
            Field("robot_type", OneOf(RobotType), usual=RobotType.LOGIMEC, rule="EGW-131"),
            Field("programme", OneOf(Programme), optional=True, rule="EGW-131"),
            Field("added", Flag(), usual=False, rule="EGW-133"),
            ROBOTICS, *TESTED,
        )),
        Ask("settle", (
            Field("harms_human", Flag(), "gm", usual=False, rule="EGW-137"),
            Field("human_in_peril", Flag(), "gm", usual=False, rule="EGW-137"),
            Field("harms_itself", Flag(), "gm", usual=False, rule="EGW-137"),
            Field("needs_test", Flag(), "gm", usual=False, rule="EGW-136"),
            QUALITY, *OPENLY,
        )),
        Resolve("order", order_robot, _read_order, outcome=_order_key, success=lambda done: done.success is True,
                tell=lambda ctx, done: (said(f"told_{_order_key(done)}"),),
                shown=lambda ctx, done: Shown(dice=PAIR, detail=GM_ONLY)),
    ),
)  # fmt: skip


def add_programme(dice: Dice, programme: Programme, robotics: int, kind: RobotType, known: tuple[str, ...]) -> int:
    """A programme bought and added; it will be worth the owner's level in Robotics."""
    check_programme(robotics)
    check_new(programme, kind, known)
    return robotics


def _read_programme(ctx: Context) -> tuple[Any, ...]:
    robot = record_in(ctx, "robot")
    kind, known = (robot.robot, (*robot.programmes, *robot.added)) if robot is not None else (RobotType.LOGIMEC, ())
    return ctx["programme"], sheet_level(ctx, "robotics", "66"), kind, known


def _change_programme(ctx: Context, bonus: int) -> Sequence[Change]:
    changes = list(paid(ctx.one(), ctx["price"], "EGW-133"))
    actor = actor_in(ctx, "robot")
    if actor is not None:
        added = (*actor.record.added, ctx["programme"].value)
        changes += changed(actor.id, actor.record, "added", added, "EGW-133")
    return changes


ADD_PROGRAMME = Move(
    "add-programme",
    group="gear", cast=(INITIATOR, ROBOT, GAME_MASTER), rules=("EGW-131", "EGW-133"),
    steps=(
        Ask("want", (
            Field("programme", OneOf(Programme), rule="EGW-131"), ROBOTICS,
            Field("price", Whole(0), usual=0, rule="EGW-133"),
        )),
        Window("approve", "gm", "approval", back_to="want"),
        Resolve("add", add_programme, _read_programme, changes=_change_programme,
                outcome=lambda bonus: "programme_added", tell=lambda ctx, bonus: (said("told_programme", n=bonus),)),
    ),
)  # fmt: skip


# Use and wear


class Used(NamedTuple):
    """An object used: its counter, and whether a wear check is due."""

    uses: int
    due: bool


def use(dice: Dice, tech_level: int, uses: int, quality: int, misused: bool, rough: bool) -> Used:
    """Count uses; beyond its quality, misused or in hard places, an object is to be checked."""
    due = wear_is_due(tech_level, uses, quality, misused=misused, rough=rough)
    return Used(uses, due)


def _read_use(ctx: Context) -> tuple[Any, ...]:
    usable(ctx)
    gear = record_in(ctx, "item")
    uses = (gear.uses if gear is not None else 0) + ctx["amount"]
    return level_in(ctx), uses, figure(ctx, "quality", "item"), ctx["misused"], ctx["rough"]


def _change_use(ctx: Context, done: Used) -> Sequence[Change]:
    actor = actor_in(ctx, "item")
    if actor is None:
        return ()
    return changed(actor.id, actor.record, "uses", done.uses, "EGW-150", GM_ONLY)


def _tell_use(ctx: Context, done: Used) -> Sequence[Telling]:
    unit = uses_of(ctx["object_kind"], ctx.rulings)
    return (to_gm("told_used", n=done.uses, unit=f"unit_{unit}"), *((to_gm("told_wear_due"),) if done.due else ()))


USE_OBJECT = Move(
    "use-object",
    group="gear", cast=(INITIATOR, ITEM, GAME_MASTER), rules=("EGW-150", "EGW-153"),
    steps=(
        Ask("use", (
            LEVEL,
            Field("amount", Whole(1), usual=1, rule="EGW-150"),
            Field("object_kind", OneOf(("tool", "vehicle", "clothing")), usual="tool", rule="EGW-150"),
            Field("misused", Flag(), usual=False, rule="EGW-150"),
        )),
        Ask("settle", (QUALITY, Field("rough", Flag(), "gm", usual=False, rule="EGW-150"))),
        Resolve("use", use, _read_use, tell=_tell_use, changes=_change_use,
                outcome=lambda done: "wear_due" if done.due else "used",
                shown=lambda ctx, done: SECRET_TEST),
    ),
)  # fmt: skip


def _read_wear(ctx: Context) -> tuple[Any, ...]:
    level = level_in(ctx)
    dice, limit = against(ctx, repair_skill(level) or "63", unskilled=False)
    return dice, limit, state_in(ctx), level, figure(ctx, "quality", "item"), ctx.rulings


def _change_wear(ctx: Context, done: Worn) -> Sequence[Change]:
    changes, actor = stated(ctx, done.state, "EGW-151"), actor_in(ctx, "item")
    if actor is not None:
        changes += changed(actor.id, actor.record, "uses", 0, "EGW-151", GM_ONLY)
    return changes


def _tell_wear(ctx: Context, done: Worn) -> Sequence[Telling]:
    before, after = state_in(ctx), done.state
    lines = [to_gm("told_held" if done.success else "told_worn", n=after.damage)]
    return [*lines, said(f"told_{state_key(after)}", EVERYONE)] if after.broken and not before.broken else lines


WEAR_CHECK = Move(
    "wear-check",
    group="gear", by="gm", cast=(INITIATOR, ITEM, GAME_MASTER), exists=GM_ONLY,
    rules=("EGW-150", "EGW-151", "EGW-152", "EGW-153", "EGW-154"),
    steps=(
        Ask("settle", (
            Field("reason", OneOf(("long_use", "misuse", "climate", "whim")), "gm", usual="whim", secrecy="gm",
                  rule="EGW-150"),
            QUALITY, DAMAGE, *SETTLED,
        )),
        Ask("user", (LEVEL, *TESTED)),
        Resolve("wear", by_gm(wear_check), _read_wear, tell=_tell_wear, changes=_change_wear, blind=True,
                outcome=lambda done: "holds" if done.success else state_key(done.state),
                success=lambda done: done.success, shown=lambda ctx, done: INVISIBLE),
    ),
)  # fmt: skip


# Repairs


def _stores(ctx: Context) -> Iterator[Actor]:
    """Where the parts come from: those kept with the object, then machines taken to pieces, of its level or above."""
    level = level_in(ctx)
    for actor in (actor_in(ctx, "item"), *ctx.all("donor")):
        if actor is not None and isinstance(actor.record, Gear) and actor.record.tech_level >= level:
            yield actor


def _parts(ctx: Context) -> int:
    typed = ctx["parts"]
    parts = typed if typed is not None else sum(actor.record.spare_parts for actor in _stores(ctx))
    if parts < 1:
        raise NoSpareParts()
    return int(parts)


def _helped(ctx: Context, level: int) -> tuple[Programme | None, bool]:
    """The repairer at work, if there is one for this level, and whether it was added to its robot."""
    robot = record_in(ctx, "robot")
    if repair_skill(level) not in skills_of(Programme.REPAIRER):
        return None, False
    if robot is None:
        return Programme.REPAIRER if ctx["logimec"] else None, False
    usable(ctx, "robot")
    check_has(Programme.REPAIRER, (*robot.programmes, *robot.added))
    return Programme.REPAIRER, Programme.REPAIRER.value not in robot.programmes


def _unit(ctx: Context) -> Unit:
    return repair_unit(level_in(ctx), ctx["kit_level"], prosthesis=ctx["prosthesis"])


def _read_repair(ctx: Context) -> tuple[Any, ...]:
    level, own = level_in(ctx), sheet_level(ctx, "level", repair_skill(level_in(ctx)))
    unit = _unit(ctx)
    helper, added = _helped(ctx, level)
    robotics = ctx.one().record.level("66") if isinstance(ctx.one().record, Character) else 0
    bonus = logimec_threshold(0, own, helper, added, robotics, ctx.rulings) - own if helper else 0
    dice, limit = against(ctx, repair_skill(level) or "63", more_mods=bonus, unskilled=False)
    job = Job(dice, limit, grade_of(ctx, ctx.one(), Guild.TEKNO), level, state_in(ctx), _parts(ctx), unit,
              rate_bonus(helper, ctx.rulings))  # fmt: skip
    return job, ctx.rulings


def _tell_repair(ctx: Context, done: Repaired) -> Sequence[Telling]:
    if not done.success:
        return (said("told_fault_hidden"),)
    if not done.points:
        return (said("told_unit_lost"), to_gm("told_rate", n=done.rate, unit=_unit(ctx).value))
    lines = [to_gm("told_repair", n=done.points, rate=done.rate, unit=_unit(ctx).value, hours=number(done.hours))]
    if done.works_after is not None:
        lines.append(to_gm("told_works_after", hours=number(done.works_after)))
    if done.works:
        lines.append(said("told_it_works", PAIR, n=done.state.damage))
    return lines


def _change_repair(ctx: Context, done: Repaired) -> Sequence[Change]:
    changes, needed = stated(ctx, done.state, "EGW-164"), done.points if ctx["parts"] is None else 0
    for actor in _stores(ctx):
        taken = min(needed, actor.record.spare_parts)
        changes += changed(actor.id, actor.record, "spare_parts", actor.record.spare_parts - taken, "EGW-160")
        needed -= taken
    return changes


REPAIR = Move(
    "repair",
    group="gear", cast=(INITIATOR, ITEM, DONOR, ROBOT, GAME_MASTER),
    rules=("EGW-132", "EGW-156", "EGW-157", "EGW-160", "EGW-161", "EGW-162", "EGW-164", "EGW-165", "EGW-166"),
    steps=(
        Ask("declare", (
            LEVEL,
            Field("parts", Whole(0), optional=True, rule="EGW-160"),
            Field("kit_level", Whole(0, 6), usual=0, rule="EGW-161"),
            Field("prosthesis", Flag(), usual=lambda ctx: knows(ctx, "56"), rule="EGW-162"),
            Field("logimec", Flag(), usual=False, rule="EGW-132"),
            *TESTED, GRADE,
        )),
        Ask("settle", (DAMAGE, *SETTLED)),
        Resolve("repair", by_gm(repair), _read_repair, tell=_tell_repair, changes=_change_repair, blind=True,
                outcome=lambda done: "fault_hidden" if not done.success else "mended" if done.works
                else "unit_lost" if not done.points else "still_broken",
                success=lambda done: done.success and done.works,
                shown=lambda ctx, done: Shown(dice=GM_ONLY, detail=GM_ONLY)),
    ),
)  # fmt: skip


class Fixed(NamedTuple):
    """A workshop's bill."""

    credits: int
    hours: Fraction


def fix(dice: Dice, value: int, state: State, skilled: bool, level: int, grade: int, rulings: Rulings) -> Fixed:
    """Everything mended, for money."""
    done = workshop(dice, value, state, skilled, level, grade, rulings)
    return Fixed(int(done.credits + Fraction(1, 2)), done.hours)


def _knows_the_trade(ctx: Context) -> bool:
    gear = record_in(ctx, "item")
    return gear is not None and knows(ctx, repair_skill(gear.tech_level))


def _read_workshop(ctx: Context) -> tuple[Any, ...]:
    level = level_in(ctx)
    check_workshop(level, ctx["place_level"])
    value = figure(ctx, "price", "item")
    return value, state_in(ctx), ctx["skilled"], level, grade_of(ctx, ctx.one(), Guild.TEKNO), ctx.rulings


def _change_workshop(ctx: Context, done: Fixed) -> Sequence[Change]:
    state = state_in(ctx)
    whole = mended(state, state.damage, level_in(ctx), ctx.rulings)
    return (*paid(ctx.one(), done.credits, "EGW-163"), *stated(ctx, whole, "EGW-163"))


WORKSHOP = Move(
    "workshop",
    group="gear", cast=(INITIATOR, ITEM, GAME_MASTER), rules=("EGW-163",),
    steps=(
        Ask("declare", (
            LEVEL,
            Field("price", Whole(0), optional=True, rule="EGW-163"),
            Field("skilled", Flag(), usual=lambda ctx: _knows_the_trade(ctx), rule="EGW-163"),
            GRADE,
        )),
        Ask("settle", (Field("place_level", Whole(1, 6), "gm", usual=6, rule="EGW-163"), DAMAGE)),
        Resolve("fix", fix, _read_workshop, outcome=lambda done: "fixed", changes=_change_workshop,
                tell=lambda ctx, done: (said("told_fixed", n=done.credits, hours=number(done.hours)),)),
    ),
)  # fmt: skip


# Making one thing of another


def _read_convert(ctx: Context) -> tuple[Any, ...]:
    return *against(ctx, "61"), grade_of(ctx, ctx.one(), Guild.TEKNO), ctx["made_level"], level_in(ctx)


def _change_convert(ctx: Context, done: Converted) -> Sequence[Change]:
    if not done.success:
        stripped = record_in(ctx, "item")
        return () if stripped is None else stated(
            ctx, taken_apart(stripped.state, stripped.tech_level, stripped.quality), "EGW-171")  # fmt: skip
    gear = Gear(ctx["name"], ctx["made_level"], quality=max(1, done.quality))
    changes = [made(gear.name or "item", gear, "item", "EGW-171", EVERYONE)]
    actor = actor_in(ctx, "item")
    if actor is not None:
        changes += changed(actor.id, actor.record, "scrapped", True, "EGW-170")
    return changes


CONVERT = Move(
    "convert",
    group="gear", cast=(INITIATOR, ITEM, GAME_MASTER), rules=("EGW-170", "EGW-171"),
    steps=(
        Ask("announce", (
            Field("name", TextField(80), usual="", rule="EGW-170"),
            Field("made_level", Whole(1, 6), rule="EGW-170"),
            LEVEL, *TESTED, GRADE,
        )),
        Window("absurd", "gm", "veto", back_to="announce"),
        Ask("settle", OPENLY),
        Resolve("convert", convert, _read_convert, changes=_change_convert,
                outcome=lambda done: "converted" if done.success else "not_converted",
                success=lambda done: done.success,
                tell=lambda ctx, done: (said("told_converted", n=done.quality) if done.success
                                        else said("told_not_converted"),),
                shown=lambda ctx, done: Shown(dice=PAIR, detail=GM_ONLY)),
    ),
)  # fmt: skip


class Salvaged(NamedTuple):
    """What an abandoned machine gives."""

    parts: int


def strip(dice: Dice, quality: int, state: State) -> Salvaged:
    """Take it to pieces."""
    check_whole(state, quality)
    return Salvaged(salvage(quality, state.damage))


def _read_salvage(ctx: Context) -> tuple[Any, ...]:
    gear = record_in(ctx, "item")
    state = gear.state if gear is not None else State(figure(ctx, "damage", "item"))
    return figure(ctx, "quality", "item"), state


def _change_salvage(ctx: Context, done: Salvaged) -> Sequence[Change]:
    actor = actor_in(ctx, "item")
    if actor is None:
        return ()
    stripped = replace(actor.record, scrapped=True, spare_parts=actor.record.spare_parts + done.parts)
    return [change for name in ("scrapped", "spare_parts")
            for change in changed(actor.id, actor.record, name, getattr(stripped, name), "EGW-156")]


SALVAGE = Move(
    "salvage",
    group="gear", cast=(INITIATOR, ITEM, GAME_MASTER), rules=("EGW-156",),
    steps=(
        Ask("settle", (QUALITY, DAMAGE)),
        Resolve("strip", strip, _read_salvage,
                outcome=lambda done: "parts" if done.parts else "no_parts", changes=_change_salvage,
                tell=lambda ctx, done: (said("told_parts", n=done.parts),)),
    ),
)  # fmt: skip

MOVES = (
    DRIVE, ACCIDENT, ORDER_ROBOT, ADD_PROGRAMME, USE_OBJECT, WEAR_CHECK, REPAIR, WORKSHOP, CONVERT,
    SALVAGE,
)
