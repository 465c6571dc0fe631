"""« Commerce »: markets, prices, haggling, taxes and bribes (EGW-100 to EGW-117)."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import Rulings, rule
from paravent.systems.empire.actions.action import roll_under
from paravent.systems.empire.terms import TABLES

from .errors import ArmsRefused, BoughtHere, HoldFull, NoBuyer
from .goods import ARMS, FOOD, Lists, base_price, good_of, lot_mass, row_of, throw_lists

TAX = Fraction(1, 10)
"""The imperial tax, and the local duty where nothing else is said."""
LONGER = 6
"""How many rolls a world's list is lengthened by, for those who know how to look."""


class Bargain(StrEnum):
    """Which side of the counter."""

    BUY = "buy"
    SELL = "sell"


@rule("EGW-116", "EGW-117")
def in_credits(amount: Fraction | int) -> int:
    """An amount as it is paid, in credits, gold or a gift of that value: to the nearest, halves up."""
    return floor(amount + Fraction(1, 2))


# Markets


@rule("EGW-100")
def market_place(tech_level: int) -> str:
    """In the main city; from the fourth level on around the port, where trade between planets begins."""
    return "around_the_port" if tech_level >= 4 else "main_city"


@rule("EGW-101")
def goods_found(tech_level: int, appraisal: int) -> int:
    """How many goods a merchant discovers on each side: the level and his own, or two less than it if untrained."""
    return tech_level + appraisal if appraisal >= 1 else max(0, tech_level - 2)


@rule("EGW-101")
def market_lists(dice: Dice, tech_level: int, first: Lists | None, rulings: Rulings) -> Lists:
    """A world's whole list for a month: its own first rolls lengthened by six, or as many rolled anew."""
    if first is None:
        return throw_lists(dice, tech_level, tech_level + LONGER, rulings)
    more = throw_lists(dice, tech_level, LONGER, rulings)
    return Lists((*first.offered, *more.offered), (*first.demanded, *more.demanded))


@rule("EGW-101")
def survey(dice: Dice, tech_level: int, appraisal: int, known: Lists | None, rulings: Rulings) -> Lists:
    """What the merchant sees: the first goods of the world's list; without one, or at each visit, rolls of his own."""
    n = goods_found(tech_level, appraisal)
    if known is None or rulings.market_renewal == "each_visit":
        found = throw_lists(dice, tech_level, n, rulings)
    else:
        found = Lists(known.offered[:n], known.demanded[:n])
    dice.note("EGW-101", "survey", n=n, level=appraisal)
    return found


@rule("EGW-101")
def is_renewed(month: int, asked: int, rulings: Rulings) -> bool:
    """Whether a market's list has grown old: each month, unless the table never renews it."""
    return rulings.market_renewal == "monthly" and asked > month


# Prices


class Deal(NamedTuple):
    """A price: a lot's, and what all of them come to."""

    unit: Fraction
    quantity: int
    absent: bool = False
    """Whether there is nobody to deal with: so the merchant learns by asking."""

    @property
    def total(self) -> int:
        """What is paid."""
        return in_credits(self.unit * self.quantity)


@rule("EGW-101")
def nobody(dice: Dice, quantity: int) -> Deal:
    """Nobody here sells or wants what is asked for, as far as this merchant can find out."""
    return Deal(Fraction(0), quantity, True)


@rule("EGW-107")
def price_dice(quantity: int, rulings: Rulings) -> int:
    """Three dice for a few lots, two for ten or more (or five), one for a hundred or more."""
    if rulings.small_lots == "from_five" and 5 <= quantity < 10:
        return 2
    return int(TABLES["quantities"].cell(max(1, quantity), "dice"))


@rule("EGW-107")
def purchase(
    dice: Dice, good: str, tech_level: int, quantity: int, rulings: Rulings, told: int | None = None
) -> Deal:
    """Base × the goods' level × the dice, thrown once for the whole deal."""
    thrown, base = dice.sum(price_dice(quantity, rulings), 6), base_price(good, told)
    unit = Fraction(base * tech_level * thrown)
    dice.note("EGW-107", "price", base=base, level=tech_level, dice=thrown, n=int(unit))
    return Deal(unit, quantity)


@rule("EGW-108")
def sale_factor(tech_level: int, place: int, rulings: Rulings) -> Fraction:
    """The gap of technology between goods and place, at least 1.

    A table may want goods more advanced than the place, or make equals worth nothing, or half.
    """
    gap = tech_level - place
    if rulings.sale_factor == "signed" and gap <= 0:
        raise NoBuyer(good="", level=tech_level, place=place)
    if gap == 0:
        return {"zero": Fraction(0), "half": Fraction(1, 2)}.get(rulings.equal_tech, Fraction(1))
    return Fraction(abs(gap))


class Sale(NamedTuple):
    """What is sold: a good of a level, how many lots of how many aboard, where it is from, and where it is sold."""

    good: str
    tech_level: int
    quantity: int
    stock: int
    origin: str = ""
    place: str = ""
    place_level: int = 1
    demanded: tuple[str, ...] | None = None
    allowed: bool = False
    told: int | None = None
    """The base price that the game master says, of a good without one."""


@rule("EGW-108")
def check_sale(sale: Sale, rulings: Rulings) -> None:
    """It must be wanted here, and come from elsewhere; the game master may allow a good that nobody asked for."""
    if sale.origin and sale.origin == sale.place:
        raise BoughtHere(good=sale.good, place=sale.place)
    open_to_all = sale.allowed or rulings.undemanded == "any_good"
    if sale.demanded is not None and sale.good not in sale.demanded and not open_to_all:
        raise NoBuyer(good=sale.good, level=sale.tech_level, place=sale.place_level)


@rule("EGW-108")
def sell(dice: Dice, sale: Sale, rulings: Rulings) -> Deal:
    """Base × level × dice × the gap; the dice go by the whole stock brought, unless the table counts the batch."""
    check_sale(sale, rulings)
    quantity = sale.quantity if rulings.sale_dice == "batch" else max(sale.stock, sale.quantity)
    factor = sale_factor(sale.tech_level, sale.place_level, rulings)
    thrown, base = dice.sum(price_dice(quantity, rulings), 6), base_price(sale.good, sale.told)
    unit = base * sale.tech_level * thrown * factor
    dice.note("EGW-108", "sale", base=base, level=sale.tech_level, dice=thrown, factor=str(factor))
    return Deal(unit, sale.quantity)


# Haggling


class Haggling(NamedTuple):
    """Who haggles: dice and threshold of the test, the score the percentage rests on, grade, and what it is against."""

    bargain: Bargain
    n_dice: int
    threshold: int
    score: int
    grade: int
    against: int
    on_charm: bool = True
    """Whether the test rests on Charm too, and so loses what Charm loses."""
    renewals: int = 0
    """How often a good that abounds lets a failure be forgotten."""


class Haggled(NamedTuple):
    """How it went: a firm price, or so many per cent off or more."""

    success: bool
    percent: int


def haggle(dice: Dice, who: Haggling, rulings: Rulings) -> Haggled:
    """Test skill 44; on a success one die says how much."""
    return dice.then(haggle_again, who, 0, rulings)


@rule("EGW-104", "EGW-105")
def haggle_again(dice: Dice, who: Haggling, retries: int, rulings: Rulings) -> Haggled:
    """Once, or anew with one Charm less each time: the new outcome replaces the old, and a failure is final."""
    tested = roll_under(dice, who.n_dice, who.threshold - (retries if who.on_charm else 0))
    if not tested.success:
        dice.note("EGW-104", "firm_price")
        if who.renewals and dice.choose("initiator", "another_seller", (False, True), usual=False, rule="EGW-080"):
            return dice.then(haggle_again, who._replace(renewals=who.renewals - 1), 0, rulings)
        return Haggled(False, 0)
    percent = rebate(dice, who.score - retries, who.grade, who.against)
    if dice.choose("initiator", "haggle_again", (False, True), usual=False, rule="EGW-105", percent=percent):
        return dice.then(haggle_again, who, retries + 1, rulings)
    return Haggled(True, percent)


@rule("EGW-104")
def rebate(dice: Dice, score: int, grade: int, against: int) -> int:
    """One die, the merchant's grade and the score, less the goods' level or the object's quality; never below 0."""
    percent = max(0, dice.sum(1, 6) + grade + score - against)
    dice.note("EGW-104", "percent", n=percent)
    return percent


@rule("EGW-104")
def after_haggling(price: Fraction, percent: int, bargain: Bargain) -> Fraction:
    """Less for who buys, more for who sells."""
    return price * Fraction(100 - percent if bargain is Bargain.BUY else 100 + percent, 100)


# Taxes and customs


class Lot(NamedTuple):
    """Lots of a good aboard: how many, of what level, where they are from, what they cost, and what they pass for."""

    good: str
    quantity: int
    tech_level: int = 1
    origin: str = ""
    paid: int = 0
    disguised: bool = False
    at: str = ""
    """What the place where they were bought is known by, whatever it is called."""
    mass_g: int = 0
    """What one of them weighs, where that varies."""
    tax_paid: bool = False
    """Whether the Empire has had its tax: goods are exported once, from where they were bought."""

    @property
    def grams(self) -> int:
        """What they all weigh."""
        return self.quantity * (self.mass_g or lot_mass(self.good))

    @property
    def bought_at(self) -> str:
        """Where they are from."""
        return self.at or self.origin

    def less(self, quantity: int) -> Lot:
        """What is left of them, with what that cost."""
        left = self.quantity - quantity
        return self._replace(quantity=left, paid=self.paid * left // max(1, self.quantity))


@rule("EGW-080")
def check_room(aboard: int, more: int, capacity_kg: int) -> None:
    """A hold takes so many kilos and no more; one without a figure takes all."""
    if capacity_kg and aboard + more > 1000 * capacity_kg:
        raise HoldFull(mass=ceil(Fraction(more, 1000)), left=max(0, 1000 * capacity_kg - aboard) // 1000)


@rule("EGW-109", "EGW-110")
def imperial_tax(lot: Lot, rulings: Rulings) -> Fraction:
    """A tenth of the base price of what is exported; food is free. A table may tax the price paid."""
    if row_of(lot.good) == FOOD:
        return Fraction(0)
    return TAX * (lot.paid if rulings.imperial_tax == "paid" else base_price(lot.good) * lot.quantity)


@rule("EGW-087", "EGW-113")
def local_duty(good: str, quantity: int, rate: int, rulings: Rulings, told: int | None = None) -> Fraction:
    """What a world takes on goods in demand: a tenth of the base price, nothing, or the game master's per cent.

    Other local taxes and bans are the game master's too; players learn them from the data banks.
    """
    if row_of(good) == FOOD or rulings.local_tax == "none":
        return Fraction(0)
    percent = rate if rulings.local_tax == "gm" else 10
    return Fraction(percent, 100) * base_price(good, told) * quantity


@rule("EGW-111")
def is_proliferation(lot: Lot, destination: int) -> bool:
    """Arms may not be exported to a world below their level."""
    return row_of(lot.good) == ARMS and lot.tech_level > destination


@rule("EGW-111")
def check_arms(lots: tuple[Lot, ...], destination: int) -> None:
    """Arms that are declared are not let through to a world below their level; only disguise can pass them."""
    for lot in lots:
        if not lot.disguised and is_proliferation(lot, destination):
            raise ArmsRefused(level=lot.tech_level, place=destination)


class Customs(NamedTuple):
    """Leaving port: what is paid, and what a fraud found out costs."""

    tax: int
    discovered: bool = False
    prison_days: int = 0
    confiscated: int = 0


@rule("EGW-109")
def open_tax(lots: tuple[Lot, ...], rulings: Rulings) -> Fraction:
    """The tax on what is shown for what it is, once; what is disguised as food pays nothing."""
    return sum((imperial_tax(lot, rulings) for lot in lots if not lot.disguised and not lot.tax_paid), Fraction(0))


class Inspection(NamedTuple):
    """Whether customs look, and the test of disguise that stands against them."""

    looks: bool = False
    n_dice: int = 3
    threshold: int = 10


@rule("EGW-112")
def leave_port(dice: Dice, lots: tuple[Lot, ...], inspection: Inspection, rulings: Rulings) -> Customs:
    """Pay, and hope: a failed disguise under inspection doubles the tax, costs a day a weapon, and loses the arms."""
    tax = open_tax(lots, rulings)
    hidden = tuple(lot for lot in lots if lot.disguised)
    if not hidden or not inspection.looks:
        return Customs(in_credits(tax))
    if roll_under(dice, inspection.n_dice, inspection.threshold).success:
        return Customs(in_credits(tax))
    return found_out(tax, hidden, rulings)


@rule("EGW-112")
def found_out(tax: Fraction, hidden: tuple[Lot, ...], rulings: Rulings) -> Customs:
    """What was hidden pays twice; each weapon is a day of prison, and is lost."""
    doubled = sum((2 * imperial_tax(lot, rulings) for lot in hidden), start=Fraction(0))
    weapons = sum(lot.quantity for lot in hidden if row_of(lot.good) == ARMS)
    return Customs(in_credits(tax + doubled), True, weapons, weapons)


# Bribes


class Bribe(NamedTuple):
    """A bribe: dice and threshold of the test, grades of both, level and politics of the place, days to be gained."""

    n_dice: int
    threshold: int
    grade: int
    target_grade: int
    tech_level: int
    politics_row: int
    days: int = 1


class Bribed(NamedTuple):
    """Whether the target can be bought, and for how much."""

    success: bool
    credits: int


@rule("EGW-115")
def political_level(row: int, rulings: Rulings) -> int:
    """Anarchy counts for 1, the others for their row; a table may count every row."""
    return 1 if row == 2 and rulings.anarchy_level == "one" else row


@rule("EGW-115", "EGW-116")
def tariff(dice: Dice, bribe: Bribe, rulings: Rulings) -> int:
    """The game master's die, less the merchant's grade, plus the target's, at least 1; times level, politics, days."""
    share = max(1, dice.of("gm").sum(1, 6) - bribe.grade + bribe.target_grade)
    level = political_level(bribe.politics_row, rulings)
    credits = share * bribe.tech_level * level * max(1, bribe.days)
    dice.note("EGW-115", "tariff", share=share, level=bribe.tech_level, politics=level, n=credits)
    return credits


@rule("EGW-114")
def bribe(dice: Dice, tried: Bribe, rulings: Rulings) -> Bribed:
    """Test skill 41: a failure finds somebody incorruptible and ill-disposed."""
    if not roll_under(dice, tried.n_dice, tried.threshold).success:
        dice.note("EGW-114", "incorruptible")
        return Bribed(False, 0)
    return Bribed(True, tariff(dice, tried, rulings))


def names_of(rolls: tuple[int, ...]) -> tuple[str, ...]:
    """The goods that rolls stand for."""
    return tuple(good_of(roll) for roll in rolls)
