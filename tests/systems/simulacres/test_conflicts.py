"""Simulacres: duels, inner conflicts, friendly comparisons, the last chance."""

import pytest

from paravent.dice import ScriptedDice, play
from paravent.game.errors import NeedsSheet
from paravent.systems.simulacres import SYSTEM
from paravent.systems.simulacres.checks.check import Check
from paravent.systems.simulacres.checks.compare import Better, Comparison, LastChance
from paravent.systems.simulacres.checks.conflict import attacked_component, will_modifier
from paravent.systems.simulacres.checks.duel import Duel, Side, Winner, duel
from paravent.systems.simulacres.checks.errors import (
    ComponentChange,
    LastChanceUsed,
    NoSecondWill,
    NotAware,
    NotDesperate,
    NothingToResist,
    RealmDoesNotFit,
    WrongEnergy,
)
from paravent.systems.simulacres.terms import Rank

RULINGS = SYSTEM.book.rulings()


# Duels


@pytest.mark.rules("SIM-025", "SIM-027")
def test_the_three_cup_man_beats_arthur(result):
    """Esprit + Perception + Humain −2 against a trickster's 10: MR 2 against MR 3."""
    done = result("duel", 1, 3, 3, 4, initiator={"component": 4, "means": 3, "realm": 1}, opponent={"value": 10},
                  gm={"difficulty": -2})
    assert done == Duel(Winner.B, Check(True, 2), Check(True, 3))


@pytest.mark.rules("SIM-025", "SIM-026")
def test_both_fail_and_equal_margins_come_to_nothing(result):
    values = {"initiator": {"value": 8}, "opponent": {"value": 9}}
    assert result("duel", 6, 5, 5, 5, **values).winner is Winner.BOTH_FAIL
    assert result("duel", 3, 3, 3, 4, **values).winner is Winner.TIE


@pytest.mark.rules("SIM-027")
def test_a_critical_success_does_not_beat_a_higher_margin():
    done = play(duel, Side(4), Side(9), RULINGS, dice=ScriptedDice(1, 1, 2, 2)).result
    assert (done.winner, done.a.critical, done.margin) == (Winner.B, True, 5)


@pytest.mark.rules("SIM-027", "SIM-015")
def test_each_side_pays_its_own_energies(changes, sheet):
    both = {"initiator": sheet("arthur"), "opponent": sheet("cyprien")}
    mind = {"component": "mind", "means": "perception", "realm": "human"}
    written = changes("duel", 3, 4, 3, 4, sheets=both, initiator={**mind, "energies": "precision:1"},
                      opponent={**mind, "energies": "precision:2,ep:2", "action_label": "gobelets"})
    assert written[("initiator", "breath_points")] == 3
    assert written[("opponent", "psyche_points")] == 2
    assert [bonus.points for bonus in written[("opponent", "active_energy_bonuses")]] == [2]


@pytest.mark.rules("SIM-B03")
@pytest.mark.option("speed_alternative", "on")
def test_speed_kept_back_breaks_a_tie(result, sheet):
    both = {"initiator": sheet("arthur"), "opponent": sheet("cyprien")}
    tie = {"initiator": {"value": 8, "energies": "haste:1"}, "opponent": {"value": 8}}
    assert result("duel", 3, 3, 2, 4, sheets=both, options={"speed_alternative": "on"}, **tie).winner is Winner.A
    level = play(duel, Side(8, speed=1), Side(8, speed=1), SYSTEM.book.rulings({"speed_alternative": "on"}),
                 dice=ScriptedDice(3, 3, 2, 4)).result
    assert level.winner is Winner.TIE


# Resist, then will


@pytest.mark.rules("SIM-028", "SIM-029", "SIM-030", "SIM-031")
def test_father_charles_and_the_vampire(result, played):
    """Hypnosis, MR 2: 8 − 2 against a 9 fails by 3; faith then stands at Cœur + Désir + Humain − 3."""
    first = result("resist", 4, 5, initiator={"value": 8}, gm={"aggressor_margin": 2, "attack": "hypnosis"})
    assert (first.check, first.will_allowed) == (Check(False, 3), True)
    faith = {"component": 5, "means": 4, "realm": 1, "energies": "power:1"}
    assert result("will", 3, 4, initiator=faith, gm={"failure_margin": 3}) == Check(True, 1)
    assert result("will", 3, 5, initiator=faith, gm={"failure_margin": 3}) == Check(False, 0)


@pytest.mark.rules("SIM-028")
def test_what_is_attacked_says_what_resists():
    named = {attack: attacked_component(attack) for attack in ("seduction", "thirst", "hypnosis", "fear")}
    assert named == {"seduction": "heart", "thirst": "body", "hypnosis": "mind", "fear": "instincts"}


@pytest.mark.rules("SIM-029")
def test_a_failed_attack_leaves_nothing_to_resist(played, result, sheet):
    with pytest.raises(NothingToResist):
        played("resist", 2, 2, initiator={"value": 8}, gm={"aggressor_succeeded": False})
    thirst = {"attack": "thirst", "difficulty": "trois jours:-2"}
    assert result("resist", 2, 2, gm=thirst, sheets={"initiator": sheet("arthur")}).check == Check(True, 1)


@pytest.mark.rules("SIM-030")
@pytest.mark.option("will_retry", "new_circumstances")
def test_the_will_has_one_attempt_and_only_for_the_aware(result):
    with pytest.raises(NotAware):
        result("will", 2, 2, initiator={"value": 8}, gm={"failure_margin": 0, "aware": False})
    again = {"failure_margin": 1, "retry": True}
    with pytest.raises(NoSecondWill):
        result("will", 2, 2, initiator={"value": 8}, gm=again)
    assert result("will", 2, 2, initiator={"value": 8}, gm=again, options={"will_retry": "new_circumstances"}).success


@pytest.mark.rules("SIM-031")
def test_another_component_costs_nothing_one_or_two(result):
    assert result("will", 2, 3, initiator={"value": 8}, gm={"failure_margin": 0, "component_change": -2}).margin == 1
    with pytest.raises(ComponentChange):
        will_modifier(0, -3)


@pytest.mark.rules("SIM-032")
def test_power_serves_in_both_phases_the_others_by_exception(result, sheet):
    arthur = {"initiator": sheet("arthur")}
    strong, exact = {"value": 8, "energies": "power:2"}, {"value": 8, "energies": "precision:1"}
    for move, gm in (("resist", {"aggressor_margin": 1}), ("will", {"failure_margin": 1})):
        assert result(move, 4, 4, initiator=strong, gm=gm, sheets=arthur)
        with pytest.raises(WrongEnergy):
            result(move, 4, 4, initiator=exact, gm=gm, sheets=arthur)
        assert result(move, 4, 4, initiator=exact, gm={**gm, "exceptional_energy": True}, sheets=arthur)


@pytest.mark.rules("SIM-029")
@pytest.mark.option("conflict_realm", "free")
def test_the_realm_of_a_conflict_may_be_left_to_the_game_master(result, sheet):
    form, arthur = {"component": "body", "realm": "vegetal"}, {"initiator": sheet("isidore")}
    with pytest.raises(RealmDoesNotFit):
        result("resist", 2, 2, initiator=form, sheets=arthur)
    assert result("resist", 2, 2, initiator=form, sheets=arthur, options={"conflict_realm": "free"}).check.margin == 2


@pytest.mark.rules("SIM-030")
def test_who_succumbs_bears_it_on_the_sheet(changes, sheet):
    written = changes("will", 6, 5, initiator={"component": "mind"}, sheets={"initiator": sheet("arthur")},
                      gm={"failure_margin": 2, "state": "envoûté"})
    assert written == {("initiator", "states"): ("envoûté",)}


# Between friends


@pytest.mark.rules("SIM-076")
def test_between_friends_the_whole_energy_counts_and_nobody_pays(result, played, sheet):
    """Sprint: Arthur 4 + 3 + 1 + Rapidité 1; Nour 5 + 4 + 1 + 1."""
    both = {"initiator": sheet("arthur"), "opponent": sheet("nour")}
    assert result("friendly-comparison", gm={"contest": "sprint"}, sheets=both) == Comparison(Better.B, 9, 11)
    assert played("friendly-comparison", gm={"contest": "arm_wrestling"}, sheets=both).changes == ()
    typed = {"initiator": {"value": 8, "energy": 2}, "opponent": {"value": 10}}
    assert result("friendly-comparison", **typed).better is Better.EQUAL


@pytest.mark.rules("SIM-076")
def test_an_energy_named_where_there_is_no_sheet_is_refused_in_words(result):
    with pytest.raises(NeedsSheet):
        result("friendly-comparison", initiator={"value": 8, "energy": "speed"}, opponent={"value": 8})


# Beyond hope


@pytest.mark.rules("SIM-077")
@pytest.mark.option("last_chance_spent", "on_success")
def test_the_last_chance_comes_once(result, changes, sheet):
    avalanche = {"desire": 3, "realm": 1}
    assert result("last-chance", 1, 2, initiator=avalanche) == LastChance(True, True)
    assert result("last-chance", 1, 3, initiator=avalanche) == LastChance(False, True)
    isidore = {"initiator": sheet("isidore")}
    assert changes("last-chance", 1, 3, initiator={"realm": "mineral"}, sheets=isidore) == {
        ("initiator", "last_chance_used"): True
    }
    kept = {"last_chance_spent": "on_success"}
    assert changes("last-chance", 1, 3, initiator={"realm": "mineral"}, sheets=isidore, options=kept) == {}
    with pytest.raises(LastChanceUsed):
        result("last-chance", 1, 2, initiator={"realm": "human"},
               sheets={"initiator": sheet("isidore", last_chance_used=True)})
    with pytest.raises(NotDesperate):
        result("last-chance", 1, 2, initiator=avalanche, gm={"desperate": False})


@pytest.mark.rules("SIM-077")
@pytest.mark.option("last_chance_double_one", "yes")
def test_a_double_one_saves_only_if_the_table_says_so(result):
    hopeless = {"desire": 1, "realm": 0}
    assert not result("last-chance", 1, 1, initiator=hopeless).saved
    assert result("last-chance", 1, 1, initiator=hopeless, options={"last_chance_double_one": "yes"}).saved
    assert result("last-chance", 1, 1, initiator={"desire": 2, "realm": 1}).saved


def test_ranks_bring_their_dice_into_a_duel(result):
    done = result("duel", 1, 1, 4, 5, 2, 3, initiator={"value": 9, "rank": "trade"}, opponent={"value": 9})
    assert (done.a.margin, Rank.TRADE.value) == (7 + 9, "trade")
