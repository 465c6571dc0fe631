"""Moves of the game master: loyalty, a swap, a roll set aside, a whisper, the day's upkeep; and time."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from paravent.dice import Dice
from paravent.game import (
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    INVISIBLE,
    Ask,
    Change,
    Context,
    Field,
    Flag,
    Many,
    MissingField,
    Move,
    OneOf,
    Resolve,
    Rulings,
    Shown,
    Telling,
    TextField,
    Whole,
    asking,
    changed,
    rule,
)

from .character import Character, Condition
from .persons import INFORMERS
from .psi import psi_rate, psi_units
from .reading import PAIR, SURGES, has, said, score_of, set_on, without_condition, without_trance
from .reading_worlds import PERSON, record_in
from .referee import (
    Knowledge,
    Overridden,
    lends_a_hand,
    loyalty,
    loyalty_due,
    loyalty_score,
    may_learn,
    override,
    swapped,
    whispered,
)
from .speech import MindState
from .survival import (
    SLEEP_HOURS,
    extra_sleep,
    lacks_food,
    lacks_sleep,
    load_mod,
    march,
    moving_strength,
)
from .terms import MENTAL, figure
from .wounds import healing, hindrance

PAIRS = {"charm_willpower": ("charm", "willpower"), "strength_dexterity": ("strength", "dexterity")}


# Loyalty


def _score(ctx: Context) -> int:
    actor = ctx.one()
    typed, level = has(ctx, actor, "best_mental"), has(ctx, actor, "level")
    if isinstance(actor.record, Character):
        level = actor.record.level("33") if level is None else level
    scores = [int(typed)] if typed is not None else [score_of(ctx, actor, name) for name in MENTAL]
    return loyalty_score(scores, int(level or 0), ctx.rulings)


def _tell_loyalty(ctx: Context, loyal: bool) -> Sequence[Telling]:
    role = ctx["ally_role"]
    helps = lends_a_hand(ctx["plausible"], loyal)
    key = {"ally": "told_stays" if loyal else "told_deserts", "informant": "told_sound" if loyal else "told_lies",
           "helper": "told_helps" if helps else "told_holds_back"}[role]
    due = loyalty_due(ctx["new_day"], ctx["danger"], False, ctx.rulings)
    return (said(key, GM_ONLY), *(() if due else (said("told_not_due", GM_ONLY),)))


def _usual_role(ctx: Context) -> str:
    """What an encounter of the reserve is to the group."""
    return "informant" if getattr(record_in(ctx, "person"), "role", None) in INFORMERS else "ally"


LOYALTY_TEST = Move(
    "loyalty-test",
    group="referee",
    by="gm",
    cast=(INITIATOR, PERSON, GAME_MASTER),
    rules=("EMP-010", "EMP-011", "EMP-012", "EGW-005", "EGW-006", "EGW-007"),
    exists=GM_ONLY,
    steps=(
        Ask("test", (
            Field("ally_role", OneOf(("ally", "informant", "helper")), "gm", usual=_usual_role, secrecy="gm",
                  rule="EMP-010"),
            Field("best_mental", Whole(0, 12), optional=True, secrecy="gm", by="gm", rule="EMP-010"),
            Field("level", Whole(0, 6), optional=True, secrecy="gm", by="gm", rule="EMP-010"),
            Field("plausible", Flag(), "gm", usual=True, secrecy="gm", rule="EMP-012"),
            Field("new_day", Flag(), "gm", usual=True, secrecy="gm", rule="EMP-010"),
            Field("danger", Flag(), "gm", usual=False, secrecy="gm", rule="EMP-010"),
        )),
        Resolve("roll", asking(loyalty, lambda ctx: (_score(ctx),)), tell=_tell_loyalty, blind=True,
                outcome=lambda loyal: "loyal" if loyal else "disloyal", success=bool,
                shown=lambda ctx, result: INVISIBLE),
    ),
)


# Swapping scores


def swap(dice: Dice, pair: str, warned: bool, scores: tuple[int, int], rulings: Rulings) -> tuple[int, int]:
    """Two scores exchanged, once the player has been warned."""
    return swapped(pair, warned, scores, rulings)


def _swap_scores(ctx: Context) -> tuple[int, int]:
    actor = ctx.one()
    typed = has(ctx, actor, "two_scores")
    if typed is not None:
        return int(typed[0]), int(typed[1])
    first, second = PAIRS[ctx["pair"]]
    if not (hasattr(type(actor.record), first) and hasattr(type(actor.record), second)):
        raise MissingField(field="two_scores", role="initiator")
    return int(getattr(actor.record, first)), int(getattr(actor.record, second))


def _swap_changes(ctx: Context, result: tuple[int, int]) -> Sequence[Change]:
    actor = ctx.one()
    return [change for name, score in zip(PAIRS[ctx["pair"]], result, strict=True)
            for change in set_on(actor, name, score, "EMP-006")] + list(set_on(actor, "warned", False, "EMP-006"))


SWAP = Move(
    "swap-characteristics",
    group="referee",
    by="gm",
    rules=("EMP-006",),
    steps=(
        Ask("swap", (
            Field("pair", OneOf(tuple(PAIRS)), "gm", usual="charm_willpower", rule="EMP-006"),
            Field("warning_given", Flag(), "gm", usual=lambda ctx: bool(getattr(ctx.one().record, "warned", False)),
                  rule="EMP-006"),
            Field("two_scores", Many(Whole(0, 12), 2, 2), optional=True, rule="EMP-006"),
        )),
        Resolve("swap", asking(swap, lambda ctx: (ctx["pair"], ctx["warning_given"], _swap_scores(ctx), ctx.rulings)),
                outcome=lambda result: "swapped", changes=_swap_changes),
    ),
)

WARN = Move(
    "warn",
    group="referee",
    by="gm",
    rules=("EMP-006",),
    exists=PAIR,
    steps=(
        Ask("warn", (Field("text", TextField(500), "gm", usual="", secrecy="own", rule="EMP-006"),)),
        Resolve("warn", asking(whispered, lambda ctx: (ctx["text"],)), outcome=lambda text: "warned",
                tell=lambda ctx, text: (said("told_whisper", PAIR, text=text),) if text else (),
                changes=lambda ctx, text: set_on(ctx.one(), "warned", True, "EMP-006"),
                shown=lambda ctx, result: Shown(PAIR, PAIR, PAIR)),
    ),
)


# A roll set aside


def _announced(ctx: Context, result: Overridden) -> Sequence[Telling]:
    return (said("told_announced_success" if result.announced else "told_announced_failure"),
            said("told_true_success" if result.rolled else "told_true_failure", GM_ONLY))


OVERRIDE = Move(
    "override",
    group="referee",
    by="gm",
    cast=(GAME_MASTER,),
    rules=("EMP-002", "EMP-003"),
    steps=(
        Ask("announce", (
            Field("dice", Whole(1, 10), "gm", usual=3, secrecy="gm", rule="EMP-003"),
            Field("threshold", Whole(0, 40), "gm", usual=10, secrecy="gm", rule="EMP-003"),
            Field("announced", Flag(), "gm", usual=True, secrecy="gm", rule="EMP-003"),
        )),
        Resolve("roll",
            asking(override, lambda ctx: (ctx["dice"], ctx["threshold"], ctx["announced"])), tell=_announced,
                outcome=lambda result: "success" if result.announced else "failure",
                shown=lambda ctx, result: Shown(dice=GM_ONLY, detail=GM_ONLY)),
    ),
)


# A whisper


class Whisper(NamedTuple):
    """What somebody alone is told, and whether they were entitled to it."""

    text: str
    told: bool


def whisper(dice: Dice, text: str, kind: Knowledge, unlocks: tuple[str, ...], knows: tuple[str, ...], earned: bool
            ) -> Whisper:
    """Something told to one player: technical things only to those of the trade, hidden ones to those who earn them."""
    return Whisper(whispered(dice, text), may_learn(kind, unlocks, knows, earned=earned))


def _read_whisper(ctx: Context) -> tuple[Any, ...]:
    record = ctx.one().record
    knows = (record.guild.value, *record.levels) if isinstance(record, Character) else ()
    return ctx["text"], ctx["knowledge"], tuple(ctx["unlocks"]), knows, ctx["earned"]


WHISPER = Move(
    "whisper",
    group="referee",
    by="gm",
    rules=("EMP-004", "EMP-005"),
    exists=PAIR,
    steps=(
        Ask("tell", (
            Field("text", TextField(2000), "gm", secrecy="gm", rule="EMP-005"),
            Field("knowledge", OneOf(Knowledge), "gm", usual=Knowledge.COMMON, secrecy="gm", rule="EMP-004"),
            Field("unlocks", Many(TextField(40)), "gm", usual=(), secrecy="gm", rule="EMP-004"),
            Field("earned", Flag(), "gm", usual=False, secrecy="gm", rule="EMP-004"),
        )),
        Resolve("tell",
            asking(whisper, _read_whisper), outcome=lambda result: "whispered" if result.told else "kept_back",
                tell=lambda ctx, result: (said("told_whisper", PAIR, text=result.text),) if result.told else
                (said("told_kept_back", GM_ONLY),),
                shown=lambda ctx, result: Shown(PAIR, PAIR, GM_ONLY)),
    ),
)


# The day's upkeep


class Day(NamedTuple):
    """What a day leaves: want of sleep and food, the MOD of the load, metres a sequence, sleep still owed."""

    sleepless: bool
    hungry: bool
    load: int
    metres: Fraction | None
    sleep_owed: int


class Habits(NamedTuple):
    """How a day was spent."""

    slept: int
    rations: int
    grams: int
    strength: int
    endurance: int
    armour_mod: int
    gravity: Fraction
    gait: str
    hours: int


def upkeep(dice: Dice, day: Habits) -> Day:
    """Sleep, food, load and pace of one day; a march costs sleep, and must be slept off."""
    owed = extra_sleep(day.gait, day.hours, day.endurance) if day.hours else 0
    load = load_mod(day.grams, day.strength, day.gravity, day.armour_mod)
    able = moving_strength(day.strength, day.gravity, day.armour_mod, load)
    metres = None if able is None else march(day.gait, able, day.endurance).metres
    slept_enough = not lacks_sleep(day.slept - owed)
    dice.note("EMP-170", "day", slept=day.slept, needed=SLEEP_HOURS + owed, load=load)
    return Day(not slept_enough, lacks_food(day.rations), load, metres, owed)


def _read_upkeep(ctx: Context) -> tuple[Any, ...]:
    actor, record = ctx.one(), ctx.one().record
    own: dict[str, int] = {}
    if isinstance(record, Character):
        own = {"strength": record.strength, "endurance": record.endurance, "grams": record.grams}
    values: dict[str, int] = {}
    for name in ("strength", "endurance", "grams"):
        typed = ctx.value(actor, name)
        values[name] = own.get(name, 0) if typed is None else typed
    armour = hindrance(worn.piece for worn in record.protections) if isinstance(record, Character) else 0
    return (Habits(ctx["slept"], ctx["rations"], values["grams"], values["strength"], values["endurance"], armour,
                   Fraction(ctx["gravity"], 100), ctx["gait"], ctx["hours"]),)


def _tell_upkeep(ctx: Context, day: Day) -> Sequence[Telling]:
    pace = said("told_floats") if day.metres is None else said("told_pace", metres=figure(day.metres))
    return (pace, said("told_load", n=day.load), *((said("told_sleepless"),) if day.sleepless else ()),
            *((said("told_hungry"),) if day.hungry else ()))


UPKEEP = Move(
    "daily-upkeep",
    group="survival",
    by="gm",
    rules=("EMP-170", "EMP-172", "EMP-173", "EMP-174", "EMP-175", "EMP-176", "EMP-177"),
    steps=(
        Ask("day", (
            Field("slept", Whole(0, 24), usual=8, rule="EMP-170"),
            Field("rations", Whole(0, 9), usual=1, rule="EMP-172"),
            Field("grams", Whole(0), optional=True, rule="EMP-173"),
            Field("strength", Whole(0, 12), optional=True, rule="EMP-173"),
            Field("endurance", Whole(0, 12), optional=True, rule="EMP-175"),
            Field("gait", OneOf(("walk", "forced_march", "run")), usual="walk", rule="EMP-175"),
            Field("hours", Whole(0, 24), usual=0, rule="EMP-175"),
            Field("gravity", Whole(0, 166), "gm", usual=100, rule="EMP-174"),
        )),
        Resolve("upkeep", asking(upkeep, _read_upkeep), tell=_tell_upkeep, outcome=lambda day: "day_over",
                changes=lambda ctx, day: (*set_on(ctx.one(), "sleepless", day.sleepless, "EMP-170"),
                                          *set_on(ctx.one(), "hungry", day.hungry, "EMP-172"))),
    ),
)


# Time

HABITS = (
    Field("slept", Whole(0, 24), usual=8, rule="EMP-170"),
    Field("rations", Whole(0, 9), usual=1, rule="EMP-172"),
    Field("rest", Flag(), usual=True, rule="EMP-089"),
    Field("away", Flag(), usual=True, rule="EMP-130"),
)
"""What is asked of a character when time passes."""
DAY, NIGHT = 24 * 60, 6 * 60
MIND_MINUTES = {MindState.INFLUENCED: 60, MindState.SHAKEN: 60, MindState.CONVINCED: DAY, MindState.BLINDED: 7 * DAY}


@rule("EMP-089", "EMP-130", "EMP-160", "EMP-170", "EMP-172")
def passing(dice: Dice, record: Any, minutes: int, habits: Mapping[str, Any], rulings: Rulings) -> tuple[Change, ...]:
    """What time does: rest heals, thinking frees, a night gives Willpower back; want of sleep and food show."""
    if not isinstance(record, Character):
        return ()
    fed = minutes < DAY or not lacks_food(habits.get("rations", 1))
    after = rested(record, minutes if habits.get("rest", True) and fed else 0, rulings)
    after = thought(after, minutes if habits.get("away", True) else 0)
    if minutes >= NIGHT and not lacks_sleep(habits.get("slept", 8)):
        after = replace(after, willpower_spent=0, sleepless=False, acted=0, rest_due=0, mental_screen=False)
    if minutes >= DAY:
        after = replace(after, sleepless=lacks_sleep(habits.get("slept", 8)),
                        hungry=lacks_food(habits.get("rations", 1)))
    after = replace(after, conditions=_over_after(after.conditions, minutes, UNTIL_HEALED),
                    trances=_over_after(after.trances, minutes, UNTIL_HEALED))
    fields = ("resistance_physical", "resistance_mental", "mind_state", "willpower_spent", "sleepless", "hungry",
              "acted", "rest_due", "mental_screen", "conditions", "trances", "wounds", "minutes_resting",
              "rest_lost", "minutes_thinking")
    return tuple(change for path in fields for change in changed(record.name, record, path, getattr(after, path)))


LASTING = {"stunned": 1, "knocked_out": 10, "shaken": 60, "commanded": 12, "hypnotised": 12}
"""The minutes after which what does not say for how long is over."""


def _lasts(state: Condition) -> int:
    """How many minutes a state or a trance lasts; whoever looks dead lies there for days."""
    if state.name == "suspended_animation":
        return state.amount * DAY
    return state.amount if state.name in ("thermal_insensitivity", *SURGES.values()) else LASTING.get(state.name, 60)


def _over_after(states: tuple[Condition, ...], minutes: int, kept: Collection[str]) -> tuple[Condition, ...]:
    """What is left of what lasts a while: healing and wounds keep to their own rules."""
    return tuple(state for state in states if state.name in kept or minutes < _lasts(state))


UNTIL_HEALED = ("coma", "dead", "held", "choked", "disabled", "fevered", "tended", "recovery", "regeneration")


@rule("EMP-089", "EMP-162", "EMP-164")
def rested(record: Character, minutes: int, rulings: Rulings) -> Character:
    """A character after complete rest: Endurance points, and what care adds, for each hour, day or week.

    How bad it is was settled when rest began; what does not fill a unit yet is kept for the next time.
    """
    lost = record.physical_most - record.resistance_physical
    if not minutes or not lost or record.suffers("dead"):
        return record
    recovers, regenerates = record.enjoys("recovery"), record.enjoys("regeneration")
    tended = sum(state.amount for state in record.conditions if state.name == "tended")
    rate, units = record.endurance + tended, psi_units(recovers, regenerates)
    if recovers or regenerates:
        rate = psi_rate(rate, rulings)
    begun = record.rest_lost or lost
    total = record.minutes_resting + minutes
    back, spent = healing(lost, record.physical_most, rate, total, rulings, units, begun)
    left = record.resistance_physical + back
    if left < record.physical_most:
        conditions = without_condition(record, "coma") if back else record.conditions
        return replace(record, resistance_physical=left, minutes_resting=total - spent, rest_lost=begun,
                       conditions=conditions)
    return replace(
        record, resistance_physical=left, minutes_resting=0, rest_lost=0, wounds=(),
        conditions=without_condition(record, "tended", "disabled", "coma", "fevered"),
        trances=without_trance(record, "recovery", "regeneration"),
    )


@rule("EMP-130")
def thought(record: Character, minutes: int) -> Character:
    """A character after thinking, away from whoever influenced: Willpower points for each hour, day or week."""
    lost = record.mental_most - record.resistance_mental
    if not minutes or not lost:
        return record
    state = record.mind_state if record.mind_state is not MindState.FREE else MindState.INFLUENCED
    total = record.minutes_thinking + minutes
    units, rest = divmod(total, MIND_MINUTES[state])
    now = min(record.mental_most, record.resistance_mental + units * max(1, record.willpower))
    free = now == record.mental_most
    return replace(record, resistance_mental=now, minutes_thinking=0 if free else rest,
                   mind_state=MindState.FREE if free else record.mind_state)


MOVES = (LOYALTY_TEST, SWAP, WARN, OVERRIDE, WHISPER, UPKEEP)
