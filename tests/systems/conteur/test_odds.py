"""Every probability that the digest lists, exactly; and what the figures say to players."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from paravent.dice import Chain, Odds, ScriptedDice, best, odds
from paravent.game import Rulings
from paravent.systems.conteur import SYSTEM
from paravent.systems.conteur.rolls.announce import action_of
from paravent.systems.conteur.rolls.complex import Progress, progress
from paravent.systems.conteur.rolls.faces import kinds_against
from paravent.systems.conteur.rolls.opposed import opposed
from paravent.systems.conteur.rolls.pool import Action, throw
from paravent.systems.conteur.rolls.roll import Roll, every_right, no_right, roll, terms_of

BOOK = SYSTEM.book
POLICIES = {"all": every_right, "none": no_right}


def rulings_of(given: Mapping[str, Any]) -> Rulings:
    return BOOK.rulings(given.get("options", {}))


def rolled(given: Mapping[str, Any]) -> Odds[Roll]:
    terms = terms_of(given["dice"], given["attribute"], 1, rulings_of(given))
    return odds(roll, 0, terms, policy=POLICIES[given["policy"]])


def reach(given: Mapping[str, Any]) -> Fraction:
    terms = terms_of(given["dice"], given["attribute"], given["reach"], rulings_of(given))
    luck = given.get("luck", 0)
    if given["policy"] != "best":
        return odds(roll, luck, terms, policy=POLICIES[given["policy"]]).chance(lambda r: r.passed)
    found = best(roll, luck, terms, goal=lambda r: r.passed).value
    if not luck:
        # Nobody does better than spending rights on failures until the goal is reached: that is the usual policy.
        assert odds(roll, 0, terms).chance(lambda r: r.passed) == found
    return found


def shows(given: Mapping[str, Any]) -> Fraction:
    first = odds(lambda dice: dice.counts(given["dice"], kinds_against(5)))
    return first.chance(lambda kinds: kinds[0] >= given["ones"] and kinds[3] >= given["tens"])


def opposed_chance(given: Mapping[str, Any]) -> Fraction:
    a, b = (Action(attribute=given[side]["attribute"], dice=given[side]["dice"]) for side in "ab")
    result = odds(opposed, a, 0, b, 0, rulings_of(given), policy=POLICIES[given["policy"]])
    winner = {"a_wins": "initiator", "tie": "nobody"}[given["event"]]
    return result.chance(lambda duel: duel.winner == winner)


def done_by_turn(given: Mapping[str, Any]) -> Fraction:
    chain = Chain(progress, Progress(0, False), given["dice"], given["attribute"], given["difficulty"],
                  given.get("simultaneous", 0), rulings_of(given), over=lambda at: at.done)
    return chain.after(given["by_turn"]).chance(lambda at: at.done)


def on_sheet(given: Mapping[str, Any], difficulty: int = 1) -> tuple[Action, int, int, Rulings]:
    form = {name: given[name] for name in ("attribute", "skill", "energy", "physical")}
    ctx = SYSTEM.context("throw", {"initiator": [form]})
    return action_of(ctx, ctx.one()), difficulty, 0, rulings_of(given)


def sheet_reach(given: Mapping[str, Any]) -> Fraction:
    return best(throw, *on_sheet(given, given["reach"]), goal=lambda r: r.passed).value


def blackout(given: Mapping[str, Any]) -> Fraction:
    return odds(throw, *on_sheet(given), policy=POLICIES[given["policy"]]).chance(lambda r: r.unconscious)


ASK = {
    "reach": reach,
    "shows": shows,
    "standing_ten": lambda given: rolled(given).chance(lambda r: r.standing_tens > 0),
    "raw": lambda given: rolled(given).chance(lambda r: r.raw == given["raw"]),
    "successes": lambda given: rolled(given).chance(lambda r: given["least"] <= r.successes <= given["most"]),
    "mean_raw": lambda given: rolled(given).mean(lambda r: r.raw),
    "opposed": opposed_chance,
    "complex": done_by_turn,
    "sheet_reach": sheet_reach,
    "blackout": blackout,
    "gain": lambda given: reach({**given, "dice": given["dice"] + given["extra"]}) - reach(given),
}


def listed() -> list[Any]:
    rows = []
    for row in BOOK.listed_odds:
        marks = [pytest.mark.listed_odds(row["id"])]
        marks += [pytest.mark.option(key, value) for key, value in row["given"].get("options", {}).items()]
        rows.append(pytest.param(row, marks=marks, id=row["id"]))
    return rows


@pytest.mark.parametrize("row", listed())
def test_a_listed_chance_is_exact(row: Mapping[str, Any]) -> None:
    exact = Fraction(row["exact"])
    assert ASK[row["ask"]](row["given"]) == exact
    assert f"{float(exact):.6f}" == row["approx"]


@pytest.mark.parametrize(
    "printed", [pytest.param(t, marks=pytest.mark.listed_odds(t["id"]), id=t["id"]) for t in BOOK.odds_tables]
)
def test_a_listed_table_is_exact_cell_by_cell(printed: Mapping[str, Any]) -> None:
    for key, *cells in printed["rows"]:
        for across, cell in zip(printed["values"], cells, strict=True):
            given = {**printed["given"], printed["key"]: key, printed["across"]: across}
            assert reach(given) == Fraction(cell), given


# What the figures say


@pytest.mark.rules("D10-004", "D10-015")
def test_at_attribute_9_one_more_die_can_hurt() -> None:
    ctx = SYSTEM.context("odds-helper", {"initiator": [{"attribute": 9, "dice": 6}]})
    step = ctx.move.resolves[0]
    found = step.call(ctx).on(ScriptedDice())
    assert found.chances[:4] == ("9/10", "81/100", "243/250", "9477/10000")
    assert found.hurts == (2, 4, 6)
    assert found.best == 5
    keys = [telling.key for telling in step.tell(ctx, found)]
    assert keys.count("outcomes.told_hurts") == 3


def test_at_attribute_8_one_and_two_dice_are_equal_and_at_7_more_never_hurt() -> None:
    for attribute, difficulty in [(8, 1), *((a, d) for a in range(1, 8) for d in (1, 2, 3))]:
        found = [reach({"dice": n, "attribute": attribute, "reach": difficulty, "policy": "best"}) for n in range(1, 9)]
        if attribute == 8:
            assert found[0] == found[1] == Fraction(4, 5)
        else:
            assert found == sorted(found)


def test_without_rerolls_each_die_is_worth_a_tenth_of_the_attribute_less_one() -> None:
    for number in (1, 4, 7):
        for attribute in range(1, 10):
            free = rolled({"dice": number, "attribute": attribute, "policy": "none"})
            assert free.mean(lambda r: r.raw) == Fraction(number * (attribute - 1), 10)


def test_best_play_without_luck_equals_the_usual_play_for_small_pools() -> None:
    """Every legal choice searched, rerolling successes included: nothing does better."""
    for number in range(1, 5):
        for attribute in range(1, 10):
            for goal in range(1, number + 1):
                reach({"dice": number, "attribute": attribute, "reach": goal, "policy": "best"})


def test_luck_never_hurts_a_player_who_plays_well() -> None:
    for points in range(3):
        question = {"dice": 4, "attribute": 5, "reach": 2, "policy": "best"}
        fewer, more = (reach({**question, "luck": luck}) for luck in (points, points + 1))
        assert fewer < more


@pytest.mark.rules("D10-019", "D10-022")
def test_a_complex_action_is_foreseen_turn_by_turn() -> None:
    form = {"initiator": [{"attribute": 5, "dice": 3}], "gm": [{"difficulty": 2}]}
    ctx = SYSTEM.context("start-complex-action", form)
    assert ctx.move.forecast is not None
    ahead = ctx.move.forecast(ctx)
    assert ahead.odds["turn_1"] == Fraction(449, 1000)
    assert ahead.odds["turn_1"] + ahead.odds["turn_2"] == Fraction(243651, 312500)
    assert sum(ahead.odds.values()) == 1
    assert 1 < ahead.mean_steps < 3
    assert ahead.lines[0].values == {"turn": 1, "whole": 44, "tenth": 9}


def test_an_action_that_can_never_be_done_says_so() -> None:
    ctx = SYSTEM.context("start-complex-action", {
        "initiator": [{"attribute": 5, "dice": 1}], "gm": [{"difficulty": 2, "simultaneous": 1}]})
    assert ctx.move.forecast is not None
    ahead = ctx.move.forecast(ctx)
    assert dict(ahead.odds) == {"never": 1}
    assert ahead.mean_steps is None


@pytest.mark.rules("D10-023")
def test_best_play_of_one_side_leaves_the_other_its_own_play() -> None:
    form = {"initiator": [{"attribute": 5, "dice": 2}], "opponent": [{"attribute": 5, "dice": 2, "luck": 2}]}
    ctx = SYSTEM.context("opposed-roll", form)
    step = ctx.move.resolves[0]
    usual, well = (step.odds(ctx, policy).chance(step.success) for policy in ("usual", "best") if step.success)
    assert usual == Fraction(82979, 250000)
    assert usual <= well < Fraction(2, 5)
