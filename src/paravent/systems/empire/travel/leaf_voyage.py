"""A voyage before one leaves: the way, the jumps, how long one may wait, the days, the fare."""

from __future__ import annotations

from fractions import Fraction

from paravent.dice import odds
from paravent.game import Telling, Value
from paravent.game.leaves import Asked, Bars, Content, Exits, Heading, Leaf, Reader, Rows, Says, Start
from paravent.systems.empire.trade.leaf_trade import _places, map_of, merchants, start_of
from paravent.systems.empire.worlds.sector import Colour, Sector

from .errors import NoRoute, NoSuchWorld
from .passages import Net, Passage, Port, net_of, passage_between
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
    net = net_of(known)
    here = net.at(start_of(reader, known, net))
    if here is None:
        raise NoSuchWorld(name=reader.text("start"))
    there = _end(reader, net, here.square)
    if there is None:
        return _distances(reader, net, here)
    found = passage_between(net, here.square, there.square, reader.rulings)
    if found is None:
        raise NoRoute(destination=there.name)
    return _told(reader, net, here, there, found, isinstance(known, Sector))


def _distances(reader: Reader, net: Net, here: Port) -> Content:
    found = [(port, passage_between(net, here.square, port.square, reader.rulings))
             for port in net.ports if port is not here]
    near = sorted(((port, one) for port, one in found if one is not None), key=lambda pair: (
        pair[1].days, pair[1].credits, pair[0].code))
    rows = tuple((port.name, len(one.legs), one.days, one.credits) for port, one in near)
    return Content(said("from", name=here.name), (Rows(("destination", "jumps", "days", "fare"), rows),), {
        "from": here.name, "to": [{"name": port.name, "square": port.square, "jumps": len(one.legs), "days": one.days,
                                   "fare": one.credits} for port, one in near]})


def _told(reader: Reader, net: Net, here: Port, there: Port, found: Passage, whole: bool) -> Content:
    legs = []
    for leg in found.legs:
        kind = "chartered" if leg.colour is None else "great" if leg.colour is Colour.RED else "small"
        one, other = net.at(leg.start), net.at(leg.end)
        legs.append(Says(said(f"leg_{kind}", start=one.name if one else "", end=other.name if other else "")))
    fares = {ship: passage_between(net, here.square, there.square, reader.rulings, ship) for ship in SHIPS}
    wait = odds(waiting, found.departure, found.arrival, reader.rulings)
    bars = tuple((str(days), Fraction(chance)) for days, chance in sorted(wait.items()))
    data: dict[str, Value] = {
        "from": here.name, "to": there.name, "jumps": len(found.legs), "days": found.days,
        "waiting": {str(days): float(chance) for days, chance in wait.items()},
        "fares": {ship: one.credits for ship, one in fares.items() if one is not None},
        "legs": [{"start": leg.start, "end": leg.end, "route": leg.colour.value if leg.colour else ""}
                 for leg in found.legs],
    }
    who = next(iter(merchants(reader)), "")
    leave = Start("travel-interstellar", said("leave"), {"initiator": (who,)} if who else {},
                  {who: {"destination": there.name}} if who else {})
    return Content(said("title", start=here.name, end=there.name), (
        Says(said("lead", n=len(found.legs), days=found.days, fare=found.credits)), *legs,
        Rows(("passage", "fare"), tuple((Telling(f"values.{ship}"), one.credits)
                                        for ship, one in fares.items() if one)),
        Heading(said("waiting", level=found.departure)), Bars(bars), Exits((leave,))), data)


VOYAGE = Leaf("voyage", make, (Asked("start", _places), Asked("end", _places)), frozenset({"sector", "chart"}),
              ("EGW-096", "EGW-097", "EGW-194", "EGW-195", "EGW-196"))
