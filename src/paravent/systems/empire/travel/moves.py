"""Moves of travel: on foot, between planets, between stars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    Ask,
    Call,
    Change,
    Context,
    Field,
    Flag,
    Follow,
    MissingField,
    Move,
    OneOf,
    Resolve,
    Shown,
    Telling,
    TextField,
    Whole,
    changed,
    time_goes_by,
)
from paravent.game.errors import Withheld
from paravent.systems.empire.actions.trials import sheet_level
from paravent.systems.empire.people.character import Character
from paravent.systems.empire.terms import TABLES, figure
from paravent.systems.empire.throws import by_gm, said, to_gm
from paravent.systems.empire.trade.kinds import Entry
from paravent.systems.empire.trade.purse import owed, paid_or_owed, tell_debt
from paravent.systems.empire.trade.roles import CARGO, THEIRS, noted
from paravent.systems.empire.trade.trade import Lot, check_arms, in_credits, open_tax
from paravent.systems.empire.worlds.maps import Chart, area_of
from paravent.systems.empire.worlds.roles import CHART, SECTOR, WORLD
from paravent.systems.empire.worlds.sector import Colour, Sector, may_use

from .errors import BargesOnly, NoRoute, NothingThere
from .passages import Net, Passage, Port, net_around, passage_between
from .travel import (
    DAYS_A_JUMP,
    Gait,
    Voyage,
    Walked,
    Walker,
    fare,
    go,
    interplanetary,
    interstellar,
    journey_hours,
    jumps,
    play_minutes,
)

A_DAY = 24 * 60

# On foot


def _own(ctx: Context, asked: Field[int | None]) -> int:
    """A score of whoever walks: as typed, or on the sheet."""
    typed = ctx[asked]
    if typed is not None:
        return typed
    score = getattr(ctx.one().record, asked.id, None)
    if score is None:
        raise MissingField(field=asked.id, role="initiator")
    return int(score)


def _piece(ctx: Context) -> str:
    typed = ctx[WORN]
    if typed is not None:
        return typed
    record = ctx.one().record
    worn = record.protections if isinstance(record, Character) else ()
    heavy = [one.piece for one in worn if TABLES["protections"].cell(one.piece, "needs_suit") == "yes"]
    return heavy[0] if heavy else ""


def _walk_call(ctx: Context) -> Call[Walked]:
    record = ctx.one().record
    grams = record.grams if isinstance(record, Character) else 0
    kilos = ctx[KILOS]
    carried = Fraction(grams, 1000) if kilos is None else Fraction(kilos)
    skill = 1 if record is None and ctx[SUIT_SKILL] is None else sheet_level(ctx, SUIT_SKILL, "54")
    size_t = WORLD.figure(ctx, SIZE_T, lambda found: found.size_t)
    who = Walker(_own(ctx, STRENGTH), _own(ctx, ENDURANCE), size_t, _piece(ctx), carried, skill)
    return Call(go, who, ctx[GAIT], ctx[HOURS] + Fraction(ctx[MINUTES], 60), ctx.rulings)


def _tell_walk(ctx: Context, done: Walked) -> Sequence[Telling]:
    lines = [said("told_walked", km=figure(done.km), hours=figure(done.hours), kmh=figure(done.kmh))]
    return [*lines, said("told_sleep", hours=figure(done.sleep))] if done.sleep else lines


GAIT = Field("gait", OneOf(Gait), usual=Gait.WALK, rule="EGW-190")
HOURS = Field("hours", Whole(0), usual=1, rule="EGW-190")
MINUTES = Field("minutes", Whole(0, 59), usual=0, rule="EGW-192")
STRENGTH: Field[int | None] = Field("strength", Whole(0, 20), optional=True, rule="EGW-190")
ENDURANCE: Field[int | None] = Field("endurance", Whole(0, 40), optional=True, rule="EGW-190")
WORN: Field[str | None] = Field("worn", OneOf(lambda ctx: TABLES["protections"].keys()), optional=True, rule="EGW-125")
KILOS: Field[int | None] = Field("kilos", Whole(0), optional=True, rule="EGW-125")
SUIT_SKILL: Field[int | None] = Field("suit_skill", Whole(0, 6), optional=True, rule="EGW-126")
SIZE_T: Field[int | None] = Field("size_t", Whole(0, 10), "gm", rule="EGW-026",
                                  usual=lambda ctx: None if WORLD.brought(ctx) else 6)
WALK = Move(
    "walk",
    group="travel", cast=(INITIATOR, WORLD, GAME_MASTER),
    rules=("EGW-026", "EGW-124", "EGW-125", "EGW-126", "EGW-190", "EGW-191", "EGW-192"),
    steps=(
        Ask("declare", (GAIT, HOURS, MINUTES, STRENGTH, ENDURANCE, WORN, KILOS, SUIT_SKILL)),
        Ask("settle", (SIZE_T,)),
        Resolve("walk", _walk_call, outcome=lambda done: "walked", tell=_tell_walk,
                follow=lambda ctx, done: time_goes_by(ceil(60 * done.hours))),
    ),
)


# A plain journey


class Journey(NamedTuple):
    """A journey without events: hours on the way, minutes at the table."""

    hours: Fraction
    minutes: Fraction


def journey(dice: Dice, km: int, kmh: int) -> Journey:
    """Distance by speed, and a quarter of an hour of play for each hour."""
    hours = journey_hours(Fraction(km), Fraction(kmh))
    return Journey(hours, play_minutes(hours))


DISTANCE_KM = Field("distance_km", Whole(1), rule="EGW-199")
SPEED_KMH = Field("speed_kmh", Whole(1), rule="EGW-199")
JOURNEY = Move(
    "journey",
    group="travel", rules=("EGW-199",),
    steps=(
        Ask("declare", (DISTANCE_KM, SPEED_KMH)),
        Resolve("journey", lambda ctx: Call(journey, ctx[DISTANCE_KM], ctx[SPEED_KMH]), outcome=lambda done: "arrived",
                tell=lambda ctx, done: (said("told_journey", hours=figure(done.hours)),
                                        to_gm("told_at_the_table", n=figure(done.minutes))),
                follow=lambda ctx, done: time_goes_by(ceil(60 * done.hours))),
    ),
)


# Between worlds


def _tell_voyage(ctx: Context, done: Voyage) -> Sequence[Telling]:
    owing = tell_debt(ctx.one(), done.credits * ctx[TRAVELLERS])
    lines = [said("told_voyage", n=done.days, credits=done.credits), *owing]
    return [said("told_waiting", n=done.waiting), *lines] if done.waiting else lines


def _tell_sailed(ctx: Context, done: Voyage) -> Sequence[Telling]:
    tax, price = _tax(ctx), done.credits * ctx[TRAVELLERS]
    short = _short_of_tax(ctx, price, tax)
    there = (ctx[DESTINATION] or "").strip()
    return [*_tell_voyage(ctx, done), *((said("told_arrived", place=there),) if there else ()),
            *((said("told_tax", THEIRS, n=tax),) if tax else ()),
            *((said("told_owed", THEIRS, n=short),) if short else ())]


def _change_voyage(ctx: Context, done: Voyage) -> Sequence[Change]:
    return paid_or_owed(ctx.one(), done.credits * ctx[TRAVELLERS], "EGW-196")


def _time_of(ctx: Context, done: Voyage) -> Sequence[Follow]:
    """Waiting and flight go by for everybody, on the one clock of the table: each says what they made of them."""
    return time_goes_by((done.waiting + done.days) * A_DAY)


TRAVELLERS = Field("travellers", Whole(1), usual=1, rule="EGW-196")
DESTINATION = Field("destination", TextField(80), usual="", rule="EGW-193")
INTERPLANETARY = Move(
    "travel-interplanetary",
    group="travel", rules=("EGW-193",),
    steps=(
        Ask("board", (DESTINATION, TRAVELLERS)),
        Resolve("travel", lambda ctx: Call(interplanetary), outcome=lambda done: "arrived", tell=_tell_voyage,
                changes=_change_voyage, follow=_time_of),
    ),
)

ROUTES = ("red", "blue", "off_route")
SECTORS, CHARTS = replace(SECTOR, most=None), replace(CHART, most=None)
"""One map, or several that lie side by side."""


def _maps(ctx: Context) -> tuple[tuple[str, Sector | Chart], ...]:
    """The maps that were brought, by their names at the table: the game master's before the players'."""
    whole = tuple((actor.id, actor.sheet(Sector)) for actor in ctx.all(SECTORS.id) if isinstance(actor.record, Sector))
    return whole or tuple((actor.id, actor.sheet(Chart)) for actor in ctx.all(CHARTS.id)
                          if isinstance(actor.record, Chart))


def _has_map(ctx: Context) -> bool:
    return bool(_maps(ctx))


def _net(ctx: Context) -> Net | None:
    """What the maps tell of worlds and routes, seen from the one on which the group is."""
    charts = [chart for _, chart in _maps(ctx)]
    if not charts:
        return None
    here = next((chart for chart in charts if chart.party), charts[0])
    return net_around(here, charts, ctx.rulings)


def _port_at(ctx: Context, asked: Field[str | None]) -> Port | None:
    """The world that a field names on the map, by its name, its code or its square."""
    net, wanted = _net(ctx), (ctx[asked] or "").strip()
    if net is None or not wanted:
        return None
    found = net.called(wanted)
    if found is None:
        raise NothingThere(square=wanted)
    return found


def _ends(ctx: Context) -> tuple[Port, Port] | None:
    start, end = _port_at(ctx, LEAVES), _port_at(ctx, REACHES)
    return (start, end) if start is not None and end is not None else None


def _where_they_are(ctx: Context) -> str:
    """Where the group is, as far as a map says so."""
    try:
        net = _net(ctx)
        here = next((chart for _, chart in _maps(ctx) if chart.party), None)
        found = net.at(f"{net.area}{here.party}") if net is not None and here is not None else None
    except Withheld:
        return ""
    return found.code if found is not None else ""


def _where_they_go(ctx: Context) -> str:
    """Where they want to go, if a map has a world of that name."""
    try:
        net = _net(ctx)
        found = net.called(ctx[DESTINATION]) if net is not None else None
    except Withheld:
        return ""
    return found.code if found is not None else ""


def _squares_between(ctx: Context) -> int:
    return ctx[SQUARES] or 0


def _level_at(ctx: Context, asked: Field[str | None], otherwise: Field[int]) -> int:
    found = _port_at(ctx, asked)
    return ctx[otherwise] if found is None else max(1, found.tech_level)


def _passage(ctx: Context, net: Net, start: Port, end: Port) -> Passage:
    """The way as the map says: paid leg by leg, a barge where only barges go; refused where all of it is for barges."""
    provided = ctx.asks(PROVIDED) and bool(ctx[PROVIDED])
    by = ctx[PASSAGE]
    found = passage_between(net, start.square, end.square, ctx.rulings, by, provided)
    if found is None:
        raise NoRoute(destination=end.name or end.code)
    if found.legs and found.barges == len(found.legs) and by != "barge" and not ctx[OFFICIAL]:
        raise BargesOnly(passage=by)
    if ctx[OFFICIAL]:  # an official ship goes where it likes
        found = found._replace(credits=fare(by, found.days, ctx.rulings))
    return found


def _shipped(ctx: Context) -> tuple[Lot, ...]:
    """What is aboard, as far as whoever looks ahead may see it."""
    cargo = CARGO.brought(ctx)
    try:
        return cargo.lots if cargo is not None else ()
    except Withheld:
        return ()


def _tax(ctx: Context) -> int:
    """What the Empire still takes of what is aboard: it is paid when the ship leaves, at customs or with the fare."""
    return in_credits(open_tax(_shipped(ctx), ctx.rulings))


def _short_of_tax(ctx: Context, price: int, tax: int) -> int:
    """What the purse lacks of the tax once the fare is paid."""
    return owed(ctx.one(), price + tax) - owed(ctx.one(), price)


def _interstellar_call(ctx: Context) -> Call[Voyage]:
    passage, net, ends = ctx[PASSAGE], _net(ctx), _ends(ctx)
    if net is not None and ends is not None:
        check_arms(_shipped(ctx), max(1, ends[1].tech_level))
        found = _passage(ctx, net, *ends)
        return Call(by_gm(interstellar), passage, found.days // DAYS_A_JUMP, found.departure, found.arrival,
                    ctx.rulings, found.credits)
    off = ctx[ROUTE] == "off_route"
    if off and ctx.rulings.off_route == "gm" and not ctx[PROVIDED]:
        raise NoRoute(destination=ctx[DESTINATION])
    if not may_use(Colour.RED if ctx[ROUTE] == "red" else Colour.BLUE, passage, ctx[OFFICIAL]):
        raise BargesOnly(passage=passage)
    hops = jumps(1 if off else ctx[SEGMENTS], Fraction(_squares_between(ctx)), ctx.rulings)
    levels = (_level_at(ctx, LEAVES, DEPARTURE_LEVEL), _level_at(ctx, REACHES, ARRIVAL_LEVEL))
    return Call(by_gm(interstellar), passage, hops, *levels, ctx.rulings)


def _change_sailed(ctx: Context, done: Voyage) -> Sequence[Change]:
    """The fare is paid or owed, the tax paid as far as the purse goes, and the group is where it went."""
    ends, moved = _ends(ctx), list[Change]()
    for name, chart in _maps(ctx) if ends is not None else ():
        area, square = (ends[1].square if ends is not None else "").rpartition("/")[::2]
        there = square if (f"{area}/" if area else "") == area_of(chart) else ""
        moved += changed(name, chart, "party", there, "EGW-098", GM_ONLY if isinstance(chart, Sector) else EVERYONE,
                         weight="bookkeeping")  # where they are now is told by its name
    price, tax = done.credits * ctx[TRAVELLERS], _tax(ctx)
    taxed = tax - _short_of_tax(ctx, price, tax)  # everybody may look into a purse: no debt there tells what is aboard
    lines = (*((Entry(-price, ctx.day + 1, "fare", place=ctx[DESTINATION]),) if price else ()),
             *((Entry(-taxed, ctx.day + 1, "tax"),) if tax else ()))
    actor, cargo = CARGO.actor(ctx), CARGO.brought(ctx)
    if tax and actor is not None and cargo is not None:
        lots = tuple(lot if lot.disguised else lot._replace(tax_paid=True) for lot in cargo.lots)
        moved += changed(actor.id, cargo, "lots", lots, "EGW-109", weight="bookkeeping")
    return [*paid_or_owed(ctx.one(), price + taxed, "EGW-196"), *noted(ctx, lines, "EGW-196"), *moved]


PASSAGE = Field("passage", OneOf(lambda ctx: TABLES["fares"].keys()), usual="barge", rule="EGW-196")
LEAVES: Field[str | None] = Field("leaves", TextField(80), "gm", usual=_where_they_are, rule="EGW-091", when=_has_map)
REACHES: Field[str | None] = Field("reaches", TextField(80), "gm", usual=_where_they_go, rule="EGW-091", when=_has_map)
ROUTE = Field("route", OneOf(ROUTES), "gm", usual="red", rule="EGW-097")
SEGMENTS = Field("segments", Whole(1), "gm", usual=1, rule="EGW-195")
SQUARES: Field[int | None] = Field("squares", Whole(0), "gm", usual=0, rule="EGW-195",
                                   when=lambda ctx: ctx.rulings.jump == "squares")
DEPARTURE_LEVEL = Field("departure_level", Whole(1, 6), "gm", usual=6, rule="EGW-194")
ARRIVAL_LEVEL = Field("arrival_level", Whole(1, 6), "gm", usual=6, rule="EGW-194")
OFFICIAL = Field("official", Flag(), "gm", usual=False, rule="EGW-097")
PROVIDED: Field[bool | None] = Field("provided", Flag(), "gm", usual=False, rule="EGW-097",
                                     when=lambda ctx: ctx.rulings.off_route == "gm")
INTERSTELLAR = Move(
    "travel-interstellar",
    group="travel", cast=(INITIATOR, SECTORS, CHARTS, CARGO, GAME_MASTER),
    rules=("EGW-096", "EGW-097", "EGW-109", "EGW-111", "EGW-194", "EGW-195", "EGW-196"),
    steps=(
        Ask("board", (replace(DESTINATION, rule="EGW-195"), PASSAGE, TRAVELLERS)),
        Ask("settle", (LEAVES, REACHES, ROUTE, SEGMENTS, SQUARES, DEPARTURE_LEVEL, ARRIVAL_LEVEL, OFFICIAL, PROVIDED)),
        Resolve("travel", _interstellar_call, outcome=lambda done: "arrived", tell=_tell_sailed,
                changes=_change_sailed, follow=_time_of, blind=True,
                shown=lambda ctx, done: Shown(dice=GM_ONLY, detail=GM_ONLY)),
    ),
)

MOVES = (WALK, JOURNEY, INTERPLANETARY, INTERSTELLAR)
