"""An evening of Simulacres in browsers, by visible words: a test as a phrase, people in one line, a favourite."""

import os
import re

import pytest
from playwright.sync_api import expect

from .conftest import OpenTable, Person, say
from .test_secrets import settled

pytestmark = pytest.mark.needs("chromium")
NOUR = "Nour Valcourt"


def pictured(who: Person, name: str) -> None:
    """A picture for whoever wants to look: PARAVENT_PICTURES names the folder."""
    folder = os.environ.get("PARAVENT_PICTURES")
    if folder:
        who.page.screenshot(path=f"{folder}/{name}.png", full_page=True)


def test_a_test_is_a_phrase_a_step_and_a_throw(open_table: OpenTable) -> None:
    """The player's phrase stands; the game master's one tap on a step releases the dice, and the number is said."""
    table = open_table("simulacres")
    ana, bob = table.gm(), table.joins("Bob")
    bob.takes(NOUR)
    pictured(bob, "phrase-player")
    pictured(ana, "phrase-gm")
    expect(bob.card()).to_be_visible()
    ana.card().get_by_role("radio", name=re.compile("Malaisé")).check(force=True)
    pictured(ana, "judged-gm")
    expect(bob.page.get_by_text(re.compile(r"8\s: il faut 7 ou moins")).first).to_be_visible()
    bob.card().get_by_role("radio", name=re.compile("Esprit")).check(force=True)
    pictured(bob, "judged-player")


def test_three_thugs_enter_in_one_line_and_nobody_else_hears_of_them(open_table: OpenTable) -> None:
    table = open_table("simulacres")
    ana, bob, eve = table.gm(), table.joins("Bob"), table.joins("Eve", as_="spectator")
    ana.page.get_by_label(say("web.quick_people"), exact=True).fill("trois brutes moyennes, massue")
    ana.page.get_by_role("button", name=say("web.quick_people_now"), exact=True).click()
    for name in ("Brute 1", "Brute 2", "Brute 3"):
        expect(ana.sheets.get_by_role("heading", name=name)).to_be_visible()
    pictured(ana, "people-gm")
    ana.page.get_by_label(say("web.quick_people"), exact=True).fill("trois zorglubs")
    ana.page.get_by_role("button", name=say("web.quick_people_now"), exact=True).click()
    expect(ana.page.get_by_text("zorglubs").first).to_be_visible()
    settled(ana, bob, eve)
    for who in (bob, eve):
        who.comes_back()
        for word in ("Brute", "brute-1", "zorglubs"):
            assert not who.knows(word), (who.name, word)


def test_a_fight_runs_with_one_tap_for_all_the_brutes(open_table: OpenTable) -> None:
    """Two visible brutes against Nour: the game master seals both at once, as they stand."""
    table = open_table("simulacres")
    ana, bob = table.gm(), table.joins("Bob")
    bob.takes(NOUR)
    ana.page.get_by_label(say("web.quick_people"), exact=True).fill("deux brutes moyennes, massue, visibles")
    ana.page.get_by_role("button", name=say("web.quick_people_now"), exact=True).click()
    expect(bob.sheets.get_by_role("heading", name="Brute 2")).to_be_visible()
    people = {record["sheet"]["name"]: one for one, record in ana.view["records"].items()}
    cast = {"initiator": [people[NOUR]], "opponent": [people["Brute 1"], people["Brute 2"]]}
    number = ana.does("start-move", move="open-a-fight", cast=cast)["number"]
    ana.does("throw", number=number)
    ana.does("start-move", move="exchange", cast=cast, encounter=1)
    pictured(ana, "fight-gm")
    pictured(bob, "fight-player")
    all_mine = ana.page.get_by_role("button", name=say("web.seal_all", n=2), exact=True)
    all_mine.click()
    expect(all_mine).to_have_count(0)
    pictured(ana, "fight-sealed-gm")


def test_a_new_exchange_comes_into_view_with_everybody_on_the_board(open_table: OpenTable) -> None:
    """The form is what the bar asks for: it is brought up, above what is over; those who are awaited are seen too."""
    table = open_table("simulacres", waiting=False)
    ana, bob = table.gm(), table.joins("Bob")
    bob.page.get_by_role("button", name=say("web.play_as", name=NOUR), exact=True).click()
    ana.page.get_by_label(say("web.quick_people"), exact=True).fill("deux brutes moyennes, massue, visibles")
    ana.page.get_by_role("button", name=say("web.quick_people_now"), exact=True).click()
    expect(bob.sheets.get_by_role("heading", name="Brute 2")).to_be_visible()
    ana.finds("open-a-fight").click()
    nour, brute = (ana.page.locator(f"#starting [name='cast:{role}']:checked") for role in ("initiator", "opponent"))
    expect(brute).to_have_count(2)
    expect(nour).to_have_count(1)
    ana.page.locator("#starting button.main").click()
    ana.main.click()
    following = ana.page.locator("#yours").get_by_role("button", name="Passe d'armes", exact=True)
    bob.page.locator("#stage").evaluate("(stage) => { stage.scrollTop = stage.scrollHeight }")
    following.click()
    card = bob.page.locator("#stage .move.mine")
    expect(card.get_by_role("heading").first).to_be_in_viewport()
    expect(card.get_by_text("Qui frapper").first).to_be_in_viewport()
    assert bob.page.locator(".fighter.turn").count() >= 1
    for one in bob.page.locator(".fighter").all():
        expect(one).to_be_visible()
    assert bob.page.locator("#calm").count() == 0, "a fight is not calm"
    ana.page.get_by_role("button", name=say("web.seal_all", n=2), exact=True).click()
    bob.main.click()
    for who in ana.view["records"]:
        assert who not in ana.page.locator("#encounters").inner_text(), "people are called by their names"
