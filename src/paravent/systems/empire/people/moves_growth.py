"""Moves of a life: characteristics, school, promotion, money, training, retreat, destiny, age."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from paravent.dice import Dice
from paravent.game import (
    GAME_MASTER,
    GM_ONLY,
    Actor,
    Ask,
    Call,
    Cards,
    Change,
    Context,
    Field,
    Flag,
    Follow,
    Many,
    MissingField,
    Move,
    OneOf,
    Opened,
    Pills,
    Resolve,
    Role,
    Rulings,
    Score,
    Shown,
    Steps,
    Telling,
    TextField,
    Who,
    Whole,
    Window,
)
from paravent.game.records import ALL
from paravent.systems.empire.actions.action import Column, characteristics_of
from paravent.systems.empire.actions.trials import GRADE, LEVEL, SKILL, has, level_of, score_of
from paravent.systems.empire.minds.psi import PSI_SKILLS, retreat
from paravent.systems.empire.terms import PHYSICAL, SKILL_MOST, SKILLS, Characteristic
from paravent.systems.empire.throws import PAIR, by_gm, said, set_on, thrown_by

from .career import Career, Happened, Schooling, Student, career_changes, schooled
from .character import Character, QuickCharacter, with_levels
from .creation import (
    TERM,
    Destiny,
    Guild,
    SchoolYear,
    Sex,
    check_spread,
    destiny_roll,
    entrance_exam,
    may_claim,
    pool,
    promoted,
    raised,
    required_characteristic,
    school_year,
    start_age,
    starting_money,
    survival_due,
    survival_roll,
    title_of,
    training,
    training_price,
    worn,
)
from .errors import (
    AlreadyAtSchool,
    AlreadyExamined,
    NotAPreciseSuccess,
    NotAtSchool,
    PsiIsTaughtElsewhere,
    TermNotOver,
    TooPoor,
)

OWN_THROW = Shown(dice=PAIR)
LONGEST_SCHOOL = 12
"""The years after which the last grade that a school gives may be had."""
MEAN_POOL = 42
"""What is spread until the dice have spoken."""


# Six scores


def _sheet_call(ctx: Context) -> Call[Character]:
    scores = tuple(ctx[score] for score in SCORES)
    return Call(made, ctx.result(POOL), scores, ctx[NAME], ctx[SEX], start_age(ctx.rulings, ctx[TOLD_AGE]))


def made(dice: Dice, points: int, scores: tuple[int, ...], name: str, sex: Sex, age: int) -> Character:
    """The sheet that a spread of the pool gives; a spread that is not legal is refused."""
    check_spread(points, scores)
    named: dict[str, Any] = dict(zip((part.value for part in Characteristic), scores, strict=True))
    return Character(name, sex, age, **named)


def _even(at: int) -> Callable[[Context], int]:
    """What stands where nothing is said: the pool spread evenly, the first scores one higher."""

    def usual(ctx: Context) -> int:
        points = ctx.result(POOL) if POOL.id in ctx.results else MEAN_POOL
        each, over = divmod(points, 6)
        return each + (at < over)

    return usual


NAME = Field("name", TextField(80), rule="EMP-030", names=True)
SEX = Field("sex", OneOf(Sex), shape=Pills(weighed=False), rule="EMP-039")
SCORES = tuple(Field(name.value, Whole(2, 12), usual=_even(at), waits=True, rule="EMP-030")
               for at, name in enumerate(Characteristic))
TOLD_AGE: Field[int | None] = Field("age", Whole(6, 60), "gm", optional=True, rule="EMP-032",
                                    when=lambda ctx: ctx.rulings.start_age == "gm")
POOL = Resolve("pool", lambda ctx: Call(pool), outcome=lambda points: "pool",
               tell=lambda ctx, points: (said("told_pool", n=points),))
ROLL_CHARACTERISTICS = Move(
    "roll-characteristics",
    makes="character",
    group="growth",
    when=lambda ctx: bool(ctx.rulings.ruleset != "quick"),
    rules=("EMP-030", "EMP-039", "EMP-040", "EMP-041"),
    steps=(
        POOL,
        Ask("spread", (NAME, SEX, *SCORES, TOLD_AGE)),
        Resolve("sheet", _sheet_call, at_once=True, outcome=lambda sheet: "sheet_made",
                changes=lambda ctx, sheet: (Change(sheet.name, "", None, sheet, "EMP-030", kind="character"),)),
    ),
)


# From the quick rules to the full ones


def _quality_of(ctx: Context, name: Characteristic) -> int:
    """What a characteristic grows out of: the quality of the body or of the mind."""
    record = ctx.one().record
    if not isinstance(record, QuickCharacter):
        return MEAN_POOL // 6
    return record.physical_quality if name in PHYSICAL else record.mental_quality


def _out_of(name: Characteristic) -> Callable[[Context], int]:
    return lambda ctx: _quality_of(ctx, name)


def _grown_call(ctx: Context) -> Call[Character]:
    scores = tuple(ctx[score] for score in GROWN_SCORES)
    pool_of = sum(_quality_of(ctx, name) for name in Characteristic)
    return Call(made, pool_of, scores, ctx[GROWN_NAME], ctx[SEX], start_age(ctx.rulings))


def _grows(ctx: Context, sheet: Character) -> Sequence[Change]:
    """The whole character in the place of the quick one: the same person, known to the same people."""
    actor = ctx.one()
    sheet = replace(sheet, description=getattr(actor.record, "description", ""))
    return (Change(actor.id, "", actor.record, sheet, "EMP-030", kind="character"),)


GROWN_NAME = replace(NAME, usual=lambda ctx: getattr(ctx.one().record, "name", ""), rule="EMP-020")
GROWN_SCORES = tuple(replace(score, usual=_out_of(name)) for score, name in zip(SCORES, Characteristic, strict=True))
FULL_CHARACTER = Move(
    "full-character",
    cast=(Role("initiator", record="quick"), GAME_MASTER),
    group="quick",
    when=lambda ctx: bool(ctx.rulings.ruleset != "quick"),
    suits=lambda ctx: isinstance(ctx.one().record, QuickCharacter),
    rules=("EMP-020", "EMP-030"),
    steps=(
        Ask("spread", (GROWN_NAME, SEX, *GROWN_SCORES)),
        Resolve("sheet", _grown_call, at_once=True, outcome=lambda sheet: "sheet_made",
                changes=_grows),
    ),
)


# School


def _student(ctx: Context) -> Character:
    record = ctx.one().record
    return record if isinstance(record, Character) else Character()


def _at_school(ctx: Context) -> Character:
    """The student of a sheet, who must be at school; without a sheet nobody asks."""
    student = _student(ctx)
    if ctx.one().record is not None and not student.at_school:
        raise NotAtSchool()
    return student


def _studies(ctx: Context) -> bool:
    """Whether the sheet is that of somebody at school."""
    return isinstance(ctx.one().record, Character) and _student(ctx).at_school


def _has_learnt_nothing(ctx: Context) -> bool:
    """Whether the sheet is that of somebody whose school is still to come."""
    student = _student(ctx)
    return isinstance(ctx.one().record, Character) and not (
        student.at_school or student.school_years or any(student.levels.values()))


def _in_school(ctx: Context) -> bool:
    """The same, where there is a sheet to say so."""
    return not isinstance(ctx.one().record, Character) or _student(ctx).at_school


def _at_the_end_of_a_term(ctx: Context) -> bool:
    """The same, for what is done only then."""
    if not isinstance(ctx.one().record, Character):
        return True
    student = _student(ctx)
    return student.at_school and student.school_years > 0 and student.school_years % TERM == 0


def _to_be_examined(ctx: Context) -> bool:
    """The same, unless it was done for this term."""
    return _at_the_end_of_a_term(ctx) and (
        not isinstance(ctx.one().record, Character) or _student(ctx).examined != _student(ctx).school_years)


def _guild(ctx: Context) -> Guild:
    typed = has(ctx, ctx.one(), GUILD)
    if typed is not None:
        return typed
    if ctx.one().record is None:
        raise MissingField(field="guild", role="initiator")
    return _student(ctx).guild


def _required(ctx: Context, guild: Guild) -> int:
    typed = has(ctx, ctx.one(), REQUIRED)
    return typed if typed is not None else score_of(ctx, ctx.one(), required_characteristic(guild))


def _age(ctx: Context) -> int:
    typed = has(ctx, ctx.one(), AGE)
    if typed is not None:
        return typed
    return _student(ctx).age if ctx.one().record is not None else start_age(ctx.rulings)


def _enrolled(ctx: Context, guild: Guild) -> Sequence[Change]:
    actor = ctx.one()
    return (*set_on(actor, "guild", guild, "EMP-031"), *set_on(actor, "grade", 0, "EMP-035"),
            *set_on(actor, "school_years", 0, "EMP-035"), *set_on(actor, "examined", 0, "EMP-035"),
            *set_on(actor, "at_school", True, "EMP-032"))


def _admission(ctx: Context, guild: Guild) -> Happened:
    return Happened(_age(ctx), "road" if guild is Guild.ADVENTURER else "admitted", guild=guild.value)


def _student_now(ctx: Context, guild: Guild, age: int) -> tuple[Student, ...]:
    return (Student(ctx.one().id, guild, age, 0),)


def _career(ctx: Context, guild: Guild | None, age: int, life: Sequence[Happened]) -> Opened | None:
    """The career that begins before everybody's eyes, in a guild or still at the door; none where one is under way."""
    actor = ctx.one()
    if isinstance(ctx.encounter, Career) or not isinstance(actor.record, Character) or ALL not in actor.audience:
        return None
    entered = guild or actor.record.guild
    return Opened("career", Career(
        _student_now(ctx, entered, age), tuple(life), guild is not None,
        score_of(ctx, actor, required_characteristic(entered)), tuple(actor.record.levels.values()),
    ))


def _enrolled_in_career(ctx: Context, guild: Guild, life: Sequence[Happened]) -> Sequence[Change]:
    if ctx.one().record is None:
        return ()
    score = score_of(ctx, ctx.one(), required_characteristic(guild))
    return career_changes(ctx, "EMP-032", life, lambda career: replace(
        career, students=_student_now(ctx, guild, _age(ctx)), schooled=True, score=score, years_done=0))


def _examined(ctx: Context, passed: bool) -> Sequence[Change]:
    guild = ctx[WANTED_GUILD]
    return (*_enrolled(ctx, guild), *_enrolled_in_career(ctx, guild, (_admission(ctx, guild),))) if passed else ()


def _exam_opens(ctx: Context, passed: bool) -> Opened | None:
    guild = ctx[WANTED_GUILD]
    return _career(ctx, guild, _age(ctx), (_admission(ctx, guild),)) if passed else None


def _failed(ctx: Context) -> bool:
    return ctx.results.get(EXAM.id) is False


def turned_away(dice: Dice, choice: str) -> str:
    """What a rejected candidate does: another guild, the same one next year, or the road."""
    return choice


def _rejection(ctx: Context, choice: str) -> Sequence[Happened]:
    rejected = Happened(_age(ctx), "rejected", guild=ctx[WANTED_GUILD].value)
    return (rejected, _admission(ctx, Guild.ADVENTURER)) if choice == "adventurer" else (rejected,)


def _turned_away(ctx: Context, choice: str) -> Sequence[Change]:
    life = _rejection(ctx, choice)
    if choice == "adventurer":
        return (*_enrolled(ctx, Guild.ADVENTURER), *_enrolled_in_career(ctx, Guild.ADVENTURER, life))
    age = _age(ctx) + (choice == "next_year")
    older = set_on(ctx.one(), "age", age, "EMP-032") if choice == "next_year" else ()
    return (*older, *career_changes(ctx, "EMP-032", life, lambda career: replace(
        career, students=(replace(career.student, age=age),))))


def _rejected_opens(ctx: Context, choice: str) -> Opened | None:
    life = _rejection(ctx, choice)
    if choice == "adventurer":
        return _career(ctx, Guild.ADVENTURER, _age(ctx), life)
    return _career(ctx, None, _age(ctx) + (choice == "next_year"), life)


def _exam_call(ctx: Context) -> Call[bool]:
    if isinstance(ctx.one().record, Character) and _student(ctx).at_school:
        raise AlreadyAtSchool()
    return Call(entrance_exam, ctx[WANTED_GUILD], _required(ctx, ctx[WANTED_GUILD]), _age(ctx))


def _asks_for(ctx: Context, guild: Guild) -> Telling:
    """What a guild asks for, and how much of it one has."""
    name = required_characteristic(guild)
    return said("asks_for", characteristic=name.value, n=_required(ctx, guild))


REQUIRED: Field[int | None] = Field("required", Whole(0, 12), optional=True, rule="EMP-031")
GUILD: Field[Guild | None] = Field("guild", OneOf(Guild), optional=True, rule="EMP-031")
AGE: Field[int | None] = Field("age", Whole(0, 200), optional=True, rule="EMP-032")

WANTED_GUILD = Field("guild", OneOf(Guild), shape=Cards(told=_asks_for), rule="EMP-031")
AFTER_FAILURE: Field[str | None] = Field("after_failure", OneOf(("other_guild", "next_year", "adventurer")),
                                         usual="other_guild", waits=True, when=_failed, place="essential",
                                         shape=Steps(weighed=lambda ctx: False), rule="EMP-032")
EXAM = Resolve("exam", _exam_call, outcome=lambda passed: "admitted" if passed else "rejected", success=bool,
               changes=_examined, opens=_exam_opens)
ENTER_SCHOOL = Move(
    "enter-school",
    group="growth",
    offered=lambda ctx: not _studies(ctx) and _is_theirs(ctx),
    suits=_has_learnt_nothing,
    rules=("EMP-031", "EMP-032"),
    steps=(
        Ask("apply", (WANTED_GUILD, REQUIRED, AGE)),
        EXAM,
        Ask("rejected", (AFTER_FAILURE,)),
        Resolve("choice", lambda ctx: Call(turned_away, ctx[AFTER_FAILURE] or "other_guild"), auto=True, when=_failed,
                outcome=lambda choice: f"after_{choice}", changes=_turned_away, opens=_rejected_opens),
    ),
)


def _is_theirs(ctx: Context) -> bool:
    """Whether the career under way is that of whoever acts, if one is."""
    return not isinstance(ctx.encounter, Career) or ctx.encounter.student.id == ctx.one().id


def _lived(ctx: Context, years: int) -> list[SchoolYear]:
    """The first years of this act."""
    return [ctx.results[name] for name in YEAR_STEPS[:years] if name in ctx.results]


def _schooled(ctx: Context, years: int) -> Schooling:
    """Where the first years of this act lead."""
    student, guild = _student(ctx), _guild(ctx)
    return schooled(guild, student.levels, student.age, student.school_years, student.grade, _lived(ctx, years),
                    ctx.rulings)


def _year_told(ctx: Context, year: SchoolYear, years: int) -> Sequence[Telling]:
    """The year, and at the end of a term what the guild made of it."""
    lines = [said("told_year", skill=year.skill, n=year.levels)]
    last = _schooled(ctx, years).life[-1:] if ctx.one().record is not None else ()
    if last and last[0].what == "promoted":
        lines.append(said("told_grade", n=last[0].n, title=last[0].title))
    elif last and last[0].what == "passed_over":
        lines.append(said("told_passed_over"))
    return lines


def _year_changes(ctx: Context, year: SchoolYear) -> Sequence[Change]:
    actor, student, after = ctx.one(), _student(ctx), _schooled(ctx, TERM)
    if actor.record is None:
        return ()
    examined = after.years if after.years % TERM == 0 else student.examined
    return (
        *set_on(actor, "skills", with_levels(after.levels), "EMP-034"), *set_on(actor, "age", after.age, "EMP-034"),
        *set_on(actor, "school_years", after.years, "EMP-035"), *set_on(actor, "grade", after.grade, "EMP-035"),
        *set_on(actor, "examined", examined, "EMP-035"),
        *career_changes(ctx, "EMP-034", after.life, lambda career: replace(
            career, students=(Student(actor.id, _guild(ctx), after.age, after.grade),),
            skill_levels=tuple(after.levels.values()), years_done=after.years)),
    )


def _years_left(ctx: Context) -> int:
    """The years to the end of this term; a whole one where it is over."""
    return TERM - _student(ctx).school_years % TERM


def _year_step(at: int) -> Resolve[SchoolYear]:
    """One of the years of a term that is lived to its end: the last one writes them all down."""

    def call(ctx: Context) -> Call[SchoolYear]:
        _at_school(ctx)
        guild = _guild(ctx)
        return Call(school_year, guild, _required(ctx, guild), tuple(_schooled(ctx, at).levels), ctx.rulings)

    return Resolve(
        YEAR_STEPS[at], call, at_once=True, when=lambda ctx: at < _years_left(ctx),
        outcome=lambda year: f"levels_{year.levels}", success=lambda year: year.levels > 0,
        tell=lambda ctx, year: _year_told(ctx, year, at + 1),
        changes=lambda ctx, year: _year_changes(ctx, year) if at + 1 == _years_left(ctx) else (),
    )


YEAR_STEPS = ("year", *(f"year{at}" for at in range(2, LONGEST_SCHOOL + 1)))
YEARS_OF_TERM = tuple(_year_step(at) for at in range(TERM))
SCHOOL_YEAR = Move(
    "school-year",
    group="growth",
    offered=lambda ctx: _in_school(ctx) and _is_theirs(ctx),
    suits=_studies,
    rules=("EMP-033", "EMP-034", "EMP-035"),
    steps=(
        Ask("study", (GUILD, REQUIRED)),
        replace(YEARS_OF_TERM[0], when=None, changes=_year_changes),
    ),
)
FINISH_TERM = Move(
    "finish-term",
    group="growth",
    offered=lambda ctx: _in_school(ctx) and _is_theirs(ctx) and _years_left(ctx) > 1,
    suits=_studies,
    rules=("EMP-033", "EMP-034", "EMP-035"),
    steps=(Ask("study", (GUILD, REQUIRED)), *YEARS_OF_TERM),
)


def promotion(dice: Dice, guild: Guild, grade: int, levels: tuple[tuple[str, int], ...], years: int,
              rulings: Rulings) -> int:
    """The grade at the end of a term; it is not given in the middle of one."""
    if years == 0 or years % TERM:
        raise TermNotOver(got=years)
    return promoted(guild, grade, dict(levels), years, rulings)


def _promotion_call(ctx: Context) -> Call[int]:
    student = _at_school(ctx)
    if student.examined and student.examined == student.school_years:
        raise AlreadyExamined(got=student.school_years)
    typed, years = has(ctx, ctx.one(), SKILL_LEVELS), has(ctx, ctx.one(), YEARS)
    levels = tuple((f"{11 + at}", level) for at, level in enumerate(typed)) if typed else tuple(student.levels.items())
    grade = has(ctx, ctx.one(), GRADE)
    return Call(promotion, _guild(ctx), student.grade if grade is None else grade, levels,
                student.school_years if years is None else years, ctx.rulings)


def _tell_promotion(ctx: Context, grade: int) -> Sequence[Telling]:
    title = title_of(_guild(ctx), grade)
    return (said("told_grade", n=grade, title=f"title_{title}"),) if title else (said("told_no_grade"),)


def _promoted(ctx: Context, grade: int) -> Sequence[Change]:
    actor, student = ctx.one(), _student(ctx)
    return (*set_on(actor, "grade", grade, "EMP-035"), *set_on(actor, "examined", student.school_years, "EMP-035"))


SKILL_LEVELS: Field[tuple[int, ...] | None] = Field("skill_levels", Many(Whole(0, 6)), optional=True, rule="EMP-035")
YEARS: Field[int | None] = Field("years", Whole(0, 40), optional=True, rule="EMP-035")
STAYS = Field("stays", Flag(), usual=True, rule="EMP-035")
PROMOTION = Move(
    "promotion",
    group="growth",
    offered=lambda ctx: _to_be_examined(ctx) and _is_theirs(ctx),
    suits=_studies,
    rules=("EMP-035", "EMP-038"),
    steps=(
        Ask("term", (GUILD, replace(GRADE, rule="EMP-035"), SKILL_LEVELS, YEARS, STAYS)),
        Resolve("promote", _promotion_call, outcome=lambda grade: "term_over", tell=_tell_promotion,
                changes=_promoted,
                follow=lambda ctx, grade: () if ctx[STAYS] else (
                    Follow("leave-school", {"initiator": [ctx.one().id]}, {ctx.one().id: {"grade": grade}}),)),
    ),
)


def _grade(ctx: Context) -> int:
    typed = has(ctx, ctx.one(), GRADE)
    return _student(ctx).grade if typed is None else typed


def _leaving_call(ctx: Context) -> Call[int]:
    student = _at_school(ctx)
    if student.school_years % TERM or (ctx.one().record is not None and not student.school_years):
        raise TermNotOver(got=student.school_years)
    return Call(starting_money, _guild(ctx), _grade(ctx), ctx.rulings)


def _left(ctx: Context, credits: int) -> Sequence[Change]:
    actor, student = ctx.one(), _student(ctx)
    return (*set_on(actor, "credits", student.credits + credits, "EMP-036"),
            *set_on(actor, "at_school", False, "EMP-036"),
            *career_changes(ctx, "EMP-036", (Happened(student.age, "left", n=credits),),
                            lambda career: replace(career, done=True)))


LEAVE_SCHOOL = Move(
    "leave-school",
    group="growth",
    offered=lambda ctx: _at_the_end_of_a_term(ctx) and _is_theirs(ctx),
    suits=_studies,
    rules=("EMP-036",),
    steps=(
        Ask("leave", (GUILD, replace(GRADE, rule="EMP-036"))),
        Resolve("money", _leaving_call,
                outcome=lambda credits: "left_school", tell=lambda ctx, credits: (said("told_money", n=credits),),
                at_once=True, changes=_left),
    ),
)


# A whole youth at once


def _guild_lived(ctx: Context) -> Guild:
    """The guild in which it is spent: the one that was wanted, or the road for whoever was turned away."""
    return Guild.ADVENTURER if _failed(ctx) else ctx[WANTED_GUILD]


def _is_lived(ctx: Context) -> bool:
    """Whether there are years to live: whoever will try elsewhere lives none."""
    return EXAM.id in ctx.results and (not _failed(ctx) or ctx[AFTER_FAILURE] == "adventurer")


def _life_so_far(ctx: Context, years: int = LONGEST_SCHOOL) -> Schooling:
    """Where the first years lead."""
    return schooled(_guild_lived(ctx), _student(ctx).levels, _age(ctx), 0, 0, _lived(ctx, years), ctx.rulings)


def _life_year(at: int) -> Resolve[SchoolYear]:
    """One year of a youth, told with the age at which it ends."""

    def call(ctx: Context) -> Call[SchoolYear]:
        guild = _guild_lived(ctx)
        return Call(school_year, guild, _required(ctx, guild), tuple(_life_so_far(ctx, at).levels), ctx.rulings)

    def told(ctx: Context, year: SchoolYear) -> Sequence[Telling]:
        return [Telling(f"life.told_{one.what}", {"age": one.age, "skill": one.skill, "n": one.n, "title": one.title})
                for one in _life_so_far(ctx, at + 1).life if one.age == _age(ctx) + at + 1]

    return Resolve(
        YEAR_STEPS[at], call, at_once=True, when=lambda ctx: _is_lived(ctx) and at < TERM * ctx[TERMS],
        outcome=lambda year: f"levels_{year.levels}", success=lambda year: year.levels > 0, tell=told,
    )


def _life_money_call(ctx: Context) -> Call[int]:
    return Call(starting_money, _guild_lived(ctx), _life_so_far(ctx).grade, ctx.rulings)


def _life_changes(ctx: Context, credits: int) -> Sequence[Change]:
    actor, student, after = ctx.one(), _student(ctx), _life_so_far(ctx)
    return (
        *set_on(actor, "guild", _guild_lived(ctx), "EMP-031"), *set_on(actor, "age", after.age, "EMP-034"),
        *set_on(actor, "skills", with_levels(after.levels), "EMP-034"),
        *set_on(actor, "school_years", after.years, "EMP-035"), *set_on(actor, "grade", after.grade, "EMP-035"),
        *set_on(actor, "examined", after.years, "EMP-035"),
        *set_on(actor, "credits", student.credits + credits, "EMP-036"),
    )


TERMS = Field("terms", Whole(1, LONGEST_SCHOOL // TERM), shape=Steps(weighed=lambda ctx: False), rule="EMP-035")
WHOLE_YOUTH = Move(
    "whole-youth",
    group="growth",
    offered=lambda ctx: not _studies(ctx) and not isinstance(ctx.encounter, Career),
    suits=ENTER_SCHOOL.suits,
    rules=("EMP-031", "EMP-032", "EMP-033", "EMP-034", "EMP-035", "EMP-036"),
    steps=(
        Ask("apply", (WANTED_GUILD, TERMS, REQUIRED, AGE)),
        replace(EXAM, changes=lambda ctx, passed: (), opens=lambda ctx, passed: None),
        Ask("rejected", (AFTER_FAILURE,)),
        Resolve("choice", lambda ctx: Call(turned_away, ctx[AFTER_FAILURE] or "other_guild"), auto=True, when=_failed,
                outcome=lambda choice: f"after_{choice}",
                changes=lambda ctx, choice: () if choice == "adventurer" else _turned_away(ctx, choice)),
        *(_life_year(at) for at in range(LONGEST_SCHOOL)),
        Resolve("money", _life_money_call, at_once=True, when=_is_lived, outcome=lambda credits: "left_school",
                tell=lambda ctx, credits: (said("told_money", n=credits),), changes=_life_changes),
    ),
)


# Training


def _best(ctx: Context, actor: Actor, skill: str) -> int:
    typed = has(ctx, actor, REQUIRED)
    if typed is not None:
        return typed
    return max(score_of(ctx, actor, name) for name in characteristics_of(skill))


def _training_call(ctx: Context) -> Call[int]:
    actor, skill = ctx.one(), ctx[TRAINED]
    if skill in PSI_SKILLS:
        raise PsiIsTaughtElsewhere(skill=skill)
    price = training_price(skill, _grade(ctx))
    if actor.record is not None and _student(ctx).credits < price:
        raise TooPoor(price=price, got=_student(ctx).credits)
    guild = list(Guild)[int(skill[0]) - 1]
    return Call(training, _required(ctx, guild), _best(ctx, actor, skill), level_of(ctx, actor, skill), ctx.rulings)


def _trained(ctx: Context, levels: int) -> Sequence[Change]:
    actor, student, skill = ctx.one(), _student(ctx), ctx[TRAINED]
    price = training_price(skill, _grade(ctx))
    return (*set_on(actor, "credits", student.credits - price, "EMP-037"),
            *set_on(actor, "age", student.age + 1, "EMP-037"),
            *set_on(actor, "skills", with_levels(raised(student.levels, skill, levels)), "EMP-037"))


def _payable(ctx: Context) -> tuple[str, ...]:
    """The skills that somebody can be taught for what they have, PSI apart."""
    return tuple(skill for skill in SKILLS if skill not in PSI_SKILLS
                 and (ctx.one().record is None or training_price(skill, _grade(ctx)) <= _student(ctx).credits))


TRAINED = Field("skill", OneOf(SKILLS, _payable), rule="EMP-037")
TRAINING_YEAR = Move(
    "training-year",
    group="growth",
    offered=lambda ctx: bool(_payable(ctx)),
    rules=("EMP-037",),
    steps=(
        Ask("train", (TRAINED, replace(GRADE, rule="EMP-037"), REQUIRED, replace(LEVEL, rule="EMP-037"))),
        Window("available", "gm", "approval"),
        Resolve("year", _training_call, outcome=lambda levels: f"levels_{levels}",
                success=lambda levels: levels > 0,
                tell=lambda ctx, levels: (said("told_training", skill=ctx[TRAINED], n=levels,
                                               price=training_price(ctx[TRAINED], _grade(ctx))),),
                changes=_trained, shown=lambda ctx, result: OWN_THROW),
    ),
)


class Retreat(NamedTuple):
    """What a year in a monastery taught: the skills that rose."""

    risen: tuple[str, ...]


def retreats(dice: Dice, attempts: tuple[tuple[str, int, int], ...]) -> Retreat:
    """One attempt for each PSI skill: number, best characteristic, level."""
    return Retreat(tuple(skill for skill, best, level in attempts if dice.resolve(retreat, best, level)))


def _risable(ctx: Context) -> tuple[str, ...]:
    """The PSI skills that a retreat may raise: those that one has, below the last level."""
    return tuple(skill for skill in PSI_SKILLS if 0 < level_of(ctx, ctx.one(), skill) < SKILL_MOST)


def _retreat_call(ctx: Context) -> Call[Retreat]:
    actor = ctx.one()
    chosen = ctx[WORKED_ON] or _risable(ctx)
    return Call(retreats, tuple((skill, _best(ctx, actor, skill), level_of(ctx, actor, skill)) for skill in chosen))


def _retreated(ctx: Context, result: Retreat) -> Sequence[Change]:
    actor, student = ctx.one(), _student(ctx)
    levels = student.levels
    for skill in result.risen:
        levels = raised(levels, skill, 1)
    return (*set_on(actor, "age", student.age + 1, "EMP-167"),
            *set_on(actor, "skills", with_levels(levels), "EMP-167"))


WORKED_ON = Field("psi_skills", Many(OneOf(PSI_SKILLS, _risable), distinct=True), usual=(), rule="EMP-167",
                  upon=LEVEL.id)
PSI_RETREAT = Move(
    "psi-retreat",
    group="growth",
    offered=lambda ctx: ctx.one().record is None or bool(_risable(ctx)),
    rules=("EMP-167",),
    steps=(
        Ask("retreat", (replace(LEVEL, type=Whole(1, SKILL_MOST - 1), rule="EMP-167"), WORKED_ON, REQUIRED)),
        Resolve("year", _retreat_call, outcome=lambda result: "risen" if result.risen else "not_risen",
                success=lambda result: bool(result.risen), changes=_retreated,
                tell=lambda ctx, result: tuple(said("told_risen", skill=skill) for skill in result.risen),
                shown=lambda ctx, result: OWN_THROW),
    ),
)


# Destiny


def _destiny_call(ctx: Context) -> Call[Destiny]:
    actor = ctx.one()
    if not may_claim(True, ctx[CLAIMED_COLUMN], ctx.rulings):
        raise NotAPreciseSuccess(got=ctx[CLAIMED_COLUMN].value)
    given = ctx[CLAIMED_SCORE]
    score = given if isinstance(given, int) else score_of(ctx, actor, Characteristic(given))
    rule, count = (by_gm(destiny_roll), ctx[HIDDEN_DICE]) if ctx[HIDE_DICE] else (destiny_roll, ctx[DICE])
    return Call(rule, count, score, level_of(ctx, actor, ctx[SKILL] or ""), ctx.rulings)


def _destined(ctx: Context, result: Destiny) -> Sequence[Change]:
    actor, student, skill = ctx.one(), _student(ctx), ctx[SKILL]
    changes = list(set_on(actor, "destiny", student.destiny + result.points, "EMP-044"))
    if skill:
        changes += set_on(actor, "skills", with_levels(raised(student.levels, skill, result.levels)), "EMP-044")
    return changes


GRANTED = Field("granted", Flag(), "gm", usual=False, secrecy="gm", place="rarity", rule="EMP-044")
"""A claim that follows from the success itself asks nobody's leave; the game master may cancel it as any other act."""
HIDE_DICE = Field("hide_dice", Flag(), "gm", usual=False, place="rarity", rule="EMP-044")
HIDDEN_DICE = Field("hidden_dice", Whole(3, 5), "gm", secrecy="gm", probes=(3, 4, 5), when=lambda ctx: ctx[HIDE_DICE],
                    rule="EMP-044")
DICE = Field("dice", Whole(3, 5), when=lambda ctx: not ctx[HIDE_DICE], rule="EMP-044")
CLAIMED_SCORE = Field("characteristic", Score(Characteristic, 0), rule="EMP-044")
COLUMNS = (Column.PRECISE, Column.FAST, Column.LASTING)
CLAIMED_COLUMN = Field(
    "column", OneOf(COLUMNS, lambda ctx: [one for one in COLUMNS if may_claim(True, one, ctx.rulings)]),
    usual=Column.PRECISE, rule="EMP-044")
DESTINY_ROLL = Move(
    "destiny-roll",
    group="growth",
    rules=("EMP-044",),
    steps=(
        Ask("claim", (
            DICE, CLAIMED_SCORE, replace(SKILL, rule="EMP-044"), replace(LEVEL, rule="EMP-044"), CLAIMED_COLUMN,
            HIDE_DICE, HIDDEN_DICE, GRANTED,
        )),
        Window("veto", "gm", "veto", when=lambda ctx: not ctx[GRANTED]),
        Resolve("roll", _destiny_call,
                outcome=lambda result: "destiny_rises" if result.levels else (
                    "destiny_full" if result.points else "destiny_stays"),
                success=lambda result: result.points > 0,
                tell=lambda ctx, result: (said("told_destiny", levels=result.levels, n=result.points),),
                changes=_destined, shown=lambda ctx, result: Shown(dice=GM_ONLY if ctx[HIDE_DICE] else PAIR)),
    ),
)


# Age


def _survival_call(ctx: Context) -> Call[bool]:
    typed = ctx[DESTINY]
    return Call(thrown_by("initiator", survival_roll), _age(ctx), _student(ctx).destiny if typed is None else typed)


def _aged(ctx: Context, spared: bool) -> Sequence[Change]:
    actor = ctx.one()
    if spared or not isinstance(actor.record, Character):
        return ()
    before = [getattr(actor.record, name) for name in PHYSICAL]
    after: dict[str, Any] = dict(zip((name.value for name in PHYSICAL), worn(before), strict=True))
    record = replace(actor.record, **after)
    changes = [change for name in PHYSICAL for change in set_on(actor, name.value, getattr(record, name), "EMP-045")]
    most = record.physical_most
    changes += set_on(actor, "age_loss", actor.record.age_loss + 1, "EMP-116")
    return [*changes, *set_on(actor, "resistance_physical", min(most, actor.record.resistance_physical), "EMP-045")]


def _tell_survival(ctx: Context, spared: bool) -> Sequence[Telling]:
    due = survival_due(_age(ctx), ctx[YEAR], ctx.rulings)
    record = ctx.one().record
    gone = not spared and isinstance(record, Character) and min(getattr(record, name) for name in PHYSICAL) <= 1
    return (*(() if due else (said("told_not_due", GM_ONLY),)),
            *((said("told_body_spent", who=Who(ctx.one().id)),) if gone else ()))


DESTINY: Field[int | None] = Field("destiny", Whole(0), optional=True, rule="EMP-045")
YEAR = Field("year", Whole(0), "gm", usual=0, rule="EMP-045")
SURVIVAL_ROLL = Move(
    "survival-roll",
    group="growth",
    by="gm",
    rules=("EMP-045",),
    steps=(
        Ask("call", (AGE, DESTINY, YEAR)),
        Resolve("roll", _survival_call,
                outcome=lambda spared: "spared" if spared else "worn", success=bool, changes=_aged,
                tell=_tell_survival, shown=lambda ctx, result: OWN_THROW),
    ),
)

MOVES = (
    ROLL_CHARACTERISTICS, FULL_CHARACTER, ENTER_SCHOOL, SCHOOL_YEAR, FINISH_TERM, WHOLE_YOUTH, PROMOTION, LEAVE_SCHOOL,
    TRAINING_YEAR, PSI_RETREAT, DESTINY_ROLL, SURVIVAL_ROLL,
)
