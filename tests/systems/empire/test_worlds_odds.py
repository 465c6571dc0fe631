"""Empire galactique: every listed probability of worlds, trade and gear, found again from the rules themselves."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb, factorial

import pytest

from paravent.dice import ThrowAgain, odds
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.beasts.animals import (
    Behaviour,
    Diet,
    animal_gist,
    diet_of,
    meet,
    meetings_today,
    throw_body,
    throw_diet,
    throw_looks,
    throw_movement,
    throw_strength,
)
from paravent.systems.empire.beasts.bodies import throw_endurance
from paravent.systems.empire.beasts.persons import locate, official
from paravent.systems.empire.machines.driving import long_drive
from paravent.systems.empire.machines.gear import State, repair_rate, wear_check
from paravent.systems.empire.people.referee import loyalty
from paravent.systems.empire.terms import TABLES
from paravent.systems.empire.trade.goods import good_row, throw_demand, throw_offer
from paravent.systems.empire.trade.trade import Bargain, Bribe, Haggling, Sale, haggle, purchase, sell, tariff
from paravent.systems.empire.travel.travel import interplanetary, waiting
from paravent.systems.empire.worlds.peoples import (
    FolkWish,
    arms,
    is_empire_member,
    is_moon,
    is_totalitarian,
    mind,
    population_exponent,
    tech_level,
    throw_appearance,
    throw_culture,
    throw_folk_body,
    throw_nature,
    throw_politics,
)
from paravent.systems.empire.worlds.planet import (
    LifeWish,
    air_index,
    atmosphere,
    gear_needed,
    gravity,
    life_is_possible,
    throw_life,
    throw_oceans,
    throw_planets,
    throw_size,
)
from paravent.systems.empire.worlds.sector import Density, Square, square_kind, throw_has_planets, throw_star

RULINGS = SYSTEM.book.rulings()
LISTED = {row["id"]: [Fraction(exact) for exact in row.get("exact", ())] for row in SYSTEM.book.listed_odds}
HALF = Fraction(1, 2)


def listed(name, **more):
    return pytest.param(name, *more.values(), id=name, marks=pytest.mark.listed_odds(name))


def planet(dice):
    """T and O of a planet."""
    return throw_size(dice), throw_oceans(dice)


def index_of(found):
    return air_index(*found, RULINGS)


def society(dice):
    """T, O and level of a people; None where there is none."""
    size_t, oceans_o = planet(dice)
    if not life_is_possible(air_index(size_t, oceans_o, RULINGS)) or throw_life(dice) < 5:
        return None
    return size_t, oceans_o, dice.resolve(tech_level, size_t, FolkWish(), RULINGS)


def civilisation(dice):
    """T, O and level, given that there is a people."""
    found = dice.resolve(society)
    if found is None:
        raise ThrowAgain
    return found


def with_row(dice, throw):
    """A people and one of its rows."""
    found = dice.resolve(civilisation)
    return found, throw(dice, found[2], RULINGS)


def share(rule, test, *args):
    return odds(rule, *args).chance(test)


def at_air(name):
    return share(planet, lambda found: atmosphere(index_of(found)) == name)


def kind(found, density=Density.MEAN):
    return share(square_kind, lambda got: got.kind in found, density, LifeWish.BY_THE_RULE, RULINGS)


ALIVE, PEOPLED = (Square.ANIMAL, Square.INTELLIGENT), (Square.INTELLIGENT,)


def a_square(level):
    """The chance that a square holds a people of such a level."""
    settled = share(society, lambda found: found is not None and level(found[2]))
    return share(lambda dice: throw_star(dice, Density.MEAN) and throw_has_planets(dice), bool) * settled


def cells(column, row):
    return TABLES["civilisations"].cell(row, column)


def ways(throw, column, *names):
    found = odds(with_row, throw)
    return [found.chance(lambda got, name=name: cells(column, got[1]) == name) for name in names]


def population(test):
    return share(civilisation, lambda found: test(population_exponent(found[2], found[0], RULINGS)))


def native_air():
    found = odds(civilisation).given(lambda got: got[2] <= 4)
    names = ("thin", "normal_air", "polluted", "toxic")
    return [found.chance(lambda got, name=name: atmosphere(index_of(got[:2])) == name) for name in names]


WORLDS = {
    "EGW-O02": lambda: [at_air("vacuum")],
    "EGW-O03": lambda: [at_air("thin")],
    "EGW-O04": lambda: [at_air("normal_air")],
    "EGW-O05": lambda: [at_air("polluted")],
    "EGW-O06": lambda: [at_air("toxic")],
    "EGW-O07": lambda: [share(planet, lambda found: gear_needed(index_of(found)) != "suit")],
    "EGW-O08": lambda: [share(planet, lambda found: atmosphere(index_of(found)) == "normal_air"
                              and Fraction(5, 6) <= gravity(found[0]) <= Fraction(7, 6))],
    "EGW-O09": lambda: [share(planet, lambda found: index_of(found) > 80)],
    "EGW-O10": lambda: [share(planet, lambda found: life_is_possible(index_of(found)))],
    "EGW-O11": lambda: [share(throw_size, is_moon)],
    "EGW-O12": lambda: [odds(planet).given(lambda found: life_is_possible(index_of(found)))
                        .chance(lambda found: is_moon(found[0]))],
    "EGW-O13": lambda: [kind((*ALIVE, Square.LIFELESS))],
    "EGW-O14": lambda: [kind(ALIVE)],
    "EGW-O15": lambda: [kind((Square.ANIMAL,))],
    "EGW-O16": lambda: [kind(PEOPLED) / share(throw_star, bool, Density.MEAN)],
    "EGW-O17": lambda: [kind(PEOPLED)],
    "EGW-O18": lambda: [100 * kind(PEOPLED, density) for density in (Density.CORE, Density.RIM)],
    "EGW-O19": lambda: [100 * kind(ALIVE, density) for density in (Density.CORE, Density.RIM)],
    "EGW-O22": lambda: [share(civilisation, lambda found: found[2] == 1)],
    "EGW-O23": lambda: [share(civilisation, lambda found: found[2] == 5)],
    "EGW-O24": lambda: [share(civilisation, lambda found: found[2] == 6)],
    "EGW-O25": lambda: [a_square(lambda level: level <= 4)],
    "EGW-O26": lambda: [a_square(lambda level: level == 5)],
    "EGW-O27": lambda: [a_square(lambda level: level == 6)],
    "EGW-O31": native_air,
    "EGW-O32": lambda: [odds(throw_planets).mean(), odds(throw_planets)[10]],
    "EGW-O33": lambda: [population(lambda exponent: exponent >= 9)],
    "EGW-O34": lambda: [population(lambda exponent: exponent >= 10)],
    "EGW-O35": lambda: [population(lambda exponent: exponent >= 12)],
    "EGW-O36": lambda: [population(lambda exponent: exponent <= 6)],
    "EGW-O37": lambda: [population(lambda exponent: exponent == 16)],
    "EGW-O39": lambda: ways(throw_nature, "nature", "friendly", "neutral", "hostile"),
    "EGW-O40": lambda: ways(throw_culture, "culture", "merchant_culture", "warrior", "mystic", "tekno_culture",
                            "diverse", "navyborg_culture"),
    "EGW-O41": lambda: [share(with_row, lambda got: is_totalitarian(got[1]), throw_politics)],
    "EGW-O42": lambda: [odds(with_row, throw_nature).given(lambda got: got[0][2] == 4)
                        .chance(lambda got: is_empire_member(4, cells("nature", got[1])))],
    "EGW-O47": lambda: [share(with_row, lambda got, most=most: arms(
        got[0][2], cells("nature", got[1]), RULINGS).civilians == most, throw_nature) for most in (1, 2, 3)],
    "EGW-O48": lambda: [odds(throw_appearance)["human"]],
}


@pytest.mark.parametrize("name", [listed(name) for name in WORLDS])
def test_a_listed_chance_of_worlds_and_peoples(name):
    assert WORLDS[name]() == LISTED[name]


@pytest.mark.listed_odds("EGW-O01")
def test_size_and_sea_are_a_triangle():
    for throw in (throw_size, throw_oceans):
        ways_of = [odds(throw)[n] * 36 for n in range(11)]
        assert ways_of == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
        assert odds(throw).mean() == 5


def none_of_a_hundred(chance):
    return (1 - chance) ** 100


@pytest.mark.listed_odds("EGW-O20")
def test_letters_run_out_in_almost_a_quarter_of_sectors():
    alive = kind(ALIVE)
    few = sum(comb(100, k) * alive**k * (1 - alive) ** (100 - k) for k in range(27))
    assert round(float(1 - few), 4) == 0.2332


@pytest.mark.listed_odds("EGW-O21", "EGW-O28", "EGW-O29", "EGW-O30")
def test_sectors_without_people_or_starports():
    assert round(float(none_of_a_hundred(kind(PEOPLED))), 5) == 0.00029
    assert 1 - kind(PEOPLED) == Fraction(224, 243)
    ports, colonies = a_square(lambda level: level == 6), a_square(lambda level: level == 5)
    assert 1 - ports == Fraction(1439, 1458)
    assert round(float(none_of_a_hundred(ports)), 4) == 0.2694
    one = 100 * ports * (1 - ports) ** 99
    assert round(float(1 - none_of_a_hundred(ports) - one), 4) == 0.3750
    assert 1 - colonies == Fraction(22849, 23328)
    assert round(float(1 - none_of_a_hundred(colonies)), 4) == 0.8744


@pytest.mark.listed_odds("EGW-O38")
def test_nature_by_level():
    found = [[6 * share(throw_nature, lambda row, name=name: cells("nature", row) == name, level, RULINGS)
              for name in ("friendly", "neutral", "hostile")] for level in range(1, 7)]
    assert found == [[4, 2, 0], [3, 3, 0], [2, 3, 1], [1, 3, 2], [0, 3, 3], [0, 2, 4]]


def native(dice):
    """Force, Intelligence and Endurance of natives, their levels equally likely."""
    clever = dice.sum(1, 4) + 4 + dice.sum(1, 2)
    row = throw_folk_body(dice)
    return row, clever, dice.resolve(throw_endurance, row, RULINGS)


def charm_of(found):
    return mind(found[0], found[1], RULINGS).charm


NATIVES = {
    "EGW-O43": lambda found: [found.chance(lambda got: got[0] > got[1])],
    "EGW-O44": lambda found: [found.mean(lambda got: mind(got[0], got[1], RULINGS).dexterity + got[0] + got[2])],
    "EGW-O45": lambda found: [found.mean(lambda got: got[1] + charm_of(got) + mind(got[0], got[1], RULINGS).willpower)],
    "EGW-O46": lambda found: [found.map(charm_of)[charm] for charm in range(5, 11)],
}


@pytest.mark.parametrize("name", [listed(name) for name in NATIVES])
def test_a_listed_chance_of_natives(name):
    assert NATIVES[name](odds(native)) == LISTED[name]


# Beasts and persons


def strong(dice):
    return throw_strength(dice, throw_diet(dice))


def body(dice):
    return throw_body(dice, throw_diet(dice))


def tough(dice):
    return dice.resolve(throw_endurance, dice.resolve(body), RULINGS)


def plant_eater(dice):
    return throw_body(dice, throw_diet(dice, Diet.HERBIVORE))


def looks(dice):
    return throw_looks(dice, throw_diet(dice), RULINGS)


def met():
    return odds(meet, (), RULINGS)


def attacked(dice):
    return meet(dice, (), RULINGS).behaviour is Behaviour.ATTACK_UNPROVOKED


def attacked_today(dice, mod):
    return any(dice.resolve(attacked) for _ in range(dice.resolve(meetings_today, mod)))


BEASTS = {
    "EGW-O49": lambda: [share(strong, lambda force: force >= 12)],
    "EGW-O50": lambda: [share(body, lambda row: 8 <= row <= 11)],
    "EGW-O52": lambda: [share(plant_eater, lambda row: row >= 10)],
    "EGW-O53": lambda: [share(tough, lambda points: points >= 12), share(tough, lambda points: points <= 3)],
    "EGW-O54": lambda: [odds(tough).mean()],
    "EGW-O55": lambda: [odds(throw_endurance, 12, RULINGS).mean(),
                        share(throw_endurance, lambda points: points >= 20, 12, RULINGS)],
    "EGW-O58": lambda: [odds(looks)["mineral"], odds(looks)["animal_like"]],
    "EGW-O59": lambda: [met().map(lambda got: got.diet)[diet] for diet in Diet],
    "EGW-O60": lambda: [met().map(lambda got: got.behaviour)[one] for one in (
        Behaviour.ATTACK_UNPROVOKED, Behaviour.ATTACK_IF_PROVOKED, Behaviour.FLIGHT_IF_PROVOKED,
        Behaviour.FLIGHT_UNPROVOKED, Behaviour.FLIGHT_THEN_ATTACK)],
    "EGW-O61": lambda: [odds(meetings_today, -mod)[0] for mod in range(6)],
    "EGW-O62": lambda: [share(attacked_today, bool, mod) for mod in (0, -2)],
    "EGW-O63": lambda: [share(loyalty, bool, score) for score in range(6, 13)],
}


@pytest.mark.parametrize("name", [listed(name) for name in BEASTS])
def test_a_listed_chance_of_beasts_and_persons(name):
    assert BEASTS[name]() == LISTED[name]


@pytest.mark.listed_odds("EGW-O51", "EGW-O52", "EGW-O58", "EGW-O61")
def test_bodies_looks_and_meetings_in_full():
    omnivores = odds(lambda dice: throw_body(dice, throw_diet(dice, Diet.OMNIVORE)))
    assert dict(omnivores) == dict.fromkeys(range(2, 8), Fraction(1, 6))
    assert [odds(plant_eater)[row] * 18 for row in (10, 11, 12)] == [3, 2, 1]
    for appearance in ("vegetable", "insectoid", "reptilian", "animal_like"):
        assert odds(looks)[appearance] == Fraction(1, 6)
    means = [odds(meetings_today, -mod).mean() for mod in range(6)]
    assert means == [Fraction(7, 2), Fraction(5, 2), Fraction(5, 3), 1, HALF, Fraction(1, 6)]
    assert odds(animal_gist, 6, None, "", RULINGS).chance(lambda got: diet_of(got.diet_ta) is Diet.HERBIVORE) == HALF


@pytest.mark.listed_odds("EGW-O56", "EGW-O57")
@pytest.mark.option("movement_overflow", "sea")
def test_how_beasts_move_by_the_seas_of_their_world(rulings):
    def sixths(table, oceans):
        return [6 * odds(throw_movement, oceans, table)[mode] for mode in ("land", "sea", "air")]

    assert [sixths(RULINGS, oceans) for oceans in (7, 8, 9, 10)] == [[2, 2, 2], [1, 2, 3], [1, 2, 3], [0, 2, 4]]
    swim = rulings(movement_overflow="sea")
    assert [sixths(swim, oceans) for oceans in (7, 9, 10)] == [[2, 2, 2], [1, 3, 2], [0, 4, 2]]


@pytest.mark.listed_odds("EGW-O64")
@pytest.mark.option("clock_window", "strict")
def test_an_official_dines_a_sixth_of_the_time(rulings):
    """On a continuous clock the fifth minute is an instant; on whole minutes that is the strict window."""
    strict = rulings(clock_window="strict")
    assert share(locate, lambda found: found.present, official(), "restaurant", None, strict) == Fraction(1, 6)


# Trade


def wanted(level, rolls):
    """For each good, the chance that a world wants it in so many rolls."""
    one = odds(throw_demand, level).map(good_row)
    return lambda row: 1 - (1 - one[row]) ** rolls


def wanted_elsewhere(offering, wanting):
    offered, wish = odds(throw_offer, offering).map(good_row), wanted(wanting, wanting)
    return sum(chance * wish(row) for row, chance in offered.items())


def all_distinct(level):
    """The chance that the rolls of a world's offer all differ: n! times the n-th symmetric sum of the chances."""
    sums = [Fraction(1)] + [Fraction(0)] * level
    for chance in odds(throw_offer, level).values():
        for n in range(level, 0, -1):
            sums[n] += sums[n - 1] * chance
    return factorial(level) * sums[level]


def profits(quantity, sold=None, rulings=RULINGS):
    """The chance to sell crafts of the first level dearer than they cost, by the gap of technology."""
    cost = odds(purchase, "crafts", 1, quantity, RULINGS)
    chances = []
    for gap in range(1, 6):
        gain = odds(sell, Sale("crafts", 1, sold or quantity, quantity, place_level=1 + gap), rulings)
        pairs = product(cost.items(), gain.items())
        chances.append(sum((p * q for (paid, p), (got, q) in pairs if got.unit > paid.unit), start=Fraction(0)))
    return chances


TRADE = {
    "EGW-O66": lambda: [odds(throw_offer, 6)[18], share(throw_offer, lambda roll: roll >= 15, 6)],
    "EGW-O67": lambda: [1 - (1 - odds(throw_offer, 6)[18]) ** 6],
    "EGW-O68": lambda: [1 - share(throw_offer, lambda roll: roll < 15, 6) ** 6],
    "EGW-O69": lambda: [odds(throw_demand, 6).map(good_row)[2]],
    "EGW-O70": lambda: [odds(throw_demand, 1).map(good_row)[row] for row in (19, 11)],
    "EGW-O71": lambda: [wanted(2, 2)(11)],
    "EGW-O72": lambda: [wanted_elsewhere(1, 6)],
    "EGW-O73": lambda: [wanted_elsewhere(6, 2), wanted_elsewhere(6, 1)],
    "EGW-O74": lambda: [all_distinct(level) for level in (2, 4, 6)],
    "EGW-O75": lambda: profits(100),
    "EGW-O76": lambda: profits(10),
    "EGW-O77": lambda: profits(1),
    "EGW-O78": lambda: profits(100, 9, SYSTEM.book.rulings({"sale_dice": "batch"}))[:1],
    "EGW-O79": lambda: [share(purchase, lambda deal: deal.total >= 60_000, "arms", 5, 1, RULINGS)],
    "EGW-O80": lambda: [share(haggle, lambda done: done.percent >= 8, Haggling(Bargain.SELL, 3, 12, 9, 2, 6), RULINGS)],
    "EGW-O82": lambda: [odds(tariff, Bribe(1, 6, 3, 1, 4, 9), RULINGS)[price] for price in (36, 72, 108, 144)],
}


@pytest.mark.parametrize("name", [listed(name) for name in TRADE])
def test_a_listed_chance_of_trade(name):
    assert TRADE[name]() == LISTED[name]


@pytest.mark.listed_odds("EGW-O65", "EGW-O79", "EGW-O81", "EGW-O82")
def test_offers_prices_and_bribes_in_full():
    for level in (1, 2):
        assert dict(odds(throw_offer, level)) == dict.fromkeys(range(3, 9), Fraction(1, 6))
    assert odds(purchase, "arms", 5, 1, RULINGS).mean(lambda deal: deal.total) == 52_500
    plain = odds(tariff, Bribe(1, 6, 0, 0, 6, 12), RULINGS)
    assert dict(plain) == dict.fromkeys((72, 144, 216, 288, 360, 432), Fraction(1, 6))
    assert plain.mean() == 252
    assert odds(tariff, Bribe(1, 6, 3, 1, 4, 9), RULINGS).mean() == 72


# Gear and travel


def unhurt(hours, level, limit=10):
    return long_drive(hours, 3, limit, level).chance(lambda road: not road.accident)


def six_checks(dice, table, state=None, left=6):
    """An object of the third level after six wear checks."""
    after = wear_check(dice, 3, 10, state or State(), 3, 20, table).state
    return after.broken if left == 1 else dice.then(six_checks, table, after, left - 1)


def rates(level, *grades):
    return [share(repair_rate, lambda rate: rate >= 1, grade, level, 0, RULINGS) for grade in grades]


GEAR = {
    "EGW-O83": lambda: rates(3, 0, 1, 2, 3),
    "EGW-O84": lambda: rates(6, *range(7)),
    "EGW-O86": lambda: [unhurt(10, 3)],
    "EGW-O87": lambda: [unhurt(8, 3), unhurt(8, 6)],
    "EGW-O88": lambda: [unhurt(24, 3, 12), unhurt(24, 6, 12)],
    "EGW-O89": lambda: [share(six_checks, bool, table) for table in (
        RULINGS, SYSTEM.book.rulings({"breakdown": "at_least"}))],
    "EGW-O90": lambda: [odds(waiting, level, 6, RULINGS)[0] for level in range(1, 7)],
}


@pytest.mark.parametrize("name", [listed(name) for name in GEAR])
def test_a_listed_chance_of_gear_and_travel(name):
    assert GEAR[name]() == LISTED[name]


@pytest.mark.listed_odds("EGW-O85", "EGW-O90", "EGW-O91")
def test_mean_rates_waits_and_fares():
    assert odds(repair_rate, 2, 4, 0, RULINGS).mean() == Fraction(5, 3)
    waits = [odds(waiting, level, 6, RULINGS).mean() for level in range(1, 7)]
    assert waits == [Fraction(5, 2), Fraction(5, 3), 1, HALF, Fraction(1, 6), 0]
    fares = odds(interplanetary).map(lambda voyage: voyage.credits)
    assert fares.mean() == 1050
    assert dict(fares) == dict.fromkeys(range(300, 1801, 300), Fraction(1, 6))


def test_no_listed_chance_of_the_worlds_is_left_out():
    """Each is asked above, by name."""
    asked = Counter([*WORLDS, *NATIVES, *BEASTS, *TRADE, *GEAR])
    told = {"01", "20", "21", "28", "29", "30", "38", "51", "56", "57", "64", "65", "81", "85", "91"}
    assert {name for name in LISTED if name.startswith("EGW")} == {*asked, *(f"EGW-O{n}" for n in told)}
