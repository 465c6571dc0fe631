"""Moves around one test or two: simple, automatic, secret, duel, inner conflict, friendly comparison, last chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    OPEN,
    OWN_DICE,
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
    Role,
    Shown,
    Telling,
    TextField,
    Window,
    asking,
    only,
)

from .check import Attempt, Check, Setting, automatic_success, simple_test
from .common import acts, still_to_resist
from .duel import Duel, Side, Winner, duel
from .optional import time_taken
from .reading import (
    DIFFICULTIES,
    DIFFICULTY,
    MINUTES,
    SITUATION,
    Commitment,
    Factors,
    Told,
    base_terms,
    common_of,
    difficulty_terms,
    edge,
    energy_fields,
    energy_terms,
    explained,
    has,
    paid_by,
    payment_changes,
    rank_of,
    situation_of,
    skill_fields,
    skill_terms,
    spend_of,
    state_terms,
    told_by,
    total,
    trial_of,
    triple_fields,
    usual_of,
)
from .secret import Secret, narrated, secret_test
from .terms import TABLES

OPPONENT = Role("opponent")
VICTIM = Role("victim", least=0)


# The outcome of a test, said


def key_of(check: Check) -> str:
    """The word key of a result."""
    kind = "success" if check.success else "failure"
    return f"critical_{kind}" if check.critical else kind


def told(check: Check) -> Telling:
    """A result with its quality and its margin."""
    kind = "success" if check.success else "failure"
    return Telling(f"outcomes.told_{kind}", {"quality": check.quality.value, "margin": check.margin})


def hides(ctx: Context) -> bool:
    """Whether the game master keeps the difficulty to himself."""
    return bool(has(ctx, ctx.one("gm"), "hide_difficulty"))


def shown(ctx: Context, result: Any) -> Shown:
    """A test lies open; where the difficulty is hidden, only whether it succeeded does."""
    return Shown(detail=GM_ONLY) if hides(ctx) else OPEN


def tell_check(ctx: Context, check: Check) -> Sequence[Telling]:
    """A result to those who may hear it: the margin would tell a hidden difficulty."""
    attempt = has(ctx, ctx.one("gm"), "attempt") or Attempt.UNCERTAIN
    if attempt is not Attempt.UNCERTAIN:
        return (Telling(f"outcomes.told_{attempt.value}"),)
    if not hides(ctx):
        return (told(check),)
    bare = Telling("outcomes.success" if check.success else "outcomes.failure")
    return bare, told(check)._replace(audience=GM_ONLY)


# A simple test


def _follow_victim(ctx: Context, check: Check) -> Sequence[Follow]:
    """Fast talk, fear, seduction: who is the target resists, with the MR as a malus."""
    attacked, victims = still_to_resist(common_of(ctx, ctx.one()), check.success), ctx.all("victim")
    if attacked is None or not victims:
        return ()
    victim = victims[0].id
    # The margin would tell a difficulty that is hidden: it then weighs on the victim in the same way, unseen.
    weight = {"hide_difficulty": True, "hidden_difficulty": -check.margin} if hides(ctx) else {
        "aggressor_margin": check.margin}
    form: dict[str, dict[str, Any]] = {"gm": weight, victim: {"component": attacked.value}}
    return (Follow("resist", {"initiator": [victim]}, form),)


def _tell_test(ctx: Context, check: Check) -> Sequence[Telling]:
    """A result, that its victim may still resist it, and how long a task took that somebody hurried."""
    said = list(tell_check(ctx, check))
    attacked = still_to_resist(common_of(ctx, ctx.one()), check.success)
    if attacked is not None:
        said.append(Telling("outcomes.told_to_resist", {"component": attacked.value}))
    hurry = spend_of(ctx, ctx.one()).haste
    if hurry and ctx["minutes"]:
        said.append(Telling("outcomes.told_hurried", {"minutes": time_taken(ctx["minutes"], hurry, ctx.rulings)}))
    return said


def _pay(ctx: Context, result: Any) -> Sequence[Change]:
    """What a throw costs; where nothing is thrown, nothing is paid."""
    actor = ctx.one()
    if ctx["attempt"] is not Attempt.UNCERTAIN:
        return ()
    return payment_changes(ctx, actor, paid_by(ctx, actor, situation=situation_of(ctx, actor)))


SIMPLE_TEST = Move(
    "simple-test",
    cast=(INITIATOR, VICTIM, GAME_MASTER),
    rules=("SIM-001", "SIM-002", "SIM-003", "SIM-006", "SIM-007", "SIM-078"),
    steps=(
        Ask("declare", (
            Field("common", OneOf(lambda ctx: acts(secret=False)), optional=True, rule="SIM-078"),
            *triple_fields(),
            *skill_fields(),
            Field("talent", OneOf(lambda ctx: tuple(dict.fromkeys(row[1] for row in TABLES["talents"].rows))),
                  optional=True, rule="SIM-092", when=lambda ctx: ctx.rulings.untrained_scale == "on"),
            Field("period", OneOf(("medieval", "modern")), optional=True, rule="SIM-092",
                  when=lambda ctx: ctx.rulings.untrained_scale == "on"),
            *energy_fields(),
        )),
        Ask("settle", (
            Field("attempt", OneOf(Attempt), "gm", usual=Attempt.UNCERTAIN, rule="SIM-001"),
            *DIFFICULTIES,
            SITUATION,
            MINUTES,
            Field("hinder", Flag(), "gm", usual=False, rule="SIM-058",
                  when=lambda ctx: ctx.rulings.hinder_shooting == "gm"),
        )),
        Resolve("test", asking(simple_test, lambda ctx: (trial_of(ctx, ctx.one()), ctx.rulings)), tell=_tell_test,
                outcome=key_of, success=lambda check: check.success, changes=_pay, shown=shown,
                follow=_follow_victim),
    ),
)


# Success without dice


def _read_automatic(ctx: Context) -> tuple[Any, ...]:
    actor = ctx.one()
    rank = rank_of(ctx, actor)
    factors = difficulty_terms(ctx)
    margin_matters = ctx.rulings.auto_margin == "value_minus_7"
    terms = (*base_terms(ctx, actor), *skill_terms(ctx, actor, rank), *factors) if margin_matters else ()
    return rank, total(factors), total(terms), Setting(ctx["setting"]), ctx.rulings


AUTOMATIC_SUCCESS = Move(
    "automatic-success",
    rules=("SIM-012", "SIM-095"),
    steps=(
        Ask("declare", (*(replace(field, waits=field.id == "skill") for field in skill_fields()), *triple_fields())),
        Ask("settle", (DIFFICULTY, Field("setting", OneOf(Setting), "gm", usual=Setting.ORDINARY, rule="SIM-012"))),
        Window("confirm", "gm", "approval"),
        Resolve("automatic", asking(automatic_success, _read_automatic), tell=lambda ctx, check: (told(check),),
                outcome=key_of, success=lambda check: check.success),
    ),
)


# A secret test


def _read_secret(ctx: Context) -> tuple[Any, ...]:
    actor = ctx.one()
    rank = rank_of(ctx, actor)
    common = common_of(ctx, actor)
    usual = usual_of(common)
    component, means = has(ctx, actor, "component") or usual.component, has(ctx, actor, "means") or usual.means
    announced = (*base_terms(ctx, actor, usual=usual), *skill_terms(ctx, actor, rank),
                 *state_terms(ctx, actor, component, means))
    terms = told_by("gm", announced)
    return (secret_test, terms, total(announced), total(ctx["secret_difficulty"]), rank, not ctx["nothing_there"],
            ctx.rulings)


def _tell_secret(ctx: Context, secret: Secret) -> Sequence[Telling]:
    """One sentence for the player: that of success, or that of nothing, whether he failed or nothing was there."""
    text = narrated(secret, ctx["on_success"], ctx["on_failure"])
    key = "noticed" if secret.found else "nothing_noticed"
    heard = Telling("outcomes.narrated", {"text": text}) if text else Telling(f"outcomes.{key}")
    return heard._replace(audience=only("initiator", "gm")), told(secret.check)._replace(audience=GM_ONLY)


SECRET_TEST = Move(
    "secret-test",
    by="gm",
    rules=("SIM-023", "SIM-024"),
    exists=only("gm", "initiator"),
    steps=(
        Ask("announce", (
            Field("common", OneOf(lambda ctx: acts(secret=True)), optional=True, rule="SIM-078", secrecy="own"),
            *triple_fields(secrecy="own"),
            *skill_fields(secrecy="own"),
        )),
        Ask("prepare", (
            Field("secret_difficulty", Factors(), "gm", usual=(), secrecy="gm", rule="SIM-024"),
            Field("nothing_there", Flag(), "gm", usual=False, secrecy="gm", rule="SIM-024"),
            Field("on_success", TextField(), "gm", usual="", secrecy="gm", rule="SIM-024"),
            Field("on_failure", TextField(), "gm", usual="", secrecy="gm", rule="SIM-024"),
        )),
        Resolve("secret",
            asking(explained, _read_secret), tell=_tell_secret, outcome=lambda secret: key_of(secret.check),
                success=lambda secret: secret.check.success, blind=True,
                shown=lambda ctx, result: Shown(only("gm", "initiator"), GM_ONLY, GM_ONLY)),
    ),
)


# A duel

SEALED, ALOUD = "energies", "open_energies"


def _hidden_declaration(ctx: Context) -> bool:
    return ctx.rulings.duel_declaration == "hidden"


def _side_fields(role: str) -> tuple[AnyField, ...]:
    return (
        *triple_fields(role, secrecy="own"),
        *skill_fields(role, secrecy="own"),
        Field("action_label", TextField(80), role, usual="", secrecy="own", rule="SIM-020"),
    )


def _aloud(role: str) -> tuple[AnyField, ...]:
    return (Field(ALOUD, Commitment(), role, usual=None, waits=True, rule="SIM-027",
                  when=lambda ctx: not _hidden_declaration(ctx)),)


def _side(ctx: Context, role: str, difficulty: str) -> tuple[Told, Side]:
    actor = ctx.one(role)
    rank = rank_of(ctx, actor)
    spend = spend_of(ctx, actor, (SEALED, ALOUD))
    component, means = has(ctx, actor, "component"), has(ctx, actor, "means")
    terms = (
        *base_terms(ctx, actor),
        *ctx[difficulty],
        *skill_terms(ctx, actor, rank),
        *state_terms(ctx, actor, component, means),
        *energy_terms(ctx, actor, paid_by(ctx, actor, spend=spend)),
    )
    side = Side(total(terms), rank, edge(ctx, actor, rank, (SEALED, ALOUD)), spend.haste)
    return told_by(role, terms), side


def _read_duel(ctx: Context) -> tuple[Any, ...]:
    mine, a = _side(ctx, "initiator", "difficulty")
    theirs, b = _side(ctx, "opponent", "opponent_difficulty")
    return duel, (*mine, *theirs), a, b, ctx.rulings


def _pay_duel(ctx: Context, result: Duel) -> Sequence[Change]:
    return [
        change
        for role in ("initiator", "opponent")
        for change in payment_changes(
            ctx, ctx.one(role), paid_by(ctx, ctx.one(role), spend=spend_of(ctx, ctx.one(role), (SEALED, ALOUD)))
        )
    ]


def _tell_duel(ctx: Context, result: Duel) -> Sequence[Telling]:
    winner = Telling(f"outcomes.duel_{result.winner.value}")
    margins = Telling("outcomes.told_duel", {"a": _margin(result.a), "b": _margin(result.b)})
    return winner, margins._replace(audience=GM_ONLY if ctx["hide_values"] else EVERYONE)


def _margin(check: Check) -> int:
    return check.margin if check.success else -check.margin


DUEL = Move(
    "duel",
    cast=(INITIATOR, OPPONENT, GAME_MASTER),
    rules=("SIM-025", "SIM-026", "SIM-027"),
    steps=(
        Ask("sides", (*_side_fields("initiator"), *_side_fields("opponent"))),
        Ask("settle", (
            Field("difficulty", Factors(), "gm", usual=(), secrecy="gm", rule="SIM-005"),
            Field("opponent_difficulty", Factors(), "gm", usual=(), secrecy="gm", rule="SIM-005"),
            Field("hide_values", Flag(), "gm", usual=False, rule="SIM-025"),
            MINUTES,
        )),
        Ask("commit", tuple(
            Field(SEALED, Commitment(), role, usual=None, secrecy="sealed", rule="SIM-027", when=_hidden_declaration)
            for role in ("initiator", "opponent")
        )),
        Ask("attacker_declares", _aloud("initiator")),
        Ask("defender_declares", _aloud("opponent")),
        Resolve("duel",
            asking(explained, _read_duel), tell=_tell_duel, outcome=lambda result: f"duel_{result.winner.value}",
                success=lambda result: result.winner is Winner.A, changes=_pay_duel,
                shown=lambda ctx, result: OWN_DICE._replace(detail=GM_ONLY) if ctx["hide_values"] else OPEN),
    ),
)

MOVES = (SIMPLE_TEST, AUTOMATIC_SUCCESS, SECRET_TEST, DUEL)
