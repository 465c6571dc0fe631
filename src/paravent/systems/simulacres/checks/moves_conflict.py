"""Simulacres, tests of another kind: an inner conflict, a second will, friends compared, a last chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    Actor,
    AnyField,
    Ask,
    Call,
    Change,
    Context,
    Field,
    FieldFacts,
    Flag,
    Follow,
    Move,
    OneOf,
    Pills,
    Resolve,
    Score,
    Steps,
    Telling,
    TextField,
    Whole,
    Window,
    changed,
)
from paravent.game.errors import NeedsSheet
from paravent.systems.simulacres.actors import being, none_is_dead, person
from paravent.systems.simulacres.people.character import Character
from paravent.systems.simulacres.terms import TABLES, Component, Energy, Means, Realm

from .check import Check, Modifier
from .compare import Comparison, LastChance, compare, contest, last_chance, may_hope
from .conflict import (
    CHANGES,
    Resisted,
    attacked_component,
    conflict_energies,
    may_will,
    resist,
    resist_difficulty,
    will,
    will_modifier,
)
from .difficulties import LIGHTLY, difficulty_terms, hides, total
from .errors import NothingToResist, RealmDoesNotFit
from .moves_checks import OPPONENT, needed_by, shown, told
from .spending import JUDGED, energy_fields, energy_terms, paid_by, payment_changes, spend_of, with_energies
from .trials import (
    COMPONENT,
    MEANS,
    REALM,
    VALUE,
    Named,
    Usual,
    base_terms,
    explained,
    rank_of,
    score_term,
    skill_fields,
    skill_terms,
    state_terms,
    told_by,
    triple_fields,
)

# An inner conflict

FAILURE_MARGIN = Field("failure_margin", Whole(0), "gm", rule="SIM-030")
COMPONENT_CHANGE = Field("component_change", OneOf(CHANGES), "gm", usual=0, rule="SIM-031", place="refinement",
                         shape=Steps())
RETRY = Field("retry", Flag(), "gm", usual=False, rule="SIM-030", place="rarity")
STATE = Field("state", TextField(80), "gm", usual="", rule="SIM-030", place="refinement")
AWARE = Field("aware", Flag(), "gm", usual=True, rule="SIM-030", place="refinement")
EXCEPTIONAL = Field("exceptional_energy", Flag(), "gm", usual=False, rule="SIM-032", place="rarity",
                    when=with_energies)


def _serves_within(ctx: Context, energy: Energy) -> bool:
    """Power serves in an inner conflict; the others, where the game master makes an exception."""
    return energy is Energy.POWER or ctx[EXCEPTIONAL]


def _realms(ctx: Context) -> tuple[Realm, ...]:
    return (Realm.HUMAN,) if ctx.rulings.conflict_realm == "human" else tuple(Realm)


ATTACK: Field[str | None] = Field(
    "attack", OneOf(lambda ctx: TABLES["attacks"].keys()), "gm", optional=True, rule="SIM-028", place="essential",
)
AGGRESSOR_SUCCEEDED = Field("aggressor_succeeded", Flag(), "gm", usual=True, rule="SIM-029", place="refinement")
AGGRESSOR_MARGIN: Field[int | None] = Field(
    "aggressor_margin", Whole(0), "gm", optional=True, rule="SIM-029", place="essential",
)


def _conflict_fields(means: Means) -> tuple[AnyField, ...]:
    return (
        replace(VALUE, rule="SIM-029"),
        replace(COMPONENT, rule="SIM-028", shape=Pills()),
        replace(MEANS, type=Score((means,)), optional=False, usual=means, rule="SIM-029", place="rarity"),
        replace(REALM, type=Score(Realm, offered=_realms), optional=False, usual=Realm.HUMAN, rule="SIM-029",
                place="rarity"),
        *energy_fields(serves=_serves_within),
    )


def _conflict_terms(ctx: Context, component: Component | None) -> tuple[Modifier, ...]:
    """Component + means + human (or the realm named, where the table leaves it free), with state and energies."""
    actor = ctx.one()
    realm = ctx.value(actor, REALM)
    if ctx.rulings.conflict_realm == "human" and isinstance(realm, Realm) and realm is not Realm.HUMAN:
        raise RealmDoesNotFit("SIM-029", act="inner_conflict", realm=realm.value, allowed=["human"])
    spend = spend_of(ctx, actor)
    conflict_energies(spend, exceptional=ctx[EXCEPTIONAL])
    base = base_terms(ctx, actor, usual=Usual(component))
    acting = ctx.value(actor, COMPONENT) or component
    # Armour does not hamper an inner conflict: it counts as passive.
    state = state_terms(ctx, actor, acting, Means.RESISTANCE)
    return (*base, *state, *energy_terms(ctx, actor, paid_by(ctx, actor, spend=spend)))


def _attacked(ctx: Context) -> Component | None:
    """The component that the attack named aims at, if one is named."""
    attack = ctx[ATTACK]
    return attacked_component(attack) if attack else None


def _resist(ctx: Context) -> Call[Resisted]:
    if not ctx[AGGRESSOR_SUCCEEDED]:
        raise NothingToResist()
    attacked = resist_difficulty(0, ctx[AGGRESSOR_MARGIN])
    terms = (*_conflict_terms(ctx, _attacked(ctx)), Modifier("aggressor_margin", attacked), *difficulty_terms(ctx))
    return Call(explained, resist, told_by("initiator", terms), total(terms), ctx[AWARE], ctx.rulings)


def _tell_resist(ctx: Context, result: Resisted) -> Sequence[Telling]:
    key = "resisted" if result.check.success else "not_resisted"
    return (Telling(f"outcomes.{key}", main=True),
            told(result.check)._replace(audience=GM_ONLY if hides(ctx) else EVERYONE))


def _follow_will(ctx: Context, result: Resisted) -> Sequence[Follow]:
    """The second phase opens by itself, with the ME carried over; where that is hidden, the game master opens it."""
    actor = ctx.one()
    if not result.will_allowed or hides(ctx):
        return ()
    component = ctx.value(actor, COMPONENT) or _attacked(ctx)
    form: dict[str, dict[str, int | str]] = {"gm": {FAILURE_MARGIN.id: result.check.margin}}
    if component is not None:
        form[actor.id] = {COMPONENT.id: component if isinstance(component, int) else str(component)}
    return (Follow("will", {"initiator": [actor.id]}, form),)


def _pay_conflict(ctx: Context, result: object) -> Sequence[Change]:
    return payment_changes(ctx, ctx.one(), paid_by(ctx, ctx.one()))


RESIST = Move(
    "resist",
    offered=none_is_dead,
    rules=("SIM-028", "SIM-029", "SIM-032"),
    steps=(
        Ask("settle", (
            ATTACK, AGGRESSOR_SUCCEEDED, AGGRESSOR_MARGIN, *LIGHTLY, AWARE, EXCEPTIONAL, *JUDGED,
        )),
        Ask("declare", _conflict_fields(Means.RESISTANCE)),
        Resolve("resist", _resist, tell=_tell_resist,
                outcome=lambda result: "resisted" if result.check.success else "not_resisted",
                success=lambda result: result.check.success, changes=_pay_conflict, shown=shown, follow=_follow_will,
                needed=needed_by(_resist)),
    ),
)


def _will(ctx: Context) -> Call[Check]:
    may_will(ctx[AWARE], ctx[RETRY], ctx.rulings)
    weight = will_modifier(ctx[FAILURE_MARGIN], ctx[COMPONENT_CHANGE])
    terms = (*_conflict_terms(ctx, None), Modifier("first_phase", weight), *difficulty_terms(ctx))
    return Call(explained, will, told_by("initiator", terms), total(terms), ctx.rulings)


def _change_will(ctx: Context, check: Check) -> Sequence[Change]:
    changes = list(_pay_conflict(ctx, check))
    actor, sheet = ctx.one(), person(ctx.one())
    if not check.success and ctx[STATE] and sheet is not None:
        changes += changed(actor.id, sheet, "states", (*sheet.states, ctx[STATE]), "SIM-030", weight="grave")
    return changes


def _tell_will(ctx: Context, check: Check) -> Sequence[Telling]:
    key = "regained" if check.success else "succumbs"
    return Telling(f"outcomes.{key}", main=True), told(check)._replace(audience=GM_ONLY if hides(ctx) else EVERYONE)


WILL = Move(
    "will",
    offered=none_is_dead,
    rules=("SIM-030", "SIM-031", "SIM-032"),
    steps=(
        Ask("settle", (
            FAILURE_MARGIN, COMPONENT_CHANGE, STATE, *LIGHTLY, AWARE, EXCEPTIONAL, *JUDGED, RETRY,
        )),
        Ask("declare", _conflict_fields(Means.DESIRE)),
        Resolve("will", _will, tell=_tell_will,
                outcome=lambda check: "regained" if check.success else "succumbs",
                success=lambda check: check.success, changes=_change_will, shown=shown,
                needed=needed_by(_will)),
    ),
)


# Between friends, and beyond hope


CONTEST: Field[str | None] = Field(
    "contest", OneOf(lambda ctx: TABLES["contests"].keys()), "gm", optional=True, rule="SIM-076", place="essential",
)
ENERGY: Field[Named] = Field("energy", Score(Energy), optional=True, rule="SIM-076", place="refinement")


def _friend_fields(role: str) -> tuple[AnyField, ...]:
    return (*triple_fields(role), *skill_fields(role), replace(ENERGY, role=role))


def _worth(ctx: Context, role: str) -> tuple[Modifier, ...]:
    """What a side is worth in a friendly contest: the sum, its skill, and the whole energy that fits, unpaid."""
    actor, act = ctx.one(role), ctx[CONTEST]
    terms = contest(act) if act else None
    usual = Usual(terms.component, terms.means, terms.realm) if terms else Usual()
    fitting = terms.energy if terms is not None else None
    rank = rank_of(ctx, actor)
    return (*base_terms(ctx, actor, usual), *skill_terms(ctx, actor, rank), _whole_energy(ctx, actor, fitting))


def _whole_energy(ctx: Context, actor: Actor, fitting: Energy | None) -> Modifier:
    """An energy as typed, or as the sheet has it: the one named, or else the one that fits the contest."""
    given, record = ctx.value(actor, ENERGY), being(actor)
    energy = fitting if given is None and record is not None else given
    if not isinstance(energy, Energy):
        return Modifier("energies", int(energy or 0))
    if record is None:
        raise NeedsSheet(field=ENERGY.id, got=energy, role=actor.role)
    return Modifier(energy.value, getattr(record, energy))


def _compare(ctx: Context) -> Call[Comparison]:
    a, b = _worth(ctx, "initiator"), _worth(ctx, "opponent")
    return Call(explained, compare, (*told_by("initiator", a), *told_by("opponent", b)), total(a), total(b))


def _tell_comparison(ctx: Context, result: Comparison) -> Sequence[Telling]:
    return (Telling(f"outcomes.better_{result.better.value}", {"a": result.a, "b": result.b}, main=True),)


FRIENDLY_COMPARISON = Move(
    "friendly-comparison",
    offered=none_is_dead,
    cast=(INITIATOR, OPPONENT, GAME_MASTER),
    rules=("SIM-076",),
    steps=(
        Ask("settle", (CONTEST,)),
        Ask("declare", (*_friend_fields("initiator"), *_friend_fields("opponent"))),
        Resolve("compare", _compare, tell=_tell_comparison,
                outcome=lambda result: f"compared_{result.better.value}"),
    ),
)


DESIRE: Field[Named] = Field("desire", Score((Means.DESIRE,)), usual=Means.DESIRE, rule="SIM-077", place="rarity")
HOPED_FOR = tuple(realm for realm in Realm if realm not in (Realm.VOID, Realm.NONE))
"""A miracle comes from somewhere: from no realm, or from the void, nothing is hoped for."""
PLEADED: Field[Named] = Field("realm", Score(Realm, offered=HOPED_FOR), rule="SIM-077", place="essential",
                              shape=Pills())


@dataclass(frozen=True)
class Granted(Flag):
    """What the rule refuses where it is not said as usual: no page offers it."""

    def describe(self, ctx: Context) -> FieldFacts:
        return FieldFacts("one-of", [])


DESPERATE = Field("desperate", Granted(), "gm", usual=True, rule="SIM-077", place="essential")


def _has_hope(ctx: Context) -> bool:
    """Whether a last chance is left; nobody but a character has one."""
    record = ctx.one().record
    return record is None or (isinstance(record, Character) and not record.last_chance_used)


def _is_lost(ctx: Context) -> bool:
    """Whether things look desperate: somebody at 0 of a counter, with a chance left."""
    record = ctx.one().record
    return isinstance(record, Character) and not record.last_chance_used and (
        min(record.life_points, record.breath_points, record.psyche_points) <= 0)


def _last_chance(ctx: Context) -> Call[LastChance]:
    actor = ctx.one()
    may_hope(isinstance(actor.record, Character) and actor.record.last_chance_used, ctx[DESPERATE])
    desire, realm = score_term(ctx, actor, DESIRE), score_term(ctx, actor, PLEADED)
    return Call(last_chance, desire.points, realm.points, ctx.rulings)


def _change_last_chance(ctx: Context, result: LastChance) -> Sequence[Change]:
    actor = ctx.one()
    if not isinstance(actor.record, Character):
        return ()
    return changed(actor.id, actor.record, "last_chance_used", result.used_up, "SIM-077")


LAST_CHANCE = Move(
    "last-chance",
    offered=_has_hope,
    suits=_is_lost,
    rules=("SIM-077",),
    steps=(
        Ask("plead", (DESIRE, PLEADED)),
        Ask("settle", (DESPERATE,)),
        Window("agree", "gm", "approval", when=lambda ctx: DESPERATE.id not in ctx.one("gm").filled),
        Resolve("last_chance", _last_chance,
                tell=lambda ctx, result: (
                    Telling("outcomes.told_saved" if result.saved else "outcomes.told_lost", main=True),),
                outcome=lambda result: "saved" if result.saved else "lost",
                success=lambda result: result.saved, changes=_change_last_chance),
    ),
)

MOVES = (RESIST, WILL, FRIENDLY_COMPARISON, LAST_CHANCE)
