"""What a game master has at hand in every game: people in one line from the strip, a board, the room's screen."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import OpenTable, Person, say, titled

pytestmark = pytest.mark.needs("chromium")

BOARD = """() => [Math.max(...[...document.querySelectorAll(".fighter")]
.map((one) => one.getBoundingClientRect().bottom)),
[...document.querySelectorAll(".fighter *")].filter((part) =>
part.getBoundingClientRect().right > part.closest(".fighter").getBoundingClientRect().right).length]"""
"""How far down a board goes, and how many things leave the card they stand on."""
FIGHTS = {"empire": "start-fight", "simulacres": "open-a-fight", "solaires": "start-action-scene"}


def brings(gm: Person, line: str) -> None:
    """The strip leads to the line, which is ready to be typed in."""
    gm.page.locator("#gm-people").get_by_role("link").click()
    expect(gm.page.get_by_label(say("web.quick_people"), exact=True)).to_be_focused()
    gm.page.keyboard.type(line)
    gm.page.keyboard.press("Enter")


@pytest.mark.parametrize("game", ["conteur", "empire", "simulacres", "solaires"])
def test_thugs_come_from_the_strip_and_those_who_are_ready_in_one_tap(open_table: OpenTable, game: str) -> None:
    table = open_table(game, waiting=False)
    ana, bob = table.gm(viewport={"width": 360, "height": 740}), table.joins("Bob")
    brings(ana, "deux brutes visibles")
    expect(bob.sheets.get_by_role("heading", name="Brute 2")).to_be_visible()
    brings(ana, "trois brutes, massue")
    expect(ana.page.locator(".behind").get_by_role("heading", name="Brute 3")).to_be_attached()
    assert not bob.knows("Brute 3")
    ready = ana.page.locator("#quick-ready")
    if ready.count():
        ready.locator("summary").click()
        first = ready.get_by_role("button").first
        word = first.inner_text()
        first.click()
        name = re.compile(f"^{re.escape(word)}$", re.IGNORECASE)
        expect(ana.page.locator(".behind").get_by_role("heading", name=name).first).to_be_attached()


def fight(open_table: OpenTable, game: str) -> tuple[Any, Person, list[str]]:
    table = open_table(game, waiting=False)
    ana = table.gm()
    mine, ally, *_ = ana.view["records"]
    brings(ana, "cinq brutes")
    expect(ana.page.locator(".behind").get_by_role("heading", name="Brute 5")).to_be_attached()
    thugs = [one for one, held in ana.view["records"].items() if held["sheet"]["name"].startswith("Brute")]
    ana.does("show-record", record=thugs[0], seen_by=["all"])
    cast = ({"participant": [mine, ally, *thugs]} if game == "solaires"
            else {"initiator": [mine, ally], "opponent": thugs})
    number = str(ana.does("start-move", move=FIGHTS[game], cast=cast)["number"])
    for _ in range(4):
        act = ana.view["moves"].get(number, {"phase": "closed"})
        if act["phase"] == "closed":
            break
        ana.does("accept" if act["phase"] == "settled" else "throw", number=int(number))
    expect(ana.page.locator(".encounter")).to_be_visible()
    return table, ana, thugs


@pytest.mark.parametrize("game", FIGHTS)
def test_on_the_board_whoever_is_hidden_is_marked_for_the_game_master_alone(open_table: OpenTable, game: str) -> None:
    table, ana, thugs = fight(open_table, game)
    expect(ana.page.locator(".fighter.behind")).to_have_count(len(thugs) - 1)
    bob = table.joins("Bob")
    expect(bob.page.locator(".fighter")).to_have_count(3)
    expect(bob.page.locator(".fighter.behind")).to_have_count(0)
    assert not bob.knows("Brute 5")
    ana.does("show-record", record=thugs[1], seen_by=["all"])
    expect(ana.page.locator(".fighter.behind")).to_have_count(len(thugs) - 2)
    expect(bob.page.locator(".fighter")).to_have_count(4)


@pytest.mark.parametrize("game", FIGHTS)
def test_the_screen_of_the_room_shows_the_whole_board_without_scrolling(open_table: OpenTable, game: str) -> None:
    table, ana, thugs = fight(open_table, game)
    for one in thugs[1:]:
        ana.does("show-record", record=one, seen_by=["all"])
    eve = table.joins("Eve", as_="spectator")
    eve.goes(f"{eve.base}/screen")
    expect(eve.page.locator(".fighter")).to_have_count(7)
    for width, height in ((1920, 1080), (1280, 800)):
        eve.page.set_viewport_size({"width": width, "height": height})
        lowest, outside = eve.page.evaluate(BOARD)
        assert lowest <= height, "somebody on the board is under the edge of the screen"
        assert outside == 0, "what is said of somebody leaves their card"
        expect(eve.log).to_be_visible()  # the story goes on beside the board
        expect(eve.page.locator("[data-more]")).to_have_count(0)


def test_whoever_has_nothing_to_manage_of_an_act_is_offered_no_empty_fold(open_table: OpenTable) -> None:
    table = open_table("conteur", waiting=False)
    ana, bob, zoe = table.gm(), table.joins("Bob"), table.joins("Zoé")
    bob.does("start-move", move="create-character")
    for who, folds in ((ana, 1), (bob, 1), (zoe, 0)):
        expect(who.page.locator("article.move")).to_have_count(1)
        expect(who.page.locator("article.move details.menu")).to_have_count(folds)


def test_the_keys_work_for_every_seat(open_table: OpenTable) -> None:
    table = open_table("conteur")
    ana, bob, eve = table.gm(), table.joins("Bob"), table.joins("Eve", as_="spectator")
    bob.takes("Maëlle")
    everybody = {"a": "#h-act", "f": "#h-sheets", "j": "#h-log"}
    plays = {"m": "#say", "/": "#find"}
    for who, keys in ((ana, {**everybody, **plays}), (bob, {**everybody, **plays}), (eve, everybody)):
        for key, target in keys.items():
            who.page.keyboard.press("Escape")  # whoever types writes letters
            who.page.keyboard.press(key)
            expect(who.page.locator(target)).to_be_focused()
        who.page.keyboard.press("Escape")
        who.page.keyboard.press("?")
        expect(who.page.locator("#help")).to_be_visible()
        who.page.keyboard.press("Escape")
        expect(who.page.locator("#help")).to_be_hidden()
    bob.page.keyboard.press("r")
    expect(bob.bar.locator(":focus")).to_be_visible()


def test_a_key_leads_to_the_turn_that_is_to_be_given(open_table: OpenTable) -> None:
    ana = open_table("solaires", waiting=False).gm()
    people = list(ana.view["records"])
    number = ana.does("start-move", move="start-action-scene", cast={"participant": people})["number"]
    ana.does("throw", number=number)
    give = ana.page.locator("#yours > .row button").first
    expect(give).to_be_visible()
    ana.page.keyboard.press("r")
    expect(give).to_be_focused()


def test_a_refusal_goes_away_while_the_table_lives_on(open_table: OpenTable) -> None:
    ana = open_table("conteur", waiting=False).gm()
    ana.page.clock.install()
    ana.comes_back()
    ana.does("turn-hourglass", seconds=120)  # which ticks on the page, second by second
    expect(ana.page.locator("#hourglass")).to_be_visible()
    ana.line.fill("/danse")
    ana.line.press("Enter")
    expect(ana.page.locator("#refusal")).to_be_visible()
    for _ in range(12):
        ana.page.clock.run_for(1_000)
    expect(ana.page.locator("#refusal")).to_be_hidden()


def test_a_sentence_is_read_whole_while_it_is_written_and_said_by_enter(open_table: OpenTable) -> None:
    """In as many lines as it takes; beside Shift, Enter begins a new one."""
    bob = open_table("solaires", waiting=False).joins("Bob")
    mine = bob.does("add-record", ready="cabestan")["record"]
    bob.does("start-move", move="action", cast={"initiator": [mine]})
    goal = bob.page.get_by_label(titled("fields.goal", "solaires"), exact=True).locator("visible=true")
    goal.fill("accoster le cargo")
    low = goal.bounding_box()["height"]
    goal.press("End")
    goal.press("Shift+Enter")
    goal.press_sequentially("sans bruit, avant que la patrouille ne revienne de l'autre côté de l'anneau")
    assert goal.bounding_box()["height"] > 2 * low - 10
    goal.press("Enter")
    read = bob.page.get_by_text("sans bruit, avant que la patrouille")
    expect(read.first).to_be_attached()
    expect(goal).to_have_value(re.compile("^accoster le cargo\nsans bruit, avant"))
