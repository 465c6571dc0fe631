"""The move of a whole fight under standing orders: played to its end, or foreseen exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from paravent.dice import Odds
from paravent.dice.errors import TooManyStates
from paravent.dice.protocol import Policy
from paravent.game import GAME_MASTER, Ask, Call, Change, Context, Field, Forecast, Move, Rulings, Telling, Who, Whole
from paravent.systems.simulacres.actors import all_are_awake

from .fight import Fighter
from .fighters import (
    PRIORITY,
    SIDES,
    both,
    fighter_changes,
    fighter_of,
    fighting,
    hand,
    number_fields,
    plan_field,
    plan_of,
    priority_field,
    settled_fields,
    style_fields,
    weapon_fields,
)
from .foreseen import EXACT_UP_TO, Ended, Standing, fight, foresee, try_out
from .moves_exchange import MANY_INITIATORS, MANY_OPPONENTS, Weighed

DEFENDS = Field("defends", Whole(1, 3), usual=3, rule="SIM-047")


def _standing(ctx: Context) -> tuple[tuple[Fighter, ...], tuple[Standing, ...]]:
    actors = fighting(ctx)
    fighters = tuple(fighter_of(ctx, actor) for actor in actors)
    orders = tuple(
        Standing(plan_of(ctx, actor, fighter), ctx.value(actor, DEFENDS), ctx.value(actor, PRIORITY))
        for actor, fighter in zip(actors, fighters, strict=True)
    )
    return fighters, orders


def _fight(ctx: Context) -> Call[Ended]:
    fighters, orders = _standing(ctx)
    return Call(fight, fighters, orders, tuple(hand(ctx, actor) for actor in fighting(ctx)), ctx.rulings)


def _weigh_fight(ctx: Context, policy: Policy) -> Odds[Ended]:
    return foresee(*_standing(ctx), ctx.rulings, policy).ends


def _winner(end: Ended) -> str:
    return {"initiator": "initiators_win", "opponent": "opponents_win"}.get(end.winner, "all_fall")


def _end_changes(ctx: Context, end: Ended) -> list[Change]:
    """PV, PS and EP as the fight leaves them; bonuses bought for it have ended."""
    changes = []
    for actor, (pv, ps), ep in zip(fighting(ctx), end.vitals, end.psyche, strict=True):
        was = fighter_of(ctx, actor)
        changes += fighter_changes(actor, was, replace(was, pv=pv, ps=ps, ep=ep, bonuses=()))
    return changes


def _tell_end(ctx: Context, end: Ended) -> list[Telling]:
    said = [Telling(f"outcomes.told_{_winner(end)}", {"n": end.exchanges}, main=True)]
    said += [
        Telling("outcomes.told_left", {"name": Who(actor.id), "pv": pv, "ps": ps})
        for actor, (pv, ps) in zip(fighting(ctx), end.vitals, strict=True)
    ]
    return said


def percent(share: Fraction) -> float:
    """A share in percent, to a tenth."""
    return round(float(share) * 100, 1)


def forecast_fight(ctx: Context) -> Forecast:
    """Who wins, how long it takes, in what state the winners are, under the orders shown."""
    fighters, orders = _standing(ctx)
    ends, mean, margin = _ends(fighters, orders, ctx.rulings)
    lines = [Telling("outcomes.forecast_assumes")]
    lines += [_order_line(fighter, standing) for fighter, standing in zip(fighters, orders, strict=True)]
    lines += [_forecast_line(fighter, ends, place) for place, fighter in enumerate(fighters)]
    acting = {fighter.side for fighter, actor in zip(fighters, fighting(ctx), strict=True) if actor.role == SIDES[0]}
    return Forecast(ends.map(lambda end: _state_of_winner(end, fighters)), mean, lines,
                    ends.chance(lambda end: end.winner in acting), margin)


def _ends(
    fighters: tuple[Fighter, ...], orders: tuple[Standing, ...], rulings: Rulings
) -> tuple[Odds[Ended], Fraction, float]:
    """How a fight ends and how long it lasts: exactly among few, from many trials among many."""
    if len(fighters) <= EXACT_UP_TO:
        try:
            seen = foresee(fighters, orders, rulings)
        except TooManyStates:
            pass
        else:
            return seen.ends, seen.mean_exchanges, 0.0
    return try_out(fighters, orders, rulings)


def _forecast_line(fighter: Fighter, ends: Odds[Ended], place: int) -> Telling:
    """What awaits one fighter: the chance that he falls or dies, and what he has left on average."""
    return Telling("outcomes.forecast_fighter", {
        "name": Who(fighter.id),
        "down": percent(ends.chance(lambda end: min(end.vitals[place]) == 0)),
        "dead": percent(ends.chance(lambda end: end.vitals[place][0] == 0)),
        "pv": ends.mean(lambda end: end.vitals[place][0]),
        "ps": ends.mean(lambda end: end.vitals[place][1]),
    })


def _state_of_winner(end: Ended, fighters: Sequence[Fighter]) -> str:
    """How the winners come out of it: untouched, hurt, or with losses."""
    if not end.winner:
        return "all_fall"
    own = [(fighter, left) for fighter, left in zip(fighters, end.vitals, strict=True) if fighter.side == end.winner]
    if any(min(left) == 0 for _, left in own):
        state = "with_losses"
    else:
        state = "unhurt" if all(left[0] == fighter.pv for fighter, left in own) else "wounded"
    return f"{_winner(end)}_{state}"


def _order_line(fighter: Fighter, standing: Standing) -> Telling:
    """A fighter's standing orders, said."""
    order = standing.plan[-1]
    spend = order.spend
    return Telling("outcomes.forecast_orders", {
        "name": Who(fighter.id), "weapon": order.weapon or fighter.weapon, "defends": standing.defends,
        "aim": f"aim_{order.aim.value}", "pull": order.pull, "ps": spend.ps, "ep": spend.ep, "points": spend.points,
    })


FIGHT_MOVE = Move(
    "fight",
    offered=all_are_awake,
    cast=(MANY_INITIATORS, MANY_OPPONENTS, GAME_MASTER),
    rules=("SIM-033", "SIM-034", "SIM-047", "SIM-050"),
    forecast=forecast_fight,
    steps=(
        Ask("fighters", (
            *both(number_fields), *both(weapon_fields), *both(style_fields),
            *(replace(DEFENDS, role=role) for role in SIDES),
            *(priority_field(role) for role in SIDES),
            *(plan_field(role) for role in SIDES),
        )),
        Ask("settle", tuple(field for role in SIDES for field in settled_fields(role))),
        Weighed("fight", _fight, tell=_tell_end, outcome=_winner,
                success=lambda end: end.winner == "initiator", changes=_end_changes, weigh=_weigh_fight),
    ),
)

MOVES = (FIGHT_MOVE,)
