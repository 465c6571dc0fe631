"""Acting: sheets that start moves, odds before the throw, dice to choose among, encounters played to their end."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from paravent.game import System, find_system, system_at
from paravent.web.controls import FormReader

from .conftest import PHONE, SEAT, Browsing, OpenTable, Person, Table, say, titled
from .test_in_view import LYING, SIZES

pytestmark = pytest.mark.needs("chromium")
MAELLE, YUNA, ANSELME = "Maëlle Tisserand", "Yuna Kadiri", "Anselme Ruvier"
NOUR, LUDMILA = "Nour Valcourt", "Ludmila Orsay"
DOCKER = {"name": "Le docker", "category": "average", "trades": [{"name": "Docker"}], "hobbies": [{"name": "Dés"}],
          "talents": [{"name": "Bagarre", "family": "unarmed"}], "breath_points": 1, "life_points": 1}


def comes_as(table: Table, name: str, character: str, **options: Any) -> Person:
    """Somebody sits down and takes a character; their sheet opens by itself."""
    person = table.joins(name, **options)
    person.sheets.get_by_role("button", name=say("web.play_as", name=character), exact=True).click()
    expect(person.sheets.get_by_role("article", name=character).locator(".blockhead").first).to_be_visible()
    return person


def chip(person: Person, move: str, within: str = "") -> Any:
    title = titled(f"moves.{move}", person.table.system)
    return person.page.locator(within).get_by_text(title, exact=True) if within else person.finds(move)


def begins(person: Person, move: str, within: str = "") -> None:
    """Start a move from where it is found, everybody in it as proposed; in an encounter a touch begins it."""
    chip(person, move, within).click()
    if not within:
        person.page.locator("#starting").get_by_role("button", name=say("web.begin"), exact=True).click()
    expect(person.card(move)).to_be_visible()


def asked(card: Any, field: str, system: str = "conteur", kind: str = "combobox") -> Any:
    """Where a card asks for a field."""
    return card.get_by_role(kind, name=re.compile(f"^{re.escape(titled(f'fields.{field}', system))}( \\*)?$"))


def one_of(card: Any, field: str, value: str) -> Any:
    """One of the values of a field that is said by a touch."""
    return card.locator(f'label:has(input[name$=":{field}"][value="{value}"])')


def said(card: Any, field: str) -> Any:
    """What such a field says."""
    return card.locator(f'input[name$=":{field}"]:checked')


def judges(person: Person, move: str, field: str, value: str) -> None:
    """Say how hard it is: by a step of the bar where it is awaited, by one of the card where it may be said at will."""
    step = person.bar.locator(f'button[name$=":{field}"][value="{value}"]')
    step.or_(one_of(person.card(move), field, value)).first.click()


def types_in(person: Person, *faces: int) -> None:
    """Tap the faces of real dice."""
    person.bar.get_by_role("button", name=say("web.real_dice"), exact=True).click()
    taps(person, *faces)


def taps(person: Person, *faces: int) -> None:
    pad = person.acting.get_by_role("group", name=say("web.tap_faces"))
    for face in faces:
        pad.get_by_role("button", name=str(face), exact=True).click()
    person.bar.get_by_role("button", name=say("web.these_faces"), exact=True).click()


# Sheets


def test_a_sheet_explains_itself_acts_and_changes_within_the_rules(open_table: OpenTable) -> None:
    table = open_table("simulacres", waiting=False)
    ana, bob = table.gm(), comes_as(table, "Bob", NOUR)
    mine = bob.sheets.get_by_role("article", name=NOUR)
    bob.page.locator("#all-moves > summary").click()
    for group in ("tests", "combat", "care"):
        listed = titled(f"groups.{group}", "simulacres")
        expect(bob.acting.get_by_role("heading", name=listed, exact=True)).to_be_visible()
    figures = mine.locator(".figures > li")
    assert figures.count() == mine.locator(".figures > li:has(.ask)").count() > 10
    mine.get_by_role("link", name=say("web.explain", what=titled("fields.mineral", "simulacres"))).hover()
    expect(bob.page.locator("#explain")).to_contain_text(find_system("simulacres").book.rules["SIM-103"].text["fr"])

    mine.get_by_role("button", name="Mécanique des fluides").click()
    card = bob.card("simple-test")
    expect(said(card, "skill")).to_have_value("Mécanique des fluides")
    mine.get_by_role("button", name=re.compile("^Action, Corps")).click()
    expect(said(card, "component")).to_have_value("body")
    expect(said(card, "means")).to_have_value("action")
    one_of(card, "realm", "mechanical").click()
    expect(card.get_by_text(say("web.success_chance"))).to_be_visible()

    life = titled("fields.life_points", "simulacres")
    mine.get_by_role("button", name=say("web.one_less", what=life)).click()
    expect(ana.sheets.get_by_role("article", name=NOUR).locator(".glance")).to_contain_text("PV 4/5")

    bob.goes(f"{bob.base}/sheet/{next(iter(bob.view['records']))}")
    bob.page.get_by_text(say("web.edit"), exact=True).click()
    bob.page.get_by_label(titled("fields.body", "simulacres"), exact=True).fill("9")
    expect(bob.page.locator("#faults")).to_contain_text("Composante vaut 9")
    bob.page.get_by_role("button", name=say("web.keep_changes")).click()
    expect(bob.page.get_by_text("Composante vaut 9")).to_be_visible()  # a refusal, in a sentence
    bob.comes_back()
    ana.goes(f"{ana.base}/sheet/{next(iter(ana.view['records']))}")
    ana.page.get_by_text(say("web.edit"), exact=True).click()
    ana.page.get_by_label(titled("fields.body", "simulacres"), exact=True).fill("9")
    ana.page.get_by_role("button", name=say("web.keep_changes")).click()
    ana.comes_back()
    expect(ana.log.get_by_text(say("web.beyond")).first).to_be_visible()


def test_several_sheets_of_ones_own_on_a_phone(open_table: OpenTable) -> None:
    table = open_table("conteur", waiting=False)
    bob = table.joins("Bob", viewport=PHONE)
    bob.page.get_by_role("button", name=say("web.play_as", name=MAELLE)).click()
    other = bob.sheets.get_by_role("article", name=ANSELME)
    other.get_by_text(say("web.whole_sheet"), exact=True).click()
    other.get_by_role("button", name=say("web.take"), exact=True).click()
    expect(bob.page.locator("article.sheet.mine")).to_have_count(2)
    chip_of = bob.page.locator(".tabs").get_by_role("button", name=say("web.act"))
    chip_of.click()
    begins(bob, "throw")
    expect(bob.card("throw")).to_contain_text(ANSELME)  # the first of one's own, where nothing says more
    assert bob.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


# Odds


def test_odds_say_what_is_missing_whose_it_is_and_what_is_hidden(open_table: OpenTable) -> None:
    table = open_table("conteur", waiting=False)
    ana, bob = table.gm(), comes_as(table, "Bob", MAELLE)
    attribute = titled("fields.attribute", "conteur")
    chip(bob, "throw").click()
    card = bob.card("throw")
    expect(card.get_by_text(say("web.odds_lack", what=attribute))).to_be_visible()
    expect(bob.bar.get_by_text(re.compile(f"^{attribute}"))).to_be_in_viewport()
    throw = bob.roll
    expect(throw).to_have_count(0)  # it would only be refused
    judges(bob, "throw", "attribute", "dexterity")
    expect(bob.bar.get_by_text(re.compile(f"^{titled('fields.skill', 'conteur')}")).first).to_be_visible()
    expect(throw).to_have_count(0)  # no skill, no dice
    one_of(card, "skill", "Tir").click()
    expect(throw).to_be_visible()
    expect(card.locator(".chart .big")).to_be_visible()

    hidden = ana.card("throw").get_by_role("group", name=titled("fields.hidden", "conteur"))
    hidden.get_by_label(say("house.yes")).check()
    secret = titled("fields.hidden_difficulty", "conteur")
    expect(card.get_by_text(say("web.odds_hidden", what=secret))).to_be_visible()
    expect(card.locator(".outlook tr")).to_have_count(3)
    card.get_by_text(say("web.more"), exact=True).click()
    card.get_by_role("button", name=say("web.withdraw")).click()
    expect(card).to_have_count(0)

    begins(bob, "start-complex-action")
    lacks = say("web.odds_lack_of", what=titled("fields.difficulty", "conteur"), who=say("roles.gm", system="conteur"))
    expect(bob.card("start-complex-action").get_by_text(lacks)).to_be_visible()
    expect(ana.bar.locator('button[name$=":difficulty"]').first).to_be_in_viewport()


def test_what_needs_no_dice_is_told_before_it_is_done(open_table: OpenTable) -> None:
    table = open_table("simulacres", waiting=False)
    ana = table.gm()
    begins(ana, "create-npc")
    card = ana.card("create-npc")
    conclude = ana.bar.get_by_role("button", name=say("web.conclude"), exact=True)
    expect(card.get_by_text("métier : 0, il en faut 1")).to_be_visible()
    expect(conclude).to_have_count(0)  # nothing would be made
    asked(card, "name", "simulacres", "textbox").fill("Le Comte")
    asked(card, "trade", "simulacres", "textbox").fill("Noble")
    asked(card, "talents", "simulacres", "textbox").fill("Escrime")
    asked(card, "hobbies", "simulacres", "textbox").fill("Échecs")
    ana.page.keyboard.press("Tab")
    expect(card.get_by_text(say("outcomes.legal", system="simulacres"))).to_be_visible()
    expect(conclude).to_be_visible()


# Dice


def test_luck_throws_several_dice_again_and_the_game_master_takes_it_back(open_table: OpenTable) -> None:
    table = open_table("conteur", waiting=False)
    ana, bob = table.gm(), comes_as(table, "Bob", MAELLE)
    mine = bob.sheets.get_by_role("article", name=MAELLE)
    mine.get_by_role("button", name=re.compile("^Tir")).click()
    mine.get_by_role("button", name=re.compile("^Dextérité")).click()
    judges(ana, "throw", "difficulty", "2")
    expect(said(ana.card("throw"), "difficulty")).to_have_value("2")
    types_in(bob, 9, 8)
    tray = bob.bar.locator(".tray")
    expect(tray.get_by_text(say("values.failure", system="conteur"))).to_have_count(2)  # what each die is worth
    bob.bar.get_by_role("button", name=say("choices.reroll.luck", system="conteur")).click()
    for die in (0, 1):
        tray.locator("label").nth(die).click()
    bob.bar.get_by_role("button", name=say("web.throw_these")).click()
    taps(bob, 3, 4)
    luck = titled("fields.luck_used", "conteur")
    change = ana.card("throw").locator(".change", has_text=luck)
    expect(change).to_contain_text("2")
    change.get_by_role("spinbutton").fill("1")
    ana.applies()
    gauge = mine.locator(".gauge", has_text=titled("fields.luck_available", "conteur"))
    expect(gauge).to_contain_text("3/4")  # as amended
    result = bob.acting.get_by_role("article", name=say("web.last_result"))
    result.get_by_text(say("web.why")).click()
    expect(result.get_by_role("link", name="D10-030").first).to_be_visible()
    ana.log.get_by_role("button", name=say("web.undo"), exact=True).first.click()
    expect(gauge).to_contain_text("4/4")


# Encounters


def test_a_complex_action_says_whose_turn_it_is_until_it_is_done(open_table: OpenTable) -> None:
    table = open_table("conteur", waiting=False)
    ana, bob, eve = table.gm(), comes_as(table, "Bob", MAELLE), comes_as(table, "Eve", YUNA)
    begins(bob, "start-complex-action")

    def turn(move: str, *faces: int) -> None:
        card = bob.card(move)
        if move == "start-complex-action":  # what it was begun with goes on
            judges(bob, move, "attribute", "mental")
            one_of(card, "skill", "Bricolage").click()
        types_in(bob, *faces)
        bob.bar.get_by_role("button", name=say("choices.reroll.stop", system="conteur")).click()
        ana.applies()

    judges(ana, "start-complex-action", "difficulty", "4")
    turn("start-complex-action", 2, 3, 9)
    running = titled("encounters.complex-action", "conteur")
    expect(ana.acting.get_by_role("region", name=running)).to_contain_text(re.compile(r"tour 1\s: \+?\d"))
    for person, sentence in ((bob, say("web.turn.choose")), (eve, say("web.turn.begins", who="Bob")),
                             (ana, say("web.turn.begins", who="Bob"))):
        expect(person.acting.get_by_role("region", name=running).get_by_text(sentence)).to_be_visible()
    assert chip(eve, "continue-complex-action", ".encounter").count() == 0
    begins(bob, "continue-complex-action", ".encounter")
    expect(eve.acting.get_by_text(say("web.turn.waits", who="Bob"))).to_be_visible()
    turn("continue-complex-action", 1, 4, 8)
    for person in (ana, bob, eve):
        expect(person.acting.get_by_text(say("web.encounter_over", what=running))).to_be_visible()
        expect(person.acting.get_by_role("region", name=running)).to_have_count(0)


def test_a_fight_is_played_to_its_end_from_three_seats(open_table: OpenTable) -> None:
    table = open_table("simulacres", waiting=False)
    ana, bob, eve = table.gm(), comes_as(table, "Bob", NOUR), comes_as(table, "Eve", LUDMILA)
    ana.does("add-record", kind="extra", sheet=DOCKER, seen_by=["all"])
    expect(ana.page.get_by_text("Le docker").first).to_be_attached()
    chip(ana, "open-a-fight").click()
    sides = ana.page.locator("#starting fieldset")
    for at, names in ((0, (NOUR, LUDMILA)), (1, ("Le docker",))):
        for name in names:
            sides.nth(at).get_by_label(name).check()
    ana.page.locator("#starting").get_by_role("button", name=say("web.begin"), exact=True).click()
    ana.bar.get_by_role("button", name=say("web.conclude"), exact=True).click()
    title = titled("encounters.fight", "simulacres")
    fight = {person: person.acting.get_by_role("region", name=title) for person in (ana, bob, eve)}
    expect(fight[bob].get_by_text(say("web.versus"))).to_be_visible()
    ana.applies()
    expect(fight[ana].get_by_text(say("web.turn.choose"))).to_be_visible()
    expect(fight[bob].get_by_text(say("web.turn.begins", who="Ana"))).to_be_visible()

    seal = say("web.seal")
    over = say("web.encounter_over", what=title)
    for fought in range(12):
        begins(ana, "exchange", ".encounter")  # those who still stand are in it
        for person in (bob, eve):
            button = person.bar.get_by_role("button", name=seal)
            ready = button.or_(person.acting.get_by_text(say("web.turn.waits", who="Ana")))
            expect(ready.first).to_be_visible()
            if button.count():
                button.click()
                expect(person.acting.get_by_text(say("web.sealed_mine"))).to_be_visible()
            if not fought and person is bob:
                expect(fight[ana].locator(".people li", has_text=NOUR)).to_contain_text(say("web.sealed_in"))
                assert "massue" not in fight[ana].locator(".filled").all_inner_texts()
                expect(fight[eve].get_by_text(say("web.turn.mine"))).to_be_visible()
        ana.bar.get_by_role("button", name=seal).click()
        expect(bob.card("exchange").locator(".filled").first).to_be_visible()  # all lie open at once
        ana.roll.click()
        ana.applies()
        expect(ana.card("exchange")).to_have_count(0)
        if ana.acting.get_by_text(over).count():
            break
    for person in (ana, bob, eve):
        expect(person.acting.get_by_text(over)).to_be_visible()
        expect(fight[person]).to_have_count(0)


# A stranger's game


@pytest.fixture
def fanal(monkeypatch: pytest.MonkeyPatch) -> System:
    """The example game, by its module."""
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "examples" / "fanal" / "src")
    return system_at("fanal:SYSTEM")


def test_a_strangers_game_has_a_table_to_try_and_a_night_to_watch(browsing: Browsing, fanal: System) -> None:
    page = browsing.page(browsing.context())
    page.goto(f"{browsing.serving.url}/g/{fanal.id}")
    page.get_by_role("button", name=say("web.try_demo"), exact=True).click()
    page.wait_for_url(SEAT)
    with page.context.expect_page() as opened:
        page.get_by_role("link", name=say("web.demo.see_player")).click(modifiers=["Control"])
    player = opened.value
    player.wait_for_url(SEAT)
    player.wait_for_load_state()
    player.reload()  # the first request of a new tab goes out before Playwright says which language it reads
    touched = one_of(player, "craft", "lamp").or_(player.locator('#yours button[value="lamp"]'))
    touched.locator("visible=true").first.click()
    player.locator("#yours .roll").click()
    keep = player.get_by_role("button", name=say("choices.burn.false", system=fanal.id), exact=True)
    keep.click()  # until then the light has no outcome
    expect(player.locator(".outcome").first).to_be_visible()
    page.locator(".start").get_by_text(titled("moves.begin-watch", fanal.id), exact=True).click()
    page.locator("#starting").get_by_role("button", name=say("web.begin"), exact=True).click()
    asked(page, "shoals", fanal.id, "spinbutton").fill("1")
    page.get_by_role("button", name=say("web.said_so")).click()
    night = player.get_by_role("region", name=titled("encounters.night", fanal.id))
    expect(night.get_by_text(say("web.turn.choose"))).to_be_visible()
    assert not re.search(rf"^{titled('fields.shoals', fanal.id)}$", night.inner_text(), re.MULTILINE)


def test_a_game_that_fails_takes_no_page_away(open_table: OpenTable, monkeypatch: pytest.MonkeyPatch) -> None:
    table = open_table("conteur")

    def fails(*_: object) -> None:
        raise AttributeError("a stranger's mistake")

    monkeypatch.setattr(FormReader, "groups", fails)
    ana = table.gm()
    expect(ana.card().get_by_text(say("web.broken"))).to_be_visible()
    ana.card().get_by_text(say("web.more"), exact=True).click()
    ana.card().get_by_role("button", name=say("web.cancel"), exact=True).click()
    expect(ana.card()).to_have_count(0)


def test_a_refusal_of_what_is_asked_in_a_dialog_is_read_in_it_under_its_form(open_table: OpenTable) -> None:
    ana = open_table("simulacres", waiting=False).gm()
    ana.does("add-record", kind="extra", sheet=DOCKER, seen_by=["all"])
    expect(ana.page.get_by_text("Le docker").first).to_be_attached()
    chip(ana, "open-a-fight").click()
    dialog = ana.page.locator("#starting")
    dialog.get_by_label("Le docker").first.check()
    begin = dialog.get_by_role("button", name=say("web.begin"), exact=True)
    expect(begin).to_be_visible()
    dialog.locator("form").first.evaluate(  # somebody who was offered is gone by the time that it is sent
        "form => form.querySelectorAll(':checked').forEach((one) => (one.value = 'personne'))")
    for size in SIZES:
        ana.page.set_viewport_size(size)
        begin.click()
        told = dialog.get_by_role("alert")
        expect(told).to_contain_text("personne")
        expect(told).to_have_count(1)
        assert told.evaluate(LYING) == "", "it lies before the backdrop, in view"
        expect(ana.page.locator("#refusal")).to_be_hidden()
