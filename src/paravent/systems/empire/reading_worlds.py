"""How moves of worlds, trade and gear read what is at hand: numbers typed, or records in the cast."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any, TypeVar

from paravent.dice import Dice
from paravent.game import (
    GM_ONLY,
    INVISIBLE,
    Actor,
    AnyField,
    Change,
    Context,
    Field,
    MissingField,
    Role,
    Shown,
    Telling,
    Whole,
    changed,
)

from .action import characteristic_for, parameter_of, usual_verb
from .animals import Animal
from .character import Character
from .charts import Chart
from .errors_worlds import TooLittleMoney
from .kinds_worlds import Cargo, Gear, Market, Robot
from .persons import Person
from .planet import World
from .reading import DIFFICULTY, EXTRA, GRAVITY, MODS, ORGAN, column_field, has, level_field, said, score_field, trial
from .sector import Sector
from .terms import Characteristic, Column

R = TypeVar("R")
SECTOR = Role("sector", "sector", least=0)
CHART = Role("chart", "chart", least=0)
WORLD = Role("world", "world", least=0)
ANIMAL = Role("animal", "animal", least=0)
PERSON = Role("person", "person", least=0)
MARKET = Role("market", "market", least=0)
CARGO = Role("cargo", "cargo", least=0)
ITEM = Role("item", "item", least=0)
ROBOT = Role("robot", "robot", least=0)
DONOR = Role("donor", "item", least=0, most=None)

TESTED = (score_field(), level_field(), column_field(tuple(Column)))
"""What a player declares for a test of skill."""
APPRAISAL = Field("appraisal", Whole(0, 6), optional=True, rule="EGW-101")

OPENLY = (replace(DIFFICULTY, secrecy="open", probes=()), MODS, EXTRA, ORGAN, GRAVITY)
"""What the game master settles where the player throws: as many dice as are thrown tell how hard it is."""


def secret(name: str, kind: Any, rule: str, **more: Any) -> AnyField:
    """A field of the game master alone."""
    return Field(name, kind, "gm", secrecy="gm", rule=rule, **more)


RECORDS: Mapping[str, type] = {
    "sector": Sector, "chart": Chart, "world": World, "animal": Animal, "person": Person, "market": Market,
    "cargo": Cargo, "item": Gear, "robot": Robot, "character": Character,
}
"""What each role is for: whatever else is put there counts for nothing."""


def actor_in(ctx: Context, role: str) -> Actor | None:
    """Who holds a role with the right kind of record, if anybody does."""
    return next((actor for actor in ctx.all(role) if isinstance(actor.record, RECORDS[role])), None)


def record_in(ctx: Context, role: str) -> Any:
    """The record that somebody brought in a role, if anybody did."""
    actor = actor_in(ctx, role)
    return actor.record if actor is not None else None


def figure(ctx: Context, name: str, role: str, attribute: str = "") -> Any:
    """A figure as typed, or on the record in a role; refused where it is nowhere."""
    asked = ctx.move.field(name)
    typed = ctx.value(ctx.one(asked.role), name)
    if typed is not None:
        return typed
    record = record_in(ctx, role)
    if record is None:
        raise MissingField(field=name, role=asked.role)
    return getattr(record, attribute or name)


def usual_characteristic(ctx: Context, actor: Actor, skill: str) -> Characteristic:
    """The characteristic behind a skill when nobody prefers another."""
    return characteristic_for(skill, usual_verb(parameter_of(has(ctx, actor, "column") or Column.NORMAL)))


def against(
    ctx: Context, skill: str, usual: Characteristic | None = None, more_mods: int = 0, *, unskilled: bool = True
) -> tuple[int, int]:
    """The dice and the threshold of the initiator's test of a skill."""
    actor = ctx.one()
    wanted = usual or usual_characteristic(ctx, actor, skill)
    settled = trial(ctx, actor, skill, wanted, more_mods=more_mods, unskilled=unskilled)
    return settled.dice, settled.threshold


def sheet_level(ctx: Context, name: str, skill: str) -> int:
    """A skill level under a field of its own: as typed, or on the initiator's sheet."""
    actor = ctx.one()
    typed = has(ctx, actor, name)
    if typed is not None:
        return int(typed)
    return actor.record.level(skill) if isinstance(actor.record, Character) else 0


def knows(ctx: Context, skill: str) -> bool:
    """Whether the initiator's sheet has a skill."""
    record = ctx.one().record
    return isinstance(record, Character) and record.level(skill) > 0


def credits_left(actor: Actor, amount: int) -> int | None:
    """What is left of an actor's money, refused if it is not enough; None without a purse."""
    purse = getattr(actor.record, "credits", None)
    if purse is None:
        return None
    if amount > purse:
        raise TooLittleMoney(need=amount, purse=purse)
    return int(purse) - amount


def paid(actor: Actor, amount: int, rule: str) -> Sequence[Change]:
    """Money spent, or earned where it is negative; none where nobody has a purse."""
    left = credits_left(actor, amount)
    return () if left is None else changed(actor.id, actor.record, "credits", left, rule)


def owed(actor: Actor, amount: int) -> int:
    """What a purse cannot pay of an amount that dice have settled."""
    purse = getattr(actor.record, "credits", None)
    return 0 if purse is None else max(0, amount - int(purse))


def paid_as_far(actor: Actor, amount: int, rule: str) -> Sequence[Change]:
    """Money spent as far as it goes: once dice have fallen, nothing is refused for want of it."""
    return paid(actor, amount - owed(actor, amount), rule)


def tell_owed(actor: Actor, amount: int) -> Sequence[Telling]:
    """What is still to be paid, if anything."""
    missing = owed(actor, amount)
    return (said("told_owed", n=missing),) if missing else ()


def made(name: str, record: Any, kind: str, rule: str, audience: Any) -> Change:
    """A new record brought to the table."""
    return Change(name, "", None, record, rule, audience, kind)


def picked_field() -> AnyField:
    """How many dice of Endurance a variable body has, where the table leaves it to the game master."""
    return secret("picked", Whole(1, 6), "EGW-063", usual=3,
                  when=lambda ctx: ctx.rulings.variable_endurance == "gm_picks")


def by_gm(rule: Callable[..., R]) -> Callable[..., R]:
    """The same rule with its dice in the game master's hand."""

    @wraps(rule)
    def thrown(dice: Dice, *args: Any) -> R:
        return rule(dice.of("gm"), *args)

    return thrown


def unseen(ctx: Context, result: Any) -> Shown:
    """Behind the screen."""
    return INVISIBLE


def to_gm(key: str, **values: Any) -> Telling:
    """A line for the game master alone."""
    return said(key, GM_ONLY, **values)
