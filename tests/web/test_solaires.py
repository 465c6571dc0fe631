"""Solaires in the browser: until the dice are thrown one may go back, and whoever votes sees what is proposed."""

import pytest
from playwright.sync_api import expect

from .conftest import OpenTable, say

pytestmark = pytest.mark.needs("chromium")


def test_an_action_begun_on_the_sheet_is_taken_back_once_its_difficulty_is_known(open_table: OpenTable) -> None:
    table = open_table("solaires", waiting=False)
    ana, bob = table.gm(), table.joins("Bob")
    ana.does("set-options", options={"edition": "v5"})
    sheet = next(iter(ana.view["records"]))
    ana.does("give-record", record=sheet, owner=bob.seat)
    bob.comes_back()
    bob.page.locator(".sheets").get_by_text("Pilote de remorqueur").first.click()
    card = bob.page.locator(".move")
    expect(card.get_by_role("radio", name="Pilote de remorqueur").first).to_be_checked()
    ana.does("fill", number=1, values={"intrinsic": "insane", "scenario_interest": 2})
    expect(card).to_contain_text("Difficulté\u00a0: complexe (0).")
    expect(card).to_contain_text("Score à battre\u00a0: 3")
    expect(card).to_contain_text("50,0")  # though there may be a secret effect
    expect(card).not_to_contain_text("démentielle")
    card.locator("details.menu summary").first.click()
    card.get_by_role("button", name=say("web.withdraw"), exact=True).click()
    expect(bob.page.locator(".move.mine")).to_have_count(0)
    assert ana.view["moves"]["1"]["phase"] == "withdrawn"


def test_whoever_may_veto_reads_what_is_proposed_and_what_it_costs(open_table: OpenTable) -> None:
    table = open_table("solaires", waiting=False)
    ana, bob, zoe = table.gm(), table.joins("Bob"), table.joins("Zoé")
    sheet = next(iter(ana.view["records"]))
    ana.does("give-record", record=sheet, owner=bob.seat)
    bob.comes_back()
    bob.finds("spend-points").click()  # nobody else may put in
    expect(bob.card("spend-points")).to_be_visible()
    bob.does("fill", number=1, values={"use": "flashback", "text": "hier, sur le quai"})
    ana.does("fill", number=1, values={"cost": 2})
    zoe.comes_back()
    card = zoe.page.locator(".move.mine")
    expect(card.get_by_text("hier, sur le quai")).to_be_visible()
    zoe.bar.get_by_role("button", name="veto", exact=True).click()
    expect(ana.page.locator(".move").first).to_contain_text("2 points reviennent")
    assert ana.view["records"][sheet]["sheet"]["points"] == 2
    assert "Zoé" not in str(bob.view["moves"])


def test_whoever_let_words_pass_is_given_the_vote_again_when_they_change(open_table: OpenTable) -> None:
    table = open_table("solaires", waiting=False)
    ana, bob, zoe = table.gm(), table.joins("Bob"), table.joins("Zoé")
    ana.does("give-record", record=next(iter(ana.view["records"])), owner=bob.seat)
    bob.comes_back()
    bob.finds("spend-points").click()
    expect(bob.card("spend-points")).to_be_visible()
    bob.does("fill", number=1, values={"use": "flashback", "text": "hier, sur le quai"})
    ana.does("fill", number=1, values={"cost": 2})
    veto = zoe.bar.get_by_role("button", name="veto", exact=True)
    zoe.bar.get_by_role("button", name="laisser faire").click()
    expect(veto).to_have_count(0)
    bob.does("fill", number=1, values={"text": "hier, et toute la caisse avec"})
    expect(veto).to_be_visible()


def test_a_helper_who_pays_touches_the_die_and_the_others_read_what_they_vote_on(open_table: OpenTable) -> None:
    table = open_table("solaires", waiting=False)
    ana, bob, zoe = table.gm(), table.joins("Bob"), table.joins("Zoé")
    ana.does("set-options", options={"edition": "v5", "reroll_by": "helpers"})
    mine, hers, _ = ana.view["records"]
    ana.does("give-record", record=mine, owner=bob.seat)
    ana.does("give-record", record=hers, owner=zoe.seat)
    bob.does("start-move", move="action", cast={"initiator": [mine], "helper": [hers]},
             form={mine: {"element": "Pilote de remorqueur", "typical": True}})
    zoe.does("fill", number=1, values={"lent": "Géomètre"})
    ana.does("fill", number=1, values={"intrinsic": -2, "scenario_interest": 0})
    ana.does("answer", number=1, answer="agree")
    bob.does("throw", number=1, by_hand=True)
    bob.does("answer", number=1, answer=[1, 5, 6])
    bob.does("answer", number=1, answer="stop")
    zoe.comes_back()
    zoe.bar.get_by_role("button", name="5").first.click()
    bob.comes_back()
    expect(bob.bar).to_contain_text(say("choices.veto_reroll_die", system="solaires"))


def test_a_word_judges_with_its_odds_and_whoever_is_not_in_it_helps_by_one_touch(open_table: OpenTable) -> None:
    table = open_table("solaires", waiting=False)
    ana, bob, zoe = table.gm(), table.joins("Bob"), table.joins("Zoé")
    mine, hers, _ = ana.view["records"]
    ana.does("give-record", record=mine, owner=bob.seat)
    ana.does("give-record", record=hers, owner=zoe.seat)
    bob.does("start-move", move="action", cast={"initiator": [mine]},
             form={mine: {"goal": "accoster", "element": "Pilote de remorqueur", "typical": True}})
    ana.comes_back()
    words = ana.page.locator(".move fieldset.steps").filter(has_text="Démentielle")
    expect(words).to_contain_text("%")  # what each word would make of the odds
    bob.comes_back()
    expect(bob.page.locator(".move")).not_to_contain_text("Démentielle")
    ana.does("fill", number=1, values={"intrinsic": "insane"})
    zoe.comes_back()
    offer = zoe.page.locator(".move form.steps-in").get_by_role("button", name="Géomètre")
    expect(offer).to_contain_text("%")
    offer.click()
    expect(zoe.page.locator(".move form.steps-in")).to_have_count(0)
    assert bob.view["moves"]["1"]["fields"][hers]["lent"] == "Géomètre"


def test_a_new_board_comes_into_view_wherever_the_game_master_was_reading(open_table: OpenTable) -> None:
    table = open_table("solaires", waiting=False)
    ana = table.gm(viewport={"width": 1280, "height": 480})
    people = list(ana.view["records"])
    stage = ana.page.locator("#stage")
    number = ana.does("start-move", move="start-action-scene", cast={"participant": people})["number"]
    expect(ana.card("start-action-scene")).to_be_visible()
    stage.evaluate("stage => { stage.scrollTop = stage.scrollHeight }")
    ana.does("throw", number=number)
    expect(ana.page.locator(".encounter h3")).to_be_in_viewport()
