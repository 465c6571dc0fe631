"""Moves of the game master: loyalty, a swap, a roll set aside, a whisper, the day's upkeep; and time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import (
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    INVISIBLE,
    Ask,
    Call,
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
    changed,
)
from paravent.systems.empire.actions.trials import LEVEL, has, score_of
from paravent.systems.empire.beasts.persons import INFORMERS
from paravent.systems.empire.beasts.roles import PERSON
from paravent.systems.empire.terms import MENTAL
from paravent.systems.empire.throws import PAIR, said, set_on

from .character import Character
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

PAIRS = {"charm_willpower": ("charm", "willpower"), "strength_dexterity": ("strength", "dexterity")}


# Loyalty


def _score(ctx: Context) -> int:
    actor = ctx.one()
    typed, level = has(ctx, actor, BEST_MENTAL), has(ctx, actor, LEVEL)
    if isinstance(actor.record, Character):
        level = actor.record.level("33") if level is None else level
    scores = [typed] if typed is not None else [score_of(ctx, actor, name) for name in MENTAL]
    return loyalty_score(scores, level or 0, ctx.rulings)


def _tell_loyalty(ctx: Context, loyal: bool) -> Sequence[Telling]:
    role = ctx[ALLY_ROLE]
    helps = lends_a_hand(ctx[PLAUSIBLE], loyal)
    key = {"ally": "told_stays" if loyal else "told_deserts", "informant": "told_sound" if loyal else "told_lies",
           "helper": "told_helps" if helps else "told_holds_back"}[role]
    due = loyalty_due(ctx[NEW_DAY], ctx[DANGER], False, ctx.rulings)
    return (said(key, GM_ONLY), *(() if due else (said("told_not_due", GM_ONLY),)))


def _change_loyalty(ctx: Context, loyal: bool) -> Sequence[Change]:
    """How it went stands on the sheet of whoever was tested, if they have one."""
    actor = PERSON.actor(ctx)
    if actor is None:
        return ()
    written = {"fidelity": "loyal" if loyal else "disloyal", "tested_day": ctx.day}
    return [change for name, value in written.items()
            for change in changed(actor.id, actor.record, name, value, "EGW-006", GM_ONLY)]


def _usual_role(ctx: Context) -> str:
    """What an encounter of the reserve is to the group."""
    return "informant" if getattr(PERSON.brought(ctx), "role", None) in INFORMERS else "ally"


ALLY_ROLE = Field("ally_role", OneOf(("ally", "informant", "helper")), "gm", usual=_usual_role, secrecy="gm",
                  rule="EMP-010")
BEST_MENTAL: Field[int | None] = Field("best_mental", Whole(0, 12), optional=True, secrecy="gm", by="gm",
                                       rule="EMP-010")
PLAUSIBLE = Field("plausible", Flag(), "gm", usual=True, secrecy="gm", rule="EMP-012")
NEW_DAY = Field("new_day", Flag(), "gm", usual=True, secrecy="gm", rule="EMP-010")
DANGER = Field("danger", Flag(), "gm", usual=False, secrecy="gm", rule="EMP-010")
LOYALTY_TEST = Move(
    "loyalty-test",
    group="referee",
    by="gm",
    cast=(INITIATOR, PERSON, GAME_MASTER),
    rules=("EMP-010", "EMP-011", "EMP-012", "EGW-005", "EGW-006", "EGW-007"),
    exists=GM_ONLY,
    steps=(
        Ask("test", (
            ALLY_ROLE, BEST_MENTAL, replace(LEVEL, secrecy="gm", by="gm", rule="EMP-010"), PLAUSIBLE, NEW_DAY, DANGER,
        )),
        Resolve("roll", lambda ctx: Call(loyalty, _score(ctx)), tell=_tell_loyalty, blind=True,
                outcome=lambda loyal: "loyal" if loyal else "disloyal", success=bool,
                changes=_change_loyalty, shown=lambda ctx, result: INVISIBLE),
    ),
)


# Swapping scores


def swap(dice: Dice, pair: str, warned: bool, scores: tuple[int, int], rulings: Rulings) -> tuple[int, int]:
    """Two scores exchanged, once the player has been warned."""
    return swapped(pair, warned, scores, rulings)


def _swap_scores(ctx: Context) -> tuple[int, int]:
    actor = ctx.one()
    typed = has(ctx, actor, TWO_SCORES)
    if typed is not None:
        return int(typed[0]), int(typed[1])
    first, second = PAIRS[ctx[SWAPPED]]
    if not (hasattr(type(actor.record), first) and hasattr(type(actor.record), second)):
        raise MissingField(field="two_scores", role="initiator")
    return int(getattr(actor.record, first)), int(getattr(actor.record, second))


def _swap_changes(ctx: Context, result: tuple[int, int]) -> Sequence[Change]:
    actor = ctx.one()
    return [change for name, score in zip(PAIRS[ctx[SWAPPED]], result, strict=True)
            for change in set_on(actor, name, score, "EMP-006")] + list(set_on(actor, "warned", False, "EMP-006"))


SWAPPED = Field("pair", OneOf(tuple(PAIRS), lambda ctx: tuple(PAIRS) if ctx.rulings.opposites == "also_physical"
                              else ("charm_willpower",)), "gm", usual="charm_willpower", rule="EMP-006")
WARNING_GIVEN = Field("warning_given", Flag(), "gm",
                      usual=lambda ctx: bool(getattr(ctx.one().record, "warned", False)), rule="EMP-006")
TWO_SCORES: Field[tuple[int, ...] | None] = Field("two_scores", Many(Whole(0, 12), 2, 2), optional=True,
                                                  rule="EMP-006")
SWAP = Move(
    "swap-characteristics",
    group="referee",
    by="gm",
    offered=lambda ctx: bool(getattr(ctx.one().record, "warned", True)),
    rules=("EMP-006",),
    steps=(
        Ask("swap", (SWAPPED, WARNING_GIVEN, TWO_SCORES)),
        Resolve("swap", lambda ctx: Call(swap, ctx[SWAPPED], ctx[WARNING_GIVEN], _swap_scores(ctx), ctx.rulings),
                outcome=lambda result: "swapped", changes=_swap_changes),
    ),
)

WARNING = Field("text", TextField(500), "gm", usual="", secrecy="own", rule="EMP-006")
WARN = Move(
    "warn",
    group="referee",
    by="gm",
    rules=("EMP-006",),
    exists=PAIR,
    steps=(
        Ask("warn", (WARNING,)),
        Resolve("warn", lambda ctx: Call(whispered, ctx[WARNING]), outcome=lambda text: "warned",
                tell=lambda ctx, text: (said("told_whisper", PAIR, text=text),) if text else (),
                changes=lambda ctx, text: set_on(ctx.one(), "warned", True, "EMP-006"),
                shown=lambda ctx, result: Shown(PAIR, PAIR, PAIR)),
    ),
)


# A roll set aside


def _announced(ctx: Context, result: Overridden) -> Sequence[Telling]:
    return (said("told_announced_success" if result.announced else "told_announced_failure"),
            said("told_true_success" if result.rolled else "told_true_failure", GM_ONLY))


DICE = Field("dice", Whole(1, 10), "gm", usual=3, secrecy="gm", rule="EMP-003")
THRESHOLD = Field("threshold", Whole(0, 40), "gm", usual=10, secrecy="gm", rule="EMP-003")
ANNOUNCED = Field("announced", Flag(), "gm", usual=True, secrecy="gm", rule="EMP-003")
OVERRIDE = Move(
    "override",
    group="referee",
    by="gm",
    cast=(GAME_MASTER,),
    rules=("EMP-002", "EMP-003"),
    steps=(
        Ask("announce", (DICE, THRESHOLD, ANNOUNCED)),
        Resolve("roll",
            lambda ctx: Call(override, ctx[DICE], ctx[THRESHOLD], ctx[ANNOUNCED]), tell=_announced, blind=True,
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


def _whisper_call(ctx: Context) -> Call[Whisper]:
    record = ctx.one().record
    knows = (record.guild.value, *record.levels) if isinstance(record, Character) else ()
    return Call(whisper, ctx[WHISPERED], ctx[KNOWLEDGE], ctx[UNLOCKS], knows, ctx[EARNED])


WHISPERED = Field("text", TextField(2000), "gm", secrecy="gm", rule="EMP-005")
KNOWLEDGE = Field("knowledge", OneOf(Knowledge), "gm", usual=Knowledge.COMMON, secrecy="gm", rule="EMP-004")
UNLOCKS = Field("unlocks", Many(TextField(40)), "gm", usual=(), secrecy="gm", rule="EMP-004")
EARNED = Field("earned", Flag(), "gm", usual=False, secrecy="gm", rule="EMP-004")
WHISPER = Move(
    "whisper",
    group="referee",
    by="gm",
    rules=("EMP-004", "EMP-005"),
    exists=PAIR,
    steps=(
        Ask("tell", (WHISPERED, KNOWLEDGE, UNLOCKS, EARNED)),
        Resolve("tell",
            _whisper_call, outcome=lambda result: "whispered" if result.told else "kept_back",
                tell=lambda ctx, result: (said("told_whisper", PAIR, text=result.text),) if result.told else
                (said("told_kept_back", GM_ONLY),),
                shown=lambda ctx, result: Shown(PAIR, PAIR, GM_ONLY)),
    ),
)


MOVES = (LOYALTY_TEST, SWAP, WARN, OVERRIDE, WHISPER)
