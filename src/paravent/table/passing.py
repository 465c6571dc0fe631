"""Time passes: each says what they did, the game says what that changes, timers fall due, the clock moves on.

It is a move like another: what it would change is proposed first, then accepted, amended or refused piece by piece.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import UNSET

from paravent.dice import Dice
from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    OWN_DICE,
    PASS_TIME,
    TIME_COUNT,
    TIME_SPAN,
    Actor,
    AnyField,
    Ask,
    Call,
    Change,
    Context,
    Move,
    Resolve,
    Role,
    Rulings,
    System,
    Telling,
    Value,
    minutes_of,
)
from paravent.game.errors import AlreadyOver
from paravent.game.move import replace_focus
from paravent.game.records import GM, look

from .limits import MOST_CAST
from .sheets import record_read
from .state import timer_plain

if TYPE_CHECKING:
    from .events import Sheet
    from .state import State, Timer

BYSTANDER = "bystander"
"""Somebody for whom time passes and whom nobody asks: the game master's people, and those whose player is away."""


class Living(NamedTuple):
    """Somebody for whom time passes: the part they have in the move, their record, what they did."""

    part: str
    record: Any
    habits: Mapping[str, Any]


class Passed(NamedTuple):
    """What time did to one of them."""

    part: str
    changes: tuple[Change, ...]


def time_passes(
    dice: Dice, people: tuple[Living, ...], minutes: int, rulings: Rulings, passing: Callable[..., Any] | None
) -> tuple[Passed, ...]:
    """The same time for everyone, each with their own dice."""
    if passing is None:
        return ()
    return tuple(
        Passed(who.part, tuple(dice.of(who.part).resolve(passing, who.record, minutes, who.habits, rulings)))
        for who in people
    )


def pass_time_move(system: System, state: State | None) -> Move:
    """The move, for a table whose clock stands where the state says."""
    now = state.minutes if state is not None else 0

    def called(ctx: Context) -> Call[tuple[Passed, ...]]:
        if state is not None and is_over(state, ctx[TIME_SPAN]):
            raise AlreadyOver(what=ctx[TIME_SPAN])
        people = tuple(
            Living(ctx.part(actor), actor.record, {
                **_said(ctx, actor, system), "day": ctx.day, "span": ctx[TIME_SPAN],
            })
            for actor in _people(ctx) if actor.record is not None and _lives(system, actor.kind)
        )
        return Call(time_passes, people, minutes_of(ctx), ctx.rulings, system.passing)

    def changes(ctx: Context, result: tuple[Passed, ...]) -> list[Change]:
        actors = {ctx.part(actor): actor for actor in _people(ctx)}
        asked = [
            replace(change, target=actors[one.part].id) for one in result for change in one.changes
            if change.target not in ("clock", "encounter")
        ]
        minutes = minutes_of(ctx)
        clock = [Change("clock", "minutes", now, now + minutes)] if minutes else []
        return [*asked, *_due(ctx, state, asked, now + minutes), *_over(ctx, state), *clock]

    return Move(
        PASS_TIME,
        cast=(Role("character", least=0, most=None), Role(BYSTANDER, least=0, most=None), GAME_MASTER),
        by=GM,
        steps=(
            Ask("how-long", (TIME_SPAN, TIME_COUNT)),
            *((Ask("habits", tuple(_asked(field) for field in system.habits)),) if system.habits else ()),
            Resolve(
                "pass", called, outcome=lambda result: "time-passed", changes=changes,
                tell=lambda ctx, result: [Telling(f"passed.{ctx[TIME_SPAN]}", {"n": ctx[TIME_COUNT]}, main=True)],
                shown=lambda ctx, result: OWN_DICE, at_once=True,
            ),
        ),
    )


def _asked(habit: AnyField) -> AnyField:
    """A habit as it is asked: of each character, and waited for; what the game master says of each stands as usual
    unless it was said when time began to pass."""
    return replace(habit, role="character", waits=habit.has_usual() and habit.by != GM,
                   secrecy="own" if habit.secrecy == "open" else habit.secrecy)


def _said(ctx: Context, actor: Actor, system: System) -> dict[str, Any]:
    """What somebody said they did, or usually do; what was not asked of them is left out."""
    said = {habit.id: ctx.value(actor, habit) if actor.role == "character" else _usual(ctx, actor, habit)
            for habit in system.habits}
    return {name: value for name, value in said.items() if value is not None}


def _usual(ctx: Context, actor: Actor, habit: AnyField) -> Value:
    here = replace_focus(ctx, actor)
    usual: Value = habit.usual_value(here) if habit.applies(here) else None
    return usual


def _people(ctx: Context) -> tuple[Actor, ...]:
    return (*ctx.all("character"), *ctx.all(BYSTANDER))


def _lives(system: System, kind: str) -> bool:
    return kind in system.living or not kind


def everybody(state: State, system: System) -> list[str]:
    """Everybody for whom time passes, those whom somebody plays first."""
    living = [name for name, held in state.records.items()
              if _lives(system, held.kind) and record_read(held, system) is not None]
    return sorted(living, key=lambda name: not state.records[name].owner)[:MOST_CAST]


def asked_and_not(state: State, people: Sequence[str], said: Collection[str] = ()) -> dict[str, list[str]]:
    """Those whose players are there are asked what they did; so is whoever something is said of already."""
    asked = [name for name in people if name in said or name not in state.records
             or _answers(state, state.records[name].owner)]
    return {"character": asked, BYSTANDER: [name for name in people if name not in asked]}


def _answers(state: State, owner: str) -> bool:
    """Whether somebody sits there who can be asked."""
    place = state.seats.get(owner)
    return place is not None and place.present and place.rank != GM


def is_over(state: State, span: str) -> bool:
    """Whether this part of the story has ended and no other has begun; where none was ever begun, nobody can tell."""
    if span == "scene":
        return not state.scene and bool(state.episodes) and bool(state.episodes[-1].scenes)
    return span == "episode" and not state.episode and any(episode.title for episode in state.episodes)


def _over(ctx: Context, state: State | None) -> list[Change]:
    """The scene that ends; the episode, and its scene with it."""
    ends = {"scene": ("scene",), "episode": ("scene", "episode")}.get(ctx[TIME_SPAN], ())
    return [] if state is None else [
        Change("clock", name, title, "") for name in ends if (title := getattr(state, name))
    ]


def _due(ctx: Context, state: State | None, asked: list[Change], until: int) -> list[Change]:
    """What timers bring until then, on top of what is asked already; and the timers themselves, gone."""
    if state is None:
        return []
    at = {(change.target, change.path): change.after for change in asked}
    changes = []
    for name, timer in sorted(state.timers.items(), key=lambda item: (item[1].due, item[0])):
        held = state.records.get(timer.record)
        if timer.due > until or (held is not None and not _is_there(ctx, held, timer)):
            continue
        if held is not None:
            target, path = timer.record, timer.path
            before = at.get((target, path), look(held.sheet, path))
            after = _added(before, timer.add) if timer.set is UNSET else timer.set
            at[target, path] = after
            in_cast = any(actor.id == target for actor in ctx.actors)
            seen_by = EVERYONE if in_cast else frozenset(held.seen_by) | {GM}
            changes.append(Change(target, path, before, after, timer.rule, seen_by, held.kind))
        changes.append(Change("clock", f"timers.{name}", timer_plain(timer), None, timer.rule, GM_ONLY))
    return changes


def _is_there(ctx: Context, held: Sheet, timer: Timer) -> bool:
    """Whether the value that a timer is about can be read; where it cannot, it waits, and time goes on."""
    try:
        look(held.sheet, timer.path)
    except (AttributeError, LookupError):
        return False
    return record_read(held, ctx.system) is not None


def _added(value: Value, more: int) -> Value:
    """A number with what a timer adds to it; nothing can be added to anything else."""
    return value + more if isinstance(value, (int, float)) else value
