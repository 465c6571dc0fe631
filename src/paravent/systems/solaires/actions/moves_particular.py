"""Particular actions: a group's, an opposition, the world's own roll; and the chances at a glance."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import Any, NamedTuple

from paravent.dice import Dice, best, fraction_text
from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    INVISIBLE,
    OPEN,
    Actor,
    Ask,
    Audience,
    Change,
    Context,
    Field,
    Flag,
    Move,
    OneOf,
    Resolve,
    Role,
    Rulings,
    Shown,
    Telling,
    TextField,
    Whole,
    asking,
    rule,
)
from paravent.systems.solaires.facts import SIDES, TABLES, Attitude, Preference, Use
from paravent.systems.solaires.people.character import Figure
from paravent.systems.solaires.points.rules import cost_of
from paravent.systems.solaires.reading import (
    ACTOR,
    HELPER,
    MEMBER,
    OPPONENT,
    THING,
    called,
    element_fields,
    hindrances_of,
    in_v5,
    own_elements,
    payers_of,
    scale_field,
    scale_of,
    used_by,
)

from .action import Action, Payer, Terms, action
from .difficulty import opposed_difficulty
from .elements import Used, check_elements, declared_handicap
from .moves_action import (
    ROLL,
    action_move,
    describe_steps,
    members_of,
    note_target,
    points_paid,
    read_action,
    roll_step,
    terms,
    weigh_step,
)
from .particular import Environment, GroupTrial, check_edition, check_sides, environment, majority, opposition
from .steps import DIFFICULTY, announce_steps, check_actor, effect_steps, element_steps, needs_roll, signed

# A group


def one_roll(ctx: Context) -> bool:
    """Whether one roll stands for the whole group."""
    return needs_roll(ctx) and ctx.rulings.group_rule == "one_roll"


def each_rolls(ctx: Context) -> bool:
    """Whether each member rolls."""
    return needs_roll(ctx) and ctx.rulings.group_rule == "majority"


def read_group(ctx: Context) -> tuple[Any, ...]:
    """One roll for all: the group's elements, from two characters if there are two."""
    check_edition(ctx.rulings)
    return read_action(ctx, "member")


def read_majority(ctx: Context) -> tuple[Hashable, ...]:
    """Each member's own target."""
    check_edition(ctx.rulings)
    base: int = ctx.results[DIFFICULTY]
    mine = own_elements(ctx, ctx.one())
    others = [used_by(ctx, one, "lent") for one in ctx.all("member")]
    return (tuple(own_terms(ctx, one, base, check_elements(used, ctx.rulings))
                  for one, used in zip(members_of(ctx), (mine, *others), strict=True)),)


def own_terms(ctx: Context, actor: Actor, base: int, used: tuple[Used, ...]) -> Terms:
    """The terms of one member: his elements and his handicap, the game master's effects; nobody pays for dice."""
    hindered = declared_handicap(hindrances_of(ctx, actor), used, ctx.rulings)
    return terms(ctx, base, used)._replace(handicap=hindered, payers=())


def tell_majority(ctx: Context, trial: GroupTrial) -> list[Telling]:
    """How many passed, and what it makes; then the side effects of each."""
    key = "told_group_passes" if trial.success else "told_group_fails"
    said = [Telling(f"outcomes.{key}", {"n": sum(trial.passed), "of": len(trial.passed)})]
    return said + [
        Telling("outcomes.told_member", {"who": called(actor), "effect": effect.text or effect.kind})
        for actor, effects in zip(members_of(ctx), trial.effects, strict=True) for effect in effects
    ]


GROUP_ACTION = action_move(
    "group-action", ("SOL-071", "SOL-070"), helpers=MEMBER, when=in_v5,
    throws=(
        roll_step(one_roll, "member", read=read_group),
        Resolve("rolls", asking(majority, read_majority), tell=tell_majority, when=each_rolls,
                success=lambda trial: trial.success, outcome=lambda trial: "success" if trial.success else "failure"),
    ),
)


# An opposition


@rule("SOL-080")
def opposed(dice: Dice, engaged: tuple[Used, ...], interest: int, both_players: bool, rulings: Rulings) -> int:
    """The difficulty that the other side makes: at most two elements, under the same rule as anybody's."""
    check_sides(both_players, rulings)
    check_elements(engaged, rulings)
    return opposed_difficulty(tuple(one.score for one in engaged), interest, rulings)


def read_opposed(ctx: Context) -> tuple[Hashable, ...]:
    """What the other side engages."""
    check_actor(ctx)
    players = not any(isinstance(one.record, Figure) for one in (ctx.one(), ctx.one("opponent")))
    interest = scale_of(ctx, "scenario_interest") if ctx.rulings.opposition_interest == "true" else 0
    return own_elements(ctx, ctx.one("opponent")), interest, players, ctx.rulings


def attack(dice: Dice, base: int, used: tuple[Used, ...], agreed: Terms) -> Action:
    """Add up the aggressor's score to beat, then roll."""
    note_target(dice, base, used, agreed.target)
    return dice.then(opposition, agreed)


OPPOSITION = Move(
    "opposition",
    (
        *announce_steps(),
        Ask("engaged", tuple(element_fields("opponent"))),
        Ask("scales", (scale_field("scenario_interest", waits=False,
                                   when=lambda ctx: ctx.rulings.opposition_interest == "true"),)),
        *effect_steps(needs_roll),
        Resolve(DIFFICULTY,
            asking(opposed, read_opposed), auto=True, outcome=lambda total: "difficulty", when=needs_roll,
                tell=lambda ctx, total: [Telling("outcomes.told_difficulty", {"total": signed(total)}, EVERYONE)]),
        *element_steps(needs_roll, HELPER.id, weigh_step(needs_roll)),
        roll_step(needs_roll, resolved=attack),
        *describe_steps(),
    ),
    cast=(ACTOR, OPPONENT, HELPER, THING, GAME_MASTER),
    rules=("SOL-080", "SOL-073", "SOL-057"),
)


# The world


PAYER = Role("payer", record="character", least=0, most=None,
             when=lambda rulings: rulings.reroll_environment == "true")


def known_to(ctx: Context) -> Audience:
    """Nobody but the game master knows of a roll behind the screen."""
    return GM_ONLY if ctx["hidden"] else EVERYONE


def world_payers(ctx: Context) -> tuple[Payer, ...]:
    """Who may have a die of the world thrown again: nobody, unless the table says and the roll is open (R-26)."""
    if ctx.rulings.reroll_environment == "false" or ctx["hidden"]:
        return ()
    return payers_of(ctx, ctx.all("payer"))


def tell_world(ctx: Context, world: Environment) -> list[Telling]:
    """What the world decides, and whether more may come of it."""
    said = [Telling("outcomes.told_favourable" if world.favourable else "outcomes.told_unfavourable",
                    {"n": world.kept, "question": ctx["question"]}, known_to(ctx))]
    return [*said, Telling("outcomes.told_extra", {}, known_to(ctx))] if world.extra_allowed else said


def world_changes(ctx: Context, world: Environment) -> list[Change]:
    """Points paid for dice thrown again."""
    return points_paid(world.spent, ctx.all("payer"))


ENVIRONMENT_ROLL = Move(
    "environment-roll",
    (
        Ask("question", (
            Field("question", TextField(300), "gm", usual="", rule="SOL-083", upfront=True),
            Field("preference", OneOf(Preference), "gm", usual=Preference.NEUTRAL, secrecy="gm", rule="SOL-081",
                  upfront=True),
            Field("hidden", Flag(), "gm", usual=False, secrecy="gm", rule="SOL-081", upfront=True),
        )),
        Resolve(ROLL,
            asking(environment, lambda ctx: (ctx["preference"], world_payers(ctx), ctx.rulings)), tell=tell_world,
                outcome=lambda world: "favourable" if world.favourable else "unfavourable",
                success=lambda world: world.favourable, changes=world_changes,
                shown=lambda ctx, world: INVISIBLE if ctx["hidden"] else Shown(detail=GM_ONLY)),
    ),
    cast=(PAYER, GAME_MASTER),
    by="gm",
    rules=("SOL-081", "SOL-082", "SOL-083"),
    exists=known_to,
)


# Chances at a glance


class Chances(NamedTuple):
    """The exact chance of success against each target from 1 to 5, rerolls included."""

    chances: tuple[str, ...]


@rule("SOL-045")
def aid(target: int) -> tuple[int, str]:
    """The rule of thumb: 7, 25 or 50 in a hundred, of success up to 3, of failure beyond."""
    row = TABLES["aid"].row(target)
    return int(row["percent"]), str(row["of"])


@rule("SOL-045", "SOL-043")
def chances(dice: Dice, rerolls: int, rulings: Rulings) -> Chances:
    """The exact chances, with so many dice thrown again by somebody who plays for success."""
    cost = cost_of(Use.REROLL_DIE, rulings)
    payers = (Payer("initiator", rerolls * cost),) if rerolls else ()
    found = [best(action, Terms(target, Attitude.STABLE, payers=payers, reroll=cost), goal=lambda done: done.success)
             for target in range(1, SIDES)]
    return Chances(tuple(fraction_text(one.value) for one in found))


def tell_chances(ctx: Context, found: Chances) -> list[Telling]:
    """One line a target, with the rule of thumb where nothing is thrown again."""
    said = []
    for target, chance in enumerate(found.chances, start=1):
        percent, of = aid(target)
        thumb = percent if of == "success" else 100 - percent
        share = round(float(Fraction(chance)) * 100, 1)
        values = {"target": target, "chance": chance, "percent": share, "aid": thumb}
        said.append(Telling("outcomes.told_chance", values))
    return said


ODDS_PANEL = Move(
    "odds-panel",
    (
        Ask("ask", (Field("rerolls", Whole(0, 3), usual=0, rule="SOL-117"),)),
        Resolve("chances", asking(chances, lambda ctx: (ctx["rerolls"], ctx.rulings)), tell=tell_chances, auto=True,
                outcome=lambda found: "chances", shown=lambda ctx, found: OPEN),
    ),
    rules=("SOL-045",),
)

MOVES = (GROUP_ACTION, OPPOSITION, ENVIRONMENT_ROLL, ODDS_PANEL)

