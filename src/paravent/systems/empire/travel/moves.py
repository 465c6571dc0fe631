"""Moves of travel: on foot, between planets, between stars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil, sqrt
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import (
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
    time_goes_by,
)
from paravent.systems.empire.actions.trials import sheet_level
from paravent.systems.empire.people.character import Character
from paravent.systems.empire.terms import TABLES, figure
from paravent.systems.empire.throws import by_gm, said, to_gm
from paravent.systems.empire.trade.purse import paid_as_far, tell_owed
from paravent.systems.empire.worlds.planet import World
from paravent.systems.empire.worlds.roles import SECTOR, WORLD
from paravent.systems.empire.worlds.sector import Colour, Way, distance2, may_use, way

from .errors import BargesOnly, NoRoute, NothingThere
from .travel import Gait, Voyage, Walked, Walker, go, interplanetary, interstellar, journey_hours, jumps, play_minutes

A_DAY = 24 * 60
SURE = 6
"""The level of a port where nobody ever waits."""

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
    owing = tell_owed(ctx.one(), done.credits * ctx[TRAVELLERS])
    lines = [said("told_voyage", n=done.days, credits=done.credits), *owing]
    return [to_gm("told_waiting", n=done.waiting), *lines] if done.waiting else lines


def _change_voyage(ctx: Context, done: Voyage) -> Sequence[Change]:
    return paid_as_far(ctx.one(), done.credits * ctx[TRAVELLERS], "EGW-196")


def _time_of(ctx: Context, done: Voyage) -> Sequence[Follow]:
    """Waiting and flight go by for everybody, on the one clock of the table.

    Where one may have to wait, how long is not told beforehand.
    """
    waits = ctx.asks(DEPARTURE_LEVEL) and _port_level(ctx) < SURE
    return time_goes_by((done.waiting + done.days) * A_DAY, "invisible" if waits else "open")


def _port_level(ctx: Context) -> int:
    """The level of the port where one waits."""
    of_arrival = ctx.rulings.waiting_port == "arrival"
    return _level_at(ctx, REACHES, ARRIVAL_LEVEL) if of_arrival else _level_at(ctx, LEAVES, DEPARTURE_LEVEL)


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


def _has_map(ctx: Context) -> bool:
    return SECTOR.brought(ctx) is not None


def _world_at(ctx: Context, asked: Field[str | None]) -> World | None:
    """The system that a field names on the map, by its code or its square."""
    chart, wanted = SECTOR.brought(ctx), (ctx[asked] or "").strip().upper()
    if chart is None or not wanted:
        return None
    found = chart.world_of(wanted) or chart.world_at(wanted)
    if found is None:
        raise NothingThere(square=wanted)
    return found


def _way(ctx: Context) -> Way:
    """As the map says, where both ends are named on it; else as the game master does."""
    chart, start, end = SECTOR.brought(ctx), _world_at(ctx, LEAVES), _world_at(ctx, REACHES)
    if chart is None or start is None or end is None:
        off = ctx[ROUTE] == "off_route"
        return Way(1 if off else ctx[SEGMENTS], ctx[ROUTE] != "red", off)
    found = way(chart, start, end)
    if found is None:
        raise NoRoute(destination=end.name or end.code or end.square)
    return found


def _squares_between(ctx: Context) -> int:
    start, end = _world_at(ctx, LEAVES), _world_at(ctx, REACHES)
    return ctx[SQUARES] or 0 if start is None or end is None else ceil(sqrt(distance2(start, end)))


def _level_at(ctx: Context, asked: Field[str | None], otherwise: Field[int]) -> int:
    found = _world_at(ctx, asked)
    return ctx[otherwise] if found is None else max(1, found.tech_level)


def _interstellar_call(ctx: Context) -> Call[Voyage]:
    passage, found = ctx[PASSAGE], _way(ctx)
    if found.chartered and ctx.rulings.off_route == "gm" and not ctx[PROVIDED]:
        raise NoRoute(destination=ctx[DESTINATION])
    if not may_use(Colour.BLUE if found.small else Colour.RED, passage, ctx[OFFICIAL]):
        raise BargesOnly(passage=passage)
    hops = jumps(found.jumps, Fraction(_squares_between(ctx)), ctx.rulings)
    levels = (_level_at(ctx, LEAVES, DEPARTURE_LEVEL), _level_at(ctx, REACHES, ARRIVAL_LEVEL))
    return Call(by_gm(interstellar), passage, hops, *levels, ctx.rulings)


PASSAGE = Field("passage", OneOf(lambda ctx: TABLES["fares"].keys()), usual="barge", rule="EGW-196")
LEAVES: Field[str | None] = Field("leaves", TextField(4), "gm", usual="", rule="EGW-091", when=_has_map)
REACHES: Field[str | None] = Field("reaches", TextField(4), "gm", usual="", rule="EGW-091", when=_has_map)
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
    group="travel", cast=(INITIATOR, SECTOR, GAME_MASTER), rules=("EGW-097", "EGW-194", "EGW-195", "EGW-196"),
    steps=(
        Ask("board", (replace(DESTINATION, rule="EGW-195"), PASSAGE, TRAVELLERS)),
        Ask("settle", (LEAVES, REACHES, ROUTE, SEGMENTS, SQUARES, DEPARTURE_LEVEL, ARRIVAL_LEVEL, OFFICIAL, PROVIDED)),
        Resolve("travel", _interstellar_call, outcome=lambda done: "arrived", tell=_tell_voyage,
                changes=_change_voyage, follow=_time_of, blind=True,
                shown=lambda ctx, done: Shown(dice=GM_ONLY, detail=GM_ONLY)),
    ),
)

MOVES = (WALK, JOURNEY, INTERPLANETARY, INTERSTELLAR)
