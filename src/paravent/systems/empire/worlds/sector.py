"""« Secteur galactique », « Cartographie »: a hundred squares, their stars, codes and routes (EGW-020 to EGW-098)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import combinations, count
from string import ascii_uppercase
from typing import NamedTuple

from paravent.dice import Dice, PlayedDice
from paravent.game import Rulings, rule
from paravent.game.words import folded
from paravent.systems.empire.terms import TABLES

from .generating import hash_dice, quick_dice
from .naming import beginning, christened, content_key, sector_name
from .peoples import COLONY, IMPERIAL, FolkWish
from .planet import Life, LifeWish, World, life_of, world

SIDE = 10
"""A sector is ten squares wide and ten high."""
WITH_PLANETS = 3
"""The die up to which a star has planets."""


class Density(StrEnum):
    """How thick the stars are: a die up to 2, 3 or 4."""

    RIM = "rim"
    MEAN = "mean"
    CORE = "core"


class Square(StrEnum):
    """What a square of the map holds."""

    VOID = "void"
    LONE_STAR = "lone_star"
    LIFELESS = "lifeless"
    ANIMAL = "animal_life"
    INTELLIGENT = "intelligent_life"


class Colour(StrEnum):
    """The lines and circles of the map: great routes are red, small ones blue."""

    NONE = "no_colour"
    RED = "red"
    BLUE = "blue"


class Route(NamedTuple):
    """A route between two systems by their codes; an empty end leads out of the sector."""

    start: str
    end: str
    colour: Colour


class Quarter(StrEnum):
    """A subsector: a quarter of the squares, five by five."""

    NORTH_WEST = "quarter_north_west"
    NORTH_EAST = "quarter_north_east"
    SOUTH_WEST = "quarter_south_west"
    SOUTH_EAST = "quarter_south_east"


SIDES = {
    "north_west": (-1, -1), "north": (0, -1), "north_east": (1, -1), "west": (-1, 0), "east": (1, 0),
    "south_west": (-1, 1), "south": (0, 1), "south_east": (1, 1),
}
"""Where a sector may lie beside another: so many to the right, so many down."""


class Beside(NamedTuple):
    """A sector beside this one: where it lies, and what it is called."""

    dx: int
    dy: int
    name: str


class Beyond(NamedTuple):
    """A route over the edge: from a world here, by its code, to a square of a sector beside."""

    start: str
    dx: int
    dy: int
    square: str
    name: str
    colour: Colour
    arrives: bool = False
    """Whether it is a small route of a colony over there, which ends here."""


class Given(NamedTuple):
    """A code, given once to a square and to no other ever after."""

    square: str
    code: str


class Found(NamedTuple):
    """What the dice of a square gave: its kind, and its system if it has planets."""

    kind: Square
    world: World | None = None


@dataclass(frozen=True)
class Sector:
    """Ten by ten squares: stars alone, systems with their main planets, and the routes between them."""

    name: str = ""
    density: Density = Density.MEAN
    seed: str = ""
    lone_stars: tuple[str, ...] = ()
    worlds: tuple[World, ...] = ()
    routes: tuple[Route, ...] = ()
    remarks: str = ""
    codes: tuple[Given, ...] = ()
    """Every code that was ever given; what is no longer drawn keeps its own."""
    party: str = ""
    """The square where the group is."""
    drawn: tuple[Quarter, ...] = ()
    """The quarters that are drawn; all of them, if none is named."""
    galaxy: str = ""
    """What it shares with the sectors beside it; nothing while there are none."""
    x: int = 0
    y: int = 0
    """Where it lies among them."""
    beside: tuple[Beside, ...] = ()
    beyond: tuple[Beyond, ...] = ()
    """Routes over the edge, those that a colony might take among them: :func:`links` says which it takes."""

    def key(self, square: str) -> str:
        """Where a square's dice come from; without a seed, from nowhere."""
        return f"{self.seed}/{square}" if self.seed else ""

    def world_at(self, square: str) -> World | None:
        """The system in a square, if there is one."""
        return next((found for found in self.worlds if found.square == square), None)

    def world_of(self, code: str) -> World | None:
        """The system with a code, if there is one."""
        return next((found for found in self.worlds if found.code == code), None)


# Squares


@rule("EGW-098")
def coordinates(column: int, row: int) -> str:
    """Column then row, two digits each, from the top left."""
    return f"{column:02d}{row:02d}"


@rule("EGW-098")
def position(square: str) -> tuple[int, int]:
    """The column and row of a square."""
    return int(square[:2]), int(square[2:])


@rule("EGW-020")
def squares() -> Iterator[str]:
    """The hundred squares, row by row, each from left to right."""
    return (coordinates(column, row) for row in range(1, SIDE + 1) for column in range(1, SIDE + 1))


@rule("EGW-020")
def squares_of(drawn: Iterable[Quarter]) -> Iterator[str]:
    """The squares of some quarters, of all if none is named, in the order of the sector."""
    wanted = set(drawn)
    return (square for square in squares() if not wanted or quarter_of(square) in wanted)


def quarter_of(square: str) -> Quarter:
    """The subsector of a square."""
    column, row = position(square)
    return list(Quarter)[(column > SIDE // 2) + 2 * (row > SIDE // 2)]


@rule("EGW-021")
def throw_star(dice: Dice, density: Density) -> bool:
    """One die: a star up to three; up to four near the centre, up to two at the rim."""
    return dice.sum(1, 6) <= int(TABLES["star_density"].cell(density.value, "at_most"))


@rule("EGW-022")
def throw_has_planets(dice: Dice) -> bool:
    """One die: planets up to three, else the star is alone."""
    return dice.sum(1, 6) <= WITH_PLANETS


def kind_of(found: World) -> Square:
    """What a system counts as on the map."""
    return Square(found.life.value)


def square_kind(dice: Dice, density: Density, wish: LifeWish, rulings: Rulings) -> Found:
    """What a square holds, its people left out: the gist of :func:`square_content`."""
    if not throw_star(dice, density):
        return Found(Square.VOID)
    if not throw_has_planets(dice):
        return Found(Square.LONE_STAR)
    life_die = dice.resolve(life_of, wish, rulings)
    if not life_die:
        return Found(Square.LIFELESS)
    return Found(Square.INTELLIGENT if life_die >= 5 else Square.ANIMAL)


def square_content(dice: Dice, density: Density, wish: LifeWish, rulings: Rulings) -> Found:
    """One square in the order of the book: a star? planets? then the system."""
    if not throw_star(dice, density):
        return Found(Square.VOID)
    if not throw_has_planets(dice):
        return Found(Square.LONE_STAR)
    made = world(dice, wish, FolkWish(), rulings)
    return Found(kind_of(made), made)


def squares_content(
    dice: Dice, where: Iterable[str], density: Density, rulings: Rulings
) -> tuple[tuple[str, Found], ...]:
    """Several squares, each on its own stream of dice, so that none changes another."""
    return tuple(
        (square, square_content(dice.stream(f"{square}/system"), density, LifeWish.BY_THE_RULE, rulings))
        for square in where
    )


@lru_cache(maxsize=1024)
def seeded_square(seed: str, square: str, density: Density, rulings: Rulings) -> Found:
    """A square of a seeded sector, with the faces that made its system."""
    dice: PlayedDice = hash_dice(seed).stream(f"{square}/system")
    found = square_content(dice, density, LifeWish.BY_THE_RULE, rulings)
    if found.world is None:
        return found
    faces = tuple(face for entry in dice.record for face in getattr(entry, "faces", ()))
    return found._replace(world=replace(found.world, faces=faces))


@rule("EGW-020", "EGW-093")
def sector(
    dice: Dice, name: str, density: Density, seed: str, rulings: Rulings, drawn: tuple[Quarter, ...] = ()
) -> Sector:
    """A sector from its seed, which the dice at hand give where nobody does; the whole of it, or some quarters."""
    own = seed or throw_seed(dice)
    made = sector_of(own, name or sector_name(own), density, rulings, drawn)
    _, x, y = place_of(seed)
    return replace(made, galaxy=throw_galaxy(dice), x=x, y=y) if (x, y) != (0, 0) else made


def throw_galaxy(dice: Dice) -> str:
    """A mark for sectors that lie side by side, from four dice: it tells nothing of their seeds."""
    return "".join(str(dice.sum(1, 6)) for _ in range(4))


def galaxy_of(root: str) -> str:
    """The mark of all sectors of a root, whoever makes them."""
    return throw_galaxy(quick_dice(f"{root}/galaxy"))


def seeded_sector(seed: str, rulings: Rulings) -> Sector:
    """The sector of a seed, of mean density; one beside another where the seed says so. Its name is not its seed, which
    those who see a map of it would then read."""
    root, x, y = place_of(seed)
    made = sector_of(seed, sector_name(seed), Density.MEAN, rulings)
    return replace(made, galaxy=galaxy_of(root), x=x, y=y) if (x, y) != (0, 0) else made


@rule("EGW-020", "EGW-093")
def sector_of(
    seed: str, name: str, density: Density, rulings: Rulings, drawn: tuple[Quarter, ...] = ()
) -> Sector:
    """Square by square; then codes, routes and names."""
    return with_squares(Sector(name, density, seed, drawn=drawn), squares_of(drawn), rulings)


def with_squares(chart: Sector, where: Iterable[str], rulings: Rulings) -> Sector:
    """The sector with squares that its seed makes; what was there keeps its content, code and name."""
    found = squares_content(quick_dice(chart.seed), where, chart.density, rulings)
    lone = tuple(square for square, content in found if content.kind is Square.LONE_STAR)
    worlds = [replace(content.world, square=square) for square, content in found if content.world is not None]
    if chart.worlds or chart.lone_stars:
        order = {square: at for at, square in enumerate(squares())}
        lone = tuple(sorted((*chart.lone_stars, *lone), key=order.__getitem__))
        worlds = sorted((*chart.worlds, *worlds), key=lambda found: order[found.square])
    return christened_all(charted(replace(chart, lone_stars=lone, worlds=tuple(worlds)), rulings))


@rule("EGW-020")
def with_quarter(chart: Sector, quarter: Quarter, rulings: Rulings) -> Sector:
    """The sector with one more of its quarters drawn."""
    known = {*chart.drawn, quarter}
    drawn = () if len(known) == len(Quarter) else tuple(one for one in Quarter if one in known)
    return with_squares(replace(chart, drawn=drawn), squares_of((quarter,)), rulings)


def throw_seed(dice: Dice) -> str:
    """A seed from twelve dice."""
    return "".join(str(dice.sum(1, 6)) for _ in range(12))


@rule("EGW-098")
def name_told(chart: Sector) -> str:
    """What others may call a sector: its name, unless it is its seed, which makes every square of it."""
    bare = {"".join(filter(str.isalnum, folded(text))) for text in (chart.seed, place_of(chart.seed)[0])}
    is_seed = bool(chart.seed) and "".join(filter(str.isalnum, folded(chart.name))) in bare
    return sector_name(chart.seed) if is_seed else chart.name


@rule("EGW-098")
def galaxy_told(chart: Sector) -> str:
    """What others may know of the sectors it lies among; sectors made long ago are marked by their very seed."""
    root, _, _ = place_of(chart.seed)
    return galaxy_of(root) if root and chart.galaxy == root else chart.galaxy


class SectorMade(NamedTuple):
    """The gist of a sector: there is one."""


def sector_gist(
    dice: Dice, name: str, density: Density, seed: str, rulings: Rulings, drawn: tuple[Quarter, ...] = ()
) -> SectorMade:
    """Nothing that a whole sector could fail at."""
    return SectorMade()


# Side by side


@rule("EGW-098")
def place_of(seed: str) -> tuple[str, int, int]:
    """What the seed of a sector says of where it lies: ``root/x,y``; without that, at the origin of its own."""
    root, _, place = seed.rpartition("/")
    x, _, y = place.partition(",")
    if root and x.removeprefix("-").isdigit() and y.removeprefix("-").isdigit():
        return root, int(x), int(y)
    return seed, 0, 0


@rule("EGW-098")
def seed_beside(chart: Sector, dx: int, dy: int) -> str:
    """The seed of a sector beside: the same whichever way one comes there; nothing where this one has none."""
    if not chart.seed:
        return ""
    root, x, y = place_of(chart.seed)
    return root if (x + dx, y + dy) == (0, 0) else f"{root}/{x + dx},{y + dy}"


@rule("EGW-020")
def sector_beside(dice: Dice, chart: Sector, side: str, name: str, rulings: Rulings) -> tuple[Sector, Sector]:
    """This sector, which now has a place among others, and the one beside it, named if nobody names it."""
    dx, dy = SIDES[side]
    here = chart if chart.galaxy else replace(chart, galaxy=throw_galaxy(dice))
    seed = seed_beside(chart, dx, dy) or throw_seed(dice)
    made = sector_of(seed, name or sector_name(seed), chart.density, rulings)
    return here, replace(made, galaxy=here.galaxy, x=here.x + dx, y=here.y + dy)


def offset(chart: Sector, other: Sector) -> tuple[int, int] | None:
    """Where another sector lies beside this one, if it does."""
    place = other.x - chart.x, other.y - chart.y
    return place if chart.galaxy and chart.galaxy == other.galaxy and place in SIDES.values() else None


def far2(start: str, dx: int, dy: int, end: str) -> int:
    """The square of the distance to a square of a sector beside."""
    (x, y), (u, v) = position(start), position(end)
    return (x - u - SIDE * dx) ** 2 + (y - v - SIDE * dy) ** 2


@rule("EGW-096")
def over_the_edge(chart: Sector, other: Sector, dx: int, dy: int, rulings: Rulings) -> Iterator[Beyond]:
    """Red between the starports of both, each pair or the nearest; blue from each colony that has no starport in its
    own sector."""
    ports, theirs = ([found for found in one.worlds if found.tech_level == IMPERIAL] for one in (chart, other))
    pairs = sorted(((one, hub) for one in ports for hub in theirs), key=lambda pair: far2(
        pair[0].square, dx, dy, pair[1].square))
    for one, hub in pairs if rulings.red_routes not in ("spanning_tree", "gabriel") else pairs[:1]:
        yield Beyond(one.code, dx, dy, hub.square, hub.name, Colour.RED)
    if rulings.edge_routes == "none":
        return
    if not ports and theirs:
        for found in chart.worlds:
            if found.tech_level == COLONY:
                hub = min(theirs, key=lambda hub: far2(found.square, dx, dy, hub.square))
                yield Beyond(found.code, dx, dy, hub.square, hub.name, Colour.BLUE)
    for link in links(other):
        colony, hub_here = other.world_of(link.start), chart.world_at(link.square)
        if (link.dx, link.dy) == (-dx, -dy) and link.colour is Colour.BLUE and not link.arrives and colony and hub_here:
            yield Beyond(hub_here.code, dx, dy, colony.square, colony.name, Colour.BLUE, True)


def links(chart: Sector) -> tuple[Beyond, ...]:
    """The routes over the edge: of those that a colony might take, the shortest."""
    kept = [link for link in chart.beyond if link.colour is Colour.RED or link.arrives]
    homes = {found.code: found.square for found in chart.worlds}
    might = [link for link in chart.beyond if link not in kept and link.start in homes]
    near = sorted(might, key=lambda link: (
        far2(homes[link.start], link.dx, link.dy, link.square), link.dx, link.dy, link.square))
    return (*kept, *{link.start: link for link in reversed(near)}.values())


@rule("EGW-096")
def beside_another(chart: Sector, other: Sector, rulings: Rulings) -> Sector:
    """The sector once another is as it is: if it lies beside, its name and the routes that lead there."""
    place = offset(chart, other)
    if place is None:
        return chart
    around = sorted((*(one for one in chart.beside if one[:2] != place), Beside(*place, other.name)))
    kept = tuple(link for link in chart.beyond if (link.dx, link.dy) != place)
    return replace(chart, beside=tuple(around), beyond=tuple(sorted((
        *kept, *over_the_edge(chart, other, *place, rulings)))))


def side_by_side(charts: Sequence[Sector], rulings: Rulings) -> list[Sector]:
    """Sectors as they stand beside one another, wherever they come from."""
    found = list(charts)
    for _ in range(2):
        for at, chart in enumerate(found):
            for other in found:
                chart = beside_another(chart, other, rulings) if other is not chart else chart
            found[at] = chart
    return found


# The map


@rule("EGW-090")
def is_mapped(found: World) -> bool:
    """Suns whose planets can harbour life are drawn: those whose life die was thrown, and colonies."""
    return found.life is not Life.NONE or found.people is not None


@rule("EGW-091")
def code_of(number: int, rulings: Rulings) -> str:
    """A to Z in order of appearance; then AA, AB, or two-digit numbers."""
    if number < len(ascii_uppercase):
        return ascii_uppercase[number]
    if rulings.code_overflow == "numbers":
        return f"{number + 1:02d}"
    first, second = divmod(number - len(ascii_uppercase), len(ascii_uppercase))
    return ascii_uppercase[first] + ascii_uppercase[second]


@rule("EGW-091")
def in_map_order(worlds: Iterable[World], rulings: Rulings) -> list[World]:
    """As one reads: row by row from the left; or column by column."""
    by_columns = rulings.code_order == "columns"
    return sorted(worlds, key=lambda found: found.square if by_columns else found.square[2:] + found.square[:2])


@rule("EGW-091")
def charted(chart: Sector, rulings: Rulings) -> Sector:
    """The sector with a code for each system that has none yet, and its routes drawn; a code once given never moves."""
    codes = dict(chart.codes)
    known = {*codes.values(), *(found.code for found in chart.worlds if found.code)}
    free = (code for code in (code_of(number, rulings) for number in count()) if code not in known)
    for found in in_map_order(chart.worlds, rulings):
        if found.square not in codes and (found.code or is_mapped(found)):
            codes[found.square] = found.code or next(free)
    worlds = tuple(found if found.code == (code := codes.get(found.square, "")) else replace(found, code=code)
                   for found in chart.worlds)
    return replace(chart, worlds=worlds, routes=routes(worlds, rulings),
                   codes=tuple(Given(square, code) for square, code in codes.items()))


def christened_all(chart: Sector) -> Sector:
    """The sector with a name for every world that has none, no two beginning alike."""
    begun = {beginning(found.name) for found in chart.worlds if found.name}
    worlds = []
    for found in chart.worlds:
        named = christened(found, chart.key(found.square) or f"{chart.name}/{found.square}/{content_key(found)}", begun)
        begun.add(beginning(named.name))
        worlds.append(named)
    return replace(chart, worlds=tuple(worlds))


@rule("EGW-092")
def square_text(found: World) -> str:
    """What is written in a square: code, T, O, and the level of whoever lives there."""
    numbers = [found.size_t, found.oceans_o, *([found.tech_level] if found.people is not None else [])]
    return f"{found.code} {'·'.join(map(str, numbers))}"


@rule("EGW-094")
def circle(tech_level: int) -> Colour:
    """Worlds of the fifth level are circled in blue, those of the sixth in red."""
    return {COLONY: Colour.BLUE, IMPERIAL: Colour.RED}.get(tech_level, Colour.NONE)


def port(tech_level: int) -> str:
    """Where ships land, if anywhere."""
    return str(TABLES["tech_levels"].cell(tech_level, "port")) if tech_level else "no_port"


def distance2(one: World, other: World) -> int:
    """The square of the distance between two squares' centres."""
    (x, y), (u, v) = position(one.square), position(other.square)
    return (x - u) ** 2 + (y - v) ** 2


@rule("EGW-096")
def routes(worlds: Sequence[World], rulings: Rulings) -> tuple[Route, ...]:
    """Red between the sixth-level worlds, blue from each fifth-level world to the nearest of them.

    On a tie the earliest code is nearest. Without one in the sector, a blue route leads out of it, or there is none.
    """
    ports = [found for found in worlds if found.tech_level == IMPERIAL]
    colonies = [found for found in worlds if found.tech_level == COLONY]
    ports.sort(key=lambda found: (len(found.code), found.code))
    red = [Route(one.code, other.code, Colour.RED) for one, other in great_routes(ports, rulings)]
    if not ports and rulings.edge_routes == "none":
        return ()
    blue = [
        Route(found.code, min(ports, key=lambda hub: distance2(found, hub)).code if ports else "", Colour.BLUE)
        for found in colonies
    ]
    return (*red, *blue)


@rule("EGW-096")
def great_routes(ports: Sequence[World], rulings: Rulings) -> list[tuple[World, World]]:
    """Every pair of them; or the shortest lines that join them all; or those with nobody between."""
    pairs = list(combinations(ports, 2))
    match rulings.red_routes:
        case "spanning_tree":
            return spanning_tree(pairs)
        case "gabriel":
            return [
                (one, other) for one, other in pairs
                if not any(distance2(one, third) + distance2(third, other) < distance2(one, other)
                           for third in ports if third not in (one, other))
            ]
        case _:
            return pairs


def spanning_tree(pairs: Sequence[tuple[World, World]]) -> list[tuple[World, World]]:
    """The shortest pairs first, leaving out those whose ends are joined already."""
    group: dict[str, str] = {}

    def root(code: str) -> str:
        while code in group:
            code = group[code]
        return code

    kept = []
    for one, other in sorted(pairs, key=lambda pair: distance2(*pair)):
        if root(one.code) != root(other.code):
            group[root(one.code)] = root(other.code)
            kept.append((one, other))
    return kept


@rule("EGW-097")
def may_use(colour: Colour, passage: str, official: bool = False) -> bool:
    """Great routes are everybody's; small ones are for barges and official ships."""
    return colour is Colour.RED or passage == "barge" or official
