"""The planner: which route earns most, for the game master over all, for a player over what they have seen."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from paravent.game import Telling, Value
from paravent.game.leaves import Asked, Block, Content, Heading, Lead, Leaf, Reader, Rows, Says
from paravent.systems.empire.people.character import Character
from paravent.systems.empire.people.creation import Guild
from paravent.systems.empire.travel.passages import Net, Passage, net_of, passage_between
from paravent.systems.empire.worlds.living import market_of, month_of
from paravent.systems.empire.worlds.maps import Chart
from paravent.systems.empire.worlds.sector import Sector

from .errors import NoMap
from .kinds import Cargo
from .planner import Found, Merchant, Plan, Stop, planned, risk
from .trade import goods_found, is_renewed, names_of

MOST = 15
"""How many ventures are shown."""
FIELDS = {"charm": (2, 12), "intelligence": (2, 12), "haggling": (0, 6), "appraisal": (0, 6), "grade": (0, 6)}


def said(key: str, **values: Value) -> Telling:
    """A sentence of this leaf."""
    return Telling(f"leaves.trade.{key}", values)


def merchants(reader: Reader) -> dict[str, Character]:
    """The characters who may trade, by their names at the table."""
    return {held.id: one for held, one in reader.of(Character) if held.mine or reader.is_gm}


def merchant_of(reader: Reader) -> Merchant:
    """Who plans: a character of the reader's, with whatever was typed in its place."""
    known = merchants(reader)
    found = reader.one_of("merchant", known, next(iter(known), ""))
    usual = Merchant()
    if found is not None:
        usual = Merchant(found.charm, found.intelligence, found.level("44"), found.level("46"),
                         found.grade if found.guild is Guild.MERCHANT else 0, found.credits)
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
    found = reader.one_of("map", known, next(iter(known), ""))
    if found is None:
        raise NoMap()
    return found


def stops_of(reader: Reader, known: Sector | Chart, who: Merchant) -> Iterator[Stop]:
    """Every market on the map, as far as the reader knows it."""
    month = month_of(reader.day)
    if isinstance(known, Sector):
        for found in known.worlds:
            if found.people is not None and found.code:
                lists = market_of(found, known.key(found.square), month, reader.rulings)
                n = goods_found(found.tech_level, who.appraisal)
                yield Stop(found.square, found.name, found.tech_level, names_of(lists.offered[:n]),
                           names_of(lists.demanded[:n]))
        return
    seen = {note.place: note for held, one in reader.of(Cargo) if held.mine for note in one.markets_seen
            if not is_renewed(note.month, month, reader.rulings)}
    for one in known.known:
        if one.tech_level:
            note = seen.get(one.square) or seen.get(one.name)
            yield Stop(one.square, one.name, one.tech_level, names_of(note.offered) if note else None,
                       names_of(note.demanded) if note else None)


def ways_of(reader: Reader, net: Net) -> dict[tuple[str, str], tuple[Passage, ...]]:
    """The voyage between each two worlds that are joined."""
    peopled = [port for port in net.ports if port.tech_level]
    found = {(one.square, other.square): passage_between(net, one.square, other.square, reader.rulings)
             for one in peopled for other in peopled if one is not other}
    return {ends: (passage,) for ends, passage in found.items() if passage is not None}


def start_of(reader: Reader, known: Sector | Chart, net: Net) -> str:
    """Where one stands: as chosen, where the group is, or at the first port."""
    typed = net.called(reader.text("start"))
    first = next((port.square for port in sorted(net.ports, key=lambda port: -port.tech_level)), "")
    return typed.square if typed is not None else known.party or first


def search(reader: Reader) -> tuple[Merchant, str, Net, Found]:
    """All ventures, ranked."""
    who, known = merchant_of(reader), map_of(reader)
    net = net_of(known)
    start = start_of(reader, known, net)
    found = planned(who, stops_of(reader, known, who), ways_of(reader, net), start, reader.rulings)
    return who, start, net, found


def _row(reader: Reader, who: Merchant, plan: Plan) -> tuple[str | int | Fraction | Telling | Lead, ...]:
    venture = plan.venture
    return (
        said("lots", n=venture.quantity, good=venture.good), said("kilos", n=venture.kilos), venture.origin.name,
        Lead("voyage", {"start": venture.origin.square, "end": venture.target.square},
             Telling("leaves.trade.to", {"name": venture.target.name})),
        venture.sure, round(plan.stake), plan.taxes, venture.fare, round(plan.days / 7),
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


def make(reader: Reader) -> Content:
    """The best ventures from where one stands."""
    who, start, net, found = search(reader)
    here = net.at(start)
    shown, refused = found.plans[:MOST], found.refused[:3]
    lead = said("lead", purse=who.purse, name=here.name if here is not None else "")
    known = said("over_all" if reader.is_gm else "over_seen")
    rows: Block = Rows(COLUMNS, tuple(_row(reader, who, plan) for plan in shown)) if shown else Says(said("nothing"))
    customs: tuple[Block, ...] = (Heading(said("customs")), *(Says(said(
        "refused", n=plan.venture.quantity, good=plan.venture.good, origin=plan.venture.origin.name,
        place=plan.venture.target.name, level=plan.venture.origin.tech_level,
        there=plan.venture.target.tech_level)) for plan in refused)) if refused else ()
    return Content(said("title"), (Says(lead), Says(known), rows, *customs), {
        "start": start, "merchant": {**who._asdict()},
        "plans": [_data(reader, who, plan) for plan in shown],
        "refused": [_data(reader, who, plan) for plan in refused],
    })


def _places(reader: Reader) -> dict[str, str | Telling]:
    known = maps(reader)
    chosen = reader.one_of("map", known, next(iter(known), ""))
    ports = net_of(chosen).ports if chosen is not None else ()
    return {port.square: port.name for port in sorted(ports, key=lambda one: one.name)}


def _merchants(reader: Reader) -> dict[str, str | Telling]:
    return {name: one.name for name, one in merchants(reader).items()}


TRADE = Leaf(
    "trade", make, (
        Asked("start", _places), Asked("merchant", _merchants), Asked("purse", number=True),
        Asked("room", number=True), *(Asked(name, number=True) for name in FIELDS)),
    frozenset({"sector", "chart"}), ("EGW-101", "EGW-107", "EGW-108", "EGW-109", "EGW-196"),
)
