"""The day's upkeep, and what time does to a character."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import (
    Ask,
    Call,
    Change,
    Context,
    Field,
    Filled,
    Flag,
    Move,
    OneOf,
    Resolve,
    Rulings,
    Telling,
    Whole,
    changed,
    from_plain,
    rule,
)
from paravent.game.errors import Withheld
from paravent.systems.empire.actions.trials import SURGES
from paravent.systems.empire.fights.wounds import healing, hindrance
from paravent.systems.empire.minds.psi import psi_rate, psi_units
from paravent.systems.empire.terms import figure
from paravent.systems.empire.throws import said, set_on, to_gm, weight_of
from paravent.systems.empire.travel.travel import wages
from paravent.systems.empire.words.speech import MindState

from .character import Character, Condition
from .conditions import without_condition, without_trance
from .referee import square_for, table_minutes
from .survival import SLEEP_HOURS, extra_sleep, lacks_food, lacks_sleep, load_mod, march, moving_strength


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
    owed: int = 0


def upkeep(dice: Dice, day: Habits) -> Day:
    """Sleep, food, load and pace of one day; a march costs sleep, which is owed until it is slept off."""
    owed = day.owed + (extra_sleep(day.gait, day.hours, day.endurance) if day.hours else 0)
    load = load_mod(day.grams, day.strength, day.gravity, day.armour_mod)
    able = moving_strength(day.strength, day.gravity, day.armour_mod, load)
    metres = None if able is None else march(day.gait, able, day.endurance).metres
    slept_enough = not lacks_sleep(day.slept - owed)
    dice.note("EMP-170", "day", slept=day.slept, needed=SLEEP_HOURS + owed, load=load)
    return Day(not slept_enough, lacks_food(day.rations), load, metres, still_owed(owed, day.slept))


@rule("EMP-170", "EMP-175")
def still_owed(owed: int, slept: int, nights: int = 1) -> int:
    """The hours of sleep that are owed after some nights: what goes beyond ordinary ones pays them off."""
    return max(0, owed - nights * max(0, slept - SLEEP_HOURS))


def _upkeep_call(ctx: Context) -> Call[Day]:
    record = ctx.one().record
    grams, strength, endurance, armour = ctx[GRAMS], ctx[STRENGTH], ctx[ENDURANCE], 0
    if isinstance(record, Character):
        grams = record.grams if grams is None else grams
        strength = record.strength if strength is None else strength
        endurance = record.endurance if endurance is None else endurance
        armour = hindrance(worn.piece for worn in record.protections)
    gravity = Fraction(ctx[GRAVITY], 100)
    return Call(upkeep, Habits(ctx[SLEPT], ctx[RATIONS], grams or 0, strength or 0, endurance or 0, armour, gravity,
                               ctx[GAIT], ctx[HOURS], record.sleep_owed if isinstance(record, Character) else 0))


def _tell_upkeep(ctx: Context, day: Day) -> Sequence[Telling]:
    pace = said("told_floats") if day.metres is None else said("told_pace", metres=figure(day.metres))
    square = () if day.metres is None else (to_gm("told_square", n=square_for(day.metres)),)
    table = (to_gm("told_at_the_table", n=table_minutes(ctx[HOURS])),) if ctx[HOURS] else ()
    return (pace, said("told_load", n=day.load), *((said("told_sleepless"),) if day.sleepless else ()),
            *((said("told_hungry"),) if day.hungry else ()), *square, *table)


SLEPT = Field("slept", Whole(0, 24), usual=8, rule="EMP-170")
RATIONS = Field("rations", Whole(0, 9), usual=1, rule="EMP-172")
GRAMS: Field[int | None] = Field("grams", Whole(0), optional=True, rule="EMP-173")
STRENGTH: Field[int | None] = Field("strength", Whole(0, 12), optional=True, rule="EMP-173")
ENDURANCE: Field[int | None] = Field("endurance", Whole(0, 12), optional=True, rule="EMP-175")
GAIT = Field("gait", OneOf(("walk", "forced_march", "run")), usual="walk", rule="EMP-175")
HOURS = Field("hours", Whole(0, 24), usual=0, rule="EMP-175")
GRAVITY = Field("gravity", Whole(0, 166), "gm", usual=100, rule="EMP-174")
UPKEEP = Move(
    "daily-upkeep",
    group="survival",
    by="gm",
    rules=("EMP-170", "EMP-172", "EMP-173", "EMP-174", "EMP-175", "EMP-176", "EMP-177"),
    steps=(
        Ask("day", (SLEPT, RATIONS, GRAMS, STRENGTH, ENDURANCE, GAIT, HOURS, GRAVITY)),
        Resolve("upkeep", _upkeep_call, tell=_tell_upkeep, outcome=lambda day: "day_over",
                changes=lambda ctx, day: (*set_on(ctx.one(), "sleepless", day.sleepless, "EMP-170"),
                                          *set_on(ctx.one(), "sleep_owed", day.sleep_owed, "EMP-175"),
                                          *set_on(ctx.one(), "hungry", day.hungry, "EMP-172"))),
    ),
)
REST = Field("rest", Flag(), usual=True, rule="EMP-089")


def _is_swayed(ctx: Context) -> bool:
    """Whether anything weighs on a mind that time away would lift, as far as the sheet says and may be read."""
    record = ctx.one("character").record
    try:
        return isinstance(record, Character) and record.resistance_mental < record.mental_most
    except Withheld:
        return False


AWAY = Field("away", Flag(), usual=True, rule="EMP-130", when=_is_swayed)
WORKED = Field("worked", Whole(0, 16), usual=0, rule="EGW-197", place="refinement")
HABITS = (SLEPT, RATIONS, REST, AWAY, WORKED)
"""What is asked of a character when time passes."""
DAY, NIGHT = 24 * 60, 6 * 60
MIND_MINUTES = {MindState.INFLUENCED: 60, MindState.SHAKEN: 60, MindState.CONVINCED: DAY, MindState.BLINDED: 7 * DAY}


@dataclass(frozen=True)
class Lived:
    """What somebody said of the time that passed, and what the table says of it."""

    slept: int = 8
    rations: int = 1
    rest: bool = True
    away: bool = True
    day: int = 0
    span: str = ""
    worked: int = 0


@rule("EGW-197")
def earned(hours_a_day: int, minutes: int) -> int:
    """What work at the least wage brings: so many hours a day, or of the hours that there were."""
    hours = hours_a_day * (minutes // DAY) if minutes >= DAY else min(hours_a_day, minutes // 60)
    return wages(hours)


A_YEAR = 365


@rule("EMP-045")
def birthdays(day: int, minutes: int) -> int:
    """How many years end while time passes: on the first day of a year everybody is a year older."""
    return (day * DAY + minutes) // (A_YEAR * DAY) - day // A_YEAR


@rule("EMP-089", "EMP-130", "EMP-160", "EMP-170", "EMP-172")
def passing(dice: Dice, record: object, minutes: int, habits: Filled, rulings: Rulings) -> tuple[Change, ...]:
    """What time does: rest heals, thinking frees, a night gives Willpower back; want of sleep and food show."""
    if not isinstance(record, Character):
        return ()
    lived = from_plain(Lived, habits)
    fed = minutes < DAY or not lacks_food(lived.rations)
    after = rested(record, minutes if lived.rest and fed and not lived.worked else 0, rulings)
    after = thought(after, minutes if lived.away else 0)
    rested_enough = not lacks_sleep(lived.slept - record.sleep_owed)
    if minutes >= NIGHT and not lacks_sleep(lived.slept):
        after = replace(after, willpower_spent=0, sleepless=not rested_enough, acted=0, rest_due=0,
                        mental_screen=False)
    if minutes >= NIGHT:
        after = replace(after, sleep_owed=still_owed(record.sleep_owed, lived.slept, max(1, minutes // DAY)))
    if minutes >= DAY:
        after = replace(after, sleepless=not rested_enough, hungry=lacks_food(lived.rations))
    after = replace(after, conditions=_over_after(after.conditions, minutes, UNTIL_HEALED),
                    trances=_over_after(after.trances, minutes, UNTIL_HEALED))
    after = replace(after, credits=after.credits + earned(lived.worked, minutes),
                    age=after.age + birthdays(lived.day, minutes))
    fields = ("credits", "age", "resistance_physical", "resistance_mental", "mind_state", "willpower_spent",
              "sleepless", "sleep_owed", "hungry",
              "acted", "rest_due", "mental_screen", "conditions", "trances", "wounds", "minutes_resting",
              "rest_lost", "minutes_thinking")
    return tuple(change for path in fields for change in changed(
        record.name, record, path, getattr(after, path),
        weight=weight_of(path, getattr(record, path), getattr(after, path))))


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


MOVES = (UPKEEP,)
