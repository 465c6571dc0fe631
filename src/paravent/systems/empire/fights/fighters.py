"""How combat moves read fighters, from sheets or plain numbers, and what a blow writes on a sheet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from paravent.dice import odds
from paravent.game import (
    GM_ONLY,
    Actor,
    AnyField,
    Change,
    Context,
    Field,
    Grid,
    MissingField,
    OneOf,
    RuleError,
    Rulings,
    Telling,
    TextField,
    Value,
    Who,
    Whole,
    rule,
)
from paravent.game.errors import Withheld
from paravent.systems.empire.actions.action import Column, roll_under, untrained, with_extra
from paravent.systems.empire.actions.trials import (
    COLUMN,
    EXTRA,
    ORGAN,
    WEAPON_ARM,
    arm_bonus,
    has,
    mods_of,
    score_of,
    settled,
    state_dice,
    told,
)
from paravent.systems.empire.beasts.animals import Animal, physical_resistance
from paravent.systems.empire.machines.gear import has_power_setting
from paravent.systems.empire.machines.kinds import Gear, Robot, machine_changes
from paravent.systems.empire.machines.machines import Machine, Working, battered, working
from paravent.systems.empire.machines.robots import RobotType, formec_characteristic
from paravent.systems.empire.people.character import Carried, Character, Condition, Wound, places
from paravent.systems.empire.people.conditions import with_condition, without_condition
from paravent.systems.empire.terms import TABLES, Characteristic, Side
from paravent.systems.empire.throws import said, set_on

from .combat import (
    FIST,
    KICK,
    Act,
    Attitude,
    Height,
    acts,
    animal_characteristic,
    blow_dice,
    characteristic_of,
    letter_of,
    location,
    skill_used,
)
from .damage import row_of
from .duel import Stance
from .errors import NotReady, OutOfReach, Unable
from .fight import CONTACT_M, Fight
from .holds import released
from .wounds import Body, Harm, Life, Piece, Shape, armour_at, covers, struck

UNABLE = frozenset({"knocked_out", "coma", "dead", "suspended_animation", "fevered", "out_of_order", "no_fighter",
                    "bound_by_laws"})
"""States in which one does nothing at all."""
HELPLESS = UNABLE | {"stunned", "held", "hypnotised"}
"""States in which one receives a blow without returning it."""
FOES = ("animal", "robot")
"""Whom one fights beside people: kinds of records."""
TARGETS = (*FOES, "item")
"""What a shot or a blast may strike beside people."""


# What a form asks


def numbers(role: str) -> tuple[AnyField, ...]:
    """A fighter in plain numbers; whatever is left out comes from the sheet, or from the fight."""
    return tuple(replace(asked, role=role) for asked in (VALUE, RESISTANCE, LEFT, ARMOUR))


def declarations(role: str, when: Callable[[Context], bool] | None = None) -> tuple[AnyField, ...]:
    """The blow: weapon and how far it is held back, in the open; height, precision and spot, sealed with the sign."""
    height = replace(HEIGHT, waits=False, place="essential", secrecy="sealed",
                     shape=Grid("column", told=lambda ctx: blow_told(ctx, role), figure=True))
    blow = (struck_with(role), CAP, height, replace(COLUMN, secrecy="sealed", rule="EMP-077"),
            replace(SPOT, secrecy="sealed", place="refinement"))
    arms, *rest = (replace(asked, role=role, when=when) for asked in blow)
    return replace(arms, when=lambda ctx: _chooses_arms(ctx, role) and (when is None or when(ctx))), *rest


def _chooses_arms(ctx: Context, role: str) -> bool:
    """Whether somebody strikes with one thing or another: a beast does with what it was born with."""
    return not isinstance(ctx.one(role).record, Animal)


def wounding(role: str) -> tuple[AnyField, ...]:
    """What the game master may settle of a wound: where it really is, on which side, whether an organ is hurt."""
    return tuple(replace(asked, role=role, by="gm") for asked in (STRUCK_AT, WOUND_SIDE, ORGAN))


def spots(ctx: Context) -> tuple[str, ...]:
    """The spots that the table names for precise blows."""
    return tuple(spot for named in TABLES["hit_locations"].extra["spots"].values() for spot in named)


def weapons_of(ctx: Context, role: str) -> tuple[str, ...]:
    """What a fighter may strike with: what is in hand on the sheet first, then everything."""
    record = ctx.one(role).record
    held = tuple(weapon.weapon for weapon in getattr(record, "weapons", ()) if weapon.ready)
    return tuple(dict.fromkeys((*held, FIST, *TABLES["weapons"].keys())))


def weapons_in_hand(ctx: Context, role: str) -> tuple[str, ...]:
    """What a fighter holds and can use now, bare hands and feet with it; anything for whoever has no sheet."""
    record = ctx.one(role).record
    if not isinstance(record, Character):
        return weapons_of(ctx, role)
    held = tuple(weapon.weapon for weapon in record.weapons if weapon.ready and weapon.loaded)
    return tuple(dict.fromkeys((*held, FIST, KICK)))


def weapon_field(role: str) -> Field[str]:
    """What a fighter strikes with: what is in hand, if nothing else is said."""
    return Field("weapon", OneOf(lambda ctx: weapons_of(ctx, role), lambda ctx: weapons_in_hand(ctx, role)), role,
                 usual=lambda ctx: weapons_of(ctx, role)[0], upfront=True, rule="EMP-078")


def within_reach(ctx: Context, role: str) -> tuple[str, ...]:
    """What a fighter holds and can strike with from where they stand."""
    return tuple(held for held in weapons_in_hand(ctx, role) if _reaches(ctx, held))


def _reaches(ctx: Context, held: str) -> bool:
    try:
        return bool(skill_of(ctx, held))
    except OutOfReach:
        return False


def struck_with(role: str) -> Field[str]:
    """What a fighter strikes with in close combat: what is in hand and serves there, if nothing else is said."""
    return replace(
        weapon_field(role), type=OneOf(lambda ctx: weapons_of(ctx, role), lambda ctx: within_reach(ctx, role)),
        usual=lambda ctx: (within_reach(ctx, role) or weapons_of(ctx, role))[0])


VALUE: Field[int | None] = Field("value", Whole(0, 40), optional=True, secrecy="own", rule="EMP-078")
RESISTANCE: Field[int | None] = Field("resistance", Whole(0), optional=True, secrecy="own", rule="EMP-040")
LEFT: Field[int | None] = Field("left", Whole(0), optional=True, secrecy="own", place="rarity", rule="EMP-040")
ARMOUR: Field[int | None] = Field("armour", Whole(0), optional=True, secrecy="own", place="rarity", rule="EMP-087")
WEAPON = weapon_field("initiator")
ATTITUDE_SHOWN = Field("attitude", OneOf(Attitude), usual=Attitude.ATTACK, secrecy="sealed", rule="EMP-075")
HEIGHT = Field("height", OneOf((Height.HIGH, Height.MIDDLE, Height.LOW)), usual=Height.MIDDLE, waits=True,
               shape=Grid("column"), rule="EMP-077")
SPOT = Field("spot", TextField(40, spots), usual="", rule="EMP-082")
CAP: Field[int | None] = Field("cap", Whole(0), optional=True, rule="EMP-081")
STRUCK_AT: Field[str | None] = Field("struck_at", OneOf(lambda ctx: places()), optional=True, place="rarity",
                                     rule="EMP-082")
WOUND_SIDE: Field[str | None] = Field("wound_side", OneOf(("left", "right")), optional=True, place="rarity",
                                      rule="EMP-082")
def _near(ctx: Context) -> int:
    """How far apart those in an exchange stand: as they were placed, or as the last ones were."""
    if not isinstance(ctx.encounter, Fight):
        return 1
    return min(CONTACT_M, ctx.encounter.apart(*(actor.id for actor in ctx.actors)) or ctx.encounter.metres or 1)


METRES = Field("metres", Whole(0, CONTACT_M), "gm", usual=_near, rule="EMP-078")


def blow_told(ctx: Context, role: str) -> Telling:
    """Where a blow of this height and precision lands, how many dice it takes, and how likely they stay under."""
    actor = ctx.one(role)
    height, column = ctx.value(actor, HEIGHT), ctx.value(actor, COLUMN)
    count = with_extra(blow_dice(height, column), state_dice(ctx, actor, Side.PHYSICAL), ctx.rulings)
    told_so: dict[str, Value] = {"place": location(height, column, ""), "n": count}
    limit = threshold_known(ctx, actor, has(ctx, actor, ATTITUDE_SHOWN) or Attitude.ATTACK)
    if limit is None:
        return Telling("cells.blow", told_so)
    passes = odds(roll_under, count, limit).chance(lambda roll: roll.success)
    return Telling("cells.blow_odds", {**told_so, "chance": round(100 * passes)})


def threshold_known(ctx: Context, actor: Actor, attitude: Attitude) -> int | None:
    """The threshold of an attitude as far as whoever asks may know it: what the game master keeps is left out."""
    try:
        return threshold_of(ctx, actor, attitude)
    except Withheld:
        pass
    except RuleError:
        return None
    if not isinstance(actor.record, Character):
        return None
    try:
        return skilled(ctx, actor, characteristic_of(attitude), skill_of(ctx, weapon(ctx, actor)))
    except (RuleError, Withheld):
        return None


# From fields to numbers


def stance(ctx: Context, actor: Actor, attitude: Attitude) -> Stance:
    """One side of an exchange, as declared."""
    check_drawn(actor, weapon(ctx, actor))
    arm = strikes_with_arm(ctx, actor) and not attitude_holds(attitude)
    malus = (settled(ctx, actor, EXTRA) or 0) + state_dice(ctx, actor, Side.PHYSICAL, arm=arm)
    count = with_extra(blow_dice(ctx.value(actor, HEIGHT), ctx.value(actor, COLUMN)), malus, ctx.rulings)
    row = row_of(count, malus, ctx.rulings)
    power = setting(actor, weapon(ctx, actor))
    return Stance(threshold_of(ctx, actor, attitude), count, letter(ctx, actor), min(row, power) if power else row)


def threshold_of(ctx: Context, actor: Actor, attitude: Attitude) -> int:
    """The threshold of an attitude: as typed, a beast's bare score, a robot's quality, or characteristic + skill."""
    typed = has(ctx, actor, VALUE)
    mods = mods_of(ctx, actor, Side.PHYSICAL)
    if typed is not None:
        return typed + mods
    if isinstance(actor.record, Animal):
        return int(getattr(actor.record, animal_characteristic(attitude))) + mods
    if isinstance(actor.record, Robot):
        return formec_characteristic(actor.record.quality) + mods
    if not isinstance(actor.record, Character):
        raise MissingField(field="value", role=actor.role)
    return skilled(ctx, actor, characteristic_of(attitude), skill_of(ctx, weapon(ctx, actor))) + mods


def skilled(ctx: Context, actor: Actor, name: Characteristic, skill: str) -> int:
    """Characteristic + level of a fighting skill, and what a prosthetic arm adds."""
    level = actor.sheet(Character).level(skill)
    arm = strikes_with_arm(ctx, actor)
    bonus = arm_bonus(actor, name, arm)
    return score_of(ctx, actor, name, arm=arm) + level + untrained(skill, level, ctx.rulings) + bonus


def strikes_with_arm(ctx: Context, actor: Actor) -> bool:
    """Whether a weapon arm strikes: its owner uses it for everything but a kick."""
    return isinstance(actor.record, Character) and actor.record.level(WEAPON_ARM) > 0 and weapon(ctx, actor) != KICK


def attitude_holds(attitude: Attitude) -> bool:
    """Whether an attitude rests on Endurance, which no weapon arm replaces."""
    return characteristic_of(attitude) is Characteristic.ENDURANCE


def check_drawn(actor: Actor, name: str) -> None:
    """A weapon of the sheet must be in hand and loaded to be used."""
    held = next((one for one in getattr(actor.record, "weapons", ()) if one.weapon == name), None)
    if held is not None and Act.FIGHT not in acts(held.ready, held.loaded, held.magazines > 0):
        raise NotReady(weapon=name, state=held.state.value)


def metres(ctx: Context) -> int:
    """How far apart they stand."""
    return told(ctx, METRES) or 1


def skill_of(ctx: Context, held: str) -> str:
    """The skill with which something strikes from where they stand; whoever has bare hands has stepped in."""
    return skill_used(held, 1 if held in (FIST, KICK) else metres(ctx))


def stepped_in(ctx: Context, acting: Sequence[Actor]) -> bool:
    """Whether somebody struck with bare hands from further than they reach: they are at arm's length from now on."""
    return metres(ctx) > 1 and any(isinstance(one.record, Character) and weapon(ctx, one) in (FIST, KICK)
                                   for one in acting)


def weapon(ctx: Context, actor: Actor) -> str:
    """What a fighter strikes with."""
    return has(ctx, actor, WEAPON) or FIST


def letter(ctx: Context, actor: Actor) -> str:
    """The damage table of a fighter's weapon, natural or not."""
    if isinstance(actor.record, Animal) and actor.record.natural_weapon:
        return actor.record.natural_weapon
    return shock_letter(weapon(ctx, actor)) or letter_of(weapon(ctx, actor))


def shock_letter(name: str) -> str:
    """The table in which a weapon without damage is read, for the shock alone; empty for the others."""
    return str(TABLES["weapons"].extra["shock"].get(name, ""))


def setting(actor: Actor, name: str) -> int:
    """The power at which a weapon was set when drawn, 0 where it has none."""
    if not has_power_setting(name):
        return 0
    return next((held.power for held in getattr(actor.record, "weapons", ()) if held.weapon == name), 0)


def place(ctx: Context, striker: Actor, target: Actor | None = None) -> str:
    """Where a blow lands: as the game master says of the target's posture, or as declared."""
    told_so = has(ctx, target, STRUCK_AT) if target is not None else None
    if told_so:
        return told_so
    named = has(ctx, striker, SPOT) or ""
    return location(has(ctx, striker, HEIGHT) or Height.MIDDLE, has(ctx, striker, COLUMN) or Column.NORMAL, named)


class Shell(NamedTuple):
    """A machine that a blow meets, and whether it was out of order before."""

    machine: Machine
    broken: bool


def body(ctx: Context, target: Actor, where: str) -> Body | Shell | None:
    """What a blow meets, None where nobody said how much the target can take, or who asks may not know."""
    try:
        return _body(ctx, target, where)
    except Withheld:
        return None


def _body(ctx: Context, target: Actor, where: str) -> Body | Shell | None:
    record, typed, left = target.record, has(ctx, target, RESISTANCE), has(ctx, target, LEFT)
    armour = has(ctx, target, ARMOUR)
    if isinstance(record, Character) and typed is None:
        worn = armour_at(record.pieces, where, ctx.rulings) if armour is None else armour
        return Body(record.physical_most, record.resistance_physical, record.endurance, worn)
    if isinstance(record, Animal) and typed is None:
        full = physical_resistance(record, ctx.rulings)
        return Body(full, _left(ctx, target, full, left), record.endurance,
                    record.natural_armour if armour is None else armour)
    if isinstance(record, Gear) and typed is None:
        return Shell(record.machine, record.broken)
    if typed is None:
        return None
    return Body(typed, _left(ctx, target, typed, left), 0, armour or 0)


def _left(ctx: Context, target: Actor, full: int, typed: int | None) -> int:
    """What is left of somebody without a sheet: as typed, or as the fight keeps it."""
    if typed is not None:
        return typed
    return max(0, full - ctx.encounter.lost_by(target.id)) if isinstance(ctx.encounter, Fight) else full


def states(ctx: Context, actor: Actor) -> frozenset[str]:
    """What a fighter suffers now; in a fight, whoever was knocked out may have come round. Of a beast, or of somebody
    without a sheet, the fight alone knows who has fallen."""
    if isinstance(actor.record, Gear):
        return _out_of_the_fight(ctx, actor, actor.record)
    fight = ctx.encounter
    awake = isinstance(fight, Fight) and fight.comes_round(actor.id, fight.coming(*(one.id for one in ctx.actors)))
    if isinstance(actor.record, Character):
        found = frozenset(condition.name for condition in actor.record.conditions)
        return found - {"knocked_out"} if awake else found
    fallen = isinstance(fight, Fight) and not awake and fight.has_fallen(actor.id)
    return frozenset({"knocked_out"} if fallen else ())


@rule("EMP-115", "EGW-131", "EGW-136", "EGW-137", "EGW-153")
def _out_of_the_fight(ctx: Context, actor: Actor, thing: Gear) -> frozenset[str]:
    """Why a machine strikes nobody: out of order, no formec, or bound by its laws before people."""
    if thing.broken or thing.scrapped:
        return frozenset({"out_of_order"})
    if not isinstance(thing, Robot) or thing.robot is not RobotType.FORMEC:
        return frozenset({"no_fighter"})
    others = (other for role in ("initiator", "opponent") if role != actor.role for other in ctx.all(role))
    return frozenset({"bound_by_laws"} if any(isinstance(other.record, Character) for other in others) else ())


def helpless(ctx: Context, actor: Actor) -> bool:
    """Whether somebody receives the next blow without returning it."""
    return bool(states(ctx, actor) & HELPLESS)


def unable(ctx: Context, actor: Actor) -> bool:
    """Whether somebody does nothing at all."""
    return bool(states(ctx, actor) & UNABLE)


@rule("EMP-084", "EMP-086")
def check_able(ctx: Context, *fighters: Actor) -> None:
    """Nobody acts who is unconscious, dead or out of their own hands."""
    for fighter in fighters:
        found = sorted(states(ctx, fighter) & UNABLE)
        if found:
            raise Unable(who=getattr(fighter.record, "name", "") or fighter.id, state=found[0])


def able(role: str) -> Callable[[Context], bool]:
    """Whether whoever is in a role can do anything, as far as a sheet says and may be read."""

    def are_able(ctx: Context) -> bool:
        try:
            return not any(unable(ctx, actor) for actor in ctx.all(role))
        except Withheld:
            return True

    return are_able


# What a blow writes


class Wreck(NamedTuple):
    """What a blow leaves of a machine: the machine after it, and what it still does."""

    machine: Machine
    working: Working


class Landed(NamedTuple):
    """A blow as it landed: points before armour, where, what it did (None where nobody knows), weapon dropped, side.

    On a machine it leaves a ``wreck`` instead of harm.
    """

    points: int
    place: str
    harm: Harm | None = None
    dropped: str = ""
    side: str = ""
    wreck: Wreck | None = None


def lands(target: Body | Shell | None, points: int, where: str, level: int, rulings: Rulings, *,
          shock_only: bool = False) -> Landed:
    """What a blow by something of this tech level does to a body or a machine; no machine is ever shocked."""
    if isinstance(target, Shell):
        after = battered(target.machine, points, level, rulings) if points and not shock_only else target.machine
        return Landed(points, where, wreck=Wreck(after, working(after, target.broken, rulings)))
    return Landed(points, where, struck(target, points, rulings, shock_only=shock_only) if target is not None else None)


def wreck_changes(blows: Sequence[tuple[Actor, Landed]]) -> list[Change]:
    """What blows write on the records of the machines they hit."""
    return [change for actor, blow in blows if blow.wreck is not None and blow.points
            for change in machine_changes(actor, *blow.wreck)]


def stopped(blows: Sequence[tuple[Actor, Landed]]) -> list[Actor]:
    """The machines that blows have put out of order."""
    return [actor for actor, blow in blows if blow.wreck is not None and blow.wreck.working is not Working.RUNS]


LIMB = {"head": "head", "ear": "head", "neck": "head", "shoulder": "arm", "arm": "arm", "hand": "arm",
        "torso": "torso", "heart": "torso", "lower_belly": "torso", "groin": "torso", "leg": "leg", "knee": "leg"}


def limbs(where: str, side: str = "") -> tuple[str, ...]:
    """The limbs of a figure that a spot is part of: on both sides of the body where nobody said which."""
    limb = LIMB.get(where, "")
    if limb in ("arm", "leg"):
        return tuple(f"{one}_{limb}" for one in ("left", "right") if side in ("", one))
    return (limb,) if limb else ()


def landed_told(landed: Landed, victim: str, role: str = "") -> list[Telling]:
    """What everybody sees of a blow: where it lands and how the victim stands.

    How hard it was is for those who fight; what a protection stops and what is lost for the victim (of a ``role``) and
    the game master.
    """
    if not landed.points and not landed.dropped:
        return []
    if landed.wreck is not None:
        return _wreck_told(landed.points, landed.wreck, victim)
    where = said("told_struck_side", who=Who(victim), place=landed.place, side=landed.side) if landed.side else \
        said("told_struck", who=Who(victim), place=landed.place)
    return [where._replace(at=limbs(landed.place, landed.side)), *_lost_told(landed, victim, role),
            *hurt_told(landed, victim)]


def hurt_told(landed: Landed, victim: str) -> list[Telling]:
    """What everybody sees of somebody who was hurt: what slips out of their hand, how they stand."""
    lines = [said("told_dropped", who=Who(victim), weapon=landed.dropped)] if landed.dropped else []
    harm = landed.harm
    if harm is None:
        return lines
    if harm.life is not Life.ALIVE:
        lines.append(said(f"told_{harm.life.value}", who=Who(victim)))
    elif harm.shape is not Shape.STANDING:
        lines.append(said(f"told_{harm.shape.value}", who=Who(victim), n=harm.sequences))
    if harm.pierced:
        lines.append(said("told_pierced", who=Who(victim), place=landed.place))
    return lines


def _lost_told(landed: Landed, victim: str, role: str) -> list[Telling]:
    """How hard a blow was, then what came of it: two lines, since not all who are told the first hear the second."""
    if not landed.points:
        return []
    lines = [said("told_points", frozenset({"gm", "opponent", "initiator"}), who=Who(victim), n=landed.points)]
    if landed.harm is not None:
        lost = landed.harm.lost
        key = "told_lost" if lost == landed.points else "told_lost_behind" if lost else "told_all_stopped"
        lines.append(said(key, GM_ONLY | ({role} if role else frozenset()),
                          who=Who(victim), stopped=landed.points - lost, lost=lost))
    return lines


def _wreck_told(points: int, wreck: Wreck, victim: str) -> list[Telling]:
    """A blow at a machine: those who fight know how hard it was, everybody sees it stop; the rest is kept back."""
    machine = wreck.machine
    lines = [said("told_thing_struck", frozenset({"gm", "opponent", "initiator"}), who=Who(victim), n=points),
             said("told_quality_left", GM_ONLY, n=max(0, machine.quality - machine.damage))]
    if wreck.working is not Working.RUNS:
        lines.append(said(f"told_machine_{wreck.working.value}", who=Who(victim)))
    return lines


@dataclass(frozen=True)
class Sheet:
    """A character's sheet with what an exchange has already written on it."""

    record: Character
    rulings: Rulings

    def struck(self, landed: Landed) -> Sheet:
        """The sheet after a blow."""
        harm, record = landed.harm, self.record
        if harm is None:
            return self
        record = replace(record, resistance_physical=harm.left, conditions=with_condition(record, *_states(landed)))
        if harm.lost:
            wound = Wound(landed.place, harm.lost, landed.side)
            record = replace(record, wounds=(*record.wounds, wound), minutes_resting=0, rest_lost=0)
        if harm.pierced:
            record = replace(record, protections=tuple(
                replace(worn, ruined=(*worn.ruined, landed.place))
                if covers(Piece(worn.piece, worn.ruined, worn.covers), landed.place, self.rulings) else worn
                for worn in record.protections
            ))
        if harm.life is not Life.ALIVE or harm.shape is Shape.KNOCKED_OUT:
            record = replace(record, mental_screen=False)
        return Sheet(without_weapon(record, landed.dropped), self.rulings)

    def released(self) -> Sheet:
        """The sheet of somebody who slips out of a hold: what a choke took comes back, unless it killed."""
        record = self.record
        choked = sum(state.amount for state in record.conditions if state.name == "choked")
        back = released(choked, record.suffers("dead"))
        kept = without_condition(record, "held", "choked", *(("coma",) if back else ()))
        left = min(record.physical_most, record.resistance_physical + back)
        return Sheet(replace(record, conditions=kept, resistance_physical=left), self.rulings)

    def changes(self, actor: Actor) -> Sequence[Change]:
        """What differs from the sheet that the actor brought."""
        rules = {"resistance_physical": "EMP-080", "wounds": "EMP-082", "conditions": "EMP-085",
                 "protections": "EMP-087", "weapons": "EMP-077", "minutes_resting": "EMP-089", "acted": "EMP-171",
                 "rest_due": "EMP-171", "rest_lost": "EMP-089", "trances": "EMP-165", "mental_screen": "EMP-153"}
        return [change for path, rule in rules.items()
                for change in set_on(actor, path, getattr(self.record, path), rule,
                                     "grave" if path == "mental_screen" else "")]


def without_weapon(record: Character, name: str) -> Character:
    """The sheet once a weapon has left the hand: knocked out of it, or thrown."""
    held = [at for at, weapon in enumerate(record.weapons) if weapon.weapon == name and weapon.ready]
    return replace(record, weapons=tuple(
        replace(weapon, state=Carried.DROPPED) if held and at == held[0] else weapon
        for at, weapon in enumerate(record.weapons)
    ))


def _states(landed: Landed) -> tuple[Condition, ...]:
    harm = landed.harm
    assert harm is not None
    found = []
    if harm.life is not Life.ALIVE:
        found.append(Condition(harm.life.value))
    elif harm.shape is not Shape.STANDING:
        found.append(Condition(harm.shape.value, harm.sequences))
    if harm.disabled and landed.place != "body":
        found.append(Condition("disabled", 0, landed.place))
    return tuple(found)
