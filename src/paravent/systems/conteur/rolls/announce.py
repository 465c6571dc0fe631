"""What a roll asks before the dice: fields of the form, read from plain numbers or from a sheet."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from paravent.dice import ParaventError, best, plain
from paravent.game import (
    Actor,
    Context,
    Field,
    FieldFacts,
    Flag,
    Many,
    OneOf,
    Pills,
    Pips,
    RuleError,
    Rulings,
    Score,
    Telling,
    TextField,
    Whole,
)
from paravent.game.errors import MissingField, NeedsSheet, Withheld
from paravent.game.records import ALL
from paravent.systems.conteur.asked import able, body_parts, energy_field, energy_of, luck_left, without_sheet
from paravent.systems.conteur.energy.luck import check_luck
from paravent.systems.conteur.facts import SKILL_MAX, Attribute, SkillField
from paravent.systems.conteur.health.wounds import hampers
from paravent.systems.conteur.people.character import Character, sheet_of, trade_of

from .complex import Used
from .errors import AgainstOneself, EmptyPool, LuckIsNoTarget, NoDie
from .pool import Action, announced_energy, hand, is_physical, needs_counterpart, pool_size
from .roll import roll, terms_of

MOST_DICE = 8
"""How far dice are compared where no pool is known; of more, the skill is said as a number."""


@dataclass(frozen=True)
class ThrownDice(Whole):
    """How many dice are thrown: from 1 to the pool that the rest of the form gives."""

    role: str = "initiator"
    reflex: bool = False

    def bounds(self, ctx: Context) -> tuple[int | None, int | None]:
        try:
            action = allowed(ctx, ctx.one(self.role), self.reflex)
        except MissingField:
            return 1, MOST_DICE
        if action.skill is None:
            return 1, MOST_DICE
        pool = hand(action._replace(field=""), ctx.rulings).dice
        idle = action.energy_dice and ctx.rulings.idle_energy == "refused"  # a die that was paid for is thrown
        return pool if idle else 1, max(pool, 1)

    def read(self, raw: object, field: str, ctx: Context) -> int:
        number = Whole(None, 2 * SKILL_MAX).read(raw, field, ctx)
        if number < 1:
            raise NoDie()
        with suppress(MissingField):  # asked before the rest: the pool is checked when the dice are thrown
            # Who stands in front of the character is asked beside it, and refused in its own words.
            action = allowed(ctx, ctx.one(self.role), self.reflex)._replace(dice=number, field="")
            if not hand(action, ctx.rulings).dice:
                raise EmptyPool()
        return number

    def describe(self, ctx: Context) -> FieldFacts:
        """The numbers from the whole pool down, each to be weighed beside the others."""
        low, high = self.bounds(ctx)
        return FieldFacts(self.name, [*range(high or 0, max(1, low or 1) - 1, -1)], low, high)


@dataclass(frozen=True)
class EnergyDice(Whole):
    """The dice bought with energy: none on a reflex, one for a human, no more than the gauge holds."""

    role: str = "initiator"
    reflex: bool = False

    def bounds(self, ctx: Context) -> tuple[int | None, int | None]:
        actor = ctx.one(self.role)
        return 0, 0 if self.reflex else min(most_energy_dice(actor), energy_of(ctx, actor))

    def read(self, raw: object, field: str, ctx: Context) -> int:
        number, actor = Whole(0).read(raw, field, ctx), ctx.one(self.role)
        announced_energy(Action(
            1, energy=energy_of(ctx, actor), energy_dice=number, energy_dice_max=most_energy_dice(actor),
            reflex=self.reflex,
        ))
        return number


@dataclass(frozen=True)
class LuckAtHand(Whole):
    """The luck points a player keeps at hand for a roll: no more than the sheet has left."""

    role: str = "initiator"

    def bounds(self, ctx: Context) -> tuple[int | None, int | None]:
        sheet = sheet_of(ctx.one(self.role))
        return 0, 10 if sheet is None else sheet.luck_available

    def read(self, raw: object, field: str, ctx: Context) -> int:
        points = Whole(0).read(raw, field, ctx)
        sheet = sheet_of(ctx.one(self.role))
        return points if sheet is None else check_luck(points, sheet.luck_available)


@dataclass(frozen=True)
class AttributeScore(Score):
    """An attribute of the sheet, or a number; luck is offered only where the table rolls on it (R-24)."""

    def describe(self, ctx: Context) -> FieldFacts:
        allowed = [name for name in Attribute if name != Attribute.LUCK or ctx.rulings.luck_as_target == "true"]
        return FieldFacts(self.name, [plain(name) for name in allowed], self.minimum, self.maximum)


def hurt_limbs(role: str) -> Callable[[Context], tuple[str, ...]]:
    """The limbs of whoever holds the role that would hamper or forbid an action: seriously wounded, or lost."""

    def hurt(ctx: Context) -> tuple[str, ...]:
        sheet = sheet_of(ctx.one(role))
        return () if sheet is None else tuple(limb for limb in sheet.limbs if hampers(limb, sheet.level(limb)))

    return hurt


def skill_names(role: str) -> Callable[[Context], tuple[str, ...]]:
    """The skills of the sheet of whoever holds the role."""

    def names(ctx: Context) -> tuple[str, ...]:
        sheet = sheet_of(ctx.one(role))
        return () if sheet is None else sheet.skill_names

    return names


class Request(NamedTuple):
    """What the game master asks for: attribute and skill, what the action is."""

    attribute: Field[int | str]
    """Luck may be named anyhow, to be refused by its rule where it is not allowed."""
    skill: Field[int | str | None]
    physical: Field[bool]


class Announcement(NamedTuple):
    """What the player announces: limbs, counterpart, energy, number of dice, luck at hand."""

    limbs: Field[tuple[str, ...]]
    skill_field: Field[SkillField | None]
    counterpart: Field[str]
    energy: Field[int | None]
    energy_dice: Field[int]
    dice: Field[int | None]
    luck: Field[int]


def asked_of(role: str = "initiator", secrecy: str = "open") -> Request:
    """What the game master asks of whoever holds a role."""
    return Request(
        Field("attribute", AttributeScore(Attribute, 1, 10), role, secrecy=secrecy, rule="D10-002", kept_with="skill",
              place="essential", shape=Pills(weighed=False)),
        Field("skill", Score(skill_names(role), 0, SKILL_MAX), role, optional=True, secrecy=secrecy, rule="D10-035",
              place="essential", shape=Pills(weighed=False)),
        Field("physical", Flag(), role, usual=lambda ctx: usually_physical(ctx, role), secrecy=secrecy, rule="D10-005",
              place="refinement"),
    )


def announced_by(role: str = "initiator", secrecy: str = "open", reflex: bool = False, alone: bool = False,
                 ) -> Announcement:
    """What whoever holds a role announces; of a roll that stands ``alone`` it is told when fewer dice are wiser."""
    return Announcement(
        # Only whoever acts is waited for: of an opponent whom others may not know, waiting would tell of a wound.
        Field("limbs", Many(OneOf(body_parts(role, limbs=True), hurt_limbs(role)), distinct=True), role, usual=(),
              waits=role == "initiator", when=lambda ctx: bool(hurt_limbs(role)(ctx)), secrecy=secrecy,
              rule="D10-040", place="essential"),
        Field("skill_field", OneOf(SkillField), role, optional=True, when=without_sheet(role), secrecy=secrecy,
              rule="D10-037", place="rarity"),
        Field("counterpart", TextField(200), role, when=lambda ctx: lacks_counterpart(ctx, role), secrecy=secrecy,
              rule="D10-038", place="essential"),
        energy_field(role, secrecy),
        Field("energy_dice", EnergyDice(role=role, reflex=reflex), role, usual=0, secrecy=secrecy, rule="D10-061",
              when=lambda ctx: not reflex and energy_of(ctx, ctx.one(role)) > 0, place="essential",
              shape=Pips("energy")),
        Field("dice", ThrownDice(role=role, reflex=reflex), role, usual=lambda ctx: whole_pool(ctx, role, reflex),
              optional=True, secrecy=secrecy, rule="D10-004", when=lambda ctx: knows_pool(ctx, role, reflex),
              place="essential", shape=Pills(told=fewer_are_wiser(reflex) if alone else None)),
        Field("luck", LuckAtHand(role=role), role, usual=lambda ctx: luck_left(ctx.one(role)), secrecy="own",
              probes=(0,), rule="D10-030", place="rarity"),
    )


def fewer_are_wiser(reflex: bool) -> Callable[[Context, int], Telling | None]:
    """Of a number of dice, how many fewer would pass more often: each die is also a chance of a 10."""

    def told(ctx: Context, number: int) -> Telling | None:
        needed = ctx.value(ctx.one("gm"), ctx.move.field("difficulty", "gm"))
        if not isinstance(needed, int):
            return None
        thrown = hand(allowed(ctx, ctx.one(), reflex)._replace(dice=number, field=""), ctx.rulings)
        chances = {dice: chance_of(dice, thrown.attribute, needed, ctx.rulings) for dice in range(1, number + 1)}
        wisest = max(chances, key=lambda dice: (chances[dice], -dice))
        return None if chances[wisest] == chances[number] else Telling("outcomes.fewer_wiser", {"n": wisest})

    return told


@lru_cache(4096)
def chance_of(dice: int, attribute: int, difficulty: int, rulings: Rulings) -> Fraction:
    """How often so many dice pass under best use of rights; no luck."""
    terms = terms_of(dice, attribute, difficulty, rulings)
    return best(roll, 0, terms, goal=lambda rolled: rolled.passed).value


ATTRIBUTE, SKILL, PHYSICAL = asked_of()
LIMBS, SKILL_FIELD, COUNTERPART, _, ENERGY_DICE, DICE, LUCK = announced_by()


def most_energy_dice(actor: Actor) -> int:
    """The dice that energy may buy for a roll: one, unless the sheet says more."""
    sheet = sheet_of(actor)
    return 1 if sheet is None else sheet.energy_dice_max


def usually_physical(ctx: Context, role: str) -> bool:
    """Rolls on constitution or dexterity are physical actions; a bare number says nothing."""
    value = ctx.value(ctx.one(role), ATTRIBUTE)
    return isinstance(value, str) and is_physical(value)


def action_of(ctx: Context, actor: Actor, reflex: bool = False) -> Action:
    """The announcement of an actor, as the rules read it; it says a skill, or at least how many dice.

    Whoever has a sheet and names no skill of it rolls without one: condition and energy alone add dice. Whoever would
    then have none is asked for the skill. People made in a line have the dice that were said, whatever they do.
    """
    action = announced(ctx, actor, reflex)
    if action.skill is not None or action.dice is not None:
        return action
    if actor.record is None:
        raise MissingField(field=SKILL.id, role=actor.role)
    trade = trade_of(actor.sheet(Character))
    action = action._replace(skill=0 if trade is None else trade.value)
    asked = _may_be_asked(ctx, actor) and bool(actor.sheet(Character).skills)
    if asked and not hand(action._replace(field=""), ctx.rulings).dice:
        raise MissingField(field=SKILL.id, role=actor.role)
    return action


def _may_be_asked(ctx: Context, actor: Actor) -> bool:
    """Whoever acts, and an opponent of whom all know and hear everything: elsewhere, who is awaited would tell."""
    if actor.role == "initiator":
        return True
    return ALL in actor.audience and ctx.move.field(SKILL.id, actor.role).secrecy == "open"


def announced(ctx: Context, actor: Actor, reflex: bool = False) -> Action:
    """The announcement of an actor as far as it goes."""
    return allowed(ctx, actor, reflex)._replace(dice=ctx.value(actor, DICE))


def whole_pool(ctx: Context, role: str, reflex: bool) -> int | None:
    """As many dice as allowed, which is what people throw unless they say otherwise; none are said of no pool."""
    action = allowed(ctx, ctx.one(role), reflex)
    return None if action.skill is None else hand(action._replace(field=""), ctx.rulings).dice or None


def allowed(ctx: Context, actor: Actor, reflex: bool = False) -> Action:
    """What an actor may throw, before they say how many dice."""
    sheet = sheet_of(actor)
    if ctx.value(actor, ATTRIBUTE) == Attribute.LUCK and ctx.rulings.luck_as_target != "true":
        raise LuckIsNoTarget()
    skill, field = _skill(ctx, actor)
    limbs = dict.fromkeys(ctx.value(actor, LIMBS) or ())
    if limbs and sheet is None:
        raise NeedsSheet(field=LIMBS.id, got=", ".join(limbs), role=actor.role)
    sides = other_sides(ctx, actor)
    return Action(
        attribute=ctx.score(actor, ATTRIBUTE),
        skill=skill,
        energy=energy_of(ctx, actor),
        physical=ctx.value(actor, PHYSICAL),
        limbs=() if sheet is None else tuple(sheet.level(limb) for limb in limbs),
        torso=0 if sheet is None else sheet.level("torso"),
        energy_dice=ctx.value(actor, ENERGY_DICE) or 0,
        energy_dice_max=most_energy_dice(actor),
        reflex=reflex,
        field=field,
        counterpart=str(actor.filled.get(COUNTERPART.id) or "") or "".join(sides[:1]),
        unconscious=sheet is not None and sheet.helpless,
    )


def luck_at_hand(ctx: Context, actor: Actor) -> int:
    """The luck points that an actor keeps at hand; of somebody whose luck one may not know, none are supposed."""
    try:
        return ctx.value(actor, LUCK)
    except Withheld:
        return 0


def against_another(ctx: Context) -> bool:
    """Whether two sides stand against each other: nobody opposes themselves."""
    if {actor.id for actor in ctx.all()} & {actor.id for actor in ctx.all("opponent")}:
        raise AgainstOneself()
    return True


def used_by(ctx: Context, actor: Actor) -> Used:
    """What an actor rolls with."""
    skill = ctx.value(actor, SKILL)
    return Used(str(ctx.value(actor, ATTRIBUTE)), "" if skill is None else str(skill))


def knows_pool(ctx: Context, role: str, reflex: bool = False) -> bool:
    """Whether the number of dice can be chosen: once attribute and skill are said and give one, or where no sheet says
    any."""
    actor = ctx.one(role)
    if actor.record is None or DICE.id in actor.filled:
        return True
    asked = (ctx.move.field(name, role) for name in (ATTRIBUTE.id, SKILL.id))
    if not all(one.id in actor.filled or callable(one.usual) for one in asked):
        return False
    try:
        return whole_pool(ctx, role, reflex) is not None or _skill(ctx, actor)[0] is None
    except ParaventError:
        return True  # what the rules have against it is said when it is tried


def other_sides(ctx: Context, actor: Actor) -> list[str]:
    """Those who stand against an actor in the same move."""
    return [other.id for other in ctx.actors if other.role in ("initiator", "opponent") and other.id != actor.id]


def may_have_dice(role: str = "initiator") -> Callable[[Context], bool]:
    """Whether whoever holds the role could have a die to throw at all: their best skill, their condition, energy."""

    def may(ctx: Context) -> bool:
        if not able(role)(ctx) or ctx.one(role).record is None:
            return able(role)(ctx)
        sheet = ctx.one(role).sheet(Character)
        try:
            skill = max((known.value for known in sheet.skills), default=0)
            most = Action(1, skill, energy=sheet.energy, energy_dice=min(sheet.energy, sheet.energy_dice_max),
                          energy_dice_max=sheet.energy_dice_max)
            return pool_size(most, ctx.rulings) > 0 or ctx.rulings.empty_pool != "impossible"
        except RuleError:
            return False
        except Withheld:
            return True

    return may


def lacks_counterpart(ctx: Context, role: str) -> bool:
    """Whether the skill needs somebody in front of the character, and nobody is in the move."""
    actor = ctx.one(role)
    return not other_sides(ctx, actor) and needs_counterpart(_skill(ctx, actor)[1])


def _skill(ctx: Context, actor: Actor) -> tuple[int | None, str]:
    """The dice of the skill and its family; no dice at all where only their number was given."""
    named, sheet = ctx.value(actor, SKILL), sheet_of(actor)
    if named is None or isinstance(named, int):
        return named, ctx.value(actor, SKILL_FIELD) or ""
    known = None if sheet is None else sheet.skill(named)
    return (known.value, known.field) if known is not None else (0, "")
