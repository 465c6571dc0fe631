"""Moves of close combat: a fight is opened and passes in sequences; or one exchange stands alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from paravent.dice import Dice
from paravent.game import (
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    OWN_DICE,
    Actor,
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
    changed,
)

from .character import Character
from .combat import (
    DISTANCE,
    Team,
    cell_of,
    characteristic_of,
    disarmed,
    exchange,
    initiative,
    skill_used,
)
from .creation import may_claim
from .damage import pulled
from .duel import Cell, Clash, Stance, free_blow
from .fighters import (
    Landed,
    Sheet,
    body,
    declarations,
    helpless,
    landed_told,
    metres,
    numbers,
    place,
    shock_letter,
    stance,
    weapon,
)
from .reading import (
    EXTRA,
    MODS,
    SURGES,
    has,
    level_field,
    level_of,
    said,
    score_of,
    told,
    without_condition,
)
from .shooting import first_shot
from .survival import after_sequence
from .terms import Attitude, Characteristic, Column
from .wounds import Body, Harm, struck

OPPONENT = Role("opponent")
SIDES = ("initiator", "opponent")
MANY = (Role("initiator", most=None), Role("opponent", most=None), GAME_MASTER)


# A fight, opened


@dataclass(frozen=True)
class Place:
    """What everybody sees of a fighter: the side, and whether it still stands."""

    id: str
    side: str
    standing: bool = True


@dataclass(frozen=True)
class Fight:
    """A fight under way: the sequence, which side has the initiative, where it is, who still stands.

    ``fought`` are those who have fought in this sequence, ``struck_first`` those who have had their blow without reply.
    """

    sequence: int = 0
    initiative: str = ""
    place: str = ""
    sides: tuple[Place, ...] = ()
    fought: tuple[str, ...] = ()
    struck_first: tuple[str, ...] = ()

    def side_of(self, who: str) -> str:
        """The side that somebody is on."""
        return next((place.side for place in self.sides if place.id == who), "")

    def favours(self, who: str) -> bool:
        """Whether somebody still has a blow without reply: each member of the side with the initiative has one."""
        return bool(self.initiative) and self.side_of(who) == self.initiative and who not in self.struck_first

    def after(self, *fighters: str) -> Fight:
        """The fight once these have met: a new sequence begins when somebody fights for the second time."""
        anew = self.sequence == 0 or bool(set(fighters) & set(self.fought))
        first = tuple(who for who in fighters if self.favours(who))
        return replace(self, sequence=self.sequence + anew, fought=fighters if anew else (*self.fought, *fighters),
                       struck_first=(*self.struck_first, *first))

    @property
    def over(self) -> bool:
        """A fight is over when one side at most still stands."""
        return len({place.side for place in self.sides if place.standing}) < 2


FIGHT = Encounter("fight", Fight, lambda state: state.over)


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
        typed = has(ctx, actor, "dexterity")
        found.append(int(typed) if typed is not None else score_of(ctx, actor, Characteristic.DEXTERITY))
    return Team(tuple(found), int(told(ctx, f"{role}_mods") or 0))


def _read_start(ctx: Context) -> tuple[Any, ...]:
    first = ctx["initiative"] or ""
    teams = (Team((0,)), Team((0,))) if first else (_team(ctx, "initiator"), _team(ctx, "opponent"))
    aim = (_aim(ctx, "initiator"), _aim(ctx, "opponent")) if ctx["shooters"] else (0, 0)
    return first, aim, *teams


def _aim(ctx: Context, role: str) -> int:
    """The best level of Ranged combat on a side."""
    return max(level_of(ctx, actor, DISTANCE) for actor in ctx.all(role))


def _opens(ctx: Context, first: str) -> Opened:
    sides = tuple(Place(actor.id, role) for role in SIDES for actor in ctx.all(role))
    return Opened("fight", Fight(0, first, ctx["place"], sides))


START_FIGHT = Move(
    "start-fight",
    group="combat",
    by="gm",
    cast=MANY,
    rules=("EMP-070", "EMP-071", "EMP-073", "EMP-103"),
    steps=(
        Ask("sides", (
            *(Field("dexterity", Whole(0, 20), role, optional=True, secrecy="own", rule="EMP-073") for role in SIDES),
            *(level_field(role, secrecy="own") for role in SIDES),
            Field("marching_order", TextField(200), usual="", rule="EMP-071"),
        )),
        Ask("settle", (
            Field("place", TextField(120), "gm", usual="", rule="EMP-071"),
            Field("initiative", OneOf(("initiator", "opponent", "nobody")), "gm", optional=True, rule="EMP-073"),
            Field("shooters", Flag(), "gm", usual=False, rule="EMP-103"),
            *(Field(f"{role}_mods", Whole(-20, 20), "gm", usual=0, secrecy="gm", rule="EMP-073") for role in SIDES),
        )),
        Resolve("first", first_side, _read_start, outcome=lambda first: f"first_{first or 'nobody'}", opens=_opens,
                shown=lambda ctx, result: Shown(dice=GM_ONLY, detail=GM_ONLY)),
    ),
)  # fmt: skip


# An exchange


class Fought(NamedTuple):
    """An exchange: what landed on each side, and whether each roll succeeded."""

    on_a: Landed
    on_b: Landed
    ok_a: bool = False
    ok_b: bool = False


class Duellist(NamedTuple):
    """One side, ready to throw: stance, attitude, where its blow goes, what holds it back, what it can take.

    ``disarms`` is the other's Strength where the blow is aimed at the hand, else None; ``shocks`` marks a weapon that
    stuns without wounding.
    """

    stance: Stance
    attitude: Attitude
    place: str
    cap: int | None
    body: Body | None
    disarms: int | None = None
    shocks: bool = False


def fought(dice: Dice, free: str, a: Duellist, b: Duellist, rulings: Rulings) -> Fought:
    """One exchange from end to end: both throw, or only the side that strikes freely; then each blow lands."""
    if free == "opponent":
        struck_a = dice.of("opponent").resolve(free_blow, b.stance, rulings)
        result = Clash(struck_a.to_b, 0, False, struck_a.ok_a)
    elif free:
        result = dice.of("initiator").resolve(free_blow, a.stance, rulings)
    else:
        result = dice.resolve(exchange, a.attitude, a.stance, b.attitude, b.stance, rulings)
    return Fought(landed(b, a, result.to_a, rulings), landed(a, b, result.to_b, rulings), result.ok_a, result.ok_b)


def landed(striker: Duellist, target: Duellist, points: int, rulings: Rulings) -> Landed:
    """What a blow does once it is held back and meets what protects its place."""
    dropped = striker.disarms is not None and disarmed(points, striker.disarms, rulings)
    held = pulled(points, striker.cap)
    harm: Harm | None = None
    if target.body is not None:
        harm = struck(target.body, held, rulings, shock_only=striker.shocks)
    return Landed(held, striker.place, harm, dropped)


def free_of(ctx: Context) -> str:
    """Which side strikes freely: as the game master says, the initiative of a fight that begins, or a helpless foe."""
    said_so = told(ctx, "free")
    if said_so:
        return "" if said_so == "nobody" else str(said_so)
    mine, theirs = helpless(ctx.one()), helpless(ctx.one("opponent"))
    if mine != theirs:
        return "opponent" if mine else "initiator"
    state = ctx.encounter
    if isinstance(state, Fight):
        return next((role for role in SIDES if state.favours(ctx.one(role).id)), "")
    return ""


def duellist(ctx: Context, role: str, free: str) -> Duellist:
    """One side as declared; the side that only receives needs neither attitude nor blow."""
    actor = ctx.one(role)
    other = ctx.one("opponent" if role == "initiator" else "initiator")
    where = place(ctx, other)
    if free and free != role:
        return Duellist(Stance(0, 1, ""), Attitude.PARRY, "", None, body(ctx, actor, where))
    attitude = ctx.value(actor, "attitude")
    own = place(ctx, actor)
    strength = getattr(other.record, "strength", 1)
    disarms = strength if own == "hand" and ctx.value(actor, "column") is Column.PRECISE else None
    return Duellist(stance(ctx, actor, attitude), attitude, own, has(ctx, actor, "cap"), body(ctx, actor, where),
                    disarms, shocks(ctx, actor))


def shocks(ctx: Context, actor: Actor) -> bool:
    """Whether a fighter's weapon stuns without wounding."""
    return bool(shock_letter(weapon(ctx, actor))) and not hasattr(actor.record, "natural_weapon")


def _idle(ctx: Context) -> bool:
    """Whether the two attitudes lead to nothing, so that nothing more is declared."""
    if free_of(ctx) or ctx.rulings.nothing_cells != "no_dice":
        return False
    pair = [ctx.value(ctx.one(role), "attitude") for role in SIDES]
    return None not in pair and cell_of(*pair) is Cell.NOTHING


def _read_exchange(ctx: Context) -> tuple[Any, ...]:
    free = free_of(ctx)
    if _idle(ctx):
        pair = [ctx.value(ctx.one(role), "attitude") for role in SIDES]
        idle = Duellist(Stance(0, 1, ""), pair[0], "", None, None)
        return "", idle, idle._replace(attitude=pair[1]), ctx.rulings
    return free, duellist(ctx, "initiator", free), duellist(ctx, "opponent", free), ctx.rulings


def outcome_of(result: Fought) -> str:
    """Who is hurt."""
    a, b = bool(result.on_a.points or result.on_a.dropped), bool(result.on_b.points or result.on_b.dropped)
    return "both_hurt" if a and b else "a_hurt" if a else "b_hurt" if b else "nobody_hurt"


def _tell_exchange(ctx: Context, result: Fought) -> Sequence[Telling]:
    lines = [*landed_told(result.on_a, ctx.one().id), *landed_told(result.on_b, ctx.one("opponent").id)]
    return lines or [said("told_nobody_hurt")]


def after(actor: Actor, landed_on: Landed, rulings: Rulings, *, acted: bool) -> Sheet | None:
    """A fighter's sheet after a sequence: stunned no more, struck, and one sequence nearer to needing rest."""
    if not isinstance(actor.record, Character):
        return None
    over = ("stunned",) if rulings.psi_surge == "minutes" else ("stunned", *SURGES.values())
    record = replace(actor.record, conditions=without_condition(actor.record, *over))
    effort = after_sequence(record.effort, rests=not acted)
    return Sheet(replace(record, acted=effort.acted, rest_due=effort.due)).struck(landed_on)


def _exchange_changes(ctx: Context, result: Fought) -> Sequence[Change]:
    free = free_of(ctx)
    changes: list[Change] = []
    for role, landed_on in zip(SIDES, (result.on_a, result.on_b), strict=True):
        actor = ctx.one(role)
        sheet = after(actor, landed_on, ctx.rulings, acted=not free or free == role)
        if sheet is not None:
            changes += sheet.changes(actor)
    if isinstance(ctx.encounter, Fight):
        changes += _fight_changes(ctx, result)
    return changes


def _fight_changes(ctx: Context, result: Fought) -> Sequence[Change]:
    state = ctx.encounter
    down = {
        actor.id
        for actor, landed_on in ((ctx.one(), result.on_a), (ctx.one("opponent"), result.on_b))
        if landed_on.harm is not None and (landed_on.harm.life != "alive" or landed_on.harm.shape == "knocked_out")
    }
    now = state.after(ctx.one().id, ctx.one("opponent").id)
    sides = tuple(replace(place, standing=place.standing and place.id not in down) for place in state.sides)
    return [*changed("encounter", state, "sequence", now.sequence, "EMP-072"),
            *changed("encounter", state, "fought", now.fought, "EMP-072"),
            *changed("encounter", state, "struck_first", now.struck_first, "EMP-073"),
            *changed("encounter", state, "sides", sides, "EMP-084")]


def _follow_destiny(ctx: Context, result: Fought) -> Sequence[Follow]:
    """After a precise blow that succeeded, each side may claim a destiny roll."""
    free, found = free_of(ctx), []
    for role, ok in zip(SIDES, (result.ok_a, result.ok_b), strict=True):
        actor = ctx.one(role)
        if free not in ("", role) or not isinstance(actor.record, Character) or _idle(ctx):
            continue
        if may_claim(ok, ctx.value(actor, "column"), ctx.rulings):
            form = {"dice": min(5, max(3, stance(ctx, actor, ctx.value(actor, "attitude")).dice)),
                    "characteristic": characteristic_of(ctx.value(actor, "attitude")).value,
                    "skill": skill_used(weapon(ctx, actor), metres(ctx))}
            found.append(Follow("destiny-roll", {"initiator": [actor.id]}, {actor.id: form}))
    return found


def _plays(role: str) -> Any:
    """Whether a side throws at all: not where the other strikes freely."""
    return lambda ctx: free_of(ctx) in ("", role)


def _declares(role: str) -> Any:
    return lambda ctx: free_of(ctx) in ("", role) and not _idle(ctx)


FREE = Field("free", OneOf(("initiator", "opponent", "nobody")), "gm", optional=True, rule="EMP-079")
METRES = Field("metres", Whole(0, 5), "gm", usual=1, rule="EMP-078")


def _steps() -> tuple[Any, ...]:
    return (
        Ask("scene", (FREE, METRES, MODS, EXTRA, *numbers("initiator"), *numbers("opponent"))),
        Ask("attitudes", tuple(
            Field("attitude", OneOf(Attitude), role, usual=Attitude.ATTACK, secrecy="sealed", when=_plays(role),
                  rule="EMP-075")
            for role in SIDES
        )),
        Ask("declare", (*declarations("initiator", _declares("initiator")),
                        *declarations("opponent", _declares("opponent")))),
        Resolve("exchange", fought, _read_exchange, tell=_tell_exchange, outcome=outcome_of,
                success=lambda result: bool(result.on_b.points), changes=_exchange_changes, follow=_follow_destiny,
                shown=lambda ctx, result: OWN_DICE._replace(detail=GM_ONLY)),
    )


COMBAT_EXCHANGE = Move(
    "combat-exchange",
    group="combat",
    cast=(INITIATOR, OPPONENT, GAME_MASTER),
    encounter="fight",
    rules=("EMP-072", "EMP-075", "EMP-076", "EMP-077", "EMP-078", "EMP-079", "EMP-080"),
    steps=_steps(),
)
SINGLE_EXCHANGE = Move(
    "single-exchange",
    group="combat",
    cast=(INITIATOR, OPPONENT, GAME_MASTER),
    rules=COMBAT_EXCHANGE.rules,
    steps=_steps(),
)


ENCOUNTERS = {"fight": FIGHT}
MOVES = (START_FIGHT, COMBAT_EXCHANGE, SINGLE_EXCHANGE)
