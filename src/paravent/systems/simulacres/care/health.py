"""Simulacres, « Points de vie, souffle, équilibre psychique » and « Les soins » (SIM-060 to SIM-073).

Counters at zero, what rest brings back, poisons and diseases, dressing wounds, diagnosis, the care of minds.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, NamedTuple

from paravent.dice import Dice
from paravent.game import Rulings, rule
from paravent.systems.simulacres.checks.check import Check, check
from paravent.systems.simulacres.terms import TABLES, Condition, Rank

from .errors import (
    BeyondCare,
    DressingOneself,
    DressingTooLate,
    DressingTriedAlready,
    NoTherapist,
    NothingToHeal,
    OneSessionAWeek,
)

HOURS_A_DAY, DAYS_A_WEEK, MINUTES_TO_DRESS = 24, 7, 60
MOST_DAYS_TESTED = 31
"""Days without care that are tested one by one when time passes at a stride."""


@rule("SIM-060", "SIM-061", "SIM-062")
def condition(pv: int, ps: int, ep: int, rulings: Rulings, *, dead: bool = False) -> Condition:
    """What the counters make of a character: dead at 0 PV (or in a coma), out of mind at 0 EP, unconscious at 0 PS."""
    if dead or (pv <= 0 and rulings.zero_pv == "dead"):
        return Condition.DEAD
    if pv <= 0:
        return Condition.COMA
    if ps <= 0:
        return Condition.UNCONSCIOUS
    return Condition.MAD if ep <= 0 else Condition.CONSCIOUS


@rule("SIM-065")
def last_point_malus(pv: int, ps: int, ep: int, rulings: Rulings) -> int:
    """The malus of those on their last point: off, for PS and EP, for all three, or once for each counter."""
    match rulings.last_point_malus:
        case "ps_ep":
            return -int(1 in (ps, ep))
        case "pv_ps_ep":
            return -int(1 in (pv, ps, ep))
        case "cumulative":
            return -sum(left == 1 for left in (pv, ps, ep))
        case _:
            return 0


# Time


class Resting(NamedTuple):
    """A character as time finds him: counters and their maxima, the care he had, what he does meanwhile."""

    pv: int = 0
    pv_max: int = 0
    ps: int = 0
    ps_max: int = 0
    ep: int = 0
    ep_max: int = 0
    cared_for: bool = False
    dead: bool = False
    calm_days: int = 0
    rest_hours: int = 0
    calm_hours: int = 0
    therapy_due: int = 0
    days_since_session: int = DAYS_A_WEEK
    session_hours: int = 0
    endurance: int = 0
    """Body + resistance + human, for those who heal without care."""
    rest: bool = True
    calm: bool = True


class Rested(NamedTuple):
    """The same, once time has passed."""

    pv: int
    ps: int
    ep: int
    dead: bool
    calm_days: int
    rest_hours: int
    calm_hours: int
    therapy_due: int
    days_since_session: int
    session_hours: int


@rule("SIM-061", "SIM-063", "SIM-064")
def pass_hours(dice: Dice, who: Resting, hours: int, rulings: Rulings) -> Rested:
    """What hours bring back: 1 PS an hour of rest, 1 PV a day of rest once cared for, 1 EP for seven days of calm.

    Hours are kept until they make a day, and days of calm until they make a week; a day without calm ticks nothing,
    and who lacks nothing saves nothing up. Who lies without breath rests for the hour after which he wakes. Who lies in
    a coma without care dies within the hour. A session's EP comes with the first day of rest.
    """
    dying = condition(who.pv, who.ps, who.ep, rulings, dead=who.dead)
    if dying is Condition.DEAD or (dying is Condition.COMA and hours and not who.cared_for):
        dice.note("SIM-060", "stays_dead")
        return Rested(who.pv, who.ps, who.ep, True, who.calm_days, 0, 0, 0, who.days_since_session, 0)
    lying = min(1, hours) if who.ps <= 0 else 0
    ps = min(who.ps_max, who.ps + (hours if who.rest else lying))
    rest_hours = who.rest_hours + hours if who.rest else 0
    calm_hours = who.calm_hours + hours if who.calm else who.calm_hours
    days = rest_hours // HOURS_A_DAY
    healed = _healed(dice, who, days, rulings)
    ticked = who.calm_days + calm_hours // HOURS_A_DAY
    from_therapy = who.therapy_due if days else 0
    ep = min(who.ep_max, who.ep + ticked // DAYS_A_WEEK + from_therapy)
    pv = min(who.pv_max, who.pv + healed)
    since = who.session_hours + hours
    days_since = min(DAYS_A_WEEK, who.days_since_session + since // HOURS_A_DAY)
    dice.note("SIM-064", "recovered", pv=pv - who.pv, ps=ps - who.ps, ep=ep - who.ep)
    wounded, shaken = pv < who.pv_max or who.therapy_due > from_therapy, ep < who.ep_max
    return Rested(
        pv, ps, ep, False,
        ticked % DAYS_A_WEEK if shaken else 0,
        rest_hours % HOURS_A_DAY if wounded else 0,
        calm_hours % HOURS_A_DAY if shaken else 0,
        who.therapy_due - from_therapy,
        days_since,
        since % HOURS_A_DAY if days_since < DAYS_A_WEEK else 0,
    )


def _healed(dice: Dice, who: Resting, days: int, rulings: Rulings) -> int:
    """How many PV so many days of rest give: one a day with care; without, none or one for each test succeeded."""
    if who.cared_for:
        return days
    if rulings.recover_without_care == "no":
        return 0
    healed = 0
    for _ in range(min(days, MOST_DAYS_TESTED)):
        if who.pv + healed < who.pv_max:
            healed += dice.resolve(check, who.endurance, Rank.NONE, rulings).success
    return healed


# Poison and disease


class AilmentKind(StrEnum):
    """What one has to resist."""

    POISON = "poison"
    DISEASE = "disease"


class Loss(NamedTuple):
    """What an ailment does: points lost at once, and a malus on all tests until it is cured."""

    pv: int = 0
    ps: int = 0
    ep: int = 0
    malus: int = 0


@rule("SIM-066")
def resist_poison(dice: Dice, value: int, rulings: Rulings) -> Check:
    """Resist a poison or a disease by body + resistance + human + virulence: success means no effect."""
    return dice.then(check, value, Rank.NONE, rulings)


@rule("SIM-067")
def suggested_losses(kind: AilmentKind) -> tuple[Loss, ...]:
    """What the rules suggest when it is not resisted: a disease takes 1, a poison 1 or 2, or all tests suffer."""
    taken = (1,) if kind is AilmentKind.DISEASE else (1, 2)
    points = tuple(Loss(ps=n) for n in taken) + tuple(Loss(pv=n) for n in taken)
    return (*points, Loss(malus=-1), Loss(malus=-2))


class Counters(NamedTuple):
    """Life, breath and psyche."""

    pv: int
    ps: int
    ep: int


@rule("SIM-067", "SIM-060", "SIM-061", "SIM-062")
def suffer(dice: Dice, counters: Counters, loss: Loss, rulings: Rulings) -> tuple[Counters, Condition]:
    """Take losses off the counters, never below 0, and say what state that leaves."""
    left = Counters(*(max(0, had - lost) for had, lost in zip(counters, loss[:3], strict=True)))
    return left, condition(*left, rulings)


# Care


def care(kind: str, skill: str) -> dict[str, Any]:
    """The line of the care table for a kind of care and a carer's skill."""
    table = TABLES["care"]
    table.keys()
    found = next(row for row in table.rows if row[0] == kind and row[4] == skill)
    return dict(zip(table.columns, found, strict=True))


class CareSkill(StrEnum):
    """What a carer knows of medicine."""

    NONE = "none"
    FIRST_AID = "first_aid"
    MEDICINE = "medicine"


class Dressing(NamedTuple):
    """Wounds to dress: the carer's sum and skill, PV missing, points of precision, circumstances, limits."""

    base: int = 0
    skill: CareSkill = CareSkill.NONE
    missing: int = 1
    precision: int = 0
    difficulty: int = 0
    minutes: int = 0
    on_self: bool = False
    dead: bool = False
    carer: str = ""
    tried_by: tuple[str, ...] = ()


@rule("SIM-068", "SIM-069")
def no_use(wound: Dressing, rulings: Rulings) -> str:
    """Why care would bring nothing to these wounds, whoever gives it well: what a carer sees at the first look."""
    if wound.dead:
        return "dead"
    tried = wound.tried_by if rulings.dressing_lock == "patient" else [n for n in wound.tried_by if n == wound.carer]
    return "tried" if tried else "unhurt" if wound.missing <= 0 else ""


@rule("SIM-068", "SIM-069", "SIM-073")
def look(dice: Dice, why: str) -> str:
    """A look at a patient whom no care helps: nothing is thrown, and nothing is spent."""
    return why


@rule("SIM-069")
def may_dress(wound: Dressing, rulings: Rulings) -> None:
    """Within the hour, never on oneself, on the living, and once for a set of wounds (by patient, or by each carer)."""
    if wound.minutes > MINUTES_TO_DRESS:
        raise DressingTooLate(minutes=wound.minutes)
    if wound.on_self:
        raise DressingOneself()
    if wound.dead:
        raise BeyondCare()
    tried = wound.tried_by if rulings.dressing_lock == "patient" else [n for n in wound.tried_by if n == wound.carer]
    if tried:
        raise DressingTriedAlready(tried_by=list(tried))
    if wound.missing <= 0:
        raise NothingToHeal()


@rule("SIM-068", "SIM-070")
def dressing_value(wound: Dressing) -> int:
    """The carer's sum, what he knows of care, less the PV missing; precision is the one energy that helps."""
    skill = care("dressing", wound.skill.value)["difficulty"]
    return int(wound.base + skill - wound.missing + wound.precision + wound.difficulty)


@rule("SIM-068")
def dress(dice: Dice, wound: Dressing, rulings: Rulings) -> Check:
    """Dress wounds right after a fight: a success gives 1 PV at once, and a failure cannot be tried again."""
    may_dress(wound, rulings)
    dice.note("SIM-068", "dressing", base=wound.base, skill=wound.skill.value, missing=wound.missing,
              precision=wound.precision, value=dressing_value(wound))
    return dice.then(check, dressing_value(wound), Rank.NONE, rulings)


@rule("SIM-071")
def diagnosis_value(base: int, *, medicine: bool, difficulty: int) -> int:
    """Mind + perception + human, −4 without a talent of medicine."""
    return int(base + care("diagnosis", "medicine" if medicine else "none")["difficulty"] + difficulty)


@rule("SIM-071")
def diagnose(dice: Dice, value: int, rulings: Rulings) -> Check:
    """Name an illness or a poison; only then can a remedy be given."""
    return dice.then(check, value, Rank.NONE, rulings)


class Session(NamedTuple):
    """A therapy session to hold: both sums before anything, the EP missing, the carer's skill, both helps."""

    carer: int
    patient: int
    missing: int
    skilled: bool = True
    carer_bonus: int = 0
    patient_bonus: int = 0
    days_since_last: int = DAYS_A_WEEK


class Healed(NamedTuple):
    """A session held: whether the carer succeeded, the relief given, and whether 1 EP comes after a day of rest."""

    carer: Check
    relief: int
    patient: Check | None

    @property
    def regained(self) -> bool:
        """Whether the EP comes back."""
        return self.patient is not None and self.patient.success


class Plan(NamedTuple):
    """What a session costs and may bring."""

    hours: int
    carer_modifier: int
    patient_modifier: int
    gained: int = 1
    gained_after_days: int = 1
    next_session_days: int = DAYS_A_WEEK


@rule("SIM-072", "SIM-073")
def session_plan(missing: int) -> Plan:
    """A session lasts as many hours as EP are missing, and both tests have that malus."""
    return Plan(missing, -missing, -missing)


@rule("SIM-072")
def carer_skill(skilled: bool, rulings: Rulings) -> int:
    """What a relevant skill adds for the carer, and what the lack of one costs or forbids."""
    if skilled:
        return int(care("therapy_carer", "relevant")["difficulty"])
    if rulings.therapy_unskilled == "forbidden":
        raise NoTherapist()
    return 0 if rulings.therapy_unskilled == "zero" else int(care("therapy_carer", "none")["difficulty"])


@rule("SIM-073")
def relief(margin: int, rulings: Rulings) -> int:
    """What a carer who does very well takes off the patient's burden."""
    match rulings.therapy_relief:
        case "none":
            return 0
        case "half_margin":
            return margin // 2
        case _:
            return 2 if margin >= 6 else 1 if margin >= 4 else 0


@rule("SIM-073")
def no_session(missing: int, days_since_last: int, *, dead: bool = False) -> str:
    """Why a session would bring nothing to a mind, whoever listens well: what a carer sees before it begins."""
    if dead:
        return "dead"
    return "unshaken" if missing <= 0 else "too_soon" if days_since_last < DAYS_A_WEEK else ""


@rule("SIM-072", "SIM-073")
def therapy(dice: Dice, session: Session, rulings: Rulings) -> Healed:
    """Care for a mind: the carer tests, then the patient, both with a malus of the EP missing; one session a week."""
    if session.missing <= 0:
        raise NothingToHeal("SIM-073")
    if session.days_since_last < DAYS_A_WEEK:
        raise OneSessionAWeek(days=session.days_since_last)
    plan = session_plan(session.missing)
    carer_value = session.carer + carer_skill(session.skilled, rulings) + plan.carer_modifier + session.carer_bonus
    carer = dice.of("initiator").resolve(check, carer_value, Rank.NONE, rulings)
    if not carer.success:
        dice.note("SIM-072", "session_fails", hours=plan.hours)
        return Healed(carer, 0, None)
    eased = relief(carer.margin, rulings)
    dice.note("SIM-073", "session_held", hours=plan.hours, relief=eased)
    patient_value = session.patient + plan.patient_modifier + eased + session.patient_bonus
    return Healed(carer, eased, dice.of("patient").resolve(check, patient_value, Rank.NONE, rulings))
