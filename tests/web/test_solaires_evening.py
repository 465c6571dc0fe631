"""Evenings of Solaires in three browsers, one of them a phone, by visible words alone: from a text to a veto."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import PHONE, OpenTable, Person
from .test_budget import fall

__all__ = ["fall"]
pytestmark = [pytest.mark.needs("chromium"), pytest.mark.evening]
LIFE = "Zita pilote un remorqueur depuis dix ans. Curieuse de tout, elle porte un implant derrière la nuque."


def turns(person: Person, tab: str) -> None:
    """On a phone, the panel of that name."""
    tabs = person.page.get_by_role("navigation", name="Volets").get_by_role("button", name=re.compile(f"^{tab}"))
    if person.page.viewport_size["width"] == PHONE["width"]:
        tabs.first.click()


def tells(person: Person, name: str) -> None:
    """A character out of a text: who, a life, two passages."""
    page = person.page
    page.get_by_role("link", name="Amener un personnage").first.click()
    page.get_by_role("button", name="Commencer", exact=True).first.click()
    page.get_by_label("Pseudonyme", exact=True).fill(name)
    page.get_by_label("Concept", exact=True).fill("Pilote")
    page.get_by_role("textbox", name="Histoire").fill(LIFE)
    maker = page.get_by_role("region", name="Choisir les éléments")
    text = maker.get_by_role("group", name="Histoire")
    text.get_by_text("pilote", exact=True).click()
    maker.get_by_role("button", name="Expert").click()
    text.get_by_text("Curieuse", exact=True).click()
    maker.get_by_role("radio", name="Traits").check()
    maker.get_by_role("button", name="Important").click()
    text.get_by_text("implant", exact=True).click()
    maker.get_by_role("radio", name="Équipement").check()
    maker.get_by_label("Marque").select_option("psi")
    maker.get_by_role("button", name="À la pointe").click()
    page.get_by_label("Ensemble de pouvoirs").select_option("information")
    page.get_by_role("button", name="Remettre la fiche").click()


@pytest.mark.parametrize("edition", ["v4", "v5"])
def test_an_evening_of_solaires(open_table: OpenTable, fall: Any, edition: str) -> None:
    fall(2)
    table = open_table("solaires", waiting=False)
    ana, bob, zoe = table.gm(), table.joins("Bob"), table.joins("Zoé", viewport=PHONE, has_touch=True)
    chooses_edition(ana, edition)
    # 1. A character out of a text, on a phone; the game master says one word.
    tells(zoe, "Zita")
    ana.bar.get_by_role("button", name="Accepter").click()
    expect(ana.sheets.get_by_role("article", name="Zita")).to_be_visible()
    turns(zoe, "Fiches")
    expect(zoe.sheets.get_by_role("article", name="Zita")).to_be_visible()
    bob.sheets.get_by_role("button", name=re.compile("Cabestan")).first.click()
    expect(bob.sheets.get_by_role("article", name="Cabestan")).to_be_visible()
    acts(ana, bob, edition)
    tells_a_flashback(ana, bob, zoe)


def chooses_edition(ana: Person, edition: str) -> None:
    ana.goes(f"{ana.base}/options")
    form = ana.page.locator("form").filter(has=ana.page.get_by_label("Édition", exact=True))
    form.get_by_label("Édition", exact=True).select_option(edition)
    with ana.page.expect_navigation():
        form.get_by_role("button", name="Enregistrer").click()
    ana.comes_back()


def acts(ana: Person, bob: Person, edition: str) -> None:
    """2 and 3. An element touched on the sheet, a word, the dice; the grid lights up, a secret is asked about."""
    bob.sheets.get_by_role("button", name=re.compile("Pilote de remorqueur")).first.click()
    if edition == "v5":
        card = ana.acting.get_by_role("article", name="Tenter une action")
        card.locator("summary").filter(has_text="Plus d'options").last.click()
        card.get_by_label("Effets annoncés, 3 dés conservés").fill("+ du temps gagné")
        card.get_by_label("Effets secrets, 3 dés conservés").fill("un témoin")
        card.get_by_label("Effets secrets, 3 dés conservés").press("Tab")
    else:
        bob.acting.get_by_role("radio", name=re.compile("amplifiée|Amplifiée")).first.check()
    ana.bar.get_by_role("button", name=re.compile("^Complexe")).click()
    if edition == "v5":
        expect(bob.acting.get_by_role("row", name=re.compile("3 dés.*du temps gagné"))).to_be_visible()
    bob.roll.click()
    bob.bar.get_by_role("button", name="s'en tenir là").click()
    lit = bob.acting.get_by_role("row", name=re.compile("^3 dés"))
    expect(lit).to_have_attribute("aria-current", "true")
    ana.bar.get_by_role("button", name="Valider").click()  # what comes besides is told
    if edition == "v5":
        assert "un témoin" not in bob.wire
        ana.bar.get_by_role("button", name="Révéler").click()
        bob.hears("un témoin")


def tells_a_flashback(ana: Person, bob: Person, zoe: Person) -> None:
    """4. Written, priced, vetoed with a reason that nobody signs."""
    bob.finds("spend-points").click()
    card = bob.card("spend-points")
    expect(card).to_be_visible()
    flashback = card.get_by_role("radio", name=re.compile("flashback"))
    expect(card.get_by_text("2 pt").first).to_be_visible()
    flashback.check()
    card.get_by_role("textbox", name="Ce qui se passe").fill("hier, sur le quai")
    card.get_by_role("textbox", name="Ce qui se passe").press("Tab")
    ana.bar.get_by_role("button", name="Valider").click()  # the price, as it stands
    zoe.bar.get_by_role("textbox", name="Pourquoi, si on veut").fill("trop facile")
    zoe.bar.get_by_role("button", name="oui", exact=True).click()
    bob.hears("trop facile")
    bob.hears("points reviennent à Cabestan")
