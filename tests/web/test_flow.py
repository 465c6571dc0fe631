"""An evening that flows, by pages and forms: what was done is taken back by whoever did it, or done again."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.testclient import TestClient

from paravent.game import find_system
from paravent.game.errors import UnknownName
from paravent.game.telling import Teller
from paravent.table import commands as c

from .conftest import CAST, say, titled
from .test_friday import Guest, client, link_in, opens
from .test_weight import ROOT, Table

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


def test_the_result_in_view_is_the_one_that_ended_last_whichever_began_first(client: TestClient) -> None:
    ana, bob, cy, nour = around(client)
    isidore = next(one for one in re.findall(r'id="sheet-(\w+)"', cy.reads()) if one != nour)
    said = {"component": "body", "means": "action", "realm": "mechanical"}
    for who, record in ((bob, nour), (cy, isidore)):
        who.sends("/do/start", move="simple-test", **{"cast:initiator": record},
                  **{f"f:{record}:{name}": value for name, value in said.items()})
    cy.sends("/do/throw", number="2")
    assert all('id="move-2"' in pinned(who.reads()) for who in (ana, bob, cy))
    bob.sends("/do/throw", number="1")
    for who in (ana, bob, cy):
        assert 'id="move-1"' in pinned(who.reads()), "it began first and ended last"
        assert 'id="move-2"' not in pinned(who.reads())


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
    assert 'value="simple-test"' in found
    assert 'value="Plongée sous la glace"' in found  # it begins filled in
    assert say("web.ordinary_move") not in found
    assert say("web.ordinary_move") in cy.reads("/start?q=plongée")


@pytest.mark.parametrize(("words", "value"), [
    ("grimper", "physical"), ("climb", "physical"), ("convaincre", "fast_talk"), ("pistolet", "shoot"),
    ("gun", "shoot"), ("fouiller", "search_place"), ("intimider", "impress"),
])
def test_everyday_words_find_a_common_test_and_it_begins_filled_in(
    client: TestClient, words: str, value: str
) -> None:
    _, bob, _, nour = around(client)
    found = bob.reads(f"/start?q={words}")
    first = found[found.index("data-is="):]
    assert f'name="f:{nour}:common" value="{value}"' in first[:first.index("</form>")]
    title = Teller("fr", find_system("simulacres")).value(value)
    assert f"<b>{title}</b>" in first[:first.index("</form>")]
    bob.sends("/do/start", move="simple-test", **{"cast:initiator": nour, f"f:{nour}:common": value})
    assert re.search(rf'<option value="{value}"[^>]*selected', bob.reads())


def test_what_a_phrase_adds_up_to_is_told_with_what_it_is_the_sum_of(client: TestClient) -> None:
    _, bob, _, nour = around(client)
    said = {"component": "body", "means": "action"}
    bob.sends("/do/start", move="simple-test", **{"cast:initiator": nour},
              **{f"f:{nour}:{name}": value for name, value in said.items()})
    assert "Corps 5 + Action 4" not in bob.reads()
    page = bob.sends("/do/fill", number="1", **{f"f:{nour}:realm": "mineral"})
    assert re.search(r'Corps 5 \+ Action 4 \+ Minéral 1 =</span>\s*<b class="total num">10<', page)


def test_the_only_thing_that_comes_next_in_a_fight_is_the_main_button(client: TestClient) -> None:
    ana, _, cy, nour = around(client)
    isidore = next(one for one in re.findall(r'id="sheet-(\w+)"', cy.reads()) if one != nour)
    ana.sends("/do/start", move="open-a-fight", **{"cast:initiator": nour, "cast:opponent": isidore})
    page = ana.sends("/do/throw", number="1")
    bar = page[page.index('id="yours"'):]
    assert re.search(r'<button class="main" name="move" value="exchange"', bar[:bar.index("</section>")])


def test_nobody_goes_on_with_a_sheet_that_is_still_being_written(client: TestClient) -> None:
    ana, bob, _, _ = around(client)
    bob.sends("/do/start", move="create-character")
    waits = ana.reads()
    assert say("web.waits_for", who="Bob") in waits
    assert say("web.close_step") not in waits


def test_each_hand_of_dice_stays_beside_whoever_threw_it(client: TestClient) -> None:
    ana, bob, cy, nour = around(client)
    isidore = next(one for one in re.findall(r'id="sheet-(\w+)"', cy.reads()) if one != nour)
    said = {"component": "body", "means": "action", "realm": "human"}
    bob.sends("/do/start", move="duel", **{"cast:initiator": nour, "cast:opponent": isidore})
    for who, record in ((bob, nour), (cy, isidore)):
        who.sends("/do/fill", number="1", **{f"f:{record}:{name}": value for name, value in said.items()})
    ana.sends("/do/close", number="1")  # and nobody spends anything
    bob.sends("/do/throw", number="1")
    shown = pinned(ana.reads())
    hands = shown[shown.index('<p class="dice">'):].partition("</p>")[0].split('<span class="hand">')[1:]
    names = [re.findall(r'class="roller">([^<]+)<', hand) for hand in hands]
    assert names == [["Nour Valcourt"], ["Isidore Mbaye-Lenoir"]]
    assert all('class="die' in hand for hand in hands)


def test_gauges_of_short_names_stand_side_by_side_and_no_others(client: TestClient) -> None:
    ana, *_ = around(client)
    assert ana.reads().count('class="glance abreast"') == 2
    other = opens(client, "conteur")
    other.sends("/do/record", ready=CAST["conteur"][0])
    assert 'class="glance"' in other.reads()


def test_the_same_portrait_lies_on_the_same_colour_wherever_it_stands(client: TestClient) -> None:
    ana, bob, _, _ = around(client)
    bob.sends("/do/say", text="J’écoute.")
    grounds = dict[str, set[str]]()
    for ground, face in re.findall(r'class="portrait (?:\w )?(hue\d)" src="(/face/[^"]+)"', ana.reads()):
        grounds.setdefault(face, set()).add(ground)
    assert len(grounds) == 2
    assert all(len(found) == 1 for found in grounds.values())


@pytest.mark.parametrize("system", ["conteur", "empire", "simulacres", "solaires"])
def test_everyday_words_find_something_for_a_player_in_either_language(client: TestClient, system: str) -> None:
    ana = opens(client, system)
    bob = Guest(client, link_in(ana.invites("Bob")))
    bob.sends("/do/record", ready=CAST[system][0])
    ana.sends("/do/record", ready=CAST[system][1])  # somebody to hit
    for words in ("blessure", "frapper", "convaincre", "pistolet", "grimper", "mentir", "soigner",
                  "wound", "hurt", "hit", "punch", "persuade", "convince", "gun", "climb", "lie"):
        found = bob.reads(f"/start?q={words}")
        assert say("web.ordinary_move") not in found, words
        assert "data-is=" in found, words


@pytest.mark.parametrize("words", ["arme", "eat", "lie"])
def test_no_word_is_found_in_the_middle_of_another(client: TestClient, words: str) -> None:
    bob = Guest(client, link_in(opens(client, "empire").invites("Bob")))
    bob.sends("/do/record", ready=CAST["empire"][0])
    page = bob.reads(f"/start?q={words}")
    found = {*re.findall(r'data-is="([\w-]+)"', page), *re.findall(r"<b[^>]*>([^<]+)<", page)}
    assert not {"disguise", "learn-language", "treat-wounds", "psi-retreat", "Charme", "soft leather"} & found


@pytest.mark.parametrize("system", ["conteur", "empire", "simulacres", "solaires"])
@pytest.mark.parametrize("words", ["escalader la paroi nord", "xyzzy"])
def test_what_no_action_is_called_is_an_ordinary_test_with_these_words(
    client: TestClient, system: str, words: str
) -> None:
    bob = Guest(client, link_in(opens(client, system).invites("Bob")))
    bob.sends("/do/record", ready=CAST[system][0])
    found = bob.reads(f"/start?q={words}")
    assert say("web.ordinary_move") in found
    said = re.search(r'name="(f:\w+:\w+)" value="([^"]*)"', found[found.index(say("web.ordinary_move")):])
    assert said
    assert said[2] == words
    begun = re.search(r'name="cast:initiator" value="(\w+)".*?name="move" value="([\w-]+)"', found, re.DOTALL)
    assert begun
    page = bob.sends("/do/start", move=begun[2], **{"cast:initiator": begun[1], said[1]: words})
    assert bob.status == 200
    assert f">{words.capitalize()} <span" in page[page.index('<div id="moves">'):]


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


def test_a_sheet_that_the_rules_refuse_stays_with_whoever_can_mend_it(client: TestClient) -> None:
    ana = opens(client, "simulacres")
    bob = Guest(client, link_in(ana.invites("Bob")))
    bob.sends("/do/start", move="create-character")
    me = bob.base.rpartition("/")[2]
    told = bob.sends("/do/fill", number=1, **{f"s:{me}:sheet": "1", f"sheet:{me}:sheet:v:name": "Zoé"})
    assert bob.status == 422
    assert "SIM-1" in told
    assert f">{say('web.agree')}</button>" not in ana.reads()


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
    assert say("telling.impossible") not in bar(ana.reads())  # no die yet: all would say the same
    bob.sends("/do/fill", number=1, **{f"f:{nour[1]}:skill": "Tir"})
    assert say("telling.impossible") in bar(ana.reads())  # more successes than there are dice
    assert " 0 %" not in bar(ana.reads())
    ana.sends("/do/fill", number=1, **{"f:gm:difficulty": "6"})
    page = bob.reads()
    assert '<span class="big">0\u00a0%</span>' in page  # « pas sur ce jet de chances de réussir » is no sentence
    assert say("telling.impossible") not in bar(page)


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


def test_where_all_waits_for_the_game_master_what_keeps_the_table_going_asks_for_nothing(client: TestClient) -> None:
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
    assert f'action="{ana.base}/do/accept"' not in page  # what the sheet remembers of it is no consequence
    assert 'class="move over pinned" id="move-1"' in page


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


def awaiting_acceptance(client: TestClient) -> tuple[Guest, Guest, str, str]:
    """Two game masters at a table where all waits for them, and a test of Nour's whose Énergie is still to be paid."""
    ana, bob, _, nour = around(client)
    ana.sends("/do/house", trust="meneur", judging="at-will")
    zoe = Guest(client, link_in(ana.sends("/links", name="Zoé", grade="gm", once="")))
    throws(bob, nour)
    number = re.search(r'name="number" value="(\d+)"', ana.reads().partition('/do/accept"')[2])
    assert number
    return ana, zoe, nour, number[1]


def breath(who: Guest, record: str) -> int:
    """The breath points of a sheet, as a page tells them."""
    page = who.reads(f"/sheet/{record}")
    said = re.search(r'<input[^>]*name="v:breath_points"[^>]*value="(\d+)"', page)
    assert said
    return int(said[1])


def test_what_is_accepted_twice_is_applied_once_and_the_second_is_told(client: TestClient) -> None:
    ana, _, nour, number = awaiting_acceptance(client)
    before = breath(ana, nour)
    ana.sends("/do/accept", number=number)
    assert (ana.status, breath(ana, nour)) == (200, before - 1)
    ana.sends("/do/accept", number=number)
    assert (ana.status, breath(ana, nour)) == (409, before - 1)


def test_two_game_masters_who_accept_at_once_apply_it_once(client: TestClient) -> None:
    ana, zoe, nour, number = awaiting_acceptance(client)
    before = breath(ana, nour)
    with ThreadPoolExecutor(2) as both:
        list(both.map(lambda who: who.sends("/do/accept", number=number), (ana, zoe)))
    assert sorted((ana.status, zoe.status)) == [200, 409]
    assert breath(zoe, nour) == before - 1


def test_what_the_game_master_leaves_as_usual_is_not_told_as_if_it_had_been_said(client: TestClient) -> None:
    ana = opens(client, "empire")
    bob = Guest(client, link_in(ana.invites("Bob")))
    solveig = re.search(r'id="sheet-(\w+)"', bob.sends("/do/record", ready="solveig"))
    assert solveig
    bob.sends("/do/start", move="skill-test", **{"cast:initiator": solveig[1], f"f:{solveig[1]}:skill": "44",
                                                 f"f:{solveig[1]}:characteristic": "charm"})
    ana.sends("/do/fill", number=1, **{"f:gm:difficulty": "hard", "f:gm:verdict": "roll", "f:gm:mods": "0"})
    assert ana.status == 200
    assert titled("fields.verdict", "empire") not in bob.reads()
    ana.sends("/do/fill", number=1, **{"f:gm:mods": "2"})
    assert f">{titled('fields.mods', 'empire')}<" in bob.reads()


def test_the_opponent_reads_her_own_chances_beside_each_choice_and_who_comes_off_best(client: TestClient) -> None:
    """Not those of whoever began it: one more die of hers is worth more to her, and nobody's chance stands alone."""
    ana = opens(client, "conteur")
    bob, eve = (Guest(client, link_in(ana.invites(name))) for name in ("Bob", "Eve"))
    held = {}
    for who, ready in ((bob, "maelle-tisserand"), (eve, "anselme-ruvier")):
        drawn = re.search(r'id="sheet-(\w+)"[^>]*aria-labelledby[^>]*>', who.sends("/do/record", ready=ready))
        assert drawn
        held[who] = drawn[1]
    mine, hers = held[bob], held[eve]
    bob.sends("/do/start", move="opposed-roll", **{"cast:initiator": mine, "cast:opponent": hers,
              f"f:{mine}:attribute": "dexterity", f"f:{mine}:skill": "Tir"})
    number = re.findall(r'id="move-(\d+)"', eve.reads())[0]
    eve.sends("/do/fill", number=number, **{f"f:{hers}:attribute": "mental", f"f:{hers}:skill": "Médecine"})

    def chances(page: str) -> list[float]:
        at = page.index(':energy_dice" value=""')
        told = re.findall(r"<small>([\d,]+)[^<]%", page[at:at + 2000])
        return [float(one.replace(",", ".")) for one in told[:2]]

    def apart(page: str) -> dict[str, float]:
        listed = page[page.index('<ul class="apart"'):]
        return {words.strip(): float(share.replace(",", ".")) for words, share in re.findall(
            r"<li>([^<]*)<b[^>]*>([\d,]+)[^<]%", listed[:listed.index("</ul>")])}

    none, one = chances(eve.reads())
    assert one > none
    told = apart(eve.reads())
    assert list(told) == ["Anselme Ruvier", say("web.sides.nobody"), "Maëlle Tisserand"]
    assert told["Anselme Ruvier"] == none
    assert abs(sum(told.values()) - 100) < 0.3
    assert list(apart(bob.reads())) == [*told][::-1]


def solaires(client: TestClient) -> tuple[Guest, Guest, str, str]:
    """A game master, Bob with Cabestan who attempts something, and the number of that."""
    ana = opens(client, "solaires")
    bob = Guest(client, link_in(ana.invites("Bob")))
    drawn = re.search(r'id="sheet-(\w+)"[^>]*aria-labelledby[^>]*>', bob.sends("/do/record", ready="cabestan"))
    assert drawn
    bob.sends("/do/start", move="action", **{"cast:initiator": drawn[1], f"f:{drawn[1]}:goal": "accoster en douceur"})
    return ana, bob, drawn[1], re.findall(r'id="move-(\d+)"', bob.reads())[0]


def card_of(page: str, number: str) -> str:
    start = page.index(f'id="move-{number}"')
    return page[start:page.index("</article>", start)]


def bar_of(page: str) -> str:
    start = page.index('<section id="yours"')
    return page[start:page.index("</section>", start)]


def test_both_scales_of_a_judgement_are_at_hand_and_its_odds_suppose_the_best_element(client: TestClient) -> None:
    ana, _, _, number = solaires(client)
    card = card_of(ana.reads(), number)
    folded = card.index('<details class="more"')
    assert card.index(":scenario_interest") < folded
    bar = bar_of(ana.reads())
    told = re.findall(r"<i>([^<]*)</i>", bar)
    assert [one[:2] for one in told[:3]] == ["10", "92", "50"]  # Pilote de remorqueur 3
    assert titled("fields.element", "solaires") in bar


def test_what_was_judged_collapses_to_what_it_says(client: TestClient) -> None:
    ana, bob, cabestan, number = solaires(client)
    ana.sends("/do/fill", number=number, complete="1", **{"f:gm:intrinsic": "complex"})
    again = f">{say('web.say_otherwise')}</summary>"
    card = card_of(ana.reads(), number)
    assert card.index(again) < card.index(":scenario_interest")
    bob.sends("/do/fill", number=number, complete="1", **{f"f:{cabestan}:element": "Pilote de remorqueur"})
    assert again not in card_of(bob.reads(), number)  # whoever throws still weighs what they said


def test_the_log_tells_an_act_by_what_people_call_it_and_nothing_twice(client: TestClient) -> None:
    ana, bob, cabestan, number = solaires(client)
    ana.sends("/do/fill", number=number, complete="1", **{"f:gm:intrinsic": "simple"})
    bob.sends("/do/fill", number=number, complete="1", **{f"f:{cabestan}:element": "Pilote de remorqueur"})
    before = bob.reads()
    assert before.count(say("outcomes.told_difficulty", system="solaires", total="simple")) > 0
    bob.sends("/do/throw", number=number)
    page = bob.reads()
    log = page[page.index('<ol id="log"'):]
    assert say("web.happened.record-given", who="Bob", name="Cabestan") not in log  # he brought his own
    told = log[log.index("Accoster en douceur"):]
    assert "<b>Cabestan</b>" not in log  # the sentence names him
    assert told.count("Cabestan") == 1
    assert say("outcomes.told_difficulty", system="solaires", total="simple") not in told


def test_who_plays_whom_is_told_by_name(client: TestClient) -> None:
    ana = opens(client, "solaires")
    drawn = re.search(r'id="sheet-(\w+)"', ana.sends("/do/record", ready="cabestan"))
    assert drawn
    bob = Guest(client, link_in(ana.invites("Bob")))
    bob.sends("/do/take", record=drawn[1])
    assert say("web.happened.record-given", who="Bob", name="Cabestan") in ana.reads()


def test_two_people_are_crossed_on_a_grid_although_the_field_is_called_the_same_and_nothing_is_said_yet(
    monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is asked their own craft by one tap, with their own chances; it was not drawn at all."""
    monkeypatch.syspath_prepend(str(ROOT / "examples/fanal/src"))
    table = Table("fanal")

    async def seen() -> list[str]:
        async with table.app.router.lifespan_context(table.app):
            await table.fills(0)
            (bob, mine), (eve, hers) = [*table.heroes.items()][:2]
            await table.does(c.StartMove(move="duel-of-lights", cast={"initiator": [mine], "opponent": [hers]},
                                         seat=bob, id="duel"))
            return [await table.page(bob), await table.page(eve)]

    for page in asyncio.run(seen()):
        asked = page[page.index('class="crossing facing"'):]
        asked = asked[:asked.index("</fieldset>")]
        assert re.findall(r'type="radio" name="f:\w+:craft" value="(\w+)"', asked) == ["lamp", "horn", "boat", "log"]
        assert len(re.findall(r"\d[^<]%", asked)) == 16


def test_the_log_of_somebody_holds_whoever_came_with_others_in_one_line_and_whom_a_seat_was_given(
    client: TestClient,
) -> None:
    ana = opens(client, "conteur")
    bob = Guest(client, link_in(ana.invites("Bob")))
    ana.sends("/do/people", text="trois brutes visibles")
    brutes = re.findall(r'id="sheet-(\w+)"', ana.reads())
    assert len(brutes) == 3
    seat = bob.base.rpartition("/")[2]
    ana.sends("/do/give", record=brutes[1], owner=seat)
    for who in brutes:
        assert "Brute 3" in account(ana.reads(f"/log?who={who}"))
    given = account(ana.reads(f"/log?who={seat}"))
    assert say("web.happened.record-given", who="Bob", name="Brute 2", text="", move="") in given
    assert "Brute 2" in account(ana.reads("/log?q=bob+brute")), "the words that are read there are found"


def account(page: str) -> str:
    """The lines of the log, without what stands around them."""
    return page[page.index('id="account"'):]


def test_what_was_undone_is_named_and_nobodys_words_are_undone_with_it(client: TestClient) -> None:
    ana, bob, cy, nour = around(client)
    throws(bob, nour)
    assert pinned(ana.reads()).count('id="move-1"') == 1
    cy.sends("/do/say", text="bien joué")
    assert "bien joué" not in strip_undo(ana.reads()), "an action is undone, not what a player said about it"
    ana.sends("/do/undo-last")
    named = say("web.undone_act_of", what=titled("moves.simple-test", "simulacres"), who="Nour Valcourt")
    for who in (ana, bob, cy):
        told = account(who.reads("/log"))
        assert "bien joué" in told
        assert told.count(say("web.happened.corrected", who="Ana", name=named, text="", move="")) == 1


def strip_undo(page: str) -> str:
    """What the game master's strip would undo."""
    return page[page.index('id="gm-undo"'):].partition("</form>")[0]


def test_what_is_lacking_is_asked_with_its_answers_and_saying_nothing_is_none_of_them(client: TestClient) -> None:
    ana = opens(client, "conteur")
    bob = Guest(client, link_in(ana.invites("Bob")))
    found = re.search(r'id="sheet-(\w+)"', bob.sends("/do/record", ready="maelle-tisserand"))
    assert found
    page = bob.sends("/do/start", move="throw", **{"cast:initiator": found[1], f"f:{found[1]}:attribute": "dexterity"})
    ana.sends("/do/fill", number="1", **{"f:gm:difficulty": "2"})
    page = bob.reads()
    bar = page[page.index('id="yours"'):]
    answers = re.findall(rf'name="f:{found[1]}:skill" value="([^"]*)"', bar.partition("</section>")[0])
    assert "Tir" in answers, "not « impossible », and « Valider »"
    assert "" not in answers


def test_a_few_words_that_are_all_that_is_asked_are_said_by_one_tap(client: TestClient) -> None:
    ana = opens(client, "conteur")
    bob = Guest(client, link_in(ana.invites("Bob")))
    found = re.search(r'id="sheet-(\w+)"', bob.sends("/do/record", ready="maelle-tisserand"))
    assert found
    ana.sends("/do/start", move="inflict-wound", **{"cast:victim": found[1]})
    ana.sends("/do/fill", number="1", complete="1", **{"f:gm:part": "left_arm", "f:gm:levels": "1"})
    page = bob.reads()
    bar = page[page.index('id="yours"'):].partition("</section>")[0]
    assert re.findall(rf'name="f:{found[1]}:avoid" value="([^"]*)"', bar) == ["0", "1"]
    assert say("web.said_so") not in bar


def test_a_value_that_no_longer_holds_is_refused_in_words() -> None:
    teller = Teller("fr", find_system("conteur"))
    told = teller.error(UnknownName("value", "left_arm", ["right_arm"]), spelled=False)
    assert "_" not in told
    assert "bras droit" in told


@pytest.mark.parametrize(("game", "ready", "words", "said"), [
    ("conteur", "maelle-tisserand", "3 très ardue", "3"), ("simulacres", "nour", "−2", "Difficile"),
])
def test_whoever_asks_for_a_test_says_how_hard_it_is_along_with_it(
    client: TestClient, game: str, ready: str, words: str, said: str
) -> None:
    ana = opens(client, game)
    bob = Guest(client, link_in(ana.invites("Bob")))
    found = re.search(r'id="sheet-(\w+)"', bob.sends("/do/record", ready=ready))
    assert found
    page = ana.reads()
    drawer = page[page.index('action="' + ana.base + '/do/ask"'):].partition("</form>")[0]
    steps = re.findall(r'name="judged:(\w+)" value="([^"]*)"[^>]*> <span>([^<]*)', drawer)
    name, value, _ = next(step for step in steps if words in step[2].replace("\xa0", " "))
    goes = re.findall(r'name="go" value="([^"]*)"', drawer)[0]
    ana.sends("/do/ask", of=found[1], go=goes, **{f"judged:{name}": value})
    page = bob.reads()
    told = re.sub(r"<[^>]*>", " ", page[page.index('id="move-1"'):].partition("</dl>")[0])
    assert said in told.partition(titled(f"fields.{name}", game).strip(" ?\xa0"))[2], "it is told to whoever is asked"


def test_each_is_asked_for_what_is_theirs_to_say_and_not_for_what_the_other_lacks(client: TestClient) -> None:
    """Both sides of an opposition have fields of the same name: Oreste's player must still say a skill, Maëlle's said
    hers, and lacks an attribute."""
    ana = opens(client, "conteur")
    bob, zoe = (Guest(client, link_in(ana.invites(name))) for name in ("Bob", "Zoé"))
    maelle, oreste = (re.findall(r'id="sheet-(\w+)"', who.sends("/do/record", ready=ready))[0]
                      for who, ready in ((bob, "maelle-tisserand"), (zoe, "oreste-valdore")))
    zoe.sends("/do/start", move="opposed-roll", **{"cast:initiator": oreste, "cast:opponent": maelle})
    zoe.sends("/do/fill", number="1", **{f"f:{oreste}:attribute": "social"})
    bob.sends("/do/fill", number="1", **{f"f:{maelle}:skill": "Tir"})
    asked = bar(bob.reads())
    assert say("fields.attribute.title", system="conteur") in asked
    assert say("fields.skill.title", system="conteur") not in asked


def test_an_opponent_who_would_have_no_dice_is_asked_for_a_skill_before_they_fall(client: TestClient) -> None:
    ana = opens(client, "conteur")
    bob, zoe = (Guest(client, link_in(ana.invites(name))) for name in ("Bob", "Zoé"))
    maelle, oreste = (re.findall(r'id="sheet-(\w+)"', who.sends("/do/record", ready=ready))[0]
                      for who, ready in ((bob, "maelle-tisserand"), (zoe, "oreste-valdore")))
    zoe.sends("/do/start", move="opposed-roll", **{"cast:initiator": oreste, "cast:opponent": maelle})
    zoe.sends("/do/fill", number="1", **{f"f:{oreste}:attribute": "social", f"f:{oreste}:skill": "Négocier"})
    bob.sends("/do/fill", number="1", **{f"f:{maelle}:attribute": "mental"})
    assert say("fields.skill.title", system="conteur") in bar(bob.reads())
    assert say("web.throw") not in bar(zoe.reads())
    bob.sends("/do/fill", number="1", **{f"f:{maelle}:skill": "Marchander"})
    assert say("web.throw") in bar(zoe.reads())


def test_against_what_is_not_known_of_the_other_ones_own_throw_is_weighed_and_called_so(client: TestClient) -> None:
    """A duel: what Isidore adds up is his player's. Bob reads his own chance, and not as that of winning."""
    ana, bob, cy, nour = around(client)
    isidore = next(one for one in re.findall(r'id="sheet-(\w+)"', cy.reads()) if one != nour)
    zoe = Guest(client, link_in(ana.sends("/links", name="Zoé", grade="spectator")))
    said = {"component": "body", "means": "action", "realm": "mechanical"}
    bob.sends("/do/start", move="duel", **{"cast:initiator": nour, "cast:opponent": isidore},
              **{f"f:{nour}:{name}": value for name, value in said.items()})
    cy.sends("/do/fill", number="1", **{f"f:{isidore}:{name}": value for name, value in said.items()})
    ana.sends("/do/fill", number="1", **{"f:gm:difficulty": "pluie:-4"})
    alone = say("web.throw_alone", who="Nour").partition("Nour")[2]
    assert alone in bob.reads()
    assert say("web.side_chance", who="Nour").partition("Nour")[0] not in bar(bob.reads())
    for who in (ana, zoe):
        assert alone not in who.reads()
