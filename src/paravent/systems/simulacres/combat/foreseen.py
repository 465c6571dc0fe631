"""Simulacres, a fight under standing orders.

It can be played to its end (:func:`fight`) or foreseen exactly (:func:`foresee`): who wins, in how many exchanges, in
what state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from paravent.dice import Chain, Dice, Odds, SeededDice, kept_with_odds
from paravent.dice.protocol import Policy, certain_policy
from paravent.game import Rulings, rule
from paravent.systems.simulacres.checks.energies import Spend, lasting
from paravent.systems.simulacres.terms import Energy

from .combat import Clash, clash
from .fight import Fighter, Order, Passed, Ready, after_exchange, pass_of_arms, paying, ready, standing_sides
from .harm import Harm, harm

MOST_SITUATIONS = 20_000
"""Beyond so many different situations a fight is not foreseen: it would take too long."""
_DEAD = (0, 0)
LONGEST = 10_000
"""Exchanges after which a fight played under standing orders is called off."""


class Standing(NamedTuple):
    """What a fighter does all through a fight: his plan exchange by exchange, the last order holding to the end.

    A plan's orders name no target: he strikes the first opponent still standing (those in ``first`` come before), and
    defends against the first ``defends`` of them. Points paid in EP are bought in the exchange that says so and last;
    points paid in PS are bought again each time while a PS is left after them.
    """

    plan: tuple[Order, ...] = (Order(),)
    defends: int = 3
    first: tuple[str, ...] = ()
    """Opponents to strike before the others, in this order."""


def orders_at(
    at: int, fighters: Sequence[Fighter], standing: Sequence[Standing], rulings: Rulings
) -> tuple[Order, ...]:
    """Everybody's declaration for exchange ``at`` (from 0), as the standing orders have it."""
    up = [fighter.stands(rulings) for fighter in fighters]
    given = []
    for place, (fighter, orders) in enumerate(zip(fighters, standing, strict=True)):
        if not up[place]:
            given.append(Order())
            continue
        order = orders.plan[min(at, len(orders.plan) - 1)]
        foes = [other.id for other, able in zip(fighters, up, strict=True) if able and other.side != fighter.side]
        foes = [*(name for name in orders.first if name in foes), *(name for name in foes if name not in orders.first)]
        order = order._replace(spend=_affordable(fighter, order.spend, first=at < len(orders.plan)))
        if foes and not order.holds:
            watched = () if order.band else tuple(foes[: max(1, orders.defends)])
            order = order._replace(target=foes[0], defended=watched)
        given.append(order)
    return tuple(given)


def _affordable(fighter: Fighter, spend: Spend, *, first: bool) -> Spend:
    """What is spent of a standing order: EP only when its exchange comes, PS each time; one of each is kept."""
    ep = spend.ep if first and fighter.ep > spend.ep else 0
    ps = spend.ps if fighter.ps > spend.ps else 0
    if (ps, ep) == (spend.ps, spend.ep):
        return spend
    # The points bought with EP are counted from the first energy on, as what lasts is.
    bought = {energy.value: points for energy, points in lasting(spend)}
    kept = {
        name: (bought.get(name, 0) if ep else 0) + (getattr(spend, name) - bought.get(name, 0) if ps else 0)
        for name in map(str, Energy)
    }
    others = {name: getattr(spend, name) if ps else 0 for name in ("power_dice", "precision_range", "haste")}
    return Spend(**kept, **others, ps=ps, ep=ep)


class Ended(NamedTuple):
    """A fight over: the side left standing (empty when none is), PV and PS of each; exchanges and EP left if known."""

    winner: str
    vitals: tuple[tuple[int, int], ...]
    exchanges: int = 0
    psyche: tuple[int, ...] = ()


def ended(fighters: Sequence[Fighter], rulings: Rulings, exchanges: int = 0) -> Ended:
    """How a fight ended."""
    left = standing_sides(fighters, rulings)
    return Ended(next(iter(left)) if len(left) == 1 else "", tuple((f.pv, f.ps) for f in fighters), exchanges,
                 tuple(f.ep for f in fighters))


@rule("SIM-033")
def fight(
    dice: Dice, fighters: tuple[Fighter, ...], standing: tuple[Standing, ...], roles: tuple[str, ...], rulings: Rulings
) -> Ended:
    """Fight exchange after exchange under standing orders, until one side at most is left standing."""
    for at in range(LONGEST):
        if len(standing_sides(fighters, rulings)) < 2:
            return ended(fighters, rulings, at)
        dice.note("SIM-033", "exchange", number=at + 1)
        declared = ready(fighters, orders_at(at, fighters, standing, rulings), roles, rulings)
        passed: Passed = dice.resolve(pass_of_arms, declared, rulings)
        fighters = after_exchange(declared, passed.lost, at + 1)
    return ended(fighters, rulings, LONGEST)


class _At(NamedTuple):
    """Where a fight stands: how far the plans have come, and the PV and PS of each."""

    at: int
    vitals: tuple[tuple[int, int], ...]


class Foreseen(NamedTuple):
    """A fight foreseen: how it ends, in how many exchanges on average, and through how many different situations."""

    ends: Odds[Ended]
    mean_exchanges: Fraction
    states: int
    chain: Chain[_At]


def foresee(
    fighters: tuple[Fighter, ...],
    standing: tuple[Standing, ...],
    rulings: Rulings,
    policy: Policy = certain_policy,
) -> Foreseen:
    """The exact end of a fight under standing orders: a chain of exchanges, each weighed once for its situation."""
    return _foreseen(fighters, standing, rulings, policy)


@kept_with_odds
@lru_cache(maxsize=32)
def _foreseen(
    fighters: tuple[Fighter, ...], standing: tuple[Standing, ...], rulings: Rulings, policy: Policy
) -> Foreseen:
    chain = Chain(_step(fighters, standing, rulings), _At(0, tuple((one.pv, one.ps) for one in fighters)),
                  over=_over(fighters), policy=policy, widest=MOST_SITUATIONS)
    run = chain.run()
    ends = run.ends.map(lambda state: Ended(_winner(fighters, state.vitals), state.vitals))
    return Foreseen(ends, run.mean_steps, run.states, chain)


PLAYED = 400
"""So many fights are played where not all that may happen can be weighed."""
EXACT_UP_TO = 4
"""Fighters beyond whom a fight is played many times instead: weighing would keep people waiting."""


class Tried(NamedTuple):
    """A fight tried many times: how it ended, in how many exchanges on average, and how far off a share may be."""

    ends: Odds[Ended]
    mean_exchanges: Fraction
    margin: float


@kept_with_odds
@lru_cache(maxsize=32)
def try_out(
    fighters: tuple[Fighter, ...], standing: tuple[Standing, ...], rulings: Rulings, times: int = PLAYED
) -> Tried:
    """A fight under standing orders played many times, always the same ones: the same question has the same answer."""
    step, over, dice = _step(fighters, standing, rulings), _over(fighters), SeededDice("what if")
    ends: Counter[Ended] = Counter()
    exchanges = 0
    for _ in range(times):
        state, fought = _At(0, tuple((one.pv, one.ps) for one in fighters)), 0
        while not over(state) and fought < LONGEST:
            state, fought = step(dice, state), fought + 1
        ends[Ended(_winner(fighters, state.vitals), state.vitals)] += 1
        exchanges += fought
    return Tried(Odds(ends, times), Fraction(exchanges, times), 1 / times**0.5)


def _with(fighters: Sequence[Fighter], vitals: Sequence[tuple[int, int]]) -> tuple[Fighter, ...]:
    return tuple(replace(one, pv=pv, ps=ps) for one, (pv, ps) in zip(fighters, vitals, strict=True))


def _winner(fighters: Sequence[Fighter], vitals: Sequence[tuple[int, int]]) -> str:
    """The side of those left standing, once at most one is; nobody's when all are down."""
    return next((one.side for one, left in zip(fighters, vitals, strict=True) if min(left) > 0), "")


def _over(fighters: Sequence[Fighter]) -> Callable[[_At], bool]:
    """Whether at most one side is left; only PV and PS at 0 put a fighter out, so that is all that is looked at."""
    sides = [fighter.side for fighter in fighters]

    def over(state: _At) -> bool:
        first = ""
        for side, (pv, ps) in zip(sides, state.vitals, strict=True):
            if pv > 0 and ps > 0:
                if first and side != first:
                    return False
                first = side
        return True

    return over


def _step(
    fighters: tuple[Fighter, ...], standing: tuple[Standing, ...], rulings: Rulings
) -> Callable[[Dice, _At], _At]:
    """One exchange from a situation to the next. What is prepared depends on little, and is prepared once."""
    longest = max(len(orders.plan) for orders in standing)
    most = tuple((one.pv, one.ps) for one in fighters)
    past = list(_psyche_spent(fighters, standing, rulings, longest))
    matters = rulings.last_point_malus != "off" or rulings.strike_order != "simultaneous"
    known: dict[tuple[int, tuple[tuple[int, int], ...]], tuple[Clash | Ready, tuple[int, ...]]] = {}
    here: dict[_At, tuple[Clash | Ready, tuple[int, ...]]] = {}
    together = rulings.strike_order == "simultaneous"

    def prepared(state: _At) -> tuple[Clash | Ready, tuple[int, ...]]:
        key = (state.at, tuple(
            (pv, ps) if matters else (pv > 0 and ps > 0, ps > reserve)
            for (pv, ps), reserve in zip(state.vitals, reserves[state.at], strict=True)
        ))
        if key not in known:
            now = _with(past[state.at], state.vitals)
            declared = ready(now, orders_at(state.at, now, standing, rulings), [""] * len(now), rulings)
            paid = tuple(a.ps - b.ps for a, b in zip(now, declared.fighters, strict=True))
            known[key] = (_lean(clash(declared.combatants, rulings)) if together else declared, paid)
        return known[key]

    reserves = [
        tuple(orders.plan[min(at, len(orders.plan) - 1)].spend.ps for orders in standing) for at in range(longest + 1)
    ]

    def step(dice: Dice, state: _At) -> _At:
        if state not in here:
            here.clear()
            here[state] = prepared(state)
        now, paid = here[state]
        if isinstance(now, Clash):
            lost: Harm = dice.resolve(harm, now, most, rulings)
        else:
            lost = dice.resolve(_lost, now, rulings)
        # The breath of the dead makes no difference.
        vitals = tuple(
            [(pv - gone, ps - out - spent if ps > out + spent else 0) if pv > gone else _DEAD
             for (pv, ps), (gone, out), spent in zip(state.vitals, lost, paid, strict=True)]
        )
        return _At(min(state.at + 1, longest), vitals)

    return step


def _lost(dice: Dice, declared: Ready, rulings: Rulings) -> Harm:
    """What an exchange costs each, blows landing by falling MR."""
    passed: Passed = dice.resolve(pass_of_arms, declared, rulings)
    return passed.lost


def _lean(prepared: Clash) -> Clash:
    """The same tests without names or terms: equal exchanges are weighed once."""
    return Clash(tuple(roll._replace(role="", terms=()) for roll in prepared.rolls), prepared.attacks)


def _psyche_spent(
    fighters: tuple[Fighter, ...], standing: tuple[Standing, ...], rulings: Rulings, longest: int
) -> Iterator[tuple[Fighter, ...]]:
    """The fighters at the start of each exchange of the plans, with the EP spent and the bonuses bought until then.

    Neither depends on blows: only who is still standing does, and the fallen need no bonus.
    """
    now = fighters
    for at in range(longest + 1):
        yield now
        orders = orders_at(at, now, standing, rulings)
        now = tuple(
            replace(paying(one, order, rulings), pv=first.pv, ps=first.ps)
            for one, order, first in zip(now, orders, fighters, strict=True)
        )
