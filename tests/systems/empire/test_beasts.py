"""Empire galactique: beasts, the days when one meets them, and the persons of the reserve."""

from dataclasses import replace
from fractions import Fraction

import pytest

from paravent.dice import ScriptedDice, odds, play
from paravent.game import MissingField
from paravent.game.running import run
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.beasts.animals import (
    Animal,
    Behaviour,
    Diet,
    Meeting,
    Provocation,
    Reaction,
    animal,
    capped_weapon,
    companion_fauna,
    day,
    day_mod,
    diet_of,
    fauna,
    is_provoked,
    meet,
    physical_resistance,
    pick,
    reaction,
    territory,
)
from paravent.systems.empire.beasts.bodies import size_of, weight_of
from paravent.systems.empire.beasts.kinds import animal_derived
from paravent.systems.empire.beasts.persons import (
    Person,
    PersonRole,
    from_character,
    locate,
    obstacle,
    official,
    recast,
    whereabouts,
)
from paravent.systems.empire.people.character import Character
from paravent.systems.empire.people.referee import Slot
from paravent.systems.empire.worlds.peoples import People
from paravent.systems.empire.worlds.planet import World

RULINGS = SYSTEM.book.rulings()
FAUNA = """2 1 3 4 5 2 6 4 5 3 3 1 1 2 1 1 6 6 6 6 1 3 4 2 5 4 2 4 6 2 5 2 3 3 4 2 3 5 3 4 2 6 6 1 5 3 4 2 1"""


def faces(text):
    return [int(face) for face in text.replace(",", " ").split()]


def beast(oceans, text, rulings=RULINGS, imposed=None, letter=""):
    return play(animal, oceans, imposed, letter, rulings, dice=ScriptedDice(*faces(text))).result


def species():
    return play(fauna, 6, RULINGS, dice=ScriptedDice(*faces(FAUNA))).result


# Beasts of the digest

BEASTS = {
    "EGW-X19": (6, "1, 1, 6 5, 6, 2 3, 3", ("omnivore", "land", 12, "E", 2, 7, 6, "vegetable"), "insectoid"),
    "EGW-X20": (8, "6, 3, 1 2, 6, 4 2 2 2 2, 1", ("herbivore", "sea", 9, "A", 12, 12, 8, "mineral"), "human"),
    "EGW-X21": (10, "3, 5, 2 2, 1, 4, 1", ("carnivore", "air", 7, "C", 6, 4, 6, "mineral"), "insectoid"),
    "EGW-X22": (9, "4, 6, 3 3, 2, 5 1, 5", ("herbivore", "air", 10, "B", 8, 6, 6, "reptilian"), "mecanoid"),
    "EGW-X23": (3, "5, 2, 6 6, 6, 6 5 4, 2", ("herbivore", "land", 17, "B", 10, 11, 17, "mineral"), "human"),
}


@pytest.mark.option("animal_appearance", "die_plus_ta")
@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.vector(name)) for name in BEASTS])
def test_a_beast_of_the_digest(name, rulings):
    oceans, dice, expected, other_looks = BEASTS[name]
    made = beast(oceans, dice)
    assert expected == (
        diet_of(made.diet_ta), made.movement_mode, made.strength, made.natural_weapon, made.natural_armour,
        made.body_row, made.endurance, made.appearance,
    )
    assert beast(oceans, dice, rulings(animal_appearance="die_plus_ta")).appearance == other_looks
    assert territory(made.body_row) == {7: 20, 12: None, 4: 5, 6: 15, 11: 200}[made.body_row]


@pytest.mark.rules("EGW-041")
@pytest.mark.option("movement_overflow", "sea")
def test_a_table_may_let_oceans_breed_swimmers(rulings):
    assert beast(10, "3, 5, 2 2, 1, 4, 1", rulings(movement_overflow="sea")).movement_mode == "sea"


@pytest.mark.rules("EGW-045")
@pytest.mark.option("animal_resistance", "force_once")
def test_force_stands_for_the_dexterity_of_a_beast(rulings):
    omnivore, giant = (beast(*BEASTS[name][:2]) for name in ("EGW-X19", "EGW-X23"))
    assert [physical_resistance(made, RULINGS) for made in (omnivore, giant)] == [30, 51]
    assert physical_resistance(omnivore, rulings(animal_resistance="force_once")) == 18


@pytest.mark.rules("EGW-043")
@pytest.mark.option("animal_weapon", "capped_by_size")
@pytest.mark.option("animal_weapon", "die")
def test_the_weapon_of_a_beast_is_suggested_chosen_capped_or_thrown(rulings):
    capped = rulings(animal_weapon="capped_by_size")
    assert [capped_weapon("E", row, capped) for row in (2, 3, 4, 5, 6, 7, 8)] == ["B", "B", "C", "C", "D", "D", "E"]
    assert capped_weapon("E", 2, RULINGS) == "E"
    assert beast(6, "1, 1, 6 5, 1, 2, 3", capped).natural_weapon == "B"
    assert beast(6, "1, 1, 6 5, 1, 2, 3", capped, letter="E").natural_weapon == "E"
    assert beast(6, "1, 1, 6 5, 6 2, 1, 2, 3", rulings(animal_weapon="die")).natural_weapon == "B"


@pytest.mark.vector("EGW-X03")
def test_a_beast_of_ten_centimetres_holds_a_metre_and_one_of_twenty_metres_two_hundred():
    assert (size_of(2), territory(2)) == ("under_10_cm", 1)
    assert (size_of(10), territory(10)) == ("under_20_m", 200)
    assert (weight_of(11), territory(11)) == ("over_3_t", 200)


@pytest.mark.vector("EGW-X24")
def test_a_standard_fauna_of_six():
    told = [(made.diet_ta, made.movement_mode, made.strength, made.body_row, made.endurance, made.appearance)
            for made in species()]
    assert told == [
        (4, "land", 11, 9, 12, "reptilian"), (5, "sea", 7, 7, 3, "animal_like"), (6, "air", 13, 9, 11, "insectoid"),
        (2, "sea", 10, 7, 6, "vegetable"), (3, "land", 11, 6, 6, "animal_like"), (1, "land", 9, 5, 5, "mineral"),
    ]


@pytest.mark.rules("EGW-031")
def test_a_people_without_engines_rides_the_third_of_its_beasts():
    dice = " 1 1 1 1 1 1 1" * 3
    tame = [made.domestic for made in companion_fauna(ScriptedDice(*faces(dice)), 6, 2, RULINGS)]
    assert tame == [False, False, True]
    assert not any(made.domestic for made in companion_fauna(ScriptedDice(*faces(dice)), 6, 3, RULINGS))


# Days


@pytest.mark.vector("EGW-X25")
def test_a_day_in_the_mountains():
    mod = day_mod(("mountain", "ground_vehicle", "many_characters"))
    assert mod == -4
    done = play(day, mod, species(), 6, RULINGS, dice=ScriptedDice(6, 3, 1, 5, 6, 6)).result
    assert done.meetings == (
        Meeting(Diet.CARNIVORE, Behaviour.ATTACK_UNPROVOKED, 4),
        Meeting(Diet.OMNIVORE, Behaviour.FLIGHT_THEN_ATTACK, 5),
    )


@pytest.mark.rules("EGW-048")
def test_a_desert_crossed_by_many_may_show_nothing():
    assert day_mod(("desert",), -1) == -3
    assert play(day, -3, (), 0, RULINGS, dice=ScriptedDice(2)).result.n == 0


@pytest.mark.rules("EGW-049")
def test_a_class_that_the_world_lacks_gets_a_new_species():
    done = play(day, -5, (), 6, RULINGS, dice=ScriptedDice(6, 3, 3, 3, 1, 3, 4, 1, 5, 2, 1)).result
    (new,) = done.beasts
    assert (diet_of(new.diet_ta), done.meetings[0].species) == (Diet.HERBIVORE, 0)


@pytest.mark.rules("EGW-049")
def test_a_species_is_picked_evenly_among_those_of_its_class():
    assert [pick(ScriptedDice(die), 2) for die in range(1, 7)] == [0, 0, 0, 1, 1, 1]
    assert [pick(ScriptedDice(die), 3) for die in range(1, 7)] == [0, 0, 1, 1, 2, 2]
    assert pick(ScriptedDice(6, 5, 2), 4) == 1
    assert odds(pick, 5)[0] == Fraction(1, 5)
    assert pick(ScriptedDice(), 1) == 0


@pytest.mark.rules("EGW-052")
@pytest.mark.option("behaviour_rolls", "two")
def test_a_table_may_throw_for_the_behaviour_apart(rulings):
    met = play(meet, (2,), rulings(behaviour_rolls="two"), dice=ScriptedDice(2, 2, 3, 4)).result
    assert met == (Diet.CARNIVORE, Behaviour.FLIGHT_UNPROVOKED, 0)


@pytest.mark.rules("EGW-050", "EGW-051")
def test_what_provokes_a_beast_and_what_it_does_then():
    assert is_provoked(Provocation.SHOT, 900, 2)
    assert is_provoked(Provocation.NONE, 20, 7)
    assert not is_provoked(Provocation.NONE, 21, 7)
    assert not is_provoked(Provocation.NONE, 5, 12)
    assert not is_provoked(Provocation.NONE, None, 7)
    told = {(kind, hit): reaction(kind, hit) for kind in Behaviour for hit in (False, True)}
    assert told[Behaviour.ATTACK_UNPROVOKED, False] is Reaction.ATTACKS
    assert told[Behaviour.ATTACK_IF_PROVOKED, False] is Reaction.WAITS
    assert told[Behaviour.ATTACK_IF_PROVOKED, True] is Reaction.ATTACKS
    assert told[Behaviour.FLIGHT_UNPROVOKED, False] is Reaction.FLEES
    assert told[Behaviour.FLIGHT_IF_PROVOKED, False] is Reaction.WAITS
    assert told[Behaviour.FLIGHT_IF_PROVOKED, True] is Reaction.FLEES
    assert told[Behaviour.FLIGHT_THEN_ATTACK, True] is Reaction.RETURNS


def test_a_beast_made_for_a_world_joins_its_fauna(changes):
    where = World(name="Ixe", oceans_o=6)
    one = changes("generate-animal", 1, 1, 6, 5, 6, 2, 3, 3, gm={"name": "croc"}, world={}, sheets={"world": where})
    assert [made.name for made in one["world", "fauna"]] == ["croc"]
    six = changes("generate-fauna", *faces(FAUNA), gm={"name": "bête"}, world={}, sheets={"world": where})
    assert [made.name for made in six["world", "fauna"]][::5] == ["bête 1", "bête 6"]
    apart = changes("generate-fauna", *faces(FAUNA), gm={"name": "bête", "oceans_o": 6, "people_level": 0})
    assert len(apart) == 6
    assert animal_derived(apart["bête 1", ""], RULINGS)["territory_m"] == 100


def test_a_meeting_with_an_unknown_class_grows_the_fauna(changes):
    where = World(name="Ixe", oceans_o=6, fauna=(Animal(name="croc", diet_ta=2),))
    dice = faces("3 3 3 1 3 4 1 5 2 1")
    grown = changes("animal-encounter", *dice, gm={}, world={}, sheets={"world": where})
    assert len(grown["world", "fauna"]) == 2
    new = grown["world", "fauna"][-1].name
    assert new != ""
    assert (new, "") in grown  # it is born with a name, and is called so on its sheet too
    met_again = changes("animal-encounter", 2, 2, gm={}, world={}, sheets={"world": where})
    assert met_again == {("croc", ""): Animal(name="croc", diet_ta=2, behaviour="attack_unprovoked")}


@pytest.mark.rules("EGW-050", "EGW-051")
def test_a_beast_that_was_met_does_what_was_thrown(result, played):
    croc = Animal(name="croc", diet_ta=2, behaviour="attack_if_provoked")
    calm = {"initiator": {"provocation": "none_of_it"}, "animal": {}, "sheets": {"animal": croc}}
    assert result("provoke", **calm) == "waits"
    assert result("provoke", initiator={"provocation": "shot_at"}, animal={}, sheets={"animal": croc}) == "attacks"
    assert result("provoke", gm={"behaviour": "flight_unprovoked"}, **calm) == "flees"
    with pytest.raises(MissingField):
        result("provoke", **{**calm, "sheets": {"animal": Animal()}})
    where = World(name="Ixe", oceans_o=6, fauna=(replace(croc, body_row=8),))
    ran = played("start-day", 1, 2, 2, gm={}, world={}, sheets={"world": where})
    assert ran.tellings[1].values["species"] == "croc"
    shifting = replace(where, fauna=(replace(croc, body_row=12, endurance=3),))
    ran = played("animal-encounter", 2, 2, 2, 5, 6, gm={"anew": True}, world={}, sheets={"world": shifting})
    assert ran.changes[-1].after.endurance == 11
    near = played("animal-encounter", 2, 2, gm={}, world={}, sheets={"world": where})
    assert ("outcomes.told_territory", {"n": 50}) in [line[:2] for line in near.tellings]


# Persons


@pytest.mark.vector("EGW-X04")
def test_an_official_by_the_clock():
    minutes = (3, 5, 6, 20, 30, 34, 36, 59)
    found = [whereabouts(official(), minute, RULINGS) for minute in minutes]
    assert found == ["restaurant", "restaurant", "home", "home", "restaurant", "restaurant", "office", "office"]


@pytest.mark.rules("EGW-004")
@pytest.mark.option("clock_window", "strict")
@pytest.mark.option("clock_source", "drawn")
def test_a_table_may_close_a_window_sooner_and_draw_the_minute(rulings):
    strict = rulings(clock_window="strict")
    assert [whereabouts(official(), minute, strict) for minute in (4, 5, 35)] == ["restaurant", "home", "office"]
    drawn = play(locate, official(), "office", 3, rulings(clock_source="drawn"), dice=ScriptedDice(41)).result
    assert (drawn.present, drawn.where) == (True, "office")
    assert whereabouts((Slot("bar", 0, 9),), 30, RULINGS) == ""


def test_somebody_absent_leaves_a_hint():
    clerk = Person("le clerc", schedule=(Slot("home", 0, 59),))
    form = {"initiator": [{"place": "office"}], "person": [{}], "gm": [{"minute": 3, "hint": "rue des Sas"}]}
    ran = run(SYSTEM.context("locate-person", form, {"person": clerk}), ScriptedDice(30))
    assert [line.key for line in ran.tellings] == ["outcomes.told_absent", "outcomes.told_hint"]


@pytest.mark.vector("EGW-X45")
@pytest.mark.rules("EGW-005", "EGW-006", "EGW-007")
def test_three_dice_under_the_best_mind_of_the_group(played):
    leader = Character(charm=8, intelligence=10, willpower=9)

    def told(role, *faces, **gm):
        sheets = {"initiator": leader, "person": Person("Vorn", role)}
        ran = played("loyalty-test", *faces, gm=gm, person={}, sheets=sheets)
        return [line.key.removeprefix("outcomes.told_") for line in ran.tellings]

    assert [told(PersonRole.ALLY, 4, 4, last) for last in (2, 3)] == [["stays"], ["deserts"]]
    assert [told(PersonRole.TANGLER, 4, 4, last) for last in (2, 3)] == [["sound"], ["lies"]]
    assert told(PersonRole.ALLY, 4, 4, 2, ally_role="helper") == ["helps"]
    assert told(PersonRole.ALLY, 4, 4, 2, ally_role="helper", plausible=False) == ["holds_back"]
    assert told(PersonRole.ALLY, 4, 4, 2, new_day=False) == ["stays", "not_due"]


@pytest.mark.rules("EGW-008")
def test_the_game_master_is_reminded_that_an_enemy_gets_away(played):
    def told(role):
        return [line.key for line in played("note-encounter", gm={"name": "Vorn", "role": role}).tellings]

    assert told("nemesis") == ["outcomes.told_noted", "outcomes.told_way_out"]
    assert told("obstacle") == ["outcomes.told_noted"]


@pytest.mark.rules("EGW-001", "EGW-002", "EGW-003", "EGW-009")
def test_the_reserve_takes_dead_characters_and_stock_figures(changes):
    dead = next(iter(SYSTEM.kind("character").ready("fr").values()))
    kept = from_character(dead, PersonRole.TANGLER, ("port",))
    assert (kept.name, kept.charm, kept.role, kept.tags) == (dead.name, dead.charm, PersonRole.TANGLER, ("port",))
    guard = obstacle("garde", "soldiers", 4, "hostile", RULINGS)
    assert (guard.weapon_level, guard.protection, guard.role) == (5, "armoured_suit", PersonRole.OBSTACLE)
    assert obstacle("agent", "police", 4, "friendly", RULINGS).weapon_level == 3
    assert obstacle("voleur", "civilians", 4, "friendly", RULINGS).weapon_level == 2
    noted = changes("note-encounter", gm={"role": "nemesis"}, character={}, sheets={"character": dead})
    assert noted[dead.name, ""].role is PersonRole.NEMESIS
    enemy = changes("note-encounter", gm={"name": "Vorn", "role": "nemesis"})["Vorn", ""]
    assert enemy.escape_planned
    turned = changes("note-encounter", gm={"role": "ally"}, person={}, sheets={"person": enemy})
    assert turned == {("person", "role"): PersonRole.ALLY}
    assert recast(guard, PersonRole.NEMESIS).escape_planned
    staged = changes("note-encounter", gm={"name": "garde", "role": "obstacle", "trade": "soldiers", "tech_level": 4,
                                           "nature": "hostile", "on_stage": True})["garde (npc)", ""]
    assert [held.weapon for held in staged.weapons] == ["stunner", "paralyser"]
    assert ([worn.piece for worn in staged.protections], staged.name) == (["armoured_suit"], "garde")
    giant = SYSTEM.kind("npc").check(replace(staged, endurance=17, resistance_physical=-1), RULINGS)
    assert all(fault.warning for fault in giant)
    native = World(people=People(tech_level=1, body_row=12, endurance=8, intelligence=6))
    shifter = changes("note-encounter", gm={"name": "Mue"}, world={}, sheets={"world": native})["Mue", ""]
    assert (shifter.strength, shifter.endurance, shifter.dexterity, shifter.willpower) == (12, 8, 9, 10)
