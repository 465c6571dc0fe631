"""Life at the table, in browsers: the hourglass runs on every page by itself, and the game master looks through a
player's eyes while nobody is counted as being there."""

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from .conftest import PHONE, OpenTable, Person, insists, say

SHOTS = os.environ.get("PARAVENT_SHOTS", "")


def shot(person: Person, name: str) -> None:
    if SHOTS:
        person.page.screenshot(path=str(Path(SHOTS) / f"{name}.png"))


@pytest.mark.needs("chromium")
def test_an_hourglass_runs_before_all_and_nobody_asks_the_server_for_it(open_table: OpenTable) -> None:
    table = open_table("conteur", waiting=False)
    ana, bob, zoe = table.gm(), table.joins("Bob", viewport=PHONE), table.joins("Zoe", as_="spectator")
    zoe.goes(f"{zoe.base}/screen")
    ana.page.locator("#gm-time > summary").click()
    ana.page.locator("#hg-words").fill("La porte cède")
    shot(ana, "strip-time")
    ana.page.locator("#gm-time").get_by_role("button", name=say("web.spans.minutes", n=2), exact=True).click()
    asked: list[str] = []
    for who in (ana, bob, zoe):
        glass = who.page.locator("#hourglass")
        expect(glass).to_contain_text("La porte cède")
        expect(glass.locator(".left")).to_have_text(re.compile(r"^[12]:\d\d$"))
        who.page.on("request", lambda request: asked.append(request.url))
    now = zoe.page.locator("#hourglass .left").inner_text()
    shot(bob, "hourglass-phone")
    shot(zoe, "hourglass-screen")
    for who in (ana, bob, zoe):
        expect(who.page.locator("#hourglass .left")).not_to_have_text(now)
    assert asked == [], "it runs by itself"
    bob.comes_back()
    expect(bob.page.locator("#hourglass .left")).to_have_text(re.compile(r"^[01]:\d\d$"))
    ana.does("turn-hourglass", seconds=1, words="Vite")
    expect(bob.page.locator("#hourglass .over")).to_be_visible()
    expect(bob.page.locator("#hourglass .over")).to_have_text(say("web.hourglass.over"))
    ana.does("turn-hourglass")
    expect(bob.page.locator("#hourglass")).to_be_hidden()


@pytest.mark.needs("chromium")
def test_the_game_master_sees_a_players_page_live_and_can_do_nothing_there(open_table: OpenTable) -> None:
    table = open_table("conteur", waiting=False)
    ana, bob, cy = table.gm(), table.joins("Bob"), table.joins("Cy")
    ana.says("/n Brandt ment.")
    ana.hears("Brandt ment.")
    ana.goes(f"{ana.base}/links")
    ana.page.get_by_role("link", name=say("web.watching.see", name="Bob")).click()
    expect(ana.page.get_by_text(say("web.watching.title", name="Bob")).first).to_be_visible()
    cy.says("Nous descendons.")
    expect(ana.page.locator("#log").get_by_text("Nous descendons.")).to_be_visible()
    bob.says("/w Cy sans Ana")
    cy.hears("sans Ana")
    cy.says("Encore plus bas.")
    expect(ana.page.locator("#log").get_by_text("Encore plus bas.")).to_be_visible()
    assert "sans Ana" not in ana.page.content()
    assert "Brandt" not in ana.page.content()
    expect(ana.line).to_be_disabled()
    shot(ana, "watching")
    assert ana.page.locator("fieldset.shell :is(button, input, select, textarea):not(:disabled)").evaluate_all(
        "found => found.every((one) => one.closest('.tabs'))")
    bob.page.close()
    expect(cy.page.locator("#seats li.away", has_text="Bob")).to_be_attached()
    ana.page.get_by_role("link", name=say("web.watching.back")).click()
    expect(ana.page.locator("#gm-time")).to_be_visible()


@pytest.mark.needs("chromium")
def test_pages_to_prepare_and_to_invite_look_as_they_should(open_table: OpenTable) -> None:
    table = open_table("conteur", waiting=False)
    ana = table.gm()
    table.joins("Bob")
    ana.goes(f"{ana.base}/invite")
    expect(ana.page.get_by_role("heading", name=say("web.inviting.title"), exact=True)).to_be_visible()
    shot(ana, "invite")
    ana.page.locator("#seat-name").fill("Dom")
    ana.clicks("web.invite")
    expect(ana.page.get_by_text(say("web.link_for", who="Dom"))).to_be_visible()
    ana.goes(f"{ana.base}/prepare")
    ana.page.locator("#deck").get_by_role("button", name=say("web.prepare.aside"), exact=True).last.click()
    expect(ana.page.locator("#deck li b")).to_have_count(1)
    shot(ana, "prepare")
    ana.clicks("web.prepare.draw_any")
    expect(ana.page.locator("#deck li b")).to_have_count(0)
    ana.goes(f"{ana.base}/campaign")
    shot(ana, "campaign")


@pytest.mark.needs("chromium")
def test_your_tables_have_one_line_each_and_a_demonstration_can_be_removed(open_table: OpenTable) -> None:
    table = open_table("conteur", waiting=False)
    ana = table.gm()
    table.joins("Bob", context=ana.context)
    ana.comes_back()
    ana.goes("/")
    lines = ana.page.locator("[data-yours] > li")
    expect(lines).to_have_count(1)
    lines.get_by_role("button", name=re.compile(f"^{say('web.home.forget')}")).click()
    expect(ana.page.locator("#your-tables")).to_be_hidden()
    ana.goes("/")
    expect(ana.page.locator("#your-tables")).to_be_hidden()


@pytest.mark.needs("chromium")
def test_whom_the_last_moment_was_for_is_not_whom_the_next_one_is_for(open_table: OpenTable) -> None:
    table = open_table("conteur", waiting=False)
    ana, bob = table.gm(), table.joins("Bob", viewport=PHONE)
    time = ana.page.locator("#gm-time")
    for words, shown in (("Le ferry quitte le quai nord", True), ("Brandt revient", False)):
        insists(time.locator("#tc-words"), time.locator("> summary").click)
        expect(time.get_by_role("checkbox", checked=True)).to_have_count(0)
        time.locator("#tc-words").fill(words)
        time.locator("#tc-time").fill("23:00")
        if shown:
            time.get_by_label(say("web.shelf.everybody")).check()
        time.get_by_role("button", name=say("web.to_come.set"), exact=True).click()
        expect(time.locator("li").filter(has_text=words)).to_be_attached()
    next_one = bob.page.locator("#clock .to-come")
    expect(next_one).to_contain_text("Le ferry quitte le quai nord")
    assert next_one.evaluate("one => one.scrollWidth <= one.clientWidth"), "a phone reads it whole"
    shot(bob, "to-come-phone")
    assert not bob.knows("Brandt revient")
