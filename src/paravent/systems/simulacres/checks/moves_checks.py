"""Moves around one test or two: simple, automatic, secret, a duel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    OPEN,
    OWN_DICE,
    AnyField,
    Ask,
    Call,
    Change,
    Context,
    Field,
    FieldFacts,
    Filled,
    Flag,
    Follow,
    MissingField,
    Move,
    OneOf,
    Pills,
    Resolve,
    Role,
    RuleError,
    Shown,
    Steps,
    Telling,
    TextField,
    Value,
    Window,
    only,
)
from paravent.systems.simulacres.actors import acting_is_awake, all_are_awake, has, in_campaign, must_be_awake, person
from paravent.systems.simulacres.people.skills import is_hobby
from paravent.systems.simulacres.terms import TABLES, Energy, Rank

from .check import (
    DOUBLE_ONE,
    DOUBLE_SIX,
    Attempt,
    Check,
    Modifier,
    Setting,
    Trial,
    automatic_success,
    edge_of,
    named_difficulty,
    privilege,
    simple_test,
    throw,
    thrown,
)
from .common import acts, has_difficulty, still_to_resist
from .difficulties import (
    DIFFICULTIES,
    DIFFICULTY,
    HIDDEN_DIFFICULTY,
    HIDE_DIFFICULTY,
    PROBES,
    STEPS,
    Step,
    difficulty_terms,
    hides,
    total,
)
from .duel import Duel, Side, Winner, duel
from .energies import Spend, fits
from .other_uses import time_taken
from .secret import Secret, narrated, secret_test
from .spending import (
    ACTION_LABEL,
    ENERGIES,
    JUDGED,
    MINUTES,
    SEVERAL,
    SITUATION,
    STILL_THE_SAME,
    announced_by,
    energy_fields,
    energy_terms,
    paid_by,
    payment_changes,
    price,
    spend_of,
    with_energies,
)
from .trials import (
    ATTEMPT,
    COMMON,
    COMPONENT,
    HINDER,
    LEVEL,
    MEANS,
    PERIOD,
    SKILL,
    SKILL_APPLIES,
    TALENT,
    SkillName,
    Told,
    base_terms,
    circumstances_of,
    common_of,
    edge,
    explained,
    given_triple,
    named_means,
    rank_of,
    situation_of,
    skill_fields,
    skill_terms,
    skills_on,
    state_terms,
    suffices,
    told_by,
    trial_of,
    triple_fields,
    usual_of,
)

R = TypeVar("R")
OPPONENT = Role("opponent", other=True)
VICTIM = Role("victim", least=0, later=True)


# The outcome of a test, said


def key_of(check: Check) -> str:
    """The word key of a result."""
    kind = "success" if check.success else "failure"
    return f"critical_{kind}" if check.critical else kind


def said_of(check: Check) -> dict[str, Value]:
    """What a sentence says of a result: its quality, after that it is critical if it is; its margin."""
    quality = check.quality.value
    return {"quality": [key_of(check), quality] if check.critical else quality, "margin": check.margin}


def told(check: Check) -> Telling:
    """A result with its quality and its margin."""
    return Telling(f"outcomes.told_{'success' if check.success else 'failure'}", said_of(check))


def in_a_sentence(ctx: Context, check: Check, bare: bool = False, trial: Trial | None = None) -> Telling:
    """Who succeeds or fails, with what skill; how well, unless that would tell a hidden difficulty.

    With the test that was thrown, what fell against its value.
    """
    means = named_means(ctx, ctx.one())
    roll = None if trial is None or bare else thrown(check, total(trial.terms), trial.edge)
    how = "bare_" if bare else "" if roll is None else "roll_"
    key = f"told_{how}{'success' if check.success else 'failure'}{'_with' if means else ''}"
    values: dict[str, Value] = {} if bare else said_of(check)
    if trial is not None and roll is not None:
        values |= {"roll": roll, "value": total(trial.terms)}
    return Telling(f"outcomes.{key}", {**values, **({"means": means} if means else {})}, main=True)


def shown(ctx: Context, result: object) -> Shown:
    """A test lies open; where the difficulty is hidden, only whether it succeeded does."""
    return Shown(detail=GM_ONLY) if hides(ctx) else OPEN


def tell_check(ctx: Context, check: Check) -> Sequence[Telling]:
    """A result to those who may hear it: the margin would tell a hidden difficulty."""
    attempt = has(ctx, ctx.one("gm"), ATTEMPT) or Attempt.UNCERTAIN
    if attempt is not Attempt.UNCERTAIN:
        return (Telling(f"outcomes.told_{attempt.value}", main=True),)
    if not hides(ctx):
        return (in_a_sentence(ctx, check, trial=trial_of(ctx, ctx.one())),)
    return in_a_sentence(ctx, check, bare=True), told(check)._replace(audience=GM_ONLY)


# A simple test


def _follow_victim(ctx: Context, check: Check) -> Sequence[Follow]:
    """Fast talk, fear, seduction: who is the target resists, with the MR as a malus."""
    attacked, victims = still_to_resist(common_of(ctx, ctx.one()), check.success), ctx.all("victim")
    if attacked is None or not victims:
        return ()
    victim = victims[0].id
    # The margin would tell a difficulty that is hidden: it then weighs on the victim in the same way, unseen.
    weight: dict[str, Value] = {"aggressor_margin": check.margin}
    if hides(ctx):
        weight = {HIDE_DIFFICULTY.id: True, HIDDEN_DIFFICULTY.id: -check.margin}
    form: dict[str, Filled] = {"gm": weight, victim: {COMPONENT.id: attacked.value}}
    return (Follow("resist", {"initiator": [victim]}, form),)


def _tell_test(ctx: Context, check: Check) -> Sequence[Telling]:
    """A result, that its victim may still resist it, and how long a task took that somebody hurried."""
    if _sure(ctx):
        skill, rank = has(ctx, ctx.one(), SKILL), rank_of(ctx, ctx.one()).value
        key = "outcomes.told_without_dice" if skill else "outcomes.told_sure"
        said = [Telling(key, {"rank": rank, **({"skill": skill} if skill else {})}, main=True)]
    else:
        said = list(tell_check(ctx, check))
    attacked = still_to_resist(common_of(ctx, ctx.one()), check.success)
    if attacked is not None:
        said.append(Telling("outcomes.told_to_resist", {"component": attacked.value}))
    hurry = spend_of(ctx, ctx.one()).haste
    if hurry and ctx[MINUTES]:
        said.append(Telling("outcomes.told_hurried", {"minutes": time_taken(ctx[MINUTES], hurry, ctx.rulings)}))
    return said


def _pay(ctx: Context, result: object) -> Sequence[Change]:
    """What a throw costs; where nothing is thrown, nothing is paid."""
    actor = ctx.one()
    if ctx[ATTEMPT] is not Attempt.UNCERTAIN:
        return ()
    return payment_changes(ctx, actor, paid_by(ctx, actor, situation=situation_of(ctx, actor)))


def _may_be_hard(ctx: Context) -> bool:
    """Whether circumstances count in the test chosen."""
    act = has(ctx, ctx.one(), COMMON)
    return not act or has_difficulty(act)


def _circumstances(asked: AnyField) -> AnyField:
    """A field about the difficulty, asked where the test chosen has one."""
    when = asked.when
    return replace(asked, when=lambda ctx: _may_be_hard(ctx) and (when is None or when(ctx)))


def _suffices(ctx: Context) -> bool:
    """Whether the skill makes it sure; what cannot be read yet makes nothing sure."""
    try:
        return suffices(ctx, ctx.one())
    except (RuleError, MissingField):
        return False


WITHOUT_DICE: Field[bool | None] = Field(
    "without_dice", Flag(), usual=False, waits=True, rule="SIM-012", place="essential", when=_suffices,
    shape=Steps((True, False), weighed=lambda ctx: False),
)


def _sure(ctx: Context) -> bool:
    return bool(has(ctx, ctx.one(), WITHOUT_DICE))


def _made_sure(ctx: Context) -> Call[Check]:
    """What a skill makes sure, done without dice."""
    actor = ctx.one()
    factors = circumstances_of(ctx, actor)
    worth = total(trial_of(ctx, actor).terms) if ctx.rulings.auto_margin == "value_minus_7" else 0
    return Call(automatic_success, rank_of(ctx, actor), total(factors), worth, Setting.ORDINARY, ctx.rulings)


def under(value: int) -> Telling:
    """The number to stay under, as people say it: so much or less."""
    key = "needed.under" if value > DOUBLE_ONE else "needed.double_one"
    return Telling(key, {"value": value, "most": min(value, DOUBLE_SIX) - 1})


def needed_by(call: Callable[[Context], Call[R]]) -> Callable[[Context], Telling | None]:
    """What the dice must do for a rule that is explained: they stay under the value that it is given first."""

    def needed(ctx: Context) -> Telling | None:
        _, _, value, *_ = call(ctx).args
        return under(value) if isinstance(value, int) else None

    return needed


def _needed(ctx: Context) -> Telling | None:
    """What the dice must do, and what they cost; nothing where nothing is thrown."""
    trial = trial_of(ctx, ctx.one())
    return priced(under(total(trial.terms)), spend_of(ctx, ctx.one())) if trial.attempt is Attempt.UNCERTAIN else None


def priced(needed: Telling, spend: Spend) -> Telling:
    """The number to stay under, with what energies cost before the dice fall."""
    paid = price(spend)
    if not paid:
        return needed
    return needed._replace(key=f"{needed.key}_{paid}", values={**needed.values, "ps": spend.ps, "ep": spend.ep})


def _in_sight(fields: Sequence[AnyField]) -> tuple[AnyField, ...]:
    """Energies are proposed where the phrase is made; the name of the action is seldom said."""
    return tuple(replace(asked, place="essential") if asked.id == ENERGIES.id else asked for asked in fields)


MADE_SURE = Resolve(
    "automatic", _made_sure, tell=_tell_test, outcome=key_of, success=lambda check: check.success, auto=True,
    when=_sure, follow=_follow_victim,
)


def _serves_act(ctx: Context, energy: Energy) -> bool:
    """Whether an energy serves in the common test that was named, if one was."""
    situation = situation_of(ctx, ctx.one())
    return not situation or fits(situation, energy)


SIMPLE_TEST = Move(
    "simple-test",
    cast=(INITIATOR, VICTIM, GAME_MASTER),
    rules=("SIM-001", "SIM-002", "SIM-003", "SIM-006", "SIM-007", "SIM-012", "SIM-078"),
    offered=acting_is_awake,
    suits=acting_is_awake,
    keeps="keep-a-test",
    steps=(
        Ask("declare", (COMMON, *triple_fields(), *skill_fields(), TALENT, PERIOD,
                        *_in_sight(energy_fields(serves=_serves_act)))),
        Ask("settle", (
            *(_circumstances(asked) for asked in DIFFICULTIES), ATTEMPT, SKILL_APPLIES, *JUDGED, STILL_THE_SAME,
            SITUATION, MINUTES, HINDER,
        )),
        Ask("choose", (WITHOUT_DICE,)),
        MADE_SURE,
        Resolve("test", lambda ctx: Call(simple_test, trial_of(ctx, ctx.one()), ctx.rulings), tell=_tell_test,
                outcome=key_of, success=lambda check: check.success, changes=_pay, shown=shown,
                follow=_follow_victim, needed=_needed, when=lambda ctx: not _sure(ctx)),
    ),
)


# Success without dice


def _sure_settings(ctx: Context) -> tuple[Setting, ...]:
    """Where success without dice is possible at all: at a table that grants it, also for some shots."""
    best = (Rank.HOBBY, PROBES[-1]) if in_campaign(ctx) else (Rank.GENIUS, PROBES[-1])
    return tuple(setting for setting in Setting if privilege(*best, setting, ctx.rulings).automatic)


SETTING: Field[Setting] = Field(
    "setting", OneOf(Setting, _sure_settings), "gm", usual=Setting.ORDINARY, rule="SIM-012", place="rarity",
)


def _automatic(ctx: Context) -> Call[Check]:
    actor = ctx.one()
    rank = rank_of(ctx, actor)
    factors = difficulty_terms(ctx)
    margin_matters = ctx.rulings.auto_margin == "value_minus_7"
    terms = (*base_terms(ctx, actor), *skill_terms(ctx, actor, rank), *factors) if margin_matters else ()
    return Call(automatic_success, rank, total(factors), total(terms), ctx[SETTING], ctx.rulings)


def _unjudged(ctx: Context) -> bool:
    """Whether the game master has not said how hard it is: to say it is to agree."""
    return DIFFICULTY.id not in ctx.one("gm").filled


def _sure_skills(ctx: Context) -> tuple[str, ...]:
    """The skills on a sheet that can do without dice: of a campaign, hobbies alone."""
    sheet = person(ctx.one())
    return tuple(name for name in skills_on(ctx, "initiator")
                 if sheet is not None and (not in_campaign(ctx) or is_hobby(sheet, name)))


def _least(ctx: Context) -> int | None:
    """How easy it must be at least for the skill to do without dice."""
    rank = rank_of(ctx, ctx.one())
    return next((step for step in PROBES if privilege(rank, step, Setting.ORDINARY, ctx.rulings).automatic), None)


def _easy_enough(ctx: Context) -> tuple[Modifier, ...]:
    """What whoever agrees says by it: that it is as easy as the skill needs."""
    least = _least(ctx) or 0
    return (Modifier("difficulty", least),) if least > 0 else ()


class SureStep(Step):
    """How hard it is, among what a skill can do without dice."""

    def describe(self, ctx: Context) -> FieldFacts:
        least = _least(ctx)
        named = [name for name in list(TABLES["difficulty"].keys()) if least is None or named_difficulty(name) >= least]
        return FieldFacts(self.name, named, minimum=least)


@dataclass(frozen=True)
class SureSkill(SkillName):
    """A skill that can do without dice."""

    def describe(self, ctx: Context) -> FieldFacts:
        return FieldFacts("one-of", [*_sure_skills(ctx)])


SURE_SKILL: Field[str] = Field(
    "skill", SureSkill(80), rule="SIM-012", place="essential", shape=Pills(weighed=False),
    when=lambda ctx: person(ctx.one()) is not None,
)
def _sure_ranks(ctx: Context) -> tuple[Rank, ...]:
    """The ranks that can do without dice."""
    return tuple(rank for rank in Rank if privilege(rank, PROBES[-1], Setting.ORDINARY, ctx.rulings).automatic)


SURE_RANK: Field[Rank] = Field(
    "rank", OneOf(Rank, _sure_ranks), rule="SIM-012", place="essential",
    when=lambda ctx: person(ctx.one()) is None,
)
AUTOMATIC_SUCCESS = Move(
    "automatic-success",
    offered=lambda ctx: person(ctx.one()) is None or (acting_is_awake(ctx) and bool(_sure_skills(ctx))),
    suits=lambda ctx: not in_campaign(ctx) and bool(skills_on(ctx, "initiator")),
    rules=("SIM-012", "SIM-095"),
    steps=(
        Ask("declare", (SURE_SKILL, SURE_RANK, LEVEL, *given_triple())),
        Ask("settle", (replace(DIFFICULTY, type=SureStep(), usual=_easy_enough), SETTING)),
        Window("confirm", "gm", "approval", when=_unjudged),
        Resolve("automatic", _automatic, tell=lambda ctx, check: (in_a_sentence(ctx, check),),
                outcome=key_of, success=lambda check: check.success),
    ),
)


# A secret test


SECRET_DIFFICULTY: Field[tuple[Modifier, ...]] = Field(
    "secret_difficulty", Step(), "gm", usual=(), secrecy="gm", rule="SIM-024", place="essential", shape=STEPS,
)
NOTHING_THERE = Field("nothing_there", Flag(), "gm", usual=False, secrecy="gm", rule="SIM-024", place="refinement")
ON_SUCCESS = Field("on_success", TextField(), "gm", usual="", secrecy="gm", rule="SIM-024", place="refinement")
ON_FAILURE = replace(ON_SUCCESS, id="on_failure")


def _in_secret(ctx: Context) -> Call[Secret]:
    actor = ctx.one()
    rank = rank_of(ctx, actor)
    usual = usual_of(common_of(ctx, actor))
    component, means = ctx.value(actor, COMPONENT) or usual.component, ctx.value(actor, MEANS) or usual.means
    announced = (*base_terms(ctx, actor, usual=usual), *skill_terms(ctx, actor, rank),
                 *state_terms(ctx, actor, component, means))
    terms = told_by("gm", announced)
    return Call(explained, secret_test, terms, total(announced), total(ctx[SECRET_DIFFICULTY]), rank,
                not ctx[NOTHING_THERE], ctx.rulings)


def _tell_secret(ctx: Context, secret: Secret) -> Sequence[Telling]:
    """One sentence for the player: that of success, or that of nothing, whether he failed or nothing was there."""
    text = narrated(secret, ctx[ON_SUCCESS], ctx[ON_FAILURE])
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
            replace(COMMON, type=OneOf(lambda ctx: acts(secret=True)), secrecy="own"),
            *triple_fields(secrecy="own"),
            *skill_fields(secrecy="own"),
        )),
        Ask("prepare", (SECRET_DIFFICULTY, NOTHING_THERE, ON_SUCCESS, ON_FAILURE)),
        Resolve("secret", _in_secret, tell=_tell_secret, outcome=lambda secret: key_of(secret.check),
                success=lambda secret: secret.check.success, blind=True,
                shown=lambda ctx, result: Shown(only("gm", "initiator"), GM_ONLY, GM_ONLY)),
    ),
)


# A duel

def _hidden_declaration(ctx: Context) -> bool:
    return ctx.rulings.duel_declaration == "hidden"


SEALED = replace(ENERGIES, secrecy="sealed", rule="SIM-027", place="essential",
                 when=lambda ctx: with_energies(ctx) and _hidden_declaration(ctx))
ALOUD = replace(ENERGIES, id="open_energies", waits=True, rule="SIM-027", place="essential",
                when=lambda ctx: with_energies(ctx) and not _hidden_declaration(ctx))
COMMITTED = (SEALED, ALOUD)
"""The energies of a duel, said in one way or the other."""
SECRETLY = replace(DIFFICULTY, secrecy="gm", place="refinement")
OPPONENT_DIFFICULTY = replace(SECRETLY, id="opponent_difficulty")
HIDE_VALUES = Field("hide_values", Flag(), "gm", usual=False, rule="SIM-025", place="refinement")
ALLOW_SEVERAL = replace(SEVERAL, usual=False, waits=False, when=with_energies)



def _side_fields(role: str) -> tuple[AnyField, ...]:
    return (
        *triple_fields(role, secrecy="own"),
        *skill_fields(role, secrecy="own"),
        replace(ACTION_LABEL, role=role, secrecy="own"),
    )


def _side(ctx: Context, role: str, difficulty: Sequence[Modifier] = ()) -> tuple[Told, Side]:
    actor = ctx.one(role)
    must_be_awake(actor, ctx.rulings)
    rank = rank_of(ctx, actor)
    spend = spend_of(ctx, actor, COMMITTED)
    terms = (
        *base_terms(ctx, actor),
        *difficulty,
        *skill_terms(ctx, actor, rank),
        *state_terms(ctx, actor, ctx.value(actor, COMPONENT), ctx.value(actor, MEANS)),
        *energy_terms(ctx, actor, paid_by(ctx, actor, spend=spend)),
    )
    side = Side(total(terms), rank, edge(ctx, actor, rank, COMMITTED), spend.haste)
    return told_by(role, terms), side


def _duel(ctx: Context) -> Call[Duel]:
    mine, a = _side(ctx, "initiator", ctx[SECRETLY])
    theirs, b = _side(ctx, "opponent", ctx[OPPONENT_DIFFICULTY])
    return Call(explained, duel, (*mine, *theirs), a, b, ctx.rulings)


def _alone(role: str) -> Resolve[Check]:
    """One side's own test, for whoever may not know what the other's is worth; what is secretly added is left out."""

    def own(ctx: Context) -> Call[Check]:
        terms, side = _side(ctx, role)
        return Call(explained, throw, terms, side.value, side.edge or edge_of(side.rank), ctx.rulings)

    return Resolve(f"duel_of_{role}", own, outcome=key_of, success=lambda check: check.success)


def _pay_duel(ctx: Context, result: Duel) -> Sequence[Change]:
    return [
        change
        for role in ("initiator", "opponent")
        for change in payment_changes(
            ctx, ctx.one(role), paid_by(ctx, ctx.one(role), spend=spend_of(ctx, ctx.one(role), COMMITTED))
        )
    ]


def _tell_duel(ctx: Context, result: Duel) -> Sequence[Telling]:
    winner = Telling(f"outcomes.told_duel_{result.winner.value}", main=True)
    margins = Telling("outcomes.told_duel", {"a": _margin(result.a), "b": _margin(result.b)})
    return winner, margins._replace(audience=GM_ONLY if ctx[HIDE_VALUES] else EVERYONE)


def _margin(check: Check) -> int:
    return check.margin if check.success else -check.margin


DUEL = Move(
    "duel",
    cast=(INITIATOR, OPPONENT, GAME_MASTER),
    offered=all_are_awake,
    rules=("SIM-025", "SIM-026", "SIM-027"),
    steps=(
        Ask("sides", (*_side_fields("initiator"), *_side_fields("opponent"))),
        Ask("settle", (SECRETLY, OPPONENT_DIFFICULTY, HIDE_VALUES, ALLOW_SEVERAL, MINUTES)),
        Ask("commit", (announced_by("initiator", SEALED), announced_by("opponent", SEALED))),
        Ask("attacker_declares", (announced_by("initiator", ALOUD),)),
        Ask("defender_declares", (announced_by("opponent", ALOUD),)),
        Resolve("duel", _duel, tell=_tell_duel, outcome=lambda result: f"duel_{result.winner.value}",
                success=lambda result: result.winner is Winner.A, changes=_pay_duel,
                sides=lambda result: {Winner.A: ("initiator",), Winner.B: ("opponent",)}.get(result.winner, ()),
                alone={role: _alone(role) for role in ("initiator", "opponent")},
                shown=lambda ctx, result: OWN_DICE._replace(detail=GM_ONLY) if ctx[HIDE_VALUES] else OPEN),
    ),
)

MOVES = (SIMPLE_TEST, AUTOMATIC_SUCCESS, SECRET_TEST, DUEL)
