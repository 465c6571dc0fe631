"""What a rule cannot give is refused by its name, with what to do instead, for those who read a traceback."""

import pytest

from paravent.dice import Dice, odds
from paravent.dice.errors import EndlessRule, NotKept


def listed(dice: Dice) -> list[int]:
    return sorted(dice.pool(3, 6))


def of_many(dice: Dice, faces: list[int]) -> bool:
    return dice.sum(1, 6) in faces


def stumbles(dice: Dice) -> int:
    return {[]: 1}[dice.sum(1, 6)]  # type: ignore[index]


@pytest.mark.parametrize(("asked", "rule"), [
    (lambda: odds(listed), "listed"),
    (lambda: odds(lambda dice: sum(dice.resolve(listed))), "listed"),
    (lambda: odds(of_many, [1, 2]), "of_many"),
    (lambda: odds(listed, within=1e-3), "listed"),
])
def test_a_list_is_no_result_and_no_input_and_the_rule_is_named(asked, rule):
    with pytest.raises(NotKept) as refused:
        asked()
    assert (refused.value.values["rule"], refused.value.values["got"]) == (rule, "list")
    assert str(refused.value).endswith("(a tuple, a frozenset, a sorted tuple of pairs)")


def test_what_a_rule_s_own_code_stumbles_over_is_its_own():
    with pytest.raises(TypeError, match="unhashable"):
        odds(stumbles)


def test_a_rule_without_end_says_what_gives_its_odds_all_the_same():
    def for_ever(dice: Dice) -> int:
        while dice.sum(1, 6) != 6:
            pass
        return 1

    with pytest.raises(EndlessRule, match=r"within=1e-6"):
        odds(for_ever)
