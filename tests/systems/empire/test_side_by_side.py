"""Empire galactique: sectors side by side, drawn a quarter at a time or whole, joined by routes over the edge."""

import json
from dataclasses import replace

import pytest

from paravent.dice import ScriptedDice, play
from paravent.dice.play import ScriptedFaces
from paravent.game import to_plain
from paravent.game.leaves import Exits, Holding, Reader, Says, Start
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.people.character import Character
from paravent.systems.empire.travel.passages import net_around, net_of, passage_between
from paravent.systems.empire.worlds.formats import read_t5, sector_t5, sector_xml
from paravent.systems.empire.worlds.maps import sector_map
from paravent.systems.empire.worlds.moves import still_blank
from paravent.systems.empire.worlds.sector import (
    SIDES,
    Colour,
    Density,
    Quarter,
    beside_another,
    links,
    sector_beside,
    sector_of,
    seed_beside,
    seeded_sector,
    side_by_side,
    squares_of,
    with_quarter,
)
from paravent.table import commands as c
from paravent.table.hotseat import Hotseat
from seats import page

RULINGS = SYSTEM.book.rulings()
TREE = SYSTEM.book.rulings({"red_routes": "spanning_tree"})
SEATS = {"mj": "gm", "ana": "player", "bob": "player", "zoe": "spectator"}


def whole(seed="ourmansk", name="Ourmansk"):
    return sector_of(seed, name, Density.MEAN, RULINGS)


def beside(chart, side="west", name=""):
    return play(sector_beside, chart, side, name, RULINGS, dice=ScriptedDice(1, 2, 3, 4)).result


def ports(chart):
    return [found for found in chart.worlds if found.tech_level == 6]


def lonely():
    """A sector with colonies and no starport, and one beside it that has some."""
    found = (seeded_sector(f"bord{n}", RULINGS) for n in range(200))
    here = next(chart for chart in found if not ports(chart) and any(one.tech_level == 5 for one in chart.worlds))
    there = next(chart for chart in (seeded_sector(f"port{n}", RULINGS) for n in range(200)) if len(ports(chart)) > 1)
    return side_by_side((replace(here, galaxy="1"), replace(there, galaxy="1", x=1)), RULINGS)


# A quarter at a time


@pytest.mark.rules("EGW-020", "EGW-091")
def test_a_quarter_is_drawn_alone_and_the_rest_when_it_is_asked_for():
    full = whole()
    part = sector_of("ourmansk", "Ourmansk", Density.MEAN, RULINGS, (Quarter.NORTH_WEST,))
    wanted = set(squares_of((Quarter.NORTH_WEST,)))
    assert len(wanted) == 25
    content = [(one.square, one.size_t, one.oceans_o, one.tech_level) for one in part.worlds]
    assert content == [(one.square, one.size_t, one.oceans_o, one.tech_level) for one in full.worlds
                       if one.square in wanted]
    assert len(sector_map(part, RULINGS).unknown) == 75
    assert still_blank(part)[:3] == (Quarter.NORTH_EAST, Quarter.SOUTH_WEST, Quarter.SOUTH_EAST)
    grown = part
    for quarter in list(Quarter)[1:]:
        before = {one.square: (one.name, one.code) for one in grown.worlds}
        grown = with_quarter(grown, quarter, RULINGS)
        after = {one.square: (one.name, one.code) for one in grown.worlds}
        assert {square: after[square] for square in before} == before
    assert (grown.drawn, grown.lone_stars) == ((), full.lone_stars)
    assert [one.square for one in grown.worlds] == [one.square for one in full.worlds]
    assert set(still_blank(grown)) == set(SIDES)


def test_of_an_empty_square_only_what_can_come_to_something_is_offered():
    part = sector_of("ourmansk", "Ourmansk", Density.MEAN, RULINGS, (Quarter.NORTH_WEST,))
    taken = {*part.lone_stars, *(found.square for found in part.worlds)}
    void = next(square for square in squares_of((Quarter.NORTH_WEST,)) if square not in taken)

    def panel(square):
        held = (Holding("secteur", "sector", "", part),)
        blocks = SYSTEM.leaves["sector"].make(Reader(SYSTEM, RULINGS, held, {"square": square}, True)).blocks
        said = [block.says.key.rpartition(".")[2] for block in blocks if isinstance(block, Says)]
        edits = [way.form["gm"].get("edit", "") for block in blocks if isinstance(block, Exits) for way in block.ways
                 if isinstance(way, Start) and way.move == "edit-square"]
        return said, edits

    assert panel(void) == (["void"], ["reroll", "group_here", ""])  # nothing there has a name
    assert panel("1010") == (["undrawn"], [])


# Side by side


@pytest.mark.rules("EGW-098")
def test_a_sector_is_the_same_whichever_way_one_comes_to_it():
    here, east = beside(whole(), "east")
    assert (east.seed, east.x, east.y, east.galaxy) == ("ourmansk/1,0", 1, 0, here.galaxy)
    assert east.name
    assert seed_beside(east, 0, 1) == seed_beside(seeded_sector("ourmansk/0,1", RULINGS), 1, 0) == "ourmansk/1,1"
    assert seed_beside(east, -1, 0) == "ourmansk"
    assert east.worlds == seeded_sector("ourmansk/1,0", RULINGS).worlds


@pytest.mark.rules("EGW-096")
def test_starports_of_two_sectors_are_joined_over_the_edge_and_nothing_inside_moves():
    alone = whole()
    here, there = side_by_side(beside(alone), RULINGS)
    red = [link for link in links(here) if link.colour is Colour.RED]
    assert len(red) == len(ports(here)) * len(ports(there))
    assert (here.worlds, here.routes, here.codes) == (alone.worlds, alone.routes, alone.codes)
    assert {(link.start, link.square) for link in red} == {
        (here.world_at(back.square).code, there.world_of(back.start).square)
        for back in links(there) if back.colour is Colour.RED}
    one = beside_another(replace(here, beyond=()), there, TREE)
    assert sum(link.colour is Colour.RED for link in one.beyond) == min(1, len(red))
    assert [(margin.dx, margin.dy, margin.name) for margin in sector_map(here, RULINGS).margins] == [
        (-1, 0, there.name)]


@pytest.mark.rules("EGW-096")
@pytest.mark.option("edge_routes", "none")
def test_a_colony_without_a_starport_joins_the_nearest_beside():
    here, there = lonely()
    colonies = [one for one in here.worlds if one.tech_level == 5]
    blue = [link for link in links(here) if link.colour is Colour.BLUE]
    assert len(blue) == len(colonies)
    for link in blue:
        home = here.world_of(link.start)

        def far(square, home=home):
            return (int(square[:2]) + 10 - int(home.square[:2])) ** 2 + (int(square[2:]) - int(home.square[2:])) ** 2

        assert far(link.square) == min(far(one.square) for one in ports(there))
    arrived = [link for link in links(there) if link.arrives]
    assert len(arrived) == len(blue)
    paths = [path for path in sector_map(here, RULINGS).paths if path.to]
    assert {path.to for path in paths} == {link.name for link in blue}
    assert all(path.end[0] == 10.5 or path.end[1] in (0.5, 10.5) for path in paths)
    none = SYSTEM.book.rulings({"edge_routes": "none"})
    assert not [link for link in beside_another(replace(here, beyond=()), there, none).beyond
                if link.colour is Colour.BLUE]


@pytest.mark.rules("EGW-096", "EGW-195", "EGW-196")
def test_the_way_crosses_the_edge_and_is_paid_leg_by_leg():
    here, there = lonely()
    colony = next(one for one in here.worlds if one.tech_level == 5)
    net = net_around(here, (here, there), RULINGS)
    link = next(link for link in links(here) if link.start == colony.code)
    other = next(one for one in ports(there) if one.square != link.square)
    found = passage_between(net, colony.square, f"1,0/{other.square}", RULINGS)
    assert [leg.colour for leg in found.legs] == [Colour.BLUE, Colour.RED]
    assert (found.days, found.credits) == (14, 7 * 1000 + 7 * 300)
    assert net.called(other.name).square == f"1,0/{other.square}"
    assert passage_between(net_of(here), colony.square, f"1,0/{other.square}", RULINGS) is None


@pytest.mark.rules("EGW-196")
def test_the_planner_goes_over_the_edge_for_those_who_have_both_maps():
    here, there = side_by_side(beside(whole()), RULINGS)
    trader = Character(name="Nadir", charm=9, intelligence=9, credits=500_000)

    def plans(*charts):
        held = [Holding(f"s{n}", "sector", chart.name, chart, True) for n, chart in enumerate(charts)]
        reader = Reader(SYSTEM, RULINGS, (*held, Holding("nadir", "character", "Nadir", trader, True)), {}, True)
        return SYSTEM.leaves["trade"].make(reader).data["plans"]

    alone, both = plans(here), plans(here, there)
    assert {plan["from_square"][:4] for plan in alone} <= {one.square for one in here.worlds}
    assert [plan for plan in both if "-1,0/" in plan["to_square"] + plan["from_square"]]
    assert both[0]["weekly"] >= alone[0]["weekly"]


def test_other_programs_are_told_of_the_routes_over_the_edge():
    here, _ = side_by_side(beside(whole()), RULINGS)
    written = sector_xml(here, RULINGS)
    assert written.count('EndOffsetX="-1"') == len(links(here))
    assert "<X>0</X>" in written
    back = read_t5(sector_t5(here, RULINGS), RULINGS)
    assert (back.galaxy, back.beside, back.beyond) == (here.galaxy, here.beside, here.beyond)


def test_a_sector_without_neighbours_is_written_as_ever():
    alone = whole()
    assert "galaxy" not in sector_t5(alone, RULINGS)
    assert "Offset" not in sector_xml(alone, RULINGS)
    assert "<X>" not in sector_xml(alone, RULINGS)


# At the table


def table(*faces):
    hotseat = Hotseat(SYSTEM, SEATS, {}, ScriptedFaces(faces))
    hotseat.add("secteur", whole(), kind="sector")
    hotseat.add("nadir", Character(name="Nadir", credits=90_000), owner="ana")
    return hotseat


def played(hotseat, move, cast, form, who="mj"):
    number = hotseat.start(who, move, cast, form)
    hotseat.throw("mj", number)
    hotseat.accept("mj", number)


def sectors(hotseat):
    return [held.record for held in hotseat.records.values() if held.kind == "sector"]


def named(hotseat, kind, name=""):
    return next(at for at, held in hotseat.records.items() if held.kind == kind and name in ("", held.record.name))


@pytest.mark.rules("EGW-096")
def test_the_sector_beside_is_drawn_at_the_table_and_both_know_of_it():
    hotseat = table(1, 2, 3, 4, *(3,) * 60)
    before = [page(hotseat, seat) for seat in ("ana", "bob", "zoe")]
    played(hotseat, "draw-more", {"sector": ["secteur"]}, {"gm": {"drawn_where": "west", "name": "Ponant"}})
    here, there = sectors(hotseat)
    assert (here.beside[0].name, there.beside[0].name) == ("Ponant", "Ourmansk")
    assert here.beyond
    assert [page(hotseat, seat) for seat in ("ana", "bob", "zoe")] == before
    square = there.worlds[0].square
    played(hotseat, "edit-square", {"sector": [named(hotseat, "sector", "Ponant")]},
           {"gm": {"square": square, "edit": "set_level", "value": 6}})
    here, there = sectors(hotseat)
    assert square in [link.square for link in links(here)]


@pytest.mark.rules("EGW-098", "EGW-195", "EGW-196")
@pytest.mark.parametrize(("who", "role"), [("mj", "sector"), ("ana", "chart")])
def test_a_voyage_moves_the_group_on_every_map_and_pays_what_the_map_says(who, role):
    hotseat = table(1)
    known = [found.square for found in ports(whole())]
    played(hotseat, "share-map", {"sector": ["secteur"]}, {"gm": {"known_squares": known}})
    chart = named(hotseat, "chart")
    start, end = ports(sectors(hotseat)[0])[:2]
    hotseat.do(c.EditRecord(seat="mj", record="secteur", path="party", value=start.square))
    number = hotseat.start(who, "travel-interstellar", {"initiator": ["nadir"], role: [chart if role == "chart" else
                                                                                      "secteur"]},
                           {"nadir": {"destination": end.name, "passage": "freighter"}})
    hotseat.throw("mj", number)
    hotseat.accept("mj", number)
    assert sectors(hotseat)[0].party == end.square
    assert hotseat.records[chart].record.party == end.square
    assert end.square in [one.square for one in hotseat.records[chart].record.known]
    assert hotseat.records["nadir"].record.credits == 90_000 - 7 * 300


@pytest.mark.rules("EGW-096")
def test_players_with_maps_of_both_may_sail_over_the_edge_and_learn_nothing_else():
    hotseat = table(1, 2, 3, 4, 1)
    played(hotseat, "draw-more", {"sector": ["secteur"]}, {"gm": {"drawn_where": "west", "name": "Ponant"}})
    there = sectors(hotseat)[1]
    one, other = ports(sectors(hotseat)[0])[0], ports(there)[0]
    played(hotseat, "share-map", {"sector": ["secteur"]}, {"gm": {"known_squares": [one.square]}})
    seen = page(hotseat, "ana")
    played(hotseat, "edit-square", {"sector": [named(hotseat, "sector", "Ponant")]},
           {"gm": {"square": other.square, "edit": "set_name", "text": "Autrepart"}})
    assert page(hotseat, "ana") == seen
    played(hotseat, "share-map", {"sector": [named(hotseat, "sector", "Ponant")]},
           {"gm": {"name": "Carte", "known_squares": [other.square]}})
    charts = [name for name, held in hotseat.records.items() if held.kind == "chart"]
    known = [hotseat.records[name].record for name in charts]
    way = passage_between(net_around(known[0], known, RULINGS), one.square, f"-1,0/{other.square}", RULINGS)
    assert [leg.colour for leg in way.legs] == [Colour.RED]
    assert "ourmansk/-1,0" not in json.dumps([to_plain(chart) for chart in known])


@pytest.mark.rules("EGW-092", "EGW-098", "EGW-195")
def test_whoever_sails_where_they_have_no_map_of_the_sector_comes_by_one_of_the_square_they_see():
    hotseat = table(1, 2, 3, 4, 1, 1, 1)
    played(hotseat, "draw-more", {"sector": ["secteur"]}, {"gm": {"drawn_where": "west", "name": "Ponant"}})
    here, there = sectors(hotseat)
    west = next(at for at, held in hotseat.records.items() if held.record == there)
    start, end = ports(here)[0], ports(there)[0]
    other = next(one for one in there.worlds if one.code and one is not end)
    hotseat.do(c.EditRecord(seat="mj", record=west, path="name", value="Ourmansk"))  # as the seed is called
    hotseat.do(c.EditRecord(seat="mj", record="secteur", path="party", value=start.square))

    def charts():
        return [held for held in hotseat.records.values() if held.kind == "chart"]

    def sail(leaves, reaches):
        number = hotseat.start("mj", "travel-interstellar", {"initiator": ["nadir"], "sector": ["secteur", west]},
                               {"nadir": {"passage": "barge"}, "gm": {"leaves": leaves, "reaches": reaches}})
        hotseat.throw("mj", number)
        hotseat.accept("mj", number)

    assert not charts()  # players without any map are given none behind the game master's back
    played(hotseat, "share-map", {"sector": ["secteur"]}, {"gm": {"known_squares": [start.square]}})
    sail(start.square, f"-1,0/{end.square}")
    home, new = charts()
    assert (new.record.party, home.record.party) == (end.square, "")
    assert [one.square for one in new.record.known] == [end.square]
    assert (new.record.sector, new.record.x, new.record.galaxy) == (west, -1, home.record.galaxy)
    assert (new.owner, new.audience) == (home.owner, home.audience)
    assert "urmansk" not in new.record.name
    seen = page(hotseat, "ana")
    assert end.name in seen
    assert "ourmansk" not in seen
    assert not [one.name for one in there.worlds if one is not end and one.name in json.dumps(to_plain(new.record))]
    sail(f"-1,0/{end.square}", f"-1,0/{other.square}")
    assert len(charts()) == 2
    assert {one.square for one in charts()[1].record.known} == {end.square, other.square}
    before = len(hotseat.records)
    sail(f"-1,0/{other.square}", start.square)
    assert len(hotseat.records) == before


def test_a_map_that_a_voyage_brings_goes_with_the_voyage_that_is_taken_back():
    hotseat = table(1, 2, 3, 4, 1)
    played(hotseat, "draw-more", {"sector": ["secteur"]}, {"gm": {"drawn_where": "west", "name": "Ponant"}})
    here, there = sectors(hotseat)
    start, end = ports(here)[0], ports(there)[0]
    hotseat.do(c.EditRecord(seat="mj", record="secteur", path="party", value=start.square))
    played(hotseat, "share-map", {"sector": ["secteur"]}, {"gm": {"known_squares": [start.square]}})
    hotseat.do(c.EditRecord(seat="mj", record="Ponant", path="name", value="Couchant"))
    before = set(hotseat.records)
    number = hotseat.start("mj", "travel-interstellar", {"initiator": ["nadir"], "sector": ["secteur", "Ponant"]},
                           {"nadir": {"passage": "freighter"},
                            "gm": {"leaves": start.square, "reaches": f"-1,0/{end.square}"}})
    hotseat.throw("mj", number)
    assert set(hotseat.records) == before  # nobody is there before the game master lets it
    hotseat.accept("mj", number)
    assert len(set(hotseat.records) - before) == 1
    told = json.loads(page(hotseat, "ana"))["log"][-1]
    assert (told["type"], told["name"]) == ("record-added", "Couchant")
    hotseat.do(c.UndoLast(seat="mj"))
    assert set(hotseat.records) == before
    assert sectors(hotseat)[0].party == start.square
    assert hotseat.records["nadir"].record.credits == 90_000
