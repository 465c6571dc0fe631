"""A test of skill as moves ask it: what is filled in, what the sheet says, how many dice against what."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple, TypeVar

from paravent.dice import odds
from paravent.game import (
    GM_ONLY,
    Actor,
    AnyField,
    Context,
    Field,
    Flag,
    Follow,
    Grid,
    MissingField,
    OneOf,
    Pills,
    RuleError,
    Score,
    Shown,
    Steps,
    Telling,
    Value,
    Whole,
)
from paravent.game.errors import Withheld
from paravent.systems.empire.fights.wounds import organ_dice
from paravent.systems.empire.machines.machines import arm_mod
from paravent.systems.empire.minds.psi import PSI_SKILLS, surged
from paravent.systems.empire.people.character import Character
from paravent.systems.empire.people.creation import Guild, grade_in, may_claim
from paravent.systems.empire.people.referee import roller
from paravent.systems.empire.people.survival import lacks_rest, load_in_tests, privation_dice, strength_in_tests
from paravent.systems.empire.terms import MENTAL, PHYSICAL, SKILLS, Characteristic, Side
from paravent.systems.empire.throws import PAIR

from .action import (
    LOCKED,
    PRECISIONS,
    Column,
    Difficulty,
    Parameter,
    Verb,
    characteristic_for,
    characteristics_of,
    check_characteristic,
    dice_of,
    parameter_of,
    roll_under,
    side_of,
    threshold,
    untrained,
    usual_verb,
    with_extra,
)

WEAPON_ARM = "53"
SURGES = {Characteristic.STRENGTH: "superforce", Characteristic.ENDURANCE: "superendurance"}
T = TypeVar("T")


def has(ctx: Context, actor: Actor, asked: Field[T | None]) -> T | None:
    """What a field holds, None where the move does not ask it of the actor's role or nothing is filled in."""
    return ctx.value(actor, asked) if _asks(ctx, actor, asked) else None


def told(ctx: Context, asked: Field[T | None]) -> T | None:
    """What the game master filled in, None where the move does not ask it."""
    return has(ctx, ctx.one("gm"), asked)


def settled(ctx: Context, actor: Actor, asked: Field[T | None]) -> T | None:
    """What the game master settled: for this actor, where the move asks it of each, else for all."""
    return ctx.value(actor, asked) if _asks(ctx, actor, asked) else told(ctx, asked)


def _asks(ctx: Context, actor: Actor, asked: AnyField) -> bool:
    return ctx.move.asks(asked.id, actor.role)


# What is asked



def through(ctx: Context) -> Sequence[Characteristic]:
    """The characteristics to choose from: the three of the skill that is named, or all where none is."""
    skill = has(ctx, ctx.one(), SKILL)
    return characteristics_of(skill) if skill else tuple(Characteristic)


def skills_open(ctx: Context) -> Sequence[str]:
    """The skills that whoever acts may try: what they have learnt first, then what nobody needs to have learnt. A power
    of the mind has a test of its own, between its player and the game master (EMP-151, EMP-168)."""
    record = ctx.one().record
    learnt = tuple(sorted((skill for skill in record.levels if skill not in PSI_SKILLS),
                          key=lambda skill: -record.levels[skill])) if isinstance(record, Character) else ()
    closed = LOCKED.union(PSI_SKILLS) if isinstance(record, Character) else frozenset[str]()
    return (*learnt, *(skill for skill in SKILLS if skill not in learnt and skill not in closed))


def through_what(ctx: Context, name: int | str) -> Telling | None:
    """How a skill goes through one of its characteristics: the verb, and what the dice may not exceed."""
    return through_of(ctx, has(ctx, ctx.one(), SKILL) or "", name)


def through_of(ctx: Context, skill: str, name: int | str) -> Telling | None:
    """The same of a skill that need not be chosen; nothing of a number, or where no skill is known."""
    actor = ctx.one()
    if not skill or isinstance(name, int):
        return None
    verb = next((verb for verb in Verb if characteristic_for(skill, verb) == name), None)
    if verb is None:
        return None
    limit = threshold(score_of(ctx, actor, Characteristic(name)), level_of(ctx, actor, skill))
    return Telling(f"verbs.{verb.value}", {"n": limit})


def through_and_odds(ctx: Context, name: int | str) -> Telling | None:
    """The same for whoever may not know the difficulty: with what it would be worth, were it average."""
    told_so, actor = through_what(ctx, name), ctx.one()
    if told_so is None or not _hides_difficulty(ctx):
        return told_so
    count = dice_of(Difficulty.AVERAGE, has(ctx, actor, COLUMN) or Column.NORMAL)
    count = with_extra(count, state_dice(ctx, actor, side_of(Characteristic(str(name)))), ctx.rulings)
    passes = odds(roll_under, count, int(str(told_so.values["n"]))).chance(lambda roll: roll.success)
    return Telling(f"{told_so.key}_average", {**told_so.values, "chance": round(100 * passes)})


def _hides_difficulty(ctx: Context) -> bool:
    """Whether whoever asks may not know how hard it is."""
    try:
        told(ctx, DIFFICULTY)
    except Withheld:
        return True
    return False


def same_aim(ctx: Context) -> Sequence[Column]:
    """What the player aims at, and what else might have been aimed at in the same respect."""
    column = has(ctx, ctx.one(), COLUMN) or Column.NORMAL
    return {Parameter.PRECISION: PRECISIONS, Parameter.TIME: (Column.SLOW, Column.NORMAL, Column.FAST),
            Parameter.PERSISTENCE: (Column.TEMPORARY, Column.NORMAL, Column.LASTING)}[parameter_of(column)]


def dice_told(ctx: Context) -> Telling:
    """How many dice a difficulty and an aim make."""
    actor = ctx.one()
    settled = trial(ctx, actor, has(ctx, actor, SKILL) or "")
    return Telling("verbs.dice", {"n": settled.dice})


CHARACTERISTIC: Field[int | str | None] = Field("characteristic", Score(Characteristic, 0), optional=True,
                                                rule="EMP-052")
"""A characteristic: a number, or its name on the sheet."""
LEVEL: Field[int | None] = Field("level", Whole(0, 6), optional=True, rule="EMP-052")
"""A skill level typed in, where there is no sheet to read it on."""
SKILL: Field[str | None] = Field("skill", OneOf(SKILLS, skills_open), optional=True, rule="EMP-052")
"""A skill by its number."""
PROPOSED: Field[int | str | None] = replace(CHARACTERISTIC, type=Score(Characteristic, 0, offered=through),
                                            place="essential", shape=Pills(told=through_and_odds), rule="EMP-060",
                                            upon=SKILL.id)
"""The characteristic that the player proposes: one of the three that the skill goes through."""
NAMED: Field[Characteristic | None] = Field(
    "named", OneOf(Characteristic, through), "gm", optional=True, when=lambda ctx: bool(has(ctx, ctx.one(), SKILL)),
    place="essential", shape=Pills(told=through_what), rule="EMP-060", upon=SKILL.id)
"""The one that the game master names instead."""
COLUMN = Field("column", OneOf(PRECISIONS), usual=Column.NORMAL, place="essential", shape=Pills(), rule="EMP-053")
"""How precisely the player aims."""
ANY_COLUMN = replace(COLUMN, type=OneOf(Column))
"""What the player aims at: how precisely, how fast, or for how long."""
GRADE: Field[int | None] = Field("grade", Whole(0, 6), optional=True, rule="EMP-038")
DIFFICULTY = Field("difficulty", OneOf(Difficulty), "gm", usual=Difficulty.AVERAGE, secrecy="gm",
                   probes=tuple(Difficulty), place="judgement", shape=Steps(), rule="EMP-053")
"""The game master's estimate, behind the screen: it is judged before the dice, by its effect."""
MODS = Field("mods", Whole(-20, 20), "gm", usual=0, rule="EMP-058")
EXTRA = Field("extra_dice", Whole(-4, 6), "gm", usual=0, rule="EMP-058")
HIDE_MODS = Field("hide_mods", Flag(), "gm", usual=False, place="rarity", rule="EMP-058")
HIDDEN_MODS: Field[int | None] = Field("hidden_mods", Whole(-20, 20), "gm", usual=0, secrecy="gm", rule="EMP-058",
                                           when=lambda ctx: ctx[HIDE_MODS])
HANDED = Field("handed", Flag(), "gm", usual=lambda ctx: bool(ctx.rulings.dice_hand == "player"), rule="EMP-002")
ORGAN = Field("organ_hurt", Flag(), "gm", usual=False, place="rarity", rule="EMP-083")
GRAVITY: Field[int | None] = Field("gravity", Whole(0, 166), "gm", usual=100, place="rarity", rule="EMP-174",
                                       when=lambda ctx: ctx.rulings.gravity_scope == "force_actions")
NEGOTIATED = (
    replace(ANY_COLUMN, upfront=True, shape=Grid("difficulty", "gm", told=dice_told)),
    replace(DIFFICULTY, shape=Grid("column", "initiator", beside=same_aim, told=dice_told)),
)
"""The player's aim and the game master's difficulty, crossed between them: each sees what their own would bring."""
SETTLED = (DIFFICULTY, MODS, HIDE_MODS, HIDDEN_MODS, EXTRA, ORGAN, GRAVITY)
"""What the game master settles for an ordinary test."""
OPENLY = (replace(DIFFICULTY, secrecy="open", probes=()), MODS, EXTRA, ORGAN, GRAVITY)
"""What the game master settles where the player throws: as many dice as are thrown tell how hard it is."""


def through_skill(skill: str | Callable[[Context], str]) -> Field[int | str | None]:
    """A characteristic for a test of one skill: one of the three that it goes through, all where none is known yet."""

    def named(ctx: Context) -> str:
        try:
            return skill if isinstance(skill, str) else skill(ctx)
        except (RuleError, Withheld):
            return ""

    def three(ctx: Context) -> Sequence[Characteristic]:
        return characteristics_of(known) if (known := named(ctx)) else tuple(Characteristic)

    return replace(CHARACTERISTIC, type=Score(Characteristic, 0, offered=three),
                   shape=Pills(told=lambda ctx, name: through_of(ctx, named(ctx), name)))


def level_in_skill(skill: str | Callable[[Context], str]) -> Field[int | None]:
    """The level in a skill that the move names, asked of whoever has no sheet where nobody tries without it."""

    def is_needed(ctx: Context) -> bool:
        known = skill if isinstance(skill, str) or ctx.one().record is not None else skill(ctx)
        return ctx.one().record is None and known in LOCKED

    return replace(LEVEL, waits=is_needed)


def tested_in(skill: str | Callable[[Context], str]) -> tuple[AnyField, ...]:
    """What a player declares for a test of a skill that the move names."""
    return through_skill(skill), level_in_skill(skill), ANY_COLUMN


EVASION: Field[int | None] = Field("evasion", Whole(0, 20), optional=True, rule="EMP-041")
"""Evasion of body or mind, where there is no sheet to read it on."""


def settled_for(role: str) -> tuple[AnyField, ...]:
    """The MODs and dice that circumstances give one side of a duel, as the game master says."""
    return replace(MODS, role=role, by="gm"), replace(EXTRA, role=role, by="gm")


def may_have_arm(ctx: Context) -> bool:
    """Whether a weapon arm may do it: whoever acts has one, or acts without a sheet."""
    record = ctx.one().record
    return record is None or (isinstance(record, Character) and record.level(WEAPON_ARM) > 0)


ARM: Field[bool | None] = Field("weapon_arm", Flag(), usual=lambda ctx: ctx.one().record is not None, when=may_have_arm,
                                rule="EMP-116")


def has_learnt(skill: str, role: str = "initiator") -> Callable[[Context], bool]:
    """Whether whoever holds a role has learnt a skill, as far as a sheet says and may be read."""

    def learnt(ctx: Context) -> bool:
        record = ctx.one(role).record
        try:
            return not isinstance(record, Character) or record.level(skill) > 0
        except Withheld:
            return True

    return learnt


# From fields to numbers


def score_of(ctx: Context, actor: Actor, name: Characteristic, *, arm: bool = False) -> int:
    """A characteristic on a sheet as it counts now: less spent Willpower, more by a PSI surge, less under gravity.

    A weapon arm does not age: it counts from the score that it replaced.
    """
    record = actor.record
    if record is None or not hasattr(type(record), name.value):
        raise MissingField(field="characteristic", role=actor.role)
    score = int(getattr(record, name))
    if name is Characteristic.WILLPOWER:
        return max(0, score - getattr(record, "willpower_spent", 0))
    if arm and name in (Characteristic.STRENGTH, Characteristic.DEXTERITY):
        score += getattr(record, "age_loss", 0)
    if name is Characteristic.STRENGTH:
        score = strength_in_tests(score, Fraction(told(ctx, GRAVITY) or 100, 100), ctx.rulings)
    surge = SURGES.get(name)
    return surged(score, sum(state.amount for state in getattr(record, "trances", ()) if state.name == surge))


def characteristic_used(ctx: Context, actor: Actor, usual: Characteristic | None = None) -> Characteristic | None:
    """The characteristic that an act goes through: as the game master names it; None where a number was typed."""
    given = has(ctx, actor, CHARACTERISTIC)
    named = told(ctx, NAMED)
    if named is not None and not isinstance(given, int):
        return named
    if isinstance(given, Characteristic):
        return given
    if given is not None:
        return None
    if usual is not None:
        return usual
    skill = has(ctx, actor, SKILL)
    if not skill:
        names_one = isinstance(actor.record, Character) and _asks(ctx, actor, SKILL)
        raise MissingField(field="skill" if names_one else "characteristic", role=actor.role)
    column = has(ctx, actor, COLUMN) or Column.NORMAL
    return characteristic_for(skill, usual_verb(parameter_of(column)))


def score_used(ctx: Context, actor: Actor, usual: Characteristic | None = None, *, arm: bool = False) -> int:
    """The characteristic as a number: as typed, or as it stands on the sheet."""
    given = has(ctx, actor, CHARACTERISTIC)
    if isinstance(given, int):
        return given
    name = characteristic_used(ctx, actor, usual)
    assert name is not None
    return score_of(ctx, actor, name, arm=arm)


def level_of(ctx: Context, actor: Actor, skill: str) -> int:
    """The level of a skill: as typed, or on the sheet."""
    typed = has(ctx, actor, LEVEL)
    if typed is not None:
        return typed
    return actor.record.level(skill) if isinstance(actor.record, Character) and skill else 0


def grade_of(ctx: Context, actor: Actor, guild: Guild) -> int:
    """The grade that counts in a guild's formula: as typed, or the sheet's if it is of that guild."""
    typed = has(ctx, actor, GRADE)
    if typed is not None:
        return typed
    return grade_in(guild, actor.record.guild, actor.record.grade) if isinstance(actor.record, Character) else 0


def side_used(ctx: Context, actor: Actor, usual: Characteristic | None = None) -> Side:
    """Whether an act is of the body or of the mind; a number typed alone is taken for the body's."""
    name = characteristic_used(ctx, actor, usual)
    return side_of(name) if name is not None else Side.PHYSICAL


def mods_of(ctx: Context, actor: Actor, side: Side) -> int:
    """The MODs: what the game master says, in the open and in secret, and what a load takes off physical acts."""
    hidden = (told(ctx, HIDDEN_MODS) or 0) if told(ctx, HIDE_MODS) else 0
    total = (settled(ctx, actor, MODS) or 0) + hidden
    return total + (_load(ctx, actor) if side is Side.PHYSICAL else 0)


def _load(ctx: Context, actor: Actor) -> int:
    record = actor.record
    return load_in_tests(record.load, ctx.rulings) if isinstance(record, Character) else 0


def state_dice(ctx: Context, actor: Actor, side: Side, *, arm: bool = False) -> int:
    """The dice that a character's state adds: want of sleep, rest and food, a hurt organ; a weapon arm never tires."""
    record, hurt = actor.record, organ_dice(bool(settled(ctx, actor, ORGAN)))
    if not isinstance(record, Character):
        return hurt
    tired = lacks_rest(record.effort) and not arm
    return hurt + privation_dice(side, sleep=record.sleepless, rest=tired, food=record.hungry)


class Trial(NamedTuple):
    """A test as settled: threshold, difficulty, dice thrown, and how many of them are a malus."""

    threshold: int
    difficulty: Difficulty
    column: Column
    dice: int
    malus: int


def trial(
    ctx: Context,
    actor: Actor,
    skill: str,
    usual: Characteristic | None = None,
    *,
    difficulty: Difficulty | None = None,
    needs_mod: bool = False,
    more_mods: int = 0,
    more_dice: int = 0,
    unskilled: bool = True,
) -> Trial:
    """An ordinary test of a skill, as its fields and its sheet say; a weapon arm does it, where it is said to."""
    level = level_of(ctx, actor, skill)
    side = side_used(ctx, actor, usual)
    name = characteristic_used(ctx, actor, usual)
    if name is not None and name is not usual and skill:
        check_characteristic(skill, name)
    arm = bool(has(ctx, actor, ARM)) and name in (Characteristic.STRENGTH, Characteristic.DEXTERITY)
    lacking = untrained(skill, level, ctx.rulings, needs_mod=needs_mod) if skill and unskilled else 0
    mods = mods_of(ctx, actor, side) + lacking + more_mods + arm_bonus(actor, name, arm)
    limit = threshold(score_used(ctx, actor, usual, arm=arm), level, mods)
    hard = difficulty or told(ctx, DIFFICULTY) or Difficulty.AVERAGE
    column = has(ctx, actor, COLUMN) or Column.NORMAL
    malus = (told(ctx, EXTRA) or 0) + state_dice(ctx, actor, side, arm=arm) + more_dice
    count = with_extra(dice_of(hard, column), malus, ctx.rulings)
    return Trial(limit, hard, column, count, malus)


def arm_bonus(actor: Actor, name: Characteristic | None, uses_arm: bool) -> int:
    """What a prosthetic arm adds, where it does the act."""
    if not uses_arm or name is None or not isinstance(actor.record, Character):
        return 0
    return arm_mod(actor.record.level(WEAPON_ARM), name)


def evasion(ctx: Context, actor: Actor, side: Side) -> Fraction:
    """Evasion of body or mind: three scores typed at once, or the sheet's."""
    typed = has(ctx, actor, EVASION)
    if typed is not None:
        return Fraction(typed)
    names = PHYSICAL if side is Side.PHYSICAL else MENTAL
    if not all(hasattr(type(actor.record), name.value) for name in names):
        raise MissingField(field="evasion", role=actor.role)
    return Fraction(sum(int(getattr(actor.record, name)) for name in names), 3)


# Who throws and who sees


def thrower(ctx: Context) -> str:
    """Whose hand the dice are in: the player's where they were handed over, else the game master's."""
    return roller(ctx.move.id, bool(told(ctx, HANDED)))


def shown_to_pair(ctx: Context, result: object) -> Shown:
    """An ordinary test: the dice for whoever throws them and the game master, the outcome for all, the sums hidden."""
    return Shown(dice=PAIR if told(ctx, HANDED) in (True, None) else GM_ONLY, detail=GM_ONLY)


# What a precise success teaches


def destiny(
    ctx: Context, actor: Actor, success: bool, name: Characteristic | None, skill: str, dice: int
) -> Sequence[Follow]:
    """The destiny roll that a precise success lets a player claim: the same dice again, three to five.

    As many dice as are thrown tell how hard the test was: where that stayed behind the screen, so do they.
    """
    if name is None or not skill or not isinstance(actor.record, Character) or actor.kind == "npc":
        return ()
    if not may_claim(success, has(ctx, actor, COLUMN) or Column.NORMAL, ctx.rulings):
        return ()
    count = min(5, max(3, dice))
    form: dict[str, dict[str, Value]] = {actor.id: {"characteristic": name.value, "skill": skill},
                                         "gm": {"granted": True}}
    if told(ctx, HANDED) is False and ctx.rulings.destiny_dice == "kept":
        form["gm"] |= {"hide_dice": True, "hidden_dice": count}
    else:
        form[actor.id]["dice"] = count
    return (Follow("destiny-roll", {"initiator": [actor.id]}, form),)


# A test of the initiator


def usual_characteristic(ctx: Context, actor: Actor, skill: str) -> Characteristic:
    """The characteristic behind a skill when nobody prefers another."""
    return characteristic_for(skill, usual_verb(parameter_of(has(ctx, actor, COLUMN) or Column.NORMAL)))


def against(
    ctx: Context, skill: str, usual: Characteristic | None = None, more_mods: int = 0, *, unskilled: bool = True
) -> tuple[int, int]:
    """The dice and the threshold of the initiator's test of a skill."""
    actor = ctx.one()
    wanted = usual or usual_characteristic(ctx, actor, skill)
    settled = trial(ctx, actor, skill, wanted, more_mods=more_mods, unskilled=unskilled)
    return settled.dice, settled.threshold


def sheet_level(ctx: Context, asked: Field[int | None], skill: str) -> int:
    """A skill level under a field of its own: as typed, or on the initiator's sheet."""
    actor = ctx.one()
    typed = has(ctx, actor, asked)
    if typed is not None:
        return typed
    return actor.record.level(skill) if isinstance(actor.record, Character) else 0


def knows(ctx: Context, skill: str) -> bool:
    """Whether the initiator's sheet has a skill."""
    record = ctx.one().record
    return isinstance(record, Character) and record.level(skill) > 0
