"""Moves of a mêlée: one against several, and ambushes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from paravent.dice import Dice
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
    Pills,
    Resolve,
    Role,
    Rulings,
    Shown,
    Telling,
    Who,
    rule,
)
from paravent.game.errors import Withheld
from paravent.systems.empire.actions.action import Column, roll_under
from paravent.systems.empire.actions.trials import (
    COLUMN,
    DIFFICULTY,
    EXTRA,
    LEVEL,
    MODS,
    settled_for,
    through_skill,
    trial,
)
from paravent.systems.empire.people.character import IN_WAIT, ON_GUARD
from paravent.systems.empire.terms import TABLES, Characteristic
from paravent.systems.empire.throws import PAIR, Generate, said, set_on

from .combat import Attacker, Attitude, Faced, check_attackers, goes_on, hint, one_against_many
from .combat import order as fighting_order
from .damage import pulled
from .fight import Fight
from .fighters import (
    FOES,
    METRES,
    Landed,
    able,
    body,
    check_able,
    declarations,
    helpless,
    landed_told,
    numbers,
    place,
    unable,
    wounding,
)
from .moves_fight import ATTITUDE, SIDES, Duellist, blow_destiny, landed, passive, ready, sign_told, written
from .wounds import Body

# One against several


class Met(NamedTuple):
    """One attacker met: what landed on the lone fighter and on the attacker, and how it went."""

    on_lone: Landed
    on_foe: Landed
    faced: Faced


class Pairing(NamedTuple):
    """The lone fighter ready to meet one attacker, and that attacker."""

    lone: Duellist
    foe: Duellist


    @property
    def attacker(self) -> Attacker:
        """The attacker as one of several."""
        return Attacker(self.foe.stance, self.foe.attitude, self.lone.attitude, self.lone.stance)


def several(dice: Dice, pairs: tuple[Pairing, ...], standing: bool, rulings: Rulings) -> tuple[Met, ...]:
    """Each attacker in turn: what landed on the lone fighter, on the attacker, whether it was faced."""
    attackers = tuple(pair.attacker for pair in pairs)
    faced: tuple[Faced, ...] = dice.resolve(one_against_many, pairs[0].lone.stance, attackers, standing, rulings)
    left, found = pairs[0].lone.body, []
    for one, pair in zip(faced, pairs, strict=True):
        lone = pair.lone
        if isinstance(lone.body, Body) and isinstance(left, Body):
            lone = lone._replace(body=lone.body._replace(current=left.current))
        on_lone = landed(pair.foe, lone, one.to_lone, rulings)
        if isinstance(left, Body) and on_lone.harm is not None:
            left = left._replace(current=on_lone.harm.left)
        found.append(Met(on_lone, landed(lone, pair.foe, one.to_attacker, rulings), one))
    return tuple(found)


class Hurt(NamedTuple):
    """The gist of a fight against several: who is hurt at all, and whether the next would still be faced."""

    lone: bool = False
    foe: bool = False
    standing: bool = True


def one_gist(dice: Dice, pair: Pairing, standing: bool, rulings: Rulings) -> Hurt:
    """Whether one attacker hurts the lone fighter, or is hurt."""
    (one,) = dice.resolve(one_against_many, pair.lone.stance, (pair.attacker,), standing, rulings)
    return Hurt(pulled(one.to_lone, pair.foe.cap) > 0, pulled(one.to_attacker, pair.lone.cap) > 0,
                goes_on(pair.attacker, one, rulings))


def several_gist(dice: Dice, pairs: tuple[Pairing, ...], standing: bool, rulings: Rulings) -> Hurt:
    """Whether anybody is hurt: all that may land in a fight against several is too much to list."""
    if not pairs:
        return Hurt(standing=standing)
    first = dice.resolve(one_gist, pairs[0], standing, rulings)
    rest = dice.resolve(several_gist, pairs[1:], first.standing, rulings)
    return Hurt(first.lone or rest.lone, first.foe or rest.foe)


def _hurt(results: Sequence[Met] | Hurt) -> Hurt:
    """Who is hurt, by all that landed or by the gist of it."""
    if isinstance(results, Hurt):
        return results
    return Hurt(any(one.on_lone.points for one in results), any(one.on_foe.points for one in results))


def _met_with(ctx: Context, foe: Actor) -> Attitude:
    """The attitude that the lone fighter keeps for one of them; whom nobody sees, they meet as it comes."""
    seen = [other.id for other in ctx.in_view("opponent")]
    return ctx.value(ctx.one(), AGAINST[seen.index(foe.id)]) if foe.id in seen else Attitude.ATTACK


def _ordered(ctx: Context) -> list[tuple[Actor, Pairing]]:
    """The attackers in the order in which they strike: the best first, or as the game master lined them up."""
    lone, found = ctx.one(), []
    for foe in _attackers(ctx):
        taken = body(ctx, lone, place(ctx, foe, lone))
        mine = ready(ctx, lone, foe, _met_with(ctx, foe), taken) if _stands(ctx) else passive(ctx, lone, taken)
        theirs = ready(ctx, foe, lone, ctx.value(foe, ATTITUDE), body(ctx, foe, place(ctx, lone, foe)))
        found.append((foe, Pairing(mine, theirs)))
    if ctx[AS_LISTED]:
        return found
    order = fighting_order([Attacker(pair.foe.stance, pair.foe.attitude, pair.lone.attitude) for _, pair in found])
    return [found[at] for at in order]


@rule("EMP-084", "EMP-094")
def _attackers(ctx: Context) -> list[Actor]:
    """Those who strike: whoever has fallen since they were counted is passed over."""
    return [foe for foe in ctx.all("opponent") if not unable(ctx, foe)]


def _stands(ctx: Context) -> bool:
    """Whether the lone fighter can face anybody at all: not when helpless, nor when the many have the initiative."""
    return _faces(ctx, _attackers(ctx))


def _seems_to_stand(ctx: Context) -> bool:
    """The same, as everybody sees it."""
    return _faces(ctx, [foe for foe in ctx.in_view("opponent") if _seems_to_strike(ctx, foe)])


def _seems_to_strike(ctx: Context, foe: Actor) -> bool:
    """Whether an attacker stands, as far as whoever asks may know."""
    try:
        return not unable(ctx, foe)
    except Withheld:
        return True


def _faces(ctx: Context, foes: Sequence[Actor]) -> bool:
    fight = ctx.encounter
    surprised = isinstance(fight, Fight) and any(fight.favours(foe.id) for foe in foes)
    return not surprised and not helpless(ctx, ctx.one())


def _many_call(ctx: Context) -> Call[tuple[Met, ...]]:
    attackers = _attackers(ctx)
    check_able(ctx, *(attackers or ctx.all("opponent")))
    check_attackers(ctx[SITUATION], len(attackers))
    return Call(several, tuple(pair for _, pair in _ordered(ctx)), _stands(ctx), ctx.rulings)


def _tell_many(ctx: Context, results: Sequence[Met]) -> Sequence[Telling]:
    lines: list[Telling] = []
    for (actor, _), met in zip(_ordered(ctx), results, strict=True):
        lines.append(said("told_faced" if met.faced.faced else "told_strikes_freely", who=Who(actor.id)))
        lines += landed_told(met.on_lone, ctx.one().id, "initiator")
        lines += landed_told(met.on_foe, actor.id)
    return lines


def _many_changes(ctx: Context, results: Sequence[Met]) -> Sequence[Change]:
    lone, met = ctx.one(), list(zip(_ordered(ctx), results, strict=True))
    acting = [*((lone,) if _stands(ctx) else ()), *(actor for (actor, _), _ in met)]
    blows = [pair for (actor, _), one in met for pair in ((lone, one.on_lone), (actor, one.on_foe))]
    return written(ctx, acting, blows)


def _many_destiny(ctx: Context, results: Sequence[Met]) -> Sequence[Follow]:
    """After precise blows that succeeded, the lone fighter claims one destiny roll, and so does each attacker."""
    lone, found, claimed = ctx.one(), list[Follow](), False
    for (actor, _), met in zip(_ordered(ctx), results, strict=True):
        if not claimed and met.faced.faced:
            found += (mine := blow_destiny(ctx, lone, met.faced.ok_lone, _met_with(ctx, actor)))
            claimed = bool(mine)
        found += blow_destiny(ctx, actor, met.faced.ok_attacker, ctx.value(actor, ATTITUDE))
    return found


def _many_outcome(results: Sequence[Met] | Hurt) -> str:
    hurt, hurts, _ = _hurt(results)
    return "many_hurt" if hurt and hurts else "a_hurt" if hurt else "some_hurt" if hurts else "nobody_hurt"


def _outnumbered(ctx: Context) -> bool:
    """Whether somebody of a fight under way faces several."""
    fight = ctx.encounter
    return isinstance(fight, Fight) and any(
        sum(place.side == role and place.standing for place in fight.sides) > 1 for role in SIDES)


def _strikes(ctx: Context) -> bool:
    """The same, of the one who is asked."""
    return _seems_to_strike(ctx, ctx.one("opponent"))


def _against(at: int) -> Field[Attitude]:
    """The attitude kept for one of the attackers, in the order in which they are listed."""
    def is_met(ctx: Context) -> bool:
        foes = ctx.in_view("opponent")
        return len(foes) > at and _seems_to_strike(ctx, foes[at]) and _seems_to_stand(ctx)

    return Field(f"attitude{at + 1}", OneOf(Attitude), usual=Attitude.ATTACK, secrecy="sealed", place="essential",
                 shape=Pills(weighed=False, told=sign_told), when=is_met, rule="EMP-075")


MOST = 4
AGAINST = tuple(_against(at) for at in range(MOST))
SITUATION = Field("situation", OneOf(lambda ctx: TABLES["attackers"].keys()), "gm", usual="open_ground",
                  rule="EMP-092")
AS_LISTED = Field("as_listed", Flag(), "gm", usual=False, rule="EMP-093")
ONE_AGAINST_MANY = Move(
    "one-against-many",
    group="combat",
    by="gm",
    suits=_outnumbered,
    offered=able("opponent"),
    cast=(INITIATOR, Role("opponent", most=MOST, also=FOES, other=True), GAME_MASTER),
    rules=("EMP-092", "EMP-093", "EMP-094"),
    steps=(
        Ask("scene", (
            SITUATION, AS_LISTED, METRES,
            *(field for role in SIDES for field in (*settled_for(role), *wounding(role), *numbers(role))),
        )),
        Ask("attitudes", (*AGAINST, replace(ATTITUDE, role="opponent", when=_strikes, shape=Pills(
            weighed=False, told=lambda ctx, sign: sign_told(ctx, sign, "opponent"))),
            *declarations("initiator", _seems_to_stand), *declarations("opponent", _strikes))),
        Generate("fight", _many_call, tell=_tell_many, outcome=_many_outcome,
                 success=lambda results: _hurt(results).foe,
                 sides=lambda results: (*(("initiator",) if _hurt(results).foe else ()),
                                        *(("opponent",) if _hurt(results).lone else ())),
                 changes=_many_changes, gist=several_gist,
                 follow=_many_destiny, shown=lambda ctx, result: OWN_DICE._replace(detail=GM_ONLY)),
    ),
)


# Ambush


class Ambush(NamedTuple):
    """An ambush set or looked for: whether the test succeeded, and what was noticed."""

    success: bool
    hint: str


def ambush(dice: Dice, who: str, limit: int, count: int, column: Column, detects: bool) -> Ambush:
    """Set an ambush, or look for one; what is noticed depends on how precisely one looked."""
    rolled = dice.of(who).resolve(roll_under, count, limit)
    return Ambush(rolled.success, hint(rolled.success, column) if detects else "")


def _ambush_call(ctx: Context) -> Call[Ambush]:
    settled = trial(ctx, ctx.one(), "31", Characteristic.DEXTERITY)
    detects = ctx[PURPOSE] == "detect"
    return Call(ambush, "gm" if detects else "initiator", settled.threshold, settled.dice, settled.column, detects)


def _tell_ambush(ctx: Context, result: Ambush) -> Sequence[Telling]:
    if ctx[PURPOSE] == "set":
        return (said("told_ambush_set" if result.success else "told_ambush_seen", PAIR),)
    there = result.success and ctx[SOMETHING_THERE]
    key = f"hint_{result.hint}" if there else "hint_nothing"
    return (said(key, PAIR), said("told_detected" if result.success else "told_undetected", GM_ONLY))


def _lies_in_wait(ctx: Context, result: Ambush) -> Sequence[Change]:
    """What only the game master keeps of it: who lies in wait, who is on their guard, until the next fight begins."""
    if ctx[PURPOSE] == "set":
        kept = IN_WAIT if result.success else ""
    else:
        kept = ON_GUARD if result.success and ctx[SOMETHING_THERE] else ""
    return [replace(change, audience=GM_ONLY) for change in set_on(ctx.one(), "ambush", kept, "EMP-074", "certain")]


PURPOSE = Field("purpose", OneOf(("set", "detect")), usual="detect", place="essential", shape=Pills(weighed=False),
                rule="EMP-074")
SOMETHING_THERE = Field("something_there", Flag(), "gm", usual=True, secrecy="gm", rule="EMP-074")
AMBUSH = Move(
    "ambush",
    group="combat",
    rules=("EMP-074",),
    exists=PAIR,
    steps=(
        Ask("declare", (
            PURPOSE,
            replace(through_skill("31"), secrecy="own"),
            replace(LEVEL, secrecy="own"),
            replace(COLUMN, secrecy="own"),
        )),
        Ask("settle", (DIFFICULTY, MODS, EXTRA, SOMETHING_THERE)),
        Resolve("test", _ambush_call, tell=_tell_ambush, blind=True,
                outcome=lambda result: "success" if result.success else "failure",
                success=lambda result: result.success, changes=_lies_in_wait,
                shown=lambda ctx, result: Shown(PAIR, GM_ONLY, GM_ONLY)),
    ),
)
MOVES = (ONE_AGAINST_MANY, AMBUSH)
