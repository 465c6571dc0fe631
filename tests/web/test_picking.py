"""A character of Solaires drawn from its own text, on a phone: words touched, walked to, dragged over."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import PHONE, OpenTable, Person

pytestmark = pytest.mark.needs("chromium")
LIFE = (
    "Née dans un dortoir de Pallas, Ressac a cousu des scaphandres avant ses dix ans. Douze ans récupératrice "
    "d'épaves, entre la vieille Ottoline et un équipage de fortes têtes. Depuis, elle plaide contre les assureurs."
)
TEMPER = "Curieuse au point d'ouvrir les portes scellées, têtue, elle compte tout à voix basse."
LOOKS = "Sa main est une pince de chantier, et un implant dort derrière sa nuque."


def begins(person: Person) -> Any:
    person.goes(f"{person.base}/new")
    person.page.get_by_role("button", name="Commencer", exact=True).first.click()
    person.page.wait_for_url(re.compile("/write/character"))
    page = person.page
    page.get_by_label("Pseudonyme", exact=True).fill("Ressac")
    page.get_by_label("Concept", exact=True).fill("Récupératrice d'épaves")
    page.get_by_role("textbox", name="Histoire").fill(LIFE)
    page.get_by_role("textbox", name="Caractère").fill(TEMPER)
    page.get_by_role("textbox", name="Apparence").fill(LOOKS)
    return page


def touches(page: Any, first: str, last: str = "") -> None:
    for word in filter(None, (first, last)):
        page.locator("[data-pick]").get_by_text(word, exact=True).first.click()


def test_a_phone_draws_a_character_out_of_its_text_and_one_word_lets_it_in(open_table: OpenTable) -> None:
    table = open_table("solaires", waiting=False)
    ana, lea = table.gm(), table.joins("Léa", viewport=PHONE, has_touch=True)
    page = begins(lea)
    maker = page.get_by_role("region", name="Choisir les éléments")
    touches(page, "scaphandres")  # the list stays chosen from one to the next: a word, a level
    maker.get_by_role("button", name="Professionnel").click()
    touches(page, "récupératrice", "épaves")
    maker.get_by_role("button", name="Expert").click()
    expect(page.get_by_role("link", name="récupératrice d'épaves")).to_contain_text("Carrières, Expert")
    touches(page, "vieille", "Ottoline")
    maker.get_by_role("radio", name="Relations").check()
    maker.get_by_role("button", name="Ami").click()
    touches(page, "Curieuse")
    maker.get_by_role("radio", name="Traits").check()
    maker.get_by_role("button", name="Extrême").click()
    touches(page, "pince", "chantier")
    maker.get_by_role("radio", name="Équipement").check()
    maker.get_by_label("Marque").select_option("cyb")
    maker.get_by_role("button", name="Amélioré").click()
    touches(page, "implant")
    maker.get_by_label("Marque").select_option("psi")
    maker.get_by_role("button", name="À la pointe").click()
    expect(page.locator("#faults")).to_contain_text("ensemble")  # an implant asks for its powers
    maker.get_by_role("button", name="Écrire").click()  # not everything stands in the text
    maker.get_by_label("Nom").fill("Coffret d'outils")
    with page.expect_response("**/do/draft"):
        maker.get_by_role("button", name="Standard").click()
    expect(maker.locator("[data-count]")).to_have_text("7")
    taken = maker.get_by_role("status")
    touches(page, "Douze", "équipage")  # what lies between is taken: that is said, and the last word stays chosen
    expect(taken).to_contain_text("récupératrice d'épaves")
    expect(taken).not_to_have_class("sr")
    expect(maker.get_by_label("Nom")).to_have_value("Équipage")
    touches(page, "équipage")
    expect(taken).to_have_class("sr")
    touches(page, "plaide", "portes")  # of another text: a new choice, not an endless one
    expect(maker.get_by_label("Nom")).to_have_value("Portes")
    touches(page, "portes")
    page.reload()  # what was drawn is kept
    expect(maker.locator("[data-count]")).to_have_text("7")

    page.get_by_text("Curieuse", exact=True).last.click()
    page.get_by_role("button", name="Important").last.click()
    expect(page.get_by_role("link", name="Curieuse")).to_contain_text("Important")
    expect(page.get_by_role("link", name=re.compile("^À corriger : .*ensemble"))).to_be_visible()
    expect(page.get_by_role("button", name="Remettre la fiche")).to_be_hidden()  # it could only be refused
    expect(maker.locator("[data-count]")).to_have_text("7")
    page.get_by_label("Ensemble de pouvoirs").select_option("matter")
    page.get_by_role("button", name="Remettre la fiche").click()
    page.wait_for_url(re.compile(f"{lea.base}/$"))
    ana.bar.get_by_role("button", name="Accepter").click()
    expect(ana.sheets.get_by_role("article", name="Ressac")).to_be_visible()
    sheet = next(held["sheet"] for held in lea.view["records"].values() if held["name"] == "Ressac")
    assert [one["name"] for one in sheet["careers"]] == ["Scaphandres", "Récupératrice d'épaves"]
    assert sheet["careers"][1]["source_text"] == "récupératrice d'épaves"
    assert [(one["name"], one["score"], one["tag"]) for one in sheet["equipment"]] == [
        ("Pince de chantier", 2, "cyb"), ("Implant", 3, "psi"), ("Coffret d'outils", 1, "")]


def test_words_are_walked_to_by_keys_and_dragged_over_by_a_mouse(open_table: OpenTable) -> None:
    lea = open_table("solaires", waiting=False).joins("Léa")
    page = begins(lea)
    text = page.get_by_role("group", name="Caractère")
    text.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_role("radio", name="Carrières")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Important").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Curieuse")).to_contain_text("Traits, Important")
    first, last = (text.get_by_text(word, exact=True).bounding_box() for word in ("voix", "basse"))
    page.mouse.move(first["x"] + 1, first["y"] + 8)
    page.mouse.down()
    page.mouse.move(last["x"] + last["width"] - 1, last["y"] + 8, steps=4)
    page.mouse.up()
    expect(page.locator("#part-picking").get_by_label("Nom")).to_have_value("Voix basse")


MANY = {
    "Carrières": ("Expert", "mécanicienne plongeuse soudeuse cantinière grutière docker radio pilote"),
    "Traits": ("Important", "têtue curieuse frileuse rieuse pieuse joueuse lente loyale"),
    "Relations": ("Ami", "Ottoline Bertin Salomé Pépin"),
    "Équipement": ("Amélioré", "chalumeau harnais lampe couteau gamelle boussole"),
}


@pytest.mark.evening
def test_a_phone_draws_twenty_six_elements_by_two_taps_each(open_table: OpenTable) -> None:
    table = open_table("solaires", waiting=False)
    ana, lea = table.gm(), table.joins("Léa", viewport=PHONE, has_touch=True)
    page = begins(lea)
    page.get_by_role("textbox", name="Histoire").fill(", ".join(words for _, words in MANY.values()))
    maker = page.get_by_role("region", name="Choisir les éléments")
    text, drawn = maker.get_by_role("group", name="Histoire"), 0
    for part, (level, words) in MANY.items():
        for at, word in enumerate(words.split()):
            text.get_by_text(re.compile(f"^{word},?$")).first.tap()
            if at == 0:  # the list stays chosen
                maker.get_by_role("radio", name=part).check()
            maker.get_by_role("button", name=level).tap()
            drawn += 1
            expect(maker.locator("[data-count]")).to_have_text(str(drawn))
    assert drawn == 26
    page.locator(".el > summary").first.tap()  # opened to be changed, it stays as narrow as the page
    expect(page.locator(".el > input").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.get_by_role("button", name="Remettre la fiche").click()
    page.wait_for_url(re.compile(f"{lea.base}/$"))
    ana.bar.get_by_role("button", name="Accepter").click()
    expect(ana.sheets.get_by_role("article", name="Ressac")).to_be_visible()
    sheet = next(held["sheet"] for held in lea.view["records"].values() if held["name"] == "Ressac")
    assert {part: len(sheet[part]) for part in ("careers", "traits", "relations", "equipment")} == {
        "careers": 8, "traits": 8, "relations": 4, "equipment": 6}
    assert all(one["source_text"] for one in sheet["careers"])
