"""Moves of travel: on foot, between planets, between stars."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, sqrt
from typing import Any, NamedTuple

from paravent.dice import Dice
from paravent.game import (
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    Ask,
    Change,
    Context,
    Field,
    Flag,
    MissingField,
    Move,
    OneOf,
    Resolve,
    Shown,
    Telling,
    TextField,
    Whole,
    asking,
)
from paravent.systems.empire.actions.trials import sheet_level
from paravent.systems.empire.people.character import Character
from paravent.systems.empire.terms import TABLES
from paravent.systems.empire.things import figure, record_in
from paravent.systems.empire.throws import by_gm, said, to_gm
from paravent.systems.empire.trade.purse import paid_as_far, tell_owed
from paravent.systems.empire.worlds.planet import World
from paravent.systems.empire.worlds.roles import SECTOR, WORLD
from paravent.systems.empire.worlds.sector import Colour, Way, distance2, may_use, way

from .errors import BargesOnly, NoRoute, NothingThere
from .travel import (
    Gait,
    Voyage,
    Walked,
    Walker,
    go,
    interplanetary,
    interstellar,
    journey_hours,
    jumps,
    number,
    play_minutes,
)

WORN = OneOf(lambda ctx: TABLES["protections"].keys())


# On foot


def _own(ctx: Context, name: str) -> int:
    typed = ctx.value(ctx.one(), name)
    if typed is not None:
        return int(typed)
    score = getattr(ctx.one().record, name, None)
    if score is None:
        raise MissingField(field=name, role="initiator")
    return int(score)


def _piece(ctx: Context) -> str:
    if ctx["worn"] is not None:
        return str(ctx["worn"])
    record = ctx.one().record
    worn = record.protections if isinstance(record, Character) else ()
    heavy = [one.piece for one in worn if TABLES["protections"].cell(one.piece, "needs_suit") == "yes"]
    return heavy[0] if heavy else ""


def _read_walk(ctx: Context) -> tuple[Any, ...]:
    record = ctx.one().record
    grams = record.grams if isinstance(record, Character) else 0
    kilos = Fraction(ctx["kilos"]) if ctx["kilos"] is not None else Fraction(grams, 1000)
    skill = 1 if record is None and ctx["suit_skill"] is None else sheet_level(ctx, "suit_skill", "54")
    size_t = figure(ctx, "size_t", "world")
    who = Walker(_own(ctx, "strength"), _own(ctx, "endurance"), size_t, _piece(ctx), kilos, skill)
    minutes = ctx["minutes"]
    return who, ctx["gait"], Fraction(ctx["hours"]) + Fraction(minutes, 60), ctx.rulings


def _tell_walk(ctx: Context, done: Walked) -> Sequence[Telling]:
    lines = [said("told_walked", km=number(done.km), hours=number(done.hours), kmh=number(done.kmh))]
    return [*lines, said("told_sleep", hours=number(done.sleep))] if done.sleep else lines


WALK = Move(
    "walk",
    group="travel", cast=(INITIATOR, WORLD, GAME_MASTER),
    rules=("EGW-026", "EGW-124", "EGW-125", "EGW-126", "EGW-190", "EGW-191", "EGW-192"),
    steps=(
        Ask("declare", (
            Field("gait", OneOf(Gait), usual=Gait.WALK, rule="EGW-190"),
            Field("hours", Whole(0), usual=1, rule="EGW-190"),
            Field("minutes", Whole(0, 59), usual=0, rule="EGW-192"),
            Field("strength", Whole(0, 20), optional=True, rule="EGW-190"),
            Field("endurance", Whole(0, 40), optional=True, rule="EGW-190"),
            Field("worn", WORN, optional=True, rule="EGW-125"),
            Field("kilos", Whole(0), optional=True, rule="EGW-125"),
            Field("suit_skill", Whole(0, 6), optional=True, rule="EGW-126"),
        )),
        Ask("settle", (
            Field("size_t", Whole(0, 10), "gm", rule="EGW-026",
                  usual=lambda ctx: None if record_in(ctx, "world") else 6),
        )),
        Resolve("walk", asking(go, _read_walk), outcome=lambda done: "walked", tell=_tell_walk),
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


JOURNEY = Move(
    "journey",
    group="travel", rules=("EGW-199",),
    steps=(
        Ask("declare", (
            Field("distance_km", Whole(1), rule="EGW-199"), Field("speed_kmh", Whole(1), rule="EGW-199"),
        )),
        Resolve("journey",
            asking(journey, lambda ctx: (ctx["distance_km"], ctx["speed_kmh"])), outcome=lambda done: "arrived",
                tell=lambda ctx, done: (said("told_journey", hours=number(done.hours)),
                                        to_gm("told_at_the_table", n=number(done.minutes)))),
    ),
)


# Between worlds


def _tell_voyage(ctx: Context, done: Voyage) -> Sequence[Telling]:
    owing = tell_owed(ctx.one(), done.credits * ctx["travellers"])
    lines = [said("told_voyage", n=done.days, credits=done.credits), *owing]
    return [to_gm("told_waiting", n=done.waiting), *lines] if done.waiting else lines


def _change_voyage(ctx: Context, done: Voyage) -> Sequence[Change]:
    clock = Change("clock", "", ctx.day, ctx.day + done.waiting + done.days, "EGW-195", GM_ONLY)
    return (*paid_as_far(ctx.one(), done.credits * ctx["travellers"], "EGW-196"), clock)


TRAVELLERS = Field("travellers", Whole(1), usual=1, rule="EGW-196")
INTERPLANETARY = Move(
    "travel-interplanetary",
    group="travel", rules=("EGW-193",),
    steps=(
        Ask("board", (Field("destination", TextField(80), usual="", rule="EGW-193"), TRAVELLERS)),
        Resolve("travel", asking(interplanetary, lambda ctx: ()), outcome=lambda done: "arrived", tell=_tell_voyage,
                changes=_change_voyage),
    ),
)

ROUTES = ("red", "blue", "off_route")


def _has_map(ctx: Context) -> bool:
    return record_in(ctx, "sector") is not None


def _world_at(ctx: Context, name: str) -> World | None:
    """The system that a field names on the map, by its code or its square."""
    chart, wanted = record_in(ctx, "sector"), str(ctx[name] or "").strip().upper()
    if chart is None or not wanted:
        return None
    found: World | None = chart.world_of(wanted) or chart.world_at(wanted)
    if found is None:
        raise NothingThere(square=wanted)
    return found


def _way(ctx: Context) -> Way:
    """As the map says, where both ends are named on it; else as the game master does."""
    start, end = _world_at(ctx, "leaves"), _world_at(ctx, "reaches")
    if start is None or end is None:
        off = ctx["route"] == "off_route"
        return Way(1 if off else ctx["segments"], ctx["route"] != "red", off)
    found = way(record_in(ctx, "sector"), start, end)
    if found is None:
        raise NoRoute(destination=end.name or end.code or end.square)
    return found


def _squares_between(ctx: Context) -> int:
    start, end = _world_at(ctx, "leaves"), _world_at(ctx, "reaches")
    return int(ctx["squares"] or 0) if start is None or end is None else ceil(sqrt(distance2(start, end)))


def _level_at(ctx: Context, name: str, otherwise: str) -> int:
    found = _world_at(ctx, name)
    return int(ctx[otherwise]) if found is None else max(1, found.tech_level)


def _read_interstellar(ctx: Context) -> tuple[Any, ...]:
    passage, found = ctx["passage"], _way(ctx)
    if found.chartered and ctx.rulings.off_route == "gm" and not ctx["provided"]:
        raise NoRoute(destination=ctx["destination"])
    if not may_use(Colour.BLUE if found.small else Colour.RED, passage, ctx["official"]):
        raise BargesOnly(passage=passage)
    hops = jumps(found.jumps, Fraction(_squares_between(ctx)), ctx.rulings)
    levels = (_level_at(ctx, "leaves", "departure_level"), _level_at(ctx, "reaches", "arrival_level"))
    return passage, hops, *levels, ctx.rulings


INTERSTELLAR = Move(
    "travel-interstellar",
    group="travel", cast=(INITIATOR, SECTOR, GAME_MASTER), rules=("EGW-097", "EGW-194", "EGW-195", "EGW-196"),
    steps=(
        Ask("board", (
            Field("destination", TextField(80), usual="", rule="EGW-195"),
            Field("passage", OneOf(lambda ctx: TABLES["fares"].keys()), usual="barge", rule="EGW-196"),
            TRAVELLERS,
        )),
        Ask("settle", (
            Field("leaves", TextField(4), "gm", usual="", rule="EGW-091", when=_has_map),
            Field("reaches", TextField(4), "gm", usual="", rule="EGW-091", when=_has_map),
            Field("route", OneOf(ROUTES), "gm", usual="red", rule="EGW-097"),
            Field("segments", Whole(1), "gm", usual=1, rule="EGW-195"),
            Field("squares", Whole(0), "gm", usual=0, rule="EGW-195", when=lambda ctx: ctx.rulings.jump == "squares"),
            Field("departure_level", Whole(1, 6), "gm", usual=6, rule="EGW-194"),
            Field("arrival_level", Whole(1, 6), "gm", usual=6, rule="EGW-194"),
            Field("official", Flag(), "gm", usual=False, rule="EGW-097"),
            Field("provided", Flag(), "gm", usual=False, rule="EGW-097",
                  when=lambda ctx: ctx.rulings.off_route == "gm"),
        )),
        Resolve("travel",
            asking(by_gm(interstellar), _read_interstellar), outcome=lambda done: "arrived", tell=_tell_voyage,
                changes=_change_voyage, blind=True, shown=lambda ctx, done: Shown(dice=GM_ONLY, detail=GM_ONLY)),
    ),
)

MOVES = (WALK, JOURNEY, INTERPLANETARY, INTERSTELLAR)
