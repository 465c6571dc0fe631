"""Which route earns most: the rules of trade and travel weighed together (EGW-096, EGW-101 to EGW-113, EGW-194 to 196).

A venture is what a merchant does: go where a good is offered, buy, haggle once, pay the Empire, go where it is wanted,
sell, haggle once, pay the place. Its gain is worked out from the very rules that are played, so that the mean of many
played ventures is the figure told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from math import ceil
from typing import NamedTuple

from paravent.dice import Dice, Odds, odds
from paravent.game import Rulings, rule
from paravent.systems.empire.travel.passages import Passage
from paravent.systems.empire.travel.travel import waiting

from .goods import UNPRICED, UNWEIGHED, base_price, lot_mass, throw_demand
from .trade import (
    Bargain,
    Haggling,
    Lot,
    Sale,
    after_haggling,
    goods_found,
    haggle,
    imperial_tax,
    in_credits,
    is_proliferation,
    local_duty,
    names_of,
    price_dice,
    purchase,
    sell,
)

DAYS_A_WEEK = 7
BRACKETS = ((1, 9), (10, 99), (100, 999))
"""Quantities that are priced alike."""


class Merchant(NamedTuple):
    """Who trades: scores, levels of haggling and appraisal, grade, money, kilos of room (none: all one likes)."""

    charm: int = 7
    intelligence: int = 7
    haggling: int = 0
    appraisal: int = 0
    grade: int = 0
    purse: int = 100_000
    room_kg: int | None = None
    n_dice: int = 3


class Stop(NamedTuple):
    """A market as somebody knows it: where, its level, and what was found there; None where only the level is known."""

    square: str
    name: str
    tech_level: int
    offered: tuple[str, ...] | None = None
    demanded: tuple[str, ...] | None = None


class Venture(NamedTuple):
    """What is planned: lots of a good from one place to another, and the passages there."""

    good: str
    quantity: int
    origin: Stop
    target: Stop
    passages: tuple[Passage, ...]
    sure: Fraction = Fraction(1)
    """How likely somebody there wants it."""

    @property
    def fare(self) -> int:
        """What the passages cost."""
        return sum(one.credits for one in self.passages)

    @property
    def kilos(self) -> int:
        """What it all weighs."""
        return ceil(Fraction(lot_mass(self.good) * self.quantity, 1000))

    @property
    def unlawful(self) -> bool:
        """Whether customs refuse it."""
        return is_proliferation(Lot(self.good, self.quantity, self.origin.tech_level), self.target.tech_level)


def haggler(who: Merchant, bargain: Bargain, against: int) -> Haggling:
    """The merchant across a counter: selling rests on Charm, buying on Intelligence."""
    tested = who.charm if bargain is Bargain.SELL else who.intelligence
    return Haggling(bargain, who.n_dice, tested + who.haggling, who.charm, who.grade, against,
                    bargain is Bargain.SELL)


def bought(dice: Dice, who: Merchant, venture: Venture, rulings: Rulings) -> int:
    """What the lots cost in the end: the price, haggled over once, and the Empire's tax."""
    level = venture.origin.tech_level
    deal = purchase(dice, venture.good, level, venture.quantity, rulings)
    percent = dice.resolve(haggle, haggler(who, Bargain.BUY, level), rulings).percent
    paid = in_credits(after_haggling(deal.unit * deal.quantity, percent, Bargain.BUY))
    lot = Lot(venture.good, venture.quantity, level, paid=paid)
    return paid + in_credits(imperial_tax(lot, rulings))


def sold(dice: Dice, who: Merchant, venture: Venture, rulings: Rulings) -> int:
    """What the lots bring in the end: the price, haggled over once, less what the place takes."""
    level = venture.origin.tech_level
    sale = Sale(venture.good, level, venture.quantity, venture.quantity, venture.origin.square, venture.target.square,
                venture.target.tech_level)
    deal = sell(dice, sale, rulings)
    percent = dice.resolve(haggle, haggler(who, Bargain.SELL, level), rulings).percent
    price = in_credits(after_haggling(deal.unit * deal.quantity, percent, Bargain.SELL))
    return price - in_credits(local_duty(venture.good, venture.quantity, 0, rulings))


def played(dice: Dice, who: Merchant, venture: Venture, rulings: Rulings) -> int:
    """The gain of a venture, played from end to end."""
    cost = bought(dice, who, venture, rulings)
    return sold(dice, who, venture, rulings) - cost - venture.fare


class Plan(NamedTuple):
    """A venture weighed: its mean gain, what it takes, how long, and how likely it is to lose money once sold."""

    venture: Venture
    gain: Fraction
    stake: Fraction
    taxes: int
    days: Fraction

    @property
    def weekly(self) -> Fraction:
        """Credits a week."""
        return self.gain * DAYS_A_WEEK / max(Fraction(1), self.days)


@rule("EGW-101", "EGW-082")
@lru_cache(maxsize=4096)
def chance_wanted(good: str, tech_level: int, rolls: int) -> Fraction:
    """How likely a good is on a list of so many rolls, where only the level of a world is known."""
    one: Odds[int] = odds(throw_demand, tech_level)
    hit = one.chance(lambda roll: good in names_of((roll,)))
    return 1 - (1 - Fraction(hit)) ** rolls


def days_of(passages: tuple[Passage, ...], rulings: Rulings) -> Fraction:
    """How long it takes on the mean: flight, and waiting at each port one leaves for a new passage."""
    return sum((Fraction(one.days) + mean_wait(one.departure, one.arrival, rulings) for one in passages), Fraction(0))


@lru_cache(maxsize=256)
def mean_wait(departure: int, arrival: int, rulings: Rulings) -> Fraction:
    """The days one waits for a ship, on the mean."""
    return Fraction(odds(waiting, departure, arrival, rulings).mean())


def worst_price(good: str, level: int, quantity: int, rulings: Rulings) -> int:
    """What one lot costs at most, tax included: nobody plans to buy what they may be unable to pay."""
    dearest = base_price(good) * level * 6 * price_dice(quantity, rulings)
    return dearest + ceil(imperial_tax(Lot(good, 1, level, paid=dearest), rulings))


def most_lots(who: Merchant, good: str, level: int, low: int, high: int, fare: int, rulings: Rulings) -> int:
    """How many lots of a bracket one can pay whatever the dice say, and carry."""
    each = worst_price(good, level, low, rulings)
    mass = lot_mass(good)
    payable = (who.purse - fare) // each
    carried = 1000 * who.room_kg // mass if who.room_kg is not None and mass else high
    return int(min(high, payable, carried))


def weighed(who: Merchant, venture: Venture, rulings: Rulings) -> Plan:
    """A venture with its figures."""
    cost, price = law_bought(who, venture, rulings), law_sold(who, venture, rulings)
    stake, brought = Fraction(cost.mean()), Fraction(price.mean())
    tax = in_credits(imperial_tax(Lot(venture.good, venture.quantity, venture.origin.tech_level), rulings))
    duty = in_credits(local_duty(venture.good, venture.quantity, 0, rulings))
    # Unsold goods stay in the hold: tax and passages are lost, the goods are not.
    gain = venture.sure * (brought - stake) - (1 - venture.sure) * tax - venture.fare
    return Plan(venture, gain, stake, tax + duty, days_of(venture.passages, rulings))


def law_bought(who: Merchant, venture: Venture, rulings: Rulings) -> Odds[int]:
    """What it costs, and how often."""
    return odds(bought, who._replace(purse=0, room_kg=None), _bare(venture), rulings)


def law_sold(who: Merchant, venture: Venture, rulings: Rulings) -> Odds[int]:
    """What it brings, and how often."""
    return odds(sold, who._replace(purse=0, room_kg=None), _bare(venture), rulings)


def _bare(venture: Venture) -> Venture:
    """The venture without what its dice do not depend on, so that its odds are found again."""
    here, there = venture.origin, venture.target
    return Venture(venture.good, venture.quantity, Stop("a", "", here.tech_level), Stop("b", "", there.tech_level), ())


def law_of(who: Merchant, plan: Plan, rulings: Rulings) -> dict[int, Fraction]:
    """Every gain that the dice can give once it is sold, and how likely it is."""
    venture, out = plan.venture, dict[int, Fraction]()
    costs = dict(law_bought(who, venture, rulings).items())
    for price, likely in law_sold(who, venture, rulings).items():
        for cost, chance in costs.items():
            gain = price - cost - venture.fare
            out[gain] = out.get(gain, Fraction(0)) + Fraction(likely) * Fraction(chance)
    return out


def risk(who: Merchant, plan: Plan, rulings: Rulings) -> Fraction:
    """How likely a venture that is sold loses money."""
    return sum((chance for gain, chance in law_of(who, plan, rulings).items() if gain < 0), Fraction(0))


class Found(NamedTuple):
    """What a search found: ventures by what they earn a week, and those that customs refuse."""

    plans: tuple[Plan, ...] = ()
    refused: tuple[Plan, ...] = ()


def ventures(
    who: Merchant, stops: Iterable[Stop], ways: Mapping[tuple[str, str], tuple[Passage, ...]], start: str,
    rulings: Rulings,
) -> Iterator[Venture]:
    """Everything that can be bought at one place and sold at another, in the quantity that earns most of each price."""
    known = list(stops)
    for here in known:
        for good in dict.fromkeys(here.offered or ()):
            if good in UNPRICED or good in UNWEIGHED:
                continue
            for there in known:
                sure = _wanted(who, good, there)
                first = () if here.square == start else ways.get((start, here.square))
                then = ways.get((here.square, there.square))
                if here is there or not sure or first is None or then is None:
                    continue
                for low, high in BRACKETS:
                    passages = (*first, *then)
                    fare = sum(one.credits for one in passages)
                    lots = most_lots(who, good, here.tech_level, low, high, fare, rulings)
                    if lots >= low:
                        yield Venture(good, lots, here, there, passages, sure)


def _wanted(who: Merchant, good: str, there: Stop) -> Fraction:
    if there.demanded is not None:
        return Fraction(good in there.demanded)
    return chance_wanted(good, there.tech_level, goods_found(there.tech_level, who.appraisal))


def planned(
    who: Merchant, stops: Iterable[Stop], ways: Mapping[tuple[str, str], tuple[Passage, ...]], start: str,
    rulings: Rulings,
) -> Found:
    """The best venture of each good between each two places, by credits a week; what customs refuse is told apart."""
    best: dict[tuple[str, str, str], Plan] = {}
    for venture in ventures(who, stops, ways, start, rulings):
        plan = weighed(who, venture, rulings)
        key = venture.good, venture.origin.square, venture.target.square
        if key not in best or plan.weekly > best[key].weekly:
            best[key] = plan
    ranked = sorted(best.values(), key=lambda plan: (-plan.weekly, plan.venture.good, plan.venture.origin.square,
                                                     plan.venture.target.square))
    return Found(tuple(plan for plan in ranked if plan.gain > 0 and not plan.venture.unlawful),
                 tuple(plan for plan in ranked if plan.gain > 0 and plan.venture.unlawful))
