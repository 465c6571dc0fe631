"""Moves of action: quick rule, characteristic roll, skill test, retry, evasion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

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
    MissingField,
    Move,
    OneOf,
    Resolve,
    Score,
    Shown,
    Telling,
    TextField,
    Whole,
    asking,
)
from paravent.systems.empire.people.character import Character, QuickCharacter, secondary_value
from paravent.systems.empire.people.conditions import surge_over
from paravent.systems.empire.people.referee import seconds
from paravent.systems.empire.terms import TABLES, Characteristic, Side
from paravent.systems.empire.throws import PAIR, said, thrown_by

from .action import (
    Aim,
    Column,
    Difficulty,
    Gauged,
    Tested,
    Verdict,
    characteristic_roll,
    dice_of,
    evasion_roll,
    retry_unit,
    settled_test,
    side_of,
    skill_test,
    time_taken,
    with_extra,
    without_dice,
)
from .quick import STEPS, Qualities, QuickResult, qualities, quality_used, quick_action
from .trials import (
    ARM,
    EXTRA,
    GRAVITY,
    HANDED,
    MODS,
    ORGAN,
    SETTLED,
    characteristic_used,
    column_field,
    destiny,
    evasion,
    has,
    level_field,
    mods_of,
    score_field,
    score_of,
    shown_to_pair,
    skill_field,
    state_dice,
    thrower,
    told,
    trial,
)

DAY_SECONDS = 86400

# The quick rule


def plays_quick(ctx: Context) -> bool:
    """The quick rule is played where the table has chosen it."""
    return ctx.rulings.ruleset == "quick"


def _quick_sheet(ctx: Context, rolled: Qualities) -> Sequence[Change]:
    body, mind = rolled if ctx["best_to"] == "first_physical" else rolled[::-1]
    sheet = QuickCharacter(ctx["name"], body, mind)
    return (Change(sheet.name, "", None, sheet, "EMP-020", kind="quick"),) if sheet.name else ()


QUICK_CHARACTER = Move(
    "quick-character",
    makes="quick",
    group="quick",
    when=plays_quick,
    rules=("EMP-020",),
    steps=(
        Ask("who", (Field("name", TextField(80), usual="", rule="EMP-020"),)),
        Resolve("throw", asking(qualities, lambda ctx: ()), outcome=lambda rolled: "qualities",
                tell=lambda ctx, rolled: (said("told_qualities", first=rolled.first, second=rolled.second),)),
        Ask("assign", (Field("best_to", OneOf(("first_physical", "first_mental")), usual="first_physical",
                             waits=True, rule="EMP-020"),)),
        Resolve("sheet", asking(lambda dice, rolled: rolled, lambda ctx: (ctx.results["throw"],)), auto=True,
                outcome=lambda rolled: "assigned", changes=_quick_sheet),
    ),
)


def _quality(ctx: Context) -> Fraction:
    actor = ctx.one()
    typed, share = has(ctx, actor, "own_quality"), ctx["share"]
    if typed is not None:
        return Fraction(typed)
    if not isinstance(actor.record, QuickCharacter):
        raise MissingField(field="own_quality", role=actor.role)
    return quality_used(actor.record.physical_quality, actor.record.mental_quality, share)


def _read_quick(ctx: Context) -> tuple[Any, ...]:
    return thrower(ctx), quick_action, _quality(ctx), ctx["step"], ctx["rounding"] or "", ctx.rulings


def _tell_quick(ctx: Context, result: QuickResult) -> Sequence[Telling]:
    return (said(f"told_{'success' if result.success else 'failure'}", adjective=result.adjective),)


QUICK_ACTION = Move(
    "quick-action",
    group="quick",
    when=plays_quick,
    rules=("EMP-021", "EMP-022", "EMP-023", "EMP-024"),
    steps=(
        Ask("declare", (
            Field("intent", TextField(300), usual="", rule="EMP-021"),
            Field("own_quality", Whole(5, 10), optional=True, rule="EMP-020"),
        )),
        Ask("settle", (
            Field("share", OneOf(("physical", "mental", "both")), "gm", usual="physical", rule="EMP-021"),
            Field("step", OneOf(STEPS), "gm", usual=0, secrecy="gm", probes=STEPS, rule="EMP-022"),
            Field("rounding", OneOf(("down", "up")), "gm", optional=True, rule="EMP-024"),
            HANDED,
        )),
        Resolve("act", asking(thrown_by, _read_quick), tell=_tell_quick, shown=shown_to_pair,
                outcome=lambda result: "success" if result.success else "failure",
                success=lambda result: result.success),
    ),
)


# Under a characteristic

SECONDARY = ("perception", "stealth")


def _tested_score(ctx: Context, actor: Actor) -> Any:
    """What is rolled under: the characteristic of an everyday act, or as said: a name, a number, nothing yet."""
    act = told(ctx, "act")
    return TABLES["everyday_acts"].cell(act, "characteristic") if act else has(ctx, actor, "score")


def _primary(ctx: Context, actor: Actor) -> Characteristic | None:
    """The characteristic rolled under, where it is one of the six."""
    name = _tested_score(ctx, actor)
    return Characteristic(name) if isinstance(name, str) and name not in SECONDARY else None


def _read_roll(ctx: Context) -> tuple[Any, ...]:
    actor, name = ctx.one(), _primary(ctx, ctx.one())
    side = side_of(name) if name is not None else None
    mods = mods_of(ctx, actor, side) if side is not None else int(told(ctx, "mods") or 0)
    extra = int(told(ctx, "extra_dice") or 0) + (state_dice(ctx, actor, side) if side is not None else 0)
    return (thrower(ctx), characteristic_roll, _score(ctx, actor) + mods, ctx.rulings,
            with_extra(2, extra, ctx.rulings))


def _score(ctx: Context, actor: Actor) -> Fraction:
    name = _tested_score(ctx, actor)
    if isinstance(name, int):
        return Fraction(name)
    if name is None:
        raise MissingField(field="score", role=actor.role)
    if name in SECONDARY:
        if not isinstance(actor.record, Character):
            raise MissingField(field="score", role=actor.role)
        return secondary_value(actor.record, name, ctx.rulings)
    return Fraction(score_of(ctx, actor, Characteristic(name)))


def _tell_gauged(ctx: Context, result: Gauged) -> Sequence[Telling]:
    return (said(f"told_{'success' if result.success else 'failure'}", adjective=result.adjective),)


CHARACTERISTIC_ROLL = Move(
    "characteristic-roll",
    group="action",
    rules=("EMP-025", "EMP-050", "EMP-051"),
    steps=(
        Ask("declare", (
            Field("intent", TextField(300), usual="", rule="EMP-051"),
            Field("score", Score((*Characteristic, *SECONDARY), 0, 20), optional=True, rule="EMP-051"),
        )),
        Ask("settle", (
            Field("act", OneOf(lambda ctx: TABLES["everyday_acts"].keys()), "gm", optional=True, rule="EMP-051"),
            MODS, EXTRA, ORGAN,
            HANDED,
            GRAVITY,
        )),
        Resolve("roll", asking(thrown_by, _read_roll),
                changes=lambda ctx, result: surge_over(ctx, ctx.one(), _primary(ctx, ctx.one())),
                tell=_tell_gauged, outcome=lambda result: "success" if result.success else "failure",
                success=lambda result: result.success,
                shown=lambda ctx, result: Shown(dice=PAIR if told(ctx, "handed") else GM_ONLY)),
    ),
)


# A test of skill


def tested(
    dice: Dice, who: str, verdict: Verdict, at_stake: bool, limit: int, difficulty: Difficulty, aims: tuple[Aim, ...]
) -> tuple[Tested, ...]:
    """A whole test: certain or impossible, nothing is thrown; else one roll, or three."""
    if without_dice(verdict, life_at_stake=at_stake) is not None:
        dice.note("EMP-001", verdict.value)
        return settled_test(verdict, difficulty, aims)
    result: tuple[Tested, ...] = dice.of(who).resolve(skill_test, limit, difficulty, aims)
    return result


def aims_of(ctx: Context, actor: Actor) -> tuple[Aim, ...]:
    """The rolls to make: one for all, or one for each of precision, time and persistence."""
    settled = trial(ctx, actor, has(ctx, actor, "skill") or "")
    if told(ctx, "rolls") != "three":
        return (Aim(settled.column, settled.dice),)
    columns = (settled.column, ctx.value(actor, "time_column"), ctx.value(actor, "persistence_column"))
    return tuple(
        Aim(column, with_extra(dice_of(settled.difficulty, column), settled.malus, ctx.rulings)) for column in columns
    )


def _read_test(ctx: Context) -> tuple[Any, ...]:
    actor = ctx.one()
    if ctx["verdict"] is not Verdict.ROLL and not ctx["life_at_stake"]:
        column = ctx["column"]
        return "gm", ctx["verdict"], False, 0, ctx["difficulty"], (Aim(column, dice_of(ctx["difficulty"], column)),)
    settled = trial(ctx, actor, has(ctx, actor, "skill") or "")
    return (thrower(ctx), ctx["verdict"], ctx["life_at_stake"], settled.threshold, settled.difficulty,
            aims_of(ctx, actor))


def outcome_of(results: tuple[Tested, ...]) -> str:
    """The short key of a test: all its rolls, some or none."""
    good = sum(result.success for result in results)
    return "success" if good == len(results) else "partial" if good else "failure"


def tell_tested(ctx: Context, results: tuple[Tested, ...]) -> Sequence[Telling]:
    """Each roll with its adjective, and how long the act took where a unit was named."""
    lines = [said(f"told_{'success' if one.success else 'failure'}", adjective=one.adjective)
             for one in results]
    unit = told(ctx, "unit")
    if unit:
        lines.append(said("told_time", unit=time_taken(unit, ctx["column"])))
    return lines


def follow_destiny(ctx: Context, results: tuple[Tested, ...]) -> Sequence[Follow]:
    """After a precise success on one's sheet, a destiny roll may be claimed."""
    actor, skill = ctx.one(), has(ctx, ctx.one(), "skill")
    if told(ctx, "verdict") not in (None, Verdict.ROLL) or not skill or len(results) > 1:
        return ()
    return destiny(ctx, actor, results[0].success, characteristic_used(ctx, actor), skill, aims_of(ctx, actor)[0].dice)


def _tested_changes(ctx: Context, results: tuple[Tested, ...]) -> Sequence[Change]:
    actor = ctx.one()
    if has(ctx, actor, "characteristic") is None and not has(ctx, actor, "skill"):
        return ()
    return surge_over(ctx, actor, characteristic_used(ctx, actor))


UNIT = Field("unit", OneOf(lambda ctx: TABLES["time_units"].keys()), "gm", optional=True, rule="EMP-055")
DECLARED = (
    Field("intent", TextField(300), usual="", rule="EMP-054"),
    score_field(),
    skill_field(upfront=True),
    level_field(),
    column_field(tuple(Column), upfront=True),
    replace(ARM, usual=False),
)

SKILL_TEST = Move(
    "skill-test",
    group="action",
    rules=("EMP-001", "EMP-052", "EMP-053", "EMP-054", "EMP-056", "EMP-057", "EMP-060"),
    steps=(
        Ask("declare", DECLARED),
        Ask("settle", (
            Field("verdict", OneOf(Verdict), "gm", usual=Verdict.ROLL, rule="EMP-001"),
            Field("life_at_stake", Flag(), "gm", usual=False, rule="EMP-001"),
            *SETTLED,
            Field("rolls", OneOf(("one", "three")), "gm", usual="one", rule="EMP-056"),
            UNIT,
            HANDED,
        )),
        Ask("aims", (
            Field("time_column", OneOf((Column.SLOW, Column.NORMAL, Column.FAST)), usual=Column.NORMAL,
                  when=lambda ctx: ctx["rolls"] == "three", rule="EMP-056"),
            Field("persistence_column", OneOf((Column.TEMPORARY, Column.NORMAL, Column.LASTING)),
                  usual=Column.NORMAL, when=lambda ctx: ctx["rolls"] == "three", rule="EMP-056"),
        )),
        Resolve("test", asking(tested, _read_test), tell=tell_tested, outcome=outcome_of,
                success=lambda results: all(result.success for result in results), shown=shown_to_pair,
                changes=_tested_changes, follow=follow_destiny, vary="column"),
    ),
)


# Again


def _read_retry(ctx: Context) -> tuple[Any, ...]:
    retry_unit(ctx["unit"], ctx["tries"], ctx.rulings)
    settled = trial(ctx, ctx.one(), has(ctx, ctx.one(), "skill") or "")
    return (thrower(ctx), Verdict.ROLL, True, settled.threshold, settled.difficulty,
            (Aim(settled.column, settled.dice),))


def _tell_retry(ctx: Context, results: tuple[Tested, ...]) -> Sequence[Telling]:
    result = results[0]
    unit = retry_unit(ctx["unit"], ctx["tries"], ctx.rulings)
    return (said(f"told_{'success' if result.success else 'failure'}", adjective=result.adjective),
            said("told_time", unit=unit))


def _retry_changes(ctx: Context, results: tuple[Tested, ...]) -> Sequence[Change]:
    days = seconds(retry_unit(ctx["unit"], ctx["tries"], ctx.rulings)) // DAY_SECONDS
    passed = (Change("clock", "", ctx.day, ctx.day + days, "EMP-055"),) if days else ()
    return (*passed, *_tested_changes(ctx, results))


RETRY = Move(
    "retry",
    group="action",
    rules=("EMP-055",),
    steps=(
        Ask("declare", DECLARED),
        Ask("settle", (
            Field("unit", OneOf(lambda ctx: TABLES["time_units"].keys()), "gm", usual="minute", rule="EMP-055"),
            Field("tries", Whole(0, 10), "gm", usual=0, rule="EMP-055"),
            *SETTLED,
            HANDED,
        )),
        Resolve("test", asking(tested, _read_retry), tell=_tell_retry, outcome=outcome_of,
                success=lambda results: results[0].success, shown=shown_to_pair, changes=_retry_changes,
                follow=follow_destiny),
    ),
)


# Evasion


EVASION_ROLL = Move(
    "evasion-roll",
    group="action",
    by="gm",
    rules=("EMP-041", "EMP-061"),
    steps=(
        Ask("grant", (
            Field("side", OneOf(Side), "gm", usual=Side.PHYSICAL, rule="EMP-061"),
            Field("from_what", TextField(120), "gm", usual="", rule="EMP-061"),
            Field("mods", Whole(-20, 20), "gm", usual=0, rule="EMP-061"),
            Field("evasion", Whole(0, 20), optional=True, rule="EMP-041"),
            Field("handed", Flag(), "gm", usual=False, rule="EMP-002"),
        )),
        Resolve("roll", asking(thrown_by,
                lambda ctx: (thrower(ctx), evasion_roll, evasion(ctx, ctx.one(), ctx["side"]), ctx["mods"])),
                outcome=lambda escaped: "evaded" if escaped else "not_evaded", success=bool,
                shown=lambda ctx, result: Shown(dice=PAIR if told(ctx, "handed") else GM_ONLY)),
    ),
)

MOVES = (SKILL_TEST, CHARACTERISTIC_ROLL, RETRY, EVASION_ROLL, QUICK_CHARACTER, QUICK_ACTION)
