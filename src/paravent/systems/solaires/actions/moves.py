"""Actions, reactions, those of a group and oppositions: one course of steps with different casts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from paravent.dice import Dice
from paravent.game import (
    GAME_MASTER,
    AnyField,
    AnyResolve,
    Ask,
    Call,
    Context,
    Field,
    Move,
    Role,
    Rulings,
    TextField,
    rule,
)
from paravent.systems.solaires.cast import ACTOR, HELPER, MEMBER, OPPONENT, THING, in_v5
from paravent.systems.solaires.people.character import Character, Figure

from .action import Action, Terms
from .aftermath import Followed, describe_steps, is_left_to_tell
from .announce_steps import Course, Rolls, announce_steps, needs_roll, renegotiate_steps
from .difficulty import opposed_difficulty
from .difficulty_steps import (
    DIFFICULTY,
    INTEREST,
    check_actor,
    difficulty_step,
    interest_of,
    scale_steps,
    tell_total,
)
from .effect_steps import effect_steps
from .element_steps import element_steps, elements_asked, own_elements
from .elements import Used, check_elements
from .particular import check_sides, opposition
from .roll_steps import ROLLS, attempted, note_target, roll_step, weigh_step


def action_move(
    name: str, rules: tuple[str, ...], *more: AnyField, helpers: Role = HELPER, before: Course = (), after: Course = (),
    rolls: Rolls = needs_roll, throws: tuple[AnyResolve, ...] = (), ends: tuple[AnyField, ...] = (),
    follow: Followed = lambda ctx, after: (), encounter: str = "", when: Callable[[Context], bool] | None = None,
    offered: Callable[[Context], bool] | None = None, suits: Callable[[Context], bool] | None = None,
    tells: Rolls = is_left_to_tell, at_last: Course = (), attempts: Rolls | None = None,
) -> Move:
    """An action, whatever the occasion: ``more`` is announced, ``before`` and ``after`` stand around the roll.

    ``ends`` is asked with the consequences, which may call for another move and wait for the game master's words where
    ``tells`` says so; ``at_last`` comes after them. What is attempted is asked where ``attempts`` says so.
    """
    return Move(
        name,
        (
            *announce_steps(*more, attempts=attempts), *before,
            *scale_steps(rolls), *effect_steps(rolls), difficulty_step(rolls), *renegotiate_steps(rolls),
            *element_steps(rolls, helpers.id, weigh_step(rolls, helpers.id)),
            *(throws or (roll_step(rolls, helpers.id),)), *after,
            *describe_steps(helpers.id, *ends, follow=follow, tells=tells), *at_last,
        ),
        cast=(ACTOR, helpers, THING, GAME_MASTER),
        rules=rules,
        encounter=encounter,
        when=when,
        offered=offered,
        suits=suits,
    )


RULES = ("SOL-011", "SOL-020", "SOL-030", "SOL-032", "SOL-043", "SOL-044", "SOL-050", "SOL-052", "SOL-117")
ACTION = action_move("action", RULES, suits=lambda ctx: isinstance(ctx.one().record, Character))


# A reaction


@rule("SOL-072", "SOL-073")
def reacted(dice: Dice, base: int, used: tuple[Used, ...], terms: Terms) -> Action:
    """An event called for it, and it is rolled like any action; whoever caused the event rolls nothing."""
    return dice.then(attempted, base, used, terms)


REACTION = action_move(
    "reaction", ("SOL-072", "SOL-073", *RULES),
    Field("event", TextField(300), "gm", usual="", rule="SOL-072", names=True),
    throws=(roll_step(needs_roll, thrown=reacted),),
)


# A group


def one_roll(ctx: Context) -> bool:
    """Whether one roll stands for the whole group."""
    return needs_roll(ctx) and ctx.rulings.group_rule == "one_roll"


GROUP_ACTION = action_move(
    "group-action", ("SOL-071", "SOL-070"), helpers=MEMBER, when=in_v5,
    throws=(roll_step(one_roll, MEMBER.id), ROLLS),
)


# An opposition


@rule("SOL-080")
def opposed(dice: Dice, engaged: tuple[Used, ...], interest: int, both_players: bool, rulings: Rulings) -> int:
    """The difficulty that the other side makes: at most two elements, under the same rule as anybody's."""
    check_sides(both_players, rulings)
    check_elements(engaged, rulings)
    return opposed_difficulty(tuple(one.score for one in engaged), interest, rulings)


def counts_interest(ctx: Context) -> bool:
    """Whether the interest of the story counts against somebody, too."""
    return ctx.rulings.opposition_interest == "true"


def engaged(ctx: Context) -> Call[int]:
    """What the other side engages."""
    check_actor(ctx)
    players = not any(isinstance(one.record, Figure) for one in (ctx.one(), ctx.one("opponent")))
    interest = interest_of(ctx) if counts_interest(ctx) else 0
    return Call(opposed, own_elements(ctx, ctx.one("opponent")), interest, players, ctx.rulings)


def attack(dice: Dice, base: int, used: tuple[Used, ...], agreed: Terms) -> Action:
    """Add up the aggressor's score to beat, then roll."""
    note_target(dice, base, used, agreed.target)
    return dice.then(opposition, agreed)


OPPOSITION = Move(
    "opposition",
    (
        *announce_steps(),
        Ask("engaged", elements_asked("opponent")),
        Ask("scales", (replace(INTEREST, waits=False, when=counts_interest),)),
        *effect_steps(needs_roll),
        replace(DIFFICULTY, call=engaged, tell=tell_total, when=needs_roll),
        *element_steps(needs_roll, HELPER.id, weigh_step(needs_roll, HELPER.id)),
        replace(roll_step(needs_roll, thrown=attack), sides=lambda done: ("initiator",) if done.success else (
            "opponent",)),
        *describe_steps(HELPER.id),
    ),
    cast=(ACTOR, OPPONENT, HELPER, THING, GAME_MASTER),
    rules=("SOL-080", "SOL-073", "SOL-057"),
)

MOVES = (ACTION, REACTION, GROUP_ACTION, OPPOSITION)
