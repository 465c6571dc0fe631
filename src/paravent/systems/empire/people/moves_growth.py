"""Moves of a life: characteristics, school, promotion, money, training, retreat, destiny, age."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from paravent.dice import Dice
from paravent.game import (
    GM_ONLY,
    Actor,
    Ask,
    Change,
    Context,
    Field,
    Flag,
    Follow,
    Many,
    MissingField,
    Move,
    OneOf,
    Resolve,
    Rulings,
    Score,
    Shown,
    Telling,
    TextField,
    Whole,
    Window,
    asking,
)
from paravent.systems.empire.actions.action import Column, characteristics_of
from paravent.systems.empire.actions.trials import has, level_of, score_of, told
from paravent.systems.empire.minds.psi import PSI_SKILLS, retreat
from paravent.systems.empire.terms import PHYSICAL, SKILL_MOST, SKILLS, Characteristic
from paravent.systems.empire.throws import PAIR, said, set_on, thrown_by

from .character import Character, with_levels
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
from .errors import AlreadyExamined, NotAPreciseSuccess, NotAtSchool, PsiIsTaughtElsewhere, TermNotOver, TooPoor

OWN_THROW = Shown(dice=PAIR)


# Six scores


def _check_scores(ctx: Context) -> tuple[Any, ...]:
    scores = tuple(int(ctx[name.value]) for name in Characteristic)
    return ctx.results["pool"], scores, ctx["name"], ctx["sex"], start_age(ctx.rulings, told(ctx, "age"))


def made(dice: Dice, points: int, scores: tuple[int, ...], name: str, sex: Sex, age: int) -> Character:
    """The sheet that a spread of the pool gives; a spread that is not legal is refused."""
    check_spread(points, scores)
    named: dict[str, Any] = dict(zip((part.value for part in Characteristic), scores, strict=True))
    return Character(name, sex, age, **named)


def _even(at: int) -> Callable[[Context], int]:
    """What stands where nothing is said: the pool spread evenly, the first scores one higher."""

    def usual(ctx: Context) -> int:
        each, over = divmod(ctx.results.get("pool", 42), 6)
        return int(each + (at < over))

    return usual


ROLL_CHARACTERISTICS = Move(
    "roll-characteristics",
    makes="character",
    group="growth",
    rules=("EMP-030", "EMP-039", "EMP-040", "EMP-041"),
    steps=(
        Resolve("pool", asking(pool, lambda ctx: ()), outcome=lambda points: "pool",
                tell=lambda ctx, points: (said("told_pool", n=points),)),
        Ask("spread", (
            Field("name", TextField(80), rule="EMP-030"),
            Field("sex", OneOf(Sex), usual=Sex.MAN, rule="EMP-039"),
            *(Field(name.value, Whole(2, 12), usual=_even(at), waits=True, rule="EMP-030")
              for at, name in enumerate(Characteristic)),
            Field("age", Whole(6, 60), "gm", optional=True, rule="EMP-032",
                  when=lambda ctx: ctx.rulings.start_age == "gm"),
        )),
        Resolve("sheet", asking(made, _check_scores), auto=True, outcome=lambda sheet: "sheet_made",
                changes=lambda ctx, sheet: (Change(sheet.name, "", None, sheet, "EMP-030", kind="character"),)),
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


def _guild(ctx: Context) -> Guild:
    typed = has(ctx, ctx.one(), "guild")
    if typed is not None:
        return Guild(typed)
    if ctx.one().record is None:
        raise MissingField(field="guild", role="initiator")
    return _student(ctx).guild


def _required(ctx: Context, guild: Guild) -> int:
    typed = has(ctx, ctx.one(), "required")
    return int(typed) if typed is not None else score_of(ctx, ctx.one(), required_characteristic(guild))


def _age(ctx: Context) -> int:
    typed = has(ctx, ctx.one(), "age")
    if typed is not None:
        return int(typed)
    return _student(ctx).age if ctx.one().record is not None else start_age(ctx.rulings)


def _enrolled(ctx: Context, guild: Guild) -> Sequence[Change]:
    actor = ctx.one()
    return (*set_on(actor, "guild", guild, "EMP-031"), *set_on(actor, "grade", 0, "EMP-035"),
            *set_on(actor, "school_years", 0, "EMP-035"), *set_on(actor, "examined", 0, "EMP-035"),
            *set_on(actor, "at_school", True, "EMP-032"))


def _failed(ctx: Context) -> bool:
    return ctx.results.get("exam") is False


def turned_away(dice: Dice, choice: str) -> str:
    """What a rejected candidate does: another guild, the same one next year, or the road."""
    return choice


def _turned_away(ctx: Context, choice: str) -> Sequence[Change]:
    if choice == "adventurer":
        return _enrolled(ctx, Guild.ADVENTURER)
    return set_on(ctx.one(), "age", _age(ctx) + 1, "EMP-032") if choice == "next_year" else ()


REQUIRED = Field("required", Whole(0, 12), optional=True, rule="EMP-031")
GUILD = Field("guild", OneOf(Guild), optional=True, rule="EMP-031")
AGE = Field("age", Whole(0, 200), optional=True, rule="EMP-032")

ENTER_SCHOOL = Move(
    "enter-school",
    group="growth",
    rules=("EMP-031", "EMP-032"),
    steps=(
        Ask("apply", (
            Field("guild", OneOf(Guild), rule="EMP-031"),
            REQUIRED,
            AGE,
        )),
        Resolve("exam", asking(entrance_exam, lambda ctx: (ctx["guild"], _required(ctx, ctx["guild"]), _age(ctx))),
                outcome=lambda passed: "admitted" if passed else "rejected", success=bool,
                changes=lambda ctx, passed: _enrolled(ctx, ctx["guild"]) if passed else ()),
        Ask("rejected", (
            Field("after_failure", OneOf(("other_guild", "next_year", "adventurer")), usual="other_guild", waits=True,
                  when=_failed, rule="EMP-032"),
        )),
        Resolve("choice", asking(turned_away, lambda ctx: (ctx["after_failure"],)), auto=True, when=_failed,
                outcome=lambda choice: f"after_{choice}", changes=_turned_away),
    ),
)


def _year_changes(ctx: Context, year: SchoolYear) -> Sequence[Change]:
    actor, student = ctx.one(), _student(ctx)
    levels = raised(student.levels, year.skill, year.levels)
    return (*set_on(actor, "skills", with_levels(levels), "EMP-034"), *set_on(actor, "age", student.age + 1, "EMP-034"),
            *set_on(actor, "school_years", student.school_years + 1, "EMP-035"))


SCHOOL_YEAR = Move(
    "school-year",
    group="growth",
    rules=("EMP-033", "EMP-034"),
    steps=(
        Ask("study", (GUILD, REQUIRED)),
        Resolve("year", asking(school_year,
                lambda ctx: (_guild(ctx), _required(ctx, _guild(ctx)), tuple(_at_school(ctx).levels), ctx.rulings)),
                outcome=lambda year: f"levels_{year.levels}", success=lambda year: year.levels > 0,
                tell=lambda ctx, year: (said("told_year", skill=year.skill, n=year.levels),), changes=_year_changes),
    ),
)


def promotion(dice: Dice, guild: Guild, grade: int, levels: tuple[tuple[str, int], ...], years: int,
              rulings: Rulings) -> int:
    """The grade at the end of a term; it is not given in the middle of one."""
    if years == 0 or years % TERM:
        raise TermNotOver(got=years)
    return promoted(guild, grade, dict(levels), years, rulings)


def _read_promotion(ctx: Context) -> tuple[Any, ...]:
    student = _at_school(ctx)
    if student.examined and student.examined == student.school_years:
        raise AlreadyExamined(got=student.school_years)
    typed, years = has(ctx, ctx.one(), "skill_levels"), has(ctx, ctx.one(), "years")
    levels = tuple((f"{11 + at}", level) for at, level in enumerate(typed)) if typed else tuple(student.levels.items())
    grade = has(ctx, ctx.one(), "grade")
    return (_guild(ctx), student.grade if grade is None else grade, levels,
            student.school_years if years is None else years, ctx.rulings)


def _tell_promotion(ctx: Context, grade: int) -> Sequence[Telling]:
    title = title_of(_guild(ctx), grade)
    return (said("told_grade", n=grade, title=f"title_{title}"),) if title else (said("told_no_grade"),)


PROMOTION = Move(
    "promotion",
    group="growth",
    rules=("EMP-035", "EMP-038"),
    steps=(
        Ask("term", (
            GUILD,
            Field("grade", Whole(0, 6), optional=True, rule="EMP-035"),
            Field("skill_levels", Many(Whole(0, 6)), optional=True, rule="EMP-035"),
            Field("years", Whole(0, 40), optional=True, rule="EMP-035"),
            Field("stays", Flag(), usual=True, rule="EMP-035"),
        )),
        Resolve("promote", asking(promotion, _read_promotion), outcome=lambda grade: "term_over", tell=_tell_promotion,
                changes=lambda ctx, grade: (*set_on(ctx.one(), "grade", grade, "EMP-035"),
                                            *set_on(ctx.one(), "examined", _student(ctx).school_years, "EMP-035")),
                follow=lambda ctx, grade: () if ctx["stays"] else (
                    Follow("leave-school", {"initiator": [ctx.one().id]}, {ctx.one().id: {"grade": grade}}),)),
    ),
)


def _grade(ctx: Context) -> int:
    typed = has(ctx, ctx.one(), "grade")
    return _student(ctx).grade if typed is None else int(typed)


def _read_leaving(ctx: Context) -> tuple[Any, ...]:
    student = _at_school(ctx)
    if student.school_years % TERM or (ctx.one().record is not None and not student.school_years):
        raise TermNotOver(got=student.school_years)
    return _guild(ctx), _grade(ctx), ctx.rulings


LEAVE_SCHOOL = Move(
    "leave-school",
    group="growth",
    rules=("EMP-036",),
    steps=(
        Ask("leave", (GUILD, Field("grade", Whole(0, 6), optional=True, rule="EMP-036"))),
        Resolve("money", asking(starting_money, _read_leaving),
                outcome=lambda credits: "left_school", tell=lambda ctx, credits: (said("told_money", n=credits),),
                changes=lambda ctx, credits: (
                    *set_on(ctx.one(), "credits", _student(ctx).credits + credits, "EMP-036"),
                    *set_on(ctx.one(), "at_school", False, "EMP-036"))),
    ),
)


# Training


def _best(ctx: Context, actor: Actor, skill: str) -> int:
    typed = has(ctx, actor, "required")
    if typed is not None:
        return int(typed)
    return max(score_of(ctx, actor, name) for name in characteristics_of(skill))


def _read_training(ctx: Context) -> tuple[Any, ...]:
    actor, skill = ctx.one(), ctx["skill"]
    if skill in PSI_SKILLS:
        raise PsiIsTaughtElsewhere(skill=skill)
    price = training_price(skill, _grade(ctx))
    if actor.record is not None and _student(ctx).credits < price:
        raise TooPoor(price=price, got=_student(ctx).credits)
    guild = list(Guild)[int(skill[0]) - 1]
    return _required(ctx, guild), _best(ctx, actor, skill), level_of(ctx, actor, skill), ctx.rulings


def _trained(ctx: Context, levels: int) -> Sequence[Change]:
    actor, student, skill = ctx.one(), _student(ctx), ctx["skill"]
    price = training_price(skill, _grade(ctx))
    return (*set_on(actor, "credits", student.credits - price, "EMP-037"),
            *set_on(actor, "age", student.age + 1, "EMP-037"),
            *set_on(actor, "skills", with_levels(raised(student.levels, skill, levels)), "EMP-037"))


TRAINING_YEAR = Move(
    "training-year",
    group="growth",
    rules=("EMP-037",),
    steps=(
        Ask("train", (
            Field("skill", OneOf(SKILLS), rule="EMP-037"),
            Field("grade", Whole(0, 6), optional=True, rule="EMP-037"),
            REQUIRED,
            Field("level", Whole(0, 6), optional=True, rule="EMP-037"),
        )),
        Window("available", "gm", "approval"),
        Resolve("year", asking(training, _read_training), outcome=lambda levels: f"levels_{levels}",
                success=lambda levels: levels > 0,
                tell=lambda ctx, levels: (said("told_training", skill=ctx["skill"], n=levels,
                                               price=training_price(ctx["skill"], _grade(ctx))),),
                changes=_trained, shown=lambda ctx, result: OWN_THROW),
    ),
)


class Retreat(NamedTuple):
    """What a year in a monastery taught: the skills that rose."""

    risen: tuple[str, ...]


def retreats(dice: Dice, attempts: tuple[tuple[str, int, int], ...]) -> Retreat:
    """One attempt for each PSI skill: number, best characteristic, level."""
    return Retreat(tuple(skill for skill, best, level in attempts if dice.resolve(retreat, best, level)))


def _read_retreat(ctx: Context) -> tuple[Any, ...]:
    actor = ctx.one()
    chosen = ctx["psi_skills"] or tuple(
        skill for skill in PSI_SKILLS if 0 < level_of(ctx, actor, skill) < SKILL_MOST)
    return (tuple((skill, _best(ctx, actor, skill), level_of(ctx, actor, skill)) for skill in chosen),)


def _retreated(ctx: Context, result: Retreat) -> Sequence[Change]:
    actor, student = ctx.one(), _student(ctx)
    levels = student.levels
    for skill in result.risen:
        levels = raised(levels, skill, 1)
    return (*set_on(actor, "age", student.age + 1, "EMP-167"),
            *set_on(actor, "skills", with_levels(levels), "EMP-167"))


PSI_RETREAT = Move(
    "psi-retreat",
    group="growth",
    rules=("EMP-167",),
    steps=(
        Ask("retreat", (
            Field("psi_skills", Many(OneOf(PSI_SKILLS), distinct=True), usual=(), rule="EMP-167"),
            REQUIRED,
            Field("level", Whole(1, 6), optional=True, rule="EMP-167"),
        )),
        Resolve("year",
            asking(retreats, _read_retreat), outcome=lambda result: "risen" if result.risen else "not_risen",
                success=lambda result: bool(result.risen), changes=_retreated,
                tell=lambda ctx, result: tuple(said("told_risen", skill=skill) for skill in result.risen),
                shown=lambda ctx, result: OWN_THROW),
    ),
)


# Destiny


def _read_destiny(ctx: Context) -> tuple[Any, ...]:
    actor = ctx.one()
    if not may_claim(True, ctx["column"], ctx.rulings):
        raise NotAPreciseSuccess(got=ctx["column"].value)
    given = ctx.value(actor, "characteristic")
    score = given if isinstance(given, int) else score_of(ctx, actor, given)
    return ctx["dice"], score, level_of(ctx, actor, ctx["skill"] or ""), ctx.rulings


def _destined(ctx: Context, result: Destiny) -> Sequence[Change]:
    actor, student, skill = ctx.one(), _student(ctx), ctx["skill"]
    changes = list(set_on(actor, "destiny", student.destiny + result.points, "EMP-044"))
    if skill:
        changes += set_on(actor, "skills", with_levels(raised(student.levels, skill, result.levels)), "EMP-044")
    return changes


DESTINY_ROLL = Move(
    "destiny-roll",
    group="growth",
    rules=("EMP-044",),
    steps=(
        Ask("claim", (
            Field("dice", Whole(3, 5), rule="EMP-044"),
            Field("characteristic", Score(Characteristic, 0), rule="EMP-044"),
            Field("skill", OneOf(SKILLS), optional=True, rule="EMP-044"),
            Field("level", Whole(0, 6), optional=True, rule="EMP-044"),
            Field("column", OneOf((Column.PRECISE, Column.FAST, Column.LASTING)), usual=Column.PRECISE,
                  rule="EMP-044"),
        )),
        Window("veto", "gm", "veto"),
        Resolve("roll", asking(destiny_roll, _read_destiny),
                outcome=lambda result: "destiny_rises" if result.points else "destiny_stays",
                success=lambda result: result.points > 0,
                tell=lambda ctx, result: (said("told_destiny", levels=result.levels, n=result.points),),
                changes=_destined, shown=lambda ctx, result: OWN_THROW),
    ),
)


# Age


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
    due = survival_due(_age(ctx), told(ctx, "year") or 0, ctx.rulings)
    record = ctx.one().record
    gone = not spared and isinstance(record, Character) and min(getattr(record, name) for name in PHYSICAL) <= 1
    return (*(() if due else (said("told_not_due", GM_ONLY),)),
            *((said("told_body_spent", who=ctx.one().id),) if gone else ()))


SURVIVAL_ROLL = Move(
    "survival-roll",
    group="growth",
    by="gm",
    rules=("EMP-045",),
    steps=(
        Ask("call", (
            AGE,
            Field("destiny", Whole(0), optional=True, rule="EMP-045"),
            Field("year", Whole(0), "gm", usual=0, rule="EMP-045"),
        )),
        Resolve("roll", asking(thrown_by,
                lambda ctx: ("initiator", survival_roll, _age(ctx),
                             _student(ctx).destiny if ctx["destiny"] is None else ctx["destiny"])),
                outcome=lambda spared: "spared" if spared else "worn", success=bool, changes=_aged,
                tell=_tell_survival, shown=lambda ctx, result: OWN_THROW),
    ),
)

MOVES = (
    ROLL_CHARACTERISTICS, ENTER_SCHOOL, SCHOOL_YEAR, PROMOTION, LEAVE_SCHOOL, TRAINING_YEAR, PSI_RETREAT, DESTINY_ROLL,
    SURVIVAL_ROLL,
)
