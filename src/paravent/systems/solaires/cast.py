"""Who takes part in the moves of Solaires, and what their sheets say: roles, editions, elements by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from paravent.game import Actor, Context, Field, FieldFacts, Flag, MissingField, Role

from .facts import Category, Edition
from .people.character import Character, Element, Figure

T = TypeVar("T")

ACTOR = Role("initiator", record="character")
"""Whoever acts: nobody rolls for the game master's people."""
HELPER = Role("helper", least=0, most=None, offers="lent", other=True)
THING = Role("thing", record="thing", least=0, most=None, later=True,
             when=lambda rulings: rulings.edition == Edition.V5 or rulings.v4_borrow_things == "true")
MEMBER = Role("member", record="character", least=1, most=None, other=True)
OPPONENT = Role("opponent", record="character", other=True)
CHARACTER = Role("character", record="character")


@dataclass(frozen=True)
class Given(Flag):
    """Something that goes without saying: said otherwise, its rule refuses, so that no page offers it."""

    def describe(self, ctx: Context) -> FieldFacts:
        return FieldFacts("one-of", [])


def in_v4(ctx: Context) -> bool:
    """Whether the table plays the fourth edition."""
    return ctx.rulings.edition == Edition.V4


def in_v5(ctx: Context) -> bool:
    """Whether the table plays the fifth edition."""
    return ctx.rulings.edition == Edition.V5


def without_sheet(role: str) -> Callable[[Context], bool]:
    """Whether whoever holds the role brings no sheet: then numbers are asked that the sheet would give."""
    return lambda ctx: ctx.one(role).record is None


def has(ctx: Context, actor: Actor, asked: Field[T]) -> T | None:
    """What a field of an actor holds, nothing where it is not filled."""
    try:
        return ctx.value(actor, asked)
    except MissingField:
        return None


def called(actor: Actor) -> str:
    """What an actor is called at the table."""
    record = actor.record
    return (record.name if isinstance(record, Character | Figure) else "") or actor.id


class Listed(NamedTuple):
    """An element as a sheet lists it, whosever sheet it is."""

    name: str
    score: int
    category: Category


def listed(actor: Actor) -> tuple[Listed, ...]:
    """The elements on an actor's sheet, if there is one."""
    record = actor.record
    if isinstance(record, Character):
        return tuple(Listed(one.name, one.score, one.category) for one in record.elements)
    if isinstance(record, Figure):
        rest = tuple(Listed(one.name, one.score, Category.TRAIT) for one in record.elements)
        return rest + tuple(Listed(one.name, one.score, Category.STATE) for one in record.states)
    return ()


def names_of(role: str, *categories: Category, first: tuple[str, ...] = ()) -> Callable[[Context], tuple[str, ...]]:
    """The names of the elements of whoever holds a role (of some categories only)."""

    def names(ctx: Context) -> tuple[str, ...]:
        found = (one.name for one in listed(ctx.one(role)) if not categories or one.category in categories)
        return (*first, *dict.fromkeys(found))

    return names


def has_states(actor: Actor) -> bool:
    """Whether there is a sheet on which states may be written."""
    return isinstance(actor.record, Character | Figure)


def states_of(actor: Actor) -> tuple[Element, ...]:
    """The states of somebody, if there is a sheet."""
    return actor.record.states if isinstance(actor.record, Character | Figure) else ()
