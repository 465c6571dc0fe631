"""Simulacres, tests of another kind: an inner conflict, a second will, friends compared, a last chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    AnyField,
    Ask,
    Change,
    Context,
    Field,
    Flag,
    Follow,
    Move,
    OneOf,
    Resolve,
    Score,
    Telling,
    TextField,
    Whole,
    asking,
    changed,
)

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
from .errors import NothingToResist, RealmDoesNotFit
from .moves_checks import OPPONENT, hides, shown, told
from .reading import (
    DIFFICULTIES,
    Usual,
    base_terms,
    difficulty_terms,
    energy_fields,
    energy_terms,
    explained,
    has,
    paid_by,
    payment_changes,
    rank_of,
    score_term,
    skill_fields,
    skill_terms,
    spend_of,
    state_terms,
    told_by,
    total,
    triple_fields,
)
from .terms import TABLES, Component, Energy, Means, Realm

# An inner conflict

AWARE = Field("aware", Flag(), "gm", usual=True, rule="SIM-030")
EXCEPTIONAL = Field("exceptional_energy", Flag(), "gm", usual=False, rule="SIM-032")


def _conflict_fields(means: Means) -> tuple[AnyField, ...]:
    return (
        Field("value", Whole(), optional=True, rule="SIM-029"),
        Field("component", Score(Component), optional=True, rule="SIM-028"),
        Field("means", Score((means,)), usual=means, rule="SIM-029"),
        Field("realm", Score(Realm), usual=Realm.HUMAN, rule="SIM-029"),
        *energy_fields(),
    )


def _conflict_terms(ctx: Context, component: Component | None) -> tuple[Modifier, ...]:
    """Component + means + human (or the realm named, where the table leaves it free), with state and energies."""
    actor = ctx.one()
    realm = ctx.value(actor, "realm")
    if ctx.rulings.conflict_realm == "human" and isinstance(realm, Realm) and realm is not Realm.HUMAN:
        raise RealmDoesNotFit("SIM-029", act="inner_conflict", realm=realm.value, allowed=["human"])
    spend = spend_of(ctx, actor)
    conflict_energies(spend, exceptional=ctx["exceptional_energy"])
    base = base_terms(ctx, actor, usual=Usual(component))
    acting = has(ctx, actor, "component") or component
    # Armour does not hamper an inner conflict: it counts as passive.
    state = state_terms(ctx, actor, acting, Means.RESISTANCE)
    return (*base, *state, *energy_terms(ctx, actor, paid_by(ctx, actor, spend=spend)))


def _read_resist(ctx: Context) -> tuple[Any, ...]:
    if not ctx["aggressor_succeeded"]:
        raise NothingToResist()
    attack = ctx["attack"]
    component = attacked_component(attack) if attack else None
    attacked = resist_difficulty(0, ctx["aggressor_margin"])
    terms = (*_conflict_terms(ctx, component), Modifier("aggressor_margin", attacked), *difficulty_terms(ctx))
    return resist, told_by("initiator", terms), total(terms), ctx["aware"], ctx.rulings


def _tell_resist(ctx: Context, result: Resisted) -> Sequence[Telling]:
    key = "resisted" if result.check.success else "not_resisted"
    return Telling(f"outcomes.{key}"), told(result.check)._replace(audience=GM_ONLY if hides(ctx) else EVERYONE)


def _follow_will(ctx: Context, result: Resisted) -> Sequence[Follow]:
    """The second phase opens by itself, with the ME carried over; where that is hidden, the game master opens it."""
    actor = ctx.one()
    if not result.will_allowed or hides(ctx):
        return ()
    attack = ctx["attack"]
    component = has(ctx, actor, "component") or (attacked_component(attack) if attack else None)
    form: dict[str, dict[str, Any]] = {"gm": {"failure_margin": result.check.margin}}
    if component is not None:
        form[actor.id] = {"component": component if isinstance(component, int) else component.value}
    return (Follow("will", {"initiator": [actor.id]}, form),)


def _pay_conflict(ctx: Context, result: Any) -> Sequence[Change]:
    return payment_changes(ctx, ctx.one(), paid_by(ctx, ctx.one()))


RESIST = Move(
    "resist",
    rules=("SIM-028", "SIM-029", "SIM-032"),
    steps=(
        Ask("settle", (
            Field("attack", OneOf(lambda ctx: TABLES["attacks"].keys()), "gm", optional=True, rule="SIM-028"),
            Field("aggressor_succeeded", Flag(), "gm", usual=True, rule="SIM-029"),
            Field("aggressor_margin", Whole(0), "gm", optional=True, rule="SIM-029"),
            *DIFFICULTIES,
            AWARE,
            EXCEPTIONAL,
        )),
        Ask("declare", _conflict_fields(Means.RESISTANCE)),
        Resolve("resist", asking(explained, _read_resist), tell=_tell_resist,
                outcome=lambda result: "resisted" if result.check.success else "not_resisted",
                success=lambda result: result.check.success, changes=_pay_conflict, shown=shown, follow=_follow_will),
    ),
)


def _read_will(ctx: Context) -> tuple[Any, ...]:
    may_will(ctx["aware"], ctx["retry"], ctx.rulings)
    weight = will_modifier(ctx["failure_margin"], ctx["component_change"])
    terms = (*_conflict_terms(ctx, None), Modifier("first_phase", weight), *difficulty_terms(ctx))
    return will, told_by("initiator", terms), total(terms), ctx.rulings


def _change_will(ctx: Context, check: Check) -> Sequence[Change]:
    changes = list(_pay_conflict(ctx, check))
    actor, state = ctx.one(), ctx["state"]
    if not check.success and state and hasattr(actor.record, "states"):
        changes += changed(actor.id, actor.record, "states", (*actor.record.states, state), "SIM-030")
    return changes


def _tell_will(ctx: Context, check: Check) -> Sequence[Telling]:
    key = "regained" if check.success else "succumbs"
    return Telling(f"outcomes.{key}"), told(check)._replace(audience=GM_ONLY if hides(ctx) else EVERYONE)


WILL = Move(
    "will",
    rules=("SIM-030", "SIM-031", "SIM-032"),
    steps=(
        Ask("settle", (
            Field("failure_margin", Whole(0), "gm", rule="SIM-030"),
            Field("component_change", OneOf(CHANGES), "gm", usual=0, rule="SIM-031"),
            Field("retry", Flag(), "gm", usual=False, rule="SIM-030"),
            Field("state", TextField(80), "gm", usual="", rule="SIM-030"),
            *DIFFICULTIES,
            AWARE,
            EXCEPTIONAL,
        )),
        Ask("declare", _conflict_fields(Means.DESIRE)),
        Resolve("will", asking(explained, _read_will), tell=_tell_will,
                outcome=lambda check: "regained" if check.success else "succumbs",
                success=lambda check: check.success, changes=_change_will, shown=shown),
    ),
)


# Between friends, and beyond hope


def _friend_fields(role: str) -> tuple[AnyField, ...]:
    return (*triple_fields(role), *skill_fields(role),
            Field("energy", Score(Energy), role, optional=True, rule="SIM-076"))


def _worth(ctx: Context, role: str) -> tuple[Modifier, ...]:
    """What a side is worth in a friendly contest: the sum, its skill, and the whole energy that fits, unpaid."""
    actor, act = ctx.one(role), ctx["contest"]
    terms = contest(act) if act else None
    usual = Usual(terms.component, terms.means, terms.realm) if terms else Usual()
    energy = has(ctx, actor, "energy")
    if energy is None and terms is not None and actor.record is not None:
        energy = terms.energy
    points = getattr(actor.record, energy) if isinstance(energy, Energy) and actor.record is not None else energy
    rank = rank_of(ctx, actor)
    named = energy.value if isinstance(energy, Energy) else "energies"
    return (*base_terms(ctx, actor, usual), *skill_terms(ctx, actor, rank), Modifier(named, int(points or 0)))


def _read_comparison(ctx: Context) -> tuple[Any, ...]:
    a, b = _worth(ctx, "initiator"), _worth(ctx, "opponent")
    return compare, (*told_by("initiator", a), *told_by("opponent", b)), total(a), total(b)


def _tell_comparison(ctx: Context, result: Comparison) -> Sequence[Telling]:
    return (Telling(f"outcomes.better_{result.better.value}", {"a": result.a, "b": result.b}),)


FRIENDLY_COMPARISON = Move(
    "friendly-comparison",
    cast=(INITIATOR, OPPONENT, GAME_MASTER),
    rules=("SIM-076",),
    steps=(
        Ask("settle", (Field("contest", OneOf(lambda ctx: TABLES["contests"].keys()), "gm", optional=True,
                             rule="SIM-076"),)),
        Ask("declare", (*_friend_fields("initiator"), *_friend_fields("opponent"))),
        Resolve("compare", asking(explained, _read_comparison), tell=_tell_comparison,
                outcome=lambda result: f"compared_{result.better.value}"),
    ),
)


def _read_last_chance(ctx: Context) -> tuple[Any, ...]:
    actor = ctx.one()
    may_hope(getattr(actor.record, "last_chance_used", False), ctx["desperate"])
    desire, realm = score_term(ctx, actor, "desire", None), score_term(ctx, actor, "realm", None)
    return desire.points, realm.points, ctx.rulings


def _change_last_chance(ctx: Context, result: LastChance) -> Sequence[Change]:
    actor = ctx.one()
    if not hasattr(actor.record, "last_chance_used"):
        return ()
    return changed(actor.id, actor.record, "last_chance_used", result.used_up, "SIM-077")


LAST_CHANCE = Move(
    "last-chance",
    rules=("SIM-077",),
    steps=(
        Ask("plead", (
            Field("desire", Score((Means.DESIRE,)), usual=Means.DESIRE, rule="SIM-077"),
            Field("realm", Score(Realm), rule="SIM-077"),
        )),
        Ask("settle", (Field("desperate", Flag(), "gm", usual=True, rule="SIM-077"),)),
        Resolve("last_chance", asking(last_chance, _read_last_chance),
                tell=lambda ctx, result: (Telling("outcomes.told_saved" if result.saved else "outcomes.told_lost"),),
                outcome=lambda result: "saved" if result.saved else "lost",
                success=lambda result: result.saved, changes=_change_last_chance),
    ),
)

MOVES = (RESIST, WILL, FRIENDLY_COMPARISON, LAST_CHANCE)
