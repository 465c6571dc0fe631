"""Evenings of Solaires in three browsers, one of them a phone, by visible words alone: six moments, from a text to psi.

With PARAVENT_PICTURES naming a folder, each moment leaves its picture there.
"""

import re
import time
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect

from .conftest import PATIENCE, PHONE, WIDE, OpenTable, Person, picks
from .evening import keep_picture
from .test_budget import fall

__all__ = ["fall"]
pytestmark = [pytest.mark.needs("chromium"), pytest.mark.evening]
HIDDEN = "Le guetteur"
LIFE = "Zita pilote un remorqueur depuis dix ans. Curieuse de tout, elle porte un implant derrière la nuque."


def turns(person: Person, tab: str) -> None:
    """On a phone, the panel of that name."""
    tabs = person.page.get_by_role("navigation", name="Volets").get_by_role("button", name=re.compile(f"^{tab}"))
    if person.page.viewport_size["width"] == PHONE["width"]:
        tabs.first.click()


def chooses(person: Person, move: str) -> None:
    """A move among those that may be begun: where another panel comes to the fore meanwhile, one turns back to it."""
    until = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < until:
        turns(person, "Agir")
        with suppress(PlaywrightError):
            person.finds(move).click(timeout=3000)
            return
    expect(person.finds(move)).to_be_visible()


def hears(person: Person, told: str) -> None:
    """It stands in the log, whichever panel is open."""
    turns(person, "Journal")
    expect(person.log.get_by_text(told).first).to_be_visible()
    turns(person, "En jeu")


def tells(person: Person, name: str) -> None:
    """A character out of a text: who, a life, two passages."""
    page = person.page
    page.get_by_role("link", name="Amener un personnage").first.click()
    page.get_by_role("button", name="Commencer", exact=True).first.click()
    page.get_by_label("Pseudonyme", exact=True).first.fill(name)
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


@pytest.mark.parametrize(("edition", "size"), [("v4", WIDE), ("v5", PHONE)])
def test_an_evening_of_solaires(open_table: OpenTable, fall: Any, edition: str, size: dict[str, int]) -> None:
    fall(2)
    table = open_table("solaires", waiting=False)
    ana, bob = table.gm(), table.joins("Bob", viewport=size)
    zoe = table.joins("Zoé", viewport=PHONE, has_touch=True)
    chooses_edition(ana, edition)
    # 1. A character out of a text, on a phone; the game master says one word.
    tells(zoe, "Zita")
    ana.bar.get_by_role("button", name="Accepter").click()
    expect(ana.sheets.get_by_role("article", name="Zita")).to_be_visible()
    turns(zoe, "Fiches")
    expect(zoe.sheets.get_by_role("article", name="Zita")).to_be_visible()
    turns(bob, "Fiches")
    bob.sheets.get_by_role("button", name=re.compile("Cabestan")).first.click()
    expect(bob.sheets.get_by_role("article", name="Cabestan")).to_be_visible()
    keep_picture(zoe.page, f"solaires-{edition}-1-creation")
    acts(ana, bob, zoe, edition)
    keep_picture(ana.page, f"solaires-{edition}-3-effects")
    tells_a_flashback(ana, bob, zoe)
    keep_picture(bob.page, f"solaires-{edition}-4-points")
    brings(ana, HIDDEN, hidden=True)
    plays_a_scene(ana, bob, fall)
    ends(ana, bob, "une scène", "Clore la scène", "La scène prend fin")
    ends(ana, bob, "un épisode", "Clore l'épisode", "L'épisode prend fin")
    turns(bob, "Fiches")
    expect(bob.sheets.get_by_role("article", name="Cabestan")).to_contain_text(re.compile(r"/\s*3"))
    fall(2)
    searches(ana, bob)
    runs(ana, bob)
    changes_bodies(ana, bob)
    senses(ana, zoe)
    travels(ana)
    for who in (bob, zoe):  # somebody was there all evening, and nobody else ever knew
        assert not who.knows(HIDDEN)
        assert not who.knows("guetteur")


def chooses_edition(ana: Person, edition: str) -> None:
    ana.goes(f"{ana.base}/options")
    form = ana.page.locator("form").filter(has=ana.page.get_by_label("Édition", exact=True))
    form.get_by_label("Édition", exact=True).select_option(edition)
    form.get_by_label("Série", exact=True).select_option("true")
    with ana.page.expect_navigation():
        form.get_by_role("button", name="Enregistrer").click()
    ana.comes_back()


def acts(ana: Person, bob: Person, zoe: Person, edition: str) -> None:
    """2 and 3. An element touched, a word, a hand lent, dice; the grid lights up, what it leaves is for two at once."""
    bob.sheets.get_by_role("button", name=re.compile("Pilote de remorqueur")).first.click()
    turns(bob, "En jeu")
    if edition == "v5":
        card = ana.acting.get_by_role("article", name="Tenter une action")  # nothing of it is folded
        card.get_by_label("Effets annoncés, 3 dés conservés").fill("+ du temps gagné")
        card.get_by_label("Effets secrets, 3 dés conservés").fill("un témoin")
        card.get_by_label("Effets secrets, 3 dés conservés").press("Tab")
        none_kept = card.get_by_label("Effets secrets, 0 dé conservé")
        none_kept.click()  # words at hand come where one is about to write
        idea = card.get_by_role("button", name=re.compile("^moyens gaspillés")).first
        idea.click()
        expect(none_kept).to_have_value(idea.inner_text())
        keep_picture(ana.page, f"solaires-{edition}-2-at-hand")
    else:
        bob.acting.get_by_role("radio", name=re.compile("amplifiée|Amplifiée")).first.check()
    ana.bar.get_by_role("button", name=re.compile("^Complexe")).click()
    if edition == "v5":
        expect(bob.acting.get_by_role("row", name=re.compile("3 dés.*du temps gagné"))).to_be_visible()
    turns(zoe, "En jeu")
    lends = zoe.acting.get_by_role("group", name=re.compile("^Aider"))
    lends.get_by_role("button", name=re.compile("^Curieuse")).click()
    expect(bob.acting.get_by_text(re.compile("Curieuse")).first).to_be_visible()
    ana.bar.get_by_role("button", name="Accepter").click()  # a second element is the game master's to allow
    bob.roll.click()
    bob.bar.get_by_role("button", name="s'en tenir là").click()
    lit = bob.acting.get_by_role("row", name=re.compile("^3 dés"))
    expect(lit).to_have_attribute("aria-current", "true")
    left = ana.card("action")
    for name in ("Cabestan", "Zita"):
        left.get_by_role("group", name=re.compile("^Pour qui")).get_by_role("checkbox", name=name).check()
    writes(left, "États gagnés", "Essoufflé 1")
    ana.bar.get_by_role("button", name="Valider").click()  # what she wrote herself waits for no second word
    for name in ("Cabestan", "Zita"):
        expect(ana.sheets.get_by_role("article", name=name)).to_contain_text("Essoufflé")
    if edition == "v5":
        assert "un témoin" not in bob.wire
        ana.bar.get_by_role("button", name="Révéler").click()
        hears(bob, "un témoin")


def tells_a_flashback(ana: Person, bob: Person, zoe: Person) -> None:
    """4. Written, at the printed price, vetoed with a reason that nobody signs."""
    chooses(bob, "spend-points")
    turns(bob, "En jeu")
    card = bob.card("spend-points")
    expect(card).to_be_visible()
    flashback = card.get_by_role("radio", name=re.compile("flashback"))
    expect(card.get_by_text("2 pt").first).to_be_visible()
    flashback.check()
    card.get_by_role("textbox", name="Ce qui se passe").fill("hier, sur le quai")
    card.get_by_role("textbox", name="Ce qui se passe").press("Tab")
    veto = ana.bar.get_by_role("button", name="veto", exact=True)
    expect(veto).to_be_visible()  # it takes all the points there are: nobody is asked for a price
    zoe.bar.get_by_role("textbox", name="Pourquoi, si on veut").fill("trop facile")
    zoe.bar.get_by_role("button", name="veto", exact=True).click()
    hears(bob, "trop facile")
    hears(bob, "points reviennent à Cabestan")
    back = bob.card("spend-points").get_by_role("textbox", name="Ce qui se passe")
    expect(back).to_have_value("hier, sur le quai")  # the words come back, to be written otherwise or left
    bob.bar.get_by_role("button", name="Changer d'idée").click()


def box(where: Any, label: str) -> Any:
    """Where something is written."""
    return where.get_by_role("textbox", name=label).or_(where.get_by_role("combobox", name=label)).first


def writes(where: Any, label: str, text: str) -> None:
    box(where, label).fill(text)
    box(where, label).press("Tab")


def takes_one(where: Any, name: str) -> None:
    """One of a few, by its first words."""
    picks(where.get_by_role("radio", name=re.compile(f"^{name}")).first)


def confirms(person: Person) -> None:
    person.bar.get_by_role("button", name="Valider").first.click()


def chip(board: Any, state: str, what: str, left: str) -> None:
    """A state touched on the board, and what becomes of it."""
    touched, shown = board.get_by_role("button", name=what).first, board.get_by_text(re.compile(f"^{state}"))
    if not touched.is_visible():
        shown.first.click()
    touched.click()
    if left:
        expect(shown.first).to_contain_text(left)
    else:
        expect(shown).to_have_count(0)


def plays_a_scene(ana: Person, bob: Person, fall: Any) -> None:
    """5. Everybody is in it; a tap gives the turn, each once; a state is touched; a tap asks somebody to react."""
    chooses(ana, "start-action-scene")
    start = ana.page.get_by_role("dialog", name="Commencer une action")
    start.get_by_role("checkbox", name=re.compile(HIDDEN)).check()
    start.get_by_role("button", name="Commencer", exact=True).click()
    ana.card("start-action-scene").get_by_role("radio", name=re.compile("^Zita")).check()
    confirms(ana)
    board = ana.page.get_by_role("region", name="Scène d'action")
    turn = {name: board.get_by_role("button", name=f"Donner le tour à {name}")
            for name in ("Zita", "Cabestan", "Girouette", "Alidade", HIDDEN)}
    expect(turn["Cabestan"]).to_be_visible()
    expect(turn["Zita"]).to_have_count(0)  # each once before anybody twice
    for name in ("Cabestan", HIDDEN, "Girouette"):
        turn[name].click()
        expect(turn[name]).to_have_count(0)
    turn["Alidade"].click()
    expect(turn["Zita"]).to_be_visible()  # all have acted: from now on, whoever makes sense
    board.get_by_role("button", name="Demander à Cabestan : Réagir").click()
    reaction = bob.acting.get_by_role("article", name="Réagir")
    takes_one(reaction, "Pilote de remorqueur")
    confirms(bob)
    fall(6)
    bob.roll.click()
    bob.bar.get_by_role("button", name="s'en tenir là").click()
    keep_picture(ana.page, "solaires-5-consequences")
    told = ana.acting.get_by_role("article", name="Réagir")
    writes(told, "États gagnés", "Sonné 1")
    confirms(ana)
    expect(board.get_by_text(re.compile("^Sonné")).first).to_be_visible()
    keep_picture(ana.page, "solaires-5-board")
    for what, left in (("S'aggrave", "2"), ("S'allège", "1"), ("Disparaît", "")):
        chip(board, "Sonné", what, left)
    board.get_by_role("button", name="Finir la scène d'action").click()
    expect(board).to_have_count(0)


def acts_unseen(ana: Person, bob: Person) -> None:
    """Somebody hidden acts: dice fall, and the page of whoever knows nothing of it stays as it is."""
    before = bob.acting.inner_text()
    begins(ana, "action", HIDDEN)
    ana.bar.get_by_role("button", name=re.compile("^Complexe")).click()
    ana.roll.click()
    settles(f"{HIDDEN} échoue", ana)
    expect(ana.card("action")).to_have_count(0)
    assert bob.acting.inner_text() == before


def unfolds(tool: Any, inside: Any) -> Any:
    """What a folded part of the strip holds: it is touched again as long as it stays shut."""
    until = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < until:
        with suppress(PlaywrightError, AssertionError):
            if not inside.is_visible():
                tool.get_by_text("Scène", exact=True).first.click(timeout=4000)
            expect(inside).to_be_visible(timeout=4000)
            return inside
    expect(inside).to_be_visible()


def ends(ana: Person, bob: Person, kind: str, end: str, told: str) -> None:
    """A scene or an episode: two taps for everybody, and never twice."""
    tool = ana.page.get_by_role("group").filter(has=ana.page.get_by_text("Scène", exact=True)).first
    unfolds(tool, box(tool, "Titre")).fill(f"Le quai, {kind}")
    tool.get_by_label("Type").select_option(label=kind)
    tool.get_by_role("button", name="Commencer").click()
    expect(tool.get_by_text(f"Le quai, {kind}").first).to_be_visible()
    unfolds(tool, tool.get_by_role("button", name=end)).click()
    hears(bob, told)
    expect(tool.get_by_role("button", name=end, include_hidden=True)).to_have_count(0)


def settles(told: str, *people: Person) -> None:
    """Whoever is asked confirms what stands there, until the first of them reads it in the log."""
    log = people[0].page.get_by_role("list", name="Journal", exact=True, include_hidden=True)  # on a phone, a panel
    line, until = log.get_by_text(told), time.monotonic() + PATIENCE / 1000
    while not line.count() and time.monotonic() < until:
        for who in people:
            asked = who.bar.get_by_role("button", name="Valider").first
            if not line.count() and asked.is_visible():
                with suppress(PlaywrightError):  # it may be gone by now
                    asked.click(timeout=2000)
        people[0].page.wait_for_timeout(100)  # not a pace of the test: the log says when it is done
    hears(people[0], told)


def begins(person: Person, move: str, who: str) -> Any:
    """A move begun, of somebody where that is asked; its card, once nothing else of the kind is open."""
    card = person.card(move)
    expect(card).to_have_count(0)
    chooses(person, move)
    start = person.page.get_by_role("dialog", name="Commencer une action")
    asked = start.get_by_role("button", name=re.compile(f"^({who}|Commencer$)")).first
    expect(asked.or_(card).first).to_be_attached()
    if asked.is_visible():
        acts_as = start.get_by_role("combobox", name=re.compile("^Celui qui agit"))
        if acts_as.count():
            acts_as.select_option(label=who)
        asked.click()
    expect(card).to_have_count(1)
    turns(person, "En jeu")
    expect(card).to_be_visible()
    return card


def searches(ana: Person, bob: Person) -> None:
    """6. What lies far away takes hours, on the table's clock."""
    writes(begins(bob, "solnet-search", "Cabestan"), "Recherche", "l'armateur du cargo")
    card = ana.card("solnet-search")
    takes_one(card, "ailleurs")
    expect(card.get_by_role("spinbutton", name="Heures d'attente")).to_be_visible()
    writes(card, "Ce que l'on trouve", "un prête-nom")
    settles("un prête-nom", bob, ana)
    expect(ana.page.get_by_text("22 h 00").first).to_be_visible()


def steps(ana: Person, bob: Person, instructions: str = "") -> None:
    """The next step of the run."""
    card = begins(bob, "run-step", "Cabestan")
    if instructions:
        writes(card, "Instructions préparées", instructions)
    takes_one(card, "Pilote de remorqueur")
    ana.bar.get_by_role("button", name=re.compile("^Complexe")).click()
    bob.roll.click()
    expect(bob.roll).to_have_count(0)


def runs(ana: Person, bob: Person) -> None:
    """A node is located, studied, prepared, breached; the breach is noticed in secret, the ice strikes back."""
    writes(begins(bob, "matrix-run", "Cabestan"), "Nœud", "la capitainerie")
    writes(ana.card("matrix-run"), "Glace", "glace noire")
    settles("lance une passe contre la capitainerie", bob, ana)
    for instructions in ("", "", "copier le registre"):
        steps(ana, bob, instructions)
    steps(ana, bob)
    breach = ana.card("run-step")
    for question in ("La passe est repérée", "La glace riposte"):
        picks(breach.get_by_role("group", name=re.compile(question)).get_by_role("radio", name="oui"))
    keep_picture(ana.page, "solaires-6-breach")
    settles("On a repéré", ana)
    expect(bob.acting.get_by_role("article", name="Rester ou se déconnecter")).to_be_visible()
    keep_picture(bob.page, "solaires-6-riposte")
    bob.bar.get_by_role("button", name="Se déconnecter").click()
    hears(bob, "se déconnecte brutalement")
    hears(bob, "Désorienté 2")
    assert "repéré" not in bob.wire
    assert "glace noire" not in bob.wire


def brings(ana: Person, name: str, hidden: bool = False) -> None:
    """Somebody of the game master's."""
    page = ana.page
    page.get_by_role("link", name="Amener", exact=True).first.click()
    page.get_by_role("link", name="Personnage du meneur").first.click()
    page.get_by_label("Nom", exact=True).or_(page.get_by_label("Pseudonyme", exact=True)).first.fill(name)
    if hidden:
        page.get_by_label("Le garder caché").check()
    page.get_by_role("button", name="Apporter la fiche").first.click()
    expect(ana.sheets.get_by_text(name).first).to_be_visible()


def changes_bodies(ana: Person, bob: Person) -> None:
    """A player's character changes bodies, then somebody of the game master's."""
    begins(bob, "change-body", "Cabestan").get_by_role("combobox", name="Nouveau corps").select_option("replicant")
    settles("Cabestan change de corps", bob, ana)
    hears(bob, "Pensée altérée")
    brings(ana, "Le douanier")
    card = begins(ana, "change-body", "Le douanier")
    card.get_by_role("combobox", name="Nouveau corps").select_option("replicant")
    settles("Le douanier change de corps", ana)


def senses(ana: Person, zoe: Person, whose: str = "Zita") -> None:
    """To perceive takes no effort; an effect is held, and let go; what was truly touched stays behind the screen."""
    card = begins(zoe, "use-psi-power", whose)
    writes(card, "Objet visé", "le sas")
    takes_one(card, "percevoir")
    hears(ana, "perçoit")
    confirms(ana)
    card = begins(zoe, "use-psi-power", whose)
    writes(card, "Effet voulu", "un sas qui s'ouvre")
    takes_one(card, "agir une fois")
    takes_one(card, "[Ii]mplant")
    ana.bar.get_by_role("button", name=re.compile("^Complexe")).click()
    zoe.roll.click()
    expect(zoe.roll).to_have_count(0)
    hears(ana, "Zita réussit")  # a plain success ends by itself
    card = begins(zoe, "use-psi-power", whose)
    writes(card, "Effet voulu", "un sas invisible")
    takes_one(card, "tenir un effet")
    takes_one(card, "[Ii]mplant")
    ana.bar.get_by_role("button", name=re.compile("^Complexe")).click()
    zoe.roll.click()
    expect(card).to_have_count(0)
    card = begins(zoe, "use-psi-power", whose)  # while it is held, nothing but a perception
    expect(card.get_by_role("radio", name=re.compile("^agir une fois"))).to_have_count(0)
    writes(card, "Objet perçu", "la coque")
    confirms(zoe)
    hears(ana, "perçoit : la coque".replace(" :", "\u00a0:"))
    confirms(ana)
    chooses(zoe, "release-psi-effect")
    hears(ana, "relâche son effet")


def travels(ana: Person) -> None:
    """A being without a body moves to another host."""
    ana.page.get_by_role("link", name="Amener", exact=True).first.click()
    ana.page.get_by_role("button", name=re.compile("Jusant")).first.click()
    expect(ana.sheets.get_by_text("Jusant").first).to_be_visible()
    writes(begins(ana, "move-infomorph", "Jusant"), "Nœud visé", "le nœud du port")
    settles("s'exécute maintenant ici", ana)
