"""A Friday night without a script: people with pages and forms, as a browser sends them and nothing else."""

import html
import re
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from paravent.store import open_log
from paravent.web.app import create_app

from .conftest import SEAT, say


class Guest:
    """Somebody who came by a link."""

    def __init__(self, client: TestClient, link: str) -> None:
        self.client = client
        found = SEAT.match(client.get(link).url.path)
        assert found
        self.base = found[0]

    def reads(self, path: str = "/") -> str:
        """A page of theirs."""
        answer = self.client.get(self.base + path)
        assert answer.status_code == 200, answer.text
        return html.unescape(answer.text)

    def sends(self, path: str, **fields: Any) -> str:
        """A form of theirs; the page that comes of it."""
        proof = re.search(r'name="proof" value="([^"]+)"', self.reads("/new"))
        assert proof
        answer = self.client.post(self.base + path, data={"proof": proof[1], **fields})
        self.status = answer.status_code
        return html.unescape(answer.text)

    def invites(self, name: str, once: str = "") -> str:
        """The page with a new place's link."""
        return self.sends("/links", name=name, grade="player", once=once)


def link_in(page: str) -> str:
    return re.findall(r'value="http://testserver(/enter/\w+)"', page)[-1]


@pytest.fixture
def client() -> Iterator[TestClient]:
    with TestClient(create_app(open_log("memory:"))) as inside:
        yield inside


def opens(client: TestClient, system: str, lang: str = "fr") -> Guest:
    """A table opened from the page of its game, named there."""
    client.cookies.set("paravent_lang", lang)
    form = {"system": system, "name": "Vendredi", "game_master": "Ana"}
    assert all(f'name="{name}"' in client.get(f"/g/{system}").text for name in form)
    answer = client.post("/open", data=form, follow_redirects=False)
    return Guest(client, answer.headers["location"])


def test_a_place_asked_for_twice_by_one_form_is_made_once_and_may_be_renamed(client: TestClient) -> None:
    ana = opens(client, "empire")
    ana.invites("Bod", once="a")
    page = ana.invites("Bod", once="a")
    assert page.count("<b>Bod</b>") == 1
    seat = re.findall(r'name="who" value="(\w+)"', page)[-1]
    assert "<b>Bob</b>" in ana.sends("/links", what="rename", who=seat, name="Bob")


@pytest.mark.parametrize(("system", "move"), [
    ("conteur", "create-character"), ("simulacres", "create-character"), ("solaires", "create-character"),
    ("empire", "roll-characteristics"),
])
def test_a_games_own_creation_is_offered_where_one_brings_a_character(
    client: TestClient, system: str, move: str
) -> None:
    bob = Guest(client, link_in(opens(client, system).invites("Bob")))
    assert f'name="move" value="{move}"' in bob.reads("/new")
    assert f"start/{move}" not in bob.reads()


def test_somebody_drawn_without_a_name_is_called_what_they_are(client: TestClient) -> None:
    ana = opens(client, "empire")
    for _ in range(2):
        page = ana.sends("/do/record", how="draw", kind="npc", hidden="1")
    kind = say("kinds.npc.title", system="empire")
    assert f">{kind}</h3>" in page
    assert f">{kind} 2</h3>" in page


def test_what_a_move_makes_without_a_name_is_called_what_it_is(client: TestClient) -> None:
    ana = opens(client, "simulacres")
    skills = {"f:gm:trade": "soudure", "f:gm:talents": "course", "f:gm:hobbies": "échecs"}
    for number in (1, 2):
        ana.sends("/do/start", move="create-npc", **skills)
        ana.sends("/do/throw", number=number)
        page = ana.sends("/do/accept", number=number, all="0", keep="0")
    unseen = say("kinds.shadow.title", system="simulacres")
    assert f">{unseen}</h3>" in page
    assert f">{unseen} 2</h3>" in page


def test_somebody_without_the_gift_is_told_so_in_words(client: TestClient) -> None:
    bob = Guest(client, link_in(opens(client, "empire", "en").invites("Bob")))
    bob.sends("/do/record", ready="solveig")
    record = re.search(r'id="sheet-(\w+)"', bob.reads())
    assert record
    form = {"cast:initiator": record[1], f"f:{record[1]}:power_name": "push_forward"}
    bob.sends("/do/start", move="psi-act", **form)
    page = bob.sends("/do/throw", number=1)
    assert bob.status == 422
    assert "takes level 1; you have 0" in page


def test_what_is_waited_for_and_may_be_left_empty_is_said_by_saying_so(client: TestClient) -> None:
    bob = Guest(client, link_in(opens(client, "solaires").invites("Bob")))
    bob.sends("/do/record", ready="cabestan")
    record = re.search(r'id="sheet-(\w+)"', bob.reads())
    assert record
    page = bob.sends("/do/start", move="matrix-run", **{"cast:initiator": record[1]})
    assert f">{say('web.said_so')}</button>" in page
    page = bob.sends("/do/fill", number=1, complete=1, **{f"f:{record[1]}:node": ""})
    assert f">{say('web.said_so')}</button>" not in page


def test_a_refusal_says_who_has_left_something_out(client: TestClient) -> None:
    ana = opens(client, "simulacres", "en")
    for ready in ("nour", "isidore"):
        page = ana.sends("/do/record", ready=ready)
    one, other = sorted(set(re.findall(r'id="sheet-(\w+)"', page)))
    scores = {f"f:{one}:{name}": 3 for name in ("component", "means", "realm")}
    ana.sends("/do/start", move="duel", **{"cast:initiator": one, "cast:opponent": other}, **scores)
    for record in (one, other):
        ana.sends("/do/fill", number=1, complete=1, **{f"f:{record}:energies.power": ""})
    page = ana.sends("/do/throw", number=1)
    assert ana.status == 422
    assert "is missing (the opponent)" in page


@pytest.mark.parametrize(("lang", "goal"), [("fr", "accoster le sas"), ("en", "dock at the freighter's airlock")])
def test_a_ready_table_speaks_the_language_of_whoever_opens_it(client: TestClient, lang: str, goal: str) -> None:
    client.cookies.set("paravent_lang", lang)
    page = html.unescape(client.post("/demo/solaires").text)
    assert goal in page.casefold()
    assert ("le câble se prend" in page) is (lang == "fr")
    assert ("the cable gets caught" in page) is (lang == "en")
