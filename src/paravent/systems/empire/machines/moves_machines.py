"""Moves at things and inside one: sabotage, robot combat."""

from __future__ import annotations

from collections.abc import Sequence
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
    Follow,
    Move,
    OneOf,
    Resolve,
    Rulings,
    Shown,
    Telling,
    Whole,
    asking,
)
from paravent.game.errors import Withheld
from paravent.systems.empire.actions.action import roll_under
from paravent.systems.empire.actions.trials import (
    ARM,
    DIFFICULTY,
    EXTRA,
    MODS,
    ORGAN,
    characteristic_used,
    column_field,
    destiny,
    has,
    level_field,
    score_field,
    trial,
)
from paravent.systems.empire.fights.combat import Height, letter_of, location
from paravent.systems.empire.fights.damage import damage, row_of
from paravent.systems.empire.fights.fighters import body, check_able, landed_told, numbers, weapons_of
from paravent.systems.empire.fights.moves_range import TARGET, Fired, fired, shown_shot, struck_changes
from paravent.systems.empire.fights.shooting import Aimed
from paravent.systems.empire.fights.wounds import Body
from paravent.systems.empire.people.character import Character
from paravent.systems.empire.people.conditions import surge_over
from paravent.systems.empire.terms import TABLES, Characteristic
from paravent.systems.empire.throws import said, set_on

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
    if record is not None and hasattr(record, "exposure"):
        return Machine(record.exposure, record.tech_level, record.quality, record.damage, record.margin_used)
    if ctx["exposure"] is None:
        return None
    return Machine(ctx["exposure"], ctx["tech_level"], ctx["quality"], ctx["damage"], ctx["margin_used"])


def _thing(ctx: Context) -> Thing:
    """What is struck, as far as whoever asks may know; where nobody said what it can take, the points are all there is.

    That something is missing is never said to whoever strikes: it would tell what the game master has settled.
    """
    try:
        machine = _machine(ctx, ctx.one("opponent"))
        material, left = ctx["material"], ctx["points_left"]
    except Withheld:
        return Thing(None, None)
    if machine is not None or material is None:
        return Thing(left if machine is None else None, machine)
    known = left is not None or TABLES["materials"].cell(material, "resistance") != ""
    return Thing(material_resistance(material, left) if known else None, None)


def _read_sabotage(ctx: Context) -> tuple[Any, ...]:
    actor, weapon = ctx.one(), ctx["weapon"]
    settled = trial(ctx, actor, has(ctx, actor, "skill") or "", Characteristic.STRENGTH)
    level = int(TABLES["weapons"].cell(weapon, "tech_level") or 0)
    return (settled.threshold, settled.dice, settled.malus, letter_of(weapon), level, _thing(ctx), ctx.rulings)


def _tell_sabotage(ctx: Context, result: Sabotaged) -> Sequence[Telling]:
    lines = [said("told_points", GM_ONLY, who=ctx.one("opponent").id, n=result.points)]
    if result.material == 0:
        lines.append(said("told_gives_way"))
    elif result.material is not None:
        lines.append(said("told_material_left", GM_ONLY, n=result.material))
    if result.machine is not None:
        lines.append(said(f"told_{working(result.machine).value}"))
    return lines


def machine_changes(actor: Actor, machine: Machine | None, state: Working) -> Sequence[Change]:
    """What a blow writes on a machine's record; its points are the game master's."""
    if machine is None or not hasattr(actor.record, "exposure"):
        return ()
    before = actor.record
    values = {"damage": machine.damage, "margin_used": machine.margin_used,
              "broken": before.broken or state is not Working.RUNS,
              "scrapped": before.scrapped or state is Working.SCRAP}
    return [change for path, value in values.items() for change in set_on(actor, path, value, "EMP-111")]


def _sabotage_changes(ctx: Context, result: Sabotaged) -> Sequence[Change]:
    over = surge_over(ctx, ctx.one(), characteristic_used(ctx, ctx.one(), Characteristic.STRENGTH))
    if result.machine is None:
        return over
    return [*over, *machine_changes(ctx.one("opponent"), result.machine, working(result.machine))]


def _sabotage_destiny(ctx: Context, result: Sabotaged) -> Sequence[Follow]:
    actor, skill = ctx.one(), has(ctx, ctx.one(), "skill") or ""
    dice = trial(ctx, actor, skill, Characteristic.STRENGTH).dice
    return destiny(ctx, actor, result.success, characteristic_used(ctx, actor, Characteristic.STRENGTH), skill, dice)


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
            ARM,
        )),
        Ask("settle", (
            DIFFICULTY, MODS, EXTRA, ORGAN,
            Field("material", OneOf(lambda ctx: TABLES["materials"].keys()), "gm", optional=True, secrecy="gm",
                  rule="EMP-109"),
            Field("points_left", Whole(0), "gm", optional=True, secrecy="gm", rule="EMP-109"),
            *THING_FIELDS,
        )),
        Resolve("blow", asking(sabotage, _read_sabotage), tell=_tell_sabotage,
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


def linked_fire(dice: Dice, level: int, aimed: Aimed, target: Body | None, where: str, rulings: Rulings) -> Fired:
    """A shot through a formec: easy, at any distance within reach."""
    check_link(level)
    return dice.then(fired, aimed, target, where, rulings)


def _read_linked_shot(ctx: Context) -> tuple[Any, ...]:
    actor, target, weapon = ctx.one(), ctx.one("opponent"), ctx["weapon"]
    check_able(ctx, actor)
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


def _linked_destiny(ctx: Context, result: Fired) -> Sequence[Follow]:
    actor = ctx.one()
    dice = trial(ctx, actor, "35", Characteristic.DEXTERITY, difficulty=linked_shot()).dice
    return destiny(ctx, actor, result.shot.hit, characteristic_used(ctx, actor, Characteristic.DEXTERITY), "35", dice)


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
        Resolve("shot", asking(linked_fire, _read_linked_shot), tell=_tell_linked,
                outcome=lambda result: "hit" if result.shot.hit else "missed",
                success=lambda result: result.shot.hit,
                changes=lambda ctx, result: struck_changes(
                    ctx, [(ctx.one("opponent"), result.landed)] if result.shot.hit else []),
                follow=_linked_destiny, shown=shown_shot),
    ),
)


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
        Resolve("blow", asking(linked_blow, _read_formec), outcome=lambda result: f"linked_{result.working.value}",
                tell=lambda ctx, result: (said("told_quality_left", GM_ONLY,
                                               n=max(0, result.machine.quality - result.machine.damage)),),
                changes=lambda ctx, result: machine_changes(ctx.one("opponent"), result.machine, result.working),
                shown=lambda ctx, result: Shown(detail=GM_ONLY)),
    ),
)


MOVES = (SABOTAGE, CYBORG_LINK, FORMEC_STRUCK)
