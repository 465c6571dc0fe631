"""Quick and clumsy hands: clicked twice, tapped again and again, on a phone, under a very long name."""

from typing import Any

import pytest
from playwright.sync_api import expect

from .budget import until
from .conftest import PHONE, OpenTable, say

pytestmark = pytest.mark.needs("chromium")
LONG = "Bob" + "é" * 57


def test_a_click_that_came_twice_asks_once_and_a_button_in_focus_goes_on_counting(open_table: OpenTable) -> None:
    table = open_table("conteur", waiting=False)
    ana, bob = table.gm(), table.joins(LONG, viewport=PHONE, is_mobile=True, has_touch=True)
    bob.page.get_by_role("button", name=say("web.play_as", name="Maëlle Tisserand"), exact=True).tap()
    page, tabs = bob.page, bob.page.get_by_role("navigation", name=say("web.panels"))
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]

    # A gauge, tapped again without leaving its button.
    energy = page.locator(".sheet.mine .gauge").last
    before = int(energy.locator(".num").inner_text().partition("/")[0])
    for taken in (1, 2, 3):
        energy.locator("button.step").first.tap()
        expect(energy.locator(".num")).to_contain_text(f"{before - taken}/")

    # Each panel is found again where it was left, and a move that begins comes into sight.
    sheets = page.locator(".panel.sheets > .scrolls")
    sheets.evaluate("(panel) => { panel.scrollTop = 300 }")
    tabs.get_by_role("button", name=say("web.act")).tap()
    page.locator("button.begin[value=throw]").first.dblclick()
    card = page.locator(".move.mine")
    expect(card).to_have_count(1)
    expect(card.get_by_role("heading").first).to_be_in_viewport()
    tabs.get_by_role("button", name=say("web.tab_sheets")).tap()
    assert sheets.evaluate("(panel) => panel.scrollTop") == 300

    # Nothing else was on its way.
    ana.says("voilà")
    expect(page.locator("#log")).to_contain_text("voilà")
    assert len(ana.view["moves"]) == 1


def test_what_is_sought_before_the_page_listens_is_found(open_table: OpenTable) -> None:
    ana = open_table("empire", waiting=False).gm()
    held: list[Any] = []
    # On a slow line words are typed before scripts are there.
    ana.page.route("**/static/vendor/htmx.js*", lambda route: held.append(route))
    ana.page.goto(ana.page.url, wait_until="commit")
    ana.page.get_by_role("searchbox", name=say("web.find_move")).fill("Créer un secteur")
    until(ana.page, lambda: bool(held), "no script was asked for")
    held.pop().continue_()
    expect(ana.page.locator("#found").get_by_role("link", name="Créer un secteur").first).to_be_visible()


def test_a_row_never_turns_into_another_under_the_finger(open_table: OpenTable) -> None:
    table = open_table("empire", waiting=False)
    bob, cy = table.joins("Bob"), table.joins("Cy")
    oriane = say("web.play_as", name="Oriane des Halliers")
    under_the_finger = cy.page.get_by_role("button", name=oriane, exact=True).element_handle()
    bob.page.get_by_role("button", name=say("web.play_as", name="Bastien Corvol"), exact=True).click()
    expect(cy.page.get_by_role("button", name=say("web.play_as", name="Bastien Corvol"), exact=True)).to_have_count(0)
    assert under_the_finger.inner_text() == oriane
