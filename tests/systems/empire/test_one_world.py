"""Empire galactique: one world is one thing, whatever sheet, square, market or map tells of it."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from hashlib import sha256
from itertools import count, islice

import pytest

from paravent.dice import ScriptedDice, play
from paravent.game import from_plain, to_plain
from paravent.game.upgrades import Written, upgraded
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.beasts.animals import companion_fauna, fauna
from paravent.systems.empire.trade.goods import Lists
from paravent.systems.empire.trade.kinds import Market
from paravent.systems.empire.trade.trade import market_lists
from paravent.systems.empire.worlds.living import beasts_of, market_of, month_of
from paravent.systems.empire.worlds.naming import beginning, family_of, sounds, words
from paravent.systems.empire.worlds.planet import Life
from paravent.systems.empire.worlds.sector import Density, Sector, charted, sector
from paravent.table import commands as c
from paravent.table.hotseat import Hotseat
from seats import page

RULINGS = SYSTEM.book.rulings()
SEATS = {"mj": "gm", "ana": "player", "bob": "player", "zoe": "spectator"}


def made(seed="ourmansk", name="Ourmansk"):
    return play(sector, name, Density.MEAN, seed, RULINGS, dice=ScriptedDice()).result


def played(hotseat, move, cast, form):
    number = hotseat.start("mj", move, cast, {"gm": form})
    hotseat.throw("mj", number)
    hotseat.accept("mj", number)


@pytest.fixture
def table():
    """A sector of which players know two squares, with a sheet for one and a market on it."""
    hotseat = Hotseat(SYSTEM, SEATS)
    hotseat.add("secteur", made(), kind="sector")
    played(hotseat, "open-world", {"sector": ["secteur"]}, {"square": "0403"})
    (sheet,) = [name for name, held in hotseat.records.items() if held.kind == "world"]
    played(hotseat, "share-map", {"sector": ["secteur"]}, {"name": "Carte", "known_squares": ["0403", "0101"]})
    played(hotseat, "generate-market", {"world": [sheet]}, {})
    return hotseat


def of_kind(hotseat, kind):
    return next(held.record for held in hotseat.records.values() if held.kind == kind)


def sheet_of(hotseat):
    return next(name for name, held in hotseat.records.items() if held.kind == "world")


@pytest.mark.rules("EGW-093")
def test_a_name_given_on_the_sheet_is_on_the_map_the_market_and_the_players_chart(table):
    table.do(c.EditRecord(seat="mj", record=sheet_of(table), path="name", value="Ixe"))
    assert of_kind(table, "sector").world_at("0403").name == "Ixe"
    assert of_kind(table, "sector").world_at("0403").edited
    assert of_kind(table, "world").edited
    assert (of_kind(table, "market").name, of_kind(table, "market").world) == ("Ixe", "Ixe")
    assert "Ixe" in [one.name for one in of_kind(table, "chart").known]
    assert '"Ixe"' in json.dumps(table.seen("ana"), ensure_ascii=False)


@pytest.mark.rules("EGW-093")
def test_an_edit_of_the_square_is_on_the_sheet_and_undoing_it_brings_all_back(table):
    before = {name: held.record for name, held in table.records.items()}
    played(table, "edit-square", {"sector": ["secteur"]}, {"square": "0403", "edit": "set_nature", "value": 2})
    assert of_kind(table, "world").people.nature == of_kind(table, "market").nature == "friendly"
    number = max(table.state.moves)
    table.do(c.Undo(seat="mj", number=table.state.counts_of("mj").moves[number]))
    assert {name: held.record for name, held in table.records.items()} == before


def test_the_log_says_an_edit_in_one_line(table):
    def edits(square):
        before = len(table.seen("mj")["log"])
        played(table, "edit-square", {"sector": ["secteur"]}, {"square": square, "edit": "set_name", "text": "Bis"})
        return [line["type"] for line in table.seen("mj")["log"][before:]]

    assert edits("0403") == edits("0609")  # however many sheets tell of it
    was = table.records["secteur"].record.world_at("0609").name
    played(table, "edit-square", {"sector": ["secteur"]}, {"square": "0609", "edit": "set_name", "text": "Ter"})
    assert table.told("mj")[-1].values == {"name": "Ter", "square": "0609", "before": was}
    last = table.state.moves[max(table.state.moves)]
    assert {change.weight for change in last.changes} == {"bookkeeping"}  # and no sheet after it


def test_players_are_not_told_of_an_edit_beyond_their_map(table):
    before = [page(table, seat) for seat in ("ana", "bob", "zoe")]
    played(table, "edit-square", {"sector": ["secteur"]}, {"square": "0609", "edit": "set_name", "text": "Loin"})
    assert [page(table, seat) for seat in ("ana", "bob", "zoe")] == before


def test_where_the_group_is_joins_the_players_map(table):
    table.do(c.EditRecord(seat="mj", record="secteur", path="party", value="0102"))
    chart = of_kind(table, "chart")
    assert chart.party == "0102"
    assert "0102" in [one.square for one in chart.known]


@pytest.mark.rules("EGW-091")
def test_codes_are_given_once(table):
    chart = of_kind(table, "sector")
    codes = {world.square: world.code for world in chart.worlds}
    played(table, "edit-square", {"sector": ["secteur"]}, {"square": "0102", "edit": "clear"})
    played(table, "edit-square", {"sector": ["secteur"]}, {"square": "0201", "edit": "clear"})
    after = {world.square: world.code for world in of_kind(table, "sector").worlds}
    assert after == {square: code for square, code in codes.items() if square != "0102"}
    later = of_kind(table, "sector")
    new = replace(chart.world_at("0102"), code="", square="0302")
    grown = charted(replace(later, worlds=(*later.worlds, new)), RULINGS)
    assert grown.world_at("0302").code == "Z"  # D, which is no longer drawn, is never given again
    back = charted(replace(later, worlds=(*later.worlds, replace(chart.world_at("0102"), code=""))), RULINGS)
    assert back.world_at("0102").code == codes["0102"]


# Names


@pytest.mark.rules("EGW-022")
def test_every_world_is_born_with_a_name_of_its_own_that_can_be_said():
    vowels = set(sounds().vowels)
    for seed in ("ourmansk", "nacre", "loin", "bord"):
        worlds = made(seed).worlds
        names = [world.name for world in worlds]
        assert len({beginning(name) for name in names}) == len(names)
        for name in names:
            assert 3 <= len(name) <= 16
            assert vowels & set(name.lower())
            assert not any(bad in name.lower() for bad in sounds().shunned)
        for world in worlds:
            assert (world.people is None) or world.people.human or world.people.name
            assert (world.tech_level < 4) == (world.port_name == "")


@pytest.mark.parametrize("word", ["Foutard", "Clabatard", "Quinique"])
def test_what_sounds_might_make_and_nobody_says_at_a_table_is_shunned(word):
    assert any(bad in word.lower() for bad in sounds().shunned)


def test_names_sound_like_whoever_gave_them():
    families = {family_of(world) for seed in ("a", "b", "c", "d", "e", "f") for world in made(seed).worlds}
    assert len(families) >= 6
    assert all(len(list(words("clef", family))) == 40 for family in sounds().families)


@pytest.mark.rules("EGW-022")
def test_a_name_may_be_drawn_again_and_one_given_by_hand_stays(table):
    def name():
        return of_kind(table, "sector").world_at("0101").name

    first = name()
    played(table, "edit-square", {"sector": ["secteur"]}, {"square": "0101", "edit": "new_name"})
    second = name()
    played(table, "edit-square", {"sector": ["secteur"]}, {"square": "0101", "edit": "new_name"})
    assert len({first, second, name()}) == 3
    played(table, "edit-square", {"sector": ["secteur"]}, {"square": "0101", "edit": "set_name", "text": "Clair"})
    played(table, "edit-square", {"sector": ["secteur"]}, {"square": "0101", "edit": "set_size", "value": 3})
    assert name() == "Clair"


TOLD = """
import json
from paravent.dice import ScriptedDice, play
from paravent.game import to_plain
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.worlds.living import beasts_of, market_of
from paravent.systems.empire.worlds.sector import Density, sector

RULINGS = SYSTEM.book.rulings()
chart = play(sector, "Ourmansk", Density.MEAN, "ourmansk", RULINGS, dice=ScriptedDice()).result
lives = {one.square: to_plain(beasts_of(one, chart.key(one.square), RULINGS)) for one in chart.worlds}
sold = [(one.square, month, market_of(one, chart.key(one.square), month, RULINGS))
        for one in chart.worlds for month in (0, 1, 12)]
told = json.dumps([to_plain(chart), lives, sold])
"""
"""A sector with all that lives and is traded there."""


def test_the_same_seed_gives_the_same_sector_beasts_and_markets_in_every_process():
    here: dict[str, str] = {}
    exec(TOLD, here)
    for hashed in ("0", "1", "4711"):
        there = subprocess.run([sys.executable, "-c", f"{TOLD}\nprint(told)"], capture_output=True, text=True,
                               check=True, env={**os.environ, "PYTHONHASHSEED": hashed}).stdout
        assert there == here["told"] + "\n"


EDITS = [
    {"edit": "reroll"}, {"edit": "clear"}, {"edit": "reroll_life"}, {"edit": "reroll_people"},
    {"edit": "set_size", "value": 3}, {"edit": "set_oceans", "value": 1}, {"edit": "set_level", "value": 2},
    {"edit": "set_culture", "value": 5}, {"edit": "set_nature", "value": 5}, {"edit": "set_politics", "value": 5},
    {"edit": "set_name", "text": "Ixe"}, {"edit": "new_name"}, {"edit": "group_here"},
]


def told_of(chart, but):
    """Every square but one: what is there, its code and name, what lives and what is traded there."""
    return {one.square: (one, beasts_of(one, chart.key(one.square), RULINGS), [
        market_of(one, chart.key(one.square), month, RULINGS) for month in (0, 3)])
        for one in chart.worlds if one.square != but}, [star for star in chart.lone_stars if star != but]


@pytest.mark.rules("EGW-091", "EGW-093")
@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit["edit"])
def test_one_edited_square_moves_no_other_in_content_code_or_name(table, edit):
    before = of_kind(table, "sector")
    played(table, "edit-square", {"sector": ["secteur"]}, {"square": "0403", **edit})
    after = of_kind(table, "sector")
    assert after != before
    assert told_of(after, "0403") == told_of(before, "0403")
    assert dict(after.codes).items() >= dict(before.codes).items()


def test_every_edit_of_a_square_is_among_those_tried():
    assert {edit["edit"] for edit in EDITS} == set(SYSTEM.move("edit-square").field("edit").type.options)


# Seeds


@pytest.mark.rules("EGW-047", "EGW-101")
def test_beasts_and_markets_are_the_same_at_two_looks(table):
    world = of_kind(table, "world")
    assert beasts_of(world, world.seed, RULINGS) == beasts_of(world, world.seed, RULINGS)
    market = of_kind(table, "market")
    assert (market.offered, market.demanded) == market_of(world, world.seed, 0, RULINGS)
    assert market.offered[:6] == world.people.offered
    played(table, "generate-market", {"market": [next(n for n, h in table.records.items() if h.kind == "market")],
                                      "world": [sheet_of(table)]}, {})
    assert (of_kind(table, "market").offered, 1) == (market_of(world, world.seed, 1, RULINGS).offered,
                                                     of_kind(table, "market").month)
    played(table, "generate-fauna", {"world": [sheet_of(table)]}, {})
    assert of_kind(table, "world").fauna == beasts_of(world, world.seed, RULINGS)
    assert of_kind(table, "sector").world_at("0403").fauna == of_kind(table, "world").fauna
    assert len({beast.name for beast in of_kind(table, "world").fauna}) == 3


def digest_faces(key, n=400):
    """The faces of a key, worked out here from the digest that binds them."""
    each = (byte for at in count() for byte in sha256(f"{key}#{at}".encode()).digest())
    return ScriptedDice(*islice((byte % 6 + 1 for byte in each if byte < 252), n))


@pytest.mark.rules("EGW-047", "EGW-101")
def test_beasts_and_markets_fall_by_the_keys_of_their_square_and_month():
    chart, months = made(), (0, 1, 7)
    for world in chart.worlds:
        key = chart.key(world.square)
        assert key == f"ourmansk/{world.square}"
        dice, folk = digest_faces(f"{key}/fauna"), world.people
        born = () if world.life is Life.NONE else (
            dice.resolve(companion_fauna, world.oceans_o, folk.tech_level, RULINGS) if folk is not None else
            dice.resolve(fauna, world.oceans_o, RULINGS))
        assert [replace(beast, name="") for beast in beasts_of(world, key, RULINGS)] == [
            replace(beast, name="") for beast in born]
        for month in months if folk is not None else ():
            first = None if month else Lists(folk.offered, folk.demanded)
            assert market_of(world, key, month, RULINGS) == digest_faces(f"{key}/market/{month}").resolve(
                market_lists, folk.tech_level, first, RULINGS)


@pytest.mark.rules("EGW-101")
def test_a_month_of_the_market_is_thirty_days():
    assert [month_of(day) for day in (0, 1, 29, 30, 59, 60)] == [0, 0, 0, 1, 1, 2]


@pytest.mark.rules("EGW-098")
def test_a_sector_without_a_seed_gets_one_from_the_dice():
    chart = play(sector, "Hasard", Density.MEAN, "", RULINGS, dice=ScriptedDice(*[1, 2, 3, 4, 5, 6] * 2)).result
    assert chart.seed == "123456123456"
    assert replace(chart, name="x") == replace(made("123456123456"), name="x")


# Tables of earlier versions


def old(values, kind):
    return Written(kind, 1, values, {})


def without(record, *names):
    return {name: value for name, value in to_plain(record).items() if name not in names}


def earlier_sector(**edits):
    chart = replace(made(), worlds=tuple(replace(world, name="") for world in made().worlds))
    plain = without(chart, "codes", "party")
    plain["worlds"] = [{**{k: v for k, v in one.items() if k not in ("port_name", "sector", "seed")},
                        **(edits if one["square"] == "0403" else {})} for one in plain["worlds"]]
    return plain


def sheet(**edits):
    mine = next(one for one in earlier_sector()["worlds"] if one["square"] == "0403")
    return {**mine, "name": "H 0403", **edits}


def brought(chart, world):
    records = {"s": old(chart, "sector"), "w": old(world, "world"),
               "c": old({"name": "Ourmansk", "known": [{"square": "0403", "code": "H"}]}, "chart"),
               "m": old({"name": "H 0403", "world": "H 0403", "tech_level": 6}, "market")}
    now = upgraded(SYSTEM, records)
    assert set(now) == set(records)
    kinds = {"s": "sector", "w": "world", "c": "chart", "m": "market"}
    return {name: SYSTEM.kinds[kinds[name]].from_plain(one.values) for name, one in now.items()}


def test_an_earlier_table_is_brought_over_with_its_codes_and_gets_names():
    now = brought(earlier_sector(), sheet())
    assert [(one.square, one.code) for one in now["s"].worlds] == [(one.square, one.code) for one in made().worlds]
    assert all(one.name for one in now["s"].worlds)
    assert (now["w"].sector, now["c"].sector, now["w"].name) == ("s", "s", now["s"].world_at("0403").name)
    assert now["w"].remarks == now["s"].world_at("0403").remarks == ""


def test_of_two_differing_copies_the_one_last_edited_by_hand_stays_and_the_other_is_noted():
    now = brought(earlier_sector(), sheet(size_t=9, name="Ixe"))
    assert (now["s"].world_at("0403").size_t, now["w"].size_t, now["w"].name) == (9, 9, "Ixe")
    assert "size_t: 4" in now["w"].remarks
    now = brought(earlier_sector(edited=True, size_t=7), sheet())
    assert (now["s"].world_at("0403").size_t, now["w"].size_t) == (7, 7)
    assert "size_t: 4" in now["s"].world_at("0403").remarks
    now = brought(earlier_sector(edited=True, size_t=7), sheet(edited=True, size_t=8))
    assert (now["w"].size_t, "size_t: 7" in now["w"].remarks) == (8, True)


def test_a_sector_that_nobody_can_read_does_not_keep_the_others_back():
    records = {"s": old({"name": "X", "worlds": [{"square": 3}]}, "sector"), "w": old(sheet(), "world")}
    assert "w" in upgraded(SYSTEM, records)


def test_a_market_is_its_worlds(table):
    assert isinstance(of_kind(table, "market"), Market)
    assert of_kind(table, "market").square == "0403"
    assert from_plain(Sector, to_plain(of_kind(table, "sector"))) == of_kind(table, "sector")
