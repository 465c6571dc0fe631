"""Moves at a distance: shooting, throwing, grenades."""

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

from .action import evasion_roll
from .character import Carried, Character
from .combat import Act, acts, location
from .creation import may_claim
from .errors import NotReady
from .fighters import Landed, Sheet, body, landed_told, numbers, spots, weapons_of
from .gear import has_power_setting
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
    said,
    score_field,
    score_of,
    set_on,
    surge_over,
    told,
    trial,
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
from .terms import TABLES, Characteristic, Difficulty, Height, Side
from .wounds import (
    Body,
    Harm,
    Shape,
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
    power = ctx["power"] or power if has_power_setting(weapon) else 0
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


def shown_shot(ctx: Context, result: Any) -> Shown:
    """The dice are for the shooter and the game master, who alone knows the figures."""
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
                shown=shown_shot),
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
                shown=shown_shot),
    ),
)  # fmt: skip


MOVES = (SHOOT, GRENADE)
