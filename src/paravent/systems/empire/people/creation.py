"""« Création des Personnages », « Ecoles », « Destin », « Survie »: making a character (EMP-030 to EMP-045).

A pool of points to spread, a guild and its exam, school years that teach a skill now and then, a promotion every four
years, money on leaving. Later come training, destiny and age.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from paravent.dice import Dice, ThrowAgain
from paravent.game import Rulings, rule
from paravent.systems.empire.actions.action import Column
from paravent.systems.empire.terms import LEAST, MOST, SKILL_MOST, SKILLS, TABLES, Characteristic

from .errors import NoSuchSkill, NotAPreciseSuccess, PointsLeft, ScoreOutOfBounds

GRADE_MOST = 6


class Guild(StrEnum):
    """The six professions, numbered from 1 in this order."""

    ADVENTURER = "adventurer"
    PRIEST = "priest"
    SOLDIER = "soldier"
    MERCHANT = "merchant"
    NAVYBORG = "navyborg"
    TEKNO = "tekno"

    @property
    def number(self) -> int:
        """Its number, which is the first digit of its skills."""
        return list(Guild).index(self) + 1


class Sex(StrEnum):
    """What height and weight depend on, with Strength."""

    MAN = "man"
    WOMAN = "woman"


POOL_BASE = 30
TERM = 4
"""School years between two promotions."""
SCHOOL_GRADE_MOST = 3
LIGHTEST = 30
"""The least that the formula of women's weight may give, in kilograms."""


# Six scores


@rule("EMP-030")
def pool(dice: Dice) -> int:
    """Six dice and thirty, to be spread over the six characteristics."""
    points = dice.sum(6, 6) + POOL_BASE
    dice.note("EMP-030", "pool", n=points)
    return points


@rule("EMP-030")
def check_spread(points: int, scores: Sequence[int]) -> None:
    """The whole pool, each score from 2 to 12."""
    for score in scores:
        if not LEAST <= score <= MOST:
            raise ScoreOutOfBounds(got=score)
    if sum(scores) != points:
        raise PointsLeft(got=sum(scores), points=points)


# School


@rule("EMP-031")
def required_characteristic(guild: Guild) -> Characteristic:
    """The characteristic that a guild asks for."""
    return Characteristic(TABLES["guilds"].cell(guild.value, "characteristic"))


@rule("EMP-032")
def entrance_exam(dice: Dice, guild: Guild, required: int, age: int) -> bool:
    """Required characteristic × 2D must exceed twice the age; adventurers sit no exam."""
    if guild is Guild.ADVENTURER:
        return True
    total = dice.sum(2, 6)
    passed = required * total > 2 * age
    dice.note("EMP-032", "exam_passed" if passed else "exam_failed", product=required * total, limit=2 * age)
    return passed


@rule("EMP-032")
def start_age(rulings: Rulings, told: int | None = None) -> int:
    """How old one is on leaving for school: 18, or as the table settled."""
    if rulings.start_age == "gm" and told is not None:
        return told
    return 16 if rulings.start_age == "sixteen" else 18


@rule("EMP-033")
def skill_number(dice: Dice, guild: Guild) -> str:
    """Which skill a year is about: the guild's digit, then a die; an adventurer throws both digits."""
    tens = dice.sum(1, 6) if guild is Guild.ADVENTURER else guild.number
    return f"{tens}{dice.sum(1, 6)}"


@rule("EMP-034")
def acquisition(dice: Dice, required: int, rulings: Rulings) -> int:
    """Three dice against the required characteristic: nothing, one level or two.

    The page lost two of its three signs: by default the dice above it teach nothing, below it one level, equal two.
    """
    total = dice.sum(3, 6)
    match rulings.acquisition:
        case "plain_order":
            levels = 0 if total > required else 1 if total == required else 2
        case "half":
            levels = 0 if total > required else 2 if 2 * total <= required else 1
        case _:
            levels = 0 if total > required else 2 if total == required else 1
    dice.note("EMP-034", "learnt", n=levels, total=total, required=required)
    return levels


class SchoolYear(NamedTuple):
    """A year at school: the skill it was about, and the levels gained."""

    skill: str
    levels: int


@rule("EMP-033", "EMP-034")
def school_year(dice: Dice, guild: Guild, required: int, known: tuple[str, ...], rulings: Rulings) -> SchoolYear:
    """Which skill, then how much of it; where duplicates are thrown again, a skill already known is."""
    skill = skill_number(dice, guild)
    if rulings.duplicates == "reroll" and skill in known and not _all_known(guild, known):
        dice.note("EMP-033", "known_already", skill=skill)
        raise ThrowAgain
    dice.note("EMP-033", "skill_of_the_year", skill=skill)
    return SchoolYear(skill, acquisition(dice, required, rulings))


def _all_known(guild: Guild, known: Sequence[str]) -> bool:
    own = SKILLS if guild is Guild.ADVENTURER else [skill for skill in SKILLS if skill[0] == str(guild.number)]
    return set(own) <= set(known)


@rule("EMP-034")
def raised(skills: Mapping[str, int], skill: str, levels: int) -> dict[str, int]:
    """The skills with some levels more in one of them, six at most."""
    if skill not in SKILLS:
        raise NoSuchSkill(skill=skill)
    return {**skills, skill: min(SKILL_MOST, skills.get(skill, 0) + levels)} if levels else dict(skills)


@rule("EMP-035")
def promoted(guild: Guild, grade: int, skills: Mapping[str, int], years: int, rulings: Rulings) -> int:
    """The grade after a term: one step at most, three levels a grade, three grades at school, none for adventurers.

    A guild has six skills and its third grade asks for nine: levels are counted, unless the table counts skills.
    """
    if guild is Guild.ADVENTURER or years == 0 or years % TERM or grade >= SCHOOL_GRADE_MOST:
        return grade
    needed = TABLES["grades"].cell(grade + 1, "skills")
    return grade + 1 if counted(skills.values(), rulings) >= needed else grade


@rule("EMP-035")
def counted(levels: Iterable[int], rulings: Rulings) -> int:
    """What a promotion counts: levels learnt, or skills if the table says so."""
    return sum(bool(level) if rulings.promotion_count == "distinct" else level for level in levels)


@rule("EMP-036")
def starting_money(dice: Dice, guild: Guild, grade: int, rulings: Rulings) -> int:
    """One die × guild × grade × 1000 credits; whoever has no grade counts for a grade of 1, or receives nothing."""
    if grade == 0 and rulings.adventurer_money == "none":
        return 0
    credits = dice.sum(1, 6) * guild.number * max(1, grade) * 1000
    dice.note("EMP-036", "money", n=credits)
    return credits


@rule("EMP-038")
def title_of(guild: Guild, grade: int) -> str:
    """The title of a grade in its guild; adventurers and beginners have none."""
    if grade == 0 or guild is Guild.ADVENTURER:
        return ""
    return str(TABLES["grades"].cell(grade, guild.value))


@rule("EMP-038")
def grade_in(guild: Guild, own: Guild, grade: int) -> int:
    """The grade that counts in a formula: 0 outside that guild."""
    return grade if guild is own else 0


# Training


@rule("EMP-037")
def training_price(skill: str, grade: int) -> int:
    """What a year of training costs: skill number × grade × 1000 credits."""
    if skill not in SKILLS:
        raise NoSuchSkill(skill=skill)
    return int(skill) * max(1, grade) * 1000


@rule("EMP-037")
def training(dice: Dice, required: int, best: int, level: int, rulings: Rulings) -> int:
    """What a year of training teaches: an acquisition roll, or what the table settled."""
    match rulings.training_gain:
        case "automatic":
            return 1
        case "test":
            total = dice.sum(3, 6)
            dice.note("EMP-037", "trained", total=total, threshold=best + level)
            return int(total <= best + level)
        case _:
            return acquisition(dice, required, rulings)


# Body


@rule("EMP-039")
def height_cm(sex: Sex, strength: int) -> int:
    """Height in centimetres, by Strength."""
    return (100 if sex is Sex.MAN else 95) + 10 * strength


@rule("EMP-039")
def weight_kg(sex: Sex, strength: int) -> int:
    """Weight in kilograms, by Strength; no woman weighs less than thirty."""
    return 10 * strength if sex is Sex.MAN else max(LIGHTEST, 10 * (strength - 2))


@rule("EMP-040")
def resistance(three: Sequence[int]) -> int:
    """What a body or a mind can take: the sum of its three characteristics."""
    return sum(three)


@rule("EMP-042")
def secondary(name: str, scores: Mapping[str, int]) -> Fraction:
    """Perception or stealth: the mean of three characteristics, where the sheet says nothing else.

    The second edition names them without their formulas; ours are a house reading.
    """
    parts = {"perception": ("dexterity", "intelligence", "endurance"),
             "stealth": ("dexterity", "intelligence", "willpower")}[name]
    return Fraction(sum(scores[part] for part in parts), 3)


# Destiny and age


class Destiny(NamedTuple):
    """What a precise success taught: levels and destiny points gained."""

    levels: int
    points: int


@rule("EMP-044")
def may_claim(success: bool, column: Column, rulings: Rulings) -> bool:
    """Whether a destiny roll may be claimed: after a successful precise action, or what the table adds to it."""
    columns = {Column.PRECISE}
    if rulings.destiny_columns == "all_third":
        columns |= {Column.FAST, Column.LASTING}
    return success and column in columns


@rule("EMP-044")
def destiny_roll(dice: Dice, count: int, characteristic: int, level: int, rulings: Rulings) -> Destiny:
    """The same dice again: above characteristic + level, the skill rises by one and destiny by the level reached."""
    if not 3 <= count <= 5:
        raise NotAPreciseSuccess(got=count)
    total = dice.sum(count, 6)
    learns = total > characteristic + level
    reached = min(SKILL_MOST, level + 1)
    points = level if rulings.destiny_points == "old_level" else reached
    dice.note("EMP-044", "destiny_rises" if learns else "destiny_stays", total=total, threshold=characteristic + level)
    if learns:
        return Destiny(reached - level, points)
    return Destiny(0, points if rulings.destiny_gain == "every_precise" else 0)


@rule("EMP-045")
def survival_roll(dice: Dice, age: int, destiny: int) -> bool:
    """Whether age spares a character: destiny + 3D must exceed it."""
    total = dice.sum(3, 6)
    spared = age < destiny + total
    dice.note("EMP-045", "spared" if spared else "worn", age=age, total=destiny + total)
    return spared


@rule("EMP-045")
def survival_due(age: int, year: int, rulings: Rulings) -> bool:
    """Whether a survival roll is due this year of age: each year from forty, unless the table settled otherwise."""
    match rulings.survival_timing:
        case "yearly":
            return True
        case "every_four":
            return year % 4 == 0
        case _:
            return age >= 40


@rule("EMP-045")
def worn(scores: Sequence[int]) -> tuple[int, ...]:
    """The three physical characteristics after a failed survival roll: one less each, never below 0."""
    return tuple(max(0, score - 1) for score in scores)


def check_grade(guild: Guild, grade: int, levels: int, *, at_creation: bool) -> str:
    """What is wrong with a grade: a word key, empty when nothing is."""
    if guild is Guild.ADVENTURER:
        return "adventurer_grade" if grade else ""
    if not 0 <= grade <= GRADE_MOST:
        return "grade_bounds"
    if at_creation and grade > SCHOOL_GRADE_MOST:
        return "grade_at_creation"
    return "grade_skills" if at_creation and 3 * grade > levels else ""
