"""How combat moves read fighters: from sheets or from plain numbers, and what each declares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from paravent.game import (
    Actor,
    AnyField,
    Audience,
    Change,
    Context,
    Field,
    Flag,
    Many,
    OneOf,
    Rulings,
    Telling,
    Whole,
    changed,
)
from paravent.game.errors import BadValue, UnknownName
from paravent.game.fields import AnyType, FieldType, Group

from .cast import Creature, Extra
from .character import UNTENDED, Character
from .character import Weapon as Carried
from .check import Modifier
from .combat import SITUATIONS, situation
from .damage import Category
from .energies import PLENTY, Spend
from .fight import BARE_HANDS, Fighter, Order, Ready, ready, weapon_of
from .reading import Commitment, Factors, has, in_campaign, spend_of
from .terms import Condition
from .weapons import Aim, Armour, Training, bands, read_armour, weapon, weapon_ids

SIDES = ("initiator", "opponent")
STRIKES_NOBODY = "nobody"
SHIELD = ("shield", "shield_trained")


@dataclass(frozen=True)
class ArmourField(FieldType[Any]):
    """Armour: a profile's name (``mail``) or three numbers (``1/0/2``); several with ``+``, magic ones with ``*``."""

    name = "text"

    def read(self, raw: Any, field: str, ctx: Context) -> Armour:
        if isinstance(raw, Mapping):
            return Armour(**{name: Whole(0).read(value, f"{field}.{name}", ctx) for name, value in raw.items()})
        if isinstance(raw, (list, tuple)) and len(raw) == 3:
            return Armour(*(Whole(0).read(value, field, ctx) for value in raw))
        return read_armour(str(raw), ctx.rulings)


@dataclass(frozen=True)
class Circumstances(Factors):
    """Difficulties of a fight; two of them go by name (``dark``, ``surprised``)."""

    def _one(self, part: Any, field: str, ctx: Context) -> Modifier:
        if isinstance(part, str) and part.strip() in SITUATIONS:
            return situation(part.strip())
        return super()._one(part, field, ctx)


@dataclass(frozen=True)
class CategoryField(FieldType[Any]):
    """A damage category: a letter with what is added to the total (``F``, ``A-3``, ``K+1``)."""

    name = "text"

    def read(self, raw: Any, field: str, ctx: Context) -> str:
        return str(Category.parse(str(raw), field))


# What a form asks


def number_fields(role: str, secrecy: str = "open") -> tuple[AnyField, ...]:
    """A fighter in plain numbers; whatever is left out comes from the sheet."""
    return (
        Field("value", Whole(), role, optional=True, secrecy=secrecy, rule="SIM-034"),
        Field("training", OneOf(Training), role, optional=True, secrecy=secrecy, rule="SIM-040"),
        Field("level", Whole(-4, 3), role, optional=True, secrecy=secrecy, rule="SIM-A07", when=in_campaign),
        Field("armour", ArmourField(), role, optional=True, secrecy=secrecy, rule="SIM-058"),
        Field("pv", Whole(0), role, optional=True, secrecy=secrecy, rule="SIM-060"),
        Field("ps", Whole(0), role, optional=True, secrecy=secrecy, rule="SIM-061"),
        Field("ep", Whole(0), role, optional=True, secrecy=secrecy, rule="SIM-062"),
    )


def weapon_fields(role: str, secrecy: str = "open") -> tuple[AnyField, ...]:
    """The weapon in hand, and its letters where they are not the printed ones."""
    return (
        Field("weapon", OneOf(lambda ctx: _weapons(ctx, role)), role, optional=True, secrecy=secrecy, rule="SIM-051"),
        Field("category_pv", CategoryField(), role, optional=True, secrecy=secrecy, rule="SIM-051"),
        Field("category_ps", CategoryField(), role, optional=True, secrecy=secrecy, rule="SIM-051"),
        Field("shield", OneOf(("small", "large")), role, optional=True, secrecy=secrecy, rule="SIM-B06",
              when=lambda ctx: ctx.rulings.shield == "on"),
        Field("shield_trained", Flag(), role, usual=True, secrecy=secrecy, rule="SIM-B06",
              when=lambda ctx: ctx.rulings.shield == "on"),
    )


def style_fields(role: str, secrecy: str = "open") -> tuple[AnyField, ...]:
    """How one strikes: aim, a pulled blow, energies, a change of post."""
    return (
        Field("aim", OneOf(Aim), role, usual=Aim.NONE, secrecy=secrecy, rule="SIM-055"),
        Field("pull", Flag(), role, usual=False, secrecy=secrecy, rule="SIM-056"),
        Field("energies", Commitment(), role, usual=None, secrecy=secrecy, rule="SIM-015"),
        Field("damage_dice", Whole(0, 3), role, usual=0, secrecy=secrecy, rule="SIM-B01",
              when=lambda ctx: ctx.rulings.power_alternative == "on"),
    )


def target_fields(role: str, secrecy: str = "open") -> tuple[AnyField, ...]:
    """Whom one strikes and whom one watches, and whether one leaves one's post."""
    return (
        Field("target", OneOf(lambda ctx: (*foes_of(ctx, role), STRIKES_NOBODY)), role,
              usual=lambda ctx: _first_foe(ctx, role), secrecy=secrecy, rule="SIM-046"),
        Field("defended", Many(OneOf(lambda ctx: foes_of(ctx, role)), 0, 3, distinct=True), role,
              usual=lambda ctx: _watched(ctx, role), secrecy=secrecy, rule="SIM-047"),
        Field("moves", Flag(), role, usual=False, secrecy=secrecy, rule="SIM-020"),
    )


def settled_fields(role: str) -> tuple[AnyField, ...]:
    """What the game master says of each: circumstances, the range of a shot, whether armour hinders it, its class."""
    return (
        Field("circumstances", Circumstances(), role, usual=(), rule="SIM-045", by="gm"),
        Field("band", OneOf(lambda ctx: tuple(bands(ctx.rulings))), role, optional=True, rule="SIM-038", by="gm"),
        Field("hinder_counts", Flag(), role, usual=True, rule="SIM-058", by="gm",
              when=lambda ctx: ctx.rulings.hinder_shooting == "gm"),
        Field("untrained", OneOf(("simple", "complex", "fists")), role, optional=True, rule="SIM-043", by="gm",
              when=lambda ctx: ctx.rulings.untrained_class == "gm"),
    )


def both(fields: Any, secrecy: str = "open") -> tuple[AnyField, ...]:
    """The same fields for both sides."""
    return tuple(field for role in SIDES for field in fields(role, secrecy))


def plan_field(role: str) -> AnyField:
    """What a fighter does exchange by exchange, the last line holding to the end."""
    parts: dict[str, AnyType] = {
        "weapon": OneOf(lambda ctx: _weapons(ctx, role)), "band": OneOf(lambda ctx: ("", *bands(ctx.rulings))),
        "aim": OneOf(Aim),
        "pull": Flag(), "energies": Commitment(), "moves": Flag(), "circumstances": Whole(),
        "training": OneOf(lambda ctx: ("", *Training)), "holds": Flag(),
    }
    usual = {"weapon": "", "band": "", "aim": Aim.NONE, "pull": False, "energies": None, "moves": False,
             "circumstances": 0, "training": "", "holds": False}
    return Field("plan", Many(Group(parts, usual)), role, usual=(), rule="SIM-033")


def priority_field(role: str) -> AnyField:
    """Opponents to strike before the others."""
    return Field("priority", Many(OneOf(lambda ctx: foes_of(ctx, role))), role, usual=(), rule="SIM-046")


def _weapons(ctx: Context, role: str) -> tuple[str, ...]:
    """The weapons of the table, and those that the fighter's own sheet names."""
    record = ctx.one(role).record
    own = [one.name for one in record.weapons if not one.id] if record is not None else []
    return (*own, *weapon_ids())


def side_of(ctx: Context, actor: Actor) -> str:
    """The side of a fighter: as the fight has it, or that of his role."""
    placed: dict[str, str] = {}
    if ctx.encounter is not None:
        placed = {place.id: place.side for place in ctx.encounter.sides}
    return placed.get(actor.id, actor.role)


def fighting(ctx: Context) -> tuple[Actor, ...]:
    """Everybody in the exchange, the acting side first."""
    return tuple(actor for role in SIDES for actor in ctx.all(role))


def foes_of(ctx: Context, role: str) -> tuple[str, ...]:
    """The ids of those on other sides than the one asked."""
    me = ctx.one(role)
    mine = side_of(ctx, me)
    return tuple(actor.id for actor in fighting(ctx) if side_of(ctx, actor) != mine)


def _standing_foes(ctx: Context, role: str) -> tuple[str, ...]:
    if ctx.encounter is None:
        return foes_of(ctx, role)
    up = {place.id for place in ctx.encounter.sides if place.standing}
    return tuple(name for name in foes_of(ctx, role) if name in up)


def _first_foe(ctx: Context, role: str) -> str:
    return next(iter(_standing_foes(ctx, role)), STRIKES_NOBODY)


def _watched(ctx: Context, role: str) -> tuple[str, ...]:
    """Usually one watches as many as one can, whom one strikes first."""
    target = ctx.value(ctx.one(role), "target")
    foes = _standing_foes(ctx, role)
    return tuple(sorted(foes, key=lambda name: name != target))[:3]


def is_up(role: str) -> Any:
    """Whether the one asked still fights: the fallen declare nothing."""

    def up(ctx: Context) -> bool:
        if ctx.encounter is None:
            return True
        return any(place.id == ctx.one(role).id and place.standing for place in ctx.encounter.sides)

    return up


# From fields to fighters


def fighter_of(ctx: Context, actor: Actor) -> Fighter:
    """A fighter as the move finds him: from the sheet, from the fight, from plain numbers, each over the one before."""
    fighter = _from_record(actor, side_of(ctx, actor))
    placed = _placed(ctx, actor)
    if placed is not None and actor.record is None:
        fighter = placed
    elif placed is not None:
        fighter = replace(fighter, post=placed.post, wounded_at=placed.wounded_at)
    names = ("value", "training", "level", "armour", "pv", "ps", "ep", *SHIELD)
    typed = {name: has(ctx, actor, name) for name in names if name not in SHIELD or ctx.rulings.shield == "on"}
    given = {name: value for name, value in typed.items() if value is not None}
    if "value" in given:
        value = given.pop("value")
        fighter = replace(fighter, armed=value, unarmed=value, ranged=value)
    if "armour" in given:
        fighter = replace(fighter, **given.pop("armour")._asdict())
    if "training" in given:
        given["training"] = str(given["training"])
    fighter = replace(fighter, **given)
    return _armed(ctx, actor, fighter)


def _placed(ctx: Context, actor: Actor) -> Fighter | None:
    """The fighter as the fight knows him."""
    if ctx.encounter is None:
        return None
    found: Fighter | None = next((one for one in ctx.encounter.fighters if one.id == actor.id), None)
    if found is None:
        raise UnknownName("actor", actor.id, (place.id for place in ctx.encounter.sides))
    return found


def _armed(ctx: Context, actor: Actor, fighter: Fighter) -> Fighter:
    """With the weapon that the form puts in his hand."""
    named, pv, ps = (has(ctx, actor, name) for name in ("weapon", "category_pv", "category_ps"))
    name = named or fighter.weapon
    if pv or ps:
        printed = weapon(name) if named in weapon_ids() else None  # letters that are not said stay as printed
        kept = {f"category_{part}": said or str(getattr(printed, part, None) or "")
                for part, said in (("pv", pv), ("ps", ps))}
        others = [one for one in fighter.own if name not in (one.id, one.name)]
        fighter = replace(fighter, own=(Carried(name, **kept), *others))
    return replace(fighter, weapon=name)


def _from_record(actor: Actor, side: str) -> Fighter:
    record = actor.record
    if record is None:
        return Fighter(actor.id, side, power=PLENTY, speed=PLENTY, precision=PLENTY)
    weapons = record.weapons
    first = (weapons[0].id or weapons[0].name) if weapons else BARE_HANDS
    fighter = Fighter(
        actor.id, side, weapon=first, own=weapons, deflect=record.armour.deflect, hinder=record.armour.hinder,
        absorb=record.armour.absorb, pv=record.life_points, ps=record.breath_points, power=record.power,
        speed=record.speed, precision=record.precision, malus=getattr(record, "test_malus", 0),
        bonuses=getattr(record, "active_energy_bonuses", ()),
    )
    if isinstance(record, Creature):
        # A creature fights with what nature gave it, and has energy points in reserve instead of EP.
        return replace(fighter, armed=record.combat, unarmed=record.combat, ranged=record.combat,
                       training=Training.UNTRAINED_FISTS.value, ep=record.energy_points, minded=False)
    skilled = replace(
        fighter,
        ep=record.psyche_points,
        specialty=next((skill.family for skill in record.trades if skill.family), ""),
        talents=tuple(skill.family for skill in record.talents if skill.family),
        hobbies=tuple(skill.family for skill in record.hobbies if skill.family),
        level=None,
        levels=record.talent_levels,
    )
    if isinstance(record, Extra):
        return replace(skilled, armed=record.test, unarmed=record.test, ranged=record.test)
    assert isinstance(record, Character)
    return replace(
        skilled,
        armed=record.body + record.action + record.mechanical,
        unarmed=record.body + record.action + record.human,
        ranged=record.body + record.perception + record.mechanical,
    )


def order_of(ctx: Context, actor: Actor, fighter: Fighter) -> Order:
    """What a fighter declares, by the fields of the move; a weapon that strikes from afar shoots at normal range."""
    target = has(ctx, actor, "target") or STRIKES_NOBODY
    named = has(ctx, actor, "weapon") or fighter.weapon
    band = has(ctx, actor, "band") or ("normal" if weapon_of(fighter, named).ranged else "")
    return Order(
        "" if target == STRIKES_NOBODY else target, named,
        () if band else tuple(has(ctx, actor, "defended") or ()),
        has(ctx, actor, "aim") or Aim.NONE,
        bool(has(ctx, actor, "pull")),
        spend_of(ctx, actor),
        bool(has(ctx, actor, "moves")),
        band,
        sum(factor.points for factor in has(ctx, actor, "circumstances") or ()),
        has(ctx, actor, "hinder_counts") is not False,
        has(ctx, actor, "untrained") or "",
        (has(ctx, actor, "damage_dice") or 0) if ctx.rulings.power_alternative == "on" else 0,
    )


def hand(ctx: Context, actor: Actor) -> str:
    """Who holds a fighter's dice and splits his blows: his role, or himself where several share it."""
    return ctx.part(actor) if len(ctx.all(actor.role)) == 1 else actor.id


def declared(ctx: Context) -> Ready:
    """Everybody's fighters and orders, paid for and ready to be thrown."""
    actors = fighting(ctx)
    fighters = [fighter_of(ctx, actor) for actor in actors]
    orders = [
        order_of(ctx, actor, fighter) if fighter.stands(ctx.rulings) else Order()
        for actor, fighter in zip(actors, fighters, strict=True)
    ]
    return ready(fighters, orders, [hand(ctx, actor) for actor in actors], ctx.rulings)


def plan_of(ctx: Context, actor: Actor, fighter: Fighter) -> tuple[Order, ...]:
    """A fighter's standing orders: the plan's lines over what the form says once for all."""
    usual = order_of(ctx, actor, fighter)._replace(target="", defended=())
    lines: Sequence[Mapping[str, Any]] = has(ctx, actor, "plan") or ()
    return tuple(_line(ctx, fighter, usual, line) for line in lines) or (usual,)


def _line(ctx: Context, fighter: Fighter, usual: Order, line: Mapping[str, Any]) -> Order:
    spend = Spend(**line["energies"]) if line.get("energies") else usual.spend._replace()
    if spend.cost and not spend.ps and not spend.ep:
        spend = spend._replace(ps=spend.cost)
    named = line.get("weapon") or usual.weapon
    ranged = weapon_of(fighter, named).ranged
    band = line.get("band") or (("normal" if ranged else "") if named != usual.weapon else usual.band)
    if band and not ranged:
        raise BadValue(field="plan.band", got=band, expected="ranged-weapon")
    return usual._replace(
        weapon=named, band=band, spend=spend, aim=line.get("aim") or usual.aim,
        pull=bool(line.get("pull")) or usual.pull, moves=bool(line.get("moves")), holds=bool(line.get("holds")),
        training=str(line.get("training") or ""),
        circumstances=usual.circumstances + int(line.get("circumstances") or 0),
    )


# What it does to them, told and written


def fall_told(before: Fighter, after: Fighter, rulings: Rulings, audience: Audience | None = None) -> list[Telling]:
    """That somebody falls, if he did not lie there already."""
    state = after.condition(rulings)
    if state is Condition.CONSCIOUS or state is before.condition(rulings):
        return []
    return [Telling(f"outcomes.falls_{state.value}", {"name": after.id}, audience)]


def fighter_changes(actor: Actor, before: Fighter, after: Fighter) -> list[Change]:
    """What an exchange does to a sheet: counters, bonuses that last or end, wounds that want dressing again."""
    record = actor.record
    if record is None:
        return []
    found: list[Change] = []
    psyche = "energy_points" if isinstance(record, Creature) else "psyche_points"
    values: dict[str, tuple[Any, str]] = {
        "life_points": (after.pv, "SIM-060"),
        "breath_points": (after.ps, "SIM-061"),
    }
    values[psyche] = (after.ep, "SIM-062")
    if not isinstance(record, Creature):
        values["active_energy_bonuses"] = (after.bonuses, "SIM-020")
    if after.pv < before.pv:
        values["wounds"] = (UNTENDED, "SIM-069")
    for path, (value, rule_id) in values.items():
        found += changed(actor.id, record, path, value, rule_id)
    return found
