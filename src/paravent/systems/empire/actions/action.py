"""« PROCÉDURES », « Tables d'action »: the test of skill, and the rolls beside it (EMP-050 to EMP-061).

Characteristic + skill level + MODs is the threshold; one to five dice must stay at or under it. How many is agreed
between the game master's difficulty and the player's aim, and that pair, not the margin, says how good it was.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import Rulings, rule
from paravent.systems.empire.terms import PHYSICAL, TABLES, Characteristic, Side, figure

from .errors import LockedSkill, NoLongerUnit, NotOfThisSkill, OneRetryOnly
from .quick import gauge


class Verb(StrEnum):
    """How a skill is applied (TIRER, POUSSER, TENIR)."""

    PULL = "pull"
    PUSH = "push"
    HOLD = "hold"


class Difficulty(StrEnum):
    """The game master's estimate."""

    EASY = "easy"
    AVERAGE = "average"
    HARD = "hard"


class Column(StrEnum):
    """What the player aims at: how precisely, how fast, or for how long."""

    VAGUE = "vague"
    NORMAL = "normal"
    PRECISE = "precise"
    SLOW = "slow"
    FAST = "fast"
    TEMPORARY = "temporary"
    LASTING = "lasting"


PRECISIONS = (Column.VAGUE, Column.NORMAL, Column.PRECISE)


class Parameter(StrEnum):
    """What the player's column means."""

    PRECISION = "precision"
    TIME = "time"
    PERSISTENCE = "persistence"


LOCKED = frozenset({"21", "22", "25", "42", "53", "54", "55", "56", "61"})
"""Skills that nobody tries untrained."""
INEXPERIENCE = -2


class Verdict(StrEnum):
    """How the game master sorts an attempt before any dice."""

    ROLL = "roll"
    AUTO_SUCCESS = "auto_success"
    AUTO_FAILURE = "auto_failure"


class Roll(NamedTuple):
    """Dice thrown under a threshold: their number, their sum, and whether it is at or under."""

    dice: int
    total: int
    success: bool


class Tested(NamedTuple):
    """One roll of a skill test, read: whether it succeeded, and the adjective of its pair."""

    success: bool
    adjective: str


class Aim(NamedTuple):
    """One roll to make: the player's column and the dice it takes."""

    column: Column
    dice: int


@rule("EMP-001", "EMP-050")
def without_dice(verdict: Verdict, *, life_at_stake: bool = False) -> bool | None:
    """What happens without dice: ordinary acts work, impossible ones fail; None when it must be rolled.

    Where a life is at stake, dice are always allowed.
    """
    if life_at_stake or verdict is Verdict.ROLL:
        return None
    return verdict is Verdict.AUTO_SUCCESS


@rule("EMP-052")
def threshold(characteristic: int, level: int, mods: int = 0) -> int:
    """Characteristic + skill level + MODs."""
    return characteristic + level + mods


@rule("EMP-054")
def parameter_of(column: Column) -> Parameter:
    """What a column is about: precision, time, or persistence (``normal`` is read as precision)."""
    if column in (Column.SLOW, Column.FAST):
        return Parameter.TIME
    return Parameter.PERSISTENCE if column in (Column.TEMPORARY, Column.LASTING) else Parameter.PRECISION


@rule("EMP-054", "EMP-057")
def precision_of(column: Column) -> Column:
    """The printed column that an aim is read in: fast and lasting with precise, slow and temporary with vague."""
    if column in (Column.PRECISE, Column.FAST, Column.LASTING):
        return Column.PRECISE
    return Column.NORMAL if column is Column.NORMAL else Column.VAGUE


@rule("EMP-053")
def dice_of(difficulty: Difficulty, column: Column) -> int:
    """How many dice an attempt takes, from one to five."""
    return int(TABLES["action_dice"].cell(difficulty.value, precision_of(column).value))


@rule("EMP-058", "EMP-178")
def with_extra(dice: int, extra: int, rulings: Rulings) -> int:
    """Dice added and taken away add up; at least one is left, and a table may stop at five."""
    most = 5 if rulings.dice_cap == "five" else dice + abs(extra)
    return max(1, min(most, dice + extra))


@rule("EMP-057")
def roll_under(dice: Dice, count: int, limit: int) -> Roll:
    """So many dice, at or under a threshold."""
    total = dice.sum(count, 6)
    rolled = Roll(count, total, total <= limit)
    dice.note("EMP-057", "under" if rolled.success else "over", n=count, total=total, threshold=limit)
    return rolled


@rule("EMP-057")
def adjective(success: bool, difficulty: Difficulty, column: Column) -> str:
    """How good a success or how bad a failure is: the pair of difficulty and aim says it."""
    table = TABLES["success_adjectives" if success else "failure_adjectives"]
    return str(table.cell(difficulty.value, precision_of(column).value))


@rule("EMP-056")
def skill_test(dice: Dice, limit: int, difficulty: Difficulty, aims: tuple[Aim, ...]) -> tuple[Tested, ...]:
    """One roll for all, or one for each of precision, time and persistence, each read for itself."""
    return tuple(dice.resolve(one_roll, limit, difficulty, aim) for aim in aims)


def one_roll(dice: Dice, limit: int, difficulty: Difficulty, aim: Aim) -> Tested:
    """One roll of a test and its adjective."""
    rolled = roll_under(dice, aim.dice, limit)
    return Tested(rolled.success, adjective(rolled.success, difficulty, aim.column))


def settled_test(verdict: Verdict, difficulty: Difficulty, aims: tuple[Aim, ...]) -> tuple[Tested, ...]:
    """The result of a test that the game master settles without dice."""
    success = verdict is Verdict.AUTO_SUCCESS
    return tuple(Tested(success, adjective(success, difficulty, aim.column)) for aim in aims)


@rule("EMP-059")
def untrained(skill: str, level: int, rulings: Rulings, *, needs_mod: bool = False) -> int:
    """The MOD of acting without a skill: none in an ordinary test, −2 where the rules ask for it; some are closed."""
    if level > 0:
        return 0
    if skill in LOCKED:
        raise LockedSkill(skill=skill)
    everywhere = {"where_said": 0, "minus_1": -1, "minus_2": -2, "minus_3": -3}[rulings.unskilled]
    return min(everywhere, INEXPERIENCE) if needs_mod else everywhere


@rule("EMP-060")
def usual_verb(parameter: Parameter) -> Verb:
    """What stands when the game master has no preference: push for speed, pull for precision, hold for duration."""
    return {Parameter.TIME: Verb.PUSH, Parameter.PRECISION: Verb.PULL, Parameter.PERSISTENCE: Verb.HOLD}[parameter]


@rule("EMP-052", "EMP-060")
def characteristic_for(skill: str, verb: Verb) -> Characteristic:
    """Which of its three characteristics a skill uses when pulled, pushed or held."""
    return Characteristic(TABLES["skills"].cell(int(skill), verb.value))


@rule("EMP-052", "EMP-060")
def characteristics_of(skill: str) -> tuple[Characteristic, ...]:
    """The three characteristics through which a skill can be used."""
    return tuple(characteristic_for(skill, verb) for verb in Verb)


@rule("EMP-052", "EMP-060")
def check_characteristic(skill: str, name: Characteristic) -> Characteristic:
    """Whoever names it, a skill goes through one of its own three characteristics and through no other."""
    if name not in characteristics_of(skill):
        raise NotOfThisSkill(skill=skill, got=name.value, three=tuple(one.value for one in characteristics_of(skill)))
    return name


# Time


@rule("EMP-055")
def time_taken(unit: str, column: Column) -> str:
    """How long an act takes: its natural unit, the next longer one when slow, the next shorter one when fast."""
    units = TABLES["time_units"].keys()
    shift = {Column.SLOW: 1, Column.FAST: -1}.get(column, 0)
    return str(units[max(0, min(len(units) - 1, units.index(unit) + shift))])


@rule("EMP-055")
def retry_unit(unit: str, tries: int, rulings: Rulings) -> str:
    """After a failure one may try again in the next longer unit; a table may allow it once only."""
    if tries > 0 and rulings.retry == "once":
        raise OneRetryOnly(got=tries)
    units = TABLES["time_units"].keys()
    if unit == units[-1]:
        raise NoLongerUnit(got=unit)
    return str(units[units.index(unit) + 1])


def attempts(dice: Dice, limit: int, count: int, retries: int) -> bool:
    """Whether a test succeeds in the end, when so many retries are allowed."""
    if roll_under(dice, count, limit).success:
        return True
    if retries == 0:
        return False
    return dice.then(attempts, limit, count, retries - 1)


# Beside skills


class Gauged(NamedTuple):
    """A roll under a characteristic and the word that gauges it."""

    success: bool
    adjective: str


@rule("EMP-051")
def characteristic_roll(dice: Dice, score: Fraction, rulings: Rulings, count: int = 2) -> Gauged:
    """Two dice at or under a characteristic, for an act outside any skill; want and wounds add to them as elsewhere."""
    total = dice.sum(count, 6)
    success = total <= score
    dice.note("EMP-051", "under" if success else "over", n=count, total=total, threshold=figure(score))
    return Gauged(success, gauge(score, total, rulings))


@rule("EMP-041")
def evasion_of(three: Iterable[int]) -> Fraction:
    """The mean of three characteristics, kept exact."""
    return Fraction(sum(three), 3)


@rule("EMP-061")
def evasion_roll(dice: Dice, evasion: Fraction, mods: int = 0) -> bool:
    """Three dice at or under evasion: the character escapes what was meant for them."""
    total = dice.sum(3, 6)
    escaped = total <= evasion + mods
    dice.note("EMP-061", "evaded" if escaped else "not_evaded", total=total, threshold=figure(evasion + mods))
    return escaped


def side_of(characteristic: Characteristic) -> Side:
    """Whether a characteristic is of the body or of the mind."""
    return Side.PHYSICAL if characteristic in PHYSICAL else Side.MENTAL
