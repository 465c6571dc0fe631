"""What was worked out of an act under way, kept by what was read of what people filled in."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Generic, TypeVar

from paravent.game.attentive import AttentiveForm, FilledReads, beneath, forms_still_read
from paravent.game.move import Context

from .kept import ByIdentity
from .open_move import OpenMove

T = TypeVar("T")
_Answers = dict[Hashable, list[tuple[FilledReads, T]]]


class ByFilled(Generic[T]):
    """Results of questions about acts: each is worked out again only once a field that it reads holds something else.

    All else that may be read (who is there, their sheets, what is withheld, results, options) is a part of the
    question: whoever may not see the same has another context, with other objects in it, and is never given what this
    one was.
    """

    def __init__(self, acts: int = 128, each: int = 4) -> None:
        self._each = each
        self._kept: ByIdentity[_Answers[T]] = ByIdentity(acts)
        self._latest: tuple[OpenMove, Context, _Answers[T]] | None = None

    def of(self, op: OpenMove, ctx: Context, make: Callable[[Context], T], *question: Hashable) -> T:
        """What ``make`` gives of a context of an act."""
        answers = self._answers(op, ctx)
        forms, noting = beneath(tuple([actor.filled for actor in ctx.actors]))
        known = answers.get(question)
        if known is None:
            if len(answers) >= _MOST:
                answers.clear()
            known = answers[question] = []
        for reads, result in reversed(known):
            if forms_still_read(forms, reads):
                if noting is not None:
                    noting.update(reads)
                return result
        reads = {}
        noted = tuple(replace(actor, filled=AttentiveForm(actor.filled, at, reads))
                      for at, actor in enumerate(ctx.actors))
        result = make(replace(ctx, actors=noted))
        known.append((reads, result))
        del known[:-self._each]
        return result

    def _answers(self, op: OpenMove, ctx: Context) -> _Answers[T]:
        latest = self._latest
        if latest is None or latest[0] is not op or latest[1] is not ctx:
            latest = self._latest = op, ctx, self._kept.of(*_standing(op, ctx))
        return latest[2]


_MOST = 1024
"""So many questions about one act as it stands are kept at most."""


def _standing(op: OpenMove, ctx: Context) -> tuple[tuple[object, ...], Callable[[], _Answers[T]], Hashable]:
    """All that may be read of an act but for what is filled in: objects, and values."""
    objects = ctx.system, ctx.move, ctx.encounter, *(actor.record for actor in ctx.actors)
    people = tuple((actor.id, actor.role, actor.kind, actor.audience, actor.withheld) for actor in ctx.actors)
    # What is only said before the dice is read by nothing that comes after.
    told = {step.id for step in ctx.move.resolves if step.told_only}
    results = tuple((step, result) for step, result in ctx.results.items() if step not in told)
    values = people, results, getattr(ctx.results, "there", None), tuple(op.records), ctx.rulings, ctx.day, ctx.minute
    try:
        hash(values)
    except TypeError:  # a result that has no hash is the same as long as its act is
        return (op, *objects), dict, (people, tuple(ctx.results))
    return objects, dict, values
