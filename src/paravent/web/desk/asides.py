"""What choosing one thing on a form does away with: said on the form, before it is sent and once it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from paravent.dice import ParaventError
from paravent.game import AnyField, Ask, Context, Plain, Resolve
from paravent.game.errors import STUMBLES
from paravent.game.move import Actor, replace_focus
from paravent.table.open_move import OpenMove
from paravent.web.controls import Control, FormGroup

_MOST_OPTIONS = 12
"""Of how many options it is said beforehand what each would do away with."""


def set_aside(op: OpenMove, ctx: Context) -> frozenset[tuple[str, str]]:
    """What was filled in before the dice and is no longer asked, as things stand: by whom, and which field.

    Where something hidden says whether it is asked, nothing is told.
    """
    return frozenset((actor.id, asked.id) for asked in _before_the_dice(op) for actor in ctx.all(asked.role)
                     if asked.id in actor.filled and asked.secrecy != "sealed" and _is_moot(ctx, actor, asked))


def _before_the_dice(op: OpenMove) -> Iterator[AnyField]:
    """The fields asked before the first dice."""
    for step in op.move.steps:
        if isinstance(step, Resolve) and not step.auto:
            return
        if isinstance(step, Ask):
            yield from (asked for asked in step.fields if asked.when is not None)


def _is_moot(ctx: Context, actor: Actor, asked: AnyField) -> bool:
    try:
        return not asked.applies(replace_focus(ctx, actor))
    except (ParaventError, *STUMBLES):
        return False


def does_away(ctx: Context, group: FormGroup) -> list[tuple[list[str], list[str]]]:
    """Of a form that is sent by hand, which options would do away with which of its fields, in words: these stand
    there to be filled in until it is sent."""
    actor = next((one for one in ctx.actors if one.id == group.actor), None)
    if actor is None:
        return []
    asked = {one.name: ctx.move.field(one.name, actor.role) for one in group.fields
             if ctx.move.asks(one.name, actor.role)}
    depend = [(one.title, asked[one.name]) for one in group.fields
              if one.name in asked and asked[one.name].when is not None]
    found: dict[tuple[str, ...], list[str]] = {}
    for one in group.fields if depend else ():
        for value, words in _options(one) if one.name in asked else ():
            its = _with(ctx, actor, asked[one.name], value)
            gone = () if its is None else tuple(
                title for title, other in depend if other.id != one.name and _is_moot(its, its.actor(actor.id), other))
            if gone:
                found.setdefault(gone, []).append(words)
    return [(chosen, [*gone]) for gone, chosen in found.items()]


def _options(shown: Control) -> list[tuple[str, str]]:
    """The options of a field that takes one of few."""
    return [*shown.options] if shown.kind == "one-of" and 1 < len(shown.options) <= _MOST_OPTIONS else []


def _with(ctx: Context, actor: Actor, asked: AnyField, value: Plain) -> Context | None:
    """The context if somebody chose this; none where it cannot be read."""
    try:
        read = asked.type.read(value, asked.id, replace_focus(ctx, actor))
    except (ParaventError, *STUMBLES):
        return None
    chosen = replace(actor, filled={**actor.filled, asked.id: read})
    return replace(ctx, actors=tuple(chosen if other is actor else other for other in ctx.actors))
