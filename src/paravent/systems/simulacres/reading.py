"""How a move reads people: plain numbers as typed, or names looked up on a sheet.

A move asks the same fields of everyone; :func:`terms` turns them into the terms of a test value, each with its name, so
that a player can see where a value comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from paravent.dice import Dice
from paravent.game import (
    Actor,
    AnyField,
    Change,
    Context,
    Field,
    Flag,
    MissingField,
    OneOf,
    Score,
    TextField,
    Whole,
    changed,
)
from paravent.game.errors import BadValue
from paravent.game.fields import AnyType, FieldType, Group

from .campaign import campaign_term, noted_level, talent_level
from .cast import Creature, Extra
from .character import Character, find_rank, plain_name, rank_on
from .check import (
    Attempt,
    Edge,
    Modifier,
    Setting,
    Trial,
    difficulty,
    edge_of,
    hindered,
    named_difficulty,
    privilege,
    realm_value,
)
from .common import CommonTest, common_test, situation_of_act, trail_difficulty, untrained
from .energies import PLENTY, Paid, Reserve, Spend, check_fit, pay, sustain, sustained
from .health import CareSkill, last_point_malus
from .optional import power_dice, wider_edge
from .terms import TABLES, Component, Energy, Means, Rank, Realm

GENIUS_LEVEL = 3
"""What genius is worth in a campaign."""
PROBES = (-4, -2, -1, 0, 1, 2, 4)
"""The named difficulties: odds are shown for each where the true one is hidden."""


@dataclass(frozen=True)
class Factors(FieldType[Any]):
    """Difficulties that add up: numbers, named steps (``hard``), or either with a label (``rain:-2``)."""

    name = "many"

    def read(self, raw: Any, field: str, ctx: Context) -> tuple[Modifier, ...]:
        if isinstance(raw, (list, tuple)) and not isinstance(raw, Modifier):
            parts: Sequence[Any] = raw
        else:
            parts = [raw] if not isinstance(raw, str) else [part for part in raw.split(",") if part.strip()]
        return tuple(self._one(part, field, ctx) for part in parts)

    def _one(self, part: Any, field: str, ctx: Context) -> Modifier:
        if isinstance(part, Modifier):
            return part
        if isinstance(part, Mapping):
            return Modifier(str(part["name"]), Whole().read(part["points"], field, ctx))
        label, _, number = str(part).rpartition(":")
        step = number.strip()
        if step in TABLES["difficulty"].keys():  # noqa: SIM118 (a table is not a mapping)
            return Modifier(label.strip() or step, named_difficulty(step))
        return Modifier(label.strip() or "difficulty", Whole().read(step, field, ctx))

    def describe(self, ctx: Context) -> dict[str, Any]:
        steps = list(TABLES["difficulty"].keys())
        return {"type": self.name, "of": {"type": "score", "options": steps, "minimum": None, "maximum": None},
                "least": 0, "most": None}


@dataclass(frozen=True)
class Commitment(Group):
    """Energies announced and how they are paid: ``power:1,ep:1``; unpaid points are paid in PS."""

    parts: Mapping[str, AnyType] = field(default_factory=lambda: {name: Whole(0) for name in Spend._fields})
    defaults: Mapping[str, Any] = field(default_factory=lambda: dict.fromkeys(Spend._fields, 0))

    def read(self, raw: Any, field: str, ctx: Context) -> dict[str, Any]:
        if isinstance(raw, str):
            pairs = [part.replace("=", ":").partition(":") for part in raw.split(",") if part.strip()]
            if any(not colon for _, colon, _ in pairs):
                raise BadValue(field=field, got=raw, expected="mapping")
            raw = {name.strip(): number.strip() for name, _, number in pairs}
        return super().read(raw, field, ctx)


# Fields that several moves ask


def in_campaign(ctx: Context) -> bool:
    """Whether the table plays by the campaign rules."""
    return ctx.rulings.ruleset == "campaign"



def triple_fields(role: str = "initiator", secrecy: str = "open") -> tuple[AnyField, ...]:
    """What acts, how, on what; or the whole value at once."""
    return (
        Field("value", Whole(), role, optional=True, secrecy=secrecy, rule="SIM-002"),
        Field("component", Score(Component), role, optional=True, secrecy=secrecy, rule="SIM-002"),
        Field("means", Score(Means), role, optional=True, secrecy=secrecy, rule="SIM-002"),
        Field("realm", Score(Realm), role, optional=True, secrecy=secrecy, rule="SIM-002"),
    )


def known_skills(role: str) -> Callable[[Context], tuple[str, ...]]:
    """The skills on the sheet of whoever holds a role."""

    def names(ctx: Context) -> tuple[str, ...]:
        record = ctx.one(role).record
        listed = (getattr(record, part, ()) for part in ("trades", "talents", "hobbies"))
        return tuple(skill.name for skills in listed for skill in skills)

    return names


def skill_fields(role: str = "initiator", secrecy: str = "open") -> tuple[AnyField, ...]:
    """The skill that covers the act, by its name on the sheet or by its rank."""
    return (
        Field("skill", TextField(80, known_skills(role)), role, optional=True, secrecy=secrecy, rule="SIM-013"),
        Field("rank", OneOf(Rank), role, optional=True, secrecy=secrecy, rule="SIM-013"),
        Field("level", Whole(-4, 3), role, optional=True, secrecy=secrecy, rule="SIM-A07", when=in_campaign),
    )


def energy_fields(role: str = "initiator", **more: Any) -> tuple[AnyField, ...]:
    """Energies announced, and the name of the action that an EP bonus lasts for."""
    return (
        Field("energies", Commitment(), role, usual=None, rule="SIM-015", **more),
        Field("action_label", TextField(80), role, usual="", rule="SIM-020"),
    )


DIFFICULTY = Field("difficulty", Factors(), "gm", usual=(), rule="SIM-005")
HIDE_DIFFICULTY = Field("hide_difficulty", Flag(), "gm", usual=False, rule="SIM-024")
HIDDEN_DIFFICULTY = Field(
    "hidden_difficulty", Whole(), "gm", usual=0, secrecy="gm", probes=PROBES, rule="SIM-024",
    when=lambda ctx: bool(ctx["hide_difficulty"]),
)
DIFFICULTIES = (DIFFICULTY, HIDE_DIFFICULTY, HIDDEN_DIFFICULTY)
MINUTES = Field("minutes", Whole(0), "gm", usual=0, rule="SIM-021")
SITUATION = Field("situation", OneOf(lambda ctx: TABLES["energies"].keys()), "gm", optional=True, rule="SIM-022")


# From fields to numbers


def has(ctx: Context, actor: Actor, name: str) -> Any:
    """What a field holds, None where the move does not ask it or nothing is filled in."""
    if not any(asked.id == name and asked.role == actor.role for asked in ctx.move.fields):
        return None
    return ctx.value(actor, name)


def rank_of(ctx: Context, actor: Actor) -> Rank:
    """The rank of the skill used: as typed, or that of the skill named on the sheet."""
    typed, name = has(ctx, actor, "rank"), has(ctx, actor, "skill")
    if typed is not None:
        return Rank(typed)
    if not name:
        return Rank.NONE
    if in_campaign(ctx):
        return Rank.HOBBY if _is_hobby(actor.record, name) else Rank.NONE
    if actor.record is None or not hasattr(actor.record, "trades"):
        raise MissingField(field="rank", role=actor.role)
    return rank_on(actor.record, name)


def score_term(ctx: Context, actor: Actor, name: str, usual: Any) -> Modifier:
    """One number of a triple: as typed, or by name on the sheet."""
    given = has(ctx, actor, name)
    given = usual if given is None else given
    if given is None:
        raise MissingField(field=name, role=actor.role)
    if isinstance(given, int):
        return Modifier(name, given)
    if isinstance(given, Realm) and given in (Realm.VOID, Realm.NONE):
        return Modifier("no_realm" if given is Realm.NONE else "void", realm_value(given, {}, ctx.rulings))
    if actor.record is None or not hasattr(type(actor.record), str(given)):
        raise MissingField(field=name, role=actor.role)
    if isinstance(given, Realm):
        return Modifier(given.value, realm_value(given, {given.value: getattr(actor.record, given)}, ctx.rulings))
    return Modifier(str(given), int(getattr(actor.record, str(given))))


class Usual(NamedTuple):
    """The triple that stands when nothing else is said: a common test, a ready form of the rules."""

    component: Component | None = None
    means: Means | None = None
    realm: Realm | None = None


def base_terms(ctx: Context, actor: Actor, usual: Usual = Usual()) -> tuple[Modifier, ...]:  # noqa: B008
    """The base of a test: a value as typed, an extra's one value, a creature's, or component + means + realm."""
    value = has(ctx, actor, "value")
    if value is not None:
        return (Modifier("value", value),)
    if isinstance(actor.record, Extra):
        return (Modifier("category", actor.record.test),)
    if isinstance(actor.record, Creature):
        means = has(ctx, actor, "means") or usual.means
        name = "perception" if means == Means.PERCEPTION else "combat"
        return (Modifier(name, getattr(actor.record, name)),)
    return (
        score_term(ctx, actor, "component", usual.component),
        score_term(ctx, actor, "means", usual.means),
        score_term(ctx, actor, "realm", usual.realm),
    )


def state_terms(ctx: Context, actor: Actor, component: Any = None, means: Any = None) -> tuple[Modifier, ...]:
    """What the state of a character takes off a test: armour of the body, the last point of body and mind, ailments."""
    record = actor.record
    if record is None:
        return ()
    taken = []
    if isinstance(component, Component) and isinstance(means, Means):
        gm_says = bool(has(ctx, ctx.one("gm"), "hinder"))
        if hindered(component, means, ctx.rulings, gm_says=gm_says):
            taken.append(Modifier("hinder", -record.armour.hinder))
    if ctx.rulings.last_point_malus != "off" and component not in (Component.INSTINCTS, Component.HEART):
        left = record.life_points, record.breath_points, getattr(record, "psyche_points", PLENTY)
        taken.append(Modifier("last_point", last_point_malus(*left, ctx.rulings)))
    taken.append(Modifier("ailments", getattr(record, "test_malus", 0)))
    return tuple(term for term in taken if term.points)


def reserve_of(record: Any, action: str) -> Reserve:
    """What a record has to spend: an energy less what a sustained bonus of the same action already takes of it."""
    if record is None:
        return Reserve()
    held = sustained(getattr(record, "active_energy_bonuses", ()), action)
    left = {
        energy.value: getattr(record, energy) - sum(bonus.points for bonus in held if bonus.energy == energy)
        for energy in Energy
    }
    psyche = record.energy_points if isinstance(record, Creature) else record.psyche_points
    return Reserve(**left, ps=record.breath_points, ep=psyche, pv=record.life_points)


def spend_of(ctx: Context, actor: Actor, names: Sequence[str] = ("energies",)) -> Spend:
    """The energies announced; points whose payment is not said are paid in PS."""
    given = next((value for name in names if (value := has(ctx, actor, name)) is not None), None) or {}
    spend = Spend(**given)
    return spend._replace(ps=spend.cost) if not spend.ps and not spend.ep else spend


def paid_by(ctx: Context, actor: Actor, situation: str = "", spend: Spend | None = None) -> Paid:
    """The payment of what was announced, refused where the rules refuse it."""
    spend = spend_of(ctx, actor) if spend is None else spend
    label = has(ctx, actor, "action_label") or ""
    situation = has(ctx, ctx.one("gm"), "situation") or situation
    if situation:
        check_fit(situation, spend)
    return pay(spend, reserve_of(actor.record, label), ctx.rulings, has(ctx, ctx.one("gm"), "minutes") or 0)


def energy_terms(ctx: Context, actor: Actor, paid: Paid) -> tuple[Modifier, ...]:
    """What energies add: those paid now, and those still held by EP."""
    label = has(ctx, actor, "action_label") or ""
    held = sum(bonus.points for bonus in sustained(getattr(actor.record, "active_energy_bonuses", ()), label))
    terms = Modifier("energies", paid.bonus), Modifier("sustained", held)
    return tuple(term for term in terms if term.points)


def payment_changes(ctx: Context, actor: Actor, paid: Paid) -> tuple[Change, ...]:
    """What a payment does to the sheet: PS and EP spent, bonuses that last or end."""
    record = actor.record
    if record is None:
        return ()
    psyche = "energy_points" if isinstance(record, Creature) else "psyche_points"
    changes = (
        *changed(actor.id, record, "breath_points", paid.ps, "SIM-017"),
        *changed(actor.id, record, psyche, paid.ep, "SIM-017"),
    )
    if isinstance(record, Creature):
        return changes
    label = has(ctx, actor, "action_label") or ""
    lasting = sustain(record.active_energy_bonuses, paid, label)
    return (*changes, *changed(actor.id, record, "active_energy_bonuses", lasting, "SIM-020"))


def difficulty_terms(ctx: Context) -> tuple[Modifier, ...]:
    """The difficulties that the game master set, open and hidden."""
    gm = ctx.one("gm")
    hidden = has(ctx, gm, "hidden_difficulty") if has(ctx, gm, "hide_difficulty") else None
    return (*(has(ctx, gm, "difficulty") or ()), *((Modifier("hidden_difficulty", hidden),) if hidden else ()))


def total(terms: Sequence[Modifier]) -> int:
    """The sum of some terms."""
    return difficulty(term.points for term in terms)


def skill_terms(ctx: Context, actor: Actor, rank: Rank) -> tuple[Modifier, ...]:
    """What a skill adds; a value typed whole counts it already."""
    if has(ctx, actor, "value") is not None:
        return ()
    if in_campaign(ctx):
        level = level_of(ctx, actor)
        return (Modifier("level", level),) if level else ()
    if rank is Rank.NONE:
        return ()
    return (Modifier(rank.value, privilege(rank, 0, Setting.DUEL, ctx.rulings).bonus),)


def common_of(ctx: Context, actor: Actor) -> CommonTest | None:
    """The ready form chosen, on the realm named if one is."""
    act = has(ctx, actor, "common")
    if not act:
        return None
    realm = has(ctx, actor, "realm")
    return common_test(act, realm if isinstance(realm, Realm) else None)


def usual_of(common: CommonTest | None) -> Usual:
    """The triple of a common test."""
    return Usual(common.component, common.means, common.realm) if common else Usual()


def situation_of(ctx: Context, actor: Actor) -> str:
    """The line of the energies table that a common test stands under, if any."""
    return situation_of_act(has(ctx, actor, "common") or "")


def trial_of(ctx: Context, actor: Actor) -> Trial:
    """The whole test of an actor: base, difficulties, skill, state, energies, untrained scale."""
    common = common_of(ctx, actor)
    rank = rank_of(ctx, actor)
    factors = difficulty_terms(ctx)
    if has(ctx, actor, "common") == "track":
        hard = trail_difficulty([factor.points for factor in factors])
        factors = factors or (Modifier("hard", hard[0]),)
    base = base_terms(ctx, actor, usual=usual_of(common))
    component = has(ctx, actor, "component") or (common and common.component)
    means = has(ctx, actor, "means") or (common and common.means)
    lacking = has(ctx, actor, "talent")
    lack = untrained(lacking, has(ctx, actor, "period") or "", ctx.rulings) if lacking and rank is Rank.NONE else 0
    terms = (
        *base,
        *factors,
        *((Modifier("untrained", lack),) if lack else ()),
        *skill_terms(ctx, actor, rank),
        *state_terms(ctx, actor, component, means),
        *energy_terms(ctx, actor, paid_by(ctx, actor, situation=situation_of(ctx, actor))),
    )
    return Trial(terms, edge(ctx, actor, rank), has(ctx, ctx.one("gm"), "attempt") or Attempt.UNCERTAIN)


def edge(ctx: Context, actor: Actor, rank: Rank, names: Sequence[str] = ("energies",)) -> Edge:
    """When a test is critical and what dice that brings: by rank, by talent level in a campaign, by options."""
    spend = spend_of(ctx, actor, names)
    wide = wider_edge(edge_of(rank), level_of(ctx, actor), spend.precision_range, ctx.rulings)
    return wide._replace(extra_dice=power_dice(spend.power_dice, ctx.rulings))


# Explanations

Told = tuple[tuple[str, Modifier], ...]
"""Terms of several values, each with the role whose it is."""


def told_by(role: str, terms: Sequence[Modifier]) -> Told:
    """Terms under the role whose value they make up; those of 0 say nothing."""
    return tuple((role, term) for term in terms if term.points)


def explained(dice: Dice, rule: Callable[..., Any], terms: Told, *args: Any) -> Any:
    """A rule, after the terms of the values it is given: where each comes from."""
    for role, term in terms:
        dice.of(role).note("SIM-002", "term", name=term.name, points=term.points)
    return dice.then(rule, *args)


# Campaign rules


def level_of(ctx: Context, actor: Actor) -> int:
    """The level of the talent used in a campaign: as typed, as noted on the sheet, or its base; 0 without a talent."""
    if not in_campaign(ctx):
        return 0
    typed, name = has(ctx, actor, "level"), has(ctx, actor, "skill")
    if typed is not None:
        return int(typed)
    if not name or _is_hobby(actor.record, name):
        return 0
    if actor.record is not None and plain_name(getattr(actor.record, "genius", "")) == plain_name(name):
        return GENIUS_LEVEL
    return campaign_term(name, talent_level(getattr(actor.record, "talent_levels", ()), name))


def _is_hobby(record: Any, name: str) -> bool:
    """Whether this is a hobby of the sheet, and no talent: in a campaign it adds nothing to a test."""
    hobbies = {plain_name(hobby.name) for hobby in getattr(record, "hobbies", ())}
    return plain_name(name) in hobbies and noted_level(record.talent_levels, name) is None


# Carers


def care_skill(record: Any) -> CareSkill:
    """What a sheet is worth for dressing wounds and diagnosis."""
    if not isinstance(record, (Character, Extra)):
        return CareSkill.NONE
    known = [CareSkill(row[1]) for row in TABLES["care_skills"].rows if _strong(record, row[0])]
    return max(known, key=list(CareSkill).index, default=CareSkill.NONE)


def minds_skill(record: Any) -> bool:
    """Whether a sheet has a skill that helps to care for minds."""
    return isinstance(record, (Character, Extra)) and any(
        find_rank(record, row[0]) is not Rank.NONE for row in TABLES["care_skills"].rows if row[2] == "yes"
    )


def _strong(record: Any, name: str) -> bool:
    """Whether a talent or a trade of this name is on the sheet: an amateur is no carer."""
    return any(plain_name(skill.name) == name for skill in (*record.trades, *record.talents))
