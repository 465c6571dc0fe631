"""From forms and sheets to rules: the fields that actions ask, and how elements, handicaps and points are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from paravent.game import (
    Actor,
    AnyField,
    Context,
    Field,
    Flag,
    Group,
    Many,
    MissingField,
    OneOf,
    Role,
    Score,
    TextField,
    Whole,
)

from .actions.action import Payer
from .actions.attitude import Cells, all_attitudes
from .actions.difficulty import levels
from .actions.elements import Hindrance, Used
from .errors import NoSuchElement
from .facts import SCALE, SCORE_MAX, TABLES, Attitude, Category, Edition, Polarity
from .people.character import Character, Element, Figure
from .people.states import menu

NONE = "none"
ACTOR = Role("initiator", record="character")
"""Whoever acts: nobody rolls for the game master's people."""
HELPER = Role("helper", least=0, most=None)
THING = Role("thing", record="thing", least=0, most=None,
             when=lambda rulings: rulings.edition == Edition.V5 or rulings.v4_borrow_things == "true")
MEMBER = Role("member", record="character", least=1, most=None)
OPPONENT = Role("opponent")
CHARACTER = Role("character", record="character")
MOST_POINTS = 30


def in_v4(ctx: Context) -> bool:
    """Whether the table plays the fourth edition."""
    return ctx.rulings.edition == Edition.V4


def in_v5(ctx: Context) -> bool:
    """Whether the table plays the fifth edition."""
    return ctx.rulings.edition == Edition.V5


def without_sheet(role: str) -> Callable[[Context], bool]:
    """Whether whoever holds the role brings no sheet: then numbers are asked that the sheet would give."""
    return lambda ctx: ctx.one(role).record is None


def listed(record: Any) -> tuple[tuple[str, int, Category], ...]:
    """The elements of any sheet: name, score, category."""
    if isinstance(record, Character):
        return tuple((one.name, one.score, one.category) for one in record.elements)
    if isinstance(record, Figure):
        rest = tuple((one.name, one.score, Category.TRAIT) for one in record.elements)
        return rest + tuple((one.name, one.score, Category.STATE) for one in record.states)
    return ()


def names_of(role: str, *categories: Category, first: tuple[str, ...] = ()) -> Callable[[Context], tuple[str, ...]]:
    """The names of the elements of whoever holds a role (of some categories only)."""

    def names(ctx: Context) -> tuple[str, ...]:
        found = (name for name, _, category in listed(ctx.one(role).record) if not categories or category in categories)
        return (*first, *dict.fromkeys(found))

    return names


def element_field(
    name: str, role: str = "initiator", waits: bool = False, when: Callable[[Context], bool] | None = None
) -> AnyField:
    """An element by its name on the sheet, or by its score alone; none is an answer too."""
    kind = Score(names_of(role, first=(NONE,)), 0, SCORE_MAX)
    rule_id = "SOL-030" if name == "element" else "SOL-032"
    return Field(name, kind, role, usual=NONE, waits=waits, when=when, rule=rule_id)


def is_chosen(name: str, role: str = "initiator") -> Callable[[Context], bool]:
    """Whether something is chosen in this place."""
    return lambda ctx: ctx.value(ctx.one(role), name) not in (NONE, None)


def price_is_v4(name: str) -> Callable[[Context], bool]:
    """Whether an element may be used although it hinders, at the price of v4."""
    return lambda ctx: is_chosen(name)(ctx) and (in_v4(ctx) or ctx.rulings.v5_unfavourable == "v4_price")


def element_fields(role: str = "initiator", waits: bool = True) -> tuple[AnyField, ...]:
    """One or two elements, of which the action is typical or not."""
    return (
        element_field("element", role, waits),
        Field("typical", Flag(), role, usual=False, when=is_chosen("element", role), rule="SOL-032", upfront=True),
        element_field("second", role, when=is_chosen("element", role)),
        Field("second_typical", Flag(), role, usual=False, when=is_chosen("second", role), rule="SOL-032"),
    )


UNFAVOURABLE_FIELDS = (
    Field("unfavourable", Flag(), usual=False, when=price_is_v4("element"), rule="SOL-060", by="gm"),
    Field("second_unfavourable", Flag(), usual=False, when=price_is_v4("second"), rule="SOL-060", by="gm"),
)


def lent_fields(role: str = "helper") -> tuple[AnyField, ...]:
    """What a helper lends: one element."""
    return (
        Field("lent", Score(names_of(role, first=(NONE,)), 0, SCORE_MAX), role, usual=NONE, rule="SOL-034"),
        Field("lent_typical", Flag(), role, usual=False, when=is_chosen("lent", role), rule="SOL-032"),
    )


USED_FIELDS = (
    Field("used", Many(Score(names_of("thing"), 0, SCORE_MAX), most=2), "thing", usual=(), rule="SOL-034"),
    Field("used_typical", Flag(), "thing", usual=False, rule="SOL-032"),
)


def declares_handicap(ctx: Context) -> bool:
    """Whether handicapping states are declared at this table."""
    return in_v5(ctx) or ctx.rulings.v4_declared_states == "true"


def hindering(role: str) -> Callable[[Context], tuple[str, ...]]:
    """What may hinder: states, or any element where the table says."""
    states, every = names_of(role, Category.STATE), names_of(role)
    return lambda ctx: every(ctx) if ctx.rulings.v5_handicap_any == "true" else states(ctx)


def handicap_field(role: str = "initiator") -> AnyField:
    """States that hinder the action: their names, or their scores alone."""
    return Field("handicap", Many(Score(hindering(role), 1, SCORE_MAX), distinct=True), role, usual=(),
                 when=declares_handicap, rule="SOL-061", upfront=True)


def chooses_attitude(ctx: Context) -> bool:
    """Whether the player has an attitude to choose."""
    return in_v4(ctx) or ctx.rulings.v5_player_attitude == "true"


def allowed_attitudes(ctx: Context) -> tuple[Attitude, ...]:
    """The attitudes that the game master allows for this action: all, if nothing was said."""
    return tuple(ctx["allowed"] or ()) or all_attitudes()


def sometimes_stable(ctx: Context) -> Attitude | None:
    """The attitude of somebody who says nothing: stable, else the only one left."""
    allowed = allowed_attitudes(ctx)
    return Attitude.STABLE if Attitude.STABLE in allowed else allowed[0] if len(allowed) == 1 else None


ALLOWED = Field("allowed", Many(OneOf(Attitude), distinct=True), "gm", usual=(), when=chooses_attitude, rule="SOL-047")
ATTITUDE: Field[Attitude | None] = Field("attitude", OneOf(Attitude), usual=sometimes_stable, when=chooses_attitude,
                                         rule="SOL-046", upfront=True)


SCALES = {"intrinsic": ("intrinsic", "complex", "SOL-023"), "scenario_interest": ("interest", "neutral", "SOL-024")}
"""Each scale with its table, the level that stands when nothing is said, and its rule."""


def scale_field(name: str, waits: bool = True, when: Callable[[Context], bool] | None = None) -> AnyField:
    """One of the two scales, by level or by number; how the game master came by the sum stays with him (R-35)."""
    table, usual, rule_id = SCALES[name]
    kind = Score(lambda ctx: tuple(levels(table)), -SCALE, SCALE)
    return Field(name, kind, "gm", usual=usual, waits=waits, secrecy="gm", when=when, rule=rule_id)


def scale_of(ctx: Context, name: str) -> int:
    """The value of a scale as filled in: a number, or that of a level."""
    value = ctx[name]
    return value if isinstance(value, int) else levels(SCALES[name][0])[value]


@dataclass(frozen=True)
class CellsField(Group):
    """Side effects by number of kept dice, one text for each number."""

    def read(self, raw: Any, field: str, ctx: Context) -> Any:
        if isinstance(raw, Cells):
            return raw
        if isinstance(raw, (list, tuple)):
            raw = dict(zip(Cells._fields, raw, strict=False))
        if isinstance(raw, Mapping):
            raw = {name if str(name).startswith("kept_") else f"kept_{name}": text for name, text in raw.items()}
        return Cells(**super().read(raw, field, ctx))


def ideas(*polarities: Polarity) -> Callable[[Context], tuple[str, ...]]:
    """The ideas of side effects that the table's edition gives, as suggestions: any other words will do."""
    return lambda ctx: tuple(f"idea_{idea}" for polarity in polarities for idea in menu(polarity, ctx.rulings))


def state_ideas(ctx: Context) -> tuple[str, ...]:
    """Names of states at hand."""
    return tuple(TABLES["states"].keys())


CELLS = CellsField(
    {name: TextField(400, ideas(*reversed(Polarity))) for name in Cells._fields}, dict.fromkeys(Cells._fields, "")
)


def points_field(role: str = "initiator") -> AnyField:
    """The points at hand of somebody without a sheet."""
    return Field("points", Whole(0, MOST_POINTS), role, usual=0, when=without_sheet(role), rule="SOL-117")


# What the fields say


def has(ctx: Context, actor: Actor, name: str) -> Any:
    """What a field of an actor holds, nothing where it is not asked or not filled."""
    try:
        return ctx.value(actor, name)
    except MissingField:
        return None


def used_by(ctx: Context, actor: Actor, name: str, **found: Any) -> tuple[Used, ...]:
    """The element in one place of the form, if there is one."""
    value = has(ctx, actor, name)
    if value in (NONE, None):
        return ()
    return (named(actor, value, **found),)


def named(actor: Actor, value: Any, **found: Any) -> Used:
    """An element of an actor by its name, or by its score alone."""
    if isinstance(value, int):
        return Used(value, **found)
    for name, score, category in listed(actor.record):
        if name == value:
            return Used(score, category=category, name=name, **found)
    raise NoSuchElement(name=value, role=actor.role)


def own_elements(ctx: Context, actor: Actor) -> tuple[Used, ...]:
    """The one or two elements of somebody's own."""
    return (
        *used_by(ctx, actor, "element", typical=bool(has(ctx, actor, "typical")),
                 unfavourable=_flag(ctx, actor, "unfavourable")),
        *used_by(ctx, actor, "second", typical=bool(has(ctx, actor, "second_typical")),
                 unfavourable=_flag(ctx, actor, "second_unfavourable")),
    )


def _flag(ctx: Context, actor: Actor, name: str) -> bool:
    return bool(actor.role == "initiator" and name in [field.id for field in ctx.move.fields] and has(ctx, actor, name))


def elements_of(ctx: Context, helpers: str = "helper") -> tuple[Used, ...]:
    """All that is brought into the action: one's own, what helpers lend, what things supply."""
    mine = own_elements(ctx, ctx.one())
    lent = tuple(
        used for helper in ctx.all(helpers)
        for used in used_by(ctx, helper, "lent", typical=bool(has(ctx, helper, "lent_typical")), owner=helper.id,
                            is_thing=helper.kind == "thing")
    )
    things = tuple(
        named(thing, value, typical=bool(has(ctx, thing, "used_typical")), owner=thing.id, is_thing=True)
        for thing in ctx.all("thing") for value in has(ctx, thing, "used") or ()
    )
    return (*mine, *lent, *things)


def hindrances_of(ctx: Context, actor: Actor) -> tuple[Hindrance, ...]:
    """What somebody declares as hindering."""
    found = []
    for value in has(ctx, actor, "handicap") or ():
        used = named(actor, value)
        found.append(Hindrance(used.score, used.category or Category.STATE, used.name))
    return tuple(found)


def points_of(ctx: Context, actor: Actor) -> int:
    """Points on the sheet, or as filled in; people of the game master's have none."""
    if isinstance(actor.record, Character):
        return actor.record.points
    return int(has(ctx, actor, "points") or 0) if actor.record is None and actor.role == "initiator" else 0


def paying(ctx: Context, helpers: str = "helper") -> list[Actor]:
    """Who may pay for a die: the initiator's player; helpers or anybody in it, where the table says (R-26)."""
    people = [ctx.one()]
    if ctx.rulings.reroll_by != "initiator":
        people += [
            helper for helper in ctx.all(helpers)
            if ctx.rulings.reroll_by == "anyone" or has(ctx, helper, "lent") not in (NONE, None)
        ]
    return people


def payers_of(ctx: Context, people: Sequence[Actor]) -> tuple[Payer, ...]:
    """They as a rule asks them, each alone, with their points."""
    return tuple(Payer(alone(ctx, actor), points_of(ctx, actor)) for actor in people)


def alone(ctx: Context, actor: Actor) -> str:
    """What a rule calls one of several: ``helper1`` is the first of those who help, ``helper`` any of them."""
    part = ctx.part(actor)
    return f"{part}1" if part == actor.role != "initiator" else part


def called(actor: Actor) -> str:
    """What an actor is called at the table."""
    return str(getattr(actor.record, "name", "") or actor.id)


def states_of(actor: Actor) -> tuple[Element, ...]:
    """The states of somebody, if there is a sheet."""
    return tuple(getattr(actor.record, "states", ()))
