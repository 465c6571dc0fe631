"""Simulacres through its pages and forms, without a browser: what each is offered, told, and never sent."""

import re

from starlette.testclient import TestClient

from .conftest import say
from .test_flow import around
from .test_friday import Guest, client

__all__ = ["client"]
HIDDEN_BRUTES = "deux brutes moyennes, massue"


def brought(ana: Guest, line: str) -> list[str]:
    """The people of one line, by id."""
    before = set(sheets(ana))
    ana.sends("/do/people", text=line)
    return [one for one in sheets(ana) if one not in before]


def sheets(who: Guest) -> list[str]:
    return list(dict.fromkeys(re.findall(r'id="sheet-(\w+)"', who.reads())))


def opens_a_fight(ana: Guest, ours: str, theirs: list[str]) -> None:
    ana.sends("/do/start", move="open-a-fight", **{"cast:initiator": ours, "cast:opponent": theirs})
    number = re.findall(r'id="move-(\d+)"', ana.reads())[0]
    ana.sends("/do/throw", number=number)


def test_how_a_fight_would_end_is_the_game_masters_to_ask_and_nobody_elses_to_know_of(client: TestClient) -> None:
    ana, bob, cy, nour = around(client)
    opens_a_fight(ana, nour, brought(ana, "deux brutes moyennes, massue, visibles"))
    assert say("web.what_if.title") in ana.reads()
    told = ana.reads("/ahead/1")
    assert say("web.what_if.exact") in told
    assert "sans Brute 2" in told
    assert len(re.findall(r"class=\"num\">\d+,\d", told)) == 3  # as things stand, and without either of them
    for who in (bob, cy):
        assert say("web.what_if.title") not in who.reads()
        refused = who.client.get(f"{who.base}/ahead/1")
        assert refused.status_code == 404
        assert "Brute" not in refused.text


def test_hidden_brutes_in_a_fight_are_sealed_and_thrown_and_nobody_waits_for_whom_they_may_not_know(
    client: TestClient,
) -> None:
    """Nour fights somebody hidden: what Bob is sent of it has nobody else in it."""
    ana, bob, _, nour = around(client)
    theirs = brought(ana, HIDDEN_BRUTES)
    opens_a_fight(ana, nour, theirs)
    assert "sans Brute 2" in ana.reads("/ahead/1")
    ana.sends("/do/start", move="exchange", encounter="1", **{"cast:initiator": nour, "cast:opponent": theirs})
    page = bob.reads()
    assert "Brute" not in page
    assert not any(one in page for one in theirs)
