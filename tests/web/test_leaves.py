"""A game's own pages: drawn for a seat from what it may see, and nothing else."""

import json
import re
from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from paravent.dice import ScriptedDice, play
from paravent.game import to_plain
from paravent.store import open_log
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.worlds.sector import Density, sector
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


def shared(ana: Program, made=MADE, *squares: str) -> str:
    ana.does("add-record", kind="sector", sheet=to_plain(made))
    whole = named(ana, "Marges", "sector")
    number = ana.does("start-move", move="share-map", cast={"sector": [whole]},
                      form={"gm": {"name": "Carte", "known_squares": list(squares)}})["number"]
    ana.does("throw", number=number)
    return whole


def test_the_map_is_a_link_away_and_every_world_a_link_on_it(ana):
    shared(ana, MADE, "0403")
    assert "/leaf/sector" in page(ana, "").text
    drawn = page(ana, "sector").text
    squares = set(re.findall(r'data-square="(\d{4})"', drawn))
    assert squares == {*MADE.lone_stars, *(world.square for world in MADE.worlds)}
    told = page(ana, "sector", square="0403").text
    world = MADE.world_at("0403")
    assert world.name in told
    assert world.port_name in told
    assert "monde impérial" in told
    assert "Légende" in told


def test_every_leaf_is_a_page_and_the_planner_is_given_to_programs(ana):
    whole = shared(ana, MADE, "0403")
    for leaf in SYSTEM.leaves:
        for lang in ("fr", "en"):
            answer = page(ana, leaf, map=whole, lang=lang)
            assert answer.status_code == 200, leaf
            assert "leaves." not in re.sub(r"looks[^\"]*|href=\"[^\"]*\"", "", answer.text)
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
