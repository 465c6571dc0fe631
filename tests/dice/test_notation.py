"""Dice typed freely: what is read, what it gives, what is refused and how it should be written."""

import pytest

from paravent.dice import ScriptedDice, d, odds, play
from paravent.dice.notation import (
    NotDice,
    TooManyToThrow,
    WordInThrow,
    WrittenOtherwise,
    comment_of,
    dice_of,
    free_throw,
    is_bare,
    read_dice,
    weighable,
)


@pytest.mark.parametrize(("typed", "faces", "total"), [
    ("3d6+2", (1, 2, 3), 8),
    ("3D6 - 1", (1, 2, 3), 5),
    ("d20", (12,), 12),
    ("d%", (77,), 77),
    ("2d10+1d4-1", (9, 8, 3), 19),
    ("-1+2d6", (3, 3), 5),
    ("3 d 6", (1, 1, 1), 3),
    ("4d6k3", (1, 5, 6, 2), 13),
    ("4d6kh3", (1, 5, 6, 2), 13),
    ("4d6 k3", (1, 5, 6, 2), 13),
    ("4d6dl1", (1, 5, 6, 2), 13),
    ("4d6d1", (1, 5, 6, 2), 13),
    ("4d6dh1", (1, 5, 6, 2), 8),
    ("2d20kl1", (17, 4), 4),
    ("2d20kh", (17, 4), 17),
    ("3d6!", (6, 2, 6, 6, 1, 3), 24),  # two sixes thrown again, one of them once more
    ("4d6!k2", (6, 2, 6, 5, 6, 1, 3), 22),  # one six comes to 15, one to 7
    ("4d6k2!", (6, 2, 6, 5, 6, 1, 3), 22),
    ("3d6!kl2", (6, 2, 6, 5, 6, 1), 15 - 2),
    ("5d10>=7", (7, 10, 6, 1, 8), 3),
    ("5d10<=3", (7, 10, 6, 1, 3), 2),
    ("5d6=6", (6, 6, 1, 2, 3), 2),
    ("3d10!>=8", (10, 8, 1, 9), 3),
    ("2d6*10", (3, 4), 70),
    ("1d6*10+1d6", (4, 2), 42),
])
def test_what_is_typed_gives_what_it_says(typed, faces, total):
    assert play(free_throw, read_dice(typed), typed, dice=ScriptedDice(*faces)).result.total == total


@pytest.mark.parametrize(("typed", "dice", "comment"), [
    ("3d6+2 # le levier", "3d6+2", "le levier"),
    ("3d6+2 attaque sournoise", "3d6+2", "attaque sournoise"),
    ("3d6, d'un bond", "3d6", "d'un bond"),
    ("3d6 # un # deux", "3d6", "un # deux"),
])
def test_words_after_the_dice_are_a_comment(typed, dice, comment):
    assert (dice_of(typed), comment_of(typed)) == (dice, comment)


@pytest.mark.parametrize(("typed", "error", "values"), [
    ("", NotDice, {}),
    ("0d6", NotDice, {"got": "0d6"}),
    ("1d1", NotDice, {}),
    ("3d6 2d4", NotDice, {}),
    ("(2d6+1)*2", NotDice, {}),
    ("4d6k9", NotDice, {}),
    ("9" * 5000 + "d6", NotDice, {}),
    ("200d6", TooManyToThrow, {"dice": 100, "sides": 1000}),
    ("2d6+2d9999", TooManyToThrow, {}),
    ("4dF", WrittenOtherwise, {"got": "4dF", "form": "4d3-8"}),
    ("d66", WrittenOtherwise, {"form": "1d6*10+1d6"}),
    ("5d10>7", WrittenOtherwise, {"got": "5d10>7", "form": "5d10>=7"}),
    ("3d6 + force", WordInThrow, {"word": "force"}),
])
def test_what_is_no_throw_is_refused_with_the_form_that_is(typed, error, values):
    with pytest.raises(NotDice) as refused:
        read_dice(typed)
    assert type(refused.value) is error
    assert values.items() <= refused.value.values.items()


def test_only_dice_alone_make_a_throw_of_a_line_of_talk():
    assert all(map(is_bare, ("3D6", "d20", "3d6+2 # levier", "4d6k3", "2d6 - 1d4", "5d10>=7")))
    assert not any(map(is_bare, ("3d6 le levier", "2d6, c'est assez ?", "bonjour", "3", "d'accord", "3d6 ?")))


def test_odds_are_worked_out_where_that_is_quick_and_otherwise_never_begun():
    weighed = odds(free_throw, weighable(read_dice("4d6k3")), "")
    assert weighed.chance(lambda thrown: thrown.total == 18) == weighed.chance(lambda thrown: thrown.total >= 18)
    for heavy in ("100d1000", "50d6>=5", "10d100+10d100", "3d6!"):
        with pytest.raises(TypeError):
            odds(free_throw, weighable(read_dice(heavy)), "")


@pytest.mark.parametrize("typed", ["3d6+2", "4d6k3", "4d6dh1", "5d10>=7", "4d6k3>=5", "2d6*10-1d4", "2d4!", "2d4!>=3",
                                   "2d4!<=2", "3d4!k2", "3d4k2!", "3d4!kl1", "-1d6", "2d20kl", "3d6=6"])
def test_the_odds_of_what_is_written_are_those_of_throwing_it(typed, monkeypatch):
    monkeypatch.setattr("paravent.dice.notation._MOST_AGAIN", 3)
    assert d(typed) == odds(free_throw, read_dice(typed), typed).map(lambda thrown: thrown.total)


def test_what_is_written_is_weighed_however_heavy():
    assert d("100d100").mean() == 5050
    assert d("50d6k25").quantile(0.5) == 124
    assert float(round(d("5d6!").mean(), 6)) == 21.0
