"""Moves of play, from sheets: weapons in hand, chokes, shooters, crowds, time that passes."""

from dataclasses import replace

import pytest

from paravent.dice import ScriptedDice, SeededDice
from paravent.game.running import run
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.fights.errors import NotReady
from paravent.systems.empire.people.character import Carried, Character, Condition, Weapon, Wound
from paravent.systems.empire.people.creation import Guild
from paravent.systems.empire.people.moves_days import passing
from paravent.systems.empire.words.speech import MindState

RULINGS = SYSTEM.book.rulings()
SOLDIER = Character("Io", strength=9, dexterity=9, endurance=8)


def played(move, form, *faces, options=None, **sheets):
    ctx = SYSTEM.context(move, form, sheets, SYSTEM.book.rulings(options or {}))
    return run(ctx, ScriptedDice(*faces))


def after(ran, target):
    return {change.path: change.after for change in ran.changes if change.target == target}


@pytest.mark.rules("EMP-072")
@pytest.mark.parametrize("state", [Carried.EMPTY, Carried.PUT_AWAY])
def test_a_weapon_is_drawn_and_loaded_before_it_is_fired(state):
    shooter = replace(SOLDIER, weapons=(Weapon("rifle", state),))
    with pytest.raises(NotReady):
        played("shoot", {"initiator": [{"weapon": "rifle"}]}, 3, 3, 3, initiator=shooter)


@pytest.mark.rules("EMP-072")
def test_the_last_shot_empties_the_weapon_and_a_spare_magazine_fills_it():
    shooter = replace(SOLDIER, weapons=(Weapon("rifle", magazines=1),))
    shot = played("shoot", {"initiator": [{"weapon": "rifle"}], "gm": [{"empties": True}]}, 2, 2, 2,
                  initiator=shooter)
    empty = after(shot, "initiator")["weapons"]
    assert empty == (Weapon("rifle", Carried.EMPTY, 1),)
    loaded = played("ready-weapon", {"initiator": [{"act": "reload", "weapon": "rifle"}]},
                    initiator=replace(shooter, weapons=empty))
    assert after(loaded, "initiator")["weapons"] == (Weapon("rifle", Carried.IN_HAND, 0),)


@pytest.mark.rules("EMP-103")
def test_between_shooters_the_more_skilled_fires_first_and_equals_look_at_dexterity():
    slow, swift = {"dexterity": 6, "level": 3}, {"dexterity": 9, "level": 1}
    ran = played("start-fight", {"initiator": [slow], "opponent": [swift], "gm": [{"shooters": True}]})
    assert ran.plays["first"].result == "initiator"
    ran = played("start-fight", {"initiator": [{**slow, "level": 1}], "opponent": [swift], "gm": [{"shooters": True}]})
    assert ran.plays["first"].result == "opponent"
    ran = played("start-fight", {"initiator": [slow], "opponent": [swift]})
    assert ran.plays["first"].result == "opponent"


@pytest.mark.rules("EMP-097", "EMP-084")
def test_a_choke_to_the_end_is_a_coma_then_death_and_all_comes_back_if_it_stops_before():
    victim = replace(SOLDIER, resistance_physical=2)
    form = {"initiator": [{"value": 16, "grip": "choke", "height": "low"}]}
    held = played("hold", form, 4, 4, 4, initiator=SOLDIER, opponent=victim)
    state = after(held, "opponent")
    assert state["resistance_physical"] == 0
    assert {condition.name for condition in state["conditions"]} == {"held", "choked", "coma"}
    unconscious = replace(victim, resistance_physical=0, conditions=state["conditions"])
    freed = played("break-free", {"initiator": [{"evasion": 12}]}, 1, 1, 1, initiator=unconscious, opponent=SOLDIER)
    assert after(freed, "initiator")["conditions"] == ()
    assert after(freed, "initiator")["resistance_physical"] == 4
    killed = played("hold", form, 4, 4, 4, initiator=SOLDIER, opponent=unconscious)
    assert Condition("dead") in after(killed, "opponent")["conditions"]


@pytest.mark.rules("EMP-131")
def test_a_band_answers_by_its_leader_and_a_crowd_by_its_mean():
    meek = Character("Un", charm=4, intelligence=6, willpower=5)
    chief = Character("Deux", charm=8, intelligence=7, willpower=11)
    form = {"opponent": [{}, {}], "gm": [{"crowd_size": 6}]}
    band = played("sway-crowd", form, opponent=meek, opponent2=chief)
    assert band.plays["address"].result == ("convince_leader", 13)
    form["gm"] = [{"crowd_size": 60}]
    crowd = played("sway-crowd", form, opponent=meek, opponent2=chief)
    assert crowd.plays["address"].result == ("blind_all", 20)


@pytest.mark.rules("EMP-150")
def test_a_priest_with_a_weapon_is_warned_and_no_more():
    armed = Character("Ama", guild=Guild.PRIEST, weapons=(Weapon("sword"),))
    found = SYSTEM.kind("character").check(armed, RULINGS)
    assert [(fault.key, fault.warning) for fault in found] == [("armed_priest", True)]


@pytest.mark.rules("EMP-089", "EMP-130", "EMP-160", "EMP-170", "EMP-172")
def test_a_day_of_rest_heals_frees_and_gives_willpower_back():
    tired = replace(SOLDIER, resistance_physical=14, wounds=(Wound("torso", 12),), resistance_mental=10,
                    mind_state=MindState.CONVINCED, willpower_spent=4)
    def spent(record, minutes, **habits):
        changes = SeededDice(1).resolve(passing, record, minutes, habits, RULINGS)
        return {change.path: change.after for change in changes}

    now = spent(tired, 24 * 60, slept=4, rations=1)
    assert now["resistance_physical"] == 22, "a wound: Endurance points a day"
    assert now["resistance_mental"] == 17, "convinced: Willpower points a day"
    assert now["sleepless"]
    assert "willpower_spent" not in now, "four hours are no night"
    hungry = spent(tired, 24 * 60, slept=8, rations=0)
    assert hungry["hungry"]
    assert "resistance_physical" not in hungry, "rest must be fed"
    again = replace(tired, **{name: now[name] for name in ("resistance_physical", "rest_lost")})
    assert "resistance_physical" not in spent(again, 23 * 60), "how bad it is was settled when rest began: in days"
    assert spent(again, 24 * 60)["resistance_physical"] == 26
    assert spent(tired, 36 * 60)["minutes_resting"] == 12 * 60, "half a day is not lost"
    slept = SeededDice(1).resolve(passing, tired, 8 * 60, {"slept": 8}, RULINGS)
    assert {change.path: change.after for change in slept}["willpower_spent"] == 0
