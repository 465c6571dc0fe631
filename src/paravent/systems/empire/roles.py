"""What is brought to a move beside people: a world, a market, a robot; and what is read on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from paravent.game import Actor, Context, Field, MissingField, Role

T = TypeVar("T")
V = TypeVar("V")


@dataclass(frozen=True, kw_only=True)
class RecordRole(Role, Generic[T]):
    """A role for one kind of record, which may be left empty: whatever else is put there counts for nothing."""

    cls: type[T]

    def actor(self, ctx: Context) -> Actor | None:
        """Who holds the role with the right kind of record, if anybody does."""
        return next((actor for actor in ctx.all(self.id) if isinstance(actor.record, self.cls)), None)

    def brought(self, ctx: Context) -> T | None:
        """The record that somebody brought, if anybody did."""
        actor = self.actor(ctx)
        return actor.sheet(self.cls) if actor is not None else None

    def figure(self, ctx: Context, asked: Field[V | None], on: Callable[[T], V]) -> V:
        """A figure as typed, or on the record that was brought; refused where it is nowhere."""
        typed = ctx[asked]
        if typed is not None:
            return typed
        record = self.brought(ctx)
        if record is None:
            raise MissingField(field=asked.id, role=asked.role)
        return on(record)
