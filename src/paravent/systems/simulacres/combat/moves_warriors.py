"""The move of the warrior's way: an exchange in which the skilled strike several blows (SIM-B05)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from paravent.dice import Odds, Policy, odds
from paravent.dice.errors import TooManyStates
from paravent.game import (
    GAME_MASTER,
    OPEN,
    Actor,
    AnyField,
    Ask,
    Call,
    Change,
    Context,
    Field,
    FieldFacts,
    Many,
    MissingField,
    Move,
    OneOf,
    Telling,
    Who,
    Whole,
    changed,
)
from paravent.game.errors import Withheld
from paravent.systems.simulacres.actors import being
from paravent.systems.simulacres.checks.check import Modifier, edge_of, value_of
from paravent.systems.simulacres.checks.energies import Reserve, Spend, pay
from paravent.systems.simulacres.checks.other_uses import wider_edge
from paravent.systems.simulacres.terms import Energy

from .combat import blow_with, melee_terms, shot_terms
from .fight import (
    BARE_HANDS,
    Fighter,
    base_of,
    burden,
    carried_shield,
    dice_kept_up,
    energy_bonus,
    left_of,
    level_with,
    training_of,
    weapon_of,
)
from .fighters import (
    SIDES,
    WEAPON,
    fall_told,
    fight_of,
    fighter_changes,
    fighter_of,
    fighting,
    foes_of,
    hand,
    held_shield,
    is_up,
    may_come_in,
    number_fields,
    order_of,
    own_fighter,
    settled_fields,
    standing_foes,
    weapon_fields,
)
from .moves_exchange import MANY_INITIATORS, MANY_OPPONENTS, Weighed, fight_changes, shown_exchange
from .optional import Warrior, Wound, blows_allowed, blows_landed, check_blows, mastery_of, warriors_exchange
from .told import blow_told, parts_of_armour
from .weapons import Aim, combat_rank, shot_with

MOST_BLOWS_WEIGHED = 3
MOST_BLOWS = 7
MOST_MORE = 3
BLOWS: Field[tuple[str, ...]] = Field("blows", Many(OneOf(()), 0, MOST_BLOWS), rule="SIM-B05")
MORE_BLOWS = Field("more_blows", Whole(0, MOST_MORE), usual=0, rule="SIM-B05")
COUNTERS = ("ps", "ep")
MORE_BLOWS_PAID = Field("more_blows_paid", OneOf(COUNTERS), usual="ps", rule="SIM-017")


@dataclass(frozen=True)
class Blows(Many[str]):
    """Whom one strikes, blow after blow: as many as the weapon, the talent and Rapidité allow, and no more."""

    role: str = "initiator"

    def describe(self, ctx: Context) -> FieldFacts:
        return FieldFacts(self.name, of=self.of.describe(ctx), least=self.least, most=_allowed(ctx, self.role))

    def read(self, raw: object, field: str, ctx: Context) -> tuple[str, ...]:
        blows = super().read(raw, field, ctx)
        fighter = own_fighter(ctx, ctx.one(self.role))
        if fighter is not None:  # refused before it is sealed, and not when dice fall
            check_blows(blows, _blows_with(ctx, fighter, _bought(ctx, self.role, fighter)))
        return blows


@dataclass(frozen=True)
class MoreBlows(Whole):
    """Blows bought with Rapidité: as many as it has and can be paid for, from a talent of +2 on."""

    role: str = "initiator"

    def describe(self, ctx: Context) -> FieldFacts:
        held = _in_either_hand(ctx, self.role)
        if not held:
            return super().describe(ctx)
        return FieldFacts(self.name, minimum=0, maximum=max(_most_bought(ctx, fighter) for fighter in held))

    def read(self, raw: object, field: str, ctx: Context) -> int:
        bought, actor = super().read(raw, field, ctx), ctx.one(self.role)
        fighter, blows = own_fighter(ctx, actor), actor.filled.get(BLOWS.id)
        if fighter is not None and isinstance(blows, tuple):  # said before it: are they all there?
            check_blows(blows, _blows_with(ctx, fighter, bought))
        return bought


def _most_bought(ctx: Context, fighter: Fighter) -> int:
    """How many blows more Rapidité buys a fighter."""
    serves = _blows_with(ctx, fighter, 1) > _blows_with(ctx, fighter, 0)
    return max(0, min(MOST_MORE, left_of(fighter, Energy.SPEED), max(fighter.ps, fighter.ep))) if serves else 0


def _blows_with(ctx: Context, fighter: Fighter, speed: int) -> int:
    """How many blows a fighter has with so many points of Rapidité; one, while the weapon is not known."""
    try:
        held = weapon_of(fighter)
    except MissingField:
        return 1
    allowed = blows_allowed(held, level_with(fighter, held), speed, ctx.rulings)
    shots = [one.rounds for one in fighter.own if one.called == fighter.weapon and one.capacity]
    return min((allowed, *shots))


def _allowed(ctx: Context, role: str) -> int:
    """How many blows the one asked may announce, with what they may still take in hand and buy; one where it is sealed
    to whoever asks. Without a sheet the rule says it later.
    """
    actor = ctx.one(role)
    if actor.record is None:
        return MOST_BLOWS
    try:
        return max((_blows_with(ctx, fighter, _bought(ctx, role, fighter))
                    for fighter in _in_either_hand(ctx, role)), default=1)
    except Withheld:
        return 1


def _bought(ctx: Context, role: str, fighter: Fighter) -> int:
    """How many points of Rapidité buy blows: as said, or all that may still be."""
    said = ctx.one(role).filled.get(MORE_BLOWS.id)
    return said if isinstance(said, int) else _most_bought(ctx, fighter)


def _in_either_hand(ctx: Context, role: str) -> tuple[Fighter, ...]:
    """A fighter with each weapon that may still be taken in hand for this exchange: all that are said with one tap."""
    actor = ctx.one(role)
    fighter, record = own_fighter(ctx, actor), being(actor)
    if fighter is None or record is None or WEAPON.id in actor.filled:
        return () if fighter is None else (fighter,)
    carried = dict.fromkeys((fighter.weapon, *(one.called for one in record.weapons if one.serves), BARE_HANDS))
    return tuple(replace(fighter, weapon=name) for name in carried)


def _counters(ctx: Context, role: str) -> tuple[str, ...]:
    """What can pay for a blow more: PS or EP, of whichever there are; where none can be bought, there is no choice."""
    held = _in_either_hand(ctx, role)
    if not held:
        return COUNTERS
    left = {"ps": held[0].ps, "ep": held[0].ep}
    payable = tuple(name for name in COUNTERS if left[name] > 0) or COUNTERS
    return payable if any(_most_bought(ctx, fighter) for fighter in held) else payable[:1]


def _warriors(ctx: Context) -> tuple[Warrior, ...]:
    found = []
    for actor in fighting(ctx):
        fighter = fighter_of(ctx, actor)
        held = weapon_of(fighter)
        training, level = training_of(fighter, held), level_with(fighter, held)
        known = None if ctx.rulings.ruleset == "campaign" else training
        order = order_of(ctx, actor, fighter)
        around = [Modifier("level", level if known is None else 0), Modifier("circumstances", order.circumstances),
                  Modifier("malus", burden(fighter, ctx.rulings))]
        base, energies = base_of(fighter, held, ctx.rulings, shooting=bool(order.band)), energy_bonus(fighter, order)
        if order.band:
            terms = shot_terms(base, known, order.band, ctx.rulings, circumstances=around, armour=fighter.armour,
                               hinder_counts=order.hinder_counts, energies=energies)
        else:
            terms = melee_terms(base, known, circumstances=around, hinder=fighter.hinder, energies=energies)
        shield = carried_shield(fighter, ctx.rulings)
        found.append(Warrior(
            hand(ctx, actor), value_of(*terms, *shield.terms),
            wider_edge(edge_of(combat_rank(training)), level, 0, ctx.rulings),
            tuple(hand(ctx, ctx.actor(name)) for name in _struck(ctx, actor, fighter)),
            blow_with(held, Aim.NONE, False, ctx.rulings, order.band, extra_dice=dice_kept_up(fighter)),
            _blows_with(ctx, fighter, ctx.value(actor, MORE_BLOWS) or 0),
            fighter.armour, mastery_of(training, level, ctx.rulings), shield.deflect, shield.covers, bool(order.band),
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
    reserve = Reserve(speed=left_of(fighter, Energy.SPEED), ps=fighter.ps, ep=fighter.ep, pv=fighter.pv)
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
        changes += (*fighter_changes(actor, was, after[-1]), *_fired(ctx, actor, was))
    return [*changes, *(fight_changes(ctx, state, after, number) if state is not None else ())]


def _fired(ctx: Context, actor: Actor, fighter: Fighter) -> list[Change]:
    """The shots that somebody has less, one for each blow."""
    record, order = being(actor), order_of(ctx, actor, fighter)
    if record is None or not order.band:
        return []
    weapons = record.weapons
    for _ in _struck(ctx, actor, fighter):
        weapons = shot_with(weapons, order.weapon)
    return [*changed(actor.id, record, "weapons", weapons, "SIM-037")]


def _tell_warriors(ctx: Context, wounds: tuple[Wound, ...]) -> list[Telling]:
    fighters = {hand(ctx, actor): (Who(actor.id), fighter_of(ctx, actor)) for actor in fighting(ctx)}
    said, whole = list[Telling](), shown_exchange(ctx, wounds) is OPEN
    for wound in wounds:
        (striker, striking), (target, struck) = fighters[wound.striker], fighters[wound.target]
        hindered = Modifier("hinder", -striking.hinder), *carried_shield(striking, ctx.rulings).terms
        armour = parts_of_armour(hindered, struck.armour)
        said += blow_told(striker, target, striking.weapon, wound.margin, (wound.pv, wound.ps), armour, whole=whole)
    said = said or [Telling("outcomes.told_nobody_hit")]
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
    foes = OneOf(lambda ctx: foes_of(ctx, role), offered=lambda ctx: standing_foes(ctx, role))
    return replace(BLOWS, type=Blows(foes, 0, MOST_BLOWS, role=role), role=role, secrecy="sealed",
                   usual=lambda ctx: standing_foes(ctx, role)[:1], when=is_up(role), place="essential")


def _declared(role: str) -> tuple[AnyField, ...]:
    """What a warrior announces, sealed until everybody has; the fallen announce nothing."""
    bought = replace(MORE_BLOWS, type=MoreBlows(0, MOST_MORE, role=role))
    paid = replace(MORE_BLOWS_PAID, type=OneOf(COUNTERS, offered=lambda ctx: _counters(ctx, role)),
                   usual=lambda ctx: _counters(ctx, role)[0])
    more = (replace(asked, role=role, secrecy="sealed", when=is_up(role), place="refinement")
            for asked in (bought, paid))
    held, *letters, shield, trained = weapon_fields(role, "own")
    plain = (replace(asked, when=_stands_alone) for asked in (*number_fields(role, "own"), *letters))
    behind = (replace(shield, usual=lambda ctx: held_shield(ctx, role)), trained)
    return (*plain, replace(held, secrecy="sealed", when=is_up(role)), *behind, _blows_field(role), *more)


def _stands_alone(ctx: Context) -> bool:
    """Whether the exchange is of no fight: in one, everybody's numbers are known since it was opened."""
    return fight_of(ctx) is None


WARRIORS = Move(
    "warriors-exchange",
    offered=may_come_in,
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
