"""Moves of what people carry: a thing is used, a weapon is loaded, goods are bought and sold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import (
    GAME_MASTER,
    INITIATOR,
    Ask,
    Call,
    Cards,
    Change,
    Context,
    Field,
    FieldFacts,
    Move,
    OneOf,
    Pills,
    Resolve,
    Role,
    Rulings,
    Telling,
    TextField,
    Value,
    Whole,
    changed,
)
from paravent.systems.simulacres.actors import acting_is_awake, has_character
from paravent.systems.simulacres.people.character import Character

from .belongings import Good, PriceList, bought, good_named, loaded, named, sold, to_load, used, uses_left
from .errors import NotCarried

SHOP = Role("shop", "price-list", least=0, meant=lambda shop, around: True)
CARRIED = ("equipment", "weapons", "money")


def _sheet(ctx: Context) -> Character:
    """The sheet of whoever acts."""
    record = ctx.one().record
    return record if isinstance(record, Character) else Character()


def _carried(ctx: Context, after: Character) -> list[Change]:
    """What changes of the things carried."""
    actor = ctx.one()
    if not isinstance(actor.record, Character):
        return []
    return [change for name in CARRIED for change in changed(actor.id, actor.record, name, getattr(after, name), "")]


# Using something


class Used(NamedTuple):
    """Something that served, and how often it still may."""

    what: str
    times: int
    left: int


def _usable(ctx: Context) -> tuple[str, ...]:
    """What still serves; where nothing does any more, all there is: the act ends by saying so."""
    things = _sheet(ctx).equipment
    return tuple(item.name for item in things if uses_left(item)) or tuple(item.name for item in things)


def _uses(ctx: Context, name: str) -> int:
    item = named(_sheet(ctx).equipment, name)
    return uses_left(item) if item is not None else 0


def _still(ctx: Context, name: str) -> Telling:
    return Telling("outcomes.uses_left", {"n": _uses(ctx, name)})


ITEM: Field[str] = Field("item", OneOf(_usable), place="essential", shape=Pills(weighed=False, told=_still))
TIMES = Field("times", Whole(1, lambda ctx: max(1, _uses(ctx, ctx[ITEM]))), usual=1, place="refinement",
              when=lambda ctx: ITEM.id in ctx.one().filled)


def use(dice: Dice, what: str, times: int, left: int, rulings: Rulings) -> Used:
    """Use something so many times, if there is as much of it; of what is used up, nothing."""
    if left and times > left:
        raise NotCarried(what=what, count=times)
    return Used(what, min(times, left), left - min(times, left))


USE = Move(
    "use-equipment",
    cast=(INITIATOR, GAME_MASTER),
    offered=lambda ctx: acting_is_awake(ctx) and has_character(
        ctx, lambda record: any(map(uses_left, record.equipment))),
    steps=(
        Ask("say", (ITEM, TIMES)),
        Resolve("use", lambda ctx: Call(use, ctx[ITEM], ctx[TIMES], _uses(ctx, ctx[ITEM]), ctx.rulings), auto=True,
                outcome=lambda done: "used",
                tell=lambda ctx, done: (Telling("outcomes.told_used", {
                    "what": done.what, "n": done.times, "times": done.times, "left": done.left}, main=True),),
                changes=lambda ctx, done: _carried(ctx, _with_equipment(ctx, done))),
    ),
)


def _with_equipment(ctx: Context, done: Used) -> Character:
    record = _sheet(ctx)
    return replace(record, equipment=used(record.equipment, done.what, done.times))


# Loading a weapon


class Loaded(NamedTuple):
    """A weapon loaded, with how many shots."""

    weapon: str
    rounds: int


WEAPON: Field[str] = Field("weapon", OneOf(lambda ctx: tuple(one.called for one in to_load(_sheet(ctx)))),
                           place="essential", rule="SIM-037")


def load(dice: Dice, record: Character, weapon: str, rulings: Rulings) -> Loaded:
    """Load a weapon from what is carried for it."""
    full = loaded(record, weapon)
    return Loaded(weapon, next(one.rounds for one in full.weapons if one.called == weapon))


LOAD = Move(
    "load-a-weapon",
    cast=(INITIATOR, GAME_MASTER),
    rules=("SIM-037",),
    offered=lambda ctx: acting_is_awake(ctx) and has_character(ctx, lambda record: bool(to_load(record))),
    suits=lambda ctx: any(not one.serves for one in to_load(_sheet(ctx))),
    steps=(
        Ask("say", (WEAPON,)),
        Resolve("load", lambda ctx: Call(load, _sheet(ctx), ctx[WEAPON], ctx.rulings), auto=True,
                outcome=lambda done: "loaded",
                tell=lambda ctx, done: (Telling(
                    "outcomes.told_loaded", {"weapon": done.weapon, "rounds": done.rounds}, main=True),),
                changes=lambda ctx, done: _carried(ctx, loaded(_sheet(ctx), done.weapon))),
    ),
)


# Buying and selling


class Dealt(NamedTuple):
    """A deal struck: what, how many, for how much, and the money left."""

    deal: str
    what: str
    number: int
    cost: int
    left: int


def _prices(ctx: Context) -> PriceList | None:
    """The price list of whoever sells, where there is one."""
    return next((actor.record for actor in ctx.all("shop") if isinstance(actor.record, PriceList)), None)


def _sells(ctx: Context) -> bool:
    return ctx[DEAL] == "sell"


@dataclass(frozen=True)
class Goods(TextField):
    """What is bought: what the list sells, or anything where there is no list."""

    def describe(self, ctx: Context) -> FieldFacts:
        record, listed = _sheet(ctx), _prices(ctx)
        if listed is not None:
            return FieldFacts("one-of", [good.name for good in listed.goods if good.price <= record.money])
        return super().describe(ctx)


@dataclass(frozen=True)
class Belongings(TextField):
    """What is sold: something that one has."""

    def describe(self, ctx: Context) -> FieldFacts:
        return FieldFacts("one-of", [*_things(_sheet(ctx))])


def _what(ctx: Context) -> str:
    """What is dealt in, by name; nothing as long as it is not said."""
    return str(ctx.one().filled.get(SOLD.id if _sells(ctx) else WHAT.id) or "")


def _listed(ctx: Context, name: str) -> int | None:
    """The price of one of a good on the list."""
    good = good_named(_prices(ctx), name)
    return good.price if good is not None else None


def _told_price(ctx: Context, name: str) -> Telling | None:
    listed, price = _prices(ctx), _listed(ctx, name)
    if listed is None or price is None:
        return None
    return Telling("outcomes.priced", {"price": price, "currency": listed.currency})


def _list_price(ctx: Context) -> int | None:
    """What so many cost by the list; none as long as nothing on it is named."""
    price = _listed(ctx, _what(ctx))
    return None if price is None else price * _number(ctx)


def _price(ctx: Context) -> int:
    """What changes hands: by the list or as agreed; what no list has costs what the game master says."""
    listed = _list_price(ctx)
    if listed is None:
        return ctx[PRICE]
    agreed = ctx[AGREED_PRICE]
    return listed if agreed is None else agreed


def _things(record: Character) -> tuple[str, ...]:
    """What somebody has to sell, by name."""
    return tuple(dict.fromkeys((*(item.name for item in record.equipment), *(one.called for one in record.weapons))))


def _deals(ctx: Context) -> tuple[str, ...]:
    """What somebody has the means to do: buy with money, sell what they have."""
    record = _sheet(ctx)
    listed = _prices(ctx)
    buys = record.money if listed is None else any(good.price <= record.money for good in listed.goods)
    return (*(("buy",) if buys else ()), *(("sell",) if _things(record) else ()))


def _usual_deal(ctx: Context) -> str:
    """What is meant where it is not said: what a thing was named for, or whatever one has the means to do."""
    said = ctx.one().filled
    return "sell" if SOLD.id in said else "buy" if WHAT.id in said else next(iter(_deals(ctx)), "buy")


def _most(ctx: Context) -> int:
    """How many may be dealt in at once: of what is sold, as many as there are."""
    return _stock(ctx) or MOST_AT_ONCE


def _stock(ctx: Context) -> int:
    """How many somebody has of what they name to sell; 0 where nothing is named, or nothing sold."""
    record, name = _sheet(ctx), _what(ctx)
    item = named(record.equipment, name)
    if not _sells(ctx):
        return 0
    return max(0 if item is None else item.count, sum(one.called == name for one in record.weapons))


def _number(ctx: Context) -> int:
    """How many change hands; said before what is sold, no more than there are."""
    return min(ctx[HOW_MANY], _most(ctx))


@dataclass(frozen=True)
class Quantity(Whole):
    """How many; a page tells no bound as long as there is none but our own."""

    def describe(self, ctx: Context) -> FieldFacts:
        return FieldFacts(self.name, minimum=1, maximum=_stock(ctx) or None)


DEAREST, MOST_AT_ONCE = 1_000_000, 999
DEAL: Field[str] = Field("deal", OneOf(("buy", "sell"), _deals), usual=lambda ctx: _usual_deal(ctx),
                         place="essential", shape=Pills(weighed=False))
WHAT = Field("goods", Goods(80), place="essential", shape=Cards(told=_told_price), when=lambda ctx: not _sells(ctx))
SOLD = Field("sold", Belongings(80), place="essential", shape=Cards(told=_told_price), when=_sells, touched=False)
HOW_MANY = Field("how_many", Quantity(1, _most), usual=1, place="essential")
PAID = Whole(0, lambda ctx: DEAREST if _sells(ctx) else _sheet(ctx).money)
PRICE: Field[int] = Field("price", PAID, "gm", place="essential", when=lambda ctx: _list_price(ctx) is None)
AGREED_PRICE: Field[int | None] = Field("agreed_price", PAID, "gm", optional=True, place="refinement",
                                        when=lambda ctx: _list_price(ctx) is not None)


def _good(ctx: Context) -> Good:
    """What is bought, as the list has it, or a thing of that name."""
    return good_named(_prices(ctx), ctx[WHAT]) or Good(ctx[WHAT])


def _after(ctx: Context) -> Character:
    """The sheet once the deal is struck."""
    if _sells(ctx):
        return sold(_sheet(ctx), ctx[SOLD], _number(ctx), _price(ctx))
    return bought(_sheet(ctx), _good(ctx), _number(ctx), _price(ctx))


def deal(dice: Dice, dealt: Dealt, rulings: Rulings) -> Dealt:
    """A deal as it was struck."""
    return dealt


def _dealt(ctx: Context) -> Call[Dealt]:
    return Call(deal, Dealt(ctx[DEAL], _what(ctx), _number(ctx), _price(ctx), _after(ctx).money), ctx.rulings)


def _tell_deal(ctx: Context, done: Dealt) -> Sequence[Telling]:
    listed = _prices(ctx)
    values: dict[str, Value] = {"what": done.what, "n": done.number, "cost": done.cost, "left": done.left}
    key = "told_sold" if done.deal == "sell" else "told_bought"
    if listed is not None and listed.currency:
        values["currency"] = listed.currency
    else:
        key = f"{key}_for"
    return (Telling(f"outcomes.{key}", values, main=True),)


DEALS = Move(
    "buy-or-sell",
    cast=(INITIATOR, SHOP, GAME_MASTER),
    offered=lambda ctx: has_character(ctx, lambda record: bool(record.money or _things(record))),
    suits=lambda ctx: False,
    steps=(
        Ask("say", (DEAL, WHAT, SOLD, HOW_MANY)),
        Ask("price", (PRICE, AGREED_PRICE)),
        Resolve("deal", _dealt, auto=True, outcome=lambda done: "dealt", tell=_tell_deal,
                changes=lambda ctx, done: _carried(ctx, _after(ctx))),
    ),
)

MOVES = (USE, LOAD, DEALS)
