"""Complex actions at the table: begun, pursued turn after turn, given up."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from math import lcm
from typing import Any, NamedTuple

from paravent.dice import Chain, Odds
from paravent.dice.errors import EndlessRule
from paravent.game import (
    GAME_MASTER,
    INITIATOR,
    Ask,
    Change,
    Context,
    Field,
    Forecast,
    Move,
    Opened,
    Resolve,
    Role,
    Telling,
    TextField,
    Whole,
    changed,
)

from . import complex as pursuit
from . import pool
from .announce import Ruled, action_of, announced_by, asked_of, luck_of
from .complex import ComplexAction, Progress, Pursuit, Turn
from .costs import busy, roll_changes
from .errors import AlreadyBusy, NotComplex, NotTheirAction
from .moves_odds import percentage
from .moves_roll import COMPLEX_ACTION, LEVELS, POLICIES


def pursued(ctx: Context) -> ComplexAction:
    """The action as it stands when a turn begins: interrupted, it has lost its stock."""
    state: ComplexAction = ctx.encounter
    if state.actor and state.actor != ctx.one().id:
        raise NotTheirAction(actor=state.actor)
    return replace(state, stock=pursuit.kept_stock(state.stock, state.turn, ctx["turn"], ctx.rulings), turn=ctx["turn"])


def begun(ctx: Context) -> ComplexAction:
    """The action as it begins."""
    actor = ctx.one()
    if busy(actor):
        raise AlreadyBusy(label=actor.record.complex_action.label)
    return ComplexAction(ctx["label"], pursuit.check_complex(ctx["difficulty"]), 0, 1, actor.id)


State = Callable[[Context], ComplexAction]


def others_at_once(ctx: Context) -> int:
    """The other actions of the turn that disturb the complex one."""
    return pursuit.simultaneous_actions(ctx["simultaneous"], ctx["reflexes"], ctx.rulings)


def read_turn(state: State) -> Callable[[Context], tuple[Hashable, ...]]:
    """A turn as the rule reads it: where the action stands, who acts, who resists."""

    def read(ctx: Context) -> tuple[Hashable, ...]:
        now, actor, resisting = state(ctx), ctx.one(), ctx.all("opponent")
        standing = Pursuit(now.difficulty, now.stock, others_at_once(ctx))
        mine = (standing, action_of(ctx, actor), luck_of(ctx, actor), ctx.rulings)
        return mine if not resisting else (*mine, action_of(ctx, resisting[0]), luck_of(ctx, resisting[0]))

    return read


def turn_outcome(turn: Turn) -> str:
    """The short key of a turn: done and how well, to be pursued, or not attempted."""
    return LEVELS[turn.level] if turn.done else "continues" if turn.dice else "impossible"


def after_turn(state: ComplexAction, turn: Turn) -> ComplexAction:
    """The action after a turn."""
    return replace(state, stock=turn.stock, done=turn.done, abandoned=turn.unconscious and not turn.done)


def tell_turn(state: State) -> Callable[[Context, Turn], Sequence[Telling]]:
    """What is said of a turn."""

    def tell(ctx: Context, turn: Turn) -> Sequence[Telling]:
        now = state(ctx)
        values = {"label": now.label, "stock": turn.stock, "difficulty": now.difficulty, "turn": now.turn}
        lines = [Telling("outcomes.told_stock", values), Telling(f"outcomes.{turn_outcome(turn)}")]
        return [*lines, Telling("outcomes.blackout")] if turn.unconscious else lines

    return tell


def turn_costs(ctx: Context, turn: Turn) -> tuple[Change, ...]:
    """What a turn costs both sides."""
    actor = ctx.one()
    costs = roll_changes(ctx, actor, ctx.value(actor, "energy_dice"), turn)
    for other in ctx.all("opponent"):
        theirs = _Side(turn.opposing_dice, turn.opposing_luck_spent, turn.opposing_unconscious)
        costs += roll_changes(ctx, other, ctx.value(other, "energy_dice"), theirs)
    return costs


class _Side(NamedTuple):
    """What :func:`roll_changes` reads of a roll."""

    dice: int
    luck_spent: int
    unconscious: bool


def on_sheet(ctx: Context, after: ComplexAction) -> tuple[Change, ...]:
    """The sheet's own line on the complex action: kept while it lasts."""
    actor = ctx.one()
    if actor.record is None:
        return ()
    return changed(actor.id, actor.record, "complex_action", None if after.over else after, "D10-019")


def changes_of_start(ctx: Context, turn: Turn) -> Sequence[Change]:
    """What the first turn changes."""
    return (*turn_costs(ctx, turn), *on_sheet(ctx, after_turn(begun(ctx), turn)))


def changes_of_continue(ctx: Context, turn: Turn) -> Sequence[Change]:
    """What a later turn changes: the encounter's stock too."""
    after = after_turn(pursued(ctx), turn)
    return (Change("encounter", "", ctx.encounter, after, "D10-019"), *turn_costs(ctx, turn), *on_sheet(ctx, after))


def opened_by_start(ctx: Context, turn: Turn) -> Opened | None:
    """A complex action that is not over goes on as an encounter."""
    after = after_turn(begun(ctx), turn)
    return None if after.over or not turn.dice else Opened(COMPLEX_ACTION, after)


TURNS_FORESEEN = 6


def forecast(state: State) -> Callable[[Context], Forecast]:
    """In how many turns the action is done, if the same dice are thrown each time and nobody resists."""

    def ahead(ctx: Context) -> Forecast:
        now, thrown = state(ctx), pool.hand(action_of(ctx, ctx.one()), ctx.rulings)
        start = Progress(now.stock, False)
        try:
            chain = Chain(
                pursuit.progress, start, thrown.dice, thrown.attribute, now.difficulty, others_at_once(ctx),
                ctx.rulings, over=lambda progress: progress.done,
            )
            mean = chain.run().mean_steps
        except EndlessRule:
            return Forecast(Odds({"never": 1}), None)
        by_turn = [chain.after(turn).chance(lambda progress: progress.done) for turn in range(TURNS_FORESEEN + 1)]
        chances = {f"turn_{turn}": by_turn[turn] - by_turn[turn - 1] for turn in range(1, TURNS_FORESEEN + 1)}
        chances["later"] = 1 - by_turn[-1]
        total = lcm(*(chance.denominator for chance in chances.values()))
        lines = [
            Telling("outcomes.done_by", {"turn": turn, **percentage(by_turn[turn])})
            for turn in range(1, TURNS_FORESEEN + 1)
        ]
        return Forecast(Odds({key: int(chance * total) for key, chance in chances.items()}, total), mean, lines)

    return ahead


def complex_move(name: str, state: State, asked: tuple[Field, ...], encounter: str = "", **more: Any) -> Move:
    """A turn of a complex action, the first or a later one."""
    return Move(
        name,
        (
            Ask("ask", (*asked, *asked_of(), Field("simultaneous", Whole(0), "gm", usual=0, rule="D10-018"),
                        Field("reflexes", Whole(0), "gm", usual=0, rule="D10-016"))),
            Ask("announce", announced_by()),
            Ask("resist", (*asked_of("opponent"), *announced_by("opponent"))),
            Resolve(
                "turn", pursuit.complex_turn, read_turn(state), tell=tell_turn(state), outcome=turn_outcome,
                success=lambda turn: turn.done, policies=POLICIES, vary="dice", **more,
            ),
        ),
        cast=(INITIATOR, Role("opponent", least=0), GAME_MASTER),
        rules=("D10-017", "D10-018", "D10-019", "D10-021", "D10-022", "D10-026"),
        encounter=encounter,
        forecast=forecast(state),
    )


START = complex_move(
    "start-complex-action", begun,
    (Field("label", TextField(200), usual=""),
     Field("difficulty", Ruled(2, 99, NotComplex), "gm", rule="D10-017")),
    changes=changes_of_start, opens=opened_by_start,
)
CONTINUE = complex_move(
    "continue-complex-action", pursued,
    (Field("turn", Whole(lambda ctx: ctx.encounter.turn + 1), usual=lambda ctx: ctx.encounter.turn + 1,
           rule="D10-020"),),
    COMPLEX_ACTION, changes=changes_of_continue,
)


def changes_of_abandon(ctx: Context, stock: int) -> Sequence[Change]:
    """The action is given up, on the sheet too."""
    after = replace(ctx.encounter, stock=stock, abandoned=True)
    return (Change("encounter", "", ctx.encounter, after, "D10-020"), *on_sheet(ctx, after))


ABANDON = Move(
    "abandon",
    (Resolve("abandon", pursuit.abandon, lambda ctx: (ctx.encounter.stock,), outcome=lambda stock: "abandoned",
             tell=lambda ctx, stock: [Telling("outcomes.abandoned")], changes=changes_of_abandon),),
    rules=("D10-020",),
    encounter=COMPLEX_ACTION,
)
