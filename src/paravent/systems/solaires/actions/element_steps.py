"""What is brought into an action: elements of one's own, lent by others, supplied by things; and what hinders."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from paravent.game import (
    Actor,
    AnyResolve,
    Ask,
    Context,
    Field,
    FieldFacts,
    Flag,
    Many,
    OneOf,
    Pills,
    Place,
    Score,
    Window,
)
from paravent.systems.solaires.cast import HELPER, MEMBER, THING, has, in_v4, in_v5, listed, names_of
from paravent.systems.solaires.facts import MOST_ELEMENTS, SCORE_MAX, Category
from paravent.systems.solaires.points.held import POINTS

from .announce_steps import Course, Rolls, only_if
from .effect_steps import ATTITUDE
from .elements import Hindrance, Used, is_judged
from .errors import NoSuchElement

NONE = "none"
Element = Field[int | str | None]
"""A place for an element: its name on the sheet, or its score alone; none is an answer too."""
Answer = Field[bool | None]


# What is asked


@dataclass(frozen=True)
class Scored(Score):
    """The name of an element or its score alone; a score of 0 is refused by its rule, so that no page offers it."""

    def describe(self, ctx: Context) -> FieldFacts:
        return FieldFacts(self.name, super().describe(ctx).options, 1, self.maximum)


def scoring(role: str) -> Callable[[Context], tuple[str, ...]]:
    """The names of the elements of whoever holds a role that are worth anything."""
    return lambda ctx: tuple(dict.fromkeys(one.name for one in listed(ctx.one(role)) if one.score > 0))


def room_beside(ctx: Context, actor: Actor, place: str) -> int:
    """How many elements may still come beside those that stand in all other places: an action takes two at most."""
    places = ((ctx.one(), "element"), (ctx.one(), "second"), *((one, "lent") for role in (HELPER, MEMBER)
              for one in ctx.all(role.id)), *((thing, "used") for thing in ctx.all(THING.id)))
    return MOST_ELEMENTS - sum(
        len(value) if isinstance(value, list | tuple) else value not in (NONE, None)
        for one, name in places if (one.id, name) != (actor.id, place) for value in (one.filled.get(name),))


@dataclass(frozen=True)
class Supplied(Many[int | str]):
    """What a thing supplies; a page offers as many as there is room for."""

    def describe(self, ctx: Context) -> FieldFacts:
        room = max(0, room_beside(ctx, ctx.one("thing"), "used"))
        return FieldFacts(self.name, of=self.of.describe(ctx), least=self.least, most=room) if room else FieldFacts(
            "one-of", [])


def element_place(
    name: str, role: str, rule_id: str, waits: bool = False, when: Callable[[Context], bool] | None = None,
    at: Place = "essential", besides: str = "",
) -> Element:
    """A place for an element of whoever holds a role; each says what it would make of the odds.

    What stands in the place ``besides`` is not offered again.
    """
    scored = scoring(role)

    def left(ctx: Context) -> tuple[str, ...]:
        taken = ctx.one(role).filled.get(besides)
        return NONE, *(name for name in scored(ctx) if name != taken)

    kind = Scored(names_of(role, first=(NONE,)), 0, SCORE_MAX, left)
    return Field(name, kind, role, usual=NONE, waits=waits, when=when, rule=rule_id, place=at, shape=Pills())


def best_of(role: str) -> Callable[[Context], int | str | None]:
    """The element of whoever holds a role that is worth most: what the game master supposes who judges before it is
    chosen."""

    def best(ctx: Context) -> str:
        able = [one for one in listed(ctx.one(role)) if one.score > 0 and one.category is not Category.STATE]
        return max(able, key=lambda one: one.score).name if able else NONE

    return best


def is_chosen(place: Element) -> Callable[[Context], bool]:
    """Whether something is chosen in this place."""
    return lambda ctx: ctx.value(ctx.one(place.role), place) not in (NONE, None)


def elements_asked(role: str) -> tuple[Element, Answer, Element, Answer]:
    """One or two elements of whoever holds a role, of which the action is typical or not."""
    first = replace(element_place("element", role, "SOL-030", waits=True, besides="second"), supposed=best_of(role))

    def has_a_second(ctx: Context) -> bool:
        """Whether a second one may come: what others lend counts for whoever acts."""
        return is_chosen(first)(ctx) and (role != "initiator" or room_beside(ctx, ctx.one(), "second") > 0)

    second = element_place("second", role, "SOL-032", when=has_a_second, besides=first.id)
    second_typical = answer("second_typical", role, is_chosen(second))

    def claimed(ctx: Context) -> bool:
        """Whoever brings in a second element claims that the action is typical of the first, unless they say."""
        lent = role == "initiator" and is_helped(ctx)
        return (lent or is_chosen(second)(ctx)) and not has(ctx, ctx.one(role), second_typical)

    return first, replace(answer("typical", role, is_chosen(first)), usual=claimed), second, second_typical


def is_helped(ctx: Context) -> bool:
    """Whether anybody lends an element, or a thing supplies one."""
    lenders = (*ctx.all(HELPER.id), *ctx.all(MEMBER.id))
    return any(has(ctx, one, LENT) not in (NONE, None) for one in lenders) or any(
        has(ctx, thing, USED) for thing in ctx.all("thing"))


def answer(name: str, role: str, when: Callable[[Context], bool] | None = None) -> Answer:
    """Whether the action is typical of an element: proposed by whoever brings it."""
    return Field(name, Flag(), role, usual=False, when=when, rule="SOL-032", place="refinement")


ELEMENT, TYPICAL, SECOND, SECOND_TYPICAL = elements_asked("initiator")


def has_a_price(ctx: Context) -> bool:
    """Whether an element may be used although it hinders, at the price of v4."""
    return in_v4(ctx) or ctx.rulings.v5_unfavourable == "v4_price"


def unfavourable(name: str, role: str, chosen: Callable[[Context], bool]) -> Answer:
    """Whether an element hinders the action, as the game master finds: one's own, a second or a lent one alike."""
    return Field(name, Flag(), role, usual=False, when=lambda ctx: chosen(ctx) and has_a_price(ctx), rule="SOL-060",
                 by="gm", place="refinement")


UNFAVOURABLE = unfavourable("unfavourable", "initiator", is_chosen(ELEMENT))
SECOND_UNFAVOURABLE = unfavourable("second_unfavourable", "initiator", is_chosen(SECOND))


def has_room(role: str, place: str) -> Callable[[Context], bool]:
    """Whether an element of somebody else's may come: in v4 one's own comes first, and there are two at most."""
    return lambda ctx: ((not in_v4(ctx) or is_chosen(ELEMENT)(ctx)) and not is_chosen(SECOND)(ctx)
                        and room_beside(ctx, ctx.one(role), place) > 0)


def lent_asked(role: str) -> tuple[Element, Answer, Answer]:
    """What whoever holds a role lends: one element. Whoever chooses it has agreed to lend it."""
    lent = element_place("lent", role, "SOL-034", when=has_room(role, "lent"))
    return (lent, answer("lent_typical", role, is_chosen(lent)),
            unfavourable("lent_unfavourable", role, is_chosen(lent)))


LENT, LENT_TYPICAL, LENT_UNFAVOURABLE = lent_asked("helper")
USED: Field[tuple[int | str, ...] | None] = Field(
    "used", Supplied(Scored(names_of("thing"), 0, SCORE_MAX, scoring("thing")), most=MOST_ELEMENTS), "thing", usual=(),
    rule="SOL-034", place="refinement",
)


def is_used(ctx: Context) -> bool:
    """Whether a thing supplies anything."""
    return bool(ctx.value(ctx.one("thing"), USED))


USED_TYPICAL = answer("used_typical", "thing", is_used)
USED_UNFAVOURABLE = unfavourable("used_unfavourable", "thing", is_used)


def brought_in(ctx: Context) -> tuple[str, ...]:
    """The names of what whoever acts brings in."""
    chosen = (ctx.value(ctx.one(), place) for place in (ELEMENT, SECOND))
    return tuple(str(name) for name in chosen if name not in (NONE, None))


OFF_TOPIC: Field[tuple[str, ...] | None] = Field(
    "off_topic", Many(OneOf(brought_in), distinct=True), usual=(), rule="SOL-037", by="gm", place="refinement",
    when=lambda ctx: bool(brought_in(ctx)),
)


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
                 when=lambda ctx: declares_handicap(ctx) and may_hinder(ctx, role), rule="SOL-061", place="essential")


def may_hinder(ctx: Context, role: str) -> bool:
    """Whether there is anything on the sheet that could hinder; somebody without one may name a score."""
    return ctx.one(role).record is None or bool(hindering(role)(ctx))


HANDICAP = handicap_asked("initiator")


def element_steps(rolls: Rolls, helpers: str, weighed: AnyResolve) -> Course:
    """Elements of one's own and of others, attitude, handicap; the action is ``weighed``; all agree."""
    own = (ELEMENT, TYPICAL, SECOND, SECOND_TYPICAL, UNFAVOURABLE, SECOND_UNFAVOURABLE, OFF_TOPIC)
    of_others = (*lent_asked(helpers), USED, USED_TYPICAL, USED_UNFAVOURABLE)
    handicaps = (HANDICAP, handicap_asked(helpers)) if helpers == MEMBER.id else (HANDICAP,)
    return (
        Ask("elements", tuple(only_if(rolls, field) for field in (*own, *of_others, POINTS))),
        Ask("attitude", (only_if(rolls, ATTITUDE),)),
        Ask("handicap", tuple(only_if(rolls, field) for field in handicaps)),
        weighed,
        Window("approval", "gm", "approval", back_to="elements", apart=(ATTITUDE.id, HANDICAP.id, POINTS.id),
               when=lambda ctx: rolls(ctx) and is_judged(elements_of(ctx, helpers), ctx.rulings)),
    )


# What was chosen


def named(actor: Actor, value: int | str) -> Used:
    """An element of an actor by its name, or by its score alone."""
    if isinstance(value, int):
        return Used(value)
    for one in listed(actor):
        if one.name == value:
            return Used(one.score, category=one.category, name=one.name)
    raise NoSuchElement(name=value, role=actor.role)


def element_in(ctx: Context, actor: Actor, place: Element) -> tuple[Used, ...]:
    """The element in one place of the form, if there is one."""
    value = has(ctx, actor, place)
    return () if value is None or value == NONE else (named(actor, value),)


def own_elements(ctx: Context, actor: Actor) -> tuple[Used, ...]:
    """The one or two elements of somebody's own."""
    return (*_own(ctx, actor, ELEMENT, TYPICAL, UNFAVOURABLE),
            *_own(ctx, actor, SECOND, SECOND_TYPICAL, SECOND_UNFAVOURABLE))


def _own(ctx: Context, actor: Actor, place: Element, typical: Answer, hindering: Answer) -> Iterator[Used]:
    for used in element_in(ctx, actor, place):
        # What the other side of an opposition engages is only counted against whoever acts.
        hinders = actor.role == "initiator" and bool(has(ctx, actor, hindering))
        ruled_out = actor.role == "initiator" and used.name in (has(ctx, actor, OFF_TOPIC) or ())
        yield used._replace(typical=bool(has(ctx, actor, typical)), unfavourable=hinders, off_topic=ruled_out)


def lent_by(ctx: Context, helper: Actor) -> tuple[Used, ...]:
    """What a helper lends."""
    typical, hinders = bool(has(ctx, helper, LENT_TYPICAL)), bool(has(ctx, helper, LENT_UNFAVOURABLE))
    return tuple(used._replace(typical=typical, unfavourable=hinders, owner=helper.id, is_thing=helper.kind == "thing")
                 for used in element_in(ctx, helper, LENT))


def supplied_by(ctx: Context, thing: Actor) -> tuple[Used, ...]:
    """What a thing supplies."""
    typical, hinders = bool(has(ctx, thing, USED_TYPICAL)), bool(has(ctx, thing, USED_UNFAVOURABLE))
    return tuple(named(thing, value)._replace(typical=typical, unfavourable=hinders, owner=thing.id, is_thing=True)
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
