"""The records of trade: a market for a month, a hold full of lots."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from paravent.game import GM_ONLY, Fault, RecordKind, RowParts, Rulings, Section, Value, only
from paravent.systems.empire.sheets import within
from paravent.systems.empire.terms import figure
from paravent.systems.empire.worlds.earlier import EARLIER
from paravent.systems.empire.worlds.maps import area_of
from paravent.systems.empire.worlds.peoples import arms, lawful_weapons, penalty
from paravent.systems.empire.worlds.sector import Sector, place_of

from .goods import all_goods, tallied
from .trade import Lot, market_place, names_of

DEEDS = ("buy", "sell", "tax", "duty", "fare", "bribe")
"""What a ledger tells of."""


@dataclass(frozen=True)
class Market:
    """A world's market for a month: all that is offered and wanted, of which each merchant sees the first."""

    name: str = ""
    tech_level: int = 1
    nature: str = "neutral"
    politics_row: int = 7
    month: int = 0
    offered: tuple[int, ...] = ()
    demanded: tuple[int, ...] = ()
    remarks: str = ""
    world: str = ""
    sector: str = ""
    """The sector of its world, by its name at the table."""
    square: str = ""
    seed: str = ""
    """Where its lists come from, month by month."""
    area: str = ""
    """Where its sector lies, if that lies beside others: ``1,0/``."""

    @property
    def place(self) -> str:
        """What its place is known by, whatever it is called."""
        return f"{self.area}{self.square}" if self.square else self.world or self.name


class Entry(NamedTuple):
    """A line of the ledger: for how much, on which day of the clock, what was done, with how many lots, where."""

    credits: int = 0
    day: int = 0
    deed: str = ""
    good: str = ""
    quantity: int = 1
    place: str = ""


class Seen(NamedTuple):
    """What a merchant saw on a market in a month: no more of its lists than that."""

    place: str
    name: str
    tech_level: int
    month: int
    offered: tuple[int, ...] = ()
    demanded: tuple[int, ...] = ()


@dataclass(frozen=True)
class Cargo:
    """A hold: lots of goods, with where they are from and what they cost; its ledger, and the merchant's notes."""

    name: str = ""
    lots: tuple[Lot, ...] = ()
    remarks: str = ""
    capacity_kg: int = 0
    """How many kilos it takes; 0, as many as one likes."""
    ledger: tuple[Entry, ...] = ()
    markets_seen: tuple[Seen, ...] = ()

    @property
    def grams(self) -> int:
        """What is aboard."""
        return sum(lot.grams for lot in self.lots)

    def seen_at(self, place: str) -> Seen | None:
        """What the merchant last saw on a market."""
        return next((seen for seen in reversed(self.markets_seen) if seen.place == place), None)

    def noting(self, seen: Seen) -> tuple[Seen, ...]:
        """The notes with one more: what is known of a place is what was seen there last."""
        return (*(other for other in self.markets_seen if other.place != seen.place), seen)


def market_faults(record: Market, rulings: Rulings) -> list[Fault]:
    """A level from 1 to 6."""
    return list(within(record, {"tech_level": (1, 6), "politics_row": (2, 12)}, "EGW-080"))


def cargo_faults(record: Cargo, rulings: Rulings) -> list[Fault]:
    """Goods that the table has."""
    known = all_goods()
    return [Fault("unknown_good", "EGW-080", values={"got": lot.good}) for lot in record.lots if lot.good not in known]


def market_derived(record: Market, rulings: Rulings) -> dict[str, Value]:
    """Where it is held, and its goods by name."""
    return {
        "market_place": market_place(record.tech_level), "offered_goods": names_of(record.offered),
        "demanded_goods": names_of(record.demanded), "arms": arms(record.tech_level, record.nature, rulings)._asdict(),
        "lawful_weapons": lawful_weapons(record.tech_level, record.nature, rulings), "penalty": penalty(record.nature),
    }


def cargo_derived(record: Cargo, rulings: Rulings) -> dict[str, Value]:
    """What is aboard, how much room is left, and what was seen on markets, in words."""
    room = {"room_kg": figure(record.capacity_kg - Fraction(record.grams, 1000))} if record.capacity_kg else {}
    sold = [noted(seen, "offered_goods", seen.offered) for seen in record.markets_seen if seen.offered]
    wanted = [noted(seen, "demanded_goods", seen.demanded) for seen in record.markets_seen if seen.demanded]
    return {"mass_kg": figure(Fraction(record.grams, 1000)), **room,
            **({"seen_offered": sold} if sold else {}), **({"seen_demanded": wanted} if wanted else {})}


def noted(seen: Seen, side: str, rolls: tuple[int, ...]) -> dict[str, Value]:
    """A note in words: where, what, and in which month."""
    return {"name": seen.name, "month": seen.month + 1, side: tallied(rolls)}


def market_in_step(sheet: str, market: Market, name: str, chart: Sector, rulings: Rulings) -> Market:
    """A market once its world is as the map says: its name, its level, how it takes strangers, how it is ruled."""
    found = chart.world_at(market.square) if market.sector == name else None
    if found is None or found.people is None:
        return market
    folk, called = found.people, found.name if market.name in ("", market.world) else market.name
    return replace(market, name=called, world=found.name, seed=chart.key(market.square), tech_level=folk.tech_level,
                   nature=folk.nature, politics_row=folk.politics_row, area=area_of(chart))


def area_in(seed: str) -> str:
    """Where a sector lies, as its seed tells: nothing for the first of several."""
    _, x, y = place_of(seed)
    return f"{x},{y}/" if (x, y) != (0, 0) else ""


MARKET = RecordKind(
    "market", Market, check=market_faults, derived=market_derived, anybody=False,
    sections=(
        Section("place", (
            "name", "world", "square", "area", "tech_level", "nature", "politics_row", "month", "remarks")),
        Section("trade", ("offered", "demanded")),
    ),
    hidden=dict.fromkeys(("offered", "demanded", "politics_row", "nature", "remarks", "sector", "seed"), GM_ONLY),
    rules={"trade": "EGW-101", "offered": "EGW-081", "demanded": "EGW-082", "market_place": "EGW-100",
           "politics_row": "EGW-072", "nature": "EGW-071", "month": "EGW-101"},
    choices={"nature": lambda: ("friendly", "neutral", "hostile")},
    follows={"sector": market_in_step}, version=2, earlier={1: EARLIER["market"]},
)
CARGO = RecordKind(
    "cargo", Cargo, check=cargo_faults, derived=cargo_derived, anybody=False,
    sections=(Section("trade", ("name", "capacity_kg", "lots", "seen_offered", "seen_demanded", "ledger", "remarks")),),
    hidden=dict.fromkeys(("lots", "remarks", "ledger", "markets_seen"), only("owner", "gm")),
    rules={"lots": "EGW-107", "capacity_kg": "EGW-080", "mass_kg": "EGW-080", "markets_seen": "EGW-101",
           "seen_offered": "EGW-101", "seen_demanded": "EGW-101", "ledger": "EGW-107"},
    choices={"lots.good": all_goods, "ledger.deed": lambda: DEEDS},
    rows={"ledger": RowParts(counted="quantity"), "markets_seen": RowParts("name")},
)
KINDS = (MARKET, CARGO)
