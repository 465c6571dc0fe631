"""The map as the workplace: the sector, and the world of the square one points at, told in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from paravent.game import Telling, Value
from paravent.game.leaves import (
    Asked,
    Block,
    Content,
    Exits,
    Folded,
    Heading,
    Lead,
    Leaf,
    PageBreak,
    Plate,
    Reader,
    Rows,
    Says,
    Start,
)
from paravent.systems.empire.beasts.animals import Animal, diet_of, physical_resistance
from paravent.systems.empire.beasts.bodies import size_of
from paravent.systems.empire.beasts.persons import Person
from paravent.systems.empire.terms import figure
from paravent.systems.empire.trade.errors import NoMap
from paravent.systems.empire.trade.goods import base_price, good_of

from .living import beasts_of, market_of, month_of
from .maps import Chart, Known, chart_map, sector_map
from .peoples import arms, is_empire_member, is_mining_colony, penalty, population_exponent, soldiers_wear
from .planet import Life, World, air_index, atmosphere, diameter, gear_needed, gravity
from .sector import Sector, Square, port, squares

EDITS = ("set_name", "new_name", "reroll")


def said(key: str, **values: Value) -> Telling:
    """A sentence of these leaves."""
    return Telling(f"leaves.sector.{key}", values)


# A world told


def told(found: World, key: str, month: int, reader: Reader) -> tuple[Block, ...]:
    """A world in sentences: planet, life, people, law, trade of the month, beasts with what they fight with."""
    rulings = reader.rulings
    index = air_index(found.size_t, found.oceans_o, rulings)
    blocks: list[Block] = [
        Says(said("planet", planets=found.n_planets, diameter=diameter(found.size_t, found.diameter_more),
                  gravity=figure(gravity(found.size_t)), oceans=10 * found.oceans_o)),
        Says(said(f"air_{atmosphere(index)}", gear=gear_needed(index))),
    ]
    folk = found.people
    if folk is None:
        blocks.append(Says(said("beasts_only" if found.life is Life.ANIMAL else "nothing_lives")))
    else:
        exponent = population_exponent(folk.tech_level, found.size_t, rulings)
        armed = arms(folk.tech_level, folk.nature, rulings)
        who = "colony" if folk.tech_level == 5 else "imperial" if folk.tech_level == 6 else "natives"
        if who == "colony" and is_mining_colony(folk.tech_level, found.size_t):
            who = "miners"
        blocks += [
            Says(said(who, name=folk.name or found.name, level=folk.tech_level, people=_crowd(exponent))),
            Says(said("ways", culture=folk.culture, politics=folk.politics)),
            Says(said(f"nature_{folk.nature}")),
            Says(said("law", civilians=armed.civilians, police=armed.police, soldiers=armed.soldiers,
                      wear=soldiers_wear(folk.tech_level), penalty=penalty(folk.nature))),
        ]
        if is_empire_member(folk.tech_level, folk.nature):
            blocks.append(Says(said("member")))
        if port(folk.tech_level) != "no_port":
            blocks.append(Says(said("port", name=found.port_name or found.name, port=port(folk.tech_level))))
        lists = market_of(found, key, month, rulings)
        n = folk.tech_level
        blocks += [
            Heading(said("market", n=month + 1), within=True),
            Rows(("offered_goods", "base_price"), _goods(lists.offered[:n])),
            Rows(("demanded_goods", "base_price"), _goods(lists.demanded[:n])),
        ]
    beasts = beasts_of(found, key, rulings)
    if beasts:
        blocks += [Heading(said("beasts"), within=True), bestiary(beasts, reader)]
    blocks += [Says(said(f"odd_{paradox}")) for paradox in paradoxes(found, reader)]
    if found.remarks:
        blocks.append(Says(said("remarks", text=found.remarks)))
    return tuple(blocks)


def _crowd(exponent: int) -> int:
    return int(10**exponent)


def _goods(rolls: tuple[int, ...]) -> tuple[tuple[Telling, int], ...]:
    names = dict.fromkeys(good_of(roll) for roll in rolls)
    return tuple((Telling(f"values.{name}"), base_price(name)) for name in names)


def bestiary(beasts: tuple[Animal, ...], reader: Reader) -> Rows:
    """Beasts with their fighting figures."""
    return Rows(("name", "diet", "movement_mode", "size", "strength", "endurance", "natural_weapon", "natural_armour",
                 "resistance_physical"), tuple(
        (beast.name, Telling(f"values.{diet_of(beast.diet_ta).value}"), Telling(f"values.{beast.movement_mode}"),
         Telling(f"values.{size_of(beast.body_row)}"), beast.strength, beast.endurance, beast.natural_weapon,
         beast.natural_armour, physical_resistance(beast, reader.rulings)) for beast in beasts))


def paradoxes(found: World, reader: Reader) -> Iterator[str]:
    """What the dice left odd, to be explained by whoever tells the story."""
    folk = found.people
    if folk is None:
        return
    if folk.tech_level == 1 and folk.politics in ("democracy", "technocracy", "bureaucracy"):
        yield "early_state"
    if folk.body_row and folk.body_row <= 3:
        yield "tiny"
    if folk.body_row >= 10:
        yield "giant"
    if folk.tech_level == 5 and population_exponent(5, found.size_t, reader.rulings) >= 9:
        yield "crowded_colony"
    if folk.tech_level <= 2 and atmosphere(air_index(found.size_t, found.oceans_o, reader.rulings)) == "toxic":
        yield "poisoned"


# The map


def _sectors(reader: Reader) -> dict[str, Sector | Chart]:
    whole: dict[str, Sector | Chart] = {held.id: one for held, one in reader.of(Sector)}
    return {**whole, **{held.id: one for held, one in reader.of(Chart)}}


def _named(reader: Reader) -> dict[str, str | Telling]:
    return {name: one.name or said("title") for name, one in _sectors(reader).items()}


def make(reader: Reader) -> Content:
    """The map, and the world of the square that is chosen."""
    known = _sectors(reader)
    at = reader.text("map", next(iter(known), ""))
    chart = reader.one_of("map", known, at)
    if chart is None:
        raise NoMap()
    square = reader.text("square", chart.party)
    drawn = sector_map(chart, reader.rulings) if isinstance(chart, Sector) else chart_map(chart, reader.rulings)
    picture = Plate(drawn, chart.name, "sector", "square", {"map": at, "square": square})
    panel = _panel(reader, at, chart, square) if square in set(squares()) else ()
    ways = Exits((Lead("trade", {"map": at}, Telling("leaves.trade.title")),
                 Lead("voyage", {"map": at}, Telling("leaves.voyage.any")),
                 *((Lead("atlas", {"map": at}, Telling("leaves.atlas.title")),) if isinstance(chart, Sector) else ())))
    return Content(said("titled", name=chart.name), (picture, *panel, ways), {"map": at, "square": square})


def _panel(reader: Reader, at: str, chart: Sector | Chart, square: str) -> tuple[Block, ...]:
    if isinstance(chart, Chart):
        one = next((one for one in chart.known if one.square == square), None)
        return _known(one) if one is not None else (Heading(said("square", square=square)), Says(said("unknown")))
    found = chart.world_at(square)
    if found is None:
        kind = "lone_star" if square in chart.lone_stars else "void"
        return (Heading(said("square", square=square)), Says(said(kind)), Exits(_square_moves(at, square)))
    month = month_of(reader.day)
    here = [held.id for held, one in reader.of(World) if one.sector == at and one.square == square]
    people = [one.name for _, one in reader.of(Person) if square in one.tags or found.name in one.tags]
    who = (Says(said("who_is_there", names=tuple(people))),) if people else ()
    meet: tuple[Start, ...] = (
        Start("animal-encounter", said("meet"), {"world": (here[0],)}),
        Start("start-day", said("day"), {"world": (here[0],)}),
        Start("note-encounter", said("note"), {"world": (here[0],)}, {"gm": {"tags": [square]}}),
    ) if here else (Start("open-world", said("open"), {"sector": (at,)}, {"gm": {"square": square}}),)
    faces = (Folded(said("dice"), (Says(said("faces", faces=tuple(found.faces))),)),) if found.faces else ()
    return (Heading(said("world", name=found.name, code=found.code, square=square)),
            *told(found, chart.key(square), month, reader), *who,
            Exits((*meet, *_square_moves(at, square),
                  Start("share-map", said("show"), {"sector": (at,)}, {"gm": {"known_squares": [square]}}),
                  Lead("voyage", {"map": at, "end": square}, said("sail")))), *faces)


def _square_moves(at: str, square: str) -> tuple[Start, ...]:
    return tuple(Start("edit-square", said(f"edit_{edit}"), {"sector": (at,)}, {"gm": {"square": square, "edit": edit}})
                 for edit in EDITS)


def _known(one: Known) -> tuple[Block, ...]:
    """What the players' map says of a square."""
    heading = Heading(said("world", name=one.name, code=one.code, square=one.square) if one.name
                      else said("square", square=one.square))
    if one.kind in (Square.VOID, Square.LONE_STAR):
        return heading, Says(said(one.kind.value))
    lines = [Says(said("known_planet", diameter=diameter(one.size_t), oceans=10 * one.oceans_o)),
             Says(said(f"air_{one.atmosphere}", gear=one.gear))] if one.atmosphere else []
    level = (Says(said("known_level", level=one.tech_level)),) if one.tech_level else ()
    return (heading, *lines, *level, Exits((Lead("voyage", {"end": one.square}, said("sail")),)))


SECTOR_LEAF = Leaf("sector", make, (Asked("map", _named), Asked("square")), frozenset({"sector", "chart"}),
                   ("EGW-090", "EGW-092", "EGW-094", "EGW-096"))


# On paper


def atlas(reader: Reader) -> Content:
    """A sector to print: the map, an index, a page for each inhabited world, the beasts, a blank map for pencils."""
    known = {held.id: one for held, one in reader.of(Sector)}
    at = reader.text("map", next(iter(known), ""))
    chart = reader.one_of("map", known, at)
    if chart is None:
        raise NoMap()
    month = month_of(reader.day)
    index = tuple((one.name, one.code, one.square, one.tech_level or "") for one in
                  sorted(chart.worlds, key=lambda one: one.name))
    pages: list[Block] = [Plate(sector_map(chart, reader.rulings), chart.name), PageBreak(),
                          Heading(Telling("leaves.atlas.index")),
                          Rows(("name", "code", "square", "tech_level"), index)]
    for found in chart.worlds:
        if found.people is not None:
            pages += [PageBreak(), Heading(said("world", name=found.name, code=found.code, square=found.square)),
                      *told(found, chart.key(found.square), month, reader)]
    pages += [PageBreak(), Heading(Telling("leaves.atlas.bestiary"))]
    for found in chart.worlds:
        beasts = beasts_of(found, chart.key(found.square), reader.rulings)
        if beasts and found.people is None:
            pages += [Heading(said("world", name=found.name, code=found.code, square=found.square)),
                      bestiary(beasts, reader)]
    blank = chart_map(Chart(chart.name), reader.rulings)
    pages += [PageBreak(), Heading(Telling("leaves.atlas.blank")), Plate(blank, chart.name)]
    return Content(Telling("leaves.atlas.titled", {"name": chart.name}), tuple(pages), {"map": at})


ATLAS = Leaf("atlas", atlas, (Asked("map", _named),), frozenset({"sector"}), ("EGW-092", "EGW-093"), gm=True)
