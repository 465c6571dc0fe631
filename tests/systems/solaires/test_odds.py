"""Every probability that the digest lists, exactly; and what the figures say to players."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from paravent.dice import Odds, best, odds
from paravent.game import Rulings
from paravent.systems.solaires import SYSTEM
from paravent.systems.solaires.actions.action import Action, Payer, Terms, action, terms_of, throw_again
from paravent.systems.solaires.actions.attitude import Cells
from paravent.systems.solaires.actions.difficulty import opposed_difficulty
from paravent.systems.solaires.actions.facts import Attitude, Polarity, Preference
from paravent.systems.solaires.actions.particular import Environment, environment, opposition
from paravent.systems.solaires.facts import TABLES

BOOK = SYSTEM.book
NOTHING: Mapping[str, Any] = {}


def rulings_of(given: Mapping[str, Any]) -> Rulings:
    return BOOK.rulings({"edition": given.get("edition", "v4"), **given.get("options", {})})


def terms(given: Mapping[str, Any]) -> Terms:
    payers = (Payer("initiator", given["points"]),) if "points" in given else ()
    return terms_of(
        given["target"], rulings_of(given), attitude=Attitude(given.get("attitude", "stable")),
        preset=Attitude(given.get("preset", "stable")), effects=Cells(**given.get("effects", NOTHING)),
        unfavourable=given.get("unfavourable", 0), handicap=given.get("handicap", 0), payers=payers,
    )


def number_of(result: Action, polarity: Polarity) -> int:
    return sum(effect.polarity == polarity for effect in result.effects)


SEEN = {
    "success": lambda result: result.success,
    "kept": lambda result: result.kept,
    "quality": lambda result: result.quality,
    "negative": lambda result: number_of(result, Polarity.NEGATIVE),
    "positive": lambda result: number_of(result, Polarity.POSITIVE),
    "some_effect": lambda result: bool(result.effects),
    "favourable": lambda result: result.favourable,
    "extra_allowed": lambda result: result.extra_allowed,
}


def happens(event: Mapping[str, Any], result: Action | Environment) -> bool:
    return all(SEEN[name](result) == value for name, value in event.items())


def rolled(given: Mapping[str, Any], **policy: Any) -> Odds[Action]:
    return odds(action, terms(given), **policy)


def acted(given: Mapping[str, Any], event: Mapping[str, Any]) -> Fraction:
    return rolled(given).chance(lambda result: happens(event, result))


def success(target: int) -> Fraction:
    return acted({"target": target}, {"success": True})


def opposed(given: Mapping[str, Any], event: Mapping[str, Any]) -> Fraction:
    rulings = rulings_of(given)
    target = opposed_difficulty(tuple(given["defender"]), 0, rulings) + sum(given["attacker"])
    return odds(opposition, terms_of(target, rulings)).chance(lambda result: happens(event, result))


def turned(given: Mapping[str, Any], event: Mapping[str, Any]) -> Fraction:
    world = odds(environment, Preference(given["preference"]), (), rulings_of(given))
    return world.chance(lambda result: happens(event, result))


def played_best(given: Mapping[str, Any], event: Mapping[str, Any]) -> Fraction:
    """The best that the player can do, every choice searched; nobody else spends or vetoes anything."""
    return best(action, terms(given), goal=lambda result: happens(event, result), who=is_player).value


def is_player(who: str) -> bool:
    return who == "initiator"


def mean_rerolls(given: Mapping[str, Any], event: Mapping[str, Any]) -> Fraction:
    """How often a die is thrown again by one who plays for the success and, of equal plays, takes the cheapest."""
    at, trifle = terms(given), Fraction(1, 10**6)
    surest = best(action, at, goal=lambda result: result.success, who=is_player).value
    thrifty = best(action, at, goal=lambda r: Fraction(r.success) - trifle * sum(r.spent), who=is_player).value
    return (surest - thrifty) / trifle / at.reroll


def again(given: Mapping[str, Any], event: Mapping[str, Any]) -> Fraction:
    left = given["kept"] - (given["die"] == "kept")
    return odds(throw_again, left, (), terms(given)).chance(lambda result: happens(event, result))


def aid(given: Mapping[str, Any], event: Mapping[str, Any]) -> Fraction:
    row = TABLES["aid"].row(given["target"])
    return acted(given, {"success": row["of"] == "success"}) - Fraction(row["percent"], 100)


ASK = {
    "action": acted,
    "opposition": opposed,
    "environment": turned,
    "best": played_best,
    "mean_rerolls": mean_rerolls,
    "again": again,
    "series": lambda given, event: acted(given, {"success": True}) ** given["times"],
    "aid": aid,
    "gain": lambda given, event: success(given["to"]) - success(given["from"]),
    "mean_kept": lambda given, event: rolled(given).mean(lambda result: result.kept),
}


@pytest.mark.parametrize(
    "row", [
        pytest.param(row, id=row["id"], marks=[
            pytest.mark.listed_odds(row["id"]),
            *(pytest.mark.option(key, value) for key, value in row["given"].get("options", NOTHING).items()),
        ])
        for row in BOOK.listed_odds
    ],
)
def test_a_listed_chance_is_exact(row: Mapping[str, Any]) -> None:
    exact = Fraction(row["exact"])
    assert ASK[row["ask"]](row["given"], row.get("event", NOTHING)) == exact
    assert f"{float(exact):.6f}" == row["approx"]


@pytest.mark.parametrize(
    "printed", [pytest.param(t, marks=pytest.mark.listed_odds(t["id"]), id=t["id"]) for t in BOOK.odds_tables]
)
def test_a_listed_table_is_exact_cell_by_cell(printed: Mapping[str, Any]) -> None:
    for target, *cells in printed["rows"]:
        weighed = rolled({**printed["given"], "target": target})
        for kept, cell in zip(printed["values"], cells, strict=True):
            assert weighed.chance(lambda result, kept=kept: result.kept == kept) == Fraction(cell, printed["out_of"])


# What the figures say


@pytest.mark.rules("SOL-043", "SOL-044")
def test_either_edition_succeeds_as_often_within_the_reach_of_the_dice() -> None:
    for target in range(1, 6):
        v4, v5 = (acted({"edition": name, "target": target}, {"success": True}) for name in ("v4", "v5"))
        assert v4 == v5


@pytest.mark.rules("SOL-046", "SOL-050")
def test_no_attitude_changes_the_chance_of_success() -> None:
    for target in range(-2, 9):
        chances = {acted({"target": target, "attitude": name}, {"success": True}) for name in Attitude}
        assert len(chances) == 1


@pytest.mark.rules("SOL-061", "SOL-062")
def test_a_handicapping_state_never_changes_the_chance_of_success() -> None:
    for target in range(-2, 9):
        chances = {acted({"edition": "v5", "target": target, "handicap": n}, {"success": True}) for n in range(4)}
        assert len(chances) == 1


@pytest.mark.rules("SOL-045")
def test_the_aid_is_never_more_than_one_per_cent_off() -> None:
    for target in TABLES["aid"].column("percent"):
        assert 0 <= aid({"edition": "v5", "target": target}, NOTHING) < Fraction(1, 100)


@pytest.mark.rules("SOL-117")
def test_points_never_hurt_a_player_who_plays_well() -> None:
    for target in range(1, 6):
        chances = [played_best({"target": target, "points": points}, {"success": True}) for points in (0, 1, 2, 3, 4)]
        assert chances[0] == chances[1] < chances[2] == chances[3] < chances[4]


@pytest.mark.rules("SOL-117")
def test_a_kept_die_is_worth_throwing_again_only_to_change_the_side_effect() -> None:
    """With three kept in an action that three kept dice spoil, a player may want one die less."""
    spoiled = {"edition": "v5", "target": 3, "points": 2, "effects": {"kept_3": "the alarm rings"}}
    clean = {"success": True, "negative": 0}
    assert played_best(spoiled, clean) > acted({**spoiled, "points": 0}, clean)
