"""Moves at a distance and at things: shooting, grenades, sabotage, robot combat; and care of wounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from paravent.dice import Dice
from paravent.game import (
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    Actor,
    Ask,
    Change,
    Context,
    Field,
    Flag,
    Follow,
    MissingField,
    Move,
    OneOf,
    Resolve,
    Role,
    Rulings,
    Shown,
    Telling,
    TextField,
    Whole,
)

from .action import evasion_roll, roll_under
from .character import Carried, Character, Condition
from .combat import Act, acts, letter_of, location
from .creation import may_claim
from .damage import damage, row_of
from .errors import NotReady
from .fighters import Landed, Sheet, body, landed_told, numbers, spots, weapons_of
from .machines import (
    Exposure,
    Machine,
    Working,
    battered,
    check_link,
    linked_shot,
    linked_working,
    material_left,
    material_resistance,
    working,
)
from .reading import (
    DIFFICULTY,
    EXTRA,
    HIDDEN_MODS,
    HIDE_MODS,
    MODS,
    ORGAN,
    PAIR,
    arm_bonus,
    characteristic_used,
    column_field,
    evasion,
    has,
    level_field,
    level_of,
    said,
    score_field,
    score_of,
    set_on,
    surge_over,
    thrown_by,
    told,
    trial,
    with_condition,
)
from .shooting import (
    SQUARE_M,
    Aimed,
    Band,
    Blast,
    Shot,
    band_of,
    blast_damage,
    check_sight,
    grenade,
    may_evade,
    range_dice,
    range_of,
    shocked,
    shoot,
    shooting_characteristic,
    shot_difficulty,
)
from .terms import TABLES, Characteristic, Difficulty, Height, Side, figure
from .wounds import (
    Body,
    Harm,
    Shape,
    care_mods,
    fever,
    healing_units,
    infection,
    may_be_moved,
    may_walk,
    severity,
    struck,
)

TARGET = Role("opponent", least=0)


# Shooting


class Fired(NamedTuple):
    """A shot as it ended: the shot, and what landed."""

    shot: Shot
    landed: Landed


def fired(dice: Dice, aimed: Aimed, target: Body | None, where: str, rulings: Rulings) -> Fired:
    """A shot from end to end; a weapon that only shocks may ask the victim for a roll instead."""
    shot = dice.of("initiator").resolve(shoot, aimed, rulings)
    if not shot.hit or target is None:
        return Fired(shot, Landed(shot.points, where))
    if shot.shock_only and rulings.stunners == "endurance_roll":
        falls = dice.of("opponent").resolve(shocked, target.endurance)
        harm = Harm(0, target.current, Shape.KNOCKED_OUT if falls else Shape.STANDING, shot.points if falls else 0)
        return Fired(shot, Landed(shot.points, where, harm))
    return Fired(shot, Landed(shot.points, where, struck(target, shot.points, rulings, shock_only=shot.shock_only)))


def _strength(ctx: Context, actor: Actor) -> int:
    typed = has(ctx, actor, "strength")
    if typed is not None:
        return int(typed)
    return score_of(ctx, actor, Characteristic.STRENGTH) if actor.record is not None else 0


def _reach(ctx: Context) -> int:
    typed = told(ctx, "reach")
    if typed:
        return int(typed)
    return range_of(ctx["weapon"], _strength(ctx, ctx.one()), ctx.rulings, home_made=bool(ctx["home_made"]))


def _aimed(ctx: Context) -> tuple[Aimed, Band]:
    actor, weapon = ctx.one(), ctx["weapon"]
    check_sight(ctx["clear"])
    _check_ready(actor, weapon)
    band = band_of(ctx["distance"], _reach(ctx))
    usual = shooting_characteristic(far=ctx["far_off"], dim=ctx["dim"])
    arm = bool(ctx["weapon_arm"])
    extra = range_dice(band, ignored=arm)
    hard = shot_difficulty(weapon, told(ctx, "difficulty"), band, ctx.rulings)
    settled = trial(ctx, actor, "35", usual, difficulty=hard, more_dice=extra,
                    more_mods=arm_bonus(actor, characteristic_used(ctx, actor, usual), arm))
    power = next((held.power for held in getattr(actor.record, "weapons", ()) if held.weapon == weapon), 0)
    power = ctx["power"] or power if weapon in TABLES["weapons"].extra["settings"] else 0
    return Aimed(weapon, settled.threshold, settled.dice, settled.malus, power, band is Band.BEYOND), band


def _check_ready(actor: Actor, weapon: str) -> None:
    """A weapon of the sheet must be in hand and loaded."""
    held = next((one for one in getattr(actor.record, "weapons", ()) if one.weapon == weapon), None)
    if held is not None and Act.FIGHT not in acts(held.ready, held.loaded, held.magazines > 0):
        raise NotReady(weapon=weapon, state=held.state.value)


def _emptied(ctx: Context, actor: Actor) -> Sequence[Change]:
    """The last shot of a magazine leaves the weapon empty."""
    if not ctx["empties"] or not isinstance(actor.record, Character):
        return ()
    weapons = tuple(replace(one, state=Carried.EMPTY) if one.weapon == ctx["weapon"] else one
                    for one in actor.record.weapons)
    return set_on(actor, "weapons", weapons, "EMP-072")


def _spot(ctx: Context) -> str:
    height = has(ctx, ctx.one(), "height") or Height.MIDDLE
    return location(height, ctx["column"], ctx["spot"])


def _read_shot(ctx: Context) -> tuple[Any, ...]:
    target = ctx.one("opponent")
    return _aimed(ctx)[0], body(ctx, target, _spot(ctx)) if ctx.all("opponent") else None, _spot(ctx), ctx.rulings


def _tell_shot(ctx: Context, result: Fired) -> Sequence[Telling]:
    band = said("told_band", GM_ONLY, band=_aimed(ctx)[1].value)
    if not result.shot.hit:
        return (band, said("told_missed"))
    return (band, *landed_told(result.landed, ctx.one("opponent").id))


def _shot_changes(ctx: Context, result: Fired) -> Sequence[Change]:
    actor, target = ctx.one(), ctx.one("opponent")
    changes = [*surge_over(ctx, actor, characteristic_used(ctx, actor, Characteristic.DEXTERITY)),
               *_emptied(ctx, actor)]
    if isinstance(target.record, Character) and result.shot.hit:
        changes += Sheet(target.record).struck(result.landed).changes(target)
    return changes


def _shot_destiny(ctx: Context, result: Fired) -> Sequence[Follow]:
    actor = ctx.one()
    if not isinstance(actor.record, Character) or not may_claim(result.shot.hit, ctx["column"], ctx.rulings):
        return ()
    name = characteristic_used(ctx, actor, shooting_characteristic(far=ctx["far_off"], dim=ctx["dim"]))
    if name is None:
        return ()
    form = {"dice": min(5, max(3, _aimed(ctx)[0].dice)), "characteristic": name.value, "skill": "35"}
    return (Follow("destiny-roll", {"initiator": [actor.id]}, {actor.id: form}),)


def _shown_shot(ctx: Context, result: Any) -> Shown:
    return Shown(dice=PAIR, detail=GM_ONLY)


SHOOT = Move(
    "shoot",
    group="combat",
    cast=(INITIATOR, TARGET, GAME_MASTER),
    rules=("EMP-100", "EMP-101", "EMP-102", "EMP-104", "EMP-105", "EMP-106"),
    steps=(
        Ask("declare", (
            Field("weapon", OneOf(lambda ctx: weapons_of(ctx, "initiator")),
                  usual=lambda ctx: weapons_of(ctx, "initiator")[0], rule="EMP-100"),
            score_field(),
            level_field(),
            Field("strength", Whole(0, 30), optional=True, secrecy="own", rule="EMP-104"),
            column_field(),
            Field("height", OneOf(Height), optional=True, rule="EMP-102"),
            Field("spot", TextField(40, spots), usual="", rule="EMP-082"),
            Field("power", Whole(0, 5), usual=0, rule="EMP-107"),
            Field("weapon_arm", Flag(), usual=False, rule="EMP-116"),
        )),
        Ask("settle", (
            Field("difficulty", OneOf(Difficulty), "gm", optional=True, secrecy="gm", probes=tuple(Difficulty),
                  rule="EMP-102"),
            MODS, HIDE_MODS, HIDDEN_MODS, EXTRA, ORGAN,
            Field("distance", Whole(0), "gm", usual=20, secrecy="gm", rule="EMP-104"),
            Field("reach", Whole(1), "gm", optional=True, secrecy="gm", rule="EMP-104"),
            Field("home_made", Flag(), "gm", usual=False, rule="EMP-104"),
            Field("far_off", Flag(), "gm", usual=False, rule="EMP-101"),
            Field("dim", Flag(), "gm", usual=False, rule="EMP-101"),
            Field("clear", Flag(), "gm", usual=True, rule="EMP-071"),
            Field("empties", Flag(), "gm", usual=False, rule="EMP-072"),
            *numbers("opponent"),
        )),
        Resolve("shot", fired, _read_shot, tell=_tell_shot,
                outcome=lambda result: "hit" if result.shot.hit else "missed",
                success=lambda result: result.shot.hit, changes=_shot_changes, follow=_shot_destiny,
                shown=_shown_shot),
    ),
)  # fmt: skip


# Grenades


class Victim(NamedTuple):
    """Somebody near a blast: squares from the target, what they can take, whether they may evade it.

    ``beside`` is how far they are from where a missed grenade falls; left out, it falls that much farther from them.
    """

    squares: int
    body: Body | None
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
        evades = victim.evasion is not None and points > 0 and may_evade(away)
        if evades and dice.of("gm").resolve(evasion_roll, victim.evasion):
            points = 0
        found.append(Landed(points, "body", struck(victim.body, points, rulings) if victim.body else None))
    return Burst(blast, tuple(found))


def _read_grenade(ctx: Context) -> tuple[Any, ...]:
    settled = trial(ctx, ctx.one(), "35", Characteristic.DEXTERITY)
    victims = tuple(
        Victim(ctx.value(actor, "squares"), _whole_body(ctx, actor),
               evasion(ctx, actor, Side.PHYSICAL) if ctx["may_evade"] else None, ctx.value(actor, "squares_beside"))
        for actor in ctx.all("opponent")
    )
    return settled.threshold, settled.dice, ctx["tech_level"], ctx["lean"], victims, ctx.rulings


def _whole_body(ctx: Context, actor: Actor) -> Body | None:
    """Only protection of the whole body helps against a blast."""
    found = body(ctx, actor, "body")
    record = actor.record
    if found is None or not isinstance(record, Character):
        return found
    whole = [piece for piece in record.pieces if TABLES["protections"].cell(piece.name, "cover") == "all"]
    values = [int(TABLES["protections"].cell(piece.name, "protection")) for piece in whole if not piece.ruined]
    return found._replace(armour=max(values, default=0))


def _tell_grenade(ctx: Context, result: Burst) -> Sequence[Telling]:
    where = said("told_on_target") if result.blast.on_target else said(
        "told_beside", n=result.blast.off, side=result.blast.side)
    lines = [where]
    for actor, landed in zip(ctx.all("opponent"), result.landed, strict=True):
        lines += landed_told(landed, actor.id)
    return lines


def _grenade_changes(ctx: Context, result: Burst) -> Sequence[Change]:
    return [
        change
        for actor, landed in zip(ctx.all("opponent"), result.landed, strict=True)
        if isinstance(actor.record, Character)
        for change in Sheet(actor.record).struck(landed).changes(actor)
    ]


GRENADE = Move(
    "grenade",
    group="combat",
    cast=(INITIATOR, Role("opponent", least=0, most=None), GAME_MASTER),
    rules=("EMP-112", "EMP-113", "EMP-114"),
    steps=(
        Ask("declare", (
            Field("aimed_at", TextField(120), usual="", rule="EMP-112"),
            Field("lean", OneOf(("left", "right")), usual="left", rule="EMP-112"),
            score_field(),
            level_field(),
            column_field(),
        )),
        Ask("settle", (
            Field("tech_level", Whole(1, 6), "gm", usual=3, rule="EMP-112"),
            DIFFICULTY, MODS, EXTRA,
            Field("may_evade", Flag(), "gm", usual=False, rule="EMP-114"),
            Field("squares", Whole(0, 20), "opponent", usual=0, by="gm", rule="EMP-113"),
            Field("squares_beside", Whole(0, 20), "opponent", optional=True, by="gm", rule="EMP-112"),
            Field("evasion", Whole(0, 20), "opponent", optional=True, by="gm", rule="EMP-114"),
            *numbers("opponent"),
        )),
        Resolve("blast", burst, _read_grenade, tell=_tell_grenade,
                outcome=lambda result: "on_target" if result.blast.on_target else "beside",
                success=lambda result: result.blast.on_target, changes=_grenade_changes,
                shown=_shown_shot),
    ),
)  # fmt: skip


# Sabotage


class Sabotaged(NamedTuple):
    """A blow at a thing: whether it landed, its points, and what is left of a material or of a machine."""

    success: bool
    points: int
    material: int | None
    machine: Machine | None


class Thing(NamedTuple):
    """What is struck: a material with what it can take, or a machine."""

    material: int | None
    machine: Machine | None


def sabotage(
    dice: Dice, limit: int, count: int, malus: int, letter: str, level: int, thing: Thing, rulings: Rulings
) -> Sabotaged:
    """An ordinary act; its points eat the protection first, then the thing."""
    rolled = dice.of("initiator").resolve(roll_under, count, limit)
    points = damage(letter, row_of(count, malus, rulings), rolled.total, rulings) if rolled.success else 0
    left = material_left(thing.material, points) if thing.material is not None else None
    machine = battered(thing.machine, points, level, rulings) if thing.machine is not None else None
    return Sabotaged(rolled.success, points, left, machine)


def _machine(ctx: Context, target: Actor) -> Machine | None:
    record = target.record
    if record is not None and hasattr(record, "exposure"):
        return Machine(record.exposure, record.tech_level, record.quality, record.damage, record.margin_used)
    if ctx["exposure"] is None:
        return None
    return Machine(ctx["exposure"], ctx["tech_level"], ctx["quality"], ctx["damage"], ctx["margin_used"])


def _thing(ctx: Context) -> Thing:
    machine = _machine(ctx, ctx.one("opponent"))
    if machine is not None:
        return Thing(None, machine)
    if ctx["material"] is None:
        raise MissingField(field="material", role="gm")
    return Thing(material_resistance(ctx["material"], ctx["points_left"]), None)


def _read_sabotage(ctx: Context) -> tuple[Any, ...]:
    actor, weapon = ctx.one(), ctx["weapon"]
    settled = trial(ctx, actor, has(ctx, actor, "skill") or "", Characteristic.STRENGTH)
    level = int(TABLES["weapons"].cell(weapon, "tech_level") or 0)
    return (settled.threshold, settled.dice, settled.malus, letter_of(weapon), level, _thing(ctx), ctx.rulings)


def _tell_sabotage(ctx: Context, result: Sabotaged) -> Sequence[Telling]:
    lines = [said("told_points", GM_ONLY, who=ctx.one("opponent").id, n=result.points)]
    if result.material == 0:
        lines.append(said("told_gives_way"))
    if result.machine is not None:
        lines.append(said(f"told_{working(result.machine).value}"))
    return lines


def machine_changes(actor: Actor, machine: Machine | None, state: Working) -> Sequence[Change]:
    """What a blow writes on a machine's record; its points are the game master's."""
    if machine is None or not hasattr(actor.record, "exposure"):
        return ()
    values = {"damage": machine.damage, "margin_used": machine.margin_used, "broken": state is not Working.RUNS,
              "scrapped": state is Working.SCRAP}
    return [change for path, value in values.items() for change in set_on(actor, path, value, "EMP-111")]


def _sabotage_changes(ctx: Context, result: Sabotaged) -> Sequence[Change]:
    if result.machine is None:
        return ()
    return machine_changes(ctx.one("opponent"), result.machine, working(result.machine))


THING_FIELDS = (
    Field("exposure", OneOf(Exposure), "gm", optional=True, secrecy="gm", rule="EMP-110"),
    Field("tech_level", Whole(1, 6), "gm", usual=3, secrecy="gm", rule="EMP-110"),
    Field("quality", Whole(0, 30), "gm", usual=7, secrecy="gm", rule="EMP-111"),
    Field("damage", Whole(0), "gm", usual=0, secrecy="gm", rule="EMP-111"),
    Field("margin_used", Whole(0), "gm", usual=0, secrecy="gm", rule="EMP-110"),
)

SABOTAGE = Move(
    "sabotage",
    group="combat",
    cast=(INITIATOR, TARGET, GAME_MASTER),
    rules=("EMP-108", "EMP-109", "EMP-110", "EMP-111"),
    steps=(
        Ask("declare", (
            Field("weapon", OneOf(lambda ctx: weapons_of(ctx, "initiator")),
                  usual=lambda ctx: weapons_of(ctx, "initiator")[0], rule="EMP-108"),
            score_field(),
            Field("skill", OneOf(("32", "34", "35")), optional=True, rule="EMP-108"),
            level_field(),
            column_field(),
        )),
        Ask("settle", (
            DIFFICULTY, MODS, EXTRA,
            Field("material", OneOf(lambda ctx: TABLES["materials"].keys()), "gm", optional=True, secrecy="gm",
                  rule="EMP-109"),
            Field("points_left", Whole(0), "gm", optional=True, secrecy="gm", rule="EMP-109"),
            *THING_FIELDS,
        )),
        Resolve("blow", sabotage, _read_sabotage, tell=_tell_sabotage,
                outcome=lambda result: "hit" if result.success else "missed",
                success=lambda result: result.success, changes=_sabotage_changes, shown=_shown_shot),
    ),
)  # fmt: skip


# Robot combat


class Linked(NamedTuple):
    """A blow received by a formec while a navyborg is linked to it: the machine after it, and what it still does."""

    machine: Machine
    working: Working


def linked_blow(dice: Dice, formec: Machine, points: int, level: int, rulings: Rulings) -> Linked:
    """What a blow does to a formec; the pair acts on while its quality is not used up."""
    after = battered(formec, points, level, rulings)
    return Linked(after, linked_working(after, rulings))


def linked_fire(dice: Dice, level: int, aimed: Aimed, target: Body | None, where: str, rulings: Rulings) -> Fired:
    """A shot through a formec: easy, at any distance within reach."""
    check_link(level)
    return dice.then(fired, aimed, target, where, rulings)


def _read_linked_shot(ctx: Context) -> tuple[Any, ...]:
    actor, target, weapon = ctx.one(), ctx.one("opponent"), ctx["weapon"]
    settled = trial(ctx, actor, "35", Characteristic.DEXTERITY, difficulty=linked_shot())
    robot = ctx["robot_level"]
    robot = level_of_robot(actor) if robot is None else robot
    aimed = Aimed(weapon, settled.threshold, settled.dice, settled.malus)
    where = location(Height.MIDDLE, ctx["column"], "")
    return robot, aimed, body(ctx, target, where) if ctx.all("opponent") else None, where, ctx.rulings


def level_of_robot(actor: Actor) -> int:
    """The level of Robot combat on a sheet."""
    return actor.record.level("55") if isinstance(actor.record, Character) else 0


def _tell_linked(ctx: Context, result: Fired) -> Sequence[Telling]:
    return landed_told(result.landed, ctx.one("opponent").id) if result.shot.hit else (said("told_missed"),)


CYBORG_LINK = Move(
    "cyborg-link",
    group="combat",
    cast=(INITIATOR, TARGET, GAME_MASTER),
    rules=("EMP-115",),
    steps=(
        Ask("declare", (
            Field("weapon", OneOf(lambda ctx: weapons_of(ctx, "initiator")), usual="laser", rule="EMP-115"),
            score_field(),
            level_field(),
            Field("robot_level", Whole(0, 6), optional=True, rule="EMP-115"),
            column_field(),
        )),
        Ask("settle", (MODS, EXTRA, *numbers("opponent"))),
        Resolve("shot", linked_fire, _read_linked_shot, tell=_tell_linked,
                outcome=lambda result: "hit" if result.shot.hit else "missed",
                success=lambda result: result.shot.hit,
                changes=lambda ctx, result: Sheet(ctx.one("opponent").record).struck(result.landed).changes(
                    ctx.one("opponent")) if isinstance(ctx.one("opponent").record, Character) else (),
                shown=_shown_shot),
    ),
)  # fmt: skip


def _read_formec(ctx: Context) -> tuple[Any, ...]:
    machine = _machine(ctx, ctx.one("opponent"))
    assert machine is not None
    return machine, ctx["points"], ctx["weapon_level"], ctx.rulings


FORMEC_STRUCK = Move(
    "formec-struck",
    group="combat",
    by="gm",
    cast=(TARGET, GAME_MASTER),
    rules=("EMP-110", "EMP-115"),
    steps=(
        Ask("blow", (
            Field("points", Whole(0), "gm", rule="EMP-115"),
            Field("weapon_level", Whole(0, 6), "gm", usual=4, rule="EMP-110"),
            Field("exposure", OneOf(Exposure), "gm", usual=Exposure.ARMOURED, secrecy="gm", rule="EMP-110"),
            *(field for field in THING_FIELDS if field.id != "exposure"),
        )),
        Resolve("blow", linked_blow, _read_formec, outcome=lambda result: f"linked_{result.working.value}",
                tell=lambda ctx, result: (said("told_quality_left", GM_ONLY,
                                               n=max(0, result.machine.quality - result.machine.damage)),),
                changes=lambda ctx, result: machine_changes(ctx.one("opponent"), result.machine, result.working),
                shown=lambda ctx, result: Shown(detail=GM_ONLY)),
    ),
)  # fmt: skip


# Care


class Care(NamedTuple):
    """How long healing takes: units of rest, what unit, points for each unit, and whether one walks or is moved."""

    units: Fraction
    unit: str
    rate: int
    walks: bool
    moved: bool


def care(dice: Dice, lost: int, full: int, endurance: int, mods: int) -> Care:
    """How long complete rest must last."""
    kind = severity(lost, full)
    dice.note("EMP-089", kind.value, lost=lost, full=full)
    return Care(healing_units(lost, endurance, mods), str(TABLES["injuries"].cell(kind.value, "unit")),
                max(1, endurance + mods), may_walk(kind), may_be_moved(kind, 0, endurance))


def _read_care(ctx: Context) -> tuple[Any, ...]:
    medic, patient = ctx.one(), ctx.one("patient")
    level = level_of(ctx, medic, "26")
    record = patient.record
    typed = {name: has(ctx, patient, name) for name in ("lost", "resistance", "endurance")}
    if isinstance(record, Character):
        own = {"lost": record.physical_most - record.resistance_physical, "resistance": record.physical_most,
               "endurance": record.endurance}
        typed = {name: own[name] if value is None else value for name, value in typed.items()}
    for name, value in typed.items():
        if value is None:
            raise MissingField(field=name, role="patient")
    mods = care_mods(level, medibloc=ctx["medibloc"], logimec=ctx["logimec"])
    return typed["lost"], typed["resistance"], typed["endurance"], mods


def _tended(ctx: Context, result: Care) -> Sequence[Change]:
    patient = ctx.one("patient")
    if not isinstance(patient.record, Character):
        return ()
    mods = result.rate - patient.record.endurance
    return set_on(patient, "conditions", with_condition(patient.record, Condition("tended", max(0, mods))), "EMP-089")


TREAT_WOUNDS = Move(
    "treat-wounds",
    group="care",
    cast=(INITIATOR, Role("patient"), GAME_MASTER),
    rules=("EMP-089", "EMP-090"),
    steps=(
        Ask("care", (
            level_field(),
            Field("medibloc", Flag(), usual=False, rule="EMP-089"),
            Field("logimec", Flag(), usual=False, rule="EMP-089"),
            *(Field(name, Whole(0), "patient", optional=True, rule="EMP-089")
              for name in ("lost", "resistance", "endurance")),
        )),
        Resolve("care", care, _read_care, outcome=lambda result: "tended",
                tell=lambda ctx, result: (
                    said("told_healing", units=figure(result.units), unit=result.unit, n=result.rate),
                    said("told_walks" if result.walks else "told_carried" if result.moved else "told_not_moved")),
                changes=_tended),
    ),
)  # fmt: skip


def _fevered(ctx: Context, caught: bool) -> Sequence[Change]:
    actor = ctx.one()
    if not caught or not isinstance(actor.record, Character):
        return ()
    state = fever(ctx["confirm"], ctx.rulings)
    return (*set_on(actor, "conditions", with_condition(actor.record, Condition(state)), "EMP-091"),
            *set_on(actor, "minutes_resting", 0, "EMP-091"))


INFECTION_CHECK = Move(
    "infection-check",
    group="care",
    by="gm",
    rules=("EMP-091",),
    steps=(
        Ask("trigger", (
            Field("trigger", OneOf(("strain", "cold", "damp", "hunger")), "gm", usual="strain", rule="EMP-091"),
            Field("evasion", Whole(0, 20), optional=True, rule="EMP-091"),
            Field("confirm", Flag(), "gm", usual=False, secrecy="gm", rule="EMP-091"),
        )),
        Resolve("roll", thrown_by,
                lambda ctx: ("gm", infection, evasion(ctx, ctx.one(), Side.PHYSICAL)),
                outcome=lambda caught: "fevered" if caught else "healthy", success=lambda caught: not caught,
                changes=_fevered, shown=lambda ctx, result: Shown(dice=GM_ONLY)),
    ),
)  # fmt: skip

MOVES = (SHOOT, GRENADE, SABOTAGE, CYBORG_LINK, FORMEC_STRUCK, TREAT_WOUNDS, INFECTION_CHECK)
