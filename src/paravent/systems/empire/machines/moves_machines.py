"""Moves at things and inside one: sabotage, robot combat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
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
    Follow,
    Move,
    OneOf,
    Resolve,
    Rulings,
    Shown,
    Telling,
    Who,
    Whole,
)
from paravent.game.errors import Withheld
from paravent.systems.empire.actions.action import roll_under
from paravent.systems.empire.actions.trials import (
    ARM,
    COLUMN,
    DIFFICULTY,
    EXTRA,
    LEVEL,
    MODS,
    ORGAN,
    SKILL,
    characteristic_used,
    destiny,
    has_learnt,
    through_skill,
    trial,
)
from paravent.systems.empire.fights.combat import Height, letter_of, location, weapon_level
from paravent.systems.empire.fights.damage import damage, row_of
from paravent.systems.empire.fights.fighters import WEAPON, Shell, body, check_able, landed_told, numbers
from paravent.systems.empire.fights.moves_range import TARGET, Fired, fired, shown_shot, struck_changes
from paravent.systems.empire.fights.shooting import Aimed
from paravent.systems.empire.fights.wounds import Body
from paravent.systems.empire.people.character import Character
from paravent.systems.empire.people.conditions import surge_over
from paravent.systems.empire.terms import TABLES, Characteristic
from paravent.systems.empire.throws import said

from .kinds import Gear, machine_changes
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
    if isinstance(record, Gear):
        return record.machine
    exposure = ctx[EXPOSURE]
    if exposure is None:
        return None
    return Machine(exposure, ctx[TECH_LEVEL], ctx[QUALITY], ctx[DAMAGE], ctx[MARGIN_USED])


def _thing(ctx: Context) -> Thing:
    """What is struck, as far as whoever asks may know; where nobody said what it can take, the points are all there is.

    That something is missing is never said to whoever strikes: it would tell what the game master has settled.
    """
    try:
        machine = _machine(ctx, ctx.one("opponent"))
        material, left = ctx[MATERIAL], ctx[POINTS_LEFT]
    except Withheld:
        return Thing(None, None)
    if machine is not None or material is None:
        return Thing(left if machine is None else None, machine)
    known = left is not None or TABLES["materials"].cell(material, "resistance") != ""
    return Thing(material_resistance(material, left) if known else None, None)


def _sabotage_call(ctx: Context) -> Call[Sabotaged]:
    actor, weapon = ctx.one(), ctx[WEAPON]
    settled = trial(ctx, actor, ctx[SKILL] or "", Characteristic.STRENGTH)
    return Call(sabotage, settled.threshold, settled.dice, settled.malus, letter_of(weapon), weapon_level(weapon),
                _thing(ctx), ctx.rulings)


def _working(ctx: Context, machine: Machine) -> Working:
    before = ctx.one("opponent").record
    return working(machine, isinstance(before, Gear) and before.broken, ctx.rulings)


def _tell_sabotage(ctx: Context, result: Sabotaged) -> Sequence[Telling]:
    lines = [said("told_thing_struck", GM_ONLY, who=Who(ctx.one("opponent").id), n=result.points)]
    if result.material == 0:
        lines.append(said("told_gives_way"))
    elif result.material is not None:
        lines.append(said("told_material_left", GM_ONLY, n=result.material))
    if result.machine is not None:
        lines.append(said(f"told_{_working(ctx, result.machine).value}"))
    return lines


def _sabotage_changes(ctx: Context, result: Sabotaged) -> Sequence[Change]:
    over = surge_over(ctx, ctx.one(), characteristic_used(ctx, ctx.one(), Characteristic.STRENGTH))
    if result.machine is None:
        return over
    return [*over, *machine_changes(ctx.one("opponent"), result.machine, _working(ctx, result.machine))]


def _sabotage_destiny(ctx: Context, result: Sabotaged) -> Sequence[Follow]:
    actor, skill = ctx.one(), ctx[SKILL] or ""
    dice = trial(ctx, actor, skill, Characteristic.STRENGTH).dice
    return destiny(ctx, actor, result.success, characteristic_used(ctx, actor, Characteristic.STRENGTH), skill, dice)


EXPOSURE: Field[Exposure | None] = Field("exposure", OneOf(Exposure), "gm", optional=True, secrecy="gm",
                                         rule="EMP-110")
TECH_LEVEL = Field("tech_level", Whole(1, 6), "gm", usual=3, secrecy="gm", rule="EMP-110")
QUALITY = Field("quality", Whole(0, 30), "gm", usual=7, secrecy="gm", rule="EMP-111")
DAMAGE = Field("damage", Whole(0), "gm", usual=0, secrecy="gm", rule="EMP-111")
MARGIN_USED = Field("margin_used", Whole(0), "gm", usual=0, secrecy="gm", rule="EMP-110")
HOW_IT_STANDS = (TECH_LEVEL, QUALITY, DAMAGE, MARGIN_USED)
MATERIAL: Field[str | None] = Field("material", OneOf(lambda ctx: TABLES["materials"].keys()), "gm", optional=True,
                                    secrecy="gm", rule="EMP-109")
POINTS_LEFT: Field[int | None] = Field("points_left", Whole(0), "gm", optional=True, secrecy="gm", rule="EMP-109")
SABOTAGE = Move(
    "sabotage",
    group="combat",
    cast=(INITIATOR, TARGET, GAME_MASTER),
    rules=("EMP-108", "EMP-109", "EMP-110", "EMP-111"),
    steps=(
        Ask("declare", (
            replace(WEAPON, upfront=False, rule="EMP-108"), through_skill(lambda ctx: ctx[SKILL] or ""),
            replace(SKILL, type=OneOf(("32", "34", "35")), rule="EMP-108"), LEVEL, COLUMN, ARM,
        )),
        Ask("settle", (DIFFICULTY, MODS, EXTRA, ORGAN, MATERIAL, POINTS_LEFT, EXPOSURE, *HOW_IT_STANDS)),
        Resolve("blow", _sabotage_call, tell=_tell_sabotage,
                outcome=lambda result: "hit" if result.success else "missed",
                success=lambda result: result.success, changes=_sabotage_changes, follow=_sabotage_destiny,
                shown=shown_shot),
    ),
)


# Robot combat


class Linked(NamedTuple):
    """A blow received by a formec while a navyborg is linked to it: the machine after it, and what it still does."""

    machine: Machine
    working: Working


def linked_blow(dice: Dice, formec: Machine, points: int, level: int, rulings: Rulings) -> Linked:
    """What a blow does to a formec; the pair acts on while its quality is not used up."""
    after = battered(formec, points, level, rulings)
    return Linked(after, linked_working(after, rulings))


def linked_fire(
    dice: Dice, level: int, aimed: Aimed, target: Body | Shell | None, where: str, rulings: Rulings
) -> Fired:
    """A shot through a formec: easy, at any distance within reach."""
    check_link(level)
    return dice.then(fired, aimed, target, where, rulings)


def _linked_shot_call(ctx: Context) -> Call[Fired]:
    actor, target, weapon = ctx.one(), ctx.one("opponent"), ctx[WEAPON]
    check_able(ctx, actor)
    settled = trial(ctx, actor, "35", Characteristic.DEXTERITY, difficulty=linked_shot())
    level = ctx[ROBOT_LEVEL]
    aimed = Aimed(weapon, settled.threshold, settled.dice, settled.malus)
    where = location(Height.MIDDLE, ctx[COLUMN], "")
    met = body(ctx, target, where) if ctx.all("opponent") else None
    return Call(linked_fire, level_of_robot(actor) if level is None else level, aimed, met, where, ctx.rulings)


def level_of_robot(actor: Actor) -> int:
    """The level of Robot combat on a sheet."""
    return actor.record.level("55") if isinstance(actor.record, Character) else 0


def _tell_linked(ctx: Context, result: Fired) -> Sequence[Telling]:
    return landed_told(result.landed, ctx.one("opponent").id) if result.shot.hit else (said("told_missed"),)


def _linked_destiny(ctx: Context, result: Fired) -> Sequence[Follow]:
    actor = ctx.one()
    dice = trial(ctx, actor, "35", Characteristic.DEXTERITY, difficulty=linked_shot()).dice
    return destiny(ctx, actor, result.shot.hit, characteristic_used(ctx, actor, Characteristic.DEXTERITY), "35", dice)


ROBOT_LEVEL: Field[int | None] = Field("robot_level", Whole(1, 6), optional=True, rule="EMP-115",
                                       waits=lambda ctx: ctx.one().record is None)
CYBORG_LINK = Move(
    "cyborg-link",
    group="combat",
    cast=(INITIATOR, TARGET, GAME_MASTER),
    offered=has_learnt("55"),
    rules=("EMP-115",),
    steps=(
        Ask("declare", (
            replace(WEAPON, usual="laser", upfront=False, rule="EMP-115"), through_skill("35"), LEVEL, ROBOT_LEVEL,
            COLUMN,
        )),
        Ask("settle", (MODS, EXTRA, *numbers("opponent"))),
        Resolve("shot", _linked_shot_call, tell=_tell_linked,
                outcome=lambda result: "hit" if result.shot.hit else "missed",
                success=lambda result: result.shot.hit,
                changes=lambda ctx, result: struck_changes(
                    ctx, [(ctx.one("opponent"), result.landed)] if result.shot.hit else []),
                follow=_linked_destiny, shown=shown_shot),
    ),
)


def _formec_call(ctx: Context) -> Call[Linked]:
    machine = _machine(ctx, ctx.one("opponent"))
    assert machine is not None
    return Call(linked_blow, machine, ctx[POINTS], ctx[WEAPON_LEVEL], ctx.rulings)


POINTS = Field("points", Whole(0), "gm", rule="EMP-115")
WEAPON_LEVEL = Field("weapon_level", Whole(0, 6), "gm", usual=4, rule="EMP-110")
FORMEC_STRUCK = Move(
    "formec-struck",
    group="combat",
    by="gm",
    cast=(TARGET, GAME_MASTER),
    rules=("EMP-110", "EMP-115"),
    steps=(
        Ask("blow", (
            POINTS, WEAPON_LEVEL, replace(EXPOSURE, optional=False, usual=Exposure.ARMOURED), *HOW_IT_STANDS,
        )),
        Resolve("blow", _formec_call, outcome=lambda result: f"linked_{result.working.value}",
                tell=lambda ctx, result: (said("told_quality_left", GM_ONLY,
                                               n=max(0, result.machine.quality - result.machine.damage)),),
                changes=lambda ctx, result: machine_changes(ctx.one("opponent"), result.machine, result.working),
                shown=lambda ctx, result: Shown(detail=GM_ONLY)),
    ),
)
MOVES = (SABOTAGE, CYBORG_LINK, FORMEC_STRUCK)
