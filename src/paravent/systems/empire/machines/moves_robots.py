"""Moves of robots: orders given, programmes added."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from paravent.dice import Dice
from paravent.game import (
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    Ask,
    Change,
    Context,
    Field,
    Flag,
    Move,
    OneOf,
    Resolve,
    Shown,
    TextField,
    Whole,
    Window,
    asking,
    changed,
)
from paravent.systems.empire.actions.action import Roll, dice_of, roll_under
from paravent.systems.empire.actions.trials import (
    OPENLY,
    TESTED,
    against,
    score_used,
    sheet_level,
    usual_characteristic,
)
from paravent.systems.empire.things import actor_in, record_in
from paravent.systems.empire.throws import PAIR, said
from paravent.systems.empire.trade.purse import paid

from .moves_gear import QUALITY, usable
from .robots import (
    Conduct,
    Order,
    Programme,
    RobotType,
    check_has,
    check_new,
    check_programme,
    conduct,
    formec_characteristic,
    logimec_threshold,
    skills_of,
)
from .roles import ROBOT


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
        Resolve("order",
            asking(order_robot, _read_order), outcome=_order_key, success=lambda done: done.success is True,
                tell=lambda ctx, done: (said(f"told_{_order_key(done)}"),),
                shown=lambda ctx, done: Shown(dice=PAIR, detail=GM_ONLY)),
    ),
)


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
        Resolve("add", asking(add_programme, _read_programme), changes=_change_programme,
                outcome=lambda bonus: "programme_added", tell=lambda ctx, bonus: (said("told_programme", n=bonus),)),
    ),
)

MOVES = (ORDER_ROBOT, ADD_PROGRAMME)
