"""Moves of trade: markets, objects, lots, haggling, customs and bribes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from paravent.dice import Dice
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
    Many,
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

from .action import characteristic_for
from .errors_worlds import NotOffered, TooFewLots
from .gear import mech_quality, price_of_a_find, repair_skill
from .generating import Generate
from .goods import Lists, all_goods, base_price
from .kinds_worlds import Cargo, Gear, Market
from .machines import Exposure
from .reading import GRADE, PAIR, SETTLED, grade_of, said, score_of
from .reading_worlds import (
    CARGO,
    MARKET,
    OPENLY,
    TESTED,
    WORLD,
    actor_in,
    against,
    by_gm,
    figure,
    made,
    paid,
    paid_as_far,
    record_in,
    secret,
    sheet_level,
    tell_owed,
    to_gm,
    unseen,
)
from .terms import Characteristic, Guild, Verb
from .trade import (
    Bargain,
    Bribe,
    Bribed,
    Customs,
    Deal,
    Haggled,
    Haggling,
    Inspection,
    Lot,
    Sale,
    after_haggling,
    bribe,
    goods_found,
    haggle,
    in_credits,
    is_proliferation,
    is_renewed,
    leave_port,
    local_duty,
    market_lists,
    names_of,
    purchase,
    sell,
    survey,
)
from .travel import number

ANY_GOOD = OneOf(lambda ctx: all_goods())
GOOD = Field("good", ANY_GOOD, rule="EGW-107")
QUANTITY = Field("quantity", Whole(1), usual=1, rule="EGW-107")
PLACE_LEVEL = Field("tech_level", Whole(1, 6), "gm", optional=True, rule="EGW-060")
APPRAISAL = Field("appraisal", Whole(0, 6), optional=True, rule="EGW-101")


# A market


def _world_lists(ctx: Context) -> Lists | None:
    found = record_in(ctx, "world")
    if found is None or found.people is None or ctx["month"]:
        return None
    return Lists(found.people.offered, found.people.demanded)


def market_gist(dice: Dice, tech_level: int, first: Lists | None, rulings: Rulings) -> Lists:
    """There will be a market."""
    return Lists((), ())


def _change_market(ctx: Context, lists: Lists) -> Sequence[Change]:
    found = record_in(ctx, "world")
    folk = found.people if found is not None else None
    level = figure(ctx, "tech_level", "world")
    market = Market(ctx["name"], level, month=ctx["month"], offered=lists.offered, demanded=lists.demanded)
    if folk is not None:
        market = replace(market, nature=folk.nature, politics_row=folk.politics_row)
    return (made(market.name or "market", market, "market", "EGW-101", GM_ONLY),)


GENERATE_MARKET = Move(
    "generate-market",
    group="trade", by="gm", cast=(WORLD, GAME_MASTER), exists=GM_ONLY, rules=("EGW-080", "EGW-081", "EGW-082"),
    steps=(
        Ask("settle", (
            secret("name", TextField(80), "EGW-100", usual=""),
            secret("tech_level", Whole(1, 6), "EGW-080", optional=True),
            secret("month", Whole(0), "EGW-101", usual=0),
        )),
        Generate("market", by_gm(market_lists), lambda ctx: (
                     figure(ctx, "tech_level", "world"), _world_lists(ctx), ctx.rulings),
                 outcome=lambda lists: "market", shown=unseen, changes=_change_market, gist=market_gist,
                 tell=lambda ctx, lists: (to_gm("told_market", offered=names_of(lists.offered),
                                                demanded=names_of(lists.demanded)),)),
    ),
)  # fmt: skip


def _known(ctx: Context) -> Lists | None:
    market = record_in(ctx, "market")
    return Lists(market.offered, market.demanded) if market is not None else None


def _read_survey(ctx: Context) -> tuple[Any, ...]:
    level = sheet_level(ctx, "appraisal", "46")
    return figure(ctx, "tech_level", "market"), level, _known(ctx), ctx.rulings


def _tell_survey(ctx: Context, found: Lists) -> Sequence[Telling]:
    line = said("told_survey", PAIR, offered=names_of(found.offered), demanded=names_of(found.demanded))
    market = record_in(ctx, "market")
    stale = market is not None and is_renewed(market.month, ctx["month"], ctx.rulings)
    return (line, *((to_gm("told_stale", n=market.month),) if stale else ()))


class Surveyed(NamedTuple):
    """The gist of a survey: whether anything is found."""

    offered: tuple[int, ...]


def survey_gist(dice: Dice, tech_level: int, appraisal: int, known: Lists | None, rulings: Rulings) -> Surveyed:
    """Whether the merchant finds anything at all."""
    return Surveyed((0,) * goods_found(tech_level, appraisal))


SURVEY_MARKET = Move(
    "survey-market",
    group="trade", cast=(INITIATOR, MARKET, GAME_MASTER), rules=("EGW-100", "EGW-101"),
    steps=(
        Ask("look", (APPRAISAL,)),
        Ask("settle", (PLACE_LEVEL, secret("month", Whole(0), "EGW-101", usual=0))),
        Generate("survey", survey, _read_survey, tell=_tell_survey, gist=survey_gist,
                 outcome=lambda found: "goods_found" if found.offered else "nothing_found",
                 shown=lambda ctx, found: Shown(dice=PAIR, outcome=PAIR)),
    ),
)  # fmt: skip


# An object of one's own


class Acquired(NamedTuple):
    """An object bought for oneself."""

    quality: int
    price: int


def acquire(
    dice: Dice, price: int, charm: int, appraisal: int, willpower: int, upkeep: int, tech_level: int, rulings: Rulings
) -> Acquired:
    """The quality of what one buys for oneself, fixed for ever."""
    quality = mech_quality(charm, appraisal, willpower, upkeep, tech_level, rulings)
    dice.note("EGW-102", "quality", n=quality)
    return Acquired(quality, price)


def _score(ctx: Context, name: Characteristic) -> int:
    typed = ctx.value(ctx.one(), name.value)
    return int(typed) if typed is not None else score_of(ctx, ctx.one(), name)


def _read_acquire(ctx: Context) -> tuple[Any, ...]:
    level = ctx["object_level"]
    return (ctx["price"], _score(ctx, Characteristic.CHARM), sheet_level(ctx, "appraisal", "46"),
            _score(ctx, Characteristic.WILLPOWER), sheet_level(ctx, "upkeep", repair_skill(level)), level, ctx.rulings)


def _change_acquire(ctx: Context, bought: Acquired) -> Sequence[Change]:
    gear = Gear(ctx["name"], ctx["object_level"], ctx["price"], ctx["mass_g"], bought.quality)
    return (*paid(ctx.one(), bought.price, "EGW-106"), made(gear.name or "item", gear, "item", "EGW-102", EVERYONE))


ACQUIRE_OBJECT = Move(
    "acquire-object",
    group="trade", rules=("EGW-102", "EGW-103", "EGW-106"),
    steps=(
        Ask("want", (
            Field("name", TextField(80), usual="", rule="EGW-106"),
            Field("object_level", Whole(1, 6), rule="EGW-102"),
            Field("price", Whole(0), usual=0, rule="EGW-106"),
            Field("mass_g", Whole(0), usual=0, rule="EGW-106"),
            Field("charm", Whole(0, 12), optional=True, rule="EGW-102"),
            Field("willpower", Whole(0, 12), optional=True, rule="EGW-102"),
            APPRAISAL,
            Field("upkeep", Whole(0, 6), optional=True, rule="EGW-102"),
        )),
        Window("approve", "gm", "approval", back_to="want"),
        Resolve("acquire", acquire, _read_acquire, outcome=lambda bought: "acquired", changes=_change_acquire,
                tell=lambda ctx, bought: (said("told_acquired", quality=bought.quality, n=bought.price),)),
    ),
)  # fmt: skip


# An object that the game master brings


def _change_placed(ctx: Context, price: int) -> Sequence[Change]:
    gear = Gear(ctx["name"], ctx["object_level"], price, ctx["mass_g"], ctx["quality"], ctx["exposure"])
    return (made(gear.name or "item", gear, "item", "EGW-103", EVERYONE),)


PLACE_OBJECT = Move(
    "place-object",
    group="trade", by="gm", cast=(GAME_MASTER,), exists=GM_ONLY, rules=("EGW-103",),
    steps=(
        Ask("settle", (
            secret("name", TextField(80), "EGW-103", usual=""),
            Field("good", ANY_GOOD, "gm", usual="personal_equipment", secrecy="gm", rule="EGW-103"),
            secret("object_level", Whole(1, 6), "EGW-103"),
            secret("mass_g", Whole(0), "EGW-103", usual=0),
            secret("quality", Whole(1), "EGW-103", usual=7),
            secret("exposure", OneOf(Exposure), "EGW-185", usual=Exposure.OPEN),
        )),
        Resolve("price", by_gm(price_of_a_find), lambda ctx: (base_price(ctx["good"]), ctx["object_level"]),
                outcome=lambda price: "priced", tell=lambda ctx, price: (to_gm("told_find", n=price),),
                changes=_change_placed, shown=unseen),
    ),
)  # fmt: skip


# Lots


def _cargo(ctx: Context) -> Cargo | None:
    cargo = record_in(ctx, "cargo")
    return cargo if isinstance(cargo, Cargo) else None


def _place(ctx: Context) -> str:
    actor = actor_in(ctx, "market")
    return str(actor.record.name or actor.id) if actor is not None and actor.record is not None else ""


def _read_buy(ctx: Context) -> tuple[Any, ...]:
    market = record_in(ctx, "market")
    if market is not None and ctx["found_only"]:
        n = goods_found(market.tech_level, sheet_level(ctx, "appraisal", "46"))
        if ctx["good"] not in names_of(market.offered[:n]):
            raise NotOffered(good=ctx["good"])
    return ctx["good"], figure(ctx, "tech_level", "market"), ctx["quantity"], ctx.rulings


def rebated(ctx: Context, deal: Deal, bargain: Bargain) -> int:
    """What a deal comes to after haggling."""
    return in_credits(after_haggling(deal.unit * deal.quantity, ctx["percent"], bargain))


def _change_bought(ctx: Context, accepted: bool) -> Sequence[Change]:
    if not accepted:
        return ()
    deal: Deal = ctx.results["price"]
    total = rebated(ctx, deal, Bargain.BUY)
    changes = list(paid(ctx.one(), total, "EGW-107"))
    actor, cargo = actor_in(ctx, "cargo"), _cargo(ctx)
    if actor is not None and cargo is not None:
        lot = Lot(ctx["good"], deal.quantity, figure(ctx, "tech_level", "market"), _place(ctx), total)
        changes += changed(actor.id, cargo, "lots", (*cargo.lots, lot), "EGW-107")
    return changes


def tell_price(deal: Deal) -> Sequence[Telling]:
    """What a lot costs, and all of them."""
    return (said("told_price", unit=number(deal.unit), quantity=deal.quantity, n=deal.total),)


def settle_deal(dice: Dice, accepted: bool) -> bool:
    """Take it or leave it."""
    return accepted


def _tell_deal(bargain: Bargain) -> Any:
    def tell(ctx: Context, accepted: bool) -> Sequence[Telling]:
        total = rebated(ctx, ctx.results["price"], bargain)
        return (said(f"told_{bargain.value}" if accepted else "told_no_deal", n=total),)

    return tell


PERCENT = Field("percent", Whole(0, 99), usual=0, rule="EGW-104")
ACCEPT = Field("accept", Flag(), usual=True, waits=True, rule="EGW-107")
BUY_LOTS = Move(
    "buy-lots",
    group="trade", cast=(INITIATOR, MARKET, CARGO, GAME_MASTER), rules=("EGW-107", "EGW-110"),
    steps=(
        Ask("want", (GOOD, QUANTITY, APPRAISAL)),
        Ask("settle", (PLACE_LEVEL, Field("found_only", Flag(), "gm", usual=False, rule="EGW-101"))),
        Resolve("price", purchase, _read_buy, outcome=lambda deal: "priced",
                tell=lambda ctx, deal: tell_price(deal)),
        Ask("decide", (PERCENT, ACCEPT)),
        Resolve("deal", settle_deal, lambda ctx: (ctx["accept"],), auto=True, changes=_change_bought,
                outcome=lambda accepted: "bought" if accepted else "no_deal", tell=_tell_deal(Bargain.BUY)),
    ),
)  # fmt: skip


def _aboard(ctx: Context) -> Lot | None:
    cargo = _cargo(ctx)
    lots = cargo.lots if cargo is not None else ()
    return next((lot for lot in lots if lot.good == ctx["good"]), None)


def _read_sell(ctx: Context) -> tuple[Any, ...]:
    lot, market = _aboard(ctx), record_in(ctx, "market")
    if _cargo(ctx) is not None and (lot is None or lot.quantity < ctx["quantity"]):
        raise TooFewLots(good=ctx["good"], got=ctx["quantity"], aboard=0 if lot is None else lot.quantity)
    level = lot.tech_level if lot is not None else ctx["goods_level"]
    demanded = names_of(market.demanded) if market is not None else None
    sale = Sale(ctx["good"], level, ctx["quantity"], ctx["stock"] or (lot.quantity if lot is not None else 0),
                lot.origin if lot is not None else "", _place(ctx), figure(ctx, "tech_level", "market"), demanded,
                ctx["allowed"])  # fmt: skip
    return sale, ctx.rulings


def _duty(ctx: Context) -> int:
    return in_credits(local_duty(ctx["good"], ctx["quantity"], ctx["duty_rate"] or 0, ctx.rulings))


def _change_sold(ctx: Context, accepted: bool) -> Sequence[Change]:
    if not accepted:
        return ()
    deal: Deal = ctx.results["price"]
    changes = list(paid(ctx.one(), _duty(ctx) - rebated(ctx, deal, Bargain.SELL), "EGW-108"))
    actor, cargo, lot = actor_in(ctx, "cargo"), _cargo(ctx), _aboard(ctx)
    if actor is not None and cargo is not None and lot is not None:
        left = lot._replace(quantity=lot.quantity - deal.quantity)
        lots = tuple(left if one == lot else one for one in cargo.lots if one != lot or left.quantity)
        changes += changed(actor.id, cargo, "lots", lots, "EGW-108")
    return changes


def _tell_sold(ctx: Context, accepted: bool) -> Sequence[Telling]:
    lines = list(_tell_deal(Bargain.SELL)(ctx, accepted))
    return [*lines, said("told_duty", n=_duty(ctx))] if accepted and _duty(ctx) else lines


SELL_LOTS = Move(
    "sell-lots",
    group="trade", cast=(INITIATOR, MARKET, CARGO, GAME_MASTER), rules=("EGW-087", "EGW-108", "EGW-113"),
    steps=(
        Ask("offer", (
            GOOD, QUANTITY,
            Field("goods_level", Whole(1, 6), usual=1, rule="EGW-108"),
            Field("stock", Whole(0), usual=0, rule="EGW-108"),
        )),
        Ask("settle", (
            PLACE_LEVEL,
            Field("allowed", Flag(), "gm", usual=False, rule="EGW-108"),
            Field("duty_rate", Whole(0, 100), "gm", usual=10, rule="EGW-087",
                  when=lambda ctx: ctx.rulings.local_tax == "gm"),
        )),
        Resolve("price", sell, _read_sell, outcome=lambda deal: "priced" if deal.unit else "worthless",
                tell=lambda ctx, deal: tell_price(deal)),
        Ask("decide", (PERCENT, ACCEPT)),
        Resolve("deal", settle_deal, lambda ctx: (ctx["accept"],), auto=True, changes=_change_sold, tell=_tell_sold,
                outcome=lambda accepted: "sold" if accepted else "no_deal"),
    ),
)  # fmt: skip


# Haggling


def _haggling(ctx: Context) -> Haggling:
    actor, bargain = ctx.one(), ctx["bargain"]
    verb = Verb.PULL if bargain is Bargain.SELL else Verb.PUSH
    usual = characteristic_for("44", verb)
    dice, limit = against(ctx, "44", usual)
    typed = ctx.value(actor, "characteristic")
    tested = typed if typed is not None else usual
    charm = ctx.value(actor, "charm")
    if charm is None:
        charm = typed if isinstance(typed, int) else score_of(ctx, actor, Characteristic.CHARM)
    score = charm
    if ctx.rulings.haggling_characteristic == "tested":
        score = tested if isinstance(tested, int) else score_of(ctx, actor, tested)
    return Haggling(bargain, dice, limit, int(score), grade_of(ctx, actor, Guild.MERCHANT), ctx["against"],
                    tested == Characteristic.CHARM, ctx["renewals"] or 0)  # fmt: skip


def _tell_haggled(ctx: Context, done: Haggled) -> Sequence[Telling]:
    if not done.success:
        return (said("told_firm"),)
    lines = [said("told_percent", n=done.percent)]
    if ctx["price"]:
        price = after_haggling(Fraction(ctx["price"]), done.percent, ctx["bargain"])
        lines.append(said("told_new_price", n=in_credits(price)))
    return lines


HAGGLE = Move(
    "haggle",
    group="trade", rules=("EGW-104", "EGW-105"),
    steps=(
        Ask("offer", (
            Field("bargain", OneOf(Bargain), usual=Bargain.BUY, rule="EGW-104"),
            Field("price", Whole(0), usual=0, rule="EGW-104"),
            Field("charm", Whole(0, 12), optional=True, rule="EGW-104"),
            *TESTED,
            GRADE,
        )),
        Ask("settle", (
            Field("against", Whole(1), "gm", usual=1, rule="EGW-104"),
            Field("renewals", Whole(0, 6), "gm", usual=0, rule="EGW-080",
                  when=lambda ctx: ctx.rulings.same_good == "keep"),
            *OPENLY,
        )),
        Resolve("haggle", haggle, lambda ctx: (_haggling(ctx), ctx.rulings), tell=_tell_haggled,
                outcome=lambda done: "rebate" if done.percent else "no_rebate" if done.success else "firm",
                success=lambda done: done.percent > 0, shown=lambda ctx, done: Shown(dice=PAIR, detail=PAIR)),
    ),
)  # fmt: skip


# Customs


def _lots(ctx: Context) -> tuple[Lot, ...]:
    cargo = _cargo(ctx)
    if cargo is not None:
        disguised = ctx["disguised"]
        return tuple(lot._replace(disguised=lot.disguised or lot.good in disguised) for lot in cargo.lots)
    return (Lot(ctx["good"], ctx["quantity"], ctx["goods_level"], disguised=ctx["good"] in ctx["disguised"]),)


def _read_customs(ctx: Context) -> tuple[Any, ...]:
    lots = _lots(ctx)
    dice, limit = against(ctx, "24") if any(lot.disguised for lot in lots) else (3, 0)
    return lots, Inspection(ctx["inspected"], dice, limit), ctx.rulings


def _tell_customs(ctx: Context, done: Customs) -> Sequence[Telling]:
    lines = [said("told_tax", n=done.tax), *tell_owed(ctx.one(), done.tax)]
    if done.discovered:
        lines.append(said("told_fraud", days=done.prison_days, weapons=done.confiscated))
    destination = ctx["destination_level"]
    if destination and any(is_proliferation(lot, destination) for lot in _lots(ctx)):
        lines.append(said("told_unlawful", PAIR))
    return lines


def _change_customs(ctx: Context, done: Customs) -> Sequence[Change]:
    changes = list(paid_as_far(ctx.one(), done.tax, "EGW-109"))
    actor, cargo = actor_in(ctx, "cargo"), _cargo(ctx)
    if done.discovered and actor is not None and cargo is not None:
        hidden = {lot.good for lot in _lots(ctx) if lot.disguised}
        kept = tuple(lot for lot in cargo.lots if lot.good != "arms" or lot.good not in hidden)
        changes += changed(actor.id, cargo, "lots", kept, "EGW-112")
    return changes


LEAVE_PORT = Move(
    "leave-port",
    group="trade", cast=(INITIATOR, CARGO, GAME_MASTER), rules=("EGW-109", "EGW-110", "EGW-111", "EGW-112"),
    steps=(
        Ask("declare", (
            Field("good", ANY_GOOD, usual="food", rule="EGW-109"), QUANTITY,
            Field("goods_level", Whole(1, 6), usual=1, rule="EGW-111"),
            Field("disguised", Many(ANY_GOOD, distinct=True), usual=(), secrecy="own", rule="EGW-112"),
            Field("destination_level", Whole(1, 6), optional=True, rule="EGW-111"),
            *TESTED,
        )),
        Ask("settle", (secret("inspected", Flag(), "EGW-112", usual=False), *SETTLED)),
        Resolve("customs", by_gm(leave_port), _read_customs, tell=_tell_customs, changes=_change_customs, blind=True,
                outcome=lambda done: "caught" if done.discovered else "passed",
                success=lambda done: not done.discovered, shown=lambda ctx, done: Shown(dice=GM_ONLY, detail=GM_ONLY)),
    ),
)  # fmt: skip


# Bribes


def _read_bribe(ctx: Context) -> tuple[Any, ...]:
    dice, limit = against(ctx, "41", Characteristic.CHARM)
    politics = figure(ctx, "politics_row", "market")
    tried = Bribe(dice, limit, grade_of(ctx, ctx.one(), Guild.MERCHANT), ctx["target_grade"],
                  figure(ctx, "tech_level", "market"), politics, ctx["days"])  # fmt: skip
    return tried, ctx.rulings


def _bought_off(ctx: Context) -> bool:
    return "bribe" in ctx.results and ctx.results["bribe"].success


def _change_bribe(ctx: Context, accepted: bool) -> Sequence[Change]:
    return paid(ctx.one(), ctx.results["bribe"].credits, "EGW-117") if accepted else ()


def _tell_bribe(ctx: Context, done: Bribed) -> Sequence[Telling]:
    return (said("told_bribe_asked", n=done.credits) if done.success else said("told_incorruptible"),)


BRIBE = Move(
    "bribe",
    group="trade", cast=(INITIATOR, MARKET, GAME_MASTER),
    rules=("EGW-114", "EGW-115", "EGW-116", "EGW-117"),
    steps=(
        Ask("offer", (Field("favour", TextField(300), usual="", rule="EGW-114"), *TESTED, GRADE)),
        Ask("settle", (
            secret("target_grade", Whole(0, 6), "EGW-115", usual=0, probes=(0, 1, 2, 3, 4, 5, 6)),
            PLACE_LEVEL,
            Field("politics_row", Whole(2, 12), "gm", optional=True, secrecy="gm", rule="EGW-115"),
            Field("days", Whole(1), "gm", usual=1, rule="EGW-116"),
            *OPENLY,
        )),
        Resolve("bribe", bribe, _read_bribe, tell=_tell_bribe,
                outcome=lambda done: "corruptible" if done.success else "incorruptible",
                success=lambda done: done.success, shown=lambda ctx, done: Shown(dice=PAIR, detail=GM_ONLY)),
        Ask("pay", (Field("accept", Flag(), usual=True, waits=True, rule="EGW-116", when=_bought_off),)),
        Resolve("paid", settle_deal, lambda ctx: (ctx["accept"],), when=_bought_off, auto=True, changes=_change_bribe,
                outcome=lambda accepted: "bribed" if accepted else "no_deal",
                tell=lambda ctx, accepted: (said("told_bribed" if accepted else "told_no_bribe"),)),
    ),
)  # fmt: skip

MOVES = (GENERATE_MARKET, SURVEY_MARKET, ACQUIRE_OBJECT, PLACE_OBJECT, BUY_LOTS, SELL_LOTS, HAGGLE, LEAVE_PORT, BRIBE)
