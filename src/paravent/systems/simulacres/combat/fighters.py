"""How combat moves read fighters: from sheets or from plain numbers, and what each declares."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
    Value,
    Weight,
    Who,
    Whole,
    changed,
    rule,
)
from paravent.game.errors import BadValue, UnknownName, Withheld
from paravent.game.fields import AnyType, FieldFacts, FieldType, Group
from paravent.game.plain import Plain
from paravent.game.words import LANGUAGES, folded
from paravent.systems.simulacres.actors import all_are_awake, being, has, is_somebody
from paravent.systems.simulacres.checks.check import Modifier
from paravent.systems.simulacres.checks.difficulties import Factors
from paravent.systems.simulacres.checks.energies import PLENTY, Spend
from paravent.systems.simulacres.checks.spending import ENERGIES, Commitment, spend_of
from paravent.systems.simulacres.checks.trials import LEVEL, VALUE
from paravent.systems.simulacres.people.cast import Creature, Extra
from paravent.systems.simulacres.people.character import UNTENDED, EnergyBonus
from paravent.systems.simulacres.people.character import Weapon as Carried
from paravent.systems.simulacres.terms import Condition

from .combat import SITUATIONS, situation
from .damage import Category
from .errors import EmptyWeapon
from .fight import BARE_HANDS, FIGHTING, Fighter, FightState, Order, Place, Ready, ready, weapon_of
from .weapons import RANGED_FAMILIES, Aim, Armour, Training, bands, read_armour, shot_with, weapon, weapon_ids

SIDES = ("initiator", "opponent")
STRIKES_NOBODY = "nobody"


@dataclass(frozen=True)
class ArmourField(FieldType[Armour]):
    """Armour: a profile's name (``mail``) or three numbers (``1/0/2``); several with ``+``, magic ones with ``*``."""

    name = "text"

    def read(self, raw: object, field: str, ctx: Context) -> Armour:
        if isinstance(raw, Mapping):
            return Armour(**{name: Whole(0).read(value, f"{field}.{name}", ctx) for name, value in raw.items()})
        if isinstance(raw, (list, tuple)) and len(raw) == 3:
            return Armour(*(Whole(0).read(value, field, ctx) for value in raw))
        return read_armour(str(raw), ctx.rulings)


@dataclass(frozen=True)
class Circumstances(Factors):
    """Difficulties of a fight; two of them go by name (``dark``, ``surprised``), in either language."""

    def _one(self, part: object, field: str, ctx: Context) -> Modifier:
        called = folded(part).strip() if isinstance(part, str) else ""
        words = {name: {folded(ctx.system.words.word(lang, name)) for lang in LANGUAGES} for name in SITUATIONS}
        named = next((name for name in SITUATIONS if called in (name, *words[name])), "")
        return situation(named) if named else super()._one(part, field, ctx)

    def describe(self, ctx: Context) -> FieldFacts:
        """The two that go by name, then the steps."""
        steps = super().describe(ctx)
        named: list[Plain] = [*SITUATIONS, *(steps.of.options or () if steps.of else ())]
        return FieldFacts(self.name, of=FieldFacts("score", named, None, None), least=0, most=None)


@dataclass(frozen=True)
class CategoryField(FieldType[str]):
    """A damage category: a letter with what is added to the total (``F``, ``A-3``, ``K+1``)."""

    name = "text"

    def read(self, raw: object, field: str, ctx: Context) -> str:
        return str(Category.parse(str(raw), field))


# What a form asks


def _with_shields(ctx: Context) -> bool:
    return ctx.rulings.shield == "on"


BASE_VALUE = replace(VALUE, rule="SIM-034")
TRAINING: Field[Training | None] = Field("training", OneOf(Training), optional=True, rule="SIM-040", place="rarity")
ARMOUR: Field[Armour | None] = Field("armour", ArmourField(), optional=True, rule="SIM-058", place="rarity")
PV: Field[int | None] = Field("pv", Whole(0), optional=True, rule="SIM-060", place="rarity")
PS: Field[int | None] = Field("ps", Whole(0), optional=True, rule="SIM-061", place="rarity")
EP: Field[int | None] = Field("ep", Whole(0), optional=True, rule="SIM-062", place="rarity")
WEAPON: Field[str | None] = Field(
    "weapon", OneOf(lambda ctx: weapon_ids()), optional=True, rule="SIM-051", place="essential",
)
CATEGORY_PV: Field[str | None] = Field("category_pv", CategoryField(), optional=True, rule="SIM-051", place="rarity")
CATEGORY_PS: Field[str | None] = Field("category_ps", CategoryField(), optional=True, rule="SIM-051", place="rarity")
NO_SHIELD = "none"
SHIELD: Field[str | None] = Field(
    "shield", OneOf((NO_SHIELD, "small", "large")), optional=True, rule="SIM-B06", when=_with_shields,
    place="refinement",
)
SHIELD_TRAINED: Field[bool | None] = Field(
    "shield_trained", Flag(), usual=True, rule="SIM-B06", when=_with_shields, place="rarity",
)
AIM: Field[Aim] = Field("aim", OneOf(Aim), usual=Aim.NONE, rule="SIM-055", place="refinement")
PULL = Field("pull", Flag(), usual=False, rule="SIM-056", place="refinement")
DAMAGE_DICE: Field[int | None] = Field(
    "damage_dice", Whole(0, 3), usual=0, rule="SIM-B01", place="refinement",
    when=lambda ctx: ctx.rulings.power_alternative == "on" and ctx.rulings.energies == "on",
)
TARGET: Field[str] = Field("target", OneOf((STRIKES_NOBODY,)), rule="SIM-046", place="essential")
DEFENDED: Field[tuple[str, ...]] = Field("defended", Many(OneOf(())), rule="SIM-047", place="essential")
LEAVES_POST = Field("moves", Flag(), usual=False, rule="SIM-020", place="refinement")
CIRCUMSTANCES: Field[tuple[Modifier, ...]] = Field(
    "circumstances", Circumstances(), usual=(), rule="SIM-045", by="gm", place="refinement",
)
BAND: Field[str | None] = Field(
    "band", OneOf(lambda ctx: tuple(bands(ctx.rulings))), optional=True, rule="SIM-038", by="gm", place="refinement",
)
HINDER_COUNTS: Field[bool | None] = Field(
    "hinder_counts", Flag(), usual=True, rule="SIM-058", by="gm", place="rarity",
    when=lambda ctx: ctx.rulings.hinder_shooting == "gm",
)
UNTRAINED: Field[str | None] = Field(
    "untrained", OneOf(("simple", "complex", "fists")), optional=True, rule="SIM-043", by="gm", place="rarity",
    when=lambda ctx: ctx.rulings.untrained_class == "gm",
)
PLAN: Field[tuple[Mapping[str, Any], ...]] = Field("plan", Many(Group({}, {})), usual=(), rule="SIM-033")
PRIORITY: Field[tuple[str, ...]] = Field("priority", Many(OneOf(())), usual=(), rule="SIM-046")


def _asked_of(role: str, secrecy: str, *fields: AnyField) -> tuple[AnyField, ...]:
    return tuple(replace(field, role=role, secrecy=secrecy) for field in fields)


def number_fields(role: str, secrecy: str = "open") -> tuple[AnyField, ...]:
    """A fighter in plain numbers; whatever is left out comes from the sheet."""
    return _asked_of(role, secrecy, BASE_VALUE, TRAINING, LEVEL, ARMOUR, PV, PS, EP)


def weapon_fields(role: str, secrecy: str = "open") -> tuple[AnyField, ...]:
    """The weapon in hand, and its letters where they are not the printed ones."""
    held = replace(WEAPON, type=InHand(role=role), usual=lambda ctx: in_hand(ctx, role))
    return _asked_of(role, secrecy, held, CATEGORY_PV, CATEGORY_PS, SHIELD, SHIELD_TRAINED)


def style_fields(role: str, secrecy: str = "open") -> tuple[AnyField, ...]:
    """How one strikes: aim, a pulled blow, energies, a change of post."""
    spent = Commitment(role=role, situation=lambda ctx: "shooting" if _shoots(ctx, role) else "melee",
                       action=lambda ctx: _goes_on(ctx, role))
    return _asked_of(role, secrecy, AIM, PULL, replace(ENERGIES, type=spent), DAMAGE_DICE)


def target_fields(role: str, secrecy: str = "open") -> tuple[AnyField, ...]:
    """Whom one strikes and whom one watches, and whether one leaves one's post."""
    # Whoever shoots guards nobody; but a shooter may take to their fists with the same tap, and then guards.
    foe = OneOf(lambda ctx: foes_of(ctx, role), offered=lambda ctx: standing_foes(ctx, role))
    return _asked_of(
        role, secrecy,
        replace(TARGET, type=OneOf(lambda ctx: (*foes_of(ctx, role), STRIKES_NOBODY),
                                   offered=lambda ctx: (*standing_foes(ctx, role), STRIKES_NOBODY)),
                usual=lambda ctx: _usual_foe(ctx, role)),
        replace(DEFENDED, type=Watched(foe, 0, 3, distinct=True, role=role), usual=lambda ctx: _watched(ctx, role)),
        LEAVES_POST,
    )


def settled_fields(role: str) -> tuple[AnyField, ...]:
    """What the game master says of each: circumstances, the range of a shot, whether armour hinders it, its class."""
    far = replace(BAND, when=lambda ctx: _may_shoot(ctx, role))
    return _asked_of(role, "open", CIRCUMSTANCES, far, HINDER_COUNTS, UNTRAINED)


def both(fields: Callable[[str, str], tuple[AnyField, ...]], secrecy: str = "open") -> tuple[AnyField, ...]:
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
    return replace(PLAN, type=Many(Group(parts, usual)), role=role)


def priority_field(role: str) -> AnyField:
    """Opponents to strike before the others."""
    return replace(PRIORITY, type=Many(OneOf(lambda ctx: foes_of(ctx, role))), role=role)


@dataclass(frozen=True)
class Watched(Many[str]):
    """Those against whom somebody defends; with a weapon that strikes from afar nobody, whoever is ticked."""

    role: str = "initiator"

    def read(self, raw: object, field: str, ctx: Context) -> tuple[str, ...]:
        watched = super().read(raw, field, ctx)
        return () if _shoots(ctx, self.role) else watched


@dataclass(frozen=True)
class InHand(FieldType[str]):
    """A weapon: those that the sheet of ``role`` carries and bare hands are offered, any of the table may be named."""

    role: str
    name = "one-of"

    def read(self, raw: object, field: str, ctx: Context) -> str:
        named = OneOf(_weapons(ctx, self.role)).read(raw, field, ctx)
        must_be_loaded(ctx.one(self.role), named)
        return named

    def describe(self, ctx: Context) -> FieldFacts:
        record = being(ctx.one(self.role))
        if record is None:
            return FieldFacts(self.name, [*_weapons(ctx, self.role)])
        carried = [one.called for one in record.weapons if one.serves]
        return FieldFacts(self.name, [*dict.fromkeys((*carried, BARE_HANDS))])


@dataclass(frozen=True)
class Shooting(InHand):
    """A weapon that strikes from afar: of those carried, or of the table where there is no sheet."""

    def describe(self, ctx: Context) -> FieldFacts:
        actor = ctx.one(self.role)
        if being(actor) is None:
            return FieldFacts(self.name, [name for name in weapon_ids() if weapon(name).ranged])
        return FieldFacts(self.name, [*shots_carried(actor)])


def shots_carried(actor: Actor) -> tuple[str, ...]:
    """What somebody carries that strikes from afar; a weapon with a family that is not known is left out."""
    record = being(actor)
    return tuple(dict.fromkeys(
        one.called for one in (record.weapons if record is not None else ())
        if one.serves and (weapon(one.id).ranged if one.id else one.family in RANGED_FAMILIES)))


@rule("SIM-037")
def must_be_loaded(actor: Actor, named: str) -> None:
    """Refuse a weapon whose shots are counted and that has none left."""
    record = being(actor)
    carried = [one for one in (record.weapons if record is not None else ()) if one.called == named]
    if carried and not any(one.serves for one in carried):
        raise EmptyWeapon(weapon=named)


def shots_fired(actor: Actor, order: Order) -> list[Change]:
    """What a shot takes out of the weapon, where the sheet counts it."""
    record = being(actor)
    if record is None or not order.target or not order.band:
        return []
    return [*changed(actor.id, record, "weapons", shot_with(record.weapons, order.weapon), "SIM-037")]


def shooting_fields(role: str) -> tuple[AnyField, ...]:
    """The weapon of a shot, asked for where none is carried, and its letters where they are not the printed ones."""
    held, *letters = weapon_fields(role)
    return (replace(held, type=Shooting(role=role), usual=lambda ctx: next(iter(shots_carried(ctx.one(role))), None),
                    waits=lambda ctx: not shots_carried(ctx.one(role))), *letters)


def _weapons(ctx: Context, role: str) -> tuple[str, ...]:
    """The weapons of the table, and those that the fighter's own sheet names."""
    record = being(ctx.one(role))
    own = [one.name for one in record.weapons if not one.id] if record is not None else []
    return (*own, *weapon_ids())


def fight_of(ctx: Context) -> FightState | None:
    """The fight under way, None where an exchange stands alone."""
    return ctx.state(FightState) if ctx.encounter is not None else None


def side_of(ctx: Context, actor: Actor) -> str:
    """The side of a fighter: as the fight has it; of whoever comes in late, that of those who hold the same role."""
    state = fight_of(ctx)
    placed = {place.id: place.side for place in state.sides} if state is not None else {}
    beside = next((placed[one.id] for one in ctx.all(actor.role) if one.id in placed), actor.role)
    return placed.get(actor.id, beside)


def fighting(ctx: Context) -> tuple[Actor, ...]:
    """Everybody in the exchange, the acting side first."""
    return tuple(actor for role in SIDES for actor in ctx.all(role))


def foes_of(ctx: Context, role: str) -> tuple[str, ...]:
    """The ids of those on other sides than the one asked, as far as whoever asks may know of them."""
    mine = side_of(ctx, ctx.one(role))
    return tuple(actor.id for actor in fighting(ctx) if side_of(ctx, actor) != mine and is_somebody(actor))


def standing_foes(ctx: Context, role: str) -> tuple[str, ...]:
    """Those of them who are still up."""
    return tuple(name for name in foes_of(ctx, role) if name not in _fallen(ctx))


def _fallen(ctx: Context) -> frozenset[str]:
    """Those who no longer stand in the fight under way."""
    state = fight_of(ctx)
    return frozenset(place.id for place in state.sides if not place.standing) if state is not None else frozenset()


def _stood(ctx: Context, role: str) -> Place | None:
    """The place that everybody saw the one asked hold in the last exchange."""
    state, me = fight_of(ctx), ctx.one(role).id
    return next((place for place in state.sides if place.id == me), None) if state is not None else None


def in_hand(ctx: Context, role: str) -> str | None:
    """The weapon that one used last in this fight, else the first that the sheet has; None where there is no sheet."""
    stood, record = _stood(ctx, role), being(ctx.one(role))
    if record is None:
        return stood.weapon or None if stood is not None else None
    carried = [one.called for one in record.weapons]
    serving = [one.called for one in record.weapons if one.serves]
    if stood is not None and stood.weapon and (stood.weapon in serving or stood.weapon not in carried):
        return stood.weapon
    return next(iter(serving), BARE_HANDS)


def held_shield(ctx: Context, role: str) -> str:
    """The shield that everybody saw one come into the fight with, or take up since; else none."""
    stood = _stood(ctx, role)
    return (stood.shield.removeprefix("shield_") if stood is not None else "") or NO_SHIELD


def _usual_foe(ctx: Context, role: str) -> str:
    """Usually one strikes whom one struck before, if he still stands; else the first who does."""
    stood, foes = _stood(ctx, role), standing_foes(ctx, role)
    if stood is not None and stood.target in foes:
        return stood.target
    return next(iter(foes), STRIKES_NOBODY)


def _watched(ctx: Context, role: str) -> tuple[str, ...]:
    """Usually one watches whom one watched before, as long as they stand, or else as many as one can, the target first.

    Whoever shoots watches nobody.
    """
    if _shoots(ctx, role):
        return ()
    target, stood, foes = ctx.value(ctx.one(role), TARGET), _stood(ctx, role), standing_foes(ctx, role)
    before = [name for name in stood.defended if name in foes] if stood is not None else []
    if before and (target in before or target == STRIKES_NOBODY):
        return tuple(before)
    return tuple(sorted(foes, key=lambda name: name != target))[:3]


def _shoots(ctx: Context, role: str) -> bool:
    """Whether the weapon in hand strikes from afar, be it of the table or of the sheet alone; if it may be known."""
    actor = ctx.one(role)
    try:
        named = ctx.value(actor, WEAPON)
    except Withheld:
        return False
    return bool(named) and (named in shots_carried(actor) or (named in weapon_ids() and weapon(named).ranged))


def _goes_on(ctx: Context, role: str) -> str:
    """The action that bonuses hang on: this fight, for whoever keeps their post in it."""
    try:
        return "" if has(ctx, ctx.one(role), LEAVES_POST) or fight_of(ctx) is None else FIGHTING
    except Withheld:
        return FIGHTING


def _may_shoot(ctx: Context, role: str) -> bool:
    """Whether a shot may come of it: the weapon in hand strikes from afar, or, while it is sealed, one carried does."""
    actor = ctx.one(role)
    try:
        return ctx.value(actor, WEAPON) is None or _shoots(ctx, role)
    except Withheld:
        return being(actor) is None or bool(shots_carried(actor))


def is_up(role: str) -> Callable[[Context], bool]:
    """Whether the one asked still fights: the fallen declare nothing."""

    def up(ctx: Context) -> bool:
        return ctx.one(role).id not in _fallen(ctx)

    return up


def may_come_in(ctx: Context) -> bool:
    """Whether those who would be in it are in the fight already, or awake enough to come into it."""
    state = fight_of(ctx)
    placed = {place.id for place in state.sides} if state is not None else set[str]()
    return all_are_awake(replace(ctx, actors=tuple(actor for actor in ctx.actors if actor.id not in placed)))


# From fields to fighters


def fighter_of(ctx: Context, actor: Actor) -> Fighter:
    """A fighter as the move finds him: from the sheet, from the fight, from plain numbers, each over the one before."""
    fighter = _from_record(actor, side_of(ctx, actor))
    placed = _placed(ctx, actor)
    if placed is not None and actor.record is None:
        fighter = placed
    elif placed is not None:
        fighter = replace(fighter, post=placed.post, wounded_at=placed.wounded_at, weapon=placed.weapon,
                          shield=placed.shield, shield_trained=placed.shield_trained)
    return _armed(ctx, actor, _typed(ctx, actor, fighter))


def own_fighter(ctx: Context, actor: Actor) -> Fighter | None:
    """A fighter as his own sheet has him and what he takes in hand; None without one, or where that is sealed."""
    if being(actor) is None:
        return None
    try:
        return _armed(ctx, actor, _typed(ctx, actor, _from_record(actor, actor.role)))
    except Withheld:
        return None


def _placed(ctx: Context, actor: Actor) -> Fighter | None:
    """The fighter as the fight knows him; None of whoever comes into it now, with a sheet of his own."""
    state = fight_of(ctx)
    if state is None:
        return None
    found = next((one for one in state.fighters if one.id == actor.id), None)
    if found is None and actor.record is None:
        raise UnknownName("actor", actor.id, (place.id for place in state.sides))
    return found


def _typed(ctx: Context, actor: Actor, fighter: Fighter) -> Fighter:
    """With the plain numbers of the form over what is known of him."""
    value, armour, training = has(ctx, actor, BASE_VALUE), has(ctx, actor, ARMOUR), has(ctx, actor, TRAINING)
    if value is not None:
        fighter = replace(fighter, armed=value, unarmed=value, ranged=value)
    if armour is not None:
        fighter = replace(fighter, deflect=armour.deflect, hinder=armour.hinder, absorb=armour.absorb)
    if training is not None:
        fighter = replace(fighter, training=training.value)
    level, pv, ps, ep = (has(ctx, actor, asked) for asked in (LEVEL, PV, PS, EP))
    fighter = replace(
        fighter,
        level=fighter.level if level is None else level,
        pv=fighter.pv if pv is None else pv,
        ps=fighter.ps if ps is None else ps,
        ep=fighter.ep if ep is None else ep,
    )
    if not _with_shields(ctx):
        return fighter
    shield, trained = has(ctx, actor, SHIELD), has(ctx, actor, SHIELD_TRAINED)
    return replace(
        fighter,
        shield=fighter.shield if shield is None else "" if shield == NO_SHIELD else shield,
        shield_trained=fighter.shield_trained if trained is None else trained,
    )


def _armed(ctx: Context, actor: Actor, fighter: Fighter) -> Fighter:
    """With the weapon that the form puts in his hand."""
    named, pv, ps = (has(ctx, actor, asked) for asked in (WEAPON, CATEGORY_PV, CATEGORY_PS))
    name = named or fighter.weapon
    if pv or ps:
        printed = weapon(name) if named in weapon_ids() else None  # letters that are not said stay as printed
        letters = (str(printed.pv or ""), str(printed.ps or "")) if printed else ("", "")
        others = [one for one in fighter.own if name not in (one.id, one.name)]
        lettered = Carried(name, category_pv=pv or letters[0], category_ps=ps or letters[1])
        fighter = replace(fighter, own=(lettered, *others))
    return replace(fighter, weapon=name)


def _from_record(actor: Actor, side: str) -> Fighter:
    record = being(actor)
    if record is None:
        return Fighter(actor.id, side, power=PLENTY, speed=PLENTY, precision=PLENTY)
    weapons = record.weapons
    first = (weapons[0].id or weapons[0].name) if weapons else BARE_HANDS
    fighter = Fighter(
        actor.id, side, weapon=first, own=weapons, deflect=record.armour.deflect, hinder=record.armour.hinder,
        absorb=record.armour.absorb, pv=record.life_points, ps=record.breath_points, power=record.power,
        speed=record.speed, precision=record.precision,
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
        malus=record.test_malus,
        bonuses=tuple(_of_this_fight(bonus) for bonus in record.active_energy_bonuses),
    )
    if isinstance(record, Extra):
        return replace(skilled, armed=record.test, unarmed=record.test, ranged=record.test)
    return replace(
        skilled,
        armed=record.body + record.action + record.mechanical,
        unarmed=record.body + record.action + record.human,
        ranged=record.body + record.perception + record.mechanical,
    )


def _of_this_fight(bonus: EnergyBonus) -> EnergyBonus:
    """A bonus as a fight keeps it: sheets written before named the post beside the fight."""
    return replace(bonus, action=FIGHTING) if bonus.action.startswith(f"{FIGHTING} ") else bonus


def order_of(ctx: Context, actor: Actor, fighter: Fighter) -> Order:
    """What a fighter declares, by the fields of the move; a weapon that strikes from afar shoots at normal range."""
    target, held, said = has(ctx, actor, TARGET), has(ctx, actor, WEAPON), has(ctx, actor, BAND)
    named = held or fighter.weapon
    band = said or ("normal" if weapon_of(fighter, named).ranged else "")
    untrained = has(ctx, actor, UNTRAINED)
    dice = has(ctx, actor, DAMAGE_DICE) if ctx.rulings.power_alternative == "on" else 0
    return Order(
        "" if target in (None, STRIKES_NOBODY) else target, named,
        () if band else has(ctx, actor, DEFENDED) or (),
        has(ctx, actor, AIM) or Aim.NONE,
        bool(has(ctx, actor, PULL)),
        spend_of(ctx, actor),
        bool(has(ctx, actor, LEAVES_POST)),
        band,
        sum(factor.points for factor in has(ctx, actor, CIRCUMSTANCES) or ()),
        has(ctx, actor, HINDER_COUNTS) is not False,
        untrained or "",
        dice or 0,
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
    return tuple(_line(fighter, usual, line) for line in ctx.value(actor, PLAN)) or (usual,)


def _line(fighter: Fighter, usual: Order, line: Mapping[str, Any]) -> Order:
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
    return [Telling(f"outcomes.falls_{state.value}", {"name": Who(after.id)}, audience)]


def fighter_changes(actor: Actor, before: Fighter, after: Fighter) -> list[Change]:
    """What an exchange does to a sheet: counters, bonuses that last or end, wounds that want dressing again."""
    record = being(actor)
    if record is None:
        return []
    found: list[Change] = []
    psyche = "energy_points" if isinstance(record, Creature) else "psyche_points"
    values: dict[str, tuple[Value, str]] = {
        "life_points": (after.pv, "SIM-060"),
        "breath_points": (after.ps, "SIM-061"),
    }
    values[psyche] = (after.ep, "SIM-062")
    if not isinstance(record, Creature):
        values["active_energy_bonuses"] = (after.bonuses, "SIM-020")
    if after.pv < before.pv:
        values["wounds"] = (UNTENDED, "SIM-069")
    for path, (value, rule_id) in values.items():
        found += changed(actor.id, record, path, value, rule_id, weight=_weight(before, after, path))
    return found


def _weight(before: Fighter, after: Fighter, path: str) -> Weight:
    """What a change of a fight weighs: a wound, a fall and a death are grave, what is paid or kept up is certain."""
    falls = min(after.pv, after.ps) <= 0 < min(before.pv, before.ps)
    grave = path in ("life_points", "wounds") or (path == "breath_points" and falls)
    return "grave" if grave else "certain"
