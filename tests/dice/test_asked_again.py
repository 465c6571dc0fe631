"""A rule that is asked again: answers are kept as long as what it looks up is what it was, and no longer."""

import gc
import traceback
from collections import Counter
from dataclasses import dataclass
from functools import _lru_cache_wrapper, cache, partial
from types import ModuleType

import pytest

from paravent.dice import Deck, Kinds, Odds, ScriptedDice, best, chain, d, forget_odds, odds, play
from paravent.dice.errors import AbsurdDice, Unranked, Unsteady

NOTEBOOK = """
BONUS = 1
WEAPONS = {"knife": 4}
CLASSES = [2]


def helper(dice):
    return dice.sum(1, 2)


def blow(dice):
    return dice.resolve(helper) + BONUS


def strike(dice, weapon):
    return dice.sum(1, WEAPONS[weapon]) + sum(CLASSES)


class Hero:
    strength = 0

    def __init__(self, skill):
        self.skill = skill

    def attack(self, dice):
        return dice.sum(1, 2) + self.skill + self.strength
"""


@pytest.fixture
def notebook():
    """Somebody's own page, on which things are written anew."""
    page = ModuleType("notebook")
    exec(NOTEBOOK, vars(page))
    return page


def results(answer):
    return sorted(answer)


def test_a_constant_or_a_helper_that_is_another_gives_other_odds(notebook):
    assert results(odds(notebook.blow)) == [2, 3]
    notebook.BONUS = 10
    assert results(odds(notebook.blow)) == [11, 12]
    exec("def helper(dice):\n    return dice.sum(1, 3)\n", vars(notebook))
    assert results(odds(notebook.blow)) == [11, 12, 13]


def test_a_rule_asked_for_the_first_time_is_not_given_what_another_looked_up_before(notebook):
    exec("DIE = 2\ndef inner(dice):\n    return dice.sum(1, DIE)\ndef one(dice):\n    return dice.resolve(inner)\n"
         "def two(dice):\n    return -dice.resolve(inner)\n", vars(notebook))
    assert results(odds(notebook.one)) == [1, 2]
    notebook.DIE = 3
    assert results(odds(notebook.two)) == [-3, -2, -1]


def test_a_table_a_list_and_an_attribute_may_be_changed(notebook):
    assert results(odds(notebook.strike, "knife")) == [3, 4, 5, 6]
    notebook.WEAPONS["knife"] = 2
    assert results(odds(notebook.strike, "knife")) == [3, 4]
    notebook.CLASSES.append(5)
    assert results(odds(notebook.strike, "knife")) == [8, 9]
    hero = notebook.Hero(1)
    assert results(odds(hero.attack)) == [2, 3]
    hero.skill = 7
    assert results(odds(hero.attack)) == [8, 9]
    notebook.Hero.strength = 10
    assert results(odds(hero.attack)) == [18, 19]


def test_so_may_a_variable_of_the_function_around_and_what_is_given(notebook):
    bonus = 0

    def more(dice):
        return dice.sum(1, 2) + bonus

    def attacked(dice, hero, *others):
        return hero.attack(dice) + len(others)

    assert results(odds(more)) == results(odds(partial(more))) == [1, 2]
    bonus = 5
    assert results(odds(more)) == results(odds(partial(more))) == [6, 7]
    hero = notebook.Hero(1)
    assert results(odds(attacked, hero)) == results(odds(attacked, *(hero,))) == [2, 3]
    hero.skill = 4
    assert results(odds(attacked, hero)) == [5, 6]


def test_so_may_what_a_step_looks_up_by_which_dice_are_gathered(notebook):
    exec("WORTH = 1\ndef step(total, face, count):\n    return total + WORTH * count\n"
         "def gathered(dice):\n    return dice.gather(2, 6, step, 0)\n", vars(notebook))
    for ask in (lambda: odds(notebook.gathered), lambda: d(6).gather(2, notebook.step, 0)):
        notebook.WORTH = 1
        assert results(ask()) == [2]
        notebook.WORTH = 5
        assert results(ask()) == [10]


def test_a_name_that_was_nothing_yet_may_come_to_be(notebook):
    exec("def best_of(dice, bonus):\n    return max(dice.sum(1, 2), 0) + (EXTRA if bonus else 0)\n", vars(notebook))
    assert results(odds(notebook.best_of, False)) == [1, 2]
    with pytest.raises(NameError):
        odds(notebook.best_of, True)
    for extra in (3, 5):
        notebook.EXTRA = extra
        assert results(odds(notebook.best_of, True)) == [1 + extra, 2 + extra]
    notebook.max = min
    assert results(odds(notebook.best_of, True)) == [5]


def test_a_name_beyond_the_first_256_is_looked_at_too(notebook):
    many = "\n".join(f"N{at} = 0" for at in range(300))
    exec(f"{many}\ndef long(dice):\n    return dice.sum(1, 2) + {' + '.join(f'N{at}' for at in range(300))}\n",
         vars(notebook))
    assert results(odds(notebook.long)) == [1, 2]
    notebook.N299 = 5
    assert results(odds(notebook.long)) == [6, 7]


@pytest.mark.parametrize("told", ["global COUNT; COUNT += 1", "Box.count += 1", "TABLE[0] += 1"])
def test_a_rule_that_counts_how_often_it_was_asked_is_weighed_once_for_each_question(notebook, told):
    exec(f"COUNT = 0\nTABLE = [0]\nclass Box:\n    count = 0\n"
         f"def counted(dice, value):\n    {told}\n    return dice.sum(1, value)\n"
         "def times():\n    return COUNT + Box.count + TABLE[0]\n", vars(notebook))
    for value in (2, 3, 2, 3):
        odds(notebook.counted, value)
    once = notebook.times()
    for value in (2, 3, 2, 3):
        assert odds(notebook.counted, value).total == value
    assert notebook.times() == once


def test_rows_that_are_given_are_looked_into(notebook):
    exec("BONUS = 1\ndef rowed(dice, row):\n    skills = sum(part.skill for part in row[1:])\n"
         "    return dice.sum(1, row[0]) + BONUS + skills\n", vars(notebook))
    hero = notebook.Hero(1)
    assert [results(odds(notebook.rowed, row)) for row in ((2,), (2, hero))] == [[2, 3], [3, 4]]
    notebook.BONUS, hero.skill = 2, 5
    assert [results(odds(notebook.rowed, row)) for row in ((2,), (2, hero))] == [[3, 4], [8, 9]]
    hero.skill = 0
    assert results(odds(notebook.rowed, (2, hero))) == [3, 4]


def test_what_throws_give_is_forgotten_with_the_answers():
    def all_sorts(dice):
        kept = dice.highest(4, 6, 3) + dice.lowest(4, 6, 3) + dice.sum(2, 6)
        return kept + dice.counts(3, Kinds(6, high=(5, 6), low=(1, 2, 3, 4)))[0] + len(dice.deal(Deck({1: 4, 2: 4}), 2))

    asked = (all_sorts, lambda dice: sum(dice.pool(3, 6)), lambda dice: len(dice.faces(3, d(6))),
             lambda dice: sum(face > 4 for face in dice.pool(100, 6)))
    for rule in asked:
        odds(rule)
    odds(lambda dice: dice.sum(1, 6), within=0.01)
    assert _answers()
    forget_odds()
    assert not _answers()


def _answers():
    """Functions of the dice that keep anything but what they read of somebody's code."""
    kept = [thing for thing in gc.get_objects() if type(thing) is _lru_cache_wrapper]
    return {thing.__qualname__ for thing in kept if (thing.__module__ or "").startswith("paravent.dice.")
            and thing.cache_info().currsize} - {
                "reads", "names_in", "_variables_of", "_is_in_the_making", "_habit", "places", "calls_to_sort",
                "instructions", "in_view", "_parsed", "_singly"}


def test_a_fault_that_is_raised_in_many_branches_is_told_from_where_it_came_alone():
    deep = []

    def missing(dice):
        return {}[dice.sum(1, 1)]

    def careful(dice):
        face = dice.sum(2, 20)
        try:
            return face + dice.resolve(missing)
        except KeyError as fault:
            deep.append(list(traceback.extract_tb(fault.__traceback__)))
            return -face

    assert odds(careful) == -odds(lambda dice: dice.sum(2, 20))
    assert len(deep) > 30
    assert max(map(len, deep)) < 12
    assert any(step.name == "missing" for step in deep[-1])


def test_best_play_and_repeated_rules_heed_it_too(notebook):
    exec("TOP = 2\ndef face(dice):\n    return dice.sum(1, TOP)\n"
         "def again(dice):\n    seen = dice.resolve(face)\n"
         "    return dice.resolve(face) if dice.choose('me', 'again', (False, True)) else seen\n"
         "def up(dice, at):\n    return min(at + dice.resolve(face), 6)\n", vars(notebook))
    assert best(notebook.again, goal=lambda face: face).value == 1.75
    assert chain(notebook.up, 0, over=lambda at: at == 6).states == 7
    notebook.TOP = 1
    assert best(notebook.again, goal=lambda face: face).value == 1
    assert chain(notebook.up, 0, over=lambda at: at == 6).mean_steps == 6


def test_a_rule_may_write_down_that_it_was_asked_and_is_not_weighed_again_for_that(notebook):
    exec("asked = []\ndef watched(dice, value):\n    asked.append(value)\n    return dice.sum(1, value)\n",
         vars(notebook))
    assert odds(notebook.watched, 2) == odds(notebook.watched, 2)
    times = len(notebook.asked)
    assert odds(notebook.watched, 2).total == 2
    assert len(notebook.asked) == times


@cache
def remembered(dice, sides):
    return dice.sum(1, sides)


def test_a_rule_that_keeps_its_dice_from_one_run_to_the_next_is_refused_by_name():
    def twice(dice):
        return remembered(dice, 2) + remembered(dice, 3)

    with pytest.raises(Unsteady) as told:
        odds(twice)
    assert told.value.values["rule"] == "twice"
    assert best(twice, goal=lambda total: total).value == 3.5, "there, each run has dice of its own"

    @dataclass
    class First:
        face: int = 0

        def __call__(self, dice):
            self.face = self.face or dice.sum(1, 6)
            return self.face

    with pytest.raises(Unsteady):
        odds(First().__call__)


def test_what_is_equal_and_of_another_type_is_asked_for_itself():
    def told(dice, value):
        return f"{value} {dice.sum(1, 1)}"

    assert [results(odds(told, value)) for value in (1, True, 1.0)] == [["1 1"], ["True 1"], ["1.0 1"]]
    for _ in range(2):
        odds(lambda dice: dice.sum(1, 6))
        with pytest.raises(AbsurdDice):
            odds(lambda dice: dice.sum(1.0, 6))


# --- Best play of several


def chosen(dice):
    face = dice.sum(1, 6)
    return dice.sum(1, 6) if dice.choose("me", "again", (False, True)) else face


@pytest.mark.parametrize(("together", "apart"), [
    (lambda dice: dice.repeat(2, chosen), lambda dice: dice.resolve(chosen) + dice.resolve(chosen)),
    (lambda dice: dice.highest_of(2, 1, chosen), lambda dice: max(chosen(dice), chosen(dice))),
    (lambda dice: dice.lowest_of(2, 1, chosen), lambda dice: min(dice.resolve(chosen), dice.resolve(chosen))),
    (lambda dice: dice.highest_of(3, 2, chosen),
     lambda dice: sum(sorted([chosen(dice), chosen(dice), dice.resolve(chosen)])[1:])),
])
def test_what_is_chosen_in_a_rule_that_is_run_several_times_is_chosen_well(together, apart):
    for goal in (lambda total: total, lambda total: total >= 6):
        assert best(together, goal=goal).value == best(apart, goal=goal).value
    assert best(together, goal=lambda total: total, who=lambda who: False).value == odds(apart).mean()


def test_best_play_of_twenty_such_rules_has_an_end():
    assert best(lambda dice: dice.repeat(20, chosen), goal=lambda total: total).value == 85
    with pytest.raises(AbsurdDice):
        best(lambda dice: dice.highest_of(2, 3, chosen), goal=lambda total: total)


# --- The highest of several results


def rowed(dice):
    face = dice.sum(1, 3)
    return -face, face % 2 == 0


def test_the_highest_of_rows_is_the_same_weighed_and_played():
    for keep in (lambda dice: dice.highest_of(2, 1, rowed), lambda dice: dice.lowest_of(2, 1, rowed)):
        thrown = Counter(play(keep, dice=ScriptedDice(one, other)).result for one in (1, 2, 3) for other in (1, 2, 3))
        assert odds(keep) == Odds(thrown)
    assert odds(lambda dice: dice.highest_of(2, 1, rowed))[-1, False] == d(3).lowest(2)[1]


def test_words_have_no_highest():
    def word(dice):
        return "hit" if dice.sum(1, 2) == 2 else "miss"

    with pytest.raises(Unranked):
        odds(lambda dice: dice.highest_of(2, 1, word))
    with pytest.raises(Unranked):
        play(lambda dice: dice.highest_of(2, 1, word), dice=ScriptedDice(1, 2))


def test_names_are_not_added_up_weighed_or_played():
    fate = d({"miss": 1, "hit": 1})
    for keep in (lambda dice: dice.highest(3, fate, 2), lambda dice: dice.lowest(3, fate, 2)):
        with pytest.raises(TypeError):
            play(keep, dice=ScriptedDice(1, 2, 2))
        with pytest.raises(TypeError):
            odds(keep)
    forget_odds()
