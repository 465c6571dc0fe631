"""Empire galactique: close combat, damage, wounds, holds, under each reading of a table."""

from fractions import Fraction

import pytest

from paravent.dice import ScriptedDice, odds, play
from paravent.game import RuleError
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.actions.action import Column
from paravent.systems.empire.fights.combat import (
    Act,
    Attacker,
    Attitude,
    Height,
    Team,
    acts,
    blow_dice,
    cell_of,
    characteristic_of,
    check_attackers,
    coefficients,
    disarmed,
    exchange,
    hint,
    initiative,
    letter_of,
    location,
    one_against_many,
    order,
    skill_used,
    tie_break,
)
from paravent.systems.empire.fights.damage import by_law, damage, row_of
from paravent.systems.empire.fights.duel import Cell, Stance
from paravent.systems.empire.fights.holds import Grip, Held, break_free, hold, hold_characteristic, hold_dice, released
from paravent.systems.empire.fights.wounds import (
    UNIT_MINUTES,
    Body,
    Life,
    Piece,
    Severity,
    Shape,
    armour_at,
    fall_dice,
    fall_letter,
    fever,
    ground_dice,
    healing,
    hindrance,
    infection,
    may_be_moved,
    may_walk,
    struck,
)
from paravent.systems.empire.terms import TABLES, Characteristic

RULINGS = SYSTEM.book.rulings()
ATTACK, FEINT, PARRY = Attitude.ATTACK, Attitude.FEINT, Attitude.PARRY


def thrown(rule, *args, of=()):
    return play(rule, *args, dice=ScriptedDice(*of)).result


def fought(mine, a, theirs, b, rulings, of=()):
    done = thrown(exchange, mine, a, theirs, b, rulings, of=of)
    return done.to_a, done.to_b


# The sequence


@pytest.mark.rules("EMP-072")
def test_what_fits_in_a_sequence():
    assert acts(ready=False, loaded=True, spare=False) == (Act.MOVE, Act.DRAW)
    assert acts(ready=True, loaded=False, spare=True) == (Act.MOVE, Act.RELOAD)
    assert Act.FIGHT in acts(ready=True, loaded=True, spare=False)


@pytest.mark.rules("EMP-073")
def test_sides_as_swift_throw_two_dice_until_they_differ():
    one, other = Team((8, 8)), Team((8,))
    assert thrown(initiative, one, other, of=(3, 4, 4, 3, 6, 1, 2, 2)) == 1
    assert thrown(initiative, one, other, of=(1, 1, 1, 2)) == 2
    assert odds(tie_break)[1] == odds(initiative, one, other)[1] == Fraction(1, 2)


@pytest.mark.rules("EMP-074")
def test_what_a_watch_notices_of_an_ambush():
    found = [hint(True, column) for column in (Column.VAGUE, Column.NORMAL, Column.PRECISE)]
    assert found == ["threat", "noise", "whole"]
    assert hint(False, Column.PRECISE) == "nothing"


@pytest.mark.rules("EMP-075", "EMP-076")
def test_three_attitudes_and_a_matrix_that_is_the_same_from_both_sides():
    assert [characteristic_of(one) for one in Attitude] == [
        Characteristic.STRENGTH, Characteristic.DEXTERITY, Characteristic.ENDURANCE]
    assert all(cell_of(a, b) is cell_of(b, a) for a in Attitude for b in Attitude)
    assert [cell_of(ATTACK, other) for other in Attitude] == [Cell.BOTH, Cell.EITHER, Cell.DIFFERENCE]
    assert {cell_of(a, b) for a in (FEINT, PARRY) for b in (FEINT, PARRY)} == {Cell.NOTHING}


@pytest.mark.rules("EMP-077", "EMP-082")
def test_where_a_blow_lands_and_what_it_costs():
    assert [blow_dice(Height.HIGH, one) for one in (Column.VAGUE, Column.NORMAL, Column.PRECISE)] == [3, 4, 5]
    assert location(Height.MIDDLE, Column.NORMAL) == "torso"
    assert location(Height.MIDDLE, Column.PRECISE, "hand") == "hand"
    assert location(Height.LOW, Column.PRECISE) == "knee"


@pytest.mark.rules("EMP-078", "EMP-080")
def test_which_skill_at_which_distance():
    assert (skill_used("fist", 1), skill_used("sword", 1), skill_used("rifle", 3)) == ("32", "34", "34")
    for weapon, metres in (("fist", 2), ("rifle", 1), ("sword", 6)):
        with pytest.raises(RuleError):
            skill_used(weapon, metres)
    assert [letter_of(weapon) for weapon in ("fist", "kick", "dagger", "sword", "laser", "stunner")] == [
        "A", "B", "C", "D", "E", ""]


@pytest.mark.rules("EMP-014")
def test_the_combat_sheet_gives_thresholds_ready_made(sheet):
    bastien = sheet("bastien")
    ready = coefficients(bastien.scores(), bastien.levels)
    assert ready["34"] == {"strength": 13, "dexterity": 11, "endurance": 12}
    assert set(ready) == {"32", "34", "35"}


# The exchange under each reading


@pytest.mark.rules("EMP-079")
@pytest.mark.option("better_result", "margin")
def test_the_better_result_is_the_higher_sum_or_the_greater_margin(rulings):
    a, b, dice = Stance(14, 3, "D"), Stance(10, 3, "C"), (3, 3, 3, 4, 3, 3)
    assert fought(ATTACK, a, FEINT, b, RULINGS, of=dice) == (10, 0)
    assert fought(ATTACK, a, FEINT, b, rulings(better_result="margin"), of=dice) == (0, 12)


@pytest.mark.rules("EMP-079")
@pytest.mark.parametrize(("reading", "to_b"), [
    pytest.param("sum_in_table", 9),
    pytest.param("tables_subtracted", 23 - 8, marks=pytest.mark.option("difference", "tables_subtracted")),
    pytest.param("raw", 5, marks=pytest.mark.option("difference", "raw")),
    pytest.param("widest_row", 11, marks=pytest.mark.option("difference", "widest_row")),
])
def test_what_is_done_with_the_difference(rulings, reading, to_b):
    """Attack D, 4 dice, 13, against a parry C, 3 dice, 8: the difference is 5."""
    a, b = Stance(13, 4, "D"), Stance(9, 3, "C")
    found = fought(ATTACK, a, PARRY, b, rulings(difference=reading), of=(4, 4, 3, 2, 3, 3, 2))
    assert found == (0, to_b)


@pytest.mark.rules("EMP-079")
@pytest.mark.option("nothing_cells", "lone_success")
def test_a_lone_success_may_strike_even_in_an_empty_cell(rulings):
    a, b = Stance(10, 3, "D"), Stance(10, 3, "C")
    assert fought(FEINT, a, FEINT, b, RULINGS) == (0, 0)
    anyway = rulings(nothing_cells="lone_success")
    assert fought(FEINT, a, FEINT, b, anyway, of=(3, 3, 3, 6, 6, 6)) == (0, 12)
    assert fought(FEINT, a, FEINT, b, anyway, of=(3, 3, 3, 3, 3, 3)) == (0, 0)


@pytest.mark.rules("EMP-079")
@pytest.mark.parametrize(("reading", "found"), [
    pytest.param("nobody", (0, 0)),
    pytest.param("attack", (0, 12), marks=pytest.mark.option("either_tie", "attack")),
    pytest.param("both", (9, 12), marks=pytest.mark.option("either_tie", "both")),
])
def test_equal_sums_between_an_attack_and_a_feint(rulings, reading, found):
    a, b, dice = Stance(10, 3, "D"), Stance(10, 3, "C"), (3, 3, 3, 3, 3, 3)
    assert fought(ATTACK, a, FEINT, b, rulings(either_tie=reading), of=dice) == found
    assert fought(FEINT, b, ATTACK, a, rulings(either_tie=reading), of=dice) == found[::-1]


# Damage


@pytest.mark.rules("EMP-080")
@pytest.mark.option("damage_table", "regularised")
def test_eight_cells_depart_from_the_law_and_may_be_set_right(rulings):
    table, law = TABLES["damage"], rulings(damage_table="regularised")
    odd = []
    for letter in "ABCDE":
        for count in (3, 4, 5):
            for total in range(count, 19):
                if table.cell(f"{letter}{count}", str(total)) != by_law(letter, count, total):
                    odd.append((letter, count, total))
                assert damage(letter, count, total, law) == by_law(letter, count, total)
    assert len(odd) == 8
    assert (damage("D", 5, 6, RULINGS), damage("D", 5, 6, law)) == (12, 13)


@pytest.mark.rules("EMP-080")
@pytest.mark.option("high_sums", "clamp")
@pytest.mark.option("damage_row", "without_malus")
def test_beyond_the_table(rulings):
    assert (damage("C", 5, 21, RULINGS), damage("C", 5, 21, rulings(high_sums="clamp"))) == (35, 30)
    assert damage("C", 7, 18, RULINGS) == damage("C", 5, 18, RULINGS)
    assert (row_of(4, 1, RULINGS), row_of(4, 1, rulings(damage_row="without_malus"))) == (4, 3)


@pytest.mark.rules("EMP-077")
@pytest.mark.option("disarm", "third_of_force")
def test_a_weapon_drops_when_struck_or_when_struck_hard_enough(rulings):
    assert disarmed(1, 9, RULINGS)
    hard = rulings(disarm="third_of_force")
    assert [disarmed(points, 9, hard) for points in (2, 3)] == [False, True]


# Wounds


@pytest.mark.rules("EMP-085", "EMP-086")
@pytest.mark.option("blow_share", "current")
def test_a_third_and_a_half_of_the_full_or_of_what_is_left(rulings):
    body = Body(24, 12)
    assert struck(body, 6, RULINGS).shape is Shape.STANDING
    assert struck(body, 6, rulings(blow_share="current")).shape is Shape.KNOCKED_OUT


@pytest.mark.rules("EMP-087")
@pytest.mark.option("stun_through_armour", "after")
@pytest.mark.option("armour_layers", "add")
@pytest.mark.option("armour_cover", "written")
def test_armour_under_each_reading(rulings):
    vest, leather = Piece("vest"), Piece("thick_leather")
    assert struck(Body(24, 24, armour=9), 12, RULINGS).shape is Shape.KNOCKED_OUT
    assert struck(Body(24, 24, armour=9), 12, rulings(stun_through_armour="after")).shape is Shape.STANDING
    assert armour_at([vest, leather], "torso", RULINGS) == 9
    assert armour_at([vest, leather], "torso", rulings(armour_layers="add")) == 12
    assert armour_at([vest], "arm", RULINGS) == armour_at([vest._replace(ruined=("torso",))], "torso", RULINGS) == 0
    written = rulings(armour_cover="written")
    assert armour_at([vest], "torso", written) == 0
    assert armour_at([vest._replace(covers=("arm",))], "arm", written) == 9


@pytest.mark.rules("EMP-088")
def test_heavy_protections_hinder_and_the_antigrav_suit_helps():
    mods = [hindrance([piece]) for piece in ("armour", "armoured_suit", "laser_suit", "antigrav_suit", "vest")]
    assert mods == [-3, -2, -1, 1, 0]


@pytest.mark.rules("EMP-084")
@pytest.mark.option("overshoot", "kills")
def test_a_blow_past_zero_by_endurance_may_kill_at_once(rulings):
    kills = rulings(overshoot="kills")
    assert struck(Body(24, 3, endurance=7), 10, RULINGS).life is Life.COMA
    assert struck(Body(24, 3, endurance=7), 10, kills).life is Life.DEAD
    assert struck(Body(24, 3, endurance=7), 9, kills).life is Life.COMA


@pytest.mark.rules("EMP-089")
@pytest.mark.option("healing_class", "reviewed")
def test_the_unit_of_healing_stays_or_follows_the_points_left(rulings):
    """Nine points of 24: a wound; once fewer than eight are left it is a shock."""
    days = 24 * 60
    assert healing(9, 24, 2, days + 60, RULINGS, UNIT_MINUTES) == (2, days)
    assert healing(9, 24, 2, days + 60, rulings(healing_class="reviewed"), UNIT_MINUTES)[0] == 4


@pytest.mark.rules("EMP-090")
def test_who_may_walk_and_who_may_be_carried():
    assert [may_walk(kind) for kind in Severity] == [True, False, False]
    assert [may_be_moved(kind, 0, 7) for kind in Severity] == [True, True, False]
    assert may_be_moved(Severity.LESION, 7, 7)


@pytest.mark.rules("EMP-091")
@pytest.mark.option("fever", "fevered")
def test_a_fever_kills_or_lays_low(rulings):
    assert thrown(infection, Fraction(8), of=(3, 3, 3))
    assert not thrown(infection, Fraction(8), of=(3, 3, 2))
    assert (fever(True, RULINGS), fever(False, RULINGS)) == ("dead", "fevered")
    assert fever(True, rulings(fever="fevered")) == "fevered"


@pytest.mark.rules("EMP-098")
def test_a_fall_is_read_by_height_and_ground():
    assert [fall_letter(cm) for cm in (199, 200, 399, 400, 600, 799, 800, 5000)] == list("ABBCDDEE")
    assert (fall_dice(900, 3), fall_dice(1000, 3)) == (3, 5)
    assert [ground_dice(ground) for ground in ("water", "earth", "metal")] == [1, 3, 5]


# Several against one


@pytest.mark.rules("EMP-092")
def test_how_many_may_attack_one():
    places = ("open_ground", "back_to_wall", "corner", "corridor")
    assert [check_attackers(place, 1) for place in places] == [4, 3, 2, 1]
    with pytest.raises(RuleError):
        check_attackers("corridor", 2)
    assert check_attackers("corridor_both_ends", 2) == 2


@pytest.mark.rules("EMP-093", "EMP-094")
def test_the_best_goes_first_and_a_failure_lays_one_open():
    weak, strong = (Attacker(Stance(limit, 3, "C"), ATTACK, ATTACK) for limit in (8, 11))
    assert order((weak, strong)) == (1, 0)
    lone = Stance(10, 3, "D")
    done = thrown(one_against_many, lone, (strong, weak), True, RULINGS, of=(6, 6, 6, 6, 6, 6, 2, 2, 2))
    assert [one.faced for one in done] == [True, False]
    assert [one.to_lone for one in done] == [0, 6]


# Holds


@pytest.mark.rules("EMP-095", "EMP-097")
@pytest.mark.option("hold_characteristic", "strength")
def test_a_hold_is_precise_and_a_choke_is_provisional(rulings):
    assert hold_characteristic(RULINGS) is Characteristic.ENDURANCE
    assert hold_characteristic(rulings(hold_characteristic="strength")) is Characteristic.STRENGTH
    assert [hold_dice(height) for height in (Height.LOW, Height.MIDDLE, Height.HIGH)] == [3, 4, 5]
    dice = (3, 3, 3, 3)
    assert thrown(hold, 12, Height.MIDDLE, Grip.IMMOBILISE, RULINGS, of=dice) == Held(True, 0)
    assert thrown(hold, 12, Height.MIDDLE, Grip.CHOKE, RULINGS, of=dice) == Held(True, 5)
    assert thrown(hold, 11, Height.MIDDLE, Grip.CHOKE, RULINGS, of=dice) == Held(False, 0)
    assert (released(5, dead=False), released(5, dead=True)) == (5, 0)


@pytest.mark.rules("EMP-096")
def test_breaking_free():
    assert thrown(break_free, Fraction(6), of=(2, 2, 2))
    assert not thrown(break_free, Fraction(6), of=(3, 2, 2))
