"""Simulacres: counters at zero, rest, poisons, care of bodies and minds."""

import pytest

from paravent.dice import RecordedDice, ScriptedDice, play
from paravent.game import Who
from paravent.systems.simulacres import SYSTEM
from paravent.systems.simulacres.care.errors import (
    BeyondCare,
    DressingTooLate,
    DressingTriedAlready,
    NoTherapist,
    NothingToHeal,
    OneSessionAWeek,
)
from paravent.systems.simulacres.care.health import (
    AilmentKind,
    Loss,
    Resting,
    Session,
    condition,
    pass_hours,
    relief,
    suggested_losses,
    therapy,
)
from paravent.systems.simulacres.care.moves_time import passing
from paravent.systems.simulacres.checks.check import Check
from paravent.systems.simulacres.checks.errors import PsycheOnly, WrongEnergy
from paravent.systems.simulacres.people.cast import Creature, Extra
from paravent.systems.simulacres.people.character import Ailment, EnergyBonus, Wounds
from paravent.systems.simulacres.terms import Condition

RULINGS = SYSTEM.book.rulings()


# At zero


@pytest.mark.rules("SIM-060", "SIM-061", "SIM-062")
@pytest.mark.option("zero_pv", "coma")
def test_what_each_counter_at_zero_means(rulings):
    assert condition(0, 4, 4, RULINGS) is Condition.DEAD
    assert condition(0, 4, 4, rulings(zero_pv="coma")) is Condition.COMA
    assert condition(3, 0, 4, RULINGS) is Condition.UNCONSCIOUS
    assert condition(3, 4, 0, RULINGS) is Condition.MAD
    assert condition(1, 1, 1, RULINGS) is Condition.CONSCIOUS


@pytest.mark.option("zero_pv", "coma")
@pytest.mark.rules("SIM-060")
def test_a_coma_without_care_is_death_within_the_hour(changes, sheet):
    dying = {"initiator": sheet("arthur", life_points=0)}
    coma = {"zero_pv": "coma"}
    assert changes("pass-time", gm={"hours": 1}, sheets=dying, options=coma)[("initiator", "dead")] is True
    tended = {"initiator": sheet("arthur", life_points=0, wounds=Wounds(("nour",), True))}
    assert ("initiator", "dead") not in changes("pass-time", gm={"hours": 1}, sheets=tended, options=coma)


# Time


@pytest.mark.rules("SIM-063", "SIM-064")
def test_rest_gives_breath_by_the_hour_life_by_the_day_psyche_by_the_week(changes, sheet):
    worn = sheet("arthur", life_points=2, breath_points=0, psyche_points=1, wounds=Wounds(("nour",), True))
    after_hours = changes("pass-time", gm={"hours": 3}, sheets={"initiator": worn})
    assert after_hours == {("initiator", "breath_points"): 3, ("initiator", "rest_hours"): 3,
                           ("initiator", "calm_hours"): 3}
    after_days = changes("pass-time", gm={"days": 2}, sheets={"initiator": worn})
    assert (after_days[("initiator", "life_points")], after_days[("clock", "")]) == (4, 2)
    after_weeks = changes("pass-time", gm={"weeks": 2}, sheets={"initiator": worn})
    assert after_weeks[("initiator", "psyche_points")] == 3
    assert after_weeks[("initiator", "life_points")] == 5


@pytest.mark.rules("SIM-063", "SIM-064")
def test_no_rest_no_breath_no_calm_no_psyche_no_care_no_life(changes, sheet):
    worn = {"initiator": sheet("arthur", life_points=2, breath_points=1, psyche_points=1)}
    busy = changes("pass-time", gm={"weeks": 1}, initiator={"rest": False, "calm": False}, sheets=worn)
    assert busy == {("clock", ""): 7}
    idle = changes("pass-time", gm={"days": 3}, sheets=worn)
    assert ("initiator", "life_points") not in idle


@pytest.mark.rules("SIM-064")
def test_days_of_calm_are_ticked_until_they_make_a_week():
    who = Resting(5, 5, 4, 4, 1, 4, calm_days=5, rest=False)
    after = play(pass_hours, who, 48, RULINGS, dice=RecordedDice(())).result
    assert (after.ep, after.calm_days) == (2, 0)


@pytest.mark.rules("SIM-063")
@pytest.mark.option("recover_without_care", "daily_test")
def test_a_wound_nobody_tended_may_close_by_itself(played, sheet):
    """One Corps + Résistance + Humain test a day: 7 for Arthur."""
    hurt = {"initiator": sheet("arthur", life_points=2)}
    ran = played("pass-time", 3, 3, 5, 5, gm={"days": 2}, sheets=hurt, options={"recover_without_care": "daily_test"})
    assert ran.plays["pass"].result[0].pv == 3
    assert len(ran.plays["pass"].throws) == 2


@pytest.mark.rules("SIM-020", "SIM-064")
def test_time_ends_a_sustained_bonus_unless_the_action_goes_on(changes, sheet):
    at_the_helm = {"initiator": sheet("arthur", active_energy_bonuses=(EnergyBonus("precision", 1, "barre"),))}
    assert changes("pass-time", gm={"hours": 2}, sheets=at_the_helm)[("initiator", "active_energy_bonuses")] == ()
    kept = changes("pass-time", gm={"hours": 2}, initiator={"focused": True}, sheets=at_the_helm)
    assert ("initiator", "active_energy_bonuses") not in kept


@pytest.mark.rules("SIM-063", "SIM-064")
def test_the_system_knows_what_time_does_without_a_move(sheet, rulings):
    worn = sheet("arthur", life_points=3, breath_points=1, wounds=Wounds(("nour",), True))
    after = {change.path: change.after for change in passing(ScriptedDice(), worn, 24 * 60, {}, RULINGS)}
    assert (after["life_points"], after["breath_points"]) == (4, 4)
    untended = sheet("arthur", life_points=3)
    daily = rulings(recover_without_care="daily_test")
    assert all(change.path != "life_points" for change in
               passing(ScriptedDice(*[6, 6] * 10), untended, 240 * 60, {"calm": False}, daily))


def test_plain_numbers_rest_too(result):
    form = {"life_points": 2, "breath_points": 1, "psyche_points": 4, "cared_for": True}
    assert result("pass-time", initiator=form, gm={"hours": 25})[0][:3] == (3, 4, 4)


# Poison and disease


@pytest.mark.rules("SIM-066", "SIM-067")
def test_a_poison_not_resisted_takes_what_the_game_master_picks(played, sheet):
    victim = {"initiator": sheet("ludmila")}
    ran = played("resist-poison-or-disease", 5, 5, sheets=victim,
                 gm={"virulence": -2, "ailment": "curare", "effect": "lose_2_ps"})
    assert ran.plays["resist"].result == Check(False, 2)
    written = {change.path: change.after for change in ran.changes}
    assert written["breath_points"] == 2
    assert written["ailments"] == (Ailment("curare", -2, 0),)
    terms = {dict(note.values)["name"]: dict(note.values)["points"] for note in ran.plays["resist"].notes
             if note.key == "term"}
    assert terms == {"body": 6, "resistance": 3, "human": 1, "virulence": -2}


@pytest.mark.rules("SIM-066", "SIM-022")
def test_power_helps_against_a_poison_and_resisting_it_costs_nothing_more(played, sheet):
    victim = {"initiator": sheet("ludmila")}
    ran = played("resist-poison-or-disease", 4, 4, sheets=victim, initiator={"energies": "power:1"},
                 gm={"virulence": -2})
    assert ran.plays["resist"].result == Check(True, 1)
    assert "suffer" not in ran.plays
    assert {change.path: change.after for change in ran.changes} == {"breath_points": 3}


@pytest.mark.rules("SIM-067")
def test_a_disease_takes_one_point_a_poison_up_to_two():
    assert Loss(pv=2) not in suggested_losses(AilmentKind.DISEASE)
    assert {Loss(pv=2), Loss(ps=2), Loss(malus=-2)} <= set(suggested_losses(AilmentKind.POISON))


@pytest.mark.rules("SIM-067")
def test_an_ailment_weighs_on_all_tests_until_it_is_cured(changes, result, sheet):
    written = changes("apply-condition", gm={"malus": -2, "ailment": "fièvre"}, sheets={"initiator": sheet("arthur")})
    assert written == {("initiator", "ailments"): (Ailment("fièvre", 0, -2),), ("initiator", "test_malus"): -2}
    ill = sheet("arthur", ailments=(Ailment("fièvre", 0, -2),), test_malus=-2)
    form = {"component": "mind", "means": "action", "realm": "human"}
    assert result("simple-test", 2, 3, initiator=form, sheets={"initiator": ill}).margin == 4 + 3 + 1 - 2 - 5
    healed = changes("apply-condition", gm={"cure": True, "ailment": "fièvre"}, sheets={"initiator": ill})
    assert healed == {("initiator", "ailments"): (), ("initiator", "test_malus"): 0}


@pytest.mark.rules("SIM-060", "SIM-067")
def test_losses_stop_at_zero_and_a_new_wound_asks_for_new_care(changes, sheet):
    tended = sheet("arthur", life_points=4, wounds=Wounds(("nour",), True))
    written = changes("apply-condition", gm={"lose_pv": 9, "state": "à terre"}, sheets={"initiator": tended})
    assert written == {("initiator", "life_points"): 0, ("initiator", "wounds"): Wounds(),
                       ("initiator", "states"): ("à terre",)}


def test_a_creature_suffers_too(changes):
    assert changes("apply-condition", gm={"lose_ps": 1}, sheets={"initiator": Creature(name="loup")}) == {
        ("initiator", "breath_points"): 3
    }


# Dressing wounds


@pytest.mark.rules("SIM-068", "SIM-069", "SIM-070")
def test_arthur_dresses_nour(changes, sheet):
    """Corps + Action + Humain 8, médecine +1, two PV missing."""
    both = {"initiator": sheet("arthur"), "patient": sheet("nour", life_points=3)}
    assert changes("dress-wounds", 2, 4, sheets=both) == {
        ("patient", "life_points"): 4, ("patient", "wounds"): Wounds(("initiator",), True)
    }
    assert changes("dress-wounds", 5, 5, sheets=both) == {("patient", "wounds"): Wounds(("initiator",), False)}


@pytest.mark.rules("SIM-069")
@pytest.mark.option("dressing_lock", "carer")
def test_wounds_have_one_attempt_by_patient_or_by_carer(result, sheet):
    tried = {"initiator": sheet("arthur"), "patient": sheet("nour", life_points=3, wounds=Wounds(("tiphaine",)))}
    with pytest.raises(DressingTriedAlready):
        result("dress-wounds", 2, 2, sheets=tried)
    assert result("dress-wounds", 2, 2, sheets=tried, options={"dressing_lock": "carer"}).success
    again = {"initiator": sheet("arthur"), "patient": sheet("nour", life_points=3, wounds=Wounds(("initiator",)))}
    with pytest.raises(DressingTriedAlready):
        result("dress-wounds", 2, 2, sheets=again, options={"dressing_lock": "carer"})


@pytest.mark.rules("SIM-068", "SIM-069")
def test_too_late_or_unhurt_there_is_nothing_to_dress(result, sheet):
    with pytest.raises(DressingTooLate):
        result("dress-wounds", 2, 2, initiator={"value": 8}, gm={"minutes": 61})
    with pytest.raises(NothingToHeal):
        result("dress-wounds", 2, 2, sheets={"initiator": sheet("arthur"), "patient": sheet("nour")})


@pytest.mark.rules("SIM-068", "SIM-069")
@pytest.mark.parametrize(("patient", "why"), [
    ({}, "unhurt"), ({"life_points": 0}, "dead"), ({"life_points": 3, "wounds": Wounds(("tiphaine",))}, "tried"),
])
def test_the_game_master_says_that_the_carer_sees_nothing_to_dress(result, changes, sheet, patient, why):
    both = {"initiator": sheet("arthur"), "patient": sheet("nour", **patient)}
    assert result("dress-wounds", sheets=both, gm={"at_sight": "nothing_to_dress"}) == why
    assert changes("dress-wounds", sheets=both, gm={"at_sight": "nothing_to_dress"}) == {}


@pytest.mark.rules("SIM-070", "SIM-022")
def test_only_precision_helps_to_dress(result, sheet):
    with pytest.raises(WrongEnergy):
        result("dress-wounds", 2, 2, initiator={"value": 8, "energies": "power:1"})
    assert result("dress-wounds", 2, 3, gm={"missing": 3},
                  initiator={"value": 8, "care_skill": "medicine", "energies": "precision:1"}).margin == 2


# Diagnosis


@pytest.mark.rules("SIM-071")
def test_a_diagnosis_lets_the_remedy_be_given(played, changes, sheet):
    ill = sheet("nour", ailments=(Ailment("scorbut", -1, -1),), test_malus=-1)
    both = {"initiator": sheet("arthur"), "patient": ill}
    ran = played("diagnose", 3, 3, patient={}, gm={"ailment": "scorbut"}, sheets=both)
    assert ran.plays["diagnose"].result == Check(True, 2)
    harder = played("diagnose", 3, 3, patient={}, gm={"difficulty": "lumière:-1"}, sheets=both)
    assert harder.plays["diagnose"].result == Check(True, 1)
    assert {change.path: change.after for change in ran.changes} == {"known_ailments": ("scorbut",)}
    cured = changes("diagnose", 3, 3, patient={}, gm={"ailment": "scorbut", "remedy": True}, sheets=both)
    assert cured == {("patient", "ailments"): (), ("patient", "test_malus"): 0}
    lay = {"initiator": sheet("nour")}
    assert played("diagnose", 2, 3, sheets=lay).plays["diagnose"].result == Check(False, 1)


# Minds


@pytest.mark.rules("SIM-072", "SIM-073")
def test_a_session_promises_a_point_for_the_day_after(changes, sheet):
    """Arthur cares for Isidore, who misses 1 EP: both tests at −1."""
    both = {"initiator": sheet("arthur"), "patient": sheet("isidore", psyche_points=3)}
    assert changes("therapy-session", 2, 3, 4, 4, sheets=both) == {
        ("patient", "therapy_due"): 1, ("patient", "days_since_session"): 0
    }
    waiting = sheet("isidore", psyche_points=3, therapy_due=1, days_since_session=0)
    after = changes("pass-time", gm={"days": 1}, sheets={"initiator": waiting})
    assert (after[("initiator", "psyche_points")], after[("initiator", "therapy_due")]) == (4, 0)
    assert after[("initiator", "days_since_session")] == 1
    with pytest.raises(OneSessionAWeek):
        changes("therapy-session", 2, 3, 4, 4, sheets={"initiator": sheet("arthur"), "patient": waiting})


@pytest.mark.rules("SIM-072")
def test_a_carer_who_fails_ends_the_session(result, changes, sheet):
    both = {"initiator": sheet("arthur"), "patient": sheet("isidore", psyche_points=3)}
    assert result("therapy-session", 6, 5, sheets=both).patient is None
    assert changes("therapy-session", 6, 5, sheets=both) == {("patient", "days_since_session"): 0}


@pytest.mark.rules("SIM-072")
@pytest.mark.option("therapy_unskilled", "zero")
@pytest.mark.option("therapy_unskilled", "forbidden")
def test_a_layman_heals_minds_badly_or_not_at_all(rulings):
    layman = Session(9, 8, 1, skilled=False)
    assert not play(therapy, layman, RULINGS, dice=ScriptedDice(2, 2)).result.carer.success
    assert play(therapy, layman, rulings(therapy_unskilled="zero"), dice=ScriptedDice(2, 2, 6, 5)).result.carer.success
    with pytest.raises(NoTherapist):
        play(therapy, layman, rulings(therapy_unskilled="forbidden"), dice=ScriptedDice(2, 2))


@pytest.mark.rules("SIM-073")
@pytest.mark.option("therapy_relief", "none")
@pytest.mark.option("therapy_relief", "half_margin")
def test_a_carer_who_does_very_well_relieves_the_patient(rulings):
    eased = {way: [relief(margin, rulings(therapy_relief=way)) for margin in (1, 3, 4, 6, 9)]
             for way in ("quality", "none", "half_margin")}
    assert eased == {"quality": [0, 0, 1, 2, 2], "none": [0] * 5, "half_margin": [0, 1, 2, 3, 4]}


@pytest.mark.rules("SIM-073", "SIM-021")
def test_a_long_session_is_fed_with_psyche(result, sheet):
    both = {"initiator": sheet("arthur"), "patient": sheet("isidore", psyche_points=2)}
    with pytest.raises(PsycheOnly):
        result("therapy-session", 2, 2, 3, 3, initiator={"energies": "precision:1"}, sheets=both)
    paid = {"energies": "precision:1,ep:1"}
    assert result("therapy-session", 2, 2, 3, 3, initiator=paid, sheets=both).regained


@pytest.mark.rules("SIM-073")
@pytest.mark.parametrize(("patient", "why"), [
    ({}, "unshaken"), ({"life_points": 0}, "dead"), ({"psyche_points": 2, "days_since_session": 3}, "too_soon"),
])
def test_the_game_master_says_that_the_carer_finds_no_mind_to_heal(result, changes, sheet, patient, why):
    both = {"initiator": sheet("arthur"), "patient": sheet("isidore", **patient)}
    assert result("therapy-session", sheets=both, gm={"mind_at_sight": "nothing_to_heal"}) == why
    assert changes("therapy-session", sheets=both, gm={"mind_at_sight": "nothing_to_heal"}) == {}


@pytest.mark.rules("SIM-068", "SIM-073")
def test_nothing_missing_nothing_to_heal(result, sheet):
    with pytest.raises(NothingToHeal):
        result("therapy-session", 2, 2, sheets={"initiator": sheet("arthur"), "patient": sheet("isidore")})


# Edges of time and care


@pytest.mark.rules("SIM-060", "SIM-069")
@pytest.mark.option("zero_pv", "coma")
def test_nobody_dresses_the_dead_back_to_life(changes, sheet):
    both = {"initiator": sheet("arthur"), "patient": sheet("nour", life_points=0)}
    with pytest.raises(BeyondCare):
        changes("dress-wounds", 1, 1, sheets=both)
    saved = changes("dress-wounds", 1, 1, sheets=both, options={"zero_pv": "coma"})
    assert saved[("patient", "life_points")] == 1
    gone = {**both, "patient": sheet("nour", life_points=0, dead=True)}
    with pytest.raises(BeyondCare):
        changes("dress-wounds", 1, 1, sheets=gone, options={"zero_pv": "coma"})


@pytest.mark.rules("SIM-061", "SIM-064")
def test_who_lies_without_breath_wakes_after_an_hour_whatever_he_meant_to_do(changes, sheet):
    busy = {"rest": False, "calm": False}
    fallen = {"initiator": sheet("arthur", breath_points=0)}
    assert changes("pass-time", gm={"hours": 1}, initiator=busy, sheets=fallen) == {("initiator", "breath_points"): 1}
    assert changes("pass-time", gm={"hours": 5}, initiator=busy, sheets=fallen) == {("initiator", "breath_points"): 1}


def lived(record, hours, times, **habits):
    """A record after the same hours again and again."""
    from dataclasses import replace

    for _ in range(times):
        written = passing(ScriptedDice(), record, hours * 60, habits, RULINGS)
        record = replace(record, **{change.path: change.after for change in written})
    return record


@pytest.mark.rules("SIM-073", "SIM-064")
def test_a_week_of_restless_half_days_is_a_week_all_the_same(sheet):
    treated = sheet("isidore", psyche_points=2, days_since_session=0)
    assert lived(treated, 12, 13, rest=False, calm=False).days_since_session == 6
    assert lived(treated, 12, 14, rest=False, calm=False).days_since_session == 7


@pytest.mark.rules("SIM-063", "SIM-064")
def test_who_lacks_nothing_saves_up_no_rest(sheet):
    from dataclasses import replace

    idle = lived(sheet("arthur"), 23, 1)
    assert (idle.rest_hours, idle.calm_hours, lived(idle, 24 * 6, 1).calm_days) == (0, 0, 0)
    hurt = replace(idle, life_points=3, psyche_points=3, wounds=Wounds(("nour",), True))
    assert lived(hurt, 1, 1).life_points == 3
    assert lived(hurt, 12, 2).life_points == 4


@pytest.mark.rules("SIM-063", "SIM-073")
def test_the_cast_rests_by_the_hour_too():
    hurt = Extra(name="Sbire", life_points=2, psyche_points=3, therapy_due=1, wounds=Wounds(("a",), True))
    rested = lived(hurt, 12, 2)
    assert (rested.life_points, rested.psyche_points) == (3, 4)
    wolf = Creature(name="loup", life_points=2, wounds=Wounds(("a",), True))
    assert lived(wolf, 12, 2).life_points == 3


@pytest.mark.rules("SIM-063")
@pytest.mark.option("recover_without_care", "daily_test")
def test_once_whole_again_nobody_tests_any_more(played, sheet):
    hurt = {"initiator": sheet("arthur", life_points=4)}
    ran = played("pass-time", 3, 3, gm={"days": 5}, sheets=hurt, options={"recover_without_care": "daily_test"})
    assert (ran.plays["pass"].result[0].pv, len(ran.plays["pass"].throws)) == (5, 1)


def test_a_beast_that_succumbs_to_fear_breaks_nothing(changes):
    beast = {"initiator": Creature(name="loup")}
    assert changes("will", 6, 5, gm={"failure_margin": 2, "state": "en fuite"}, sheets=beast) == {}


@pytest.mark.rules("SIM-067")
def test_a_malus_needs_no_name(changes, sheet):
    written = changes("apply-condition", gm={"malus": -1}, sheets={"initiator": sheet("arthur")})
    assert written == {("initiator", "ailments"): (Ailment("", 0, -1),), ("initiator", "test_malus"): -1}
    ill = sheet("arthur", ailments=(Ailment("", 0, -1),), test_malus=-1)
    healed = changes("apply-condition", gm={"cure": True}, sheets={"initiator": ill})
    assert healed == {("initiator", "ailments"): (), ("initiator", "test_malus"): 0}


@pytest.mark.rules("SIM-072", "SIM-073")
def test_a_session_says_where_both_values_come_from(played):
    ran = played("therapy-session", 2, 2, 2, 2, initiator={"value": 9, "skilled": True}, patient={"value": 8},
                 gm={"missing": 2, "difficulty": "bruit:-1"})
    said = [dict(note.values) for note in ran.plays["session"].notes if note.key == "term_of"]
    terms = [(one["name"], one["points"]) for one in said]
    assert {one["who"] for one in said} == {Who("initiator"), Who("patient")}, "whose sum it is"
    assert terms == [("value", 9), ("skilled", 1), ("psyche_missing", -2), ("value", 8), ("psyche_missing", -2),
                     ("bruit", -1)]
    under = [dict(note.values)["value"] for note in ran.plays["session"].notes if note.key == "under"]
    assert under == [9 + 1 - 2, 8 - 2 - 1 + 1]
