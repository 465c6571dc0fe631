"""Time at the table: opening it, scenes and episodes that end, latecomers, and action scenes."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from paravent.dice import Dice
from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    Actor,
    AnyField,
    AnyResolve,
    Ask,
    Change,
    Context,
    Encounter,
    Field,
    Flag,
    Follow,
    Move,
    OneOf,
    Opened,
    Resolve,
    Role,
    Rulings,
    Shown,
    Telling,
    TextField,
    Whole,
    asking,
    changed,
    rule,
)
from paravent.systems.solaires.actions.announce import table_faults
from paravent.systems.solaires.actions.particular import decides_for_npcs
from paravent.systems.solaires.errors import AlreadyActed, NotInTheScene
from paravent.systems.solaires.people.character import Character
from paravent.systems.solaires.points.rules import Points, arrival, check_series, episode_end, scene_end
from paravent.systems.solaires.reading import CHARACTER, MOST_POINTS, called, has, without_sheet

from . import rules as scenes
from .rules import ActionScene, Participant

MANY = Role("character", record="character", most=None)
ANYBODY = Role("participant", least=1, most=None)
ACTION_SCENE = "action-scene"


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


OPEN_TABLE = Move(
    "open-table",
    (
        Ask("players", (Field("players", Whole(0, 30), "gm", usual=3, rule="SOL-002"),)),
        Resolve("open", asking(open_table, lambda ctx: (ctx["players"], ctx.rulings)), outcome=lambda opening: "opened",
                tell=lambda ctx, opening: [
                    Telling("outcomes.told_opened",
                            {"edition": f"edition_{opening.edition}",
                             "series": "a_series" if opening.is_series else "one_story"}),
                    *(Telling(f"faults.{fault.key}", fault.values) for fault in table_faults(opening.players)),
                ]),
    ),
    cast=(GAME_MASTER,),
    by="gm",
    rules=("SOL-001", "SOL-002", "SOL-003"),
)


# Scenes and episodes


def held(ctx: Context, actor: Actor) -> Points:
    """The points of somebody: on the sheet, or as filled in."""
    if isinstance(actor.record, Character):
        return actor.record.held
    return Points(int(has(ctx, actor, "points") or 0), int(has(ctx, actor, "max_points") or 0))


def number_fields(role: str) -> tuple[AnyField, ...]:
    """Points and maximum of somebody without a sheet."""
    return (
        Field("points", Whole(0, MOST_POINTS), role, usual=2, when=without_sheet(role), rule="SOL-107"),
        Field("max_points", Whole(0, MOST_POINTS), role, usual=2, when=without_sheet(role), rule="SOL-109"),
    )


def point_changes(actor: Actor, after: Points, rule_id: str) -> tuple[Change, ...]:
    """Points and maximum, as they now stand; people of the game master's have none."""
    if not isinstance(actor.record, Character):
        return ()
    return (*changed(actor.id, actor.record, "max_points", after.max_points, rule_id),
            *changed(actor.id, actor.record, "points", after.points, rule_id))


def tell_points(people: Sequence[Actor], after: Sequence[Points]) -> list[Telling]:
    """What each has."""
    return [Telling("outcomes.told_points", {"who": called(actor), "n": its.points, "most": its.max_points})
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


def ended(ctx: Context, after: Sequence[Points], rule_id: str) -> list[Change]:
    """What each now has; what failed in the scene is forgotten."""
    found: list[Change] = []
    for actor, its in zip(ctx.all("character"), after, strict=True):
        found += point_changes(actor, its, rule_id)
        if isinstance(actor.record, Character):
            found += changed(actor.id, actor.record, "failed", (), "SOL-017", GM_ONLY)
    return found


END_SCENE = Move(
    "end-scene",
    (
        Ask("recover", (
            Field("take", Flag(), "character", usual=True, rule="SOL-110", upfront=True), *number_fields("character"),
        )),
        Resolve("recover-points", asking(after_scene, lambda ctx: (
            tuple(held(ctx, one) for one in ctx.all("character")),
            tuple(bool(ctx.value(one, "take")) for one in ctx.all("character")), ctx.rulings,
        )), outcome=lambda after: "scene_over", tell=lambda ctx, after: tell_points(ctx.all("character"), after),
            changes=lambda ctx, after: ended(ctx, after, "SOL-110")),
    ),
    cast=(MANY, GAME_MASTER),
    by="gm",
    rules=("SOL-003", "SOL-109", "SOL-110"),
)
END_EPISODE = Move(
    "end-episode",
    (
        Ask("grow", (
            Field("last_scene", Flag(), "gm", usual=True, rule="SOL-111"), *number_fields("character"),
        )),
        Resolve("grow-points", asking(after_episode, lambda ctx: (
            tuple(held(ctx, one) for one in ctx.all("character")), bool(ctx["last_scene"]), ctx.rulings,
        )), outcome=lambda after: "episode_over", tell=lambda ctx, after: tell_points(ctx.all("character"), after),
            changes=lambda ctx, after: ended(ctx, after, "SOL-111")),
    ),
    cast=(MANY, GAME_MASTER),
    by="gm",
    rules=("SOL-003", "SOL-109", "SOL-111"),
)


def is_an_end(ctx: Context) -> bool:
    """Whether the time that passes ends a scene or an episode."""
    return ctx["time_span"] in ("scene", "episode")


HABITS = (Field("take", Flag(), usual=True, when=is_an_end, rule="SOL-110", upfront=True),)


@rule("SOL-003", "SOL-110", "SOL-111")
def passing(dice: Dice, record: Any, minutes: int, habits: Mapping[str, Any], rulings: Rulings) -> tuple[Change, ...]:
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
            *changed(record.name, record, "failed", (), "SOL-017", GM_ONLY))


# Latecomers


def read_arrival(ctx: Context) -> tuple[Hashable, ...]:
    """What the others have, and what the character replaced had."""
    previous = ctx.all("previous")
    replaced = held(ctx, previous[0]) if previous else None
    return tuple(held(ctx, one) for one in ctx.all("others")), replaced, ctx.rulings


ADD_LATE_PLAYER = Move(
    "add-late-player",
    (
        Ask("others", (*number_fields("others"), *number_fields("previous"))),
        Resolve("arrive", asking(arrival, read_arrival), outcome=lambda after: "arrived",
                tell=lambda ctx, after: tell_points([ctx.one("character")], [after]),
                changes=lambda ctx, after: point_changes(ctx.one("character"), after, "SOL-108")),
    ),
    cast=(CHARACTER, Role("others", record="character", least=0, most=None),
          Role("previous", record="character", least=0), GAME_MASTER),
    by="gm",
    rules=("SOL-108", "SOL-107"),
)


# Action scenes


def participants(ctx: Context) -> tuple[Participant, ...]:
    """Those who take part, the game master's among them."""
    return tuple(Participant(one.id, one.kind not in ("", "character")) for one in ctx.all("participant"))


@rule("SOL-090", "SOL-006")
def start_scene(dice: Dice, people: tuple[Participant, ...], first: str, rulings: Rulings) -> ActionScene:
    """The scene begins: whoever took the initiative acts first."""
    dice.note("SOL-090", "scene_begins", n=len(people))
    return scenes.begin(people, first, rulings)


START_ACTION_SCENE = Move(
    "start-action-scene",
    (
        Ask("first", (
            Field("first", OneOf(lambda ctx: tuple(one.id for one in ctx.all("participant"))), "gm", rule="SOL-090",
                  usual=lambda ctx: ctx.one("participant").id),
        )),
        Resolve("start", asking(start_scene, lambda ctx: (participants(ctx), ctx["first"], ctx.rulings)),
                outcome=lambda state: "scene_begins", opens=lambda ctx, state: Opened(ACTION_SCENE, state),
                tell=lambda ctx, state: [_acting(state)]),
    ),
    cast=(ANYBODY, GAME_MASTER),
    by="gm",
    rules=("SOL-090", "SOL-092"),
)


def _acting(state: ActionScene) -> Telling:
    return Telling("outcomes.told_acting", {"who": state.acting})


def able(ctx: Context) -> tuple[str, ...]:
    """Those who may act now."""
    if ctx.encounter is None:
        return ()
    return tuple(one.id for one in ctx.encounter.participants if scenes.can_act(ctx.encounter, one.id, ctx.rulings))


@dataclass(frozen=True)
class AbleToAct(OneOf[str]):
    """One of those who may act now; of the others in the scene it is said why not."""

    def read(self, raw: Any, field: str, ctx: Context) -> str:
        standing = {one.id: one.standing for one in ctx.encounter.participants} if ctx.encounter is not None else {}
        if raw in standing and raw not in able(ctx):
            raise (AlreadyActed if standing[raw] else NotInTheScene)(name=raw)
        return super().read(raw, field, ctx)


def is_npc(ctx: Context) -> bool:
    """Whether the one named is the game master's."""
    return ctx.encounter is not None and bool(ctx.encounter.participant(ctx["next"]).npc)


@rule("SOL-091", "SOL-073", "SOL-083")
def next_to_act(dice: Dice, state: ActionScene, who: str, intention: str, rulings: Rulings) -> ActionScene:
    """The game master names who acts; nobody's dice are thrown for those of his."""
    return replace(scenes.acts(state, who, rulings), intention=intention)


def reactions(ctx: Context, state: ActionScene) -> list[Follow]:
    """What somebody of the game master's attempts is told, or opens a reaction; in v4 perhaps a roll of the world."""
    if not is_npc(ctx):
        return []
    if ctx.rulings.npc_action == "environment" and decides_for_npcs(ctx.rulings):
        return [Follow("environment-roll", {}, {"gm": {"question": ctx["announced"]}})]
    if ctx["reacts"] in (None, ""):
        return []
    return [Follow("reaction", {"initiator": [ctx["reacts"]]}, {"gm": {"event": ctx["announced"]}})]


def players_there(ctx: Context) -> tuple[str, ...]:
    """The players' characters in the scene."""
    return () if ctx.encounter is None else tuple(one.id for one in ctx.encounter.participants if not one.npc)


NEXT_TO_ACT = Move(
    "next-to-act",
    (
        Ask("next", (
            Field("next", AbleToAct(able), "gm", rule="SOL-091"),
            Field("intention", TextField(300), "gm", usual="", secrecy="gm", when=is_npc, rule="SOL-091", upfront=True),
            Field("reacts", OneOf(players_there), "gm", optional=True, when=is_npc, rule="SOL-072", upfront=True),
            Field("announced", TextField(300), "gm", usual="", when=is_npc, rule="SOL-072", upfront=True),
        )),
        Resolve("act",
            asking(next_to_act, lambda ctx: (ctx.encounter, ctx["next"], ctx["intention"] or "", ctx.rulings)),
                outcome=lambda state: "acting", tell=lambda ctx, state: [_acting(state)], follow=reactions,
                changes=lambda ctx, state: scene_changes(ctx, state),
                shown=lambda ctx, state: Shown(detail=GM_ONLY)),
    ),
    cast=(GAME_MASTER,),
    by="gm",
    encounter=ACTION_SCENE,
    rules=("SOL-091", "SOL-092", "SOL-072"),
)


def scene_changes(ctx: Context, state: ActionScene) -> list[Change]:
    """How the scene stands now."""
    return [
        change for name in ("participants", "acting", "first_pass_over", "ended", "intention")
        for change in changed("encounter", ctx.encounter, name, getattr(state, name), "SOL-092",
                              GM_ONLY if name == "intention" else EVERYONE)
    ]


def joined(dice: Dice, state: ActionScene, people: tuple[Participant, ...]) -> ActionScene:
    """Latecomers join the scene."""
    for one in people:
        state = scenes.joins(state, one)
    return state


def left(dice: Dice, state: ActionScene, who: str, rulings: Rulings) -> ActionScene:
    """Somebody is out of it."""
    return scenes.leaves(state, who, rulings)


def scene_move(
    name: str, step: AnyResolve, *asked: AnyField, cast: tuple[Role, ...] = (), rules: tuple[str, ...]
) -> Move:
    """A move of the game master's inside an action scene."""
    return Move(name, (*((Ask("ask", asked),) if asked else ()), step), cast=(*cast, GAME_MASTER), by="gm",
                encounter=ACTION_SCENE, rules=rules)


JOIN_SCENE = scene_move(
    "join-action-scene",
    Resolve("join", asking(joined, lambda ctx: (ctx.encounter, participants(ctx))), outcome=lambda state: "joined",
            changes=scene_changes),
    cast=(ANYBODY,), rules=("SOL-092",),
)
LEAVE_SCENE = scene_move(
    "leave-action-scene",
    Resolve("leave",
        asking(left, lambda ctx: (ctx.encounter, ctx["leaves"], ctx.rulings)), outcome=lambda state: "gone",
            changes=scene_changes),
    Field("leaves", OneOf(lambda ctx: () if ctx.encounter is None else tuple(
        one.id for one in ctx.encounter.participants if one.standing)), "gm", rule="SOL-092"),
    rules=("SOL-092",),
)
END_ACTION_SCENE = scene_move(
    "end-action-scene",
    Resolve("end", asking(lambda dice, state: scenes.ends(state), lambda ctx: (ctx.encounter,)),
            outcome=lambda state: "free_play", changes=scene_changes),
    rules=("SOL-093",),
)

ENCOUNTER = Encounter(ACTION_SCENE, ActionScene, over=lambda state: state.ended, hidden=frozenset({"intention"}))
MOVES = (
    START_ACTION_SCENE, NEXT_TO_ACT, JOIN_SCENE, LEAVE_SCENE, END_ACTION_SCENE, END_SCENE, END_EPISODE, ADD_LATE_PLAYER,
    OPEN_TABLE,
)
