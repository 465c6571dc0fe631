"""The throw of an action: on what terms, what is known before it, who pays for a die; one for all, or one for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from paravent.dice import Dice
from paravent.game import (
    EVERYONE,
    GM_ONLY,
    Actor,
    Call,
    Change,
    Context,
    ParaventError,
    Resolve,
    Telling,
    Value,
    Who,
    changed,
    heads,
    rule,
)
from paravent.systems.solaires.cast import HELPER, MEMBER, has, in_v5
from paravent.systems.solaires.facts import DICE, SIDES
from paravent.systems.solaires.people.character import Character, Element, scored
from paravent.systems.solaires.points.held import paid, points_of

from .action import ENDS, Action, Payer, Terms, action, outcome_of, rerolls_failures, settled, succeeds, terms_of
from .announce import attempt, is_a_retry
from .announce_steps import GOAL, Rolls, needs_roll
from .attitude import Cells, gm_effects, handicap_triggers
from .difficulty_steps import DIFFICULTY, rated, signed
from .effect_steps import SECRET_EFFECTS, attitude_of, cells_of, preset_of
from .element_steps import ELEMENT, LENT, NONE, element_in, elements_of, hindrances_of, own_elements
from .elements import Used, check_elements, declared_handicap, group_handicap, handicaps_used, target_of
from .facts import Origin
from .particular import GroupTrial, check_edition, majority
from .reveal import secret_follow

Thrown = Callable[[Dice, int, tuple[Used, ...], Terms], Action]
"""A rule that throws for an action: on its difficulty, the elements brought in, and its terms."""


# Who pays


def paying(ctx: Context, helpers: str) -> list[Actor]:
    """Who may pay for a die: the initiator's player; helpers or anybody in it, where the table says (R-26)."""
    people = [ctx.one()]
    if ctx.rulings.reroll_by != "initiator":
        people += [
            helper for helper in ctx.all(helpers)
            if ctx.rulings.reroll_by == "anyone" or has(ctx, helper, LENT) not in (NONE, None)
        ]
    return people


def payers_of(ctx: Context, people: Sequence[Actor]) -> tuple[Payer, ...]:
    """They as a rule asks them, each alone, with their points."""
    return tuple(Payer(alone(ctx, actor), points_of(ctx, actor)) for actor in people)


def alone(ctx: Context, actor: Actor) -> str:
    """What a rule calls one of several: ``helper1`` is the first of those who help, ``helper`` any of them."""
    part = ctx.part(actor)
    return f"{part}1" if part == actor.role != "initiator" else part


def points_paid(spent: Sequence[int], people: Sequence[Actor]) -> list[Change]:
    """What each payer has left."""
    return [change for actor, points in zip(people, spent, strict=False) for change in paid(actor, points, "SOL-117")]


# The terms


class Prepared(NamedTuple):
    """An action as it is thrown: the difficulty told, the elements brought in, and the terms that follow."""

    difficulty: int
    used: tuple[Used, ...]
    terms: Terms


def prepared(ctx: Context, helpers: str) -> Prepared:
    """The action as announced; nothing that the game master keeps secret has a part in it."""
    return ctx.once(_prepared, helpers)


def _prepared(ctx: Context, helpers: str) -> Prepared:
    group = 0
    if helpers == MEMBER.id:
        check_edition(ctx.rulings)
        group = len(members_of(ctx))
    used = check_elements(ctx.once(elements_of, helpers), ctx.rulings, group=group)
    base = ctx.result(DIFFICULTY)
    return Prepared(base, used, terms(ctx, base, used, helpers))


def terms(ctx: Context, base: int, used: tuple[Used, ...], helpers: str) -> Terms:
    """The terms of the action."""
    own = declared_handicap(hindrances_of(ctx, ctx.one()), used, ctx.rulings)
    if helpers == MEMBER.id:
        others = [declared_handicap(hindrances_of(ctx, one), (), ctx.rulings) for one in ctx.all(helpers)]
        own = group_handicap(own, others, ctx.rulings)
    return terms_of(
        target_of(base, used), ctx.rulings, attitude=attitude_of(ctx), preset=preset_of(ctx),
        effects=cells_of(ctx), unfavourable=handicaps_used(used, ctx.rulings), handicap=own,
        payers=payers_of(ctx, paying(ctx, helpers)),
    )


def members_of(ctx: Context) -> tuple[Actor, ...]:
    """The initiator and the other members of a group."""
    return (ctx.one(), *ctx.all(MEMBER.id))


# Before the throw


class Weighed(NamedTuple):
    """An action before its dice: the score to beat, the elements it comes from, and the effects of 0 to 3 kept."""

    target: int
    difficulty: int
    elements: tuple[str | Element, ...]
    effects: tuple[tuple[str, ...], ...]


@rule("SOL-015", "SOL-035", "SOL-050", "SOL-052", "SOL-062")
def weighed(dice: Dice, base: int, used: tuple[Used, ...], terms: Terms) -> Weighed:
    """What is known before the dice: the target, and the side effects that each number of kept dice would bring.

    Where the dice cannot matter, only those of the one outcome that is left. Until they are thrown anything may be
    changed, even the goal, and is weighed anew.
    """
    effects = tuple(
        tuple(effect.text or effect.kind for effect in settled(kept, (), terms).effects)
        if kept in reached(terms) else () for kept in range(DICE + 1)
    )
    named = tuple(scored(one.name, one.score) for one in used)
    return Weighed(terms.target, base, named, effects)


def reached(terms: Terms) -> Sequence[int]:
    """The numbers of kept dice that may come; none where the action is settled without any side effect."""
    if 0 < terms.target < SIDES:
        return range(DICE + 1)
    return () if terms.automatic else (DICE if terms.target >= SIDES else 0,)


def weigh_step(rolls: Rolls, helpers: str) -> Resolve[Weighed]:
    """The score to beat, and what each number of kept dice would bring, said before anybody throws."""

    def is_whole(ctx: Context) -> bool:
        try:
            return rolls(ctx) and DIFFICULTY.id in ctx.results and bool(prepared(ctx, helpers))
        except ParaventError:  # what is chosen so far is not allowed yet: the throw will say why
            return False

    return Resolve(
        "weighed", lambda ctx: Call(weighed, *prepared(ctx, helpers)), auto=True, told_only=True,
        when=is_whole, outcome=lambda found: "weighed",
        tell=lambda ctx, found: [*told_ahead(ctx, found, helpers), *retry_told(ctx, helpers)],
    )


def told_ahead(ctx: Context, found: Weighed, helpers: str) -> list[Telling]:
    """The target and how it came about; then, where anything comes besides success, what each number of dice brings.

    What is kept secret stands beside it for the game master alone.
    """
    values: dict[str, Value] = {
        "target": found.target, "difficulty": rated(found.difficulty), "elements": found.elements,
    }
    said = [Telling("outcomes.told_target" if found.elements else "outcomes.told_target_bare", values, EVERYONE)]
    hidden = gm_effects(ctx[SECRET_EFFECTS] or Cells()) if ctx.asks(SECRET_EFFECTS) and in_v5(ctx) else ()
    if not any(found.effects) and not any(hidden):
        return said
    known = EVERYONE if any(found.effects) else GM_ONLY
    used, terms = prepared(ctx, helpers)[1:]
    for kept in reversed(reached(terms)):
        said += [line._replace(rung=str(kept)) for line in (
            Telling("outcomes.told_ahead_success" if succeeds(kept) else "outcomes.told_ahead_failure", {}, known),
            *brought(ctx, kept, used, terms),
            *(Telling("outcomes.told_ahead", {"effects": [effect.text]}, GM_ONLY)
              for effect in (hidden[kept] if hidden else ())),
        )]
    return said


def brought(ctx: Context, kept: int, used: tuple[Used, ...], terms: Terms) -> list[Telling]:
    """What so many kept dice bring besides success; whatever hinders is named."""
    effects = settled(kept, (), terms).effects
    named = hinders(ctx, kept, used, terms)
    nameless = [effect.kind for effect in effects if effect.origin == Origin.HANDICAP][len(named):]
    plain = [effect.text or effect.kind for effect in effects if effect.origin != Origin.HANDICAP] + nameless
    said = [Telling("outcomes.told_ahead", {"effects": plain}, EVERYONE)] if plain else []
    return [*said, *(Telling("outcomes.told_ahead_hindered", {"what": what}, EVERYONE) for what in named)]


def hinders(ctx: Context, kept: int, used: Sequence[Used], terms: Terms) -> list[str | Element]:
    """What hinders the action and is felt with so many kept dice, by name: elements, and the worst of the states."""
    named = [scored(one.name, one.score) for one in used if one.unfavourable and one.name][:terms.unfavourable]
    if handicap_triggers(kept, terms.handicap):
        named += [scored(state.name, state.score) for state in hindrances_of(ctx, ctx.one())
                  if state.name and state.score == terms.handicap][:1]
    return named


def tried_now(ctx: Context, helpers: str) -> str:
    """The attempt, as it is remembered if it fails."""
    return attempt(ctx[GOAL], [used.name or str(used.score) for used in elements_of(ctx, helpers)])


def retry_told(ctx: Context, helpers: str) -> list[Telling]:
    """A word to the game master when the same was tried before and failed."""
    record = ctx.one().record
    failed = record.failed if isinstance(record, Character) else ()
    return [Telling("outcomes.told_retry", {}, GM_ONLY)] if is_a_retry(tried_now(ctx, helpers), failed) else []


# One throw


@rule("SOL-035", "SOL-011")
def attempted(dice: Dice, base: int, used: tuple[Used, ...], terms: Terms) -> Action:
    """Add up the score to beat, then roll."""
    note_target(dice, base, used, terms.target)
    return dice.then(action, terms)


def note_target(dice: Dice, base: int, used: tuple[Used, ...], target: int) -> None:
    """How the score to beat came about."""
    named = [scored(one.name, one.score) if one.name else one.score for one in used]
    dice.note("SOL-035", "target", difficulty=signed(base), elements=named, target=target)


def tell_action(ctx: Context, done: Action, helpers: str) -> list[Telling]:
    """Success or failure, then the side effects, then who tells the rest; whatever hindered is named."""
    goal: dict[str, Value] = {"goal": ctx[GOAL]} if ctx[GOAL] else {}
    key = f"told_{'success' if done.success else 'failure'}{'' if done.rolled else '_certain'}"
    said = [Telling(f"outcomes.{key}{'_goal' if goal else ''}", {"n": done.kept, "target": done.target, **goal},
                    main=True, lights=str(done.kept))]
    used, terms = prepared(ctx, helpers)[1:]
    named = hinders(ctx, done.kept, used, terms)
    for effect in done.effects:
        if effect.origin == Origin.HANDICAP and named:
            said.append(Telling("outcomes.told_hindered", {"what": named.pop(0)}))
        else:
            said.append(Telling(f"outcomes.told_effect_{effect.polarity}" if effect.text else
                                f"outcomes.told_{effect.origin}_{effect.kind}", {"text": effect.text}))
    return said


def action_changes(ctx: Context, done: Action, helpers: str) -> list[Change]:
    """Points paid, unless the telling is paid with them later; what failed is kept in mind until the scene ends."""
    found = points_paid(done.spent, paying(ctx, helpers)) if done.narrator == "gm" else []
    record = ctx.one().record
    if not done.success and ctx[GOAL] and isinstance(record, Character):
        failed = tuple(dict.fromkeys((*record.failed, tried_now(ctx, helpers))))
        found += changed(ctx.one().id, record, "failed", failed, "SOL-017", GM_ONLY, weight="bookkeeping")
    return found


def roll_step(rolls: Rolls, helpers: str = HELPER.id, thrown: Thrown = attempted) -> Resolve[Action]:
    """The throw of an action."""
    return Resolve(
        "roll", lambda ctx: Call(thrown, *prepared(ctx, helpers)), outcome=outcome_of,
        tell=lambda ctx, done: tell_action(ctx, done, helpers), follow=secret_follow,
        success=lambda done: done.success, ends=ENDS, changes=lambda ctx, done: action_changes(ctx, done, helpers),
        lies=("kept", "n"), within=("kept", "target"),
        policies={"reroll": rerolls_failures}, vary=ELEMENT.id, when=rolls,
        needed=lambda ctx: Telling("needed.kept", {"target": prepared(ctx, helpers).terms.target}),
    )


ROLL = roll_step(needs_roll)


# A throw for each member of a group


def each_rolls(ctx: Context) -> bool:
    """Whether each member rolls."""
    return needs_roll(ctx) and ctx.rulings.group_rule == "majority"


def members_prepared(ctx: Context) -> tuple[Terms, ...]:
    """Each member's own terms."""
    check_edition(ctx.rulings)
    base = ctx.result(DIFFICULTY)
    used = (own_elements(ctx, ctx.one()), *(element_in(ctx, one, LENT) for one in ctx.all(MEMBER.id)))
    return tuple(own_terms(ctx, one, base, check_elements(its, ctx.rulings))
                 for one, its in zip(members_of(ctx), used, strict=True))


def own_terms(ctx: Context, actor: Actor, base: int, used: tuple[Used, ...]) -> Terms:
    """The terms of one member: his elements and his handicap, the game master's effects; nobody pays for dice."""
    hindered = declared_handicap(hindrances_of(ctx, actor), used, ctx.rulings)
    return terms(ctx, base, used, HELPER.id)._replace(handicap=hindered, payers=())


def tell_majority(ctx: Context, trial: GroupTrial) -> list[Telling]:
    """How many passed, and what it makes; then the side effects of each."""
    key = "told_group_passes" if trial.success else "told_group_fails"
    passed = [one for one, done in zip(members_of(ctx), trial.passed, strict=True) if done]
    said = [Telling(f"outcomes.{key}", {"n": heads(passed), "of": heads(members_of(ctx))})]
    return said + [
        Telling("outcomes.told_member", {"who": Who(actor.id), "effect": effect.text or effect.kind})
        for actor, effects in zip(members_of(ctx), trial.effects, strict=True) for effect in effects
    ]


ROLLS: Resolve[GroupTrial] = Resolve(
    "rolls", lambda ctx: Call(majority, members_prepared(ctx)), tell=tell_majority, when=each_rolls,
    success=lambda trial: trial.success, outcome=lambda trial: "success" if trial.success else "failure", ends=ENDS,
)
