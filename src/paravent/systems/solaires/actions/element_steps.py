"""What is brought into an action: elements of one's own, lent by others, supplied by things; and what hinders."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from paravent.game import Actor, AnyResolve, Ask, Context, Field, Flag, Many, Score, Window
from paravent.systems.solaires.cast import MEMBER, has, in_v4, in_v5, listed, names_of
from paravent.systems.solaires.facts import SCORE_MAX, Category
from paravent.systems.solaires.points.held import POINTS

from .announce_steps import Rolls, Steps, only_if
from .effect_steps import ATTITUDE
from .elements import Hindrance, Used
from .errors import NoSuchElement

NONE = "none"
Place = Field[int | str | None]
"""A place for an element: its name on the sheet, or its score alone; none is an answer too."""
Answer = Field[bool | None]


# What is asked


def element_place(
    name: str, role: str, rule_id: str, waits: bool = False, when: Callable[[Context], bool] | None = None
) -> Place:
    """A place for an element of whoever holds a role."""
    kind = Score(names_of(role, first=(NONE,)), 0, SCORE_MAX)
    return Field(name, kind, role, usual=NONE, waits=waits, when=when, rule=rule_id)


def is_chosen(place: Place) -> Callable[[Context], bool]:
    """Whether something is chosen in this place."""
    return lambda ctx: ctx.value(ctx.one(place.role), place) not in (NONE, None)


def elements_asked(role: str) -> tuple[Place, Answer, Place, Answer]:
    """One or two elements of whoever holds a role, of which the action is typical or not."""
    first = element_place("element", role, "SOL-030", waits=True)
    second = element_place("second", role, "SOL-032", when=is_chosen(first))
    return (
        first,
        Field("typical", Flag(), role, usual=False, when=is_chosen(first), rule="SOL-032", upfront=True),
        second,
        Field("second_typical", Flag(), role, usual=False, when=is_chosen(second), rule="SOL-032"),
    )


ELEMENT, TYPICAL, SECOND, SECOND_TYPICAL = elements_asked("initiator")


def price_is_v4(place: Place) -> Callable[[Context], bool]:
    """Whether an element may be used although it hinders, at the price of v4."""
    return lambda ctx: is_chosen(place)(ctx) and (in_v4(ctx) or ctx.rulings.v5_unfavourable == "v4_price")


UNFAVOURABLE: Answer = Field(
    "unfavourable", Flag(), usual=False, when=price_is_v4(ELEMENT), rule="SOL-060", by="gm"
)
SECOND_UNFAVOURABLE: Answer = Field(
    "second_unfavourable", Flag(), usual=False, when=price_is_v4(SECOND), rule="SOL-060", by="gm"
)


def lent_asked(role: str) -> tuple[Place, Answer]:
    """What whoever holds a role lends: one element."""
    lent = element_place("lent", role, "SOL-034")
    return lent, Field("lent_typical", Flag(), role, usual=False, when=is_chosen(lent), rule="SOL-032")


LENT, LENT_TYPICAL = lent_asked("helper")
USED: Field[tuple[int | str, ...] | None] = Field(
    "used", Many(Score(names_of("thing"), 0, SCORE_MAX), most=2), "thing", usual=(), rule="SOL-034"
)
USED_TYPICAL: Answer = Field("used_typical", Flag(), "thing", usual=False, rule="SOL-032")


def declares_handicap(ctx: Context) -> bool:
    """Whether handicapping states are declared at this table."""
    return in_v5(ctx) or ctx.rulings.v4_declared_states == "true"


def hindering(role: str) -> Callable[[Context], tuple[str, ...]]:
    """What may hinder: states, or any element where the table says."""
    states, every = names_of(role, Category.STATE), names_of(role)
    return lambda ctx: every(ctx) if ctx.rulings.v5_handicap_any == "true" else states(ctx)


def handicap_asked(role: str) -> Field[tuple[int | str, ...] | None]:
    """States that hinder the action of whoever holds a role: their names, or their scores alone."""
    return Field("handicap", Many(Score(hindering(role), 1, SCORE_MAX), distinct=True), role, usual=(),
                 when=declares_handicap, rule="SOL-061", upfront=True)


HANDICAP = handicap_asked("initiator")


def element_steps(rolls: Rolls, helpers: str, weighed: AnyResolve) -> Steps:
    """Elements of one's own and of others, attitude, handicap; the action is ``weighed``; all agree."""
    own = (ELEMENT, TYPICAL, SECOND, SECOND_TYPICAL, UNFAVOURABLE, SECOND_UNFAVOURABLE)
    of_others = (*lent_asked(helpers), USED, USED_TYPICAL)
    handicaps = (HANDICAP, handicap_asked(helpers)) if helpers == MEMBER.id else (HANDICAP,)
    return (
        Ask("elements", tuple(only_if(rolls, field) for field in (*own, *of_others, POINTS))),
        Ask("attitude", (only_if(rolls, ATTITUDE),)),
        Ask("handicap", tuple(only_if(rolls, field) for field in handicaps)),
        weighed,
        Window("lend", helpers, "consent", back_to="elements",
               when=lambda ctx: rolls(ctx) and any(has(ctx, one, LENT) != NONE for one in ctx.all(helpers))),
        Window("approval", "gm", "approval", back_to="elements",
               when=lambda ctx: rolls(ctx) and (bool(elements_of(ctx, helpers)) or hinders(ctx))),
    )


def hinders(ctx: Context) -> bool:
    """Whether anybody declares a handicap."""
    return any(has(ctx, actor, HANDICAP) for actor in ctx.actors if asks_handicap(ctx, actor.role))


def asks_handicap(ctx: Context, role: str) -> bool:
    """Whether a role is asked for its handicaps."""
    return any(field.id == HANDICAP.id and field.role == role for field in ctx.move.fields)


# What was chosen


def named(actor: Actor, value: int | str) -> Used:
    """An element of an actor by its name, or by its score alone."""
    if isinstance(value, int):
        return Used(value)
    for one in listed(actor):
        if one.name == value:
            return Used(one.score, category=one.category, name=one.name)
    raise NoSuchElement(name=value, role=actor.role)


def element_in(ctx: Context, actor: Actor, place: Place) -> tuple[Used, ...]:
    """The element in one place of the form, if there is one."""
    value = has(ctx, actor, place)
    return () if value is None or value == NONE else (named(actor, value),)


def own_elements(ctx: Context, actor: Actor) -> tuple[Used, ...]:
    """The one or two elements of somebody's own."""
    return (*_own(ctx, actor, ELEMENT, TYPICAL, UNFAVOURABLE),
            *_own(ctx, actor, SECOND, SECOND_TYPICAL, SECOND_UNFAVOURABLE))


def _own(ctx: Context, actor: Actor, place: Place, typical: Answer, unfavourable: Answer) -> Iterator[Used]:
    for used in element_in(ctx, actor, place):
        # Whether an element is used although it hinders is asked of whoever acts, by the moves that know this price.
        hinders = actor.role == "initiator" and ctx.asks(unfavourable) and bool(has(ctx, actor, unfavourable))
        yield used._replace(typical=bool(has(ctx, actor, typical)), unfavourable=hinders)


def lent_by(ctx: Context, helper: Actor) -> tuple[Used, ...]:
    """What a helper lends."""
    typical = bool(has(ctx, helper, LENT_TYPICAL))
    return tuple(used._replace(typical=typical, owner=helper.id, is_thing=helper.kind == "thing")
                 for used in element_in(ctx, helper, LENT))


def supplied_by(ctx: Context, thing: Actor) -> tuple[Used, ...]:
    """What a thing supplies."""
    typical = bool(has(ctx, thing, USED_TYPICAL))
    return tuple(named(thing, value)._replace(typical=typical, owner=thing.id, is_thing=True)
                 for value in has(ctx, thing, USED) or ())


def elements_of(ctx: Context, helpers: str) -> tuple[Used, ...]:
    """All that is brought into the action: one's own, what helpers lend, what things supply."""
    return (
        *own_elements(ctx, ctx.one()),
        *(used for helper in ctx.all(helpers) for used in lent_by(ctx, helper)),
        *(used for thing in ctx.all("thing") for used in supplied_by(ctx, thing)),
    )


def hindrances_of(ctx: Context, actor: Actor) -> tuple[Hindrance, ...]:
    """What somebody declares as hindering."""
    declared = (named(actor, value) for value in has(ctx, actor, HANDICAP) or ())
    return tuple(Hindrance(used.score, used.category or Category.STATE, used.name) for used in declared)
