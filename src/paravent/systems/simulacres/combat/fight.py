"""Simulacres, a fight: who fights, what they declare, one exchange after another.

Fighters are read from sheets or from plain numbers. Each exchange everybody declares (:class:`Order`), pays for the
energies announced, and :func:`pass_of_arms` throws it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from paravent.dice import Dice, Odds, odds
from paravent.dice.protocol import Policy, certain_policy
from paravent.game import MissingField, Rulings, Who, rule
from paravent.systems.simulacres.care.health import condition, last_point_malus
from paravent.systems.simulacres.checks.check import Edge, Modifier, edge_of
from paravent.systems.simulacres.checks.energies import PLENTY, Reserve, Spend, check_fit, lasting, pay, sustained
from paravent.systems.simulacres.checks.other_uses import damage_dice, power_dice, wider_edge
from paravent.systems.simulacres.people.campaign import BARE_HANDED, noted_level, weapon_base_level
from paravent.systems.simulacres.people.character import EnergyBonus, NamedPoints
from paravent.systems.simulacres.people.character import Weapon as Carried
from paravent.systems.simulacres.terms import TABLES, Condition, Energy, Realm

from .combat import NOBODY, Combatant, Exchange, blow_with, clash, exchange, melee_terms, shot_terms
from .damage import Blow, category
from .errors import NotAnOpponent, OneSide, OutOfTheFight
from .harm import Harm, harm
from .optional import mastery_of
from .shields import LARGE, SMALL, may_riposte, protected, shield_malus, shield_use
from .weapons import UNARMED, Aim, Armour, Training, Weapon, combat_rank, combat_realm, fist, training_with, weapon

BARE_HANDS = "fist_amateur"
EXCHANGE_SECONDS = 5
FIGHTING = "fight"
"""The action that a bonus bought in a fight hangs on."""
DAMAGE_DICE = "power_damage"
"""The name of a bonus of dice on damage rolls, bought with EP for the fight (SIM-B01)."""


@dataclass(frozen=True)
class Fighter:
    """A fighter's numbers. The three sums are those of his sheet, or all the one value of an extra."""

    id: str
    side: str
    armed: int = 8
    """Body + action + mechanical."""
    unarmed: int = 8
    """Body + action + human."""
    ranged: int = 8
    """Body + perception + mechanical."""
    training: str = ""
    """A line of the table of combat skills; empty when skills tell."""
    specialty: str = ""
    talents: tuple[str, ...] = ()
    hobbies: tuple[str, ...] = ()
    level: int | None = 0
    """The weapon talent's level (campaign rules); None when the levels of the sheet tell."""
    levels: tuple[NamedPoints, ...] = ()
    weapon: str = BARE_HANDS
    own: tuple[Carried, ...] = ()
    """Weapons of the sheet, which may have letters of their own."""
    deflect: int = 0
    hinder: int = 0
    absorb: int = 0
    shield: str = ""
    """``small`` or ``large``, where the table plays with shields."""
    shield_trained: bool = True
    pv: int = 5
    ps: int = 4
    ep: int = 4
    minded: bool = True
    """Whether EP at 0 cost him his mind: creatures only have a reserve."""
    power: int = 0
    speed: int = 0
    precision: int = 0
    malus: int = 0
    """What an ailment takes off every test (0 or less)."""
    post: int = 0
    bonuses: tuple[EnergyBonus, ...] = ()
    wounded_at: int = 0
    """The last exchange in which he lost PV: from there the hour to dress wounds runs."""

    @property
    def armour(self) -> Armour:
        """Deflect, hinder, absorb."""
        return Armour(self.deflect, self.hinder, self.absorb)

    @property
    def action(self) -> str:
        """What his sustained bonuses hang on: this fight. Those who leave their post have lost them."""
        return FIGHTING

    def condition(self, rulings: Rulings) -> Condition:
        """Conscious, or out of the fight."""
        return condition(self.pv, self.ps, self.ep if self.minded else PLENTY, rulings)

    def stands(self, rulings: Rulings) -> bool:
        """Whether he still fights."""
        return self.condition(rulings) is Condition.CONSCIOUS

    def losing(self, pv: int = 0, ps: int = 0, ep: int = 0) -> Fighter:
        """The same with so much less, never below nothing."""
        return replace(self, pv=max(0, self.pv - pv), ps=max(0, self.ps - ps), ep=max(0, self.ep - ep))


class Order(NamedTuple):
    """What a fighter declares for an exchange: whom he strikes, with what, whom he watches, how, and what he spends.

    ``target`` and ``defended`` are ids of opponents; an empty target strikes nobody. ``band`` is the range of a shot.
    ``damage_dice`` are points of Puissance paid in EP for dice on every damage roll of the fight (SIM-B01).
    """

    target: str = ""
    weapon: str = ""
    defended: tuple[str, ...] = ()
    aim: Aim = Aim.NONE
    pull: bool = False
    spend: Spend = Spend()
    moves: bool = False
    band: str = ""
    circumstances: int = 0
    hinder_counts: bool = True
    untrained: str = ""
    damage_dice: int = 0
    training: str = ""
    holds: bool = False
    """Under standing orders: strikes nobody this time (runs up, takes cover)."""


def weapon_of(fighter: Fighter, named: str = "") -> Weapon:
    """The weapon in a fighter's hand; letters on his sheet replace the printed ones, bare fists know their training."""
    name = named or fighter.weapon
    carried = next((one for one in fighter.own if name in (one.id, one.name)), None)
    if carried is not None and not carried.id:
        letters = category(carried.category_pv, "category_pv"), category(carried.category_ps, "category_ps")
        return Weapon(name, carried.family, *letters, "complex")
    held = weapon(name)
    if name == BARE_HANDS:
        held = weapon(fist(combat_rank(training_of(fighter, held))))
    lettered = carried is not None and (carried.category_pv or carried.category_ps)
    if not lettered and name in TABLES["weapons"].extra["variable"]:
        raise MissingField(field="category_pv", role=fighter.id)
    if carried is not None and lettered:
        held = held._replace(pv=category(carried.category_pv, "category_pv"),
                             ps=category(carried.category_ps, "category_ps"))
    return held


def training_of(fighter: Fighter, held: Weapon, untrained: str = "", said: str = "") -> Training:
    """How the fighter knows the weapon in his hand: as said, or by his skills."""
    if said or fighter.training:
        return Training(said or fighter.training)
    return training_with(held, fighter.specialty, fighter.talents, fighter.hobbies, untrained)


@rule("SIM-A15")
def level_with(fighter: Fighter, held: Weapon) -> int:
    """The talent level with the weapon in hand (campaign rules): as said, or by the sheet; hands know two talents."""
    if fighter.level is not None:
        return fighter.level
    named = BARE_HANDED if held.family == UNARMED else (held.id,)
    noted = [noted_level(fighter.levels, name) for name in named]
    return max((weapon_base_level(name) or 0) if level is None else level
               for name, level in zip(named, noted, strict=True))


def base_of(fighter: Fighter, held: Weapon, rulings: Rulings, *, shooting: bool) -> int:
    """The three numbers that fight with this weapon."""
    if shooting:
        return fighter.ranged
    return fighter.unarmed if combat_realm(held, rulings) == Realm.HUMAN else fighter.armed


def burden(fighter: Fighter, rulings: Rulings) -> int:
    """What his state takes off every test: an ailment, the last point where the table counts it."""
    return last_point_malus(fighter.pv, fighter.ps, fighter.ep if fighter.minded else PLENTY, rulings) + fighter.malus


class Ready(NamedTuple):
    """Fighters once they have declared and paid, in the same order, with what each brings to the exchange."""

    combatants: tuple[Combatant, ...]
    fighters: tuple[Fighter, ...]


@rule("SIM-019", "SIM-020", "SIM-033", "SIM-034", "SIM-037")
def ready(fighters: Sequence[Fighter], orders: Sequence[Order], roles: Sequence[str], rulings: Rulings) -> Ready:
    """Read everybody's declaration: pay the energies, end the bonuses of those who move, add up each test.

    Who is dead, unconscious or out of his mind declares nothing. A refusal leaves everything as it was.
    """
    if len({fighter.side for fighter in fighters}) < 2:
        raise OneSide()
    place_of = {fighter.id: place for place, fighter in enumerate(fighters)}
    combatants, after = [], []
    for fighter, order, role in zip(fighters, orders, roles, strict=True):
        if not fighter.stands(rulings):
            if order.target or order.spend.cost:
                raise OutOfTheFight(fighter=fighter.id)
            combatants.append(_fallen(fighter, role))
            after.append(fighter)
            continue
        _may_name(fighter, order, {one.id: one for one in fighters}, rulings)
        paid = paying(fighter, order, rulings)
        after.append(paid)
        combatants.append(_combatant(fighter, paid, order, role, place_of, rulings))
    return Ready(tuple(combatants), tuple(after))


def _fallen(fighter: Fighter, role: str) -> Combatant:
    """Somebody who is only lying there."""
    return Combatant(role, fighter.side, (), Edge(), Blow(None), fighter.armour, pv=fighter.pv, ps=fighter.ps)


def _may_name(fighter: Fighter, order: Order, present: Mapping[str, Fighter], rulings: Rulings) -> None:
    """One strikes who lives, fallen or not, and watches who stands."""
    struck = [order.target] if order.target else []
    if any(name not in present for name in (*struck, *order.defended)):
        raise NotAnOpponent(fighter=fighter.id)
    dead = any(present[name].condition(rulings) is Condition.DEAD for name in struck)
    if dead or not all(present[name].stands(rulings) for name in order.defended):
        raise NotAnOpponent(fighter=fighter.id)


def paying(fighter: Fighter, order: Order, rulings: Rulings) -> Fighter:
    """The fighter once he has moved if he moves, and paid: what was bought with EP holds while he keeps his post."""
    moved = replace(fighter, post=fighter.post + 1, bonuses=()) if order.moves else fighter
    held = sustained(moved.bonuses, moved.action)
    power, speed, precision = (left_of(moved, energy) for energy in Energy)
    reserve = Reserve(power, speed, precision, moved.ps, moved.ep, moved.pv)
    damage = damage_dice(order.damage_dice, rulings)
    spend = order.spend._replace(power_dice=order.spend.power_dice + damage, ep=order.spend.ep + damage)
    check_fit("shooting" if order.band else "melee", spend)
    done = pay(spend, reserve, rulings)
    bought = [*lasting(order.spend), *([(DAMAGE_DICE, damage)] if damage else [])]
    new = tuple(EnergyBonus(str(energy), points, moved.action) for energy, points in bought)
    return replace(moved, ps=done.ps, ep=done.ep, bonuses=(*held, *new))


def left_of(fighter: Fighter, energy: Energy) -> int:
    """What of an energy is left to be spent: its value, less the points that EP keep up in this fight."""
    held = sustained(fighter.bonuses, fighter.action)
    kept = sum(one.points for one in held if one.energy in (energy.value, f"{energy.value}_damage"))
    return int(getattr(fighter, energy)) - kept


def dice_kept_up(fighter: Fighter) -> int:
    """The dice that Puissance paid in EP adds to each damage roll of the fight (SIM-B01)."""
    return sum(bonus.points for bonus in fighter.bonuses if bonus.energy == DAMAGE_DICE)


def energy_bonus(before: Fighter, order: Order) -> int:
    """What energies add to this test: those bought now, and those still sustained."""
    kept = () if order.moves else sustained(before.bonuses, before.action)
    return order.spend.points + sum(bonus.points for bonus in kept if bonus.energy != DAMAGE_DICE)


def _combatant(
    before: Fighter, fighter: Fighter, order: Order, role: str, place_of: Mapping[str, int], rulings: Rulings
) -> Combatant:
    held = weapon_of(fighter, order.weapon)
    shooting = bool(order.band)
    untrained = order.untrained if rulings.untrained_class == "gm" else ""
    training = training_of(fighter, held, untrained, order.training)
    known = None if rulings.ruleset == "campaign" else training
    base = base_of(fighter, held, rulings, shooting=shooting)
    level = level_with(fighter, held) if rulings.ruleset == "campaign" else 0
    circumstances = [Modifier("level", level), Modifier("circumstances", order.circumstances),
                     Modifier("malus", burden(before, rulings))]
    energies = energy_bonus(before, order)
    if shooting:
        terms = shot_terms(base, known, order.band, rulings, circumstances=circumstances, aim=order.aim,
                           pull=order.pull, armour=fighter.armour, hinder_counts=order.hinder_counts, energies=energies)
    else:
        terms = melee_terms(base, known, circumstances=circumstances, aim=order.aim, pull=order.pull,
                            hinder=fighter.hinder, energies=energies)
    terms = (*terms, *carried_shield(fighter, rulings).terms)
    spend = order.spend
    edge = wider_edge(edge_of(combat_rank(training)), level, spend.precision_range, rulings)
    edge = edge._replace(extra_dice=power_dice(spend.power_dice, rulings))
    return Combatant(
        role, fighter.side, terms, edge,
        blow_with(held, order.aim, order.pull, rulings, order.band, extra_dice=dice_kept_up(fighter)),
        fighter.armour,
        place_of.get(order.target, NOBODY),
        () if shooting else tuple(place_of[name] for name in order.defended),
        shooting, fighter.pv, fighter.ps,
        mastery_of(training, level, rulings), spend.haste,
        carried_shield(fighter, rulings).deflect,
        tuple(place_of[name] for name in order.defended[: carried_shield(fighter, rulings).covers]),
        may_riposte(fighter.shield, bool(order.target), held),
    )


class Behind(NamedTuple):
    """What a shield does to its bearer's test and to those it covers against."""

    terms: tuple[Modifier, ...] = ()
    deflect: int = 0
    covers: int = 0


@rule("SIM-B06")
def carried_shield(fighter: Fighter, rulings: Rulings) -> Behind:
    """A shield in a fight: it deflects the first opponents watched, and hinders; untrained, it costs 2 instead."""
    if not fighter.shield:
        return Behind()
    shield = {"small": SMALL, "large": LARGE}[fighter.shield]
    if not fighter.shield_trained:
        return Behind((Modifier("shield", shield_use(False)),), -shield_malus(shield, rulings), 1)
    burden = protected(fighter.armour, shield, rulings).hinder - fighter.hinder
    terms = (Modifier("hinder", -burden),) if burden else ()
    return Behind(terms, -shield_malus(shield, rulings), shield.covers)


class Passed(NamedTuple):
    """An exchange gone by: what each lost, and how it went (absent where only the odds are asked)."""

    lost: Harm
    played: Exchange | None = None


@rule("SIM-033", "SIM-034")
def pass_of_arms(dice: Dice, declared: Ready, rulings: Rulings) -> Passed:
    """Throw an exchange that everybody has declared and paid for."""
    vitals = tuple((one.pv, one.ps) for one in declared.combatants)
    done: Exchange = dice.resolve(exchange, clash(declared.combatants, rulings), vitals, rulings)
    lost = tuple((had[0] - left[0], had[1] - left[1]) for had, left in zip(vitals, done.left, strict=True))
    for one, left in zip(declared.combatants, done.left, strict=True):
        if (one.pv, one.ps) != left:
            dice.of(one.role).note("SIM-060", "left", role=Who(one.role), pv=left[0], ps=left[1])
    return Passed(lost, done)


def weigh_exchange(declared: Ready, rulings: Rulings, policy: Policy = certain_policy) -> Odds[Passed]:
    """The odds of what an exchange costs each; how it went is merged."""
    vitals = tuple((one.pv, one.ps) for one in declared.combatants)
    prepared = clash(declared.combatants, rulings)
    if rulings.strike_order == "descending_margin" or prepared.ripostes:
        return odds(pass_of_arms, declared, rulings, policy=policy).map(lambda passed: Passed(passed.lost))
    return odds(harm, prepared, vitals, rulings, policy=policy).map(Passed)


@rule("SIM-060", "SIM-061", "SIM-020")
def after_exchange(declared: Ready, lost: Harm, number: int) -> tuple[Fighter, ...]:
    """The fighters once blows have landed: PV and PS fall, and a new wound starts the hour in which it is dressed."""
    return tuple(
        replace(fighter, pv=fighter.pv - pv, ps=fighter.ps - ps, wounded_at=number if pv else fighter.wounded_at)
        for fighter, (pv, ps) in zip(declared.fighters, lost, strict=True)
    )


def standing_sides(fighters: Sequence[Fighter], rulings: Rulings) -> frozenset[str]:
    """The sides that still have somebody to fight."""
    return frozenset(fighter.side for fighter in fighters if fighter.stands(rulings))


# The state of a fight


@dataclass(frozen=True)
class Place:
    """What everybody sees of a fighter: his side, his post, and whether he still stands."""

    id: str
    side: str
    standing: bool = True
    post: int = 0
    condition: str = "conscious"
    weapon: str = ""
    """What he was seen to fight with in the last exchange…"""
    target: str = ""
    """…whom he struck at…"""
    defended: tuple[str, ...] = ()
    """…and against whom he defended himself."""
    shield: str = ""
    """The shield on his arm: ``shield_small``, ``shield_large``."""


@dataclass(frozen=True)
class FightState:
    """A fight under way: exchanges fought, how long one lasts, who is where; the numbers are the game master's."""

    exchange: int = 0
    seconds: int = EXCHANGE_SECONDS
    place: str = ""
    sides: tuple[Place, ...] = ()
    fighters: tuple[Fighter, ...] = ()


def place_of(fighter: Fighter, rulings: Rulings, order: Order | None = None) -> Place:
    """A fighter as everybody sees him, with what he was seen to do."""
    state = fighter.condition(rulings)
    seen = Place(fighter.id, fighter.side, state is Condition.CONSCIOUS, fighter.post, state.value,
                 shield=f"shield_{fighter.shield}" if fighter.shield else "")
    if order is None:
        return seen
    return replace(seen, weapon=order.weapon or fighter.weapon, target=order.target, defended=order.defended)


def is_over(state: FightState) -> bool:
    """A fight is over when one side at most still stands."""
    return len({place.side for place in state.sides if place.standing}) < 2
