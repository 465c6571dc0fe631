"""A month of trade in three browsers, by visible words and roles: sector, chart, market, voyage, sale, a beast.

Dice fall as they are told to, so that what is paid and earned is known to the credit.
"""

import re
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Error, expect

from paravent.game import find_system, to_plain
from paravent.systems.empire.worlds.sector import seeded_sector
from paravent.table import playing

from .budget import FallingAs
from .conftest import PATIENCE, PHONE, WIDE, OpenTable, Person, insists, picks, say
from .evening import keep_picture

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.evening]
FORWARD = re.compile("^(Lancer( ·|$)|Continuer le jet|Valider|Conclure|Appliquer|Accepter|Sceller|Oui, |non$|facile)")
"""What brings on whatever waits, as it stands."""
HERE, THERE, NAMED = "Corélée", "Valamaris", "Port-Franc"
SOLVEIG, BASTIEN, SENTRY = "Solveig Arrant", "Bastien Corvol", "Une sentinelle"
GOODS = "objets manufacturés"
"""What is offered here in the first month, and there wanted in the second alone."""


Fall = Callable[..., None]


@pytest.fixture
def fall(monkeypatch: pytest.MonkeyPatch) -> Fall:
    """Say how the next dice fall; all others fall on three."""
    told: list[int] = []
    monkeypatch.setattr(playing, "faces_of", lambda *_: FallingAs(
        lambda n, sides: tuple(told.pop(0) if told else 3 for _ in range(n))))
    return lambda *faces: told.extend(faces)


def panel(who: Person, name: str) -> None:
    """On a phone, one panel is shown at a time."""
    tab = who.page.get_by_role("navigation", name=say("web.panels")).get_by_role("button", name=name)
    if tab.is_visible():
        tab.click()


def presses(who: Person, name: str | re.Pattern[str], where: Any = None) -> None:
    """A button that one sees, by its words."""
    found = (where or who.page).get_by_role("button", name=name, exact=isinstance(name, str))
    found.locator("visible=true").first.click()


def starts(who: Person, title: str, **roles: str) -> Any:
    """An action found by its name, those in it chosen by theirs; its card."""
    panel(who, say("web.act"))
    who.page.get_by_role("searchbox", name=say("web.find_move")).fill(title)
    who.page.get_by_role("link", name=re.compile(f"^{title}")).locator("visible=true").first.click()
    form = who.page.get_by_role("dialog").locator("visible=true").first
    begin = form.get_by_role("button", name=say("web.begin"), exact=True)
    expect(begin).to_be_visible()
    for role, name in roles.items():
        form.get_by_role("combobox", name=re.compile(f"^{role}")).select_option(label=name)
    begin.click()
    panel(who, say("web.now"))
    card = who.acting.get_by_role("article", name=title).first
    expect(card).to_be_visible()
    return card


def goes_on(*people: Person) -> None:
    """Whoever has something before them does it, as it stands, and sees it done."""
    for who in people:
        waiting = who.bar.get_by_role("button", name=FORWARD).locator("visible=true")
        with suppress(Error, AssertionError):  # what others did may have taken it away meanwhile
            if waiting.count():
                before = who.bar.inner_text()
                waiting.first.click(timeout=3000)
                expect(who.bar).not_to_have_text(before, use_inner_text=True, timeout=3000)


def until(sees: Person, words: str | re.Pattern[str], *people: Person, where: Any = None) -> None:
    """Everybody goes on until somebody reads what they wait for, on the page or somewhere on it."""
    ends = time.monotonic() + PATIENCE / 1000
    told = (where or sees.page).get_by_text(words).locator("visible=true")
    while not told.count():
        assert time.monotonic() < ends, f"{words} never came; before {[who.bar.inner_text() for who in people]}"
        goes_on(*people)


def nothing_waits(*people: Person) -> None:
    """Everybody goes on until nobody has anything before them."""
    ends = time.monotonic() + PATIENCE / 1000
    while any(who.bar.get_by_role("button", name=FORWARD).locator("visible=true").count() for who in people):
        assert time.monotonic() < ends, f"it goes on and on before {[who.bar.inner_text() for who in people]}"
        goes_on(*people)


def fills(card: Any, label: str, value: int) -> None:
    """A number, wherever on the card it is asked for."""
    number = card.get_by_role("spinbutton", name=re.compile(f"^{label}"))
    more = card.get_by_text(say("web.more_fields")).first
    insists(number, more.click)  # a card that was just being drawn anew may have been folded by it: then once more
    number.fill(str(value))
    number.press("Tab")
    expect(number).to_have_value(str(value))


def figure(who: Person, words: str) -> int:
    """A number in the last thing that one was told so."""
    found = who.acting.get_by_text(re.compile(words)).locator("visible=true").first.inner_text()
    read = re.search(words, found)
    assert read, found
    return int(re.sub(r"\D", "", read[1]))


def purse(credits: int) -> re.Pattern[str]:
    """What a purse comes to in the end, as a change says it."""
    return re.compile(rf"→\s*{credits // 1000}\s?{credits % 1000:03}(?!\d)")


def opens(who: Person, leaf: str, title: str) -> Any:
    """One of the game's own pages, opened on the table's page beside what is played."""
    who.page.get_by_role("link", name=re.compile(f"^{leaf}")).locator("visible=true").first.click()
    place = who.page.get_by_role("region", name=re.compile(title))
    expect(place).to_be_visible()
    assert who.page.locator("#workplace").evaluate("(place) => place.scrollWidth <= place.clientWidth")
    return place


def looks_at(who: Person, world: str) -> Any:
    """The map, and a world on it."""
    place = opens(who, "Carte", "^Secteur")
    place.get_by_role("link", name=re.compile(world)).first.click()
    expect(place.get_by_role("heading", name=re.compile(f"^{world}"))).to_be_visible()
    return place


def closes(who: Person, place: Any) -> None:
    """Back to the table alone."""
    presses(who, say("web.dismiss"), place)
    expect(place).to_be_hidden()


def on_the_map(who: Person, world: str, button: str, told: str) -> None:
    """Something done from a world's panel, in one tap; what came of it is read there."""
    place = looks_at(who, world)
    presses(who, button, place)
    expect(place.get_by_text(told).locator("visible=true").first).to_be_visible()
    closes(who, place)


def sets_the_clock(ana: Person, day: int) -> None:
    """The game master says which day it is."""
    ana.page.locator("summary").filter(has_text=say("web.strip.time")).first.click()
    number = ana.page.get_by_role("spinbutton", name=say("web.gm.clock_day"), exact=True).locator("visible=true").first
    number.fill(str(day))
    presses(ana, say("web.gm.set_clock"))
    expect(ana.page.get_by_text(re.compile(f"jour {day}")).locator("visible=true").first).to_be_visible()


def prepares(ana: Person) -> None:
    """A sector from a word; two of its worlds opened, shown, with their markets; the group is on one of them."""
    card = starts(ana, "Créer un secteur")
    card.get_by_role("textbox", name=re.compile("^Nom")).fill("Marges")
    card.get_by_text(say("web.more_fields")).first.click()
    card.get_by_role("textbox", name=re.compile("^Graine")).fill("ourmansk")
    until(ana, "Le secteur est tracé", ana)
    sheet = ana.sheets.get_by_role("article", name=re.compile("^Marges"))
    expect(sheet).to_be_visible()
    expect(sheet.get_by_role("button", name=say("web.show_all"))).to_have_count(0)  # squares are shown, never the seed
    place = opens(ana, "Carte", "^Secteur")
    presses(ana, say("web.zoom_all"), place)
    place.get_by_role("link", name=re.compile(THERE)).first.click()
    expect(place.get_by_role("heading", name=re.compile(f"^{THERE}"))).to_be_visible()
    expect(place.locator("[data-leafmap]")).to_have_attribute("data-size", "1")  # the first touch on it moves nothing
    closes(ana, place)
    for world in (THERE, HERE):
        on_the_map(ana, world, "Ouvrir sa fiche", "Les bêtes du jour")
        on_the_map(ana, world, "Montrer aux joueurs", "Les joueurs l'ont sur leur carte.")
        on_the_map(ana, world, "Ouvrir son marché", "Son marché est ouvert.")
    on_the_map(ana, HERE, "Le groupe est ici", "Le groupe est ici.")
    sets_the_clock(ana, 26)


def buys(bob: Person, ana: Person) -> int:
    """What the merchant found is all that is offered; the price is haggled over; whoever had no hold has one."""
    starts(bob, "Prospecter le marché", Marché=HERE)
    until(bob, re.compile("On offre"), bob, ana)
    until(ana, re.compile(rf"{re.escape(SOLVEIG)} \(¢\)"), bob, ana)
    nothing_waits(ana, bob)
    panel(bob, say("web.tab_sheets"))
    expect(bob.sheets.get_by_text(f"{SOLVEIG} (¢)").first).to_be_visible()  # with what she noted in it
    card = starts(bob, "Acheter des lots", Marché=HERE)
    goods = card.get_by_role("combobox", name=re.compile("^Marchandise"))
    expect(goods.get_by_role("option", name=GOODS)).to_be_attached()
    expect(goods.get_by_role("option", name="robots")).to_have_count(0)
    goods.select_option(label=GOODS)
    fills(card, "Lots", 2)
    until(bob, re.compile("¢ le lot"), bob, ana)
    picks(card.get_by_role("radio", name=re.compile("oui$")).first)  # what is chosen has a tick before its name
    keep_picture(bob.page, "trade-haggling")
    until(bob, re.compile("Acheté pour"), bob, ana)
    nothing_waits(ana, bob)
    return figure(bob, r"Acheté pour ([\d\s]+)¢")


def sails(bob: Person, lea: Person, ana: Person) -> None:
    """Customs, then the way, its days and its fare before one leaves; a week passes, and whoever works is paid."""
    starts(bob, "Quitter le port")
    until(bob, re.compile("Taxe à payer"), bob, ana)
    nothing_waits(ana, bob)
    place = opens(bob, "Voyager", "^Depuis")
    place.get_by_role("link", name=THERE, exact=True).click()
    place = bob.page.get_by_role("region", name=re.compile(f"^Voyage de {HERE}"))
    expect(place.get_by_text(re.compile("1 saut, 7 jours de vol, 2100 ¢"))).to_be_visible()
    expect(place.get_by_text(re.compile(r"Pour les 2 voyageurs du groupe\s: 4200"))).to_be_visible()
    expect(place.get_by_text(re.compile(r"taxe impériale au départ\s: 0\s¢"))).to_be_visible()  # it is paid
    keep_picture(bob.page, "trade-voyage")
    presses(bob, "Embarquer", place)
    until(bob, re.compile("7 jours de voyage"), bob, ana)
    passing = lea.acting.get_by_role("article", name="Le temps passe").first
    panel(lea, say("web.now"))
    until(lea, re.compile("Le temps passe"), bob, ana)
    fills(passing, "Heures de travail", 8)
    until(ana, "Une semaine passe", lea, bob, ana)
    nothing_waits(ana, bob, lea)


def sells(bob: Person, ana: Person) -> int:
    """A month has begun, and this market wants what it did not; the place takes its tenth of the base price."""
    starts(bob, "Prospecter le marché", Marché=THERE)
    until(bob, re.compile(rf"On demande\s: .*{GOODS}"), bob, ana)
    nothing_waits(ana, bob)
    card = starts(bob, "Vendre des lots", Marché=THERE)
    card.get_by_role("combobox", name=re.compile("^Marchandise")).select_option(label=GOODS)
    fills(card, "Lots", 2)
    until(bob, re.compile("Vendu pour"), bob, ana)
    nothing_waits(ana, bob)
    return figure(bob, r"Vendu pour ([\d\s]+)¢")


def repairs(bob: Person, ana: Person, credits: int) -> None:
    """A workshop asks for two hundredths of the price a point where nobody knows the trade; the game master says how
    bad it is."""
    card = starts(bob, "Confier à un atelier")
    fills(card, "NT de l'objet", 6)
    fills(card, "Prix", 1000)
    damage = ana.acting.get_by_role("article", name="Confier à un atelier").first
    expect(damage).to_be_visible()
    fills(damage, "Dégâts", 3)
    until(bob, re.compile(r"Réparé pour 60\s¢"), bob, ana)
    expect(bob.acting.get_by_text(purse(credits - 60)).first).to_be_visible()


def meets(ana: Person) -> str:
    """A beast of the world, met in one tap, its fight opened in one more; its name, which nobody else learns."""
    place = looks_at(ana, THERE)
    presses(ana, "Rencontrer une bête", place)
    expect(ana.acting.get_by_text("Rencontrer un animal").first).to_be_visible()
    button = place.get_by_role("button", name=re.compile("^Se battre")).first
    beast = str(button.inner_text()).partition(":")[2].strip()
    button.click()
    until(ana, re.compile("L'initiative va"), ana)
    nothing_waits(ana)
    closes(ana, place)
    return beast


def brings_hidden(ana: Person, name: str) -> None:
    """Somebody comes whom nobody else knows of."""
    ana.page.get_by_role("link", name=say("web.bring")).first.click()
    choose = ana.page.get_by_role("button", name=f"Choisir {name}")
    ana.page.locator("form").filter(has=choose).get_by_role("checkbox", name=say("web.keep_hidden")).check()
    choose.click()
    expect(ana.sheets.get_by_text(name).first).to_be_visible()


def fights(bob: Person, ana: Person, beast: str, hidden: bool, fall: Fall) -> None:
    """The beast was quicker and strikes first; then both seal, and the blow that lands is seen by all.

    Whoever does not see what attacks is struck all the same, and does not learn by whom.
    """
    if hidden:
        starts(ana, "Échange de coups", **{"Celui qui agit": beast, "Adversaire": f"{SOLVEIG} (Bob)"})
    else:
        presses(ana, say("web.show_all"), ana.sheets.get_by_role("article", name=re.compile(f"^{beast}")))
        panel(bob, say("web.now"))
        expect(bob.acting.get_by_text(beast).first).to_be_visible()
        presses(bob, "Échange de coups")
    panel(bob, say("web.now"))
    until(bob, re.compile(f"Le coup atteint {SOLVEIG}"), ana, bob)
    if not hidden:
        fall(1, 1, 1, 6, 6, 6)
        until(bob, re.compile(f"Le coup atteint {beast}"), bob, ana)
    keep_picture(bob.page, "trade-beast")
    until(ana, re.compile("À vous de choisir la suite|Sceller"), ana, bob)


def edits(ana: Person) -> None:
    """A world is given other seas, and a name: both from its panel."""
    place = looks_at(ana, THERE)
    expect(place.get_by_text(re.compile("70.% d'océans"))).to_be_visible()
    presses(ana, "Retoucher…", place)
    card = ana.acting.get_by_role("article", name="Retoucher un carreau").first
    card.get_by_role("combobox", name=re.compile("^Retouche")).select_option(label="fixer les océans")
    fills(card, "Valeur", 3)
    until(ana, re.compile(rf"{THERE} \(0609\).*océans"), ana, where=ana.log)
    expect(place.get_by_text(re.compile("30.% d'océans"))).to_be_visible()  # the map follows what happens
    presses(ana, "Nommer", place)
    card = ana.acting.get_by_role("article", name="Retoucher un carreau").first
    card.get_by_role("textbox", name=re.compile("^Texte")).first.fill(NAMED)
    until(ana, re.compile(rf"{NAMED} \(0609\)"), ana, where=ana.log)
    expect(place.get_by_role("heading", name=re.compile(f"^{NAMED}"))).to_be_visible()
    keep_picture(ana.page, "trade-map")
    closes(ana, place)


def ledger(bob: Person) -> list[int]:
    """What was paid and earned, line by line, as the hold's owner reads it beside the planner; what it comes to."""
    place = opens(bob, "Que rapporter", "^Que rapporter")
    expect(place.get_by_role("heading", name="Livre de comptes")).to_be_visible()
    book = place.get_by_role("table").filter(has=bob.page.get_by_role("columnheader", name="Opération"))
    lines = [number(cells) for cells in book.get_by_role("row").locator("td:nth-child(3)").all_inner_texts()]
    keep_picture(bob.page, "trade-ledger")
    total = place.get_by_text(re.compile("^En tout")).inner_text()
    assert number(total) == sum(lines)
    closes(bob, place)
    return lines


def number(words: str) -> int:
    """The number in some words, below nothing or not."""
    return int(re.sub(r"\D", "", words)) * (-1 if re.search("[-−]", words) else 1)


def month(open_table: OpenTable, fall: Fall, size: dict[str, int], hidden: bool) -> None:
    """Game master, merchant and companion, from an empty map to the planner."""
    table = open_table("empire", waiting=False)
    ana, bob, lea = table.gm(), table.joins("Bob", viewport=size), table.joins("Léa", viewport=PHONE)
    for who, name in ((bob, SOLVEIG), (lea, BASTIEN)):
        panel(who, say("web.tab_sheets"))
        presses(who, f"Jouer {name}")
    if hidden:
        brings_hidden(ana, SENTRY)
    prepares(ana)
    spent = buys(bob, ana)
    sails(bob, lea, ana)
    expect(lea.page.get_by_text(re.compile(r"18\s560")).first).to_be_attached()  # eight hours a day at ten credits
    earned = sells(bob, ana)
    sold = 48_000 - spent - 20 - 2 * 2100 + earned - 20  # customs, two passages, the duty: each once
    expect(bob.acting.get_by_text(purse(sold)).first).to_be_visible()
    keep_picture(bob.page, "trade-sold")
    repairs(bob, ana, sold)
    nothing_waits(ana, bob, lea)
    assert ledger(bob) == [-spent, -20, -2 * 2100, earned, -20]
    beast = meets(ana)
    fights(bob, ana, beast, hidden, fall)
    edits(ana)
    expect(opens(bob, "Carte", "^Secteur").get_by_role("link", name=re.compile(NAMED)).first).to_be_attached()
    keep_picture(bob.page, "trade-chart")
    expect(opens(ana, "Que rapporter", "^Que rapporter").get_by_role("table").get_by_text(NAMED).first).to_be_visible()
    keep_picture(ana.page, "trade-planner")
    unknown = ["ourmansk", "Brukost", "Amamore", *((beast, SENTRY) if hidden else ())]
    for who in (bob, lea):  # neither the seed, nor a world that they have not seen, nor whoever is behind the screen
        assert not [word for word in unknown if who.knows(word)]


def test_a_month_of_trade(open_table: OpenTable, fall: Fall) -> None:
    month(open_table, fall, WIDE, hidden=False)


def test_a_month_of_trade_from_a_phone_with_somebody_hidden(open_table: OpenTable, fall: Fall) -> None:
    month(open_table, fall, PHONE, hidden=True)


def test_a_haggling_is_judged_by_the_game_master_and_thrown_by_the_merchant(open_table: OpenTable, fall: Fall) -> None:
    """After the dice of the price too there is something to judge, in one tap; the last result covers nothing."""
    table = open_table("empire", waiting=False)
    ana, bob = table.gm(), table.joins("Bob", viewport={"width": 1280, "height": 800})
    presses(bob, f"Jouer {SOLVEIG}")
    card = starts(bob, "Acheter des lots")
    card.get_by_role("combobox", name=re.compile("^Marchandise")).select_option(label="végétaux")
    level = ana.acting.get_by_role("article", name="Acheter des lots").first
    expect(level).to_be_visible()
    fills(level, "NT", 3)
    until(bob, re.compile("¢ le lot"), bob)
    picks(card.get_by_role("radio", name=re.compile("oui$")).first)
    presses(bob, "Valider", bob.bar)
    expect(bob.bar.get_by_text("On attend Ana")).to_be_visible()
    judged = ana.bar.get_by_role("button", name=re.compile("^facile"))
    expect(judged).to_be_visible()
    expect(ana.bar.get_by_role("button", name="Continuer le jet")).to_have_count(0)
    judged.click()
    until(bob, re.compile("de gagnés"), bob)
    until(bob, re.compile("Acheté pour"), bob)
    nothing_waits(ana, bob)
    bob.page.get_by_role("searchbox", name=say("web.find_move")).fill("Corrompre")
    bob.page.locator("#found").get_by_role("link", name=re.compile("^Corrompre")).click()
    presses(bob, say("web.begin"), bob.page.get_by_role("dialog").locator("visible=true").first)
    official = ana.acting.get_by_role("article", name="Corrompre").first
    expect(official).to_be_visible()
    fills(official, "NT", 6)
    fills(official, "Rang de politique", 7)
    until(bob, re.compile("La faveur coûtera"), bob, ana)
    expect(bob.bar.get_by_role("button", name="Valider")).to_be_visible()
    until(bob, "L'affaire est faite.", bob)  # what is usual is chosen, though how it went is the game master's to know


def test_on_a_phone_too_the_whole_map_is_shown_to_whoever_asks_for_it(open_table: OpenTable) -> None:
    ana = open_table("empire", waiting=False).gm(viewport=PHONE)
    made = seeded_sector("ourmansk", find_system("empire").book.rulings())
    ana.does("add-record", kind="sector", sheet=to_plain(made))
    ana.comes_back()
    place = opens(ana, "Carte", "^Secteur")
    far = place.locator('a[data-square="1010"]')
    for whole in (True, False, True):
        presses(ana, say("web.zoom_all" if whole else "web.zoom_in"), place)
        expect(place.locator("[data-leafmap]")).to_have_attribute("data-size", "1" if whole else "1.5")
        assert (far.bounding_box()["x"] + far.bounding_box()["width"] <= PHONE["width"]) is whole


def test_whoever_steps_over_the_map_by_keyboard_goes_on_from_where_they_were(open_table: OpenTable) -> None:
    """A square chosen by a key draws the map anew; the hand stays on that square, and on the arrow that was pressed."""
    ana = open_table("empire", waiting=False).gm()
    made = seeded_sector("ourmansk", find_system("empire").book.rulings())
    ana.does("add-record", kind="sector", sheet=to_plain(made))
    ana.comes_back()
    place = opens(ana, "Carte", "^Secteur")
    place.get_by_role("link", name=re.compile(HERE)).first.focus()
    held = ana.page.locator("a[data-square]:focus")
    chosen = place.locator("[data-chosen]")
    for key, square in (("Enter", "0403"), ("ArrowLeft", "0303"), ("Enter", "0303"), ("ArrowUp", "0302")):
        ana.page.keyboard.press(key)
        expect(held).to_have_attribute("data-square", square)
        if key == "Enter":
            expect(chosen).to_have_attribute("data-chosen", square)
    right = place.get_by_role("link", name=re.compile("^→"))
    right.focus()
    for _ in range(2):
        name = right.inner_text().removeprefix("→").strip()
        ana.page.keyboard.press("Enter")
        expect(place.get_by_role("heading", name=re.compile(f"^{name}"))).to_be_visible()
        expect(right).to_be_focused()
