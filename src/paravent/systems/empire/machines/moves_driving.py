"""Moves of driving: a hard manoeuvre, an accident."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from paravent.dice import Dice, odds
from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
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
    Whole,
    asking,
    changed,
)
from paravent.systems.empire.actions.trials import GRADE, SETTLED, TESTED, against, grade_of
from paravent.systems.empire.people.character import Character
from paravent.systems.empire.people.creation import Guild
from paravent.systems.empire.things import actor_in, figure, record_in
from paravent.systems.empire.throws import PAIR, by_gm, said, to_gm
from paravent.systems.empire.travel.travel import number

from .driving import Blow, Driven, Milieu, Speed, accident, drive, driving_skill, long_drive, stamina
from .errors import NeedsNavyborg
from .gear import State, struck
from .kinds import Robot
from .machines import Exposure
from .moves_gear import DAMAGE, LEVEL, QUALITY, SECRET_TEST, level_in, state_in, state_key, stated, usable
from .robots import RobotType, bubble_level, check_pace, navymec_is_safe
from .roles import ITEM


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
        Resolve("drive", asking(by_gm(drive_safely), _read_drive), tell=_tell_drive, changes=_change_drive, blind=True,
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


def _read_crash(ctx: Context) -> tuple[Any, ...]:
    gear = record_in(ctx, "item")
    vehicle = Vehicle(gear.exposure if gear is not None else ctx["exposure"], level_in(ctx),
                      figure(ctx, "quality", "item"), state_in(ctx), gear.margin_used if gear is not None else 0)
    return vehicle, ctx["speed"], ctx["n_dice"] or 3, ctx["told_damage"] or 0, ctx.rulings


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
        Resolve("crash",
            asking(by_gm(crash), _read_crash), outcome=lambda done: state_key(done.state), changes=_change_crash,
                tell=_tell_crash,
                shown=lambda ctx, done: Shown(dice=GM_ONLY, detail=GM_ONLY)),
    ),
)

MOVES = (DRIVE, ACCIDENT)
