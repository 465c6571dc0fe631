"""A game's pages as files of their own: the atlas to print, the map for a wall; nothing in them asks for a network."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from paravent.cli import main
from paravent.dice import ScriptedDice, play
from paravent.game import find_system
from paravent.game.telling import Teller
from paravent.game.words import folded
from paravent.systems.empire.worlds.living import beasts_of
from paravent.systems.empire.worlds.maps import sector_map
from paravent.systems.empire.worlds.sector import sector_beside, seeded_sector, side_by_side
from paravent.web.maps import draw_map

RULINGS = find_system("empire").book.rulings()
MADE = seeded_sector("ourmansk", RULINGS)
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def sector(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    assert main(["create", "empire", "--kind", "sector", "--seed", "ourmansk", "--json"]) == 0
    file = tmp_path / "sector.json"
    file.write_text(capsys.readouterr().out, "utf-8")
    return file


@pytest.mark.parametrize(("lang", "index"), [("fr", "Index"), ("en", "Index")])
def test_the_atlas_is_one_file_with_an_index_and_a_page_for_each_inhabited_world(
    sector: Path, lang: str, index: str
) -> None:
    file = sector.with_name("atlas.html")
    assert main(["empire", "atlas", str(sector), "--into", str(file), "--lang", lang]) == 0
    written = file.read_text("utf-8")
    assert f'<html lang="{lang}">' in written
    assert re.findall(r"(?:src|href)=|https?://(?!www\.w3\.org)", written) == []
    assert f"<h2>{index}" in written
    pages = written.split("<hr>")
    inhabited = sorted((world for world in MADE.worlds if world.people is not None), key=lambda one: folded(one.name))
    wild = [world for world in MADE.worlds if world.people is None
            and beasts_of(world, MADE.key(world.square), RULINGS)]
    beasts = pages[2 + len(inhabited):-1]  # after the map, the index and the worlds; before a blank map
    for n, page in enumerate(beasts, start=3 + len(inhabited)):
        assert re.search(rf"<h[23]>[^<]*\b{n}</h[23]>", page)  # each has its number
        assert page.count("<article") <= 9  # three rows of three: none runs over
    for world in wild:  # and the index leads to where its beasts begin
        found = re.search(rf"<tr><td>{world.name}</td>.*?<td class=\"number\">(\d+)</td></tr>", pages[1])
        assert found
        assert int(found[1]) == 1 + next(at for at, page in enumerate(pages) if f"<h3>{world.name} ·" in page)
    for n, (world, page) in enumerate(zip(inhabited, pages[2:], strict=False), start=3):
        assert f"<h2>{world.name}" in page
        found = re.search(rf"<tr><td>{world.name}</td>.*?<td class=\"number\">(\d+)</td></tr>", pages[1])
        assert found
        assert int(found[1]) == n  # the index leads to it
        assert re.search(rf"<h2>[^<]*\b{n}</h2>", page)
        assert page.count("<article") == 3  # the beasts beside a people


def test_every_beast_has_a_card_that_no_page_cuts(sector: Path) -> None:
    file = sector.with_name("atlas.html")
    assert main(["empire", "atlas", str(sector), "--into", str(file)]) == 0
    written = file.read_text("utf-8")
    pages = written.split("<hr>")
    beasts, blank = "".join(pages[2 + sum(world.people is not None for world in MADE.worlds):-1]), pages[-1]
    wild = [beast for world in MADE.worlds if world.people is None
            for beast in beasts_of(world, MADE.key(world.square), RULINGS)]
    assert sorted(re.findall(r"<h4>(.*?)</h4>", beasts)) == sorted(beast.name for beast in wild)
    assert "<article" not in blank
    assert re.search(r"\.vignette ?{[^}]*break-inside: ?avoid", written)
    card = re.search(rf"<h4>{wild[0].name}</h4>.*?</article>", beasts, re.DOTALL)
    assert card
    for figure in (wild[0].strength, wild[0].endurance, wild[0].natural_weapon, wild[0].natural_armour):
        assert f"<dd>{figure}</dd>" in card[0]
    assert card[0].count("<tr>") == 1 + 5  # a heading, and the dice of a blow
    assert "1000\u00a0¢" in card[0]


def test_the_poster_is_a_drawing_with_every_name_and_its_legend(sector: Path) -> None:
    file = sector.with_name("poster.svg")
    assert main(["empire", "sector", str(sector), "--into", str(file)]) == 0
    drawn = ElementTree.fromstring(file.read_text("utf-8"))
    words = "".join(drawn.itertext())
    assert (drawn.get("width"), drawn.get("height")) == ("420mm", "297mm")
    assert all(words.count(world.name) > 1 or world.name.upper() in words for world in MADE.worlds)
    assert "grande route" in words
    assert "@page { size: 420mm 297mm" in words  # a browser prints it on a sheet of its size
    assert "href" not in file.read_text("utf-8").replace("xlink", "")


def test_a_paper_of_another_kind_is_refused_in_words(sector: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["empire", "trade", str(sector), "--into", str(sector.with_name("trade.svg"))]) == 2
    assert main(["empire", "atlas", str(sector), "--into", str(sector.with_name("atlas.doc"))]) == 2
    assert ".doc" in capsys.readouterr().err
    assert not sector.with_name("atlas.doc").exists()


def test_a_page_goes_by_the_word_that_leads_to_it_in_either_language(
    sector: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = []
    for name in ("voyage", "travel", "Voyager"):
        assert main(["empire", name, str(sector)]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1] == told[2]
    assert main(["empire", "nowhere", str(sector)]) == 2
    assert "voyage" in capsys.readouterr().err


def test_on_paper_squares_are_numbered_and_names_are_cut_out_of_routes(sector: Path) -> None:
    file = sector.with_name("atlas.html")
    assert main(["empire", "atlas", str(sector), "--into", str(file)]) == 0
    drawn = file.read_text("utf-8")
    assert drawn.count(">0101</text>") == 2  # on the map, and on the blank one
    assert 'stroke="#ffffff"' in drawn


def test_where_routes_lead_over_the_edge_is_told_once_and_over_them() -> None:
    """Two routes to one starport met where its name stood, twice, under them."""
    both = play(sector_beside, MADE, "north", "", RULINGS, dice=ScriptedDice(1, 2, 3, 4)).result
    here, _ = side_by_side(both, RULINGS)
    found = sector_map(here, RULINGS)
    assert [path.to for path in found.paths if path.to] == ["Aëlaris"] * 2
    told = str(draw_map(found, Teller("fr", find_system("empire")), "Marges").drawn)
    assert told.count("→ Aëlaris") == 1
    assert told.index("→ Aëlaris") > told.rindex('stroke-dasharray="9 6"')
