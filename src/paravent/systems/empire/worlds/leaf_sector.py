"""The map as the workplace: the sector, and the world of the square one points at, told in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from paravent.game import Map, Rulings, Telling, Value, rule
from paravent.game.leaves import (
    Asked,
    Block,
    Content,
    Exits,
    Folded,
    Heading,
    Lead,
    Leaf,
    Measures,
    PageBreak,
    Plate,
    Reader,
    Rows,
    Says,
    Start,
)
from paravent.game.words import folded
from paravent.systems.empire.beasts.animals import Animal
from paravent.systems.empire.beasts.bodies import size_of, weight_of
from paravent.systems.empire.beasts.decks import Card, CardKind, Deck
from paravent.systems.empire.beasts.persons import Person, PersonRole
from paravent.systems.empire.people.character import Character
from paravent.systems.empire.people.referee import published_slots
from paravent.systems.empire.terms import Characteristic, figure
from paravent.systems.empire.trade.errors import NoBuyer, NoMap
from paravent.systems.empire.trade.goods import base_price, tallied
from paravent.systems.empire.trade.kinds import Cargo, Market
from paravent.systems.empire.trade.leaf_trade import market_seen
from paravent.systems.empire.trade.trade import Lot, is_proliferation, is_renewed, names_of, sale_factor

from .bestiary import cards
from .living import beasts_of, market_of, month_of
from .maps import Chart, Known, area_of, chart_map, sector_map
from .moves import still_blank
from .peoples import (
    People,
    arms,
    individual,
    is_empire_member,
    is_mining_colony,
    penalty,
    population_exponent,
    soldiers_wear,
)
from .planet import Life, World, air_index, atmosphere, diameter, gear_needed, gravity
from .sector import SIDES, Sector, Square, coordinates, port, position, squares, squares_of

EDITS = ("set_name", "new_name", "reroll", "group_here")
SAID = ("new_name", "group_here")
"""Of these, what needs no further word."""


def said(key: str, **values: Value) -> Telling:
    """A sentence of these leaves."""
    return Telling(f"leaves.sector.{key}", values)


# A world told


def told(
    found: World, key: str, month: int, reader: Reader, around: tuple[Trading, ...] = ()
) -> tuple[Block, ...]:
    """A world in sentences: planet, life, people, law, trade of the month; and who else trades in the same."""
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
            *((Says(said("body", appearance=folk.appearance, size=size_of(folk.body_row),
                         weight=weight_of(folk.body_row))),) if folk.body_row else ()),
            Says(said("ways", culture=folk.culture, politics=folk.politics)),
            Says(said(f"nature_{folk.nature}")),
            Says(said("law", civilians=armed.civilians, police=armed.police, soldiers=armed.soldiers,
                      wear=soldiers_wear(folk.tech_level), penalty=penalty(folk.nature))),
            *_scores(folk, reader),
            Measures(6, tuple((said(f"arms_{who}"), level, said("arms_level", level=level)) for who, level in (
                ("civilians", armed.civilians), ("police", armed.police), ("soldiers", armed.soldiers)))),
        ]
        if is_empire_member(folk.tech_level, folk.nature):
            blocks.append(Says(said("member")))
        if port(folk.tech_level) != "no_port":
            blocks.append(Says(said("port", name=found.port_name or found.name, port=port(folk.tech_level))))
    blocks += [Says(said(f"odd_{paradox}")) for paradox in paradoxes(found, reader)]
    if found.remarks:
        blocks.append(Says(said("remarks", text=found.remarks)))
    if folk is not None:
        lists = market_of(found, key, month, rulings)
        n = folk.tech_level
        sold, wanted = _goods(lists.offered[:n]), _goods(lists.demanded[:n])
        blocks.append(Heading(said("market", n=month + 1), within=True))
        if around:
            blocks += [
                Rows(("offered_goods", "base_price", "wanted_where"), tuple(
                    (says, price, buyers(good, found, around, rulings)) for good, says, price in sold)),
                Rows(("demanded_goods", "base_price", "sold_where"), tuple(
                    (says, price, sellers(good, found, around, rulings)) for good, says, price in wanted)),
            ]
        else:
            blocks += [Rows(("offered_goods", "base_price"), tuple(row[1:] for row in sold)),
                       Rows(("demanded_goods", "base_price"), tuple(row[1:] for row in wanted))]
    return tuple(blocks)


class Trading(NamedTuple):
    """A world on the map whose market is known: what it sells and wants this month."""

    world: World
    sold: frozenset[str]
    wanted: frozenset[str]


MOST_PLACES = 4
"""How many worlds are named for a good."""


def trading(chart: Sector, month: int, rulings: Rulings) -> tuple[Trading, ...]:
    """Every market of a map."""
    lists = ((one, market_of(one, chart.key(one.square), month, rulings)) for one in chart.worlds if one.people)
    return tuple(Trading(one, frozenset(names_of(found.offered[:one.tech_level])),
                         frozenset(names_of(found.demanded[:one.tech_level]))) for one, found in lists)


@rule("EGW-108", "EGW-111")
def buyers(good: str, found: World, around: Iterable[Trading], rulings: Rulings) -> Telling:
    """Where a good of a world is wanted, the widest gap of technology first; arms where customs let them through."""
    lot, others = Lot(good, 1, found.tech_level), [one for one in around if one.world.square != found.square]
    return _places(((_gap(found, one.world, rulings), one.world.name) for one in others
                    if good in one.wanted and not is_proliferation(lot, one.world.tech_level)), "nowhere")


@rule("EGW-108", "EGW-111")
def sellers(good: str, found: World, around: Iterable[Trading], rulings: Rulings) -> Telling:
    """Who sells what a world wants, the widest gap of technology first."""
    others = [one.world for one in around if good in one.sold and one.world.square != found.square]
    return _places(((_gap(one, found, rulings), one.name) for one in others
                    if not is_proliferation(Lot(good, 1, one.tech_level), found.tech_level)), "nobody_sells")


def _gap(sold: World, bought: World, rulings: Rulings) -> Fraction:
    try:
        return sale_factor(sold.tech_level, bought.tech_level, rulings)
    except NoBuyer:
        return Fraction(0)


def _places(named: Iterable[tuple[Fraction, str]], none: str) -> Telling:
    best = sorted((one for one in named if one[0]), key=lambda one: (-one[0], folded(one[1])))[:MOST_PLACES]
    places = tuple(f"{name}\u00a0×{figure(gap)}" for gap, name in best)
    return said("places", places=places) if places else said(none)


def fauna_of(found: World, key: str, reader: Reader, others: int = 0) -> tuple[Block, ...]:
    """The beasts of a world, each on its card; on paper, the page on which there are more of them."""
    beasts = beasts_of(found, key, reader.rulings)
    if others:
        return (Heading(said("beasts"), within=True), cards(beasts[:ABREAST], reader.rulings),
                Says(said("more_beasts", n=others)))
    return (Heading(said("beasts"), within=True), cards(beasts, reader.rulings)) if beasts else ()


def _scores(folk: People, reader: Reader) -> Iterator[Measures]:
    """What one of a people is capable of; nothing is thrown for humans."""
    if folk.body_row:
        scores = individual(folk, reader.rulings)
        yield Measures(max(18, *scores.values()), tuple(
            (Telling(f"values.{one.value}"), scores[one], said("score", n=scores[one])) for one in Characteristic))


def _crowd(exponent: int) -> int:
    return int(10**exponent)


def _goods(rolls: tuple[int, ...]) -> tuple[tuple[str, Telling, int], ...]:
    """Each good of a list: which it is, in words, and its base price."""
    called = ((good if isinstance(good, str) else good.name, good) for good in tallied(rolls))
    return tuple((name, said("good", good=good), base_price(name)) for name, good in called)


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
    return {name: said("players_map", name=one.name) if reader.is_gm and isinstance(one, Chart)
            else one.name or said("title") for name, one in _sectors(reader).items()}


def make(reader: Reader) -> Content:
    """The map, and the world of the square that is chosen."""
    known = _sectors(reader)
    at = reader.text("map", usual_map(known))
    chart = reader.one_of("map", known, at)
    if chart is None:
        raise NoMap()
    square = reader.text("square", chart.party)
    drawn = sector_map(chart, reader.rulings) if isinstance(chart, Sector) else chart_map(chart, reader.rulings)
    picture = Plate(drawn, chart.name, "sector", "square", {"map": at, "square": square})
    panel: tuple[Block, ...] = (Says(said("touch")),)
    if square in set(squares()):
        heading, *rest = _panel(reader, at, chart, square)
        panel = (heading, *steps(drawn, at, square), *rest)
    ways = Exits((Lead("trade", {"map": at}, Telling("leaves.trade.title")),
                 Lead("voyage", {"map": at}, Telling("leaves.voyage.any")),
                 *((Lead("atlas", {"map": at}, Telling("leaves.atlas.title")),) if isinstance(chart, Sector) else ())))
    return Content(said("titled", name=chart.name), (picture, *panel, *around(known, at, chart), ways),
                   {"map": at, "square": square})


STEPS = {"west": (-1, 0), "north": (0, -1), "south": (0, 1), "east": (1, 0)}


def steps(drawn: Map, at: str, square: str) -> tuple[Block, ...]:
    """The next world in each direction: the nearest of those that lie more that way than aside, or else as far."""
    column, row = position(square)
    leads = []
    for side, (dx, dy) in STEPS.items():
        near = []
        for spot in drawn.spots:
            across, down = spot.column - column, spot.row - row
            along, aside = across * dx + down * dy, abs(across * dy + down * dx)
            if spot.name and along > 0 and along >= aside:
                near.append((along == aside, along + 2 * aside, spot.column, spot.row, spot.name))
        if near:
            *_, found, line, name = min(near)
            chosen = {"map": at, "square": coordinates(found, line)}
            leads.append(Lead("sector", chosen, said(f"step_{side}", name=name)))
    return (Exits(tuple(leads)),) if leads else ()


def _squares(reader: Reader) -> dict[str, str | Telling]:
    """The worlds of the map by name, and the square that is looked at if none is there."""
    known = _sectors(reader)
    chart = known.get(reader.text("map", usual_map(known)))
    if chart is None:
        return {}
    worlds = chart.worlds if isinstance(chart, Sector) else chart.known
    named = sorted(((one.name, one.square) for one in worlds if one.name), key=lambda one: folded(one[0]))
    looked_at = reader.text("square")
    other = {looked_at: looked_at} if looked_at and looked_at not in {square for _, square in named} else {}
    return {**other, **{square: f"{name} ({square})" for name, square in named}}


def usual_map(known: Mapping[str, Sector | Chart]) -> str:
    """The map on which the group is, or the first."""
    return next((name for name, one in known.items() if one.party), next(iter(known), ""))


def _party(reader: Reader) -> str:
    known = _sectors(reader)
    chart = known.get(reader.text("map", usual_map(known)))
    return chart.party if chart is not None else ""


@rule("EGW-098")
def around(known: Mapping[str, Sector | Chart], at: str, chart: Sector | Chart) -> tuple[Block, ...]:
    """The maps of the sectors beside, and for the game master what is still to be drawn."""
    sides = {place: side for side, place in SIDES.items()}
    beside = {sides[place]: (name, one.name) for name, one in known.items()
              if chart.galaxy and one.galaxy == chart.galaxy and type(one) is type(chart)
              and (place := (one.x - chart.x, one.y - chart.y)) in sides}
    leads = tuple(Lead("sector", {"map": name}, said(f"beside_{side}", name=called))
                  for side, (name, called) in sorted(beside.items()))
    blank = still_blank(chart) if isinstance(chart, Sector) else ()
    more = (Start("draw-more", said("draw_more"), {"sector": (at,)}),) if blank else ()
    return (Heading(said("around"), within=True), Exits((*leads, *more))) if leads or more else ()


def _panel(reader: Reader, at: str, chart: Sector | Chart, square: str) -> tuple[Block, ...]:
    if isinstance(chart, Chart):
        one = next((one for one in chart.known if one.square == square), None)
        if one is None:
            return Heading(said("square", square=square)), Says(said("unknown"))
        return _known(reader, chart, one)
    found = chart.world_at(square)
    if found is None and square not in set(squares_of(chart.drawn)):
        return Heading(said("square", square=square)), Says(said("undrawn"))
    if found is None:
        kind = "lone_star" if square in chart.lone_stars else "void"
        edits = _square_moves(at, square, square == chart.party, ("reroll", "group_here"))
        return (Heading(said("square", square=square)), Says(said(kind)), Exits(edits))
    month = month_of(reader.day)
    here = [held.id for held, one in reader.of(World) if one.sector == at and one.square == square]
    meet: tuple[Start, ...] = (
        Start("start-day", said("day"), {"world": (here[0],)}, at_once=True),
        Start("animal-encounter", said("meet"), {"world": (here[0],)}, at_once=True),
    ) if here else (Start("open-world", said("open"), {"sector": (at,)}, {"gm": {"square": square}}, at_once=True,
                        stays=True),)
    markets = any((one.sector, one.square) == (at, square) for _, one in reader.of(Market))
    theirs = any(known.square == square for _, one in reader.of(Chart) if one.sector == at for known in one.known)
    if here and theirs and found.people is not None and not markets:
        opened = {"world": (here[0],), **_charts_of(reader, at)}
        meet = (Start("generate-market", said("open_market"), opened, at_once=True, stays=True), *meet)
    fights = tuple(Start("start-fight", said("fight", name=name), {"initiator": brave, "opponent": (beast,)})
                   for beast, name in met_here(reader, here)) if (brave := the_group(reader)) else ()
    faces = (Folded(said("dice"), (Says(said("faces", faces=tuple(found.faces))),)),) if found.faces else ()
    key = chart.key(square)
    sail = () if square == chart.party else (Lead("voyage", {"map": at, "end": square}, said("sail")),)
    show = () if theirs else (Start("share-map", said("show"), {"sector": (at,), **_charts_of(reader, at)},
                                    {"gm": {"known_squares": [square]}}, at_once=True, stays=True),)
    return (Heading(said("world", name=found.name, code=found.code, square=square)),
            *(Says(said(key)) for key, so in (("group_is_here", square == chart.party), ("on_their_map", theirs),
                                              ("market_open", markets)) if so),
            Exits((*meet, *fights, *sail, *show, *_square_moves(at, square, square == chart.party))),
            *told(found, key, month, reader, trading(chart, month, reader.rulings)),
            *who_is_there(reader, at, found, here), *whispers(reader, at, found, here),
            *fauna_of(found, key, reader), *faces)


def the_group(reader: Reader) -> tuple[str, ...]:
    """Who stands together when a beast comes: the players' characters, or all there are while nobody plays one."""
    known = [held for held, _ in reader.of(Character) if held.kind == "character"]
    return tuple(held.id for held in [held for held in known if held.owned] or known)


@rule("EGW-049")
def met_here(reader: Reader, sheets: list[str]) -> tuple[tuple[str, str], ...]:
    """The beasts that were met, by their names, without those that live on another world whose sheet is open."""
    homes = {True: set[str](), False: set[str]()}
    for held, found in reader.of(World):
        homes[held.id in sheets].update(beast.name for beast in beasts_of(found, found.seed, reader.rulings))
    return tuple((held.id, one.name) for held, one in reader.of(Animal)
                 if one.name in homes[True] or one.name not in homes[False])


def _charts_of(reader: Reader, at: str) -> dict[str, tuple[str, ...]]:
    """The players' map of a sector, if they have one."""
    return next(({"chart": (held.id,)} for held, one in reader.of(Chart) if one.sector == at), {})


@rule("EGW-002", "EGW-003", "EGW-004", "EGW-006")
def who_is_there(reader: Reader, at: str, found: World, sheets: list[str]) -> tuple[Block, ...]:
    """The people of a world: what they are to the group, where one finds them, and how far they are to be trusted."""
    folk = [(held.id, one) for held, one in reader.of(Person) if (one.sector, one.square) == (at, found.square)
            or (not one.square and (found.square in one.tags or found.name in one.tags))]
    rows = tuple((one.name, Telling(f"values.{one.role.value}"), _haunts(one), _trusted(one)) for _, one in folk)
    leader = next(iter(the_group(reader)), "")
    tests = tuple(Start("loyalty-test", said("test_loyalty", name=one.name),
                        {"initiator": (leader,), "person": (name,)}) for name, one in folk
                  if leader and one.role not in (PersonRole.SCENERY, PersonRole.OBSTACLE, PersonRole.NEMESIS))
    note = (Start("note-encounter", said("note"), {"world": (sheets[0],)}, {"gm": {"tags": [found.square]}}),
            ) if sheets else ()
    table = (Rows(("name", "role", "schedule", "fidelity"), rows),) if rows else ()
    ways = (Exits((*note, *tests)),) if note or tests else ()
    return (Heading(said("people_here"), within=True), *table, *ways) if table or ways else ()


def _haunts(one: Person) -> Telling:
    slots = one.schedule or published_slots()
    return said("haunts", places=tuple(f"{slot.place} ({slot.first:02d}–{slot.last:02d})" for slot in slots)
                ) if one.schedule else said("haunts_official")


def _trusted(one: Person) -> Telling:
    if one.fidelity == "untested":
        return Telling("values.untested")
    return said("tested", fidelity=one.fidelity, n=one.tested_day + 1)


@rule("EGW-007")
def whispers(reader: Reader, at: str, found: World, sheets: list[str]) -> tuple[Block, ...]:
    """The rumours and errands of a world: which were told, which are true, what is still to be done.

    Whoever writes two cards at once has two decks: both are told of, and cards are drawn from whichever has any.
    """
    decks = {held.id: one for held, one in reader.of(Deck) if (one.sector, one.square) == (at, found.square)}
    rows = tuple((Telling(f"values.{card.kind.value}"), card.text, Telling(f"values.{_state(card)}"),
                  card.reward or None if card.kind is CardKind.ERRAND else
                  Telling(f"values.{'card_is_true' if card.true else 'card_is_false'}"))
                 for deck in decks.values() for card in deck.cards)
    cast: dict[str, tuple[str, ...]] = {**({"world": (sheets[0],)} if sheets else {}),
                                        **({"deck": tuple(decks)[:1]} if decks else {})}
    write = (Start("write-rumour", said("write"), cast),) if cast else ()
    who = next(iter(the_group(reader)), "")
    untold = next((name for name, deck in decks.items() if deck.untold), "")
    tell = (Start("tell-rumour", said("tell"), {"initiator": (who,), "deck": (untold,)}, at_once=True),
            ) if untold and who else ()
    owed = next((name for name, deck in decks.items() if deck.open_errands), "")
    pay = (Start("finish-errand", said("pay"), {"initiator": (who,), "deck": (owed,)}),
           ) if owed and who else ()
    table = (Rows(("card_kind", "card_text", "card_state", "card_worth"), rows),) if rows else ()
    return (Heading(said("whispers"), within=True), *table, Exits((*write, *tell, *pay))) if write or table else ()


def _state(card: Card) -> str:
    return "card_done" if card.done else "card_told" if card.told else "card_untold"


def _square_moves(at: str, square: str, here: bool = False, those: tuple[str, ...] = EDITS) -> tuple[Start, ...]:
    more = Start("edit-square", said("edit_more"), {"sector": (at,)}, {"gm": {"square": square}})
    edits = [edit for edit in those if edit != "group_here" or not here]
    return (*(Start("edit-square", said(f"edit_{edit}"), {"sector": (at,)}, {"gm": {"square": square, "edit": edit}},
                    at_once=edit in SAID, stays=edit in SAID) for edit in edits), more)


def _trading(reader: Reader, chart: Chart, square: str) -> tuple[Start, ...]:
    """What a merchant does on the market of the world where the group is."""
    place = f"{area_of(chart)}{square}"
    me = next((held.id for held, _ in reader.of(Character) if held.mine), "")
    market = next((held.id for held, one in reader.of(Market) if one.place == place), "")
    if not me or not market or square != chart.party:
        return ()
    hold = next(((held.id, one) for held, one in reader.of(Cargo) if held.mine), None)
    cast = {"initiator": (me,), "market": (market,), **({"cargo": (hold[0],)} if hold else {})}
    note = hold[1].seen_at(place) if hold is not None else None
    fresh = note is not None and not is_renewed(note.month, month_of(reader.day), reader.rulings)
    looks = not fresh or reader.rulings.market_renewal == "each_visit"
    wanted = names_of(note.demanded) if fresh and note is not None and reader.rulings.undemanded == "no_buyer" else None
    brought = {lot.good for lot in (hold[1].lots if hold is not None else ())
               if lot.bought_at != place and (wanted is None or lot.good in wanted)}
    only = {me: {"good": next(iter(brought))}} if len(brought) == 1 else {}
    return (*((Start("survey-market", said("survey"), cast),) if looks else ()),
            *((Start("buy-lots", said("buy"), cast),) if fresh else ()),
            *((Start("sell-lots", said("sell"), cast, only),) if brought else ()))


def _known(reader: Reader, chart: Chart, one: Known) -> tuple[Block, ...]:
    """What the players' map says of a square."""
    heading = Heading(said("world", name=one.name, code=one.code, square=one.square) if one.name
                      else said("square", square=one.square))
    if one.kind in (Square.VOID, Square.LONE_STAR):
        return heading, Says(said(one.kind.value))
    lines = [Says(said("known_planet", diameter=diameter(one.size_t), oceans=10 * one.oceans_o)),
             Says(said(f"air_{one.atmosphere}", gear=one.gear))] if one.atmosphere else []
    level = (Says(said("known_level", level=one.tech_level)),) if one.tech_level else ()
    here = one.square == chart.party
    ways = _trading(reader, chart, one.square) if here else (Lead("voyage", {"end": one.square}, said("sail")),)
    return (heading, *((Says(said("group_is_here")),) if here else ()), *lines, *level,
            *((Exits(ways),) if ways else ()), *market_seen(reader, f"{area_of(chart)}{one.square}"))


SECTOR_LEAF = Leaf("sector", make, (Asked("map", _named, usual=lambda reader: usual_map(_sectors(reader))),
                                    Asked("square", _squares, usual=_party)), frozenset({"sector", "chart"}),
                   ("EGW-090", "EGW-092", "EGW-094", "EGW-096"))


# On paper


def _whole(reader: Reader) -> dict[str, str | Telling]:
    return {held.id: one.name or said("title") for held, one in reader.of(Sector)}


ABREAST, ROWS = 3, 3
"""Cards beside each other on a page of the bestiary, and rows of them; its first page, with a title, has one less."""


def wild_pages(
    chart: Sector, worlds: Iterable[World], first: int, reader: Reader
) -> tuple[list[Block], dict[str, int]]:
    """The beasts of the worlds without a people, and those for which an inhabited world's own page has no room, page
    after page, each numbered; and on which page a world begins."""
    pages: list[Block] = [PageBreak(), Heading(Telling("leaves.atlas.bestiary", {"n": first}))]
    begins: dict[str, int] = {}
    page, room = first, ROWS - 1
    for found in worlds:
        beasts = beasts_of(found, chart.key(found.square), reader.rulings)[0 if found.people is None else ABREAST:]
        named = {"name": found.name, "code": found.code, "square": found.square}
        while beasts:
            turned = not room
            if turned:
                pages.append(PageBreak())
                page, room = page + 1, ROWS
            rows = min(room, -(-len(beasts) // ABREAST))
            pages += [Heading(said("world_folio", **named, n=page) if turned else said("world", **named), within=True),
                      cards(beasts[:rows * ABREAST], reader.rulings)]
            begins.setdefault(found.square, page)
            beasts, room = beasts[rows * ABREAST:], room - rows
    return (pages, begins) if begins else ([], begins)


def atlas(reader: Reader) -> Content:
    """A sector to print: the map, an index, a page for each inhabited world, the beasts, a blank map for pencils."""
    known = {held.id: one for held, one in reader.of(Sector)}
    at = reader.text("map", next(iter(known), ""))
    chart = reader.one_of("map", known, at)
    if chart is None:
        raise NoMap()
    month = month_of(reader.day)
    by_name = sorted(chart.worlds, key=lambda one: folded(one.name))
    by_code = sorted((one for one in chart.worlds if one.code), key=lambda one: (len(one.code), one.code))
    peopled = [one for one in by_name if one.people is not None]
    bestiary, wild = wild_pages(chart, by_name, 3 + len(peopled), reader)
    folios = {**wild, **{one.square: n for n, one in enumerate(peopled, start=3)}}  # after the map and the index
    pages: list[Block] = [
        Plate(sector_map(chart, reader.rulings), chart.name), PageBreak(), Heading(Telling("leaves.atlas.index")),
        Rows(("name", "code", "tech_level", "folio"), tuple(
            (one.name, f"{one.code} {one.square}".strip(), one.tech_level or None,
             folios.get(one.square)) for one in by_name)),
        Heading(Telling("leaves.atlas.by_code"), within=True),
        Rows(("code", "name", "square", "folio"), tuple(
            (one.code, one.name, one.square, folios.get(one.square)) for one in by_code))]
    for found in peopled:
        pages += [PageBreak(), Heading(said("world_folio", name=found.name, code=found.code, square=found.square,
                                            n=folios[found.square])),
                  *told(found, chart.key(found.square), month, reader),
                  *fauna_of(found, chart.key(found.square), reader, wild.get(found.square, 0))]
    pages += bestiary
    blank = replace(chart_map(Chart(chart.name), reader.rulings), unknown=())
    pages += [PageBreak(), Heading(Telling("leaves.atlas.blank")), Plate(blank, chart.name)]
    return Content(Telling("leaves.atlas.titled", {"name": chart.name}), tuple(pages), {"map": at})


ATLAS = Leaf("atlas", atlas, (Asked("map", _whole),), frozenset({"sector"}), ("EGW-092", "EGW-093"), gm=True,
             paper=True)
