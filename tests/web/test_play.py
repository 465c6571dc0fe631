"""An evening in real browsers: two and three people at one table, by the words they read."""

import re

import pytest
from playwright.sync_api import expect

from paravent.game import find_system
from paravent.game.telling import Teller

from .conftest import HOSTNAME, PHONE, SEAT, Browsing, OpenTable, say, titled

pytestmark = pytest.mark.needs("chromium")
MAELLE, NOUR = "Maëlle Tisserand", "Nour"


def option(system: str, name: str, lang: str = "fr") -> str:
    return Teller(lang, find_system(system)).option(None, name)


# Coming to the table


@pytest.mark.parametrize("system", ["conteur", "simulacres"])
def test_a_newcomer_rolls_within_a_minute(browsing: Browsing, system: str) -> None:
    """From the first page: the ready table, the move that waits, the dice, the result."""
    page = browsing.page(browsing.context())
    page.goto(f"{browsing.serving.url}/")
    page.get_by_role("link", name=say("system.name", system=system)).first.click()
    page.get_by_role("button", name=say("web.try_demo"), exact=True).first.click()
    page.wait_for_url(SEAT)
    throw = page.get_by_role("button", name=re.compile(f"^{say('web.throw')}( ·| pour |$)")).first
    expect(throw).to_be_visible()
    throw.click()
    expect(page.get_by_role("img", name=re.compile(r"dé à \d+ faces|\d")).first).to_be_visible()


def test_a_table_is_opened_and_somebody_invited_by_link_and_code(browsing: Browsing) -> None:
    page = browsing.page(browsing.context())
    page.goto(f"{browsing.serving.url}/g/simulacres")
    page.get_by_text(say("web.open_table"), exact=True).click()
    page.get_by_label(say("web.table_name"), exact=True).fill("Vendredi")
    page.get_by_role("button", name=say("web.open_it"), exact=True).click()
    page.wait_for_url(SEAT)
    steps, table = page.locator(".steps li"), page.url
    expect(steps).to_have_count(3)
    page.get_by_role("link", name=say("web.steps.invite"), exact=True).click()
    page.get_by_label(say("web.name"), exact=True).first.fill("Zoé <b>gras</b>")
    page.get_by_role("button", name=say("web.invite"), exact=True).click()
    link = page.get_by_label(say("web.link"), exact=True).first
    expect(link).to_have_value(re.compile(r"/enter/\w{40}$"))
    expect(page.locator("main svg").first).to_be_visible()  # the code for phones
    address = link.input_value()
    page.get_by_role("button", name=say("web.copy"), exact=True).first.click()
    phone = browsing.page(browsing.context(viewport=PHONE))
    phone.goto(address)
    phone.wait_for_url(SEAT)
    expect(phone.get_by_text("Zoé <b>gras</b>").first).to_be_attached()
    assert phone.locator("b", has_text="gras").count() == 0 or "Zoé" in phone.locator("b", has_text="gras").inner_text()
    seat = phone.url
    phone.close()
    again = browsing.page(browsing.contexts[-1])  # later, on the same phone: no link is needed any more
    again.goto(seat)
    expect(again.get_by_text("Zoé <b>gras</b>").first).to_be_attached()
    expect(again.locator(".steps a")).to_have_text(say("web.steps.character"))
    page.goto(table)
    expect(page.locator(".steps li.done")).to_have_count(1)
    page.get_by_label(say("web.say"), exact=True).fill("/r 2d6")
    page.keyboard.press("Enter")
    expect(steps).to_have_count(0)  # it has begun


@pytest.mark.parametrize(("system", "ready"), [("conteur", "Anselme Ruvier"), ("simulacres", "Isidore")])
def test_a_player_brings_a_ready_made_character(open_table: OpenTable, system: str, ready: str) -> None:
    table = open_table(system)
    bob = table.joins("Bob")
    before = bob.sheets.get_by_role("article").count()
    bob.goes(f"{bob.base}/new")
    bob.page.get_by_role("button", name=say("web.choose")).first.click()
    bob.page.wait_for_url(re.compile(rf"{bob.base}/$"))
    expect(bob.sheets.get_by_role("article")).to_have_count(before + 1)
    assert any(record["owner"] == bob.seat for record in bob.view["records"].values())


# One throw


def test_a_throw_from_character_to_consequences_seen_by_all(open_table: OpenTable) -> None:
    """Conteur: choose a character, fill, see the odds, throw real dice, choose, and the game master applies."""
    table = open_table("conteur")
    ana, bob, eve = table.gm(), table.joins("Bob"), table.joins("Eve", as_="spectator")
    bob.takes(MAELLE)
    card = bob.card()
    bob.tile("skill", re.compile("^Navires légers")).check()
    chance = card.get_by_text(re.compile(r"\d\s*%\s*" + say("web.success_chance")))
    expect(chance.first).to_be_visible()
    before = chance.first.inner_text()
    expect(ana.card().get_by_text("Navires légers").first).to_be_attached()
    expect(eve.card().get_by_text("Navires légers").first).to_be_visible()
    card.locator("label", has=bob.page.locator("[name$=':energy_dice'][value='1']")).click()
    expect(chance.first).not_to_have_text(before)  # one more die: other odds, at once
    bob.bar.get_by_role("button", name=say("web.real_dice"), exact=True).click()
    faces = card.get_by_label(say("web.type_faces", n=4, sides=10))
    faces.fill("3 4 10 2 9 9")
    faces.press("Enter")
    expect(bob.page.get_by_role("alert").first).to_be_visible()  # too many: refused, and what was typed stays
    expect(faces).to_have_value("3 4 10 2 9 9")
    faces.fill("3 4 9 2")
    faces.press("Enter")
    stop = bob.bar.get_by_role("button", name=option("conteur", "stop"))
    expect(stop).to_be_visible()
    stop.click()
    outcome = re.compile("réussi", re.IGNORECASE)
    for who in (bob, ana, eve):
        expect(who.page.get_by_text(outcome).first).to_be_visible()
        expect(who.page.get_by_text(say("web.by_hand")).first).to_be_visible()
    assert eve.card().get_by_role("button").count() == 0
    before_energy = record_value(bob, "energy")
    ana.applies()
    expect(ana.acting.get_by_role("article", name=titled("moves.throw", "conteur"))).to_have_count(0)
    expect(bob.acting.get_by_role("article", name=titled("moves.throw", "conteur"))).to_have_count(0)
    assert record_value(bob, "energy") == before_energy - 1
    why = bob.log.get_by_text(say("web.why")).first
    why.click()
    expect(bob.log.get_by_role("link", name=re.compile("^D10-")).first).to_be_visible()


def record_value(who, field: str) -> int:
    mine = next(record for record in who.view["records"].values() if record["owner"] == who.seat)
    return mine["sheet"][field]


def test_the_game_master_takes_back_what_a_throw_changed(open_table: OpenTable) -> None:
    table = open_table("conteur")
    ana, bob = table.gm(), table.joins("Bob")
    bob.takes(MAELLE)
    (record,) = (name for name, held in bob.view["records"].items() if held["owner"] == bob.seat)
    bob.does("fill", number=1, actor=record, values={"skill": "Navires légers", "energy_dice": 1})
    bob.does("throw", number=1, by_hand=True)
    bob.does("answer", number=1, answer=[3, 4, 9, 2])
    bob.does("answer", number=1, answer="stop")
    before = record_value(bob, "energy")
    ana.applies()
    expect(ana.log.get_by_role("button", name=say("web.undo"), exact=True).first).to_be_visible()
    assert record_value(bob, "energy") == before - 1
    ana.log.get_by_role("button", name=say("web.undo"), exact=True).first.click()
    expect(bob.log.get_by_text(say("web.phase.undone")).first).to_be_visible()
    assert record_value(bob, "energy") == before
    expect(bob.log.get_by_role("img").first).to_be_visible()  # undone throws stay listed


def test_the_server_throws_a_simulacres_test_and_everybody_sees_the_same_faces(open_table: OpenTable) -> None:
    table = open_table("simulacres")
    ana, bob = table.gm(), table.joins("Bob")
    bob.takes(NOUR)
    bob.roll.click()
    expect(bob.log.get_by_role("img").first).to_be_visible()
    expect(ana.log.get_by_role("img").first).to_be_visible()
    mine = [img.get_attribute("aria-label") for img in bob.log.get_by_role("img").all()]
    hers = [img.get_attribute("aria-label") for img in ana.log.get_by_role("img").all()]
    assert mine == hers
    assert len(mine) >= 2
    thrown = bob.view["moves"]["1"]
    assert thrown["proofs"], "the throw can be verified"


def test_a_figure_of_the_sheet_starts_its_move(open_table: OpenTable) -> None:
    table = open_table("conteur", waiting=False)
    bob = table.joins("Bob")
    bob.sheets.get_by_role("button", name=MAELLE).first.click()
    mine = bob.sheets.get_by_role("article", name=MAELLE)
    dexterity = mine.get_by_role("button", name=re.compile("dextérité", re.IGNORECASE)).first
    dexterity.click()  # one's only sheet lies open
    bob.tile("skill", re.compile("^Navires légers"), "throw").check()
    expect(bob.roll).to_be_visible()


# Talk


def test_people_talk_roll_and_whisper_on_one_line(open_table: OpenTable) -> None:
    table = open_table("conteur")
    ana, bob, zoe = table.gm(), table.joins("Bob"), table.joins("Zoé")
    ana.says("La porte cède. <i>Doucement</i>")
    for who in (ana, bob, zoe):
        who.hears("La porte cède. <i>Doucement</i>")
    bob.says("3D6+2 # le levier")
    for who in (bob, ana, zoe):
        expect(who.log.get_by_text(re.compile(r"3D6\+2")).first).to_be_visible()
        expect(who.log.get_by_role("img").nth(2)).to_be_visible()
    bob.says("/w Zoé tu le crois, toi ?")
    zoe.hears("tu le crois, toi")
    bob.line.fill("/danse")
    bob.line.press("Enter")
    expect(bob.page.get_by_role("alert").first).to_contain_text("/danse")
    expect(bob.line).to_have_value("/danse")  # what was refused comes back
    ana.hears("La porte cède")
    assert not ana.log.get_by_text("/danse").count()


def test_the_stop_card_is_seen_by_all_and_played_by_nobody(open_table: OpenTable) -> None:
    table = open_table("simulacres")
    ana, bob, eve = table.gm(), table.joins("Bob"), table.joins("Eve", as_="spectator")
    eve.page.get_by_role("button", name=re.compile(say("web.stop") + "$")).first.click()
    for who in (ana, bob, eve):
        expect(who.page.get_by_text(say("web.stopped")).first).to_be_visible()
    for who in (ana, bob):
        told = [line for line in who.view["log"] if line["type"] == "card-played"]
        assert told
        assert all("by" not in line for line in told)


# Other languages, other screens


def test_the_same_table_in_english(open_table: OpenTable) -> None:
    table = open_table("conteur", lang="en")
    bob = table.joins("Bob")
    expect(bob.page.locator("html")).to_have_attribute("lang", "en")
    bob.takes(MAELLE)
    bob.tile("skill", re.compile(r"\w 4$")).first.check()
    expect(bob.card().get_by_text(re.compile(r"\d%\s*" + say("web.success_chance", "en"))).first).to_be_visible()
    page = bob.page.locator("main").inner_text()
    assert say("web.start_move") not in page
    assert not re.search(r"\bweb\.\w+", page), "a word is missing"


def test_one_throw_on_a_phone(open_table: OpenTable) -> None:
    table = open_table("simulacres")
    bob = table.joins("Bob", viewport=PHONE, has_touch=True, is_mobile=True)
    tabs = bob.page.get_by_role("navigation", name=say("web.panels"))
    tabs.get_by_role("button", name=say("web.tab_sheets")).tap()
    bob.sheets.get_by_role("button", name=NOUR).first.tap()
    tabs.get_by_role("button", name=say("web.now")).tap()
    bob.roll.tap()
    tabs.get_by_role("button", name=say("web.log")).tap()
    expect(bob.log.get_by_role("img").first).to_be_visible()
    width = bob.page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"], "nothing sticks out"


def test_the_keyboard_alone_plays_one_throw(open_table: OpenTable) -> None:
    table = open_table("simulacres")
    bob = table.joins("Bob")
    keys = bob.page.keyboard

    def tab_to(name: str, back: bool = False) -> None:
        for _ in range(150):
            keys.press("Shift+Tab" if back else "Tab")
            reached = bob.page.evaluate(
                "document.activeElement.matches('button, a, input, select, summary') && "
                "(document.activeElement.getAttribute('aria-label') || document.activeElement.innerText) || ''"
            )
            if name.replace(" ", "") in "".join(reached.split()):
                return
        raise AssertionError(f"{name} is out of the keyboard's reach")

    tab_to(NOUR)
    keys.press("Enter")
    expect(bob.roll).to_be_visible()
    tab_to(f"{say('web.throw')}·")  # with its chance, in the bar
    keys.press("Enter")
    expect(bob.log.get_by_role("img").first).to_be_visible()
    keys.press("m")
    expect(bob.line).to_be_focused()
    keys.type("j'ai réussi")
    keys.press("Enter")
    bob.hears("j'ai réussi")


WATCHED = """
    [window.rolled, window.knocks] = [0, 0];
    addEventListener("animationstart", (e) => { if (e.animationName === "tumble") rolled++; }, true);
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...at) { knocks++; return start.apply(this, at); };
"""
"""A page that counts the dice that roll and the knocks that are heard."""


def test_dice_roll_unless_motion_is_unwelcome_and_are_heard_where_somebody_asked_for_it(open_table: OpenTable) -> None:
    table = open_table("simulacres")
    bob = table.joins("Bob", reduced_motion="reduce")
    ana = table.gm()
    for person in (ana, bob):
        person.page.add_init_script(WATCHED)
        person.comes_back()
    sound = bob.button("web.sound")
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "true")
    bob.page.wait_for_function("knocks > 0")  # how it sounds is heard at once
    bob.takes(NOUR)
    bob.page.evaluate("knocks = 0")
    bob.roll.click()
    for person in (ana, bob):
        expect(person.log.get_by_role("img").first).to_be_visible()
    moving = bob.page.evaluate(
        "document.getAnimations().filter((a) => (a.effect?.getComputedTiming().duration ?? 0) > 1).length"
    )
    assert moving == 0
    ana.page.wait_for_function("rolled > 0")
    assert bob.page.evaluate("rolled") == 0
    bob.page.wait_for_function("knocks > 0")
    assert ana.page.evaluate("knocks") == 0, "nobody asked for it there"
    bob.comes_back()
    expect(sound).to_have_attribute("aria-pressed", "true")
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "false")


def test_over_plain_http_under_a_made_up_name(open_table: OpenTable) -> None:
    """Phones come over kitchen Wi-Fi: no secure context, and everything works."""
    table = open_table("simulacres", host=HOSTNAME)
    ana, bob = table.gm(), table.joins("Bob", viewport=PHONE)
    assert bob.page.evaluate("isSecureContext") is False
    tabs = bob.page.get_by_role("navigation", name=say("web.panels"))
    tabs.get_by_role("button", name=say("web.tab_sheets")).click()
    bob.sheets.get_by_role("button", name=NOUR).first.click()
    tabs.get_by_role("button", name=say("web.now")).click()
    bob.roll.click()
    expect(ana.log.get_by_role("img").first).to_be_visible()
    ana.says("bien joué")
    tabs.get_by_role("button", name=say("web.log")).click()
    bob.hears("bien joué")
    ana.goes(f"{ana.base}/links")
    ana.page.get_by_label(say("web.name"), exact=True).first.fill("Max")
    ana.page.get_by_role("button", name=say("web.invite"), exact=True).click()
    expect(ana.page.get_by_label(say("web.link"), exact=True).first).to_have_value(re.compile(HOSTNAME))
    ana.page.get_by_role("button", name=say("web.copy"), exact=True).first.click()


def test_one_browser_holds_two_seats_side_by_side(open_table: OpenTable) -> None:
    table = open_table("simulacres")
    ana = table.gm()
    bob = table.joins("Bob", context=ana.context)
    assert ana.base != bob.base
    ana.says("je suis le meneur")
    bob.hears("je suis le meneur")
    bob.says("je suis Bob")
    ana.hears("je suis Bob")
    ana.comes_back()
    expect(ana.page.locator(f"a[href='{ana.base}/links']").first).to_be_attached()
    bob.comes_back()
    expect(bob.page.locator("a[href$='/links']")).to_have_count(0)


@pytest.mark.parametrize("system", ["conteur", "simulacres"])
def test_a_spectator_and_the_tables_screen_have_no_controls(open_table: OpenTable, system: str) -> None:
    table = open_table(system)
    ana, eve = table.gm(), table.joins("Eve", as_="spectator")
    for region in (eve.sheets, eve.acting):
        assert region.get_by_role("textbox").count() == 0
        assert region.get_by_role("combobox").count() == 0
        assert region.get_by_role("button").count() == 0
    eve.goes(f"{eve.base}/screen")
    main = eve.page.get_by_role("main")
    for role in ("button", "textbox", "combobox", "checkbox", "radio", "spinbutton"):
        assert main.get_by_role(role).count() == 0, role
    assert main.locator("form[action]").count() == 0
    eve.page.set_viewport_size({"width": 1100, "height": 90})
    expect(eve.page.locator(".panel.sheets")).to_have_attribute("data-more", "")  # it says that the sheets go on
    eve.page.set_viewport_size({"width": 1100, "height": 9000})
    expect(eve.page.locator("[data-more]")).to_have_count(0)
    ana.says("regardez l'écran")
    eve.sees("regardez l'écran")


# Without scripts


def test_the_first_view_is_usable_without_scripts(open_table: OpenTable) -> None:
    table = open_table("conteur")
    bob = table.joins("Bob", java_script_enabled=False, viewport=PHONE)
    assert bob.page.evaluate("document.documentElement.scrollWidth") == PHONE["width"], "one long page, no columns"
    bob.sheets.get_by_role("button", name=MAELLE).first.click()
    card = bob.card()
    bob.tile("skill", re.compile("^Navires légers")).check()
    card.get_by_role("button", name=say("web.keep"), exact=True).first.click()
    expect(bob.card().get_by_text(re.compile(r"\d\s*%")).first).to_be_visible()
    bob.bar.get_by_role("button", name=say("web.real_dice"), exact=True).click()
    bob.card().get_by_label(say("web.type_faces", n=3, sides=10)).fill("3 4 9")
    bob.bar.get_by_role("button", name=say("web.these_faces"), exact=True).click()
    bob.bar.get_by_role("button", name=option("conteur", "stop")).click()
    expect(bob.page.get_by_text(re.compile("réussi", re.IGNORECASE)).first).to_be_visible()
    bob.line.fill("sans script")
    bob.page.get_by_role("button", name=say("web.send"), exact=True).click()
    bob.hears("sans script")
