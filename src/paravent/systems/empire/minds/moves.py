"""Moves of PSI: an act whose form is picked after the roll, and the duel of two telepaths."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    Ask,
    Call,
    Change,
    Context,
    Field,
    Flag,
    Follow,
    MissingField,
    Move,
    OneOf,
    Resolve,
    Role,
    Rulings,
    Shortcut,
    Shown,
    Telling,
    TextField,
    Who,
    Whole,
    only,
    rule,
)
from paravent.game.errors import Withheld
from paravent.systems.empire.actions.action import threshold
from paravent.systems.empire.actions.trials import (
    GRADE,
    LEVEL,
    MODS,
    SURGES,
    evasion,
    grade_of,
    has,
    has_learnt,
    level_of,
    score_of,
    told,
)
from paravent.systems.empire.people.character import Character, Condition
from paravent.systems.empire.people.conditions import with_condition, without_trance
from paravent.systems.empire.people.creation import Guild
from paravent.systems.empire.terms import TABLES, Characteristic, Side
from paravent.systems.empire.throws import PAIR, said, set_on

from .errors import NotATelepath, TooLongAConcentration, WillSpent
from .psi import (
    MOVED,
    TELEKINESIS,
    TELEPATHY,
    MindDuel,
    Power,
    PsiAct,
    PsiResult,
    concentrate,
    is_screened,
    longest,
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

TARGET = Role("opponent", least=0, other=True)
SELF = ("screen", "thermal_insensitivity", "recovery", "suspended_animation", "regeneration", "superendurance",
        "superforce")
TANGIBLE = (*MOVED, "suspended_animation")
"""Effects that others can see: what moves by itself, and who lies as if dead."""


def _power(ctx: Context) -> Power:
    own = _own_level(ctx)
    return power_of(ctx[POWER_NAME], own, ctx[POWER_LEVEL] or own)


def _own_level(ctx: Context) -> int:
    return level_of(ctx, ctx.one(), str(TABLES["psi_powers"].cell(ctx[POWER_NAME], "skill")))


def _score(ctx: Context, name: Characteristic) -> int:
    typed = has(ctx, ctx.one(), SCORE)
    if typed is not None:
        return typed
    if ctx.one().record is None:
        raise MissingField(field="score", role="initiator")
    return score_of(ctx, ctx.one(), name)


def _psi_call(ctx: Context) -> Call[PsiResult]:
    actor = ctx.one()
    power, own = _power(ctx), _own_level(ctx)
    if isinstance(actor.record, Character) and actor.record.willpower_spent >= max(1, actor.record.willpower):
        raise WillSpent(got=actor.record.willpower_spent)
    if _concentrates(power) and ctx[MINUTES] > _most_minutes(ctx):
        raise TooLongAConcentration(got=ctx[MINUTES], most=_most_minutes(ctx))
    limit = threshold(_score(ctx, power.characteristic), own, ctx[MODS])
    evades = None if power.name in SELF else _evades(ctx)
    return Call(psi_act, PsiAct(power, limit, psi_dice(power.level, own, ctx.rulings), evades, _screened(ctx, power),
                                ctx[SEEN]))


def _concentrates(power: Power) -> bool:
    """Whether a power takes one's whole mind: what moves things or reaches minds does, a screen does not."""
    return power.skill in (TELEKINESIS, TELEPATHY) and power.name != "screen"


def _evades(ctx: Context) -> Fraction | None:
    """The victim's mental evasion, where its Willpower is higher or the game master grants it."""
    target, actor, typed = ctx.one("opponent"), ctx.one(), told(ctx, VICTIM_EVASION)
    if typed is not None:
        return Fraction(typed)
    if not isinstance(target.record, Character) or not isinstance(actor.record, Character):
        return None
    will = Characteristic.WILLPOWER
    with suppress(Withheld):  # what the victim's mind is made of stays hidden: the priest weighs the roll alone
        stronger = may_resist(score_of(ctx, target, will), score_of(ctx, actor, will))
        return evasion(ctx, target, Side.MENTAL) if stronger else None
    return None


def _screened(ctx: Context, power: Power) -> bool:
    if power.skill != TELEPATHY or power.name in SELF:
        return False
    record, up = ctx.one("opponent").record, ctx[SCREEN_UP]
    with suppress(Withheld):
        level = record.level(TELEPATHY) if isinstance(record, Character) else 0
        up = up or (isinstance(record, Character) and record.mental_screen)
        return is_screened(up, level, power.level, ctx.rulings)
    return is_screened(up, 0, power.level, ctx.rulings)


def _answers(ctx: Context) -> bool:
    """Whether the mind that is assaulted is a telepath's, which answers with the same attempt."""
    target = ctx.one("opponent").record
    return isinstance(target, Character) and target.level(TELEPATHY) > 0


def _psi_lines(ctx: Context, result: PsiResult) -> Sequence[Telling]:
    """What the pair hears: the power's reach, mass, duration; what a mind owes."""
    power, strength = _power(ctx), getattr(ctx.one().record, "strength", 7)
    grams = telekinesis_grams(power.level)
    match result.effect:
        case "push_forward" | "lift" | "pull_back":
            moved = said("told_moves", PAIR, n=grams) if grams is not None else said("told_levitates", PAIR)
            return (moved, said("told_pace", PAIR, metres=getattr(ctx.one().record, "pace", strength)))
        case "empathy":
            return (said("told_reach", PAIR, n=reach(2)), said("told_feels", PAIR), *_felt(ctx))
        case "reading" | "probe":
            level = 3 if result.effect == "reading" else 4
            return (said("told_reach", PAIR, n=reach(level)), said(f"told_{must_answer(level, result.evaded)}", PAIR))
        case "control":
            return (said("told_reach", PAIR, n=reach(5)),
                    said("told_mind_obeys" if obeys(ctx[DEADLY]) else "told_mind_refuses", PAIR))
        case "assault":
            return (said("told_reach", PAIR, n=reach(6)),
                    said("told_mind_answers" if _answers(ctx) else "told_controlled", PAIR))
        case "thermal_insensitivity":
            return (said("told_minutes", PAIR, n=trance_minutes(strength)),)
        case "suspended_animation":
            return (said("told_days_most", PAIR, n=suspension_days(strength)),)
        case "superendurance" | "superforce":
            count, unit = surge_lasts(strength, ctx.rulings)
            return (said("told_surge", PAIR, n=count, unit=unit),)
        case _:
            return ()


def _felt(ctx: Context) -> Sequence[Telling]:
    """The figures of the mind that is felt, as the game master knows them."""
    target = ctx.one("opponent")
    return (said("told_scores", PAIR, who=Who(target.id), **target.record.scores()),) if isinstance(
        target.record, Character) else ()


def _tell_psi(ctx: Context, result: PsiResult) -> Sequence[Telling]:
    actor, spent = ctx.one(), _spent(ctx)
    worn_out = isinstance(actor.record, Character) and spent >= actor.record.willpower
    asleep = (said("told_will_spent", PAIR, who=Who(actor.id)),) if worn_out else ()
    if not result.success:
        return (said("told_unseen" if result.effect else "told_psi_failed", PAIR), *asleep)
    if result.evaded:
        return (said("told_psi_evaded", PAIR), *asleep)
    seen = (said("told_psi_seen", EVERYONE, effect=result.effect),) if result.effect in TANGIBLE else ()
    return (said("told_psi", PAIR, effect=result.effect), *_psi_lines(ctx, result), *seen, *asleep)


def _spent(ctx: Context) -> int:
    """The Willpower spent once the act is over."""
    actor = ctx.one()
    record = actor.record
    if not isinstance(record, Character) or not _concentrates(_power(ctx)):
        return getattr(record, "willpower_spent", 0)
    return concentrate(ctx[MINUTES], _own_level(ctx), grade_of(ctx, actor, Guild.PRIEST), record.willpower,
                       record.willpower_spent)


def _psi_changes(ctx: Context, result: PsiResult) -> Sequence[Change]:
    actor, target = ctx.one(), ctx.one("opponent")
    record, effect = actor.record, result.effect
    changes = list(set_on(actor, "willpower_spent", _spent(ctx), "EMP-160"))
    if not result.success or result.evaded:
        return _for_pair(changes)
    if effect in ("control", "assault") and isinstance(target.record, Character) and not _answers(ctx):
        changes += set_on(target, "trances", (*without_trance(target.record, "controlled"), Condition("controlled")),
                          "EMP-157")
    if not isinstance(record, Character):
        return _for_pair(changes)
    if effect == "screen":
        changes += set_on(actor, "mental_screen", True, "EMP-153")
    elif effect == "suspended_animation":
        state = Condition(effect, suspension_days(record.strength))
        changes += set_on(actor, "conditions", with_condition(record, state), "EMP-163", "certain")
    elif effect in SELF:
        surge = effect in SURGES.values()
        amount = score_of(ctx, actor, Characteristic.WILLPOWER) if surge else trance_minutes(record.strength)
        changes += set_on(actor, "trances", (*without_trance(record, effect), Condition(effect, amount)), "EMP-161")
    return _for_pair(changes)


def _duel_follows(ctx: Context, result: PsiResult) -> Sequence[Follow]:
    """A telepath who is assaulted answers with the same attempt."""
    if result.effect != "assault" or result.evaded or not _answers(ctx):
        return ()
    return (Follow("telepaths-duel", {"initiator": [ctx.one().id], "opponent": [ctx.one("opponent").id]}),)


def _for_pair(changes: Sequence[Change]) -> Sequence[Change]:
    return [replace(change, audience=PAIR) for change in changes]


def _most_minutes(ctx: Context) -> int:
    return longest(_own_level(ctx), grade_of(ctx, ctx.one(), Guild.PRIEST))


def _shown_psi(ctx: Context, result: object) -> Shown:
    """Between the player and the game master; a tangible effect is told to all apart."""
    return Shown(PAIR, PAIR, PAIR, PAIR)


def powers_within_reach(ctx: Context) -> Sequence[str]:
    """The powers that a priest's levels open; all of them to whoever acts without a sheet."""
    record = ctx.one().record
    return powers_open(record) if isinstance(record, Character) else tuple(TABLES["psi_powers"].keys())


def powers_open(record: Character) -> tuple[str, ...]:
    """The powers that somebody's levels open."""
    powers = TABLES["psi_powers"]
    names: tuple[str, ...] = tuple(powers.keys())
    return tuple(name for name in names
                 if record.level(str(powers.cell(name, "skill"))) >= max(1, int(powers.cell(name, "level") or 1)))


def _is_psi(ctx: Context) -> bool:
    """Whether whoever acts has a power at all, and a will left to use it."""
    record = ctx.one().record
    return isinstance(record, Character) and bool(powers_within_reach(ctx)) and (
        record.willpower_spent < max(1, record.willpower))


@rule("EMP-151", "EMP-168")
def begins(record: Character, rulings: Rulings) -> Sequence[Shortcut]:
    """What a touch on a power of the mind begins: no ordinary test, which everybody would see."""
    found = dict[str, str]()
    for name in powers_open(record):
        found.setdefault(str(TABLES["psi_powers"].cell(name, "skill")), name)
    return [Shortcut(skill, PSI_ACT.id, {POWER_NAME.id: name}) for skill, name in found.items()]


POWER_NAME = Field("power_name", OneOf(lambda ctx: TABLES["psi_powers"].keys(), powers_within_reach), secrecy="own",
                   rule="EMP-151")
POWER_LEVEL: Field[int | None] = Field("power_level", Whole(1, 6), optional=True, secrecy="own", rule="EMP-151")
SCORE: Field[int | None] = Field("score", Whole(0, 20), optional=True, secrecy="own", rule="EMP-151")
MINUTES = Field("minutes", Whole(1, 12), usual=1, secrecy="own", rule="EMP-159")
INTENT = Field("intent", TextField(300), usual="", secrecy="own", rule="EMP-168")
SCREEN_UP = Field("screen_up", Flag(), "gm", usual=False, secrecy="gm", probes=(False,), rule="EMP-153")
VICTIM_EVASION: Field[int | None] = Field("victim_evasion", Whole(0, 20), "gm", optional=True, secrecy="gm",
                                          probes=(None,), rule="EMP-169")
SEEN = Field("seen", Flag(), "gm", usual=True, rule="EMP-152")
DEADLY = Field("deadly", Flag(), "gm", usual=False, secrecy="gm", rule="EMP-157")
PSI_ACT = Move(
    "psi-act",
    group="psi",
    cast=(INITIATOR, TARGET, GAME_MASTER),
    rules=("EMP-150", "EMP-151", "EMP-152", "EMP-159", "EMP-160", "EMP-168", "EMP-169"),
    exists=PAIR,
    offered=lambda ctx: not isinstance(ctx.one().record, Character) or bool(powers_within_reach(ctx)),
    suits=_is_psi,
    steps=(
        Ask("announce", (
            POWER_NAME, POWER_LEVEL, SCORE, replace(LEVEL, secrecy="own", rule="EMP-151"),
            replace(GRADE, secrecy="own", rule="EMP-159"), MINUTES, INTENT,
        )),
        Ask("settle", (MODS, SCREEN_UP, VICTIM_EVASION, SEEN, DEADLY)),
        Resolve("act", _psi_call, tell=_tell_psi, changes=_psi_changes,
                outcome=lambda result: "success" if result.success and not result.evaded else "failure",
                success=lambda result: result.success and not result.evaded, follow=_duel_follows, shown=_shown_psi),
    ),
)


def _threshold(ctx: Context, role: str) -> int:
    actor = ctx.one(role)
    typed, level = has(ctx, actor, SCORE), has(ctx, actor, LEVEL)
    if isinstance(actor.record, Character):
        typed = score_of(ctx, actor, Characteristic.INTELLIGENCE) if typed is None else typed
        level = actor.record.level(TELEPATHY) if level is None else level
    if typed is None or level is None:
        raise MissingField(field="score", role=role)
    if level < 1:
        raise NotATelepath(got=level)
    return threshold(typed, level)


def _duel_call(ctx: Context) -> Call[MindDuel]:
    return Call(telepaths_duel, _threshold(ctx, "initiator"), _threshold(ctx, "opponent"), ctx.rulings)


def _has_a_mind(ctx: Context, role: str) -> bool:
    """Whether somebody may be a telepath: a character, or somebody without a sheet (or not named yet), whose figures
    are said."""
    record = ctx.one(role).record
    return isinstance(record, Character) or not any(kind.holds(record) for kind in ctx.system.kinds.values())


MINDS = only("initiator", "opponent", "gm")

TELEPATHS_DUEL = Move(
    "telepaths-duel",
    group="psi",
    cast=(INITIATOR, Role("opponent", other=True), GAME_MASTER),
    rules=("EMP-158",),
    offered=lambda ctx: all(_has_a_mind(ctx, role) and has_learnt(TELEPATHY, role)(ctx)
                            for role in ("initiator", "opponent")),
    exists=MINDS,
    steps=(
        Ask("minds", tuple(
            replace(asked, type=Whole(0, 20), role=role, secrecy="own", rule="EMP-158")
            for role in ("initiator", "opponent") for asked in (SCORE, LEVEL)
        )),
        Resolve("duel", _duel_call,
                outcome=lambda result: ("stalemate", "a_controlled", "b_controlled")[result.controlled],
                success=lambda result: result.controlled == 2,
                changes=lambda ctx, result: _controlled(ctx, result),
                shown=lambda ctx, result: Shown(MINDS, GM_ONLY | {"own"}, MINDS, GM_ONLY)),
    ),
)


def _controlled(ctx: Context, result: MindDuel) -> Sequence[Change]:
    if not result.controlled:
        return ()
    loser = ctx.one("initiator" if result.controlled == 1 else "opponent")
    if not isinstance(loser.record, Character):
        return ()
    under = (*without_trance(loser.record, "controlled"), Condition("controlled"))
    return [replace(change, audience=MINDS) for change in set_on(loser, "trances", under, "EMP-158")]


MOVES = (PSI_ACT, TELEPATHS_DUEL)
