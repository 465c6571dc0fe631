"""What was worked out of an act under way, kept by what was read of it: of forms, of sheets, of an encounter."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any, Generic, NamedTuple, TypeVar

from paravent.game.attentive import (
    AttentiveForm,
    FilledReads,
    Reads,
    attentive,
    can_be_attentive,
    forms_beneath,
    forms_still_read,
    has_read,
    sort_of,
    still_reads,
)
from paravent.game.move import Context

from .kept import ByIdentity
from .open_move import OpenMove

T = TypeVar("T")


class _Answer(NamedTuple, Generic[T]):
    """What was worked out, and what was read for it: of the forms, and of each record."""

    forms: FilledReads
    records: tuple[Reads, ...]
    result: T


_Answers = dict[Hashable, list[_Answer[T]]]


class ByFilled(Generic[T]):
    """Results of questions about acts: each is worked out again only once a field that it reads, of a form, a sheet or
    the encounter, holds something else.

    All else that may be read (who is there, what is withheld of whom, results, options) is a part of the question:
    whoever may not see the same asks another, and is never given what this one was. For each question the records are
    given anew: what is worked out of one question's is noted for no other.
    """

    def __init__(self, acts: int = 128, each: int = 4) -> None:
        self._each = each
        self._kept: ByIdentity[_Answers[T]] = ByIdentity(acts)
        self._latest: tuple[OpenMove, Context, _Answers[T]] | None = None

    def of(self, op: OpenMove, ctx: Context, make: Callable[[Context], T], *question: Hashable) -> T:
        """What ``make`` gives of a context of an act."""
        answers = self._answers(op, ctx)
        forms, noting = forms_beneath(tuple([actor.filled for actor in ctx.actors]))
        records = records_of(ctx)
        known = answers.get(question)
        if known is None:
            if len(answers) >= _MOST:
                answers.clear()
            known = answers[question] = []
        for kept in reversed(known):
            if forms_still_read(forms, kept.forms) and all(map(still_reads, records, kept.records)):
                if noting is not None:
                    noting.update(kept.forms)
                for record, reads in zip(records, kept.records, strict=True):
                    has_read(record, reads)
                return kept.result
        noted, filled, read = _noting(ctx, records)
        result = make(noted)
        known.append(_Answer(filled, read, result))
        del known[:-self._each]
        return result

    def _answers(self, op: OpenMove, ctx: Context) -> _Answers[T]:
        latest = self._latest
        if latest is None or latest[0] is not op or latest[1] is not ctx:
            latest = self._latest = op, ctx, self._kept.of(*_standing(op, ctx))
        return latest[2]


_MOST = 1024
"""So many questions about one act as it stands are kept at most."""


def records_of(ctx: Context) -> tuple[Any, ...]:
    """The sheets and the encounter of a context of which it can be noted what is read, each once."""
    found = {id(record): record for record in (ctx.encounter, *(actor.record for actor in ctx.actors))
             if can_be_attentive(record)}
    return tuple(found.values())


def _noting(ctx: Context, records: tuple[Any, ...]) -> tuple[Context, FilledReads, tuple[Reads, ...]]:
    """A context of which it is noted what is read, and where: what was one record in two places still is."""
    filled: FilledReads = {}
    noted = [attentive(record) for record in records]
    copies = {id(record): copy for record, (copy, _) in zip(records, noted, strict=True)}
    cast = tuple([replace(actor, record=copies.get(id(actor.record), actor.record),
                          filled=AttentiveForm(actor.filled, at, filled)) for at, actor in enumerate(ctx.actors)])
    encounter = copies.get(id(ctx.encounter), ctx.encounter)
    return replace(ctx, actors=cast, encounter=encounter), filled, tuple([reads for _, reads in noted])


def _standing(op: OpenMove, ctx: Context) -> tuple[tuple[object, ...], Callable[[], _Answers[T]], Hashable]:
    """All that may be read of an act but for the fields of forms and records: objects, and values."""
    there = ctx.encounter, *(actor.record for actor in ctx.actors)
    places = {id(record): at for at, record in enumerate(records_of(ctx))}
    sorts = tuple([(places.get(id(record)), sort_of(record)) for record in there])
    objects = ctx.system, ctx.move, *(record for record in there if id(record) not in places)
    people = tuple((actor.id, actor.role, actor.kind, actor.audience, actor.withheld) for actor in ctx.actors)
    # What is only said before the dice is read by nothing that comes after.
    told = {step.id for step in ctx.move.resolves if step.told_only}
    results = tuple((step, result) for step, result in ctx.results.items() if step not in told)
    values = people, sorts, results, getattr(ctx.results, "there", None), tuple(op.records), ctx.rulings, ctx.day, (
        ctx.minute)
    try:
        hash(values)
    except TypeError:  # a result that has no hash is the same as long as its act is
        return (op, *objects), dict, (people, sorts, tuple(ctx.results))
    return objects, dict, values


__all__ = ["ByFilled"]
