"""Moves of objects: those that one buys for oneself, robots among them, and those that the game master brings."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from paravent.dice import Dice
from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    Ask,
    Change,
    Context,
    Field,
    MissingField,
    Move,
    OneOf,
    Resolve,
    Rulings,
    TextField,
    Whole,
    Window,
    asking,
)
from paravent.systems.empire.actions.trials import score_of, sheet_level
from paravent.systems.empire.machines.gear import (
    listed_weapons,
    mech_quality,
    price_of_a_find,
    repair_skill,
    spare_part,
    weapon_price,
)
from paravent.systems.empire.machines.kinds import Gear, Robot
from paravent.systems.empire.machines.machines import Exposure
from paravent.systems.empire.machines.robots import Programme, RobotType, bubble_level
from paravent.systems.empire.terms import TABLES, Characteristic
from paravent.systems.empire.throws import by_gm, made, said, secret, to_gm, unseen

from .errors import NeedsAProgramme
from .goods import all_goods, base_price
from .moves_bargain import Terms, closing, haggling, settled_price
from .purse import APPRAISAL, paid
from .trade import Bargain

# What is bought


class Acquired(NamedTuple):
    """An object bought for oneself: its quality, and what it costs with its spare parts."""

    quality: int
    unit: Fraction
    quantity: int = 1


def acquire(
    dice: Dice, price: int, parts: int, charm: int, appraisal: int, willpower: int, upkeep: int, tech_level: int,
    rulings: Rulings,
) -> Acquired:
    """The quality of what one buys for oneself, fixed for ever."""
    quality = mech_quality(charm, appraisal, willpower, upkeep, tech_level, rulings)
    dice.note("EGW-102", "quality", n=quality)
    return Acquired(quality, price + parts * spare_part(price, 0).credits)


def _listed(ctx: Context, column: str) -> Any:
    return TABLES["weapons"].cell(ctx["weapon"], column) if ctx["weapon"] is not None else None


def _usual_level(ctx: Context) -> int | None:
    if ctx["robot_type"] is not None:
        return bubble_level(False, ctx.rulings)
    level: int | None = _listed(ctx, "tech_level")
    return level


def _usual_price(ctx: Context) -> int:
    return weapon_price(ctx["weapon"], ctx.rulings) if ctx["weapon"] is not None else 0


def _usual_mass(ctx: Context) -> int:
    """The heaviest of its kind, in grams."""
    return int(1000 * (_listed(ctx, "mass_max") or 0))


def _level(ctx: Context) -> int:
    if ctx["object_level"] is None:
        raise MissingField(field="object_level", role="initiator")
    return int(ctx["object_level"])


def _score(ctx: Context, name: Characteristic) -> int:
    typed = ctx.value(ctx.one(), name.value)
    return int(typed) if typed is not None else score_of(ctx, ctx.one(), name)


def _read_acquire(ctx: Context) -> tuple[Any, ...]:
    if ctx["robot_type"] is RobotType.LOGIMEC and ctx["programme"] is None:
        raise NeedsAProgramme()
    level = _level(ctx)
    return (ctx["price"], ctx["parts"], _score(ctx, Characteristic.CHARM), sheet_level(ctx, "appraisal", "46"),
            _score(ctx, Characteristic.WILLPOWER), sheet_level(ctx, "upkeep", repair_skill(level)), level, ctx.rulings)


def _acquired(ctx: Context) -> Gear:
    robot = ctx["robot_type"]
    basics = (ctx["name"], _level(ctx), ctx["price"], ctx["mass_g"], ctx.results["price"].quality, ctx["exposure"])
    if robot is None:
        return Gear(*basics, spare_parts=ctx["parts"], model=ctx["weapon"] or "")
    programmes = (ctx["programme"].value,) if robot is RobotType.LOGIMEC else ()
    return Robot(*basics, spare_parts=ctx["parts"], robot=robot, programmes=programmes)


def _change_acquire(ctx: Context, accepted: bool) -> Sequence[Change]:
    if not accepted:
        return ()
    gear, robot = _acquired(ctx), ctx["robot_type"]
    kind = "item" if robot is None else "robot"
    return (*paid(ctx.one(), settled_price(ctx, Bargain.BUY), "EGW-106"),
            made(gear.name or kind, gear, kind, "EGW-102", EVERYONE))


EXPOSURE = Field("exposure", OneOf(Exposure), usual=Exposure.OPEN, rule="EGW-185")
ACQUIRE_OBJECT = Move(
    "acquire-object",
    group="trade", rules=("EGW-102", "EGW-103", "EGW-104", "EGW-106", "EGW-131", "EGW-160"),
    steps=(
        Ask("want", (
            Field("name", TextField(80), usual="", rule="EGW-106"),
            Field("weapon", OneOf(lambda ctx: listed_weapons()), optional=True, rule="EGW-106"),
            Field("robot_type", OneOf(RobotType), optional=True, rule="EGW-131"),
            Field("programme", OneOf(Programme), optional=True, rule="EGW-131",
                  when=lambda ctx: ctx["robot_type"] is RobotType.LOGIMEC),
            Field("object_level", Whole(1, 6), usual=_usual_level, rule="EGW-102"),
            Field("price", Whole(0), usual=_usual_price, rule="EGW-106"),
            Field("mass_g", Whole(0), usual=_usual_mass, rule="EGW-106"),
            Field("parts", Whole(0), usual=0, rule="EGW-160"),
            EXPOSURE,
            Field("charm", Whole(0, 12), optional=True, rule="EGW-102"),
            Field("willpower", Whole(0, 12), optional=True, rule="EGW-102"),
            APPRAISAL,
            Field("upkeep", Whole(0, 6), optional=True, rule="EGW-102"),
        )),
        Window("approve", "gm", "approval", back_to="want"),
        Resolve("price", asking(acquire, _read_acquire), outcome=lambda bought: "priced",
                tell=lambda ctx, bought: (said("told_acquired", quality=bought.quality, n=int(bought.unit)),)),
        *haggling(lambda ctx: Terms(Bargain.BUY, ctx.results["price"].quality), charm=()),
        *closing(Bargain.BUY, _change_acquire),
    ),
)


# What the game master brings


def _change_placed(ctx: Context, price: int) -> Sequence[Change]:
    gear = Gear(ctx["name"], ctx["object_level"], price, ctx["mass_g"], ctx["quality"], ctx["exposure"])
    return (made(gear.name or "item", gear, "item", "EGW-103", EVERYONE),)


PLACE_OBJECT = Move(
    "place-object",
    group="trade", by="gm", cast=(GAME_MASTER,), exists=GM_ONLY, rules=("EGW-103",),
    steps=(
        Ask("settle", (
            secret("name", TextField(80), "EGW-103", usual=""),
            secret("good", OneOf(lambda ctx: all_goods()), "EGW-103", usual="personal_equipment"),
            secret("object_level", Whole(1, 6), "EGW-103"),
            secret("mass_g", Whole(0), "EGW-103", usual=0),
            secret("quality", Whole(1), "EGW-103", usual=7),
            secret("exposure", OneOf(Exposure), "EGW-185", usual=Exposure.OPEN),
        )),
        Resolve("price", asking(by_gm(price_of_a_find), lambda ctx: (base_price(ctx["good"]), ctx["object_level"])),
                outcome=lambda price: "priced", tell=lambda ctx, price: (to_gm("told_find", n=price),),
                changes=_change_placed, shown=unseen),
    ),
)

MOVES = (ACQUIRE_OBJECT, PLACE_OBJECT)
