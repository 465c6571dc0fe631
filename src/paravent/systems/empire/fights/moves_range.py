"""Moves at a distance: shooting, throwing, grenades."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import (
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    Actor,
    Ask,
    Call,
    Change,
    Context,
    Field,
    Flag,
    Follow,
    Move,
    OneOf,
    Pills,
    Resolve,
    Role,
    Rulings,
    Shown,
    Steps,
    Telling,
    TextField,
    Whole,
    rule,
)
from paravent.systems.empire.actions.action import Difficulty, evasion_roll
from paravent.systems.empire.actions.trials import (
    ARM,
    COLUMN,
    DIFFICULTY,
    EVASION,
    EXTRA,
    HIDDEN_MODS,
    HIDE_MODS,
    LEVEL,
    MODS,
    ORGAN,
    Trial,
    characteristic_used,
    destiny,
    evasion,
    has,
    score_of,
    through_skill,
    told,
    trial,
)
from paravent.systems.empire.machines.gear import has_power_setting
from paravent.systems.empire.people.character import Carried, Character
from paravent.systems.empire.people.conditions import surge_over
from paravent.systems.empire.people.survival import after_sequence
from paravent.systems.empire.terms import TABLES, Characteristic, Side
from paravent.systems.empire.throws import PAIR, said, set_on, to_gm

from .combat import DISTANCE as RANGED
from .combat import FIST, Height, location, skill_used, weapon_level
from .fight import CONTACT_M, Fight, fight_changes
from .fighters import (
    SPOT,
    TARGETS,
    WEAPON,
    Landed,
    Sheet,
    Shell,
    able,
    body,
    check_able,
    check_drawn,
    landed_told,
    lands,
    numbers,
    setting,
    stopped,
    weapons_in_hand,
    weapons_of,
    without_weapon,
    wreck_changes,
)
from .shooting import (
    SQUARE_M,
    Aimed,
    Band,
    Blast,
    Shot,
    band_of,
    blast_damage,
    blast_radius,
    check_sight,
    grenade,
    is_thrown,
    may_evade,
    range_dice,
    range_of,
    shaken_off,
    shocked,
    shoot,
    shooting_characteristic,
    shooting_weapon,
    shot_difficulty,
)
from .wounds import Body

TARGET = Role("opponent", least=0, also=TARGETS, other=True, aimed=True)
GRENADE_REACH = int(TABLES["weapons"].extra["by_strength"]["grenade"])
UNSAID_M = 20
"""How far a target is, in metres, where nobody said so."""
ARMS_LENGTH_M = 2
"""Nearer than this, in metres, only what serves at arm's length can be used."""
BEYOND = -1
"""A threshold that no dice stay under: the target is out of range."""


# Shooting


class Fired(NamedTuple):
    """A shot as it ended: the shot, and what landed."""

    shot: Shot
    landed: Landed


def fired(dice: Dice, aimed: Aimed, target: Body | Shell | None, where: str, rulings: Rulings) -> Fired:
    """A shot from end to end; a weapon that only shocks may ask the victim for a roll instead."""
    shot = dice.of("initiator").resolve(shoot, aimed, rulings)
    if not shot.hit or target is None:
        return Fired(shot, Landed(shot.points, where))
    if shot.shock_only and rulings.stunners == "endurance_roll" and isinstance(target, Body):
        falls = dice.of("opponent").resolve(shocked, target.endurance)
        return Fired(shot, Landed(shot.points, where, shaken_off(falls, target, shot.points)))
    level = weapon_level(aimed.weapon)
    return Fired(shot, lands(target, shot.points, where, level, rulings, shock_only=shot.shock_only))


def _strength(ctx: Context, actor: Actor) -> int:
    typed = has(ctx, actor, STRENGTH)
    if typed is not None:
        return typed
    return score_of(ctx, actor, Characteristic.STRENGTH) if actor.record is not None else 0


def _reach(ctx: Context) -> int:
    typed = told(ctx, REACH)
    if typed:
        return typed
    return range_of(ctx[WEAPON], _strength(ctx, ctx.one()), ctx.rulings, home_made=ctx[HOME_MADE])


def _aimed(ctx: Context) -> tuple[Aimed, Band]:
    actor, weapon = ctx.one(), ctx[WEAPON]
    check_sight(ctx[CLEAR])
    check_able(ctx, actor)
    check_drawn(actor, weapon)
    band = band_of(ctx[DISTANCE], _reach(ctx))
    usual = _usual(ctx)
    extra = range_dice(band, ignored=bool(ctx[ARM]))
    hard = shot_difficulty(weapon, ctx[TOLD_DIFFICULTY], band, ctx.rulings)
    settled = trial(ctx, actor, _skill(ctx), usual, difficulty=hard, more_dice=extra)
    power = ctx[POWER] or setting(actor, weapon) if has_power_setting(weapon) else 0
    return Aimed(weapon, settled.threshold, settled.dice, settled.malus, power, band is Band.BEYOND), band


def _skill(ctx: Context) -> str:
    """The skill of a shot (R-66): above 5 m Ranged combat, nearer Contact combat, as for any armed fighter."""
    return RANGED if ctx[DISTANCE] > CONTACT_M else skill_used(ctx[WEAPON], ctx[DISTANCE])


def _after_shot(ctx: Context, actor: Actor) -> Character:
    """The shooter's sheet: what was thrown has left the hand, the last shot of a magazine leaves the weapon empty."""
    record = actor.record
    assert isinstance(record, Character)
    if is_thrown(ctx[WEAPON]):
        return without_weapon(record, ctx[WEAPON])
    if not ctx[EMPTIES]:
        return record
    return replace(record, weapons=tuple(replace(one, state=Carried.EMPTY) if one.weapon == ctx[WEAPON] else one
                                         for one in record.weapons))


def _spot(ctx: Context) -> str:
    return location(ctx[AIMED_HEIGHT] or Height.MIDDLE, ctx[COLUMN], ctx[SPOT])


def _shot_call(ctx: Context) -> Call[Fired]:
    target = body(ctx, ctx.one("opponent"), _spot(ctx)) if ctx.all("opponent") else None
    return Call(fired, _aimed(ctx)[0], target, _spot(ctx), ctx.rulings)


def _tell_shot(ctx: Context, result: Fired) -> Sequence[Telling]:
    band = said("told_band", GM_ONLY, band=_aimed(ctx)[1].value)
    if not result.shot.hit:
        return (band, said("told_missed"))
    return (band, *landed_told(result.landed, ctx.one("opponent").id, "opponent"))


def _shot_changes(ctx: Context, result: Fired) -> Sequence[Change]:
    actor, name = ctx.one(), characteristic_used(ctx, ctx.one(), _usual(ctx))
    changes = [*surge_over(ctx, actor, name), *tired(ctx, actor)]
    if isinstance(actor.record, Character):
        changes += set_on(actor, "weapons", _after_shot(ctx, actor).weapons, "EMP-072")
    return [*changes, *struck_changes(ctx, [(ctx.one("opponent"), result.landed)] if result.shot.hit else [])]


def tired(ctx: Context, actor: Actor) -> Sequence[Change]:
    """What acting in a sequence of a fight costs: one nearer to needing rest."""
    state, record = ctx.encounter, actor.record
    if not isinstance(state, Fight) or not isinstance(record, Character):
        return ()
    rested = state.rested(actor.id, record.effort, state.coming(*(one.id for one in ctx.actors)))
    effort = after_sequence(rested, rests=False)
    return (*set_on(actor, "acted", effort.acted, "EMP-171"), *set_on(actor, "rest_due", effort.due, "EMP-171"))


def struck_changes(ctx: Context, blows: Sequence[tuple[Actor, Landed]]) -> Sequence[Change]:
    """What blows from afar write: on the sheets of those they hit, and on the fight."""
    on_sheets = [change for actor, blow in blows if isinstance(actor.record, Character)
                 for change in Sheet(actor.record, ctx.rulings).struck(blow).changes(actor)]
    harms = [(actor, blow.harm) for actor, blow in blows]
    return [*on_sheets, *wreck_changes(blows), *fight_changes(ctx, [ctx.one()], harms, stopped=stopped(blows))]


def _usual(ctx: Context) -> Characteristic:
    return shooting_characteristic(far=ctx[FAR_OFF], dim=ctx[DIM])


def _shot_destiny(ctx: Context, result: Fired) -> Sequence[Follow]:
    actor = ctx.one()
    return destiny(ctx, actor, result.shot.hit, characteristic_used(ctx, actor, _usual(ctx)), _skill(ctx),
                   _aimed(ctx)[0].dice)


def shown_shot(ctx: Context, result: object) -> Shown:
    """The dice are for the shooter and the game master, who alone knows the figures."""
    return Shown(dice=PAIR, detail=GM_ONLY)


def _shots(ctx: Context) -> tuple[str, ...]:
    """What can be shot or thrown of what is in hand, from where those in a fight were placed."""
    away = _aways(ctx)
    return tuple(name for name in weapons_in_hand(ctx, "initiator")
                 if shooting_weapon(name) and any(_serves(name, metres) for metres in away))


@rule("EMP-078", "EMP-100")
def _serves(weapon: str, metres: int) -> bool:
    """Whether a weapon can be used from so far (R-66): under 2 m, only one that serves at arm's length."""
    return metres >= ARMS_LENGTH_M or TABLES["weapons"].cell(weapon, "contact") != "no"


def _aways(ctx: Context) -> Sequence[int]:
    """How far the target may be: as they stand, or as far as any of the other side stands."""
    state, me = ctx.encounter, ctx.one().id
    if not isinstance(state, Fight) or ctx.all("opponent"):
        return (_apart(ctx),)
    foes = [place.id for place in state.sides if place.side != state.side_of(me)]
    return [state.apart(me, foe) or state.metres or UNSAID_M for foe in foes] or [UNSAID_M]


def _may_shoot(ctx: Context) -> bool:
    """Whether whoever would act can, and holds anything to shoot or to throw, as far as a sheet says."""
    return able("initiator")(ctx) and (not isinstance(ctx.one().record, Character) or bool(_shots(ctx)))


def _distances(ctx: Context) -> tuple[int, ...]:
    """As far as the weapon shoots well, and as far as it carries: what a shooter reckons with."""
    reach = range_of(ctx[WEAPON], _strength(ctx, ctx.one()), ctx.rulings, home_made=ctx[HOME_MADE])
    return reach // 3, reach


STRENGTH: Field[int | None] = Field("strength", Whole(0, 30), optional=True, secrecy="own", rule="EMP-104")
AIMED_HEIGHT: Field[Height | None] = Field("height", OneOf(Height), optional=True, rule="EMP-102")
POWER = Field("power", Whole(0, 5), usual=0, rule="EMP-107")
TOLD_DIFFICULTY: Field[Difficulty | None] = Field("difficulty", OneOf(Difficulty), "gm", optional=True, secrecy="gm",
                                                   probes=tuple(Difficulty), place="judgement", shape=Steps(),
                                                   rule="EMP-102")
def _apart(ctx: Context) -> int:
    """How far the target is: as both were placed in the fight, or as it was said when it began; else 20 m."""
    state = ctx.encounter
    if not isinstance(state, Fight):
        return UNSAID_M
    return state.apart(*(actor.id for actor in ctx.actors)) or state.metres or UNSAID_M


DISTANCE = Field("distance", Whole(0), "gm", usual=_apart, secrecy="gm", probes=_distances, place="essential",
                 rule="EMP-104")
REACH: Field[int | None] = Field("reach", Whole(1), "gm", optional=True, secrecy="gm", probes=(None,), rule="EMP-104")
HOME_MADE = Field("home_made", Flag(), "gm", usual=False, rule="EMP-104")
FAR_OFF = Field("far_off", Flag(), "gm", usual=False, rule="EMP-101")
DIM = Field("dim", Flag(), "gm", usual=False, rule="EMP-101")
CLEAR = Field("clear", Flag(), "gm", usual=True, rule="EMP-071")
EMPTIES = Field("empties", Flag(), "gm", usual=False, rule="EMP-072")
SHOT_WITH = replace(WEAPON, type=OneOf(lambda ctx: weapons_of(ctx, "initiator"), _shots), rule="EMP-100",
                    usual=lambda ctx: next(iter(_shots(ctx)), FIST))
SHOOT = Move(
    "shoot",
    group="combat",
    offered=_may_shoot,
    cast=(INITIATOR, TARGET, GAME_MASTER),
    rules=("EMP-100", "EMP-101", "EMP-102", "EMP-104", "EMP-105", "EMP-106"),
    steps=(
        Ask("declare", (
            SHOT_WITH, through_skill(RANGED), LEVEL, STRENGTH, COLUMN, AIMED_HEIGHT, SPOT, POWER, ARM,
        )),
        Ask("settle", (
            TOLD_DIFFICULTY, MODS, HIDE_MODS, HIDDEN_MODS, EXTRA, ORGAN, DISTANCE, REACH, HOME_MADE, FAR_OFF, DIM,
            CLEAR, EMPTIES, *numbers("opponent"),
        )),
        Resolve("shot", _shot_call, tell=_tell_shot,
                outcome=lambda result: "hit" if result.shot.hit else "missed",
                success=lambda result: result.shot.hit,
                sides=lambda result: ("initiator",) if result.shot.hit else ("opponent",),
                changes=_shot_changes, follow=_shot_destiny,
                shown=shown_shot),
    ),
)


# Grenades


class Victim(NamedTuple):
    """Somebody near a blast: squares from the target, what they can take, whether they may evade it.

    ``beside`` is how far they are from where a missed grenade falls; left out, it falls that much farther from them.
    """

    squares: int
    body: Body | Shell | None
    evasion: Fraction | None
    beside: int | None = None

    def away(self, blast: Blast) -> int:
        """How many squares from the point of fall."""
        if blast.on_target:
            return self.squares
        return self.squares + blast.off // SQUARE_M if self.beside is None else self.beside


class Burst(NamedTuple):
    """A grenade as it ended: where it fell, and what came of each."""

    blast: Blast
    landed: tuple[Landed, ...]


def burst(
    dice: Dice, limit: int, count: int, tech_level: int, lean: str, victims: tuple[Victim, ...], rulings: Rulings
) -> Burst:
    """Throw a grenade and let it go off; whoever is not at the centre may be allowed to evade it."""
    blast = dice.of("initiator").resolve(grenade, limit, count, tech_level, lean, rulings)
    found = []
    for victim in victims:
        away = victim.away(blast)
        points = blast_damage(blast.total, tech_level, away)
        if victim.evasion is not None and points > 0 and may_evade(away):
            points = 0 if dice.of("gm").resolve(evasion_roll, victim.evasion) else points
        found.append(lands(victim.body, points, "body", tech_level, rulings))
    return Burst(blast, tuple(found))


def _grenade_call(ctx: Context) -> Call[Burst]:
    check_able(ctx, ctx.one())
    settled, band = _thrown(ctx)
    victims = tuple(
        Victim(ctx.value(actor, SQUARES) or 0, body(ctx, actor, "body"),
               evasion(ctx, actor, Side.PHYSICAL) if ctx[MAY_EVADE] else None, ctx.value(actor, SQUARES_BESIDE))
        for actor in _caught(ctx)
    )
    limit = BEYOND if band is Band.BEYOND else settled.threshold
    return Call(burst, limit, settled.dice, ctx[TECH_LEVEL], ctx[LEAN], victims, ctx.rulings)


@rule("EMP-113")
def _caught(ctx: Context) -> list[Actor]:
    """All near the blast, friends and objects alike; the thrower too, unless they are said to be out of it."""
    thrower = ctx.one()
    return [*ctx.all("opponent"), *([thrower] if has(ctx, thrower, OWN_SQUARES) is not None else ())]


def _tell_grenade(ctx: Context, result: Burst) -> Sequence[Telling]:
    where = said("told_on_target") if result.blast.on_target else said(
        "told_beside", n=result.blast.off, side=result.blast.side)
    lines = [where, to_gm("told_radius", n=blast_radius(ctx[TECH_LEVEL]))]
    for actor, landed in zip(_caught(ctx), result.landed, strict=True):
        lines += landed_told(landed, actor.id)
    return lines


def _grenade_changes(ctx: Context, result: Burst) -> Sequence[Change]:
    name = characteristic_used(ctx, ctx.one(), Characteristic.DEXTERITY)
    return [*surge_over(ctx, ctx.one(), name), *tired(ctx, ctx.one()),
            *struck_changes(ctx, list(zip(_caught(ctx), result.landed, strict=True)))]


def _grenade_destiny(ctx: Context, result: Burst) -> Sequence[Follow]:
    name = characteristic_used(ctx, ctx.one(), Characteristic.DEXTERITY)
    return destiny(ctx, ctx.one(), result.blast.on_target, name, "35", _thrown(ctx)[0].dice)


def _thrown(ctx: Context) -> tuple[Trial, Band]:
    """The throw as settled: a grenade flies twice one's Strength, and beyond that never falls on target."""
    actor = ctx.one()
    far, strength = ctx[THROW_DISTANCE], _strength(ctx, actor)
    band = band_of(far, GRENADE_REACH * strength) if far is not None and strength else Band.NEAR
    extra = range_dice(band, ignored=bool(ctx[ARM]))
    return trial(ctx, actor, "35", Characteristic.DEXTERITY, more_dice=extra), band


AIMED_AT = Field("aimed_at", TextField(120), usual="", place="essential", rule="EMP-112")
LEAN = Field("lean", OneOf(("left", "right")), usual="left", place="essential", shape=Pills(weighed=False),
             rule="EMP-112")
TECH_LEVEL = Field("tech_level", Whole(1, 6), "gm", usual=3, place="essential", rule="EMP-112")
THROW_DISTANCE: Field[int | None] = Field("distance", Whole(0), "gm", optional=True, secrecy="gm", probes=(None,),
                                          rule="EMP-104")
MAY_EVADE = Field("may_evade", Flag(), "gm", usual=False, rule="EMP-114")
def _flight(ctx: Context) -> int:
    """How many squares those who throw in a fight are from those they throw at, as everybody sees it."""
    state, me = ctx.encounter, ctx.one().id
    if not isinstance(state, Fight):
        return 0
    foes = [foe.id for foe in ctx.in_view("opponent") if state.side_of(foe.id) != state.side_of(me)]
    away = max((state.apart(me, foe) for foe in foes), default=0) or state.metres or UNSAID_M
    return (away + SQUARE_M // 2) // SQUARE_M


def _squares(ctx: Context) -> int:
    """How many squares somebody in a fight is from the foes thrown at: friends are where the thrower is."""
    state = ctx.encounter
    friend = isinstance(state, Fight) and state.side_of(ctx.one("opponent").id) == state.side_of(ctx.one().id)
    return _flight(ctx) if friend else 0


SQUARES = Field("squares", Whole(0, 20), "opponent", usual=_squares, by="gm", place="essential", rule="EMP-113")
OWN_SQUARES: Field[int | None] = Field(
    "squares", Whole(0, 20), optional=True, by="gm", place="essential", rule="EMP-113",
    usual=lambda ctx: _flight(ctx) if isinstance(ctx.encounter, Fight) else None)
SQUARES_BESIDE: Field[int | None] = Field("squares_beside", Whole(0, 20), "opponent", optional=True, by="gm",
                                          rule="EMP-112")
GRENADE = Move(
    "grenade",
    group="combat",
    offered=able("initiator"),
    cast=(INITIATOR, Role("opponent", least=0, most=None, also=TARGETS, other=True, around=True), GAME_MASTER),
    rules=("EMP-112", "EMP-113", "EMP-114"),
    steps=(
        Ask("declare", (AIMED_AT, LEAN, through_skill("35"), LEVEL, STRENGTH, COLUMN, ARM)),
        Ask("settle", (
            TECH_LEVEL, DIFFICULTY, MODS, EXTRA, ORGAN, THROW_DISTANCE, MAY_EVADE, SQUARES, SQUARES_BESIDE, OWN_SQUARES,
            replace(EVASION, role="opponent", by="gm", rule="EMP-114"), *numbers("opponent"),
        )),
        Resolve("blast", _grenade_call, tell=_tell_grenade,
                outcome=lambda result: "on_target" if result.blast.on_target else "beside",
                success=lambda result: result.blast.on_target, changes=_grenade_changes,
                follow=_grenade_destiny, shown=shown_shot),
    ),
)
MOVES = (SHOOT, GRENADE)
