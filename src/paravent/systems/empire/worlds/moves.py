"""Moves that make worlds: sectors, planets, and the peoples on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from paravent.dice import Dice
from paravent.game import (
    EVERYONE,
    GAME_MASTER,
    GM_ONLY,
    Ask,
    Call,
    Change,
    Context,
    Field,
    Flag,
    Many,
    MissingField,
    Move,
    OneOf,
    Resolve,
    Rulings,
    Telling,
    TextField,
    Weight,
    Whole,
    changed,
)
from paravent.game.errors import Withheld
from paravent.systems.empire.beasts.bodies import PICKED
from paravent.systems.empire.throws import Generate, by_gm, made, to_gm, unseen
from paravent.systems.empire.travel.errors import NothingThere

from .errors import NobodyThere, NoSuchSquare, NotThatMuch
from .maps import Chart, revealed
from .naming import beginning, christened, content_key, people_name, world_name
from .peoples import FolkWish, People, people, people_gist, people_of
from .planet import (
    FIRST_INTELLIGENT,
    Life,
    LifeWish,
    World,
    air_index,
    has_life,
    kind_of_life,
    throw_life,
    world,
    world_gist,
)
from .roles import CHART, SECTOR, WORLD
from .sector import (
    SIDES,
    Density,
    Found,
    Quarter,
    Sector,
    Square,
    charted,
    galaxy_told,
    is_mapped,
    kind_of,
    name_told,
    sector,
    sector_beside,
    sector_gist,
    seeded_square,
    square_content,
    square_kind,
    squares,
    with_quarter,
)

# A sector


def _sector_call(ctx: Context) -> Call[Sector]:
    part = ctx[PART]
    return Call(by_gm(sector), ctx[NAME], ctx[DENSITY], ctx[SEED], ctx.rulings, (Quarter(part),) if part else ())


def _tell_sector(ctx: Context, chart: Sector) -> Sequence[Telling]:
    stars = len(chart.lone_stars) + len(chart.worlds)
    mapped = sum(is_mapped(found) for found in chart.worlds)
    inhabited = sum(found.people is not None for found in chart.worlds)
    return (to_gm("told_sector", stars=stars, systems=len(chart.worlds), mapped=mapped, inhabited=inhabited),)


NAME = Field("name", TextField(80), "gm", usual="", secrecy="gm", rule="EGW-020", names=True)
DENSITY = Field("density", OneOf(Density), "gm", usual=Density.MEAN, secrecy="gm", rule="EGW-021")
SEED = Field("seed", TextField(80), "gm", usual="", secrecy="gm", rule="EGW-098")
PART: Field[str | None] = Field("part", OneOf(tuple(Quarter)), "gm", optional=True, secrecy="gm", rule="EGW-020")
GENERATE_SECTOR = Move(
    "generate-sector",
    group="worlds", by="gm", cast=(GAME_MASTER,), exists=GM_ONLY,
    rules=("EGW-020", "EGW-021", "EGW-022", "EGW-090", "EGW-091", "EGW-093", "EGW-096", "EGW-098"),
    steps=(
        Ask("settle", (NAME, DENSITY, SEED, PART)),
        Generate("sector", _sector_call, tell=_tell_sector, outcome=lambda chart: "sector", shown=unseen,
                 changes=lambda ctx, chart: (made(chart.name or "sector", chart, "sector", "EGW-020", GM_ONLY),),
                 gist=sector_gist),
    ),
)


# More of it: another quarter, or the sector beside


class Drawn(NamedTuple):
    """What was drawn: the sector as it now is, and the one beside it if that is what was asked for."""

    chart: Sector
    beside: Sector | None = None


def draw_more(dice: Dice, chart: Sector, where: str, name: str, rulings: Rulings) -> Drawn:
    """One more quarter of a sector, or the sector on one side of it; nothing that was there moves."""
    if where in SIDES:
        return Drawn(*sector_beside(dice, chart, where, name, rulings))
    return Drawn(with_quarter(chart, Quarter(where), rulings))


def draw_gist(dice: Dice, chart: Sector, where: str, name: str, rulings: Rulings) -> Drawn:
    """Nothing that it could fail at."""
    return Drawn(chart, chart if where in SIDES else None)


def _tell_drawn(ctx: Context, done: Drawn) -> Sequence[Telling]:
    """How many stars and worlds there are now; nothing before there are any more than there were."""
    drawn = done.beside or done.chart
    return () if drawn == _chart(ctx) else _tell_sector(ctx, drawn)


def still_blank(chart: Sector) -> tuple[str, ...]:
    """What can be drawn: the quarters that are blank, then the sides where no sector lies yet."""
    quarters = tuple(one.value for one in Quarter if chart.drawn and one not in chart.drawn)
    taken = {one[:2] for one in chart.beside}
    return (*quarters, *(side for side, place in SIDES.items() if place not in taken))


def _blank(ctx: Context) -> tuple[str, ...]:
    try:
        return still_blank(_chart(ctx))
    except Withheld:
        return still_blank(Sector())


def _change_drawn(ctx: Context, done: Drawn) -> Sequence[Change]:
    actor = SECTOR.actor(ctx)
    if actor is None:
        return ()
    names = ("galaxy",) if done.beside is not None else ("lone_stars", "worlds", "routes", "codes", "drawn")
    written = [change for name in names for change in changed(
        actor.id, actor.record, name, getattr(done.chart, name), "EGW-020", GM_ONLY, weight="bookkeeping")]
    new = [made(done.beside.name, done.beside, "sector", "EGW-020", GM_ONLY)] if done.beside is not None else []
    return [*written, *new]


WHERE = Field("drawn_where", OneOf(_blank), "gm", usual=lambda ctx: next(iter(_blank(ctx)), ""), secrecy="gm",
              rule="EGW-020", upfront=True)
DRAW_MORE = Move(
    "draw-more",
    group="worlds", by="gm", cast=(replace(SECTOR, least=1), GAME_MASTER), exists=GM_ONLY,
    rules=("EGW-020", "EGW-091", "EGW-096", "EGW-098"),
    suits=lambda ctx: bool(_blank(ctx)),
    steps=(
        Ask("settle", (WHERE, NAME)),
        Generate("sector", lambda ctx: Call(by_gm(draw_more), _chart(ctx), ctx[WHERE], ctx[NAME], ctx.rulings),
                 tell=_tell_drawn, shown=unseen, gist=draw_gist,
                 outcome=lambda done: "quarter_drawn" if done.beside is None else "sector_beside",
                 changes=_change_drawn),
    ),
)


# A square edited

EDITS = ("reroll", "reroll_life", "reroll_people", "set_size", "set_oceans", "set_level", "set_culture", "set_nature",
         "set_politics", "set_name", "new_name", "clear", "group_here")
BOUNDS = {"set_size": (0, 10), "set_oceans": (0, 10), "set_level": (1, 6), "set_culture": (2, 12),
          "set_nature": (2, 12), "set_politics": (2, 12)}
"""Between what a figure set by hand must lie."""


class Edited(NamedTuple):
    """A square after an edit: what it holds now."""

    kind: Square
    world: World | None = None


def edited_world(dice: Dice, before: World, asked: Edit, rulings: Rulings) -> World:
    """A world with one figure set by hand, or its life or its people thrown anew."""
    folk, value = before.people, asked.value
    match asked.edit:
        case "reroll_life":
            return with_life(dice, before, asked.wish, rulings)
        case "reroll_people":
            return peopled(before, people(dice, before.size_t, speaking(before), FolkWish(), rulings))
        case "set_level":
            return peopled(before, people_of(dice, value, before.size_t, speaking(before), FolkWish(), rulings))
        case "set_size":
            return replace(before, size_t=value, people=replace(folk, size_t=value) if folk is not None else None)
        case "set_oceans":
            return replace(before, oceans_o=value)
        case "set_name":
            return replace(before, name=asked.text)
        case "new_name":
            key = asked.key or content_key(before)
            return replace(before, name=world_name(key, before, asked.begun, before.name))
    if folk is None:
        raise NobodyThere(square=asked.square)
    ways: dict[str, Any] = {f"{asked.edit.removeprefix('set_')}_row": value}
    return replace(before, people=replace(folk, **ways))


def with_life(dice: Dice, before: World, wish: LifeWish, rulings: Rulings) -> World:
    """The same planet, its life die thrown anew, with a people if it comes to that."""
    lives = has_life(dice, air_index(before.size_t, before.oceans_o, rulings), wish, rulings)
    die = throw_life(dice) if lives else 0
    life = kind_of_life(die)
    folk = people(dice, before.size_t, die, FolkWish(), rulings) if life is Life.INTELLIGENT else None
    return replace(before, life=life, life_die=die, people=folk)


def speaking(found: World) -> int:
    """The life die of those who live there: its own, or the least that speaks."""
    return max(FIRST_INTELLIGENT, found.life_die)


def peopled(found: World, folk: People) -> World:
    """The world with a people on it."""
    return replace(found, people=folk, life=Life.INTELLIGENT, life_die=folk.life_die)


class Edit(NamedTuple):
    """What is done to a square."""

    square: str
    edit: str
    value: int
    text: str
    density: Density
    wish: LifeWish
    key: str = ""
    """Where the square's own dice and names come from."""
    begun: tuple[str, ...] = ()
    """How the names around begin."""


def edit_square(dice: Dice, before: World | None, asked: Edit, rulings: Rulings) -> Edited:
    """Roll a square again, set a figure of it, empty it, or put the group there; nothing else of the sector moves."""
    if asked.edit == "group_here":
        return Edited(kind_of(before) if before is not None else Square.VOID, before)
    if asked.edit == "clear":
        return Edited(Square.VOID)
    if asked.edit == "reroll":
        found: Found = square_content(dice, asked.density, asked.wish, rulings)
        if found.world is None:
            return Edited(found.kind)
        named = replace(found.world, square=asked.square, edited=True, name=before.name if before is not None else "")
        return Edited(found.kind, christened(named, asked.key or content_key(named), asked.begun))
    if before is None:
        raise NothingThere(square=asked.square)
    least, most = BOUNDS.get(asked.edit, (0, asked.value))
    if not least <= asked.value <= most:
        raise NotThatMuch(got=asked.value, least=least, most=most)
    after = replace(edited_world(dice, before, asked, rulings), edited=True)
    return Edited(kind_of(after), after)


def edit_gist(dice: Dice, before: World | None, asked: Edit, rulings: Rulings) -> Edited:
    """What the square will hold."""
    if asked.edit == "reroll":
        return Edited(square_kind(dice, asked.density, asked.wish, rulings).kind)
    if before is not None and asked.edit in ("reroll_people", "set_level"):
        return Edited(Square.INTELLIGENT)
    if before is not None and asked.edit == "reroll_life":
        lives = has_life(dice, air_index(before.size_t, before.oceans_o, rulings), asked.wish, rulings)
        return Edited(Square(kind_of_life(throw_life(dice) if lives else 0).value))
    return Edited(edit_square(dice, before, asked, rulings).kind)


def with_square(chart: Sector, square: str, done: Edited, rulings: Rulings) -> Sector:
    """The sector after an edit: its routes are drawn anew, no other square changes in content, code or name."""
    lone = {*chart.lone_stars} - {square} | ({square} if done.kind is Square.LONE_STAR else set())
    worlds = [found for found in chart.worlds if found.square != square]
    order = {name: at for at, name in enumerate(squares())}
    kept = sorted((*worlds, *([done.world] if done.world is not None else [])), key=lambda found: order[found.square])
    return charted(replace(chart, lone_stars=tuple(sorted(lone, key=order.__getitem__)), worlds=tuple(kept)), rulings)


def _chart(ctx: Context) -> Sector:
    return SECTOR.brought(ctx) or Sector()


def _square(ctx: Context) -> str:
    square = ctx[SQUARE]
    if square not in set(squares()):
        raise NoSuchSquare(got=square)
    return square


def _edit_call(ctx: Context) -> Call[Edited]:
    chart, square = _chart(ctx), _square(ctx)
    begun = tuple(sorted({beginning(found.name) for found in chart.worlds if found.square != square and found.name}))
    asked = Edit(square, ctx[EDIT], ctx[VALUE] or 0, ctx[TEXT] or "", chart.density, ctx[LIFE_WISH], chart.key(square),
                 begun)
    return Call(by_gm(edit_square), chart.world_at(square), asked, ctx.rulings)


def _change_edit(ctx: Context, done: Edited) -> Sequence[Change]:
    actor = SECTOR.actor(ctx)
    if actor is None:
        return ()
    told: Weight = "bookkeeping"  # a sentence says it; sheets of worlds would fill the log
    if ctx[EDIT] == "group_here":
        return changed(actor.id, actor.record, "party", _square(ctx), "EGW-098", GM_ONLY, weight=told)
    after = with_square(actor.sheet(Sector), _square(ctx), done, ctx.rulings)
    names = ("lone_stars", "worlds", "routes", "codes")
    return [change for name in names
            for change in changed(actor.id, actor.record, name, getattr(after, name), "EGW-093", GM_ONLY, weight=told)]


def _tell_edit(ctx: Context, done: Edited) -> Sequence[Telling]:
    """What was done, where, and to what: in one line."""
    before, square, edit = _chart(ctx).world_at(_square(ctx)), _square(ctx), ctx[EDIT]
    found = done.world or before
    name, was = found.name if found is not None else "", before.name if before is not None else ""
    if edit in ("set_name", "new_name") and was and was != name:
        return (to_gm("told_named", name=name, square=square, before=was),)
    if edit in BOUNDS:
        return (to_gm("told_set", name=name, square=square, edit=edit, n=ctx[VALUE] or 0),)
    return (to_gm("told_edit" if name else "told_edit_blank", name=name, square=square, edit=edit),)


LIFE_WISH = Field("life_wish", OneOf(LifeWish), "gm", usual=LifeWish.BY_THE_RULE, secrecy="gm", rule="EGW-029")
SQUARE = Field("square", TextField(4), "gm", usual="0101", secrecy="gm", rule="EGW-098")
EDIT = Field("edit", OneOf(EDITS), "gm", usual="reroll", secrecy="gm", rule="EGW-032", upfront=True)
VALUE: Field[int | None] = Field("value", Whole(0, 12), "gm", usual=0, when=lambda ctx: ctx[EDIT] in BOUNDS,
                                 secrecy="gm", rule="EGW-032", upfront=True)
TEXT: Field[str | None] = Field("text", TextField(80), "gm", usual="", when=lambda ctx: ctx[EDIT] == "set_name",
                                secrecy="gm", rule="EGW-032", upfront=True)
EDIT_SQUARE = Move(
    "edit-square",
    group="worlds", by="gm", cast=(replace(SECTOR, least=1), GAME_MASTER), exists=GM_ONLY,
    rules=("EGW-032", "EGW-093", "EGW-098"),
    steps=(
        Ask("settle", (SQUARE, EDIT, VALUE, TEXT, LIFE_WISH)),
        Generate("edit", _edit_call, tell=_tell_edit,
                 outcome=lambda done: done.kind.value, shown=unseen, changes=_change_edit, gist=edit_gist),
    ),
)


# A world

MINING: Field[bool | None] = Field("mining", Flag(), "gm", usual=True, secrecy="gm", rule="EGW-024",
                                   when=lambda ctx: ctx.rulings.small_worlds == "gm")
NATIVE: Field[bool | None] = Field("native", Flag(), "gm", usual=False, secrecy="gm", rule="EGW-061",
                                   when=lambda ctx: ctx.rulings.people_ceiling == "gm")
WISHES = (MINING, NATIVE, PICKED)


def _folk_wish(ctx: Context) -> FolkWish:
    return FolkWish(ctx[MINING] is not False, bool(ctx[NATIVE]), ctx[PICKED] or 3)


def tell_world(ctx: Context, found: World) -> Sequence[Telling]:
    """T, O and what lives there; and the people, if there is one."""
    line = to_gm("told_world", size=found.size_t, oceans=10 * found.oceans_o, planets=found.n_planets,
               life=found.life.value)
    return (line, *(tell_people(ctx, found.people) if found.people is not None else ()))


def tell_people(ctx: Context, folk: People) -> Sequence[Telling]:
    """The level and the ways of a people."""
    return (to_gm("told_people", level=folk.tech_level, culture=folk.culture, nature=folk.nature,
                politics=folk.politics),)


GENERATE_WORLD = Move(
    "generate-world",
    group="worlds", by="gm", cast=(GAME_MASTER,), exists=GM_ONLY,
    rules=("EGW-022", "EGW-023", "EGW-024", "EGW-025", "EGW-027", "EGW-028", "EGW-029", "EGW-030", "EGW-032"),
    steps=(
        Ask("settle", (replace(NAME, rule="EGW-022"), LIFE_WISH, *WISHES)),
        Generate("world", lambda ctx: Call(by_gm(world), ctx[LIFE_WISH], _folk_wish(ctx), ctx.rulings), tell=tell_world,
                 outcome=lambda found: found.life.value, shown=unseen, gist=world_gist,
                 changes=lambda ctx, found: (
                     made((named := christened(replace(found, name=ctx[NAME]), content_key(found))).name, named,
                          "world", "EGW-022", GM_ONLY),)),
    ),
)


# A world of a sector, opened on its own sheet


def open_world(dice: Dice, found: World | None, square: str) -> World:
    """The world of a square as it stands on the map."""
    if found is None:
        raise NothingThere(square=square)
    return found


def _change_opened(ctx: Context, found: World) -> Sequence[Change]:
    chart = _chart(ctx)
    if chart.seed and not found.edited:
        seeded = seeded_square(chart.seed, found.square, chart.density, ctx.rulings).world
        found = replace(found, faces=seeded.faces if seeded is not None else ())
    actor = SECTOR.actor(ctx)
    mine = replace(found, sector=actor.id if actor is not None else "", seed=chart.key(found.square))
    return (made(f"{found.code} {found.square}".strip(), mine, "world", "EGW-093", GM_ONLY),)


def _squares_with_worlds(ctx: Context) -> tuple[str, ...]:
    try:
        return tuple(found.square for found in _chart(ctx).worlds)
    except Withheld:
        return ()


OPENED = replace(SQUARE, type=TextField(4, _squares_with_worlds),
                 usual=lambda ctx: next(iter(_squares_with_worlds(ctx)), "0101"))
OPEN_WORLD = Move(
    "open-world",
    group="worlds", by="gm", cast=(replace(SECTOR, least=1), GAME_MASTER), exists=GM_ONLY, rules=("EGW-093",),
    offered=lambda ctx: SECTOR.actor(ctx) is None or bool(_squares_with_worlds(ctx)),
    steps=(
        Ask("settle", (OPENED,)),
        Resolve("open", lambda ctx: Call(open_world, _chart(ctx).world_at(_square(ctx)), _square(ctx)), tell=tell_world,
                outcome=lambda found: found.life.value, shown=unseen, changes=_change_opened),
    ),
)


# A map for the players


HANDFUL = 6


class Shared(NamedTuple):
    """What the players know of a sector now."""

    chart: Chart


def share_map(dice: Dice, chart: Chart, of: Sector, more: tuple[str, ...], rulings: Rulings) -> Shared:
    """Put squares on the players' map: those they visited, those whose data they bought."""
    return Shared(revealed(chart, of, more, rulings))


def _shared_squares(ctx: Context) -> tuple[str, ...]:
    every = tuple(squares())
    wanted = ctx[KNOWN_SQUARES]
    for square in wanted:
        if square not in every:
            raise NoSuchSquare(got=square)
    return every if ctx[WHOLE_SECTOR] else wanted


def _shared_call(ctx: Context) -> Call[Shared]:
    of = _chart(ctx)
    actor = SECTOR.actor(ctx)
    chart = CHART.brought(ctx) or Chart(ctx[NAME] or name_told(of))
    chart = replace(chart, sector=chart.sector or (actor.id if actor is not None else ""), party=of.party,
                    galaxy=galaxy_told(of), x=of.x, y=of.y)
    return Call(share_map, chart, of, _shared_squares(ctx), ctx.rulings)


def _change_shared(ctx: Context, done: Shared) -> Sequence[Change]:
    standing = CHART.actor(ctx)
    if standing is None:
        return (made(done.chart.name or "chart", done.chart, "chart", "EGW-092", EVERYONE),)
    return [change for name in ("known", "routes", "sector", "party", "galaxy", "x", "y")
            for change in changed(standing.id, standing.record, name, getattr(done.chart, name), "EGW-092",
                                  weight="bookkeeping")]  # a sentence says it; sheets of squares would fill the log


def _tell_shared(ctx: Context, done: Shared) -> Sequence[Telling]:
    """How much the players know now, and what is new of it, as long as that is a handful."""
    before = {one.square for one in (CHART.brought(ctx) or Chart()).known}
    new = tuple(f"{one.name} ({one.square})" if one.name else one.square
                for one in done.chart.known if one.square not in before)
    named = (to_gm("told_shown", names=new),) if 0 < len(new) <= HANDFUL else ()
    return (*named, to_gm("told_shared", n=len(done.chart.known)))


KNOWN_SQUARES = Field("known_squares", Many(TextField(4), distinct=True), "gm", usual=(), secrecy="gm", rule="EGW-098")
WHOLE_SECTOR = Field("whole_sector", Flag(), "gm", usual=False, secrecy="gm", rule="EGW-092")
SHARE_MAP = Move(
    "share-map",
    group="worlds", by="gm", cast=(replace(SECTOR, least=1), CHART, GAME_MASTER), exists=GM_ONLY,
    rules=("EGW-090", "EGW-092", "EGW-093", "EGW-096"),
    steps=(
        Ask("settle", (NAME, KNOWN_SQUARES, WHOLE_SECTOR)),
        Resolve("share", _shared_call, outcome=lambda done: "shared", changes=_change_shared, shown=unseen,
                tell=_tell_shared),
    ),
)


# A people


def _people_call(ctx: Context) -> Call[People]:
    life_die = WORLD.figure(ctx, LIFE_DIE, lambda found: found.life_die)
    if life_die < FIRST_INTELLIGENT:  # beasts, or nothing, live there: the game master says which die speaks
        raise MissingField(field="life_die", role="gm")
    size_t = WORLD.figure(ctx, SIZE_T, lambda found: found.size_t)
    return Call(by_gm(people), size_t, life_die, _folk_wish(ctx), ctx.rulings)


def _change_people(ctx: Context, folk: People) -> Sequence[Change]:
    actor = WORLD.actor(ctx)
    where = actor.sheet(World) if actor is not None else World(size_t=folk.size_t, people=folk)
    named = replace(folk, name=ctx[NAME] or people_name(where.seed or content_key(where), folk, where.oceans_o,
                                                        where.name))
    if actor is not None:
        after = peopled(where, named)
        return [change for name in ("life", "life_die", "people")
                for change in changed(actor.id, actor.record, name, getattr(after, name), "EGW-060", GM_ONLY)]
    return (made(named.name or "people", named, "people", "EGW-060", GM_ONLY),)


SIZE_T: Field[int | None] = Field("size_t", Whole(0, 10), "gm", optional=True, secrecy="gm", rule="EGW-023")
LIFE_DIE: Field[int | None] = Field("life_die", Whole(5, 6), "gm", optional=True, secrecy="gm", rule="EGW-065")
GENERATE_PEOPLE = Move(
    "generate-people",
    group="worlds", by="gm", cast=(WORLD, GAME_MASTER), exists=GM_ONLY,
    rules=tuple(f"EGW-{n:03d}" for n in (*range(60, 76), 80, 81, 82, 83)),
    steps=(
        Ask("settle", (replace(NAME, rule="EGW-060"), SIZE_T, LIFE_DIE, *WISHES)),
        Generate("people", _people_call, tell=tell_people,
                 outcome=lambda folk: f"level_{folk.tech_level}", shown=unseen, gist=people_gist,
                 changes=_change_people),
    ),
)
MOVES = (GENERATE_SECTOR, DRAW_MORE, EDIT_SQUARE, OPEN_WORLD, SHARE_MAP, GENERATE_WORLD, GENERATE_PEOPLE)
