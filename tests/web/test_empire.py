"""An evening of Empire galactique in browsers, by visible words and roles."""

import os
import re

import pytest
from playwright.sync_api import expect

from .conftest import OpenTable, Person

pytestmark = pytest.mark.needs("chromium")


def pictured(who: Person, name: str) -> None:
    """A picture for whoever wants to look: PARAVENT_PICTURES names the folder."""
    folder = os.environ.get("PARAVENT_PICTURES")
    if folder:
        who.page.screenshot(path=f"{folder}/{name}.png", full_page=True)


def taps(who: Person, words: str | re.Pattern[str]) -> None:
    who.bar.get_by_role("button", name=words).first.click()


def test_a_youth_is_lived_year_by_year(open_table: OpenTable) -> None:
    """From six dice to the gate of the school: each year is one tap, applies at once, and is told to the table."""
    table = open_table("empire", waiting=False)
    ana, bob = table.gm(), table.joins("Bob")
    bob.goes(f"{bob.base}/new")
    bob.page.get_by_role("button", name="Commencer", exact=True).click()
    bob.roll.click()
    card = bob.card("roll-characteristics")
    expect(card.get_by_text(re.compile(r"\d+ points à répartir")).first).to_be_visible()
    pictured(bob, "pool")
    card.get_by_role("textbox", name=re.compile("^Nom")).fill("Sola")
    pictured(bob, "spread")
    card.get_by_role("radio", name="femme").check(force=True)
    bob.main.click()
    pictured(ana, "spread-gm")
    ana.applies()
    expect(bob.sheets.get_by_text("Sola").first).to_be_visible()
    pictured(bob, "born")
    bob.finds("enter-school").click()
    expect(bob.bar.get_by_role("button", name=re.compile(r"soldat Force \d+ \d"))).to_be_visible()
    pictured(bob, "guilds")
    taps(bob, re.compile("aventurier"))
    bob.main.click()
    board = bob.acting.get_by_role("region", name="Une jeunesse")
    expect(board).to_be_visible()
    pictured(bob, "career")
    taps(bob, "Encore un an d'école")
    expect(board.get_by_text("19 ans", exact=True)).to_be_visible()
    pictured(bob, "career19")
    taps(bob, "Finir le cycle")
    expect(board.get_by_text("22 ans", exact=True).first).to_be_visible()
    pictured(bob, "career22")
    pictured(ana, "career22-gm")
    taps(bob, "Partir")
    expect(board).to_be_hidden()
    pictured(bob, "left")
