"""Moves of action: quick rule, characteristic roll, skill test, retry, evasion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

from paravent.dice import Dice
from paravent.game import (
    GAME_MASTER,
    GM_ONLY,
    INVISIBLE,
    Actor,
    Ask,
    Audience,
    Call,
    Change,
    Context,
    Field,
    Flag,
    Follow,
    MissingField,
    Move,
    OneOf,
    Pills,
    Resolve,
    Role,
    Score,
    Shown,
    Steps,
    Telling,
    TextField,
    Whole,
)
from paravent.game.move import Step
from paravent.systems.empire.people.character import Character, QuickCharacter, secondary_value
from paravent.systems.empire.people.conditions import surge_over
from paravent.systems.empire.people.referee import seconds
from paravent.systems.empire.terms import TABLES, Characteristic, Side
from paravent.systems.empire.throws import PAIR, by_gm, said, thrown_by, to_gm

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
    ANY_COLUMN,
    ARM,
    CHARACTERISTIC,
    COLUMN,
    DIFFICULTY,
    EVASION,
    EXTRA,
    GRAVITY,
    HANDED,
    LEVEL,
    MODS,
    NAMED,
    NEGOTIATED,
    ORGAN,
    PROPOSED,
    SETTLED,
    SKILL,
    Trial,
    characteristic_used,
    destiny,
    evasion,
    has,
    mods_of,
    score_of,
    shown_to_pair,
    state_dice,
    thrower,
    told,
    trial,
)

DAY_SECONDS = 86400
T = TypeVar("T")

# What is told of a result


def who_did(outcome: str, what: str | None = None, audience: Audience | None = None) -> Telling:
    """Whether it went well, of whom, and with what; how well is said beside it."""
    key = {"success": "told_succeeds", "partial": "told_partly", "failure": "told_fails"}[outcome]
    sentence = said(f"{key}_with", audience, what=what) if what else said(key, audience)
    return sentence._replace(main=True)


def _at_first(ctx: Context, lines: Sequence[Telling], keeps: Callable[[Context], bool]) -> Sequence[Telling]:
    """The adjectives, told at once, or to the game master for the time being."""
    return [line._replace(audience=GM_ONLY) for line in lines] if keeps(ctx) else lines


def interpreted(dice: Dice, result: T) -> T:
    """The result as it stands: what is made of it aloud is the game master's."""
    return result


def _telling_of(thrown: Resolve[T], lines: Callable[[Context, T], Sequence[Telling]],
                keeps: Callable[[Context], bool]) -> tuple[Step, ...]:
    """The game master tells what came of a throw: the adjective at once, something in their own words, or nothing."""
    tells = replace(TELLS, when=keeps)
    in_words = replace(IN_WORDS, when=lambda ctx: keeps(ctx) and ctx[tells] == "own_words")

    def told_now(ctx: Context, result: T) -> Sequence[Telling]:
        if ctx[tells] == "own_words":
            return (said("told_in_words", text=ctx[in_words]),) if ctx[in_words] else ()
        return lines(ctx, result)

    return (
        Ask("interpret", (tells, in_words)),
        Resolve("interpret", lambda ctx: Call(interpreted, ctx.result(thrown)), auto=True,
                when=lambda ctx: thrown.id in ctx.results and keeps(ctx) and ctx[tells] != "kept",
                outcome=lambda result: "interpreted", tell=told_now),
    )


TELLS: Field[str | None] = Field("tells", OneOf(("adjective", "own_words", "kept")), "gm", usual="adjective",
                                 waits=True, secrecy="gm", place="essential", shape=Steps(), rule="EMP-057")
IN_WORDS = Field("in_words", TextField(500), "gm", usual="", waits=True, secrecy="gm", place="essential",
                 rule="EMP-057")

# The quick rule


def plays_quick(ctx: Context) -> bool:
    """The quick rule is played where the table has chosen it."""
    return ctx.rulings.ruleset == "quick"


def assigned(dice: Dice, rolled: Qualities) -> Qualities:
    """The qualities as they fell: which is whose was chosen."""
    return rolled


def _quick_sheet(ctx: Context, rolled: Qualities) -> Sequence[Change]:
    body, mind = rolled if ctx[BEST_TO] == "first_physical" else rolled[::-1]
    sheet = QuickCharacter(ctx[NAME], body, mind)
    return (Change(sheet.name, "", None, sheet, "EMP-020", kind="quick"),) if sheet.name else ()


NAME = Field("name", TextField(80), usual="", rule="EMP-020", names=True)
BEST_TO = Field("best_to", OneOf(("first_physical", "first_mental")), usual="first_physical", waits=True,
                shape=Steps(weighed=lambda ctx: False), rule="EMP-020")
THROWN = Resolve("throw", lambda ctx: Call(qualities), outcome=lambda rolled: "qualities",
                 tell=lambda ctx, rolled: (said("told_qualities", first=rolled.first, second=rolled.second),))
QUICK_CHARACTER = Move(
    "quick-character",
    makes="quick",
    group="quick",
    when=plays_quick,
    rules=("EMP-020",),
    steps=(
        Ask("who", (NAME,)),
        THROWN,
        Ask("assign", (BEST_TO,)),
        Resolve("sheet", lambda ctx: Call(assigned, ctx.result(THROWN)), auto=True,
                outcome=lambda rolled: "assigned", changes=_quick_sheet),
    ),
)


def _quality(ctx: Context) -> Fraction:
    actor = ctx.one()
    typed, share = has(ctx, actor, OWN_QUALITY), ctx[SHARE]
    if typed is not None:
        return Fraction(typed)
    if not isinstance(actor.record, QuickCharacter):
        raise MissingField(field="own_quality", role=actor.role)
    return quality_used(actor.record.physical_quality, actor.record.mental_quality, share)


def _quick_call(ctx: Context) -> Call[QuickResult]:
    return Call(thrown_by(thrower(ctx), quick_action), _quality(ctx), ctx[STEP], ctx[ROUNDING] or "", ctx.rulings)


def _gives_step_away(ctx: Context) -> bool:
    """Whether the adjective would tell a secret step: whoever throws knows their quality, and the two dice."""
    return bool(ctx[HANDED])


def _quick_told(ctx: Context, result: QuickResult) -> Sequence[Telling]:
    return (said(f"told_{'success' if result.success else 'failure'}", adjective=result.adjective),)


INTENT = Field("intent", TextField(300), usual="", names=True, place="refinement", rule="EMP-021")
OWN_QUALITY: Field[int | None] = Field("own_quality", Whole(5, 10), optional=True, rule="EMP-020")
SHARE = Field("share", OneOf(("physical", "mental", "both")), "gm", usual="physical", place="essential",
              shape=Pills(weighed=False), rule="EMP-021")
STEP = Field("step", OneOf(STEPS), "gm", usual=0, secrecy="gm", probes=STEPS, place="judgement", shape=Steps(STEPS),
             rule="EMP-022")
ROUNDING: Field[str | None] = Field("rounding", OneOf(("down", "up")), "gm", optional=True, rule="EMP-024")
ACTED = Resolve("act", _quick_call, tell=lambda ctx, result: (
                    who_did("success" if result.success else "failure"),
                    *_at_first(ctx, _quick_told(ctx, result), _gives_step_away)),
                shown=shown_to_pair, outcome=lambda result: "success" if result.success else "failure",
                success=lambda result: result.success)
QUICK_ACTION = Move(
    "quick-action",
    cast=(Role("initiator", record="quick"), GAME_MASTER),
    group="quick",
    when=plays_quick,
    rules=("EMP-021", "EMP-022", "EMP-023", "EMP-024"),
    steps=(
        Ask("declare", (INTENT, OWN_QUALITY)),
        Ask("settle", (SHARE, STEP, ROUNDING, HANDED)),
        ACTED,
        *_telling_of(ACTED, _quick_told, _gives_step_away),
    ),
)


# Under a characteristic

SECONDARY = ("perception", "stealth")


def _tested_score(ctx: Context, actor: Actor) -> int | str | None:
    """What is rolled under: the characteristic of an everyday act, or as said: a name, a number, nothing yet."""
    act = told(ctx, ACT)
    if act:
        return str(TABLES["everyday_acts"].cell(act, "characteristic"))
    return ctx.value(actor, SCORE)


def _primary(ctx: Context, actor: Actor) -> Characteristic | None:
    """The characteristic rolled under, where it is one of the six."""
    name = _tested_score(ctx, actor)
    return Characteristic(name) if isinstance(name, str) and name not in SECONDARY else None


def _roll_call(ctx: Context) -> Call[Gauged]:
    actor, name = ctx.one(), _primary(ctx, ctx.one())
    side = side_of(name) if name is not None else None
    mods = mods_of(ctx, actor, side) if side is not None else told(ctx, MODS) or 0
    extra = (told(ctx, EXTRA) or 0) + (state_dice(ctx, actor, side) if side is not None else 0)
    return Call(thrown_by(thrower(ctx), characteristic_roll), _score(ctx, actor) + mods, ctx.rulings,
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
    name, ended = _tested_score(ctx, ctx.one()), "success" if result.success else "failure"
    return (who_did(ended, name if isinstance(name, str) else None),
            said(f"told_{ended}", adjective=result.adjective))


SCORE: Field[int | str | None] = Field("score", Score((*Characteristic, *SECONDARY), 0, 20), optional=True,
                                       rule="EMP-051")
ACT: Field[str | None] = Field("act", OneOf(lambda ctx: TABLES["everyday_acts"].keys()), "gm", optional=True,
                               rule="EMP-051")
CHARACTERISTIC_ROLL = Move(
    "characteristic-roll",
    group="action",
    rules=("EMP-025", "EMP-050", "EMP-051"),
    steps=(
        Ask("declare", (replace(INTENT, rule="EMP-051"), SCORE)),
        Ask("settle", (ACT, MODS, EXTRA, ORGAN, HANDED, GRAVITY)),
        Resolve("roll", _roll_call,
                changes=lambda ctx, result: surge_over(ctx, ctx.one(), _primary(ctx, ctx.one())),
                tell=_tell_gauged, outcome=lambda result: "success" if result.success else "failure",
                success=lambda result: result.success,
                shown=lambda ctx, result: Shown(dice=PAIR if told(ctx, HANDED) else GM_ONLY)),
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


def aims_of(ctx: Context, actor: Actor, settled: Trial) -> tuple[Aim, ...]:
    """The rolls to make: one for all, or one for each of precision, time and persistence."""
    if told(ctx, ROLLS) != "three":
        return (Aim(settled.column, settled.dice),)
    columns = (settled.column, ctx.value(actor, TIME_COLUMN) or Column.NORMAL,
               ctx.value(actor, PERSISTENCE_COLUMN) or Column.NORMAL)
    return tuple(
        Aim(column, with_extra(dice_of(settled.difficulty, column), settled.malus, ctx.rulings)) for column in columns
    )


def _test_call(ctx: Context) -> Call[tuple[Tested, ...]]:
    actor = ctx.one()
    if ctx[VERDICT] is not Verdict.ROLL and not ctx[LIFE_AT_STAKE]:
        column = ctx[COLUMN]
        aims = (Aim(column, dice_of(ctx[DIFFICULTY], column)),)
        return Call(tested, "gm", ctx[VERDICT], False, 0, ctx[DIFFICULTY], aims)
    settled = trial(ctx, actor, has(ctx, actor, SKILL) or "")
    return Call(tested, thrower(ctx), ctx[VERDICT], ctx[LIFE_AT_STAKE], settled.threshold, settled.difficulty,
                aims_of(ctx, actor, settled))


def _needed(ctx: Context) -> Telling | None:
    """What the dice must do, where one throw decides."""
    actor = ctx.one()
    settled = trial(ctx, actor, has(ctx, actor, SKILL) or "")
    aims = aims_of(ctx, actor, settled)
    said = {"threshold": settled.threshold, "n": aims[0].dice}
    return Telling("needed.under", said) if len(aims) == 1 else None


def outcome_of(results: tuple[Tested, ...]) -> str:
    """The short key of a test: all its rolls, some or none."""
    good = sum(result.success for result in results)
    return "success" if good == len(results) else "partial" if good else "failure"


def keeps_adjective(ctx: Context) -> bool:
    """Whether the adjective is the game master's to tell: it would give away a difficulty that stays behind the screen.

    Whoever throws counts the dice, and knows it already.
    """
    return not ctx[HANDED]


def adjectives(ctx: Context, results: tuple[Tested, ...]) -> Sequence[Telling]:
    """Each roll with its adjective."""
    return [said(f"told_{'success' if one.success else 'failure'}", adjective=one.adjective) for one in results]


def tell_tested(ctx: Context, results: tuple[Tested, ...]) -> Sequence[Telling]:
    """Who did it with which skill, each roll with its adjective, and how long it took where a unit was named."""
    unit = told(ctx, UNIT)
    took = (said("told_time", unit=time_taken(unit, ctx[COLUMN])),) if unit else ()
    return [who_did(outcome_of(results), has(ctx, ctx.one(), SKILL)),
            *_at_first(ctx, adjectives(ctx, results), keeps_adjective), *took]


def follow_destiny(ctx: Context, results: tuple[Tested, ...]) -> Sequence[Follow]:
    """After a precise success on one's sheet, a destiny roll may be claimed."""
    actor, skill = ctx.one(), has(ctx, ctx.one(), SKILL)
    if told(ctx, VERDICT) not in (None, Verdict.ROLL) or not skill or len(results) > 1:
        return ()
    aims = aims_of(ctx, actor, trial(ctx, actor, has(ctx, actor, SKILL) or ""))
    return destiny(ctx, actor, results[0].success, characteristic_used(ctx, actor), skill, aims[0].dice)


def _tested_changes(ctx: Context, results: tuple[Tested, ...]) -> Sequence[Change]:
    actor = ctx.one()
    if has(ctx, actor, CHARACTERISTIC) is None and not has(ctx, actor, SKILL):
        return ()
    return surge_over(ctx, actor, characteristic_used(ctx, actor))


UNIT: Field[str | None] = Field("unit", OneOf(lambda ctx: TABLES["time_units"].keys()), "gm", optional=True,
                                rule="EMP-055")
DECLARED = (
    replace(INTENT, rule="EMP-054"),
    replace(SKILL, upfront=True),
    PROPOSED,
    LEVEL,
    NEGOTIATED[0],
    replace(ARM, usual=False),
)

VERDICT = Field("verdict", OneOf(Verdict), "gm", usual=Verdict.ROLL, rule="EMP-001")
LIFE_AT_STAKE = Field("life_at_stake", Flag(), "gm", usual=False, rule="EMP-001")
ROLLS = Field("rolls", OneOf(("one", "three")), "gm", usual="one", place="rarity", rule="EMP-056")
TIME_COLUMN: Field[Column | None] = Field("time_column", OneOf((Column.SLOW, Column.NORMAL, Column.FAST)),
                                          usual=Column.NORMAL, when=lambda ctx: ctx[ROLLS] == "three", rule="EMP-056")
PERSISTENCE_COLUMN: Field[Column | None] = Field(
    "persistence_column", OneOf((Column.TEMPORARY, Column.NORMAL, Column.LASTING)), usual=Column.NORMAL,
    when=lambda ctx: ctx[ROLLS] == "three", rule="EMP-056")
TEST = Resolve("test", _test_call, tell=tell_tested, outcome=outcome_of,
               success=lambda results: all(result.success for result in results), shown=shown_to_pair,
               changes=_tested_changes, follow=follow_destiny, vary="column", needed=_needed)
SKILL_TEST = Move(
    "skill-test",
    group="action",
    rules=("EMP-001", "EMP-052", "EMP-053", "EMP-054", "EMP-056", "EMP-057", "EMP-060"),
    suits=lambda ctx: not plays_quick(ctx),
    steps=(
        Ask("declare", DECLARED),
        Ask("settle", (NAMED, VERDICT, LIFE_AT_STAKE, NEGOTIATED[1], *SETTLED[1:], ROLLS, UNIT, HANDED)),
        Ask("aims", (TIME_COLUMN, PERSISTENCE_COLUMN)),
        TEST,
        *_telling_of(TEST, adjectives, keeps_adjective),
    ),
)


# Behind the screen


def _secret_call(ctx: Context) -> Call[tuple[Tested, ...]]:
    settled = trial(ctx, ctx.one(), has(ctx, ctx.one(), SKILL) or "")
    return Call(by_gm(skill_test), settled.threshold, settled.difficulty, (Aim(settled.column, settled.dice),))


def _to_game_master(asked: Field[T]) -> Field[T]:
    """Something of the character's that the game master fills in, and nobody else ever sees."""
    return replace(asked, by="gm", secrecy="gm")


SECRET_TEST = Move(
    "secret-test",
    group="referee",
    by="gm",
    rules=("EMP-002", "EMP-052", "EMP-053", "EMP-057"),
    exists=GM_ONLY,
    suits=lambda ctx: not plays_quick(ctx),
    steps=(
        Ask("test", (
            _to_game_master(replace(SKILL, upfront=True)), _to_game_master(PROPOSED), _to_game_master(LEVEL),
            _to_game_master(ANY_COLUMN), replace(DIFFICULTY, place="essential"), replace(MODS, secrecy="gm"),
            replace(EXTRA, secrecy="gm"),
        )),
        Resolve("test", _secret_call, blind=True, outcome=outcome_of,
                success=lambda results: all(result.success for result in results), vary="column",
                tell=lambda ctx, results: (
                    who_did(outcome_of(results), has(ctx, ctx.one(), SKILL), GM_ONLY),
                    *(to_gm(f"told_{'success' if one.success else 'failure'}", adjective=one.adjective)
                      for one in results)),
                shown=lambda ctx, result: INVISIBLE),
    ),
)


# Again


def _retry_call(ctx: Context) -> Call[tuple[Tested, ...]]:
    retry_unit(ctx[RETRIED_UNIT], ctx[TRIES], ctx.rulings)
    settled = trial(ctx, ctx.one(), has(ctx, ctx.one(), SKILL) or "")
    return Call(tested, thrower(ctx), Verdict.ROLL, True, settled.threshold, settled.difficulty,
                (Aim(settled.column, settled.dice),))


def _tell_retry(ctx: Context, results: tuple[Tested, ...]) -> Sequence[Telling]:
    unit = retry_unit(ctx[RETRIED_UNIT], ctx[TRIES], ctx.rulings)
    return (who_did(outcome_of(results), has(ctx, ctx.one(), SKILL)),
            *_at_first(ctx, adjectives(ctx, results), keeps_adjective), said("told_time", unit=unit))


def _retry_changes(ctx: Context, results: tuple[Tested, ...]) -> Sequence[Change]:
    days = seconds(retry_unit(ctx[RETRIED_UNIT], ctx[TRIES], ctx.rulings)) // DAY_SECONDS
    passed = (Change("clock", "", ctx.day, ctx.day + days, "EMP-055"),) if days else ()
    return (*passed, *_tested_changes(ctx, results))


RETRIED_UNIT = Field(
    "unit", OneOf(lambda ctx: TABLES["time_units"].keys(), lambda ctx: TABLES["time_units"].keys()[:-1]), "gm",
    usual="minute", rule="EMP-055",
)
"""What the first attempt took: nothing is longer than the longest, so that is not offered."""
TRIES = Field("tries", Whole(0, 10), "gm", usual=0, rule="EMP-055", when=lambda ctx: ctx.rulings.retry != "once")
RETRIED = Resolve("test", _retry_call, tell=_tell_retry, outcome=outcome_of,
                  success=lambda results: results[0].success, shown=shown_to_pair, changes=_retry_changes,
                  follow=follow_destiny)
RETRY = Move(
    "retry",
    group="action",
    rules=("EMP-055",),
    steps=(
        Ask("declare", DECLARED),
        Ask("settle", (NAMED, RETRIED_UNIT, TRIES, NEGOTIATED[1], *SETTLED[1:], HANDED)),
        RETRIED,
        *_telling_of(RETRIED, adjectives, keeps_adjective),
    ),
)


# Evasion


def _evasion_call(ctx: Context) -> Call[bool]:
    return Call(thrown_by(thrower(ctx), evasion_roll), evasion(ctx, ctx.one(), ctx[SIDE]), ctx[MODS])


SIDE = Field("side", OneOf(Side), "gm", usual=Side.PHYSICAL, rule="EMP-061")
FROM_WHAT = Field("from_what", TextField(120), "gm", usual="", rule="EMP-061")
EVASION_ROLL = Move(
    "evasion-roll",
    group="action",
    by="gm",
    rules=("EMP-041", "EMP-061"),
    steps=(
        Ask("grant", (SIDE, FROM_WHAT, replace(MODS, rule="EMP-061"), EVASION, HANDED)),
        Resolve("roll", _evasion_call,
                outcome=lambda escaped: "evaded" if escaped else "not_evaded", success=bool,
                shown=lambda ctx, result: Shown(dice=PAIR if told(ctx, HANDED) else GM_ONLY)),
    ),
)

MOVES = (SKILL_TEST, CHARACTERISTIC_ROLL, RETRY, EVASION_ROLL, SECRET_TEST, QUICK_CHARACTER, QUICK_ACTION)
