"""« Ecoles »: a youth as it is lived, year after year (EMP-031 to EMP-036).

What was learnt, the grades, and what the next year and the next promotion may bring; from it the board of a career is
drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from paravent.dice import Dice, chain, kept_with_odds, odds
from paravent.game import Change, Context, Encounter, Listing, Rulings, Telling, Timeline, changed, rule
from paravent.systems.empire.terms import SKILL_MOST, TABLES

from .creation import (
    SCHOOL_GRADE_MOST,
    TERM,
    Guild,
    SchoolYear,
    acquisition,
    counted,
    promoted,
    raised,
    title_of,
)


@dataclass(frozen=True)
class Happened:
    """Something of a life: at what age, what it was, and what it was about."""

    age: int
    what: str
    guild: str = ""
    skill: str = ""
    n: int = 0
    title: str = ""


@dataclass(frozen=True)
class Student:
    """Whose youth it is, and what everybody sees of it."""

    id: str
    guild: Guild
    age: int
    grade: int


@dataclass(frozen=True)
class Career:
    """A youth under way: who, what happened, and what the odds of the next years are worked out from."""

    students: tuple[Student, ...]
    life: tuple[Happened, ...] = ()
    schooled: bool = False
    score: int = 0
    skill_levels: tuple[int, ...] = ()
    years_done: int = 0
    done: bool = False

    @property
    def student(self) -> Student:
        """Whose it is."""
        return self.students[0]


class Schooling(NamedTuple):
    """Where some years of school lead: skills, age, years, grade, and what happened."""

    levels: Mapping[str, int]
    age: int
    years: int
    grade: int
    life: tuple[Happened, ...]


@rule("EMP-034", "EMP-035")
def schooled(guild: Guild, levels: Mapping[str, int], age: int, years: int, grade: int, lived: Sequence[SchoolYear],
             rulings: Rulings) -> Schooling:
    """Some years of school in a row; at the end of each term the guild promotes whoever has learnt enough."""
    life: list[Happened] = []
    for year in lived:
        before = levels.get(year.skill, 0)
        levels = raised(levels, year.skill, year.levels)
        gained = levels.get(year.skill, 0) - before
        age, years = age + 1, years + 1
        what = "learnt" if gained else "mastered" if year.levels else "nothing"
        life.append(Happened(age, what, skill=year.skill, n=gained))
        if years % TERM == 0 and guild is not Guild.ADVENTURER and grade < SCHOOL_GRADE_MOST:
            after = promoted(guild, grade, levels, years, rulings)
            life.append(Happened(age, "promoted" if after > grade else "passed_over", n=after,
                                 title=f"title_{title_of(guild, after)}" if after else ""))
            grade = after
    return Schooling(levels, age, years, grade, tuple(life))


# What the next years may bring


class _Term(NamedTuple):
    """A term under way: the years left, and the levels of each skill of the guild, in no order."""

    left: int
    levels: tuple[int, ...]


def _year(dice: Dice, term: _Term, required: int, rulings: Rulings) -> _Term:
    at = dice.sum(1, 6) - 1
    if rulings.duplicates == "reroll" and term.levels[at] and not all(term.levels):
        at = term.levels.index(0)  # of those not known yet, all are alike
    gained = acquisition(dice, required, rulings)
    levels = [*term.levels]
    levels[at] = min(SKILL_MOST, levels[at] + gained)
    return _Term(term.left - 1, tuple(sorted(levels)))


@kept_with_odds
@lru_cache(maxsize=1024)
@rule("EMP-035")
def chance_of_grade(guild: Guild, required: int, grade: int, levels: tuple[int, ...], years: int,
                    rulings: Rulings) -> Fraction | None:
    """The chance of a promotion at the end of this term; None where there is none to be had."""
    if guild is Guild.ADVENTURER or grade >= SCHOOL_GRADE_MOST or len(levels) > 6:
        return None
    start = _Term(TERM - years % TERM, tuple(sorted((*levels, *(0,) * (6 - len(levels))))))
    needed = TABLES["grades"].cell(grade + 1, "skills")
    ends = chain(_year, start, required, rulings, over=lambda term: term.left == 0)
    return ends.chance(lambda term: counted(term.levels, rulings) >= needed)


def _percent(chance: Fraction) -> int:
    return round(100 * chance)


def stands(career: Career, rulings: Rulings) -> Sequence[Telling]:
    """What the next year may teach, and what the next promotion depends on."""
    student = career.student
    if not career.schooled:
        return (Telling("life.at_the_door"),)
    year = odds(acquisition, career.score, rulings)
    some, two = year.chance(lambda levels: levels > 0), year.chance(lambda levels: levels == 2)
    lines = [Telling("life.next_year", {"one": _percent(some), "two": _percent(two)})]
    grade = chance_of_grade(student.guild, career.score, student.grade, career.skill_levels, career.years_done, rulings)
    ends = student.age + TERM - career.years_done % TERM
    if grade is not None:
        lines.append(Telling("life.next_grade", {"n": student.grade + 1, "age": ends, "chance": _percent(grade)}))
    if career.years_done and career.years_done % TERM == 0:
        lines.append(Telling("life.may_leave"))
    else:
        lines.append(Telling("life.leaves_at", {"age": ends}))
    return lines


CAREER = Encounter(
    "career", Career, lambda career: career.done,
    also=frozenset({"enter-school", "school-year", "finish-term", "promotion", "leave-school"}),
    people=Listing("students", more=frozenset({"schooled", "score", "skill_levels", "years_done", "done"}),
                   unsaid=frozenset({""})),
    timeline=Timeline("life", "age", "life", marked=frozenset({"admitted", "promoted", "left", "road"})),
    stands=stands,
)
ENCOUNTERS = {"career": CAREER}


def career_changes(
    ctx: Context, rule_id: str, lived: Sequence[Happened], then: Callable[[Career], Career]
) -> Sequence[Change]:
    """What some time does to the career that is under way, if one is."""
    state = ctx.encounter
    if not isinstance(state, Career):
        return ()
    after = then(replace(state, life=(*state.life, *lived)))
    return [change for name in ("students", "life", "schooled", "score", "skill_levels", "years_done", "done")
            for change in changed("encounter", state, name, getattr(after, name), rule_id, weight="bookkeeping")]
