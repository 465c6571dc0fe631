"""Empire galactique: shots, grenades, things struck, formecs, under each reading of a table."""

import pytest

from paravent.dice import ScriptedDice, play
from paravent.game import RuleError
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.actions.action import Difficulty
from paravent.systems.empire.fights.shooting import (
    Aimed,
    Band,
    Shot,
    check_sight,
    first_shot,
    grenade,
    grenade_off,
    may_evade,
    range_dice,
    range_of,
    shocked,
    shoot,
    shooting_characteristic,
    shooting_weapon,
    shot_difficulty,
)
from paravent.systems.empire.machines.machines import (
    Exposure,
    Machine,
    Working,
    arm_mod,
    battered,
    check_link,
    is_immune,
    linked_shot,
    linked_working,
    material_left,
    material_resistance,
    safety_margin,
    working,
)
from paravent.systems.empire.terms import Characteristic

RULINGS = SYSTEM.book.rulings()


def thrown(rule, *args, of=()):
    return play(rule, *args, dice=ScriptedDice(*of)).result


@pytest.mark.rules("EMP-071")
def test_a_shot_needs_a_clear_line():
    check_sight(True)
    with pytest.raises(RuleError):
        check_sight(False)


@pytest.mark.rules("EMP-100", "EMP-104")
def test_what_can_be_shot_or_thrown():
    assert all(shooting_weapon(weapon) for weapon in ("stone", "dagger", "rifle", "antigrav"))
    assert not any(shooting_weapon(weapon) for weapon in ("fist", "karate_grip"))
    assert range_of("spear", 8, RULINGS) == 16
    with pytest.raises(RuleError):
        range_of("karate_grip", 8, RULINGS)


@pytest.mark.rules("EMP-101")
def test_which_characteristic_a_shot_rests_on():
    assert shooting_characteristic() is Characteristic.DEXTERITY
    assert shooting_characteristic(far=True) is Characteristic.STRENGTH
    assert shooting_characteristic(far=True, dim=True) is Characteristic.ENDURANCE


@pytest.mark.rules("EMP-102", "EMP-104")
@pytest.mark.option("short_range", "easy")
@pytest.mark.option("thrown_weapons", "ignored")
def test_how_hard_a_shot_is(rulings):
    assert shot_difficulty("rifle", Difficulty.HARD, Band.BEST, RULINGS) is Difficulty.HARD
    assert shot_difficulty("rifle", Difficulty.HARD, Band.BEST, rulings(short_range="easy")) is Difficulty.EASY
    assert shot_difficulty("stone", None, Band.NEAR, RULINGS) is Difficulty.EASY
    assert shot_difficulty("stone", None, Band.NEAR, rulings(thrown_weapons="ignored")) is Difficulty.AVERAGE


@pytest.mark.rules("EMP-103")
def test_the_more_skilled_fires_first():
    assert [first_shot(mine, 2) for mine in (1, 2, 3)] == [2, 0, 1]


@pytest.mark.rules("EMP-104")
def test_distance_does_not_count_for_cyborgs():
    assert (range_dice(Band.FAR), range_dice(Band.FAR, ignored=True), range_dice(Band.NEAR)) == (1, 0, 0)


@pytest.mark.rules("EMP-105", "EMP-106")
def test_out_of_range_the_dice_are_thrown_and_the_shot_falls_short():
    assert thrown(shoot, Aimed("laser", 12, 3), RULINGS, of=(3, 3, 3)) == Shot(True, 15)
    assert thrown(shoot, Aimed("laser", 12, 3, beyond=True), RULINGS, of=(3, 3, 3)) == Shot(False, beyond=True)


@pytest.mark.rules("EMP-106", "EMP-107")
@pytest.mark.option("stunners", "endurance_roll")
def test_stunners_shock_by_the_table_or_by_the_victims_endurance():
    assert thrown(shoot, Aimed("stunner", 12, 4), RULINGS, of=(3, 3, 3, 3)) == Shot(True, 16, True)
    assert thrown(shoot, Aimed("stunner", 12, 4, power=2), RULINGS, of=(3, 3, 3, 3)).points == 8
    assert thrown(shocked, 8, of=(3, 3, 3))
    assert not thrown(shocked, 8, of=(3, 3, 2))


@pytest.mark.rules("EMP-112", "EMP-113")
@pytest.mark.option("grenade_miss", "metres")
@pytest.mark.option("grenade_side", "random")
def test_a_missed_grenade_explodes_all_the_same(rulings):
    assert (grenade_off(4, RULINGS), grenade_off(4, rulings(grenade_miss="metres"))) == (20, 4)
    assert thrown(grenade, 10, 3, 4, "left", RULINGS, of=(3, 3, 3, 4, 3)) == (True, 0, "", 7)
    assert thrown(grenade, 10, 3, 4, "left", RULINGS, of=(6, 3, 3, 4, 3)) == (False, 20, "left", 7)
    random = rulings(grenade_side="random")
    assert thrown(grenade, 10, 3, 4, "left", random, of=(6, 3, 3, 5, 4, 3)).side == "right"


@pytest.mark.rules("EMP-114")
def test_nobody_evades_at_the_centre():
    assert [may_evade(squares) for squares in (0, 1)] == [False, True]


@pytest.mark.rules("EMP-108", "EMP-109")
def test_a_thing_gives_way_when_its_material_is_used_up():
    assert (material_resistance("glass"), material_resistance("hard_metal")) == (1, 30)
    assert (material_left(10, 4), material_left(10, 14)) == (6, 0)
    assert material_resistance("plastic", 6) == 6
    with pytest.raises(Exception, match="resistance"):
        material_resistance("plastic")


@pytest.mark.rules("EMP-110", "EMP-111", "EMP-108")
@pytest.mark.option("safety_margin", "threshold")
def test_a_margin_is_used_up_or_counts_anew(rulings):
    machine = Machine(Exposure.OPEN, 3, 8)
    assert safety_margin(machine) == 3
    assert battered(battered(machine, 4, 3, RULINGS), 4, 3, RULINGS).damage == 5
    anew = rulings(safety_margin="threshold")
    assert battered(battered(machine, 4, 3, anew), 4, 3, anew).damage == 2
    assert [is_immune(exposure, 3) for exposure in Exposure] == [False, False, True]
    assert [working(machine._replace(damage=points), False, RULINGS) for points in (3, 4, 9)] == [
        Working.RUNS, Working.BROKEN, Working.SCRAP]


@pytest.mark.rules("EMP-115")
@pytest.mark.option("formec_stopped", "repairable")
def test_a_formec_stopped_in_combat_is_lost_or_repairable(rulings):
    formec = Machine(Exposure.ARMOURED, 6, 9, damage=10)
    assert linked_working(formec, RULINGS) is Working.SCRAP
    assert linked_working(formec, rulings(formec_stopped="repairable")) is Working.BROKEN
    assert linked_shot() is Difficulty.EASY
    check_link(1)
    with pytest.raises(RuleError):
        check_link(0)


@pytest.mark.rules("EMP-116")
def test_a_weapon_arm_adds_its_level_to_what_it_does():
    three = (Characteristic.STRENGTH, Characteristic.DEXTERITY, Characteristic.ENDURANCE)
    assert [arm_mod(2, one) for one in three] == [2, 2, 0]
