"""Moves of trade: markets, objects, lots, haggling, customs and bribes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    OWN_DICE,
    Ask,
    Audience,
    Call,
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
    Value,
    Whole,
    changed,
)
from paravent.game.errors import Withheld
from paravent.systems.empire.actions.trials import GRADE, OPENLY, SETTLED, against, grade_of, sheet_level, tested_in
from paravent.systems.empire.people.creation import Guild
from paravent.systems.empire.terms import Characteristic, figure
from paravent.systems.empire.throws import PAIR, Generate, by_gm, made, said, to_gm, unseen
from paravent.systems.empire.travel.travel import in_gold
from paravent.systems.empire.worlds.generating import hash_dice
from paravent.systems.empire.worlds.living import lists_of, month_of
from paravent.systems.empire.worlds.planet import World
from paravent.systems.empire.worlds.roles import CHART, WORLD

from .errors import TooFewLots
from .goods import UNPRICED, UNWEIGHED, Lists, abundance, all_goods, lot_mass, tallied
from .kinds import Cargo, Entry, Market, Seen, area_in
from .moves_bargain import ACCEPT, HAGGLE, Terms, both, closing, haggling, settle_deal, settled_price
from .moves_objects import ACQUIRE_OBJECT, PLACE_OBJECT
from .purse import APPRAISAL, owed, paid, paid_as_far, tell_owed
from .roles import CARGO, MARKET, THEIRS, noted
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
    check_arms,
    check_room,
    goods_found,
    in_credits,
    is_proliferation,
    is_renewed,
    leave_port,
    local_duty,
    names_of,
    nobody,
    purchase,
    sell,
    survey,
)

MOST_LOTS = 1_000_000
"""More than anybody carries."""
ANY_GOOD = OneOf(lambda ctx: all_goods())
GOOD = Field("good", ANY_GOOD, rule="EGW-107")
OFFERED_GOOD = Field("good", OneOf(lambda ctx: _goods_seen(ctx)), rule="EGW-107")
CARRIED_GOOD = Field("good", OneOf(lambda ctx: _goods_aboard(ctx), lambda ctx: _goods_to_sell(ctx)), rule="EGW-108")
QUANTITY = Field("quantity", Whole(1), usual=1, rule="EGW-107")
BOUGHT_QUANTITY = Field("quantity", Whole(1, lambda ctx: _most_to_buy(ctx)), usual=1, rule="EGW-107")
SOLD_QUANTITY = Field("quantity", Whole(1, lambda ctx: _most_to_sell(ctx)), usual=1, rule="EGW-108", upfront=True)
PLACE_LEVEL: Field[int | None] = Field("tech_level", Whole(1, 6), "gm", optional=True, rule="EGW-060")


# A market


def _world_lists(ctx: Context) -> Lists | None:
    found = WORLD.brought(ctx)
    if found is None or found.people is None or ctx[MONTH]:
        return None
    return Lists(found.people.offered, found.people.demanded)


def market_gist(
    dice: Dice, tech_level: int, first: Lists | None, month: int, key: str, rulings: Rulings
) -> Lists:
    """There will be a market."""
    return Lists((), ())


def _market_level(ctx: Context) -> int:
    typed, found = ctx[PLACE_LEVEL], WORLD.brought(ctx)
    known = (found.people if found is not None else None) or MARKET.brought(ctx)
    if typed is None and known is None:
        raise MissingField(field="tech_level", role="gm")
    return typed or (known.tech_level if known is not None else 0)


def _next_month(ctx: Context) -> int:
    market = MARKET.brought(ctx)
    return market.month + 1 if market is not None else month_of(ctx.day)


def _change_market(ctx: Context, lists: Lists) -> Sequence[Change]:
    standing = MARKET.actor(ctx)
    if standing is not None:
        written: dict[str, Value] = {"month": ctx[MONTH], "offered": lists.offered, "demanded": lists.demanded}
        return [change for name, value in written.items()
                for change in changed(standing.id, standing.record, name, value, "EGW-101", GM_ONLY)]
    found = WORLD.brought(ctx)
    folk, place = (found.people, found.name) if found is not None else (None, "")
    market = Market(ctx[NAME] or place, _market_level(ctx), month=ctx[MONTH], offered=lists.offered,
                    demanded=lists.demanded, world=place)
    if found is not None:
        market = replace(market, sector=found.sector, square=found.square, seed=found.seed,
                         area=area_in(found.seed.rpartition("/")[0]))
    if folk is not None:
        market = replace(market, nature=folk.nature, politics_row=folk.politics_row)
    return (made(market.name or "market", market, "market", "EGW-101", _who_knows(ctx, found)),)


def _who_knows(ctx: Context, found: World | None) -> Audience:
    """A market is there for all; that of a square which is not on the players' map stays behind the screen."""
    if found is None or not found.sector:
        return EVERYONE
    known = CHART.brought(ctx)
    on_it = known is not None and known.sector == found.sector and any(one.square == found.square
                                                                      for one in known.known)
    return EVERYONE if on_it else GM_ONLY


def _market_call(ctx: Context) -> Call[Lists]:
    found = WORLD.brought(ctx)
    key = found.seed if found is not None else ""
    return Call(by_gm(lists_of), _market_level(ctx), _world_lists(ctx), ctx[MONTH], key, ctx.rulings)


NAME = Field("name", TextField(80), "gm", usual="", secrecy="gm", rule="EGW-100", names=True)
MONTH = Field("month", Whole(0), "gm", usual=_next_month, secrecy="gm", rule="EGW-101")
GENERATE_MARKET = Move(
    "generate-market",
    group="trade", by="gm", cast=(WORLD, MARKET, replace(CHART, meant=lambda chart, around: True), GAME_MASTER),
    exists=GM_ONLY,
    rules=("EGW-080", "EGW-081", "EGW-082", "EGW-101"),
    steps=(
        Ask("settle", (NAME, replace(PLACE_LEVEL, secrecy="gm", rule="EGW-080", written=True), MONTH)),
        Generate("market", _market_call,
                 outcome=lambda lists: "market", shown=unseen, changes=_change_market, gist=market_gist,
                 tell=lambda ctx, lists: (to_gm("told_market", offered=tallied(lists.offered),
                                                demanded=tallied(lists.demanded)),)),
    ),
)


def _now(ctx: Context) -> int:
    """The month of the market: as the game master says, or by the clock."""
    typed = ctx[SURVEYED_MONTH] if ctx.asks(SURVEYED_MONTH) else 0
    market = MARKET.brought(ctx)
    return typed or max(month_of(ctx.day), market.month if market is not None else 0)


def _lists(ctx: Context, market: Market) -> Lists:
    """The lists of a market this month: those written down, unless it has grown old and has a seed to be renewed by."""
    month = _now(ctx)
    if market.seed and is_renewed(market.month, month, ctx.rulings):
        return lists_of(hash_dice(market.seed), market.tech_level, None, month, market.seed, ctx.rulings)
    return Lists(market.offered, market.demanded)


def _known(ctx: Context) -> Lists | None:
    market = MARKET.brought(ctx)
    return _lists(ctx, market) if market is not None else None


def _survey_call(ctx: Context) -> Call[Lists]:
    level = sheet_level(ctx, APPRAISAL, "46")
    return Call(survey, _level_here(ctx), level, _known(ctx), ctx.rulings)


def _tell_survey(ctx: Context, found: Lists) -> Sequence[Telling]:
    line = said("told_survey", PAIR, offered=tallied(found.offered), demanded=tallied(found.demanded)
                ) if found.offered or found.demanded else said("nothing_found", PAIR)
    market = MARKET.brought(ctx)
    stale = market is not None and not market.seed and is_renewed(market.month, _now(ctx), ctx.rulings)
    return (line, *((to_gm("told_stale", n=market.month + 1),) if market is not None and stale else ()))


class Surveyed(NamedTuple):
    """The gist of a survey: whether anything is found."""

    offered: tuple[int, ...]


def survey_gist(dice: Dice, tech_level: int, appraisal: int, known: Lists | None, rulings: Rulings) -> Surveyed:
    """Whether the merchant finds anything at all."""
    return Surveyed((0,) * goods_found(tech_level, appraisal))


def _change_survey(ctx: Context, found: Lists) -> Sequence[Change]:
    """What was seen goes to the merchant's notes; a market that has grown old is written down anew."""
    actor, market, changes = MARKET.actor(ctx), MARKET.brought(ctx), list[Change]()
    if actor is None or market is None:
        return ()
    if market.seed and is_renewed(market.month, _now(ctx), ctx.rulings):
        lists = _lists(ctx, market)
        written: dict[str, Value] = {"month": _now(ctx), "offered": lists.offered, "demanded": lists.demanded}
        changes += [change for name, value in written.items()
                    for change in changed(actor.id, market, name, value, "EGW-101", GM_ONLY)]
    hold, cargo = CARGO.actor(ctx), _cargo(ctx)
    seen = Seen(_place(ctx), market.name, _level_here(ctx), _now(ctx), found.offered, found.demanded)
    if hold is not None and cargo is not None:
        changes += changed(hold.id, cargo, "markets_seen", cargo.noting(seen), "EGW-101", weight="bookkeeping")
    elif ctx.one().record is not None:  # a merchant without a hold gets one, with these notes in it
        changes.append(_new_hold(ctx, Cargo(markets_seen=(seen,)), "EGW-101"))
    return changes


SURVEYED_MONTH = Field("month", Whole(0), "gm", usual=lambda ctx: month_of(ctx.day), secrecy="gm", rule="EGW-101")
SURVEY_MARKET = Move(
    "survey-market",
    group="trade", cast=(INITIATOR, MARKET, CARGO, GAME_MASTER), rules=("EGW-100", "EGW-101"),
    steps=(
        Ask("look", (APPRAISAL,)),
        Ask("settle", (PLACE_LEVEL, SURVEYED_MONTH)),
        Generate("survey", _survey_call, tell=_tell_survey, gist=survey_gist, changes=_change_survey,
                 outcome=lambda found: "surveyed", shown=lambda ctx, found: Shown(dice=PAIR)),
    ),
)


# Lots


def _cargo(ctx: Context) -> Cargo | None:
    return CARGO.brought(ctx)


def _new_hold(ctx: Context, hold: Cargo, rule: str) -> Change:
    """A hold for whoever had none, by the name of its owner."""
    called = f"{getattr(ctx.one().record, 'name', '') or ctx.one().id} (¢)"
    return made(called, replace(hold, name=called), "cargo", rule, EVERYONE)


def _place(ctx: Context) -> str:
    actor, market = MARKET.actor(ctx), MARKET.brought(ctx)
    return market.place or actor.id if actor is not None and market is not None else ""


def _level_here(ctx: Context) -> int:
    """The level of the place: as typed, or its market's."""
    return MARKET.figure(ctx, PLACE_LEVEL, lambda market: market.tech_level)


def _found(ctx: Context, side: str) -> tuple[int, ...] | None:
    """What the merchant has found on one side of the market; whoever weighs the deal and may not see its lists goes by
    the merchant's notes, and None is known where nobody wrote it down."""
    market = MARKET.brought(ctx)
    if market is None or ctx.rulings.market_renewal == "each_visit":
        return None
    try:
        rolls: tuple[int, ...] = getattr(_lists(ctx, market), side)
    except Withheld:
        seen = _noted(ctx)
        return None if seen is None else getattr(seen, side) or None
    return rolls[:goods_found(market.tech_level, sheet_level(ctx, APPRAISAL, "46"))]


def _noted(ctx: Context) -> Seen | None:
    """What the merchant has written down of this market this month."""
    cargo = _cargo(ctx)
    try:
        seen = cargo.seen_at(_place(ctx)) if cargo is not None else None
    except Withheld:
        return None
    return seen if seen is not None and not is_renewed(seen.month, month_of(ctx.day), ctx.rulings) else None


def _goods_seen(ctx: Context) -> tuple[str, ...]:
    """What one may ask for: what this merchant found here, if that was written down; else anything there is."""
    seen = _noted(ctx)
    return tuple(dict.fromkeys(names_of(seen.offered))) if seen is not None and seen.offered else all_goods()


def _goods_aboard(ctx: Context) -> tuple[str, ...]:
    """What one may sell: what is in the hold, if there is one."""
    cargo = _cargo(ctx)
    try:
        aboard = tuple(dict.fromkeys(lot.good for lot in cargo.lots)) if cargo is not None else ()
    except Withheld:
        return all_goods()
    return aboard or all_goods()


def _to_sell(ctx: Context) -> tuple[Lot, ...]:
    """The lots that may be sold here: those that were not bought here."""
    cargo = _cargo(ctx)
    try:
        return tuple(lot for lot in cargo.lots if not lot.bought_at or lot.bought_at != _place(ctx)) if cargo else ()
    except Withheld:
        return ()


def _goods_to_sell(ctx: Context) -> tuple[str, ...]:
    return tuple(dict.fromkeys(lot.good for lot in _to_sell(ctx))) or _goods_aboard(ctx)


def _most_to_sell(ctx: Context) -> int:
    """How many of a good are in one lot at most; no more are sold at a time."""
    return max((lot.quantity for lot in _to_sell(ctx) if lot.good == ctx[GOOD]), default=MOST_LOTS)


def _most_to_buy(ctx: Context) -> int:
    """How many lots of a good the hold still takes."""
    cargo = _cargo(ctx)
    try:
        each = lot_mass(ctx[GOOD]) if cargo is not None and cargo.capacity_kg and ctx[GOOD] not in UNWEIGHED else 0
        return max(1, (1000 * cargo.capacity_kg - cargo.grams) // each) if cargo is not None and each else MOST_LOTS
    except (Withheld, MissingField):
        return MOST_LOTS


def _has_something_to_sell(ctx: Context) -> bool:
    """Whether there is anything in the hold that may be sold here: nothing is where it was bought."""
    cargo = _cargo(ctx)
    try:
        here = _place(ctx)
        return cargo is None or any(not lot.bought_at or lot.bought_at != here for lot in cargo.lots)
    except Withheld:
        return True


def _bought_lot(ctx: Context, total: int) -> Lot:
    market = MARKET.brought(ctx)
    origin = market.world or market.name if market is not None else ""
    return Lot(ctx[GOOD], ctx[QUANTITY], _level_here(ctx), origin or _place(ctx), total, at=_place(ctx),
               mass_g=1000 * (ctx[MASS] or 0))


def _buy_call(ctx: Context) -> Call[Deal]:
    found, cargo = _found(ctx, "offered"), _cargo(ctx)
    if found is not None and not ctx[ALLOWED] and ctx[GOOD] not in names_of(found):
        return Call(nobody, ctx[QUANTITY])
    if cargo is not None:
        check_room(cargo.grams, _bought_lot(ctx, 0).grams, cargo.capacity_kg)
    return Call(purchase, ctx[GOOD], _level_here(ctx), ctx[QUANTITY], ctx.rulings, ctx[BASE])


def _change_bought(ctx: Context, accepted: bool) -> Sequence[Change]:
    if not accepted:
        return ()
    total = settled_price(ctx, BUYING_PRICE, Bargain.BUY)
    changes = list(paid(ctx.one(), total, "EGW-107"))
    actor, cargo, lot = CARGO.actor(ctx), _cargo(ctx), _bought_lot(ctx, total)
    line = Entry(-total, ctx.day + 1, "buy", lot.good, lot.quantity, lot.origin)
    if actor is None or cargo is None:  # nothing bought is ever lost: whoever has no hold gets one
        hold = Cargo(lots=(lot,), ledger=(line,))
        return [*changes, _new_hold(ctx, hold, "EGW-107")]
    changes += changed(actor.id, cargo, "lots", (*cargo.lots, lot), "EGW-107")
    return [*changes, *changed(actor.id, cargo, "ledger", (*cargo.ledger, line), "EGW-107", weight="bookkeeping")]


def tell_price(deal: Deal) -> Sequence[Telling]:
    """What a lot costs, and all of them."""
    if deal.absent:
        return ()
    return (said("told_price", unit=figure(deal.unit), quantity=deal.quantity, n=deal.total),)


BASE: Field[int | None] = Field("base", Whole(0), "gm", optional=True, rule="EGW-107",
                                when=lambda ctx: ctx[GOOD] in UNPRICED)
MASS: Field[int | None] = Field("lot_kg", Whole(0), "gm", optional=True, rule="EGW-080",
                                when=lambda ctx: ctx[GOOD] in UNWEIGHED)
ALLOWED = Field("allowed", Flag(), "gm", usual=False, rule="EGW-101")
BUYING_PRICE = Resolve("price", _buy_call, outcome=lambda deal: "nobody_sells" if deal.absent else "priced",
                       tell=lambda ctx, deal: (*tell_price(deal), *tell_owed(ctx.one(), deal.total, PAIR)))
BUY_LOTS = Move(
    "buy-lots",
    group="trade", cast=(INITIATOR, MARKET, CARGO, GAME_MASTER), rules=("EGW-104", "EGW-107", "EGW-110"),
    steps=(
        Ask("want", (OFFERED_GOOD, BOUGHT_QUANTITY, APPRAISAL)),
        Ask("settle", (PLACE_LEVEL, BASE, MASS, ALLOWED)),
        BUYING_PRICE,
        *haggling(BUYING_PRICE, lambda ctx: Terms(Bargain.BUY, _level_here(ctx), _renewals(ctx, "offered"))),
        *closing(BUYING_PRICE, Bargain.BUY, _change_bought),
    ),
)


def _renewals(ctx: Context, side: str) -> int:
    found = _found(ctx, side)
    return max(0, abundance(found, ctx[GOOD]) - 1) if found and ctx.rulings.same_good == "keep" else 0


def _aboard(ctx: Context) -> Lot | None:
    """The lots that are sold: of those bought elsewhere, the first of which there are enough."""
    cargo = _cargo(ctx)
    lots = [lot for lot in (cargo.lots if cargo is not None else ()) if lot.good == ctx[GOOD]]
    enough = [lot for lot in lots if lot.quantity >= ctx[QUANTITY]]
    foreign = [lot for lot in enough if not lot.bought_at or lot.bought_at != _place(ctx)]
    return next(iter((*foreign, *enough, *sorted(lots, key=lambda lot: -lot.quantity))), None)


def _brought(ctx: Context) -> int:
    """The whole stock of the good at the market: as typed, or all of it aboard."""
    cargo = _cargo(ctx)
    lots = cargo.lots if cargo is not None else ()
    return ctx[STOCK] or sum(lot.quantity for lot in lots if lot.good == ctx[GOOD])


def _sell_call(ctx: Context) -> Call[Deal]:
    lot = _aboard(ctx)
    if _cargo(ctx) is not None and (lot is None or lot.quantity < ctx[QUANTITY]):
        raise TooFewLots(good=ctx[GOOD], got=ctx[QUANTITY], aboard=0 if lot is None else lot.quantity)
    wanted, origin = _found(ctx, "demanded"), lot.bought_at if lot is not None else ""
    any_good = ctx[ALLOWED] or ctx.rulings.undemanded == "any_good"
    unwanted = wanted is not None and ctx[GOOD] not in names_of(wanted) and not any_good
    backward = ctx.rulings.sale_factor == "signed" and _goods_level(ctx) <= _level_here(ctx)
    if (unwanted or backward) and origin != _place(ctx):
        return Call(nobody, ctx[QUANTITY])
    sale = Sale(ctx[GOOD], _goods_level(ctx), ctx[QUANTITY], _brought(ctx), origin, _place(ctx), _level_here(ctx),
                None if wanted is None else names_of(wanted), ctx[ALLOWED], ctx[BASE])
    return Call(sell, sale, ctx.rulings)


def _duty(ctx: Context) -> int:
    """What the world takes: only of goods that it asked for."""
    wanted = _found(ctx, "demanded")
    if wanted is not None and ctx[GOOD] not in names_of(wanted):
        return 0
    return in_credits(local_duty(ctx[GOOD], ctx[QUANTITY], ctx[DUTY_RATE] or 0, ctx.rulings, ctx[BASE]))


def _change_sold(ctx: Context, accepted: bool) -> Sequence[Change]:
    if not accepted:
        return ()
    changes = list(paid(ctx.one(), _duty(ctx) - settled_price(ctx, SELLING_PRICE, Bargain.SELL), "EGW-108"))
    actor, cargo, lot = CARGO.actor(ctx), _cargo(ctx), _aboard(ctx)
    if actor is not None and cargo is not None and lot is not None:
        left = lot.less(ctx[QUANTITY])
        at = cargo.lots.index(lot)
        lots = (*cargo.lots[:at], *([left] if left.quantity else []), *cargo.lots[at + 1:])
        changes += changed(actor.id, cargo, "lots", lots, "EGW-108")
        lines = [Entry(settled_price(ctx, SELLING_PRICE, Bargain.SELL), ctx.day + 1, "sell", lot.good, ctx[QUANTITY],
                       _called_here(ctx))]
        if _duty(ctx):
            lines.append(Entry(-_duty(ctx), ctx.day + 1, "duty", lot.good, ctx[QUANTITY], _called_here(ctx)))
        changes += changed(actor.id, cargo, "ledger", (*cargo.ledger, *lines), "EGW-108", weight="bookkeeping")
    return changes


def _called_here(ctx: Context) -> str:
    market = MARKET.brought(ctx)
    return market.world or market.name if market is not None else ""


def _tell_duty(ctx: Context, accepted: bool) -> Sequence[Telling]:
    return (said("told_duty", n=_duty(ctx)),) if accepted and _duty(ctx) else ()


def _goods_level(ctx: Context) -> int:
    lot = _aboard(ctx)
    return lot.tech_level if lot is not None else ctx[GOODS_LEVEL]


GOODS_LEVEL = Field("goods_level", Whole(1, 6), usual=1, rule="EGW-108")
STOCK = Field("stock", Whole(0), usual=0, rule="EGW-108")
DUTY_RATE: Field[int | None] = Field("duty_rate", Whole(0, 100), "gm", usual=10, rule="EGW-087",
                                     when=lambda ctx: ctx.rulings.local_tax == "gm")
SELLING_PRICE = Resolve("price", _sell_call, tell=lambda ctx, deal: tell_price(deal), outcome=lambda deal: (
    "nobody_buys" if deal.absent else "priced" if deal.unit else "worthless"))
SELL_LOTS = Move(
    "sell-lots",
    group="trade", cast=(INITIATOR, MARKET, CARGO, GAME_MASTER), rules=("EGW-087", "EGW-104", "EGW-108", "EGW-113"),
    offered=_has_something_to_sell,
    steps=(
        Ask("offer", (CARRIED_GOOD, SOLD_QUANTITY, GOODS_LEVEL, STOCK, APPRAISAL)),
        Ask("settle", (PLACE_LEVEL, BASE, replace(ALLOWED, rule="EGW-108"), DUTY_RATE)),
        SELLING_PRICE,
        *haggling(SELLING_PRICE, lambda ctx: Terms(Bargain.SELL, _goods_level(ctx), _renewals(ctx, "demanded"))),
        *closing(SELLING_PRICE, Bargain.SELL, _change_sold, _tell_duty),
    ),
)


# Customs


def _lots(ctx: Context) -> tuple[Lot, ...]:
    cargo = _cargo(ctx)
    if cargo is not None:
        disguised = ctx[DISGUISED]
        return tuple(lot._replace(disguised=lot.disguised or lot.good in disguised) for lot in cargo.lots)
    return (Lot(ctx[GOOD], ctx[QUANTITY], ctx[GOODS_LEVEL], disguised=ctx[GOOD] in ctx[DISGUISED]),)


def _hides(ctx: Context) -> bool:
    """Whether anything passes as something else: only then is anybody put to the test."""
    try:
        return bool(ctx[DISGUISED]) or any(lot.disguised for lot in _lots(ctx))
    except Withheld:
        return True


def _customs_call(ctx: Context) -> Call[Customs]:
    lots, destination = _lots(ctx), ctx[DESTINATION_LEVEL]
    if destination:
        check_arms(lots, destination)
    elif any(lot.good == "arms" and not lot.disguised for lot in lots):
        raise MissingField(field="destination_level", role="initiator")  # arms do not leave for nobody knows where
    dice, limit = against(ctx, "24") if any(lot.disguised for lot in lots) else (3, 0)
    return Call(by_gm(leave_port), lots, Inspection(ctx[INSPECTED], dice, limit), ctx.rulings)


def _tell_customs(ctx: Context, done: Customs) -> Sequence[Telling]:
    lines = [said("told_tax", THEIRS, n=done.tax), *tell_owed(ctx.one(), done.tax, THEIRS)]
    if done.discovered:
        lines.append(said("told_fraud", n=done.prison_days, weapons=done.confiscated))
    destination = ctx[DESTINATION_LEVEL]
    if destination and any(is_proliferation(lot, destination) for lot in _lots(ctx)):
        lines.append(said("told_unlawful", PAIR))
    return lines


def _change_customs(ctx: Context, done: Customs) -> Sequence[Change]:
    changes = list(paid_as_far(ctx.one(), done.tax, "EGW-109"))
    actor, cargo = CARGO.actor(ctx), _cargo(ctx)
    if actor is not None and cargo is not None:
        shown = tuple(zip(cargo.lots, _lots(ctx), strict=True))
        kept = tuple(lot._replace(disguised=True) if one.disguised and not done.discovered
                     else lot._replace(tax_paid=True, disguised=False)
                     for lot, one in shown if not (done.discovered and one.disguised and lot.good == "arms"))
        changes += changed(actor.id, cargo, "lots", kept, "EGW-112" if done.discovered else "EGW-109",
                           weight="" if len(kept) < len(cargo.lots) else "bookkeeping")  # what was paid is told
    if done.tax and cargo is not None:
        place = cargo.lots[0].origin if cargo.lots else ""
        line = Entry(owed(ctx.one(), done.tax) - done.tax, ctx.day + 1, "tax", place=place)
        changes += noted(ctx, (line,), "EGW-109")
    return changes


DISGUISED = Field("disguised", Many(OneOf(lambda ctx: _goods_aboard(ctx)), distinct=True), usual=(), secrecy="own",
                  rule="EGW-112")
DESTINATION_LEVEL: Field[int | None] = Field("destination_level", Whole(1, 6), optional=True, rule="EGW-111")
INSPECTED = Field("inspected", Flag(), "gm", usual=False, secrecy="gm", rule="EGW-112", upfront=True)
LEAVE_PORT = Move(
    "leave-port",
    group="trade", cast=(INITIATOR, CARGO, GAME_MASTER), rules=("EGW-109", "EGW-110", "EGW-111", "EGW-112"),
    steps=(
        Ask("declare", (
            *(replace(field, when=lambda ctx: _cargo(ctx) is None) for field in (
                replace(GOOD, usual="food", rule="EGW-109"), QUANTITY, replace(GOODS_LEVEL, rule="EGW-111"))),
            DISGUISED, DESTINATION_LEVEL, *(replace(field, when=both(_hides, field.when)) for field in tested_in("24")),
        )),
        Ask("settle", (INSPECTED, *(replace(field, when=both(_hides, field.when)) for field in SETTLED))),
        Resolve("customs", _customs_call, tell=_tell_customs, changes=_change_customs, blind=True,
                outcome=lambda done: "caught" if done.discovered else "passed",
                success=lambda done: not done.discovered, shown=lambda ctx, done: Shown(dice=GM_ONLY, detail=GM_ONLY)),
    ),
)


# Bribes


def _bribe_call(ctx: Context) -> Call[Bribed]:
    dice, limit = against(ctx, "41", Characteristic.CHARM)
    politics = MARKET.figure(ctx, POLITICS_ROW, lambda market: market.politics_row)
    tried = Bribe(dice, limit, grade_of(ctx, ctx.one(), Guild.MERCHANT), ctx[TARGET_GRADE],
                  _level_here(ctx), politics, ctx[DAYS])
    return Call(bribe, tried, ctx.rulings)


def _bought_off(ctx: Context) -> bool:
    return BRIBED.id in ctx.results and ctx.result(BRIBED).success


def _is_paid(ctx: Context) -> bool:
    """Whether the price changes hands: whoever lacks it pays nothing, and nothing comes of it."""
    return bool(ctx[ACCEPT]) and not owed(ctx.one(), ctx.result(BRIBED).credits)


def _change_bribe(ctx: Context, accepted: bool) -> Sequence[Change]:
    if not accepted:
        return ()
    credits = ctx.result(BRIBED).credits
    return [*paid(ctx.one(), credits, "EGW-117"),
            *noted(ctx, (Entry(-credits, ctx.day + 1, "bribe", place=_called_here(ctx)),), "EGW-117")]


def _tell_bribe(ctx: Context, done: Bribed) -> Sequence[Telling]:
    if not done.success:
        return (said("told_incorruptible"),)
    return (said("told_bribe_asked", n=done.credits, gold=figure(in_gold(done.credits))),
            *tell_owed(ctx.one(), done.credits, PAIR))


FAVOUR = Field("favour", TextField(300), usual="", rule="EGW-114")
TARGET_GRADE = Field("target_grade", Whole(0, 6), "gm", usual=0, probes=(0, 1, 2, 3, 4, 5, 6), secrecy="gm",
                     rule="EGW-115")
POLITICS_ROW: Field[int | None] = Field("politics_row", Whole(2, 12), "gm", optional=True, secrecy="gm",
                                        rule="EGW-115")
DAYS = Field("days", Whole(1), "gm", usual=1, rule="EGW-116")
BRIBED = Resolve("bribe", _bribe_call, tell=_tell_bribe,
                 outcome=lambda done: "corruptible" if done.success else "incorruptible",
                 success=lambda done: done.success, shown=lambda ctx, done: OWN_DICE._replace(detail=GM_ONLY))
BRIBE = Move(
    "bribe",
    group="trade", cast=(INITIATOR, MARKET, CARGO, GAME_MASTER),
    rules=("EGW-114", "EGW-115", "EGW-116", "EGW-117"),
    steps=(
        Ask("offer", (FAVOUR, *tested_in("41"), GRADE)),
        Ask("settle", (TARGET_GRADE, PLACE_LEVEL, POLITICS_ROW, DAYS, *OPENLY)),
        BRIBED,
        Ask("pay", (replace(ACCEPT, rule="EGW-116", when=_bought_off),)),
        Resolve("paid", lambda ctx: Call(settle_deal, _is_paid(ctx)), when=_bought_off, auto=True,
                changes=_change_bribe,
                outcome=lambda accepted: "bribed" if accepted else "no_deal",
                tell=lambda ctx, accepted: (said("told_bribed" if accepted else "told_no_bribe"),)),
    ),
)

MOVES = (GENERATE_MARKET, SURVEY_MARKET, ACQUIRE_OBJECT, PLACE_OBJECT, BUY_LOTS, SELL_LOTS, HAGGLE, LEAVE_PORT, BRIBE)
