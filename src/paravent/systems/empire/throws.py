"""Who sees what is thrown and told, and in whose hand the dice are."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import wraps
from typing import Any, TypeVar

from paravent.dice import Dice
from paravent.game import GM_ONLY, INVISIBLE, Actor, AnyField, Change, Context, Field, Shown, Telling, changed, only

PAIR = only("initiator", "gm")


def thrown_by(dice: Dice, who: str, then: Callable[..., Any], *args: Hashable) -> Any:
    """A rule whose dice are in the hand of whoever the game master says."""
    return dice.of(who).resolve(then, *args)


def said(key: str, audience: Any = None, **values: Any) -> Telling:
    """A telling."""
    return Telling(f"outcomes.{key}", values, audience)


def set_on(actor: Actor, path: str, value: Any, rule: str) -> Sequence[Change]:
    """A change on an actor's sheet, none where it has no such thing."""
    if actor.record is None or not hasattr(actor.record, path.partition(".")[0]):
        return ()
    return changed(actor.id, actor.record, path, value, rule)


R = TypeVar("R")


def secret(name: str, kind: Any, rule: str, **more: Any) -> AnyField:
    """A field of the game master alone."""
    return Field(name, kind, "gm", secrecy="gm", rule=rule, **more)


def made(name: str, record: Any, kind: str, rule: str, audience: Any) -> Change:
    """A new record brought to the table."""
    return Change(name, "", None, record, rule, audience, kind)


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
