"""Moves of objects: those that one buys for oneself, robots among them, and those that the game master brings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    Ask,
    Call,
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
from paravent.systems.empire.throws import PAIR, by_gm, made, said, to_gm, unseen

from .errors import NoPrice
from .goods import all_goods, base_price, lot_mass
from .moves_bargain import CHARM, Terms, closing, full_price, haggling, settled_price
from .purse import APPRAISAL, paid, tell_owed
from .trade import Bargain, in_credits

# What is bought


class Acquired(NamedTuple):
    """An object bought for oneself: its quality, and what it costs with its spare parts."""

    quality: int
    unit: Fraction
    quantity: int = 1
    price: int = 0
    """What it costs new, without spare parts."""


class Listed(NamedTuple):
    """The price of an object: as listed or told; else from the base price of its sort of goods, by the dice."""

    price: int | None
    base: int = 0


def acquire(
    dice: Dice, listed: Listed, parts: int, charm: int, appraisal: int, willpower: int, upkeep: int, tech_level: int,
    rulings: Rulings,
) -> Acquired:
    """The quality of what one buys for oneself, fixed for ever; what is in no list is priced by the goods table."""
    quality = mech_quality(charm, appraisal, willpower, upkeep, tech_level, rulings)
    dice.note("EGW-102", "quality", n=quality)
    price = listed.price
    if price is None:
        price = price_of_a_find(dice, listed.base, tech_level)
        dice.note("EGW-103", "find", base=listed.base, level=tech_level, n=price)
    return Acquired(quality, price + parts * spare_part(price, 0).credits, price=price)


def _usual_level(ctx: Context) -> int | None:
    if ctx[ROBOT_TYPE] is not None:
        return bubble_level(False, ctx.rulings)
    weapon = ctx[WEAPON]
    return int(TABLES["weapons"].cell(weapon, "tech_level")) if weapon is not None else None


def _usual_price(ctx: Context) -> int | None:
    """As the list of arms says; of anything else the dice say it."""
    weapon = ctx[WEAPON]
    return weapon_price(weapon, ctx.rulings) if weapon is not None else None


def _sort(ctx: Context) -> str:
    """The sort of goods that an object is one of."""
    if ctx[ROBOT_TYPE] is not None:
        return "robots"
    return ctx[SORT] or "personal_equipment"


def _usual_mass(ctx: Context) -> int:
    """The heaviest of its kind, in grams; of what is in no list, what a lot of such goods weighs."""
    weapon = ctx[WEAPON]
    return lot_mass(_sort(ctx)) if weapon is None else int(1000 * (TABLES["weapons"].cell(weapon, "mass_max") or 0))


def _level(ctx: Context) -> int:
    level = ctx[BOUGHT_LEVEL]
    if level is None:
        raise MissingField(field="object_level", role="initiator")
    return level


def _score(ctx: Context, asked: Field[int | None], name: Characteristic) -> int:
    typed = ctx[asked]
    return typed if typed is not None else score_of(ctx, ctx.one(), name)


def _acquire_call(ctx: Context) -> Call[Acquired]:
    level = _level(ctx)
    charm, willpower = _score(ctx, CHARM, Characteristic.CHARM), _score(ctx, WILLPOWER, Characteristic.WILLPOWER)
    if ctx[PRICE] == 0 and ctx[WEAPON] is None:
        raise NoPrice()
    return Call(acquire, Listed(ctx[PRICE], base_price(_sort(ctx))), ctx[PARTS], charm,
                sheet_level(ctx, APPRAISAL, "46"), willpower, sheet_level(ctx, UPKEEP, repair_skill(level)), level,
                ctx.rulings)


def _acquired(ctx: Context) -> Gear:
    robot, programme = ctx[ROBOT_TYPE], ctx[PROGRAMME]
    bought = ctx.result(QUALITY_FOUND)
    basics = (ctx[NAME], _level(ctx), bought.price, ctx[MASS_G], bought.quality, ctx[EXPOSURE])
    if robot is None:
        return Gear(*basics, spare_parts=ctx[PARTS], model=ctx[WEAPON] or "")
    programmes = (programme.value,) if robot is RobotType.LOGIMEC and programme is not None else ()
    return Robot(*basics, spare_parts=ctx[PARTS], robot=robot, programmes=programmes)


def _change_acquire(ctx: Context, accepted: bool) -> Sequence[Change]:
    if not accepted:
        return ()
    gear, robot = _acquired(ctx), ctx[ROBOT_TYPE]
    kind = "item" if robot is None else "robot"
    return (*paid(ctx.one(), settled_price(ctx, QUALITY_FOUND, Bargain.BUY), "EGW-106"),
            made(gear.name or kind, gear, kind, "EGW-102", EVERYONE))


EXPOSURE = Field("exposure", OneOf(Exposure), usual=Exposure.OPEN, rule="EGW-185")
NAME = Field("name", TextField(80), usual="", rule="EGW-106", names=True)
WEAPON: Field[str | None] = Field("weapon", OneOf(lambda ctx: listed_weapons()), optional=True, place="essential",
                                  rule="EGW-106")
ROBOT_TYPE: Field[RobotType | None] = Field("robot_type", OneOf(RobotType), optional=True, place="essential",
                                            rule="EGW-131")
PROGRAMME: Field[Programme | None] = Field("programme", OneOf(Programme), place="essential", rule="EGW-131",
                                           when=lambda ctx: ctx[ROBOT_TYPE] is RobotType.LOGIMEC)
BOUGHT_LEVEL: Field[int | None] = Field("object_level", Whole(1, 6), usual=_usual_level, rule="EGW-102")
SORT: Field[str | None] = Field(
    "sort", OneOf(lambda ctx: all_goods()), optional=True, rule="EGW-103", usual="personal_equipment",
    when=lambda ctx: ctx[WEAPON] is None and ctx[ROBOT_TYPE] is None)
PRICE: Field[int | None] = Field("price", Whole(0), usual=_usual_price, optional=True, rule="EGW-106")
MASS_G = Field("mass_g", Whole(0), usual=_usual_mass, rule="EGW-106")
PARTS = Field("parts", Whole(0), usual=0, rule="EGW-160")
WILLPOWER: Field[int | None] = Field("willpower", Whole(0, 12), optional=True, rule="EGW-102")
UPKEEP: Field[int | None] = Field("upkeep", Whole(0, 6), optional=True, rule="EGW-102")
QUALITY_FOUND = Resolve(
    "price", _acquire_call, outcome=lambda bought: "priced",
    tell=lambda ctx, bought: (said("told_acquired", quality=bought.quality, n=int(bought.unit)),
                              *tell_owed(ctx.one(), in_credits(full_price(bought)), PAIR)))
ACQUIRE_OBJECT = Move(
    "acquire-object",
    group="trade", rules=("EGW-102", "EGW-103", "EGW-104", "EGW-106", "EGW-131", "EGW-160"),
    steps=(
        Ask("want", (
            NAME, WEAPON, ROBOT_TYPE, PROGRAMME, SORT, BOUGHT_LEVEL, PRICE, MASS_G, PARTS, EXPOSURE,
            replace(CHARM, rule="EGW-102"), WILLPOWER, APPRAISAL, UPKEEP,
        )),
        Window("approve", "gm", "approval", back_to="want"),
        QUALITY_FOUND,
        *haggling(QUALITY_FOUND, lambda ctx: Terms(Bargain.BUY, ctx.result(QUALITY_FOUND).quality), charm=()),
        *closing(QUALITY_FOUND, Bargain.BUY, _change_acquire),
    ),
)


# What the game master brings


def _change_placed(ctx: Context, price: int) -> Sequence[Change]:
    gear = Gear(ctx[NAME], ctx[PLACED_LEVEL], price, ctx[MASS_G], ctx[QUALITY], ctx[EXPOSURE])
    return (made(gear.name or "item", gear, "item", "EGW-103", EVERYONE),)


GOOD = Field("good", OneOf(lambda ctx: all_goods()), "gm", usual="personal_equipment", secrecy="gm", rule="EGW-103")
PLACED_LEVEL = Field("object_level", Whole(1, 6), "gm", secrecy="gm", rule="EGW-103", written=True)
QUALITY = Field("quality", Whole(1), "gm", usual=7, secrecy="gm", rule="EGW-103")
PLACE_OBJECT = Move(
    "place-object",
    group="trade", by="gm", cast=(GAME_MASTER,), exists=GM_ONLY, rules=("EGW-103",),
    steps=(
        Ask("settle", (
            replace(NAME, role="gm", secrecy="gm", rule="EGW-103"), GOOD, PLACED_LEVEL,
            replace(MASS_G, role="gm", usual=0, secrecy="gm", rule="EGW-103"), QUALITY,
            replace(EXPOSURE, role="gm", secrecy="gm"),
        )),
        Resolve("price", lambda ctx: Call(by_gm(price_of_a_find), base_price(ctx[GOOD]), ctx[PLACED_LEVEL]),
                outcome=lambda price: "priced", tell=lambda ctx, price: (to_gm("told_find", n=price),),
                changes=_change_placed, shown=unseen),
    ),
)

MOVES = (ACQUIRE_OBJECT, PLACE_OBJECT)
