"""The action: announced, weighed, prepared, rolled, told. Reactions and group actions are the same with other casts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from paravent.dice import Dice
from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    Actor,
    AnyField,
    AnyResolve,
    Ask,
    Change,
    Context,
    Field,
    Follow,
    Many,
    Move,
    OneOf,
    ParaventError,
    Resolve,
    Role,
    Telling,
    TextField,
    Window,
    asking,
    changed,
    rule,
)
from paravent.systems.solaires.facts import DICE, SIDES, Attitude, Polarity
from paravent.systems.solaires.people import states
from paravent.systems.solaires.people.character import Character, Element, with_items, without_items
from paravent.systems.solaires.reading import (
    ACTOR,
    ATTITUDE,
    HELPER,
    THING,
    called,
    elements_of,
    has,
    hindrances_of,
    ideas,
    in_v5,
    payers_of,
    paying,
    state_ideas,
    states_of,
)

from .action import Action, Terms, action, rerolls_failures, settled, terms_of
from .announce import attempt, is_a_retry
from .attitude import Cells, added, chosen_attitude, condition_cells
from .elements import Used, check_elements, declared_handicap, group_handicap, handicaps_used, target_of
from .steps import (
    DIFFICULTY,
    Rolls,
    announce_steps,
    difficulty_steps,
    element_steps,
    goes_on,
    needs_roll,
    only_if,
    outcome_of,
    renegotiate_steps,
    signed,
)

POLICIES = {"reroll": rerolls_failures}
ROLL = "roll"
Step = Ask | Window | AnyResolve
Followed = Callable[[Context, Any], Sequence[Follow]]


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


def terms(ctx: Context, base: int, used: tuple[Used, ...], helpers: str = "helper", secret: bool = True) -> Terms:
    """The terms of the action as announced, with or without what the game master keeps secret."""
    own = declared_handicap(hindrances_of(ctx, ctx.one()), used, ctx.rulings)
    if helpers == "member":
        others = [declared_handicap(hindrances_of(ctx, one), (), ctx.rulings) for one in ctx.all("member")]
        own = group_handicap(own, others, ctx.rulings)
    return terms_of(
        target_of(base, used), ctx.rulings,
        attitude=attitude_of(ctx), preset=has(ctx, ctx.one("gm"), "preset") or Attitude.STABLE,
        effects=cells_of(ctx, secret), unfavourable=handicaps_used(used, ctx.rulings), handicap=own,
        payers=payers_of(ctx, paying(ctx, helpers)),
    )


def attitude_of(ctx: Context) -> Attitude:
    """The player's attitude, within what is allowed; none to choose means stable."""
    if ATTITUDE.when is not None and not ATTITUDE.when(ctx):
        return Attitude.STABLE
    return chosen_attitude(ctx["attitude"], ctx["allowed"] or ())


def cells_of(ctx: Context, secret: bool = True) -> Cells:
    """What the game master attached, openly and in secret, and the condition that the player accepted."""
    agreed = Cells()
    if any(field.id == "condition" for field in ctx.move.fields) and ctx["condition"]:
        agreed = condition_cells(ctx["condition"], ctx["condition_kept"])
    if not in_v5(ctx):
        return agreed
    hidden = (ctx["secret_effects"] or Cells()) if secret else Cells()
    return added(ctx["effects"] or Cells(), agreed, hidden)


def tell_action(ctx: Context, done: Action) -> list[Telling]:
    """Success or failure, then the side effects, then who tells the rest."""
    said = [Telling(f"outcomes.told_{'success' if done.success else 'failure'}{'' if done.rolled else '_certain'}",
                    {"n": done.kept, "target": done.target})]
    said += [Telling(f"outcomes.told_effect_{effect.polarity}" if effect.text else
                     f"outcomes.told_{effect.origin}_{effect.kind}", {"text": effect.text}) for effect in done.effects]
    if done.narrator != "gm":
        said.append(Telling("outcomes.told_narrator", {"who": called(ctx.one())}))
    return said


# Before the roll


def weigh_step(rolls: Rolls, helpers: str = "helper") -> AnyResolve:
    """The score to beat, and what each number of kept dice would bring, said before anybody throws."""

    def read(ctx: Context) -> tuple[Any, ...]:
        base, used, _ = read_action(ctx, helpers)
        return base, used, terms(ctx, base, used, helpers, secret=False)

    def is_whole(ctx: Context) -> bool:
        try:
            return rolls(ctx) and DIFFICULTY in ctx.results and "element" in ctx.one().filled and bool(read(ctx))
        except ParaventError:  # what is chosen so far is not allowed yet: the throw will say why
            return False

    def tell(ctx: Context, found: Weighed) -> list[Telling]:
        return [*told_ahead(found), *retry_told(ctx, helpers)]

    return Resolve("weighed",
        asking(weighed, read), auto=True, when=is_whole, outcome=lambda found: "weighed", tell=tell)


class Weighed(NamedTuple):
    """An action before its dice: the score to beat, the elements it comes from, and the effects of 0 to 3 kept."""

    target: int
    difficulty: int
    elements: tuple[str, ...]
    effects: tuple[tuple[str, ...], ...]


@rule("SOL-035", "SOL-050", "SOL-052", "SOL-062")
def weighed(dice: Dice, base: int, used: tuple[Used, ...], terms: Terms) -> Weighed:
    """What is known before the dice: the target, and the side effects that each number of kept dice would bring.

    Where the dice cannot matter, only those of the one outcome that is left.
    """
    reached = range(DICE + 1) if 0 < terms.target < SIDES else (DICE if terms.target >= SIDES else 0,)
    certain = terms.automatic and len(reached) == 1
    effects = tuple(
        tuple(effect.text or effect.kind for effect in settled(kept, (), terms).effects)
        if kept in reached and not certain else () for kept in range(DICE + 1)
    )
    named = tuple(f"{one.name} {one.score}".strip() for one in used)
    return Weighed(terms.target, base, named, effects)


def told_ahead(found: Weighed) -> list[Telling]:
    """The target and how it came about, then one line for each number of kept dice that brings something."""
    values = {"target": found.target, "difficulty": signed(found.difficulty), "elements": list(found.elements)}
    said = [Telling("outcomes.told_target" if found.elements else "outcomes.told_target_bare", values, EVERYONE)]
    return said + [Telling("outcomes.told_ahead", {"n": kept, "effects": list(found.effects[kept])}, EVERYONE)
                   for kept in reversed(range(DICE + 1)) if found.effects[kept]]


def tried_now(ctx: Context, helpers: str) -> str:
    """The attempt, as it is remembered if it fails."""
    return attempt(ctx["goal"], [used.name or str(used.score) for used in elements_of(ctx, helpers)])


def retry_told(ctx: Context, helpers: str) -> list[Telling]:
    """A word to the game master when the same was tried before and failed."""
    failed = getattr(ctx.one().record, "failed", ())
    return [Telling("outcomes.told_retry", {}, GM_ONLY)] if is_a_retry(tried_now(ctx, helpers), failed) else []


# After it


def action_changes(ctx: Context, done: Action, helpers: str = "helper") -> list[Change]:
    """Points paid; what failed is kept in mind until the scene ends."""
    found = points_paid(done.spent, paying(ctx, helpers))
    record = ctx.one().record
    if not done.success and ctx["goal"] and hasattr(record, "failed"):
        failed = tuple(dict.fromkeys((*record.failed, tried_now(ctx, helpers))))
        found += changed(ctx.one().id, record, "failed", failed, "SOL-017", GM_ONLY)
    return found


def points_paid(spent: Sequence[int], people: Sequence[Actor]) -> list[Change]:
    """What each payer has left."""
    return [
        change for actor, paid in zip(people, spent, strict=False) if paid and hasattr(actor.record, "points")
        for change in changed(actor.id, actor.record, "points", actor.record.points - paid, "SOL-117")
    ]


def roll_step(
    rolls: Rolls, helpers: str = "helper", resolved: Callable[..., Action] = attempted,
    read: Callable[[Context], tuple[Any, ...]] | None = None,
) -> AnyResolve:
    """The throw of an action."""
    return Resolve(
        ROLL, asking(resolved, read or (lambda ctx: read_action(ctx, helpers))), tell=tell_action, outcome=outcome_of,
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


def describe_steps(
    helpers: str = "helper", *more: AnyField, follow: Followed = lambda ctx, after: ()
) -> tuple[Step, ...]:
    """The consequences: told by the game master, or by the player who paid for it; what they leave on a sheet."""
    fails = Field("fails", OneOf(lambda ctx: tuple(called(one) for one in members_of(ctx))), "gm", rule="SOL-071",
                  usual=lambda ctx: called(ctx.one()), when=somebody_fails, upfront=True)
    group = (fails,) if helpers == "member" else ()
    asked = (
        Field("description", TextField(1000, obtained), "gm", usual=agreed, waits=True, rule="SOL-056",
              when=lambda ctx: not told_by_player(ctx)),
        Field("own_description", TextField(1000, obtained), usual=agreed, waits=True, rule="SOL-115",
              when=told_by_player),
        *group,
        *more,
        Field("touched", OneOf(lambda ctx: tuple(called(one) for one in sheets_of(ctx))), "gm", rule="SOL-054",
              usual=usually_touched, when=lambda ctx: len(sheets_of(ctx)) > 1, upfront=True),
        Field("states_gained", TextField(300, state_ideas), "gm", usual="", rule="SOL-054", upfront=True),
        Field("states_worse", Many(OneOf(all_states), distinct=True), "gm", usual=(), rule="SOL-054",
              when=lambda ctx: bool(all_states(ctx))),
        Field("states_lost", Many(OneOf(all_states), distinct=True), "gm", usual=(), rule="SOL-055",
              when=lambda ctx: bool(all_states(ctx))),
        Field("equipment_found", TextField(300), "gm", usual="", rule="SOL-055",
              when=lambda ctx: bool(equipped(ctx))),
        Field("equipment_lost", Many(OneOf(all_equipment), distinct=True), "gm", usual=(), rule="SOL-054",
              when=lambda ctx: bool(all_equipment(ctx))),
    )
    return (
        Ask("describe", tuple(only_if(goes_on, field) for field in asked)),
        Resolve("aftermath",
            asking(aftermath, read_aftermath), auto=True, tell=tell_aftermath, changes=aftermath_changes,
                outcome=lambda after: "described", when=goes_on, follow=follow),
    )


def agreed(ctx: Context) -> str:
    """What was agreed on beforehand for such an end."""
    done = result_of(ctx)
    return "" if done is None else str(ctx["on_success" if done.success else "on_failure"])


def obtained(ctx: Context) -> tuple[str, ...]:
    """Ideas for the side effects obtained, of which no more and no fewer are told."""
    kinds = {effect.polarity for effect in getattr(result_of(ctx), "effects", ())}
    return ideas(*(polarity for polarity in Polarity if polarity in kinds))(ctx)


def members_of(ctx: Context) -> tuple[Actor, ...]:
    """The initiator and the other members of a group."""
    return (ctx.one(), *ctx.all("member"))


def sheets_of(ctx: Context) -> tuple[Actor, ...]:
    """All in the action who have a sheet to write on, whoever acts first."""
    rest = (actor for actor in ctx.actors if actor.id != ctx.one().id)
    return tuple(actor for actor in (ctx.one(), *rest) if hasattr(actor.record, "states"))


def usually_touched(ctx: Context) -> str:
    """Who the consequences are for: whoever acted; the member who fails; in an opposition, whoever lost it."""
    if is_group(ctx) and somebody_fails(ctx):
        return str(ctx["fails"])
    done, other = result_of(ctx), ctx.one("opponent")
    return called(other if ctx.all("opponent") and done is not None and done.success else ctx.one())


def is_group(ctx: Context) -> bool:
    """Whether one of several may have to suffer the failure of all."""
    return any(field.id == "fails" for field in ctx.move.fields)


def touched(ctx: Context) -> Actor:
    """Who the consequences are for."""
    name = ctx["touched"] or usually_touched(ctx)
    return next((one for one in sheets_of(ctx) if called(one) == name), ctx.one())


def all_states(ctx: Context) -> tuple[str, ...]:
    """The states of all in the action."""
    return tuple(dict.fromkeys(state.name for actor in sheets_of(ctx) for state in states_of(actor)))


def equipped(ctx: Context) -> tuple[Actor, ...]:
    """Those in the action who own things."""
    return tuple(actor for actor in sheets_of(ctx) if isinstance(actor.record, Character))


def all_equipment(ctx: Context) -> tuple[str, ...]:
    """The things of all in the action."""
    return tuple(dict.fromkeys(item.name for actor in equipped(ctx) for item in actor.record.equipment))


@rule("SOL-056", "SOL-054", "SOL-055")
def aftermath(dice: Dice, gained: tuple[Any, ...], worse: tuple[str, ...], lost: tuple[str, ...]) -> int:
    """What the consequences leave on the sheet; success and side effects stand as they are."""
    return len(gained) + len(worse) - len(lost)


def read_aftermath(ctx: Context) -> tuple[tuple[Element, ...], tuple[str, ...], tuple[str, ...]]:
    """The states written, made worse and crossed out."""
    return states.read_states(ctx["states_gained"], ctx.rulings), ctx["states_worse"] or (), ctx["states_lost"] or ()


def tell_aftermath(ctx: Context, after: int) -> list[Telling]:
    """The consequences, in the words of whoever tells them."""
    told = has(ctx, ctx.one(), "own_description") if told_by_player(ctx) else has(ctx, ctx.one("gm"), "description")
    text = told or agreed(ctx)
    said = [Telling("outcomes.told_story", {"text": text}, EVERYONE)] if text else []
    if is_group(ctx) and somebody_fails(ctx):
        said.append(Telling("outcomes.told_fails", {"who": ctx["fails"]}, EVERYONE))
    return said


def aftermath_changes(ctx: Context, after: int) -> list[Change]:
    """States and things of whoever the consequences are for."""
    actor = touched(ctx)
    if not hasattr(actor.record, "states"):
        return []
    new, worse, gone = read_aftermath(ctx)
    mine = {state.name for state in states_of(actor)}
    left = states.changed_states(states_of(actor), new, [name for name in worse if name in mine],
                                 [name for name in gone if name in mine])
    found = list(changed(actor.id, actor.record, "states", left, "SOL-106"))
    if isinstance(actor.record, Character):
        gear = without_items(actor.record.equipment, ctx["equipment_lost"] or ())
        gear = with_items(gear, states.read_states(ctx["equipment_found"] or "", ctx.rulings))
        found += changed(actor.id, actor.record, "equipment", gear, "SOL-105")
    return found


# The moves


def action_move(
    name: str, rules: tuple[str, ...], *more: AnyField, helpers: Role = HELPER, before: tuple[Step, ...] = (),
    after: tuple[Step, ...] = (), rolls: Rolls = needs_roll, throws: tuple[AnyResolve, ...] = (),
    ends: tuple[AnyField, ...] = (), follow: Followed = lambda ctx, after: (), **about: Any,
) -> Move:
    """An action, whatever the occasion: ``more`` is announced, ``before`` and ``after`` stand around the roll.

    ``ends`` is asked with the consequences, which may call for another move.
    """
    return Move(
        name,
        (
            *announce_steps(*more), *before, *difficulty_steps(rolls), *renegotiate_steps(rolls),
            *element_steps(rolls, helpers.id, weigh_step(rolls, helpers.id)),
            *(throws or (roll_step(rolls, helpers.id),)), *after, *describe_steps(helpers.id, *ends, follow=follow),
        ),
        cast=(ACTOR, helpers, THING, GAME_MASTER),
        rules=rules,
        **about,
    )


RULES = ("SOL-011", "SOL-020", "SOL-030", "SOL-032", "SOL-043", "SOL-044", "SOL-050", "SOL-052", "SOL-117")
ACTION = action_move("action", RULES)
REACTION = action_move(
    "reaction", ("SOL-072", "SOL-073", *RULES), Field("event", TextField(300), "gm", usual="", rule="SOL-072"),
    throws=(roll_step(needs_roll, resolved=reacted),),
)
