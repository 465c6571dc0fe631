"""Opposed rolls at the table, open or hidden until both are done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from paravent.game import (
    GAME_MASTER,
    INITIATOR,
    OPEN,
    OWN_DICE,
    Actor,
    Ask,
    Call,
    Change,
    Context,
    Follow,
    Move,
    Resolve,
    Role,
    Shown,
    Telling,
)
from paravent.systems.conteur.asked import all_able

from .announce import DICE, ENERGY_DICE, LUCK, action_of, against_another, announced_by, asked_of, luck_at_hand
from .costs import faints, given_up, roll_changes, tell_fainting
from .moves_roll import LEVELS, POLICIES, worth_asking
from .opposed import NOBODY, Opposed, Side, one_side, opposed

OPPONENT = Role("opponent", other=True)


def both_throw(ctx: Context) -> Call[Opposed]:
    """Both sides as the rule reads them."""
    mine, theirs = ctx.one(), ctx.one("opponent")
    return Call(
        opposed, action_of(ctx, mine), luck_at_hand(ctx, mine), action_of(ctx, theirs), luck_at_hand(ctx, theirs),
        ctx.rulings,
    )


def _alone(role: str) -> Resolve[Side]:
    """One side's own dice, for whoever may not know what the other throws."""

    def own(ctx: Context) -> Call[Side]:
        actor = ctx.one(role)
        return Call(one_side, action_of(ctx, actor), luck_at_hand(ctx, actor), ctx.rulings, role)

    return Resolve(f"opposed_{role}", own, outcome=lambda side: str(side.total))


def opposed_outcome(result: Opposed) -> str:
    """The short key: who wins, or nobody."""
    return {"initiator": "initiator_wins", "opponent": "opponent_wins", NOBODY: "tie"}[result.winner]


def tell_opposed(ctx: Context, result: Opposed) -> Sequence[Telling]:
    """Who wins, and what the difference is worth."""
    key = {"initiator": "won", "opponent": "lost", NOBODY: "tie"}[result.winner]
    totals = {"mine": result.initiator.total, "theirs": result.opponent.total}
    lines = [Telling(f"outcomes.told_opposed_{key}", totals, main=True)]
    if result.winner != NOBODY:
        lines.append(Telling("outcomes.told_effective", {"n": result.effective, "meaning": LEVELS[result.level]}))
    return [*lines, *(line for actor, rolled in both(ctx, result) for line in tell_fainting(ctx, actor, rolled))]


def both(ctx: Context, result: Opposed) -> tuple[tuple[Actor, Side], ...]:
    """Each side, with its roll."""
    return (ctx.one(), result.initiator), (ctx.one("opponent"), result.opponent)


def changes_of_opposed(ctx: Context, result: Opposed) -> Sequence[Change]:
    """What the two rolls cost."""
    return tuple(
        change
        for actor, rolled in both(ctx, result)
        for change in (*roll_changes(ctx, actor, rolled), *given_up(actor, faints(ctx, actor, rolled)))
    )


def rolled_again(ctx: Context, result: Opposed) -> Sequence[Follow]:
    """A tie on which luck was spent is rolled again as a new opposed roll, where ties are rolled again."""
    sides = both(ctx, result)
    if result.winner != NOBODY or ctx.rulings.opposed_tie != "reroll" or not any(rolled.dice for _, rolled in sides):
        return ()
    if any(faints(ctx, actor, rolled) for actor, rolled in sides):
        return ()
    form = {actor.id: _announced_again(ctx, actor) for actor, _ in sides}
    return (Follow(ctx.move.id, {actor.role: [actor.id] for actor, _ in sides}, form),)


def _announced_again(ctx: Context, actor: Actor) -> dict[str, Any]:
    """What an actor announced, without what was spent on it; nor the number of dice, if one of them was bought."""
    spent = {LUCK.id, ENERGY_DICE.id} | ({DICE.id} if ctx.value(actor, ENERGY_DICE) else set())
    return {name: value for name, value in actor.filled.items() if name not in spent}


def opposed_move(name: str, secrecy: str, shown: Callable[[Context, Opposed | None], Shown]) -> Move:
    """Two sides roll; what the second announces may be kept from the first until both are done."""
    return Move(
        name,
        (
            Ask("announce", (*asked_of(), *announced_by())),
            Ask("oppose", (*asked_of("opponent", secrecy), *announced_by("opponent", secrecy))),
            Resolve(
                "opposed", both_throw, tell=tell_opposed, outcome=opposed_outcome,
                success=lambda result: result.winner == "initiator",
                sides=lambda result: () if result.winner == NOBODY else (result.winner,),
                alone={role: _alone(role) for role in ("initiator", "opponent")},
                changes=changes_of_opposed, shown=shown,
                follow=rolled_again, policies=POLICIES, vary="dice", asks=worth_asking,
            ),
        ),
        cast=(INITIATOR, OPPONENT, GAME_MASTER),
        rules=("D10-023", "D10-024", "D10-025"),
        when=against_another,
        offered=all_able,
        suits=all_able,
    )


def hidden_until_done(ctx: Context, result: Opposed | None) -> Shown:
    """Each side sees its own dice until both have finished; then everything lies open."""
    return OWN_DICE if result is None else OPEN
