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
    MissingField,
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

from .action import roll_under
from .character import Carried, Character, Condition
from .combat import (
    DISTANCE,
    Act,
    Attacker,
    Faced,
    Team,
    acts,
    cell_of,
    characteristic_of,
    check_attackers,
    disarmed,
    exchange,
    hint,
    initiative,
    one_against_many,
    skill_used,
)
from .combat import order as fighting_order
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
    weapons_of,
)
from .holds import Grip, Held, break_free, break_free_threshold, hold, hold_characteristic, released
from .reading import (
    DIFFICULTY,
    EXTRA,
    MODS,
    PAIR,
    SURGES,
    column_field,
    evasion,
    has,
    level_field,
    level_of,
    said,
    score_field,
    score_of,
    set_on,
    thrown_by,
    told,
    trial,
    with_condition,
    without_condition,
)
from .shooting import first_shot
from .survival import after_sequence
from .terms import TABLES, Attitude, Characteristic, Column, Height, Side
from .wounds import Body, Harm, fall, ground_dice, struck

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
    first: str = ""
    place: str = ""
    sides: tuple[Place, ...] = ()
    fought: tuple[str, ...] = ()
    struck_first: tuple[str, ...] = ()

    def side_of(self, who: str) -> str:
        """The side that somebody is on."""
        return next((place.side for place in self.sides if place.id == who), "")

    def favours(self, who: str) -> bool:
        """Whether somebody still has a blow without reply: each member of the side with the initiative has one."""
        return bool(self.first) and self.side_of(who) == self.first and who not in self.struck_first

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
                    disarms, _shocks(ctx, actor))


def _shocks(ctx: Context, actor: Actor) -> bool:
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


# One against several


def several(dice: Dice, lone: Duellist, many: tuple[tuple[Attacker, Duellist], ...], rulings: Rulings
            ) -> tuple[tuple[Landed, Landed, bool], ...]:
    """Each attacker in turn, the best first: what landed on the lone fighter, on the attacker, whether it was faced."""
    faced: tuple[Faced, ...] = dice.resolve(
        one_against_many, lone.stance, tuple(attacker for attacker, _ in many), True, rulings)
    body_now, found = lone.body, []
    for one, (_, foe) in zip(faced, many, strict=True):
        on_lone = landed(foe, lone._replace(body=body_now), one.to_lone, rulings)
        if body_now is not None and on_lone.harm is not None:
            body_now = body_now._replace(current=on_lone.harm.left)
        found.append((on_lone, landed(lone, foe, one.to_attacker, rulings), one.faced))
    return tuple(found)


def _ordered(ctx: Context) -> list[tuple[Actor, Attacker, Duellist]]:
    found = []
    for actor in ctx.all("opponent"):
        side = _foe(ctx, actor)
        found.append((actor, Attacker(side.stance, side.attitude, ctx.value(ctx.one(), "attitude")), side))
    order = fighting_order([attacker for _, attacker, _ in found])
    return [found[at] for at in order]


def _foe(ctx: Context, actor: Actor) -> Duellist:
    attitude = ctx.value(actor, "attitude")
    return Duellist(stance(ctx, actor, attitude), attitude, place(ctx, actor), has(ctx, actor, "cap"),
                    body(ctx, actor, place(ctx, ctx.one())), shocks=_shocks(ctx, actor))


def _read_many(ctx: Context) -> tuple[Any, ...]:
    lone = ctx.one()
    check_attackers(ctx["situation"], len(ctx.all("opponent")))
    attitude = ctx.value(lone, "attitude")
    where = place(ctx, ctx.one("opponent"))
    me = Duellist(stance(ctx, lone, attitude), attitude, place(ctx, lone), has(ctx, lone, "cap"),
                  body(ctx, lone, where), shocks=_shocks(ctx, lone))
    return me, tuple((attacker, side) for _, attacker, side in _ordered(ctx)), ctx.rulings


def _tell_many(ctx: Context, results: Sequence[tuple[Landed, Landed, bool]]) -> Sequence[Telling]:
    lines: list[Telling] = []
    for (actor, _, _), (on_lone, on_foe, faced) in zip(_ordered(ctx), results, strict=True):
        lines.append(said("told_faced" if faced else "told_strikes_freely", who=actor.id))
        lines += landed_told(on_lone, ctx.one().id)
        lines += landed_told(on_foe, actor.id)
    return lines


def _many_changes(ctx: Context, results: Sequence[tuple[Landed, Landed, bool]]) -> Sequence[Change]:
    lone = ctx.one()
    sheet = Sheet(lone.record) if isinstance(lone.record, Character) else None
    changes: list[Change] = []
    for (actor, _, _), (on_lone, on_foe, _) in zip(_ordered(ctx), results, strict=True):
        sheet = sheet.struck(on_lone) if sheet is not None else None
        if isinstance(actor.record, Character):
            changes += Sheet(actor.record).struck(on_foe).changes(actor)
    return [*changes, *(sheet.changes(lone) if sheet is not None else ())]


def _many_outcome(results: Sequence[tuple[Landed, Landed, bool]]) -> str:
    hurt, hurts = any(one[0].points for one in results), any(one[1].points for one in results)
    return "both_hurt" if hurt and hurts else "a_hurt" if hurt else "b_hurt" if hurts else "nobody_hurt"


ONE_AGAINST_MANY = Move(
    "one-against-many",
    group="combat",
    by="gm",
    cast=(INITIATOR, Role("opponent", most=4), GAME_MASTER),
    rules=("EMP-092", "EMP-093", "EMP-094"),
    steps=(
        Ask("scene", (
            Field("situation", OneOf(lambda ctx: TABLES["attackers"].keys()), "gm", usual="open_ground",
                  rule="EMP-092"),
            METRES, MODS, EXTRA, *numbers("initiator"), *numbers("opponent"),
        )),
        Ask("attitudes", tuple(
            Field("attitude", OneOf(Attitude), role, usual=Attitude.ATTACK, secrecy="sealed", rule="EMP-075")
            for role in SIDES
        )),
        Ask("declare", (*declarations("initiator"), *declarations("opponent"))),
        Resolve("fight", several, _read_many, tell=_tell_many, outcome=_many_outcome,
                success=lambda results: any(one[1].points for one in results), changes=_many_changes,
                shown=lambda ctx, result: OWN_DICE._replace(detail=GM_ONLY)),
    ),
)  # fmt: skip


# Ambush


class Ambush(NamedTuple):
    """An ambush set or looked for: whether the test succeeded, and what was noticed."""

    success: bool
    hint: str


def ambush(dice: Dice, who: str, limit: int, count: int, column: Column, detects: bool) -> Ambush:
    """Set an ambush, or look for one; what is noticed depends on how precisely one looked."""
    rolled = dice.of(who).resolve(roll_under, count, limit)
    return Ambush(rolled.success, hint(rolled.success, column) if detects else "")


def _read_ambush(ctx: Context) -> tuple[Any, ...]:
    settled = trial(ctx, ctx.one(), "31", Characteristic.DEXTERITY)
    detects = ctx["purpose"] == "detect"
    return "gm" if detects else "initiator", settled.threshold, settled.dice, settled.column, detects


def _tell_ambush(ctx: Context, result: Ambush) -> Sequence[Telling]:
    if ctx["purpose"] == "set":
        return (said("told_ambush_set" if result.success else "told_ambush_seen", GM_ONLY),)
    there = result.success and ctx["something_there"]
    key = f"hint_{result.hint}" if there else "hint_nothing"
    return (said(key, PAIR), said("told_detected" if result.success else "told_undetected", GM_ONLY))


AMBUSH = Move(
    "ambush",
    group="combat",
    rules=("EMP-074",),
    exists=PAIR,
    steps=(
        Ask("declare", (
            Field("purpose", OneOf(("set", "detect")), usual="detect", rule="EMP-074"),
            score_field(secrecy="own"),
            level_field(secrecy="own"),
            column_field(secrecy="own"),
        )),
        Ask("settle", (
            DIFFICULTY, MODS, EXTRA,
            Field("something_there", Flag(), "gm", usual=True, secrecy="gm", rule="EMP-074"),
        )),
        Resolve("test", ambush, _read_ambush, tell=_tell_ambush, blind=True,
                outcome=lambda result: "success" if result.success else "failure",
                success=lambda result: result.success,
                shown=lambda ctx, result: Shown(PAIR, GM_ONLY, GM_ONLY)),
    ),
)  # fmt: skip


# Holds


def _read_hold(ctx: Context) -> tuple[Any, ...]:
    actor = ctx.one()
    typed = has(ctx, actor, "value")
    if typed is None and not isinstance(actor.record, Character):
        raise MissingField(field="value", role=actor.role)
    name = hold_characteristic(ctx.rulings)
    limit = int(typed) if typed is not None else score_of(ctx, actor, name) + actor.record.level("32")
    return limit + int(told(ctx, "mods") or 0), ctx["height"], ctx["grip"], ctx.rulings


def _held_changes(ctx: Context, result: Held) -> Sequence[Change]:
    victim = ctx.one("opponent")
    record = victim.record
    if not isinstance(record, Character):
        return ()
    if not result.holds:
        return _let_go(victim)
    held = Condition("held")
    choke = next((c for c in record.conditions if c.name == "choked"), Condition("choked"))
    added = (held, replace(choke, amount=choke.amount + result.points)) if result.points else (held,)
    left = max(0, record.resistance_physical - result.points)
    states = with_condition(record, *added)
    if result.points and left == 0:
        states = (*states, Condition("dead" if record.resistance_physical == 0 else "coma"))
    return (*set_on(victim, "conditions", states, "EMP-095"), *set_on(victim, "resistance_physical", left, "EMP-097"))


def _let_go(victim: Actor) -> Sequence[Change]:
    """A hold that ends: what a choke took comes back, unless it killed."""
    record = victim.record
    choke = next((c.amount for c in record.conditions if c.name == "choked"), 0)
    back = released(choke, record.suffers("dead"))
    kept = without_condition(record, "held", "choked", *(("coma",) if back else ()))
    return (*set_on(victim, "conditions", kept, "EMP-095"),
            *set_on(victim, "resistance_physical", min(record.physical_most, record.resistance_physical + back),
                    "EMP-097"))


HOLD = Move(
    "hold",
    group="combat",
    cast=(INITIATOR, OPPONENT, GAME_MASTER),
    rules=("EMP-095", "EMP-097"),
    steps=(
        Ask("declare", (
            Field("value", Whole(0, 40), optional=True, secrecy="own", rule="EMP-095"),
            Field("grip", OneOf(Grip), usual=Grip.IMMOBILISE, rule="EMP-095"),
            Field("height", OneOf(Height), usual=Height.MIDDLE, rule="EMP-095"),
            MODS,
        )),
        Resolve("hold", hold, _read_hold, outcome=lambda result: "seized" if result.holds else "slips",
                success=lambda result: result.holds,
                tell=lambda ctx, result: (said("told_choked", who=ctx.one("opponent").id, n=result.points),)
                if result.points else (),
                changes=_held_changes, shown=lambda ctx, result: OWN_DICE),
    ),
)  # fmt: skip


def _read_free(ctx: Context) -> tuple[Any, ...]:
    me, holder = ctx.one(), ctx.one("opponent")
    mine = has(ctx, me, "strength")
    theirs = has(ctx, holder, "strength")
    mine = score_of(ctx, me, Characteristic.STRENGTH) if mine is None else mine
    theirs = score_of(ctx, holder, Characteristic.STRENGTH) if theirs is None else theirs
    limit = break_free_threshold(evasion(ctx, me, Side.PHYSICAL), mine, theirs, ctx["sequences"])
    return "initiator", break_free, limit


BREAK_FREE = Move(
    "break-free",
    group="combat",
    cast=(INITIATOR, OPPONENT, GAME_MASTER),
    rules=("EMP-096", "EMP-097"),
    steps=(
        Ask("declare", (
            Field("evasion", Whole(0, 20), optional=True, secrecy="own", rule="EMP-096"),
            *(Field("strength", Whole(0, 30), role, optional=True, secrecy="own", rule="EMP-096") for role in SIDES),
            Field("sequences", Whole(0), "gm", usual=0, rule="EMP-097"),
        )),
        Resolve("roll", thrown_by, _read_free, outcome=lambda freed: "freed" if freed else "still_held", success=bool,
                changes=lambda ctx, freed: _let_go(ctx.one())
                if freed and isinstance(ctx.one().record, Character) else (),
                shown=lambda ctx, result: OWN_DICE),
    ),
)  # fmt: skip


# A fall


def fallen(dice: Dice, centimetres: int, count: int, target: Body | None, rulings: Rulings) -> Landed:
    """A fall, and what it does to whoever falls."""
    points = dice.resolve(fall, centimetres, count, rulings)
    return Landed(points, "body", struck(target, points, rulings) if target is not None else None)


FALL = Move(
    "fall",
    group="combat",
    by="gm",
    rules=("EMP-098",),
    steps=(
        Ask("fall", (
            Field("drop_cm", Whole(0), "gm", rule="EMP-098"),
            Field("ground", OneOf(lambda ctx: TABLES["grounds"].keys()), "gm", usual="earth", rule="EMP-098"),
            Field("dice", Whole(1, 10), "gm", optional=True, rule="EMP-098"),
            *numbers("initiator"),
        )),
        Resolve("fall", fallen,
                lambda ctx: (ctx["drop_cm"], ctx["dice"] or ground_dice(ctx["ground"]), body(ctx, ctx.one(), "body"),
                             ctx.rulings),
                outcome=lambda result: "fallen", tell=lambda ctx, result: landed_told(result, ctx.one().id),
                changes=lambda ctx, result: Sheet(ctx.one().record).struck(result).changes(ctx.one())
                if isinstance(ctx.one().record, Character) else (),
                shown=lambda ctx, result: Shown(dice=GM_ONLY, detail=GM_ONLY)),
    ),
)  # fmt: skip


# Drawing, reloading, setting


def readied(dice: Dice, act: Act, open_to: tuple[Act, ...]) -> bool:
    """Whether the act fits: a weapon in hand is not drawn again, an empty one wants a spare magazine."""
    return act in open_to


def _held_weapon(ctx: Context) -> Any:
    record = ctx.one().record
    carried = getattr(record, "weapons", ())
    return next((one for one in carried if one.weapon == ctx["weapon"]), None)


def _read_ready(ctx: Context) -> tuple[Any, ...]:
    held = _held_weapon(ctx)
    if ctx["act"] == "set_power":
        return Act.MOVE, (Act.MOVE,)
    if held is None:
        return Act(ctx["act"]), (Act.DRAW, Act.RELOAD)
    return Act(ctx["act"]), acts(held.ready, held.loaded, held.magazines > 0)


def _readied(ctx: Context, done: bool) -> Sequence[Change]:
    held, actor = _held_weapon(ctx), ctx.one()
    if held is None or not done:
        return ()
    after_act = {
        "draw": replace(held, state=Carried.IN_HAND, power=ctx["power"] or held.power),
        "reload": replace(held, state=Carried.IN_HAND, magazines=max(0, held.magazines - 1)),
        "set_power": replace(held, power=ctx["power"]),
    }[ctx["act"]]
    return set_on(actor, "weapons", tuple(after_act if one is held else one for one in actor.record.weapons),
                  "EMP-072")


READY_WEAPON = Move(
    "ready-weapon",
    group="combat",
    rules=("EMP-072", "EMP-107"),
    steps=(
        Ask("declare", (
            Field("act", OneOf(("draw", "reload", "set_power")), usual="draw", rule="EMP-072"),
            Field("weapon", OneOf(lambda ctx: weapons_of(ctx, "initiator")),
                  usual=lambda ctx: weapons_of(ctx, "initiator")[0], rule="EMP-072"),
            Field("power", Whole(0, 5), usual=0, rule="EMP-107"),
        )),
        Resolve("ready", readied, _read_ready, outcome=lambda done: "readied" if done else "not_readied",
                changes=_readied),
    ),
)  # fmt: skip

ENCOUNTERS = {"fight": FIGHT}
MOVES = (START_FIGHT, COMBAT_EXCHANGE, SINGLE_EXCHANGE, ONE_AGAINST_MANY, AMBUSH, HOLD, BREAK_FREE, FALL, READY_WEAPON)
