"""Moves of a fight: it is opened, and passes in exchanges; or one exchange stands alone, from plain numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from paravent.dice import Dice, Odds
from paravent.dice.protocol import Policy, certain_policy
from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    OPEN,
    OWN_DICE,
    Actor,
    AnyField,
    Ask,
    Call,
    Change,
    Context,
    Encounter,
    Field,
    Heads,
    Listing,
    Move,
    Opened,
    Resolve,
    Role,
    Rulings,
    Shown,
    Telling,
    TextField,
    Who,
    Whole,
    changed,
    heads,
    rule,
)
from paravent.game.records import ALL
from paravent.systems.simulacres.actors import all_are_awake, person

from .errors import OneSide
from .fight import (
    EXCHANGE_SECONDS,
    Fighter,
    FightState,
    Order,
    Passed,
    Ready,
    after_exchange,
    is_over,
    pass_of_arms,
    place_of,
    weigh_exchange,
)
from .fighters import (
    SIDES,
    both,
    declared,
    fall_told,
    fight_of,
    fighter_changes,
    fighter_of,
    fighting,
    held_shield,
    is_up,
    may_come_in,
    number_fields,
    order_of,
    settled_fields,
    shots_fired,
    style_fields,
    target_fields,
    weapon_fields,
)
from .told import blow_told, parts_of_armour

R = TypeVar("R")
MANY_INITIATORS = Role("initiator", most=None)
MANY_OPPONENTS = Role("opponent", most=None, other=True)


@dataclass(frozen=True, kw_only=True)
class Weighed(Resolve[R]):
    """A rule whose odds come from a quicker reading of the same rule, with all that does not matter merged."""

    weigh: Callable[[Context, Policy], Odds[R]]

    def odds(self, ctx: Context, policy: str = "usual") -> Odds[R]:
        """The exact odds: read quickly where choices are answered the usual way."""
        return self.weigh(ctx, certain_policy) if policy == "usual" else super().odds(ctx, policy)


# Opening a fight

FIGHT = Encounter(
    "fight", FightState, is_over, hidden=frozenset({"fighters"}), also=frozenset({"warriors-exchange"}),
    foresees="fight",
    people=Listing("sides", "side", "standing", more=frozenset({"fighters"}), unsaid=frozenset({"conscious"})),
)
ENCOUNTERS = {"fight": FIGHT}

SIDE = Field("side", TextField(40), usual="initiator", rule="SIM-033")
POWER: Field[int | None] = Field("power", Whole(0, 3), optional=True, secrecy="own", rule="SIM-016")
SPEED = replace(POWER, id="speed")
PRECISION = replace(POWER, id="precision")
SECONDS = Field("seconds", Whole(1, 60), "gm", usual=EXCHANGE_SECONDS, rule="SIM-033")
PLACE = Field("place", TextField(200), "gm", usual="", rule="SIM-033")


def _side_fields(role: str) -> tuple[AnyField, ...]:
    return (
        replace(SIDE, role=role, usual=role),
        *number_fields(role, "own"),
        *weapon_fields(role, "own"),
        *(replace(energy, role=role) for energy in (POWER, SPEED, PRECISION)),
    )


def _entering(ctx: Context, actor: Actor) -> Fighter:
    """A fighter as a fight finds him: on the side said, his energies as typed or as his sheet has them."""
    fighter = fighter_of(ctx, actor)
    power, speed, precision = (ctx.value(actor, energy) for energy in (POWER, SPEED, PRECISION))
    return replace(
        fighter, side=ctx.value(actor, SIDE), bonuses=(),
        power=fighter.power if power is None else power,
        speed=fighter.speed if speed is None else speed,
        precision=fighter.precision if precision is None else precision,
    )


def _start_afresh(ctx: Context) -> list[Change]:
    """A fight that begins is another action: bonuses bought with EP before it have ended."""
    return [
        change
        for actor in fighting(ctx)
        if person(actor) is not None
        for change in changed(actor.id, actor.record, "active_energy_bonuses", (), "SIM-020")
    ]


def _open(ctx: Context) -> Call[FightState]:
    entering = tuple(_entering(ctx, actor) for actor in fighting(ctx))
    return Call(open_fight, entering, ctx[SECONDS], ctx[PLACE], ctx.rulings)


@rule("SIM-033")
def open_fight(
    dice: Dice, fighters: tuple[Fighter, ...], seconds: int, place: str, rulings: Rulings
) -> FightState:
    """Place the fighters: two sides at least, exchanges of a few seconds."""
    if len({fighter.side for fighter in fighters}) < 2:
        raise OneSide()
    dice.note("SIM-033", "fight_opened", n=Heads(tuple(one.id for one in fighters)), seconds=seconds)
    return FightState(0, seconds, place, tuple(place_of(one, rulings) for one in fighters), fighters)


OPEN_A_FIGHT = Move(
    "open-a-fight",
    by="gm",
    offered=all_are_awake,
    cast=(MANY_INITIATORS, MANY_OPPONENTS, GAME_MASTER),
    rules=("SIM-033",),
    steps=(
        Ask("sides", tuple(field for role in SIDES for field in _side_fields(role))),
        Ask("place", (SECONDS, PLACE)),
        Resolve("open", _open,
                tell=lambda ctx, state: (
                    Telling("outcomes.told_fight_opened", {"n": heads(fighting(ctx))}, main=True),),
                outcome=lambda state: "fight_opened",
                opens=lambda ctx, state: Opened("fight", state),
                changes=lambda ctx, state: _start_afresh(ctx),
                shown=lambda ctx, state: Shown(detail=GM_ONLY)),
    ),
)


# One exchange


class Fought(NamedTuple):
    """An exchange as a move keeps it: what happened, and whom it hurt."""

    passed: Passed
    acting_hurt: bool
    others_hurt: bool


def _fought(dice: Dice, prepared: Ready, acting: int, rulings: Rulings) -> Fought:
    """Throw the exchange; the first ``acting`` fighters are the acting side."""
    return as_fought(dice.resolve(pass_of_arms, prepared, rulings), acting)


def as_fought(passed: Passed, acting: int) -> Fought:
    """An exchange with whom it hurt."""
    hurt = [any(points) for points in passed.lost]
    return Fought(passed, any(hurt[:acting]), any(hurt[acting:]))


def _outcome(fought: Fought) -> str:
    return {(False, False): "nobody_hurt", (False, True): "others_hurt", (True, False): "acting_hurt",
            (True, True): "both_hurt"}[fought.acting_hurt, fought.others_hurt]


def _pass(ctx: Context) -> Call[Fought]:
    return Call(_fought, declared(ctx), len(ctx.all("initiator")), ctx.rulings)


def _weigh_exchange(ctx: Context, policy: Policy) -> Odds[Fought]:
    acting = len(ctx.all("initiator"))
    return weigh_exchange(declared(ctx), ctx.rulings, policy).map(lambda passed: as_fought(passed, acting))


def _tell_exchange(ctx: Context, fought: Fought) -> list[Telling]:
    """Who hits whom and what it costs; who falls."""
    names = [Who(actor.id) for actor in fighting(ctx)]
    played = fought.passed.played
    blows = played.blows if played else ()
    prepared, said, whole = declared(ctx), list[Telling](), shown_exchange(ctx, fought) is OPEN
    for blow in blows:
        armour = parts_of_armour(prepared.combatants[blow.striker].terms, prepared.fighters[blow.target].armour)
        said += blow_told(names[blow.striker], names[blow.target], prepared.fighters[blow.striker].weapon, blow.margin,
                          (blow.pv, blow.ps), armour, whole=whole)
    said = said or [Telling("outcomes.told_nobody_hit", {}, EVERYONE)]
    for before, after in zip(prepared.fighters, after_exchange(prepared, fought.passed.lost, 0), strict=True):
        said += fall_told(before, after, ctx.rulings, EVERYONE)
    return said


def _change_exchange(ctx: Context, fought: Fought) -> list[Change]:
    """PS and EP paid, PV and PS lost, bonuses that last or end; in a fight, how it stands now."""
    actors = fighting(ctx)
    before = [fighter_of(ctx, actor) for actor in actors]
    state = fight_of(ctx)
    number = state.exchange + 1 if state is not None else 1
    after = after_exchange(declared(ctx), fought.passed.lost, number)
    changes = [
        change
        for actor, was, now in zip(actors, before, after, strict=True)
        for change in (*fighter_changes(actor, was, now), *_fired(ctx, actor, was))
    ]
    if state is not None:
        changes += fight_changes(ctx, state, after, number)
    return changes


def _fired(ctx: Context, actor: Actor, fighter: Fighter) -> list[Change]:
    """The shot that a fighter who stood and shot has less."""
    return shots_fired(actor, order_of(ctx, actor, fighter)) if fighter.stands(ctx.rulings) else []


def _seen_to_do(ctx: Context, actor: Actor) -> Order:
    """What a fighter was seen to do: whom not everybody may know is left out."""
    order = order_of(ctx, actor, fighter_of(ctx, actor))
    known = {other.id for other in fighting(ctx) if ALL in other.audience}
    return order._replace(target=order.target if order.target in known else "",
                          defended=tuple(name for name in order.defended if name in known))


def fight_changes(ctx: Context, state: FightState, after: Sequence[Fighter], number: int) -> list[Change]:
    """How a fight stands after an exchange; whoever came into it has a place from now on."""
    now = {fighter.id: fighter for fighter in after}
    ordered = {actor.id: _seen_to_do(ctx, actor) for actor in fighting(ctx)}
    placed = {place.id: place for place in state.sides}
    fighters = tuple(({fighter.id: fighter for fighter in state.fighters} | now).values())
    sides = tuple(
        place_of(now[name], ctx.rulings, ordered.get(name)) if name in now else placed[name]
        for name in dict.fromkeys((*placed, *now))
    )
    return [
        *changed("encounter", state, "exchange", number, "SIM-033"),
        *changed("encounter", state, "sides", sides, "SIM-060"),
        *changed("encounter", state, "fighters", fighters, "SIM-060"),
    ]


def shown_exchange(ctx: Context, fought: object) -> Shown:
    """Dice lie open; where somebody's figures are hidden, each sees his own dice, and only the game master the sums."""
    hidden = any(
        actor.kind and "life_points" in ctx.system.kind(actor.kind).hidden for actor in fighting(ctx)
    )
    return OWN_DICE._replace(detail=GM_ONLY) if hidden or (ctx.encounter is not None and _secret(ctx)) else OPEN


def _secret(ctx: Context) -> bool:
    """Whether the fight has fighters without a sheet: their numbers are the game master's."""
    return any(actor.record is None for actor in fighting(ctx))


def _exchange(step: str) -> Weighed[Fought]:
    return Weighed(
        step, _pass, tell=_tell_exchange, outcome=_outcome,
        success=lambda fought: fought.others_hurt,
        sides=lambda fought: (*(("initiator",) if fought.others_hurt else ()),
                              *(("opponent",) if fought.acting_hurt else ())),
        changes=_change_exchange, shown=shown_exchange,
        weigh=_weigh_exchange,
    )


def _sealed(role: str) -> tuple[AnyField, ...]:
    """A declaration: sealed until everybody's is in, and asked of those who still stand."""
    target, defended, leaves = target_fields(role, "sealed")
    aim, pull, energies, damage = style_fields(role, "sealed")
    weapon, _, _, shield, trained = weapon_fields(role, "sealed")
    fields = (replace(weapon, place="refinement"), target, defended, replace(energies, place="essential"), aim, pull,
              leaves, damage, replace(shield, usual=lambda ctx: held_shield(ctx, role)), trained)
    up = is_up(role)
    return tuple(replace(field, when=_and(up, field.when)) for field in fields)


def _and(one: Callable[[Context], bool], other: Callable[[Context], bool] | None) -> Callable[[Context], bool]:
    return one if other is None else lambda ctx: one(ctx) and other(ctx)


EXCHANGE = Move(
    "exchange",
    by="gm",
    offered=may_come_in,
    cast=(MANY_INITIATORS, MANY_OPPONENTS, GAME_MASTER),
    encounter="fight",
    rules=("SIM-033", "SIM-034", "SIM-046", "SIM-047", "SIM-048", "SIM-049"),
    steps=(
        Ask("declare", tuple(field for role in SIDES for field in _sealed(role))),
        Ask("settle", tuple(field for role in SIDES for field in settled_fields(role))),
        _exchange("resolve"),
    ),
)

RESOLVE_MELEE = Move(
    "resolve-melee",
    offered=all_are_awake,
    cast=(MANY_INITIATORS, MANY_OPPONENTS, GAME_MASTER),
    rules=("SIM-034", "SIM-035", "SIM-036", "SIM-043", "SIM-050", "SIM-056", "SIM-058"),
    steps=(
        Ask("fighters", (*both(number_fields), *both(weapon_fields), *both(target_fields), *both(style_fields))),
        Ask("settle", tuple(field for role in SIDES for field in settled_fields(role))),
        _exchange("resolve"),
    ),
)

MOVES = (OPEN_A_FIGHT, EXCHANGE, RESOLVE_MELEE)
