"""Moves of a mêlée: one against several, and ambushes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from paravent.dice import Dice
from paravent.game import (
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    OWN_DICE,
    Actor,
    Ask,
    Change,
    Context,
    Field,
    Flag,
    Move,
    OneOf,
    Resolve,
    Role,
    Rulings,
    Shown,
    Telling,
)

from .action import roll_under
from .character import Character
from .combat import (
    Attacker,
    Faced,
    check_attackers,
    hint,
    one_against_many,
)
from .combat import order as fighting_order
from .fighters import (
    Landed,
    Sheet,
    body,
    declarations,
    landed_told,
    numbers,
    place,
    stance,
)
from .moves_fight import METRES, SIDES, Duellist, landed, shocks
from .reading import (
    DIFFICULTY,
    EXTRA,
    MODS,
    PAIR,
    column_field,
    has,
    level_field,
    said,
    score_field,
    trial,
)
from .terms import TABLES, Attitude, Characteristic, Column

# One against several


def several(dice: Dice, lone: Duellist, many: tuple[tuple[Attacker, Duellist], ...], rulings: Rulings
            ) -> tuple[tuple[Landed, Landed, bool], ...]:
    """Each attacker in turn, the best first: what landed on the lone fighter, on the attacker, whether it was faced."""
    faced: tuple[Faced, ...] = dice.resolve(
        one_against_many, lone.stance, tuple(attacker for attacker, _ in many), True, rulings)
    body_now, found = lone.body, []
    for one, (_, foe) in zip(faced, many, strict=True):
        on_lone = landed(foe, lone._replace(body=body_now), one.to_lone, rulings)
        if body_now is not None and on_lone.harm is not None:
            body_now = body_now._replace(current=on_lone.harm.left)
        found.append((on_lone, landed(lone, foe, one.to_attacker, rulings), one.faced))
    return tuple(found)


def _ordered(ctx: Context) -> list[tuple[Actor, Attacker, Duellist]]:
    found = []
    for actor in ctx.all("opponent"):
        side = _foe(ctx, actor)
        found.append((actor, Attacker(side.stance, side.attitude, ctx.value(ctx.one(), "attitude")), side))
    order = fighting_order([attacker for _, attacker, _ in found])
    return [found[at] for at in order]


def _foe(ctx: Context, actor: Actor) -> Duellist:
    attitude = ctx.value(actor, "attitude")
    return Duellist(stance(ctx, actor, attitude), attitude, place(ctx, actor), has(ctx, actor, "cap"),
                    body(ctx, actor, place(ctx, ctx.one())), shocks=shocks(ctx, actor))


def _read_many(ctx: Context) -> tuple[Any, ...]:
    lone = ctx.one()
    check_attackers(ctx["situation"], len(ctx.all("opponent")))
    attitude = ctx.value(lone, "attitude")
    where = place(ctx, ctx.one("opponent"))
    me = Duellist(stance(ctx, lone, attitude), attitude, place(ctx, lone), has(ctx, lone, "cap"),
                  body(ctx, lone, where), shocks=shocks(ctx, lone))
    return me, tuple((attacker, side) for _, attacker, side in _ordered(ctx)), ctx.rulings


def _tell_many(ctx: Context, results: Sequence[tuple[Landed, Landed, bool]]) -> Sequence[Telling]:
    lines: list[Telling] = []
    for (actor, _, _), (on_lone, on_foe, faced) in zip(_ordered(ctx), results, strict=True):
        lines.append(said("told_faced" if faced else "told_strikes_freely", who=actor.id))
        lines += landed_told(on_lone, ctx.one().id)
        lines += landed_told(on_foe, actor.id)
    return lines


def _many_changes(ctx: Context, results: Sequence[tuple[Landed, Landed, bool]]) -> Sequence[Change]:
    lone = ctx.one()
    sheet = Sheet(lone.record) if isinstance(lone.record, Character) else None
    changes: list[Change] = []
    for (actor, _, _), (on_lone, on_foe, _) in zip(_ordered(ctx), results, strict=True):
        sheet = sheet.struck(on_lone) if sheet is not None else None
        if isinstance(actor.record, Character):
            changes += Sheet(actor.record).struck(on_foe).changes(actor)
    return [*changes, *(sheet.changes(lone) if sheet is not None else ())]


def _many_outcome(results: Sequence[tuple[Landed, Landed, bool]]) -> str:
    hurt, hurts = any(one[0].points for one in results), any(one[1].points for one in results)
    return "both_hurt" if hurt and hurts else "a_hurt" if hurt else "b_hurt" if hurts else "nobody_hurt"


ONE_AGAINST_MANY = Move(
    "one-against-many",
    group="combat",
    by="gm",
    cast=(INITIATOR, Role("opponent", most=4), GAME_MASTER),
    rules=("EMP-092", "EMP-093", "EMP-094"),
    steps=(
        Ask("scene", (
            Field("situation", OneOf(lambda ctx: TABLES["attackers"].keys()), "gm", usual="open_ground",
                  rule="EMP-092"),
            METRES, MODS, EXTRA, *numbers("initiator"), *numbers("opponent"),
        )),
        Ask("attitudes", tuple(
            Field("attitude", OneOf(Attitude), role, usual=Attitude.ATTACK, secrecy="sealed", rule="EMP-075")
            for role in SIDES
        )),
        Ask("declare", (*declarations("initiator"), *declarations("opponent"))),
        Resolve("fight", several, _read_many, tell=_tell_many, outcome=_many_outcome,
                success=lambda results: any(one[1].points for one in results), changes=_many_changes,
                shown=lambda ctx, result: OWN_DICE._replace(detail=GM_ONLY)),
    ),
)  # fmt: skip


# Ambush


class Ambush(NamedTuple):
    """An ambush set or looked for: whether the test succeeded, and what was noticed."""

    success: bool
    hint: str


def ambush(dice: Dice, who: str, limit: int, count: int, column: Column, detects: bool) -> Ambush:
    """Set an ambush, or look for one; what is noticed depends on how precisely one looked."""
    rolled = dice.of(who).resolve(roll_under, count, limit)
    return Ambush(rolled.success, hint(rolled.success, column) if detects else "")


def _read_ambush(ctx: Context) -> tuple[Any, ...]:
    settled = trial(ctx, ctx.one(), "31", Characteristic.DEXTERITY)
    detects = ctx["purpose"] == "detect"
    return "gm" if detects else "initiator", settled.threshold, settled.dice, settled.column, detects


def _tell_ambush(ctx: Context, result: Ambush) -> Sequence[Telling]:
    if ctx["purpose"] == "set":
        return (said("told_ambush_set" if result.success else "told_ambush_seen", GM_ONLY),)
    there = result.success and ctx["something_there"]
    key = f"hint_{result.hint}" if there else "hint_nothing"
    return (said(key, PAIR), said("told_detected" if result.success else "told_undetected", GM_ONLY))


AMBUSH = Move(
    "ambush",
    group="combat",
    rules=("EMP-074",),
    exists=PAIR,
    steps=(
        Ask("declare", (
            Field("purpose", OneOf(("set", "detect")), usual="detect", rule="EMP-074"),
            score_field(secrecy="own"),
            level_field(secrecy="own"),
            column_field(secrecy="own"),
        )),
        Ask("settle", (
            DIFFICULTY, MODS, EXTRA,
            Field("something_there", Flag(), "gm", usual=True, secrecy="gm", rule="EMP-074"),
        )),
        Resolve("test", ambush, _read_ambush, tell=_tell_ambush, blind=True,
                outcome=lambda result: "success" if result.success else "failure",
                success=lambda result: result.success,
                shown=lambda ctx, result: Shown(PAIR, GM_ONLY, GM_ONLY)),
    ),
)  # fmt: skip


MOVES = (ONE_AGAINST_MANY, AMBUSH)
