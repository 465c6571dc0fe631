"""The interaction budget: each row is played in browsers, and fails when it costs more taps than it may."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from .budget import Counting, Hand, counted, until
from .conftest import OpenTable, say, titled

pytestmark = pytest.mark.needs("chromium")
to_play_anew = pytest.mark.skip(reason="a row of the budget that was played on the pages before the frame")


def sits(open_table: OpenTable, system: str, *names: str) -> Counting:
    """A table with players who each hold a character, nothing open."""
    table = open_table(system, waiting=False)
    table.gm()
    people = []
    for at, name in enumerate(names):
        person = table.joins(name)
        record = sorted(person.view["records"])[at]
        person.does("take-record", record=record)
        person.comes_back()
        people.append(person)
    return Counting(table, people)


@to_play_anew
def test_a_test_from_the_sheet(open_table: OpenTable, record_property: Any) -> None:
    evening = sits(open_table, "simulacres", "Bob")
    (bob,) = evening.players
    bob.taps_on('button[name="go"][value*="component"][value*="means"]')
    until(bob.page, lambda: bool(bob.seen["moves"]))
    evening.goes_on()
    counted(record_property, "test", "simulacres", evening.paid())


def test_a_test_composed_from_nothing(open_table: OpenTable, record_property: Any) -> None:
    evening = sits(open_table, "conteur", "Bob")
    (bob,) = evening.players
    bob.taps_word(titled("moves.throw", "conteur"))
    until(bob.page, lambda: bool(bob.seen["moves"]))
    evening.goes_on()
    counted(record_property, "composed", "conteur", evening.paid())


def test_joining_and_taking_a_ready_made_character(open_table: OpenTable, record_property: Any) -> None:
    table = open_table("simulacres", waiting=False)
    bob = Hand(table.joins("Bob"))
    bob.taps += 1  # the link
    bob.taps_on('form[action$="/do/take"] button')
    until(bob.page, lambda: any(one["owner"] == bob.person.seat for one in bob.seen["records"].values()))
    evening = Counting(table, [])
    evening.players = [bob]
    counted(record_property, "join", "simulacres", evening.paid())


def test_undoing_the_last_thing(open_table: OpenTable, record_property: Any) -> None:
    evening = sits(open_table, "conteur", "Bob")
    (bob,) = evening.players
    before = bob.seen["records"]
    bob.taps_on('button[name="set"]:enabled')
    until(bob.page, lambda: bob.seen["records"] != before)
    evening.from_here()
    undo = evening.gm.page.locator('form[action$="/do/undo-last"] button')
    if not undo.first.is_visible():
        evening.gm.taps_word(say("web.corrections"))
    evening.gm.tap(undo.locator("visible=true").first)
    until(bob.page, lambda: bob.seen["records"] == before)
    counted(record_property, "undo", "conteur", evening.paid())


@to_play_anew
def test_a_night_passes(open_table: OpenTable, record_property: Any) -> None:
    evening = sits(open_table, "simulacres", "Bob")
    night = evening.gm.page.locator('form[action$="/do/time"] button')
    if not night.first.is_visible():
        evening.gm.taps_word(re.compile(f"^{re.escape(say('web.time'))}"))
    evening.gm.tap(night.filter(has_text=re.compile("nuit|matin|jour")).locator("visible=true").first)
    until(evening.gm.page, lambda: bool(evening.gm.seen["moves"]))
    evening.goes_on()
    counted(record_property, "night", "simulacres", evening.paid())


@to_play_anew
def test_the_end_of_a_scene(open_table: OpenTable, record_property: Any) -> None:
    evening = sits(open_table, "simulacres", "Bob")
    evening.gm.person.does("open-scene", title="Le quai")
    expect(evening.gm.page.get_by_text("Le quai").first).to_be_visible()
    ends = evening.gm.page.locator('form[action$="/do/time"]:has(input[value="scene"]) button')
    if not ends.first.is_visible():
        evening.gm.taps_word(re.compile(f"^{re.escape(say('web.scene'))}"))
    evening.gm.tap(ends.locator("visible=true").first)
    until(evening.gm.page, lambda: bool(evening.gm.seen["moves"]))
    evening.goes_on()
    counted(record_property, "scene", "simulacres", evening.paid())


@to_play_anew
def test_a_test_that_the_game_master_asks_for(open_table: OpenTable, record_property: Any) -> None:
    evening = sits(open_table, "conteur", "Bob", "Cy")
    evening.gm.taps_word(titled("moves.throw", "conteur"))
    evening.gm.taps_on('form[action$="/do/ask"] button')
    until(evening.gm.page, lambda: bool(evening.gm.seen["moves"]))
    evening.goes_on()
    counted(record_property, "asked", "conteur", evening.paid())


@to_play_anew
def test_a_wound_out_of_the_blue(open_table: OpenTable, record_property: Any) -> None:
    evening = sits(open_table, "conteur", "Bob")
    evening.gm.taps_word(titled("moves.inflict-wound", "conteur"))
    victim = evening.gm.page.locator('select[name="cast:victim"]')
    evening.gm.chooses(victim)
    evening.gm.taps_on('form[action$="/do/start"]:has(select) button.main')
    until(evening.gm.page, lambda: bool(evening.gm.seen["moves"]))
    evening.goes_on()
    counted(record_property, "wound", "conteur", evening.paid())


@to_play_anew
def test_an_exchange_of_blows(open_table: OpenTable, record_property: Any) -> None:
    evening = sits(open_table, "simulacres", "Bob", "Cy")
    bob = evening.players[0]
    mine = {hand.person.name: next(name for name, one in hand.seen["records"].items()
                                   if one["owner"] == hand.person.seat) for hand in evening.players}
    bob.taps_word(titled("moves.fight", "simulacres"))
    foe = bob.page.locator(f'input[name="cast:opponent"][value="{mine["Cy"]}"]')
    bob.tap(foe)
    bob.taps_on('form[action$="/do/start"]:has(fieldset) button.main')
    until(bob.page, lambda: bool(bob.seen["moves"]))
    evening.goes_on()
    counted(record_property, "blow", "simulacres", evening.paid())
