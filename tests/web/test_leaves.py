"""A game's own pages: drawn for a seat from what it may see, and nothing else."""

import html
import json
import re
from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from paravent.dice import ScriptedDice, play
from paravent.game import to_plain
from paravent.store import open_log
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.trade.kinds import Cargo, Seen
from paravent.systems.empire.trade.trade import Lot
from paravent.systems.empire.worlds.sector import Density, sector, squares
from paravent.web.app import create_app

from .test_api import Program
from .test_maps import named

MADE = play(sector, "Marges", Density.MEAN, "ourmansk", SYSTEM.book.rulings(), dice=ScriptedDice()).result


@pytest.fixture
def ana():
    with TestClient(create_app(open_log("memory:"))) as client:
        opened = client.post("/api/tables", json={"system": "empire", "name": "Soirée", "game_master": "Ana"})
        yield Program(client, opened.json()["token"])


def page(who: Program, leaf: str, **chosen: str):
    entered = who.client.get(f"/enter/{who.token}")
    base = re.match(r"/t/\w+/\w+", entered.url.path)[0]
    return who.client.get(f"{base}/leaf/{leaf}" if leaf else f"{base}/", params=chosen)


def shared(ana: Program, made=MADE, *known: str) -> str:
    ana.does("add-record", kind="sector", sheet=to_plain(made))
    whole = named(ana, "Marges", "sector")
    number = ana.does("start-move", move="share-map", cast={"sector": [whole]},
                      form={"gm": {"name": "Carte", "known_squares": list(known)}})["number"]
    ana.does("throw", number=number)
    return whole


def test_the_map_is_a_link_away_and_every_square_a_link_on_it(ana):
    shared(ana, MADE, "0403")
    assert "/leaf/sector" in page(ana, "").text
    drawn = page(ana, "sector").text
    linked = re.findall(r'<a href="([^"]*)"[^>]* data-square="(\d{4})"', drawn)
    assert {square for _, square in linked} == set(squares())
    assert all(href.endswith(f"square={square}#square") for href, square in linked)
    told = page(ana, "sector", square="0403").text
    world = MADE.world_at("0403")
    assert world.name in told
    assert world.port_name in told
    assert "monde impérial" in told
    assert 'id="square"' in told
    steps = re.findall(r'href="[^"]*square=(\d{4})">([←↑↓→])', told)
    assert [sign for _, sign in steps] == ["←", "↑", "↓", "→"]  # to the next world, in each direction
    legend = told[told.index("Légende"):told.index("</ul>", told.index("Légende"))]
    for words in ("sa taille", "les mers", "étoile isolée", "astroport", "spatiodrome", "grande route", "petite route",
                  "NT 6", "air toxique", "vie animale", "code, taille"):
        assert words in legend, words
    assert "Du vide" in page(ana, "sector", square="0304").text


def test_what_a_planner_supposes_is_said_and_what_is_rare_is_folded(ana):
    shared(ana, MADE, "0403")
    told = page(ana, "trade").text
    first, folded = told[:told.index("<details")], told[told.index("<details"):]
    assert 'name="purse"' in first
    for rare in ("charm", "haggling", "grade", "room"):
        assert f'name="{rare}"' in folded
        assert f'name="{rare}"' not in first
    assert re.search(r'name="charm" value="" placeholder="\d+"', told)
    assert 'data-head="' in told


def test_every_leaf_is_a_page_and_the_planner_is_given_to_programs(ana):
    whole = shared(ana, MADE, "0403")
    for leaf in SYSTEM.leaves:
        for lang in ("fr", "en"):
            answer = page(ana, leaf, map=whole, lang=lang)
            assert answer.status_code == 200, leaf
            assert "leaves." not in re.sub(r"looks[^\"]*|(href|src)=\"[^\"]*\"", "", answer.text)
    plans = page(ana, "trade", map=whole, purse="500000", json="1").json()
    assert plans["plans"][0]["weekly"] > 0
    assert page(ana, "trade", map=whole, purse="beaucoup").status_code == 422
    assert page(ana, "voyage", map=whole, end="Zorglub").status_code != 200
    assert page(ana, "nowhere").status_code == 404


def test_players_get_their_own_map_and_no_byte_of_the_rest():
    def seen(made) -> str:
        with TestClient(create_app(open_log("memory:"))) as client:
            opened = client.post("/api/tables", json={"system": "empire", "name": "Soirée", "game_master": "Ana"})
            ana = Program(client, opened.json()["token"])
            whole = shared(ana, made, "0403", "0101")
            bob = ana.invites("Bob")
            assert page(bob, "atlas").status_code != 200
            assert page(bob, "sector", map=whole).status_code != 200
            pages = [page(bob, leaf, **chosen).text for leaf, chosen in (
                ("sector", {}), ("sector", {"square": "0403"}), ("sector", {"square": "0609"}), ("trade", {}),
                ("voyage", {"start": "0403"}))]
            text = "".join(pages) + json.dumps(bob.view)
            return re.sub(r"\d{4}-\d\d-\d\dT[\d:.+]+|[0-9a-f]{10,}|value=\"[^\"]*\"|\?v=\w+", "", text)

    hidden = {"0609", "0704", "0805"}
    other = replace(MADE, seed="autre", worlds=tuple(
        replace(world, name="Ailleurs", size_t=1, fauna=()) if world.square in hidden else world
        for world in MADE.worlds))
    one = seen(MADE)
    assert one == seen(other)
    assert "ourmansk" not in one
    for world in MADE.worlds:
        assert (world.name in one) == (world.square in ("0403", "0101")), world.square


def presses(who: Program, shown, words: str):
    """The form of a button that one sees, sent as it stands."""
    form = next(one for one in re.findall(r"<form.*?</form>", shown.text, re.DOTALL)
                if f"<button>{words}</button>" in one)
    sent = [(name, html.unescape(value)) for name, value in
            re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', form)]
    values: dict[str, list[str]] = {}
    for name, value in sent:
        values.setdefault(name, []).append(value)
    return who.client.post(re.search(r'action="([^"]*)"', form)[1], data=values,
                           headers={"Origin": "http://testserver"})


def test_what_needs_no_further_word_is_done_on_the_map_and_read_there(ana):
    ana.does("add-record", kind="sector", sheet=to_plain(MADE))
    whole = named(ana, "Marges", "sector")
    for button, then in (("Ouvrir sa fiche", "Les bêtes du jour"),
                         ("Montrer aux joueurs", "Les joueurs l&#39;ont sur leur carte."),
                         ("Ouvrir son marché", "Son marché est ouvert."), ("Le groupe est ici", "Le groupe est ici.")):
        here = page(ana, "sector", map=whole, square="0403")
        assert then not in here.text
        known = "Les joueurs l&#39;ont sur leur carte." in here.text
        assert not known or ">Montrer aux joueurs<" not in here.text
        assert known or ">Ouvrir son marché<" not in here.text  # a market is opened where the players may know of it
        after = presses(ana, here, button)
        assert after.url.path.endswith("/leaf/sector"), button
        assert dict(after.url.params)["square"] == "0403"
        assert then in after.text
    met = presses(ana, page(ana, "sector", map=whole, square="0403"), "Rencontrer une bête")
    assert met.url.path.endswith("/")  # what is met is told at the table


def test_the_market_meant_is_that_of_where_the_group_is(ana):
    ana.does("add-record", kind="sector", sheet=to_plain(MADE))
    whole = named(ana, "Marges", "sector")
    for square in ("0403", "0609"):
        for button in ("Ouvrir sa fiche", "Montrer aux joueurs", "Ouvrir son marché"):
            presses(ana, page(ana, "sector", map=whole, square=square), button)
    presses(ana, page(ana, "sector", map=whole, square="0609"), "Le groupe est ici")
    bob = ana.invites("Bob")
    bob.does("add-record", ready="solveig")
    there = page(bob, "sector", square="0403").text
    here = page(bob, "sector", square="0609")
    assert "Prospecter son marché" in here.text
    assert "Y acheter" not in here.text  # nothing was found there yet
    assert "Prospecter son marché" not in there
    asked = page(bob, "sector").url.path.split("/leaf/")[0]
    form = bob.client.get(f"{asked}/start/survey-market").text
    market = re.search(r'name="cast:market".*?</select>', form, re.DOTALL)[0]
    assert re.search(rf'value="{named(bob, MADE.world_at("0609").name, "market")}"\s+selected', market)
    assert 'name="cast:cargo"' not in form  # without a hold, none is asked for


@pytest.mark.parametrize(("wanted", "chosen"), [((7, 7), "minerals"), ((7, 14), "")])
def test_to_sell_is_a_tap_where_one_good_of_the_hold_is_wanted(ana, wanted, chosen):
    """Of several, one is chosen; of one there is nothing to choose."""
    ana.does("add-record", kind="sector", sheet=to_plain(MADE))
    whole = named(ana, "Marges", "sector")
    for button in ("Ouvrir sa fiche", "Montrer aux joueurs", "Ouvrir son marché", "Le groupe est ici"):
        presses(ana, page(ana, "sector", map=whole, square="0609"), button)
    bob = ana.invites("Bob")
    bob.does("add-record", ready="solveig")
    lots = (Lot("minerals", 2, 5, "Corélée", 900, at="0403"), Lot("communication", 1, 5, "Corélée", 900, at="0403"))
    hold = Cargo("Soute", lots=lots, markets_seen=(Seen("0609", "Valamaris", 6, 0, (3,), wanted),))
    bob.does("add-record", kind="cargo", sheet=to_plain(hold))
    presses(bob, page(bob, "sector", square="0609"), "Y vendre")
    (act,) = bob.view["moves"].values()
    assert [values.get("good") for values in act["fields"].values()] == ([chosen] if chosen else [])


def test_on_the_tables_page_the_map_is_a_place_to_work_in_beside_what_is_played(ana):
    shared(ana, MADE, "0403")
    entered = page(ana, "")
    assert 'id="workplace"' in entered.text
    base = re.match(r"/t/\w+/\w+", entered.url.path)[0]
    beside = ana.client.get(f"{base}/leaf/sector", params={"square": "0403"}, headers={"HX-Request": "true"}).text
    assert "<html" not in beside
    assert "data-leaf-close" in beside
    assert 'hx-post="' in beside  # what is done there is done without leaving
    assert 'name="then"' not in beside
    whole = page(ana, "sector", square="0403").text
    assert "hx-post" not in whole
    assert 'name="then"' in whole
    assert re.search(r'leaf/atlas[^"]*" data-page', beside)  # what is made to be printed is a page of its own
    steady = re.compile(r'name="(?:proof|once)" value="\w*"')
    again = ana.client.get(f"{base}/leaf/sector", params={"square": "0403"}, headers={"HX-Request": "true"}).text
    assert steady.sub("", again) == steady.sub("", beside)
