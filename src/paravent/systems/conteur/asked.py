"""What every form of the game asks: a number that a rule bounds, what a sheet says, numbers where there is none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from paravent.game import Actor, Context, Field, Role, RuleError, Whole
from paravent.game.errors import MissingField, OutOfRange, Withheld

from .facts import ENERGY_MAX, HUMAN_PARTS
from .people.character import sheet_of

T = TypeVar("T")

CHARACTER = Role("character", record="character")
"""Someone the game master decides for: a character on a sheet."""


@dataclass(frozen=True)
class Ruled(Whole):
    """A whole number whose bounds are a rule's: outside them, the rule refuses."""

    error: type[RuleError] = RuleError

    def read(self, raw: object, field: str, ctx: Context) -> int:
        try:
            return super().read(raw, field, ctx)
        except OutOfRange as out:
            raise self.error(got=out.values["got"]) from None


def without_sheet(role: str) -> Callable[[Context], bool]:
    """Whether whoever holds the role brings no sheet: then numbers are asked that the sheet would give."""
    return lambda ctx: ctx.one(role).record is None


def said(ctx: Context, actor: Actor, asked: Field[T | None]) -> T:
    """What was filled in where it had to be: a field that was not asked is missing."""
    value = ctx.value(actor, asked)
    if value is None:
        raise MissingField(field=asked.id, role=actor.role)
    return value


def body_parts(role: str, limbs: bool = False) -> Callable[[Context], tuple[str, ...]]:
    """The parts of the body of whoever holds the role, or only the limbs."""

    def parts(ctx: Context) -> tuple[str, ...]:
        sheet = sheet_of(ctx.one(role))
        names = HUMAN_PARTS if sheet is None else sheet.parts
        return tuple(part for part in names if not limbs or part not in ("head", "torso"))

    return parts


def energy_field(role: str, secrecy: str = "open") -> Field[int | None]:
    """Energy, asked where there is no sheet."""
    return Field("energy", Whole(0, ENERGY_MAX), role, usual=18, when=without_sheet(role), secrecy=secrecy,
                 place="refinement")


ENERGY = energy_field("initiator")


def energy_of(ctx: Context, actor: Actor) -> int:
    """Energy on the sheet, or as filled in."""
    sheet = sheet_of(actor)
    return said(ctx, actor, ENERGY) if sheet is None else sheet.energy


def able(role: str = "initiator") -> Callable[[Context], bool]:
    """Whether whoever holds the role can act: neither unconscious nor dead, as far as a sheet says and may be read."""

    def acts(ctx: Context) -> bool:
        sheet = sheet_of(ctx.one(role))
        try:
            return sheet is None or not sheet.helpless
        except Withheld:
            return True

    return acts


def all_able(ctx: Context) -> bool:
    """Whether both sides of a move can act."""
    return able()(ctx) and able("opponent")(ctx)


def alive(role: str) -> Callable[[Context], bool]:
    """Whether whoever holds the role lives, as far as a sheet says."""

    def lives(ctx: Context) -> bool:
        sheet = sheet_of(ctx.one(role))
        return sheet is None or not sheet.dead

    return lives


def luck_left(actor: Actor) -> int:
    """The luck points left on the sheet; none without one."""
    sheet = sheet_of(actor)
    return 0 if sheet is None else sheet.luck_available
