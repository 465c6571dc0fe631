"""Action scenes: begun, joined, left and ended by the game master, who names whoever acts next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from paravent.dice import Dice
from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    AnyField,
    AnyResolve,
    Ask,
    Audience,
    Call,
    Change,
    Context,
    Encounter,
    Field,
    Follow,
    Heads,
    Listing,
    Many,
    Move,
    OneOf,
    Opened,
    Pills,
    Resolve,
    Role,
    Rulings,
    Shown,
    Telling,
    TextField,
    Who,
    changed,
    rule,
)
from paravent.systems.solaires.actions.particular import decides_for_npcs

from . import rules as scenes
from .errors import AlreadyActed, NotInTheScene
from .rules import ActionScene, Participant

ANYBODY = Role("participant", least=1, most=None)
EVERYBODY = Role("participant", least=1, most=None, everybody=True)
ACTION_SCENE = "action-scene"


def participants(ctx: Context) -> tuple[Participant, ...]:
    """Those who take part, the game master's among them."""
    return tuple(Participant(one.id, one.kind not in ("", "character")) for one in ctx.all("participant"))


def scene_of(ctx: Context) -> ActionScene:
    """The scene as it stands; an empty one where none is under way."""
    return ActionScene() if ctx.encounter is None else ctx.state(ActionScene)


def scene_changes(ctx: Context, state: ActionScene) -> list[Change]:
    """How the scene stands now."""
    return [
        change for name in ("participants", "acting", "order", "first_pass_over", "ended", "intention")
        for change in changed("encounter", ctx.encounter, name, getattr(state, name), "SOL-092",
                              GM_ONLY if name == "intention" else EVERYONE)
    ]


def tell_acting(ctx: Context, state: ActionScene) -> list[Telling]:
    """Whose turn it is."""
    return [Telling("outcomes.told_acting", {"who": Who(state.acting)}, EVERYONE, main=True)]


# It begins


@rule("SOL-090", "SOL-006")
def start_scene(dice: Dice, people: tuple[Participant, ...], first: str, rulings: Rulings) -> ActionScene:
    """The scene begins: whoever took the initiative acts first."""
    dice.note("SOL-090", "scene_begins", n=Heads(tuple(one.id for one in people)))
    return scenes.begin(people, first, rulings)


FIRST = Field("first", OneOf(lambda ctx: tuple(one.id for one in ctx.all("participant"))), "gm", rule="SOL-090",
              usual=lambda ctx: ctx.one("participant").id, secrecy="gm", place="essential", shape=Pills())
START_ACTION_SCENE = Move(
    "start-action-scene",
    (
        Ask("first", (FIRST,)),
        Resolve("start", lambda ctx: Call(start_scene, participants(ctx), ctx[FIRST], ctx.rulings),
                outcome=lambda state: "scene_begins", opens=lambda ctx, state: Opened(ACTION_SCENE, state),
                tell=tell_acting),
    ),
    cast=(EVERYBODY, GAME_MASTER),
    by="gm",
    rules=("SOL-090", "SOL-092"),
)


# Somebody acts


def able(ctx: Context) -> tuple[str, ...]:
    """Those who may act now."""
    scene = scene_of(ctx)
    return tuple(one.id for one in scene.participants if scenes.can_act(scene, one.id, ctx.rulings))


def players_there(ctx: Context) -> tuple[str, ...]:
    """The players' characters in the scene."""
    return tuple(one.id for one in scene_of(ctx).participants if not one.npc)


@dataclass(frozen=True)
class AbleToAct(OneOf[str]):
    """One of those who may act now; of the others in the scene it is said why not."""

    def read(self, raw: object, field: str, ctx: Context) -> str:
        standing = {one.id: one.standing for one in scene_of(ctx).participants}
        if raw in standing and raw not in able(ctx):
            raise (AlreadyActed if standing[raw] else NotInTheScene)(name=raw)
        return super().read(raw, field, ctx)


NEXT = Field("next", AbleToAct(able), "gm", rule="SOL-091", place="essential", shape=Pills())


def is_npc(ctx: Context) -> bool:
    """Whether the one named is the game master's."""
    return ctx.encounter is not None and scene_of(ctx).participant(ctx[NEXT]).npc


def may_be_npc(ctx: Context) -> bool:
    """Whether the one named is, or may yet be, the game master's: what is asked of theirs alone is asked then."""
    scene, now = scene_of(ctx), able(ctx)
    return any(one.npc and one.id in now for one in scene.participants) and is_npc(ctx)


INTENTION: Field[str | None] = Field(
    "intention", TextField(300), "gm", usual="", secrecy="gm", when=may_be_npc, rule="SOL-091", place="refinement"
)
REACTS: Field[tuple[str, ...] | None] = Field(
    "reacts", Many(OneOf(players_there), distinct=True), "gm", usual=(), when=may_be_npc, rule="SOL-072",
    place="essential",
)
ANNOUNCED: Field[str | None] = Field(
    "announced", TextField(300), "gm", usual="", when=may_be_npc, rule="SOL-072", place="essential"
)


@rule("SOL-091", "SOL-073", "SOL-083")
def next_to_act(dice: Dice, state: ActionScene, who: str, intention: str, rulings: Rulings) -> ActionScene:
    """The game master names who acts; nobody's dice are thrown for those of his."""
    return replace(scenes.acts(state, who, rulings), intention=intention)


def reactions(ctx: Context, state: ActionScene) -> list[Follow]:
    """What somebody of the game master's attempts is told, or opens a reaction; in v4 perhaps a roll of the world."""
    if not is_npc(ctx):
        return []
    if ctx.rulings.npc_action == "environment" and decides_for_npcs(ctx.rulings):
        return [Follow("environment-roll", {}, {"gm": {"question": ctx[ANNOUNCED]}})]
    return [Follow("reaction", {"initiator": [who]}, {"gm": {"event": ctx[ANNOUNCED]}}) for who in ctx[REACTS] or ()]


NEXT_TO_ACT = Move(
    "next-to-act",
    (
        Ask("next", (NEXT, INTENTION, REACTS, ANNOUNCED)),
        Resolve("act", lambda ctx: Call(next_to_act, scene_of(ctx), ctx[NEXT], ctx[INTENTION] or "", ctx.rulings),
                outcome=lambda state: "acting", tell=tell_acting, follow=reactions, changes=scene_changes,
                shown=lambda ctx, state: Shown(detail=GM_ONLY)),
    ),
    cast=(GAME_MASTER,),
    by="gm",
    encounter=ACTION_SCENE,
    rules=("SOL-091", "SOL-092", "SOL-072"),
    exists=GM_ONLY,
)


# People come and go


def joined(dice: Dice, state: ActionScene, people: tuple[Participant, ...]) -> ActionScene:
    """Latecomers join the scene."""
    for one in people:
        state = scenes.joins(state, one)
    return state


def left(dice: Dice, state: ActionScene, who: str, rulings: Rulings) -> ActionScene:
    """Somebody is out of it."""
    return scenes.leaves(state, who, rulings)


def over(dice: Dice, state: ActionScene) -> ActionScene:
    """All are back in free play."""
    return scenes.ends(state)


def scene_move(
    name: str, step: AnyResolve, *asked: AnyField, cast: tuple[Role, ...] = (), rules: tuple[str, ...],
    exists: Audience = EVERYONE, offered: Callable[[Context], bool] | None = None,
) -> Move:
    """A move of the game master's inside an action scene."""
    return Move(name, (*((Ask("ask", asked),) if asked else ()), step), cast=(*cast, GAME_MASTER), by="gm",
                encounter=ACTION_SCENE, rules=rules, exists=exists, offered=offered)


def comes_new(ctx: Context) -> bool:
    """Whether somebody would come into the scene who is not in it."""
    there = {one.id for one in scene_of(ctx).participants if one.standing}
    return not there.issuperset(one.id for one in ctx.all("participant"))


JOIN_SCENE = scene_move(
    "join-action-scene",
    Resolve("join", lambda ctx: Call(joined, scene_of(ctx), participants(ctx)), outcome=lambda state: "joined",
            auto=True, changes=scene_changes,
            tell=lambda ctx, state: [Telling("outcomes.told_joined", {"who": Who(one.id)})
                                     for one in ctx.all("participant")]),
    cast=(ANYBODY,), rules=("SOL-092",), offered=comes_new,
)
LEAVES = Field("leaves", OneOf(lambda ctx: tuple(one.id for one in scene_of(ctx).participants if one.standing)), "gm",
               rule="SOL-092", place="essential", shape=Pills())
LEAVE_SCENE = scene_move(
    "leave-action-scene",
    Resolve("leave", lambda ctx: Call(left, scene_of(ctx), ctx[LEAVES], ctx.rulings), outcome=lambda state: "gone",
            auto=True, changes=scene_changes,
            tell=lambda ctx, state: [Telling("outcomes.told_gone", {"who": Who(ctx[LEAVES])}, EVERYONE)]),
    LEAVES,
    rules=("SOL-092",),
    exists=GM_ONLY,
)
END_ACTION_SCENE = scene_move(
    "end-action-scene",
    Resolve("end", lambda ctx: Call(over, scene_of(ctx)), outcome=lambda state: "free_play", auto=True,
            changes=scene_changes),
    rules=("SOL-093",),
)

DEEDS = frozenset({"action", "opposition", "group-action", "use-psi-power", "solnet-search", "matrix-run", "run-step"})
"""What somebody does with the turn they have."""
ENCOUNTER = Encounter(
    ACTION_SCENE, ActionScene, over=lambda state: state.ended, hidden=frozenset({"intention"}),
    people=Listing("participants", stands="standing", more=frozenset({"order"}), turn=NEXT_TO_ACT.id, asks="reaction",
                   acting="acting", acted="acted", spends=DEEDS),
    without=scenes.as_known,
)
MOVES = (START_ACTION_SCENE, NEXT_TO_ACT, JOIN_SCENE, LEAVE_SCENE, END_ACTION_SCENE)
