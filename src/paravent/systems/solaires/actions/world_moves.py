"""The world's own roll, behind the screen or before all; and the chances of an action at a glance."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from paravent.dice import Dice, best, fraction_text
from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    INVISIBLE,
    Ask,
    Audience,
    Call,
    Context,
    Field,
    Flag,
    Move,
    OneOf,
    Pills,
    Resolve,
    Role,
    Rulings,
    Shown,
    Steps,
    Telling,
    TextField,
    Value,
    Whole,
    rule,
)
from paravent.systems.solaires.facts import SIDES, TABLES, Use
from paravent.systems.solaires.points.rules import cost_of

from .action import Payer, Terms, action
from .facts import Attitude, Preference
from .particular import Environment, environment
from .roll_steps import payers_of, points_paid

PAYER = Role("payer", record="character", least=0, most=None,
             when=lambda rulings: rulings.reroll_environment == "true")
QUESTION = Field("question", TextField(300), "gm", usual="", rule="SOL-083", place="essential")
PREFERENCE = Field("preference", OneOf(Preference), "gm", usual=Preference.NEUTRAL, secrecy="gm", rule="SOL-081",
                   place="essential", shape=Pills())
HIDDEN = Field("hidden", Flag(), "gm", usual=False, secrecy="gm", rule="SOL-081", place="refinement")


def known_to(ctx: Context) -> Audience:
    """Nobody but the game master knows of a roll behind the screen."""
    return GM_ONLY if ctx[HIDDEN] else EVERYONE


def world_payers(ctx: Context) -> tuple[Payer, ...]:
    """Who may have a die of the world thrown again: nobody, unless the table says and the roll is open (R-26)."""
    if ctx.rulings.reroll_environment == "false" or ctx[HIDDEN]:
        return ()
    return payers_of(ctx, ctx.all(PAYER.id))


def tell_world(ctx: Context, world: Environment) -> list[Telling]:
    """What the world decides, and whether more may come of it."""
    said = [Telling("outcomes.told_favourable" if world.favourable else "outcomes.told_unfavourable",
                    {"n": world.kept, "question": ctx[QUESTION]}, known_to(ctx))]
    return [*said, Telling("outcomes.told_extra", {}, known_to(ctx))] if world.extra_allowed else said


ENVIRONMENT_ROLL = Move(
    "environment-roll",
    (
        Ask("question", (QUESTION, PREFERENCE, HIDDEN)),
        Resolve("roll", lambda ctx: Call(environment, ctx[PREFERENCE], world_payers(ctx), ctx.rulings),
                within=("environment", "target"),
                tell=tell_world, outcome=lambda world: "favourable" if world.favourable else "unfavourable",
                success=lambda world: world.favourable,
                changes=lambda ctx, world: points_paid(world.spent, ctx.all(PAYER.id)),
                shown=lambda ctx, world: INVISIBLE if ctx[HIDDEN] else Shown(detail=GM_ONLY)),
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
        values: dict[str, Value] = {"target": target, "chance": chance, "percent": share, "aid": thumb}
        said.append(Telling("outcomes.told_chance", values))
    return said


REROLLS = Field("rerolls", Whole(0, 3), usual=0, rule="SOL-117", place="essential", shape=Steps())
ODDS_PANEL = Move(
    "odds-panel",
    (
        Ask("ask", (REROLLS,)),
        Resolve("chances", lambda ctx: Call(chances, ctx[REROLLS], ctx.rulings), tell=tell_chances, auto=True,
                outcome=lambda found: "chances"),
    ),
    rules=("SOL-045",),
)

MOVES = (ENVIRONMENT_ROLL, ODDS_PANEL)
