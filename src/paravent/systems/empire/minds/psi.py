"""PSI: telekinesis 21, telepathy 22, consciousness 25, taught by the priests (EMP-150 to EMP-169)."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import Rulings, rule
from paravent.systems.empire.actions.action import evasion_roll, roll_under
from paravent.systems.empire.terms import SKILL_MOST, TABLES, Characteristic

from .errors import NoRetreatForThis, PowerTooHigh, TooLongAConcentration, WillSpent

TELEKINESIS, TELEPATHY, CONSCIOUSNESS = "21", "22", "25"
PSI_SKILLS = (TELEKINESIS, TELEPATHY, CONSCIOUSNESS)
ASSAULT_DICE = 5
SCREENED_UP_TO = 4
"""The highest level of telepathy that a mental screen stops."""


@rule("EMP-150")
def may_bear(weapon: str) -> bool:
    """What a novice forswears: every weapon but bare hands."""
    return weapon in ("", "fist", "kick")


class Power(NamedTuple):
    """A power announced: its skill, the level used, and the characteristic it rests on."""

    name: str
    skill: str
    level: int
    characteristic: Characteristic


@rule("EMP-151")
def power_of(name: str, own_level: int, level: int = 0) -> Power:
    """A power by name; telekinesis is announced with its level. What lies above one's own level is closed."""
    row = TABLES["psi_powers"].row(name)
    used = max(1, level) if row["level"] == "" else row["level"]
    if used > own_level:
        raise PowerTooHigh(power=name, level=used, got=own_level)
    return Power(name, str(row["skill"]), used, Characteristic(row["characteristic"]))


@rule("EMP-151")
def psi_dice(level: int, own_level: int, rulings: Rulings) -> int:
    """Three dice for levels 1 and 2, four for 3 and 4, five for 5 and 6."""
    return int(TABLES["psi_levels"].cell(own_level if rulings.psi_dice == "own_level" else level, "dice"))


@rule("EMP-152")
def telekinesis_grams(level: int) -> int | None:
    """The mass moved, in grams; None for oneself."""
    mass = TABLES["psi_levels"].cell(level, "mass")
    return None if mass == "" else int(mass)


@rule("EMP-152")
def may_move(seen: bool) -> bool:
    """Only what is seen is moved."""
    return seen


@rule("EMP-154", "EMP-155", "EMP-156", "EMP-157", "EMP-158")
def reach(level: int) -> int:
    """How far telepathy carries at a level, in metres."""
    return int(TABLES["psi_levels"].cell(level, "reach"))


@rule("EMP-153")
def is_screened(screen: bool, own_level: int, against: int, rulings: Rulings) -> bool:
    """Whether a mental screen hides somebody from a telepath: it stops levels up to four.

    One test raises it until its owner sleeps; a table may have it always on at level 1.
    """
    up = screen or (rulings.mental_screen == "always_on" and own_level >= 1)
    return up and against <= SCREENED_UP_TO


@rule("EMP-155", "EMP-156")
def must_answer(level: int, screened: bool) -> str:
    """What a mind read or probed owes: the truth; probed, it may also flee or strike; nothing behind a screen."""
    if screened:
        return "nothing"
    return "truth_or_flight" if level >= 4 else "truth"


@rule("EMP-157")
def obeys(deadly: bool) -> bool:
    """An order put into a mind is obeyed unless it endangers its life."""
    return not deadly


class PsiResult(NamedTuple):
    """A PSI act: whether it succeeded, the effect picked afterwards, and whether the victim evaded it."""

    success: bool
    effect: str = ""
    evaded: bool = False


class PsiAct(NamedTuple):
    """A PSI act as settled before the dice; ``evasion`` is the victim's, where one may be tried."""

    power: Power
    threshold: int
    dice: int
    evasion: Fraction | None = None
    screened: bool = False
    seen: bool = True


MOVED = ("push_forward", "lift", "pull_back")
"""What telekinesis does to things."""


@rule("EMP-168")
def effects_open(power: Power) -> tuple[str, ...]:
    """What may be picked once the roll has succeeded: any effect of the skill up to the level announced."""
    return tuple(
        row[0] for row in TABLES["psi_powers"].rows
        if str(row[1]) == power.skill and (row[2] == "" or row[2] <= power.level)
    )


@rule("EMP-151", "EMP-152", "EMP-168")
def psi_act(dice: Dice, act: PsiAct) -> PsiResult:
    """The roll; then the victim's evasion, if it has one; then the form that the effect takes.

    What is not in sight cannot be moved (5517 to 5524): the attempt comes to nothing, whatever the dice said.
    """
    if not roll_under(dice, act.dice, act.threshold).success:
        return PsiResult(False)
    if act.screened:
        dice.note("EMP-153", "screened")
        return PsiResult(True, act.power.name, True)
    if act.evasion is not None and dice.of("gm").resolve(evasion_roll, act.evasion):
        dice.note("EMP-169", "victim_evades")
        return PsiResult(True, act.power.name, True)
    forms = sorted(effects_open(act.power), key=lambda form: form != act.power.name)  # what was announced comes first
    effect = dice.choose("initiator", "psi_effect", tuple(forms), usual=act.power.name, rule="EMP-168")
    if effect in MOVED and not may_move(act.seen):
        dice.note("EMP-152", "out_of_sight")
        return PsiResult(False, effect)
    return PsiResult(True, effect)


@rule("EMP-169")
def may_resist(victim: int, priest: int) -> bool:
    """A victim of strictly higher Willpower may try to evade."""
    return victim > priest


class MindDuel(NamedTuple):
    """Two telepaths: the sums, and who is controlled (0 for nobody)."""

    mine: int
    theirs: int
    controlled: int


@rule("EMP-158")
def telepaths_duel(dice: Dice, mine: int, theirs: int, rulings: Rulings) -> MindDuel:
    """Five dice each: whoever has the lower result is controlled; a tie is a stalemate.

    Thresholds do not count, unless the table lets a roll above its own count for nothing.
    """
    first, second = dice.of("initiator").sum(ASSAULT_DICE, 6), dice.of("opponent").sum(ASSAULT_DICE, 6)
    if rulings.telepath_duel == "threshold":
        first, second = (first if first <= mine else 0), (second if second <= theirs else 0)
    dice.note("EMP-158", "minds_meet", one=first, other=second)
    return MindDuel(first, second, 0 if first == second else 2 if first > second else 1)


# Effort


@rule("EMP-159")
def longest(level: int, priest_grade: int) -> int:
    """How many minutes one concentrates at most: skill level + priest grade."""
    return level + priest_grade


@rule("EMP-159", "EMP-160")
def concentrate(minutes: int, level: int, priest_grade: int, willpower: int, spent: int) -> int:
    """The Willpower spent after so many minutes, one each; with none left there is no PSI before sleep."""
    if minutes > longest(level, priest_grade):
        raise TooLongAConcentration(got=minutes, most=longest(level, priest_grade))
    if minutes and spent >= willpower:
        raise WillSpent(got=spent)
    return min(willpower, spent + minutes)


@rule("EMP-161")
def trance_minutes(strength: int) -> int:
    """How long heat and cold, from −50° to +50°, do no harm: Strength minutes."""
    return strength


@rule("EMP-163")
def suspension_days(strength: int) -> int:
    """How long one may look dead: Strength days at most."""
    return strength


@rule("EMP-162", "EMP-164")
def psi_units(recovers: bool, regenerates: bool) -> tuple[int, int, int]:
    """The minutes in which shocks, wounds and lesions heal: 15 minutes, 2 hours and 2 days where PSI helps."""
    return (15 if recovers else 60, 120 if regenerates else 1440, 2880 if regenerates else 10080)


@rule("EMP-162", "EMP-164")
def psi_rate(rate: int, rulings: Rulings) -> int:
    """The points for each of these shorter units: as many as ever, or one if the table says so."""
    return 1 if rulings.psi_healing == "point" else rate


@rule("EMP-165", "EMP-166")
def surged(score: int, willpower: int) -> int:
    """Endurance or Strength with Willpower added to it."""
    return score + willpower


@rule("EMP-165", "EMP-166")
def surge_lasts(strength: int, rulings: Rulings) -> tuple[int, str]:
    """How long it lasts: one action (in a fight, one sequence), or Strength minutes if the table says so."""
    return (strength, "minute") if rulings.psi_surge == "minutes" else (1, "action")


# A retreat


@rule("EMP-167")
def retreat_dice(level: int) -> int:
    """The dice for the level aimed at."""
    if not 1 <= level < SKILL_MOST:
        raise NoRetreatForThis(got=level)
    return int(TABLES["psi_levels"].cell(level + 1, "train"))


@rule("EMP-167")
def retreat(dice: Dice, best: int, level: int) -> bool:
    """A year in a monastery: one attempt for each PSI skill owned, under its best characteristic + level."""
    return roll_under(dice, retreat_dice(level), best + level).success
