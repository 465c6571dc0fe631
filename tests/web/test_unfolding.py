"""Room on the page: sheets of others come when unfolded, moves are found among very many, a scene moves nothing."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import PHONE, OpenTable, Person, say, titled

pytestmark = pytest.mark.needs("chromium")
MAELLE, ANSELME = "Maëlle Tisserand", "Anselme Ruvier"
DEXTERITY = titled("fields.dexterity", "conteur")


def sheet_of(person: Person, name: str) -> tuple[Any, Any]:
    """A sheet, and what unfolds it."""
    sheet = person.sheets.get_by_role("article", name=name)
    return sheet, sheet.get_by_text(say("web.whole_sheet"), exact=True)


def test_an_unfolded_sheet_is_kept_up_to_date_under_the_hand(open_table: OpenTable) -> None:
    table = open_table("conteur", waiting=False)
    ana, bob = table.gm(), table.joins("Bob")
    sheet, unfolds = sheet_of(ana, MAELLE)
    record = sheet.get_attribute("id").removeprefix("sheet-")
    assert not ana.knows("Remorqueurs à voile")  # light until asked for
    unfolds.focus()
    ana.page.keyboard.press("Enter")
    dexterity = sheet.get_by_role("button", name=re.compile(f"^{DEXTERITY}"))
    expect(dexterity).to_have_text(re.compile("7"))
    ana.page.keyboard.press("Tab")
    assert ana.page.evaluate("document.activeElement.closest('.fetched') !== null")  # what came is next
    dexterity.focus()
    bob.sheets.get_by_role("button", name=say("web.play_as", name=MAELLE)).click()
    expect(sheet.get_by_label(say("web.answers_for"))).to_have_value(bob.seat)
    bob.does("edit-record", record=record, path="dexterity", value=6)
    expect(dexterity).to_have_text(re.compile("6"))
    expect(dexterity).to_be_focused()

    unfolds.click()  # folded, it may change unseen, and is as it should be once it is unfolded again
    bob.does("edit-record", record=record, path="dexterity", value=5)
    unfolds.click()
    expect(dexterity).to_have_text(re.compile("5"))

    ana.page.set_viewport_size({"width": 720, "height": 1000})  # as wide as paper, where one panel is shown at a time
    ana.page.emulate_media(media="print")
    expect(dexterity).to_be_visible()
    expect(sheet.get_by_role("button", name=say("web.remove"))).to_be_hidden()


def test_a_sheet_is_fetched_only_by_those_who_see_it(open_table: OpenTable) -> None:
    table = open_table("conteur", waiting=False)
    ana, bob = table.gm(), table.joins("Bob")
    hidden = ana.does("add-record", ready="thea-lorme", seen_by=[])["record"]
    for part in ({}, {"HX-Request": "true"}):
        assert bob.page.request.get(f"{table.url}{bob.base}/sheet/{hidden}", headers=part).status == 404
    sheet, unfolds = sheet_of(bob, ANSELME)
    unfolds.click()
    expect(sheet.get_by_text("Médecine").first).to_be_visible()
    assert sheet.get_by_role("button", name=re.compile(f"^{DEXTERITY}")).count() == 0  # not his to act with
    assert not bob.knows("Théa")


def test_without_scripts_a_sheet_has_its_page_and_starts_moves_from_there(open_table: OpenTable) -> None:
    table = open_table("conteur", waiting=False)
    ana = table.gm(java_script_enabled=False)
    sheet, unfolds = sheet_of(ana, MAELLE)
    unfolds.click()
    sheet.get_by_role("link", name=say("web.open_sheet")).click()
    energy = titled("fields.energy", "conteur")
    ana.page.get_by_role("button", name=say("web.one_less", what=energy)).click()
    expect(ana.page.get_by_role("meter", name=energy)).to_have_attribute("aria-valuenow", "17")
    ana.page.get_by_role("button", name=re.compile(f"^{DEXTERITY}")).click()
    expect(ana.card("throw")).to_contain_text(MAELLE)


def test_a_move_is_found_among_very_many_and_stays_found(open_table: OpenTable) -> None:
    table = open_table("empire", waiting=False)
    ana, bob = table.gm(), table.joins("Bob")
    start = ana.acting.get_by_role("region", name=say("web.start_move"))
    listed = start.locator(".begin:visible")
    before = listed.count()
    start.get_by_role("searchbox", name=say("web.find_move")).fill("GRENADE")
    expect(listed).to_have_count(1)
    who = next(iter(bob.view["records"]))
    ana.does("start-move", move="skill-test", cast={"initiator": [who]})
    expect(ana.card("skill-test")).to_be_visible()
    expect(listed).to_have_count(1)
    ana.page.keyboard.press("Enter")
    expect(ana.page.locator("#starting")).to_contain_text(titled("moves.grenade", "empire"))
    ana.page.keyboard.press("Escape")
    start.get_by_role("searchbox").fill("")
    expect(listed).to_have_count(before)


def test_a_scene_opens_on_a_phone_and_nothing_moves(open_table: OpenTable) -> None:
    table = open_table("conteur")
    ana, bob = table.gm(), table.joins("Bob", viewport=PHONE)
    panels = bob.page.locator(".panels")
    before = panels.bounding_box()
    ana.does("open-scene", title="Le quart de nuit, et ce qu'il en reste au matin", kind="episode")
    ana.does("open-scene", title="La coursive des machines, sous la coque éventrée du cargo")
    expect(bob.page.locator(".scene-now")).to_be_visible()
    assert panels.bounding_box() == before
