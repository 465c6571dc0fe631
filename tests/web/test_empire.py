"""An evening of Empire galactique in browsers, by visible words and roles."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import OpenTable, Person, picks
from .evening import keep_picture
from .test_access import violations

pytestmark = pytest.mark.needs("chromium")


def taps(who: Person, words: str | re.Pattern[str]) -> None:
    who.bar.get_by_role("button", name=words).first.click()


@pytest.mark.evening
def test_a_youth_is_lived_year_by_year(open_table: OpenTable) -> None:
    """From six dice to the gate of the school: each year is one tap, applies at once, and is told to the table."""
    table = open_table("empire", waiting=False)
    ana, bob = table.gm(), table.joins("Bob")
    bob.goes(f"{bob.base}/new")
    bob.page.get_by_role("button", name="Commencer", exact=True).click()
    bob.roll.click()
    card = bob.card("roll-characteristics")
    expect(card.get_by_text(re.compile(r"\d+ points à répartir")).first).to_be_visible()
    card.get_by_role("textbox", name=re.compile("^Nom")).fill("Sola")
    picks(card.get_by_role("radio", name="femme"))
    bob.main.click()
    ana.applies()
    expect(bob.sheets.get_by_text("Sola").first).to_be_visible()
    bob.finds("enter-school").click()
    expect(bob.bar.get_by_role("button", name=re.compile(r"soldat Force \d+ \d"))).to_be_visible()
    keep_picture(bob.page, "empire-guilds")
    taps(bob, re.compile("aventurier"))
    bob.main.click()
    board = bob.acting.get_by_role("region", name="Une jeunesse")
    expect(board).to_be_visible()
    taps(bob, "Encore un an d'école")
    expect(board.get_by_text("19 ans", exact=True)).to_be_visible()
    taps(bob, "Finir le cycle")
    expect(board.get_by_text("22 ans", exact=True).first).to_be_visible()
    keep_picture(bob.page, "empire-career")
    assert violations(bob.page) == violations(ana.page) == []
    taps(bob, "Partir")
    expect(board).to_be_hidden()


def cell(who: Person, row: str, at: int) -> Any:
    """What stands in a grid beside one of its values."""
    return who.page.get_by_role("row", name=re.compile(f"^{row}")).get_by_role("cell").nth(at)


@pytest.mark.evening
def test_a_difficulty_and_an_aim_are_crossed_between_two_seats(open_table: OpenTable) -> None:
    """The player reads what each aim would bring for each difficulty; the game master's one tap is on a row."""
    table = open_table("empire", waiting=False)
    ana, bob = table.gm(), table.joins("Bob")
    bob.page.get_by_role("button", name="Jouer Solveig Arrant").click()
    expect(bob.sheets.get_by_text("Ma fiche")).to_be_visible()
    bob.finds("skill-test").click()
    expect(bob.card("skill-test")).to_be_visible()
    card = bob.card("skill-test")
    card.get_by_role("combobox", name="Compétence").select_option(label="46 Estimation")
    charm = card.get_by_role("radio", name=re.compile("Charme .*tirer, 14 · 91.% si c'est moyen"))
    expect(charm).to_be_attached()
    expect(card.get_by_role("radio", name=re.compile("Force"))).to_have_count(0)  # no other than the three
    picks(charm)
    expect(cell(bob, "précis", 1)).to_have_text(re.compile(r"55,6.%\s*4 dés"))
    picks(card.get_by_role("radio", name="précis"))
    keep_picture(bob.page, "empire-negotiation")
    expect(ana.bar.get_by_role("button", name=re.compile("^facile"))).to_be_visible()
    keep_picture(ana.page, "empire-negotiation-gm")
    assert violations(bob.page) == violations(ana.page) == []
    expect(cell(ana, "difficile", 2)).to_have_text(re.compile(r"5 dés"))
    expect(cell(ana, "moyenne", 2)).to_have_text(re.compile(r"55,6.%\s*4 dés"))
    taps(ana, re.compile("^moyenne"))
    bob.roll.click()
    expect(ana.acting.get_by_text("Qu'en dites-vous").first).to_be_visible()
    assert not bob.knows("Qu'en dites-vous")
    taps(ana, "le garder pour moi")
    expect(bob.log.get_by_text(re.compile(" (réussit|échoue)")).first).to_be_visible()
    assert not bob.knows("à peine")  # no adjective was told
