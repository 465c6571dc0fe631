"""Empire galactique: sectors, planets and peoples, as the book makes them."""

from dataclasses import replace
from fractions import Fraction
from itertools import islice

import pytest

from paravent.dice import ScriptedDice, SeededDice, play
from paravent.game import BadRecord, MissingField, from_plain, to_plain
from paravent.game.telling import Teller
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.beasts.animals import Animal
from paravent.systems.empire.machines.kinds import Gear
from paravent.systems.empire.people.survival import strength_in_tests
from paravent.systems.empire.terms import TABLES
from paravent.systems.empire.trade.kinds import Cargo, Market
from paravent.systems.empire.trade.trade import Lot
from paravent.systems.empire.travel.errors import NothingThere
from paravent.systems.empire.worlds.errors import NobodyThere, NoSuchSquare, NotThatMuch
from paravent.systems.empire.worlds.generating import HashFaces, hash_dice, hash_faces
from paravent.systems.empire.worlds.kinds import people_derived, sector_derived, world_derived
from paravent.systems.empire.worlds.peoples import (
    FolkWish,
    People,
    arms,
    dominant_characteristic,
    is_empire_member,
    is_lawful,
    mind,
    penalty,
    people,
    population_exponent,
    resistances,
    settled_level,
    soldiers_wear,
    univerlan_spoken,
)
from paravent.systems.empire.worlds.planet import (
    Life,
    LifeWish,
    World,
    air_index,
    atmosphere,
    colonised,
    diameter,
    gear_needed,
    gravity,
    has_life,
    strength_under,
    throw_diameter,
    water_is_frozen,
    world,
)
from paravent.systems.empire.worlds.sector import (
    Colour,
    Density,
    Route,
    Sector,
    Square,
    charted,
    circle,
    code_of,
    coordinates,
    great_routes,
    in_map_order,
    may_use,
    port,
    position,
    routes,
    sector,
    square_text,
    squares_content,
)
from paravent.web.sheetform import SheetForm

RULINGS = SYSTEM.book.rulings()
EARTH_TWIN = """3 4 2 4 4 4 5 5 4 3 4 2 5 3 3 1 4 5 2 3 4 4 1 1 6 6 3 4 4 1 2 2 6 5 4 2 2 2"""
MINERS = """2 2 3 1 3 5 5 6 2 4 6 1 3 4 4 2 2 1 6 6 5 1 1 1 5 5 4 3 3 3 2 1 1 4 4 4 6 6 6 1 2 3"""
IMPERIAL = """5 5 1 3 4 4 4 6 6 6 1 6 3 3 4 1 1 1 6 6 6 5 5 5 4 3 3 2 3 3 1 1 2 6 5 5 3 3 3 4 4 1 2 2 4 6 6 6"""
SHIFTERS = """4 4 4 3 3 3 4 5 1 6 6 2 3 5 6 6 1 2 1 5 3 3 3"""
BEASTS = "1 1 1 5 4 2 3 2"
DESERT = "1 2 6 6 5 1 1"


def faces(text):
    return [int(face) for face in text.split()]


def made(text, rulings=RULINGS, wish=LifeWish.BY_THE_RULE, folk=None):
    """A world from all its dice, no more and no fewer."""
    return play(world, wish, folk or FolkWish(), rulings, dice=ScriptedDice(*faces(text))).result


def folk(text, size_t=6, life_die=5, rulings=RULINGS, wish=None):
    return play(people, size_t, life_die, wish or FolkWish(), rulings, dice=ScriptedDice(*faces(text))).result


# The planet


@pytest.mark.vector("EGW-X02")
def test_a_planet_of_size_six_is_the_earth():
    assert (diameter(6), gravity(6)) == (12_000, 1)


@pytest.mark.rules("EGW-023")
@pytest.mark.option("diameter", "detailed")
def test_a_table_may_detail_a_diameter_inside_its_band(rulings):
    assert diameter(6, throw_diameter(ScriptedDice(), RULINGS)) == 12_000
    detailed = throw_diameter(ScriptedDice(1500), rulings(diameter="detailed"))
    assert diameter(6, detailed) == 13_499
    some = made(f"{BEASTS} 2000", rulings(diameter="detailed"))
    assert world_derived(some, RULINGS)["diameter_km"] == 15_999


@pytest.mark.vector("EGW-X59")
def test_force_doubles_on_half_a_g_and_keeps_its_fraction_on_one_and_a_half(rulings):
    assert strength_under(8, 3, RULINGS) == 16
    assert strength_under(8, 9, RULINGS) == Fraction(16, 3)
    assert strength_in_tests(8, gravity(9), RULINGS) == 8


@pytest.mark.rules("EGW-026")
@pytest.mark.option("gravity_scope", "force_actions")
def test_a_table_may_let_gravity_touch_every_act_of_force(rulings):
    assert strength_in_tests(8, gravity(9), rulings(gravity_scope="force_actions")) == 5
    assert strength_in_tests(8, gravity(0), rulings(gravity_scope="force_actions")) == 8


@pytest.mark.rules("EGW-026")
@pytest.mark.option("weightless", "twelfth")
def test_nothing_weighs_on_a_rock_unless_the_table_gives_it_a_twelfth(rulings):
    assert strength_under(8, 0, RULINGS) is None
    assert strength_under(8, 0, rulings(weightless="twelfth")) == 96


@pytest.mark.rules("EGW-028")
def test_the_air_of_every_size_and_sea_is_the_printed_table():
    printed = """V V V V V V V V V V V/V t t t t t t t t t t/V t t t t t N N N N N/V t t t N N N N N N N
V t t N N N N N N N N/V t t N N N N N N N P/V t N N N N N N P P P/V t N N N N N P P X X/V t N N N N P P X X X
V t N N N N P X X Y Y/V t N N N P P X X Y Y"""
    letters = {"V": "vacuum", "t": "thin", "N": "normal_air", "P": "polluted", "X": "toxic", "Y": "toxic"}
    rows = [row.split() for row in printed.replace("\n", "/").split("/")]
    found = [[atmosphere(air_index(t, o, RULINGS)) for o in range(11)] for t in range(11)]
    assert found == [[letters[cell] for cell in row] for row in rows]


@pytest.mark.rules("EGW-028")
@pytest.mark.option("dry_air", "dry_atmosphere")
def test_a_desert_has_no_air_unless_the_table_gives_it_one_of_its_size(rulings):
    assert atmosphere(air_index(9, 0, RULINGS)) == "vacuum"
    assert water_is_frozen(0)
    dry = air_index(9, 0, rulings(dry_air="dry_atmosphere"))
    assert (atmosphere(dry), gear_needed(dry), water_is_frozen(dry)) == ("thin", "respirator", False)


@pytest.mark.rules("EGW-029")
@pytest.mark.option("life_presence", "gm")
@pytest.mark.option("life_presence", "die")
def test_life_is_automatic_or_the_game_masters_or_a_dies(rulings):
    rule, yes, no = LifeWish.BY_THE_RULE, LifeWish.YES, LifeWish.NO
    assert has_life(ScriptedDice(), 42, rule, RULINGS)
    assert not has_life(ScriptedDice(), 90, rule, RULINGS)
    assert not has_life(ScriptedDice(), 42, rule, rulings(life_presence="gm"))
    assert has_life(ScriptedDice(), 42, yes, rulings(life_presence="gm"))
    by_die = rulings(life_presence="die")
    assert has_life(ScriptedDice(3), 42, rule, by_die)
    assert not has_life(ScriptedDice(4), 42, rule, by_die)
    assert not has_life(ScriptedDice(), 42, no, RULINGS)


@pytest.mark.rules("EGW-029", "EGW-030")
def test_extraordinary_life_is_the_game_masters_wish():
    found = made("6 5 4 6 6 6 5 3", wish=LifeWish.YES)
    assert (found.life, found.life_die) == (Life.ANIMAL, 3)


# Worlds of the digest


@pytest.mark.vector("EGW-X11")
@pytest.mark.rules("EGW-022", "EGW-023", "EGW-025", "EGW-027", "EGW-028", "EGW-030", "EGW-060", "EGW-062", "EGW-064")
@pytest.mark.rules("EGW-065", "EGW-066", "EGW-067", "EGW-068", "EGW-069", "EGW-070", "EGW-071", "EGW-072", "EGW-073")
@pytest.mark.rules("EGW-080", "EGW-081", "EGW-082", "EGW-083")
def test_an_inhabited_twin_of_the_earth():
    found = made(EARTH_TWIN)
    planet, who = world_derived(found, RULINGS), found.people
    assert (found.n_planets, found.size_t, found.oceans_o, found.life_die) == (9, 6, 7, 5)
    assert (planet["diameter_km"], planet["gravity_g"], planet["oceans_percent"]) == (12_000, 1, 70)
    assert (planet["atmosphere_index"], planet["atmosphere"], planet["gear_needed"]) == (42, "normal_air", "nothing")
    assert (who.tech_level, who.body_row, who.endurance, who.appearance) == (4, 7, 8, "animal_like")
    lived = people_derived(who, RULINGS)
    assert (lived["size"], lived["weight"]) == ("under_2_m", "under_100_kg")
    assert (lived["soldiers_wear"], lived["lawful_weapons"]) == ("armoured_suit", ("stick", "stone"))
    assert (who.intelligence, mind(7, 9, RULINGS)) == (9, (8, 8, 7))
    ways = people_derived(who, RULINGS)
    assert (ways["population_exponent"], ways["culture"], ways["dominant_used"]) == (10, "warrior", "strength")
    assert (who.nature, who.politics, ways["totalitarian"]) == ("neutral", "dictatorship", True)
    assert ways["offered_goods"] == ("plants", "manufactured_goods", "precious_materials", "personal_equipment")
    assert ways["demanded_goods"] == ("arms", "animals", "vehicles", "plants")
    assert arms(4, who.nature, RULINGS) == (5, 4, 1)
    assert not ways["empire_member"]
    assert resistances(who, RULINGS) == (23, 24)
    assert planet["colonised"] == 1


@pytest.mark.vector("EGW-X12")
def test_a_large_desert_has_neither_air_nor_life():
    found = made(DESERT)
    assert (found.n_planets, found.size_t, found.oceans_o, found.life) == (9, 9, 0, Life.NONE)
    assert gravity(9) == Fraction(3, 2)
    assert (atmosphere(0), gear_needed(0)) == ("vacuum", "suit")


@pytest.mark.vector("EGW-X13")
def test_a_poison_giant_is_beyond_life():
    found = made("6 5 4 6 6 6 5")
    assert (found.n_planets, found.size_t, found.oceans_o, found.life) == (15, 10, 9, Life.NONE)
    assert (gravity(10), atmosphere(90), gear_needed(90)) == (Fraction(5, 3), "toxic", "suit")


@pytest.mark.vector("EGW-X14")
def test_a_small_world_with_minds_is_a_mining_colony():
    found = made(MINERS)
    planet, who = world_derived(found, RULINGS), found.people
    assert (found.n_planets, found.size_t, found.oceans_o, found.life_die) == (7, 2, 8, 6)
    assert (planet["diameter_km"], planet["is_moon"], planet["mining_colony"]) == (4000, True, True)
    assert (planet["atmosphere"], gravity(2)) == ("normal_air", Fraction(1, 3))
    assert (who.tech_level, who.human, who.body_row) == (5, True, 0)
    assert population_exponent(5, 2, RULINGS) == 3
    assert (who.culture, who.nature, who.politics) == ("warrior", "hostile", "bureaucracy")
    assert who.offered == (11, 5, 17, 3, 14)
    assert who.demanded == (3, -2, 6, 12, 0)
    assert people_derived(who, RULINGS)["demanded_goods"][1] == "information"
    assert arms(5, who.nature, RULINGS) == (6, 5, 2)


@pytest.mark.vector("EGW-X15")
def test_an_imperial_world_has_a_starport():
    found = made(IMPERIAL)
    who = found.people
    assert (found.n_planets, found.size_t, found.oceans_o, gravity(5)) == (11, 5, 6, Fraction(5, 6))
    assert (who.tech_level, population_exponent(6, 5, RULINGS)) == (6, 11)
    assert (who.culture, dominant_characteristic(who, RULINGS)) == ("navyborg_culture", "dexterity")
    assert (who.nature, who.politics) == ("neutral", "imperialism")
    assert who.offered == (10, 3, 18, 15, 10, 8)
    assert who.demanded == (-2, 10, 3, 3, 2, 12)
    assert (port(6), arms(6, "neutral", RULINGS)) == ("starport", (6, 6, 3))


@pytest.mark.vector("EGW-X16")
def test_prehistoric_shape_shifters():
    found = made(SHIFTERS)
    who = found.people
    assert (found.n_planets, found.size_t, found.oceans_o) == (12, 4, 5)
    assert (who.tech_level, who.body_row, who.endurance, who.appearance) == (1, 12, 8, "variable")
    assert (who.intelligence, mind(12, 6, RULINGS)) == (6, (9, 7, 10))
    assert population_exponent(1, 4, RULINGS) == 5
    assert (who.culture, who.nature, who.politics) == ("diverse", "friendly", "anarchy")
    assert (who.offered, who.demanded) == ((7,), (15,))
    assert arms(1, "friendly", RULINGS) == (1, 1, 1)


@pytest.mark.vector("EGW-X17")
def test_an_animal_world_throws_no_more_dice():
    found = made(BEASTS)
    assert (found.n_planets, found.size_t, found.oceans_o, found.life_die) == (3, 7, 3, 2)
    assert (found.life, found.people) == (Life.ANIMAL, None)


# Peoples


@pytest.mark.vector("EGW-X01")
def test_the_earth_has_a_thousand_million_people_then_ten():
    assert [population_exponent(level, 6, RULINGS) for level in (3, 4)] == [9, 10]


@pytest.mark.rules("EGW-069")
@pytest.mark.option("colony_population", "minus_one")
@pytest.mark.option("colony_population", "capped")
def test_how_many_live_in_a_colony(rulings):
    assert population_exponent(5, 6, RULINGS) == 7
    assert population_exponent(5, 6, rulings(colony_population="minus_one")) == 10
    assert population_exponent(6, 10, rulings(colony_population="capped")) == 11
    assert population_exponent(5, 6, rulings(colony_population="capped")) == 7


@pytest.mark.vector("EGW-X08")
def test_a_warrior_theocracy_of_the_fourth_level_can_be():
    assert {die for die in range(1, 7) if TABLES["civilisations"].cell(4 + die, "politics") == "theocracy"} == {6}
    assert {die for die in range(1, 7) if TABLES["civilisations"].cell(4 + die, "culture") == "warrior"} == {1, 5}
    karia = folk("4 3 4 2 5 3 3 5 4 6 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1")
    assert (karia.tech_level, karia.culture, karia.politics) == (4, "warrior", "theocracy")


@pytest.mark.vector("EGW-X09")
def test_a_bureaucracy_of_the_third_level_can_be():
    yoki = folk("3 3 4 2 5 3 3 1 1 3 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1")
    assert (yoki.tech_level, yoki.politics) == (3, "bureaucracy")


@pytest.mark.vector("EGW-X77")
def test_the_paradoxes_that_the_book_names_can_both_come_up():
    democrats = folk("1 3 4 2 5 3 3 1 1 6 1 1 1 1")
    assert (democrats.tech_level, democrats.politics) == (1, "democracy")
    crowded = folk("3 3 4 2 5 3 3 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1")
    assert (crowded.tech_level, crowded.politics, population_exponent(3, 6, RULINGS)) == (3, "community", 9)


@pytest.mark.vector("EGW-X67")
def test_where_a_pistol_of_the_third_level_is_lawful():
    assert is_lawful(3, 6, "neutral", RULINGS)
    assert not is_lawful(3, 4, "friendly", RULINGS)
    assert not is_lawful(3, 5, "hostile", RULINGS)


@pytest.mark.vector("EGW-X72")
def test_on_a_gentle_merchant_world_nothing_beyond_the_second_level_may_be_borne():
    assert arms(4, "friendly", RULINGS).civilians == 2
    assert is_lawful(2, 4, "friendly", RULINGS)
    assert is_empire_member(4, "friendly")


@pytest.mark.rules("EGW-083")
def test_arms_by_level_and_nature_are_the_printed_table():
    friendly = [tuple(arms(level, "friendly", RULINGS)) for level in range(1, 7)]
    assert friendly == [(1, 1, 1), (2, 1, 1), (3, 2, 1), (4, 3, 2), (5, 4, 3), (6, 5, 4)]
    hostile = [tuple(arms(level, "hostile", RULINGS)) for level in range(1, 7)]
    assert hostile == [(2, 1, 1), (3, 2, 1), (4, 3, 1), (5, 4, 1), (6, 5, 2), (6, 6, 3)]


@pytest.mark.rules("EGW-083")
@pytest.mark.option("police_arms", "one")
def test_a_table_may_read_the_police_of_a_friendly_people_literally(rulings):
    assert arms(5, "friendly", rulings(police_arms="one")) == (5, 1, 3)


@pytest.mark.rules("EGW-074", "EGW-075", "EGW-084", "EGW-086")
def test_the_tongue_the_empire_the_armour_and_the_law_of_a_people():
    assert [univerlan_spoken(level) for level in (4, 5)] == ["by_the_elite", "by_all"]
    assert [is_empire_member(4, nature) for nature in ("friendly", "neutral")] == [True, False]
    assert is_empire_member(5, "hostile")
    assert [soldiers_wear(level) for level in (1, 3, 6)] == ["furs_leather", "bulletproof_vest", "antigrav_suit"]
    assert [penalty(nature) for nature in ("friendly", "neutral", "hostile")] == ["fine", "prison", "torture_or_death"]


@pytest.mark.rules("EGW-024", "EGW-061")
@pytest.mark.option("small_worlds", "as_rolled")
@pytest.mark.option("small_worlds", "gm")
def test_a_small_world_is_mined_kept_or_the_game_masters(rulings):
    assert settled_level(2, 2, FolkWish(), RULINGS) == 5
    assert settled_level(6, 2, FolkWish(), RULINGS) == 6
    assert settled_level(2, 3, FolkWish(), RULINGS) == 2
    assert settled_level(2, 2, FolkWish(), rulings(small_worlds="as_rolled")) == 2
    asked = rulings(small_worlds="gm")
    assert [settled_level(2, 2, FolkWish(mining), asked) for mining in (True, False)] == [5, 2]


@pytest.mark.rules("EGW-024")
@pytest.mark.option("small_worlds", "airless_too")
def test_a_table_may_mine_moons_without_air(rulings):
    airless = rulings(small_worlds="airless_too")
    found = made("1 1 1 1 1 3 3 2 1 1 1" + " 1 1 1" * 10, airless)
    assert (found.size_t, found.life, found.tech_level) == (0, Life.NONE, 5)
    assert made("1 1 1 1 1 3 3").people is None


@pytest.mark.rules("EGW-061")
@pytest.mark.option("people_ceiling", "gm")
def test_a_table_may_let_natives_go_beyond_the_fourth_level(rulings):
    text = "5 3 4 2 5 3 3 1 1 1" + " 1 1 1" * 10
    native = folk(text, rulings=rulings(people_ceiling="gm"), wish=FolkWish(native=True))
    assert (native.tech_level, native.human, native.body_row) == (5, False, 7)
    humans = folk("5 1 1 1" + " 1 1 1" * 10, wish=FolkWish(native=True))
    assert (humans.human, humans.body_row) == (True, 0)


@pytest.mark.rules("EGW-063")
@pytest.mark.option("variable_endurance", "gm_picks")
@pytest.mark.option("variable_endurance", "three_dice")
def test_a_variable_body_has_as_many_dice_as_a_die_says(rulings):
    assert folk("1 6 6 2 3 5 6 6 1 2 1 5 3 3 3").endurance == 8
    assert folk("1 6 6 3 5 4 6 6 1 2 1 5 3 3 3", rulings=rulings(variable_endurance="three_dice")).endurance == 12
    asked = rulings(variable_endurance="gm_picks")
    picked = folk("1 6 6 3 5 6 6 1 2 1 5 3 3 3", rulings=asked, wish=FolkWish(picked=2))
    assert picked.endurance == 8


@pytest.mark.rules("EGW-064")
@pytest.mark.option("human_body", "row_seven")
def test_a_human_people_may_have_any_body_unless_the_table_says_otherwise(rulings):
    giants = "1 5 5 1 1 1 3 4 1 1 1 1 1 1 1"
    assert (folk(giants).appearance, folk(giants).body_row) == ("human", 10)
    assert folk(giants, rulings=rulings(human_body="row_seven")).body_row == 7


@pytest.mark.rules("EGW-065")
@pytest.mark.option("people_intelligence", "fresh_die")
def test_a_table_may_throw_a_fresh_die_of_intelligence(rulings):
    assert folk("1 3 4 1 1 3 3 1 1 1 1 1 1 1", life_die=6).intelligence == 7
    fresh = folk("1 3 4 1 1 3 3 2 1 1 1 1 1 1 1", life_die=6, rulings=rulings(people_intelligence="fresh_die"))
    assert fresh.intelligence == 3


@pytest.mark.rules("EGW-067")
@pytest.mark.option("halves", "half_up")
def test_a_half_is_worth_nothing_unless_the_table_rounds_it_up(rulings):
    assert mind(6, 9, RULINGS) == (7, 8, 6)
    assert mind(6, 9, rulings(halves="half_up")) == (8, 9, 7)


@pytest.mark.rules("EGW-070", "EGW-071", "EGW-072")
@pytest.mark.option("culture_dice", "two_dice")
def test_a_table_may_throw_two_dice_for_the_ways_of_natives(rulings):
    two = folk("1 3 4 1 1 3 3 6 5 1 1 4 4 1 1 1 1", rulings=rulings(culture_dice="two_dice"))
    assert (two.culture_row, two.nature_row, two.politics_row) == (11, 2, 8)


@pytest.mark.rules("EGW-071")
@pytest.mark.option("colony_nature", "plus_two")
def test_a_table_may_make_friendly_colonies(rulings):
    soft = folk("5 1 1 1" + " 1 1 1" * 10, rulings=rulings(colony_nature="plus_two"))
    assert (soft.nature_row, soft.nature) == (3, "friendly")
    assert folk("5 1 1 1" + " 1 1 1" * 10).nature == "neutral"


@pytest.mark.rules("EGW-073")
@pytest.mark.option("diverse_dominant", "endurance")
@pytest.mark.option("diverse_dominant", "gm")
def test_what_a_people_without_a_bent_relies_on(rulings):
    shifters = made(SHIFTERS).people
    assert dominant_characteristic(shifters, RULINGS) == "strength"
    assert dominant_characteristic(shifters, rulings(diverse_dominant="endurance")) == "endurance"
    assert dominant_characteristic(shifters, rulings(diverse_dominant="gm")) == "any_characteristic"
    assert dominant_characteristic(replace(shifters, dominant="charm"), RULINGS) == "charm"


@pytest.mark.rules("EGW-080", "EGW-082")
@pytest.mark.option("same_good", "reroll")
@pytest.mark.option("same_good", "ignore")
def test_a_good_that_comes_twice_is_kept_thrown_again_or_let_fall(rulings):
    start = "2 3 4 2 5 3 3 1 1 1"
    kept = folk(f"{start} 1 1 1 1 1 2 2 3")
    assert kept.offered == (3, 3)
    ignored = folk(f"{start} 1 1 1 1 1 2 2 3", rulings=rulings(same_good="ignore"))
    assert (ignored.offered, ignored.demanded) == ((3,), (9, 13))
    again = folk(f"{start} 1 1 4 1 1 1 1 1 1 3 3 3", rulings=rulings(same_good="reroll"))
    assert (again.offered, again.demanded) == ((3, 6), (9, 15))


@pytest.mark.rules("EGW-032")
def test_a_people_that_leaves_its_planet_lives_on_another():
    assert [colonised(People(tech_level=level), 9) for level in (3, 4, 5)] == [0, 1, 0]
    assert colonised(People(tech_level=4), 1) == 0
    assert colonised(None, 9) == 0


# Sectors


def first_row(text):
    where = [coordinates(column, 1) for column in range(1, 11)]
    dice = ScriptedDice(*faces(text))
    return play(lambda dice: squares_content(dice, where, Density.MEAN, RULINGS), dice=dice).result


@pytest.mark.vector("EGW-X18")
@pytest.mark.rules("EGW-098")
def test_the_first_row_of_a_sector():
    found = first_row(f"4 2 5 1 3 {BEASTS} 6 5 3 1 {DESERT} 4 2 2 {SHIFTERS} 6 1 6")
    kinds = [content.kind for _, content in found]
    assert kinds == [Square.VOID, Square.LONE_STAR, Square.ANIMAL, Square.VOID, Square.VOID, Square.LIFELESS,
                     Square.VOID, Square.INTELLIGENT, Square.VOID, Square.LONE_STAR]
    worlds = tuple(replace(content.world, square=square) for square, content in found if content.world)
    chart = charted(Sector(worlds=worlds), RULINGS)
    assert [(world.square, world.code) for world in chart.worlds] == [("0301", "A"), ("0601", ""), ("0801", "B")]
    assert [square_text(world) for world in chart.worlds if world.code] == ["A 7·3", "B 4·5·1"]


def test_seeded_dice_fall_as_the_specification_says():
    assert list(islice(hash_faces("demo"), 12)) == [6, 3, 5, 1, 1, 4, 3, 4, 4, 5, 4, 6]
    assert HashFaces("demo").stream("0101").stream("system").throw("gm", 12, 6) == (2, 2, 1, 3, 6, 2, 3, 6, 4, 3, 1, 6)
    skipped = HashFaces("demo")
    skipped.skip(2, 6)
    assert skipped.throw("gm", 2, 6) == (5, 1)
    wide = HashFaces("demo").throw("gm", 300, 2000)
    assert min(wide) >= 1
    assert max(wide) <= 2000
    assert hash_dice("demo").sum(2, 6) == 9


OURMANSK = """A 0101 17 5 6 3/B 0601 8 6 6 3/C 1001 9 6 3 4/D 0102 5 7 5 6/- 0602 17 0 7 0/- 0802 12 0 5 0
E 1002 12 8 3 4
F 0103 7 9 5 2/G 0203 12 1 5 4/H 0403 6 4 2 6/I 0704 12 8 8 6/J 0804 10 3 10 1/K 0205 12 5 3 1/L 0605 5 5 5 5
M 0805 11 6 3 6/N 0905 9 8 9 2/O 0506 10 7 5 1/P 0607 10 5 3 2/Q 0208 12 8 5 1/R 0808 13 5 8 6/S 0309 9 9 6 3
- 0409 11 6 0 0/T 0609 12 7 7 5/U 0809 8 6 9 4/V 0909 15 1 4 6/W 1009 14 3 8 4/X 0710 9 4 4 6/Y 1010 13 2 5 3"""
OURMANSK_PEOPLES = {
    "D": (4, 11, "merchant_culture", 5, "bureaucracy", (8, 3, 8, 8), (13, 10, 12, 8)),
    "H": (6, 10, "navyborg_culture", 9, "theocracy", (9, 7, 8, 14, 9, 12), (6, 5, 9, 5, 3, -1)),
    "I": (5, 9, "warrior", 10, "oligarchy", (6, 12, 13, 14, 12), (3, 8, 7, 5, 6)),
    "L": (1, 6, "merchant_culture", 2, "community", (8,), (13,)),
    "M": (5, 7, "merchant_culture", 10, "theocracy", (14, 13, 7, 8, 11), (1, 8, 2, 7, 5)),
    "R": (5, 6, "merchant_culture", 9, "democracy", (13, 7, 14, 8, 7), (7, 3, 9, 5, 7)),
    "T": (6, 13, "mystic", 10, "oligarchy", (16, 6, 10, 13, 12, 12), (1, 6, 10, 2, 6, 3)),
    "V": (5, 2, "merchant_culture", 9, "democracy", (13, 7, 5, 8, 12), (-1, 4, 11, 1, 11)),
    "X": (4, 8, "merchant_culture", 6, "technocracy", (9, 7, 5, 11), (10, 7, 7, 9)),
}


@pytest.mark.vector("EGW-X71")
@pytest.mark.rules("EGW-020", "EGW-093")
def test_the_whole_sector_of_ourmansk():
    chart = play(sector, "Ourmansk", Density.MEAN, "ourmansk", RULINGS, dice=ScriptedDice()).result
    assert sector_derived(chart, RULINGS) == {"stars": 48, "systems": 28, "mapped": 25, "inhabited": 9}
    assert len(chart.lone_stars) == 20
    rows = [
        f"{world.code or '-'} {world.square} {world.n_planets} {world.size_t} {world.oceans_o} {world.life_die}"
        for world in chart.worlds
    ]
    assert rows == OURMANSK.replace("\n", "/").split("/")
    told = {
        world.code: (world.tech_level, population_exponent(world.tech_level, world.size_t, RULINGS),
                     world.people.culture, world.people.nature_row, world.people.politics, world.people.offered,
                     world.people.demanded)
        for world in chart.worlds if world.people
    }
    assert told == OURMANSK_PEOPLES
    natives = {world.code: (world.people.body_row, world.people.endurance, world.people.appearance)
               for world in chart.worlds if world.people and world.people.body_row}
    assert natives == {"D": (7, 4, "humanoid"), "L": (5, 6, "insectoid"), "X": (6, 4, "insectoid")}
    red, *blue = chart.routes
    assert red == Route("H", "T", Colour.RED)
    assert [(route.start, route.end) for route in blue] == [("I", "H"), ("M", "H"), ("R", "T"), ("V", "T")]


@pytest.mark.rules("EGW-020", "EGW-021")
def test_a_sector_without_a_seed_takes_the_dice_at_hand():
    chart = SeededDice(7).resolve(sector, "Hasard", Density.CORE, "", RULINGS)
    squares = [world.square for world in chart.worlds] + list(chart.lone_stars)
    assert len(set(squares)) == len(squares) > 50
    assert from_plain(Sector, to_plain(chart)) == chart
    assert SeededDice(7).resolve(sector, "Hasard", Density.RIM, "", RULINGS).worlds != chart.worlds


def charted_at(**levels):
    """Worlds by code, each as ``(column, row, level)``."""
    return tuple(
        World(square=coordinates(column, row), code=code, people=People(tech_level=level))
        for code, (column, row, level) in levels.items()
    )


@pytest.mark.vector("EGW-X66")
def test_routes_join_starports_and_colonies():
    worlds = charted_at(A=(2, 3, 6), F=(8, 5, 6), C=(5, 4, 5), H=(4, 9, 5), K=(9, 9, 4))
    assert routes(worlds, RULINGS) == (
        Route("A", "F", Colour.RED), Route("C", "A", Colour.BLUE), Route("H", "F", Colour.BLUE),
    )


@pytest.mark.rules("EGW-096")
@pytest.mark.option("red_routes", "spanning_tree")
@pytest.mark.option("red_routes", "gabriel")
def test_great_routes_may_be_every_pair_or_a_net(rulings):
    ports = charted_at(A=(1, 1, 6), B=(1, 4, 6), C=(1, 8, 6), D=(5, 1, 6))
    names = lambda pairs: [one.code + other.code for one, other in pairs]  # noqa: E731
    assert names(great_routes(ports, RULINGS)) == ["AB", "AC", "AD", "BC", "BD", "CD"]
    assert names(great_routes(ports, rulings(red_routes="spanning_tree"))) == ["AB", "AD", "BC"]
    assert names(great_routes(ports, rulings(red_routes="gabriel"))) == ["AB", "AD", "BC", "BD"]


@pytest.mark.rules("EGW-096")
@pytest.mark.option("edge_routes", "none")
def test_a_colony_without_a_starport_has_a_route_out_or_none(rulings):
    alone = charted_at(C=(5, 4, 5))
    assert routes(alone, RULINGS) == (Route("C", "", Colour.BLUE),)
    assert routes(alone, rulings(edge_routes="none")) == ()


@pytest.mark.rules("EGW-091")
@pytest.mark.option("code_order", "columns")
@pytest.mark.option("code_overflow", "numbers")
def test_codes_follow_rows_or_columns_and_go_on_beyond_z(rulings):
    worlds = charted_at(p=(2, 1, 1), q=(1, 2, 1))
    assert [world.square for world in in_map_order(worlds, RULINGS)] == ["0201", "0102"]
    assert [world.square for world in in_map_order(worlds, rulings(code_order="columns"))] == ["0102", "0201"]
    assert [code_of(n, RULINGS) for n in (0, 25, 26, 27, 52)] == ["A", "Z", "AA", "AB", "BA"]
    assert code_of(26, rulings(code_overflow="numbers")) == "27"


@pytest.mark.rules("EGW-094", "EGW-095", "EGW-097", "EGW-098")
def test_circles_ports_and_who_may_use_a_route():
    assert [circle(level) for level in (4, 5, 6)] == [Colour.NONE, Colour.BLUE, Colour.RED]
    assert [port(level) for level in (0, 3, 4, 5)] == ["no_port", "no_port", "spacefield_by_permission", "spacefield"]
    assert may_use(Colour.RED, "liner")
    assert not may_use(Colour.BLUE, "liner")
    assert may_use(Colour.BLUE, "barge")
    assert may_use(Colour.BLUE, "liner", official=True)
    assert position(coordinates(10, 3)) == (10, 3)


# The moves


def test_a_square_rolled_again_moves_nothing_else(changes):
    before = play(sector, "Ourmansk", Density.MEAN, "ourmansk", RULINGS, dice=ScriptedDice()).result
    written = changes("edit-square", 1, 1, *faces(BEASTS), gm={"square": "0201"}, sector={},
                      sheets={"sector": before})
    after = written[("sector", "worlds")]
    new = next(world for world in after if world.square == "0201")
    assert (new.size_t, new.edited, new.code) == (7, True, "Z")  # the next free one
    assert new.name not in ("", *(world.name for world in before.worlds))
    assert [world for world in after if world is not new] == list(before.worlds)
    lone = changes("edit-square", 1, 6, gm={"square": "0201"}, sector={}, sheets={"sector": before})
    assert lone == {}  # it was a lone star already


def test_a_figure_of_a_square_is_set_by_hand(changes):
    before = play(sector, "Ourmansk", Density.MEAN, "ourmansk", RULINGS, dice=ScriptedDice()).result

    def edited(*dice, **form):
        return changes("edit-square", *dice, gm=form, sector={}, sheets={"sector": before})[("sector", "worlds")]

    assert edited(square="0102", edit="set_size", value=9)[3].people.size_t == 9
    assert edited(square="0101", edit="set_oceans", value=2)[0].oceans_o == 2
    colony = edited(*[3] * 33, square="0101", edit="set_level", value=5)[0]
    assert (colony.tech_level, colony.life, colony.life_die) == (5, Life.INTELLIGENT, 5)
    assert (colony.people.human, colony.people.culture_row, len(colony.people.offered)) == (True, 8, 5)
    dice = faces("3 4 2 5 3 3 1 4 5 2 3 4 4 1 1 6 6 3 4 4 1 2 2 6 5 4 2 2 2")
    natives = edited(*dice, square="0101", edit="set_level", value=4)[0].people
    assert (natives.body_row, natives.intelligence, natives.endurance) == (7, 9, 8)
    assert edited(square="0102", edit="set_politics", value=2)[3].people.politics == "anarchy"
    beasts = edited(4, square="0102", edit="reroll_life")[3]
    assert (beasts.life, beasts.life_die, beasts.people, beasts.edited) == (Life.ANIMAL, 4, None, True)
    assert edited(1, *[3] * 7, 1, 1, 1, 2, 2, 2, square="0102", edit="reroll_people")[3].tech_level == 1
    barren = edited(square="0101", edit="reroll_life", life_wish="no_life")[0]
    assert barren.life is Life.NONE
    with pytest.raises(NotThatMuch):
        edited(square="0101", edit="set_level", value=7)
    with pytest.raises(NobodyThere):
        edited(square="0101", edit="set_culture", value=5)
    assert edited(square="0101", edit="set_name", text="Ixe")[0].name == "Ixe"
    cleared = changes("edit-square", gm={"square": "0403", "edit": "clear"}, sector={}, sheets={"sector": before})
    assert len(cleared[("sector", "worlds")]) == 27
    assert all("H" not in route[:2] or route.colour for route in cleared[("sector", "routes")])


def test_a_square_that_is_none_or_empty_is_refused(result):
    with pytest.raises(NoSuchSquare):
        result("edit-square", gm={"square": "1101"})
    with pytest.raises(NothingThere):
        result("edit-square", gm={"square": "0101", "edit": "set_size"})
    with pytest.raises(NothingThere):
        result("open-world", gm={"square": "0101"})


def test_a_world_of_the_map_opens_on_its_own_sheet(changes):
    chart = play(sector, "Ourmansk", Density.MEAN, "ourmansk", RULINGS, dice=ScriptedDice()).result
    opened = changes("open-world", gm={"square": "0403"}, sector={}, sheets={"sector": chart})
    assert (opened["H 0403", ""].tech_level, opened["H 0403", ""].name) == (6, chart.world_at("0403").name)
    (first,) = changes("open-world", gm={"square": "0101"}, sector={}, sheets={"sector": chart}).values()
    assert (first.faces, first.seed) == ((1, 1, 6, 5, 6, 6, 1, 5, 3, 3), "ourmansk/0101")


def test_a_people_made_for_a_world_settles_there(changes):
    where = World(name="Ixe", size_t=6, oceans_o=7, life=Life.INTELLIGENT, life_die=5)
    dice = faces("4 3 4 2 5 3 3 1 4 5 2 3 4 4 1 1 6 6 3 4 4 1 2 2 6 5 4 2 2 2")
    written = changes("generate-people", *dice, gm={"name": "Ixiens"}, world={}, sheets={"world": where})
    assert written[("world", "people")].body_row == 7
    alone = changes("generate-people", *dice, gm={"name": "Ixiens", "size_t": 6, "life_die": 5})
    assert alone[("Ixiens", "")] == written[("world", "people")]
    wild = replace(where, life=Life.ANIMAL, life_die=2)
    with pytest.raises(MissingField):
        changes("generate-people", world={}, sheets={"world": wild})
    tamed = changes("generate-people", *dice, gm={"life_die": 6}, world={}, sheets={"world": wild})
    assert (tamed["world", "life"], tamed["world", "life_die"]) == (Life.INTELLIGENT, 6)
    assert tamed["world", "people"].intelligence == 10


@pytest.mark.rules("EGW-030")
def test_the_chances_shown_before_a_world_is_made_are_those_of_its_life():
    step = SYSTEM.move("generate-world").resolves[0]
    weighed = step.odds(SYSTEM.context("generate-world", {"gm": [{}]}))
    assert weighed.map(step.outcome)["intelligent_life"] == Fraction(76, 81) / 3
    assert sum(weighed.values()) == 1


def test_a_record_with_impossible_figures_is_refused():
    kinds = SYSTEM.kinds
    wrong = [
        ("world", World(size_t=11)), ("people", People(tech_level=7)), ("world", World(people=People(body_row=13))),
        ("sector", Sector(worlds=(World(square="0101"), World(square="0101")))), ("animal", Animal(diet_ta=7)),
        ("market", Market(tech_level=0)), ("item", Gear(quality=0)), ("cargo", Cargo(lots=(Lot("rocks", 1),))),
    ]
    for kind, record in wrong:
        with pytest.raises(BadRecord):
            kinds[kind].validated(record, RULINGS)


def test_a_sheet_form_never_flattens_the_worlds_of_a_sector():
    chart = play(sector, "Ourmansk", Density.MEAN, "ourmansk", RULINGS, dice=ScriptedDice()).result
    form, sheet = SheetForm(SYSTEM.kind("sector"), Teller("fr", SYSTEM)), to_plain(chart)
    asked = {entry.path for part in form.parts(sheet) for entry in part.entries}
    assert {"name", "routes"} <= asked
    assert "worlds" not in asked
    assert form.read(sheet, [("v:name", "Marges")]) == {**sheet, "name": "Marges"}


def test_odds_of_a_sector_are_certain():
    step = SYSTEM.move("generate-sector").resolves[0]
    assert len(step.odds(SYSTEM.context("generate-sector", {"gm": [{}]}))) == 1
