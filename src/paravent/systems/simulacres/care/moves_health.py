"""Moves of health: conditions, poisons and diseases, care of bodies and minds, and time that passes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

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
    Call,
    Change,
    Context,
    Field,
    FieldFacts,
    Flag,
    Move,
    OneOf,
    Resolve,
    Role,
    Rulings,
    Shown,
    Steps,
    Telling,
    TextField,
    Whole,
    changed,
    only,
)
from paravent.game.records import ALL
from paravent.systems.simulacres.actors import acting_is_awake, being, must_be_awake, none_is_dead, person, state_of
from paravent.systems.simulacres.checks.check import Check, Modifier
from paravent.systems.simulacres.checks.difficulties import DIFFICULTY, total
from paravent.systems.simulacres.checks.energies import PLENTY, Paid, pay
from paravent.systems.simulacres.checks.moves_checks import key_of, needed_by, told, under
from paravent.systems.simulacres.checks.moves_conflict import Granted
from paravent.systems.simulacres.checks.spending import (
    JUDGED,
    MINUTES,
    energy_fields,
    energy_terms,
    for_situation,
    label_of,
    paid_by,
    payment_changes,
    reserve_of,
    spend_of,
)
from paravent.systems.simulacres.checks.trials import Usual, base_terms, explained, given_triple, state_terms, told_by
from paravent.systems.simulacres.people.character import UNTENDED, Ailment, Character, Wounds
from paravent.systems.simulacres.people.skills import care_skill, minds_skill
from paravent.systems.simulacres.terms import Component, Condition, Means, Realm

from .health import (
    DAYS_A_WEEK,
    AilmentKind,
    CareSkill,
    Counters,
    Dressing,
    Healed,
    Loss,
    Session,
    carer_skill,
    diagnose,
    diagnosis_value,
    dress,
    dressing_value,
    look,
    no_session,
    no_use,
    resist_poison,
    session_plan,
    suffer,
    suggested_losses,
    therapy,
)

PATIENT = Role("patient")
BODILY = Usual(Component.BODY, Means.ACTION, Realm.HUMAN)
THINKING = Usual(Component.MIND, Means.PERCEPTION, Realm.HUMAN)
WILLING = Usual(Component.MIND, Means.DESIRE, Realm.HUMAN)
ENDURING = Usual(Component.BODY, Means.RESISTANCE, Realm.HUMAN)

AILMENT = Field("ailment", TextField(80), "gm", usual="", secrecy="gm", rule="SIM-067", place="refinement")
CARE_SKILL: Field[CareSkill | None] = Field(
    "care_skill", OneOf(CareSkill), optional=True, rule="SIM-068", place="refinement",
)
@dataclass(frozen=True)
class Lacking(Whole):
    """Points that somebody lacks: none is refused by the rule, in its own words, so that no page offers it."""

    def describe(self, ctx: Context) -> FieldFacts:
        return FieldFacts(self.name, minimum=1, maximum=self.bounds(ctx)[1])


MISSING: Field[int | None] = Field("missing", Lacking(0), "gm", optional=True, rule="SIM-068", place="rarity")
LIGHT_DIFFICULTY = replace(DIFFICULTY, place="refinement")
"""Care has figures of its own: the game master seldom adds any."""


def counters_of(actor: Actor) -> Counters:
    """The counters of somebody; a creature has no EP to lose."""
    record, sheet = being(actor), person(actor)
    if record is None:
        return Counters(PLENTY, PLENTY, PLENTY)
    return Counters(record.life_points, record.breath_points, sheet.psyche_points if sheet is not None else PLENTY)


def is_dead(ctx: Context, actor: Actor) -> bool:
    """Whether a sheet says that somebody has died."""
    return state_of(actor, ctx.rulings) is Condition.DEAD


def _loss_changes(actor: Actor, after: Counters) -> tuple[Change, ...]:
    record = being(actor)
    if record is None:
        return ()
    changes = (
        *changed(actor.id, record, "life_points", after.pv, "SIM-067", weight="grave"),
        *changed(actor.id, record, "breath_points", after.ps, "SIM-067", weight="grave"),
    )
    if person(actor) is not None:
        changes = (*changes, *changed(actor.id, record, "psyche_points", after.ep, "SIM-067", weight="grave"))
    if after.pv < record.life_points:
        changes = (*changes, *changed(actor.id, record, "wounds", UNTENDED, "SIM-069", weight="grave"))
    return changes


def _ailing(actor: Actor, ailment: Ailment) -> tuple[Change, ...]:
    """What a new ailment writes on the sheet: its name for the game master, its malus for all to feel."""
    sheet = person(actor)
    if sheet is None:
        return ()
    return (
        *changed(actor.id, sheet, "ailments", (*sheet.ailments, ailment), "SIM-067", GM_ONLY, "grave"),
        *changed(actor.id, sheet, "test_malus", sheet.test_malus + ailment.malus, "SIM-067", weight="grave"),
    )


def cured(actor: Actor, name: str) -> tuple[Change, ...]:
    """The changes that rid a character of an ailment: nothing if he has none of that name."""
    sheet = person(actor)
    gone = [ailment for ailment in sheet.ailments if ailment.name == name] if sheet is not None else []
    if sheet is None or not gone:
        return ()
    kept = tuple(ailment for ailment in sheet.ailments if ailment.name != name)
    eased = sheet.test_malus - sum(ailment.malus for ailment in gone)
    return (
        *changed(actor.id, sheet, "ailments", kept, "SIM-071", GM_ONLY),
        *changed(actor.id, sheet, "test_malus", eased, "SIM-071"),
        *changed(actor.id, sheet, "known_ailments", tuple(n for n in sheet.known_ailments if n != name), "SIM-071"),
    )


# A condition that the game master imposes

LOSSES = ("pv", "ps", "ep")
LOSE_PV, LOSE_PS, LOSE_EP = (
    Field(f"lose_{counter}", Whole(0), "gm", usual=0, rule="SIM-067", place="essential") for counter in LOSSES
)
MALUS = Field("malus", Whole(None, 0), "gm", usual=0, rule="SIM-067", place="refinement")
CURE = Field("cure", Flag(), "gm", usual=False, rule="SIM-071", place="refinement")
STATE = Field("state", TextField(80), "gm", usual="", rule="SIM-062", place="refinement")


class Imposed(NamedTuple):
    """A condition imposed: what is left, and the state that makes."""

    left: Counters
    condition: str


def impose(dice: Dice, counters: Counters, loss: Loss, rulings: Rulings) -> Imposed:
    """Take losses off; the rest (a malus, a name, a state) is written on the sheet."""
    left, state = suffer(dice, counters, loss, rulings)
    dice.note("SIM-067", "losses", pv=loss.pv, ps=loss.ps, ep=loss.ep)
    return Imposed(left, state.value)


def _impose(ctx: Context) -> Call[Imposed]:
    loss = Loss(ctx[LOSE_PV], ctx[LOSE_PS], ctx[LOSE_EP], ctx[MALUS])
    return Call(impose, counters_of(ctx.one()), loss, ctx.rulings)


def _change_impose(ctx: Context, result: Imposed) -> Sequence[Change]:
    actor, sheet = ctx.one(), person(ctx.one())
    changes = list(_loss_changes(actor, result.left))
    if ctx[CURE]:
        changes += cured(actor, ctx[AILMENT])
    elif ctx[AILMENT] or ctx[MALUS]:
        changes += _ailing(actor, Ailment(ctx[AILMENT], 0, ctx[MALUS]))
    if ctx[STATE] and sheet is not None:
        changes += changed(actor.id, sheet, "states", (*sheet.states, ctx[STATE]), "SIM-062")
    return changes


APPLY_CONDITION = Move(
    "apply-condition",
    by="gm",
    rules=("SIM-060", "SIM-061", "SIM-062", "SIM-067"),
    steps=(
        Ask("settle", (LOSE_PV, LOSE_PS, LOSE_EP, MALUS, AILMENT, CURE, STATE)),
        Resolve("impose", _impose, outcome=lambda result: f"state_{result.condition}",
                tell=lambda ctx, result: (Telling(f"outcomes.told_{result.condition}", main=True),),
                changes=_change_impose),
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


VIRULENCES = (0, -1, -2, -3, -4)
AILMENT_KIND: Field[AilmentKind] = Field(
    "ailment_kind", OneOf(AilmentKind), "gm", usual=AilmentKind.POISON, secrecy="gm", rule="SIM-066",
    place="refinement",
)
VIRULENCE = Field(
    "virulence", Whole(None, 0), "gm", usual=0, secrecy="gm", probes=VIRULENCES, rule="SIM-066", place="judgement",
    shape=Steps(VIRULENCES),
)


def _effects(ctx: Context) -> tuple[str, ...]:
    return ("no_effect", *(effect_key(loss) for loss in suggested_losses(ctx[AILMENT_KIND])))


def _resist_ailment(ctx: Context) -> Call[Check]:
    actor = ctx.one()
    base = base_terms(ctx, actor, ENDURING)
    paid = paid_by(ctx, actor, "passive")
    virulence = Modifier("virulence", ctx[VIRULENCE])
    terms = (*base, *state_terms(ctx, actor), *energy_terms(ctx, actor, paid), virulence)
    return Call(explained, resist_poison, told_by("initiator", terms), total(terms), ctx.rulings)


def _failed(ctx: Context) -> bool:
    return RESISTING.id in ctx.results and not ctx.result(RESISTING).success


EFFECT: Field[str | None] = Field(
    "effect", OneOf(_effects), "gm", usual="no_effect", waits=True, secrecy="gm", rule="SIM-067", when=_failed,
    shape=Steps(),
)


def _loss(ctx: Context) -> Loss:
    """What the game master chose that the ailment does."""
    return EFFECTS[ctx[EFFECT] or "no_effect"]


def _tell_poison(audience: Audience) -> Callable[[Context, Check], Sequence[Telling]]:
    def tell(ctx: Context, check: Check) -> Sequence[Telling]:
        key = "outcomes.resisted" if check.success else "outcomes.not_resisted"
        return Telling(key, {}, audience, main=True), told(check)._replace(audience=GM_ONLY)

    return tell


def _change_suffer(ctx: Context, result: Imposed) -> Sequence[Change]:
    actor, loss = ctx.one(), _loss(ctx)
    changes = list(_loss_changes(actor, result.left))
    if loss.malus or ctx[AILMENT]:
        changes += _ailing(actor, Ailment(ctx[AILMENT], ctx[VIRULENCE], loss.malus))
    return changes


RESISTING = Resolve(
    "resist", _resist_ailment, tell=_tell_poison(EVERYONE),
    outcome=lambda check: "resisted" if check.success else "not_resisted", success=lambda check: check.success,
    changes=lambda ctx, check: payment_changes(ctx, ctx.one(), paid_by(ctx, ctx.one(), "passive")),
    shown=lambda ctx, result: Shown(detail=GM_ONLY), needed=needed_by(_resist_ailment),
)
SUFFERING = Resolve(
    "suffer", lambda ctx: Call(impose, counters_of(ctx.one()), _loss(ctx), ctx.rulings), when=_failed, auto=True,
    outcome=lambda result: f"state_{result.condition}",
    tell=lambda ctx, result: (Telling(f"outcomes.told_{result.condition}", main=True),), changes=_change_suffer,
    shown=lambda ctx, result: Shown(detail=GM_ONLY),
)


def _unseen(ctx: Context, result: object) -> Shown:
    return INVISIBLE


def _poison_move(name: str, *, secret: bool) -> Move:
    """The same resistance, thrown by the player under a hidden virulence, or wholly in secret by the game master."""
    resisting, suffering = RESISTING, SUFFERING
    if secret:
        resisting = replace(RESISTING, tell=_tell_poison(GM_ONLY), blind=True, shown=_unseen)
        suffering = replace(SUFFERING, shown=_unseen)
    return Move(
        name,
        offered=none_is_dead,
        by="gm" if secret else "initiator",
        exists=GM_ONLY if secret else EVERYONE,
        rules=("SIM-066", "SIM-067"),
        steps=(
            Ask("settle", (AILMENT_KIND, VIRULENCE, replace(AILMENT, rule="SIM-066"))),
            Ask("declare", (*given_triple(), *energy_fields())),
            Ask("energies", JUDGED),
            resisting,
            Ask("effect", (EFFECT,)),
            suffering,
        ),
    )


RESIST_POISON = _poison_move("resist-poison-or-disease", secret=False)
SECRET_POISON = _poison_move("resist-poison-in-secret", secret=True)


# Dressing wounds


ALREADY_TRIED = Field("already_tried", Granted(), "gm", usual=False, rule="SIM-069", place="rarity")
MINUTES_GONE = replace(MINUTES, rule="SIM-069")


def _care_skill(ctx: Context, carer: Actor) -> CareSkill:
    """What the carer knows of medicine: as said, or by his sheet."""
    return ctx.value(carer, CARE_SKILL) or care_skill(person(carer))


def _wounds(ctx: Context, patient: Actor) -> Dressing:
    """The wounds to dress, before anything is said of the carer; without a sheet, one PV is missing."""
    record, said = being(patient), ctx[MISSING]
    if record is None:
        return Dressing(missing=1 if said is None else said)
    missing = record.life_points_max - record.life_points if said is None else said
    return Dressing(missing=missing, dead=is_dead(ctx, patient), tried_by=record.wounds.tried_by)


def _tried(ctx: Context, found: Dressing) -> Dressing:
    """The wounds, with whoever has cared for them."""
    return found._replace(carer=ctx.one().id,
                          tried_by=(*found.tried_by, "") if ctx[ALREADY_TRIED] else found.tried_by)


def _no_use(ctx: Context) -> str:
    """Why there is nothing to dress, if so."""
    return no_use(_tried(ctx, _wounds(ctx, ctx.one("patient"))), ctx.rulings)


def _unread(ctx: Context) -> bool:
    """Whether not everybody reads the patient's wounds. Asked hurt or not: who is awaited must not tell."""
    patient = ctx.one("patient")
    read = ALL in patient.audience and isinstance(patient.record, Character)
    return patient.record is not None and not read


AT_SIGHT: Field[str] = Field(
    "at_sight", OneOf(("to_dress", "nothing_to_dress"),
                      lambda ctx: ("nothing_to_dress" if _no_use(ctx) else "to_dress",)), "gm", usual="to_dress",
    secrecy="gm", rule="SIM-068", place="judgement", when=_unread,
)
"""What the carer sees of wounds that are the game master's to tell: one tap, the only one that holds."""


def _sees_no_use(ctx: Context) -> bool:
    """Whether it was said, and still holds: what is filled in afterwards may speak of a wound."""
    said = _unread(ctx) or AT_SIGHT.id in ctx.one("gm").filled
    return said and ctx[AT_SIGHT] == "nothing_to_dress" and bool(_no_use(ctx))


def _dress(ctx: Context) -> Call[Check]:
    carer, patient = ctx.one(), ctx.one("patient")
    must_be_awake(carer, ctx.rulings)
    found = _tried(ctx, _wounds(ctx, patient))
    terms = (*base_terms(ctx, carer, BODILY), *state_terms(ctx, carer, Component.BODY, Means.ACTION))
    wound = found._replace(
        base=total(terms), skill=_care_skill(ctx, carer), difficulty=total(ctx[DIFFICULTY]),
        precision=total(energy_terms(ctx, carer, paid_by(ctx, carer, "dressing"))),
        minutes=ctx[MINUTES_GONE], on_self=carer.id == patient.id,
    )
    return Call(explained, dress, told_by("initiator", (*terms, *ctx[DIFFICULTY])), wound, ctx.rulings)


def _needed_to_dress(ctx: Context) -> Telling | None:
    _, _, wound, *_ = _dress(ctx).args
    return under(dressing_value(wound)) if isinstance(wound, Dressing) else None


def _change_dressing(ctx: Context, check: Check) -> Sequence[Change]:
    carer, patient = ctx.one(), ctx.one("patient")
    changes = list(payment_changes(ctx, carer, paid_by(ctx, carer, "dressing")))
    record = being(patient)
    if record is not None:
        healed = min(record.life_points_max, record.life_points + check.success)
        wounds = Wounds((*record.wounds.tried_by, carer.id), record.wounds.cared_for or check.success)
        changes += changed(patient.id, record, "life_points", healed, "SIM-068")
        changes += changed(patient.id, record, "wounds", wounds, "SIM-069")
    return changes


def _is_hurt(ctx: Context) -> bool:
    """Whether there is anything to dress that was not tried, as far as a sheet says."""
    record = being(ctx.one("patient"))
    if record is None or is_dead(ctx, ctx.one("patient")):
        return record is None
    tried = record.wounds.tried_by
    locked = bool(tried) if ctx.rulings.dressing_lock == "patient" else ctx.one().id in tried
    return record.life_points < record.life_points_max and not locked


def _may_dress(ctx: Context) -> bool:
    """Whether a carer can act, and there is anything to dress."""
    return acting_is_awake(ctx) and _is_hurt(ctx)


DRESS_WOUNDS = Move(
    "dress-wounds",
    cast=(INITIATOR, replace(PATIENT, other=True), GAME_MASTER),
    offered=_may_dress,
    suits=_may_dress,
    rules=("SIM-068", "SIM-069", "SIM-070"),
    steps=(
        Ask("declare", (*given_triple(), CARE_SKILL, *energy_fields(serves=for_situation("dressing")))),
        Ask("settle", (LIGHT_DIFFICULTY, MINUTES_GONE, *JUDGED, MISSING, ALREADY_TRIED, AT_SIGHT)),
        Resolve("look", lambda ctx: Call(look, _no_use(ctx)), when=_sees_no_use, auto=True,
                outcome=lambda why: "nothing_to_dress",
                tell=lambda ctx, why: (Telling(f"outcomes.told_nothing_to_dress_{why}", main=True),)),
        Resolve("dress", _dress, when=lambda ctx: not _sees_no_use(ctx), tell=lambda ctx, check: (
                    Telling("outcomes.told_dressed" if check.success else "outcomes.told_not_dressed", main=True),
                    told(check)),
                outcome=key_of, success=lambda check: check.success, changes=_change_dressing, needed=_needed_to_dress),
    ),
)


# Diagnosis


REMEDY = Field("remedy", Flag(), "gm", usual=False, secrecy="gm", rule="SIM-071", place="refinement")


def _diagnose(ctx: Context) -> Call[Check]:
    carer = ctx.one()
    must_be_awake(carer, ctx.rulings)
    paid = paid_by(ctx, carer)
    terms = (*base_terms(ctx, carer, THINKING), *state_terms(ctx, carer), *energy_terms(ctx, carer, paid))
    trained = _care_skill(ctx, carer) is CareSkill.MEDICINE
    value = diagnosis_value(total(terms), medicine=trained, difficulty=total(ctx[DIFFICULTY]))
    knowledge = Modifier("medicine" if trained else "untrained", value - total(terms) - total(ctx[DIFFICULTY]))
    told_terms = told_by("initiator", (*terms, knowledge, *ctx[DIFFICULTY]))
    return Call(explained, diagnose, told_terms, value, ctx.rulings)


def _change_diagnosis(ctx: Context, check: Check) -> Sequence[Change]:
    carer = ctx.one()
    changes = list(payment_changes(ctx, carer, paid_by(ctx, carer)))
    patient = next(iter(ctx.all("patient")), None)
    sheet, name = person(patient) if patient is not None else None, ctx[AILMENT]
    if patient is None or sheet is None or not check.success or not name:
        return changes
    if ctx[REMEDY]:
        return [*changes, *cured(patient, name)]
    after = sheet.known_ailments if name in sheet.known_ailments else (*sheet.known_ailments, name)
    return [*changes, *changed(patient.id, sheet, "known_ailments", after, "SIM-071")]


def _tell_diagnosis(ctx: Context, check: Check) -> Sequence[Telling]:
    if not check.success:
        return Telling("outcomes.told_no_diagnosis", main=True), told(check)
    named = Telling("outcomes.told_diagnosis", {"ailment": ctx[AILMENT]}, only("initiator", "gm"))
    return Telling("outcomes.told_diagnosed", main=True), *((named,) if ctx[AILMENT] else ()), told(check)


def _is_ill(ctx: Context) -> bool:
    """Whether something ails a patient, as far as the sheet tells: a malus is felt by everybody."""
    sheet = person(ctx.one("patient"))
    return sheet is not None and sheet.test_malus < 0


DIAGNOSE = Move(
    "diagnose",
    offered=acting_is_awake,
    suits=_is_ill,
    cast=(INITIATOR, Role("patient", least=0), GAME_MASTER),
    rules=("SIM-071",),
    steps=(
        Ask("declare", (*given_triple(), replace(CARE_SKILL, rule="SIM-071"), *energy_fields())),
        Ask("settle", (replace(AILMENT, rule="SIM-071", place="essential"), REMEDY, LIGHT_DIFFICULTY, *JUDGED)),
        Resolve("diagnose", _diagnose, tell=_tell_diagnosis, outcome=key_of,
                success=lambda check: check.success, changes=_change_diagnosis, needed=needed_by(_diagnose)),
    ),
)


# The care of minds


SKILLED: Field[bool | None] = Field("skilled", Flag(), optional=True, rule="SIM-072", place="rarity")


def _missing_psyche(ctx: Context) -> int:
    said, sheet = ctx[MISSING], person(ctx.one("patient"))
    if said is not None:
        return said
    return sheet.psyche_points_max - sheet.psyche_points if sheet is not None else 1


def _no_session(ctx: Context) -> str:
    """Why no session would bring anything, if so."""
    patient = ctx.one("patient")
    sheet = person(patient)
    days = sheet.days_since_session if sheet is not None else DAYS_A_WEEK
    return no_session(_missing_psyche(ctx), days, dead=is_dead(ctx, patient))


MIND_AT_SIGHT: Field[str] = Field(
    "mind_at_sight", OneOf(("to_heal", "nothing_to_heal"),
                           lambda ctx: ("nothing_to_heal" if _no_session(ctx) else "to_heal",)), "gm", usual="to_heal",
    secrecy="gm", rule="SIM-073", place="judgement", when=_unread,
)
"""What the carer sees of a mind that is the game master's to tell: one tap, the only one that holds."""


def _sees_no_session(ctx: Context) -> bool:
    """Whether it was said, and still holds."""
    said = _unread(ctx) or MIND_AT_SIGHT.id in ctx.one("gm").filled
    return said and ctx[MIND_AT_SIGHT] == "nothing_to_heal" and bool(_no_session(ctx))


def _therapy(ctx: Context) -> Call[Healed]:
    carer, patient = ctx.one(), ctx.one("patient")
    said, sheet = ctx.value(carer, SKILLED), person(patient)
    skilled = minds_skill(person(carer)) if said is None else said
    mine = (*base_terms(ctx, carer, THINKING), *state_terms(ctx, carer))
    theirs = (*base_terms(ctx, patient, WILLING), *state_terms(ctx, patient))
    helped = energy_terms(ctx, carer, _paid_in_session(ctx, carer))
    eased = (*energy_terms(ctx, patient, _paid_in_session(ctx, patient)), *ctx[DIFFICULTY])
    missing = _missing_psyche(ctx)
    session = Session(total(mine), total(theirs), missing, skilled, total(helped), total(eased),
                      sheet.days_since_session if sheet is not None else DAYS_A_WEEK)
    weight = Modifier("psyche_missing", -missing)
    learned = Modifier("skilled" if skilled else "unskilled", carer_skill(skilled, ctx.rulings))
    terms = (*told_by("initiator", (*mine, learned, weight, *helped)), *told_by("patient", (*theirs, weight, *eased)))
    return Call(explained, therapy, terms, session, ctx.rulings)


def _paid_in_session(ctx: Context, actor: Actor) -> Paid:
    """Energies of a session, which lasts an hour for each EP missing: beyond one, only EP feed them."""
    minutes = 60 * session_plan(_missing_psyche(ctx)).hours
    return pay(spend_of(ctx, actor), reserve_of(actor, label_of(ctx, actor)), ctx.rulings, minutes)


def _change_therapy(ctx: Context, result: Healed) -> Sequence[Change]:
    carer, patient = ctx.one(), ctx.one("patient")
    changes = [*payment_changes(ctx, carer, _paid_in_session(ctx, carer)),
               *payment_changes(ctx, patient, _paid_in_session(ctx, patient))]
    if person(patient) is not None:
        changes += changed(patient.id, patient.record, "therapy_due", int(result.regained), "SIM-073")
        changes += changed(patient.id, patient.record, "days_since_session", 0, "SIM-073")
        changes += changed(patient.id, patient.record, "session_hours", 0, "SIM-073")
    return changes


def _therapy_key(result: Healed) -> str:
    if not result.carer.success:
        return "session_fails"
    return "psyche_regained" if result.regained else "psyche_not_regained"


def _is_shaken(ctx: Context) -> bool:
    """Whether there is anything to heal in a mind, as far as a sheet says; a beast's is not talked to."""
    sheet = person(ctx.one("patient"))
    if sheet is None:
        return being(ctx.one("patient")) is None
    return sheet.psyche_points < sheet.psyche_points_max


def _may_be_treated(ctx: Context) -> bool:
    """The same, with the week between two sessions over, and a carer who may try."""
    sheet, carer = person(ctx.one("patient")), person(ctx.one())
    if carer is None and being(ctx.one()) is not None:
        return False
    able = ctx.rulings.therapy_unskilled != "forbidden" or carer is None or minds_skill(carer)
    able = able and acting_is_awake(ctx) and none_is_dead(ctx)
    return able and _is_shaken(ctx) and (sheet is None or sheet.days_since_session >= DAYS_A_WEEK)


THERAPY_SESSION = Move(
    "therapy-session",
    cast=(INITIATOR, replace(PATIENT, other=True), GAME_MASTER),
    offered=_may_be_treated,
    suits=_may_be_treated,
    rules=("SIM-072", "SIM-073"),
    steps=(
        Ask("declare", (
            *given_triple(), SKILLED, *energy_fields(), *given_triple("patient"), *energy_fields("patient"),
        )),
        Ask("settle", (LIGHT_DIFFICULTY, replace(MISSING, rule="SIM-072"), MIND_AT_SIGHT)),
        Resolve("look", lambda ctx: Call(look, _no_session(ctx)), when=_sees_no_session, auto=True,
                outcome=lambda why: "nothing_to_heal",
                tell=lambda ctx, why: (Telling(f"outcomes.told_nothing_to_heal_{why}", main=True),)),
        Resolve("session", _therapy, when=lambda ctx: not _sees_no_session(ctx), outcome=_therapy_key,
                success=lambda result: result.regained,
                tell=lambda ctx, result: (
                    Telling(f"outcomes.told_{_therapy_key(result)}", main=True),), changes=_change_therapy),
    ),
)

MOVES = (APPLY_CONDITION, RESIST_POISON, SECRET_POISON, DRESS_WOUNDS, DIAGNOSE, THERAPY_SESSION)
