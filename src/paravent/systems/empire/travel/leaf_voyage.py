"""A voyage before one leaves: the way, the jumps, how long one may wait, the days, the fare."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from paravent.dice import odds
from paravent.game import Telling, Value, rule
from paravent.game.leaves import Asked, Bars, Block, Content, Exits, Heading, Lead, Leaf, Reader, Rows, Says, Start
from paravent.systems.empire.trade.kinds import Cargo
from paravent.systems.empire.trade.leaf_trade import (
    _here,
    _places,
    map_of,
    maps,
    merchants,
    net_for,
    start_of,
    travellers,
)
from paravent.systems.empire.trade.trade import in_credits, is_proliferation, open_tax
from paravent.systems.empire.worlds.maps import Chart
from paravent.systems.empire.worlds.sector import Colour, Sector

from .errors import NoRoute, NoSuchWorld
from .passages import Net, Passage, Port, passage_between
from .travel import waiting

SHIPS = ("freighter", "liner", "barge")


def said(key: str, **values: Value) -> Telling:
    """A sentence of this leaf."""
    return Telling(f"leaves.voyage.{key}", values)


def _end(reader: Reader, net: Net, here: str) -> Port | None:
    typed = reader.text("end")
    if not typed:
        return None
    found = net.called(typed)
    if found is None:
        raise NoSuchWorld(name=typed)
    return found


def make(reader: Reader) -> Content:
    """From one world to another, leg by leg; without an end, how far every world is."""
    known = map_of(reader)
    net = net_for(reader, known)
    here = net.at(start_of(reader, known, net))
    if here is None:
        raise NoSuchWorld(name=reader.text("start"))
    there = _end(reader, net, here.square)
    if there is None:
        return _distances(reader, net, here)
    found = passage_between(net, here.square, there.square, reader.rulings)
    if found is None:
        raise NoRoute(destination=there.name)
    return _told(reader, net, here, there, found, known)


def _distances(reader: Reader, net: Net, here: Port) -> Content:
    found = [(port, passage_between(net, here.square, port.square, reader.rulings))
             for port in net.ports if port is not here]
    near = sorted(((port, one) for port, one in found if one is not None), key=lambda pair: (
        pair[1].days, pair[1].credits, pair[0].code))
    chosen = {name: typed for name in ("map", "start") if (typed := reader.text(name))}
    rows = tuple((Lead("voyage", {**chosen, "end": port.square}, said("there", name=port.name)), len(one.legs),
                  one.days, one.credits) for port, one in near)
    return Content(said("from", name=here.name), (Rows(("destination", "jumps", "days", "fare"), rows),), {
        "from": here.name, "to": [{"name": port.name, "square": port.square, "jumps": len(one.legs), "days": one.days,
                                   "fare": one.credits} for port, one in near]})


def _told(reader: Reader, net: Net, here: Port, there: Port, found: Passage, known: Sector | Chart) -> Content:
    legs = []
    for leg in found.legs:
        kind = "chartered" if leg.colour is None else "great" if leg.colour is Colour.RED else "small"
        one, other = net.at(leg.start), net.at(leg.end)
        legs.append(Says(said(f"leg_{kind}", start=one.name if one else "", end=other.name if other else "")))
    ships = ("barge",) if found.barges == len(found.legs) else SHIPS
    fares = {ship: passage_between(net, here.square, there.square, reader.rulings, ship) for ship in ships}
    wait = odds(waiting, found.departure, found.arrival, reader.rulings)
    bars = tuple((str(days), Fraction(chance)) for days, chance in sorted(wait.items()))
    data: dict[str, Value] = {
        "from": here.name, "to": there.name, "jumps": len(found.legs), "days": found.days,
        "waiting": {str(days): float(chance) for days, chance in wait.items()},
        "fares": {ship: one.credits for ship, one in fares.items() if one is not None},
        "legs": [{"start": leg.start, "end": leg.end, "route": leg.colour.value if leg.colour else ""}
                 for leg in found.legs],
    }
    who, aboard = next(iter(merchants(reader)), ""), travellers(reader)
    role = "sector" if isinstance(known, Sector) else "chart"
    brought = tuple(name for name, one in maps(reader).items() if one is known or (
        known.galaxy and one.galaxy == known.galaxy and type(one) is type(known)))
    hold = next(((held.id, one) for held, one in reader.of(Cargo) if held.mine or (reader.is_gm and held.owned)), None)
    holds = (hold[0],) if hold is not None else ()
    ship = "barge" if found.barges == len(found.legs) else "freighter"
    leave = Start("travel-interstellar", said("leave"), {
        role: brought, **({"initiator": (who,)} if who else {}), **({"cargo": holds} if holds else {})}, {
        **({who: {"destination": there.name, "passage": ship, "travellers": aboard}} if who else {}),
        **({"gm": {"leaves": here.code, "reaches": there.code}} if reader.is_gm else {})})
    if hold is not None and held_back(hold[1], there):  # declared, they do not leave
        leave = Start("leave-port", said("customs"), {"cargo": holds, **({"initiator": (who,)} if who else {})},
                      {who: {"destination_level": max(1, there.tech_level)}} if who else {})
    return Content(said("title", start=here.name, end=there.name), (
        Says(said("lead", n=len(found.legs), days=found.days, fare=found.credits)),
        *((Says(said("for_all", n=aboard, fare=aboard * found.credits)),) if aboard > 1 else ()), *legs,
        Rows(("passage", "fare"), tuple((Telling(f"values.{ship}"), one.credits)
                                        for ship, one in fares.items() if one)),
        Heading(said("waiting", level=found.departure), within=True), Bars(bars), *loaded(reader, there),
        Exits((leave,))), data)


@rule("EGW-111")
def held_back(hold: Cargo, there: Port) -> int:
    """The highest level of declared arms aboard that customs do not let through to a world; 0 if there are none."""
    return max((lot.tech_level for lot in hold.lots
                if not lot.disguised and is_proliferation(lot, max(1, there.tech_level))), default=0)


@rule("EGW-109", "EGW-111")
def loaded(reader: Reader, there: Port) -> tuple[Block, ...]:
    """What is aboard: what it weighs, what the Empire takes of it when one leaves, what customs do not let through."""
    lines: list[Block] = []
    for hold in (one for held, one in reader.of(Cargo) if (held.mine or reader.is_gm) and one.lots):
        tax = in_credits(open_tax(hold.lots, reader.rulings))
        lines.append(Says(said("loaded", name=hold.name, kilos=ceil(hold.grams / 1000), tax=tax)))
        refused = held_back(hold, there)
        lines += [Says(said("refused", level=refused, name=there.name, there=there.tech_level))] if refused else []
    return (Heading(said("aboard"), within=True), *lines) if lines else ()


def _ends(reader: Reader) -> dict[str, str | Telling]:
    """Everywhere but where one is."""
    here = reader.text("start") or _here(reader)
    return {square: name for square, name in _places(reader).items() if square != here}


VOYAGE = Leaf("voyage", make, (Asked("start", _places, usual=_here), Asked("end", _ends)),
              frozenset({"sector", "chart"}), ("EGW-096", "EGW-097", "EGW-194", "EGW-195", "EGW-196"))
