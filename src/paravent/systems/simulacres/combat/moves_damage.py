"""Moves of harm: a shot, the damage of a blow, what traps, falls and explosions do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from paravent.dice import Dice
from paravent.game import (
    GAME_MASTER,
    GM_ONLY,
    OPEN,
    Ask,
    Call,
    Change,
    Context,
    Field,
    Flag,
    Group,
    Many,
    MissingField,
    Move,
    OneOf,
    Resolve,
    Role,
    Rulings,
    Shown,
    Telling,
    TextField,
    Who,
    Whole,
    rule,
)
from paravent.systems.simulacres.actors import acting_is_awake, being, must_be_awake, state_of
from paravent.systems.simulacres.checks.check import Check, Modifier, Setting, automatic_check, privilege, throw
from paravent.systems.simulacres.checks.difficulties import Factors
from paravent.systems.simulacres.terms import Condition

from .combat import clash
from .damage import Automatic, Blow, Category, Damage, automatic_damage, blast, category, inflict, shifted
from .fight import Fighter, Order, Ready, after_exchange, ready, training_of, weapon_of
from .fighters import (
    AIM,
    BAND,
    CATEGORY_PS,
    CATEGORY_PV,
    PULL,
    SIDES,
    WEAPON,
    ArmourField,
    CategoryField,
    fall_told,
    fighter_changes,
    fighter_of,
    number_fields,
    order_of,
    settled_fields,
    shooting_fields,
    shots_carried,
    shots_fired,
    style_fields,
    weapon_fields,
)
from .moves_exchange import shown_exchange
from .optional import SpecialRow, special_result
from .told import armour_told, parts_of_armour
from .weapons import BLASTS, Armour, aimed, combat_rank, range_band, skill_difficulty, weapon

TARGET = Role("opponent", least=0, other=True)


# A shot


UNAWARE = Field("unaware", Flag(), "gm", usual=False, rule="SIM-012", place="refinement")
HIDE_ARMOUR = Field("hide_armour", Flag(), "gm", usual=False, rule="SIM-058", place="refinement")


class Shot(NamedTuple):
    """A shot: the test, the damage if it hits, what the target has left."""

    check: Check
    damage: Damage | None
    left: tuple[int, int]


@rule("SIM-037", "SIM-050")
def shoot(dice: Dice, prepared: Ready, automatic: int, rulings: Rulings) -> Shot:
    """A simple test, then damage. ``automatic`` is the MR of a shot that needs no test, −1 when it does."""
    clashing = clash(prepared.combatants, rulings)
    roll, attack = clashing.rolls[0], clashing.attacks[0]
    for term in roll.terms:
        dice.note("SIM-037", "term", name=term.name, points=term.points)
    if automatic >= 0:
        dice.note("SIM-012", "automatic_shot")
        check = Check(True, automatic)
    else:
        check = dice.resolve(throw, roll.value, roll.edge, rulings)
    target = prepared.combatants[attack.target]
    if not check.success:
        return Shot(check, None, (target.pv, target.ps))
    done: Damage = dice.resolve(inflict, attack.blow, check.margin, roll.role, rulings)
    left = max(0, target.pv - done.pv), max(0, target.ps - done.ps)
    return Shot(check, done, left)


def _shooters(ctx: Context) -> tuple[list[Fighter], list[Order]]:
    shooter, target = ctx.one("initiator"), ctx.one("opponent")
    mine, theirs = fighter_of(ctx, shooter), fighter_of(ctx, target)
    order = order_of(ctx, shooter, mine)._replace(target=theirs.id, defended=())
    return [mine, theirs], [order._replace(band=order.band or "normal"), Order()]


def _ready_to_shoot(ctx: Context) -> Ready:
    must_be_awake(ctx.one(), ctx.rulings)
    fighters, orders = _shooters(ctx)
    return ready(fighters, orders, ["initiator", "opponent"], ctx.rulings)


def _automatic_shot(ctx: Context) -> int:
    """The MR of a shot that the game master grants without a test, where the table lets him; −1 otherwise."""
    if not ctx[UNAWARE]:
        return -1
    (mine, theirs), (order, _) = _shooters(ctx)
    training = training_of(mine, weapon_of(mine, order.weapon))
    difficulty = range_band(order.band, ctx.rulings).test + order.circumstances + aimed(order.aim).test - theirs.deflect
    granted = privilege(combat_rank(training), difficulty, Setting.SHOT_UNAWARE, ctx.rulings)
    value = mine.ranged + difficulty + skill_difficulty(training)
    return automatic_check(value, ctx.rulings).margin if granted.automatic else -1


def _told_of_shot(ctx: Context, key: str, **lost: int) -> Telling:
    """Who shot at whom, and with what."""
    (mine, _), (order, _) = _shooters(ctx)
    weapon = order.weapon or mine.weapon
    return Telling(f"outcomes.{key}{'_with' if weapon else ''}", {**lost, **({"weapon": weapon} if weapon else {})},
                   main=True)


def _tell_shot(ctx: Context, shot: Shot) -> list[Telling]:
    if shot.damage is None:
        return [_told_of_shot(ctx, "told_missed")]
    struck = ctx.one("opponent")
    target = fighter_of(ctx, struck)
    after = target.losing(shot.damage.pv, shot.damage.ps)
    armour = parts_of_armour(_ready_to_shoot(ctx).combatants[0].terms, target.armour)
    return [_told_of_shot(ctx, "told_shot", pv=shot.damage.pv, ps=shot.damage.ps),
            *armour_told(Who(ctx.one().id), Who(struck.id), armour, whole=_shot_shown(ctx, shot) is OPEN),
            *fall_told(target, after, ctx.rulings)]


def _change_shot(ctx: Context, shot: Shot) -> list[Change]:
    prepared = _ready_to_shoot(ctx)
    before, _ = _shooters(ctx)
    target = prepared.combatants[1]
    lost = ((0, 0), (target.pv - shot.left[0], target.ps - shot.left[1]))
    after = after_exchange(prepared, lost, 1)
    changes = []
    for role, was, now in zip(SIDES, before, after, strict=True):
        changes += fighter_changes(ctx.one(role), was, now)
    return [*changes, *shots_fired(ctx.one(), _shooters(ctx)[1][0])]


def _shot_shown(ctx: Context, shot: object) -> Shown:
    return Shown(detail=GM_ONLY) if ctx[HIDE_ARMOUR] or shown_exchange(ctx, shot) is not OPEN else OPEN


def _carries_a_shot(ctx: Context) -> bool:
    """Whether the one who would act is awake and carries something that strikes from afar."""
    return acting_is_awake(ctx) and bool(shots_carried(ctx.one()))


def _may_shoot(ctx: Context) -> bool:
    """The same, at somebody who lives; whoever has no sheet says what they shoot with."""
    lives = state_of(ctx.one("opponent"), ctx.rulings) is not Condition.DEAD
    return lives and (being(ctx.one()) is None or _carries_a_shot(ctx))


SHOOT = Move(
    "shoot",
    offered=_may_shoot,
    suits=_carries_a_shot,
    cast=(Role("initiator"), TARGET, GAME_MASTER),
    rules=("SIM-037", "SIM-038", "SIM-039", "SIM-055", "SIM-056"),
    steps=(
        Ask("declare", (*number_fields("initiator"), *shooting_fields("initiator"), *style_fields("initiator"))),
        Ask("settle", (*settled_fields("initiator"), *number_fields("opponent", "gm"), UNAWARE, HIDE_ARMOUR)),
        Resolve("shoot", lambda ctx: Call(shoot, _ready_to_shoot(ctx), _automatic_shot(ctx), ctx.rulings),
                tell=_tell_shot,
                outcome=lambda shot: "shot_hits" if shot.damage else "shot_misses",
                success=lambda shot: shot.damage is not None, changes=_change_shot, shown=_shot_shown),
    ),
)


# Damage alone

SPECIAL_ROW = {"least": Whole(3, 26), "most": Whole(3, 26), "words": TextField(200)}
MARGIN = Field("margin", Whole(0), rule="SIM-050")
SHIFTS: Field[tuple[Modifier, ...]] = Field("shifts", Factors(), usual=(), rule="SIM-054", place="rarity")
SPECIAL_TABLE: Field[tuple[Mapping[str, Any], ...] | None] = Field(
    "special_table", Many(Group(SPECIAL_ROW, {})), "gm", usual=(), rule="SIM-B08",
    when=lambda ctx: ctx.rulings.special_weapons == "on", place="rarity",
)
RANGE = replace(BAND, role="gm", rule="SIM-039", by="")
TARGET_ARMOUR: Field[Armour | None] = Field(
    "target_armour", ArmourField(), "gm", optional=True, secrecy="gm", rule="SIM-058", place="rarity",
)

def _blow(ctx: Context) -> Blow:
    striker = ctx.one("initiator")
    named, pv, ps = (ctx.value(striker, asked) for asked in (WEAPON, CATEGORY_PV, CATEGORY_PS))
    held = weapon_of(fighter_of(ctx, striker), named) if named else None
    moved, band = [shift.points for shift in ctx[SHIFTS]], ctx[RANGE]
    if band:
        moved.append(range_band(band, ctx.rulings).columns)
    if held is None and not (pv or ps):
        raise MissingField(field=WEAPON.id, role=striker.role)
    letters = (held.pv, held.ps) if held else (category(pv or ""), category(ps or ""))
    absorbed = fighter_of(ctx, ctx.one("opponent")).absorb if ctx.all("opponent") else 0
    worn = ctx[TARGET_ARMOUR]
    stopped = worn.absorb if worn is not None else absorbed
    blow = Blow(shifted(letters[0], moved), shifted(letters[1], moved), aimed(ctx[AIM]).damage, 0, ctx[PULL])
    return blow.through(stopped)


def _damage_changes(ctx: Context, pv: int, ps: int) -> list[Change]:
    if not ctx.all("opponent"):
        return []
    target = ctx.one("opponent")
    was = fighter_of(ctx, target)
    return fighter_changes(target, was, was.losing(pv, ps))


def _condition_told(ctx: Context, pv: int, ps: int) -> list[Telling]:
    if not ctx.all("opponent"):
        return []
    was = fighter_of(ctx, ctx.one("opponent"))
    return fall_told(was, was.losing(pv, ps), ctx.rulings)


def _special_told(ctx: Context, done: Damage) -> list[Telling]:
    """What the weapon's own table says, where it has one."""
    table = ctx[SPECIAL_TABLE]
    if ctx.rulings.special_weapons == "off" or not table:
        return []
    rows = [SpecialRow(row["least"], row["most"], row["words"]) for row in table]
    return [Telling("outcomes.told_special", {"words": special_result(rows, done.total, ctx.rulings)})]


def _armour_hidden(ctx: Context) -> bool:
    """Whether the target's armour is the game master's secret: the total would tell it."""
    target = ctx.one("opponent")
    veiled = target.kind and "armour" in ctx.system.kind(target.kind).hidden
    return bool(veiled or ctx[TARGET_ARMOUR] is not None)


ROLL_DAMAGE = Move(
    "roll-damage",
    cast=(Role("initiator"), TARGET, GAME_MASTER),
    rules=("SIM-050", "SIM-051", "SIM-052", "SIM-053", "SIM-054", "SIM-055", "SIM-056", "SIM-058"),
    steps=(
        Ask("blow", (MARGIN, *weapon_fields("initiator"), AIM, PULL, SHIFTS)),
        Ask("settle", (SPECIAL_TABLE, RANGE, TARGET_ARMOUR, *number_fields("opponent", "own"))),
        Resolve("damage", lambda ctx: Call(inflict, _blow(ctx), ctx[MARGIN], "initiator", ctx.rulings),
                tell=lambda ctx, done: [Telling("outcomes.told_damage", {"pv": done.pv, "ps": done.ps}, main=True),
                                        *_special_told(ctx, done), *_condition_told(ctx, done.pv, done.ps)],
                outcome=lambda done: "damage_done" if done.pv or done.ps else "no_damage",
                success=lambda done: done.pv or done.ps,
                changes=lambda ctx, done: _damage_changes(ctx, done.pv, done.ps),
                shown=lambda ctx, done: Shown(detail=GM_ONLY) if _armour_hidden(ctx) else OPEN),
    ),
)


class Suffered(NamedTuple):
    """Damage without a margin: what was rolled, and what each counter loses."""

    total: int
    pv: int = 0
    ps: int = 0
    ep: int = 0


@rule("SIM-074", "SIM-075")
def suffer_automatically(
    dice: Dice, read_in: Category | None, counter: str, zone: Blow | None, margin: int, rulings: Rulings
) -> Suffered:
    """A trap or a fall read in one column for one counter; or the blast zone of an explosive, for life and breath."""
    if zone is not None:
        done: Damage = dice.resolve(blast, zone, margin, rulings)
        return Suffered(done.total, done.pv, done.ps)
    assert read_in is not None
    rolled: Automatic = dice.resolve(automatic_damage, read_in, rulings)
    return Suffered(rolled.total, **{counter: rolled.points})


USUAL_CATEGORY, USUAL_COUNTER = "C", "pv"


def _explodes(ctx: Context) -> bool:
    return bool(ctx[EXPLOSIVE])


def _falls(ctx: Context) -> bool:
    return not _explodes(ctx)


EXPLOSIVE: Field[str | None] = Field("explosive", OneOf(tuple(BLASTS.values())), "gm", optional=True, rule="SIM-075",
                                      place="essential")
CATEGORY: Field[str | None] = Field(
    "category", CategoryField(), "gm", usual=USUAL_CATEGORY, secrecy="gm", rule="SIM-074", when=_falls,
    place="essential",
)
COUNTER: Field[str | None] = Field(
    "counter", OneOf(("pv", "ps", "ep")), "gm", usual=USUAL_COUNTER, rule="SIM-074", when=_falls, place="essential",
)
BLAST_MARGIN: Field[int | None] = Field("margin", Whole(0), "gm", usual=0, rule="SIM-075", when=_explodes)
HIDE_CATEGORY = Field("hide_category", Flag(), "gm", usual=False, rule="SIM-074", place="refinement")


def _suffer(ctx: Context) -> Call[Suffered]:
    exploding = ctx[EXPLOSIVE]
    if exploding:
        zone = weapon(exploding)
        blow = Blow(zone.pv, zone.ps)
        return Call(suffer_automatically, None, USUAL_COUNTER, blow, ctx[BLAST_MARGIN] or 0, ctx.rulings)
    column = Category.parse(ctx[CATEGORY] or USUAL_CATEGORY)
    return Call(suffer_automatically, column, ctx[COUNTER] or USUAL_COUNTER, None, 0, ctx.rulings)


def _automatic_changes(ctx: Context, done: Suffered) -> list[Change]:
    victim = ctx.one("initiator")
    if victim.record is None:
        return []
    was = fighter_of(ctx, victim)
    return fighter_changes(victim, was, was.losing(done.pv, done.ps, done.ep))


def _tell_automatic(ctx: Context, done: Suffered) -> list[Telling]:
    said = [Telling("outcomes.told_suffered", {"pv": done.pv, "ps": done.ps, "ep": done.ep}, main=True)]
    if ctx.one("initiator").record is not None:
        was = fighter_of(ctx, ctx.one("initiator"))
        said += fall_told(was, was.losing(done.pv, done.ps, done.ep), ctx.rulings)
    return said


AUTOMATIC_DAMAGE = Move(
    "automatic-damage",
    by="gm",
    cast=(Role("initiator"), GAME_MASTER),
    rules=("SIM-074", "SIM-075"),
    steps=(
        Ask("harm", (EXPLOSIVE, CATEGORY, COUNTER, BLAST_MARGIN, HIDE_CATEGORY)),
        Resolve("damage", _suffer, tell=_tell_automatic,
                outcome=lambda done: "damage_done" if done.pv or done.ps or done.ep else "no_damage",
                success=lambda done: not (done.pv or done.ps or done.ep), changes=_automatic_changes,
                shown=lambda ctx, done: Shown(detail=GM_ONLY) if ctx[HIDE_CATEGORY] else OPEN),
    ),
)

MOVES = (SHOOT, ROLL_DAMAGE, AUTOMATIC_DAMAGE)
