"""An evening of Simulacres in browsers, by visible words: a test as a phrase, people in one line, a favourite."""

import re

import pytest
from playwright.sync_api import expect

from .conftest import OpenTable, picks, say
from .test_secrets import settled
from .test_simulacres_care import TYPES, touches
from .test_simulacres_evening import begins, hears, presses, throws

pytestmark = pytest.mark.needs("chromium")
NOUR = "Nour Valcourt"


def test_a_test_is_a_phrase_a_step_and_a_throw(open_table: OpenTable) -> None:
    """The player's phrase stands; the game master's one tap on a step releases the dice, and the number is said."""
    table = open_table("simulacres")
    ana, bob = table.gm(), table.joins("Bob")
    bob.takes(NOUR)
    expect(bob.card()).to_be_visible()
    picks(ana.card().get_by_role("radio", name=re.compile("Malaisé")))
    expect(bob.page.get_by_text(re.compile(r"8\s: il faut 7 ou moins")).first).to_be_visible()
    picks(bob.card().get_by_role("radio", name=re.compile("Esprit")))


def test_three_thugs_enter_in_one_line_and_nobody_else_hears_of_them(open_table: OpenTable) -> None:
    table = open_table("simulacres")
    ana, bob, eve = table.gm(), table.joins("Bob"), table.joins("Eve", as_="spectator")
    ana.page.get_by_label(say("web.quick_people"), exact=True).fill("trois brutes moyennes, massue")
    ana.page.get_by_role("button", name=say("web.quick_people_now"), exact=True).click()
    for name in ("Brute 1", "Brute 2", "Brute 3"):
        expect(ana.sheets.get_by_role("heading", name=name)).to_be_visible()
    ana.page.get_by_label(say("web.quick_people"), exact=True).fill("trois zorglubs")
    ana.page.get_by_role("button", name=say("web.quick_people_now"), exact=True).click()
    expect(ana.sheets.get_by_role("heading", name=re.compile("^Zorglub"))).to_have_count(3)  # any word names people
    settled(ana, bob, eve)
    for who in (bob, eve):
        who.comes_back()
        for word in ("Brute", "brute-1", "orglub"):
            assert not who.knows(word), (who.name, word)


def test_a_fight_runs_with_one_tap_for_all_the_brutes(open_table: OpenTable) -> None:
    """Two visible brutes against Nour: the game master seals both at once, as they stand."""
    table = open_table("simulacres")
    ana, bob = table.gm(), table.joins("Bob")
    bob.takes(NOUR)
    ana.page.get_by_label(say("web.quick_people"), exact=True).fill("deux brutes moyennes, massue, visibles")
    ana.page.get_by_role("button", name=say("web.quick_people_now"), exact=True).click()
    expect(bob.sheets.get_by_role("heading", name="Brute 2")).to_be_visible()
    people = {record["sheet"]["name"]: one for one, record in ana.view["records"].items()}
    cast = {"initiator": [people[NOUR]], "opponent": [people["Brute 1"], people["Brute 2"]]}
    number = ana.does("start-move", move="open-a-fight", cast=cast)["number"]
    ana.does("throw", number=number)
    ana.does("start-move", move="exchange", cast=cast, encounter=1)
    all_mine = ana.page.get_by_role("button", name=say("web.seal_all", n=2), exact=True)
    all_mine.click()
    expect(all_mine).to_have_count(0)


def test_a_new_exchange_comes_into_view_with_everybody_on_the_board(open_table: OpenTable) -> None:
    """The form is what the bar asks for: it is brought up, above what is over; those who are awaited are seen too."""
    table = open_table("simulacres", waiting=False)
    ana, bob = table.gm(), table.joins("Bob")
    bob.page.get_by_role("button", name=say("web.play_as", name=NOUR), exact=True).click()
    ana.page.get_by_label(say("web.quick_people"), exact=True).fill("deux brutes moyennes, massue, visibles")
    ana.page.get_by_role("button", name=say("web.quick_people_now"), exact=True).click()
    expect(bob.sheets.get_by_role("heading", name="Brute 2")).to_be_visible()
    ana.finds("open-a-fight").click()
    nour, brute = (ana.page.locator(f"#starting [name='cast:{role}']:checked") for role in ("initiator", "opponent"))
    expect(brute).to_have_count(2)
    expect(nour).to_have_count(1)
    ana.page.locator("#starting button.main").click()
    ana.main.click()
    following = ana.page.locator("#yours").get_by_role("button", name="Passe d'armes", exact=True)
    bob.page.locator("#stage").evaluate("(stage) => { stage.scrollTop = stage.scrollHeight }")
    following.click()
    card = bob.page.locator("#stage .move.mine")
    expect(card.get_by_role("heading").first).to_be_in_viewport()
    expect(card.get_by_text("Qui frapper").first).to_be_in_viewport()
    assert bob.page.locator(".fighter.turn").count() >= 1
    for one in bob.page.locator(".fighter").all():
        expect(one).to_be_visible()
    assert bob.page.locator("#calm").count() == 0, "a fight is not calm"
    ana.page.get_by_role("button", name=say("web.seal_all", n=2), exact=True).click()
    bob.main.click()
    for who in ana.view["records"]:
        assert who not in ana.page.locator("#encounters").inner_text(), "people are called by their names"


def test_a_test_that_was_asked_for_is_kept_with_one_tap_on_its_result(open_table: OpenTable) -> None:
    """The game master asked; the star stands on the player's pinned result, one tap puts it among the favourites."""
    table = open_table("simulacres")
    ana, bob = table.gm(), table.joins("Bob")
    bob.takes(NOUR)
    picks(ana.card().get_by_role("radio", name=re.compile("Malaisé")))
    expect(bob.card().get_by_text("Malaisé").first).to_be_visible()
    bob.main.click()
    star = bob.page.locator("#pinned").get_by_role("button", name=say("web.keep_act"))
    expect(star).to_be_visible()
    expect(ana.page.locator("#pinned").get_by_role("button", name=say("web.keep_act"))).to_have_count(0)
    star.click()
    expect(bob.page.get_by_role("button", name=re.compile("^Corps · Perception · Mécanique 9"))).to_be_visible()


def test_armour_is_told_in_its_three_parts_to_whoever_may_know_of_it(open_table: OpenTable) -> None:
    """What deflects lowers the striker's sum, what hinders the wearer's own, what absorbs the damage: three lines."""
    table = open_table("simulacres", waiting=False)
    ana, bob = table.gm(), table.joins("Bob")
    presses(bob, say("web.play_as", name=NOUR))
    ana.page.get_by_label(say("web.quick_people"), exact=True).fill("une brute moyenne, massue, visible")
    ana.page.get_by_role("button", name=say("web.quick_people_now"), exact=True).click()
    expect(bob.sheets.get_by_role("heading", name="Brute")).to_be_visible()
    brute = next(one for one, record in ana.view["records"].items() if record["sheet"]["name"] == "Brute")
    for part, points in (("deflect", 1), ("hinder", 2), ("absorb", 3)):
        ana.does("edit-record", record=brute, path=f"armour.{part}", value=points)
    begins(ana, "Ouvrir un combat")
    presses(ana, say("web.begin"))
    throws(ana)
    presses(ana, "Passe d'armes", ana.bar)
    for who in (bob, ana):
        presses(who, say("web.seal"), who.bar)
    presses(ana, TYPES, ana.bar)
    touches(bob, 1, 2)
    touches(ana, 5, 5)
    touches(bob, 3, 4)
    hears(bob, re.compile("Nour Valcourt touche Brute"))
    for part in (r"Nour Valcourt\s: MR \d", r"L'armure de Brute dévie\s: 1 de moins au test de Nour Valcourt",
                 "L'armure de Brute absorbe 3 des dégâts"):
        expect(ana.page.locator("#pinned").get_by_text(re.compile(part)).first).to_be_visible()
    ana.page.locator("#pinned").get_by_text("Pourquoi", exact=False).first.click()
    for part in (r"Nour Valcourt · déviation de la cible\s: −1", r"Brute · gêne de l'armure\s: −2",
                 "L'armure de la cible absorbe 3"):
        expect(ana.page.locator("#pinned li").get_by_text(re.compile(part)).first).to_be_visible()
    for part in ("déviation", "dévie", "gêne", "absorbe"):
        assert not bob.knows(part), "what a brute wears is the game master's to know"
