"""Complex actions at the table: begun, pursued turn after turn, given up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import lcm

from paravent.dice import Chain, Odds
from paravent.dice.errors import EndlessRule
from paravent.game import (
    GAME_MASTER,
    INITIATOR,
    Actor,
    AnyField,
    Ask,
    Call,
    Change,
    Context,
    Field,
    Forecast,
    Move,
    Opened,
    Resolve,
    Role,
    Rulings,
    Steps,
    Telling,
    Value,
    Whole,
    changed,
)
from paravent.game.errors import MissingField
from paravent.systems.conteur.asked import Ruled, all_able
from paravent.systems.conteur.people.character import Character, sheet_of

from .announce import Request, action_of, against_another, announced_by, asked_of, luck_at_hand, may_have_dice, used_by
from .complex import (
    ComplexAction,
    Progress,
    Pursuit,
    Turn,
    abandon,
    check_complex,
    complex_turn,
    kept_stock,
    progress,
    simultaneous_actions,
)
from .costs import called, faints, given_up, roll_changes, tell_fainting, under_way
from .errors import AlreadyBusy, GivenUp, NotComplex, NotTheirAction
from .moves_odds import percentage
from .moves_roll import COMPLEX_ACTION, LABEL, LEVELS, POLICIES, rolled_for, worth_asking
from .opposed import Side
from .pool import Action, Hand, hand, is_physical

SUCCESSES_NEEDED = Field("difficulty", Ruled(2, 99, NotComplex), "gm", rule="D10-017", place="judgement",
                         shape=Steps((2, 3, 4, 5, 6, 8, 10)))
SIMULTANEOUS = Field("simultaneous", Whole(0), "gm", usual=0, rule="D10-018", place="essential",
                     shape=Steps((0, 1, 2, 3)))
REFLEXES: Field[int | None] = Field(
    "reflexes", Whole(0), "gm", usual=0, rule="D10-016", when=lambda ctx: ctx.rulings.reflex_counts == "true",
    place="refinement")
ATTEMPTED = replace(LABEL, place="essential")
"""What is attempted: it stands in the title of the action for as long as it lasts."""


def next_turn(ctx: Context) -> int:
    """The turn that follows the last one rolled for."""
    return ctx.state(ComplexAction).turn + 1


TURN = Field("turn", Whole(next_turn), usual=next_turn, rule="D10-020", place="rarity")


def last_attribute(ctx: Context) -> int | str:
    """The attribute of the turn before."""
    used = ctx.state(ComplexAction).used.attribute
    if not used:
        raise MissingField(field="attribute", role="initiator")
    return int(used) if used.isdigit() else used


def last_skill(ctx: Context) -> int | str | None:
    """The skill of the turn before."""
    used = ctx.state(ComplexAction).used.skill
    return int(used) if used.isdigit() else used or None


def with_the_same(asked: Request) -> Request:
    """What was asked for the turn before stands again."""
    return asked._replace(
        attribute=replace(asked.attribute, usual=last_attribute, place="refinement"),
        skill=replace(asked.skill, usual=last_skill, place="refinement"),
    )


def pursued(ctx: Context) -> ComplexAction:
    """The action as it stands when a turn begins: interrupted, it has lost its stock."""
    state, actor = own_action(ctx), ctx.one()
    if actor.record is not None and not carried(actor, state):
        raise GivenUp(actor=called(actor))
    return replace(state, stock=kept_stock(state.stock, state.turn, ctx[TURN], ctx.rulings), turn=ctx[TURN])


def own_action(ctx: Context) -> ComplexAction:
    """The action under way; nobody else pursues it or gives it up."""
    state = ctx.state(ComplexAction)
    if state.actor and state.actor != ctx.one().id:
        raise NotTheirAction(actor=state.actor)
    return state


def is_own(ctx: Context) -> bool:
    """Whether the action under way is this character's to pursue or to give up."""
    return not ctx.all() or ctx.state(ComplexAction).actor in ("", ctx.one().id)


def carried(actor: Actor, state: ComplexAction) -> bool:
    """Whether the sheet still carries this action: fainting, dying or another action takes it off."""
    now = under_way(actor)
    return now is not None and (now.label, now.difficulty) == (state.label, state.difficulty)


def begun(ctx: Context) -> ComplexAction:
    """The action as it begins."""
    actor = ctx.one()
    busy = under_way(actor)
    if busy is not None:
        raise AlreadyBusy(label=busy.label)
    return ComplexAction(
        ctx[LABEL] or rolled_for(ctx), check_complex(ctx[SUCCESSES_NEEDED]), 0, 1, actor.id, used=used_by(ctx, actor))


State = Callable[[Context], ComplexAction]


def others_at_once(ctx: Context) -> int:
    """The other actions of the turn that disturb the complex one."""
    return simultaneous_actions(ctx[SIMULTANEOUS], ctx[REFLEXES] or 0, ctx.rulings)


def turn_of(state: State) -> Callable[[Context], Call[Turn]]:
    """A turn as the rule reads it: where the action stands, who acts, who resists."""

    def turn(ctx: Context) -> Call[Turn]:
        now, actor, resisting = state(ctx), ctx.one(), ctx.all("opponent")
        lost = 0 if ctx.encounter is None else ctx.state(ComplexAction).stock - now.stock
        standing = Pursuit(now.difficulty, now.stock, others_at_once(ctx), lost)
        mine, luck = action_of(ctx, actor), luck_at_hand(ctx, actor)
        if not resisting:
            return Call(complex_turn, standing, mine, luck, ctx.rulings)
        other = resisting[0]
        return Call(complex_turn, standing, mine, luck, ctx.rulings, action_of(ctx, other), luck_at_hand(ctx, other))

    return turn


def turn_success(turn: Turn) -> bool | None:
    """Whether the action is done; a turn that brought something nearer is no failure."""
    return True if turn.done else None if turn.gain > 0 else False


def turn_outcome(turn: Turn) -> str:
    """The short key of a turn: done and how well, to be pursued, or not attempted."""
    return LEVELS[turn.level] if turn.done else "continues" if turn.dice else "impossible"


def after_turn(ctx: Context, state: ComplexAction, turn: Turn) -> ComplexAction:
    """The action after a turn; whoever falls unconscious gives it up, successes and all."""
    fallen = faints(ctx, ctx.one(), turn) and not turn.done
    return replace(
        state, stock=0 if fallen else turn.stock, done=turn.done, abandoned=fallen, used=used_by(ctx, ctx.one()),
        gains=(*state.gains, turn.stock - state.stock),
    )


def tell_turn(state: State) -> Callable[[Context, Turn], Sequence[Telling]]:
    """What is said of a turn."""

    def tell(ctx: Context, turn: Turn) -> Sequence[Telling]:
        now = state(ctx)
        if not turn.dice:
            return [Telling("outcomes.told_impossible", main=True)]
        values: dict[str, Value] = {
            "what": now.label or "complex_action", "stock": turn.stock, "difficulty": now.difficulty,
            "turn": now.turn, "level": LEVELS[turn.level],
        }
        basis = f"told_scale_{ctx.rulings.complex_scale}"
        went = "_done" if turn.done else "" if turn.gain > 0 else "_still" if turn.stock == now.stock else "_back"
        return [
            Telling(f"outcomes.told_turn{went}", values, main=True),
            *([Telling(f"outcomes.{basis}", {"n": turn.gain})] if turn.done else []),
            *(line for actor, its in both(ctx, turn) for line in tell_fainting(ctx, actor, its)),
        ]

    return tell


def turn_costs(ctx: Context, turn: Turn) -> tuple[Change, ...]:
    """What a turn costs both sides."""
    costs = (change for actor, rolled in both(ctx, turn) for change in roll_changes(ctx, actor, rolled))
    resisting = (change for actor, its in both(ctx, turn)[1:] for change in given_up(actor, faints(ctx, actor, its)))
    return (*costs, *resisting)


def both(ctx: Context, turn: Turn) -> tuple[tuple[Actor, Side], ...]:
    """Whoever acts and whoever resists, each with what the turn cost them."""
    mine = Side(turn.raw, turn.dice, turn.luck_spent, turn.unconscious)
    theirs = Side(turn.opposing, turn.opposing_dice, turn.opposing_luck_spent, turn.opposing_unconscious)
    return (ctx.one(), mine), *((actor, theirs) for actor in ctx.all("opponent"))


def on_sheet(ctx: Context, after: ComplexAction) -> tuple[Change, ...]:
    """The sheet's own line on the complex action: kept while it lasts."""
    actor = ctx.one()
    sheet = sheet_of(actor)
    if sheet is None:
        return ()
    return changed(actor.id, sheet, "complex_action", None if after.over else after, "D10-019", weight="bookkeeping")


def changes_of_start(ctx: Context, turn: Turn) -> Sequence[Change]:
    """What the first turn changes."""
    if not turn.dice:
        return ()
    return (*turn_costs(ctx, turn), *on_sheet(ctx, after_turn(ctx, begun(ctx), turn)))


def changes_of_continue(ctx: Context, turn: Turn) -> Sequence[Change]:
    """What a later turn changes: the encounter's stock too. A turn that is not attempted changes nothing."""
    if not turn.dice:
        return ()
    after = after_turn(ctx, pursued(ctx), turn)
    return (Change("encounter", "", ctx.encounter, after, "D10-019"), *turn_costs(ctx, turn), *on_sheet(ctx, after))


def opened_by_start(ctx: Context, turn: Turn) -> Opened | None:
    """A complex action that is not over goes on as an encounter."""
    after = after_turn(ctx, begun(ctx), turn)
    return None if after.over or not turn.dice else Opened(COMPLEX_ACTION, after)


TURNS_FORESEEN = 6


def forecast(state: State) -> Callable[[Context], Forecast]:
    """In how many turns the action is done, if the same dice are thrown each time and nobody resists."""
    return lambda ctx: foreseen(state(ctx), hand(action_of(ctx, ctx.one()), ctx.rulings), others_at_once(ctx),
                                ctx.rulings)


def foreseen(now: ComplexAction, thrown: Hand, others: int, rulings: Rulings) -> Forecast:
    """In how many turns an action is done with these dice each time."""
    try:
        chain = Chain(
            progress, Progress(now.stock, False), thrown.dice, thrown.attribute, now.difficulty, others, rulings,
            over=lambda reached: reached.done,
        )
        mean = chain.run().mean_steps
    except EndlessRule:
        return Forecast(Odds({"never": 1}), None)
    by_turn = [chain.after(turn).chance(lambda reached: reached.done) for turn in range(TURNS_FORESEEN + 1)]
    chances = {f"turn_{turn}": by_turn[turn] - by_turn[turn - 1] for turn in range(1, TURNS_FORESEEN + 1)}
    chances["later"] = 1 - by_turn[-1]
    total = lcm(*(chance.denominator for chance in chances.values()))
    lines = [
        Telling("outcomes.done_by", {"turn": turn, **percentage(by_turn[turn])})
        for turn in range(1, TURNS_FORESEEN + 1)
    ]
    return Forecast(Odds({key: int(chance * total) for key, chance in chances.items()}, total), mean, lines)


TURNS_ON_BOARD = 3


def ahead(state: ComplexAction, records: Mapping[str, Character], rulings: Rulings) -> Forecast | None:
    """What lies ahead of an action under way, of whoever pursues it as they are: the next turns, numbered on."""
    sheet, used = records.get(state.actor), state.used
    if sheet is None or not used.attribute or sheet.helpless:
        return None
    known = sheet.skill(used.skill)
    action = Action(
        int(used.attribute) if used.attribute.isdigit() else int(getattr(sheet, used.attribute)),
        known.value if known is not None else int(used.skill) if used.skill.isdigit() else 0,
        energy=sheet.energy, physical=is_physical(used.attribute), torso=sheet.level("torso"),
    )
    found = foreseen(state, hand(action, rulings), 0, rulings)
    lines = [line._replace(values={**line.values, "turn": state.turn + at})
             for at, line in enumerate(found.lines[:TURNS_ON_BOARD], start=1)]
    return found._replace(lines=lines or [Telling("outcomes.never")])


def complex_move(
    name: str, state: State, asked: tuple[AnyField, ...], changes: Callable[[Context, Turn], Sequence[Change]],
    offered: Callable[[Context], bool],
    opens: Callable[[Context, Turn], Opened | None] = lambda ctx, turn: None, encounter: str = "",
    suits: Callable[[Context], bool] | None = None,
) -> Move:
    """A turn of a complex action, the first or a later one."""
    return Move(
        name,
        (
            Ask("ask", (*asked, SIMULTANEOUS, REFLEXES)),
            Ask("announce", announced_by()),
            Ask("resist", (*asked_of("opponent"), *announced_by("opponent"))),
            Resolve(
                "turn", turn_of(state), tell=tell_turn(state), outcome=turn_outcome,
                success=turn_success, policies=POLICIES, vary="dice", changes=changes, opens=opens,
                asks=worth_asking,
            ),
        ),
        cast=(INITIATOR, Role("opponent", least=0, other=True), GAME_MASTER),
        rules=("D10-017", "D10-018", "D10-019", "D10-021", "D10-022", "D10-026"),
        encounter=encounter,
        forecast=forecast(state),
        when=against_another,
        offered=offered,
        suits=suits or offered,
    )


def may_begin(ctx: Context) -> bool:
    """Whether whoever acts is free for another complex action."""
    return all_able(ctx) and under_way(ctx.one()) is None


def may_usefully_begin(ctx: Context) -> bool:
    """Whether whoever is free for it could also have a die to throw."""
    return may_begin(ctx) and may_have_dice()(ctx)


def may_go_on(ctx: Context) -> bool:
    """Whether the action under way is this actor's, who can act, and whose sheet still carries it."""
    actor = ctx.one()
    return is_own(ctx) and all_able(ctx) and (actor.record is None or carried(actor, ctx.state(ComplexAction)))


START = complex_move(
    "start-complex-action", begun, (ATTEMPTED, SUCCESSES_NEEDED, *asked_of()), changes_of_start, may_begin,
    opened_by_start, suits=may_usefully_begin,
)
CONTINUE = complex_move(
    "continue-complex-action", pursued, (TURN, *with_the_same(asked_of())), changes_of_continue,
    may_go_on, encounter=COMPLEX_ACTION,
)


def changes_of_abandon(ctx: Context, stock: int) -> Sequence[Change]:
    """The action is given up, on the sheet too."""
    state = ctx.state(ComplexAction)
    after = replace(state, stock=stock, abandoned=True)
    sheet = on_sheet(ctx, after) if carried(ctx.one(), state) else ()
    return (Change("encounter", "", state, after, "D10-020"), *sheet)


def tell_abandon(ctx: Context, stock: int) -> Sequence[Telling]:
    """Who gives up what."""
    what = ctx.state(ComplexAction).label
    return [Telling("outcomes.told_abandoned_what" if what else "outcomes.told_abandoned", {"what": what}, main=True)]


ABANDON = Move(
    "abandon",
    (Resolve("abandon", lambda ctx: Call(abandon, own_action(ctx).stock), outcome=lambda stock: "abandoned", auto=True,
             tell=tell_abandon, changes=changes_of_abandon),),
    rules=("D10-020",),
    encounter=COMPLEX_ACTION,
    offered=is_own,
    suits=is_own,
)
