"""Conteur D10 as it is played: an evening through its six moments, by what people read and touch and nothing else.

Three browsers, one of them a phone; nobody but the game master ever learns of Zéphirin in the shadows.
"""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from paravent.table import playing

from .conftest import PHONE, OpenTable, Person

FACES: list[int] = []
Fall = Callable[..., None]


class FacesInOrder:
    """Dice that fall as the story wants, then on 9."""

    def throw(self, role: str, n: int, sides: int) -> tuple[int, ...]:
        return tuple(FACES.pop(0) if FACES else 9 for _ in range(n))

    def skip(self, n: int, sides: int) -> None:
        return None

    def stream(self, name: str) -> "FacesInOrder":
        return self


@pytest.fixture
def fall(monkeypatch: pytest.MonkeyPatch) -> Fall:
    """Say how the next dice fall."""
    monkeypatch.setattr(playing, "faces_of", lambda *_: FacesInOrder())
    FACES.clear()
    return lambda *faces: FACES.extend(faces)


Words = str | re.Pattern[str]


def shown(what: Any) -> Any:
    """The first of these that can be seen."""
    return what.locator("visible=true").first


def taps(where: Any, words: Words, role: Any = "button") -> None:
    """Touch what is called so."""
    shown(where.get_by_role(role, name=words, exact=isinstance(words, str))).click()


def chooses(who: Person, field: str, option: str) -> None:
    """Choose from a list by what it reads, once it is there to be read."""
    listed = shown(who.acting.get_by_role("combobox", name=field))
    expect(listed.get_by_role("option", name=option, exact=True)).to_be_attached()
    listed.select_option(label=option)


def judges(who: Person, words: str) -> None:
    shown(who.bar.get_by_text(words, exact=True)).click()


def throws(who: Person) -> None:
    taps(who.bar, re.compile("^Lancer"))


def keeps(who: Person) -> None:
    taps(who.bar, "Garder ce résultat")


def begins(who: Person, move: str) -> None:
    """Take an action by its name; where it does not stand there, look for it."""
    words = re.compile(f"^{move}")
    named = who.page.get_by_role("link", name=words).or_(who.page.get_by_role("button", name=words))
    searched = who.page.get_by_role("searchbox").locator("visible=true")
    expect(named.locator("visible=true").or_(searched).first).to_be_visible()
    if not named.locator("visible=true").count():
        searched.first.fill(move)
    shown(named).click()


def creates(bob: Person, ana: Person) -> None:
    """A character with a name and three skills of the table's ideas, which the game master accepts in one tap."""
    taps(bob.page, "Amener un personnage", "link")
    taps(bob.page, re.compile("^Créer le vôtre"), "link")
    taps(bob.page, "Commencer")
    expect(bob.page.get_by_text("il manque un nom").first).to_be_visible()
    expect(bob.page.get_by_role("spinbutton", name="Mental")).to_have_value("5")
    bob.page.get_by_role("textbox", name="Nom", exact=True).first.fill("Léa Sauret")
    bob.page.get_by_role("spinbutton", name="Dextérité").fill("7")
    for at, (skill, family, dice) in enumerate((("Mécanique", "knowledge", 4), ("Tir", "actions", 3),
                                                ("Corps à corps", "actions", 3)), start=1):
        row = bob.page.get_by_role("row").nth(at)
        row.get_by_label("Nom").fill(skill)
        row.get_by_label("Valeur").fill(str(dice))
        expect(row.get_by_label("Champ")).to_have_value(family)
    taps(bob.page, "Remettre la fiche")
    expect(ana.acting.get_by_text("Conforme aux règles")).to_be_visible()
    expect(ana.acting.get_by_text(re.compile(r"Chance\D*5/5")).first).to_be_visible()
    taps(ana.bar, "Accepter")
    expect(bob.sheets.get_by_role("heading", name="Léa Sauret")).to_be_visible()


def throws_a_handful(bob: Person, ana: Person, fall: Fall) -> None:
    """Two taps on the sheet, one for the difficulty, a die thrown again for a 1."""
    taps(bob.sheets, re.compile("^Dextérité"))
    expect(shown(bob.acting.get_by_role("combobox", name="Attribut"))).to_have_value("dexterity")
    taps(bob.sheets, re.compile("^Mécanique"))
    expect(bob.acting.get_by_role("radio", name=re.compile("^4 dés"))).to_be_checked()
    judges(ana, "ardue")
    fall(1, 9, 10, 1, 3)
    throws(bob)
    expect(bob.bar.get_by_text("annulé").first).to_be_visible()
    expect(bob.bar.get_by_text("1 succès sur 2")).to_be_visible()
    taps(bob.bar, "Relancer le dé 9")
    bob.hears("Léa Sauret obtient 2 succès")


def opposes(bob: Person, ana: Person, cy: Person, fall: Fall) -> None:
    """Against somebody of whom one line tells, and whom nobody sees."""
    shown(ana.page.get_by_label("Faire entrer")).fill("Zéphirin : 5, 3 dés")
    taps(ana.page, "Ajouter")
    expect(ana.sheets.get_by_role("heading", name="Zéphirin")).to_be_visible()
    begins(ana, "Jet en opposition")
    dialog = shown(ana.page.get_by_role("dialog"))
    dialog.get_by_role("combobox", name=re.compile("^Celui qui agit")).select_option(label="Léa Sauret (Bob)")
    taps(dialog, re.compile("^Zéphirin"))
    chooses(bob, "Attribut", "dextérité 7")
    chooses(bob, "Compétence", "Corps à corps 3")
    chooses(ana, "Attribut", "dextérité 5")
    chooses(ana, "Compétence", "Métier 3")
    fall(3, 3, 9)
    throws(bob)
    keeps(bob)
    bob.hears("Léa Sauret l'emporte sur quelqu'un : 2 succès contre 0")
    ana.hears("Léa Sauret l'emporte sur Zéphirin")
    assert not any(who.knows("Zéphirin") for who in (bob, cy))


def perseveres(cy: Person, ana: Person, bob: Person, fall: Fall) -> None:
    """A complex action on a phone: its track, its chances, one more turn in one tap, given up in another."""
    taps(cy.page, "Agir")
    begins(cy, "Commencer une action complexe")
    taps(shown(cy.page.get_by_role("dialog")), "Commencer")
    shown(cy.page.get_by_role("textbox", name="Action tentée")).fill("Forcer le sas")
    chooses(cy, "Attribut", "dextérité 6")
    chooses(cy, "Compétence", "Enquête 4")
    judges(ana, "redoutable")
    fall(3, 3, 9, 9)
    throws(cy)
    keeps(cy)
    for who in (cy, bob):
        expect(who.acting.get_by_role("heading", name="Forcer le sas").first).to_be_visible()
        expect(who.acting.get_by_role("meter", name="Stock")).to_have_attribute("aria-valuenow", "2")
        expect(who.acting.get_by_text("Achevée au plus tard au tour 2")).to_be_visible()
    taps(cy.bar, "Poursuivre une action complexe")
    fall(10, 9, 9, 9)
    throws(cy)
    keeps(cy)
    bob.hears("Yuna Kadiri recule (Forcer le sas) : 1 succès sur 4 au tour 2")
    taps(cy.bar, "Abandonner une action complexe")
    bob.hears("Yuna Kadiri abandonne (Forcer le sas)")


def is_hurt(cy: Person, ana: Person, bob: Person) -> None:
    """The game master touches a body, and says how badly; whoever is hurt answers with luck, and all see it."""
    yuna = ana.sheets.get_by_role("article", name="Yuna Kadiri")
    yuna.get_by_text("La fiche", exact=True).click()
    taps(yuna, re.compile("^Infliger une blessure : bras gauche"))
    shown(ana.acting.get_by_role("radio", name=re.compile("trois niveaux"))).check()
    shown(cy.acting.get_by_role("radio", name=re.compile("éviter un niveau"))).check()
    taps(cy.bar, "Valider")
    for who in (ana, bob):
        summary = who.sheets.get_by_role("article", name="Yuna Kadiri")
        expect(summary.get_by_text("bras gauche : sérieuse")).to_be_visible()


def lives(cy: Person, bob: Person, ana: Person) -> None:
    """A meal, what a scene costs everybody, a night, and the day after."""
    begins(bob, "Manger")
    judges(bob, "repas complet")
    expect(bob.sheets.get_by_role("meter", name="Énergie")).to_have_attribute("aria-valuetext", "20/24, en forme")
    strip = ana.page.get_by_role("navigation").filter(has_text="Scène")
    strip.get_by_text("Scène", exact=True).click()
    shown(strip.get_by_role("textbox", name="Titre")).fill("La coursive")
    taps(strip, "Commencer")
    expect(strip.get_by_text("La coursive", exact=True)).to_be_visible()
    strip.get_by_text("Scène", exact=True).click()
    shown(strip.get_by_role("radio", name="2", exact=True)).check()
    taps(strip, "Clore la scène")
    expect(bob.sheets.get_by_role("meter", name="Énergie")).to_have_attribute("aria-valuetext", "18/24, normal")
    strip.get_by_text("Temps", exact=True).click()
    taps(strip, "une nuit")
    for who in (bob, cy):
        taps(who.bar, "Valider")
    expect(cy.page.get_by_text("jour 2, 08 h 00").first).to_be_visible()
    taps(cy.page, "Fiches")
    taps(cy.sheets, re.compile("^Guérir : bras gauche"))
    taps(cy.bar, "Valider")
    bob.hears("Yuna Kadiri se soigne (bras gauche) : 1 sur 5")


@pytest.mark.evening
@pytest.mark.needs("chromium")
def test_an_evening_through_the_six_moments(open_table: OpenTable, fall: Fall) -> None:
    table = open_table("conteur", waiting=False)
    ana, bob, cy = table.gm(), table.joins("Bob"), table.joins("Cy", viewport=PHONE)
    taps(cy.page, "Fiches")
    taps(cy.page, "Jouer Yuna Kadiri")
    creates(bob, ana)
    throws_a_handful(bob, ana, fall)
    opposes(bob, ana, cy, fall)
    perseveres(cy, ana, bob, fall)
    is_hurt(cy, ana, bob)
    lives(cy, bob, ana)
