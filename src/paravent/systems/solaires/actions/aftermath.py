"""What an action leads to: its consequences told, and what they leave on somebody's sheet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from paravent.dice import Dice
from paravent.game import (
    EVERYONE,
    Actor,
    AnyField,
    Ask,
    Call,
    Change,
    Context,
    Field,
    Follow,
    Many,
    OneOf,
    Resolve,
    Rulings,
    Telling,
    TextField,
    Value,
    Who,
    changed,
    rule,
)
from paravent.systems.solaires.cast import MEMBER, has, has_states, states_of
from paravent.systems.solaires.facts import Use
from paravent.systems.solaires.people.character import Character, Element, with_items, without_items
from paravent.systems.solaires.people.state_moves import (
    STATES_GAINED,
    STATES_LOST,
    STATES_WORSE,
    ScoredWords,
    state_changes,
)
from paravent.systems.solaires.people.states import changed_states, read_states
from paravent.systems.solaires.points.rules import cost_of

from .action import Action, telling
from .announce_steps import DECLARED, ON_FAILURE, ON_SUCCESS, Course, Rolls, goes_on, only_if
from .attitude import SideEffect
from .effect_steps import ideas
from .facts import Polarity
from .particular import GroupTrial
from .roll_steps import ROLL, ROLLS, members_of, paying, points_paid

Followed = Callable[[Context, int], Sequence[Follow]]
"""Which moves the consequences of an action call for."""
TELLING = "telling"
"""The step at which the others read what the player wrote."""


# How it ended


def result_of(ctx: Context) -> Action | GroupTrial | None:
    """How the action ended, with dice or without; nothing before that, or where there was none."""
    if ROLL.id in ctx.results:
        return ctx.result(ROLL)
    if ROLLS.id in ctx.results:
        return ctx.result(ROLLS)
    return ctx.result(DECLARED) if DECLARED.id in ctx.results else None


def succeeded(ctx: Context) -> bool:
    """Whether the action ended, and well."""
    done = result_of(ctx)
    return done is not None and done.success


def failed(ctx: Context) -> bool:
    """Whether the action ended, and badly."""
    done = result_of(ctx)
    return done is not None and not done.success


def is_written(ctx: Context) -> bool:
    """Whether the player would tell the end, and writes it for the others to read first."""
    done = result_of(ctx)
    return isinstance(done, Action) and done.narrator != "gm"


def told_by_player(ctx: Context) -> bool:
    """Whether the end is told in the player's words: written, and let pass."""
    return is_written(ctx) and TELLING in ctx.results and bool(ctx.results[TELLING])


def is_left_to_write(ctx: Context) -> bool:
    """Whether the player tells an end with a side effect: what it leaves on a sheet is still the game master's word."""
    return told_by_player(ctx) and bool(effects_of(result_of(ctx)))


def agreed(ctx: Context) -> str:
    """What was agreed on beforehand for such an end."""
    return ctx[ON_SUCCESS] if succeeded(ctx) else ctx[ON_FAILURE] if failed(ctx) else ""


@rule("SOL-056", "SOL-013")
def is_told(effects: Sequence[SideEffect], bad: bool, agreed: str, rulings: Rulings) -> bool:
    """Whether the game master has something left to say: a side effect, or a failure of which nothing was agreed.

    What was agreed beforehand comes about by itself, and so does a plain success; a table may tell every end (R-51).
    """
    return rulings.aftermath == "always" or bool(effects) or (bad and not agreed)


def is_left_to_tell(ctx: Context) -> bool:
    """Whether the consequences wait for the game master; what was settled without dice never does.

    Where the player's words were vetoed, the game master tells in their stead.
    """
    done = result_of(ctx)
    if done is None or DECLARED.id in ctx.results:
        return False
    if is_written(ctx):
        return TELLING in ctx.results and not told_by_player(ctx)
    return is_told(effects_of(done), not done.success, agreed(ctx), ctx.rulings)


def effects_of(done: Action | GroupTrial | None) -> tuple[SideEffect, ...]:
    """The side effects of an action; of a group's, those of every member."""
    if isinstance(done, GroupTrial):
        return tuple(effect for effects in done.effects for effect in effects)
    return () if done is None else done.effects


def obtained(ctx: Context) -> tuple[str, ...]:
    """Ideas for the side effects obtained, of which no more and no fewer are told."""
    kinds = {effect.polarity for effect in effects_of(result_of(ctx))}
    return ideas(*(polarity for polarity in Polarity if polarity in kinds))(ctx)


# Who is concerned


def sheets_of(ctx: Context) -> tuple[Actor, ...]:
    """All in the action who have a sheet to write on, whoever acts first."""
    rest = (actor for actor in ctx.actors if actor.id != ctx.one().id)
    return tuple(actor for actor in (ctx.one(), *rest) if has_states(actor))


def usually_touched(ctx: Context) -> tuple[str, ...]:
    """Who the consequences are for: whoever acted; the member who fails; in an opposition, whoever lost it."""
    if ctx.asks(FAILS) and failed(ctx):
        return (ctx[FAILS] or ctx.one().id,)
    return ((ctx.one("opponent") if ctx.all("opponent") and succeeded(ctx) else ctx.one()).id,)


def touched(ctx: Context) -> tuple[Actor, ...]:
    """Whom the consequences are for: one, or several at once."""
    names = ctx[TOUCHED] or usually_touched(ctx)
    return tuple(one for one in sheets_of(ctx) if one.id in names)


def all_states(ctx: Context) -> tuple[str, ...]:
    """The states of all in the action."""
    return tuple(dict.fromkeys(state.name for actor in sheets_of(ctx) for state in states_of(actor)))


def equipped(ctx: Context) -> tuple[Character, ...]:
    """The sheets of those in the action who own things."""
    return tuple(actor.record for actor in sheets_of(ctx) if isinstance(actor.record, Character))


def all_equipment(ctx: Context) -> tuple[str, ...]:
    """The things of all in the action."""
    return tuple(dict.fromkeys(item.name for sheet in equipped(ctx) for item in sheet.equipment))


# What is asked


FAILS: Field[str | None] = Field(
    "fails", OneOf(lambda ctx: tuple(one.id for one in members_of(ctx))), "gm", rule="SOL-071",
    usual=lambda ctx: ctx.one().id, when=failed, place="essential", waits=True,
)
DESCRIPTION: Field[str | None] = Field(
    "description", TextField(1000, obtained), "gm", usual=agreed, waits=True, rule="SOL-056",
    when=is_left_to_tell,
)
OWN_DESCRIPTION: Field[str | None] = Field(
    "own_description", TextField(1000, obtained), usual=agreed, waits=True, rule="SOL-115", when=is_written,
    anew=True,
)
TOUCHED: Field[tuple[str, ...] | None] = Field(
    "touched", Many(OneOf(lambda ctx: tuple(one.id for one in sheets_of(ctx))), least=1, distinct=True), "gm",
    rule="SOL-054", usual=usually_touched, when=lambda ctx: len(sheets_of(ctx)) > 1, place="essential",
)
EQUIPMENT_FOUND: Field[str | None] = Field(
    "equipment_found", ScoredWords(300), "gm", usual="", rule="SOL-055", place="refinement",
    when=lambda ctx: bool(equipped(ctx)),
)
EQUIPMENT_LOST: Field[tuple[str, ...] | None] = Field(
    "equipment_lost", Many(OneOf(all_equipment), distinct=True), "gm", usual=(), rule="SOL-054",
    place="refinement", when=lambda ctx: bool(all_equipment(ctx)),
)
_ANY_STATES = Many(OneOf(all_states), distinct=True)
LEFT: tuple[AnyField, ...] = (
    TOUCHED,
    replace(STATES_GAINED, rule="SOL-054", place="essential", waits=is_left_to_write),
    replace(STATES_WORSE, type=_ANY_STATES, place="refinement", when=lambda ctx: bool(all_states(ctx))),
    replace(STATES_LOST, type=_ANY_STATES, place="refinement", when=lambda ctx: bool(all_states(ctx))),
    EQUIPMENT_FOUND,
    EQUIPMENT_LOST,
)
"""What the consequences leave, and on whom."""


# In the player's words


def words_written(ctx: Context) -> str:
    """The end as the player wrote it, or else as it was agreed on."""
    return has(ctx, ctx.one(), OWN_DESCRIPTION) or agreed(ctx)


def tell_telling(ctx: Context, stands: bool) -> list[Telling]:
    """The end in the player's words, for all to read before what it leaves is written; or the point given back."""
    values: dict[str, Value] = {"who": Who(ctx.one().id), "use": Use.DESCRIBE_CONSEQUENCES, "n": telling_cost(ctx)}
    if not stands:
        return [Telling("outcomes.told_vetoed", values)]
    text = words_written(ctx)
    story = [Telling("outcomes.told_story", {"text": text}, EVERYONE)] if text else []
    return [Telling("outcomes.told_narrator", values), *story]


def telling_cost(ctx: Context) -> int:
    """What it costs to tell the end oneself."""
    return cost_of(Use.DESCRIBE_CONSEQUENCES, ctx.rulings)


def telling_paid(ctx: Context, stands: bool, helpers: str) -> list[Change]:
    """Points paid for dice, and for the telling where it stands."""
    done = result_of(ctx)
    if not isinstance(done, Action):
        return []
    payers = paying(ctx, helpers)
    own, *others = done.spent or (0,) * len(payers)
    return points_paid((own + (telling_cost(ctx) if stands else 0), *others), payers)


def telling_steps(helpers: str) -> Course:
    """The player writes how it ends; the others read it, and may veto it."""
    return (
        Ask("write", (OWN_DESCRIPTION,)),
        Resolve(TELLING, lambda ctx: Call(telling, words_written(ctx), telling_cost(ctx), ctx.rulings.veto), auto=True,
                when=is_written, outcome=lambda stands: "described" if stands else "vetoed", tell=tell_telling,
                changes=lambda ctx, stands: telling_paid(ctx, stands, helpers)),
    )


# What they leave


@rule("SOL-056", "SOL-054", "SOL-055")
def aftermath(dice: Dice, gained: tuple[Element, ...], worse: tuple[str, ...], lost: tuple[str, ...]) -> int:
    """What the consequences leave on the sheet; success and side effects stand as they are."""
    return len(gained) + len(worse) - len(lost)


def aftermath_of(ctx: Context) -> Call[int]:
    """The states written, made worse and crossed out."""
    worse, gone = ctx[STATES_WORSE], ctx[STATES_LOST]
    return Call(aftermath, states_written(ctx), worse or (), gone or ())


def states_written(ctx: Context) -> tuple[Element, ...]:
    """The states that the game master wrote down."""
    return read_states(ctx[STATES_GAINED] or "", ctx.rulings)


def tell_aftermath(ctx: Context, after: int) -> list[Telling]:
    """The consequences in the game master's words, unless the player has told them."""
    told = has(ctx, ctx.one("gm"), DESCRIPTION)
    text = "" if told_by_player(ctx) else told or agreed(ctx)
    said = [Telling("outcomes.told_story", {"text": text}, EVERYONE)] if text else []
    if ctx.asks(FAILS) and failed(ctx):
        said.append(Telling("outcomes.told_fails", {"who": Who(ctx[FAILS] or ctx.one().id)}, EVERYONE))
    return said


def aftermath_changes(ctx: Context, after: int) -> list[Change]:
    """States and things of those whom the consequences are for."""
    return [change for actor in touched(ctx) for change in left_on(ctx, actor)]


def left_on(ctx: Context, actor: Actor) -> list[Change]:
    """What the consequences leave on one sheet."""
    mine = {state.name for state in states_of(actor)}
    worse = [name for name in ctx[STATES_WORSE] or () if name in mine]
    gone = [name for name in ctx[STATES_LOST] or () if name in mine]
    found = list(state_changes(actor, changed_states(states_of(actor), states_written(ctx), worse, gone)))
    if isinstance(actor.record, Character):
        lost, kept = ctx[EQUIPMENT_LOST], actor.record.equipment
        gear = with_items(without_items(kept, lost or ()), read_states(ctx[EQUIPMENT_FOUND] or "", ctx.rulings))
        found += changed(actor.id, actor.record, "equipment", gear, "SOL-105")
    return [replace(change, written=True) for change in found]


def describe_steps(
    helpers: str, *more: AnyField, follow: Followed = lambda ctx, after: (), tells: Rolls = is_left_to_tell
) -> Course:
    """The consequences: told by the player who paid for it, or by the game master; what they leave on a sheet."""
    group = (FAILS,) if helpers == MEMBER.id else ()
    told = replace(DESCRIPTION, when=tells)
    return (
        *telling_steps(helpers),
        Ask("describe", tuple(only_if(goes_on, field) for field in (told, *group, *more, *LEFT))),
        Resolve("aftermath", aftermath_of, auto=True, tell=tell_aftermath, changes=aftermath_changes,
                outcome=lambda after: "described", when=goes_on, follow=follow),
    )
