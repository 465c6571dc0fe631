"""Who sees what is thrown and told, and in whose hand the dice are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, wraps
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from paravent.dice import Dice, Odds, odds
from paravent.game import (
    GM_ONLY,
    INVISIBLE,
    Actor,
    Audience,
    Change,
    Context,
    Resolve,
    Shown,
    Telling,
    Value,
    changed,
    only,
)
from paravent.game.records import Weight, look

from .terms import Characteristic

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


PLUMBING = frozenset({"acted", "rest_due", "rest_lost", "minutes_resting", "minutes_thinking", "examined", "warned"})
"""What a sheet counts for its own sake: nobody is told of it."""
GAUGES = frozenset({"resistance_physical", "resistance_mental", *Characteristic})
"""What it is grave to lose."""
HARM = frozenset({"wounds", "protections"})
BENIGN = frozenset({"tended"})
"""States that one is glad of; any other that comes is grave, and so is a mind in somebody else's power."""
IMPOSED = frozenset({"controlled"})


def weight_of(path: str, before: Value, after: Value) -> Weight:
    """What a change on a sheet weighs: what harms a body or binds a mind is grave, what one gains or spends certain."""
    if path in PLUMBING:
        return "bookkeeping"
    if path in GAUGES and isinstance(before, int) and isinstance(after, int):
        return "grave" if after < before else "certain"
    if path in HARM:
        return "grave" if after else "certain"
    if path == "mind_state":
        return "certain" if after == "free" else "grave"
    if path in ("conditions", "trances") and isinstance(before, tuple) and isinstance(after, tuple):
        come = {str(getattr(state, "name", "")) for state in after if state not in before}
        return "grave" if (come & IMPOSED if path == "trances" else come - BENIGN) else "certain"
    return "certain"


def set_on(actor: Actor, path: str, value: Value, rule: str, weight: Weight = "") -> Sequence[Change]:
    """A change on an actor's sheet, none where it has no such thing; unless it is said, its nature says its weight."""
    if actor.record is None or not hasattr(actor.record, path.partition(".")[0]):
        return ()
    weighs = weight or weight_of(path, look(actor.record, path), value)
    return changed(actor.id, actor.record, path, value, rule, weight=weighs)


def made(name: str, record: Value, kind: str, rule: str, audience: Audience) -> Change:
    """A new record brought to the table."""
    return Change(name, "", None, record, rule, audience, kind)


@dataclass(frozen=True)
class Generate(Resolve[R], Generic[R]):
    """A rule that makes something with too many faces to list: its chances are those of a shorter rule.

    ``gist`` takes what the rule takes, throws the dice that decide, and gives something with the same ``outcome``.
    """

    gist: Callable[..., Any] = lambda dice, *args: None

    def odds(self, ctx: Context, policy: str = "usual") -> Odds[R]:
        """The chances of the outcome."""
        return odds(self.gist, *self.call(ctx).args)
