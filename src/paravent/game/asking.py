"""What a field asks of somebody, as facts: what it accepts, where it stands on a form, what its control looks like.

Whatever draws a form (pages, terminal, programs) reads these; as much is said as can be said while sheets or other
fields are missing, and nothing of what the reader may not know.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from contextlib import suppress
from itertools import product

from msgspec import UNSET
from msgspec.structs import replace as replaced

from paravent.dice import plain
from paravent.dice.errors import ParaventError

from .errors import STUMBLES
from .fields import AnyType, FieldFacts, Flag, OneOf, Score, Whole
from .move import Actor, AnyField, Context, Telling, replace_focus
from .plain import Plain, Value
from .records import AnyKind, look, to_plain
from .shapes import Cards, Figure, Grid, Passages, Phrase, Pills, Pips, Shape, ShapeFacts, Steps, Track


def described(kind: AnyType, ctx: Context) -> FieldFacts:
    """What a field accepts, as far as it can be said while sheets or other fields are missing."""
    try:
        return kind.describe(ctx)
    except (ParaventError, *STUMBLES):
        return FieldFacts(kind.name)  # its options are read on a sheet that is not there yet


def field_facts(asked: AnyField, ctx: Context) -> FieldFacts:
    """What a field accepts, where it stands on a form and what its control looks like; ``ctx`` has its actor first."""
    facts = described(asked.type, ctx)
    shape = UNSET if asked.shape is None else shape_facts(asked, asked.shape, facts, ctx)
    return replaced(facts, place=asked.placed, shape=shape)


def shape_facts(asked: AnyField, shape: Shape, facts: FieldFacts, ctx: Context) -> ShapeFacts:
    """What a shape needs to be drawn for one actor, as far as it can be said now: what is hidden stays unsaid."""
    about = ShapeFacts(type(shape).__name__.lower())
    try:
        return _shaped(asked, shape, facts, ctx, about)
    except (ParaventError, *STUMBLES):
        return about


def _shaped(asked: AnyField, shape: Shape, facts: FieldFacts, ctx: Context, about: ShapeFacts) -> ShapeFacts:
    match shape:
        case Steps(values=values, weighed=weighed):
            about = about if weighed is None else replaced(about, weighed=weighed(ctx))
            low, high = facts.bounds
            numbers = values or (range(low, high + 1) if low is not None and high is not None else ())
            fitting = [number for number in numbers if (low is None or low <= number)
                       and (high is None or number <= high)]
            return replaced(about, values=list(fitting if values else facts.options or fitting))
        case Pips(gauge=gauge):
            name = gauge(ctx) if callable(gauge) else gauge
            about = replaced(about, gauge=name)
            actor = ctx.one(asked.role)
            kind = ctx.system.kinds.get(actor.kind)
            shown = kind.used.get(name, name) if kind is not None else name
            left = _left(ctx, actor, kind, shown)
            return about if left is None else replaced(about, left=left)
        case Pills(weighed=False):
            return replaced(about, weighed=False)
        case Grid(other=other, role=role, figure=figure):
            return replaced(about, fields=[other], role=role or UNSET, figure=figure or UNSET)
        case Figure(role=role):
            return replaced(about, role=role or asked.role)
        case Cards(price=price, unit=unit):
            about = replaced(about, unit=unit or UNSET)
            if price is None:
                return about
            priced = {str(plain(value)): price(ctx, value) for value in values_of(asked, ctx)}
            return replaced(about, prices={value: cost for value, cost in priced.items() if cost is not None})
        case Phrase(fields=fields, total=total):
            about = replaced(about, fields=list(fields))
            return about if total is None else replaced(about, total=total(ctx))
        case Passages(texts=texts, lists=lists, quote=quote):
            record = ctx.one(asked.role).record
            held = {name: str(look(record, name)) for name in texts} if record is not None else {}
            quoted = {name: _quoted(look(record, name), quote) for name in lists} if record is not None else {}
            return replaced(about, texts={name: text for name, text in held.items() if text}, quoted=quoted)
        case Track(most=most):
            full = most if isinstance(most, int) else look(ctx.encounter, most)
            return replaced(about, most=full) if isinstance(full, int) else about
    return about


def told_of_options(asked: AnyField, ctx: Context) -> dict[str, Telling]:
    """What is said of each option of a field beside its name, as far as it can be said now."""
    told = asked.shape.told if isinstance(asked.shape, (Pills, Cards)) else None
    found: dict[str, Telling] = {}
    if told is not None:
        with suppress(ParaventError, *STUMBLES):
            for value in described(asked.type, ctx).options or ():
                said = told(ctx, asked.type.read(value, asked.id, ctx))
                if said is not None:
                    found[str(value)] = said
    return found


def crossed_with(ctx: Context, grid: Grid, own: str = "") -> tuple[Actor, AnyField, Sequence[Value]]:
    """Whose field somebody's is crossed with (of their ``own`` role, if the grid names no other), and the values of it
    that the reader may read or suppose."""
    role = grid.role or own
    other, asked = ctx.one(role), ctx.move.field(grid.other, role)
    if asked.id in other.withheld:
        return other, asked, asked.likely(ctx)
    return other, asked, grid.beside(ctx) if grid.beside is not None else values_of(asked, replace_focus(ctx, other))


def told_of_cells(asked: AnyField, ctx: Context) -> dict[str, dict[str, Telling]]:
    """What is said of each cell of a crossed field, by its value and then by the other's; nothing that is hidden."""
    grid, found = asked.shape, dict[str, dict[str, Telling]]()
    if not isinstance(grid, Grid) or grid.told is None:
        return found
    with suppress(ParaventError, *STUMBLES):
        mine, (other, crossed, theirs) = ctx.one(asked.role), crossed_with(ctx, grid, asked.role)
        for value, beside in product(values_of(asked, ctx), theirs):
            said = grid.told(_supposed(_supposed(ctx, mine.id, asked, value), other.id, crossed, beside))
            if said is not None:
                found.setdefault(str(plain(value)), {})[str(plain(beside))] = said
    return found


def _supposed(ctx: Context, who: str, asked: AnyField, value: Value) -> Context:
    """The same context, had somebody this value in a field."""
    return dataclasses.replace(ctx, actors=tuple(
        dataclasses.replace(actor, filled={**actor.filled, asked.id: value}, withheld=actor.withheld - {asked.id})
        if actor.id == who else actor for actor in ctx.actors))


def _quoted(listed: Value, quote: str) -> list[str]:
    """What the rows of a list quote."""
    rows = listed if isinstance(listed, (list, tuple)) else ()
    return [words for row in rows if isinstance(words := look(row, quote), str) and words]


def _left(ctx: Context, actor: Actor, kind: AnyKind | None, name: str) -> int | None:
    """What is left in a gauge of a sheet: a value of it, or one derived from it."""
    if actor.record is None:
        return None
    derived = {} if kind is None else kind.derived(actor.record, ctx.rulings)
    value = derived[name] if name in derived else look(actor.record, name)
    return value if isinstance(value, int) else None


def usual_of(asked: AnyField, ctx: Context) -> Plain:
    """What stands in a field when nothing is filled in, as far as it can be said now."""
    try:
        return to_plain(asked.usual_value(ctx))
    except (ParaventError, *STUMBLES):
        return None


def values_of(asked: AnyField, ctx: Context) -> Sequence[Value]:
    """All the values of a field, when they can be listed."""
    match asked.type:
        case Whole():
            low, high = asked.type.bounds(ctx)
            return range(1 if low is None else low, (12 if high is None else high) + 1)
        case Score() if ctx.one(asked.role).record is not None:
            return tuple(described(asked.type, ctx).options or ())
        case Score():
            return range(asked.type.minimum or 1, (asked.type.maximum or 12) + 1)
        case OneOf():
            return asked.type.values(ctx)
        case Flag():
            return (False, True)
    return ()
