"""Empire galactique: every listed probability of play, found again from the rules themselves."""

from collections import defaultdict
from fractions import Fraction

import pytest

from paravent.dice import Dice, odds
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.actions.action import (
    Column,
    Difficulty,
    attempts,
    characteristic_roll,
    dice_of,
    evasion_roll,
    roll_under,
    with_extra,
)
from paravent.systems.empire.actions.quick import qualities, quick_action
from paravent.systems.empire.fights.combat import Attacker, Attitude, Height, exchange, one_against_many
from paravent.systems.empire.fights.duel import Stance, free_blow
from paravent.systems.empire.fights.holds import Grip, break_free, break_free_threshold, hold
from paravent.systems.empire.fights.shooting import Aimed, Band, blast_damage, range_dice, shoot
from paravent.systems.empire.fights.wounds import Piece, armour_at, fall, infection, shape_after
from paravent.systems.empire.minds.psi import power_of, psi_dice, retreat, telepaths_duel
from paravent.systems.empire.people.creation import (
    Guild,
    acquisition,
    destiny_roll,
    entrance_exam,
    pool,
    skill_number,
    starting_money,
    survival_roll,
)
from paravent.systems.empire.people.referee import loyalty
from paravent.systems.empire.people.survival import privation_dice
from paravent.systems.empire.terms import TABLES, Side
from paravent.systems.empire.words.speech import Manner, argue, state_after
from paravent.systems.empire.words.talents import administration, command, hypnosis, language_days

RULINGS = SYSTEM.book.rulings()
ROWS = {row["id"]: row for row in SYSTEM.book.listed_odds if row["id"].startswith("EMP-")}


def asked_quick(given, rulings):
    done = odds(quick_action, Fraction(given["quality"]), given["difficulty"], "", rulings)
    return done.chance(lambda one: one.result == given["result"] if "result" in given else one.success)


def asked_qualities(given, rulings):
    least = given.get("both_at_least")
    return odds(qualities).chance(lambda two: min(two) >= least if least else max(two) >= given["one_at_least"])


def asked_acquisition(given, rulings):
    learnt = odds(acquisition, given["required"], rulings)
    return learnt[given["levels"]] if "levels" in given else learnt.chance(lambda n: n >= given["at_least"])


def asked_years(given, rulings):
    """Levels gained in so many school years: skills by skills where the cap of six counts, in a heap where not."""
    learnt = odds(acquisition, given["required"], rulings)
    skills, cap = (6, 6) if given.get("capped") else (1, 99)
    states = {(0,) * skills: Fraction(1)}
    for _ in range(given["years"]):
        following: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
        for state, chance in states.items():
            for at in range(skills):
                for levels in (0, 1, 2):
                    after = list(state)
                    after[at] = min(cap, after[at] + levels)
                    following[tuple(sorted(after))] += chance * learnt[levels] / skills
        states = following
    return sum(chance for state, chance in states.items() if sum(state) >= given["at_least"])


def asked_skill(given, rulings):
    once = odds(skill_number, Guild(given["guild"]))[given["skill"]]
    return 1 - (1 - once) ** given["years"]


def asked_learn(given, rulings):
    limit = given["characteristic"] + given["level"]
    first = under(given["dice"], limit)
    again = odds(destiny_roll, given["dice"], given["characteristic"], given["level"], rulings)
    return first * again.chance(lambda done: done.levels == 1)


def under(count, limit):
    return odds(roll_under, count, limit).chance(lambda rolled: rolled.success)


def first_roll(dice: Dice) -> int:
    """The tie-break thrown once: who wins, 0 for a tie."""
    mine, theirs = dice.sum(2, 6), dice.sum(2, 6)
    return 0 if mine == theirs else 1 if mine > theirs else 2


ABOUT = {
    "b_hurt": lambda found: found.chance(lambda done: done.to_b > 0),
    "a_hurt": lambda found: found.chance(lambda done: done.to_a > 0),
    "nobody": lambda found: found.chance(lambda done: done.to_a == done.to_b == 0),
    "mean_b": lambda found: found.mean(lambda done: done.to_b),
    "mean_a": lambda found: found.mean(lambda done: done.to_a),
}


def asked_exchange(rule, attitudes):
    def ask(given, rulings):
        args = [part for side in (given["a"], given["b"])
                for part in (attitudes(side["attitude"]), Stance(side["threshold"], side["dice"], side["letter"]))]
        return ABOUT[given["about"]](odds(rule, *args, rulings))

    return ask


def asked_blow(given, rulings):
    struck = odds(free_blow, Stance(given["threshold"], given["dice"], given["letter"]), rulings)
    if "over" in given:
        armour = armour_at([Piece(given["over"])], "torso", rulings)
        return struck.chance(lambda done: done.to_b > armour)
    shapes = ("stunned", "knocked_out")[("stunned", "knocked_out").index(given["shape"]):]
    return struck.chance(lambda done: shape_after(done.to_b, given["resistance"]) in shapes)


def asked_argument(given, rulings):
    struck = odds(free_blow, Stance(given["threshold"], given["dice"], "A"), rulings)
    full, states = given["resistance"], {"shaken": ("shaken", "convinced", "blinded"),
                                         "convinced": ("convinced", "blinded")}[given["state"]]
    return struck.chance(lambda done: state_after(full, full, done.to_b, rulings) in states)


def asked_many(given, rulings):
    harmless = Attacker(Stance(2, 3, "C"), Attitude.ATTACK, Attitude.ATTACK)
    lone = Stance(given["threshold"], given["dice"], "C")
    fought = odds(one_against_many, lone, (harmless,) * given["faced"], True, rulings)
    return fought.chance(lambda faced: faced[-1].faced)


def asked_shot(given, rulings):
    extra = range_dice(Band.FAR if given["far"] else Band.NEAR)
    count = with_extra(dice_of(Difficulty(given["difficulty"]), Column(given["column"])), extra, rulings)
    return odds(shoot, Aimed("rifle", given["threshold"], count, extra), rulings).chance(lambda shot: shot.hit)


def two_dice(dice: Dice) -> int:
    return dice.sum(2, 6)


def asked_blast(given, rulings):
    return odds(two_dice).chance(
        lambda total: blast_damage(total, given["tech_level"], given["squares"]) >= given["at_least"])


def asked_free(given, rulings):
    limit = break_free_threshold(Fraction(given["evasion"]), given["victim"], given["holder"], given["sequences"])
    return odds(break_free, limit)[True]


def asked_privation(given, rulings):
    lacks = {name: given.get(name, False) for name in ("sleep", "rest", "food")}
    extra = privation_dice(Side(given["side"]), **lacks)
    return under(with_extra(dice_of(Difficulty.AVERAGE, Column.NORMAL), extra, rulings), given["threshold"])


def asked_talent(given, rulings):
    rule = {"command": command, "hypnosis": hypnosis, "administration": administration}[given["talent"]]
    worked = odds(rule, given["threshold"], given["dice"], given["grade"])
    return worked.chance(lambda done: done.effect >= given["at_least"])


def asked_psi(given, rulings):
    power = power_of(given["power"], given["level"], given["level"])
    return under(psi_dice(power.level, given["level"], rulings), given["characteristic"] + given["level"])


ASK = {
    "quick": asked_quick,
    "qualities": asked_qualities,
    "pool": lambda given, rulings: odds(pool).chance(lambda points: points >= given["at_least"]),
    "exam": lambda given, rulings: odds(entrance_exam, Guild.SOLDIER, given["required"], given["age"])[True],
    "acquisition": asked_acquisition,
    "years": asked_years,
    "skill": asked_skill,
    "money": lambda given, rulings: odds(starting_money, Guild(given["guild"]), given["grade"], rulings).chance(
        lambda credits: credits >= given["at_least"]),
    "roll": lambda given, rulings: odds(characteristic_roll, Fraction(given["score"]), rulings).chance(
        lambda done: done.success),
    "test": lambda given, rulings: under(given["dice"], given["threshold"]) ** given.get("times", 1),
    "attempts": lambda given, rulings: odds(attempts, given["threshold"], given["dice"], given["retries"])[True],
    "privation": asked_privation,
    "evasion": lambda given, rulings: odds(evasion_roll, Fraction(given["evasion"]))[True],
    "learn": asked_learn,
    "survival": lambda given, rulings: odds(survival_roll, given["age"], given["destiny"])[True],
    "loyalty": lambda given, rulings: odds(loyalty, given["score"])[given["stays"]],
    "tie": lambda given, rulings: odds(first_roll)[given["outcome"]],
    "exchange": asked_exchange(exchange, Attitude),
    "argue": asked_exchange(argue, Manner),
    "blow": asked_blow,
    "argument": asked_argument,
    "many": asked_many,
    "hold": lambda given, rulings: odds(
        hold, given["threshold"], Height(given["height"]), Grip.IMMOBILISE, rulings).chance(lambda held: held.holds),
    "free": asked_free,
    "shot": asked_shot,
    "blast": asked_blast,
    "fall": lambda given, rulings: odds(fall, given["centimetres"], given["dice"], rulings).chance(
        lambda points: points >= given["at_least"]),
    "infection": lambda given, rulings: odds(infection, Fraction(given["evasion"]))[True],
    "talent": asked_talent,
    "days": lambda given, rulings: odds(language_days, given["level"], given["grade"]).chance(
        lambda days: days <= given["at_most"]),
    "psi": asked_psi,
    "retreat": lambda given, rulings: odds(retreat, given["best"], given["level"])[True],
    "minds": lambda given, rulings: odds(telepaths_duel, 15, 15, rulings).chance(
        lambda duel: duel.controlled == given["controlled"]),
    "ambush": lambda given, rulings: under(given["set"][1], given["set"][0]) * (
        1 - under(given["detect"][1], given["detect"][0])),
}


def marks(row):
    settled = row["given"].get("options", {})
    return [pytest.mark.listed_odds(row["id"]), *(pytest.mark.option(*pair) for pair in settled.items())]


@pytest.mark.parametrize("row", [pytest.param(row, id=row["id"], marks=marks(row)) for row in ROWS.values()])
def test_the_listed_odds(row):
    given = row["given"]
    rulings = SYSTEM.book.rulings(given.get("options", {}))
    assert [ASK[row["ask"]](given, rulings)] == [Fraction(exact) for exact in row["exact"]]


@pytest.mark.listed_odds("EMP-9.1")
@pytest.mark.rules("EMP-057")
def test_ways_to_roll_at_or_under_a_threshold():
    (table,) = (row for row in SYSTEM.book.odds_tables if row["id"] == "EMP-9.1")
    for limit, *ways in table["rows"]:
        assert [under(count, limit) * 6**count for count in range(1, 6)] == ways


@pytest.mark.rules("EMP-080")
def test_damage_grows_with_the_sum_the_dice_and_the_weapon():
    table = TABLES["damage"]
    for letter, heavier in zip("ABCD", "BCDE", strict=True):
        for count in range(1, 6):
            row = [cell for cell in list(table.row(f"{letter}{count}").values())[1:] if cell != ""]
            assert row == sorted(row)
            above = [cell for cell in list(table.row(f"{heavier}{count}").values())[1:] if cell != ""]
            assert all(one <= other for one, other in zip(row, above, strict=True))
