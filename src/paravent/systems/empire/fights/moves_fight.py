"""Moves of close combat: a fight is opened and passes in sequences; or one exchange stands alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from paravent.dice import Dice, kept_with_odds
from paravent.game import (
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    OWN_DICE,
    Actor,
    Ask,
    Call,
    Change,
    Context,
    Field,
    Flag,
    Follow,
    Move,
    OneOf,
    Opened,
    People,
    Pills,
    Resolve,
    Role,
    Rulings,
    Shown,
    Telling,
    TextField,
    Who,
    Whole,
    rule,
)
from paravent.game.move import Step
from paravent.systems.empire.actions.action import Column
from paravent.systems.empire.actions.trials import (
    COLUMN,
    LEVEL,
    SURGES,
    destiny,
    has,
    level_of,
    score_of,
    settled_for,
    told,
)
from paravent.systems.empire.beasts.animals import Animal
from paravent.systems.empire.machines.kinds import Robot
from paravent.systems.empire.machines.robots import formec_characteristic
from paravent.systems.empire.people.character import IN_WAIT, ON_GUARD, Character
from paravent.systems.empire.people.conditions import without_condition, without_trance
from paravent.systems.empire.people.survival import after_sequence
from paravent.systems.empire.terms import Characteristic
from paravent.systems.empire.throws import said, set_on

from .combat import (
    DISTANCE,
    FIST,
    KICK,
    Attitude,
    Team,
    animal_characteristic,
    cell_of,
    characteristic_of,
    disarmed,
    exchange,
    initiative,
    weapon_level,
)
from .damage import pulled
from .duel import Cell, Clash, Stance, free_blow
from .fight import CAMPS, FIGHT, Fight, Place, fight_changes, placed_changes, rest_changes
from .fighters import (
    CAP,
    FOES,
    METRES,
    WOUND_SIDE,
    Landed,
    Sheet,
    Shell,
    body,
    check_able,
    declarations,
    helpless,
    landed_told,
    lands,
    numbers,
    place,
    shock_letter,
    skill_of,
    stance,
    states,
    stepped_in,
    stopped,
    threshold_known,
    unable,
    weapon,
    wounding,
    wreck_changes,
)
from .shooting import first_shot, shaken_off, shocked
from .wounds import Body

FIGHTER = replace(INITIATOR, also=FOES)
OPPONENT = Role("opponent", also=FOES, other=True)
SIDES = ("initiator", "opponent")
NEITHER = "neither"
"""Nobody strikes: both have fallen since the exchange began."""
MANY = (Role("initiator", most=None, also=FOES), Role("opponent", most=None, also=FOES, other=True), GAME_MASTER)


# A fight, opened


def first_side(dice: Dice, told_first: str, aim: tuple[int, int], one: Team, other: Team) -> str:
    """Which side strikes first: as the game master says, the better shot between shooters, or the swifter."""
    if told_first:
        return "" if told_first == "nobody" else told_first
    better = first_shot(*aim)
    if better:
        dice.note("EMP-103", "better_shot", one=aim[0], other=aim[1])
        return SIDES[better - 1]
    return SIDES[dice.of("gm").resolve(initiative, one, other) - 1]


def _team(ctx: Context, role: str) -> Team:
    found = []
    for actor in ctx.all(role):
        typed = has(ctx, actor, DEXTERITY)
        found.append(typed if typed is not None else _swiftness(ctx, actor))
    return Team(tuple(found), told(ctx, TEAM_MODS[role]) or 0)


def _swiftness(ctx: Context, actor: Actor) -> int:
    """What somebody brings to the initiative: Dexterity; a beast does everything by Strength, a machine by quality."""
    if isinstance(actor.record, Robot):
        return formec_characteristic(actor.record.quality)
    beast = isinstance(actor.record, Animal)
    return score_of(ctx, actor, Characteristic.STRENGTH if beast else Characteristic.DEXTERITY)


def _start_call(ctx: Context) -> Call[str]:
    first = ctx[INITIATIVE] or ""
    teams = (Team((0,)), Team((0,))) if first else (_team(ctx, "initiator"), _team(ctx, "opponent"))
    aim = (_aim(ctx, "initiator"), _aim(ctx, "opponent")) if ctx[SHOOTERS] else (0, 0)
    return Call(first_side, first, aim, *teams)


def _aim(ctx: Context, role: str) -> int:
    """The best level of Ranged combat on a side."""
    return max(level_of(ctx, actor, DISTANCE) for actor in ctx.all(role))


@rule("EMP-073", "EMP-074")
def _surprises(ctx: Context) -> str | None:
    """The side that lies in wait while nobody of the other is on their guard: it has the initiative."""
    def kept(role: str, what: str) -> bool:
        return any(getattr(actor.record, "ambush", "") == what for actor in ctx.all(role))

    found = [role for role, other in zip(SIDES, reversed(SIDES), strict=True)
             if kept(role, IN_WAIT) and not kept(other, ON_GUARD) and not kept(other, IN_WAIT)]
    return found[0] if found else None


def _seen_now(ctx: Context, first: str) -> Sequence[Change]:
    """Once they fight, nobody lies in wait any more."""
    return [replace(change, audience=GM_ONLY) for role in SIDES for actor in ctx.all(role)
            for change in set_on(actor, "ambush", "", "EMP-074", "bookkeeping")]


def _opens(ctx: Context, first: str) -> Opened:
    sides = tuple(Place(actor.id, role) for role in SIDES for actor in ctx.all(role))
    return Opened("fight", Fight(0, first, ctx[PLACE], sides, metres=ctx[BEGUN_AT]))


def camp_told(ctx: Context, role: str) -> Telling | None:
    """Who is on a side, by name."""
    camp = tuple(actor.id for actor in ctx.all(role)) if role in SIDES else ()
    return Telling("cells.camp", {"who": People(camp)}) if camp else None


DEXTERITY: Field[int | None] = Field("dexterity", Whole(0, 20), optional=True, secrecy="own", rule="EMP-073")
TEAM_MODS = {role: Field(f"{role}_mods", Whole(-20, 20), "gm", usual=0, secrecy="gm", rule="EMP-073") for role in SIDES}
MARCHING_ORDER = Field("marching_order", TextField(200), usual="", rule="EMP-071")
PLACE = Field("place", TextField(120), "gm", usual="", rule="EMP-071")
INITIATIVE: Field[str | None] = Field("initiative", OneOf(("initiator", "opponent", "nobody")), "gm", optional=True,
                                      usual=lambda ctx: _surprises(ctx), place="essential",
                                      shape=Pills(weighed=False, told=camp_told, named=True), rule="EMP-073")
BEGUN_AT: Field[int | None] = Field("metres", Whole(0, 5000), "gm", optional=True, place="essential", rule="EMP-071")
"""How far apart the sides are when it begins; left unsaid, whoever strikes is near enough, whoever shoots is not."""
SHOOTERS = Field("shooters", Flag(), "gm", usual=False, rule="EMP-103")
START_FIGHT = Move(
    "start-fight",
    group="combat",
    by="gm",
    cast=MANY,
    rules=("EMP-070", "EMP-071", "EMP-073", "EMP-103"),
    steps=(
        Ask("sides", (
            *(replace(DEXTERITY, role=role) for role in SIDES),
            *(replace(LEVEL, role=role, secrecy="own") for role in SIDES),
            MARCHING_ORDER,
        )),
        Ask("settle", (
            PLACE,
            BEGUN_AT,
            INITIATIVE,
            SHOOTERS,
            *TEAM_MODS.values(),
        )),
        Resolve("first", _start_call, outcome=lambda first: f"first_{first or 'nobody'}", opens=_opens,
                changes=_seen_now, shown=lambda ctx, result: Shown(dice=GM_ONLY, detail=GM_ONLY)),
    ),
)


# An exchange


class Fought(NamedTuple):
    """An exchange: what landed on each side, and whether each roll succeeded."""

    on_a: Landed
    on_b: Landed
    ok_a: bool = False
    ok_b: bool = False


class Duellist(NamedTuple):
    """One side, ready to throw: stance, attitude, where its blow goes, what holds it back, what it can take.

    ``disarms`` is the other's Strength where the blow is meant to disarm, else None; ``shocks`` marks a weapon that
    stuns without wounding, ``holds`` is the weapon in hand, ``side`` the side of the body on which it would be hurt.
    """

    stance: Stance
    attitude: Attitude
    place: str
    cap: int | None
    body: Body | Shell | None
    disarms: int | None = None
    shocks: bool = False
    holds: str = ""
    side: str = ""


def fought(dice: Dice, free: str, a: Duellist, b: Duellist, rulings: Rulings) -> Fought:
    """One exchange from end to end: both throw, or only the side that strikes freely; then each blow lands."""
    if free == NEITHER:
        result = Clash(0, 0)
    elif free == "opponent":
        struck_a = dice.of("opponent").resolve(free_blow, b.stance, rulings)
        result = Clash(struck_a.to_b, 0, False, struck_a.ok_a)
    elif free:
        result = dice.of("initiator").resolve(free_blow, a.stance, rulings)
    else:
        result = dice.resolve(exchange, a.attitude, a.stance, b.attitude, b.stance, rulings)
    on_a, on_b = landed(b, a, result.to_a, rulings), landed(a, b, result.to_b, rulings)
    return Fought(_felt(dice, "initiator", b, a, on_a, rulings), _felt(dice, "opponent", a, b, on_b, rulings),
                  result.ok_a, result.ok_b)


def _felt(dice: Dice, role: str, striker: Duellist, target: Duellist, blow: Landed, rulings: Rulings) -> Landed:
    """A weapon that only shocks may ask its victim for a roll instead."""
    rolls = striker.shocks and rulings.stunners == "endurance_roll"
    if not rolls or not blow.points or not isinstance(target.body, Body):
        return blow
    falls = dice.of(role).resolve(shocked, target.body.endurance)
    return blow._replace(harm=shaken_off(falls, target.body, blow.points))


@kept_with_odds  # odds bring the same blow down again and again
@lru_cache(maxsize=4096)
def landed(striker: Duellist, target: Duellist, points: int, rulings: Rulings) -> Landed:
    """What a blow does once it is held back and meets what protects its place."""
    aim = striker.disarms
    dropped = target.holds if aim is not None and disarmed(points, aim, rulings) else ""
    held, level = pulled(points, striker.cap), weapon_level(striker.holds or FIST)
    blow = lands(target.body, held, striker.place, level, rulings, shock_only=striker.shocks)
    return blow._replace(dropped=dropped, side=target.side if points else "")


def free_of(ctx: Context) -> str:
    """Which side strikes freely: as the game master says, the initiative of a fight that begins, or a helpless foe;
    nobody does anything where both have fallen."""
    said_so = told(ctx, FREE)
    if said_so:
        return "" if said_so == "nobody" else said_so
    both = ctx.one(), ctx.one("opponent")
    mine, theirs = (helpless(ctx, actor) for actor in both)
    if mine and theirs:  # whoever does nothing at all is struck even by somebody who only reels
        mine, theirs = (unable(ctx, actor) for actor in both)
        if mine and theirs:
            return NEITHER
    if mine != theirs:
        return "opponent" if mine else "initiator"
    state = ctx.encounter
    if isinstance(state, Fight):
        return next((role for role in SIDES if state.favours(ctx.one(role).id)), "")
    return ""


def strikers(ctx: Context) -> list[Actor]:
    """Who strikes in an exchange: both, or the one who does so freely."""
    free = free_of(ctx)
    return [ctx.one(role) for role in SIDES if free in ("", role)]


def duellist(ctx: Context, role: str, free: str) -> Duellist:
    """One side as declared; the side that only receives needs neither attitude nor blow."""
    actor = ctx.one(role)
    other = ctx.one("opponent" if role == "initiator" else "initiator")
    taken = body(ctx, actor, place(ctx, other, actor))
    if free and free != role:
        return passive(ctx, actor, taken)
    return ready(ctx, actor, other, ctx.value(actor, ATTITUDE), taken)


def passive(ctx: Context, actor: Actor, taken: Body | Shell | None) -> Duellist:
    """A fighter who only receives."""
    return Duellist(Stance(0, 1, ""), Attitude.PARRY, "", None, taken, holds=weapon(ctx, actor),
                    side=has(ctx, actor, WOUND_SIDE) or "")


def ready(ctx: Context, actor: Actor, other: Actor, attitude: Attitude, taken: Body | Shell | None) -> Duellist:
    """A fighter ready to meet another with an attitude; a precise blow held back, at the hand, is meant to disarm."""
    cap = has(ctx, actor, CAP)
    gently = place(ctx, actor) == "hand" and ctx.value(actor, COLUMN) is Column.PRECISE and cap is not None
    return Duellist(
        stance(ctx, actor, attitude), attitude, place(ctx, actor, other), cap, taken,
        int(getattr(other.record, "strength", 1)) if gently else None, shocks(ctx, actor), weapon(ctx, actor),
        has(ctx, actor, WOUND_SIDE) or "",
    )


def shocks(ctx: Context, actor: Actor) -> bool:
    """Whether a fighter's weapon stuns without wounding."""
    return bool(shock_letter(weapon(ctx, actor))) and not isinstance(actor.record, Animal)


def _idle(ctx: Context) -> bool:
    """Whether the two attitudes lead to nothing, so that nothing more is declared."""
    if free_of(ctx) or ctx.rulings.nothing_cells != "no_dice":
        return False
    mine, theirs = _attitudes(ctx)
    return mine is not None and theirs is not None and cell_of(mine, theirs) is Cell.NOTHING


def _attitudes(ctx: Context) -> tuple[Attitude | None, Attitude | None]:
    """What both have chosen; None for whoever is not asked."""
    return has(ctx, ctx.one(), ATTITUDE), has(ctx, ctx.one("opponent"), ATTITUDE)


def _exchange_call(ctx: Context) -> Call[Fought]:
    free = free_of(ctx)
    check_able(ctx, *strikers(ctx))
    if _idle(ctx):
        nothing = Stance(0, 1, "")
        mine, theirs = (Duellist(nothing, ctx.value(ctx.one(role), ATTITUDE), "", None, None) for role in SIDES)
        return Call(fought, "", mine, theirs, ctx.rulings)
    return Call(fought, free, duellist(ctx, "initiator", free), duellist(ctx, "opponent", free), ctx.rulings)


def outcome_of(result: Fought) -> str:
    """Who is hurt."""
    a, b = bool(result.on_a.points or result.on_a.dropped), bool(result.on_b.points or result.on_b.dropped)
    return "both_hurt" if a and b else "a_hurt" if a else "b_hurt" if b else "nobody_hurt"


def _tell_exchange(ctx: Context, result: Fought) -> Sequence[Telling]:
    lines = [*landed_told(result.on_a, ctx.one().id, "initiator"),
             *landed_told(result.on_b, ctx.one("opponent").id, "opponent")]
    return [*_signs(ctx), *(lines or [said("told_nobody_hurt")])]


def _signs(ctx: Context) -> list[Telling]:
    """The signs that were turned over together; nobody hears of one who struck alone."""
    if free_of(ctx):
        return []
    return [said("told_sign", who=Who(actor.id), attitude=ctx.value(actor, ATTITUDE).value)
            for actor in (ctx.one(), ctx.one("opponent"))]


def before_blow(ctx: Context, actor: Actor, *, acts: bool) -> Sheet | None:
    """A fighter's sheet when a sequence comes: stunned no more, awake again, rested or nearer to needing rest."""
    record, state = actor.record, ctx.encounter
    if not isinstance(record, Character):
        return None
    awake = () if "knocked_out" in states(ctx, actor) else ("knocked_out",)
    trances = record.trances if ctx.rulings.psi_surge == "minutes" else without_trance(record, *SURGES.values())
    effort = record.effort
    if isinstance(state, Fight):
        effort = state.rested(actor.id, effort, state.coming(*(one.id for one in ctx.actors))) if acts else effort
        effort = after_sequence(effort, rests=False) if acts else effort
    else:
        effort = after_sequence(effort, rests=not acts)
    return Sheet(replace(record, conditions=without_condition(record, "stunned", *awake), trances=trances,
                         acted=effort.acted, rest_due=effort.due), ctx.rulings)


def written(
    ctx: Context, acting: Sequence[Actor], blows: Sequence[tuple[Actor, Landed]], *, missed: Sequence[Actor] = ()
) -> Sequence[Change]:
    """What a sequence writes: on the sheet of each who acts or is struck, and on the fight.

    ``missed`` are those whose holder missed a blow with bare hands: they slip out of the hold.
    """
    changes: list[Change] = []
    for actor in dict.fromkeys((*(actor.id for actor in acting), *(actor.id for actor, _ in blows))):
        one = ctx.actor(actor)
        sheet = before_blow(ctx, one, acts=any(other.id == actor for other in acting))
        for _, blow in (pair for pair in blows if pair[0].id == actor):
            sheet = sheet.struck(blow) if sheet is not None else None
        if sheet is not None:
            let_go = any(other.id == actor for other in missed)
            changes += (sheet.released() if let_go else sheet).changes(one)
    harms = [(actor, blow.harm) for actor, blow in blows]
    return [*changes, *wreck_changes(blows), *fight_changes(
        ctx, acting, harms, stopped=stopped(blows), closing=stepped_in(ctx, acting), joining=True)]


def _exchange_changes(ctx: Context, result: Fought) -> Sequence[Change]:
    mine, theirs = ctx.one(), ctx.one("opponent")
    acting = strikers(ctx)
    slips = [other for striker, ok, other in ((mine, result.ok_a, theirs), (theirs, result.ok_b, mine))
             if acting == [striker] and not ok and weapon(ctx, striker) in (FIST, KICK)]
    return written(ctx, acting, [(mine, result.on_a), (theirs, result.on_b)], missed=slips)


def _follow_destiny(ctx: Context, result: Fought) -> Sequence[Follow]:
    """After a precise blow that succeeded, each side may claim a destiny roll."""
    free, found = free_of(ctx), list[Follow]()
    for role, ok in zip(SIDES, (result.ok_a, result.ok_b), strict=True):
        actor = ctx.one(role)
        if free in ("", role) and not _idle(ctx):
            found += blow_destiny(ctx, actor, ok, ctx.value(actor, ATTITUDE))
    return found


def blow_destiny(ctx: Context, actor: Actor, ok: bool, attitude: Attitude) -> Sequence[Follow]:
    """The destiny roll that a precise blow lets a player claim; beasts and robots have none."""
    if isinstance(actor.record, Animal | Robot):
        return ()
    dice = stance(ctx, actor, attitude).dice if ok else 0
    return destiny(ctx, actor, ok, characteristic_of(attitude), skill_of(ctx, weapon(ctx, actor)), dice)


def _open_to(role: str) -> Callable[[Context], Sequence[Attitude]]:
    """The attitudes to choose from: whoever strikes freely attacks or feints."""
    return lambda ctx: (Attitude.ATTACK, Attitude.FEINT) if free_of(ctx) == role else tuple(Attitude)


def _plays(role: str) -> Callable[[Context], bool]:
    """Whether a side throws at all: not where the other strikes freely."""
    return lambda ctx: free_of(ctx) in ("", role)


FREE: Field[str | None] = Field("free", OneOf(("initiator", "opponent", "nobody")), "gm", optional=True,
                                shape=Pills(weighed=False, told=camp_told, named=True), rule="EMP-079")
ATTITUDE = Field("attitude", OneOf(Attitude), usual=Attitude.ATTACK, secrecy="sealed", place="essential",
                 shape=Pills(weighed=False, told=lambda ctx, sign: sign_told(ctx, sign)), rule="EMP-075")
"""The secret stance; whoever only receives is not asked."""


def sign_told(ctx: Context, attitude: Attitude, role: str = "initiator") -> Telling:
    """What a sign rests on, and the number to stay under with what is in hand."""
    actor = ctx.one(role)
    number, rests_on = threshold_known(ctx, actor, attitude), _rests_on(actor, attitude)
    if number is None:
        return Telling("cells.sign_alone", {"characteristic": rests_on})
    return Telling("cells.sign", {"characteristic": rests_on, "n": number})


def _rests_on(actor: Actor, attitude: Attitude) -> str:
    """What an attitude goes by: a characteristic, or the mechanical quality of a robot."""
    if isinstance(actor.record, Robot):
        return "quality"
    return (animal_characteristic if isinstance(actor.record, Animal) else characteristic_of)(attitude).value


def _sign(role: str) -> Field[Attitude]:
    return replace(ATTITUDE, type=OneOf(_open_to(role)), role=role, when=_plays(role),
                   shape=Pills(weighed=False, told=lambda ctx, sign: sign_told(ctx, sign, role)))


def _goes_on(ctx: Context) -> bool:
    """Whether the next sequence of a duel begins by itself: both stand, and nobody should rest first."""
    state = ctx.encounter
    return isinstance(state, Fight) and state.fresh(ctx.one().id, ctx.one("opponent").id)


def _steps() -> tuple[Step, ...]:
    return (
        Ask("scene", (FREE, METRES, *(field for role in SIDES for field in (
            *settled_for(role), *wounding(role), *numbers(role))))),
        Ask("attitudes", tuple(asked for role in SIDES for asked in (_sign(role), *declarations(role, _plays(role))))),
        Resolve("exchange", _exchange_call, tell=_tell_exchange, outcome=outcome_of,
                success=lambda result: bool(result.on_b.points),
                sides=lambda result: (*(("initiator",) if result.on_b.points else ()),
                                      *(("opponent",) if result.on_a.points else ())),
                changes=_exchange_changes, follow=_follow_destiny,
                shown=lambda ctx, result: OWN_DICE._replace(detail=GM_ONLY)),
    )


COMBAT_EXCHANGE = Move(
    "combat-exchange",
    group="combat",
    cast=(FIGHTER, OPPONENT, GAME_MASTER),
    encounter="fight",
    goes_on=_goes_on,
    rules=("EMP-072", "EMP-075", "EMP-076", "EMP-077", "EMP-078", "EMP-079", "EMP-080"),
    steps=_steps(),
)
SINGLE_EXCHANGE = Move(
    "single-exchange",
    group="combat",
    cast=(FIGHTER, OPPONENT, GAME_MASTER),
    rules=COMBAT_EXCHANGE.rules,
    steps=_steps(),
)


# Where everybody stands, and a breath


def stands(dice: Dice, posture: str) -> str:
    """Where somebody stands is nobody's luck."""
    return posture


def _short_of_breath(ctx: Context) -> bool:
    state = ctx.encounter
    place = state.place_of(ctx.one().id) if isinstance(state, Fight) else None
    return place is not None and bool(place.breath)


def _camp_told(ctx: Context, camp: str) -> Telling | None:
    """Who is in a camp of the fight under way, by name."""
    state = ctx.encounter
    there = tuple(place.id for place in state.sides if place.side == camp) if isinstance(state, Fight) else ()
    return Telling("cells.camp", {"who": People(there)}) if there else None


def _comes_in(ctx: Context) -> bool:
    """Whether somebody is placed who was not in the fight."""
    state = ctx.encounter
    return isinstance(state, Fight) and any(state.place_of(actor.id) is None for actor in ctx.all("initiator"))


CAMP = Field("camp", OneOf(CAMPS), "gm", usual="opponent", place="essential", when=_comes_in,
             shape=Pills(weighed=False, told=_camp_told, named=True), rule="EMP-071")
POSTURE = Field("posture", OneOf(("standing_up", "in_cover", "out_of_sight", "crouching", "lying")), "gm",
                usual="standing_up", place="essential", shape=Pills(weighed=False), rule="EMP-071")
WHERE = Field("where", TextField(60), "gm", usual="", rule="EMP-071")
AWAY = Field("apart", Whole(0, 5000), "gm", place="essential", rule="EMP-071",
             usual=lambda ctx: (isinstance(ctx.encounter, Fight) and ctx.encounter.metres) or 1)
MOVING = Field("moving", Flag(), "gm", usual=False, rule="EMP-072")
TAKE_POSITION = Move(
    "take-position",
    group="combat",
    by="gm",
    cast=(Role("initiator", most=None, also=FOES), GAME_MASTER),
    encounter="fight",
    rules=("EMP-071", "EMP-072"),
    steps=(
        Ask("place", (CAMP, POSTURE, AWAY, WHERE, MOVING)),
        Resolve("place", lambda ctx: Call(stands, ctx[POSTURE]), outcome=lambda posture: "placed",
                tell=lambda ctx, posture: [said("told_placed", who=Who(actor.id), posture=posture, n=ctx[AWAY])
                                           for actor in ctx.all("initiator")],
                changes=lambda ctx, posture: placed_changes(ctx, ctx.all("initiator"), ctx[CAMP], posture, ctx[WHERE],
                                                            ctx[AWAY], ctx[MOVING])),
    ),
)
CATCH_BREATH = Move(
    "catch-breath",
    group="combat",
    encounter="fight",
    suits=_short_of_breath,
    rules=("EMP-171",),
    steps=(
        Resolve("rest", lambda ctx: Call(stands, "rested"), outcome=lambda rested: "rested",
                tell=lambda ctx, rested: (said("told_rests", who=Who(ctx.one().id)),),
                changes=lambda ctx, rested: rest_changes(ctx, ctx.one())),
    ),
)
ENCOUNTERS = {"fight": FIGHT}
MOVES = (START_FIGHT, COMBAT_EXCHANGE, SINGLE_EXCHANGE, TAKE_POSITION, CATCH_BREATH)
