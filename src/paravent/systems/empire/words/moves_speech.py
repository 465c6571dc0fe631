"""Moves of persuasion: a verbal duel to a secret target, one argument alone, a crowd, thinking for oneself again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import (
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    OWN_DICE,
    Actor,
    AnyField,
    Ask,
    Call,
    Change,
    Context,
    Encounter,
    Field,
    Flag,
    Follow,
    Listing,
    MissingField,
    Move,
    Notch,
    OneOf,
    Opened,
    Pills,
    Resolve,
    Role,
    Rulings,
    Shown,
    Telling,
    TextField,
    Track,
    Who,
    Whole,
    changed,
)
from paravent.game.errors import Withheld
from paravent.game.move import Step
from paravent.systems.empire.actions.action import Column, evasion_roll, threshold, with_extra
from paravent.systems.empire.actions.trials import (
    COLUMN,
    EVASION,
    EXTRA,
    destiny,
    evasion,
    has,
    mods_of,
    score_of,
    settled,
    settled_for,
    state_dice,
    told,
)
from paravent.systems.empire.fights.duel import Clash, Stance, free_blow
from paravent.systems.empire.fights.fighters import able
from paravent.systems.empire.people.character import Character, Condition
from paravent.systems.empire.people.conditions import with_condition, without_condition
from paravent.systems.empire.terms import MENTAL, Side, figure
from paravent.systems.empire.throws import said, set_on, to_gm

from .speech import (
    TABLE,
    Acting,
    Manner,
    MindState,
    Relation,
    Swayed,
    acted,
    argue,
    argument_dice,
    basis,
    check_opening,
    crowd_of,
    crowd_scores,
    emancipation,
    goal_points,
    has_yielded,
    leader,
    swayed,
    tone,
)

SIDES = ("initiator", "opponent")
SEEN_STATES = (MindState.SHAKEN, MindState.CONVINCED, MindState.BLINDED)
"""What everybody sees of somebody who was argued with."""
LISTENER = Role("opponent", least=0, other=True)


@dataclass(frozen=True)
class Voice:
    """Somebody who speaks or listens: on which side, and what everybody sees of their mind."""

    id: str
    side: str
    mind: str = ""


@dataclass(frozen=True)
class Talk:
    """A conversation: what is asked, how often they spoke; what it needs, what it took and the heart are secret.

    ``full`` and ``left`` are what the listener's mind can take and still has, ``last`` the points of the last argument.
    """

    target: int
    request: str = ""
    influence: int = 0
    arguments: int = 0
    relation: Relation = Relation.NEUTRAL
    scores: tuple[int, ...] = ()
    resistance: int = 0
    ended: str = ""
    speakers: tuple[Voice, ...] = ()
    full: int = 0
    left: int = 0
    last: int = 0

    @property
    def over(self) -> bool:
        """A duel is over when the request is granted or given up."""
        return bool(self.ended)


def _stands(talk: Talk, rulings: Rulings) -> Sequence[Telling]:
    """What is asked, by whom; to the game master, how far it is, and what an argument would have to be worth."""
    if not talk.speakers:
        return ()  # a conversation of people who are nobody at the table, or of an earlier version
    asks = next((voice.id for voice in talk.speakers if voice.side == "initiator"), "")
    lines = [said("told_asks", who=Who(asks), text=talk.request)] if asks and talk.request else []
    lines.append(to_gm("told_rope", n=talk.influence, target=talk.target))
    if talk.full:
        needs = {"third": -(-talk.full // 3), "half": -(-talk.full // 2), "left": talk.left}
        lines.append(to_gm("told_thresholds", **needs, last=talk.last) if talk.arguments else
                     to_gm("told_thresholds_first", **needs))
    return lines


TALK = Encounter(
    "verbal-duel", Talk, lambda talk: talk.over,
    hidden=frozenset({"target", "influence", "relation", "scores", "resistance", "full", "left", "last"}),
    people=Listing("speakers", "side", more=frozenset({"scores", "resistance", "full", "left", "last"})),
    tracks=(Track("target", "influence", notches=(
        Notch("shaken", "full", 3), Notch("convinced", "full", 2), Notch("blinded", "full"))),),
    stands=_stands,
)


def _voices(ctx: Context) -> tuple[Voice, ...]:
    """Those who speak, and those who listen, as far as they are somebody at the table."""
    return tuple(Voice(actor.id, role) for role in SIDES for actor in ctx.all(role) if actor.record is not None)


def _listener_mind(ctx: Context) -> tuple[int, int]:
    """What the listener's mind can take, and what is left of it; nothing where no sheet says so."""
    record = ctx.one("opponent").record
    return (record.mental_most, record.resistance_mental) if isinstance(record, Character) else (0, 0)


def _hear_each_other(ctx: Context) -> bool:
    """Whether nobody is past speaking and hearing, as far as a sheet says and may be read."""
    return all(able(role)(ctx) for role in SIDES)


# Opening a duel


def begin(dice: Dice, by_npc: bool, resists: Fraction | None, rulings: Rulings) -> bool:
    """Whether a duel begins: a player's character asks; one of the game master's only where the table lets it.

    Whoever is then spoken to may still slip away by a mental evasion roll.
    """
    check_opening(not by_npc, rulings)
    return not (resists is not None and dice.of("opponent").resolve(evasion_roll, resists))


def _begin_call(ctx: Context) -> Call[bool]:
    resists = evasion(ctx, ctx.one("opponent"), Side.MENTAL) if ctx[BY_NPC] and ctx.all("opponent") else None
    return Call(begin, ctx[BY_NPC], resists, ctx.rulings)


def _tell_begin(ctx: Context, begins: bool) -> Sequence[Telling]:
    return (said("told_asks", who=Who(ctx.one().id), text=ctx[REQUEST]),) if begins and ctx[REQUEST] else ()


def _opens(ctx: Context, begins: bool) -> Opened | None:
    if not begins:
        return None
    full, left = _listener_mind(ctx)
    return Opened("verbal-duel", Talk(ctx[TARGET], ctx[REQUEST], relation=ctx[RELATION], speakers=_voices(ctx),
                                      full=full, left=left))


def _half_a_mind(ctx: Context) -> int:
    """What convinces: half of what the listener's mind can take."""
    return max(1, -(-_listener_mind(ctx)[0] // 2))


REQUEST = Field("request", TextField(300), usual="", upfront=True, rule="EMP-129")
RELATION = Field("relation", OneOf(Relation), "gm", usual=Relation.NEUTRAL, secrecy="gm", probes=tuple(Relation),
                 rule="EMP-124")

TARGET = Field("target", Whole(1), "gm", usual=_half_a_mind, waits=True, secrecy="gm", rule="EMP-129")
BY_NPC = Field("by_npc", Flag(), "gm", usual=lambda ctx: ctx.one().kind == "npc", rule="EMP-120",
               when=lambda ctx: bool(ctx.rulings.npc_persuades == "on"))
VERBAL_DUEL = Move(
    "verbal-duel",
    group="speech",
    offered=lambda ctx: _hear_each_other(ctx) and (ctx.rulings.npc_persuades == "on" or ctx.one().kind != "npc"),
    cast=(INITIATOR, LISTENER, GAME_MASTER),
    rules=("EMP-120", "EMP-129"),
    steps=(
        Ask("ask", (replace(REQUEST, waits=True),)),  # what is asked for is said before anybody weighs it
        Ask("settle", (
            TARGET, RELATION, BY_NPC, replace(EVASION, role="opponent", secrecy="own", rule="EMP-120"),
        )),
        Resolve("begin", _begin_call, opens=_opens, tell=_tell_begin,
                outcome=lambda begins: "duel_begins" if begins else "slips_away",
                shown=lambda ctx, result: Shown(detail=GM_ONLY), at_once=lambda ctx: not ctx[BY_NPC]),
    ),
)


# An argument


class Said(NamedTuple):
    """An exchange of arguments: points to each side, what they do, whether each roll succeeded."""

    on_a: Swayed | None
    on_b: Swayed | None
    to_a: int = 0
    to_b: int = 0
    ok_a: bool = False
    ok_b: bool = False


class Speaker(NamedTuple):
    """One side, ready to speak: stance, manner, and the mind it has (full and present resistance)."""

    stance: Stance
    manner: Manner
    mind: tuple[int, int] | None


def spoken(dice: Dice, free: str, granted: int, a: Speaker, b: Speaker, rulings: Rulings) -> Said:
    """One exchange of arguments from end to end; a speech that nobody could resist grants what is missing."""
    if granted:
        result = Clash(0, granted, True, False)
    elif free == "opponent":
        heard = dice.of("opponent").resolve(free_blow, b.stance, rulings)
        result = Clash(heard.to_b, 0, False, heard.ok_a)
    elif free:
        result = dice.of("initiator").resolve(free_blow, a.stance, rulings)
    else:
        result = dice.resolve(argue, a.manner, a.stance, b.manner, b.stance, rulings)
    on_a = swayed(*a.mind, result.to_a, rulings) if a.mind else None
    on_b = swayed(*b.mind, result.to_b, rulings) if b.mind else None
    return Said(on_a, on_b, result.to_a, result.to_b, result.ok_a, result.ok_b)


def _free(ctx: Context) -> str:
    """Whoever is shaken takes the next argument without reacting."""
    shaken = [isinstance(ctx.one(role).record, Character) and ctx.one(role).record.suffers("shaken")
              for role in SIDES]
    return "" if shaken[0] == shaken[1] else SIDES[int(shaken[0])]


def _scores(ctx: Context, actor: Actor) -> tuple[int, ...]:
    state = ctx.encounter
    return state.scores if isinstance(state, Talk) and actor.record is None else ()


def speaker_threshold(ctx: Context, actor: Actor, manner: Manner) -> int:
    """Characteristic + skill of a manner + MODs; typed, on a sheet, or a crowd's mean."""
    typed, mods = has(ctx, actor, VALUE), mods_of(ctx, actor, Side.MENTAL)
    if typed is not None:
        return threshold(typed, 0, mods)
    name, skill = basis(manner)
    crowd = _scores(ctx, actor)
    if crowd:
        return threshold(crowd[MENTAL.index(name)], 0, mods)
    if not isinstance(actor.record, Character):
        raise MissingField(field="value", role=actor.role)
    return threshold(score_of(ctx, actor, name), actor.record.level(skill), mods)


def _relation(ctx: Context) -> Relation:
    typed = told(ctx, TOLD_RELATION)
    state = ctx.encounter
    return typed or (state.relation if isinstance(state, Talk) else Relation.NEUTRAL)


def speaker(ctx: Context, role: str) -> Speaker:
    """One side as declared."""
    actor = ctx.one(role)
    manner = ctx.value(actor, MANNER) or Manner.LOGIC
    base = argument_dice(_relation(ctx), has(ctx, actor, COLUMN) or Column.NORMAL)
    extra = (settled(ctx, actor, EXTRA) or 0) + state_dice(ctx, actor, Side.MENTAL)
    count = with_extra(base, extra, ctx.rulings)
    count = acted(count, ctx[ACTING] if role == "initiator" else Acting.ORDINARY)
    silent = _free(ctx) not in ("", role)
    limit = 0 if silent else speaker_threshold(ctx, actor, manner)
    return Speaker(Stance(limit, max(1, count), TABLE), manner, _mind(ctx, actor))


def _mind(ctx: Context, actor: Actor) -> tuple[int, int] | None:
    """The mind that an argument meets, as far as whoever asks may know."""
    try:
        return _mind_of(ctx, actor)
    except Withheld:
        return None


def _mind_of(ctx: Context, actor: Actor) -> tuple[int, int] | None:
    typed, left = has(ctx, actor, RESISTANCE), has(ctx, actor, LEFT)
    if typed is not None:
        return typed, typed if left is None else left
    if isinstance(actor.record, Character):
        return actor.record.mental_most, actor.record.resistance_mental
    if _scores(ctx, actor):
        talk = ctx.state(Talk)
        return talk.resistance, max(0, talk.resistance - talk.influence)
    return None


def _spoken_call(ctx: Context) -> Call[Said]:
    granted = _needed(ctx) if ctx[ACTING] is Acting.IRRESISTIBLE else 0
    return Call(spoken, _free(ctx), granted, speaker(ctx, "initiator"), speaker(ctx, "opponent"), ctx.rulings)


def _needed(ctx: Context) -> int:
    state = ctx.encounter
    return max(1, state.target - state.influence) if isinstance(state, Talk) else 1


def _ended(ctx: Context, result: Said) -> str:
    state = ctx.encounter
    if not isinstance(state, Talk):
        return ""
    blinded = bool(result.to_b) and result.on_b is not None and result.on_b.state is MindState.BLINDED
    if blinded or has_yielded(state.influence + result.to_b, state.target):
        return "granted"
    lost = result.on_a is not None and result.on_a.state in (MindState.CONVINCED, MindState.BLINDED)
    return "given_up" if lost and result.to_a else ""


def _listener(ctx: Context) -> Who | str:
    """Who is spoken to, as told: a crowd, for which somebody answers, is no person."""
    other = ctx.one("opponent")
    return "the_crowd" if _scores(ctx, other) else Who(other.id)


def _manners(ctx: Context, me: Who, other: Who | str) -> list[Telling]:
    """The attitudes that were turned over together; nobody hears of one against which nothing was said."""
    if _free(ctx) or ctx[ACTING] is Acting.IRRESISTIBLE:
        return []
    return [said("told_sign", who=who, attitude=(ctx.value(ctx.one(role), MANNER) or Manner.LOGIC).value)
            for who, role in zip((me, other), SIDES, strict=True)]


def _tell_spoken(ctx: Context, result: Said) -> Sequence[Telling]:
    me, other = Who(ctx.one().id), _listener(ctx)
    lines = [*_manners(ctx, me, other), said("told_tone", tone=tone(ctx.value(ctx.one(), MANNER) or Manner.LOGIC))]
    for who, points, knows in ((other, result.to_b, GM_ONLY), (me, result.to_a, frozenset({"gm", "initiator"}))):
        if points:
            lines.append(said("told_influence", knows, who=who, n=points))
    for who, points, mind in ((me, result.to_a, result.on_a), (other, result.to_b, result.on_b)):
        if points and mind is not None and mind.state in SEEN_STATES:
            lines.append(said(f"told_{mind.state.value}", who=who))
    ended = _ended(ctx, result)
    if ended and ctx.state(Talk).request:
        return [*lines, said(f"told_{ended}_request", who=other, text=ctx.state(Talk).request)]
    return [*lines, said(f"told_{ended}", who=other)] if ended else lines


ORDER = list(MindState)


def mind_changes(actor: Actor, points: int, mind: Swayed | None) -> Sequence[Change]:
    """What an argument writes on a sheet: points, the worst state so far, whether the next one is taken passively."""
    record = actor.record
    if not isinstance(record, Character) or mind is None:
        return ()
    state = max(record.mind_state, mind.state, key=ORDER.index)
    conditions = without_condition(record, "shaken")
    if points and mind.state is MindState.SHAKEN:
        conditions = with_condition(record, Condition("shaken"))
    return (*set_on(actor, "resistance_mental", mind.left, "EMP-127"), *set_on(actor, "mind_state", state, "EMP-128"),
            *set_on(actor, "conditions", conditions, "EMP-128"))


def _heard(ctx: Context, talk: Talk, result: Said) -> tuple[Voice, ...]:
    """Those in the conversation once an argument was heard, with what everybody sees of their minds."""
    seen = {ctx.one(role).id: mind.state.value for role, points, mind in (
        ("initiator", result.to_a, result.on_a), ("opponent", result.to_b, result.on_b))
        if points and mind is not None and mind.state in SEEN_STATES}
    known = {voice.id for voice in talk.speakers}
    voices = (*talk.speakers, *(voice for voice in _voices(ctx) if voice.id not in known))
    return tuple(replace(voice, mind=seen.get(voice.id, voice.mind)) for voice in voices)


def _spoken_changes(ctx: Context, result: Said) -> Sequence[Change]:
    changes = [*mind_changes(ctx.one(), result.to_a, result.on_a),
               *mind_changes(ctx.one("opponent"), result.to_b, result.on_b)]
    state = ctx.encounter
    if isinstance(state, Talk):
        changes += [
            *changed("encounter", state, "influence", state.influence + result.to_b, "EMP-129", GM_ONLY),
            *changed("encounter", state, "arguments", state.arguments + 1, "EMP-126", weight="bookkeeping"),
            *changed("encounter", state, "speakers", _heard(ctx, state, result), "EMP-128", weight="bookkeeping"),
            *changed("encounter", state, "last", result.to_b, "EMP-129", GM_ONLY, "bookkeeping"),
            *changed("encounter", state, "left", max(0, state.left - result.to_b), "EMP-127", GM_ONLY, "bookkeeping"),
            *changed("encounter", state, "ended", _ended(ctx, result), "EMP-129", weight="grave"),
        ]
    return changes


def _spoken_destiny(ctx: Context, result: Said) -> Sequence[Follow]:
    actor = ctx.one()
    if _free(ctx) == "opponent" or ctx[ACTING] is Acting.IRRESISTIBLE:
        return ()
    name, skill = basis(ctx.value(actor, MANNER) or Manner.LOGIC)
    return destiny(ctx, actor, result.ok_a, name, skill, speaker(ctx, "initiator").stance.dice)


def _outcome(result: Said) -> str:
    if result.to_a and result.to_b:
        return "both_moved"
    return "a_moved" if result.to_a else "b_moved" if result.to_b else "nobody_moved"


def _talks(role: str) -> Callable[[Context], bool]:
    return lambda ctx: _free(ctx) in ("", role)


def _what_counts(role: str) -> Callable[[Context, Manner], Telling]:
    """What a manner of speaking rests on, and what the dice may not exceed, as the sheet of a role has it."""

    def told(ctx: Context, manner: Manner) -> Telling:
        (name, skill), record = basis(manner), ctx.one(role).record
        if not isinstance(record, Character):
            return said("rests_on", characteristic=name.value, skill=skill)
        return said("rests_on_n", characteristic=name.value, skill=skill,
                    n=threshold(getattr(record, name), record.level(skill)))

    return told


VALUE: Field[int | None] = Field("value", Whole(0, 40), optional=True, secrecy="own", rule="EMP-122")
RESISTANCE: Field[int | None] = Field("resistance", Whole(0), optional=True, secrecy="own", rule="EMP-040")
LEFT: Field[int | None] = Field("left", Whole(0), optional=True, secrecy="own", rule="EMP-127")
TOLD_RELATION: Field[Relation | None] = Field("relation", OneOf(Relation), "gm", optional=True, secrecy="gm",
                                              probes=tuple(Relation), shape=Pills(weighed=False), rule="EMP-124")
"""What the listener feels now; left out, it is what it was when the duel began."""
MANNER: Field[Manner | None] = Field("manner", OneOf(Manner), usual=Manner.LOGIC, secrecy="sealed", place="essential",
                                     rule="EMP-122")
"""The secret stance of a speaker; whoever only listens is not asked."""
WORDS = Field("words", TextField(1000), usual="", when=_talks("initiator"), rule="EMP-121")
ACTING = Field("acting", OneOf(Acting), "gm", usual=Acting.ORDINARY, rule="EMP-125")


def _minds(role: str) -> tuple[AnyField, ...]:
    return tuple(replace(asked, role=role) for asked in (VALUE, RESISTANCE, LEFT))


def _steps() -> tuple[Step, ...]:
    return (
        Ask("scene", (
            TOLD_RELATION, *(field for role in SIDES for field in (*settled_for(role), *_minds(role))),
        )),
        Ask("attitudes", tuple(
            replace(MANNER, role=role, when=_talks(role), shape=Pills(weighed=False, told=_what_counts(role)))
            for role in SIDES)),
        Ask("speeches", (
            WORDS,
            replace(COLUMN, when=_talks("initiator"), rule="EMP-124"),
            replace(COLUMN, role="opponent", secrecy="own", when=_talks("opponent"), rule="EMP-124"),
            ACTING,
        )),
        Resolve("argue", _spoken_call, tell=_tell_spoken, outcome=_outcome,
                success=lambda result: bool(result.to_b),
                sides=lambda result: (*(("initiator",) if result.to_b else ()),
                                      *(("opponent",) if result.to_a else ())),
                changes=_spoken_changes, follow=_spoken_destiny,
                shown=lambda ctx, result: OWN_DICE._replace(detail=GM_ONLY)),
    )


VERBAL_EXCHANGE = Move(
    "verbal-exchange",
    group="speech",
    cast=(INITIATOR, Role("opponent", other=True, screen=True), GAME_MASTER),
    encounter="verbal-duel",
    rules=("EMP-121", "EMP-122", "EMP-123", "EMP-124", "EMP-125", "EMP-126", "EMP-127", "EMP-128"),
    steps=_steps(),
)
SINGLE_ARGUMENT = Move(
    "single-argument",
    group="speech",
    offered=_hear_each_other,
    cast=(INITIATOR, Role("opponent", other=True), GAME_MASTER),
    rules=VERBAL_EXCHANGE.rules,
    steps=_steps(),
)


# A crowd


class Swaying(NamedTuple):
    """A crowd addressed: what it takes, and the points that are needed."""

    goal: str
    points: int


def address(dice: Dice, size: int, led: bool, resistance: int) -> Swaying:
    """What it takes to move so many people: each in turn, their leader, or all of them as one."""
    crowd = crowd_of(size, led=led)
    dice.note("EMP-131", "crowd", n=size, goal=crowd.goal)
    return Swaying(crowd.goal, goal_points(crowd.kind, resistance))


def _crowd_scores(ctx: Context) -> tuple[Fraction, ...]:
    """The scores addressed: the means of those whose sheets are there, their leader's for a band, or as typed."""
    sheets = [actor.record for actor in ctx.all("opponent") if isinstance(actor.record, Character)]
    if not sheets:
        return tuple(Fraction(ctx[asked]) for asked in CROWD_MEANS)
    members = [(sheet.charm, sheet.intelligence, sheet.willpower) for sheet in sheets]
    if crowd_of(ctx[CROWD_SIZE], led=ctx[LED]).goal == "convince_leader":
        return tuple(map(Fraction, members[leader([member[2] for member in members])]))
    return crowd_scores(members)


def _crowd_resistance(ctx: Context) -> int:
    """What a crowd can take: the sum of the means, which dice and points never see a fraction of."""
    return int(sum(_crowd_scores(ctx)))


def _opens_crowd(ctx: Context, result: Swaying) -> Opened:
    scores = tuple(int(score) for score in _crowd_scores(ctx))
    return Opened("verbal-duel", Talk(ctx[CROWD_TARGET] or result.points, ctx[REQUEST], relation=ctx[RELATION],
                                      scores=scores, resistance=_crowd_resistance(ctx), speakers=_voices(ctx),
                                      full=_crowd_resistance(ctx), left=_crowd_resistance(ctx)))


CROWD_SIZE = Field("crowd_size", Whole(1), "gm", rule="EMP-131")
LED = Field("led", Flag(), "gm", usual=False, rule="EMP-131")
CROWD_MEANS = tuple(Field(f"crowd_{name.value}", Whole(0, 12), "gm", usual=7, secrecy="gm", rule="EMP-131")
                    for name in MENTAL)
CROWD_TARGET: Field[int | None] = Field("target", Whole(1), "gm", optional=True, secrecy="gm", rule="EMP-129")
SWAY_CROWD = Move(
    "sway-crowd",
    group="speech",
    cast=(INITIATOR, Role("opponent", least=0, most=None, other=True), GAME_MASTER),
    rules=("EMP-131",),
    steps=(
        Ask("ask", (REQUEST,)),
        Ask("crowd", (
            CROWD_SIZE,
            LED,
            *CROWD_MEANS,
            RELATION,
            CROWD_TARGET,
        )),
        Resolve("address", lambda ctx: Call(address, ctx[CROWD_SIZE], ctx[LED], _crowd_resistance(ctx)),
                outcome=lambda result: result.goal, opens=_opens_crowd,
                tell=lambda ctx, result: (
                    *_tell_begin(ctx, True), said("told_needs", GM_ONLY, n=ctx[CROWD_TARGET] or result.points)),
                shown=lambda ctx, result: Shown(detail=GM_ONLY)),
    ),
)


# Thinking for oneself again


class Freed(NamedTuple):
    """How long emancipation takes, and what comes back in the time there was."""

    units: Fraction
    unit: str
    back: int


def think(dice: Dice, lost: int, willpower: int, state: MindState, units: int) -> Freed:
    """Willpower points come back for each hour, day or week of thinking, away from whoever influenced."""
    needed, unit = emancipation(lost, willpower, state)
    dice.note("EMP-130", "emancipation", units=figure(needed), unit=unit)
    return Freed(needed, unit, min(lost, willpower * units))


def _think_call(ctx: Context) -> Call[Freed]:
    actor, record = ctx.one(), ctx.one().record
    lost, will, state = ctx[LOST], ctx[WILLPOWER], ctx[MIND_STATE]
    if isinstance(record, Character):
        lost = record.mental_most - record.resistance_mental if lost is None else lost
        will = record.willpower if will is None else will
        state = record.mind_state if state is None else state
    if lost is None or will is None:
        raise MissingField(field="lost" if lost is None else "willpower", role=actor.role)
    if state is None or state is MindState.FREE:
        state = MindState.INFLUENCED
    return Call(think, lost, will, state, ctx[UNITS] if ctx[AWAY] else 0)


def _thought(ctx: Context, result: Freed) -> Sequence[Change]:
    actor = ctx.one()
    if not isinstance(actor.record, Character):
        return ()
    now = min(actor.record.mental_most, actor.record.resistance_mental + result.back)
    free = now == actor.record.mental_most
    return (*set_on(actor, "resistance_mental", now, "EMP-130"),
            *(set_on(actor, "mind_state", MindState.FREE, "EMP-130") if free else ()))


LOST: Field[int | None] = Field("lost", Whole(0), optional=True, rule="EMP-130")
WILLPOWER: Field[int | None] = Field("willpower", Whole(1, 12), optional=True, rule="EMP-130")
MIND_STATE: Field[MindState | None] = Field("mind_state", OneOf(tuple(MindState)[1:]), optional=True, rule="EMP-128")
UNITS = Field("units", Whole(0), "gm", usual=0, rule="EMP-130")
AWAY = Field("away", Flag(), "gm", usual=True, rule="EMP-130")
EMANCIPATION = Move(
    "emancipation",
    group="speech",
    by="gm",
    suits=lambda ctx: ctx.one().sheet(Character).mind_state is not MindState.FREE,
    rules=("EMP-130",),
    steps=(
        Ask("think", (LOST, WILLPOWER, MIND_STATE, UNITS, AWAY)),
        Resolve("think", _think_call, outcome=lambda result: "thinks",
                tell=lambda ctx, result: (said("told_emancipation", units=figure(result.units), unit=result.unit,
                                               n=result.back),),
                changes=_thought),
    ),
)

ENCOUNTERS = {"verbal-duel": TALK}
MOVES = (VERBAL_DUEL, VERBAL_EXCHANGE, SINGLE_ARGUMENT, SWAY_CROWD, EMANCIPATION)
