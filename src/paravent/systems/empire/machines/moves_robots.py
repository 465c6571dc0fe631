"""Moves of robots: orders given, programmes added."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import (
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    Ask,
    Call,
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
    changed,
)
from paravent.systems.empire.actions.action import Roll, dice_of, roll_under
from paravent.systems.empire.actions.trials import (
    COLUMN,
    DIFFICULTY,
    LEVEL,
    OPENLY,
    against,
    has_learnt,
    score_used,
    sheet_level,
    tested_in,
    usual_characteristic,
)
from paravent.systems.empire.throws import PAIR, said
from paravent.systems.empire.trade.purse import paid

from .kinds import Robot
from .moves_gear import QUALITY, check_usable
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


def _order_call(ctx: Context) -> Call[Ordered]:
    robot, programme = ROBOT.brought(ctx), ctx[PROGRAMME]
    check_usable(robot)
    given = bool(ctx[ORDER] or programme or ctx[NEEDS_TEST])
    order = Order(ctx[HARMS_HUMAN], ctx[HUMAN_IN_PERIL], ctx[HARMS_ITSELF], given)
    kind = robot.robot if robot is not None else ctx[ROBOT_TYPE]
    if kind is RobotType.FORMEC:
        quality = robot.quality if robot is not None else ctx[QUALITY] or 7
        dice = dice_of(ctx[DIFFICULTY], ctx[COLUMN]) if ctx[NEEDS_TEST] else 0
        return Call(order_robot, order, dice, formec_characteristic(quality))
    if programme is None:
        return Call(order_robot, order, 0, 0)
    return Call(order_robot, order, *_programmed(ctx, programme, robot))


def _programmed_for(ctx: Context) -> str:
    """The skill that a logimec's programme lends itself to; none is known where none is chosen."""
    programme = ctx[PROGRAMME]
    return "" if programme is None else skills_of(programme)[0]


def _programmed(ctx: Context, programme: Programme, robot: Robot | None) -> tuple[int, int]:
    added = ctx[ADDED]
    if robot is not None:
        check_has(programme, (*robot.programmes, *robot.added))
        added = programme.value not in robot.programmes
    skill = skills_of(programme)[0]
    dice, limit = against(ctx, skill, unskilled=False)
    actor = ctx.one()
    score = score_used(ctx, actor, usual_characteristic(ctx, actor, skill))
    level = sheet_level(ctx, LEVEL, skill)
    held = logimec_threshold(score, level, programme, added, sheet_level(ctx, ROBOTICS, "66"), ctx.rulings)
    return dice, held + limit - score - level


def _order_key(done: Ordered) -> str:
    if done.success is None:
        return done.conduct.value
    return "robot_succeeds" if done.success else "robot_fails"


ROBOTICS: Field[int | None] = Field("robotics", Whole(0, 6), optional=True, rule="EGW-133")
ORDER = Field("order", TextField(300), usual="", rule="EGW-137")
ROBOT_TYPE = Field("robot_type", OneOf(RobotType), usual=RobotType.LOGIMEC, rule="EGW-131")
PROGRAMME: Field[Programme | None] = Field("programme", OneOf(Programme), optional=True, rule="EGW-131")
ADDED = Field("added", Flag(), usual=False, rule="EGW-133")
HARMS_HUMAN = Field("harms_human", Flag(), "gm", usual=False, rule="EGW-137")
HUMAN_IN_PERIL = Field("human_in_peril", Flag(), "gm", usual=False, rule="EGW-137")
HARMS_ITSELF = Field("harms_itself", Flag(), "gm", usual=False, rule="EGW-137")
NEEDS_TEST = Field("needs_test", Flag(), "gm", usual=False, rule="EGW-136")
ORDER_ROBOT = Move(
    "order-robot",
    group="gear", cast=(INITIATOR, ROBOT, GAME_MASTER),
    suits=lambda ctx: False,  # it comes after what anybody does; whoever has a robot looks for it
    rules=("EGW-131", "EGW-132", "EGW-133", "EGW-136", "EGW-137", "EGW-138"),
    steps=(
        Ask("order", (ORDER, ROBOT_TYPE, PROGRAMME, ADDED, ROBOTICS, *tested_in(_programmed_for))),
        Ask("settle", (HARMS_HUMAN, HUMAN_IN_PERIL, HARMS_ITSELF, NEEDS_TEST, QUALITY, *OPENLY)),
        Resolve("order", _order_call, outcome=_order_key, success=lambda done: done.success is True,
                tell=lambda ctx, done: (said(f"told_{_order_key(done)}"),),
                shown=lambda ctx, done: Shown(dice=PAIR, detail=GM_ONLY)),
    ),
)


def add_programme(dice: Dice, programme: Programme, robotics: int, kind: RobotType, known: tuple[str, ...]) -> int:
    """A programme bought and added; it will be worth the owner's level in Robotics."""
    check_programme(robotics)
    check_new(programme, kind, known)
    return robotics


def _programme_call(ctx: Context) -> Call[int]:
    robot = ROBOT.brought(ctx)
    kind, known = (robot.robot, (*robot.programmes, *robot.added)) if robot is not None else (RobotType.LOGIMEC, ())
    return Call(add_programme, ctx[NEW_PROGRAMME], sheet_level(ctx, ROBOTICS, "66"), kind, known)


def _change_programme(ctx: Context, bonus: int) -> Sequence[Change]:
    changes = list(paid(ctx.one(), ctx[PRICE], "EGW-133"))
    actor = ROBOT.actor(ctx)
    if actor is not None:
        added = (*actor.sheet(Robot).added, ctx[NEW_PROGRAMME].value)
        changes += changed(actor.id, actor.record, "added", added, "EGW-133")
    return changes


NEW_PROGRAMME = Field("programme", OneOf(Programme), rule="EGW-131")
PRICE = Field("price", Whole(0), usual=0, rule="EGW-133")
ADD_PROGRAMME = Move(
    "add-programme",
    group="gear", cast=(INITIATOR, ROBOT, GAME_MASTER), rules=("EGW-131", "EGW-133"), offered=has_learnt("66"),
    steps=(
        Ask("want", (NEW_PROGRAMME, ROBOTICS, PRICE)),
        Window("approve", "gm", "approval", back_to="want"),
        Resolve("add", _programme_call, changes=_change_programme,
                outcome=lambda bonus: "programme_added", tell=lambda ctx, bonus: (said("told_programme", n=bonus),)),
    ),
)

MOVES = (ORDER_ROBOT, ADD_PROGRAMME)
