"""Time at the table: opening it, scenes and episodes that end, latecomers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import (
    GAME_MASTER,
    GM_ONLY,
    TIME_SPAN,
    Actor,
    Ask,
    Call,
    Change,
    Context,
    Field,
    Filled,
    Flag,
    Move,
    Resolve,
    Role,
    Rulings,
    Telling,
    Who,
    Whole,
    changed,
    rule,
)
from paravent.systems.solaires.actions.announce import table_faults
from paravent.systems.solaires.cast import CHARACTER
from paravent.systems.solaires.people.character import Character
from paravent.systems.solaires.points.held import held, points_asked
from paravent.systems.solaires.points.rules import Points, arrival, check_series, episode_end, scene_end

MANY = Role("character", record="character", most=None, everybody=True)


# The table


class Opening(NamedTuple):
    """A table as it opens: its edition, whether it plays a series, how many play."""

    edition: str
    is_series: bool
    players: int


@rule("SOL-001", "SOL-002", "SOL-003")
def open_table(dice: Dice, players: int, rulings: Rulings) -> Opening:
    """Say by which rules one plays; outside two to six players one is warned."""
    for fault in table_faults(players):
        dice.note(fault.rule, fault.key, **fault.values)
    return Opening(rulings.edition, rulings.is_series == "true", players)


def tell_opening(ctx: Context, opening: Opening) -> list[Telling]:
    """The edition, and whether a series is played; a warning where too few or too many play."""
    series = "a_series" if opening.is_series else "one_story"
    return [Telling("outcomes.told_opened", {"edition": f"edition_{opening.edition}", "series": series}),
            *(Telling(f"faults.{fault.key}", fault.values) for fault in table_faults(opening.players))]


PLAYERS = Field("players", Whole(0, 30), "gm", usual=3, rule="SOL-002", place="essential")
OPEN_TABLE = Move(
    "open-table",
    (
        Ask("players", (PLAYERS,)),
        Resolve("open", lambda ctx: Call(open_table, ctx[PLAYERS], ctx.rulings), outcome=lambda opening: "opened",
                tell=tell_opening),
    ),
    cast=(GAME_MASTER,),
    by="gm",
    rules=("SOL-001", "SOL-002", "SOL-003"),
)


# Scenes and episodes


def point_changes(actor: Actor, after: Points, rule_id: str) -> tuple[Change, ...]:
    """Points and maximum, as they now stand; people of the game master's have none."""
    if not isinstance(actor.record, Character):
        return ()
    return (*changed(actor.id, actor.record, "max_points", after.max_points, rule_id),
            *changed(actor.id, actor.record, "points", after.points, rule_id))


def tell_points(people: Sequence[Actor], after: Sequence[Points]) -> list[Telling]:
    """What each has."""
    return [Telling("outcomes.told_points", {"who": Who(actor.id), "n": its.points, "most": its.max_points})
            for actor, its in zip(people, after, strict=True)]


def after_scene(
    dice: Dice, people: tuple[Points, ...], takes: tuple[bool, ...], rulings: Rulings
) -> tuple[Points, ...]:
    """The end of a scene for everybody."""
    return tuple(scene_end(dice, one, taken, rulings) for one, taken in zip(people, takes, strict=True))


def after_episode(dice: Dice, people: tuple[Points, ...], last_scene: bool, rulings: Rulings) -> tuple[Points, ...]:
    """The end of an episode for everybody."""
    check_series(rulings)
    return tuple(episode_end(dice, one, last_scene, rulings) for one in people)


def held_by_all(ctx: Context, role: str = CHARACTER.id) -> tuple[Points, ...]:
    """The points of all who hold a role."""
    return tuple(held(ctx, one) for one in ctx.all(role))


def ended(ctx: Context, after: Sequence[Points], rule_id: str) -> list[Change]:
    """What each now has; what failed in the scene is forgotten."""
    found: list[Change] = []
    for actor, its in zip(ctx.all("character"), after, strict=True):
        found += point_changes(actor, its, rule_id)
        if isinstance(actor.record, Character):
            found += changed(actor.id, actor.record, "failed", (), "SOL-017", GM_ONLY, weight="bookkeeping")
    return found


TAKE = Field("take", Flag(), "character", usual=True, rule="SOL-110", place="refinement")
LAST_SCENE = Field("last_scene", Flag(), "gm", usual=True, rule="SOL-111", place="refinement")


def scene_ending(ctx: Context) -> Call[tuple[Points, ...]]:
    """What each has, and who takes the scene's point."""
    takes = tuple(ctx.value(one, TAKE) for one in ctx.all("character"))
    return Call(after_scene, held_by_all(ctx), takes, ctx.rulings)


END_SCENE = Move(
    "end-scene",
    (
        Ask("recover", (TAKE, *points_asked("character"))),
        Resolve("recover-points", scene_ending, outcome=lambda after: "scene_over",
                tell=lambda ctx, after: tell_points(ctx.all("character"), after),
                changes=lambda ctx, after: ended(ctx, after, "SOL-110")),
    ),
    cast=(MANY, GAME_MASTER),
    by="gm",
    passes="scene",
    rules=("SOL-003", "SOL-109", "SOL-110"),
)
END_EPISODE = Move(
    "end-episode",
    (
        Ask("grow", (LAST_SCENE, *points_asked("character"))),
        Resolve("grow-points", lambda ctx: Call(after_episode, held_by_all(ctx), ctx[LAST_SCENE], ctx.rulings),
                outcome=lambda after: "episode_over", tell=lambda ctx, after: tell_points(ctx.all("character"), after),
                changes=lambda ctx, after: ended(ctx, after, "SOL-111")),
    ),
    cast=(MANY, GAME_MASTER),
    by="gm",
    passes="episode",
    offered=lambda ctx: ctx.rulings.is_series == "true" or ctx.rulings.points_model == "published",
    rules=("SOL-003", "SOL-109", "SOL-111"),
)


# The table's clock


def is_an_end(ctx: Context) -> bool:
    """Whether the time that passes ends a scene or an episode."""
    return ctx[TIME_SPAN] in ("scene", "episode")


HABITS = (replace(TAKE, role="initiator", when=is_an_end, by="gm"),)
"""Whoever would rather not have the point takes it off again: nobody is stopped for what everybody wants."""


@rule("SOL-003", "SOL-110", "SOL-111")
def passing(
    dice: Dice, record: object, minutes: int, habits: Filled, rulings: Rulings
) -> tuple[Change, ...]:
    """Where the table's clock ends a scene or an episode, points come back as when the game master closes it."""
    span = habits.get("span", "")
    if span not in ("scene", "episode") or not isinstance(record, Character):
        return ()
    after = scene_end(dice, record.held, bool(habits.get("take", True)), rulings)
    if span == "episode":
        whole = rulings.episode_end == "replaces_scene"
        after = episode_end(dice, record.held if whole else after, False, rulings)
    actor = Actor(record.name, "character", record)
    return (*point_changes(actor, after, "SOL-111" if span == "episode" else "SOL-110"),
            *changed(record.name, record, "failed", (), "SOL-017", GM_ONLY, weight="bookkeeping"))


# Latecomers


def coming(ctx: Context) -> Call[Points]:
    """What the others have, and what the character replaced had."""
    previous = held_by_all(ctx, "previous")
    return Call(arrival, held_by_all(ctx, "others"), previous[0] if previous else None, ctx.rulings)


ADD_LATE_PLAYER = Move(
    "add-late-player",
    (
        Ask("others", (*points_asked("others"), *points_asked("previous"))),
        Resolve("arrive", coming, outcome=lambda after: "arrived",
                tell=lambda ctx, after: tell_points([ctx.one("character")], [after]),
                changes=lambda ctx, after: point_changes(ctx.one("character"), after, "SOL-108")),
    ),
    cast=(CHARACTER, Role("others", record="character", least=0, most=None),
          Role("previous", record="character", least=0), GAME_MASTER),
    by="gm",
    rules=("SOL-108", "SOL-107"),
)

MOVES = (END_SCENE, END_EPISODE, ADD_LATE_PLAYER, OPEN_TABLE)
