"""Simulacres: energies, paid in breath for one throw or in psyche as long as the action lasts."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paravent.game import RuleError
from paravent.game.errors import MissingField
from paravent.game.telling import Teller
from paravent.systems.simulacres import SYSTEM
from paravent.systems.simulacres.checks.check import Check
from paravent.systems.simulacres.checks.energies import Reserve, Spend, fits, pay
from paravent.systems.simulacres.checks.errors import (
    LastPointKept,
    NoEnergies,
    OneEnergy,
    PsycheOnly,
    TooLittleLeft,
    TooManyPoints,
    WrongEnergy,
    WrongPayment,
)
from paravent.systems.simulacres.checks.spending import spend_of, struck_off
from paravent.systems.simulacres.people.character import EnergyBonus
from paravent.systems.simulacres.terms import Condition, Energy

RULINGS = SYSTEM.book.rulings()
DOOR = {"component": "body", "means": "action", "realm": "mechanical"}


@pytest.mark.rules("SIM-015", "SIM-016", "SIM-017")
def test_arthur_breaks_a_door_with_all_his_power(played, sheet):
    """4 + 3 + 1, thick −2, Puissance 2 paid 1 PS + 1 EP: value 8 against a 6."""
    ran = played("simple-test", 2, 4, sheets={"initiator": sheet("arthur")}, gm={"difficulty": "épaisse:-2"},
                 initiator={**DOOR, "energies": "power:2,ps:1,ep:1", "action_label": "porte"})
    assert ran.plays["test"].result == Check(True, 2)
    written = {change.path: change.after for change in ran.changes}
    assert written == {"breath_points": 3, "psyche_points": 3,
                       "active_energy_bonuses": (EnergyBonus("power", 1, "porte"),)}


@pytest.mark.rules("SIM-017")
def test_points_whose_payment_is_not_said_are_paid_in_breath_even_by_who_fails(changes, sheet):
    arthur = {"initiator": sheet("arthur")}
    assert changes("simple-test", 6, 5, initiator={**DOOR, "energies": "power:2"}, sheets=arthur) == {
        ("initiator", "breath_points"): 2
    }


@pytest.mark.rules("SIM-019", "SIM-020")
def test_an_ep_bonus_lasts_while_the_action_is_the_same_and_ends_with_it(played, sheet):
    held = sheet("arthur", active_energy_bonuses=(EnergyBonus("precision", 1, "escalier"),))
    stairs = {"component": 4, "means": 3, "realm": 1}
    same = played("simple-test", 4, 4, initiator={**stairs, "action_label": "escalier"}, sheets={"initiator": held})
    assert same.plays["test"].result == Check(True, 1)
    assert same.changes == ()
    moved = played("simple-test", 4, 4, initiator={**stairs, "action_label": "lustre"}, sheets={"initiator": held})
    assert moved.plays["test"].result == Check(False, 0)
    assert {change.path: change.after for change in moved.changes} == {"active_energy_bonuses": ()}


@pytest.mark.rules("SIM-016", "SIM-020")
def test_what_is_sustained_counts_against_the_energy(played, sheet):
    held = sheet("arthur", active_energy_bonuses=(EnergyBonus("precision", 1, "escalier"),))
    with pytest.raises(TooManyPoints):
        played("simple-test", 4, 4, sheets={"initiator": held},
               initiator={"value": 8, "energies": "precision:1", "action_label": "escalier"})


@pytest.mark.rules("SIM-018")
def test_several_energies_serve_at_once_only_if_the_game_master_allows_it(result, sheet):
    arthur = {"initiator": sheet("arthur")}
    spent = {"energies": "power:1,precision:1,ps:2"}
    with pytest.raises(MissingField):  # it is the game master's word, and nobody else's
        result("simple-test", 4, 5, initiator={**DOOR, **spent}, sheets=arthur)
    with pytest.raises(OneEnergy) as refused:
        result("simple-test", 4, 5, initiator={**DOOR, **spent}, gm={"several_energies": False}, sheets=arthur)
    assert refused.value.values["energies"] == ["power", "precision"]
    allowed = {"several_energies": True}
    assert result("simple-test", 4, 5, initiator={**DOOR, **spent}, gm=allowed, sheets=arthur) == Check(True, 1)


@pytest.mark.rules("SIM-015")
def test_an_energy_that_the_game_master_strikes_off_adds_nothing_and_costs_nothing(result, changes, sheet):
    arthur, spent = {"initiator": sheet("arthur")}, {"energies": "power:1,precision:1,ep:1"}
    struck = {"struck_energies": ["power"]}
    whole = result("simple-test", 3, 4, initiator={**DOOR, "energies": "precision:1"}, sheets=arthur)
    assert result("simple-test", 3, 4, initiator={**DOOR, **spent}, gm=struck, sheets=arthur) == whole
    written = changes("simple-test", 3, 4, initiator={**DOOR, **spent, "action_label": "porte"}, gm=struck,
                      sheets=arthur)
    assert written[("initiator", "psyche_points")] == 3
    assert ("initiator", "breath_points") not in written
    assert struck_off(Spend(power=1, precision=1, ep=1), frozenset({Energy.POWER})) == Spend(precision=1, ep=1)


@pytest.mark.rules("SIM-016")
def test_only_the_energies_that_one_has_are_offered_with_what_pays_for_them(system, sheet):
    def parts(**more):
        ctx = system.context("simple-test", {"initiator": [{}]}, {"initiator": sheet("arthur", **more)})
        return system.move("simple-test").field("energies").type.describe(ctx).parts
    assert list(parts(power=0, speed=1, precision=0)) == ["speed", "ep"]
    assert parts(power=0, speed=1, precision=0)["ep"].shape.left == 4
    assert list(parts(power=0, speed=1, precision=0, psyche_points=0)) == ["speed"]
    assert parts(power=0, speed=0, precision=0) == {}
    assert list(parts(power=1, speed=0, precision=0, breath_points=0)) == ["power", "ep"]


@pytest.mark.rules("SIM-017")
@pytest.mark.parametrize(("points", "breath", "paid"), [
    ("power:1", 2, (1, 0)), ("power:1", 0, (0, 1)), ("power:2", 1, (1, 1)), ("power:2,ep:2", 1, (0, 2)),
    ("power:2,ps:2", 1, (1, 1)),
])
def test_what_breath_does_not_pay_is_paid_in_psyche(system, sheet, points, breath, paid):
    form = {"initiator": [{**DOOR, "energies": points}]}
    ctx = system.context("simple-test", form, {"initiator": sheet("arthur", breath_points=breath)})
    spend = spend_of(ctx, ctx.one())
    assert (spend.ps, spend.ep) == paid


@pytest.mark.rules("SIM-017")
@pytest.mark.option("spend_last_point", "forbid")
def test_where_the_last_breath_is_kept_psyche_pays_in_its_stead(result, changes, sheet):
    thrown = {"sheets": {"initiator": sheet("arthur", breath_points=1)}, "options": {"spend_last_point": "forbid"},
              "initiator": {**DOOR, "energies": "power:1"}}
    assert result("simple-test", 3, 3, **thrown).success
    written = changes("simple-test", 3, 3, **thrown)
    assert written[("initiator", "psyche_points")] == 3
    assert ("initiator", "breath_points") not in written


@pytest.mark.rules("SIM-021")
def test_beyond_an_hour_only_psyche_feeds_an_action(played, sheet):
    arthur = {"initiator": sheet("arthur")}
    with pytest.raises(PsycheOnly):
        played("simple-test", 4, 4, initiator={"value": 8, "energies": "precision:1"}, gm={"minutes": 61},
               sheets=arthur)
    paid = {"value": 8, "energies": "precision:1,ep:1"}
    assert played("simple-test", 4, 4, initiator=paid, gm={"minutes": 90}, sheets=arthur).plays["test"].result.success


@pytest.mark.rules("SIM-022")
def test_an_energy_must_fit_the_situation(played, sheet):
    cyprien = {"initiator": sheet("cyprien", power=1)}
    with pytest.raises(WrongEnergy):
        played("simple-test", 4, 4, initiator={"common": "drive", "energies": "power:1"}, sheets=cyprien)
    with pytest.raises(WrongEnergy):
        played("simple-test", 4, 4, initiator={"value": 8, "energies": "precision:1"},
               gm={"situation": "breaking_door"})
    assert fits("melee", Energy.SPEED)


@pytest.mark.rules("SIM-015")
@pytest.mark.option("energies", "off")
def test_a_first_game_may_do_without_energies(played):
    with pytest.raises(NoEnergies):
        played("simple-test", 4, 4, initiator={"value": 8, "energies": "power:1"}, options={"energies": "off"})


@pytest.mark.rules("SIM-017", "SIM-061", "SIM-062")
@pytest.mark.option("spend_last_point", "forbid")
def test_the_last_point_may_be_spent_unless_the_table_forbids_it(rulings):
    last_breath = Reserve(power=1, ps=1, ep=4)
    assert pay(Spend(power=1, ps=1), last_breath, RULINGS).after is Condition.UNCONSCIOUS
    assert pay(Spend(power=1, ep=1), Reserve(power=1, ps=4, ep=1), RULINGS).after is Condition.MAD
    with pytest.raises(LastPointKept):
        pay(Spend(power=1, ps=1), last_breath, rulings(spend_last_point="forbid"))


@pytest.mark.rules("SIM-017")
def test_a_payment_must_add_up_and_be_there():
    with pytest.raises(WrongPayment):
        pay(Spend(power=2, ps=1), Reserve(), RULINGS)
    with pytest.raises(TooLittleLeft):
        pay(Spend(power=2, ps=2), Reserve(ps=1), RULINGS)


@settings(derandomize=True, deadline=None)
@given(power=st.integers(0, 3), precision=st.integers(0, 3), ps=st.integers(0, 6), ep=st.integers(0, 6))
def test_a_payment_is_whole_or_refused(power, precision, ps, ep):
    """Whatever is announced, either each point is paid once or nothing is taken."""
    spend, has = Spend(power, 0, precision, ps, ep), Reserve(2, 0, 2, 4, 4)
    if power > 2 or precision > 2 or ps + ep != power + precision or ps > 4 or ep > 4:
        with pytest.raises(RuleError):
            pay(spend, has, RULINGS)
        return
    paid = pay(spend, has, RULINGS)
    assert (4 - paid.ps) + (4 - paid.ep) == paid.bonus == power + precision
    assert sum(points for _, points in paid.lasting) == ep


@pytest.mark.rules("SIM-B01", "SIM-B02")
@pytest.mark.option("power_alternative", "on")
@pytest.mark.option("precision_alternative", "on")
def test_points_may_become_dice_or_a_wider_critical(result, sheet):
    both = {"power_alternative": "on", "precision_alternative": "on"}
    several = {"gm": {"several_energies": True}}
    arthur = {"initiator": sheet("arthur")}
    form = {"value": 8, "energies": "power_dice:1,precision_range:1,ps:2"}
    assert result("simple-test", 3, 3, 5, initiator=form, **several, sheets=arthur, options=both) == Check(True, 2 + 5)
    wide = result("simple-test", 1, 2, 5, initiator=form, **several, sheets=arthur, options=both)
    assert wide == Check(True, 5 + 5, True)
    with pytest.raises(RuleError):
        result("simple-test", 3, 3, 5, initiator=form, **several, sheets=arthur)


@pytest.mark.rules("SIM-020")
def test_the_same_phrase_again_is_the_same_act_and_another_is_not(played, system, sheet, rulings):
    """Paid once in EP, Précision serves again for nothing; the game master, another act or a tap end it."""
    phrase = {"component": "body", "means": "action", "realm": "mineral"}
    arthur = sheet("arthur")
    first = played("simple-test", 3, 3, initiator={**phrase, "energies": "precision:1,ep:1"},
                   sheets={"initiator": arthur})
    held = {change.path: change.after for change in first.changes}
    assert held["psyche_points"] == 3
    (bonus,) = held["active_energy_bonuses"]
    climber = replace(arthur, psyche_points=3, active_energy_bonuses=(bonus,))
    again = played("simple-test", 3, 3, initiator=phrase, sheets={"initiator": climber})
    assert again.plays["test"].result.margin == first.plays["test"].result.margin
    assert again.changes == ()
    for others in ({"initiator": {**phrase, "realm": "human"}}, {"initiator": phrase, "gm": {"still_the_same": False}}):
        moved = played("simple-test", 3, 3, sheets={"initiator": climber}, **others)
        assert [change.after for change in moved.changes] == [()]
    (chip,) = system.kind("character").glimpses(climber, rulings())
    assert "Précision +1 gardée\u00a0: Corps, Action, Minéral" in Teller("fr", system).say(chip.key, **chip.values)
    ended = played("end-a-bonus", initiator={"kept_up": bonus.action}, sheets={"initiator": climber})
    assert [change.after for change in ended.changes] == [()]
    assert [one.move for one in system.kind("character").shortcuts(climber, rulings())] == ["end-a-bonus"]


@pytest.mark.rules("SIM-020")
def test_what_is_kept_up_in_a_fight_is_told_in_words_and_never_by_a_number(system, sheet, rulings):
    fighter = sheet("arthur", active_energy_bonuses=(EnergyBonus("speed", 1, "fight"),))
    (chip,) = system.kind("character").glimpses(fighter, rulings())
    assert Teller("fr", system).say(chip.key, **chip.values) == "Rapidité +1 gardée\u00a0: le combat"
