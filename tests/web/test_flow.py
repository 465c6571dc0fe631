"""An evening that flows, by pages and forms: what was done is taken back by whoever did it, or done again."""

import re

import pytest
from starlette.testclient import TestClient

from .conftest import say
from .test_friday import Guest, client, link_in, opens

__all__ = ["client"]


def around(client: TestClient) -> tuple[Guest, Guest, Guest, str]:
    """A game master who judges at will, Bob with Nour, Cy with Isidore; and Nour's sheet."""
    ana = opens(client, "simulacres")
    ana.sends("/do/house", trust="prudence", judging="at-will")
    bob, cy = (Guest(client, link_in(ana.invites(name))) for name in ("Bob", "Cy"))
    cy.sends("/do/record", ready="isidore")
    nour = re.search(r'id="sheet-(\w+)"[^>]*aria-labelledby[^>]*>', bob.sends("/do/record", ready="nour"))
    assert nour
    return ana, bob, cy, nour[1]


def throws(who: Guest, record: str) -> None:
    """A simple test of theirs, paid with a point of Énergie, to its end."""
    said = {"component": "body", "means": "action", "realm": "mechanical", "energies.power": "1"}
    who.sends("/do/start", move="simple-test", **{"cast:initiator": record},
              **{f"f:{record}:{name}": value for name, value in said.items()})
    number = re.findall(r'id="move-(\d+)"', who.reads())
    who.sends("/do/throw", number=number[0])


def pinned(page: str) -> str:
    """The last result, as a page shows it."""
    start = page.index('<div id="pinned">')
    return page[start:page.index('<div id="encounters">')]


def test_whoever_did_what_applied_by_itself_takes_it_back_and_nobody_else_but_the_game_master(
    client: TestClient
) -> None:
    ana, bob, cy, nour = around(client)
    throws(bob, nour)
    undo = f"{say('web.undo')}</button>"
    assert undo in pinned(bob.reads())
    assert undo in pinned(ana.reads())
    assert say("web.last_result") in pinned(cy.reads())
    assert undo not in pinned(cy.reads())
    number = re.search(r'id="move-(\d+)"', pinned(bob.reads()))
    assert number
    cy.sends("/do/undo", number=number[1])
    assert cy.status == 403
    bob.sends("/do/undo", number=number[1])
    assert bob.status == 200
    assert undo not in pinned(bob.reads())


def test_a_finished_act_is_begun_again_as_it_was_with_one_tap(client: TestClient) -> None:
    _, bob, cy, nour = around(client)
    throws(bob, nour)
    encore = f">{say('web.encore')}</button>"
    assert encore in pinned(bob.reads())
    assert encore not in pinned(cy.reads())
    number = re.search(r'id="move-(\d+)"', pinned(bob.reads()))
    assert number
    cy.sends("/do/again", number=number[1])
    assert cy.status != 200
    page = bob.sends("/do/again", number=number[1])
    assert bob.status == 200
    again = page[page.index('<div id="moves">'):page.index('<div id="start">')]
    for value in ("body", "action", "mechanical"):
        assert re.search(rf'value="{value}"[^>]*(selected|checked)', again), value
    assert f'action="{bob.base}/do/throw"' in page


def test_search_finds_what_stands_on_ones_own_sheet(client: TestClient) -> None:
    _, bob, cy, _ = around(client)
    found = bob.reads("/start?q=plongée")
    assert "start/simple-test" in found or 'value="simple-test"' in found
    assert "simple-test" not in cy.reads("/start?q=plongée")


def suggested(page: str) -> str:
    """The handful of actions that a page offers at once."""
    return page[page.index('<div id="suggested">'):page.index('<details class="all-moves"')]


@pytest.mark.parametrize("system", ["conteur", "empire", "simulacres", "solaires"])
def test_a_player_without_a_character_is_offered_one_and_no_actions(client: TestClient, system: str) -> None:
    bob = Guest(client, link_in(opens(client, system).invites("Bob")))
    page = bob.reads()
    assert "start" not in suggested(page).replace('id="suggested"', "")
    assert re.search(r'href="[^"]*new"', page[page.index('<div id="moves">'):page.index('<div id="start">')])


def test_what_says_when_it_suits_is_not_suggested_while_it_does_not(client: TestClient) -> None:
    _, bob, _, _ = around(client)
    assert "simple-test" in suggested(bob.reads())
    assert "last-chance" not in suggested(bob.reads())  # nobody is desperate
    assert "last-chance" in bob.reads("/start?q=chance")


def test_nobody_is_offered_as_their_own_opponent_or_carer(client: TestClient) -> None:
    ana = opens(client, "simulacres")
    bob = Guest(client, link_in(ana.invites("Bob")))
    bob.sends("/do/record", ready="nour")
    assert "start/duel" not in bob.reads("/start")  # nobody else is there
    ana.sends("/do/record", ready="isidore")
    form = bob.reads("/start/duel")
    assert form.count("Isidore") == form.count("Nour") == 1  # one as the other's opponent
    isidore = re.findall(r'<option value="(\w+)"[^>]*>\s*Isidore', ana.reads("/start/duel"))[0]
    ana_too = ana.sends("/do/start", move="duel", **{"cast:initiator": isidore, "cast:opponent": isidore})
    assert ana.status == 422
    assert say("errors.form/somebody-else.title", role=say("persons.opponent", system="simulacres")) in ana_too


def test_a_sheet_that_the_rules_refuse_cannot_be_accepted_only_sent_back(client: TestClient) -> None:
    ana = opens(client, "simulacres")
    bob = Guest(client, link_in(ana.invites("Bob")))
    bob.sends("/do/start", move="create-character")
    me = bob.base.rpartition("/")[2]
    bob.sends("/do/fill", number=1, **{f"s:{me}:sheet": "1", f"sheet:{me}:sheet:v:name": "Zoé"})
    page = ana.reads()
    assert "SIM-1" in page[page.index('class="hint refused"'):]
    assert f">{say('web.refuse')}</button>" in page
    assert f">{say('web.agree')}</button>" not in page


def bar(page: str) -> str:
    """What waits for somebody, in words."""
    return " ".join(re.sub(r"<[^>]*>", " ", page[page.index('id="yours"'):page.index('id="h-log"')]).split())


def test_what_a_player_lacks_is_not_asked_of_the_game_master_and_no_chance_is_said_in_words(client: TestClient) -> None:
    ana = opens(client, "conteur")
    bob = Guest(client, link_in(ana.invites("Bob")))
    nour = re.search(r'id="sheet-(\w+)"', bob.sends("/do/record", ready="maelle-tisserand"))
    assert nour
    bob.sends("/do/start", move="throw", **{"cast:initiator": nour[1]})
    attribute = say("fields.attribute.title", system="conteur")
    assert attribute in bar(bob.reads())
    assert attribute not in bar(ana.reads())  # who has the difficulty to judge
    bob.sends("/do/fill", number=1, **{f"f:{nour[1]}:attribute": "dexterity"})
    assert say("telling.impossible") in bar(ana.reads())  # without a skill there is no die
    assert " 0 %" not in bar(ana.reads())


def test_who_asks_for_the_screen_and_has_a_table_is_sent_there(client: TestClient) -> None:
    ana = opens(client, "conteur")
    bob = Guest(client, link_in(ana.invites("Bob")))
    for who in (ana, bob):
        answer = client.get(f"{who.base}/screen", follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (303, f"{who.base}/")


def test_buttons_chips_and_camps_say_what_they_are(client: TestClient) -> None:
    ana, bob, _, nour = around(client)
    throws(bob, nour)
    assert "(PS)" not in pinned(bob.reads())
    options = ana.reads("/options")
    assert options.count(f">{say('web.settle')}<") == options.count(f">{say('web.settle_house')}<") == 1
    fight = ana.reads("/start/open-a-fight")
    assert say("web.camp") in fight
    assert f"<legend>{say('roles.opponent', system='simulacres').capitalize()}" not in fight


def test_where_all_waits_for_the_game_master_what_keeps_the_table_going_is_not_shown(client: TestClient) -> None:
    ana = opens(client, "conteur")
    ana.sends("/do/house", trust="meneur", judging="at-will")
    bob = Guest(client, link_in(ana.invites("Bob")))
    maelle = re.search(r'id="sheet-(\w+)"', bob.sends("/do/record", ready="maelle-tisserand"))
    assert maelle
    bob.sends("/do/start", move="start-complex-action", **{"cast:initiator": maelle[1]})
    said = {"attribute": "dexterity", "skill": "Sorties dans le vide"}
    bob.sends("/do/fill", number=1, **{f"f:{maelle[1]}:{name}": value for name, value in said.items()})
    ana.sends("/do/fill", number=1, **{"f:gm:difficulty": "6"})
    bob.sends("/do/throw", number=1, by_hand=1)
    bob.sends("/do/faces", number=1, faces="1 1 1")  # no die fails: luck asks nothing
    page = ana.reads()
    assert f'action="{ana.base}/do/accept"' in page  # it waits for a word, and
    assert 'name="keep"' not in page  # what the sheet remembers of it is no consequence


def test_nobody_sound_is_offered_to_be_cared_for_and_nobody_fallen_to_fight(client: TestClient) -> None:
    ana, bob, _, nour = around(client)
    assert "dress-wounds" not in ana.reads("/start")
    assert "Nour" in ana.reads("/start/duel")
    ana.sends("/do/edit", record=nour, set="breath_points=0")
    assert "Nour" not in ana.reads("/start/duel")  # who has fainted
    assert "start/duel" not in bob.reads("/start")
    ana.sends("/do/edit", record=nour, set="breath_points=2")
    ana.sends("/do/edit", record=nour, set="life_points=2")
    assert "dress-wounds" in ana.reads("/start")
