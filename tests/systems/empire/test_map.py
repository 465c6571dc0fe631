"""Empire galactique: the map of a sector, what players are shown of it, and the file that other programs read."""

from dataclasses import replace

import pytest

from paravent.dice import ScriptedDice, play
from paravent.game import Path, Spot
from paravent.game.maps import Globe, bowed
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.worlds.errors import NoSuchSquare
from paravent.systems.empire.worlds.formats import SECTOR, WHOLE, sector_t5
from paravent.systems.empire.worlds.maps import chart_map, edge_near, revealed, sector_map
from paravent.systems.empire.worlds.peoples import People
from paravent.systems.empire.worlds.planet import World
from paravent.systems.empire.worlds.sector import Colour, Density, Sector, charted, sector
from paravent.systems.empire.worlds.t5 import HEADER, profile
from paravent.table.hotseat import Hotseat

RULINGS = SYSTEM.book.rulings()
SEATS = {"mj": "gm", "ana": "player", "bob": "player", "zoe": "spectator"}


@pytest.fixture(scope="module")
def ourmansk():
    return play(sector, "Ourmansk", Density.MEAN, "ourmansk", RULINGS, dice=ScriptedDice()).result


@pytest.mark.rules("EGW-090", "EGW-092", "EGW-094", "EGW-096")
def test_a_sector_is_drawn_with_its_codes_circles_and_routes(ourmansk):
    drawn = sector_map(ourmansk, RULINGS)
    spots = {(spot.column, spot.row): spot for spot in drawn.spots}
    assert len(spots) == 48
    names = {world.square: world.name for world in ourmansk.worlds}
    assert spots[1, 1][:7] == Spot(1, 1, "small", "A 5·6", names["0101"], "", ("animal_life", "normal_air"))[:7]
    assert spots[4, 3][:7] == (4, 3, "large", "H 4·2·6", names["0403"], "red", ("intelligent_life", "thin", "starport"))
    great, wild = spots[4, 3], spots[1, 1]
    assert (great.globe, great.arms, great.rank, great.hatched) == (Globe(0.4, 0.2, "dots"), 4, "capitals", True)
    assert [sign.kind for sign in great.badges] == ["level_6", "hostile", "lawful_arms"]
    assert ([sign.shape for sign in wild.badges], wild.rank) == (["paw"], "italic")
    assert (spots[7, 4].ring, spots[6, 2].shape, spots[6, 2].text, spots[2, 1].shape) == ("blue", "hollow", "", "point")
    assert drawn.paths[0]._replace(via=None) == Path((4, 3), (6, 9), "red", "red", dashed=False)
    assert [path.dashed for path in drawn.paths] == [False, True, True, True, True]
    assert [path.kind for path in drawn.kinds] == ["red", "blue"]
    assert drawn.unknown == ()


@pytest.mark.rules("EGW-096")
def test_a_route_without_a_great_port_leads_to_the_nearest_edge():
    lost = charted(Sector(worlds=(World(square="0904", life_die=5, people=People(tech_level=5)),)), RULINGS)
    (path,) = sector_map(lost, RULINGS).paths
    assert (path.start, path.end) == ((9, 4), (10.5, 4.0))
    bent = bowed(Path((1, 1), (5, 1), "red"), ((1, 1), (3, 1), (5, 1)))
    assert bent.via is not None
    assert bowed(Path((1, 1), (5, 1), "red"), ((1, 1), (5, 1))).via is None
    assert [edge_near(place) for place in ((2, 5), (5, 2), (5, 9))] == [(0.5, 5.0), (5.0, 0.5), (5.0, 10.5)]


@pytest.mark.rules("EGW-092", "EGW-093")
def test_players_see_the_squares_they_know_and_nothing_of_the_others(ourmansk):
    hotseat = Hotseat(SYSTEM, SEATS)
    hotseat.add("secteur", ourmansk, kind="sector")
    known = {"known_squares": ["0403", "0609", "0201"]}
    number = hotseat.start("mj", "share-map", {"sector": ["secteur"]}, {"gm": known})
    hotseat.throw("mj", number)
    hotseat.accept("mj", number)
    for seat in ("ana", "bob", "zoe"):
        (seen,) = hotseat.seen(seat)["records"].values()
        seen = seen["sheet"]
        assert [one["square"] for one in seen["known"]] == ["0201", "0403", "0609"]
        assert seen["routes"] == [{"start": "H", "end": "T", "colour": "red"}]
    (chart,) = (held.record for held in hotseat.records.values() if held.kind == "chart")  # it has a name of its own
    drawn = chart_map(chart, RULINGS)
    assert (len(drawn.spots), len(drawn.unknown), len(drawn.paths)) == (3, 97, 1)
    emptied = charted(replace(ourmansk, worlds=ourmansk.worlds[:9]), RULINGS)
    assert [route.colour for route in revealed(chart, emptied, ("0101",), RULINGS).routes] == []
    assert Colour.BLUE in [route.colour for route in revealed(chart, ourmansk, ("0704",), RULINGS).routes]


def test_a_square_that_is_none_is_not_shown(result):
    with pytest.raises(NoSuchSquare):
        result("share-map", gm={"known_squares": ["1199"]})
    assert len(result("share-map", gm={"whole_sector": True}).chart.known) == 100


def test_a_sector_is_written_for_programs_that_read_the_second_survey(ourmansk):
    profiles = {found.square: profile(found, RULINGS) for found in ourmansk.worlds}
    assert [profiles[square] for square in ("0101", "0403", "0805", "0710")] == [
        "X566000-0", "A432AD5-F", "C6637D7-C", "D464859-9"]
    assert profiles["0909"][5] == "6"  # miners, ruled from elsewhere
    lines = [line.split("\t") for line in sector_t5(ourmansk, RULINGS).splitlines()]
    rows = [dict(zip((*HEADER, WHOLE, SECTOR), line, strict=True)) for line in lines]
    assert lines[0] == [*HEADER, WHOLE, SECTOR]
    assert len(lines) == 29
    third = next(row for row in rows if row["Hex"] == "0403")
    assert (third["Zone"], third["Allegiance"], third["W"], third["EG_NT"]) == ("R", "Em", "6", "6")
    assert (third["EG_offer"], third["EG_demand"]) == ("9 7 8 14 9 12", "6 5 9 5 3 -1")
