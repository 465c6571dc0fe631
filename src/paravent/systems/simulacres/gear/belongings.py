"""Things carried as values: charges and shots used up, weapons loaded, goods of a table's own price lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from paravent.game import Fault, RecordKind, RuleBook, Rulings, Section, in_language
from paravent.systems.simulacres.combat.weapons import fed_weapons, weapon_ids, weapons_by_family
from paravent.systems.simulacres.people.character import Character, Item, Weapon, plain_name

from .errors import NotCarried, NothingToLoad, TooLittleMoney


@dataclass(frozen=True)
class Good:
    """Something sold: its price, and what it is on a sheet (a weapon, ammunition for one, a thing with charges)."""

    name: str
    price: int = 0
    charges: int = 0
    """The uses that one holds; of a weapon, the shots."""
    feeds: str = ""
    weapon: str = ""


@dataclass(frozen=True)
class PriceList:
    """What somebody sells, at the table's own prices, in the table's own money."""

    name: str = ""
    currency: str = ""
    goods: tuple[Good, ...] = ()
    notes: str = ""


def list_faults(listed: PriceList, rulings: Rulings) -> Iterator[Fault]:
    """A price list that cannot be: weapons that no table has, prices below nothing."""
    for good in listed.goods:
        for name in filter(None, (good.weapon, good.feeds)):
            if name not in weapon_ids():
                yield Fault("unknown_weapon", "SIM-039", values={"name": name}, at="goods")
        if good.price < 0:
            yield Fault("price_below_nothing", values={"name": good.name, "got": good.price}, at="goods")


def ready_lists(lang: str) -> dict[str, PriceList]:
    """A list to begin with, of our own invention."""
    rows = RuleBook("paravent.systems.simulacres").data("shops")["shop"]
    return {row["id"]: PriceList(
        in_language(row["name"], lang), in_language(row["currency"], lang),
        tuple(Good(in_language(good["name"], lang), good["price"], good.get("charges", 0), good.get("feeds", ""),
                   good.get("weapon", "")) for good in row["goods"])) for row in rows}


PRICE_LIST = RecordKind(
    id="price-list",
    cls=PriceList,
    ready=ready_lists,
    anybody=False,
    check=lambda listed, rulings: tuple(list_faults(listed, rulings)),
    sections=(Section("identity", ("name", "currency", "notes")), Section("goods", ("goods",))),
    choices={"goods.weapon": weapons_by_family, "goods.feeds": fed_weapons},
)


def named(items: Sequence[Item], name: str) -> Item | None:
    """The thing that goes by a name, whatever its accents."""
    return next((item for item in items if plain_name(item.name) == plain_name(name)), None)


def good_named(listed: PriceList | None, name: str) -> Good | None:
    """What a list sells under a name."""
    goods = listed.goods if listed is not None else ()
    return next((good for good in goods if plain_name(good.name) == plain_name(name)), None)


# Used up


def uses_left(item: Item) -> int:
    """How often something may still be used: its charges, and those of the others like it, which are full."""
    return item.charges + max(0, item.count - 1) * item.charges_max if item.charges_max else item.count


def used(items: Sequence[Item], name: str, times: int) -> tuple[Item, ...]:
    """The things carried, once one of them served: a charge is gone, or one of it where it has none.

    What is used up is gone, except a thing that may be filled again: it stays, empty.
    """
    item = named(items, name)
    if item is None or uses_left(item) < times:
        raise NotCarried(what=name, count=times)
    return tuple(_less(one, times) if one is item else one for one in items if one is not item or _stays(one, times))


def _less(item: Item, times: int) -> Item:
    left = uses_left(item) - times
    if not item.charges_max:
        return replace(item, count=left)
    count = max(1, -(-left // item.charges_max))
    return replace(item, count=count, charges=left - (count - 1) * item.charges_max)


def _stays(item: Item, times: int) -> bool:
    return bool(item.charges_max) or uses_left(item) > times


# Loaded


def to_load(record: Character) -> tuple[Weapon, ...]:
    """The weapons that are not full, and for which something is carried."""
    fed = {item.feeds for item in record.equipment if item.feeds and item.count}
    return tuple(one for one in record.weapons if one.rounds < one.capacity and one.called in fed)


def loaded(record: Character, name: str) -> Character:
    """With a weapon loaded from the ammunition carried, as far as that goes."""
    held = next((one for one in to_load(record) if one.called == name), None)
    if held is None:
        raise NothingToLoad(weapon=name)
    wanted, items = held.capacity - held.rounds, list[Item]()
    for item in record.equipment:
        taken = min(wanted, item.count) if item.feeds == name else 0
        wanted -= taken
        items += [replace(item, count=item.count - taken)] if item.count > taken else []
    full = replace(held, rounds=held.capacity - wanted)
    return replace(record, equipment=tuple(items),
                   weapons=tuple(full if one is held else one for one in record.weapons))


# Bought and sold


def bought(record: Character, good: Good, count: int, cost: int) -> Character:
    """With so many of a good, paid for."""
    if cost > record.money:
        raise TooLittleMoney(cost=cost, money=record.money)
    left = replace(record, money=record.money - cost)
    if good.weapon:
        return replace(left, weapons=(*record.weapons, *(Weapon(good.weapon, capacity=good.charges),) * count))
    item = named(record.equipment, good.name)
    if item is None:
        new = Item(good.name, count, good.charges, feeds=good.feeds)
        return replace(left, equipment=(*record.equipment, new))
    return replace(left, equipment=tuple(
        replace(one, count=one.count + count) if one is item else one for one in record.equipment))


def sold(record: Character, name: str, count: int, price: int) -> Character:
    """Without so many of a thing, and with what they brought; a weapon is sold by its name too."""
    richer = replace(record, money=record.money + price)
    item = named(record.equipment, name)
    if item is not None and item.count >= count:
        kept = tuple(replace(one, count=one.count - count) if one is item else one for one in record.equipment
                     if one is not item or item.count > count)
        return replace(richer, equipment=kept)
    same = [one for one in record.weapons if one.called == name]
    if len(same) < count:
        raise NotCarried(what=name, count=count)
    gone = {id(one) for one in same[:count]}
    return replace(richer, weapons=tuple(one for one in record.weapons if id(one) not in gone))
