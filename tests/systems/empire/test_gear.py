"""Empire galactique: quality, wear, repairs, driving, data banks and robots."""

from dataclasses import replace
from fractions import Fraction

import pytest

from paravent.dice import ScriptedDice, play
from paravent.dice.play import ScriptedFaces
from paravent.game import MissingField, OutOfRange
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.machines.driving import (
    Answers,
    Driven,
    Milieu,
    Speed,
    accident,
    ask,
    check_connection,
    connection_price,
    drive,
    driving_skill,
    is_answered,
    stamina,
)
from paravent.systems.empire.machines.errors import (
    AlreadyProgrammed,
    AlreadyStripped,
    BeyondRepair,
    LogimecsOnly,
    NeedsNavyborg,
    NeedsRobotics,
    NoConnection,
    NoSpareParts,
    NoSuchProgramme,
    NothingToRepair,
    OnlyAtMeanSpeed,
    OutOfOrder,
    TooAdvanced,
    TooPrimitiveATown,
    TooRough,
)
from paravent.systems.empire.machines.gear import (
    Job,
    State,
    Unit,
    can_be_used,
    check_workshop,
    convert,
    damaged,
    has_power_setting,
    mech_quality,
    mended,
    price_of_a_find,
    repair,
    repair_hours,
    repair_skill,
    repair_unit,
    salvage,
    spare_part,
    struck,
    taken_apart,
    uses_of,
    weapon_price,
    wear_check,
    wear_is_due,
    works_after,
    workshop,
)
from paravent.systems.empire.machines.kinds import Gear, Robot
from paravent.systems.empire.machines.machines import Exposure, Machine, Working, material_resistance, working
from paravent.systems.empire.machines.robots import (
    Conduct,
    Order,
    Programme,
    RobotType,
    bubble_level,
    conduct,
    formec_characteristic,
    logimec_threshold,
    navymec_is_safe,
    programme_bonus,
    rate_bonus,
    skills_of,
)
from paravent.systems.empire.people.character import Character, Skill
from paravent.systems.empire.people.creation import Guild
from paravent.systems.empire.terms import TABLES
from paravent.systems.empire.trade.errors import TooLittleMoney
from paravent.table.hotseat import Hotseat
from seats import told_keys

RULINGS = SYSTEM.book.rulings()
TEKNO = Character(name="Vis", intelligence=10, dexterity=9, guild=Guild.TEKNO, grade=3, credits=1000,
                  skills=(Skill("64", 2), Skill("61", 1), Skill("65", 1), Skill("66", 2)))
LASER = Gear("laser", 4, 12_000, 2000, 9, damage=5, broken=True, spare_parts=5)
CAR = Gear("auto", 3, 30_000, 0, 8, Exposure.PROTECTED)


# Quality


@pytest.mark.vector("EGW-X38")
def test_the_quality_of_a_laser_bought_by_somebody_who_knows():
    assert mech_quality(9, 2, 7, 1, 4, RULINGS) == 9


@pytest.mark.vector("EGW-X39")
def test_the_quality_of_a_laser_bought_without_knowing():
    assert mech_quality(9, 0, 7, 0, 4, RULINGS) == 6


@pytest.mark.vector("EGW-X40")
def test_the_quality_of_a_sword():
    assert repair_skill(2) == ""
    assert mech_quality(9, 0, 8, 0, 2, RULINGS) == 7


@pytest.mark.rules("EGW-102")
@pytest.mark.option("inexperience", "zero")
@pytest.mark.option("inexperience", "minus_1")
@pytest.mark.option("inexperience", "minus_3")
def test_how_much_inexperience_costs(rulings):
    found = [mech_quality(9, 0, 7, 0, 4, rulings(inexperience=cost)) for cost in ("zero", "minus_1", "minus_3")]
    assert found == [8, 7, 5]
    assert mech_quality(2, 0, 2, 0, 4, rulings(inexperience="minus_3")) == 1
    assert [repair_skill(level) for level in (3, 4, 5, 6)] == ["63", "64", "65", "66"]


@pytest.mark.rules("EGW-102", "EGW-106")
def test_an_object_is_bought_with_its_quality_for_ever(changes, played):
    written = changes("acquire-object", initiator={"name": "radio", "object_level": 4, "price": 400},
                      sheets={"initiator": TEKNO})
    assert written["radio", ""].quality == (7 - 2 + 7 + 2) // 2
    assert written["initiator", "credits"] == 600
    with pytest.raises(TooLittleMoney):
        changes("acquire-object", initiator={"object_level": 4, "price": 4000, "accept": True},
                sheets={"initiator": TEKNO})
    sword = played("acquire-object", initiator={"weapon": "sword", "charm": 9, "willpower": 8})
    assert sword.plays["price"].result == (7, 500, 1, 500)
    gear = next(change.after for change in sword.changes if change.kind == "item")
    assert (gear.tech_level, gear.price, gear.mass_g) == (2, 500, 1600)
    with pytest.raises(MissingField):
        played("acquire-object", initiator={"name": "chose", "charm": 9, "willpower": 8})


@pytest.mark.rules("EGW-104", "EGW-106", "EGW-160")
def test_the_price_of_an_object_is_haggled_against_its_quality_and_parts_go_with_it(changes):
    buyer = replace(TEKNO, charm=12, intelligence=10, credits=20_000, skills=(Skill("44", 1),))
    bought = changes("acquire-object", 1, 1, 1, 6, sheets={"initiator": buyer},
                     initiator={"weapon": "laser", "parts": 5, "haggles": True})
    quality = (12 - 2 + 7 - 2) // 2
    percent = 6 + 12 - quality
    assert bought["initiator", "credits"] == 20_000 - round((12_000 + 5 * 120) * (100 - percent) / 100)
    assert (bought["item", ""].price, bought["item", ""].spare_parts) == (12_000, 5)
    firm = changes("acquire-object", 6, 6, 6, sheets={"initiator": buyer},
                   initiator={"weapon": "laser", "haggles": True})
    assert firm["initiator", "credits"] == 8000
    left = changes("acquire-object", sheets={"initiator": buyer}, initiator={"weapon": "laser", "accept": False})
    assert left == {}


@pytest.mark.rules("EGW-131")
def test_a_robot_is_bought_like_any_object_a_logimec_with_one_programme(changes):
    buyer = replace(TEKNO, credits=200_000)
    asked = {"name": "Bip", "robot_type": "logimec", "price": 100_000}
    with pytest.raises(MissingField, match="programme"):
        changes("acquire-object", initiator=asked, sheets={"initiator": buyer})
    bip = changes("acquire-object", initiator={**asked, "programme": "tracker"}, sheets={"initiator": buyer})["Bip", ""]
    assert (bip.tech_level, bip.robot, bip.programmes, bip.added) == (6, "logimec", ("tracker",), ())
    rich = replace(buyer, credits=10_000_000)
    written = changes("acquire-object", 1, 2, 3, initiator={"robot_type": "navymec"}, sheets={"initiator": rich})
    bubble = written["robot", ""]
    assert (bubble.price, bubble.mass_g) == (100_000 * 6 * 6, 100_000)  # the book's price and mass of a robot
    assert written["initiator", "credits"] == 10_000_000 - bubble.price
    assert bubble.programmes == ()


@pytest.mark.rules("EGW-103", "EGW-106", "EGW-180")
@pytest.mark.option("needle_price", "thousands")
def test_prices_of_weapons_and_of_finds(rulings):
    assert play(price_of_a_find, 1000, 4, dice=ScriptedDice(3, 3, 4)).result == 40_000
    assert weapon_price("laser", RULINGS) == 12_000
    assert weapon_price("stick", RULINGS) == 0
    assert weapon_price("needle_pistol", RULINGS) == 10
    assert weapon_price("needle_pistol", rulings(needle_price="thousands")) == 10_000


@pytest.mark.rules("EGW-181", "EGW-182", "EGW-183", "EGW-184", "EGW-185")
def test_weapons_clothes_materials_and_margins_are_tables():
    assert TABLES["weapons"].cell("bow", "range") == 250
    set_by_hand = [row[0] for row in TABLES["weapons"].rows if has_power_setting(row[0])]
    assert set_by_hand == ["stunner", "paralyser", "antigrav"]
    assert TABLES["protections"].cell("vest", "protection") == 9
    assert material_resistance("hard_metal") == 30
    assert TABLES["exposures"].cell("armoured", "margin") == 3


# Wear


def worn(state, rulings=RULINGS, level=3, quality=8):
    return play(wear_check, 3, 10, state, level, quality, rulings, dice=ScriptedDice(4, 4, 3)).result.state


@pytest.mark.vector("EGW-X50")
def test_a_machine_breaks_down_at_the_fourth_failure():
    state = State()
    for points in (1, 2, 3):
        state = worn(state)
        assert state == State(points)
        assert can_be_used(state)
    state = worn(state)
    assert state == State(4, broken=True)
    assert 8 - state.damage == 4


@pytest.mark.vector("EGW-X51")
def test_it_works_again_only_below_its_level():
    once = mended(State(4, broken=True), 1, 3, RULINGS)
    assert once == State(3, broken=True)
    assert mended(once, 1, 3, RULINGS) == State(2)


@pytest.mark.rules("EGW-152", "EGW-153", "EGW-154")
@pytest.mark.option("breakdown", "at_least")
@pytest.mark.option("breakdown", "more_than")
def test_damage_equal_to_the_level_leaves_things_as_they_were_or_is_settled(rulings):
    at_least, more_than = rulings(breakdown="at_least"), rulings(breakdown="more_than")
    assert [worn(State(2), table).broken for table in (RULINGS, at_least, more_than)] == [False, True, False]
    fixed = [mended(State(4, broken=True), 1, 3, table).broken for table in (RULINGS, at_least, more_than)]
    assert fixed == [True, True, False]


@pytest.mark.vector("EGW-X52")
def test_an_accident_beyond_its_quality_is_the_end():
    state = damaged(State(), 7, 5, 6, RULINGS)
    assert state == State(7, broken=True, scrapped=True)
    assert not can_be_used(state)
    assert salvage(6, 7) == 0
    with pytest.raises(BeyondRepair):
        mended(state, 1, 5, RULINGS)


@pytest.mark.vector("EGW-X53")
def test_a_wreck_gives_spare_parts():
    assert salvage(9, 5) == 4


@pytest.mark.rules("EGW-150")
@pytest.mark.option("use_unit", "days")
def test_when_wear_is_due(rulings):
    assert wear_is_due(3, 9, 8)
    assert not wear_is_due(3, 8, 8)
    assert wear_is_due(4, 0, 8, misused=True)
    assert wear_is_due(4, 0, 8, rough=True)
    assert not wear_is_due(2, 99, 8, rough=True)
    assert [uses_of(kind, RULINGS) for kind in ("tool", "vehicle", "clothing")] == ["uses", "hours", "days"]
    assert uses_of("vehicle", rulings(use_unit="days")) == "days"
    with pytest.raises(TooRough):
        worn(State(), level=2)


@pytest.mark.rules("EGW-150", "EGW-153")
def test_uses_are_counted_and_wear_comes_due(played, result):
    ran = played("use-object", initiator={"amount": 5}, item={}, sheets={"item": Gear("radio", 4, quality=9, uses=5)})
    assert [(change.path, change.after) for change in ran.changes] == [("uses", 10)]
    assert [line.key for line in ran.tellings] == ["outcomes.told_used", "outcomes.told_wear_due"]
    with pytest.raises(OutOfOrder):
        result("use-object", item={}, sheets={"item": LASER})


@pytest.mark.rules("EGW-103")
def test_the_game_master_brings_an_object_to_the_market(changes):
    form = {"name": "radio", "good": "communication", "object_level": 4, "quality": 8}
    placed = changes("place-object", 3, 3, 4, gm=form)["radio", ""]
    assert (placed.price, placed.quality, placed.tech_level) == (4000, 8, 4)


@pytest.mark.rules("EGW-122")
def test_a_long_drive_is_foretold():
    form = {"initiator": [{"characteristic": 10, "level": 0, "object_level": 3, "hours": 10}]}
    foretold = SYSTEM.move("drive").forecast(SYSTEM.context("drive", form))
    assert foretold.odds["safe"] == Fraction(23, 48)
    alone = SYSTEM.context("drive", {"initiator": [{"robot": "navymec"}]})
    assert SYSTEM.move("drive").forecast(alone).odds["safe"] == 1


@pytest.mark.rules("EGW-151")
def test_a_wear_check_writes_damage_behind_the_screen(changes):
    written = changes("wear-check", 6, 6, 6, gm={"reason": "misuse"}, item={},
                      sheets={"initiator": TEKNO, "item": Gear("radio", 4, quality=9, uses=10)})
    assert written == {("item", "damage"): 1, ("item", "uses"): 0}
    held = changes("wear-check", 1, 1, 1, gm={}, item={}, sheets={"initiator": TEKNO, "item": Gear("radio", 4)})
    assert held == {}


# Repairs


@pytest.mark.vector("EGW-X54")
def test_a_laser_mended_in_less_than_two_days():
    job = Job(1, 6, 3, 4, State(5, broken=True), 5, Unit.DAY)
    done = play(repair, job, RULINGS, dice=ScriptedDice(1, 4)).result
    assert (done.rate, done.points, done.hours) == (3, 5, Fraction(40, 3))
    assert done.works_after == Fraction(2, 3) * 8
    assert done.works


@pytest.mark.vector("EGW-X55")
@pytest.mark.option("repair_minimum", "one")
def test_without_a_grade_nothing_of_the_sixth_level_is_mended(rulings):
    job = Job(1, 6, 0, 6, State(7, broken=True), 7)
    done = play(repair, job, RULINGS, dice=ScriptedDice(1, 6)).result
    assert (done.success, done.rate, done.points, done.works) == (True, 0, 0, False)
    slow = play(repair, job, rulings(repair_minimum="one"), dice=ScriptedDice(1, 6)).result
    assert (slow.rate, slow.hours) == (1, 7 * 56)


@pytest.mark.rules("EGW-164")
def test_a_fault_that_is_not_found_stays():
    job = Job(1, 3, 3, 4, State(5, broken=True), 5)
    done = play(repair, job, RULINGS, dice=ScriptedDice(4)).result
    assert (done.success, done.state) == (False, job.state)
    for wrong, error in ((job._replace(state=State(9, True, True)), BeyondRepair),
                         (job._replace(state=State()), NothingToRepair), (job._replace(tech_level=2), TooRough)):
        with pytest.raises(error):
            play(repair, wrong, RULINGS, dice=ScriptedDice())


@pytest.mark.rules("EGW-157", "EGW-166")
def test_too_few_parts_leave_it_broken():
    done = play(repair, Job(1, 6, 3, 4, State(7, broken=True), 2), RULINGS, dice=ScriptedDice(1, 4)).result
    assert (done.points, done.works, done.works_after) == (2, False, None)
    assert mended(State(2), 9, 4, RULINGS) == State()


@pytest.mark.vector("EGW-X56")
def test_the_spare_parts_of_a_laser():
    assert spare_part(12_000, 2000) == (120, 2)


@pytest.mark.vector("EGW-X57")
@pytest.mark.option("workshop_time", "formula")
def test_a_rifle_left_with_a_workshop(rulings):
    worked = [play(workshop, 4500, State(4), skilled, 3, 2, RULINGS, dice=ScriptedDice()).result
              for skilled in (True, False)]
    assert worked == [(180, 4), (360, 4)]
    formula = play(workshop, 4500, State(4), True, 3, 2, rulings(workshop_time="formula"), dice=ScriptedDice(3)).result
    assert formula == (180, 2)


@pytest.mark.rules("EGW-161", "EGW-162", "EGW-163")
def test_what_a_repair_is_counted_in():
    assert repair_unit(4, 0) is Unit.WEEK
    assert repair_unit(4, 4) is Unit.DAY
    assert repair_unit(4, 5) is Unit.WEEK
    assert repair_unit(4, 0, prosthesis=True) is Unit.DAY
    assert repair_unit(2, 0, prosthesis=True) is Unit.WEEK
    assert repair_unit(4, 0, workshop=True) is Unit.HOUR


@pytest.mark.rules("EGW-160", "EGW-163", "EGW-164")
def test_repairs_at_the_table(changes, result):
    mended_now = changes("repair", 1, 1, 1, 4, initiator={"kit_level": 4}, item={},
                         sheets={"initiator": TEKNO, "item": LASER})
    assert mended_now == {("item", "damage"): 0, ("item", "broken"): False, ("item", "spare_parts"): 0}
    with pytest.raises(NoSpareParts):
        result("repair", initiator={"characteristic": 9, "object_level": 4, "parts": 0}, gm={"damage": 5})
    paid_for = changes("workshop", initiator={"skilled": True}, item={}, sheets={"initiator": TEKNO, "item": LASER})
    assert paid_for["initiator", "credits"] == 1000 - 600
    assert changes("workshop", item={}, sheets={"initiator": TEKNO, "item": LASER}) == paid_for  # he knows the trade
    poor = changes("workshop", item={}, sheets={"initiator": replace(TEKNO, credits=5), "item": LASER})
    assert poor["initiator", "credits"] == 5 - 600  # the dice have fallen: what lacks is owed
    with pytest.raises(NothingToRepair):
        changes("workshop", item={}, sheets={"initiator": TEKNO, "item": replace(LASER, damage=0, broken=False)})
    with pytest.raises(OutOfRange):  # a place that has no such workshop is not offered
        result("workshop", gm={"place_level": 3}, item={}, sheets={"initiator": TEKNO, "item": LASER})
    with pytest.raises(TooPrimitiveATown):
        check_workshop(4, 3)
    with pytest.raises(BeyondRepair):
        result("workshop", item={}, sheets={"initiator": TEKNO, "item": Gear("épave", scrapped=True)})


@pytest.mark.vector("EGW-X58")
@pytest.mark.rules("EGW-170")
def test_a_converted_object_has_a_quality_of_its_own(changes):
    assert play(convert, 1, 6, 1, 3, 4, dice=ScriptedDice(1, 3)).result == (True, 4)
    assert play(convert, 1, 3, 1, 3, 4, dice=ScriptedDice(4)).result == (False, 0)
    with pytest.raises(TooAdvanced):
        play(convert, 1, 6, 1, 5, 4, dice=ScriptedDice())
    written = changes("convert", 1, 1, 1, 3, initiator={"name": "antenne", "made_level": 4}, item={},
                      sheets={"initiator": TEKNO, "item": LASER})
    assert (written["antenne", ""].quality, written["item", "scrapped"]) == (6, True)
    whole = replace(LASER, damage=1, broken=False)
    failed = changes("convert", 6, 6, 6, initiator={"made_level": 4}, item={},
                     sheets={"initiator": TEKNO, "item": whole})
    assert failed == {("item", "damage"): 5, ("item", "broken"): True}


@pytest.mark.rules("EGW-156")
def test_salvage_at_the_table(changes):
    written = changes("salvage", item={}, sheets={"item": LASER})
    assert written == {("item", "scrapped"): True, ("item", "spare_parts"): 9}
    with pytest.raises(AlreadyStripped):
        changes("salvage", item={}, sheets={"item": replace(LASER, scrapped=True)})


@pytest.mark.rules("EGW-160", "EGW-164")
@pytest.mark.parametrize(("dice", "used"), [((1, 1, 1, 4), 5), ((6, 6, 6), 0)], ids=["found", "not found"])
def test_parts_that_are_nowhere_are_bought_and_what_is_left_of_them_stays(changes, result, dice, used):
    """Whether the fault is found or not, as many are paid for: the purse tells nothing of it."""
    bare = replace(LASER, price=12_000, damage=5, broken=True, spare_parts=0)
    table = {"item": {}, "sheets": {"initiator": replace(TEKNO, credits=1000), "item": bare}}
    written = changes("repair", *dice, initiator={"parts": 7, "kit_level": 4}, **table)
    assert written["initiator", "credits"] == 1000 - 7 * 120
    assert written["item", "spare_parts"] == 7 - used
    with pytest.raises(TooLittleMoney):
        result("repair", *dice, initiator={"parts": 9, "kit_level": 4}, **table)


@pytest.mark.rules("EGW-132", "EGW-156", "EGW-160", "EGW-162", "EGW-164")
def test_a_repair_takes_parts_from_a_wreck_with_a_repairer_and_hands_of_its_own(played):
    wreck = replace(LASER, name="épave", scrapped=True, spare_parts=9)
    bare = replace(LASER, spare_parts=1)
    grafted = replace(TEKNO, skills=(*TEKNO.skills, Skill("56", 1)))
    sheets = {"initiator": grafted, "item": bare, "donor": wreck, "robot": Robot("bip", 6, programmes=("repairer",))}
    table = {"item": {}, "donor": {}, "robot": {}, "sheets": sheets}
    limit = 9 + 2 + 3  # Dexterity, skill 64, the repairer
    done = played("repair", 5, 5, limit - 10, 4, initiator={}, **table)
    assert done.plays["repair"].result.hours == Fraction(5, 3) * 8
    written = {(change.target, change.path): change.after for change in done.changes}
    assert (written["item", "spare_parts"], written["donor", "spare_parts"]) == (0, 5)
    assert "outcomes.told_works_after" in [line.key for line in done.tellings]
    with pytest.raises(NoSuchProgramme):
        played("repair", initiator={}, **{**table, "sheets": {**sheets, "robot": Robot("bip", 6)}})


# Driving


@pytest.mark.vector("EGW-X46")
def test_a_failed_test_dooms_the_driver():
    assert play(drive, 1, 0, 3, dice=ScriptedDice(1, 2)).result == Driven(False, 5)


@pytest.mark.vector("EGW-X47")
def test_a_success_gives_safe_hours():
    assert play(drive, 1, 6, 6, dice=ScriptedDice(1, 4)).result == Driven(True, 10)


@pytest.mark.vector("EGW-X48")
def test_how_long_a_driver_holds_out():
    held = [stamina(9, Milieu.GROUND, Speed.MAXIMUM), stamina(9, Milieu.AIR, Speed.MEAN),
            stamina(9, Milieu.AIR, Speed.MAXIMUM), stamina(9, Milieu.SEA, Speed.MAXIMUM)]
    assert held == [Fraction(9, 2), Fraction(9, 2), Fraction(9, 4), 9]


@pytest.mark.vector("EGW-X73")
def test_a_car_crash():
    points, aboard = play(accident, Speed.MEAN, 3, 0, RULINGS, dice=ScriptedDice(4, 4, 3)).result
    assert aboard == 4  # the same dice in grid A
    assert points == 11
    state, used = struck(State(), points, Exposure.PROTECTED, 3, 8, 0, RULINGS)
    assert (state, used) == (State(5, broken=True), 6)


@pytest.mark.rules("EGW-121")
@pytest.mark.option("accident_severity", "by_terrain")
@pytest.mark.option("accident_severity", "gm")
def test_how_bad_an_accident_is(rulings, changes):
    fast = play(accident, Speed.MAXIMUM, 3, 0, RULINGS, dice=ScriptedDice(4, 4, 3)).result.points
    assert fast == 15
    rough = play(accident, Speed.MEAN, 5, 0, rulings(accident_severity="by_terrain"), dice=ScriptedDice(*[3] * 5))
    assert rough.result.points == 25
    assert play(accident, Speed.MEAN, 3, 4, rulings(accident_severity="gm"), dice=ScriptedDice()).result == (4, 0)
    written = changes("accident", 4, 4, 3, gm={}, item={}, sheets={"item": CAR})
    assert written == {("item", "damage"): 5, ("item", "broken"): True, ("item", "margin_used"): 6}


@pytest.mark.rules("EGW-120", "EGW-121", "EGW-153")
def test_a_drive_writes_its_hours_behind_the_screen(changes, result):
    assert [driving_skill(level) for level in (1, 6)] == ["11", "16"]
    written = changes("drive", 6, 6, 6, 2, initiator={}, item={}, sheets={"initiator": TEKNO, "item": CAR})
    assert written == {("item", "safe_hours"): 5, ("item", "doomed"): True}
    with pytest.raises(OutOfOrder):
        result("drive", initiator={}, item={}, sheets={"initiator": TEKNO, "item": LASER})


@pytest.mark.rules("EGW-134", "EGW-135")
@pytest.mark.option("navymec_alone", "owner_grade")
@pytest.mark.option("bubble_tech", "six")
def test_a_navymec_alone_is_safe_and_coupled_is_not(result, rulings):
    assert result("drive", initiator={"robot": "navymec"}) == Driven(True, 0)
    coupled = {"robot": "navymec", "coupled": True, "characteristic": 9, "grade": 2}
    assert result("drive", 1, 1, 1, 4, initiator=coupled) == Driven(True, 6)
    alone = {"robot": "navymec", "characteristic": 9, "grade": 2}
    assert result("drive", 6, 6, 6, 4, initiator=alone, options={"navymec_alone": "owner_grade"}) == Driven(False, 6)
    assert navymec_is_safe(False, RULINGS)
    bubble = {"item": {}, "sheets": {"initiator": TEKNO, "item": Robot("bulle", 6, robot=RobotType.NAVYMEC)}}
    assert result("drive", **bubble) == Driven(True, 0)
    with pytest.raises(OnlyAtMeanSpeed):
        result("drive", initiator={"speed": "maximum_speed"}, **bubble)
    with pytest.raises(NeedsNavyborg):
        result("drive", initiator={"coupled": True}, **bubble)
    assert [bubble_level(True, RULINGS), bubble_level(False, RULINGS)] == [5, 6]
    assert bubble_level(True, rulings(bubble_tech="six")) == 6


# Data banks


@pytest.mark.vector("EGW-X49")
def test_seven_questions_and_no_eighth():
    found = play(ask, 1, 6, 2, dice=ScriptedDice(1, 5)).result
    assert found == Answers(True, 7)
    assert [is_answered(number, found.questions) for number in (7, 8)] == [True, False]
    assert play(ask, 1, 3, 2, dice=ScriptedDice(4)).result == Answers(False)


@pytest.mark.rules("EGW-127", "EGW-130")
@pytest.mark.option("connection_price", "gm")
def test_who_can_reach_a_data_bank_and_for_how_much(rulings, changes, result):
    check_connection(1, aboard=True, has_computer=True)
    for level, aboard, computer in ((3, False, True), (6, False, False)):
        with pytest.raises(NoConnection):
            check_connection(level, aboard, computer)
    assert connection_price(99, RULINGS) == 10
    with pytest.raises(TooLittleMoney):
        result("query-data-bank", sheets={"initiator": Character()})
    assert connection_price(99, rulings(connection_price="gm")) == 99
    assert changes("query-data-bank", 1, 1, 1, 5, sheets={"initiator": TEKNO}) == {("initiator", "credits"): 990}
    assert result("find-way", 1, 1, 1, 5, initiator={"characteristic": 9, "grade": 1}).questions == 6


@pytest.mark.rules("EGW-128", "EGW-129")
def test_the_machine_answers_until_one_question_too_many():
    hotseat = Hotseat(SYSTEM, {"mj": "gm", "ana": "player"}, {}, ScriptedFaces((1, 1, 1, 1)))
    hotseat.add("vis", Character(name="Vis", credits=10, skills=(Skill("65", 1),)), owner="ana")
    number = hotseat.start("ana", "query-data-bank", {"initiator": ["vis"]})
    hotseat.throw("mj", number)
    hotseat.accept("mj", number)
    ((asking, running),) = hotseat.encounters.items()
    assert running.state.questions == 1
    assert "questions" not in hotseat.seen("ana")["encounters"]["1"]["state"]
    for text, last in (("Qui gouverne ?", False), ("Et depuis quand ?", True)):
        question = {"vis": {"question": text, "last_question": last}}
        number = hotseat.start("ana", "ask-question", {"initiator": ["vis"]}, question, encounter=asking)
        hotseat.fill("mj", number, {"answer": "Une dictature."})
        hotseat.accept("mj", number)
    assert told_keys(hotseat, "ana") == ["told_answers", "told_answer", "told_insufficient"]
    assert not hotseat.encounters or all(held.state.closed for held in hotseat.encounters.values())


# Robots


@pytest.mark.vector("EGW-X68")
def test_a_formec_and_the_three_laws():
    assert conduct(Order()) is Conduct.OBEYS
    assert conduct(Order(harms_human=True)) is Conduct.REFUSES
    assert conduct(Order(human_in_peril=True, harms_itself=True)) is Conduct.RESCUES
    assert conduct(Order(harms_itself=True)) is Conduct.OBEYS
    idle = Order(given=False)
    assert [conduct(what) for what in (idle._replace(human_in_peril=True), idle)] == [Conduct.RESCUES, Conduct.PROTECTS]


@pytest.mark.vector("EGW-X69")
def test_a_tracker_adds_three():
    assert logimec_threshold(8, 2, Programme.TRACKER, False, 0, RULINGS) == 13


@pytest.mark.vector("EGW-X70")
def test_an_added_programme_is_worth_its_owners_robotics():
    assert logimec_threshold(9, 0, Programme.HYPNOTIST, True, 2, RULINGS) == 11


@pytest.mark.vector("EGW-X75")
@pytest.mark.option("interpreter_bonus", "three")
def test_an_interpreter_removes_a_barrier_and_gives_no_points(rulings):
    assert logimec_threshold(8, 1, Programme.INTERPRETER, False, 0, RULINGS) == 9
    assert logimec_threshold(8, 1, Programme.INTERPRETER, False, 0, rulings(interpreter_bonus="three")) == 12


@pytest.mark.rules("EGW-131", "EGW-132", "EGW-133")
@pytest.mark.option("logimec_bonus", "best")
@pytest.mark.option("logimec_stacking", "best_only")
@pytest.mark.option("repair_logimec", "rate")
def test_what_a_programme_is_worth(rulings, result):
    assert skills_of(Programme.REPAIRER) == ("63", "64", "65")
    best = rulings(logimec_bonus="best")
    assert [programme_bonus(Programme.TRACKER, added, 5, best) for added in (True, False)] == [5, 5]
    assert programme_bonus(Programme.TRACKER, True, 1, best) == 3
    alone = rulings(logimec_stacking="best_only")
    assert logimec_threshold(8, 2, Programme.TRACKER, False, 0, alone) == 11
    by_rate = rulings(repair_logimec="rate")
    assert logimec_threshold(8, 0, Programme.REPAIRER, False, 0, by_rate) == 8
    assert (rate_bonus(Programme.REPAIRER, by_rate), rate_bonus(Programme.REPAIRER, RULINGS)) == (3, 0)
    form = {"characteristic": 9, "object_level": 4, "grade": 3, "parts": 9, "logimec": True}
    assert result("repair", 4, 4, 4, 1, initiator=form, gm={"damage": 9}).rate == 0
    quick = result("repair", 3, 3, 3, 1, initiator=form, gm={"damage": 9}, options={"repair_logimec": "rate"})
    assert quick.rate == 3


@pytest.mark.rules("EGW-131", "EGW-133", "EGW-136", "EGW-137", "EGW-138")
def test_orders_at_the_table(result, changes):
    sphere = Robot("bulle", 6, robot=RobotType.LOGIMEC, programmes=("tracker",))
    sheets = {"initiator": TEKNO, "robot": sphere}
    order = {"programme": "tracker", "characteristic": 7}
    done = result("order-robot", 4, 4, 2, initiator=order, robot={}, sheets=sheets)
    assert (done.conduct, done.success) == (Conduct.OBEYS, True)
    with pytest.raises(NoSuchProgramme):
        result("order-robot", initiator={"programme": "medicine"}, robot={}, sheets=sheets)
    titan = Robot("titan", 6, quality=12, robot=RobotType.FORMEC)
    lifted = result("order-robot", 4, 4, 4, gm={"needs_test": True}, robot={}, sheets={"robot": titan})
    assert lifted.success
    assert formec_characteristic(12) == 12
    assert result("order-robot", gm={"harms_human": True}).conduct is Conduct.REFUSES
    added = changes("add-programme", initiator={"programme": "medicine", "price": 100}, robot={}, sheets=sheets)
    assert added == {("initiator", "credits"): 900, ("robot", "added"): ("medicine",)}
    assert result("order-robot", robot={}, sheets=sheets).conduct is Conduct.PROTECTS
    with pytest.raises(NeedsRobotics):
        result("add-programme", initiator={"programme": "medicine"})
    with pytest.raises(AlreadyProgrammed):
        result("add-programme", initiator={"programme": "tracker"}, robot={}, sheets=sheets)
    with pytest.raises(LogimecsOnly):
        result("add-programme", initiator={"programme": "tracker"}, robot={}, sheets={**sheets, "robot": titan})
    with pytest.raises(OutOfOrder):
        result("order-robot", robot={}, sheets={"robot": Robot("bulle", broken=True)})


@pytest.mark.rules("EGW-152", "EMP-111")
@pytest.mark.option("breakdown", "at_least")
@pytest.mark.option("breakdown", "more_than")
def test_a_breakdown_is_read_one_way_by_blows_wear_repairs_and_workshops(rulings):
    for reading, breaks, works in (("hysteresis", 4, 2), ("at_least", 3, 2), ("more_than", 4, 3)):
        table = rulings(breakdown=reading)
        by_blow = [n for n in range(9) if working(Machine(Exposure.OPEN, 3, 8, n), False, table) is not Working.RUNS]
        by_wear = [n for n in range(1, 9) if damaged(State(), n, 3, 8, table).broken]
        assert (by_blow[0], by_wear[0]) == (breaks, breaks)
        assert taken_apart(State(), 3, 8, table).damage == breaks
        job = Job(3, 10, 9, 3, State(6, broken=True), 9)
        mends = [n for n in range(1, 7) if not mended(State(6, broken=True), n, 3, table).broken]
        assert works_after(job, 1, 6, table) == repair_hours(mends[0], 1, job.unit)
        assert 6 - mends[0] == works
