"""Simulacres: every listed probability that is not combat, found again from the rules themselves."""

from fractions import Fraction

import pytest

from paravent.dice import Dice, odds
from paravent.systems.simulacres import SYSTEM
from paravent.systems.simulacres.care.health import CareSkill, Dressing, Session, dress, therapy
from paravent.systems.simulacres.checks.check import Check, check
from paravent.systems.simulacres.checks.compare import last_chance
from paravent.systems.simulacres.checks.conflict import resist, resist_difficulty, will, will_modifier
from paravent.systems.simulacres.checks.duel import Side, Winner, duel
from paravent.systems.simulacres.people.cast import keeps_leaning
from paravent.systems.simulacres.terms import Quality, Rank

RULINGS = SYSTEM.book.rulings()


def weighed(given, rulings=RULINGS):
    return odds(check, given["value"], Rank(given.get("rank", "none")), rulings)


def fought(given):
    sides = [Side(given[side]["value"], Rank(given[side].get("rank", "none"))) for side in "ab"]
    return odds(duel, *sides, RULINGS).map(lambda done: done.winner)


def until_won(given):
    both = fought(given)
    return both[Winner(given["outcome"])] / (both[Winner.A] + both[Winner.B])


def inner_conflict(dice: Dice, aggressor: int | None, resists: int, wills: int | None) -> str:
    """A whole conflict, as the moves play it one after another: the aggressor's test if there is one, both phases."""
    margin = None
    if aggressor is not None:
        attack = dice.of("opponent").resolve(check, aggressor, Rank.NONE, RULINGS)
        if not attack.success:
            return "nothing_to_resist"
        margin = attack.margin
    first = dice.resolve(resist, resists + resist_difficulty(0, margin), wills is not None, RULINGS)
    if first.check.success:
        return "resisted"
    if wills is None:
        return "succumbs"
    second = dice.resolve(will, wills + will_modifier(first.check.margin, 0), RULINGS)
    return "by_will" if second.success else "succumbs"


def conflict(given):
    wills = given.get("will") if given.get("aware", True) else None
    ends = odds(inner_conflict, given.get("aggressor"), given["resist"], wills)
    wanted = {"resists": {"nothing_to_resist", "resisted", "by_will"}}.get(given["outcome"], {given["outcome"]})
    return ends.chance(lambda end: end in wanted)


def dressed(given):
    wound = Dressing(given["base"], CareSkill(given["skill"]), given["missing"], given.get("precision", 0))
    return odds(dress, wound, RULINGS).chance(lambda done: done.success)


def treated(given):
    rulings = SYSTEM.book.rulings({"therapy_relief": given["relief"], "therapy_unskilled": "zero"})
    session = Session(given["carer"], given["patient"], given["missing"], skilled=False)
    return odds(therapy, session, rulings).chance(lambda done: done.regained)


def any_critical(dice: Dice, tests: int) -> bool:
    if tests == 0:
        return False
    thrown = dice.resolve(check, 8, Rank.NONE, RULINGS)
    return thrown.critical or dice.resolve(any_critical, tests - 1)


def success(given):
    return weighed(given).chance(lambda done: done.success)


ASK = {
    "success": success,
    "failure_margin": lambda given: weighed(given).chance(
        lambda done: not done.success and done.margin >= given["at_least"]
    ),
    "margin": lambda given: weighed(given).chance(lambda done: done.success and done.margin >= given["at_least"]),
    "expected_margin": lambda given: weighed(given).given(lambda done: done.success).mean(lambda done: done.margin),
    "gain": lambda given: success({"value": given["end"]}) - success({"value": given["start"]}),
    "series": lambda given: success(given) ** given["times"],
    "duel": lambda given: fought(given)[Winner(given["outcome"])],
    "duel_repeated": until_won,
    "inner_conflict": conflict,
    "dressing": dressed,
    "therapy": treated,
    "last_chance": lambda given: odds(last_chance, given["sum"], 0, RULINGS).chance(lambda done: done.saved),
    "leaning": lambda given: odds(keeps_leaning, given.get("value"), 0, RULINGS)[True],
    "any_critical": lambda given: odds(any_critical, given["tests"])[True],
}

OURS = [row for row in SYSTEM.book.listed_odds if row["ask"] in ASK]


@pytest.mark.parametrize(
    "row", [pytest.param(row, id=row["id"], marks=pytest.mark.listed_odds(row["id"])) for row in OURS]
)
def test_the_listed_odds(row):
    given = row["given"] if isinstance(row["given"], list) else [row["given"]]
    assert [ASK[row["ask"]](one) for one in given] == [Fraction(exact) for exact in row["exact"]]


TABLES = {row["id"]: row for row in SYSTEM.book.odds_tables}


@pytest.mark.listed_odds("SIM-9.1")
@pytest.mark.option("criticals", "off")
def test_success_by_value_with_and_without_criticals():
    table = TABLES["SIM-9.1"]
    for criticals, *ways in table["rows"]:
        rulings = SYSTEM.book.rulings({"criticals": criticals})
        for column, count in zip(table["columns"][1:], ways, strict=True):
            values = {"max_2": (-3, 0, 1, 2), "min_13": (13, 14, 20)}.get(column) or (int(column),)
            for value in values:
                found = odds(check, value, Rank.NONE, rulings).chance(lambda done: done.success)
                assert found == Fraction(count, table["out_of"]), (criticals, value)


@pytest.mark.listed_odds("SIM-9.2")
def test_quality_by_value():
    table = TABLES["SIM-9.2"]
    for value, *ways in table["rows"]:
        found = odds(check, value, Rank.NONE, RULINGS).map(lambda done: done.quality)
        assert [found[Quality(name)] * 36 for name in table["columns"][1:]] == ways


@pytest.mark.listed_odds("SIM-9.3")
def test_duels_without_a_skill():
    for a, b, *ways in TABLES["SIM-9.3"]["rows"]:
        found = fought({"a": {"value": a}, "b": {"value": b}})
        assert [found[winner] * 1296 for winner in Winner] == ways


def test_a_sum_of_two_is_a_double_one_and_of_twelve_a_double_six():
    found = odds(check, 8, Rank.NONE, RULINGS)
    assert found[Check(True, 6, True)] == found[Check(False, 4, True)] == Fraction(1, 36)
