"""The move of the warrior's way: an exchange in which the skilled strike several blows (SIM-B05)."""

from __future__ import annotations

from dataclasses import replace

from paravent.dice import Odds, Policy, odds
from paravent.dice.errors import TooManyStates
from paravent.game import (
    GAME_MASTER,
    Actor,
    AnyField,
    Ask,
    Call,
    Change,
    Context,
    Field,
    Many,
    Move,
    OneOf,
    Telling,
    Who,
    Whole,
)
from paravent.systems.simulacres.actors import all_are_awake
from paravent.systems.simulacres.checks.check import Modifier, edge_of, value_of
from paravent.systems.simulacres.checks.energies import Reserve, Spend, pay
from paravent.systems.simulacres.checks.other_uses import wider_edge

from .combat import melee_terms
from .damage import Blow
from .fight import Fighter, base_of, burden, level_with, training_of, weapon_of
from .fighters import (
    SIDES,
    fall_told,
    fight_of,
    fighter_changes,
    fighter_of,
    fighting,
    foes_of,
    hand,
    is_up,
    number_fields,
    order_of,
    settled_fields,
    standing_foes,
    weapon_fields,
)
from .moves_exchange import MANY_INITIATORS, MANY_OPPONENTS, Weighed, fight_changes, shown_exchange
from .optional import Warrior, Wound, blows_allowed, blows_landed, mastery_of, warriors_exchange
from .weapons import combat_rank

MOST_BLOWS_WEIGHED = 3
BLOWS: Field[tuple[str, ...]] = Field("blows", Many(OneOf(()), 0, 7), rule="SIM-B05")
MORE_BLOWS = Field("more_blows", Whole(0, 3), usual=0, rule="SIM-B05")
MORE_BLOWS_PAID = Field("more_blows_paid", OneOf(("ps", "ep")), usual="ps", rule="SIM-017")


def _warriors(ctx: Context) -> tuple[Warrior, ...]:
    found = []
    for actor in fighting(ctx):
        fighter = fighter_of(ctx, actor)
        held = weapon_of(fighter)
        training, level = training_of(fighter, held), level_with(fighter, held)
        known = None if ctx.rulings.ruleset == "campaign" else training
        around = [Modifier("level", level if known is None else 0),
                  Modifier("circumstances", order_of(ctx, actor, fighter).circumstances),
                  Modifier("malus", burden(fighter, ctx.rulings))]
        terms = melee_terms(base_of(fighter, held, ctx.rulings, shooting=False), known, circumstances=around,
                            hinder=fighter.hinder)
        found.append(Warrior(
            hand(ctx, actor), value_of(*terms), wider_edge(edge_of(combat_rank(training)), level, 0, ctx.rulings),
            tuple(hand(ctx, ctx.actor(name)) for name in _struck(ctx, actor, fighter)),
            Blow(held.pv, held.ps), blows_allowed(held, level, ctx.value(actor, MORE_BLOWS) or 0, ctx.rulings),
            fighter.armour, mastery_of(training, level, ctx.rulings),
        ))
        _paying(ctx, actor, fighter)
    return tuple(found)


def _struck(ctx: Context, actor: Actor, fighter: Fighter) -> tuple[str, ...]:
    """Whom a warrior strikes, blow after blow; whoever is down strikes nobody."""
    return (ctx.value(actor, BLOWS) or ()) if fighter.stands(ctx.rulings) else ()


def _paying(ctx: Context, actor: Actor, fighter: Fighter) -> Fighter:
    """The fighter once he has paid for the blows that his Rapidité gives him: one PS or EP each, within its value."""
    points = ctx.value(actor, MORE_BLOWS) or 0
    counter = ctx.value(actor, MORE_BLOWS_PAID) or "ps"
    reserve = Reserve(speed=fighter.speed, ps=fighter.ps, ep=fighter.ep, pv=fighter.pv)
    done = pay(Spend(speed=points, **{counter: points}), reserve, ctx.rulings)
    return replace(fighter, ps=done.ps, ep=done.ep)


def _warrior_changes(ctx: Context, wounds: tuple[Wound, ...]) -> list[Change]:
    """What the blows cost each; in a fight, how it stands now."""
    changes, after, state = list[Change](), list[Fighter](), fight_of(ctx)
    number = state.exchange + 1 if state is not None else 1
    for actor in fighting(ctx):
        was = fighter_of(ctx, actor)
        taken = [wound for wound in wounds if wound.target == hand(ctx, actor)]
        pv, ps = sum(wound.pv for wound in taken), sum(wound.ps for wound in taken)
        now = _paying(ctx, actor, was).losing(pv, ps)
        after.append(replace(now, wounded_at=number) if pv else now)
        changes += fighter_changes(actor, was, after[-1])
    return [*changes, *(fight_changes(ctx, state, after, number) if state is not None else ())]


def _tell_warriors(ctx: Context, wounds: tuple[Wound, ...]) -> list[Telling]:
    names = {hand(ctx, actor): Who(actor.id) for actor in fighting(ctx)}
    said = [
        Telling("outcomes.told_blow", {"striker": names[wound.striker], "target": names[wound.target],
                                       "pv": wound.pv, "ps": wound.ps})
        for wound in wounds
    ] or [Telling("outcomes.told_nobody_hit")]
    for actor in fighting(ctx):
        was = fighter_of(ctx, actor)
        taken = [wound for wound in wounds if wound.target == hand(ctx, actor)]
        now = was.losing(sum(wound.pv for wound in taken), sum(wound.ps for wound in taken))
        said += fall_told(was, now, ctx.rulings)
    return said


def _weigh_warriors(ctx: Context, policy: Policy) -> Odds[tuple[Wound, ...]]:
    """The odds of a warriors' exchange, as long as its blows are few: every one is a test of its own.

    What is shown of it is whether blows land: their damages are not thrown, and stand at 0.
    """
    warriors = _warriors(ctx)
    if sum(len(warrior.targets) for warrior in warriors) > MOST_BLOWS_WEIGHED:
        raise TooManyStates(limit=MOST_BLOWS_WEIGHED)
    landed = odds(blows_landed, warriors, ctx.rulings, policy=policy)
    return landed.map(lambda blows: tuple(Wound(*blow, pv=0, ps=0) for blow in blows))


def _blows_field(role: str) -> AnyField:
    """Whom a warrior strikes, blow after blow."""
    return replace(BLOWS, type=Many(OneOf(lambda ctx: foes_of(ctx, role)), 0, 7), role=role, secrecy="sealed",
                   usual=lambda ctx: standing_foes(ctx, role)[:1], when=is_up(role), place="essential")


def _declared(role: str) -> tuple[AnyField, ...]:
    """What a warrior announces, sealed until everybody has; the fallen announce nothing."""
    more = (replace(asked, role=role, secrecy="sealed", when=is_up(role), place="refinement")
            for asked in (MORE_BLOWS, MORE_BLOWS_PAID))
    (held, *letters) = weapon_fields(role, "own")
    return (*number_fields(role, "own"), replace(held, secrecy="sealed", when=is_up(role)), *letters,
            _blows_field(role), *more)


WARRIORS = Move(
    "warriors-exchange",
    offered=all_are_awake,
    cast=(MANY_INITIATORS, MANY_OPPONENTS, GAME_MASTER),
    rules=("SIM-B05", "SIM-B04"),
    when=lambda ctx: ctx.rulings.warrior_way == "on",
    steps=(
        Ask("declare", (
            *(field for role in SIDES for field in _declared(role)),
        )),
        Ask("settle", tuple(field for role in SIDES for field in settled_fields(role))),
        Weighed("warriors", lambda ctx: Call(warriors_exchange, _warriors(ctx), ctx.rulings), tell=_tell_warriors,
                weigh=_weigh_warriors,
                outcome=lambda blows: "blows_landed" if blows else "nobody_hurt",
                success=lambda blows: bool(blows),
                changes=_warrior_changes, shown=shown_exchange),
    ),
)

MOVES = (WARRIORS,)
