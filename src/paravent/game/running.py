"""A move run from end to end on a filled form: what the command line does, and what the conformance suite repeats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from paravent.dice import Played, PlayedDice

from .errors import MissingField
from .move import AnyResolve, Ask, Context, Resolve, Shown, Telling, missing
from .plain import Value
from .records import Change
from .system import fill_all


@dataclass(frozen=True)
class Ran:
    """A move run to its end: each rule's play, what is told, what changes, who may see."""

    ctx: Context
    plays: Mapping[str, Played[Value]] = field(default_factory=dict)
    tellings: tuple[Telling, ...] = ()
    changes: tuple[Change, ...] = ()
    shown: Mapping[str, Shown] = field(default_factory=dict)


def run(ctx: Context, dice: PlayedDice, later: Mapping[str, Mapping[str, Value]] | None = None) -> Ran:
    """Run every rule of the move on these dice, in order; what must be filled in first is named if it is missing.

    ``later`` fills, by actor, fields asked after a result: they are read only once that result is known.
    """
    ran = Ran(ctx)
    for step in ctx.move.steps:
        if isinstance(step, Ask):
            names = {asked.id for asked in step.fields}
            told = {who: {k: v for k, v in values.items() if k in names} for who, values in (later or {}).items()}
            ran = replace(ran, ctx=fill_all(ran.ctx, told))
            for actor, asked in missing(ran.ctx, step):
                raise MissingField(field=asked.id, role=actor.role)
        if isinstance(step, Resolve) and step.applies(ran.ctx):
            ran = _resolved(ran, step, dice)
    dice.finish()
    return ran


def settled(ctx: Context) -> Context:
    """The context with the rules that run by themselves before any dice already run, where they leave no doubt."""
    for step in ctx.move.resolves:
        if not step.applies(ctx):
            continue
        weighed = step.odds(ctx) if step.auto else ()
        if len(weighed) != 1:
            return ctx
        ctx = replace(ctx, results={**ctx.results, step.id: next(iter(weighed))})
    return ctx


def _resolved(ran: Ran, step: AnyResolve, dice: PlayedDice) -> Ran:
    start = len(dice.record)
    result = step.call(ran.ctx).on(dice)
    ctx = replace(ran.ctx, results={**ran.ctx.results, step.id: result})
    return Ran(
        ctx,
        {**ran.plays, step.id: Played(result, dice.record[start:])},
        (*ran.tellings, *step.tell(ctx, result)),
        (*ran.changes, *step.changes(ctx, result)),
        {**ran.shown, step.id: step.shown(ctx, result)},
    )
