"""The table lives: a lost line, a server that restarts, somebody typing while others act."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from .conftest import Browsing, OpenTable, Serving, Table, say, table_token, titled

pytestmark = pytest.mark.needs("chromium")


def test_a_lost_line_is_said_and_what_was_missed_comes_by_itself(open_table: OpenTable) -> None:
    table = open_table("conteur")
    ana, bob = table.gm(), table.joins("Bob")
    ana.says("avant")
    bob.hears("avant")
    bob.context.set_offline(True)
    expect(bob.is_offline()).to_be_visible()
    ana.says("pendant la coupure")
    ana.hears("pendant la coupure")
    bob.line.fill("personne ne m'entend")
    bob.line.press("Enter")
    expect(bob.line).to_have_value("personne ne m'entend")  # it did not leave, and is not lost
    bob.context.set_offline(False)
    bob.hears("pendant la coupure")
    expect(bob.is_offline()).to_be_hidden()
    bob.line.press("Enter")
    ana.hears("personne ne m'entend")


def test_a_server_that_restarts_loses_nothing_and_pages_catch_up(chromium, tmp_path: Path) -> None:
    serving = Serving(tmp_path / "tables.db")
    browsing = Browsing(chromium, serving)
    try:
        table = Table(browsing, "simulacres", table_token(serving.url, "simulacres"), "fr", None)
        ana, bob = table.gm(), table.joins("Bob")
        ana.says("avant l'arrêt")
        bob.hears("avant l'arrêt")
        serving.stop()
        expect(bob.is_offline()).to_be_visible()
        bob.line.fill("écrit pendant l'arrêt")
        serving.start()
        bob.line.press("End")
        ana.does("say", text="après l'arrêt")
        bob.hears("après l'arrêt")
        expect(bob.is_offline()).to_be_hidden()
        expect(bob.line).to_have_value("écrit pendant l'arrêt")
        bob.line.press("Enter")
        ana.hears("écrit pendant l'arrêt")
        ana.hears("avant l'arrêt")
    finally:
        browsing.close()
        serving.stop()
    assert browsing.complaints == []


def test_an_update_never_disturbs_a_hand(open_table: OpenTable) -> None:
    """Somebody types, with a caret in the middle, a fold open and the page scrolled, while others act."""
    table = open_table("conteur")
    ana, bob = table.gm(), table.joins("Bob")
    bob.takes("Maëlle Tisserand")
    card = bob.card()
    more = card.get_by_text(say("web.more_fields"), exact=True).first
    more.click()
    inside = card.get_by_label(titled("fields.energy_dice", "conteur"), exact=True)
    expect(inside).to_be_visible()
    bob.line.click()
    bob.page.keyboard.type("je réfléchis encore")
    for _ in range(6):
        bob.page.keyboard.press("ArrowLeft")
    bob.page.evaluate("window.scrollTo(0, 120)")
    before = hand(bob)
    assert before["caret"] == len("je réfléchis encore") - 6
    for n in range(3):
        ana.says(f"pendant ce temps {n}")
        bob.hears(f"pendant ce temps {n}")
    record = next(name for name, held in ana.view["records"].items() if held["owner"] != bob.seat)
    ana.does("start-move", move="throw", cast={"initiator": [record]}, form={record: {"attribute": 4, "dice": 2}})
    expect(bob.acting.get_by_role("article", name=titled("moves.throw", "conteur"))).to_have_count(2)
    ana.does("open-scene", title="La cale")
    expect(bob.page.get_by_text("La cale").first).to_be_visible()
    assert hand(bob) == before
    expect(inside).to_be_visible()  # the fold is still open
    bob.page.keyboard.type("…")
    expect(bob.line).to_have_value("je réfléchis …encore")


def hand(who) -> dict:
    return who.page.evaluate(
        "({focus: document.activeElement.id, caret: document.activeElement.selectionStart, "
        "text: document.activeElement.value, scroll: Math.round(scrollY)})"
    )


def test_a_number_being_typed_in_a_move_stays_while_another_fills_theirs(open_table: OpenTable) -> None:
    table = open_table("conteur")
    ana, bob = table.gm(), table.joins("Bob")
    bob.takes("Maëlle Tisserand")
    bob.card().get_by_text(say("web.more_fields"), exact=True).first.click()
    energy = bob.card().get_by_label(titled("fields.energy_dice", "conteur"), exact=True)
    energy.click()
    bob.page.keyboard.type("2")  # not left yet: nothing was sent
    difficulty = ana.card().get_by_label(titled("fields.difficulty", "conteur"), exact=True)
    difficulty.fill("2")
    difficulty.press("Tab")
    expect(bob.card().get_by_text(titled("fields.difficulty", "conteur")).first).to_be_attached()
    ana.says("difficulté deux")
    bob.hears("difficulté deux")
    expect(energy).to_have_value("2")
    expect(energy).to_be_focused()


def test_presence_is_shown_and_ends(open_table: OpenTable) -> None:
    table = open_table("conteur")
    ana, bob = table.gm(), table.joins("Bob")
    people = ana.page.get_by_role("list", name=say("web.around"))
    expect(people.get_by_role("listitem").filter(has_text="Bob")).to_contain_text(say("web.here"))
    bob.page.close()
    expect(people.get_by_role("listitem").filter(has_text="Bob")).to_contain_text(say("web.away"))


def test_a_closed_seat_is_told_so(open_table: OpenTable) -> None:
    table = open_table("conteur")
    ana, bob = table.gm(), table.joins("Bob")
    ana.does("revoke-link", who=bob.seat)
    ana.says("entre nous")
    ana.hears("entre nous")
    answer = bob.page.goto(f"{table.url}{bob.base}/")
    assert answer.status == 401
    expect(bob.page.get_by_text(say("errors.table/bad-link.title")).first).to_be_visible()
    assert not bob.knows("entre nous")


def test_one_sentence_for_each_event_is_announced(open_table: OpenTable) -> None:
    table = open_table("conteur")
    ana, bob = table.gm(), table.joins("Bob")
    assert bob.page.locator("[aria-live=polite]").count() <= 1
    ana.says("attention à la marche")
    expect(bob.page.get_by_role("status").filter(has_text="attention à la marche").first).to_be_attached()
