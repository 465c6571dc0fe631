"""The planner: which route earns most, for the game master over all, for a player over what they have seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import ceil

from paravent.game import Telling, Value, rule
from paravent.game.leaves import Asked, Block, Content, Heading, Lead, Leaf, Reader, Rows, Says
from paravent.game.words import folded
from paravent.systems.empire.people.character import Character
from paravent.systems.empire.people.creation import Guild
from paravent.systems.empire.travel.passages import Net, Passage, net_around, passage_between
from paravent.systems.empire.worlds.living import market_of, month_of
from paravent.systems.empire.worlds.maps import Chart, area_of
from paravent.systems.empire.worlds.sector import Sector

from .errors import NoMap
from .goods import Tally, base_price, tallied
from .kinds import Cargo
from .planner import BRACKETS, Found, Merchant, Plan, Stop, planned, risk
from .trade import goods_found, is_renewed, names_of, price_dice

MOST = 15
"""How many ventures are shown."""
FIELDS = {"charm": (2, 12), "intelligence": (2, 12), "haggling": (0, 6), "appraisal": (0, 6), "grade": (0, 6)}


def said(key: str, **values: Value) -> Telling:
    """A sentence of this leaf."""
    return Telling(f"leaves.trade.{key}", values)


def merchants(reader: Reader) -> dict[str, Character]:
    """The characters who may trade, by their names at the table: the players' before those that nobody plays."""
    known = [(held, one) for held, one in reader.of(Character) if held.mine or reader.is_gm]
    return {held.id: one for held, one in sorted(known, key=lambda pair: not pair[0].owned)}


def merchant_of(reader: Reader) -> Merchant:
    """Who plans: a character of the reader's, with whatever was typed in its place."""
    known = merchants(reader)
    found = reader.one_of("merchant", known, next(iter(known), ""))
    usual = Merchant()
    if found is not None:
        usual = Merchant(found.charm, found.intelligence, found.level("44"), found.level("46"),
                         found.grade if found.guild is Guild.MERCHANT else 0, max(0, found.credits))
    hold = next((one for held, one in reader.of(Cargo) if held.mine or reader.is_gm), None)
    if hold is not None and hold.capacity_kg:
        usual = usual._replace(room_kg=max(0, hold.capacity_kg - hold.grams // 1000))
    typed = {name: reader.number(name, getattr(usual, name), *bounds) for name, bounds in FIELDS.items()}
    room = reader.number("room", -1, -1)
    return usual._replace(**typed, purse=reader.number("purse", usual.purse),
                          **({"room_kg": room} if room >= 0 else {}))


def maps(reader: Reader) -> dict[str, Sector | Chart]:
    """The maps that the reader has, by their names at the table: whole sectors first."""
    whole: dict[str, Sector | Chart] = {held.id: one for held, one in reader.of(Sector)}
    return {**whole, **{held.id: one for held, one in reader.of(Chart)}}


def map_of(reader: Reader) -> Sector | Chart:
    """The map that is chosen, or the first."""
    known = maps(reader)
    found = reader.one_of("map", known, usual_map(known))
    if found is None:
        raise NoMap()
    return found


def usual_map(known: Mapping[str, Sector | Chart]) -> str:
    """The map on which the group is, or the first."""
    return next((name for name, one in known.items() if one.party), next(iter(known), ""))


def net_for(reader: Reader, known: Sector | Chart) -> Net:
    """The worlds and routes of a map, and of those beside it that the reader has."""
    return net_around(known, maps(reader).values(), reader.rulings)


def all_stops(reader: Reader, known: Sector | Chart, who: Merchant) -> Iterator[Stop]:
    """Every market on the map and on those beside it."""
    for one in maps(reader).values():
        beside = known.galaxy and one.galaxy == known.galaxy and type(one) is type(known)
        if one is known or beside:
            yield from stops_of(reader, one, who)


def stops_of(reader: Reader, known: Sector | Chart, who: Merchant) -> Iterator[Stop]:
    """Every market on the map, as far as the reader knows it."""
    month, area = month_of(reader.day), area_of(known)
    if isinstance(known, Sector):
        for found in known.worlds:
            if found.people is not None and found.code:
                lists = market_of(found, known.key(found.square), month, reader.rulings)
                n = goods_found(found.tech_level, who.appraisal)
                yield Stop(f"{area}{found.square}", found.name, found.tech_level, names_of(lists.offered[:n]),
                           names_of(lists.demanded[:n]))
        return
    seen = {note.place: note for held, one in reader.of(Cargo) if held.mine for note in one.markets_seen
            if not is_renewed(note.month, month, reader.rulings)}
    for one in known.known:
        if one.tech_level:
            note = seen.get(f"{area}{one.square}") or seen.get(one.name)
            yield Stop(f"{area}{one.square}", one.name, one.tech_level, names_of(note.offered) if note else None,
                       names_of(note.demanded) if note else None)


@rule("EGW-196")
def travellers(reader: Reader) -> int:
    """How many leave, unless somebody says otherwise: the group goes together, and each pays a passage."""
    return max(1, sum(held.owned for held, _ in reader.of(Character)))


def leaving(reader: Reader) -> int:
    """How many leave, as chosen or as there are."""
    return reader.number("travellers", travellers(reader), 1)


def ways_of(reader: Reader, net: Net) -> dict[tuple[str, str], tuple[Passage, ...]]:
    """The voyage between each two worlds that are joined, with the fares of all who leave."""
    n = leaving(reader)
    peopled = [port for port in net.ports if port.tech_level]
    found = {(one.square, other.square): passage_between(net, one.square, other.square, reader.rulings)
             for one in peopled for other in peopled if one is not other}
    return {ends: (passage._replace(credits=n * passage.credits),) for ends, passage in found.items()
            if passage is not None}


def start_of(reader: Reader, known: Sector | Chart, net: Net) -> str:
    """Where one stands: as chosen, where the group is, or at the first port."""
    typed = net.called(reader.text("start"))
    first = next((port.square for port in sorted(net.ports, key=lambda port: -port.tech_level)), "")
    return typed.square if typed is not None else f"{net.area}{known.party}" if known.party else first


def search(reader: Reader) -> tuple[Merchant, str, Net, Found]:
    """All ventures, ranked."""
    who, known = merchant_of(reader), map_of(reader)
    net = net_for(reader, known)
    start = start_of(reader, known, net)
    found = planned(who, all_stops(reader, known, who), ways_of(reader, net), start, reader.rulings)
    return who, start, net, found


def _row(reader: Reader, who: Merchant, plan: Plan) -> tuple[str | int | Fraction | Telling | Lead, ...]:
    venture = plan.venture
    return (
        said("lots", n=venture.quantity, good=venture.good), said("kilos", n=venture.kilos), venture.origin.name,
        Lead("voyage", {"start": venture.origin.square, "end": venture.target.square},
             Telling("leaves.trade.to", {"name": venture.target.name})),
        venture.sure, round(plan.stake), plan.taxes, venture.fare, said("weeks", n=round(float(plan.days / 7), 1)),
        risk(who, plan, reader.rulings), round(plan.gain), round(plan.weekly))


def _data(reader: Reader, who: Merchant, plan: Plan) -> dict[str, Value]:
    venture = plan.venture
    return {
        "good": venture.good, "quantity": venture.quantity, "from": venture.origin.name,
        "from_square": venture.origin.square, "to": venture.target.name, "to_square": venture.target.square,
        "kilos": venture.kilos, "buyer": float(venture.sure), "stake": float(plan.stake), "taxes": plan.taxes,
        "fare": venture.fare, "days": float(plan.days), "jumps": sum(len(one.legs) for one in venture.passages),
        "loss": float(risk(who, plan, reader.rulings)), "gain": float(plan.gain), "weekly": float(plan.weekly),
    }


COLUMNS = ("good", "weight", "origin", "destination", "buyer", "stake", "taxes", "fare", "weeks", "loss", "gain",
           "weekly")


def aboard(reader: Reader) -> tuple[Block, ...]:
    """What is in each hold of the reader's, and what was paid and earned with it."""
    blocks: list[Block] = []
    for hold in (one for held, one in reader.of(Cargo) if held.mine or reader.is_gm):
        kilos, most = ceil(hold.grams / 1000), hold.capacity_kg
        blocks.append(Heading(said("hold_within", name=hold.name, kilos=kilos, capacity=most) if most else
                              said("hold", name=hold.name, kilos=kilos)))
        lots = tuple((Telling(f"values.{lot.good}"), lot.quantity, lot.tech_level, lot.origin, lot.paid)
                     for lot in hold.lots)
        blocks.append(Rows(("good", "quantity", "tech_level", "origin", "paid"), lots) if lots else Says(said("empty")))
        if hold.ledger:
            lines = tuple((Telling(f"values.{line.deed}"), line.day, line.credits, line.quantity if line.good else None,
                           Telling(f"values.{line.good}") if line.good else None, line.place) for line in hold.ledger)
            blocks += [Heading(said("ledger"), within=True),
                       Rows(("deed", "day", "credits", "quantity", "good", "place"), lines),
                       Says(said("balance", n=sum(line.credits for line in hold.ledger)))]
    return tuple(blocks)


def notes(reader: Reader) -> tuple[Block, ...]:
    """What the reader's merchants saw on markets, and in which month; what has grown old is said to have."""
    now = month_of(reader.day)
    rows = tuple((note.name, said("noted_old" if is_renewed(note.month, now, reader.rulings) else "noted",
                                  n=note.month + 1),
                  said("goods", goods=tallied(note.offered)),
                  said("goods", goods=tallied(note.demanded)))
                 for held, one in reader.of(Cargo) if held.mine or reader.is_gm for note in one.markets_seen)
    return (Heading(said("notes")), Rows(("name", "month", "offered_goods", "demanded_goods"), rows)) if rows else ()


@rule("EGW-101", "EGW-107")
def market_seen(reader: Reader, place: str) -> tuple[Block, ...]:
    """What the reader's merchant found on a market this month: what a lot may cost, few or many at a time, and what of
    what is wanted lies in the hold."""
    found = next(((one, note) for held, one in reader.of(Cargo) if held.mine and (note := one.seen_at(place))), None)
    if found is None or is_renewed(found[1].month, month_of(reader.day), reader.rulings):
        return ()
    hold, note = found
    sold = tuple((said("goods", goods=(good,)), *(said("between", low=least * n, high=least * 6 * n) for n in (
        price_dice(lots, reader.rulings) for lots, _ in BRACKETS)))
        for good in tallied(note.offered) for least in [note.tech_level * base_price(_called(good))])
    wanted = tuple((said("goods", goods=(good,)), sum(lot.quantity for lot in hold.lots if lot.good == _called(good))
                    or None) for good in tallied(note.demanded))
    return (Heading(said("found_here", n=note.month + 1), within=True),
            Rows(("offered_goods", "lots_few", "lots_some", "lots_many"), sold),
            Rows(("demanded_goods", "lots_aboard"), wanted))


def _called(good: str | Tally) -> str:
    return good if isinstance(good, str) else good.name


def make(reader: Reader) -> Content:
    """The best ventures from where one stands."""
    who, start, net, found = search(reader)
    here = net.at(start)
    shown, refused = found.plans[:MOST], found.refused[:3]
    lead = said("lead", purse=who.purse, name=here.name if here is not None else "")
    known, n = said("over_all" if reader.is_gm else "over_seen"), leaving(reader)
    scope = (*((Says(said("for_all", n=n)),) if n > 1 else ()), Says(known))
    rows: Block = Rows(COLUMNS, tuple(_row(reader, who, plan) for plan in shown)) if shown else Says(said("nothing"))
    customs: tuple[Block, ...] = (Heading(said("customs")), *(Says(said(
        "refused", n=plan.venture.quantity, good=plan.venture.good, origin=plan.venture.origin.name,
        place=plan.venture.target.name, level=plan.venture.origin.tech_level,
        there=plan.venture.target.tech_level)) for plan in refused)) if refused else ()
    return Content(said("title"), (Says(lead), *scope, rows, *customs, *aboard(reader), *notes(reader)), {
        "start": start, "merchant": {**who._asdict()},
        "plans": [_data(reader, who, plan) for plan in shown],
        "refused": [_data(reader, who, plan) for plan in refused],
    })


def _places(reader: Reader) -> dict[str, str | Telling]:
    known = maps(reader)
    chosen = reader.one_of("map", known, usual_map(known))
    ports = net_for(reader, chosen).ports if chosen is not None else ()
    return {port.square: port.name for port in sorted(ports, key=lambda one: folded(one.name))}


def _here(reader: Reader) -> str:
    known = map_of(reader)
    return start_of(reader, known, net_for(reader, known))


def _room(reader: Reader) -> str | int:
    room = merchant_of(reader).room_kg
    return "" if room is None else room


def _score(name: str) -> Callable[[Reader], str | int]:
    return lambda reader: int(getattr(merchant_of(reader), name))


def _merchants(reader: Reader) -> dict[str, str | Telling]:
    return {name: one.name for name, one in merchants(reader).items()}


TRADE = Leaf(
    "trade", make, (
        Asked("start", _places, usual=_here), Asked("merchant", _merchants, usual=lambda reader: next(
            iter(merchants(reader)), "")),
        Asked("purse", number=True, usual=lambda reader: merchant_of(reader).purse),
        Asked("travellers", number=True, usual=travellers, refinement=True),
        Asked("room", number=True, usual=_room, refinement=True),
        *(Asked(name, number=True, usual=_score(name), refinement=True) for name in FIELDS)),
    frozenset({"sector", "chart"}), ("EGW-101", "EGW-107", "EGW-108", "EGW-109", "EGW-196"),
)
