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
    Change,
    Context,
    Flag,
    Many,
    MissingField,
    Move,
    OneOf,
    Resolve,
    Rulings,
    Telling,
    TextField,
    Whole,
    asking,
    changed,
)
from paravent.systems.empire.beasts.bodies import picked_field
from paravent.systems.empire.things import actor_in, figure, record_in
from paravent.systems.empire.throws import by_gm, made, secret, to_gm, unseen
from paravent.systems.empire.travel.errors import NothingThere

from .errors import NobodyThere, NoSuchSquare, NotThatMuch
from .generating import Generate
from .maps import Chart, revealed
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
    Density,
    Found,
    Sector,
    Square,
    charted,
    is_mapped,
    kind_of,
    sector,
    sector_gist,
    seeded_square,
    square_content,
    square_kind,
    squares,
)

# A sector


def _read_sector(ctx: Context) -> tuple[Any, ...]:
    return ctx["name"], ctx["density"], ctx["seed"], ctx.rulings


def _tell_sector(ctx: Context, chart: Sector) -> Sequence[Telling]:
    stars = len(chart.lone_stars) + len(chart.worlds)
    mapped = sum(is_mapped(found) for found in chart.worlds)
    inhabited = sum(found.people is not None for found in chart.worlds)
    return (to_gm("told_sector", stars=stars, systems=len(chart.worlds), mapped=mapped, inhabited=inhabited),)


GENERATE_SECTOR = Move(
    "generate-sector",
    group="worlds", by="gm", cast=(GAME_MASTER,), exists=GM_ONLY,
    rules=("EGW-020", "EGW-021", "EGW-022", "EGW-090", "EGW-091", "EGW-093", "EGW-096", "EGW-098"),
    steps=(
        Ask("settle", (
            secret("name", TextField(80), "EGW-020", usual=""),
            secret("density", OneOf(Density), "EGW-021", usual=Density.MEAN),
            secret("seed", TextField(80), "EGW-098", usual=""),
        )),
        Generate("sector",
            asking(by_gm(sector), _read_sector), tell=_tell_sector, outcome=lambda chart: "sector", shown=unseen,
                 changes=lambda ctx, chart: (made(chart.name or "sector", chart, "sector", "EGW-020", GM_ONLY),),
                 gist=sector_gist),
    ),
)


# A square edited

EDITS = ("reroll", "reroll_life", "reroll_people", "set_size", "set_oceans", "set_level", "set_culture", "set_nature",
         "set_politics", "set_name", "clear")
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


def edit_square(dice: Dice, before: World | None, asked: Edit, rulings: Rulings) -> Edited:
    """Roll a square again, set a figure of it, or empty it; nothing else of the sector moves."""
    if asked.edit == "clear":
        return Edited(Square.VOID)
    if asked.edit == "reroll":
        found: Found = square_content(dice, asked.density, asked.wish, rulings)
        made_anew = None if found.world is None else replace(found.world, square=asked.square, edited=True)
        return Edited(found.kind, made_anew)
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
    """The sector after an edit, its codes and routes written anew."""
    lone = {*chart.lone_stars} - {square} | ({square} if done.kind is Square.LONE_STAR else set())
    worlds = [found for found in chart.worlds if found.square != square]
    order = {name: at for at, name in enumerate(squares())}
    kept = sorted((*worlds, *([done.world] if done.world is not None else [])), key=lambda found: order[found.square])
    return charted(replace(chart, lone_stars=tuple(sorted(lone, key=order.__getitem__)), worlds=tuple(kept)), rulings)


def _chart(ctx: Context) -> Sector:
    chart = record_in(ctx, "sector")
    return chart if isinstance(chart, Sector) else Sector()


def _square(ctx: Context) -> str:
    square = str(ctx["square"])
    if square not in set(squares()):
        raise NoSuchSquare(got=square)
    return square


def _read_edit(ctx: Context) -> tuple[Any, ...]:
    chart, square = _chart(ctx), _square(ctx)
    asked = Edit(square, ctx["edit"], ctx["value"] or 0, ctx["text"] or "", chart.density, ctx["life_wish"])
    return chart.world_at(square), asked, ctx.rulings


def _change_edit(ctx: Context, done: Edited) -> Sequence[Change]:
    actor = actor_in(ctx, "sector")
    if actor is None:
        return ()
    after = with_square(actor.record, _square(ctx), done, ctx.rulings)
    names = ("lone_stars", "worlds", "routes")
    return [change for name in names
            for change in changed(actor.id, actor.record, name, getattr(after, name), "EGW-093", GM_ONLY)]


LIFE_WISH = secret("life_wish", OneOf(LifeWish), "EGW-029", usual=LifeWish.BY_THE_RULE)
EDIT_SQUARE = Move(
    "edit-square",
    group="worlds", by="gm", cast=(SECTOR, GAME_MASTER), exists=GM_ONLY,
    rules=("EGW-032", "EGW-093", "EGW-098"),
    steps=(
        Ask("settle", (
            secret("square", TextField(4), "EGW-098", usual="0101"),
            secret("edit", OneOf(EDITS), "EGW-032", usual="reroll"),
            secret("value", Whole(0, 12), "EGW-032", usual=0,
                   when=lambda ctx: ctx["edit"] in BOUNDS),
            secret("text", TextField(80), "EGW-032", usual="", when=lambda ctx: ctx["edit"] == "set_name"),
            LIFE_WISH,
        )),
        Generate("edit",
            asking(by_gm(edit_square), _read_edit), tell=lambda ctx, done: (to_gm(f"told_{done.kind.value}"),),
                 outcome=lambda done: done.kind.value, shown=unseen, changes=_change_edit, gist=edit_gist),
    ),
)


# A world

WISHES = (
    secret("mining", Flag(), "EGW-024", usual=True, when=lambda ctx: ctx.rulings.small_worlds == "gm"),
    secret("native", Flag(), "EGW-061", usual=False, when=lambda ctx: ctx.rulings.people_ceiling == "gm"),
    picked_field(),
)


def _folk_wish(ctx: Context) -> FolkWish:
    return FolkWish(ctx["mining"] is not False, bool(ctx["native"]), ctx["picked"] or 3)


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
        Ask("settle", (secret("name", TextField(80), "EGW-022", usual=""), LIFE_WISH, *WISHES)),
        Generate("world",
            asking(by_gm(world), lambda ctx: (ctx["life_wish"], _folk_wish(ctx), ctx.rulings)), tell=tell_world,
                 outcome=lambda found: found.life.value, shown=unseen, gist=world_gist,
                 changes=lambda ctx, found: (
                     made(ctx["name"] or "world", replace(found, name=ctx["name"]), "world", "EGW-022", GM_ONLY),)),
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
    name = found.name or f"{found.code} {found.square}".strip()
    return (made(name, replace(found, name=name), "world", "EGW-093", GM_ONLY),)


OPEN_WORLD = Move(
    "open-world",
    group="worlds", by="gm", cast=(SECTOR, GAME_MASTER), exists=GM_ONLY, rules=("EGW-093",),
    steps=(
        Ask("settle", (secret("square", TextField(4), "EGW-098", usual="0101"),)),
        Resolve("open",
            asking(open_world, lambda ctx: (_chart(ctx).world_at(_square(ctx)), _square(ctx))), tell=tell_world,
                outcome=lambda found: found.life.value, shown=unseen, changes=_change_opened),
    ),
)


# A map for the players


class Shared(NamedTuple):
    """What the players know of a sector now."""

    chart: Chart


def share_map(dice: Dice, chart: Chart, of: Sector, more: tuple[str, ...], rulings: Rulings) -> Shared:
    """Put squares on the players' map: those they visited, those whose data they bought."""
    return Shared(revealed(chart, of, more, rulings))


def _shared_squares(ctx: Context) -> tuple[str, ...]:
    every = tuple(squares())
    wanted = tuple(ctx["known_squares"])
    for square in wanted:
        if square not in every:
            raise NoSuchSquare(got=square)
    return every if ctx["whole_sector"] else wanted


def _read_shared(ctx: Context) -> tuple[Any, ...]:
    of = _chart(ctx)
    standing = record_in(ctx, "chart")
    chart = standing if standing is not None else Chart(ctx["name"] or of.name)
    return chart, of, _shared_squares(ctx), ctx.rulings


def _change_shared(ctx: Context, done: Shared) -> Sequence[Change]:
    standing = actor_in(ctx, "chart")
    if standing is None:
        return (made(done.chart.name or "chart", done.chart, "chart", "EGW-092", EVERYONE),)
    return [change for name in ("known", "routes")
            for change in changed(standing.id, standing.record, name, getattr(done.chart, name), "EGW-092")]


SHARE_MAP = Move(
    "share-map",
    group="worlds", by="gm", cast=(SECTOR, CHART, GAME_MASTER), exists=GM_ONLY,
    rules=("EGW-090", "EGW-092", "EGW-093", "EGW-096"),
    steps=(
        Ask("settle", (
            secret("name", TextField(80), "EGW-020", usual=""),
            secret("known_squares", Many(TextField(4), distinct=True), "EGW-098", usual=()),
            secret("whole_sector", Flag(), "EGW-092", usual=False),
        )),
        Resolve("share",
            asking(share_map, _read_shared), outcome=lambda done: "shared", changes=_change_shared, shown=unseen,
                tell=lambda ctx, done: (to_gm("told_shared", n=len(done.chart.known)),)),
    ),
)


# A people


def _read_people(ctx: Context) -> tuple[Any, ...]:
    life_die = figure(ctx, "life_die", "world")
    if life_die < FIRST_INTELLIGENT:  # beasts, or nothing, live there: the game master says which die speaks
        raise MissingField(field="life_die", role="gm")
    return figure(ctx, "size_t", "world"), life_die, _folk_wish(ctx), ctx.rulings


def _change_people(ctx: Context, folk: People) -> Sequence[Change]:
    actor, named = actor_in(ctx, "world"), replace(folk, name=ctx["name"])
    if actor is not None:
        after = peopled(actor.record, named)
        return [change for name in ("life", "life_die", "people")
                for change in changed(actor.id, actor.record, name, getattr(after, name), "EGW-060", GM_ONLY)]
    return (made(named.name or "people", named, "people", "EGW-060", GM_ONLY),)


GENERATE_PEOPLE = Move(
    "generate-people",
    group="worlds", by="gm", cast=(WORLD, GAME_MASTER), exists=GM_ONLY,
    rules=tuple(f"EGW-{n:03d}" for n in (*range(60, 76), 80, 81, 82, 83)),
    steps=(
        Ask("settle", (
            secret("name", TextField(80), "EGW-060", usual=""),
            secret("size_t", Whole(0, 10), "EGW-023", optional=True),
            secret("life_die", Whole(5, 6), "EGW-065", optional=True),
            *WISHES,
        )),
        Generate("people", asking(by_gm(people), _read_people), tell=tell_people,
                 outcome=lambda folk: f"level_{folk.tech_level}", shown=unseen, gist=people_gist,
                 changes=_change_people),
    ),
)


MOVES = (GENERATE_SECTOR, EDIT_SQUARE, OPEN_WORLD, SHARE_MAP, GENERATE_WORLD, GENERATE_PEOPLE)
