"""A game that has only just begun: pages show what it has, and nothing of what it has not."""

import importlib
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import unescape
from pathlib import Path

import httpx2 as httpx
import pytest

from paravent.cli.author import write_game
from paravent.game import RecordKind, Role, System, find_system, system_at
from paravent.game.move import GAME_MASTER, INITIATOR
from paravent.web import front

from .conftest import Serving, say
from .test_security import Visitor, newcomer


@dataclass(frozen=True)
class Boat:
    """Something that people need, and nobody has."""

    name: str = ""


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[System]:
    """What ``new-game`` writes."""
    place = write_game("esquif", tmp_path)
    monkeypatch.syspath_prepend(str(place / "src"))
    importlib.invalidate_caches()
    yield system_at("esquif:SYSTEM")
    find_system.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "esquif"]:
        del sys.modules[name]


@pytest.fixture
def client(serving: Serving) -> Iterator[httpx.Client]:
    with newcomer(serving.url) as browser:
        yield browser


def test_what_a_game_says_nothing_of_is_not_on_its_page(
        begun: System, client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(front, "system_names", lambda: ("esquif",))
    for path in ("/", "/g/esquif"):
        page = client.get(path).text
        assert begun.words.say("fr", "system.tagline") in page
        assert not re.search(r"system\.\w+", page)
        assert say("web.dice") not in page
    assert "/g/esquif/rules" in page
    assert "/g/esquif/tables" not in page


def test_whoever_can_begin_nothing_reads_what_is_missing(begun: System, client: httpx.Client) -> None:
    move = begun.moves["attempt"]
    sails = replace(move, cast=(INITIATOR, Role("boat", record="boat"), GAME_MASTER))
    sys.modules["esquif"].SYSTEM = replace(  # type: ignore[attr-defined]
        begun, moves={move.id: sails}, kinds={**begun.kinds, "boat": RecordKind("boat", Boat)})
    system_at("esquif:SYSTEM")
    new = {"system": "esquif", "name": "Vendredi", "game_master": "Ana"}
    ana = Visitor(client, client.post("/api/tables", json=new).json()["token"])
    wanted = say("web.start_wants", what=["boat"])
    ana.does("add-record", ready="ada")
    assert wanted in unescape(ana.get().text)
    ana.does("add-record", kind="boat", sheet={"name": "Goéland"})
    assert wanted not in unescape(ana.get().text)
    assert begun.words.say("fr", "moves.attempt.title") in unescape(ana.get().text)


def test_players_bring_whom_they_play_whatever_a_game_calls_them(begun: System, client: httpx.Client) -> None:
    whole = replace(begun.kinds["character"], id="keeper")
    sys.modules["esquif"].SYSTEM = replace(  # type: ignore[attr-defined]
        begun, kinds={"boat": RecordKind("boat", Boat), "keeper": whole})
    system_at("esquif:SYSTEM")
    new = {"system": "esquif", "name": "Vendredi", "game_master": "Ana"}
    ana = Visitor(client, client.post("/api/tables", json=new).json()["token"])
    bob = ana.invites("Bob")
    page = unescape(bob.get("/new").text)
    assert say("web.ready_made") in page
    assert 'value="boat"' not in page
    assert [bob.get(f"/write/{kind}").status_code for kind in ("keeper", "boat", "character")] == [200, 404, 404]
    assert bob.post("record", {"ready": "ada"}).status_code == 303
    hers = ana.does("add-record", kind="keeper", ready="ada", seen_by=["all"])["record"]
    assert bob.post("take", {"record": hers}).status_code == 303
    boat = ana.does("add-record", kind="boat", sheet={"name": "Goéland"}, seen_by=["all"])["record"]
    assert bob.post("take", {"record": boat}).status_code == 403


def test_an_address_loads_no_module(client: httpx.Client) -> None:
    sys.modules.pop("this", None)
    for path in ("/g/this:d", "/g/this:d/rules", "/api/systems/this:d"):
        assert client.get(path).status_code == 404
    assert client.post("/demo/this:d").status_code == 404
    answer = client.post("/api/tables", json={"system": "this:d", "name": "Vendredi", "game_master": "Ana"})
    assert answer.status_code in (404, 422)
    assert "this" not in sys.modules
