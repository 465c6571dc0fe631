"""Faces typed by hand are as many as the dice thrown, and the refusal says which way they are not."""

import pytest

from paravent.dice import TypedDice
from paravent.dice.errors import DiceLeftOver, TooFewDice


@pytest.mark.parametrize(("typed", "refusal"), [((3,), TooFewDice), ((3, 4, 5), DiceLeftOver)])
def test_too_few_and_too_many_faces_are_refused_each_in_its_words(typed, refusal):
    with pytest.raises(refusal):
        TypedDice(lambda wanted: typed).sum(2, 6)


def test_as_many_faces_as_dice_are_taken():
    assert TypedDice(lambda wanted: (3, 4)).sum(2, 6) == 7
