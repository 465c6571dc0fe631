"""Moves of health: conditions, poisons and diseases, care of bodies and minds, and time that passes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from paravent.dice import Dice
from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    INVISIBLE,
    Actor,
    Ask,
    Audience,
    Change,
    Context,
    Field,
    Flag,
    Move,
    OneOf,
    Resolve,
    Role,
    Rulings,
    Shown,
    Telling,
    TextField,
    Whole,
    asking,
    changed,
    only,
)

from .character import UNTENDED, Ailment, Wounds
from .check import Check, Modifier
from .energies import PLENTY, pay
from .health import (
    AilmentKind,
    CareSkill,
    Counters,
    Dressing,
    Healed,
    Loss,
    Session,
    carer_skill,
    condition,
    diagnose,
    diagnosis_value,
    dress,
    resist_poison,
    session_plan,
    suffer,
    suggested_losses,
    therapy,
)
from .moves_checks import key_of, told
from .reading import (
    DIFFICULTY,
    Usual,
    base_terms,
    care_skill,
    energy_fields,
    energy_terms,
    explained,
    has,
    minds_skill,
    paid_by,
    payment_changes,
    reserve_of,
    spend_of,
    state_terms,
    told_by,
    total,
    triple_fields,
)
from .terms import Component, Condition, Means, Realm

PATIENT = Role("patient")
BODILY = Usual(Component.BODY, Means.ACTION, Realm.HUMAN)
THINKING = Usual(Component.MIND, Means.PERCEPTION, Realm.HUMAN)
WILLING = Usual(Component.MIND, Means.DESIRE, Realm.HUMAN)
ENDURING = Usual(Component.BODY, Means.RESISTANCE, Realm.HUMAN)


def counters_of(record: Any) -> Counters:
    """The counters of a record; a creature has no EP to lose."""
    if record is None:
        return Counters(PLENTY, PLENTY, PLENTY)
    return Counters(record.life_points, record.breath_points, getattr(record, "psyche_points", PLENTY))


def _loss_changes(actor: Actor, after: Counters, rule: str, audience: Audience = EVERYONE) -> tuple[Change, ...]:
    record = actor.record
    if record is None:
        return ()
    changes = (
        *changed(actor.id, record, "life_points", after.pv, rule, audience),
        *changed(actor.id, record, "breath_points", after.ps, rule, audience),
    )
    if hasattr(record, "psyche_points"):
        changes = (*changes, *changed(actor.id, record, "psyche_points", after.ep, rule, audience))
    if after.pv < record.life_points:
        changes = (*changes, *changed(actor.id, record, "wounds", UNTENDED, "SIM-069", audience))
    return changes


def _ailing(actor: Actor, ailment: Ailment | None, audience: Audience = EVERYONE) -> tuple[Change, ...]:
    """What a new ailment writes on the sheet: its name for the game master, its malus for all to feel."""
    record = actor.record
    if ailment is None or not hasattr(record, "ailments"):
        return ()
    return (
        *changed(actor.id, record, "ailments", (*record.ailments, ailment), "SIM-067", GM_ONLY),
        *changed(actor.id, record, "test_malus", record.test_malus + ailment.malus, "SIM-067", audience),
    )


def cured(actor: Actor, name: str) -> tuple[Change, ...]:
    """The changes that rid a character of an ailment: nothing if he has none of that name."""
    record = actor.record
    gone = [ailment for ailment in getattr(record, "ailments", ()) if ailment.name == name]
    if not gone:
        return ()
    kept = tuple(ailment for ailment in record.ailments if ailment.name != name)
    eased = record.test_malus - sum(ailment.malus for ailment in gone)
    return (
        *changed(actor.id, record, "ailments", kept, "SIM-071", GM_ONLY),
        *changed(actor.id, record, "test_malus", eased, "SIM-071"),
        *changed(actor.id, record, "known_ailments", tuple(n for n in record.known_ailments if n != name), "SIM-071"),
    )


# A condition that the game master imposes

LOSSES = ("pv", "ps", "ep")


class Imposed(NamedTuple):
    """A condition imposed: what is left, and the state that makes."""

    left: Counters
    condition: str


def impose(dice: Dice, counters: Counters, loss: Loss, rulings: Rulings) -> Imposed:
    """Take losses off; the rest (a malus, a name, a state) is written on the sheet."""
    left, state = suffer(dice, counters, loss, rulings)
    dice.note("SIM-067", "losses", pv=loss.pv, ps=loss.ps, ep=loss.ep)
    return Imposed(left, state.value)


def _read_impose(ctx: Context) -> tuple[Any, ...]:
    loss = Loss(ctx["lose_pv"], ctx["lose_ps"], ctx["lose_ep"], ctx["malus"])
    return counters_of(ctx.one().record), loss, ctx.rulings


def _change_impose(ctx: Context, result: Imposed) -> Sequence[Change]:
    actor = ctx.one()
    if actor.record is None:
        return ()
    changes = list(_loss_changes(actor, result.left, "SIM-067"))
    if (ctx["ailment"] or ctx["malus"]) and not ctx["cure"]:
        changes += _ailing(actor, Ailment(ctx["ailment"], 0, ctx["malus"]))
    if ctx["cure"]:
        changes += cured(actor, ctx["ailment"])
    if ctx["state"] and hasattr(actor.record, "states"):
        changes += changed(actor.id, actor.record, "states", (*actor.record.states, ctx["state"]), "SIM-062")
    return changes


APPLY_CONDITION = Move(
    "apply-condition",
    by="gm",
    rules=("SIM-060", "SIM-061", "SIM-062", "SIM-067"),
    steps=(
        Ask("settle", (
            *(Field(f"lose_{counter}", Whole(0), "gm", usual=0, rule="SIM-067") for counter in LOSSES),
            Field("malus", Whole(None, 0), "gm", usual=0, rule="SIM-067"),
            Field("ailment", TextField(80), "gm", usual="", secrecy="gm", rule="SIM-067"),
            Field("cure", Flag(), "gm", usual=False, rule="SIM-071"),
            Field("state", TextField(80), "gm", usual="", rule="SIM-062"),
        )),
        Resolve("impose", asking(impose, _read_impose), outcome=lambda result: f"state_{result.condition}",
                tell=lambda ctx, result: (Telling(f"outcomes.told_{result.condition}"),), changes=_change_impose),
    ),
)


# Poison and disease


def effect_key(loss: Loss) -> str:
    """The name under which a suggested effect is chosen."""
    if loss.malus:
        return f"malus_{-loss.malus}"
    counter, points = next((name, n) for name, n in zip(LOSSES, loss[:3], strict=True) if n)
    return f"lose_{points}_{counter}"


EFFECTS = {"no_effect": Loss(), **{effect_key(loss): loss for loss in suggested_losses(AilmentKind.POISON)}}


def _effects(ctx: Context) -> tuple[str, ...]:
    return ("no_effect", *(effect_key(loss) for loss in suggested_losses(ctx["ailment_kind"])))


def _read_poison(ctx: Context) -> tuple[Any, ...]:
    actor = ctx.one()
    base = base_terms(ctx, actor, ENDURING)
    paid = paid_by(ctx, actor, "passive")
    virulence = Modifier("virulence", int(ctx["virulence"]))
    terms = (*base, *state_terms(ctx, actor), *energy_terms(ctx, actor, paid), virulence)
    return resist_poison, told_by("initiator", terms), total(terms), ctx.rulings


def _failed(ctx: Context) -> bool:
    return "resist" in ctx.results and not ctx.results["resist"].success


def _tell_poison(audience: Audience) -> Any:
    def tell(ctx: Context, check: Check) -> Sequence[Telling]:
        key = "outcomes.resisted" if check.success else "outcomes.not_resisted"
        return Telling(key, {}, audience), told(check)._replace(audience=GM_ONLY)

    return tell


def _read_suffer(ctx: Context) -> tuple[Any, ...]:
    return counters_of(ctx.one().record), EFFECTS[ctx["effect"]], ctx.rulings


def _change_suffer(ctx: Context, result: Imposed) -> Sequence[Change]:
    actor, loss = ctx.one(), EFFECTS[ctx["effect"]]
    changes = list(_loss_changes(actor, result.left, "SIM-067"))
    if loss.malus or ctx["ailment"]:
        changes += _ailing(actor, Ailment(ctx["ailment"], ctx["virulence"], loss.malus))
    return changes


def _poison_move(name: str, *, secret: bool) -> Move:
    """The same resistance, thrown by the player under a hidden virulence, or wholly in secret by the game master."""
    audience = GM_ONLY if secret else EVERYONE
    return Move(
        name,
        by="gm" if secret else "initiator",
        exists=audience,
        rules=("SIM-066", "SIM-067"),
        steps=(
            Ask("settle", (
                Field("ailment_kind", OneOf(AilmentKind), "gm", usual=AilmentKind.POISON, secrecy="gm", rule="SIM-066"),
                Field("virulence", Whole(None, 0), "gm", usual=0, secrecy="gm", probes=(0, -1, -2, -3, -4),
                      rule="SIM-066"),
                Field("ailment", TextField(80), "gm", usual="", secrecy="gm", rule="SIM-066"),
            )),
            Ask("declare", (*triple_fields(), *energy_fields())),
            Resolve("resist", asking(explained, _read_poison), tell=_tell_poison(audience),
                    outcome=lambda check: "resisted" if check.success else "not_resisted",
                    success=lambda check: check.success, blind=secret,
                    changes=lambda ctx, check: payment_changes(ctx, ctx.one(), paid_by(ctx, ctx.one(), "passive")),
                    shown=lambda ctx, result: INVISIBLE if secret else Shown(detail=GM_ONLY)),
            Ask("effect", (Field("effect", OneOf(_effects), "gm", usual="no_effect", waits=True, secrecy="gm",
                                 rule="SIM-067", when=_failed),)),
            Resolve("suffer",
                asking(impose, _read_suffer), when=_failed, outcome=lambda result: f"state_{result.condition}",
                    tell=lambda ctx, result: (Telling(f"outcomes.told_{result.condition}"),), changes=_change_suffer,
                    shown=lambda ctx, result: INVISIBLE if secret else Shown(detail=GM_ONLY)),
        ),
    )


RESIST_POISON = _poison_move("resist-poison-or-disease", secret=False)
SECRET_POISON = _poison_move("resist-poison-in-secret", secret=True)


# Dressing wounds


def _read_dressing(ctx: Context) -> tuple[Any, ...]:
    carer, patient = ctx.one(), ctx.one("patient")
    record = patient.record
    missing = ctx["missing"]
    if missing is None:
        missing = record.life_points_max - record.life_points if record is not None else 1
    skill = has(ctx, carer, "care_skill") or care_skill(carer.record)
    paid = paid_by(ctx, carer, "dressing")
    terms = (*base_terms(ctx, carer, BODILY), *state_terms(ctx, carer, Component.BODY, Means.ACTION))
    held = total(energy_terms(ctx, carer, paid))
    tried = record.wounds.tried_by if record is not None else ()
    tried = (*tried, "") if ctx["already_tried"] else tried
    dead = record is not None and condition(*counters_of(record), ctx.rulings, dead=record.dead) is Condition.DEAD
    wound = Dressing(total(terms), CareSkill(skill), missing, held, total(ctx["difficulty"]), ctx["minutes"],
                     carer.id == patient.id, dead, carer.id, tried)
    return dress, told_by("initiator", (*terms, *ctx["difficulty"])), wound, ctx.rulings


def _change_dressing(ctx: Context, check: Check) -> Sequence[Change]:
    carer, patient = ctx.one(), ctx.one("patient")
    changes = list(payment_changes(ctx, carer, paid_by(ctx, carer, "dressing")))
    if patient.record is not None:
        record = patient.record
        healed = min(record.life_points_max, record.life_points + check.success)
        wounds = Wounds((*record.wounds.tried_by, carer.id), record.wounds.cared_for or check.success)
        changes += changed(patient.id, record, "life_points", healed, "SIM-068")
        changes += changed(patient.id, record, "wounds", wounds, "SIM-069")
    return changes


DRESS_WOUNDS = Move(
    "dress-wounds",
    cast=(INITIATOR, PATIENT, GAME_MASTER),
    rules=("SIM-068", "SIM-069", "SIM-070"),
    steps=(
        Ask("declare", (
            *triple_fields(),
            Field("care_skill", OneOf(CareSkill), optional=True, rule="SIM-068"),
            *energy_fields(),
        )),
        Ask("settle", (
            Field("missing", Whole(0), "gm", optional=True, rule="SIM-068"),
            Field("minutes", Whole(0), "gm", usual=0, rule="SIM-069"),
            Field("already_tried", Flag(), "gm", usual=False, rule="SIM-069"),
            DIFFICULTY,
        )),
        Resolve("dress", asking(explained, _read_dressing), tell=lambda ctx, check: (
                    Telling("outcomes.told_dressed" if check.success else "outcomes.told_not_dressed"), told(check)),
                outcome=key_of, success=lambda check: check.success, changes=_change_dressing),
    ),
)


# Diagnosis


def _read_diagnosis(ctx: Context) -> tuple[Any, ...]:
    carer = ctx.one()
    skill = has(ctx, carer, "care_skill") or care_skill(carer.record)
    paid = paid_by(ctx, carer)
    terms = (*base_terms(ctx, carer, THINKING), *state_terms(ctx, carer), *energy_terms(ctx, carer, paid))
    trained = skill == CareSkill.MEDICINE
    value = diagnosis_value(total(terms), medicine=trained, difficulty=total(ctx["difficulty"]))
    knowledge = Modifier("medicine" if trained else "untrained", value - total(terms) - total(ctx["difficulty"]))
    return diagnose, told_by("initiator", (*terms, knowledge, *ctx["difficulty"])), value, ctx.rulings


def _change_diagnosis(ctx: Context, check: Check) -> Sequence[Change]:
    carer = ctx.one()
    changes = list(payment_changes(ctx, carer, paid_by(ctx, carer)))
    patient = next(iter(ctx.all("patient")), None)
    name = ctx["ailment"]
    if patient is None or patient.record is None or not check.success or not name:
        return changes
    if ctx["remedy"]:
        return [*changes, *cured(patient, name)]
    known = patient.record.known_ailments
    after = known if name in known else (*known, name)
    return [*changes, *changed(patient.id, patient.record, "known_ailments", after, "SIM-071")]


def _tell_diagnosis(ctx: Context, check: Check) -> Sequence[Telling]:
    if not check.success:
        return Telling("outcomes.told_no_diagnosis"), told(check)
    named = Telling("outcomes.told_diagnosis", {"ailment": ctx["ailment"]}, only("initiator", "gm"))
    return (named if ctx["ailment"] else Telling("outcomes.told_diagnosed")), told(check)


DIAGNOSE = Move(
    "diagnose",
    cast=(INITIATOR, Role("patient", least=0), GAME_MASTER),
    rules=("SIM-071",),
    steps=(
        Ask("declare", (
            *triple_fields(),
            Field("care_skill", OneOf(CareSkill), optional=True, rule="SIM-071"),
            *energy_fields(),
        )),
        Ask("settle", (
            Field("ailment", TextField(80), "gm", usual="", secrecy="gm", rule="SIM-071"),
            Field("remedy", Flag(), "gm", usual=False, secrecy="gm", rule="SIM-071"),
            DIFFICULTY,
        )),
        Resolve("diagnose", asking(explained, _read_diagnosis), tell=_tell_diagnosis, outcome=key_of,
                success=lambda check: check.success, changes=_change_diagnosis),
    ),
)


# The care of minds


def _missing_psyche(ctx: Context) -> int:
    record = ctx.one("patient").record
    if ctx["missing"] is not None:
        return int(ctx["missing"])
    return record.psyche_points_max - record.psyche_points if record is not None else 1


def _read_therapy(ctx: Context) -> tuple[Any, ...]:
    carer, patient = ctx.one(), ctx.one("patient")
    skilled = has(ctx, carer, "skilled")
    skilled = minds_skill(carer.record) if skilled is None else skilled
    mine = (*base_terms(ctx, carer, THINKING), *state_terms(ctx, carer))
    theirs = (*base_terms(ctx, patient, WILLING), *state_terms(ctx, patient))
    helped = energy_terms(ctx, carer, _paid_in_session(ctx, carer))
    eased = (*energy_terms(ctx, patient, _paid_in_session(ctx, patient)), *ctx["difficulty"])
    missing = _missing_psyche(ctx)
    session = Session(total(mine), total(theirs), missing, skilled, total(helped), total(eased),
                      getattr(patient.record, "days_since_session", 7))
    weight = Modifier("psyche_missing", -missing)
    learned = Modifier("skilled" if skilled else "unskilled", carer_skill(skilled, ctx.rulings))
    terms = (*told_by("initiator", (*mine, learned, weight, *helped)), *told_by("patient", (*theirs, weight, *eased)))
    return therapy, terms, session, ctx.rulings


def _paid_in_session(ctx: Context, actor: Actor) -> Any:
    """Energies of a session, which lasts an hour for each EP missing: beyond one, only EP feed them."""
    label = has(ctx, actor, "action_label") or ""
    minutes = 60 * session_plan(_missing_psyche(ctx)).hours
    return pay(spend_of(ctx, actor), reserve_of(actor.record, label), ctx.rulings, minutes)


def _change_therapy(ctx: Context, result: Healed) -> Sequence[Change]:
    carer, patient = ctx.one(), ctx.one("patient")
    changes = [*payment_changes(ctx, carer, _paid_in_session(ctx, carer)),
               *payment_changes(ctx, patient, _paid_in_session(ctx, patient))]
    if hasattr(patient.record, "therapy_due"):
        changes += changed(patient.id, patient.record, "therapy_due", int(result.regained), "SIM-073")
        changes += changed(patient.id, patient.record, "days_since_session", 0, "SIM-073")
        changes += changed(patient.id, patient.record, "session_hours", 0, "SIM-073")
    return changes


def _therapy_key(result: Healed) -> str:
    if not result.carer.success:
        return "session_fails"
    return "psyche_regained" if result.regained else "psyche_not_regained"


THERAPY_SESSION = Move(
    "therapy-session",
    cast=(INITIATOR, PATIENT, GAME_MASTER),
    rules=("SIM-072", "SIM-073"),
    steps=(
        Ask("declare", (
            *triple_fields(),
            Field("skilled", Flag(), optional=True, rule="SIM-072"),
            *energy_fields(),
            *triple_fields("patient"),
            *energy_fields("patient"),
        )),
        Ask("settle", (Field("missing", Whole(0), "gm", optional=True, rule="SIM-072"), DIFFICULTY)),
        Resolve("session",
            asking(explained, _read_therapy), outcome=_therapy_key, success=lambda result: result.regained,
                tell=lambda ctx, result: (Telling(f"outcomes.told_{_therapy_key(result)}"),), changes=_change_therapy),
    ),
)

MOVES = (APPLY_CONDITION, RESIST_POISON, SECRET_POISON, DRESS_WOUNDS, DIAGNOSE, THERAPY_SESSION)
