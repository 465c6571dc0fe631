"""The action: announced, weighed, prepared, rolled, told. Reactions and group actions are the same with other casts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from paravent.dice import Dice
from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    INITIATOR,
    Actor,
    Ask,
    Change,
    Context,
    Field,
    Many,
    Move,
    OneOf,
    Resolve,
    Role,
    Telling,
    TextField,
    Window,
    changed,
    rule,
)

from . import states
from .action import Action, Terms, action, rerolls_failures, terms_of
from .announce import attempt, is_a_retry
from .attitude import Cells, added, chosen_attitude
from .elements import Used, check_elements, declared_handicap, group_handicap, handicaps_used, target_of
from .facts import Attitude, Category
from .reading import (
    ATTITUDE,
    HELPER,
    THING,
    called,
    elements_of,
    has,
    hindrances_of,
    in_v5,
    names_of,
    payers_of,
    states_of,
)
from .steps import (
    DIFFICULTY,
    Rolls,
    announce_steps,
    difficulty_steps,
    element_steps,
    needs_roll,
    outcome_of,
    renegotiate_steps,
    signed,
)

POLICIES = {"reroll": rerolls_failures}
ROLL = "roll"


# The roll


@rule("SOL-035", "SOL-011")
def attempted(dice: Dice, base: int, used: tuple[Used, ...], terms: Terms) -> Action:
    """Add up the score to beat, then roll."""
    note_target(dice, base, used, terms.target)
    return dice.then(action, terms)


def note_target(dice: Dice, base: int, used: tuple[Used, ...], target: int) -> None:
    """How the score to beat came about."""
    named = [f"{one.name} {one.score}" if one.name else one.score for one in used]
    dice.note("SOL-035", "target", difficulty=signed(base), elements=named, target=target)


@rule("SOL-072", "SOL-073")
def reacted(dice: Dice, base: int, used: tuple[Used, ...], terms: Terms) -> Action:
    """An event called for it, and it is rolled like any action; whoever caused the event rolls nothing."""
    return dice.then(attempted, base, used, terms)


def read_action(ctx: Context, helpers: str = "helper") -> tuple[Any, ...]:
    """The difficulty told, the elements brought in, and the terms that follow."""
    group = 1 + len(ctx.all("member")) if helpers == "member" else 0
    used = check_elements(elements_of(ctx, helpers), ctx.rulings, group=group)
    base: int = ctx.results[DIFFICULTY]
    return base, used, terms(ctx, base, used, helpers)


def terms(ctx: Context, base: int, used: tuple[Used, ...], helpers: str = "helper") -> Terms:
    """The terms of the action as announced."""
    own = declared_handicap(hindrances_of(ctx, ctx.one()), used, ctx.rulings)
    if helpers == "member":
        others = [declared_handicap(hindrances_of(ctx, one), (), ctx.rulings) for one in ctx.all("member")]
        own = group_handicap(own, others, ctx.rulings)
    return terms_of(
        target_of(base, used), ctx.rulings,
        attitude=attitude_of(ctx), preset=has(ctx, ctx.one("gm"), "preset") or Attitude.STABLE, effects=cells_of(ctx),
        unfavourable=handicaps_used(used, ctx.rulings), handicap=own, payers=payers_of(ctx, helpers),
    )


def attitude_of(ctx: Context) -> Attitude:
    """The player's attitude, within what is allowed; none to choose means stable."""
    if ATTITUDE.when is not None and not ATTITUDE.when(ctx):
        return Attitude.STABLE
    return chosen_attitude(ctx["attitude"], ctx["allowed"] or ())


def cells_of(ctx: Context) -> Cells:
    """What the game master attached, openly and in secret."""
    if not in_v5(ctx):
        return Cells()
    return added(ctx["effects"] or Cells(), ctx["secret_effects"] or Cells())


def tell_action(ctx: Context, done: Action) -> list[Telling]:
    """Success or failure, then the side effects, then who tells the rest."""
    said = [Telling(f"outcomes.told_{'success' if done.success else 'failure'}{'' if done.rolled else '_certain'}",
                    {"n": done.kept, "target": done.target})]
    said += [Telling(f"outcomes.told_effect_{effect.polarity}" if effect.text else
                     f"outcomes.told_{effect.origin}_{effect.kind}", {"text": effect.text}) for effect in done.effects]
    if done.narrator != "gm":
        said.append(Telling("outcomes.told_narrator", {"who": called(ctx.one())}))
    return [*said, *retry_told(ctx)]


def retry_told(ctx: Context) -> list[Telling]:
    """A word to the game master when the same was tried before and failed."""
    tried = attempt(ctx["goal"], [used.name or str(used.score) for used in elements_of(ctx)])
    failed = getattr(ctx.one().record, "failed", ())
    return [Telling("outcomes.told_retry", {}, GM_ONLY)] if is_a_retry(tried, failed) else []


def action_changes(ctx: Context, done: Action, helpers: str = "helper") -> list[Change]:
    """Points paid; what failed is kept in mind until the scene ends."""
    found = list(points_paid(ctx, done.spent, [ctx.one(), *ctx.all(helpers)]))
    record = ctx.one().record
    if not done.success and ctx["goal"] and hasattr(record, "failed"):
        tried = attempt(ctx["goal"], [used.name or str(used.score) for used in elements_of(ctx, helpers)])
        failed = tuple(dict.fromkeys((*record.failed, tried)))
        found += changed(ctx.one().id, record, "failed", failed, "SOL-017", GM_ONLY)
    return found


def points_paid(ctx: Context, spent: Sequence[int], people: Sequence[Actor]) -> list[Change]:
    """What each payer has left."""
    paid = {payer.who: points for payer, points in zip(payers_of(ctx), spent, strict=False)}
    found: list[Change] = []
    for actor in people:
        if paid.get(ctx.part(actor)) and hasattr(actor.record, "points"):
            left = actor.record.points - paid[ctx.part(actor)]
            found += changed(actor.id, actor.record, "points", left, "SOL-117")
    return found


def roll_step(
    rolls: Rolls, helpers: str = "helper", resolved: Callable[..., Action] = attempted,
    read: Callable[[Context], tuple[Any, ...]] | None = None,
) -> Resolve:
    """The throw of an action."""
    return Resolve(
        ROLL, resolved, read or (lambda ctx: read_action(ctx, helpers)), tell=tell_action, outcome=outcome_of,
        success=lambda done: done.success, changes=lambda ctx, done: action_changes(ctx, done, helpers),
        policies=POLICIES, vary="element", when=rolls,
    )


# What follows


def result_of(ctx: Context) -> Any:
    """How the action ended, with dice or without."""
    return next((ctx.results[name] for name in (ROLL, "rolls", "declared") if name in ctx.results), None)


def told_by_player(ctx: Context) -> bool:
    """Whether the player bought the telling."""
    done = result_of(ctx)
    return isinstance(done, Action) and done.narrator != "gm"


def somebody_fails(ctx: Context) -> bool:
    """Whether a group failed, so that one of its members suffers it."""
    done = result_of(ctx)
    return done is not None and not done.success


def describe_steps(helpers: str = "helper") -> tuple[Ask | Resolve, ...]:
    """The consequences: told by the game master, or by the player who paid for it; states gained and lost."""
    group = (Field("fails", OneOf(lambda ctx: tuple(called(one) for one in members_of(ctx))), "gm", rule="SOL-071",
                   usual=lambda ctx: called(ctx.one()), when=somebody_fails),) if helpers == "member" else ()
    return (
        Ask("describe", (
            Field("description", TextField(1000), "gm", usual="", waits=True, rule="SOL-056",
                  when=lambda ctx: not told_by_player(ctx)),
            Field("own_description", TextField(1000), usual="", waits=True, rule="SOL-115", when=told_by_player),
            *group,
            Field("states_gained", TextField(300), "gm", usual="", rule="SOL-054"),
            Field("states_lost", Many(OneOf(names_of("initiator", Category.STATE)), distinct=True), "gm", usual=(),
                  rule="SOL-055", when=lambda ctx: bool(states_of(ctx.one()))),
        )),
        Resolve("aftermath", aftermath, read_aftermath, auto=True, tell=tell_aftermath, changes=aftermath_changes,
                outcome=lambda after: "described"),
    )


def members_of(ctx: Context) -> tuple[Actor, ...]:
    """The initiator and the other members of a group."""
    return (ctx.one(), *ctx.all("member"))


@rule("SOL-056", "SOL-054", "SOL-055")
def aftermath(dice: Dice, gained: tuple[Any, ...], lost: tuple[str, ...]) -> int:
    """What the consequences leave on the sheet; success and side effects stand as they are."""
    return len(gained) - len(lost)


def read_aftermath(ctx: Context) -> tuple[Hashable, ...]:
    """The states written and crossed out."""
    return states.read_states(ctx["states_gained"], ctx.rulings), ctx["states_lost"] or ()


def tell_aftermath(ctx: Context, after: int) -> list[Telling]:
    """The consequences, in the words of whoever tells them."""
    text = has(ctx, ctx.one(), "own_description") if told_by_player(ctx) else has(ctx, ctx.one("gm"), "description")
    said = [Telling("outcomes.told_story", {"text": text}, EVERYONE)] if text else []
    if "fails" in [field.id for field in ctx.move.fields] and somebody_fails(ctx):
        said.append(Telling("outcomes.told_fails", {"who": ctx["fails"]}, EVERYONE))
    return said


def aftermath_changes(ctx: Context, after: int) -> tuple[Change, ...]:
    """The states of whoever acted, or of the member of the group who fails."""
    actor = ctx.one()
    if "fails" in [field.id for field in ctx.move.fields] and somebody_fails(ctx):
        actor = next((one for one in members_of(ctx) if called(one) == ctx["fails"]), actor)
    if not hasattr(actor.record, "states"):
        return ()
    new = states.read_states(ctx["states_gained"], ctx.rulings)
    gone = [name for name in ctx["states_lost"] or () if name in {state.name for state in states_of(actor)}]
    kept = states.gained(states.lost(states_of(actor), gone), new)
    return changed(actor.id, actor.record, "states", kept, "SOL-106")


# The moves


def action_move(
    name: str, rules: tuple[str, ...], *more: Field, helpers: Role = HELPER,
    before: tuple[Ask | Window | Resolve, ...] = (), after: tuple[Ask | Window | Resolve, ...] = (),
    rolls: Rolls = needs_roll, throws: tuple[Resolve, ...] = (), **about: Any,
) -> Move:
    """An action, whatever the occasion: ``more`` is announced, ``before`` and ``after`` stand around the roll."""
    return Move(
        name,
        (
            *announce_steps(*more), *before, *difficulty_steps(rolls), *renegotiate_steps(rolls),
            *element_steps(rolls, helpers.id), *(throws or (roll_step(rolls, helpers.id),)), *after,
            *describe_steps(helpers.id),
        ),
        cast=(INITIATOR, helpers, THING, GAME_MASTER),
        rules=rules,
        **about,
    )


RULES = ("SOL-011", "SOL-020", "SOL-030", "SOL-032", "SOL-043", "SOL-044", "SOL-050", "SOL-052", "SOL-117")
ACTION = action_move("action", RULES)
REACTION = action_move(
    "reaction", ("SOL-072", "SOL-073", *RULES), Field("event", TextField(300), "gm", usual="", rule="SOL-072"),
    throws=(roll_step(needs_roll, resolved=reacted),),
)
