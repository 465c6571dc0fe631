"""Moves of driving: a hard manoeuvre, an accident."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from paravent.dice import Dice, odds
from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    Ask,
    Call,
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
    Whole,
    changed,
)
from paravent.systems.empire.actions.trials import GRADE, SETTLED, against, grade_of, tested_in
from paravent.systems.empire.people.character import Character
from paravent.systems.empire.people.creation import Guild
from paravent.systems.empire.terms import figure
from paravent.systems.empire.throws import PAIR, by_gm, said, to_gm

from .driving import Blow, Driven, Milieu, Speed, accident, drive, driving_skill, long_drive, stamina
from .errors import NeedsNavyborg
from .gear import State, struck
from .kinds import Robot
from .machines import Exposure
from .moves_gear import (
    DAMAGE,
    OBJECT_LEVEL,
    QUALITY,
    SECRET_TEST,
    check_usable,
    level_in,
    quality_in,
    state_in,
    state_key,
    stated,
    usable,
)
from .robots import RobotType, bubble_level, check_pace, navymec_is_safe
from .roles import ITEM


def _is_navymec(ctx: Context) -> bool:
    """Whether the vehicle drives itself: as its record says, or as declared."""
    vehicle = ITEM.brought(ctx)
    return vehicle.robot is RobotType.NAVYMEC if isinstance(vehicle, Robot) else ctx[DRIVES_ITSELF] is not None


def _check_navymec(ctx: Context) -> None:
    check_pace(ctx[COUPLED], ctx[SPEED] is Speed.MAXIMUM)
    driver = ctx.one().record
    if ctx[COUPLED] and isinstance(driver, Character) and driver.guild is not Guild.NAVYBORG:
        raise NeedsNavyborg(guild=driver.guild.value)


def drive_safely(dice: Dice, safe: bool, n_dice: int, limit: int, plus: int) -> Driven:
    """A drive; a navymec left to itself is never in danger."""
    if safe:
        dice.note("EGW-134", "navymec")
        return Driven(True, 0)
    return drive(dice, n_dice, limit, plus)


def _driven_by(ctx: Context) -> str:
    """The skill at the wheel, which depends on the vehicle."""
    return driving_skill(bubble_level(False, ctx.rulings) if _is_navymec(ctx) else level_in(ctx))


def _drive(ctx: Context) -> tuple[bool, int, int, int]:
    """Whether it is without danger, the dice, the threshold, and what is added to the hours that all goes well."""
    check_usable(ITEM.brought(ctx))
    if not _is_navymec(ctx):
        return False, *against(ctx, _driven_by(ctx)), level_in(ctx)
    _check_navymec(ctx)
    if navymec_is_safe(ctx[COUPLED], ctx.rulings):
        return True, 1, 0, 0
    tested = against(ctx, _driven_by(ctx))
    return False, *tested, grade_of(ctx, ctx.one(), Guild.NAVYBORG)


def _tell_drive(ctx: Context, done: Driven) -> Sequence[Telling]:
    lines = [said("told_driving", EVERYONE)]
    if done.hours:
        lines.append(to_gm("told_safe_hours" if done.success else "told_doomed_hours", n=done.hours))
    endurance = getattr(ctx.one().record, "endurance", None)
    if endurance is not None and not (_is_navymec(ctx) and not ctx[COUPLED]):
        lines.append(said("told_stamina", PAIR, hours=figure(stamina(endurance, ctx[MILIEU], ctx[SPEED]))))
    return lines


def _change_drive(ctx: Context, done: Driven) -> Sequence[Change]:
    actor = ITEM.actor(ctx)
    if actor is None:
        return ()
    return (*changed(actor.id, actor.record, "safe_hours", done.hours, "EGW-122", GM_ONLY),
            *changed(actor.id, actor.record, "doomed", not done.success, "EGW-121", GM_ONLY))


def _forecast(ctx: Context) -> Forecast:
    """How a long drive ends, test after test."""
    safe, n_dice, limit, plus = _drive(ctx)
    if safe:
        return Forecast(odds(lambda dice: "safe"), 1)
    end = long_drive(ctx[HOURS], n_dice, limit, plus)
    return Forecast(end.ends.map(lambda road: "doomed" if road.accident else "safe"), end.mean_steps)


SPEED = Field("speed", OneOf(Speed), usual=Speed.MEAN, rule="EGW-123")
HOURS = Field("hours", Whole(1, 48), usual=8, rule="EGW-122")
MILIEU = Field("milieu", OneOf(Milieu), usual=Milieu.GROUND, rule="EGW-123")
DRIVES_ITSELF: Field[RobotType | None] = Field("robot", OneOf((RobotType.NAVYMEC,)), optional=True, rule="EGW-134")
DRIVEN_LEVEL = replace(OBJECT_LEVEL, when=lambda ctx: ITEM.brought(ctx) is None and not _is_navymec(ctx))
COUPLED = Field("coupled", Flag(), usual=False, rule="EGW-135")
DRIVE = Move(
    "drive",
    offered=usable,
    group="gear", cast=(INITIATOR, ITEM, GAME_MASTER),
    rules=("EGW-120", "EGW-121", "EGW-122", "EGW-123", "EGW-134", "EGW-135"),
    forecast=_forecast,
    steps=(
        Ask("declare", (DRIVES_ITSELF, DRIVEN_LEVEL, SPEED, HOURS, MILIEU, COUPLED, *tested_in(_driven_by), GRADE)),
        Ask("settle", SETTLED),
        Resolve("drive", lambda ctx: Call(by_gm(drive_safely), *_drive(ctx)), tell=_tell_drive, changes=_change_drive,
                blind=True,
                outcome=lambda done: "safe" if done.success else "doomed", success=lambda done: done.success,
                shown=lambda ctx, done: SECRET_TEST),
    ),
)


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
                         vehicle.margin_used, rulings)
    return Crashed(blow, state, used)


def _crash_call(ctx: Context) -> Call[Crashed]:
    gear = ITEM.brought(ctx)
    vehicle = Vehicle(gear.exposure if gear is not None else ctx[EXPOSURE], level_in(ctx),
                      quality_in(ctx), state_in(ctx), gear.margin_used if gear is not None else 0)
    return Call(by_gm(crash), vehicle, ctx[SPEED], ctx[N_DICE] or 3, ctx[TOLD_DAMAGE] or 0, ctx.rulings)


def _tell_crash(ctx: Context, done: Crashed) -> Sequence[Telling]:
    lines = [said(f"told_{state_key(done.state)}"), to_gm("told_blow", n=done.blow.points)]
    return [*lines, to_gm("told_aboard", n=done.blow.occupants)] if done.blow.occupants else lines


def _change_crash(ctx: Context, done: Crashed) -> Sequence[Change]:
    changes, actor = stated(ctx, done.state, "EGW-121"), ITEM.actor(ctx)
    if actor is not None:
        changes += changed(actor.id, actor.record, "margin_used", done.margin_used, "EGW-185", GM_ONLY)
        changes += changed(actor.id, actor.record, "doomed", False, "EGW-121", GM_ONLY)
    return changes


EXPOSURE = Field("exposure", OneOf(Exposure), "gm", usual=Exposure.PROTECTED, rule="EGW-185")
N_DICE: Field[int | None] = Field("n_dice", Whole(1, 5), "gm", usual=3, rule="EGW-121",
                                  when=lambda ctx: ctx.rulings.accident_severity == "by_terrain")
TOLD_DAMAGE: Field[int | None] = Field("told_damage", Whole(0), "gm", usual=0, rule="EGW-121",
                                       when=lambda ctx: ctx.rulings.accident_severity == "gm")
ACCIDENT = Move(
    "accident",
    group="gear", by="gm", cast=(ITEM, GAME_MASTER), rules=("EGW-121", "EGW-152", "EGW-155", "EGW-185"),
    steps=(
        Ask("settle", (
            replace(OBJECT_LEVEL, role="gm", rule="EGW-121"), QUALITY, DAMAGE, EXPOSURE,
            replace(SPEED, role="gm", rule="EGW-121"), N_DICE, TOLD_DAMAGE,
        )),
        Resolve("crash", _crash_call, outcome=lambda done: state_key(done.state), changes=_change_crash,
                tell=_tell_crash, shown=lambda ctx, done: Shown(dice=GM_ONLY, detail=GM_ONLY)),
    ),
)

MOVES = (DRIVE, ACCIDENT)
