"""Simulacres: the damage table, its notation, and damage that comes without a margin."""

from fractions import Fraction

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from paravent.dice import ScriptedDice, odds, play
from paravent.game.errors import BadValue
from paravent.systems.simulacres import SYSTEM
from paravent.systems.simulacres.combat.damage import (
    COLUMNS,
    Blow,
    Category,
    automatic_damage,
    blast,
    category,
    inflict,
    points,
    points_lost,
    roll_damage,
    shifted,
)
from paravent.systems.simulacres.combat.weapons import weapon, weapon_ids

RULINGS = SYSTEM.book.rulings()
ODDS = {row["id"]: row for row in SYSTEM.book.listed_odds}


def fractions_of(listed):
    asked = listed["given"] if isinstance(listed["given"], list) else [listed["given"]]
    return list(zip(asked, [Fraction(text) for text in listed["exact"]], strict=True))


def wanted(given):
    return (lambda lost: lost >= given["at_least"]) if "at_least" in given else (lambda lost: lost == given["points"])


@pytest.mark.parametrize(
    "listed",
    [pytest.param(ODDS[i], id=i, marks=pytest.mark.listed_odds(i)) for i in ("SIM-O18", "SIM-O19", "SIM-O20", "SIM-O22",
                                                                              "SIM-O30", "SIM-O31")],
)
def test_the_chance_of_each_loss_once_a_blow_has_landed(listed):
    for given, exact in fractions_of(listed):
        rolled = odds(roll_damage, Blow(category(given["category"])), given["margin"], RULINGS)
        assert rolled.map(lambda damage: damage.pv).chance(wanted(given)) == exact


@pytest.mark.listed_odds("SIM-O21")
def test_what_a_sword_takes_on_average_by_margin():
    for given, exact in fractions_of(ODDS["SIM-O21"]):
        rolled = odds(roll_damage, Blow(category(given["category"])), given["margin"], RULINGS)
        assert rolled.mean(lambda damage: damage.pv) == exact


@pytest.mark.parametrize(
    "listed", [pytest.param(ODDS[i], id=i, marks=pytest.mark.listed_odds(i)) for i in ("SIM-O28", "SIM-O29", "SIM-O32")]
)
def test_the_chance_of_each_loss_in_a_trap(listed):
    for given, exact in fractions_of(listed):
        rolled = odds(automatic_damage, Category.parse(given["category"]), RULINGS)
        assert rolled.map(lambda damage: damage.points).chance(wanted(given)) == exact


@pytest.mark.rules("SIM-051", "SIM-052", "SIM-053")
def test_every_cell_of_the_table_reads_as_printed():
    table = SYSTEM.tables["damage"]
    for row in (*table.rows[1:], *table.extra["computed"]):
        for total in range(row[0], row[1] + 1):
            assert [points_lost(at, total, RULINGS) for at in range(len(COLUMNS))] == list(row[2:])
    assert [points_lost(at, 2, RULINGS) for at in range(len(COLUMNS))] == [0] * 11


@pytest.mark.rules("SIM-054")
def test_every_printed_shift_of_columns():
    table = SYSTEM.tables["shifts"]
    steps = dict(zip(table.columns[1:], (-1, -2, -3, 1, 2), strict=True))
    for row in table.rows:
        for name, cell in zip(table.columns[1:], row[1:], strict=True):
            assert str(shifted(Category.parse(row[0]), [steps[name]])) == cell


@settings(derandomize=True)
@drawn(st.integers(0, 10), st.integers(-9, 9), st.lists(st.integers(-12, 12), max_size=4))
def test_shifts_are_summed_before_they_are_walked(column, offset, shifts):
    start = Category(column, offset)
    assert shifted(start, shifts) == shifted(start, [sum(shifts)])
    assert Category.parse(str(start)) == start


@pytest.mark.rules("SIM-053")
@pytest.mark.option("below_3", "row_3")
def test_a_table_may_read_a_total_below_three_in_the_row_of_three():
    generous = SYSTEM.book.rulings({"below_3": "row_3"})
    assert points(Category.parse("C"), 2, RULINGS) == 0
    assert points(Category.parse("C"), 2, generous) == 1
    assert points(Category.parse("A-3"), 1, generous) == 0


@pytest.mark.rules("SIM-051")
def test_a_single_throw_serves_life_and_breath():
    sword = weapon("long_sword")
    rolled = play(roll_damage, Blow(sword.pv, sword.ps), 4, RULINGS, dice=ScriptedDice(3, 4))
    assert (rolled.result.total, rolled.result.pv, rolled.result.ps) == (11, 3, 1)
    assert [note.key for note in rolled.notes] == ["damage_total", "damage_read", "damage_read"]


@pytest.mark.rules("SIM-056")
def test_a_pulled_blow_is_split_after_the_dice():
    club = Blow(Category.parse("A"), Category.parse("F"), pulled=True)
    spared = play(inflict, club, 5, "initiator", RULINGS, dice=ScriptedDice(4, 4))
    assert (spared.result.pv, spared.result.ps) == (0, 4)
    harsher = play(inflict, club, 5, "initiator", RULINGS, dice=ScriptedDice(4, 4, answer={"split": (1, 2)}))
    assert (harsher.result.pv, harsher.result.ps) == (1, 2)


@pytest.mark.rules("SIM-075")
@pytest.mark.option("blast_uses_mr", "yes")
def test_only_the_point_of_impact_gains_from_the_throw_unless_the_table_says_otherwise():
    zone = weapon("grenade_blast")
    blow = Blow(zone.pv, zone.ps)
    assert play(blast, blow, 6, RULINGS, dice=ScriptedDice(3, 4)).result.total == 7
    wide = SYSTEM.book.rulings({"blast_uses_mr": "yes"})
    assert play(blast, blow, 6, wide, dice=ScriptedDice(3, 4)).result.total == 13


def test_every_weapon_has_categories_that_read():
    for name in weapon_ids():
        armed = weapon(name)
        assert armed.pv or armed.ps


@pytest.mark.parametrize("text", ["L", "A--2", "", "3", "F+"])
def test_what_is_not_a_category_is_refused(text):
    with pytest.raises(BadValue):
        Category.parse(text)


COUNTERS = {"pv": "life_points", "ps": "breath_points", "ep": "psyche_points"}


@pytest.mark.rules("SIM-074")
@pytest.mark.parametrize("counter", COUNTERS)
def test_what_a_fall_takes_is_taken_from_one_counter_and_never_below_nothing(changes, result, sheet, counter):
    field = COUNTERS[counter]
    harm = {"category": "C+3", "counter": counter}
    lost = getattr(result("automatic-damage", 6, 6, gm=harm, sheets={"initiator": sheet("arthur")}), counter)
    assert lost == 3
    for before, after in ((5, 2), (3, 0), (2, 0)):
        arthur = {"initiator": sheet("arthur", **dict.fromkeys(COUNTERS.values(), 5) | {field: before})}
        done = changes("automatic-damage", 6, 6, gm=harm, sheets=arthur)
        assert {path: value for (_, path), value in done.items() if path in COUNTERS.values()} == {field: after}


@pytest.mark.rules("SIM-055", "SIM-058")
def test_aim_and_armour_are_told_apart(played):
    """Aim at a vital point adds 8, the target's armour takes 2: each says its own number."""
    ran = played("roll-damage", 3, 4, initiator={"margin": 2, "weapon": "dagger", "aim": "vital"},
                 gm={"target_armour": "0/0/2"})
    notes = {note.key: dict(note.values) for note in ran.plays["damage"].notes}
    assert notes["damage_aimed"]["points"] == 8
    assert notes["damage_absorbed"]["points"] == 2
    assert notes["damage_total"] == {"margin": 2, "thrown": 7, "total": 15}


@pytest.mark.rules("SIM-060", "SIM-017")
def test_a_wound_is_grave_and_what_is_paid_is_certain(played, sheet):
    ran = played("shoot", 1, 2, 6, 6, initiator={"weapon": "pistol_medium", "energies": "precision:1"},
                 opponent={}, sheets={"initiator": sheet("arthur", precision=1), "opponent": sheet("nour")})
    weights = {(change.target, change.path): change.weighs for change in ran.changes}
    assert weights["initiator", "breath_points"] == "certain"
    assert weights["opponent", "life_points"] == "grave"
