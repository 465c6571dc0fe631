"""Moves of PSI: an act whose form is picked after the roll, and the duel of two telepaths."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    Ask,
    Change,
    Context,
    Field,
    Flag,
    MissingField,
    Move,
    OneOf,
    Resolve,
    Role,
    Shown,
    Telling,
    TextField,
    Whole,
    only,
)

from .action import threshold
from .character import Character, Condition
from .errors import NotATelepath, TooLongAConcentration, WillSpent
from .psi import (
    TELEKINESIS,
    TELEPATHY,
    MindDuel,
    Power,
    PsiAct,
    PsiResult,
    concentrate,
    is_screened,
    longest,
    may_move,
    may_resist,
    must_answer,
    obeys,
    power_of,
    psi_act,
    psi_dice,
    reach,
    surge_lasts,
    suspension_days,
    telekinesis_grams,
    telepaths_duel,
    trance_minutes,
)
from .reading import MODS, PAIR, evasion, grade_of, has, said, score_of, set_on, told, with_condition
from .terms import TABLES, Characteristic, Guild, Side

TARGET = Role("opponent", least=0)
SELF = ("screen", "thermal_insensitivity", "recovery", "suspended_animation", "regeneration", "superendurance",
        "superforce")
TANGIBLE = ("push_forward", "lift", "pull_back", "suspended_animation", "control", "assault")
"""Effects that others can see."""


def _power(ctx: Context) -> Power:
    actor = ctx.one()
    name = ctx["power_name"]
    skill = str(TABLES["psi_powers"].cell(name, "skill"))
    typed = has(ctx, actor, "level")
    own = int(typed) if typed is not None else actor.record.level(skill) if isinstance(actor.record, Character) else 0
    return power_of(name, own, ctx["power_level"] or own)


def _own_level(ctx: Context) -> int:
    actor = ctx.one()
    typed = has(ctx, actor, "level")
    if typed is not None:
        return int(typed)
    skill = str(TABLES["psi_powers"].cell(ctx["power_name"], "skill"))
    return actor.record.level(skill) if isinstance(actor.record, Character) else 0


def _score(ctx: Context, name: Characteristic) -> int:
    typed = has(ctx, ctx.one(), "score")
    if typed is not None:
        return int(typed)
    if ctx.one().record is None:
        raise MissingField(field="score", role="initiator")
    return score_of(ctx, ctx.one(), name)


def _read_psi(ctx: Context) -> tuple[Any, ...]:
    actor = ctx.one()
    power, own = _power(ctx), _own_level(ctx)
    if isinstance(actor.record, Character) and actor.record.willpower_spent >= max(1, actor.record.willpower):
        raise WillSpent(got=actor.record.willpower_spent)
    if _concentrates(power) and ctx["minutes"] > _most_minutes(ctx):
        raise TooLongAConcentration(got=ctx["minutes"], most=_most_minutes(ctx))
    limit = threshold(_score(ctx, power.characteristic), own, int(told(ctx, "mods") or 0))
    return (PsiAct(power, limit, psi_dice(power.level, own, ctx.rulings), _evades(ctx), _screened(ctx, power)),)


def _concentrates(power: Power) -> bool:
    """Whether a power takes one's whole mind: what moves things or reaches minds does, a screen does not."""
    return power.skill in (TELEKINESIS, TELEPATHY) and power.name != "screen"


def _evades(ctx: Context) -> Fraction | None:
    """The victim's mental evasion, where its Willpower is higher or the game master grants it."""
    target, actor = ctx.one("opponent"), ctx.one()
    if not ctx.all("opponent") and told(ctx, "victim_evasion") is None:
        return None
    typed = told(ctx, "victim_evasion")
    if typed is not None:
        return Fraction(typed)
    if not isinstance(target.record, Character) or not isinstance(actor.record, Character):
        return None
    stronger = may_resist(target.record.willpower, actor.record.willpower)
    return evasion(ctx, target, Side.MENTAL) if stronger else None


def _screened(ctx: Context, power: Power) -> bool:
    if power.skill != TELEPATHY or power.name in SELF:
        return False
    record = ctx.one("opponent").record
    up = bool(told(ctx, "screen_up")) or (isinstance(record, Character) and record.mental_screen)
    level = record.level(TELEPATHY) if isinstance(record, Character) else 0
    return is_screened(up, level, power.level, ctx.rulings)


def _psi_lines(ctx: Context, result: PsiResult) -> Sequence[Telling]:
    """What the pair hears: the power's reach, mass, duration; what a mind owes."""
    power, strength = _power(ctx), getattr(ctx.one().record, "strength", 7)
    grams = telekinesis_grams(power.level)
    match result.effect:
        case "push_forward" | "lift" | "pull_back":
            if not may_move(bool(ctx["seen"])):
                return (said("told_unseen", PAIR),)
            return (said("told_moves", PAIR, n=grams) if grams is not None else said("told_levitates", PAIR),)
        case "empathy":
            return (said("told_reach", PAIR, n=reach(2)), said("told_feels", PAIR))
        case "reading" | "probe":
            level = 3 if result.effect == "reading" else 4
            return (said("told_reach", PAIR, n=reach(level)), said(f"told_{must_answer(level, result.evaded)}", PAIR))
        case "control":
            return (said("told_reach", PAIR, n=reach(5)),
                    said("told_mind_obeys" if obeys(bool(ctx["deadly"])) else "told_mind_refuses", PAIR))
        case "assault":
            return (said("told_reach", PAIR, n=reach(6)), said("told_controlled", PAIR))
        case "thermal_insensitivity":
            return (said("told_minutes", PAIR, n=trance_minutes(strength)),)
        case "suspended_animation":
            return (said("told_days", PAIR, n=suspension_days(strength)),)
        case "superendurance" | "superforce":
            count, unit = surge_lasts(strength, ctx.rulings)
            return (said("told_surge", PAIR, n=count, unit=unit),)
        case _:
            return ()


def _tell_psi(ctx: Context, result: PsiResult) -> Sequence[Telling]:
    if not result.success:
        return (said("told_psi_failed", PAIR),)
    if result.evaded:
        return (said("told_psi_evaded", PAIR),)
    seen = (said("told_psi_seen", EVERYONE, effect=result.effect),) if result.effect in TANGIBLE else ()
    return (said("told_psi", PAIR, effect=result.effect), *_psi_lines(ctx, result), *seen)


def _psi_changes(ctx: Context, result: PsiResult) -> Sequence[Change]:
    actor = ctx.one()
    record = actor.record
    if not isinstance(record, Character):
        return ()
    changes: list[Change] = []
    power = _power(ctx)
    if _concentrates(power):
        spent = concentrate(ctx["minutes"], _own_level(ctx), grade_of(ctx, actor, Guild.PRIEST), record.willpower,
                            record.willpower_spent)
        changes += set_on(actor, "willpower_spent", spent, "EMP-160")
    if not result.success or result.evaded:
        return _for_pair(changes)
    if result.effect == "screen":
        changes += set_on(actor, "mental_screen", True, "EMP-153")
    if result.effect in SELF and result.effect != "screen":
        amount = record.willpower if result.effect in ("superforce", "superendurance") else record.strength
        changes += set_on(actor, "conditions", with_condition(record, Condition(result.effect, amount)), "EMP-161")
    return _for_pair(changes)


def _for_pair(changes: Sequence[Change]) -> Sequence[Change]:
    return [Change(c.target, c.path, c.before, c.after, c.rule, PAIR, c.kind) for c in changes]


def _most_minutes(ctx: Context) -> int:
    return longest(_own_level(ctx), grade_of(ctx, ctx.one(), Guild.PRIEST))


def _shown_psi(ctx: Context, result: Any) -> Shown:
    """Between the player and the game master; a tangible effect is told to all apart."""
    return Shown(PAIR, PAIR, PAIR, PAIR)


PSI_ACT = Move(
    "psi-act",
    group="psi",
    cast=(INITIATOR, TARGET, GAME_MASTER),
    rules=("EMP-150", "EMP-151", "EMP-152", "EMP-159", "EMP-160", "EMP-168", "EMP-169"),
    exists=PAIR,
    steps=(
        Ask("announce", (
            Field("power_name", OneOf(lambda ctx: TABLES["psi_powers"].keys()), secrecy="own", rule="EMP-151"),
            Field("power_level", Whole(1, 6), optional=True, secrecy="own", rule="EMP-151"),
            Field("score", Whole(0, 20), optional=True, secrecy="own", rule="EMP-151"),
            Field("level", Whole(0, 6), optional=True, secrecy="own", rule="EMP-151"),
            Field("grade", Whole(0, 6), optional=True, secrecy="own", rule="EMP-159"),
            Field("minutes", Whole(0, 12), usual=1, secrecy="own", rule="EMP-159"),
            Field("intent", TextField(300), usual="", secrecy="own", rule="EMP-168"),
        )),
        Ask("settle", (
            MODS,
            Field("screen_up", Flag(), "gm", usual=False, secrecy="gm", rule="EMP-153"),
            Field("victim_evasion", Whole(0, 20), "gm", optional=True, secrecy="gm", rule="EMP-169"),
            Field("seen", Flag(), "gm", usual=True, rule="EMP-152"),
            Field("deadly", Flag(), "gm", usual=False, secrecy="gm", rule="EMP-157"),
        )),
        Resolve("act", psi_act, _read_psi, tell=_tell_psi, changes=_psi_changes,
                outcome=lambda result: "success" if result.success and not result.evaded else "failure",
                success=lambda result: result.success and not result.evaded, shown=_shown_psi),
    ),
)  # fmt: skip


def _threshold(ctx: Context, role: str) -> int:
    actor = ctx.one(role)
    typed, level = has(ctx, actor, "score"), has(ctx, actor, "level")
    if isinstance(actor.record, Character):
        typed = score_of(ctx, actor, Characteristic.INTELLIGENCE) if typed is None else typed
        level = actor.record.level(TELEPATHY) if level is None else level
    if typed is None or level is None:
        raise MissingField(field="score", role=role)
    if level < 1:
        raise NotATelepath(got=level)
    return threshold(int(typed), int(level))


MINDS = only("initiator", "opponent", "gm")

TELEPATHS_DUEL = Move(
    "telepaths-duel",
    group="psi",
    cast=(INITIATOR, Role("opponent"), GAME_MASTER),
    rules=("EMP-158",),
    exists=MINDS,
    steps=(
        Ask("minds", tuple(
            Field(name, Whole(0, 20), role, optional=True, secrecy="own", rule="EMP-158")
            for role in ("initiator", "opponent") for name in ("score", "level")
        )),
        Resolve("duel", telepaths_duel,
                lambda ctx: (_threshold(ctx, "initiator"), _threshold(ctx, "opponent"), ctx.rulings),
                outcome=lambda result: ("stalemate", "a_controlled", "b_controlled")[result.controlled],
                success=lambda result: result.controlled == 2,
                changes=lambda ctx, result: _controlled(ctx, result),
                shown=lambda ctx, result: Shown(MINDS, GM_ONLY | {"own"}, MINDS, GM_ONLY)),
    ),
)  # fmt: skip


def _controlled(ctx: Context, result: MindDuel) -> Sequence[Change]:
    if not result.controlled:
        return ()
    loser = ctx.one("initiator" if result.controlled == 1 else "opponent")
    if not isinstance(loser.record, Character):
        return ()
    found = set_on(loser, "conditions", with_condition(loser.record, Condition("controlled")), "EMP-158")
    return [Change(c.target, c.path, c.before, c.after, c.rule, MINDS, c.kind) for c in found]


MOVES = (PSI_ACT, TELEPATHS_DUEL)
