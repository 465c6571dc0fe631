"""The resolution against a plain reading of the books, written apart from it; and what must hold whatever is asked."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paravent.dice import ByHand, Choice, ScriptedDice, odds, play
from paravent.game import RuleError
from paravent.systems.solaires import SYSTEM
from paravent.systems.solaires.actions.action import Action, Payer, action, terms_of
from paravent.systems.solaires.actions.attitude import Cells
from paravent.systems.solaires.actions.elements import Used, check_elements
from paravent.systems.solaires.actions.facts import Attitude, Preference
from paravent.systems.solaires.actions.particular import environment
from paravent.systems.solaires.points.rules import Points, recovered

QUIETLY = settings(derandomize=True, deadline=None, max_examples=150)
BOTH = {name: SYSTEM.book.rulings({"edition": name}) for name in ("v4", "v5")}
FACES = st.tuples(*[st.integers(1, 6)] * 3)
PATTERNS = {
    "stable": {}, "softened": {2: "counter_negative", 1: "counter_positive"},
    "amplified": {3: "side_positive", 0: "side_negative"},
    "unstable": {3: "side_positive", 2: "counter_negative", 1: "counter_positive", 0: "side_negative"},
}


def by_the_book(
    edition: str, target: int, faces: tuple[int, ...], pattern: str, cells: tuple[str, ...], bad: int, state: int
) -> tuple[bool, int, list[str]]:
    """Success, dice kept, side effects: as the two texts say it, with nothing of ours."""
    if edition == "v5" and target <= 0:
        return False, 0, []
    if edition == "v5" and target >= 6:
        return True, 3, []
    kept = len([face for face in faces if face <= target])
    effects = []
    if kept in PATTERNS[pattern]:
        effects.append(("attitude:" if edition == "v4" else "gm:") + PATTERNS[pattern][kept])
    if edition == "v4":
        effects += ["handicap:negative"] * bad
    else:
        effects += [f"gm:negative:{cells[kept]}"] if cells[kept] else []
        effects += ["handicap:negative"] if state and not kept > state else []
    return kept >= 2, kept, effects


def resolved(
    edition: str, target: int, faces: tuple[int, ...], pattern: str, cells: tuple[str, ...], bad: int, state: int,
    payers: tuple[Payer, ...] = (), answer: Any = None,
) -> Action:
    if edition == "v4":
        said: dict[str, Any] = {"attitude": Attitude(pattern), "unfavourable": bad}
    else:
        said = {"preset": Attitude(pattern), "effects": Cells(*cells), "handicap": state}
    terms = terms_of(target, BOTH[edition], payers=payers, **said)
    return play(action, terms, dice=ScriptedDice(*faces if 0 < target < 6 else (), answer=answer)).result


@pytest.mark.rules("SOL-041", "SOL-042", "SOL-043", "SOL-044", "SOL-050", "SOL-052", "SOL-053", "SOL-060", "SOL-062")
@given(st.sampled_from(["v4", "v5"]), st.integers(-8, 14), FACES, st.sampled_from(sorted(PATTERNS)),
       st.tuples(*[st.sampled_from(["", "alarme", "fuite"])] * 4), st.integers(0, 2), st.integers(0, 3))
@QUIETLY
def test_the_resolution_is_what_the_books_say(
    edition: str, target: int, faces: tuple[int, ...], pattern: str, cells: tuple[str, ...], bad: int, state: int
) -> None:
    done = resolved(edition, target, faces, pattern, cells, bad, state)
    told = (done.success, done.kept, [effect.tag for effect in done.effects])
    assert told == by_the_book(edition, target, faces, pattern, cells, bad, state)
    assert done.rolled == (0 < target < 6)


@pytest.mark.rules("SOL-117")
@given(st.sampled_from(["v4", "v5"]), st.integers(1, 5), FACES, st.sampled_from(sorted(PATTERNS)),
       st.lists(st.tuples(st.integers(0, 2), st.integers(1, 6)), max_size=4))
@QUIETLY
def test_dice_thrown_again_count_as_they_now_lie(
    edition: str, target: int, faces: tuple[int, ...], pattern: str, rerolls: list[tuple[int, int]]
) -> None:
    now, left = list(faces), iter(rerolls)
    for die, face in rerolls:
        now[die] = face

    def answer(choice: Choice) -> Any:
        if choice.key != "spend":
            return False
        die = next(left, None)
        return "stop" if die is None else ByHand((die[0] + 1,))

    points = 2 * len(rerolls)
    thrown = (*faces, *(face for _, face in rerolls))
    done = resolved(edition, target, thrown, pattern, ("",) * 4, 1, 2, (Payer("initiator", points),), answer)
    told = (done.success, done.kept, [effect.tag for effect in done.effects])
    assert told == by_the_book(edition, target, tuple(now), pattern, ("",) * 4, 1, 2)
    assert done.spent == (points,)


ELEMENTS = st.builds(
    Used, st.integers(1, 3), st.booleans(), st.sampled_from(["", "bosco", "filin", "ship"]),
    unfavourable=st.booleans(), category=st.just("trait"), name=st.sampled_from(["A", "B"]),
    off_topic=st.just(False),
).map(lambda used: used._replace(is_thing=used.owner == "ship"))


def is_allowed(edition: str, used: list[Used]) -> bool:
    """Two at most, not twice the same; a second one if the action is typical; who may lend, and how much."""
    if len(used) > 2 or len({(one.owner, one.name) for one in used}) < len(used):
        return False
    people = [one.owner for one in used if one.owner in ("bosco", "filin")]
    if len(set(people)) < len(people):
        return False
    if edition == "v5" and any(one.unfavourable for one in used):
        return False
    if edition == "v5":
        return len(used) < 2 or any(one.typical for one in used)
    if used and not any(one.owner == "" for one in used):
        return False
    if any(one.is_thing for one in used):
        return False
    return len(used) < 2 or any(one.typical and one.owner == "" for one in used)


@pytest.mark.rules("SOL-032", "SOL-033", "SOL-034", "SOL-036", "SOL-070")
@given(st.sampled_from(["v4", "v5"]), st.lists(ELEMENTS, max_size=3))
@QUIETLY
def test_elements_are_allowed_as_the_books_say_in_any_order(edition: str, used: list[Used]) -> None:
    for order in (used, used[::-1]):
        try:
            check_elements(tuple(order), BOTH[edition])
            allowed = True
        except RuleError:
            allowed = False
        assert allowed == is_allowed(edition, used)


@pytest.mark.rules("SOL-109")
@given(st.integers(0, 12), st.integers(0, 12), st.integers(0, 5))
@QUIETLY
def test_a_recovery_never_lowers_nor_passes_the_maximum(points: int, most: int, gain: int) -> None:
    after = recovered(Points(points, most), gain)
    assert after.max_points == most
    assert points <= after.points <= max(points, most)
    assert after.points == max(points, min(points + gain, most))


@pytest.mark.rules("SOL-081", "SOL-082")
def test_the_world_turns_as_often_as_an_action_succeeds() -> None:
    for preference, target in zip(Preference, (2, 3, 4), strict=True):
        world = odds(environment, preference, (), BOTH["v4"])
        acted = odds(action, terms_of(target, BOTH["v4"]))
        assert world.chance(lambda seen: seen.favourable) == acted.chance(lambda done: done.success)
        assert world.chance(lambda seen: seen.extra_allowed) == acted.chance(lambda done: done.kept in (0, 3))
