"""The roll against a plainer one: faces in a list, nothing counted, nothing merged."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paravent.dice import ByHand, NotAnOption, RecordedDice, ScriptedDice, SeededDice, odds, play
from paravent.systems.conteur import SYSTEM
from paravent.systems.conteur.rolls.roll import every_right, no_right, roll, terms_of

RULINGS = SYSTEM.book.rulings()


def plainly(faces: list[int], attribute: int, goal: int, more: list[int]) -> tuple[int, int]:
    """Raw total and standing 10s by the book, die by die: rights go to the first failure until the goal is reached."""
    target = max(1, min(9, attribute))
    pairs = min(faces.count(1), faces.count(10))
    lying = [face for face in faces if face not in (1, 10)]
    rights = faces.count(1) - pairs
    lying += [1] * rights + [10] * (faces.count(10) - pairs)
    more = list(more)

    def raw() -> int:
        return sum(face <= target for face in lying) - lying.count(10)

    while rights and raw() < goal and any(target < face < 10 for face in lying):
        at = next(i for i, face in enumerate(lying) if target < face < 10)
        lying[at] = more.pop(0)
        rights += (lying[at] == 1) - 1
    return raw(), lying.count(10)


@pytest.mark.rules("D10-003", "D10-009", "D10-010", "D10-011", "D10-012", "D10-013", "D10-014")
@settings(derandomize=True, deadline=None, max_examples=300)
@given(
    faces=st.lists(st.integers(1, 10), min_size=1, max_size=8),
    attribute=st.integers(1, 10),
    goal=st.integers(1, 5),
    more=st.lists(st.integers(1, 10), min_size=16, max_size=16),
)
def test_counting_kinds_gives_what_reading_faces_gives(
    faces: list[int], attribute: int, goal: int, more: list[int]
) -> None:
    dice = ScriptedDice(*faces, *more)
    result = dice.resolve(roll, 0, terms_of(len(faces), attribute, goal, RULINGS))
    assert (result.raw, result.standing_tens) == plainly(faces, attribute, goal, more)
    assert result.successes == max(0, result.raw)
    assert result.passed == (result.raw >= goal)


@pytest.mark.parametrize("attribute", [1, 5, 9])
@pytest.mark.parametrize("goal", [1, 2])
def test_odds_equal_every_pair_of_faces_written_out(attribute: int, goal: int) -> None:
    """Two dice and at most two rerolls: 10⁴ equally likely scenes, each read face by face."""
    scenes = Counter(
        plainly([a, b], attribute, goal, [c, d]) for a, b, c, d in product(range(1, 11), repeat=4)
    )
    weighed = odds(roll, 0, terms_of(2, attribute, goal, RULINGS)).map(lambda r: (r.raw, r.standing_tens))
    assert dict(weighed) == {seen: Fraction(ways, 10**4) for seen, ways in scenes.items()}


@settings(derandomize=True, deadline=None, max_examples=60)
@given(seed=st.integers(0, 10**6), dice=st.integers(1, 8), attribute=st.integers(1, 10), luck=st.integers(0, 4))
def test_a_roll_with_luck_replays_from_its_record(seed: int, dice: int, attribute: int, luck: int) -> None:
    def eager(choice: object) -> object:
        options = choice.options  # type: ignore[attr-defined]
        return options[-1]

    played = play(roll, luck, terms_of(dice, attribute, 2, RULINGS), dice=SeededDice(seed, eager))
    assert RecordedDice(played.record).resolve(roll, luck, terms_of(dice, attribute, 2, RULINGS)) == played.result
    assert played.result.luck_spent <= luck


@pytest.mark.rules("D10-030", "D10-031", "D10-032")
def test_luck_is_thrown_once_and_its_dice_are_kept() -> None:
    terms = terms_of(3, 5, 3, RULINGS)
    dice = ScriptedDice(7, 8, 9, 1, 6, answer=["luck", ByHand((1, 2)), ByHand((2,))])
    with pytest.raises(NotAnOption) as refusal:
        play(roll, 3, terms, dice=dice)
    assert refusal.value.values["rule"] == "D10-031"
    words = SYSTEM.words.error("fr", refusal.value)
    assert "D10-031" in words


@pytest.mark.rules("D10-030")
def test_a_player_may_think_better_of_luck() -> None:
    terms = terms_of(2, 5, 2, RULINGS)
    result = play(roll, 2, terms, dice=ScriptedDice(1, 8, 3, answer=["luck", "no_luck", ByHand((2,))])).result
    assert (result.raw, result.luck_spent) == (2, 0)


def test_policies_differ_where_they_should() -> None:
    terms = terms_of(5, 5, 2, RULINGS)
    usual, every, none = (
        odds(roll, 0, terms, **({"policy": policy} if policy else {})) for policy in (None, every_right, no_right)
    )
    assert usual.chance(lambda r: r.passed) > every.chance(lambda r: r.passed) > none.chance(lambda r: r.passed)
    assert every.mean(lambda r: r.raw) > usual.mean(lambda r: r.raw)
