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


def tries(who: Guest, record: str, **said: str) -> None:
    """A simple test of theirs, to its end."""
    fields = {f"f:{record}:{name}": value for name, value in said.items()}
    who.sends("/do/start", move="simple-test", **{"cast:initiator": record}, **fields)
    number = str(max(map(int, re.findall(r'id="move-(\d+)"', who.reads()))))
    if "skill" in said:  # which would do without dice
        who.sends("/do/fill", number=number, **{f"f:{record}:without_dice": "no"})
    who.sends("/do/throw", number=number)


def test_a_test_is_kept_with_one_touch_under_its_skill_or_its_phrase_and_played_again_from_the_sheet(
    client: TestClient,
) -> None:
    ana, bob, cy, nour = around(client)
    phrase = {"component": "body", "means": "action", "realm": "mechanical"}
    star = f"★</span> {say('web.keep_act')}"
    for said, name in (({**phrase, "skill": "Mécanique des fluides"}, "Mécanique des fluides"),
                       (phrase, "Corps · Action · Mécanique")):
        tries(bob, nour, **said)
        assert star in bob.reads()
        assert star not in cy.reads()
        assert star not in ana.reads()
        number = re.findall(r'class="move over pinned" id="move-(\d+)"', bob.reads())[0]
        cy.sends("/do/keep", number=number)
        assert cy.status != 200
        page = bob.sends("/do/keep", number=number)
        assert bob.status == 200
        assert f"<span>{name}" in page[page.index(say("web.shortcuts")):]
    again = re.findall(r'name="go"\s+value="(simple-test\?[^"]*fluides[^"]*)"', bob.reads())[0]
    page = bob.sends("/do/start", go=again, from_sheet="1", **{"cast:initiator": nour})
    assert bob.status == 200
    assert re.search(r'value="mechanical"[^>]* checked', page)
