"""How combat moves read fighters, from sheets or plain numbers, and what a blow writes on a sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from paravent.game import Actor, Change, Context, Field, MissingField, OneOf, Telling, TextField, Whole

from .action import untrained, with_extra
from .character import Carried, Character, Condition, Protection, Wound
from .combat import (
    FIST,
    animal_characteristic,
    blow_dice,
    characteristic_of,
    letter_of,
    location,
    skill_used,
)
from .damage import row_of
from .duel import Stance
from .reading import arm_bonus, has, mods_of, said, score_of, set_on, state_dice, told, with_condition
from .terms import PRECISIONS, TABLES, Attitude, Characteristic, Column, Height, Side
from .wounds import Body, Harm, Life, Shape, armour_at

HELPLESS = ("stunned", "held", "knocked_out", "coma", "suspended_animation")
"""States in which one receives a blow without returning it."""


# What a form asks


def numbers(role: str, secrecy: str = "own") -> tuple[Field, ...]:
    """A fighter in plain numbers; whatever is left out comes from the sheet."""
    return (
        Field("value", Whole(0, 40), role, optional=True, secrecy=secrecy, rule="EMP-078"),
        Field("resistance", Whole(0), role, optional=True, secrecy=secrecy, rule="EMP-040"),
        Field("left", Whole(0), role, optional=True, secrecy=secrecy, rule="EMP-040"),
        Field("armour", Whole(0), role, optional=True, secrecy=secrecy, rule="EMP-087"),
    )


def declarations(role: str, when: Any = None) -> tuple[Field, ...]:
    """What a fighter says aloud before the dice: weapon, height, precision, the spot named, a blow held back."""
    return (
        Field("weapon", OneOf(lambda ctx: weapons_of(ctx, role)), role, usual=lambda ctx: weapons_of(ctx, role)[0],
              when=when, rule="EMP-078"),
        Field("height", OneOf(Height), role, usual=Height.MIDDLE, waits=True, when=when, rule="EMP-077"),
        Field("column", OneOf(PRECISIONS), role, usual=Column.NORMAL, when=when, rule="EMP-077"),
        Field("spot", TextField(40, spots), role, usual="", when=when, rule="EMP-082"),
        Field("cap", Whole(0), role, optional=True, when=when, rule="EMP-081"),
    )


def spots(ctx: Context) -> tuple[str, ...]:
    """The spots that the table names for precise blows."""
    return tuple(spot for named in TABLES["hit_locations"].extra["spots"].values() for spot in named)


def weapons_of(ctx: Context, role: str) -> tuple[str, ...]:
    """What a fighter may strike with: what is in hand on the sheet first, then everything."""
    record = ctx.one(role).record
    held = tuple(weapon.weapon for weapon in getattr(record, "weapons", ()) if weapon.ready)
    return tuple(dict.fromkeys((*held, FIST, *TABLES["weapons"].keys())))


# From fields to numbers


def stance(ctx: Context, actor: Actor, attitude: Attitude) -> Stance:
    """One side of an exchange, as declared."""
    malus = int(told(ctx, "extra_dice") or 0) + state_dice(ctx, actor, Side.PHYSICAL)
    count = with_extra(blow_dice(ctx.value(actor, "height"), ctx.value(actor, "column")), malus, ctx.rulings)
    row = row_of(count, malus, ctx.rulings)
    power = setting(actor, weapon(ctx, actor))
    return Stance(threshold_of(ctx, actor, attitude), count, letter(ctx, actor), min(row, power) if power else row)


def threshold_of(ctx: Context, actor: Actor, attitude: Attitude) -> int:
    """The threshold of an attitude: as typed, an animal's bare score, or characteristic + skill + MODs."""
    typed = has(ctx, actor, "value")
    mods = mods_of(ctx, actor, Side.PHYSICAL)
    if typed is not None:
        return int(typed) + mods
    if hasattr(actor.record, "natural_weapon"):
        return int(getattr(actor.record, animal_characteristic(attitude))) + mods
    if not isinstance(actor.record, Character):
        raise MissingField(field="value", role=actor.role)
    return skilled(ctx, actor, characteristic_of(attitude), skill_used(weapon(ctx, actor), metres(ctx))) + mods


def skilled(ctx: Context, actor: Actor, name: Characteristic, skill: str) -> int:
    """Characteristic + level of a fighting skill, and what a prosthetic arm adds."""
    level = int(actor.record.level(skill))
    arm = arm_bonus(actor, name, actor.record.level("53") > 0)
    return score_of(ctx, actor, name) + level + untrained(skill, level, ctx.rulings) + arm


def metres(ctx: Context) -> int:
    """How far apart they stand."""
    return int(told(ctx, "metres") or 1)


def weapon(ctx: Context, actor: Actor) -> str:
    """What a fighter strikes with."""
    return str(has(ctx, actor, "weapon") or FIST)


def letter(ctx: Context, actor: Actor) -> str:
    """The damage table of a fighter's weapon, natural or not."""
    natural = getattr(actor.record, "natural_weapon", None)
    return str(natural) if natural else shock_letter(weapon(ctx, actor)) or letter_of(weapon(ctx, actor))


def shock_letter(name: str) -> str:
    """The table in which a weapon without damage is read, for the shock alone; empty for the others."""
    return str(TABLES["weapons"].extra["shock"].get(name, ""))


def setting(actor: Actor, name: str) -> int:
    """The power at which a weapon was set when drawn, 0 where it has none."""
    return next((held.power for held in getattr(actor.record, "weapons", ()) if held.weapon == name), 0)


def place(ctx: Context, striker: Actor) -> str:
    """Where a blow lands."""
    named = has(ctx, striker, "spot") or ""
    return location(has(ctx, striker, "height") or Height.MIDDLE, has(ctx, striker, "column") or Column.NORMAL, named)


def body(ctx: Context, target: Actor, where: str) -> Body | None:
    """What a blow meets, None where nobody said how much the target can take."""
    record, typed, left = target.record, has(ctx, target, "resistance"), has(ctx, target, "left")
    armour = has(ctx, target, "armour")
    if isinstance(record, Character) and typed is None:
        worn = armour_at(record.pieces, where, ctx.rulings) if armour is None else armour
        return Body(record.physical_most, record.resistance_physical, record.endurance, worn)
    if hasattr(record, "natural_weapon") and typed is None:
        from .animals import physical_resistance

        full = physical_resistance(record, ctx.rulings)
        return Body(full, full if left is None else left, record.endurance,
                    record.natural_armour if armour is None else armour)
    if typed is None:
        return None
    return Body(typed, typed if left is None else left, 0, armour or 0)


def helpless(actor: Actor) -> bool:
    """Whether somebody receives the next blow without returning it."""
    return isinstance(actor.record, Character) and any(actor.record.suffers(name) for name in HELPLESS)


# What a blow writes


class Landed(NamedTuple):
    """A blow as it landed: points before armour, where, what it did (None where nobody knows), weapon dropped."""

    points: int
    place: str
    harm: Harm | None = None
    dropped: bool = False


def landed_told(landed: Landed, victim: str) -> list[Telling]:
    """What everybody sees of a blow: where it lands and how the victim stands; the points are the game master's."""
    if not landed.points and not landed.dropped:
        return []
    lines = [said("told_struck", who=victim, place=landed.place)]
    lines.append(said("told_points", frozenset({"gm", "opponent", "initiator"}), who=victim, n=landed.points))
    if landed.dropped:
        lines.append(said("told_dropped", who=victim))
    harm = landed.harm
    if harm is None:
        return lines
    if harm.life is not Life.ALIVE:
        lines.append(said(f"told_{harm.life.value}", who=victim))
    elif harm.shape is not Shape.STANDING:
        lines.append(said(f"told_{harm.shape.value}", who=victim, n=harm.sequences))
    if harm.pierced:
        lines.append(said("told_pierced", who=victim, place=landed.place))
    return lines


@dataclass(frozen=True)
class Sheet:
    """A character's sheet with what an exchange has already written on it."""

    record: Character

    def struck(self, landed: Landed) -> Sheet:
        """The sheet after a blow."""
        harm, record = landed.harm, self.record
        if harm is None:
            return self
        record = replace(record, resistance_physical=harm.left, conditions=with_condition(record, *_states(landed)))
        if harm.lost:
            record = replace(record, wounds=(*record.wounds, Wound(landed.place, harm.lost)), minutes_resting=0)
        if harm.pierced:
            record = replace(record, protections=tuple(
                replace(piece, ruined=(*piece.ruined, landed.place)) if _covers(piece, landed.place) else piece
                for piece in record.protections
            ))
        return Sheet(self._dropped(record) if landed.dropped else record)

    @staticmethod
    def _dropped(record: Character) -> Character:
        held = [at for at, weapon in enumerate(record.weapons) if weapon.ready]
        return replace(record, weapons=tuple(
            replace(weapon, state=Carried.PUT_AWAY) if held and at == held[0] else weapon
            for at, weapon in enumerate(record.weapons)
        ))

    def changes(self, actor: Actor) -> Sequence[Change]:
        """What differs from the sheet that the actor brought."""
        rules = {"resistance_physical": "EMP-080", "wounds": "EMP-082", "conditions": "EMP-085",
                 "protections": "EMP-087", "weapons": "EMP-077", "minutes_resting": "EMP-089", "acted": "EMP-171",
                 "rest_due": "EMP-171"}
        return [change for path, rule in rules.items()
                for change in set_on(actor, path, getattr(self.record, path), rule)]


def _covers(piece: Protection, where: str) -> bool:
    """Whether a piece stands at a place, by the table or as written, and is not ruined there already."""
    table = TABLES["protections"]
    by_table = table.extra["covers"][table.cell(piece.piece, "cover")]
    return where in (*by_table, *piece.covers, "body") and where not in piece.ruined


def _states(landed: Landed) -> tuple[Condition, ...]:
    harm = landed.harm
    assert harm is not None
    found = []
    if harm.life is not Life.ALIVE:
        found.append(Condition(harm.life.value))
    elif harm.shape is not Shape.STANDING:
        found.append(Condition(harm.shape.value, harm.sequences))
    if harm.disabled:
        found.append(Condition("disabled", 0, landed.place))
    return tuple(found)


