"""Who sees what is thrown and told, and in whose hand the dice are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, wraps
from typing import Concatenate, ParamSpec, TypeVar

from paravent.dice import Dice
from paravent.game import GM_ONLY, INVISIBLE, Actor, Audience, Change, Context, Shown, Telling, Value, changed, only

P = ParamSpec("P")
R = TypeVar("R")
PAIR = only("initiator", "gm")


def thrown_by(who: str, rule: Callable[Concatenate[Dice, P], R]) -> Callable[Concatenate[Dice, P], R]:
    """The same rule with its dice in somebody's hand; asked again it is the same, so that its odds are found again."""
    return _in_hand(who, rule)


@cache
def _in_hand(who: str, rule: Callable[..., R]) -> Callable[..., R]:
    @wraps(rule)
    def thrown(dice: Dice, *args: object) -> R:
        return rule(dice.of(who), *args)

    return thrown


def by_gm(rule: Callable[Concatenate[Dice, P], R]) -> Callable[Concatenate[Dice, P], R]:
    """The same rule with its dice in the game master's hand."""
    return thrown_by("gm", rule)


def unseen(ctx: Context, result: object) -> Shown:
    """Behind the screen."""
    return INVISIBLE


def said(key: str, audience: Audience | None = None, **values: Value) -> Telling:
    """A telling."""
    return Telling(f"outcomes.{key}", values, audience)


def to_gm(key: str, **values: Value) -> Telling:
    """A line for the game master alone."""
    return said(key, GM_ONLY, **values)


def set_on(actor: Actor, path: str, value: Value, rule: str) -> Sequence[Change]:
    """A change on an actor's sheet, none where it has no such thing."""
    if actor.record is None or not hasattr(actor.record, path.partition(".")[0]):
        return ()
    return changed(actor.id, actor.record, path, value, rule)


def made(name: str, record: Value, kind: str, rule: str, audience: Audience) -> Change:
    """A new record brought to the table."""
    return Change(name, "", None, record, rule, audience, kind)
