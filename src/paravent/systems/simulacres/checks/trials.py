"""A test as a move asks it: plain numbers as typed, or names looked up on a sheet.

A move asks the same fields of everyone; they become the terms of a test value, each with its name, so that a player can
see where a value comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar

from paravent.dice import Dice
from paravent.game import (
    Actor,
    AnyField,
    Context,
    Field,
    FieldFacts,
    Flag,
    MissingField,
    OneOf,
    Phrase,
    Pills,
    Score,
    TextField,
    Who,
    Whole,
)
from paravent.systems.simulacres.actors import Person, being, has, in_campaign, must_be_awake, person
from paravent.systems.simulacres.care.health import last_point_malus
from paravent.systems.simulacres.people.campaign import campaign_term, is_printed, noted_level, talent_level
from paravent.systems.simulacres.people.cast import Creature, Extra
from paravent.systems.simulacres.people.character import Character, rank_on
from paravent.systems.simulacres.people.skills import is_genius, is_hobby
from paravent.systems.simulacres.terms import TABLES, Component, Means, Rank, Realm

from .check import Attempt, Edge, Modifier, Setting, Trial, difficulty, edge_of, hindered, privilege, realm_value
from .common import (
    CommonTest,
    acts,
    asks_realm,
    common_test,
    has_difficulty,
    is_contested,
    realms_of,
    situation_of_act,
    trail_difficulty,
    untrained,
)
from .difficulties import DIFFICULTY, difficulty_terms, hides
from .energies import PLENTY
from .errors import NoDifficulty, NotRead
from .other_uses import power_dice, wider_edge
from .spending import ENERGIES, energy_terms, paid_by, spend_of

P = ParamSpec("P")
R = TypeVar("R")
GENIUS_LEVEL = 3
"""What genius is worth in a campaign."""
Named = int | str | None
"""A number as typed, the name of a value on the sheet, or nothing."""



@dataclass(frozen=True)
class SkillName(TextField):
    """A skill by its name: one of those on the sheet of whoever holds ``role``, or any other where there is none."""

    role: str = "initiator"

    def describe(self, ctx: Context) -> FieldFacts:
        names = skills_on(ctx, self.role)
        return FieldFacts("one-of", [*names]) if names else super().describe(ctx)


def skills_on(ctx: Context, role: str) -> tuple[str, ...]:
    """The skills on the sheet of whoever holds a role: trades, talents, hobbies, and talents with a level.

    In a campaign a trade or a talent without a level, noted or printed, has nothing to add.
    """
    sheet = person(ctx.one(role))
    if sheet is None:
        return ()
    named, hobbies = [skill.name for skill in (*sheet.trades, *sheet.talents)], [one.name for one in sheet.hobbies]
    if in_campaign(ctx):
        named = [name for name in named if _has_level(sheet, name)] + [line.name for line in sheet.talent_levels]
    genius = [name] if (name := getattr(sheet, "genius", "")) else []
    return tuple(dict.fromkeys((*genius, *named, *hobbies)))


def _has_level(sheet: Person, name: str) -> bool:
    """Whether a campaign knows how good somebody is at a talent; without a level, an X is impossible."""
    known = noted_level(sheet.talent_levels, name) is not None or is_printed(name)
    return known and talent_level(sheet.talent_levels, name) is not None


def _own_sum(ctx: Context, role: str) -> int:
    """What somebody brings to a test, before the difficulty: the running sum of the phrase."""
    return sum(term.points for term in own_terms(ctx, ctx.one(role)))


def _realms(ctx: Context, role: str) -> tuple[Realm, ...]:
    """What a test may bear on: of a common one, what the book names for it."""
    act = has(ctx, ctx.one(role), COMMON)
    return realms_of(act) if act else tuple(Realm)


def _without_a_sheet(role: str) -> Callable[[Context], bool]:
    return lambda ctx: ctx.one(role).record is None


TRIPLE = ("component", "means", "realm")
VALUE: Field[int | None] = Field("value", Whole(), optional=True, rule="SIM-002", place="rarity")
COMPONENT: Field[Named] = Field("component", Score(Component), optional=True, rule="SIM-002", place="essential",
                                  kept_with="skill")
MEANS: Field[Named] = Field("means", Score(Means), optional=True, rule="SIM-002", place="essential",
                              kept_with="skill")
REALM: Field[Named] = Field("realm", Score(Realm), optional=True, rule="SIM-002", place="essential",
                              kept_with="skill")
SKILL: Field[str | None] = Field("skill", SkillName(80), optional=True, rule="SIM-013", place="essential",
                                 shape=Pills())
RANK: Field[Rank | None] = Field("rank", OneOf(Rank), optional=True, rule="SIM-013", place="rarity")
LEVEL: Field[int | None] = Field("level", Whole(-4, 3), optional=True, rule="SIM-A07", when=in_campaign, place="rarity")


def _on_the_untrained_scale(ctx: Context) -> bool:
    return ctx.rulings.untrained_scale == "on"


COMMON: Field[str | None] = Field("common", OneOf(lambda ctx: acts(secret=False)), optional=True, rule="SIM-078",
                                  place="essential", sought=True)
TALENT: Field[str | None] = Field(
    "talent", OneOf(lambda ctx: tuple(dict.fromkeys(row[1] for row in TABLES["talents"].rows))),
    optional=True, rule="SIM-092", when=_on_the_untrained_scale, place="refinement",
)
PERIOD: Field[str | None] = Field(
    "period", OneOf(("medieval", "modern")), optional=True, rule="SIM-092", when=_on_the_untrained_scale,
    place="rarity",
)
ATTEMPT: Field[Attempt] = Field(
    "attempt", OneOf(Attempt), "gm", usual=Attempt.UNCERTAIN, rule="SIM-001", place="refinement",
)
HINDER: Field[bool | None] = Field(
    "hinder", Flag(), "gm", usual=False, rule="SIM-058", when=lambda ctx: ctx.rulings.hinder_shooting == "gm",
    place="refinement",
)
SKILL_APPLIES: Field[bool] = Field(
    "skill_applies", Flag(), "gm", usual=True, rule="SIM-013", place="refinement",
    when=lambda ctx: bool(has(ctx, ctx.one(), SKILL) or has(ctx, ctx.one(), RANK)),
)


def triple_fields(role: str = "initiator", secrecy: str = "open") -> tuple[AnyField, ...]:
    """What acts, how, on what, read as one phrase with its running sum; or the whole value at once."""
    phrase = Phrase(TRIPLE, lambda ctx: _own_sum(ctx, role))
    realm = replace(REALM, type=Score(Realm, offered=lambda ctx: _realms(ctx, role)), upon=COMMON.id)
    asked: tuple[AnyField, ...] = (VALUE, replace(COMPONENT, shape=phrase), MEANS, realm)
    return tuple(replace(field, role=role, secrecy=secrecy) for field in asked)


def given_triple(role: str = "initiator") -> tuple[AnyField, ...]:
    """The same where a rule says what acts, how and on what: it is seldom said otherwise."""
    return tuple(replace(field, place="rarity", shape=None) for field in triple_fields(role))


def skill_fields(role: str = "initiator", secrecy: str = "open") -> tuple[AnyField, ...]:
    """The skill that covers the act, by its name on the sheet or by its rank."""
    asked: tuple[AnyField, ...] = (
        replace(SKILL, type=SkillName(80, role=role)), replace(RANK, when=_without_a_sheet(role)), LEVEL,
    )
    return tuple(replace(field, role=role, secrecy=secrecy) for field in asked)


def named_means(ctx: Context, actor: Actor) -> list[str]:
    """What somebody openly acts with, by name: the act, the skill, or what acts, how and on what."""
    asked = [one for one in (COMMON, SKILL, COMPONENT, MEANS, REALM) if ctx.asks(one)
             and ctx.move.field(one.id, actor.role).secrecy == "open"]
    named = {one.id: value for one in asked if isinstance(value := has(ctx, actor, one), str) and value}
    if COMMON.id in named:
        return [named[COMMON.id]]
    return [named[SKILL.id]] if SKILL.id in named else list(named.values())


# From fields to numbers


def rank_of(ctx: Context, actor: Actor) -> Rank:
    """The rank of the skill used: as typed, or that of the skill named on the sheet."""
    typed, name, sheet = has(ctx, actor, RANK), has(ctx, actor, SKILL), person(actor)
    if has(ctx, ctx.one("gm"), SKILL_APPLIES) is False:
        return Rank.NONE
    if typed is not None:
        return typed
    if not name:
        return Rank.NONE
    if in_campaign(ctx):
        return Rank.HOBBY if sheet is not None and is_hobby(sheet, name) else Rank.NONE
    if sheet is None:
        raise MissingField(field=RANK.id, role=actor.role)
    return rank_on(sheet, name)


def score_term(
    ctx: Context, actor: Actor, asked: Field[Named], usual: Component | Means | Realm | None = None
) -> Modifier:
    """One number of a triple: as typed, or by name on the sheet."""
    given = has(ctx, actor, asked)
    given = usual if given is None else given
    if given is None:
        raise MissingField(field=asked.id, role=actor.role)
    if isinstance(given, int):
        return Modifier(asked.id, given)
    if isinstance(given, Realm) and given in (Realm.VOID, Realm.NONE):
        return Modifier("no_realm" if given is Realm.NONE else "void", realm_value(given, {}, ctx.rulings))
    record = being(actor)
    if record is None or not hasattr(type(record), given):
        raise MissingField(field=asked.id, role=actor.role)
    if isinstance(given, Realm):
        return Modifier(given.value, realm_value(given, {given.value: getattr(record, given)}, ctx.rulings))
    return Modifier(str(given), int(getattr(record, given)))


class Usual(NamedTuple):
    """The triple that stands when nothing else is said: a common test, a ready form of the rules."""

    component: Component | None = None
    means: Means | None = None
    realm: Realm | None = None


def base_terms(ctx: Context, actor: Actor, usual: Usual = Usual()) -> tuple[Modifier, ...]:  # noqa: B008
    """The base of a test: a value as typed, an extra's one value, a creature's, or component + means + realm."""
    value, record = has(ctx, actor, VALUE), being(actor)
    if value is not None:
        _nothing_beside(ctx, actor)
        return (Modifier("value", value),)
    if isinstance(record, Extra):
        return (Modifier("category", record.test),)
    if isinstance(record, Creature):
        means = has(ctx, actor, MEANS) or usual.means
        name = "perception" if means == Means.PERCEPTION else "combat"
        return (Modifier(name, getattr(record, name)),)
    return (
        score_term(ctx, actor, COMPONENT, usual.component),
        score_term(ctx, actor, MEANS, usual.means),
        score_term(ctx, actor, REALM, usual.realm),
    )


def _nothing_beside(ctx: Context, actor: Actor) -> None:
    """Refuse a number of the triple beside a whole value: it would not be read. A name still says what acts."""
    unread = [asked.id for asked in (COMPONENT, MEANS, REALM) if isinstance(has(ctx, actor, asked), int)]
    if unread:
        raise NotRead(fields=unread)


def state_terms(
    ctx: Context, actor: Actor, component: Named = None, means: Named = None
) -> tuple[Modifier, ...]:
    """What the state of a character takes off a test: armour of the body, the last point of body and mind, ailments."""
    record, sheet = being(actor), person(actor)
    if record is None:
        return ()
    taken = []
    if isinstance(component, Component) and isinstance(means, Means):
        gm_says = bool(has(ctx, ctx.one("gm"), HINDER))
        if hindered(component, means, ctx.rulings, gm_says=gm_says):
            taken.append(Modifier("hinder", -record.armour.hinder))
    if ctx.rulings.last_point_malus != "off" and component not in (Component.INSTINCTS, Component.HEART):
        psyche = sheet.psyche_points if sheet is not None else PLENTY
        malus = last_point_malus(record.life_points, record.breath_points, psyche, ctx.rulings)
        taken.append(Modifier("last_point", malus))
    taken.append(Modifier("ailments", sheet.test_malus if sheet is not None else 0))
    return tuple(term for term in taken if term.points)


def skill_terms(ctx: Context, actor: Actor, rank: Rank) -> tuple[Modifier, ...]:
    """What a skill adds; a value typed whole counts it already."""
    if has(ctx, actor, VALUE) is not None:
        return ()
    if in_campaign(ctx):
        level = level_of(ctx, actor)
        return (Modifier("level", level),) if level else ()
    if rank is Rank.NONE:
        return ()
    return (Modifier(rank.value, privilege(rank, 0, Setting.DUEL, ctx.rulings).bonus),)


def level_of(ctx: Context, actor: Actor) -> int:
    """The level of the talent used in a campaign: as typed, as noted on the sheet, or its base; 0 without a talent."""
    if not in_campaign(ctx):
        return 0
    typed, name, sheet = has(ctx, actor, LEVEL), has(ctx, actor, SKILL), person(actor)
    if has(ctx, ctx.one("gm"), SKILL_APPLIES) is False:
        return 0
    if typed is not None:
        return typed
    if not name or (sheet is not None and is_hobby(sheet, name)):
        return 0
    if sheet is not None and is_genius(sheet, name):
        return GENIUS_LEVEL
    return campaign_term(name, talent_level(sheet.talent_levels if sheet is not None else (), name))


def common_of(ctx: Context, actor: Actor) -> CommonTest | None:
    """The ready form chosen, on the realm named if one is; where the place decides the realm, it must be said."""
    act = has(ctx, actor, COMMON)
    if not act:
        return None
    realm = has(ctx, actor, REALM)
    if realm is None and has(ctx, actor, VALUE) is None and isinstance(being(actor), Character) and asks_realm(act):
        raise MissingField(field=REALM.id, role=actor.role)
    return common_test(act, realm if isinstance(realm, Realm) else None)


def usual_of(common: CommonTest | None) -> Usual:
    """The triple of a common test."""
    return Usual(common.component, common.means, common.realm) if common else Usual()


def situation_of(ctx: Context, actor: Actor) -> str:
    """The line of the energies table that a common test stands under, if any."""
    act = has(ctx, actor, COMMON)
    return situation_of_act(act or "")


def own_terms(ctx: Context, actor: Actor) -> tuple[Modifier, ...]:
    """What somebody brings to a test, whatever the difficulty: base, skill, state, energies."""
    common = common_of(ctx, actor)
    usual, rank = usual_of(common), rank_of(ctx, actor)
    component, means = has(ctx, actor, COMPONENT) or usual.component, has(ctx, actor, MEANS) or usual.means
    return (
        *base_terms(ctx, actor, usual),
        *untrained_terms(ctx, actor, rank),
        *skill_terms(ctx, actor, rank),
        *state_terms(ctx, actor, component, means),
        *energy_terms(ctx, actor, paid_by(ctx, actor, situation=situation_of(ctx, actor))),
    )


def untrained_terms(ctx: Context, actor: Actor, rank: Rank) -> tuple[Modifier, ...]:
    """What the lack of a talent costs, where the table counts it."""
    lacking, period = has(ctx, actor, TALENT), has(ctx, actor, PERIOD)
    lack = untrained(lacking, period or "", ctx.rulings) if lacking and rank is Rank.NONE else 0
    return (Modifier("untrained", lack),) if lack else ()


def circumstances_of(ctx: Context, actor: Actor) -> tuple[Modifier, ...]:
    """The difficulties of a test: a trail is hard at least, and whoever may resist is all that makes it hard."""
    factors, act = difficulty_terms(ctx), has(ctx, actor, COMMON)
    if act == "track":
        hard = trail_difficulty([factor.points for factor in factors])
        return factors or (Modifier("hard", hard[0]),)
    if act and not has_difficulty(act) and any(factor.points for factor in factors):
        raise NoDifficulty(act=act)
    return factors


def trial_of(ctx: Context, actor: Actor) -> Trial:
    """The whole test of an actor: base, difficulties, skill, state, energies, untrained scale."""
    must_be_awake(actor, ctx.rulings)
    own = own_terms(ctx, actor)
    base = base_terms(ctx, actor, usual_of(common_of(ctx, actor)))
    terms = (*base, *circumstances_of(ctx, actor), *own[len(base):])
    return Trial(terms, edge(ctx, actor, rank_of(ctx, actor)), has(ctx, ctx.one("gm"), ATTEMPT) or Attempt.UNCERTAIN)


def suffices(ctx: Context, actor: Actor) -> bool:
    """Whether somebody's skill makes an ordinary act sure at a difficulty that is said: then no dice are needed."""
    gm = ctx.one("gm")
    if hides(ctx) or (ctx.asks(DIFFICULTY) and DIFFICULTY.id not in gm.filled) or has(ctx, actor, VALUE) is not None:
        return False
    if (has(ctx, gm, ATTEMPT) or Attempt.UNCERTAIN) is not Attempt.UNCERTAIN:
        return False
    act, rank = has(ctx, actor, COMMON) or "", rank_of(ctx, actor)
    if rank is Rank.NONE or is_contested(act):
        return False
    hard = difficulty(term.points for term in circumstances_of(ctx, actor))
    return privilege(rank, hard, Setting.ORDINARY, ctx.rulings).automatic


def edge(
    ctx: Context, actor: Actor, rank: Rank, announced: Sequence[Field[dict[str, int] | None]] = (ENERGIES,)
) -> Edge:
    """When a test is critical and what dice that brings: by rank, by talent level in a campaign, by options."""
    spend = spend_of(ctx, actor, announced)
    wide = wider_edge(edge_of(rank), level_of(ctx, actor), spend.precision_range, ctx.rulings)
    return wide._replace(extra_dice=power_dice(spend.power_dice, ctx.rulings))


# Explanations

Told = tuple[tuple[str, Modifier], ...]
"""Terms of several values, each with the role whose it is."""


def told_by(role: str, terms: Sequence[Modifier]) -> Told:
    """Terms under the role whose value they make up; those of 0 say nothing."""
    return tuple((role, term) for term in terms if term.points)


def explained(
    dice: Dice, rule: Callable[Concatenate[Dice, P], R], terms: Told, *args: P.args, **kwargs: P.kwargs
) -> R:
    """A rule, after the terms of the values it is given: where each comes from."""
    several = len({role for role, _ in terms}) > 1
    for role, term in terms:
        if several:
            dice.of(role).note("SIM-002", "term_of", name=term.name, points=term.points, who=Who(role))
        else:
            dice.of(role).note("SIM-002", "term", name=term.name, points=term.points)
    return dice.then(rule, *args)
