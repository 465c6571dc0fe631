"""Moves of particular talents: disguise, command, languages, hypnosis, administration, orientation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from paravent.dice import Dice
from paravent.game import (
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    AnyField,
    Ask,
    Call,
    Change,
    Context,
    Field,
    Flag,
    Follow,
    Move,
    OneOf,
    Resolve,
    Role,
    Shown,
    Telling,
    TextField,
    Who,
    Whole,
)
from paravent.systems.empire.actions.trials import (
    COLUMN,
    DIFFICULTY,
    EXTRA,
    GRADE,
    LEVEL,
    MODS,
    characteristic_used,
    destiny,
    grade_of,
    has_learnt,
    level_in_skill,
    through_skill,
    told,
    trial,
)
from paravent.systems.empire.people.character import Character, Condition
from paravent.systems.empire.people.conditions import with_condition
from paravent.systems.empire.people.creation import Guild
from paravent.systems.empire.terms import Characteristic
from paravent.systems.empire.throws import PAIR, by_gm, said, set_on, thrown_by

from .moves_speech import mind_changes
from .speech import swayed
from .talents import (
    ADMINISTRATION,
    COMMAND,
    DISGUISE,
    HYPNOSIS,
    LANGUAGES,
    Disguise,
    Worked,
    administration,
    check_official,
    check_orders,
    civilisation,
    command,
    disguise,
    hypnosis,
    is_bound,
    learn_language,
    nobody_official,
    shrugged_off,
)

TARGET = Role("opponent", least=0, other=True)
SETTLED = (DIFFICULTY, MODS, EXTRA)


def declared(skill: str) -> tuple[AnyField, ...]:
    """What a player declares for a talent."""
    return through_skill(skill), level_in_skill(skill), COLUMN, GRADE


def outcome_of(result: Worked) -> str:
    """Whether a talent worked."""
    return "success" if result.success else "failure"


def shown(ctx: Context, result: object) -> Shown:
    """The dice are for the player and the game master; that it worked is seen by all, for how long by the latter."""
    return Shown(dice=PAIR, detail=GM_ONLY)


def _destiny(skill: str, usual: Characteristic) -> Callable[[Context, Worked], Sequence[Follow]]:
    """A talent used with precision teaches like any other test."""

    def follow(ctx: Context, result: Worked) -> Sequence[Follow]:
        actor = ctx.one()
        name = characteristic_used(ctx, actor, usual)
        return destiny(ctx, actor, result.success, name, skill, trial(ctx, actor, skill, usual).dice)

    return follow


# Disguise


def _disguise_call(ctx: Context) -> Call[str]:
    settled = trial(ctx, ctx.one(), DISGUISE, Characteristic.CHARM, needs_mod=True)
    return Call(by_gm(disguise), settled.threshold, settled.dice, settled.column)


def _disguised(ctx: Context, holds: str) -> Sequence[Change]:
    """What the disguise is worth is written where only the game master reads."""
    return [replace(change, audience=GM_ONLY) for change in set_on(ctx.one(), "disguise", f"disguise_{holds}",
                                                                   "EMP-140")]


DISGUISE_KIND = Field("disguise_kind", OneOf(Disguise), usual=Disguise.PHYSICAL, rule="EMP-140")
METHOD = Field("method", TextField(300), usual="", rule="EMP-140")
DISGUISE_MOVE = Move(
    "disguise",
    group="talents",
    rules=("EMP-059", "EMP-140"),
    exists=PAIR,
    steps=(
        Ask("declare", (DISGUISE_KIND, METHOD, through_skill(DISGUISE), LEVEL, COLUMN)),
        Ask("settle", SETTLED),
        Resolve("test", _disguise_call, outcome=lambda holds: f"disguise_{holds}",
                success=lambda holds: holds != "ridiculous", blind=True,
                tell=lambda ctx, holds: (said("told_disguised", GM_ONLY, holds=f"disguise_{holds}"),),
                changes=_disguised,
                shown=lambda ctx, result: Shown(PAIR, GM_ONLY, GM_ONLY)),
    ),
)


# Command


def commanded(
    dice: Dice, soldier: bool, regime: int, limit: int, count: int, grade: int
) -> Worked:
    """An order given: whom it may be given to, then whether and how long it is obeyed."""
    check_orders(soldier, regime)
    return dice.of("initiator").resolve(command, limit, count, grade)


def _under_orders(ctx: Context) -> tuple[bool, int]:
    """Whether whoever is ordered about is a soldier, and how stern the regime of anybody else is."""
    target = ctx.one("opponent").record
    return ctx[SOLDIER] or (isinstance(target, Character) and target.guild is Guild.SOLDIER), ctx[REGIME] or 0


def _command_call(ctx: Context) -> Call[Worked]:
    soldier, regime = _under_orders(ctx)
    settled = trial(ctx, ctx.one(), COMMAND, Characteristic.WILLPOWER)
    grade = grade_of(ctx, ctx.one(), Guild.SOLDIER)
    return Call(commanded, soldier, regime, settled.threshold, settled.dice, grade)


def _is_soldier(ctx: Context) -> bool:
    """Whether whoever is ordered about is a soldier: so says the sheet; without one, the order supposes it."""
    target = ctx.one("opponent").record
    return not isinstance(target, Character) or target.guild is Guild.SOLDIER


def _minutes(ctx: Context, result: Worked) -> Sequence[Telling]:
    return (said("told_minutes", GM_ONLY, n=result.effect),) if result.success else ()


def _under(name: str, rule: str) -> Callable[[Context, Worked], Sequence[Change]]:
    """The target's sheet says that it obeys or sleeps; for how long, only the game master is told."""

    def changes(ctx: Context, result: Worked) -> Sequence[Change]:
        target = ctx.one("opponent")
        if not result.success or not isinstance(target.record, Character):
            return ()
        return set_on(target, "conditions", with_condition(target.record, Condition(name)), rule)

    return changes


ORDER = Field("order", TextField(300), usual="", rule="EMP-141")
SOLDIER = Field("soldier", Flag(), "gm", usual=_is_soldier, rule="EMP-141")
REGIME: Field[int | None] = Field("regime", Whole(0, 12), "gm", rule="EMP-141", when=lambda ctx: not ctx[SOLDIER])
COMMAND_MOVE = Move(
    "command",
    group="talents",
    cast=(INITIATOR, TARGET, GAME_MASTER),
    rules=("EMP-141",),
    steps=(
        Ask("declare", (ORDER, *declared(COMMAND))),
        Ask("settle", (*SETTLED, SOLDIER, REGIME)),
        Resolve("shrug", lambda ctx: Call(shrugged_off, *_under_orders(ctx)), auto=True,
                when=lambda ctx: not is_bound(*_under_orders(ctx)), outcome=lambda regime: "not_bound",
                tell=lambda ctx, regime: (said("told_not_bound")._replace(main=True),)),
        Resolve("test", _command_call, when=lambda ctx: is_bound(*_under_orders(ctx)), tell=_minutes,
                outcome=outcome_of, success=lambda result: result.success, changes=_under("commanded", "EMP-141"),
                follow=_destiny(COMMAND, Characteristic.WILLPOWER), shown=shown),
    ),
)


# Languages


def _language_call(ctx: Context) -> Call[Worked]:
    actor = ctx.one()
    settled = trial(ctx, actor, LANGUAGES, Characteristic.CHARM)
    level = civilisation(ctx[POLITICS], ctx[CULTURE], ctx[TECH_LEVEL], ctx.rulings)
    return Call(thrown_by("initiator", learn_language), settled.threshold, settled.dice, level,
                grade_of(ctx, actor, Guild.MERCHANT))


def _learnt(ctx: Context, result: Worked) -> Sequence[Change]:
    """The language stands on the sheet; how many days it takes has been told."""
    actor, language = ctx.one(), ctx[LANGUAGE]
    if not result.success or not language or not isinstance(actor.record, Character):
        return ()
    return set_on(actor, "languages", tuple(dict.fromkeys((*actor.record.languages, language))), "EMP-142")


LANGUAGE = Field("language", TextField(80), usual="", rule="EMP-142")
POLITICS = Field("politics", Whole(1, 12), "gm", usual=7, rule="EMP-142")
CULTURE = Field("culture", Whole(1, 12), "gm", usual=7, rule="EMP-142")
TECH_LEVEL = Field("tech_level", Whole(1, 6), "gm", usual=3, rule="EMP-142")
LEARN_LANGUAGE = Move(
    "learn-language",
    group="talents",
    offered=has_learnt(LANGUAGES),
    rules=("EMP-142",),
    steps=(
        Ask("declare", (LANGUAGE, *declared(LANGUAGES))),
        Ask("settle", (*SETTLED, POLITICS, CULTURE, TECH_LEVEL)),
        Resolve("test", _language_call, outcome=outcome_of, success=lambda result: result.success,
                tell=lambda ctx, result: (said("told_days", n=result.effect),) if result.success else (),
                changes=_learnt, follow=_destiny(LANGUAGES, Characteristic.CHARM), shown=shown),
    ),
)


# Hypnosis, administration


def _hypnosis_call(ctx: Context) -> Call[Worked]:
    settled = trial(ctx, ctx.one(), HYPNOSIS, Characteristic.WILLPOWER)
    return Call(thrown_by("initiator", hypnosis), settled.threshold, settled.dice,
                grade_of(ctx, ctx.one(), Guild.MERCHANT))


SUGGESTION = Field("suggestion", TextField(300), usual="", rule="EMP-143")
ACCEPTABLE = Field("acceptable", Flag(), "gm", usual=True, secrecy="gm", rule="EMP-143")
HYPNOTISE = Move(
    "hypnotise",
    group="talents",
    cast=(INITIATOR, TARGET, GAME_MASTER),
    rules=("EMP-143",),
    steps=(
        Ask("declare", (SUGGESTION, *declared(HYPNOSIS))),
        Ask("settle", (*SETTLED, ACCEPTABLE)),
        Resolve("test", _hypnosis_call,
                outcome=lambda result: "asleep" if result.success else "angered",
                success=lambda result: result.success, shown=shown,
                tell=lambda ctx, result: (
                    *_minutes(ctx, result),
                    *((said("told_unacceptable", GM_ONLY),) if result.success and not told(ctx, ACCEPTABLE) else ())),
                changes=_under("hypnotised", "EMP-143"), follow=_destiny(HYPNOSIS, Characteristic.WILLPOWER)),
    ),
)


def _administered(ctx: Context, result: Worked) -> Sequence[Change]:
    target = ctx.one("opponent")
    if not result.success or not isinstance(target.record, Character):
        return ()
    mind = swayed(target.record.mental_most, target.record.resistance_mental, result.effect, ctx.rulings)
    # Whether something waits would tell how many dice were thrown: what an office takes in is counted at once.
    return [replace(change, weight="certain") for change in mind_changes(target, result.effect, mind)]


def _lost(ctx: Context) -> int:
    """The influence taken so far: what is missing of the official's mental resistance."""
    record = ctx.one("opponent").record
    return record.mental_most - record.resistance_mental if isinstance(record, Character) else 0


def worked_on(dice: Dice, official: bool, limit: int, count: int, grade: int) -> Worked:
    """A request put to somebody who acts for an organisation; nobody else can be worked on so."""
    check_official(official)
    return dice.of("initiator").resolve(administration, limit, count, grade)


def _administration_call(ctx: Context) -> Call[Worked]:
    settled = trial(ctx, ctx.one(), ADMINISTRATION, Characteristic.INTELLIGENCE)
    return Call(worked_on, ctx[OFFICIAL], settled.threshold, settled.dice, grade_of(ctx, ctx.one(), Guild.MERCHANT))


def _tell_administration(ctx: Context, result: Worked) -> Sequence[Telling]:
    total, needed = ctx[INFLUENCE] + result.effect, ctx[NEEDED]
    lines = [said("told_influence", GM_ONLY, who=Who(ctx.one("opponent").id), n=result.effect)]
    if needed is not None and total >= needed:
        lines.append(said("told_granted", who=Who(ctx.one("opponent").id)))
    return lines


REQUEST = Field("request", TextField(300), usual="", rule="EMP-144")
NEEDED: Field[int | None] = Field("target", Whole(1), "gm", optional=True, secrecy="gm", rule="EMP-129")
INFLUENCE = Field("influence", Whole(0), "gm", usual=_lost, secrecy="gm", rule="EMP-127")
OFFICIAL = Field("official", Flag(), "gm", usual=True, rule="EMP-144")
WORK_ADMINISTRATION = Move(
    "work-administration",
    group="talents",
    cast=(INITIATOR, TARGET, GAME_MASTER),
    rules=("EMP-144",),
    steps=(
        Ask("declare", (REQUEST, *declared(ADMINISTRATION))),
        Ask("settle", (*SETTLED, NEEDED, INFLUENCE, OFFICIAL)),
        Resolve("shrug", lambda ctx: Call(nobody_official), auto=True, when=lambda ctx: not ctx[OFFICIAL],
                outcome=lambda effect: "not_official",
                tell=lambda ctx, effect: (said("told_not_official")._replace(main=True),)),
        Resolve("test", _administration_call, when=lambda ctx: ctx[OFFICIAL],
                outcome=outcome_of, success=lambda result: result.success, tell=_tell_administration,
                changes=_administered, follow=_destiny(ADMINISTRATION, Characteristic.INTELLIGENCE), shown=shown),
    ),
)

MOVES = (DISGUISE_MOVE, COMMAND_MOVE, LEARN_LANGUAGE, HYPNOTISE, WORK_ADMINISTRATION)
