"""Moves of trade: markets, objects, lots, haggling, customs and bribes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from paravent.dice import Dice
from paravent.game import (
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    OWN_DICE,
    Ask,
    Change,
    Context,
    Field,
    Flag,
    Many,
    MissingField,
    Move,
    OneOf,
    Resolve,
    Rulings,
    Shown,
    Telling,
    TextField,
    Whole,
    asking,
    changed,
)
from paravent.game.errors import Withheld
from paravent.systems.empire.actions.trials import GRADE, OPENLY, SETTLED, TESTED, against, grade_of, sheet_level
from paravent.systems.empire.people.creation import Guild
from paravent.systems.empire.terms import Characteristic
from paravent.systems.empire.things import actor_in, figure, record_in
from paravent.systems.empire.throws import PAIR, by_gm, made, said, secret, to_gm, unseen
from paravent.systems.empire.travel.travel import in_gold, number
from paravent.systems.empire.worlds.generating import Generate
from paravent.systems.empire.worlds.roles import WORLD

from .errors import NotOffered, TooFewLots
from .goods import UNPRICED, Lists, abundance, all_goods
from .kinds import Cargo, Market
from .moves_bargain import HAGGLE, Terms, closing, haggling, settle_deal, settled_price
from .moves_objects import ACQUIRE_OBJECT, PLACE_OBJECT
from .purse import APPRAISAL, paid, paid_as_far, tell_owed
from .roles import CARGO, MARKET
from .trade import (
    Bargain,
    Bribe,
    Bribed,
    Customs,
    Deal,
    Inspection,
    Lot,
    Sale,
    bribe,
    goods_found,
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

ANY_GOOD = OneOf(lambda ctx: all_goods())
GOOD = Field("good", ANY_GOOD, rule="EGW-107")
QUANTITY = Field("quantity", Whole(1), usual=1, rule="EGW-107")
PLACE_LEVEL = Field("tech_level", Whole(1, 6), "gm", optional=True, rule="EGW-060")


# A market


def _world_lists(ctx: Context) -> Lists | None:
    found = record_in(ctx, "world")
    if found is None or found.people is None or ctx["month"]:
        return None
    return Lists(found.people.offered, found.people.demanded)


def market_gist(dice: Dice, tech_level: int, first: Lists | None, rulings: Rulings) -> Lists:
    """There will be a market."""
    return Lists((), ())


def _market_level(ctx: Context) -> int:
    market, folk = record_in(ctx, "market"), getattr(record_in(ctx, "world"), "people", None)
    known = folk or market
    if ctx["tech_level"] is None and known is None:
        raise MissingField(field="tech_level", role="gm")
    return int(ctx["tech_level"] or known.tech_level)


def _next_month(ctx: Context) -> int:
    market = record_in(ctx, "market")
    return market.month + 1 if market is not None else 0


def _change_market(ctx: Context, lists: Lists) -> Sequence[Change]:
    standing = actor_in(ctx, "market")
    if standing is not None:
        written = {"month": ctx["month"], "offered": lists.offered, "demanded": lists.demanded}
        return [change for name, value in written.items()
                for change in changed(standing.id, standing.record, name, value, "EGW-101", GM_ONLY)]
    found = record_in(ctx, "world")
    folk, place = (found.people, found.name) if found is not None else (None, "")
    market = Market(ctx["name"] or place, _market_level(ctx), month=ctx["month"], offered=lists.offered,
                    demanded=lists.demanded, world=place)
    if folk is not None:
        market = replace(market, nature=folk.nature, politics_row=folk.politics_row)
    return (made(market.name or "market", market, "market", "EGW-101", GM_ONLY),)


GENERATE_MARKET = Move(
    "generate-market",
    group="trade", by="gm", cast=(WORLD, MARKET, GAME_MASTER), exists=GM_ONLY,
    rules=("EGW-080", "EGW-081", "EGW-082", "EGW-101"),
    steps=(
        Ask("settle", (
            secret("name", TextField(80), "EGW-100", usual=""),
            secret("tech_level", Whole(1, 6), "EGW-080", optional=True),
            secret("month", Whole(0), "EGW-101", usual=_next_month),
        )),
        Generate("market",
            asking(by_gm(market_lists), lambda ctx: (_market_level(ctx), _world_lists(ctx), ctx.rulings)),
                 outcome=lambda lists: "market", shown=unseen, changes=_change_market, gist=market_gist,
                 tell=lambda ctx, lists: (to_gm("told_market", offered=names_of(lists.offered),
                                                demanded=names_of(lists.demanded)),)),
    ),
)


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
        Generate("survey", asking(survey, _read_survey), tell=_tell_survey, gist=survey_gist,
                 outcome=lambda found: "goods_found" if found.offered else "nothing_found",
                 shown=lambda ctx, found: Shown(dice=PAIR, outcome=PAIR)),
    ),
)


# Lots


def _cargo(ctx: Context) -> Cargo | None:
    cargo = record_in(ctx, "cargo")
    return cargo if isinstance(cargo, Cargo) else None


def _place(ctx: Context) -> str:
    actor = actor_in(ctx, "market")
    return str(actor.record.world or actor.record.name or actor.id) if actor is not None else ""


def _found(ctx: Context, side: str) -> tuple[int, ...] | None:
    """What the merchant has found on one side of the market; None where nobody wrote it down, or whoever weighs the
    deal may not see it."""
    market = record_in(ctx, "market")
    if market is None or ctx.rulings.market_renewal == "each_visit":
        return None
    try:
        rolls: tuple[int, ...] = getattr(market, side)
    except Withheld:
        return None
    return rolls[:goods_found(market.tech_level, sheet_level(ctx, "appraisal", "46"))]


def _read_buy(ctx: Context) -> tuple[Any, ...]:
    found = _found(ctx, "offered")
    if found is not None and not ctx["allowed"] and ctx["good"] not in names_of(found):
        raise NotOffered(good=ctx["good"])
    return ctx["good"], figure(ctx, "tech_level", "market"), ctx["quantity"], ctx.rulings, ctx["base"]


def _change_bought(ctx: Context, accepted: bool) -> Sequence[Change]:
    if not accepted:
        return ()
    total = settled_price(ctx, Bargain.BUY)
    changes = list(paid(ctx.one(), total, "EGW-107"))
    actor, cargo = actor_in(ctx, "cargo"), _cargo(ctx)
    if actor is not None and cargo is not None:
        lot = Lot(ctx["good"], ctx["quantity"], figure(ctx, "tech_level", "market"), _place(ctx), total)
        changes += changed(actor.id, cargo, "lots", (*cargo.lots, lot), "EGW-107")
    return changes


def tell_price(deal: Deal) -> Sequence[Telling]:
    """What a lot costs, and all of them."""
    return (said("told_price", unit=number(deal.unit), quantity=deal.quantity, n=deal.total),)


BASE = Field("base", Whole(0), "gm", optional=True, rule="EGW-107",
             when=lambda ctx: ctx["good"] in UNPRICED)
BUY_LOTS = Move(
    "buy-lots",
    group="trade", cast=(INITIATOR, MARKET, CARGO, GAME_MASTER), rules=("EGW-104", "EGW-107", "EGW-110"),
    steps=(
        Ask("want", (GOOD, QUANTITY, APPRAISAL)),
        Ask("settle", (PLACE_LEVEL, BASE, Field("allowed", Flag(), "gm", usual=False, rule="EGW-101"))),
        Resolve("price", asking(purchase, _read_buy), outcome=lambda deal: "priced",
                tell=lambda ctx, deal: tell_price(deal)),
        *haggling(lambda ctx: Terms(Bargain.BUY, figure(ctx, "tech_level", "market"), _renewals(ctx, "offered"))),
        *closing(Bargain.BUY, _change_bought),
    ),
)


def _renewals(ctx: Context, side: str) -> int:
    found = _found(ctx, side)
    return max(0, abundance(found, ctx["good"]) - 1) if found and ctx.rulings.same_good == "keep" else 0


def _aboard(ctx: Context) -> Lot | None:
    """The lots that are sold: of those bought elsewhere, the first of which there are enough."""
    cargo = _cargo(ctx)
    lots = [lot for lot in (cargo.lots if cargo is not None else ()) if lot.good == ctx["good"]]
    enough = [lot for lot in lots if lot.quantity >= ctx["quantity"]]
    foreign = [lot for lot in enough if not lot.origin or lot.origin != _place(ctx)]
    return next(iter((*foreign, *enough, *sorted(lots, key=lambda lot: -lot.quantity))), None)


def _brought(ctx: Context) -> int:
    """The whole stock of the good at the market: as typed, or all of it aboard."""
    cargo = _cargo(ctx)
    lots = cargo.lots if cargo is not None else ()
    return int(ctx["stock"] or sum(lot.quantity for lot in lots if lot.good == ctx["good"]))


def _read_sell(ctx: Context) -> tuple[Any, ...]:
    lot = _aboard(ctx)
    if _cargo(ctx) is not None and (lot is None or lot.quantity < ctx["quantity"]):
        raise TooFewLots(good=ctx["good"], got=ctx["quantity"], aboard=0 if lot is None else lot.quantity)
    level = lot.tech_level if lot is not None else ctx["goods_level"]
    wanted = _found(ctx, "demanded")
    sale = Sale(ctx["good"], level, ctx["quantity"], _brought(ctx), lot.origin if lot is not None else "", _place(ctx),
                figure(ctx, "tech_level", "market"), None if wanted is None else names_of(wanted), ctx["allowed"],
                ctx["base"])
    return sale, ctx.rulings


def _duty(ctx: Context) -> int:
    """What the world takes: only of goods that it asked for."""
    wanted = _found(ctx, "demanded")
    if wanted is not None and ctx["good"] not in names_of(wanted):
        return 0
    return in_credits(local_duty(ctx["good"], ctx["quantity"], ctx["duty_rate"] or 0, ctx.rulings, ctx["base"]))


def _change_sold(ctx: Context, accepted: bool) -> Sequence[Change]:
    if not accepted:
        return ()
    changes = list(paid(ctx.one(), _duty(ctx) - settled_price(ctx, Bargain.SELL), "EGW-108"))
    actor, cargo, lot = actor_in(ctx, "cargo"), _cargo(ctx), _aboard(ctx)
    if actor is not None and cargo is not None and lot is not None:
        left = lot.less(ctx["quantity"])
        at = cargo.lots.index(lot)
        lots = (*cargo.lots[:at], *([left] if left.quantity else []), *cargo.lots[at + 1:])
        changes += changed(actor.id, cargo, "lots", lots, "EGW-108")
    return changes


def _tell_duty(ctx: Context, accepted: bool) -> Sequence[Telling]:
    return (said("told_duty", n=_duty(ctx)),) if accepted and _duty(ctx) else ()


def _goods_level(ctx: Context) -> int:
    lot = _aboard(ctx)
    return int(lot.tech_level if lot is not None else ctx["goods_level"])


SELL_LOTS = Move(
    "sell-lots",
    group="trade", cast=(INITIATOR, MARKET, CARGO, GAME_MASTER), rules=("EGW-087", "EGW-104", "EGW-108", "EGW-113"),
    steps=(
        Ask("offer", (
            GOOD, QUANTITY,
            Field("goods_level", Whole(1, 6), usual=1, rule="EGW-108"),
            Field("stock", Whole(0), usual=0, rule="EGW-108"),
            APPRAISAL,
        )),
        Ask("settle", (
            PLACE_LEVEL, BASE,
            Field("allowed", Flag(), "gm", usual=False, rule="EGW-108"),
            Field("duty_rate", Whole(0, 100), "gm", usual=10, rule="EGW-087",
                  when=lambda ctx: ctx.rulings.local_tax == "gm"),
        )),
        Resolve("price", asking(sell, _read_sell), outcome=lambda deal: "priced" if deal.unit else "worthless",
                tell=lambda ctx, deal: tell_price(deal)),
        *haggling(lambda ctx: Terms(Bargain.SELL, _goods_level(ctx), _renewals(ctx, "demanded"))),
        *closing(Bargain.SELL, _change_sold, _tell_duty),
    ),
)


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
        lines.append(said("told_fraud", n=done.prison_days, weapons=done.confiscated))
    destination = ctx["destination_level"]
    if destination and any(is_proliferation(lot, destination) for lot in _lots(ctx)):
        lines.append(said("told_unlawful", PAIR))
    return lines


def _change_customs(ctx: Context, done: Customs) -> Sequence[Change]:
    changes = list(paid_as_far(ctx.one(), done.tax, "EGW-109"))
    actor, cargo = actor_in(ctx, "cargo"), _cargo(ctx)
    if done.discovered and actor is not None and cargo is not None:
        kept = tuple(lot for lot, shown in zip(cargo.lots, _lots(ctx), strict=True)
                     if not (shown.disguised and lot.good == "arms"))
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
        Resolve("customs",
            asking(by_gm(leave_port), _read_customs), tell=_tell_customs, changes=_change_customs, blind=True,
                outcome=lambda done: "caught" if done.discovered else "passed",
                success=lambda done: not done.discovered, shown=lambda ctx, done: Shown(dice=GM_ONLY, detail=GM_ONLY)),
    ),
)


# Bribes


def _read_bribe(ctx: Context) -> tuple[Any, ...]:
    dice, limit = against(ctx, "41", Characteristic.CHARM)
    politics = figure(ctx, "politics_row", "market")
    tried = Bribe(dice, limit, grade_of(ctx, ctx.one(), Guild.MERCHANT), ctx["target_grade"],
                  figure(ctx, "tech_level", "market"), politics, ctx["days"])
    return tried, ctx.rulings


def _bought_off(ctx: Context) -> bool:
    return "bribe" in ctx.results and ctx.results["bribe"].success


def _change_bribe(ctx: Context, accepted: bool) -> Sequence[Change]:
    return paid(ctx.one(), ctx.results["bribe"].credits, "EGW-117") if accepted else ()


def _tell_bribe(ctx: Context, done: Bribed) -> Sequence[Telling]:
    if not done.success:
        return (said("told_incorruptible"),)
    return (said("told_bribe_asked", n=done.credits, gold=number(in_gold(done.credits))),)


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
        Resolve("bribe", asking(bribe, _read_bribe), tell=_tell_bribe,
                outcome=lambda done: "corruptible" if done.success else "incorruptible",
                success=lambda done: done.success, shown=lambda ctx, done: OWN_DICE._replace(detail=GM_ONLY)),
        Ask("pay", (Field("accept", Flag(), usual=True, waits=True, rule="EGW-116", when=_bought_off),)),
        Resolve("paid",
            asking(settle_deal, lambda ctx: (ctx["accept"],)), when=_bought_off, auto=True, changes=_change_bribe,
                outcome=lambda accepted: "bribed" if accepted else "no_deal",
                tell=lambda ctx, accepted: (said("told_bribed" if accepted else "told_no_bribe"),)),
    ),
)

MOVES = (GENERATE_MARKET, SURVEY_MARKET, ACQUIRE_OBJECT, PLACE_OBJECT, BUY_LOTS, SELL_LOTS, HAGGLE, LEAVE_PORT, BRIBE)
