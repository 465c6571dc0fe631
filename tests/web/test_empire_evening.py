"""Empire galactique in browsers, by visible words and roles: a youth, a test, a fight to a knock-out, a duel of words,
a mind, a night; once more at a phone's width, and with somebody at the table of whom no player knows."""

import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Error, expect

from paravent.table import playing

from .conftest import PATIENCE, PHONE, WIDE, OpenTable, Person, Table, insists, picks, say
from .evening import keep_picture
from .test_simulacres_evening import begins, panel, presses

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.evening]
FACES: list[int] = []
Fall = Callable[..., None]
FORWARD = re.compile("^(Lancer( ·|$)|Valider|C'est dit|Sceller|Oui, |Appliquer|Conclure|Continuer le jet|moyenne|neutre"
                     "|dire l'adjectif"
                     "|Habileté|Intelligence|Charme)")
"""What brings on whatever waits, as it stands."""
DICE = re.compile(r"^(Lancer( ·|$)|Valider$)")
HIDDEN = "Lazare, qui sait tout"
"""Somebody whom the game master keeps from all the others."""
ASIDE = re.compile(f"{HIDDEN}|Sola")


class FacesInOrder:
    """Dice that fall as they were told to; all others on three."""

    def throw(self, role: str, n: int, sides: int) -> tuple[int, ...]:
        return tuple(FACES.pop(0) if FACES else 3 for _ in range(n))


@pytest.fixture
def fall(monkeypatch: pytest.MonkeyPatch) -> Fall:
    """Say how the next dice fall."""
    monkeypatch.setattr(playing, "faces_of", lambda *_: FacesInOrder())
    FACES.clear()
    return lambda *faces: FACES.extend(faces)


def plays_on(effect: Any, *people: Person) -> None:
    """Whoever has something before them does it, as it stands, until something is told."""
    for _ in range(40):
        if effect.count():
            return
        for who in people:
            waiting = who.bar.get_by_role("button", name=FORWARD).locator("visible=true")
            with suppress(Error):  # what others did may have taken it away meanwhile
                if waiting.count():
                    waiting.first.click(timeout=PATIENCE / 12)
        with suppress(AssertionError):
            expect(effect).not_to_have_count(0, timeout=PATIENCE / 60)
    expect(effect).not_to_have_count(0)


def starts(who: Person, title: str, name: str = "") -> None:
    """An action begun by its name, by somebody of a name where several could."""
    begins(who, title)
    form = who.page.get_by_role("dialog").get_by_role("region", name=title)
    if form.is_visible():
        chosen = form.get_by_role("combobox", name="Adversaire")
        if name and chosen.is_visible():
            chosen.select_option(label=name)
            name = ""
        presses(who, re.compile(f"^{name}") if name else say("web.begin"), form)
        expect(form).to_have_count(0)
    panel(who, say("web.now"))


def throws(who: Person) -> None:
    panel(who, say("web.now"))
    presses(who, DICE, who.bar)


def hears(who: Person, words: str | re.Pattern[str]) -> None:
    expect(who.page.get_by_text(words).first).to_be_attached()


def choice(who: Person, name: str | re.Pattern[str]) -> Any:
    return who.acting.get_by_role("radio", name=name).first


def grows_up(dia: Person, ana: Person) -> None:
    """Moment 3: six scores, a guild that takes anybody, a year, a term, the gate: a tap each."""
    dia.page.get_by_role("link", name=say("web.bring")).locator("visible=true").first.click()
    presses(dia, say("web.begin"))
    throws(dia)
    card = dia.card("roll-characteristics")
    card.get_by_role("textbox", name=re.compile("^Nom")).fill("Sola")
    picks(card.get_by_role("radio", name="femme"))
    presses(dia, DICE, dia.bar)
    ana.applies()
    hears(dia, "Sola")
    begins(dia, "Entrer à l'école")
    panel(dia, say("web.now"))
    presses(dia, re.compile("aventurier"), dia.bar)
    for words, age in ((DICE, "18 ans"), ("Encore un an d'école", "19 ans"), ("Finir le cycle", "22 ans")):
        presses(dia, words, dia.bar)
        hears(dia, age)
    presses(dia, "Partir", dia.bar)
    expect(dia.acting.get_by_role("region", name="Une jeunesse")).to_have_count(0)


def negotiates(bob: Person, ana: Person) -> None:
    """Moment 1: the player's column, the game master's row in one tap, dice behind the screen, the adjective kept."""
    panel(bob, say("web.now"))
    begins(bob, "Test de compétence")
    expect(bob.card("skill-test")).to_be_visible()
    bob.card("skill-test").get_by_role("combobox", name="Compétence").select_option(index=1)
    expect(choice(bob, "précis")).to_be_attached()
    picks(choice(bob, "précis"))
    presses(ana, re.compile("^moyenne"), ana.bar)
    throws(bob)
    presses(ana, "le garder pour moi", ana.bar)  # one tap
    hears(bob, re.compile(" (réussit|échoue)"))


def fights(bob: Person, cy: Person, ana: Person, fall: Fall) -> None:
    """Moment 2: camps are there already; sign and blow sealed in one gesture; a shot, a hold, a knock-out."""
    begins(ana, "Ouvrir un combat")
    for box in reversed(ana.page.get_by_role("dialog").get_by_role("checkbox", name=ASIDE, checked=True).all()):
        box.uncheck()  # who only listens does not fight
    presses(ana, say("web.begin"))
    picks(choice(ana, "personne"))
    throws(ana)
    hears(bob, "Personne n'a l'initiative")
    shoots_and_holds(bob, cy, ana, fall)
    panel(bob, say("web.now"))
    presses(bob, "Échange de coups")
    picks(choice(bob, re.compile("^feinte")))
    picks(choice(bob, re.compile("^haut, .*tête, 4 dés")))
    keep_picture(bob.page, "empire-fight-blow")
    presses(bob, say("web.seal_throw"), bob.bar)
    picks(choice(ana, re.compile("^feinte")))
    presses(ana, say("web.seal"), ana.bar)  # the dice follow
    hears(cy, re.compile("Aucun coup ne porte"))
    # The next sequence is there already: open hand against open hand.
    presses(bob, say("web.seal_throw"), bob.bar)
    fall(4, 4, 4, 6, 6, 6)
    presses(ana, say("web.seal"), ana.bar)
    hears(ana, re.compile("^ *(La protection en arrête .*)?Une sentinelle perd"))
    assert not bob.knows("la protection en arrête")  # what a protection stops and what is lost is its own
    keep_picture(bob.page, "empire-fight-struck")
    ana.applies()
    hears(cy, re.compile("Une sentinelle perd connaissance"))
    expect(bob.acting.get_by_role("region", name="Combat")).to_have_count(0)  # nobody stands on the other side


def acts_unseen(cy: Person, bob: Person, ana: Person, fall: Fall) -> None:
    """Moment 5: a failed act of the mind is between its player and the game master."""
    told = [bob.page.get_by_text("Pouvoir PSI").count(), ana.page.get_by_text("Pouvoir PSI").count()]
    begins(cy, "Pouvoir PSI")
    presses(cy, say("web.begin"))
    panel(cy, say("web.now"))
    card = cy.card("psi-act")
    expect(card).to_be_visible()
    card.get_by_role("combobox").locator("visible=true").first.select_option(index=1)
    fall(6, 6, 6, 6, 6)
    throws(cy)
    expect(ana.log.get_by_text("Pouvoir PSI").first).to_be_visible()
    assert ana.page.get_by_text("Pouvoir PSI").count() > told[1]
    assert bob.page.get_by_text("Pouvoir PSI").count() == told[0]
    assert not bob.knows("Pouvoir PSI · Oriane")


def tries_in_secret(ana: Person, bob: Person, name: str = "Bastien Corvol") -> None:
    """Moment 7: a character is tried behind the screen, and only the game master knows."""
    starts(ana, "Épreuve secrète", name)
    ana.card("secret-test").get_by_role("combobox", name=re.compile("^Compétence")).select_option(index=1)
    plays_on(ana.log.get_by_text(re.compile(" (réussit|échoue)")), ana)
    assert not bob.knows("Épreuve secrète")


def shoots_and_holds(bob: Person, cy: Person, ana: Person, fall: Fall) -> None:
    """Moment 2: a shot and a hold are part of the fight; neither gets its way."""
    fall(6, 6, 6, 6, 6)
    starts(bob, "Tirer, lancer")
    plays_on(ana.log.get_by_text(re.compile("(touche|manque) Une sentinelle")), bob, ana)
    FACES[:] = [6, 6, 6, 6, 6]
    starts(cy, "Prise ou étranglement")
    plays_on(ana.log.get_by_text(re.compile("tient Une sentinelle|échappe à la prise")), cy, ana)
    FACES.clear()


def argues(bob: Person, ana: Person) -> None:
    """Moment 4: a demand, sealed manners, an argument; the demand stands in the log."""
    starts(bob, "Ouvrir un duel verbal", "Solveig Arrant")
    bob.card("verbal-duel").get_by_role("textbox").locator("visible=true").first.fill("baisser son prix")
    plays_on(ana.log.get_by_text(re.compile("demande.*baisser son prix")), bob, ana)
    hears(bob, re.compile("demande.*baisser son prix"))
    panel(bob, say("web.now"))
    presses(bob, "Échange d'arguments")
    for who in (bob, ana):
        picks(choice(who, re.compile("^(séduction|logique|foi)")))
    keep_picture(bob.page, "empire-duel")
    plays_on(ana.log.get_by_text(re.compile("rgument (porte|se retourne)|Rien ne porte")), bob, ana)


def sleeps(ana: Person, *players: Person) -> None:
    """A night passes: two taps of the game master's, one of each player's."""
    ana.page.locator("summary").filter(has_text=say("web.strip.time")).first.click()
    presses(ana, say("web.spans.night", n=1))
    for who in players:
        panel(who, say("web.now"))
        presses(who, re.compile("^(Valider|C'est dit|Passer)"), who.bar)
    hears(players[0], re.compile("jour 2"))


def comes(ana: Person, name: str, unseen: bool = False) -> None:
    """Somebody of the game master's comes to the table, known to all or to nobody else."""
    ana.page.get_by_role("link", name=say("web.bring")).first.click()
    if unseen:
        form = ana.page.locator("form").filter(has=ana.page.get_by_role("button", name=f"Choisir {name}"))
        form.get_by_role("checkbox", name=say("web.keep_hidden")).check()
    presses(ana, f"Choisir {name}")
    expect(ana.sheets.get_by_text(name).first).to_be_visible()


def sits(table: Table, size: dict[str, int]) -> tuple[Person, Person, Person]:
    """Two players with ready-made characters, and a sentry whom the game master brings."""
    ana, bob, cy = table.gm(), table.joins("Bob", viewport=size), table.joins("Cy", viewport=size)
    for who, name in ((bob, "Bastien Corvol"), (cy, "Oriane des Halliers")):
        panel(who, say("web.tab_sheets"))
        own = who.sheets.get_by_role("article", name=name).get_by_text(who.name, exact=True)
        insists(own, partial(presses, who, say("web.play_as", name=name)))
    comes(ana, "Une sentinelle")
    return ana, bob, cy


@pytest.mark.parametrize(("size", "unseen"), [(WIDE, False), (PHONE, False), (WIDE, True)],
                         ids=["wide", "phone", "unseen"])
def test_an_evening_of_empire(open_table: OpenTable, fall: Fall, size: dict[str, int], unseen: bool) -> None:
    table = open_table("empire", waiting=False)
    ana, bob, cy = sits(table, size)
    dia = table.joins("Dia", viewport=size)
    grows_up(dia, ana)
    if unseen:
        comes(ana, HIDDEN, unseen=True)
        tries_in_secret(ana, bob, HIDDEN)
    negotiates(bob, ana)
    tries_in_secret(ana, bob)
    fights(bob, cy, ana, fall)
    argues(bob, ana)
    acts_unseen(cy, bob, ana, fall)
    sleeps(ana, bob, cy, dia)
    for who in (bob, cy, dia):
        assert not who.knows(HIDDEN)
        assert not who.knows("Lazare")


def first_evening(who: Person) -> Any:
    """The card of the first evening."""
    panel(who, say("web.now"))
    heading = who.page.get_by_role("heading", name=say("web.evening.title"))
    return who.acting.get_by_role("group").filter(has=heading).last


def led(who: Person, title: str) -> None:
    """What the card says to press now: a button, or a link to the form that begins it."""
    card = first_evening(who)
    card.get_by_role("button", name=title).or_(card.get_by_role("link", name=title)).first.click()


def test_a_first_evening_of_the_quick_rule_then_the_full_ones(open_table: OpenTable, fall: Fall) -> None:
    """Moment 6: the card says what comes now; its button does it."""
    table = open_table("empire", waiting=False)
    ana, bob = table.gm(), table.joins("Bob", viewport=PHONE)
    first_evening(ana).get_by_role("heading", name=say("web.evening.title")).click()
    led(ana, "Jouer la règle rapide ce soir")
    led(bob, "Personnage rapide")
    presses(bob, say("web.begin"))
    panel(bob, say("web.now"))
    bob.card("quick-character").get_by_role("textbox", name="Nom").fill("Kay")
    fall(2, 5)
    throws(bob)
    presses(bob, "le premier à l'esprit", bob.bar)
    for _ in range(4):
        keep_picture(bob.page, "empire-first-evening")
        led(bob, "Action rapide")
        presses(ana, re.compile("moyen"), ana.bar)
        throws(bob)
        hears(bob, re.compile(" (réussit|échoue)"))
    led(ana, "Passer aux règles complètes")
    led(bob, "Passer aux règles complètes")
    picks(choice(bob, "femme"))
    presses(bob, re.compile("^(Valider|C'est dit)"), bob.bar)
    expect(bob.acting.get_by_role("heading", name=say("web.evening.title"))).to_have_count(0)
    expect(ana.sheets.get_by_role("article", name="Kay")).to_have_count(1)  # the same person, whole
