"""Simulacres after the blows, in browsers, by visible words and roles: poison, care, minds, time, and what is left.

Dice are typed in by hand where the story needs them to fall one way.
"""

import re

import pytest
from playwright.sync_api import expect

from .conftest import PHONE, WIDE, OpenTable, Person, picks, say
from .evening import keep_picture
from .test_simulacres_evening import NOUR, hears, panel, presses

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.evening]
LUDMILA = "Ludmila Orsay"
TYPES = re.compile(r"^Vrais dés$")


def begins(who: Person, title: str, about: str = "", **others: str) -> None:
    """An action found by its name; whom it is about is touched by name, or chosen in the list of a role."""
    panel(who, say("web.act"))
    who.page.get_by_role("searchbox", name=say("web.find_move")).fill(title)
    named = re.compile(f"^{re.escape(title)}")
    found = who.page.get_by_role("button", name=named).or_(who.page.get_by_role("link", name=named))
    expect(who.page.get_by_text(re.compile(r"^\d+ actions?$")).locator("visible=true")).to_have_count(1)
    expect(found.locator("visible=true")).to_have_count(1)
    found.locator("visible=true").click()
    asked = who.page.get_by_role("dialog", name=say("web.start_move"))
    if about:
        asked.get_by_role("button", name=re.compile(about)).first.click()
    for role, name in others.items():
        asked.get_by_role("combobox", name=role.capitalize().replace("_", " ")).select_option(label=name)
    if others:
        presses(who, say("web.begin"), asked)


def types(who: Person, *faces: int) -> None:
    """Real dice, their faces touched."""
    panel(who, say("web.now"))
    presses(who, TYPES, who.bar)
    touches(who, *faces)


def applies(ana: Person) -> None:
    """The game master's word on what is grave."""
    presses(ana, re.compile("^(Oui|Appliquer)"), ana.bar)


def weakened(ana: Person, bob: Person) -> None:
    """What befell Nour before: points lost, by the game master's hand."""
    begins(ana, "Appliquer un état", NOUR)
    for points in ("PV perdus", "EP perdus"):
        ana.page.get_by_role("spinbutton", name=points).fill("2")
    presses(ana, "Valider", ana.bar)
    panel(bob, say("web.tab_sheets"))
    expect(bob.page.get_by_text("3/5").first).to_be_visible()


def is_poisoned(bob: Person, ana: Person) -> None:
    """Bob resists under a virulence that he is never told; the game master taps what it does to him."""
    begins(bob, "Résister à un poison ou à une maladie")
    presses(ana, re.compile("^−4"), ana.bar)
    types(bob, 6, 4)
    hears(bob, re.compile("ne résiste pas"))
    presses(ana, re.compile("−1 à tous les tests"), ana.bar)
    applies(ana)
    panel(bob, say("web.tab_sheets"))
    expect(bob.page.get_by_text(re.compile("−1 à tous ses tests")).first).to_be_visible()


def is_dressed(lea: Person, bob: Person, ana: Person) -> None:
    begins(lea, "Panser une blessure", celui_qui_agit=LUDMILA, patient=f"{NOUR} (Bob)")
    types(lea, 1, 2)
    hears(lea, re.compile("panse la blessure"))
    applies(ana)
    panel(bob, say("web.tab_sheets"))
    expect(bob.page.get_by_text("4/5").first).to_be_visible()


def touches(who: Person, *faces: int) -> None:
    """The faces of dice that somebody else began to throw by hand."""
    panel(who, say("web.now"))
    pad = who.page.get_by_role("group", name=say("web.tap_faces"))
    for face in faces:
        pad.get_by_role("button", name=str(face), exact=True).click()
    presses(who, say("web.these_faces"), who.bar)


def is_listened_to(lea: Person, bob: Person, ana: Person) -> None:
    """A session: the carer succeeds, then the patient; what it brings comes with the days."""
    begins(lea, "Séance de soins psychiques", celui_qui_agit=LUDMILA, patient=f"{NOUR} (Bob)")
    types(lea, 1, 1)
    touches(bob, 1, 2)
    applies(ana)


def sleeps_a_week(ana: Person, bob: Person, lea: Person) -> None:
    """Time passes by one tap; everybody says how they spent it, and what it gives back is on the sheets."""
    ana.page.get_by_text("Temps", exact=True).locator("visible=true").first.click()
    presses(ana, "1 semaine")
    for who in (bob, lea):
        panel(who, say("web.now"))
        expect(who.bar.get_by_text("Reste à son action")).to_have_count(0)
        presses(who, "Valider", who.bar)
    panel(bob, say("web.tab_sheets"))
    expect(bob.page.get_by_text("3/4").first).to_be_visible()
    expect(bob.page.get_by_text("5/5").first).to_be_visible()


def keeps_up(bob: Person, ana: Person) -> None:
    """Précision paid with EP stands as a chip, serves the same phrase again for nothing, and is ended by a touch."""
    for paid in (True, False):
        begins(bob, "Test simple")
        panel(bob, say("web.now"))
        for word in ("^Corps", "^Action", "^Humain"):
            picks(bob.card().get_by_role("radio", name=re.compile(word)).first)
        if paid:
            for pips in ("^Précision", "équilibre"):
                group = bob.card().get_by_role("group", name=re.compile(pips)).first
                picks(group.get_by_role("radio", name="1", exact=True))
        presses(ana, re.compile("Normal"), ana.bar)
        types(bob, 2, 3)
        hears(bob, re.compile("réussit"))
        panel(bob, say("web.tab_sheets"))
        expect(bob.page.get_by_text("Précision +1 gardée\u00a0: Corps, Action, Humain").first).to_be_visible()
        expect(bob.page.get_by_text("1/4").first).to_be_visible()
    keep_picture(bob.page, "simulacres-chip")
    presses(bob, re.compile("^Ne plus soutenir"))
    expect(bob.page.get_by_text("Précision +1 gardée")).to_have_count(0)


def is_torn(bob: Person, ana: Person) -> None:
    """Fear is not resisted; the will opens by itself with the margin, and Bob takes hold of himself again."""
    begins(ana, "Résister (premier temps)", celui_qui_agit=f"{NOUR} (Bob)")
    presses(bob, re.compile("^Instincts"), bob.bar)
    types(bob, 6, 5)
    hears(bob, re.compile("ne résiste pas"))
    types(bob, 1, 1)
    hears(bob, re.compile("se reprend"))


def hopes(bob: Person, ana: Person) -> None:
    """The last chance: the game master agrees that all is lost, and it comes once."""
    begins(bob, "Dernière chance")
    presses(bob, re.compile("^Minéral"), bob.bar)
    presses(ana, say("web.agree"), ana.bar)
    types(bob, 6, 6)
    hears(bob, re.compile("Aucun miracle"))


def earns(bob: Person, ana: Person) -> None:
    """A table that plays with adventure points: a mission brings three."""
    ana.page.get_by_role("link", name=say("web.options")).first.click()
    ana.page.get_by_role("combobox", name="Jeu de règles").select_option(index=1)
    presses(ana, "Enregistrer les options")
    ana.comes_back()
    begins(ana, "Gagner et dépenser des points d'aventure", celui_qui_agit=f"{NOUR} (Bob)")
    panel(bob, say("web.now"))
    expect(bob.card("award-and-spend-pa").get_by_text("Nouveau hobby").first).to_be_visible()
    expect(bob.card("award-and-spend-pa").get_by_text("3 PA").first).to_be_visible()
    ana.page.get_by_role("combobox", name="Exploit").select_option(label="mission accomplie")
    presses(ana, say("web.agree"), ana.bar)
    hears(bob, re.compile("3 PA gagnés"))


def test_an_evening_of_care(open_table: OpenTable) -> None:
    table = open_table("simulacres", waiting=False)
    ana, bob, lea = table.gm(), table.joins("Bob", viewport=WIDE), table.joins("Léa", viewport=PHONE)
    presses(bob, say("web.play_as", name=NOUR))
    panel(lea, say("web.tab_sheets"))
    presses(lea, say("web.play_as", name=LUDMILA))
    weakened(ana, bob)
    is_poisoned(bob, ana)
    is_dressed(lea, bob, ana)
    keeps_up(bob, ana)
    is_listened_to(lea, bob, ana)
    is_torn(bob, ana)
    sleeps_a_week(ana, bob, lea)
    hopes(bob, ana)
    earns(bob, ana)
    keep_picture(bob.page, "simulacres-care")
