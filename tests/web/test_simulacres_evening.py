"""Simulacres in three browsers, by visible words and roles: a character, a phrase, a favourite, people, a fight."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import PATIENCE, PHONE, WIDE, OpenTable, Person, insists, picks, say
from .evening import keep_picture

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.evening]
NOUR, LEA = "Nour Valcourt", "Léa Sauret"
DICE = re.compile(r"^(Lancer( ·|$)|Valider$)")


def panel(who: Person, name: str) -> None:
    """On a phone, one panel is shown at a time."""
    tab = who.page.get_by_role("navigation", name=say("web.panels")).get_by_role("button", name=name)
    if tab.is_visible():
        tab.click()


def presses(who: Person, name: str | re.Pattern[str], where: Any = None) -> None:
    """A button that one sees, by its words."""
    found = (where or who.page).get_by_role("button", name=name, exact=isinstance(name, str))
    found.locator("visible=true").first.click()


def begins(who: Person, title: str) -> None:
    """An action found by its name: its card is there, or the form that begins it."""

    def finds() -> None:
        panel(who, say("web.act"))
        who.page.get_by_role("searchbox", name=say("web.find_move")).fill(title, timeout=PATIENCE / 6)
        who.page.get_by_text(title, exact=True).locator("visible=true").first.click(timeout=PATIENCE / 6)

    form = who.page.get_by_role("dialog").get_by_role("region", name=title)
    insists(form.or_(who.acting.get_by_role("article", name=title)).first, finds)


def taps(who: Person, words: str) -> None:
    """One of the choices on the card of a test."""
    picks(who.card().get_by_role("radio", name=re.compile(words)).first)


def throws(who: Person) -> None:
    panel(who, say("web.now"))
    presses(who, DICE, who.bar)


def hears(who: Person, words: str | re.Pattern[str]) -> None:
    expect(who.page.get_by_text(words).first).to_be_attached()


def creates(lea: Person, ana: Person) -> None:
    """Moment 4: five steps, an idea at each, a trade by a touch; what is left is said; then the sheet is handed in."""
    page = lea.page
    page.get_by_role("link", name=say("web.bring")).first.click()
    presses(lea, say("web.begin_creation"))
    expect(page.get_by_text("Composantes à placer")).to_be_visible()
    for idea, following in (("Flair", "Moyens"), ("Aux aguets", "Règnes"), ("La ville", "Savoirs")):
        presses(lea, idea)
        expect(page.get_by_text("tout est placé").first).to_be_visible()
        presses(lea, f"Suivant\u00a0: {following}")
    trade = page.get_by_role("group", name="Métier").get_by_role("combobox", name="Nom")
    expect(trade).to_have_count(1)
    for skill in ("Pilote", "Médecin", "Escalade", "Discrétion", "Échecs", "Danse"):
        presses(lea, skill)
    expect(trade).to_have_value("Médecin")  # one takes the place of the other
    expect(page.get_by_text("tout est placé")).to_have_count(3)
    presses(lea, "Suivant\u00a0: Relire")
    page.get_by_role("textbox", name="Nom", exact=True).locator("visible=true").first.fill(LEA)
    expect(page.get_by_text(say("web.no_faults"))).to_be_visible()
    keep_picture(lea.page, "simulacres-creation")
    presses(lea, say("web.hand_in"))
    presses(ana, say("web.agree"), ana.bar)
    insists(page.get_by_role("heading", name=LEA), lambda: panel(lea, say("web.tab_sheets")))


def tries_and_keeps(bob: Person, ana: Person) -> None:
    """Moments 1 and 2: the phrase from the matrix, one tap of the game master's, dice, a star; then the favourite."""
    panel(bob, say("web.tab_sheets"))
    presses(bob, re.compile("^Action, Corps"))
    panel(bob, say("web.now"))
    taps(bob, "^Mécanique 2")
    presses(ana, re.compile("Malaisé"), ana.bar)
    expect(bob.page.get_by_text(re.compile(r"10\s: il faut 9 ou moins")).first).to_be_visible()
    keep_picture(bob.page, "simulacres-phrase")
    throws(bob)
    presses(bob, re.compile("Garder$"), bob.acting)
    panel(bob, say("web.tab_sheets"))
    presses(bob, re.compile("^Corps · Action · Mécanique"))  # one touch kept it
    panel(bob, say("web.now"))
    presses(ana, re.compile("Facile"), ana.bar)
    throws(bob)


def fights(bob: Person, lea: Person, ana: Person, line: str, hidden: bool) -> None:
    """Moments 5 and 3: people in one line, a fight, how it would end, an exchange sealed in one tap each."""
    ana.page.get_by_role("textbox", name=say("web.quick_people")).fill(line)
    presses(ana, say("web.quick_people_now"))
    expect(ana.page.get_by_role("heading", name="Brute 2")).to_be_visible()
    begins(ana, "Ouvrir un combat")
    presses(ana, say("web.begin"))
    throws(ana)
    ana.page.get_by_text(say("web.what_if.title")).first.click()
    expect(ana.page.get_by_text("comme maintenant")).to_be_visible()
    keep_picture(ana.page, "simulacres-what-if")
    presses(ana, "Passe d'armes", ana.bar)
    for who in (bob, lea):
        panel(who, say("web.now"))
        presses(who, say("web.seal"), who.bar)
    presses(ana, say("web.seal_all", n=2), ana.bar)
    throws(ana)
    hears(bob, re.compile(r" touche .*PV|Personne n'est touché"))
    assert bob.knows("Brute") is not hidden
    keep_picture(bob.page, "simulacres-fight")


@pytest.mark.parametrize(("size", "line", "hidden"), [
    (WIDE, "deux brutes faibles, massue, visibles", False), (PHONE, "deux brutes faibles, massue", True),
], ids=["wide", "phone-and-hidden"])
def test_an_evening_of_simulacres(open_table: OpenTable, size: dict[str, int], line: str, hidden: bool) -> None:
    table = open_table("simulacres", waiting=False)
    ana, bob, lea = table.gm(), table.joins("Bob", viewport=size), table.joins("Léa", viewport=size)
    panel(bob, say("web.tab_sheets"))
    presses(bob, say("web.play_as", name=NOUR))
    panel(lea, say("web.tab_sheets"))
    creates(lea, ana)
    tries_and_keeps(bob, ana)
    fights(bob, lea, ana, line, hidden)
