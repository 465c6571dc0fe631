"""Beasts on cards: every figure is the one that a fight, a meeting and a sale read."""

from fractions import Fraction

import pytest

from paravent.dice import ScriptedDice, play
from paravent.game.leaves import Bars, Rows, Says
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.beasts.animals import Animal, Behaviour, Diet, meet, physical_resistance
from paravent.systems.empire.fights.duel import Stance, free_blow
from paravent.systems.empire.fights.wounds import Body, Shape, struck
from paravent.systems.empire.worlds.bestiary import behaviours, blows, card, cards, manners, shocks

RULINGS = SYSTEM.book.rulings()
BEAST = Animal("gralorin", diet_ta=2, strength=10, natural_weapon="D", natural_armour=4, body_row=8, endurance=6)


def test_a_blow_lands_and_hurts_as_often_as_the_dice_say():
    rows = {row[0]: row for row in blows(BEAST, RULINGS)}
    assert sorted(rows) == [1, 2, 3, 4, 5]  # the dice that a blow may take, by its height and precision
    thrown = [play(free_blow, Stance(10, 2, "D"), RULINGS, dice=ScriptedDice(a, b)).result
              for a in range(1, 7) for b in range(1, 7)]
    hits = [clash.to_b for clash in thrown if clash.ok_a]
    _, lands, deals, parries = rows[2]
    assert lands == Fraction(len(hits), 36)
    assert deals.values["n"] == round(sum(hits) / len(hits), 1)
    assert parries == Fraction(sum(a + b <= 6 for a in range(1, 7) for b in range(1, 7)), 36)


def test_what_stuns_and_what_knocks_out_are_the_first_points_that_do():
    full = physical_resistance(BEAST, RULINGS)
    body = Body(full, full, BEAST.endurance, BEAST.natural_armour)
    stunned, out = shocks(BEAST, RULINGS)
    shape = [struck(body, points, RULINGS).shape for points in range(out + 1)]
    assert shape[stunned - 1:stunned + 1] == [Shape.STANDING, Shape.STUNNED]
    assert shape[out - 1:] == [Shape.STUNNED, Shape.KNOCKED_OUT]


@pytest.mark.parametrize("diet", list(Diet))
def test_what_a_beast_does_is_what_is_met_of_its_kind(diet):
    met = [play(meet, (), RULINGS, dice=ScriptedDice(a, b)).result for a in range(1, 7) for b in range(1, 7)]
    alike = [one.behaviour for one in met if one.diet is diet]
    found = behaviours(diet, RULINGS)
    assert sum(found.values()) == 1
    assert found == {name: Fraction(alike.count(name), len(alike)) for name in Behaviour}


def test_a_card_has_every_figure_a_fight_reads():
    told = card(BEAST, RULINGS)
    assert [figure for _, figure in told.figures] == [10, 6, "D", 4, physical_resistance(BEAST, RULINGS)]
    assert [type(block) for block in told.blocks] == [Says, Rows, Says, Bars, Says]
    assert [chance for _, chance in told.blocks[3].bars] == [chance for _, chance in manners(BEAST, RULINGS)]
    assert [one.name for one in cards((BEAST, BEAST), RULINGS).vignettes] == ["gralorin"] * 2


@pytest.mark.parametrize("row", range(2, 13))
def test_every_body_has_its_sentence(row):
    key = card(Animal("a", body_row=row), RULINGS).blocks[0].says.key
    assert key == f"leaves.beast.{'shifting' if row == 12 else 'boundless' if row == 11 else 'ground'}"
